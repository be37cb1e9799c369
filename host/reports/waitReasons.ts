/** The explanation of a job for a person at a terminal, and what happened while it waited, as lines with a time. */
import { samplePoints } from '../draw/timeline.js';
import type { Explanation, Reservation, SiteChange, Wait } from '../explain/explanation.js';
import { countOf, distinctDurations, formatFullDuration, formatNumber } from '../format/numbers.js';
import { firstOf, groupBy, lastOf } from '../lists.js';
import { isBackfilling } from '../options/configuration.js';
import type { Table } from '../view/table.js';
import { type Colors, tableText, wrapText } from '../view/terminal.js';
import {
  clockText,
  clockWords,
  decisionText,
  decisionTitle,
  isOneSite,
  placeText,
  sitesText,
} from './decisionReasons.js';

/** A line of the account. */
export interface WaitEvent {
  readonly time: number;
  readonly text: string;
  /** Change of a site's free processors that the line describes. */
  readonly change?: SiteChange;
}

/** A line, and its place among those of its instant. */
type Placed = WaitEvent & { readonly order: number };

/** The order of what was true when the wait began, of what the last pass of an instant found, and of the start. */
const FIRST = -1;
const LATE = Number.MAX_VALUE;
const LAST = Number.POSITIVE_INFINITY;

/** Largest number of lines of one kind that are shown. */
const MAX_LONGEST = 5;
const MAX_RESERVATIONS = 6;
const MAX_CHANGES = 10;

/** The events in the order in which they happened, at one instant too. */
export function waitEvents(explanation: Explanation, wait: Wait): WaitEvent[] {
  const events = [
    arrival(wait),
    ...blockers(wait),
    ...headEvents(wait),
    ...changeEvents(wait),
    ...plans(wait),
    ...roomBeforePass(wait),
    start(explanation, wait),
  ];
  const placed = events.sort(
    (a, b) => a.time - b.time || (a.order < b.order ? -1 : Number(a.order > b.order)),
  );
  return placed.map(({ order: _, ...event }) => event);
}

function arrival({ from, queue, stopped, free }: Wait): Placed {
  const came = stopped === undefined ? 'submitted' : 'back in its queue to start over';
  const total = free.sites.reduce((sum, site) => sum + firstOf(site), 0);
  const before = queue.jobs === 0 ? 'the queue is empty' : `${countOf(queue.jobs, 'job')} ahead`;
  return { order: FIRST, time: from, text: `${came}; ${before}, ${countOf(total, 'processor')} free` };
}

/** The longest of some lines, in order, and all others in one line. */
function longestLines(
  lines: readonly (Placed & { readonly length: number })[],
  restText: (count: number, length: number) => string,
): Placed[] {
  const shown = [...lines].sort((a, b) => b.length - a.length).slice(0, MAX_LONGEST);
  const events = shown.map(({ length: _, ...line }): Placed => line);
  const rest = lines.filter((line) => !shown.includes(line));
  if (rest.length === 0) return events;
  const { order, time } = firstOf(rest);
  const total = rest.reduce((sum, { length }) => sum + length, 0);
  const text = `from here on, ${countOf(rest.length, 'other job')} ${restText(rest.length, total)}`;
  return [...events, { order, time, text }];
}

/** The heads of the queue that blocked. */
function blockers({ blocked, until }: Wait): Placed[] {
  const lines = blocked.map(({ order, job, from, until: end, lacked, processors }) => {
    const last = end < until ? '' : ', to the end of the wait';
    const text =
      `job ${job} blocks for ${formatFullDuration(end - from)}${last}: ` +
      `it lacks ${formatNumber(lacked)} of ${countOf(processors, 'processor')}`;
    return { order, time: from, length: end - from, text };
  });
  const others = lines.filter(({ length }, i) => !blocked[i]!.isItself && length > 0);
  return longestLines(
    others,
    (count, length) => `${count === 1 ? 'blocks' : 'block'}, for ${formatFullDuration(length)} in total`,
  );
}

