/**
 * Tests the compiled loops of the host: each must give the same bits as WebAssembly, as interpreted source,
 * and in hosts without compilation.
 */
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import * as lines from '../../host/loops/lineLayout.js';
import { readLogLines } from '../../host/loops/lineLoops.js';
import * as plain from '../../host/loops/loops.js';
import { makeLoopWorkspace } from '../../host/loops/workspace.js';
import { parseTrace } from '../../host/trace/readText.js';
import { SWF_FIELDS } from '../../host/trace/trace.js';

type LoopArrays = Record<string, Float64Array | Int32Array | Uint8Array>;
type LoopNames = {
  [Name in keyof typeof plain]: (typeof plain)[Name] extends CallableFunction ? Name : never;
};
type LoopName = LoopNames[keyof LoopNames];

/** Arguments of a loop: its arrays, and its other inputs as numbers or names of arrays. */
interface LoopCase {
  readonly arrays: LoopArrays;
  readonly input: readonly (number | string)[];
}

const makeDoublesArbitrary = (length: number, leastValue = -5) =>
  fc.array(fc.oneof(fc.integer({ min: -5, max: 5 }), fc.double({ noNaN: true, min: leastValue, max: 1e9 })), {
    minLength: length,
    maxLength: length,
  });
const makeColumn = (values: readonly number[]) => Float64Array.from(values);
/** Numbers of processors of jobs, a few of them invalid. */
const makeProcessorCountsArbitrary = (length: number) =>
  fc.array(
    fc.oneof(
      { arbitrary: fc.integer({ min: -1, max: 9 }), weight: 50 },
      { arbitrary: fc.constantFrom(0.5, 2 ** 31 - 1, 2 ** 31, Infinity, Number.NaN), weight: 1 },
    ),
    { minLength: length, maxLength: length },
  );
const countArbitrary = fc.integer({ min: 0, max: 40 });
const digitTextArbitrary = fc.stringMatching(/^-?(\d{0,17}|\d{1,8}\.\d{0,9}|\d\.\d\.\d|x)$/);
const recordLineArbitrary = fc
  .tuple(
    fc.array(digitTextArbitrary, { minLength: 17, maxLength: 19 }),
    fc.constantFrom(' ', '\t', '  '),
    fc.constantFrom('\n', ' \r\n'),
  )
  .map(([fields, blank, end]) => fields.join(blank) + end);
const plainLineArbitrary = fc
  .tuple(fc.array(fc.nat({ max: 99 }), { minLength: 18, maxLength: 18 }), fc.constantFrom('\n', '.50\n'))
  .map(([fields, end]) => fields.join(' ') + end);

const POWERS_OF_TEN = Array.from({ length: plain.MAX_EXACT_DIGITS + 1 }, (_, k) => Number(`1e${k}`));

