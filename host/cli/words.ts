/** The words of a command line taken apart: which command they name, its options and the rest. */
import parse from 'yargs-parser';
import { COMMANDS, isGroup } from './catalogue.js';
import type { CommandEntry, NamedCommand, OptionTable, ParsedWords } from './command.js';

/** How yargs' parser is set up, for the command line and for the help alike. */
export const PARSER_CONFIGURATION = {
  'boolean-negation': false,
  'camel-case-expansion': false,
  'dot-notation': false,
  'greedy-arrays': false,
  'parse-numbers': false,
  'parse-positional-numbers': false,
  'short-option-groups': false,
} as const;

/** Whether a line asks for a text, such as help, instead of the work of a command. */
export function asksForText(argv: readonly string[]): boolean {
  return argv.some((word) => word === '--help' || word === '--version');
}

/** The commands all of whose words stand in the line: no other can be meant. */
export function namedIn(argv: readonly string[]): CommandEntry[] {
  const entries = COMMANDS.flatMap((entry) => (isGroup(entry) ? entry.commands : [entry]));
  return entries.filter(({ name }) => name.split(' ').every((word) => argv.includes(word)));
}

/** A command with its name, loaded. */
export async function loadCommand({ name, load }: CommandEntry): Promise<NamedCommand> {
  return { ...(await load()), name };
}

/**
 * The command that a line begins with, and the words for it; undefined where it begins with none. Options and values
 * are left to `checkArguments`, which says better what is wrong with them.
 */
export async function chooseCommand(
  argv: readonly string[],
): Promise<{ readonly command: NamedCommand; readonly words: ParsedWords } | undefined> {
  for (const entry of namedIn(argv)) {
    const command = await loadCommand(entry);
    const words = parseWords(argv, command.options);
    if (command.name.split(' ').every((word, i) => words._[i] === word)) return { command, words };
  }
  return undefined;
}

function parseWords(argv: readonly string[], options: OptionTable): ParsedWords {
  const names = Object.keys(options);
  const isSwitch = (name: string) => options[name].isSwitch === true;
  return parse([...argv], {
    boolean: names.filter(isSwitch),
    string: names.filter((name) => !isSwitch(name)),
    configuration: PARSER_CONFIGURATION,
  });
}