function headEvents({ blocked, headSince, from, until }: Wait): Placed[] {
  if (headSince === undefined || headSince >= until) return [];
  const own = blocked.findLast(({ isItself }) => isItself);
  if (own === undefined) return [];
  const now = headSince > from ? 'it is now the head and' : 'it is the head and';
  return [
    {
      order: own.from === headSince ? own.order : FIRST,
      time: headSince,
      text: `${now} lacks ${formatNumber(own.lacked)} of ${countOf(own.processors, 'processor')}`,
    },
  ];
}

function causesText({ causes, by, isMoved }: Reservation): string {
  if (by === 'policy') return ', because the policy made it wait';
  if (by !== undefined && 'start' in by) {
    return `, since job ${by.start} started on another site than was reserved for it`;
  }
  if (by !== undefined) {
    const [cause] = causes;
    const early =
      cause?.end === undefined
        ? ''
        : ` ${formatFullDuration(cause.predictedEnd - cause.end)} earlier than predicted`;
    return `, since job ${by.end} ended${early}`;
  }
  const [cause] = causes;
  if (cause === undefined) return isMoved ? ', since others ran beyond their predicted ends' : '';
  const { job, predictedEnd, end } = cause;
  const others = causes.length > 1 ? ` and ${countOf(causes.length - 1, 'other')}` : '';
  if (end === undefined) return `, since job ${job}${others} ran beyond its predicted end`;
  const early = `ended ${formatFullDuration(predictedEnd - end)} earlier than predicted`;
  return `, since everything was replanned when job ${job} ${early}${others === '' ? '' : `,${others} early too`}`;
}

/** The number of passes that found the same, the last of them now. */
const repeatedText = (passes: number, from: number) =>
  passes > 1 ? ` (${formatNumber(passes)} times since ${clockText(from)})` : '';

/** The first reservation and the latest changes of it. */
function ownReservations(wait: Wait): Placed[] {
  const own = wait.reservations.filter(({ isItself }) => isItself);
  const shown = own.filter((_, place) => place === 0 || place > own.length - MAX_RESERVATIONS);
  const lines = shown.map((reservation) => {
    const { order, from, start, sites } = reservation;
    const place = own.indexOf(reservation);
    const before = own[place - 1];
    const on = `to start at ${clockText(start)}${placeText(wait, sites)}`;
    if (before === undefined) return { order, time: from, text: `a reservation is made for it, ${on}` };
    const shift = start - before.start;
    const later = `gets ${formatFullDuration(Math.abs(shift))} ${shift < 0 ? 'earlier' : 'later'}`;
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
      text: `its reservation changes ${left === 1 ? 'once more' : `${formatNumber(left)} more times`}`,
    });
  }
  return lines;
}

/** Jobs whose reservations stood before it, each once, with the first and the last planned start. */
function otherReservations(wait: Wait): Placed[] {
  const others = wait.reservations.filter(({ isItself }) => !isItself);
  const lines = [...groupBy(others, ({ job }) => job).values()].map((made) => {
    const [first, last] = [firstOf(made), lastOf(made)];
    const moved = last.start === first.start ? '' : `, finally at ${clockText(last.start)}`;
    const text = `job ${first.job} holds the reservation, to start at ${clockText(first.start)}${placeText(wait, first.sites)}${moved}`;
    return { order: first.order, time: first.from, length: last.until - first.from, text };
  });
  return longestLines(lines, (count) =>
    count === 1 ? 'holds the reservation for a time' : 'hold the reservation in turn',
  );
}

function plans(wait: Wait): Placed[] {
  const { planned, delays, deferred } = wait;
  const events = [...ownReservations(wait), ...otherReservations(wait)];
  for (const { order, time, head, passes, until, end, headStart, beside } of delays.slice(-3)) {
    events.push({
      order: until === time ? order : LATE,
      time: until,
      text:
        `it has room but would delay job ${head}: by its estimate it would end at ${clockText(end)}, after ` +
        `${clockText(headStart)}, and it needs more than the ${formatNumber(beside)} left beside that job${repeatedText(passes, time)}`,
    });
  }
  if (planned !== undefined) {
    events.push({
      order: LATE,
      time: planned.until,
      text: `it cannot be backfilled and is planned from ${clockText(planned.start)} on${repeatedText(planned.passes, planned.from)}`,
    });
  }
  const [first] = deferred;
  if (first !== undefined) {
    const times = deferred.length > 1 ? `; the same in ${formatNumber(deferred.length)} passes` : '';
    events.push({
      order: first.order,
      time: first.time,
      text:
        `on the ${countOf(first.free, 'free processor')}${isOneSite(wait) ? '' : ` of site ${first.site}`} it would be done in ` +
        `${formatFullDuration(first.shrunk)}, after waiting in ${formatFullDuration(first.whole)} by the estimates: it waits${times}`,
    });
  }
  return events;
}

