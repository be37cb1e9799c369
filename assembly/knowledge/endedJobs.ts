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
  const firstIndicesAddress = columns.classFirst;
  const classCounts = columns.classCounts;
  for (let job = 0; job < simulation.jobCount; job++) {
    const widthClass = widthClassOf(job);
    put<i32>(classCounts, widthClass, at<i32>(classCounts, widthClass) + 1);
  }
  let firstIndexOfClass = 0;
  for (let widthClass = 0; widthClass < columns.WIDTH_CLASS_COUNT; widthClass++) {
    put<i32>(firstIndicesAddress, widthClass, firstIndexOfClass);
    firstIndexOfClass += at<i32>(classCounts, widthClass);
    put<i32>(classCounts, widthClass, 0);
  }
}

/** Adds a finished job to the lists. */
export function learnFromEndedJob(simulation: Simulation, job: i32): void {
  const widthClass = widthClassOf(job);
  const jobCountOfClass = at<i32>(columns.classCounts, widthClass);
  put<i32>(columns.endedJobsOfClass, at<i32>(columns.classFirst, widthClass) + jobCountOfClass, job);
  put<i32>(columns.classCounts, widthClass, jobCountOfClass + 1);
  put<i32>(columns.endedJobs, simulation.endedJobCount++, job);
}

/**
 * Draws the work (runtime * load) of a random finished job of the same width class, or of any class if the
 * class has none. Requires a finished job.
 */
export function drawRandomWorkOfEndedJob(simulation: Simulation, job: i32): f64 {
  const widthClass = widthClassOf(job);
  const jobCountOfClass = at<i32>(columns.classCounts, widthClass);
  const firstIndexOfClass = at<i32>(columns.classFirst, widthClass);
  const randomEndedJob =
    jobCountOfClass > 0
      ? at<i32>(
          columns.endedJobsOfClass,
          firstIndexOfClass + drawRandomIndexBelow(simulation, jobCountOfClass),
        )
      : at<i32>(columns.endedJobs, drawRandomIndexBelow(simulation, simulation.endedJobCount));
  return runtimeOfEndedJob(randomEndedJob) * at<f64>(columns.loads, at<i32>(columns.homes, randomEndedJob));
}

/** Random whole number below `count`, from the upper 53 bits of a random number. */
function drawRandomIndexBelow(simulation: Simulation, count: i32): i32 {
  const randomFraction = <f64>(draw(simulation, simulation.seed) >> 11) * 1.1102230246251565e-16;
  return <i32>floor<f64>(randomFraction * <f64>count);
}
