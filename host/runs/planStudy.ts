/**
 * Studies, read from their files and planned: planning reads their logs, resolves their settings, and gives every
 * run the name that it has for good.
 */
import { createReadStream, readdirSync } from 'node:fs';
import { text as textOf } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { readCode, requireAllowed } from '../code/codeFile.js';
import { isTrying } from '../core/policies.js';
import { InputError, located } from '../errors.js';
import { coreSha256 } from '../files/coreFile.js';
import { readFault } from '../files/fileSystem.js';
import { hashJobs } from '../files/hash.js';
import { countOf, formatNumber } from '../format/numbers.js';
import { checkGiven, checkOptions, takes } from '../given.js';
import type { Grid } from '../grid/grid.js';
import { firstOf } from '../lists.js';
import { unknownName } from '../notation.js';
import { makeConfiguration, runOptionsOf } from '../options/configuration.js';
import { inStudyFile, isAbsent, type Settings } from '../options/options.js';
import { checkRules } from '../options/rules.js';
import { RUN_OPTIONS } from '../options/runOptions.js';
import { type CodeFile, isCodeName, TAKING_CODE } from '../providedCode.js';
import { checkEstimates, type EstimatedJobs } from '../simulate/decisionView.js';
import { axesOf, countSettings, expandStudy, type Setting, settingsOf } from '../study/expand.js';
import {
  CommonParameters,
  type Plan,
  type PlannedRun,
  type PlannedWorkload,
  type Point,
  parametersOf,
  planSites,
  type RunParameters,
  runParameters,
} from '../study/plan.js';
import { keptMetrics, siteOf, workloadValues } from '../study/runValues.js';
import type { OptionTexts } from '../study/schema.js';
import { parseStudy, type Study, type StudyOverrides } from '../study/study.js';
import { MAX_BYTES } from '../study/yamlSource.js';
import type { Trace } from '../trace/trace.js';
import type { RecentEstimates, Workload } from '../workload/workload.js';
import { planHash, runId } from './planFile.js';
import { GIVEN_LOG, Recent, Workloads } from './workloads.js';

/** A plan, and how its jobs are made again. */
export interface Planned {
  /** Plan of the runs. */
  readonly plan: Plan;
  /** Makes the jobs of workload i. */
  readonly jobsOf: (workload: number) => Promise<Workload>;
  /** The files with functions that runs name. */
  readonly code: readonly CodeFile[];
  /** Statistics of workload i, in the order of WORKLOAD_METRICS; kept only for a study of workloads. */
  readonly statistics: readonly (readonly number[])[];
  /** Remarks for readers on how jobs are selected and changed. */
  readonly remarks: readonly string[];
}

/** Options of planning a study. */
export interface PlanOptions {
  /** Words of the command that the study came from; default that of a study of its name. */
  readonly command?: readonly string[] | undefined;
  /** The log that `$TRACE` means, by its path or as an object. */
  readonly trace?: string | Trace | undefined;
  /** The number of draws that `readStudy` was given; kept with the results. */
  readonly draws?: number | undefined;
  /** The files that `readStudy` was given; kept with the results. */
  readonly options?: OptionTexts | undefined;
  /** True if more than 20,000 runs are wanted. */
  readonly allowMany?: boolean | undefined;
  /** True if the study may name files with functions, which run with all rights of the user. */
  readonly allowCode?: boolean | undefined;
  /** Given each log when it is read. */
  readonly onRead?: ((trace: Trace) => void) | undefined;
  /** Called now and then, to show progress and to let the user stop. */
  readonly onProgress?: ((done: number, total: number) => Promise<void> | void) | undefined;
}

const PLAN_STUDY = takes<PlanOptions>('planStudy', {
  ...{ command: true, trace: true, draws: true, options: true },
  ...{ allowMany: true, allowCode: true, onRead: true, onProgress: true },
});

/** A larger study needs confirmation. */
export const MAX_RUNS = 20_000;
const BETWEEN_LOOKS = 500;

/**
 * Resolves every setting of a study: reads logs, makes models, draws speeds, checks every option.
 * @throws InputError for anything that could not run.
 * @example
 * const { plan } = await planStudy(await readStudy('my.yaml'));
 * console.log(plan.runs.length, plan.axes.join()); // 2 load
 */
