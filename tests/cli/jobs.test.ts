import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { splitCsvLine } from '../../host/format/csv.js';
import { ATTRIBUTE_NAMES } from '../../host/jobs/attributes.js';
import { makeTemporaryFolder } from '../temporaryFolder.js';
import { runProgramInProcess, writeLogFile } from './runProgram.js';

/** Tests `gridalloc jobs`, and `explain` for the jobs that it finds. */

const USER_NAMES = ['ann', 'bob', 'cid'];
/**
 * Rows of an sacct log: 40 jobs of 10 to 49 s on one or all of four processors, submitted every 5 s; some
 * have the recorded wait that the simulation gives.
 */
const ROWS = Array.from({ length: 40 }, (_, i) => {
  const start = i % 3 === 0 ? 'Unknown' : String(1000 + 5 * i + 7 * (i % 11));
  const recordFields = [
    100 + i,
    1000 + 5 * i,
    start,
    10 + i,
    i % 5 === 0 ? 4 : 1,
    USER_NAMES[i % 3],
    'COMPLETED',
  ];
  return recordFields.join('|');
});
const SACCT_LOG_TEXT = ['JobID|Submit|Start|Elapsed|ReqCPUS|User|State', ...ROWS].join('\n');

let logFile = '';
let folder = '';

beforeAll(async () => {
  logFile = writeLogFile(SACCT_LOG_TEXT);
  folder = makeTemporaryFolder();
  const { exitCode, stderr } = await runProgramInProcess([
    'simulate',
    logFile,
    '--sites',
    '4',
    '--out',
    folder,
    '--quiet',
  ]);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
});

interface JobsTableRow {
  readonly job: string;
  readonly [column: string]: string | number;
}

async function runCommandForOutput(...commandWords: string[]): Promise<string> {
  const { exitCode, stdout: text, stderr } = await runProgramInProcess([...commandWords, '--quiet']);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  return text;
}

const runJobsCommandForRows = async (...commandWords: string[]): Promise<JobsTableRow[]> =>
  JSON.parse(await runCommandForOutput('jobs', ...commandWords, '--json')).jobs;

/** Rows of jobs.csv as records by column. */
function readJobsCsvRows(): Record<string, string>[] {
  const [headerCells, ...lines] = readFileSync(join(folder, 'jobs.csv'), 'utf8')
    .trimEnd()
    .split('\n')
    .map(splitCsvLine);
  return lines.map((fields) => Object.fromEntries(fields.map((field, i) => [headerCells[i], field])));
}

