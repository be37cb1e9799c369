/** Help, version and shell completion, loaded only on request. */
import type { Argv } from 'yargs';
import { firstElement, lastElement } from '../lists.js';
import { OPTION_NAME_BY_LETTER, YARGS_CONFIGURATION } from '../request/definitions.js';
import { readPackageVersion } from '../results/documents.js';
import {
  COMMANDS,
  findCommandsInArguments,
  type HelpOrVersionRequest,
  isCommandGroup,
  loadCommand,
} from './catalogue.js';
import type { CommandEntry, CommandGroup, NamedCommand } from './command.js';

const MAX_HELP_WIDTH = 110;

/** Options shown by `-h` for a command with many options. */
const SHORT_HELP_OPTIONS: readonly string[] = [
  ...['vary', 'discipline', 'order', 'policy', 'sites', 'estimates', 'filter', 'replications', 'metric'],
  ...['by', 'out', 'trace', 'speeds', 'offered-load', 'threads', 'dry-run', 'json'],
];
const MAX_SHORT_HELP_OPTIONS = 10;

/**
 * Text of the help or version.
 * @param terminalWidth width of the terminal.
 */
export async function makeHelpOrVersionText(
  { words, isShort }: HelpOrVersionRequest,
  terminalWidth: number | undefined,
): Promise<string> {
  const loadedCommandPromises = findCommandsInArguments(words).map(async (entry) => {
    const command = await loadCommand(entry);
    return [entry, isShort ? shortenCommandHelp(command) : command] as const;
  });
  const parser = await makeHelpParser(terminalWidth, new Map(await Promise.all(loadedCommandPromises)));
  let helpText = '';
  await parser.parseAsync([...words], {}, (_error: unknown, _words: unknown, output: string) => {
    helpText = output;
  });
  return tidyHelpText(helpText);
}