export async function planStudy(study: Study, options: PlanOptions = {}): Promise<Planned> {
  checkGiven(study, 'study', 'planStudy');
  return firstOf(await planStudies([study], [options]));
}

/**
 * Plans several studies as `planStudy` does; logs are read and jobs are made once for all.
 * @param input what is given to each, in the same order.
 */
export async function planStudies(
  studies: readonly Study[],
  input: readonly PlanOptions[],
): Promise<Planned[]> {
  const { onRead, trace } = firstOf(input);
  const workloads = new Workloads(onRead, typeof trace === 'object' ? trace : undefined);
  const planned: Planned[] = [];
  try {
    for (const [i, study] of studies.entries()) planned.push(await planOne(study, input[i]!, workloads));
  } finally {
    await workloads.ahead.close();
  }
  return planned;
}

async function planOne(study: Study, options: PlanOptions, workloads: Workloads): Promise<Planned> {
  checkOptions(PLAN_STUDY, options);
  const { draws, allowMany = false, onProgress } = options;
  const trace = typeof options.trace === 'object' ? GIVEN_LOG : options.trace;
  const settings = countSettings(study);
  const builder = new PlanBuilder(study, workloads, options.allowCode);
  let done = 0;
  for (const setting of workloads.ahead.over(expandStudy(study, trace))) {
    await builder.add(setting);
    if (builder.runs > MAX_RUNS && !allowMany) throw tooMany(settings);
    if (done++ % BETWEEN_LOOKS === 0) await onProgress?.(done, settings);
  }
  const planned = builder.planned({
    command: options.command ?? ['study', 'run', study.name],
    trace: trace ?? null,
    draws: draws ?? null,
    options: options.options ?? {},
  });
  checkSites(study, planned.plan);
  return planned;
}

/** Refuses a metric of a site that no run has; where some have it, the others have no value. */
function checkSites({ kind, measures, locate }: Study, plan: Plan): void {
  if (kind === 'workloads') return;
  const sites = planSites(plan);
  for (const { name, metric } of measures) {
    if ((siteOf(metric) ?? 0) <= sites) continue;
    throw new InputError(
      `${locate(['measures', name])}: the metric '${metric}' refers to a site that does not exist; the grid has ${countOf(sites, 'site')}`,
    );
  }
}

function tooMany(settings: number): InputError {
  return new InputError(
    `this study has more than ${formatNumber(MAX_RUNS)} simulations in its ${formatNumber(settings)} settings; give --yes to run them`,
  );
}

/** Number of entries kept: a study goes through its replications for each policy. */
const ALIKE_KEPT = 512;
/** Rules may take it for none. */
const DEFAULT_POLICY = RUN_OPTIONS.policy.default;

/** Common parts of settings that differ only in their policies. */
interface Alike {
  readonly workload: number;
  readonly common: RunParameters;
}

/** Index of a setting's jobs in the plan, and the properties that decide which runs can use them. */
interface WorkloadInPlan {
  readonly place: number;
  readonly known: EstimatedJobs;
}

/** Collects settings; runs and workloads that come up again are the same. */
class PlanBuilder {
  readonly #study: Study;
  readonly #axes: readonly string[];
  readonly #coreSha256 = coreSha256('shared');
  readonly #code: StudyCode;
  readonly #workloads: Workloads;
  readonly #planned: PlannedWorkload[] = [];
  readonly #statistics: number[][] = [];
  /** Options of a setting that has the jobs of workload i. */
  readonly #sources: OptionTexts[] = [];
  /** Workloads by what decides the jobs of a setting, and by the hash of the jobs. */
  readonly #workloadByKey = new Map<string, WorkloadInPlan>();
  readonly #workloadByHash = new Map<string, number>();
  /** Policies in full by how settings write them; none from files. */
  readonly #policies = new Map<string | undefined, string>();
  /** Settings by their other options. */
  readonly #alike = new Recent<Alike>(ALIKE_KEPT);
  readonly #runs: PlannedRun[] = [];
  readonly #commons = new CommonParameters();
  readonly #runById = new Map<string, number>();
  readonly #points: Point[] = [];

  constructor(study: Study, workloads: Workloads, allowCode = false) {
    this.#code = new StudyCode(allowCode);
    this.#workloads = workloads;
    this.#study = study;
    this.#axes = axesOf(study);
  }

