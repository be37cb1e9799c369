/**
 * Simulations whose jobs, ends, cancellations and outages are not known beforehand: for schedulers, digital
 * twins, co-simulations and models of users.
 */
import { checkOptionNames, describeReceivedValue, registerLibraryOptions } from '../arguments.js';
import { openCore } from '../core/module.js';
import { InputError } from '../errors.js';
import { formatCount } from '../format/numbers.js';
import type { Grid } from '../grid/grid.js';
import type { Configuration } from '../options/configuration.js';
import { RUN_OPTIONS } from '../options/runOptions.js';
import { type Summary, summarizeMeasuredRun } from '../simulate/summary.js';
import { checkSomeJobLeft } from '../simulate/unfinishedJobs.js';
import { LiveEngine } from './liveEngine.js';
import { canForkContinueRun, checkForkFromState, listJobsOfFork, mergeOptionsOfFork } from './liveFork.js';
import { LiveJobs } from './liveJobs.js';
import {
  checkPatience,
  type LiveForkOptions,
  type LiveOptions,
  type LiveSettings,
  makeLiveSettings,
  selectDefinedOptions,
} from './liveOptions.js';
import { checkOutageFields, convertOutageForCore, type LiveOutage } from './liveOutage.js';
import { translateLiveRefusal } from './liveRefusals.js';
import type { LiveJobState, LiveResult } from './liveResult.js';
import { changeLiveRules, type LiveRules } from './liveRules.js';
import { addJobsOfLiveState, checkEndsOfState } from './liveState.js';
import {
  checkDuration,
  checkSubmittedJob,
  checkTime,
  type LiveName,
  makeLiveJobContext,
  type SubmittedJob,
} from './submittedJob.js';

/** Jobs that have started or ended in a live simulation since the last call of `advance`. */
export interface LiveStep {
  /** Jobs that have started, in order of submission. */
  readonly started: readonly LiveResult[];
  /** Jobs that have ended or were cancelled, in order of their ends. */
  readonly ended: readonly LiveResult[];
}

/** State of a live simulation in numbers. */
export interface LiveProgress {
  /** Time to which the simulation has advanced, in seconds. */
  readonly time: number;
  /** Number of jobs given to `submit`. */
  readonly submitted: number;
  /** Number of jobs that wait, including those that are held. */
  readonly waiting: number;
  /** Number of jobs that are held, which the list `waiting` of the simulation does not contain. */
  readonly held: number;
  readonly running: number;
  /** Number of jobs that have ended or were cancelled. */
  readonly ended: number;
}

const FORK_OPTIONS = registerLibraryOptions<LiveForkOptions>('fork', {
  ...RUN_OPTIONS,
  ...{ processorSets: true, capacity: true, onEnd: true, maxOutages: true, mayChangeRules: true },
  ...{ name: true, unixStartTime: true },
});

/** Parts of a live simulation that its copies have, too. */
interface CopiedSimulationParts {
  readonly jobs: LiveJobs;
  readonly engine: LiveEngine;
  readonly time: number;
  readonly outages: readonly LiveOutage[];
  readonly firstOutage: number;
}

/**
 * A simulation that accepts jobs while it runs. Times are in seconds, sites are numbered from 1, jobs and users
 * have names or numbers. A refused call changes nothing.
 * @example
 * const live = new LiveSimulation(makeGrid({ capacities: [4] }), { discipline: 'easy' });
 * live.submit({ job: 'a', submit: 0, runtime: 40, processors: 3 });
 * live.submit({ job: 'b', submit: 0, runtime: 20, processors: 4 });
 * console.log(live.advance(10).started.map(({ job }) => job), live.waiting); // [ 'a' ] [ 'b' ]
 * live.finish();
 * console.log(live.resultOf('b').start, live.summary().meanWait); // 40 20
 */
export class LiveSimulation {
  /** Simulation that `fork` copies: set only while it calls the constructor. */
  static #original: CopiedSimulationParts | undefined;

  readonly #grid: Grid;
  #options: LiveOptions;
  readonly #engine: LiveEngine;
  readonly #jobs: LiveJobs;
  readonly #outages: LiveOutage[] = [];
  /** Number of outages of the option `outages`, which come first in the core. */
  readonly #firstOutage: number;
  #time = 0;
  #phase: 'running' | 'finishing' | 'finished' | 'disposed' = 'running';

