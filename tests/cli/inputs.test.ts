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

const example = (name: string) => fileURLToPath(new URL(`../../traces/${name}`, import.meta.url));

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
  const { workload: _, ...expected } = JSON.parse(resultOfWholeLog.out);
  for (const { out: text } of [resultOfParts, pattern]) {
    const { workload, ...summary } = JSON.parse(text);
    expect(summary).toEqual(expected);
    expect(workload).toContain('part');
  }
  const { command } = JSON.parse(readFileSync(join(resultFolder, 'config.json'), 'utf8'));
  expect(command.slice(0, 3)).toEqual(['gridalloc', 'simulate', `{${firstPartPath},${secondPartPath}}`]);
  expect(await runProgramInProcess(['explain', resultFolder, '--job', '3'])).toMatchObject({ code: 0 });
});

test('records that cannot be read are left out, reported and counted', async () => {
  const input = `${TINY_LOG_TEXT}one two\n${makeSwfRecord(7, 9, 1, 1, 1)}\nthree\n`;
  const refusedResult = await runProgramInProcess(['simulate', '-', ...TINY_OPTIONS], { input });
  expect(refusedResult).toMatchObject({ code: 2, out: '' });
  const { code, err, out } = await runProgramInProcess(
    ['simulate', '-', ...TINY_OPTIONS, '--skip-bad-lines'],
    { input },
  );
  expect(code).toBe(0);
  expect(err).toBe(
    'standard input: 2 records dropped by the rule field-count (lines 8, 10); the first: line 8: found 2 fields ' +
      'in "one two", expected 18 numbers separated by blanks\n',
  );
  expect(out).toMatch(/5 of 8 records kept; dropped by rule: field-count 2, runtime 1/);
  const json = await runProgramInProcess(['simulate', '-', ...TINY_OPTIONS, '--skip-bad-lines', '--json'], {
    input,
  });
  expect(JSON.parse(json.out).dropped).toEqual({ 'field-count': 2, runtime: 1, processors: 0 });
  const to = join(makeTemporaryFolder(), 'out.swf');
  const converted = await runProgramInProcess(['trace', 'convert', '-', to, '--skip-bad-lines'], { input });
  expect(converted.err).toMatch(/6 records of 8 read are in .*; dropped by rule: field-count 2\n$/);
  expect(readFileSync(to, 'utf8')).toContain('; Note: 2 records dropped by the rule field-count\n');
});

test.each([
  ['sacct.txt', '4 records of 6 read', { step: 1, unfinished: 1 }],
  ['grid.gwf', '5 records of 5 read', {}],
  ['batsim.json', '3 records of 5 read', { profile: 2 }],
])('%s is converted to SWF, and every record counted', async (name, count, rules) => {
  const to = join(makeTemporaryFolder(), 'out.swf');
  const { code, err } = await runProgramInProcess(['trace', 'convert', example(name), to]);
  expect(code).toBe(0);
  expect(err).toContain(`${count} are in ${to}`);
  for (const [rule, droppedCount] of Object.entries(rules)) {
    expect(err).toContain(
      `${droppedCount} record${droppedCount === 1 ? '' : 's'} dropped by the rule ${rule} (`,
    );
    expect(err).toMatch(new RegExp(`dropped by rule: .*${rule} ${droppedCount}`));
  }
  const directlyParsedTrace = parseTrace(readFileSync(example(name), 'utf8'));
  const converted = parseTrace(readFileSync(to, 'utf8'));
  expect(converted.columns).toEqual(directlyParsedTrace.columns);
  expect(converted.header.unixStartTime).toBe(directlyParsedTrace.header.unixStartTime);
  const check = await runProgramInProcess(['trace', 'check', example(name), '--json']);
  expect(check.code).toBe(0);
  const rulesOfProblems = JSON.parse(check.out).problems.map((problem: { rule: string }) => problem.rule);
  expect(rulesOfProblems).toEqual(expect.arrayContaining(Object.keys(rules)));
});

test('a simulation of what sacct prints takes a machine as large as the widest job', async () => {
  const { code, err, out } = await runProgramInProcess([
    'simulate',
    example('sacct.txt'),
    '--discipline',
    'easy',
    '--json',
  ]);
  expect(code).toBe(0);
  expect(err).toContain('assuming one site of 74 processors, the most that its jobs held at once');
  expect(err).toContain('1 of 3 jobs have no time limit; 365 d count as their request (--no-limit)');
  expect(JSON.parse(out)).toMatchObject({
    jobs: 3,
    dropped: { step: 1, unfinished: 1, runtime: 1, processors: 0 },
  });
});

test('--rebase begins the clock with the first job that is kept; dates stay what they are', async () => {
  const input = `; UnixStartTime: 1000000\n; MaxProcs: 4\n${[3, 50.5, 60].map((submit, i) => makeSwfRecord(i + 1, submit, 5, 2, 1)).join('\n')}\n`;
  const to = join(makeTemporaryFolder(), 'out.swf');
  const words = ['trace', 'convert', '-', to, '--filter', 'job=2-9', '--rebase'];
  for (const extraWords of [[], ['--home', 'none']]) {
    await runProgramInProcess([...words, ...extraWords], { input });
    const { columns, header } = parseTrace(readFileSync(to, 'utf8'));
    expect([...columns.submit]).toEqual([0.5, 10]);
    expect(header.unixStartTime).toBe(1000050);
  }
  const resultFolder = join(makeTemporaryFolder(), 'run');
  const simulated = ['simulate', '-', '--filter', 'job=2-9', '--rebase', '--out', resultFolder];
  await runProgramInProcess(simulated, { input });
  const rows = readFileSync(join(resultFolder, 'jobs.csv'), 'utf8').trimEnd().split('\n').slice(1);
  expect(rows.map((row) => Number(row.split(',')[3]))).toEqual([0.5, 10]);
  expect(readFileSync(join(resultFolder, 'schedule.swf'), 'utf8')).toContain('; UnixStartTime: 1000050\n');
});

