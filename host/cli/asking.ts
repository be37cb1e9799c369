/** What compare, and simulate over replications, ask: read from their words once, here and where a folder has kept these. */

import { optionNamed } from '../options/options.js';
import type { ComparisonWishes } from '../runs/comparison.js';
import type { Texts } from './asked.js';
import { Arguments } from './command.js';
import {
  CODE_OPTIONS,
  COMMON_OPTIONS,
  classesOf,
  metricsIn,
  replicationsOf,
  textsOf,
  withinOf,
} from './commandOptions.js';
import { ENGINE_OPTIONS } from './executionOptions.js';

/** What is asked of methods. */
export interface Asked extends ComparisonWishes {
  readonly command: 'compare' | 'simulate';
  /** Logs and models. */
  readonly sources: readonly string[];
  /** Options of simulations, as texts by name; those that say a method may list several values. */
  readonly texts: Texts;
  /** Methods that are named as a whole. */
  readonly named: readonly string[];
  /** Whether one method is to be found, whatever the others come to. */
  readonly selectsBest: boolean;
}

/**
 * What the words of a command ask.
 * @throws InputError for values that there are not, and for fewer than two replications.
 */
export function askedOf(command: Asked['command'], args: Arguments): Asked {
  return {
    command,
    sources: args.words,
    texts: textsOf(args),
    named: args.texts('method'),
    metrics: metricsIn(args),
    within: withinOf(args),
    replications: replicationsOf(args),
    untilDecided: args.has('until-decided'),
    selectsBest: args.has('select-best'),
    classes: classesOf(args),
  };
}

/** Whether replications are asked for. */
export function isReplicated({ replications, untilDecided, selectsBest }: Asked): boolean {
  return replications !== undefined || untilDecided || selectsBest;
}

/** The words of a command as a folder keeps them. */
export interface KeptWords {
  readonly command: Asked['command'];
  readonly words: readonly string[];
  readonly options: Readonly<Record<string, readonly string[]>>;
}

/** Options that say how a comparison is run, not what it asks. */
const EXECUTION = [
  'threads',
  'no-sharing',
  'out',
  ...[ENGINE_OPTIONS, CODE_OPTIONS, COMMON_OPTIONS].flatMap(Object.keys),
];

/** Those of compare, without how it is run. */
export function comparisonWords(args: Arguments): KeptWords {
  return { command: 'compare', words: args.words, options: args.without(EXECUTION).all() };
}

/** Those of simulate over replications, with the log and the options of a config.json. */
export function simulationWords(source: string, texts: Texts, args: Arguments): KeptWords {
  const options = Object.entries(texts).map(([name, text]) => [
    name,
    optionNamed(name).isSwitch ? [] : [text],
  ]);
  const given = ['replications', 'by'].filter((name) => args.has(name));
  return {
    command: 'simulate',
    words: [source],
    options: Object.fromEntries([...options, ...given.map((name) => [name, args.texts(name)])]),
  };
}

/** What they ask. */
export function askedIn({ command, words, options }: KeptWords): Asked {
  return askedOf(command, new Arguments(new Map(Object.entries(options)), words));
}
