/** Moving the clock of a log. */
import { parseHeader, withEntry } from './header.js';
import type { Trace } from './trace.js';

/** The earliest of some times in whole seconds, to be taken off all of them; 0 for none. */
export function clockZero(submit: Float64Array): number {
  return submit.length === 0
    ? 0
    : Math.floor(submit.reduce((least, time) => Math.min(least, time), Infinity));
}

/** The log with its first submit in second 0; UnixStartTime, where the header has it, moves along, so that dates stay. */
export function rebaseTrace(trace: Trace): Trace {
  const { header, columns } = trace;
  const zero = clockZero(columns.submit);
  const submit = columns.submit.map((time) => time - zero);
  return { ...trace, header: movedHeader(header, zero), columns: { ...columns, submit } };
}

/** A header whose clock begins so many seconds later. */
export function movedHeader(header: Trace['header'], seconds: number): Trace['header'] {
  const { lines, unixStartTime } = header;
  if (unixStartTime === undefined || seconds === 0) return header;
  return parseHeader(withEntry(lines, 'UnixStartTime', unixStartTime + seconds));
}
