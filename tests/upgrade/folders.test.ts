import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { runProgramInProcess } from '../cli/runProgram.js';
import { makeTemporaryFolder } from '../temporaryFolder.js';

/**
 * Folders written by gridalloc 0.1.0 and by later versions must be read, or refused in one
 * sentence.
 */

const EARLIER_VERSION_FOLDER = fileURLToPath(new URL('./0.1.0/', import.meta.url));
const PROGRAM_PATH = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

/** A copy of a folder written by 0.1.0. */
function copyFolderOfEarlierVersion(folderName: 'simulation' | 'study'): string {
  const folder = join(makeTemporaryFolder(), folderName);
  cpSync(join(EARLIER_VERSION_FOLDER, folderName), folder, { recursive: true });
  return folder;
}

const readDocumentInFolder = (folder: string, fileName: string) =>
  JSON.parse(readFileSync(join(folder, fileName), 'utf8')) as Record<string, unknown>;

/** Runs a study as a child process, since its threads need the compiled files. */
function runStudy(file: string, resultFolder: string): void {
  const commandWords = ['study', 'run', file, '--out', resultFolder, '--threads', '1'];
  execFileSync(process.execPath, [PROGRAM_PATH, ...commandWords], { stdio: 'ignore' });
}

/** Rows of a CSV file without commas in cells, as records by column name. */
function rowsOf(path: string): Record<string, string>[] {
  const [headerLine, ...lines] = readFileSync(path, 'utf8').trim().split('\n');
  const columnNames = headerLine.split(',');
  const rows = lines.map((line) => line.replaceAll(/"[^"]*"/g, '').split(','));
  return rows.map((cells) => Object.fromEntries(columnNames.map((columnName, i) => [columnName, cells[i]])));
}

/** Values of a newer CSV file in the columns of an older one. */
function readColumnsOfCsvFile(path: string, columns: readonly string[]): Record<string, string>[] {
  return rowsOf(path).map((row) => Object.fromEntries(columns.map((name) => [name, row[name]])));
}

describe('a simulation of 0.1.0', () => {
  test('gets a report', async () => {
    const folder = copyFolderOfEarlierVersion('simulation');
    expect(await runProgramInProcess(['report', folder])).toMatchObject({ exitCode: 0 });
    const page = readFileSync(join(folder, 'report.html'), 'utf8');
    expect(page).toContain('lublin99');
    expect(page.replaceAll(/<script[\s\S]*?<\/script>/g, '')).not.toContain('NaN');
  });

  test('is explained', async () => {
    const { exitCode, stdout } = await runProgramInProcess([
      'explain',
      copyFolderOfEarlierVersion('simulation'),
      '--job',
      '12',
    ]);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^job 12: /);
  });

  test('is run again by its command, with the same jobs', async () => {
    const folder = copyFolderOfEarlierVersion('simulation');
    const resultFolder = join(makeTemporaryFolder(), 'again');
    const [, ...words] = readDocumentInFolder(folder, 'config.json').command as string[];
    expect(await runProgramInProcess([...words, '--out', resultFolder])).toMatchObject({ exitCode: 0 });
    const rowsOfEarlierVersion = rowsOf(join(folder, 'jobs.csv'));
    expect(
      readColumnsOfCsvFile(join(resultFolder, 'jobs.csv'), Object.keys(rowsOfEarlierVersion[0])),
    ).toEqual(rowsOfEarlierVersion);
  });
});

