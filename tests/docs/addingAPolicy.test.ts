import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Core } from '../../host/core/module.js';
import { declaredPolicies, policies } from '../../host/core/policies.js';

/** What docs/adding-a-policy.md tells to do, done in a copy of the project. */

const root = fileURLToPath(new URL('../../', import.meta.url));
const page = readFileSync(join(root, 'docs/adding-a-policy.md'), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'gridalloc-policy-'));

/** Blocks of code whose first line names their file. */
const blocks = [...page.matchAll(/```ts\n\/\/ (\S+)\n([\s\S]*?)```/g)].map(([, path, code]) => ({
  path,
  code,
}));

function applyEntry(path: string, code: string): void {
  const file = join(folder, path);
  const text = readFileSync(file, 'utf8');
  const imports = code.split('\n').filter((line) => line.startsWith('import '));
  const cases = code.split('\n').filter((line) => line.trim().startsWith('case '));
  const entered = text
    .replace(/^import /m, `${imports.join('\n')}\nimport `)
    .replace(/^ +default:/m, `${cases.join('\n')}\n$&`);
  writeFileSync(file, entered);
}

beforeAll(() => {
  for (const each of ['assembly', 'dist', 'package.json', 'asconfig.json']) {
    cpSync(join(root, each), join(folder, each), { recursive: true });
  }
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  for (const { path, code } of blocks) {
    if (existsSync(join(folder, path))) applyEntry(path, code);
    else appendFileSync(join(folder, path), code);
  }
  const compiler = join(root, 'node_modules/assemblyscript/bin/asc.js');
  // What the optimizer would take its time for does not matter here.
  const words = ['assembly/index.ts', '--target', 'release', '--optimizeLevel', '0'];
  execFileSync(process.execPath, [compiler, ...words], { cwd: folder });
  // The compiler takes a while on a busy machine.
}, 60_000);

afterAll(() => rmSync(folder, { recursive: true }));

test('the page has a file and an entry', () => {
  expect(blocks.map(({ path }) => path)).toEqual([
    'assembly/allocators/slackFit.ts',
    'assembly/allocators/registry.ts',
  ]);
});

test('the core declares the new policy behind the others', () => {
  const module = new WebAssembly.Module(readFileSync(join(folder, 'build/release.wasm')));
  const core = new WebAssembly.Instance(module).exports as unknown as Core;
  const declared = declaredPolicies(core);
  expect(declared.slice(0, -1)).toEqual(policies());
  expect(declared.at(-1)).toMatchObject({
    name: 'slack-fit',
    aliases: ['slack'],
    parameters: [{ name: 'slack', kind: 'whole', default: 16 }],
  });
});

/** Runs words of the page's console block in the copy. */
function run(command: string): string {
  const gridalloc = `"${process.execPath}" "${join(folder, 'dist/cli/main.js')}"`;
  return execFileSync('sh', ['-c', command.replace(/^gridalloc/, gridalloc)], {
    cwd: folder,
    encoding: 'utf8',
  });
}

const [, makeLog, simulate] = [...page.matchAll(/^\$ (.*)$/gm)].map(([, command]) => command);

test.each([
  ['8', 300, [0, 1, 0]],
  ['0', 600, [1, 0, 0]],
  ['23', 300, [0, 1, 0]],
  ['24', 200, [0, 0, 1]],
])('the command of the page, with a slack of %s', (slack, response, jobs) => {
  expect(simulate).toContain('slack=8]');
  run(makeLog);
  const summary = JSON.parse(run(simulate.replace('slack=8]', `slack=${slack}]`)));
  expect(summary.policy).toBe(`slack-fit[slack=${slack}]`);
  expect(summary.averageResponseTime).toBe(response);
  expect(summary.sites.map((site: { jobs: number }) => site.jobs)).toEqual(jobs);
});
