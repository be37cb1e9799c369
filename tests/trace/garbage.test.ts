import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { InputError } from '../../host/errors.js';
import { FORMAT_NAMES, type FormatName } from '../../host/trace/formats.js';
import { parseTrace } from '../../host/trace/readText.js';
import type { SwfField, Trace } from '../../host/trace/trace.js';

/**
 * Each value of each record replaced by something that it cannot be: the log is refused, or the value is not used, or it is a name or a word for the
 * state. A time, a count or a limit is never taken for another, or for unknown.
 */

const FILES: Record<FormatName, string> = {
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

const GARBAGE = '7x~';

/** Fields whose values count or measure something. */
const MEASURED: readonly SwfField[] = [
  ...(['submit', 'wait', 'runtime', 'processors', 'requestedProcessors', 'requestedTime'] as const),
];

const read = (text: string, format: FormatName): Trace | undefined => {
  try {
    return parseTrace(text, { format });
  } catch (error) {
    expect(error).toBeInstanceOf(InputError);
    return undefined;
  }
};

/** Measured values of all records, with times since 1970. */
const measuresOf = ({ count, columns, header }: Trace): string =>
  MEASURED.map((field) => {
    const clock = field === 'submit' ? (header.unixStartTime ?? 0) : 0;
    return [...columns[field].subarray(0, count)].map((value) => value + clock).join(' ');
  }).join('\n');

/** What is said of states that are not known, and of records that are no jobs. */
const reportOf = ({ notes = [], leftOut = [] }: Trace): string =>
  JSON.stringify([
    notes.filter(({ rule }) => rule === 'unknown-state'),
    leftOut.map(({ rule, count }) => [rule, count]),
  ]);

/** Separators of the fields of records. */
const SEPARATORS: Partial<Record<FormatName, RegExp>> = {
  ...{ swf: /(\s+)/, gwf: /(\t| +)/, sacct: /(\|)/, table: /(,)/, 'grid-engine': /([:=,])/, pbs: /([; ])/ },
};
/** Formats whose first line has names. */
const HAS_NAMES: readonly FormatName[] = ['sacct', 'table'];

/** Fields of a line and what is between them, in turn. */
const partsOf = (line: string, format: FormatName): string[] =>
  // Texts of LSF have blanks.
  format === 'lsf' ? (line.match(/(?:"(?:[^"]|"")*"|[^" ])+| /g) ?? []) : line.split(SEPARATORS[format]!);

/** The field with another value; undefined for names: of a value, a job or a host, and for the word for what a line is. */
function spoiltField(parts: readonly string[], part: number, format: FormatName): string | undefined {
  const text = parts[part]!;
  const isWord = format === 'lsf' ? part === 0 || /^"\d+\*/.test(text) : format === 'pbs' && part === 6;
  if (parts[part + 1] === '=' || isWord) return undefined;
  if (format === 'pbs' && text.includes('=')) return text.replace(/=.*/, `=${GARBAGE}`);
  return text.startsWith('"') ? `"${GARBAGE}"` : GARBAGE;
}

function* spoiltLines(text: string, format: FormatName): Generator<string> {
  const lines = text.split('\n');
  for (const [at, line] of lines.entries()) {
    if (line === '' || /^[#;]/.test(line) || (at === 0 && HAS_NAMES.includes(format))) continue;
    const parts = partsOf(line, format);
    for (let part = 0; part < parts.length; part += 2) {
      const field = spoiltField(parts, part, format);
      if (field !== undefined) yield lines.with(at, parts.with(part, field).join('')).join('\n');
    }
  }
}

/** Documents with each value that is a text or a number replaced, but for the types of resources. */
function* spoiltDocuments(value: unknown): Generator<unknown> {
  if (Array.isArray(value))
    for (const [at, item] of value.entries())
      for (const each of spoiltDocuments(item)) yield value.with(at, each);
  else if (typeof value === 'object' && value !== null)
    for (const [key, item] of Object.entries(value).filter(([name]) => name !== 'type'))
      for (const each of spoiltDocuments(item)) yield { ...value, [key]: each };
  else if (typeof value === 'string' || typeof value === 'number') yield GARBAGE;
}

function* spoilt(text: string, format: FormatName): Generator<string> {
  if (format === 'lsf' || SEPARATORS[format] !== undefined) yield* spoiltLines(text, format);
  else for (const document of spoiltDocuments(JSON.parse(text))) yield JSON.stringify(document);
}

describe.each(FORMAT_NAMES)('%s', (format) => {
  const text = readFileSync(new URL(`../../traces/${FILES[format]}`, import.meta.url), 'utf8');

  test('no value is repaired', () => {
    const whole = read(text, format)!;
    const [right, report] = [measuresOf(whole), reportOf(whole)];
    const kinds = { refused: 0, alike: 0 };
    const repaired: string[] = [];
    for (const log of spoilt(text, format)) {
      const found = read(log, format);
      if (found === undefined) kinds.refused++;
      else if (measuresOf(found) === right || reportOf(found) !== report) kinds.alike++;
      else repaired.push(log.split('\n').find((line) => line.includes(GARBAGE))!);
    }
    expect(repaired).toEqual([]);
    expect(kinds.refused).toBeGreaterThan(5);
  });
});
