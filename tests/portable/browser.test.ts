/** The portable library, bundled for the browser, in a page of headless Chromium: the same digits as here. */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { describe, expect, test } from 'vitest';
import { coreFile } from '../../host/files/coreFile.js';
import { CHROMIUM, hasChromium } from '../chromium.js';
import { simulateAll } from './scenarios.js';

const OPTIONS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--no-first-run',
  '--disable-sync',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-quic',
];

const PAGE = `<!doctype html><meta charset="utf-8"><title>gridalloc</title><script type="module" src="/page.js"></script>`;

/** Serves the page with a script, and what it posts. */
class Site {
  readonly posted: Promise<string>;
  readonly #server: Server;

  constructor(script: string) {
    const answers: Readonly<Record<string, readonly [type: string, body: string | Uint8Array]>> = {
      '/': ['text/html', PAGE],
      '/page.js': ['text/javascript', script],
      '/release.wasm': ['application/wasm', readFileSync(coreFile('release'))],
    };
    let post: (body: Promise<string>) => void;
    this.posted = new Promise((resolve) => {
      post = resolve;
    });
    this.#server = createServer((request, response) => {
      if (request.method === 'POST') post(text(request));
      const [type, body] = answers[request.url ?? ''] ?? ['text/plain', ''];
      response.writeHead(200, { 'content-type': type }).end(body);
    });
  }

  async open(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}

/** What a page posts that Chromium opens. */
async function postedBy(script: string): Promise<string> {
  const site = new Site(script);
  const profile = await mkdtemp(join(tmpdir(), 'gridalloc-chromium-'));
  const browser = spawn(CHROMIUM, [...OPTIONS, `--user-data-dir=${profile}`, await site.open()], {
    stdio: 'ignore',
  });
  const ended = new Promise<never>((_, reject) => {
    browser.once('exit', () => reject(new Error('the browser has ended before the page posted anything')));
  });
  try {
    return await Promise.race([site.posted, ended]);
  } finally {
    const gone = ended.catch(() => {});
    browser.kill();
    await gone;
    site.close();
    await rm(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}

/** The page: all scenarios with the package as a browser's bundler finds it. */
const ENTRY = `
import * as gridalloc from 'gridalloc';
import { simulateAll } from './tests/portable/scenarios.js';
try {
  gridalloc.setCore(await (await fetch('/release.wasm')).arrayBuffer());
  await fetch('/', { method: 'POST', body: JSON.stringify(simulateAll(gridalloc)) });
} catch (error) {
  await fetch('/', { method: 'POST', body: String(error?.stack ?? error) });
}
`;

describe('in a browser', () => {
  test.skipIf(!hasChromium && process.env.CI === undefined)(
    hasChromium ? 'has the digits of Node' : `is skipped: there is no ${CHROMIUM}`,
    async () => {
      const root = fileURLToPath(new URL('../../', import.meta.url));
      const { outputFiles } = await build({
        stdin: { contents: ENTRY, resolveDir: root, loader: 'ts' },
        bundle: true,
        write: false,
        format: 'esm',
        platform: 'browser',
        target: 'es2022',
        logLevel: 'silent',
      });
      const here = simulateAll(await import('../../host/portable.js'));
      expect(here.length).toBeGreaterThan(5);
      expect(JSON.parse(await postedBy(outputFiles[0].text))).toEqual(JSON.parse(JSON.stringify(here)));
    },
    90_000,
  );
});
