import { difference, isEqual, isSubset, type Nodes } from './nodeSets.js';

/** A time span [begin, end), in seconds, and the nodes without a reservation in it. */
export interface Segment {
  begin: number;
  end: number;
  free: Nodes;
}

/** Reservations of one backfill pass over nodes. */
export interface Segments {
  /** Adjacent segments in order of time. */
  list: Segment[];
  /** Number of segments created in the pass. */
  entries: number;
}

/** Returns true if all chosen nodes are unreserved in every segment that overlaps [begin, end). */
export function areUnreserved(chosen: Nodes, begin: number, end: number, { list }: Segments): boolean {
  return list.every((s) => !(s.end > begin && s.begin < end) || isSubset(chosen, s.free));
}

/**
 * Reserves the chosen nodes over [begin, end), as far as the segments reach. Of adjacent segments
 * that have become equal, at most the first two are joined.
 */
export function enterReservation(segments: Segments, begin: number, end: number, chosen: Nodes): void {
  const { list } = segments;
  const j = list.findIndex((segment) => segment.end >= begin);
  if (j < 0) return;
  const before = list[Math.max(0, j - 1)]!;
  if (list[j]!.end > begin) split(segments, j, begin);
  let after: Segment | undefined;
  for (let k = j + 1; k < list.length; k++) {
    const segment = list[k]!;
    if (end < segment.end) split(segments, k, end);
    segment.free = difference(segment.free, chosen);
    if (segment.end === end) {
      after = list[k + 1];
      break;
    }
  }
  joinFirstEqual(list, before, after);
}

/** Splits a segment at a time; the second part has the same nodes. */
function split(segments: Segments, index: number, time: number): void {
  const segment = segments.list[index]!;
  segments.list.splice(index + 1, 0, { ...segment, begin: time });
  segment.end = time;
  segments.entries += 1;
}

/**
 * Joins the first two adjacent segments with equal nodes, the first of which is at or after `first`
 * and before `after`.
 */
function joinFirstEqual(list: Segment[], first: Segment, after: Segment | undefined): void {
  for (let k = list.indexOf(first); k + 1 < list.length && list[k] !== after; k++) {
    const next = list[k + 1]!;
    if (!isEqual(list[k]!.free, next.free)) continue;
    list[k]!.end = next.end;
    list.splice(k + 1, 1);
    return;
  }
}
