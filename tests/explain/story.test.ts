import { describe, expect, test } from 'vitest';
import {
  formatExplanation,
  makeWaitEventTable,
  makeWaitTimeline,
  type WaitTimelineEvent,
} from '../../host/reports/waitReasons.js';
import type { Recorder } from '../../host/simulate/recorder.js';
import { makeTerminalColors } from '../../host/view/terminal.js';
import { makeUniqueJobNames } from '../../host/workload/workload.js';
import { doesRunCoverRareCases, listCaseSeeds, RANDOM_TEST_TIMEOUT_MILLISECONDS } from '../cases.js';
import type { ReferenceJob, ReferenceOptions } from '../reference/simulator/reference.js';
import { EXPLAINED_CASE_KINDS, explainShortJobs, recordAndExplainJob } from './explainCase.js';

/**
 * Replays the stories of all jobs of random cases and compares them with the recorded events and
 * their order.
 */

/**
 * A recorded event that a line of a story may report: a start or end with the free processors
 * afterwards, or a job that blocks.
 */
interface RecordedEvent {
  readonly time: number;
  readonly kind: 'start' | 'end' | 'blocked' | 'pass';
  readonly job: string;
  readonly site?: number;
  readonly processors?: number;
  readonly free?: number;
}

/** Recorded events of a job, one list for each of its waits. */
function readRecordedEvents(recorder: Recorder, job: number): RecordedEvent[][] {
  const jobNames = makeUniqueJobNames(recorder.simulator.workload);
  const freeSteps: number[] = [];
  const recordedWaits: RecordedEvent[][] = [];
  let isWaiting = false;
  for (const { kind: entryKind, time, numbers: entryNumbers } of recorder.entries()) {
    const [jobIndex, site, processors] = entryNumbers;
    if (entryKind === 'Queued') {
      recordedWaits.push([]);
      isWaiting = true;
    } else if (entryKind === 'Started') isWaiting = false;
    else if (entryKind === 'Free' && isWaiting && recordedWaits.at(-1)?.length === 0)
      freeSteps[jobIndex] = site;
    else if (entryKind === 'Blocked' && isWaiting)
      recordedWaits.at(-1)?.push({ time, kind: 'blocked', job: jobNames[jobIndex] });
    else if (isWaiting && (entryKind === 'Delays' || entryKind === 'Planned')) {
      const endNumber = entryKind === 'Delays' ? entryNumbers[4] : entryNumbers[3];
      recordedWaits.at(-1)?.push({ time: endNumber, kind: 'pass', job: jobNames[job] });
    } else if (isWaiting && (entryKind === 'Allocated' || entryKind === 'Released') && jobIndex !== job) {
      freeSteps[site] += entryKind === 'Released' ? processors : -processors;
      const fieldsOfEvent = { job: jobNames[jobIndex], site: site + 1, processors, free: freeSteps[site] };
      recordedWaits
        .at(-1)
        ?.push({ time, kind: entryKind === 'Released' ? 'end' : 'start', ...fieldsOfEvent });
    }
  }
  return recordedWaits;
}

const isRunStart = ({ kind }: { readonly kind: string }) => kind === 'start';

/** Recorded event that a line of a story reports; undefined if the line reports none by itself. */
function findEventReportedByLine(
  { time, text: eventText, change: siteChange }: WaitTimelineEvent,
  explainedJobName: string,
): Partial<RecordedEvent> | undefined {
  if (siteChange !== undefined) {
    const { job, site, processors, free: freeProcessors } = siteChange;
    return {
      time,
      kind: isRunStart(siteChange) ? 'start' : 'end',
      job,
      site,
      processors,
      free: freeProcessors,
    };
  }
  const [, job] = /^job (\S+) blocks/.exec(eventText) ?? [];
  if (job !== undefined) return { time, kind: 'blocked', job };
  return eventText.startsWith('it is now the head')
    ? { time, kind: 'blocked', job: explainedJobName }
    : undefined;
}

/**
 * Checks the stories of all jobs; returns the numbers of reported starts and ends, and of instants
 * with both.
 */
