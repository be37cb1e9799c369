import { Simulation } from '../memory/state';
import * as columns from '../memory/columns';
import { candidatesOf } from '../grid/sites';
import * as siteIndex from '../grid/siteIndex';
import { at } from '../memory/memory';

/** The search for sites by their index, with the answers of `Scan`, to the last tie. */
@final
@unmanaged
export class Index {
  @inline
  bestFit(simulation: Simulation, job: i32): i32 {
    return siteIndex.tightest(simulation, at<i32>(columns.processors, job), candidatesOf(simulation, job));
  }

  @inline
  fastestFirst(simulation: Simulation, job: i32): i32 {
    return siteIndex.fastest(simulation, at<i32>(columns.processors, job), candidatesOf(simulation, job));
  }

  @inline
  firstFit(simulation: Simulation, job: i32): i32 {
    return siteIndex.first(simulation, at<i32>(columns.processors, job), candidatesOf(simulation, job));
  }

  @inline
  worstFit(simulation: Simulation, job: i32): i32 {
    return siteIndex.roomiest(simulation, at<i32>(columns.processors, job), candidatesOf(simulation, job));
  }

  @inline
  nominate<D>(simulation: Simulation, job: i32): i32 {
    const fastestFirst = this.fastestFirst(simulation, job);
    if (fastestFirst < 0) return -1;
    return changetype<D>(0).between(simulation, job, this.bestFit(simulation, job), fastestFirst);
  }

  @inline
  beginHypothesis(simulation: Simulation): void {
    siteIndex.beginHypothesis(simulation);
  }

  @inline
  assume(simulation: Simulation, site: i32, processors: i32): void {
    siteIndex.assume(simulation, site, processors);
  }

  @inline
  place(simulation: Simulation, job: i32): i32 {
    const site = this.bestFit(simulation, job);
    if (site >= 0) siteIndex.assume(simulation, site, at<i32>(columns.processors, job));
    return site;
  }

  @inline
  mostFree(simulation: Simulation): i32 {
    return siteIndex.mostFree(simulation);
  }

  @inline
  endHypothesis(simulation: Simulation): void {
    siteIndex.endHypothesis(simulation);
  }
}
