/** Caches logs, models, grids and workloads while a study is planned and run. */
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { InputError } from '../errors.js';
import { readTrace } from '../files/traceFiles.js';
import type { Grid } from '../grid/grid.js';
import { JOB_OPTION_KEYS, nameOptionInStudyFile, type Settings } from '../options/options.js';
import {
  defaultMachineOfLog,
  type JobMaker,
  makeGridOfSettings,
  makeJobMaker,
} from '../simulate/experiment.js';
import { requestedCapacities, requestedPlacement } from '../simulate/workloadSettings.js';
import { parseSettingOptions, type StudySetting } from '../study/expand.js';
import type { OptionTexts } from '../study/schema.js';
import { pickReadingOptions } from '../trace/readText.js';
import type { Trace } from '../trace/trace.js';
import { isModelNotation, makeModelTrace } from '../workload/models.js';
import { maxJobWidthByHome, widestSiteByHome } from '../workload/pieces.js';
import { keepFieldsOfLog, SIMULATED_FIELDS, type Workload } from '../workload/workload.js';
import type { Threads } from './threads.js';

/** Number of cached logs and models. */
const MAX_CACHED_LOGS = 8;
/** Number of cached grids, since drawn speeds repeat under other loads and policies. */
const MAX_CACHED_GRIDS = 512;
/** Bytes of jobs kept from planning to running; further jobs are created again. */
const MAX_CACHED_JOB_BYTES = 2 ** 28;

/** Name of jobs passed as a trace. */
export const NAME_OF_TRACE_JOBS = 'the jobs given';

/** Creates the grids and workloads of settings. */
export class WorkloadCache {
  readonly #logs = new Map<string, Promise<Trace>>();
  readonly #models = new LeastRecentlyUsedCache<Promise<Trace>>(MAX_CACHED_LOGS);
  /** Creates models of later settings in advance. */
  readonly ahead = new ModelPrefetcher();
  readonly #made = new Map<string, Workload>();
  #bytes = 0;
  /** Remarks for readers on the selection and changes of jobs. */
  readonly remarks = new Set<string>();
  /** Job sources by settings without the replication number. */
  readonly #sources = new LeastRecentlyUsedCache<JobMaker>(MAX_CACHED_LOGS);
  readonly #grids = new LeastRecentlyUsedCache<Grid>(MAX_CACHED_GRIDS);
  readonly #machines = new LeastRecentlyUsedCache<ReturnType<typeof defaultMachineOfLog>>(MAX_CACHED_LOGS);

  readonly #onRead: ((trace: Trace) => void) | undefined;
  readonly #given: Trace | undefined;

  /**
   * @param onRead called with each log that is read.
   * @param input the log named `NAME_OF_TRACE_JOBS`.
   */
  constructor(onRead?: (trace: Trace) => void, input?: Trace) {
    this.#onRead = onRead;
    this.#given = input;
  }

  async #trace(settings: Settings): Promise<Trace> {
    const { workload } = settings;
    if (workload === NAME_OF_TRACE_JOBS && this.#given !== undefined) return this.#given;
    if (isModelNotation(workload)) return this.#models.get(workload, () => this.ahead.logOf(workload));
    if (workload === '-')
      throw new InputError('a study reads its log more than once; give a file, not standard input');
    const reading = pickReadingOptions(settings);
    const key = JSON.stringify([workload, reading]);
    let log = this.#logs.get(key);
    if (log === undefined) {
      log = readTrace(workload, reading);
      this.#logs.set(key, log);
      this.#onRead?.(await log);
    }
    return log;
  }

  /** Grid of a setting; without sites, one site as large as the log's machine. */
  async grid(settings: Settings): Promise<Grid> {
    const { speeds, perturb, replication, heterogeneity } = settings;
    const capacities = requestedCapacities(settings) ?? (await this.#machine(settings));
    const key = JSON.stringify([capacities, speeds, perturb?.speeds, replication, heterogeneity]);
    return this.#grids.get(key, () => makeGridOfSettings(settings, capacities, nameOptionInStudyFile));
  }

  async #machine(settings: Settings): Promise<readonly number[]> {
    const trace = await this.#trace(settings);
    const { workload, preset, filter } = settings;
    const key = JSON.stringify([workload, pickReadingOptions(settings), preset?.name, filter]);
    const { capacities, remark } = this.#machines.get(key, () => defaultMachineOfLog(settings, trace));
    if (remark !== undefined) this.remarks.add(remark);
    return capacities;
  }

  /** Key of a setting's jobs: equal keys mean equal jobs. */
  key(settings: Settings, grid: Grid): string {
    const { capacities, speeds } = grid;
    const { minSpeedRatio, offeredLoad, load, runtimeReference } = settings;
    const widths = { capacities, speeds, minSpeedRatio, placement: requestedPlacement(settings) };
    return JSON.stringify([
      JOB_OPTION_KEYS.map((key) => settings[key]),
      capacities,
      offeredLoad === undefined ? [] : [load, runtimeReference, settings.speeds, settings.heterogeneity],
      widestSiteByHome(widths),
      maxJobWidthByHome(widths),
    ]);
  }

