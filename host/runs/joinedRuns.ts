/** The runs of any number of plans as one list, each once. */
import type { CodeFile } from '../providedCode.js';
import { timeSimulationOfFirstJobs } from '../simulate/cost.js';
import {
  makeConfigurationOfRun,
  type PlannedRun,
  type PlannedWorkload,
  RunParametersPool,
  restoreParametersOfPlannedRun,
} from '../study/plan.js';
import type { Results } from '../study/results.js';
import { selectJobMetrics } from '../study/runValues.js';
import type { OptionTexts } from '../study/schema.js';
import type { Workload } from '../workload/workload.js';
import type { Planned } from './planStudy.js';
import type { RunList } from './runList.js';

/** Plans that need a run, and the metrics needed. Runs with equal needs share one object. */
export interface PlansNeedingRun {
  /** Indices of the plans that lack the run. */
  readonly owners: readonly number[];
  /** Names of the per-job metrics to compute. */
  readonly jobMetrics: readonly string[];
}

/** Joined runs of several plans. */
export interface JoinedRuns extends RunList {
  /** Distinct runs that some plan lacks. */
  readonly runs: readonly PlannedRun[];
  readonly requests: readonly PlansNeedingRun[];
  /** Values of runs that some plan already has, by run index. */
  readonly known: ReadonlyMap<number, readonly number[]>;
  /** Number of distinct runs, including finished ones. */
  readonly total: number;
  /** Distinct workloads of the runs; `sources` holds the options that create their jobs. */
  readonly workloads: readonly PlannedWorkload[];
  readonly sources: readonly OptionTexts[];
  /** Creates the jobs of a workload by its index. */
  readonly jobsOf: (workload: number) => Promise<Workload>;
  /** Code files named by the runs. */
  readonly code: readonly CodeFile[];
}

/**
 * Joins the runs of plans; runs are equal if their ids are and the plans keep the same values.
 * @param sharing true if plans may share runs.
 * @param studyResults existing results of each plan; default: none.
 */
export function joinEqualRunsOfPlans(
  plannedStudies: readonly Planned[],
  sharing: boolean,
  studyResults: readonly Results[] = [],
): JoinedRuns {
  const runJoiner = new RunJoiner(plannedStudies.length > 1);
  for (const [owner, plannedStudy] of plannedStudies.entries()) {
    const { metrics } = plannedStudy.plan;
    const indexOfPlanWithSameMetrics = plannedStudies.findIndex(
      ({ plan }) => String(plan.metrics) === String(metrics),
    );
    const requestOfSinglePlan = { owners: [owner], jobMetrics: selectJobMetrics(metrics) };
    runJoiner.add(
      plannedStudy,
      requestOfSinglePlan,
      sharing ? indexOfPlanWithSameMetrics : owner,
      studyResults[owner],
    );
  }
  const codeFilesByName = new Map(
    plannedStudies.flatMap((plannedStudy) => plannedStudy.code.map((file) => [file.name, file])),
  );
  return { ...runJoiner.joined(), code: [...codeFilesByName.values()] };
}

class RunJoiner {
  readonly #areSeveral: boolean;
  readonly #workloads: PlannedWorkload[] = [];
  readonly #sources: OptionTexts[] = [];
  /** Plans that use each workload, with its index in the plan. */
  readonly #workloadOrigins: (readonly [planned: Planned, workload: number])[] = [];
  readonly #workloadByHash = new Map<string, number>();
  readonly #sharedParameters = new RunParametersPool();
  readonly #runByKey = new Map<string, number>();
  readonly #runs: PlannedRun[] = [];
  /** Request of each run; undefined if no plan lacks it. */
  readonly #requests: (PlansNeedingRun | undefined)[] = [];
  /** Requests by the list of their plans. */
  readonly #requestsByOwners = new Map<string, PlansNeedingRun>();
  readonly #values = new Map<number, readonly number[]>();

  constructor(areSeveralPlans: boolean) {
    this.#areSeveral = areSeveralPlans;
  }

  /**
   * Adds a plan's runs.
   * @param sharingScope plans with the same scope may share runs.
   */
  add(
    plannedStudy: Planned,
    requestOfSinglePlan: PlansNeedingRun,
    sharingScope: number,
    studyResults: Results | undefined,
  ): void {
    const { plan } = plannedStudy;
    const workloadIndexes = plan.workloads.map((_, workload) =>
      this.#indexOfWorkload(plannedStudy, workload),
    );
    for (const [i, plannedRun] of plan.runs.entries()) {
      const runAndScopeKey = `${plannedRun.id} ${sharingScope}`;
      const runIndex = this.#runByKey.get(runAndScopeKey) ?? this.#runs.length;
      if (runIndex === this.#runs.length) {
        this.#runByKey.set(runAndScopeKey, runIndex);
        const workload = workloadIndexes[plannedRun.workload]!;
        this.#runs.push(
          this.#areSeveral
            ? { ...plannedRun, workload, common: this.#sharedParameters.shareEqual(plannedRun.common) }
            : plannedRun,
        );
        this.#requests.push(undefined);
      }
      if (!studyResults?.isDone(i))
        this.#requests[runIndex] = this.#addOwner(this.#requests[runIndex], requestOfSinglePlan);
      else if (this.#areSeveral && !this.#values.has(runIndex))
        this.#values.set(runIndex, studyResults.values(i));
    }
  }

  #indexOfWorkload(plannedStudy: Planned, workload: number): number {
    const { workloads, sources: workloadSources } = plannedStudy.plan;
    const { sha256 } = workloads[workload]!;
    const workloadIndex = this.#workloadByHash.get(sha256) ?? this.#workloads.length;
    if (workloadIndex < this.#workloads.length) return workloadIndex;
    this.#workloadByHash.set(sha256, workloadIndex);
    this.#workloads.push(workloads[workload]!);
    this.#sources.push(workloadSources[workload]!);
    this.#workloadOrigins.push([plannedStudy, workload]);
    return workloadIndex;
  }

  #addOwner(
    previousRequest: PlansNeedingRun | undefined,
    requestOfSinglePlan: PlansNeedingRun,
  ): PlansNeedingRun {
    if (previousRequest === undefined) return requestOfSinglePlan;
    const owners = [...previousRequest.owners, ...requestOfSinglePlan.owners];
    const combinedRequest = this.#requestsByOwners.get(owners.join()) ?? { ...requestOfSinglePlan, owners };
    this.#requestsByOwners.set(owners.join(), combinedRequest);
    return combinedRequest;
  }

