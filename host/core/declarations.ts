/** Allocation policies as the core declares them. */
import type { Core } from './instance.js';

/**
 * A parameter of a policy: a number, a whole number from 0, or from 1 (`count`), a number from 0 and below 1 (`share`), one
 * of some words (the first is the default), or a list of policies with + between them.
 */
export interface PolicyParameter {
  readonly name: string;
  /** What it takes. */
  readonly kind: 'number' | 'whole' | 'count' | 'share' | 'choice' | 'policies';
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

/** `name[a=0.05,b=1:whole,c=x|y] (alias, alias): sentence.` */
const DECLARATION = /^([^[\s(:]+)(?:\[([^\]]*)\])?(?: \(([^)]*)\))?: (.*)$/;

function parameterFrom(text: string): PolicyParameter {
  const [name, value] = text.split('=') as [string, string];
  const choices = value.split('|') as [string, ...string[]];
  if (choices.length > 1) return { name, kind: 'choice', default: choices[0], choices };
  const [usual, kind = 'number'] = value.split(':') as [string, PolicyParameter['kind']?];
  return { name, kind, default: kind === 'policies' ? usual : Number(usual), choices: [] };
}

function declarationFrom(text: string, index: number): PolicyDeclaration {
  const match = DECLARATION.exec(text);
  if (match === null) throw new Error(`the core declares policy ${index} in an unknown form: ${text}`);
  const [, name = '', parameters, aliases, summary = ''] = match;
  return {
    index,
    name,
    aliases: aliases?.split(', ') ?? [],
    parameters: parameters?.split(',').map(parameterFrom) ?? [],
    summary,
  };
}

/** What cores have declared: reading it takes longer than a fork. */
const known = new WeakMap<Core, PolicyDeclaration[]>();

/** All policies that a core declares, in its order. */
export function declaredPolicies(core: Core): readonly PolicyDeclaration[] {
  const declared = known.get(core) ?? [];
  known.set(core, declared);
  for (;;) {
    const address = core.policyDeclaration(declared.length) >>> 0;
    if (address === 0) return declared;
    const bytes = new DataView(core.memory.buffer).getUint32(address - 4, true);
    // Hosts without anything of the web have no TextDecoder.
    const text = String.fromCharCode(...new Uint16Array(core.memory.buffer, address, bytes / 2));
    declared.push(declarationFrom(text, declared.length));
  }
}
