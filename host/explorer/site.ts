/**
 * Files of the explorer: the built page, the core, and the initial data; and a server for them on this
 * machine, for clients that know its address.
 */

import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { InputError } from '../errors.js';
import { coreFile } from '../files/coreFile.js';
import { computeContentSecurityHash } from '../files/hash.js';
import type { OptionStrings } from '../options/options.js';
import { REPORT_PAGE_FILE } from '../results/resultFolder.js';
import type { Report } from '../view/report.js';

/** A file to be served. */
interface ExplorerFile {
  readonly type: string;
  readonly bytes: Uint8Array;
  /** Content security policy, if different from the page's. */
  readonly policy?: string;
}

/** Initial state of the page. */
export interface ExplorerPageInput {
  /** Options by name, as texts; the workload is the name of the log, if there is one. */
  readonly options?: OptionStrings;
  readonly methods?: readonly OptionStrings[];
  /** Code files named by the options; none runs without the user's consent. */
  readonly code?: readonly { readonly name: string; readonly text: string }[];
  /** Log in SWF. */
  readonly log?: Uint8Array;
  /** Results of the folder that the page shows. */
  readonly results?: Pick<Report, 'title' | 'highlights' | 'checks' | 'tables'>;
  /** Contents of report.html. */
  readonly report?: Uint8Array;
}

const CONTENT_TYPE_BY_FILE_EXTENSION: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.wasm': 'application/wasm',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.swf': 'text/plain; charset=utf-8',
};

const BUILT_WEB_FOLDER_URL = new URL('../../build/web/', import.meta.url);
/** Builds of the core that the page uses. */
const EXPLORER_CORE_BUILDS = ['release', 'explaining'] as const;

function readBuiltExplorerFiles(): Map<string, Uint8Array> {
  try {
    const assetFileNames = readdirSync(fileURLToPath(BUILT_WEB_FOLDER_URL), {
      recursive: true,
      encoding: 'utf8',
    });
    const files = assetFileNames
      .filter((fileName) => extname(fileName) !== '')
      .map((name) => name.replaceAll('\\', '/'));
    return new Map(
      files.map((fileName) => [fileName, readFileSync(new URL(fileName, BUILT_WEB_FOLDER_URL))]),
    );
  } catch {
    throw new InputError('the explorer is not built; in a clone, npm run build builds it');
  }
}

const encodeAsUtf8 = (plainText: string) => new TextEncoder().encode(plainText);

/** Adds a content security policy to a page, so that it applies wherever the page is served. */
function addSecurityPolicyToPage(html: string, securityPolicy: string): string {
  return html.replace(
    '<meta charset="utf-8" />',
    `<meta charset="utf-8" /><meta http-equiv="Content-Security-Policy" content="${securityPolicy}" />`,
  );
}

/**
 * All files by path, as on a web server.
 * @throws InputError if the page has not been built.
 */
export function makeExplorerFiles(pageInput: ExplorerPageInput): Map<string, ExplorerFile> {
  const { log, report, ...otherFields } = pageInput;
  const files = readBuiltExplorerFiles();
  const html = new TextDecoder().decode(files.get('index.html'));
  files.set('index.html', encodeAsUtf8(addSecurityPolicyToPage(html, PAGE_SECURITY_POLICY)));
  for (const coreBuild of EXPLORER_CORE_BUILDS)
    files.set(`core/${coreBuild}.wasm`, readFileSync(coreFile(coreBuild)));
  files.set(
    'given.json',
    encodeAsUtf8(
      JSON.stringify({ ...otherFields, hasLog: log !== undefined, hasReport: report !== undefined }),
    ),
  );
  if (report !== undefined) files.set(REPORT_PAGE_FILE, report);
  if (log !== undefined) files.set('given.swf', log);
  return new Map(
    [...files].map(([name, bytes]) => [
      name,
      {
        type: CONTENT_TYPE_BY_FILE_EXTENSION[extname(name)] ?? 'application/octet-stream',
        bytes,
        ...(name === REPORT_PAGE_FILE ? { policy: REPORT_SECURITY_POLICY } : {}),
      },
    ]),
  );
}