  /** Number of different simulations so far. */
  get runs(): number {
    return this.#runs.length;
  }

  async add(setting: Setting): Promise<void> {
    const { labels, locate } = setting;
    const { policy, ...others } = setting.options;
    const printed = this.#policies.get(policy);
    const isGiven = policy !== undefined && !isAbsent('policy', policy);
    // Options that fit a policy with candidates may not fit an allocator, and vice versa.
    const kindOf = (full: string) => [full === DEFAULT_POLICY, isTrying(full) ? full : ''];
    const alike = (full: string) => JSON.stringify([others, isGiven, kindOf(full)]);
    const known = printed === undefined ? undefined : this.#alike.known(alike(printed));
    if (known !== undefined) {
      this.#add(labels, known.workload, printed as string, known.common);
      return;
    }
    await this.#code.read(setting);
    const settings = settingsOf(setting);
    try {
      checkRules(settings, inStudyFile);
      const grid = await this.#gridOf(settings);
      const { place: workload, known: jobs } = await this.#workload(settings, grid, setting.options);
      const made = makeConfiguration(grid, runOptionsOf(settings), inStudyFile);
      const { estimates } = settings;
      const configuration =
        estimates?.source === 'file' ? { ...made, labels: { estimates: estimates.name } } : made;
      checkEstimates(jobs, configuration, inStudyFile);
      const parameters = runParameters(configuration);
      const common = this.#commons.of(parameters);
      if (parameters.code === undefined) {
        this.#policies.set(policy, parameters.policy);
        this.#alike.set(alike(parameters.policy), { workload, common });
      }
      this.#add(labels, workload, parameters.policy, common);
    } catch (error) {
      throw located(error, `${locate('workload').split(',')[0]}, at ${this.#describe(labels)}`);
    }
  }

  /** The sites of a setting; where sizes and speeds are axes by themselves, errors say how they are one. */
  async #gridOf(settings: Settings): ReturnType<Workloads['grid']> {
    try {
      return await this.#workloads.grid(settings);
    } catch (error) {
      const axes = ['sites', 'speeds', 'heterogeneity'].filter((name) => this.#axes.includes(name));
      if (axes.length < 2 || !(error instanceof InputError)) throw error;
      throw new InputError(`${error.message}; values that go together are one axis: ${axes.join('+')}`);
    }
  }

