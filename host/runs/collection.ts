/** Runs several studies as one: a folder with a plan of all distinct runs, and a subfolder for each study. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { InputError } from '../errors.js';
import { firstElement } from '../lists.js';
import { stringifyDocument } from '../results/documents.js';
import { STUDY_COLLECTION_SHAPE } from '../results/savedFile.js';
import type { Plan } from '../study/plan.js';
import { Results } from '../study/results.js';
import { DEFAULT_METRIC_NAME, selectJobMetrics } from '../study/runValues.js';
import type { Study } from '../study/study.js';
import { makeStudy } from '../study/study.js';
import { joinEqualRunsOfPlans } from './joinedRuns.js';
import { runWithLock } from './lock.js';
import { computePlanHash } from './planFile.js';
import type { Planned } from './planStudy.js';
import { runPlannedStudy, type StudyToRunInFolder } from './runPlan.js';
import {
  COLLECTION_FILE_NAME,
  lockStudyFolder,
  lockStudyPlan,
  makePlanFilePath,
  makeStudyFile,
  readFolderDocument,
  readResultsOfFolder,
  readStudyOfFolder,
  readStudyPlan,
  writeStudyFilesAtomically,
} from './runsFolder.js';
import { type Merged, saveResultsInStudyFolder } from './shardFolder.js';

/** Several studies run together. */
export interface StudyCollection {
  readonly title: string;
  /** Command line that requested the studies. */
  readonly command: string;
  /** Names of the studies and of their folders. */
  readonly studies: readonly string[];
}

/** Reads the collection stored in a folder; undefined if there is none. */
export const readStudyCollection = (folder: string): StudyCollection | undefined =>
  readFolderDocument(join(folder, COLLECTION_FILE_NAME), STUDY_COLLECTION_SHAPE);

/**
 * Joins the plans of several studies into one with all distinct runs; studies that simulate nothing add
 * none.
 * @throws InputError if the studies keep different metrics.
 */
export async function joinPlansOfStudies(
  title: string,
  memberStudies: readonly StudyToRunInFolder[],
): Promise<{ readonly study: Study; readonly planned: Planned }> {
  const simulatedStudies = memberStudies.filter(({ study }) => study.kind === 'simulations');
  if (simulatedStudies.length === 0) {
    throw new InputError(
      'these studies run no simulations, so there is nothing to submit or cut into shards; omit --engine and --shards',
    );
  }
  const { study: firstStudy, planned: firstPlanned } = firstElement(simulatedStudies);
  const { metrics, coreSha256, trace } = firstPlanned.plan;
  const differingStudy = simulatedStudies.find(
    ({ planned: plannedStudy }) => String(plannedStudy.plan.metrics) !== String(metrics),
  );
  if (differingStudy !== undefined) {
    throw new InputError(
      `${differingStudy.study.name} records different metrics from ${firstStudy.name}, so they cannot share runs; run each in its own command`,
    );
  }
  const {
    workloads,
    sources,
    jobsOf,
    code: codeFiles,
    ...joined
  } = joinEqualRunsOfPlans(
    simulatedStudies.map(({ planned: plannedStudy }) => plannedStudy),
    true,
  );
  const runs = joined.runs.map(({ id: runId, workload, policy, common: commonParameters }) => ({
    id: runId,
    workload,
    policy,
    common: commonParameters,
  }));
  const studyNames = memberStudies.map(({ study }) => study.name);
  const study = await makeStudyOfJoinedRuns(title, studyNames, metrics);
  const command = ['study', 'run', ...studyNames];
  const plan: Plan = {
    ...{ study: study.name, coreSha256, command, trace, draws: null, options: {}, axes: [], metrics },
    ...{ workloads, sources, runs, points: [], sha256: computePlanHash(metrics, runs, []) },
  };
  return { study, planned: { plan, jobsOf, code: codeFiles, statistics: [], remarks: [] } };
}

/** Study without settings that keeps the same metrics as the joined studies. */
function makeStudyOfJoinedRuns(
  title: string,
  studyNames: readonly string[],
  metrics: Plan['metrics'],
): Promise<Study> {
  const metricNames = [DEFAULT_METRIC_NAME, ...selectJobMetrics(metrics)];
  const studyDocument = {
    title,
    description: `The simulations of ${studyNames.join(', ')}, each once.`,
    measures: Object.fromEntries(metricNames.map((metric) => [metric, { metric }])),
  };
  return makeStudy(studyDocument, { name: title, text: stringify(studyDocument), locate: () => title });
}