/** Escapes text so that it cannot end a script element. */
const escapeScriptText = (scriptText: string) => scriptText.replaceAll(/<(?=\/script|!--)/gi, '\\x3c');

/** Combines the page and all its data in one file, which can be opened from disk. */
export function makeSingleFileExplorer(pageInput: ExplorerPageInput): string {
  const files = readBuiltExplorerFiles();
  const readFileMatching = (pattern: RegExp) => {
    const fileName = [...files.keys()].find((each) => pattern.test(each)) ?? '';
    return new TextDecoder().decode(files.get(fileName));
  };
  const { log, report: _, ...otherFields } = pageInput;
  const scriptText = escapeScriptText(readFileMatching(/assets\/index.*\.js$/));
  const cssText = readFileMatching(/\.css$/);
  const formatDataElement = (id: string, bytes: Uint8Array) =>
    `<script type="text/plain" id="${id}">${Buffer.from(bytes).toString('base64')}</script>`;
  const embeddedDataElements = [
    ...EXPLORER_CORE_BUILDS.map((coreBuild) =>
      formatDataElement(`core-${coreBuild}`, readFileSync(coreFile(coreBuild))),
    ),
    formatDataElement('worker-code', encodeAsUtf8(readFileMatching(/assets\/worker.*\.js$/))),
    formatDataElement('given', encodeAsUtf8(JSON.stringify({ ...otherFields, hasLog: log !== undefined }))),
    ...(log === undefined ? [] : [formatDataElement('given-log', log)]),
  ].join('\n');
  const html = readFileMatching(/^index\.html$/)
    .replaceAll(/<script\b[^>]*src=[^>]*><\/script>|<link rel="(?:stylesheet|modulepreload)"[^>]*>/g, '')
    .replace('</head>', () => `<style>${cssText}</style></head>`)
    .replace('</body>', () => `${embeddedDataElements}\n<script type="module">${scriptText}</script></body>`);
  return addSecurityPolicyToPage(
    html,
    makeSecurityPolicyOfSingleFile(
      [computeContentSecurityHash(scriptText)],
      [computeContentSecurityHash(cssText)],
    ),
  );
}

// Content security policies of the pages of the explorer

/** Source expression for scripts: the only code evaluated from data is WebAssembly. */
const WASM_SCRIPT_SOURCE = "'wasm-unsafe-eval'";

/**
 * Content security policy of the served page: only its own files. Its worker is created from its text, so
 * that the policy also applies to the worker and user-written functions. After loading, the page blocks
 * access to its files.
 */
