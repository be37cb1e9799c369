/**
 * Random perturbation of logs: shaking (Tsafrir, Ouaknine and Feitelson 2007) or resampling (after Zakay and
 * Feitelson 2014). The random numbers of a record depend on its position, so that equal logs and seeds give
 * equal results everywhere.
 */

import { checkArgument } from '../arguments.js';
import { InputError } from '../errors.js';
import { formatDuration, formatNumber } from '../format/numbers.js';
import { makePrintableSourceName } from '../format/text.js';
import { computeUniformNumberOfSeed } from '../math/random.js';
import { computeStableSortOrder } from '../math/stableOrder.js';
import {
  makeUnknownNameError,
  type NumberRange,
  parseNotation,
  parseNumber,
  parseWholeNumber,
  printNotation,
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
 * @param includesCancelledJobs true if records cancelled before they started can run.
 */
export function perturbRecords(
  trace: Trace,
  perturbation: Perturbation,
  includesCancelledJobs: boolean,
): Trace {
  const sortedLog = sortBySubmit(trace);
  return sortBySubmit({
    ...sortedLog,
    columns: replaceTraceColumns(
      sortedLog.columns,
      perturbColumnsOfRecords(sortedLog, perturbation, includesCancelledJobs),
    ),
  });
}

/**
 * Perturbs records in submit order that depend on earlier records. A shaken job is not submitted before its
 * preceding job. In a resampled log, a job no longer depends on one that now comes later.
 * @param preceding earlier record on which each record depends; -1: none.
 * @returns the perturbed log, and the preceding record of each record in it.
 * @throws InputError like `perturbTrace`, and for histories of different owners that depend on each other.
 */
export function perturbDependentJobs(
  trace: Trace,
  perturbation: Perturbation,
  preceding: Int32Array,
  hasCancelled = false,
): { readonly records: Trace; readonly preceding: Int32Array } {
  const changes = perturbColumnsOfRecords(trace, perturbation, hasCancelled, preceding);
  const perturbedTrace = { ...trace, columns: replaceTraceColumns(trace.columns, changes) };
  const order = computeStableSortOrder(perturbedTrace.columns.submit);
  const positions = new Int32Array(trace.count);
  order.forEach((record, position) => {
    positions[record] = position;
  });
  return {
    records: sortBySubmit(perturbedTrace),
    preceding: Int32Array.from(order, (record, position) => {
      const earlier = preceding[record]!;
      return earlier >= 0 && positions[earlier]! < position ? positions[earlier]! : -1;
    }),
  };
}

function perturbColumnsOfRecords(
  sortedLog: Trace,
  perturbation: Perturbation,
  includesCancelledJobs: boolean,
  preceding?: Int32Array,
): Partial<Trace['columns']> {
  const runnablePositions = findPositionsOfRunnableRecords(sortedLog, includesCancelledJobs);
  return perturbation.kind === 'shake'
    ? shakeRecords(sortedLog, runnablePositions, perturbation, preceding)
    : resampleRecords(sortedLog, runnablePositions, perturbation, preceding);
}

/** Indices of the records that can run. */
function findPositionsOfRunnableRecords(
  { count: recordCount, columns: swfColumns }: Trace,
  hasCancelled = false,
): Int32Array {
  const positions = new Int32Array(recordCount);
  let runnableCount = 0;
  for (let record = 0; record < recordCount; record++) {
    const isRunnableJob =
      swfColumns.runtime[record]! > 0 || (hasCancelled && isCancelledBeforeStart(swfColumns, record));
    if (isRunnableJob && processorsOfLogRecord(swfColumns, record) > 0) positions[runnableCount++] = record;
  }
  return positions.subarray(0, runnableCount);
}

function shakeRecords(
  trace: Trace,
  recordPositions: Int32Array,
  { submit: maxShift, runtime: maxRuntimeChange, seed }: ShakeParameters,
  preceding?: Int32Array,
): Partial<Trace['columns']> {
  const { submit, runtime, requestedTime } = trace.columns;
  const newSubmitTimes = submit.slice();
  for (let i = 0; i < recordPositions.length; i++) {
    const shift = Math.floor(computeUniformNumberOfSeed(seed, 2 * i + 1) * (2 * maxShift + 1));
    newSubmitTimes[recordPositions[i]!] = Math.max(0, submit[recordPositions[i]!]! + shift - maxShift);
  }
  preceding?.forEach((earlier, record) => {
    if (earlier >= 0) newSubmitTimes[record] = Math.max(newSubmitTimes[record]!, newSubmitTimes[earlier]!);
  });
  if (maxRuntimeChange === 0) return { submit: newSubmitTimes };
  const newRuntimes = runtime.slice();
  for (let i = 0; i < recordPositions.length; i++) {
    const [time, requested] = [runtime[recordPositions[i]!]!, requestedTime[recordPositions[i]!]!];
    if (!(time > 0)) continue;
    // A perturbed runtime above the request could only be cut, since machines end jobs then, and the mean would drift.
    if (time <= requested && time * (1 + maxRuntimeChange) > requested) continue;
    const perturbedRuntime =
      time * (1 + maxRuntimeChange * (2 * computeUniformNumberOfSeed(seed, 2 * i + 2) - 1));
    newRuntimes[recordPositions[i]!] = Number.isInteger(time)
      ? Math.max(1, Math.floor(perturbedRuntime + 0.5))
      : perturbedRuntime;
  }
  return { submit: newSubmitTimes, runtime: newRuntimes };
}

/**
 * Time in seconds of the first submission, and number of complete blocks of `blockSeconds` up to the last
 * one.
 */
function countWholeTimeBlocksOfRecords(
  submit: Float64Array,
  recordPositions: Int32Array,
  blockSeconds: number,
): { first: number; blocks: number } {
  const [first = 0, last = 0] =
    recordPositions.length === 0
      ? []
      : [submit[recordPositions[0]!], submit[recordPositions[recordPositions.length - 1]!]];
  return { first, blocks: Math.floor((last - first) / blockSeconds) };
}

/** Number shared by all unknown owners of records; smaller than all others. */
const UNKNOWN_OWNER_NUMBER = -1;

function resampleRecords(
  trace: Trace,
  recordIndices: Int32Array,
  { by, block, seed }: ResampleParameters,
  preceding?: Int32Array,
): Partial<Trace['columns']> {
  const { submit, [by]: ownerNumbers } = trace.columns;
  const ownerOfRecord = (record: number) => Math.max(UNKNOWN_OWNER_NUMBER, ownerNumbers[record]!);
  const ownerNumbersOfRecords = new Set<number>();
  for (const record of recordIndices) ownerNumbersOfRecords.add(ownerOfRecord(record));
  const owners = [...ownerNumbersOfRecords].sort((a, b) => a - b);
  if (owners.length === 1 && owners[0] === UNKNOWN_OWNER_NUMBER) {
    throw new InputError(
      `${makePrintableSourceName(trace.source)}: no record says its ${by}, so there are no histories to recombine; take another ` +
        "'by', or shake the log",
    );
  }
  preceding?.forEach((earlier, record) => {
    if (earlier < 0 || ownerOfRecord(earlier) === ownerOfRecord(record)) return;
    const jobNameOfRecord = (recordIndex: number) =>
      nameOfLogNumber(trace.header.names, 'job', trace.columns.job[recordIndex]!);
    throw new InputError(
      `${makePrintableSourceName(trace.source)}: job ${jobNameOfRecord(record)} depends on job ${jobNameOfRecord(earlier)} of another ${by}, from which ` +
        'recombining their histories would part it; shake the log, or omit the dependencies',
    );
  });
  const { first, blocks } = countWholeTimeBlocksOfRecords(submit, recordIndices, block);
  if (recordIndices.length > 0 && blocks < 2) {
    throw new InputError(
      `${makePrintableSourceName(trace.source)} is shorter than two blocks of ${formatDuration(block)}, so that resample would leave it as it is; ` +
        "give a smaller 'block', or a longer log",
    );
  }
  const blockShiftByOwner = new Map(
    owners.map((owner, k) => [owner, Math.floor(computeUniformNumberOfSeed(seed, k + 1) * blocks)]),
  );
  const newSubmitTimes = submit.slice();
  for (const record of recordIndices) {
    const blockIndex = Math.floor((submit[record]! - first) / block);
    if (blockIndex >= blocks) continue;
    const shift = blockShiftByOwner.get(ownerOfRecord(record)) as number;
    newSubmitTimes[record] = submit[record]! + (((blockIndex + shift) % blocks) - blockIndex) * block;
  }
  return { submit: newSubmitTimes };
}

/**
 * Remark that resampling treats all records without an owner as those of one owner; undefined if every record
 * has one.
 */
export function remarkOnPerturbation(trace: Trace, perturbation: Perturbation): string | undefined {
  if (perturbation.kind === 'shake') return undefined;
  const { by } = perturbation;
  const runnablePositions = findPositionsOfRunnableRecords(trace);
  const ownerNumbers = trace.columns[by];
  const unknownCount = runnablePositions.reduce(
    (unknownRecordCount, record) => unknownRecordCount + Number(ownerNumbers[record]! < 0),
    0,
  );
  if (unknownCount === 0) return undefined;
  return `${makePrintableSourceName(trace.source)}: ${formatNumber(unknownCount)} of ${formatNumber(runnablePositions.length)} records do not say their ${by}; they are recombined as those of one`;
}

/** Fields by which records can be grouped for resampling; each group's history is recombined on its own. */
const RESAMPLING_FIELDS = ['user', 'group', 'queue', 'partition'] as const;

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
      readonly by: (typeof RESAMPLING_FIELDS)[number];
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
  const { name: notationName, parameters } = parseNotation(text);
  if (!Object.hasOwn(DEFAULT_PERTURBATION_PARAMETERS, notationName)) {
    throw makeUnknownNameError('perturbation', notationName, Object.keys(DEFAULT_PERTURBATION_PARAMETERS));
  }
  const { kind, ...defaultParameters } =
    DEFAULT_PERTURBATION_PARAMETERS[notationName as Perturbation['kind']];
  const parameterNames = Object.keys(defaultParameters);
  const parsedParameters = [...parameters].map(([key, valueText]) => {
    if (!parameterNames.includes(key))
      throw makeUnknownNameError(`parameter of ${notationName}`, key, parameterNames);
    return [key, parsePerturbationParameter(key, valueText, `${key} of ${notationName}`)];
  });
  return { kind, ...defaultParameters, ...Object.fromEntries(parsedParameters) };
}

