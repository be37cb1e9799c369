/** All rules on options that exclude or need each other, checked before a run; the core repeats the checks. */
import { coreConstants } from '../core/module.js';
import { isTrialPolicy, type Policy } from '../core/policies.js';
import { InputError } from '../errors.js';
import { areEstimatesRefreshed, type Estimates } from '../workload/estimates.js';
import { findOptionByKey, type Naming, type OptionKey, optionNameOfKey } from './options.js';
import { dependsOnEstimates, isFunctionOrder, type Order } from './order.js';
import { OUTAGE_RULES } from './outageRules.js';
import { PARTITION_RULES } from './partitionRules.js';
import { PASS_RULES } from './passRules.js';
import {
  BACKFILLING_CONDITION,
  type OptionCondition,
  type OptionRule,
  optionIsGiven,
  optionIsOneOf,
  optionIsSet,
  SHARED_QUEUE_CONDITION,
  siteCountAbove,
} from './ruleKinds.js';
import { DISCIPLINES_SHORT_FOR_ORDERS } from './runOptions.js';
import { LIMIT_AND_ORDER_RULES } from './shareRules.js';

/** Disciplines that are short forms for an order by runtime estimates. */
const ESTIMATE_BASED_SHORT_FORMS = Object.entries(DISCIPLINES_SHORT_FOR_ORDERS)
  .filter(([, order]) => dependsOnEstimates(order))
  .map(([word]) => word);

/** Conditions under which options use runtime estimates. Functions may use them too, which shows only later. */
const ESTIMATE_READING_CONDITIONS: readonly OptionCondition[] = [
  optionIsOneOf('discipline', 'easy', 'conservative', ...ESTIMATE_BASED_SHORT_FORMS),
  {
    option: 'order',
    suchThat: {
      isSatisfiedBy: (order) => !isFunctionOrder(order as Order) && dependsOnEstimates(order as Order),
      words: 'an order by `estimate`',
    },
  },
  optionIsSet('moldableThreshold'),
];

/** Rule: without runtime estimates (`--estimates none`), options that need them are refused. */
const NO_ESTIMATES_RULE: OptionRule = {
  of: [optionIsOneOf('estimates', 'none')],
  excludes: ESTIMATE_READING_CONDITIONS,
  why: 'runtimes are then unknown',
};

/** Condition: estimates of waiting jobs are updated. */
const ESTIMATES_REFRESHED_CONDITION: OptionCondition = {
  option: 'estimates',
  suchThat: {
    isSatisfiedBy: (estimates) => areEstimatesRefreshed(estimates as Estimates),
    words: '`recent` with `refresh=yes`',
  },
};

/** Orders whose keys change when estimates do; for a function this is unknown. */
const ORDER_BY_ESTIMATE_CONDITIONS: readonly OptionCondition[] = [
  optionIsOneOf('discipline', ...ESTIMATE_BASED_SHORT_FORMS),
  {
    option: 'order',
    suchThat: {
      isSatisfiedBy: (order) => dependsOnEstimates(order as Order),
      words: 'an order by `estimate`, a function',
    },
  },
];

/** Rules for policies that choose among candidates, checked after all others. */
export const CHOOSING_POLICY_RULES: readonly OptionRule[] = [
  NO_ESTIMATES_RULE,
  {
    of: [optionIsOneOf('policy', 'dynamic')],
    excludes: [
      optionIsOneOf('queue', 'per-home', 'independent'),
      optionIsSet('multiSite'),
      optionIsSet('interval'),
      optionIsOneOf('order', 'wfp3'),
      optionIsOneOf('backfillOrder', 'wfp3'),
    ],
    why: 'candidates are tried on one queue, in orders whose keys do not change',
  },
  {
    of: [optionIsOneOf('policy', 'dynamic')],
    and: [ESTIMATES_REFRESHED_CONDITION],
    excludes: ORDER_BY_ESTIMATE_CONDITIONS,
    why: 'candidates are tried on one queue, in orders whose keys do not change',
  },
  {
    of: [optionIsOneOf('policy', 'dynamic')],
    excludes: [optionIsSet('dependencies')],
    why: 'candidates are tried on the waiting jobs, without those submitted after them',
  },
];

/** Condition: the policy chooses sites under backfilling, since no selection is given. */
const POLICY_SITE_SELECTION_CONDITION = optionIsOneOf('select', 'none');

