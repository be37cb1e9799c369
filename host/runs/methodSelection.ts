/** Selects the methods of a comparison that fit its setting, and default methods and sites. */
import { parsePolicy } from '../core/policies.js';
import { InputError } from '../errors.js';
import { formatNumber, joinWithAnd } from '../format/numbers.js';
import { type Grid, parseCapacities } from '../grid/grid.js';
import { firstElement } from '../lists.js';
import { findIneffectiveOption } from '../options/applicableOptions.js';
import { isBackfillingDiscipline } from '../options/configuration.js';
import { makeRunDocument } from '../options/document.js';
import {
  findOptionByKey,
  type Naming,
  nameOptionOnCommandLine,
  type OptionKey,
  optionNameOfKey,
  type Settings,
} from '../options/options.js';
import {
  type BrokenOptionRule,
  doOptionsUseEstimates,
  findBrokenRule,
  makeBrokenRuleError,
  makeBrokenRuleMessage,
} from '../options/rules.js';
import {
  checkMethodsCombine,
  type Experiment,
  type Method,
  type MethodsWithRemarks,
  makeExperimentOnRequestedSites,
} from '../simulate/experiment.js';
import { describeMethodOption, methodNames } from '../simulate/methodNames.js';
import type { Trace } from '../trace/trace.js';

/** The allocation methods of Shih et al. 2010. */
export const SHIH_2010_POLICIES = 'best-fit,fastest-first,si,ti,ai,ai2,tai,tai2';

const listDefaultComparedPolicies = () =>
  SHIH_2010_POLICIES.split(',').map((policyName) => parsePolicy(policyName));

/** Default methods on one site, where allocation policies make no difference. */
export const DEFAULT_SINGLE_SITE_METHODS: readonly Method[] = [
  ...(['fcfs', 'first-available', 'sjf', 'easy'] as const).map((discipline) => ({ discipline })),
  { discipline: 'easy', backfillOrder: 'shortest' },
  { discipline: 'conservative' },
];

/** Setting of Shih et al. 2010, the default of `gridalloc compare` without a workload. */
export const SHIH_2010_SETTING_OPTIONS = {
  workload: 'lublin99[aarr=9,jobs=30000,seed=1]',
  sites: '8,128,128,128,50',
  speeds: 'draw[sh=0.12,seed=1]',
  timeResolution: 'nearest',
} as const;

/** Smallest number of sites for which speeds can be drawn. */
const MIN_SITES_FOR_RANDOM_SPEEDS = 3;

/** Options of a comparison without a workload: those of the paper, replaced by the given ones. */
export function applySettingOfShih2010(settingInput: Method): Method {
  const sites = settingInput.sites ?? parseCapacities(SHIH_2010_SETTING_OPTIONS.sites, 'sites');
  const areSpeedsRandom =
    settingInput.heterogeneity === undefined && sites.length >= MIN_SITES_FOR_RANDOM_SPEEDS;
  const speeds = areSpeedsRandom ? { speeds: SHIH_2010_SETTING_OPTIONS.speeds } : {};
  return { timeResolution: SHIH_2010_SETTING_OPTIONS.timeResolution, ...speeds, ...settingInput, sites };
}

/** Methods requested for a comparison. */
export interface RequestedMethods {
  readonly methods: readonly Method[];
  /** True if only these methods are compared; otherwise default policies or disciplines complete them. */
  readonly areAll: boolean;
  /** True if each method is fully specified, so that none may be left out. */
  readonly areNamed: boolean;
  /** True to refuse a log without requested times instead of leaving out default methods that need them. */
  readonly needsEstimates?: boolean;
}

/**
 * Experiment of a comparison.
 * @param naming how errors name options.
 * @throws InputError for invalid settings, and for two descriptions of the same method.
 */