function parsePerturbationParameter(
  parameterName: string,
  parameterText: string,
  errorContext: string,
): string | number {
  if (parameterName === 'by') {
    if (!(RESAMPLING_FIELDS as readonly string[]).includes(parameterText))
      throw makeUnknownNameError(`value of ${errorContext}`, parameterText, RESAMPLING_FIELDS);
    return parameterText;
  }
  if (parameterName !== 'runtime')
    return parseWholeNumber(parameterText, errorContext, PERTURBATION_PARAMETER_RANGES[parameterName]);
  const share = parseNumber(parameterText, errorContext, { atLeast: 0 });
  if (share < 1) return share;
  throw new InputError(
    `${errorContext}: expected a share below 1, since a runtime stays above 0, found ${parameterText}`,
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
  const shiftedSeed = seed + (replication - 1);
  if (Number.isSafeInteger(shiftedSeed)) return shiftedSeed;
  throw new InputError(`seed ${seed} of replication ${replication} is above ${Number.MAX_SAFE_INTEGER}`);
}

/**
 * Sets the seed in a notation `name[...]` for replication r = 1, 2, ...: the given seed (default 1) plus r -
 * 1.
 */
export function shiftSeedInNotation(notation: string, replication: number): string {
  const { name: notationName, parameters } = parseNotation(notation);
  const seed = parseWholeNumber(
    parameters.get('seed') ?? '1',
    `seed of ${notationName}`,
    PERTURBATION_PARAMETER_RANGES.seed,
  );
  return printNotation(
    notationName,
    new Map([...parameters, ['seed', `${shiftSeedForReplication(seed, replication)}`]]),
  );
}
