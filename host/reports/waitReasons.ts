/** Explanation of a job's wait as terminal text: a timeline of events and a chart of free processors. */
import { sampleStepFunction } from '../draw/timeline.js';
import type {
  ComparedPriority,
  Explanation,
  JobPriority,
  Reservation,
  SiteChange,
  WaitPeriod,
} from '../explain/explanation.js';
import { formatCount, formatDistinctDurations, formatFullDuration, formatNumber } from '../format/numbers.js';
import { firstElement, groupBy, lastElement } from '../lists.js';
import { isBackfillingDiscipline } from '../options/configuration.js';
import type { Table } from '../view/table.js';
import { formatTableForTerminal, type TerminalColors, wrapText } from '../view/terminal.js';
import {
  explainTimeFormat,
  formatDecision,
  formatLogTime,
  formatSiteNames,
  isSingleSiteMachine,
  makeSiteSuffixOfWait,
  makeTitleOfDecision,
} from './decisionReasons.js';
import { describeWaitByCause, SCHEDULING_PASS_NAMES } from './waitSentences.js';

/** Event in the timeline of a wait. */
export interface WaitTimelineEvent {
  readonly time: number;
  readonly text: string;
  /** Change of a site's free processors, if the event is one. */
  readonly change?: SiteChange;
}

/** Event with its order among events of the same instant. */
type WaitTimelineEventWithOrder = WaitTimelineEvent & { readonly order: number };

/** Sort keys within an instant: the arrival first, results of the last pass after all changes, the start last. */
const SORT_KEY_OF_ARRIVAL = -1;
const SORT_KEY_AFTER_CHANGES = Number.MAX_VALUE;
const SORT_KEY_OF_START = Number.POSITIVE_INFINITY;

/** Largest number of events of one kind in the timeline. */
const MAX_TIMELINE_EVENTS_PER_KIND = 5;
const MAX_TIMELINE_RESERVATIONS = 6;
const MAX_TIMELINE_CHANGES = 10;

/** Events of a wait in chronological order. */
export function makeWaitTimeline(explanation: Explanation, waitPeriod: WaitPeriod): WaitTimelineEvent[] {
  const events = [
    makeArrivalEvent(waitPeriod),
    ...makePriorityEvents(waitPeriod),
    ...makeBlockedHeadEvents(waitPeriod),
    ...makeLimitEvents(waitPeriod),
    ...makeOutageEvents(waitPeriod),
    ...makeBecameHeadEvents(waitPeriod),
    ...makeProcessorChangeEvents(waitPeriod),
    ...makePlanEvents(waitPeriod),
    ...makeRoomBeforePassEvents(waitPeriod),
    makeStartEvent(explanation, waitPeriod),
  ];
  const sortedEvents = events.sort(
    (a, b) => a.time - b.time || (a.order < b.order ? -1 : Number(a.order > b.order)),
  );
  return sortedEvents.map(({ order: _, ...event }) => event);
}

function makeArrivalEvent({
  from,
  queue,
  stopped,
  free: freeProcessors,
}: WaitPeriod): WaitTimelineEventWithOrder {
  const arrivalVerb = stopped === undefined ? 'submitted' : 'back in its queue to start over';
  const total = freeProcessors.sites.reduce((sum, site) => sum + firstElement(site), 0);
  const queueText = queue.jobs === 0 ? 'the queue is empty' : `${formatCount(queue.jobs, 'job')} ahead`;
  return {
    order: SORT_KEY_OF_ARRIVAL,
    time: from,
    text: `${arrivalVerb}; ${queueText}, ${formatCount(total, 'processor')} free`,
  };
}

