/** Arrays for the loops over jobs (loops.ts) and lines (lineLoops.ts), and the loops as they run on them: compiled to WebAssembly, or as JavaScript. */
import { LOOPS } from './compiledLoops.js';
import { readLogLines } from './lineLoops.js';
import { addKnownText, forgetKnownTexts } from './lineTexts.js';
import * as overJobs from './loops.js';

const typeScriptLoops = {
  ...overJobs,
  readLogLines,
  addKnownText,
  forgetKnownTexts,
};

/** The arrays that loops take. */
const TYPED_ARRAY_KINDS = { bytes: Uint8Array, ints: Int32Array, doubles: Float64Array } as const;
interface LoopArrays {
  readonly bytes: Uint8Array;
  readonly ints: Int32Array;
  readonly doubles: Float64Array;
}
type LoopArrayKind = keyof LoopArrays;
type AnyLoopArray = LoopArrays[LoopArrayKind];

/** The arrays wanted, by name: their kinds and lengths, or arrays with their contents. */
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

/** Arrays, and loops that take these and no others. */
export interface LoopWorkspace<L extends LoopArrayLayout> {
  readonly arrays: { readonly [Name in keyof L]: LayoutEntryArray<L[Name]> };
  readonly loops: LoopFunctions;
  /** An array that the workspace has made, as it lasts: a copy where later workspaces overwrite it. */
  readonly keep: <A extends AnyLoopArray>(array: A) => A;
}

/**
 * How many numbers are worth copying for the compiled loops: with fewer, making an instance takes longer than interpreting; with more, an
 * engine has compiled the loop itself before long, and the copy would only take memory.
 */
const [MIN_COMPILED_LENGTH, MAX_COMPILED_LENGTH] = [4096, 1 << 20];

/** True if compiled loops over this many numbers are faster. */
export const isWorthCompilingLoops = (count: number) =>
  count >= MIN_COMPILED_LENGTH && count <= MAX_COMPILED_LENGTH;

/** The compiled loops; null on hosts that do not allow compiling. */
let compiledLoopsModule: WebAssembly.Module | null | undefined;

/**
 * Makes arrays, of zeros unless they are given, and loops for them.
 * @param usesCompiledLoops whether the loops are WebAssembly, where the host allows that, and given arrays copied; otherwise these are taken as they are.
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

/** The instance of the last workspace that is no longer used, for the next one. */
let idleLoopsInstance: WebAssembly.Instance | undefined;

/** The same for as long as a function runs; later workspaces overwrite its arrays. */
export function withLoopWorkspace<const L extends LoopArrayLayout, T>(
  layout: L,
  useFunction: (workspace: LoopWorkspace<L>) => T,
  usesCompiledLoops = true,
): T {
  const module = usesCompiledLoops ? compileLoops() : null;
  if (module === null) return useFunction(makeTypeScriptWorkspace(layout));
  const isNew = idleLoopsInstance === undefined;
  const instance = idleLoopsInstance ?? new WebAssembly.Instance(module);
  idleLoopsInstance = undefined;
  try {
    return useFunction(makeCompiledWorkspace(layout, instance, isNew));
  } finally {
    idleLoopsInstance = instance;
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
  const made = Object.entries(layout).map(([name, entry]) => [
    name,
    ArrayBuffer.isView(entry) ? entry : new TYPED_ARRAY_KINDS[entry[0]](entry[1]),
  ]);
  const keep = (array: AnyLoopArray) => array;
  return { arrays: Object.fromEntries(made), loops: typeScriptLoops, keep } as unknown as LoopWorkspace<L>;
}

/** Bytes of a page of memory. */
const WASM_PAGE_BYTES = 65_536;
/** Bytes before each array for what AssemblyScript knows of it: the addresses of its buffer and of its numbers, and how many bytes these are. */
const ARRAY_HEADER_BYTES = 16;

/** @param isNew whether the memory of the instance is still all zeros; what is not touched of it takes no memory. */
function makeCompiledWorkspace<L extends LoopArrayLayout>(
  layout: L,
  { exports }: WebAssembly.Instance,
  isNew: boolean,
): LoopWorkspace<L> {
  const memory = exports.memory as WebAssembly.Memory;
  let end = WASM_PAGE_BYTES;
  const places = Object.entries(layout).map(([name, entry]) => {
    const head = end;
    const [type, length] = ArrayBuffer.isView(entry)
      ? [entry.constructor as (typeof TYPED_ARRAY_KINDS)[LoopArrayKind], entry.length]
      : [TYPED_ARRAY_KINDS[entry[0]], entry[1]];
    end += ARRAY_HEADER_BYTES + Math.ceil((type.BYTES_PER_ELEMENT * length) / 8) * 8;
    return { name, entry, head, type, length };
  });
  const missing = Math.ceil(end / WASM_PAGE_BYTES) - memory.buffer.byteLength / WASM_PAGE_BYTES;
  if (missing > 0) memory.grow(missing);
  const arrayHeaders = new Map<unknown, number>();
  const arrays: Record<string, AnyLoopArray> = {};
  for (const { name, entry, head, type, length } of places) {
    const array = new type(memory.buffer, head + ARRAY_HEADER_BYTES, length);
    if (ArrayBuffer.isView(entry)) array.set(entry);
    else if (!isNew) array.fill(0);
    // The address of a buffer is of no use here.
    new Uint32Array(memory.buffer, head, 3).set([0, array.byteOffset, array.byteLength]);
    arrayHeaders.set(array, head);
    arrays[name] = array;
  }
  const addressOrValue = (input: unknown) => (typeof input === 'number' ? input : arrayHeaders.get(input));
  const loopFunctions = Object.entries(exports).filter(([, loop]) => typeof loop === 'function');
  const loops = loopFunctions.map(([name, loop]) => [
    name,
    (...input: unknown[]) => (loop as CallableFunction)(...input.map(addressOrValue)),
  ]);
  const keep = (array: AnyLoopArray) => array.slice();
  return { arrays, loops: Object.fromEntries(loops), keep } as unknown as LoopWorkspace<L>;
}
