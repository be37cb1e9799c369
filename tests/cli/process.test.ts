/** Tests the built program as a separate process: streams, signals and exit codes. */
import { spawn, spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { sampleTestCases } from '../cases.js';
import { readProcessorSeconds, waitUntilWorking } from '../runs/childProcess.js';
import { makeTemporaryFolder } from '../temporaryFolder.js';

const PROGRAM_PATH = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

test('bad input: one line on standard error, exit code 2', () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [PROGRAM_PATH, 'simulate', 'none.swf'], {
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
      PROGRAM_PATH,
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
    const { status, stdout, stderr } = spawnSync(process.execPath, [PROGRAM_PATH, ...words], {
      encoding: 'utf8',
    });
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
      const fullDeviceDescriptor = openSync(FULL_DEVICE, 'w');
      const { status, stderr } = spawnSync(process.execPath, [PROGRAM_PATH, ...words], {
        encoding: 'utf8',
        stdio: ['ignore', fullDeviceDescriptor, 'pipe'],
      });
      closeSync(fullDeviceDescriptor);
      expect({ status, stderr }).toEqual({
        status: 1,
        stderr:
          'gridalloc: standard output cannot be written: the disk is full; free some space or send it elsewhere\n',
      });
    },
  );

  test('where messages cannot be written the exit code still shows the failure', () => {
    const fullDeviceDescriptor = openSync(FULL_DEVICE, 'w');
    const runForExitStatus = (...commandWords: string[]) =>
      spawnSync(process.execPath, [PROGRAM_PATH, ...commandWords], {
        stdio: ['ignore', 'ignore', fullDeviceDescriptor],
      }).status;
    expect(runForExitStatus('policies', '--nonsense')).toBe(2);
    expect(
      runForExitStatus('trace', 'generate', 'lublin99[jobs=10]', join(makeTemporaryFolder(), 'a.swf')),
    ).toBe(0);
    closeSync(fullDeviceDescriptor);
  });
});

test('an interrupt ends the program with exit code 130, even while it waits for input, and leaves no files', async () => {
  const folder = makeTemporaryFolder();
  const commandWords = [PROGRAM_PATH, 'simulate', '-', '--out', join(folder, 'results')];
  const child = spawn(process.execPath, commandWords, { stdio: ['pipe', 'pipe', 'pipe'] });
  child.stdin.write('; a log that does not go on\n');
  const childClosePromise = new Promise((resolve) => child.on('close', resolve));
  await waitUntilWorking(child.pid as number);
  child.kill('SIGINT');
  expect(await childClosePromise).toBe(130);
  expect(readdirSync(folder)).toEqual([]);
});