const CASES: Readonly<Record<LoopName, fc.Arbitrary<LoopCase>>> = {
  readSwfRecords: fc
    .array(fc.oneof(recordLineArbitrary, plainLineArbitrary), { minLength: 1, maxLength: 9 })
    .map((lines) => {
      const encodedLines = new TextEncoder().encode(lines.join(''));
      const flagsOfWholeNumberFields = Uint8Array.from({ length: plain.SWF_FIELD_COUNT }, (_, i) => i % 2);
      const rows = new Float64Array(6 * plain.SWF_FIELD_COUNT);
      return {
        arrays: {
          text: encodedLines,
          whole: flagsOfWholeNumberFields,
          powers: makeColumn(POWERS_OF_TEN),
          rows,
          stop: new Int32Array(1),
        },
        input: ['text', 0, encodedLines.length, 90, 'whole', 'powers', 'rows', 1, -1, 'stop'],
      };
    }),
  spreadRecordsIntoColumns: fc
    .integer({ min: 1, max: 6 })
    .chain((count) => fc.tuple(fc.constant(count), makeDoublesArbitrary(count * plain.SWF_FIELD_COUNT)))
    .map(([count, rows]) => ({
      arrays: {
        rows: makeColumn(rows),
        columns: new Float64Array(7 * plain.SWF_FIELD_COUNT),
        same: new Uint8Array(plain.SWF_FIELD_COUNT),
      },
      input: ['rows', count, 'columns', 7, 'same'],
    })),
  keepRecordsOfPositiveValue: countArbitrary
    .chain((count) => fc.tuple(makeDoublesArbitrary(count), makeDoublesArbitrary(count)))
    .map(([values, otherValues]) => ({
      arrays: {
        records: Int32Array.from(values, (_, i) => i),
        values: makeColumn(values),
        others: makeColumn(otherValues),
      },
      input: ['records', values.length, 'values', 'others'],
    })),
  fillWithIndices: countArbitrary.map((count) => ({
    arrays: { numbers: new Int32Array(count) },
    input: ['numbers', count],
  })),
  findFirstDescent: countArbitrary
    .chain((count) => makeDoublesArbitrary(count))
    .chain((values) => {
      const ascendingValues = [...values].sort((left, right) => left - right);
      return fc.constantFrom(values, ascendingValues, [...ascendingValues, Number.NaN]).map((each) => ({
        arrays: { values: makeColumn(each) },
        input: ['values', each.length],
      }));
    }),
  processorsOfSwfRecord: fc.tuple(makeDoublesArbitrary(2)).map(([input]) => ({ arrays: {}, input })),
  fillProcessorsOfRecords: countArbitrary
    .chain((count) => fc.tuple(makeProcessorCountsArbitrary(count), makeProcessorCountsArbitrary(count)))
    .map(([allocated, requestedProcessors]) => ({
      arrays: {
        allocated: makeColumn(allocated),
        requested: makeColumn(requestedProcessors),
        processors: new Int32Array(allocated.length),
      },
      input: ['allocated', 'requested', allocated.length, 'processors'],
    })),
  largestWholeNumber: countArbitrary
    .chain((count) => fc.array(fc.integer({ min: 1, max: 2 ** 31 - 1 }), { maxLength: count }))
    .map((values) => ({
      arrays: { values: Int32Array.from(values) },
      input: ['values', values.length],
    })),
  estimatesFromRequests: countArbitrary
    .chain((count) =>
      fc.tuple(
        makeDoublesArbitrary(count),
        fc.constantFrom(1, 0.3),
        makeDoublesArbitrary(count),
        fc.array(fc.nat({ max: 3 }), { minLength: count, maxLength: count }),
      ),
    )
    .map(([requestedTime, factor, runtime, record]) => ({
      arrays: {
        requested: makeColumn(requestedTime),
        runtime: makeColumn(runtime),
        record: Int32Array.from(record.sort()),
        estimate: new Float64Array(record.length),
      },
      input: ['requested', factor, 'runtime', 'record', record.length, 'estimate'],
    })),
  addWorkOfJobs: countArbitrary
    .chain((count) =>
      fc.tuple(
        makeDoublesArbitrary(count),
        fc.array(fc.tuple(fc.integer({ min: 1, max: 999 }), fc.nat({ max: 2 })), {
          minLength: count,
          maxLength: count,
        }),
        makeDoublesArbitrary(3),
        makeDoublesArbitrary(3),
      ),
    )
    .map(([runtime, jobs, loads, speeds]) => ({
      arrays: {
        processors: Int32Array.from(jobs, ([width]) => width),
        runtime: makeColumn(runtime),
        home: Int32Array.from(jobs, ([, home]) => home),
        ...{ loads: makeColumn(loads), speeds: makeColumn(speeds), works: new Float64Array(runtime.length) },
      },
      input: ['processors', 'runtime', 'home', 'loads', 'speeds', runtime.length, 'works'],
    })),
  keepNonNegativeValues: countArbitrary
    .chain((count) => makeDoublesArbitrary(count))
    .map((values) => ({ arrays: { values: makeColumn(values) }, input: ['values', values.length] })),
  quantityOfJob: fc
    .tuple(fc.integer({ min: 0, max: 2 }), makeDoublesArbitrary(3))
    .map(([quantity, times]) => ({ arrays: {}, input: [quantity, ...times, 10] })),
  quantitiesOfJobs: fc
    .tuple(fc.integer({ min: 0, max: 2 }), countArbitrary)
    .chain(([quantity, count]) =>
      fc.tuple(
        fc.constant(quantity),
        makeDoublesArbitrary(count),
        makeDoublesArbitrary(count),
        makeDoublesArbitrary(count),
      ),
    )
    .map(([quantity, submit, start, execution]) => ({
      arrays: {
        submit: makeColumn(submit),
        start: makeColumn(start),
        execution: makeColumn(execution),
        values: new Float64Array(submit.length),
      },
      input: [quantity, 'submit', 'start', 'execution', submit.length, 10, 'values'],
    })),
  partitionAroundPosition: fc
    .integer({ min: 1, max: 40 })
    .chain((count) => fc.tuple(makeDoublesArbitrary(count), fc.nat({ max: count - 1 })))
    .map(([values, targetIndex]) => ({
      arrays: { values: makeColumn(values) },
      input: ['values', 0, values.length - 1, targetIndex],
    })),
  addToExactSum: fc
    .tuple(makeDoublesArbitrary(30), makeDoublesArbitrary(3, -1e300))
    .map(([values, moreValues]) => ({
      arrays: { values: makeColumn([...values, ...moreValues]), parts: new Float64Array(64) },
      input: ['values', 1, values.length + moreValues.length, 'parts', 0],
    })),
  roundExactSum: makeDoublesArbitrary(12, -1e300).map((values) => {
    const arrayForPartSums = new Float64Array(64);
    const length = plain.addToExactSum(makeColumn(values), 0, values.length, arrayForPartSums, 0);
    return { arrays: { parts: arrayForPartSums }, input: ['parts', length] };
  }),
  meansOfGroups: countArbitrary
    .chain((count) =>
      fc.tuple(
        makeDoublesArbitrary(count),
        fc.array(fc.integer({ min: -1, max: 3 }), { minLength: count, maxLength: count }),
      ),
    )
    .map(([values, groupOf]) => {
      const groupEndPositions = new Int32Array(5);
      let end = 0;
      for (const group of [0, 1, 2, 3]) {
        end += groupOf.filter((groupNumber) => groupNumber === group).length;
        groupEndPositions[group] = end;
      }
      groupEndPositions[4] = end;
      return {
        arrays: {
          ...{ values: makeColumn(values), groupOf: Int32Array.from(groupOf), ends: groupEndPositions },
          ...{
            members: new Float64Array(values.length),
            parts: new Float64Array(64),
            means: new Float64Array(4),
          },
        },
        input: ['values', 'groupOf', values.length, 'ends', 4, 'members', 'parts', 'means'],
      };
    }),
};

