import { Simulation } from '../memory/state';
import * as columns from '../memory/columns';
import { lostIn, settledWithin } from '../sums/exactSum';
import { at, put } from '../memory/memory';
import { addJobs, sumsOf } from '../sums/jobSums';

/**
 * Sums of jobs of a simulation that parts and is joined: each a double, what that lacks, and how far the two
 * may be off. Adding one to another counts in what that itself loses, so they can go back and forth between
 * histories; in the end the three tell the double that the exact sum rounds to, but in very rare cases. The
 * exact sum itself (sums/exactSum.ts) has 35 words: twelve times as much to copy at a fork and to add at a
 * join.
 */

@inline
function sumAt(tallies: usize, sum: i32): usize {
  return tallies + <usize>(<i32>columns.TALLY_ENTRIES * sum) * sizeof<f64>();
}

@final
@unmanaged
class Tallied {
  @inline
  add(sum: i32, term: f64): void {
    addTo(sumAt(changetype<usize>(this), sum), term);
  }
}

/** Brings the tallies up to date with the jobs of the fcfs queue that have started. */
export function update(simulation: Simulation): void {
  const first = simulation.accounted;
  const end = simulation.head;
  if (first === end) return;
  simulation.accounted = end;
  simulation.sharedJobs += end - first;
  addJobs<Tallied>(changetype<Tallied>(columns.tallies), simulation, first, end, false);
}

/** A term more: what the first double loses goes to the second, what that loses to the doubt. */
@inline
function addTo(tally: usize, term: f64): void {
  const sum = at<f64>(tally, 0);
  const rest = at<f64>(tally, 1);
  const lost = lostIn(sum, term);
  put<f64>(tally, 0, sum + term);
  put<f64>(tally, 1, rest + lost);
  doubt(tally, abs<f64>(lostIn(rest, lost)));
}

@inline
function doubt(tally: usize, much: f64): void {
  put<f64>(tally, 2, at<f64>(tally, 2) + much);
}

/** Other tallies join, or leave where the sign is -1. */
export function join(simulation: Simulation, tallies: usize, others: usize, sign: f64): void {
  const sums = sumsOf(simulation);
  for (let sum = 0; sum < sums; sum++) {
    const tally = sumAt(tallies, sum);
    const other = sumAt(others, sum);
    addTo(tally, sign * at<f64>(other, 0));
    addTo(tally, sign * at<f64>(other, 1));
    doubt(tally, at<f64>(other, 2));
  }
}

/** The double that a sum comes to, NaN where its tally leaves that open. */
export function settled(tallies: usize, sum: i32): f64 {
  const tally = sumAt(tallies, sum);
  // The doubts were rounded when they were added up.
  return settledWithin(at<f64>(tally, 0), at<f64>(tally, 1), 2 * at<f64>(tally, 2));
}
