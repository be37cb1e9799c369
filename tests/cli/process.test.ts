/** Tests the built program as a separate process: streams, signals and exit codes. */
import { spawn, spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { sampleTestCases } from '../cases.js';
import { processorSeconds, waitUntilWorking } from '../runs/childProcess.js';
import { makeTemporaryFolder } from '../temporaryFolder.js';

const PROGRAM = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

test('bad input: one line on standard error, exit code 2', () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [PROGRAM, 'simulate', 'none.swf'], {
    encoding: 'utf8',
  });
  expect({ status, stdout, stderr }).toEqual({
    status: 2,
    stdout: '',
    stderr: 'gridalloc: none.swf does not exist; check the path of the job log\n',
  });
});

test('a reader that stops early is no error', () => {
  const { status, stdout, stderr } = spawnSync(
    'bash',
    [
      '-c',
      'set -o pipefail; "$0" "$1" trace generate "lublin99[jobs=5000]" - --quiet | head -n 1',
      process.execPath,
      PROGRAM,
    ],
    { encoding: 'utf8' },
  );
  expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '; Version: 2.2\n', stderr: '' });
});

const FULL_DEVICE = '/dev/full';

describe.skipIf(!existsSync(FULL_DEVICE))('a failed write is a failed run: one line, exit code 1', () => {
  test.each([
    ['trace', 'generate', 'lublin99[jobs=2000]', FULL_DEVICE],
    ['trace', 'convert', 'lublin99[jobs=2000]', FULL_DEVICE, '--filter', 'first=1000'],
  ])('to a file: %s %s', (...words) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [PROGRAM, ...words], { encoding: 'utf8' });
    expect({ status, stdout, stderr }).toEqual({
      status: 1,
      stdout: '',
      stderr:
        'gridalloc: /dev/full cannot be written: the disk is full; free some space or give another path\n',
    });
  });

  test.each([['trace', 'generate', 'lublin99[jobs=5000]', '-'], ['policies', '--json'], ['--help']])(
    'to standard output: %s',
    (...words) => {
      const fullDevice = openSync(FULL_DEVICE, 'w');
      const { status, stderr } = spawnSync(process.execPath, [PROGRAM, ...words], {
        encoding: 'utf8',
        stdio: ['ignore', fullDevice, 'pipe'],
      });
      closeSync(fullDevice);
      expect({ status, stderr }).toEqual({
        status: 1,
        stderr:
          'gridalloc: standard output cannot be written: the disk is full; free some space or send it elsewhere\n',
      });
    },
  );

  test('where messages cannot be written the exit code still shows the failure', () => {
    const fullDevice = openSync(FULL_DEVICE, 'w');
    const exitStatusOf = (...commandWords: string[]) =>
      spawnSync(process.execPath, [PROGRAM, ...commandWords], { stdio: ['ignore', 'ignore', fullDevice] })
        .status;
    expect(exitStatusOf('policies', '--nonsense')).toBe(2);
    expect(exitStatusOf('trace', 'generate', 'lublin99[jobs=10]', join(makeTemporaryFolder(), 'a.swf'))).toBe(
      0,
    );
    closeSync(fullDevice);
  });
});

test('an interrupt ends the program with exit code 130, even while it waits for input, and leaves no files', async () => {
  const folder = makeTemporaryFolder();
  const commandWords = [PROGRAM, 'simulate', '-', '--out', join(folder, 'results')];
  const child = spawn(process.execPath, commandWords, { stdio: ['pipe', 'pipe', 'pipe'] });
  child.stdin.write('; a log that does not go on\n');
  const childClosed = new Promise((resolve) => child.on('close', resolve));
  await waitUntilWorking(child.pid as number);
  child.kill('SIGINT');
  expect(await childClosed).toBe(130);
  expect(readdirSync(folder)).toEqual([]);
});

