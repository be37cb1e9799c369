/** Arrays for the loops over jobs (loops.ts) and lines (lineLoops.ts), and the loops as they run on them: compiled to WebAssembly, or as JavaScript. */
import { LOOPS } from './compiledLoops.js';
import { readLines } from './lineLoops.js';
import { forgetTexts, learnText } from './lineTexts.js';
import * as overJobs from './loops.js';

const plainLoops = { ...overJobs, readLines, learnText, forgetTexts };

/** The arrays that loops take. */
const ARRAY_KINDS = { bytes: Uint8Array, ints: Int32Array, doubles: Float64Array } as const;
interface Arrays {
  readonly bytes: Uint8Array;
  readonly ints: Int32Array;
  readonly doubles: Float64Array;
}
type Kind = keyof Arrays;
type AnyArray = Arrays[Kind];

/** The arrays wanted, by name: their kinds and lengths, or arrays with their contents. */
type Layout = Readonly<Record<string, readonly [kind: Kind, length: number] | AnyArray>>;
type ArrayFor<Entry> = Entry extends readonly [infer K extends Kind, number] ? Arrays[K] : Entry;

/** Functions of a file of loops, without its constants. */
type Functions<Module> = {
  readonly [Name in keyof Module as Module[Name] extends CallableFunction ? Name : never]: Module[Name];
};
type Loops = Functions<typeof plainLoops>;

/** Arrays, and loops that take these and no others. */
export interface Workspace<L extends Layout> {
  readonly arrays: { readonly [Name in keyof L]: ArrayFor<L[Name]> };
  readonly loops: Loops;
  /** An array that the workspace has made, as it lasts: a copy where later workspaces overwrite it. */
  readonly keep: <A extends AnyArray>(array: A) => A;
}

/**
 * How many numbers are worth copying for the compiled loops: with fewer, making an instance takes longer than interpreting; with more, an
 * engine has compiled the loop itself before long, and the copy would only take memory.
 */
const [MIN_COMPILED_LENGTH, MAX_COMPILED_LENGTH] = [4096, 1 << 20];

/** True if compiled loops over this many numbers are faster. */
export const isWorthCompiling = (count: number) =>
  count >= MIN_COMPILED_LENGTH && count <= MAX_COMPILED_LENGTH;

/** The compiled loops; null on hosts that do not allow compiling. */
let compiledModule: WebAssembly.Module | null | undefined;

/**
 * Makes arrays, of zeros unless they are given, and loops for them.
 * @param isCompiled whether the loops are WebAssembly, where the host allows that, and given arrays copied; otherwise these are taken as they are.
 */
export function workspaceFor<const L extends Layout>(layout: L, isCompiled = true): Workspace<L> {
  const module = isCompiled ? compiledLoops() : null;
  return module === null
    ? plainWorkspace(layout)
    : compiledWorkspace(layout, new WebAssembly.Instance(module), true);
}

/** The instance of the last workspace that is no longer used, for the next one. */
let idleInstance: WebAssembly.Instance | undefined;

/** The same for as long as a function runs; later workspaces overwrite its arrays. */
export function inWorkspace<const L extends Layout, T>(
  layout: L,
  use: (workspace: Workspace<L>) => T,
  isCompiled = true,
): T {
  const module = isCompiled ? compiledLoops() : null;
  if (module === null) return use(plainWorkspace(layout));
  const isNew = idleInstance === undefined;
  const instance = idleInstance ?? new WebAssembly.Instance(module);
  idleInstance = undefined;
  try {
    return use(compiledWorkspace(layout, instance, isNew));
  } finally {
    idleInstance = instance;
  }
}

function compiledLoops(): WebAssembly.Module | null {
  if (compiledModule !== undefined) return compiledModule;
  try {
    compiledModule = new WebAssembly.Module(Uint8Array.from(atob(LOOPS), (letter) => letter.charCodeAt(0)));
  } catch {
    compiledModule = null;
  }
  return compiledModule;
}

function plainWorkspace<L extends Layout>(layout: L): Workspace<L> {
  const made = Object.entries(layout).map(([name, entry]) => [
    name,
    ArrayBuffer.isView(entry) ? entry : new ARRAY_KINDS[entry[0]](entry[1]),
  ]);
  const keep = (array: AnyArray) => array;
  return { arrays: Object.fromEntries(made), loops: plainLoops, keep } as unknown as Workspace<L>;
}

/** Bytes of a page of memory. */
const PAGE_BYTES = 65_536;
/** Bytes before each array for what AssemblyScript knows of it: the addresses of its buffer and of its numbers, and how many bytes these are. */
const HEADER_BYTES = 16;

/** @param isNew whether the memory of the instance is still all zeros; what is not touched of it takes no memory. */
function compiledWorkspace<L extends Layout>(
  layout: L,
  { exports }: WebAssembly.Instance,
  isNew: boolean,
): Workspace<L> {
  const memory = exports.memory as WebAssembly.Memory;
  let end = PAGE_BYTES;
  const places = Object.entries(layout).map(([name, entry]) => {
    const head = end;
    const [type, length] = ArrayBuffer.isView(entry)
      ? [entry.constructor as (typeof ARRAY_KINDS)[Kind], entry.length]
      : [ARRAY_KINDS[entry[0]], entry[1]];
    end += HEADER_BYTES + Math.ceil((type.BYTES_PER_ELEMENT * length) / 8) * 8;
    return { name, entry, head, type, length };
  });
  const missing = Math.ceil(end / PAGE_BYTES) - memory.buffer.byteLength / PAGE_BYTES;
  if (missing > 0) memory.grow(missing);
  const heads = new Map<unknown, number>();
  const arrays: Record<string, AnyArray> = {};
  for (const { name, entry, head, type, length } of places) {
    const array = new type(memory.buffer, head + HEADER_BYTES, length);
    if (ArrayBuffer.isView(entry)) array.set(entry);
    else if (!isNew) array.fill(0);
    // The address of a buffer is of no use here.
    new Uint32Array(memory.buffer, head, 3).set([0, array.byteOffset, array.byteLength]);
    heads.set(array, head);
    arrays[name] = array;
  }
  const addressed = (input: unknown) => (typeof input === 'number' ? input : heads.get(input));
  const functions = Object.entries(exports).filter(([, loop]) => typeof loop === 'function');
  const loops = functions.map(([name, loop]) => [
    name,
    (...input: unknown[]) => (loop as CallableFunction)(...input.map(addressed)),
  ]);
  const keep = (array: AnyArray) => array.slice();
  return { arrays, loops: Object.fromEntries(loops), keep } as unknown as Workspace<L>;
}
