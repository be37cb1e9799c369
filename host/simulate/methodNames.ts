/** Names of the methods of a comparison by what distinguishes them. */
import { type Policy, policies, printPolicy } from '../core/policies.js';
import { InputError } from '../errors.js';
import { type Grid, gridToOptionTexts } from '../grid/grid.js';
import { firstElement } from '../lists.js';
import {
  formatNameSuggestion,
  makeUnknownNameError,
  parseNotation,
  printNotation,
  removeEnclosingBrackets,
  splitOutsideBrackets,
} from '../notation.js';
import {
  type Configuration,
  isBackfillingDiscipline,
  isPolicyUsed,
  makeConfiguration,
} from '../options/configuration.js';
import { isDefaultOptionText, printRunOptions, shortenOptionText } from '../options/document.js';
import { GRID_OPTIONS } from '../options/jobOptions.js';
import {
  findOptionByName,
  OPTIONS,
  type OptionKey,
  type OptionStrings,
  optionNameOfKey,
} from '../options/options.js';
import { printOrder } from '../options/order.js';
import { RUN_OPTIONS } from '../options/runOptions.js';
import { isCodeFileName } from '../providedCode.js';
import type { Method } from './experiment.js';
import { nameSiteChooserOfConfiguration } from './summary.js';

/**
 * Name of a policy without parameters that are at their default in it and in the other policies; for a policy
 * from a file, its name.
 */
function shortenPolicyName(policy: Policy, otherPolicies: readonly Policy[] = []): string {
  const { declaration, values: parameterValues } = policy;
  const policiesOfSameName = [
    policy,
    ...otherPolicies.filter((otherPolicy) => otherPolicy.declaration.name === declaration.name),
  ];
  const policyName = printPolicy(policy);
  if (isCodeFileName(policyName)) return policyName;
  const nonDefaultParameterValues = declaration.parameters.flatMap(
    (parameter, i): [string, number | string][] =>
      policiesOfSameName.every((policyOfSameName) => policyOfSameName.values[i] === parameter.default)
        ? []
        : [[parameter.name, parameterValues[i]!]],
  );
  return printNotation(declaration.name, nonDefaultParameterValues);
}

/** Name of the method that chooses sites, if there is a choice. */
function nameSiteChooser(
  configuration: Configuration,
  otherConfigurations: readonly Configuration[],
): string {
  if (isPolicyUsed(configuration)) {
    const usedPolicies = otherConfigurations.filter(isPolicyUsed).map(({ policy }) => policy);
    return shortenPolicyName(configuration.policy, usedPolicies);
  }
  return isBackfillingDiscipline(configuration.discipline)
    ? ''
    : nameSiteChooserOfConfiguration(configuration);
}

const haveSeveralValues = (comparedValues: readonly unknown[]) => new Set(comparedValues).size > 1;

/**
 * Options of a method as texts by name: options of its run, its sites, and the source of estimates if
 * labelled.
 */
function collectOptionTextsOfMethod(configuration: Configuration): Record<string, string> {
  const { grid, labels } = configuration;
  const estimatesLabel = labels?.estimates;
  return {
    ...printRunOptions(configuration),
    ...gridToOptionTexts(grid),
    ...(estimatesLabel !== undefined && { estimates: estimatesLabel }),
  };
}

/** Options in which some methods differ, as texts by name; options without effect in a method are omitted. */
export function findDifferingOptions(configurations: readonly Configuration[]): Record<string, string>[] {
  const optionTexts = configurations.map(collectOptionTextsOfMethod);
  const usedOptionNames = [...new Set(optionTexts.flatMap(Object.keys))];
  const optionNames = usedOptionNames.filter((optionName) =>
    haveSeveralValues(optionTexts.map((optionsOfMethod) => optionsOfMethod[optionName])),
  );
  return optionTexts.map((optionsOfMethod) =>
    Object.fromEntries(
      optionNames.flatMap((optionName) =>
        optionsOfMethod[optionName] === undefined ? [] : [[optionName, optionsOfMethod[optionName]]],
      ),
    ),
  );
}

/** Options whose values need no name in a method description. */
const OPTIONS_SHOWN_BY_VALUE_ALONE = ['discipline', 'order', 'policy'];

/** Options expressed by the names of discipline, order and policy. */
const OPTIONS_IN_METHOD_NAME = [...OPTIONS_SHOWN_BY_VALUE_ALONE, 'moldable'];

