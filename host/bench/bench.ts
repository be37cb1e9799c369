/**
 * Benchmark of allocation decisions: time by number of sites and queue length, for both methods of searching
 * sites.
 */
import { arch, cpus, platform } from 'node:os';
import { type Core, openCore } from '../core/module.js';
import type { PolicyView } from '../core/policies.js';
import { InputError } from '../errors.js';
import { hashCoreBinarySha256 } from '../files/coreFile.js';
import { firstElement } from '../lists.js';
import { computeUniformNumberOfSeed } from '../math/random.js';
import { makeConfiguration } from '../options/configuration.js';
import { isCodeFileName } from '../providedCode.js';
import { putJobTableAtMemoryStart, type SiteSearch } from '../simulate/layout.js';
import { FunctionView } from '../simulate/policyView.js';
import { Simulator } from '../simulate/simulator.js';
import { INTERVAL_ERROR_PROBABILITY, studentQuantile } from '../statistics/interval.js';
import type { Workload } from '../workload/workload.js';

/** Sizes and repetitions of a benchmark. */
export interface BenchPlan {
  /** Policies to compare, in policy notation. */
  readonly policies: readonly string[];
  readonly sites: readonly number[];
  readonly queues: readonly number[];
  /** Number of batches of decisions, whose median counts. */
  readonly batchCount: number;
  /** Numbers of concurrently running jobs in whole runs, and number of runs for the median. */
  readonly running: readonly number[];
  readonly runs: number;
}

/** Median and quartiles of measured times. */
interface QuartileBounds {
  readonly low: number;
  readonly high: number;
}

/** Method of finding sites: one of the two searches of the core, or a function from a file. */
export type BenchSearchMethod = SiteSearch | 'function';

/** Time per decision of a policy with a number of sites and of waiting jobs. */
export interface BenchRow extends QuartileBounds {
  readonly policy: string;
  readonly method: BenchSearchMethod;
  readonly sites: number;
  readonly queue: number;
  readonly nsPerDecision: number;
}

/** Time per job of a policy in whole runs on five sites, with an average number of running jobs. */
export interface RunTimeRow extends QuartileBounds {
  readonly policy: string;
  readonly running: number;
  readonly nsPerJob: number;
}

/**
 * Growth of a policy's time: per decision with the number of sites (longest queue) or the queue length (most
 * sites), or per job with the number of running jobs.
 */
export interface CostGrowth extends PowerLawFit {
  readonly policy: string;
  readonly method: BenchSearchMethod;
  readonly in: 'sites' | 'queue' | 'running';
}

/** All results of a benchmark, and the machine. */
export interface BenchResult {
  readonly machine: Machine;
  /** SHA-256 of the core's binary. */
  readonly binary: string;
  /** Noise: interquartile range of a time divided by the time, as median over all rows. */
  readonly noise: number;
  readonly rows: readonly BenchRow[];
  readonly runs: readonly RunTimeRow[];
  readonly growth: readonly CostGrowth[];
}

const SITE_SEARCH_METHODS = ['scan', 'index'] as const;

/** Methods of searching sites that apply to a policy. */
function searchMethodsOfPolicy(policyText: string): readonly BenchSearchMethod[] {
  return isCodeFileName(policyText) ? ['function'] : SITE_SEARCH_METHODS;
}

/** Number of rounds of measurements. The second round, after all others, reveals changes on the machine. */
const BENCH_ROUNDS = 2;

/** Noise above which the machine is too busy for reliable times. */
const MAX_TIMING_NOISE = 0.2;

/** True if the measured times vary so much that their differences say nothing about policies. */
export function isTimingTooNoisy({ noise }: BenchResult): boolean {
  return noise > MAX_TIMING_NOISE;
}

/**
 * Measures all combinations of site numbers and queue lengths.
 * @param onProgress called with the finished share; may wait, for instance for an interruption.
 * @throws Error if the two search methods find different sites.
 */
