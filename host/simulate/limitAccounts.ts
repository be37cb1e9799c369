/** Accounts of users and groups with limits, as columns of the core. */
import { InputError } from '../errors.js';
import { formatCount } from '../format/numbers.js';
import type { Configuration } from '../options/configuration.js';
import { NO_LIMITS_NOTATION, parseRunningLimits, type RunningLimit } from '../options/limits.js';
import { findNumbersOfLogName } from '../trace/filter.js';
import { nameOfLogNumber } from '../trace/trace.js';
import type { KeyedColumns } from './orderKeys.js';

/**
 * Jobs to which limits on running jobs may apply; without a log, each job counts as its own user and group.
 */
type JobsUnderLimits = Pick<KeyedColumns, 'count'> & Partial<KeyedColumns>;

/** Value of the core for no limit. */
const NO_LIMIT_VALUE = 2 ** 31 - 1;
const LIMIT_OWNER_KINDS = ['user', 'group'] as const;

/** Columns of the core about limits. */
interface CoreLimitColumns {
  readonly LimitedUser: Int32Array;
  readonly LimitedGroup: Int32Array;
  readonly PieceOf: Int32Array;
  readonly AccountLimit: Int32Array;
}

/** Number of accounts of users and groups with limits; 0 if there are no limits. */
export function countLimitAccounts(configuration: Configuration, jobColumns: JobsUnderLimits): number {
  const limits = parseRunningLimits(configuration.limit);
  if (limits.length === 0) return 0;
  if (jobColumns.log === undefined) return LIMIT_OWNER_KINDS.length * Math.max(1, jobColumns.count);
  return Math.max(1, assignLimitAccounts(limits, configuration, jobColumns).owners.length);
}

/**
 * Columns of limits; empty if there are none.
 * @throws InputError for a job that exceeds a limit by itself, for a name that the log does not have, or if no job
 *   has a known user or group.
 */
export function makeLimitColumns(
  configuration: Configuration,
  jobColumns: KeyedColumns,
): Partial<CoreLimitColumns> {
  const limits = parseRunningLimits(configuration.limit);
  if (limits.length === 0) return {};
  const findLimitOfOwner = makeLimitFinder(limits, jobColumns);
  checkJobsWithinLimits(limits, findLimitOfOwner, jobColumns);
  const { user, group, owners } = assignLimitAccounts(limits, configuration, jobColumns);
  const accountLimits = owners.flatMap(({ by: ownerKind, number: ownerNumber }) =>
    (['jobs', 'processors'] as const).map(
      (of) => findLimitOfOwner(ownerKind, of, ownerNumber)?.most ?? NO_LIMIT_VALUE,
    ),
  );
  return {
    LimitedUser: user,
    LimitedGroup: group,
    PieceOf: findFirstPiecesOfJobs(jobColumns),
    AccountLimit: Int32Array.from(
      accountLimits.length > 0 ? accountLimits : [NO_LIMIT_VALUE, NO_LIMIT_VALUE],
    ),
  };
}

/** Function that returns the limit of a user or group by number: its own limit, or the general one. */
type LimitFinderFunction = (
  ownerKind: RunningLimit['by'],
  of: RunningLimit['of'],
  number: number,
) => RunningLimit | undefined;

/**
 * Creates the function that finds the limit of a user or group by number.
 * @throws InputError for a limit with a name or number that no job has.
 */
function makeLimitFinder(
  limits: readonly RunningLimit[],
  { log, name: workloadName, names }: KeyedColumns,
): LimitFinderFunction {
  const ownerNumbersByLimit = new Map<RunningLimit, readonly number[]>();
  for (const limit of limits) {
    if (limit.name === undefined) continue;
    const ownerNumbers = findLogNumbersOfName(limit.by, limit.name, names);
    const logColumn = log?.[limit.by];
    if (logColumn === undefined || !ownerNumbers.some((ownerNumber) => logColumn.includes(ownerNumber))) {
      throw new InputError(
        `limit ${formatLimitName(limit)}: no job of ${workloadName} is of ${limit.by} ${limit.name}`,
      );
    }
    ownerNumbersByLimit.set(limit, ownerNumbers);
  }
  return (ownerKind, of, number) => {
    const limitsOfKind = limits.filter((limit) => limit.by === ownerKind && limit.of === of);
    const limitNamingOwner = limitsOfKind.find((limit) => ownerNumbersByLimit.get(limit)?.includes(number));
    return limitNamingOwner ?? limitsOfKind.find((limit) => limit.name === undefined);
  };
}

/** Numbers in the log of a named user or group. */
function findLogNumbersOfName(
  ownerKind: RunningLimit['by'],
  ownerName: string,
  logNames: KeyedColumns['names'],
): readonly number[] {
  return /^\d+$/.test(ownerName) ? [Number(ownerName)] : findNumbersOfLogName(logNames, ownerKind, ownerName);
}

