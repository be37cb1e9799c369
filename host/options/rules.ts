/**
 * Which options exclude or need which others: all refusals of combinations that the host makes, once. (The core has
 * its own as the last line, for other hosts.)
 */
import { coreConstants } from '../core/module.js';
import {
  type CandidateRules,
  candidateError,
  candidatesOf,
  isTrying,
  type Policy,
  printPolicy,
} from '../core/policies.js';
import { InputError } from '../errors.js';
import { areRefreshed, type Estimates } from '../workload/estimates.js';
import { type Naming, type OptionKey, optionOf } from './options.js';
import { FIXED_ORDERS, isByEstimate, isOrderFunction, type Order } from './order.js';
import { PASS_RULES } from './passRules.js';
import {
  BACKFILLING,
  type Condition,
  hasOneOf,
  isSpecified,
  notDefault,
  type OptionRule,
  sitesAbove,
} from './ruleKinds.js';
import { effectiveOrder, RUN_OPTIONS, SHORT_FORMS } from './runOptions.js';

/** Disciplines that are short for an order by estimates. */
const SHORT_FOR_ESTIMATES = Object.entries(SHORT_FORMS)
  .filter(([, order]) => isByEstimate(order))
  .map(([word]) => word);

/** Options that decide by estimates. A function may also: it shows only when it reads one. */
const BY_ESTIMATE: readonly Condition[] = [
  hasOneOf('discipline', 'easy', 'conservative', ...SHORT_FOR_ESTIMATES),
  {
    option: 'order',
    suchThat: {
      holds: (order) => !isOrderFunction(order as Order) && isByEstimate(order as Order),
      words: 'an order by `estimate`',
    },
  },
  notDefault('moldableThreshold'),
];

/** Rule for jobs of unknown runtimes. */
const WITHOUT_ESTIMATES: OptionRule = {
  of: [hasOneOf('estimates', 'none')],
  excludes: BY_ESTIMATE,
  why: 'runtimes are then unknown',
};

/** Jobs are estimated again while they wait. */
const REFRESHED_ESTIMATES: Condition = {
  option: 'estimates',
  suchThat: {
    holds: (estimates) => areRefreshed(estimates as Estimates),
    words: '`recent` with `refresh=yes`',
  },
};

/** Orders whose keys then change; for a function this is unknown. */
const ORDERED_BY_ESTIMATE: readonly Condition[] = [
  hasOneOf('discipline', ...SHORT_FOR_ESTIMATES),
  {
    option: 'order',
    suchThat: { holds: (order) => isByEstimate(order as Order), words: 'an order by `estimate`, a function' },
  },
];

/** Rules for policies with candidates, checked after all others. */
export const CHOOSING_RULES: readonly OptionRule[] = [
  WITHOUT_ESTIMATES,
  {
    of: [hasOneOf('policy', 'dynamic')],
    excludes: [
      hasOneOf('queue', 'per-home', 'independent'),
      notDefault('multiSite'),
      notDefault('interval'),
      hasOneOf('order', 'wfp3'),
      hasOneOf('backfillOrder', 'wfp3'),
    ],
    why: 'candidates are tried on one queue, in orders whose keys do not change',
  },
  {
    of: [hasOneOf('policy', 'dynamic')],
    and: [REFRESHED_ESTIMATES],
    excludes: ORDERED_BY_ESTIMATE,
    why: 'candidates are tried on one queue, in orders whose keys do not change',
  },
  {
    of: [hasOneOf('policy', 'dynamic')],
    excludes: [notDefault('dependencies')],
    why: 'candidates are tried on the waiting jobs, without those submitted after them',
  },
];

/** A policy chooses sites under backfilling where it is given, with one queue for several sites, and no selection. */
const NO_SELECTION = hasOneOf('select', 'none');
const SHARED_QUEUE = hasOneOf('queue', 'shared');

