/**
 * Tables of jobs: CSV and TSV, whose first line names the columns. Parquet files are turned into the same text before they are read.
 * Which column is what, known public tables and the option `columns` say.
 */
import { escapeText, quoteText, shellWord, sourceWord } from '../format/text.js';
import {
  AccountingJobs,
  type AccountingRecord,
  clearRecord,
  isRepeated,
  STATE,
  stateOf,
} from './accountingJobs.js';
import type { LogFormat, TableOptions } from './logFormat.js';
import { PlainLines } from './plainLines.js';
import { LineReader } from './readers.js';
import {
  type Arrival,
  type LogReader,
  type LogSink,
  NAMED_FIELDS,
  type Names,
  RecordRows,
} from './records.js';
import { LONGEST_LINE, type SyntaxProblem, type SyntaxRule } from './syntax.js';
import { KNOWN_TABLES, layoutOf, placeOf, type Target, type TargetColumn } from './tableColumns.js';
import { durationOf, TimeReader } from './tableTimes.js';

/** Names of columns, as a first line has them: words without digits in front. */
const NAME = /^[A-Za-z_][\w .:/()#%-]*$/;

/** Characters between fields, the most usual first. */
const SEPARATORS = [',', '\t', ';'];

/** The separator of a line: what cuts it into most fields. */
function separatorOf(line: string): string {
  const counts = SEPARATORS.map((separator) => line.split(separator).length);
  return SEPARATORS[counts.indexOf(Math.max(...counts))] as string;
}

/** Whether a line has names of columns. */
function hasNames(line: string): boolean {
  const names = splitRow(line, separatorOf(line)) ?? [];
  return (
    names.length > 2 &&
    names.every((name) => name.trim() === '' || NAME.test(name.trim())) &&
    NAME.test((names[1] ?? '').trim())
  );
}

/** Fields of a line, which may be in double quotes with inner ones doubled; undefined where a quote does not end. */
function splitRow(line: string, separator: string): string[] | undefined {
  if (!line.includes('"')) return line.split(separator);
  const fields: string[] = [];
  for (let at = 0; at <= line.length; ) {
    if (line[at] === '"') {
      let text = '';
      let from = at + 1;
      let end = line.indexOf('"', from);
      while (end >= 0 && line[end + 1] === '"') {
        text += line.slice(from, end + 1);
        from = end + 2;
        end = line.indexOf('"', from);
      }
      if (end < 0 || (end + 1 < line.length && line[end + 1] !== separator)) return undefined;
      fields.push(text + line.slice(from, end));
      at = end + 2;
      if (end + 1 === line.length) return fields;
    } else {
      const next = line.indexOf(separator, at);
      fields.push(line.slice(at, next < 0 ? line.length : next));
      if (next < 0) return fields;
      at = next + 1;
    }
  }
  fields.push('');
  return fields;
}

/** Tables with the names of columns in the first line. */
export const TABLE = {
  name: 'table',
  title: 'table with names of columns: CSV, TSV or Parquet',
  example:
    'job_id,user,vc,gpu_num,cpu_num,node_num,state,submit_time,start_time,end_time,duration,queue\n' +
    '7,ann,vc1,4,16,1,COMPLETED,2020-06-09 18:41:01,2020-06-09 18:41:11,2020-06-09 18:51:11,600,10',
  hasUnixTimes: 'if large',
  isUnordered: true,
  tables: KNOWN_TABLES,
  isLike: ({ line }) => hasNames(line),
  open: (sink, names, arrival, table) => {
    const rows = new TableRows(sink, names, arrival, table, (problem) => reader.stop(problem));
    const reader: LineReader & LogReader = new LineReader(sink, rows);
    return reader;
  },
} as const satisfies LogFormat;

/** Texts of values that are unknown, in lower case. */
const UNKNOWN: readonly string[] = [
  '',
  '-1',
  'null',
  'none',
  'nan',
  'nat',
  'na',
  'n/a',
  '<na>',
  'unknown',
  '\\n',
];
/** Texts of limits of jobs without one, in lower case. */
const NO_LIMITS: readonly string[] = [
  'infinite',
  'infinity',
  'inf',
  'unlimited',
  'partition_limit',
  'not_set',
];

/** Characters of a header that an error shows. */
const LONGEST_HEADER = 160;

/** A column that is used, and where it is. */
interface PlacedColumn extends TargetColumn {
  readonly place: number;
}

/** Columns that plain rows may have, by what PlainLines calls them. */
const PLAIN_TARGETS: Readonly<Partial<Record<Target, string>>> = {
  ...{ job: 'job', submit: 'submit', eligible: 'eligible', start: 'start', end: 'end', runtime: 'elapsed' },
  ...{ processors: 'processors', requestedProcessors: 'requestedProcessors', requestedTime: 'limit' },
  ...{
    status: 'state',
    user: 'user',
    group: 'group',
    executable: 'executable',
    queue: 'queue',
    partition: 'partition',
  },
};

type Fault = Pick<SyntaxProblem, 'rule' | 'found' | 'expected' | 'place'>;

class TableRows {
  readonly #sink: LogSink;
  readonly #names: Names;
  readonly #stop: (problem: SyntaxProblem) => void;
  readonly #options: TableOptions;
  readonly #times: TimeReader;
  readonly #jobs: AccountingJobs;
  #separator = ',';
  #fieldCount = 0;
  #columns: readonly PlacedColumn[] | undefined;
  #plain: PlainLines | undefined;
  /** The table has this, by target. */
  #has: ReadonlySet<Target> = new Set();
  #rows = 0;
  #isHeaderTold = false;
  /** Where a value is no value of its column. */
  #fault: Fault | undefined;
  #wait = -1;

  constructor(
    sink: LogSink,
    names: Names,
    arrival: Arrival,
    options: TableOptions,
    stop: (problem: SyntaxProblem) => void,
  ) {
    this.#sink = sink;
    this.#names = names;
    this.#options = options;
    this.#stop = stop;
    this.#times = new TimeReader(options.timeZone);
    this.#jobs = new AccountingJobs({ sink, names, rows: new RecordRows(sink) }, arrival);
  }

  plain(bytes: Uint8Array, from: number, number: number): number {
    if (this.#plain === undefined) return -1;
    const next = this.#plain.read(bytes, from, number);
    if (next < 0 || next - from > LONGEST_LINE + 1) return -1;
    const { record } = this.#jobs;
    this.#rows++;
    if (!this.#has.has('job')) record.job = this.#rows;
    this.#wait = -1;
    this.#complete(record);
    this.#jobs.take();
    return next;
  }

  line(text: string, number: number) {
    if (text.trim() === '') return 'blank' as const;
    if (this.#columns === undefined) {
      if (/^\s*[#;]/.test(text)) return 'comment' as const;
      this.#readNames(text, number);
      return 'comment' as const;
    }
    const fields = splitRow(text, this.#separator);
    if (fields?.length === this.#fieldCount) this.#readRow(fields, this.#columns, number);
    else {
      const found = `${fields === undefined ? 'a quote without end' : `${fields.length} fields`} in ${quoteText(text)}`;
      const expected = `${this.#fieldCount} fields, as the line with the names has`;
      this.#sink.problem({ rule: 'field-count', line: number, field: undefined, found, expected });
    }
    return 'record' as const;
  }

  end(): void {
    this.#jobs.end();
    this.#tellHeader();
  }

  #tellHeader(): void {
    if (!this.#isHeaderTold) this.#sink.header([]);
    this.#isHeaderTold = true;
  }

  #readNames(text: string, line: number): void {
    this.#tellHeader();
    this.#separator = separatorOf(text);
    const names = (splitRow(text, this.#separator) ?? []).map((name) => name.trim());
    this.#fieldCount = names.length;
    const layout = layoutOf(names, this.#options.columns);
    if ('columns' in layout) {
      this.#columns = layout.columns.map((column) => ({ ...column, place: placeOf(names, column.column) }));
      this.#has = new Set(layout.columns.map(({ target }) => target));
      this.#plain = this.#plainLines(this.#columns);
      return;
    }
    this.#columns = [];
    const { expected, guess } = layout;
    this.#stop({
      ...{ rule: 'columns', line, field: undefined, expected },
      found: `a table with the columns ${escapeText(names.join(', ').slice(0, LONGEST_HEADER))}`,
      remedy: (source) =>
        `say what they are, for instance: gridalloc trace info ${sourceWord(source)} --columns ${shellWord(guess)}`,
    });
  }

  /** Reads plain rows, if all columns have units and zones that it knows. */
  #plainLines(columns: readonly PlacedColumn[]): PlainLines | undefined {
    const place: Record<string, number> = {};
    const { timeZone = 'UTC' } = this.#options;
    for (const { target, factor, place: at } of columns) {
      const source = PLAIN_TARGETS[target];
      const isPlain = factor === 1 || (factor === 60 && target === 'requestedTime');
      if (source === undefined || !isPlain || Object.values(place).includes(at)) return undefined;
      place[source] = at;
    }
    if (!/^(?:UTC|Z)$/i.test(timeZone)) return undefined;
    const isLimitInMinutes = columns.some(
      ({ target, factor }) => target === 'requestedTime' && factor === 60,
    );
    return new PlainLines(
      {
        ...{ count: this.#fieldCount, place, separator: this.#separator, isLimitInMinutes, noNames: UNKNOWN },
        ...{ hasCluster: false, hasSteps: false, isYearNone: false, isTable: true },
      },
      this.#jobs.record,
      this.#names,
    );
  }

  #readRow(fields: readonly string[], columns: readonly PlacedColumn[], line: number): void {
    const { record } = this.#jobs;
    clearRecord(record);
    this.#fault = undefined;
    this.#wait = -1;
    record.number = line;
    record.job = ++this.#rows;
    record.hasEligible = this.#has.has('eligible');
    record.hasLimit = this.#has.has('requestedTime');
    for (const column of columns) this.#readField((fields[column.place] as string).trim(), column, record);
    if (record.state === STATE.unfinished) this.#jobs.take();
    else if (this.#fault !== undefined)
      this.#sink.problem({ line, field: undefined, ...(this.#fault as Fault) });
    else {
      this.#complete(record);
      this.#jobs.take();
    }
  }

  /** Works out starts from waits, and times of running from starts and ends. */
  #complete(record: AccountingRecord): void {
    record.isRepeated &&= record.start >= 0;
    const arrival = record.hasEligible ? Math.max(record.submit, record.eligible) : record.submit;
    if (record.start < 0 && this.#wait >= 0) record.start = arrival + this.#wait;
    if (record.elapsed < 0 && record.start >= 0 && record.end >= record.start)
      record.elapsed = record.end - record.start;
    if (record.end < 0 && record.start >= 0 && record.elapsed >= 0)
      record.end = record.start + record.elapsed;
  }

  #readField(text: string, column: PlacedColumn, record: AccountingRecord): void {
    const { target, factor } = column;
    if (UNKNOWN.includes(text.toLowerCase())) {
      // A job without a submit time cannot be placed.
      if (target === 'submit') this.#wrong('time', text, column);
      return;
    }
    switch (target) {
      case 'job':
        record.job = /^\d{1,15}(?:\.0+)?$/.test(text) ? Number(text) : this.#names.job(text);
        return;
      case 'submit':
      case 'eligible':
      case 'start':
      case 'end': {
        const time = this.#times.read(text);
        if (time === undefined) this.#wrong('time', text, column);
        else record[target] = time * factor;
        return;
      }
      case 'wait':
        this.#wait = this.#duration(text, column);
        return;
      case 'runtime':
        record.elapsed = this.#duration(text, column);
        return;
      case 'requestedTime':
        record.limit = NO_LIMITS.includes(text.toLowerCase()) ? -1 : this.#duration(text, column);
        return;
      case 'status':
        this.#readStatus(text, record);
        return;
      case 'processors':
      case 'requestedProcessors':
      case 'precedingJob':
        record[target] = this.#count(text, column);
        return;
      case 'averageCpuTime':
      case 'usedMemory':
      case 'requestedMemory':
      case 'thinkTime':
        record[target] = this.#duration(text, column);
        return;
      default:
        if (NAMED_FIELDS.includes(target)) record[target] = this.#names.number(target, text);
    }
  }

  /** Reads a status of SWF, or a state in words. */
  #readStatus(text: string, record: AccountingRecord): void {
    if (/^[0-5]$/.test(text)) {
      record.state = Number(text);
      return;
    }
    const word = text.toUpperCase();
    record.stateName = text;
    if (/^(?:COMPLETED?|PASS(?:ED)?|DONE|SUCCE|FINISHED)/.test(word) && !word.startsWith('COMPLETING'))
      record.state = STATE.completed;
    else if (/^(?:CANCEL|KILLED|ABORT)/.test(word)) record.state = STATE.cancelled;
    else record.state = stateOf(word);
    record.isRepeated = isRepeated(word);
  }

  #duration(text: string, column: PlacedColumn): number {
    const seconds = durationOf(text);
    if (seconds !== undefined) return seconds * column.factor;
    return this.#wrong('time', text, column, 'seconds, or a duration such as 1-02:03:04');
  }

  #count(text: string, column: PlacedColumn): number {
    // Programs that know no missing whole numbers write 64.0.
    const value = /^\d{1,15}(?:\.0+)?$/.test(text) ? Number(text) * column.factor : Number.NaN;
    return Number.isSafeInteger(value) ? value : this.#wrong('whole-number', text, column, 'a whole number');
  }

  #wrong(rule: SyntaxRule, text: string, { column }: PlacedColumn, expected?: string): -1 {
    this.#fault ??= {
      rule,
      place: `column ${quoteText(column)}`,
      found: quoteText(text),
      ...(expected === undefined ? {} : { expected }),
    };
    return -1;
  }
}
