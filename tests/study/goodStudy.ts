/** A study without errors, which tests modify. */
import { InputError } from '../../host/errors.js';
import { parseStudy } from '../../host/study/study.js';

export const VALID_STUDY_TEXT = `title: T
simulate:
  workload: lublin99[jobs=100]
  sites: 64,128,128
  load: '{load}'
  policy: '{policy}'
axes:
  load: [1, 2]
  policy: [best-fit, ai2]
measures:
  art: { metric: averageResponseTime }
tables:
  t: { title: T, measures: art, rows: load, columns: policy }
`;

/** Parses a study, as the file my.yaml. */
export function parse(studyText: string) {
  return parseStudy(studyText, 'my.yaml');
}

/** Message of the InputError that a function throws. */
export async function sentenceOf(action: () => unknown): Promise<string> {
  try {
    await action();
  } catch (error) {
    if (error instanceof InputError) return error.message;
    throw error;
  }
  throw new Error('nothing was refused');
}
