/** Jobs of a live simulation by name: their phases and results, and the ends and cancellations reported. */
import { describeReceivedValue } from '../arguments.js';
import { InputError } from '../errors.js';
import { formatNameSuggestion } from '../notation.js';
import { canJobsSpanSites } from '../options/configuration.js';
import type { LiveEngine } from './liveEngine.js';
import { type LiveJobState, type LiveResult, readPairsOfProcessors, readPartsOfJob } from './liveResult.js';
import type { LiveName, LiveStateJob, SubmittedJob } from './submittedJob.js';

/** Value of the column `ReservedSite` from which on a reservation does not hold. */
const MOVED_RESERVATION_SITE = 2 ** 29;
/** Number of names in which a similar one to an unknown name is searched. */
const MAX_SEARCHED_JOB_NAMES = 1000;

/** Jobs in memory, numbered from 0 in order of submission. */
export class LiveJobs {
  /** Engine of the jobs; set before any job is read. */
  engine!: LiveEngine;
  /** Numbers of the jobs that have not ended, ascending. */
  readonly active = new Set<number>();
  readonly held = new Set<number>();
  /** Times in seconds of ends and cancellations of active jobs, as reported by the host. */
  readonly ends = new Map<number, number>();
  readonly cancellations = new Map<number, number>();
  readonly #numbers = new Map<string, number>();
  readonly #names = new Map<number, LiveName>();

