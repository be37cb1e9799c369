/**
 * Explains the wait and placement of a job from the record of a simulation, including the plans made while
 * the job waited.
 */

import { checkArgument } from '../arguments.js';
import { findDistinctCandidatePositions, listCandidatePolicies, printPolicy } from '../core/policies.js';
import { listQueueRulesOfCandidates } from '../options/candidateRules.js';
import { type Configuration, isBackfillingDiscipline, isPolicyUsed } from '../options/configuration.js';
import { isTimeDependentOrder, printOrder } from '../options/order.js';
import { findOrderOfWaitingJobs, RUN_OPTIONS } from '../options/runOptions.js';
import { computeOrderKeys } from '../simulate/orderKeys.js';
import { listSitesAllowedByPartition } from '../simulate/partitionSets.js';
import type { RecordEntry, RecordEntryKind, Recorder } from '../simulate/recorder.js';
import { nameSiteChooserOfConfiguration } from '../simulate/summary.js';
import type { RunTimesByJob } from '../simulate/usageByNumber.js';
import { FIELDS_WITH_NAMES, nameOfLogNumber } from '../trace/trace.js';
import { isCancelledJob } from '../workload/cancellations.js';
import { makeUniqueJobNames, type Workload } from '../workload/workload.js';
import type {
  CandidateTrial,
  DecidingRule,
  Explanation,
  HeldPeriod,
  PlannedStartChoice,
  Reservation,
  SiteComparison,
  SiteShare,
  SiteState,
  SplitChoice,
  StartDecision,
  StartDelay,
  UnexpectedJobEnd,
  WaitPeriod,
} from './explanation.js';
import { makePriorityFinder } from './priorities.js';
import {
  canJobUseSite,
  type ExplainedJob,
  entriesOfKind,
  explainWaitCauses,
  findSiteSharesAtStart,
  isSiteInPartition,
  type RecordedJobWait,
  readSiteSharesAfterEntry,
  splitRecordIntoWaits,
} from './waitCauses.js';

/** Seconds by which times may differ because of rounding. */
const TIME_TOLERANCE_SECONDS = 1e-6;

/**
 * State in which a job was cancelled; `too late` if it had reached its requested time before. Undefined for
 * jobs that the log does not cancel.
 * @param stay seconds from the submission of the job to its end.
 */
function findCancellation(
  { patience }: Pick<Workload, 'patience'>,
  job: number,
  waitPeriods: readonly RecordedJobWait[],
  stay: number,
): 'waiting' | 'running' | 'too late' | undefined {
  if (!isCancelledJob(patience, job)) return undefined;
  if (waitPeriods.at(-1)?.started.kind === 'Cancelled') return 'waiting';
  return stay < patience![job]! - TIME_TOLERANCE_SECONDS ? 'too late' : 'running';
}

/**
 * Flags of an explanation for a job that ended before its runtime was over: killed, ended by an outage, or
 * cancelled.
 * @param stay seconds from the submission of the job to its end.
 */
function describeEarlyEnd(
  workload: Pick<Workload, 'patience' | 'killed'>,
  job: number,
  waitPeriods: readonly RecordedJobWait[],
  stay: number,
  endedByOutage: boolean,
): Pick<Explanation, 'killed' | 'endedByOutage' | 'cancelled'> {
  const cancellation = findCancellation(workload, job, waitPeriods, stay);
  return {
    killed: (workload.killed?.[job] === 1 || cancellation === 'too late') && !endedByOutage,
    ...(endedByOutage && { endedByOutage }),
    ...(cancellation !== undefined && cancellation !== 'too late' && { cancelled: cancellation }),
  };
}

/**
 * Explains the job watched by a recorder whose simulation is complete.
 * @param job index of the job in the workload.
 * @example
 * const { schedule } = simulate(workload, grid);
 * const job = schedule.start.findIndex((start, i) => start > workload.submit[i]);
 * const recorder = new Recorder(workload, job);
 * recorder.simulator.begin(makeConfiguration(grid));
 * recorder.simulator.run();
 * const { processors, wait } = explainJob(recorder, job);
 * console.log(job, processors, wait); // 83 2 757.5
 */
