/** What an agent sees of a decision, as numbers: features by name, or what a function writes. */
import { checkNames } from '../notation.js';
import type { DecisionView } from '../simulate/decisionView.js';

/** What an agent sees, where no list of features says it. */
export interface Observer {
  /** How many numbers an observation has. */
  readonly size: number;
  /**
   * Writes the observation of a decision; what it does not write stays as it was at the decision before.
   * @param observation to be written, `size` long.
   */
  readonly write: (view: DecisionView, observation: Float64Array) => void;
}

/** One number of a decision. */
type OfDecision = (view: DecisionView) => number;
/** One number of each site, numbered from 1. */
type OfSite = (view: DecisionView, site: number) => number;

/** Features of the job, the queue and the grid: one number each. */
const OF_DECISION = {
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
} satisfies Readonly<Record<string, OfDecision>>;

/** Features of the sites: a number for each, in the order of the grid. */
const OF_SITES = {
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
} satisfies Readonly<Record<string, OfSite>>;

/** A feature of a decision by its name. */
export type FeatureName = keyof typeof OF_DECISION | keyof typeof OF_SITES;

/** The names of all features; those of sites come last. */
export const FEATURES: readonly FeatureName[] = [
  ...(Object.keys(OF_DECISION) as (keyof typeof OF_DECISION)[]),
  ...(Object.keys(OF_SITES) as (keyof typeof OF_SITES)[]),
];

/** What the numbers of features are called, one behind the other; those of sites with the number of the site: `free[1]`. */
export function featureNumbers(features: readonly FeatureName[], siteCount: number): string[] {
  return features.flatMap((name) =>
    name in OF_DECISION ? [name] : Array.from({ length: siteCount }, (_, site) => `${name}[${site + 1}]`),
  );
}

/**
 * What writes features one behind the other, those of sites with a number for each site.
 * @throws InputError for a name that no feature has.
 */
export function observerOf(features: readonly FeatureName[], siteCount: number): Observer {
  checkNames(features, FEATURES, 'feature');
  const numbers = features.flatMap((name): OfDecision[] => {
    if (name in OF_DECISION) return [OF_DECISION[name as keyof typeof OF_DECISION]];
    const of: OfSite = OF_SITES[name as keyof typeof OF_SITES];
    return Array.from({ length: siteCount }, (_, site) => (view) => of(view, site + 1));
  });
  return {
    size: numbers.length,
    write: (view, observation) => {
      for (let i = 0; i < numbers.length; i++) observation[i] = numbers[i]!(view);
    },
  };
}
