/** Settings of a run, and its memory layout. */
import { type COLUMNS, OPTION_WORDS } from './contract.js';
import {
  type Core,
  type CoreOption,
  declaredPolicies,
  findNumberOfEnumMember,
  throwIfSimulationCallRefused,
} from './instance.js';

/** Name of a column of a simulation. */
export type Column = keyof typeof COLUMNS;

/** Input columns that the host writes to a simulation: by site, and further ones for some options. */
export type RunInput = { readonly [Name in Column]?: ArrayLike<number> | undefined };

/** Options of the core, as numbers or as words of their enumerations. */
export type RunOptions = { readonly [Name in CoreOption]?: number | string };

/** Parameters of a policy, as numbers or words. */
export type PolicyParameters = Readonly<Record<string, number | string>>;

/** Settings of a run. */
export interface RunSettings {
  /** Sites by column; `Load` defaults to 1, `TimeFactor` to 1 / speed. */
  readonly sites: RunInput & Readonly<Record<'Capacity' | 'Speed', ArrayLike<number>>>;
  readonly options?: RunOptions;
  /** Name of the policy, and its parameters by name. */
  readonly policy?: string;
  readonly parameters?: PolicyParameters;
  /** Capacities that differ from what the options need. */
  readonly room?: Readonly<Partial<Record<keyof Core['Room'], number>>>;
}

/** Options that `CoreRun.changeRules` changes. */
export type ChangeableRules = Pick<RunOptions, 'Discipline' | 'Order' | 'BackfillOrder'>;

/** Number of entries per policy in the column `Policies`. */
const CORE_NUMBERS_PER_POLICY = 5;

/**
 * Converts a policy and its parameters to options of the core.
 * @param listedPolicyCount number of policies in the column `Policies`.
 * @throws RangeError for unknown names.
 */
export function makePolicyOptions(
  core: Core,
  policyText: string,
  parameters: PolicyParameters = {},
  listedPolicyCount = 0,
): RunOptions {
  const knownPolicies = declaredPolicies(core);
  const knownPolicy = knownPolicies.find(
    ({ name: policyName, aliases }) => policyName === policyText || aliases.includes(policyText),
  );
  if (knownPolicy === undefined) {
    throw new RangeError(
      `no policy ${policyText}; there are ${knownPolicies.map(({ name: policyName }) => policyName)}`,
    );
  }
  for (const parameterName of Object.keys(parameters)) {
    if (knownPolicy.parameters.some((parameter) => parameter.name === parameterName)) continue;
    throw new RangeError(`policy ${policyText} has no parameter ${parameterName}`);
  }
  const parameterNumbers = knownPolicy.parameters.map(
    ({ name: parameterName, kind: parameterKind, choices: parameterChoices, default: defaultValue }, i) => {
      const parameterValue = parameters[parameterName] ?? defaultValue;
      const parameterNumber =
        typeof parameterValue === 'string' ? parameterChoices.indexOf(parameterValue) : parameterValue;
      // A list is in a column.
      return [`Parameter${i}`, parameterKind === 'policies' ? listedPolicyCount : parameterNumber];
    },
  );
  return { Policy: knownPolicy.index, ...Object.fromEntries(parameterNumbers) };
}

/** Number of a word that an option accepts. */
function findNumberOfOptionWord(core: Core, option: string, optionWord: string): number {
  const [enumeration, offset] = OPTION_WORDS[option as keyof typeof OPTION_WORDS] ?? [];
  if (enumeration !== undefined) return offset + findNumberOfEnumMember(core[enumeration], optionWord);
  throw new RangeError(`option ${option} takes a number, not ${optionWord}`);
}

/**
 * Sets options of a simulation.
 * @throws RangeError for unknown names and words.
 */
export function setCoreRunOptions(core: Core, block: number, options: RunOptions): void {
  const { Option, setOption } = core;
  for (const [optionName, optionValue] of Object.entries(options)) {
    setOption(
      block,
      findNumberOfEnumMember(Option, optionName),
      findNumberOfOption(core, optionName, optionValue),
    );
  }
}

/**
 * Number of an option's value, which is a number or a word.
 * @throws RangeError for an unknown word.
 */
export function findNumberOfOption(core: Core, optionName: string, optionValue: number | string): number {
  return typeof optionValue === 'number'
    ? optionValue
    : findNumberOfOptionWord(core, optionName, optionValue);
}

/**
 * Lays out a simulation for this many jobs at an address with at least `Limit.HeadBytes` bytes; a simulation
 * that would exceed 4 GiB is not laid out.
 * @returns its size in bytes.
 * @throws Refusal, RangeError for unknown names.
 */
export function layOutSimulationBlock(
  core: Core,
  block: number,
  jobCount: number,
  runSettings: RunSettings,
): number {
  const { sites, options = {}, policy, parameters, room = {} } = runSettings;
  const processors = Array.from(sites.Capacity).reduce((sum, each) => sum + each, 0);
  const listedPolicyCount = (sites.Policies?.length ?? 0) / CORE_NUMBERS_PER_POLICY;
  core.prepare(block);
  setCoreRunOptions(core, block, options);
  if (policy !== undefined)
    setCoreRunOptions(core, block, makePolicyOptions(core, policy, parameters, listedPolicyCount));
  throwIfSimulationCallRefused(core, block, core.fitRoom(block, jobCount, sites.Capacity.length, processors));
  for (const [name, entryCount] of Object.entries(room)) {
    core.setRoom(block, findNumberOfEnumMember(core.Room, name), entryCount);
  }
  const bytes = core.arrange(block);
  if (bytes === 0) throwIfSimulationCallRefused(core, block, core.Status.RoomInvalid);
  return bytes;
}