export function explainJob(
  recorder: Pick<Recorder, 'simulator' | 'entries' | 'lostEntryCount'>,
  job: number,
): Explanation {
  checkArgument(recorder, 'recorder', 'explainJob');
  const { workload: original, configuration: runConfiguration } = recorder.simulator;
  const { submit: submits, start, execution, outages } = recorder.simulator.schedule();
  const estimate = recorder.simulator.estimates() ?? original.estimate;
  const workload = { ...original, estimate, submit: submits };
  const waitPeriods = splitRecordIntoWaits(recorder.entries(), job, runConfiguration.grid.capacities.length);
  const configuration = configurationAtStart(runConfiguration, waitPeriods);
  const order = findOrderOfWaitingJobs(configuration);
  // Keys that the host computes use the log; where keys change with time, jobs count in order of submission.
  const keys = isTimeDependentOrder(order)
    ? new Float64Array(original.count)
    : computeOrderKeys(order, { ...original, estimate }, configuration);
  const allCandidates = listCandidatePolicies(runConfiguration.policy);
  const distinct = findDistinctCandidatePositions(allCandidates, recorder.simulator.speedHeterogeneity);
  const candidates = new Map(distinct.map((place) => [place, printPolicy(allCandidates[place]!)]));
  const names = makeUniqueJobNames(workload);
  const partitionSites = listSitesAllowedByPartition(configuration, workload, job);
  const subject: ExplainedJob = { workload, configuration, candidates, names, keys, job, partitionSites };
  const runTimes = makeRunTimes(start, execution, configuration.releaseDelay);
  const priorities = makePriorityFinder(order, subject, runTimes);
  const submit = submits[job]!;
  const end = start[job]! + execution[job]!;
  return {
    job: subject.names[job]!,
    processors: workload.processors[job]!,
    ...namesOfJob(original, job),
    home: workload.home[job]! + 1,
    hasHomes: workload.home.some((site) => site !== workload.home[0]),
    submit,
    start: start[job]!,
    end,
    wait: start[job]! - submit,
    ...findPrecedingJob(original, job),
    ...describeEarlyEnd(original, job, waitPeriods, end - submit, outages?.endedJobs.includes(job) ?? false),
    sites: findSiteSharesAtStart(subject, waitPeriods[waitPeriods.length - 1]!),
    rules: {
      order: printOrder(order),
      discipline: configuration.discipline,
      queue: configuration.queue,
      method: nameSiteChooserOfConfiguration(configuration),
      ...(configuration.reservations === 'kept' && { reservations: 'kept' }),
      ...(candidates.size > 0 && { chosenBy: printPolicy(runConfiguration.policy) }),
    },
    waits: waitPeriods.map((waitPeriod) => ({
      ...explainWaitCauses(subject, waitPeriod),
      ...reservationsAndPlansOfWait(subject, waitPeriod),
      ...(priorities && {
        priorities: [priorities.at(waitPeriod.queued.time), priorities.at(waitPeriod.started.time)] as const,
      }),
      decision: explainStartDecision(subject, waitPeriod),
    })),
    lost: recorder.lostEntryCount,
  };
}

/** Finds the preceding job, after whose end the job was submitted; undefined if there is none. */
function findPrecedingJob(
  { dependencies, names: namesByKind, job: numbers, submit }: Workload,
  job: number,
): Pick<Explanation, 'precedingJob'> {
  const preceding = dependencies?.preceding[job] ?? -1;
  if (preceding < 0) return {};
  return {
    precedingJob: {
      job: nameOfLogNumber(namesByKind, 'job', numbers[preceding]!),
      loggedSubmit: submit[job]!,
    },
  };
}