export async function runBenchmark(
  { policies, sites, queues, batchCount, running, runs: runsPerPolicy }: BenchPlan,
  onProgress: (doneShare: number) => Promise<void> | void = () => {},
): Promise<BenchResult> {
  const benchRows: BenchRow[] = [];
  const requestedTimings = policies.flatMap((policyText) =>
    searchMethodsOfPolicy(policyText).map((searchMethod) => ({ policy: policyText, method: searchMethod })),
  );
  const decisionRowCount = requestedTimings.length * sites.length * queues.length;
  const measurementCount = decisionRowCount + policies.length * running.length;
  for (const queue of queues) {
    for (const siteCount of sites) {
      const benchState = new SiteDecisionBench(siteCount, queue);
      const timings: DecisionTimings[][] = requestedTimings.map(() => []);
      for (let round = 1; round <= BENCH_ROUNDS; round++) {
        for (const [i, { policy, method: searchMethod }] of requestedTimings.entries()) {
          const batchCountOfRound = Math.ceil(batchCount / BENCH_ROUNDS);
          timings[i]!.push(
            searchMethod === 'function'
              ? benchState.measurePolicyFunction(policy, batchCountOfRound)
              : benchState.measure(policy, searchMethod, batchCountOfRound),
          );
          await onProgress((benchRows.length + ((i + 1) * round) / BENCH_ROUNDS) / measurementCount);
        }
      }
      checkEqualSiteChoices(requestedTimings, timings, `${siteCount} sites with a queue of ${queue}`);
      benchRows.push(
        ...requestedTimings.map(({ policy, method: searchMethod }, i) => ({
          policy,
          method: searchMethod,
          sites: siteCount,
          queue,
          ...combineDecisionTimeRounds(timings[i]!),
        })),
      );
    }
  }
  const runTimeRows: RunTimeRow[] = [];
  for (const runningJobCount of running) {
    const benchState = new WholeRunBench(runningJobCount);
    for (const policyText of policies) {
      const { median, ...spread } = timeQuartiles(benchState.measure(policyText, runsPerPolicy));
      runTimeRows.push({ policy: policyText, running: runningJobCount, nsPerJob: median, ...spread });
      await onProgress((decisionRowCount + runTimeRows.length) / measurementCount);
    }
  }
  const timingSpreads = [
    ...benchRows.map(({ nsPerDecision, low, high }) => (high - low) / nsPerDecision),
    ...runTimeRows.map(({ nsPerJob, low, high }) => (high - low) / nsPerJob),
  ].sort((a, b) => a - b);
  return {
    machine: describeThisMachine(),
    binary: hashCoreBinarySha256('release'),
    noise: timingSpreads[Math.floor(timingSpreads.length / 2)]!,
    rows: benchRows,
    runs: runTimeRows,
    growth: [...fitDecisionCostGrowth(benchRows), ...fitGrowthWithRunningJobs(runTimeRows)],
  };
}

function combineDecisionTimeRounds(
  rounds: readonly DecisionTimings[],
): Pick<BenchRow, 'nsPerDecision' | 'low' | 'high'> {
  const { median, ...spread } = timeQuartiles(rounds.flatMap(({ batchTimes: batches }) => batches));
  return { nsPerDecision: median, ...spread };
}

function timeQuartiles(measuredTimes: readonly number[]): QuartileBounds & { readonly median: number } {
  const sortedTimes = [...measuredTimes].sort((a, b) => a - b);
  const computeQuantile = (quantileShare: number) =>
    sortedTimes[Math.round(quantileShare * (sortedTimes.length - 1))]!;
  return { median: computeQuantile(0.5), low: computeQuantile(0.25), high: computeQuantile(0.75) };
}