/**
 * Describes an option of a method: `easy`, `backfill shortest`, `half life 1d`; empty for a switch that is
 * off.
 */
export function describeMethodOption([name, text]: readonly [string, string]): string {
  if (OPTIONS_SHOWN_BY_VALUE_ALONE.includes(name)) return text;
  const optionWords = name === 'backfill-order' ? 'backfill' : name.replaceAll('-', ' ');
  const { isSwitch, isTime } = findOptionByName(name);
  if (isSwitch) return text === 'true' ? optionWords : '';
  return `${optionWords} ${isTime ? shortenOptionText(name, text) : text}`;
}

/** Names of methods by discipline, order and policy, as far as these differ. */
function makeShortMethodNames(configurations: readonly Configuration[]): string[] {
  const chooserNames = configurations.map((configuration) => nameSiteChooser(configuration, configurations));
  const usedChooserNames = chooserNames.filter((chooserName) => chooserName !== '');
  // If some methods use no policy, a policy other than the default must be named.
  const isDefaultChooserUsed =
    usedChooserNames[0] ===
    shortenPolicyName(makeConfiguration(firstElement(configurations).grid, {}).policy);
  const hasSingleChooser =
    !haveSeveralValues(usedChooserNames) &&
    (usedChooserNames.length === chooserNames.length || isDefaultChooserUsed);
  const orders = configurations.map(({ order }) => printOrder(order));
  const namePartsByMethod = configurations.map(({ discipline }, i): [string, string, string] => [
    discipline,
    orders[i] === 'submit' ? '' : orders[i]!,
    hasSingleChooser && configurations.length > 1 ? '' : chooserNames[i]!,
  ]);
  const partDifferenceFlags = [0, 1, 2].map((part) =>
    haveSeveralValues(namePartsByMethod.map((nameParts) => nameParts[part]!)),
  );
  return namePartsByMethod.map((nameParts) => {
    const differingParts = nameParts.filter((partText, part) => partText !== '' && partDifferenceFlags[part]);
    return differingParts.join(' ') || (haveSeveralValues(orders) ? 'submit' : nameParts[2] || nameParts[0]);
  });
}

/** Sites as option texts, with a single number if all sites are equal. */
const makeShortGridOptionTexts = (grid: Grid) =>
  Object.fromEntries(
    Object.entries(gridToOptionTexts(grid)).map(([name, text]) => [name, shortenOptionText(name, text)]),
  );

/** Options of a method besides its discipline and policy, as words by name. */
function listOptionsBeyondMethodName(configuration: Configuration): [string, string][] {
  const { grid, discipline, policy } = configuration;
  const defaultConfiguration = makeConfiguration(
    grid,
    isPolicyUsed(configuration) ? { discipline, policy } : { discipline },
  );
  const defaultTexts = printRunOptions(defaultConfiguration);
  const optionPairs = Object.entries({
    ...collectOptionTextsOfMethod(configuration),
    ...makeShortGridOptionTexts(grid),
  });
  return optionPairs.filter(
    ([name, text]) =>
      !OPTIONS_IN_METHOD_NAME.includes(name) &&
      defaultTexts[name] !== text &&
      !isDefaultOptionText(name, text),
  );
}

/** Separator of the entries of an option's value, if the value is a list; undefined for others. */
function findEntrySeparator(optionName: string): string | undefined {
  const { entrySeparator, isRepeatable } = findOptionByName(optionName);
  return entrySeparator ?? (isRepeatable === true ? ';' : undefined);
}

/** Number of entries from which a name abbreviates a list. */
const MIN_ENTRIES_TO_ABBREVIATE = 3;

/**
 * Short forms of different lists, such as `1x4@0..60 and 11 more`, with the first entry that another list lacks. A
 * list is unchanged if it is short, or another one would look the same.
 */
function abbreviateListTexts(listTexts: readonly string[], separator: string): Map<string, string> {
  const lists = listTexts.map((listText) => listText.split(separator));
  const listCountByEntry = new Map<string, number>();
  for (const entry of lists.flatMap((entries) => [...new Set(entries)]))
    listCountByEntry.set(entry, (listCountByEntry.get(entry) ?? 0) + 1);
  const shortForms = lists.map((entries, i) => {
    if (entries.length < MIN_ENTRIES_TO_ABBREVIATE) return listTexts[i]!;
    const ownEntry = entries.find((entry) => listCountByEntry.get(entry)! < lists.length);
    return `${ownEntry ?? entries[0]} and ${entries.length - 1} more`;
  });
  return new Map(
    shortForms.map((shortForm, i) => {
      const isShortFormUnique = shortForms.indexOf(shortForm) === shortForms.lastIndexOf(shortForm);
      return [listTexts[i]!, isShortFormUnique ? shortForm : listTexts[i]!];
    }),
  );
}

