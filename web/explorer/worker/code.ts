/** Functions of the user's: each is the text of a file, as `--policy FILE.js` takes it. */
import { InputError, thrownText } from '../../../host/errors.js';
import { provideCode } from '../../../host/options/providedCode.js';
import type { CodeText } from '../protocol.js';

/** What a function has: the language, and a console to find mistakes with. Of the platform it has nothing, neither by name nor by the prototypes of this worker. */
const LANGUAGE = new Set<string | symbol>([
  ...['globalThis', 'Infinity', 'NaN', 'undefined', 'eval', 'isFinite', 'isNaN', 'parseFloat', 'parseInt'],
  ...['decodeURI', 'decodeURIComponent', 'encodeURI', 'encodeURIComponent', 'escape', 'unescape'],
  ...[
    'Object',
    'Function',
    'Boolean',
    'Symbol',
    'Number',
    'BigInt',
    'Math',
    'Date',
    'String',
    'RegExp',
    'Temporal',
  ],
  ...['Array', 'Int8Array', 'Uint8Array', 'Uint8ClampedArray', 'Int16Array', 'Uint16Array', 'Int32Array'],
  ...['Uint32Array', 'BigInt64Array', 'BigUint64Array', 'Float16Array', 'Float32Array', 'Float64Array'],
  ...['Map', 'Set', 'WeakMap', 'WeakSet', 'WeakRef', 'FinalizationRegistry', 'Iterator', 'AsyncIterator'],
  ...[
    'ArrayBuffer',
    'SharedArrayBuffer',
    'DataView',
    'Atomics',
    'JSON',
    'Promise',
    'Proxy',
    'Reflect',
    'Intl',
  ],
  ...['Error', 'AggregateError', 'EvalError', 'RangeError', 'ReferenceError', 'SyntaxError', 'TypeError'],
  ...['URIError', 'SuppressedError', 'DisposableStack', 'AsyncDisposableStack'],
  // What it prints goes to the tools of the browser, and nowhere else.
  'console',
]);

/**
 * Takes all but the language from this worker. What its own code needs of the platform it has taken before by names of
 * its own (`vite.config.ts`).
 */
export function closeOff(): void {
  for (let owner = globalThis as object; owner !== Object.prototype; owner = Object.getPrototypeOf(owner)) {
    for (const key of Reflect.ownKeys(owner)) {
      const isKept = owner === globalThis && LANGUAGE.has(key);
      if (isKept || Reflect.deleteProperty(owner, key)) continue;
      // Constants stay, numbers that lead nowhere.
      if (typeof Object.getOwnPropertyDescriptor(owner, key)?.value === 'number') continue;
      throw new Error(`${String(key)} cannot be blocked`);
    }
  }
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
