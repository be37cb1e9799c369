/** What comes of a study when all its runs are there: its tables and report, those of several studies, or a comparison. */
import { readCollection } from '../runner/collection.js';
import type { Merged } from '../runner/merge.js';
import type { Arguments } from './arguments.js';
import { endCollection } from './collectionResults.js';
import { endComparison, readComparison } from './comparedResults.js';
import type { Context } from './context.js';
import { reportResults } from './studyResults.js';

/**
 * Writes what the folder of a study is for, whose lock the caller has, and says the main things; returns the exit code.
 * @param more what the JSON of a study has besides.
 * @param isLast whether the command ends with this; else a comparison may have further rounds.
 */
export async function endStudy(
  finished: Merged,
  out: string,
  args: Arguments,
  context: Context,
  more: object = {},
  isLast = true,
): Promise<number> {
  const collection = readCollection(out);
  if (collection !== undefined) return endCollection(collection, finished, out, args, context, more);
  const comparison = readComparison(out);
  if (comparison !== undefined) return endComparison(comparison, finished, out, args, context, isLast);
  return reportResults(finished, out, args, context, more);
}
