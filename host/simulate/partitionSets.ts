/** Partitions as columns of the core: sets of sites that jobs may use. */
import { InputError } from '../errors.js';
import { formatCount } from '../format/numbers.js';
import { formatNameSuggestion } from '../notation.js';
import type { Configuration } from '../options/configuration.js';
import { NO_PARTITION_SITES_NOTATION, parsePartitionSites } from '../options/partitionSites.js';
import type { KeyedColumns } from './orderKeys.js';

/** Columns of a log from which allowed sites follow; -1: unknown. */
interface PartitionLogColumns {
  readonly partition: Float64Array;
  readonly queue: Float64Array;
}

/** Assignment of jobs to pairs of partition and queue. */
interface JobPartitionSets {
  /** Index of each job's partition and queue in `pairs`, from 1; 0: both are unknown. */
  readonly pairNumbers: Int32Array;
  /** Pairs of partition and queue, in order of first appearance. */
  readonly pairs: readonly { readonly partition: number; readonly queue: number }[];
}

const partitionsCache = new WeakMap<Float64Array, JobPartitionSets>();

/** Pairs of partition and queue of the jobs of a log; undefined if no job has either. */
export function getPartitionsOfLog(log: PartitionLogColumns | undefined): JobPartitionSets | undefined {
  if (log === undefined) return undefined;
  const partitions = partitionsCache.get(log.partition) ?? computePartitionsOfLog(log);
  partitionsCache.set(log.partition, partitions);
  return partitions.pairs.length === 0 ? undefined : partitions;
}

function computePartitionsOfLog({
  partition: partitions,
  queue: queues,
}: PartitionLogColumns): JobPartitionSets {
  const pairNumberByPartition = new Map<number, Map<number, number>>();
  const partitionQueuePairs: { partition: number; queue: number }[] = [];
  const pairNumberByJob = new Int32Array(partitions.length);
  for (let job = 0; job < pairNumberByJob.length; job++) {
    const [partition, queue] = [partitions[job]!, queues[job]!];
    if (!(partition >= 0 || queue >= 0)) continue;
    const pairNumberByQueue = pairNumberByPartition.get(partition) ?? new Map<number, number>();
    pairNumberByPartition.set(partition, pairNumberByQueue);
    const pairNumber = pairNumberByQueue.get(queue) ?? partitionQueuePairs.push({ partition, queue });
    pairNumberByQueue.set(queue, pairNumber);
    pairNumberByJob[job] = pairNumber;
  }
  return { pairNumbers: pairNumberByJob, pairs: partitionQueuePairs };
}

/** Jobs whose partitions may restrict their sites. */
interface PartitionedJobs {
  /** Log fields; absent before the jobs are created. */
  readonly log?: KeyedColumns['log'];
  /** Number of pairs of partition and queue, if the log is not loaded. */
  readonly partitions?: number | undefined;
}

/** Number of sets of sites; 0 if all jobs may use all sites. */
export function countSiteSets(
  { partitionSites }: Pick<Configuration, 'partitionSites'>,
  { log, partitions: partitionCount }: PartitionedJobs,
): number {
  if (partitionSites === NO_PARTITION_SITES_NOTATION) return 0;
  return Math.max(1, getPartitionsOfLog(log)?.pairs.length ?? partitionCount ?? 0);
}

type PartitionedColumns = Pick<KeyedColumns, 'name' | 'names' | 'log' | 'count'>;

/** Sites, from 0, that a job's partition allows; undefined: all. */
export function listSitesAllowedByPartition(
  configuration: Pick<Configuration, 'partitionSites' | 'grid'>,
  jobColumns: PartitionedColumns,
  job: number,
): readonly number[] | undefined {
  const { SetSite } = makeSiteSetColumns(configuration, jobColumns);
  if (SetSite === undefined) return undefined;
  const pairNumber = getPartitionsOfLog(jobColumns.log)?.pairNumbers[job] ?? 0;
  if (pairNumber === 0) return undefined;
  const sites = configuration.grid.capacities.map((_, site) => site);
  return sites.filter((site) => SetSite[(pairNumber - 1) * sites.length + site] === 1);
}

/**
 * Core column with sets of sites; empty if all jobs may use all sites.
 * @throws InputError for a partition without jobs, an unknown site, or jobs without an allowed site.
 */
export function makeSiteSetColumns(
  { partitionSites, grid }: Pick<Configuration, 'partitionSites' | 'grid'>,
  jobColumns: PartitionedColumns,
): { SetSite?: Int32Array } {
  if (partitionSites === NO_PARTITION_SITES_NOTATION) return {};
  const { pairs = [], pairNumbers } = getPartitionsOfLog(jobColumns.log) ?? {};
  if (pairNumbers !== undefined && pairNumbers.length !== jobColumns.count) {
    throw new InputError(
      `partition sites: the workload has ${formatCount(jobColumns.count, 'job')}, and its log ${formatCount(pairNumbers.length, 'record')}; cut the log with the workload`,
    );
  }
  const siteCount = grid.capacities.length;
  const column = new Int32Array(pairs.length * siteCount).fill(1);
  for (const [name, sites] of parsePartitionSites(partitionSites)) {
    const unknownSite = sites.find((site) => site > siteCount);
    if (unknownSite !== undefined) {
      throw new InputError(
        `partition sites: ${name} is to have site ${unknownSite}, and the grid has ${formatCount(siteCount, 'site')}`,
      );
    }
    for (const pairIndex of findPartitionSetsOfName(name, pairs, jobColumns)) {
      for (let site = 0; site < siteCount; site++) {
        if (!sites.includes(site + 1)) column[pairIndex * siteCount + site] = 0;
      }
      if (!column.subarray(pairIndex * siteCount, (pairIndex + 1) * siteCount).includes(1)) {
        throw new InputError(
          `partition sites: some jobs of ${name} are also of another partition or queue that is named, and no site is in both`,
        );
      }
    }
  }
  return { SetSite: column };
}

/**
 * Indices of the pairs with a partition of this name or, if there is none, a queue of this name.
 * @throws InputError if no job has either.
 */
function findPartitionSetsOfName(
  partitionName: string,
  partitionQueuePairs: JobPartitionSets['pairs'],
  { name: logName, names }: Pick<KeyedColumns, 'name' | 'names'>,
): number[] {
  for (const by of ['partition', 'queue'] as const) {
    const hasName = (partitionNumber: number) =>
      `${partitionNumber}` === partitionName || names?.[by].get(partitionNumber) === partitionName;
    const pairIndexes = partitionQueuePairs.flatMap((partitionAndQueue, set) =>
      hasName(partitionAndQueue[by]) ? [set] : [],
    );
    if (pairIndexes.length > 0) return pairIndexes;
  }
  const knownNames = (['partition', 'queue'] as const).flatMap((by) => [...(names?.[by].values() ?? [])]);
  throw new InputError(
    `partition sites: no job of ${logName} is of partition or queue ${partitionName}${formatNameSuggestion(partitionName, knownNames)}`,
  );
}