/** Checks that both search methods find the same sites. */
function checkEqualSiteChoices(
  requestedTimings: readonly { readonly policy: string; readonly method: BenchSearchMethod }[],
  measuredTimings: readonly (readonly DecisionTimings[])[],
  setting: string,
): void {
  for (const [i, { policy, method: searchMethod }] of requestedTimings.entries()) {
    if (searchMethod !== 'index') continue;
    const [scan, index] = [firstElement(measuredTimings[i - 1]!), firstElement(measuredTimings[i]!)];
    if (scan.sites.some((site, job) => site !== index.sites[job])) {
      throw new Error(`${policy} on ${setting}: the index finds other sites than the scan`);
    }
  }
}

function fitDecisionCostGrowth(benchRows: readonly BenchRow[]): CostGrowth[] {
  const longestQueue = Math.max(...benchRows.map(({ queue }) => queue));
  const largestSiteCount = Math.max(...benchRows.map(({ sites: siteCount }) => siteCount));
  const policies = [...new Set(benchRows.map(({ policy }) => policy))];
  return policies.flatMap((policyText) =>
    searchMethodsOfPolicy(policyText).flatMap((searchMethod) => {
      const rowsOfPolicy = benchRows.filter(
        (benchRow) => benchRow.policy === policyText && benchRow.method === searchMethod,
      );
      const rowsOfLongestQueue = rowsOfPolicy.filter(({ queue }) => queue === longestQueue);
      const rowsOfMostSites = rowsOfPolicy.filter(({ sites: siteCount }) => siteCount === largestSiteCount);
      const growthWithSites = fitPowerLaw(
        rowsOfLongestQueue.map(({ sites: siteCount, nsPerDecision }) => ({
          size: siteCount,
          cost: nsPerDecision,
        })),
      );
      const growthWithQueue = fitPowerLaw(
        rowsOfMostSites.map(({ queue, nsPerDecision }) => ({ size: queue, cost: nsPerDecision })),
      );
      return [
        ...(growthWithSites === undefined
          ? []
          : [{ policy: policyText, method: searchMethod, in: 'sites' as const, ...growthWithSites }]),
        ...(growthWithQueue === undefined
          ? []
          : [{ policy: policyText, method: searchMethod, in: 'queue' as const, ...growthWithQueue }]),
      ];
    }),
  );
}

function fitGrowthWithRunningJobs(runTimeRows: readonly RunTimeRow[]): CostGrowth[] {
  return [...new Set(runTimeRows.map(({ policy: policyText }) => policyText))].flatMap((policy) => {
    const runsOfPolicy = runTimeRows.filter((row) => row.policy === policy);
    const powerLawFit = fitPowerLaw(
      runsOfPolicy.map(({ running: runningCount, nsPerJob }) => ({ size: runningCount, cost: nsPerJob })),
    );
    return powerLawFit === undefined
      ? []
      : [
          {
            policy,
            method: firstElement(searchMethodsOfPolicy(policy)),
            in: 'running' as const,
            ...powerLawFit,
          },
        ];
  });
}

// Machine on which a benchmark ran.

/** Properties of a machine that affect times. */
export interface Machine {
  readonly processor: string;
  readonly cores: number;
  readonly system: string;
  readonly node: string;
}

/** Describes this machine. */
export function describeThisMachine(): Machine {
  return {
    processor: cpus()[0]?.model ?? 'unknown',
    cores: cpus().length,
    system: `${platform()} ${arch()}`,
    node: process.version,
  };
}

// Growth of a cost: the slope of a straight line through logarithms.

/** A cost at a size. */
export interface CostAtSize {
  readonly size: number;
  readonly cost: number;
}

/** Power law cost = c · size^power, with the 95 % interval of the power. */
export interface PowerLawFit {
  readonly power: number;
  readonly low: number;
  readonly high: number;
}

/**
 * Ratio to the largest size below which sizes are excluded from the fit, since constant costs dominate there.
 */
const FITTED_SIZE_RANGE_RATIO = 100;

/**
 * Fits a power law by least squares to the last two decades of sizes; undefined for fewer than three sizes,
 * whose error is unknown.
 */
