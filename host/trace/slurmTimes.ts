/** Times as Slurm writes them. */

const DATE = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)$/;
const DURATION = /^(?:(\d{1,9})-)?(?:(\d{1,9}):)?(\d{1,9}):(\d\d(?:\.\d+)?)$/;

/** Seconds since 1970 of `2024-03-01T12:00:00`, taken as UTC, or of a number of seconds; undefined for anything else. */
export function parseDate(text: string): number | undefined {
  if (/^\d{1,12}$/.test(text)) return Number(text);
  const match = DATE.exec(text);
  if (match === null) return undefined;
  const [year, month, day, hour, minute, second] = match.slice(1).map(Number);
  const time = Date.UTC(year, month - 1, day, hour, minute, second);
  // What rolls over, such as February 30, is no date.
  return new Date(time).toISOString().startsWith(text) ? time / 1000 : undefined;
}

/** Seconds of `1-02:03:04`, `02:03:04`, `03:04.5` or a number of seconds; undefined for anything else. */
export function parseDuration(text: string): number | undefined {
  if (/^\d{1,12}$/.test(text)) return Number(text);
  const match = DURATION.exec(text);
  if (match === null) return undefined;
  const [days, hours, minutes, seconds] = match.slice(1).map((part) => Number(part ?? 0));
  return ((days * 24 + hours) * 60 + minutes) * 60 + seconds;
}
