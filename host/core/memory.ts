/** Memory of a core: blocks, free space between them, and the job tables in blocks. */
import { EXTRAS, JOB_COLUMNS } from './contract.js';
import { type Core, findNumberOfEnumMember, throwIfRefused } from './instance.js';

/** Bytes of a page of memory. */
export const MEMORY_PAGE_BYTES = 65536;
/** Alignment of job tables and simulations in bytes. */
export const ADDRESS_ALIGNMENT = 16;
/** Maximum memory of a core in bytes. */
export const MAX_MEMORY_BYTES = 2 ** 32;

/** Rounds an address up to a multiple of 16. */
export function alignAddress(address: number): number {
  return Math.ceil(address / ADDRESS_ALIGNMENT) * ADDRESS_ALIGNMENT;
}

/** A block of memory: address and size in bytes, both 0 while it is not allocated. */
export interface MemoryBlock {
  address: number;
  bytes: number;
}

/** Range of memory in which blocks are allocated without overlap. */
export class Blocks {
  /** Owner of each whole memory, shared by all instances that use it. */
  static readonly #owners = new WeakMap<WebAssembly.Memory, Blocks>();

  readonly #core: Core;
  /** Free ranges in order; no two touch. Addresses and sizes are multiples of 16. */
  readonly #free: { start: number; end: number }[];

  /**
   * Manages a range of memory that nothing else may use: a block from `Blocks.of`, or one thread's part of a
   * shared memory.
   */
  constructor(core: Core, firstAddress: number, limit: number = MAX_MEMORY_BYTES) {
    this.#core = core;
    this.#free = [{ start: alignAddress(firstAddress), end: limit - (limit % ADDRESS_ALIGNMENT) }];
  }

  /** Owner of a core's entire memory; every call returns the same object. */
  static of(core: Core): Blocks {
    const knownBlocks = Blocks.#owners.get(core.memory);
    if (knownBlocks !== undefined) return knownBlocks;
    const blocksOfMemory = new Blocks(core, core.firstAddress());
    Blocks.#owners.set(core.memory, blocksOfMemory);
    return blocksOfMemory;
  }

  /**
   * Enlarges a block to at least this many bytes, moving its content to another address if necessary.
   * @throws Refusal if there is not enough space; the block is then unchanged.
   */
  enlarge(memoryBlock: MemoryBlock, bytes: number): void {
    if (bytes <= memoryBlock.bytes) return;
    const alignedSize = alignAddress(bytes);
    const followingRange =
      memoryBlock.bytes === 0 ? -1 : this.#firstRangeFrom(memoryBlock.address + memoryBlock.bytes);
    const missingBytes = alignedSize - memoryBlock.bytes;
    if (
      this.#rangeStartsAt(followingRange, memoryBlock.address + memoryBlock.bytes) &&
      this.#rangeSize(followingRange) >= missingBytes
    ) {
      this.#allocate(followingRange, missingBytes);
      memoryBlock.bytes = alignedSize;
      return;
    }
    const rangeIndex = this.#free.findIndex(({ start, end }) => end - start >= alignedSize);
    if (rangeIndex < 0) this.#refuse();
    const address = this.#allocate(rangeIndex, alignedSize);
    new Uint8Array(this.#core.memory.buffer).copyWithin(
      address,
      memoryBlock.address,
      memoryBlock.address + memoryBlock.bytes,
    );
    this.release(memoryBlock);
    Object.assign(memoryBlock, { address, bytes: alignedSize });
  }

