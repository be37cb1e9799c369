/** Options of a run: all settings of a simulation except its jobs and its grid, as listed in config.json. */
import type { Constants } from '../core/module.js';
import {
  makeCorePolicyParameters,
  makeCustomPolicy,
  type OwnPolicy,
  type Policy,
  type PolicyFunction,
  parsePolicy,
  printPolicy,
} from '../core/policies.js';
import { InputError } from '../errors.js';
import {
  checkLoad,
  checkSitePairValues,
  parseSitePairValues,
  printSitePairValues,
  type SitePairValues,
} from '../grid/grid.js';
import {
  checkFiniteNumberInRange,
  checkKnownNames,
  makeUnknownNameError,
  parseNotation,
  parseNumber,
  parseNumberList,
  parseWholeNumber,
  printNotation,
} from '../notation.js';
import { findProvidedCode, isCodeFileName } from '../providedCode.js';
import {
  defineCoreWordOption,
  defineCustomOption,
  defineFlagOption,
  defineNumberOption,
  defineTimeOption,
  type OptionValue,
} from './kinds.js';
import { backfillOrderOption, type Order, orderOption } from './order.js';
import { OUTAGE_OPTIONS } from './outageOptions.js';
import { PARTITION_OPTIONS } from './partitionSites.js';
import { PASS_OPTIONS } from './passOptions.js';
import { SHARE_OPTIONS } from './shareOptions.js';

/** Policy as the library accepts it. */
export type PolicyInput = string | Policy | PolicyFunction | OwnPolicy;

function parsePolicyOption(policyText: string, errorContext: string): Policy {
  if (!isCodeFileName(policyText)) return parsePolicy(policyText);
  const { name: fileName, exports } = findProvidedCode(policyText, errorContext);
  const policy = { ...makeCustomPolicy(exports?.mayWait === true), name: fileName };
  return exports === undefined ? policy : { ...policy, choose: exports.default as PolicyFunction };
}

const OWN_POLICY_FIELDS = ['choose', 'mayWait', 'name'] satisfies (keyof OwnPolicy)[];

function checkPolicyInput(policyInput: PolicyInput, errorContext: string): Policy {
  if (typeof policyInput === 'string') return parsePolicyOption(policyInput, errorContext);
  if (typeof policyInput === 'object' && 'declaration' in policyInput) return policyInput;
  if (typeof policyInput === 'object' && policyInput !== null)
    checkKnownNames(Object.keys(policyInput), OWN_POLICY_FIELDS, `field of ${errorContext}`);
  const {
    choose,
    mayWait = false,
    name,
  } = typeof policyInput === 'function' ? { choose: policyInput } : (policyInput as OwnPolicy);
  if (typeof choose !== 'function') {
    throw new InputError(`${errorContext}: expected a name, a function, or an object with a function choose`);
  }
  return { ...makeCustomPolicy(mayWait), choose, name: name ?? (choose.name || 'a function') };
}

/** Option for the allocation policy, which chooses the site of a job. */
const policyOption = defineCustomOption<Policy, PolicyInput>({
  heading: 'Scheduling',
  help: 'how a site is chosen for each job (see gridalloc policies); under easy and conservative only if given',
  default: 'best-fit',
  read: parsePolicyOption,
  check: checkPolicyInput,
  print: printPolicy,
  core: (policy) => {
    const [Parameter0 = 0, Parameter1 = 0, Parameter2 = 0, ...more] = makeCorePolicyParameters(policy);
    const [Parameter3 = 0, Parameter4 = 0, Parameter5 = 0] = more;
    const ChoicesGiven = Number(policy.choices !== undefined);
    const parameterConstants = { Parameter0, Parameter1, Parameter2, Parameter3, Parameter4, Parameter5 };
    return { Policy: policy.declaration.index, ...parameterConstants, ChoicesGiven };
  },
});

/** Parameters of Downey's speed-up: average parallelism and its variation (Downey 1997). */
export interface Downey {
  /** Average parallelism A; at least 1. */
  readonly averageParallelism: number;
  /** Coefficient of variation of parallelism; at least 0. */
  readonly sigma: number;
}

/** Speedup model: linear, or the model of Downey. */
export type Speedup = 'linear' | Downey;

const SPEEDUP_PARALLELISM_RANGE = { atLeast: 1 };
const SPEEDUP_SIGMA_RANGE = { atLeast: 0 };
const SPEEDUP_FIELDS = ['averageParallelism', 'sigma'] satisfies (keyof Downey)[];
const DOWNEY_SPEEDUP_PARAMETERS = ['A', 'sigma'];

