import { expect, test } from 'vitest';
import type { CoreRun } from '../../host/core/host.js';
import { CoreCallRefusal } from '../../host/core/instance.js';
import { makeCoreInputColumns, makeCoreRunSettings } from '../../host/simulate/layout.js';
import { Simulator } from '../../host/simulate/simulator.js';
import { doesRunCoverRareCases, listCaseSeeds, RANDOM_TEST_TIMEOUT_MILLISECONDS } from '../cases.js';
import { removeIneffectiveOptions } from '../reference/cases/aging.js';
import { type RandomCase, SeededDraws } from '../reference/cases/draws.js';
import {
  areStartPromisesKept,
  randomAccountOutageCase,
  randomNodeOutageCase,
  randomOutageCase,
} from '../reference/cases/outages.js';
import type { ReferenceOutage } from '../reference/simulator/types.js';
import { findDifferingColumns, OpenTable, RunWithAppendedJobs } from './openRuns.js';
import { makeConfigurationFromReference, makeWorkloadOfReferenceJobs } from './simulateCore.js';

/**
 * A run that learns of outages during its way gives the schedule and the metrics of the run that has them
 * from the beginning, unless its plans would have looked at them before.
 */

/** Values of an outage as the core has them: site, begin, end, processors, and 1 if it is planned. */
type OutageRow = readonly [number, number, number, number, number];

const UNUSED_ROW: OutageRow = [0, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, 0, 0];

const rowOf = ({ site, from, to, processors, isPlanned }: ReferenceOutage): OutageRow => [
  site,
  from,
  to,
  processors,
  Number(isPlanned),
];

/** What the run is told of an outage, and the time before which it must be. */
interface Announcement {
  readonly outage: number;
  readonly row: OutageRow;
  readonly deadline: number;
}

/** True if a plan looks at outages before they begin, or at their ends. */
const doesCasePlanAhead = ({ options }: RandomCase) =>
  options.planBy === 'node' || options.discipline === 'easy' || options.discipline === 'conservative';

/** Draws the outages that the run learns of late, some of them first with another end. */
function drawAnnouncements(random: SeededDraws, drawnCase: RandomCase): Announcement[] {
  const doesCasePlan = doesCasePlanAhead(drawnCase);
  return (drawnCase.options.outages ?? []).flatMap((referenceOutage, outage) => {
    // Plans never use processors that do not return, from the time on at which they are told so.
    const isKnownToPlans = referenceOutage.isPlanned || referenceOutage.to === Number.POSITIVE_INFINITY;
    if ((doesCasePlan && isKnownToPlans) || referenceOutage.from <= 0 || random.oneIn(4)) return [];
    const announcement = { outage, row: rowOf(referenceOutage), deadline: referenceOutage.from };
    if (random.oneIn(2) || referenceOutage.to === Number.POSITIVE_INFINITY) return [announcement];
    const [site, from, , processors, plannedFlag] = announcement.row;
    const laterEnd = referenceOutage.to + random.pick([1, 10, 100]);
    // The end of an outage that has begun is known to plans.
    const announcementDeadline = doesCasePlan ? referenceOutage.from : referenceOutage.to;
    return [
      { outage, row: [site, from, laterEnd, processors, plannedFlag], deadline: referenceOutage.from },
      { outage, row: announcement.row, deadline: announcementDeadline },
    ];
  });
}

/** Writes rows of outages; returns the status of the call that takes them over. */
function changeOutages(
  run: RunWithAppendedJobs,
  announcements: readonly Announcement[],
  firstProcessorsOfOutages: readonly number[],
): number {
  const column = run.column('Outage');
  const processors = run.column('OutageProcessor');
  for (const { outage, row } of announcements) {
    column.set(row, 5 * outage);
    processors[outage] = firstProcessorsOfOutages[outage]!;
  }
  return run.core.changeOutages(run.block, run.jobs.table);
}

