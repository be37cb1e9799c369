/**
 * Scheduling rules that the conformance set distinguishes: families of rules, each combined with
 * timings.
 */
import { makeReferenceOptions } from '../reference/examples.js';
import { type ReferenceOptions, simulateReference } from '../reference/simulator/reference.js';
import { type SchedulerVariant, startTimesUnderVariant, type TinyTestJob } from './variants.js';

/** Order in which simultaneous events are handled. */
interface TimingRule {
  title: string;
  switches: Omit<SchedulerVariant, 'discipline'>;
  /** Options of gridalloc that give this timing of passes; undefined if gridalloc does not have it. */
  options?: Readonly<Record<string, string>>;
}

const TITLE_ENDS_IN_START_ORDER = 'ends in order of start';
const TITLE_FREE_WHEN_DUE = 'processors free when due';
const TITLE_ENDS_BEFORE_SUBMITS = 'ends before submits';
const endsInStartOrderSwitch = { endsByStart: true };
const freeWhenDueSwitch = { isFreeWhenDue: true };
const endsFirstSwitch = { endsFirst: true };

const TIMING_RULES = {
  event: { title: 'one pass per event', switches: {}, options: {} },
  start: { title: `one pass per event, ${TITLE_ENDS_IN_START_ORDER}`, switches: endsInStartOrderSwitch },
  due: { title: `one pass per event, ${TITLE_FREE_WHEN_DUE}`, switches: freeWhenDueSwitch },
  'start-due': {
    title: `one pass per event, ${TITLE_ENDS_IN_START_ORDER}, ${TITLE_FREE_WHEN_DUE}`,
    switches: { ...endsInStartOrderSwitch, ...freeWhenDueSwitch },
  },
  first: { title: `one pass per event, ${TITLE_ENDS_BEFORE_SUBMITS}`, switches: endsFirstSwitch },
  'first-start': {
    title: `one pass per event, ${TITLE_ENDS_BEFORE_SUBMITS}, ${TITLE_ENDS_IN_START_ORDER}`,
    switches: { ...endsFirstSwitch, ...endsInStartOrderSwitch },
  },
  'first-due': {
    title: `one pass per event, ${TITLE_ENDS_BEFORE_SUBMITS}, ${TITLE_FREE_WHEN_DUE}`,
    switches: { ...endsFirstSwitch, ...freeWhenDueSwitch },
  },
  'first-start-due': {
    title: `one pass per event, ${TITLE_ENDS_BEFORE_SUBMITS}, ${TITLE_ENDS_IN_START_ORDER}, ${TITLE_FREE_WHEN_DUE}`,
    switches: { ...endsFirstSwitch, ...endsInStartOrderSwitch, ...freeWhenDueSwitch },
  },
  instant: { title: 'one pass per instant', switches: { isBatched: true }, options: { instant: 'batched' } },
} satisfies Record<string, TimingRule>;

export type TimingRuleName = keyof typeof TIMING_RULES;

interface RuleFamily {
  title: string;
  /** Switches for the simulator of variants.ts; undefined if only the reference simulator has the rule. */
  variant?: SchedulerVariant;
  options?: Readonly<Record<string, string>>;
  timings: readonly TimingRuleName[];
}

const ALL_TIMING_RULE_NAMES = Object.keys(TIMING_RULES) as TimingRuleName[];
const COMMON_TIMING_RULE_NAMES = ['event', 'start-due', 'instant'] as const;
/** Names of the timing rules that need no prediction of job ends. */
const TIMING_NAMES_WITHOUT_PLANS = ['event', 'start', 'first', 'first-start', 'instant'] as const;
const plannedStartsVariant: SchedulerVariant = { discipline: 'planned' };
const easyOptions = { discipline: 'easy' };

/** Options for periodic backfill passes: every 30 s from the first submission on. */
const backfillPassOptions = { 'backfill-interval': '30', 'backfill-offset': '0' };
const nodePlanningOptions = { discipline: 'conservative', ...backfillPassOptions, 'plan-by': 'node' };

