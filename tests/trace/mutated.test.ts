import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { InputError } from '../../host/errors.js';
import { makeMersenneTwister } from '../../host/math/random.js';
import { checkLogInChunks } from '../../host/trace/checkTrace.js';
import { FORMAT_NAMES, type FormatName } from '../../host/trace/formats.js';
import { type ParseOptions, parseTrace } from '../../host/trace/readText.js';
import { SWF_FIELDS, type Trace } from '../../host/trace/trace.js';
import {
  chooseRandomCaseCount,
  firstCaseSeed,
  isLongTestMode,
  RANDOM_TEST_TIMEOUT_MILLISECONDS,
} from '../cases.js';
import { canLogBeSimulated } from './helpers.js';

/**
 * Logs of every format with bytes, lines or fields changed at random: each must be read, or refused
 * with one sentence; the check, the reader and the simulation must agree, and dropped records must
 * be counted.
 */

const TEST_FILE_NAMES: Record<FormatName, string> = {
  swf: 'spellings.swf',
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

/** Texts that replace fields. */
const REPLACEMENT_FIELD_TEXTS = [
  '',
  '-1',
  '0',
  '1e9',
  '99999999999999999999',
  'x',
  '1.5',
  '"',
  ':',
  '|',
  ';',
  '=',
  'NaN',
  '2026-02-30T25:61:61',
  '\u0000',
  'é',
];

/** Number of changed logs per format; `npm run test:long` tries 100,000 in all. */
const MUTATION_CASE_COUNT = chooseRandomCaseCount(isLongTestMode ? 1000 : 250);

type DrawIntegerBelow = (bound: number) => number;

function mutateText(logText: string, drawBelow: DrawIntegerBelow): string {
  let lines = logText.split('\n');
  for (let changeCount = 1 + drawBelow(3); changeCount > 0; changeCount--) {
    const lineIndex = drawBelow(lines.length);
    const line = lines[lineIndex] ?? '';
    switch (drawBelow(7)) {
      case 0:
        lines = lines.toSpliced(lineIndex, 1);
        break;
      case 1:
        lines = lines.toSpliced(lineIndex, 0, line);
        break;
      case 2:
        lines[lineIndex] = line.slice(0, drawBelow(line.length + 1));
        break;
      case 3: {
        const lineFields = line.split(/([\s|:;=,]+)/);
        lineFields[drawBelow(lineFields.length)] =
          REPLACEMENT_FIELD_TEXTS[drawBelow(REPLACEMENT_FIELD_TEXTS.length)]!;
        lines[lineIndex] = lineFields.join('');
        break;
      }
      case 4: {
        const column = drawBelow(line.length + 1);
        lines[lineIndex] =
          line.slice(0, column) + String.fromCharCode(32 + drawBelow(95)) + line.slice(column + 1);
        break;
      }
      case 5:
        lines[lineIndex] = line.replaceAll(/\d+/g, (digits) =>
          drawBelow(4) === 0 ? String(drawBelow(1e9)) : digits,
        );
        break;
      default: {
        const indexOfOtherLine = drawBelow(lines.length);
        [lines[lineIndex], lines[indexOfOtherLine]] = [lines[indexOfOtherLine] ?? '', line];
      }
    }
  }
  return lines.join('\n');
}

/** Reads a log; returns it, or the error message if it is refused. */
function parseTraceOrGetErrorMessage(logText: string, options: object): Trace | string {
  try {
    return parseTrace(logText, options);
  } catch (error) {
    expect(error).toBeInstanceOf(InputError);
    return (error as Error).message;
  }
}

/** Contents of a log as text, for comparison. */
function formatTraceForComparison({
  count: recordCount,
  columns: swfColumns,
  header,
  leftOut = [],
}: Trace): string {
  const columnValues = SWF_FIELDS.map((field) => swfColumns[field].subarray(0, recordCount).join(' '));
  return [
    ...columnValues,
    ...header.lines,
    ...leftOut.map(({ rule, count: left }) => `${rule} ${left}`),
  ].join('\n');
}

/**
 * Fails with details if a condition is false; `expect` on the values of every case would take most
 * of the time.
 */
function expectWithDetails(isTrue: boolean, failureDetails: object): void {
  if (!isTrue) expect.fail(JSON.stringify(failureDetails, null, 2));
}

/** Rules that exclude records which are not jobs. */
const RULES_DROPPING_NON_JOBS: readonly string[] = ['step', 'unfinished', 'component', 'profile'];

/**
 * Checks, reads and simulates a log; these must agree and account for each record. Returns true if
 * it is read.
 */
async function expectConsistentReadings(
  logText: string,
  format: FormatName,
  options: ParseOptions,
  seed: number,
): Promise<boolean> {
  const readResult = parseTraceOrGetErrorMessage(logText, options);
  const isRead = typeof readResult !== 'string';
  const logCheck = await checkLogInChunks('log', [new TextEncoder().encode(logText)], options);
  const { readable, usable, records, problems } = logCheck;
  const failureDetails = { seed, options, log: logText, check: logCheck };
  expectWithDetails(readable === isRead, { ...failureDetails, found: readResult });
  if (usable !== readable || seed % 10 === 0)
    expectWithDetails(usable === canLogBeSimulated(logText, options), { ...failureDetails, usable });
  const lenientReadResult = parseTraceOrGetErrorMessage(logText, {
    ...options,
    skipBadLines: true,
    sort: true,
  });
  if (typeof lenientReadResult !== 'string') expectWithDetails(lenientReadResult.count > 0, failureDetails);
  if (!isRead) {
    // For a table with unknown columns, the message suggests a command that names them all.
    expectWithDetails(/^[^\n]{10,600}$|^[^\n]+ --columns [^\n]{1,600}$/.test(readResult), {
      ...failureDetails,
      found: readResult,
    });
    return false;
  }
  // No record may vanish silently: each is a job or is counted. PBS has several lines per job.
  const leftOutRecordCount = (readResult.leftOut ?? []).reduce(
    (sum, { count: droppedCount }) => sum + droppedCount,
    0,
  );
  const reportedRecordCount = problems.reduce(
    (sum, { rule, count: problemCount }) => sum + (RULES_DROPPING_NON_JOBS.includes(rule) ? problemCount : 0),
    0,
  );
  expectWithDetails(reportedRecordCount === leftOutRecordCount, {
    ...failureDetails,
    left: leftOutRecordCount,
    reported: reportedRecordCount,
  });
  if (format !== 'pbs')
    expectWithDetails(records === readResult.count + leftOutRecordCount, {
      ...failureDetails,
      left: leftOutRecordCount,
      count: readResult.count,
    });
  // Reading again with bad lines skipped gives the same, since there are none.
  const repeatedResult = parseTraceOrGetErrorMessage(logText, { ...options, skipBadLines: true });
  expectWithDetails(
    typeof repeatedResult !== 'string' &&
      formatTraceForComparison(repeatedResult) === formatTraceForComparison(readResult),
    {
      ...failureDetails,
      again: repeatedResult,
    },
  );
  return true;
}

describe.each(FORMAT_NAMES)('%s', (format) => {
  const logText = readFileSync(new URL(`../../traces/${TEST_FILE_NAMES[format]}`, import.meta.url), 'utf8');

  test('changed at random', { timeout: RANDOM_TEST_TIMEOUT_MILLISECONDS }, async () => {
    const outcomeCounts = { read: 0, refused: 0 };
    for (let seed = firstCaseSeed; seed < firstCaseSeed + Math.ceil(MUTATION_CASE_COUNT); seed++) {
      const generator = makeMersenneTwister([seed, FORMAT_NAMES.indexOf(format)]);
      const mutatedLogText = mutateText(logText, (bound) => Math.floor(generator.drawUniform() * bound));
      // The format is detected from the content, or is that of the original log.
      const options = seed % 2 === 0 ? {} : { format };
      outcomeCounts[
        (await expectConsistentReadings(mutatedLogText, format, options, seed)) ? 'read' : 'refused'
      ]++;
    }
    expect(outcomeCounts.read + outcomeCounts.refused).toBe(Math.ceil(MUTATION_CASE_COUNT));
    if (MUTATION_CASE_COUNT >= 250)
      expect(Math.min(outcomeCounts.read, outcomeCounts.refused)).toBeGreaterThan(10);
  });
});
