/** Refuses workloads of which no job is left. */
import { InputError } from '../errors.js';
import { formatNumber } from '../format/numbers.js';
import { describeDropRule } from '../trace/filter.js';
import type { Trace } from '../trace/trace.js';
import type { Accounting } from './workload.js';

/** @throws InputError if no job is left, or every one is cancelled. */
export function checkAnyJobRemains(trace: Pick<Trace, 'source'>, accounting: Accounting): void {
  const { kept: keptCount, cancelled = 0 } = accounting;
  if (keptCount === 0) throw makeNoJobsError(trace, accounting);
  if (keptCount === cancelled) throw makeAllCancelledError(trace);
}

function makeNoJobsError(
  trace: Pick<Trace, 'source'>,
  { read: readCount, dropped: droppedRecords }: Accounting,
): InputError {
  const rules = droppedRecords
    .filter(({ count: recordCount }) => recordCount > 0)
    .map(({ rule, count: recordCount }) => `${describeDropRule(rule)} ${formatNumber(recordCount)}`);
  const isRuntimeRuleUsed = droppedRecords.some(({ rule, count }) => rule === 'runtime' && count > 0);
  return new InputError(
    `${trace.source}: no job is left to simulate; records read: ${formatNumber(readCount)}` +
      (rules.length === 0 ? '' : `, dropped by rule: ${rules.join(', ')}`) +
      (isRuntimeRuleUsed ? '; the rule runtime drops jobs that ran 0 s or an unknown time' : ''),
  );
}

function makeAllCancelledError({ source: traceSource }: Pick<Trace, 'source'>): InputError {
  return new InputError(`${traceSource}: every job is cancelled, so no mean has a job; omit --cancelled`);
}
