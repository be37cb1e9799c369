/** Several environments in one thread, stepped together. */
import { InputError } from '../errors.js';
import { Environment, type EnvironmentOptions, observationSizeOf } from './environment.js';

/** What a step of all environments has led to: the same object at every step, whose arrays are written over. */
export interface VectorStep {
  /** The observations, one environment behind the other. */
  readonly observations: Float64Array;
  /** One per environment. */
  readonly rewards: Float64Array;
  /** 1 for each environment whose episode has ended with this step; its observation is the first of the next one. */
  readonly terminated: Uint8Array;
}

/**
 * Environments of the same kind, each with jobs of its own. One whose episode has ended goes on with the replication
 * that none has had yet.
 * @example
 * const vector = new EnvironmentVector(4, { jobs: workload, grid, observation: ['processors', 'left'] });
 * vector.reset();
 * const { observations, rewards } = vector.step(vector.environments.map(({ view }) => view.fastestFirst));
 * console.log(observations.length, rewards.length); // 12 4
 */
export class EnvironmentVector {
  /** Each by itself. */
  readonly environments: readonly Environment[];
  readonly #last: VectorStep;
  /** The next replication that none has had. */
  #next = 1;

  /** @throws InputError for fewer than one, and what `Environment` refuses. */
  constructor(count: number, options: EnvironmentOptions) {
    if (!Number.isInteger(count) || count < 1) {
      throw new InputError(`environments: expected a whole number from 1, found ${count}`);
    }
    const size = observationSizeOf(options);
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
      const environment = this.environments[i];
      // In an episode that had nothing to decide there is no step.
      const { last } = environment;
      if (!last.terminated) environment.step(actions[i]);
      rewards[i] = last.reward;
      terminated[i] = Number(last.terminated);
      if (last.terminated) environment.reset(this.#next++);
    }
    return this.#last;
  }
}
