/**
 * Searches the smallest log that distinguishes rules: draws random logs and shrinks them as long as
 * they distinguish.
 */
import { SeededDraws } from '../reference/cases/draws.js';
import type { ConformanceTestRule, TinyTestLog } from './rules.js';
import type { TinyTestJob } from './variants.js';

/**
 * Two groups of rules; a log must distinguish every rule of one group from every rule of the other.
 */
export type RuleGroupPair = readonly [readonly ConformanceTestRule[], readonly ConformanceTestRule[]];

/** Rules to distinguish, and the minimum of estimate minus runtime in the log, in seconds. */
export interface DistinguishingQuestion {
  pair: RuleGroupPair;
  leastExcess: number;
}

const DRAWN_LOG_COUNT = 40_000;
const MAX_FOUND_LOGS = 15;

/**
 * True if the starts under every rule of one group differ from the starts under every rule of the
 * other.
 */
export function distinguishesRules(tinyLog: TinyTestLog, [firstGroup, secondGroup]: RuleGroupPair): boolean {
  const startsOfFirstGroup = String(firstGroup[0]!.starts(tinyLog));
  if (secondGroup.some((otherRule) => String(otherRule.starts(tinyLog)) === startsOfFirstGroup)) return false;
  const startsTextsOfFirstGroup = new Set(firstGroup.map((firstRule) => String(firstRule.starts(tinyLog))));
  return !secondGroup.some((secondRule) => startsTextsOfFirstGroup.has(String(secondRule.starts(tinyLog))));
}

/** All logs that are one step smaller: with a job removed, or one number decreased. */
export function* generateSmallerLogs(tinyLog: TinyTestLog, leastExcess: number): Generator<TinyTestLog> {
  const { jobs, sites } = tinyLog;
  for (const job of jobs.keys()) yield { sites, jobs: shiftFirstSubmitToZero(jobs.toSpliced(job, 1)) };
  for (const [siteIndex, capacity] of sites.entries()) {
    const smallerSites = sites.with(siteIndex, capacity - 1);
    if (capacity > 1 && jobs.every(({ processors }) => processors <= Math.max(...smallerSites)))
      yield { sites: smallerSites, jobs };
  }
  for (const [jobIndex, job] of jobs.entries()) {
    const replaceJobWithChange = (change: Partial<TinyTestJob>) => ({
      sites,
      jobs: jobs.with(jobIndex, { ...job, ...change }),
    });
    const { submit, runtime, estimate, processors } = job;
    if (submit > (jobs[jobIndex - 1]?.submit ?? 0)) {
      const jobsSubmittedEarlier = jobs.map((job, i) =>
        i < jobIndex ? job : { ...job, submit: job.submit - 1 },
      );
      yield { sites, jobs: jobsSubmittedEarlier };
    }
    if (processors > 1) yield replaceJobWithChange({ processors: processors - 1 });
    if (estimate > 1 && estimate - runtime > leastExcess)
      yield replaceJobWithChange({ estimate: estimate - 1 });
    if (runtime > 1 && estimate > 1)
      yield replaceJobWithChange({ runtime: runtime - 1, estimate: estimate - 1 });
    if (runtime > 1 && estimate === runtime) yield replaceJobWithChange({ runtime: runtime - 1 });
  }
}

function shiftFirstSubmitToZero(jobs: readonly TinyTestJob[]): TinyTestJob[] {
  const firstSubmit = jobs[0]?.submit ?? 0;
  return jobs.map((job) => ({ ...job, submit: job.submit - firstSubmit }));
}

/**
 * The smallest distinguishing log found, or undefined: among those with the fewest jobs, one with
 * the fewest distinct answers over all rules, then with the smallest sum of numbers. No job can be
 * removed and no number decreased.
 */
export function findSmallestLog(
  question: DistinguishingQuestion,
  rules: readonly ConformanceTestRule[],
  siteCount: number,
): TinyTestLog | undefined {
  const foundLogs: TinyTestLog[] = [];
  for (let seed = 1; seed <= DRAWN_LOG_COUNT && foundLogs.length < MAX_FOUND_LOGS; seed++) {
    const tinyLog = drawTinyLog(seed, siteCount, question.leastExcess);
    if (distinguishesRules(tinyLog, question.pair)) foundLogs.push(shrinkLog(tinyLog, question));
  }
  const smallestJobCount = Math.min(...foundLogs.map(({ jobs }) => jobs.length));
  const logsWithFewestJobs = foundLogs.filter(({ jobs }) => jobs.length === smallestJobCount);
  const logsWithWeights = logsWithFewestJobs.map((tinyLog) => ({
    log: tinyLog,
    weight: [groupRulesByStarts(tinyLog, rules).size, sizeOfLog(tinyLog)] as const,
  }));
  logsWithWeights.sort((a, b) => a.weight[0] - b.weight[0] || a.weight[1] - b.weight[1]);
  return logsWithWeights[0]?.log;
}

/** Rules grouped by the start times that they give, as text. */
function groupRulesByStarts(
  tinyLog: TinyTestLog,
  rules: readonly ConformanceTestRule[],
): Map<string, ConformanceTestRule[]> {
  const rulesByStarts = new Map<string, ConformanceTestRule[]>();
  for (const rule of rules) {
    const startsTextOfRule = String(rule.starts(tinyLog));
    rulesByStarts.set(startsTextOfRule, [...(rulesByStarts.get(startsTextOfRule) ?? []), rule]);
  }
  return rulesByStarts;
}

function shrinkLog(tinyLog: TinyTestLog, { pair, leastExcess }: DistinguishingQuestion): TinyTestLog {
  for (const smallerLog of generateSmallerLogs(tinyLog, leastExcess)) {
    if (distinguishesRules(smallerLog, pair)) return shrinkLog(smallerLog, { pair, leastExcess });
  }
  return tinyLog;
}

/** Sum of all numbers of a log, where an estimate counts by its difference from the runtime. */
function sizeOfLog({ sites, jobs }: TinyTestLog): number {
  const sizesOfJobs = jobs.map(
    (job) => job.submit + job.runtime + job.processors + 3 * Math.abs(job.estimate - job.runtime),
  );
  return [...sites, ...sizesOfJobs].reduce((sum, each) => sum + each, 0);
}

function drawTinyLog(seed: number, siteCount: number, leastExcess: number): TinyTestLog {
  const random = new SeededDraws(seed);
  const sites = random.times(siteCount, () => random.between(1, siteCount > 1 ? 4 : 5));
  const estimateExcesses = random.pick([[0], [0, 0, 1, 3], [0, 2, 5]].map((each) => [...each, leastExcess]));
  const longest = random.pick([2, 4, 8]);
  let submit = 0;
  const jobs = Array.from({ length: random.between(2, 8) }, (_, k) => {
    submit += k === 0 ? 0 : random.pick([0, 0, 1, 1, 2]);
    const runtime = random.between(1, longest);
    const estimate = Math.max(1, runtime + random.pick(estimateExcesses));
    return { submit, runtime, estimate, processors: random.between(1, Math.max(...sites)) };
  });
  return { sites, jobs };
}
