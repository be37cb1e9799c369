/**
 * Scheduling rules for one machine as papers and simulators define them, each as switches of one
 * simple program. It handles whole seconds and positive estimates only. The rules that gridalloc
 * has are also in the reference simulator.
 */

/** A job; times in whole seconds, estimate at least 1. */
export interface TinyTestJob {
  submit: number;
  runtime: number;
  estimate: number;
  processors: number;
}

/** Switches of a scheduling rule; absent switches are off. */
export interface SchedulerVariant {
  discipline: 'fcfs' | 'first-available' | 'planned' | 'kept';
  /** Sorts the queue by estimate instead of submission. */
  isShortestFirst?: boolean;
  /** Number of waiting jobs with reservations per pass, for rules that plan. */
  depth?: number;
  /** Tries jobs behind the last reservation in order of length, for rules that plan. */
  backfillsShortest?: boolean;
  /** Lets jobs behind the reservation start only if they end before it, for rules that plan. */
  leavesSpare?: boolean;
  /**
   * Computes the processors beside the reservation once per pass, and does not subtract jobs that start in
   * that pass.
   */
  countsSpareOnce?: boolean;
  /** Holds the head of the queue until its reserved start, even if jobs end early. */
  holdsHead?: boolean;
  /** Uses actual runtimes instead of estimates for waiting jobs. */
  knowsWaiting?: boolean;
  /** Uses actual runtimes instead of estimates for all jobs. */
  knowsAll?: boolean;
  /** True if a running job that exceeds its estimate is predicted to end now; false if a second from now. */
  expectsOverdueNow?: boolean;
  /** Never moves kept reservations to earlier times. */
  isFixed?: boolean;
  /**
   * Makes one pass per instant, after its ends and then its submissions; with kept reservations,
   * one pass after all ends.
   */
  isBatched?: boolean;
  /** Handles ends before submissions of the same instant. */
  endsFirst?: boolean;
  /** Handles simultaneous ends in the order of the jobs' starts. */
  endsByStart?: boolean;
  /**
   * Counts the processors of a job as free from its predicted end, even before its end is handled.
   */
  isFreeWhenDue?: boolean;
  /**
   * Seconds between planning passes, for rules that plan; the first is at the first submission. After the
   * events of an instant, jobs start in queue order up to the first that does not fit.
   */
  interval?: number;
}

interface ScheduledTinyJob extends TinyTestJob {
  index: number;
  start: number;
  /** Rank of the job in the order of starts, from 1. */
  startRank: number;
  reserved: number;
}

/** A change in the number of free processors at a time. */
type FreeProcessorsChange = readonly [time: number, processors: number];

/** Start times, in seconds, of jobs on a machine with this number of processors. */
export function startTimesUnderVariant(
  jobs: readonly TinyTestJob[],
  processors: number,
  variant: SchedulerVariant,
): number[] {
  return new SchedulerVariantMachine(jobs, processors, variant).run();
}

class SchedulerVariantMachine {
  readonly #jobs: ScheduledTinyJob[];
  readonly #processors: number;
  readonly #variant: SchedulerVariant;
  readonly #coming: ScheduledTinyJob[];
  readonly #queue: ScheduledTinyJob[] = [];
  readonly #running: ScheduledTinyJob[] = [];
  #now = 0;
  #started = 0;

