/** Jobs that are submitted only after another has ended, as fields 17 and 18 of a log say. */
import { InputError } from '../errors.js';
import { countOf, formatNumber } from '../format/numbers.js';
import { namesJob } from '../trace/columns.js';
import { sourceName } from '../trace/quote.js';
import type { Trace } from '../trace/trace.js';
import type { Pieces } from './pieces.js';
import type { Dependencies, DependencyCounts, Workload } from './workload.js';

/** Those that name a preceding job and depend on none: how many, by what became of that job. */
function countDependencies(
  read: Trace,
  kept: Trace,
  preceding: Int32Array,
  isLeft: (record: number) => boolean,
): DependencyCounts {
  const counts = { jobs: 0, unknown: 0, dropped: 0, later: 0 };
  const inLog = new Set(read.columns.job);
  const { job, precedingJob } = kept.columns;
  const numbers = new Set(job.filter((_, record) => isLeft(record)));
  for (let record = 0; record < kept.count; record++) {
    const number = precedingJob[record]!;
    if (!namesJob(number) || !isLeft(record)) continue;
    if (preceding[record]! >= 0 && isLeft(preceding[record]!)) counts.jobs++;
    else if (numbers.has(number)) counts.later++;
    else if (inLog.has(number)) counts.dropped++;
    else counts.unknown++;
  }
  return counts;
}

/**
 * The dependencies of jobs made from the records of a log.
 * @param read the log, whose records are known even where they were dropped.
 * @param kept those that were not, in submit order, to which `preceding` and `pieces` refer.
 * @param preceding the earlier record that each depends on; -1: none.
 * @throws InputError where no record names a preceding job.
 */
export function dependenciesOf(
  read: Trace,
  kept: Trace,
  preceding: Int32Array,
  { record }: Pieces,
): { dependencies: Dependencies; counts: DependencyCounts } {
  const names = (each: number) => namesJob(kept.columns.precedingJob[each]!);
  if (!record.some(names)) {
    throw new InputError(
      `${sourceName(read.source)}: no job names a preceding job (field 17) after whose end it would be submitted; ` +
        'leave the dependencies out',
    );
  }
  // Pieces of a record stand together.
  const first = new Int32Array(kept.count).fill(-1);
  for (let i = record.length - 1; i >= 0; i--) first[record[i]!] = i;
  const { thinkTime } = kept.columns;
  const firstOf = (each: number) => (each < 0 ? -1 : first[each]!);
  return {
    dependencies: {
      preceding: Int32Array.from(record, (each) => firstOf(preceding[each]!)),
      thinkTime: Float64Array.from(record, (each) => Math.max(0, thinkTime[each]!)),
      firstPiece: Int32Array.from(record, firstOf),
    },
    counts: countDependencies(read, kept, preceding, (each) => first[each]! >= 0),
  };
}

/** On how many jobs others depend, and whose preceding job is not there, in a sentence; undefined without dependencies. */
export function dependencyRemark({
  name,
  accounting,
}: Pick<Workload, 'name' | 'accounting'>): string | undefined {
  const { dependencies, kept } = accounting;
  if (dependencies === undefined) return undefined;
  const { jobs, unknown, dropped, later } = dependencies;
  const none = unknown + dropped + later;
  const why = [
    [unknown, 'not in the log'],
    [dropped, 'dropped'],
    [later, 'no earlier job'],
  ] as const;
  const reasons = why.flatMap(([count, what]) => (count > 0 ? [`${formatNumber(count)} ${what}`] : []));
  return (
    `${sourceName(name)}: ${formatNumber(jobs)} of ${countOf(kept, 'job')} ${jobs === 1 ? 'is' : 'are'} submitted after ` +
    'the end of another' +
    (none === 0
      ? ''
      : `; the preceding jobs of ${formatNumber(none)} more are not there (${reasons.join(', ')})`)
  );
}
