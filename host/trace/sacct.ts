/**
 * The output of `sacct --parsable2`, the accounting of Slurm: a line with the names of the fields, then a line per job
 * or job step, fields separated by `|`. Which fields there are is up to the user.
 */
import { LineReader } from './lines.js';
import { quoteText } from './quote.js';
import { type LogReader, type LogSink, type Names, RecordRows } from './records.js';
import { SacctJobs, type Source } from './sacctJob.js';
import type { SyntaxProblem } from './syntax.js';

/** The fields that are used, in the names of sacct without regard to case; of several the first that is there counts. */
const SOURCES = {
  job: ['JobIDRaw', 'JobID'],
  task: ['JobID'],
  submit: ['Submit'],
  start: ['Start'],
  end: ['End'],
  elapsed: ['ElapsedRaw', 'Elapsed'],
  processors: ['AllocCPUS', 'NCPUS'],
  requestedProcessors: ['ReqCPUS'],
  limit: ['TimelimitRaw', 'Timelimit'],
  state: ['State'],
  user: ['User', 'UID'],
  group: ['Account', 'Group', 'GID'],
  executable: ['JobName'],
  queue: ['Partition'],
  partition: ['Cluster'],
} as const satisfies Readonly<Record<Source, readonly string[]>>;

/** What a log must have: of each line one. */
const NEEDED: readonly (readonly Source[])[] = [
  ['job'],
  ['submit'],
  ['elapsed', 'end'],
  ['processors', 'requestedProcessors'],
];

/** Where each field stands, and whether it is the raw kind: seconds, or minutes of a limit. */
interface Layout {
  readonly line: number;
  readonly count: number;
  readonly place: Readonly<Partial<Record<Source, number>>>;
  readonly name: Readonly<Partial<Record<Source, string>>>;
}

/** Whether fields are the names of fields. */
function areNames(fields: readonly string[]): boolean {
  const known = fields.map((field) => field.trim().toLowerCase());
  return known.includes('submit') && (known.includes('jobid') || known.includes('jobidraw'));
}

const KNOWN_NAMES: readonly string[] = [...Object.values(SOURCES).flat(), 'ExitCode'].map((name) =>
  name.toLowerCase(),
);

/** Whether a line has the names of fields in columns with blanks between them, as sacct prints them for people. */
function isForPeople(line: string): boolean {
  const known = line
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => KNOWN_NAMES.includes(word));
  return known.length > 1 && known.some((word) => word.startsWith('jobid'));
}

/** Whether a line is the first one of what sacct prints; without the names of the fields it still has bars. */
export function isSacctLine(line: string): boolean {
  return line.split('|').length > 3 || isForPeople(line);
}

/** Reads what sacct prints. Times are seconds since 1970; dates are taken as UTC. */
export function readSacct(sink: LogSink, names: Names): LogReader {
  const handler = new SacctLines(sink, names, (problem) => reader.stop(problem));
  const reader = new LineReader(sink, handler);
  return reader;
}

class SacctLines {
  readonly #sink: LogSink;
  readonly #stop: (problem: SyntaxProblem) => void;
  readonly #rows: RecordRows;
  readonly #jobs: SacctJobs;
  #layout: Layout | undefined;
  #isHeaderTold = false;

  constructor(sink: LogSink, names: Names, stop: (problem: SyntaxProblem) => void) {
    this.#sink = sink;
    this.#stop = stop;
    this.#rows = new RecordRows(sink);
    this.#jobs = new SacctJobs(sink, names, this.#rows);
  }

  line(text: string, number: number) {
    if (text.trim() === '') return 'blank' as const;
    const fields = text.split('|');
    // Outputs that were put one behind the other have the names several times.
    if (this.#layout === undefined || areNames(fields)) {
      this.#layout = this.#readNames(fields, number);
      return 'comment' as const;
    }
    this.#readJob(fields, this.#layout, number);
    return 'record' as const;
  }

  end(): void {
    this.#rows.handOver();
    this.#tellHeader();
  }

  #tellHeader(): void {
    if (!this.#isHeaderTold) this.#sink.header([]);
    this.#isHeaderTold = true;
  }

  #readNames(fields: readonly string[], line: number): Layout {
    this.#tellHeader();
    const known = fields.map((field) => field.trim().toLowerCase());
    const place: Partial<Record<Source, number>> = {};
    const name: Partial<Record<Source, string>> = {};
    for (const source of Object.keys(SOURCES) as Source[]) {
      const found = SOURCES[source].find((each) => known.includes(each.toLowerCase()));
      if (found === undefined) continue;
      place[source] = known.indexOf(found.toLowerCase());
      name[source] = found;
    }
    const missing = NEEDED.filter((sources) => sources.every((source) => place[source] === undefined));
    if (missing.length > 0) {
      const names = missing.map((sources) => sources.map((source) => SOURCES[source][0]).join(' or '));
      const text = fields.join('|').trim();
      const expected = isForPeople(text) ? 'fields separated by |' : `the fields ${names.join(', ')} too`;
      const found = quoteText(text.replaceAll(/\s+/g, ' '));
      this.#stop({ rule: 'columns', line, field: undefined, found, expected });
    }
    return { line, count: fields.length, place, name };
  }

  #readJob(fields: readonly string[], layout: Layout, line: number): void {
    if (fields.length !== layout.count) {
      const found = `${fields.length} fields in ${quoteText(fields.join('|'))}`;
      const expected = `${layout.count} fields, as named in line ${layout.line}`;
      this.#sink.problem({ rule: 'field-count', line, field: undefined, found, expected });
      return;
    }
    this.#jobs.take({
      text: (source) => fields[layout.place[source] ?? -1]?.trim() ?? '',
      name: (source) => layout.name[source] as string,
      isLimitInMinutes: layout.name.limit === 'TimelimitRaw',
      number: line,
    });
  }
}
