/** Runs of jobs on processors, and invariants that hold for all scheduling rules. */
import type { Configuration } from '../../host/options/configuration.js';
import type { Simulator } from '../../host/simulate/simulator.js';
import type { Workload } from '../../host/workload/workload.js';
import { listPartsOfJobs, listProcessorsOfJobs } from './simulateCore.js';

/** One run of a job, which holds its processors from its start until just before its end. */
export interface SimulatedRun {
  readonly job: number;
  readonly start: number;
  /** Time of its end or preemption. */
  readonly end: number;
  /** True if the run was preempted; its job then runs again. */
  readonly stopped: boolean;
  /** True if the multi-site rule placed the job, even if all its processors are on one site. */
  readonly split: boolean;
  /** Sites (from 0) in the order of allocation, with the processors taken there. */
  readonly parts: readonly { readonly site: number; readonly processors: number }[];
  /** Processors, numbered from 0 across all sites. */
  readonly processors: readonly number[];
}

/** State of a simulation at a pause, after all events up to and including its time. */
export interface SimulationPause {
  readonly time: number;
  readonly free: number;
  readonly running: number;
  readonly waiting: number;
}

/**
 * Runs of a finished simulation in order of start. Requires tracked processors and no preemption.
 */
export function listRunsOfSimulation(simulator: Simulator): SimulatedRun[] {
  const { start, execution, parts: allocatedParts } = simulator.schedule();
  const { firstPair } = simulator.processorSets();
  const [sites, processors] = [listPartsOfJobs(simulator), listProcessorsOfJobs(simulator)];
  const runs = Array.from(start, (time, job) => ({
    job,
    start: time,
    end: time + execution[job],
    stopped: false,
    split: allocatedParts !== undefined && allocatedParts.firstPart[job] >= 0,
    parts: sites[job],
    processors: processors[job],
  }));
  // The log of processors is filled in order of starts, so that its positions sort the runs.
  return runs.sort((a, b) => firstPair[a.job] - firstPair[b.job]);
}

export function sumOfNumbers(summands: readonly number[]): number {
  return summands.reduce((sum, value) => sum + value, 0);
}

/**
 * Seconds that a run takes without preemption: (runtime * load of the home) / speed; for a split
 * job (((1 + p) * runtime) * load) / slowest speed (Huang et al. 2007, section 6). Rounded down to
 * whole seconds under `floor`.
 */
export function computeLengthOfRun(
  run: SimulatedRun,
  { runtime, home }: Workload,
  configuration: Configuration,
): number {
  const { grid, load, multiSiteOverhead, timeResolution } = configuration;
  const slowestSpeed = Math.min(...run.parts.map(({ site }) => grid.speeds[site]));
  const secondsOfWork = (run.split ? 1 + multiSiteOverhead : 1) * runtime[run.job];
  const exactRuntime = (secondsOfWork * load[home[run.job]]) / slowestSpeed;
  return timeResolution === 'floor' ? Math.floor(exactRuntime) : exactRuntime;
}

/** Site of each processor, for processors numbered across all sites. */
function makeSiteByProcessor(capacities: readonly number[]): number[] {
  return capacities.flatMap((capacity, site) => new Array<number>(capacity).fill(site));
}

/**
 * Offences of a run if its parts do not sum to the job's processors, or its processors are not on
 * the sites of its parts.
 */
function findPartViolations(
  run: SimulatedRun,
  workload: Workload,
  siteOfProcessor: readonly number[],
  siteCount: number,
): string[] {
  const { job, parts, processors } = run;
  const offences: string[] = [];
  const requestedProcessors = workload.processors[job];
  const allocatedProcessors = sumOfNumbers(parts.map((part) => part.processors));
  if (allocatedProcessors !== requestedProcessors)
    offences.push(`job ${job}: ${requestedProcessors} processors asked for, ${allocatedProcessors} in parts`);
  const processorsOnSite = new Array<number>(siteCount).fill(0);
  for (const processor of processors) processorsOnSite[siteOfProcessor[processor]]++;
  for (const part of parts) {
    processorsOnSite[part.site] -= part.processors;
    if (part.processors < 1) offences.push(`job ${job}: a part of ${part.processors} processors`);
  }
  if (processorsOnSite.some((processorCountDifference) => processorCountDifference !== 0))
    offences.push(`job ${job}: its processors are not those of its parts`);
  return offences;
}

/**
 * Starts and ends of runs in order of time; of simultaneous ones, ends come first. Runs of length 0
 * are left out.
 */
