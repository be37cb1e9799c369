import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { FORMAT_NAMES } from '../../host/trace/formats.js';
import { parseTrace } from '../../host/trace/readText.js';
import { makeTemporaryFolder } from '../temporaryFolder.js';
import {
  makeSwfRecord,
  runProgramInProcess,
  TINY_LOG_TEXT,
  TINY_OPTIONS,
  writeLogFile,
} from './runProgram.js';

/** Reads every supported log format on the command line. */

const pathOfExample = (fileName: string) =>
  fileURLToPath(new URL(`../../traces/${fileName}`, import.meta.url));

test('several files are simulated as one log, and can be run again and explained', async () => {
  const folder = makeTemporaryFolder();
  const lines = TINY_LOG_TEXT.trimEnd().split('\n');
  const firstPartPath = join(folder, 'part 1.swf');
  const secondPartPath = join(folder, 'part 2.swf');
  writeFileSync(firstPartPath, `${lines.slice(0, 4).join('\n')}\n`);
  writeFileSync(secondPartPath, `${lines.slice(4).join('\n')}\n`);
  const resultOfWholeLog = await runProgramInProcess(['simulate', writeLogFile(), ...TINY_OPTIONS, '--json']);
  const resultFolder = join(folder, 'out');
  const resultOfParts = await runProgramInProcess([
    'simulate',
    firstPartPath,
    secondPartPath,
    ...TINY_OPTIONS,
    '--json',
    '--out',
    resultFolder,
  ]);
  const pattern = await runProgramInProcess([
    'simulate',
    join(folder, 'part*.swf'),
    ...TINY_OPTIONS,
    '--json',
  ]);
  const { workload: _, ...expected } = JSON.parse(resultOfWholeLog.stdout);
  for (const { stdout: text } of [resultOfParts, pattern]) {
    const { workload, ...summary } = JSON.parse(text);
    expect(summary).toEqual(expected);
    expect(workload).toContain('part');
  }
  const { command } = JSON.parse(readFileSync(join(resultFolder, 'config.json'), 'utf8'));
  expect(command.slice(0, 3)).toEqual(['gridalloc', 'simulate', `{${firstPartPath},${secondPartPath}}`]);
  expect(await runProgramInProcess(['explain', resultFolder, '--job', '3'])).toMatchObject({ exitCode: 0 });
});

test('records that cannot be read are left out, reported and counted', async () => {
  const logText = `${TINY_LOG_TEXT}one two\n${makeSwfRecord(7, 9, 1, 1, 1)}\nthree\n`;
  const refusedResult = await runProgramInProcess(['simulate', '-', ...TINY_OPTIONS], { input: logText });
  expect(refusedResult).toMatchObject({ exitCode: 2, stdout: '' });
  const { exitCode, stderr, stdout } = await runProgramInProcess(
    ['simulate', '-', ...TINY_OPTIONS, '--skip-bad-lines'],
    { input: logText },
  );
  expect(exitCode).toBe(0);
  expect(stderr).toBe(
    'standard input: 2 records dropped by the rule field-count (lines 8, 10); the first: line 8: found 2 fields ' +
      'in "one two", expected 18 numbers separated by blanks\n',
  );
  expect(stdout).toMatch(/5 of 8 records kept; dropped by rule: field-count 2, runtime 1/);
  const json = await runProgramInProcess(['simulate', '-', ...TINY_OPTIONS, '--skip-bad-lines', '--json'], {
    input: logText,
  });
  expect(JSON.parse(json.stdout).dropped).toEqual({ 'field-count': 2, runtime: 1, processors: 0 });
  const to = join(makeTemporaryFolder(), 'out.swf');
  const resultOfConvertCommand = await runProgramInProcess(
    ['trace', 'convert', '-', to, '--skip-bad-lines'],
    {
      input: logText,
    },
  );
  expect(resultOfConvertCommand.stderr).toMatch(
    /6 records of 8 read are in .*; dropped by rule: field-count 2\n$/,
  );
  expect(readFileSync(to, 'utf8')).toContain('; Note: 2 records dropped by the rule field-count\n');
});

