/**
 * Several studies as one that can be cut into shards: a folder with a plan of all their different runs, and below it the
 * folders of the studies, to which the results are given.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { InputError } from '../errors.js';
import type { CodeFile } from '../options/code.js';
import { documentText, formatOf } from '../results/documents.js';
import type { OptionTexts, Study } from '../study/definition.js';
import { RecordTable } from '../study/numberColumn.js';
import type { Plan, PlannedWorkload } from '../study/plan.js';
import { makeStudy } from '../study/read.js';
import { PointTable, RunTable } from '../study/runTable.js';
import { jobMetricsIn } from '../study/runValues.js';
import {
  COLLECTION_FILE,
  lockPlan,
  lockStudyFolder,
  planOf,
  readResults,
  readStudyOf,
  readStudyPlan,
  studyFile,
  writeStudyFolder,
} from './folder.js';
import { Gathered } from './gathered.js';
import { planHash } from './identity.js';
import { keepResults, type Merged } from './merge.js';
import type { Planned } from './planStudy.js';
import { runPlanned, type StudyToRun } from './run.js';

/** Studies that are run as one. */
export interface Collection {
  readonly title: string;
  /** The command line that asked for them. */
  readonly command: string;
  /** Their names, which are those of their folders too. */
  readonly studies: readonly string[];
}

const USUAL_METRIC = 'averageResponseTime';

/** The collection that a folder holds; undefined where it holds none. */
export function readCollection(folder: string): Collection | undefined {
  const path = join(folder, COLLECTION_FILE);
  if (!existsSync(path)) return undefined;
  const collection = JSON.parse(readFileSync(path, 'utf8')) as Collection;
  formatOf(collection, path);
  return collection;
}

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
      'these studies simulate nothing, so that there is nothing to cut into shards; leave --engine and --shards out',
    );
  }
  const [{ study: first, planned: like }] = simulated;
  const { metrics, coreSha256, trace } = like.plan;
  const other = simulated.find(({ planned }) => String(planned.plan.metrics) !== String(metrics));
  if (other !== undefined) {
    throw new InputError(
      `${other.study.name} keeps other metrics of a run than ${first.name}, so that they cannot share runs; give each to a command of its own`,
    );
  }
  const runs = new RunTable();
  const workloads: PlannedWorkload[] = [];
  const sources = new RecordTable<OptionTexts>();
  const makers: (() => ReturnType<Planned['jobsOf']>)[] = [];
  const places = new Map<string, number>();
  const code = new Map<string, CodeFile>();
  for (const { planned } of simulated) {
    const { plan, jobsOf } = planned;
    for (const file of planned.code) code.set(file.name, file);
    for (const { id, workload, parameters } of plan.runs) {
      if (runs.find(id) !== undefined) continue;
      const { sha256 } = plan.workloads[workload];
      const place = places.get(sha256) ?? workloads.length;
      if (place === workloads.length) {
        places.set(sha256, place);
        workloads.push(plan.workloads[workload]);
        sources.push(plan.sources.at(workload));
        makers.push(() => jobsOf(workload));
      }
      runs.add({ id, workload: place, parameters });
    }
  }
  const points = new PointTable(0);
  for (const table of [runs, sources, points]) table.seal();
  const names = members.map(({ study }) => study.name);
  const study = await studyOfRuns(title, names, metrics);
  const command = ['study', 'run', ...names];
  const plan: Plan = {
    ...{ study: study.name, coreSha256, command, trace, draws: null, options: {}, axes: [], metrics },
    ...{ workloads, sources, runs, points, sha256: planHash(metrics, runs, points) },
  };
  const jobsOf = (workload: number) => makers[workload]();
  return { study, planned: { plan, jobsOf, code: [...code.values()], statistics: [] } };
}

/** A study without settings, that keeps the same metrics of its runs. */
function studyOfRuns(title: string, names: readonly string[], metrics: Plan['metrics']): Promise<Study> {
  const kept = [USUAL_METRIC, ...jobMetricsIn(metrics)];
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
export async function keepCollection(
  out: string,
  command: string,
  joined: { readonly study: Study; readonly planned: Planned },
  members: readonly StudyToRun[],
  onTakeover?: (sentence: string) => void,
): Promise<void> {
  const { study, planned } = joined;
  const own = members.map((member) => member.study.name);
  const unlock = await lockPlan(out, onTakeover, own);
  try {
    if (existsSync(planOf(out)) && readStudyPlan(out).sha256 !== planned.plan.sha256) {
      throw new InputError(
        `${out} holds other studies, or these with other options or of another version; give another folder with --out`,
      );
    }
    const collection: Collection = { title: study.title, command, studies: own };
    await writeStudyFolder([studyFile(join(out, COLLECTION_FILE), [documentText(collection)])]);
    const known = new Map<string, readonly number[]>();
    for (const member of members) {
      const unlockMember = await lockStudyFolder(member.out, onTakeover);
      try {
        const { plan, code } = member.planned;
        if (member.study.kind === 'workloads') {
          await runPlanned(member.study, member.planned, { out: member.out, threads: 1 });
          continue;
        }
        const gathered = await keepResults(member.out, member.study, plan, () => undefined, code);
        for (const { id } of plan.runs) {
          const values = gathered.valuesOf(id);
          if (values !== undefined) known.set(id, values);
        }
      } finally {
        unlockMember();
      }
    }
    await keepResults(out, study, planned.plan, (id) => known.get(id), planned.code);
  } finally {
    unlock();
  }
}

/**
 * Gives the results of a collection to its studies.
 * @returns the studies with all their results.
 * @throws InputError, OutputError as `lockStudyFolder` and `openStudyFolder`.
 */
export async function giveResults(out: string, { studies }: Collection, all: Merged): Promise<Merged[]> {
  const merged: Merged[] = [];
  for (const name of studies) {
    const folder = join(out, name);
    const unlock = await lockStudyFolder(folder);
    try {
      const plan = readStudyPlan(folder);
      const study = await readStudyOf(folder, plan);
      const { results } = await keepResults(folder, study, plan, (id) => {
        const run = all.plan.runs.find(id);
        return run === undefined ? undefined : all.results.values(run);
      });
      merged.push({ study, plan, results: results as Merged['results'] });
    } finally {
      unlock();
    }
  }
  return merged;
}

/** Gives what a folder of several studies as one holds, finished or not, to studies whose locks the caller has. */
export async function takeCollected(out: string, members: readonly StudyToRun[]): Promise<void> {
  const plan = readStudyPlan(out);
  const gathered = new Gathered(await readStudyOf(out, plan), plan);
  readResults(out, plan, gathered.take);
  for (const { study, planned, out: folder } of members) {
    if (String(planned.plan.metrics) !== String(plan.metrics)) continue;
    await keepResults(folder, study, planned.plan, (id) => gathered.valuesOf(id), planned.code);
  }
}