/** Abbreviates the lists in the options of methods, which are pairs of a name and a text. */
function abbreviateLists(optionsByMethod: readonly (readonly [string, string][])[]): [string, string][][] {
  const optionNames = new Set(optionsByMethod.flat().map(([name]) => name));
  const shortForms = new Map(
    [...optionNames].flatMap((optionName) => {
      const separator = findEntrySeparator(optionName);
      if (separator === undefined) return [];
      const texts = optionsByMethod.flatMap((pairs) => pairs.filter(([name]) => name === optionName));
      return [[optionName, abbreviateListTexts([...new Set(texts.map(([, text]) => text))], separator)]];
    }),
  );
  return optionsByMethod.map((pairs) =>
    pairs.map(([name, text]): [string, string] => [name, shortForms.get(name)?.get(text) ?? text]),
  );
}

/** Names of methods: names given by the user, or short names that distinguish the methods. */
export function methodNames(configurations: readonly Configuration[]): string[] {
  return makeShortDescriptions(configurations, abbreviateLists).map(
    (description, i) => configurations[i]!.labels?.name ?? description,
  );
}

/**
 * Definitions of method names given by the user, such as `today: easy sites 640`; empty if there are none.
 */
export function formatMethodDefinitions(configurations: readonly Configuration[]): string[] {
  return makeShortDescriptions(configurations).flatMap((description, i) => {
    const { shownName, labels } = configurations[i]!;
    const methodName = shownName ?? labels?.name;
    return methodName === undefined ? [] : [`${methodName}: ${description}`];
  });
}

/**
 * Short distinguishing descriptions of methods: discipline, order, policy, then other options that differ.
 * @param abbreviateOptions abbreviates the values of the options.
 */
function makeShortDescriptions(
  configurations: readonly Configuration[],
  abbreviateOptions = (optionsByMethod: [string, string][][]) => optionsByMethod,
): string[] {
  const differencesByConfiguration = findDifferingOptions(configurations);
  const differingOptions = abbreviateOptions(
    configurations.map((configuration, i) =>
      listOptionsBeyondMethodName(configuration).filter(
        ([name]) => differencesByConfiguration[i]![name] !== undefined,
      ),
    ),
  );
  const descriptions = makeShortMethodNames(configurations).map((shortName, i) => {
    return [shortName, ...differingOptions[i]!.map(describeMethodOption)]
      .filter((part) => part !== '')
      .join(' ');
  });
  // Methods may differ only in a policy that none of them uses; then the policy is added to the name.
  return descriptions.map((description, i) =>
    descriptions.indexOf(description) === descriptions.lastIndexOf(description)
      ? description
      : `${description} ${printPolicy(configurations[i]!.policy)}`,
  );
}

/** Sites of each method, with the name of the method; empty if all methods have the same sites and speeds. */
export function describeMachinesOfMethods(
  configurations: readonly Configuration[],
): { readonly name: string; readonly grid: Grid }[] {
  if (!haveSeveralValues(configurations.map(({ grid }) => JSON.stringify(grid)))) return [];
  return makeMethodNamesForReports(configurations).map((methodName, i) => ({
    name: methodName,
    grid: configurations[i]!.grid,
  }));
}

/** Names of methods in texts, tables and figures: their labels, or else their names. */
export function makeMethodNamesForReports(configurations: readonly Configuration[]): string[] {
  return methodNames(configurations).map((methodName, i) => configurations[i]!.shownName ?? methodName);
}

/**
 * Adds labels to methods.
 * @param methodLabels labels by method name, as from `methodNames`.
 * @throws InputError for a label without a method, and for a label shared by two methods.
 */
