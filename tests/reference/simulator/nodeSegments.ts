import { areNodeSetsEqual, isNodeSubset, type NodeSet, subtractNodeSet } from './nodeSets.js';

/** A time span [begin, end), in seconds, and the nodes without a reservation in it. */
export interface NodeReservationSegment {
  begin: number;
  end: number;
  free: NodeSet;
}

/** Reservations of one backfill pass over nodes. */
export interface NodeReservations {
  /** Adjacent segments in order of time. */
  list: NodeReservationSegment[];
  /** Number of segments created in the pass. */
  entries: number;
}

/** Returns true if all chosen nodes are unreserved in every segment that overlaps [begin, end). */
export function areNodesUnreserved(
  chosen: NodeSet,
  begin: number,
  end: number,
  { list }: NodeReservations,
): boolean {
  return list.every((s) => !(s.end > begin && s.begin < end) || isNodeSubset(chosen, s.free));
}

/**
 * Reserves the chosen nodes over [begin, end), as far as the segments reach. Of adjacent segments
 * that have become equal, at most the first two are joined.
 */
export function addNodeReservation(
  segments: NodeReservations,
  begin: number,
  end: number,
  chosen: NodeSet,
): void {
  const { list } = segments;
  const j = list.findIndex((segment) => segment.end >= begin);
  if (j < 0) return;
  const segmentBefore = list[Math.max(0, j - 1)]!;
  if (list[j]!.end > begin) splitSegmentAt(segments, j, begin);
  let segmentAfter: NodeReservationSegment | undefined;
  for (let k = j + 1; k < list.length; k++) {
    const segment = list[k]!;
    if (end < segment.end) splitSegmentAt(segments, k, end);
    segment.free = subtractNodeSet(segment.free, chosen);
    if (segment.end === end) {
      segmentAfter = list[k + 1];
      break;
    }
  }
  joinFirstPairOfEqualSegments(list, segmentBefore, segmentAfter);
}

/** Splits a segment at a time; the second part has the same nodes. */
function splitSegmentAt(segments: NodeReservations, index: number, time: number): void {
  const segment = segments.list[index]!;
  segments.list.splice(index + 1, 0, { ...segment, begin: time });
  segment.end = time;
  segments.entries += 1;
}

/**
 * Joins the first two adjacent segments with equal nodes, the first of which is at or after `first`
 * and before `segmentAfter`.
 */
function joinFirstPairOfEqualSegments(
  list: NodeReservationSegment[],
  first: NodeReservationSegment,
  segmentAfter: NodeReservationSegment | undefined,
): void {
  for (let k = list.indexOf(first); k + 1 < list.length && list[k] !== segmentAfter; k++) {
    const nextSegment = list[k + 1]!;
    if (!areNodeSetsEqual(list[k]!.free, nextSegment.free)) continue;
    list[k]!.end = nextSegment.end;
    list.splice(k + 1, 1);
    return;
  }
}
