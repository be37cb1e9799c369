import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeProjectFolder } from '../docs/examples.js';
import { runGridalloc } from '../runs/childProcess.js';
import { makeTemporaryFolder } from '../temporaryFolder.js';
import { LOG } from '../ways/samples.js';

/** Estimates by a function in a file: the same results in every way of running, and what goes wrong in one sentence. */

const folder = makeTemporaryFolder();
const writeCodeFile = (name: string, text: string) => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};
const log = writeCodeFile('log.swf', LOG);
// Twice what is requested; the second function does the same with what it remembers of earlier jobs.
const doubledEstimatesFile = writeCodeFile('doubled.js', 'export default ({ requested }) => 2 * requested;');
const rememberingCodeFile = writeCodeFile(
  'remembering.js',
  'const seen = new Set();\nexport default ({ number, requested }) => { if (seen.has(number)) return 1; seen.add(number); return 2 * requested; };',
);
const SWF = LOG.replace(
  /^((?:\S+ ){8})(\d+)/gm,
  (_, before, requested) => `${before}${2 * Number(requested)}`,
);
const rewrittenLog = writeCodeFile('rewritten.swf', SWF);
const EASY_WORDS = ['--discipline', 'easy', '--order', 'shortest'];

async function documentOf(...words: string[]) {
  const { code, stdout, stderr } = await runGridalloc([...words, '--json', '--quiet']);
  expect({ words, code, stderr }).toEqual({ words, code: 0, stderr: '' });
  const { workload: _, ...document } = JSON.parse(stdout);
  return document;
}

test('simulations are those of a log with these requests, also from their folder', async () => {
  const out = join(folder, 'out');
  const expected = await documentOf('simulate', rewrittenLog, ...EASY_WORDS);
  const { meanWait, averageResponseTime, distribution } = await documentOf(
    'simulate',
    log,
    ...EASY_WORDS,
    '--estimates',
    doubledEstimatesFile,
    '--out',
    out,
  );
  expect({ meanWait, averageResponseTime, distribution }).toEqual({
    meanWait: expected.meanWait,
    averageResponseTime: expected.averageResponseTime,
    distribution: expected.distribution,
  });
  expect(readdirSync(join(out, 'code'))).toEqual([expect.stringMatching(/^doubled-[0-9a-f]{8}\.js$/)]);
  expect((await documentOf('simulate', '--config', out, '--allow-code')).meanWait).toBe(meanWait);
  expect((await runGridalloc(['simulate', '--config', out])).stderr).toContain('--allow-code');
});

test('comparisons, with a folder or not, and sweeps', async () => {
  const methods = [doubledEstimatesFile, rememberingCodeFile].flatMap((file, i) => [
    '--method',
    `${['doubled', 'remembering'][i]}: easy, order=shortest, estimates=${file}`,
  ]);
  const words = [
    'compare',
    log,
    '--method',
    'easy, order=shortest',
    ...methods,
    '--replications',
    '10',
    '--threads',
    '2',
  ];
  const document = await documentOf(...words);
  const [, a, b] = document.rows as { values: number[] }[];
  expect(b!.values).toEqual(a!.values);
  const { rows } = await documentOf(
    'compare',
    rewrittenLog,
    '--method',
    'easy, order=shortest',
    '--replications',
    '10',
    '--threads',
    '1',
  );
  expect(a!.values).toEqual(rows[0].values);
  const out = join(folder, 'compared');
  expect(await documentOf(...words, '--out', out)).toEqual(document);
  expect(readdirSync(join(out, 'code'))).toHaveLength(2);
  const resumed = await documentOf('study', 'run', out, '--allow-code');
  expect(resumed).toEqual(document);
});

test.each([
  ['fails', 'export default (job) => job.user.name.first;', /job 1: the estimate of .*fails.js failed: /],
  ['negative', 'export default () => -1;', /job 1: the estimate is -1, expected seconds of at least 0/],
  ['endless', 'export default () => { for (;;); };', /has not answered within 1 s/],
  ['ending', 'process.exit(3); export default () => 1;', /ended its thread without an answer/],
  ['nothing', 'export const estimate = 1;', /its default export is missing/],
])('a function that is wrong: %s', async (name, text, message) => {
  const file = writeCodeFile(`${name}.js`, text);
  const { code, stderr } = await runGridalloc([
    'simulate',
    log,
    ...EASY_WORDS,
    '--estimates',
    file,
    '--policy-timeout',
    '1',
  ]);
  expect(stderr).toMatch(message);
  expect(code).toBeGreaterThan(0);
});

