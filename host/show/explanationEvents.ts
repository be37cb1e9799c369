/** What happened during a wait, as lines with a time: what matters most, however long the wait. */

import type { BlockedJob, Explanation, Reservation, SiteChange, Wait } from '../explain/explanation.js';
import { countOf, formatDuration, formatNumber } from '../format/numbers.js';
import { firstOf, lastOf } from '../lists.js';
import { clockText, sitesText } from './explanationRules.js';

/** A line of the account. */
export interface WaitEvent {
  readonly time: number;
  readonly text: string;
  /** What it tells of a site. */
  readonly change?: SiteChange;
}

/** A line, and its place among those of its instant. */
type Placed = WaitEvent & { readonly order: number };

/** The order of what stood when the wait began, and of what is told at its end. */
const FIRST = -1;
const LAST = Number.POSITIVE_INFINITY;

/** How many lines of one kind are shown. */
const MOST_BLOCKERS = 5;
const MOST_RESERVATIONS = 6;
const MOST_CHANGES = 10;

/** The events in the order in which they happened, at one instant too. */
export function waitEvents(explanation: Explanation, wait: Wait): WaitEvent[] {
  const events = [
    arrival(wait),
    ...blockers(wait),
    ...headEvents(wait),
    ...changeEvents(wait),
    ...plans(wait),
    start(explanation, wait),
  ];
  const placed = events.sort(
    (a, b) => a.time - b.time || (a.order < b.order ? -1 : Number(a.order > b.order)),
  );
  return placed.map(({ order: _, ...event }) => event);
}

function arrival({ from, queue, stopped, free }: Wait): Placed {
  const came = stopped === undefined ? 'it is submitted' : 'it is back in its queue and will start over';
  const total = free.sites.reduce((sum, site) => sum + firstOf(site), 0);
  const before = queue.jobs === 0 ? 'the queue is empty' : `${countOf(queue.jobs, 'job')} before it`;
  return { order: FIRST, time: from, text: `${came}: ${before}, ${countOf(total, 'processor')} free` };
}

/** The heads that blocked longest, in order, and the rest in one line. */
function blockers({ blocked, until }: Wait): Placed[] {
  const length = (job: BlockedJob) => job.until - job.from;
  const others = blocked.filter((job) => !job.isItself && length(job) > 0);
  const shown = [...others].sort((a, b) => length(b) - length(a)).slice(0, MOST_BLOCKERS);
  const rest = others.filter((job) => !shown.includes(job));
  const lines = shown.map((job) => {
    const end = job.until < until ? '' : ', to the end of the wait';
    return {
      order: job.order,
      time: job.from,
      text:
        `job ${job.job} blocks for ${formatDuration(length(job))}${end}: ` +
        `it lacks ${formatNumber(job.lacked)} of ${countOf(job.processors, 'processor')}`,
    };
  });
  if (rest.length === 0) return lines;
  const total = formatDuration(rest.reduce((sum, job) => sum + length(job), 0));
  return [
    ...lines,
    {
      order: firstOf(rest).order,
      time: firstOf(rest).from,
      text: `${countOf(rest.length, 'more job')} from here on blocked for ${total} together`,
    },
  ];
}

function headEvents({ blocked, headSince, from, until }: Wait): Placed[] {
  if (headSince === undefined || headSince >= until) return [];
  const own = blocked.findLast(({ isItself }) => isItself);
  if (own === undefined) return [];
  const now = headSince > from ? 'it is the head now and' : 'it is the head and';
  return [
    {
      order: own.from === headSince ? own.order : FIRST,
      time: headSince,
      text: `${now} lacks ${formatNumber(own.lacked)} of ${countOf(own.processors, 'processor')}`,
    },
  ];
}

function causesText({ causes, by, isMoved }: Reservation): string {
  if (by === 'policy') return ', since its policy has it wait';
  if (by !== undefined && 'start' in by) {
    return `, since job ${by.start} started on another site than was reserved for it`;
  }
  if (by !== undefined) {
    const [cause] = causes;
    const early =
      cause?.end === undefined
        ? ''
        : `, ${formatDuration(cause.predictedEnd - cause.end)} before its prediction`;
    return `, since job ${by.end} ended${early}`;
  }
  const [cause] = causes;
  if (cause === undefined) return isMoved ? ', since others ran beyond their predicted ends' : '';
  const { job, predictedEnd, end } = cause;
  const others = causes.length > 1 ? ` and ${countOf(causes.length - 1, 'other')}` : '';
  if (end === undefined) return `, since job ${job}${others} ran beyond its predicted end`;
  const early = `ended ${formatDuration(predictedEnd - end)} before its prediction`;
  return `, since everything was replanned when job ${job} ${early}${others === '' ? '' : `,${others} early too`}`;
}