describe('an interrupt is answered with what becomes of the work', () => {
  const INTERRUPT_MESSAGE_RUNS_LOST =
    'interrupted; nothing is kept: with --out FOLDER, finished runs are kept and the same command continues';
  const INTERRUPT_MESSAGE_RUNS_KEPT =
    'interrupted; the same command continues after the runs that are finished';
  const folder = makeTemporaryFolder();
  /** Workload model with so many jobs that generating them takes seconds. */
  const LONG_WORKLOAD_MODEL = 'lublin99[jobs=2000000]';

  test.each([
    [['simulate', '-'], 'interrupted; nothing was finished'],
    [['simulate', '-', '--out', 'OUT'], 'interrupted; nothing was finished'],
    [['simulate', '-', '--replications', '10'], INTERRUPT_MESSAGE_RUNS_LOST],
    [['simulate', '-', '--replications', '10', '--out', 'OUT'], INTERRUPT_MESSAGE_RUNS_KEPT],
    [['compare', '-'], INTERRUPT_MESSAGE_RUNS_LOST],
    [['compare', '-', '--replications', '10', '--out', 'OUT'], INTERRUPT_MESSAGE_RUNS_KEPT],
    [['sweep', LONG_WORKLOAD_MODEL, '--vary', 'load=1,2'], INTERRUPT_MESSAGE_RUNS_KEPT],
    [['sweep', LONG_WORKLOAD_MODEL, '--vary', 'load=1,2', '--out', 'OUT'], INTERRUPT_MESSAGE_RUNS_KEPT],
    [['trace', 'info', '-'], 'interrupted; nothing was finished'],
  ])('early: %j', async (commandWords, message) => {
    const args = commandWords.map((commandWord) => commandWord.replace('OUT', join(folder, 'out')));
    const child = spawn(process.execPath, [PROGRAM_PATH, ...args], {
      stdio: ['pipe', 'ignore', 'pipe'],
      cwd: folder,
    });
    let stderrText = '';
    child.stderr.on('data', (text) => (stderrText += text));
    child.stdin.write('; a log that does not go on\n');
    const childClosePromise = new Promise((resolve) => child.on('close', resolve));
    await waitUntilWorking(child.pid as number);
    child.kill('SIGINT');
    expect(await childClosePromise).toBe(130);
    expect(stderrText.trim().split('\n').at(-1)).toBe(message);
  });

  test.each([
    ['compare', INTERRUPT_MESSAGE_RUNS_LOST],
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
    const child = spawn(process.execPath, [PROGRAM_PATH, ...args], { stdio: ['ignore', 'ignore', 'pipe'] });
    let stderrText = '';
    child.stderr.on('data', (text) => (stderrText += text));
    const childClosePromise = new Promise((resolve) => child.on('close', resolve));
    await waitUntilWorking(child.pid as number, 3);
    child.kill('SIGINT');
    expect(await childClosePromise).toBe(130);
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
  const child = spawn(process.execPath, [PROGRAM_PATH, 'simulate', path, ...words], { stdio: 'ignore' });
  const childClosePromise = new Promise<NodeJS.Signals | number | null>((resolve) =>
    child.on('close', (code, signal) => resolve(signal ?? code)),
  );
  await waitUntilWorking(child.pid as number, 1);
  const readUsedProcessorSeconds = () => readProcessorSeconds(child.pid as number) ?? 0;
  const processorSecondsBefore = readUsedProcessorSeconds();
  let processorSecondsAfter = processorSecondsBefore;
  const memoryCheckTimer = setInterval(() => {
    processorSecondsAfter = Math.max(processorSecondsAfter, readUsedProcessorSeconds());
  }, 20);
  child.kill('SIGINT');
  // Shells report exit code 130 for SIGINT.
  expect(['SIGINT', 130]).toContain(await childClosePromise);
  clearInterval(memoryCheckTimer);
  expect(processorSecondsAfter - processorSecondsBefore).toBeLessThan(0.5);
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

const SIGNAL_DELAYS_MILLISECONDS = Array.from({ length: 12 }, (_, i) => 100 * (i + 1));

test.each([['simulate'], ['compare']])(
  'a signal ends %s whenever it comes',
  async (command) => {
    const commandWords = [command, ...LONG_WORKLOAD_MODEL, '--sites', '128,128'];
    for (const wait of sampleTestCases(SIGNAL_DELAYS_MILLISECONDS, 6)) {
      const child = spawn(process.execPath, [PROGRAM_PATH, ...commandWords], { stdio: 'ignore' });
      const childClosePromise = new Promise<NodeJS.Signals | number | null>((resolve) =>
        child.on('close', (code, signal) => resolve(signal ?? code)),
      );
      await new Promise((resolve) => setTimeout(resolve, wait));
      child.kill('SIGINT');
      const killTimer = setTimeout(() => child.kill('SIGKILL'), 30_000);
      expect(['SIGINT', 130], `after ${wait} ms`).toContain(await childClosePromise);
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
  const endlessPolicyPath = join(folder, 'loop.mjs');
  writeFileSync(endlessPolicyPath, 'export default () => { for (;;); };\n');
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
      endlessPolicyPath,
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
      const child = spawn(process.execPath, [PROGRAM_PATH, ...commandWords], {
        stdio: ['pipe', 'ignore', 'ignore'],
      });
      const childClosePromise = new Promise<NodeJS.Signals | number | null>((resolve) =>
        child.on('close', (code, signal) => resolve(signal ?? code)),
      );
      await waitUntilWorking(child.pid as number);
      child.kill(signal);
      // Shells report both endings by the same number.
      expect([signal, expected]).toContain(await childClosePromise);
    },
    60_000,
  );
});
