import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { type Core, openCore } from '../../host/core/module.js';
import { SeededDraws } from '../reference/cases/draws.js';
import { sumExactly } from '../reference/simulator/exactSum.js';

/**
 * Compares the core's correctly rounded sums with sums of unlimited integers, and with Python's math.fsum if
 * Python is installed.
 */

const core = openCore('checked') as Core & {
  exactSum(values: number, termCount: number, sum: number, otherValue: number): number;
  settledSum(values: number, termCount: number): number;
};
core.memory.grow(1);
const exactSumMemoryAddress = Math.ceil(core.firstAddress() / 16) * 16;

function sumInCore(terms: readonly number[]): { exact: number; settledSum: number } {
  new Float64Array(core.memory.buffer, exactSumMemoryAddress + 1024, terms.length).set(terms);
  const exactValue = core.exactSum(
    exactSumMemoryAddress + 1024,
    terms.length,
    exactSumMemoryAddress,
    exactSumMemoryAddress + 512,
  );
  return { exact: exactValue, settledSum: core.settledSum(exactSumMemoryAddress + 1024, terms.length) };
}

/**
 * Draws terms of one kind: any magnitude and sign, cancelling, whole, with ties in the last bit, or
 * of one magnitude.
 */
function drawSumTerms(seed: number): number[] {
  const random = new SeededDraws(seed);
  const uniform = () => random.below(2 ** 32) + random.below(2 ** 21) * 2 ** -21;
  const drawSign = () => (random.oneIn(2) ? 1 : -1);
  const numberGenerators = [
    () => drawSign() * uniform() * 2 ** random.between(-1100, 900),
    () => drawSign() * uniform() * 2 ** random.between(-60, 60),
    () => random.below(2 ** 31),
    () => 2 ** 52 + random.below(64) / 2 + 2 ** random.between(-3, 53),
    () => 1 + uniform() / 1e6,
    () => uniform() * 2 ** random.between(-1080, -1040),
  ];
  const terms = random.times(random.between(1, 60), random.pick(numberGenerators));
  return random.oneIn(6) ? [...terms, ...terms.map((term) => -term), 0.1] : terms;
}

const sumTermCases = Array.from({ length: 5000 }, (_, seed) => drawSumTerms(seed + 1));

test('the core adds up as unlimited integers do, and knows when the fast sum is exact', () => {
  let inexactSumCount = 0;
  for (const terms of sumTermCases) {
    const { exact, settledSum: settled } = sumInCore(terms);
    const expectedSum = sumExactly(terms);
    expect(exact).toBe(expectedSum === 0 ? 0 : expectedSum);
    if (Number.isNaN(settled)) inexactSumCount++;
    else expect(settled).toBe(expectedSum);
  }
  expect(inexactSumCount).toBeGreaterThan(100);
  expect(inexactSumCount).toBeLessThan(sumTermCases.length / 2);
});

test('infinite terms', () => {
  expect(sumInCore([1, Infinity, 2]).exact).toBe(Infinity);
  expect(sumInCore([1, -Infinity, 2]).exact).toBe(-Infinity);
  expect(sumInCore([Infinity, 1, -Infinity]).exact).toBeNaN();
  expect(sumInCore([1e308, 1e308]).exact).toBe(Infinity);
});

const pythonTrialResult = spawnSync('python3', ['-c', 'import math'], { encoding: 'utf8' });

test.skipIf(pythonTrialResult.status !== 0)("as Python's math.fsum", () => {
  const program = 'import json,math,sys\nprint(json.dumps([math.fsum(x) for x in json.load(sys.stdin)]))';
  const { stdout } = spawnSync('python3', ['-c', program], {
    input: JSON.stringify(sumTermCases),
    encoding: 'utf8',
  });
  const sumsFromPython: number[] = JSON.parse(stdout);
  for (const [i, terms] of sumTermCases.entries()) expect(sumInCore(terms).exact).toBe(sumsFromPython[i]);
});
