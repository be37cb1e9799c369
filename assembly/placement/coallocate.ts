import { Simulation } from '../state';
import * as columns from '../columns';
import { coallocatedTime } from '../grid/execution';
import { beginSet } from '../grid/processors';
import { at, put } from '../memory';
import * as predictions from '../planning/predictions';
import * as record from '../record/events';
import { RECORDED } from '../record/log';
import { hold, launch } from './commit';

/**
 * A job starts now on the sites of `chosenSites` with their shares, all its processors until its end (Zhang
 * et al. 2006). `length` is what it is predicted to take there.
 */
export function startChosen(simulation: Simulation, job: i32, count: i32, length: f64): void {
  const end = simulation.now + length;
  if (simulation.logCapacity > 0) beginSet(simulation, job);
  for (let place = 0; place < count; place++) {
    const site = at<i32>(columns.chosenSites, place);
    const processors = at<i32>(columns.chosenShares, place);
    hold(simulation, site, processors);
    if (RECORDED) record.took(simulation, job, site, processors);
    predictions.enter(site, end, processors);
  }
  if (simulation.partCapacity > 0) {
    put<i32>(columns.partIndices, job, count > 1 ? keepParts(simulation, count) : -1);
  }
  put<f64>(columns.predictedEnds, job, end);
  const execution = coallocatedTime(simulation, job, columns.chosenSites, count);
  launch(simulation, job, at<i32>(columns.chosenSites, 0), execution);
}

/** Appends the shares to the log of parts; returns where they begin. */
function keepParts(simulation: Simulation, count: i32): i32 {
  const first = simulation.partsLength;
  for (let place = 0; place < count; place++) {
    put<i32>(columns.parts, 2 * (first + place), at<i32>(columns.chosenSites, place));
    put<i32>(columns.parts, 2 * (first + place) + 1, at<i32>(columns.chosenShares, place));
  }
  simulation.partsLength = first + count;
  return first;
}
