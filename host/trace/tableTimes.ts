/** Parses times, durations and time zones in tables. */
import { InputError } from '../errors.js';
import { quoteLogText } from '../format/text.js';

/**
 * Smallest values interpreted as milliseconds, microseconds and nanoseconds since 1970; smaller ones are
 * seconds.
 */
const [MILLISECONDS, MICROSECONDS, NANOSECONDS] = [1e11, 1e14, 1e17];
const SECONDS_PER_DAY = 86_400;

/** Converts a numeric time to seconds; its size decides the unit. */
function parseTimeNumber(timeNumber: number): number {
  if (timeNumber >= NANOSECONDS) return timeNumber / 1e9;
  if (timeNumber >= MICROSECONDS) return timeNumber / 1e6;
  return timeNumber >= MILLISECONDS ? timeNumber / 1000 : timeNumber;
}

const TABLE_DATE_PATTERN =
  /^(\d{4}-\d\d-\d\d)(?:[T ]+(\d\d):(\d\d)(?::(\d\d(?:\.\d+)?))?(?:\.0+)?)? ?(Z|UTC|[+-]\d\d:?(?:\d\d)?)?$/;

/** Parses times; dates without a zone are in the given time zone. */
export class TableTimeReader {
  readonly #toUnix: (localTime: number) => number;
  #day = '';
  #dayStart = 0;

  /**
   * @param zone time zone, valid for `checkTimeZone`.
   */
  constructor(zone = 'UTC') {
    this.#toUnix = makeLocalToUnixTime(checkTimeZone(zone, 'timeZone'));
  }

  /** Parses a date or number as seconds since 1970; undefined for any other text. */
  read(timeText: string): number | undefined {
    if (/^\d+(?:\.\d+)?$/.test(timeText)) return parseTimeNumber(Number(timeText));
    const [, day, hours = '0', minutes = '0', seconds = '0', zone] = TABLE_DATE_PATTERN.exec(timeText) ?? [];
    if (day === undefined) return undefined;
    if (day !== this.#day) {
      const start = Date.parse(`${day}T00:00:00Z`) / 1000;
      // February 30 would roll over.
      if (Number.isNaN(start) || !new Date(start * 1000).toISOString().startsWith(day)) return undefined;
      this.#day = day;
      this.#dayStart = start;
    }
    const [h, m, s] = [Number(hours), Number(minutes), Number(seconds)];
    if (h > 23 || m > 59 || s >= 61) return undefined;
    const localTime = this.#dayStart + 3600 * h + 60 * m + s;
    if (zone === undefined) return this.#toUnix(localTime);
    return UTC_OFFSET_PATTERN.test(zone) || /^(?:Z|UTC)$/.test(zone)
      ? localTime - parseUtcOffsetSeconds(zone)
      : undefined;
  }
}

/** Pattern of UTC offsets, from -14:59 to +14:59. */
const UTC_OFFSET_PATTERN = /^[+-](?:0\d|1[0-4]):?(?:[0-5]\d)?$/;

/** Offset of a zone such as `+01:00`, `-0330` or `Z` from UTC in seconds. */
function parseUtcOffsetSeconds(zone: string): number {
  const [, sign, hours = '0', minutes = '0'] = /^([+-])(\d\d):?(\d\d)?$/.exec(zone) ?? [];
  return (sign === '-' ? -1 : 1) * (3600 * Number(hours) + 60 * Number(minutes || '0'));
}

/**
 * Creates a function that converts local time in a zone (in seconds, counted as if it were UTC) to seconds
 * since 1970.
 */
export function makeLocalToUnixTime(zone: string): (localTime: number) => number {
  if (/^(?:UTC|Z)$/i.test(zone)) return (localTime) => localTime;
  if (UTC_OFFSET_PATTERN.test(zone)) {
    const offset = parseUtcOffsetSeconds(zone);
    return (localTime) => localTime - offset;
  }
  const offsetsByQuarterHour = new Map<number, number>();
  const dateFormat = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    ...{
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    },
  });
  /** Offset of the zone from UTC in seconds, by quarter of an hour since 1970. */
  const computeUtcOffsetAt = (time: number) => {
    const quarterHourIndex = Math.floor(time / 900);
    let offset = offsetsByQuarterHour.get(quarterHourIndex);
    if (offset === undefined) {
      const datePartNumbers = new Map(
        dateFormat.formatToParts(quarterHourIndex * 900_000).map(({ type, value }) => [type, Number(value)]),
      );
      const readDatePart = (partName: Intl.DateTimeFormatPartTypes) => datePartNumbers.get(partName) ?? 0;
      const localTime = Date.UTC(
        readDatePart('year'),
        readDatePart('month') - 1,
        readDatePart('day'),
        readDatePart('hour'),
        readDatePart('minute'),
      );
      offset = localTime / 1000 - quarterHourIndex * 900;
      offsetsByQuarterHour.set(quarterHourIndex, offset);
    }
    return offset;
  };
  return (localTime) => localTime - computeUtcOffsetAt(localTime - computeUtcOffsetAt(localTime));
}

/**
 * Checks a time zone.
 * @throws InputError if the text is not a time zone.
 */
export function checkTimeZone(zone: string, errorContext: string): string {
  if (/^(?:UTC|Z)$/i.test(zone) || UTC_OFFSET_PATTERN.test(zone)) return zone;
  try {
    // Some versions of Node take offsets that do not exist.
    if (/^[+-]/.test(zone)) throw new RangeError(zone);
    new Intl.DateTimeFormat('en-US', { timeZone: zone });
    return zone;
  } catch {
    throw new InputError(
      `${errorContext}: found ${quoteLogText(String(zone))}, expected a time zone such as Europe/Berlin, +01:00 or UTC`,
    );
  }
}

const CLOCK_DURATION_PATTERN = /^(?:(\d{1,9})(?:-| days?,? ))?(\d{1,9}):(\d\d):(\d\d(?:\.\d+)?)$/;

/** Parses `90`, `1:30:00`, `2-01:00:00` or `2 days 01:00:00` as seconds; undefined for any other text. */
export function parseTableDuration(durationInput: string): number | undefined {
  if (/^\d+(?:\.\d+)?$/.test(durationInput)) return Number(durationInput);
  const patternMatch = CLOCK_DURATION_PATTERN.exec(durationInput);
  if (patternMatch === null) return undefined;
  const [days = 0, hours = 0, minutes = 0, seconds = 0] = patternMatch
    .slice(1)
    .map((part) => Number(part ?? 0));
  return days * SECONDS_PER_DAY + hours * 3600 + minutes * 60 + seconds;
}
