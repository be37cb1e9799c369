import { describe, expect, test } from 'vitest';
import { makeGrid, makeWorkload, parseTrace, type SimulationOptions, simulate } from '../../host/index.js';
import { SUBMITTED_ATTRIBUTES } from '../../host/jobs/attributes.js';
import { parseExpression } from '../../host/options/expression.js';
import type { OrderedJob } from '../../host/options/order.js';
import { provideCodeFile } from '../../host/providedCode.js';

const columns = { a: [7], b: [2], c: [0.1] };
const evaluateOrderExpression = (expressionText: string) =>
  parseExpression(expressionText, ['a', 'b', 'c'], 'order').valueAt(columns, 0);

describe('an expression', () => {
  test.each([
    ['a - b - c', 7 - 2 - 0.1],
    ['a / b * c', (7 / 2) * 0.1],
    ['a - b * c / b', 7 - (2 * 0.1) / 2],
    ['-a * b', -14],
    ['--a', 7],
    ['a - -b', 9],
    ['-(a + b)', -9],
    ['(a)', 7],
    [' 1e2+.5 *4.', 102],
    ['2.5E-1', 0.25],
    ['min(a, b, c)', 0.1],
    ['max(c, max(a, b))', 7],
    ['abs(b - a)', 5],
    ['floor(a / b)', 3],
    ['floor(-a / b)', -4],
    ['sqrt(b)', Math.SQRT2],
    ['ln(1)', 0],
    ['log2(8)', 3],
    ['log10(1000)', 2.9999999999999996],
    ['2^3', 8],
    ['2^-1 * 4', 2],
    ['-2^2', -4],
    ['2^2^b', 16],
    ['a > b', 1],
    ['a<b', 0],
    ['a - 5 >= b', 1],
    ['a <= b * 3', 0],
    ['a = 7 and b == 2', 1],
    ['a != 7 or b != 2', 0],
    ['a < b and c or a', 1],
    ['a or b and 0', 1],
    ['not a > b', 0],
    ['not not b', 1],
    ['not (a < b) * 3', 1],
    ['(a > b) * 1e9 + a', 1e9 + 7],
    ['max(a < b, c > b)', 0],
  ])('%s', (text, value) => {
    expect(evaluateOrderExpression(text)).toBe(value);
  });

  test.each<[text: string, rows: readonly number[]]>([
    ['user == ann', [1, 0, 0]],
    ['user=ann', [1, 0, 0]],
    ['user != ann', [0, 1, 1]],
    ["user == 'Bob Lee' or user == 3", [0, 1, 1]],
    ['queue == "wait"', [0, 1, 0]],
    ['queue == wait', [0, 0, 0]],
    ['group == ml-x.2 and not user == ann', [0, 1, 0]],
    ['(group == ml-x.2) * 10 - wait', [9, 8, -3]],
    ['max(user == ann, wait > 2)', [1, 0, 1]],
    ['user == 3 - 2', [1, 0, 0]],
  ])('of names: %s', (text, rows) => {
    const logNames = {
      user: ['ann', 'Bob Lee', ''],
      group: ['ml-x.2', 'ml-x.2', ''],
      queue: ['', 'wait', ''],
    };
    const numbersByColumn = { wait: [1, 2, 3], user: [1, 2, 3], group: [1, 1, 2], queue: [7, 8, 9] };
    const { valueAt } = parseExpression(text, Object.keys(numbersByColumn), 'order', (column, name) => {
      return (row) => logNames[column as 'user'][row] === name;
    });
    expect([0, 1, 2].map((row) => valueAt(numbersByColumn, row))).toEqual(rows);
  });

  test.each([
    ["user == 'ann", "order: 'user == 'ann', at 9: expected a name between two ', found '''"],
    ['user < ann', "order: 'user < ann', at 8: unknown name 'ann'."],
    ['user + 1 == ann', "order: 'user + 1 == ann', at 13: unknown name 'ann'."],
    ['user == ann wait', "order: 'user == ann wait', at 13: expected an operator or the end, found 'wait'"],
  ])('of names refuses %j', (text, sentence) => {
    expect(() => parseExpression(text, ['user', 'wait'], 'order')).toThrow(sentence);
  });

  const VARIABLES_KNOWN_WHILE_WAITING = ['a', 'b', 'c', 'wait'];
  const makeVariablesAtTime = (currentTime: number, submit: readonly number[]) => ({
    ...{ a: [7, 3, 1.5], b: [2, 0.5, 9], c: [0.1, 4, 6] },
    wait: submit.map((time) => currentTime - time),
  });

  test.each([
    ['a', 0],
    ['wait', 1],
    ['-(a - 2 * wait) / 4 + b', 0.5],
    ['wait * 3 - wait', 2],
    ['a - wait / 60 + max(b, c) * 100', -1 / 60],
    ['(2 + 3) * (wait + 1)', 5],
    ['sqrt(a) * 0 * wait', undefined],
    ['wait * a', undefined],
    ['wait * wait', undefined],
    ['b / wait', undefined],
    ['max(wait, 3)', undefined],
    ['(wait > 10) * 5 + a', undefined],
    ['not wait', undefined],
  ])('%s grows with the wait of every job by %o', (text, growth) => {
    const expression = parseExpression(text, VARIABLES_KNOWN_WHILE_WAITING, 'order');
    expect(expression.growth).toBe(growth);
    if (growth === undefined) return;
    const submits = [0, 5, 30];
    for (const [currentTime, laterTime] of [
      [40, 100],
      [31, 1e6],
    ])
      for (const row of [0, 1, 2]) {
        const growthOfValue =
          expression.valueAt(makeVariablesAtTime(laterTime, submits), row) -
          expression.valueAt(makeVariablesAtTime(currentTime, submits), row);
        expect(growthOfValue).toBeCloseTo(growth * (laterTime - currentTime), 6);
      }
  });

  test('of many terms is no deeper than one of few', () => {
    expect(evaluateOrderExpression(Array.from({ length: 50_000 }, () => 'b').join('+'))).toBe(100_000);
  });

  test.each([
    ['', "order: '', at 1: expected a column, a number, a function or '(', found the end"],
    ['a *', "order: 'a *', at 4: expected a column, a number, a function or '(', found the end"],
    ['a b', "order: 'a b', at 3: expected an operator or the end, found 'b'"],
    ['(a + b', "order: '(a + b', at 7: expected ')', found the end"],
    ['c < b < a', "order: 'c < b < a', at 7: expected an operator or the end, found '<'"],
    ['a and', "order: 'a and', at 6: expected a column, a number, a function or '(', found the end"],
    ['a ! b', "order: 'a ! b', at 3: expected an operator or the end, found '!'"],
    ['a ** b', "order: 'a ** b', at 4: expected a column, a number, a function or '(', found '*'"],
    ['max(a)', "order: 'max(a)', at 6: expected ',' and another number for max, found ')'"],
    ['sqrt(a, b)', "order: 'sqrt(a, b)', at 7: expected ')', found ','"],
    ['a^2', "order: 'a^2', at 2: expected 2 before '^', since powers are those of 2, found '^'"],
    ['3^a', "order: '3^a', at 2: expected 2 before '^', since powers are those of 2, found '^'"],
    ['ln a', "order: 'ln a', at 4: expected '(' behind ln, found 'a'"],
    ['a + 1.2.3', "order: 'a + 1.2.3', at 8: expected an operator or the end, found '.3'"],
    [
      'a + aa',
      "order: 'a + aa', at 5: unknown name 'aa'; did you mean 'a'? Columns: a, b, c; functions: min, max, abs, floor, sqrt, ln, log2, log10",
    ],
    ['a + constructor(b)', /at 5: unknown name 'constructor'\. Columns/],
    [`${'('.repeat(101)}a${')'.repeat(101)}`, /at 102: more than 100 brackets within each other$/],
  ])('%s is refused', (text, sentence) => {
    expect(() => evaluateOrderExpression(text)).toThrow(sentence);
  });
});

