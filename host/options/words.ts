/** Options as they stand on a command line. */
import { OPTIONS } from './options.js';

/** Options as words of a command line, from their texts as `optionTexts` gives them. */
export function optionWords(texts: Readonly<Record<string, string>>): string[] {
  return Object.entries(OPTIONS).flatMap(([name, { isSwitch, isRepeatable }]) => {
    const text = texts[name];
    if (text === undefined) return [];
    if (isSwitch) return [`--${name}`];
    return (isRepeatable ? text.split(';') : [text]).flatMap((value) => [`--${name}`, value]);
  });
}
