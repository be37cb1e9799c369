import { readFileSync, statSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { listPackedFiles, repositoryRoot } from './packed.js';

/**
 * The npm package must contain the files that its pages, programs and types mention, and depend on
 * the packages that it uses.
 */

const readFileText = (path: string) => readFileSync(join(repositoryRoot, path), 'utf8');

interface PackageManifest {
  readonly bin: Record<string, string>;
  readonly exports: Record<string, unknown>;
  readonly dependencies: Record<string, string>;
}

const packageManifest = JSON.parse(readFileText('package.json')) as PackageManifest;

const files = listPackedFiles();
const packedPathSet = new Set(files);
/** True if a file or folder is in the package. */
const isGzipPacked = (path: string) =>
  packedPathSet.has(path) || files.some((file) => file.startsWith(`${path}/`));

/** All files named by an entry of package.json. */
function findImportsOfEntry(entry: unknown): string[] {
  return typeof entry === 'string'
    ? [entry]
    : Object.values(entry as Record<string, unknown>).flatMap(findImportsOfEntry);
}

test('entries, commands and licences are in it', () => {
  const entryFiles = findImportsOfEntry(packageManifest.exports).map((path) =>
    path.replace('*', 'release').replace('./', ''),
  );
  const legalFiles = ['LICENSE', 'LICENSE-APACHE.txt', 'README.md', 'CHANGELOG.md', 'THIRD-PARTY.md'];
  expect(
    [...entryFiles, ...Object.values(packageManifest.bin), ...legalFiles].filter(
      (path) => !packedPathSet.has(path),
    ),
  ).toEqual([]);
});

const pages = files.filter((path) => path.endsWith('.md'));

test.each(pages)('%s: links lead to what is in it', (page) => {
  const linkTargets = [...readFileText(page).matchAll(/\]\(([^)\s#]+)[^)\s]*\)/g)].map(
    ([, target]) => target,
  );
  const localLinks = linkTargets.filter((target) => !target.startsWith('https://'));
  expect(localLinks.filter((target) => !isGzipPacked(join(dirname(page), target)))).toEqual([]);
});

// CONTRIBUTING.md is only for people with a clone of the repository.
const packagedPages = pages.filter((page) => page !== 'CONTRIBUTING.md');

test.each(packagedPages)('%s: logs, studies and builds that it mentions are in it', (page) => {
  const fileMatches = readFileText(page).matchAll(/(?<![\w/.-])(?:build|docs|studies|traces)\/[\w./-]*\w/g);
  expect([...fileMatches].map(([path]) => path).filter((path) => !isGzipPacked(path))).toEqual([]);
});

const codeFileNames = files.filter((path) => /\.(?:js|d\.ts)$/.test(path));

/** Modules that a compiled file imports, including types and modules loaded on demand. */
const findImportsOfFile = (file: string) =>
  ts.preProcessFile(readFileText(file)).importedFiles.map(({ fileName }) => fileName);

test('its programs and types find one another', () => {
  const unresolvedImports = codeFileNames.flatMap((file) =>
    findImportsOfFile(file)
      .filter((source) => source.startsWith('.'))
      .map((source) => join(dirname(file), source))
      .filter((path) => !packedPathSet.has(file.endsWith('.d.ts') ? path.replace(/\.js$/, '.d.ts') : path))
      .map((path) => `${file}: ${path}`),
  );
  expect(unresolvedImports).toEqual([]);
});

test('it depends on what it imports, and on nothing else', () => {
  // Fonts are files of a package without code. The program's script imports some modules by such
  // calls.
  const findFilesNamedInFile = (file: string) =>
    [...readFileText(file).matchAll(/(?:require\.resolve|importModule)\((?:'([^']*)'|"([^"]*)")\)/g)].map(
      ([, source, importedFile]) => (source ?? importedFile) as string,
    );
  const referencesOfCodeFiles = codeFileNames.flatMap((file) => [
    ...findImportsOfFile(file),
    ...findFilesNamedInFile(file),
  ]);
  const sources = new Set(
    referencesOfCodeFiles.filter((referenceOfCodeFile) => !/^(?:\.|node:)/.test(referenceOfCodeFile)),
  );
  const packageNames = [...sources].map((source) => /^(?:@[^/]+\/)?[^/]+/.exec(source)?.[0]);
  expect(packageNames.filter((packageName) => builtinModules.includes(packageName ?? ''))).toEqual([]);
  expect([...new Set(packageNames)].sort()).toEqual(Object.keys(packageManifest.dependencies).sort());
});

test('no file points to a source map', () => {
  expect(files.filter((path) => path.endsWith('.map'))).toEqual([]);
  expect(codeFileNames.filter((path) => readFileText(path).includes('sourceMappingURL'))).toEqual([]);
});

test.skipIf(process.platform === 'win32')('the program as built can be run', () => {
  const { mode } = statSync(fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url)));
  expect(mode & 0o111).toBe(0o111);
});
