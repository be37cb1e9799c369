/** Native programs for comparison, compiled if g++ is installed. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BenchRun } from './runs.js';

const pathOfNativeSource = (name: string) => fileURLToPath(new URL(`native/${name}.cpp`, import.meta.url));

/**
 * Compiler flags of two builds, since the vectorizer of g++ 12 makes loops over few sites slower; the faster
 * build counts.
 */
const COMPILER_FLAGS = {
  'g++ -O3': ['-O3', '-march=native'],
  'g++ -O3, scalar': ['-O3', '-march=native', '-fno-tree-vectorize', '-fno-tree-slp-vectorize'],
};

function hasCompiler(): boolean {
  return spawnSync('g++', ['--version']).status === 0;
}

/** Version of g++; undefined if it is not installed. */
export function readCompilerVersion(): string | undefined {
  if (!hasCompiler()) return undefined;
  return execFileSync('g++', ['--version'], { encoding: 'utf8' }).split('\n')[0];
}

/** Shortest time in nanoseconds and hash of the result of a native program for one simulation. */
interface NativeRunResult {
  readonly nanoseconds: number;
  readonly hash: number;
}

/**
 * Runs backfilling in C++ on one machine: EASY, or conservative with kept reservations. Takes a file of jobs,
 * the number of processors and of repetitions; returns the shortest time in nanoseconds and the hash of the
 * result. Undefined without g++.
 */
export function compileNativeBackfilling(
  name: 'easy' | 'kept',
): ((jobsFile: string, processors: number, repetitionCount: number) => NativeRunResult) | undefined {
  if (!hasCompiler()) return undefined;
  const path = join(mkdtempSync(join(tmpdir(), 'gridalloc-native-')), name);
  execFileSync('g++', [...COMPILER_FLAGS['g++ -O3'], '-std=c++17', '-o', path, pathOfNativeSource(name)]);
  return (jobsFile, processors, repetitionCount) => {
    const output = execFileSync(path, [jobsFile, String(repetitionCount), String(processors)], {
      encoding: 'utf8',
    });
    const [nanoseconds, hash] = output.trim().split(' ').map(Number);
    return { nanoseconds, hash };
  };
}

/** Compiled build of the native program, which reads its jobs from a file. */
export class NativeProgram {
  readonly name: string;
  readonly #path: string;
  readonly #jobs: string;

  private constructor(name: string, path: string, jobsFile: string) {
    this.name = name;
    this.#path = path;
    this.#jobs = jobsFile;
  }

  /** Compiles all builds; prints a note and returns none without g++. */
  static compile(jobsFile: string): NativeProgram[] {
    if (!hasCompiler()) {
      console.log('g++ is not here: no comparison with native code');
      return [];
    }
    const folder = mkdtempSync(join(tmpdir(), 'gridalloc-native-'));
    return Object.entries(COMPILER_FLAGS).map(([flagName, flags], i) => {
      const path = join(folder, `simulate${i}`);
      execFileSync('g++', [...flags, '-std=c++17', '-o', path, pathOfNativeSource('simulate')]);
      return new NativeProgram(flagName, path, jobsFile);
    });
  }

  /**
   * Returns the shortest processor time of `repetitionCount` simulations, in nanoseconds, and the hash of the
   * result.
   */
  time(run: BenchRun, repetitionCount: number): NativeRunResult {
    return this.timeAllRuns([run], repetitionCount)[0];
  }

  /** Times several simulations one after another; otherwise like `time`. */
  timeAllRuns(runs: readonly BenchRun[], repetitionCount: number): NativeRunResult[] {
    const lines = runs.map(({ index: runIndex, parameters: [p0 = 0, p1 = 0], load, capacities, speeds }) =>
      [runIndex, p0, p1, load, capacities.length, ...capacities, ...speeds].join(' '),
    );
    const input = lines.join('\n');
    const output = execFileSync(this.#path, [this.#jobs, String(repetitionCount)], {
      input,
      encoding: 'utf8',
    });
    return output
      .trim()
      .split('\n')
      .map((line) => {
        const [nanoseconds, hash] = line.split(' ').map(Number);
        return { nanoseconds, hash };
      });
  }
}
