/** What happened during a wait, as lines with a time: what matters most, however long the wait. */
import type { BlockedJob, Explanation, FreedShare, Reservation, Wait } from '../explain/explanation.js';
import { countOf, formatDuration, formatNumber } from '../format/numbers.js';
import { clockText, sitesText } from './explanationWords.js';

/** A line of the account. */
export interface WaitEvent {
  readonly time: number;
  readonly text: string;
}

/** How many lines of one kind are shown. */
const MOST_BLOCKERS = 5;
const MOST_RESERVATIONS = 6;
const MOST_FREED = 6;

/** The events in the order of time; at equal times in the order in which one follows from the other. */
export function waitEvents(explanation: Explanation, wait: Wait): WaitEvent[] {
  const events = [
    arrival(wait),
    ...blockers(wait),
    ...headEvents(wait),
    ...freedEvents(wait),
    ...plans(wait),
    start(explanation, wait),
  ];
  return events.sort((a, b) => a.time - b.time);
}

function arrival({ from, queue, stopped, free }: Wait): WaitEvent {
  const came = stopped === undefined ? 'it is submitted' : 'it is back in its queue and will begin anew';
  const total = free.sites.reduce((sum, site) => sum + site[0], 0);
  const before = queue.jobs === 0 ? 'nobody before it' : `${countOf(queue.jobs, 'job')} before it`;
  return { time: from, text: `${came}: ${before}, ${countOf(total, 'processor')} free` };
}

