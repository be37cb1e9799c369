/** Study files. */

import { createReadStream, readdirSync } from 'node:fs';
import { text as textOf } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { readFault } from '../files/fileSystem.js';
import { checkGiven } from '../given.js';
import { unknownName } from '../notation.js';
import { parseStudy, type Study, type StudyOverrides } from '../study/study.js';
import { MOST_BYTES } from '../study/yamlSource.js';

/**
 * Reads a study file.
 * @throws InputError when it cannot be read, or with file, line and key for anything wrong in it.
 * @example
 * console.log((await readStudy('my.yaml')).title); // Responses by load
 */
export async function readStudy(file: string, overrides: StudyOverrides = {}): Promise<Study> {
  checkGiven(file, 'text', 'readStudy');
  let text: string;
  try {
    // No further than shows that it is too long: what is no study may have no end.
    text = await textOf(createReadStream(file, { end: MOST_BYTES }));
  } catch (error) {
    throw readFault(
      `the study file ${file}`,
      error,
      'check its path, or give a name of gridalloc study list',
    );
  }
  return parseStudy(text, file, overrides);
}

// The studies that come with the program.

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
