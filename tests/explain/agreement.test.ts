import { describe, expect, test } from 'vitest';
import type { Explanation, SiteShare, WaitPeriod } from '../../host/explain/explanation.js';
import { formatExplanation } from '../../host/reports/waitReasons.js';
import { Simulator } from '../../host/simulate/simulator.js';
import { summarize } from '../../host/simulate/summary.js';
import { makeTerminalColors } from '../../host/view/terminal.js';
import { listCaseSeeds, RANDOM_TEST_TIMEOUT_MILLISECONDS } from '../cases.js';
import {
  listPartsOfJobs,
  makeConfigurationFromReference,
  makeWorkloadOfReferenceJobs,
} from '../core/simulateCore.js';
import { expectSame } from '../expectSame.js';
import { randomAllocatorCase } from '../reference/cases/allocators.js';
import type { ReferenceOptions } from '../reference/simulator/reference.js';
import { EXPLAINED_CASE_KINDS, recordAndExplainJob } from './explainCase.js';

/** Explanations of random cases compared with the schedule and with the release build. */

const sum = (summands: readonly number[]) => summands.reduce((total, value) => total + value, 0);

/**
 * Sites that best-fit and fastest-first choose, from the free processors in the explanation's
 * table.
 */
function findSitesOfBothPolicies({ decision }: WaitPeriod): { bestFit: number; fastestFirst: number } {
  const fitting = decision.sites.filter(({ fits, isSafe }) => fits && isSafe);
  const bestFitSite = fitting.reduce((a, b) => (b.left < a.left ? b : a));
  const fastestFirstSite = fitting.reduce((a, b) => (b.speed > a.speed ? b : a));
  return { bestFit: bestFitSite.site, fastestFirst: fastestFirstSite.site };
}

function checkComparison(wait: WaitPeriod, policy: string, location: string): void {
  const { comparison, sites, rule } = wait.decision;
  if (comparison === undefined) return;
  const {
    bestFit,
    fastestFirst,
    jobs: followingJobCounts,
    capacity,
    heterogeneity,
    loading,
    situation,
  } = comparison;
  expect({ bestFit, fastestFirst }, location).toEqual(findSitesOfBothPolicies(wait));
  const takesFastestSite = sites[fastestFirst - 1].taken > 0;
  expect(takesFastestSite || sites[bestFit - 1].taken > 0, location).toBe(true);
  if (bestFit === fastestFirst) return;
  const [slow, fast] = [sites[bestFit - 1].speed, sites[fastestFirst - 1].speed];
  if (rule === 'speeds') expect(takesFastestSite, location).toBe(fast > slow);
  if (rule === 'situation') expect(takesFastestSite, location).toBe(situation === 'a');
  if (rule === 'heterogeneity') {
    expect(takesFastestSite, location).toBe(heterogeneity!.value > heterogeneity!.threshold);
  }
  if (rule === 'loading') {
    expect(takesFastestSite, location).toBe(!(loading!.waiting > loading!.threshold * loading!.free));
  }
  if (rule === 'thresholds') {
    expect(takesFastestSite, location).toBe(heterogeneity!.value > heterogeneity!.threshold);
  }
  if (rule === 'jobs-placed') expect(takesFastestSite, location).toBe(followingJobCounts!.score >= 0);
  if (rule === 'capacity-placed') {
    expect(takesFastestSite, location).toBe(capacity!.fastestFirstProduct > capacity!.bestFitProduct);
  }
  expect(['si', 'ti', 'ai', 'ai2', 'tai', 'tai2'], location).toContain(policy);
}

/**
 * Checks that the free processors in the chart end with those at the job's start, after allowing
 * for the job's own processors.
 */
function checkFreeProcessors(wait: WaitPeriod, capacities: readonly number[], location: string): void {
  const { free, decision, until, from } = wait;
  expect(free.time[0], location).toBe(from);
  expect(free.time.at(-1), location).toBeLessThanOrEqual(until);
  decision.sites.forEach((site, index) => {
    expect(free.sites[index].at(-1), location).toBe(site.free);
    for (const freeProcessors of free.sites[index])
      expect(freeProcessors >= 0 && freeProcessors <= capacities[index], location).toBe(true);
    expect(site.taken <= site.free, location).toBe(true);
  });
}

function checkPlannedWait(wait: WaitPeriod, isPolicyNonAdaptive: boolean, location: string): void {
  const { decision, reservations, until } = wait;
  const candidatesThatAreChosen = decision.candidates?.filter(({ isChosen }) => isChosen) ?? [];
  if (decision.rule === 'planned') {
    expect(candidatesThatAreChosen.length, location).toBe(1);
    const candidateEnds = decision.candidates!.flatMap(({ end }) => (end === null ? [] : [end]));
    expect(decision.time <= until, location).toBe(true);
    if (!isPolicyNonAdaptive)
      expect(candidatesThatAreChosen[0].end, location).toBe(Math.min(...candidateEnds));
  }
  for (const { start, from, until: lastTime } of reservations) {
    expect(from <= lastTime && lastTime <= until && start >= from, location).toBe(true);
  }
}

