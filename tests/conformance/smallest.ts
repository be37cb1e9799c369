/**
 * Searches the smallest log that distinguishes rules: draws random logs and shrinks them as long as
 * they distinguish.
 */
import { Draws } from '../reference/cases/draws.js';
import type { Rule, TinyLog } from './rules.js';
import type { TinyJob } from './variants.js';

/**
 * Two groups of rules; a log must distinguish every rule of one group from every rule of the other.
 */
export type Pair = readonly [readonly Rule[], readonly Rule[]];

/** Rules to distinguish, and the minimum of estimate minus runtime in the log, in seconds. */
export interface Question {
  pair: Pair;
  leastExcess: number;
}

const DRAWS = 40_000;
const MAX_FOUND = 15;

/**
 * True if the starts under every rule of one group differ from the starts under every rule of the
 * other.
 */
export function distinguishes(log: TinyLog, [ones, others]: Pair): boolean {
  const first = String(ones[0]!.starts(log));
  if (others.some((other) => String(other.starts(log)) === first)) return false;
  const starts = new Set(ones.map((one) => String(one.starts(log))));
  return !others.some((other) => starts.has(String(other.starts(log))));
}

/** All logs that are one step smaller: with a job removed, or one number decreased. */
export function* smallerLogs(log: TinyLog, leastExcess: number): Generator<TinyLog> {
  const { jobs, sites } = log;
  for (const k of jobs.keys()) yield { sites, jobs: rebased(jobs.toSpliced(k, 1)) };
  for (const [k, capacity] of sites.entries()) {
    const lower = sites.with(k, capacity - 1);
    if (capacity > 1 && jobs.every(({ processors }) => processors <= Math.max(...lower)))
      yield { sites: lower, jobs };
  }
  for (const [k, job] of jobs.entries()) {
    const changed = (change: Partial<TinyJob>) => ({ sites, jobs: jobs.with(k, { ...job, ...change }) });
    const { submit, runtime, estimate, processors } = job;
    if (submit > (jobs[k - 1]?.submit ?? 0)) {
      const earlier = jobs.map((each, i) => (i < k ? each : { ...each, submit: each.submit - 1 }));
      yield { sites, jobs: earlier };
    }
    if (processors > 1) yield changed({ processors: processors - 1 });
    if (estimate > 1 && estimate - runtime > leastExcess) yield changed({ estimate: estimate - 1 });
    if (runtime > 1 && estimate > 1) yield changed({ runtime: runtime - 1, estimate: estimate - 1 });
    if (runtime > 1 && estimate === runtime) yield changed({ runtime: runtime - 1 });
  }
}

function rebased(jobs: readonly TinyJob[]): TinyJob[] {
  const first = jobs[0]?.submit ?? 0;
  return jobs.map((job) => ({ ...job, submit: job.submit - first }));
}

/**
 * The smallest distinguishing log found, or undefined: among those with the fewest jobs, one with
 * the fewest distinct answers over all rules, then with the smallest sum of numbers. No job can be
 * removed and no number decreased.
 */
export function smallestLog(question: Question, rules: readonly Rule[], sites: number): TinyLog | undefined {
  const found: TinyLog[] = [];
  for (let seed = 1; seed <= DRAWS && found.length < MAX_FOUND; seed++) {
    const log = drawLog(seed, sites, question.leastExcess);
    if (distinguishes(log, question.pair)) found.push(shrunk(log, question));
  }
  const fewest = Math.min(...found.map(({ jobs }) => jobs.length));
  const short = found.filter(({ jobs }) => jobs.length === fewest);
  const weighed = short.map((log) => ({
    log,
    weight: [rulesByAnswer(log, rules).size, sizeOf(log)] as const,
  }));
  weighed.sort((a, b) => a.weight[0] - b.weight[0] || a.weight[1] - b.weight[1]);
  return weighed[0]?.log;
}

/** Rules grouped by the start times that they give, as text. */
function rulesByAnswer(log: TinyLog, rules: readonly Rule[]): Map<string, Rule[]> {
  const answers = new Map<string, Rule[]>();
  for (const rule of rules) {
    const starts = String(rule.starts(log));
    answers.set(starts, [...(answers.get(starts) ?? []), rule]);
  }
  return answers;
}

function shrunk(log: TinyLog, { pair, leastExcess }: Question): TinyLog {
  for (const next of smallerLogs(log, leastExcess)) {
    if (distinguishes(next, pair)) return shrunk(next, { pair, leastExcess });
  }
  return log;
}

/** Sum of all numbers of a log, where an estimate counts by its difference from the runtime. */
function sizeOf({ sites, jobs }: TinyLog): number {
  const numbers = jobs.map(
    (job) => job.submit + job.runtime + job.processors + 3 * Math.abs(job.estimate - job.runtime),
  );
  return [...sites, ...numbers].reduce((sum, each) => sum + each, 0);
}

function drawLog(seed: number, count: number, leastExcess: number): TinyLog {
  const draws = new Draws(seed);
  const sites = draws.times(count, () => draws.between(1, count > 1 ? 4 : 5));
  const excesses = draws.pick([[0], [0, 0, 1, 3], [0, 2, 5]].map((each) => [...each, leastExcess]));
  const longest = draws.pick([2, 4, 8]);
  let submit = 0;
  const jobs = Array.from({ length: draws.between(2, 8) }, (_, k) => {
    submit += k === 0 ? 0 : draws.pick([0, 0, 1, 1, 2]);
    const runtime = draws.between(1, longest);
    const estimate = Math.max(1, runtime + draws.pick(excesses));
    return { submit, runtime, estimate, processors: draws.between(1, Math.max(...sites)) };
  });
  return { sites, jobs };
}
