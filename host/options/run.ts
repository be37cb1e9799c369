/** Options of a run: all that decides a simulation besides its jobs and its grid, as config.json lists it. */
import type { Constants } from '../core/module.js';
import { checkLoad } from '../grid/grid.js';
import { checkPairs, type Pairs, parsePairs, printPairs } from '../grid/pairs.js';
import { checkNumber, parseNumberList } from '../notation.js';
import { coreWordOption, customOption, flagOption, numberOption, type OptionValue } from './kinds.js';
import { backfillOrderOption, type Order, orderOption } from './order.js';
import { policyOption } from './policy.js';
import { checkSpeedup, parseSpeedup, printSpeedup, type Speedup } from './speedup.js';

const POSITIVE = { above: 0 };

/** A bandwidth; if it is one number for all it is above 0, what stands in a matrix is checked with the grid. */
function parseBandwidth(given: string, what: string): Pairs {
  const bandwidth = parsePairs(given, what);
  return typeof bandwidth === 'number' ? checkNumber(bandwidth, what, POSITIVE) : bandwidth;
}

const BANDWIDTH = {
  expected: 'bytes per second above 0',
  holds: (value: number) => value > 0 && value < Infinity,
};
const LATENCY = {
  expected: 'seconds of at least 0',
  holds: (value: number) => value >= 0 && value < Infinity,
};