describe('backfilling on several sites', () => {
  const SIMULATE_WORDS = [
    'simulate',
    'lublin99[jobs=300,seed=1]',
    '--sites',
    '64,128,64',
    '--speeds',
    '1,0.5,2',
  ];
  const EASY_SIMULATION_WORDS = [
    ...SIMULATE_WORDS,
    '--discipline',
    'easy',
    '--estimates',
    'exact',
    '--load',
    '2',
  ];

  /** Simulates and returns the folder of results. */
  async function simulateToFolder(...commandWords: string[]): Promise<string> {
    const resultFolder = join(makeTemporaryFolder(), 'out');
    expect(await runProgramInProcess([...commandWords, '--out', resultFolder])).toMatchObject({
      exitCode: 0,
    });
    return resultFolder;
  }
  const readJobsCsv = (folder: string) => readFileSync(join(folder, 'jobs.csv'), 'utf8');

  test('best-fit and the selection that 0.1.0 wrote beside it give what no policy gives', async () => {
    const jobsCsvOfEasy = readJobsCsv(await simulateToFolder(...EASY_SIMULATION_WORDS));
    expect(
      readJobsCsv(
        await simulateToFolder(...EASY_SIMULATION_WORDS, '--policy', 'best-fit', '--select', 'greedy'),
      ),
    ).toBe(jobsCsvOfEasy);
    expect(readJobsCsv(await simulateToFolder(...EASY_SIMULATION_WORDS, '--policy', 'best-fit'))).not.toBe(
      jobsCsvOfEasy,
    );
    const refusedResult = await runProgramInProcess([
      ...EASY_SIMULATION_WORDS,
      '--policy',
      'ai2',
      '--select',
      'greedy',
    ]);
    expect(refusedResult).toMatchObject({ exitCode: 2 });
    expect(refusedResult.stderr).toContain(
      '--policy with --discipline easy cannot be combined with --select greedy',
    );
  });

  test.each([[[]], [['--policy', 'best-fit']], [['--policy', 'ai2', '--min-speed-ratio', '0.25']]])(
    'a folder runs again to the same jobs: %j',
    async (commandWords) => {
      const folder = await simulateToFolder(...EASY_SIMULATION_WORDS, ...commandWords);
      expect(readJobsCsv(await simulateToFolder('simulate', '--config', folder))).toBe(readJobsCsv(folder));
      const [, ...command] = readDocumentInFolder(folder, 'config.json').command as string[];
      expect(readJobsCsv(await simulateToFolder(...command))).toBe(readJobsCsv(folder));
    },
  );
});

describe('a study of 0.1.0', () => {
  test('gets a report', async () => {
    const folder = copyFolderOfEarlierVersion('study');
    expect(await runProgramInProcess(['report', folder])).toMatchObject({ exitCode: 0 });
    expect(readFileSync(join(folder, 'figures/lines.svg'), 'utf8')).toContain('<svg');
  });

  test('is run again from its study.yaml, with the same results', async () => {
    const folder = copyFolderOfEarlierVersion('study');
    const resultFolder = join(makeTemporaryFolder(), 'again');
    runStudy(join(folder, 'study.yaml'), resultFolder);
    const [rowsBefore, rowsAfter] = [folder, resultFolder].map((folderPath) =>
      rowsOf(join(folderPath, 'results.csv')),
    );
    const metrics = ['jobs', 'averageResponseTime', 'meanWait', 'makespan', 'site1Jobs'] as const;
    const valuesOf = (rows: typeof rowsBefore) => rows.map((row) => metrics.map((name) => Number(row[name])));
    expect(valuesOf(rowsAfter)).toEqual(valuesOf(rowsBefore));
  });

  test('is not mixed with results of this version', async () => {
    const folder = copyFolderOfEarlierVersion('study');
    const resumedResult = await runProgramInProcess([
      'study',
      'run',
      join(folder, 'study.yaml'),
      '--out',
      folder,
      '--threads',
      '1',
    ]);
    expect(resumedResult.exitCode).toBe(2);
    expect(resumedResult.stderr).toMatch(
      /^gridalloc: .*another version; give another folder, or delete it\n$/,
    );
    const mergeResult = await runProgramInProcess([
      'study',
      'merge',
      folder,
      '--out',
      join(makeTemporaryFolder(), 'all'),
    ]);
    expect(mergeResult.exitCode).toBe(2);
    expect(mergeResult.stderr).toMatch(
      /^gridalloc: .*plan\.json was written by an earlier version of gridalloc.*\n$/,
    );
  });
});

/** Rewrites a JSON file with a change. */
function rewriteJsonFile(path: string, change: (document: Record<string, never>) => object): void {
  writeFileSync(path, JSON.stringify(change(JSON.parse(readFileSync(path, 'utf8')))));
}

