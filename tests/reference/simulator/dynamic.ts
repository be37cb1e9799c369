import { sumExactly } from './exactSum.js';
import { roundToTimeResolution } from './execution.js';
import { plannedLength } from './lengths.js';
import { makeAllocationPass } from './passes.js';
import {
  endOfRunningJob,
  findNextJobToFinish,
  finishJob,
  type JobRecord,
  type Simulation,
} from './simulation.js';
import type { CandidatePolicy, DynamicPolicySettings, ReferenceOptions } from './types.js';

/** State of the dynamic choice among candidate policies during a simulation. */
export interface DynamicChoiceState {
  /** Candidate in use, numbered from 0. */
  current: number;
  scores: number[];
  /** Switches to another candidate, each after the submission of a job. */
  switches: [job: number, candidate: number][];
  /** Number of trials of all candidates. */
  trials: number;
  /** Scheduling rules of the simulation, for candidates without rules of their own. */
  ofRun: CandidateQueueRules;
}

type CandidateQueueRules = Pick<ReferenceOptions, 'order' | 'discipline' | 'backfillOrder'>;

/** Initial state, with the first candidate in use. */
export function makeDynamicChoiceState(options: ReferenceOptions): DynamicChoiceState {
  const scores = options.dynamic?.candidates.map(() => 1) ?? [];
  return { current: 0, scores, switches: [], trials: 0, ofRun: queueRulesOfRun(options) };
}

/**
 * Tries the candidates after the pass of a submission, or of its instant: every `every` submissions, if at
 * least two jobs wait. The candidate with the lowest score comes into force.
 * @param submittedCount number of jobs submitted before the event or instant.
 */
export function chooseCandidateAfterSubmit(
  simulation: Simulation,
  submittedCount: number,
  now: number,
): void {
  const { dynamic } = simulation.options;
  if (dynamic === undefined) return;
  const trialCount = Math.floor(simulation.submitted / dynamic.every);
  if (trialCount === Math.floor(submittedCount / dynamic.every)) return;
  const job = trialCount * dynamic.every - 1;
  if (dynamic.choices !== undefined) {
    const chosenInput = dynamic.choices.find(([index]) => index === job);
    if (chosenInput !== undefined) switchToCandidate(simulation, dynamic, chosenInput[1], job, now);
    return;
  }
  const waitingCopies = simulation.queues[0]!;
  if (waitingCopies.length < 2) return;
  const drawnFutures = dynamic.isUnestimated
    ? drawFutures(simulation, dynamic, now)
    : [assumeFutureByEstimates(simulation, now)];
  if (drawnFutures === undefined) return;
  const totalsByCandidate = dynamic.candidates.map((_, candidate) =>
    sumExactly(
      drawnFutures.flatMap((possibleFuture) =>
        responseTimesUnderCandidate(simulation, dynamic, candidate, possibleFuture, now),
      ),
    ),
  );
  simulation.choosing.trials += 1;
  const { current, scores } = simulation.choosing;
  if (totalsByCandidate[current] === 0) return;
  totalsByCandidate.forEach((total, c) => {
    scores[c] = dynamic.smooth * scores[c]! + (1 - dynamic.smooth) * (total / totalsByCandidate[current]!);
  });
  const leastScore = Math.min(...scores);
  const bestCandidate = scores[current] === leastScore ? current : scores.indexOf(leastScore);
  if (scores[bestCandidate]! < (1 - dynamic.hysteresis) * scores[current]!)
    switchToCandidate(simulation, dynamic, bestCandidate, job, now);
}

function switchToCandidate(
  simulation: Simulation,
  dynamicOptions: DynamicPolicySettings,
  candidate: number,
  job: number,
  now: number,
): void {
  const { choosing, policy, options } = simulation;
  if (choosing.current === candidate) return;
  choosing.current = candidate;
  choosing.switches.push([job, candidate]);
  Object.assign(policy, dynamicOptions.candidates[candidate]!);
  simulation.options = applyCandidateRules(options, choosing.ofRun, dynamicOptions.candidates[candidate]!);
  const isAlike = (['order', 'discipline', 'backfillOrder'] as const).every(
    (rule) => simulation.options[rule] === options[rule],
  );
  // Another job may be the next one under the new rules.
  if (!isAlike) makeAllocationPass(simulation, now);
}

/**
 * Scheduling rules while a candidate is in use: its own ones, otherwise those of the simulation.
 */
export function applyCandidateRules(
  options: ReferenceOptions,
  ofRun: CandidateQueueRules,
  { rules }: CandidatePolicy,
): ReferenceOptions {
  const { order, discipline = 'fcfs', backfillOrder } = { ...ofRun, ...rules };
  const isEasy = discipline === 'easy';
  return { ...options, order, discipline, backfillOrder: isEasy ? backfillOrder : undefined };
}

/** Queue orders that are disciplines under another name. */
const ORDERS_OF_SHORT_DISCIPLINES: Record<string, string> = {
  njf: 'narrowest',
  wjf: 'widest',
  sjf: 'shortest',
  ljf: 'longest',
};

