/** Generates the command reference from the declarations of the commands. */
import { COMMANDS, isGroup } from '../host/cli/catalogue.js';
import { type Combination, LETTERS, type NamedCommand, type OptionTable } from '../host/cli/command.js';
import { SETTING_OPTIONS } from '../host/cli/commandOptions.js';
import { usageOf } from '../host/cli/help.js';
import { capitalized, listed } from '../host/format/numbers.js';

function optionLines(options: OptionTable): string {
  const own = Object.entries(options).filter(
    ([name, { describe }]) => SETTING_OPTIONS[name]?.describe !== describe,
  );
  const rows = own.map(([name, { describe, choices, default: usual, isSwitch }]) => {
    const letter = Object.keys(LETTERS).find((each) => LETTERS[each] === name);
    const called = `\`--${name}\`${letter === undefined ? '' : `, \`-${letter}\``}`;
    const words = choices === undefined ? '' : ` (${choices.join(', ')})`;
    return `| ${called} | ${describe.replaceAll('|', '\\|')}${words} | ${isSwitch ? '' : (usual ?? '')} |`;
  });
  const table = ['| option | meaning | default |', '|---|---|---|', ...rows]
    .join('\n')
    .replaceAll(/ {2,}(?=\|)/g, ' ');
  const shared = Object.keys(options).length - own.length;
  const rest = shared > 10 ? '\n\nand the [options of a simulation](options.md).' : '';
  return own.length === 0 ? rest.trim() : table + rest;
}

const named = (options: readonly string[], word: 'and' | 'or') =>
  listed(
    options.map((option) => `\`--${option}\``),
    word,
  );

/** Lists the rules for combinations of options, one line each. */
function combinationLines(combinations: readonly Combination[]): string {
  const lines = combinations.map(({ of, needs, excludes, where, why }) => {
    const place = where === undefined ? '' : `${capitalized(where.words)}: `;
    if (needs !== undefined)
      return `- ${place}${named(of, 'and')} ${of.length > 1 ? 'need' : 'needs'} ${named(needs, 'or')}: ${why}.`;
    if (excludes !== undefined)
      return `- ${place}${named(of, 'and')} not with ${named(excludes, 'or')}: ${why}.`;
    return `- ${place}${named(of, 'and')} ${why}.`;
  });
  return lines.join('\n');
}

function commandText(command: NamedCommand): string {
  const examples = command.examples.map(([line, meaning]) => `    ${line}\n        ${meaning}`);
  return [
    `## ${command.name}`,
    `    ${usageOf(command)}`,
    command.description,
    optionLines(command.options),
    combinationLines(command.combinations ?? []),
    `Examples:\n\n${examples.join('\n')}`,
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

/** Describes every command, in the order of the help. */
export async function commandSections(): Promise<string> {
  const entries = COMMANDS.flatMap((entry) => (isGroup(entry) ? entry.commands : [entry]));
  const commands = await Promise.all(entries.map(async ({ name, load }) => ({ ...(await load()), name })));
  return commands.map(commandText).join('\n\n');
}