/** Names of the passes that start jobs at times of their own. */
const PASS_NAMES = { main: 'pass that follows events', backfill: 'backfill pass', interval: 'pass' };

/** The time from which it had room while no pass came. */
function roomBeforePass({ pass, until }: Wait): Placed[] {
  if (pass?.roomSince === undefined) return [];
  const text = `it fits from here on, and waits for the ${PASS_NAMES[pass.kind]} at ${clockText(until)}`;
  return [{ order: LATE, time: pass.roomSince, text }];
}

const DOES = { end: 'ends', stop: 'is stopped', start: 'starts' };

function changeText(
  wait: Wait,
  { kind, job, site, processors, free, predictedEnd, time }: SiteChange,
): string {
  const early =
    predictedEnd === undefined || predictedEnd === time
      ? ''
      : `, ${formatFullDuration(Math.abs(predictedEnd - time))} ${predictedEnd > time ? 'earlier' : 'later'} than predicted`;
  const [on, there] = isOneSite(wait) ? ['', ''] : [` on site ${site}`, ' there'];
  return `job ${job} ${DOES[kind]}${on}: ${countOf(processors, 'processor')}, ${formatNumber(free)} free${there}${early}`;
}

/** Events of released and taken processors: the latest ones, and the others in one line. */
function changeEvents(wait: Wait): Placed[] {
  const { changes } = wait;
  const shown = changes.slice(-MAX_CHANGES);
  const left = changes.slice(0, -MAX_CHANGES);
  const lines = shown.map((change) => ({
    ...{ order: change.order, time: change.time },
    ...{ text: changeText(wait, change), change },
  }));
  if (left.length === 0) return lines;
  const starts = left.filter(({ kind }) => kind === 'start');
  const ends = left.filter(({ kind }) => kind !== 'start');
  const describe = (some: readonly SiteChange[], what: readonly [string, string], then: string) => {
    const processors = some.reduce((sum, change) => sum + change.processors, 0);
    return some.length === 0
      ? []
      : [`${countOf(some.length, ...what)} (${countOf(processors, 'processor')} ${then})`];
  };
  const startWords =
    ends.length > 0 ? (['starts', 'start'] as const) : (['more job starts', 'more jobs start'] as const);
  const both = [
    ...describe(ends, ['more job ends', 'more jobs end'], 'freed'),
    ...describe(starts, startWords, 'taken'),
  ];
  const { order, time } = firstOf(left);
  return [{ order, time, text: `meanwhile ${both.join(' and ')}` }, ...lines];
}

function start({ waits }: Explanation, wait: Wait): Placed {
  const { until, sites, reservations } = wait;
  const again = wait === waits[0] ? '' : ' again';
  const last = reservations.findLast(({ isItself }) => isItself);
  const early =
    last === undefined || last.start <= until
      ? ''
      : `, ${formatFullDuration(last.start - until)} before its reservation`;
  return { order: LAST, time: until, text: `it starts${again}${placeText(wait, sites)}${early}` };
}

const QUEUES: Readonly<Record<string, string>> = {
  shared: 'one queue for the grid',
  'per-home': 'one queue per home site',
  independent: 'every site alone',
};