/** Return value of a loop and the final contents of its arrays. */
function runLoopCase(loopName: LoopName, { arrays, input }: LoopCase, usesCompiledLoops: boolean): unknown[] {
  const copies = Object.fromEntries(Object.entries(arrays).map(([name, array]) => [name, array.slice()]));
  const workspace = makeLoopWorkspace(copies as LoopArrays, usesCompiledLoops);
  const argumentsOfLoop = input.map((argument) =>
    typeof argument === 'number' ? argument : workspace.arrays[argument],
  );
  const resultOfLoop = (workspace.loops[loopName] as (...words: unknown[]) => unknown)(...argumentsOfLoop);
  return [resultOfLoop, ...Object.values(workspace.arrays).map((array) => [...array])];
}

const LOOP_FUNCTION_NAMES = Object.entries(plain).flatMap(([name, loop]) =>
  typeof loop === 'function' ? [name as LoopName] : [],
);

test.each(LOOP_FUNCTION_NAMES)('%s gives the same compiled', (loopName) => {
  fc.assert(
    fc.property(CASES[loopName], (loopCase) => {
      expect(runLoopCase(loopName, loopCase, true)).toEqual(runLoopCase(loopName, loopCase, false));
    }),
    { numRuns: 300 },
  );
});

test('records are those of the log', () => {
  expect(SWF_FIELDS).toHaveLength(plain.SWF_FIELD_COUNT);
  expect(SWF_FIELDS[plain.SWF_SUBMIT_FIELD_INDEX]).toBe('submit');
});

test('the compiled loops are really compiled', () => {
  expect(makeLoopWorkspace({}, true).loops.partitionAroundPosition).not.toBe(plain.partitionAroundPosition);
  expect(makeLoopWorkspace({}, false).loops.partitionAroundPosition).toBe(plain.partitionAroundPosition);
  expect(makeLoopWorkspace({}, true).loops.readLogLines).not.toBe(readLogLines);
  expect(makeLoopWorkspace({}, false).loops.readLogLines).toBe(readLogLines);
});