/** Longest-lasting events in order, with the others summarized in one line. */
function summarizeAllButLongestEvents(
  candidates: readonly (WaitTimelineEventWithOrder & { readonly length: number })[],
  describeOmittedEvents: (count: number, length: number) => string,
  omittedEventNoun = 'job',
): WaitTimelineEventWithOrder[] {
  const longestEvents = [...candidates]
    .sort((a, b) => b.length - a.length)
    .slice(0, MAX_TIMELINE_EVENTS_PER_KIND);
  const events = longestEvents.map(({ length: _, ...line }): WaitTimelineEventWithOrder => line);
  const omittedEvents = candidates.filter((timelineEvent) => !longestEvents.includes(timelineEvent));
  if (omittedEvents.length === 0) return events;
  const { order, time } = firstElement(omittedEvents);
  const total = omittedEvents.reduce((sum, { length }) => sum + length, 0);
  const omittedText = `from here on, ${formatCount(omittedEvents.length, `other ${omittedEventNoun}`)} ${describeOmittedEvents(omittedEvents.length, total)}`;
  return [...events, { order, time, text: omittedText }];
}

/** Timeline entries on the jobs that blocked the job as queue heads without room: how long, and what they lacked. */
function makeBlockedHeadEvents({ blocked: blockedJobs, until }: WaitPeriod): WaitTimelineEventWithOrder[] {
  const lines = blockedJobs.map(({ order, job, from, until: end, lacked, processors }) => {
    const endNote = end < until ? '' : ', to the end of the wait';
    const blockedHeadText =
      `job ${job} blocks for ${formatFullDuration(end - from)}${endNote}: ` +
      `it lacks ${formatNumber(lacked)} of ${formatCount(processors, 'processor')}`;
    return { order, time: from, length: end - from, text: blockedHeadText };
  });
  const linesOfOtherJobs = lines.filter(({ length }, i) => !blockedJobs[i]!.isItself && length > 0);
  return summarizeAllButLongestEvents(
    linesOfOtherJobs,
    (count, length) => `${count === 1 ? 'blocks' : 'block'}, for ${formatFullDuration(length)} in total`,
  );
}

/** Events for the priorities of the job and of the first job ahead, at its submission and at its start. */
function makePriorityEvents({ priorities }: WaitPeriod): WaitTimelineEventWithOrder[] {
  if (priorities === undefined) return [];
  const orders = [SORT_KEY_OF_ARRIVAL, SORT_KEY_AFTER_CHANGES];
  const events = priorities.map((comparison, priorityIndex) => ({
    order: orders[priorityIndex]!,
    time: comparison.time,
    text: comparePrioritiesInWords(comparison),
  }));
  return priorities[0].time === priorities[1].time ? events.slice(1) : events;
}

function comparePrioritiesInWords({ own, ahead }: ComparedPriority): string {
  const jobAheadText =
    ahead === undefined
      ? 'no waiting job has more'
      : `job ${ahead.job} is first with ${formatPriorityPoints(ahead)}${describeDecisiveFactor(own, ahead)}`;
  return `its priority is ${formatPriorityPoints(own)}; ${jobAheadText}`;
}

function formatPriorityPoints({ total, factors }: JobPriority): string {
  const factorTexts = factors.map(({ name: factorName, points }) => {
    const pointsInTenths = Math.round(10 * points);
    return `${factorName} ${formatNumber(pointsInTenths / 10, pointsInTenths % 10 === 0 ? 0 : 1)}`;
  });
  return `${formatNumber(total)} (${factorTexts.join(', ')})`;
}

/** Name of the factor that contributes most to the lead of the job ahead; empty for equal priorities. */
function describeDecisiveFactor(ownPriority: JobPriority, ahead: JobPriority): string {
  if (ownPriority.total === ahead.total) return ', submitted earlier';
  const leadsByFactor = ahead.factors.map(({ name: factorName, points }, factorIndex) => ({
    name: factorName,
    gain: points - ownPriority.factors[factorIndex]!.points,
  }));
  const decisiveFactor = leadsByFactor.reduce((best, candidate) =>
    candidate.gain > best.gain ? candidate : best,
  );
  return `, most by ${decisiveFactor.name}`;
}

