import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../temporaryFolder.js';

/** The npm package holds what its pages, programs and types speak of, and depends on what it uses. */

const root = fileURLToPath(new URL('../../', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');

interface Manifest {
  readonly bin: Record<string, string>;
  readonly exports: Record<string, unknown>;
  readonly dependencies: Record<string, string>;
}

const manifest = JSON.parse(read('package.json')) as Manifest;

/** What `npm pack` would put in. */
function packedFiles(): string[] {
  const words = ['pack', '--dry-run', '--json', '--ignore-scripts'];
  const listing = execFileSync('npm', words, {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [{ files }] = JSON.parse(listing) as [{ files: { path: string }[] }];
  return files.map(({ path }) => path);
}

const files = packedFiles();
const packed = new Set(files);
/** Whether a file or folder is in the package. */
const isPacked = (path: string) => packed.has(path) || files.some((file) => file.startsWith(`${path}/`));

/** All targets of the package's entries. */
function targets(entry: unknown): string[] {
  return typeof entry === 'string'
    ? [entry]
    : Object.values(entry as Record<string, unknown>).flatMap(targets);
}

test('entries, commands and licences are in it', () => {
  const entries = targets(manifest.exports).map((path) => path.replace('*', 'release').replace('./', ''));
  const legal = ['LICENSE', 'LICENSE-APACHE.txt', 'README.md', 'CHANGELOG.md', 'THIRD-PARTY.md'];
  expect([...entries, ...Object.values(manifest.bin), ...legal].filter((path) => !packed.has(path))).toEqual(
    [],
  );
});

const pages = files.filter((path) => path.endsWith('.md'));

test.each(pages)('%s: links lead to what is in it', (page) => {
  const links = [...read(page).matchAll(/\]\(([^)\s#]+)[^)\s]*\)/g)].map(([, target]) => target);
  const own = links.filter((target) => !target.startsWith('https://'));
  expect(own.filter((target) => !isPacked(join(dirname(page), target)))).toEqual([]);
});

// CONTRIBUTING.md is for those who have a clone.
const ofTheProgram = pages.filter((page) => page !== 'CONTRIBUTING.md');

test.each(ofTheProgram)('%s: logs, studies and builds that it mentions are in it', (page) => {
  const mentioned = read(page).matchAll(/(?<![\w/.-])(?:build|docs|studies|traces)\/[\w./-]*\w/g);
  expect([...mentioned].map(([path]) => path).filter((path) => !isPacked(path))).toEqual([]);
});

const code = files.filter((path) => /\.(?:js|d\.ts)$/.test(path));

/** What a compiled file imports, types and what is loaded on demand too. */
const importsOf = (file: string) =>
  ts.preProcessFile(read(file)).importedFiles.map(({ fileName }) => fileName);

test('its programs and types find one another', () => {
  const missing = code.flatMap((file) =>
    importsOf(file)
      .filter((source) => source.startsWith('.'))
      .map((source) => join(dirname(file), source))
      .filter((path) => !packed.has(file.endsWith('.d.ts') ? path.replace(/\.js$/, '.d.ts') : path))
      .map((path) => `${file}: ${path}`),
  );
  expect(missing).toEqual([]);
});

test('it depends on what it imports, and on nothing else', () => {
  const sources = new Set(code.flatMap(importsOf).filter((source) => !/^(?:\.|node:)/.test(source)));
  const names = [...sources].map((source) => /^(?:@[^/]+\/)?[^/]+/.exec(source)?.[0]);
  expect(names.filter((name) => builtinModules.includes(name ?? ''))).toEqual([]);
  expect([...new Set(names)].sort()).toEqual(Object.keys(manifest.dependencies).sort());
});

test('no file points to a source map', () => {
  expect(files.filter((path) => path.endsWith('.map'))).toEqual([]);
  expect(code.filter((path) => read(path).includes('sourceMappingURL'))).toEqual([]);
});

test('the compiler that docs/adding-a-policy.md names is the one that built the core in it', () => {
  const { version } = JSON.parse(read('node_modules/assemblyscript/package.json')) as { version: string };
  expect(read('docs/adding-a-policy.md')).toContain(`npm install assemblyscript@${version}\n`);
});

/** Builds the core with what is in the package, in a folder that has some of the modules. */
function buildIn(folder: string, modules: readonly string[]) {
  const needed = files.filter((path) =>
    /^(?:assembly|dist|scripts)\/|^(?:asconfig|package)\.json$/.test(path),
  );
  for (const path of needed) cpSync(join(root, path), join(folder, path));
  mkdirSync(join(folder, 'node_modules'));
  for (const name of modules)
    symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name));
  const words = ['dist/cli/main.js', 'core', 'build', '--out', 'built.wasm', '--quiet'];
  return spawnSync(process.execPath, words, { cwd: folder, encoding: 'utf8' });
}

test('the core in it is what its sources give', () => {
  const folder = temporaryFolder();
  expect(buildIn(folder, readdirSync(join(root, 'node_modules')))).toMatchObject({ status: 0, stderr: '' });
  for (const [file, build] of [
    ['built', 'release'],
    ['built.shared', 'shared'],
    ['built.explaining', 'explaining'],
  ]) {
    const built = readFileSync(join(folder, `${file}.wasm`));
    expect([build, built.equals(readFileSync(join(root, `build/${build}.wasm`)))]).toEqual([build, true]);
  }
}, 300_000);

test('without a compiler it says which to install', () => {
  const modules = readdirSync(join(root, 'node_modules')).filter((name) => name !== 'assemblyscript');
  const { version } = JSON.parse(read('node_modules/assemblyscript/package.json')) as { version: string };
  expect(buildIn(temporaryFolder(), modules)).toMatchObject({
    status: 2,
    stderr: expect.stringMatching(
      new RegExp(`^gridalloc: the compiler .*; npm install assemblyscript@${version} .*\n$`),
    ),
  });
});

test.skipIf(process.platform === 'win32')('the program can be run as it is built', () => {
  const { mode } = statSync(fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url)));
  expect(mode & 0o111).toBe(0o111);
});