describe('requests in the words of earlier versions', () => {
  test('options of a config.json as texts', async () => {
    const [resultFolder, repeatFolder] = [makeTemporaryFolder(), makeTemporaryFolder()].map((folder) =>
      join(folder, 'out'),
    );
    const commandWords = [
      '--sites',
      '64,128',
      '--load',
      '1.5',
      '--discipline',
      'conservative',
      '--policy',
      'ai2',
      '--estimates',
      'exact',
    ];
    expect(
      await runProgramInProcess(['simulate', 'lublin99[jobs=100]', ...commandWords, '--out', resultFolder]),
    ).toMatchObject({ exitCode: 0 });
    rewriteJsonFile(join(resultFolder, 'config.json'), ({ request, workload, ...otherFields }) => {
      const { sites, timeResolution, policy, discipline, load, estimates } = (request as { options: never })
        .options as Record<string, string>;
      const options = {
        sites: `${sites}`,
        load: `${load}`,
        'time-resolution': timeResolution,
        policy,
        discipline,
        estimates,
      };
      return { ...otherFields, options, workload: { ...(workload as object), source: 'lublin99[jobs=100]' } };
    });
    const { exitCode } = await runProgramInProcess([
      'simulate',
      '--config',
      resultFolder,
      '--out',
      repeatFolder,
    ]);
    expect(exitCode).toBe(0);
    // These versions had only one kind of reservations.
    const { request } = readDocumentInFolder(repeatFolder, 'config.json');
    expect(request).toMatchObject({ options: { load: [1.5, 1.5], reservations: 'replanned' } });
    const { exitCode: reportCode } = await runProgramInProcess(['report', resultFolder]);
    expect(reportCode).toBe(0);
  });

  test('words of a comparison', async () => {
    const resultFolder = join(makeTemporaryFolder(), 'out');
    const commandWords = ['compare', 'traces/queues.swf', '--method', 'easy', '--method', 'fcfs, order=wfp3'];
    const command = [
      PROGRAM_PATH,
      ...commandWords,
      '--metric',
      'meanWait',
      '--replications',
      '10',
      '--by',
      'user',
      '--json',
      '--out',
      resultFolder,
    ];
    const answer = () =>
      execFileSync(process.execPath, command, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    const outputBefore = answer();
    const { request, ...file } = readDocumentInFolder(resultFolder, 'comparison.json');
    expect(request).toMatchObject({
      ...{ command: 'compare', workloads: ['traces/queues.swf'], metrics: ['meanWait'], replications: 10 },
      methods: [{ discipline: 'easy' }, { discipline: 'fcfs', order: 'wfp3' }],
    });
    const options = {
      method: ['easy', 'fcfs, order=wfp3'],
      metric: ['meanWait'],
      replications: ['10'],
      by: ['user'],
    };
    const comparisonFileOfEarlierVersion = {
      command: 'compare',
      words: ['traces/queues.swf'],
      options,
      ...file,
    };
    writeFileSync(join(resultFolder, 'comparison.json'), JSON.stringify(comparisonFileOfEarlierVersion));
    expect(answer()).toBe(outputBefore);
    expect(readDocumentInFolder(resultFolder, 'comparison.json').request).toEqual(request);
  });
});

describe('every document has the version of its format', () => {
  test('of a simulation', async () => {
    const resultFolder = join(makeTemporaryFolder(), 'results');
    const { stdout: printedText } = await runProgramInProcess([
      'simulate',
      'lublin99[jobs=5]',
      '--out',
      resultFolder,
      '--json',
    ]);
    const documents = [
      JSON.parse(printedText),
      ...['config.json', 'summary.json'].map((name) => readDocumentInFolder(resultFolder, name)),
    ];
    expect(documents.map(({ format }) => format)).toEqual([2, 2, 2]);
  });

  test('of a study', async () => {
    const resultFolder = join(makeTemporaryFolder(), 'results');
    runStudy(join(EARLIER_VERSION_FOLDER, 'study/study.yaml'), resultFolder);
    const [plan] = readFileSync(join(resultFolder, 'plan.json'), 'utf8').split('\n');
    const [headerLine] = readFileSync(join(resultFolder, 'journal.jsonl'), 'utf8').split('\n');
    expect(plan).toMatch(/^\{"format":2,/);
    expect(headerLine).toMatch(/^\w+ \{"format":2,/);
    expect(readDocumentInFolder(resultFolder, 'report.json').format).toBe(2);
    expect(readDocumentInFolder(resultFolder, 'environment.json').format).toBe(2);
  });
});

test.each([
  ['simulation', 'config.json'],
  ['simulation', 'summary.json'],
  ['study', 'report.json'],
] as const)('a %s whose %s is of a later format is refused', async (earlierFolderName, name) => {
  const folder = copyFolderOfEarlierVersion(earlierFolderName);
  writeFileSync(join(folder, name), JSON.stringify({ ...readDocumentInFolder(folder, name), format: 99 }));
  const { exitCode, stderr } = await runProgramInProcess(['report', folder]);
  expect(exitCode).toBe(2);
  expect(stderr).toMatch(/is of format 99, this program reads up to format 2; read it with .*\n$/);
});