  /** Workload of a setting, with the log fields that metrics need. */
  async workload(settings: Settings, grid: Grid): Promise<Workload> {
    const key = this.key(settings, grid);
    const known = this.#made.get(key);
    if (known !== undefined) return known;
    const trace = await this.#trace(settings);
    const { replication, ...common } = settings;
    const source = this.#sources.get(JSON.stringify(common), () => makeJobMaker(common, trace));
    for (const remark of source.remarks) this.remarks.add(remark);
    const made = keepNeededLogColumns(source.jobs(grid, replication).workload);
    const bytes = estimateWorkloadBytes(made);
    if (this.#bytes + bytes <= MAX_CACHED_JOB_BYTES) {
      this.#bytes += bytes;
      this.#made.set(key, made);
    }
    return made;
  }

  /** Workload of planned runs from their options. Missing estimates were already checked when planning. */
  async made(options: OptionTexts): Promise<Workload> {
    const settings = parseSettingOptions({ options, locate: String });
    const workload = await this.workload(settings, await this.grid(settings));
    return { ...workload, accounting: { ...workload.accounting, withoutEstimate: 0 } };
  }
}

/** Workload with only the log fields that metrics and orders need, as plain data for threads. */
function keepNeededLogColumns(workload: Workload): Workload {
  if (workload.log === undefined) return workload;
  return { ...workload, log: keepFieldsOfLog(workload.log, [...SIMULATED_FIELDS, 'wait']) };
}

function estimateWorkloadBytes({ log, ...workload }: Workload): number {
  const columns = new Set([...Object.values(workload), ...Object.values(log ?? {})]);
  return [...columns].reduce<number>(
    (sum, each) => sum + (ArrayBuffer.isView(each) ? each.byteLength : 0),
    0,
  );
}

/** Cache that drops the entry not used for the longest time. */
export class LeastRecentlyUsedCache<Value> {
  readonly #values = new Map<string, Value>();
  readonly #most: number;

  /** @param most largest number of entries. */
  constructor(most: number) {
    this.#most = most;
  }

  /** Value of a key, created if missing. */
  get(key: string, makeValue: () => Value): Value {
    const value = this.known(key) ?? makeValue();
    this.set(key, value);
    return value;
  }

  /** Value of a key; undefined if missing. */
  known(key: string): Value | undefined {
    return this.#values.get(key);
  }

  /** Stores a value. */
  set(key: string, value: Value): void {
    this.#values.delete(key);
    this.#values.set(key, value);
    if (this.#values.size > this.#most) this.#values.delete(this.#values.keys().next().value as string);
  }
}

// Models created by threads before a study's planning reaches them

/** Number of settings scanned in advance. */
const SETTINGS_SCANNED_AHEAD = 512;
/** Largest number of models created in advance. */
const MODELS_CREATED_AHEAD = 8;
/** Minimum number of jobs of all models together for which threads create the models. */
const MIN_JOBS_FOR_MODEL_THREADS = 200_000;
const MAX_MODEL_THREADS = 4;
const MODEL_THREAD_TASK = { module: '../workload/models.js', name: 'makeModelTrace' };

/** Creates each model once, in the order in which settings first use it. */
export class ModelPrefetcher {
  readonly #named = new Set<string>();
  /** Models not started yet. */
  readonly #wanted = new Set<string>();
  readonly #begun = new Map<string, Promise<Trace | undefined>>();
  #threads: Threads<string, Trace> | undefined;
  /** Number of jobs of the last model. */
  #jobs = 0;

  /** Yields the settings in order, noting the models of later ones. */
  *over(settings: Iterable<StudySetting>): Generator<StudySetting> {
    const comingSettings: StudySetting[] = [];
    for (const setting of settings) {
      this.#note(setting.options.workload);
      comingSettings.push(setting);
      if (comingSettings.length > SETTINGS_SCANNED_AHEAD) yield comingSettings.shift() as StudySetting;
    }
    yield* comingSettings;
  }

  #note(text: string | undefined): void {
    if (text === undefined || this.#named.has(text) || !isModelNotation(text)) return;
    this.#named.add(text);
    this.#wanted.add(text);
  }

  /**
   * Jobs of a model, like `makeModelTrace`.
   * @throws InputError like that function.
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
    if (this.#wanted.size * this.#jobs < MIN_JOBS_FOR_MODEL_THREADS) return;
    // Running from TypeScript sources, there is no compiled file for a thread.
    if (!existsSync(new URL(MODEL_THREAD_TASK.module, import.meta.url))) return;
    // Loaded on demand: reading logs needs no threads.
    const { Threads } = await import('./threads.js');
    const threads = Math.min(availableParallelism(), MAX_MODEL_THREADS);
    this.#threads ??= new Threads(MODEL_THREAD_TASK, threads, undefined);
    for (const text of this.#wanted) {
      if (this.#begun.size >= MODELS_CREATED_AHEAD) return;
      this.#wanted.delete(text);
      // Errors are reported later, where the model is used.
      const log = this.#threads.one(text).catch(() => undefined);
      this.#begun.set(text, log);
    }
  }

  /** Terminates the threads; models are then created when used. */
  async close(): Promise<void> {
    this.#wanted.clear();
    this.#begun.clear();
    await this.#threads?.close();
    this.#threads = undefined;
  }
}