test('info shows each of several files, with dates where the header knows them', async () => {
  const log = writeLogFile(`; UnixStartTime: 893466664\n${TINY_LOG_TEXT}`);
  const { code, out } = await runProgramInProcess(['trace', 'info', log, example('grid.gwf')]);
  expect(code).toBe(0);
  expect(out).toMatch(/^first submit +1998-04-25 01:11 {2}UTC; last 1998-04-25 01:11$/m);
  expect(out).toMatch(/^first submit +2005-12-31 23:00 /m);
  expect(out).toMatch(/^requested times +2 {2}jobs; for the others the runtime serves as the estimate$/m);
  expect(out.split(/^records /m)).toHaveLength(3);
  const json = await runProgramInProcess(['trace', 'info', log, example('batsim.json'), '--json']);
  expect(JSON.parse(json.out)).toMatchObject([
    { source: log, firstSubmitDate: '1998-04-25T01:11:04.000Z', withoutEstimate: 2, leftOut: [] },
    { source: example('batsim.json'), leftOut: [{ rule: 'profile', count: 2 }] },
  ]);
  expect((await runProgramInProcess(['trace', 'info', '-'], { input: TINY_LOG_TEXT })).out).not.toMatch(
    /first submit {2}/,
  );
});

test('check reads several files, and its exit code is that of the worst', async () => {
  const readableLog = writeLogFile(`; MaxProcs: 6\n${makeSwfRecord(1, 0, 1, 1, 1, 1)}\n`);
  const unreadableLog = writeLogFile('; MaxProcs: 6\n1 2 3\n');
  const { code, out, err } = await runProgramInProcess(['trace', 'check', readableLog, unreadableLog]);
  expect(code).toBe(2);
  expect(out).toContain(`${readableLog}: 1 record in 2 lines, no problem found\n`);
  expect(out).toContain('error field-count, 1 time in line 2');
  expect(err).toMatch(new RegExp(`^${unreadableLog} cannot be read: `));
  expect(
    JSON.parse((await runProgramInProcess(['trace', 'check', readableLog, readableLog, '--json'])).out),
  ).toHaveLength(2);
  expect((await runProgramInProcess(['trace', 'check', readableLog, readableLog])).code).toBe(0);
});

test('text of logs cannot control a terminal', async () => {
  const name = 'x\u009b31m\u202e\u2066\u0085y';
  const input = `; Computer: ${name}\n; Queue: 1 ${name}\n${makeSwfRecord(1, 0, 1, 1, 1)}\n${makeSwfRecord(2, 0, 1, 1, 2)}\n`;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
  const controlCharacterPattern = /[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/;
  const { out } = await runProgramInProcess(['trace', 'info', '-'], { input });
  expect(out).not.toMatch(controlCharacterPattern);
  expect(out.match(/x\\u\{9b\}31m\\u\{202e\}\\u\{2066\}\\u\{85\}y/g)).toHaveLength(2);
  const json = await runProgramInProcess(['trace', 'info', '-', '--json'], { input });
  expect(json.out).not.toMatch(controlCharacterPattern);
  expect(JSON.parse(json.out)).toMatchObject({ computer: name, queues: [{ name }, {}] });
  const coloredOutput = await runProgramInProcess(['trace', 'info', '-'], { input, isTTY: true });
  expect(coloredOutput.out.startsWith('\u001b[1mstandard input\u001b[22m\n')).toBe(true);
  const profiles = '{"p":{"type":"\\u001b]0;title\\u0007\\u009b"}}';
  const job = '{"id":1,"subtime":0,"res":1,"profile":"p"}';
  const profileOutput = await runProgramInProcess(['trace', 'info', '-'], {
    input: `{"jobs":[${job}],"profiles":${profiles}}`,
  });
  expect(profileOutput.err).not.toMatch(controlCharacterPattern);
});

test('formats are listed', async () => {
  expect((await runProgramInProcess(['trace', 'formats'])).out).toMatch(
    /^sacct +output of sacct --parsable2$/m,
  );
  const formats = JSON.parse((await runProgramInProcess(['trace', 'formats', '--json'])).out);
  expect(formats.map(({ name }: { name: string }) => name).sort()).toEqual([...FORMAT_NAMES].sort());
  const { out } = await runProgramInProcess(['trace', 'formats']);
  for (const { name, example } of formats)
    expect(out).toContain(`${name.padEnd(11)}  ${example.slice(0, 30)}`);
  expect(
    await runProgramInProcess(['simulate', '-', '--format', 'pbs'], { input: TINY_LOG_TEXT }),
  ).toMatchObject({
    code: 2,
  });
  expect(
    await runProgramInProcess(['simulate', '-', '--format', 'oar'], { input: TINY_LOG_TEXT }),
  ).toMatchObject({
    code: 2,
  });
});
