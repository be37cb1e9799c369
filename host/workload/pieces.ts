/** Splits wide jobs into pieces, and finds jobs that are too wide to ever start. */
import { InputError } from '../errors.js';
import { minAndMax } from '../lists.js';

/** Jobs to be simulated, in queue order; a job that is split has several pieces, any other is one piece. */
export interface JobPieces {
  /** Index of the record of the log to which each piece belongs, from 0. */
  readonly record: Int32Array;
  /** Number of processors of each piece. */
  readonly processors: Int32Array;
}

/**
 * Splits every job wider than its limit into pieces as wide as the limit and a last one with the remaining
 * processors (Shih et al. 2010, section 5.1).
 * @param maxPieceWidthOf maximum width of the pieces of a record, given the record and its number of processors.
 */
export function cutWideJobs(
  jobPieces: JobPieces,
  maxPieceWidthOf: (record: number, processors: number) => number,
): JobPieces {
  const { record, processors } = jobPieces;
  let pieceCount = 0;
  for (let i = 0; i < record.length; i++) {
    const width = maxPieceWidthOf(record[i]!, processors[i]!);
    pieceCount += processors[i]! <= width ? 1 : Math.ceil(processors[i]! / width);
  }
  if (pieceCount === record.length) return jobPieces;
  const piecesAfterCut = { record: new Int32Array(pieceCount), processors: new Int32Array(pieceCount) };
  let pieceIndex = 0;
  for (let i = 0; i < record.length; i++) {
    const width = maxPieceWidthOf(record[i]!, processors[i]!);
    for (let remainingProcessors = processors[i]!; remainingProcessors > 0; remainingProcessors -= width) {
      piecesAfterCut.record[pieceIndex] = record[i]!;
      piecesAfterCut.processors[pieceIndex++] = Math.min(remainingProcessors, width);
    }
  }
  return piecesAfterCut;
}

/** Returns the pieces of jobs without those of the dropped log records. */
export function dropRecordPieces(jobPieces: JobPieces, dropped: ReadonlySet<number>): JobPieces {
  if (dropped.size === 0) return jobPieces;
  const { record, processors } = jobPieces;
  const isRecordKept = (_: number, i: number) => !dropped.has(record[i]!);
  return { record: record.filter(isRecordKept), processors: processors.filter(isRecordKept) };
}

/** Number of split records, and total number of their pieces. */
export function countSplitRecords({ record }: JobPieces): { jobs: number; pieces: number } {
  let jobCount = 0;
  let pieceCount = 0;
  for (let i = 0, end = 0; i < record.length; i = end) {
    for (end = i + 1; record[end] === record[i]; ) end++;
    if (end - i > 1) {
      jobCount++;
      pieceCount += end - i;
    }
  }
  return { jobs: jobCount, pieces: pieceCount };
}

/** How the simulation places jobs on sites, as far as that limits their widths. */
export type Placement = 'single-site' | 'home' | 'reclaim' | 'multi-site' | 'moldable';

/** Parameters that limit job widths by home site. */
export interface WidthRules {
  /** Number of processors of each site; without them no job is too wide. */
  readonly capacities: readonly number[];
  /** Speeds of the sites; default: all 1. */
  readonly speeds?: readonly number[] | undefined;
  /**
   * A job may run only on sites with at least this share of the speed of its home site (Huang et al. 2007,
   * section 4); default 0.
   */
  readonly minSpeedRatio?: number | undefined;
  /**
   * Placement of jobs: `single-site` (default): on one candidate site; `home`: only on the home site
   * (independent sites); `reclaim`: on one candidate site or the home site; `multi-site`: on all sites
   * together; `moldable`: a job is never too wide.
   */
  readonly placement?: Placement | undefined;
}

/** By home site, number of processors of the largest site on which its jobs may run; 0 if there is none. */
export function widestSiteByHome({
  capacities,
  speeds = capacities.map(() => 1),
  minSpeedRatio = 0,
  placement = 'single-site',
}: WidthRules): readonly number[] {
  if (placement === 'home') return capacities;
  if (placement === 'multi-site') {
    const largestCapacity = minAndMax(capacities)[1];
    return capacities.map(() => largestCapacity);
  }
  const findWidestSiteWithSpeed = makeWidestSiteFinder(capacities, speeds);
  return capacities.map((capacity, home) =>
    Math.max(placement === 'reclaim' ? capacity : 0, findWidestSiteWithSpeed(minSpeedRatio * speeds[home]!)),
  );
}

/**
 * Function that returns the number of processors of the largest site with at least a given speed; 0 if there
 * is none.
 */
function makeWidestSiteFinder(
  capacities: readonly number[],
  speeds: readonly number[],
): (minSpeed: number) => number {
  const sites = capacities.map((_, site) => site).sort((a, b) => speeds[b]! - speeds[a]!);
  let widestSoFar = 0;
  const largestCapacityUpToSite = sites.map((site) => {
    widestSoFar = Math.max(widestSoFar, capacities[site]!);
    return widestSoFar;
  });
  return (minSpeed) => {
    let siteCount = 0;
    for (
      let searchStepSize = 2 ** Math.ceil(Math.log2(sites.length + 1));
      searchStepSize >= 1;
      searchStepSize /= 2
    ) {
      if (
        siteCount + searchStepSize <= sites.length &&
        speeds[sites[siteCount + searchStepSize - 1]!]! >= minSpeed
      )
        siteCount += searchStepSize;
    }
    return siteCount === 0 ? 0 : largestCapacityUpToSite[siteCount - 1]!;
  };
}

/** Maximum number of processors that a job can hold, by home site. */
export function maxJobWidthByHome(widthRules: WidthRules): readonly number[] {
  const { capacities, placement } = widthRules;
  const totalProcessors = capacities.reduce((sum, capacity) => sum + capacity, 0);
  if (placement === 'moldable') return capacities.map(() => Infinity);
  return placement === 'multi-site' ? capacities.map(() => totalProcessors) : widestSiteByHome(widthRules);
}

const MAX_LISTED_OVERSIZE_JOBS = 5;

/**
 * Error for jobs that can never start: their names, the processors that the first needs and can have, and
 * advice.
 */
export function makeOversizeJobsError(
  jobNames: readonly string[],
  processors: number,
  home: number,
  largestCapacity: number,
): InputError {
  const jobListText =
    jobNames.slice(0, MAX_LISTED_OVERSIZE_JOBS).join(', ') +
    (jobNames.length > MAX_LISTED_OVERSIZE_JOBS ? ', ...' : '');
  const jobsPhrase =
    jobNames.length === 1 ? `job ${jobListText} is` : `${jobNames.length} jobs (${jobListText}) are`;
  const firstJobPhrase = jobNames.length === 1 ? 'it' : `job ${jobNames[0]}`;
  if (largestCapacity === 0) {
    return new InputError(
      `${jobsPhrase} too demanding for the grid: no site is fast enough for the jobs of site ${home + 1}, where ${firstJobPhrase} ` +
        'is at home; take a smaller --min-speed-ratio, or --oversize drop',
    );
  }
  return new InputError(
    `${jobsPhrase} too large for the grid and can never start: ${firstJobPhrase} needs ${processors} processors and can have at most ` +
      `${largestCapacity}; give larger sites, or --oversize drop or --oversize split`,
  );
}