/** Fragments of fields in log lines, ordinary and unusual. */
const FIELD_FRAGMENTS = [
  ...['7', '12', '1772697600', '123456789012', '1234567890123', '007', '-1', '4.0', '4.', '.0', 'x', 'é'],
  ...['2026-03-05T08:00:00', '2026-03-05 08:00:00Z', '2026-02-30T00:00:00', '2024-02-29T23:59:59'],
  ...['2026-12-31T24:00:00', '2026-03-05T08:00:00.000', '1-02:03:04', '02:03', '2:3', '1-2', 'Unknown'],
  ...['ann', 'a name of many letters', ' blank', 'blank ', '"', '"quoted"', '7.batch', '12_3', '12_3.0', ''],
];
const fieldFragmentArbitrary = fc.oneof(
  fc.constantFrom(...FIELD_FRAGMENTS),
  fc.stringMatching(/^[ -~]{0,9}$/),
);
/** Kinds of fields with a typical fragment each. */
const FIELD_KIND_SAMPLES = [
  ...([
    [lines.FIELD_KIND_SKIPPED, 'skipped and long'],
    [lines.FIELD_KIND_WHOLE_NUMBER, '4'],
    [lines.FIELD_KIND_REQUIRED_NUMBER, '1772697600'],
    [lines.FIELD_KIND_SIGNED_NUMBER, '-11'],
  ] as const),
  ...([
    [lines.FIELD_KIND_JOB_ID, '12'],
    [lines.FIELD_KIND_TASK_ID, '12_3'],
    [lines.FIELD_KIND_SERVER_JOB_ID, '7.server'],
    [lines.FIELD_KIND_DATE, '2026-03-05T08:00:00'],
  ] as const),
  ...([
    [lines.FIELD_KIND_SLASH_DATE, '03/05/2026 10:01:05'],
    [lines.FIELD_KIND_DURATION, '1-02:03:04'],
    [lines.FIELD_KIND_TIME_LIMIT, '60'],
    [lines.FIELD_KIND_TEXT, 'ann'],
  ] as const),
];
const logArbitrary = fc.record({
  kinds: fc.array(fc.constantFrom(...FIELD_KIND_SAMPLES), { minLength: 1, maxLength: 5 }),
  bits: fc.array(fc.nat({ max: 1 }), { minLength: 4, maxLength: 4 }),
  hasKeys: fc.boolean(),
  rows: fc.array(fc.array(fc.option(fieldFragmentArbitrary, { freq: 2 }), { minLength: 5, maxLength: 5 }), {
    minLength: 1,
    maxLength: 6,
  }),
  pairs: fc.array(
    fc.tuple(fc.constantFrom('user', 'end', 'user_name', 'e', 'Exit_status'), fieldFragmentArbitrary),
    {
      maxLength: 4,
    },
  ),
});

