/** Causes of a wait: the jobs ahead, the blocking job, and the jobs that had to end. */
import { type Configuration, canJobsSpanSites, isBackfillingDiscipline } from '../options/configuration.js';
import { parseCheckedPassDelay } from '../options/passOptions.js';
import type { RecordEntry, RecordEntryKind } from '../simulate/recorder.js';
import type { Workload } from '../workload/workload.js';
import type {
  BlockedJob,
  FreedShare,
  SiteChange,
  SiteShare,
  StartingPass,
  WaitPeriod,
} from './explanation.js';

/**
 * Causes of a wait: its fields without the decision at its end and without reservations, plans and limits.
 */
export type WaitCauses = Omit<
  WaitPeriod,
  'decision' | 'reservations' | 'planned' | 'held' | 'priorities' | 'delays' | 'deferred'
>;

/** Explains the causes of a wait. */
export function explainWaitCauses(explainedJob: ExplainedJob, waitPeriod: RecordedJobWait): WaitCauses {
  const { queued: queuedEntry, started: startEntry, stop } = waitPeriod;
  const { names: jobNames, configuration } = explainedJob;
  const blockedJobs = listPeriodsOfBlockedJobs(explainedJob, waitPeriod);
  const startedJobs = countJobsStartedDuringWait(explainedJob, waitPeriod);
  const headSinceTime = canHeadBlockLaterJobs(configuration)
    ? findTimeJobBecameHead(waitPeriod, blockedJobs, startedJobs.cameLater)
    : undefined;
  const siteShares = findSiteSharesAtStart(explainedJob, waitPeriod);
  const siteChanges = listProcessorChangesDuringWait(explainedJob, waitPeriod);
  const processorReleases = siteChanges.filter(({ kind: changeKind }) => changeKind !== 'start');
  const jobSites = new Set(siteShares.map(({ site }) => site));
  const eventOrderOfFewestFree = findLastEventWithFewestFree(
    explainedJob,
    jobSites,
    waitPeriod,
    headSinceTime ?? queuedEntry.time,
  );
  const isFreedProcessorChange = ({ order, site }: SiteChange) =>
    order >= eventOrderOfFewestFree && jobSites.has(site);
  const laterHeadTime = headSinceTime === queuedEntry.time ? undefined : headSinceTime;
  const freeProcessorsOverTime = computeFreeProcessorSteps(waitPeriod, explainedJob.job);
  const startingPass = findPassThatStartedJob(explainedJob, freeProcessorsOverTime, startEntry.time);
  return {
    from: queuedEntry.time,
    until: startEntry.time,
    ...(stop && {
      stopped: {
        site: stop.numbers[1] + 1,
        start: stop.numbers[2],
        ...(stop.numbers[3] >= 0 && { for: jobNames[stop.numbers[3]]! }),
      },
    }),
    queue: findQueueStateAtSubmission(explainedJob, waitPeriod),
    started: startedJobs,
    startedWith: findJobsStartedWithExplained(explainedJob, waitPeriod),
    blocked: blockedJobs,
    capacity: findCapacityChanges(waitPeriod),
    ...(headSinceTime === undefined ? {} : { headSince: headSinceTime }),
    secondsWithRoom: countSecondsWithRoomForJob(explainedJob, freeProcessorsOverTime, startEntry.time),
    ...(startingPass !== undefined && { pass: startingPass }),
    sites: siteShares,
    freed: processorReleases.filter(isFreedProcessorChange).map(toFreedShare),
    trigger: processorReleases.filter(({ time }) => time === startEntry.time).map(toFreedShare),
    changes: siteChanges.filter(
      (siteChange) =>
        isFreedProcessorChange(siteChange) ||
        (laterHeadTime !== undefined && siteChange.time >= laterHeadTime && jobSites.has(siteChange.site)) ||
        siteChange.time === laterHeadTime ||
        siteChange.time === startEntry.time,
    ),
    free: freeProcessorsOverTime,
  };
}

/** Processors that outages took or returned during the wait. */
function findCapacityChanges({ events: recordEntries }: RecordedJobWait): WaitPeriod['capacity'] {
  return recordEntries.flatMap(({ kind: entryKind, time, numbers: entryNumbers }, order) =>
    entryKind === 'Capacity' ? [{ order, time, site: entryNumbers[0] + 1, processors: entryNumbers[1] }] : [],
  );
}

