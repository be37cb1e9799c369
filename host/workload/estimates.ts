/** Sources of runtime estimates, and errors added to exact runtimes (Huang et al. 2009, Tables 4 and 5). */
import { checkArgument } from '../arguments.js';
import { FunctionError, InputError, MissingEstimatesError } from '../errors.js';
import { formatDuration, formatNumber } from '../format/numbers.js';
import { makePrintableSourceName } from '../format/text.js';
import { makeNormalStream, makeUniformStream } from '../math/random.js';
import {
  makeUnknownNameError,
  parseNotation,
  parseNumber,
  parseWholeNumber,
  printNotation,
  splitOutsideBrackets,
} from '../notation.js';
import { callUserFunctionForRows, findProvidedCode, isCodeFileName } from '../providedCode.js';
import { nameOfLogNumber } from '../trace/trace.js';
import type { RecentEstimates, Workload } from './workload.js';

/**
 * Names of the sources: requested times of the log, exact runtimes, exact runtimes with random errors,
 * runtimes of the user's recent jobs, or none.
 */
const ESTIMATE_SOURCES = ['trace', 'exact', 'uniform', 'normal', 'recent', 'none'] as const;

/** A source of runtime estimates. */
export type Estimates =
  | { readonly source: 'trace' | 'exact' | 'none' }
  /** Function in a file of this name. */
  | { readonly source: 'file'; readonly name: string }
  | ({ readonly source: 'recent' } & RecentEstimates)
  | {
      readonly source: 'uniform' | 'normal';
      /** Range r: errors lie in [-r, r] times the runtime. */
      readonly range: number;
      readonly seed: number;
    };

/** True if estimates change while jobs wait. */
export function areEstimatesRefreshed(estimates: Estimates | undefined): boolean {
  return estimates?.source === 'recent' && estimates.refresh === true;
}

/**
 * Parses a source of estimates: `trace`, `exact`, `none`, `uniform:0.2` or `normal:0.2` (optionally with a
 * seed behind another colon), `recent[n=2]`, `recent[n=2,refresh=yes]`, or the name of a file with a
 * function.
 * @throws InputError for a file that has not been read, an unknown word, and a range that is not positive or
 * could make estimates negative.
 * @example
 * console.log(parseEstimates('uniform:0.2:7')); // { source: 'uniform', range: 0.2, seed: 7 }
 */
export function parseEstimates(text: string): Estimates {
  checkArgument(text, 'text', 'parseEstimates');
  if (isCodeFileName(text)) return { source: 'file', name: findProvidedCode(text, 'estimates').name };
  if (splitOutsideBrackets(text, ',').length > 1) {
    throw new InputError(
      `estimates '${text}': expected one source; methods with different estimates are compared as --method 'easy, estimates=exact' --method 'easy, estimates=recent'`,
    );
  }
  if (/^recent\b/.test(text)) return parseRecentEstimatesNotation(text);
  const [source = '', rangeText, seed, ...extraParts] = text.split(':');
  if (!(ESTIMATE_SOURCES as readonly string[]).includes(source)) {
    throw makeUnknownNameError('source of estimates', source, ESTIMATE_SOURCES);
  }
  if (source === 'trace' || source === 'exact' || source === 'none') {
    if (rangeText !== undefined) throw new InputError(`estimates '${text}': ${source} takes no error range`);
    return { source };
  }
  if (rangeText === undefined || extraParts.length > 0) {
    throw new InputError(
      `estimates '${text}': expected an error range, such as ${source}:0.2 or ${source}:0.2:7`,
    );
  }
  const errorContext = `error range of the estimates '${text}'`;
  const errorRange = parseNumber(rangeText, errorContext, { above: 0 });
  // Normal errors are cut at the range, and the paper has one of 100 %; uniform ones stay below it.
  if (source === 'uniform' ? errorRange >= 1 : errorRange > 1) {
    const limitText = source === 'uniform' ? 'less than 1' : 'at most 1';
    throw new InputError(
      `${errorContext}: expected ${limitText}, since a runtime cannot be negative, found ${rangeText}`,
    );
  }
  return {
    source: source as 'uniform' | 'normal',
    range: errorRange,
    seed: seed === undefined ? 1 : parseWholeNumber(seed, `seed of the estimates '${text}'`),
  };
}