/** Runs to the end and announces outages at random times, at last before they count; returns their number. */
function runWithAnnouncements(
  run: RunWithAppendedJobs,
  random: SeededDraws,
  submits: ArrayLike<number>,
  announcements: readonly Announcement[],
  firsts: readonly number[],
): number {
  const { openTable } = run;
  const { Finished, OptionInvalid, JobTooWide } = run.core.Status;
  let handledUntilTime = 0;
  const append = (until: number) => {
    let addedCount = 0;
    while (
      openTable.knownCount + addedCount < submits.length &&
      submits[openTable.knownCount + addedCount]! <= until
    )
      addedCount++;
    expect(openTable.append(addedCount)).toBe(Finished);
    run.giveColumns();
  };
  let remainingAnnouncements = announcements.map((announcement, announcementIndex) => ({
    ...announcement,
    place: announcementIndex,
  }));
  let changeCount = 0;
  while (remainingAnnouncements.length > 0) {
    const [first] = [...remainingAnnouncements].sort(
      (announcementA, announcementB) =>
        announcementA.deadline - announcementB.deadline || announcementA.place - announcementB.place,
    );
    const pause = random.pick([
      handledUntilTime,
      handledUntilTime + (first!.deadline - handledUntilTime) / 2,
      handledUntilTime + (first!.deadline - handledUntilTime) * 0.99,
    ]);
    if (pause > handledUntilTime && pause < first!.deadline) {
      append(pause);
      expect(run.runUntil(pause)).toBe(false);
      handledUntilTime = pause;
      const needsRowsOfEndedJobs = run.room('Runs') + run.room('Trials') + run.room('Estimates') > 0;
      if (random.oneIn(3) && !needsRowsOfEndedJobs) expect(run.compact()).toBe(Finished);
    }
    // Of one outage the rows come in their order.
    const isNextChangeOfOutage = (otherChange: (typeof remainingAnnouncements)[number]) =>
      remainingAnnouncements.every(
        (other) => other.outage !== otherChange.outage || other.place >= otherChange.place,
      );
    const announcementsToMake = remainingAnnouncements.filter(
      (each) => each === first || (isNextChangeOfOutage(each) && random.oneIn(4)),
    );
    const outageColumnBefore = run.column('Outage').slice();
    const status = changeOutages(run, announcementsToMake, firsts);
    if (status !== Finished) {
      // An end that is later than in the log may exceed the site, or come after others that the log has.
      expect([OptionInvalid, JobTooWide]).toContain(status);
      expect(run.column('Outage')).toEqual(outageColumnBefore);
      const findFinalAnnouncement = (announcement: Announcement) =>
        announcements.findLast(({ outage }) => outage === announcement.outage)!;
      const finalAnnouncements = announcementsToMake.map((each) => ({
        ...each,
        row: findFinalAnnouncement(each).row,
      }));
      const announcementsBeforeFinal = remainingAnnouncements.filter(
        (each) => !announcementsToMake.includes(each) && each.row !== findFinalAnnouncement(each).row,
      );
      if (changeOutages(run, finalAnnouncements, firsts) !== Finished) return -1;
      remainingAnnouncements = remainingAnnouncements.filter(
        (each) => !announcementsBeforeFinal.includes(each),
      );
    }
    changeCount += announcementsToMake.length;
    remainingAnnouncements = remainingAnnouncements.filter((each) => !announcementsToMake.includes(each));
  }
  append(Number.POSITIVE_INFINITY);
  run.close();
  const copy = random.oneIn(3) && run.room('Runs') === 0 ? run.fork() : undefined;
  if (copy !== undefined) {
    const forkedRun = run.fork();
    run.forkInto(forkedRun);
    forkedRun.run();
    copy.run();
    expect(copy.column('Start')).toEqual(forkedRun.column('Start'));
  }
  run.run();
  if (copy !== undefined) expect(copy.column('Metric')).toEqual(run.column('Metric'));
  return changeCount;
}

const decide = (run: CoreRun, job = run.decision('Job')) =>
  run.decision(job % 2 === 0 ? 'BestFit' : 'FastestFirst');

test.each([
  ['outages', randomOutageCase, 900],
  ['outages of nodes', randomNodeOutageCase, 450],
  ['outages with limits and orders that change', randomAccountOutageCase, 300],
] as const)(
  '%s: outages that a run learns of before they begin give the same bytes',
  (_, draw, cases) => {
    let totalAnnouncementCount = 0;
    let droppedCaseCount = 0;
    for (const seed of listCaseSeeds(cases)) {
      const drawnCase = removeIneffectiveOptions(draw(400_000 + seed));
      const { jobs, options } = drawnCase;
      if (options.outages === undefined || options.outages.length === 0) continue;
      const random = new SeededDraws(seed);
      const configuration = makeConfigurationFromReference(options, seed % 5 === 0);
      const workload = makeWorkloadOfReferenceJobs(jobs, 'case', options);
      const completeSimulator = new Simulator(workload, seed % 2 === 0 ? 'release' : 'checked');
      completeSimulator.begin(configuration);
      completeSimulator.coreRun.decide = (coreRun) => decide(coreRun);
      completeSimulator.coreRun.run();
      const settings = makeCoreRunSettings(workload, configuration);
      const announcements = drawAnnouncements(random, drawnCase);
      const outagesAnnouncedLate = new Set(announcements.map(({ outage }) => outage));
      const sites = makeCoreInputColumns(configuration, [], workload);
      // Ranges of processors of an outage are outages of their own.
      if (sites.Outage?.length !== 5 * options.outages.length) continue;
      const firstProcessorsOfOutages = Array.from(sites.OutageProcessor!);
      const Outage = options.outages.flatMap((referenceOutage, outage) => [
        ...(outagesAnnouncedLate.has(outage) ? UNUSED_ROW : rowOf(referenceOutage)),
      ]);
      const openTable = new OpenTable(completeSimulator.coreRun);
      openTable.append(random.pick([0, random.below(2)]));
      const run = new RunWithAppendedJobs(completeSimulator.coreRun, openTable);
      run.decide = (coreRun) => decide(coreRun, openTable.jobOfRow[coreRun.decision('Job')]!);
      try {
        run.beginOpen({ ...settings, sites: { ...sites, Outage } });
      } catch (error) {
        if (!(error instanceof CoreCallRefusal)) throw error;
        expect(error.status).toBe(run.core.Status.OptionsConflict);
        continue;
      }
      const announcementCount = runWithAnnouncements(
        run,
        random,
        workload.submit,
        announcements,
        firstProcessorsOfOutages,
      );
      openTable.dispose();
      if (announcementCount < 0) {
        droppedCaseCount++;
        continue;
      }
      totalAnnouncementCount += announcementCount;
      expect(findDifferingColumns(run, completeSimulator.coreRun), `seed ${seed}`).toEqual([]);
    }
    expect(totalAnnouncementCount).toBeGreaterThan(droppedCaseCount);
    if (doesRunCoverRareCases) expect(totalAnnouncementCount).toBeGreaterThan(cases / 4);
  },
  RANDOM_TEST_TIMEOUT_MILLISECONDS,
);