  /** @param original jobs to copy. */
  constructor(original?: LiveJobs) {
    if (original === undefined) return;
    for (const nameOfJobSet of ['active', 'held'] as const)
      for (const number of original[nameOfJobSet]) this[nameOfJobSet].add(number);
    for (const nameOfTimeMap of ['ends', 'cancellations'] as const)
      for (const [number, time] of original[nameOfTimeMap]) this[nameOfTimeMap].set(number, time);
    for (const [text, number] of original.#numbers) this.#numbers.set(text, number);
    for (const [number, name] of original.#names) this.#names.set(number, name);
  }

  /** Name of a job. */
  nameOf(jobNumber: number): LiveName | undefined {
    return this.#names.get(jobNumber);
  }

  /** Names of jobs, separated by commas. */
  list(listedJobNumbers: Iterable<number>): string {
    return [...listedJobNumbers].map((jobNumber) => this.nameOf(jobNumber)).join(', ');
  }

  /**
   * Name of a new job: the given one, or the next number.
   * @param submittedJobCount number of the jobs before it.
   * @throws InputError for a name in use.
   */
  chooseNameOfNewJob({ job }: SubmittedJob, submittedJobCount: number, context: string): LiveName {
    if (job === undefined) {
      let jobNumber = 1 + submittedJobCount;
      while (this.#numbers.has(String(jobNumber))) jobNumber++;
      return jobNumber;
    }
    if (!this.#numbers.has(String(job))) return job;
    throw new InputError(`${context}: there is a job of this name already; give another name`);
  }

  add(jobNumber: number, jobName: LiveName): void {
    this.#numbers.set(String(jobName), jobNumber);
    this.#names.set(jobNumber, jobName);
    this.active.add(jobNumber);
  }

  /** Removes a job from the active ones. */
  end(jobNumber: number): void {
    this.active.delete(jobNumber);
    this.held.delete(jobNumber);
    this.ends.delete(jobNumber);
    this.cancellations.delete(jobNumber);
  }

  /** Forgets a job that has left the memory. */
  forgetJob(jobNumber: number): void {
    this.#numbers.delete(String(this.#names.get(jobNumber)));
    this.#names.delete(jobNumber);
  }

  /**
   * Number of a job in one of the accepted states; all states are accepted if none is given.
   * @param callName function for errors.
   * @throws InputError for an unknown job, and one in another state.
   */
  numberOf(job: LiveName, callName: string, acceptedStates: readonly LiveJobState[]): number {
    const isPossibleJobName = typeof job === 'string' || typeof job === 'number';
    const jobNumber = isPossibleJobName ? this.#numbers.get(String(job)) : undefined;
    if (jobNumber === undefined) {
      const jobNames = [...this.#numbers.keys()].slice(0, MAX_SEARCHED_JOB_NAMES);
      const advice =
        (isPossibleJobName && formatNameSuggestion(String(job), jobNames)) || '; submit it first';
      const remarkOnEndedJobs = this.engine.settings.jobsLeave ? ', or it has ended and left the memory' : '';
      throw new InputError(
        `${callName}: there is no job ${describeReceivedValue(job)}${remarkOnEndedJobs}${advice}`,
      );
    }
    const jobState = this.stateOf(jobNumber);
    if (acceptedStates.length > 0 && !acceptedStates.includes(jobState))
      throw new InputError(
        `${callName}, job ${job}: it is ${jobState}, expected ${acceptedStates.join(' or ')}`,
      );
    return jobNumber;
  }

  /** Row of a job in the columns. */
  rowOf(jobNumber: number): number {
    return this.engine.live.rowOf(jobNumber);
  }

  /** End of a job in seconds; NaN before its start. */
  endOf(number: number): number {
    const row = this.rowOf(number);
    return this.engine.run.column('Start')[row]! + this.engine.run.column('Execution')[row]!;
  }

  /** True if a job has a time of cancellation, also one that comes after its end. */
  isCancelled(number: number): boolean {
    return this.engine.workload.patience[this.rowOf(number)]! >= 0;
  }

  /** End in seconds of a running job whose end or cancellation the host has reported; otherwise undefined. */
  findCorrectedEndTimeOf(number: number): number | undefined {
    const hasCorrectedEnd = this.ends.has(number) || this.cancellations.has(number);
    if (!hasCorrectedEnd || this.stateOf(number) !== 'running') return undefined;
    const end = this.endOf(number);
    return end < Number.POSITIVE_INFINITY ? end : undefined;
  }

  /** True if an active job has neither a runtime nor a reported end or cancellation. */
  hasUnknownEnd(number: number): boolean {
    const hasRuntime = !Number.isNaN(this.engine.workload.runtime[this.rowOf(number)]!);
    return !this.ends.has(number) && !this.isCancelled(number) && !hasRuntime;
  }

  stateOf(number: number): LiveJobState {
    if (!this.active.has(number)) return this.isCancelled(number) ? 'cancelled' : 'ended';
    if (this.held.has(number)) return 'held';
    if (!Number.isNaN(this.engine.run.column('Start')[this.rowOf(number)]!)) return 'running';
    return number < this.engine.run.scalar('Submitted') ? 'waiting' : 'submitted';
  }

  resultOf(number: number): LiveResult {
    const { workload, configuration, run } = this.engine;
    const row = this.rowOf(number);
    const jobState = this.stateOf(number);
    const hasStarted = ['running', 'ended', 'cancelled'].includes(jobState);
    const site = hasStarted ? run.column('Site')[row]! : -1;
    const hasStartedOnSite = site >= 0;
    const isMolded = configuration.moldable !== 'none' && hasStartedOnSite;
    const width = isMolded ? run.column('Held')[row]! : workload.processors[row]!;
    const processors = hasStarted && !hasStartedOnSite ? 0 : width;
    const end = hasStarted ? this.endOf(number) : Number.POSITIVE_INFINITY;
    const hasPromisedStart = configuration.reservations === 'kept' && jobState !== 'submitted';
    return {
      job: this.#names.get(number)!,
      state: jobState,
      submit: workload.submit[row]!,
      start: hasStartedOnSite ? run.column('Start')[row]! : undefined,
      end: end === Number.POSITIVE_INFINITY ? undefined : end,
      site: hasStartedOnSite ? site + 1 : undefined,
      processors,
      ...(hasPromisedStart && { promisedStart: run.column('PromisedStart')[row]! }),
      ...(canJobsSpanSites(configuration) &&
        hasStartedOnSite && { parts: readPartsOfJob(run, row, site + 1, processors)! }),
      ...(configuration.trackProcessors &&
        hasStartedOnSite && { processorRanges: this.#processorRanges(row, processors) }),
    };
  }

  #processorRanges(row: number, processors: number): [number, number][] {
    const { run } = this.engine;
    const sizeOfPair = (firstProcessor: number, lastProcessor: number) => lastProcessor - firstProcessor + 1;
    return readPairsOfProcessors(run.column('Log'), run.column('LogIndex')[row]!, processors, sizeOfPair);
  }

  /**
   * Job of the state from which a fork begins at a time in seconds; without an end or a cancellation that the
   * host has told.
   * @param isKept true if the fork takes over kept reservations.
   */
  makeStateJobOf(number: number, time: number, isKept: boolean): LiveStateJob & { job: LiveName } {
    const { workload, run } = this.engine;
    const row = this.rowOf(number);
    const jobState = this.stateOf(number);
    const isReserved =
      isKept &&
      jobState === 'waiting' &&
      run.column('ReservedSite')[row]! < MOVED_RESERVATION_SITE &&
      run.column('ReservedStart')[row]! >= time;
    const hasCorrectedEnd = this.findCorrectedEndTimeOf(number) !== undefined;
    const patience = hasCorrectedEnd || this.cancellations.has(number) ? -1 : workload.patience[row]!;
    return {
      ...workload.jobAt(row),
      ...(hasCorrectedEnd && { runtime: undefined }),
      job: this.#names.get(number)!,
      ...(patience >= 0 && { patience }),
      ...(jobState === 'running' && { start: run.column('Start')[row]!, site: run.column('Site')[row]! + 1 }),
      ...(isReserved && {
        reservation: { start: run.column('ReservedStart')[row]!, site: run.column('ReservedSite')[row]! + 1 },
      }),
    };
  }
}
