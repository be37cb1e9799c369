/**
 * `gridalloc/core`: the core by itself, on whatever runs JavaScript and WebAssembly. It needs no package and nothing
 * of Node; columns, options and statuses have the names that docs/abi.md gives them.
 */
import { type Column, type View, viewOf } from './columns.js';
import { COLUMNS } from './contract.js';
import type { Core } from './instance.js';
import type { CoreJobs } from './jobs.js';
import { accept } from './refusal.js';
import { layOut, policyOptions, type RunInput, type RunSettings, setOptions } from './settings.js';

export { Blocks } from './blocks.js';
export { declaredPolicies, type PolicyDeclaration, type PolicyParameter } from './declarations.js';
export { type Core, type CoreOption, instantiateCore } from './instance.js';
export { type CoreJobs, type JobInput, makeJobs } from './jobs.js';
export { Refusal } from './refusal.js';
export type { RunInput, RunSettings } from './settings.js';

/**
 * A run of the core: begun, run as far as one likes, read, copied, gone on with. It can begin again with other
 * settings. Columns that it gives are views of the memory, which last until that grows.
 */
export class CoreRun {
  readonly jobs: CoreJobs;
  /** Answers decisions of the policy `own`: the site, from 0, that the job `Decision.Job` gets, or -1 for it to wait. */
  decide: ((run: CoreRun) => number) | undefined;
  #block = 0;
  #bytes = 0;

  constructor(jobs: CoreJobs, decide?: (run: CoreRun) => number) {
    this.jobs = jobs;
    this.decide = decide;
  }

  /** Address of the simulation, 0 before it has begun. */
  get block(): number {
    return this.#block;
  }

