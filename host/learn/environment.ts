/**
 * Simulation as a decision process for reinforcement learning, in the style of Gymnasium: `reset`, then
 * `step` to the end, with observations as numbers.
 */

import { checkOptionNames, registerLibraryOptions } from '../arguments.js';
import type { CoreRun } from '../core/host.js';
import { type Core, openCore } from '../core/module.js';
import { makeCustomPolicy } from '../core/policies.js';
import { InputError } from '../errors.js';
import type { Grid } from '../grid/grid.js';
import { computeQuantityOfJob, JOB_QUANTITIES, type JobQuantity } from '../jobs/quantities.js';
import { makeLiveSettings } from '../live/liveOptions.js';
import { checkKnownNames } from '../notation.js';
import { type Configuration, makeConfiguration, type SimulationOptions } from '../options/configuration.js';
import { DecisionView } from '../simulate/decisionView.js';
import { putJobTableAtMemoryStart } from '../simulate/layout.js';
import { readKnownSubmitTimes } from '../simulate/schedule.js';
import { Simulator } from '../simulate/simulator.js';
import { type Summary, summarize, summarizeMeasuredRun } from '../simulate/summary.js';
import { nameOfLogNumber } from '../trace/trace.js';
import type { Workload } from '../workload/workload.js';
import { type JobSource, LiveEpisode } from './liveEpisode.js';

/** Options of an environment. */
export interface EnvironmentOptions {
  /**
   * Jobs of an episode: the same in all episodes, or a function of the replication 1, 2, ... Instead of a
   * workload, a source such as a generator yields jobs that are not known beforehand.
   */
  readonly jobs: Workload | JobSource | ((replication: number) => Workload | JobSource);
  /** Sites of the grid. */
  readonly grid: Grid;
  /** Observation of the agent: names of features, or an observer that writes them. */
  readonly observation: readonly FeatureName[] | Observer;
  /** Quantity of jobs to minimize; default: `response`. The reward is its negative. */
  readonly reward?: JobQuantity | undefined;
  /**
   * True if the agent may let a job wait although it could start; the agent then also decides if a single
   * site is feasible.
   */
  readonly mayWait?: boolean | undefined;
  /** Largest number of jobs in an episode whose jobs come from a source. Default: 10,000. */
  readonly capacity?: number | undefined;
  /** Options of the simulation, as for `simulate`, except the policy. */
  readonly simulation?: Omit<SimulationOptions, 'policy'> | undefined;
}

const ENVIRONMENT_OPTIONS = registerLibraryOptions<EnvironmentOptions>('Environment', {
  ...{
    jobs: true,
    grid: true,
    observation: true,
    reward: true,
    mayWait: true,
    capacity: true,
    simulation: true,
  },
});

/** Result of a step; every step returns the same object. */
export interface Step {
  /** Observation for the next decision; at the end of an episode, for the last decision. */
  readonly observation: Float64Array;
  /**
   * Reward: minus the sum of the quantity over the jobs started since the previous step or reset. The rewards
   * of an episode add up to minus the mean in the summary times the number of jobs.
   */
  readonly reward: number;
  /** True if the episode is over: the last job has ended. */
  readonly terminated: boolean;
}

type MutableStep = { -readonly [Key in keyof Step]: Step[Key] };

/**
 * Environment whose episodes let an agent choose the sites of jobs. The agent decides if at least two sites
 * are feasible. An action is the number of a site, from 1, on which the job can start now, or 0 to let it
 * wait, if allowed.
 * @example
 * const environment = new Environment({
 *   jobs: (replication) => makeWorkload(makeModelTrace(`lublin99[jobs=200,seed=${replication}]`), { siteCount: 2 }),
 *   grid,
 *   observation: ['processors', 'free'],
 * });
 * environment.reset(1);
 * let total = 0;
 * while (!environment.last.terminated) total += environment.step(environment.view.bestFit).reward;
 * console.log(environment.last.observation.length, total === -200 * environment.summary().averageResponseTime); // 3 true
 */