describe('of a finished simulation', () => {
  test('all jobs found, the longest waits first', async () => {
    const expectedRows = readJobsCsvRows().sort((a, b) => Number(b.waiting_time) - Number(a.waiting_time));
    const rows = await runJobsCommandForRows(folder);
    expect(rows.map(({ job, wait, user }) => [job, wait, user])).toEqual(
      expectedRows.map((row) => [row.job_id, Number(row.waiting_time), row.user_name]),
    );
    for (const { submit, start, end, wait, runtime, response } of rows as unknown as Record<string, number>[])
      expect([start - submit, end - start, end - submit]).toEqual([wait, runtime, response]);
  });

  test.each<[condition: string, test: (row: Record<string, string>) => boolean]>([
    [
      'wait > 100 and processors >= 4',
      (row) => +row.waiting_time > 100 && +row.requested_number_of_resources >= 4,
    ],
    [
      'wait <= 100 or processors = 4',
      (row) => +row.waiting_time <= 100 || +row.requested_number_of_resources === 4,
    ],
    ['not (user == 1 or user == 2)', (row) => +row.user === 3],
    ['not not user != 1', (row) => +row.user !== 1],
    ['runtime * processors < 60', (row) => +row.execution_time * +row.requested_number_of_resources < 60],
    [
      'number < 110 or wait > 100 and processors = 4',
      (row) => +row.job_id < 110 || (+row.waiting_time > 100 && +row.requested_number_of_resources === 4),
    ],
    ['wait > 1m30s or runtime<.5min', (row) => +row.waiting_time > 90 || +row.execution_time < 30],
    [
      'user == ann or user = "bob" and wait > 1m',
      (row) => row.user_name === 'ann' || (row.user_name === 'bob' && +row.waiting_time > 60),
    ],
    ["user != 'ann' and user != 2", (row) => row.user_name === 'cid'],
    ['site = 1 and held = 4', (row) => +row.requested_number_of_resources === 4],
    ['max(wait, runtime) >= 100', (row) => Math.max(+row.waiting_time, +row.execution_time) >= 100],
  ])('--where %s', async (condition, isNamedJob) => {
    const jobs = (await runJobsCommandForRows(folder, '--where', condition)).map(({ job }) => job);
    const expectedRows = readJobsCsvRows().filter(isNamedJob);
    expect(expectedRows.length).toBeGreaterThan(0);
    expect(expectedRows.length).toBeLessThan(ROWS.length);
    expect([...jobs].sort()).toEqual(expectedRows.map((row) => row.job_id).sort());
  });

  test('--user by name and number, --sort and --top', async () => {
    const expectedRows = readJobsCsvRows().filter(({ user_name: user }) => user !== 'cid');
    const rows = await runJobsCommandForRows(folder, '--user', 'ann,2', '--sort=-number', '--top', '5');
    expect(rows.map(({ job }) => job)).toEqual(expectedRows.slice(0, 5).map((row) => row.job_id));
  });

  test('the table has 20 of them in 80 columns, and the command that explains the first', async () => {
    const outputText = await runCommandForOutput('jobs', folder, '--sort', 'runtime');
    const lines = outputText.trimEnd().split('\n');
    expect(lines.slice(0, -1).filter(({ length }) => length > 80)).toEqual([]);
    expect(lines[0]).toBe('the first 20 of 40 jobs by runtime, largest first; times as simulated');
    expect(lines.filter((line) => /^1\d\d {2}/.test(line))).toHaveLength(20);
    expect(lines.at(-1)).toBe(`why: gridalloc explain ${folder} --job 139`);
    const { exitCode } = await runProgramInProcess(lines.at(-1)?.split(' ').slice(2) as string[]);
    expect(exitCode).toBe(0);
  });

  test('CSV has every column of every job', async () => {
    const [headerLine, ...lines] = (await runCommandForOutput('jobs', folder, '--csv')).trimEnd().split('\n');
    expect(headerLine.split(',').sort()).toEqual(['job', ...ATTRIBUTE_NAMES].sort());
    expect(lines).toHaveLength(ROWS.length);
    for (const line of lines) expect(line.split(',')).toHaveLength(ATTRIBUTE_NAMES.length + 1);
  });
});

describe('of a log', () => {
  test('columns of jobs.csv; all others are unknown', async () => {
    const rows = await runJobsCommandForRows(logFile);
    expect(rows).toHaveLength(ROWS.length);
    const startedRows = rows.filter(({ wait }) => wait !== undefined) as unknown as Record<string, number>[];
    expect(startedRows).toHaveLength(26);
    for (const { number, submit, start, end, wait, response } of startedRows) {
      const i = number - 100;
      expect([submit, wait, start, end - start, response]).toEqual([
        5 * i,
        7 * (i % 11),
        5 * i + 7 * (i % 11),
        10 + i,
        7 * (i % 11) + 10 + i,
      ]);
    }
    expect(startedRows.map(({ wait }) => -wait)).toEqual(
      startedRows.map(({ wait }) => -wait).sort((a, b) => a - b),
    );
  });

  test('filters come first', async () => {
    const rows = await runJobsCommandForRows(logFile, '--filter', 'user=bob', '--filter', 'first=3');
    expect(rows.map(({ job }) => job).sort()).toEqual(['101', '104', '107']);
  });
});