test(
  'a job that starts after a planned outage was announced is not ended by it',
  () => {
    let totalAnnouncementCount = 0;
    let failedAnnouncementCount = 0;
    for (const seed of listCaseSeeds(900)) {
      const drawnCase = removeIneffectiveOptions(
        (seed % 2 === 0 ? randomOutageCase : randomNodeOutageCase)(seed),
      );
      const options = { ...drawnCase.options, onOutage: 'kill' } as const;
      const { jobs } = drawnCase;
      const outages = (options.outages ?? []).map((referenceOutage) => ({
        ...referenceOutage,
        isPlanned: true,
      }));
      if (outages.length === 0 || !areStartPromisesKept({ jobs, options: { ...options, outages } })) continue;
      const random = new SeededDraws(seed);
      const configuration = makeConfigurationFromReference({ ...options, outages }, false);
      const workload = makeWorkloadOfReferenceJobs(jobs, 'case', options);
      const completeSimulator = new Simulator(workload, 'checked');
      completeSimulator.begin(configuration);
      const sites = makeCoreInputColumns(configuration, [], workload);
      if (sites.Outage?.length !== 5 * outages.length) continue;
      const firstProcessorsOfOutages = Array.from(sites.OutageProcessor!);
      const openTable = new OpenTable(completeSimulator.coreRun);
      const run = new RunWithAppendedJobs(completeSimulator.coreRun, openTable);
      run.decide = (coreRun) => decide(coreRun);
      openTable.append(jobs.length);
      const Outage = outages.flatMap(() => UNUSED_ROW);
      try {
        run.beginOpen({ ...makeCoreRunSettings(workload, configuration), sites: { ...sites, Outage } });
      } catch (error) {
        if (!(error instanceof CoreCallRefusal)) throw error;
        expect(error.status).toBe(run.core.Status.OptionsConflict);
        continue;
      }
      let handledUntilTime = 0;
      const announcedOutages: number[] = [];
      for (const [outage, each] of [...outages.entries()].sort(
        ([, one], [, other]) => one.from - other.from,
      )) {
        const pause = handledUntilTime + (each.from - handledUntilTime) * random.pick([0, 0.3, 0.9]);
        if (pause > handledUntilTime && pause < each.from) {
          run.runUntil(pause);
          handledUntilTime = pause;
        }
        announcedOutages[outage] = handledUntilTime;
        const announcement = { outage, row: rowOf(each), deadline: each.from };
        expect(changeOutages(run, [announcement], firstProcessorsOfOutages), `seed ${seed}`).toBe(
          run.core.Status.Finished,
        );
        totalAnnouncementCount++;
      }
      run.close();
      run.run();
      const [starts, executions, onSite] = [run.column('Start'), run.column('Execution'), run.column('Site')];
      for (const job of run.column('FailedJob')) {
        failedAnnouncementCount++;
        const end = starts[job]! + executions[job]!;
        const causingOutages = outages.filter(({ site, from }) => site === onSite[job] && from === end);
        const latestCauseTime = Math.max(
          ...causingOutages.map((cause) => announcedOutages[outages.indexOf(cause)]!),
        );
        expect(starts[job]!, `seed ${seed}, job ${job}`).toBeLessThanOrEqual(latestCauseTime);
      }
      openTable.dispose();
    }
    expect(totalAnnouncementCount).toBeGreaterThan(0);
    if (doesRunCoverRareCases) expect(failedAnnouncementCount).toBeGreaterThan(20);
  },
  RANDOM_TEST_TIMEOUT_MILLISECONDS,
);