  /**
   * @throws InputError for unknown and invalid options, options that live simulations cannot have, and invalid
   * states.
   */
  constructor(grid: Grid, options: LiveOptions = {}) {
    const original = LiveSimulation.#original;
    const checkedSettings = makeLiveSettings(grid, options);
    const doEndedJobsLeaveMemory = original?.engine.settings.jobsLeave ?? options.onEnd !== undefined;
    const settings = { ...checkedSettings, jobsLeave: doEndedJobsLeaveMemory };
    this.#grid = grid;
    this.#options = options;
    this.#jobs = new LiveJobs(original?.jobs);
    const liveState =
      options.state === undefined ? undefined : addJobsOfLiveState(options.state, settings, this.#jobs);
    this.#time = original?.time ?? liveState?.time ?? 0;
    this.#engine = this.#translated('LiveSimulation', settings, () => {
      // At the end, all jobs are reported as leaving, but their names stay.
      const forget = (jobNumber: number) => this.#phase === 'finishing' || this.#jobs.forgetJob(jobNumber);
      return new LiveEngine(
        original?.engine.run.core ?? openCore(),
        settings,
        forget,
        liveState,
        original?.engine,
      );
    });
    this.#jobs.engine = this.#engine;
    this.#firstOutage = original?.firstOutage ?? this.#engine.outageCount;
    this.#outages.push(...(original?.outages ?? []));
    if (liveState !== undefined) checkEndsOfState(this.#jobs, liveState.time);
  }