/** The heads that blocked longest, in order, and the rest in one line. */
function blockers({ blocked, until }: Wait): WaitEvent[] {
  const length = (job: BlockedJob) => job.until - job.from;
  const others = blocked.filter((job) => !job.isItself && length(job) > 0);
  const shown = [...others].sort((a, b) => length(b) - length(a)).slice(0, MOST_BLOCKERS);
  const rest = others.filter((job) => !shown.includes(job));
  const lines = shown.map((job) => {
    const end = job.until < until ? '' : ', to the end of the wait';
    return {
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
      time: rest[0].from,
      text: `${countOf(rest.length, 'more job')} from here on blocked for ${total} together`,
    },
  ];
}

function headEvents({ blocked, headSince, from, until }: Wait): WaitEvent[] {
  if (headSince === undefined || headSince >= until) return [];
  const own = blocked.findLast(({ isItself }) => isItself);
  if (own === undefined) return [];
  const now = headSince > from ? 'it is the head now and' : 'it is the head and';
  return [
    {
      time: headSince,
      text: `${now} lacks ${formatNumber(own.lacked)} of ${countOf(own.processors, 'processor')}`,
    },
  ];
}

function causesText({ causes }: Reservation): string {
  if (causes.length === 0) return '';
  const [{ job, predictedEnd, end }] = causes;
  const others = causes.length > 1 ? ` and ${countOf(causes.length - 1, 'other')}` : '';
  if (end === undefined) return `, since job ${job}${others} ran beyond its predicted end`;
  const early = `ended ${formatDuration(predictedEnd - end)} before its prediction`;
  return `, since all was planned anew when job ${job} ${early}${others === '' ? '' : `,${others} early too`}`;
}

/** The first reservation and the latest changes of it. */
function ownReservations(own: readonly Reservation[]): WaitEvent[] {
  const shown = own.filter((_, place) => place === 0 || place > own.length - MOST_RESERVATIONS);
  const lines = shown.map((reservation) => {
    const { from, start, sites } = reservation;
    const place = own.indexOf(reservation);
    const before = own[place - 1];
    const on = `to start at ${clockText(start)} on ${sitesText(sites)}`;
    if (before === undefined) return { time: from, text: `a reservation is made for it, ${on}` };
    const shift = start - before.start;
    const moved =
      shift === 0 ? 'moves' : `gets ${formatDuration(Math.abs(shift))} ${shift < 0 ? 'earlier' : 'later'}`;
    return { time: from, text: `its reservation ${moved}, ${on}${causesText(reservation)}` };
  });
  const left = own.length - shown.length;
  if (left > 0) {
    lines.splice(1, 0, {
      time: own[1].from,
      text: `its reservation changes ${countOf(left, 'time')} more from here on`,
    });
  }
  return lines;
}

/** Whose reservation stood before it: each job once, with the first and the last start that was planned. */
function otherReservations(others: readonly Reservation[]): WaitEvent[] {
  const jobs = [...new Set(others.map(({ job }) => job))];
  const lines = jobs.map((job) => {
    const made = others.filter((each) => each.job === job);
    const [first, last] = [made[0], made[made.length - 1]];
    const moved = last.start === first.start ? '' : `, at last at ${clockText(last.start)}`;
    return {
      time: first.from,
      length: last.until - first.from,
      text: `job ${first.job} holds the reservation, to start at ${clockText(first.start)} on ${sitesText(first.sites)}${moved}`,
    };
  });
  const shown = [...lines].sort((a, b) => b.length - a.length).slice(0, MOST_BLOCKERS);
  const events = shown.map(({ time, text }) => ({ time, text }));
  const rest = lines.filter((line) => !shown.includes(line));
  if (rest.length > 0) {
    events.push({
      time: rest[0].time,
      text: `${countOf(rest.length, 'more job')} held the reservation from here on`,
    });
  }
  return events;
}

function plans({ reservations, planned, delays, deferred, until, from }: Wait): WaitEvent[] {
  const events = [
    ...ownReservations(reservations.filter(({ isItself }) => isItself)),
    ...otherReservations(reservations.filter(({ isItself }) => !isItself)),
  ];
  for (const { head, passes, end, headStart, beside } of delays.slice(-3)) {
    events.push({
      time: until,
      text:
        `${countOf(passes, 'time')} it had room but would have delayed job ${head}: by its estimate it would have ` +
        `ended at ${clockText(end)}, after ${clockText(headStart)}, and it is wider than the ${formatNumber(beside)} left beside that job`,
    });
  }
  if (planned !== undefined) {
    events.push({
      time: from,
      text: `in ${countOf(planned.passes, 'pass', 'passes')} it could not be backfilled; last it was planned from ${clockText(planned.start)} on`,
    });
  }
  const [first] = deferred;
  if (first !== undefined) {
    const times = deferred.length > 1 ? `; so it was in ${formatNumber(deferred.length)} passes` : '';
    events.push({
      time: first.time,
      text:
        `on the ${countOf(first.free, 'free processor')} of site ${first.site} it would be done in ` +
        `${formatDuration(first.shrunk)}, after waiting in ${formatDuration(first.whole)} by the estimates: it waits${times}`,
    });
  }
  return events;
}

function freedText({ job, site, processors, free, isStopped, predictedEnd, time }: FreedShare): string {
  const what = isStopped ? 'is stopped on' : 'ends on';
  const early =
    predictedEnd === undefined || predictedEnd === time
      ? ''
      : `, ${formatDuration(Math.abs(predictedEnd - time))} ${predictedEnd > time ? 'before' : 'after'} its prediction`;
  return `job ${job} ${what} site ${site}: ${countOf(processors, 'processor')}, ${formatNumber(free)} free there${early}`;
}

/** What had to end on its sites: the latest of them. */
function freedEvents({ freed, trigger }: Wait): WaitEvent[] {
  const isSame = (a: FreedShare, b: FreedShare) => a.time === b.time && a.job === b.job && a.site === b.site;
  const causes = freed.length > 0 ? freed : trigger;
  const shown = causes.slice(-MOST_FREED);
  const left = causes.filter((gift) => !shown.some((each) => isSame(each, gift)));
  const lines = shown.map((gift) => ({ time: gift.time, text: freedText(gift) }));
  if (left.length === 0) return lines;
  const processors = left.reduce((sum, gift) => sum + gift.processors, 0);
  return [
    {
      time: left[0].time,
      text: `${countOf(left.length, 'more end')} on its sites from here on: ${countOf(processors, 'processor')}`,
    },
    ...lines,
  ];
}

function start({ waits }: Explanation, wait: Wait): WaitEvent {
  const { until, sites, startedWith, reservations } = wait;
  const again = wait === waits[0] ? '' : ' again';
  const [first, ...others] = startedWith;
  const more = others.length > 0 ? ` and ${countOf(others.length, 'other')}` : '';
  const after = first === undefined ? '' : `job ${first}${more} started at this instant, then `;
  const last = reservations.findLast(({ isItself }) => isItself);
  const early =
    last === undefined || last.start <= until
      ? ''
      : `, ${formatDuration(last.start - until)} before its reservation`;
  return { time: until, text: `${after}it starts${again} on ${sitesText(sites)}${early}` };
}