/** Events for the limits that held the job back. */
function makeLimitEvents({ held, until }: WaitPeriod): WaitTimelineEventWithOrder[] {
  const lines = held.map(({ order, from, until: end, by, of, used, most }) => {
    const endNote = end < until ? '' : ', to the end of the wait';
    const usedAmountText = of === 'jobs' ? formatCount(used, 'job') : formatCount(used, 'processor');
    const limitText =
      `a limit holds it back for ${formatFullDuration(end - from)}${endNote}: the running jobs of its ${by} ` +
      `have ${usedAmountText}, the limit is ${formatNumber(most)}`;
    return { order, time: from, length: end - from, text: limitText };
  });
  return summarizeAllButLongestEvents(
    lines.filter(({ length }) => length > 0),
    (count, length) => `${count === 1 ? 'lasts' : 'last'} ${formatFullDuration(length)} in total`,
    'limit period',
  );
}

/** Events for outages that took processors or returned them. */
function makeOutageEvents({ capacity }: WaitPeriod): WaitTimelineEventWithOrder[] {
  const lines = capacity.map(({ order, time, site, processors }) => {
    const processorText = formatCount(Math.abs(processors), 'processor');
    const outageText =
      processors < 0
        ? `an outage takes ${processorText} of site ${site}`
        : `${processorText} of site ${site} ${processors === 1 ? 'comes' : 'come'} back after an outage`;
    return { order, time, length: Math.abs(processors), text: outageText };
  });
  return summarizeAllButLongestEvents(lines, () => 'of outages', 'change');
}

function makeBecameHeadEvents({ blocked, headSince, from, until }: WaitPeriod): WaitTimelineEventWithOrder[] {
  if (headSince === undefined || headSince >= until) return [];
  const lastBlock = blocked.findLast(({ isItself }) => isItself);
  if (lastBlock === undefined) return [];
  const becameHeadPhrase = headSince > from ? 'it is now the head and' : 'it is the head and';
  return [
    {
      order: lastBlock.from === headSince ? lastBlock.order : SORT_KEY_OF_ARRIVAL,
      time: headSince,
      text: `${becameHeadPhrase} lacks ${formatNumber(lastBlock.lacked)} of ${formatCount(lastBlock.processors, 'processor')}`,
    },
  ];
}

function describeReservationCauses({ causes, by, isMoved }: Reservation): string {
  if (by === 'policy') return ', because the policy made it wait';
  if (by !== undefined && 'cancellation' in by) return `, since job ${by.cancellation} was cancelled`;
  if (by !== undefined && 'capacity' in by) return `, since an outage of site ${by.capacity} began or ended`;
  if (by !== undefined && 'start' in by) {
    return `, since job ${by.start} started on another site than was reserved for it`;
  }
  if (by !== undefined) {
    const [unexpectedEnd] = causes;
    const earlinessText =
      unexpectedEnd?.end === undefined
        ? ''
        : ` ${formatFullDuration(unexpectedEnd.predictedEnd - unexpectedEnd.end)} earlier than predicted`;
    return `, since job ${by.end} ended${earlinessText}`;
  }
  const [unexpectedEnd] = causes;
  if (unexpectedEnd === undefined) return isMoved ? ', since others ran beyond their predicted ends' : '';
  const { job, predictedEnd, end } = unexpectedEnd;
  const otherCausesText = causes.length > 1 ? ` and ${formatCount(causes.length - 1, 'other')}` : '';
  if (end === undefined) return `, since job ${job}${otherCausesText} ran beyond its predicted end`;
  const earlyEndText = `ended ${formatFullDuration(predictedEnd - end)} earlier than predicted`;
  return `, since everything was replanned when job ${job} ${earlyEndText}${otherCausesText === '' ? '' : `,${otherCausesText} early too`}`;
}

