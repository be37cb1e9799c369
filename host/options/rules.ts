/**
 * Which options exclude or need which others: all refusals of combinations that the host makes, once. (The core has
 * its own as the last line, for other hosts.)
 */
import { coreConstants } from '../core/module.js';
import {
  type CandidateRules,
  candidatePolicies,
  candidatePolicyError,
  isTrialPolicy,
  type Policy,
  printPolicy,
} from '../core/policies.js';
import { InputError } from '../errors.js';
import { areRefreshed, type Estimates } from '../workload/estimates.js';
import { type Naming, type OptionKey, optionByKey } from './options.js';
import { FIXED_ORDER_WORDS, isOrderByEstimate, isOrderFunction, type Order } from './order.js';
import { OUTAGE_RULES } from './outageRules.js';
import { PARTITION_RULES } from './partitionRules.js';
import { PASS_RULES } from './passRules.js';
import {
  BACKFILLING_CONDITION,
  hasMoreSitesThan,
  hasOneOfValues,
  isNotDefault,
  isOptionSpecified,
  type OptionCondition,
  type OptionRule,
} from './ruleKinds.js';
import { effectiveOrder, RUN_OPTIONS, SHORT_DISCIPLINE_FORMS } from './runOptions.js';
import { SHARE_RULES } from './shareRules.js';

/** Disciplines that are short for an order by estimates. */
const SHORT_FORMS_BY_ESTIMATE = Object.entries(SHORT_DISCIPLINE_FORMS)
  .filter(([, order]) => isOrderByEstimate(order))
  .map(([word]) => word);

/** Options that decide by estimates. A function may also: it shows only when it reads one. */
const READS_ESTIMATES_CONDITIONS: readonly OptionCondition[] = [
  hasOneOfValues('discipline', 'easy', 'conservative', ...SHORT_FORMS_BY_ESTIMATE),
  {
    option: 'order',
    suchThat: {
      holds: (order) => !isOrderFunction(order as Order) && isOrderByEstimate(order as Order),
      words: 'an order by `estimate`',
    },
  },
  isNotDefault('moldableThreshold'),
];

/** Rule for jobs of unknown runtimes. */
const WITHOUT_ESTIMATES: OptionRule = {
  of: [hasOneOfValues('estimates', 'none')],
  excludes: READS_ESTIMATES_CONDITIONS,
  why: 'runtimes are then unknown',
};

/** Jobs are estimated again while they wait. */
const REFRESHED_ESTIMATES_CONDITION: OptionCondition = {
  option: 'estimates',
  suchThat: {
    holds: (estimates) => areRefreshed(estimates as Estimates),
    words: '`recent` with `refresh=yes`',
  },
};

/** Orders whose keys then change; for a function this is unknown. */
const ORDERED_BY_ESTIMATE_CONDITIONS: readonly OptionCondition[] = [
  hasOneOfValues('discipline', ...SHORT_FORMS_BY_ESTIMATE),
  {
    option: 'order',
    suchThat: {
      holds: (order) => isOrderByEstimate(order as Order),
      words: 'an order by `estimate`, a function',
    },
  },
];

/** Rules for policies with candidates, checked after all others. */
export const CHOOSING_POLICY_RULES: readonly OptionRule[] = [
  WITHOUT_ESTIMATES,
  {
    of: [hasOneOfValues('policy', 'dynamic')],
    excludes: [
      hasOneOfValues('queue', 'per-home', 'independent'),
      isNotDefault('multiSite'),
      isNotDefault('interval'),
      hasOneOfValues('order', 'wfp3'),
      hasOneOfValues('backfillOrder', 'wfp3'),
    ],
    why: 'candidates are tried on one queue, in orders whose keys do not change',
  },
  {
    of: [hasOneOfValues('policy', 'dynamic')],
    and: [REFRESHED_ESTIMATES_CONDITION],
    excludes: ORDERED_BY_ESTIMATE_CONDITIONS,
    why: 'candidates are tried on one queue, in orders whose keys do not change',
  },
  {
    of: [hasOneOfValues('policy', 'dynamic')],
    excludes: [isNotDefault('dependencies')],
    why: 'candidates are tried on the waiting jobs, without those submitted after them',
  },
];

