/** The native yardstick, compiled where g++ is there. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BenchRun } from './runs.js';

const source = fileURLToPath(new URL('native/simulate.cpp', import.meta.url));

/** Two builds, since the vectorizer of g++ 12 makes loops over few sites slower, and the faster one is the yardstick. */
const FLAGS = {
  'g++ -O3': ['-O3', '-march=native'],
  'g++ -O3, scalar': ['-O3', '-march=native', '-fno-tree-vectorize', '-fno-tree-slp-vectorize'],
};

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
    if (spawnSync('g++', ['--version']).status !== 0) {
      console.log('g++ is not here: no comparison with native code');
      return [];
    }
    const folder = mkdtempSync(join(tmpdir(), 'gridalloc-native-'));
    return Object.entries(FLAGS).map(([name, flags], i) => {
      const path = join(folder, `simulate${i}`);
      execFileSync('g++', [...flags, '-std=c++17', '-o', path, source]);
      return new NativeProgram(name, path, jobs);
    });
  }

  /** Least nanoseconds of one simulation among `repeats`, and the hash of its result. */
  time(run: BenchRun, repeats: number): { nanoseconds: number; hash: number } {
    const [p0 = 0, p1 = 0] = run.parameters;
    const { index, load, capacities, speeds } = run;
    const input = [index, p0, p1, load, capacities.length, ...capacities, ...speeds].join(' ');
    const output = execFileSync(this.#path, [this.#jobs, String(repeats)], { input, encoding: 'utf8' });
    const [nanoseconds, hash] = output.trim().split(' ').map(Number);
    return { nanoseconds, hash };
  }
}
