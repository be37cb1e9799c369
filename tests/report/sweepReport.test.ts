import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Report } from '../../host/draw/types.js';
import { logFile, TINY_OPTIONS } from '../cli/runProgram.js';
import { outsideReferences, readMarkup } from '../draw/wellFormed.js';
import { gridalloc } from '../runner/childProcess.js';
import { temporaryFolder } from '../temporaryFolder.js';

const QUICK = ['--threads', '1', '--quiet'];

async function results(words: readonly string[]) {
  const out = temporaryFolder();
  const { code, stderr } = await gridalloc([...words, '--out', out, ...QUICK]);
  expect(stderr).toBe('');
  expect(code).toBe(0);
  const report = JSON.parse(readFileSync(join(out, 'report.json'), 'utf8')) as Report;
  return { out, report, csv: readFileSync(join(out, 'results.csv'), 'utf8') };
}

/** Words of a line as a shell would take them. */
const wordsOf = (line: string) =>
  [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain).slice(1);

test('the command in the report of a sweep gives the same results', async () => {
  const log = logFile();
  const sweep = [
    'sweep',
    log,
    ...TINY_OPTIONS,
    '--vary',
    'policy=best-fit,ti[slt=1|2]',
    '--vary',
    'load=1,1.5',
  ];
  const { report, csv } = await results([...sweep, '--metric', 'meanWait', '--sort']);
  expect(report.commands[0]).toContain('--oversize split');
  const again = await results(wordsOf(report.commands[0]));
  expect(again.csv).toBe(csv);
  expect(again.report).toEqual(report);
});

test("the command in the report of one's own study gives the same results", async () => {
  const file = join(temporaryFolder(), 'mine.yaml');
  writeFileSync(
    file,
    [
      'title: Mine',
      'simulate: { workload: $TRACE, sites: [4, 2], oversize: split }',
      'axes: { load: [1, 2], instant: [per-event, batched] }',
      'measures: { w: { metric: meanWait } }',
      'tables: { t: { title: T, measures: w, rows: instant, columns: load } }',
    ]
      .join('\n')
      .replace('sites: [4, 2]', "sites: '4,2', load: '{load}', instant: '{instant}'"),
  );
  const { report, csv } = await results([
    'study',
    'run',
    file,
    '--trace',
    logFile(),
    '--set',
    'oversize=drop',
  ]);
  expect(report.commands[0]).toContain(`study run ${file} --trace`);
  const again = await results(wordsOf(report.commands[0]));
  expect(again.csv).toBe(csv);
});

test('values that say nothing of themselves stand behind the name of their axis', async () => {
  const swept = await results([
    ...['sweep', logFile(), ...TINY_OPTIONS, '--vary', 'policy=best-fit,ai2', '--vary', 'load=1,1.5'],
  ]);
  expect(swept.report.tables[0].columns.map(({ title }) => title)).toEqual(['policy', 'load 1', 'load 1.5']);
  expect(readFileSync(join(swept.out, 'tables/table.csv'), 'utf8')).toMatch(/^policy,load 1,load 1.5\n/);
  expect(readFileSync(join(swept.out, 'tables/table.md'), 'utf8')).toContain('| policy | load 1 |');
});

test('lists in brackets have a figure, and a column with the name of the metric', async () => {
  const { report } = await results([
    ...[
      'sweep',
      logFile(),
      ...TINY_OPTIONS,
      '--metric',
      'meanWait',
      '--vary',
      'policy=tai2[sht=0.05|0.1,slt=1|2]',
    ],
  ]);
  expect(report.figures).toHaveLength(1);
  expect(report.tables[0].columns).toHaveLength(2);
  expect(report.tables[0].columns[1].title).toBe('mean wait');
  expect(report.tables[0].rows).toHaveLength(4);
});

test('the page leads to the data beside it, and every drawing says what it is', async () => {
  const { out } = await results(['sweep', logFile(), ...TINY_OPTIONS, '--vary', 'load=1,1.5']);
  const markup = readMarkup(readFileSync(join(out, 'report.html'), 'utf8'));
  expect(outsideReferences(markup)).toEqual([]);
  const links = markup.attributes.flatMap(({ element, name, value }) =>
    element === 'a' && name === 'href' && !value.startsWith('#') ? [value] : [],
  );
  expect(links).toEqual(
    expect.arrayContaining(['study.yaml', 'results.csv', 'tables/table.csv', 'plots/figure.svg']),
  );
  for (const path of links) expect(() => readFileSync(join(out, path))).not.toThrow();
  expect(readFileSync(join(out, 'plots/figure.svg'), 'utf8')).not.toContain('<desc></desc>');
});
