/**
 * An instance of the core: functions, memory, enumerations as plain numbers, declared policies, and refusals.
 */
import type { instantiate as types } from './bindings.js';

type CoreExports = Awaited<ReturnType<typeof types>>;
/** Names of the enumerations, which the core exports in capitals. */
export type Enumeration = {
  [Name in keyof CoreExports]: Name extends Capitalize<Name & string> ? Name : never;
}[keyof CoreExports];
type EnumerationNumbers<E> = { readonly [Name in keyof E]: number };

/** Enumerations as plain numbers, equal in all builds. */
export type Constants = { readonly [Name in Enumeration]: EnumerationNumbers<CoreExports[Name]> };

/**
 * An instance of the core: its functions and memory, described in docs/abi.md, and its enumerations as plain
 * numbers.
 */
export type Core = Constants & Omit<CoreExports, Enumeration>;

/** Name of an option of the core. */
export type CoreOption = Exclude<keyof Core['Option'], 'COUNT'>;

/** Version of the ABI that this host supports. */
const SUPPORTED_ABI_VERSION = 5;

/** Enumerations exported by an instance, one global `Enumeration.Name` per member. */
export function readConstantsOfExports(exports: WebAssembly.Exports): Constants {
  const enumerations: Record<string, Record<string, number>> = {};
  for (const [exportName, value] of Object.entries(exports)) {
    const [enumeration = '', member] = exportName.split('.');
    if (member === undefined) continue;
    const enumMembers = enumerations[enumeration] ?? {};
    enumerations[enumeration] = enumMembers;
    // If a module is imported as such, globals arrive as numbers.
    enumMembers[member] = (value as WebAssembly.Global).value ?? value;
  }
  return enumerations as unknown as Constants;
}

/**
 * Wraps the exports of an instance as a core.
 * @param memory shared memory, if the instance has none of its own.
 * @throws Error for another ABI version.
 */
export function makeCoreFromExports(
  exports: WebAssembly.Exports,
  memory?: WebAssembly.Memory,
  constants: Constants = readConstantsOfExports(exports),
): Core {
  const core = { ...exports, ...constants, ...(memory && { memory }) } as unknown as Core;
  if (core.abiVersion() === SUPPORTED_ABI_VERSION) return core;
  throw new Error(`the core is of version ${core.abiVersion()}, expected ${SUPPORTED_ABI_VERSION}`);
}

/**
 * Creates an instance of the core.
 * @param binary bytes of `gridalloc/core/release.wasm`, or the compiled module if the host does not permit
 * compilation.
 * @param memory shared memory; only for `shared.wasm`.
 * @throws Error for another ABI version.
 */
export function instantiateCore(
  binary: BufferSource | WebAssembly.Module,
  memory?: WebAssembly.Memory,
): Core {
  const module = binary instanceof WebAssembly.Module ? binary : new WebAssembly.Module(binary);
  return makeCoreFromExports(new WebAssembly.Instance(module, memory && { env: { memory } }).exports, memory);
}

/**
 * Number of a member of an enumeration.
 * @throws RangeError for an unknown name.
 */
export function findNumberOfEnumMember(
  enumeration: Readonly<Record<string, number>>,
  memberName: string,
): number {
  const memberNumber = enumeration[memberName];
  if (memberNumber !== undefined) return memberNumber;
  throw new RangeError(`no ${memberName}; there are ${Object.keys(enumeration)}`);
}

// Refusals of the core

/** Job, site, option and capacity that caused a refusal, by number; -1 for none. */
type ErrorLocation = Readonly<Record<'Job' | 'Site' | 'Option' | 'Room', number>>;

/** Error for a call that the core refused. */
export class CoreCallRefusal extends Error {
  /** Status code of the refusal. */
  readonly status: number;
  /** Job, site, option or capacity that caused the refusal. */
  readonly culprit: ErrorLocation;
  /** Processors of the job that caused a refusal by a live run; NaN if none did, or they are unknown. */
  jobProcessors = Number.NaN;

  /** @param sentence message; default: the names of the status and of its causes. */
  constructor(core: Core, status: number, culprit: ErrorLocation, sentence?: string) {
    const statusName = Object.entries(core.Status).find(([, value]) => value === status)?.[0];
    const namedCauses = Object.entries(culprit).filter(([, number]) => number >= 0);
    super(
      sentence ??
        `the core refuses: ${[statusName, ...namedCauses.map((namedCause) => namedCause.join(' '))].join(', ')}`,
    );
    this.name = 'Refusal';
    this.status = status;
    this.culprit = culprit;
  }
}