test.each([
  ['sacct.txt', '4 records of 6 read', { step: 1, unfinished: 1 }],
  ['grid.gwf', '5 records of 5 read', {}],
  ['batsim.json', '3 records of 5 read', { profile: 2 }],
])('%s is converted to SWF, and every record counted', async (name, count, rules) => {
  const to = join(makeTemporaryFolder(), 'out.swf');
  const { exitCode, stderr } = await runProgramInProcess(['trace', 'convert', pathOfExample(name), to]);
  expect(exitCode).toBe(0);
  expect(stderr).toContain(`${count} are in ${to}`);
  for (const [rule, droppedCount] of Object.entries(rules)) {
    expect(stderr).toContain(
      `${droppedCount} record${droppedCount === 1 ? '' : 's'} dropped by the rule ${rule} (`,
    );
    expect(stderr).toMatch(new RegExp(`dropped by rule: .*${rule} ${droppedCount}`));
  }
  const directlyParsedTrace = parseTrace(readFileSync(pathOfExample(name), 'utf8'));
  const convertedTrace = parseTrace(readFileSync(to, 'utf8'));
  expect(convertedTrace.columns).toEqual(directlyParsedTrace.columns);
  expect(convertedTrace.header.unixStartTime).toBe(directlyParsedTrace.header.unixStartTime);
  const resultOfCheckCommand = await runProgramInProcess(['trace', 'check', pathOfExample(name), '--json']);
  expect(resultOfCheckCommand.exitCode).toBe(0);
  const ruleNamesOfProblems = JSON.parse(resultOfCheckCommand.stdout).problems.map(
    (problem: { rule: string }) => problem.rule,
  );
  expect(ruleNamesOfProblems).toEqual(expect.arrayContaining(Object.keys(rules)));
});

test('a simulation of what sacct prints takes a machine as large as the widest job', async () => {
  const { exitCode, stderr, stdout } = await runProgramInProcess([
    'simulate',
    pathOfExample('sacct.txt'),
    '--discipline',
    'easy',
    '--json',
  ]);
  expect(exitCode).toBe(0);
  expect(stderr).toContain('assuming one site of 74 processors, the most that its jobs held at once');
  expect(stderr).toContain('1 of 3 jobs have no time limit; 365 d count as their request (--no-limit)');
  expect(JSON.parse(stdout)).toMatchObject({
    jobs: 3,
    dropped: { step: 1, unfinished: 1, runtime: 1, processors: 0 },
  });
});

test('--rebase begins the clock with the first job that is kept; dates stay what they are', async () => {
  const logText = `; UnixStartTime: 1000000\n; MaxProcs: 4\n${[3, 50.5, 60].map((submit, i) => makeSwfRecord(i + 1, submit, 5, 2, 1)).join('\n')}\n`;
  const to = join(makeTemporaryFolder(), 'out.swf');
  const commandWords = ['trace', 'convert', '-', to, '--filter', 'job=2-9', '--rebase'];
  for (const extraWords of [[], ['--home', 'none']]) {
    await runProgramInProcess([...commandWords, ...extraWords], { input: logText });
    const { columns: swfColumns, header } = parseTrace(readFileSync(to, 'utf8'));
    expect([...swfColumns.submit]).toEqual([0.5, 10]);
    expect(header.unixStartTime).toBe(1000050);
  }
  const resultFolder = join(makeTemporaryFolder(), 'run');
  const simulateWords = ['simulate', '-', '--filter', 'job=2-9', '--rebase', '--out', resultFolder];
  await runProgramInProcess(simulateWords, { input: logText });
  const rows = readFileSync(join(resultFolder, 'jobs.csv'), 'utf8').trimEnd().split('\n').slice(1);
  expect(rows.map((row) => Number(row.split(',')[3]))).toEqual([0.5, 10]);
  expect(readFileSync(join(resultFolder, 'schedule.swf'), 'utf8')).toContain('; UnixStartTime: 1000050\n');
});

test('info shows each of several files, with dates where the header knows them', async () => {
  const logFile = writeLogFile(`; UnixStartTime: 893466664\n${TINY_LOG_TEXT}`);
  const { exitCode, stdout } = await runProgramInProcess([
    'trace',
    'info',
    logFile,
    pathOfExample('grid.gwf'),
  ]);
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/^first submit +1998-04-25 01:11 {2}UTC; last 1998-04-25 01:11$/m);
  expect(stdout).toMatch(/^first submit +2005-12-31 23:00 /m);
  expect(stdout).toMatch(/^requested times +2 {2}jobs; for the others the runtime serves as the estimate$/m);
  expect(stdout.split(/^records /m)).toHaveLength(3);
  const json = await runProgramInProcess(['trace', 'info', logFile, pathOfExample('batsim.json'), '--json']);
  expect(JSON.parse(json.stdout)).toMatchObject([
    { source: logFile, firstSubmitDate: '1998-04-25T01:11:04.000Z', withoutEstimate: 2, leftOut: [] },
    { source: pathOfExample('batsim.json'), leftOut: [{ rule: 'profile', count: 2 }] },
  ]);
  expect((await runProgramInProcess(['trace', 'info', '-'], { input: TINY_LOG_TEXT })).stdout).not.toMatch(
    /first submit {2}/,
  );
});