/** The first reservation and the latest changes of it. */
function ownReservations(own: readonly Reservation[]): Placed[] {
  const shown = own.filter((_, place) => place === 0 || place > own.length - MOST_RESERVATIONS);
  const lines = shown.map((reservation) => {
    const { order, from, start, sites } = reservation;
    const place = own.indexOf(reservation);
    const before = own[place - 1];
    const on = `to start at ${clockText(start)} on ${sitesText(sites)}`;
    if (before === undefined) return { order, time: from, text: `a reservation is made for it, ${on}` };
    const shift = start - before.start;
    const later = `gets ${formatDuration(Math.abs(shift))} ${shift < 0 ? 'earlier' : 'later'}`;
    const standing = reservation.isMoved ? 'loses its place' : 'has a place again';
    const isSame = reservation.isMoved === before.isMoved;
    const changes = [...(isSame ? [] : [standing]), ...(shift === 0 ? [] : [later])].join(' and ');
    const text = `its reservation ${changes || 'moves'}, ${on}${causesText(reservation)}`;
    return { order, time: from, text };
  });
  const left = own.length - shown.length;
  if (left > 0) {
    lines.splice(1, 0, {
      order: own[1]!.order,
      time: own[1]!.from,
      text: `its reservation changes ${countOf(left, 'time')} more from here on`,
    });
  }
  return lines;
}

/** Whose reservation stood before it: each job once, with the first and the last start that was planned. */
function otherReservations(others: readonly Reservation[]): Placed[] {
  const jobs = [...new Set(others.map(({ job }) => job))];
  const lines = jobs.map((job) => {
    const made = others.filter((each) => each.job === job);
    const [first, last] = [firstOf(made), lastOf(made)];
    const moved = last.start === first.start ? '' : `, at last at ${clockText(last.start)}`;
    return {
      order: first.order,
      time: first.from,
      length: last.until - first.from,
      text: `job ${first.job} holds the reservation, to start at ${clockText(first.start)} on ${sitesText(first.sites)}${moved}`,
    };
  });
  const shown = [...lines].sort((a, b) => b.length - a.length).slice(0, MOST_BLOCKERS);
  const events = shown.map(({ length: _, ...line }): Placed => line);
  const rest = lines.filter((line) => !shown.includes(line));
  if (rest.length > 0) {
    events.push({
      order: firstOf(rest).order,
      time: firstOf(rest).time,
      text: `${countOf(rest.length, 'more job')} held the reservation from here on`,
    });
  }
  return events;
}

function plans({ reservations, planned, delays, deferred, until, from }: Wait): Placed[] {
  const events = [
    ...ownReservations(reservations.filter(({ isItself }) => isItself)),
    ...otherReservations(reservations.filter(({ isItself }) => !isItself)),
  ];
  for (const { head, passes, end, headStart, beside } of delays.slice(-3)) {
    events.push({
      order: LAST,
      time: until,
      text:
        `${countOf(passes, 'time')} it had room but would have delayed job ${head}: by its estimate it would have ` +
        `ended at ${clockText(end)}, after ${clockText(headStart)}, and it is wider than the ${formatNumber(beside)} left beside that job`,
    });
  }
  if (planned !== undefined) {
    events.push({
      order: FIRST,
      time: from,
      text: `in ${countOf(planned.passes, 'pass', 'passes')} it could not be backfilled; last it was planned from ${clockText(planned.start)} on`,
    });
  }
  const [first] = deferred;
  if (first !== undefined) {
    const times = deferred.length > 1 ? `; so it was in ${formatNumber(deferred.length)} passes` : '';
    events.push({
      order: first.order,
      time: first.time,
      text:
        `on the ${countOf(first.free, 'free processor')} of site ${first.site} it would be done in ` +
        `${formatDuration(first.shrunk)}, after waiting in ${formatDuration(first.whole)} by the estimates: it waits${times}`,
    });
  }
  return events;
}

const DOES = { end: 'ends', stop: 'is stopped', start: 'starts' };

function changeText({ kind, job, site, processors, free, predictedEnd, time }: SiteChange): string {
  const early =
    predictedEnd === undefined || predictedEnd === time
      ? ''
      : `, ${formatDuration(Math.abs(predictedEnd - time))} ${predictedEnd > time ? 'before' : 'after'} its prediction`;
  return `job ${job} ${DOES[kind]} on site ${site}: ${countOf(processors, 'processor')}, ${formatNumber(free)} free there${early}`;
}

/** What came free and what was taken: the latest of it, and the rest in one line. */
function changeEvents({ changes }: Wait): Placed[] {
  const shown = changes.slice(-MOST_CHANGES);
  const left = changes.slice(0, -MOST_CHANGES);
  const lines = shown.map((change) => ({
    ...{ order: change.order, time: change.time },
    ...{ text: changeText(change), change },
  }));
  if (left.length === 0) return lines;
  const starts = left.filter(({ kind }) => kind === 'start');
  const ends = left.filter(({ kind }) => kind !== 'start');
  const told = (some: readonly SiteChange[], what: string, then: string) => {
    const processors = some.reduce((sum, change) => sum + change.processors, 0);
    return some.length === 0
      ? []
      : [`${countOf(some.length, what)} (${countOf(processors, 'processor')} ${then})`];
  };
  const both = [...told(ends, 'more end', 'come free'), ...told(starts, 'more start', 'are taken')];
  const { order, time } = firstOf(left);
  return [{ order, time, text: `${both.join(' and ')} from here on` }, ...lines];
}

function start({ waits }: Explanation, wait: Wait): Placed {
  const { until, sites, reservations } = wait;
  const again = wait === waits[0] ? '' : ' again';
  const last = reservations.findLast(({ isItself }) => isItself);
  const early =
    last === undefined || last.start <= until
      ? ''
      : `, ${formatDuration(last.start - until)} before its reservation`;
  return { order: LAST, time: until, text: `it starts${again} on ${sitesText(sites)}${early}` };
}
