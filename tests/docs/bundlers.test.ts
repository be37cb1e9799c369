import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build as bundle } from 'esbuild';
import { chromium } from 'playwright-core';
import { build, preview } from 'vite';
import { beforeAll, describe, expect, test } from 'vitest';
import { CHROMIUM_PATH, isChromiumInstalled } from '../chromium.js';
import { findCodeBlocksOfPage, makeProjectFolder, readTextOfPage } from './examples.js';

/**
 * Bundles the files of the section "With a bundler" of docs/library.md as the page says, and runs the
 * bundles.
 */

const folder = makeProjectFolder();
const page = readTextOfPage('docs/library.md');
const [, section = ''] = page.split('\n## With a bundler\n');

beforeAll(() => {
  for (const text of [...findCodeBlocksOfPage(section, 'js'), ...findCodeBlocksOfPage(section, 'html')]) {
    const [, name = ''] = /^(?:\/\/|<!--) (\S+)/.exec(text) ?? [];
    if (name !== '') writeFileSync(join(folder, name), text);
  }
});

/** Command-line options with which the page bundles a file. */
function optionsOf(file: string): Record<string, string> {
  const [, words = ''] = new RegExp(`npx esbuild ${file} (.*)`).exec(section) ?? [];
  expect(words).not.toBe('');
  return Object.fromEntries(
    words.split(' ').map((word) => {
      const [, name = '', value] = /^--([^=]*)=?(.*)$/.exec(word) ?? [];
      return [name, value || 'true'];
    }),
  );
}

const runScriptInNode = (file: string) =>
  execFileSync(process.execPath, [file], { cwd: folder, encoding: 'utf8' }).trim();

test('esbuild puts the core into the script', async () => {
  const { outfile = '', format, target = '', ...loaders } = optionsOf('inlined.js');
  expect(loaders).toEqual({ bundle: 'true', 'loader:.wasm': 'binary' });
  await bundle({
    ...{ absWorkingDir: folder, entryPoints: ['inlined.js'], bundle: true, format: format as 'esm', target },
    ...{ loader: { '.wasm': 'binary' }, outfile: 'inlined.mjs', logLevel: 'silent' },
  });
  expect(outfile).toBe('bundle.js');
  const [, expected] =
    /averageResponseTime\.toFixed\(1\)\); \/\/ (.*)\n```\n\n {4}npx esbuild inlined/.exec(section) ?? [];
  expect(runScriptInNode('inlined.mjs')).toBe(expected);
  expect(readFileSync(join(folder, 'inlined.mjs'), 'utf8')).not.toMatch(/from ?"gridalloc/);
});

test('a bundle for Node without the package starts its threads', async () => {
  const options = optionsOf('server.js');
  expect(options).toMatchObject({ platform: 'node', packages: 'external' });
  writeFileSync(
    join(folder, 'server.js'),
    `import { replications } from 'gridalloc';
const { metrics } = await replications('lublin99[jobs=100]', { sites: [128], replications: 4, threads: 2 });
console.log(metrics.length > 10);
process.exit();
`,
  );
  await bundle({
    ...{ absWorkingDir: folder, entryPoints: ['server.js'], bundle: true, format: 'esm', platform: 'node' },
    ...{ packages: 'external', outfile: 'server.mjs', logLevel: 'silent' },
  });
  expect(runScriptInNode('server.mjs')).toBe('true');
});

describe.skipIf(!isChromiumInstalled && process.env.CI === undefined)('vite', () => {
  test('a page with workers', async () => {
    expect(section).toContain('`npx vite build --target esnext --base ./`');
    await build({
      ...{ root: folder, base: './', logLevel: 'silent', configFile: false },
      build: { target: 'esnext', outDir: 'dist' },
      resolve: { preserveSymlinks: true },
    });
    expect(readdirSync(join(folder, 'dist/assets')).some((name) => /^release-.*\.wasm$/.test(name))).toBe(
      true,
    );
    const server = await preview({
      ...{ root: folder, base: '/', logLevel: 'silent', configFile: false },
      ...{ build: { outDir: 'dist' }, preview: { port: 0, host: '127.0.0.1' } },
    });
    const address = server.resolvedUrls?.local[0] ?? '';
    const chromiumBrowser = await chromium.launch({
      executablePath: CHROMIUM_PATH,
      args: ['--no-sandbox', '--disable-gpu'],
    });
    const openedPage = await chromiumBrowser.newPage();
    await openedPage.goto(address);
    await openedPage.waitForFunction(() => document.body.textContent?.includes(';'), null, {
      timeout: 90_000,
    });
    const pageText = await openedPage.textContent('body');
    await chromiumBrowser.close();
    await server.close();
    const [, expected = 'nothing'] = /which shows\n`(.*)`\./.exec(section) ?? [];
    expect(pageText?.trim()).toBe(expected);
  }, 120_000);
});