function listStartsAndEndsOfRuns(
  runs: readonly SimulatedRun[],
): { time: number; starts: boolean; run: SimulatedRun }[] {
  return runs
    .filter((run) => run.end !== run.start)
    .flatMap((run) => [
      { time: run.start, starts: true, run },
      { time: run.end, starts: false, run },
    ])
    .sort((a, b) => a.time - b.time || Number(a.starts) - Number(b.starts));
}

/**
 * Checks that the parts of each run match its job's processors, that no processor serves two runs
 * at once, and that no site exceeds its capacity. Returns descriptions of offences.
 */
export function findProcessorViolations(
  runs: readonly SimulatedRun[],
  workload: Workload,
  capacities: readonly number[],
): string[] {
  const siteOfProcessor = makeSiteByProcessor(capacities);
  const offences = runs.flatMap((run) =>
    findPartViolations(run, workload, siteOfProcessor, capacities.length),
  );
  const holderOfProcessor = new Int32Array(siteOfProcessor.length).fill(-1);
  const usedProcessorsBySite = capacities.map(() => 0);
  for (const { time, starts: isStart, run } of listStartsAndEndsOfRuns(runs)) {
    for (const { site, processors } of run.parts) {
      usedProcessorsBySite[site] += isStart ? processors : -processors;
      if (usedProcessorsBySite[site] > capacities[site])
        offences.push(`site ${site} at ${time}: ${usedProcessorsBySite[site]} in use`);
    }
    for (const processor of run.processors) {
      const expectedHolder = isStart ? -1 : run.job;
      if (holderOfProcessor[processor] !== expectedHolder)
        offences.push(`job ${run.job} at ${time}: processor ${processor}`);
      holderOfProcessor[processor] = isStart ? run.job : -1;
    }
  }
  return offences;
}

/** Returns a function that counts the times before or at its argument; arguments must ascend. */
function makeCounterOfTimesUntil(sortedTimes: number[]): (time: number) => number {
  sortedTimes.sort((a, b) => a - b);
  let countedTimeCount = 0;
  return (time) => {
    while (countedTimeCount < sortedTimes.length && sortedTimes[countedTimeCount] <= time) countedTimeCount++;
    return countedTimeCount;
  };
}

/**
 * Checks at every pause (in order of time) that free and used processors sum to the capacity of
 * every site, and that the numbers of running and waiting jobs match the runs and submissions.
 * Returns descriptions of offences.
 */
export function findConservationViolations(
  runs: readonly SimulatedRun[],
  pauses: readonly SimulationPause[],
  workload: Workload,
  capacities: readonly number[],
): string[] {
  const offences: string[] = [];
  const heldProcessorsBySite = capacities.map(() => 0);
  const runEvents = listStartsAndEndsOfRuns(runs);
  const countSubmittedUntil = makeCounterOfTimesUntil([...workload.submit]);
  const countBegunUntil = makeCounterOfTimesUntil(runs.map((run) => run.start));
  const countEnded = makeCounterOfTimesUntil(runs.map((run) => run.end));
  const countStoppedUntil = makeCounterOfTimesUntil(runs.filter((run) => run.stopped).map((run) => run.end));
  let nextRun = 0;
  for (const pause of pauses) {
    const { time } = pause;
    for (; nextRun < runEvents.length && runEvents[nextRun].time <= time; nextRun++) {
      const { run, starts: isStart } = runEvents[nextRun];
      for (const { site, processors } of run.parts)
        heldProcessorsBySite[site] += isStart ? processors : -processors;
    }
    const runningJobCount = countBegunUntil(time) - countEnded(time);
    const waitingJobCount = countSubmittedUntil(time) - countBegunUntil(time) + countStoppedUntil(time);
    const countsAtPause = `free ${pause.free}, running ${pause.running}, waiting ${pause.waiting}`;
    const countsFromRuns = `free ${sumOfNumbers(capacities) - sumOfNumbers(heldProcessorsBySite)}, running ${runningJobCount}, waiting ${waitingJobCount}`;
    if (countsAtPause !== countsFromRuns)
      offences.push(`at ${time}: ${countsAtPause}; by the runs: ${countsFromRuns}`);
    if (
      heldProcessorsBySite.some(
        (heldProcessors, site) => heldProcessors < 0 || heldProcessors > capacities[site],
      )
    )
      offences.push(`at ${time}: held ${heldProcessorsBySite}`);
  }
  return offences;
}
