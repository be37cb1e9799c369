import { expect, test } from 'vitest';
import { makeExampleJob, makeReferenceOptions } from './examples.js';
import { plannedExecution, plannedLength } from './simulator/lengths.js';
import type { ReferenceJob } from './simulator/types.js';

/** A job whose estimate is `seconds` and whose runtime is missing. */
const makeJobWithEstimate = (seconds: number, home = 0, inputBytes = 0): ReferenceJob => {
  return { ...makeExampleJob(0, 0, 1, home, seconds), data: inputBytes };
};

test('speed 1: load, factor, slowest speed, in this order, then the slowest transfer', () => {
  const options = makeReferenceOptions({
    capacities: [1, 1, 1],
    speeds: [2.4, 0.7, 0.9],
    load: [0.7, 1, 1],
    multiSiteFactor: 1.6,
    bandwidth: [[9, 7, 8]],
  });
  // ((1.1 x 0.7) x 1.6) / 0.7; other orders of operation give 1.76 and ...002.
  expect(plannedLength(makeJobWithEstimate(1.1), [0, 1], options)).toBe(1.7600000000000005);
  // A job on one site has no multi-site factor: (1.1 x 0.7) / 0.9.
  expect(plannedLength(makeJobWithEstimate(1.1), [2], options)).toBe((1.1 * 0.7) / 0.9);
  // Transfers of 10 / 7 s to site 1 and 10 / 8 s to site 2 run in parallel; none at home or without
  // data.
  const jobWithData = makeJobWithEstimate(1.1, 0, 10);
  expect(plannedLength(jobWithData, [0, 1], options)).toBe(1.7600000000000005 + 10 / 7);
  expect(plannedLength(jobWithData, [0, 2, 1], options)).toBe(1.7600000000000005 + 10 / 7);
  expect(plannedLength(jobWithData, [2], options)).toBe((1.1 * 0.7) / 0.9 + 10 / 8);
  expect(plannedLength(jobWithData, [0], options)).toBe((1.1 * 0.7) / 2.4);
  expect(plannedLength(makeExampleJob(0, 0, 1, 0, 1.1), [2], options)).toBe((1.1 * 0.7) / 0.9);
});

test('home: load, factor, greatest h, h of home, in this order', () => {
  const options = makeReferenceOptions({
    capacities: [1, 1, 1],
    heterogeneity: [0.9, 1.4, 0.5],
    speeds: [1 / 0.9, 1 / 1.4, 2],
    load: [1.1, 1, 1],
    multiSiteFactor: 1.2,
    runtimeReference: 'home',
  });
  // (((2.9 x 1.1) x 1.2) x 1.4) / 0.9; other orders of operation give ...5 and ...7.
  expect(plannedLength(makeJobWithEstimate(2.9), [2, 0, 1], options)).toBe(5.954666666666666);
  expect(plannedLength(makeJobWithEstimate(2.9), [2], options)).toBe((2.9 * 1.1 * 0.5) / 0.9);
});

test('h is 1 / speed unless given, and only runtimes for the home site go by it', () => {
  const options = makeReferenceOptions({ capacities: [1, 1], speeds: [1, 4], runtimeReference: 'home' });
  // Planned length of a job that takes 10 s on site 1 when it runs on site 0, which is four times
  // slower.
  expect(plannedLength(makeJobWithEstimate(10, 1), [0], options)).toBe(40);
  expect(plannedLength(makeJobWithEstimate(10, 1), [1], options)).toBe(10);
  const optionsWithHeterogeneity = { ...options, heterogeneity: [3, 1] };
  expect(plannedLength(makeJobWithEstimate(10, 1), [0], optionsWithHeterogeneity)).toBe(30);
  expect(
    plannedLength(makeJobWithEstimate(10, 1), [0], {
      ...optionsWithHeterogeneity,
      runtimeReference: 'speed1',
    }),
  ).toBe(10);
});

test.each([
  ['exact', 10.75],
  ['nearest', 11],
  ['floor', 10],
] as const)('run and transfer are resolved together: %s', (resolution, length) => {
  // Transfers of 10.25 s, and of 0.375 + 0.125 s.
  const optionsOfNetwork = { bandwidth: [[1, 8]], latency: [[7, 0.125]] };
  const options = makeReferenceOptions({ capacities: [1, 1], resolution, ...optionsOfNetwork });
  expect(plannedLength(makeJobWithEstimate(10.25, 0, 3), [1], options)).toBe(length);
});

test('row is home, column the site; the runtime gives the execution', () => {
  const bandwidth = [
    [1, 10],
    [50, 1],
  ];
  const latency = [
    [100, 2],
    [3, 100],
  ];
  const options = makeReferenceOptions({ capacities: [1, 1], bandwidth, latency });
  const makeJobFromHome = (home: number) => ({ ...makeExampleJob(0, 1, 1, home, 77), data: 100 });
  expect(plannedExecution(makeJobFromHome(0), [1], options)).toBe(1 + 10 + 2);
  expect(plannedExecution(makeJobFromHome(1), [0], options)).toBe(1 + 2 + 3);
  expect(plannedExecution(makeJobFromHome(1), [1], options)).toBe(1);
  expect(plannedExecution(makeJobFromHome(1), [0], { ...options, latency: undefined })).toBe(1 + 2);
  expect(plannedExecution(makeJobFromHome(1), [0], makeReferenceOptions({ capacities: [1, 1] }))).toBe(1);
});
