import { Simulation } from '../memory/state';
import * as safeSites from '../allocators/safeSites';
import * as columns from '../memory/columns';
import { CHECKED, Invariant, check } from '../memory/check';
import { predictedTimeAt } from '../grid/execution';
import { candidateAt, candidatesOf, freeAt } from '../grid/sites';
import { at } from '../memory/memory';
import * as candidates from '../planning/candidates';
import { RECORDED, beginDecision } from '../record/log';

/** Resource selection with an allocator: it chooses where a job starts now, if it is safe anywhere. */

/**
 * The allocator's choice among the sites that are safe now, no candidate where it tells the job to wait or
 * asks the host; if none is safe, where the job can start first.
 */
export function select(simulation: Simulation, job: i32): void {
  const count = candidatesOf(simulation, job);
  const processors = at<i32>(columns.processors, job);
  let safe = 0;
  candidates.clear();
  safeSites.beginMarks(simulation);
  for (let index = 0; index < count; index++) {
    const site = candidateAt(simulation, job, index);
    if (freeAt(site) < processors) continue;
    if (candidates.startsAlone(simulation, job, site)) safe++;
    else safeSites.markUnsafe(site);
  }
  if (safe > 0) {
    const site = safeSites.chooseSafe(simulation, job);
    if (site >= 0) candidates.choose(job, site, simulation.now, predictedTimeAt(simulation, job, site));
  } else {
    for (let index = 0; index < count; index++) {
      candidates.considerStart(simulation, job, candidateAt(simulation, job, index));
    }
  }
}

/** The allocator is asked about a job that is safe on one site alone, which it therefore takes. */
export function confirm(simulation: Simulation, job: i32, site: i32): void {
  if (RECORDED) beginDecision(simulation, job);
  safeSites.beginMarks(simulation);
  for (let index = candidatesOf(simulation, job) - 1; index >= 0; index--) {
    const other = candidateAt(simulation, job, index);
    const hasRoom = freeAt(other) >= at<i32>(columns.processors, job);
    if (other !== site && hasRoom) safeSites.markUnsafe(other);
  }
  const chosen = safeSites.chooseSafe(simulation, job);
  if (CHECKED) check(chosen === site, Invariant.PlanOutdated);
}