/**
 * Change in the free processors of a site by a record entry, the site numbered from 0; undefined
 * for entries without a change, and for processors of the explained job.
 */
function parseFreeProcessorChange(
  { kind: entryKind, numbers: entryNumbers }: RecordEntry,
  job: number,
): { site: number; by: number } | undefined {
  if (entryKind === 'Capacity') return { site: entryNumbers[0], by: entryNumbers[1] };
  if ((entryKind !== 'Allocated' && entryKind !== 'Released') || entryNumbers[0] === job) return undefined;
  return { site: entryNumbers[1], by: entryKind === 'Released' ? entryNumbers[2] : -entryNumbers[2] };
}

function findQueueStateAtSubmission(
  { names: jobNames, workload }: ExplainedJob,
  { queued: queuedEntry }: RecordedJobWait,
): WaitPeriod['queue'] {
  const [jobCount, processors, head, lackingProcessors] = queuedEntry.numbers;
  if (head < 0) return { jobs: jobCount, processors };
  return {
    jobs: jobCount,
    processors,
    head: { job: jobNames[head]!, processors: workload.processors[head]!, lacks: lackingProcessors },
  };
}

/** Sites, numbered from 1, and processors of the job at its start, in the order of allocation. */
export function findSiteSharesAtStart(
  { job }: ExplainedJob,
  { events: recordEntries }: RecordedJobWait,
): SiteShare[] {
  const ownAllocations = entriesOfKind(recordEntries, 'Allocated').filter(
    ({ numbers: entryNumbers }) => entryNumbers[0] === job,
  );
  return ownAllocations.map(({ numbers: entryNumbers }) => ({
    site: entryNumbers[1] + 1,
    processors: entryNumbers[2],
  }));
}

function countJobsStartedDuringWait(
  explainedJob: ExplainedJob,
  { events: recordEntries }: RecordedJobWait,
): WaitPeriod['started'] {
  const jobs = new Set(
    entriesOfKind(recordEntries, 'Allocated').map(({ numbers: entryNumbers }) => entryNumbers[0]),
  );
  jobs.delete(explainedJob.job);
  const jobsOfQueue = [...jobs].filter((job) => isInSameQueue(explainedJob, job));
  const precedingJobs = jobsOfQueue.filter((job) => isBeforeInQueue(explainedJob, job));
  const laterJobCount = precedingJobs.filter((job) => job > explainedJob.job).length;
  return {
    before: precedingJobs.length,
    cameLater: laterJobCount,
    behind: jobsOfQueue.length - precedingJobs.length,
  };
}

function findJobsStartedWithExplained(
  { names: jobNames, job }: ExplainedJob,
  { events: recordEntries, started: startEntry }: RecordedJobWait,
): string[] {
  const simultaneousStarts = entriesOfKind(recordEntries, 'Allocated').filter(
    ({ time, numbers: entryNumbers }) => time === startEntry.time && entryNumbers[0] !== job,
  );
  return [...new Set(simultaneousStarts.map(({ numbers: entryNumbers }) => jobNames[entryNumbers[0]]!))];
}

/** Position of what was blocked before the wait began, smaller than the position of every event. */
const POSITION_BEFORE_ALL_EVENTS = -1;

/**
 * Periods in which a head of the queue was blocked, in order. A head present at submission counts from then
 * if it lacked processors.
 */