/** Methods that differ in nothing but their estimates, which are the same numbers. */
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

/** Numbers of a document, without those of this machine. */
const numbersInDocument = (document: object) =>
  JSON.stringify(document).match(/"(?:mean|meanWait|value|values)":[^a-z]*/g) ?? [];

test.each(METHODS_DIFFERING_IN_ESTIMATES)(
  '%s: the numbers of a log with these requests',
  async (_, [command = '', ...words]) => {
    const numbers = numbersInDocument(await documentOf(command, rewrittenLog, ...words));
    expect(numbers.length).toBeGreaterThan(0);
    for (const file of [doubledEstimatesFile, rememberingCodeFile])
      expect(numbersInDocument(await documentOf(command, log, ...words, '--estimates', file))).toEqual(
        numbers,
      );
  },
);

const tableOf = (out: string) =>
  readFileSync(join(out, 'results.csv'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.split(','));

test('sweeps over files and sources, their folders, and shards', async () => {
  const words = [
    'sweep',
    log,
    ...EASY_WORDS,
    '--vary',
    `estimates=${doubledEstimatesFile},${rememberingCodeFile},exact`,
  ];
  const out = join(folder, 'swept');
  expect(await runGridalloc([...words, '--out', out, '--quiet'])).toMatchObject({ code: 0, stderr: '' });
  const [heading = [], ...lines] = tableOf(out);
  const waits = lines.map((line) => line[heading.indexOf('mean_wait')] ?? line[heading.indexOf('meanWait')]);
  const once = await documentOf('simulate', rewrittenLog, ...EASY_WORDS);
  expect(waits.map(Number)).toEqual([once.meanWait, once.meanWait, expect.any(Number)]);
  expect(waits[2]).not.toBe(waits[0]);
  const cut = join(folder, 'cut');
  expect(await runGridalloc([...words, '--out', cut, '--shards', '2'])).toMatchObject({ code: 0 });
  expect(await runGridalloc(['study', 'run', cut, '--shard', '1/2'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--allow-code'),
  });
  for (const shard of ['1/2', '2/2'])
    expect(await runGridalloc(['study', 'run', cut, '--shard', shard, '--allow-code'])).toMatchObject({
      code: 0,
    });
  expect(await runGridalloc(['study', 'merge', cut])).toMatchObject({ code: 0 });
  expect(tableOf(cut)).toEqual(tableOf(out));
  expect(await runGridalloc(['report', out, '--quiet'])).toMatchObject({ code: 0, stderr: '' });
});

test('a study that names a file needs --allow-code', async () => {
  const study = writeCodeFile(
    'estimates.yaml',
    `title: Estimates\nsimulate: { workload: '${log}', discipline: easy, order: shortest, estimates: '{estimates}' }\naxes: { estimates: [trace, '${doubledEstimatesFile}'] }\nmeasures: { wait: { metric: meanWait } }\n`,
  );
  const out = join(folder, 'studied');
  const words = ['study', 'run', study, '--out', out, '--quiet'];
  expect(await runGridalloc(words)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--allow-code'),
  });
  expect(await runGridalloc([...words, '--allow-code'])).toMatchObject({ code: 0, stderr: '' });
  expect(tableOf(out)).toHaveLength(3);
});

test('the methods section names the hash of the file', async () => {
  const out = join(folder, 'hashed');
  const method = `mine: easy, estimates=${doubledEstimatesFile}`;
  const words = ['compare', log, '--method', 'easy', '--method', method, '--replications', '3', '--out', out];
  expect(await runGridalloc([...words, '--quiet'])).toMatchObject({ code: 0 });
  const sha256 = createHash('sha256').update(readFileSync(doubledEstimatesFile)).digest('hex');
  expect(readFileSync(join(out, 'methods.md'), 'utf8').replaceAll(/\s+/g, ' ')).toContain(sha256);
  expect(readdirSync(join(out, 'code'))).toEqual([`doubled-${sha256.slice(0, 8)}.js`]);
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
  const project = makeProjectFolder();
  writeFileSync(join(project, 'program.mjs'), program);
  const input = ['program.mjs', log, rememberingCodeFile, rewrittenLog];
  const [own, expected, compared, cells] = JSON.parse(
    execFileSync(process.execPath, input, { cwd: project, encoding: 'utf8' }),
  );
  expect([own, compared, cells]).toEqual([expected, expected, 2]);
});
