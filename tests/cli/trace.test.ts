import { readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { makeTemporaryFolder } from '../temporaryFolder.js';
import { makeSwfRecord, runProgramInProcess, TINY_LOG_TEXT, writeLogFile } from './runProgram.js';

/** Lines of an SWF text that are job records. */
function jobRecordLines(logText: string): string[] {
  return logText.split('\n').filter((line) => /^\d/.test(line));
}

test('info shows what a log holds', async () => {
  const { exitCode, stdout } = await runProgramInProcess(['trace', 'info', '-'], { input: TINY_LOG_TEXT });
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/^standard input\n/);
  expect(stdout).toMatch(/^records +5 {2}4 jobs with a runtime and processors$/m);
  expect(stdout).toMatch(/^ +1 +first +2 /m);
  expect(
    JSON.parse(
      (await runProgramInProcess(['trace', 'info', '-', '--json'], { input: TINY_LOG_TEXT })).stdout,
    ),
  ).toMatchObject({
    records: 5,
    jobs: 4,
    maxProcessors: 6,
  });
});

test('check exits with 0 on warnings and with 2 on errors, and lists them all', async () => {
  const resultWithWarning = await runProgramInProcess(['trace', 'check', '-'], { input: TINY_LOG_TEXT });
  expect(resultWithWarning).toMatchObject({ exitCode: 0, stderr: '' });
  expect(resultWithWarning.stdout).toMatch(/^warning unknown-runtime, 1 time in line 6$/m);
  const logText = `${TINY_LOG_TEXT}1 2 3\n${makeSwfRecord(9, 1, 1, 1, 1)}\n`;
  const refusedResult = await runProgramInProcess(['trace', 'check', '-'], { input: logText });
  expect(refusedResult).toMatchObject({
    exitCode: 2,
    stderr: 'standard input cannot be read: 2 errors of 2 kinds\n',
  });
  expect(refusedResult.stdout).toMatch(/^error field-count, 1 time in line 8$/m);
  expect(refusedResult.stdout).toMatch(/^error submit-order, 1 time in line 9$/m);
  const { exitCode, stdout } = await runProgramInProcess(['trace', 'check', '-', '--json'], {
    input: logText,
  });
  expect(exitCode).toBe(2);
  expect(JSON.parse(stdout)).toMatchObject({ readable: false, records: 7 });
  expect(
    (
      await runProgramInProcess(['trace', 'check', '-'], {
        input: `; MaxProcs: 1\n${makeSwfRecord(1, 0, 1, 1, 1)}\n`,
      })
    ).stdout,
  ).toBe('standard input: 1 record in 2 lines, no problem found\n');
});

test('convert keeps the records as they are when it only filters', async () => {
  const logFile = writeLogFile();
  const convertedFilePath = join(dirname(logFile), 'out.swf.gz');
  const { exitCode, stderr } = await runProgramInProcess([
    'trace',
    'convert',
    logFile,
    convertedFilePath,
    '--filter',
    'queue=1',
    '--filter',
    'runtime',
  ]);
  expect({ exitCode, stderr }).toEqual({
    exitCode: 0,
    stderr: `2 records of 5 read are in ${convertedFilePath}; dropped by rule: outside queue=1 2, runtime 1\n`,
  });
  const keptRecords = jobRecordLines(TINY_LOG_TEXT).filter((jobRecordLine) => /^[15] /.test(jobRecordLine));
  expect(jobRecordLines(gunzipSync(readFileSync(convertedFilePath)).toString())).toEqual(keptRecords);
});

test('convert cuts and scales jobs, keeping their homes', async () => {
  const options = ['--max-width', '4', '--arrival-scale', '2', '--filter', 'job=2,5'];
  const { stdout } = await runProgramInProcess(['trace', 'convert', '-', '-', ...options], {
    input: TINY_LOG_TEXT,
  });
  const recordFields = jobRecordLines(stdout).map((jobRecordLine) => jobRecordLine.split(' '));
  expect(recordFields.map((field) => [field[0], field[1], field[3], field[4], field[14]])).toEqual([
    ['2', '2', '5', '2', '2'],
    ['5', '8', '5', '4', '1'],
    ['5', '8', '5', '2', '1'],
  ]);
});

test('convert --json reports what happened to the records', async () => {
  const convertedFilePath = join(makeTemporaryFolder(), 'out.swf');
  const programResult = await runProgramInProcess(
    ['trace', 'convert', '-', convertedFilePath, '--filter', 'first=2', '--json'],
    {
      input: TINY_LOG_TEXT,
    },
  );
  expect(JSON.parse(programResult.stdout)).toEqual({
    format: 2,
    out: convertedFilePath,
    read: 5,
    written: 2,
    dropped: [{ rule: 'first=2', count: 3 }],
  });
});

test('generate writes the same jobs every time', async () => {
  const folder = makeTemporaryFolder();
  const path = join(folder, 'jobs.swf');
  const { exitCode, stderr } = await runProgramInProcess(['trace', 'generate', 'lublin99[jobs=50]', path]);
  expect(exitCode).toBe(0);
  expect(stderr).toBe(`50 jobs of lublin99[aarr=9.5,jobs=50,seed=1,processors=128] are in ${path}\n`);
  const { stdout } = await runProgramInProcess(['trace', 'generate', 'lublin99[jobs=50]', '-']);
  expect(readFileSync(path, 'utf8')).toBe(stdout);
  expect(readdirSync(folder)).toEqual(['jobs.swf']);
});

test('models and presets are listed', async () => {
  expect((await runProgramInProcess(['trace', 'models'])).stdout).toMatch(/^ {2}aarr +9\.5 +above 0 to 20 /m);
  expect(JSON.parse((await runProgramInProcess(['trace', 'models', '--json'])).stdout)).toMatchObject([
    { name: 'feitelson96' },
    { name: 'lublin99' },
  ]);
  expect((await runProgramInProcess(['trace', 'presets'])).stdout).toMatch(/^ {2}sites +8,128,128,128,50$/m);
  expect(JSON.parse((await runProgramInProcess(['trace', 'presets', '--json'])).stdout)[1]).toMatchObject({
    name: 'huang2007',
    filters: ['status=1'],
  });
});

test('convert does not write over a log that it reads', async () => {
  const [log, otherLog] = [writeLogFile(), writeLogFile()];
  const linkPath = join(makeTemporaryFolder(), 'link.swf');
  symlinkSync(log, linkPath);
  for (const commandWords of [
    [log, log],
    [linkPath, log],
    [otherLog, log, linkPath],
    [join(log, '..', '*.swf'), log],
  ]) {
    const { exitCode, stderr } = await runProgramInProcess([
      'trace',
      'convert',
      ...commandWords,
      '--filter',
      'first=1',
    ]);
    expect({ exitCode, stderr }).toEqual({
      exitCode: 2,
      stderr: `gridalloc: ${commandWords.at(-1)} is the log itself; give another file to write\n`,
    });
    expect(readFileSync(log, 'utf8')).toBe(TINY_LOG_TEXT);
  }
  expect((await runProgramInProcess(['trace', 'convert', log, otherLog])).exitCode).toBe(0);
});
