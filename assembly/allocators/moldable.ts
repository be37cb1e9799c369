import { MoldableFit } from '../abi/abi';
import { Simulation } from '../memory/state';
import * as columns from '../memory/columns';
import { speedOf } from '../grid/sites';
import { at } from '../memory/memory';
import { RECORDED, note } from '../record/log';
import { Note } from '../record/notes';
import { least } from './argmin';

/** Allocators of moldable jobs (Huang et al. 2009, Fig. 1). */

/** The site that fits a job best among those on which all its processors fit, or -1. */
@inline
export function chooseFit(simulation: Simulation, job: i32): i32 {
  const processors = at<i32>(columns.processors, job);
  const homeSpeed = speedOf(at<i32>(columns.homes, job));
  switch (simulation.moldableFit) {
    case MoldableFit.Processors:
      return least(changetype<FreeProcessors>(0), simulation, processors, homeSpeed);
    case MoldableFit.Power:
      return least(changetype<PowerDistance>(0), simulation, processors, homeSpeed);
    default:
      return least(changetype<ProcessorDistance>(0), simulation, processors, homeSpeed);
  }
}

/** The site with the most free processors * speed, or -1 when none has a free processor. */
export function chooseStrongest(simulation: Simulation): i32 {
  return least(changetype<LackOfPower>(0), simulation, 1, 0);
}

/** How far the free processors are from those that would do what the job's own do at home. */
@final
@unmanaged
class ProcessorDistance {
  @inline
  of(site: i32, free: f64, processors: f64, homeSpeed: f64): f64 {
    return noted(site, abs<f64>(free - (processors * homeSpeed) / speedOf(site)));
  }
}

/** How many processors are free. */
@final
@unmanaged
class FreeProcessors {
  @inline
  of(site: i32, free: f64, processors: f64, homeSpeed: f64): f64 {
    return noted(site, free);
  }
}

/** How far the free computing power is from what the job has at home. */
@final
@unmanaged
class PowerDistance {
  @inline
  of(site: i32, free: f64, processors: f64, homeSpeed: f64): f64 {
    return noted(site, abs<f64>(free * speedOf(site) - processors * homeSpeed));
  }
}

/** The less the more computing power is free. */
@final
@unmanaged
class LackOfPower {
  @inline
  of(site: i32, free: f64, processors: f64, homeSpeed: f64): f64 {
    return -(free * speedOf(site));
  }
}

@inline
function noted(site: i32, distance: f64): f64 {
  if (RECORDED) note(Note.Distance, <f64>site, distance);
  return distance;
}
