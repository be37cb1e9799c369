/** Sessions of users: jobs that a user submitted soon after an earlier one of his had ended. */

import { InputError } from '../errors.js';
import { printableSourceName } from '../format/text.js';
import { parseNotation, parseNumber, unknownNameError } from '../notation.js';
import { replaceTraceColumns } from '../trace/columns.js';
import type { Trace } from '../trace/trace.js';

/** Longest pause within a session by default, in seconds: Zakay and Feitelson 2014 take 20 minutes. */
const DEFAULT_SESSION_PAUSE_SECONDS = 1200;

/**
 * Reads `sessions[pause=1200]`; the pause may have a unit, such as 20min.
 * @returns the longest pause within a session, in seconds.
 * @throws InputError for another name or parameter, and for a pause that is negative or no time.
 */
export function parseSessionsNotation(text: string, what: string): number {
  const { name, parameters } = parseNotation(text);
  if (name !== 'sessions') throw unknownNameError(`value of ${what}`, name, ['sessions']);
  for (const key of parameters.keys())
    if (key !== 'pause') throw unknownNameError('parameter of sessions', key, ['pause']);
  const pause = parameters.get('pause');
  if (pause === undefined) return DEFAULT_SESSION_PAUSE_SECONDS;
  return parseNumber(pause, `pause of ${what}`, { atLeast: 0, isTime: true });
}

/** Records of a log, and the earlier record on which each depends; -1: none. */
interface RecordsWithDependencies {
  readonly kept: Trace;
  readonly preceding: Int32Array;
}

/**
 * Finds the sessions of a log: a record depends on that of its user's earlier ones that had ended last when it was
 * submitted, if that was at most `pause` seconds before. The pause between them is its think time. Records without a
 * user, and ends of records without a wait or runtime, do not count; of ends at one time that of the later record does.
 * @param sorted records in the order of submits; fields 17 and 18 are replaced in the result.
 */
export function findSessionsOfLog(sorted: Trace, pause: number): RecordsWithDependencies {
  const { submit, wait, runtime, user, job } = sorted.columns;
  const isEndTimeKnown = (record: number) =>
    wait[record]! >= 0 && runtime[record]! >= 0 && user[record]! >= 0;
  const endTimeOf = (record: number) => submit[record]! + wait[record]! + runtime[record]!;
  const recordsByEnd = Array.from({ length: sorted.count }, (_, record) => record)
    .filter(isEndTimeKnown)
    .sort((a, b) => endTimeOf(a) - endTimeOf(b) || a - b);
  const lastEndedByUser = new Map<number, number>();
  const preceding = new Int32Array(sorted.count).fill(-1);
  const precedingJob = new Float64Array(sorted.count).fill(-1);
  const thinkTime = new Float64Array(sorted.count).fill(-1);
  let next = 0;
  for (let record = 0; record < sorted.count; record++) {
    const now = submit[record]!;
    for (; next < recordsByEnd.length && endTimeOf(recordsByEnd[next]!) <= now; next++)
      lastEndedByUser.set(user[recordsByEnd[next]!]!, recordsByEnd[next]!);
    const earlier = user[record]! < 0 ? undefined : lastEndedByUser.get(user[record]!);
    if (earlier === undefined || earlier >= record || now - endTimeOf(earlier) > pause) continue;
    preceding[record] = earlier;
    precedingJob[record] = job[earlier]!;
    thinkTime[record] = now - endTimeOf(earlier);
  }
  if (preceding.every((earlier) => earlier < 0)) {
    throw new InputError(
      `${printableSourceName(sorted.source)}: no job was submitted within ${pause} s of the end of an earlier job of its user ` +
        '(the log may lack users or waits); give a longer pause, or omit the dependencies',
    );
  }
  return {
    kept: { ...sorted, columns: replaceTraceColumns(sorted.columns, { precedingJob, thinkTime }) },
    preceding,
  };
}
