/**
 * A site: `isFree[k]` is true if its processor k is free, which is processor `firstProcessor + k`
 * of the grid.
 */
export interface PostingSite {
  index: number;
  capacity: number;
  speed: number;
  firstProcessor: number;
  isFree: boolean[];
  /** `isGone[k]` is true if an outage has taken processor k, which then is not free. */
  isGone: boolean[];
}

/** All sites, in index order. */
export type Grid = PostingSite[];

/** A grid without jobs; processors are numbered from 0 across the sites. */
export function makeGrid(capacities: number[], speeds: number[]): Grid {
  let firstProcessorsOfSites = 0;
  return capacities.map((capacity, index) => {
    const site = {
      index,
      capacity,
      speed: speeds[index]!,
      firstProcessor: firstProcessorsOfSites,
      isFree: new Array<boolean>(capacity).fill(true),
      isGone: new Array<boolean>(capacity).fill(false),
    };
    firstProcessorsOfSites += capacity;
    return site;
  });
}

/** Number of free processors of a site. */
export function countFree(site: PostingSite): number {
  let free = 0;
  for (const isIndependentJob of site.isFree) if (isIndependentJob) free += 1;
  return free;
}

/**
 * Occupies the lowest-numbered free processors of a site; returns their grid-wide numbers,
 * ascending.
 */
export function take(site: PostingSite, processors: number): number[] {
  const taken: number[] = [];
  for (let k = 0; k < site.capacity && taken.length < processors; k++) {
    if (!site.isFree[k]) continue;
    site.isFree[k] = false;
    taken.push(site.firstProcessor + k);
  }
  if (taken.length < processors) throw new Error(`site ${site.index} has no ${processors} free processors`);
  return taken;
}

/**
 * Occupies specific free processors of a site, by grid-wide numbers; returns them in ascending
 * order.
 */
export function takeThese(site: PostingSite, processors: number[]): number[] {
  for (const processor of processors) {
    const k = processor - site.firstProcessor;
    if (!site.isFree[k]) throw new Error(`processor ${processor} is not free`);
    site.isFree[k] = false;
  }
  return processors.toSorted((one, other) => one - other);
}

/** Frees processors of a site, by grid-wide numbers. */
export function releaseLock(site: PostingSite, processors: number[]): void {
  for (const processor of processors) site.isFree[processor - site.firstProcessor] = true;
}

/** Number of processors that outages have taken. */
export function goneProcessors({ isGone }: PostingSite): number {
  return isGone.filter(Boolean).length;
}

/** Takes up to this many free processors of a site for an outage, the highest-numbered first. */
export function goOut(site: PostingSite, processors: number): void {
  for (let k = site.capacity - 1; k >= 0 && processors > 0; k--) {
    if (!site.isFree[k]) continue;
    site.isFree[k] = false;
    site.isGone[k] = true;
    processors -= 1;
  }
}

/** Gives this many processors back after an outage, the lowest-numbered first. */
export function giveBackProcessors(site: PostingSite, processors: number): void {
  for (let k = 0; k < site.capacity && processors > 0; k++) {
    if (!site.isGone[k]) continue;
    site.isGone[k] = false;
    site.isFree[k] = true;
    processors -= 1;
  }
}
