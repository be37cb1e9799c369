/** Reading and writing of CSV files. */

/** A value of a table of results. */
export type ResultTableValue = string | number | null;

/** About this many characters are handed over at a time. */
const CSV_CHUNK_CHARACTERS = 1 << 16;

/**
 * A text as a field of a CSV line, in quotes where it must be. What a spreadsheet would take for a formula has an
 * apostrophe in front, by which spreadsheets know text.
 */
export function formatCsvField(input: string): string {
  const text = /^[=+\-@\t\r]/.test(input) ? `'${input}` : input;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A value as a field of a CSV line; nothing if there is none. */
export const formatCsvValue = (value: ResultTableValue): string =>
  typeof value === 'string' ? formatCsvField(value) : String(value ?? '');

/** A line of CSV, with its end. */
export const formatCsvLine = (cells: readonly ResultTableValue[]): string =>
  `${cells.map(formatCsvValue).join(',')}\n`;

/** Lines, each with its end, as chunks of text. */
export function* joinLinesIntoChunks(lines: Iterable<string>): Generator<string> {
  let text = '';
  for (const line of lines) {
    text += line;
    if (text.length >= CSV_CHUNK_CHARACTERS) {
      yield text;
      text = '';
    }
  }
  yield text;
}

/** Formats an allocation from the log as an interval set, such as `0-3 5 7-9`. */
export function formatIntervalSet(pairs: Int32Array, firstPair: number, processors: number): string {
  const runs: [first: number, last: number][] = [];
  for (let pairIndex = firstPair, left = processors; left > 0; pairIndex++) {
    const run: [number, number] = [pairs[2 * pairIndex]!, pairs[2 * pairIndex + 1]!];
    runs.push(run);
    left -= run[1] - run[0] + 1;
  }
  // The parts of a split job are in the order in which they were taken.
  if (runs.length > 1) runs.sort((a, b) => a[0] - b[0]);
  return runs.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`)).join(' ');
}

/** The fields of a line of CSV; a field in quotes may hold commas and doubled quotes. */
export function splitCsvLine(line: string): string[] {
  if (!line.includes('"')) return line.split(',');
  return [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^",]*))/g)].map(
    ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? '',
  );
}

/** Runs of neighbouring processors from an interval set; none of an empty one. */
export function parseIntervalSet(text: string): [first: number, last: number][] {
  if (text === '') return [];
  return text.split(' ').map((run) => {
    const [first = Number.NaN, last = first] = run.split('-').map(Number);
    return [first, last];
  });
}

/** The number in a field; NaN in an empty one. */
export function parseCsvNumber(text: string): number {
  return text === '' ? Number.NaN : Number(text);
}
