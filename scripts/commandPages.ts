/** Generates the command reference from the declarations of the commands. */
import { COMMANDS, isCommandGroup } from '../host/cli/catalogue.js';
import type { NamedCommand } from '../host/cli/command.js';
import { formatCommandUsage } from '../host/cli/help.js';
import { capitalizeFirst, joinWithAnd } from '../host/format/numbers.js';
import { SIMULATION_OPTION_DEFINITIONS } from '../host/request/commandOptions.js';
import {
  type CommandOptionTable,
  OPTION_NAMES_BY_LETTER,
  type OptionCombinationRule,
} from '../host/request/definitions.js';
import { wrapped } from './markdown.js';

/** Number of commands from which on their common options are described once. */
const COMMON = 4;

type NamedOption = [name: string, option: CommandOptionTable[string]];

/** Formats an option of commands as a row of a table. */
function optionRow([name, { describe, choices, default: defaultValue, isSwitch }]: NamedOption): string {
  const letter = Object.keys(OPTION_NAMES_BY_LETTER).find((each) => OPTION_NAMES_BY_LETTER[each] === name);
  const called = `\`--${name}\`${letter === undefined ? '' : `, \`-${letter}\``}`;
  const words = choices === undefined ? '' : ` (${choices.join(', ')})`;
  return `| ${called} | ${describe.replaceAll('|', '\\|')}${words} | ${isSwitch ? '' : (defaultValue ?? '')} |`;
}

function optionTable(entries: readonly NamedOption[]): string {
  if (entries.length === 0) return '';
  const rows = ['| option | meaning | default |', '|---|---|---|', ...entries.map(optionRow)];
  return rows.join('\n').replaceAll(/ {2,}(?=\|)/g, ' ');
}

const isSimulationOption = ([name, { describe }]: NamedOption) =>
  SIMULATION_OPTION_DEFINITIONS[name]?.describe === describe;

/** Returns options that at least four commands take in the same way. */
function commonOptions(commands: readonly NamedCommand[]): NamedOption[] {
  const all = commands
    .flatMap(({ options }) => Object.entries(options))
    .filter((each) => !isSimulationOption(each));
  const rows = all.map(optionRow);
  return all.filter(
    (_, i) => rows.indexOf(rows[i]!) === i && rows.filter((row) => row === rows[i]).length >= COMMON,
  );
}

/** Options of a command as Markdown: a table of its own options, then the names of the options that another section describes. */
function optionLines(options: CommandOptionTable, common: readonly NamedOption[]): string {
  const entries = Object.entries(options);
  const own = entries.filter((entry) => !isSimulationOption(entry));
  const commonRows = common.map(optionRow);
  const isCommon = (each: NamedOption) => commonRows.includes(optionRow(each));
  const others = own.filter(isCommon).map(([name]) => `\`--${name}\``);
  const settings =
    entries.length - own.length > 10 ? ['the [options of a simulation](#options-of-a-simulation)'] : [];
  const rest = [...others, ...settings];
  return [
    optionTable(own.filter((each) => !isCommon(each))),
    rest.length === 0 ? '' : wrapped(`Also ${joinWithAnd(rest)}.`),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

const named = (options: readonly string[], word: 'and' | 'or') =>
  joinWithAnd(
    options.map((option) => `\`--${option}\``),
    word,
  );

/** Lists the rules for combinations of options, one line each. */
function combinationLines(combinations: readonly OptionCombinationRule[]): string {
  const lines = combinations.map(({ of, needs, excludes, where, why }) => {
    const place = where === undefined ? '' : `${capitalizeFirst(where.words)}: `;
    if (needs !== undefined)
      return `- ${place}${named(of, 'and')} ${of.length > 1 ? 'need' : 'needs'} ${named(needs, 'or')}: ${why}.`;
    if (excludes !== undefined)
      return `- ${place}${named(of, 'and')} not with ${named(excludes, 'or')}: ${why}.`;
    return `- ${place}${named(of, 'and')} ${why}.`;
  });
  return lines.map(wrapped).join('\n');
}

function commandText(command: NamedCommand, common: readonly NamedOption[]): string {
  const examples = command.examples.map(([line, meaning]) => `    ${line}\n        ${meaning}`);
  return [
    `## ${command.name}`,
    `    ${formatCommandUsage(command)}`,
    command.description.split('\n\n').map(wrapped).join('\n\n'),
    optionLines(command.options, common),
    combinationLines(command.combinations ?? []),
    `Examples:\n\n${examples.join('\n')}`,
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

/** Describes every command, in the order of the help. */
export async function commandSections(): Promise<string> {
  const entries = COMMANDS.flatMap((entry) => (isCommandGroup(entry) ? entry.commands : [entry]));
  const commands = await Promise.all(entries.map(async ({ name, load }) => ({ ...(await load()), name })));
  const common = commonOptions(commands);
  const head = `## Common options\n\n${optionTable(common)}`;
  return [head, ...commands.map((command) => commandText(command, common))].join('\n\n');
}