export class Environment {
  /** Number of actions: 0 and the site numbers. */
  readonly actionCount: number;
  /** Result of the last step or reset. */
  readonly last: Step;
  readonly #last: MutableStep;
  readonly #options: EnvironmentOptions;
  readonly #configuration: Configuration;
  readonly #observer: Observer;
  readonly #quantity: JobQuantity;
  readonly #core: Core = openCore();
  /** Core that simulates the episodes whose jobs come from a live source, and the current episode. */
  #liveCore: Core | undefined;
  #episode: LiveEpisode | undefined;
  #replication = 0;
  #workload: Workload | undefined;
  #run!: CoreRun;
  #simulator!: Simulator;
  #view: DecisionView | undefined;
  /** Start and execution of jobs in the memory of the core; the start is NaN before. */
  #start = new Float64Array(0);
  #execution = new Float64Array(0);
  #submit: Float64Array = new Float64Array(0);
  /** Jobs that had not started at the previous step, from position #first on, in the order of the log. */
  #waiting = new Int32Array(0);
  #first = 0;

  /**
   * @param observation array for observations; default: a new one.
   * @throws InputError for conflicting options and unknown features.
   */
  constructor(options: EnvironmentOptions, observation?: Float64Array) {
    checkOptionNames(ENVIRONMENT_OPTIONS, options);
    const { grid, reward = 'response', mayWait = false, simulation } = options;
    if (!JOB_QUANTITIES.includes(reward)) {
      throw new InputError(`reward: expected ${JOB_QUANTITIES.join(', ')}, found '${reward}'`);
    }
    const { warmUp, coolDown, reclaim } = simulation ?? {};
    if (warmUp || coolDown || reclaim) {
      const option = reclaim ? 'reclaim' : warmUp ? 'warmUp' : 'coolDown';
      throw new InputError(
        reclaim
          ? `${option}: jobs that are stopped start again, and no reward could be taken back`
          : `${option}: every job of an episode counts in the rewards; omit it`,
      );
    }
    this.#options = options;
    this.#quantity = reward;
    this.#configuration = makeConfiguration(grid, { ...simulation, policy: makeCustomPolicy(mayWait) });
    const siteCount = grid.capacities.length;
    this.actionCount = siteCount + 1;
    this.#observer = makeObserver(options);
    const { size: featureCount } = this.#observer;
    this.#last = { observation: observation ?? new Float64Array(featureCount), reward: 0, terminated: true };
    this.last = this.#last;
  }

  /** Replication of the current episode. */
  get replication(): number {
    return this.#replication;
  }