/** Two lines: what happened to the job, and under which rules. */
export function headline(
  {
    job,
    names = {},
    processors,
    home,
    submit,
    precedingJob,
    start,
    end,
    wait,
    killed,
    sites,
    rules,
    waits,
  }: Explanation,
  colors: Colors,
) {
  const held = sites.reduce((sum, share) => sum + share.processors, 0);
  const got = held === processors ? '' : ` on ${formatNumber(held)} of them`;
  const order = rules.order === 'submit' ? '' : ` in the order ${rules.order}`;
  const chosenBy = rules.chosenBy === undefined ? '' : `, chosen by ${rules.chosenBy.replace(/\[.*/, '')}`;
  const killedThen = killed ? ' and was killed at its requested time' : '';
  const after = precedingJob === undefined ? '' : ` after job ${precedingJob.job}`;
  // For jobs of Slurm, queue and partition are the same.
  const namedFields = Object.entries(names).filter(
    ([field, name]) => field !== 'queue' || name !== names.partition,
  );
  const called = namedFields.map(([field, name]) => `${field} ${name}`);
  const whose = called.length === 0 ? '' : `\n${called.join(', ')}`;
  const hasSites = firstOf(waits).decision.sites.length > 1;
  const at = hasSites ? `, home site ${home}` : '';
  const on = (hasSites ? ` on ${sitesText(sites)}` : '') + got;
  const kept = rules.reservations === 'kept' ? ', reservations kept' : '';
  const how = hasSites ? `, ${QUEUES[rules.queue]}, ${rules.method}` : '';
  const waited = wait > 0 ? `waited ${formatFullDuration(wait)}` : 'did not wait';
  return (
    `${colors.bold(`job ${job}`)}: ${countOf(processors, 'processor')}${at}, ` +
    `submitted at ${clockText(submit)}${after}, started at ${clockText(start)}${on}, ${waited}\n` +
    colors.dim(
      `${rules.discipline}${order}${kept}${how}${chosenBy}; it ran ${formatFullDuration(end - start)}${killedThen}; ` +
        `${clockWords()}${whose}`,
    )
  );
}

/** Division of the wait into parts; empty if there is nothing to divide. */
export function waitSummary(wait: Wait, isPlanned: boolean): string {
  const { from, until, headSince, started, secondsWithRoom, queue } = wait;
  const parts: string[] = [];
  if (queue.jobs > 0) {
    const demand = countOf(queue.processors, 'processor');
    parts.push(
      `${countOf(queue.jobs, 'job')} ${queue.jobs === 1 ? 'was' : 'were'} ahead of it in the queue, asking for ${demand} in total.`,
    );
  }
  if (headSince !== undefined && headSince > from && headSince < until) {
    parts.push(
      `It was behind others for ${formatFullDuration(headSince - from)} and was the head without room for ` +
        `${formatFullDuration(until - headSince)}.`,
    );
  }
  if (started.cameLater > 0) {
    parts.push(`${countOf(started.cameLater, 'job')} that came later went ahead of it by the order.`);
  }
  if (started.behind > 0) {
    parts.push(`${countOf(started.behind, 'job')} behind it in the queue overtook it.`);
  }
  if (wait.pass?.roomSince !== undefined) {
    parts.push(
      `It fitted at ${clockText(wait.pass.roomSince)}, but the ${PASS_NAMES[wait.pass.kind]} came at ${clockText(until)}.`,
    );
  }
  if (secondsWithRoom > 0) {
    const share = secondsWithRoom === until - from ? 'all of the wait' : formatFullDuration(secondsWithRoom);
    const but = isPlanned ? 'but it could have delayed jobs before it' : 'but it was not its turn';
    parts.push(`For ${share} there was room for it, ${but}.`);
  }
  return parts.join(' ');
}

function waitTitle({ from, until, stopped }: Wait): string {
  if (stopped !== undefined)
    return `Why it waited again, stopped at ${clockText(from)} on site ${stopped.site} for job ${stopped.for}`;
  return until > from ? 'Why it waited' : 'It did not wait';
}

/** Events while the job waited, in order. */
export function eventTable(explanation: Explanation, wait: Wait): Table {
  const { rules, submit } = explanation;
  const events = waitEvents(explanation, wait);
  const since = distinctDurations(events.map(({ time }) => time - submit));
  const rows = events.map(({ time, text }, row) => [clockText(time), `+${since[row]!}`, text]);
  return {
    id: 'events',
    title: waitTitle(wait),
    caption: wait.until > wait.from ? waitSummary(wait, isBackfilling(rules.discipline)) : '',
    columns: [
      { title: 'time', align: 'right' },
      { title: 'since submit', align: 'right' },
      { title: 'what happened' },
    ],
    rows,
  };
}