export function fitPowerLaw(points: readonly CostAtSize[]): PowerLawFit | undefined {
  const largestSize = Math.max(...points.map(({ size }) => size));
  const fittedPoints = points.filter(({ size }) => size > 0 && size >= largestSize / FITTED_SIZE_RANGE_RATIO);
  const pointCount = fittedPoints.length;
  if (pointCount < 3) return undefined;
  const x = fittedPoints.map(({ size }) => Math.log(size));
  const y = fittedPoints.map(({ cost }) => Math.log(cost));
  const computeMean = (summands: number[]) => summands.reduce((sum, value) => sum + value, 0) / pointCount;
  const [meanX, meanY] = [computeMean(x), computeMean(y)];
  const sumOfSquares = x.reduce((sum, value) => sum + (value - meanX) ** 2, 0);
  const fittedExponent =
    x.reduce((sum, value, i) => sum + (value - meanX) * (y[i]! - meanY), 0) / sumOfSquares;
  const sumOfSquaredDeviations = y.reduce(
    (sum, value, i) => sum + (value - meanY - fittedExponent * (x[i]! - meanX)) ** 2,
    0,
  );
  const error =
    studentQuantile(INTERVAL_ERROR_PROBABILITY, pointCount - 2) *
    Math.sqrt(sumOfSquaredDeviations / (pointCount - 2) / sumOfSquares);
  return { power: fittedExponent, low: fittedExponent - error, high: fittedExponent + error };
}

// Benchmark of decisions: jobs that request a site again and again inside the core, in a prepared state.

/** Number of jobs that request a decision. */
const BENCH_DECISION_JOB_COUNT = 64;
/** Maximum number of processors of a site and of a job that fits on a site. */
const BENCH_SITE_CAPACITY = 128;
const BENCH_MAX_JOB_PROCESSORS = 64;
/**
 * Processors of the last site, all busy. One job in ten waits for it, which ends every look-ahead that
 * reaches it.
 */
const PROCESSORS_BUSY_IN_BENCH = 2 * BENCH_SITE_CAPACITY;
const BENCH_BUSY_SECONDS = 1e9;
const BENCH_SECONDS_TO_NEXT_END = 1e6;
/** Minimum durations in milliseconds of the untimed warm-up and of a timed batch. */
const WARM_UP_MILLISECONDS = 5;
const MIN_TIMED_BATCH_MILLISECONDS = 0.5;

/** Measured decision times of a policy. */
export interface DecisionTimings {
  /** Times in nanoseconds per decision, by batch. */
  readonly batchTimes: readonly number[];
  /** Site chosen first for each job; empty for a function. */
  readonly sites: readonly number[];
}

/** Measures the milliseconds of a repeated action in batches, after a warm-up. */
function measureBatchTimes(measureRepeats: (repeatCount: number) => number, batchCount: number): number[] {
  let repeatCount = 1;
  for (let elapsedTime = 0; elapsedTime < WARM_UP_MILLISECONDS; ) {
    const batchTime = measureRepeats(repeatCount);
    elapsedTime += batchTime;
    if (batchTime < MIN_TIMED_BATCH_MILLISECONDS) repeatCount *= 2;
  }
  return Array.from({ length: batchCount }, () => measureRepeats(repeatCount) / repeatCount);
}

/**
 * A grid with a queue. On all sites except the last, 1 to 128 processors are free. The head of the queue
 * waits for the last site; the given number of jobs waits behind it, the first of which request decisions.
 * With queue length 0 they request them before they are submitted.
 */
class SiteDecisionBench {
  readonly #core: Core;
  readonly #simulator: Simulator;
  readonly #table: number;
  readonly #block: number;
  readonly #askingJobs: number;
  readonly #hasQueue: boolean;
  readonly #capacities: number[];
  readonly #speeds: number[];