function parseRecentEstimatesNotation(recentEstimatesText: string): Estimates {
  const { name: notationName, parameters } = parseNotation(recentEstimatesText);
  if (notationName !== 'recent')
    throw makeUnknownNameError('source of estimates', notationName, ESTIMATE_SOURCES);
  const parameterNames = ['n', 'refresh'];
  for (const parameterName of parameters.keys()) {
    if (!parameterNames.includes(parameterName))
      throw makeUnknownNameError('parameter of recent', parameterName, parameterNames);
  }
  const n = parseWholeNumber(parameters.get('n') ?? '2', 'n of recent', { atLeast: 1, atMost: 999_999 });
  const refreshWord = parameters.get('refresh') ?? 'no';
  if (refreshWord !== 'yes' && refreshWord !== 'no')
    throw new InputError(`refresh of recent: expected yes or no, found '${refreshWord}'`);
  return { source: 'recent', n, ...(refreshWord === 'yes' && { refresh: true }) };
}

/** Formats a source of estimates. */
export function printEstimates(estimates: Estimates): string {
  if (estimates.source === 'recent') {
    return printNotation('recent', [
      ['n', estimates.n],
      ...(estimates.refresh ? [['refresh', 'yes'] as const] : []),
    ]);
  }
  if (estimates.source === 'file') return estimates.name;
  if (!('range' in estimates)) return estimates.source;
  const { source, range, seed } = estimates;
  return `${source}:${range}:${seed}`;
}

/** Remark that runtimes replace missing estimates of a workload; undefined if none are missing. */
export function remarkOnMissingEstimates({
  name: workloadName,
  accounting,
}: Pick<Workload, 'name' | 'accounting'>): string | undefined {
  const { withoutEstimate, kept: keptCount, unlimited } = accounting;
  if (unlimited !== undefined) {
    const timeText = formatDuration(unlimited.seconds);
    return `${makePrintableSourceName(workloadName)}: ${formatNumber(unlimited.jobs)} of ${formatNumber(keptCount)} jobs have no time limit; ${timeText} count as their request (--no-limit)`;
  }
  // Plans of older versions say nothing of it.
  if (!(withoutEstimate > 0)) return undefined;
  return `${makePrintableSourceName(workloadName)}: ${formatNumber(withoutEstimate)} of ${formatNumber(keptCount)} jobs have no requested time; their actual runtime is used instead`;
}

/**
 * Refuses a workload without requested times for a run that needs them.
 * @param remedy advice for the message.
 * @throws MissingEstimatesError with the advice.
 */
export function requireEstimates(
  { name: workloadName, accounting }: Pick<Workload, 'name' | 'accounting'>,
  remedy: string,
): void {
  const { withoutEstimate, kept: keptCount } = accounting;
  if (withoutEstimate === 0 || withoutEstimate < keptCount) return;
  throw new MissingEstimatesError(
    `${makePrintableSourceName(workloadName)}: none of the ${keptCount} jobs requests a time (field 9, requestedTime), by which this run decides; ${remedy}`,
  );
}

/**
 * Stream of relative errors: uniform in [-r, r], or normal with standard deviation r / 3, truncated to [-r,
 * r].
 */
function makeEstimateErrorStream({
  source,
  range,
  seed,
}: Extract<Estimates, { range: number }>): () => number {
  if (source === 'uniform') {
    const drawUniform = makeUniformStream(seed, 'estimates');
    return () => range * (2 * drawUniform() - 1);
  }
  const drawNormal = makeNormalStream(seed, 'estimates');
  return () => Math.min(range, Math.max(-range, (drawNormal() * range) / 3));
}

/**
 * Settings of estimates from recent jobs, with the users of all jobs numbered from 0 in order of appearance;
 * -1: unknown.
 */
function makeRecentEstimateSettings(
  { name: workloadName, count: jobCount, log }: Workload,
  estimates: Extract<Estimates, { source: 'recent' }>,
): NonNullable<Workload['recent']> {
  const userIndexByNumber = new Map<number, number>();
  const userIndexByJob = new Int32Array(jobCount).fill(-1);
  log?.user.forEach((user, job) => {
    if (user < 0) return;
    if (!userIndexByNumber.has(user)) userIndexByNumber.set(user, userIndexByNumber.size);
    userIndexByJob[job] = userIndexByNumber.get(user) as number;
  });
  const { source: _, ...recent } = estimates;
  if (userIndexByNumber.size > 0) return { ...recent, users: userIndexByJob };
  throw new InputError(
    `${makePrintableSourceName(workloadName)}: no job names its user (field 12), by whose earlier jobs ${printEstimates(estimates)} estimates; take other --estimates`,
  );
}

