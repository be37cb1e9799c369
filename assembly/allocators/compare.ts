import { Simulation } from '../memory/state';
import { RECORDED, note } from '../record/log';
import { Note } from '../record/notes';
import { Scan } from './scan';

/**
 * What all methods of Shih et al. have in common: best-fit and fastest-first each nominate a site, S_bf and
 * S_ff; where they agree that site is taken (2010, Fig. 1), else the method `M` prefers one of the two. `S`
 * is the search for sites.
 */
@inline
export function compare<M, S = Scan>(method: M, simulation: Simulation, job: i32): i32 {
  return changetype<S>(0).nominate<Comparison<M>>(simulation, job);
}

@final
@unmanaged
class Comparison<M> {
  @inline
  between(simulation: Simulation, job: i32, bestFit: i32, fastestFirst: i32): i32 {
    if (RECORDED) note(Note.Nominated, <f64>bestFit, <f64>fastestFirst);
    if (bestFit === fastestFirst) {
      simulation.decisionsAgreed++;
      return bestFit;
    }
    if (changetype<M>(0).prefersFastest(simulation, job, bestFit, fastestFirst)) {
      simulation.decisionsFastestFirst++;
      return fastestFirst;
    }
    simulation.decisionsBestFit++;
    return bestFit;
  }
}
