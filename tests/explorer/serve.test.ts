/**
 * The explorer's server: only its own files, only for this machine, with a strict security policy.
 * Also the page saved as files.
 */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeExplorerFiles, type RunningServer, serveFilesWithToken } from '../../host/explorer/site.js';
import { runProgramInProcess, TINY_LOG_TEXT } from '../cli/runProgram.js';

interface ServerResponse {
  readonly status: number | undefined;
  readonly policy: string;
  readonly body: string;
}

describe('the server of the explorer', () => {
  let server: RunningServer;
  beforeAll(async () => {
    server = await serveFilesWithToken(
      makeExplorerFiles({ log: new TextEncoder().encode(TINY_LOG_TEXT) }),
      0,
    );
  });
  afterAll(() => server.close());

  /** Requests a path below the secret token. */
  const ask = (path: string, requestHeaders: Record<string, string> = {}, method = 'GET') =>
    requestPathOfServer(`${new URL(server.address).pathname.slice(0, -1)}${path}`, requestHeaders, method);

  const requestPathOfServer = (path: string, requestHeaders: Record<string, string> = {}, method = 'GET') =>
    new Promise<ServerResponse>((resolve, reject) => {
      const { port } = new URL(server.address);
      const clientRequest = request(
        { host: '127.0.0.1', port, path, method, headers: requestHeaders },
        (response) => {
          let responseBody = '';
          response.on('data', (chunk) => {
            responseBody += chunk;
          });
          response.on('end', () =>
            resolve({
              status: response.statusCode,
              policy: String(response.headers['content-security-policy']),
              body: responseBody,
            }),
          );
        },
      );
      clientRequest.on('error', reject);
      clientRequest.end();
    });

  test('a later session gets the port of an earlier one, a simultaneous one the next port, and a requested port is used or refused', async () => {
    const freeServer = await serveFilesWithToken(makeExplorerFiles({}), 0);
    const freePort = Number(new URL(freeServer.address).port);
    await freeServer.close();
    const readPortOfServer = ({ address }: RunningServer) => Number(new URL(address).port);
    const firstServer = await serveFilesWithToken(makeExplorerFiles({}), undefined, freePort);
    const secondServer = await serveFilesWithToken(makeExplorerFiles({}), undefined, freePort);
    expect(readPortOfServer(firstServer)).toBe(freePort);
    expect(readPortOfServer(secondServer)).toBeGreaterThan(freePort);
    await expect(serveFilesWithToken(makeExplorerFiles({}), freePort)).rejects.toThrow(
      `--port ${freePort} is in use; give another, 0 for any free port, or none`,
    );
    await firstServer.close();
    const laterServer = await serveFilesWithToken(makeExplorerFiles({}), undefined, freePort);
    expect(readPortOfServer(laterServer)).toBe(freePort);
    for (const server of [laterServer, secondServer]) await server.close();
    // If all usual ports are taken, any free port is used.
    const servers: RunningServer[] = [];
    const processWarnings: Error[] = [];
    const recordWarning = (warning: Error) => processWarnings.push(warning);
    process.on('warning', recordWarning);
    for (let i = 0; i < 11; i++)
      servers.push(await serveFilesWithToken(makeExplorerFiles({}), undefined, freePort));
    expect(readPortOfServer(servers[10]) < freePort || readPortOfServer(servers[10]) >= freePort + 10).toBe(
      true,
    );
    for (const server of servers) await server.close();
    process.off('warning', recordWarning);
    expect(processWarnings).toEqual([]);
  });

  test('listens only on the loopback', () => {
    expect(server.address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/[\w-]{43}\/$/);
  });

  test('serves its files, and nothing by any other path', async () => {
    expect((await ask('/')).body).toContain('<div id="app">');
    expect((await ask('/given.swf')).body).toBe(TINY_LOG_TEXT);
    const pathsToRefuse = [
      '/../package.json',
      '/%2e%2e/package.json',
      '//etc/passwd',
      '/core/checked.wasm',
      '/assets/',
    ];
    for (const pathToRefuse of pathsToRefuse)
      expect(await ask(pathToRefuse)).toMatchObject({ status: 404, body: '' });
    expect(await ask('/', {}, 'POST')).toMatchObject({ status: 405, body: '' });
  });

  test('shows nothing without the token', async () => {
    const [, token] = new URL(server.address).pathname.split('/');
    const tokensToRefuse = [
      '',
      'a',
      token.slice(1),
      `${token}a`,
      token.toLowerCase(),
      'A'.repeat(token.length),
    ];
    const log = { log: new TextEncoder().encode(TINY_LOG_TEXT) };
    for (const name of ['', 'none', ...makeExplorerFiles(log).keys()]) {
      expect((await ask(`/${name}`)).status).toBe(name === 'none' ? 404 : 200);
      for (const path of [
        `/${name}`,
        ...tokensToRefuse.map((tokenToRefuse) => `/${tokenToRefuse}/${name}`),
        `//${token}/${name}`,
      ]) {
        for (const method of ['GET', 'POST'])
          expect(await requestPathOfServer(path, {}, method), path).toMatchObject({
            status: 403,
            body: 'This address lacks the token of the explorer; open the one that gridalloc explore has printed.\n',
          });
        expect(await requestPathOfServer(path, {}, 'HEAD')).toMatchObject({ status: 403, body: '' });
      }
    }
    const reopenedServer = await serveFilesWithToken(makeExplorerFiles({}), 0);
    expect(reopenedServer.address).not.toContain(token);
    await reopenedServer.close();
  });

  test('answers to no other name of this machine, so that no foreign page can send requests', async () => {
    expect(await ask('/', { host: 'evil.example' })).toMatchObject({ status: 403, body: '' });
  });

  test('lets the page evaluate nothing', async () => {
    const { policy, body } = await ask('/');
    expect(policy).toContain(
      "default-src 'none'; script-src 'self' blob: 'wasm-unsafe-eval'; style-src 'self'",
    );
    expect(policy).not.toContain("'unsafe");
    expect(body).toContain('http-equiv="Content-Security-Policy"');
  });

  test('a port in use is reported', async () => {
    const { port } = new URL(server.address);
    expect((await runProgramInProcess(['explore', '--port', port])).stderr).toContain(
      `--port ${port} is in use`,
    );
  });
});

