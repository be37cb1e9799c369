/** The explorer on a port of this machine: a fixed list of files, for this machine alone. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { InputError } from '../errors.js';
import { PAGE_POLICY, WORKER_POLICY } from './policy.js';
import type { SiteFile } from './site.js';

const HOST = '127.0.0.1';

/** A server that listens. */
export interface Served {
  readonly address: string;
  readonly close: () => Promise<void>;
}

/**
 * Serves files, each under its path, and nothing else: no path leads to a disk. Requests that name another host than this
 * one are refused, so that no page from elsewhere can ask through a name of its own.
 * @param port 0: any that is free.
 * @throws InputError for a port that cannot be had.
 */
export async function serve(files: ReadonlyMap<string, SiteFile>, port: number): Promise<Served> {
  const server = createServer((request, response) => {
    const { port: own } = server.address() as AddressInfo;
    const path = (request.url ?? '/').split('?')[0].slice(1);
    const name = path === '' ? 'index.html' : path;
    const isHere = [`${HOST}:${own}`, `localhost:${own}`].includes(request.headers.host ?? '');
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const file = files.get(name);
    const status = !isHere ? 403 : !isRead ? 405 : file === undefined ? 404 : 200;
    const isWorker = /^assets\/worker\b/.test(name);
    response.writeHead(status, {
      'content-type': file !== undefined && status === 200 ? file.type : 'text/plain',
      'content-security-policy': `${isWorker ? WORKER_POLICY : PAGE_POLICY}; frame-ancestors 'none'`,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': 'no-store',
    });
    response.end(status === 200 && request.method === 'GET' ? file?.bytes : undefined);
  });
  await listen(server, port);
  return {
    address: `http://${HOST}:${(server.address() as AddressInfo).port}/`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const why = error.code === 'EADDRINUSE' ? 'is in use' : `cannot be had (${error.message})`;
      reject(new InputError(`--port ${port} ${why}; give another, or none for any that is free`));
    });
    server.listen(port, HOST, resolve);
  });
}
