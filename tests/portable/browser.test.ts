/**
 * Runs the portable library, bundled for browsers, in headless Chromium; its results must equal
 * those of Node.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { describe, expect, test } from 'vitest';
import { coreFile } from '../../host/files/coreFile.js';
import { CHROMIUM_PATH, isChromiumInstalled } from '../chromium.js';
import { type PageResponder, receiveMessagePostedByPage } from './pages.js';
import { simulateAllScenarios } from './scenarios.js';

const PAGE_HTML = `<!doctype html><meta charset="utf-8"><title>gridalloc</title><script type="module" src="/page.js"></script>`;

/**
 * Script of the page: runs all scenarios with the package as a bundler for browsers resolves it.
 */
const PAGE_SCRIPT = `
import * as gridalloc from 'gridalloc';
import { simulateAllScenarios } from './tests/portable/scenarios.js';
try {
  gridalloc.setCore(await (await fetch('/release.wasm')).arrayBuffer());
  await fetch('/', { method: 'POST', body: JSON.stringify(simulateAllScenarios(gridalloc)) });
} catch (error) {
  await fetch('/', { method: 'POST', body: String(error?.stack ?? error) });
}
`;

describe('in a browser', () => {
  test.skipIf(!isChromiumInstalled && process.env.CI === undefined)(
    isChromiumInstalled ? 'has the digits of Node' : `is skipped: there is no ${CHROMIUM_PATH}`,
    async () => {
      const repositoryRoot = fileURLToPath(new URL('../../', import.meta.url));
      const { outputFiles } = await build({
        stdin: { contents: PAGE_SCRIPT, resolveDir: repositoryRoot, loader: 'ts' },
        bundle: true,
        write: false,
        format: 'esm',
        platform: 'browser',
        target: 'es2022',
        logLevel: 'silent',
      });
      const resultsInNode = simulateAllScenarios(await import('../../host/portable.js'));
      expect(resultsInNode.length).toBeGreaterThan(5);
      const servedFiles: Readonly<Record<string, ReturnType<PageResponder>>> = {
        '/': ['text/html', PAGE_HTML],
        '/page.js': ['text/javascript', outputFiles[0].text],
        '/release.wasm': ['application/wasm', readFileSync(coreFile('release'))],
      };
      const postedResults = await receiveMessagePostedByPage(
        CHROMIUM_PATH,
        '/',
        (path) => servedFiles[path] ?? ['text/plain', ''],
      );
      expect(JSON.parse(postedResults)).toEqual(JSON.parse(JSON.stringify(resultsInNode)));
    },
    90_000,
  );
});
