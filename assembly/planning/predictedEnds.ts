import * as columns from '../columns';
import { at, put } from '../memory';

/**
 * The running jobs of each site in the order of their predicted ends, equal ends by job index, in a tree
 * whose nodes know the processors of all jobs below them: entering, leaving and "when will so many be free"
 * take a walk from the root down. The tree is a treap: the order from left to right is that of the ends, from
 * the top down that of numbers which scatter the job indices, so that it is shallow whatever the order of
 * entering. A link holds a job index plus one; 0 is no job.
 */

/** A job with its processors enters that is predicted to end at `end` on a site. */
export function enter(site: i32, job: i32, end: f64, processors: i32): void {
  put<f64>(columns.predictedEnds, job, end);
  put<i32>(columns.held, job, processors);
  put<i32>(columns.endsRoots, site, insert(at<i32>(columns.endsRoots, site), job + 1));
}

/** A job that has ended on a site leaves. */
export function leave(site: i32, job: i32): void {
  put<i32>(columns.endsRoots, site, remove(at<i32>(columns.endsRoots, site), job + 1));
}

/**
 * The predicted time from now until jobs of a site that end soonest have given back `processors`; a job that
 * is overdue counts as ending now. There must be as many.
 */
export function timeUntil(site: i32, processors: i32, now: f64): f64 {
  let node = at<i32>(columns.endsRoots, site);
  while (true) {
    const sooner = sumOf(before(node));
    if (processors <= sooner) {
      node = before(node);
      continue;
    }
    processors -= sooner + heldBy(node);
    if (processors <= 0) break;
    node = after(node);
  }
  const wait = at<f64>(columns.predictedEnds, node - 1) - now;
  return wait > 0 ? wait : 0;
}

@inline
function before(node: i32): i32 {
  return at<i32>(columns.endsBefore, node - 1);
}

@inline
function after(node: i32): i32 {
  return at<i32>(columns.endsAfter, node - 1);
}

@inline
function heldBy(node: i32): i32 {
  return at<i32>(columns.held, node - 1);
}

/** Processors of all jobs in a tree. */
@inline
function sumOf(node: i32): i32 {
  return node === 0 ? 0 : at<i32>(columns.endsProcessors, node - 1);
}

/** Gives a node its two subtrees; returns it. */
@inline
function join(node: i32, sooner: i32, later: i32): i32 {
  put<i32>(columns.endsBefore, node - 1, sooner);
  put<i32>(columns.endsAfter, node - 1, later);
  put<i32>(columns.endsProcessors, node - 1, sumOf(sooner) + heldBy(node) + sumOf(later));
  return node;
}

/** Whether a job ends before another. */
@inline
function endsBefore(node: i32, other: i32): bool {
  const end = at<f64>(columns.predictedEnds, node - 1);
  const otherEnd = at<f64>(columns.predictedEnds, other - 1);
  return end < otherEnd || (end === otherEnd && node < other);
}

/** A number that scatters job indices (the finalizer of MurmurHash3). */
@inline
function rankOf(node: i32): u32 {
  let bits = <u32>node;
  bits = (bits ^ (bits >> 16)) * 0x85ebca6b;
  bits = (bits ^ (bits >> 13)) * 0xc2b2ae35;
  return bits ^ (bits >> 16);
}

function insert(root: i32, node: i32): i32 {
  if (root === 0) return join(node, 0, 0);
  if (rankOf(node) > rankOf(root)) return join(node, soonerPart(root, node), laterPart);
  if (endsBefore(node, root)) return join(root, insert(before(root), node), after(root));
  return join(root, before(root), insert(after(root), node));
}

/** The part of a tree that ends after the job it was last cut at. */
let laterPart: i32 = 0;

/** Cuts a tree at a job: returns the part that ends before it and leaves the rest in `laterPart`. */
function soonerPart(root: i32, at: i32): i32 {
  if (root === 0) {
    laterPart = 0;
    return 0;
  }
  if (endsBefore(root, at)) {
    const part = soonerPart(after(root), at);
    return join(root, before(root), part);
  }
  const part = soonerPart(before(root), at);
  laterPart = join(root, laterPart, after(root));
  return part;
}

function remove(root: i32, node: i32): i32 {
  if (root === node) return merge(before(root), after(root));
  if (endsBefore(node, root)) return join(root, remove(before(root), node), after(root));
  return join(root, before(root), remove(after(root), node));
}

/** One tree of two, all jobs of the first ending before those of the second. */
function merge(sooner: i32, later: i32): i32 {
  if (sooner === 0) return later;
  if (later === 0) return sooner;
  if (rankOf(sooner) > rankOf(later)) return join(sooner, before(sooner), merge(after(sooner), later));
  return join(later, merge(sooner, before(later)), after(later));
}
