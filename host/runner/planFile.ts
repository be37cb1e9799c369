/** A plan as a file: JSON, one line for each entry of its long lists, so that it is written and read line by line. */
import { InputError } from '../errors.js';
import { absoluteFiles } from '../files/logFiles.js';
import { DOCUMENT_FORMAT, formatOf, withFormat } from '../results/documents.js';
import type { OptionTexts } from '../study/definition.js';
import { RecordTable } from '../study/numberColumn.js';
import type { Plan, PlannedWorkload } from '../study/plan.js';
import { type PlannedRun, type Point, PointTable, RunTable } from '../study/runTable.js';
import { linesOf } from './jsonLines.js';

type Head = Omit<Plan, 'workloads' | 'sources' | 'runs' | 'points'>;

/** The text of a plan. */
export function* planText(plan: Plan): Generator<string> {
  const { workloads, sources, runs, points, ...head } = plan;
  yield `${JSON.stringify(withFormat(head)).slice(0, -1)},\n`;
  yield* listText('workloads', texts(workloads), ',\n');
  yield* listText('sources', texts(anywhere(sources)), ',\n');
  yield* listText('runs', runs.texts(), ',\n');
  yield* listText('points', texts(points), '}\n');
}

function* listText(name: string, entries: Iterable<string>, end: string): Generator<string> {
  yield `"${name}":[`;
  let before = '\n';
  for (const entry of entries) {
    yield before + entry;
    before = ',\n';
  }
  yield `\n]${end}`;
}

function* texts(entries: Iterable<unknown>): Generator<string> {
  for (const entry of entries) yield JSON.stringify(entry);
}

/** Options that make jobs again, whatever folder they are read from. */
function* anywhere(sources: RecordTable<OptionTexts>): Generator<OptionTexts> {
  for (let i = 0; i < sources.length; i++) {
    const { workload, ...options } = sources.at(i);
    yield { workload: absoluteFiles(workload), ...options };
  }
}

/**
 * Reads a plan.
 * @throws InputError when it is damaged, or of another format; the error of the file system when it cannot be read.
 */
export function readPlan(path: string): Plan {
  let head: Head | undefined;
  const workloads: PlannedWorkload[] = [];
  const sources = new RecordTable<OptionTexts>();
  const runs = new RunTable();
  let points: PointTable | undefined;
  let list = '';
  for (const { text } of linesOf(path)) {
    if (head === undefined) {
      head = headOf(text, path);
      points = new PointTable(head.axes.length);
    } else if (text.endsWith(':[')) list = text.slice(1, -3);
    else if (text.startsWith('{')) {
      const entry = parsed(text.replace(/,$/, ''), path);
      if (list === 'workloads') workloads.push(entry as PlannedWorkload);
      if (list === 'sources') sources.push(entry as OptionTexts);
      if (list === 'runs') runs.add(entry as PlannedRun);
      if (list === 'points') points?.add(entry as Point);
    }
  }
  if (head === undefined || points === undefined) throw damaged(path);
  for (const table of [sources, runs, points]) table.seal();
  return { ...head, workloads, sources, runs, points };
}

/** What stands before the lists, without the version of the format. */
function headOf(line: string, path: string): Head {
  const document = parsed<Head & { format?: number }>(`${line.slice(0, -1)}}`, path);
  if (formatOf(document, path) < DOCUMENT_FORMAT) {
    throw new InputError(
      `${path} is of an earlier version of gridalloc, whose results do not go together with those of this one; run the study again`,
    );
  }
  const { format: _, ...head } = document;
  return head;
}

function parsed<Document>(text: string, path: string): Document {
  try {
    return JSON.parse(text) as Document;
  } catch {
    throw damaged(path);
  }
}

function damaged(path: string): InputError {
  return new InputError(`${path} is damaged; run the study again, which writes it anew`);
}
