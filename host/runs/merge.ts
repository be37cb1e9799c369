/** The shards of a study, put together. */

import { InputError } from '../errors.js';
import { checkGiven } from '../given.js';
import { firstOf } from '../lists.js';
import type { CodeFile } from '../options/providedCode.js';
import type { Plan } from '../study/plan.js';
import { Results } from '../study/results.js';
import { keptMetrics } from '../study/runValues.js';
import type { Study } from '../study/study.js';
import { openStudyFolder, readResults, readStudyOf, readStudyPlan } from './runsFolder.js';

/** A study put together from its shards. */
export interface Merged {
  /** As the folders have it. */
  readonly study: Study;
  /** What was run. */
  readonly plan: Plan;
  /** The values of all its runs. */
  readonly results: Results;
}

/**
 * Puts the shards of a study together.
 * @param folders those of all shards.
 * @throws InputError when folders hold different studies, or those of another version, or runs are missing.
 * @example
 * const study = await readStudy('my.yaml');
 * for (const index of [1, 2]) {
 *   await runStudy(study, {}, { out: `shard${index}`, threads: 1, shard: { index, count: 2 } });
 * }
 * console.log((await mergeStudies(['shard1', 'shard2'])).results.length); // 2
 */
export async function mergeStudies(folders: readonly string[]): Promise<Merged> {
  checkGiven(folders, 'some', 'mergeStudies');
  const folder = firstOf(folders);
  const plan = readStudyPlan(folder);
  const study = await readStudyOf(folder, plan);
  if (String(plan.metrics) !== String(keptMetrics(study))) {
    throw new InputError(
      `${folder} was written by another version of gridalloc, which keeps other metrics of a run; run the study again`,
    );
  }
  const results = new Results(study.kind, plan);
  for (const folder of folders) {
    if (readStudyPlan(folder).sha256 !== plan.sha256) {
      throw new InputError(
        `${folder} and ${folders[0]} hold different studies, or one with different options`,
      );
    }
    readResults(folder, plan, results.take);
  }
  const missing = results.length - results.count;
  if (missing > 0) {
    const where = folders.length === 1 ? `not in ${folders[0]} yet` : 'in none of the folders';
    const advice = folders.length === 1 ? `; gridalloc study status ${folders[0]} shows which` : '';
    throw new InputError(
      `${missing} of ${plan.runs.length} runs are ${where}; run the shards that are missing or unfinished${advice}`,
    );
  }
  return { study, plan, results };
}

/**
 * Keeps results that others have in the folder of a study, whose lock the caller has; it is begun where it is new.
 * @param valuesOf the values of the run with an id; undefined where nobody has them.
 * @param code as for `openStudyFolder`.
 * @returns all that the folder holds now.
 * @throws InputError, OutputError as `openStudyFolder`.
 */
export async function keepResults(
  out: string,
  study: Study,
  plan: Plan,
  valuesOf: (id: string) => readonly number[] | undefined,
  code: readonly CodeFile[] = [],
): Promise<Results> {
  const results = new Results(study.kind, plan);
  const journal = await openStudyFolder(out, study, plan, results.take, code);
  try {
    journal.append(takeMissing(results, plan, valuesOf));
  } finally {
    journal.close();
  }
  return results;
}

/** Takes what results lack and others have. */
function* takeMissing(results: Results, { runs }: Plan, valuesOf: Parameters<typeof keepResults>[3]) {
  for (const run of results.missing()) {
    const { id } = runs[run]!;
    const values = valuesOf(id);
    if (values === undefined) continue;
    results.set(run, values);
    yield [id, values] as const;
  }
}
