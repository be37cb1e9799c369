import { Status } from '../abi/abi';
import { Simulation } from '../memory/state';
import { GeneralRunKind, plansAhead } from '../memory/runKind';
import * as columns from '../memory/columns';
import { executionTime, predictedTimeAlone } from '../grid/execution';
import { mayUse } from '../grid/siteSets';
import { freeAt } from '../grid/sites';
import { at, put } from '../memory/memory';
import { startJobOnSite } from '../placement/commit';
import { startAlone } from '../placement/start';
import * as nodeSets from '../planning/nodeSets';

/** Jobs that already run when a simulation begins, so that it can begin in the middle of a schedule. */

/** Latest accepted start in seconds, as of submissions. */
const MOST_TIME: f64 = 1e300;

/**
 * Starts the next job of the table on a site at a time, before the first event; with plans by nodes on the
 * nodes of the column `PlacedNodes`.
 */
export function placeJob(simulation: Simulation, site: i32, start: f64): Status {
  const job = simulation.next;
  if (simulation.turns !== 0 || job >= simulation.knownJobs) return Status.RunUnderWay;
  if (!(start >= simulation.now && start <= MOST_TIME)) return Status.TimeInvalid;
  const processors = at<i32>(columns.processors, job);
  simulation.refusedJob = job;
  simulation.refusedSite = site;
  if (site < 0 || site >= simulation.siteCount || freeAt(site) < processors) return Status.SiteInfeasible;
  if (!mayUse(simulation, job, site)) return Status.SiteInfeasible;
  if (simulation.plansByNodes !== 0 && !areIdle(simulation, processors)) return Status.SiteInfeasible;
  simulation.refusedJob = -1;
  simulation.refusedSite = -1;
  simulation.now = start;
  if (plansAhead(simulation.lastDiscipline)) {
    startAlone(simulation, job, site, predictedTimeAlone(simulation, job, site));
  } else {
    startJobOnSite<GeneralRunKind>(simulation, job, site, processors, executionTime(simulation, job, site));
  }
  simulation.next = job + 1;
  simulation.head = job + 1;
  return Status.Finished;
}

/** True if the nodes of `PlacedNodes` are as many as a job needs, and idle. */
function areIdle(simulation: Simulation, processors: i32): bool {
  const words = (simulation.totalProcessors + 63) >> 6;
  nodeSets.clear(columns.chosenNodes, words);
  for (let node = 0; node < simulation.totalProcessors; node++) {
    const taken = (<u64>(at<i32>(columns.placedNodes, node) & 1)) << (node & 63);
    put<u64>(columns.chosenNodes, node >> 6, at<u64>(columns.chosenNodes, node >> 6) | taken);
  }
  if (nodeSets.count(columns.chosenNodes, words) !== processors) return false;
  return nodeSets.isWithin(columns.chosenNodes, columns.freeBits, words);
}