function listPeriodsOfBlockedJobs(
  explainedJob: ExplainedJob,
  { queued: queuedEntry, events: recordEntries, started: startEntry }: RecordedJobWait,
): BlockedJob[] {
  const { names: jobNames, workload, job, configuration } = explainedJob;
  const entries = recordEntries.flatMap(({ kind: entryKind, time, numbers: entryNumbers }, order) => {
    const [blockedJob, lacked, , passCount] = entryNumbers;
    return entryKind === 'Blocked' ? [{ order, who: blockedJob, from: time, lacked, passes: passCount }] : [];
  });
  const [, , head, lackingProcessors] = queuedEntry.numbers;
  if (canHeadBlockLaterJobs(configuration) && head >= 0 && lackingProcessors > 0) {
    const [firstEntry] = entries;
    const isHeadFirstBlockedJob = firstEntry?.who === head;
    const passCount = isHeadFirstBlockedJob ? firstEntry.passes : 0;
    entries.splice(0, Number(isHeadFirstBlockedJob), {
      order: POSITION_BEFORE_ALL_EVENTS,
      who: head,
      from: queuedEntry.time,
      lacked: lackingProcessors,
      passes: passCount,
    });
  }
  const startedJobs = entriesOfKind(recordEntries, 'Allocated');
  return entries.map(({ order, who, from, lacked, passes: passCount }, entryIndex) => {
    const start = startedJobs.find(
      ({ time, numbers: entryNumbers }) => entryNumbers[0] === who && time >= from,
    )?.time;
    const nextBlockedBeginTime = entries[entryIndex + 1]?.from;
    const until = Math.min(start ?? startEntry.time, nextBlockedBeginTime ?? startEntry.time);
    return {
      order,
      job: jobNames[who]!,
      isItself: who === job,
      processors: workload.processors[who]!,
      from,
      until,
      lacked,
      passes: passCount,
    };
  });
}

/**
 * Time in seconds from which no job was ahead: the begin of the wait if none ever was, the start if
 * one was ahead until then.
 */
function findTimeJobBecameHead(
  { queued: queuedEntry, started: startEntry }: RecordedJobWait,
  blockedJobs: readonly BlockedJob[],
  cameLater: number,
): number {
  const isFirst =
    queuedEntry.numbers[0] === 0 && cameLater === 0 && blockedJobs.every(({ isItself }) => isItself);
  if (isFirst) return queuedEntry.time;
  const lastBlockedJob = blockedJobs.at(-1);
  return lastBlockedJob?.isItself ? lastBlockedJob.from : startEntry.time;
}

/** Processors released and allocated during the wait, without the job's own. */
function listProcessorChangesDuringWait(
  { names: jobNames, job, configuration: { releaseDelay } }: ExplainedJob,
  { events: recordEntries, freeBefore }: RecordedJobWait,
): SiteChange[] {
  const freeProcessorsBySite = [...freeBefore];
  return recordEntries.flatMap(({ kind: entryKind, time, numbers: entryNumbers }, order): SiteChange[] => {
    const [jobIndex, site, processors, predictedEnd] = entryNumbers;
    const siteChange = { order, time, job: jobNames[jobIndex]!, site: site + 1, processors };
    if (entryKind === 'Capacity') freeProcessorsBySite[entryNumbers[0]]! += entryNumbers[1];
    if (entryKind === 'Allocated' && jobIndex !== job) {
      freeProcessorsBySite[site]! -= processors;
      return [{ ...siteChange, free: freeProcessorsBySite[site]!, kind: 'start' }];
    }
    if (entryKind !== 'Released') return [];
    freeProcessorsBySite[site]! += processors;
    const nextRecordEntry = recordEntries[order + 1];
    const isReleasedByPreemption =
      nextRecordEntry?.kind === 'Stopped' && nextRecordEntry.numbers[0] === jobIndex;
    return [
      {
        ...{
          ...siteChange,
          free: freeProcessorsBySite[site]!,
          kind: isReleasedByPreemption ? 'stop' : 'end',
        },
        ...(predictedEnd >= 0 ? { predictedEnd } : {}),
        ...(releaseDelay > 0 &&
          !isReleasedByPreemption && { end: computeEndBeforeRelease(time - releaseDelay, predictedEnd) }),
      },
    ];
  });
}

/** End of a job in seconds, computed from its release; the predicted end if they differ by rounding only. */
const computeEndBeforeRelease = (end: number, predictedEnd: number) =>
  Math.abs(end - predictedEnd) <= PASS_TIME_TOLERANCE ? predictedEnd : end;

function toFreedShare({ order: _, kind: changeKind, ...change }: SiteChange): FreedShare {
  return { ...change, isStopped: changeKind === 'stop' };
}

/**
 * Position of the last event before which given sites (numbered from 1) had the fewest free
 * processors, searching from a time on; Infinity if there is no event.
 */
