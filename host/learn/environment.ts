/**
 * A simulation as a decision process for learning, in the manner of Gymnasium: reset, then step by step to the end;
 * and what an agent sees of a decision, as numbers.
 */

import { checkOptionNames, registerLibraryOptions } from '../arguments.js';
import type { CoreRun } from '../core/host.js';
import { type Core, openCore } from '../core/module.js';
import { makeCustomPolicy } from '../core/policies.js';
import { InputError } from '../errors.js';
import type { Grid } from '../grid/grid.js';
import { QUANTITIES, type Quantity, quantityOfJob } from '../jobs/quantities.js';
import { checkKnownNames } from '../notation.js';
import { type Configuration, makeConfiguration, type SimulationOptions } from '../options/configuration.js';
import { DecisionView } from '../simulate/decisionView.js';
import { putJobTableAtMemoryStart } from '../simulate/layout.js';
import { knownSubmitTimesOfJobs } from '../simulate/schedule.js';
import { Simulator } from '../simulate/simulator.js';
import { type Summary, summarize } from '../simulate/summary.js';
import { nameOfLogNumber } from '../trace/trace.js';
import type { Workload } from '../workload/workload.js';

/** Options of an environment. */
export interface EnvironmentOptions {
  /** The jobs of an episode: the same in all, or those of replication 1, 2, ... */
  readonly jobs: Workload | ((replication: number) => Workload);
  /** The sites. */
  readonly grid: Grid;
  /** Observation of the agent: names of features, or a function that writes them. */
  readonly observation: readonly FeatureName[] | Observer;
  /** Quantity of jobs to minimize; default: `response`. */
  readonly reward?: Quantity | undefined;
  /** True if the agent may let a job wait that could start; it is then asked where one site is feasible too. */
  readonly mayWait?: boolean | undefined;
  /** Options of the simulation, as for `simulate`, without a policy. */
  readonly simulation?: Omit<SimulationOptions, 'policy'> | undefined;
}

const ENVIRONMENT_OPTIONS = registerLibraryOptions<EnvironmentOptions>('Environment', {
  ...{ jobs: true, grid: true, observation: true, reward: true, mayWait: true, simulation: true },
});

/** Result of a step; every step returns the same object. */
export interface Step {
  /** Observation for the next decision; at the end of an episode, that of the last decision. */
  readonly observation: Float64Array;
  /**
   * Minus the sum of the quantity over the jobs that have started since the last step, or since the reset: the rewards
   * of an episode add up to minus the mean of the summary times the number of jobs.
   */
  readonly reward: number;
  /** True if the last job has ended: nothing is left to be decided. */
  readonly terminated: boolean;
}

type MutableStep = { -readonly [Key in keyof Step]: Step[Key] };