function queueRulesOfRun({
  order,
  discipline = 'fcfs',
  backfillOrder,
}: ReferenceOptions): CandidateQueueRules {
  const short = ORDERS_OF_SHORT_DISCIPLINES[discipline];
  return { order: short ?? order, discipline: short === undefined ? discipline : 'fcfs', backfillOrder };
}

/**
 * An assumed future: ends of running jobs, and lengths of waiting jobs including the load, in
 * seconds.
 */
interface PossibleFuture {
  ends: Map<JobRecord, number>;
  works: Map<JobRecord, number>;
}

/**
 * Predicted end of a job that has run for longer than assumed: after half of its elapsed time, at
 * least one second.
 */
function predictEndOfOverdueJob(simulation: Simulation, job: JobRecord, now: number): number {
  return now + roundToTimeResolution(Math.max(1, 0.5 * (now - job.start)), simulation.options);
}

function assumeFutureByEstimates(simulation: Simulation, now: number): PossibleFuture {
  const { options } = simulation;
  const believedEnds = simulation.running.map((job): [JobRecord, number] => {
    const sites = [job.parts[0]!.site];
    let end = job.start + plannedLength(job, sites, options);
    if (end < now) end = job.start + plannedLength({ ...job, estimate: job.request }, sites, options);
    return [job, end > now ? end : predictEndOfOverdueJob(simulation, job, now)];
  });
  const works = simulation.queues[0]!.map((job): [JobRecord, number] => [
    job,
    job.estimate * options.load[job.home]!,
  ]);
  return { ends: new Map(believedEnds), works: new Map(works) };
}

/**
 * Draws lengths of jobs from those of ended jobs of the same width class; undefined if there are
 * none.
 */
function drawFutures(
  simulation: Simulation,
  dynamicOptions: DynamicPolicySettings,
  now: number,
): PossibleFuture[] | undefined {
  const { finished: finishedJobs, running: runningJobs, queues, options, grid, generator } = simulation;
  if (finishedJobs.length === 0) return undefined;
  const widthClassOf = (job: JobRecord) => Math.floor(Math.log2(job.processors));
  const drawWork = (job: JobRecord) => {
    const alike = finishedJobs.filter((otherJob) => widthClassOf(otherJob) === widthClassOf(job));
    const drawPool = alike.length > 0 ? alike : finishedJobs;
    const drawn = drawPool[Math.floor(generator.uniform() * drawPool.length)]!;
    return drawn.runtime * options.load[drawn.home]!;
  };
  return Array.from({ length: dynamicOptions.futures }, () => {
    const believedEnds = new Map<JobRecord, number>();
    for (const job of runningJobs.toSorted((oneJob, otherJob) => oneJob.index - otherJob.index)) {
      let end: number | undefined;
      for (let drawIndex = 0; drawIndex < 8 && end === undefined; drawIndex++) {
        const length = roundToTimeResolution(drawWork(job) / grid[job.parts[0]!.site]!.speed, options);
        if (length > now - job.start) end = job.start + length;
      }
      believedEnds.set(job, end ?? predictEndOfOverdueJob(simulation, job, now));
    }
    return { ends: believedEnds, works: new Map(queues[0]!.map((job) => [job, drawWork(job)])) };
  });
}

/**
 * Response times of the waiting jobs if a candidate stays in use until all have ended, in one
 * assumed future.
 */
function responseTimesUnderCandidate(
  simulation: Simulation,
  dynamicOptions: DynamicPolicySettings,
  candidate: number,
  { ends, works }: PossibleFuture,
  now: number,
): number[] {
  const candidateSettings = dynamicOptions.candidates[candidate]!;
  const options = {
    ...applyCandidateRules(simulation.options, simulation.choosing.ofRun, candidateSettings),
    load: simulation.options.load.map(() => 1),
    refresh: false,
  };
  const waitingCopies = simulation.queues[0]!.map((job) => {
    const workOfJob = works.get(job)!;
    return { ...job, runtime: workOfJob, estimate: workOfJob, request: workOfJob };
  });
  // Running jobs end, and are predicted to end, at the assumed times.
  const runningCopies = simulation.running.map((job) => ({ ...job, believedEnd: ends.get(job)! }));
  const trial: Simulation = {
    ...simulation,
    options,
    policy: { ...simulation.policy, ...candidateSettings },
    grid: structuredClone(simulation.grid),
    jobs: simulation.jobs.slice(0, simulation.submitted),
    coming: [],
    held: [],
    queues: [waitingCopies.slice()],
    running: runningCopies,
    finished: [],
    metEmptyQueue: new Set(),
    queueLengths: [],
    reservations: [],
    decisions: { agreed: 0, bestFit: 0, fastestFirst: 0 },
  };
  makeAllocationPass(trial, now);
  for (let job = findNextJobToFinish(trial); job !== undefined; job = findNextJobToFinish(trial)) {
    const time = endOfRunningJob(job);
    finishJob(trial, job);
    if (options.instant === 'batched') {
      for (
        let also = findNextJobToFinish(trial);
        also && endOfRunningJob(also) === time;
        also = findNextJobToFinish(trial)
      )
        finishJob(trial, also);
    }
    makeAllocationPass(trial, time);
  }
  return waitingCopies.map((job) => endOfRunningJob(job) - job.submit);
}