  /** Numbers at an address: a view of the memory, valid until it grows. */
  doubles(address: number, numberCount: number): Float64Array {
    return new Float64Array(this.#core.memory.buffer, address, numberCount);
  }

  /** Releases the memory of a block. */
  release(memoryBlock: MemoryBlock): void {
    const { address: start, bytes } = memoryBlock;
    if (bytes === 0) return;
    Object.assign(memoryBlock, { address: 0, bytes: 0 });
    const end = start + bytes;
    const freeRanges = this.#free;
    const nextRangeIndex = this.#firstRangeFrom(start);
    const isNextRangeAdjacent = this.#rangeStartsAt(nextRangeIndex, end);
    if (nextRangeIndex > 0 && freeRanges[nextRangeIndex - 1]!.end === start) {
      freeRanges[nextRangeIndex - 1]!.end = isNextRangeAdjacent ? freeRanges[nextRangeIndex]!.end : end;
      if (isNextRangeAdjacent) freeRanges.splice(nextRangeIndex, 1);
    } else if (isNextRangeAdjacent) freeRanges[nextRangeIndex]!.start = start;
    else freeRanges.splice(nextRangeIndex, 0, { start, end });
  }

  /** First free range from an address on. */
  #firstRangeFrom(address: number): number {
    let [low, high] = [0, this.#free.length];
    while (low < high) {
      const middleIndex = (low + high) >> 1;
      if (this.#free[middleIndex]!.start < address) low = middleIndex + 1;
      else high = middleIndex;
    }
    return low;
  }

  #rangeStartsAt(rangeIndex: number, address: number): boolean {
    return this.#free[rangeIndex]?.start === address;
  }

  #rangeSize(rangeIndex: number): number {
    return this.#free[rangeIndex]!.end - this.#free[rangeIndex]!.start;
  }

  /**
   * Allocates the beginning of a free range, growing the memory if necessary.
   * @returns its address.
   * @throws Refusal if the memory cannot grow; nothing is allocated then.
   */
  #allocate(rangeIndex: number, bytes: number): number {
    const freeRange = this.#free[rangeIndex]!;
    const { memory } = this.#core;
    const { start } = freeRange;
    const missingPages =
      Math.ceil((start + bytes) / MEMORY_PAGE_BYTES) - memory.buffer.byteLength / MEMORY_PAGE_BYTES;
    if (missingPages > 0) this.#grow(missingPages);
    freeRange.start += bytes;
    if (freeRange.start === freeRange.end) this.#free.splice(rangeIndex, 1);
    return start;
  }

  #grow(pageCount: number): void {
    try {
      this.#core.memory.grow(pageCount);
    } catch {
      this.#refuse();
    }
  }

  #refuse(): never {
    throwIfRefused(this.#core, this.#core.Status.MemoryMissing, () => -1);
    throw new Error('no refusal has this status');
  }
}

// Jobs in the memory of a core

export type JobColumn = keyof typeof JOB_COLUMNS;

/**
 * Columns of jobs in submit order; times in seconds, sites from 0. Without estimates, runtimes are known in
 * advance.
 */
export type JobInput = {
  readonly [Name in Exclude<JobColumn, 'Demand' | 'Row'>]?: ArrayLike<number> | undefined;
} & Readonly<Record<'Submit' | 'Runtime' | 'Processors' | 'Home', ArrayLike<number>>>;

/** Jobs in the memory of a core, which any number of runs can share. */
export interface CoreJobs {
  readonly core: Core;
  /** Number of jobs for which the table has space. */
  readonly count: number;
  /** Address of the table; 0 after it has been released. */
  readonly table: number;
  /** Owner of the memory for runs of these jobs. */
  readonly blocks: Blocks;
  /**
   * Releases the memory of the table for other tables and runs; the core refuses runs that still use these
   * jobs.
   */
  dispose(): void;
}

/** Bit set of the optional columns among some columns, for `arrangeJobs`. */
function makeExtraFlags(core: Core, columns: readonly string[]): number {
  const extraNames = Object.keys(EXTRAS) as (keyof typeof EXTRAS)[];
  const requestedExtras = extraNames.filter((extraName) =>
    EXTRAS[extraName].some((column) => columns.includes(column)),
  );
  return requestedExtras.reduce((sum, extraName) => sum + core.Extra[extraName], 0);
}

/** Lays out a job table at an address, unless that is 0; returns its size in bytes. */
export function layOutJobTable(core: Core, table: number, columns: JobInput): number {
  const columnNames = Object.entries(columns).flatMap(([columnName, columnValues]) =>
    columnValues === undefined ? [] : [columnName],
  );
  return core.arrangeJobs(table, columns.Submit.length, makeExtraFlags(core, columnNames));
}

