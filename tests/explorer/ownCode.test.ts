/**
 * Tests of the capabilities of custom policies in the page: they can use the JavaScript language but nothing
 * of the browser, in every way of serving the page.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeExplorerFiles } from '../../host/explorer/site.js';
import { runProgramInProcess } from '../cli/runProgram.js';
import { describeBrowserTests, ExplorerInBrowser } from './browser.js';

const SMALL_EXPLORER_ADDRESS = '#workload=lublin99%5Bjobs%3D300%5D&sites=64,128&method=policy%3Dbest-fit';

/** Global names of the JavaScript language, in this engine and in later ones. */
const NAMES_OF_LANGUAGE_GLOBALS = new Set([
  ...runInNewContext('Object.getOwnPropertyNames(globalThis)').filter(
    (name: string) => name !== 'WebAssembly',
  ),
  ...['Float16Array', 'Iterator', 'AsyncIterator', 'Temporal', 'SuppressedError'],
  ...['DisposableStack', 'AsyncDisposableStack'],
]);

/** Expressions that would reach the browser or network; each must be missing or throw. */
const PLATFORM_ACCESS_EXPRESSIONS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    [
      ...['fetch', 'XMLHttpRequest', 'WebSocket', 'EventSource', 'WebTransport', 'importScripts', 'Worker'],
      ...[
        'SharedWorker',
        'BroadcastChannel',
        'indexedDB',
        'caches',
        'navigator',
        'location',
        'self',
        'close',
      ],
      ...['postMessage', 'addEventListener', 'dispatchEvent', 'onmessage', 'MessageChannel', 'Blob', 'URL'],
      ...[
        'WebAssembly',
        'setTimeout',
        'queueMicrotask',
        'crypto',
        'performance',
        'structuredClone',
        'Request',
      ],
      ...[
        'FileReaderSync',
        'OffscreenCanvas',
        'Notification',
        'WorkerGlobalScope',
        'DedicatedWorkerGlobalScope',
      ],
      ...['EventTarget', 'webkitRequestFileSystemSync', 'createImageBitmap', 'reportError', 'FontFace'],
    ].map((name) => [name, `globalThis.${name}`]),
  ),
  'importScripts of the prototypes':
    'Object.getPrototypeOf(Object.getPrototypeOf(globalThis)).importScripts.call(globalThis, LEAK)',
  'storage of the prototypes':
    'Object.getPrototypeOf(Object.getPrototypeOf(globalThis)).navigator.storage.getDirectory()',
  'the constructor of the scope': 'globalThis.constructor === Object ? undefined : globalThis.constructor',
  'code from text': "Function('return 1')()",
  'code by eval': "(0, eval)('1')",
};

/** Source code of a custom policy whose error message lists the browser functions that it could reach. */
const makeMemoryProbeCode = (urlToLeak: string) => `
const LEAK = ${JSON.stringify(urlToLeak)};
const names = [];
for (let owner = globalThis; owner !== Object.prototype; owner = Object.getPrototypeOf(owner)) {
  for (const key of Reflect.ownKeys(owner)) {
    const { value } = Object.getOwnPropertyDescriptor(owner, key);
    if (typeof value !== 'number' || owner === globalThis) names.push(String(key));
  }
}
const reached = [];
console.log('a policy may print');
${Object.entries(PLATFORM_ACCESS_EXPRESSIONS)
  .map(
    ([platformAccessName, attack]) =>
      `try { if ((${attack}) !== undefined) reached.push(${JSON.stringify(platformAccessName)}); } catch {}`,
  )
  .join('\n')}
for (const address of [LEAK, '/leak.js', './given.json', 'data:text/javascript,export default 1']) {
  try { await import(address); reached.push(address); } catch {}
}
export default () => { throw new Error(JSON.stringify({ names, reached })); };
`;