/**
 * Throws an error if a status is a refusal.
 * @param findNumberOfCause locates the cause.
 * @throws Refusal.
 */
export function throwIfRefused(
  core: Core,
  status: number,
  findNumberOfCause: (causeKind: keyof ErrorLocation) => number,
): void {
  if (status < core.Status.JobsUnsorted) return;
  throw new CoreCallRefusal(core, status, {
    Job: findNumberOfCause('Job'),
    Site: findNumberOfCause('Site'),
    Option: findNumberOfCause('Option'),
    Room: findNumberOfCause('Room'),
  });
}

/**
 * Throws an error if the status of a call on a simulation is a refusal, with the cause recorded by the
 * simulation.
 * @throws Refusal.
 */
export function throwIfSimulationCallRefused(core: Core, block: number, status: number): void {
  throwIfRefused(core, status, (causeKind) => core.scalar(block, core.Scalar[`Refused${causeKind}`]));
}

// Allocation policies as the core declares them

/**
 * Parameter of a policy: a number, a whole number from 0 or from 1 (`count`), a number from 0 and below 1
 * (`share`), one of several words (the first is the default), or a list of policies joined by +.
 */
export interface PolicyParameter {
  readonly name: string;
  /** Type of the parameter. */
  readonly kind: 'number' | 'whole' | 'count' | 'share' | 'choice' | 'policies';
  /** Default value. */
  readonly default: number | string;
  /** Accepted words, if the parameter is a choice. */
  readonly choices: readonly string[];
}

/** Declaration of a policy by the core. */
export interface PolicyDeclaration {
  /** Number in the core. */
  readonly index: number;
  /** Name in the notation `name[parameter=value]`. */
  readonly name: string;
  /** Alternative names of the policy. */
  readonly aliases: readonly string[];
  /** Parameters in the order of their values. */
  readonly parameters: readonly PolicyParameter[];
  /** Description in one sentence. */
  readonly summary: string;
}

/** Pattern of a declaration: `name[a=0.05,b=1:whole,c=x|y] (alias, alias): sentence.` */
const POLICY_DECLARATION_PATTERN = /^([^[\s(:]+)(?:\[([^\]]*)\])?(?: \(([^)]*)\))?: (.*)$/;

function parseParameterDeclaration(parameterDeclarationText: string): PolicyParameter {
  const [name, valueText] = parameterDeclarationText.split('=') as [string, string];
  const choices = valueText.split('|') as [string, ...string[]];
  if (choices.length > 1) return { name, kind: 'choice', default: choices[0], choices };
  const [defaultValue, kind = 'number'] = valueText.split(':') as [string, PolicyParameter['kind']?];
  return { name, kind, default: kind === 'policies' ? defaultValue : Number(defaultValue), choices: [] };
}

function parsePolicyDeclaration(policyDeclarationText: string, index: number): PolicyDeclaration {
  const patternMatch = POLICY_DECLARATION_PATTERN.exec(policyDeclarationText);
  if (patternMatch === null)
    throw new Error(`the core declares policy ${index} in an unknown form: ${policyDeclarationText}`);
  const [, name = '', parametersText, aliasesText, summary = ''] = patternMatch;
  return {
    index,
    name,
    aliases: aliasesText?.split(', ') ?? [],
    parameters: parametersText?.split(',').map(parseParameterDeclaration) ?? [],
    summary,
  };
}

/** Cache of declarations by core, since reading them takes longer than a fork. */
const declarationsByCore = new WeakMap<Core, PolicyDeclaration[]>();

/** All policies that a core declares, in its order. */
export function declaredPolicies(core: Core): readonly PolicyDeclaration[] {
  const policyDeclarations = declarationsByCore.get(core) ?? [];
  declarationsByCore.set(core, policyDeclarations);
  for (;;) {
    const address = core.policyDeclaration(policyDeclarations.length) >>> 0;
    if (address === 0) return policyDeclarations;
    const bytes = new DataView(core.memory.buffer).getUint32(address - 4, true);
    // Hosts without anything of the web have no TextDecoder.
    const decodedText = String.fromCharCode(...new Uint16Array(core.memory.buffer, address, bytes / 2));
    policyDeclarations.push(parsePolicyDeclaration(decodedText, policyDeclarations.length));
  }
}