test('check reads several files, and its exit code is that of the worst', async () => {
  const readableLog = writeLogFile(`; MaxProcs: 6\n${makeSwfRecord(1, 0, 1, 1, 1, 1)}\n`);
  const unreadableLog = writeLogFile('; MaxProcs: 6\n1 2 3\n');
  const { exitCode, stdout, stderr } = await runProgramInProcess([
    'trace',
    'check',
    readableLog,
    unreadableLog,
  ]);
  expect(exitCode).toBe(2);
  expect(stdout).toContain(`${readableLog}: 1 record in 2 lines, no problem found\n`);
  expect(stdout).toContain('error field-count, 1 time in line 2');
  expect(stderr).toMatch(new RegExp(`^${unreadableLog} cannot be read: `));
  expect(
    JSON.parse((await runProgramInProcess(['trace', 'check', readableLog, readableLog, '--json'])).stdout),
  ).toHaveLength(2);
  expect((await runProgramInProcess(['trace', 'check', readableLog, readableLog])).exitCode).toBe(0);
});

test('text of logs cannot control a terminal', async () => {
  const name = 'x\u009b31m\u202e\u2066\u0085y';
  const logText = `; Computer: ${name}\n; Queue: 1 ${name}\n${makeSwfRecord(1, 0, 1, 1, 1)}\n${makeSwfRecord(2, 0, 1, 1, 2)}\n`;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
  const controlCharacterPattern = /[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/;
  const { stdout } = await runProgramInProcess(['trace', 'info', '-'], { input: logText });
  expect(stdout).not.toMatch(controlCharacterPattern);
  expect(stdout.match(/x\\u\{9b\}31m\\u\{202e\}\\u\{2066\}\\u\{85\}y/g)).toHaveLength(2);
  const json = await runProgramInProcess(['trace', 'info', '-', '--json'], { input: logText });
  expect(json.stdout).not.toMatch(controlCharacterPattern);
  expect(JSON.parse(json.stdout)).toMatchObject({ computer: name, queues: [{ name }, {}] });
  const resultOfTraceInfoOnTerminal = await runProgramInProcess(['trace', 'info', '-'], {
    input: logText,
    isTTY: true,
  });
  expect(resultOfTraceInfoOnTerminal.stdout.startsWith('\u001b[1mstandard input\u001b[22m\n')).toBe(true);
  const batsimProfilesJson = '{"p":{"type":"\\u001b]0;title\\u0007\\u009b"}}';
  const job = '{"id":1,"subtime":0,"res":1,"profile":"p"}';
  const resultOfTraceInfoWithProfile = await runProgramInProcess(['trace', 'info', '-'], {
    input: `{"jobs":[${job}],"profiles":${batsimProfilesJson}}`,
  });
  expect(resultOfTraceInfoWithProfile.stderr).not.toMatch(controlCharacterPattern);
});

test('formats are listed', async () => {
  expect((await runProgramInProcess(['trace', 'formats'])).stdout).toMatch(
    /^sacct +output of sacct --parsable2$/m,
  );
  const formats = JSON.parse((await runProgramInProcess(['trace', 'formats', '--json'])).stdout);
  expect(formats.map(({ name: formatName }: { name: string }) => formatName).sort()).toEqual(
    [...FORMAT_NAMES].sort(),
  );
  const { stdout } = await runProgramInProcess(['trace', 'formats']);
  for (const { name: formatName, example } of formats)
    expect(stdout).toContain(`${formatName.padEnd(11)}  ${example.slice(0, 30)}`);
  expect(
    await runProgramInProcess(['simulate', '-', '--format', 'pbs'], { input: TINY_LOG_TEXT }),
  ).toMatchObject({
    exitCode: 2,
  });
  expect(
    await runProgramInProcess(['simulate', '-', '--format', 'oar'], { input: TINY_LOG_TEXT }),
  ).toMatchObject({
    exitCode: 2,
  });
});
