/** Functions of the user's: each is the text of a file, as `--policy FILE.js` takes it. */
import { InputError, thrownText } from '../../../host/errors.js';
import { type CodeFile, codeNamed, isCodeName, provideCode } from '../../../host/options/code.js';
import type { CodeText, Setup } from '../protocol.js';

/** What a function does not need: what reaches beyond this worker. */
const BEYOND = [
  ...['fetch', 'XMLHttpRequest', 'WebSocket', 'EventSource', 'WebTransport', 'importScripts', 'Worker'],
  ...['indexedDB', 'caches', 'BroadcastChannel'],
];

/** Takes from this worker all that reaches beyond it, so that functions have it neither. */
export function closeOff(): void {
  for (const name of BEYOND) Object.defineProperty(globalThis, name, { value: undefined });
}

/**
 * Runs a file as a module, and makes its exports known by its name.
 * @throws InputError when it does not run, or does not export a function by default.
 */
export async function loadCode({ name, text }: CodeText): Promise<void> {
  const blob = new Blob([`${text}\n//# sourceURL=${name}`], { type: 'text/javascript' });
  const url = URL.createObjectURL(blob);
  let exports: Record<string, unknown>;
  try {
    exports = (await import(/* @vite-ignore */ url)) as Record<string, unknown>;
  } catch (error) {
    throw new InputError(`${name} cannot be loaded: ${thrownText(error, name)}`);
  } finally {
    URL.revokeObjectURL(url);
  }
  if (typeof exports.default !== 'function') {
    const found = 'default' in exports ? `is ${typeof exports.default}` : 'is missing';
    throw new InputError(
      `${name}: its default export ${found}, expected a function: export default (job) => ...`,
    );
  }
  provideCode({ name, text, sha256: '', exports });
}

/** The files with functions that a setup names. */
export function codeIn({ options, methods }: Setup): CodeFile[] {
  const names = [options, ...methods].flatMap((texts) => Object.values(texts)).filter(isCodeName);
  return [...new Set(names)].filter((name) => name !== options.workload).map((name) => codeNamed(name, name));
}
