/** Allocation policies as the core declares them, and their notation `name[parameter=value,...]`. */
import { InputError } from '../errors.js';
import { parseNotation, parseNumber, parseWholeNumber, printNotation, unknownName } from '../notation.js';
import { type Core, coreModule, openCore } from './module.js';
import type { PolicyFunction } from './ownPolicy.js';

/** A parameter of a policy: a number, a whole number from 0, or one of some words (the first is the default). */
export interface PolicyParameter {
  readonly name: string;
  /** What it takes. */
  readonly kind: 'number' | 'whole' | 'choice';
  /** What holds when it is not given. */
  readonly default: number | string;
  /** The words that it takes, if it is a choice. */
  readonly choices: readonly string[];
}

/** What the core says of a policy. */
export interface PolicyDeclaration {
  /** Its number in the core. */
  readonly index: number;
  /** As in `name[parameter=value]`. */
  readonly name: string;
  /** Other names, which do as well. */
  readonly aliases: readonly string[];
  /** In the order of their values. */
  readonly parameters: readonly PolicyParameter[];
  /** One sentence. */
  readonly summary: string;
}

/** A policy with a value for each of its parameters. */
export interface Policy {
  /** Which policy it is. */
  readonly declaration: PolicyDeclaration;
  /** One per parameter, in their order. */
  readonly values: readonly (number | string)[];
  /** The function of a policy of one's own. */
  readonly choose?: PolicyFunction;
  /** What results call that. */
  readonly name?: string;
}

/** `name[a=0.05,b=1:whole,c=x|y] (alias, alias): sentence.` */
const DECLARATION = /^([^[\s(:]+)(?:\[([^\]]*)\])?(?: \(([^)]*)\))?: (.*)$/;

function parameterFrom(text: string): PolicyParameter {
  const [name, value] = text.split('=') as [string, string];
  const choices = value.includes('|') ? value.split('|') : [];
  if (choices.length > 0) return { name, kind: 'choice', default: choices[0], choices };
  const kind = value.endsWith(':whole') ? 'whole' : 'number';
  return { name, kind, default: Number(value.replace(/:whole$/, '')), choices };
}

function declarationFrom(text: string, index: number): PolicyDeclaration {
  const match = DECLARATION.exec(text);
  if (match === null) throw new Error(`the core declares policy ${index} in an unknown form: ${text}`);
  const [, name, parameters, aliases, summary] = match;
  return {
    index,
    name,
    aliases: aliases?.split(', ') ?? [],
    parameters: parameters?.split(',').map(parameterFrom) ?? [],
    summary,
  };
}

/** All policies that a core declares, in its order. */
export function declaredPolicies(core: Core): PolicyDeclaration[] {
  const declarations: PolicyDeclaration[] = [];
  for (let index = 0; ; index++) {
    const address = core.policyDeclaration(index) >>> 0;
    if (address === 0) return declarations;
    const bytes = new DataView(core.memory.buffer).getUint32(address - 4, true);
    const text = new TextDecoder('utf-16le').decode(new Uint8Array(core.memory.buffer, address, bytes));
    declarations.push(declarationFrom(text, index));
  }
}

let known:
  | {
      readonly module: WebAssembly.Module;
      readonly policies: readonly PolicyDeclaration[];
      readonly own: PolicyDeclaration;
    }
  | undefined;

/** The policy that asks the host, which has no name for users: they give a function. */
const OWN = 'own';

function declarations() {
  const module = coreModule('release');
  if (known?.module !== module) {
    const declared = declaredPolicies(openCore());
    known = {
      module,
      policies: declared.filter(({ name }) => name !== OWN),
      own: declared.find(({ name }) => name === OWN) as PolicyDeclaration,
    };
  }
  return known;
}

/**
 * All policies of the release build that have a name to be given by, in the order of the core.
 * @example
 * console.log(policies()[0].name); // best-fit
 */
export function policies(): readonly PolicyDeclaration[] {
  return declarations().policies;
}

/** The policy that asks the host for a site, and about waiting too if that may be. */
export function hostPolicy(mayWait: boolean): Policy {
  return { declaration: declarations().own, values: [mayWait ? 'yes' : 'no'] };
}

function parameterValue(policy: string, parameter: PolicyParameter, text: string): number | string {
  const what = `parameter '${parameter.name}' of ${policy}`;
  if (parameter.kind === 'whole') return parseWholeNumber(text, what);
  if (parameter.kind === 'number') return parseNumber(text, what);
  if (parameter.choices.includes(text)) return text;
  throw new InputError(`${what}: expected ${parameter.choices.join(' or ')}, found '${text}'`);
}

/**
 * A policy from its notation; parameters that are not named take their defaults.
 * @throws InputError for an unknown policy or parameter, or a value that the parameter does not take.
 * @example
 * console.log(parsePolicy('ti[slt=1.5]').declaration.name); // ti
 */
export function parsePolicy(text: string, among: readonly PolicyDeclaration[] = policies()): Policy {
  const { name, parameters } = parseNotation(text);
  const declaration = among.find((each) => each.name === name || each.aliases.includes(name));
  if (declaration === undefined) {
    throw unknownName(
      'policy',
      name,
      among.flatMap((each) => [each.name, ...each.aliases]),
    );
  }
  const names = declaration.parameters.map((parameter) => parameter.name);
  for (const parameter of parameters.keys()) {
    if (names.length === 0) throw new InputError(`policy '${declaration.name}' has no parameters`);
    if (!names.includes(parameter)) throw unknownName(`parameter of ${declaration.name}`, parameter, names);
  }
  const values = declaration.parameters.map((parameter) => {
    const given = parameters.get(parameter.name);
    return given === undefined ? parameter.default : parameterValue(declaration.name, parameter, given);
  });
  return { declaration, values };
}

/**
 * A policy in its notation, with all its parameters; of one's own the name.
 * @example
 * console.log(printPolicy(parsePolicy('ti[slt=1.5]'))); // ti[sht=0.05,slt=1.5]
 */
export function printPolicy({ declaration, values, name }: Policy): string {
  if (name !== undefined) return name;
  return printNotation(
    declaration.name,
    declaration.parameters.map((parameter, i) => [parameter.name, values[i]] as const),
  );
}

/** The parameters of a policy as the core takes them: a choice is its position. */
export function policyNumbers({ declaration, values }: Policy): number[] {
  return declaration.parameters.map(({ kind, choices }, i) =>
    kind === 'choice' ? choices.indexOf(String(values[i])) : Number(values[i]),
  );
}
