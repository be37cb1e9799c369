/**
 * Benchmark of the time that allocators take, by number of sites and length of the queue, for both ways of searching
 * sites.
 */
import { arch, cpus, platform } from 'node:os';
import { type Core, openCore } from '../core/module.js';
import type { PolicyView } from '../core/policies.js';
import { InputError } from '../errors.js';
import { coreBinarySha256 } from '../files/coreFile.js';
import { firstElement } from '../lists.js';
import { uniformNumberOfSeed } from '../math/random.js';
import { makeConfiguration } from '../options/configuration.js';
import { isCodeFileName } from '../providedCode.js';
import { putJobTableAtMemoryStart, type SiteSearch } from '../simulate/layout.js';
import { FunctionView } from '../simulate/policyView.js';
import { Simulator } from '../simulate/simulator.js';
import { INTERVAL_ERROR_PROBABILITY, studentQuantile } from '../statistics/interval.js';
import type { Workload } from '../workload/workload.js';

/** Sizes and repetitions of a benchmark. */
export interface BenchPlan {
  /** Policies to compare, in their notation. */
  readonly policies: readonly string[];
  readonly sites: readonly number[];
  readonly queues: readonly number[];
  /** Batches of decisions; their median counts. */
  readonly batchCount: number;
  /** Number of jobs that run at a time in whole runs, and over how many runs the median is taken. */
  readonly running: readonly number[];
  readonly runs: number;
}

/** The median of some times, and their quartiles. */
interface QuartileBounds {
  readonly low: number;
  readonly high: number;
}

/** Method of finding sites: one of the two searches of the core, or a function from a file. */
export type BenchSearchMethod = SiteSearch | 'function';

/** A policy on this many sites with this many jobs waiting. */
export interface BenchRow extends QuartileBounds {
  readonly policy: string;
  readonly method: BenchSearchMethod;
  readonly sites: number;
  readonly queue: number;
  readonly nsPerDecision: number;
}

/** Whole runs of a policy on five sites while about this many jobs run. */
export interface RunTimeRow extends QuartileBounds {
  readonly policy: string;
  readonly running: number;
  readonly nsPerJob: number;
}

/**
 * Growth of the time of a policy: of a decision with the sites (with the longest queue) or the queue (on the most sites),
 * of a job with those that run.
 */
export interface CostGrowth extends PowerLawFit {
  readonly policy: string;
  readonly method: BenchSearchMethod;
  readonly in: 'sites' | 'queue' | 'running';
}

/** All that was measured, and where. */
export interface BenchResult {
  readonly machine: Machine;
  /** SHA-256 of the core. */
  readonly binary: string;
  /** Interquartile range of a time relative to the time: the median over all rows. */
  readonly noise: number;
  readonly rows: readonly BenchRow[];
  readonly runs: readonly RunTimeRow[];
  readonly growth: readonly CostGrowth[];
}

const SITE_SEARCH_METHODS = ['scan', 'index'] as const;

/** Methods of finding sites that apply to a policy. */
function siteSearchMethods(policy: string): readonly BenchSearchMethod[] {
  return isCodeFileName(policy) ? ['function'] : SITE_SEARCH_METHODS;
}

/** Measuring half of the times after all others shows what changes on the machine meanwhile. */
const BENCH_ROUNDS = 2;

/** Above this share the machine is too busy for reliable times. */
const MAX_TIMING_NOISE = 0.2;

/** True if differences of times mean little. */
export function isTimingTooNoisy({ noise }: BenchResult): boolean {
  return noise > MAX_TIMING_NOISE;
}

/**
 * Measures all, one number of sites and length of the queue after the other.
 * @param progress called with the share that is done; may wait, for instance for a wish to stop.
 * @throws Error when the two ways do not find the same sites.
 */
