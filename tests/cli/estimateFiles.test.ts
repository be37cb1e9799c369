import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeProjectFolder } from '../docs/examples.js';
import { runGridalloc } from '../runs/childProcess.js';
import { makeTemporaryFolder } from '../temporaryFolder.js';
import { LOG } from '../ways/samples.js';

/**
 * Runtime estimates by a user's function in a file: equal results in every command, and one-sentence errors.
 */

const folder = makeTemporaryFolder();
const writeCodeFile = (fileName: string, codeText: string) => {
  const path = join(folder, fileName);
  writeFileSync(path, codeText);
  return path;
};
const logFile = writeCodeFile('log.swf', LOG);
// Both functions return twice the requested time; the second computes it from earlier jobs that it remembers.
const doubledEstimatesFile = writeCodeFile('doubled.js', 'export default ({ requested }) => 2 * requested;');
const rememberingCodeFile = writeCodeFile(
  'remembering.js',
  'const seen = new Set();\nexport default ({ number, requested }) => { if (seen.has(number)) return 1; seen.add(number); return 2 * requested; };',
);
const LOG_TEXT_WITH_DOUBLED_TIMES = LOG.replace(
  /^((?:\S+ ){8})(\d+)/gm,
  (_, fieldsBefore, requestedTime) => `${fieldsBefore}${2 * Number(requestedTime)}`,
);
const rewrittenLogFile = writeCodeFile('rewritten.swf', LOG_TEXT_WITH_DOUBLED_TIMES);
const EASY_WORDS = ['--discipline', 'easy', '--order', 'shortest'];

async function runAndReadDocument(...commandWords: string[]) {
  const { exitCode, stdout, stderr } = await runGridalloc([...commandWords, '--json', '--quiet']);
  expect({ words: commandWords, exitCode, stderr }).toEqual({ words: commandWords, exitCode: 0, stderr: '' });
  const { workload: _, ...document } = JSON.parse(stdout);
  return document;
}

test('simulations are those of a log with these requests, also from their folder', async () => {
  const resultFolder = join(folder, 'out');
  const expectedDocument = await runAndReadDocument('simulate', rewrittenLogFile, ...EASY_WORDS);
  const { meanWait, averageResponseTime, distribution } = await runAndReadDocument(
    'simulate',
    logFile,
    ...EASY_WORDS,
    '--estimates',
    doubledEstimatesFile,
    '--out',
    resultFolder,
  );
  expect({ meanWait, averageResponseTime, distribution }).toEqual({
    meanWait: expectedDocument.meanWait,
    averageResponseTime: expectedDocument.averageResponseTime,
    distribution: expectedDocument.distribution,
  });
  expect(readdirSync(join(resultFolder, 'code'))).toEqual([
    expect.stringMatching(/^doubled-[0-9a-f]{8}\.js$/),
  ]);
  expect((await runAndReadDocument('simulate', '--config', resultFolder, '--allow-code')).meanWait).toBe(
    meanWait,
  );
  expect((await runGridalloc(['simulate', '--config', resultFolder])).stderr).toContain('--allow-code');
});

test('comparisons, with a folder or not, and sweeps', async () => {
  const methods = [doubledEstimatesFile, rememberingCodeFile].flatMap((file, i) => [
    '--method',
    `${['doubled', 'remembering'][i]}: easy, order=shortest, estimates=${file}`,
  ]);
  const commandWords = [
    'compare',
    logFile,
    '--method',
    'easy, order=shortest',
    ...methods,
    '--replications',
    '10',
    '--threads',
    '2',
  ];
  const document = await runAndReadDocument(...commandWords);
  const [, a, b] = document.rows as { values: number[] }[];
  expect(b!.values).toEqual(a!.values);
  const { rows } = await runAndReadDocument(
    'compare',
    rewrittenLogFile,
    '--method',
    'easy, order=shortest',
    '--replications',
    '10',
    '--threads',
    '1',
  );
  expect(a!.values).toEqual(rows[0].values);
  const resultFolder = join(folder, 'compared');
  expect(await runAndReadDocument(...commandWords, '--out', resultFolder)).toEqual(document);
  expect(readdirSync(join(resultFolder, 'code'))).toHaveLength(2);
  const resumedDocument = await runAndReadDocument('study', 'run', resultFolder, '--allow-code');
  expect(resumedDocument).toEqual(document);
});

