/** Plan files (JSON, one line per list entry), and the hashes that identify runs and plans. */
import { createHash } from 'node:crypto';
import { InputError } from '../errors.js';
import { hashText } from '../files/hash.js';
import { makeFilesAbsolute } from '../files/traceFiles.js';
import { addDocumentFormat, DOCUMENT_FORMAT, formatOf } from '../results/documents.js';
import { checkDocument, PLAN_ENTRY_SHAPES, PLAN_HEADER_SHAPE } from '../results/savedFile.js';
import {
  CommonParameters,
  type Plan,
  type PlannedRun,
  type PlannedWorkload,
  type Point,
  parametersOf,
  type RunParameters,
} from '../study/plan.js';
import type { OptionTexts } from '../study/schema.js';
import { journalLines } from './journal.js';

/** Advice for a damaged plan. */
const PLAN_REWRITE_REMEDY = 'run the study again to rewrite it';

/** Number of bytes of a run id. */
const RUN_ID_BYTES = 8;

/**
 * Id of a run: hash of its jobs and, for a simulation, of core and parameters.
 * @param jobs hash of the jobs.
 * @param parameters run parameters as JSON.
 */
export function runId(jobs: string, core?: string, parameters?: string): string {
  const text = core === undefined ? `["${jobs}"]` : `["${jobs}","${core}",${parameters}]`;
  return createHash('sha256').update(text).digest().toString('hex', 0, RUN_ID_BYTES);
}

/** Hash of a plan: names of axes and metrics, ids of runs, labels and run of each setting. */
export function planHash(
  names: readonly string[],
  runs: readonly PlannedRun[],
  points: readonly Point[],
): string {
  const runIds = runs.map(({ id }) => id);
  return hashText(JSON.stringify([names, runIds, points.map(({ labels, run }) => [...labels, run])]));
}

/** Lists of a plan, stored one entry per line. */
interface PlanLists {
  readonly workloads: PlannedWorkload[];
  readonly sources: OptionTexts[];
  readonly runs: PlannedRun[];
  readonly points: Point[];
}

type PlanHeader = Omit<Plan, keyof PlanLists>;

/** Run as stored in the file. */
interface PlanRunEntry extends Pick<PlannedRun, 'id' | 'workload'> {
  readonly parameters: RunParameters;
}

/** Text of a plan file, in pieces. */
export function* planText({ workloads, sources, runs, points, ...head }: Plan): Generator<string> {
  // Options with absolute paths, valid from any folder.
  const sourcesWithRelativePaths = sources.map(({ workload = '', ...options }) => ({
    workload: makeFilesAbsolute(workload),
    ...options,
  }));
  yield `${JSON.stringify(addDocumentFormat(head)).slice(0, -1)},\n`;
  yield* enumerationText('workloads', workloads, ',\n');
  yield* enumerationText('sources', sourcesWithRelativePaths, ',\n');
  yield* enumerationText('runs', runs, ',\n', plannedRunText);
  yield* enumerationText('points', points, '}\n');
}

/** JSON of a run without the parameters common to all. */
const plannedRunText = ({ id, workload, ...of }: PlannedRun) =>
  JSON.stringify({ id, workload, parameters: parametersOf(of) } satisfies PlanRunEntry);

/** Restores parameters from JSON, which stores an unlimited depth as null. */
function addDefaultLimits(parameters: RunParameters): RunParameters {
  return parameters.reservationDepth === null ? { ...parameters, reservationDepth: Infinity } : parameters;
}

function* enumerationText<Entry>(
  name: keyof PlanLists,
  entries: readonly Entry[],
  end: string,
  textOf: (entry: Entry) => string = JSON.stringify,
): Generator<string> {
  yield `"${name}":[`;
  for (const [i, entry] of entries.entries()) yield (i === 0 ? '\n' : ',\n') + textOf(entry);
  yield `\n]${end}`;
}

/**
 * Reads a plan file.
 * @throws InputError if it is damaged or of another format; file system errors.
 */
export function readPlan(path: string): Plan {
  let head: PlanHeader | undefined;
  const lists: PlanLists = { workloads: [], sources: [], runs: [], points: [] };
  let name: keyof PlanLists = 'workloads';
  const readListNames = new Set<keyof PlanLists>();
  const commonParameters = new CommonParameters();
  const runOf = ({ id, workload, parameters }: PlanRunEntry): PlannedRun => {
    const { policy } = parameters;
    return { id, workload, policy, common: commonParameters.of(addDefaultLimits(parameters)) };
  };
  for (const { text } of journalLines(path)) {
    if (head === undefined) head = parsePlanHeader(text, path);
    else if (text.endsWith(':[')) {
      name = planListNamed(text.slice(1, -3), path);
      readListNames.add(name);
    } else if (text.startsWith('{')) {
      const entry = checkDocument<unknown>(
        PLAN_ENTRY_SHAPES[name],
        parsePlanLine(text.replace(/,$/, ''), path),
        `${path}, ${name}`,
        PLAN_REWRITE_REMEDY,
      );
      lists[name].push((name === 'runs' ? runOf(entry as PlanRunEntry) : entry) as never);
    }
  }
  // The list `sources` is not required: plans written by earlier versions lack it.
  const isComplete = (['workloads', 'runs', 'points'] as const).every((each) => readListNames.has(each));
  if (head === undefined || !isComplete) throw damagedPlanError(path);
  return { ...head, ...lists };
}

function planListNamed(name: string, path: string): keyof PlanLists {
  if (!Object.hasOwn(PLAN_ENTRY_SHAPES, name)) throw damagedPlanError(path);
  return name as keyof PlanLists;
}

/** Parses the first line of a plan file, without the format version. */
function parsePlanHeader(line: string, path: string): PlanHeader {
  const document = parsePlanLine<PlanHeader & { format?: number }>(`${line.slice(0, -1)}}`, path);
  if (formatOf(document, path) < DOCUMENT_FORMAT) {
    throw new InputError(
      `${path} was written by an earlier version of gridalloc, whose results cannot be combined with this one's; run the study again`,
    );
  }
  const { format: _, ...head } = document;
  return checkDocument<PlanHeader>(PLAN_HEADER_SHAPE, head, path, PLAN_REWRITE_REMEDY);
}

function parsePlanLine<Document>(text: string, path: string): Document {
  try {
    return JSON.parse(text) as Document;
  } catch {
    throw damagedPlanError(path);
  }
}

function damagedPlanError(path: string): InputError {
  return new InputError(`${path} is damaged; ${PLAN_REWRITE_REMEDY}`);
}