/** Rules in the order in which they are checked. */
export const OPTION_RULES: readonly OptionRule[] = [
  {
    of: [notDefault('speeds')],
    excludes: [notDefault('heterogeneity')],
    why: 'both say how fast the sites are',
  },
  {
    of: [notDefault('offeredLoad')],
    excludes: [notDefault('arrivalScale')],
    why: 'both say how fast jobs arrive',
  },
  {
    of: [notDefault('kill')],
    needs: hasOneOf('estimates', 'trace', 'recent'),
    why: 'jobs are killed at their requested times, which exact or perturbed estimates are not',
  },
  {
    of: [notDefault('dependencies')],
    excludes: [hasOneOf('queue', 'independent')],
    why: "independent sites do not know when each other's jobs end",
  },
  {
    of: [notDefault('loadMachine')],
    needs: isSpecified('offeredLoad'),
    why: 'it says of which machine that is a share',
  },
  { of: [notDefault('rc')], excludes: [notDefault('maxWidth')], why: 'both say which jobs are cut' },
  {
    of: [notDefault('reclaim')],
    needs: hasOneOf('queue', 'per-home'),
    why: 'a site stops jobs from elsewhere for those in its own queue',
  },
  {
    of: [notDefault('reclaim')],
    excludes: [notDefault('multiSite')],
    why: 'the fate of the other parts of a stopped job is undefined',
  },
  {
    of: [hasOneOf('queue', 'per-home')],
    excludes: [hasOneOf('discipline', 'first-available')],
    why: 'only the first job of each queue is considered',
  },
  {
    of: [notDefault('multiSiteOverhead')],
    needs: notDefault('multiSite'),
    why: 'it applies only to split jobs',
    isIdle: true,
  },
  {
    of: [notDefault('moldableThreshold'), notDefault('moldableFit'), notDefault('speedup')],
    needs: notDefault('moldable'),
    why: 'it applies only to moldable jobs',
    isIdle: true,
  },
  {
    of: [notDefault('moldableThreshold')],
    excludes: [hasOneOf('estimates', 'recent')],
    why: 'no paper defines a turnaround predicted from an exceeded estimate',
  },
  {
    of: [hasOneOf('moldable', 'up-down')],
    excludes: [sitesAbove(() => 1)],
    why: 'no paper says how jobs on several sites are scaled up',
  },
  {
    of: [notDefault('order')],
    excludes: [hasOneOf('discipline', ...Object.keys(SHORT_FORMS))],
    why: 'it is short for fcfs with an order of its own',
    isIdle: true,
  },
  {
    of: [hasOneOf('order', 'wfp3')],
    excludes: [notDefault('reclaim'), notDefault('moldable')],
    why: 'the order changes with time, which no paper combines with these',
  },
  {
    of: ORDERED_BY_ESTIMATE,
    and: [REFRESHED_ESTIMATES],
    excludes: [notDefault('reclaim'), notDefault('moldable')],
    why: 'the order changes with the estimates, which no paper combines with these',
  },
  {
    of: [REFRESHED_ESTIMATES],
    excludes: [hasOneOf('reservations', 'kept')],
    why: 'a job may turn out to need its processors for longer than they are reserved',
  },
  {
    of: [notDefault('backfillOrder')],
    needs: hasOneOf('discipline', 'easy'),
    why: 'it orders the jobs behind the one reservation',
  },
  {
    of: [notDefault('moldable')],
    excludes: [
      hasOneOf('discipline', 'first-available', 'easy', 'conservative'),
      notDefault('queue'),
      notDefault('multiSite'),
      notDefault('minSpeedRatio'),
    ],
    why: 'moldable jobs wait in one queue, whose first job blocks, and run on any one site',
  },
  {
    of: [notDefault('moldable')],
    excludes: [notDefault('policy')],
    why: 'the rule of moldable jobs chooses the site itself',
    isIdle: true,
  },
  {
    of: [BACKFILLING],
    excludes: [notDefault('multiSite')],
    why: (naming) => `${naming('multiSiteFactor')} lets jobs run on several sites`,
  },
  {
    of: [BACKFILLING],
    excludes: [hasOneOf('queue', 'per-home')],
    why: 'sites are chosen for the jobs of one queue, or of one site',
  },
  {
    of: [notDefault('policy')],
    and: [BACKFILLING],
    excludes: [notDefault('select')],
    why: 'both choose the sites',
    isIdle: true,
  },
  {
    of: [isSpecified('policy')],
    and: [BACKFILLING, NO_SELECTION, SHARED_QUEUE],
    excludes: [notDefault('multiSiteFactor'), notDefault('bandwidth'), hasOneOf('runtimeReference', 'home')],
    why: (naming) =>
      `policies cannot take it into account; omit ${naming('policy')} to let ${naming('select')} choose`,
  },
  {
    of: [notDefault('minSpeedRatio')],
    and: [BACKFILLING],
    excludes: [notDefault('select')],
    why: 'this selection ignores home-site speeds',
  },
  {
    of: [notDefault('minSpeedRatio')],
    and: [BACKFILLING, SHARED_QUEUE],
    needs: isSpecified('policy'),
    why: 'otherwise sites are selected regardless of home-site speeds',
  },
  {
    of: [
      hasOneOf('runtimeReference', 'home'),
      notDefault('multiSiteFactor'),
      notDefault('interval'),
      notDefault('bandwidth'),
    ],
    needs: BACKFILLING,
    why: 'only backfilling has rules for it (Zhang et al. 2006)',
  },
  {
    of: [notDefault('reservationDepth')],
    needs: hasOneOf('discipline', 'easy'),
    why: 'fcfs and first-available make no reservations, and conservative makes one for every job',
  },
  {
    of: [notDefault('backfillOrder')],
    excludes: [hasOneOf('reservationDepth', '0')],
    why: 'without reservations no job is behind one; give --order, or a depth of 1 or more',
    isIdle: true,
  },
  {
    of: [notDefault('reservationDepth')],
    excludes: [hasOneOf('policy', 'dynamic')],
    why: 'trials have no rule for it',
  },
  {
    of: [hasOneOf('reservations', 'kept')],
    needs: hasOneOf('discipline', 'conservative'),
    why: 'no other discipline makes a reservation for every job',
  },
  {
    of: [hasOneOf('reservations', 'replanned')],
    needs: hasOneOf('discipline', 'conservative'),
    why: 'no other discipline makes a reservation for every job',
    isIdle: true,
  },
  {
    of: [hasOneOf('reservations', 'kept')],
    excludes: [hasOneOf('select', 'optimal', 'non-adaptive'), notDefault('multiSiteFactor')],
    why: 'selection among sets of sites is made again after every event',
  },
  {
    of: [hasOneOf('reservations', 'kept')],
    excludes: [notDefault('interval')],
    why: (naming) => `with ${naming('interval')} each pass replans, and no job starts between two passes`,
  },
  {
    of: [hasOneOf('reservations', 'kept')],
    excludes: [hasOneOf('policy', 'dynamic')],
    why: (naming) => `the trials of ${naming('policy', 'dynamic')} replan`,
  },
  ...PASS_RULES,
  { of: [notDefault('select')], needs: BACKFILLING, why: 'only backfilling plans ahead', isIdle: true },
  {
    of: [hasOneOf('queue', 'independent')],
    excludes: [notDefault('multiSiteFactor')],
    why: 'every site plans for itself',
  },
  {
    of: [hasOneOf('queue', 'independent')],
    excludes: [notDefault('select')],
    why: 'every site plans for itself',
    isIdle: true,
  },
  {
    of: [notDefault('latency')],
    needs: notDefault('bandwidth'),
    why: 'it applies only to data transfers',
    isIdle: true,
  },
  {
    of: [hasOneOf('select', 'optimal')],
    and: [notDefault('multiSiteFactor')],
    excludes: [sitesAbove(() => coreConstants().Limit.SitesOfSets)],
    why: (naming) => `it looks at every set of sites; take ${naming('select', 'greedy')}`,
  },
  ...CHOOSING_RULES,
];