/** Text on repeated passes with the same result: their number, and since when. */
const describeRepeatedPasses = (passCount: number, from: number) =>
  passCount > 1 ? ` (${formatNumber(passCount)} times since ${formatLogTime(from)})` : '';

/** Events of the job's own reservation: the first one and the latest changes. */
function makeOwnReservationEvents(waitPeriod: WaitPeriod): WaitTimelineEventWithOrder[] {
  const reservations = waitPeriod.reservations.filter(({ isItself }) => isItself);
  const shownReservations = reservations.filter(
    (_, index) => index === 0 || index > reservations.length - MAX_TIMELINE_RESERVATIONS,
  );
  const lines = shownReservations.map((reservation) => {
    const { order, from, start, sites } = reservation;
    const reservationIndex = reservations.indexOf(reservation);
    const earlier = reservations[reservationIndex - 1];
    const plannedStartText = `to start at ${formatLogTime(start)}${makeSiteSuffixOfWait(waitPeriod, sites)}`;
    if (earlier === undefined)
      return { order, time: from, text: `a reservation is made for it, ${plannedStartText}` };
    const shift = start - earlier.start;
    const startShiftText = `gets ${formatFullDuration(Math.abs(shift))} ${shift < 0 ? 'earlier' : 'later'}`;
    const placeChangeText = reservation.isMoved ? 'loses its place' : 'has a place again';
    const isEqual = reservation.isMoved === earlier.isMoved;
    const reservationChangesText = [
      ...(isEqual ? [] : [placeChangeText]),
      ...(shift === 0 ? [] : [startShiftText]),
    ].join(' and ');
    const reservationText = `its reservation ${reservationChangesText || 'moves'}, ${plannedStartText}${describeReservationCauses(reservation)}`;
    return { order, time: from, text: reservationText };
  });
  const omittedReservationCount = reservations.length - shownReservations.length;
  if (omittedReservationCount > 0) {
    lines.splice(1, 0, {
      order: reservations[1]!.order,
      time: reservations[1]!.from,
      text: `its reservation changes ${omittedReservationCount === 1 ? 'once more' : `${formatNumber(omittedReservationCount)} more times`}`,
    });
  }
  return lines;
}

/** Events for other jobs with earlier reservations, each once, with first and last planned start. */
function makeOtherReservationEvents(waitPeriod: WaitPeriod): WaitTimelineEventWithOrder[] {
  const otherReservations = waitPeriod.reservations.filter(({ isItself }) => !isItself);
  const lines = [...groupBy(otherReservations, ({ job }) => job).values()].map((reservationsOfJob) => {
    const [first, last] = [firstElement(reservationsOfJob), lastElement(reservationsOfJob)];
    const finalStartText = last.start === first.start ? '' : `, finally at ${formatLogTime(last.start)}`;
    const reservationText = `job ${first.job} holds the reservation, to start at ${formatLogTime(first.start)}${makeSiteSuffixOfWait(waitPeriod, first.sites)}${finalStartText}`;
    return { order: first.order, time: first.from, length: last.until - first.from, text: reservationText };
  });
  return summarizeAllButLongestEvents(lines, (count) =>
    count === 1 ? 'holds the reservation for a time' : 'hold the reservation in turn',
  );
}