export async function runBenchmark(
  { policies, sites, queues, batchCount: batches, running, runs: repeats }: BenchPlan,
  progress: (done: number) => Promise<void> | void = () => {},
): Promise<BenchResult> {
  const rows: BenchRow[] = [];
  const requested = policies.flatMap((policy) =>
    siteSearchMethods(policy).map((method) => ({ policy, method })),
  );
  const decisions = requested.length * sites.length * queues.length;
  const all = decisions + policies.length * running.length;
  for (const queue of queues) {
    for (const count of sites) {
      const state = new SiteDecisionBench(count, queue);
      const measuredRange: DecisionTimings[][] = requested.map(() => []);
      for (let round = 1; round <= BENCH_ROUNDS; round++) {
        for (const [i, { policy, method }] of requested.entries()) {
          const own = Math.ceil(batches / BENCH_ROUNDS);
          measuredRange[i]!.push(
            method === 'function' ? state.measureFunction(policy, own) : state.measure(policy, method, own),
          );
          await progress((rows.length + ((i + 1) * round) / BENCH_ROUNDS) / all);
        }
      }
      checkEqualSiteChoices(requested, measuredRange, `${count} sites with a queue of ${queue}`);
      rows.push(
        ...requested.map(({ policy, method }, i) => ({
          policy,
          method,
          sites: count,
          queue,
          ...combineDecisionTimeRounds(measuredRange[i]!),
        })),
      );
    }
  }
  const runs: RunTimeRow[] = [];
  for (const count of running) {
    const state = new WholeRunBench(count);
    for (const policy of policies) {
      const { median, ...spread } = timeQuartiles(state.measure(policy, repeats));
      runs.push({ policy, running: count, nsPerJob: median, ...spread });
      await progress((decisions + runs.length) / all);
    }
  }
  const timingSpreads = [
    ...rows.map(({ nsPerDecision, low, high }) => (high - low) / nsPerDecision),
    ...runs.map(({ nsPerJob, low, high }) => (high - low) / nsPerJob),
  ].sort((a, b) => a - b);
  return {
    machine: describeThisMachine(),
    binary: coreBinarySha256('release'),
    noise: timingSpreads[Math.floor(timingSpreads.length / 2)]!,
    rows,
    runs,
    growth: [...fitDecisionCostGrowth(rows), ...fitGrowthWithRunningJobs(runs)],
  };
}

function combineDecisionTimeRounds(
  rounds: readonly DecisionTimings[],
): Pick<BenchRow, 'nsPerDecision' | 'low' | 'high'> {
  const { median, ...spread } = timeQuartiles(rounds.flatMap(({ batchCount: batches }) => batches));
  return { nsPerDecision: median, ...spread };
}

function timeQuartiles(times: readonly number[]): QuartileBounds & { readonly median: number } {
  const sorted = [...times].sort((a, b) => a - b);
  const quantile = (share: number) => sorted[Math.round(share * (sorted.length - 1))]!;
  return { median: quantile(0.5), low: quantile(0.25), high: quantile(0.75) };
}

/** Both ways must find the same sites. */
function checkEqualSiteChoices(
  requested: readonly { readonly policy: string; readonly method: BenchSearchMethod }[],
  measuredRange: readonly (readonly DecisionTimings[])[],
  location: string,
): void {
  for (const [i, { policy, method }] of requested.entries()) {
    if (method !== 'index') continue;
    const [scan, index] = [firstElement(measuredRange[i - 1]!), firstElement(measuredRange[i]!)];
    if (scan.sites.some((site, job) => site !== index.sites[job])) {
      throw new Error(`${policy} on ${location}: the index finds other sites than the scan`);
    }
  }
}

function fitDecisionCostGrowth(rows: readonly BenchRow[]): CostGrowth[] {
  const longest = Math.max(...rows.map(({ queue }) => queue));
  const most = Math.max(...rows.map(({ sites }) => sites));
  const policies = [...new Set(rows.map(({ policy }) => policy))];
  return policies.flatMap((policy) =>
    siteSearchMethods(policy).flatMap((method) => {
      const own = rows.filter((row) => row.policy === policy && row.method === method);
      const rowsBySites = own.filter(({ queue }) => queue === longest);
      const rowsByQueueLength = own.filter(({ sites }) => sites === most);
      const growthWithSites = fitPowerLaw(
        rowsBySites.map(({ sites, nsPerDecision }) => ({ size: sites, cost: nsPerDecision })),
      );
      const growthWithQueue = fitPowerLaw(
        rowsByQueueLength.map(({ queue, nsPerDecision }) => ({ size: queue, cost: nsPerDecision })),
      );
      return [
        ...(growthWithSites === undefined
          ? []
          : [{ policy, method, in: 'sites' as const, ...growthWithSites }]),
        ...(growthWithQueue === undefined
          ? []
          : [{ policy, method, in: 'queue' as const, ...growthWithQueue }]),
      ];
    }),
  );
}

