/** All rules on options that exclude or need each other, checked before a run; the core repeats the checks. */
import { loadCoreConstants } from '../core/module.js';
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
  makeOptionIsGivenCondition,
  makeOptionIsOneOfCondition,
  makeOptionIsSetCondition,
  makeSiteCountAboveCondition,
  type OptionCondition,
  type OptionRule,
  SHARED_QUEUE_CONDITION,
} from './ruleKinds.js';
import { DISCIPLINES_SHORT_FOR_ORDERS } from './runOptions.js';
import { LIMIT_AND_ORDER_RULES } from './shareRules.js';

/** Disciplines that are short forms for an order by runtime estimates. */
const ESTIMATE_BASED_DISCIPLINES = Object.entries(DISCIPLINES_SHORT_FOR_ORDERS)
  .filter(([, order]) => dependsOnEstimates(order))
  .map(([word]) => word);

/** Conditions under which options use runtime estimates. Functions may use them too, which shows only later. */
const ESTIMATE_READING_CONDITIONS: readonly OptionCondition[] = [
  makeOptionIsOneOfCondition('discipline', 'easy', 'conservative', ...ESTIMATE_BASED_DISCIPLINES),
  {
    option: 'order',
    suchThat: {
      isSatisfiedBy: (order) => !isFunctionOrder(order as Order) && dependsOnEstimates(order as Order),
      words: 'an order by `estimate`',
    },
  },
  makeOptionIsSetCondition('moldableThreshold'),
];

/** Rule: without runtime estimates (`--estimates none`), options that need them are refused. */
const NO_ESTIMATES_RULE: OptionRule = {
  of: [makeOptionIsOneOfCondition('estimates', 'none')],
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
  makeOptionIsOneOfCondition('discipline', ...ESTIMATE_BASED_DISCIPLINES),
  {
    option: 'order',
    suchThat: {
      isSatisfiedBy: (order) => dependsOnEstimates(order as Order),
      words: 'an order by `estimate`, a function',
    },
  },
];

/** Rules for policies that choose among candidates, checked after all others. */
export const RULES_FOR_TRIAL_POLICIES: readonly OptionRule[] = [
  NO_ESTIMATES_RULE,
  {
    of: [makeOptionIsOneOfCondition('policy', 'dynamic')],
    excludes: [
      makeOptionIsOneOfCondition('queue', 'per-home', 'independent'),
      makeOptionIsSetCondition('multiSite'),
      makeOptionIsSetCondition('interval'),
      makeOptionIsOneOfCondition('order', 'wfp3'),
      makeOptionIsOneOfCondition('backfillOrder', 'wfp3'),
    ],
    why: 'candidates are tried on one queue, in orders whose keys do not change',
  },
  {
    of: [makeOptionIsOneOfCondition('policy', 'dynamic')],
    and: [ESTIMATES_REFRESHED_CONDITION],
    excludes: ORDER_BY_ESTIMATE_CONDITIONS,
    why: 'candidates are tried on one queue, in orders whose keys do not change',
  },
  {
    of: [makeOptionIsOneOfCondition('policy', 'dynamic')],
    excludes: [makeOptionIsSetCondition('dependencies')],
    why: 'candidates are tried on the waiting jobs, without those submitted after them',
  },
];

/** Condition: the policy chooses sites under backfilling, since no selection is given. */
const POLICY_SITE_SELECTION_CONDITION = makeOptionIsOneOfCondition('select', 'none');