const discipline = coreWordOption({
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

/** Disciplines that are short for `fcfs` in an order. */
export const SHORT_FORMS = { njf: 'narrowest', wjf: 'widest', sjf: 'shortest', ljf: 'longest' } as const;

function isShortForm(word: Discipline): word is keyof typeof SHORT_FORMS {
  return Object.hasOwn(SHORT_FORMS, word);
}

/** The order of the waiting jobs, be it named or that of a short form. */
export function orderOf(run: { readonly order: Order; readonly discipline: Discipline }): Order {
  return isShortForm(run.discipline) ? SHORT_FORMS[run.discipline] : run.order;
}

/** The selection under backfilling where neither one nor a policy is given. */
export const USUAL_SELECTION = 'greedy';

/** Each by the name that the library gives it. */
export const RUN_OPTIONS = {
  /**
   * Which site a job gets, as text, such as `ti[sht=0.05,slt=2]`, or taken apart, or a function of what it may go by;
   * default `best-fit`. Under backfilling on several sites it chooses only where it is given.
   */
  policy: policyOption,
  /** Factor on runtimes and estimates, one for all or one per home site (Huang et al. 2007, section 3). */
  load: customOption<readonly number[], number | readonly number[]>({
    heading: 'Workload',
    help:
      "the papers' load: a factor on runtimes, one for all or one per home site, such as 2 or 5,4,5,4,1 " +
      '(--offered-load moves submit times instead)',
    default: 1,
    read: (list, what) => parseNumberList(list, what, POSITIVE),
    check: (given, _, grid) => checkLoad(typeof given === 'number' ? [given] : given, grid),
  }),
  /** Seconds from the first submit on whose jobs count in no mean, percentile or class; they are simulated. */
  warmUp: numberOption({
    heading: 'Measuring',
    help: 'leave jobs of the first so many seconds out of means, percentiles and classes',
    range: { atLeast: 0 },
    default: 0,
    otherwise: 'none left out',
  }),
  /** The same before the last submit. */
  coolDown: numberOption({
    heading: 'Measuring',
    help: 'leave jobs of the last so many seconds before the last submit out of them',
    range: { atLeast: 0 },
    default: 0,
    otherwise: 'none left out',
  }),
  /** What executions are rounded to: not at all, to the nearest second, or down to whole seconds. */
  timeResolution: coreWordOption({
    heading: 'Time',
    help: 'simulated runtimes: exact, rounded to the nearest second, or truncated to whole seconds',
    core: 'Resolution',
    words: { exact: 'Exact', nearest: 'Nearest', floor: 'Floor' },
    default: 'exact',
  }),
  /** Whether jobs are placed after every event, or once after all events of an instant. */
  instant: coreWordOption({
    heading: 'Time',
    help: 'place jobs after every event, or once after all events of an instant',
    core: 'Instant',
    words: { 'per-event': 'PerEvent', batched: 'Batched' },
    default: 'per-event',
  }),
  /** Sites slower than this times the speed of a job's home are no candidates (Huang et al. 2007, section 4). */
  minSpeedRatio: numberOption({
    heading: 'Scheduling',
    help: 'a job may run only on sites with at least this share of the speed of its home site; 0: on any',
    core: 'MinSpeedRatio',
    range: { atLeast: 0 },
    default: 0,
  }),
  /** The order of the waiting jobs: a word, an expression of the columns of `OrderedJob`, or a function of them. */
  order: orderOption,
  /** Under easy, the order in which jobs behind the one that has the reservation are tried. */
  backfillOrder: backfillOrderOption,
  /** What happens when the first job in the order does not fit; four are short for `fcfs` in an order. */
  discipline: {
    ...discipline,
    core: (value: Discipline, constants: Constants) => ({
      ...discipline.core?.(value, constants),
      ...(isShortForm(value) ? orderOption.core?.(SHORT_FORMS[value], constants) : {}),
    }),
  },
  /** Which jobs wait together: all, those of a home site, or those of a site that runs nothing else. */
  queue: coreWordOption({
    heading: 'Scheduling',
    help: 'one queue for the grid, one per home site, or independent sites that run only their own jobs',
    core: 'Topology',
    words: { shared: 'Shared', 'per-home': 'PerHome', independent: 'Independent' },
    default: 'shared',
  }),
  /** Whether sites stop jobs from elsewhere to run their own (Huang et al. 2007, section 5). */
  reclaim: flagOption({
    heading: 'Scheduling',
    help: 'sites stop remote jobs, which start again later, to run their own; needs --queue per-home',
    core: 'Reclaim',
  }),
  /** How jobs are split that no single site has room for (Huang et al. 2007, section 6). */
  multiSite: coreWordOption({
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
  /** p: a split job runs 1 + p times as long (Huang et al. 2007, section 6). */
  multiSiteOverhead: numberOption({
    heading: 'Scheduling',
    help: 'p of Huang et al. 2007: a split job runs 1 + p times as long',
    core: 'MultiSiteOverhead',
    range: { atLeast: 0 },
    default: 0,
  }),
  /** Whether jobs may run on fewer, or also on more, processors than they ask for (Huang et al. 2009). */
  moldable: coreWordOption({
    heading: 'Moldable jobs',
    help: 'jobs may run on fewer processors than they request, or also on more',
    core: 'Moldable',
    words: { none: 'None', down: 'Down', 'up-down': 'UpDown' },
    default: 'none',
    otherwise: 'not moldable',
  }),
  /** x: a job is scaled down only if its turnaround is then at most x times that of waiting, by the estimates. */
  moldableThreshold: numberOption({
    heading: 'Moldable jobs',
    help: 'scale a job down only if its turnaround is then at most this many times that of waiting, by the estimates',
    core: 'MoldableThreshold',
    range: POSITIVE,
    default: 0,
    otherwise: 'always scale down',
  }),
  /** Which site with room for all its processors a moldable job gets (Huang et al. 2009, Figure 1). */
  moldableFit: coreWordOption({
    heading: 'Moldable jobs',
    help: 'site of a moldable job: whose free processors are nearest to its demand, are fewest, or have the nearest power',
    core: 'MoldableFit',
    words: { demand: 'Demand', processors: 'Processors', power: 'Power' },
    default: 'demand',
  }),
  /** How much faster a moldable job runs on more processors: linear, or Downey's model. */
  speedup: customOption<Speedup>({
    heading: 'Moldable jobs',
    help: 'speed-up of moldable jobs: linear, or downey[A=16,sigma=1]',
    default: 'linear',
    read: parseSpeedup,
    check: checkSpeedup,
    print: printSpeedup,
    core: (speedup) =>
      speedup === 'linear'
        ? { SpeedupA: 0, SpeedupSigma: 0 }
        : { SpeedupA: speedup.averageParallelism, SpeedupSigma: speedup.sigma },
  }),
  /** Which sites a job gets, now or later, under backfilling (Zhang et al. 2006, sections 4 and 6). */
  select: coreWordOption({
    heading: 'Backfilling (easy, conservative)',
    help:
      'sites of a job: those where it ends soonest among all sets of sites (optimal), or among single sites and sets of ' +
      'the fastest (greedy); or those where it can start now, home first (non-adaptive)',
    core: 'Selection',
    words: { none: 'Allocator', optimal: 'Optimal', greedy: 'Greedy', 'non-adaptive': 'NonAdaptive' },
    default: 'none',
    otherwise: `${USUAL_SELECTION}; with --policy the policy chooses`,
  }),
  /** p, at least 1: backfilling may place a job on several sites, where it runs p times as long; 0: it may not. */
  multiSiteFactor: numberOption({
    heading: 'Backfilling (easy, conservative)',
    help: 'p of Zhang et al. 2006, at least 1: a job may run on several sites, p times as long',
    core: 'MultiSiteFactor',
    range: { atLeast: 1 },
    default: 0,
    otherwise: 'single sites only',
  }),
  /** The machine to which runtimes refer under backfilling: one of speed 1, or the job's home site. */
  runtimeReference: coreWordOption({
    heading: 'Backfilling (easy, conservative)',
    help: 'the machine that runtimes refer to: one of speed 1, or the home site',
    core: 'RuntimeReference',
    words: { speed1: 'Speed1', home: 'Home' },
    default: 'speed1',
    otherwise: 'speed1',
  }),
  /** Seconds between allocation passes under backfilling; 0: a pass after every event or instant. */
  interval: numberOption({
    heading: 'Backfilling (easy, conservative)',
    help: 'seconds between allocation passes',
    core: 'Interval',
    // No simulated time is longer.
    range: { above: 0, atMost: 1e15 },
    default: 0,
    otherwise: 'a pass after every event',
  }),
  /** Bytes per second between home and site, one for all pairs or a row per home; 0: data take no time. */
  bandwidth: customOption<Pairs>({
    heading: 'Backfilling (easy, conservative)',
    help: 'bytes per second from home to site, so that input data take time to move: a number, or a matrix such as 0,1e6;2e6,0',
    default: 0,
    otherwise: 'data take no time',
    read: parseBandwidth,
    check: (given, what, grid) => (given === 0 ? given : checkPairs(given, grid, what, BANDWIDTH)),
    print: printPairs,
    core: (bandwidth) => ({ Transfers: Number(bandwidth !== 0) }),
  }),
  /** Seconds that a transfer takes besides, one for all pairs or a row per home. */
  latency: customOption<Pairs>({
    heading: 'Backfilling (easy, conservative)',
    help: 'seconds added to every transfer: a number, or a matrix',
    default: 0,
    read: parsePairs,
    check: (given, what, grid) => checkPairs(given, grid, what, LATENCY),
    print: printPairs,
  }),
};
