/** What tells runs and plans apart. */
import { createHash } from 'node:crypto';
import { hashText } from '../files/hash.js';
import { chunksOf } from '../results/csv.js';
import type { PointTable, RunTable } from '../study/runTable.js';

const ID_DIGITS = 16;

/**
 * The id of a run: a hash of its jobs and, of a simulation, of the core and its parameters.
 * @param jobs their hash, as that of the core is.
 * @param parameters as JSON.
 */
export function runId(jobs: string, core?: string, parameters?: string): string {
  const text = core === undefined ? `["${jobs}"]` : `["${jobs}","${core}",${parameters}]`;
  return hashText(text).slice(0, ID_DIGITS);
}

/** What tells plans apart: a hash of the names of axes and metrics, the ids of all runs, and the labels and run of each setting. */
export function planHash(names: readonly string[], runs: RunTable, points: PointTable): string {
  const hash = createHash('sha256');
  for (const text of chunksOf(identityText(names, runs, points))) hash.update(text);
  return hash.digest('hex');
}

/** The JSON of the names of axes and metrics, the ids of all runs, and the labels and run of each setting. */
function* identityText(names: readonly string[], runs: RunTable, points: PointTable): Generator<string> {
  yield `[${JSON.stringify(names)},[`;
  for (let run = 0; run < runs.length; run++) yield `${run === 0 ? '' : ','}"${runs.id(run)}"`;
  yield '],[';
  for (let point = 0; point < points.length; point++) {
    yield (point === 0 ? '' : ',') + JSON.stringify([...points.labels(point), points.run(point)]);
  }
  yield ']]';
}