/**
 * Creates the folders of studies that run together, and collects results that they already hold.
 * @param out the common folder.
 * @throws InputError, OutputError like `lockStudyFolder` and `openStudyFolderWithLock`.
 */
export async function createCollectionFolders(
  out: string,
  command: string,
  joined: { readonly study: Study; readonly planned: Planned },
  memberStudies: readonly StudyToRunInFolder[],
  onTakeover?: (sentence: string) => void,
): Promise<void> {
  const { study, planned: plannedStudy } = joined;
  const studyNames = memberStudies.map((memberStudy) => memberStudy.study.name);
  await runWithLock(lockStudyPlan(out, onTakeover, studyNames), async () => {
    if (existsSync(makePlanFilePath(out)) && readStudyPlan(out).sha256 !== plannedStudy.plan.sha256) {
      throw new InputError(
        `${out} holds other studies, or these with other options or of another version; give another folder with --out`,
      );
    }
    const collection: StudyCollection = { title: study.title, command, studies: studyNames };
    await writeStudyFilesAtomically([
      makeStudyFile(join(out, COLLECTION_FILE_NAME), [stringifyDocument(collection)]),
    ]);
    const runValuesById = new Map<string, readonly number[]>();
    for (const memberStudy of memberStudies) {
      await runWithLock(lockStudyFolder(memberStudy.out, onTakeover), () =>
        collectResultsOfStudy(memberStudy, runValuesById),
      );
    }
    await saveResultsInStudyFolder(
      out,
      study,
      plannedStudy.plan,
      (id) => runValuesById.get(id),
      plannedStudy.code,
    );
  });
}

/** Collects the results in a study's folder by run id. */
async function collectResultsOfStudy(
  { study, planned: plannedStudy, out }: StudyToRunInFolder,
  runValuesById: Map<string, readonly number[]>,
): Promise<void> {
  const { plan, code: codeFiles } = plannedStudy;
  if (study.kind === 'workloads') {
    await runPlannedStudy(study, plannedStudy, { out, threads: 1 });
    return;
  }
  const savedResults = await saveResultsInStudyFolder(out, study, plan, () => undefined, codeFiles);
  for (const { id: runId } of plan.runs) {
    const runValues = savedResults.valuesOf(runId);
    if (runValues !== undefined) runValuesById.set(runId, runValues);
  }
}

/**
 * Copies the results of a collection to its studies.
 * @returns the studies with complete results.
 * @throws InputError, OutputError like `lockStudyFolder` and `openStudyFolderWithLock`.
 */
export async function distributeCollectionResults(
  out: string,
  { studies }: StudyCollection,
  mergedResults: Merged,
): Promise<Merged[]> {
  const mergedStudies: Merged[] = [];
  for (const studyName of studies) {
    const folder = join(out, studyName);
    const saveMemberResults = async (): Promise<Merged> => {
      const plan = readStudyPlan(folder);
      const study = await readStudyOfFolder(folder, plan);
      const savedResults = await saveResultsInStudyFolder(folder, study, plan, (id) =>
        mergedResults.results.valuesOf(id),
      );
      return { study, plan, results: savedResults };
    };
    mergedStudies.push(await runWithLock(lockStudyFolder(folder), saveMemberResults));
  }
  return mergedStudies;
}

/** Copies finished results of a collection to its studies, whose locks the caller holds. */
export async function copyFinishedResultsToStudies(
  out: string,
  memberStudies: readonly StudyToRunInFolder[],
): Promise<void> {
  const plan = readStudyPlan(out);
  const savedResults = new Results((await readStudyOfFolder(out, plan)).kind, plan);
  readResultsOfFolder(out, plan, savedResults.take);
  for (const { study, planned: plannedStudy, out: folder } of memberStudies) {
    if (String(plannedStudy.plan.metrics) !== String(plan.metrics)) continue;
    await saveResultsInStudyFolder(
      folder,
      study,
      plannedStudy.plan,
      (id) => savedResults.valuesOf(id),
      plannedStudy.code,
    );
  }
}