/** Names of the user, group, queue and partition of a job in the log. */
function namesOfJob({ log, names: namesByKind }: Workload, job: number): Pick<Explanation, 'names'> {
  if (log === undefined || namesByKind === undefined) return {};
  const namedFields = FIELDS_WITH_NAMES.filter(
    (field) => field !== 'job' && namesByKind[field].has(log[field][job]!),
  );
  return {
    names: Object.fromEntries(
      namedFields.map((field) => [field, nameOfLogNumber(namesByKind, field, log[field][job]!)]),
    ),
  };
}

/**
 * Configuration with the policy candidate that was in force at the job's last start, for policies that switch
 * between candidates.
 */
function configurationAtStart(
  configuration: Configuration,
  waitPeriods: readonly RecordedJobWait[],
): Configuration {
  const triedCandidateEntries = entriesOfKind(waitPeriods.at(-1)?.details ?? [], 'Tried');
  const candidateIndex = triedCandidateEntries.findIndex(
    ({ numbers: entryNumbers }) => entryNumbers[1] === 1,
  );
  if (candidateIndex < 0) return configuration;
  const queueRules = listQueueRulesOfCandidates(configuration)?.[candidateIndex];
  const policy = listCandidatePolicies(configuration.policy)[candidateIndex]!;
  return { ...configuration, ...queueRules, policy };
}

/** Reservations, plans, periods at a limit, and refused starts during a wait. */
function reservationsAndPlansOfWait(
  explainedJob: ExplainedJob,
  waitPeriod: RecordedJobWait,
): Pick<WaitPeriod, 'reservations' | 'planned' | 'held' | 'delays' | 'deferred'> {
  const plannedEntry = entriesOfKind(waitPeriod.events, 'Planned').at(-1);
  return {
    reservations: collectReservations(explainedJob, waitPeriod.events),
    ...(plannedEntry && {
      planned: {
        ...{ start: plannedEntry.numbers[1], end: plannedEntry.numbers[2], passes: plannedEntry.numbers[4] },
        ...{ from: plannedEntry.time, until: plannedEntry.numbers[3] },
      },
    }),
    held: heldPeriodsOfWait(waitPeriod),
    delays: waitPeriod.events.flatMap((recordEntry, order) =>
      recordEntry.kind === 'Delays' ? [{ order, ...parseDelayEntry(explainedJob, recordEntry) }] : [],
    ),
    deferred: waitPeriod.events.flatMap(({ kind: entryKind, time, numbers: entryNumbers }, order) => {
      if (entryKind !== 'Deferred') return [];
      const [site, free, turnaroundOnFree, predictedWait, turnaroundAfterWait] = entryNumbers;
      return [
        {
          order,
          time,
          site: site + 1,
          free,
          shrunk: turnaroundOnFree,
          whole: turnaroundAfterWait,
          wait: predictedWait,
        },
      ];
    }),
  };
}

/** Periods in which a limit held the job; each lasts until the job is freed, held by another limit, or starts. */
function heldPeriodsOfWait({ events, started }: RecordedJobWait): HeldPeriod[] {
  return events.flatMap(({ kind: eventKind, time, numbers }, order) => {
    if (eventKind !== 'Held') return [];
    const [limitKind, jobsFlag, used, limit] = numbers;
    const nextChange = events
      .slice(order + 1)
      .find((recordEntry) => recordEntry.kind === 'Freed' || recordEntry.kind === 'Held');
    const by = limitKind === 0 ? 'user' : 'group';
    const of = jobsFlag === 1 ? 'jobs' : 'processors';
    return [{ order, from: time, until: nextChange?.time ?? started.time, by, of, used, most: limit }];
  });
}

function parseDelayEntry(
  { names: jobNames }: ExplainedJob,
  { time, numbers: entryNumbers }: RecordEntry,
): Omit<StartDelay, 'order'> {
  const [head, end, headStart, beside, until, passCount] = entryNumbers;
  return { head: jobNames[head]!, passes: passCount, time, until, end, headStart, beside };
}

