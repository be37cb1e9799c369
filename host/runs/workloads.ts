/** Caches logs, models, grids and workloads while a study is planned and run. */
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { InputError } from '../errors.js';
import { readTrace } from '../files/traceFiles.js';
import type { Grid } from '../grid/grid.js';
import { JOB_OPTION_KEYS, nameOptionInStudyFile, type Settings } from '../options/options.js';
import {
  determineDefaultMachineOfLog,
  type JobMaker,
  makeGridOfSettings,
  makeJobMaker,
} from '../simulate/experiment.js';
import { determineRequestedCapacities, determineRequestedPlacement } from '../simulate/workloadSettings.js';
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

/** Name of jobs passed as a trace, distinct from any model notation. */
export const NAME_OF_TRACE_JOBS = 'the jobs given';

/** Creates the grids and workloads of settings. */
export class WorkloadCache {
  readonly #logs = new Map<string, Promise<Trace>>();
  readonly #models = new LeastRecentlyUsedCache<Promise<Trace>>(MAX_CACHED_LOGS);
  /** Creates the jobs of workload models for later settings in advance. */
  readonly prefetcher = new ModelPrefetcher();
  readonly #workloads = new Map<string, Workload>();
  #cachedBytes = 0;
  /** Remarks for readers on the selection and changes of jobs. */
  readonly remarks = new Set<string>();
  /** Job sources by settings without the replication number. */
  readonly #sources = new LeastRecentlyUsedCache<JobMaker>(MAX_CACHED_LOGS);
  readonly #grids = new LeastRecentlyUsedCache<Grid>(MAX_CACHED_GRIDS);
  readonly #machines = new LeastRecentlyUsedCache<ReturnType<typeof determineDefaultMachineOfLog>>(
    MAX_CACHED_LOGS,
  );

  readonly #onRead: ((trace: Trace) => void) | undefined;
  readonly #traceInMemory: Trace | undefined;

  /**
   * @param onRead called with each log that is read.
   * @param traceInMemory the log named `NAME_OF_TRACE_JOBS`.
   */
  constructor(onRead?: (trace: Trace) => void, traceInMemory?: Trace) {
    this.#onRead = onRead;
    this.#traceInMemory = traceInMemory;
  }

  async #trace(settings: Settings): Promise<Trace> {
    const { workload } = settings;
    if (workload === NAME_OF_TRACE_JOBS && this.#traceInMemory !== undefined) return this.#traceInMemory;
    if (isModelNotation(workload))
      return this.#models.get(workload, () => this.prefetcher.makeJobsOfModel(workload));
    if (workload === '-')
      throw new InputError('a study reads its log more than once; give a file, not standard input');
    const reading = pickReadingOptions(settings);
    const cacheKey = JSON.stringify([workload, reading]);
    let log = this.#logs.get(cacheKey);
    if (log === undefined) {
      log = readTrace(workload, reading);
      this.#logs.set(cacheKey, log);
      this.#onRead?.(await log);
    }
    return log;
  }

  /** Grid of a setting; without sites, one site as large as the log's machine. */
  async grid(settings: Settings): Promise<Grid> {
    const { speeds, perturb, replication, heterogeneity } = settings;
    const capacities = determineRequestedCapacities(settings) ?? (await this.#machine(settings));
    const cacheKey = JSON.stringify([capacities, speeds, perturb?.speeds, replication, heterogeneity]);
    return this.#grids.get(cacheKey, () => makeGridOfSettings(settings, capacities, nameOptionInStudyFile));
  }

  async #machine(settings: Settings): Promise<readonly number[]> {
    const trace = await this.#trace(settings);
    const { workload, preset, filter } = settings;
    const cacheKey = JSON.stringify([workload, pickReadingOptions(settings), preset?.name, filter]);
    const { capacities, remark } = this.#machines.get(cacheKey, () =>
      determineDefaultMachineOfLog(settings, trace),
    );
    if (remark !== undefined) this.remarks.add(remark);
    return capacities;
  }

  /** Key of a setting's jobs: equal keys mean equal jobs. */
  key(settings: Settings, grid: Grid): string {
    const { capacities, speeds } = grid;
    const { minSpeedRatio, offeredLoad, load, runtimeReference } = settings;
    const widths = { capacities, speeds, minSpeedRatio, placement: determineRequestedPlacement(settings) };
    return JSON.stringify([
      JOB_OPTION_KEYS.map((jobOptionKey) => settings[jobOptionKey]),
      capacities,
      offeredLoad === undefined ? [] : [load, runtimeReference, settings.speeds, settings.heterogeneity],
      widestSiteByHome(widths),
      maxJobWidthByHome(widths),
    ]);
  }

  /** Workload of a setting, with the log fields that metrics need. */
  async workload(settings: Settings, grid: Grid): Promise<Workload> {
    const cacheKey = this.key(settings, grid);
    const cachedWorkload = this.#workloads.get(cacheKey);
    if (cachedWorkload !== undefined) return cachedWorkload;
    const trace = await this.#trace(settings);
    const { replication, ...common } = settings;
    const jobMaker = this.#sources.get(JSON.stringify(common), () => makeJobMaker(common, trace));
    for (const remark of jobMaker.remarks) this.remarks.add(remark);
    const keptWorkload = keepNeededLogColumns(jobMaker.makeJobs(grid, replication).workload);
    const bytes = estimateWorkloadBytes(keptWorkload);
    if (this.#cachedBytes + bytes <= MAX_CACHED_JOB_BYTES) {
      this.#cachedBytes += bytes;
      this.#workloads.set(cacheKey, keptWorkload);
    }
    return keptWorkload;
  }

  /** Workload of planned runs from their options. Missing estimates were already checked when planning. */
  async makeJobsOfOptions(options: OptionTexts): Promise<Workload> {
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
  readonly #maxEntries: number;

  /** @param maxEntryCount largest number of entries. */
  constructor(maxEntryCount: number) {
    this.#maxEntries = maxEntryCount;
  }

  /** Value of a key, created if missing. */
  get(cacheKey: string, makeValue: () => Value): Value {
    const cachedValue = this.peek(cacheKey) ?? makeValue();
    this.set(cacheKey, cachedValue);
    return cachedValue;
  }

  /** Value of a key; undefined if missing. */
  peek(cacheKey: string): Value | undefined {
    return this.#values.get(cacheKey);
  }

  /** Stores a value. */
  set(cacheKey: string, value: Value): void {
    this.#values.delete(cacheKey);
    this.#values.set(cacheKey, value);
    if (this.#values.size > this.#maxEntries) this.#values.delete(this.#values.keys().next().value as string);
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
  readonly #notedModels = new Set<string>();
  /** Models not started yet. */
  readonly #pendingModels = new Set<string>();
  readonly #startedModels = new Map<string, Promise<Trace | undefined>>();
  #threads: Threads<string, Trace> | undefined;
  /** Number of jobs of the last model. */
  #jobs = 0;

  /** Yields the settings in order, noting the models of later ones. */
  *withLookahead(settings: Iterable<StudySetting>): Generator<StudySetting> {
    const comingSettings: StudySetting[] = [];
    for (const setting of settings) {
      this.#noteModel(setting.options.workload);
      comingSettings.push(setting);
      if (comingSettings.length > SETTINGS_SCANNED_AHEAD) yield comingSettings.shift() as StudySetting;
    }
    yield* comingSettings;
  }

  #noteModel(modelText: string | undefined): void {
    if (modelText === undefined || this.#notedModels.has(modelText) || !isModelNotation(modelText)) return;
    this.#notedModels.add(modelText);
    this.#pendingModels.add(modelText);
  }

  /**
   * Jobs of a model, like `makeModelTrace`.
   * @throws InputError like that function.
   */
  async makeJobsOfModel(modelText: string): Promise<Trace> {
    this.#pendingModels.delete(modelText);
    const startedTracePromise = this.#startedModels.get(modelText);
    this.#startedModels.delete(modelText);
    await this.#startThreads();
    const log = (await startedTracePromise) ?? makeModelTrace(modelText);
    this.#jobs = log.count;
    return log;
  }

  async #startThreads(): Promise<void> {
    if (this.#pendingModels.size * this.#jobs < MIN_JOBS_FOR_MODEL_THREADS) return;
    // Running from TypeScript sources, there is no compiled file for a thread.
    if (!existsSync(new URL(MODEL_THREAD_TASK.module, import.meta.url))) return;
    // Loaded on demand: reading logs needs no threads.
    const { Threads } = await import('./threads.js');
    const threadCount = Math.min(availableParallelism(), MAX_MODEL_THREADS);
    this.#threads ??= new Threads(MODEL_THREAD_TASK, threadCount, undefined);
    for (const modelText of this.#pendingModels) {
      if (this.#startedModels.size >= MODELS_CREATED_AHEAD) return;
      this.#pendingModels.delete(modelText);
      // Errors are reported later, where the model is used.
      const log = this.#threads.runTask(modelText).catch(() => undefined);
      this.#startedModels.set(modelText, log);
    }
  }

  /** Terminates the threads; models are then created when used. */
  async close(): Promise<void> {
    this.#pendingModels.clear();
    this.#startedModels.clear();
    await this.#threads?.close();
    this.#threads = undefined;
  }
}
