/** Opens pages in headless browsers and returns what they post. */
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

/** Command-line arguments for Debian's browsers, by program. */
const BROWSER_PROGRAMS = {
  '/usr/bin/chromium': [
    '--headless',
    '--no-sandbox',
    '--disable-gpu',
    '--no-first-run',
    '--disable-sync',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-quic',
  ],
  '/usr/bin/firefox-esr': ['--headless', '--no-remote'],
} as const;

type BrowserName = keyof typeof BROWSER_PROGRAMS;

/** Returns the content type and body for a path of a site. */
export type PageResponder = (path: string) => readonly [type: string, body: string | Uint8Array];

/** Server of pages that receives what they post. */
class PostReceivingServer {
  readonly posted: Promise<string>;
  readonly #server: Server;

  constructor(answer: PageResponder) {
    let postBody: (body: Promise<string>) => void;
    this.posted = new Promise((resolve) => {
      postBody = resolve;
    });
    this.#server = createServer((request, response) => {
      if (request.method === 'POST') postBody(text(request));
      const [type, body] = answer(request.url ?? '');
      response.writeHead(200, { 'content-type': type }).end(body);
    });
  }

  async open(path: string): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}${path}`;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}

/** Message that a page posts when a browser opens it. */
export async function receiveMessagePostedByPage(
  browserPath: BrowserName,
  path: string,
  answerPathRequest: PageResponder,
): Promise<string> {
  const site = new PostReceivingServer(answerPathRequest);
  const profileFolder = await mkdtemp(join(tmpdir(), 'gridalloc-browser-'));
  const profileWords = browserPath.endsWith('chromium')
    ? [`--user-data-dir=${profileFolder}`]
    : ['--profile', profileFolder];
  const browserWords = [...BROWSER_PROGRAMS[browserPath], ...profileWords, await site.open(path)];
  const browserProcess = spawn(browserPath, browserWords, { stdio: 'ignore' });
  const browserExitRejection = new Promise<never>((_, reject) => {
    browserProcess.once('exit', () =>
      reject(new Error('the browser has ended before the page posted anything')),
    );
  });
  try {
    return await Promise.race([site.posted, browserExitRejection]);
  } finally {
    const browserGonePromise = browserExitRejection.catch(() => {});
    browserProcess.kill();
    await browserGonePromise;
    site.close();
    await rm(profileFolder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}