const LOG_LINES_TO_ORDER = Array.from({ length: 40 }, (_, i) => {
  const [user, group, queue] = [1 + (i % 3), 10 + (i % 2), 1 + (i % 2)];
  return `${100 + i} ${1000 + 5 * i} 0 ${50 + ((37 * i) % 90)} ${1 + ((11 * i) % 6)} -1 -1 ${1 + ((11 * i) % 6)} ${60 + ((53 * i) % 90)} -1 1 ${user} ${group} 1 ${queue} -1 -1 -1`;
}).join('\n');
const grid = makeGrid({ capacities: [8, 6], speeds: [1, 2] });
const workload = makeWorkload(parseTrace(LOG_LINES_TO_ORDER), {
  siteCount: 2,
  capacities: grid.capacities,
  home: 'queue',
});
const simulateStartTimes = (order: SimulationOptions['order'], options: SimulationOptions = {}) => [
  ...simulate(workload, grid, { load: [1.5, 3], discipline: 'easy', ...options, order }).schedule.start,
];

describe('an order', () => {
  test.each([
    ['narrowest', 'processors', ({ processors }: OrderedJob) => processors],
    ['widest', '-processors', ({ processors }: OrderedJob) => -processors],
    ['shortest', 'estimate', ({ estimate }: OrderedJob) => estimate],
    ['largest-area', '-estimate * processors', (job: OrderedJob) => -(job.estimate * job.processors)],
    ['submit', '0 * number', () => -0],
    ['f3', 'estimate * processors + 6860000 * log10(max(1, submit - firstSubmit))', undefined],
  ])('%s is %s, and a function', (word, expression, keyOf) => {
    const startTimes = simulateStartTimes(word);
    expect(simulateStartTimes(expression)).toEqual(startTimes);
    if (keyOf !== undefined) expect(simulateStartTimes(keyOf)).toEqual(startTimes);
    for (const discipline of ['fcfs', 'first-available', 'conservative'] as const) {
      expect(simulateStartTimes(expression, { discipline })).toEqual(
        simulateStartTimes(word, { discipline }),
      );
    }
  });

  test('of a function sees each job once, in job order, with all columns and nothing else', () => {
    const variablesSeenByOrder: OrderedJob[] = [];
    simulateStartTimes((job) => variablesSeenByOrder.push(job));
    expect(variablesSeenByOrder.map(({ number: jobNumber }) => jobNumber)).toEqual([...workload.job]);
    expect(Object.keys(variablesSeenByOrder[1])).toEqual(SUBMITTED_ATTRIBUTES);
    expect(variablesSeenByOrder[1]).toEqual({
      ...{ submit: 1005, firstSubmit: 1000, estimate: (60 + 53) * 3, processors: 6, home: 2 },
      ...{ user: 2, group: 11, queue: 2, number: 101 },
    });
  });

  test('of a file is that of its function', () => {
    const orderByWidth = ({ processors }: OrderedJob) => processors;
    provideCodeFile({ name: './by-width.js', text: '', sha256: '', exports: { default: orderByWidth } });
    expect(simulateStartTimes('./by-width.js')).toEqual(simulateStartTimes('narrowest'));
  });

  test.each([
    [
      'ln(submit - firstSubmit)',
      'job 100, submitted at 1000: the order ln(submit - firstSubmit) gives the key -Infinity',
    ],
    [() => Number.NaN, 'job 100, submitted at 1000: the order a function gives the key NaN'],
    [
      function mine({ number: jobNumber }: OrderedJob) {
        if (jobNumber === 103) throw new Error('no key');
        return jobNumber;
      },
      'job 103, submitted at 1015: the order mine failed: no key',
    ],
    ['./mine.js', 'order: ./mine.js is a file, and files are read for the command line and for studies only'],
    ['shortes', "unknown value of order 'shortes'; did you mean 'shortest'?"],
    ['estimate *', "order: 'estimate *', at 11"],
  ])('%s is refused', (order, sentence) => {
    expect(() => simulateStartTimes(order)).toThrow(sentence);
  });

  test('cannot be combined with a discipline that is short for one', () => {
    expect(() => simulateStartTimes('processors + 1', { discipline: 'njf' })).toThrow(
      "order: 'processors + 1' cannot be combined with discipline: 'njf'",
    );
  });
});
