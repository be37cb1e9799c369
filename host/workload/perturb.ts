/**
 * Random perturbation of logs: shaking (Tsafrir, Ouaknine and Feitelson 2007) or resampling (after Zakay and
 * Feitelson 2014). The random numbers of a record depend on its position, so that equal logs and seeds give
 * equal results everywhere.
 */

import { checkArgument } from '../arguments.js';
import { InputError } from '../errors.js';
import { formatDuration, formatNumber } from '../format/numbers.js';
import { printableSourceName } from '../format/text.js';
import { uniformNumberOfSeed } from '../math/random.js';
import { stableSortOrder } from '../math/stableOrder.js';
import {
  type NumberRange,
  parseNotation,
  parseNumber,
  parseWholeNumber,
  printNotation,
  unknownNameError,
} from '../notation.js';
import {
  isCancelledBeforeStart,
  processorsOfLogRecord,
  replaceTraceColumns,
  sortBySubmit,
} from '../trace/columns.js';
import { nameOfLogNumber, type Trace } from '../trace/trace.js';

type ShakeParameters = Extract<Perturbation, { kind: 'shake' }>;
type ResampleParameters = Extract<Perturbation, { kind: 'resample' }>;

/**
 * Perturbs the submit times of a log and, for `shake`, the runtimes; other fields stay with their record.
 * Records stay in submit order, ties in the original order. Records without runtime or processors cannot run;
 * they are unchanged and do not influence the others.
 * @throws InputError for resampling by users, groups, queues or partitions that are all unknown, and for logs
 * shorter than two blocks.
 * @example
 * const shaken = perturbTrace(trace, parsePerturbation('shake[submit=0]'));
 * console.log(shaken.columns.submit.every((time, i) => time === trace.columns.submit[i])); // true
 */
export function perturbTrace(trace: Trace, perturbation: Perturbation): Trace {
  checkArgument(trace, 'trace', 'perturbTrace, trace');
  checkArgument(perturbation, 'perturbation', 'perturbTrace, perturbation');
  return perturbRecords(trace, perturbation, false);
}

/**
 * Perturbs a log like `perturbTrace`.
 * @param hasCancelled true if records cancelled before they started can run.
 */
export function perturbRecords(trace: Trace, perturbation: Perturbation, hasCancelled: boolean): Trace {
  const sorted = sortBySubmit(trace);
  return sortBySubmit({
    ...sorted,
    columns: replaceTraceColumns(sorted.columns, perturbColumnsOfRecords(sorted, perturbation, hasCancelled)),
  });
}

/**
 * Perturbs records in submit order that depend on others. A shaken job stays behind its preceding job; in a
 * resampled log, a job no longer depends on one that now comes later.
 * @param preceding earlier record on which each record depends; -1: none.
 * @returns the perturbed log, and the new preceding records.
 * @throws InputError as `perturbTrace`, and for histories that depend on each other.
 */
export function perturbDependentJobs(
  trace: Trace,
  perturbation: Perturbation,
  preceding: Int32Array,
  hasCancelled = false,
): { readonly kept: Trace; readonly preceding: Int32Array } {
  const changes = perturbColumnsOfRecords(trace, perturbation, hasCancelled, preceding);
  const changed = { ...trace, columns: replaceTraceColumns(trace.columns, changes) };
  const order = stableSortOrder(changed.columns.submit);
  const places = new Int32Array(trace.count);
  order.forEach((record, place) => {
    places[record] = place;
  });
  return {
    kept: sortBySubmit(changed),
    preceding: Int32Array.from(order, (record, place) => {
      const earlier = preceding[record]!;
      return earlier >= 0 && places[earlier]! < place ? places[earlier]! : -1;
    }),
  };
}

function perturbColumnsOfRecords(
  sorted: Trace,
  perturbation: Perturbation,
  hasCancelled: boolean,
  preceding?: Int32Array,
): Partial<Trace['columns']> {
  const records = positionsOfRunnableRecords(sorted, hasCancelled);
  return perturbation.kind === 'shake'
    ? shakeRecords(sorted, records, perturbation, preceding)
    : resampleRecords(sorted, records, perturbation, preceding);
}

/** Indices of the records that can run. */
function positionsOfRunnableRecords({ count, columns }: Trace, hasCancelled = false): Int32Array {
  const places = new Int32Array(count);
  let found = 0;
  for (let record = 0; record < count; record++) {
    const isJob = columns.runtime[record]! > 0 || (hasCancelled && isCancelledBeforeStart(columns, record));
    if (isJob && processorsOfLogRecord(columns, record) > 0) places[found++] = record;
  }
  return places.subarray(0, found);
}