/** A policy chooses sites under backfilling where it is given, with one queue for several sites, and no selection. */
const NO_SELECTION_CONDITION = hasOneOfValues('select', 'none');
const SHARED_QUEUE_CONDITION = hasOneOfValues('queue', 'shared');

/** Rules in the order in which they are checked. */
export const OPTION_RULES: readonly OptionRule[] = [
  {
    of: [isNotDefault('speeds')],
    excludes: [isNotDefault('heterogeneity')],
    why: 'both say how fast the sites are',
  },
  {
    of: [isNotDefault('offeredLoad')],
    excludes: [isNotDefault('arrivalScale')],
    why: 'both say how fast jobs arrive',
  },
  {
    of: [isNotDefault('kill')],
    needs: hasOneOfValues('estimates', 'trace', 'recent'),
    why: 'jobs are killed at their requested times, which exact or perturbed estimates are not',
  },
  {
    of: [isNotDefault('dependencies')],
    excludes: [hasOneOfValues('queue', 'independent')],
    why: "independent sites do not know when each other's jobs end",
  },
  {
    of: [hasOneOfValues('cancelled', 'keep')],
    excludes: [
      isNotDefault('reclaim'),
      isNotDefault('moldable'),
      isNotDefault('multiSite'),
      isNotDefault('multiSiteFactor'),
      hasOneOfValues('select', 'optimal', 'non-adaptive'),
      isNotDefault('interval'),
      hasOneOfValues('policy', 'dynamic'),
    ],
    why: 'no paper combines cancelled jobs with these',
  },
  {
    of: [isNotDefault('loadMachine')],
    needs: isOptionSpecified('offeredLoad'),
    why: 'it says of which machine that is a share',
  },
  { of: [isNotDefault('rc')], excludes: [isNotDefault('maxWidth')], why: 'both say which jobs are cut' },
  {
    of: [isNotDefault('reclaim')],
    needs: hasOneOfValues('queue', 'per-home'),
    why: 'a site stops jobs from elsewhere for those in its own queue',
  },
  {
    of: [isNotDefault('reclaim')],
    excludes: [isNotDefault('multiSite')],
    why: 'the fate of the other parts of a stopped job is undefined',
  },
  {
    of: [hasOneOfValues('queue', 'per-home')],
    excludes: [hasOneOfValues('discipline', 'first-available')],
    why: 'only the first job of each queue is considered',
  },
  {
    of: [isNotDefault('multiSiteOverhead')],
    needs: isNotDefault('multiSite'),
    why: 'it applies only to split jobs',
    isIdle: true,
  },
  {
    of: [isNotDefault('moldableThreshold'), isNotDefault('moldableFit'), isNotDefault('speedup')],
    needs: isNotDefault('moldable'),
    why: 'it applies only to moldable jobs',
    isIdle: true,
  },
  {
    of: [isNotDefault('moldableThreshold')],
    excludes: [hasOneOfValues('estimates', 'recent')],
    why: 'no paper defines a turnaround predicted from an exceeded estimate',
  },
  {
    of: [hasOneOfValues('moldable', 'up-down')],
    excludes: [hasMoreSitesThan(() => 1)],
    why: 'no paper says how jobs on several sites are scaled up',
  },
  {
    of: [isNotDefault('order')],
    excludes: [hasOneOfValues('discipline', ...Object.keys(SHORT_DISCIPLINE_FORMS))],
    why: 'it is short for fcfs with an order of its own',
    isIdle: true,
  },
  {
    of: [hasOneOfValues('order', 'wfp3')],
    excludes: [isNotDefault('reclaim'), isNotDefault('moldable')],
    why: 'the order changes with time, which no paper combines with these',
  },
  {
    of: ORDERED_BY_ESTIMATE_CONDITIONS,
    and: [REFRESHED_ESTIMATES_CONDITION],
    excludes: [isNotDefault('reclaim'), isNotDefault('moldable')],
    why: 'the order changes with the estimates, which no paper combines with these',
  },
  {
    of: [REFRESHED_ESTIMATES_CONDITION],
    excludes: [hasOneOfValues('reservations', 'kept')],
    why: 'a job may turn out to need its processors for longer than they are reserved',
  },
  {
    of: [isNotDefault('backfillOrder')],
    needs: hasOneOfValues('discipline', 'easy'),
    why: 'it orders the jobs behind the one reservation',
  },
  {
    of: [isNotDefault('moldable')],
    excludes: [
      hasOneOfValues('discipline', 'first-available', 'easy', 'conservative'),
      isNotDefault('queue'),
      isNotDefault('multiSite'),
      isNotDefault('minSpeedRatio'),
    ],
    why: 'moldable jobs wait in one queue, whose first job blocks, and run on any one site',
  },
  {
    of: [isNotDefault('moldable')],
    excludes: [isNotDefault('policy')],
    why: 'the rule of moldable jobs chooses the site itself',
    isIdle: true,
  },
  {
    of: [BACKFILLING_CONDITION],
    excludes: [isNotDefault('multiSite')],
    why: (naming) => `${naming('multiSiteFactor')} lets jobs run on several sites`,
  },
  {
    of: [BACKFILLING_CONDITION],
    excludes: [hasOneOfValues('queue', 'per-home')],
    why: 'sites are chosen for the jobs of one queue, or of one site',
  },
  {
    of: [isNotDefault('policy')],
    and: [BACKFILLING_CONDITION],
    excludes: [isNotDefault('select')],
    why: 'both choose the sites',
    isIdle: true,
  },
  {
    of: [isOptionSpecified('policy')],
    and: [BACKFILLING_CONDITION, NO_SELECTION_CONDITION, SHARED_QUEUE_CONDITION],
    excludes: [
      isNotDefault('multiSiteFactor'),
      isNotDefault('bandwidth'),
      hasOneOfValues('runtimeReference', 'home'),
    ],
    why: (naming) =>
      `policies cannot take it into account; omit ${naming('policy')} to let ${naming('select')} choose`,
  },
  {
    of: [isNotDefault('minSpeedRatio')],
    and: [BACKFILLING_CONDITION],
    excludes: [isNotDefault('select')],
    why: 'this selection ignores home-site speeds',
  },
  {
    of: [isNotDefault('minSpeedRatio')],
    and: [BACKFILLING_CONDITION, SHARED_QUEUE_CONDITION],
    needs: isOptionSpecified('policy'),
    why: 'otherwise sites are selected regardless of home-site speeds',
  },
  {
    of: [
      hasOneOfValues('runtimeReference', 'home'),
      isNotDefault('multiSiteFactor'),
      isNotDefault('interval'),
      isNotDefault('bandwidth'),
    ],
    needs: BACKFILLING_CONDITION,
    why: 'only backfilling has rules for it (Zhang et al. 2006)',
  },
  {
    of: [isNotDefault('reservationDepth')],
    needs: hasOneOfValues('discipline', 'easy'),
    why: 'fcfs and first-available make no reservations, and conservative makes one for every job',
  },
  {
    of: [isNotDefault('backfillOrder')],
    excludes: [hasOneOfValues('reservationDepth', '0')],
    why: 'without reservations no job is behind one; give --order, or a depth of 1 or more',
    isIdle: true,
  },
  {
    of: [isNotDefault('reservationDepth')],
    excludes: [hasOneOfValues('policy', 'dynamic')],
    why: 'trials have no rule for it',
  },
  {
    of: [hasOneOfValues('reservations', 'kept')],
    needs: hasOneOfValues('discipline', 'conservative'),
    why: 'no other discipline makes a reservation for every job',
  },
  {
    of: [hasOneOfValues('reservations', 'replanned')],
    needs: hasOneOfValues('discipline', 'conservative'),
    why: 'no other discipline makes a reservation for every job',
    isIdle: true,
  },
  {
    of: [hasOneOfValues('reservations', 'kept')],
    excludes: [hasOneOfValues('select', 'optimal', 'non-adaptive'), isNotDefault('multiSiteFactor')],
    why: 'selection among sets of sites is made again after every event',
  },
  {
    of: [hasOneOfValues('reservations', 'kept')],
    excludes: [isNotDefault('interval')],
    why: (naming) => `with ${naming('interval')} each pass replans, and no job starts between two passes`,
  },
  {
    of: [hasOneOfValues('reservations', 'kept')],
    excludes: [hasOneOfValues('policy', 'dynamic')],
    why: (naming) => `the trials of ${naming('policy', 'dynamic')} replan`,
  },
  ...PASS_RULES,
  {
    of: [isNotDefault('select')],
    needs: BACKFILLING_CONDITION,
    why: 'only backfilling plans ahead',
    isIdle: true,
  },
  {
    of: [hasOneOfValues('queue', 'independent')],
    excludes: [isNotDefault('multiSiteFactor')],
    why: 'every site plans for itself',
  },
  {
    of: [hasOneOfValues('queue', 'independent')],
    excludes: [isNotDefault('select')],
    why: 'every site plans for itself',
    isIdle: true,
  },
  {
    of: [isNotDefault('latency')],
    needs: isNotDefault('bandwidth'),
    why: 'it applies only to data transfers',
    isIdle: true,
  },
  {
    of: [hasOneOfValues('select', 'optimal')],
    and: [isNotDefault('multiSiteFactor')],
    excludes: [hasMoreSitesThan(() => coreConstants().Limit.SitesOfSets)],
    why: (naming) => `it looks at every set of sites; take ${naming('select', 'greedy')}`,
  },
  ...SHARE_RULES,
  ...OUTAGE_RULES,
  ...PARTITION_RULES,
  ...CHOOSING_POLICY_RULES,
];

