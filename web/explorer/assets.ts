/** What else the page needs: beside it on a web server, or inside it where it is one file. */

import type { Report } from '../../host/show/report.js';
import type { CodeText, Texts } from './protocol.js';
import builtWorker from './worker/worker.ts?worker&url';

/** What is embedded under a name; undefined on a page from a server. */
function embedded(id: string): Uint8Array<ArrayBuffer> | undefined {
  const text = document.getElementById(id)?.textContent;
  if (text === null || text === undefined) return undefined;
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}

async function load(id: string, path: string): Promise<ArrayBuffer> {
  const bytes = embedded(id);
  if (bytes !== undefined) return bytes.buffer;
  const response = await fetch(path);
  if (!response.ok) throw new Error(`the server of this page does not have ${path}`);
  return response.arrayBuffer();
}

/** The builds of the core. */
export async function loadCores(): Promise<{ release: ArrayBuffer; explaining: ArrayBuffer }> {
  const [release, explaining] = await Promise.all(
    ['release', 'explaining'].map((core) => load(`core-${core}`, `core/${core}.wasm`)),
  );
  return { release, explaining };
}

/** Where the code of the worker is: it is made from its text, and so has the policy of the page. */
export async function loadWorker(): Promise<string> {
  const code = await load('worker-code', builtWorker);
  return URL.createObjectURL(new Blob([code], { type: 'text/javascript' }));
}

/** What holds once all is loaded, on any server and in one file: nothing more is fetched, and scripts are made from text. */
const SEALED = "connect-src 'none'; script-src blob: 'wasm-unsafe-eval'; worker-src blob:";

/** Closes the way to where the page is from, for the page and for the workers that it makes from now on. */
export function seal(): void {
  const policy = document.createElement('meta');
  policy.httpEquiv = 'Content-Security-Policy';
  policy.content = SEALED;
  document.head.append(policy);
}

/** What the folder that is shown says of its results. */
export interface Results {
  readonly results?: Pick<Report, 'title' | 'highlights' | 'checks' | 'tables'>;
  /** Whether its report.html is beside the page. */
  readonly hasReport?: boolean;
}

/** What the page is to show first. */
export interface Given extends Results {
  readonly options?: Texts;
  readonly methods?: readonly Texts[];
  readonly code?: readonly CodeText[];
  readonly log?: ArrayBuffer;
}

/** What the server or the writer of the page has given. */
export async function loadGiven(): Promise<Given> {
  const bytes = await load('given', 'given.json').catch(() => undefined);
  if (bytes === undefined) return {};
  const { hasLog, ...given } = JSON.parse(new TextDecoder().decode(bytes)) as Given & { hasLog?: boolean };
  return hasLog ? { ...given, log: await load('given-log', 'given.swf') } : given;
}
