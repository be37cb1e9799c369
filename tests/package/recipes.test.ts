import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test, vi } from 'vitest';
import { temporaryFolder } from '../temporaryFolder.js';
import { type Change, RECIPES, withChange } from './additions.js';
import { root } from './packed.js';

/**
 * What CONTRIBUTING.md says of adding things is done to a copy of the project, which is built: its command then has them all,
 * and its core agrees with its reference.
 */

const folder = temporaryFolder();

function apply(change: Change): void {
  const path = join(folder, change.file);
  if ('text' in change) writeFileSync(path, change.text, { flag: 'wx' });
  else writeFileSync(path, withChange(readFileSync(path, 'utf8'), change));
}

const node = (...words: string[]) =>
  execFileSync(process.execPath, words, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
// The modules as they are compiled: what the build makes one script of.
const gridalloc = (...words: string[]) => node('start.mjs', ...words);

beforeAll(() => {
  for (const each of [
    'assembly',
    'host',
    'asconfig.json',
    'package.json',
    'tsconfig.json',
    'tsconfig.build.json',
    'tests/reference',
    'tests/core',
    'tests/ways',
    'web',
    ...['cases', 'cli/runProgram', 'expectSame', 'runs/childProcess', 'setup', 'temporaryFolder'].map(
      (name) => `tests/${name}.ts`,
    ),
  ]) {
    cpSync(join(root, each), join(folder, each), { recursive: true });
  }
  cpSync(join(root, 'scripts/finishCore.mjs'), join(folder, 'scripts/finishCore.mjs'), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  for (const { changes, checks = [] } of Object.values(RECIPES)) [...changes, ...checks].forEach(apply);
  // Not optimized, which takes a fifth of the time: the release build is tested elsewhere.
  const compile = (entry: string, target: string, ...words: string[]) => {
    const compiler = [entry, '--target', target, '--optimizeLevel', '0', ...words];
    node('node_modules/assemblyscript/bin/asc.js', ...compiler);
    node('scripts/finishCore.mjs', `build/${target}.wasm`);
  };
  compile('assembly/index.ts', 'release', '--bindings', 'raw');
  compile('assembly/testing.ts', 'checked');
  copyFileSync(join(folder, 'build/release.d.ts'), join(folder, 'host/core/bindings.d.ts'));
  node('node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json');
  writeFileSync(
    join(folder, 'start.mjs'),
    "import { runProcess } from './dist/cli/main.js';\nawait runProcess();\n",
  );
  writeFileSync(
    join(folder, 'vitest.config.mjs'),
    "export default { test: { setupFiles: ['tests/setup.ts'] } };\n",
  );
}, 600_000);

test('additions work', () => {
  const simulated = (...words: string[]) =>
    JSON.parse(
      gridalloc(
        'simulate',
        'lublin99[jobs=300,aarr=8]',
        '--sites',
        '128,64',
        '--speeds',
        '1,2',
        '--json',
        ...words,
      ),
    ) as Record<string, number>;
  const plain = simulated();
  expect(plain.totalWait).toBeCloseTo(300 * plain.meanWait, 3);
  for (const words of [
    ['--setup-time', '600'],
    ['--order', 'widest-square'],
    ['--policy', 'slowest-first'],
  ]) {
    const { averageResponseTime } = simulated(...words);
    expect([...words, averageResponseTime]).not.toEqual([...words, plain.averageResponseTime]);
  }
  expect(simulated('--order', 'widest-square').averageResponseTime).toBe(
    simulated('--order', 'widest').averageResponseTime,
  );
  expect(gridalloc('cite')).toBe('cited\n');
}, 120_000);

test('additions are checked against the reference', () => {
  const passed = (path: string, ...words: string[]) => {
    const run = ['node_modules/vitest/vitest.mjs', 'run', path, '--reporter', 'json', ...words];
    return (JSON.parse(node(...run)) as { numPassedTests: number }).numPassedTests;
  };
  vi.stubEnv('GRIDALLOC_CASES', '200');
  const agreement = (kind: string) => passed(`tests/core/agreement/${kind}.test.ts`);
  expect([agreement('allocators'), agreement('oneMachine')]).toEqual([2, 1]);
  expect(passed('tests/ways/ways.test.ts', '-t', 'every option has a sample')).toBe(1);
}, 300_000);