const PAGE_SECURITY_POLICY = [
  "default-src 'none'",
  `script-src 'self' blob: ${WASM_SCRIPT_SOURCE}`,
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  'worker-src blob:',
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/**
 * Content security policy of the report of a folder, a foreign page: its scripts can access neither the
 * explorer nor its files.
 */
const REPORT_SECURITY_POLICY = [
  'sandbox allow-scripts allow-downloads',
  "default-src 'none'",
  "script-src 'unsafe-inline' blob:",
  "style-src 'unsafe-inline'",
  'img-src data: blob:',
].join('; ');

/**
 * Content security policy of the single-file page: only scripts and styles with these hashes; worker and
 * functions are created from its own text.
 */
function makeSecurityPolicyOfSingleFile(scripts: readonly string[], cssTexts: readonly string[]): string {
  return [
    "default-src 'none'",
    `script-src ${scripts.join(' ')} blob: ${WASM_SCRIPT_SOURCE}`,
    `style-src ${cssTexts.join(' ')}`,
    'img-src data: blob:',
    'worker-src blob:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}

const SERVER_HOST = '127.0.0.1';

/**
 * Default port, which lets a browser recognize the page; and the number of following ports tried before any
 * free one.
 */
export const DEFAULT_SERVER_PORT = 24_743;
const MAX_TRIED_PORT_COUNT = 10;

/** A listening server. */
export interface RunningServer {
  readonly address: string;
  readonly close: () => Promise<void>;
}

/** Number of random bytes in a token. */
const SERVER_TOKEN_BYTE_COUNT = 32;

/** Response to a missing or wrong token. */
const MISSING_TOKEN_MESSAGE =
  'This address lacks the token of the explorer; open the one that gridalloc explore has printed.\n';

/** Compares two texts in time independent of their contents. */
function areTextsEqualInConstantTime(a: string, b: string): boolean {
  const computeDigest = (contentText: string) => createHash('sha256').update(contentText).digest();
  return timingSafeEqual(computeDigest(a), computeDigest(b));
}

/**
 * Serves a fixed list of files under a path with a random token. Only the address contains the token, so
 * other users of this machine are refused. Requests with a foreign host name are refused too, which prevents
 * DNS rebinding.
 * @param port port number; 0: any free port; undefined: the default port, or the next free one.
 * @param defaultPort default port.
 * @throws InputError for a port in use.
 */
export async function serveFilesWithToken(
  files: ReadonlyMap<string, ExplorerFile>,
  port?: number,
  defaultPort = DEFAULT_SERVER_PORT,
): Promise<RunningServer> {
  const token = randomBytes(SERVER_TOKEN_BYTE_COUNT).toString('base64url');
  const server = createServer((httpRequest, response) => {
    const { port: ownPort } = server.address() as AddressInfo;
    const [, givenToken = '', ...path] = (httpRequest.url ?? '').replace(/\?.*/s, '').split('/');
    const fileName = path.join('/') || 'index.html';
    const isLocalRequest = [`${SERVER_HOST}:${ownPort}`, `localhost:${ownPort}`].includes(
      httpRequest.headers.host ?? '',
    );
    const isAllowed = areTextsEqualInConstantTime(givenToken, token) && isLocalRequest;
    const isReadRequest = httpRequest.method === 'GET' || httpRequest.method === 'HEAD';
    const file = path.length === 0 ? undefined : files.get(fileName);
    const httpStatus = !isAllowed ? 403 : !isReadRequest ? 405 : file === undefined ? 404 : 200;
    response.writeHead(httpStatus, {
      'content-type': file !== undefined && httpStatus === 200 ? file.type : 'text/plain',
      'content-security-policy': `${(httpStatus === 200 && file?.policy) || PAGE_SECURITY_POLICY}; frame-ancestors 'none'`,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': 'no-store',
    });
    const responseBody =
      httpStatus === 200
        ? file?.bytes
        : httpStatus === 403 && isLocalRequest
          ? MISSING_TOKEN_MESSAGE
          : undefined;
    response.end(httpRequest.method === 'HEAD' ? undefined : responseBody);
  });
  await listenOnFirstFreePort(
    server,
    port === undefined
      ? [...Array.from({ length: MAX_TRIED_PORT_COUNT }, (_, i) => defaultPort + i), 0]
      : [port],
  );
  return {
    address: `http://${SERVER_HOST}:${(server.address() as AddressInfo).port}/${token}/`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Listens on the first free port of a list. */
async function listenOnFirstFreePort(
  server: Server,
  [port = 0, ...others]: readonly number[],
): Promise<void> {
  const error = await new Promise<NodeJS.ErrnoException | undefined>((resolve) => {
    const settleListenPromise = (listenError?: NodeJS.ErrnoException) => {
      server.off('error', settleListenPromise).off('listening', settleListenPromise);
      resolve(listenError);
    };
    server.once('error', settleListenPromise).once('listening', settleListenPromise);
    server.listen(port, SERVER_HOST);
  });
  if (error === undefined) return;
  if (others.length > 0) return listenOnFirstFreePort(server, others);
  const listenErrorReason = error.code === 'EADDRINUSE' ? 'is in use' : `is not available (${error.message})`;
  throw new InputError(`--port ${port} ${listenErrorReason}; give another, 0 for any free port, or none`);
}
