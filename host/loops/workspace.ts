/**
 * Arrays for the loops over jobs (loops.ts) and lines (lineLoops.ts), together with the loops: compiled to
 * WebAssembly, or as JavaScript.
 */
import { LOOPS } from './compiledLoops.js';
import { readLogLines } from './lineLoops.js';
import { addKnownText, forgetKnownTexts } from './lineTexts.js';
import * as jobLoops from './loops.js';

const typeScriptLoops = {
  ...jobLoops,
  readLogLines,
  addKnownText,
  forgetKnownTexts,
};

/** Kinds of arrays that loops use. */
const TYPED_ARRAY_KINDS = { bytes: Uint8Array, ints: Int32Array, doubles: Float64Array } as const;
interface LoopArrays {
  readonly bytes: Uint8Array;
  readonly ints: Int32Array;
  readonly doubles: Float64Array;
}
type LoopArrayKind = keyof LoopArrays;
type AnyLoopArray = LoopArrays[LoopArrayKind];

/** Requested arrays by name: kinds and lengths, or existing arrays. */
type LoopArrayLayout = Readonly<
  Record<string, readonly [kind: LoopArrayKind, length: number] | AnyLoopArray>
>;
type LayoutEntryArray<Entry> = Entry extends readonly [infer K extends LoopArrayKind, number]
  ? LoopArrays[K]
  : Entry;

/** Functions of a file of loops, without its constants. */
type FunctionsOfModule<Module> = {
  readonly [Name in keyof Module as Module[Name] extends CallableFunction ? Name : never]: Module[Name];
};
type LoopFunctions = FunctionsOfModule<typeof typeScriptLoops>;

/** Arrays, and the loops that operate on them. */
export interface LoopWorkspace<L extends LoopArrayLayout> {
  readonly arrays: { readonly [Name in keyof L]: LayoutEntryArray<L[Name]> };
  readonly loops: LoopFunctions;
  /** Returns a permanent version of an array: a copy if later workspaces would overwrite it. */
  readonly keep: <A extends AnyLoopArray>(array: A) => A;
}

/**
 * Range of lengths for which compiled loops pay off. For shorter arrays, instantiation takes longer than
 * interpreting; for longer ones, the engine soon compiles the loop itself, and a copy would waste memory.
 */
const [MIN_COMPILED_LENGTH, MAX_COMPILED_LENGTH] = [4096, 1 << 20];

/** True if compiled loops over this many numbers are faster. */
export const isWorthCompilingLoops = (recordCount: number) =>
  recordCount >= MIN_COMPILED_LENGTH && recordCount <= MAX_COMPILED_LENGTH;

/** Compiled loops; null on hosts that do not permit compilation. */
let compiledLoopsModule: WebAssembly.Module | null | undefined;

/**
 * Creates arrays (zeros unless given) and loops for them.
 * @param usesCompiledLoops true to use WebAssembly, if permitted, with given arrays copied; otherwise given
 * arrays are used directly.
 */
export function makeLoopWorkspace<const L extends LoopArrayLayout>(
  layout: L,
  usesCompiledLoops = true,
): LoopWorkspace<L> {
  const module = usesCompiledLoops ? compileLoops() : null;
  return module === null
    ? makeTypeScriptWorkspace(layout)
    : makeCompiledWorkspace(layout, new WebAssembly.Instance(module), true);
}

/** Instance whose workspace is no longer used; the next workspace overwrites its arrays. */
let idleLoopsInstance: WebAssembly.Instance | undefined;

/** Creates a workspace for the duration of a function; later workspaces overwrite its arrays. */
export function withLoopWorkspace<const L extends LoopArrayLayout, T>(
  layout: L,
  useFunction: (workspace: LoopWorkspace<L>) => T,
  usesCompiledLoops = true,
): T {
  const module = usesCompiledLoops ? compileLoops() : null;
  if (module === null) return useFunction(makeTypeScriptWorkspace(layout));
  const isMemoryZero = idleLoopsInstance === undefined;
  const wasmInstance = idleLoopsInstance ?? new WebAssembly.Instance(module);
  idleLoopsInstance = undefined;
  try {
    return useFunction(makeCompiledWorkspace(layout, wasmInstance, isMemoryZero));
  } finally {
    idleLoopsInstance = wasmInstance;
  }
}

