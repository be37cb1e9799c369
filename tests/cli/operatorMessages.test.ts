import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { OPTION_MISSING_FROM_PAGE } from '../../host/explorer/pageOptions.js';
import { OPTION_HEADINGS } from '../../host/options/kinds.js';
import { OPTIONS } from '../../host/options/options.js';
import { makeExplorerCatalogue } from '../../web/explorer/worker/catalogue.js';
import { makeTemporaryFolder } from '../temporaryFolder.js';
import { LOG } from '../ways/samples.js';
import { runProgramInProcess } from './runProgram.js';

/** Sentences on outages, limits and priorities, in every command that has them. */

const folder = makeTemporaryFolder();
const logFile = join(folder, 'log.swf');
writeFileSync(logFile, LOG);
const EASY_DISCIPLINE_WORDS = ['--discipline', 'easy'];

test.each([
  [
    ['--outages', '1x[3]@10..20'],
    '--outages needs --plan-by node, since it names nodes, and only plans by nodes know which processors are away',
  ],
  [
    ['--sites', '8,8', '--plan-by', 'node', '--backfill-interval', '30'],
    '--plan-by node needs --policy, since a policy chooses among the sites on which a job finds nodes now',
  ],
  [
    ['--order', 'multifactor[]'],
    '--order: multifactor needs a weight above 0, such as multifactor[age=1000,fairshare=10000]',
  ],
  [
    ['--order', 'usage', '--half-life', '0.5', '--usage-count', 'by-number', '--usage-step', '1'],
    '--usage-count by-number cannot be combined with --half-life 0.5, since usage by number decays every second, for which a half-life must be at least 1 s; give a longer half-life',
  ],
  [['--order', 'user == 99'], `order user == 99: no job of ${logFile} is of user 99`],
  [['--backfill-order', '3 * (group != 7)'], `order 3 * (group != 7): no job of ${logFile} is of group 7`],
  [
    ['--order', 'multifactor[fairshare=10,share.99=0.5]'],
    `order multifactor[fairshare=10,share.99=0.5]: no job of ${logFile} is of user 99`,
  ],
])('%j is refused in one sentence', async (commandWords, sentence) => {
  const { exitCode, stderr } = await runProgramInProcess([
    'simulate',
    logFile,
    ...EASY_DISCIPLINE_WORDS,
    ...commandWords,
  ]);
  expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: `gridalloc: ${sentence}\n` });
});

test.each([['user == 1'], ['multifactor[fairshare=10,share.2=0.5]'], ['user < 99']])(
  'the order %s of users of the log is not refused',
  async (order) => {
    const { exitCode, stderr } = await runProgramInProcess([
      'simulate',
      logFile,
      ...EASY_DISCIPLINE_WORDS,
      '--order',
      order,
      '--quiet',
    ]);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  },
);

describe('studies', () => {
  const makeStudyTextWithOutages = (outages: string) => `title: Outages
simulate: { workload: ${logFile}, discipline: easy, on-outage: '{on-outage}', outages: '${outages}' }
axes:
  on-outage: [drain, kill]
measures:
  wait: { metric: meanWait }
tables:
  waits: { title: Waits, measures: wait, rows: [on-outage] }
`;
  const runDryStudyWithOutages = (outages: string) => {
    const file = join(folder, 'study', 'outages.yaml');
    mkdirSync(join(folder, 'study'), { recursive: true });
    writeFileSync(file, makeStudyTextWithOutages(outages));
    writeFileSync(join(folder, 'study', 'window.csv'), 'site,from,to,processors\n1,100,900,4\n');
    return runProgramInProcess(['study', 'run', file, '--dry-run', '--json']);
  };

  test('look a file of outages up from the folder of the study file', async () => {
    const { exitCode, stderr, stdout } = await runDryStudyWithOutages('window.csv');
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({ simulations: 2 });
  });

  test.each([
    ['missing.csv', 'missing.csv'],
    ['2x3@5..9', 'there is no site 2'],
    ['1x30@5..9', 'it needs 30 processors'],
  ])('refuse %s with file and line', async (outages, words) => {
    const { exitCode, stderr } = await runDryStudyWithOutages(outages);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(words);
    expect(stderr).toMatch(/outages\.yaml, line 2/);
  });
});

