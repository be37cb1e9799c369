/**
 * An instance of the core: its functions, its memory, its enumerations as plain numbers, the policies that it
 * declares, and what it refuses.
 */
import type { instantiate as types } from './bindings.js';

type Exports = Awaited<ReturnType<typeof types>>;
/** The enumerations: what the core exports under names in capitals. */
export type Enumeration = {
  [Name in keyof Exports]: Name extends Capitalize<Name & string> ? Name : never;
}[keyof Exports];
type Numbers<E> = { readonly [Name in keyof E]: number };

/** The enumerations as plain numbers, the same in all builds. */
export type Constants = { readonly [Name in Enumeration]: Numbers<Exports[Name]> };

/**
 * An instance of the core: its functions and its memory, which docs/abi.md describes, and its enumerations as plain
 * numbers.
 */
export type Core = Constants & Omit<Exports, Enumeration>;

/** An option of the core. */
export type CoreOption = Exclude<keyof Core['Option'], 'COUNT'>;

/** The contract that this host knows. */
const SUPPORTED_ABI_VERSION = 5;

/** The enumerations that an instance exports, one global `Enumeration.Name` for each member. */
export function constantsOfExports(exports: WebAssembly.Exports): Constants {
  const found: Record<string, Record<string, number>> = {};
  for (const [name, value] of Object.entries(exports)) {
    const [enumeration = '', member] = name.split('.');
    if (member === undefined) continue;
    const members = found[enumeration] ?? {};
    found[enumeration] = members;
    // If a module is imported as such, globals arrive as numbers.
    members[member] = (value as WebAssembly.Global).value ?? value;
  }
  return found as unknown as Constants;
}

/**
 * What an instance exports, as a core.
 * @param memory the shared memory that it works on, if it has none of its own.
 * @throws Error when it is of another version.
 */
export function coreFromExports(
  exports: WebAssembly.Exports,
  memory?: WebAssembly.Memory,
  constants: Constants = constantsOfExports(exports),
): Core {
  const core = { ...exports, ...constants, ...(memory && { memory }) } as unknown as Core;
  if (core.abiVersion() === SUPPORTED_ABI_VERSION) return core;
  throw new Error(`the core is of version ${core.abiVersion()}, expected ${SUPPORTED_ABI_VERSION}`);
}

/**
 * A fresh instance of the core.
 * @param binary the bytes of `gridalloc/core/release.wasm`, or the module compiled from them where the host allows no
 * compiling of bytes.
 * @param memory the shared memory to work on; for `shared.wasm` only.
 * @throws Error when the binary is of another version.
 */
export function instantiateCore(
  binary: BufferSource | WebAssembly.Module,
  memory?: WebAssembly.Memory,
): Core {
  const module = binary instanceof WebAssembly.Module ? binary : new WebAssembly.Module(binary);
  return coreFromExports(new WebAssembly.Instance(module, memory && { env: { memory } }).exports, memory);
}

/**
 * A number of an enumeration by its name.
 * @throws RangeError for an unknown name.
 */
export function numberOfEnumerationMember(
  enumeration: Readonly<Record<string, number>>,
  name: string,
): number {
  const number = enumeration[name];
  if (number !== undefined) return number;
  throw new RangeError(`no ${name}; there are ${Object.keys(enumeration)}`);
}

// Refusals of the core

/** The job, site, option and room that a refusal is about, by their numbers; -1 for none. */
type ErrorLocation = Readonly<Record<'Job' | 'Site' | 'Option' | 'Room', number>>;

/** A refusal of the core. */
export class CoreCallRefusal extends Error {
  /** The `Status`. */
  readonly status: number;
  /** Job, site, option or capacity that caused the refusal. */
  readonly culprit: ErrorLocation;

  constructor(core: Core, status: number, culprit: ErrorLocation) {
    const name = Object.entries(core.Status).find(([, value]) => value === status)?.[0];
    const about = Object.entries(culprit).filter(([, number]) => number >= 0);
    super(`the core refuses: ${[name, ...about.map((each) => each.join(' '))].join(', ')}`);
    this.name = 'Refusal';
    this.status = status;
    this.culprit = culprit;
  }
}