function waitText(explanation: Explanation, wait: Wait, colors: Colors, width: number): string[] {
  const { title, caption, ...table } = eventTable(explanation, wait);
  return [
    colors.bold(title) + (caption === '' ? '' : `\n${wrapText(caption, width)}`),
    tableText({ ...table, title: '', caption: '' }, colors, width),
    ...(wait.until > wait.from ? [freeChart(explanation, wait, colors, width)] : []),
    `${colors.bold(decisionTitle(wait))}\n${decisionText(explanation, wait, colors, width)}`,
  ];
}

/** Messages on missing events; empty if none are missing. */
export const missingEventMessages = ({ lost }: Explanation): string[] =>
  lost > 0 ? [`${countOf(lost, 'event')} of its wait were not recorded; this list is incomplete.`] : [];

/** All of an explanation as text of several lines, about as wide as `width` characters. */
export function explanationText(explanation: Explanation, colors: Colors, width: number): string {
  const head = headline(explanation, colors).split('\n');
  return [
    head.map((line) => wrapText(line, width)).join('\n'),
    ...missingEventMessages(explanation),
    ...explanation.waits.flatMap((wait) => waitText(explanation, wait, colors, width)),
  ].join('\n\n');
}

// Free processors over a wait as lines of a terminal.

/** Heights of a character, from nothing to full. */
const LEVELS = ' \u2581\u2582\u2583\u2584\u2585\u2586\u2587\u2588';
/** Sites that are shown; of more, those that the job got and the first others. */
const MAX_SITES = 12;
const NARROWEST = 16;

/** The states of the waiting job. */
const BEHIND = '\u00b7';
const HEAD = '\u2592';

/** The sites that are drawn, by index. */
export function shownSites({ decision }: Wait): number[] {
  const order = decision.sites.map((_, site) => site);
  const got = order.filter((site) => decision.sites[site]!.taken > 0);
  return [...new Set([...got, ...order])].slice(0, MAX_SITES).sort((a, b) => a - b);
}

/** One line per site: the share of its processors that is free; and one for the job. */
function freeChart(explanation: Explanation, wait: Wait, colors: Colors, width: number): string {
  const { from, until, headSince, free, decision, reservations } = wait;
  const sites = shownSites(wait);
  const labels = sites.map((site) => {
    const capacity = formatNumber(decision.sites[site]!.capacity);
    return isOneSite(wait) ? `of ${capacity}` : `site ${site + 1}, ${capacity}`;
  });
  const own = `job ${explanation.job}`;
  const margin = Math.max(own.length, ...labels.map((label) => label.length)) + 2;
  const columns = Math.max(NARROWEST, width - margin);
  const lines = sites.map((site, place) => {
    const steps = { time: Float64Array.from(free.time), value: Float64Array.from(free.sites[site]!) };
    const { capacity, isCandidate } = decision.sites[site]!;
    const cells = samplePoints(steps, { from, to: until }, columns).map(({ y, high }) => {
      const cell = LEVELS[Math.min(8, Math.ceil((y / capacity) * 8 - 1e-9))];
      return isCandidate && high >= explanation.processors ? colors.green(cell) : colors.dim(cell);
    });
    return labels[place]!.padEnd(margin) + cells.join('');
  });
  const reserved = reservations.find(({ isItself }) => isItself)?.from;
  const next = headSince ?? reserved ?? until;
  const behind = Math.round(((next - from) / (until - from)) * columns);
  const states = BEHIND.repeat(behind) + HEAD.repeat(columns - behind);
  const right = `+${formatFullDuration(until - explanation.submit)}`;
  const left = `+${formatFullDuration(from - explanation.submit)}`;
  const hidden = decision.sites.length - sites.length;
  const more = hidden > 0 ? ` (${hidden} more sites are not shown)` : '';
  const state = headSince === undefined ? 'with a reservation' : 'the head without room';
  const wording = `${BEHIND} behind others${next < until ? `, ${HEAD} ${state}` : ''}`;
  return [
    wrapText(
      `${colors.bold('Free processors')} ${colors.dim(`${isOneSite(wait) ? '' : 'of each site '}while it waited; ${wording}${more}`)}`,
      width,
    ),
    ...lines,
    own.padEnd(margin) + states,
    ' '.repeat(margin) + left + right.padStart(Math.max(right.length + 1, columns - left.length)),
  ].join('\n');
}
