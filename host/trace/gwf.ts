/**
 * The Grid Workload Format of the Grid Workloads Archive: comments that start with `#`, then a line per job of 29 fields
 * separated by tabs or blanks, the first 16 of which mean what those of SWF mean; -1 means unknown.
 */
import { quoteText } from '../format/text.js';
import type { LogFormat } from './logFormat.js';
import { LINE_PLACES } from './places.js';
import { LineReader, readDecimal } from './readers.js';
import {
  type LogReader,
  type LogSink,
  NAMED_FIELDS,
  type NamedField,
  type Names,
  RecordRows,
} from './records.js';
import { type SyntaxRule, WHOLE_EXPECTED } from './syntax.js';
import { FIELDS, SWF_FIELDS, type SwfField } from './trace.js';

/** The Grid Workload Format. */
export const GWF = {
  name: 'gwf',
  title: 'Grid Workload Format',
  example: '1 0 5 60 4 -1 -1 4 120 -1 1 U1 G1 X1 Q1 P1 S1 S1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1',
  places: LINE_PLACES,
  hasUnixTimes: false,
  isLike: ({ line, comments }) =>
    (comments[0] ?? '').startsWith('#') || isNames(line) || line.split(/\s+/).length >= GWF_FIELDS,
  open: readGwf,
} as const satisfies LogFormat;

const GWF_FIELDS = 29;
/** Fields 1 to 16 are those of SWF. */
const SHARED_FIELDS = 16;
const ORIGIN_SITE = 16;
const PARTITION = SWF_FIELDS.indexOf('partition');
/** Fields that gridalloc does not use may hold anything. */
const UNUSED_FIELDS: readonly string[] = ['averageCpuTime', 'usedMemory', 'requestedMemory'];

/** Some logs have the names of the fields without a `#`. */
function isNames(line: string): boolean {
  return /^"?JobID\b/i.test(line);
}

/** Reads a log in GWF. */
function readGwf(sink: LogSink, names: Names): LogReader {
  const rows = new RecordRows(sink);
  let comments: string[] | undefined = [];
  const endHeader = () => {
    if (comments !== undefined) sink.header(comments);
    comments = undefined;
  };
  return new LineReader(sink, {
    line: (text, number) => {
      const line = text.trim();
      if (line === '') return 'blank';
      if (line.startsWith('#') || isNames(line)) {
        comments?.push(`; ${line.replace(/^#+\s*/, '')}`);
        return 'comment';
      }
      endHeader();
      readRecord(line, number, { sink, names, rows });
      return 'record';
    },
    end: () => {
      rows.handOver();
      endHeader();
    },
  });
}

interface GwfTarget {
  readonly sink: LogSink;
  readonly names: Names;
  readonly rows: RecordRows;
}

function readRecord(text: string, line: number, { sink, names, rows }: GwfTarget): void {
  const fields = text.split(text.includes('\t') ? '\t' : /\s+/).map((field) => field.trim());
  if (fields.length < GWF_FIELDS) {
    const found = `${fields.length} fields in ${quoteText(text)}`;
    const expected = `${GWF_FIELDS} fields separated by tabs or blanks`;
    sink.problem({ rule: 'field-count', line, field: undefined, found, expected });
    return;
  }
  const { numbers, offset } = rows;
  numbers.fill(-1, offset, offset + FIELDS);
  let isReadable = true;
  for (let field = 0; field < SHARED_FIELDS; field++) {
    const name = SWF_FIELDS[field] as SwfField;
    if (NAMED_FIELDS.includes(name as NamedField)) {
      const value = field === PARTITION ? siteOf(fields) : fields[field]!;
      numbers[offset + field] = names.number(name as NamedField, value);
      continue;
    }
    const value = readDecimal(fields[field]!);
    if (value !== undefined && (!WHOLE_EXPECTED[field] || Number.isSafeInteger(value))) {
      numbers[offset + field] = value;
    } else if (!UNUSED_FIELDS.includes(name)) {
      const rule: SyntaxRule = value === undefined ? 'number' : 'whole-number';
      sink.problem({ rule, line, field: field + 1, found: quoteText(fields[field]!) });
      isReadable = false;
    }
  }
  if (isReadable) rows.accept(line);
}

/** The site where a job was submitted, field 17, or else its partition. */
function siteOf(fields: readonly string[]): string {
  return fields[ORIGIN_SITE] === '-1' ? fields[PARTITION]! : fields[ORIGIN_SITE]!;
}
