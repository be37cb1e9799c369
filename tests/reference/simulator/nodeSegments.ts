import { difference, isEqual, isSubset, type Nodes } from './nodeSets.js';

/** The time [begin, end), in seconds, and the nodes that no reservation holds in it. */
export interface Segment {
  begin: number;
  end: number;
  free: Nodes;
}

/** The reservations of one pass over nodes. */
export interface Segments {
  /** Neighbours in time, the earliest first. */
  list: Segment[];
  /** How many segments were ever made in the pass. */
  entries: number;
}

/** Tells whether the chosen nodes are unreserved in every segment that overlaps [begin, end). */
export function areUnreserved(chosen: Nodes, begin: number, end: number, { list }: Segments): boolean {
  return list.every((s) => !(s.end > begin && s.begin < end) || isSubset(chosen, s.free));
}

/**
 * Reserves the chosen nodes over [begin, end), as far as the segments reach. Of neighbours that have become equal
 * the first two, at most, become one.
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

/** Ends a segment at a time; what was behind that time is a new segment, with the same nodes. */
function split(segments: Segments, index: number, time: number): void {
  const segment = segments.list[index]!;
  segments.list.splice(index + 1, 0, { ...segment, begin: time });
  segment.end = time;
  segments.entries += 1;
}

/** Joins the first two neighbours with equal nodes, the first of which is at or behind `first` and before `after`. */
function joinFirstEqual(list: Segment[], first: Segment, after: Segment | undefined): void {
  for (let k = list.indexOf(first); k + 1 < list.length && list[k] !== after; k++) {
    const next = list[k + 1]!;
    if (!isEqual(list[k]!.free, next.free)) continue;
    list[k]!.end = next.end;
    list.splice(k + 1, 1);
    return;
  }
}