export function makeComparisonExperiment(
  settings: Settings,
  loadedLog: Trace,
  requestedMethods: RequestedMethods,
  naming: Naming = nameOptionOnCommandLine,
): Experiment {
  const experiment = makeExperimentOnRequestedSites(
    settings,
    loadedLog,
    areMethodsChosenByUser(requestedMethods)
      ? requestedMethods.methods
      : (trace, grid) => selectApplicableMethods(requestedMethods, settings, trace, grid, naming),
    { naming },
  );
  const duplicateMethods = findDuplicateMethods(experiment);
  if (duplicateMethods.size > 0 && !requestedMethods.areNamed) {
    const methods = experiment.methods.filter((_, i) => !duplicateMethods.has(i));
    const experimentWithoutDuplicates = makeExperimentOnRequestedSites(settings, loadedLog, methods, {
      naming,
    });
    return {
      ...experimentWithoutDuplicates,
      remarks: [...experiment.remarks, describeDuplicateMethods(experiment, duplicateMethods)],
    };
  }
  refuseDuplicateMethods(experiment, duplicateMethods);
  if (requestedMethods.areNamed) refuseDuplicateMethodNames(methodNames(experiment.configurations));
  const differenceText = describeMethodsWithDifferentJobs(experiment);
  return differenceText === undefined
    ? experiment
    : { ...experiment, remarks: [...experiment.remarks, differenceText] };
}

/**
 * Sentence on methods with different jobs: number of jobs of each, or that sites decide how jobs are cut.
 * Undefined if all methods have the same jobs.
 */
function describeMethodsWithDifferentJobs({ configurations, workloads }: Experiment): string | undefined {
  if (new Set(workloads.map(({ count: jobCount }) => jobCount)).size < 2) {
    const areJobsCutDifferently = workloads.some(({ processors }) =>
      processors.some((width, job) => width !== firstElement(workloads).processors[job]),
    );
    const haveDifferentSites = new Set(configurations.map(({ grid }) => String(grid.capacities))).size > 1;
    if (!areJobsCutDifferently || !haveDifferentSites) return undefined;
    return 'the methods do not have the same jobs, since their sites decide how jobs are cut';
  }
  const methodNamesWithJobCounts = methodNames(configurations).map(
    (methodName, i) => `${methodName} ${formatNumber(workloads[i]!.count)}`,
  );
  return `the methods do not have the same jobs, since their options decide which jobs fit: ${methodNamesWithJobCounts.join(', ')}`;
}

/** Checks before reading the log that all methods fit the setting, if none may be left out. */
export function checkMethodsFitSetting(
  settings: Settings,
  requestedMethods: RequestedMethods,
  naming: Naming = nameOptionOnCommandLine,
): void {
  if (areMethodsChosenByUser(requestedMethods))
    checkMethodsCombine(settings, requestedMethods.methods, naming);
}

const areMethodsChosenByUser = ({ methods, areAll, areNamed }: RequestedMethods) =>
  areNamed || (areAll && methods.length === 1);

/**
 * Methods of a comparison that fit its setting; others are left out with a message. Without given methods,
 * the default policies on several sites, or disciplines on one.
 * @throws InputError if no method is left.
 */
function selectApplicableMethods(
  { methods: requestedMethods, areAll, needsEstimates = false }: RequestedMethods,
  settings: Settings,
  trace: Trace,
  { capacities }: Grid,
  naming: Naming,
): MethodsWithRemarks {
  const hasSeveralSites = capacities.length > 1;
  const isDisciplineRequested = requestedMethods.some(({ discipline }) => discipline !== undefined);
  const disciplines: readonly Method[] = isDisciplineRequested
    ? requestedMethods
    : hasSeveralSites
      ? [{ discipline: 'fcfs' }]
      : DEFAULT_SINGLE_SITE_METHODS;
  const { methods: applicable, remarks: omissions } = areAll
    ? dropIneffectiveCombinations(requestedMethods, settings, naming, capacities.length)
    : { methods: [], remarks: [] };
  const candidateMethods = areAll
    ? applicable
    : disciplines.flatMap((method) => {
        const { discipline = 'fcfs', moldable = 'none' } = { ...settings, ...method };
        const hasSiteChoice = hasSeveralSites && !isBackfillingDiscipline(discipline) && moldable === 'none';
        return hasSiteChoice
          ? listDefaultComparedPolicies().map((policy) => ({ ...method, policy }))
          : [method];
      });
  const reasons = candidateMethods.map((method) => {
    const combinedSettings = { ...settings, ...method };
    const brokenRule = findBrokenRule(combinedSettings, naming, capacities.length);
    if (brokenRule !== undefined) return makeBrokenRuleMessage(brokenRule, naming);
    return areAll || isDisciplineRequested || needsEstimates
      ? undefined
      : explainMissingEstimates(combinedSettings, trace, naming);
  });
  const methods = candidateMethods.filter((_, i) => reasons[i] === undefined);
  if (methods.length === 0) {
    if (candidateMethods.length === 1) checkMethodsCombine(settings, candidateMethods, naming);
    throw new InputError(`no method is left to compare: ${reasons[0]}`);
  }
  const skippedMethodNotes = [...new Set(reasons)].flatMap((reason) => {
    const namesOfCandidates = candidateMethods.filter((_, i) => reasons[i] === reason).map(describeMethod);
    const beVerb = namesOfCandidates.length === 1 ? 'is' : 'are';
    return reason === undefined ? [] : [`${joinWithAnd(namesOfCandidates)} ${beVerb} skipped: ${reason}`];
  });
  return {
    methods,
    remarks: [...omissions, ...(skippedMethodNotes.length === 0 ? [] : [skippedMethodNotes.join('; ')])],
  };
}

