import { describe, expect, test } from 'vitest';
import { makeExampleJob, runReferenceSimulator } from './examples.js';

/** Two sites of four processors each; partition 1 has the first, partition 2 both. */
const grid = { capacities: [4, 4], speeds: [1, 1], load: [1, 1], partitions: [[0], [0, 1]] };
const assignToPartition = (partition: number, referenceJob: ReturnType<typeof makeExampleJob>) => ({
  ...referenceJob,
  partition,
});

describe('partitions', () => {
  const jobs = [
    assignToPartition(1, makeExampleJob(0, 100, 3)),
    assignToPartition(1, makeExampleJob(1, 10, 2)),
    assignToPartition(2, makeExampleJob(2, 10, 2)),
  ];

  test('a job waits for a site of its partition while another is free', () => {
    expect(runReferenceSimulator(jobs, { ...grid, policy: 'best-fit' })).toMatchObject({
      start: [0, 100, 100],
      site: [0, 0, 0],
    });
  });

  test('without reservations on the other site, a job of another partition is backfilled there', () => {
    const easyGrid = { ...grid, discipline: 'easy' as const, withPolicy: true, policy: 'best-fit' };
    expect(runReferenceSimulator(jobs, easyGrid)).toMatchObject({ start: [0, 100, 2], site: [0, 0, 1] });
    const gridOptionsWithPlans = { ...grid, discipline: 'conservative' as const };
    expect(runReferenceSimulator(jobs, gridOptionsWithPlans)).toMatchObject({
      start: [0, 100, 2],
      site: [0, 0, 1],
    });
  });

  test('the fastest site is that of the partition', () => {
    const gridOptionsFastestFirst = { ...grid, speeds: [1, 2], policy: 'fastest-first' };
    expect(runReferenceSimulator(jobs.slice(0, 1), gridOptionsFastestFirst).site).toEqual([0]);
    expect(
      runReferenceSimulator([assignToPartition(2, makeExampleJob(0, 100, 3))], gridOptionsFastestFirst).site,
    ).toEqual([1]);
  });

  test('of unknown sites, without sites, and with options that they do not go with are refused', () => {
    expect(() => runReferenceSimulator(jobs, { ...grid, partitions: [[], [1]] })).toThrow('without sites');
    expect(() => runReferenceSimulator(jobs, { ...grid, partitions: [[2], [1]] })).toThrow('unknown sites');
    expect(() => runReferenceSimulator(jobs, { ...grid, queue: 'independent' })).toThrow('do not go with');
  });
});
