/** Options that a simulation cannot have whose jobs are read as it runs, with the reasons. */
import { isTrialPolicy, type Policy } from '../core/policies.js';
import { InputError } from '../errors.js';
import { NO_LIMITS_NOTATION } from '../options/limits.js';
import type { Naming, Settings } from '../options/options.js';
import { dependsOnOtherJobs, isFunctionOrder, type Order } from '../options/order.js';
import { NO_OUTAGES_NOTATION } from '../options/outages.js';
import { NO_PARTITION_SITES_NOTATION } from '../options/partitionSites.js';
import { determineRequestedFilters } from './workloadSettings.js';

/** Condition under which an option is refused in a stream. */
interface StreamRefusal {
  readonly option: keyof Settings;
  readonly isRefused: (settings: Settings) => boolean;
  /** Reason, as the end of a sentence. */
  readonly why: string;
}

const REASON_OF_CODE_REFUSAL = 'its function sees all jobs';
const REASON_OF_ACCOUNT_REFUSAL = 'users and groups are numbered before the first job';

const listOrdersOfSettings = ({ order, backfillOrder }: Settings): Order[] =>
  [order, backfillOrder].filter((each) => each !== undefined) as Order[];
const isPolicy = (settings: Settings, isSatisfiedBy: (policy: Policy) => boolean) =>
  settings.policy !== undefined && isSatisfiedBy(settings.policy as Policy);

const STREAM_REFUSALS: readonly StreamRefusal[] = [
  {
    option: 'dependencies',
    isRefused: ({ dependencies = 'none' }) => dependencies !== 'none',
    why: 'a job is submitted when another one has ended, so that submissions are not in the order of the log',
  },
  {
    option: 'perturb',
    isRefused: ({ perturb }) => perturb !== undefined,
    why: 'it changes the order of all jobs',
  },
  {
    option: 'replication',
    isRefused: ({ replication }) => replication !== undefined,
    why: 'it changes the order of all jobs; a model may have another seed',
  },
  {
    option: 'offeredLoad',
    isRefused: ({ offeredLoad }) => offeredLoad !== undefined,
    why: 'the load of the log is known when all jobs are read; --arrival-scale stretches submit times by a factor',
  },
  {
    option: 'sort',
    isRefused: ({ sort }) => sort === true,
    why: 'the last record may be the first job; sort the log first, with gridalloc trace convert and --sort',
  },
  {
    option: 'filter',
    isRefused: (settings) => determineRequestedFilters(settings).some(({ rule }) => rule === 'last'),
    why: 'the last records are known when all are read',
  },
  {
    option: 'estimates',
    isRefused: ({ estimates }) => estimates?.source === 'recent' || estimates?.source === 'file',
    why: 'these estimates need jobs that have left the memory, or all jobs at once',
  },
  {
    option: 'policy',
    isRefused: (settings) => isPolicy(settings, ({ declaration }) => isTrialPolicy(declaration.name)),
    why: 'its trials need jobs that have left the memory',
  },
  {
    option: 'policy',
    isRefused: (settings) => isPolicy(settings, ({ declaration }) => declaration.name === 'own'),
    why: REASON_OF_CODE_REFUSAL,
  },
  {
    option: 'order',
    isRefused: (settings) => listOrdersOfSettings(settings).some(isFunctionOrder),
    why: REASON_OF_CODE_REFUSAL,
  },
  {
    option: 'order',
    isRefused: (settings) => listOrdersOfSettings(settings).some(dependsOnOtherJobs),
    why: REASON_OF_ACCOUNT_REFUSAL,
  },
  {
    option: 'limit',
    isRefused: ({ limit = NO_LIMITS_NOTATION }) => limit !== NO_LIMITS_NOTATION,
    why: REASON_OF_ACCOUNT_REFUSAL,
  },
  {
    option: 'partitionSites',
    isRefused: ({ partitionSites = NO_PARTITION_SITES_NOTATION }) =>
      partitionSites !== NO_PARTITION_SITES_NOTATION,
    why: 'partitions are numbered before the first job',
  },
  {
    option: 'outages',
    isRefused: ({ outages = NO_OUTAGES_NOTATION }) => outages !== NO_OUTAGES_NOTATION,
    why: 'capacity.csv and the processors of outages need jobs that have left the memory',
  },
  {
    option: 'warmUp',
    isRefused: ({ warmUp }) => Number(warmUp ?? 0) > 0,
    why: 'means over some of the jobs need jobs that have left the memory',
  },
  {
    option: 'coolDown',
    isRefused: ({ coolDown }) => Number(coolDown ?? 0) > 0,
    why: 'the last submission is known when all jobs are read',
  },
  {
    option: 'queue',
    isRefused: ({ queue = 'shared' }) => queue !== 'shared',
    why: 'jobs that come while a simulation runs wait in one queue',
  },
];

/**
 * Refuses options that need the whole log.
 * @throws InputError for the first one.
 */
export function checkOptionsOfStream(settings: Settings, naming: Naming): void {
  const matchingRefusal = STREAM_REFUSALS.find(({ isRefused }) => isRefused(settings));
  if (matchingRefusal === undefined) return;
  throw new InputError(`--stream does not take ${naming(matchingRefusal.option)}: ${matchingRefusal.why}`);
}