function findLastEventWithFewestFree(
  { job }: ExplainedJob,
  siteIndices: ReadonlySet<number>,
  { events: recordEntries, freeBefore }: RecordedJobWait,
  since: number,
): number {
  let free = freeBefore.reduce(
    (sum, freeProcessors, site) => sum + (siteIndices.has(site + 1) ? freeProcessors : 0),
    0,
  );
  let fewestFreeProcessorCount = Number.POSITIVE_INFINITY;
  let orderOfFewestFree = Number.POSITIVE_INFINITY;
  recordEntries.forEach(({ kind: entryKind, time, numbers: entryNumbers }, eventIndex) => {
    if (entryKind === 'Allocated' && entryNumbers[0] === job) return;
    if (time >= since && free <= fewestFreeProcessorCount) {
      fewestFreeProcessorCount = free;
      orderOfFewestFree = eventIndex;
    }
    const siteChange = parseFreeProcessorChange({ kind: entryKind, time, numbers: entryNumbers }, -1);
    if (siteChange !== undefined && siteIndices.has(siteChange.site + 1)) free += siteChange.by;
  });
  return orderOfFewestFree;
}

/**
 * Seconds during which the job would have fitted on one allowed site or, if it may be split, on all
 * sites together.
 */
function countSecondsWithRoomForJob(
  explainedJob: ExplainedJob,
  freeSteps: FreeProcessorSteps,
  end: number,
): number {
  const doesJobFitInStep = makeTestWhetherJobFitsInStep(explainedJob, freeSteps);
  const { time } = freeSteps;
  return time.reduce(
    (sum, begin, step) => sum + (doesJobFitInStep(step) ? (time[step + 1] ?? end) - begin : 0),
    0,
  );
}

/**
 * Creates a function that tells for a step whether the job would fit on one allowed site or, if it
 * may be split, on all sites together.
 */
function makeTestWhetherJobFitsInStep(
  explainedJob: ExplainedJob,
  { sites }: FreeProcessorSteps,
): (step: number) => boolean {
  const { configuration, workload, job } = explainedJob;
  const candidates = sites.filter((_, site) => canJobUseSite(explainedJob, site));
  const canRunOnSeveralSites = canJobsSpanSites(configuration) && configuration.queue !== 'independent';
  return (step) => {
    const free = (canRunOnSeveralSites ? sites : candidates).map((steps) => steps[step]!);
    const usableProcessorCount = canRunOnSeveralSites
      ? free.reduce((sum, freeProcessors) => sum + freeProcessors, 0)
      : Math.max(0, ...free);
    return usableProcessorCount >= workload.processors[job]!;
  };
}

/** Tolerance in seconds for the distance of a pass from a multiple of its interval, because of rounding. */
const PASS_TIME_TOLERANCE = 1e-6;

/** Finds the pass that started the job; undefined if passes follow events immediately. */
function findPassThatStartedJob(
  explainedJob: ExplainedJob,
  freeSteps: FreeProcessorSteps,
  time: number,
): StartingPass | undefined {
  const { interval, backfillInterval, passGap, passDelay } = explainedJob.configuration;
  const delay = parseCheckedPassDelay(passDelay);
  const longestPassDelay = Math.max(delay.submit, delay.end, passGap);
  const passPeriod = interval > 0 ? interval : backfillInterval;
  if (passPeriod === 0 && longestPassDelay === 0) return undefined;
  const doesJobFitInStep = makeTestWhetherJobFitsInStep(explainedJob, freeSteps);
  let firstStepWithRoomForJob = freeSteps.time.length;
  while (firstStepWithRoomForJob > 0 && doesJobFitInStep(firstStepWithRoomForJob - 1))
    firstStepWithRoomForJob--;
  const hasRoomSinceTime = freeSteps.time[firstStepWithRoomForJob] ?? time;
  const firstPassTime = findFirstPassTimeOfQueue(explainedJob);
  const passIndex = Math.round((time - firstPassTime) / passPeriod);
  const isPeriodicPass =
    passPeriod > 0 &&
    passIndex >= 0 &&
    Math.abs(firstPassTime + passIndex * passPeriod - time) <= PASS_TIME_TOLERANCE;
  const passKind = !isPeriodicPass ? 'main' : interval > 0 ? 'interval' : 'backfill';
  const isFirstPass = isPeriodicPass && passIndex === 0;
  const earliestTimeOfRoom = isFirstPass
    ? Number.NEGATIVE_INFINITY
    : isPeriodicPass
      ? time - passPeriod + PASS_TIME_TOLERANCE
      : time - longestPassDelay;
  return {
    kind: passKind,
    ...(hasRoomSinceTime < time && hasRoomSinceTime >= earliestTimeOfRoom && { roomSince: hasRoomSinceTime }),
  };
}