export function addLabelsToMethods<Methods extends { readonly configurations: readonly Configuration[] }>(
  methods: Methods,
  methodLabels: ReadonlyMap<string, string>,
): Methods {
  if (methodLabels.size === 0) return methods;
  const knownNames = methodNames(methods.configurations);
  for (const methodName of methodLabels.keys()) {
    if (!knownNames.includes(methodName))
      throw makeUnknownNameError('method of --label', methodName, knownNames);
  }
  const configurations = methods.configurations.map((configuration, i) => {
    const shownName = methodLabels.get(knownNames[i]!);
    return shownName === undefined ? configuration : { ...configuration, shownName };
  });
  const reportNames = makeMethodNamesForReports(configurations);
  const repeatedName = reportNames.find((methodName, i) => reportNames.indexOf(methodName) < i);
  if (repeatedName !== undefined)
    throw new InputError(
      `--label: two methods would be called ${repeatedName}; give each a label of its own`,
    );
  return { ...methods, configurations };
}

// A method in one text: `easy, order=wfp3`.

/** Options of a run, by their names. */
export const RUN_OPTION_NAMES = (Object.keys(RUN_OPTIONS) as OptionKey[]).map(optionNameOfKey);

/**
 * Options that may differ between the methods of a comparison: options of a run, the sites, and the
 * estimates.
 */
export const METHOD_OPTION_NAMES: readonly string[] = [
  ...RUN_OPTION_NAMES,
  ...Object.keys(GRID_OPTIONS).map(optionNameOfKey),
  'estimates',
];

/** Splits a method such as `today: easy, sites=640` into its name and options. */
function splitMethodName(methodText: string): readonly [name: string | undefined, words: string] {
  const [, name, words = ''] = /^\s*([^:,=[\]]*[^:,=[\]\s])\s*:(.*)$/s.exec(methodText) ?? [];
  return name === undefined ? [undefined, methodText] : [name, words];
}

/** Short names for several options of a method: EASY++ of Tsafrir, Etsion and Feitelson 2007. */
export const OPTIONS_BY_METHOD_ALIAS: Readonly<Record<string, OptionStrings>> = {
  'easy++': {
    discipline: 'easy',
    'backfill-order': 'shortest',
    estimates: 'recent[n=2,refresh=yes]',
  },
};

/** One item of a method: a value, with the option name if given. */
type NamedMethodValue = readonly [name: string | undefined, value: string];

/**
 * Splits a method into its items. Text that begins like a number continues the previous value: `load=5,4`. A
 * named value in square brackets may contain commas: `limit=[user.jobs=3,group.jobs=5]`.
 */
function splitMethodIntoValues(methodText: string, methodSourceInErrors: string): NamedMethodValue[] {
  const items: string[] = [];
  for (const item of splitOutsideBrackets(splitMethodName(methodText)[1], ',').map((each) => each.trim())) {
    if (items.length > 0 && /^[-+.\d]/.test(item) && !isCodeFileName(item))
      items.push(`${items.pop()},${item}`);
    else if (item !== '') items.push(item);
  }
  if (items.length === 0)
    throw new InputError(`${methodSourceInErrors} names nothing; give a method such as easy,order=wfp3`);
  return items.flatMap((part): NamedMethodValue[] => {
    const methodAlias = Object.hasOwn(OPTIONS_BY_METHOD_ALIAS, part)
      ? OPTIONS_BY_METHOD_ALIAS[part]
      : undefined;
    if (methodAlias !== undefined) return Object.entries(methodAlias);
    const [, name, valueText = part] = /^([a-z][a-z-]*)\s*=\s*(.*)$/s.exec(part) ?? [];
    return [[name, name === undefined ? valueText : removeEnclosingBrackets(valueText)]];
  });
}

/** Encloses a value in brackets if a method would be split at its commas. */
function encloseListedValue(valueText: string): string {
  const isSplit = splitOutsideBrackets(valueText, ',').some((part, i) => i > 0 && !/^\s*[-+.\d]/.test(part));
  return isSplit ? `[${valueText}]` : valueText;
}

/** Parses the options of a method that are given by name. */
export function parseNamedMethodOptions(methodText: string, methodSourceInErrors: string): OptionStrings {
  const namedValues = splitMethodIntoValues(methodText, methodSourceInErrors);
  return Object.fromEntries(
    namedValues.filter((namedValue): namedValue is [string, string] => namedValue[0] !== undefined),
  );
}

/** Names of the options that a method gives, also by their values alone. */
export function listOptionNamesOfMethod(methodText: string, methodInErrors: string): string[] {
  return splitMethodIntoValues(methodText, methodInErrors).map(
    ([optionName, valueText]) =>
      optionName ?? findOptionOfValue(valueText, `${methodInErrors} '${methodText}'`),
  );
}

