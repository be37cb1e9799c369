/**
 * Predicts start times step by step: each scheduling pass decides in the recorded state of running and waiting
 * jobs. The order of events within a second, which a log of whole seconds does not have, may be fitted.
 */
import type { Configuration } from '../options/configuration.js';
import { START_TOLERANCE_SECONDS } from './agreement.js';
import type { ScheduleRecording } from './recording.js';
import { agreesWithPass, type OrderOfEnds, StepSimulation } from './stepByStep.js';

/** Largest number of ends in the second of a pass of which other orders are tried. */
const MAX_REORDERED_END_COUNT = 4;

/** Largest number of seconds between a predicted and the recorded start that are equal but for the clock. */
const MAX_MET_START_DIFFERENCE = START_TOLERANCE_SECONDS[0];

/** Largest number of seconds after a pass in which its starts change what other passes do. */
const PASS_EFFECT_SECONDS = 2;

/**
 * Predicts the start of each job: the first pass at which the rules would start it, given the recorded state.
 * @throws InputError for rules that depend on more than the state: several sites, orders that change with
 * time.
 */
export function predictStarts(
  recording: ScheduleRecording,
  configuration: Configuration,
  onProgress: (share: number) => void = () => {},
): StepByStepPrediction {
  return new StepByStepPrediction(recording, configuration, onProgress);
}

/** Starts predicted step by step, and the orders of ends with which they were predicted. */
export class StepByStepPrediction {
  /** Start in seconds on the clock of the log by job; NaN if no pass would start the job by its recorded start. */
  start: Float64Array;
  readonly #recording: ScheduleRecording;
  readonly #simulation: StepSimulation;
  readonly #orderByPass = new Map<number, OrderOfEnds>();
  /** Jobs that each pass starts. */
  #startsByPass: readonly (readonly number[])[];

  constructor(
    recording: ScheduleRecording,
    configuration: Configuration,
    onProgress: (share: number) => void,
  ) {
    this.#recording = recording;
    this.#simulation = new StepSimulation(recording, configuration);
    const { passes } = this.#simulation;
    const liveState = this.#simulation.makeQueueState();
    const jobsWithAgreedStart = new Set<number>();
    this.#startsByPass = passes.map((pass, i) => {
      if (i % 64 === 0) onProgress(i / passes.length);
      const startedJobs = this.#simulation.findJobsStartedByPass(
        pass,
        liveState.at(pass, jobsWithAgreedStart),
      );
      this.#addAgreedStarts(jobsWithAgreedStart, startedJobs, i);
      return startedJobs;
    });
    this.start = this.#firstStarts(this.#startsByPass);
  }

  /** Number of passes at which ends of the same second are in another order than in the log. */
  get reorderedPasses(): number {
    return this.#orderByPass.size;
  }

  /**
   * Tries other orders of events within a second at the passes that may have started a job whose start is not
   * met, or that start it too early: each job that ends in the second of the pass may end before or after it.
   * The order with the most starts met is kept; of equals, that of the log.
   */
  fitOrderOfEnds(): void {
    const { passes } = this.#simulation;
    const { start } = this.#recording;
    for (const job of this.#jobsNotMet(this.start)) {
      for (const [i, pass] of passes.entries()) {
        if (this.#isMet(job, this.start)) break;
        const mayConcernJob =
          this.#startsByPass[i]!.includes(job) ||
          Math.abs(pass.time - start[job]!) <= MAX_MET_START_DIFFERENCE;
        if (mayConcernJob) this.#fitOrderAtPass(i);
      }
    }
  }

  #fitOrderAtPass(index: number): void {
    let missedStartCount = this.#jobsNotMet(this.start).length;
    for (const orderOfEnds of makeOtherOrdersOfEnds(
      this.#simulation.findEndsInSecondOfPass(this.#simulation.passes[index]!),
    )) {
      const startsByPass = this.#startsWithOrder(index, orderOfEnds);
      const start = this.#firstStarts(startsByPass);
      const missedStartCountWithOrder = this.#jobsNotMet(start).length;
      if (missedStartCountWithOrder >= missedStartCount) continue;
      missedStartCount = missedStartCountWithOrder;
      this.start = start;
      this.#startsByPass = startsByPass;
      this.#orderByPass.set(index, orderOfEnds);
    }
  }

  /** Starts of all passes if the jobs that end in the second of one pass do so in another order. */
  #startsWithOrder(index: number, orderOfEnds: OrderOfEnds): (readonly number[])[] {
    const { passes } = this.#simulation;
    const startsByPass = this.#startsByPass.slice(0, index);
    const jobsWithAgreedStart = new Set<number>();
    startsByPass.forEach((started, i) => void this.#addAgreedStarts(jobsWithAgreedStart, started, i));
    for (let i = index; i < passes.length; i++) {
      const pass = passes[i]!;
      const isUnchanged = pass.time > passes[index]!.time + PASS_EFFECT_SECONDS;
      const endOrderOfPass = i === index ? orderOfEnds : this.#orderByPass.get(i);
      const startedJobs = isUnchanged
        ? this.#startsByPass[i]!
        : this.#simulation.findJobsStartedByPass(
            pass,
            this.#simulation.makeQueueState().at(pass, jobsWithAgreedStart, endOrderOfPass),
          );
      this.#addAgreedStarts(jobsWithAgreedStart, startedJobs, i);
      startsByPass.push(startedJobs);
    }
    return startsByPass;
  }

  #addAgreedStarts(agreedStarts: Set<number>, started: readonly number[], passIndex: number): void {
    const pass = this.#simulation.passes[passIndex]!;
    for (const job of started) if (agreesWithPass(this.#recording.start[job]!, pass)) agreedStarts.add(job);
  }

  /** Time of the first pass that starts each job, in seconds; NaN without one. */
  #firstStarts(startsByPass: readonly (readonly number[])[]): Float64Array {
    const firstPassTimes = new Float64Array(this.#recording.workload.count).fill(Number.NaN);
    for (const [i, { time }] of this.#simulation.passes.entries()) {
      for (const job of startsByPass[i]!) if (Number.isNaN(firstPassTimes[job]!)) firstPassTimes[job] = time;
    }
    return firstPassTimes;
  }

  #jobsNotMet(start: Float64Array): number[] {
    const recordedStarts = this.#recording.start;
    return Array.from(recordedStarts.keys()).filter(
      (job) => !Number.isNaN(recordedStarts[job]!) && !this.#isMet(job, start),
    );
  }

  #isMet(job: number, start: Float64Array): boolean {
    return Math.abs(start[job]! - this.#recording.start[job]!) <= MAX_MET_START_DIFFERENCE;
  }
}

/**
 * Alternatives to an order, which tells for each job end whether it precedes the pass of its second: all other
 * combinations, or none if there are more than `MAX_REORDERED_END_COUNT` ends.
 */
function makeOtherOrdersOfEnds(orderOfEnds: OrderOfEnds): OrderOfEnds[] {
  if (orderOfEnds.size > MAX_REORDERED_END_COUNT) return [];
  return Array.from(
    { length: 2 ** orderOfEnds.size },
    (_, choice) => new Map([...orderOfEnds.keys()].map((job, k) => [job, ((choice >> k) & 1) === 1])),
  ).filter((other) => [...orderOfEnds].some(([job, isBefore]) => other.get(job) !== isBefore));
}
