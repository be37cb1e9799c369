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

/** EASY backfilling in C++ on one machine: least nanoseconds among `repeats` and the hash; undefined without g++. */
export function nativeEasy(
  jobs: string,
  processors: number,
): ((repeats: number) => { nanoseconds: number; hash: number }) | undefined {
  if (!hasCompiler()) return undefined;
  const path = join(mkdtempSync(join(tmpdir(), 'gridalloc-native-')), 'easy');
  execFileSync('g++', [...FLAGS['g++ -O3'], '-std=c++17', '-o', path, source('easy')]);
  return (repeats) => {
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
