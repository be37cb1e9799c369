/** What a command is made of: its words for the help, its options, and where its work is done. */
import type { Arguments } from './arguments.js';
import type { Context } from './context.js';

/** An option as the help shows it. Values are text until the command reads them. */
export interface OptionDefinition {
  readonly describe: string;
  /** A switch takes no value. */
  readonly isSwitch?: boolean;
  readonly choices?: readonly string[];
  /** What holds when the option is not given, in words. */
  readonly default?: string;
  readonly isRepeatable?: boolean;
  /** Heading in the help. */
  readonly group: string;
}

export type OptionTable = Readonly<Record<string, OptionDefinition>>;

/** A word that stands without a dash. */
export interface Positional {
  /** In capitals. */
  readonly name: string;
  readonly isOptional?: boolean;
  /** Whether more such words may follow; of the last one only. */
  readonly isRepeatable?: boolean;
  /** What to give, for the error when it is missing. */
  readonly meaning: string;
}

/** A command that does something. */
export interface Command {
  /** One word, or two for a command of a group. */
  readonly name: string;
  readonly summary: string;
  /** Paragraphs of the help between usage and options. */
  readonly description: string;
  readonly positionals: readonly Positional[];
  readonly options: OptionTable;
  readonly examples: readonly (readonly [command: string, meaning: string])[];
  /** The work; its module is loaded only when it runs. Resolves to the exit code. */
  readonly load: () => Promise<{ readonly run: (args: Arguments, context: Context) => Promise<number> }>;
}

/** Commands that share a first word. */
export interface CommandGroup {
  readonly name: string;
  readonly summary: string;
  readonly commands: readonly Command[];
}

/** `gridalloc trace convert IN OUT [options]`. */
export function usageOf({ name, positionals }: Command): string {
  const words = positionals.map((word) => (word.isOptional ? `[${word.name}]` : word.name));
  return ['gridalloc', name, ...words, '[options]'].join(' ');
}
