import { plannedExecution } from './lengths.js';
import { exceedsLimit } from './limits.js';
import { addStartedJobToProfile, makeFreeProcessorsProfile, subtractPlanFromProfile } from './profile.js';
import { reservationCountPerPass } from './reservationDepth.js';
import { planQueueWithPolicy } from './safePlanner.js';
import { type PlannedAllocation, selectSites } from './selection.js';
import { type JobRecord, type Simulation, startJob } from './simulation.js';
import { jobsBehindReservations } from './waitingQueue.js';

/**
 * Plans the waiting jobs in queue order (Zhang et al. 2006, Algorithm 1) and starts those planned
 * for now. The plans of all other jobs (under EASY only of the first few) are reserved until the
 * end of the pass. With a policy on several sites, and with a custom policy, planQueueWithPolicy is
 * used instead. A main pass ends at the first job that is not planned for now.
 */
export function planQueue(
  simulation: Simulation,
  queue: JobRecord[],
  now: number,
  pass: 'usual' | 'main' = 'usual',
): void {
  const { options, grid } = simulation;
  if (options.choose !== undefined || (options.withPolicy && grid.length > 1)) {
    planQueueWithPolicy(simulation, queue, now, pass);
    return;
  }
  const profile = makeFreeProcessorsProfile(simulation, now, pass === 'usual');
  const reservationCount = reservationCountPerPass(options);
  let reserved = 0;
  let sequence = [...queue];
  for (let job = sequence.shift(); job !== undefined; job = sequence.shift()) {
    if (exceedsLimit(simulation, job)) continue;
    const plan = selectSites({ job, now, profile, options });
    if (plan.start === now) {
      startAsPlanned(simulation, job, plan);
      queue.splice(queue.indexOf(job), 1);
      addStartedJobToProfile(profile, job, options);
    } else {
      if (pass === 'main') return;
      if (reserved === reservationCount) continue;
      subtractPlanFromProfile(profile, plan, options);
      simulation.reservations.push({ ...plan, job: job.index, made: now });
      reserved += 1;
      if (reserved === reservationCount) sequence = jobsBehindReservations(queue, job, now, options);
    }
  }
}

function startAsPlanned(simulation: Simulation, job: JobRecord, { parts, start }: PlannedAllocation): void {
  const sites = parts.map((part) => part.site);
  startJob(simulation, job, start, parts, plannedExecution(job, sites, simulation.options));
}