describe('--user, --group, --queue and --partition', () => {
  const NAME_COLUMNS = ['user', 'group', 'queue', 'partition'] as const;
  /** Logs of sacct have no queues besides partitions, so this log is in the Standard Workload Format. */
  const notes = NAME_COLUMNS.map(
    (kindOfName) => `; ${kindOfName[0]!.toUpperCase()}${kindOfName.slice(1)}: 1 ${kindOfName}A\n`,
  );
  const rows = Array.from({ length: 16 }, (_, i) => {
    const [user, group, queue, partition] = [0, 1, 2, 3].map((bit) => 1 + ((i >> bit) & 1));
    return `${i + 1} ${i} -1 5 1 -1 -1 1 9 -1 1 ${user} ${group} -1 ${queue} ${partition} -1 -1\n`;
  });
  let swfText = '';
  let resultFolder = '';
  beforeAll(async () => {
    swfText = writeLogFile(`; MaxProcs: 4\n${notes.join('')}${rows.join('')}`);
    resultFolder = makeTemporaryFolder();
    await runCommandForOutput('simulate', swfText, '--out', resultFolder);
  });

  /** jobs.csv has only names of partitions, not numbers. */
  const casesOfSelectionByName = NAME_COLUMNS.flatMap((kindOfName) =>
    ['log', 'folder'].flatMap((of) =>
      ['name', ...(of === 'folder' && kindOfName === 'partition' ? [] : ['number'])].map((by) => [
        of,
        kindOfName,
        by,
      ]),
    ),
  ) as ['log' | 'folder', (typeof NAME_COLUMNS)[number], 'name' | 'number'][];

  test.each(casesOfSelectionByName)('of a %s, %s by %s', async (of, column, by) => {
    const selectedValue = by === 'name' ? `${column}A` : '2';
    const jobs = await runJobsCommandForRows(
      of === 'log' ? swfText : resultFolder,
      `--${column}`,
      selectedValue,
    );
    const bit = NAME_COLUMNS.indexOf(column);
    const expectedRows = rows.map((_, i) => i).filter((i) => ((i >> bit) & 1) === (by === 'name' ? 0 : 1));
    expect(jobs.map(({ job }) => Number(job)).sort((a, b) => a - b)).toEqual(
      expectedRows.map((rowIndex) => rowIndex + 1),
    );
  });

  test('a partition by number is reported as unknown in a folder', async () => {
    const { exitCode, stderr } = await runProgramInProcess(['jobs', resultFolder, '--partition', '2']);
    expect({ exitCode, stderr }).toEqual({
      exitCode: 2,
      stderr: "gridalloc: no job is of the partition '2', by name; its number is not known here\n",
    });
  });
});

test.each(['user', 'group', 'queue', 'partition', 'account'])(
  'explain takes --%s as jobs does',
  async (column) => {
    const name = column === 'account' ? 'groupA' : `${column}A`;
    const notes = ['User', 'Group', 'Queue', 'Partition'].map((key) => `; ${key}: 1 ${key.toLowerCase()}A\n`);
    const rows = [1, 2, 1, 2].map(
      (of, i) => `${i + 1} ${i} -1 9 4 -1 -1 4 9 -1 1 ${of} ${of} -1 ${of} ${of} -1 -1\n`,
    );
    const resultFolder = makeTemporaryFolder();
    await runCommandForOutput(
      'simulate',
      writeLogFile(`; MaxProcs: 4\n${notes.join('')}${rows.join('')}`),
      '--out',
      resultFolder,
    );
    const explanation = JSON.parse(
      await runCommandForOutput('explain', resultFolder, `--${column}`, name, '--longest', '5', '--json'),
    );
    expect(explanation.map(({ job }: JobsTableRow) => job)).toEqual(['3', '1']);
  },
);