/**
 * Parses a speedup model: `linear`, or `downey[A=16,sigma=1]`.
 * @throws InputError for an unknown name or parameter, and for a parameter that is missing or out of range.
 */
function parseSpeedup(speedupText: string, errorContext: string): Speedup {
  const { name: notationName, parameters } = parseNotation(speedupText);
  if (notationName !== 'linear' && notationName !== 'downey')
    throw makeUnknownNameError('speed-up', notationName, ['linear', 'downey']);
  if (notationName === 'linear') {
    if (parameters.size > 0) throw new InputError("speed-up 'linear' has no parameters");
    return 'linear';
  }
  for (const parameterName of parameters.keys()) {
    if (!DOWNEY_SPEEDUP_PARAMETERS.includes(parameterName))
      throw makeUnknownNameError('parameter of downey', parameterName, DOWNEY_SPEEDUP_PARAMETERS);
  }
  const parseParameter = (parameterName: string) => {
    const parameterText = parameters.get(parameterName);
    if (parameterText === undefined)
      throw new InputError(`speed-up '${speedupText}': give A and sigma, as in downey[A=16,sigma=1]`);
    return parseNumber(parameterText, `parameter '${parameterName}' of downey`);
  };
  return checkSpeedup(
    { averageParallelism: parseParameter('A'), sigma: parseParameter('sigma') },
    errorContext,
  );
}

/**
 * Checks the parameters of a speedup model.
 * @throws InputError for a parameter out of range.
 */
function checkSpeedup(speedup: Speedup, errorContext: string): Speedup {
  if (speedup === 'linear') return speedup;
  if (typeof speedup === 'object' && speedup !== null)
    checkKnownNames(Object.keys(speedup), SPEEDUP_FIELDS, `field of ${errorContext}`);
  checkFiniteNumberInRange(
    speedup.averageParallelism,
    `${errorContext}, average parallelism A`,
    SPEEDUP_PARALLELISM_RANGE,
  );
  checkFiniteNumberInRange(speedup.sigma, `${errorContext}, sigma`, SPEEDUP_SIGMA_RANGE);
  return speedup;
}

/** Formats a speedup model. */
function printSpeedup(speedup: Speedup): string {
  if (speedup === 'linear') return speedup;
  const { averageParallelism, sigma } = speedup;
  return printNotation('downey', [
    ['A', averageParallelism],
    ['sigma', sigma],
  ]);
}

const ABOVE_ZERO_RANGE = { above: 0 };
const RESERVATION_DEPTH_RANGE = { atLeast: 0, atMost: 1_000_000_000 };

/** Parses a bandwidth. A single number must be positive; matrices are checked with the grid. */
function parseBandwidth(bandwidthText: string, errorContext: string): SitePairValues {
  const bandwidth = parseSitePairValues(bandwidthText, errorContext);
  return typeof bandwidth === 'number'
    ? checkFiniteNumberInRange(bandwidth, errorContext, ABOVE_ZERO_RANGE)
    : bandwidth;
}

const BANDWIDTH_BOUND = {
  expected: 'bytes per second above 0',
  isWithinBound: (optionValue: number) => optionValue > 0 && optionValue < Infinity,
};
const LATENCY_BOUND = {
  expected: 'seconds of at least 0',
  isWithinBound: (optionValue: number) => optionValue >= 0 && optionValue < Infinity,
};

const discipline = defineCoreWordOption({
  heading: 'Scheduling',
  help:
    'what happens when the first job does not fit: it blocks the queue (fcfs; njf, wjf, sjf, ljf: the same in the order ' +
    'narrowest, widest, shortest, longest), any job that fits starts (first-available), or jobs are backfilled, by their ' +
    'estimates, around a reservation for the first job (easy) or for every job (conservative)',
  core: 'Discipline',
  words: {
    fcfs: 'FirstComeFirstServed',
    njf: 'FirstComeFirstServed',
    wjf: 'FirstComeFirstServed',
    sjf: 'FirstComeFirstServed',
    ljf: 'FirstComeFirstServed',
    'first-available': 'FirstAvailable',
    easy: 'Easy',
    conservative: 'Conservative',
  },
  default: 'fcfs',
});
type Discipline = OptionValue<typeof discipline>;

