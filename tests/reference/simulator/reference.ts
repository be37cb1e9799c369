import { makeEmptyProcessorUsage, type ProcessorUsage } from './agingKeys.js';
import { chooseCandidateAfterSubmit } from './dynamic.js';
import {
  applySpeedChangesBefore,
  doPassesHaveOwnTimes,
  findNextEvent,
  type SimulationEvent,
} from './events.js';
import { makeGrid } from './grid.js';
import { handleInstantOfKeptReservations, nextReservedStartTime } from './keptReservations.js';
import { computeReferenceMetrics, type SimulationOutcome } from './measures.js';
import { addOrderKeys } from './orderKeys.js';
import { makeAllocationPass, makePassAfterSubmit } from './passes.js';
import { handleEventsAndPasses } from './passTimes.js';
import { doOrdersDependOnUse, refuseCombinations, refuseTooWideJobs } from './refusals.js';
import { findNextJobToFinish, makeSimulation, type Simulation } from './simulation.js';
import type {
  PolicyView,
  ReferenceJob,
  ReferenceOptions,
  ReferenceResult,
  StoppedRun,
  WaitingJob,
} from './types.js';

export type {
  MultiSite,
  ReferenceJob,
  ReferenceOptions,
  ReferenceResult,
  Speedup,
  StoppedRun,
} from './types.js';

/**
 * Simulates jobs (sorted by submit time) on the grid. Written to be checked by reading; the core is
 * compared with it bit for bit. Throws an Error for a job that is wider than all permitted sites,
 * for an unknown policy, and for incompatible options.
 */
export function simulateReference(jobs: ReferenceJob[], options: ReferenceOptions): ReferenceResult {
  refuseCombinations(options, jobs);
  refuseTooWideJobs(jobs, options);
  const keyDescriptions = addOrderKeys(jobs, options);
  const outcome =
    options.queue === 'independent'
      ? simulateIndependentSites(keyDescriptions, options)
      : outcomeOfSimulation(simulateGrid(keyDescriptions, options));
  const { start, execution, parts, processors, stops, stoppedRuns } = outcome;
  const site = parts.map((ofJob) => ofJob[0]?.site ?? -1);
  const held = processors.map((ofJob) => ofJob.length);
  const submit = outcome.jobs.map((job) => job.submit);
  const metrics = computeReferenceMetrics(outcome);
  return { submit, start, execution, site, parts, held, processors, stops, stoppedRuns, metrics };
}

/** Simulates one grid from the first event to the last. */
export function simulateGrid(
  jobs: ReferenceJob[],
  options: ReferenceOptions,
  uses?: ProcessorUsage,
): Simulation {
  const simulation = makeSimulation(jobs, { ...options, changes: [...(options.changes ?? [])] }, uses);
  if (options.reservations === 'kept' && !doPassesHaveOwnTimes(options)) runWithKeptReservations(simulation);
  if (options.interval !== undefined) runWithPassesAtIntervals(simulation, options.interval);
  if (doPassesHaveOwnTimes(options)) handleEventsAndPasses(simulation);
  const handleEvent = options.instant === 'per-event' ? handleNextEvent : handleNextInstant;
  for (
    let event = findNextEvent(simulation);
    event.time < Number.POSITIVE_INFINITY;
    event = findNextEvent(simulation)
  )
    handleEvent(simulation, event);
  applySpeedChangesBefore(simulation, Number.POSITIVE_INFINITY);
  if (simulation.queues.some((queue) => queue.length > 0)) throw new Error('a job waits for ever');
  return simulation;
}

function outcomeOfSimulation(simulation: Simulation): SimulationOutcome {
  return {
    jobs: simulation.jobs,
    grid: simulation.grid,
    start: simulation.jobs.map((job) => job.start),
    execution: simulation.jobs.map((job) => job.execution),
    parts: simulation.jobs.map((job) => job.parts),
    processors: simulation.jobs.map((job) => job.held.flat()),
    stops: simulation.jobs.map((job) => job.stops),
    lost: simulation.jobs.map((job) => job.lost),
    stoppedRuns: simulation.stoppedRuns,
    goneSteps: simulation.goneSteps,
    queueLengths: simulation.queueLengths,
    decisions: simulation.decisions,
  };
}

