import { Simulation } from '../state';
import * as columns from '../columns';
import { Slot, candidatesOf, firstCandidateOf, requestOf, siteIn } from '../grid/sites';
import { at } from '../memory';
import { RECORDED, note } from '../record/log';
import { Note } from '../record/notes';
import { NO_SLOT, fits } from './argmin';

/**
 * What all methods of Shih et al. have in common: best-fit and fastest-first each nominate a site, S_bf and
 * S_ff; where they agree that site is taken (2010, Fig. 1), else the method `M` prefers one of the two.
 */
@inline
export function compare<M>(method: M, simulation: Simulation, job: i32): i32 {
  const request = requestOf(at<i32>(columns.processors, job));
  const slots = columns.slots + firstCandidateOf(simulation, job);
  let least = NO_SLOT;
  let first = NO_SLOT;
  for (let index = candidatesOf(simulation, job) - 1; index >= 0; index--) {
    const slot = at<Slot>(slots, index);
    const left = slot - request;
    least = min<u64>(least, left);
    first = select<u64>(slot, first, fits(left));
  }
  if (!fits(least)) return -1;
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