/** Disciplines that are short forms for `fcfs` with an order. */
export const DISCIPLINES_SHORT_FOR_ORDERS = {
  njf: 'narrowest',
  wjf: 'widest',
  sjf: 'shortest',
  ljf: 'longest',
} as const;

function isDisciplineShortForOrder(
  disciplineWord: Discipline,
): disciplineWord is keyof typeof DISCIPLINES_SHORT_FOR_ORDERS {
  return Object.hasOwn(DISCIPLINES_SHORT_FOR_ORDERS, disciplineWord);
}

/** Effective order of the waiting queue, with short forms of disciplines resolved. */
export function findOrderOfWaitingJobs(runSettings: {
  readonly order: Order;
  readonly discipline: Discipline;
}): Order {
  return isDisciplineShortForOrder(runSettings.discipline)
    ? DISCIPLINES_SHORT_FOR_ORDERS[runSettings.discipline]
    : runSettings.order;
}

/** Default site selection under backfilling without a policy. */
export const DEFAULT_BACKFILL_SITE_SELECTION = 'greedy';

/** All options of a run, by their names in the library. */
export const RUN_OPTIONS = {
  /**
   * Allocation policy, which chooses the site of a job: text such as `ti[sht=0.05,slt=2]`, a parsed policy,
   * or a function; default `best-fit`. Under backfilling on several sites it is used only if given
   * explicitly.
   */
  policy: policyOption,
  /**
   * Load factor that multiplies runtimes and estimates: one for all, or one per home site (Huang et al. 2007,
   * section 3).
   */
  load: defineCustomOption<readonly number[], number | readonly number[]>({
    heading: 'Workload',
    help:
      'load as defined in the papers: a factor that multiplies runtimes, one for all or one per home site, such as 2 or 5,4,5,4,1 ' +
      '(--offered-load moves submit times instead)',
    default: 1,
    form: 'numbers',
    read: (listText, errorContext) => parseNumberList(listText, errorContext, ABOVE_ZERO_RANGE),
    check: (input, errorContext, grid) =>
      checkLoad(typeof input === 'number' ? [input] : input, grid, errorContext),
  }),
  /** Seconds after the first submission whose jobs are simulated but not measured. */
  warmUp: defineTimeOption({
    heading: 'Measured jobs',
    help: 'exclude jobs submitted in this first period, such as 7d, from means, percentiles and classes',
    range: { atLeast: 0 },
    default: 0,
    otherwise: 'none excluded',
  }),
  /** Seconds before the last submission whose jobs are simulated but not measured. */
  coolDown: defineTimeOption({
    heading: 'Measured jobs',
    help: 'also exclude jobs submitted in this period before the last submit',
    range: { atLeast: 0 },
    default: 0,
    otherwise: 'none excluded',
  }),
  /** Rounding of execution times: none, to the nearest second, or down to whole seconds. */
  timeResolution: defineCoreWordOption({
    heading: 'Time',
    help: 'simulated runtimes: exact, rounded to the nearest second, or truncated to whole seconds',
    core: 'Resolution',
    words: { exact: 'Exact', nearest: 'Nearest', floor: 'Floor' },
    default: 'exact',
  }),
  /** Time of placing jobs: after every event, or once after all events of an instant. */
  instant: defineCoreWordOption({
    heading: 'Time',
    help: 'place jobs after every event, or once after all events of an instant',
    core: 'Instant',
    words: { 'per-event': 'PerEvent', batched: 'Batched' },
    default: 'per-event',
  }),
  /**
   * Minimum speed of a candidate site, as a ratio to the speed of the job's home site (Huang et al. 2007,
   * section 4).
   */
  minSpeedRatio: defineNumberOption({
    heading: 'Scheduling',
    help: 'a job may run only on sites with at least this share of the speed of its home site; 0: on any',
    core: 'MinSpeedRatio',
    range: { atLeast: 0 },
    default: 0,
  }),
  /** Order of the waiting queue: a name, an expression of the columns of `OrderedJob`, or a function. */
  order: orderOption,
  /** Order in which EASY backfilling tries the jobs behind the job with the reservation. */
  backfillOrder: backfillOrderOption,
  /**
   * Queueing discipline: the rule for when the first job in the queue does not fit. Four words are short
   * forms for `fcfs` with an order.
   */
  discipline: {
    ...discipline,
    core: (optionValue: Discipline, constants: Constants) => ({
      ...discipline.core?.(optionValue, constants),
      ...(isDisciplineShortForOrder(optionValue)
        ? orderOption.core?.(DISCIPLINES_SHORT_FOR_ORDERS[optionValue], constants)
        : {}),
    }),
  },
  /** Scope of a waiting queue: all jobs, the jobs of a home site, or the jobs of an isolated site. */
  queue: defineCoreWordOption({
    heading: 'Scheduling',
    help: 'one queue for the grid, one per home site, or independent sites that run only their own jobs',
    core: 'Topology',
    words: { shared: 'Shared', 'per-home': 'PerHome', independent: 'Independent' },
    default: 'shared',
  }),
  /** True if sites preempt remote jobs to run local ones (Huang et al. 2007, section 5). */
  reclaim: defineFlagOption({
    heading: 'Scheduling',
    help: 'sites stop remote jobs, which start again later, to run their own; needs --queue per-home',
    core: 'Reclaim',
  }),
  /** Rule for splitting jobs that fit on no single site (Huang et al. 2007, section 6). */
  multiSite: defineCoreWordOption({
    heading: 'Scheduling',
    help: 'split a job that cannot fit on one site, over the largest or fastest sites or adaptively',
    core: 'MultiSite',
    words: {
      none: 'None',
      'larger-first': 'LargerFirst',
      'faster-first': 'FasterFirst',
      adaptive: 'Adaptive',
    },
    default: 'none',
    otherwise: 'not split',
  }),
  /** Overhead p: a split job runs 1 + p times as long (Huang et al. 2007, section 6). */
  multiSiteOverhead: defineNumberOption({
    heading: 'Scheduling',
    help: 'p of Huang et al. 2007: a split job runs 1 + p times as long',
    core: 'MultiSiteOverhead',
    range: { atLeast: 0 },
    default: 0,
  }),
  /** Range of processors of moldable jobs: fewer than requested, or also more (Huang et al. 2009). */
  moldable: defineCoreWordOption({
    heading: 'Moldable jobs',
    help: 'jobs may run on fewer processors than they request, or also on more',
    core: 'Moldable',
    words: { none: 'None', down: 'Down', 'up-down': 'UpDown' },
    default: 'none',
    otherwise: 'not moldable',
  }),
  /**
   * Threshold x: a job is scaled down only if its estimated turnaround is then at most x times the turnaround
   * after waiting.
   */
  moldableThreshold: defineNumberOption({
    heading: 'Moldable jobs',
    help: 'scale a job down only if its estimated turnaround is then at most this many times that of waiting',
    core: 'MoldableThreshold',
    range: ABOVE_ZERO_RANGE,
    default: 0,
    otherwise: 'always scale down',
  }),
  /**
   * Rule that chooses the site of a moldable job among sites with enough free processors (Huang et al. 2009,
   * Figure 1).
   */
  moldableFit: defineCoreWordOption({
    heading: 'Moldable jobs',
    help: 'site of a moldable job: the one whose free processors are closest to its demand, fewest, or closest in power',
    core: 'MoldableFit',
    words: { demand: 'Demand', processors: 'Processors', power: 'Power' },
    default: 'demand',
  }),
  /** Speedup model of moldable jobs on more processors: linear, or the model of Downey. */
  speedup: defineCustomOption<Speedup>({
    heading: 'Moldable jobs',
    help: 'speedup of moldable jobs: linear, or downey[A=16,sigma=1]',
    default: 'linear',
    read: parseSpeedup,
    check: checkSpeedup,
    print: printSpeedup,
    core: (speedup) =>
      speedup === 'linear'
        ? { SpeedupA: 0, SpeedupSigma: 0 }
        : { SpeedupA: speedup.averageParallelism, SpeedupSigma: speedup.sigma },
  }),
  /**
   * Rule that chooses the sites of a job under backfilling, for a start now or later (Zhang et al. 2006, sections
   * 4 and 6).
   */
  select: defineCoreWordOption({
    heading: 'Backfilling (easy, conservative)',
    help:
      'sites of a job: those where it ends soonest among all sets of sites (optimal), or among single sites and sets of ' +
      'the fastest (greedy); or those where it can start now, home first (non-adaptive)',
    core: 'Selection',
    words: { none: 'Allocator', optimal: 'Optimal', greedy: 'Greedy', 'non-adaptive': 'NonAdaptive' },
    default: 'none',
    otherwise: `${DEFAULT_BACKFILL_SITE_SELECTION}; with --policy the policy chooses`,
  }),
  /** Number of jobs with reservations in a pass of EASY; Infinity: all. */
  reservationDepth: defineCustomOption<number, number | 'all'>({
    heading: 'Backfilling (easy, conservative)',
    help: 'how many jobs get reservations in each pass of easy: 0, 1, 2, ... or all',
    default: 1,
    choices: ['all'],
    isOpen: true,
    read: (optionText, errorContext) =>
      optionText === 'all' ? Infinity : parseWholeNumber(optionText, errorContext, RESERVATION_DEPTH_RANGE),
    check: (input, errorContext) =>
      input === 'all' || input === Infinity
        ? Infinity
        : checkFiniteNumberInRange(input, errorContext, RESERVATION_DEPTH_RANGE),
    print: (depth) => (depth === Infinity ? 'all' : String(depth)),
    core: (depth) => ({ ReservationDepth: 1 + Math.min(depth, RESERVATION_DEPTH_RANGE.atMost) }),
  }),
  /** Rule for keeping or replanning reservations under conservative backfilling. */
  reservations: defineCoreWordOption({
    heading: 'Backfilling (easy, conservative)',
    help:
      'under conservative, reservations are kept, and move earlier when other jobs end (kept), or all are made ' +
      'from scratch after every event (replanned)',
    core: 'Reservations',
    words: { replanned: 'Replanned', kept: 'Kept', none: 'Replanned' },
    default: 'none',
    otherwise:
      'kept; replanned with passes at intervals, gaps or delays, on several sites without --policy, and with options that only Zhang et al. 2006 define',
  }),
  /**
   * Factor p of at least 1: backfilling may place a job on several sites, where it runs p times as long; 0:
   * single sites only.
   */
  multiSiteFactor: defineNumberOption({
    heading: 'Backfilling (easy, conservative)',
    help: 'p of Zhang et al. 2006, at least 1: a job may run on several sites, p times as long',
    core: 'MultiSiteFactor',
    range: { atLeast: 1 },
    default: 0,
    otherwise: 'single sites only',
  }),
  /** Reference machine of runtimes under backfilling: a machine of speed 1, or the job's home site. */
  runtimeReference: defineCoreWordOption({
    heading: 'Backfilling (easy, conservative)',
    help: 'the machine that runtimes refer to: one of speed 1, or the home site',
    core: 'RuntimeReference',
    words: { speed1: 'Speed1', home: 'Home' },
    default: 'speed1',
    otherwise: 'speed1',
  }),
  /** Seconds between scheduling passes under backfilling; 0: a pass after every event or instant. */
  interval: defineTimeOption({
    heading: 'Backfilling (easy, conservative)',
    help: 'time between allocation passes, such as 600 or 10m',
    core: 'Interval',
    // No simulated time is longer.
    range: { above: 0, atMost: 1e15 },
    default: 0,
    otherwise: 'a pass after every event',
  }),
  ...PASS_OPTIONS,
  ...SHARE_OPTIONS,
  ...OUTAGE_OPTIONS,
  ...PARTITION_OPTIONS,
  /**
   * Bandwidth between home site and execution site in bytes per second: one for all pairs, or a row per home;
   * 0: transfers take no time.
   */
  bandwidth: defineCustomOption<SitePairValues>({
    heading: 'Backfilling (easy, conservative)',
    help: 'bytes per second at which input data move from the home site to another: a number, or a matrix (row: home) such as 0,1e6;2e6,0',
    default: 0,
    otherwise: 'moving data takes no time',
    read: parseBandwidth,
    check: (sitePairValues, errorContext, grid) =>
      sitePairValues === 0
        ? sitePairValues
        : checkSitePairValues(sitePairValues, grid, errorContext, BANDWIDTH_BOUND),
    print: printSitePairValues,
    core: (bandwidth) => ({ Transfers: Number(bandwidth !== 0) }),
  }),
  /** Additional seconds of each transfer, one for all pairs or a row per home. */
  latency: defineCustomOption<SitePairValues>({
    heading: 'Backfilling (easy, conservative)',
    help: 'seconds added to every transfer: a number, or a matrix',
    default: 0,
    read: (optionText, errorContext) => parseSitePairValues(optionText, errorContext, { isTime: true }),
    check: (sitePairValues, errorContext, grid) =>
      checkSitePairValues(sitePairValues, grid, errorContext, LATENCY_BOUND),
    print: printSitePairValues,
  }),
};