/** Results of independent sites before any site has been simulated. */
function makeEmptyOutcome(jobs: ReferenceJob[], options: ReferenceOptions): SimulationOutcome {
  return {
    jobs,
    grid: makeGrid(options.capacities, options.speeds),
    start: [],
    execution: [],
    parts: [],
    processors: [],
    stops: [],
    lost: [],
    stoppedRuns: [],
    goneSteps: [],
    queueLengths: [],
    decisions: { agreed: 0, bestFit: 0, fastestFirst: 0 },
  };
}

/** Simulates every site separately with its home jobs, and combines the results. */
function simulateIndependentSites(jobs: ReferenceJob[], options: ReferenceOptions): SimulationOutcome {
  const isTogether = doOrdersDependOnUse(options);
  const firstSubmit = jobs[0]!.submit;
  const uses = makeEmptyProcessorUsage(firstSubmit);
  const beside: Simulation[] = [];
  const together = makeEmptyOutcome(jobs, options);
  const finished = together.grid.map((site) => {
    const jobIndicesOfSite = jobs.flatMap((job, index) => (job.home === site.index ? [index] : []));
    if (jobIndicesOfSite.length === 0 && options.outages === undefined) return undefined;
    const own = jobIndicesOfSite.map((index) => ({ ...jobs[index]!, home: 0 }));
    const alone: ReferenceOptions = {
      ...options,
      queue: 'shared',
      capacities: [site.capacity],
      speeds: [site.speed],
      load: [options.load[site.index]!],
      choose:
        options.choose && ((view) => Math.min(1, options.choose!(viewOfSiteAlone(view, site.index + 1)))),
      heterogeneity: options.heterogeneity && [options.heterogeneity[site.index]!],
      outages: options.outages
        ?.map((outage, number) => ({ ...outage, number }))
        .filter((outage) => outage.site === site.index)
        .map((outage) => ({ ...outage, site: 0 })),
      changes: options.changes?.map(({ time, speeds }) => ({ time, speeds: [speeds[site.index]!] })),
    };
    if (!isTogether)
      return {
        site,
        indices: jobIndicesOfSite,
        simulation: simulateGrid(own, alone, makeEmptyProcessorUsage(firstSubmit)),
      };
    const simulation = makeSimulation(own, alone, uses);
    simulation.jobs.forEach((job, k) => {
      job.indexInGrid = jobIndicesOfSite[k]!;
      job.homeInGrid = site.index;
    });
    beside.push(simulation);
    return { site, indices: jobIndicesOfSite, simulation };
  });
  uses.jobs.sort((one, other) => one.indexInGrid! - other.indexInGrid!);
  runSimulationsInParallel(beside);
  for (const each of finished) {
    if (each === undefined) continue;
    const { site, indices } = each;
    const alone = outcomeOfSimulation(each.simulation);
    indices.forEach((index, k) => {
      together.start[index] = alone.start[k]!;
      together.execution[index] = alone.execution[k]!;
      together.parts[index] = alone.parts[k]!.map((part) => ({ ...part, site: site.index }));
      together.processors[index] = alone.processors[k]!.map((number) => site.firstProcessor + number);
      together.stops[index] = alone.stops[k]!;
      together.lost[index] = alone.lost[k]!;
    });
    together.queueLengths = together.queueLengths.concat(alone.queueLengths);
    together.goneSteps.push(...alone.goneSteps.map((step) => ({ ...step, site: site.index })));
    together.stoppedRuns.push(
      ...alone.stoppedRuns.map((run) => ({
        ...{ job: indices[run.job]!, site: site.index, start: run.start, end: run.end },
        processors: run.processors.map((number) => site.firstProcessor + number),
      })),
    );
    for (const key of ['agreed', 'bestFit', 'fastestFirst'] as const)
      together.decisions[key] += alone.decisions[key];
  }
  sortStoppedRuns(together.stoppedRuns, options.outages);
  const speeds = options.changes?.at(-1)?.speeds ?? options.speeds;
  for (const site of together.grid) site.speed = speeds[site.index]!;
  return together;
}

/** Sorts preempted runs of sites by time; those of one time are in the order of the outages. */
function sortStoppedRuns(runs: StoppedRun[], outages: ReferenceOptions['outages'] = []): void {
  const outageIndexOfRun = ({ site, end }: StoppedRun) =>
    outages.findIndex((outage) => outage.site === site && outage.from === end);
  runs.sort((one, other) => one.end - other.end || outageIndexOfRun(one) - outageIndexOfRun(other));
}

