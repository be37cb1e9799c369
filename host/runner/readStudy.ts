/** Study files. */
import { readFile } from 'node:fs/promises';
import { InputError } from '../errors.js';
import type { Study } from '../study/definition.js';
import { parseStudy, type StudyOverrides } from '../study/read.js';

/**
 * Reads a study file.
 * @throws InputError when it cannot be read, or with file, line and key for anything wrong in it.
 */
export async function readStudy(file: string, overrides: StudyOverrides = {}): Promise<Study> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    throw new InputError(`the study file ${file} cannot be read: ${(error as Error).message}`);
  }
  return parseStudy(text, file, overrides);
}
