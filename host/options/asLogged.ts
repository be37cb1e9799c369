/** Whether a simulation is of what happened to the log, so that the waits that it records stand beside the simulated ones. */
import { isUsual } from './words.js';

/** Options by which jobs come at other times, or take more or less of the machine than in the log; what is left out or cut is counted. */
const CHANGES: readonly string[] = [
  ...['perturb', 'replication', 'arrival-scale', 'offered-load', 'dependencies'],
  ...['runtime-scale', 'load', 'kill', 'moldable', 'heterogeneity'],
  ...['multi-site-overhead', 'multi-site-factor', 'bandwidth', 'latency', 'reclaim'],
];

/** What a simulation is of, besides its options. */
export interface Simulated {
  /** Processors of the machine of the log; undefined where it does not say. */
  readonly machine: number | undefined;
  readonly sites: readonly { readonly capacity: number; readonly speed: number }[];
  /** Records that were left out, by rule. */
  readonly dropped: Readonly<Record<string, number>>;
  /** Jobs that were cut. */
  readonly split: { readonly jobs: number };
}

/** Rules that leave out what never held a processor, so that the machine does not lack it. */
const NEVER_RAN: readonly string[] = ['runtime', 'processors'];

/**
 * Whether load, arrivals and machine are those of the log.
 * @param texts the options given, as texts by name.
 */
export function isAsLogged(
  texts: Readonly<Record<string, string>>,
  { machine, sites, dropped, split }: Simulated,
): boolean {
  const processors = sites.reduce((sum, { capacity }) => sum + capacity, 0);
  return (
    processors === machine &&
    split.jobs === 0 &&
    sites.every(({ speed }) => speed === 1) &&
    Object.entries(dropped).every(([rule, count]) => count === 0 || NEVER_RAN.includes(rule)) &&
    CHANGES.every((name) => texts[name] === undefined || isUsual(name, texts[name]))
  );
}