type MethodOptionKey = Exclude<keyof Method, 'name'>;

/** Option that was omitted from a method, with its value and the violated rule. */
interface OmittedOption {
  readonly key: MethodOptionKey;
  readonly value: unknown;
  readonly brokenRule: BrokenOptionRule;
}

/** Option to omit from a method because of a violated rule; undefined if none can be omitted. */
function findOptionToOmit(
  brokenRule: BrokenOptionRule,
  method: Method,
  settings: Settings,
): OptionKey | undefined {
  // An option without effect may also be one that all methods share.
  const ineffectiveOption = findIneffectiveOption(brokenRule);
  if (ineffectiveOption !== undefined && { ...settings, ...method }[ineffectiveOption] !== undefined)
    return ineffectiveOption;
  const optionKeys = Object.entries(method).flatMap(([key, value]) => (value === undefined ? [] : [key]));
  if (optionKeys.length < 2) return undefined;
  return brokenRule.options.find(
    (key) => optionKeys.includes(key) && key !== 'discipline' && key !== 'policy',
  );
}

/**
 * Combinations of listed values without options that do not apply to their discipline or policy, each once.
 * @throws InputError for a value that applies to none of them.
 */
function dropIneffectiveCombinations(
  combinations: readonly Method[],
  settings: Settings,
  naming: Naming,
  siteCount: number,
): MethodsWithRemarks {
  const methodsByDescription = new Map<string, Method>();
  /** Names of methods from which an option was removed, by option and reason. */
  const methodsByReason = new Map<string, Set<string>>();
  const omittedOptions: OmittedOption[] = [];
  for (const combination of combinations) {
    let method = combination;
    const reasons: string[] = [];
    for (;;) {
      const brokenRule = findBrokenRule({ ...settings, ...method }, naming, siteCount);
      const ineffectiveOption = brokenRule && findOptionToOmit(brokenRule, method, settings);
      if (brokenRule === undefined || ineffectiveOption === undefined) break;
      const ineffectiveOptionKey = ineffectiveOption as MethodOptionKey;
      omittedOptions.push({
        key: ineffectiveOptionKey,
        value: ineffectiveOptionKey in method ? method[ineffectiveOptionKey] : settings[ineffectiveOptionKey],
        brokenRule,
      });
      const { [ineffectiveOptionKey]: _, ...otherFields } = method;
      method =
        ineffectiveOptionKey in method ? otherFields : { ...method, [ineffectiveOptionKey]: undefined };
      reasons.push(
        `without --${optionNameOfKey(ineffectiveOption)}: ${makeBrokenRuleMessage(brokenRule, naming)}`,
      );
    }
    methodsByDescription.set(describeMethod(method), method);
    for (const reason of reasons)
      methodsByReason.set(reason, (methodsByReason.get(reason) ?? new Set()).add(describeMethod(method)));
  }
  for (const { key: omittedOptionKey, value: omittedOptionValue, brokenRule } of omittedOptions) {
    const hasValue = (method: Method) =>
      (omittedOptionKey in method ? method[omittedOptionKey] : settings[omittedOptionKey]) ===
      omittedOptionValue;
    if (![...methodsByDescription.values()].some(hasValue)) throw makeBrokenRuleError(brokenRule, naming);
  }
  const omissionPhrases = [...methodsByReason].map(
    ([reason, names]) => `${joinFirstTexts([...names])} ${reason}`,
  );
  const remark = `options that do not apply are omitted; compared are ${joinFirstTexts(omissionPhrases, '; ')}`;
  return {
    methods: [...methodsByDescription.values()],
    remarks: omissionPhrases.length === 0 ? [] : [remark],
  };
}

