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
 * Splits every job wider than its limit into pieces of that width and one with the remainder, in this order
 * (Shih et al. 2010, section 5.1).
 */
export function cutWideJobs(
  pieces: JobPieces,
  limit: (record: number, processors: number) => number,
): JobPieces {
  const { record, processors } = pieces;
  let count = 0;
  for (let i = 0; i < record.length; i++) {
    const width = limit(record[i]!, processors[i]!);
    count += processors[i]! <= width ? 1 : Math.ceil(processors[i]! / width);
  }
  if (count === record.length) return pieces;
  const cut = { record: new Int32Array(count), processors: new Int32Array(count) };
  let next = 0;
  for (let i = 0; i < record.length; i++) {
    const width = limit(record[i]!, processors[i]!);
    for (let left = processors[i]!; left > 0; left -= width) {
      cut.record[next] = record[i]!;
      cut.processors[next++] = Math.min(left, width);
    }
  }
  return cut;
}

/** Removes the pieces of some records. */
export function dropRecordPieces(pieces: JobPieces, dropped: ReadonlySet<number>): JobPieces {
  if (dropped.size === 0) return pieces;
  const { record, processors } = pieces;
  const isKept = (_: number, i: number) => !dropped.has(record[i]!);
  return { record: record.filter(isKept), processors: processors.filter(isKept) };
}

/** Number of split records, and total number of their pieces. */
export function countSplitRecords({ record }: JobPieces): { jobs: number; pieces: number } {
  let jobs = 0;
  let pieces = 0;
  for (let i = 0, end = 0; i < record.length; i = end) {
    for (end = i + 1; record[end] === record[i]; ) end++;
    if (end - i > 1) {
      jobs++;
      pieces += end - i;
    }
  }
  return { jobs, pieces };
}

/** Rule of placement in the simulation, as far as it limits job widths. */
export type Placement = 'single-site' | 'home' | 'reclaim' | 'multi-site' | 'moldable';

/** Parameters that limit job widths by home site. */
export interface WidthRules {
  /** Number of processors of each site; without them no job is too wide. */
  readonly capacities: readonly number[];
  /** Speeds of the sites; default: all 1. */
  readonly speeds?: readonly number[] | undefined;
  /** Minimum speed ratio of candidate sites to the home site (Huang et al. 2007, section 4); default 0. */
  readonly minSpeedRatio?: number | undefined;
  /**
   * Placement of jobs: `single-site` (default): on one candidate site; `home`: only on the home site
   * (independent sites); `reclaim`: on one candidate site or the home site; `multi-site`: on all sites
   * together; `moldable`: a job is never too wide.
   */
  readonly placement?: Placement | undefined;
}

/** Number of processors of the largest candidate site, by home site; 0 without candidates. */
export function widestSiteByHome({
  capacities,
  speeds = capacities.map(() => 1),
  minSpeedRatio = 0,
  placement = 'single-site',
}: WidthRules): readonly number[] {
  if (placement === 'home') return capacities;
  if (placement === 'multi-site') {
    const widest = minAndMax(capacities)[1];
    return capacities.map(() => widest);
  }
  const widest = makeWidestSiteFinder(capacities, speeds);
  return capacities.map((own, home) =>
    Math.max(placement === 'reclaim' ? own : 0, widest(minSpeedRatio * speeds[home]!)),
  );
}

/**
 * Creates a finder of the largest site with at least a given speed (0 if none), by binary search, since a
 * grid may have many sites.
 */
function makeWidestSiteFinder(
  capacities: readonly number[],
  speeds: readonly number[],
): (least: number) => number {
  const sites = capacities.map((_, site) => site).sort((a, b) => speeds[b]! - speeds[a]!);
  let most = 0;
  const widest = sites.map((site) => {
    most = Math.max(most, capacities[site]!);
    return most;
  });
  return (least) => {
    let count = 0;
    for (let step = 2 ** Math.ceil(Math.log2(sites.length + 1)); step >= 1; step /= 2) {
      if (count + step <= sites.length && speeds[sites[count + step - 1]!]! >= least) count += step;
    }
    return count === 0 ? 0 : widest[count - 1]!;
  };
}

/** Maximum number of processors that a job can hold, by home site. */
export function maxJobWidthByHome(rules: WidthRules): readonly number[] {
  const { capacities, placement } = rules;
  const total = capacities.reduce((sum, capacity) => sum + capacity, 0);
  if (placement === 'moldable') return capacities.map(() => Infinity);
  return placement === 'multi-site' ? capacities.map(() => total) : widestSiteByHome(rules);
}

const MAX_LISTED_OVERSIZE_JOBS = 5;

/** Error for jobs that can never start: their names, what the first needs and can get, and advice. */
export function makeOversizeJobsError(
  jobs: readonly string[],
  processors: number,
  home: number,
  widest: number,
): InputError {
  const named =
    jobs.slice(0, MAX_LISTED_OVERSIZE_JOBS).join(', ') +
    (jobs.length > MAX_LISTED_OVERSIZE_JOBS ? ', ...' : '');
  const which = jobs.length === 1 ? `job ${named} is` : `${jobs.length} jobs (${named}) are`;
  const who = jobs.length === 1 ? 'it' : `job ${jobs[0]}`;
  if (widest === 0) {
    return new InputError(
      `${which} too demanding for the grid: no site is fast enough for the jobs of site ${home + 1}, where ${who} ` +
        'is at home; take a smaller --min-speed-ratio, or --oversize drop',
    );
  }
  return new InputError(
    `${which} too large for the grid and can never start: ${who} needs ${processors} processors and can have at most ` +
      `${widest}; give larger sites, or --oversize drop or --oversize split`,
  );
}
