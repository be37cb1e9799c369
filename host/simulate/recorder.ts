/** Runs a simulation in the explaining build of the core, which records the events around one job. */
import { alignAddress, Blocks, MAX_MEMORY_BYTES } from '../core/memory.js';
import { type Core, openCore } from '../core/module.js';
import type { Workload } from '../workload/workload.js';
import { putJobsIntoCore } from './layout.js';
import { Simulator } from './simulator.js';

/** Kinds of record entries; `assembly/record/log.ts` documents their numbers. */
export type RecordEntryKind =
  | 'Queued'
  | 'Free'
  | 'Allocated'
  | 'Released'
  | 'Stopped'
  | 'Capacity'
  | 'ByCapacity'
  | 'Blocked'
  | 'Reserved'
  | 'Planned'
  | 'Delays'
  | 'Deferred'
  | 'Started'
  | 'Cancelled'
  | 'Share'
  | 'Nominated'
  | 'Situation'
  | 'Heterogeneity'
  | 'Loading'
  | 'Faster'
  | 'JobsPlaced'
  | 'CapacityPlaced'
  | 'Split'
  | 'Distance'
  | 'Turnarounds'
  | 'Reclaimable'
  | 'Candidate'
  | 'Tried'
  | 'Beside'
  | 'ByCancellation'
  | 'ByEnd'
  | 'ByPolicy'
  | 'ByStart'
  | 'Held'
  | 'Freed'
  | 'Unsafe';

/** Entry of the record: kind of event, time, and six numbers. */
export interface RecordEntry {
  /** Kind of the event. */
  readonly kind: RecordEntryKind;
  /** Time of the event in seconds. */
  readonly time: number;
  /** Six numbers, whose meaning depends on the kind. */
  readonly numbers: readonly [number, number, number, number, number, number];
}

/** Functions of the core that exist only in the explaining build. */
interface RecordingCore extends Core {
  readonly Note: Readonly<Record<RecordEntryKind, number>>;
  watch(job: number, block: number, entryCount: number, detailCount: number): void;
  recordedCount(): number;
  recordedLost(): number;
}

/** Numbers of an entry. */
type RecordEntryDoubles = readonly [kind: number, time: number, ...RecordEntry['numbers']];

/** Number of doubles (64-bit floats) per record entry. */
const DOUBLES_PER_RECORD_ENTRY = 8;
const BYTES_PER_RECORD_ENTRY = 8 * DOUBLES_PER_RECORD_ENTRY;
/** Maximum number of recorded events. */
const MAX_RECORD_ENTRIES = 1 << 18;
/** Maximum number of recorded details of one decision. */
const MAX_RECORDED_DECISION_DETAILS = 1 << 14;

/** Simulates a workload once and records the events around one job, for `explainJob`. */
export class Recorder {
  /** Simulation to be begun and run once. */
  readonly simulator: Simulator;
  readonly #core: RecordingCore;
  readonly #blocks: Blocks;
  readonly #recordAddress: number;

  /**
   * @param job index of the job in the workload.
   * @param entryCount maximum number of recorded entries.
   * @throws InputError for jobs that cannot be simulated.
   */
  constructor(workload: Workload, job: number, entryCount = MAX_RECORD_ENTRIES) {
    const core = openCore('explaining') as RecordingCore;
    const memoryBlocks = new Blocks(core, core.firstAddress());
    const { table: jobTableAddress } = putJobsIntoCore(core, workload, memoryBlocks);
    const memoryBlock = { address: 0, bytes: 0 };
    memoryBlocks.enlarge(memoryBlock, (entryCount + MAX_RECORDED_DECISION_DETAILS) * BYTES_PER_RECORD_ENTRY);
    const record = memoryBlock.address;
    const simulation = alignAddress(record + memoryBlock.bytes);
    core.watch(job, record, entryCount, MAX_RECORDED_DECISION_DETAILS);
    this.#core = core;
    this.#blocks = memoryBlocks;
    this.#recordAddress = record;
    this.simulator = new Simulator(workload, {
      core,
      jobs: jobTableAddress,
      simulation,
      room: MAX_MEMORY_BYTES - simulation,
    });
  }

  /** All recorded entries. */
  entries(): RecordEntry[] {
    const entryCount = this.#core.recordedCount();
    const entryDoubles = this.#blocks.doubles(this.#recordAddress, DOUBLES_PER_RECORD_ENTRY * entryCount);
    const kinds = new Map(
      Object.entries(this.#core.Note).map(([name, kindNumber]) => [kindNumber, name as RecordEntryKind]),
    );
    return Array.from({ length: entryCount }, (_, entry) => {
      const [kind, time, ...numbers] = entryDoubles.subarray(
        DOUBLES_PER_RECORD_ENTRY * entry,
        DOUBLES_PER_RECORD_ENTRY * (entry + 1),
      ) as unknown as RecordEntryDoubles;
      return { kind: kinds.get(kind) as RecordEntryKind, time, numbers };
    });
  }

  /** Number of entries that exceeded the capacity. */
  get lostEntryCount(): number {
    return this.#core.recordedLost();
  }
}