  #describe(labels: Setting['labels']): string {
    return this.#axes
      .flatMap((axis, i) => (labels[i] === null || labels[i] === '' ? [] : [`${axis} ${labels[i]}`]))
      .join(', ');
  }

  async #workload(settings: Settings, grid: Grid, options: OptionTexts): Promise<WorkloadInPlan> {
    const key = this.#workloads.key(settings, grid);
    const found = this.#workloadByKey.get(key);
    if (found !== undefined) return found;
    const workload = await this.#workloads.workload(settings, grid);
    const { name, count, recent, unestimated, accounting } = workload;
    const sha256 = hashJobs(workload);
    const index = this.#workloadByHash.get(sha256) ?? this.#planned.length;
    const known = { name, accounting, ...(unestimated && { unestimated }) };
    this.#workloadByKey.set(key, { place: index, known });
    if (index < this.#planned.length) return { place: index, known };
    this.#workloadByHash.set(sha256, index);
    const { users: _, ...rule } = recent ?? {};
    const estimates = {
      ...(recent && { recent: rule as RecentEstimates }),
      ...(unestimated && { unestimated }),
    };
    this.#planned.push({ name, sha256, jobs: count, accounting, ...estimates });
    if (this.#study.kind === 'workloads') this.#statistics.push(workloadValues(workload));
    this.#sources.push(withoutCode(options));
    return { place: index, known };
  }

  /** Adds a setting, and its run where no earlier setting has the same run. */
  #add(labels: Setting['labels'], workload: number, policy: string, common: RunParameters): void {
    const { sha256 } = this.#planned[workload]!;
    const isOfJobs = this.#study.kind === 'workloads';
    const text = isOfJobs ? undefined : JSON.stringify(parametersOf({ common, policy }));
    const id = text === undefined ? runId(sha256) : runId(sha256, this.#coreSha256, text);
    const run = this.#runById.get(id) ?? this.#runs.length;
    if (run === this.#runs.length) {
      this.#runById.set(id, run);
      this.#runs.push({ id, workload, policy, common });
    }
    this.#points.push({ labels, run });
  }

  planned(input: Pick<Plan, 'command' | 'trace' | 'draws' | 'options'>): Planned {
    const [runs, points, workloads, sources] = [this.#runs, this.#points, this.#workloads, this.#sources];
    const metrics = keptMetrics(this.#study);
    const plan: Plan = {
      study: this.#study.name,
      coreSha256: this.#coreSha256,
      ...input,
      axes: this.#axes,
      metrics,
      workloads: this.#planned,
      sources,
      runs,
      points,
      sha256: planHash([...this.#axes, ...metrics], runs, points),
    };
    const jobsOf = (workload: number) => workloads.made(sources[workload]!);
    return {
      plan,
      jobsOf,
      code: this.#code.files,
      statistics: this.#statistics,
      remarks: [...this.#workloads.remarks],
    };
  }
}

/** Options without files with functions, but for those by which jobs are estimated. */
function withoutCode(options: OptionTexts): OptionTexts {
  return Object.fromEntries(
    Object.entries(options).filter(([name, text]) => name === 'estimates' || !isCodeName(text)),
  );
}

/** The files with functions that a study names, each read once. */
class StudyCode {
  readonly #isAllowed: boolean;
  readonly #files = new Map<string, CodeFile>();

  constructor(isAllowed: boolean) {
    this.#isAllowed = isAllowed;
  }

  get files(): readonly CodeFile[] {
    return [...this.#files.values()];
  }

  /**
   * Reads the files that a setting names; nothing in them runs.
   * @throws InputError when that is not allowed, or one cannot be read.
   */
  async read({ options, locate }: Pick<Setting, 'options' | 'locate'>): Promise<void> {
    for (const [option, text] of Object.entries(options)) {
      if (!TAKING_CODE.includes(option) || !isCodeName(text) || this.#files.has(text)) continue;
      requireAllowed(this.#isAllowed, `${locate(option)}: ${option} is the file ${text}`);
      this.#files.set(text, await readCode(text));
    }
  }
}

// Study files

/**
 * Reads a study file.
 * @throws InputError when it cannot be read, or with file, line and key for anything wrong in it.
 * @example
 * console.log((await readStudy('my.yaml')).title); // Responses by load
 */
export async function readStudy(file: string, overrides: StudyOverrides = {}): Promise<Study> {
  checkGiven(file, 'text', 'readStudy');
  let text: string;
  try {
    // Reading stops when the file is clearly too long: a file that is not a study may be endless.
    text = await textOf(createReadStream(file, { end: MAX_BYTES }));
  } catch (error) {
    throw readFault(
      `the study file ${file}`,
      error,
      'check its path, or give a name of gridalloc study list',
    );
  }
  return parseStudy(text, file, overrides);
}

// The studies that come with the program.

const STUDIES = new URL('../../studies/', import.meta.url);
const ENDING = /\.ya?ml$/;

/** Names of the studies that come with the program, in alphabetic order; numbers within by size. */
export function studyNames(): string[] {
  const names = readdirSync(STUDIES).filter((name) => ENDING.test(name));
  return names
    .map((name) => name.replace(ENDING, ''))
    .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
}

const ALL = '-all';

/** Papers that have several studies, each by a name for all of them, such as `shih2010-all`. */
export function collectionNames(): string[] {
  const papers = studyNames().flatMap((name) => /^[a-z]+\d{4}(?=-)/.exec(name) ?? []);
  return [...new Set(papers.filter((paper, i) => papers.indexOf(paper) !== i))].map((paper) => paper + ALL);
}

/** The names of the studies that a name means: those of a paper, or itself. */
export function studiesOf(name: string): string[] {
  if (!collectionNames().includes(name)) return [name];
  return studyNames().filter((each) => each.startsWith(name.slice(0, 1 - ALL.length)));
}

/**
 * The file of a study: a name of the list, or a path (with a slash or the ending .yaml).
 * @throws InputError for an unknown name.
 */
export function findStudy(text: string): string {
  if (ENDING.test(text) || /[/\\]/.test(text)) return text;
  const names = studyNames();
  if (!names.includes(text)) throw unknownName('study', text, [...names, ...collectionNames()]);
  return fileURLToPath(new URL(`${text}.yaml`, STUDIES));
}
