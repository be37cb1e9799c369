import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readPlanFile } from '../../host/runs/planFile.js';
import { restoreParametersOfPlannedRun } from '../../host/study/plan.js';
import { runGridalloc } from '../runs/childProcess.js';
import { makeTemporaryFolder } from '../temporaryFolder.js';
import { writeLogFile } from './runProgram.js';

/**
 * Checks every sentence, caption and page about replications against the plan: it must name what
 * varies between them (jobs, speeds, or nothing).
 */

/** Thirty days of jobs of three users. */
const LOG = writeLogFile(
  `; MaxProcs: 8\n${Array.from({ length: 240 }, (_, i) => {
    const runtime = 4000 + ((i * 5309) % 17_000);
    return `${i + 1} ${10_800 * i} -1 ${runtime} ${1 + ((i * 5) % 6)} -1 -1 -1 ${2 * runtime} -1 1 ${1 + (i % 3)} 1 -1 1 -1 -1 -1`;
  }).join('\n')}\n`,
);
const MODEL = 'lublin99[jobs=80,processors=64,seed=1]';
const SITES = ['--sites', '8,8,8'];
const DRAWN_SPEEDS_WORDS = [...SITES, '--speeds', 'draw[sh=0.1,seed=1]'];
const PERTURB_SPEEDS_WORDS = ['--perturb', 'speeds'];
const METHODS = ['--policy', 'best-fit,fastest-first'];

const COMMANDS_TO_TEST: readonly (readonly string[])[] = [
  ['simulate', LOG],
  ['simulate', LOG, '--perturb', 'resample[by=user,block=1d]'],
  ['simulate', LOG, '--perturb', 'resample[by=user,block=7d]'],
  ['simulate', LOG, ...DRAWN_SPEEDS_WORDS, ...PERTURB_SPEEDS_WORDS],
  ['simulate', MODEL, '--sites', '64'],
  ['compare', LOG, '--discipline', 'fcfs,easy'],
  ['compare', LOG, '--discipline', 'fcfs,easy', '--perturb', 'resample[by=user,block=1d]'],
  ['compare', LOG, ...DRAWN_SPEEDS_WORDS, ...METHODS],
  ['compare', LOG, ...DRAWN_SPEEDS_WORDS, ...METHODS, ...PERTURB_SPEEDS_WORDS],
  ['compare', MODEL, '--sites', '64,64,64', ...METHODS],
  [
    'compare',
    MODEL,
    '--sites',
    '64,64,64',
    '--speeds',
    'draw[sh=0.1,seed=1]',
    ...METHODS,
    ...PERTURB_SPEEDS_WORDS,
  ],
];

/** Reads from plan.json what varies between the replications of a method: jobs or speeds. */
function readWhatVariesInPlan(folder: string) {
  const { points: studyPoints, runs, workloads } = readPlanFile(join(folder, 'plan.json'));
  const [firstPoint] = studyPoints;
  const runsOfFirstLog = studyPoints
    .filter(({ labels: pointLabels }) => pointLabels[0] === firstPoint!.labels[0])
    .map(({ run: runIndex }) => runs[runIndex]!);
  const countDistinct = (texts: readonly string[]) => new Set(texts).size;
  return {
    jobs:
      countDistinct(runsOfFirstLog.map(({ workload: workloadIndex }) => workloads[workloadIndex]!.sha256)) >
      1,
    speeds: countDistinct(runsOfFirstLog.map((run) => String(restoreParametersOfPlannedRun(run).speeds))) > 1,
  };
}

const REMARK_PATTERNS = {
  shaken: /shaken/,
  resampled: /weeks|days|blocks/,
  seeds: /other seeds|different seeds/,
  speeds: /speeds drawn anew|other speeds|different speeds|new speeds|speed vectors|with speeds/,
};

describe.each(COMMANDS_TO_TEST)('%s %s %s %s %s %s %s %s', (...commandWords) => {
  const folder = join(makeTemporaryFolder(), 'out');
  const args = commandWords.filter((commandWord) => commandWord !== undefined);
  const [, source] = args;

  test('sentences on replications name what the plan varies', async () => {
    const { exitCode, stdout, stderr } = await runGridalloc([
      ...args,
      ...['--replications', '10', '--threads', '1', '--out', folder],
    ]);
    expect(exitCode, stderr).toBe(0);
    const whatVariesInPlan = readWhatVariesInPlan(folder);
    const isModelWorkload = source === MODEL;
    const isResampled = args.some((word) => word.startsWith('resample'));
    const variesSpeedsOnly = whatVariesInPlan.speeds && !whatVariesInPlan.jobs;
    const page = readFileSync(join(folder, 'report.html'), 'utf8').replaceAll(/<[^>]+>/g, ' ');
    const report = readFileSync(join(folder, 'report.json'), 'utf8');
    const methods = readFileSync(join(folder, 'methods.md'), 'utf8');
    const table = readFileSync(join(folder, 'tables/metrics.tex'), 'utf8');
    // With a block of one day, the output must not speak of weeks.
    if (args.some((word) => word.includes('block=1d')))
      expect(stdout).not.toMatch(/different weeks|of the weeks/);
    for (const [name, text] of Object.entries({ stdout, page, report, methods })) {
      const textOnOneLine = text.replaceAll(/\s+/g, ' ');
      expect({ name, shaken: REMARK_PATTERNS.shaken.test(textOnOneLine) }).toEqual({
        name,
        shaken: !isModelWorkload && !isResampled && !variesSpeedsOnly,
      });
      expect({ name, seeds: REMARK_PATTERNS.seeds.test(textOnOneLine) }).toEqual({
        name,
        seeds: isModelWorkload,
      });
      if (whatVariesInPlan.speeds)
        expect({ name, speeds: REMARK_PATTERNS.speeds.test(textOnOneLine) }).toEqual({ name, speeds: true });
      if (isResampled)
        expect({ name, resampled: REMARK_PATTERNS.resampled.test(textOnOneLine) }).toEqual({
          name,
          resampled: true,
        });
    }
    expect(REMARK_PATTERNS.shaken.test(table)).toBe(
      !isModelWorkload && !isResampled && !variesSpeedsOnly && table.includes('cop'),
    );
    // If all replications share one draw of speeds, the verdict must say so.
    if (args.includes('--speeds') && !whatVariesInPlan.speeds && commandWords[0] === 'compare')
      expect(stdout.replaceAll(/\s+/g, ' ')).toContain('on this grid');
  });
});
