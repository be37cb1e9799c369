/** The comment lines at the top of a log, and what they say about the machine. */
import { escapeText } from '../format/escape.js';
import type { TraceHeader } from './trace.js';

/**
 * Takes the header apart: `; Key: value` entries (the first of each key), queue names, machine size.
 * @param lines comment lines without line ends, `;` included.
 */
export function parseHeader(lines: readonly string[]): TraceHeader {
  const entries = new Map<string, string>();
  const queues = new Map<number, string>();
  for (const line of lines) {
    const entry = headerEntry(line);
    if (entry === undefined) continue;
    const [key, value] = entry;
    if (!entries.has(key)) entries.set(key, value);
    const queue = key === 'Queue' ? /^(-?\d+)\s+(\S.*)$/.exec(value) : null;
    if (queue !== null && !queues.has(Number(queue[1]))) queues.set(Number(queue[1]), queue[2]);
  }
  const maxProcessors = headerCount(entries, 'MaxProcs') ?? headerCount(entries, 'MaxNodes');
  return { lines, entries, queues, maxProcessors, unixStartTime: headerCount(entries, 'UnixStartTime') };
}

/** The positive whole number that a header entry gives, or undefined. */
export function headerCount(entries: ReadonlyMap<string, string>, key: string): number | undefined {
  const value = entries.get(key) ?? '';
  const count = /^\d+$/.test(value) ? Number(value) : 0;
  return count > 0 && Number.isSafeInteger(count) ? count : undefined;
}

/** Key and value of `; Key: value`; not of a continued address such as `; http://...`. */
function headerEntry(line: string): [string, string] | undefined {
  const match = /^\s*;\s*([A-Za-z]\w*)\s*:(?!\/\/)(.*)$/s.exec(line);
  return match === null ? undefined : [match[1], match[2].trim()];
}

/**
 * The header of a log made from another one: MaxRecords, where given, becomes the new count, and
 * notes are added at the end.
 */
export function deriveHeader(header: TraceHeader, records: number, notes: readonly string[]): TraceHeader {
  const lines = withEntry(header.lines, 'MaxRecords', records);
  return parseHeader([...lines, ...notes.map((note) => `; Note: ${escapeText(note)}`)]);
}

/** The lines with another value of an entry, where there is one. */
export function withEntry(lines: readonly string[], key: string, value: number): string[] {
  return lines.map((line) => (headerEntry(line)?.[0] === key ? `; ${key}: ${value}` : line));
}
