/**
 * Submits jobs to real schedulers and compares what the jobs themselves observed with the scheduler's
 * converted accounting log. Each job writes its times to a file.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { parseTrace } from '../../host/trace/readText.js';
import { runProgramInProcess } from '../cli/runProgram.js';

/** Expected record of a run in the converted log. Times in seconds since 1970. */
export interface ExpectedRecord {
  /** Number or name of the job in the log. */
  readonly job: number | string;
  readonly arrival: number;
  /**
   * Time of the start in seconds since 1970; for a job that never ran, the time at which it left
   * the queue.
   */
  readonly start: number;
  /** Runtime in seconds. */
  readonly runtime: number;
  /** Allocated processors; -1 if the job never ran. */
  readonly processors: number;
  /** Time limit in seconds; -1 for none. */
  readonly limit: number;
  readonly status: number;
}

/**
 * One run of a job: the first and last time that the job wrote to its file, in seconds since 1970.
 */
export interface ObservedRun {
  /** Job number. Under Slurm, each task of an array has its own number. */
  readonly job: number;
  readonly start: number;
  readonly end: number;
}

/**
 * Tolerance, in seconds, between times in the log and times seen by the jobs and the test on a busy
 * computer. The cases differ by more.
 */
const TIME_TOLERANCE_SECONDS = 4;

export const pathInFolder = (fileName: string) => fileURLToPath(new URL(fileName, import.meta.url));
export const readCurrentUnixSeconds = () => Date.now() / 1000;
export const sleepSeconds = (seconds: number) =>
  new Promise((resolve) => setTimeout(resolve, seconds * 1000));

export async function waitUntilCondition(isConditionMet: () => boolean, seconds = 150): Promise<void> {
  for (const end = readCurrentUnixSeconds() + seconds; !isConditionMet(); await sleepSeconds(0.3)) {
    if (readCurrentUnixSeconds() > end) throw new Error(`it never came: ${isConditionMet}`);
  }
}

/** Returns the programs that are not installed. */
export const findMissingPrograms = (programs: readonly string[]) =>
  programs.filter((program) => spawnSync('sh', ['-c', `command -v ${program}`]).status !== 0);

/** Commands of a scheduler, and the folder into which its jobs write their times. */
export class SchedulerTestJobs {
  readonly #env: NodeJS.ProcessEnv;
  readonly folder: string;

  constructor(folder: string, env: NodeJS.ProcessEnv) {
    // The scheduler's daemons run as other users, which must be able to read the folder.
    chmodSync(folder, 0o755);
    this.folder = join(folder, 'beats');
    this.#env = { ...process.env, ...env };
    mkdirSync(this.folder, { recursive: true });
  }

  /** Runs a command that must succeed and returns its output. */
  call(command: string, ...programWords: string[]): string {
    const { status, stdout, stderr } = spawnSync(command, programWords, { encoding: 'utf8', env: this.#env });
    if (status !== 0) throw new Error(`${command} ${programWords.join(' ')}: ${stderr}`);
    return stdout;
  }

  /** Runs a command and returns true if it succeeded. */
  tries(command: string, ...programWords: string[]): boolean {
    return spawnSync(command, programWords, { env: this.#env }).status === 0;
  }

  /** Runs of a job, or of an array task such as `12_1`, in order of time. */
  runs(name: string): ObservedRun[] {
    const files = readdirSync(this.folder).filter((file) => file.startsWith(`${name}.`));
    return files.sort().flatMap((file) => {
      const eventTimes = readFileSync(join(this.folder, file), 'utf8').trim().split('\n').map(Number);
      return eventTimes[0] > 0
        ? [{ job: Number(file.split('.')[2]), start: eventTimes[0], end: eventTimes.at(-1)! }]
        : [];
    });
  }

  /** Waits until a job has started `startCount` times. */
  started(name: string, startCount = 1): Promise<void> {
    return waitUntilCondition(() => this.runs(name).length >= startCount);
  }

  /** Waits until a job has started `endCount` times and has written nothing for five seconds. */
  ended(name: string, endCount = 1): Promise<void> {
    return waitUntilCondition(
      () => this.runs(name).length >= endCount && readCurrentUnixSeconds() - this.runs(name).at(-1)!.end > 5,
    );
  }
}

/** Records of a converted log. Times in seconds since 1970. */
interface LogRecord extends ExpectedRecord {
  /** Name of the job; undefined if the log has none. */
  readonly name: string | undefined;
}

async function convertAccountingLog(logText: string, options: readonly string[]): Promise<LogRecord[]> {
  const { exitCode, stdout, stderr } = await runProgramInProcess(['trace', 'convert', '-', '-', ...options], {
    input: logText,
  });
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
  const { names: namesByField } = parseTrace(stdout).header;
  const clock = Number(/^; UnixStartTime: (\d+)$/m.exec(stdout)?.[1]);
  return stdout
    .split('\n')
    .filter((line) => /^\d/.test(line))
    .map((line) => {
      const [job, submit, wait, runtime, processors, , , , timeLimit, , status] = line.split(' ').map(Number);
      const arrival = clock + submit;
      const name = namesByField?.job.get(job);
      return { job, name, arrival, start: arrival + wait, runtime, processors, limit: timeLimit, status };
    });
}

const isWithinTolerance = (actualNumber: number, right: number) =>
  Math.abs(actualNumber - right) <= TIME_TOLERANCE_SECONDS;

/** Seconds that a busy machine may take from the start of a job to the first line of its script. */
const MAX_LAUNCH_SECONDS = 8;

/**
 * True if a time of a record agrees with what a job has observed: its script may begin late, but ends with
 * the job.
 */
function isFieldRight(
  fieldName: 'arrival' | 'start' | 'runtime' | 'limit',
  actualRecord: ExpectedRecord,
  right: ExpectedRecord,
): boolean {
  if (isWithinTolerance(actualRecord[fieldName], right[fieldName])) return true;
  if (fieldName === 'start')
    return actualRecord.start < right.start && actualRecord.start >= right.start - MAX_LAUNCH_SECONDS;
  if (fieldName !== 'runtime' || right.runtime === 0) return false;
  return isWithinTolerance(actualRecord.start + actualRecord.runtime, right.start + right.runtime);
}

/**
 * Checks that the log has the expected records, with times within the tolerance, and no others for
 * these jobs.
 */
function expectRecords(
  convertedRecords: readonly LogRecord[],
  expectedRecords: readonly ExpectedRecord[],
): void {
  for (const job of new Set(expectedRecords.map((expectedRecord) => expectedRecord.job))) {
    const right = expectedRecords.filter((expectedRecord) => expectedRecord.job === job);
    const actualRecords = convertedRecords.filter((record) => record.job === job || record.name === job);
    const comparedRecords = actualRecords.map(({ name: _, ...each }, index) => {
      const eventTimes = (['arrival', 'start', 'runtime', 'limit'] as const).filter(
        (field) => right[index] !== undefined && isFieldRight(field, each, right[index]),
      );
      return { ...each, job, ...Object.fromEntries(eventTimes.map((field) => [field, right[index][field]])) };
    });
    expect(comparedRecords).toEqual(right);
  }
}

/**
 * Converts an accounting log, checks its records against the expected ones and returns all of them.
 */
export async function expectConvertedLog(
  logText: string,
  expectedRecords: readonly ExpectedRecord[],
  ...options: string[]
): Promise<LogRecord[]> {
  const convertedRecords = await convertAccountingLog(logText, options);
  expectRecords(convertedRecords, expectedRecords);
  return convertedRecords;
}
