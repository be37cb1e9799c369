/** The records of a log by submit time. */
import { stableOrder } from '../math/stableOrder.js';
import { takeRecords } from './columns.js';
import type { Trace } from './trace.js';

/** The same records by submit time; records of the same time keep their order. The log itself where it is in order. */
export function sortBySubmit(trace: Trace): Trace {
  const { submit } = trace.columns;
  let at = 1;
  while (at < submit.length && submit[at] >= submit[at - 1]) at++;
  if (at >= submit.length) return trace;
  return { ...trace, columns: takeRecords(trace.columns, stableOrder(submit)) };
}