function collectReservations(
  explainedJob: ExplainedJob,
  recordEntries: readonly RecordEntry[],
): Reservation[] {
  const reservationByJob = new Map<string, Reservation>();
  return recordEntries.flatMap(({ kind: entryKind, time, numbers: entryNumbers }, eventIndex) => {
    if (entryKind !== 'Reserved') return [];
    const [job, start, end, until] = entryNumbers;
    const jobName = explainedJob.names[job]!;
    const siteShares = readSiteSharesAfterEntry(recordEntries, eventIndex).map(({ site, processors }) => ({
      site: site + 1,
      processors,
    }));
    const earlierReservation = reservationByJob.get(jobName);
    const unexpectedEnds =
      earlierReservation === undefined
        ? []
        : findUnexpectedJobEnds(explainedJob, recordEntries, earlierReservation, { time, start });
    const reason = reasonForReservation(explainedJob, recordEntries[eventIndex + 1 + siteShares.length]);
    const isMoved = entryNumbers[5] === 1;
    const isCausingEnd = ({ job: cause, end: ended }: UnexpectedJobEnd) =>
      reason === undefined
        ? ended === undefined
        : typeof reason === 'object' && 'end' in reason && reason.end === cause;
    const areReservationsKept = explainedJob.configuration.reservations === 'kept';
    const isItself = job === explainedJob.job;
    const reservation: Reservation = {
      ...{ order: eventIndex, job: jobName, isItself, from: time, until, start, end, sites: siteShares },
      causes: areReservationsKept ? unexpectedEnds.filter(isCausingEnd) : unexpectedEnds,
      ...(isMoved && { isMoved }),
      ...(reason !== undefined && { by: reason }),
    };
    reservationByJob.set(jobName, reservation);
    return [reservation];
  });
}

/** Why a kept reservation was made or changed, from the record entry that follows the reservation. */
function reasonForReservation(
  { names: jobNames }: ExplainedJob,
  recordEntry: RecordEntry | undefined,
): Reservation['by'] {
  if (recordEntry?.kind === 'ByPolicy') return 'policy';
  if (recordEntry?.kind === 'ByEnd') return { end: jobNames[recordEntry.numbers[0]]! };
  if (recordEntry?.kind === 'ByCapacity') return { capacity: recordEntry.numbers[0] + 1 };
  if (recordEntry?.kind === 'ByCancellation') return { cancellation: jobNames[recordEntry.numbers[0]]! };
  return recordEntry?.kind === 'ByStart' ? { start: jobNames[recordEntry.numbers[0]]! } : undefined;
}

/**
 * Jobs whose ends differ from their predictions and so explain a changed reservation: jobs that
 * ended early since the previous pass with the old one and, if the new start is later, jobs on the
 * reserved sites that run beyond their predicted ends.
 */
function findUnexpectedJobEnds(
  { names: jobNames }: ExplainedJob,
  recordEntries: readonly RecordEntry[],
  earlierReservation: Reservation,
  changedReservation: { readonly time: number; readonly start: number },
): UnexpectedJobEnd[] {
  const releases = entriesOfKind(recordEntries, 'Released').map(({ time, numbers: entryNumbers }) => ({
    job: jobNames[entryNumbers[0]]!,
    site: entryNumbers[1] + 1,
    predictedEnd: entryNumbers[3],
    end: time,
  }));
  const earlyEnds = releases.filter(
    ({ end, predictedEnd }) =>
      end > earlierReservation.until && end <= changedReservation.time && predictedEnd > end,
  );
  const siteIndices = new Set(earlierReservation.sites.map(({ site }) => site));
  const lateEnds = releases.filter(
    ({ site, end, predictedEnd }) =>
      siteIndices.has(site) &&
      predictedEnd >= 0 &&
      predictedEnd <= changedReservation.time &&
      end > changedReservation.time,
  );
  const relevantEnds =
    changedReservation.start > earlierReservation.start ? [...lateEnds, ...earlyEnds] : earlyEnds;
  return relevantEnds.map(({ job, predictedEnd, end }) => ({
    job,
    predictedEnd,
    ...(end <= changedReservation.time ? { end } : {}),
  }));
}

