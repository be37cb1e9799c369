/** Generates the command reference from the declarations of the commands. */
import { COMMANDS, isCommandGroup } from '../host/cli/catalogue.js';
import type { NamedCommand } from '../host/cli/command.js';
import { formatCommandUsage } from '../host/cli/help.js';
import { capitalizeFirst, joinWithAnd } from '../host/format/numbers.js';
import { SIMULATION_OPTION_DEFINITIONS } from '../host/request/commandOptions.js';
import {
  type CommandOptionTable,
  OPTION_NAME_BY_LETTER,
  type OptionCombinationRule,
} from '../host/request/definitions.js';
import { wrapMarkdown } from './markdown.js';

/** Number of commands from which on their common options are described once. */
const MIN_COMMANDS_OF_COMMON_OPTION = 4;

type NamedOption = [name: string, option: CommandOptionTable[string]];

/** Formats an option of commands as a row of a table. */
function formatOptionRow([
  optionName,
  { describe, choices: optionChoices, default: defaultValue, isSwitch },
]: NamedOption): string {
  const letter = Object.keys(OPTION_NAME_BY_LETTER).find(
    (possibleLetter) => OPTION_NAME_BY_LETTER[possibleLetter] === optionName,
  );
  const optionCode = `\`--${optionName}\`${letter === undefined ? '' : `, \`-${letter}\``}`;
  const choicesText = optionChoices === undefined ? '' : ` (${optionChoices.join(', ')})`;
  return `| ${optionCode} | ${describe.replaceAll('|', '\\|')}${choicesText} | ${isSwitch ? '' : (defaultValue ?? '')} |`;
}

function formatOptionTable(entries: readonly NamedOption[]): string {
  if (entries.length === 0) return '';
  const rows = ['| option | meaning | default |', '|---|---|---|', ...entries.map(formatOptionRow)];
  return rows.join('\n').replaceAll(/ {2,}(?=\|)/g, ' ');
}

const isSimulationOption = ([name, { describe }]: NamedOption) =>
  SIMULATION_OPTION_DEFINITIONS[name]?.describe === describe;

/** Returns options that at least four commands take in the same way. */
function findCommonOptions(commands: readonly NamedCommand[]): NamedOption[] {
  const allOptions = commands
    .flatMap(({ options }) => Object.entries(options))
    .filter((option) => !isSimulationOption(option));
  const rows = allOptions.map(formatOptionRow);
  return allOptions.filter(
    (_, i) =>
      rows.indexOf(rows[i]!) === i &&
      rows.filter((row) => row === rows[i]).length >= MIN_COMMANDS_OF_COMMON_OPTION,
  );
}

/**
 * Options of a command as Markdown: a table of its own options, then the names of the options that another
 * section describes.
 */
function formatOptionLines(options: CommandOptionTable, commonOptions: readonly NamedOption[]): string {
  const entries = Object.entries(options);
  const optionsOfCommand = entries.filter((entry) => !isSimulationOption(entry));
  const commonRows = commonOptions.map(formatOptionRow);
  const isCommonOption = (namedOption: NamedOption) => commonRows.includes(formatOptionRow(namedOption));
  const commonNames = optionsOfCommand.filter(isCommonOption).map(([name]) => `\`--${name}\``);
  const settings =
    entries.length - optionsOfCommand.length > 10
      ? ['the [options of a simulation](#options-of-a-simulation)']
      : [];
  const referredOptions = [...commonNames, ...settings];
  return [
    formatOptionTable(optionsOfCommand.filter((option) => !isCommonOption(option))),
    referredOptions.length === 0 ? '' : wrapMarkdown(`Also ${joinWithAnd(referredOptions)}.`),
  ]
    .filter((section) => section !== '')
    .join('\n\n');
}

const formatNamesAsCode = (options: readonly string[], word: 'and' | 'or') =>
  joinWithAnd(
    options.map((option) => `\`--${option}\``),
    word,
  );

/** Lists the rules for combinations of options, one line each. */
function formatCombinationLines(combinations: readonly OptionCombinationRule[]): string {
  const lines = combinations.map(({ of: ruleSubjects, needs, excludes, where, why }) => {
    const wherePrefix = where === undefined ? '' : `${capitalizeFirst(where.words)}: `;
    if (needs !== undefined)
      return `- ${wherePrefix}${formatNamesAsCode(ruleSubjects, 'and')} ${ruleSubjects.length > 1 ? 'need' : 'needs'} ${formatNamesAsCode(needs, 'or')}: ${why}.`;
    if (excludes !== undefined)
      return `- ${wherePrefix}${formatNamesAsCode(ruleSubjects, 'and')} not with ${formatNamesAsCode(excludes, 'or')}: ${why}.`;
    return `- ${wherePrefix}${formatNamesAsCode(ruleSubjects, 'and')} ${why}.`;
  });
  return lines.map(wrapMarkdown).join('\n');
}

function formatCommandSection(command: NamedCommand, commonOptions: readonly NamedOption[]): string {
  const examples = command.examples.map(([line, meaningText]) => `    ${line}\n        ${meaningText}`);
  return [
    `## ${command.name}`,
    `    ${formatCommandUsage(command)}`,
    command.description.split('\n\n').map(wrapMarkdown).join('\n\n'),
    formatOptionLines(command.options, commonOptions),
    formatCombinationLines(command.combinations ?? []),
    `Examples:\n\n${examples.join('\n')}`,
  ]
    .filter((section) => section !== '')
    .join('\n\n');
}

/** Describes every command, in the order of the help. */
export async function makeCommandSections(): Promise<string> {
  const entries = COMMANDS.flatMap((command) => (isCommandGroup(command) ? command.commands : [command]));
  const commands = await Promise.all(
    entries.map(async ({ name: commandName, load }) => ({ ...(await load()), name: commandName })),
  );
  const sharedOptions = findCommonOptions(commands);
  const commonSection = `## Common options\n\n${formatOptionTable(sharedOptions)}`;
  return [commonSection, ...commands.map((command) => formatCommandSection(command, sharedOptions))].join(
    '\n\n',
  );
}
