import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { formatDurationSpan } from '../../host/format/numbers.js';
import { SINGLE_SIMULATION_REMARK } from '../../host/statistics/samples.js';
import { formatReport, type Report } from '../../host/view/report.js';
import { makeTerminalColors } from '../../host/view/terminal.js';
import { splitShellWords, TINY_OPTIONS, writeLogFile } from '../cli/runProgram.js';
import { findExternalAddresses, parseMarkup } from '../draw/wellFormed.js';
import { runGridalloc, runGridallocInFolder } from '../runs/childProcess.js';
import { makeTemporaryFolder } from '../temporaryFolder.js';

const QUICK_RUN_WORDS = ['--threads', '1', '--quiet'];

async function results(commandWords: readonly string[]) {
  const resultFolder = makeTemporaryFolder();
  const { exitCode, stderr } = await runGridalloc([
    ...commandWords,
    '--out',
    resultFolder,
    ...QUICK_RUN_WORDS,
  ]);
  expect(stderr).toBe('');
  expect(exitCode).toBe(0);
  const report = JSON.parse(readFileSync(join(resultFolder, 'report.json'), 'utf8')) as Report;
  return { out: resultFolder, report, csv: readFileSync(join(resultFolder, 'results.csv'), 'utf8') };
}

/** Splits a command line into arguments, without the name of the program. */
const wordsOfCommand = (line: string) => splitShellWords(line).slice(1);

test('the command in the report of a sweep gives the same results', async () => {
  const logFile = writeLogFile();
  const sweep = [
    'sweep',
    logFile,
    ...TINY_OPTIONS,
    '--vary',
    'policy=best-fit,ti[slt=1|2]',
    '--vary',
    'load=1,1.5',
  ];
  const { report, csv } = await results([...sweep, '--metric', 'meanWait', '--sort']);
  expect(report.commands[0]).toContain('--oversize split');
  const repeatedResult = await results(wordsOfCommand(report.commands[0]));
  expect(repeatedResult.csv).toBe(csv);
  expect(repeatedResult.report).toEqual(report);
});

test('the title of a table of times names their unit, that of a figure leaves it to the axis', async () => {
  const policies = 'policy=best-fit,first-fit,fastest-first,ti,ai';
  const commandWords = ['sweep', writeLogFile(), ...TINY_OPTIONS, '--vary', 'load=1,2', '--vary', policies];
  const { report } = await results(commandWords);
  expect(report.tables.map(({ title: tableTitle }) => tableTitle)).toEqual(['Average response time [s]']);
  expect(report.figures.map(({ title: figureTitle }) => figureTitle)).toEqual([
    'Average response time',
    'Average response time, difference to best-fit',
  ]);
});

test('options whose values go together are one axis; results.csv has the values of each run', async () => {
  const joinedAxisCommandWords = ['--vary', 'sites+speeds=4,2:1,1;6:2', '--vary', 'load=1,1.5'];
  const { report, csv } = await results([
    'sweep',
    writeLogFile(),
    '--oversize',
    'split',
    ...joinedAxisCommandWords,
  ]);
  expect(report.tables[0].rows.map(([label]) => label)).toEqual(['4,2:1,1', '6:2']);
  const [headerLine, ...lines] = csv.trim().split('\n');
  expect(headerLine).toMatch(/^sites\+speeds,load,run\.id,run\.workload,run\.sites,run\.speeds,/);
  expect(lines).toHaveLength(4);
  for (const line of lines.slice(2)) expect(line).toMatch(/^6:2,.*tiny\.swf,6,2,/);
});

test('sizes and speeds that do not fit as separate axes: the error says how to combine them', async () => {
  const commandWords = [
    '--vary',
    'sites=4,4;8',
    '--vary',
    'speeds=1,2;1',
    '--oversize',
    'split',
    ...QUICK_RUN_WORDS,
  ];
  const { exitCode, stderr } = await runGridalloc(['sweep', writeLogFile(), ...commandWords]);
  expect(exitCode).toBe(2);
  expect(stderr).toContain('give one value per site; values that go together are one axis: sites+speeds\n');
});