function compileLoops(): WebAssembly.Module | null {
  if (compiledLoopsModule !== undefined) return compiledLoopsModule;
  try {
    compiledLoopsModule = new WebAssembly.Module(
      Uint8Array.from(atob(LOOPS), (letter) => letter.charCodeAt(0)),
    );
  } catch {
    compiledLoopsModule = null;
  }
  return compiledLoopsModule;
}

function makeTypeScriptWorkspace<L extends LoopArrayLayout>(layout: L): LoopWorkspace<L> {
  const arrayEntries = Object.entries(layout).map(([name, entry]) => [
    name,
    ArrayBuffer.isView(entry) ? entry : new TYPED_ARRAY_KINDS[entry[0]](entry[1]),
  ]);
  const keep = (array: AnyLoopArray) => array;
  return {
    arrays: Object.fromEntries(arrayEntries),
    loops: typeScriptLoops,
    keep,
  } as unknown as LoopWorkspace<L>;
}

/** Size of a WebAssembly memory page in bytes. */
const WASM_PAGE_BYTES = 65_536;
/**
 * Size in bytes of the header before each array: addresses of its buffer and data, and the length in bytes,
 * as AssemblyScript expects.
 */
const ARRAY_HEADER_BYTES = 16;

/**
 * @param isMemoryZero true if the memory of the instance is still zero; untouched parts then take no physical
 * memory.
 */
function makeCompiledWorkspace<L extends LoopArrayLayout>(
  layout: L,
  { exports }: WebAssembly.Instance,
  isMemoryZero: boolean,
): LoopWorkspace<L> {
  const memory = exports.memory as WebAssembly.Memory;
  let memoryEnd = WASM_PAGE_BYTES;
  const arrayPlacements = Object.entries(layout).map(([name, entry]) => {
    const headerAddress = memoryEnd;
    const [arrayType, length] = ArrayBuffer.isView(entry)
      ? [entry.constructor as (typeof TYPED_ARRAY_KINDS)[LoopArrayKind], entry.length]
      : [TYPED_ARRAY_KINDS[entry[0]], entry[1]];
    memoryEnd += ARRAY_HEADER_BYTES + Math.ceil((arrayType.BYTES_PER_ELEMENT * length) / 8) * 8;
    return { name, entry, headerAddress, arrayType, length };
  });
  const missingPages = Math.ceil(memoryEnd / WASM_PAGE_BYTES) - memory.buffer.byteLength / WASM_PAGE_BYTES;
  if (missingPages > 0) memory.grow(missingPages);
  const headerAddressByArray = new Map<unknown, number>();
  const arrays: Record<string, AnyLoopArray> = {};
  for (const { name: arrayName, entry, headerAddress, arrayType, length } of arrayPlacements) {
    const array = new arrayType(memory.buffer, headerAddress + ARRAY_HEADER_BYTES, length);
    if (ArrayBuffer.isView(entry)) array.set(entry);
    else if (!isMemoryZero) array.fill(0);
    // The address of a buffer is of no use here.
    new Uint32Array(memory.buffer, headerAddress, 3).set([0, array.byteOffset, array.byteLength]);
    headerAddressByArray.set(array, headerAddress);
    arrays[arrayName] = array;
  }
  const toAddressOrValue = (argument: unknown) =>
    typeof argument === 'number' ? argument : headerAddressByArray.get(argument);
  const loopFunctions = Object.entries(exports).filter(([, loop]) => typeof loop === 'function');
  const loopEntries = loopFunctions.map(([name, loop]) => [
    name,
    (...loopArguments: unknown[]) => (loop as CallableFunction)(...loopArguments.map(toAddressOrValue)),
  ]);
  const keep = (array: AnyLoopArray) => array.slice();
  return { arrays, loops: Object.fromEntries(loopEntries), keep } as unknown as LoopWorkspace<L>;
}