  joined(): Omit<JoinedRuns, 'code'> {
    const [plannedRuns, requests]: [PlannedRun[], PlansNeedingRun[]] = [[], []];
    const knownRunValues = new Map<number, readonly number[]>();
    for (const [runIndex, plannedRun] of this.#runs.entries()) {
      const request = this.#requests[runIndex];
      if (request === undefined) continue;
      const runValues = this.#values.get(runIndex);
      if (runValues !== undefined) knownRunValues.set(plannedRuns.length, runValues);
      plannedRuns.push(plannedRun);
      requests.push(request);
    }
    const [plannedWorkloads, sources, origins] = [this.#workloads, this.#sources, this.#workloadOrigins];
    const jobsOf = (workloadIndex: number) => {
      const [plannedStudy, workload] = origins[workloadIndex]!;
      return plannedStudy.jobsOf(workload);
    };
    return {
      runs: plannedRuns,
      requests,
      known: knownRunValues,
      total: this.#runs.length,
      workloads: plannedWorkloads,
      sources,
      jobsOf,
    };
  }
}

// Expected duration of runs, measured on a sample before they start.

/** Number of jobs over all runs from which measuring is worthwhile. */
const MIN_JOBS_FOR_MEASURING = 5e7;
/** Largest duration of measuring in seconds, apart from a run in progress. */
const MAX_MEASURING_SECONDS = 2;
/** Largest number of runs that are timed. */
const MAX_TIMED_SAMPLE_RUNS = 16;
/** Step of the golden section, which spreads any number of samples evenly. */
const GOLDEN_SECTION_STEP = 0.6180339887498949;

/** Expected extent of studies that run together: number of simulations and jobs, and duration. */
export interface ExpectedStudyExtent {
  readonly simulations: number;
  /** Number of jobs simulated over all studies. */
  readonly jobs: number;
  /** Expected duration; undefined if all runs are short or call code files. */
  readonly expected: ExpectedRunTime | undefined;
}

/** Expected duration and the number of runs it is based on. */
export interface ExpectedRunTime {
  /** Seconds in one thread without sharing. */
  readonly seconds: number;
  readonly samples: number;
}

/**
 * Measures the expected duration of studies on sample runs.
 * @param sharing true if equal runs of several studies count once.
 */
export async function estimateStudyExtent(
  studies: readonly Planned[],
  sharing: boolean,
): Promise<ExpectedStudyExtent> {
  const { runs, workloads, jobsOf, code: codeFiles } = joinEqualRunsOfPlans(studies, sharing);
  const totalJobCount = runs.reduce((sum, { workload }) => sum + workloads[workload]!.jobs, 0);
  const counts = { simulations: runs.length, jobs: totalJobCount };
  if (totalJobCount < MIN_JOBS_FOR_MEASURING || codeFiles.length > 0)
    return { ...counts, expected: undefined };
  const startClockTime = performance.now();
  let [jobCount, milliseconds, preparationMilliseconds, sampleCount] = [0, 0, 0, 0];
  const isTimeLeft = () => performance.now() - startClockTime < MAX_MEASURING_SECONDS * 1000;
  while (sampleCount < MAX_TIMED_SAMPLE_RUNS && (sampleCount === 0 || isTimeLeft())) {
    const plannedRun = runs[Math.floor(((sampleCount * GOLDEN_SECTION_STEP) % 1) * runs.length)]!;
    const start = performance.now();
    const workload = await jobsOf(plannedRun.workload);
    preparationMilliseconds += performance.now() - start;
    const timedSimulation = timeSimulationOfFirstJobs(
      workload,
      makeConfigurationOfRun(restoreParametersOfPlannedRun(plannedRun)),
      isTimeLeft,
    );
    jobCount += timedSimulation.jobs;
    milliseconds += timedSimulation.milliseconds;
    sampleCount++;
  }
  const seconds =
    ((milliseconds / jobCount) * totalJobCount + (preparationMilliseconds / sampleCount) * workloads.length) /
    1000;
  return { ...counts, expected: { seconds, samples: sampleCount } };
}
