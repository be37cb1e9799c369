import { stripVTControlCharacters } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  formatDistinctDurations,
  formatDuration,
  formatDurationSpan,
  formatFullDuration,
  formatMeasurement,
  formatNumber,
  formatPercent,
} from '../../host/format/numbers.js';
import { computeUniformNumberOfSeed } from '../../host/math/random.js';
import { formatTerminalTable, makeTerminalColors } from '../../host/view/terminal.js';

const plainColors = makeTerminalColors(false);

test.each([
  [0, '0 s'],
  [12.34, '12.3 s'],
  [59, '59 s'],
  [60, '1 min'],
  [61.4, '1 min 1 s'],
  [3599.9, '60 min'],
  [12_345, '3 h 26 min'],
  [86_400, '1 d'],
  [200_000, '2 d 8 h'],
  [63_199_542, '731 d 11 h'],
  [-3600, '-1 h'],
])('%d seconds are %s', (seconds, text) => {
  expect(formatDuration(seconds)).toBe(text);
});

test.each([
  [[7934, 22_443, 8000], '2 h 12 min to 6 h 14 min'],
  [[29.48, 600], '29.5 s to 10 min'],
  [[86_400, 86_400], '1 d'],
  [[29.48, 599], undefined],
  [[-1, 900], undefined],
  [[], undefined],
])('%j s are from %s', (seconds, text) => {
  expect(formatDurationSpan(seconds)).toBe(text);
});

test('the range of any number of times', () => {
  const seconds = Array.from({ length: 200_000 }, (_, i) => 7200 + i);
  expect(formatDurationSpan(seconds)).toBe('2 h to 2 d 10 h');
});

test('numbers are written as the language of the tables does', () => {
  const numberArbitrary = fc.oneof(
    fc.double({ noDefaultInfinity: true }),
    fc.double({ min: -1e9, max: 1e9 }),
    // Numbers halfway between two displayed values.
    fc.integer().map((n) => (n + 0.5) / 1000),
    fc.integer().map((n) => n / 10_000),
  );
  fc.assert(
    fc.property(numberArbitrary, fc.integer({ min: 0, max: 6 }), (value, decimals) => {
      const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
      expect(formatNumber(value, decimals)).toBe(value.toLocaleString('en-US', digits));
    }),
  );
});

test('numbers carry commas and as many decimals as help', () => {
  expect(formatNumber(1_234_567.891, 2)).toBe('1,234,567.89');
  expect([0, 8, 0.12345, 98.534, 1126.08].map(formatMeasurement)).toEqual([
    '0',
    '8',
    '0.123',
    '98.53',
    '1,126',
  ]);
  expect(formatPercent(0.8321)).toBe('83.2 %');
});

describe('formatTable', () => {
  const columns = [
    { heading: 'name', align: 'left' as const },
    { heading: 'n' },
    { heading: 'text', align: 'left' as const },
  ];

  test('aligns numbers to the right and words to the left', () => {
    expect(
      formatTerminalTable(
        columns,
        [
          ['a', '10', 'x'],
          ['long', '5', ''],
        ],
        plainColors,
      ),
    ).toBe(['name   n  text', 'a     10  x', 'long   5'].join('\n'));
  });

  test('counts what a terminal shows: no colours, wide characters twice', () => {
    const table = formatTerminalTable(
      columns,
      [['日本', '\u001b[1m7\u001b[22m', 'e\u0301 x']],
      makeTerminalColors(true),
    );
    expect(stripVTControlCharacters(table).split('\n')).toEqual(['name  n  text', '日本  7  e\u0301 x']);
  });

  test('wraps the last column into a width', () => {
    const longSentence = 'these words need more than one line of a table';
    const lines = formatTerminalTable(columns, [['a', '1', longSentence]], plainColors, 40).split('\n');
    expect(lines.length).toBe(3);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(40);
    expect(
      lines
        .slice(1)
        .map((line) => line.slice(9).trim())
        .join(' '),
    ).toBe(longSentence);
  });
});

test('durations in a column differ wherever the durations do', () => {
  const days = [0, 86_400 + 540, 86_400 + 541, 86_400 + 28 * 60, 3 * 86_400 + 1, 59.5, 60];
  expect(formatDistinctDurations([86_940, 88_080, 0])).toEqual(['1 d 9 min', '1 d 28 min', '0 s']);
  expect(formatFullDuration(332_017)).toBe('3 d 20 h 14 min');
  expect(formatFullDuration(3599.7)).toBe('1 h');
  for (const count of [2, 4, 7])
    expect(new Set(formatDistinctDurations(days.slice(0, count))).size).toBe(count);
  for (let seed = 1; seed <= 300; seed++) {
    const randomTimes = Array.from(
      { length: 12 },
      (_, i) => Math.floor(400_000 * computeUniformNumberOfSeed(seed, i + 1) ** 3) / (1 + (seed % 2)),
    );
    expect(new Set(formatDistinctDurations(randomTimes)).size, randomTimes.join()).toBe(
      new Set(randomTimes).size,
    );
  }
});
