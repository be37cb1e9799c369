import { makeGrid } from './grid.js';
import { measure, type Outcome } from './measures.js';
import { allocationPass } from './passes.js';
import { refuseCombinations, refuseTooWide } from './refusals.js';
import { endOf, finish, makeSimulation, nextToFinish, type Simulation, submit } from './simulation.js';
import type { ReferenceJob, ReferenceOptions, ReferenceResult } from './types.js';

export type {
  MoldableFit,
  MultiSite,
  Part,
  ReferenceDecisions,
  ReferenceJob,
  ReferenceMetrics,
  ReferenceOptions,
  ReferenceResult,
  Speedup,
} from './types.js';

/**
 * Simulates the jobs (sorted by submit time) on the grid. Written to be read and checked by eye; the core is
 * compared with it bit for bit. Throws an Error for a job that is wider than every site it may use, for an
 * unknown policy, and for options that do not go together.
 */
export function simulateReference(jobs: ReferenceJob[], options: ReferenceOptions): ReferenceResult {
  refuseCombinations(options);
  refuseTooWide(jobs, options);
  const outcome =
    options.queue === 'independent' ? simulateIndependent(jobs, options) : simulateGrid(jobs, options);
  const { start, execution, parts, processors, stops } = outcome;
  const site = parts.map((ofJob) => ofJob[0]!.site);
  const held = processors.map((ofJob) => ofJob.length);
  return { start, execution, site, parts, held, processors, stops, metrics: measure(outcome) };
}

/** One grid, from the first event to the last. */
function simulateGrid(jobs: ReferenceJob[], options: ReferenceOptions): Outcome {
  const simulation = makeSimulation(jobs, options);
  while (simulation.future.length > 0 || simulation.running.length > 0) {
    if (options.instant === 'per-event') handleNextEvent(simulation);
    else handleNextInstant(simulation);
  }
  return {
    jobs,
    grid: simulation.grid,
    start: simulation.jobs.map((job) => job.start),
    execution: simulation.jobs.map((job) => job.execution),
    parts: simulation.jobs.map((job) => job.parts),
    processors: simulation.jobs.map((job) => job.held.flat()),
    stops: simulation.jobs.map((job) => job.stops),
    lost: simulation.jobs.map((job) => job.lost),
    lostAtSite: simulation.lostAtSite,
    queueLengths: simulation.queueLengths,
    decisions: simulation.decisions,
  };
}

/** Every site a grid of its own, with the jobs at home there; what became of them is put together again. */
function simulateIndependent(jobs: ReferenceJob[], options: ReferenceOptions): Outcome {
  const together: Outcome = {
    jobs,
    grid: makeGrid(options.capacities, options.speeds),
    start: [],
    execution: [],
    parts: [],
    processors: [],
    stops: [],
    lost: [],
    lostAtSite: options.capacities.map(() => 0),
    queueLengths: [],
    decisions: { agreed: 0, bestFit: 0, fastestFirst: 0 },
  };
  for (const site of together.grid) {
    const indices = jobs.flatMap((job, index) => (job.home === site.index ? [index] : []));
    const own = indices.map((index) => ({ ...jobs[index]!, home: 0 }));
    const alone = simulateGrid(own, {
      ...options,
      queue: 'shared',
      capacities: [site.capacity],
      speeds: [site.speed],
      load: [options.load[site.index]!],
    });
    indices.forEach((index, k) => {
      together.start[index] = alone.start[k]!;
      together.execution[index] = alone.execution[k]!;
      together.parts[index] = alone.parts[k]!.map((part) => ({ ...part, site: site.index }));
      together.processors[index] = alone.processors[k]!.map((number) => site.firstProcessor + number);
      together.stops[index] = alone.stops[k]!;
      together.lost[index] = alone.lost[k]!;
    });
    together.queueLengths = together.queueLengths.concat(alone.queueLengths);
    for (const key of ['agreed', 'bestFit', 'fastestFirst'] as const)
      together.decisions[key] += alone.decisions[key];
  }
  return together;
}

/** One event, then one allocation pass. At equal times a submit comes before a finish. */
function handleNextEvent(simulation: Simulation): void {
  const submitting = simulation.future[0];
  const finishing = nextToFinish(simulation);
  if (submitting !== undefined && (finishing === undefined || submitting.submit <= endOf(finishing))) {
    submit(simulation);
    allocationPass(simulation, submitting.submit);
  } else {
    finish(simulation, finishing!);
    allocationPass(simulation, endOf(finishing!));
  }
}

/** One instant: all finishes, then all submits, then one allocation pass. Jobs of length 0 that this pass
 *  starts end at this same time, in a further round. */
function handleNextInstant(simulation: Simulation): void {
  const now = Math.min(
    simulation.future[0]?.submit ?? Number.POSITIVE_INFINITY,
    ...simulation.running.map((job) => endOf(job)),
  );
  for (let job = nextToFinish(simulation); job && endOf(job) === now; job = nextToFinish(simulation)) {
    finish(simulation, job);
  }
  while (simulation.future[0]?.submit === now) submit(simulation);
  allocationPass(simulation, now);
}
