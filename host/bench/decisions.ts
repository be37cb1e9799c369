/** How long decisions take: jobs that ask for a site again and again, inside the core, in a state made for it. */
import { type Core, openCore } from '../core/module.js';
import type { PolicyView } from '../core/ownPolicy.js';
import { InputError } from '../errors.js';
import { uniformOf } from '../math/splitmix64.js';
import { makeConfiguration } from '../options/configuration.js';
import { placeJobs } from '../simulate/jobTable.js';
import type { SiteSearch } from '../simulate/layout.js';
import { FunctionView } from '../simulate/policyView.js';
import { Simulator } from '../simulate/simulator.js';
import { workloadOf } from './wholeRuns.js';

/** Jobs that ask. */
const ASKING = 64;
/** Most processors of a site, and of a job that can find one. */
const WIDEST_SITE = 128;
const WIDEST_JOB = 64;
/** The last site is all taken; one job in ten waits for it, and ends every look-ahead that comes to it. */
const TAKEN = 2 * WIDEST_SITE;
const TAKEN_FOR = 1e9;
const LATER = 1e6;
/** Milliseconds for which decisions are made before they are timed, and that a batch of them takes at least. */
const WARM_UP = 5;
const BATCH = 0.5;

/** What was measured of a policy. */
export interface DecisionTimes {
  /** Nanoseconds per decision of each batch. */
  readonly batches: readonly number[];
  /** The site that each asking job got first; none of a function. */
  readonly sites: readonly number[];
}

/** Milliseconds that something takes, by what so many times of it take: warmed, in so many batches. */
function timesOf(millisecondsOf: (repeats: number) => number, batches: number): number[] {
  let repeats = 1;
  for (let spent = 0; spent < WARM_UP; ) {
    const batch = millisecondsOf(repeats);
    spent += batch;
    if (batch < BATCH) repeats *= 2;
  }
  return Array.from({ length: batches }, () => millisecondsOf(repeats) / repeats);
}

/**
 * A grid with a queue. Of all sites but the last, 1 to 128 processors are free. The head of the queue waits for the last
 * site, and behind it stand so many jobs, the first of which ask; with a queue of 0 they ask before they are submitted.
 */
export class DecisionBench {
  readonly #core: Core;
  readonly #simulator: Simulator;
  readonly #table: number;
  readonly #block: number;
  readonly #asking: number;
  readonly #hasQueue: boolean;
  readonly #capacities: number[];
  readonly #speeds: number[];

  constructor(sites: number, queue: number) {
    const draw = (of: number, i: number) => uniformOf(of, i + 1);
    const between = (most: number, of: number, i: number) => 1 + Math.floor(most * draw(of, i));
    this.#capacities = Array.from({ length: sites }, (_, i) =>
      i === sites - 1 ? TAKEN : between(WIDEST_SITE, 1, i),
    );
    this.#speeds = Array.from({ length: sites }, (_, i) => 0.5 + draw(2, i));
    this.#asking = Math.min(ASKING, queue || ASKING);
    this.#hasQueue = queue > 0;
    const waiting = Math.max(queue, this.#asking);
    const isWide = (i: number) => i >= ASKING && draw(3, i) < 0.1;
    const workload = workloadOf([
      { submit: 0, runtime: TAKEN_FOR, processors: TAKEN },
      { submit: queue > 0 ? 1 : LATER, runtime: 1, processors: TAKEN },
      ...Array.from({ length: waiting }, (_, i) => ({
        submit: queue > 0 ? 1 : LATER,
        runtime: 0,
        processors: isWide(i) ? TAKEN : between(WIDEST_JOB, 4, i),
      })),
    ]);
    this.#core = openCore();
    const place = placeJobs(this.#core, workload);
    this.#table = place.jobs;
    // A simulation that is alone stays where it begins.
    this.#block = place.simulation;
    this.#simulator = new Simulator(workload, place);
  }

  /** The time per decision of a policy, in so many batches. */
  measure(policy: string, search: SiteSearch, batches: number): DecisionTimes {
    const grid = { capacities: this.#capacities, speeds: this.#speeds };
    this.#simulator.begin(makeConfiguration(grid, { policy, queue: 'per-home' }), search);
    this.#simulator.runUntil(2);
    this.#millisecondsOf(1);
    const sites = [...this.#simulator.schedule().site.subarray(2, 2 + this.#asking)];
    const times = timesOf((repeats) => this.#millisecondsOf(repeats), batches);
    return { batches: times.map((time) => (time * 1e6) / this.#asking), sites };
  }

  /**
   * The time per answer of a policy that is a function, in so many batches, with what it takes to show the decision: at the
   * first of all, for the first of the waiting jobs that has room.
   * @throws FunctionError when it fails, InputError when sites are so few that it is not asked.
   */
  measureFunction(policy: string, batches: number): DecisionTimes {
    const grid = { capacities: this.#capacities, speeds: this.#speeds };
    const instant = this.#hasQueue ? 'batched' : 'per-event';
    const configuration = makeConfiguration(grid, { policy, discipline: 'first-available', instant });
    const { choose } = configuration.policy;
    if (choose === undefined) throw new InputError(`${policy} is no function`);
    let times: number[] | undefined;
    const measured = (view: PolicyView): number => {
      const millisecondsOf = (repeats: number) => {
        const began = performance.now();
        for (let i = 0; i < repeats; i++) {
          FunctionView.show(view as FunctionView);
          choose(view);
        }
        return performance.now() - began;
      };
      times = timesOf(millisecondsOf, batches);
      throw new Error('enough');
    };
    this.#simulator.begin({ ...configuration, policy: { ...configuration.policy, choose: measured } });
    try {
      this.#simulator.run();
    } catch (error) {
      if (times === undefined) throw error;
    }
    if (times === undefined) {
      throw new InputError(
        `${policy} is not asked on ${this.#capacities.length} sites, since one at most has room; give more --sites`,
      );
    }
    return { batches: times.map((time) => time * 1e6), sites: [] };
  }

  /** Milliseconds in which all asking jobs ask so many times, start, and end again. */
  #millisecondsOf(repeats: number): number {
    const began = performance.now();
    for (let i = 0; i < repeats; i++) {
      const started = this.#core.rehearse(this.#block, this.#table, 2, 2 + this.#asking);
      if (started < 0) throw new Error('the core cannot rehearse this simulation');
    }
    return performance.now() - began;
  }
}