/** Time in seconds of the first pass of the job's queue if passes occur at an interval. */
function findFirstPassTimeOfQueue(explainedJob: ExplainedJob): number {
  const { workload, configuration } = explainedJob;
  const { interval, backfillInterval, backfillOffset } = configuration;
  let earliestTime = Infinity;
  for (let job = 0; job < workload.count; job++) {
    if (isInSameQueue(explainedJob, job)) earliestTime = Math.min(earliestTime, workload.submit[job]!);
  }
  if (interval > 0) return earliestTime;
  return earliestTime + (backfillOffset === 'half' ? backfillInterval / 2 : backfillOffset);
}

// Data for an explanation: the job with its run, and the recorded entries, one range per wait
// with the processors that are free in the course of it.

/**
 * Record entries of one wait, from entering the queue to the start or cancellation, and the details of the
 * last decision.
 */
export interface RecordedJobWait {
  /** Preemption that began the wait; absent for the first wait. */
  readonly stop?: RecordEntry;
  /**
   * Entries between the begin of the wait with its free processors and the start of the job, without either.
   */
  readonly events: readonly RecordEntry[];
  readonly queued: RecordEntry;
  /** Start of the job, or its cancellation. */
  readonly started: RecordEntry;
  /** Free processors per site at the begin of the wait, and at the start after the job's allocation. */
  readonly freeBefore: readonly number[];
  readonly freeAfter: readonly number[];
  readonly details: readonly RecordEntry[];
}

/** Free processors of each site, listed behind a record entry. */
function readFreeProcessorsAfterEntry(
  entries: readonly RecordEntry[],
  entryIndex: number,
  siteCount: number,
): number[] {
  return entries
    .slice(entryIndex + 1, entryIndex + 1 + siteCount)
    .map(({ numbers: entryNumbers }) => entryNumbers[1]);
}

/** Splits the record of a job into its waits. */
export function splitRecordIntoWaits(
  entries: readonly RecordEntry[],
  job: number,
  siteCount: number,
): RecordedJobWait[] {
  const waitBeginEntryIndices = entries.flatMap(({ kind: entryKind }, entryIndex) =>
    entryKind === 'Queued' ? [entryIndex] : [],
  );
  return waitBeginEntryIndices.map((begin, wait) => {
    const nextBegin = waitBeginEntryIndices[wait + 1];
    const isStopEntry = ({ kind: entryKind, numbers: entryNumbers }: RecordEntry) =>
      entryKind === 'Stopped' && entryNumbers[0] === job;
    const end =
      nextBegin === undefined
        ? entries.length
        : isStopEntry(entries[nextBegin - 1]!)
          ? nextBegin - 1
          : nextBegin;
    const isLastEntryOfWait = ({ kind: entryKind, numbers: entryNumbers }: RecordEntry) =>
      entryKind === 'Started' || (entryKind === 'Cancelled' && entryNumbers[0] === job);
    const start = entries.findIndex(
      (recordEntry, entryIndex) => entryIndex > begin && isLastEntryOfWait(recordEntry),
    );
    if (start < 0) throw new Error('the record of the job has no start');
    const [before, queuedEntry, startEntry] = [entries[begin - 1], entries[begin]!, entries[start]!];
    return {
      ...(before !== undefined && isStopEntry(before) ? { stop: before } : {}),
      queued: queuedEntry,
      events: entries.slice(begin + 1 + siteCount, start),
      started: startEntry,
      freeBefore: readFreeProcessorsAfterEntry(entries, begin, siteCount),
      freeAfter: readFreeProcessorsAfterEntry(entries, start, siteCount),
      details: entries.slice(start + 1 + siteCount, end),
    };
  });
}

/** Selects the entries of a kind. */
export function entriesOfKind(entries: readonly RecordEntry[], entryKind: RecordEntryKind): RecordEntry[] {
  return entries.filter((recordEntry) => recordEntry.kind === entryKind);
}