/** All rules, in the order in which they are checked. */
export const OPTION_RULES: readonly OptionRule[] = [
  {
    of: [optionIsSet('speeds')],
    excludes: [optionIsSet('heterogeneity')],
    why: 'both say how fast the sites are',
  },
  {
    of: [optionIsSet('offeredLoad')],
    excludes: [optionIsSet('arrivalScale')],
    why: 'both say how fast jobs arrive',
  },
  {
    of: [optionIsSet('kill')],
    needs: optionIsOneOf('estimates', 'trace', 'recent'),
    why: 'jobs are killed at their requested times, which exact or perturbed estimates are not',
  },
  {
    of: [optionIsSet('dependencies')],
    excludes: [optionIsOneOf('queue', 'independent')],
    why: "independent sites do not know when each other's jobs end",
  },
  {
    of: [optionIsOneOf('cancelled', 'keep')],
    excludes: [
      optionIsSet('reclaim'),
      optionIsSet('moldable'),
      optionIsSet('multiSite'),
      optionIsSet('multiSiteFactor'),
      optionIsOneOf('select', 'optimal', 'non-adaptive'),
      optionIsSet('interval'),
      optionIsOneOf('policy', 'dynamic'),
    ],
    why: 'no paper combines cancelled jobs with these',
  },
  {
    of: [optionIsSet('loadMachine')],
    needs: optionIsGiven('offeredLoad'),
    why: 'it says of which machine that is a share',
  },
  {
    of: [optionIsSet('rc')],
    excludes: [optionIsSet('maxWidth')],
    why: 'both say which jobs are cut',
  },
  {
    of: [optionIsSet('reclaim')],
    needs: optionIsOneOf('queue', 'per-home'),
    why: 'a site stops jobs from elsewhere for those in its own queue',
  },
  {
    of: [optionIsSet('reclaim')],
    excludes: [optionIsSet('multiSite')],
    why: 'the fate of the other parts of a stopped job is undefined',
  },
  {
    of: [optionIsOneOf('queue', 'per-home')],
    excludes: [optionIsOneOf('discipline', 'first-available')],
    why: 'only the first job of each queue is considered',
  },
  {
    of: [optionIsSet('multiSiteOverhead')],
    needs: optionIsSet('multiSite'),
    why: 'it applies only to split jobs',
    isIdle: true,
  },
  {
    of: [optionIsSet('moldableThreshold'), optionIsSet('moldableFit'), optionIsSet('speedup')],
    needs: optionIsSet('moldable'),
    why: 'it applies only to moldable jobs',
    isIdle: true,
  },
  {
    of: [optionIsSet('moldableThreshold')],
    excludes: [optionIsOneOf('estimates', 'recent')],
    why: 'no paper defines a turnaround predicted from an exceeded estimate',
  },
  {
    of: [optionIsOneOf('moldable', 'up-down')],
    excludes: [siteCountAbove(() => 1)],
    why: 'no paper says how jobs on several sites are scaled up',
  },
  {
    of: [optionIsSet('order')],
    excludes: [optionIsOneOf('discipline', ...Object.keys(DISCIPLINES_SHORT_FOR_ORDERS))],
    why: 'it is short for fcfs with an order of its own',
    isIdle: true,
  },
  {
    of: [optionIsOneOf('order', 'wfp3')],
    excludes: [optionIsSet('reclaim'), optionIsSet('moldable')],
    why: 'the order changes with time, which no paper combines with these',
  },
  {
    of: ORDER_BY_ESTIMATE_CONDITIONS,
    and: [ESTIMATES_REFRESHED_CONDITION],
    excludes: [optionIsSet('reclaim'), optionIsSet('moldable')],
    why: 'the order changes with the estimates, which no paper combines with these',
  },
  {
    of: [ESTIMATES_REFRESHED_CONDITION],
    excludes: [optionIsOneOf('reservations', 'kept')],
    why: 'a job may turn out to need its processors for longer than they are reserved',
  },
  {
    of: [optionIsSet('backfillOrder')],
    needs: optionIsOneOf('discipline', 'easy'),
    why: 'it orders the jobs behind the one reservation',
  },
  {
    of: [optionIsSet('moldable')],
    excludes: [
      optionIsOneOf('discipline', 'first-available', 'easy', 'conservative'),
      optionIsSet('queue'),
      optionIsSet('multiSite'),
      optionIsSet('minSpeedRatio'),
    ],
    why: 'moldable jobs wait in one queue, whose first job blocks, and run on any one site',
  },
  {
    of: [optionIsSet('moldable')],
    excludes: [optionIsSet('policy')],
    why: 'the rule of moldable jobs chooses the site itself',
    isIdle: true,
  },
  {
    of: [BACKFILLING_CONDITION],
    excludes: [optionIsSet('multiSite')],
    why: (naming) => `${naming('multiSiteFactor')} lets jobs run on several sites`,
  },
  {
    of: [BACKFILLING_CONDITION],
    excludes: [optionIsOneOf('queue', 'per-home')],
    why: 'sites are chosen for the jobs of one queue, or of one site',
  },
  {
    of: [optionIsSet('policy')],
    and: [BACKFILLING_CONDITION],
    excludes: [optionIsSet('select')],
    why: 'both choose the sites',
    isIdle: true,
  },
  {
    of: [optionIsGiven('policy')],
    and: [BACKFILLING_CONDITION, POLICY_SITE_SELECTION_CONDITION, SHARED_QUEUE_CONDITION],
    excludes: [
      optionIsSet('multiSiteFactor'),
      optionIsSet('bandwidth'),
      optionIsOneOf('runtimeReference', 'home'),
    ],
    why: (naming) =>
      `policies cannot take it into account; omit ${naming('policy')} to let ${naming('select')} choose`,
  },
  {
    of: [optionIsSet('minSpeedRatio')],
    and: [BACKFILLING_CONDITION],
    excludes: [optionIsSet('select')],
    why: 'this selection ignores home-site speeds',
  },
  {
    of: [optionIsSet('minSpeedRatio')],
    and: [BACKFILLING_CONDITION, SHARED_QUEUE_CONDITION],
    needs: optionIsGiven('policy'),
    why: 'otherwise sites are selected regardless of home-site speeds',
  },
  {
    of: [
      optionIsOneOf('runtimeReference', 'home'),
      optionIsSet('multiSiteFactor'),
      optionIsSet('interval'),
      optionIsSet('bandwidth'),
    ],
    needs: BACKFILLING_CONDITION,
    why: 'only backfilling has rules for it (Zhang et al. 2006)',
  },
  {
    of: [optionIsSet('reservationDepth')],
    needs: optionIsOneOf('discipline', 'easy'),
    why: 'fcfs and first-available make no reservations, and conservative makes one for every job',
  },
  {
    of: [optionIsSet('backfillOrder')],
    excludes: [optionIsOneOf('reservationDepth', '0')],
    why: 'without reservations no job is behind one; give --order, or a depth of 1 or more',
    isIdle: true,
  },
  {
    of: [optionIsSet('reservationDepth')],
    excludes: [optionIsOneOf('policy', 'dynamic')],
    why: 'trials have no rule for it',
  },
  {
    of: [optionIsOneOf('reservations', 'kept')],
    needs: optionIsOneOf('discipline', 'conservative'),
    why: 'no other discipline makes a reservation for every job',
  },
  {
    of: [optionIsOneOf('reservations', 'replanned')],
    needs: optionIsOneOf('discipline', 'conservative'),
    why: 'no other discipline makes a reservation for every job',
    isIdle: true,
  },
  {
    of: [optionIsOneOf('reservations', 'kept')],
    excludes: [optionIsOneOf('select', 'optimal', 'non-adaptive'), optionIsSet('multiSiteFactor')],
    why: 'selection among sets of sites is made again after every event',
  },
  {
    of: [optionIsOneOf('reservations', 'kept')],
    excludes: [optionIsSet('interval')],
    why: (naming) => `with ${naming('interval')} each pass replans, and no job starts between two passes`,
  },
  {
    of: [optionIsOneOf('reservations', 'kept')],
    excludes: [optionIsOneOf('policy', 'dynamic')],
    why: (naming) => `the trials of ${naming('policy', 'dynamic')} replan`,
  },
  ...PASS_RULES,
  {
    of: [optionIsSet('select')],
    needs: BACKFILLING_CONDITION,
    why: 'only backfilling plans ahead',
    isIdle: true,
  },
  {
    of: [optionIsOneOf('queue', 'independent')],
    excludes: [optionIsSet('multiSiteFactor')],
    why: 'every site plans for itself',
  },
  {
    of: [optionIsOneOf('queue', 'independent')],
    excludes: [optionIsSet('select')],
    why: 'every site plans for itself',
    isIdle: true,
  },
  {
    of: [optionIsSet('latency')],
    needs: optionIsSet('bandwidth'),
    why: 'it applies only to data transfers',
    isIdle: true,
  },
  {
    of: [optionIsOneOf('select', 'optimal')],
    and: [optionIsSet('multiSiteFactor')],
    excludes: [siteCountAbove(() => coreConstants().Limit.SitesOfSets)],
    why: (naming) => `it looks at every set of sites; take ${naming('select', 'greedy')}`,
  },
  ...LIMIT_AND_ORDER_RULES,
  ...OUTAGE_RULES,
  ...PARTITION_RULES,
  ...CHOOSING_POLICY_RULES,
];

