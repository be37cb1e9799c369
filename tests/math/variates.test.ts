import { describe, expect, it } from 'vitest';
import { makeGammaSampler, makeMersenneTwister, makeNormalSampler } from '../../host/math/random.js';
import { hashOfNumbers } from './hash.js';

const drawMany = (drawVariate: () => number, drawCount = 20_000) =>
  Array.from({ length: drawCount }, drawVariate);
const makeGenerator = () => makeMersenneTwister([7, 0, 110, 97, 109, 101]);

const mean = (drawnValues: readonly number[]) =>
  drawnValues.reduce((sum, drawnValue) => sum + drawnValue, 0) / drawnValues.length;

it('the first words are those that the authors of the Mersenne Twister published', () => {
  const { drawBits } = makeMersenneTwister([0x123, 0x234, 0x345, 0x456]);
  expect(drawMany(() => drawBits() >>> 0, 5)).toEqual([
    1067595299, 955945823, 477289528, 4107218783, 4228976476,
  ]);
});

it('a seed longer than the state counts in full', () => {
  const seed = Array.from({ length: 700 }, (_, i) => i);
  const [firstGenerator, secondGenerator] = [seed, seed.with(699, 0)].map((words) =>
    makeMersenneTwister(words).drawBits(),
  );
  expect(firstGenerator).not.toBe(secondGenerator);
});

describe('the bits of', () => {
  // Hashes of draws from @stdlib/random-base-{mt19937,normal,gamma} 0.2, on which published results
  // depend.
  it('words', () => {
    const { drawBits } = makeGenerator();
    expect(hashOfNumbers(drawMany(() => drawBits() >>> 0))).toBe('4d80eec0e672eed6');
  });

  it('uniform draws', () => {
    expect(hashOfNumbers(drawMany(makeGenerator().drawUniform))).toBe('3ffae31946c70f70');
  });

  it('normal draws', () => {
    expect(hashOfNumbers(drawMany(makeNormalSampler(makeGenerator())))).toBe('37852d7fdc07598e');
  });

  it.each([
    [0.3, '80d34517af50b1b3'],
    [1, 'b635a3ca44dbd4be'],
    [4.2, '0a770e68136a20ca'],
    [312, '2945d5f3cd97bac4'],
  ])('gamma draws of shape %d', (shape, expected) => {
    const drawGammaVariate = makeGammaSampler(makeGenerator());
    expect(hashOfNumbers(drawMany(() => drawGammaVariate(shape)))).toBe(expected);
  });
});

it.each([0.3, 1, 4.2, 312])('gamma draws of shape %d have its mean and variance', (shape) => {
  const drawGammaVariate = makeGammaSampler(makeGenerator());
  const drawnValues = drawMany(() => drawGammaVariate(shape), 100_000);
  const meanOfDrawnValues = mean(drawnValues);
  expect(Math.abs(meanOfDrawnValues - shape)).toBeLessThan(5 * Math.sqrt(shape / drawnValues.length));
  expect(mean(drawnValues.map((drawnValue) => (drawnValue - meanOfDrawnValues) ** 2)) / shape).toBeCloseTo(
    1,
    1,
  );
});

it('normal draws fill the tail as the normal distribution does', () => {
  const drawnValues = drawMany(makeNormalSampler(makeGenerator()), 1_000_000);
  expect(Math.abs(mean(drawnValues))).toBeLessThan(0.005);
  expect(mean(drawnValues.map((drawnValue) => drawnValue ** 2))).toBeCloseTo(1, 2);
  const countDrawnValuesBeyond = (threshold: number) =>
    drawnValues.filter((drawnValue) => Math.abs(drawnValue) > threshold).length;
  expect(Math.abs(countDrawnValuesBeyond(2) - 45_500)).toBeLessThan(5 * Math.sqrt(45_500));
  expect(Math.abs(countDrawnValuesBeyond(3.5) - 465)).toBeLessThan(5 * Math.sqrt(465));
});