/** Options of a run or of a whole simulation; absent ones have their defaults. */
type OptionValuesForRules = Readonly<Partial<Record<OptionKey, unknown>>> & {
  /** Number of sites; absent: unknown, and no condition on it holds. */
  readonly siteCount?: number | undefined;
};

function textOf({ option }: OptionCondition, values: OptionValuesForRules): string {
  const value = values[option];
  return value === undefined ? defaultValueText(option) : optionByKey(option).print(value);
}

/** The default as the option prints it. */
function defaultValueText(option: OptionKey): string {
  const { default: defaultValue, print } = optionByKey(option);
  return typeof defaultValue === 'object' ? print(defaultValue) : String(defaultValue);
}

/** The name in a notation with parameters. */
function optionNameInText(text: string): string {
  return text.replace(/[[:].*$/, '');
}

function conditionHolds(condition: OptionCondition, values: OptionValuesForRules): boolean {
  if (condition.moreThan !== undefined) return (values.siteCount ?? 0) > condition.moreThan();
  if (condition.isGiven) return values[condition.option] !== undefined;
  if (condition.suchThat !== undefined) {
    const value = values[condition.option];
    return value !== undefined && condition.suchThat.holds(value);
  }
  const text = textOf(condition, values);
  if (condition.is !== undefined)
    return condition.is.includes(text) || condition.is.includes(optionNameInText(text));
  return values[condition.option] !== undefined && text !== defaultValueText(condition.option);
}

function conditionName(condition: OptionCondition, values: OptionValuesForRules, naming: Naming): string {
  const text = textOf(condition, values);
  if (optionByKey(condition.option).choices !== undefined) return naming(condition.option, text);
  return condition.is === undefined
    ? naming(condition.option)
    : naming(condition.option, optionNameInText(text));
}

/** Refusal of options by a rule, without the reason. */
type RuleViolation = Omit<BrokenOptionRule, 'rule'>;

/** Refusal of options by a rule; undefined if they keep it. */
function findRuleViolation(
  rule: OptionRule,
  values: OptionValuesForRules,
  naming: Naming,
): RuleViolation | undefined {
  const { of, and = [], needs, excludes = [] } = rule;
  const one = of.find((condition) => conditionHolds(condition, values));
  if (one === undefined || !and.every((condition) => conditionHolds(condition, values))) return undefined;
  const ruleSubjectText = [one, ...and.filter(({ option }) => conditionHolds(isNotDefault(option), values))]
    .map((condition) => conditionName(condition, values, naming))
    .join(' with ');
  if (needs !== undefined && !conditionHolds(needs, values)) {
    const sentence = `${ruleSubjectText} needs ${naming(needs.option, ...(needs.is ?? []))}`;
    return { sentence, options: [one.option, needs.option] };
  }
  const other = excludes.find((condition) => conditionHolds(condition, values));
  if (other === undefined) return undefined;
  return {
    sentence: exclusionSentence(ruleSubjectText, other, values, naming),
    options: [one.option, other.option],
  };
}

function exclusionSentence(
  ruleSubjectText: string,
  other: OptionCondition,
  values: OptionValuesForRules,
  naming: Naming,
): string {
  const most = other.moreThan?.();
  if (most === undefined)
    return `${ruleSubjectText} cannot be combined with ${conditionName(other, values, naming)}`;
  const sites = most === 1 ? 'a single site' : `at most ${most} sites`;
  return `${ruleSubjectText} is for ${sites}, found ${values.siteCount}`;
}

/** Rule that options break, with its message. */
export interface BrokenOptionRule {
  readonly rule: OptionRule;
  /** Message without the reason. */
  readonly sentence: string;
  /** Options that conflict: the one that the rule is for, and the one that it needs or excludes. */
  readonly options: readonly OptionKey[];
}

/** Finds the first rule that options break. */
export function findBrokenRule(
  options: OptionValuesForRules,
  naming: Naming,
  siteCount?: number,
): BrokenOptionRule | undefined {
  const values = { ...options, siteCount };
  for (const rule of OPTION_RULES) {
    const found = findRuleViolation(rule, values, naming);
    if (found !== undefined) return { rule, ...found };
  }
  return undefined;
}

/**
 * Refuses options that conflict.
 * @param siteCount how many sites there are, where that is known.
 * @throws InputError with the first rule that is broken, the options named as the user has given them.
 */
export function checkOptionRules(values: OptionValuesForRules, naming: Naming, siteCount?: number): void {
  const brokenOptionRule = findBrokenRule(values, naming, siteCount);
  if (brokenOptionRule !== undefined) throw refusalOfRule(brokenOptionRule, naming);
}

function refusalOfRule(brokenOptionRule: BrokenOptionRule, naming: Naming): InputError {
  const isOmissionAdvised =
    brokenOptionRule.rule.excludes !== undefined && !brokenOptionRule.options.includes('sites');
  const remedy = isOmissionAdvised ? '; omit one of them' : '';
  return new InputError(`${ruleRefusalText(brokenOptionRule, naming)}${remedy}`);
}

/** Message of a broken rule with its reason. */
export function ruleRefusalText(
  { rule, sentence }: Omit<BrokenOptionRule, 'options'>,
  naming: Naming,
): string {
  return `${sentence}, since ${typeof rule.why === 'string' ? rule.why : rule.why(naming)}`;
}

/** True if anything is decided by estimates, so that some must be there. */
export function usesEstimates(values: OptionValuesForRules): boolean {
  const { order, policy } = values;
  const readsEstimate = order !== undefined && isOrderFunction(order as Order);
  const tries = policy !== undefined && isTrialPolicy(policy as Policy);
  return (
    readsEstimate ||
    tries ||
    values.kill !== undefined ||
    READS_ESTIMATES_CONDITIONS.some((each) => conditionHolds(each, values))
  );
}

/**
 * Refuses options that use estimates in a run of jobs without estimates.
 * @throws InputError.
 */
export function refuseEstimates(run: OptionValuesForRules, naming: Naming): void {
  const found = findRuleViolation(WITHOUT_ESTIMATES, { ...run, estimates: { source: 'none' } }, naming);
  if (found !== undefined) throw refusalOfRule({ rule: WITHOUT_ESTIMATES, ...found }, naming);
}

/** True if an option says nothing in a run, since something that it needs does not hold. */
export function isIdle(option: OptionKey, values: OptionValuesForRules): boolean {
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
export interface CandidateRuleWords {
  readonly order: Order;
  readonly discipline: Discipline;
  readonly backfillOrder: Order;
}

/** A run, as far as it decides them. */
export interface RunWithRules extends Omit<CandidateRuleWords, 'discipline'> {
  readonly policy: Policy;
  readonly discipline: Parameters<typeof effectiveOrder>[0]['discipline'];
}

/**
 * The rules of each candidate of the policy of a run; undefined where all have those of the run.
 * @throws InputError for rules that no candidate can have.
 */
export function candidateRules(run: RunWithRules): readonly CandidateRuleWords[] | undefined {
  const candidates = candidatePolicies(run.policy);
  if (candidates.every(({ rules }) => rules === undefined)) return undefined;
  return candidates.map((candidate) => rulesOfCandidate(candidate, run));
}

function rulesOfCandidate(candidate: Policy, run: RunWithRules): CandidateRuleWords {
  const { order, discipline, 'backfill-order': backfillOrder }: CandidateRules = candidate.rules ?? {};
  const refuseCandidate = (why: string) => candidatePolicyError(printPolicy(candidate), why);
  const checked = (name: string, input: string) => {
    if (FIXED_ORDER_WORDS.includes(input)) return input;
    throw refuseCandidate(
      `expected ${FIXED_ORDER_WORDS.join(', ')} for ${name}, found '${input}'; other keys are computed before the run, and for its own order alone`,
    );
  };
  const own = DISCIPLINES.find((word) => word === discipline);
  if (discipline !== undefined && own === undefined)
    throw refuseCandidate(`expected ${DISCIPLINES.join(', ')} for discipline, found '${discipline}'`);
  const disciplineOfRun = DISCIPLINES.find((word) => word === run.discipline) ?? 'fcfs';
  const isEasyBackfilling = (own ?? disciplineOfRun) === 'easy';
  if (backfillOrder !== undefined && !isEasyBackfilling)
    throw refuseCandidate(
      'a backfill-order is for the jobs behind the one reservation, with discipline=easy',
    );
  const none = RUN_OPTIONS.backfillOrder.default as Order;
  const behind = backfillOrder === undefined ? run.backfillOrder : checked('backfill-order', backfillOrder);
  return {
    order: order === undefined ? effectiveOrder(run) : checked('order', order),
    discipline: own ?? disciplineOfRun,
    backfillOrder: isEasyBackfilling ? behind : none,
  };
}

/** True if anything is decided by estimates under some rules. */
export function doRulesNeedEstimates({ order, discipline }: CandidateRuleWords): boolean {
  return discipline === 'easy' || discipline === 'conservative' || isOrderByEstimate(order);
}

/** The rules in the core's words: order, discipline and order of backfilling. */
export function coreRuleNumbers({
  order,
  discipline,
  backfillOrder,
}: CandidateRuleWords): [number, number, number] {
  const constants = coreConstants();
  const { Order = 0 } = RUN_OPTIONS.order.core?.(order, constants) ?? {};
  const { Discipline = 0 } = RUN_OPTIONS.discipline.core?.(discipline, constants) ?? {};
  const { BackfillOrder = 0 } = RUN_OPTIONS.backfillOrder.core?.(backfillOrder, constants) ?? {};
  return [Order, Discipline, BackfillOrder];
}