test.each([
  [['--perturb', 'shake[submit=10]'], 'Replications: 3 copies of this log, shaken by ±10 s.'],
  [
    ['--perturb', 'resample[by=user,block=2]'],
    'Replications: 3 copies of this log with resampled blocks of 2 s of its users.',
  ],
])('tables and figures say what replications are copies of: %j', async (commandWords, sentence) => {
  const sweep = [
    'sweep',
    writeLogFile(),
    ...TINY_OPTIONS,
    '--vary',
    'load=1,1.5',
    '--replications',
    '3',
    ...commandWords,
  ];
  const { out, report } = await results(sweep);
  const captionTexts = [...report.tables, ...report.figures].map(({ caption }) => caption);
  expect(captionTexts.length).toBeGreaterThan(1);
  for (const caption of captionTexts) expect(caption).toContain(sentence);
  expect(readFileSync(join(out, 'report.html'), 'utf8')).toContain(sentence);
});

test('tables say what information methods have where it differs', async () => {
  const logFile = writeLogFile();
  const commandWords = [
    'sweep',
    logFile,
    ...TINY_OPTIONS,
    '--vary',
    'policy=best-fit,dynamic[candidates=bf+ti[slt=1]]',
  ];
  const { report } = await results([...commandWords, '--estimates', 'exact']);
  expect(report.tables[0].caption).toContain(
    'Information used by dynamic[candidates=bf+ti[slt=1]]: estimates (exact) | best-fit: no estimates.',
  );
});

test("the command in the report of one's own study gives the same results", async () => {
  const file = join(makeTemporaryFolder(), 'mine.yaml');
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
    writeLogFile(),
    '--set',
    'oversize=drop',
  ]);
  expect(report.commands[0]).toContain(`study run ${file} --trace`);
  const repeatedResult = await results(wordsOfCommand(report.commands[0]));
  expect(repeatedResult.csv).toBe(csv);
});

test('values that mean nothing by themselves follow the name of their axis', async () => {
  const sweepResults = await results([
    ...['sweep', writeLogFile(), ...TINY_OPTIONS, '--vary', 'policy=best-fit,ai2', '--vary', 'load=1,1.5'],
  ]);
  expect(sweepResults.report.tables[0].columns.map(({ title: columnTitle }) => columnTitle)).toEqual([
    'policy',
    'load 1',
    'load 1.5',
  ]);
  expect(readFileSync(join(sweepResults.out, 'tables/table.csv'), 'utf8')).toMatch(
    /^policy,load 1,load 1.5\n/,
  );
  expect(readFileSync(join(sweepResults.out, 'tables/table.md'), 'utf8')).toContain('| policy | load 1 |');
});