  constructor(jobs: readonly TinyTestJob[], processors: number, variant: SchedulerVariant) {
    const makeSchedulerView = (job: TinyTestJob) =>
      variant.knowsAll ? { ...job, estimate: job.runtime } : job;
    this.#jobs = jobs.map((job, index) => ({
      ...makeSchedulerView(job),
      index,
      start: -1,
      startRank: 0,
      reserved: Infinity,
    }));
    this.#processors = processors;
    this.#variant = variant;
    this.#coming = [...this.#jobs];
  }

  run(): number[] {
    const { isBatched, discipline, interval } = this.#variant;
    if (interval !== undefined) this.#runInPasses(interval);
    for (;;) {
      const nextTime = Math.min(this.#nextEvent(), ...this.#queue.map(({ reserved }) => reserved));
      if (nextTime === Infinity) break;
      this.#now = nextTime;
      if (discipline === 'kept') this.#keptInstant();
      else if (isBatched || this.#nextEvent() > nextTime) this.#instant();
      else this.#event();
    }
    return this.#jobs.map(({ start }) => start);
  }

  /** Handles all events, and plans only in passes that are `interval` seconds apart. */
  #runInPasses(interval: number): void {
    const firstPass = this.#coming[0]!.submit;
    for (let passCount = 0; ; ) {
      const passTime = firstPass + passCount * interval;
      this.#now = Math.min(this.#nextEvent(), passTime);
      if (this.#coming.length + this.#queue.length === 0) break;
      if (this.#nextEvent() === this.#now) {
        for (const job of this.#ending()) this.#end(job);
        while (this.#isSubmitted()) this.#submit();
        this.#startUntilBlocked();
      }
      if (passTime > this.#now) continue;
      this.#plan();
      passCount += 1;
    }
    this.#running.length = 0;
  }

  #startUntilBlocked(): void {
    for (const job of [...this.#queue]) {
      if (job.processors > this.#free()) break;
      this.#start(job);
    }
  }

  #nextEvent(): number {
    return Math.min(this.#coming[0]?.submit ?? Infinity, ...this.#running.map(endTimeOfJob));
  }

  /** Jobs that end now, in the order in which their ends are handled. */
  #ending(): ScheduledTinyJob[] {
    const endingJobs = this.#running.filter((job) => endTimeOfJob(job) === this.#now);
    return endingJobs.sort((a, b) =>
      this.#variant.endsByStart ? a.startRank - b.startRank : a.index - b.index,
    );
  }

  #isSubmitted(): boolean {
    return this.#coming[0]?.submit === this.#now;
  }

  #submit(): ScheduledTinyJob {
    const job = this.#coming.shift()!;
    this.#queue.push(job);
    if (this.#variant.isShortestFirst) this.#queue.sort(compareEstimates);
    return job;
  }

  #end(job: ScheduledTinyJob): void {
    this.#running.splice(this.#running.indexOf(job), 1);
  }

  #start(job: ScheduledTinyJob): void {
    job.start = this.#now;
    job.startRank = this.#started++;
    job.reserved = Infinity;
    this.#queue.splice(this.#queue.indexOf(job), 1);
    this.#running.push(job);
  }

  #event(): void {
    const [endingJob] = this.#ending();
    if (endingJob !== undefined && (this.#variant.endsFirst || !this.#isSubmitted())) this.#end(endingJob);
    else this.#submit();
    this.#pass();
  }

  #instant(): void {
    for (const job of this.#ending()) this.#end(job);
    while (this.#isSubmitted()) this.#submit();
    this.#pass();
  }

  #pass(): void {
    if (this.#variant.discipline === 'planned') {
      this.#plan();
      return;
    }
    for (const job of [...this.#queue]) {
      if (job.processors <= this.#free()) this.#start(job);
      else if (this.#variant.discipline === 'fcfs') break;
    }
  }

  /**
   * Number of processors without a running job; jobs that count as ended at their predicted end
   * hold none.
   */
  #free(): number {
    const { isFreeWhenDue } = this.#variant;
    const runningJobsHoldingProcessors = this.#running.filter(
      (job) => !(isFreeWhenDue && this.#predictedEnd(job) === this.#now && endTimeOfJob(job) === this.#now),
    );
    return this.#processors - runningJobsHoldingProcessors.reduce((sum, job) => sum + job.processors, 0);
  }

  #predictedEnd({ start, estimate }: ScheduledTinyJob): number {
    return start + estimate;
  }

  /** Predicted changes of free processors through the ends of running jobs. */
  #predictions(isFreeWhenDue = this.#variant.isFreeWhenDue): FreeProcessorsChange[] {
    const delayOfOverdueEnd = this.#variant.expectsOverdueNow ? 0 : 1;
    return this.#running.flatMap((job) => {
      const end = this.#predictedEnd(job);
      const hasEnded = end < this.#now || (end === this.#now && !isFreeWhenDue);
      return makeOccupationChanges(this.#now, hasEnded ? this.#now + delayOfOverdueEnd : end, job.processors);
    });
  }

  /** Earliest time at which a job fits into the free processors for its length. */
  #earliest(changes: readonly FreeProcessorsChange[], job: ScheduledTinyJob, length: number): number {
    const eventTimes = [this.#now, ...changes.map(([time]) => time).filter((time) => time > this.#now)];
    const doesJobFitFrom = (start: number) =>
      eventTimes
        .filter((time) => time < start + length && time > start)
        .concat(start)
        .every((time) => job.processors <= this.#processors - countOccupiedProcessorsAt(changes, time));
    return eventTimes.sort((a, b) => a - b).find(doesJobFitFrom)!;
  }

  #plan(): void {
    const { depth = 1, knowsWaiting, backfillsShortest, countsSpareOnce, leavesSpare } = this.#variant;
    const freeProcessorChanges = this.#predictions();
    let jobsInOrder = [...this.#queue];
    let reservationCount = 0;
    /** Free processors over time when the last reservation was made. */
    let changesAtLastReservation: FreeProcessorsChange[] | undefined;
    let untilTime = Infinity;
    for (let job = jobsInOrder.shift(); job !== undefined; job = jobsInOrder.shift()) {
      const plannedJobLength = knowsWaiting ? job.runtime : job.estimate;
      const changesSeenByJob =
        countsSpareOnce && changesAtLastReservation !== undefined
          ? changesAtLastReservation
          : freeProcessorChanges;
      const start = this.#isHeld(job)
        ? job.reserved
        : this.#earliest(changesSeenByJob, job, plannedJobLength);
      const doesJobEndEarlyEnough = !leavesSpare || this.#now + plannedJobLength <= untilTime;
      if (start === this.#now && doesJobEndEarlyEnough && job.processors <= this.#free()) {
        this.#start(job);
        freeProcessorChanges.push(
          ...makeOccupationChanges(this.#now, this.#now + job.estimate, job.processors),
        );
      } else if (reservationCount < depth) {
        freeProcessorChanges.push(...makeOccupationChanges(start, start + plannedJobLength, job.processors));
        reservationCount += 1;
        if (this.#variant.holdsHead) job.reserved = start > this.#now ? start : Infinity;
        if (reservationCount < depth) continue;
        if (backfillsShortest) jobsInOrder = jobsInOrder.sort(compareEstimates);
        changesAtLastReservation = [...freeProcessorChanges];
        untilTime = start;
      }
    }
  }

  #isHeld({ reserved }: ScheduledTinyJob): boolean {
    return reserved > this.#now && reserved < Infinity;
  }

  /**
   * Handles an instant under kept reservations: submissions, then ends, then starts. A job due now
   * counts as ended until all ends are handled.
   */
  #keptInstant(): void {
    while (this.#isSubmitted()) this.#reserve(this.#submit());
    const endingJobs = this.#ending();
    for (const [k, job] of endingJobs.entries()) {
      this.#end(job);
      if (!this.#variant.isBatched || k === endingJobs.length - 1) this.#compress();
    }
    for (const job of this.#queue.filter(({ reserved }) => reserved === this.#now)) this.#start(job);
  }

  #reserve(job: ScheduledTinyJob): void {
    const otherJobs = this.#queue.filter((otherJob) => otherJob !== job && otherJob.reserved < Infinity);
    const reservations = otherJobs.flatMap((otherJob) =>
      makeOccupationChanges(otherJob.reserved, otherJob.reserved + otherJob.estimate, otherJob.processors),
    );
    job.reserved = this.#earliest([...this.#predictions(true), ...reservations], job, job.estimate);
  }

  /** Moves the reservation of each waiting job in turn to the earliest possible start. */
  #compress(): void {
    if (this.#variant.isFixed) return;
    for (const job of this.#queue) if (job.reserved > this.#now) this.#reserve(job);
  }
}

const endTimeOfJob = ({ start, runtime }: ScheduledTinyJob) => start + runtime;

const compareEstimates = (a: ScheduledTinyJob, b: ScheduledTinyJob) =>
  a.estimate - b.estimate || a.index - b.index;

/** Changes of free processors when a job occupies processors from one time to another. */
function makeOccupationChanges(from: number, untilTime: number, processors: number): FreeProcessorsChange[] {
  return [
    [from, processors],
    [untilTime, -processors],
  ];
}

function countOccupiedProcessorsAt(changes: readonly FreeProcessorsChange[], time: number): number {
  return changes.reduce((sum, [from, processors]) => (from <= time ? sum + processors : sum), 0);
}
