/** Jobs of real schedulers that tell by themselves when they run, and what a log of them must say. */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { parseTrace } from '../../host/trace/readText.js';
import { run } from '../cli/runProgram.js';

/** Expected record of a run in the converted log. Times in seconds since 1970. */
export interface Expected {
  /** Number or name of the job in the log. */
  readonly job: number | string;
  readonly arrival: number;
  /** If it never ran: when it left the queue. */
  readonly start: number;
  /** Seconds. */
  readonly runtime: number;
  /** Processors as allocated; -1 if the job never ran. */
  readonly processors: number;
  /** Seconds; -1 for none. */
  readonly limit: number;
  readonly status: number;
}

/** One run of a job as it told it: first and last time that it wrote, in seconds since 1970. */
export interface Beats {
  /** Number of the job; in an array of Slurm each task has its own. */
  readonly job: number;
  readonly start: number;
  readonly end: number;
}

/** Seconds by which a log may differ from what the jobs and the test saw, on a busy computer. Cases differ by more. */
const TOLERANCE = 4;

export const fileHere = (name: string) => fileURLToPath(new URL(name, import.meta.url));
export const now = () => Date.now() / 1000;
export const pause = (seconds: number) => new Promise((resolve) => setTimeout(resolve, seconds * 1000));

export async function until(isSo: () => boolean, seconds = 150): Promise<void> {
  for (const end = now() + seconds; !isSo(); await pause(0.3)) {
    if (now() > end) throw new Error(`it never came: ${isSo}`);
  }
}

/** Programs of a list that are not installed. */
export const missingPrograms = (programs: readonly string[]) =>
  programs.filter((program) => spawnSync('sh', ['-c', `command -v ${program}`]).status !== 0);

/** A scheduler's commands and the folder in which its jobs write. */
export class Jobs {
  readonly #env: NodeJS.ProcessEnv;
  readonly folder: string;

  constructor(folder: string, env: NodeJS.ProcessEnv) {
    // Daemons run as users of their own.
    chmodSync(folder, 0o755);
    this.folder = join(folder, 'beats');
    this.#env = { ...process.env, ...env };
    mkdirSync(this.folder, { recursive: true });
  }

  /** The output of a command that must succeed. */
  call(command: string, ...words: string[]): string {
    const { status, stdout, stderr } = spawnSync(command, words, { encoding: 'utf8', env: this.#env });
    if (status !== 0) throw new Error(`${command} ${words.join(' ')}: ${stderr}`);
    return stdout;
  }

  /** Runs a command and tells if it succeeded. */
  tries(command: string, ...words: string[]): boolean {
    return spawnSync(command, words, { env: this.#env }).status === 0;
  }

  /** The runs of a job or a task (`12_1`) in order. */
  runs(name: string): Beats[] {
    const files = readdirSync(this.folder).filter((file) => file.startsWith(`${name}.`));
    return files.sort().flatMap((file) => {
      const times = readFileSync(join(this.folder, file), 'utf8').trim().split('\n').map(Number);
      return times[0] > 0 ? [{ job: Number(file.split('.')[2]), start: times[0], end: times.at(-1)! }] : [];
    });
  }

  /** Waits until a job has started for the given time. */
  started(name: string, times = 1): Promise<void> {
    return until(() => this.runs(name).length >= times);
  }

  /** Waits until a job has not written for five seconds after it had started. */
  ended(name: string, times = 1): Promise<void> {
    return until(() => this.runs(name).length >= times && now() - this.runs(name).at(-1)!.end > 5);
  }
}

/** Records of a converted log. Times in seconds since 1970. */
interface LogRecord extends Expected {
  /** Name of the job if it has one. */
  readonly name: string | undefined;
}

async function convert(log: string, options: readonly string[]): Promise<LogRecord[]> {
  const { code, out, err } = await run(['trace', 'convert', '-', '-', ...options], { input: log });
  expect({ code, err }).toMatchObject({ code: 0 });
  const { names } = parseTrace(out).header;
  const clock = Number(/^; UnixStartTime: (\d+)$/m.exec(out)?.[1]);
  return out
    .split('\n')
    .filter((line) => /^\d/.test(line))
    .map((line) => {
      const [job, submit, wait, runtime, processors, , , , limit, , status] = line.split(' ').map(Number);
      const arrival = clock + submit;
      const name = names?.job.get(job);
      return { job, name, arrival, start: arrival + wait, runtime, processors, limit, status };
    });
}

const isNear = (found: number, right: number) => Math.abs(found - right) <= TOLERANCE;

/** Compares the records of the expected jobs: they must be the expected ones, where times are close, and no others. */
function expectRecords(records: readonly LogRecord[], expected: readonly Expected[]): void {
  for (const job of new Set(expected.map((each) => each.job))) {
    const right = expected.filter((each) => each.job === job);
    const found = records.filter((each) => each.job === job || each.name === job);
    const compared = found.map(({ name: _, ...each }, index) => {
      const times = (['arrival', 'start', 'runtime', 'limit'] as const).filter(
        (field) => right[index] !== undefined && isNear(each[field], right[index][field]),
      );
      return { ...each, job, ...Object.fromEntries(times.map((field) => [field, right[index][field]])) };
    });
    expect(compared).toEqual(right);
  }
}

/** Converts a log and compares its records. Returns all of them. */
export async function expectLog(
  log: string,
  expected: readonly Expected[],
  ...options: string[]
): Promise<LogRecord[]> {
  const records = await convert(log, options);
  expectRecords(records, expected);
  return records;
}
