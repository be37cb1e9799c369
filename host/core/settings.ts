/** What a run is to be, and what it is laid out for. */
import type { Column } from './columns.js';
import { OPTION_WORDS } from './contract.js';
import { declaredPolicies, type PolicyDeclaration } from './declarations.js';
import type { Core, CoreOption } from './instance.js';
import { accept } from './refusal.js';

/** What the host writes into a simulation: columns by site, and others where options ask for them. */
export type RunInput = { readonly [Name in Column]?: ArrayLike<number> | undefined };

/** What a run is to be. */
export interface RunSettings {
  /** Sites; `Load` is 1 and `TimeFactor` 1 / speed where they are not given. */
  readonly sites: RunInput & Readonly<Record<'Capacity' | 'Speed', ArrayLike<number>>>;
  /** Options of the core, as numbers or in the words of their enumerations. */
  readonly options?: { readonly [Name in CoreOption]?: number | string };
  /** A policy by its name, and its parameters by theirs. */
  readonly policy?: string;
  readonly parameters?: Readonly<Record<string, number | string>>;
  /** Room that is to be other than what the options need. */
  readonly room?: { readonly [Name in keyof Core['Room']]?: number };
}

/** Numbers of a policy in the column `Policies`. */
const POLICY_ENTRIES = 5;

/** What cores have declared: reading it takes longer than a fork. */
const declarations = new WeakMap<Core, PolicyDeclaration[]>();

/**
 * A policy and its parameters as options of the core.
 * @param listed how many policies the column `Policies` has.
 * @throws RangeError for unknown names.
 */
export function policyOptions(
  core: Core,
  policy: string,
  parameters: Readonly<Record<string, number | string>> = {},
  listed = 0,
): Record<string, number> {
  const known = declarations.get(core) ?? declaredPolicies(core);
  declarations.set(core, known);
  const found = known.find(({ name, aliases }) => name === policy || aliases.includes(policy));
  if (found === undefined)
    throw new RangeError(`no policy ${policy}; there are ${known.map(({ name }) => name)}`);
  const unknown = Object.keys(parameters).find(
    (name) => !found.parameters.some((each) => each.name === name),
  );
  if (unknown !== undefined) throw new RangeError(`policy ${policy} has no parameter ${unknown}`);
  const values = found.parameters.map(({ name, kind, choices, default: usual }) => {
    // A list stands in a column.
    if (kind === 'policies') return listed;
    const value = parameters[name] ?? usual;
    return typeof value === 'string' ? choices.indexOf(value) : value;
  });
  return { Policy: found.index, ...Object.fromEntries(values.map((value, i) => [`Parameter${i}`, value])) };
}

/** The value of an option, which may be a word. */
function optionValue(core: Core, name: CoreOption, value: number | string): number {
  if (typeof value === 'number') return value;
  const [enumeration, plus] = OPTION_WORDS[name as keyof typeof OPTION_WORDS] ?? [];
  const number = enumeration && (core[enumeration] as Record<string, number>)[value];
  if (number === undefined) throw new RangeError(`option ${name} does not take ${value}`);
  return number + (plus ?? 0);
}

/** Sets options of a simulation. */
export function setOptions(
  core: Core,
  block: number,
  options: { readonly [Name in CoreOption]?: number | string },
): void {
  for (const [name, value] of Object.entries(options) as [CoreOption, number | string][]) {
    core.setOption(block, core.Option[name], optionValue(core, name, value));
  }
}

/**
 * Lays a simulation of so many jobs out at an address, where `Limit.HeadBytes` bytes must be there; one that would reach
 * beyond 4 GiB is not laid out.
 * @returns its size in bytes.
 * @throws Refusal, RangeError for unknown names.
 */
export function layOut(core: Core, block: number, count: number, settings: RunSettings): number {
  const { Capacity } = settings.sites;
  const processors = Array.from(Capacity).reduce((sum, each) => sum + each, 0);
  core.prepare(block);
  const { policy, parameters, options } = settings;
  const listed = (settings.sites.Policies?.length ?? 0) / POLICY_ENTRIES;
  const ofPolicy = policy === undefined ? {} : policyOptions(core, policy, parameters, listed);
  setOptions(core, block, { ...options, ...ofPolicy });
  accept(core, block, core.fitRoom(block, count, Capacity.length, processors));
  for (const [name, entries] of Object.entries(settings.room ?? {}) as [keyof Core['Room'], number][]) {
    core.setRoom(block, core.Room[name], entries);
  }
  const bytes = core.arrange(block);
  if (bytes === 0) accept(core, block, core.Status.RoomInvalid);
  return bytes;
}