test('the command prints its address first and ends on a signal', async () => {
  const stop = new AbortController();
  const exploreCommandPromise = runProgramInProcess(['explore', 'lublin99[jobs=10]', '--policy', 'ai2'], {
    signal: stop.signal,
  });
  await new Promise((resolve) => setTimeout(resolve, 300));
  stop.abort(new Error('stop'));
  const { stdout } = await exploreCommandPromise;
  expect(stdout).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/[\w-]{43}\/\n$/);
});

test('a link is part of the address, and holds everything', async () => {
  const stop = new AbortController();
  const explorerAddress = 'http://127.0.0.1:1/#workload=lublin99&sites=8,8';
  const exploreCommandPromise = runProgramInProcess(['explore', explorerAddress], { signal: stop.signal });
  await new Promise((resolve) => setTimeout(resolve, 300));
  stop.abort(new Error('stop'));
  expect((await exploreCommandPromise).stdout).toMatch(
    /^http:\/\/127\.0\.0\.1:\d+\/[\w-]{43}\/#workload=lublin99&sites=8,8\n$/,
  );
  for (const option of [
    ['--out', 'page.html'],
    ['--sites', '4'],
  ])
    expect(await runProgramInProcess(['explore', explorerAddress, ...option])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining(`${option[0]}: a link already says what is shown`),
    });
});

test('the page is written as a folder, and as one file without a network', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'gridalloc-explorer-'));
  expect((await runProgramInProcess(['explore', '--out', join(folder, 'site')])).exitCode).toBe(0);
  const fileNames = await readdir(join(folder, 'site'), { recursive: true });
  expect(fileNames).toEqual(
    expect.arrayContaining(['index.html', 'given.json', join('core', 'release.wasm')]),
  );
  const file = join(folder, 'page.html');
  expect((await runProgramInProcess(['explore', 'lublin99[jobs=10]', '--out', file])).exitCode).toBe(0);
  const page = await readFile(file, 'utf8');
  // Code that scripts write into drawings is not part of the page's markup.
  const markup = page.replaceAll(/(<script[^>]*>).*?(?=<\/script>)/gs, '$1');
  expect(markup).toContain('<script');
  expect(markup).not.toMatch(/(?:src|href)="(?!data:)/);
  expect(page).toContain("default-src 'none'; script-src 'sha256-");
  await rm(folder, { recursive: true });
});

test('explore refuses what the page lacks', async () => {
  expect(
    await runProgramInProcess(['explore', 'lublin99[jobs=10]', '--dependencies', 'sessions']),
  ).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('--dependencies is not for the explorer') });
});
