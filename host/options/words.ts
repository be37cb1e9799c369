/** Options as they stand on a command line. */
import { defaultText, OPTIONS } from './options.js';

/** Options as words of a command line, from their texts as `optionTexts` gives them. */
export function optionWords(texts: Readonly<Record<string, string>>): string[] {
  return Object.entries(OPTIONS).flatMap(([name, { isSwitch, isRepeatable }]) => {
    const text = texts[name];
    if (text === undefined) return [];
    if (isSwitch) return [`--${name}`];
    return (isRepeatable ? text.split(';') : [text]).flatMap((value) => [`--${name}`, value]);
  });
}

/** The options in the words of a command, as texts by name; of those that are repeated, all with semicolons between. */
export function textsIn(words: readonly string[]): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const [i, word] of words.entries()) {
    const name = word.startsWith('--') ? word.slice(2) : '';
    if (OPTIONS[name] === undefined) continue;
    const text = OPTIONS[name].isSwitch ? 'true' : (words[i + 1] ?? '');
    texts[name] = texts[name] === undefined ? text : `${texts[name]};${text}`;
  }
  return texts;
}

/** Whether a text says what holds without the option, for every site where it says something of each. */
export function isUsual(name: string, text: string): boolean {
  const usual = defaultText(OPTIONS[name]);
  return text === usual || text.split(',').every((part) => part === usual);
}

/** What a heading says in other words: the grid, the homes, what decides. */
const SAID = ['sites', 'speeds', 'heterogeneity', 'home', 'policy'];

/**
 * The settings that a heading has to add, those that are not as usual: `backfill order shortest, kill at-estimate`.
 * @param method what the heading says of who decides.
 */
export function settingsText(texts: Readonly<Record<string, string>>, method: string): string {
  return Object.entries(texts)
    .filter(([name, text]) => !SAID.includes(name) && !isUsual(name, text) && !method.startsWith(`${text} `))
    .map(([name, text]) => `${name.replaceAll('-', ' ')}${OPTIONS[name].isSwitch ? '' : ` ${text}`}`)
    .join(', ');
}
