/** What the CSV files of a simulation have in common, written and read. */
import { type FileHandle, open } from 'node:fs/promises';
import { InputError } from '../errors.js';

/** About so many characters are handed over at a time. */
const CHUNK = 1 << 16;

/** A field of a CSV line, in quotes where it must be. */
export function csvField(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Lines, each with its end, as chunks of text. */
export function* chunksOf(lines: Iterable<string>): Generator<string> {
  let text = '';
  for (const line of lines) {
    text += line;
    if (text.length >= CHUNK) {
      yield text;
      text = '';
    }
  }
  yield text;
}

/** So many processors, from a pair of the log on, as an interval set in rising order: `0-3 5 7-9`. */
export function intervals(pairs: Int32Array, firstPair: number, processors: number): string {
  const runs: [first: number, last: number][] = [];
  for (let pair = firstPair, left = processors; left > 0; pair++) {
    const run: [number, number] = [pairs[2 * pair], pairs[2 * pair + 1]];
    runs.push(run);
    left -= run[1] - run[0] + 1;
  }
  // The parts of a split job stand in the order in which they were taken.
  if (runs.length > 1) runs.sort((a, b) => a[0] - b[0]);
  return runs.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`)).join(' ');
}

/** The fields of a line of CSV; a field in quotes may hold commas and doubled quotes. */
function splitLine(line: string): string[] {
  if (!line.includes('"')) return line.split(',');
  return [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^",]*))/g)].map(
    ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain,
  );
}

/** Runs of neighbouring processors from an interval set; none of an empty one. */
export function parseIntervals(text: string): [first: number, last: number][] {
  if (text === '') return [];
  return text.split(' ').map((run) => {
    const [first, last = first] = run.split('-').map(Number);
    return [first, last];
  });
}

/** The number in a field; NaN in an empty one. */
export function parseField(text: string): number {
  return text === '' ? Number.NaN : Number(text);
}

function openFile(path: string): Promise<FileHandle> {
  return open(path).catch((error: Error) => {
    throw new InputError(`${path} cannot be read: ${error.message}; run the simulation again`);
  });
}

/**
 * Reads a file of a simulation line by line.
 * @param columns of which `parse` is given the fields, in this order; it returns undefined where they are spoilt.
 * @param expected what a line holds, for the message.
 * @throws InputError when there is no such file or column, or naming the line that is spoilt.
 */
export async function readRows<Row>(
  path: string,
  columns: readonly string[],
  parse: (fields: readonly string[]) => Row | undefined,
  expected: string,
): Promise<Row[]> {
  const rows: Row[] = [];
  let places: number[] | undefined;
  let number = 0;
  const file = await openFile(path);
  for await (const line of file.readLines()) {
    number++;
    if (line === '') continue;
    const fields = splitLine(line);
    if (places === undefined) {
      places = columns.map((column) => fields.indexOf(column));
      const missing = columns.find((_, i) => places?.[i] === -1);
      if (missing !== undefined)
        throw new InputError(`${path}: the column ${missing} is missing; run the simulation again`);
      continue;
    }
    const row = parse(places.map((place) => fields[place] ?? ''));
    if (row === undefined) {
      throw new InputError(`${path}, line ${number}: expected ${expected}; run the simulation again`);
    }
    rows.push(row);
  }
  return rows;
}
