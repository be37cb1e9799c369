/**
 * Reader of the Grid Workload Format (GWF) of the Grid Workloads Archive: comments start with `#`; each other
 * line describes a job in 29 fields separated by tabs or blanks. The first 16 have the meaning of SWF; -1
 * means unknown.
 */
import { quoteLogText } from '../format/text.js';
import type { LogFormat } from './logFormat.js';
import { LINE_PLACE_NAMES } from './places.js';
import { LogLineReader, parseDecimal } from './readers.js';
import {
  type LogNames,
  type LogReader,
  type LogSink,
  NAMED_FIELDS,
  type NamedField,
  RecordRowBuffer,
} from './records.js';
import { IS_WHOLE_NUMBER_FIELD, type SyntaxRule } from './syntax.js';
import { SWF_FIELDS, SWF_FIELDS_PER_RECORD, type SwfField } from './trace.js';

/** Format of the Grid Workloads Archive. */
export const GWF_FORMAT = {
  name: 'gwf',
  title: 'Grid Workload Format',
  example: '1 0 5 60 4 -1 -1 4 120 -1 1 U1 G1 X1 Q1 P1 S1 S1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1',
  places: LINE_PLACE_NAMES,
  hasUnixTimes: false,
  isLike: ({ line: firstLine, comments }) =>
    (comments[0] ?? '').startsWith('#') ||
    isGwfFieldNameLine(firstLine) ||
    firstLine.split(/\s+/).length >= GWF_FIELD_COUNT,
  open: readGwfLog,
} as const satisfies LogFormat;

const GWF_FIELD_COUNT = 29;
/** Number of leading fields with the meaning of SWF. */
const FIELD_COUNT_SHARED_WITH_SWF = 16;
const GWF_ORIGIN_SITE_INDEX = 16;
const GWF_PARTITION_INDEX = SWF_FIELDS.indexOf('partition');
/** Fields that are not used and may contain anything. */
const UNCHECKED_SWF_FIELDS: readonly string[] = ['averageCpuTime', 'usedMemory', 'requestedMemory'];

/** True if a line consists of the names of the fields, which some logs have without a `#`. */
function isGwfFieldNameLine(line: string): boolean {
  return /^"?JobID\b/i.test(line);
}

/** Reads a log in GWF. */
function readGwfLog(sink: LogSink, logNames: LogNames): LogReader {
  const rowBuffer = new RecordRowBuffer(sink);
  let comments: string[] | undefined = [];
  const reportHeaderOnce = () => {
    if (comments !== undefined) sink.header(comments);
    comments = undefined;
  };
  return new LogLineReader(sink, {
    line: (lineText, lineNumber) => {
      const line = lineText.trim();
      if (line === '') return 'blank';
      if (line.startsWith('#') || isGwfFieldNameLine(line)) {
        comments?.push(`; ${line.replace(/^#+\s*/, '')}`);
        return 'comment';
      }
      reportHeaderOnce();
      readGwfRecord(line, lineNumber, { sink, names: logNames, rows: rowBuffer });
      return 'record';
    },
    end: () => {
      rowBuffer.handOver();
      reportHeaderOnce();
    },
  });
}

interface GwfReaderTarget {
  readonly sink: LogSink;
  readonly names: LogNames;
  readonly rows: RecordRowBuffer;
}

function readGwfRecord(
  recordText: string,
  line: number,
  { sink, names: logNames, rows: rowBuffer }: GwfReaderTarget,
): void {
  const recordFields = recordText
    .split(recordText.includes('\t') ? '\t' : /\s+/)
    .map((field) => field.trim());
  if (recordFields.length < GWF_FIELD_COUNT) {
    const foundText = `${recordFields.length} fields in ${quoteLogText(recordText)}`;
    const expectedForm = `${GWF_FIELD_COUNT} fields separated by tabs or blanks`;
    sink.problem({ rule: 'field-count', line, field: undefined, found: foundText, expected: expectedForm });
    return;
  }
  const { numbers: rowNumbers, offset } = rowBuffer;
  rowNumbers.fill(-1, offset, offset + SWF_FIELDS_PER_RECORD);
  let isReadable = true;
  for (let fieldIndex = 0; fieldIndex < FIELD_COUNT_SHARED_WITH_SWF; fieldIndex++) {
    const fieldName = SWF_FIELDS[fieldIndex] as SwfField;
    if (NAMED_FIELDS.includes(fieldName as NamedField)) {
      const fieldText =
        fieldIndex === GWF_PARTITION_INDEX ? readSiteOfGwfRecord(recordFields) : recordFields[fieldIndex]!;
      rowNumbers[offset + fieldIndex] = logNames.number(fieldName as NamedField, fieldText);
      continue;
    }
    const fieldValue = parseDecimal(recordFields[fieldIndex]!);
    if (
      fieldValue !== undefined &&
      (!IS_WHOLE_NUMBER_FIELD[fieldIndex] || Number.isSafeInteger(fieldValue))
    ) {
      rowNumbers[offset + fieldIndex] = fieldValue;
    } else if (!UNCHECKED_SWF_FIELDS.includes(fieldName)) {
      const rule: SyntaxRule = fieldValue === undefined ? 'number' : 'whole-number';
      sink.problem({ rule, line, field: fieldIndex + 1, found: quoteLogText(recordFields[fieldIndex]!) });
      isReadable = false;
    }
  }
  if (isReadable) rowBuffer.acceptRecordAtOffset(line);
}

/** Site of submission (field 17), or the partition if field 17 is unknown. */
function readSiteOfGwfRecord(recordFields: readonly string[]): string {
  return recordFields[GWF_ORIGIN_SITE_INDEX] === '-1'
    ? recordFields[GWF_PARTITION_INDEX]!
    : recordFields[GWF_ORIGIN_SITE_INDEX]!;
}
