/** Reads and writes CSV files. */

/** Value of a result table. */
export type ResultTableValue = string | number | null;

/** Approximate number of characters per chunk. */
const CSV_CHUNK_CHARACTER_COUNT = 1 << 16;

/**
 * Formats a CSV field, quoted if necessary. Texts that spreadsheets would interpret as formulas get an
 * apostrophe in front.
 */
export function formatCsvField(fieldText: string): string {
  const escapedText = /^[=+\-@\t\r]/.test(fieldText) ? `'${fieldText}` : fieldText;
  return /[",\r\n]/.test(escapedText) ? `"${escapedText.replaceAll('"', '""')}"` : escapedText;
}

/** Formats a value as a CSV field; empty for a missing value. */
export const formatCsvValue = (fieldValue: ResultTableValue): string =>
  typeof fieldValue === 'string' ? formatCsvField(fieldValue) : String(fieldValue ?? '');

/** Formats a CSV line, including its line end. */
export const formatCsvLine = (cells: readonly ResultTableValue[]): string =>
  `${cells.map(formatCsvValue).join(',')}\n`;

/** Joins lines into chunks of text; each line includes its end. */
export function* joinLinesIntoChunks(lines: Iterable<string>): Generator<string> {
  let chunk = '';
  for (const line of lines) {
    chunk += line;
    if (chunk.length >= CSV_CHUNK_CHARACTER_COUNT) {
      yield chunk;
      chunk = '';
    }
  }
  yield chunk;
}

/** Formats an allocation from the log as an interval set, such as `0-3 5 7-9`. */
export function formatIntervalSet(
  intervalPairs: Int32Array,
  firstPairIndex: number,
  processors: number,
): string {
  const processorRanges: [first: number, last: number][] = [];
  for (
    let pairIndex = firstPairIndex, remainingProcessors = processors;
    remainingProcessors > 0;
    pairIndex++
  ) {
    const processorRange: [number, number] = [
      intervalPairs[2 * pairIndex]!,
      intervalPairs[2 * pairIndex + 1]!,
    ];
    processorRanges.push(processorRange);
    remainingProcessors -= processorRange[1] - processorRange[0] + 1;
  }
  // The parts of a split job are in the order in which they were taken.
  if (processorRanges.length > 1) processorRanges.sort((a, b) => a[0] - b[0]);
  return processorRanges.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`)).join(' ');
}

/** Splits a CSV line into fields; quoted fields may contain commas and doubled quotes. */
export function splitCsvLine(line: string): string[] {
  if (!line.includes('"')) return line.split(',');
  return [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^",]*))/g)].map(
    ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? '',
  );
}

/** Parses an interval set to ranges of processors; empty for an empty text. */
export function parseIntervalSet(intervalText: string): [first: number, last: number][] {
  if (intervalText === '') return [];
  return intervalText.split(' ').map((rangeText) => {
    const [first = Number.NaN, last = first] = rangeText.split('-').map(Number);
    return [first, last];
  });
}

/** Parses a CSV field as a number; NaN if it is empty. */
export function parseCsvNumber(cellText: string): number {
  return cellText === '' ? Number.NaN : Number(cellText);
}