/**
 * Lays out an empty table to which up to `capacity` jobs can be appended.
 * @param columns optional columns of the jobs, such as `User`.
 * @throws Refusal if there is not enough memory.
 */
export function makeOpenTable(
  core: Core,
  capacity: number,
  columns: readonly JobColumn[] = [],
  memoryBlocks: Blocks = Blocks.of(core),
): CoreJobs {
  const memoryBlock = { address: 0, bytes: 0 };
  const extraFlags = makeExtraFlags(core, columns);
  const bytes = core.arrangeJobs(0, capacity, extraFlags);
  memoryBlocks.enlarge(memoryBlock, bytes);
  core.arrangeJobs(memoryBlock.address, capacity, extraFlags);
  throwIfRefused(core, core.appendJobs(memoryBlock.address, 0), () => -1);
  const coreJobs = makeJobTableHandle(core, capacity, memoryBlock, memoryBlocks);
  openTableBytes.set(coreJobs, bytes);
  return coreJobs;
}

/** Sizes in bytes of open tables. */
const openTableBytes = new WeakMap<CoreJobs, number>();

/** Copies an open table, with its jobs, over another one of the same core, capacity and columns. */
export function copyOpenTable(source: CoreJobs, target: CoreJobs): void {
  const bytes = openTableBytes.get(source) ?? 0;
  if (bytes === 0 || source.core !== target.core || openTableBytes.get(target) !== bytes)
    throw new Error('the tables are not open, or differ in their core, capacity or columns');
  new Uint8Array(source.core.memory.buffer).copyWithin(target.table, source.table, source.table + bytes);
}

/** Job table in a block of memory. */
function makeJobTableHandle(
  core: Core,
  count: number,
  memoryBlock: MemoryBlock,
  memoryBlocks: Blocks,
): CoreJobs {
  return {
    core,
    count,
    blocks: memoryBlocks,
    get table() {
      return memoryBlock.address;
    },
    dispose: () => memoryBlocks.release(memoryBlock),
  };
}

/**
 * Writes jobs to the memory of a core, besides its other contents.
 * @param memoryBlocks memory for the jobs and their runs, if not all: threads that share a memory have a part
 * each.
 * @throws Refusal with the job; RangeError for unknown names and columns of another length.
 */
export function makeCoreJobs(
  core: Core,
  columns: JobInput,
  memoryBlocks: Blocks = Blocks.of(core),
): CoreJobs {
  const jobCount = columns.Submit.length;
  const memoryBlock = { address: 0, bytes: 0 };
  memoryBlocks.enlarge(memoryBlock, layOutJobTable(core, 0, columns));
  try {
    fillJobTable(core, memoryBlock.address, columns);
  } catch (error) {
    memoryBlocks.release(memoryBlock);
    throw error;
  }
  return makeJobTableHandle(core, jobCount, memoryBlock, memoryBlocks);
}

/** Column of a job table: a view of the memory, valid until it grows. */
export function jobTableColumnView<Name extends JobColumn>(
  core: Core,
  table: number,
  rowCount: number,
  columnName: Name,
) {
  const address = core.jobColumnAddress(table, findNumberOfEnumMember(core.JobColumn, columnName)) >>> 0;
  return new JOB_COLUMNS[columnName](core.memory.buffer, address, rowCount) as InstanceType<
    (typeof JOB_COLUMNS)[Name]
  >;
}

/** Writes a table and its checksum. */
function fillJobTable(core: Core, table: number, columns: JobInput): void {
  const jobCount = columns.Submit.length;
  layOutJobTable(core, table, columns);
  const columnsWithEstimate = { ...columns, Estimate: columns.Estimate ?? columns.Runtime };
  for (const [name, values] of Object.entries(columnsWithEstimate) as [
    JobColumn,
    ArrayLike<number> | undefined,
  ][]) {
    if (values === undefined) continue;
    if (values.length !== jobCount)
      throw new RangeError(`${name}: ${values.length} numbers for ${jobCount} jobs`);
    jobTableColumnView(core, table, jobCount, name).set(values);
  }
  throwIfRefused(core, core.sealJobs(table), (culpritKind) =>
    culpritKind === 'Job' ? core.refusedJob(table) : -1,
  );
}