describe('an interrupt is answered with what becomes of the work', () => {
  const LOST_RUNS_MESSAGE =
    'interrupted; nothing is kept: with --out FOLDER, finished runs are kept and the same command continues';
  const KEPT_RUNS_MESSAGE = 'interrupted; the same command continues after the runs that are finished';
  const folder = makeTemporaryFolder();
  /** Workload model with so many jobs that generating them takes seconds. */
  const LONG_WORKLOAD_MODEL = 'lublin99[jobs=2000000]';

  test.each([
    [['simulate', '-'], 'interrupted; nothing was finished'],
    [['simulate', '-', '--out', 'OUT'], 'interrupted; nothing was finished'],
    [['simulate', '-', '--replications', '10'], LOST_RUNS_MESSAGE],
    [['simulate', '-', '--replications', '10', '--out', 'OUT'], KEPT_RUNS_MESSAGE],
    [['compare', '-'], LOST_RUNS_MESSAGE],
    [['compare', '-', '--replications', '10', '--out', 'OUT'], KEPT_RUNS_MESSAGE],
    [['sweep', LONG_WORKLOAD_MODEL, '--vary', 'load=1,2'], KEPT_RUNS_MESSAGE],
    [['sweep', LONG_WORKLOAD_MODEL, '--vary', 'load=1,2', '--out', 'OUT'], KEPT_RUNS_MESSAGE],
    [['trace', 'info', '-'], 'interrupted; nothing was finished'],
  ])('early: %j', async (commandWords, message) => {
    const args = commandWords.map((commandWord) => commandWord.replace('OUT', join(folder, 'out')));
    const child = spawn(process.execPath, [PROGRAM, ...args], {
      stdio: ['pipe', 'ignore', 'pipe'],
      cwd: folder,
    });
    let stderrText = '';
    child.stderr.on('data', (text) => (stderrText += text));
    child.stdin.write('; a log that does not go on\n');
    const childClosed = new Promise((resolve) => child.on('close', resolve));
    await waitUntilWorking(child.pid as number);
    child.kill('SIGINT');
    expect(await childClosed).toBe(130);
    expect(stderrText.trim().split('\n').at(-1)).toBe(message);
  });

  test.each([
    ['compare', LOST_RUNS_MESSAGE],
    ['compare --quiet', ''],
  ])('late: %s', async (command, message) => {
    const commandWords = [
      'lublin99[jobs=20000]',
      '--sites',
      '128',
      '--estimates',
      'exact',
      '--discipline',
      'conservative,easy',
      '--replications',
      '500',
    ];
    const args = [...command.split(' '), ...commandWords, '--threads', '1'];
    const child = spawn(process.execPath, [PROGRAM, ...args], { stdio: ['ignore', 'ignore', 'pipe'] });
    let stderrText = '';
    child.stderr.on('data', (text) => (stderrText += text));
    const childClosed = new Promise((resolve) => child.on('close', resolve));
    await waitUntilWorking(child.pid as number, 3);
    child.kill('SIGINT');
    expect(await childClosed).toBe(130);
    expect(stderrText.trim().split('\n').at(-1)).toBe(message);
  });
});

test.each([
  ['many short passes', ['synthetic', '--sites', '128', '--discipline', 'conservative', '--interval', '0.3']],
  ['one long pass', ['batch', '--sites', '64', '--discipline', 'conservative']],
])('an interrupt ends it at once, whatever the core does: %s', async (_, [log, ...words]) => {
  const path = join(makeTemporaryFolder(), 'log.swf');
  const makeLogLine = (job: number, submit: number) =>
    `${job} ${submit} -1 ${100 + ((job * 7919) % 997)} ${1 + (job % 60)} -1 -1 -1 2000 -1 1 1 1 -1 -1 -1 -1 -1\n`;
  const submitOf = (job: number) => (log === 'batch' ? 0 : job * 50);
  writeFileSync(path, Array.from({ length: 20_000 }, (_, i) => makeLogLine(i + 1, submitOf(i))).join(''));
  const child = spawn(process.execPath, [PROGRAM, 'simulate', path, ...words], { stdio: 'ignore' });
  const childClosed = new Promise<NodeJS.Signals | number | null>((resolve) =>
    child.on('close', (code, signal) => resolve(signal ?? code)),
  );
  await waitUntilWorking(child.pid as number, 1);
  const usedSeconds = () => processorSeconds(child.pid as number) ?? 0;
  const secondsBefore = usedSeconds();
  let secondsAfter = secondsBefore;
  const memoryCheckTimer = setInterval(() => {
    secondsAfter = Math.max(secondsAfter, usedSeconds());
  }, 20);
  child.kill('SIGINT');
  // Shells report exit code 130 for SIGINT.
  expect(['SIGINT', 130]).toContain(await childClosed);
  clearInterval(memoryCheckTimer);
  expect(secondsAfter - secondsBefore).toBeLessThan(0.5);
});