function makePlanEvents(waitPeriod: WaitPeriod): WaitTimelineEventWithOrder[] {
  const { planned, delays, deferred } = waitPeriod;
  const events = [...makeOwnReservationEvents(waitPeriod), ...makeOtherReservationEvents(waitPeriod)];
  for (const { order, time, head, passes: passCount, until, end, headStart, beside } of delays.slice(-3)) {
    events.push({
      order: until === time ? order : SORT_KEY_AFTER_CHANGES,
      time: until,
      text:
        `it has room but would delay job ${head}: by its estimate it would end at ${formatLogTime(end)}, after ` +
        `${formatLogTime(headStart)}, and it needs more than the ${formatNumber(beside)} left beside that job${describeRepeatedPasses(passCount, time)}`,
    });
  }
  if (planned !== undefined) {
    events.push({
      order: SORT_KEY_AFTER_CHANGES,
      time: planned.until,
      text: `it cannot be backfilled and is planned from ${formatLogTime(planned.start)} on${describeRepeatedPasses(planned.passes, planned.from)}`,
    });
  }
  const [firstDeferral] = deferred;
  if (firstDeferral !== undefined) {
    const repetitionText = deferred.length > 1 ? `; the same in ${formatNumber(deferred.length)} passes` : '';
    events.push({
      order: firstDeferral.order,
      time: firstDeferral.time,
      text:
        `on the ${formatCount(firstDeferral.free, 'free processor')}${isSingleSiteMachine(waitPeriod) ? '' : ` of site ${firstDeferral.site}`} it would be done in ` +
        `${formatFullDuration(firstDeferral.shrunk)}, after waiting in ${formatFullDuration(firstDeferral.whole)} by the estimates: it waits${repetitionText}`,
    });
  }
  return events;
}

/**
 * Event at the time from which enough processors were free although no pass came; empty if there was none.
 */
function makeRoomBeforePassEvents({ pass, until }: WaitPeriod): WaitTimelineEventWithOrder[] {
  if (pass?.roomSince === undefined) return [];
  const jobFitsText = `it fits from here on, and waits for the ${SCHEDULING_PASS_NAMES[pass.kind]} at ${formatLogTime(until)}`;
  return [{ order: SORT_KEY_AFTER_CHANGES, time: pass.roomSince, text: jobFitsText }];
}

const PROCESSOR_CHANGE_VERBS = { end: 'ends', stop: 'is stopped', start: 'starts' };

function describeProcessorChange(
  waitPeriod: WaitPeriod,
  { kind: changeKind, job, site, processors, free: freeProcessors, predictedEnd, time, end }: SiteChange,
): string {
  const endTime = end ?? time;
  const earlinessText =
    predictedEnd === undefined || predictedEnd === endTime
      ? ''
      : `, ${formatFullDuration(Math.abs(predictedEnd - endTime))} ${predictedEnd > endTime ? 'earlier' : 'later'} than predicted`;
  const changeText =
    end === undefined
      ? ` ${PROCESSOR_CHANGE_VERBS[changeKind]}`
      : `, which ended at ${formatLogTime(end)}${earlinessText}, frees its processors`;
  const [on, there] = isSingleSiteMachine(waitPeriod) ? ['', ''] : [` on site ${site}`, ' there'];
  const freeProcessorsText = `${formatCount(processors, 'processor')}, ${formatNumber(freeProcessors)} free${there}`;
  return `job ${job}${changeText}${on}: ${freeProcessorsText}${end === undefined ? earlinessText : ''}`;
}

/** Events of released and taken processors: the latest ones, with the others summarized in one line. */
function makeProcessorChangeEvents(waitPeriod: WaitPeriod): WaitTimelineEventWithOrder[] {
  const { changes } = waitPeriod;
  const shownChanges = changes.slice(-MAX_TIMELINE_CHANGES);
  const omittedChanges = changes.slice(0, -MAX_TIMELINE_CHANGES);
  const lines = shownChanges.map((change) => ({
    ...{ order: change.order, time: change.time },
    ...{ text: describeProcessorChange(waitPeriod, change), change },
  }));
  if (omittedChanges.length === 0) return lines;
  const starts = omittedChanges.filter(({ kind: omittedChangeKind }) => omittedChangeKind === 'start');
  const omittedEndChanges = omittedChanges.filter(
    ({ kind: omittedChangeKind }) => omittedChangeKind !== 'start',
  );
  const summarizeChanges = (
    group: readonly SiteChange[],
    singularAndPlural: readonly [string, string],
    processorsVerb: string,
  ) => {
    const processors = group.reduce((sum, change) => sum + change.processors, 0);
    return group.length === 0
      ? []
      : [
          `${formatCount(group.length, ...singularAndPlural)} (${formatCount(processors, 'processor')} ${processorsVerb})`,
        ];
  };
  const startPhraseForms =
    omittedEndChanges.length > 0
      ? (['starts', 'start'] as const)
      : (['more job starts', 'more jobs start'] as const);
  const changePhrases = [
    ...summarizeChanges(omittedEndChanges, ['more job ends', 'more jobs end'], 'freed'),
    ...summarizeChanges(starts, startPhraseForms, 'taken'),
  ];
  const { order, time } = firstElement(omittedChanges);
  return [{ order, time, text: `meanwhile ${changePhrases.join(' and ')}` }, ...lines];
}

