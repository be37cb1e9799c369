import { nodeAt, siteProfileAt, sumBefore } from './profile';

/** Questions about the processors that are free over future time, each a walk down a tree of a profile. */

const NEVER: i32 = i32.MAX_VALUE;

/** Time and number of free processors of what `firstBelow` or `firstAtLeast` has found. */
export let foundTime: f64 = 0;
export let foundFree: i32 = 0;

/** Looks for the first change after a time that leaves fewer than `processors` free. */
export function findBelow(profile: usize, site: i32, time: f64, processors: i32): bool {
  const siteProfile = siteProfileAt(profile, site);
  return firstBelow(profile, siteProfile.root, siteProfile.free, time, processors);
}

function firstBelow(profile: usize, index: i32, before: i32, time: f64, processors: i32): bool {
  while (index !== 0) {
    const node = nodeAt(profile, index);
    if (before + node.least >= processors) return false;
    if (node.time > time && firstBelow(profile, node.sooner, before, time, processors)) return true;
    before += sumBefore(profile, node) + node.change;
    if (node.time > time && before < processors) {
      foundTime = node.time;
      foundFree = before;
      return true;
    }
    index = node.later;
  }
  return false;
}

/** Looks for the first change after a time that leaves at least `processors` free. */
export function findAtLeast(profile: usize, site: i32, time: f64, processors: i32): bool {
  const siteProfile = siteProfileAt(profile, site);
  return firstAtLeast(profile, siteProfile.root, siteProfile.free, time, processors);
}

function firstAtLeast(profile: usize, index: i32, before: i32, time: f64, processors: i32): bool {
  while (index !== 0) {
    const node = nodeAt(profile, index);
    if (before + node.most < processors) return false;
    if (node.time > time && firstAtLeast(profile, node.sooner, before, time, processors)) return true;
    before += sumBefore(profile, node) + node.change;
    if (node.time > time && before >= processors) {
      foundTime = node.time;
      foundFree = before;
      return true;
    }
    index = node.later;
  }
  return false;
}

/** The first change of a site after a time; +infinity when there is none. */
export function nextChange(profile: usize, site: i32, time: f64): f64 {
  let next = Infinity;
  for (let index = siteProfileAt(profile, site).root; index !== 0; ) {
    const node = nodeAt(profile, index);
    if (node.time > time) {
      next = node.time;
      index = node.sooner;
    } else {
      index = node.later;
    }
  }
  return next;
}

/** The fewest processors that are free on a site at a time and until another. */
export function leastFree(profile: usize, site: i32, time: f64, end: f64): i32 {
  const siteProfile = siteProfileAt(profile, site);
  let before = siteProfile.free;
  let index = siteProfile.root;
  // Down to the first node within the window, whose subtree holds all that are.
  while (index !== 0) {
    const node = nodeAt(profile, index);
    if (node.time <= time) {
      before += sumBefore(profile, node) + node.change;
      index = node.later;
    } else if (node.time >= end) {
      index = node.sooner;
    } else {
      const here = before + sumBefore(profile, node) + node.change;
      const sooner = leastAfter(profile, node.sooner, before, time);
      return min(min(sooner, here), leastUntil(profile, node.later, here, end));
    }
  }
  return before;
}

/** The fewest free from a time on to the end of a subtree. */
function leastAfter(profile: usize, index: i32, before: i32, time: f64): i32 {
  let least = NEVER;
  while (index !== 0) {
    const node = nodeAt(profile, index);
    const here = before + sumBefore(profile, node) + node.change;
    if (node.time <= time) {
      before = here;
      index = node.later;
    } else {
      least = min(least, here + nodeAt(profile, node.later).least);
      index = node.sooner;
    }
  }
  return min(least, before);
}

/** The fewest free from the beginning of a subtree until a time. */
function leastUntil(profile: usize, index: i32, before: i32, end: f64): i32 {
  let least = before;
  while (index !== 0) {
    const node = nodeAt(profile, index);
    if (node.time >= end) {
      index = node.sooner;
      continue;
    }
    least = min(least, before + nodeAt(profile, node.sooner).least);
    before += sumBefore(profile, node) + node.change;
    least = min(least, before);
    index = node.later;
  }
  return least;
}
