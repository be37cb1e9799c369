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

const ALL = '-all';

/** Papers that have several studies, each by a name for all of them, such as `shih2010-all`. */
export function collectionNames(): string[] {
  const papers = studyNames().flatMap((name) => /^[a-z]+\d{4}(?=-)/.exec(name) ?? []);
  return [...new Set(papers.filter((paper, i) => papers.indexOf(paper) !== i))].map((paper) => paper + ALL);
}

/** The names of the studies that a name stands for: those of a paper, or itself. */
export function studiesOf(name: string): string[] {
  if (!collectionNames().includes(name)) return [name];
  return studyNames().filter((each) => each.startsWith(name.slice(0, 1 - ALL.length)));
}

/**
 * The file of a study: a name of the list, or a path (with a slash or the ending .yaml).
 * @throws InputError for an unknown name.
 */
export function findStudy(text: string): string {
  if (ENDING.test(text) || /[/\\]/.test(text)) return text;
  const names = studyNames();
  if (!names.includes(text)) throw unknownName('study', text, [...names, ...collectionNames()]);
  return fileURLToPath(new URL(`${text}.yaml`, STUDIES));
}