test('lists in brackets have a figure, and a column with the name of the metric', async () => {
  const { report } = await results([
    ...[
      'sweep',
      writeLogFile(),
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
  const { out } = await results(['sweep', writeLogFile(), ...TINY_OPTIONS, '--vary', 'load=1,1.5']);
  const markup = parseMarkup(readFileSync(join(out, 'report.html'), 'utf8'));
  expect(findExternalAddresses(markup)).toEqual([]);
  const links = markup.attributes.flatMap(({ element, name: attributeName, value: attributeValue }) =>
    element === 'a' && attributeName === 'href' && !attributeValue.startsWith('#') ? [attributeValue] : [],
  );
  expect(links).toEqual(
    expect.arrayContaining(['study.yaml', 'results.csv', 'tables/table.csv', 'figures/figure.svg']),
  );
  for (const path of links) expect(() => readFileSync(join(out, path))).not.toThrow();
  expect(readFileSync(join(out, 'figures/figure.svg'), 'utf8')).not.toContain('<desc></desc>');
});

const MODEL = 'lublin99[jobs=60,aarr={aarr},seed={seed}]';
const THREE_SITE_COMMAND_WORDS = ['--sites', '32,64,128', '--speeds', '1,2,1.5'];

test('seeds beside other values are replications: a row has their mean and range', async () => {
  const commandWords = [
    'sweep',
    MODEL,
    ...THREE_SITE_COMMAND_WORDS,
    '--vary',
    'aarr=9,11',
    '--vary',
    'seed=2,4,7',
  ];
  const { report, csv, out } = await results([...commandWords, '--vary', 'policy=bf,ff']);
  const [{ rows: tableRows, columns: tableColumns, title: tableTitle }] = report.tables;
  expect(tableTitle).toBe('Average response time [s], mean and range over seed');
  expect(tableColumns.map((tableColumn) => tableColumn.title)).toEqual(['aarr', 'bf', 'ff']);
  const csvCellsOf = (line: string) =>
    [...line.matchAll(/"([^"]*)"|([^,]+)/g)].map(
      ([, quotedWord, unquotedWord]) => quotedWord ?? unquotedWord,
    );
  const [headerCells, ...lines] = csv.trim().split('\n').map(csvCellsOf);
  const columnIndexOf = (columnName: string) => headerCells.indexOf(columnName);
  const timingColumnCells = lines
    .filter((line) => line[columnIndexOf('aarr')] === '9' && line[columnIndexOf('policy')] === 'bf')
    .map((line) => Number(line[columnIndexOf('averageResponseTime')]));
  expect(timingColumnCells).toHaveLength(3);
  expect(tableRows[0]).toMatchObject([
    9,
    {
      value: (timingColumnCells[0] + timingColumnCells[1] + timingColumnCells[2]) / 3,
      low: Math.min(...timingColumnCells),
      high: Math.max(...timingColumnCells),
    },
    {},
  ]);
  expect(report.figures[0].panels[0].series.map(({ name: seriesName }) => seriesName)).toEqual(['bf', 'ff']);
  expect(report.figures[0].panels[0].series[0].points[0].low).toBe(Math.min(...timingColumnCells));
  expect(readFileSync(join(out, 'tables/table.csv'), 'utf8')).toMatch(/^aarr,bf,"bf, min","bf, max",ff/);
});

test('seeds alone are rows, as any other values', async () => {
  const commandWords = [
    'sweep',
    'lublin99[jobs=60,seed={seed}]',
    ...THREE_SITE_COMMAND_WORDS,
    '--vary',
    'seed=2,4',
  ];
  const { report } = await results(commandWords);
  expect(report.tables[0].rows.map(([seed]) => seed)).toEqual([2, 4]);
});

test('a sweep says which choice is best at each load, and marks it', async () => {
  const commandWords = [
    'sweep',
    writeLogFile(),
    ...TINY_OPTIONS,
    '--vary',
    'load=1,2',
    '--vary',
    'discipline=fcfs,njf',
  ];
  const { report } = await results([...commandWords, '--vary', 'instant=per-event,batched']);
  const [{ rows: tableRows }] = report.tables;
  const cells = tableRows.flatMap((cellRow) =>
    cellRow.slice(2).map((cell) => ({ load: cellRow[0], ...(cell as object) })),
  ) as {
    load: number;
    value: number;
    isEmphasized?: boolean;
  }[];
  for (const load of [1, 2]) {
    const cellsOfLoad = cells.filter((cell) => cell.load === load);
    const [leastValue, secondLeastValue] = cellsOfLoad
      .map(({ value: cellValue }) => cellValue)
      .sort((a, b) => a - b);
    const isClear = secondLeastValue - leastValue > 0.05 * secondLeastValue;
    expect(
      cellsOfLoad.filter(({ isEmphasized }) => isEmphasized).map(({ value: cellValue }) => cellValue),
    ).toEqual(isClear ? [leastValue] : []);
  }
  expect(report.tables[0].caption).toContain(SINGLE_SIMULATION_REMARK);
  expect(report.highlights.at(-1)?.label).toBe('Best average response time');
  expect(report.highlights.at(-1)?.value).toMatch(/(?:settings|too close to tell|no difference)/);
  expect(report.environment).toContainEqual({ label: 'sites', value: '4,2' });
  expect(report.environment).toContainEqual({ label: 'oversize', value: 'split' });
  expect(report.environment.map(({ label: factLabel }) => factLabel)).not.toContain('discipline');
});

test('intervals that would hide each other are announced, and the rows of a card name their part once', async () => {
  const commandWords = [
    'sweep',
    'lublin99[aarr=9,jobs=50]',
    '--sites',
    '128,128',
    '--speeds',
    '1,2',
    '--vary',
    'load=1,2',
  ];
  const makePageText = async (policies: string) => {
    const { out } = await results([...commandWords, '--vary', `policy=${policies}`, '--replications', '3']);
    return readFileSync(join(out, 'report.html'), 'utf8');
  };
  const [pageOfFewPolicies, pageOfManyPolicies] = [
    await makePageText('best-fit,ti'),
    await makePageText('best-fit,fastest-first,si,ti,ai'),
  ];
  const BAND_HINT_TEXT = 'Point at a line to see its interval; Values has all of them.';
  // With few lines, all intervals are drawn, also in the figure's file.
  expect(pageOfFewPolicies).not.toContain(BAND_HINT_TEXT);
  expect(pageOfFewPolicies).toContain('class="band"');
  expect(pageOfManyPolicies.split(BAND_HINT_TEXT)).toHaveLength(3);
  // Bounds in columns are named in each cell; bounds in rows by their row.
  expect(pageOfFewPolicies).toContain('data-label="ti, low"');
  expect(pageOfManyPolicies).toMatch(/<th scope="row" class="left part">low<\/th>.*data-label="ti"/);
  expect(pageOfManyPolicies).not.toContain('data-label="ti, ');
});

test('over replications a sweep names what is surely best, says how far others are behind, and nothing more', async () => {
  const commandWords = [
    'sweep',
    'lublin99[aarr=9,jobs=200,seed={seed}]',
    '--sites',
    '128,128',
    '--speeds',
    '1,4',
  ];
  const makeSeedCommandWords = (seedCount: number) => [
    '--vary',
    `seed=1..${seedCount}`,
    '--vary',
    'policy=fastest-first,worst-fit',
  ];
  const resultsOfFewSeeds = await results([...commandWords, ...makeSeedCommandWords(5)]);
  const hasMarkedCell = ({ report }: typeof resultsOfFewSeeds) =>
    report.tables[0].rows.flat().some((cell) => (cell as { isEmphasized?: boolean } | null)?.isEmphasized);
  expect(resultsOfFewSeeds.report.highlights.at(-1)).toEqual({
    label: 'Best average response time (not judged below 20 replications)',
    value: 'not judged',
  });
  expect(hasMarkedCell(resultsOfFewSeeds)).toBe(false);
  const resultsOfManySeeds = await results([...commandWords, ...makeSeedCommandWords(25)]);
  const lastHighlightText = resultsOfManySeeds.report.highlights.at(-1);
  expect(lastHighlightText?.label).toBe('Best average response time (over 25 replications)');
  expect(lastHighlightText?.value).toMatch(/^fastest-first/);
  expect(hasMarkedCell(resultsOfManySeeds)).toBe(true);
  expect(resultsOfFewSeeds.report.tables.map(({ id: tableId }) => tableId)).toEqual(['table']);
  const [table, differenceTable] = resultsOfManySeeds.report.tables;
  expect(table.rows.map((cellRow) => (cellRow[1] as { sign?: { mark: string } }).sign?.mark)).toEqual([
    '✓',
    '✗',
  ]);
  expect(differenceTable.id).toBe('table-behind');
  expect(differenceTable.rows[1]).toMatchObject(['worst-fit', {}, { value: 'worse', sign: { mark: '✗' } }]);
  expect((differenceTable.rows[1][1] as { low: number }).low).toBeGreaterThan(0);
  expect(readFileSync(join(resultsOfManySeeds.out, 'tables/table-behind.csv'), 'utf8')).toMatch(
    /^policy,behind the best,/,
  );
});

test('the more settings and metrics a sweep has, the wider its limits, which hold simultaneously', async () => {
  const commandWords = ['sweep', 'lublin99[aarr={aarr},jobs=100]', '--sites', '128,128', '--speeds', '1,4'];
  const replicatedCommandWords = [
    ...commandWords,
    '--replications',
    '20',
    '--vary',
    'policy=fastest-first,best-fit,worst-fit',
  ];
  const resultsOfOneModel = await results([...replicatedCommandWords, '--vary', 'aarr=9']);
  const resultsOfThreeModels = await results([
    ...replicatedCommandWords,
    '--vary',
    'aarr=9,10,11',
    '--metric',
    'averageResponseTime,meanWait',
  ]);
  const intervalWidthsOf = ({ report }: typeof resultsOfOneModel) =>
    report.tables
      .find(({ id: tableId }) => tableId.endsWith('-behind'))
      ?.rows.flatMap((cellRow) => {
        const cell = cellRow.at(-2) as { low: number; high: number };
        return cellRow[1] === 9 ? [cell.high - cell.low] : [];
      }) ?? [];
  const [ownWidths, corrected] = [
    intervalWidthsOf(resultsOfOneModel),
    intervalWidthsOf(resultsOfThreeModels),
  ];
  expect(ownWidths).toHaveLength(3);
  for (const [i, width] of ownWidths.entries()) expect(corrected[i]).toBeGreaterThan(width);
  expect(
    resultsOfThreeModels.report.tables.find(({ id: tableId }) => tableId.endsWith('-behind'))?.caption,
  ).toContain('simultaneous 95 % confidence limits for all 6 comparisons of these tables');
});

test('long times in a table are given in hours too, on the terminal and on the page; shares are not', async () => {
  const commandWords = ['sweep', 'lublin99[aarr=9,jobs=200]', '--sites', '128,128', '--speeds', '1,4'];
  const variedOptions = [
    '--vary',
    'policy=fastest-first,worst-fit',
    '--metric',
    'averageResponseTime,utilization',
  ];
  const { report, out } = await results([...commandWords, ...variedOptions]);
  const [ofTimes, ofShares] = report.tables;
  const seconds = ofTimes.rows.map((cellRow) => (cellRow[1] as { value: number }).value);
  expect(ofTimes.times).toBe(formatDurationSpan(seconds));
  expect(ofTimes.times).toMatch(/ (?:min|h|d)\b/);
  expect(ofShares.times).toBeUndefined();
  expect(formatReport(report, makeTerminalColors(false))).toContain(`\n${ofTimes.times}\n`);
  expect(readFileSync(join(out, 'report.html'), 'utf8')).toContain(`<br>${ofTimes.times}.`);
});

test('--within of a sweep is the tolerance of its verdicts', async () => {
  const commandWords = ['sweep', writeLogFile(), ...TINY_OPTIONS, '--vary', 'policy=best-fit,fastest-first'];
  const resultsWithWideMargin = await results([...commandWords, '--replications', '10', '--within', '99%']);
  const signs = resultsWithWideMargin.report.tables[0].rows.map(
    (cellRow) => (cellRow[1] as { sign?: { mark: string } }).sign?.mark,
  );
  for (const verdictMark of signs) expect(['✓', '≈', undefined]).toContain(verdictMark);
  const { exitCode, stderr } = await runGridalloc([...commandWords, '--within', '2%']);
  expect(exitCode).toBe(2);
  expect(stderr).toContain('--within is for sweeps over replications; give --replications too');
});

test('several metrics have a table and a figure each', async () => {
  const commandWords = ['sweep', writeLogFile(), ...TINY_OPTIONS, '--vary', 'load=1,2'];
  const { report } = await results([
    ...commandWords,
    '--metric',
    'meanWait,makespan',
    '--metric',
    'utilization',
  ]);
  const ids = ['meanWait', 'makespan', 'utilization'];
  expect(report.tables.map(({ id: tableId }) => tableId)).toEqual(ids.map((id) => `${id}-table`));
  expect(report.figures.map(({ id: figureId }) => figureId)).toEqual(ids.map((id) => `${id}-figure`));
});

test('on one site a comparison of policies says that they are the same', async () => {
  const resultFolder = makeTemporaryFolder();
  const commandWords = [
    'sweep',
    writeLogFile(),
    '--sites',
    '6',
    '--vary',
    'policy=bf,ff',
    '--out',
    resultFolder,
  ];
  const { stderr, stdout } = await runGridalloc(commandWords);
  expect(stderr).toContain('with one site every allocation policy gives the same schedule');
  expect(stdout).toContain('Best average response time: no difference');
});

test('with --quiet no message says what is written', async () => {
  const commandWords = [
    'sweep',
    writeLogFile(),
    ...TINY_OPTIONS,
    '--vary',
    'load=1,2',
    '--out',
    makeTemporaryFolder(),
  ];
  expect(await runGridalloc([...commandWords, '--quiet'])).toMatchObject({
    exitCode: 0,
    stdout: '',
    stderr: '',
  });
});

const REPEATED_SWEEP_COMMAND_WORDS = [
  'sweep',
  MODEL,
  ...THREE_SITE_COMMAND_WORDS,
  '--vary',
  'aarr=9,11',
  '--vary',
  'seed=2,4',
];
const LISTED_METHOD_COMMAND_WORDS = [
  ...REPEATED_SWEEP_COMMAND_WORDS,
  '--queue',
  'per-home',
  '--vary',
  'reclaim=true,false',
  '--vary',
  'policy=bf,ti[slt=1|2]',
];

test('one simulation of a study, by its id, has a folder as simulate writes it', async () => {
  const { csv, out } = await results(LISTED_METHOD_COMMAND_WORDS);
  const lines = csv.trim().split('\n');
  const id = /[0-9a-f]{16}/.exec(lines[lines.length - 1])?.[0] as string;
  const resultFolder = makeTemporaryFolder();
  expect(
    await runGridalloc([...LISTED_METHOD_COMMAND_WORDS, '--only', id, '--out', resultFolder, '--quiet']),
  ).toMatchObject({
    exitCode: 0,
    stdout: '',
  });
  const { averageResponseTime, method } = JSON.parse(
    readFileSync(join(resultFolder, 'summary.json'), 'utf8'),
  );
  expect(lines[lines.length - 1]).toContain(`,${averageResponseTime},`);
  expect(method).toContain('ti[sht=0.05,slt=2]');
  expect(readFileSync(join(resultFolder, 'jobs.csv'), 'utf8').trim().split('\n')).toHaveLength(61);
  const unknownResult = await runGridalloc([...LISTED_METHOD_COMMAND_WORDS, '--only', 'abc', '--out', out]);
  expect(unknownResult).toMatchObject({ exitCode: 2, stdout: '' });
  expect(unknownResult.stderr).toContain("no simulation of this study has the run.id 'abc'");
});

test('--dry-run counts and writes nothing', async () => {
  const resultFolder = join(makeTemporaryFolder(), 'none');
  const { exitCode, stdout } = await runGridalloc([
    ...LISTED_METHOD_COMMAND_WORDS,
    '--dry-run',
    '--json',
    '--out',
    resultFolder,
  ]);
  expect(exitCode).toBe(0);
  const runCountDocument = JSON.parse(stdout);
  expect(runCountDocument).toMatchObject({ settings: 24, simulations: 24, workloads: 4, jobs: 24 * 60 });
  expect(new Set(runCountDocument.runs).size).toBe(24);
  expect(existsSync(resultFolder)).toBe(false);
});

test('a sweep over replications has intervals, the same from merged shards, and after an interruption', async () => {
  const sweep = ['sweep', 'lublin99[jobs=60,seed=3]', '--sites', '128,128', '--vary', 'load=1,2'];
  const { out, report } = await results([...sweep, '--replications', '6']);
  expect(report.tables[0].title).toBe('Average response time [s], mean and 95 % interval');
  expect(report.tables[0].bounds).toBe('interval');
  const table = readFileSync(join(out, 'tables/table.csv'), 'utf8');
  expect(table).toMatch(
    /^load,average response time,"average response time, low","average response time, high"\n/,
  );
  const repeatedResult = await results(wordsOfCommand(report.commands[0]));
  expect(repeatedResult.report).toEqual(report);

  // Runs the same study from its file in two shards, and once interrupted after three runs.
  const file = join(out, 'study.yaml');
  const [firstFolder, secondFolder, wholeFolder, cutFolder] = [0, 1, 2, 3].map(() => makeTemporaryFolder());
  for (const [folder, shard] of [
    [firstFolder, '1/2'],
    [secondFolder, '2/2'],
  ]) {
    const commandWords = ['study', 'run', file, '--out', folder, '--shard', shard, ...QUICK_RUN_WORDS];
    expect((await runGridalloc(commandWords)).exitCode).toBe(0);
  }
  expect(
    (await runGridalloc(['study', 'merge', firstFolder, secondFolder, '--out', wholeFolder, '--quiet']))
      .exitCode,
  ).toBe(0);
  expect((await runGridalloc(['study', 'run', file, '--out', cutFolder, ...QUICK_RUN_WORDS])).exitCode).toBe(
    0,
  );
  const journal = join(cutFolder, 'journal.jsonl');
  writeFileSync(journal, readFileSync(journal, 'utf8').split('\n').slice(0, 4).join('\n'));
  expect((await runGridalloc(['study', 'run', file, '--out', cutFolder, ...QUICK_RUN_WORDS])).exitCode).toBe(
    0,
  );
  for (const folder of [wholeFolder, cutFolder]) {
    expect(readFileSync(join(folder, 'tables/table.csv'), 'utf8')).toBe(table);
  }
});

test('without --out each sweep has a folder of its own, in which it resumes', async () => {
  const workingFolder = makeTemporaryFolder();
  const sweep = (loads: string) =>
    runGridallocInFolder(workingFolder, [
      'sweep',
      'lublin99[jobs=20]',
      '--vary',
      `load=${loads}`,
      '--threads',
      '1',
    ]);
  for (const loads of ['1,2', '1,3']) expect(await sweep(loads)).toMatchObject({ exitCode: 0 });
  expect(readdirSync(join(workingFolder, 'results'))).toHaveLength(2);
  expect((await sweep('1,2')).stderr).toContain('2 simulations were already in results/sweep-');
  expect(readdirSync(join(workingFolder, 'results'))).toHaveLength(2);
});

const PANEL_STUDY_LINES = [
  "simulate: { workload: 'lublin99[jobs=20]', sites: '128,128', load: '{load}', policy: '{policy}' }",
  'axes: { load: [1, 2], policy: [best-fit, ff] }',
  'measures: { w: { metric: meanWait } }',
  'tables: { t: { title: TITLE, measures: w, rows: policy, columns: load } }',
  'figures: { f: { title: F, measure: w, x: load, panels: policy } }',
].join('\n');

test('text of a study cannot control a terminal', async () => {
  for (const title of ['\\e]0;pwn\\aT', '\\e[31mred', '\\x9b31m']) {
    const file = join(makeTemporaryFolder(), 'odd.yaml');
    writeFileSync(file, `title: odd\n${PANEL_STUDY_LINES.replace('TITLE', `"${title}"`)}`);
    const { exitCode, stdout, stderr } = await runGridalloc([
      'study',
      'run',
      file,
      '--out',
      makeTemporaryFolder(),
    ]);
    expect([exitCode, stdout]).toEqual([2, '']);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: what steers a terminal
    expect(stderr.trimEnd()).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
  }
});

test('panels with scales of their own say so; titles are not HTML in Markdown', async () => {
  const file = join(makeTemporaryFolder(), 'panels.yaml');
  writeFileSync(file, `title: panels\n${PANEL_STUDY_LINES.replace('TITLE', '<b onclick=x>T</b>')}`);
  const { report, out } = await results(['study', 'run', file]);
  expect(readFileSync(join(out, 'tables/t.md'), 'utf8')).toMatch(/^# &lt;b onclick=x>T&lt;\/b>\n/);
  expect(report.figures[0].caption).toBe('Each panel has a scale of its own.');
});
