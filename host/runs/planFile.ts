/** A plan as a file (JSON with a line for each entry of its lists), and what distinguishes runs and plans. */
import { createHash } from 'node:crypto';
import { InputError } from '../errors.js';
import { hashText } from '../files/hash.js';
import { absoluteFiles } from '../files/traceFiles.js';
import { DOCUMENT_FORMAT, formatOf, withFormat } from '../results/documents.js';
import { checked, PLAN_ENTRIES, PLAN_HEAD } from '../results/savedFile.js';
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
import { linesOf } from './journal.js';

/** Advice for a damaged plan. */
const REMEDY = 'run the study again to rewrite it';

/** Bytes of the id of a run. */
const ID_BYTES = 8;

/**
 * The id of a run: a hash of its jobs and, of a simulation, of the core and its parameters.
 * @param jobs their hash, as that of the core is.
 * @param parameters as JSON.
 */
export function runId(jobs: string, core?: string, parameters?: string): string {
  const text = core === undefined ? `["${jobs}"]` : `["${jobs}","${core}",${parameters}]`;
  return createHash('sha256').update(text).digest().toString('hex', 0, ID_BYTES);
}

/** Hash of a plan: names of axes and metrics, ids of runs, labels and run of each setting. */
export function planHash(
  names: readonly string[],
  runs: readonly PlannedRun[],
  points: readonly Point[],
): string {
  const ids = runs.map(({ id }) => id);
  return hashText(JSON.stringify([names, ids, points.map(({ labels, run }) => [...labels, run])]));
}

/** Lists of a plan, each entry on a line of its own in the file. */
interface PlanLists {
  readonly workloads: PlannedWorkload[];
  readonly sources: OptionTexts[];
  readonly runs: PlannedRun[];
  readonly points: Point[];
}

type PlanHead = Omit<Plan, keyof PlanLists>;

/** A run in the file. */
interface PlanRunEntry extends Pick<PlannedRun, 'id' | 'workload'> {
  readonly parameters: RunParameters;
}

/** The text of a plan, in pieces. */
export function* planText({ workloads, sources, runs, points, ...head }: Plan): Generator<string> {
  // Options that make jobs again, whatever folder they are read from.
  const anywhere = sources.map(({ workload = '', ...options }) => ({
    workload: absoluteFiles(workload),
    ...options,
  }));
  yield `${JSON.stringify(withFormat(head)).slice(0, -1)},\n`;
  yield* listText('workloads', workloads, ',\n');
  yield* listText('sources', anywhere, ',\n');
  yield* listText('runs', runs, ',\n', textOfRun);
  yield* listText('points', points, '}\n');
}

/** A run as it is written, with what all runs have in common. */
const textOfRun = ({ id, workload, ...of }: PlannedRun) =>
  JSON.stringify({ id, workload, parameters: parametersOf(of) } satisfies PlanRunEntry);

/** Parameters as they were written; JSON has null for a depth without a limit. */
function withLimits(parameters: RunParameters): RunParameters {
  return parameters.reservationDepth === null ? { ...parameters, reservationDepth: Infinity } : parameters;
}

function* listText<Entry>(
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
 * Reads a plan.
 * @throws InputError when it is damaged, or of another format; the error of the file system when it cannot be read.
 */
export function readPlan(path: string): Plan {
  let head: PlanHead | undefined;
  const lists: PlanLists = { workloads: [], sources: [], runs: [], points: [] };
  let name: keyof PlanLists = 'workloads';
  const met = new Set<keyof PlanLists>();
  const commons = new CommonParameters();
  const runOf = ({ id, workload, parameters }: PlanRunEntry): PlannedRun => {
    const { policy } = parameters;
    return { id, workload, policy, common: commons.of(withLimits(parameters)) };
  };
  for (const { text } of linesOf(path)) {
    if (head === undefined) head = headOf(text, path);
    else if (text.endsWith(':[')) {
      name = listNamed(text.slice(1, -3), path);
      met.add(name);
    } else if (text.startsWith('{')) {
      const entry = checked<unknown>(
        PLAN_ENTRIES[name],
        parsed(text.replace(/,$/, ''), path),
        `${path}, ${name}`,
        REMEDY,
      );
      lists[name].push((name === 'runs' ? runOf(entry as PlanRunEntry) : entry) as never);
    }
  }
  // The list `sources` is not required: plans written by earlier versions lack it.
  const isWhole = (['workloads', 'runs', 'points'] as const).every((each) => met.has(each));
  if (head === undefined || !isWhole) throw damaged(path);
  return { ...head, ...lists };
}

function listNamed(name: string, path: string): keyof PlanLists {
  if (!Object.hasOwn(PLAN_ENTRIES, name)) throw damaged(path);
  return name as keyof PlanLists;
}

/** Parses the first line of a plan, without the version of the format. */
function headOf(line: string, path: string): PlanHead {
  const document = parsed<PlanHead & { format?: number }>(`${line.slice(0, -1)}}`, path);
  if (formatOf(document, path) < DOCUMENT_FORMAT) {
    throw new InputError(
      `${path} was written by an earlier version of gridalloc, whose results cannot be combined with this one's; run the study again`,
    );
  }
  const { format: _, ...head } = document;
  return checked<PlanHead>(PLAN_HEAD, head, path, REMEDY);
}

function parsed<Document>(text: string, path: string): Document {
  try {
    return JSON.parse(text) as Document;
  } catch {
    throw damaged(path);
  }
}

function damaged(path: string): InputError {
  return new InputError(`${path} is damaged; ${REMEDY}`);
}
