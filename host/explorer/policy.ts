/** What pages of the explorer may load and do, as content security policies. */

/** Core and code: nothing is evaluated from text but WebAssembly. */
const WASM = "'wasm-unsafe-eval'";

/** Its own files, and nothing from elsewhere. */
function ownFiles(more: string): string {
  return [
    "default-src 'none'",
    `script-src 'self'${more} ${WASM}`,
    "style-src 'self'",
    "img-src 'self' data: blob:",
    "connect-src 'self'",
    `worker-src 'self'${more}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}

/** Of the page from our server, which has another for the worker. */
export const PAGE_POLICY = ownFiles('');

/** Of the page from any web server, for its worker too: that one is made from its text, and so are functions in it. */
export const FOLDER_POLICY = ownFiles(' blob:');

/** Of the worker: the core, and functions of the user's once they are started; neither reaches any network. */
export const WORKER_POLICY = `default-src 'none'; script-src 'self' blob: ${WASM}`;

/** Of the page in one file: the scripts and styles of these hashes; its worker and functions are made from its own text. */
export function inlinedPolicy(scripts: readonly string[], styles: readonly string[]): string {
  return [
    "default-src 'none'",
    `script-src ${scripts.join(' ')} blob: ${WASM}`,
    `style-src ${styles.join(' ')}`,
    'img-src data: blob:',
    'worker-src blob:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}
