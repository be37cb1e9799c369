/** Options for the usage of users and groups, which orders can take into account. */
import {
  defineCoreWordOption,
  defineCustomOption,
  defineTimeOption,
  defineTimeOrWordOption,
} from './kinds.js';
import { checkRunningLimits, NO_LIMITS_NOTATION, type RunningLimitInput } from './limits.js';

// No simulated time is longer.
const POSITIVE_SECONDS_RANGE = { above: 0, atMost: 1e15 };
const SHARE_OPTIONS_HEADING = 'Priorities';

/**
 * Options for limits, and for the times at which the columns `usage` and `groupUsage` of orders are computed.
 */
export const SHARE_OPTIONS = {
  /** Limits on the running jobs of users or groups, such as `user.processors=64;user.jobs=10`. */
  limit: defineCustomOption<string, RunningLimitInput>({
    heading: SHARE_OPTIONS_HEADING,
    help: 'maximum that the running jobs of each user or group may hold: user.processors=64, user.jobs=10, group.processors, group.jobs; user[alice].jobs=2 applies to one user only; a job over a limit is passed over',
    default: NO_LIMITS_NOTATION,
    otherwise: 'no limits',
    isRepeatable: true,
    read: checkRunningLimits,
    check: checkRunningLimits,
  }),
  /** Half-life of usage in seconds: after this time, usage counts half as much; `none`: it counts for ever. */
  halfLife: defineTimeOrWordOption({
    heading: SHARE_OPTIONS_HEADING,
    help: 'half-life of past use in an order by usage: after this time it counts half as much; none: past use counts for ever',
    range: POSITIVE_SECONDS_RANGE,
    word: 'none',
    default: 604_800,
  }),
  /** Seconds between the times at which usage is computed. */
  usageStep: defineTimeOption({
    heading: SHARE_OPTIONS_HEADING,
    help: 'time between the computations of usage, for an order by usage',
    range: POSITIVE_SECONDS_RANGE,
    default: 300,
  }),
  /**
   * Seconds from the first submission to a computation of usage; the others are whole steps before and after
   * it.
   */
  usageOffset: defineTimeOption({
    heading: SHARE_OPTIONS_HEADING,
    help: 'time from the first submission to one of the computations of usage, for an order by usage or priorities; the others are whole steps before and after it',
    range: { atLeast: 0, atMost: POSITIVE_SECONDS_RANGE.atMost },
    default: 0,
  }),
  /** Rule for the time at which the use of running jobs is added to their user's usage. */
  usageCount: defineCoreWordOption({
    heading: SHARE_OPTIONS_HEADING,
    help: "when the use of running jobs counts in an order by usage: at once, or as in Slurm's multifactor plugin, which goes through the jobs by number in each step (by-number); use by jobs with larger numbers than a user's first waiting job then counts one step later for that user",
    core: 'UsageCount',
    words: { 'at-once': 'AtOnce', 'by-number': 'ByNumber' },
    default: 'at-once',
  }),
};

/** Longest half-life in seconds that the core accepts; rounded to doubles, usage does not decay with it. */
const HALF_LIFE_SECONDS_WITHOUT_DECAY = 1e300;

/** Half-life as a number of seconds. */
export function toSecondsOfHalfLife(halfLife: number | 'none'): number {
  return halfLife === 'none' ? HALF_LIFE_SECONDS_WITHOUT_DECAY : halfLife;
}
