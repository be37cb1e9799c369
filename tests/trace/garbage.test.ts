import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { InputError } from '../../host/errors.js';
import { FORMAT_NAMES, type FormatName } from '../../host/trace/formats.js';
import { parseTrace } from '../../host/trace/readText.js';
import type { SwfField, Trace } from '../../host/trace/trace.js';

/**
 * Replaces each value of each record by invalid ones: the log must be refused, or the value
 * ignored, or taken as a name or state. A time, count or limit must never be read as another one or
 * as unknown.
 */

const TEST_FILE_NAMES: Record<FormatName, string> = {
  swf: 'queues.swf',
  gwf: 'grid.gwf',
  sacct: 'sacct.txt',
  'sacct-json': 'sacct.json',
  batsim: 'batsim.json',
  'grid-engine': 'grid-engine.txt',
  pbs: 'pbs.txt',
  lsf: 'lsf.txt',
  table: 'table.csv',
  philly: 'philly.json',
};

const INVALID_TEXT = '7x~';

/** Fields whose values are counts or measurements. */
const NUMERIC_SWF_FIELDS: readonly SwfField[] = [
  ...(['submit', 'wait', 'runtime', 'processors', 'requestedProcessors', 'requestedTime'] as const),
];

const readTrace = (logText: string, format: FormatName): Trace | undefined => {
  try {
    return parseTrace(logText, { format });
  } catch (error) {
    expect(error).toBeInstanceOf(InputError);
    return undefined;
  }
};

/** Counts and measurements of all records; times since 1970. */
const numericValuesAsText = ({ count: recordCount, columns: swfColumns, header }: Trace): string =>
  NUMERIC_SWF_FIELDS.map((field) => {
    const clock = field === 'submit' ? (header.unixStartTime ?? 0) : 0;
    return [...swfColumns[field].subarray(0, recordCount)].map((value) => value + clock).join(' ');
  }).join('\n');

/** Notes on unknown states and on records that are not jobs. */
const describeNotes = ({ notes: recordNotes = [], leftOut = [] }: Trace): string =>
  JSON.stringify([
    recordNotes.filter(({ rule }) => rule === 'unknown-state'),
    leftOut.map(({ rule, count: droppedCount }) => [rule, droppedCount]),
  ]);

/** Separators between the fields of a record, by format. */
const SEPARATORS: Partial<Record<FormatName, RegExp>> = {
  ...{ swf: /(\s+)/, gwf: /(\t| +)/, sacct: /(\|)/, table: /(,)/, 'grid-engine': /([:=,])/, pbs: /([; ])/ },
};
/** Formats whose first line contains column names. */
const FORMATS_WITH_TEXT_IDS: readonly FormatName[] = ['sacct', 'table'];

/** Fields of a line and the separators between them, alternating. */
const splitFieldsAndSeparators = (line: string, format: FormatName): string[] =>
  // Quoted texts of LSF contain blanks.
  format === 'lsf' ? (line.match(/(?:"(?:[^"]|"")*"|[^" ])+| /g) ?? []) : line.split(SEPARATORS[format]!);

/**
 * A field with an invalid value; undefined for names of values, jobs or hosts, and for the word
 * that gives the kind of line.
 */
function makeInvalidField(
  fieldsAndSeparators: readonly string[],
  fieldIndex: number,
  format: FormatName,
): string | undefined {
  const fieldText = fieldsAndSeparators[fieldIndex]!;
  const isWordForRecordOrder =
    format === 'lsf' ? fieldIndex === 0 || /^"\d+\*/.test(fieldText) : format === 'pbs' && fieldIndex === 6;
  if (fieldsAndSeparators[fieldIndex + 1] === '=' || isWordForRecordOrder) return undefined;
  if (format === 'pbs' && fieldText.includes('=')) return fieldText.replace(/=.*/, `=${INVALID_TEXT}`);
  return fieldText.startsWith('"') ? `"${INVALID_TEXT}"` : INVALID_TEXT;
}

function* makeLinesWithInvalidFields(logText: string, format: FormatName): Generator<string> {
  const lines = logText.split('\n');
  for (const [lineIndex, line] of lines.entries()) {
    if (line === '' || /^[#;]/.test(line) || (lineIndex === 0 && FORMATS_WITH_TEXT_IDS.includes(format)))
      continue;
    const fieldsAndSeparators = splitFieldsAndSeparators(line, format);
    for (let fieldIndex = 0; fieldIndex < fieldsAndSeparators.length; fieldIndex += 2) {
      const invalidField = makeInvalidField(fieldsAndSeparators, fieldIndex, format);
      if (invalidField !== undefined)
        yield lines.with(lineIndex, fieldsAndSeparators.with(fieldIndex, invalidField).join('')).join('\n');
    }
  }
}

/**
 * JSON documents in each of which one text or number is replaced, except names of resource types.
 */
function* makeInvalidDocuments(validDocument: unknown): Generator<unknown> {
  if (Array.isArray(validDocument))
    for (const [itemIndex, item] of validDocument.entries())
      for (const invalidDocument of makeInvalidDocuments(item))
        yield validDocument.with(itemIndex, invalidDocument);
  else if (typeof validDocument === 'object' && validDocument !== null)
    for (const [key, item] of Object.entries(validDocument).filter(([name]) => name !== 'type'))
      for (const invalidDocument of makeInvalidDocuments(item))
        yield { ...validDocument, [key]: invalidDocument };
  else if (typeof validDocument === 'string' || typeof validDocument === 'number') yield INVALID_TEXT;
}

function* makeInvalidLogs(validLog: string, format: FormatName): Generator<string> {
  if (format === 'lsf' || SEPARATORS[format] !== undefined)
    yield* makeLinesWithInvalidFields(validLog, format);
  else for (const document of makeInvalidDocuments(JSON.parse(validLog))) yield JSON.stringify(document);
}

describe.each(FORMAT_NAMES)('%s', (format) => {
  const fieldText = readFileSync(new URL(`../../traces/${TEST_FILE_NAMES[format]}`, import.meta.url), 'utf8');

  test('no value is repaired', () => {
    const wholeTrace = readTrace(fieldText, format)!;
    const [right, report] = [numericValuesAsText(wholeTrace), describeNotes(wholeTrace)];
    const outcomeCounts = { refused: 0, alike: 0 };
    const invalidLinesReadAsValid: string[] = [];
    for (const logText of makeInvalidLogs(fieldText, format)) {
      const traceOfInvalidLog = readTrace(logText, format);
      if (traceOfInvalidLog === undefined) outcomeCounts.refused++;
      else if (
        numericValuesAsText(traceOfInvalidLog) === right ||
        describeNotes(traceOfInvalidLog) !== report
      )
        outcomeCounts.alike++;
      else invalidLinesReadAsValid.push(logText.split('\n').find((line) => line.includes(INVALID_TEXT))!);
    }
    expect(invalidLinesReadAsValid).toEqual([]);
    expect(outcomeCounts.refused).toBeGreaterThan(5);
  });
});