/** Sites that know what users use on others: event by event, those of one time as on one site. */
function runSimulationsInParallel(simulations: Simulation[]): void {
  const order = ({ submitted, capacity }: SimulationEvent) =>
    capacity !== undefined ? (capacity.isEnd ? 2 : 3) : submitted === undefined ? 1 : 0;
  const indexOf = (simulation: Simulation, { submitted, capacity }: SimulationEvent) =>
    capacity?.outage.number ?? (submitted ?? findNextJobToFinish(simulation)!).indexInGrid!;
  for (;;) {
    const next = simulations
      .map((simulation) => ({ simulation, event: findNextEvent(simulation) }))
      .filter(({ event }) => event.time < Number.POSITIVE_INFINITY)
      .map((each) => ({ ...each, index: indexOf(each.simulation, each.event) }))
      .sort(
        (one, other) =>
          one.event.time - other.event.time ||
          order(one.event) - order(other.event) ||
          one.index - other.index,
      )[0];
    if (next === undefined) return;
    handleNextEvent(next.simulation, next.event);
  }
}

/** View of a custom policy for a site simulated alone, with the site's number in the grid. */
function viewOfSiteAlone(view: PolicyView, number: number): PolicyView {
  const shown = (job: WaitingJob) => ({ ...job, home: number });
  return {
    ...view,
    job: shown(view.job),
    queue: [...view.queue].map(shown),
    sites: view.sites.map((site) => ({ ...site, number })),
    bestFit: number,
    fastestFirst: number,
    lookAhead: () => view.lookAhead(1),
  };
}

/** Handles one event, then one allocation pass. */
function handleNextEvent(simulation: Simulation, event: SimulationEvent): void {
  applySpeedChangesBefore(simulation, event.time);
  const submittedCountBefore = simulation.submitted;
  event.handle();
  if (event.submitted === undefined) makeAllocationPass(simulation, event.time);
  else makePassAfterSubmit(simulation, event.submitted, event.time);
  chooseCandidateAfterSubmit(simulation, submittedCountBefore, event.time);
}

/**
 * Handles one instant: all ends, then all submissions, then one allocation pass. Jobs of length 0
 * started by this pass end at the same time, in another round.
 */
function handleNextInstant(simulation: Simulation, first: SimulationEvent): void {
  applySpeedChangesBefore(simulation, first.time);
  const submittedCountBefore = simulation.submitted;
  for (let event = first; event.time === first.time; event = findNextEvent(simulation)) event.handle();
  makeAllocationPass(simulation, first.time);
  chooseCandidateAfterSubmit(simulation, submittedCountBefore, first.time);
}

/**
 * Handles events without passes, and a pass at each interval from the first submission on, after
 * all events until then. Jobs of length 0 started by a pass end after it.
 */
function runWithPassesAtIntervals(simulation: Simulation, interval: number): void {
  const firstSubmit = simulation.jobs[0]!.submit;
  let event = findNextEvent(simulation);
  const areAllJobsSubmitted = () => simulation.coming.length === 0 && simulation.held.length === 0;
  for (let k = 0; !areAllJobsSubmitted() || simulation.queues[0]!.length > 0; k++) {
    const now = firstSubmit + k * interval;
    for (; event.time <= now; event = findNextEvent(simulation)) {
      applySpeedChangesBefore(simulation, event.time);
      event.handle();
    }
    applySpeedChangesBefore(simulation, now);
    // With intervals, no job is placed at its submission.
    simulation.metEmptyQueue.clear();
    makeAllocationPass(simulation, now);
    event = findNextEvent(simulation);
  }
  for (; event.time < Number.POSITIVE_INFINITY; event = findNextEvent(simulation)) {
    applySpeedChangesBefore(simulation, event.time);
    event.handle();
  }
}

/** Handles instants at which an event occurs or a kept reservation begins. */
function runWithKeptReservations(simulation: Simulation): void {
  const nextEvent = () => findNextEvent(simulation);
  const nextInstant = () => Math.min(nextEvent().time, nextReservedStartTime(simulation));
  for (let now = nextInstant(); now < Number.POSITIVE_INFINITY; now = nextInstant())
    handleInstantOfKeptReservations(simulation, now, nextEvent);
}
