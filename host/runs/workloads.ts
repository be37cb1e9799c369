/**
 * The jobs of a study: logs read once, models made when they are needed or by threads ahead of that, a few of them
 * kept.
 */
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { InputError } from '../errors.js';
import { readTrace } from '../files/traceFiles.js';
import type { Grid } from '../grid/grid.js';
import { inStudyFile, JOB_KEYS, type Settings } from '../options/options.js';
import {
  capacitiesOf,
  gridOf,
  type JobSource,
  jobSource,
  machineOf,
  placementOf,
} from '../simulate/experiment.js';
import { type Setting, settingsOf } from '../study/expand.js';
import type { OptionTexts } from '../study/schema.js';
import { readingOf } from '../trace/readText.js';
import type { Trace } from '../trace/trace.js';
import { isModelText, makeModelTrace } from '../workload/models.js';
import { widestJobs, widestSites } from '../workload/pieces.js';
import type { Workload } from '../workload/workload.js';
import type { Threads } from './threads.js';

/** Number of parsed logs and models kept while a study goes through its settings. */
const KEPT = 8;
/** Draws of speeds that come up again under other loads and policies. */
const GRIDS_KEPT = 512;
/** Bytes of jobs that are kept from the plan of a study to its runs; what goes beyond is made again. */
const MAX_BYTES = 2 ** 28;

/** Name of a log that is passed as a trace. */
export const GIVEN_LOG = 'the jobs given';

/** Makes grids and workloads of settings. */
export class Workloads {
  readonly #logs = new Map<string, Promise<Trace>>();
  readonly #models = new Recent<Promise<Trace>>(KEPT);
  /** Makes logs of models that settings to come name. */
  readonly ahead = new ModelsAhead();
  readonly #made = new Map<string, Workload>();
  #bytes = 0;
  /** Remarks for readers on how jobs are selected and changed. */
  readonly remarks = new Set<string>();
  /** Sources by settings without the replication: the common parts of replications are made once. */
  readonly #sources = new Recent<JobSource>(KEPT);
  readonly #grids = new Recent<Grid>(GRIDS_KEPT);
  readonly #machines = new Recent<ReturnType<typeof machineOf>>(KEPT);

  readonly #onRead: ((trace: Trace) => void) | undefined;
  readonly #given: Trace | undefined;

  /**
   * @param onRead is given each log when it is read.
   * @param input the log named `GIVEN_LOG`.
   */
  constructor(onRead?: (trace: Trace) => void, input?: Trace) {
    this.#onRead = onRead;
    this.#given = input;
  }

  async #trace(settings: Settings): Promise<Trace> {
    const { workload } = settings;
    if (workload === GIVEN_LOG && this.#given !== undefined) return this.#given;
    if (isModelText(workload)) return this.#models.get(workload, () => this.ahead.logOf(workload));
    if (workload === '-')
      throw new InputError('a study reads its log more than once; give a file, not standard input');
    const reading = readingOf(settings);
    const key = JSON.stringify([workload, reading]);
    let log = this.#logs.get(key);
    if (log === undefined) {
      log = readTrace(workload, reading);
      this.#logs.set(key, log);
      this.#onRead?.(await log);
    }
    return log;
  }

  /** The grid of a setting: without sites, one as large as the machine of the log. */
  async grid(settings: Settings): Promise<Grid> {
    const { speeds, perturb, replication, heterogeneity } = settings;
    const capacities = capacitiesOf(settings) ?? (await this.#machine(settings));
    const key = JSON.stringify([capacities, speeds, perturb?.speeds, replication, heterogeneity]);
    return this.#grids.get(key, () => gridOf(settings, capacities, inStudyFile));
  }

  async #machine(settings: Settings): Promise<readonly number[]> {
    const trace = await this.#trace(settings);
    const { workload, preset, filter } = settings;
    const key = JSON.stringify([workload, readingOf(settings), preset?.name, filter]);
    const { capacities, remark } = this.#machines.get(key, () => machineOf(settings, trace));
    if (remark !== undefined) this.remarks.add(remark);
    return capacities;
  }

  /** Key of the jobs of a setting: settings with the same key have the same jobs. */
  key(settings: Settings, grid: Grid): string {
    const { capacities, speeds } = grid;
    const { minSpeedRatio, offeredLoad, load, runtimeReference } = settings;
    const widths = { capacities, speeds, minSpeedRatio, placement: placementOf(settings) };
    return JSON.stringify([
      JOB_KEYS.map((key) => settings[key]),
      capacities,
      offeredLoad === undefined ? [] : [load, runtimeReference, settings.speeds, settings.heterogeneity],
      widestSites(widths),
      widestJobs(widths),
    ]);
  }