describe('outages before the first and after the last submission are named once', () => {
  const outageBeforeFirstSubmit = '1x2@-100..-50';
  const outageAfterLastSubmit = '1x2@2050-01-01..2050-02-01';
  const datedLogFile = join(folder, 'dated.swf');
  writeFileSync(datedLogFile, `; UnixStartTime: 900000000\n${LOG}`);
  const runForOutageRemarks = async (...commandWords: string[]) => {
    const { exitCode, stderr } = await runProgramInProcess(commandWords);
    expect(exitCode, stderr).toBe(0);
    return stderr.split('\n').filter((line) => line.startsWith('outage '));
  };
  const expectedOutageRemarks = [
    expect.stringMatching(/^outage 1x2@-100\.\.-50 has no effect: it ends before the first submission, at /),
    expect.stringMatching(/^outage 1x2@2050-01-01\.\.2050-02-01 begins after the last submission, at /),
  ];

  test('in sweeps', async () => {
    const varyOptionText = `outages=none;${outageBeforeFirstSubmit};${outageAfterLastSubmit}`;
    const commandWords = [
      'sweep',
      datedLogFile,
      ...EASY_DISCIPLINE_WORDS,
      '--vary',
      varyOptionText,
      '--replications',
      '4',
      '--dry-run',
    ];
    expect(await runForOutageRemarks(...commandWords)).toEqual(expectedOutageRemarks);
  });

  test('in replications', async () => {
    const commandWords = [
      'simulate',
      datedLogFile,
      ...EASY_DISCIPLINE_WORDS,
      '--outages',
      `${outageBeforeFirstSubmit}+${outageAfterLastSubmit}`,
      '--replications',
      '2',
    ];
    expect(await runForOutageRemarks(...commandWords, '--threads', '1')).toEqual(expectedOutageRemarks);
  });
});

test('a list of limits has values of several limits, joined by +', async () => {
  const limitTextOfBothLimits = 'user.jobs=1+group.processors=6';
  const { stdout } = await runProgramInProcess([
    'compare',
    logFile,
    ...EASY_DISCIPLINE_WORDS,
    '--limit',
    `none,${limitTextOfBothLimits}`,
    '--json',
  ]);
  const waits = JSON.parse(stdout).runs.map(({ meanWait }: { meanWait: number }) => meanWait);
  const resultOfSimulateCommand = await runProgramInProcess([
    'simulate',
    logFile,
    ...EASY_DISCIPLINE_WORDS,
    '--limit',
    limitTextOfBothLimits,
    '--json',
  ]);
  expect(waits).toHaveLength(2);
  expect(waits).toContain(JSON.parse(resultOfSimulateCommand.stdout).meanWait);
  const sweepArguments = [
    'sweep',
    logFile,
    ...EASY_DISCIPLINE_WORDS,
    '--vary',
    `limit=none,${limitTextOfBothLimits}`,
    '--dry-run',
    '--json',
  ];
  expect(JSON.parse((await runProgramInProcess(sweepArguments)).stdout)).toMatchObject({ simulations: 2 });
});

test('jobs that an outage ends neither gain nor lose', async () => {
  const run = async (rule: string) => {
    const out = join(folder, rule);
    const commandWords = ['--outages', '1xall@200..900', '--on-outage', rule, '--out', out, '--quiet'];
    expect(
      await runProgramInProcess(['simulate', logFile, ...EASY_DISCIPLINE_WORDS, ...commandWords]),
    ).toMatchObject({
      exitCode: 0,
    });
    return out;
  };
  const folders = [await run('drain'), await run('kill')];
  const { stdout } = await runProgramInProcess(['diff', ...folders, '--json']);
  const { jobs } = JSON.parse(stdout);
  const summaries = await runProgramInProcess([
    'simulate',
    logFile,
    ...EASY_DISCIPLINE_WORDS,
    '--outages',
    '1xall@200..900',
    '--on-outage',
    'kill',
    '--json',
  ]);
  const { killedJobs, jobs: count } = JSON.parse(summaries.stdout);
  expect(killedJobs).toBeGreaterThan(0);
  expect(jobs.endedByOutages).toEqual({ a: 0, b: killedJobs });
  expect(jobs.sooner + jobs.same + jobs.later + killedJobs).toBe(count);
  const diffOutputOnOneLine = (await runProgramInProcess(['diff', ...folders])).stdout.replaceAll(
    /\s+/g,
    ' ',
  );
  expect(diffOutputOnOneLine).toContain(
    `Outages end 0 jobs in A and ${killedJobs} in B before their completion`,
  );
});

test('the explorer has every option but one, under a heading that it shows', () => {
  const { headings, options } = makeExplorerCatalogue();
  expect(headings).toEqual(OPTION_HEADINGS);
  expect(options.map(({ name: optionName }) => optionName)).toEqual(
    Object.keys(OPTIONS).filter((optionName) => optionName !== OPTION_MISSING_FROM_PAGE),
  );
  for (const { name: optionName, heading: formHeading } of options)
    expect(headings, optionName).toContain(formHeading);
});