function checkExplainedWaits(explanation: Explanation, location: string): void {
  const { waits, submit, start, processors } = explanation;
  expect(waits[0].from, location).toBe(submit);
  expect(waits.at(-1)!.until, location).toBe(start);
  for (const wait of waits) {
    expect(wait.from <= wait.until, location).toBe(true);
    for (const { from, until, lacked, isItself } of wait.blocked) {
      expect(from <= until && until <= wait.until, location).toBe(true);
      if (isItself) expect(lacked <= processors, location).toBe(true);
    }
    expect(wait.secondsWithRoom, location).toBeLessThanOrEqual((wait.until - wait.from) * (1 + 1e-12));
  }
}

function checkCaseExplanations(seed: number, drawCase: typeof randomAllocatorCase): string {
  const { jobs, options } = drawCase(seed);
  const job = (seed * 7919) % jobs.length;
  const location = `case ${seed}, job ${job + 1}`;
  const { recorder, explanation } = recordAndExplainJob(jobs, options, job);
  const { simulator } = recorder;
  const release = new Simulator(makeWorkloadOfReferenceJobs(jobs, 'case', options));
  release.begin(makeConfigurationFromReference(options, false));
  release.run();
  const { submit, start, execution } = release.schedule();
  const partsByJob = listPartsOfJobs(release);
  expectSame(simulator.schedule(), release.schedule(), location);
  expectSame(summarize(simulator), summarize(release), location);
  expect(recorder.lostEntryCount, location).toBe(0);
  expect(explanation, location).toMatchObject({
    start: start[job],
    end: start[job] + execution[job],
    submit: submit[job],
    home: jobs[job].home + 1,
  });
  const shares: SiteShare[] = partsByJob[job].map(({ site, processors }) => ({
    site: site + 1,
    processors,
  }));
  expect(explanation.sites, location).toEqual(shares);
  checkExplainedWaits(explanation, location);
  for (const wait of explanation.waits) {
    checkFreeProcessors(wait, options.capacities, location);
    checkComparison(wait, options.policy, location);
    checkPlannedWait(wait, options.select === 'non-adaptive', location);
  }
  const lastWait = explanation.waits.at(-1)!;
  const sitesWithTakenProcessors = lastWait.decision.sites.filter(({ taken: sitesTaken }) => sitesTaken > 0);
  expect(sum(sitesWithTakenProcessors.map(({ taken: processors }) => processors)), location).toBe(
    sum(shares.map(({ processors }) => processors)),
  );
  expect(formatExplanation(explanation, makeTerminalColors(false), 100), location).not.toMatch(
    /undefined|NaN|Infinity/,
  );
  return lastWait.decision.rule;
}

describe.each(Object.entries(EXPLAINED_CASE_KINDS))('%s', (name, draw) => {
  test(
    'decisions agree with the schedule, and recording changes nothing',
    () => {
      const countByKind = new Map<string, number>();
      for (const seed of listCaseSeeds(400)) {
        const rule = checkCaseExplanations(seed, draw);
        countByKind.set(rule, (countByKind.get(rule) ?? 0) + 1);
      }
      console.log(`${name}: ${[...countByKind].map(([rule, times]) => `${rule} ${times}`).join(', ')}`);
    },
    RANDOM_TEST_TIMEOUT_MILLISECONDS,
  );
});

test('a wait with more events than can be kept still has its decision', () => {
  // Job 1 fills the only site; 200 jobs run before the last job, which is as wide, under
  // first-available.
  const narrowJobs = Array.from({ length: 200 }, (_, i) => ({ submit: 1 + i, runtime: 5, processors: 1 }));
  const jobs = [
    { submit: 0, runtime: 400, processors: 3 },
    { submit: 0.5, runtime: 1, processors: 4 },
    ...narrowJobs,
  ].map((job) => ({ ...job, estimate: job.runtime, home: 0 }));
  const { options } = randomAllocatorCase(1);
  const optionsOfOneSite: ReferenceOptions = {
    ...{ ...options, capacities: [4], speeds: [1], load: [1], policy: 'best-fit', parameters: {} },
    ...{ resolution: 'exact', instant: 'per-event', minSpeedRatio: 0, discipline: 'first-available' },
  };
  const wholeExplanation = recordAndExplainJob(jobs, optionsOfOneSite, 1).explanation;
  // The record reserves 1024 of its entries for decisions.
  const { explanation } = recordAndExplainJob(jobs, optionsOfOneSite, 1, 1024 + 30);
  expect(wholeExplanation.lost).toBe(0);
  expect(explanation.lost).toBeGreaterThan(50);
  expect(explanation.waits[0].decision).toMatchObject({ rule: 'only-site', sites: [{ free: 4, taken: 4 }] });
  expect(explanation.sites).toEqual(wholeExplanation.sites);
  expect(formatExplanation(explanation, makeTerminalColors(false), 80)).toMatch(
    /events of its wait were not recorded/,
  );
});
