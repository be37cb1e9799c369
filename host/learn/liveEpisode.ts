/** Episodes whose jobs are not known beforehand: a source yields them one by one. */
import { describeReceivedValue } from '../arguments.js';
import type { Core } from '../core/module.js';
import { InputError } from '../errors.js';
import { formatCount } from '../format/numbers.js';
import { LiveEngine } from '../live/liveEngine.js';
import { LiveJobs } from '../live/liveJobs.js';
import type { LiveSettings } from '../live/liveOptions.js';
import { translateLiveRefusal } from '../live/liveRefusals.js';
import type { LiveResult } from '../live/liveResult.js';
import { checkSubmittedJob, makeLiveJobContext, type SubmittedJob } from '../live/submittedJob.js';

/**
 * Source of the jobs of an episode, such as a generator. Yields jobs in order of submission, each when the
 * simulation has come to the job before it; or a time in seconds to wait for, which ends early when a job
 * ends. Receives the jobs that have ended since the previous call.
 */
export interface JobSource {
  [Symbol.iterator](): Iterator<SubmittedJob | number, unknown, readonly LiveResult[]>;
}

const bits = new BigInt64Array(1);
const doubleOfBits = new Float64Array(bits.buffer);

/** Largest double below a number above 0. */
function nextSmallerNumber(number: number): number {
  doubleOfBits[0] = number;
  bits[0] = bits[0]! - 1n;
  return doubleOfBits[0]!;
}

/** An episode of an environment with the jobs of a source. */
export class LiveEpisode {
  readonly engine: LiveEngine;
  readonly #jobs = new LiveJobs();
  readonly #source: Iterator<SubmittedJob | number, unknown, readonly LiveResult[]>;
  readonly #siteCount: number;
  /** Next job, time to wait for, or undefined at the end of the source. */
  #next: SubmittedJob | number | undefined;
  #time = 0;

  /** @throws InputError for an invalid first job, and a source without jobs. */
  constructor(core: Core, liveSettings: LiveSettings, jobSource: JobSource) {
    this.engine = new LiveEngine(core, liveSettings, () => {});
    this.#jobs.engine = this.engine;
    this.#source = jobSource[Symbol.iterator]();
    this.#siteCount = liveSettings.configuration.grid.capacities.length;
    this.#ask();
    if (this.#next === undefined) throw new InputError('jobs: the source has no job; give at least one');
  }

  /** Continues to the next decision, or to the end; returns true at the end. */
  advance(): boolean {
    return this.#translated('jobs', () => {
      while (this.#next !== undefined) {
        const nextSourceItem = this.#next;
        if (
          !(typeof nextSourceItem === 'number' ? this.#waitFor(nextSourceItem) : this.#submit(nextSourceItem))
        )
          return false;
      }
      if (!this.#runTo(Number.POSITIVE_INFINITY)) return false;
      this.engine.live.advance(Number.POSITIVE_INFINITY);
      this.engine.finish();
      return true;
    });
  }

  /** Handles the events up to and including a time; returns false at a decision. */
  #runTo(time: number): boolean {
    if (time < this.#time) return true;
    const { run } = this.engine;
    if (run.runToDecision(time) === run.core.Status.Decision) return false;
    this.#time = time;
    return true;
  }

  /** Handles the events before a job and submits it; returns false at a decision. */
  #submit(job: SubmittedJob): boolean {
    if (job.submit > 0 && !this.#runTo(nextSmallerNumber(job.submit))) return false;
    const { capacity } = this.engine.settings;
    if (this.engine.workload.count === capacity)
      throw new InputError(
        `jobs: the source has more than ${formatCount(capacity, 'job')}, for which capacity has room; give a larger capacity`,
      );
    const jobName = this.#jobs.chooseNameOfNewJob(job, this.engine.workload.submitted, 'jobs');
    const jobNumber = this.#translated(`jobs, job ${jobName}`, () =>
      this.engine.submit(job, jobName, `jobs, job ${jobName}`),
    );
    this.#jobs.add(jobNumber, jobName);
    this.#ask();
    return true;
  }

  /** Handles the events up to a time, or to the next end; returns false at a decision. */
  #waitFor(time: number): boolean {
    const event = this.engine.live.nextEventTime;
    if (time === Number.POSITIVE_INFINITY && event === Number.POSITIVE_INFINITY)
      throw new InputError(
        'jobs: the source waits for the end of a job, and no job is left that could end; yield a job, or return',
      );
    if (!this.#runTo(Math.min(time, event))) return false;
    const hasEnded = [...this.#jobs.active].some((number) => this.#jobs.endOf(number) <= this.#time);
    if (hasEnded || event >= time) this.#ask();
    return true;
  }

  /** Asks the source for the next job or time. */
  #ask(): void {
    const ended = [...this.#jobs.active].filter((number) => this.#jobs.endOf(number) <= this.#time);
    for (const number of ended) this.#jobs.end(number);
    const liveResults = ended.map((number) => this.#jobs.resultOf(number));
    const { value, done } = this.#source.next(liveResults);
    this.#next = done === true ? undefined : this.#checked(value);
  }

  #checked(nextItem: SubmittedJob | number): SubmittedJob | number {
    if (typeof nextItem === 'number') {
      if (nextItem > this.#time) return nextItem;
      throw new InputError(
        `jobs: the source waits for the time ${nextItem}, which is not after the time ${this.#time}; yield a later time, or a job`,
      );
    }
    if (typeof nextItem !== 'object' || nextItem === null)
      throw new InputError(
        `jobs: expected a job, or a time in seconds, from the source, found ${describeReceivedValue(nextItem)}`,
      );
    checkSubmittedJob(nextItem, 'jobs', this.#siteCount);
    const context = makeLiveJobContext('jobs', nextItem);
    if (nextItem.runtime === undefined)
      throw new InputError(`${context}, runtime: expected a number of seconds, found undefined`);
    this.engine.workload.checkNames(nextItem, context);
    const earliestAllowedSubmit = Math.max(this.#time, this.engine.workload.lastSubmit);
    if (nextItem.submit >= earliestAllowedSubmit) return nextItem;
    throw new InputError(
      `${context}: it is submitted at ${nextItem.submit}, before ${earliestAllowedSubmit}, to which the episode has come; yield jobs in order of time`,
    );
  }

  #translated<T>(context: string, run: () => T): T {
    try {
      return run();
    } catch (error) {
      const { workload, settings } = this.engine;
      const jobNameOf = (row: number) =>
        String(
          this.#jobs.nameOf(row < workload.count ? workload.index[row]! : row) ??
            context.replace(/^.*, job /, ''),
        );
      throw translateLiveRefusal(this.engine.run.core, error, context, settings, jobNameOf);
    }
  }
}
