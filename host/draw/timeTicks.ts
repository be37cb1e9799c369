/** Ticks of a time axis: numbers of a unit, days and hours where only a part is shown, or dates where they are known. */

import { roundTicks, timeUnitFor } from './timeUnit.js';

/** A tick at a time in seconds. */
export interface TimeTick {
  readonly time: number;
  readonly label: string;
}

/** The ticks of an axis, and what it says of them. */
export interface TimeTicks {
  readonly ticks: readonly TimeTick[];
  readonly title: string;
}

/** About so many ticks, if there is room. */
const TICKS = 8;
const [MINUTE, HOUR, DAY] = [60, 3600, 86_400];
/** Steps that divide a day. */
const STEPS = [
  ...[1, 2, 5, 10, 30],
  ...[1, 2, 5, 10, 30].map((count) => count * MINUTE),
  ...[1, 2, 3, 6, 12].map((count) => count * HOUR),
];
/** Whole days; more are months. */
const DAYS = [1, 2, 4, 7, 14];
const MONTHS = [1, 2, 3, 6, 12, 24, 60, 120];
const DAYS_OF_MONTH = 30;

/**
 * Ticks from one time to another, in seconds since the first submit.
 * @param beginning the first submit in seconds since 1970, where it is known.
 * @param most about so many ticks.
 */
export function timeTicks(from: number, to: number, beginning: number | undefined, most = TICKS): TimeTicks {
  if (beginning !== undefined) return dateTicks(from, to, beginning, most);
  const title = 'time since the first submit';
  const unit = timeUnitFor(to);
  if (timeUnitFor(to - from).seconds === unit.seconds) {
    const ticks = roundTicks(from / unit.seconds, to / unit.seconds, most).map((count) => ({
      time: count * unit.seconds,
      label: count.toLocaleString('en-US', { maximumFractionDigits: 6 }),
    }));
    return { ticks, title: `${title} [${unit.name}]` };
  }
  return { ticks: multiples(from, to, 0, most).map((time) => ({ time, label: dayAndTime(time) })), title };
}

/** Times at multiples of a step that fits, counted from `zero`. */
function multiples(from: number, to: number, zero: number, most: number): number[] {
  const rough = (to - from) / most;
  const step =
    STEPS.find((seconds) => seconds >= rough) ?? (DAYS.find((days) => days * DAY >= rough) ?? 1) * DAY;
  const first = Math.ceil((from - zero) / step);
  const count = Math.floor((to - zero) / step) - first + 1;
  return Array.from({ length: Math.max(0, count) }, (_, i) => zero + (first + i) * step);
}

/** `100 d 06:00`, `06:00:30`: whole seconds since the first submit. */
function dayAndTime(seconds: number): string {
  const days = Math.floor(seconds / DAY);
  const clock = new Date((seconds - days * DAY) * 1000).toISOString();
  const time = seconds % MINUTE === 0 ? clock.slice(11, 16) : clock.slice(11, 19);
  return `${days.toLocaleString('en-US')} d${seconds % DAY === 0 ? '' : ` ${time}`}`;
}

/** A time in words: `5 Jan 1999 10:30 UTC`, or `249 d 10:30 after the first submit` where no date is known. */
export function timeText(seconds: number, beginning: number | undefined): string {
  const whole = Math.round(seconds);
  if (beginning === undefined) return `${dayAndTime(whole)} after the first submit`;
  const date = new Date((whole + beginning) * 1000);
  return `${DATE.format(date)} ${date.getUTCFullYear()} ${date.toISOString().slice(11, 16)} UTC`;
}

const DATE = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });
const MONTH = new Intl.DateTimeFormat('en-GB', { month: 'short', year: 'numeric', timeZone: 'UTC' });

/** Ticks at round hours, days or months of the calendar. */
function dateTicks(from: number, to: number, beginning: number, most: number): TimeTicks {
  const isMonthly = to - from > most * DAYS[DAYS.length - 1] * DAY;
  const seconds = isMonthly
    ? months(from + beginning, to + beginning, most)
    : multiples(from + beginning, to + beginning, 0, most);
  const label = (time: number, i: number) =>
    isMonthly ? MONTH.format(time * 1000) : dateLabel(time, i === 0);
  return {
    ticks: seconds.map((time, i) => ({ time: time - beginning, label: label(time, i) })),
    title: isMonthly ? 'UTC' : `UTC, ${new Date((from + beginning) * 1000).getUTCFullYear()}`,
  };
}

/** The time of day, with the date at midnight and at the first tick. */
function dateLabel(time: number, isFirst: boolean): string {
  const date = DATE.format(time * 1000);
  if (time % DAY === 0) return date;
  const clock = new Date(time * 1000).toISOString();
  const text = time % MINUTE === 0 ? clock.slice(11, 16) : clock.slice(11, 19);
  return isFirst ? `${date} ${text}` : text;
}

/** The first of every so many months. */
function months(from: number, to: number, most: number): number[] {
  const rough = (to - from) / most / DAY / DAYS_OF_MONTH;
  const step = MONTHS.find((count) => count >= rough) ?? MONTHS[MONTHS.length - 1];
  const start = new Date(from * 1000);
  const times: number[] = [];
  // A year begins a row of steps.
  for (let month = 0; ; month += step) {
    const time = Date.UTC(start.getUTCFullYear(), month) / 1000;
    if (time > to) return times;
    if (time >= from) times.push(time);
  }
}
