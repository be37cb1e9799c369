/** Completion of what is being typed: commands, options, the values of options, names of studies. */
import { COMMANDS, isGroup } from './catalogue.js';
import type { NamedCommand } from './command.js';
import { loadCommand } from './words.js';

/**
 * What the last of some words may become; nothing where a file may stand.
 * @param typed the words behind the program's name.
 */
export async function completionsOf(typed: readonly string[]): Promise<string[]> {
  const begun = typed.at(-1) ?? '';
  const before = typed.slice(0, -1);
  const candidates = await candidatesBehind(before, begun);
  return candidates.filter((candidate) => candidate.startsWith(begun));
}

async function candidatesBehind(before: readonly string[], begun: string): Promise<readonly string[]> {
  const plain = before.filter((word) => !word.startsWith('-'));
  const named = COMMANDS.find(({ name }) => name === plain[0]);
  if (named === undefined)
    return before.length > 0 ? [] : [...COMMANDS.map(({ name }) => name), '--help', '--version'];
  if (!isGroup(named)) return wordsOf(await loadCommand(named), before, begun);
  const entry = named.commands.find(({ name }) => name === plain.slice(0, 2).join(' '));
  if (entry !== undefined) return wordsOf(await loadCommand(entry), before, begun);
  return [...named.commands.map(({ name }) => name.split(' ')[1]), '--help'];
}

/** What may follow in a command: a value of the option before, an option, or a word without dashes. */
async function wordsOf(
  { name, options, positionals }: NamedCommand,
  before: readonly string[],
  begun: string,
): Promise<readonly string[]> {
  const option = options[before.at(-1)?.replace(/^--/, '') ?? ''];
  if (option !== undefined && !option.isSwitch) {
    const known = option.choices ?? (await option.complete?.()) ?? [];
    // A shell completes the paths of files where nothing else fits.
    return option.isOpen ? [...known, './'] : known;
  }
  if (begun.startsWith('-')) return [...Object.keys(options).map((each) => `--${each}`), '--help'];
  const takesValue = (word: string | undefined) => {
    const known = options[word?.replace(/^--/, '') ?? ''];
    return word?.startsWith('--') === true && known !== undefined && !known.isSwitch;
  };
  const given = before.filter((word, i) => !word.startsWith('-') && !takesValue(before[i - 1]));
  return (await positionals[given.length - name.split(' ').length]?.complete?.()) ?? [];
}
