/** Reads studies and plans their runs: resolves every setting and gives every run its permanent id. */
import { createReadStream, existsSync, readdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { checkArgument, checkOptionNames, registerLibraryOptions } from '../arguments.js';
import { readCodeFile, readOutageFile, requireCodeAllowed } from '../code/codeFile.js';
import { isTrialPolicy } from '../core/policies.js';
import { InputError, prefixErrorWithLocation } from '../errors.js';
import { hashCoreBinarySha256 } from '../files/coreFile.js';
import { explainReadError } from '../files/fileSystem.js';
import { hashJobsSha256 } from '../files/hash.js';
import { formatCount, formatNumber } from '../format/numbers.js';
import type { Grid } from '../grid/grid.js';
import { firstElement } from '../lists.js';
import { makeUnknownNameError } from '../notation.js';
import { type Configuration, makeConfiguration, makeRunOptionsOfSettings } from '../options/configuration.js';
import { isAbsentOptionText, nameOptionInStudyFile, type Settings } from '../options/options.js';
import { isOutageFileName, NO_OUTAGES_NOTATION } from '../options/outages.js';
import type { BrokenOptionRule } from '../options/rules.js';
import { RUN_OPTIONS } from '../options/runOptions.js';
import { type CodeFile, isCodeFileName, OPTIONS_TAKING_CODE } from '../providedCode.js';
import { checkEstimatesKnown, type JobsWithEstimateSource } from '../simulate/decisionView.js';
import { selectSimulatedOutages } from '../simulate/outageColumns.js';
import {
  describeOutagesOutsideJobs,
  makeSubmissionClock,
  type SubmissionClock,
} from '../simulate/outageRemarks.js';
import { getPartitionsOfLog } from '../simulate/partitionSets.js';
import {
  countSettings,
  expandStudy,
  listAxisNamesOfStudy,
  parseSettingOptions,
  type StudySetting,
} from '../study/expand.js';
import {
  computeMaxSiteCountOfPlan,
  makeRunParametersOfConfiguration,
  type Plan,
  type PlannedRun,
  type PlannedWorkload,
  type Point,
  type RunParameters,
  RunParametersPool,
  restoreParametersOfPlannedRun,
} from '../study/plan.js';
import {
  computeWorkloadStatistics,
  findSiteNumberOfMetric,
  listMetricNamesKeptByStudy,
} from '../study/runValues.js';
import type { OptionTexts } from '../study/schema.js';
import { parseStudy, type Study, type StudyOverrides } from '../study/study.js';
import { MAX_STUDY_FILE_BYTES } from '../study/yamlSource.js';
import type { Trace } from '../trace/trace.js';
import type { RecentEstimates, Workload } from '../workload/workload.js';
import { ApplicableSettings, describePlaceOfSetting } from './applicableSettings.js';
import { computePlanHash, computeRunId } from './planFile.js';
import { LeastRecentlyUsedCache, NAME_OF_TRACE_JOBS, WorkloadCache } from './workloads.js';

/** Planned study: plan, and how to create its jobs. */
export interface Planned {
  /** Plan of the runs. */
  readonly plan: Plan;
  /** Creates the jobs of workload i. */
  readonly jobsOf: (workload: number) => Promise<Workload>;
  /** Code files named by the runs. */
  readonly code: readonly CodeFile[];
  /** Statistics of workload i, in the order of `WORKLOAD_STATISTIC_NAMES`; only for studies of workloads. */
  readonly statistics: readonly (readonly number[])[];
  /** Remarks for readers on the selection and changes of jobs. */
  readonly remarks: readonly string[];
}

/** Options for planning a study. */
export interface PlanOptions {
  /** Command line that requested the study, as words; default: `study run` with its name. */
  readonly command?: readonly string[] | undefined;
  /** Log for `$TRACE`, as path or object. */
  readonly trace?: string | Trace | undefined;
  /** Number of replications passed to `readStudy`; stored with the results. */
  readonly draws?: number | undefined;
  /** Overriding options passed to `readStudy`; stored with the results. */
  readonly options?: OptionTexts | undefined;
  /** True to allow more than 20,000 runs. */
  readonly allowMany?: boolean | undefined;
  /** True if the study may name code files, which run with your permissions. */
  readonly allowCode?: boolean | undefined;
  /** Callback that receives each log after it is read. */
  readonly onRead?: ((trace: Trace) => void) | undefined;
  /** Callback that reports progress and allows interruption. */
  readonly onProgress?: ((done: number, total: number) => Promise<void> | void) | undefined;
}

const PLAN_STUDY_OPTIONS = registerLibraryOptions<PlanOptions>('planStudy', {
  ...{ command: true, trace: true, draws: true, options: true },
  ...{ allowMany: true, allowCode: true, onRead: true, onProgress: true },
});

/** Largest number of runs without confirmation. */
export const MAX_STUDY_RUNS = 20_000;
/** Number of settings after which planning reports progress and lets an interruption through. */
const SETTINGS_PER_PLANNING_PAUSE = 500;

/**
 * Resolves every setting of a study: reads logs, makes models, draws speeds, checks every option.
 * @throws InputError for anything that could not run.
 * @example
 * const { plan } = await planStudy(await readStudy('my.yaml'));
 * console.log(plan.runs.length, plan.axes.join()); // 2 load
 */
export async function planStudy(study: Study, options: PlanOptions = {}): Promise<Planned> {
  checkArgument(study, 'study', 'planStudy');
  return firstElement(await planStudies([study], [options]));
}

/**
 * Plans several studies like `planStudy`, reading each log once.
 * @param optionsByStudy options of each study, in the same order.
 */
export async function planStudies(
  studies: readonly Study[],
  optionsByStudy: readonly PlanOptions[],
): Promise<Planned[]> {
  const { onRead, trace } = firstElement(optionsByStudy);
  const workloadCache = new WorkloadCache(onRead, typeof trace === 'object' ? trace : undefined);
  const plannedStudies: Planned[] = [];
  try {
    for (const [i, study] of studies.entries())
      plannedStudies.push(await planSingleStudy(study, optionsByStudy[i]!, workloadCache));
  } finally {
    await workloadCache.prefetcher.close();
  }
  return plannedStudies;
}

async function planSingleStudy(
  study: Study,
  options: PlanOptions,
  workloadCache: WorkloadCache,
): Promise<Planned> {
  checkOptionNames(PLAN_STUDY_OPTIONS, options);
  const { draws, allowMany = false, onProgress } = options;
  const traceSource = typeof options.trace === 'object' ? NAME_OF_TRACE_JOBS : options.trace;
  const settingCount = countSettings(study);
  const planBuilder = new StudyPlanBuilder(study, workloadCache, options.allowCode);
  let doneCount = 0;
  for (const setting of workloadCache.prefetcher.withLookahead(expandStudy(study, traceSource))) {
    await planBuilder.add(setting);
    if (planBuilder.runs > MAX_STUDY_RUNS && !allowMany) throw makeTooManyRunsError(settingCount);
    if (doneCount++ % SETTINGS_PER_PLANNING_PAUSE === 0) await onProgress?.(doneCount, settingCount);
  }
  const plannedStudy = planBuilder.makePlannedStudy({
    command: options.command ?? ['study', 'run', study.name],
    trace: traceSource ?? null,
    draws: draws ?? null,
    options: options.options ?? {},
  });
  checkSiteMetricsExist(study, plannedStudy.plan);
  return plannedStudy;
}

/** Refuses a metric of a site that no run has; runs with fewer sites just have no value. */
function checkSiteMetricsExist({ kind: studyKind, measures, locate }: Study, plan: Plan): void {
  if (studyKind === 'workloads') return;
  const siteCount = computeMaxSiteCountOfPlan(plan);
  for (const { name: measureName, metric } of measures) {
    if ((findSiteNumberOfMetric(metric) ?? 0) <= siteCount) continue;
    throw new InputError(
      `${locate(['measures', measureName])}: the metric '${metric}' refers to a site that does not exist; the grid has ${formatCount(siteCount, 'site')}`,
    );
  }
}

function makeTooManyRunsError(settingCount: number): InputError {
  return new InputError(
    `this study has more than ${formatNumber(MAX_STUDY_RUNS)} simulations in its ${formatNumber(settingCount)} settings; give --yes to run them`,
  );
}

/** Number of cached settings; a study repeats its replications for each policy. */
const MAX_CACHED_SETTINGS = 512;
/** Name of the default policy, which some rules treat like an absent policy. */
const DEFAULT_POLICY_NAME = RUN_OPTIONS.policy.default;

/** Parameters common to settings that differ only in policy. */
interface CachedSetting {
  readonly workload: number;
  readonly common: RunParameters;
  /** Violated rules of options that have no effect in the setting. */
  readonly omitted: readonly BrokenOptionRule[];
}

/** Index of a workload in the plan, and properties that restrict its runs. */
interface IndexedPlanWorkload {
  readonly workloadIndex: number;
  readonly estimateSource: JobsWithEstimateSource & { readonly clock: SubmissionClock };
}

/** Builds a plan from settings, without duplicate runs and workloads. */
class StudyPlanBuilder {
  readonly #study: Study;
  readonly #axes: readonly string[];
  readonly #coreSha256 = hashCoreBinarySha256('shared');
  readonly #code: StudyCodeReader;
  readonly #workloads: WorkloadCache;
  readonly #planned: PlannedWorkload[] = [];
  readonly #statistics: number[][] = [];
  /** Options that create the jobs of each workload. */
  readonly #sources: OptionTexts[] = [];
  /** Workloads by the options that determine their jobs. */
  readonly #workloadByKey = new Map<string, IndexedPlanWorkload>();
  /** Indices of the workloads in the plan, by the hash of their jobs. */
  readonly #workloadByHash = new Map<string, number>();
  /** Full notation of policies by their text in settings; without code files. */
  readonly #policies = new Map<string | undefined, string>();
  /** Cached settings by their options other than policy. */
  readonly #settingCache = new LeastRecentlyUsedCache<CachedSetting>(MAX_CACHED_SETTINGS);
  readonly #runs: PlannedRun[] = [];
  readonly #sharedParameters = new RunParametersPool();
  readonly #runById = new Map<string, number>();
  readonly #points: Point[] = [];
  readonly #applicable: ApplicableSettings;
  /** Remarks on outages by their notation. */
  readonly #outageRemarks = new Map<string, readonly string[]>();

  constructor(study: Study, workloadCache: WorkloadCache, isCodeAllowed = false) {
    this.#code = new StudyCodeReader(isCodeAllowed, study.folder);
    this.#workloads = workloadCache;
    this.#study = study;
    this.#axes = listAxisNamesOfStudy(study);
    this.#applicable = new ApplicableSettings(this.#axes);
  }

  /** Number of distinct simulations so far. */
  get runs(): number {
    return this.#runs.length;
  }

  async add(setting: StudySetting): Promise<void> {
    const { labels: settingLabels, locate } = setting;
    const { policy, ...otherFields } = setting.options;
    const fullPolicy = this.#policies.get(policy);
    const isPolicyGiven = policy !== undefined && !isAbsentOptionText('policy', policy);
    // Policies with candidates require other options than simple allocators, so they are cached separately.
    const makePolicyKey = (full: string) => [full === DEFAULT_POLICY_NAME, isTrialPolicy(full) ? full : ''];
    const makeCacheKey = (full: string) => JSON.stringify([otherFields, isPolicyGiven, makePolicyKey(full)]);
    const cachedSetting =
      fullPolicy === undefined ? undefined : this.#settingCache.peek(makeCacheKey(fullPolicy));
    if (cachedSetting !== undefined) {
      this.#applicable.count(setting, cachedSetting.omitted);
      this.#add(settingLabels, cachedSetting.workload, fullPolicy as string, cachedSetting.common);
      return;
    }
    await this.#code.read(setting);
    const parsedSettings = parseSettingOptions(setting);
    try {
      // Rules that do not depend on the grid come first, since logs may be needed for it.
      if (this.#applicable.select(setting, parsedSettings) === undefined) return;
      const grid = await this.#gridOf(parsedSettings);
      const applicableSettings = this.#applicable.select(setting, parsedSettings, grid.capacities.length);
      if (applicableSettings === undefined) return;
      const { settings, omitted: omittedOptions } = applicableSettings;
      this.#applicable.count(setting, omittedOptions);
      const { workloadIndex: workload, estimateSource } = await this.#workload(
        settings,
        grid,
        setting.options,
      );
      const unlabelledConfiguration = makeConfiguration(
        grid,
        makeRunOptionsOfSettings(settings),
        nameOptionInStudyFile,
      );
      const { estimates } = settings;
      const configuration =
        estimates?.source === 'file'
          ? { ...unlabelledConfiguration, labels: { estimates: estimates.name } }
          : unlabelledConfiguration;
      checkEstimatesKnown(estimateSource, configuration, nameOptionInStudyFile);
      this.#checkOutages(configuration, estimateSource, locate);
      const runParameters = makeRunParametersOfConfiguration(configuration);
      const commonParameters = this.#sharedParameters.shareEqual(runParameters);
      if (runParameters.code === undefined) {
        this.#policies.set(policy, runParameters.policy);
        this.#settingCache.set(makeCacheKey(runParameters.policy), {
          workload,
          common: commonParameters,
          omitted: omittedOptions,
        });
      }
      this.#add(settingLabels, workload, runParameters.policy, commonParameters);
    } catch (error) {
      throw prefixErrorWithLocation(error, describePlaceOfSetting(setting, this.#axes));
    }
  }

  /** Checks the outages of a setting, and keeps remarks on those that lie before or after the submissions. */
  #checkOutages(
    configuration: Configuration,
    { name: workloadName, clock }: IndexedPlanWorkload['estimateSource'],
    locate: StudySetting['locate'],
  ): void {
    const { outages } = configuration;
    if (outages === NO_OUTAGES_NOTATION) return;
    try {
      selectSimulatedOutages(configuration, { name: workloadName, unixStartTime: clock.unixStartTime });
    } catch (error) {
      throw prefixErrorWithLocation(error, locate('outages'));
    }
    if (!this.#outageRemarks.has(outages))
      this.#outageRemarks.set(outages, describeOutagesOutsideJobs(configuration, clock));
  }

  /** Grid of a setting; errors explain how to combine axes of sizes and speeds. */
  async #gridOf(settings: Settings): ReturnType<WorkloadCache['grid']> {
    try {
      return await this.#workloads.grid(settings);
    } catch (error) {
      const axes = ['sites', 'speeds', 'heterogeneity'].filter((optionName) =>
        this.#axes.includes(optionName),
      );
      if (axes.length < 2 || !(error instanceof InputError)) throw error;
      throw new InputError(`${error.message}; values that go together are one axis: ${axes.join('+')}`);
    }
  }

  async #workload(settings: Settings, grid: Grid, options: OptionTexts): Promise<IndexedPlanWorkload> {
    const workloadKey = this.#workloads.key(settings, grid);
    const existingWorkloadIndex = this.#workloadByKey.get(workloadKey);
    if (existingWorkloadIndex !== undefined) return existingWorkloadIndex;
    const workload = await this.#workloads.workload(settings, grid);
    const { name: workloadName, count: jobCount, recent, unestimated, accounting } = workload;
    const sha256 = hashJobsSha256(workload);
    const index = this.#workloadByHash.get(sha256) ?? this.#planned.length;
    const clock = makeSubmissionClock(workload);
    const estimateSource = { name: workloadName, accounting, clock, ...(unestimated && { unestimated }) };
    this.#workloadByKey.set(workloadKey, { workloadIndex: index, estimateSource });
    if (index < this.#planned.length) return { workloadIndex: index, estimateSource };
    this.#workloadByHash.set(sha256, index);
    const { users: _, ...estimateRule } = recent ?? {};
    const partitionCount = getPartitionsOfLog(workload.log)?.pairs.length;
    const optionalFacts = {
      ...(partitionCount !== undefined && { partitions: partitionCount }),
      ...(recent && { recent: estimateRule as RecentEstimates }),
      ...(unestimated && { unestimated }),
    };
    this.#planned.push({ name: workloadName, sha256, jobs: jobCount, accounting, ...optionalFacts });
    if (this.#study.kind === 'workloads') this.#statistics.push(computeWorkloadStatistics(workload));
    this.#sources.push(omitSimulationCodeFiles(options));
    return { workloadIndex: index, estimateSource };
  }

  /** Adds a setting, and its run unless an earlier setting has the same one. */
  #add(
    pointLabels: StudySetting['labels'],
    workload: number,
    policyText: string,
    commonParameters: RunParameters,
  ): void {
    const { sha256 } = this.#planned[workload]!;
    const isWorkloadStudy = this.#study.kind === 'workloads';
    const parametersJson = isWorkloadStudy
      ? undefined
      : JSON.stringify(restoreParametersOfPlannedRun({ common: commonParameters, policy: policyText }));
    const id =
      parametersJson === undefined
        ? computeRunId(sha256)
        : computeRunId(sha256, this.#coreSha256, parametersJson);
    const runIndex = this.#runById.get(id) ?? this.#runs.length;
    if (runIndex === this.#runs.length) {
      this.#runById.set(id, runIndex);
      this.#runs.push({ id, workload, policy: policyText, common: commonParameters });
    }
    this.#points.push({ labels: pointLabels, run: runIndex });
  }

  makePlannedStudy(request: Pick<Plan, 'command' | 'trace' | 'draws' | 'options'>): Planned {
    this.#applicable.check();
    const [plannedRuns, points, workloadCache, sources] = [
      this.#runs,
      this.#points,
      this.#workloads,
      this.#sources,
    ];
    const metrics = listMetricNamesKeptByStudy(this.#study);
    const plan: Plan = {
      study: this.#study.name,
      coreSha256: this.#coreSha256,
      ...request,
      axes: this.#axes,
      metrics,
      workloads: this.#planned,
      sources,
      runs: plannedRuns,
      points,
      sha256: computePlanHash([...this.#axes, ...metrics], plannedRuns, points),
    };
    const jobsOf = (workload: number) => workloadCache.makeJobsOfOptions(sources[workload]!);
    return {
      plan,
      jobsOf,
      code: this.#code.files,
      statistics: this.#statistics,
      remarks: [
        ...this.#workloads.remarks,
        ...this.#applicable.remarks(),
        ...[...this.#outageRemarks.values()].flat(),
      ],
    };
  }
}

/** Removes outages and user-written functions from options, except functions that estimate runtimes. */
function omitSimulationCodeFiles(options: OptionTexts): OptionTexts {
  return Object.fromEntries(
    Object.entries(options).filter(
      ([optionName, optionText]) =>
        optionName === 'estimates' || !(isCodeFileName(optionText) || optionName === 'outages'),
    ),
  );
}

/** Code files named by a study, each read once. */
class StudyCodeReader {
  readonly #isAllowed: boolean;
  readonly #folder: string | undefined;
  readonly #files = new Map<string, CodeFile>();

  /**
   * @param folder folder of the study file, in which files of outages are looked up first; undefined: none.
   */
  constructor(isAllowed: boolean, folder: string | undefined) {
    this.#isAllowed = isAllowed;
    this.#folder = folder;
  }

  /** Path of a file with outages: from the folder of the study file, else from the current folder. */
  #pathOfOutageFile(fileName: string): string {
    const path = resolve(this.#folder ?? '', fileName);
    return existsSync(path) ? path : fileName;
  }

  get files(): readonly CodeFile[] {
    return [...this.#files.values()];
  }

  /**
   * Reads the code files of a setting without executing them.
   * @throws InputError if not allowed or unreadable.
   */
  async read({ options, locate }: Pick<StudySetting, 'options' | 'locate'>): Promise<void> {
    for (const [option, optionText] of Object.entries(options)) {
      if (option === 'outages' && isOutageFileName(optionText)) {
        try {
          await readOutageFile(optionText, this.#pathOfOutageFile(optionText));
        } catch (error) {
          throw prefixErrorWithLocation(error, locate(option));
        }
      }
      if (!OPTIONS_TAKING_CODE.includes(option) || !isCodeFileName(optionText) || this.#files.has(optionText))
        continue;
      requireCodeAllowed(this.#isAllowed, `${locate(option)}: ${option} is the file ${optionText}`);
      this.#files.set(optionText, await readCodeFile(optionText));
    }
  }
}

// Study files

/**
 * Reads a study file.
 * @throws InputError if it cannot be read, or for an invalid entry, with file, line and key.
 * @example
 * console.log((await readStudy('my.yaml')).title); // Responses by load
 */
export async function readStudy(file: string, studyOverrides: StudyOverrides = {}): Promise<Study> {
  checkArgument(file, 'text', 'readStudy');
  let studyText: string;
  try {
    // Limits reading, since a file that is not a study may be endless.
    studyText = await textOf(createReadStream(file, { end: MAX_STUDY_FILE_BYTES }));
  } catch (error) {
    throw explainReadError(
      `the study file ${file}`,
      error,
      'check its path, or give a name of gridalloc study list',
    );
  }
  return { ...(await parseStudy(studyText, file, studyOverrides)), folder: dirname(file) };
}

// Folder of the studies included in the package.

const STUDIES_FOLDER = new URL('../../studies/', import.meta.url);
const STUDY_FILE_ENDING_PATTERN = /\.ya?ml$/;

/** Names of the included studies, in alphabetical order with numbers by value. */
export function includedStudyNames(): string[] {
  const studyNames = readdirSync(STUDIES_FOLDER).filter((fileName) =>
    STUDY_FILE_ENDING_PATTERN.test(fileName),
  );
  return studyNames
    .map((fileName) => fileName.replace(STUDY_FILE_ENDING_PATTERN, ''))
    .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
}

const COLLECTION_SUFFIX = '-all';

/** Names for all studies of a paper, such as `shih2010-all`. */
export function includedCollectionNames(): string[] {
  const paperNameOfEachStudy = includedStudyNames().flatMap(
    (studyName) => /^[a-z]+\d{4}(?=-)/.exec(studyName) ?? [],
  );
  return [
    ...new Set(paperNameOfEachStudy.filter((paperName, i) => paperNameOfEachStudy.indexOf(paperName) !== i)),
  ].map((paperName) => paperName + COLLECTION_SUFFIX);
}

/** Study names that a name stands for: those of a paper, or itself. */
export function expandStudyName(studyName: string): string[] {
  if (!includedCollectionNames().includes(studyName)) return [studyName];
  return includedStudyNames().filter((includedStudyName) =>
    includedStudyName.startsWith(studyName.slice(0, 1 - COLLECTION_SUFFIX.length)),
  );
}

/**
 * Path of a study file, from an included study's name or a path (with a slash or ending in .yaml).
 * @throws InputError for an unknown name.
 */
export function findStudyFile(studyName: string): string {
  if (STUDY_FILE_ENDING_PATTERN.test(studyName) || /[/\\]/.test(studyName)) return studyName;
  const studyNames = includedStudyNames();
  if (!studyNames.includes(studyName))
    throw makeUnknownNameError('study', studyName, [...studyNames, ...includedCollectionNames()]);
  return fileURLToPath(new URL(`${studyName}.yaml`, STUDIES_FOLDER));
}