/** Attributes of a job available to a function of estimates. Times are in seconds; -1 means unknown. */
export interface EstimatedJob {
  readonly submit: number;
  /** Submit time of the first job of the workload. */
  readonly firstSubmit: number;
  /** Requested time in the log. */
  readonly requested: number;
  readonly processors: number;
  /** Number of the home site, from 1. */
  readonly home: number;
  readonly user: number;
  readonly group: number;
  readonly queue: number;
  /** Job number in the log. */
  readonly number: number;
}

/**
 * Computes estimates by the function of a file, called for each job in order of submission.
 * @throws FunctionError if a result is not a valid number of seconds.
 */
function computeEstimatesByCode(
  { name: logName, count: jobCount, log: logColumns, ...jobs }: Workload,
  file: string,
): Float64Array {
  const columnOfUnknownValues = new Float64Array(jobCount).fill(-1);
  const columns = {
    submit: jobs.submit,
    firstSubmit: new Float64Array(jobCount).fill(jobs.submit[0] ?? 0),
    requested: jobs.estimate,
    processors: jobs.processors,
    home: Float64Array.from(jobs.home, (site) => site + 1),
    user: logColumns?.user ?? columnOfUnknownValues,
    group: logColumns?.group ?? columnOfUnknownValues,
    queue: logColumns?.queue ?? columnOfUnknownValues,
    number: jobs.job,
  } satisfies Readonly<Record<keyof EstimatedJob, ArrayLike<number>>>;
  const answers = callUserFunctionForRows(file, 'estimates', { logName, count: jobCount, columns });
  const invalidJob = answers.findIndex((seconds) => !(seconds >= 0 && seconds < Infinity));
  if (invalidJob < 0) return answers;
  throw new FunctionError(
    `${file}, ${makePrintableSourceName(logName)}, job ${nameOfLogNumber(jobs.names, 'job', jobs.job[invalidJob]!)}: the estimate is ${answers[invalidJob]}, expected seconds of at least 0`,
  );
}

/**
 * Adds estimates from a source to a workload; `trace` leaves it unchanged, `none` marks runtimes as unknown.
 * Errors are drawn in job order; estimates from recent jobs depend on the schedule and are computed during
 * the simulation.
 * @throws InputError for `recent` if no job has a user.
 * @example
 * const guessed = withEstimates(workload, parseEstimates('uniform:0.2'));
 * console.log((guessed.estimate[0] / guessed.runtime[0]).toFixed(3)); // 0.867
 */
export function withEstimates(workload: Workload, estimates: Estimates): Workload {
  checkArgument(workload, 'workload', 'withEstimates, workload');
  checkArgument(estimates, 'estimates', 'withEstimates, estimates');
  return makeEstimator(estimates)(workload);
}

/**
 * Function that adds estimates from a source to workloads. Several workloads are consecutive parts of one
 * log: the random errors of the second continue the sequence of the first, as in one workload.
 */
export function makeEstimator(estimates: Estimates): (workload: Workload) => Workload {
  if (!('range' in estimates)) return (workload) => addEstimatesWithoutErrors(workload, estimates);
  const drawRelativeError = makeEstimateErrorStream(estimates);
  return (workload) => ({
    ...workload,
    accounting: { ...workload.accounting, withoutEstimate: 0 },
    estimate: workload.runtime.map((runtime) => runtime * (1 + drawRelativeError())),
  });
}

function addEstimatesWithoutErrors(
  workload: Workload,
  estimates: Exclude<Estimates, { readonly range: number }>,
): Workload {
  if (estimates.source === 'trace') return workload;
  const accounting = { ...workload.accounting, withoutEstimate: 0 };
  if (estimates.source === 'none') return { ...workload, accounting, unestimated: true };
  if (estimates.source === 'exact') return { ...workload, accounting, estimate: workload.runtime };
  if (estimates.source === 'recent')
    return { ...workload, recent: makeRecentEstimateSettings(workload, estimates) };
  const { name } = estimates as Extract<Estimates, { readonly source: 'file' }>;
  return { ...workload, accounting, estimate: computeEstimatesByCode(workload, name) };
}