function makeStartEvent(
  { waits, cancelled }: Explanation,
  waitPeriod: WaitPeriod,
): WaitTimelineEventWithOrder {
  const { from, until, sites, reservations } = waitPeriod;
  if (cancelled === 'waiting')
    return {
      order: SORT_KEY_OF_START,
      time: until,
      text: `cancelled after waiting ${formatFullDuration(until - from)}`,
    };
  const againText = waitPeriod === waits[0] ? '' : ' again';
  const lastReservation = reservations.findLast(({ isItself }) => isItself);
  const earlinessText =
    lastReservation === undefined || lastReservation.start <= until
      ? ''
      : `, ${formatFullDuration(lastReservation.start - until)} before its reservation`;
  return {
    order: SORT_KEY_OF_START,
    time: until,
    text: `it starts${againText}${makeSiteSuffixOfWait(waitPeriod, sites)}${earlinessText}`,
  };
}

const QUEUE_KIND_WORDS: Readonly<Record<string, string>> = {
  shared: 'one queue for the grid',
  'per-home': 'one queue per home site',
  independent: 'every site alone',
};

/** Two lines: the outcome of the job, and the scheduling rules. */
export function formatExplanationHeadline(
  {
    job,
    names = {},
    processors,
    home,
    hasHomes,
    submit,
    precedingJob,
    start,
    end,
    wait,
    killed,
    endedByOutage,
    cancelled,
    sites,
    rules,
    waits,
  }: Explanation,
  colors: TerminalColors,
) {
  const allocated = sites.reduce((sum, siteShare) => sum + siteShare.processors, 0);
  const allocationNote = allocated === processors ? '' : ` on ${formatNumber(allocated)} of them`;
  const orderPhrase = rules.order === 'submit' ? '' : ` in the order ${rules.order}`;
  const chosenBy = rules.chosenBy === undefined ? '' : `, chosen by ${rules.chosenBy.replace(/\[.*/, '')}`;
  const ending = endedByOutage
    ? ' and was stopped by an outage'
    : cancelled === 'running'
      ? ' and was cancelled'
      : killed
        ? ' and was killed at its requested time'
        : '';
  const runText =
    cancelled === 'waiting' ? 'the job never ran' : `the job ran ${formatFullDuration(end - start)}${ending}`;
  const dependencyText = precedingJob === undefined ? '' : ` after job ${precedingJob.job}`;
  // In Slurm logs, queue and partition are the same.
  const namedJobFields = Object.entries(names).filter(
    ([field, name]) => field !== 'queue' || name !== names.partition,
  );
  const jobNameTexts = namedJobFields.map(([field, name]) => `${field} ${name}`);
  const jobNamesLine = jobNameTexts.length === 0 ? '' : `\n${jobNameTexts.join(', ')}`;
  const hasSeveralSitesToChoose = firstElement(waits).decision.sites.length > 1;
  const homeText = hasSeveralSitesToChoose && hasHomes ? `, home site ${home}` : '';
  const sitesText = (hasSeveralSitesToChoose ? ` on ${formatSiteNames(sites)}` : '') + allocationNote;
  const reservationsText = rules.reservations === 'kept' ? ', reservations kept' : '';
  const placementText = hasSeveralSitesToChoose ? `, ${QUEUE_KIND_WORDS[rules.queue]}, ${rules.method}` : '';
  const outcomeVerb = cancelled === 'waiting' ? 'cancelled' : 'started';
  const outcomePlace = cancelled === 'waiting' ? '' : sitesText;
  const waitedText = wait > 0 ? `waited ${formatFullDuration(wait)}` : 'did not wait';
  return (
    `${colors.bold(`job ${job}`)}: ${formatCount(processors, 'processor')}${homeText}, ` +
    `submitted at ${formatLogTime(submit)}${dependencyText}, ${outcomeVerb} at ${formatLogTime(start)}${outcomePlace}, ${waitedText}\n` +
    colors.dim(
      `${rules.discipline}${orderPhrase}${reservationsText}${placementText}${chosenBy}; ${runText}; ${explainTimeFormat()}${jobNamesLine}`,
    )
  );
}