/** Command that reads a log from standard input, which stays open. */
const STDIN_COMMAND = ['simulate', '-'];
/**
 * Command that runs for minutes: a load of 5 makes conservative backfilling plan all waiting jobs.
 */
const LONG_WORKLOAD_MODEL = [
  'lublin99[jobs=200000]',
  '--load',
  '5',
  '--estimates',
  'exact',
  '--discipline',
  'conservative',
];

const KILL_DELAYS = Array.from({ length: 12 }, (_, i) => 100 * (i + 1));

test.each([['simulate'], ['compare']])(
  'a signal ends %s whenever it comes',
  async (command) => {
    const commandWords = [command, ...LONG_WORKLOAD_MODEL, '--sites', '128,128'];
    for (const wait of sampleTestCases(KILL_DELAYS, 6)) {
      const child = spawn(process.execPath, [PROGRAM, ...commandWords], { stdio: 'ignore' });
      const childClosed = new Promise<NodeJS.Signals | number | null>((resolve) =>
        child.on('close', (code, signal) => resolve(signal ?? code)),
      );
      await new Promise((resolve) => setTimeout(resolve, wait));
      child.kill('SIGINT');
      const killTimer = setTimeout(() => child.kill('SIGKILL'), 30_000);
      expect(['SIGINT', 130], `after ${wait} ms`).toContain(await childClosed);
      clearTimeout(killTimer);
    }
  },
  240_000,
);

describe.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('%s ends every command as %s', (signal, expected) => {
  const folder = makeTemporaryFolder();
  const loopScript = join(folder, 'loop.mjs');
  writeFileSync(loopScript, 'export default () => { for (;;); };\n');
  const commands = [
    STDIN_COMMAND,
    ['trace', 'info', '-'],
    ['trace', 'check', '-'],
    [
      'simulate',
      'lublin99[jobs=100]',
      '--sites',
      '128,128',
      '--policy',
      loopScript,
      '--policy-timeout',
      '60',
    ],
    ['simulate', 'lublin99[jobs=3000]', '--sites', '128', '--replications', '5000'],
    ['simulate', ...LONG_WORKLOAD_MODEL, '--sites', '128'],
    ['compare', ...LONG_WORKLOAD_MODEL, '--sites', '128,128'],
    ['compare', 'lublin99[jobs=3000]', '--sites', '128,128', '--replications', '5000'],
    [
      'sweep',
      'lublin99[jobs=20000,seed={s}]',
      '--sites',
      '128',
      '--vary',
      's=1..200',
      '--out',
      join(folder, 'sweep', signal),
    ],
    ['bench'],
    ['explore', 'lublin99[jobs=10]'],
  ];
  test.concurrent.each(sampleTestCases(commands, 4))(
    '%s %s %s',
    async (...commandWords) => {
      const child = spawn(process.execPath, [PROGRAM, ...commandWords], {
        stdio: ['pipe', 'ignore', 'ignore'],
      });
      const childClosed = new Promise<NodeJS.Signals | number | null>((resolve) =>
        child.on('close', (code, signal) => resolve(signal ?? code)),
      );
      await waitUntilWorking(child.pid as number);
      child.kill(signal);
      // Shells report both endings by the same number.
      expect([signal, expected]).toContain(await childClosed);
    },
    60_000,
  );
});