function shakeRecords(
  trace: Trace,
  records: Int32Array,
  { submit: most, runtime: share, seed }: ShakeParameters,
  preceding?: Int32Array,
): Partial<Trace['columns']> {
  const { submit, runtime, requestedTime } = trace.columns;
  const moved = submit.slice();
  for (let i = 0; i < records.length; i++) {
    const steps = Math.floor(uniformNumberOfSeed(seed, 2 * i + 1) * (2 * most + 1));
    moved[records[i]!] = Math.max(0, submit[records[i]!]! + steps - most);
  }
  preceding?.forEach((earlier, record) => {
    if (earlier >= 0) moved[record] = Math.max(moved[record]!, moved[earlier]!);
  });
  if (share === 0) return { submit: moved };
  const changed = runtime.slice();
  for (let i = 0; i < records.length; i++) {
    const [time, requested] = [runtime[records[i]!]!, requestedTime[records[i]!]!];
    if (!(time > 0)) continue;
    // A perturbed runtime above the request could only be cut, since machines end jobs then, and the mean would drift.
    if (time <= requested && time * (1 + share) > requested) continue;
    const other = time * (1 + share * (2 * uniformNumberOfSeed(seed, 2 * i + 2) - 1));
    changed[records[i]!] = Number.isInteger(time) ? Math.max(1, Math.floor(other + 0.5)) : other;
  }
  return { submit: moved, runtime: changed };
}

/**
 * First submission of records in submit order, and the number of complete blocks of given length in seconds.
 */
function wholeTimeBlocksOfRecords(
  submit: Float64Array,
  records: Int32Array,
  block: number,
): { first: number; blocks: number } {
  const [first = 0, last = 0] =
    records.length === 0 ? [] : [submit[records[0]!], submit[records[records.length - 1]!]];
  return { first, blocks: Math.floor((last - first) / block) };
}

/** Number shared by all unknown owners of records; smaller than all others. */
const NUMBER_OF_UNKNOWN_OWNER = -1;

function resampleRecords(
  trace: Trace,
  records: Int32Array,
  { by, block, seed }: ResampleParameters,
  preceding?: Int32Array,
): Partial<Trace['columns']> {
  const { submit, [by]: numbers } = trace.columns;
  const ownerOfRecord = (record: number) => Math.max(NUMBER_OF_UNKNOWN_OWNER, numbers[record]!);
  const known = new Set<number>();
  for (const record of records) known.add(ownerOfRecord(record));
  const owners = [...known].sort((a, b) => a - b);
  if (owners.length === 1 && owners[0] === NUMBER_OF_UNKNOWN_OWNER) {
    throw new InputError(
      `${printableSourceName(trace.source)}: no record says its ${by}, so there are no histories to recombine; take another ` +
        "'by', or shake the log",
    );
  }
  preceding?.forEach((earlier, record) => {
    if (earlier < 0 || ownerOfRecord(earlier) === ownerOfRecord(record)) return;
    const called = (at: number) => nameOfLogNumber(trace.header.names, 'job', trace.columns.job[at]!);
    throw new InputError(
      `${printableSourceName(trace.source)}: job ${called(record)} depends on job ${called(earlier)} of another ${by}, from which ` +
        'recombining their histories would part it; shake the log, or omit the dependencies',
    );
  });
  const { first, blocks } = wholeTimeBlocksOfRecords(submit, records, block);
  if (records.length > 0 && blocks < 2) {
    throw new InputError(
      `${printableSourceName(trace.source)} is shorter than two blocks of ${formatDuration(block)}, so that resample would leave it as it is; ` +
        "give a smaller 'block', or a longer log",
    );
  }
  const shiftsByOwner = new Map(
    owners.map((owner, k) => [owner, Math.floor(uniformNumberOfSeed(seed, k + 1) * blocks)]),
  );
  const moved = submit.slice();
  for (const record of records) {
    const at = Math.floor((submit[record]! - first) / block);
    if (at >= blocks) continue;
    const shift = shiftsByOwner.get(ownerOfRecord(record)) as number;
    moved[record] = submit[record]! + (((at + shift) % blocks) - at) * block;
  }
  return { submit: moved };
}

/** Remark for readers on a perturbation of this log; undefined if there is none. */
export function remarkOnPerturbation(trace: Trace, perturbation: Perturbation): string | undefined {
  if (perturbation.kind === 'shake') return undefined;
  const { by } = perturbation;
  const records = positionsOfRunnableRecords(trace);
  const numbers = trace.columns[by];
  const unknown = records.reduce((count, record) => count + Number(numbers[record]! < 0), 0);
  if (unknown === 0) return undefined;
  return `${printableSourceName(trace.source)}: ${formatNumber(unknown)} of ${formatNumber(records.length)} records do not say their ${by}; they are recombined as those of one`;
}

/** Fields by which records can be grouped for resampling. */
const BLOCK_GROUPS = ['user', 'group', 'queue', 'partition'] as const;