/** Shares of processors listed behind a record entry, with sites numbered from 0. */
export function readSiteSharesAfterEntry(
  entries: readonly RecordEntry[],
  entryIndex: number,
): { site: number; processors: number }[] {
  const siteShares: { site: number; processors: number }[] = [];
  for (const { kind: entryKind, numbers: entryNumbers } of entries.slice(entryIndex + 1)) {
    if (entryKind !== 'Share') break;
    siteShares.push({ site: entryNumbers[0], processors: entryNumbers[1] });
  }
  return siteShares;
}

/** Free processors of each site as a step function; all times are different. */
export interface FreeProcessorSteps {
  readonly time: readonly number[];
  readonly sites: readonly (readonly number[])[];
}

/** Free processors during a wait, before the job's own allocation. */
function computeFreeProcessorSteps(
  { queued: queuedEntry, events: recordEntries, freeBefore }: RecordedJobWait,
  job: number,
): FreeProcessorSteps {
  const time = [queuedEntry.time];
  const freeProcessorsBySite = [...freeBefore];
  const sites = freeBefore.map((freeProcessors) => [freeProcessors]);
  for (const recordEntry of recordEntries) {
    const { time: now } = recordEntry;
    const siteChange = parseFreeProcessorChange(recordEntry, job);
    if (siteChange === undefined) continue;
    const { site } = siteChange;
    freeProcessorsBySite[site]! += siteChange.by;
    if (now > time[time.length - 1]!) {
      time.push(now);
      freeProcessorsBySite.forEach((freeProcessors, siteIndex) => {
        sites[siteIndex]!.push(freeProcessors);
      });
    } else {
      sites[site]![time.length - 1] = freeProcessorsBySite[site]!;
    }
  }
  return { time, sites };
}

/** A job to be explained, with its simulation. */
export interface ExplainedJob {
  readonly workload: Workload;
  readonly configuration: Configuration;
  /** Candidates of a policy that differ from all earlier ones, by position; empty for other policies. */
  readonly candidates: ReadonlyMap<number, string>;
  /** Names of the jobs. */
  readonly names: readonly string[];
  /** Sort keys of the queue, smallest first; ties are in order of submission. */
  readonly keys: ArrayLike<number>;
  /** Index of the job. */
  readonly job: number;
  /** Sites, from 0, of the job's partition; undefined: all. */
  readonly partitionSites: readonly number[] | undefined;
}

/** True if a head of the queue that does not fit blocks the jobs behind it. */
function canHeadBlockLaterJobs({ discipline }: Configuration): boolean {
  return discipline !== 'first-available' && !isBackfillingDiscipline(discipline);
}

/** True if another job belongs to the queue of the explained job, whether or not it waits. */
function isInSameQueue({ workload, configuration, job }: ExplainedJob, otherJob: number): boolean {
  return configuration.queue === 'shared' || workload.home[otherJob] === workload.home[job];
}

/** True if another job is ahead in the order of the queue. */
function isBeforeInQueue(explainedJob: ExplainedJob, otherJob: number): boolean {
  const difference = explainedJob.keys[otherJob]! - explainedJob.keys[explainedJob.job]!;
  if (difference !== 0) return difference < 0;
  const { submit } = explainedJob.workload;
  const submitTimeDifference = submit[otherJob]! - submit[explainedJob.job]!;
  return submitTimeDifference < 0 || (submitTimeDifference === 0 && otherJob < explainedJob.job);
}

/** True if a site belongs to the job's partition. */
export function isSiteInPartition({ partitionSites }: ExplainedJob, site: number): boolean {
  return partitionSites?.includes(site) ?? true;
}

/**
 * True if a job may run on a site (numbered from 0) given the minimum speed ratio (Huang et al. 2007, section
 * 4).
 */
export function canJobUseSite(explainedJob: ExplainedJob, site: number): boolean {
  const { workload, configuration, job } = explainedJob;
  if (!isSiteInPartition(explainedJob, site)) return false;
  const home = workload.home[job]!;
  const { speeds } = configuration.grid;
  if (configuration.queue === 'independent' && site !== home) return false;
  return speeds[site]! >= configuration.minSpeedRatio * speeds[home]!;
}