function makeTitleOfWait({ from, until, stopped }: WaitPeriod): string {
  if (stopped !== undefined)
    return `Why it waited again, stopped at ${formatLogTime(from)} on site ${stopped.site} ${stopped.for === undefined ? 'by an outage' : `for job ${stopped.for}`}`;
  return until > from ? 'Why it waited' : 'It did not wait';
}

/** Table of the events during a wait, in chronological order. */
export function makeWaitEventTable(explanation: Explanation, wait: WaitPeriod): Table {
  const { rules, submit } = explanation;
  const events = makeWaitTimeline(explanation, wait);
  const elapsedTexts = formatDistinctDurations(events.map(({ time }) => time - submit));
  const rows = events.map(({ time, text }, row) => [formatLogTime(time), `+${elapsedTexts[row]!}`, text]);
  return {
    id: 'events',
    title: makeTitleOfWait(wait),
    caption:
      wait.until > wait.from ? describeWaitByCause(wait, isBackfillingDiscipline(rules.discipline)) : '',
    columns: [
      { title: 'time', align: 'right' },
      { title: 'since submit', align: 'right' },
      { title: 'what happened' },
    ],
    rows,
  };
}

function formatWaitExplanation(
  explanation: Explanation,
  wait: WaitPeriod,
  colors: TerminalColors,
  width: number,
): string[] {
  const { title: tableTitle, caption, ...table } = makeWaitEventTable(explanation, wait);
  return [
    colors.bold(tableTitle) + (caption === '' ? '' : `\n${wrapText(caption, width)}`),
    formatTableForTerminal({ ...table, title: '', caption: '' }, colors, width),
    ...(wait.until > wait.from ? [drawFreeProcessorsChart(explanation, wait, colors, width)] : []),
    `${colors.bold(makeTitleOfDecision(wait))}\n${formatDecision(explanation, wait, colors, width)}`,
  ];
}

/** Messages on events that did not fit in the record; empty if none are missing. */
export const describeMissingEvents = ({ lost }: Explanation): string[] =>
  lost > 0 ? [`${formatCount(lost, 'event')} of its wait were not recorded; this list is incomplete.`] : [];

/** Complete explanation of a job as terminal text, about `width` characters wide. */
export function formatExplanation(explanation: Explanation, colors: TerminalColors, width: number): string {
  const headlineLines = formatExplanationHeadline(explanation, colors).split('\n');
  return [
    headlineLines.map((line) => wrapText(line, width)).join('\n'),
    ...describeMissingEvents(explanation),
    ...explanation.waits.flatMap((wait) => formatWaitExplanation(explanation, wait, colors, width)),
  ].join('\n\n');
}

// Chart of free processors during a wait, for terminals

/** Block characters from empty to full, for heights in eighths. */
const CHART_LEVEL_CHARACTERS = ' \u2581\u2582\u2583\u2584\u2585\u2586\u2587\u2588';
/** Largest number of sites in the chart; with more, the job's own sites and the first others. */
const MAX_CHART_SITES = 12;
const MIN_CHART_WIDTH = 16;