/** Perturbation of the records of a log, applied by `perturbTrace`. */
export type Perturbation =
  /** Shaking: small random changes of every submit time and runtime. */
  | {
      readonly kind: 'shake';
      /** Maximum shift of submissions in whole seconds. */
      readonly submit: number;
      /** Maximum relative change of runtimes, below 1. */
      readonly runtime: number;
      readonly seed: number;
    }
  /** Resampling: the histories of users are recombined, block by block. */
  | {
      readonly kind: 'resample';
      readonly by: (typeof BLOCK_GROUPS)[number];
      /** Block length in whole seconds; default: a week, which preserves weekday and hour. */
      readonly block: number;
      readonly seed: number;
    };

/** Default parameters of perturbations. */
export const DEFAULT_PERTURBATION_PARAMETERS = {
  shake: { kind: 'shake', submit: 30, runtime: 0, seed: 1 },
  resample: { kind: 'resample', by: 'user', block: 604_800, seed: 1 },
} as const satisfies { readonly [Kind in Perturbation['kind']]: Extract<Perturbation, { kind: Kind }> };

const PERTURBATION_PARAMETER_RANGES: Readonly<Record<string, NumberRange>> = {
  submit: { atLeast: 0, atMost: 2 ** 52 - 1, isTime: true },
  block: { atLeast: 1, isTime: true },
  seed: { atLeast: 0 },
};

/**
 * Parses `shake[submit=30,runtime=0,seed=1]` or `resample[by=user,block=604800,seed=1]`; these are also the
 * defaults.
 * @throws InputError for an unknown name or parameter, or an invalid value.
 * @example
 * console.log(parsePerturbation('resample[seed=7]').seed); // 7
 */
export function parsePerturbation(text: string): Perturbation {
  checkArgument(text, 'text', 'parsePerturbation');
  const { name, parameters } = parseNotation(text);
  if (!Object.hasOwn(DEFAULT_PERTURBATION_PARAMETERS, name)) {
    throw unknownNameError('perturbation', name, Object.keys(DEFAULT_PERTURBATION_PARAMETERS));
  }
  const { kind, ...defaultValue } = DEFAULT_PERTURBATION_PARAMETERS[name as Perturbation['kind']];
  const known = Object.keys(defaultValue);
  const input = [...parameters].map(([key, value]) => {
    if (!known.includes(key)) throw unknownNameError(`parameter of ${name}`, key, known);
    return [key, parsePerturbationParameter(key, value, `${key} of ${name}`)];
  });
  return { kind, ...defaultValue, ...Object.fromEntries(input) };
}

function parsePerturbationParameter(key: string, value: string, errorContext: string): string | number {
  if (key === 'by') {
    if (!(BLOCK_GROUPS as readonly string[]).includes(value))
      throw unknownNameError(`value of ${errorContext}`, value, BLOCK_GROUPS);
    return value;
  }
  if (key !== 'runtime') return parseWholeNumber(value, errorContext, PERTURBATION_PARAMETER_RANGES[key]);
  const share = parseNumber(value, errorContext, { atLeast: 0 });
  if (share < 1) return share;
  throw new InputError(
    `${errorContext}: expected a share below 1, since a runtime stays above 0, found ${value}`,
  );
}

/**
 * Formats a perturbation with all parameters, for `parsePerturbation`.
 * @example
 * console.log(printPerturbation(parsePerturbation('shake'))); // shake[submit=30,runtime=0,seed=1]
 */
export function printPerturbation(perturbation: Perturbation): string {
  checkArgument(perturbation, 'perturbation', 'printPerturbation');
  const { kind, ...parameters } = perturbation;
  return printNotation(kind, Object.entries(parameters));
}

/**
 * Seed for replication r = 1, 2, ...: increased by r - 1, so that larger experiments contain the replications
 * of smaller ones.
 */
export function shiftSeedForReplication(seed: number, replication: number): number {
  const moved = seed + (replication - 1);
  if (Number.isSafeInteger(moved)) return moved;
  throw new InputError(`seed ${seed} of replication ${replication} is above ${Number.MAX_SAFE_INTEGER}`);
}

/**
 * Sets the seed in a notation `name[...]` for replication r = 1, 2, ...: the given seed (default 1) plus r -
 * 1.
 */
export function shiftSeedInNotation(text: string, replication: number): string {
  const { name, parameters } = parseNotation(text);
  const seed = parseWholeNumber(
    parameters.get('seed') ?? '1',
    `seed of ${name}`,
    PERTURBATION_PARAMETER_RANGES.seed,
  );
  return printNotation(
    name,
    new Map([...parameters, ['seed', `${shiftSeedForReplication(seed, replication)}`]]),
  );
}