/** Families of rules for one machine. */
const RULE_FAMILIES: Readonly<Record<string, RuleFamily>> = {
  fcfs: {
    title: 'FCFS',
    variant: { discipline: 'fcfs' },
    options: { discipline: 'fcfs' },
    timings: ['event'],
  },
  'first-available': {
    title: 'first available',
    variant: { discipline: 'first-available' },
    options: { discipline: 'first-available' },
    timings: TIMING_NAMES_WITHOUT_PLANS,
  },
  sjf: {
    title: 'SJF',
    variant: { discipline: 'fcfs', isShortestFirst: true },
    options: { discipline: 'sjf' },
    timings: ['event', 'first', 'instant'],
  },
  'sjf-passing': {
    title: 'SJF that passes over jobs without room',
    variant: { discipline: 'first-available', isShortestFirst: true },
    options: { discipline: 'first-available', order: 'shortest' },
    timings: ['event', 'first', 'instant'],
  },
  easy: {
    title: 'EASY',
    variant: plannedStartsVariant,
    options: easyOptions,
    timings: ALL_TIMING_RULE_NAMES,
  },
  'easy-exact': {
    title: 'EASY by runtimes in place of estimates',
    variant: { ...plannedStartsVariant, knowsAll: true },
    options: { ...easyOptions, estimates: 'exact' },
    timings: ['event', 'instant'],
  },
  'easy-waiting': {
    title: 'EASY by estimates of running jobs and runtimes of waiting ones',
    variant: { ...plannedStartsVariant, knowsWaiting: true },
    timings: COMMON_TIMING_RULE_NAMES,
  },
  'easy-within': {
    title: 'EASY, backfilled jobs end before the reservation',
    variant: { ...plannedStartsVariant, leavesSpare: true },
    timings: COMMON_TIMING_RULE_NAMES,
  },
  'easy-once': {
    title: 'EASY, spare processors are counted once in a pass',
    variant: { ...plannedStartsVariant, countsSpareOnce: true },
    timings: COMMON_TIMING_RULE_NAMES,
  },
  'easy-held': {
    title: 'EASY, the head waits for its reservation though jobs end early',
    variant: { ...plannedStartsVariant, holdsHead: true },
    timings: COMMON_TIMING_RULE_NAMES,
  },
  'easy-overdue': {
    title: 'EASY, overdue jobs are expected to end at once',
    variant: { ...plannedStartsVariant, expectsOverdueNow: true },
    timings: COMMON_TIMING_RULE_NAMES,
  },
  sjbf: {
    title: 'EASY-SJBF',
    variant: { ...plannedStartsVariant, backfillsShortest: true },
    options: { ...easyOptions, 'backfill-order': 'shortest' },
    timings: ALL_TIMING_RULE_NAMES,
  },
  'easy-sjf': {
    title: 'EASY on a queue with the shortest first',
    variant: { ...plannedStartsVariant, isShortestFirst: true },
    options: { ...easyOptions, order: 'shortest' },
    timings: COMMON_TIMING_RULE_NAMES,
  },
  'depth-2': {
    title: 'EASY with two reservations',
    variant: { ...plannedStartsVariant, depth: 2 },
    options: { ...easyOptions, 'reservation-depth': '2' },
    timings: ALL_TIMING_RULE_NAMES,
  },
  replanned: {
    title: 'conservative, replanned in every pass',
    variant: { ...plannedStartsVariant, depth: Infinity },
    options: { discipline: 'conservative', reservations: 'replanned' },
    timings: ALL_TIMING_RULE_NAMES,
  },
  'replanned-waiting': {
    title: 'conservative, replanned, by estimates of running jobs and runtimes of waiting ones',
    variant: { ...plannedStartsVariant, depth: Infinity, knowsWaiting: true },
    timings: COMMON_TIMING_RULE_NAMES,
  },
  kept: {
    title: 'conservative, reservations kept and moved earlier after each end',
    variant: { discipline: 'kept' },
    options: { discipline: 'conservative', reservations: 'kept' },
    timings: ['event'],
  },
  'kept-start': {
    title: 'conservative, reservations kept and moved earlier after each end in order of start',
    variant: { discipline: 'kept', endsByStart: true },
    timings: ['event'],
  },
  'kept-once': {
    title: 'conservative, reservations kept and moved earlier once after all ends of an instant',
    variant: { discipline: 'kept', isBatched: true },
    timings: ['event'],
  },
  'kept-fixed': {
    title: 'conservative, reservations kept and never moved',
    variant: { discipline: 'kept', isFixed: true },
    timings: ['event'],
  },
  'passes-easy': {
    title: 'EASY in passes every 30 s, between which only the first of the queue start',
    variant: { ...plannedStartsVariant, interval: 30 },
    options: { ...easyOptions, ...backfillPassOptions },
    timings: ['event'],
  },
  passes: {
    title: 'conservative in passes every 30 s, between which only the first of the queue start',
    variant: { ...plannedStartsVariant, depth: Infinity, interval: 30 },
    options: { discipline: 'conservative', reservations: 'replanned', ...backfillPassOptions },
    timings: ['event'],
  },
  'passes-nodes': {
    title: 'conservative in passes every 30 s that reserve particular nodes',
    options: nodePlanningOptions,
    timings: ['event'],
  },
  'passes-closed': {
    title: 'conservative in passes that reserve nodes, for jobs that must end before reservations begin',
    options: { ...nodePlanningOptions, 'backfill-overlap': 'closed' },
    timings: ['event'],
  },
};