/** Replaces some options of a method: `today: easy, sites=640`. */
export function replaceMethodOptions(
  methodText: string,
  replacedOptionNames: readonly string[],
  addedOptions: OptionStrings,
): string {
  const [name] = splitMethodName(methodText);
  const keptValues = splitMethodIntoValues(methodText, 'method').filter(
    ([option]) => !replacedOptionNames.includes(option ?? ''),
  );
  const items = [...keptValues, ...Object.entries(addedOptions)].map(([option, valueText]) =>
    option === undefined ? valueText : `${option}=${encloseListedValue(valueText)}`,
  );
  return `${name === undefined ? '' : `${name}: `}${items.join(', ')}`;
}

/** Error for an option that cannot differ between methods. */
function makeUnknownMethodOptionError(optionName: string, methodSourceInErrors: string): InputError {
  if (optionName in OPTIONS || optionName === 'replications')
    return new InputError(
      `${methodSourceInErrors}: ${optionName} is the same for all methods, which simulate the same jobs; give it outside the methods`,
    );
  return makeUnknownNameError(`option of ${methodSourceInErrors}`, optionName, METHOD_OPTION_NAMES);
}

/**
 * Parses a method such as `easy, order=wfp3` or `NAME: easy, sites=640`: values whose option is unambiguous,
 * and named options.
 * @param sourceNameInErrors name of the method in errors.
 * @throws InputError for an unknown value, or an option that methods cannot have.
 */
export function parseMethod(methodText: string, sourceNameInErrors: string): Method {
  const methodAlias = Object.hasOwn(OPTIONS_BY_METHOD_ALIAS, methodText.trim())
    ? methodText.trim()
    : undefined;
  const [ownName = methodAlias] = splitMethodName(methodText);
  const method: Record<string, unknown> = ownName === undefined ? {} : { name: ownName };
  for (const [explicitName, valueText] of splitMethodIntoValues(methodText, sourceNameInErrors)) {
    const methodSourceInErrors = `${sourceNameInErrors} '${methodText}'`;
    const optionName = explicitName ?? findOptionOfValue(valueText, methodSourceInErrors);
    if (!METHOD_OPTION_NAMES.includes(optionName))
      throw makeUnknownMethodOptionError(optionName, methodSourceInErrors);
    const { key: optionKey, isSwitch, read: readOption } = findOptionByName(optionName);
    if (optionKey in method)
      throw new InputError(`${methodSourceInErrors} gives ${optionName} twice; give it once`);
    const optionText = isSwitch && explicitName === undefined ? 'true' : valueText;
    method[optionKey] = readOption(optionText, `${methodSourceInErrors}, ${optionName}`);
  }
  return method;
}

/** Finds the only option of a run that accepts a given word. */
function findOptionOfValue(valueText: string, methodSourceInErrors: string): string {
  if (isCodeFileName(valueText))
    throw new InputError(`${methodSourceInErrors}: say what ${valueText} is, as policy=${valueText}`);
  const isPolicy = (policyName: string) =>
    policies().some(({ name, aliases }) => name === policyName || aliases.includes(policyName));
  const valueName = /^\w[\w.-]*\[.*\]$/s.test(valueText) ? parseNotation(valueText).name : valueText;
  const optionNames = RUN_OPTION_NAMES.filter((optionName) => {
    const { isSwitch, choices: optionChoices } = findOptionByName(optionName);
    return optionName === 'policy'
      ? isPolicy(valueName)
      : isSwitch
        ? optionName === valueText
        : optionChoices?.includes(valueText);
  });
  if (optionNames.length === 1) return firstElement(optionNames);
  if (optionNames.length > 1) {
    throw new InputError(
      `${methodSourceInErrors}: ${valueText} may be ${optionNames.map((optionName) => `${optionName}=${valueText}`).join(' or ')}; say which`,
    );
  }
  const acceptedValues = [
    ...policies().map(({ name: policyName }) => policyName),
    ...Object.keys(OPTIONS_BY_METHOD_ALIAS),
    ...RUN_OPTION_NAMES.flatMap((optionName) => findOptionByName(optionName).choices ?? []),
  ];
  throw new InputError(
    `${methodSourceInErrors}: ${valueText} is not a discipline, a policy or another value of an option of a run${formatNameSuggestion(valueText, acceptedValues) || '.'} Options are given with commas between them, as in 'easy, order=shortest'`,
  );
}