  constructor(siteCount: number, queue: number) {
    const drawNumber = (seed: number, i: number) => computeUniformNumberOfSeed(seed, i + 1);
    const drawUpTo = (maximum: number, seed: number, i: number) =>
      1 + Math.floor(maximum * drawNumber(seed, i));
    this.#capacities = Array.from({ length: siteCount }, (_, i) =>
      i === siteCount - 1 ? PROCESSORS_BUSY_IN_BENCH : drawUpTo(BENCH_SITE_CAPACITY, 1, i),
    );
    this.#speeds = Array.from({ length: siteCount }, (_, i) => 0.5 + drawNumber(2, i));
    this.#askingJobs = Math.min(BENCH_DECISION_JOB_COUNT, queue || BENCH_DECISION_JOB_COUNT);
    this.#hasQueue = queue > 0;
    const waitingJobCount = Math.max(queue, this.#askingJobs);
    const isWideJob = (i: number) => i >= BENCH_DECISION_JOB_COUNT && drawNumber(3, i) < 0.1;
    const workload = makeBenchWorkload([
      { submit: 0, runtime: BENCH_BUSY_SECONDS, processors: PROCESSORS_BUSY_IN_BENCH },
      {
        submit: queue > 0 ? 1 : BENCH_SECONDS_TO_NEXT_END,
        runtime: 1,
        processors: PROCESSORS_BUSY_IN_BENCH,
      },
      ...Array.from({ length: waitingJobCount }, (_, i) => ({
        submit: queue > 0 ? 1 : BENCH_SECONDS_TO_NEXT_END,
        runtime: 0,
        processors: isWideJob(i) ? PROCESSORS_BUSY_IN_BENCH : drawUpTo(BENCH_MAX_JOB_PROCESSORS, 4, i),
      })),
    ]);
    this.#core = openCore();
    const jobTable = putJobTableAtMemoryStart(this.#core, workload);
    this.#table = jobTable.jobs;
    // A simulation that is alone stays where it begins.
    this.#block = jobTable.simulation;
    this.#simulator = new Simulator(workload, jobTable);
  }

  /** Measures the time per decision of a policy, in a number of batches. */
  measure(policyText: string, search: SiteSearch, batchCount: number): DecisionTimings {
    const grid = { capacities: this.#capacities, speeds: this.#speeds };
    this.#simulator.begin(makeConfiguration(grid, { policy: policyText, queue: 'per-home' }), search);
    this.#simulator.runUntil(2);
    this.#millisecondsOf(1);
    const sites = [...this.#simulator.schedule().site.subarray(2, 2 + this.#askingJobs)];
    const batchTimes = measureBatchTimes((repeatCount) => this.#millisecondsOf(repeatCount), batchCount);
    return { batchTimes: batchTimes.map((time) => (time * 1e6) / this.#askingJobs), sites };
  }

  /**
   * Measures the time per call of a policy function in several batches, including the preparation of the
   * view, at the first decision for the first waiting job that fits.
   * @throws FunctionError if the function fails, InputError if there are too few sites for it to be called.
   */
  measurePolicyFunction(policyText: string, batchCount: number): DecisionTimings {
    const grid = { capacities: this.#capacities, speeds: this.#speeds };
    const schedulingInstant = this.#hasQueue ? 'batched' : 'per-event';
    const configuration = makeConfiguration(grid, {
      policy: policyText,
      discipline: 'first-available',
      instant: schedulingInstant,
    });
    const { choose } = configuration.policy;
    if (choose === undefined) throw new InputError(`${policyText} is not a function`);
    let times: number[] | undefined;
    const chooseRepeatedly = (policyView: PolicyView): number => {
      const measureRepeats = (repeatCount: number) => {
        const startClockTime = performance.now();
        for (let i = 0; i < repeatCount; i++) {
          FunctionView.show(policyView as FunctionView);
          choose(policyView);
        }
        return performance.now() - startClockTime;
      };
      times = measureBatchTimes(measureRepeats, batchCount);
      throw new Error('enough');
    };
    this.#simulator.begin({
      ...configuration,
      policy: { ...configuration.policy, choose: chooseRepeatedly },
    });
    try {
      this.#simulator.run();
    } catch (error) {
      if (times === undefined) throw error;
    }
    if (times === undefined) {
      throw new InputError(
        `${policyText} has nothing to choose on ${this.#capacities.length} sites, since at most one has room; give more --sites`,
      );
    }
    return { batchTimes: times.map((time) => time * 1e6), sites: [] };
  }

  /** Milliseconds in which all requesting jobs get a site, start and end the given number of times. */
  #millisecondsOf(repeatCount: number): number {
    const startClockTime = performance.now();
    for (let i = 0; i < repeatCount; i++) {
      const rehearsalStatus = this.#core.rehearse(this.#block, this.#table, 2, 2 + this.#askingJobs);
      if (rehearsalStatus < 0) throw new Error('the core cannot rehearse this simulation');
    }
    return performance.now() - startClockTime;
  }
}

// Benchmark of whole runs: time per job while this number of jobs runs at a time.

const RUN_BENCH_SITE_COUNT = 5;
/**
 * Minimum number of jobs in a run, and minimum multiple of the concurrently running jobs, so that most jobs
 * end before the run does.
 */
const MIN_BENCH_RUN_JOB_COUNT = 20_000;
const BENCH_JOBS_PER_PROCESSOR = 4;

/** A grid of five sites with capacity for 25 % more one-processor jobs than run on average. */
class WholeRunBench {
  readonly #simulator: Simulator;
  readonly #capacities: number[];
  readonly #jobs: number;

  /**
   * @param running average number of concurrently running jobs.
   */
  constructor(running: number) {
    const capacity = Math.ceil((1.25 * running) / RUN_BENCH_SITE_COUNT);
    this.#capacities = Array.from({ length: RUN_BENCH_SITE_COUNT }, () => capacity);
    this.#jobs = Math.max(MIN_BENCH_RUN_JOB_COUNT, BENCH_JOBS_PER_PROCESSOR * running);
    const benchJobs = Array.from({ length: this.#jobs }, (_, i) => ({
      submit: i,
      runtime: Math.round(running * (0.5 + computeUniformNumberOfSeed(1, i + 1))),
      processors: 1,
    }));
    this.#simulator = new Simulator(makeBenchWorkload(benchJobs));
  }

  /** Measures nanoseconds per job in each of several runs of a policy, after one that is not timed. */
  measure(policyText: string, runCount: number): number[] {
    const grid = { capacities: this.#capacities, speeds: [0.9, 1.1, 1, 0.95, 1.05] };
    const configuration = makeConfiguration(grid, { policy: policyText, timeResolution: 'nearest' });
    const timesPerJob = Array.from({ length: runCount + 1 }, () => {
      this.#simulator.begin(configuration);
      const startClockTime = performance.now();
      this.#simulator.runUntil(Number.POSITIVE_INFINITY);
      return ((performance.now() - startClockTime) * 1e6) / this.#jobs;
    });
    return timesPerJob.slice(1);
  }
}

// Jobs to measure with.

/** Creates a workload of jobs in submit order, all with the first site as home. */
function makeBenchWorkload(
  jobs: readonly { submit: number; runtime: number; processors: number }[],
): Workload {
  const jobCount = jobs.length;
  const runtime = Float64Array.from(jobs, (job) => job.runtime);
  const emptyDropAccounting = {
    dropped: [],
    oversizeJobs: [],
    withoutEstimate: 0,
    split: { jobs: 0, pieces: 0 },
  };
  return {
    name: 'bench',
    count: jobCount,
    job: Float64Array.from(jobs, (_, i) => i + 1),
    submit: Float64Array.from(jobs, (job) => job.submit),
    runtime,
    estimate: runtime,
    processors: Int32Array.from(jobs, (job) => job.processors),
    home: new Int32Array(jobCount),
    accounting: { read: jobCount, kept: jobCount, ...emptyDropAccounting },
  };
}
