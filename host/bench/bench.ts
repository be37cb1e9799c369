/** What allocators cost over numbers of sites and lengths of the queue, by both ways of finding sites. */
import { arch, cpus, platform } from 'node:os';
import { coreSha256 } from '../files/coreFile.js';
import type { SiteSearch } from '../simulate/layout.js';
import { DecisionBench, type DecisionTimes } from './decisions.js';
import { fitPower, type PowerFit } from './growth.js';

/** What is measured. */
export interface BenchPlan {
  /** In their notation. */
  readonly policies: readonly string[];
  readonly sites: readonly number[];
  readonly queues: readonly number[];
  /** Batches of decisions of which the median counts. */
  readonly batches: number;
}

/** A policy on so many sites with so many jobs waiting. */
export interface BenchRow {
  readonly policy: string;
  readonly method: SiteSearch;
  readonly sites: number;
  readonly queue: number;
  readonly nsPerDecision: number;
  /** Quartiles of the batches. */
  readonly low: number;
  readonly high: number;
}

/** How the time of a policy grows with the sites (with the longest queue) or the queue (on the most sites). */
export interface BenchGrowth extends PowerFit {
  readonly policy: string;
  readonly method: SiteSearch;
  readonly in: 'sites' | 'queue';
}

/** All that was measured, and where. */
export interface BenchResult {
  readonly machine: {
    readonly processor: string;
    readonly cores: number;
    readonly system: string;
    readonly node: string;
  };
  /** SHA-256 of the core. */
  readonly binary: string;
  /** How far the quartiles of a time are apart, as a share of it: the median over all rows. */
  readonly noise: number;
  readonly rows: readonly BenchRow[];
  readonly growth: readonly BenchGrowth[];
}

const METHODS = ['scan', 'index'] as const;

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
  { policies, sites, queues, batches }: BenchPlan,
  progress: (done: number) => Promise<void> | void = () => {},
): Promise<BenchResult> {
  const rows: BenchRow[] = [];
  const all = policies.length * sites.length * queues.length * METHODS.length;
  for (const queue of queues) {
    for (const count of sites) {
      const state = new DecisionBench(count, queue);
      const asked = policies.flatMap((policy) => METHODS.map((method) => ({ policy, method })));
      const measured: DecisionTimes[][] = asked.map(() => []);
      for (let round = 1; round <= ROUNDS; round++) {
        for (const [i, { policy, method }] of asked.entries()) {
          measured[i].push(state.measure(policy, method, Math.ceil(batches / ROUNDS)));
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
          ...timeOf(measured[i]),
        })),
      );
    }
  }
  const spreads = rows
    .map(({ nsPerDecision, low, high }) => (high - low) / nsPerDecision)
    .sort((a, b) => a - b);
  return {
    machine: {
      processor: cpus()[0]?.model ?? 'unknown',
      cores: cpus().length,
      system: `${platform()} ${arch()}`,
      node: process.version,
    },
    binary: coreSha256('release'),
    noise: spreads[Math.floor(spreads.length / 2)],
    rows,
    growth: growthOf(rows),
  };
}

/** Median and quartiles of all batches. */
function timeOf(rounds: readonly DecisionTimes[]): Pick<BenchRow, 'nsPerDecision' | 'low' | 'high'> {
  const sorted = rounds.flatMap(({ batches }) => batches).sort((a, b) => a - b);
  const quantile = (share: number) => sorted[Math.round(share * (sorted.length - 1))];
  return { nsPerDecision: quantile(0.5), low: quantile(0.25), high: quantile(0.75) };
}

/** Both ways must find the same sites. */
function checkAgreement(
  asked: readonly { readonly policy: string }[],
  measured: readonly (readonly DecisionTimes[])[],
  where: string,
): void {
  for (let i = 0; i < asked.length; i += METHODS.length) {
    const [[scan], [index]] = measured.slice(i, i + METHODS.length);
    if (scan.sites.some((site, job) => site !== index.sites[job])) {
      throw new Error(`${asked[i].policy} on ${where}: the index finds other sites than the scan`);
    }
  }
}

function growthOf(rows: readonly BenchRow[]): BenchGrowth[] {
  const longest = Math.max(...rows.map(({ queue }) => queue));
  const most = Math.max(...rows.map(({ sites }) => sites));
  const policies = [...new Set(rows.map(({ policy }) => policy))];
  return policies.flatMap((policy) =>
    METHODS.flatMap((method) => {
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
