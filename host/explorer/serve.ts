/** The explorer on a port of this machine: a fixed list of files, for whoever knows the address, on this machine alone. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { InputError } from '../errors.js';
import { PAGE_POLICY, type SiteFile } from './site.js';

const HOST = '127.0.0.1';

/** The port where none is asked for, so that a browser knows the page again; and how many after it are tried before any that is free. */
export const USUAL_PORT = 24_743;
const TRIED = 10;

/** A server that listens. */
export interface Served {
  readonly address: string;
  readonly close: () => Promise<void>;
}

/** Random bytes of a token. */
const TOKEN_BYTES = 32;

/** What is said where the token is missing or another. */
const REFUSED =
  'This address lacks the token of the explorer; open the one that gridalloc explore has printed.\n';

/** Whether two texts are the same, in a time that does not tell how much of them is. */
function isSame(a: string, b: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}

/**
 * Serves files, each under its path behind a random token, and nothing else: no path leads to a disk. Without the token,
 * which stands in the address alone, other users of this machine are refused. So are requests that name another host than
 * this one, so that no page from elsewhere can ask through a name of its own.
 * @param port 0: any free port; without one the usual, or the first after it that is free.
 * @param usual the usual port.
 * @throws InputError for a port that cannot be had.
 */
export async function serve(
  files: ReadonlyMap<string, SiteFile>,
  port?: number,
  usual = USUAL_PORT,
): Promise<Served> {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  const server = createServer((request, response) => {
    const { port: own } = server.address() as AddressInfo;
    const [, given = '', ...path] = (request.url ?? '').replace(/\?.*/s, '').split('/');
    const name = path.join('/') || 'index.html';
    const isHere = [`${HOST}:${own}`, `localhost:${own}`].includes(request.headers.host ?? '');
    const isAllowed = isSame(given, token) && isHere;
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const file = path.length === 0 ? undefined : files.get(name);
    const status = !isAllowed ? 403 : !isRead ? 405 : file === undefined ? 404 : 200;
    response.writeHead(status, {
      'content-type': file !== undefined && status === 200 ? file.type : 'text/plain',
      'content-security-policy': `${(status === 200 && file?.policy) || PAGE_POLICY}; frame-ancestors 'none'`,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': 'no-store',
    });
    const body = status === 200 ? file?.bytes : status === 403 && isHere ? REFUSED : undefined;
    response.end(request.method === 'HEAD' ? undefined : body);
  });
  await listen(
    server,
    port === undefined ? [...Array.from({ length: TRIED }, (_, i) => usual + i), 0] : [port],
  );
  return {
    address: `http://${HOST}:${(server.address() as AddressInfo).port}/${token}/`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Listens on the first of some ports that can be had. */
async function listen(server: Server, [port = 0, ...others]: readonly number[]): Promise<void> {
  const error = await new Promise<NodeJS.ErrnoException | undefined>((resolve) => {
    const settle = (found?: NodeJS.ErrnoException) => {
      server.off('error', settle).off('listening', settle);
      resolve(found);
    };
    server.once('error', settle).once('listening', settle);
    server.listen(port, HOST);
  });
  if (error === undefined) return;
  if (others.length > 0) return listen(server, others);
  const why = error.code === 'EADDRINUSE' ? 'is in use' : `cannot be had (${error.message})`;
  throw new InputError(`--port ${port} ${why}; give another, 0 for any free port, or none`);
}