test.each([
  ['fails', 'export default (job) => job.user.name.first;', /job 1: the estimate of .*fails.js failed: /],
  ['negative', 'export default () => -1;', /job 1: the estimate is -1, expected seconds of at least 0/],
  ['endless', 'export default () => { for (;;); };', /has not answered within 1 s/],
  ['ending', 'process.exit(3); export default () => 1;', /ended its thread without an answer/],
  ['nothing', 'export const estimate = 1;', /its default export is missing/],
])('a function that is wrong: %s', async (name, text, message) => {
  const file = writeCodeFile(`${name}.js`, text);
  const { exitCode, stderr } = await runGridalloc([
    'simulate',
    logFile,
    ...EASY_WORDS,
    '--estimates',
    file,
    '--policy-timeout',
    '1',
  ]);
  expect(stderr).toMatch(message);
  expect(exitCode).toBeGreaterThan(0);
});

/** Methods that differ only in the source of their estimates, whose values are the same numbers. */
const METHODS_DIFFERING_IN_ESTIMATES: readonly (readonly [string, readonly string[]])[] = [
  ['simulate over replications', ['simulate', ...EASY_WORDS, '--replications', '3']],
  ['compare', ['compare', ...EASY_WORDS]],
  [
    'compare over replications, one thread',
    ['compare', ...EASY_WORDS, '--replications', '3', '--threads', '1'],
  ],
  ['compare over replications, threads', ['compare', ...EASY_WORDS, '--replications', '3', '--threads', '2']],
  ['simulate, a metric', ['simulate', ...EASY_WORDS, '--metric', 'meanWait']],
];

/** All numbers in a JSON document, except those that describe the machine that ran the program. */
const findNumbersInDocument = (document: object) =>
  JSON.stringify(document).match(/"(?:mean|meanWait|value|values)":[^a-z]*/g) ?? [];

test.each(METHODS_DIFFERING_IN_ESTIMATES)(
  '%s: the numbers of a log with these requests',
  async (_, [command = '', ...words]) => {
    const documentNumbers = findNumbersInDocument(
      await runAndReadDocument(command, rewrittenLogFile, ...words),
    );
    expect(documentNumbers.length).toBeGreaterThan(0);
    for (const file of [doubledEstimatesFile, rememberingCodeFile])
      expect(
        findNumbersInDocument(await runAndReadDocument(command, logFile, ...words, '--estimates', file)),
      ).toEqual(documentNumbers);
  },
);

const tableOf = (resultFolder: string) =>
  readFileSync(join(resultFolder, 'results.csv'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.split(','));

test('sweeps over files and sources, their folders, and shards', async () => {
  const commandWords = [
    'sweep',
    logFile,
    ...EASY_WORDS,
    '--vary',
    `estimates=${doubledEstimatesFile},${rememberingCodeFile},exact`,
  ];
  const resultFolder = join(folder, 'swept');
  expect(await runGridalloc([...commandWords, '--out', resultFolder, '--quiet'])).toMatchObject({
    exitCode: 0,
    stderr: '',
  });
  const [heading = [], ...lines] = tableOf(resultFolder);
  const waitTimes = lines.map(
    (line) => line[heading.indexOf('mean_wait')] ?? line[heading.indexOf('meanWait')],
  );
  const singleRunResult = await runAndReadDocument('simulate', rewrittenLogFile, ...EASY_WORDS);
  expect(waitTimes.map(Number)).toEqual([
    singleRunResult.meanWait,
    singleRunResult.meanWait,
    expect.any(Number),
  ]);
  expect(waitTimes[2]).not.toBe(waitTimes[0]);
  const shardedStudyFolder = join(folder, 'cut');
  expect(await runGridalloc([...commandWords, '--out', shardedStudyFolder, '--shards', '2'])).toMatchObject({
    exitCode: 0,
  });
  expect(await runGridalloc(['study', 'run', shardedStudyFolder, '--shard', '1/2'])).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('--allow-code'),
  });
  for (const shard of ['1/2', '2/2'])
    expect(
      await runGridalloc(['study', 'run', shardedStudyFolder, '--shard', shard, '--allow-code']),
    ).toMatchObject({
      exitCode: 0,
    });
  expect(await runGridalloc(['study', 'merge', shardedStudyFolder])).toMatchObject({ exitCode: 0 });
  expect(tableOf(shardedStudyFolder)).toEqual(tableOf(resultFolder));
  expect(await runGridalloc(['report', resultFolder, '--quiet'])).toMatchObject({ exitCode: 0, stderr: '' });
});

