import { describe, expect, test } from 'vitest';
import { makeSwfRecord, runProgramInProcess } from './runProgram.js';

/**
 * Error messages for backfilling: combinations undefined in the literature, and values out of
 * range.
 */
const WRONG_PLANNING_OPTIONS: [words: string[], sentence: string][] = [
  [['--select', 'best'], "unknown value of --select 'best'. Known: optimal, greedy, non-adaptive"],
  [['--multi-site-factor', '0.9'], "--multi-site-factor: expected a number of at least 1, found '0.9'"],
  [
    ['--interval', '0'],
    "--interval: expected a number of seconds above 0 and at most 1000000000000000, or a time such as 7d or 1h30m, found '0'",
  ],
  [
    ['--interval', '1e300'],
    "--interval: expected a number of seconds above 0 and at most 1000000000000000, or a time such as 7d or 1h30m, found '1e300'",
  ],
  [['--bandwidth', '0'], '--bandwidth: expected a number above 0, found 0'],
  [
    ['--bandwidth', '0,1;0,0'],
    '--bandwidth from site 2 to site 1: expected bytes per second above 0, found 0',
  ],
  [
    ['--bandwidth', '1,2,3;4,5'],
    '--bandwidth: expected one number, or 2 rows (separated by ;) of 2 entries for 2 sites, found rows of 3, 2',
  ],
  [['--bandwidth', '1,x;1,1'], "--bandwidth, row 1, entry 2: expected a number, found 'x'"],
  [
    ['--bandwidth', '1', '--latency', '0,1'],
    '--latency: expected one number, or 2 rows (separated by ;) of 2 entries for 2 sites, found rows of 2',
  ],
  [
    ['--bandwidth', '1', '--latency', '0,-1;1,0'],
    '--latency from site 1 to site 2: expected seconds of at least 0, found -1',
  ],
  [['--latency', '1'], '--latency needs --bandwidth, since it applies only to data transfers'],
  [['--data-size', '-1'], "--data-size: expected a number of at least 0, found '-1'"],
  [
    ['--data-size', 'pareto[mean=1]'],
    "unknown distribution of --data-size 'pareto'. Known: uniform, exponential",
  ],
  [['--data-size', 'uniform[from=1]'], '--data-size: uniform needs the parameter to'],
  [['--data-size', 'uniform[from=2,to=1]'], "--data-size: expected 'to' to be at least 'from', found 2 to 1"],
  [['--data-size', 'exponential[to=1]'], "unknown parameter of exponential 'to'. Known: mean, seed"],
  [
    ['--heterogeneity', '1,2', '--speeds', '1,2'],
    '--speeds cannot be combined with --heterogeneity, since both say how fast the sites are; omit one of them',
  ],
  [
    ['--queue', 'per-home'],
    '--discipline easy cannot be combined with --queue per-home, since sites are chosen for the jobs of one queue, or of one site; omit one of them',
  ],
  [
    ['--multi-site', 'adaptive'],
    '--discipline easy cannot be combined with --multi-site adaptive, since --multi-site-factor lets jobs run on several sites; omit one of them',
  ],
  [
    ['--min-speed-ratio', '1'],
    '--min-speed-ratio with --discipline easy needs --policy, since otherwise sites are selected regardless of home-site speeds',
  ],
  [
    ['--policy', 'ai2', '--select', 'greedy'],
    '--policy with --discipline easy cannot be combined with --select greedy, since both choose the sites; omit one of them',
  ],
  [
    [],
    'standard input: none of the 3 jobs requests a time (field 9, requestedTime), by which this run decides; ' +
      'use --estimates exact',
  ],
];

/**
 * Error messages for options that need a planning discipline, when the discipline does not plan.
 */
const OPTIONS_NEEDING_PLANNING: [words: string[], sentence: string][] = [
  [
    ['--select', 'optimal'],
    '--select optimal needs --discipline easy or conservative, since only backfilling plans ahead',
  ],
  [
    ['--multi-site-factor', '1.2'],
    '--multi-site-factor needs --discipline easy or conservative, since only backfilling has rules for it (Zhang et al. 2006)',
  ],
  [
    ['--interval', '60'],
    '--interval needs --discipline easy or conservative, since only backfilling has rules for it (Zhang et al. 2006)',
  ],
  [
    ['--bandwidth', '1e6'],
    '--bandwidth needs --discipline easy or conservative, since only backfilling has rules for it (Zhang et al. 2006)',
  ],
  [
    ['--runtime-reference', 'home'],
    '--runtime-reference home needs --discipline easy or conservative, since only backfilling has rules for it (Zhang et al. 2006)',
  ],
];

describe('wrong options of backfilling', () => {
  test.each(WRONG_PLANNING_OPTIONS)('--discipline easy %j', async (commandWords, sentence) => {
    const argv = ['simulate', '-', '--sites', '4,8', '--discipline', 'easy', ...commandWords];
    const logText = [1, 2, 3].map((job) => `${makeSwfRecord(job, job, 10, 4, 1)}\n`).join('');
    expect(await runProgramInProcess(argv, { input: logText })).toEqual({
      exitCode: 2,
      stdout: '',
      stderr: `gridalloc: ${sentence}\n`,
    });
  });

  test.each(OPTIONS_NEEDING_PLANNING)('%j without backfilling', async (commandWords, sentence) => {
    const argv = ['simulate', '-', '--sites', '4,8', ...commandWords];
    const logText = `${makeSwfRecord(1, 0, 10, 4, 1)}\n`;
    expect(await runProgramInProcess(argv, { input: logText })).toEqual({
      exitCode: 2,
      stdout: '',
      stderr: `gridalloc: ${sentence}\n`,
    });
  });

  test('all sets of more than 16 sites', async () => {
    const commandWords = ['--discipline', 'conservative', '--select', 'optimal', '--multi-site-factor', '1'];
    const sites = ['--sites', Array.from({ length: 17 }, () => 4).join(',')];
    const stderrText =
      'gridalloc: --select optimal with --multi-site-factor is for at most 16 sites, found 17, since it looks at every set of sites; take --select greedy\n';
    const logText = `${makeSwfRecord(1, 0, 10, 4, 1, 10)}\n`;
    expect(
      await runProgramInProcess(['simulate', '-', ...sites, ...commandWords], { input: logText }),
    ).toEqual({
      exitCode: 2,
      stdout: '',
      stderr: stderrText,
    });
  });
});