function fitGrowthWithRunningJobs(runs: readonly RunTimeRow[]): CostGrowth[] {
  return [...new Set(runs.map(({ policy }) => policy))].flatMap((policy) => {
    const own = runs.filter((row) => row.policy === policy);
    const fit = fitPowerLaw(own.map(({ running, nsPerJob }) => ({ size: running, cost: nsPerJob })));
    return fit === undefined
      ? []
      : [{ policy, method: firstElement(siteSearchMethods(policy)), in: 'running' as const, ...fit }];
  });
}

// Machine on which a benchmark ran.

/** A machine, as far as times depend on it. */
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

/** cost = c · size^power, with the 95 % interval of the power. */
export interface PowerLawFit {
  readonly power: number;
  readonly low: number;
  readonly high: number;
}

/** Sizes smaller than the largest by more than this factor show the cost of each call rather than its growth. */
const FITTED_SIZE_RANGE_RATIO = 100;

/**
 * The power by least squares over the last two decades of sizes; none from fewer than three, whose error could not be
 * tell.
 */
export function fitPowerLaw(points: readonly CostAtSize[]): PowerLawFit | undefined {
  const largest = Math.max(...points.map(({ size }) => size));
  const used = points.filter(({ size }) => size > 0 && size >= largest / FITTED_SIZE_RANGE_RATIO);
  const count = used.length;
  if (count < 3) return undefined;
  const x = used.map(({ size }) => Math.log(size));
  const y = used.map(({ cost }) => Math.log(cost));
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / count;
  const [meanX, meanY] = [mean(x), mean(y)];
  const squares = x.reduce((sum, value) => sum + (value - meanX) ** 2, 0);
  const power = x.reduce((sum, value, i) => sum + (value - meanX) * (y[i]! - meanY), 0) / squares;
  const left = y.reduce((sum, value, i) => sum + (value - meanY - power * (x[i]! - meanX)) ** 2, 0);
  const error =
    studentQuantile(INTERVAL_ERROR_PROBABILITY, count - 2) * Math.sqrt(left / (count - 2) / squares);
  return { power, low: power - error, high: power + error };
}

// Benchmark of decisions: jobs that request a site again and again inside the core, in a prepared state.

/** Jobs that ask. */
const BENCH_DECISION_JOBS = 64;
/** Most processors of a site, and of a job that can find one. */
const BENCH_SITE_CAPACITY = 128;
const BENCH_WIDEST_JOB = 64;
/** The last site is all taken; one job in ten waits for it, and ends every look-ahead that reaches it. */
const BENCH_BUSY_PROCESSORS = 2 * BENCH_SITE_CAPACITY;
const BENCH_BUSY_SECONDS = 1e9;
const BENCH_SECONDS_TO_NEXT_END = 1e6;
/** Milliseconds of untimed warm-up decisions, and least length of a timed batch. */
const WARM_UP_BATCHES = 5;
const MIN_TIMED_BATCH_MILLISECONDS = 0.5;

/** Measured decision times of a policy. */
export interface DecisionTimings {
  /** Nanoseconds per decision of each batch. */
  readonly batchCount: readonly number[];
  /** The site that each asking job got first; none of a function. */
  readonly sites: readonly number[];
}