/** Options of a run or of a whole simulation; absent ones have their defaults. */
type OptionValuesForRules = Readonly<Partial<Record<OptionKey, unknown>>> & {
  /** Number of sites; absent: unknown, so that no condition on it holds. */
  readonly siteCount?: number | undefined;
};

function optionTextForRule({ option }: OptionCondition, optionValues: OptionValuesForRules): string {
  const optionValue = optionValues[option];
  return optionValue === undefined ? printDefaultValue(option) : findOptionByKey(option).print(optionValue);
}

/** Default of an option as text. */
function printDefaultValue(option: OptionKey): string {
  const { default: defaultValue, print } = findOptionByKey(option);
  return typeof defaultValue === 'object' ? print(defaultValue) : String(defaultValue);
}

/** Name in a notation with parameters. */
function nameInNotation(notationText: string): string {
  return notationText.replace(/[[:].*$/, '');
}

function isConditionMet(condition: OptionCondition, optionValues: OptionValuesForRules): boolean {
  if (condition.readLimit !== undefined) return (optionValues.siteCount ?? 0) > condition.readLimit();
  if (condition.isGiven) return optionValues[condition.option] !== undefined;
  if (condition.suchThat !== undefined) {
    const optionValue = optionValues[condition.option] ?? findOptionByKey(condition.option).default;
    return optionValue !== undefined && condition.suchThat.isSatisfiedBy(optionValue);
  }
  const optionText = optionTextForRule(condition, optionValues);
  if (condition.is !== undefined)
    return condition.is.includes(optionText) || condition.is.includes(nameInNotation(optionText));
  return optionValues[condition.option] !== undefined && optionText !== printDefaultValue(condition.option);
}

function describeCondition(
  condition: OptionCondition,
  optionValues: OptionValuesForRules,
  naming: Naming,
): string {
  const optionText = optionTextForRule(condition, optionValues);
  const { choices: optionChoices, form } = findOptionByKey(condition.option);
  const showsValue = optionChoices !== undefined || (condition.suchThat !== undefined && form === 'number');
  if (showsValue) return naming(condition.option, optionText);
  return condition.is === undefined
    ? naming(condition.option)
    : naming(condition.option, nameInNotation(optionText));
}

/** Violation of a rule, without the rule. */
type RuleViolation = Omit<BrokenOptionRule, 'rule'>;

/** Checks options against a rule; undefined if they satisfy it. */
function findRuleViolation(
  rule: OptionRule,
  optionValues: OptionValuesForRules,
  naming: Naming,
): RuleViolation | undefined {
  const { of: ruleSubjects, and = [], needs, excludes = [] } = rule;
  const subject = ruleSubjects.find((condition) => isConditionMet(condition, optionValues));
  if (subject === undefined || !and.every((condition) => isConditionMet(condition, optionValues)))
    return undefined;
  const ruleSubjectText = [
    subject,
    ...and.filter(({ option }) => isConditionMet(optionIsSet(option), optionValues)),
  ]
    .map((condition) => describeCondition(condition, optionValues, naming))
    .join(' with ');
  if (needs !== undefined && !isConditionMet(needs, optionValues)) {
    const options = [subject.option, needs.option];
    if (needs.suchThat === undefined)
      return { sentence: `${ruleSubjectText} needs ${naming(needs.option, ...(needs.is ?? []))}`, options };
    const reasonText = `the ${optionNameOfKey(needs.option)} here is ${optionTextForRule(needs, optionValues)}`;
    const ruleSentence = `${ruleSubjectText} is only for ${needs.suchThat.words}; ${reasonText}`;
    return { sentence: ruleSentence, options, isReasonIncluded: true };
  }
  const otherCondition = excludes.find((condition) => isConditionMet(condition, optionValues));
  if (otherCondition === undefined) return undefined;
  return {
    sentence: describeExclusion(ruleSubjectText, otherCondition, optionValues, naming),
    options: [subject.option, otherCondition.option],
  };
}

function describeExclusion(
  ruleSubjectText: string,
  otherCondition: OptionCondition,
  optionValues: OptionValuesForRules,
  naming: Naming,
): string {
  const maxSites = otherCondition.readLimit?.();
  if (maxSites === undefined)
    return `${ruleSubjectText} cannot be combined with ${describeCondition(otherCondition, optionValues, naming)}`;
  const sitesText = maxSites === 1 ? 'a single site' : `at most ${maxSites} sites`;
  return `${ruleSubjectText} is for ${sitesText}, found ${optionValues.siteCount}`;
}

/** A violated rule, with its message. */
export interface BrokenOptionRule {
  readonly rule: OptionRule;
  /** Message without the reason. */
  readonly sentence: string;
  /** True if the message already says the reason. */
  readonly isReasonIncluded?: boolean;
  /** Conflicting options: the subject of the rule, and the option that it needs or excludes. */
  readonly options: readonly OptionKey[];
}

/** Finds the first rule that the options violate. */
export function findBrokenRule(
  options: OptionValuesForRules,
  naming: Naming,
  siteCount?: number,
): BrokenOptionRule | undefined {
  const optionValues = { ...options, siteCount };
  for (const rule of OPTION_RULES) {
    const violation = findRuleViolation(rule, optionValues, naming);
    if (violation !== undefined) return { rule, ...violation };
  }
  return undefined;
}

/**
 * Refuses conflicting options.
 * @param siteCount number of sites, if known.
 * @throws InputError for the first violated rule, with options named as the user gave them.
 */
export function checkOptionRules(
  optionValues: OptionValuesForRules,
  naming: Naming,
  siteCount?: number,
): void {
  const brokenOptionRule = findBrokenRule(optionValues, naming, siteCount);
  if (brokenOptionRule !== undefined) throw brokenRuleError(brokenOptionRule, naming);
}

/** Error for a violated rule. */
export function brokenRuleError(brokenOptionRule: BrokenOptionRule, naming: Naming): InputError {
  const isOmissionAdvised =
    brokenOptionRule.rule.excludes !== undefined && !brokenOptionRule.options.includes('sites');
  const remedy = brokenOptionRule.rule.remedy ?? (isOmissionAdvised ? 'omit one of them' : undefined);
  const message = brokenRuleMessage(brokenOptionRule, naming);
  return new InputError(remedy === undefined ? message : `${message}; ${remedy}`);
}

/** Message for a violated rule with its reason. */
export function brokenRuleMessage(
  { rule, sentence, isReasonIncluded = false }: Omit<BrokenOptionRule, 'options'>,
  naming: Naming,
): string {
  if (isReasonIncluded) return sentence;
  return `${sentence}, since ${typeof rule.why === 'string' ? rule.why : rule.why(naming)}`;
}

/** True if any option uses runtime estimates, so that the jobs must have some. */
export function doOptionsUseEstimates(optionValues: OptionValuesForRules): boolean {
  const { order, policy } = optionValues;
  const hasFunctionOrder = order !== undefined && isFunctionOrder(order as Order);
  const triesCandidates = policy !== undefined && isTrialPolicy(policy as Policy);
  return (
    hasFunctionOrder ||
    triesCandidates ||
    optionValues.kill !== undefined ||
    ESTIMATE_READING_CONDITIONS.some((condition) => isConditionMet(condition, optionValues))
  );
}

/**
 * Refuses options that use estimates in a run whose jobs have none.
 * @throws InputError if the options use estimates.
 */
export function refuseOptionsUsingEstimates(runOptions: OptionValuesForRules, naming: Naming): void {
  const violation = findRuleViolation(
    NO_ESTIMATES_RULE,
    { ...runOptions, estimates: { source: 'none' } },
    naming,
  );
  if (violation !== undefined) throw brokenRuleError({ rule: NO_ESTIMATES_RULE, ...violation }, naming);
}

/** True if an option has no effect in a run, since a condition it needs does not hold. */
export function isOptionWithoutEffect(option: OptionKey, optionValues: OptionValuesForRules): boolean {
  return OPTION_RULES.some(
    ({ of: ruleSubjects, and = [], needs }) =>
      needs !== undefined &&
      ruleSubjects.some(
        (condition) =>
          condition.option === option &&
          (condition.suchThat === undefined || isConditionMet(condition, optionValues)),
      ) &&
      and.every((condition) => isConditionMet(condition, optionValues)) &&
      !isConditionMet(needs, optionValues),
  );
}