/** All rules, in the order in which they are checked. */
export const OPTION_RULES: readonly OptionRule[] = [
  {
    of: [makeOptionIsSetCondition('speeds')],
    excludes: [makeOptionIsSetCondition('heterogeneity')],
    why: 'both say how fast the sites are',
  },
  {
    of: [makeOptionIsSetCondition('offeredLoad')],
    excludes: [makeOptionIsSetCondition('arrivalScale')],
    why: 'both say how fast jobs arrive',
  },
  {
    of: [makeOptionIsSetCondition('kill')],
    needs: makeOptionIsOneOfCondition('estimates', 'trace', 'recent'),
    why: 'jobs are killed at their requested times, which exact or perturbed estimates are not',
  },
  {
    of: [makeOptionIsSetCondition('dependencies')],
    excludes: [makeOptionIsOneOfCondition('queue', 'independent')],
    why: "independent sites do not know when each other's jobs end",
  },
  {
    of: [makeOptionIsOneOfCondition('cancelled', 'keep')],
    excludes: [
      makeOptionIsSetCondition('reclaim'),
      makeOptionIsSetCondition('moldable'),
      makeOptionIsSetCondition('multiSite'),
      makeOptionIsSetCondition('multiSiteFactor'),
      makeOptionIsOneOfCondition('select', 'optimal', 'non-adaptive'),
      makeOptionIsSetCondition('interval'),
      makeOptionIsOneOfCondition('policy', 'dynamic'),
    ],
    why: 'no paper combines cancelled jobs with these',
  },
  {
    of: [makeOptionIsSetCondition('loadMachine')],
    needs: makeOptionIsGivenCondition('offeredLoad'),
    why: 'it says of which machine that is a share',
  },
  {
    of: [makeOptionIsSetCondition('rc')],
    excludes: [makeOptionIsSetCondition('maxWidth')],
    why: 'both say which jobs are cut',
  },
  {
    of: [makeOptionIsSetCondition('reclaim')],
    needs: makeOptionIsOneOfCondition('queue', 'per-home'),
    why: 'a site stops jobs from elsewhere for those in its own queue',
  },
  {
    of: [makeOptionIsSetCondition('reclaim')],
    excludes: [makeOptionIsSetCondition('multiSite')],
    why: 'the fate of the other parts of a stopped job is undefined',
  },
  {
    of: [makeOptionIsOneOfCondition('queue', 'per-home')],
    excludes: [makeOptionIsOneOfCondition('discipline', 'first-available')],
    why: 'only the first job of each queue is considered',
  },
  {
    of: [makeOptionIsSetCondition('multiSiteOverhead')],
    needs: makeOptionIsSetCondition('multiSite'),
    why: 'it applies only to split jobs',
    isIdle: true,
  },
  {
    of: [
      makeOptionIsSetCondition('moldableThreshold'),
      makeOptionIsSetCondition('moldableFit'),
      makeOptionIsSetCondition('speedup'),
    ],
    needs: makeOptionIsSetCondition('moldable'),
    why: 'it applies only to moldable jobs',
    isIdle: true,
  },
  {
    of: [makeOptionIsSetCondition('moldableThreshold')],
    excludes: [makeOptionIsOneOfCondition('estimates', 'recent')],
    why: 'no paper defines a turnaround predicted from an exceeded estimate',
  },
  {
    of: [makeOptionIsOneOfCondition('moldable', 'up-down')],
    excludes: [makeSiteCountAboveCondition(() => 1)],
    why: 'no paper says how jobs on several sites are scaled up',
  },
  {
    of: [makeOptionIsSetCondition('order')],
    excludes: [makeOptionIsOneOfCondition('discipline', ...Object.keys(DISCIPLINES_SHORT_FOR_ORDERS))],
    why: 'it is short for fcfs with an order of its own',
    isIdle: true,
  },
  {
    of: [makeOptionIsOneOfCondition('order', 'wfp3')],
    excludes: [makeOptionIsSetCondition('reclaim'), makeOptionIsSetCondition('moldable')],
    why: 'the order changes with time, which no paper combines with these',
  },
  {
    of: ORDER_BY_ESTIMATE_CONDITIONS,
    and: [ESTIMATES_REFRESHED_CONDITION],
    excludes: [makeOptionIsSetCondition('reclaim'), makeOptionIsSetCondition('moldable')],
    why: 'the order changes with the estimates, which no paper combines with these',
  },
  {
    of: [ESTIMATES_REFRESHED_CONDITION],
    excludes: [makeOptionIsOneOfCondition('reservations', 'kept')],
    why: 'a job may turn out to need its processors for longer than they are reserved',
  },
  {
    of: [makeOptionIsSetCondition('backfillOrder')],
    needs: makeOptionIsOneOfCondition('discipline', 'easy'),
    why: 'it orders the jobs behind the one reservation',
  },
  {
    of: [makeOptionIsSetCondition('moldable')],
    excludes: [
      makeOptionIsOneOfCondition('discipline', 'first-available', 'easy', 'conservative'),
      makeOptionIsSetCondition('queue'),
      makeOptionIsSetCondition('multiSite'),
      makeOptionIsSetCondition('minSpeedRatio'),
    ],
    why: 'moldable jobs wait in one queue, whose first job blocks, and run on any one site',
  },
  {
    of: [makeOptionIsSetCondition('moldable')],
    excludes: [makeOptionIsSetCondition('policy')],
    why: 'the rule of moldable jobs chooses the site itself',
    isIdle: true,
  },
  {
    of: [BACKFILLING_CONDITION],
    excludes: [makeOptionIsSetCondition('multiSite')],
    why: (naming) => `${naming('multiSiteFactor')} lets jobs run on several sites`,
  },
  {
    of: [BACKFILLING_CONDITION],
    excludes: [makeOptionIsOneOfCondition('queue', 'per-home')],
    why: 'sites are chosen for the jobs of one queue, or of one site',
  },
  {
    of: [makeOptionIsSetCondition('policy')],
    and: [BACKFILLING_CONDITION],
    excludes: [makeOptionIsSetCondition('select')],
    why: 'both choose the sites',
    isIdle: true,
  },
  {
    of: [makeOptionIsGivenCondition('policy')],
    and: [BACKFILLING_CONDITION, POLICY_SITE_SELECTION_CONDITION, SHARED_QUEUE_CONDITION],
    excludes: [
      makeOptionIsSetCondition('multiSiteFactor'),
      makeOptionIsSetCondition('bandwidth'),
      makeOptionIsOneOfCondition('runtimeReference', 'home'),
    ],
    why: (naming) =>
      `policies cannot take it into account; omit ${naming('policy')} to let ${naming('select')} choose`,
  },
  {
    of: [makeOptionIsSetCondition('minSpeedRatio')],
    and: [BACKFILLING_CONDITION],
    excludes: [makeOptionIsSetCondition('select')],
    why: 'this selection ignores home-site speeds',
  },
  {
    of: [makeOptionIsSetCondition('minSpeedRatio')],
    and: [BACKFILLING_CONDITION, SHARED_QUEUE_CONDITION],
    needs: makeOptionIsGivenCondition('policy'),
    why: 'otherwise sites are selected regardless of home-site speeds',
  },
  {
    of: [
      makeOptionIsOneOfCondition('runtimeReference', 'home'),
      makeOptionIsSetCondition('multiSiteFactor'),
      makeOptionIsSetCondition('interval'),
      makeOptionIsSetCondition('bandwidth'),
    ],
    needs: BACKFILLING_CONDITION,
    why: 'only backfilling has rules for it (Zhang et al. 2006)',
  },
  {
    of: [makeOptionIsSetCondition('reservationDepth')],
    needs: makeOptionIsOneOfCondition('discipline', 'easy'),
    why: 'fcfs and first-available make no reservations, and conservative makes one for every job',
  },
  {
    of: [makeOptionIsSetCondition('backfillOrder')],
    excludes: [makeOptionIsOneOfCondition('reservationDepth', '0')],
    why: 'without reservations no job is behind one; give --order, or a depth of 1 or more',
    isIdle: true,
  },
  {
    of: [makeOptionIsSetCondition('reservationDepth')],
    excludes: [makeOptionIsOneOfCondition('policy', 'dynamic')],
    why: 'trials have no rule for it',
  },
  {
    of: [makeOptionIsOneOfCondition('reservations', 'kept')],
    needs: makeOptionIsOneOfCondition('discipline', 'conservative'),
    why: 'no other discipline makes a reservation for every job',
  },
  {
    of: [makeOptionIsOneOfCondition('reservations', 'replanned')],
    needs: makeOptionIsOneOfCondition('discipline', 'conservative'),
    why: 'no other discipline makes a reservation for every job',
    isIdle: true,
  },
  {
    of: [makeOptionIsOneOfCondition('reservations', 'kept')],
    excludes: [
      makeOptionIsOneOfCondition('select', 'optimal', 'non-adaptive'),
      makeOptionIsSetCondition('multiSiteFactor'),
    ],
    why: 'selection among sets of sites is made again after every event',
  },
  {
    of: [makeOptionIsOneOfCondition('reservations', 'kept')],
    excludes: [makeOptionIsSetCondition('interval')],
    why: (naming) => `with ${naming('interval')} each pass replans, and no job starts between two passes`,
  },
  {
    of: [makeOptionIsOneOfCondition('reservations', 'kept')],
    excludes: [makeOptionIsOneOfCondition('policy', 'dynamic')],
    why: (naming) => `the trials of ${naming('policy', 'dynamic')} replan`,
  },
  ...PASS_RULES,
  {
    of: [makeOptionIsSetCondition('select')],
    needs: BACKFILLING_CONDITION,
    why: 'only backfilling plans ahead',
    isIdle: true,
  },
  {
    of: [makeOptionIsOneOfCondition('queue', 'independent')],
    excludes: [makeOptionIsSetCondition('multiSiteFactor')],
    why: 'every site plans for itself',
  },
  {
    of: [makeOptionIsOneOfCondition('queue', 'independent')],
    excludes: [makeOptionIsSetCondition('select')],
    why: 'every site plans for itself',
    isIdle: true,
  },
  {
    of: [makeOptionIsSetCondition('latency')],
    needs: makeOptionIsSetCondition('bandwidth'),
    why: 'it applies only to data transfers',
    isIdle: true,
  },
  {
    of: [makeOptionIsOneOfCondition('select', 'optimal')],
    and: [makeOptionIsSetCondition('multiSiteFactor')],
    excludes: [makeSiteCountAboveCondition(() => loadCoreConstants().Limit.SitesOfSets)],
    why: (naming) => `it looks at every set of sites; take ${naming('select', 'greedy')}`,
  },
  ...LIMIT_AND_ORDER_RULES,
  ...OUTAGE_RULES,
  ...PARTITION_RULES,
  ...RULES_FOR_TRIAL_POLICIES,
];

