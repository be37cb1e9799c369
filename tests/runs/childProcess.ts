/**
 * Runs the compiled program in this process or as a child process, and reads the files that it
 * writes.
 */
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ProgramRunOptions, runProgramInProcess } from '../cli/runProgram.js';

const PROGRAM_PATH = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

/** Result of a finished child process. */
export interface FinishedProcessResult {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A signal to send after some milliseconds, or as soon as a condition is true. */
export interface ScheduledSignal {
  readonly signal: NodeJS.Signals;
  readonly delayMilliseconds?: number;
  readonly when?: () => boolean;
}

const PROCESS_CHECK_INTERVAL_MS = 10;

/** The compiled program as a module, loaded once. */
let program: typeof import('../../host/cli/main.js') | undefined;

/**
 * Runs the program in this process, which saves starting another; for tests that do not depend on a
 * process.
 */
export async function runGridalloc(
  commandWords: readonly string[],
  options: ProgramRunOptions = {},
): Promise<FinishedProcessResult> {
  program ??= createRequire(import.meta.url)(PROGRAM_PATH).load() as NonNullable<typeof program>;
  const { runProgram } = program;
  const { exitCode, stdout, stderr } = await runProgramInProcess(
    commandWords,
    { env: process.env, ...options },
    runProgram,
  );
  return { exitCode, signal: null, stdout, stderr };
}

/** Runs the program in this process with another current folder; only one at a time. */
export async function runGridallocInFolder(
  folder: string,
  commandWords: readonly string[],
): Promise<FinishedProcessResult> {
  const workingFolderBefore = process.cwd();
  process.chdir(folder);
  try {
    return await runGridalloc(commandWords);
  } finally {
    process.chdir(workingFolderBefore);
  }
}

/** Runs the program as a child process. */
export function runGridallocProcess(
  commandWords: readonly string[],
  signalToSend?: ScheduledSignal,
): Promise<FinishedProcessResult> {
  return runCommand([process.execPath, PROGRAM_PATH, ...commandWords], signalToSend);
}

/**
 * Runs the program with a limit on file sizes in KiB: larger writes fail halfway, as on a full
 * disk.
 */
export function runGridallocWithFileLimit(
  kibibytes: number,
  commandWords: readonly string[],
): Promise<FinishedProcessResult> {
  const fileLimitedCommand = ['bash', '-c', 'ulimit -f "$0" && exec "$@"', String(kibibytes)];
  return runCommand([...fileLimitedCommand, process.execPath, PROGRAM_PATH, ...commandWords]);
}

function runCommand(
  [command, ...commandWords]: readonly string[],
  scheduledSignal?: ScheduledSignal,
): Promise<FinishedProcessResult> {
  return new Promise((resolve, reject) => {
    const childProcess = spawn(command, commandWords, { stdio: ['ignore', 'pipe', 'pipe'] });
    let stdout = '';
    let stderr = '';
    childProcess.stdout.on('data', (chunk) => {
      stdout += chunk;
    });
    childProcess.stderr.on('data', (chunk) => {
      stderr += chunk;
    });
    const startTime = performance.now();
    const signalTimer =
      scheduledSignal &&
      setInterval(() => {
        const isTime =
          scheduledSignal.when?.() ??
          performance.now() - startTime >= (scheduledSignal.delayMilliseconds ?? 0);
        if (!isTime) return;
        clearInterval(signalTimer);
        childProcess.kill(scheduledSignal.signal);
      }, PROCESS_CHECK_INTERVAL_MS);
    childProcess.on('error', reject);
    childProcess.on('close', (code, signal) => {
      clearInterval(signalTimer);
      resolve({ exitCode: code, signal, stdout, stderr });
    });
  });
}

/** Processor time that a process has used, in seconds; undefined if it has ended. */
export function readProcessorSeconds(processId: number): number | undefined {
  const path = `/proc/${processId}/stat`;
  if (!existsSync(path)) return undefined;
  const [user, system] = readFileSync(path, 'utf8').split(') ')[1].split(' ').slice(11, 13);
  return (Number(user) + Number(system)) / 100;
}

/** Waits until a process has used some seconds of processor time, or has stopped using any. */
export async function waitUntilWorking(pid: number, seconds = 0.5): Promise<void> {
  for (let [secondsBefore, still] = [0, 0]; still < 30; ) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    const usedSeconds = readProcessorSeconds(pid) ?? seconds;
    if (usedSeconds >= seconds) return;
    still = usedSeconds > 0.03 && usedSeconds === secondsBefore ? still + 1 : 0;
    secondsBefore = usedSeconds;
  }
}

/** Writes a study file and returns its path. */
export function writeStudyFile(folder: string, studyText: string, fileName = 'small.yaml'): string {
  const path = join(folder, fileName);
  writeFileSync(path, studyText);
  return path;
}

/**
 * All files of a result folder except the journal, whose lines are in the order in which runs
 * ended.
 */
export function readFilesWithoutJournal(folder: string): Record<string, string> {
  const files: Record<string, string> = {};
  for (const name of readdirSync(folder, { recursive: true }) as string[]) {
    const path = join(folder, name);
    if (name === 'journal.jsonl' || !statSync(path).isFile()) continue;
    files[relative(folder, path)] = readFileSync(path).toString('base64');
  }
  return files;
}

/** Ids of the runs in a journal, in order. */
export function readJournalRunIds(folder: string): string[] {
  const lines = readFileSync(join(folder, 'journal.jsonl'), 'utf8').trimEnd().split('\n').slice(1);
  return lines.map((line) => (JSON.parse(line.slice(13)) as [string])[0]);
}
