/**
 * Benchmark of the time that allocators take, by number of sites and length of the queue, for both ways of searching
 * sites.
 */
import { arch, cpus, platform } from 'node:os';
import { type Core, openCore } from '../core/module.js';
import type { PolicyView } from '../core/policies.js';
import { InputError } from '../errors.js';
import { coreSha256 } from '../files/coreFile.js';
import { firstOf } from '../lists.js';
import { uniformFromSeed } from '../math/random.js';
import { makeConfiguration } from '../options/configuration.js';
import { isCodeName } from '../providedCode.js';
import { placeJobs, type SiteSearch } from '../simulate/layout.js';
import { FunctionView } from '../simulate/policyView.js';
import { Simulator } from '../simulate/simulator.js';
import { ERROR_PROBABILITY, studentBound } from '../statistics/interval.js';
import type { Workload } from '../workload/workload.js';

/** Sizes and repetitions of a benchmark. */
export interface BenchPlan {
  /** Policies to compare, in their notation. */
  readonly policies: readonly string[];
  readonly sites: readonly number[];
  readonly queues: readonly number[];
  /** Batches of decisions; their median counts. */
  readonly batches: number;
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
export type BenchMethod = SiteSearch | 'function';

/** A policy on this many sites with this many jobs waiting. */
export interface BenchRow extends QuartileBounds {
  readonly policy: string;
  readonly method: BenchMethod;
  readonly sites: number;
  readonly queue: number;
  readonly nsPerDecision: number;
}

/** Whole runs of a policy on five sites while about this many jobs run. */
export interface RunRow extends QuartileBounds {
  readonly policy: string;
  readonly running: number;
  readonly nsPerJob: number;
}

/**
 * How the time of a policy grows: of a decision with the sites (with the longest queue) or the queue (on the most sites),
 * of a job with those that run.
 */
export interface BenchGrowth extends PowerFit {
  readonly policy: string;
  readonly method: BenchMethod;
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
  readonly runs: readonly RunRow[];
  readonly growth: readonly BenchGrowth[];
}

const SEARCH_METHODS = ['scan', 'index'] as const;

/** Methods of finding sites that apply to a policy. */
function searchMethodsOf(policy: string): readonly BenchMethod[] {
  return isCodeName(policy) ? ['function'] : SEARCH_METHODS;
}

/** Measuring half of the times after all others shows what changes on the machine meanwhile. */
const MEASURING_ROUNDS = 2;

/** Above this share the machine is too busy for reliable times. */
const TOO_NOISY = 0.2;

/** True if differences of times mean little. */
export function isTooNoisy({ noise }: BenchResult): boolean {
  return noise > TOO_NOISY;
}

/**
 * Measures all, one number of sites and length of the queue after the other.
 * @param progress called with the share that is done; may wait, for instance for a wish to stop.
 * @throws Error when the two ways do not find the same sites.
 */
export async function bench(
  { policies, sites, queues, batches, running, runs: repeats }: BenchPlan,
  progress: (done: number) => Promise<void> | void = () => {},
): Promise<BenchResult> {
  const rows: BenchRow[] = [];
  const requested = policies.flatMap((policy) =>
    searchMethodsOf(policy).map((method) => ({ policy, method })),
  );
  const decisions = requested.length * sites.length * queues.length;
  const all = decisions + policies.length * running.length;
  for (const queue of queues) {
    for (const count of sites) {
      const state = new DecisionBench(count, queue);
      const measured: DecisionTimes[][] = requested.map(() => []);
      for (let round = 1; round <= MEASURING_ROUNDS; round++) {
        for (const [i, { policy, method }] of requested.entries()) {
          const own = Math.ceil(batches / MEASURING_ROUNDS);
          measured[i]!.push(
            method === 'function' ? state.measureFunction(policy, own) : state.measure(policy, method, own),
          );
          await progress((rows.length + ((i + 1) * round) / MEASURING_ROUNDS) / all);
        }
      }
      checkAgreement(requested, measured, `${count} sites with a queue of ${queue}`);
      rows.push(
        ...requested.map(({ policy, method }, i) => ({
          policy,
          method,
          sites: count,
          queue,
          ...decisionTime(measured[i]!),
        })),
      );
    }
  }
  const runs: RunRow[] = [];
  for (const count of running) {
    const state = new RunBench(count);
    for (const policy of policies) {
      const { median, ...spread } = quartiles(state.measure(policy, repeats));
      runs.push({ policy, running: count, nsPerJob: median, ...spread });
      await progress((decisions + runs.length) / all);
    }
  }
  const spreads = [
    ...rows.map(({ nsPerDecision, low, high }) => (high - low) / nsPerDecision),
    ...runs.map(({ nsPerJob, low, high }) => (high - low) / nsPerJob),
  ].sort((a, b) => a - b);
  return {
    machine: thisMachine(),
    binary: coreSha256('release'),
    noise: spreads[Math.floor(spreads.length / 2)]!,
    rows,
    runs,
    growth: [...costGrowthOf(rows), ...growthInRunning(runs)],
  };
}

function decisionTime(rounds: readonly DecisionTimes[]): Pick<BenchRow, 'nsPerDecision' | 'low' | 'high'> {
  const { median, ...spread } = quartiles(rounds.flatMap(({ batches }) => batches));
  return { nsPerDecision: median, ...spread };
}

function quartiles(times: readonly number[]): QuartileBounds & { readonly median: number } {
  const sorted = [...times].sort((a, b) => a - b);
  const quantile = (share: number) => sorted[Math.round(share * (sorted.length - 1))]!;
  return { median: quantile(0.5), low: quantile(0.25), high: quantile(0.75) };
}

/** Both ways must find the same sites. */
function checkAgreement(
  requested: readonly { readonly policy: string; readonly method: BenchMethod }[],
  measured: readonly (readonly DecisionTimes[])[],
  where: string,
): void {
  for (const [i, { policy, method }] of requested.entries()) {
    if (method !== 'index') continue;
    const [scan, index] = [firstOf(measured[i - 1]!), firstOf(measured[i]!)];
    if (scan.sites.some((site, job) => site !== index.sites[job])) {
      throw new Error(`${policy} on ${where}: the index finds other sites than the scan`);
    }
  }
}

function costGrowthOf(rows: readonly BenchRow[]): BenchGrowth[] {
  const longest = Math.max(...rows.map(({ queue }) => queue));
  const most = Math.max(...rows.map(({ sites }) => sites));
  const policies = [...new Set(rows.map(({ policy }) => policy))];
  return policies.flatMap((policy) =>
    searchMethodsOf(policy).flatMap((method) => {
      const own = rows.filter((row) => row.policy === policy && row.method === method);
      const bySites = own.filter(({ queue }) => queue === longest);
      const byQueue = own.filter(({ sites }) => sites === most);
      const inSites = fitPower(
        bySites.map(({ sites, nsPerDecision }) => ({ size: sites, cost: nsPerDecision })),
      );
      const inQueue = fitPower(
        byQueue.map(({ queue, nsPerDecision }) => ({ size: queue, cost: nsPerDecision })),
      );
      return [
        ...(inSites === undefined ? [] : [{ policy, method, in: 'sites' as const, ...inSites }]),
        ...(inQueue === undefined ? [] : [{ policy, method, in: 'queue' as const, ...inQueue }]),
      ];
    }),
  );
}

function growthInRunning(runs: readonly RunRow[]): BenchGrowth[] {
  return [...new Set(runs.map(({ policy }) => policy))].flatMap((policy) => {
    const own = runs.filter((row) => row.policy === policy);
    const fit = fitPower(own.map(({ running, nsPerJob }) => ({ size: running, cost: nsPerJob })));
    return fit === undefined
      ? []
      : [{ policy, method: firstOf(searchMethodsOf(policy)), in: 'running' as const, ...fit }];
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
export function thisMachine(): Machine {
  return {
    processor: cpus()[0]?.model ?? 'unknown',
    cores: cpus().length,
    system: `${platform()} ${arch()}`,
    node: process.version,
  };
}

// Growth of a cost: the slope of a straight line through logarithms.

/** A cost at a size. */
export interface CostPoint {
  readonly size: number;
  readonly cost: number;
}

/** cost = c · size^power, with the 95 % interval of the power. */
export interface PowerFit {
  readonly power: number;
  readonly low: number;
  readonly high: number;
}

/** Sizes smaller than the largest by more than this factor show the cost of each call rather than its growth. */
const FITTED_SIZE_RATIO = 100;

/**
 * The power by least squares over the last two decades of sizes; none from fewer than three, whose error could not be
 * tell.
 */
export function fitPower(points: readonly CostPoint[]): PowerFit | undefined {
  const largest = Math.max(...points.map(({ size }) => size));
  const used = points.filter(({ size }) => size > 0 && size >= largest / FITTED_SIZE_RATIO);
  const count = used.length;
  if (count < 3) return undefined;
  const x = used.map(({ size }) => Math.log(size));
  const y = used.map(({ cost }) => Math.log(cost));
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / count;
  const [meanX, meanY] = [mean(x), mean(y)];
  const squares = x.reduce((sum, value) => sum + (value - meanX) ** 2, 0);
  const power = x.reduce((sum, value, i) => sum + (value - meanX) * (y[i]! - meanY), 0) / squares;
  const left = y.reduce((sum, value, i) => sum + (value - meanY - power * (x[i]! - meanX)) ** 2, 0);
  const error = studentBound(ERROR_PROBABILITY, count - 2) * Math.sqrt(left / (count - 2) / squares);
  return { power, low: power - error, high: power + error };
}

// Benchmark of decisions: jobs that request a site again and again inside the core, in a prepared state.

/** Jobs that ask. */
const MEASURED_JOBS = 64;
/** Most processors of a site, and of a job that can find one. */
const WIDEST_SITE = 128;
const WIDEST_JOB = 64;
/** The last site is all taken; one job in ten waits for it, and ends every look-ahead that reaches it. */
const BUSY_PROCESSORS = 2 * WIDEST_SITE;
const BUSY_SECONDS = 1e9;
const NEXT_END_DELAY = 1e6;
/** Milliseconds of untimed warm-up decisions, and least length of a timed batch. */
const WARM_UP = 5;
const BATCH_MILLISECONDS = 0.5;

/** Measured decision times of a policy. */
export interface DecisionTimes {
  /** Nanoseconds per decision of each batch. */
  readonly batches: readonly number[];
  /** The site that each asking job got first; none of a function. */
  readonly sites: readonly number[];
}

/** Measures the milliseconds of a repeated action in batches, after a warm-up. */
function measureBatches(millisecondsOf: (repeats: number) => number, batches: number): number[] {
  let repeats = 1;
  for (let spent = 0; spent < WARM_UP; ) {
    const batch = millisecondsOf(repeats);
    spent += batch;
    if (batch < BATCH_MILLISECONDS) repeats *= 2;
  }
  return Array.from({ length: batches }, () => millisecondsOf(repeats) / repeats);
}

/**
 * A grid with a queue. Of all sites but the last, 1 to 128 processors are free. The head of the queue waits for the last
 * site, and behind it are this many jobs, the first of which ask; with a queue of 0 they ask before they are submitted.
 */
class DecisionBench {
  readonly #core: Core;
  readonly #simulator: Simulator;
  readonly #table: number;
  readonly #block: number;
  readonly #asking: number;
  readonly #hasQueue: boolean;
  readonly #capacities: number[];
  readonly #speeds: number[];

  constructor(sites: number, queue: number) {
    const draw = (of: number, i: number) => uniformFromSeed(of, i + 1);
    const between = (most: number, of: number, i: number) => 1 + Math.floor(most * draw(of, i));
    this.#capacities = Array.from({ length: sites }, (_, i) =>
      i === sites - 1 ? BUSY_PROCESSORS : between(WIDEST_SITE, 1, i),
    );
    this.#speeds = Array.from({ length: sites }, (_, i) => 0.5 + draw(2, i));
    this.#asking = Math.min(MEASURED_JOBS, queue || MEASURED_JOBS);
    this.#hasQueue = queue > 0;
    const waiting = Math.max(queue, this.#asking);
    const isWide = (i: number) => i >= MEASURED_JOBS && draw(3, i) < 0.1;
    const workload = workloadOf([
      { submit: 0, runtime: BUSY_SECONDS, processors: BUSY_PROCESSORS },
      { submit: queue > 0 ? 1 : NEXT_END_DELAY, runtime: 1, processors: BUSY_PROCESSORS },
      ...Array.from({ length: waiting }, (_, i) => ({
        submit: queue > 0 ? 1 : NEXT_END_DELAY,
        runtime: 0,
        processors: isWide(i) ? BUSY_PROCESSORS : between(WIDEST_JOB, 4, i),
      })),
    ]);
    this.#core = openCore();
    const place = placeJobs(this.#core, workload);
    this.#table = place.jobs;
    // A simulation that is alone stays where it begins.
    this.#block = place.simulation;
    this.#simulator = new Simulator(workload, place);
  }

  /** Measures the time per decision of a policy, in a number of batches. */
  measure(policy: string, search: SiteSearch, batches: number): DecisionTimes {
    const grid = { capacities: this.#capacities, speeds: this.#speeds };
    this.#simulator.begin(makeConfiguration(grid, { policy, queue: 'per-home' }), search);
    this.#simulator.runUntil(2);
    this.#millisecondsOf(1);
    const sites = [...this.#simulator.schedule().site.subarray(2, 2 + this.#asking)];
    const times = measureBatches((repeats) => this.#millisecondsOf(repeats), batches);
    return { batches: times.map((time) => (time * 1e6) / this.#asking), sites };
  }

  /**
   * The time per answer of a policy that is a function, in this many batches, with what it takes to show the decision: at the
   * first of all, for the first of the waiting jobs that has room.
   * @throws FunctionError when it fails, InputError when sites are so few that it is not asked.
   */
  measureFunction(policy: string, batches: number): DecisionTimes {
    const grid = { capacities: this.#capacities, speeds: this.#speeds };
    const instant = this.#hasQueue ? 'batched' : 'per-event';
    const configuration = makeConfiguration(grid, { policy, discipline: 'first-available', instant });
    const { choose } = configuration.policy;
    if (choose === undefined) throw new InputError(`${policy} is not a function`);
    let times: number[] | undefined;
    const measured = (view: PolicyView): number => {
      const millisecondsOf = (repeats: number) => {
        const began = performance.now();
        for (let i = 0; i < repeats; i++) {
          FunctionView.show(view as FunctionView);
          choose(view);
        }
        return performance.now() - began;
      };
      times = measureBatches(millisecondsOf, batches);
      throw new Error('enough');
    };
    this.#simulator.begin({ ...configuration, policy: { ...configuration.policy, choose: measured } });
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
    return { batches: times.map((time) => time * 1e6), sites: [] };
  }

  /** Milliseconds in which all requesting jobs request a site, start and end this number of times. */
  #millisecondsOf(repeats: number): number {
    const began = performance.now();
    for (let i = 0; i < repeats; i++) {
      const started = this.#core.rehearse(this.#block, this.#table, 2, 2 + this.#asking);
      if (started < 0) throw new Error('the core cannot rehearse this simulation');
    }
    return performance.now() - began;
  }
}

// Benchmark of whole runs: time per job while this number of jobs runs at a time.

const RUN_BENCH_SITES = 5;
/** Jobs of a run at least, and this many times those that run at once, most of which must end before the run does. */
const MIN_JOBS = 20_000;
const JOB_GENERATIONS = 4;

/** A grid of five sites with room for a quarter more jobs of one processor than run on average. */
class RunBench {
  readonly #simulator: Simulator;
  readonly #capacities: number[];
  readonly #jobs: number;

  /** @param running how many jobs run at a time. */
  constructor(running: number) {
    const capacity = Math.ceil((1.25 * running) / RUN_BENCH_SITES);
    this.#capacities = Array.from({ length: RUN_BENCH_SITES }, () => capacity);
    this.#jobs = Math.max(MIN_JOBS, JOB_GENERATIONS * running);
    const jobs = Array.from({ length: this.#jobs }, (_, i) => ({
      submit: i,
      runtime: Math.round(running * (0.5 + uniformFromSeed(1, i + 1))),
      processors: 1,
    }));
    this.#simulator = new Simulator(workloadOf(jobs));
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
function workloadOf(jobs: readonly { submit: number; runtime: number; processors: number }[]): Workload {
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
