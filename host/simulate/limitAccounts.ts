/** Accounts of users and groups with limits, as the core has them. */
import { InputError } from '../errors.js';
import { countText } from '../format/numbers.js';
import type { Configuration } from '../options/configuration.js';
import { parseLimits, type RunningLimit } from '../options/limits.js';
import { nameOf } from '../trace/trace.js';
import type { KeyedColumns } from './orderKeys.js';

/** Jobs of which some may be held by a limit; without a log, each may have a user and a group of its own. */
type LimitedJobs = Pick<KeyedColumns, 'count'> & Partial<KeyedColumns>;

/** Value of the core for no limit. */
const UNLIMITED = 2 ** 31 - 1;
const KINDS = ['user', 'group'] as const;

/** Columns of the core about limits. */
interface LimitColumns {
  readonly LimitedUser: Int32Array;
  readonly LimitedGroup: Int32Array;
  readonly PieceOf: Int32Array;
  readonly AccountLimit: Int32Array;
}

/** Number of accounts with limits; 0 if there are none. */
export function limitAccountCount(configuration: Configuration, jobs: LimitedJobs): number {
  const limits = parseLimits(configuration.limit);
  if (limits.length === 0) return 0;
  if (jobs.log === undefined) return KINDS.length * Math.max(1, jobs.count);
  return Math.max(1, accountNumbers(limits, configuration, jobs).most.length / 2);
}

/**
 * Columns of limits; empty if there are none.
 * @throws InputError for a job that exceeds a limit by itself, or if no job has a known user or group.
 */
export function limitColumns(configuration: Configuration, jobs: KeyedColumns): Partial<LimitColumns> {
  const limits = parseLimits(configuration.limit);
  if (limits.length === 0) return {};
  checkJobs(limits, jobs);
  const { user, group, most } = accountNumbers(limits, configuration, jobs);
  return {
    LimitedUser: user,
    LimitedGroup: group,
    PieceOf: firstPieces(jobs),
    AccountLimit: Int32Array.from(most),
  };
}

/** Accounts of users, then of groups, each with its limits; sites that run alone have accounts of their own. */
function accountNumbers(
  limits: readonly RunningLimit[],
  { queue }: Configuration,
  { count, log, home }: LimitedJobs,
): { user: Int32Array; group: Int32Array; most: number[] } {
  const most: number[] = [];
  const numbersOf = (by: RunningLimit['by']) => {
    const ofKind = limits.filter((limit) => limit.by === by);
    const numbers = log?.[by];
    if (ofKind.length === 0 || numbers === undefined) return new Int32Array(count).fill(-1);
    const [jobs, processors] = (['jobs', 'processors'] as const).map(
      (of) => ofKind.find((limit) => limit.of === of)?.most ?? UNLIMITED,
    );
    const known = new Map<string, number>();
    return Int32Array.from({ length: count }, (_, job) => {
      const number = numbers[job]!;
      if (number < 0) return -1;
      const key = queue === 'independent' ? `${number} ${home?.[job]}` : `${number}`;
      const account = known.get(key) ?? most.length / 2;
      if (!known.has(key)) {
        known.set(key, account);
        most.push(jobs!, processors!);
      }
      return account;
    });
  };
  const accounts = { user: numbersOf('user'), group: numbersOf('group'), most };
  if (most.length === 0) most.push(UNLIMITED, UNLIMITED);
  return accounts;
}

/** First piece of each job that was cut; of other jobs the job itself. */
function firstPieces({ count, job, submit }: KeyedColumns): Int32Array {
  const first = Int32Array.from({ length: count }, (_, index) => index);
  for (let index = 1; job !== undefined && index < count; index++) {
    if (job[index] === job[index - 1] && submit[index] === submit[index - 1])
      first[index] = first[index - 1]!;
  }
  return first;
}

function checkJobs(limits: readonly RunningLimit[], jobs: KeyedColumns): void {
  const { name, count, log, processors } = jobs;
  for (const { by, of, most } of limits) {
    const numbers = log?.[by];
    const isLimited = (job: number) => (numbers?.[job] ?? -1) >= 0;
    const all = Array.from({ length: count }, (_, job) => job);
    if (!all.some(isLimited)) {
      throw new InputError(`limit ${by}.${of}: no job of ${name} has a known ${by}`);
    }
    if (of === 'jobs') continue;
    const wide = all.filter((job) => isLimited(job) && processors[job]! > most);
    const [first] = wide;
    if (first === undefined) continue;
    const others = wide.length > 1 ? `, as ${countText(wide.length - 1, 'other job')}` : '';
    throw new InputError(
      `${name}, job ${nameOf(jobs.names, 'job', jobs.job[first]!)}: its ${processors[first]} processors alone exceed the ` +
        `limit ${by}.${of}=${most}${others}; raise the limit, or split jobs with --max-width`,
    );
  }
}