// Decision on where a job went: the values considered, and the rule that settled it.

/** Decision that ended a wait. */
function explainStartDecision(explainedJob: ExplainedJob, waitPeriod: RecordedJobWait): StartDecision {
  const siteShares = findSiteSharesAtStart(explainedJob, waitPeriod);
  const details = decisionDetails(explainedJob, waitPeriod, siteShares);
  const siteStates = siteStatesBeforeStart(explainedJob, waitPeriod, siteShares);
  return {
    time:
      waitPeriod.details.find(({ kind: entryKind }) => entryKind === 'Free')?.time ?? waitPeriod.started.time,
    rule: findDecidingRule(explainedJob, waitPeriod, siteStates, details),
    sites: siteStates,
    ...details,
  };
}

function siteStatesBeforeStart(
  explainedJob: ExplainedJob,
  { freeAfter, details: detailEntries }: RecordedJobWait,
  siteShares: readonly SiteShare[],
): SiteState[] {
  const { capacities, speeds } = explainedJob.configuration.grid;
  const processors = explainedJob.workload.processors[explainedJob.job]!;
  const unsafeSites = new Set(
    entriesOfKind(detailEntries, 'Unsafe').map(({ numbers: entryNumbers }) => entryNumbers[0]),
  );
  return capacities.map((capacity, index) => {
    const allocatedProcessors = siteShares.find(({ site }) => site === index + 1)?.processors ?? 0;
    const freeProcessors = freeAfter[index]! + allocatedProcessors;
    const isCandidate = canJobUseSite(explainedJob, index);
    return {
      ...{
        site: index + 1,
        capacity,
        speed: speeds[index]!,
        free: freeProcessors,
        left: freeProcessors - processors,
        isCandidate,
      },
      isInPartition: isSiteInPartition(explainedJob, index),
      ...{
        fits: isCandidate && freeProcessors >= processors,
        isSafe: !unsafeSites.has(index),
        taken: allocatedProcessors,
      },
    };
  });
}

type DecisionDetails = Omit<StartDecision, 'time' | 'rule' | 'sites'>;

function decisionDetails(
  explainedJob: ExplainedJob,
  { details: detailEntries, started: startEntry }: RecordedJobWait,
  siteShares: readonly SiteShare[],
): DecisionDetails {
  const numbersOfEntry = (entryKind: RecordEntryKind) =>
    detailEntries.find((recordEntry) => recordEntry.kind === entryKind)?.numbers;
  const comparison = parseSiteComparison(explainedJob, detailEntries);
  const splits = parseSplitChoices(detailEntries);
  const distances = entriesOfKind(detailEntries, 'Distance').map((recordEntry) => ({
    site: recordEntry.numbers[0] + 1,
    distance: recordEntry.numbers[1],
  }));
  const turnarounds = numbersOfEntry('Turnarounds');
  const reclaimable = numbersOfEntry('Reclaimable');
  const beside = numbersOfEntry('Beside');
  const candidates = parsePlannedStartChoices(detailEntries, startEntry.time, siteShares);
  const trial = parseCandidateTrial(detailEntries, explainedJob.candidates);
  return {
    ...(comparison && { comparison }),
    ...(splits.length > 0 && { splits }),
    ...(distances.length > 0 && { distances }),
    ...(turnarounds && { turnarounds: parseTurnaroundsEntry(turnarounds) }),
    ...(reclaimable && { reclaimable: { free: reclaimable[1], fromOthers: reclaimable[2] } }),
    ...(beside &&
      siteShares.some(({ site }) => site === beside[4] + 1) && {
        beside: {
          head: explainedJob.names[beside[0]]!,
          end: beside[1],
          headStart: beside[2],
          beside: beside[3],
        },
      }),
    ...(candidates.length > 0 && { candidates }),
    ...(trial && { trial }),
  };
}