  /**
   * Puts the run before its first event.
   * @throws Refusal; RangeError for unknown names and columns of another length.
   */
  begin(settings: RunSettings): void {
    const { core, count, table } = this.jobs;
    this.#enlarge(core.Limit.HeadBytes);
    this.#enlarge(layOut(core, this.#block, count, settings));
    const { sites } = settings;
    const { Load = Array.from(sites.Speed, () => 1) } = sites;
    const { TimeFactor = Array.from(sites.Speed, (speed) => 1 / speed) } = sites;
    this.#write({ ...sites, Load, TimeFactor });
    this.accept(core.begin(this.#block, table));
  }

  #write(columns: RunInput): void {
    for (const [name, values] of Object.entries(columns)) {
      if (values === undefined) continue;
      const column = this.column<Column>(name as Column);
      if (values.length === column.length) column.set(values);
      else throw new RangeError(`${name}: ${values.length} numbers, expected ${column.length}`);
    }
  }

  /**
   * Handles all events up to and including a time in seconds; returns whether none is left.
   * @param answer how a pending decision is answered.
   * @throws Refusal; what `answer` throws.
   */
  runUntil(time: number, answer: () => void = () => this.#answer()): boolean {
    const { core, table } = this.jobs;
    const { Status } = core;
    for (;;) {
      const status = core.runUntil(this.#block, table, time);
      if (status === Status.LogFull) this.#extendLogs(this);
      else if (status === Status.Decision) answer();
      else {
        this.accept(status);
        return status === Status.Finished;
      }
    }
  }

  #answer(): void {
    if (this.decide === undefined)
      throw new RangeError('the policy asks the host, but there is no function to answer');
    const site = this.decide(this);
    // What is no whole number would be made one on the way.
    const isWhole = (site | 0) === site;
    const { core, table } = this.jobs;
    this.accept(isWhole ? core.decide(this.#block, table, site) : core.Status.SiteInfeasible);
  }

  /** Computes the metrics, once no event is left. */
  measure(): void {
    this.accept(this.jobs.core.measure(this.#block, this.jobs.table));
  }

  /** Runs to the end and computes the metrics. */
  run(): void {
    this.runUntil(Number.POSITIVE_INFINITY);
    this.measure();
  }

  /** A metric, after `run`. */
  metric(name: keyof Core['Metric']): number {
    return this.column('Metric')[this.jobs.core.Metric[name]];
  }

  /** A scalar of the progress. */
  scalar(name: keyof Core['Scalar']): number {
    return this.jobs.core.scalar(this.#block, this.jobs.core.Scalar[name]);
  }

  /** A part of the pending decision. */
  decision(name: keyof Core['Decision']): number {
    return this.column('Decision')[this.jobs.core.Decision[name]];
  }

  /** A column, a view of the memory; empty where the run has none of that name. */
  column<Name extends Column>(name: Name): View<(typeof COLUMNS)[Name][0]> {
    const [type, width] = COLUMNS[name];
    const { core } = this.jobs;
    const address = core.columnAddress(this.#block, core.Column[name]);
    const count = address === 0 ? 0 : width * this.#lengthOf(name);
    return viewOf(core, type, address, count) as View<(typeof COLUMNS)[Name][0]>;
  }

  #lengthOf(name: Column): number {
    const { core } = this.jobs;
    const [, , length] = COLUMNS[name];
    if (length === 'Metric' || length === 'Decision') return core[length].COUNT;
    if (length === 'Sites × Sites') return core.room(this.#block, core.Room.Sites) ** 2;
    return length in core.Room
      ? core.room(this.#block, core.Room[length as keyof Core['Room']])
      : this.scalar(length as keyof Core['Scalar']);
  }

  /** A copy of the whole state; `restore` goes on from it, here or in another run of the same jobs. */
  snapshot(): Uint8Array {
    return new Uint8Array(this.jobs.core.memory.buffer, this.#block, this.scalar('Bytes')).slice();
  }

  /** Goes back to a snapshot. */
  restore(snapshot: Uint8Array): void {
    this.#enlarge(snapshot.length);
    new Uint8Array(this.jobs.core.memory.buffer).set(snapshot, this.#block);
  }

  /** A second run that goes on from here, with all results: the whole state is copied, which is megabytes. */
  fork(): CoreRun {
    const other = new CoreRun(this.jobs, this.decide);
    const bytes = this.scalar('Bytes');
    other.#enlarge(bytes);
    new Uint8Array(this.jobs.core.memory.buffer).copyWithin(other.#block, this.#block, this.#block + bytes);
    return other;
  }

  /**
   * Another run of the same jobs, begun with the same settings but for the policy, goes on from here; kilobytes are
   * copied, and results stay where they are (docs/abi.md#forks).
   * @throws Refusal.
   */
  forkInto(other: CoreRun): void {
    const { core, table } = this.jobs;
    const fork = () => core.fork(this.#block, other.#block, table);
    let status = fork();
    if (status === core.Status.RoomTooSmall) {
      other.#extendLogs(this);
      status = fork();
    }
    this.accept(status);
  }

  /**
   * Goes on by another policy from the next decision on.
   * @throws Refusal; RangeError for unknown names.
   */
  changePolicy(policy: string, parameters: Readonly<Record<string, number | string>> = {}): void {
    const { core, table } = this.jobs;
    setOptions(core, this.#block, policyOptions(core, policy, parameters));
    this.accept(core.changePolicy(this.#block, table));
  }

  /**
   * Sites have other speeds from now on, at which jobs run that start later.
   * @throws Refusal; RangeError for another number of sites.
   */
  changeSpeeds(
    speeds: ArrayLike<number>,
    timeFactors: ArrayLike<number> = Array.from(speeds, (speed) => 1 / speed),
  ): void {
    this.#write({ Speed: speeds, TimeFactor: timeFactors });
    this.accept(this.jobs.core.changeSpeeds(this.#block, this.jobs.table));
  }

  /**
   * Makes the logs longer: twice as many entries as a run has in them, and room for one event more. One log may be full
   * while another is not, and none may shrink.
   */
  #extendLogs(source: CoreRun): void {
    const { core } = this.jobs;
    const total = core.room(this.#block, core.Room.Processors);
    const [runs, parts, stops] = (['Runs', 'Parts', 'Stops'] as const).map((log) => {
      const entries = core.room(this.#block, core.Room[log]);
      const length = source.scalar(log === 'Runs' ? 'LogLength' : `${log}Length`);
      return entries === 0 ? 0 : Math.max(entries, 2 * (length + total));
    });
    this.#enlarge(this.scalar('Bytes') + 8 * (runs + parts) + 32 * stops);
    const bytes = core.extendLogs(this.#block, runs, parts, stops);
    if (bytes === 0) throw new Error('the logs of the simulation cannot grow');
  }

  /** Gives the block so many bytes, at another address if need be. */
  #enlarge(bytes: number): void {
    this.#block = this.jobs.blocks.enlarge(this.#block, this.#bytes, bytes);
    this.#bytes = Math.max(this.#bytes, bytes);
  }

  /**
   * Takes the status of a call on the block.
   * @throws Refusal, if it is one.
   */
  accept(status: number): void {
    accept(this.jobs.core, this.#block, status);
  }
}