/** Options of a run or of a whole simulation; absent ones have their defaults. */
type RuleValues = Readonly<Partial<Record<OptionKey, unknown>>> & {
  /** Number of sites; absent: unknown, and no condition on it holds. */
  readonly siteCount?: number | undefined;
};

function textOf({ option }: Condition, values: RuleValues): string {
  const value = values[option];
  return value === undefined ? defaultValueText(option) : optionOf(option).print(value);
}

/** The default as the option prints it. */
function defaultValueText(option: OptionKey): string {
  const { default: defaultValue, print } = optionOf(option);
  return typeof defaultValue === 'object' ? print(defaultValue) : String(defaultValue);
}

/** The name in a notation with parameters. */
function nameIn(text: string): string {
  return text.replace(/[[:].*$/, '');
}

function conditionHolds(condition: Condition, values: RuleValues): boolean {
  if (condition.moreThan !== undefined) return (values.siteCount ?? 0) > condition.moreThan();
  if (condition.isGiven) return values[condition.option] !== undefined;
  if (condition.suchThat !== undefined) {
    const value = values[condition.option];
    return value !== undefined && condition.suchThat.holds(value);
  }
  const text = textOf(condition, values);
  if (condition.is !== undefined) return condition.is.includes(text) || condition.is.includes(nameIn(text));
  return values[condition.option] !== undefined && text !== defaultValueText(condition.option);
}

function conditionName(condition: Condition, values: RuleValues, naming: Naming): string {
  const text = textOf(condition, values);
  if (optionOf(condition.option).choices !== undefined) return naming(condition.option, text);
  return condition.is === undefined ? naming(condition.option) : naming(condition.option, nameIn(text));
}

/** Refusal of options by a rule, without the reason. */
type RuleBreak = Omit<BrokenRule, 'rule'>;

/** Refusal of options by a rule; undefined if they keep it. */
function ruleBreak(rule: OptionRule, values: RuleValues, naming: Naming): RuleBreak | undefined {
  const { of, and = [], needs, excludes = [] } = rule;
  const one = of.find((condition) => conditionHolds(condition, values));
  if (one === undefined || !and.every((condition) => conditionHolds(condition, values))) return undefined;
  const subject = [one, ...and.filter(({ option }) => conditionHolds(notDefault(option), values))]
    .map((condition) => conditionName(condition, values, naming))
    .join(' with ');
  if (needs !== undefined && !conditionHolds(needs, values)) {
    const sentence = `${subject} needs ${naming(needs.option, ...(needs.is ?? []))}`;
    return { sentence, options: [one.option, needs.option] };
  }
  const other = excludes.find((condition) => conditionHolds(condition, values));
  if (other === undefined) return undefined;
  return { sentence: exclusionText(subject, other, values, naming), options: [one.option, other.option] };
}

function exclusionText(subject: string, other: Condition, values: RuleValues, naming: Naming): string {
  const most = other.moreThan?.();
  if (most === undefined) return `${subject} cannot be combined with ${conditionName(other, values, naming)}`;
  const sites = most === 1 ? 'a single site' : `at most ${most} sites`;
  return `${subject} is for ${sites}, found ${values.siteCount}`;
}

/** Rule that options break, with its message. */
export interface BrokenRule {
  readonly rule: OptionRule;
  /** Message without the reason. */
  readonly sentence: string;
  /** Options that conflict: the one that the rule is for, and the one that it needs or excludes. */
  readonly options: readonly OptionKey[];
}

/** Finds the first rule that options break. */
export function brokenRule(options: RuleValues, naming: Naming, siteCount?: number): BrokenRule | undefined {
  const values = { ...options, siteCount };
  for (const rule of OPTION_RULES) {
    const found = ruleBreak(rule, values, naming);
    if (found !== undefined) return { rule, ...found };
  }
  return undefined;
}

/**
 * Refuses options that conflict.
 * @param siteCount how many sites there are, where that is known.
 * @throws InputError with the first rule that is broken, the options named as the user has given them.
 */
export function checkRules(values: RuleValues, naming: Naming, siteCount?: number): void {
  const broken = brokenRule(values, naming, siteCount);
  if (broken !== undefined) throw refusalOf(broken, naming);
}

function refusalOf(broken: BrokenRule, naming: Naming): InputError {
  const isOmitted = broken.rule.excludes !== undefined && !broken.options.includes('sites');
  const remedy = isOmitted ? '; omit one of them' : '';
  return new InputError(`${refusalText(broken, naming)}${remedy}`);
}

/** Message of a broken rule with its reason. */
export function refusalText({ rule, sentence }: Omit<BrokenRule, 'options'>, naming: Naming): string {
  return `${sentence}, since ${typeof rule.why === 'string' ? rule.why : rule.why(naming)}`;
}

/** True if anything is decided by estimates, so that some must be there. */
export function usesEstimates(values: RuleValues): boolean {
  const { order, policy } = values;
  const reads = order !== undefined && isOrderFunction(order as Order);
  const tries = policy !== undefined && isTrying(policy as Policy);
  return (
    reads || tries || values.kill !== undefined || BY_ESTIMATE.some((each) => conditionHolds(each, values))
  );
}

/**
 * Refuses options that use estimates in a run of jobs without estimates.
 * @throws InputError.
 */
export function refuseEstimates(run: RuleValues, naming: Naming): void {
  const found = ruleBreak(WITHOUT_ESTIMATES, { ...run, estimates: { source: 'none' } }, naming);
  if (found !== undefined) throw refusalOf({ rule: WITHOUT_ESTIMATES, ...found }, naming);
}

/** True if an option says nothing in a run, since something that it needs does not hold. */
export function isIdle(option: OptionKey, values: RuleValues): boolean {
  return OPTION_RULES.some(
    ({ of, and = [], needs }) =>
      needs !== undefined &&
      of.some((condition) => condition.option === option) &&
      and.every((condition) => conditionHolds(condition, values)) &&
      !conditionHolds(needs, values),
  );
}

const DISCIPLINES = ['fcfs', 'first-available', 'easy', 'conservative'] as const;
type Discipline = (typeof DISCIPLINES)[number];

/** Rules that decide which job is next. */
export interface Rules {
  readonly order: Order;
  readonly discipline: Discipline;
  readonly backfillOrder: Order;
}

/** A run, as far as it decides them. */
export interface RulesOfRun extends Omit<Rules, 'discipline'> {
  readonly policy: Policy;
  readonly discipline: Parameters<typeof effectiveOrder>[0]['discipline'];
}

/**
 * The rules of each candidate of the policy of a run; undefined where all have those of the run.
 * @throws InputError for rules that no candidate can have.
 */
export function candidateRules(run: RulesOfRun): readonly Rules[] | undefined {
  const candidates = candidatesOf(run.policy);
  if (candidates.every(({ rules }) => rules === undefined)) return undefined;
  return candidates.map((candidate) => rulesOfCandidate(candidate, run));
}

function rulesOfCandidate(candidate: Policy, run: RulesOfRun): Rules {
  const { order, discipline, 'backfill-order': backfillOrder }: CandidateRules = candidate.rules ?? {};
  const refuse = (why: string) => candidateError(printPolicy(candidate), why);
  const checked = (name: string, input: string) => {
    if (FIXED_ORDERS.includes(input)) return input;
    throw refuse(
      `expected ${FIXED_ORDERS.join(', ')} for ${name}, found '${input}'; other keys are computed before the run, and for its own order alone`,
    );
  };
  const own = DISCIPLINES.find((word) => word === discipline);
  if (discipline !== undefined && own === undefined)
    throw refuse(`expected ${DISCIPLINES.join(', ')} for discipline, found '${discipline}'`);
  const ofRun = DISCIPLINES.find((word) => word === run.discipline) ?? 'fcfs';
  const isEasy = (own ?? ofRun) === 'easy';
  if (backfillOrder !== undefined && !isEasy)
    throw refuse('a backfill-order is for the jobs behind the one reservation, with discipline=easy');
  const none = RUN_OPTIONS.backfillOrder.default as Order;
  const behind = backfillOrder === undefined ? run.backfillOrder : checked('backfill-order', backfillOrder);
  return {
    order: order === undefined ? effectiveOrder(run) : checked('order', order),
    discipline: own ?? ofRun,
    backfillOrder: isEasy ? behind : none,
  };
}

/** True if anything is decided by estimates under some rules. */
export function decideByEstimates({ order, discipline }: Rules): boolean {
  return discipline === 'easy' || discipline === 'conservative' || isByEstimate(order);
}

/** The rules in the core's words: order, discipline and order of backfilling. */
export function ruleNumbers({ order, discipline, backfillOrder }: Rules): [number, number, number] {
  const constants = coreConstants();
  const { Order = 0 } = RUN_OPTIONS.order.core?.(order, constants) ?? {};
  const { Discipline = 0 } = RUN_OPTIONS.discipline.core?.(discipline, constants) ?? {};
  const { BackfillOrder = 0 } = RUN_OPTIONS.backfillOrder.core?.(backfillOrder, constants) ?? {};
  return [Order, Discipline, BackfillOrder];
}
