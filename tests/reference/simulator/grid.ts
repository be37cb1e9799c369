/**
 * A site: `isFree[k]` is true if its processor k is free, which is processor `firstProcessor + k`
 * of the grid.
 */
export interface ReferenceSite {
  index: number;
  capacity: number;
  speed: number;
  firstProcessor: number;
  isFree: boolean[];
  /** `isInOutage[k]` is true while an outage holds processor k, so that no job can use it. */
  isInOutage: boolean[];
}

/** All sites, in index order. */
export type ReferenceGrid = ReferenceSite[];

/** A grid without jobs; processors are numbered from 0 across the sites. */
export function makeGrid(capacities: number[], speeds: number[]): ReferenceGrid {
  let firstProcessorsOfSites = 0;
  return capacities.map((capacity, index) => {
    const site = {
      index,
      capacity,
      speed: speeds[index]!,
      firstProcessor: firstProcessorsOfSites,
      isFree: new Array<boolean>(capacity).fill(true),
      isInOutage: new Array<boolean>(capacity).fill(false),
    };
    firstProcessorsOfSites += capacity;
    return site;
  });
}

/** Number of free processors of a site. */
export function countFree(site: ReferenceSite): number {
  let free = 0;
  for (const isIndependentJob of site.isFree) if (isIndependentJob) free += 1;
  return free;
}

/**
 * Occupies the lowest-numbered free processors of a site; returns their grid-wide numbers,
 * ascending.
 */
export function takeFreeProcessors(site: ReferenceSite, processors: number): number[] {
  const takenProcessors: number[] = [];
  for (let k = 0; k < site.capacity && takenProcessors.length < processors; k++) {
    if (!site.isFree[k]) continue;
    site.isFree[k] = false;
    takenProcessors.push(site.firstProcessor + k);
  }
  if (takenProcessors.length < processors)
    throw new Error(`site ${site.index} has no ${processors} free processors`);
  return takenProcessors;
}

/**
 * Occupies specific free processors of a site, by grid-wide numbers; returns them in ascending
 * order.
 */
export function takeGivenProcessors(site: ReferenceSite, processors: number[]): number[] {
  for (const processor of processors) {
    const k = processor - site.firstProcessor;
    if (!site.isFree[k]) throw new Error(`processor ${processor} is not free`);
    site.isFree[k] = false;
  }
  return processors.toSorted((one, other) => one - other);
}

/** Frees processors of a site, by grid-wide numbers. */
export function releaseProcessors(site: ReferenceSite, processors: number[]): void {
  for (const processor of processors) site.isFree[processor - site.firstProcessor] = true;
}

/** Number of processors that outages have taken. */
export function countProcessorsInOutage({ isInOutage }: ReferenceSite): number {
  return isInOutage.filter(Boolean).length;
}

/** Takes up to this many free processors of a site for an outage, the highest-numbered first. */
export function moveFreeProcessorsToOutage(site: ReferenceSite, processors: number): void {
  for (let k = site.capacity - 1; k >= 0 && processors > 0; k--) {
    if (!site.isFree[k]) continue;
    site.isFree[k] = false;
    site.isInOutage[k] = true;
    processors -= 1;
  }
}

/** Gives this many processors back after an outage, the lowest-numbered first. */
export function returnProcessorsFromOutage(site: ReferenceSite, processors: number): void {
  for (let k = 0; k < site.capacity && processors > 0; k++) {
    if (!site.isInOutage[k]) continue;
    site.isInOutage[k] = false;
    site.isFree[k] = true;
    processors -= 1;
  }
}
