/** Loads user-written functions; each is the text of a file like those of `--policy FILE.js`. */
import { describeThrownValue, InputError } from '../../../host/errors.js';
import { provideCodeFile } from '../../../host/providedCode.js';
import type { CodeFileText } from '../protocol.js';

/**
 * Globals that user-written functions may use: the language, and a console. The worker's platform is out of
 * reach, by name and by prototype.
 */
const ALLOWED_GLOBAL_NAMES = new Set<string | symbol>([
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
  // The console prints to the browser's developer tools only.
  'console',
]);

/**
 * Blocks everything but the language in this worker. Its own code uses copies of the platform functions under
 * other names (`vite.config.ts`).
 */
export function removePlatformGlobals(): void {
  for (let owner = globalThis as object; owner !== Object.prototype; owner = Object.getPrototypeOf(owner)) {
    for (const globalName of Reflect.ownKeys(owner)) {
      const isAllowedGlobal = owner === globalThis && ALLOWED_GLOBAL_NAMES.has(globalName);
      if (isAllowedGlobal || Reflect.deleteProperty(owner, globalName)) continue;
      // Numeric constants are harmless and may stay.
      if (typeof Object.getOwnPropertyDescriptor(owner, globalName)?.value === 'number') continue;
      throw new Error(`${String(globalName)} cannot be blocked`);
    }
  }
}

/**
 * Runs a file as a module, and registers its exports under the file's name.
 * @throws InputError if the file does not run or has no default function.
 */
export async function registerUserCode({ name: fileName, text: fileText }: CodeFileText): Promise<void> {
  const codeBlob = new Blob([`${fileText}\n//# sourceURL=${fileName}`], { type: 'text/javascript' });
  const url = URL.createObjectURL(codeBlob);
  let exports: Record<string, unknown>;
  try {
    exports = (await import(/* @vite-ignore */ url)) as Record<string, unknown>;
  } catch (error) {
    throw new InputError(`${fileName} cannot be loaded: ${describeThrownValue(error, fileName)}`);
  } finally {
    URL.revokeObjectURL(url);
  }
  if (typeof exports.default !== 'function') {
    const exportProblem = 'default' in exports ? `is ${typeof exports.default}` : 'is missing';
    throw new InputError(
      `${fileName}: its default export ${exportProblem}, expected a function: export default (job) => ...`,
    );
  }
  provideCodeFile({ name: fileName, text: fileText, sha256: '', exports });
}
