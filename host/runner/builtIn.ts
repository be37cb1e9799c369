/** The studies that come with the program. */
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { unknownName } from '../notation.js';

const STUDIES = new URL('../../studies/', import.meta.url);
const ENDING = /\.ya?ml$/;

/** Names of the studies that come with the program, in alphabetic order; numbers within by size. */
export function studyNames(): string[] {
  const names = readdirSync(STUDIES).filter((name) => ENDING.test(name));
  return names
    .map((name) => name.replace(ENDING, ''))
    .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
}

/**
 * The file of a study: a name of the list, or a path (with a slash or the ending .yaml).
 * @throws InputError for an unknown name.
 */
export function findStudy(text: string): string {
  if (ENDING.test(text) || /[/\\]/.test(text)) return text;
  const names = studyNames();
  if (!names.includes(text)) throw unknownName('study', text, names);
  return fileURLToPath(new URL(`${text}.yaml`, STUDIES));
}
