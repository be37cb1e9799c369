/** Allocation policies as the core declares them, and their notation `name[parameter=value,...]`. */
import { InputError } from '../errors.js';
import { parseNotation, parseNumber, parseWholeNumber, printNotation, unknownName } from '../notation.js';
import { declaredPolicies, type PolicyDeclaration, type PolicyParameter } from './declarations.js';
import { coreModule, openCore } from './module.js';
import type { PolicyFunction } from './ownPolicy.js';

export { declaredPolicies, type PolicyDeclaration, type PolicyParameter } from './declarations.js';

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

/** Whether a policy is asked about jobs for which a single site has room, too. */
export function mayWait({ declaration, values }: Policy): boolean {
  return declaration.name === OWN && values[0] === 'yes';
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