  /** View of the pending decision, for agents that need more than the observation. */
  get view(): DecisionView {
    if (this.#view === undefined)
      throw new InputError('there is no episode yet; reset the environment first');
    return this.#view;
  }

  /**
   * Begins an episode; returns the first observation. If the episode has no decision, `last` is already
   * terminated.
   * @param replication replication of the jobs; default: the next one.
   * @throws InputError for a replication that is not a positive whole number, and jobs that cannot be
   * simulated.
   */
  reset(replication: number = this.#replication + 1): Float64Array {
    if (!Number.isInteger(replication) || replication < 1) {
      throw new InputError(`replication: expected a whole number from 1, found ${replication}`);
    }
    const { jobs } = this.#options;
    const areJobsLoaded =
      this.#workload !== undefined &&
      this.#episode === undefined &&
      (replication === this.#replication || typeof jobs !== 'function');
    this.#replication = replication;
    const createdJobSource = typeof jobs === 'function' && !areJobsLoaded ? jobs(replication) : undefined;
    const nextJobSource = typeof jobs === 'function' ? createdJobSource : jobs;
    if (nextJobSource !== undefined && Symbol.iterator in nextJobSource) this.#beginEpisode(nextJobSource);
    else {
      if (!areJobsLoaded) this.#take(nextJobSource as Workload);
      this.#simulator.begin(this.#configuration);
    }
    this.#findColumns();
    this.#view = new DecisionView(this.#run, this.#workload as Workload, this.#configuration);
    this.#start.fill(Number.NaN);
    this.#first = 0;
    for (let job = 0; job < this.#waiting.length; job++) this.#waiting[job] = job;
    this.#advance();
    // Jobs that start before the first decision count for the first step, if there is one.
    this.#last.reward = this.#last.terminated ? -this.#sumOverStartedJobs() : 0;
    return this.#last.observation;
  }

  /** Begins an episode with the jobs of a source. */
  #beginEpisode(jobsSource: JobSource): void {
    const { grid, mayWait = false, simulation, capacity } = this.#options;
    const policy = makeCustomPolicy(mayWait);
    const liveSettings = makeLiveSettings(grid, { ...simulation, policy, capacity, name: 'jobs' });
    this.#liveCore ??= openCore();
    this.#episode?.engine.dispose();
    this.#episode = undefined;
    const episode = new LiveEpisode(this.#liveCore, liveSettings, jobsSource);
    this.#episode = episode;
    this.#workload = episode.engine.workload;
    this.#run = episode.engine.run;
    this.#waiting = new Int32Array(liveSettings.capacity);
  }

  /** Loads the jobs of another replication into memory. */
  #take(workload: Workload): void {
    this.#episode?.engine.dispose();
    this.#episode = undefined;
    this.#workload = workload;
    this.#simulator = new Simulator(workload, putJobTableAtMemoryStart(this.#core, workload));
    this.#run = this.#simulator.coreRun;
    this.#waiting = new Int32Array(workload.count);
  }

  /**
   * Executes an action and continues to the next decision.
   * @param action site number, from 1, or 0 to let the job wait.
   * @returns `last`.
   * @throws InputError for a site that is not feasible, waiting that is not allowed, and a finished episode.
   */
  step(action: number): Step {
    const { decide, Status } = this.#episode === undefined ? this.#core : this.#run.core;
    if (this.#last.terminated) throw new InputError('the episode is over; reset the environment first');
    if (action === 0 && !this.mayWait) throw this.#refusal(action, this.#whyNotWait());
    const { block, jobs } = this.#run;
    // The core would round other numbers to whole ones.
    const status = Number.isInteger(action) ? decide(block, jobs.table, action - 1) : Status.SiteInfeasible;
    if (status !== Status.Finished) throw this.#refusal(action, 'the job cannot start there now');
    this.#advance();
    this.#last.reward = -this.#sumOverStartedJobs();
    return this.#last;
  }

  /**
   * True if the job may wait: it is allowed, and a running job remains whose end causes the next decision.
   */
  get mayWait(): boolean {
    return this.#options.mayWait === true && this.view.running > 0;
  }

  #whyNotWait(): string {
    return this.#options.mayWait ? 'no running job is left whose end would let it start' : 'mayWait is off';
  }

  #refusal(action: number, reason: string): InputError {
    const { job, time } = this.view;
    const jobName = nameOfLogNumber(this.#workload?.names, 'job', this.#workload?.job[job] ?? Number.NaN);
    const chosenActionText = action === 0 ? 'waiting' : `site ${action}`;
    return new InputError(`${chosenActionText} for job ${jobName} at time ${time}: ${reason}`);
  }

  /** Mask of possible actions: 1 for each action that is possible now, otherwise 0. */
  actionMask(mask: Uint8Array = new Uint8Array(this.actionCount)): Uint8Array {
    mask[0] = Number(this.mayWait);
    for (let site = 1; site < this.actionCount; site++) mask[site] = Number(this.view.isFeasible(site));
    return mask;
  }

  /** Metrics of a finished episode. */
  summary(): Summary {
    if (!this.#last.terminated || this.#workload === undefined) {
      throw new InputError('the episode is not over; step on until it has terminated');
    }
    if (this.#episode !== undefined) return summarizeMeasuredRun(this.#episode.engine);
    this.#simulator.run();
    return summarize(this.#simulator);
  }

  /** Continues to the next decision, or to the end. */
  #advance(): void {
    const lastStep = this.#last;
    if (this.#episode === undefined) {
      const { runUntil, Status } = this.#core;
      const { block, jobs } = this.#run;
      const status = runUntil(block, jobs.table, Infinity);
      // If the core stopped for another reason, such as a full log, the simulator handles that and continues.
      lastStep.terminated = status === Status.Decision ? false : this.#simulator.runToDecision();
    } else lastStep.terminated = this.#episode.advance();
    if (this.#start.length === 0) this.#findColumns();
    if (lastStep.terminated) return;
    this.view.renew();
    this.#observer.write(this.view, lastStep.observation);
  }

  /** Locates the columns of the core again after its memory has grown. */
  #findColumns(): void {
    this.#start = this.#run.column('Start');
    this.#execution = this.#run.column('Execution');
    this.#submit = readKnownSubmitTimes(this.#run, this.#workload as Workload);
  }

  /** Sum of the quantity over the jobs started since the previous step. */
  #sumOverStartedJobs(): number {
    let uncountedStartedJobCount = this.#run.scalar('Submitted') - this.#run.scalar('Waiting') - this.#first;
    let sum = 0;
    for (let waitingIndex = this.#first; uncountedStartedJobCount > 0; waitingIndex++) {
      const job = this.#waiting[waitingIndex]!;
      const start = this.#start[job]!;
      if (Number.isNaN(start)) continue;
      sum += computeQuantityOfJob(this.#quantity, this.#submit[job]!, start, this.#execution[job]!);
      uncountedStartedJobCount--;
      // Jobs before this one that still wait move up by one place.
      if (waitingIndex > this.#first) this.#waiting.copyWithin(this.#first + 1, this.#first, waitingIndex);
      this.#first++;
    }
    return sum;
  }
}

function makeObserver({ observation, grid }: EnvironmentOptions): Observer {
  return 'write' in observation ? observation : makeFeatureObserver(observation, grid.capacities.length);
}

// Several environments in one thread, stepped together.

/** Results of a step in all environments; every step returns the same object and overwrites its arrays. */
export interface VectorStep {
  /** Observations of all environments, concatenated. */
  readonly observations: Float64Array;
  /** Reward of each environment. */
  readonly rewards: Float64Array;
  /**
   * Flags of environments whose episode ended with this step (1); their observation is already the first of
   * the next episode.
   */
  readonly terminated: Uint8Array;
}

/**
 * Several environments of the same kind, each with different jobs. After an episode ends, its environment
 * continues with the next unused replication.
 * @example
 * const vector = new EnvironmentVector(4, { jobs: workload, grid, observation: ['processors', 'left'] });
 * vector.reset();
 * const { observations, rewards } = vector.step(vector.environments.map(({ view }) => view.fastestFirst));
 * console.log(observations.length, rewards.length); // 12 4
 */
export class EnvironmentVector {
  /** The individual environments. */
  readonly environments: readonly Environment[];
  readonly #last: VectorStep;
  /** Next unused replication. */
  #next = 1;

  /**
   * @throws InputError for a count below 1, and as `Environment`.
   */
  constructor(count: number, options: EnvironmentOptions) {
    if (!Number.isInteger(count) || count < 1) {
      throw new InputError(`environments: expected a whole number from 1, found ${count}`);
    }
    const { size: featureCount } = makeObserver(options);
    const observations = new Float64Array(count * featureCount);
    this.environments = Array.from(
      { length: count },
      (_, i) => new Environment(options, observations.subarray(i * featureCount, (i + 1) * featureCount)),
    );
    this.#last = { observations, rewards: new Float64Array(count), terminated: new Uint8Array(count) };
  }

  /**
   * Begins an episode in each environment; returns the first observations.
   * @param replication replication of the first environment; the others follow consecutively.
   * @throws InputError as `Environment.reset`.
   */
  reset(replication = 1): Float64Array {
    this.#next = replication;
    for (const environment of this.environments) environment.reset(this.#next++);
    return this.#last.observations;
  }

  /**
   * Executes a step in each environment.
   * @param actions one action per environment.
   * @throws InputError as `Environment.step`.
   */
  step(actions: ArrayLike<number>): VectorStep {
    const { rewards, terminated } = this.#last;
    for (let i = 0; i < this.environments.length; i++) {
      const environment = this.environments[i]!;
      // An episode with nothing to decide has no step.
      const { last: lastStep } = environment;
      if (!lastStep.terminated) environment.step(actions[i]!);
      rewards[i] = lastStep.reward;
      terminated[i] = Number(lastStep.terminated);
      if (lastStep.terminated) environment.reset(this.#next++);
    }
    return this.#last;
  }
}

// Observations of a decision: named features, or numbers that a function writes

/** Function that writes the observation of an agent. */
export interface Observer {
  /** Length of an observation. */
  readonly size: number;
  /**
   * Writes the observation of a decision; entries not written keep their previous value.
   * @param observation array of length `size`.
   */
  readonly write: (decisionView: DecisionView, observation: Float64Array) => void;
}

/** Feature of a decision with a single number. */
type DecisionFeatureFunction = (decisionView: DecisionView) => number;
/** Feature with one number per site; sites are numbered from 1. */
type SiteFeatureFunction = (decisionView: DecisionView, site: number) => number;

/** Features of the job, the queue and the grid, each a single number. */
const DECISION_FEATURES = {
  /** Number of processors that the job requests. */
  processors: (decisionView) => decisionView.processors,
  /** Estimated runtime of the job in seconds at speed 1, with the load factor. */
  estimate: (decisionView) => decisionView.estimate,
  /** Seconds since the submission of the job. */
  waited: (decisionView) => decisionView.time - decisionView.submit,
  /** Situation: 1 for (a), 0 for (b). */
  foundQueueEmpty: (decisionView) => Number(decisionView.foundQueueEmpty),
  /** Number of waiting jobs, including this one. */
  waiting: (decisionView) => decisionView.waiting,
  /** Number of running jobs. */
  running: (decisionView) => decisionView.running,
  /** Total number of processors requested by the jobs of the queue, including this one. */
  queuedProcessors: (decisionView) => decisionView.queuedProcessors,
  /** Number of free processors of all sites. */
  freeProcessors: (decisionView) => decisionView.freeProcessors,
} satisfies Readonly<Record<string, DecisionFeatureFunction>>;

/** Features of sites: one number per site, in the order of the grid. */
const SITE_FEATURES = {
  /** Number of free processors. */
  free: (decisionView, site) => decisionView.free(site),
  /** Number of free processors minus the requested ones. */
  left: (decisionView, site) => decisionView.free(site) - decisionView.processors,
  /** Feasibility: 1 if the job can start on the site now, otherwise 0. */
  feasible: (decisionView, site) => Number(decisionView.isFeasible(site)),
  /** Number of processors of the site. */
  capacity: (decisionView, site) => decisionView.capacity(site),
  /** Speed of the site. */
  speed: (decisionView, site) => decisionView.speed(site),
  /** Choice of best-fit: 1 for its site, otherwise 0. */
  bestFit: (decisionView, site) => Number(decisionView.bestFit === site),
  /** Choice of fastest-first: 1 for its site, otherwise 0. */
  fastestFirst: (decisionView, site) => Number(decisionView.fastestFirst === site),
} satisfies Readonly<Record<string, SiteFeatureFunction>>;

/** Name of a feature of a decision. */
export type FeatureName = keyof typeof DECISION_FEATURES | keyof typeof SITE_FEATURES;

/** Names of all features; site features come last. */
export const FEATURES: readonly FeatureName[] = [
  ...(Object.keys(DECISION_FEATURES) as (keyof typeof DECISION_FEATURES)[]),
  ...(Object.keys(SITE_FEATURES) as (keyof typeof SITE_FEATURES)[]),
];

/**
 * Names of the numbers of an observation in order; names of site features include the site number: `free[1]`.
 */
export function listObservationNumberNames(features: readonly FeatureName[], siteCount: number): string[] {
  return features.flatMap((featureName) =>
    featureName in DECISION_FEATURES
      ? [featureName]
      : Array.from({ length: siteCount }, (_, site) => `${featureName}[${site + 1}]`),
  );
}

/**
 * Creates an observer that writes features one after another, site features with one number per site.
 * @throws InputError for an unknown feature.
 */
function makeFeatureObserver(features: readonly FeatureName[], siteCount: number): Observer {
  checkKnownNames(features, FEATURES, 'feature');
  const featureFunctions = features.flatMap((featureName): DecisionFeatureFunction[] => {
    if (featureName in DECISION_FEATURES)
      return [DECISION_FEATURES[featureName as keyof typeof DECISION_FEATURES]];
    const computeSiteFeature: SiteFeatureFunction = SITE_FEATURES[featureName as keyof typeof SITE_FEATURES];
    return Array.from(
      { length: siteCount },
      (_, site) => (decisionView) => computeSiteFeature(decisionView, site + 1),
    );
  });
  return {
    size: featureFunctions.length,
    write: (decisionView, observation) => {
      for (let i = 0; i < featureFunctions.length; i++) observation[i] = featureFunctions[i]!(decisionView);
    },
  };
}
