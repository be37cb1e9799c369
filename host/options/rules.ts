/**
 * Which options exclude or need which others: all refusals of combinations that the host makes, once. (The core has
 * its own as the last line, for other hosts.)
 */
import { coreConstants } from '../core/module.js';
import { isTrying, type Policy } from '../core/policies.js';
import { InputError } from '../errors.js';
import { BY_ESTIMATE, CHOOSING_RULES, WITHOUT_ESTIMATES } from './choosingRules.js';
import { type Condition, given, is, type OptionRule, set } from './conditions.js';
import { type Naming, type OptionKey, optionOf } from './options.js';
import { hasKeysByEstimate, isOrderFunction, type Order } from './order.js';
import { SHORT_FORMS } from './run.js';

export type { Condition, OptionRule } from './conditions.js';

const BACKFILLING = is('discipline', 'easy', 'conservative');
/** With a policy, one queue for several sites, and nothing else that chooses sites, it is the policy that does. */
const NO_SELECTION = is('select', 'none');
const SHARED = is('queue', 'shared');

/** In the order in which they are applied. */
export const RULES: readonly OptionRule[] = [
  { of: [set('speeds')], excludes: [set('heterogeneity')], why: 'both say how fast the sites are' },
  { of: [set('offeredLoad')], excludes: [set('arrivalScale')], why: 'both say how fast jobs arrive' },
  {
    of: [set('kill')],
    needs: is('estimates', 'trace', 'recent'),
    why: 'machines end jobs at the time that was requested; exact estimates and errors on them are no such times',
  },
  {
    of: [set('dependencies')],
    excludes: [is('queue', 'independent')],
    why: "sites that run alone know nothing of the ends of each other's jobs",
  },
  { of: [set('rc')], excludes: [set('maxWidth')], why: 'both say which jobs are cut' },
  {
    of: [set('reclaim')],
    needs: is('queue', 'per-home'),
    why: 'a site stops jobs from elsewhere for those in its own queue',
  },
  {
    of: [set('reclaim')],
    excludes: [set('multiSite')],
    why: 'what becomes of the other parts of a stopped job is not defined',
  },
  {
    of: [is('queue', 'per-home')],
    excludes: [is('discipline', 'first-available')],
    why: 'of each queue only the first job is looked at',
  },
  {
    of: [set('multiSiteOverhead')],
    needs: set('multiSite'),
    why: 'nothing is split without it',
    isIdle: true,
  },
  {
    of: [set('moldableThreshold'), set('moldableFit'), set('speedup')],
    needs: set('moldable'),
    why: 'no job is moldable without it',
    isIdle: true,
  },
  {
    of: [set('moldableThreshold')],
    excludes: [is('estimates', 'recent')],
    why: 'no paper says what becomes of a turnaround that is predicted by an estimate which has been exceeded',
  },
  {
    of: [is('moldable', 'up-down')],
    mostSites: () => 1,
    why: 'no paper says how jobs on several sites are scaled up',
  },
  {
    of: [set('order')],
    excludes: [is('discipline', ...Object.keys(SHORT_FORMS))],
    why: 'that is short for fcfs in an order of its own',
    isIdle: true,
  },
  {
    of: (['order', 'backfillOrder'] as const).map((option) => ({
      option,
      suchThat: {
        holds: (order) => hasKeysByEstimate(order as Order),
        words: 'f1 to f4, or an expression of `estimate`',
      },
    })),
    excludes: [is('estimates', 'recent')],
    why: 'its keys are computed before the run, and the estimates that they go by are found in the run',
  },
  {
    of: [is('order', 'wfp3')],
    excludes: [set('reclaim'), set('moldable')],
    why: 'who stands where changes with time, and what that is to them no paper says',
  },
  {
    of: [set('backfillOrder')],
    needs: is('discipline', 'easy'),
    why: 'it is for the jobs behind the one reservation',
  },
  {
    of: [set('moldable')],
    excludes: [
      is('discipline', 'first-available', 'easy', 'conservative'),
      set('queue'),
      set('multiSite'),
      set('minSpeedRatio'),
    ],
    why: 'moldable jobs wait in one queue, whose first job blocks, and run on any one site',
  },
  {
    of: [set('moldable')],
    excludes: [set('policy')],
    why: 'the rule of moldable jobs chooses the site itself',
    isIdle: true,
  },
  {
    of: [BACKFILLING],
    excludes: [set('multiSite')],
    why: (naming) => `${naming('multiSiteFactor')} lets jobs run on several sites`,
  },
  {
    of: [BACKFILLING],
    excludes: [is('queue', 'per-home')],
    why: 'sites are chosen for the jobs of one queue, or of one site',
  },
  {
    of: [set('policy')],
    and: [BACKFILLING],
    excludes: [set('select')],
    why: 'both choose the sites',
    isIdle: true,
  },
  {
    of: [given('policy')],
    and: [BACKFILLING, NO_SELECTION, SHARED],
    excludes: [set('multiSiteFactor'), set('bandwidth'), is('runtimeReference', 'home')],
    why: 'policies know nothing of what that changes; leave the policy out and sites are selected by it',
  },
  {
    of: [set('minSpeedRatio')],
    and: [BACKFILLING],
    excludes: [set('select')],
    why: 'the selection heeds no speeds of homes',
  },
  {
    of: [set('minSpeedRatio')],
    and: [BACKFILLING, SHARED],
    needs: given('policy'),
    why: 'sites are else selected, without regard to the speeds of homes',
  },
  {
    of: [is('runtimeReference', 'home'), set('multiSiteFactor'), set('interval'), set('bandwidth')],
    needs: BACKFILLING,
    why: 'backfilling alone has rules for it (Zhang et al. 2006)',
  },
  { of: [set('select')], needs: BACKFILLING, why: 'nothing else plans ahead', isIdle: true },
  {
    of: [is('queue', 'independent')],
    excludes: [set('multiSiteFactor')],
    why: 'every site plans for itself',
  },
  {
    of: [is('queue', 'independent')],
    excludes: [set('select')],
    why: 'every site plans for itself',
    isIdle: true,
  },
  { of: [set('latency')], needs: set('bandwidth'), why: 'no data are moved without it', isIdle: true },
  {
    of: [is('select', 'optimal')],
    and: [set('multiSiteFactor')],
    mostSites: () => coreConstants().Limit.SitesOfSets,
    why: (naming) => `it looks at every set of sites; take ${naming('select', 'greedy')}`,
  },
  ...CHOOSING_RULES,
];

