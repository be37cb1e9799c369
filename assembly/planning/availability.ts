import { headOf, nodeAt, sumBefore } from './forest';

/** Questions about the processors that are free over future time, each a walk down a tree of a forest. */

const NEVER: i32 = i32.MAX_VALUE;

/** Time and number of free processors of what `firstBelow` or `firstFrom` has found. */
export let foundTime: f64 = 0;
export let foundFree: i32 = 0;

/** Looks for the first change after a time that leaves fewer than `processors` free. */
export function findBelow(forest: usize, site: i32, time: f64, processors: i32): bool {
  const head = headOf(forest, site);
  return firstBelow(forest, head.root, head.free, time, processors);
}

function firstBelow(forest: usize, place: i32, before: i32, time: f64, processors: i32): bool {
  while (place !== 0) {
    const node = nodeAt(forest, place);
    if (before + node.least >= processors) return false;
    if (node.time > time && firstBelow(forest, node.sooner, before, time, processors)) return true;
    before += sumBefore(forest, node) + node.change;
    if (node.time > time && before < processors) {
      foundTime = node.time;
      foundFree = before;
      return true;
    }
    place = node.later;
  }
  return false;
}

/** Looks for the first change after a time that leaves at least `processors` free. */
export function findRoom(forest: usize, site: i32, time: f64, processors: i32): bool {
  const head = headOf(forest, site);
  return firstRoom(forest, head.root, head.free, time, processors);
}

function firstRoom(forest: usize, place: i32, before: i32, time: f64, processors: i32): bool {
  while (place !== 0) {
    const node = nodeAt(forest, place);
    if (before + node.most < processors) return false;
    if (node.time > time && firstRoom(forest, node.sooner, before, time, processors)) return true;
    before += sumBefore(forest, node) + node.change;
    if (node.time > time && before >= processors) {
      foundTime = node.time;
      foundFree = before;
      return true;
    }
    place = node.later;
  }
  return false;
}

/** The first change of a site after a time; +infinity when there is none. */
export function nextChange(forest: usize, site: i32, time: f64): f64 {
  let next = Infinity;
  for (let place = headOf(forest, site).root; place !== 0; ) {
    const node = nodeAt(forest, place);
    if (node.time > time) {
      next = node.time;
      place = node.sooner;
    } else {
      place = node.later;
    }
  }
  return next;
}

/** The fewest processors that are free on a site at a time and until another. */
export function leastFree(forest: usize, site: i32, time: f64, end: f64): i32 {
  const head = headOf(forest, site);
  let before = head.free;
  let place = head.root;
  // Down to the first node within the window, whose subtree holds all that are.
  while (place !== 0) {
    const node = nodeAt(forest, place);
    if (node.time <= time) {
      before += sumBefore(forest, node) + node.change;
      place = node.later;
    } else if (node.time >= end) {
      place = node.sooner;
    } else {
      const here = before + sumBefore(forest, node) + node.change;
      const sooner = leastAfter(forest, node.sooner, before, time);
      return min(min(sooner, here), leastUntil(forest, node.later, here, end));
    }
  }
  return before;
}

/** The fewest free from a time on to the end of a subtree. */
function leastAfter(forest: usize, place: i32, before: i32, time: f64): i32 {
  let least = NEVER;
  while (place !== 0) {
    const node = nodeAt(forest, place);
    const here = before + sumBefore(forest, node) + node.change;
    if (node.time <= time) {
      before = here;
      place = node.later;
    } else {
      least = min(least, here + nodeAt(forest, node.later).least);
      place = node.sooner;
    }
  }
  return min(least, before);
}

/** The fewest free from the beginning of a subtree until a time. */
function leastUntil(forest: usize, place: i32, before: i32, end: f64): i32 {
  let least = before;
  while (place !== 0) {
    const node = nodeAt(forest, place);
    if (node.time >= end) {
      place = node.sooner;
      continue;
    }
    least = min(least, before + nodeAt(forest, node.sooner).least);
    before += sumBefore(forest, node) + node.change;
    least = min(least, before);
    place = node.later;
  }
  return least;
}