test('lines are read the same compiled', () => {
  let totalRowCountOfFastReader = 0;
  fc.assert(
    fc.property(logArbitrary, ({ kinds: fields, bits, hasKeys, rows, pairs }) => {
      const keyValuePairsText = hasKeys ? pairs.map(([key, value]) => `${key}=${value}`).join(' ') : '';
      const logText = rows
        .map((row) => fields.map(([, usualCase], k) => row[k] ?? usualCase))
        .map((row) => `${[...row, ...(hasKeys ? [keyValuePairsText] : [])].join('|')}\n`)
        .join('');
      const [compiledResult, scriptResult] = [true, false].map((usesCompiledLoops) => {
        const layout = {
          bytes: ['bytes', lines.LINE_BYTES_ARRAY_LENGTH],
          ints: ['ints', lines.LINE_INTS_ARRAY_LENGTH],
        } as const;
        const { arrays, loops } = makeLoopWorkspace(
          { ...layout, doubles: ['doubles', lines.LINE_DOUBLES_ARRAY_LENGTH] },
          usesCompiledLoops,
        );
        const { bytes, ints, doubles } = arrays;
        const fieldCodesOfLayout = fields.flatMap(([fieldKind], k) => [
          fieldKind,
          fieldKind === lines.FIELD_KIND_SKIPPED ? 1 : k,
          k,
        ]);
        const keyDescriptions = [
          lines.FIELD_KIND_TEXT,
          6,
          0,
          lines.FIELD_KIND_REQUIRED_NUMBER,
          7,
          0,
          lines.FIELD_KIND_SIGNED_NUMBER,
          8,
          1,
        ];
        const indexAfterFields = lines.FIRST_FIELD_INDEX + fieldCodesOfLayout.length;
        ints.set([
          124,
          fields.length,
          indexAfterFields,
          indexAfterFields + (hasKeys ? keyDescriptions.length : 0),
        ]);
        ints.set([...bits.slice(0, 3), 3600, bits[3]!], lines.IS_TABLE_INDEX);
        ints.set([...fieldCodesOfLayout, ...keyDescriptions], lines.FIRST_FIELD_INDEX);
        loops.forgetKnownTexts(ints);
        for (const [k, knownValues] of [
          'user',
          'end',
          'Exit_status',
          'ann',
          'a name of many letters',
        ].entries()) {
          const encodedBytes = new TextEncoder().encode(knownValues);
          bytes.set(encodedBytes);
          const slot = k < 3 ? lines.KEY_TEXT_SLOT : 0;
          const value = k < 3 ? indexAfterFields + lines.FIELD_ENTRY_LENGTH * k : 7 + k;
          doubles[lines.KNOWN_VALUES_OFFSET + loops.addKnownText(bytes, ints, 0, encodedBytes.length, slot)] =
            value;
        }
        const encodedBytes = new TextEncoder().encode(logText);
        bytes.set(encodedBytes);
        const lineCount = loops.readLogLines(bytes, ints, doubles, 0, encodedBytes.length, 60);
        const flags = [...ints.slice(lines.LINE_FLAGS_OFFSET, lines.LINE_FLAGS_OFFSET + lineCount)];
        // For lines that the fast reader leaves to the slow one, parsed values are not compared.
        const values = flags.map((flagOfLine, row) =>
          flagOfLine === lines.IRREGULAR_LINE_FLAG
            ? []
            : [...doubles.slice(row * lines.FIELD_SLOTS, (row + 1) * lines.FIELD_SLOTS)],
        );
        const positionsOfFields = ints.slice(
          lines.FIELD_POSITIONS_OFFSET,
          lines.FIELD_POSITIONS_OFFSET + 2 * lineCount * lines.FIELD_SLOTS,
        );
        return {
          count: lineCount,
          flags,
          values,
          places: positionsOfFields,
          starts: ints.slice(lines.LINE_STARTS_OFFSET, lines.LINE_STARTS_OFFSET + lineCount + 1),
        };
      });
      expect(compiledResult, logText).toEqual(scriptResult);
      totalRowCountOfFastReader += compiledResult!.flags.filter(
        (flagOfLine) => flagOfLine !== lines.IRREGULAR_LINE_FLAG,
      ).length;
    }),
    { numRuns: 2000 },
  );
  expect(totalRowCountOfFastReader).toBeGreaterThan(500);
});

test('a host that does not compile reads the same log', async () => {
  const logText = Array.from(
    { length: 50 },
    (_, i) => `${i} ${i} -1 1.5 4 -1 -1 4 90 -1 1 7 -1 -1 1 -1 -1 -1`,
  ).join('\n');
  const parsedTrace = parseTrace(logText);
  vi.resetModules();
  vi.stubGlobal('WebAssembly', {
    Module: class {
      constructor() {
        throw new Error('not allowed here');
      }
    },
  });
  try {
    const otherModule = await import('../../host/trace/readText.js');
    const { makeLoopWorkspace } = await import('../../host/loops/workspace.js');
    const { readSwfRecords } = await import('../../host/loops/loops.js');
    expect(makeLoopWorkspace({}).loops.readSwfRecords).toBe(readSwfRecords);
    expect({ ...otherModule.parseTrace(logText).columns }).toEqual({ ...parsedTrace.columns });
  } finally {
    vi.unstubAllGlobals();
    vi.resetModules();
  }
});