function parseCandidateTrial(
  detailEntries: readonly RecordEntry[],
  policies: ReadonlyMap<number, string>,
): CandidateTrial | undefined {
  const triedEntries = entriesOfKind(detailEntries, 'Tried').map(({ numbers: entryNumbers }) => entryNumbers);
  const [firstEntry] = triedEntries;
  if (firstEntry === undefined) return undefined;
  const time = firstEntry[4];
  return {
    time: time < 0 ? null : time,
    candidates: triedEntries.flatMap(([place, inForceFlag, score, prospect]) => {
      const policy = policies.get(place);
      return policy === undefined ? [] : [{ policy, score, prospect, isInForce: inForceFlag === 1 }];
    }),
  };
}

function parseTurnaroundsEntry([site, free, shrunk, wait, whole, threshold]: RecordEntry['numbers']) {
  return { site: site + 1, free, shrunk, whole, wait, threshold };
}

function parseSiteComparison(
  { configuration }: ExplainedJob,
  detailEntries: readonly RecordEntry[],
): SiteComparison | undefined {
  const numbersOfEntry = (entryKind: RecordEntryKind) =>
    detailEntries.find((recordEntry) => recordEntry.kind === entryKind)?.numbers;
  const nominatedSites = numbersOfEntry('Nominated');
  if (nominatedSites === undefined) return undefined;
  const [bestFit, fastestFirst] = nominatedSites;
  const { speeds } = configuration.grid;
  const situation = numbersOfEntry('Situation');
  const heterogeneity = numbersOfEntry('Heterogeneity');
  const loading = numbersOfEntry('Loading');
  const placed = numbersOfEntry('JobsPlaced');
  const capacity = numbersOfEntry('CapacityPlaced');
  return {
    bestFit: bestFit + 1,
    fastestFirst: fastestFirst + 1,
    ...(situation && { situation: situation[0] === 1 ? 'a' : 'b' }),
    ...(heterogeneity && { heterogeneity: { value: heterogeneity[0], threshold: heterogeneity[1] } }),
    ...(loading && {
      loading: {
        waiting: loading[0],
        free: loading[1],
        value: loading[0] / loading[1],
        threshold: loading[2],
      },
    }),
    ...(placed && { jobs: { bestFit: placed[0], fastestFirst: placed[1], score: placed[2] } }),
    ...(capacity && {
      capacity: {
        bestFit: capacity[0],
        fastestFirst: capacity[1],
        bestFitProduct: speeds[bestFit]! * capacity[0],
        fastestFirstProduct: speeds[fastestFirst]! * capacity[1],
      },
    }),
  };
}

function parseSplitChoices(detailEntries: readonly RecordEntry[]): SplitChoice[] {
  return detailEntries.flatMap(({ kind: entryKind, numbers: entryNumbers }, detailIndex) => {
    if (entryKind !== 'Split') return [];
    const [rule, slowestSpeed, jobsBehind] = entryNumbers;
    return [
      {
        rule: RUN_OPTIONS.multiSite.wordOf(rule) ?? '',
        sites: parseSiteShares(detailEntries, detailIndex),
        slowestSpeed,
        jobsBehind,
      },
    ];
  });
}

function parseSiteShares(detailEntries: readonly RecordEntry[], detailIndex: number): SiteShare[] {
  return readSiteSharesAfterEntry(detailEntries, detailIndex).map(({ site, processors }) => ({
    site: site + 1,
    processors,
  }));
}

