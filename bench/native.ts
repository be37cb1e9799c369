/** The native yardstick, compiled where g++ is there. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BenchRun } from './runs.js';

const source = (name: string) => fileURLToPath(new URL(`native/${name}.cpp`, import.meta.url));

/** Two builds, since the vectorizer of g++ 12 makes loops over few sites slower, and the faster one is the yardstick. */
const FLAGS = {
  'g++ -O3': ['-O3', '-march=native'],
  'g++ -O3, scalar': ['-O3', '-march=native', '-fno-tree-vectorize', '-fno-tree-slp-vectorize'],
};

function hasCompiler(): boolean {
  return spawnSync('g++', ['--version']).status === 0;
}

/** The version of g++, undefined without one. */
export function compilerVersion(): string | undefined {
  if (!hasCompiler()) return undefined;
  return execFileSync('g++', ['--version'], { encoding: 'utf8' }).split('\n')[0];
}

/** What a native program says of a simulation. */
interface NativeTime {
  readonly nanoseconds: number;
  readonly hash: number;
}

/**
 * Backfilling in C++ on one machine: under EASY, or with reservations that are kept. Takes a file of jobs, the processors of
 * the machine and how often to repeat; returns the least nanoseconds and the hash. Undefined without g++.
 */
export function nativeBackfilling(
  name: 'easy' | 'kept',
): ((jobs: string, processors: number, repeats: number) => NativeTime) | undefined {
  if (!hasCompiler()) return undefined;
  const path = join(mkdtempSync(join(tmpdir(), 'gridalloc-native-')), name);
  execFileSync('g++', [...FLAGS['g++ -O3'], '-std=c++17', '-o', path, source(name)]);
  return (jobs, processors, repeats) => {
    const output = execFileSync(path, [jobs, String(repeats), String(processors)], { encoding: 'utf8' });
    const [nanoseconds, hash] = output.trim().split(' ').map(Number);
    return { nanoseconds, hash };
  };
}

/** A compiled build of the native program, reading the jobs of a file. */
export class NativeProgram {
  readonly name: string;
  readonly #path: string;
  readonly #jobs: string;

  private constructor(name: string, path: string, jobs: string) {
    this.name = name;
    this.#path = path;
    this.#jobs = jobs;
  }

  /** All builds; none, with a line that says so, where there is no g++. */
  static compile(jobs: string): NativeProgram[] {
    if (!hasCompiler()) {
      console.log('g++ is not here: no comparison with native code');
      return [];
    }
    const folder = mkdtempSync(join(tmpdir(), 'gridalloc-native-'));
    return Object.entries(FLAGS).map(([name, flags], i) => {
      const path = join(folder, `simulate${i}`);
      execFileSync('g++', [...flags, '-std=c++17', '-o', path, source('simulate')]);
      return new NativeProgram(name, path, jobs);
    });
  }

  /** Least nanoseconds of processor time of one simulation among `repeats`, and the hash of its result. */
  time(run: BenchRun, repeats: number): NativeTime {
    return this.timeAll([run], repeats)[0];
  }

  /** The same of several simulations, one after the other. */
  timeAll(runs: readonly BenchRun[], repeats: number): NativeTime[] {
    const lines = runs.map(({ index, parameters: [p0 = 0, p1 = 0], load, capacities, speeds }) =>
      [index, p0, p1, load, capacities.length, ...capacities, ...speeds].join(' '),
    );
    const input = lines.join('\n');
    const output = execFileSync(this.#path, [this.#jobs, String(repeats)], { input, encoding: 'utf8' });
    return output
      .trim()
      .split('\n')
      .map((line) => {
        const [nanoseconds, hash] = line.split(' ').map(Number);
        return { nanoseconds, hash };
      });
  }
}
