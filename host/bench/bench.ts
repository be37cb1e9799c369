/** What allocators cost over numbers of sites and lengths of the queue, by both ways of finding sites. */

import { arch, cpus, platform } from 'node:os';
import { coreSha256 } from '../files/coreFile.js';
import { isCodeName } from '../options/providedCode.js';
import type { SiteSearch } from '../simulate/layout.js';
import { LEFT_OUT } from '../statistics/interval.js';
import { studentBound } from '../statistics/student.js';
import { DecisionBench, type DecisionTimes } from './decisions.js';
import { RunBench } from './wholeRuns.js';

/** What is measured. */
export interface BenchPlan {
  /** In their notation. */
  readonly policies: readonly string[];
  readonly sites: readonly number[];
  readonly queues: readonly number[];
  /** Batches of decisions of which the median counts. */
  readonly batches: number;
  /** How many jobs run at a time in whole runs, and how many runs of which the median counts. */
  readonly running: readonly number[];
  readonly runs: number;
}

/** The median of some times, and their quartiles. */
interface Spread {
  readonly low: number;
  readonly high: number;
}

/** How sites are found: by either search of the core, or by a function from a file. */
export type BenchMethod = SiteSearch | 'function';

/** A policy on so many sites with so many jobs waiting. */
export interface BenchRow extends Spread {
  readonly policy: string;
  readonly method: BenchMethod;
  readonly sites: number;
  readonly queue: number;
  readonly nsPerDecision: number;
}

/** Whole runs of a policy on five sites while about so many jobs run. */
export interface RunRow extends Spread {
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
  /** How far the quartiles of a time are apart, as a share of it: the median over all rows. */
  readonly noise: number;
  readonly rows: readonly BenchRow[];
  readonly runs: readonly RunRow[];
  readonly growth: readonly BenchGrowth[];
}

const METHODS = ['scan', 'index'] as const;

/** How the sites of a policy may be found. */
function methodsOf(policy: string): readonly BenchMethod[] {
  return isCodeName(policy) ? ['function'] : METHODS;
}

/** Times of which a half is measured after all others show what changes on the machine meanwhile. */
const ROUNDS = 2;

/** With a greater share the machine has too much else to do for a time to be believed. */
const TOO_NOISY = 0.2;

/** Whether differences of times mean little. */
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
  const asked = policies.flatMap((policy) => methodsOf(policy).map((method) => ({ policy, method })));
  const decisions = asked.length * sites.length * queues.length;
  const all = decisions + policies.length * running.length;
  for (const queue of queues) {
    for (const count of sites) {
      const state = new DecisionBench(count, queue);
      const measured: DecisionTimes[][] = asked.map(() => []);
      for (let round = 1; round <= ROUNDS; round++) {
        for (const [i, { policy, method }] of asked.entries()) {
          const own = Math.ceil(batches / ROUNDS);
          measured[i].push(
            method === 'function' ? state.measureFunction(policy, own) : state.measure(policy, method, own),
          );
          await progress((rows.length + ((i + 1) * round) / ROUNDS) / all);
        }
      }
      checkAgreement(asked, measured, `${count} sites with a queue of ${queue}`);
      rows.push(
        ...asked.map(({ policy, method }, i) => ({
          policy,
          method,
          sites: count,
          queue,
          ...decisionTime(measured[i]),
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
    noise: spreads[Math.floor(spreads.length / 2)],
    rows,
    runs,
    growth: [...growthOf(rows), ...growthInRunning(runs)],
  };
}

function decisionTime(rounds: readonly DecisionTimes[]): Pick<BenchRow, 'nsPerDecision' | 'low' | 'high'> {
  const { median, ...spread } = quartiles(rounds.flatMap(({ batches }) => batches));
  return { nsPerDecision: median, ...spread };
}

function quartiles(times: readonly number[]): Spread & { readonly median: number } {
  const sorted = [...times].sort((a, b) => a - b);
  const quantile = (share: number) => sorted[Math.round(share * (sorted.length - 1))];
  return { median: quantile(0.5), low: quantile(0.25), high: quantile(0.75) };
}

/** Both ways must find the same sites. */
function checkAgreement(
  asked: readonly { readonly policy: string; readonly method: BenchMethod }[],
  measured: readonly (readonly DecisionTimes[])[],
  where: string,
): void {
  for (const [i, { policy, method }] of asked.entries()) {
    if (method !== 'index') continue;
    const [[scan], [index]] = [measured[i - 1], measured[i]];
    if (scan.sites.some((site, job) => site !== index.sites[job])) {
      throw new Error(`${policy} on ${where}: the index finds other sites than the scan`);
    }
  }
}

function growthOf(rows: readonly BenchRow[]): BenchGrowth[] {
  const longest = Math.max(...rows.map(({ queue }) => queue));
  const most = Math.max(...rows.map(({ sites }) => sites));
  const policies = [...new Set(rows.map(({ policy }) => policy))];
  return policies.flatMap((policy) =>
    methodsOf(policy).flatMap((method) => {
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
      : [{ policy, method: methodsOf(policy)[0], in: 'running' as const, ...fit }];
  });
}

// Where something was measured.

/** A machine, as far as times depend on it. */
export interface Machine {
  readonly processor: string;
  readonly cores: number;
  readonly system: string;
  readonly node: string;
}

/** This machine. */
export function thisMachine(): Machine {
  return {
    processor: cpus()[0]?.model ?? 'unknown',
    cores: cpus().length,
    system: `${platform()} ${arch()}`,
    node: process.version,
  };
}

// How a cost grows: the power of a straight line through logarithms.

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

/** Sizes below the largest by more than this factor say more of what each call costs than of how that grows. */
const RANGE = 100;

/**
 * The power by least squares over the last two decades of sizes; none from fewer than three, whose error nobody could
 * tell.
 */
export function fitPower(points: readonly CostPoint[]): PowerFit | undefined {
  const largest = Math.max(...points.map(({ size }) => size));
  const used = points.filter(({ size }) => size > 0 && size >= largest / RANGE);
  const count = used.length;
  if (count < 3) return undefined;
  const x = used.map(({ size }) => Math.log(size));
  const y = used.map(({ cost }) => Math.log(cost));
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / count;
  const [meanX, meanY] = [mean(x), mean(y)];
  const squares = x.reduce((sum, value) => sum + (value - meanX) ** 2, 0);
  const power = x.reduce((sum, value, i) => sum + (value - meanX) * (y[i] - meanY), 0) / squares;
  const left = y.reduce((sum, value, i) => sum + (value - meanY - power * (x[i] - meanX)) ** 2, 0);
  const error = studentBound(LEFT_OUT, count - 2) * Math.sqrt(left / (count - 2) / squares);
  return { power, low: power - error, high: power + error };
}