  get #submitted(): number {
    return this.#engine.workload.submitted;
  }

  /** Time to which the simulation has advanced, in seconds. */
  get time(): number {
    return this.#time;
  }

  /** Time of the next event in seconds; Infinity if none is known. Nothing happens before it unless you add something. */
  get nextEventTime(): number {
    this.#checkPhase('nextEventTime');
    return this.#engine.live.nextEventTime;
  }

  /** Time, and numbers of jobs. */
  get progress(): LiveProgress {
    if (this.#phase === 'disposed') this.#checkPhase('progress');
    const jobStates = [...this.#jobs.active].map((number) => this.#jobs.stateOf(number));
    const countOf = (...countedStates: LiveJobState[]) =>
      jobStates.filter((state) => countedStates.includes(state)).length;
    const submitted = this.#submitted;
    return {
      time: this.#time,
      submitted,
      waiting: countOf('waiting', 'held'),
      held: this.#jobs.held.size,
      running: countOf('running'),
      ended: submitted - this.#jobs.active.size,
    };
  }

  /**
   * Submits a job; returns its name.
   * @throws InputError for unknown, missing and invalid fields, a name in use, a submission that is late or not in
   * order, a job that is too wide, and a full capacity.
   */
  submit(job: SubmittedJob): LiveName {
    this.#checkPhase('submit');
    checkSubmittedJob(job, 'submit', this.#grid.capacities.length);
    const context = makeLiveJobContext('submit', job);
    const { lastSubmit } = this.#engine.workload;
    if (job.submit < this.#time)
      throw new InputError(
        `${context}: it is submitted at ${job.submit}, and the simulation has advanced to ${this.#time}; submit jobs before you advance to their submission`,
      );
    if (job.submit < lastSubmit)
      throw new InputError(
        `${context}: it is submitted at ${job.submit}, before the last job at ${lastSubmit}; submit jobs in order of time`,
      );
    if (job.data !== undefined && this.#engine.configuration.bandwidth === 0)
      throw new InputError(
        `${context}, data: it counts with the option bandwidth only; give it, or omit data`,
      );
    checkPatience(job, this.#engine.settings, context);
    this.#engine.workload.checkNames(job, context);
    const jobName = this.#jobs.chooseNameOfNewJob(job, this.#submitted, context);
    const jobNumber = this.#translated(`submit, job ${jobName}`, this.#engine.settings, () =>
      this.#engine.submit(job, jobName, `submit, job ${jobName}`),
    );
    this.#jobs.add(jobNumber, jobName);
    return jobName;
  }

  /**
   * Sets the end of a running job, in place of the end that the simulation expects.
   * @param time time in seconds; default: the time of the simulation.
   * @throws InputError for a job that does not run, and a time that is over.
   */
  end(job: LiveName, time: number = this.#time): void {
    const jobNumber = this.#numberOf(job, 'end', 'running');
    this.#checkFuture(time, `end, job ${job}`);
    this.#translated(`end, job ${job}`, this.#engine.settings, () => this.#engine.live.end(jobNumber, time));
    this.#jobs.ends.set(jobNumber, time);
  }

  /**
   * Cancels a job: it leaves the queue, or ends. The job is then in no mean, even if it ends before that time.
   * @param time time in seconds; default: the time of the simulation.
   * @throws InputError for a job that has ended, a time that is over or before the submission, and options with
   * which jobs cannot be cancelled.
   */
  cancel(job: LiveName, time: number = this.#time): void {
    const jobNumber = this.#numberOf(job, 'cancel', 'submitted', 'waiting', 'held', 'running');
    this.#checkCancelling('cancel');
    this.#checkFuture(time, `cancel, job ${job}`);
    const row = this.#engine.live.rowOf(jobNumber);
    const submit = this.#engine.workload.submit[row]!;
    if (time < submit)
      throw new InputError(
        `cancel, job ${job}: ${time} is before its submission at ${submit}; give a later time`,
      );
    this.#translated(`cancel, job ${job}`, this.#engine.settings, () =>
      this.#engine.live.remove(jobNumber, time),
    );
    this.#engine.workload.cancelAt(row, time);
    this.#jobs.cancellations.set(jobNumber, time);
  }

  /**
   * Takes a waiting job out of the queue at the time of the simulation, until `release`.
   * @throws InputError for a job that does not wait, and options with which jobs cannot be held.
   */
  hold(job: LiveName): void {
    const jobNumber = this.#numberOf(job, 'hold', 'waiting');
    this.#checkCancelling('hold');
    this.#translated(`hold, job ${job}`, this.#engine.settings, () => this.#engine.live.hold(jobNumber));
    this.#jobs.held.add(jobNumber);
  }

  /**
   * Returns a held job to the queue at the time of the simulation, with its old submission in the order.
   * @throws InputError for a job that is not held.
   */
  release(job: LiveName): void {
    const jobNumber = this.#numberOf(job, 'release', 'held');
    this.#translated(`release, job ${job}`, this.#engine.settings, () =>
      this.#engine.live.release(jobNumber),
    );
    this.#jobs.held.delete(jobNumber);
  }

  /**
   * Changes the requested time of a job that has not ended. A waiting job leaves the queue and returns to it, with
   * its old submission in the order; a running one is expected to end by the new time, from its start on. A pass
   * of the time of the simulation follows if plans or orders use estimates.
   * @param requestedTime requested time in seconds.
   * @throws InputError for a job that has ended, an invalid time, and options with which requested times cannot
   * change.
   */
  changeRequestedTime(job: LiveName, requestedTime: number): void {
    const jobNumber = this.#numberOf(job, 'changeRequestedTime', 'submitted', 'waiting', 'held', 'running');
    const context = `changeRequestedTime, job ${job}`;
    const conflictingOption = this.#engine.settings.optionAgainstChangedEstimates;
    if (conflictingOption !== undefined)
      throw new InputError(
        `changeRequestedTime: requested times cannot change with the option ${conflictingOption}; omit the option`,
      );
    const expectedForm = checkDuration(requestedTime);
    if (expectedForm !== undefined)
      throw new InputError(
        `${context}: expected ${expectedForm}, found ${describeReceivedValue(requestedTime)}`,
      );
    this.#translated(context, this.#engine.settings, () =>
      this.#engine.live.changeEstimate(jobNumber, requestedTime),
    );
    this.#engine.workload.estimate[this.#engine.live.rowOf(jobNumber)] = requestedTime;
  }

  /**
   * Changes the discipline and the orders at the time of the simulation; what is left out stays as it is. Waiting
   * jobs stay in the queue, running ones run on, and a pass follows.
   * @throws InputError without the option `mayChangeRules`, for unknown names and words, rules that do not go
   * together, and orders whose keys are computed when jobs are submitted.
   */
  changeRules(rules: LiveRules): void {
    this.#checkPhase('changeRules');
    const { settings } = this.#engine;
    if (!settings.mayChangeRules)
      throw new InputError(
        'changeRules: the simulation began without the option mayChangeRules; begin it with mayChangeRules: true, or fork it with other rules',
      );
    const rulesChangeResult = changeLiveRules(this.#grid, this.#options, settings.configuration, rules);
    this.#translated('changeRules', settings, () => this.#engine.run.changeRules(rulesChangeResult.core));
    this.#engine.configuration = rulesChangeResult.configuration;
    this.#options = { ...this.#options, ...selectDefinedOptions(rules) };
  }

  /**
   * Announces an outage; returns its number, from 1.
   * @throws InputError beyond `maxOutages`, for invalid fields, a begin that is over, more processors than the site
   * has, and a waiting job that would never fit.
   */
  addOutage(outage: LiveOutage): number {
    this.#checkPhase('addOutage');
    checkOutageFields(outage, 'addOutage');
    const { maxOutages, configuration } = this.#engine.settings;
    if (this.#outages.length >= maxOutages)
      throw new InputError(
        `addOutage: there are ${formatCount(this.#outages.length, 'outage')}, for which maxOutages has room; give a larger maxOutages`,
      );
    const coreOutage = convertOutageForCore(outage, configuration, 'addOutage');
    if (outage.from < this.#time) throw this.#lateError('addOutage', 'begins', outage.from);
    this.#translated('addOutage', this.#engine.settings, () => this.#engine.live.addOutage(coreOutage));
    return this.#outages.push(outage);
  }

  /**
   * Changes an announced outage: all of it before it begins, afterwards its end.
   * @throws InputError for an unknown outage, changes of the past, and as `addOutage`.
   */
  changeOutage(outageNumber: number, changes: Partial<LiveOutage>): void {
    this.#checkPhase('changeOutage');
    const context = `changeOutage, outage ${describeReceivedValue(outageNumber)}`;
    const outageBefore = this.#outages[outageNumber - 1];
    if (outageBefore === undefined)
      throw new InputError(`${context}: there is no such outage; give a number that addOutage has returned`);
    checkOutageFields(changes, context);
    const outage = { ...outageBefore, ...changes };
    const coreOutage = convertOutageForCore(outage, this.#engine.configuration, context);
    const { to = Number.POSITIVE_INFINITY } = outageBefore;
    if (to <= this.#time)
      throw new InputError(
        `${context}: it has ended at ${to}, before the time ${this.#time}; add another outage`,
      );
    const hasOutageBegun = outageBefore.from <= this.#time;
    const isFieldChanged = (outageField: keyof LiveOutage) =>
      outageField !== 'to' && outage[outageField] !== outageBefore[outageField];
    const changedField = (Object.keys(outage) as (keyof LiveOutage)[]).find(isFieldChanged);
    if (hasOutageBegun && outageBefore.from < this.#time && changedField !== undefined)
      throw new InputError(
        `${context}, ${changedField}: it has begun at ${outageBefore.from}, and only its end can change`,
      );
    if (!hasOutageBegun && outage.from < this.#time) throw this.#lateError(context, 'begins', outage.from);
    if ((outage.to ?? Number.POSITIVE_INFINITY) < this.#time)
      throw this.#lateError(context, 'ends', outage.to!);
    this.#translated(context, this.#engine.settings, () =>
      this.#engine.live.changeOutage(this.#firstOutage + outageNumber - 1, coreOutage),
    );
    this.#outages[outageNumber - 1] = outage;
  }

  #lateError(context: string, beginsOrEnds: string, time: number): InputError {
    return new InputError(
      `${context}: it ${beginsOrEnds} at ${time}, and the simulation has advanced to ${this.#time}; give a later time`,
    );
  }

  /**
   * Handles all events up to and including a time in seconds; Infinity: all that are known.
   * @throws InputError for a time that is over; FunctionError of a custom policy.
   */
  advance(time: number): LiveStep {
    this.#checkPhase('advance');
    if (time !== Number.POSITIVE_INFINITY) this.#checkFuture(time, 'advance');
    return this.#happened('advance', (startedJobNumbers) => {
      this.#engine.runUntil(time);
      startedJobNumbers.push(...this.#engine.live.advance(time));
      // After all known events, the time is that of the last one.
      this.#time =
        time === Number.POSITIVE_INFINITY ? Math.max(this.#time, this.#engine.run.scalar('Now')) : time;
    });
  }

  /**
   * Runs to the end without further submissions; then `summary` has the metrics.
   * @throws InputError without jobs, and for jobs that are held or whose ends are unknown; FunctionError of a
   * custom policy.
   */
  finish(): LiveStep {
    this.#checkPhase('finish');
    if (this.#submitted === 0) throw new InputError('finish: there is no job; submit one first');
    const heldJobs = [...this.#jobs.held].filter((number) => !this.#jobs.isCancelled(number));
    if (heldJobs.length > 0)
      throw new InputError(
        `finish: jobs are held: ${this.#jobs.list(heldJobs)}; release or cancel them first`,
      );
    const unknown = [...this.#jobs.active].filter((number) => this.#jobs.hasUnknownEnd(number));
    if (unknown.length > 0)
      throw new InputError(
        `finish: jobs have no known end: ${this.#jobs.list(unknown)}; call end or cancel for them first`,
      );
    return this.#happened('finish', (started) => {
      this.#engine.runUntil(Number.POSITIVE_INFINITY);
      started.push(...this.#engine.live.advance(Number.POSITIVE_INFINITY));
      this.#phase = 'finishing';
      this.#engine.finish();
      this.#phase = 'finished';
      this.#time = Math.max(this.#time, this.#engine.run.scalar('Now'));
    });
  }

  /** Runs a function that lists the started jobs; reports these and the ended ones. */
  #happened(context: string, collectStartedJobs: (started: number[]) => void): LiveStep {
    const startedJobs: number[] = [];
    this.#translated(context, this.#engine.settings, () => collectStartedJobs(startedJobs));
    const ended = [...this.#jobs.active].filter((number) => this.#jobs.endOf(number) <= this.#time);
    for (const number of ended) this.#jobs.end(number);
    const stepResult = {
      started: startedJobs.map((number) => this.#jobs.resultOf(number)),
      ended: ended.map((number) => this.#jobs.resultOf(number)),
    };
    stepResult.ended.sort((resultA, resultB) => (resultA.end ?? this.#time) - (resultB.end ?? this.#time));
    if (this.#engine.settings.jobsLeave)
      this.#engine.addResults(ended.map((number) => this.#engine.live.rowOf(number)));
    this.#report(stepResult.ended);
    return stepResult;
  }

  /** Passes results to the function `onEnd`, and throws its first error after the last of them. */
  #report(endedJobs: readonly LiveResult[]): void {
    const errors: unknown[] = [];
    for (const result of endedJobs) {
      try {
        this.#engine.settings.onEnd?.(result);
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 0) throw errors[0];
  }

  /** Names of the waiting jobs in the order of the queue; those that a limit holds back come last. */
  get waiting(): LiveName[] {
    this.#checkPhase('waiting');
    const queuedJobNumbers = this.#engine.live.waiting;
    const queuedJobNumberSet = new Set(queuedJobNumbers);
    const jobsWaitingForLimit = [...this.#jobs.active].filter(
      (number) => !queuedJobNumberSet.has(number) && this.#jobs.stateOf(number) === 'waiting',
    );
    return [...queuedJobNumbers, ...jobsWaitingForLimit].map((number) => this.#jobs.nameOf(number)!);
  }

  /** Names of the running jobs, in order of their starts. */
  get running(): LiveName[] {
    this.#checkPhase('running');
    return this.#engine.live.running.map((number) => this.#jobs.nameOf(number)!);
  }

  /**
   * State, start, end and site of a job.
   * @throws InputError for a job that is unknown or has left the memory.
   */
  resultOf(job: LiveName): LiveResult {
    return this.#jobs.resultOf(this.#numberOf(job, 'resultOf'));
  }

  /**
   * Metrics of the finished simulation, as `simulate` computes them.
   * @throws InputError before `finish`, and if every job was cancelled.
   */
  summary(): Summary {
    if (this.#phase === 'disposed') this.#checkPhase('summary');
    if (this.#phase !== 'finished')
      throw new InputError(
        'summary: the simulation is not finished; call finish first, or fork it and finish the fork',
      );
    checkSomeJobLeft(this.#engine.run);
    if (Number.isNaN(this.#engine.run.metric('MeanWait')))
      throw new InputError('summary: warmUp and coolDown exclude all jobs; shorten them');
    return summarizeMeasuredRun(this.#engine);
  }

  /**
   * Copies the simulation; both go on independently. The copy calls the function `onEnd` of its own options
   * only.
   *
   * With another `name` or `onEnd`, or with another policy in place of a policy that was given, all else carries
   * over: the past, users, outages, metrics. With other options, such as another discipline, order or capacity, or
   * the first policy under `easy` or `conservative`, the copy begins from the state of this simulation: running
   * jobs with their starts, sites and ends, waiting and held jobs, later submissions, and cancellations. Ended jobs
   * do not carry over, so metrics are those of the other jobs; nor do outages, the past use of users and groups,
   * and the draws of `random`. Reservations carry over if both keep them.
   * @throws InputError for invalid options, and for a copy that begins from the state if this simulation has
   * moldable jobs or jobs on several sites, the copy has outages, or running jobs have not started in order of
   * submission and its orders count what users use.
   */
  fork(options: LiveForkOptions = {}): LiveSimulation {
    this.#checkPhase('fork');
    checkOptionNames(FORK_OPTIONS, options);
    const mergedOptions = mergeOptionsOfFork(this.#options, options);
    const liveSettings = makeLiveSettings(this.#grid, mergedOptions);
    if (!canForkContinueRun(this.#engine, liveSettings)) {
      checkForkFromState(this.#engine.configuration, liveSettings.configuration, options, mergedOptions);
      return this.#forkFromState(mergedOptions, liveSettings.configuration);
    }
    LiveSimulation.#original = {
      ...{ jobs: this.#jobs, engine: this.#engine, time: this.#time },
      ...{ outages: this.#outages, firstOutage: this.#firstOutage },
    };
    try {
      const forkedSimulation = new LiveSimulation(this.#grid, mergedOptions);
      this.#translated('fork', liveSettings, () =>
        forkedSimulation.#engine.changePolicy(this.#engine.configuration.policy),
      );
      return forkedSimulation;
    } finally {
      LiveSimulation.#original = undefined;
    }
  }

  /** Begins a simulation with other options from the state of this one. */
  #forkFromState(options: LiveOptions, configuration: Configuration): LiveSimulation {
    const isKept = [this.#engine.configuration, configuration].every(
      ({ reservations }) => reservations === 'kept',
    );
    const forkedJobs = listJobsOfFork(this.#jobs, this.#time, isKept);
    const jobsOfForkState = forkedJobs.filter(({ isLater }) => !isLater).map(({ job }) => job);
    const state = { time: this.#time, jobs: jobsOfForkState };
    const forkedSimulation = new LiveSimulation(this.#grid, { ...options, state });
    for (const { job, isLater } of forkedJobs) if (isLater) forkedSimulation.submit(job);
    for (const { job, end, cancellation, isHeld } of forkedJobs) {
      if (end !== undefined) forkedSimulation.end(job.job, end);
      if (cancellation !== undefined) forkedSimulation.cancel(job.job, cancellation);
      if (isHeld) forkedSimulation.hold(job.job);
    }
    return forkedSimulation;
  }

  /** Releases the memory; the simulation cannot be used afterwards. */
  dispose(): void {
    if (this.#phase === 'disposed') return;
    this.#phase = 'disposed';
    this.#engine.dispose();
  }

  #checkPhase(callName: string): void {
    if (this.#phase === 'running') return;
    const phaseDescription = this.#phase === 'finished' ? 'finished' : 'disposed of';
    throw new InputError(
      `${callName}: the simulation is ${phaseDescription}; fork it before, or begin another one`,
    );
  }

  #checkFuture(time: number, context: string): void {
    const expectedForm = checkTime(time);
    if (expectedForm !== undefined)
      throw new InputError(`${context}: expected ${expectedForm}, found ${describeReceivedValue(time)}`);
    if (time < this.#time)
      throw new InputError(
        `${context}: the time ${time} is over, since the simulation has advanced to ${this.#time}; give a later time`,
      );
  }

  #checkCancelling(callName: string): void {
    const conflictingOption = this.#engine.settings.optionAgainstCancelling;
    if (conflictingOption !== undefined)
      throw new InputError(
        `${callName}: jobs cannot leave the queue with the option ${conflictingOption}; omit the option`,
      );
  }

  /** Number of a job, from 0, that is in one of some states. */
  #numberOf(job: LiveName, callName: string, ...states: LiveJobState[]): number {
    if (this.#phase === 'disposed' || states.length > 0) this.#checkPhase(callName);
    return this.#jobs.numberOf(job, callName, states);
  }

  /** Runs a function, translating refusals of the core into sentences. */
  #translated<T>(context: string, liveSettings: LiveSettings, run: () => T): T {
    try {
      return run();
    } catch (error) {
      const engine = this.#engine as LiveEngine | undefined;
      const jobNameOf = (row: number) => {
        const index =
          engine === undefined || row >= engine.workload.count ? row : engine.workload.index[row]!;
        return String(this.#jobs.nameOf(index) ?? context.replace(/^.*, job /, ''));
      };
      const core = engine?.run.core ?? openCore();
      throw translateLiveRefusal(core, error, context, liveSettings, jobNameOf);
    }
  }
}
