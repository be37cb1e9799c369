import { Simulation } from '../state';
import * as columns from '../columns';
import { Slot, candidatesOf, demandOf, firstCandidateOf, siteIn } from '../grid/sites';
import { at } from '../memory';
import { RECORDED, note } from '../record/log';
import { Note } from '../record/notes';
import { NO_SLOT, hasRoom } from './argmin';

/**
 * What all methods of Shih et al. have in common: best-fit and fastest-first each nominate a site, S_bf and
 * S_ff; where they agree that site is taken (2010, Fig. 1), else the method `M` prefers one of the two.
 */
@inline
export function compare<M>(method: M, simulation: Simulation, job: i32): i32 {
  const demand = demandOf(at<i32>(columns.processors, job));
  const slots = columns.slots + firstCandidateOf(simulation, job);
  let least = NO_SLOT;
  let first = NO_SLOT;
  for (let place = candidatesOf(simulation, job) - 1; place >= 0; place--) {
    const slot = at<Slot>(slots, place);
    const left = slot - demand;
    least = min<u64>(least, left);
    first = select<u64>(slot, first, hasRoom(left));
  }
  if (!hasRoom(least)) return -1;
  const bestFit = siteIn(least);
  const fastestFirst = siteIn(first);
  if (RECORDED) note(Note.Nominated, <f64>bestFit, <f64>fastestFirst);
  if (bestFit === fastestFirst) {
    simulation.decisionsAgreed++;
    return bestFit;
  }
  if (method.prefersFastest(simulation, job, bestFit, fastestFirst)) {
    simulation.decisionsFastestFirst++;
    return fastestFirst;
  }
  simulation.decisionsBestFit++;
  return bestFit;
}
