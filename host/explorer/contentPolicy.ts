/** What pages of the explorer may load and do, as content security policies. */

/** Core and code: nothing is evaluated from text but WebAssembly. */
const WASM = "'wasm-unsafe-eval'";

/**
 * Of the page from a web server: its own files, and nothing from elsewhere. Its worker is made from its text, so that the
 * policy is the worker's too, and so are functions in that. Once it has loaded its files the page closes the way to them itself.
 */
export const PAGE_POLICY = [
  "default-src 'none'",
  `script-src 'self' blob: ${WASM}`,
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  'worker-src blob:',
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

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