/** Families of rules for several sites of equal speed, all of which gridalloc has. */
const SITE_RULE_FAMILIES: Readonly<Record<string, RuleFamily>> = {
  'sites-fcfs-best': {
    title: 'FCFS on sites, best fit',
    options: { discipline: 'fcfs', policy: 'best-fit' },
    timings: ['event', 'instant'],
  },
  'sites-fcfs-first': {
    title: 'FCFS on sites, first fit',
    options: { discipline: 'fcfs', policy: 'first-fit' },
    timings: ['event', 'instant'],
  },
  'sites-easy-best': {
    title: 'EASY on sites, best fit',
    options: { ...easyOptions, policy: 'best-fit' },
    timings: ['event', 'instant'],
  },
  'sites-easy-first': {
    title: 'EASY on sites, first fit',
    options: { ...easyOptions, policy: 'first-fit' },
    timings: ['event', 'instant'],
  },
  'sites-replanned': {
    title: 'conservative on sites, replanned, the least predicted end',
    options: { discipline: 'conservative', reservations: 'replanned' },
    timings: ['event', 'instant'],
  },
  'sites-replanned-best': {
    title: 'conservative on sites, replanned, best fit',
    options: { discipline: 'conservative', reservations: 'replanned', policy: 'best-fit' },
    timings: ['event', 'instant'],
  },
  'sites-kept': {
    title: 'conservative on sites, reservations kept, the site of the earliest start',
    options: { discipline: 'conservative', reservations: 'kept' },
    timings: ['event'],
  },
  'sites-kept-best': {
    title: 'conservative on sites, reservations kept, best fit',
    options: { discipline: 'conservative', reservations: 'kept', policy: 'best-fit' },
    timings: ['event'],
  },
};

/** A log of a few jobs, and the processors of each site it runs on. */
export interface TinyTestLog {
  sites: readonly number[];
  jobs: readonly TinyTestJob[];
}

/** A scheduling rule: a family combined with a timing. */
export interface ConformanceTestRule {
  /** Name of the family, with the timing appended if the family has several. */
  id: string;
  family: string;
  timing: TimingRuleName;
  title: string;
  /** Options of gridalloc for this rule; undefined for rules that only other simulators have. */
  options?: Readonly<Record<string, string>>;
  starts: (log: TinyTestLog) => number[];
}

/**
 * Start times under a rule from the reference simulator, in seconds; undefined if it lacks the rule
 * or the rule does not cover overdue jobs.
 */
export function computeRequiredStarts(
  tinyLog: TinyTestLog,
  { options, family, starts: startsOf }: ConformanceTestRule,
): number[] | undefined {
  if (options !== undefined) return computeReferenceStarts(tinyLog, options);
  const hasOverdueJob = tinyLog.jobs.some(({ runtime, estimate }) => runtime > estimate);
  return hasOverdueJob && family.startsWith('kept') ? undefined : startsOf(tinyLog);
}

/** All rules for one machine, or all rules for several sites. */
export function listRulesOfKind(ruleKind: 'machine' | 'sites'): ConformanceTestRule[] {
  const familiesOfKind = ruleKind === 'machine' ? RULE_FAMILIES : SITE_RULE_FAMILIES;
  return Object.entries(familiesOfKind).flatMap(([family, { title, variant, options, timings }]) =>
    timings.map((timing) => {
      const { title: when, switches, options: optionStrings }: TimingRule = TIMING_RULES[timing];
      const allOptions = options && optionStrings && { ...options, ...optionStrings };
      const computeStarts =
        variant === undefined
          ? (tinyLog: TinyTestLog) => computeReferenceStarts(tinyLog, allOptions!)
          : ({ jobs, sites }: TinyTestLog) =>
              startTimesUnderVariant(jobs, sites[0]!, { ...variant, ...switches });
      return {
        id: timings.length === 1 ? family : `${family} ${timing}`,
        family,
        timing,
        title: timings.length === 1 ? title : `${title}, ${when}`,
        ...(allOptions ? { options: allOptions } : {}),
        starts: computeStarts,
      };
    }),
  );
}

/** The rule with an exact name, or all rules of the family with that name. */
export function rulesOfFamilyName(familyName: string): ConformanceTestRule[] {
  const rules = [...listRulesOfKind('machine'), ...listRulesOfKind('sites')];
  return rules.filter(({ id: ruleId, family }) => ruleId === familyName || family === familyName);
}

/** Start times from the reference simulator under options of gridalloc. */
export function computeReferenceStarts(
  { jobs, sites }: TinyTestLog,
  options: Readonly<Record<string, string>>,
): number[] {
  const { policy = 'best-fit', estimates, instant = 'per-event', 'reservation-depth': depth } = options;
  const { 'backfill-interval': interval, 'backfill-offset': offset } = options;
  const jobsWithEstimates = jobs.map((job) => ({
    ...job,
    estimate: estimates === 'exact' ? job.runtime : job.estimate,
    home: 0,
  }));
  const { start } = simulateReference(
    jobsWithEstimates,
    makeReferenceOptions({
      capacities: [...sites],
      discipline: options.discipline as NonNullable<ReferenceOptions['discipline']>,
      policy,
      withPolicy: options.policy !== undefined,
      instant: instant as ReferenceOptions['instant'],
      order: options.order,
      backfillOrder: options['backfill-order'],
      reservations: options.reservations as ReferenceOptions['reservations'],
      reservationDepth: depth === undefined ? undefined : Number(depth),
      ...(interval !== undefined && { backfillInterval: Number(interval), backfillOffset: Number(offset) }),
      ...(options['plan-by'] === 'node' && { planBy: 'node' as const }),
      ...(options['backfill-overlap'] === 'closed' && { closedOverlap: true }),
    }),
  );
  return start;
}