describe('explain', () => {
  test('--longest N, of a user', async () => {
    const jobs = (await runJobsCommandForRows(folder, '--user', 'ann', '--top', '3')).map(({ job }) => job);
    const outputText = await runCommandForOutput('explain', folder, '--longest', '3', '--user', 'ann');
    expect([...outputText.matchAll(/^job (\d+): /gm)].map(([, job]) => job)).toEqual(jobs);
    const documents = JSON.parse(
      await runCommandForOutput('explain', folder, '--longest', '3', '--user', 'ann', '--json'),
    );
    expect(documents.map(({ job }: JobsTableRow) => job)).toEqual(jobs);
    const condition = ['--where', "user == 'ann'", '--longest', '3'];
    expect(await runCommandForOutput('explain', folder, ...condition)).toBe(outputText);
    expect(await runCommandForOutput('explain', folder, ...jobs)).toBe(outputText);
    expect(await runCommandForOutput('explain', folder, '--user', 'ann')).toMatch(
      new RegExp(`^job ${jobs[0]}: (?:.+\n)+user ann\n`),
    );
  });

  test.each([
    [
      [],
      /^gridalloc: gridalloc explain needs a JOB, a job_id of jobs.csv, or --longest 10; gridalloc jobs \S+ finds jobs$/m,
    ],
    [['--job', '100', '--longest', '2'], /give either job 100 or --longest, not both/],
    [['100', '--queue', 'batch'], /give either job 100 or --queue, not both/],
    [['--longest', '0'], /--longest: expected a whole number of at least 1, found '0'/],
    [['--user', 'anne'], /no job is of the user 'anne'; did you mean 'ann'\?/],
  ])('refuses %j', async (commandWords, sentence) => {
    const { exitCode, stderr } = await runProgramInProcess(['explain', folder, ...commandWords]);
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(sentence);
  });
});

test.each([
  ['simulate', '--out', join('OUT', 'ranked')],
  ['simulate', '--replications', '2', '--threads', '1'],
  ['compare', '--metric', 'meanWait'],
])('orders take names: gridalloc %s', async (command, ...commandWords) => {
  const outputTexts = await Promise.all(
    ["not (user == bob or user == 'cid')", 'not (user == 2 or user == 3)', 'not user == 1'].map(
      (order, i) => {
        const extraWords = commandWords.map((commandWord) => commandWord.replace('OUT', `${folder}-${i}`));
        return runCommandForOutput(
          command,
          logFile,
          '--sites',
          '4',
          '--order',
          order,
          ...extraWords,
          '--json',
        );
      },
    ),
  );
  const linesWithMean = outputTexts.map((outputText) => outputText.match(/"(?:meanWait|mean)":.*/g)?.join());
  expect(linesWithMean[0]).toBe(linesWithMean[1]);
  expect(linesWithMean[0]).not.toBe(linesWithMean[2]);
  const resultOfUnknownClass = await runProgramInProcess([
    command,
    logFile,
    '--sites',
    '4',
    '--order',
    'user == anne',
    ...commandWords,
  ]);
  expect(resultOfUnknownClass).toMatchObject({
    exitCode: 2,
    stderr: expect.stringMatching(/names no user 'anne'; did you mean 'ann'\?/),
  });
});

test.each([
  [
    ['--where', 'wait >'],
    "--where: 'wait >', at 7: expected a column, a number, a function or '(', found the end",
  ],
  [
    ['--where', 'wait > 12 hours'],
    "--where: 'wait > 12 hours', at 11: expected a duration such as 12h, 30m or 2d, without a blank, found 'hours'",
  ],
  [['--where', '1 < wait < 3'], "--where: '1 < wait < 3', at 10: expected an operator or the end, found '<'"],
  [
    ['--where', 'wait > 3days'],
    "--where: 'wait > 3days', at 9: expected a duration such as 12h, 30m or 2d, without a blank, found 'days'",
  ],
  [['--where', 'wayt > 3'], /--where: 'wayt > 3', at 1: unknown name 'wayt'; did you mean 'wait'\?/],
  [
    ['--where', 'wait > 1 and user == anne'],
    "--where: 'wait > 1 and user == anne', at 22: no job is of the user 'anne'; did you mean 'ann'?",
  ],
  [['--sort', 'queue == batch'], "--sort: 'queue == batch', at 10: the queue of no job is known here"],
  [['--sort', 'user +'], /--sort: 'user \+', at 7: expected/],
  [['--top', '0'], /--top: expected a whole number of at least 1/],
  [['--queue', 'batch'], 'the queue of no job is known here'],
])('refuses %j', async (commandWords, sentence) => {
  const { exitCode, stderr } = await runProgramInProcess(['jobs', folder, ...commandWords]);
  expect(exitCode).toBe(2);
  if (typeof sentence === 'string') expect(stderr).toBe(`gridalloc: ${sentence}\n`);
  else expect(stderr).toMatch(sentence);
});