function parsePlannedStartChoices(
  details: readonly RecordEntry[],
  start: number,
  taken: readonly SiteShare[],
): PlannedStartChoice[] {
  const candidates = details.flatMap(({ kind: detailKind, numbers }, detailIndex) => {
    if (detailKind !== 'Candidate') return [];
    const hasPlannedStart = Number.isFinite(numbers[1]);
    const sites = parseSiteShares(details, detailIndex);
    return [{ sites, start: hasPlannedStart ? numbers[0] : null, end: hasPlannedStart ? numbers[1] : null }];
  });
  const isAllocatedSet = (shares: readonly SiteShare[]) =>
    shares.length === taken.length &&
    shares.every((share, i) => share.site === taken[i]!.site && share.processors === taken[i]!.processors);
  // Sets of sites that leave some without a share come down to the same choice.
  const candidateTexts = candidates.map((candidate) => JSON.stringify(candidate));
  const distinctCandidates = candidates.filter(
    (_, place) => candidateTexts.indexOf(candidateTexts[place]!) === place,
  );
  const chosen = distinctCandidates.findIndex(
    (candidate) => candidate.start === start && isAllocatedSet(candidate.sites),
  );
  return distinctCandidates.map((candidate, place) => ({ ...candidate, isChosen: place === chosen }));
}

/** Rule that settled the decision. */
function findDecidingRule(
  explainedJob: ExplainedJob,
  waitPeriod: RecordedJobWait,
  siteStates: readonly SiteState[],
  details: DecisionDetails,
): DecidingRule {
  const { configuration, workload, job } = explainedJob;
  const processors = workload.processors[job]!;
  const heldProcessors = siteStates.reduce((sum, { taken }) => sum + taken, 0);
  if (configuration.moldable !== 'none') {
    if (heldProcessors < processors) return 'scaled-down';
    return heldProcessors > processors ? 'scaled-up' : 'moldable-fit';
  }
  if (isBackfillingDiscipline(configuration.discipline) && !isPolicyUsed(configuration))
    return findPlanningRule(details);
  const hasStoppedRuns = entriesOfKind(waitPeriod.events, 'Stopped').some(
    ({ time, numbers: entryNumbers }) => time === waitPeriod.started.time && entryNumbers[3] === job,
  );
  if (hasStoppedRuns) return 'reclaimed';
  if (!siteStates.some(({ fits }) => fits)) return 'split';
  const { comparison } = details;
  if (comparison !== undefined) return findComparisonRule(comparison, configuration.policy.declaration.name);
  return siteStates.filter(({ fits, isSafe }) => fits && isSafe).length === 1 ? 'only-site' : 'policy';
}

function findPlanningRule({ candidates, beside }: DecisionDetails): DecidingRule {
  if (candidates !== undefined) return 'planned';
  return beside === undefined ? 'room' : 'backfilled';
}

/** Rule of Shih et al. 2010 that decided. */
function findComparisonRule(
  { bestFit, fastestFirst, situation, heterogeneity, loading, jobs, capacity }: SiteComparison,
  policyText: string,
): DecidingRule {
  if (bestFit === fastestFirst) return 'agreed';
  if (jobs !== undefined) return 'jobs-placed';
  if (capacity !== undefined) return 'capacity-placed';
  if (policyText === 'si') return 'situation';
  if (policyText === 'ti') return situation === 'a' ? 'heterogeneity' : 'loading';
  if (heterogeneity === undefined) return 'speeds';
  const isHeterogeneityHigh = heterogeneity.value > heterogeneity.threshold;
  const isLoadingHigh = loading !== undefined && loading.waiting > loading.threshold * loading.free;
  return isHeterogeneityHigh === isLoadingHigh ? 'speeds' : 'thresholds';
}

/** Starts, ends and releases of all jobs, in seconds; a release is `releaseDelay` after the end. */
function makeRunTimes(start: Float64Array, execution: Float64Array, releaseDelay: number): RunTimesByJob {
  const end = start.map((time, job) => time + execution[job]!);
  return { start, end, release: end.map((time) => time + releaseDelay) };
}
