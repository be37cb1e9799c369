import { Readable } from 'node:stream';
import { InputError } from '../../host/errors.js';
import { type ReadOptions, readTrace } from '../../host/files/traceFiles.js';
import { makeConfiguration } from '../../host/options/configuration.js';
import { withTexts } from '../../host/options/options.js';
import { experimentOn } from '../../host/simulate/experiment.js';
import { Simulator } from '../../host/simulate/simulator.js';
import { type ParseOptions, parseTrace } from '../../host/trace/readText.js';
import { SwfParser } from '../../host/trace/swf.js';
import type { SyntaxProblem } from '../../host/trace/syntax.js';
import { SWF_FIELDS, type SwfField, type Trace } from '../../host/trace/trace.js';

const USUAL: Readonly<Record<SwfField, number>> = {
  job: 1,
  submit: 0,
  wait: -1,
  runtime: 10,
  processors: 4,
  averageCpuTime: -1,
  usedMemory: -1,
  requestedProcessors: 4,
  requestedTime: 20,
  requestedMemory: -1,
  status: 1,
  user: 1,
  group: 1,
  executable: 1,
  queue: 1,
  partition: 1,
  precedingJob: -1,
  thinkTime: -1,
};

/** The line of a usual record with some fields replaced by text. */
export function line(fields: Partial<Record<SwfField, string | number>> = {}): string {
  return SWF_FIELDS.map((field) => fields[field] ?? USUAL[field]).join(' ');
}

/** Reads text as if it came from standard input. */
export function readText(text: string | Uint8Array, options: ReadOptions = {}): Promise<Trace> {
  return readTrace('-', { ...options, input: Readable.from([Buffer.from(text)]) });
}

/** The sentence of the InputError that a promise ends in. */
export async function sentenceOf(promise: Promise<unknown>): Promise<string> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof InputError) return error.message;
    throw error;
  }
  throw new Error('no error was thrown');
}

/** Everything that a sink received. */
export interface Told {
  header: readonly string[];
  headerCalls: number;
  rows: number[][];
  lines: number[];
  problems: SyntaxProblem[];
  parsed: { lines: number; records: number };
}

/** Parses the chunks one after the other. */
export function parseChunks(chunks: readonly Uint8Array[]): Told {
  const description: Told = {
    header: [],
    headerCalls: 0,
    rows: [],
    lines: [],
    problems: [],
    parsed: { lines: 0, records: 0 },
  };
  const parser = new SwfParser({
    header: (lines) => {
      description.header = lines;
      description.headerCalls++;
    },
    records: (rows, lines) => {
      if (description.headerCalls === 0) throw new Error('records before the header');
      lines.forEach((at, i) => {
        description.lines.push(at);
        description.rows.push([...rows.subarray(i * SWF_FIELDS.length, (i + 1) * SWF_FIELDS.length)]);
      });
    },
    problem: (problem) => description.problems.push(problem),
    leaveOut: () => {},
  });
  for (const chunk of chunks) parser.push(chunk);
  parser.end();
  description.parsed = { lines: parser.lines, records: parser.records };
  return description;
}

/** Plain copies of the columns. */
export function columnsOf(trace: Trace): Record<string, number[]> {
  return Object.fromEntries(SWF_FIELDS.map((field) => [field, [...trace.columns[field]]]));
}

/** The values of the `; Expect:` lines of a log. */
export function expectations(trace: { header: { lines: readonly string[] } }): string[] {
  return trace.header.lines.flatMap((text) => /^; Expect: (.*)$/.exec(text)?.[1] ?? []);
}

/** Values of all records of a log by field; fields that no record has are left out. */
export function recordsOf({ count, columns }: Trace): Record<string, number[]> {
  const known = SWF_FIELDS.filter((field) => columns[field].some((value) => value !== -1));
  return Object.fromEntries(known.map((field) => [field, [...columns[field].subarray(0, count)]]));
}

/** The error with which a log is refused; throws if the log is read. */
export function faultOf(text: string, options: ParseOptions = {}): string {
  try {
    parseTrace(text, options);
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error('nothing is wrong');
}

/** A simulation without options takes the log. */
export function isSimulated(log: string, options: ParseOptions = {}): boolean {
  try {
    const settings = withTexts({ workload: 'log' }, {});
    const { workload, grid } = experimentOn(settings, parseTrace(log, options), [{}]);
    new Simulator(workload).begin(makeConfiguration(grid));
    return true;
  } catch (error) {
    if (error instanceof InputError) return false;
    throw error;
  }
}