  /** The jobs of a setting, with as much of their log as metrics take. */
  async workload(settings: Settings, grid: Grid): Promise<Workload> {
    const key = this.key(settings, grid);
    const known = this.#made.get(key);
    if (known !== undefined) return known;
    const trace = await this.#trace(settings);
    const { replication, ...common } = settings;
    const source = this.#sources.get(JSON.stringify(common), () => jobSource(common, trace));
    for (const remark of source.remarks) this.remarks.add(remark);
    const made = withoutLog(source.jobs(grid, replication).workload);
    const bytes = bytesOf(made);
    if (this.#bytes + bytes <= MAX_BYTES) {
      this.#bytes += bytes;
      this.#made.set(key, made);
    }
    return made;
  }

  /**
   * The jobs of planned runs, one of which has these options. Others of them may say where their estimates are from, which
   * is looked at when they are planned: the accounting says no more that any is missing.
   */
  async made(options: OptionTexts): Promise<Workload> {
    const settings = settingsOf({ options, locate: String });
    const workload = await this.workload(settings, await this.grid(settings));
    return { ...workload, accounting: { ...workload.accounting, withoutEstimate: 0 } };
  }
}

/** A workload with those fields alone of its log that metrics and orders take, as plain columns that a thread can be given. */
function withoutLog(workload: Workload): Workload {
  if (workload.log === undefined) return workload;
  const { user, group, queue, partition, wait } = workload.log;
  return { ...workload, log: { user, group, queue, partition, wait } as NonNullable<Workload['log']> };
}

function bytesOf({ log, ...workload }: Workload): number {
  const columns = new Set([...Object.values(workload), ...Object.values(log ?? {})]);
  return [...columns].reduce<number>(
    (sum, each) => sum + (ArrayBuffer.isView(each) ? each.byteLength : 0),
    0,
  );
}

/** A map that forgets what was not requested the longest. */
export class Recent<Value> {
  readonly #values = new Map<string, Value>();
  readonly #most: number;

  /** @param most how many values it keeps. */
  constructor(most: number) {
    this.#most = most;
  }

  /** The value of a key, made where it is not there. */
  get(key: string, make: () => Value): Value {
    const value = this.known(key) ?? make();
    this.set(key, value);
    return value;
  }

  /** The value of a key, or undefined. */
  known(key: string): Value | undefined {
    return this.#values.get(key);
  }

  /** Keeps a value. */
  set(key: string, value: Value): void {
    this.#values.delete(key);
    this.#values.set(key, value);
    if (this.#values.size > this.#most) this.#values.delete(this.#values.keys().next().value as string);
  }
}

// Logs of workload models, made by threads before the plan of a study reaches them

/** Settings that are looked at before it is their turn. */
const SETTINGS_AHEAD = 512;
/** Logs that wait for their turn at most. */
const LOGS_AHEAD = 8;
/** Jobs that are worth the start of threads. */
const WORTHWHILE = 200_000;
const MAX_THREADS = 4;
const TASK = { module: '../workload/models.js', name: 'makeModelTrace' };

/** Makes each log once, in the order in which settings first name them. */
export class ModelsAhead {
  readonly #named = new Set<string>();
  /** Not begun yet. */
  readonly #wanted = new Set<string>();
  readonly #begun = new Map<string, Promise<Trace | undefined>>();
  #threads: Threads<string, Trace> | undefined;
  /** Jobs of the last log. */
  #jobs = 0;

  /** The settings, in order; the models of those to come are noted. */
  *over(settings: Iterable<Setting>): Generator<Setting> {
    const coming: Setting[] = [];
    for (const setting of settings) {
      this.#note(setting.options.workload);
      coming.push(setting);
      if (coming.length > SETTINGS_AHEAD) yield coming.shift() as Setting;
    }
    yield* coming;
  }

  #note(text: string | undefined): void {
    if (text === undefined || this.#named.has(text) || !isModelText(text)) return;
    this.#named.add(text);
    this.#wanted.add(text);
  }

  /**
   * The log of a model, as `makeModelTrace` makes it.
   * @throws InputError as that does.
   */
  async logOf(text: string): Promise<Trace> {
    this.#wanted.delete(text);
    const begun = this.#begun.get(text);
    this.#begun.delete(text);
    await this.#begin();
    const log = (await begun) ?? makeModelTrace(text);
    this.#jobs = log.count;
    return log;
  }

  async #begin(): Promise<void> {
    if (this.#wanted.size * this.#jobs < WORTHWHILE) return;
    // If sources run uncompiled, there is no compiled file that a thread could load.
    if (!existsSync(new URL(TASK.module, import.meta.url))) return;
    // Loaded where it is used: reading alone needs no threads.
    const { Threads } = await import('./threads.js');
    const threads = Math.min(availableParallelism(), MAX_THREADS);
    this.#threads ??= new Threads(TASK, threads, undefined);
    for (const text of this.#wanted) {
      if (this.#begun.size >= LOGS_AHEAD) return;
      this.#wanted.delete(text);
      // Work that a thread cannot do is done, or refused, where it is needed.
      const log = this.#threads.one(text).catch(() => undefined);
      this.#begun.set(text, log);
    }
  }

  /** Ends the threads; logs are still made where they are needed. */
  async close(): Promise<void> {
    this.#wanted.clear();
    this.#begun.clear();
    await this.#threads?.close();
    this.#threads = undefined;
  }
}