describeBrowserTests('a function in the page', () => {
  let explorer: ExplorerInBrowser;
  let args: string[] = [];
  const testServers: Server[] = [];
  let otherServerAddress = '';
  let site = '';
  let folder = '';

  const listenOnPort = async (server: Server) => {
    testServers.push(server);
    await new Promise<void>((finish) => server.listen(0, '127.0.0.1', finish));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  };

  beforeAll(async () => {
    explorer = await ExplorerInBrowser.open();
    folder = await mkdtemp(join(tmpdir(), 'gridalloc-explorer-'));
    otherServerAddress = await listenOnPort(
      createServer(({ url }, response) => {
        args.push(`elsewhere ${url}`);
        response.writeHead(200, { 'access-control-allow-origin': '*', 'content-type': 'text/javascript' });
        response.end('export default 1');
      }),
    );
    const files = makeExplorerFiles({});
    site = await listenOnPort(
      createServer(({ url = '' }, response) => {
        args.push(url);
        const file = files.get(url.slice(1) || 'index.html');
        response.writeHead(file === undefined ? 404 : 200, { 'content-type': file?.type ?? 'text/plain' });
        response.end(file?.bytes);
      }),
    );
    await runProgramInProcess(['explore', '--out', join(folder, 'page.html')]);
  });
  afterAll(async () => {
    for (const server of testServers) {
      server.closeAllConnections();
      server.close();
    }
    await explorer.close();
    await rm(folder, { recursive: true });
  });

  const runPolicyCodeOnPage = async (page: Page, policyCode: string) => {
    await page.getByRole('button', { name: 'Write a policy' }).click();
    await page.fill('#code-0', policyCode);
    await page.getByRole('button', { name: 'Run this code' }).click();
  };

  test.each([
    ['served by gridalloc explore', () => explorer.server.address],
    ['on another web server', () => site],
    ['in one file', () => `file://${join(folder, 'page.html')}`],
  ])('%s reaches only the language', async (_, makeExplorerAddress) => {
    const page = await explorer.page(`${makeExplorerAddress()}${SMALL_EXPLORER_ADDRESS}`);
    const answeredUrls: string[] = [];
    page.context().on('response', (response) => answeredUrls.push(response.url()));
    args = [];
    const urlOfLeakScript = new URL(
      'leak.js',
      makeExplorerAddress().startsWith('file') ? otherServerAddress : makeExplorerAddress(),
    ).href;
    await runPolicyCodeOnPage(page, makeMemoryProbeCode(urlOfLeakScript));
    await page.waitForFunction(() => window.explorer.controller.fault.includes('failed: '));
    const fault = await page.evaluate(() => window.explorer.controller.fault);
    const { names, reached } = JSON.parse(/failed: (\{.*\})/.exec(fault)?.[1] ?? '');
    expect(names).toContain('Array');
    expect(names.filter((name: string) => !NAMES_OF_LANGUAGE_GLOBALS.has(name))).toEqual([]);
    expect(reached).toEqual([]);
    expect(args).toEqual([]);
    expect(answeredUrls.filter((url) => !url.startsWith('blob:'))).toEqual([]);
    // The page stays usable, since the code runs in a separate worker.
    await page.fill('#code-0', 'export default ({ bestFit }) => bestFit;');
    await page.getByRole('button', { name: 'Run this code' }).click();
    await page.waitForFunction(() => window.explorer.model.runs.length === 2);
  });

  const ENDLESS_CODE_CASES = {
    'when it is loaded': 'for (;;);',
    'waiting when it is loaded': 'await new Promise(() => {}); export default ({ bestFit }) => bestFit;',
    'when it is asked': 'export default () => { for (;;); };',
  };

  test.each(Object.entries(ENDLESS_CODE_CASES))(
    'that never ends %s is stopped, and the page continues',
    async (_, code) => {
      const page = await explorer.page(`${explorer.server.address}${SMALL_EXPLORER_ADDRESS}`);
      await runPolicyCodeOnPage(page, code);
      const stop = page.getByRole('button', { name: 'Stop' }).first();
      await stop.click();
      await page.waitForFunction(() => window.explorer.controller.fault.includes('was stopped'));
      await stop.waitFor({ state: 'hidden' });
      // The decision that is shown can still be examined.
      await page.evaluate(() => window.explorer.model.select(7, true));
      await page.waitForSelector('#job details');
      // New code of a policy replaces earlier code, whether the earlier code was stopped or still runs.
      for (const codeInStorage of [undefined, code]) {
        if (codeInStorage !== undefined) await page.fill('#code-0', codeInStorage);
        if (codeInStorage !== undefined) await page.getByRole('button', { name: 'Run this code' }).click();
        await page.fill('#code-0', 'export default ({ bestFit }) => bestFit;');
        await page.getByRole('button', { name: 'Run this code' }).click();
        await page.waitForFunction(
          () => window.explorer.model.runs.length === 2 && !window.explorer.controller.isPending,
        );
        expect(await page.evaluate(() => window.explorer.controller.fault)).toBe('');
      }
    },
  );

  test('code from a link is announced at the top until it has run', async () => {
    const policyCode = 'export default ({ bestFit }) => bestFit;';
    const address = `${SMALL_EXPLORER_ADDRESS}&method=policy%3Dmine.js&code.mine.js=${encodeURIComponent(policyCode)}`;
    const page = await explorer.page(`${explorer.server.address}${address}`);
    const locatorOfNotice = page.locator('.notice');
    await locatorOfNotice
      .filter({ hasText: 'mine.js came with the link or the folder and has not run.' })
      .waitFor();
    await page.getByRole('button', { name: 'Read the code' }).click();
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('code-0');
    await page.getByRole('button', { name: 'Run this code' }).click();
    await page.waitForFunction(() => window.explorer.model.runs.length === 2);
    await locatorOfNotice.waitFor({ state: 'hidden' });
  });

  test('code with errors shows them next to it, wherever they occur', async () => {
    const page = await explorer.page(`${explorer.server.address}${SMALL_EXPLORER_ADDRESS}`);
    const description = page.locator('.code .fault');
    for (const [code, message] of [
      ['export default 1', 'its default export is number'],
      ['export default () => { throw new Error("no idea"); };', 'no idea'],
    ]) {
      if ((await description.count()) === 0)
        await page.getByRole('button', { name: 'Write a policy' }).click();
      await page.fill('#code-0', code);
      await page.getByRole('button', { name: 'Run this code' }).click();
      await description.filter({ hasText: message }).waitFor();
    }
  });

  test('the page makes no requests once it is loaded', async () => {
    const page = await explorer.page(`${site}${SMALL_EXPLORER_ADDRESS}`);
    args = [];
    // Passed as text, since the test runner rewrites imports in functions.
    const reachedFiles = await page.evaluate(
      `Promise.allSettled([fetch('given.json'), fetch('${otherServerAddress}'), import('${site}leak.js'), import('${otherServerAddress}')])
        .then((results) => results.filter(({ status }) => status === 'fulfilled').length)`,
    );
    expect(reachedFiles).toBe(0);
    expect(args).toEqual([]);
  });

  test('a copied link holds no token, and neither does the page', async () => {
    const page = await explorer.page(`${explorer.server.address}${SMALL_EXPLORER_ADDRESS}`);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copy a link' }).click();
    await page.waitForFunction(() => document.querySelector('#take-away .told')?.textContent !== '');
    const address = await page.evaluate(() => navigator.clipboard.readText());
    const [, token] = new URL(explorer.server.address).pathname.split('/');
    expect(address).not.toContain(token);
    expect(new URL(address).hash).toBe(new URL(page.url()).hash);
    expect(await page.evaluate(() => document.documentElement.outerHTML)).not.toContain(token);
  });
});
