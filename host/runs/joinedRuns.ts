/** The runs of any number of plans as one list, each once. */
import type { CodeFile } from '../providedCode.js';
import { timeOfJobs } from '../simulate/cost.js';
import {
  CommonParameters,
  type PlannedRun,
  type PlannedWorkload,
  parametersOf,
  runConfiguration,
} from '../study/plan.js';
import type { Results } from '../study/results.js';
import { jobMetricsIn } from '../study/runValues.js';
import type { OptionTexts } from '../study/schema.js';
import type { Workload } from '../workload/workload.js';
import type { Planned } from './planStudy.js';
import type { RunList } from './runList.js';

/**
 * Plans that need a run, and the metrics that they need of it; one object for all runs with the same needs.
 */
export interface RunRequest {
  /** The plans that lack the run. */
  readonly owners: readonly number[];
  /** Names of metrics of every job that are kept of it. */
  readonly jobMetrics: readonly string[];
}

/** Runs of several plans. */
export interface JoinedRuns extends RunList {
  /** The runs that some plan lacks, each once, and which plans want each. */
  readonly runs: readonly PlannedRun[];
  readonly requests: readonly RunRequest[];
  /** The values of those that some plan holds already, by their places. */
  readonly known: ReadonlyMap<number, readonly number[]>;
  /** Number of different runs of the plans, including those that none lacks. */
  readonly total: number;
  /** Workloads of the runs, each once, with the options that make their jobs. */
  readonly workloads: readonly PlannedWorkload[];
  readonly sources: readonly OptionTexts[];
  /** Makes the jobs of a workload. */
  readonly jobsOf: (workload: number) => Promise<Workload>;
  /** The files with functions that runs name. */
  readonly code: readonly CodeFile[];
}

/**
 * Joins the runs of plans. Runs are the same where their ids are and the plans keep the same of them.
 * @param sharing whether plans have runs in common at all.
 * @param results what each plan holds already; by default nothing.
 */
export function joinRuns(
  plans: readonly Planned[],
  sharing: boolean,
  results: readonly Results[] = [],
): JoinedRuns {
  const joining = new Joining(plans.length > 1);
  for (const [owner, planned] of plans.entries()) {
    const { metrics } = planned.plan;
    const alike = plans.findIndex(({ plan }) => String(plan.metrics) === String(metrics));
    const alone = { owners: [owner], jobMetrics: jobMetricsIn(metrics) };
    joining.add(planned, alone, sharing ? alike : owner, results[owner]);
  }
  const code = new Map(plans.flatMap((planned) => planned.code.map((file) => [file.name, file])));
  return { ...joining.joined(), code: [...code.values()] };
}

class Joining {
  readonly #areSeveral: boolean;
  readonly #workloads: PlannedWorkload[] = [];
  readonly #sources: OptionTexts[] = [];
  /** Plans that make the jobs of each workload, with the index of the workload in the plan. */
  readonly #makers: (readonly [planned: Planned, workload: number])[] = [];
  readonly #workloadByHash = new Map<string, number>();
  readonly #commons = new CommonParameters();
  readonly #runByKey = new Map<string, number>();
  readonly #runs: PlannedRun[] = [];
  /** Undefined for a run that no plan lacks. */
  readonly #requests: (RunRequest | undefined)[] = [];
  /** Requests by their owners. */
  readonly #wantedBySome = new Map<string, RunRequest>();
  readonly #values = new Map<number, readonly number[]>();

  constructor(areSeveral: boolean) {
    this.#areSeveral = areSeveral;
  }

