/** Loads the page's other parts: from the web server, or embedded in the page if that is a single file. */

import type { Report } from '../../host/view/report.js';
import type { CodeFileText, Texts } from './protocol.js';
import builtWorker from './worker/worker.ts?worker&url';

/** Returns the embedded data with this id; undefined on a page from a server. */
function readEmbeddedAsset(id: string): Uint8Array<ArrayBuffer> | undefined {
  const embeddedBase64Text = document.getElementById(id)?.textContent;
  if (embeddedBase64Text === null || embeddedBase64Text === undefined) return undefined;
  return Uint8Array.from(atob(embeddedBase64Text), (character) => character.charCodeAt(0));
}

async function loadEmbeddedOrFetch(id: string, path: string): Promise<ArrayBuffer> {
  const bytes = readEmbeddedAsset(id);
  if (bytes !== undefined) return bytes.buffer;
  const response = await fetch(path);
  if (!response.ok) throw new Error(`the server of this page does not have ${path}`);
  return response.arrayBuffer();
}

/** Loads both builds of the core. */
export async function loadExplorerCores(): Promise<{ release: ArrayBuffer; explaining: ArrayBuffer }> {
  const [release, explaining] = await Promise.all(
    ['release', 'explaining'].map((core) => loadEmbeddedOrFetch(`core-${core}`, `core/${core}.wasm`)),
  );
  return { release, explaining };
}

/**
 * Loads the worker's code and returns its address. The address is a blob made from text, so the worker
 * inherits the page's content security policy.
 */
export async function loadWorkerScript(): Promise<string> {
  const workerCode = await loadEmbeddedOrFetch('worker-code', builtWorker);
  return URL.createObjectURL(new Blob([workerCode], { type: 'text/javascript' }));
}

/** Content security policy after loading: no requests, scripts only from blobs. */
const OFFLINE_SECURITY_POLICY = "connect-src 'none'; script-src blob: 'wasm-unsafe-eval'; worker-src blob:";

/** Forbids all further network requests of the page and of workers created later. */
export function forbidNetworkRequests(): void {
  const policy = document.createElement('meta');
  policy.httpEquiv = 'Content-Security-Policy';
  policy.content = OFFLINE_SECURITY_POLICY;
  document.head.append(policy);
}

/** Reported results of the folder that the page shows. */
export interface ReportedFolderResults {
  readonly results?: Pick<Report, 'title' | 'highlights' | 'checks' | 'tables'>;
  /** True if a report.html lies in the page's folder. */
  readonly hasReport?: boolean;
}

/** Initial state of the page, as written by the server or by the export. */
export interface InitialPageState extends ReportedFolderResults {
  readonly options?: Texts;
  readonly methods?: readonly Texts[];
  readonly code?: readonly CodeFileText[];
  readonly log?: ArrayBuffer;
}

/** Loads the page's initial state; empty if there is none. */
export async function loadInitialState(): Promise<InitialPageState> {
  const bytes = await loadEmbeddedOrFetch('given', 'given.json').catch(() => undefined);
  if (bytes === undefined) return {};
  const { hasLog, ...input } = JSON.parse(new TextDecoder().decode(bytes)) as InitialPageState & {
    hasLog?: boolean;
  };
  return hasLog ? { ...input, log: await loadEmbeddedOrFetch('given-log', 'given.swf') } : input;
}