/** Reason why a method that needs estimates cannot be simulated on a log without them. */
export function explainMissingEstimates(
  settings: Settings,
  { columns: swfColumns }: Trace,
  naming: Naming,
): string | undefined {
  const areEstimatesKnown =
    settings.estimates !== undefined || swfColumns.requestedTime.some((seconds) => seconds > 0);
  if (areEstimatesKnown || !doOptionsUseEstimates(settings)) return undefined;
  return `estimates are needed, but no job requests a time; ${naming('estimates', 'exact')} takes the runtimes`;
}

/** Description of a method without options of its own. */
const NAME_OF_METHOD_WITHOUT_OPTIONS = 'the common options alone';

/** Method in words, such as `easy backfill shortest`; its name if the user gave one. */
export function describeMethod({ name: methodName, ...method }: Method): string {
  if (methodName !== undefined) return methodName;
  const optionEntries = Object.entries(method) as [OptionKey, unknown][];
  const optionTexts = optionEntries
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => describeMethodOption([optionNameOfKey(key), findOptionByKey(key).print(value)]));
  return optionTexts.length === 0 ? NAME_OF_METHOD_WITHOUT_OPTIONS : optionTexts.join(' ');
}

const MAX_LISTED_METHOD_NAMES = 3;

/** First few texts and the number of others, as text. */
function joinFirstTexts(texts: readonly string[], separator?: string): string {
  const hiddenCount = texts.length - MAX_LISTED_METHOD_NAMES;
  const shownTexts =
    hiddenCount > 0
      ? [...texts.slice(0, MAX_LISTED_METHOD_NAMES), `${formatNumber(hiddenCount)} more`]
      : texts;
  return separator === undefined ? joinWithAnd(shownTexts) : shownTexts.join(separator);
}

/** Indices of methods that equal an earlier one, with the index of that one. */
function findDuplicateMethods({ configurations }: Experiment): Map<number, number> {
  const methodTexts = configurations.map((configuration) =>
    JSON.stringify([makeRunDocument(configuration), configuration.grid, configuration.labels?.estimates]),
  );
  return new Map(
    methodTexts.flatMap((methodText, i) => {
      const firstIndex = methodTexts.indexOf(methodText);
      return firstIndex < i ? [[i, firstIndex] as const] : [];
    }),
  );
}

/**
 * Checks that method names are distinct.
 * @throws InputError for two methods with one name.
 */
function refuseDuplicateMethodNames(names: readonly string[]): void {
  const repeatedName = names.find((methodName, i) => names.indexOf(methodName) !== i);
  if (repeatedName !== undefined)
    throw new InputError(`two methods are called '${repeatedName}'; give each a name of its own`);
}

/** Sentence that lists methods compared only once because they are equal. */
function describeDuplicateMethods(
  { methods }: Experiment,
  duplicateMethods: ReadonlyMap<number, number>,
): string {
  const duplicateMethodTexts = [...duplicateMethods].map(
    ([i, first]) => `${describeMethod(methods[i]!)} is the same as ${describeMethod(methods[first]!)}`,
  );
  return `combinations that are the same method are compared once: ${joinFirstTexts(duplicateMethodTexts)}`;
}

/**
 * Checks that no two methods are equal.
 * @throws InputError if two are.
 */
function refuseDuplicateMethods(
  { methods }: Experiment,
  duplicateMethods: ReadonlyMap<number, number>,
): void {
  for (const [i, first] of duplicateMethods) {
    const descriptions = new Set([first, i].map((method) => `'${describeMethod(methods[method]!)}'`));
    const subject =
      descriptions.size === 2 ? [...descriptions].join(' and ') : `methods ${first + 1} and ${i + 1}`;
    throw new InputError(`${subject} are the same method; give one of the two`);
  }
}