/** Measures the milliseconds of a repeated action in batches, after a warm-up. */
function timeBatches(timeRepeats: (repeatCount: number) => number, batches: number): number[] {
  let repeatCount = 1;
  for (let elapsedTime = 0; elapsedTime < WARM_UP_BATCHES; ) {
    const batch = timeRepeats(repeatCount);
    elapsedTime += batch;
    if (batch < MIN_TIMED_BATCH_MILLISECONDS) repeatCount *= 2;
  }
  return Array.from({ length: batches }, () => timeRepeats(repeatCount) / repeatCount);
}

/**
 * A grid with a queue. Of all sites but the last, 1 to 128 processors are free. The head of the queue waits for the last
 * site, and behind it are this many jobs, the first of which ask; with a queue of 0 they ask before they are submitted.
 */
class SiteDecisionBench {
  readonly #core: Core;
  readonly #simulator: Simulator;
  readonly #table: number;
  readonly #block: number;
  readonly #asking: number;
  readonly #hasQueue: boolean;
  readonly #capacities: number[];
  readonly #speeds: number[];

  constructor(sites: number, queue: number) {
    const draw = (of: number, i: number) => uniformNumberOfSeed(of, i + 1);
    const between = (most: number, of: number, i: number) => 1 + Math.floor(most * draw(of, i));
    this.#capacities = Array.from({ length: sites }, (_, i) =>
      i === sites - 1 ? BENCH_BUSY_PROCESSORS : between(BENCH_SITE_CAPACITY, 1, i),
    );
    this.#speeds = Array.from({ length: sites }, (_, i) => 0.5 + draw(2, i));
    this.#asking = Math.min(BENCH_DECISION_JOBS, queue || BENCH_DECISION_JOBS);
    this.#hasQueue = queue > 0;
    const waiting = Math.max(queue, this.#asking);
    const isWide = (i: number) => i >= BENCH_DECISION_JOBS && draw(3, i) < 0.1;
    const workload = makeBenchWorkload([
      { submit: 0, runtime: BENCH_BUSY_SECONDS, processors: BENCH_BUSY_PROCESSORS },
      { submit: queue > 0 ? 1 : BENCH_SECONDS_TO_NEXT_END, runtime: 1, processors: BENCH_BUSY_PROCESSORS },
      ...Array.from({ length: waiting }, (_, i) => ({
        submit: queue > 0 ? 1 : BENCH_SECONDS_TO_NEXT_END,
        runtime: 0,
        processors: isWide(i) ? BENCH_BUSY_PROCESSORS : between(BENCH_WIDEST_JOB, 4, i),
      })),
    ]);
    this.#core = openCore();
    const place = putJobTableAtMemoryStart(this.#core, workload);
    this.#table = place.jobs;
    // A simulation that is alone stays where it begins.
    this.#block = place.simulation;
    this.#simulator = new Simulator(workload, place);
  }

  /** Measures the time per decision of a policy, in a number of batches. */
  measure(policy: string, search: SiteSearch, batches: number): DecisionTimings {
    const grid = { capacities: this.#capacities, speeds: this.#speeds };
    this.#simulator.begin(makeConfiguration(grid, { policy, queue: 'per-home' }), search);
    this.#simulator.runUntil(2);
    this.#millisecondsOf(1);
    const sites = [...this.#simulator.schedule().site.subarray(2, 2 + this.#asking)];
    const times = timeBatches((repeatCount) => this.#millisecondsOf(repeatCount), batches);
    return { batchCount: times.map((time) => (time * 1e6) / this.#asking), sites };
  }

  /**
   * The time per answer of a policy that is a function, in this many batches, with what it takes to show the decision: at the
   * first of all, for the first of the waiting jobs that has room.
   * @throws FunctionError when it fails, InputError when sites are so few that it is not asked.
   */
  measureFunction(policy: string, batches: number): DecisionTimings {
    const grid = { capacities: this.#capacities, speeds: this.#speeds };
    const instant = this.#hasQueue ? 'batched' : 'per-event';
    const configuration = makeConfiguration(grid, { policy, discipline: 'first-available', instant });
    const { choose } = configuration.policy;
    if (choose === undefined) throw new InputError(`${policy} is not a function`);
    let times: number[] | undefined;
    const measuredRange = (view: PolicyView): number => {
      const timeRepeats = (repeatCount: number) => {
        const began = performance.now();
        for (let i = 0; i < repeatCount; i++) {
          FunctionView.show(view as FunctionView);
          choose(view);
        }
        return performance.now() - began;
      };
      times = timeBatches(timeRepeats, batches);
      throw new Error('enough');
    };
    this.#simulator.begin({ ...configuration, policy: { ...configuration.policy, choose: measuredRange } });
    try {
      this.#simulator.run();
    } catch (error) {
      if (times === undefined) throw error;
    }
    if (times === undefined) {
      throw new InputError(
        `${policy} has nothing to choose on ${this.#capacities.length} sites, since at most one has room; give more --sites`,
      );
    }
    return { batchCount: times.map((time) => time * 1e6), sites: [] };
  }

  /** Milliseconds in which all requesting jobs request a site, start and end this number of times. */
  #millisecondsOf(repeatCount: number): number {
    const began = performance.now();
    for (let i = 0; i < repeatCount; i++) {
      const started = this.#core.rehearse(this.#block, this.#table, 2, 2 + this.#asking);
      if (started < 0) throw new Error('the core cannot rehearse this simulation');
    }
    return performance.now() - began;
  }
}

// Benchmark of whole runs: time per job while this number of jobs runs at a time.

const RUN_BENCH_SITE_COUNT = 5;
/** Jobs of a run at least, and this many times those that run at once, most of which must end before the run does. */
const MIN_BENCH_RUN_JOBS = 20_000;
const BENCH_JOBS_PER_PROCESSOR = 4;

/** A grid of five sites with room for a quarter more jobs of one processor than run on average. */
class WholeRunBench {
  readonly #simulator: Simulator;
  readonly #capacities: number[];
  readonly #jobs: number;

  /** @param running how many jobs run at a time. */
  constructor(running: number) {
    const capacity = Math.ceil((1.25 * running) / RUN_BENCH_SITE_COUNT);
    this.#capacities = Array.from({ length: RUN_BENCH_SITE_COUNT }, () => capacity);
    this.#jobs = Math.max(MIN_BENCH_RUN_JOBS, BENCH_JOBS_PER_PROCESSOR * running);
    const jobs = Array.from({ length: this.#jobs }, (_, i) => ({
      submit: i,
      runtime: Math.round(running * (0.5 + uniformNumberOfSeed(1, i + 1))),
      processors: 1,
    }));
    this.#simulator = new Simulator(makeBenchWorkload(jobs));
  }

  /** Measures nanoseconds per job in each of several runs of a policy, after one that is not timed. */
  measure(policy: string, runs: number): number[] {
    const grid = { capacities: this.#capacities, speeds: [0.9, 1.1, 1, 0.95, 1.05] };
    const configuration = makeConfiguration(grid, { policy, timeResolution: 'nearest' });
    const times = Array.from({ length: runs + 1 }, () => {
      this.#simulator.begin(configuration);
      const began = performance.now();
      this.#simulator.runUntil(Number.POSITIVE_INFINITY);
      return ((performance.now() - began) * 1e6) / this.#jobs;
    });
    return times.slice(1);
  }
}

// Jobs to measure with.

/** A workload of jobs in the order of their submits, all of the first site. */
function makeBenchWorkload(
  jobs: readonly { submit: number; runtime: number; processors: number }[],
): Workload {
  const count = jobs.length;
  const runtime = Float64Array.from(jobs, (job) => job.runtime);
  const none = { dropped: [], oversizeJobs: [], withoutEstimate: 0, split: { jobs: 0, pieces: 0 } };
  return {
    name: 'bench',
    count,
    job: Float64Array.from(jobs, (_, i) => i + 1),
    submit: Float64Array.from(jobs, (job) => job.submit),
    runtime,
    estimate: runtime,
    processors: Int32Array.from(jobs, (job) => job.processors),
    home: new Int32Array(count),
    accounting: { read: count, kept: count, ...none },
  };
}