test('a study that names a file needs --allow-code', async () => {
  const studyFile = writeCodeFile(
    'estimates.yaml',
    `title: Estimates\nsimulate: { workload: '${logFile}', discipline: easy, order: shortest, estimates: '{estimates}' }\naxes: { estimates: [trace, '${doubledEstimatesFile}'] }\nmeasures: { wait: { metric: meanWait } }\n`,
  );
  const resultFolder = join(folder, 'studied');
  const commandWords = ['study', 'run', studyFile, '--out', resultFolder, '--quiet'];
  expect(await runGridalloc(commandWords)).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('--allow-code'),
  });
  expect(await runGridalloc([...commandWords, '--allow-code'])).toMatchObject({ exitCode: 0, stderr: '' });
  expect(tableOf(resultFolder)).toHaveLength(3);
});

test('the methods section names the hash of the file', async () => {
  const resultFolder = join(folder, 'hashed');
  const method = `mine: easy, estimates=${doubledEstimatesFile}`;
  const commandWords = [
    'compare',
    logFile,
    '--method',
    'easy',
    '--method',
    method,
    '--replications',
    '3',
    '--out',
    resultFolder,
  ];
  expect(await runGridalloc([...commandWords, '--quiet'])).toMatchObject({ exitCode: 0 });
  const sha256 = createHash('sha256').update(readFileSync(doubledEstimatesFile)).digest('hex');
  expect(readFileSync(join(resultFolder, 'methods.md'), 'utf8').replaceAll(/\s+/g, ' ')).toContain(sha256);
  expect(readdirSync(join(resultFolder, 'code'))).toEqual([`doubled-${sha256.slice(0, 8)}.js`]);
});

test('the library takes the name of a file, too', () => {
  const program = `
import { compare, replications, sweep } from 'gridalloc';
const common = { discipline: 'easy', order: 'shortest', threads: 1 };
const [log, file, rewritten] = process.argv.slice(2);
const meanOf = ({ metrics }) => metrics.find(({ name }) => name === 'meanWait').estimate.mean;
const own = meanOf(await replications(log, { ...common, estimates: file, replications: 3 }));
const expected = meanOf(await replications(rewritten, { ...common, replications: 3 }));
const compared = await compare(log, { order: 'shortest', threads: 1, replications: 3, metrics: ['meanWait'], methods: ['easy', { discipline: 'easy', estimates: file }] });
const swept = await sweep(log, { ...common, vary: { estimates: [file, 'exact'] }, metrics: ['meanWait'] });
console.log(JSON.stringify([own, expected, compared.metrics[0].estimates[1].mean, swept.values.meanWait.cells.length]));
process.exit();
`;
  const projectFolder = makeProjectFolder();
  writeFileSync(join(projectFolder, 'program.mjs'), program);
  const programWords = ['program.mjs', logFile, rememberingCodeFile, rewrittenLogFile];
  const [ownRun, expected, comparisonResult, cells] = JSON.parse(
    execFileSync(process.execPath, programWords, { cwd: projectFolder, encoding: 'utf8' }),
  );
  expect([ownRun, comparisonResult, cells]).toEqual([expected, expected, 2]);
});
