/** Study files. */
import { readFile } from 'node:fs/promises';
import { readFault } from '../files/faults.js';
import type { Study } from '../study/definition.js';
import { parseStudy, type StudyOverrides } from '../study/read.js';

/**
 * Reads a study file.
 * @throws InputError when it cannot be read, or with file, line and key for anything wrong in it.
 * @example
 * console.log((await readStudy('my.yaml')).title); // Responses by load
 */
export async function readStudy(file: string, overrides: StudyOverrides = {}): Promise<Study> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    throw readFault(
      `the study file ${file}`,
      error,
      'check its path, or give a name of gridalloc study list',
    );
  }
  return parseStudy(text, file, overrides);
}