test.each([
  [
    'nowhere',
    /^gridalloc: \S+nowhere does not exist; check the path of the job log, or of the folder written by simulate --out$/m,
  ],
  [
    '',
    /^gridalloc: \S+ is a folder without jobs\.csv; give a folder written by simulate --out, or a job log$/m,
  ],
])('what is neither a log nor results is refused: %j', async (folderName, sentence) => {
  const { exitCode, stderr } = await runProgramInProcess(['jobs', join(makeTemporaryFolder(), folderName)]);
  expect(exitCode).toBe(2);
  expect(stderr).toMatch(sentence);
});

describe('points in time', () => {
  const LOG_START_TIME = 1_772_668_800;
  /** Array tasks with names of the maximum length, over two months. */
  const rows = Array.from({ length: 30 }, (_, i) => {
    const submit = LOG_START_TIME + 170_000 * i;
    const [start, end] = [submit + 90_000 + i, submit + 190_000 + i];
    const recordFields = [
      `400121_${i}`,
      400_200 + i,
      `constantine${i % 3}`,
      'bio-informatics',
      'main',
      submit,
      start,
      end,
    ];
    return [...recordFields, end - start, 5000, 64, 64, 'COMPLETED'].join('|');
  });
  const headerLine =
    'JobID|JobIDRaw|User|Account|Partition|Submit|Start|End|ElapsedRaw|TimelimitRaw|ReqCPUS|AllocCPUS|State';
  const datedLogFile = writeLogFile([headerLine, ...rows].join('\n'));
  const resultFolder = makeTemporaryFolder();
  beforeAll(async () => {
    await runProgramInProcess(['simulate', datedLogFile, '--sites', '64', '--out', resultFolder, '--quiet']);
  });
  const formatMinute = (seconds: number) =>
    new Date((LOG_START_TIME + seconds) * 1000).toISOString().slice(0, 16).replace('T', ' ');
  const cases = ['wait', '-submit', 'start', 'end', 'max(submit, end)', 'submit + start + end'].flatMap(
    (sort) => ['folder', 'log'].map((of) => [of, sort] as const),
  );

  test.each(cases)('of a %s by %s are dates in 80 columns, or seconds', async (of, sort) => {
    const jobsSource = of === 'log' ? datedLogFile : resultFolder;
    const timesNamedInSortOption = (['submit', 'start', 'end'] as const).filter((time) =>
      sort.includes(time),
    );
    const timesListedInTable =
      timesNamedInSortOption.length > 0 ? timesNamedInSortOption : (['submit'] as const);
    const jobs = (await runJobsCommandForRows(jobsSource, `--sort=${sort}`)) as unknown as Record<
      string,
      number
    >[];
    for (const usesSeconds of [false, true]) {
      const outputText = await runCommandForOutput(
        'jobs',
        jobsSource,
        `--sort=${sort}`,
        ...(usesSeconds ? ['--seconds'] : []),
      );
      const lines = outputText
        .trimEnd()
        .split('\n')
        .filter((line) => !line.startsWith('why: '));
      expect(lines.slice(lines.indexOf('')).filter(({ length }) => length > 80)).toEqual([]);
      expect(outputText).not.toContain('no start date');
      for (const time of timesListedInTable)
        expect(outputText).toContain(`${time} [${usesSeconds ? 's' : 'UTC'}]`);
      const table = lines.filter((line) => line.startsWith('400121_'));
      expect(table).toHaveLength(20);
      for (const [i, line] of table.entries())
        for (const time of timesListedInTable) {
          const seconds = jobs[i]![time]!;
          expect(line).toContain(usesSeconds ? seconds.toLocaleString('en-US') : formatMinute(seconds));
        }
    }
  });

  test('of a log without a start date are seconds, as a sentence says', async () => {
    const outputText = await runCommandForOutput('jobs', writeLogFile(), '--sort', 'runtime');
    expect(outputText.replaceAll(/\s+/g, ' ')).toContain('the log has no start date, so times are seconds');
    expect(outputText).toContain('submit [s]');
  });
});
