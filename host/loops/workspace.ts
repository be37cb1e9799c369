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
type Kind = keyof LoopArrays;
type AnyLoopArray = LoopArrays[Kind];

/** The arrays wanted, by name: their kinds and lengths, or arrays with their contents. */
type WorkspaceLayout = Readonly<Record<string, readonly [kind: Kind, length: number] | AnyLoopArray>>;
type ArrayOfLayoutEntry<Entry> = Entry extends readonly [infer K extends Kind, number]
  ? LoopArrays[K]
  : Entry;

/** Functions of a file of loops, without its constants. */
type FunctionsOfModule<Module> = {
  readonly [Name in keyof Module as Module[Name] extends CallableFunction ? Name : never]: Module[Name];
};
type Loops = FunctionsOfModule<typeof typeScriptLoops>;

/** Arrays, and loops that take these and no others. */
export interface Workspace<L extends WorkspaceLayout> {
  readonly arrays: { readonly [Name in keyof L]: ArrayOfLayoutEntry<L[Name]> };
  readonly loops: Loops;
  /** An array that the workspace has made, as it lasts: a copy where later workspaces overwrite it. */
  readonly keep: <A extends AnyLoopArray>(array: A) => A;
}

/**
 * How many numbers are worth copying for the compiled loops: with fewer, making an instance takes longer than interpreting; with more, an
 * engine has compiled the loop itself before long, and the copy would only take memory.
 */
const [MIN_COMPILED_LENGTH, MAX_COMPILED_LENGTH] = [4096, 1 << 20];

/** True if compiled loops over this many numbers are faster. */
export const isWorthCompiledLoops = (count: number) =>
  count >= MIN_COMPILED_LENGTH && count <= MAX_COMPILED_LENGTH;

/** The compiled loops; null on hosts that do not allow compiling. */
let compiledLoopsModule: WebAssembly.Module | null | undefined;

/**
 * Makes arrays, of zeros unless they are given, and loops for them.
 * @param usesCompiledLoops whether the loops are WebAssembly, where the host allows that, and given arrays copied; otherwise these are taken as they are.
 */
export function makeWorkspace<const L extends WorkspaceLayout>(
  layout: L,
  usesCompiledLoops = true,
): Workspace<L> {
  const module = usesCompiledLoops ? compileLoops() : null;
  return module === null
    ? makePlainWorkspace(layout)
    : makeCompiledWorkspace(layout, new WebAssembly.Instance(module), true);
}

/** The instance of the last workspace that is no longer used, for the next one. */
let idleLoopsInstance: WebAssembly.Instance | undefined;

/** The same for as long as a function runs; later workspaces overwrite its arrays. */
export function useWorkspace<const L extends WorkspaceLayout, T>(
  layout: L,
  useFunction: (workspace: Workspace<L>) => T,
  usesCompiledLoops = true,
): T {
  const module = usesCompiledLoops ? compileLoops() : null;
  if (module === null) return useFunction(makePlainWorkspace(layout));
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

function makePlainWorkspace<L extends WorkspaceLayout>(layout: L): Workspace<L> {
  const made = Object.entries(layout).map(([name, entry]) => [
    name,
    ArrayBuffer.isView(entry) ? entry : new TYPED_ARRAY_KINDS[entry[0]](entry[1]),
  ]);
  const keep = (array: AnyLoopArray) => array;
  return { arrays: Object.fromEntries(made), loops: typeScriptLoops, keep } as unknown as Workspace<L>;
}

/** Bytes of a page of memory. */
const PAGE_BYTES = 65_536;
/** Bytes before each array for what AssemblyScript knows of it: the addresses of its buffer and of its numbers, and how many bytes these are. */
const ARRAY_HEADER_BYTES = 16;

/** @param isNew whether the memory of the instance is still all zeros; what is not touched of it takes no memory. */
function makeCompiledWorkspace<L extends WorkspaceLayout>(
  layout: L,
  { exports }: WebAssembly.Instance,
  isNew: boolean,
): Workspace<L> {
  const memory = exports.memory as WebAssembly.Memory;
  let end = PAGE_BYTES;
  const places = Object.entries(layout).map(([name, entry]) => {
    const head = end;
    const [type, length] = ArrayBuffer.isView(entry)
      ? [entry.constructor as (typeof TYPED_ARRAY_KINDS)[Kind], entry.length]
      : [TYPED_ARRAY_KINDS[entry[0]], entry[1]];
    end += ARRAY_HEADER_BYTES + Math.ceil((type.BYTES_PER_ELEMENT * length) / 8) * 8;
    return { name, entry, head, type, length };
  });
  const missing = Math.ceil(end / PAGE_BYTES) - memory.buffer.byteLength / PAGE_BYTES;
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
  return { arrays, loops: Object.fromEntries(loops), keep } as unknown as Workspace<L>;
}
