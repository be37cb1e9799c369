import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

/**
 * Modules must be loaded only when needed: large packages only when a command draws, or reads or
 * runs a study.
 */

const repositoryRoot = fileURLToPath(new URL('../../', import.meta.url));

/** Module loader that prints the address of every loaded module. */
const MODULE_LOADER_URL = `data:text/javascript,${encodeURIComponent(`
  import { writeSync } from 'node:fs';
  export async function load(url, context, next) {
    writeSync(2, 'loads ' + url + '\\n');
    return next(url, context);
  }`)}`;
/** Installs the loader, and prints the modules loaded by `require` at the end. */
const REGISTRATION_MODULE_URL = `data:text/javascript,${encodeURIComponent(`
  import { writeSync } from 'node:fs';
  import { createRequire, register } from 'node:module';
  register(${JSON.stringify(MODULE_LOADER_URL)});
  const { cache } = createRequire('${repositoryRoot}');
  process.on('exit', () => {
    for (const path of Object.keys(cache)) writeSync(2, 'loads ' + path + '\\n');
  });`)}`;

/** Packages from which Node loads files while it runs with these arguments. */
function listLoadedPackages(...commandWords: string[]): string[] {
  const loadedModules = execFileSync(
    'sh',
    [
      '-c',
      '"$0" "$@" 2>&1 >/dev/null',
      process.execPath,
      '--import',
      REGISTRATION_MODULE_URL,
      ...commandWords,
    ],
    {
      cwd: repositoryRoot,
      encoding: 'utf8',
    },
  );
  const loadedUrls = [...loadedModules.matchAll(/^loads (.*)$/gm)].map(([, url]) => url);
  expect(loadedUrls.some((url) => url.includes('/dist/'))).toBe(true);
  const packageNames = loadedUrls.map((url) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1]);
  return [...new Set(packageNames.filter((packageName) => packageName !== undefined))].sort();
}

/** Packages that draw figures, used by functions of the library. */
const DRAWING_PACKAGES = [
  'array',
  'color',
  'format',
  'interpolate',
  'path',
  'scale',
  'shape',
  'time',
  'time-format',
].map((name) => `d3-${name}`);

test.each([
  [
    "import 'gridalloc'",
    ['@assemblyscript/loader', ...DRAWING_PACKAGES, 'picocolors'],
    ['--input-type=module', '-e', "import './dist/index.js'"],
  ],
  ['--version', [], ['dist/cli/main.js', '--version']],
  ['simulate', [], ['dist/cli/main.js', 'simulate', 'traces/queues.swf']],
  ['study list', ['yaml'], ['dist/cli/main.js', 'study', 'list']],
])('%s loads no package but %j', (_, importedPackages, commandWords) => {
  expect(listLoadedPackages(...commandWords)).toEqual(importedPackages);
});
