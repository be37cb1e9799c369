import { Simulation, draw } from '../memory/state';
import * as columns from '../memory/columns';
import { runtimeOfEndedJob } from '../grid/execution';
import { at, put } from '../memory/memory';

/**
 * Finished jobs in order of their ends, all together and by width class, floor(log2 processors),
 * from which unknown runtimes are drawn.
 */

@inline
function widthClassOf(job: i32): i32 {
  return 31 - clz(at<i32>(columns.processors, job));
}

/** Empties the lists; the jobs of a class are stored after those of narrower classes. */
export function reset(simulation: Simulation): void {
  const first = columns.classFirst;
  const counts = columns.classCounts;
  for (let job = 0; job < simulation.jobCount; job++) {
    const width = widthClassOf(job);
    put<i32>(counts, width, at<i32>(counts, width) + 1);
  }
  let place = 0;
  for (let width = 0; width < columns.WIDTH_CLASS_COUNT; width++) {
    put<i32>(first, width, place);
    place += at<i32>(counts, width);
    put<i32>(counts, width, 0);
  }
}

/** Adds a finished job to the lists. */
export function learnFromEndedJob(simulation: Simulation, job: i32): void {
  const width = widthClassOf(job);
  const jobsOfClass = at<i32>(columns.classCounts, width);
  put<i32>(columns.endedOfClass, at<i32>(columns.classFirst, width) + jobsOfClass, job);
  put<i32>(columns.classCounts, width, jobsOfClass + 1);
  put<i32>(columns.endedJobs, simulation.ended++, job);
}

/**
 * Draws the work (runtime * load) of a random finished job of the same width class, or of any class if the
 * class has none. Requires a finished job.
 */
export function drawWorkOfEndedJob(simulation: Simulation, job: i32): f64 {
  const width = widthClassOf(job);
  const jobsOfClass = at<i32>(columns.classCounts, width);
  const first = at<i32>(columns.classFirst, width);
  const ended =
    jobsOfClass > 0
      ? at<i32>(columns.endedOfClass, first + drawIndexBelow(simulation, jobsOfClass))
      : at<i32>(columns.endedJobs, drawIndexBelow(simulation, simulation.ended));
  return runtimeOfEndedJob(ended) * at<f64>(columns.loads, at<i32>(columns.homes, ended));
}

/** Random whole number below `count`, from the upper 53 bits of a random number. */
function drawIndexBelow(simulation: Simulation, count: i32): i32 {
  const share = <f64>(draw(simulation, simulation.seed) >> 11) * 1.1102230246251565e-16;
  return <i32>floor<f64>(share * <f64>count);
}