/**
 * Throws a refusal, if a status is one.
 * @param of says what it is about.
 * @throws Refusal.
 */
export function throwIfRefused(core: Core, status: number, of: (what: keyof ErrorLocation) => number): void {
  if (status < core.Status.JobsUnsorted) return;
  throw new CoreCallRefusal(core, status, {
    Job: of('Job'),
    Site: of('Site'),
    Option: of('Option'),
    Room: of('Room'),
  });
}

/**
 * The same for the status of a call on a simulation, which itself says what it is about.
 * @throws Refusal.
 */
export function throwIfSimulationCallRefused(core: Core, block: number, status: number): void {
  throwIfRefused(core, status, (what) => core.scalar(block, core.Scalar[`Refused${what}`]));
}

// Allocation policies as the core declares them

/**
 * A parameter of a policy: a number, a whole number from 0, or from 1 (`count`), a number from 0 and below 1 (`share`), one
 * of some words (the first is the default), or a list of policies with + between them.
 */
export interface PolicyParameter {
  readonly name: string;
  /** Type of the parameter. */
  readonly kind: 'number' | 'whole' | 'count' | 'share' | 'choice' | 'policies';
  /** Default value. */
  readonly default: number | string;
  /** The words that it takes, if it is a choice. */
  readonly choices: readonly string[];
}

/** Declaration of a policy by the core. */
export interface PolicyDeclaration {
  /** Number in the core. */
  readonly index: number;
  /** Name in the notation `name[parameter=value]`. */
  readonly name: string;
  /** Further accepted names. */
  readonly aliases: readonly string[];
  /** Parameters in the order of their values. */
  readonly parameters: readonly PolicyParameter[];
  /** One sentence. */
  readonly summary: string;
}

/** `name[a=0.05,b=1:whole,c=x|y] (alias, alias): sentence.` */
const POLICY_DECLARATION_PATTERN = /^([^[\s(:]+)(?:\[([^\]]*)\])?(?: \(([^)]*)\))?: (.*)$/;

function parseParameterDeclaration(text: string): PolicyParameter {
  const [name, value] = text.split('=') as [string, string];
  const choices = value.split('|') as [string, ...string[]];
  if (choices.length > 1) return { name, kind: 'choice', default: choices[0], choices };
  const [defaultValue, kind = 'number'] = value.split(':') as [string, PolicyParameter['kind']?];
  return { name, kind, default: kind === 'policies' ? defaultValue : Number(defaultValue), choices: [] };
}

function parsePolicyDeclaration(text: string, index: number): PolicyDeclaration {
  const patternMatch = POLICY_DECLARATION_PATTERN.exec(text);
  if (patternMatch === null) throw new Error(`the core declares policy ${index} in an unknown form: ${text}`);
  const [, name = '', parameters, aliases, summary = ''] = patternMatch;
  return {
    index,
    name,
    aliases: aliases?.split(', ') ?? [],
    parameters: parameters?.split(',').map(parseParameterDeclaration) ?? [],
    summary,
  };
}

/** Cache of declarations by core, since reading them takes longer than a fork. */
const declarationsByCore = new WeakMap<Core, PolicyDeclaration[]>();

/** All policies that a core declares, in its order. */
export function declaredPolicies(core: Core): readonly PolicyDeclaration[] {
  const declared = declarationsByCore.get(core) ?? [];
  declarationsByCore.set(core, declared);
  for (;;) {
    const address = core.policyDeclaration(declared.length) >>> 0;
    if (address === 0) return declared;
    const bytes = new DataView(core.memory.buffer).getUint32(address - 4, true);
    // Hosts without anything of the web have no TextDecoder.
    const text = String.fromCharCode(...new Uint16Array(core.memory.buffer, address, bytes / 2));
    declared.push(parsePolicyDeclaration(text, declared.length));
  }
}
