/** Plan files (JSON, one line per list entry), and the hashes that identify runs and plans. */
import { createHash } from 'node:crypto';
import { InputError } from '../errors.js';
import { hashTextSha256 } from '../files/hash.js';
import { makeFilesAbsolute } from '../files/traceFiles.js';
import {
  addDocumentFormat,
  DOCUMENT_FORMAT_VERSION,
  readDocumentFormatVersion,
} from '../results/documents.js';
import { checkDocumentShape, PLAN_ENTRY_SHAPES, PLAN_HEADER_SHAPE } from '../results/savedFile.js';
import {
  type Plan,
  type PlannedRun,
  type PlannedWorkload,
  type Point,
  type RunParameters,
  RunParametersPool,
  restoreParametersOfPlannedRun,
} from '../study/plan.js';
import type { OptionTexts } from '../study/schema.js';
import { readCompleteJournalLines } from './journal.js';

/** Advice for a damaged plan. */
const PLAN_REWRITE_REMEDY = 'run the study again to rewrite it';

/** Number of bytes of a run id. */
const RUN_ID_BYTES = 8;

/**
 * Id of a run: hash of its jobs and, for a simulation, of core and parameters.
 * @param jobsHash hash of the jobs.
 * @param parametersJson run parameters as JSON.
 */
export function computeRunId(jobsHash: string, coreHash?: string, parametersJson?: string): string {
  const hashedText =
    coreHash === undefined ? `["${jobsHash}"]` : `["${jobsHash}","${coreHash}",${parametersJson}]`;
  return createHash('sha256').update(hashedText).digest().toString('hex', 0, RUN_ID_BYTES);
}

/** Hash of a plan: names of axes and metrics, ids of runs, labels and run of each setting. */
export function computePlanHash(
  axesAndMetrics: readonly string[],
  plannedRuns: readonly PlannedRun[],
  points: readonly Point[],
): string {
  const runIds = plannedRuns.map(({ id: runId }) => runId);
  return hashTextSha256(
    JSON.stringify([
      axesAndMetrics,
      runIds,
      points.map(({ labels: pointLabels, run }) => [...pointLabels, run]),
    ]),
  );
}

/** Lists of a plan, stored one entry per line. */
interface PlanFileLists {
  readonly workloads: PlannedWorkload[];
  readonly sources: OptionTexts[];
  readonly runs: PlannedRun[];
  readonly points: Point[];
}

type PlanFileHeader = Omit<Plan, keyof PlanFileLists>;

/** Run as stored in the file. */
interface PlanRunEntry extends Pick<PlannedRun, 'id' | 'workload'> {
  readonly parameters: RunParameters;
}

/** Text of a plan file, in pieces. */
export function* formatPlanFile({
  workloads,
  sources: workloadSources,
  runs,
  points: studyPoints,
  ...header
}: Plan): Generator<string> {
  // Options with absolute paths, valid from any folder.
  const sourcesWithAbsolutePaths = workloadSources.map(({ workload = '', ...options }) => ({
    workload: makeFilesAbsolute(workload),
    ...options,
  }));
  yield `${JSON.stringify(addDocumentFormat(header)).slice(0, -1)},\n`;
  yield* formatPlanList('workloads', workloads, ',\n');
  yield* formatPlanList('sources', sourcesWithAbsolutePaths, ',\n');
  yield* formatPlanList('runs', runs, ',\n', stringifyPlannedRun);
  yield* formatPlanList('points', studyPoints, '}\n');
}

/** JSON of a run without the parameters common to all. */
const stringifyPlannedRun = ({ id, workload, ...run }: PlannedRun) =>
  JSON.stringify({ id, workload, parameters: restoreParametersOfPlannedRun(run) } satisfies PlanRunEntry);

/** Restores parameters from JSON, which stores an unlimited depth as null. */
function restoreUnlimitedDepth(runParameters: RunParameters): RunParameters {
  return runParameters.reservationDepth === null
    ? { ...runParameters, reservationDepth: Infinity }
    : runParameters;
}

function* formatPlanList<Entry>(
  listName: keyof PlanFileLists,
  planEntries: readonly Entry[],
  textAfterList: string,
  stringifyEntry: (planEntry: Entry) => string = JSON.stringify,
): Generator<string> {
  yield `"${listName}":[`;
  for (const [i, entry] of planEntries.entries()) yield (i === 0 ? '\n' : ',\n') + stringifyEntry(entry);
  yield `\n]${textAfterList}`;
}

/**
 * Reads a plan file.
 * @throws InputError if it is damaged or of another format; file system errors.
 */
export function readPlanFile(path: string): Plan {
  let header: PlanFileHeader | undefined;
  const planLists: PlanFileLists = { workloads: [], sources: [], runs: [], points: [] };
  let listName: keyof PlanFileLists = 'workloads';
  const namesOfListsAlreadyRead = new Set<keyof PlanFileLists>();
  const commonParameters = new RunParametersPool();
  const makeRun = ({ id, workload, parameters: runParameters }: PlanRunEntry): PlannedRun => {
    const { policy } = runParameters;
    return {
      id,
      workload,
      policy,
      common: commonParameters.shareEqual(restoreUnlimitedDepth(runParameters)),
    };
  };
  for (const { text: lineText } of readCompleteJournalLines(path)) {
    if (header === undefined) header = parsePlanHeader(lineText, path);
    else if (lineText.endsWith(':[')) {
      listName = checkPlanListName(lineText.slice(1, -3), path);
      namesOfListsAlreadyRead.add(listName);
    } else if (lineText.startsWith('{')) {
      const checkedEntry = checkDocumentShape<unknown>(
        PLAN_ENTRY_SHAPES[listName],
        parsePlanFileLine(lineText.replace(/,$/, ''), path),
        `${path}, ${listName}`,
        PLAN_REWRITE_REMEDY,
      );
      planLists[listName].push(
        (listName === 'runs' ? makeRun(checkedEntry as PlanRunEntry) : checkedEntry) as never,
      );
    }
  }
  // The list `sources` is not required: plans written by earlier versions lack it.
  const isComplete = (['workloads', 'runs', 'points'] as const).every((each) =>
    namesOfListsAlreadyRead.has(each),
  );
  if (header === undefined || !isComplete) throw makeDamagedPlanError(path);
  return { ...header, ...planLists };
}

function checkPlanListName(listName: string, path: string): keyof PlanFileLists {
  if (!Object.hasOwn(PLAN_ENTRY_SHAPES, listName)) throw makeDamagedPlanError(path);
  return listName as keyof PlanFileLists;
}

/** Parses the first line of a plan file, without the format version. */
function parsePlanHeader(line: string, path: string): PlanFileHeader {
  const document = parsePlanFileLine<PlanFileHeader & { format?: number }>(`${line.slice(0, -1)}}`, path);
  if (readDocumentFormatVersion(document, path) < DOCUMENT_FORMAT_VERSION) {
    throw new InputError(
      `${path} was written by an earlier version of gridalloc, whose results cannot be combined with this one's; run the study again`,
    );
  }
  const { format: _, ...head } = document;
  return checkDocumentShape<PlanFileHeader>(PLAN_HEADER_SHAPE, head, path, PLAN_REWRITE_REMEDY);
}

function parsePlanFileLine<Document>(lineText: string, path: string): Document {
  try {
    return JSON.parse(lineText) as Document;
  } catch {
    throw makeDamagedPlanError(path);
  }
}

function makeDamagedPlanError(path: string): InputError {
  return new InputError(`${path} is damaged; ${PLAN_REWRITE_REMEDY}`);
}
