/**
 * Simulation of single scheduling passes in the recorded state of running and waiting jobs, so that early
 * differences do not propagate.
 */
import { openCore } from '../core/module.js';
import { InputError } from '../errors.js';
import type { Configuration } from '../options/configuration.js';
import { isFunctionOrder, type Order } from '../options/order.js';
import { NO_PARTITION_SITES_NOTATION } from '../options/partitionSites.js';
import { parseCheckedPassDelay } from '../options/passOptions.js';
import { findOrderOfWaitingJobs } from '../options/runOptions.js';
import { putJobTableAtMemoryStart } from '../simulate/layout.js';
import { keepLimitsOfJobs } from '../simulate/limitAccounts.js';
import { ScheduleOrderStates } from '../simulate/orderStates.js';
import { Simulator } from '../simulate/simulator.js';
import { SIMULATED_FIELDS, type Workload } from '../workload/workload.js';
import { takeBestFitProcessors, takeProcessorsOfNodes } from './nodeChoice.js';
import { RecordedOutages } from './recordedOutages.js';
import type { ScheduleRecording } from './recording.js';

/**
 * Seconds by which the clock of a step's simulation is ahead, so that no start is at 0; a multiple of a day.
 */
const STEP_SIMULATION_LEAD_SECONDS = 86_400;

/**
 * Largest number of seconds by which a recorded start may be later than a simulated one and still agree with
 * it.
 */
const LARGEST_AGREED_DELAY_SECONDS = 1;

/** Seconds between two job ends that the log records in the same second. */
const SECONDS_BETWEEN_ENDS = 0.001;

/** A scheduling pass of the recorded scheduler: its time and kind. */
export interface RecordedSchedulerPass {
  readonly time: number;
  /** Time in seconds of the earliest event that it handles. */
  readonly earliestEvent: number;
  readonly isMain: boolean;
  readonly isBackfill: boolean;
}

/**
 * Order of a pass and the ends in its second, where it is not that of the log: true by job if the job ends
 * before the pass.
 */
export type OrderOfEnds = ReadonlyMap<number, boolean>;

/** Running and waiting jobs just before a pass. */
export interface QueueState {
  readonly running: readonly number[];
  readonly waiting: readonly number[];
}

/**
 * Simulation of single passes in the recorded state. A pass follows each recorded submission and end, and
 * each begin and end of an outage, after the configured delay; with a backfill interval, the next backfill
 * pass follows too.
 */
export class StepSimulation {
  readonly passes: readonly RecordedSchedulerPass[];
  readonly #recording: ScheduleRecording;
  readonly #configuration: Configuration;
  readonly #ends: RecordedJobEnds & { readonly processors?: readonly (readonly number[])[] | undefined };
  readonly #firstRelease: Float64Array;
  readonly #jobsByStart: readonly number[];
  #orders: RecordedQueueOrders;
  readonly #outages: RecordedOutages;
  readonly #core = openCore();