  /** @param scope runs of plans of the same scope may be the same. */
  add(planned: Planned, alone: RunRequest, scope: number, results: Results | undefined): void {
    const { plan } = planned;
    const places = plan.workloads.map((_, workload) => this.#placeOf(planned, workload));
    for (const [i, run] of plan.runs.entries()) {
      const key = `${run.id} ${scope}`;
      const place = this.#runByKey.get(key) ?? this.#runs.length;
      if (place === this.#runs.length) {
        this.#runByKey.set(key, place);
        const workload = places[run.workload]!;
        this.#runs.push(this.#areSeveral ? { ...run, workload, common: this.#commons.of(run.common) } : run);
        this.#requests.push(undefined);
      }
      if (!results?.isDone(i)) this.#requests[place] = this.#with(this.#requests[place], alone);
      else if (this.#areSeveral && !this.#values.has(place)) this.#values.set(place, results.values(i));
    }
  }

  #placeOf(planned: Planned, workload: number): number {
    const { workloads, sources } = planned.plan;
    const { sha256 } = workloads[workload]!;
    const place = this.#workloadByHash.get(sha256) ?? this.#workloads.length;
    if (place < this.#workloads.length) return place;
    this.#workloadByHash.set(sha256, place);
    this.#workloads.push(workloads[workload]!);
    this.#sources.push(sources[workload]!);
    this.#makers.push([planned, workload]);
    return place;
  }

  #with(before: RunRequest | undefined, alone: RunRequest): RunRequest {
    if (before === undefined) return alone;
    const owners = [...before.owners, ...alone.owners];
    const both = this.#wantedBySome.get(owners.join()) ?? { ...alone, owners };
    this.#wantedBySome.set(owners.join(), both);
    return both;
  }

  joined(): Omit<JoinedRuns, 'code'> {
    const [runs, requests]: [PlannedRun[], RunRequest[]] = [[], []];
    const known = new Map<number, readonly number[]>();
    for (const [place, run] of this.#runs.entries()) {
      const some = this.#requests[place];
      if (some === undefined) continue;
      const values = this.#values.get(place);
      if (values !== undefined) known.set(runs.length, values);
      runs.push(run);
      requests.push(some);
    }
    const [workloads, sources, makers] = [this.#workloads, this.#sources, this.#makers];
    const jobsOf = (place: number) => {
      const [planned, workload] = makers[place]!;
      return planned.jobsOf(workload);
    };
    return { runs, requests, known, total: this.#runs.length, workloads, sources, jobsOf };
  }
}

// Expected time of runs, measured on a few of them before they begin.

/** Jobs of all runs together from which on it is worth while to measure. */
const MANY_JOBS = 5e7;
/** The most seconds of measuring, apart from runs that have begun; and the most runs measured. */
const PATIENCE = 2;
const MAX_SAMPLES = 16;
/** Steps of the golden section: whatever is begun of them is spread over all. */
const STEP = 0.6180339887498949;
/** The result of studies that run as one. */
export interface Extent {
  readonly simulations: number;
  /** Jobs that all of them simulate together. */
  readonly jobs: number;
  /** Expected time; undefined if all runs are short, or if they call functions from files. */
  readonly expected: ExpectedTime | undefined;
}

/** An expectation, and the number of runs on which it is based. */
export interface ExpectedTime {
  /** Seconds in one thread, with every run by itself. */
  readonly seconds: number;
  readonly samples: number;
}

/**
 * The result of planning studies; how long that takes is measured on runs that are spread over all, each workload made once.
 * @param sharing whether what several of them simulate counts once.
 */
export async function extentOf(studies: readonly Planned[], sharing: boolean): Promise<Extent> {
  const { runs, workloads, jobsOf, code } = joinRuns(studies, sharing);
  const all = runs.reduce((sum, { workload }) => sum + workloads[workload]!.jobs, 0);
  const of = { simulations: runs.length, jobs: all };
  if (all < MANY_JOBS || code.length > 0) return { ...of, expected: undefined };
  const began = performance.now();
  let [jobs, milliseconds, making, samples] = [0, 0, 0, 0];
  const isPatient = () => performance.now() - began < PATIENCE * 1000;
  while (samples < MAX_SAMPLES && (samples === 0 || isPatient())) {
    const run = runs[Math.floor(((samples * STEP) % 1) * runs.length)]!;
    const start = performance.now();
    const workload = await jobsOf(run.workload);
    making += performance.now() - start;
    const timed = timeOfJobs(workload, runConfiguration(parametersOf(run)), isPatient);
    jobs += timed.jobs;
    milliseconds += timed.milliseconds;
    samples++;
  }
  const seconds = ((milliseconds / jobs) * all + (making / samples) * workloads.length) / 1000;
  return { ...of, expected: { seconds, samples } };
}
