/** Each loop gives the same bits compiled, as source, and on hosts that do not compile. */
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import * as plain from '../../host/loops/loops.js';
import { workspaceFor } from '../../host/loops/workspace.js';
import { parseTrace } from '../../host/trace/readText.js';
import { SWF_FIELDS } from '../../host/trace/trace.js';

type Arrays = Record<string, Float64Array | Int32Array | Uint8Array>;
type Names = { [Name in keyof typeof plain]: (typeof plain)[Name] extends CallableFunction ? Name : never };
type Loop = Names[keyof Names];

/** Arguments of a loop: numbers, or names of arrays. */
interface Case {
  readonly arrays: Arrays;
  readonly input: readonly (number | string)[];
}

const doubles = (length: number, least = -5) =>
  fc.array(fc.oneof(fc.integer({ min: -5, max: 5 }), fc.double({ noNaN: true, min: least, max: 1e9 })), {
    minLength: length,
    maxLength: length,
  });
const column = (values: readonly number[]) => Float64Array.from(values);
/** Processors of jobs, few of them no whole number that a job may have. */
const widths = (length: number) =>
  fc.array(
    fc.oneof(
      { arbitrary: fc.integer({ min: -1, max: 9 }), weight: 50 },
      { arbitrary: fc.constantFrom(0.5, 2 ** 31 - 1, 2 ** 31, Infinity, Number.NaN), weight: 1 },
    ),
    { minLength: length, maxLength: length },
  );
const counts = fc.integer({ min: 0, max: 40 });
const digits = fc.stringMatching(/^-?(\d{0,17}|\d{1,8}\.\d{0,9}|\d\.\d\.\d|x)$/);
const line = fc
  .tuple(
    fc.array(digits, { minLength: 17, maxLength: 19 }),
    fc.constantFrom(' ', '\t', '  '),
    fc.constantFrom('\n', ' \r\n'),
  )
  .map(([fields, blank, end]) => fields.join(blank) + end);
const plainLine = fc
  .tuple(fc.array(fc.nat({ max: 99 }), { minLength: 18, maxLength: 18 }), fc.constantFrom('\n', '.50\n'))
  .map(([fields, end]) => fields.join(' ') + end);

const POWERS = Array.from({ length: plain.EXACT_DIGITS + 1 }, (_, k) => Number(`1e${k}`));