/**
 * Episodes in which an agent decides which site a job gets. It is asked where at least two sites are feasible; an action
 * is the number of a site, from 1, on which the job can start now, or 0 for it to wait, if it may.
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
  /** Number of actions: 0 and the numbers of the sites. */
  readonly actionCount: number;
  /** Result of the last step or reset. */
  readonly last: Step;
  readonly #last: MutableStep;
  readonly #options: EnvironmentOptions;
  readonly #configuration: Configuration;
  readonly #observer: Observer;
  readonly #quantity: Quantity;
  readonly #core: Core = openCore();
  #replication = 0;
  #workload: Workload | undefined;
  #run!: CoreRun;
  #simulator!: Simulator;
  #view: DecisionView | undefined;
  /** Where jobs started, NaN before, and for how long, in the memory of the core. */
  #start = new Float64Array(0);
  #execution = new Float64Array(0);
  #submit: Float64Array = new Float64Array(0);
  /** Jobs that had not started at the last look are from #first on, in the order of the log. */
  #waiting = new Int32Array(0);
  #first = 0;

  /**
   * @param observation where observations are written to, if not to an array of its own.
   * @throws InputError for options that conflict, and unknown features.
   */
  constructor(options: EnvironmentOptions, observation?: Float64Array) {
    checkOptionNames(ENVIRONMENT_OPTIONS, options);
    const { grid, reward = 'response', mayWait = false, simulation } = options;
    if (!QUANTITIES.includes(reward)) {
      throw new InputError(`reward: expected ${QUANTITIES.join(', ')}, found '${reward}'`);
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
    const sites = grid.capacities.length;
    this.actionCount = sites + 1;
    this.#observer = makeObserver(options);
    const { size } = this.#observer;
    this.#last = { observation: observation ?? new Float64Array(size), reward: 0, terminated: true };
    this.last = this.#last;
  }

  /** The replication of this episode. */
  get replication(): number {
    return this.#replication;
  }

  /** The decision that is to be made, for agents that look at more than the observation. */
  get view(): DecisionView {
    if (this.#view === undefined)
      throw new InputError('there is no episode yet; reset the environment first');
    return this.#view;
  }

  /**
   * Begins an episode; returns the first observation. Where nothing is to be decided in it, `last` says so.
   * @param replication whose jobs; default the one behind that of the last episode.
   * @throws InputError for a replication that is not a whole number from 1, and jobs that cannot be simulated.
   */
  reset(replication: number = this.#replication + 1): Float64Array {
    if (!Number.isInteger(replication) || replication < 1) {
      throw new InputError(`replication: expected a whole number from 1, found ${replication}`);
    }
    const { jobs } = this.#options;
    const isEqual =
      this.#workload !== undefined && (replication === this.#replication || typeof jobs !== 'function');
    this.#replication = replication;
    if (!isEqual) this.#take(typeof jobs === 'function' ? jobs(replication) : jobs);
    this.#simulator.begin(this.#configuration);
    this.#findColumns();
    this.#view = new DecisionView(this.#run, this.#workload as Workload, this.#configuration);
    this.#start.fill(Number.NaN);
    this.#first = 0;
    for (let job = 0; job < this.#waiting.length; job++) this.#waiting[job] = job;
    this.#advance();
    // Jobs that start before the first decision count for the first step, if there is one.
    this.#last.reward = this.#last.terminated ? -this.#started() : 0;
    return this.#last.observation;
  }

  /** Loads other jobs into memory. */
  #take(workload: Workload): void {
    this.#workload = workload;
    this.#simulator = new Simulator(workload, putJobTableAtMemoryStart(this.#core, workload));
    this.#run = this.#simulator.coreRun;
    this.#waiting = new Int32Array(workload.count);
  }

  /**
   * Does as the agent says and continues to the next decision.
   * @param action the number of a site, from 1, or 0 for the job to wait.
   * @returns `last`.
   * @throws InputError for a site that is not feasible, waiting that is not allowed, and an episode that is over.
   */
  step(action: number): Step {
    const { decide, Status } = this.#core;
    if (this.#last.terminated) throw new InputError('the episode is over; reset the environment first');
    if (action === 0 && !this.mayWait) throw this.#refusal(action, this.#whyNotWait());
    const { block, jobs } = this.#run;
    // Anything but a whole number would arrive in the core as another one.
    const status = Number.isInteger(action) ? decide(block, jobs.table, action - 1) : Status.SiteInfeasible;
    if (status !== Status.Finished) throw this.#refusal(action, 'the job cannot start there now');
    this.#advance();
    this.#last.reward = -this.#started();
    return this.#last;
  }

  /** True if the job may be made to wait: it is allowed, and a job runs, at whose end the question comes again. */
  get mayWait(): boolean {
    return this.#options.mayWait === true && this.view.running > 0;
  }

  #whyNotWait(): string {
    return this.#options.mayWait ? 'no running job is left whose end would let it start' : 'mayWait is off';
  }

  #refusal(action: number, reason: string): InputError {
    const { job, time } = this.view;
    const name = nameOfLogNumber(this.#workload?.names, 'job', this.#workload?.job[job] ?? Number.NaN);
    const what = action === 0 ? 'waiting' : `site ${action}`;
    return new InputError(`${what} for job ${name} at time ${time}: ${reason}`);
  }

  /** Which actions are possible now: 1 for those that are, by action; for agents that choose among them. */
  actionMask(mask: Uint8Array = new Uint8Array(this.actionCount)): Uint8Array {
    mask[0] = Number(this.mayWait);
    for (let site = 1; site < this.actionCount; site++) mask[site] = Number(this.view.isFeasible(site));
    return mask;
  }

  /** All metrics of an episode that is over. */
  summary(): Summary {
    if (!this.#last.terminated || this.#workload === undefined) {
      throw new InputError('the episode is not over; step on until it has terminated');
    }
    this.#simulator.run();
    return summarize(this.#simulator);
  }

  /** Continues to the next decision, or to the end. */
  #advance(): void {
    const { runUntil, Status } = this.#core;
    const { block, jobs } = this.#run;
    const status = runUntil(block, jobs.table, Infinity);
    const last = this.#last;
    // The simulator handles what else stops the core, and continues.
    last.terminated = status === Status.Decision ? false : this.#simulator.runToDecision();
    if (this.#start.length === 0) this.#findColumns();
    if (last.terminated) return;
    this.view.renew();
    this.#observer.write(this.view, last.observation);
  }

  /** Finds the columns of the core, which are elsewhere when its memory has grown. */
  #findColumns(): void {
    this.#start = this.#run.column('Start');
    this.#execution = this.#run.column('Execution');
    this.#submit = knownSubmitTimesOfJobs(this.#run, this.#workload as Workload);
  }

  /** The sum of the quantity over the jobs that have started since the last look. */
  #started(): number {
    let left = this.#run.scalar('Submitted') - this.#run.scalar('Waiting') - this.#first;
    let sum = 0;
    for (let place = this.#first; left > 0; place++) {
      const job = this.#waiting[place]!;
      const start = this.#start[job]!;
      if (Number.isNaN(start)) continue;
      sum += quantityOfJob(this.#quantity, this.#submit[job]!, start, this.#execution[job]!);
      left--;
      // Earlier ones move up by one.
      if (place > this.#first) this.#waiting.copyWithin(this.#first + 1, this.#first, place);
      this.#first++;
    }
    return sum;
  }
}

function makeObserver({ observation, grid }: EnvironmentOptions): Observer {
  return 'write' in observation ? observation : makeFeatureObserver(observation, grid.capacities.length);
}

// Several environments in one thread, stepped together.

/** Results of a step of all environments; every step returns the same object and overwrites its arrays. */
export interface VectorStep {
  /** The observations, one environment behind the other. */
  readonly observations: Float64Array;
  /** One per environment. */
  readonly rewards: Float64Array;
  /** 1 for each environment whose episode has ended with this step; its observation is the first of the next one. */
  readonly terminated: Uint8Array;
}

/**
 * Environments of the same kind, each with jobs of its own. One whose episode has ended continues with the replication
 * that none has had yet.
 * @example
 * const vector = new EnvironmentVector(4, { jobs: workload, grid, observation: ['processors', 'left'] });
 * vector.reset();
 * const { observations, rewards } = vector.step(vector.environments.map(({ view }) => view.fastestFirst));
 * console.log(observations.length, rewards.length); // 12 4
 */
export class EnvironmentVector {
  /** Each environment separately. */
  readonly environments: readonly Environment[];
  readonly #last: VectorStep;
  /** The next replication that none has had. */
  #next = 1;

  /** @throws InputError for fewer than one, and what `Environment` refuses. */
  constructor(count: number, options: EnvironmentOptions) {
    if (!Number.isInteger(count) || count < 1) {
      throw new InputError(`environments: expected a whole number from 1, found ${count}`);
    }
    const { size } = makeObserver(options);
    const observations = new Float64Array(count * size);
    this.environments = Array.from(
      { length: count },
      (_, i) => new Environment(options, observations.subarray(i * size, (i + 1) * size)),
    );
    this.#last = { observations, rewards: new Float64Array(count), terminated: new Uint8Array(count) };
  }

  /**
   * Begins an episode in each environment; returns the first observations.
   * @param replication of the first environment; the others have those behind it.
   * @throws InputError as `Environment.reset`.
   */
  reset(replication = 1): Float64Array {
    this.#next = replication;
    for (const environment of this.environments) environment.reset(this.#next++);
    return this.#last.observations;
  }

  /**
   * A step in each environment.
   * @param actions one per environment.
   * @throws InputError as `Environment.step`.
   */
  step(actions: ArrayLike<number>): VectorStep {
    const { rewards, terminated } = this.#last;
    for (let i = 0; i < this.environments.length; i++) {
      const environment = this.environments[i]!;
      // An episode with nothing to decide has no step.
      const { last } = environment;
      if (!last.terminated) environment.step(actions[i]!);
      rewards[i] = last.reward;
      terminated[i] = Number(last.terminated);
      if (last.terminated) environment.reset(this.#next++);
    }
    return this.#last;
  }
}

// Observations of a decision: named features, or numbers that a function writes

/** Observation of the agent that a function writes. */
export interface Observer {
  /** Number of numbers that an observation has. */
  readonly size: number;
  /**
   * Writes the observation of a decision; what it does not write stays as it was at the decision before.
   * @param observation to be written, `size` long.
   */
  readonly write: (view: DecisionView, observation: Float64Array) => void;
}

/** One number of a decision. */
type DecisionFeatureFunction = (view: DecisionView) => number;
/** One number of each site, numbered from 1. */
type SiteFeatureFunction = (view: DecisionView, site: number) => number;

/** Features of the job, the queue and the grid: one number each. */
const DECISION_FEATURES = {
  /** Processors that the job requests. */
  processors: (view) => view.processors,
  /** Its estimated seconds at speed 1, with the load factor. */
  estimate: (view) => view.estimate,
  /** Seconds since its submit. */
  waited: (view) => view.time - view.submit,
  /** 1 in situation (a), 0 in (b). */
  foundQueueEmpty: (view) => Number(view.foundQueueEmpty),
  /** Jobs that wait, this one too. */
  waiting: (view) => view.waiting,
  /** Jobs that run. */
  running: (view) => view.running,
  /** Processors that the jobs of the queue request, this one too. */
  queuedProcessors: (view) => view.queuedProcessors,
  /** Free processors of all sites. */
  freeProcessors: (view) => view.freeProcessors,
} satisfies Readonly<Record<string, DecisionFeatureFunction>>;

/** Features of the sites: a number for each, in the order of the grid. */
const SITE_FEATURES = {
  /** Free processors. */
  free: (view, site) => view.free(site),
  /** Free processors less those that the job requests. */
  left: (view, site) => view.free(site) - view.processors,
  /** 1 where the job can start now, else 0. */
  feasible: (view, site) => Number(view.isFeasible(site)),
  /** All processors. */
  capacity: (view, site) => view.capacity(site),
  /** Speed. */
  speed: (view, site) => view.speed(site),
  /** 1 for the site that best-fit takes, else 0. */
  bestFit: (view, site) => Number(view.bestFit === site),
  /** 1 for the site that fastest-first takes, else 0. */
  fastestFirst: (view, site) => Number(view.fastestFirst === site),
} satisfies Readonly<Record<string, SiteFeatureFunction>>;

/** A feature of a decision by its name. */
export type FeatureName = keyof typeof DECISION_FEATURES | keyof typeof SITE_FEATURES;

/** The names of all features; those of sites come last. */
export const FEATURES: readonly FeatureName[] = [
  ...(Object.keys(DECISION_FEATURES) as (keyof typeof DECISION_FEATURES)[]),
  ...(Object.keys(SITE_FEATURES) as (keyof typeof SITE_FEATURES)[]),
];

/**
 * Names of the numbers in an observation, in order; those of sites have the number of the site: `free[1]`.
 */
export function observationNumberNames(features: readonly FeatureName[], siteCount: number): string[] {
  return features.flatMap((name) =>
    name in DECISION_FEATURES
      ? [name]
      : Array.from({ length: siteCount }, (_, site) => `${name}[${site + 1}]`),
  );
}

/**
 * What writes features one behind the other, those of sites with a number for each site.
 * @throws InputError for a name that no feature has.
 */
function makeFeatureObserver(features: readonly FeatureName[], siteCount: number): Observer {
  checkKnownNames(features, FEATURES, 'feature');
  const numbers = features.flatMap((name): DecisionFeatureFunction[] => {
    if (name in DECISION_FEATURES) return [DECISION_FEATURES[name as keyof typeof DECISION_FEATURES]];
    const of: SiteFeatureFunction = SITE_FEATURES[name as keyof typeof SITE_FEATURES];
    return Array.from({ length: siteCount }, (_, site) => (view) => of(view, site + 1));
  });
  return {
    size: numbers.length,
    write: (view, observation) => {
      for (let i = 0; i < numbers.length; i++) observation[i] = numbers[i]!(view);
    },
  };
}