/** Options of a run or of a whole simulation; absent ones have their defaults. */
type OptionValuesForRules = Readonly<Partial<Record<OptionKey, unknown>>> & {
  /** Number of sites; absent: unknown, so that no condition on it holds. */
  readonly siteCount?: number | undefined;
};

function printOptionForRule({ option }: OptionCondition, optionValues: OptionValuesForRules): string {
  const optionValue = optionValues[option];
  return optionValue === undefined ? printDefaultValue(option) : findOptionByKey(option).print(optionValue);
}

/** Default of an option as text. */
function printDefaultValue(option: OptionKey): string {
  const { default: defaultValue, print } = findOptionByKey(option);
  return typeof defaultValue === 'object' ? print(defaultValue) : String(defaultValue);
}

/** Name in a notation with parameters. */
function extractNameFromNotation(notationText: string): string {
  return notationText.replace(/[[:].*$/, '');
}

function isConditionMet(condition: OptionCondition, optionValues: OptionValuesForRules): boolean {
  if (condition.readLimit !== undefined) return (optionValues.siteCount ?? 0) > condition.readLimit();
  if (condition.isGiven) return optionValues[condition.option] !== undefined;
  if (condition.suchThat !== undefined) {
    const optionValue = optionValues[condition.option] ?? findOptionByKey(condition.option).default;
    return optionValue !== undefined && condition.suchThat.isSatisfiedBy(optionValue);
  }
  const optionText = printOptionForRule(condition, optionValues);
  if (condition.is !== undefined)
    return condition.is.includes(optionText) || condition.is.includes(extractNameFromNotation(optionText));
  return optionValues[condition.option] !== undefined && optionText !== printDefaultValue(condition.option);
}

function describeCondition(
  condition: OptionCondition,
  optionValues: OptionValuesForRules,
  naming: Naming,
): string {
  const optionText = printOptionForRule(condition, optionValues);
  const { choices: optionChoices, form } = findOptionByKey(condition.option);
  const showsValue = optionChoices !== undefined || (condition.suchThat !== undefined && form === 'number');
  if (showsValue) return naming(condition.option, optionText);
  return condition.is === undefined
    ? naming(condition.option)
    : naming(condition.option, extractNameFromNotation(optionText));
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
    ...and.filter(({ option }) => isConditionMet(makeOptionIsSetCondition(option), optionValues)),
  ]
    .map((condition) => describeCondition(condition, optionValues, naming))
    .join(' with ');
  if (needs !== undefined && !isConditionMet(needs, optionValues)) {
    const options = [subject.option, needs.option];
    if (needs.suchThat === undefined)
      return { sentence: `${ruleSubjectText} needs ${naming(needs.option, ...(needs.is ?? []))}`, options };
    const reasonText = `the ${optionNameOfKey(needs.option)} here is ${printOptionForRule(needs, optionValues)}`;
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
  const maxSiteCount = otherCondition.readLimit?.();
  if (maxSiteCount === undefined)
    return `${ruleSubjectText} cannot be combined with ${describeCondition(otherCondition, optionValues, naming)}`;
  const sitesText = maxSiteCount === 1 ? 'a single site' : `at most ${maxSiteCount} sites`;
  return `${ruleSubjectText} is for ${sitesText}, found ${optionValues.siteCount}`;
}

/** A violated rule on the combination of options, with its message. */
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
  if (brokenOptionRule !== undefined) throw makeBrokenRuleError(brokenOptionRule, naming);
}

/** Error for a violated rule. */
export function makeBrokenRuleError(brokenOptionRule: BrokenOptionRule, naming: Naming): InputError {
  const isOmissionAdvised =
    brokenOptionRule.rule.excludes !== undefined && !brokenOptionRule.options.includes('sites');
  const remedy = brokenOptionRule.rule.remedy ?? (isOmissionAdvised ? 'omit one of them' : undefined);
  const message = makeBrokenRuleMessage(brokenOptionRule, naming);
  return new InputError(remedy === undefined ? message : `${message}; ${remedy}`);
}

/** Message for a violated rule with its reason. */
export function makeBrokenRuleMessage(
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
  const isTrialPolicyUsed = policy !== undefined && isTrialPolicy(policy as Policy);
  return (
    hasFunctionOrder ||
    isTrialPolicyUsed ||
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
  if (violation !== undefined) throw makeBrokenRuleError({ rule: NO_ESTIMATES_RULE, ...violation }, naming);
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