/** Notation of limits without those that concern none of the jobs. */
export function keepLimitsOfJobs(
  notation: string,
  { log, names }: Pick<KeyedColumns, 'log' | 'names'>,
): string {
  if (notation === NO_LIMITS_NOTATION) return notation;
  const limits = parseRunningLimits(notation);
  const keptLimitTexts = notation.split(';').filter((_, index) => {
    const { by: ownerKind, name: limitName } = limits[index]!;
    const logColumn = log?.[ownerKind];
    if (logColumn === undefined) return false;
    if (limitName === undefined) return logColumn.some((number) => number >= 0);
    return findLogNumbersOfName(ownerKind, limitName, names).some((logNumber) =>
      logColumn.includes(logNumber),
    );
  });
  return keptLimitTexts.length === 0 ? NO_LIMITS_NOTATION : keptLimitTexts.join(';');
}

/** Formats what a limit applies to as in the option, such as `user[ann].jobs`. */
function formatLimitName({ by: ownerKind, of: limitedQuantity, name: limitName }: RunningLimit): string {
  return `${ownerKind}${limitName === undefined ? '' : `[${limitName}]`}.${limitedQuantity}`;
}

/** Accounts of jobs, and the user or group of each account. */
interface LimitAccounts {
  readonly user: Int32Array;
  readonly group: Int32Array;
  readonly owners: readonly { readonly by: RunningLimit['by']; readonly number: number }[];
}

/** Numbers the accounts of users, then of groups; independent sites have separate accounts. */
function assignLimitAccounts(
  limits: readonly RunningLimit[],
  { queue }: Configuration,
  { count: jobCount, log, home }: JobsUnderLimits,
): LimitAccounts {
  const owners: { by: RunningLimit['by']; number: number }[] = [];
  const assignAccountsOfKind = (ownerKind: RunningLimit['by']) => {
    const ownerNumbers = log?.[ownerKind];
    if (ownerNumbers === undefined || !limits.some((limit) => limit.by === ownerKind))
      return new Int32Array(jobCount).fill(-1);
    const accountByKey = new Map<string, number>();
    return Int32Array.from({ length: jobCount }, (_, job) => {
      const ownerNumber = ownerNumbers[job]!;
      if (ownerNumber < 0) return -1;
      const accountKey = queue === 'independent' ? `${ownerNumber} ${home?.[job]}` : `${ownerNumber}`;
      const account = accountByKey.get(accountKey) ?? owners.length;
      if (!accountByKey.has(accountKey)) {
        accountByKey.set(accountKey, account);
        owners.push({ by: ownerKind, number: ownerNumber });
      }
      return account;
    });
  };
  return { user: assignAccountsOfKind('user'), group: assignAccountsOfKind('group'), owners };
}

/** First piece of each split job; for other jobs the job itself. */
function findFirstPiecesOfJobs({ count: jobCount, job, submit }: KeyedColumns): Int32Array {
  const firstPieces = Int32Array.from({ length: jobCount }, (_, index) => index);
  for (let index = 1; job !== undefined && index < jobCount; index++) {
    if (job[index] === job[index - 1] && submit[index] === submit[index - 1])
      firstPieces[index] = firstPieces[index - 1]!;
  }
  return firstPieces;
}

function checkJobsWithinLimits(
  limits: readonly RunningLimit[],
  findLimitOfOwner: LimitFinderFunction,
  jobColumns: KeyedColumns,
): void {
  const { name: workloadName, count: jobCount, log, processors } = jobColumns;
  for (const ownerKind of LIMIT_OWNER_KINDS) {
    const [limit] = limits.filter((runningLimit) => runningLimit.by === ownerKind);
    if (limit === undefined) continue;
    const ownerNumbers = log?.[ownerKind];
    const limitedJobs = Array.from({ length: jobCount }, (_, job) => job).filter(
      (job) => (ownerNumbers?.[job] ?? -1) >= 0,
    );
    if (limitedJobs.length === 0) {
      throw new InputError(
        `limit ${formatLimitName(limit)}: no job of ${workloadName} has a known ${ownerKind}`,
      );
    }
    const findExceededLimit = (job: number) => {
      const jobLimit = findLimitOfOwner(ownerKind, 'processors', ownerNumbers![job]!);
      return jobLimit !== undefined && processors[job]! > jobLimit.most ? jobLimit : undefined;
    };
    const jobsBeyondLimit = limitedJobs.filter((job) => findExceededLimit(job) !== undefined);
    const [firstWideJob] = jobsBeyondLimit;
    if (firstWideJob === undefined) continue;
    const firstExceededLimit = findExceededLimit(firstWideJob)!;
    const otherJobsPhrase =
      jobsBeyondLimit.length > 1
        ? `, as do those of ${formatCount(jobsBeyondLimit.length - 1, 'other job')}`
        : '';
    throw new InputError(
      `${workloadName}, job ${nameOfLogNumber(jobColumns.names, 'job', jobColumns.job[firstWideJob]!)}: its ${processors[firstWideJob]} processors alone exceed the ` +
        `limit ${formatLimitName(firstExceededLimit)}=${firstExceededLimit.most}${otherJobsPhrase}; raise the limit, or split jobs with --max-width`,
    );
  }
}