/** Command with only the most used options, each with the begin of its description. */
function shortenCommandHelp(command: NamedCommand): NamedCommand {
  const allOptions = Object.entries(command.options);
  if (allOptions.length <= MAX_SHORT_HELP_OPTIONS) return command;
  const shownOptions = SHORT_HELP_OPTIONS.flatMap((optionName) =>
    allOptions.filter((option) => option[0] === optionName),
  ).slice(0, MAX_SHORT_HELP_OPTIONS);
  const optionsWithDefaults = shownOptions.map(([name, { default: _, describe, ...option }]) => [
    name,
    { ...option, describe: describe.replace(/(?:: |; | \().*/s, ''), group: 'Options used most:' },
  ]);
  const [example] = firstElement(command.examples);
  const { name: commandName, description: commandDescription } = command;
  return {
    ...command,
    description: commandDescription.replace(/\n\n.*/s, ''),
    options: Object.fromEntries(optionsWithDefaults),
    examples: [
      [example, ''],
      [`gridalloc ${commandName} --help`, `all ${allOptions.length} options and more examples`],
    ],
  };
}

async function makeHelpParser(
  terminalWidth: number | undefined,
  commandByEntry: ReadonlyMap<CommandEntry, NamedCommand>,
): Promise<Argv> {
  // The package yargs has ES modules only, which the bundled script can only import dynamically.
  const { default: yargs } = await import('yargs');
  const parser = yargs()
    .scriptName('gridalloc')
    .locale('en')
    .parserConfiguration(YARGS_CONFIGURATION)
    .exitProcess(false)
    .fail(false)
    .showHelpOnFail(false)
    .version(readPackageVersion())
    .help('help', 'show help: -h common options, --help all')
    .alias({ help: 'h', version: 'V' })
    .wrap(Math.min(terminalWidth ?? MAX_HELP_WIDTH, MAX_HELP_WIDTH))
    .usage('gridalloc COMMAND [options]\n\nSimulates how jobs are allocated to the sites of a grid.')
    .example('gridalloc compare', 'a first look: eight policies on a workload model')
    .example('gridalloc simulate log.swf.gz', 'a job log')
    .epilogue(
      'gridalloc COMMAND --help explains a command. Job logs: www.cs.huji.ac.il/labs/parallel/workload',
    );
  const addCommand = (parent: Argv, commandEntry: CommandEntry) =>
    addCommandToParser(parent, commandEntry, commandByEntry.get(commandEntry));
  for (const commandEntry of COMMANDS) {
    if (isCommandGroup(commandEntry)) addCommandGroupToParser(parser, commandEntry, addCommand);
    else addCommand(parser, commandEntry);
  }
  return parser;
}

function addCommandGroupToParser(
  parser: Argv,
  { name: groupName, summary: groupSummary, commands }: CommandGroup,
  add: (parent: Argv, commandEntry: CommandEntry) => void,
): void {
  parser.command(groupName, groupSummary, (subcommandParser) => {
    subcommandParser.usage(`gridalloc ${groupName} COMMAND [options]`);
    for (const commandEntry of commands) add(subcommandParser, commandEntry);
    return subcommandParser;
  });
}

function addCommandToParser(
  parent: Argv,
  { name: commandName, summary: commandSummary }: CommandEntry,
  command: NamedCommand | undefined,
): void {
  const lastCommandWord = commandName.split(' ').at(-1) ?? commandName;
  parent.command(lastCommandWord, commandSummary, (commandParser) =>
    command === undefined ? commandParser : addCommandDescription(commandParser, command),
  );
}

function addCommandDescription(commandParser: Argv, command: NamedCommand): Argv {
  commandParser.usage(`${formatCommandUsage(command)}\n\n${command.description}`);
  for (const [optionName, option] of Object.entries(command.options)) {
    const { describe, group, choices: optionChoices, isSwitch } = option;
    const choicesText = optionChoices === undefined ? '' : ` (${optionChoices.join(', ')})`;
    const defaultText = option.default === undefined ? '' : `; default: ${option.default}`;
    const optionLetter = Object.keys(OPTION_NAME_BY_LETTER).find(
      (each) => OPTION_NAME_BY_LETTER[each] === optionName,
    );
    commandParser.option(optionName, {
      ...(optionLetter === undefined ? {} : { alias: optionLetter }),
      describe: describe + choicesText + defaultText,
      group,
      type: isSwitch ? 'boolean' : 'string',
    });
  }
  const examples = command.examples.map(([example, meaning]) => `  ${example}\n      ${meaning}`);
  return commandParser.epilogue(['Examples:', ...examples].join('\n'));
}

/** Removes value types and blank lines between options from the help. */
function tidyHelpText(rawHelpText: string): string {
  return rawHelpText
    .replaceAll(/ *\[(?:string|boolean)\]$/gm, '')
    .replaceAll(/\n{3,}/g, '\n\n')
    .replaceAll(/\n\n(?= {2}(?: {4}|-\w, )--)/g, '\n');
}

/** Formats the usage: `gridalloc trace convert IN OUT [options]`. */
export function formatCommandUsage({ name: commandName, positionals }: NamedCommand): string {
  const argumentTexts = positionals.map(({ name: positionalName, isOptional, isRepeatable }) => {
    const argumentText = isRepeatable ? `${positionalName}...` : positionalName;
    return isOptional ? `[${argumentText}]` : argumentText;
  });
  return ['gridalloc', commandName, ...argumentTexts, '[options]'].join(' ');
}

// Completion in a shell

/**
 * Completions of the last word; empty if a file name is expected.
 * @param typedWords words after the program's name.
 */
export async function completeLastWord(typedWords: readonly string[]): Promise<string[]> {
  const wordBeginning = typedWords.at(-1) ?? '';
  const previousWords = typedWords.slice(0, -1);
  const candidates = await findCompletions(previousWords, wordBeginning);
  return candidates.filter((candidateWord) => candidateWord.startsWith(wordBeginning));
}

async function findCompletions(
  precedingWords: readonly string[],
  wordBeginning: string,
): Promise<readonly string[]> {
  const commandWords = precedingWords[0] === 'help' ? precedingWords.slice(1) : precedingWords;
  const argumentWords = commandWords.filter((commandWord) => !commandWord.startsWith('-'));
  const firstCommand = COMMANDS.find(({ name: commandName }) => commandName === argumentWords[0]);
  if (firstCommand === undefined)
    return commandWords.length > 0
      ? []
      : [
          ...COMMANDS.map(({ name: commandName }) => commandName),
          ...(precedingWords.length > 0 ? [] : ['help', '--help', '--version']),
        ];
  if (precedingWords[0] === 'help' && (!isCommandGroup(firstCommand) || argumentWords.length > 1)) return [];
  if (!isCommandGroup(firstCommand))
    return completeWordOfCommand(await loadCommand(firstCommand), precedingWords, wordBeginning);
  const entry = firstCommand.commands.find(
    ({ name: commandName }) => commandName === argumentWords.slice(0, 2).join(' '),
  );
  if (entry !== undefined)
    return completeWordOfCommand(await loadCommand(entry), precedingWords, wordBeginning);
  return [
    ...firstCommand.commands.map(({ name: commandName }) => lastElement(commandName.split(' '))),
    '--help',
  ];
}

/** Completions within a command: a value of the preceding option, an option, or a positional argument. */
async function completeWordOfCommand(
  { name: commandName, options, positionals }: NamedCommand,
  precedingWords: readonly string[],
  wordBeginning: string,
): Promise<readonly string[]> {
  const option = options[precedingWords.at(-1)?.replace(/^--/, '') ?? ''];
  if (option !== undefined && !option.isSwitch) {
    const completions = option.choices ?? option.complete?.(wordBeginning) ?? [];
    // In a list, only the entry after the last comma is completed.
    const finishedListText = option.isRepeatable
      ? wordBeginning.slice(0, wordBeginning.lastIndexOf(',') + 1)
      : '';
    // A shell completes the paths of files where nothing else fits.
    return [
      ...completions.map((completion) =>
        completion.startsWith(finishedListText) ? completion : finishedListText + completion,
      ),
      ...(option.isOpen ? ['./'] : []),
    ];
  }
  if (wordBeginning.startsWith('-'))
    return [...Object.keys(options).map((optionName) => `--${optionName}`), '--help'];
  const doesOptionTakeValue = (optionWord: string | undefined) => {
    const knownOption = options[optionWord?.replace(/^--/, '') ?? ''];
    return optionWord?.startsWith('--') === true && knownOption !== undefined && !knownOption.isSwitch;
  };
  const typedArguments = precedingWords.filter(
    (precedingWord, i) => !precedingWord.startsWith('-') && !doesOptionTakeValue(precedingWords[i - 1]),
  );
  return positionals[typedArguments.length - commandName.split(' ').length]?.complete?.() ?? [];
}