  /**
   * @throws InputError for rules that depend on more than the state, such as orders that change with time.
   */
  constructor(recording: ScheduleRecording, configuration: Configuration) {
    checkStepByStepSupported(configuration);
    const { workload, start } = recording;
    const speed = configuration.grid.speeds[0]!;
    const end = start.map((time, job) => time + workload.runtime[job]! / speed);
    this.#firstRelease = end.map((time) => time + configuration.releaseDelay);
    const release = spreadReleasesOfOneSecond(this.#firstRelease);
    const processorsByJob =
      configuration.planBy === 'node'
        ? findProcessorsOfRecordedJobs(recording, end, configuration)
        : undefined;
    this.#recording = recording;
    this.#configuration = configuration;
    this.#ends = { end, release, processors: processorsByJob };
    this.#jobsByStart = sortIndicesByValue(start).filter((job) => !Number.isNaN(start[job]!));
    this.#orders = this.#makeOrders();
    this.#outages = new RecordedOutages(workload, configuration);
    this.passes = findRecordedPasses(recording, { end, release }, configuration, this.#outages.times);
  }

  #makeOrders(): RecordedQueueOrders {
    return new RecordedQueueOrders(this.#recording, this.#configuration, this.#ends);
  }

  /** Restarts at the first pass; returns the recorded state, whose times must be read in ascending order. */
  makeQueueState(): RecordedQueueState {
    this.#orders = this.#makeOrders();
    return new RecordedQueueState(
      this.#recording,
      this.#ends,
      this.#jobsByStart,
      this.#configuration.grid.capacities[0]!,
    );
  }

  /** Jobs that end in the second of a pass: true by job if it releases its processors by then. */
  findEndsInSecondOfPass({ time }: RecordedSchedulerPass): OrderOfEnds {
    const { end, release } = this.#ends;
    const jobs = this.#jobsByStart.filter((job) => Math.floor(end[job]!) === Math.floor(time));
    return new Map(jobs.map((job) => [job, release[job]! <= time]));
  }

  /** Waiting jobs that a pass starts in a given state. */
  findJobsStartedByPass(pass: RecordedSchedulerPass, { running, waiting }: QueueState): number[] {
    const { workload, start } = this.#recording;
    const configuration = this.#configuration;
    if (!fitsOneJob(this.#recording, configuration, running, waiting)) return [];
    const jobs = [...running, ...waiting];
    const stepWorkload = makeWorkloadOfJobs(workload, jobs, pass.time + STEP_SIMULATION_LEAD_SECONDS);
    // A job ends when the recording has it release its processors, or, if it is taken to run still, after the pass.
    for (const [index, job] of running.entries()) {
      const release = Math.max(this.#ends.release[job]!, pass.time + SECONDS_BETWEEN_ENDS);
      stepWorkload.runtime[index]! += (release - this.#firstRelease[job]!) * configuration.grid.speeds[0]!;
    }
    const simulator = new Simulator(stepWorkload, putJobTableAtMemoryStart(this.#core, stepWorkload));
    simulator.begin({
      ...configuration,
      ...this.#orders.at(pass.time, jobs, waiting),
      // All waiting jobs arrive before the pass, whatever their order.
      instant: configuration.reservations === 'kept' ? configuration.instant : 'batched',
      passDelay: 'none',
      passGap: 0,
      backfillOffset: pass.isBackfill ? 0 : Math.max(configuration.backfillInterval / 2, 1),
      load: configuration.load,
      limit: keepLimitsOfJobs(configuration.limit, stepWorkload),
      // There is one site.
      partitionSites: NO_PARTITION_SITES_NOTATION,
      outages: this.#outages.at(pass.time, STEP_SIMULATION_LEAD_SECONDS),
    });
    for (const job of running) {
      const processors = this.#ends.processors?.[job] ?? [];
      simulator.coreRun.place(0, start[job]! + STEP_SIMULATION_LEAD_SECONDS, processors);
    }
    simulator.runUntil(pass.time + STEP_SIMULATION_LEAD_SECONDS);
    const startTimes = simulator.coreRun.column('Start');
    const startedJobs = jobs.filter((_, index) => index >= running.length && startTimes[index]! > 0);
    simulator.dispose();
    return startedJobs;
  }
}

/** True if a recorded start is in the second that a pass handles, or shortly after the pass. */
export function agreesWithPass(
  start: number,
  { earliestEvent: since, time }: RecordedSchedulerPass,
): boolean {
  return start >= Math.floor(since) && start <= time + LARGEST_AGREED_DELAY_SECONDS;
}

/** True if at least one waiting job is no wider than the idle processors. */
function fitsOneJob(
  { workload: { processors } }: ScheduleRecording,
  { grid }: Configuration,
  runningJobs: readonly number[],
  waitingJobs: readonly number[],
): boolean {
  const idleProcessorCount = runningJobs.reduce((rest, job) => rest - processors[job]!, grid.capacities[0]!);
  return waitingJobs.some((job) => processors[job]! <= idleProcessorCount);
}

/** Key of running jobs, smaller than the keys of all waiting ones. */
const ORDER_KEY_OF_RUNNING_JOBS = -1e300;

/** Queue orders for the recorded state. */
class RecordedQueueOrders {
  readonly #configuration: Configuration;
  readonly #states: ScheduleOrderStates;

  constructor(
    { workload, start }: ScheduleRecording,
    configuration: Configuration,
    recordedEnds: RecordedJobEnds,
  ) {
    this.#configuration = configuration;
    this.#states = new ScheduleOrderStates(workload, configuration, { start, ...recordedEnds });
  }

  /**
   * Replaces orders from expressions by fixed keys for the given jobs, so that running jobs come
   * first.
   */
  at(
    time: number,
    jobs: readonly number[],
    waitingJobs: readonly number[],
  ): Partial<Pick<Configuration, 'order' | 'backfillOrder'>> {
    const { backfillOrder } = this.#configuration;
    const order = findOrderOfWaitingJobs(this.#configuration);
    const makeOrderWithFixedKeys = (changingOrder: Order): Order => {
      const sortKeyValues = this.#states.computeValuesAt(changingOrder as string, time, waitingJobs);
      const keyByJob = new Map(waitingJobs.map((job, waitingIndex) => [job, sortKeyValues[waitingIndex]!]));
      // Keys are computed in the order of the small workload.
      let jobIndex = 0;
      return () => keyByJob.get(jobs[jobIndex++ % jobs.length]!) ?? ORDER_KEY_OF_RUNNING_JOBS;
    };
    return {
      ...(isOrderFromExpression(order) && { order: makeOrderWithFixedKeys(order) }),
      ...(isOrderFromExpression(backfillOrder) && { backfillOrder: makeOrderWithFixedKeys(backfillOrder) }),
    };
  }
}

/** True if the keys of an order come from an expression; order of submission and functions have none. */
const isOrderFromExpression = (order: Order) =>
  typeof order === 'string' && order !== 'submit' && order !== 'none' && !isFunctionOrder(order);

/**
 * Refuses settings without step-by-step predictions: passes at an interval, the order wfp3, and policy functions.
 * @throws InputError for such settings.
 */
export function checkStepByStepSupported({ order, backfillOrder, policy, interval }: Configuration): void {
  if (interval > 0) {
    throw new InputError('validate does not predict step by step with --interval; add --free-only');
  }
  if (order === 'wfp3' || backfillOrder === 'wfp3') {
    throw new InputError(
      'validate cannot predict from states in an order that changes with time; choose another --order',
    );
  }
  if (policy.choose !== undefined) throw new InputError('validate takes no policy function');
}

/**
 * Times at which jobs release their processors, in seconds. Ends within the same second are spread in the
 * order of the log, since real jobs end at different times.
 */
function spreadReleasesOfOneSecond(firstReleases: Float64Array): Float64Array {
  const release = firstReleases.slice();
  let [lastRelease, endsInSecond] = [Number.NaN, 0];
  for (const job of sortIndicesByValue(firstReleases)) {
    endsInSecond = firstReleases[job] === lastRelease ? endsInSecond + 1 : 0;
    lastRelease = firstReleases[job]!;
    release[job]! += endsInSecond * SECONDS_BETWEEN_ENDS;
  }
  return release;
}

/** Indices in ascending order of values, ties by index. */
function sortIndicesByValue(sortKeyValues: Float64Array): number[] {
  return Array.from(sortKeyValues.keys()).sort(
    (indexA, indexB) => sortKeyValues[indexA]! - sortKeyValues[indexB]! || indexA - indexB,
  );
}

/** Times at which recorded jobs end and release their processors. */
interface RecordedJobEnds {
  /** End of each job in seconds on the clock of the log. */
  readonly end: Float64Array;
  /** Time at which the processors of each job are free, in seconds. */
  readonly release: Float64Array;
}

/** Running and waiting jobs of a recording at given times, which must ascend from call to call. */
export class RecordedQueueState {
  readonly #recording: ScheduleRecording;
  readonly #ends: RecordedJobEnds & { readonly processors?: readonly (readonly number[])[] | undefined };
  readonly #jobsByStart: readonly number[];
  readonly #capacity: number;
  #startedCount = 0;
  #submittedCount = 0;
  #running: number[] = [];
  #waiting: number[] = [];

  constructor(
    recording: ScheduleRecording,
    recordedEnds: RecordedJobEnds & { readonly processors?: readonly (readonly number[])[] | undefined },
    jobsByStart: readonly number[],
    capacity: number,
  ) {
    this.#recording = recording;
    this.#ends = recordedEnds;
    this.#jobsByStart = jobsByStart;
    this.#capacity = capacity;
  }

  /**
   * State just before the decisions of a pass. Jobs that start in the second of the handled event or later
   * still wait; jobs released by then are gone, and so are ended jobs whose processors another job already
   * has.
   * @param jobsWithAgreedStart jobs that a simulated pass started shortly before or at their recorded start; they
   * run from it on.
   * @param orderOfEnds jobs that end before or after the pass, whatever the log has.
   */
  at(
    { time, earliestEvent: since }: RecordedSchedulerPass,
    jobsWithAgreedStart: ReadonlySet<number>,
    orderOfEnds: OrderOfEnds = new Map(),
  ): QueueState {
    const { workload, start } = this.#recording;
    // Logs record whole seconds.
    const second = Math.floor(since);
    for (; this.#startedCount < this.#jobsByStart.length; this.#startedCount++) {
      const job = this.#jobsByStart[this.#startedCount]!;
      if (!(start[job]! < second)) break;
      this.#running.push(job);
    }
    for (
      ;
      this.#submittedCount < workload.count && workload.submit[this.#submittedCount]! <= time;
      this.#submittedCount++
    ) {
      if (!Number.isNaN(start[this.#submittedCount]!)) this.#waiting.push(this.#submittedCount);
    }
    this.#running = this.#running.filter(
      (job) => !(orderOfEnds.get(job) ?? this.#ends.release[job]! <= time),
    );
    this.#waiting = this.#waiting.filter((job) => start[job]! >= second);
    const isRunning = (job: number) => start[job]! <= time && jobsWithAgreedStart.has(job);
    const unfinishedJobs = [...this.#running, ...this.#waiting.filter(isRunning)];
    return {
      running: unfinishedJobs.filter((job) =>
        this.#stillHoldsProcessors(job, time, unfinishedJobs, orderOfEnds),
      ),
      waiting: this.#waiting.filter((job) => !isRunning(job)),
    };
  }

  /**
   * True if a job has not ended, or if no running job that started later has one of its processors. Without
   * nodes, a job that has ended holds processors only where the given order says so and they are free.
   */
  #stillHoldsProcessors(
    job: number,
    time: number,
    runningJobs: readonly number[],
    orderOfEnds: OrderOfEnds,
  ): boolean {
    const { end, processors } = this.#ends;
    if (end[job]! > time) return true;
    if (processors === undefined) {
      if (orderOfEnds.get(job) !== false) return false;
      const heldProcessors = runningJobs.reduce(
        (sum, other) => sum + this.#recording.workload.processors[other]!,
        0,
      );
      return heldProcessors <= this.#capacity;
    }
    const ownProcessors = new Set(processors[job]);
    const { start } = this.#recording;
    return !runningJobs.some(
      (otherJob) =>
        start[otherJob]! >= end[job]! &&
        processors[otherJob]!.some((processor) => ownProcessors.has(processor)),
    );
  }
}

/** Processors of each job: on its recorded nodes, or chosen by blocks in the order of recorded starts. */
function findProcessorsOfRecordedJobs(
  { workload, start, nodes: recordedNodes }: ScheduleRecording,
  end: Float64Array,
  { grid, processorsPerNode: nodeSize }: Configuration,
): readonly (readonly number[])[] {
  const capacity = grid.capacities[0]!;
  const areNodesOnMachine =
    recordedNodes?.every((recordedNode) => recordedNode.every((node) => node * nodeSize < capacity)) ?? false;
  const idleFlagByProcessor = new Uint8Array(capacity).fill(1);
  const processorsByJob: number[][] = Array.from({ length: workload.count }, () => []);
  const events = Array.from(start.keys())
    .filter((job) => !Number.isNaN(start[job]!))
    .flatMap((job) => [
      { time: end[job]!, isEnd: true, job },
      { time: start[job]!, isEnd: false, job },
    ])
    .filter(({ job }) => end[job]! > start[job]!)
    .sort(
      (event, otherEvent) =>
        event.time - otherEvent.time ||
        Number(otherEvent.isEnd) - Number(event.isEnd) ||
        event.job - otherEvent.job,
    );
  for (const { isEnd, job } of events) {
    if (isEnd) for (const processor of processorsByJob[job]!) idleFlagByProcessor[processor] = 1;
    else {
      const jobProcessors = workload.processors[job]!;
      const processorsOnNodes = areNodesOnMachine
        ? takeProcessorsOfNodes(idleFlagByProcessor, recordedNodes![job]!, jobProcessors, nodeSize)
        : [];
      processorsByJob[job] = [
        ...processorsOnNodes,
        ...takeBestFitProcessors(idleFlagByProcessor, jobProcessors - processorsOnNodes.length, nodeSize),
      ];
    }
  }
  return processorsByJob;
}

/** Finds the passes that may start a job: after every recorded event, and the next backfill pass. */
function findRecordedPasses(
  { workload, start }: ScheduleRecording,
  { end, release }: RecordedJobEnds,
  configuration: Configuration,
  outageTimes: readonly number[],
): RecordedSchedulerPass[] {
  const { backfillInterval, backfillOffset } = configuration;
  const passDelay = parseCheckedPassDelay(configuration.passDelay);
  const earliestEventByPass = new Map<number, number>();
  const changeTimes = new Set<number>();
  const events: { time: number; since: number; delay: number }[] = [];
  for (let job = 0; job < workload.count; job++) {
    if (Number.isNaN(start[job]!)) continue;
    const submit = workload.submit[job]!;
    events.push({ time: submit, since: submit, delay: passDelay.submit });
    events.push({ time: release[job]!, since: end[job]!, delay: passDelay.end });
    changeTimes.add(submit).add(start[job]!).add(end[job]!).add(release[job]!);
  }
  for (const time of outageTimes) {
    events.push({ time, since: time, delay: passDelay.end });
    changeTimes.add(time);
  }
  const firstSubmit = workload.submit[0]!;
  let [passTime, passEarliestEvent, lastPass] = [Infinity, Infinity, -Infinity];
  const addRecordedPass = () => {
    earliestEventByPass.set(
      passTime,
      Math.min(passEarliestEvent, earliestEventByPass.get(passTime) ?? passEarliestEvent),
    );
    [passTime, passEarliestEvent, lastPass] = [Infinity, Infinity, passTime];
  };
  for (const event of events.sort((eventA, eventB) => eventA.time - eventB.time)) {
    if (passTime < event.time) addRecordedPass();
    passTime = Math.min(passTime, Math.max(event.time + event.delay, lastPass + configuration.passGap));
    passEarliestEvent = Math.min(passEarliestEvent, event.since);
  }
  addRecordedPass();
  const backfillPassTimes = new Set<number>();
  if (backfillInterval > 0) {
    const offset = backfillOffset === 'half' ? backfillInterval / 2 : backfillOffset;
    for (const time of changeTimes) {
      const passIndex = Math.max(0, Math.ceil((time - firstSubmit - offset) / backfillInterval));
      backfillPassTimes.add(firstSubmit + offset + passIndex * backfillInterval);
    }
  }
  return [...new Set([...earliestEventByPass.keys(), ...backfillPassTimes])]
    .sort(compareTimesAscending)
    .map((time) => ({
      time,
      earliestEvent: earliestEventByPass.get(time) ?? time,
      isMain: true,
      isBackfill: backfillInterval === 0 || backfillPassTimes.has(time),
    }));
}

const compareTimesAscending = (timeA: number, timeB: number) => timeA - timeB;

/** Workload of some jobs, all submitted at the same time. */
function makeWorkloadOfJobs(workload: Workload, jobs: readonly number[], time: number): Workload {
  const { log, dependencies: _, killed: __, data: ___, ...otherFields } = workload;
  const { patience: ____, ...keptFields } = otherFields;
  return {
    ...keptFields,
    count: jobs.length,
    job: selectEntriesOfJobs(workload.job, jobs),
    submit: new Float64Array(jobs.length).fill(time),
    runtime: selectEntriesOfJobs(workload.runtime, jobs),
    estimate: selectEntriesOfJobs(workload.estimate, jobs),
    processors: Int32Array.from(jobs, (job) => workload.processors[job]!),
    home: new Int32Array(jobs.length),
    ...(log && { log: makeLogOfJobs(log, jobs) }),
  };
}

/** Log fields of some jobs that may affect a simulation. */
function makeLogOfJobs(log: NonNullable<Workload['log']>, jobs: readonly number[]): typeof log {
  const selectedFields = SIMULATED_FIELDS.map(
    (field) => [field, selectEntriesOfJobs(log[field], jobs)] as const,
  );
  return { ...log, ...Object.fromEntries(selectedFields) };
}

const selectEntriesOfJobs = (column: Float64Array, jobs: readonly number[]) =>
  Float64Array.from(jobs, (job) => column[job]!);