/** Options of a run or of a whole simulation; those that are not there have their defaults. */
type Values = Readonly<Partial<Record<OptionKey, unknown>>>;

function textOf({ option }: Condition, values: Values): string {
  const value = values[option];
  return value === undefined ? usualText(option) : optionOf(option).print(value);
}

/** The default as the option prints it. */
function usualText(option: OptionKey): string {
  const { default: usual, print } = optionOf(option);
  return typeof usual === 'object' ? print(usual) : String(usual);
}

/** The name in a notation with parameters. */
function nameIn(text: string): string {
  return text.replace(/[[:].*$/, '');
}

function holds(condition: Condition, values: Values): boolean {
  if (condition.isGiven) return values[condition.option] !== undefined;
  if (condition.suchThat !== undefined) {
    const value = values[condition.option];
    return value !== undefined && condition.suchThat.holds(value);
  }
  const text = textOf(condition, values);
  if (condition.is !== undefined) return condition.is.includes(text) || condition.is.includes(nameIn(text));
  return values[condition.option] !== undefined && text !== usualText(condition.option);
}

function nameOf(condition: Condition, values: Values, naming: Naming): string {
  const text = textOf(condition, values);
  if (optionOf(condition.option).choices !== undefined) return naming(condition.option, text);
  return condition.is === undefined ? naming(condition.option) : naming(condition.option, nameIn(text));
}

/** What a rule refuses of some options, without the reason; undefined where it refuses nothing. */
function fault(
  rule: OptionRule,
  values: Values,
  naming: Naming,
  siteCount: number | undefined,
): string | undefined {
  const { of, and = [], needs, excludes = [], mostSites } = rule;
  const one = of.find((condition) => holds(condition, values));
  if (one === undefined || !and.every((condition) => holds(condition, values))) return undefined;
  const subject = [one, ...and.filter(({ option }) => holds(set(option), values))]
    .map((condition) => nameOf(condition, values, naming))
    .join(' with ');
  if (needs !== undefined && !holds(needs, values)) {
    return `${subject} needs ${naming(needs.option, ...(needs.is ?? []))}`;
  }
  const other = excludes.find((condition) => holds(condition, values));
  if (other !== undefined) return `${subject} does not go with ${nameOf(other, values, naming)}`;
  const most = siteCount === undefined || mostSites === undefined ? Infinity : mostSites();
  if (siteCount === undefined || siteCount <= most) return undefined;
  return `${subject} is for ${most === 1 ? 'a single site' : `at most ${most} sites`}, found ${siteCount}`;
}

/** A rule, and what it refuses of some options. */
export interface BrokenRule {
  readonly rule: OptionRule;
  readonly sentence: string;
}

/** The first rule that some options break, and what it says of them without the reason. */
export function brokenRule(values: Values, naming: Naming, siteCount?: number): BrokenRule | undefined {
  for (const rule of RULES) {
    const sentence = fault(rule, values, naming, siteCount);
    if (sentence !== undefined) return { rule, sentence };
  }
  return undefined;
}

/**
 * Refuses options that do not go together.
 * @param siteCount how many sites there are, where that is known.
 * @throws InputError with the first rule that is broken, the options named as the user has given them.
 */
export function checkRules(values: Values, naming: Naming, siteCount?: number): void {
  const broken = brokenRule(values, naming, siteCount);
  if (broken !== undefined) throw refusal(broken.rule, broken.sentence, naming);
}

function refusal(rule: OptionRule, sentence: string, naming: Naming): InputError {
  const remedy = rule.excludes === undefined ? '' : '; leave one of them out';
  return new InputError(`${reasonOf({ rule, sentence }, naming)}${remedy}`);
}

/** What a broken rule says, and why. */
export function reasonOf({ rule, sentence }: BrokenRule, naming: Naming): string {
  return `${sentence}, since ${typeof rule.why === 'string' ? rule.why : rule.why(naming)}`;
}

/** Whether anything is decided by estimates, so that some must be there. */
export function usesEstimates(values: Values): boolean {
  const { order, policy } = values;
  const reads = order !== undefined && isOrderFunction(order as Order);
  const tries = policy !== undefined && isTrying(policy as Policy);
  return reads || tries || values.kill !== undefined || BY_ESTIMATE.some((each) => holds(each, values));
}

/**
 * Refuses what is decided by estimates in a run of jobs of which nobody knows any.
 * @throws InputError.
 */
export function refuseEstimates(run: Values, naming: Naming): void {
  const sentence = fault(WITHOUT_ESTIMATES, { ...run, estimates: { source: 'none' } }, naming, undefined);
  if (sentence !== undefined) throw refusal(WITHOUT_ESTIMATES, sentence, naming);
}

/** Whether an option says nothing in a run, since something that it needs does not hold. */
export function isIdle(option: OptionKey, values: Values): boolean {
  return RULES.some(
    ({ of, and = [], needs }) =>
      needs !== undefined &&
      of.some((condition) => condition.option === option) &&
      and.every((condition) => holds(condition, values)) &&
      !holds(needs, values),
  );
}
