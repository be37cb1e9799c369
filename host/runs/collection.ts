/**
 * Several studies as one that can be cut into shards: a folder with a plan of all their different runs, and below it the
 * folders of the studies, to which the results are given.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { InputError } from '../errors.js';
import { firstOf } from '../lists.js';
import { documentText } from '../results/documents.js';
import { COLLECTION } from '../results/savedFile.js';
import type { Plan } from '../study/plan.js';
import { Results } from '../study/results.js';
import { DEFAULT_METRIC, jobMetricsIn } from '../study/runValues.js';
import type { Study } from '../study/study.js';
import { makeStudy } from '../study/study.js';
import { joinRuns } from './joinedRuns.js';
import { withLock } from './lock.js';
import { planHash } from './planFile.js';
import type { Planned } from './planStudy.js';
import { runPlanned, type StudyToRun } from './runPlan.js';
import {
  COLLECTION_FILE,
  lockPlan,
  lockStudyFolder,
  planOf,
  readBeside,
  readResults,
  readStudyOf,
  readStudyPlan,
  studyFile,
  writeStudyFolder,
} from './runsFolder.js';
import { keepResults, type Merged } from './shardFolder.js';

/** Studies that are run as one. */
export interface Collection {
  readonly title: string;
  /** The command line that requested them. */
  readonly command: string;
  /** Their names, which are those of their folders too. */
  readonly studies: readonly string[];
}

/** The collection that a folder holds; undefined where it holds none. */
export const readCollection = (folder: string): Collection | undefined =>
  readBeside(join(folder, COLLECTION_FILE), COLLECTION);

/**
 * Plans the different runs of several studies as those of one; what studies of workloads ask is in none.
 * @throws InputError when they keep different metrics of their runs.
 */
export async function joinStudies(
  title: string,
  members: readonly StudyToRun[],
): Promise<{ readonly study: Study; readonly planned: Planned }> {
  const simulated = members.filter(({ study }) => study.kind === 'simulations');
  if (simulated.length === 0) {
    throw new InputError(
      'these studies run no simulations, so there is nothing to submit or cut into shards; omit --engine and --shards',
    );
  }
  const { study: first, planned: like } = firstOf(simulated);
  const { metrics, coreSha256, trace } = like.plan;
  const other = simulated.find(({ planned }) => String(planned.plan.metrics) !== String(metrics));
  if (other !== undefined) {
    throw new InputError(
      `${other.study.name} records different metrics from ${first.name}, so they cannot share runs; run each in its own command`,
    );
  }
  const { workloads, sources, jobsOf, code, ...joined } = joinRuns(
    simulated.map(({ planned }) => planned),
    true,
  );
  const runs = joined.runs.map(({ id, workload, policy, common }) => ({ id, workload, policy, common }));
  const names = members.map(({ study }) => study.name);
  const study = await studyOfRuns(title, names, metrics);
  const command = ['study', 'run', ...names];
  const plan: Plan = {
    ...{ study: study.name, coreSha256, command, trace, draws: null, options: {}, axes: [], metrics },
    ...{ workloads, sources, runs, points: [], sha256: planHash(metrics, runs, []) },
  };
  return { study, planned: { plan, jobsOf, code, statistics: [], remarks: [] } };
}

/** A study without settings, that keeps the same metrics of its runs. */
function studyOfRuns(title: string, names: readonly string[], metrics: Plan['metrics']): Promise<Study> {
  const kept = [DEFAULT_METRIC, ...jobMetricsIn(metrics)];
  const raw = {
    title,
    description: `The simulations of ${names.join(', ')}, each once.`,
    measures: Object.fromEntries(kept.map((metric) => [metric, { metric }])),
  };
  return makeStudy(raw, { name: title, text: stringify(raw), locate: () => title });
}

/**
 * Writes the folders of studies that are run as one, and what these hold already into that of all. Studies of workloads
 * are done.
 * @param out the folder of all.
 * @throws InputError, OutputError as `lockStudyFolder` and `openStudyFolder`.
 */
export async function saveCollection(
  out: string,
  command: string,
  joined: { readonly study: Study; readonly planned: Planned },
  members: readonly StudyToRun[],
  onTakeover?: (sentence: string) => void,
): Promise<void> {
  const { study, planned } = joined;
  const own = members.map((member) => member.study.name);
  await withLock(lockPlan(out, onTakeover, own), async () => {
    if (existsSync(planOf(out)) && readStudyPlan(out).sha256 !== planned.plan.sha256) {
      throw new InputError(
        `${out} holds other studies, or these with other options or of another version; give another folder with --out`,
      );
    }
    const collection: Collection = { title: study.title, command, studies: own };
    await writeStudyFolder([studyFile(join(out, COLLECTION_FILE), [documentText(collection)])]);
    const known = new Map<string, readonly number[]>();
    for (const member of members) {
      await withLock(lockStudyFolder(member.out, onTakeover), () => collect(member, known));
    }
    await keepResults(out, study, planned.plan, (id) => known.get(id), planned.code);
  });
}

/** Collects the results that the folder of a study holds, by the ids of its runs. */
async function collect(
  { study, planned, out }: StudyToRun,
  known: Map<string, readonly number[]>,
): Promise<void> {
  const { plan, code } = planned;
  if (study.kind === 'workloads') {
    await runPlanned(study, planned, { out, threads: 1 });
    return;
  }
  const results = await keepResults(out, study, plan, () => undefined, code);
  for (const { id } of plan.runs) {
    const values = results.valuesOf(id);
    if (values !== undefined) known.set(id, values);
  }
}

/**
 * Gives the results of a collection to its studies.
 * @returns the studies with all their results.
 * @throws InputError, OutputError as `lockStudyFolder` and `openStudyFolder`.
 */
export async function passResults(out: string, { studies }: Collection, all: Merged): Promise<Merged[]> {
  const merged: Merged[] = [];
  for (const name of studies) {
    const folder = join(out, name);
    const give = async (): Promise<Merged> => {
      const plan = readStudyPlan(folder);
      const study = await readStudyOf(folder, plan);
      const results = await keepResults(folder, study, plan, (id) => all.results.valuesOf(id));
      return { study, plan, results };
    };
    merged.push(await withLock(lockStudyFolder(folder), give));
  }
  return merged;
}

/**
 * Passes the results in a folder of several studies, finished or not, to studies whose locks the caller holds.
 */
export async function readCollected(out: string, members: readonly StudyToRun[]): Promise<void> {
  const plan = readStudyPlan(out);
  const results = new Results((await readStudyOf(out, plan)).kind, plan);
  readResults(out, plan, results.take);
  for (const { study, planned, out: folder } of members) {
    if (String(planned.plan.metrics) !== String(plan.metrics)) continue;
    await keepResults(folder, study, planned.plan, (id) => results.valuesOf(id), planned.code);
  }
}