/** Characters for the job's state in the chart: behind the head of the queue, or at its head. */
const BEHIND_OTHERS_CHARACTER = '\u00b7';
const HEAD_OF_QUEUE_CHARACTER = '\u2592';

/** Indices of the sites in the chart. */
export function selectChartSites({ decision }: WaitPeriod): number[] {
  const order = decision.sites.map((_, site) => site);
  const sitesWithTakenProcessors = order.filter((site) => decision.sites[site]!.taken > 0);
  return [...new Set([...sitesWithTakenProcessors, ...order])]
    .slice(0, MAX_CHART_SITES)
    .sort((a, b) => a - b);
}

/** Chart with one line per site (share of free processors) and one for the job. */
function drawFreeProcessorsChart(
  explanation: Explanation,
  waitPeriod: WaitPeriod,
  colors: TerminalColors,
  width: number,
): string {
  const { from, until, headSince, free, decision, reservations } = waitPeriod;
  const sites = selectChartSites(waitPeriod);
  const labels = sites.map((site) => {
    const siteCapacityText = formatNumber(decision.sites[site]!.capacity);
    return isSingleSiteMachine(waitPeriod)
      ? `of ${siteCapacityText}`
      : `site ${site + 1}, ${siteCapacityText}`;
  });
  const jobLabel = `job ${explanation.job}`;
  const labelWidth = Math.max(jobLabel.length, ...labels.map((label) => label.length)) + 2;
  const columns = Math.max(MIN_CHART_WIDTH, width - labelWidth);
  const lines = sites.map((site, rowIndex) => {
    const stepFunction = { time: Float64Array.from(free.time), value: Float64Array.from(free.sites[site]!) };
    const { capacity, isCandidate } = decision.sites[site]!;
    const cells = sampleStepFunction(stepFunction, { from, to: until }, columns).map(({ y, high }) => {
      const cellText = CHART_LEVEL_CHARACTERS[Math.min(8, Math.ceil((y / capacity) * 8 - 1e-9))];
      return isCandidate && high >= explanation.processors ? colors.green(cellText) : colors.dim(cellText);
    });
    return labels[rowIndex]!.padEnd(labelWidth) + cells.join('');
  });
  const reservedSince = reservations.find(({ isItself }) => isItself)?.from;
  const behindOthersUntil = headSince ?? reservedSince ?? until;
  const behindOthersWidth = Math.round(((behindOthersUntil - from) / (until - from)) * columns);
  const queueStateMarks =
    BEHIND_OTHERS_CHARACTER.repeat(behindOthersWidth) +
    HEAD_OF_QUEUE_CHARACTER.repeat(columns - behindOthersWidth);
  const end = `+${formatFullDuration(until - explanation.submit)}`;
  const begin = `+${formatFullDuration(from - explanation.submit)}`;
  const hidden = decision.sites.length - sites.length;
  const more = hidden > 0 ? ` (${hidden} more sites are not shown)` : '';
  const headStatePhrase = headSince === undefined ? 'with a reservation' : 'the head without room';
  const chartLegendText = `${BEHIND_OTHERS_CHARACTER} behind others${behindOthersUntil < until ? `, ${HEAD_OF_QUEUE_CHARACTER} ${headStatePhrase}` : ''}`;
  return [
    wrapText(
      `${colors.bold('Free processors')} ${colors.dim(`${isSingleSiteMachine(waitPeriod) ? '' : 'of each site '}while it waited; ${chartLegendText}${more}`)}`,
      width,
    ),
    ...lines,
    jobLabel.padEnd(labelWidth) + queueStateMarks,
    ' '.repeat(labelWidth) + begin + end.padStart(Math.max(end.length + 1, columns - begin.length)),
  ].join('\n');
}
