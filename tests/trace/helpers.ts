import { Readable } from 'node:stream';
import { InputError } from '../../host/errors.js';
import { type ReadOptions, readTrace } from '../../host/files/traceFiles.js';
import { makeConfiguration } from '../../host/options/configuration.js';
import { addParsedOptionTexts } from '../../host/options/options.js';
import { makeExperimentOnRequestedSites } from '../../host/simulate/experiment.js';
import { Simulator } from '../../host/simulate/simulator.js';
import { type ParseOptions, parseTrace } from '../../host/trace/readText.js';
import { SwfParser } from '../../host/trace/swf.js';
import type { SyntaxProblem } from '../../host/trace/syntax.js';
import { SWF_FIELDS, type SwfField, type Trace } from '../../host/trace/trace.js';

const DEFAULT_SWF_FIELD_VALUES: Readonly<Record<SwfField, number>> = {
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

/** An SWF line with usual values, some of them replaced. */
export function makeSwfLine(swfFieldValues: Partial<Record<SwfField, string | number>> = {}): string {
  return SWF_FIELDS.map((field) => swfFieldValues[field] ?? DEFAULT_SWF_FIELD_VALUES[field]).join(' ');
}

/** Reads a log from text as from standard input. */
export function readLogText(logText: string | Uint8Array, options: ReadOptions = {}): Promise<Trace> {
  return readTrace('-', { ...options, input: Readable.from([Buffer.from(logText)]) });
}

/** Message of the InputError with which a promise rejects. */
export async function inputErrorMessage(errorPromise: Promise<unknown>): Promise<string> {
  try {
    await errorPromise;
  } catch (error) {
    if (error instanceof InputError) return error.message;
    throw error;
  }
  throw new Error('no error was thrown');
}

/** Complete output of a reader to its sink. */
export interface ParserOutput {
  header: readonly string[];
  headerCalls: number;
  rows: number[][];
  lines: number[];
  problems: SyntaxProblem[];
  parsed: { lines: number; records: number };
}

/** Parses chunks of an SWF log one after the other. */
export function parseSwfChunks(chunks: readonly Uint8Array[]): ParserOutput {
  const parserOutput: ParserOutput = {
    header: [],
    headerCalls: 0,
    rows: [],
    lines: [],
    problems: [],
    parsed: { lines: 0, records: 0 },
  };
  const parser = new SwfParser({
    header: (lines) => {
      parserOutput.header = lines;
      parserOutput.headerCalls++;
    },
    records: (rows, lines) => {
      if (parserOutput.headerCalls === 0) throw new Error('records before the header');
      lines.forEach((lineStart, i) => {
        parserOutput.lines.push(lineStart);
        parserOutput.rows.push([...rows.subarray(i * SWF_FIELDS.length, (i + 1) * SWF_FIELDS.length)]);
      });
    },
    problem: (problem) => parserOutput.problems.push(problem),
    leaveOut: () => {},
  });
  for (const chunk of chunks) parser.push(chunk);
  parser.end();
  parserOutput.parsed = { lines: parser.lines, records: parser.records };
  return parserOutput;
}

/** Columns of a log as plain arrays. */
export function columnsOf(trace: Trace): Record<string, number[]> {
  return Object.fromEntries(SWF_FIELDS.map((field) => [field, [...trace.columns[field]]]));
}

/** Values of the `; Expect:` header lines of a log. */
export function readValuesOfExpectLines(trace: { header: { lines: readonly string[] } }): string[] {
  return trace.header.lines.flatMap((text) => /^; Expect: (.*)$/.exec(text)?.[1] ?? []);
}

/** Values of all records of a log by field, without fields that are always unknown. */
export function knownColumnsOfTrace({
  count: recordCount,
  columns: swfColumns,
}: Trace): Record<string, number[]> {
  const knownFields = SWF_FIELDS.filter((field) => swfColumns[field].some((value) => value !== -1));
  return Object.fromEntries(
    knownFields.map((field) => [field, [...swfColumns[field].subarray(0, recordCount)]]),
  );
}

/** Error message with which a log is refused; throws if the log is read. */
export function logErrorMessage(logText: string, options: ParseOptions = {}): string {
  try {
    parseTrace(logText, options);
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error('nothing is wrong');
}

/** True if a simulation without options accepts the log. */
export function canLogBeSimulated(logText: string, options: ParseOptions = {}): boolean {
  try {
    const settings = addParsedOptionTexts({ workload: 'log' }, {});
    const { workload, grid } = makeExperimentOnRequestedSites(settings, parseTrace(logText, options), [{}]);
    new Simulator(workload).begin(makeConfiguration(grid));
    return true;
  } catch (error) {
    if (error instanceof InputError) return false;
    throw error;
  }
}
