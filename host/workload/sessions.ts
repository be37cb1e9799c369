/** Sessions of users: jobs submitted soon after the end of an earlier job of the same user. */

import { InputError } from '../errors.js';
import { makePrintableSourceName } from '../format/text.js';
import { makeUnknownNameError, parseNotation, parseNumber } from '../notation.js';
import { replaceTraceColumns } from '../trace/columns.js';
import type { Trace } from '../trace/trace.js';

/** Default maximum pause within a session in seconds; Zakay and Feitelson 2014 use 20 minutes. */
const DEFAULT_SESSION_PAUSE_SECONDS = 1200;

/**
 * Parses `sessions[pause=1200]`; the pause may have a unit, such as 20min.
 * @returns maximum pause within a session in seconds.
 * @throws InputError for an unknown name or parameter, and an invalid or negative pause.
 */
export function parseSessionsNotation(sessionsText: string, errorContext: string): number {
  const { name: notationName, parameters } = parseNotation(sessionsText);
  if (notationName !== 'sessions')
    throw makeUnknownNameError(`value of ${errorContext}`, notationName, ['sessions']);
  for (const key of parameters.keys())
    if (key !== 'pause') throw makeUnknownNameError('parameter of sessions', key, ['pause']);
  const pause = parameters.get('pause');
  if (pause === undefined) return DEFAULT_SESSION_PAUSE_SECONDS;
  return parseNumber(pause, `pause of ${errorContext}`, { atLeast: 0, isTime: true });
}

/** Records of a log, and the earlier record on which each depends; -1: none. */
interface RecordsWithDependencies {
  readonly records: Trace;
  readonly preceding: Int32Array;
}

/**
 * Finds the sessions of a log. A record depends on the user's earlier record that had ended last at its
 * submission, if at most `pause` seconds before; the pause is its think time. Records without a user, and
 * ends without a known wait or runtime, do not count; of simultaneous ends, the later record counts.
 * @param sortedLog records in submit order; fields 17 and 18 are replaced in the result.
 */
export function findSessionsOfLog(sortedLog: Trace, pause: number): RecordsWithDependencies {
  const { submit, wait, runtime, user, job } = sortedLog.columns;
  const isEndTimeKnown = (record: number) =>
    wait[record]! >= 0 && runtime[record]! >= 0 && user[record]! >= 0;
  const endTimeOf = (record: number) => submit[record]! + wait[record]! + runtime[record]!;
  const recordsInOrderOfEnd = Array.from({ length: sortedLog.count }, (_, record) => record)
    .filter(isEndTimeKnown)
    .sort((a, b) => endTimeOf(a) - endTimeOf(b) || a - b);
  const lastEndedRecordByUser = new Map<number, number>();
  const preceding = new Int32Array(sortedLog.count).fill(-1);
  const precedingJob = new Float64Array(sortedLog.count).fill(-1);
  const thinkTime = new Float64Array(sortedLog.count).fill(-1);
  let nextEndIndex = 0;
  for (let record = 0; record < sortedLog.count; record++) {
    const now = submit[record]!;
    for (
      ;
      nextEndIndex < recordsInOrderOfEnd.length && endTimeOf(recordsInOrderOfEnd[nextEndIndex]!) <= now;
      nextEndIndex++
    )
      lastEndedRecordByUser.set(
        user[recordsInOrderOfEnd[nextEndIndex]!]!,
        recordsInOrderOfEnd[nextEndIndex]!,
      );
    const earlier = user[record]! < 0 ? undefined : lastEndedRecordByUser.get(user[record]!);
    if (earlier === undefined || earlier >= record || now - endTimeOf(earlier) > pause) continue;
    preceding[record] = earlier;
    precedingJob[record] = job[earlier]!;
    thinkTime[record] = now - endTimeOf(earlier);
  }
  if (preceding.every((earlier) => earlier < 0)) {
    throw new InputError(
      `${makePrintableSourceName(sortedLog.source)}: no job was submitted within ${pause} s of the end of an earlier job of its user ` +
        '(the log may lack users or waits); give a longer pause, or omit the dependencies',
    );
  }
  return {
    records: { ...sortedLog, columns: replaceTraceColumns(sortedLog.columns, { precedingJob, thinkTime }) },
    preceding,
  };
}
