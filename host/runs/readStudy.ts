/** Study files. */

import { createReadStream } from 'node:fs';
import { text as textOf } from 'node:stream/consumers';
import { readFault } from '../files/faults.js';
import { checkGiven } from '../given.js';
import type { Study } from '../study/study.js';
import { parseStudy, type StudyOverrides } from '../study/study.js';
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