const CASES: Readonly<Record<Loop, fc.Arbitrary<Case>>> = {
  readRecords: fc.array(fc.oneof(line, plainLine), { minLength: 1, maxLength: 9 }).map((lines) => {
    const text = new TextEncoder().encode(lines.join(''));
    const whole = Uint8Array.from({ length: plain.FIELDS }, (_, i) => i % 2);
    const rows = new Float64Array(6 * plain.FIELDS);
    return {
      arrays: { text, whole, powers: column(POWERS), rows, stop: new Int32Array(1) },
      input: ['text', 0, text.length, 90, 'whole', 'powers', 'rows', 1, -1, 'stop'],
    };
  }),
  spreadRecords: fc
    .integer({ min: 1, max: 6 })
    .chain((count) => fc.tuple(fc.constant(count), doubles(count * plain.FIELDS)))
    .map(([count, rows]) => ({
      arrays: {
        rows: column(rows),
        columns: new Float64Array(7 * plain.FIELDS),
        same: new Uint8Array(plain.FIELDS),
      },
      input: ['rows', count, 'columns', 7, 'same'],
    })),
  keepPositive: counts
    .chain((count) => fc.tuple(doubles(count), doubles(count)))
    .map(([values, others]) => ({
      arrays: {
        records: Int32Array.from(values, (_, i) => i),
        values: column(values),
        others: column(others),
      },
      input: ['records', values.length, 'values', 'others'],
    })),
  numberFromZero: counts.map((count) => ({
    arrays: { numbers: new Int32Array(count) },
    input: ['numbers', count],
  })),
  firstDescent: counts
    .chain((count) => doubles(count))
    .chain((values) => {
      const rising = [...values].sort((one, other) => one - other);
      return fc.constantFrom(values, rising, [...rising, Number.NaN]).map((each) => ({
        arrays: { values: column(each) },
        input: ['values', each.length],
      }));
    }),
  processorsOf: fc.tuple(doubles(2)).map(([input]) => ({ arrays: {}, input })),
  wholeProcessors: counts
    .chain((count) => fc.tuple(widths(count), widths(count)))
    .map(([allocated, requested]) => ({
      arrays: {
        allocated: column(allocated),
        requested: column(requested),
        processors: new Int32Array(allocated.length),
      },
      input: ['allocated', 'requested', allocated.length, 'processors'],
    })),
  largestOf: counts
    .chain((count) => fc.array(fc.integer({ min: 1, max: 2 ** 31 - 1 }), { maxLength: count }))
    .map((values) => ({
      arrays: { values: Int32Array.from(values) },
      input: ['values', values.length],
    })),
  estimatesOf: counts
    .chain((count) =>
      fc.tuple(
        doubles(count),
        fc.constantFrom(1, 0.3),
        doubles(count),
        fc.array(fc.nat({ max: 3 }), { minLength: count, maxLength: count }),
      ),
    )
    .map(([requested, factor, runtime, record]) => ({
      arrays: {
        requested: column(requested),
        runtime: column(runtime),
        record: Int32Array.from(record.sort()),
        estimate: new Float64Array(record.length),
      },
      input: ['requested', factor, 'runtime', 'record', record.length, 'estimate'],
    })),
  worksOf: counts
    .chain((count) =>
      fc.tuple(
        doubles(count),
        fc.array(fc.tuple(fc.integer({ min: 1, max: 999 }), fc.nat({ max: 2 })), {
          minLength: count,
          maxLength: count,
        }),
        doubles(3),
        doubles(3),
      ),
    )
    .map(([runtime, jobs, loads, speeds]) => ({
      arrays: {
        processors: Int32Array.from(jobs, ([width]) => width),
        runtime: column(runtime),
        home: Int32Array.from(jobs, ([, home]) => home),
        ...{ loads: column(loads), speeds: column(speeds), works: new Float64Array(runtime.length) },
      },
      input: ['processors', 'runtime', 'home', 'loads', 'speeds', runtime.length, 'works'],
    })),
  keepKnown: counts
    .chain((count) => doubles(count))
    .map((values) => ({ arrays: { values: column(values) }, input: ['values', values.length] })),
  quantityOf: fc
    .tuple(fc.integer({ min: 0, max: 2 }), doubles(3))
    .map(([quantity, times]) => ({ arrays: {}, input: [quantity, ...times, 10] })),
  quantities: fc
    .tuple(fc.integer({ min: 0, max: 2 }), counts)
    .chain(([quantity, count]) =>
      fc.tuple(fc.constant(quantity), doubles(count), doubles(count), doubles(count)),
    )
    .map(([quantity, submit, start, execution]) => ({
      arrays: {
        submit: column(submit),
        start: column(start),
        execution: column(execution),
        values: new Float64Array(submit.length),
      },
      input: [quantity, 'submit', 'start', 'execution', submit.length, 10, 'values'],
    })),
  select: fc
    .integer({ min: 1, max: 40 })
    .chain((count) => fc.tuple(doubles(count), fc.nat({ max: count - 1 })))
    .map(([values, place]) => ({
      arrays: { values: column(values) },
      input: ['values', 0, values.length - 1, place],
    })),
  addExactly: fc.tuple(doubles(30), doubles(3, -1e300)).map(([values, more]) => ({
    arrays: { values: column([...values, ...more]), parts: new Float64Array(64) },
    input: ['values', 1, values.length + more.length, 'parts', 0],
  })),
  roundedSum: doubles(12, -1e300).map((values) => {
    const parts = new Float64Array(64);
    const length = plain.addExactly(column(values), 0, values.length, parts, 0);
    return { arrays: { parts }, input: ['parts', length] };
  }),
  groupMeans: counts
    .chain((count) =>
      fc.tuple(
        doubles(count),
        fc.array(fc.integer({ min: -1, max: 3 }), { minLength: count, maxLength: count }),
      ),
    )
    .map(([values, groupOf]) => {
      const ends = new Int32Array(5);
      let end = 0;
      for (const group of [0, 1, 2, 3]) {
        end += groupOf.filter((each) => each === group).length;
        ends[group] = end;
      }
      ends[4] = end;
      return {
        arrays: {
          ...{ values: column(values), groupOf: Int32Array.from(groupOf), ends },
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

/** What a loop returns, and what its arrays hold then. */
function outcome(loop: Loop, { arrays, input }: Case, isCompiled: boolean): unknown[] {
  const copies = Object.fromEntries(Object.entries(arrays).map(([name, array]) => [name, array.slice()]));
  const workspace = workspaceFor(copies as Arrays, isCompiled);
  const words = input.map((each) => (typeof each === 'number' ? each : workspace.arrays[each]));
  const result = (workspace.loops[loop] as (...words: unknown[]) => unknown)(...words);
  return [result, ...Object.values(workspace.arrays).map((array) => [...array])];
}

const LOOPS = Object.entries(plain).flatMap(([name, loop]) =>
  typeof loop === 'function' ? [name as Loop] : [],
);

test.each(LOOPS)('%s gives the same compiled', (loop) => {
  fc.assert(
    fc.property(CASES[loop], (each) => {
      expect(outcome(loop, each, true)).toEqual(outcome(loop, each, false));
    }),
    { numRuns: 300 },
  );
});

test('records are those of the log', () => {
  expect(SWF_FIELDS).toHaveLength(plain.FIELDS);
  expect(SWF_FIELDS[plain.SUBMIT]).toBe('submit');
});

test('the compiled loops are really compiled', () => {
  expect(workspaceFor({}, true).loops).not.toBe(plain);
  expect(workspaceFor({}, false).loops).toBe(plain);
});

test('a host that does not compile reads the same log', async () => {
  const text = Array.from(
    { length: 50 },
    (_, i) => `${i} ${i} -1 1.5 4 -1 -1 4 90 -1 1 7 -1 -1 1 -1 -1 -1`,
  ).join('\n');
  const read = parseTrace(text);
  vi.resetModules();
  vi.stubGlobal('WebAssembly', {
    Module: class {
      constructor() {
        throw new Error('not allowed here');
      }
    },
  });
  try {
    const elsewhere = await import('../../host/trace/readText.js');
    const { workspaceFor: workspaceThere } = await import('../../host/loops/workspace.js');
    const { readRecords } = await import('../../host/loops/loops.js');
    expect(workspaceThere({}).loops.readRecords).toBe(readRecords);
    expect({ ...elsewhere.parseTrace(text).columns }).toEqual({ ...read.columns });
  } finally {
    vi.unstubAllGlobals();
    vi.resetModules();
  }
});
