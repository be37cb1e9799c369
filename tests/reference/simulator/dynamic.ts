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
 * @param first number of jobs submitted before the event or instant.
 */
export function chooseCandidateAfterSubmit(simulation: Simulation, first: number, now: number): void {
  const { dynamic } = simulation.options;
  if (dynamic === undefined) return;
  const times = Math.floor(simulation.submitted / dynamic.every);
  if (times === Math.floor(first / dynamic.every)) return;
  const job = times * dynamic.every - 1;
  if (dynamic.choices !== undefined) {
    const input = dynamic.choices.find(([index]) => index === job);
    if (input !== undefined) switchToCandidate(simulation, dynamic, input[1], job, now);
    return;
  }
  const waitingJobs = simulation.queues[0]!;
  if (waitingJobs.length < 2) return;
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
  const best = scores[current] === leastScore ? current : scores.indexOf(leastScore);
  if (scores[best]! < (1 - dynamic.hysteresis) * scores[current]!)
    switchToCandidate(simulation, dynamic, best, job, now);
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
  const isEasyDiscipline = discipline === 'easy';
  return { ...options, order, discipline, backfillOrder: isEasyDiscipline ? backfillOrder : undefined };
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
  const ends = simulation.running.map((job): [JobRecord, number] => {
    const sites = [job.parts[0]!.site];
    let end = job.start + plannedLength(job, sites, options);
    if (end < now) end = job.start + plannedLength({ ...job, estimate: job.request }, sites, options);
    return [job, end > now ? end : predictEndOfOverdueJob(simulation, job, now)];
  });
  const works = simulation.queues[0]!.map((job): [JobRecord, number] => [
    job,
    job.estimate * options.load[job.home]!,
  ]);
  return { ends: new Map(ends), works: new Map(works) };
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
  const { finished, running, queues, options, grid, generator } = simulation;
  if (finished.length === 0) return undefined;
  const widthClassOf = (job: JobRecord) => Math.floor(Math.log2(job.processors));
  const drawWork = (job: JobRecord) => {
    const alike = finished.filter((other) => widthClassOf(other) === widthClassOf(job));
    const drawPool = alike.length > 0 ? alike : finished;
    const drawn = drawPool[Math.floor(generator.uniform() * drawPool.length)]!;
    return drawn.runtime * options.load[drawn.home]!;
  };
  return Array.from({ length: dynamicOptions.futures }, () => {
    const ends = new Map<JobRecord, number>();
    for (const job of running.toSorted((one, other) => one.index - other.index)) {
      let end: number | undefined;
      for (let draw = 0; draw < 8 && end === undefined; draw++) {
        const length = roundToTimeResolution(drawWork(job) / grid[job.parts[0]!.site]!.speed, options);
        if (length > now - job.start) end = job.start + length;
      }
      ends.set(job, end ?? predictEndOfOverdueJob(simulation, job, now));
    }
    return { ends, works: new Map(queues[0]!.map((job) => [job, drawWork(job)])) };
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
  const own = dynamicOptions.candidates[candidate]!;
  const options = {
    ...applyCandidateRules(simulation.options, simulation.choosing.ofRun, own),
    load: simulation.options.load.map(() => 1),
    refresh: false,
  };
  const waitingJobs = simulation.queues[0]!.map((job) => {
    const work = works.get(job)!;
    return { ...job, runtime: work, estimate: work, request: work };
  });
  // Running jobs end, and are predicted to end, at the assumed times.
  const runningJobs = simulation.running.map((job) => ({ ...job, believedEnd: ends.get(job)! }));
  const trial: Simulation = {
    ...simulation,
    options,
    policy: { ...simulation.policy, ...own },
    grid: structuredClone(simulation.grid),
    jobs: simulation.jobs.slice(0, simulation.submitted),
    coming: [],
    held: [],
    queues: [waitingJobs.slice()],
    running: runningJobs,
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
  return waitingJobs.map((job) => endOfRunningJob(job) - job.submit);
}