function checkStoriesOfCase(jobs: readonly ReferenceJob[], options: ReferenceOptions, seed: number) {
  const countByKind = { starts: 0, ends: 0, mixed: 0 };
  for (let job = 0; job < jobs.length; job++) {
    const location = `case ${seed}, job ${job + 1}`;
    const { recorder, explanation } = recordAndExplainJob(jobs, options, job);
    const recordedEvents = readRecordedEvents(recorder, job);
    const { start } = recorder.simulator.schedule();
    const jobNames = makeUniqueJobNames(recorder.simulator.workload);
    for (const [waitIndex, wait] of explanation.waits.entries()) {
      const story = makeWaitTimeline(explanation, wait);
      const numbersOfSitesInWait = wait.sites.map(({ site }) => site);
      const record = recordedEvents[waitIndex];
      expect(story.at(-1)?.text, location).toMatch(/^it starts/);
      // A line about an unsuccessful pass has the time of a recorded pass.
      const passes = record.filter(({ kind }) => kind === 'pass').map(({ time }) => time);
      const rejectionEvents = story.filter(({ text: eventText }) =>
        /would delay|cannot be backfilled/.test(eventText),
      );
      for (const { time, text: eventText } of rejectionEvents)
        expect(passes, `${location}: ${eventText}`).toContain(time);
      const printedText = formatExplanation(explanation, makeTerminalColors(false), 80);
      if (options.capacities.length === 1) expect(printedText, location).not.toMatch(/\bsites?\b/);
      const timesInEventTable = makeWaitEventTable(explanation, wait).rows.map((cellRow) =>
        String(cellRow[1]),
      );
      // Two lines whose times differ by more than 0.01 s must print different times, since times are rounded
      // to a hundredth of a second.
      const eventsWithDistinctTimes = story.filter(
        ({ time }, i) => time - (story[i - 1]?.time ?? -1) > 0.011,
      );
      expect(new Set(timesInEventTable).size, location).toBeGreaterThanOrEqual(
        eventsWithDistinctTimes.length,
      );
      expect(new Set(timesInEventTable).size, location).toBeLessThanOrEqual(
        new Set(story.map(({ time }) => time)).size,
      );
      for (const [i, { time }] of story.entries())
        expect(time >= (story[i - 1]?.time ?? time), location).toBe(true);
      // Each line must match a recorded event, in the order of the record.
      let indexOfLastMatch = -1;
      for (const line of story) {
        const description = findEventReportedByLine(line, explanation.job);
        // A job that already blocked at the submission has no recorded event.
        if (description === undefined || (description.kind === 'blocked' && line.time === wait.from))
          continue;
        indexOfLastMatch = record.findIndex(
          (recordedEvent, i) =>
            i > indexOfLastMatch &&
            Object.entries(description).every(
              ([name, value]) => recordedEvent[name as keyof RecordedEvent] === value,
            ),
        );
        expect(indexOfLastMatch, `${location}: ${line.text}`).toBeGreaterThanOrEqual(0);
      }
      // No recorded event may be missing between two lines on the same site, nor on any site within an
      // instant, so that the numbers of free processors add up.
      const descriptions = story.flatMap(({ change: siteChange }) =>
        siteChange === undefined ? [] : [siteChange],
      );
      const freeSteps = new Map<number, { free: number; time: number }>();
      for (const siteChange of descriptions) {
        const { site, processors, free: then, time, job: changedJob } = siteChange;
        const freeProcessorsBefore = freeSteps.get(site);
        if (
          freeProcessorsBefore !== undefined &&
          (numbersOfSitesInWait.includes(site) || time === freeProcessorsBefore.time)
        )
          expect(then, location).toBe(
            freeProcessorsBefore.free + (isRunStart(siteChange) ? -processors : processors),
          );
        freeSteps.set(site, { free: then, time });
        if (isRunStart(siteChange) && options.reclaim !== true)
          expect(time, location).toBe(start[jobNames.indexOf(changedJob)]);
      }
      for (const site of numbersOfSitesInWait) {
        if (freeSteps.has(site))
          expect(wait.decision.sites[site - 1].free, location).toBe(freeSteps.get(site)?.free);
      }
      const isCut = story.some(({ text: eventText }) => /^meanwhile /.test(eventText));
      const isEventAtStartOfJob = ({ time, kind }: { time: number; kind: string }) =>
        time === wait.until && kind !== 'blocked' && kind !== 'pass';
      if (!isCut)
        expect(descriptions.filter(isEventAtStartOfJob), location).toHaveLength(
          record.filter(isEventAtStartOfJob).length,
        );
      countByKind.starts += descriptions.filter(isRunStart).length;
      countByKind.ends += descriptions.filter((siteChange) => !isRunStart(siteChange)).length;
      countByKind.mixed += Number(
        descriptions.some(
          (description) =>
            isRunStart(description) &&
            descriptions.some(
              (otherDescription) =>
                otherDescription.time === description.time && !isRunStart(otherDescription),
            ),
        ),
      );
    }
  }
  return countByKind;
}

describe.each(Object.entries(EXPLAINED_CASE_KINDS))('%s', (_, draw) => {
  test(
    'stories tell what happened, in order',
    () => {
      const totalEventCounts = { starts: 0, ends: 0, mixed: 0 };
      for (const seed of listCaseSeeds(30)) {
        const { jobs, options } = draw(seed);
        const eventCountsOfCase = checkStoriesOfCase(jobs, options, seed);
        for (const countName of Object.keys(totalEventCounts) as (keyof typeof totalEventCounts)[])
          totalEventCounts[countName] += eventCountsOfCase[countName];
      }
      if (doesRunCoverRareCases)
        expect(
          Math.min(totalEventCounts.starts, totalEventCounts.ends, totalEventCounts.mixed),
        ).toBeGreaterThanOrEqual(10);
    },
    RANDOM_TEST_TIMEOUT_MILLISECONDS,
  );
});

test('an end and a start that leave too little room come before the job is the head', () => {
  // Job 1 ends at 10 s and frees processors for job 2; job 3, behind it, lacks half of the site.
  const explanation = explainShortJobs(
    [
      [0, 10, 8],
      [1, 10, 4],
      [2, 10, 8],
    ],
    3,
    { capacities: [8] },
  );
  expect(makeWaitTimeline(explanation, explanation.waits[0]).map(({ text: eventText }) => eventText)).toEqual(
    [
      'submitted; 1 job ahead, 0 processors free',
      'job 2 blocks for 8 s: it lacks 4 of 4 processors',
      'job 1 ends: 8 processors, 8 free',
      'job 2 starts: 4 processors, 4 free',
      'it is now the head and lacks 4 of 8 processors',
      'job 2 ends: 4 processors, 8 free',
      'it starts',
    ],
  );
});
