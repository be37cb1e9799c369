import { describe, expect, test } from 'vitest';
import { splitLogIntoSpans as spansOrNone, type Workload } from '../../host/workload/workload.js';

const SECONDS_PER_DAY = 86_400;

/** Jobs submitted on these days, on one site. */
function makeWorkloadOfJobsOnDays(days: readonly number[]): Workload {
  const jobCount = days.length;
  return {
    name: 'days',
    count: jobCount,
    job: Float64Array.from(days, (_, i) => i + 1),
    submit: Float64Array.from(days, (day) => 1000 + day * SECONDS_PER_DAY),
    runtime: Float64Array.from(days, (_, i) => 10 + i),
    estimate: Float64Array.from(days, (_, i) => 20 + i),
    processors: new Int32Array(jobCount).fill(1),
    home: new Int32Array(jobCount),
    killed: Uint8Array.from(days, (_, i) => i % 2),
    accounting: {
      read: jobCount,
      kept: jobCount,
      dropped: [],
      oversizeJobs: [],
      withoutEstimate: 0,
      split: { jobs: 0, pieces: 0 },
    },
  };
}

const spanWorkloadsOrEmpty = (workload: Workload) => spansOrNone(workload)?.workloads ?? [];

const jobNumbersOfSpans = (spans: readonly Workload[]) => spans.map(({ job }) => [...job]);

describe('spans of a log', () => {
  test('are of equal length, half-open, the last closed, and begin at 0', () => {
    const spans = spanWorkloadsOrEmpty(makeWorkloadOfJobsOnDays([0, 29.9, 30, 31, 60, 90, 119, 120]));
    expect(jobNumbersOfSpans(spans)).toEqual([[1, 2], [3, 4], [5], [6, 7, 8]]);
    for (const { submit, count: jobCount, runtime } of spans) {
      expect(submit[0]).toBe(0);
      expect(submit).toHaveLength(jobCount);
      expect(runtime).toHaveLength(jobCount);
    }
    expect(spans[1].submit[1]).toBe(SECONDS_PER_DAY);
    expect([...(spans[3].killed ?? [])]).toEqual([1, 0, 1]);
  });

  test('without jobs are left out, and twelve are the most', () => {
    expect(jobNumbersOfSpans(spanWorkloadsOrEmpty(makeWorkloadOfJobsOnDays([0, 40, 100, 159, 160])))).toEqual(
      [[1], [2], [3], [4, 5]],
    );
    expect(
      jobNumbersOfSpans(spanWorkloadsOrEmpty(makeWorkloadOfJobsOnDays([0, 40, 70, 100, 159, 160]))),
    ).toEqual([[1], [2], [3], [4], [5, 6]]);
    expect(
      spanWorkloadsOrEmpty(makeWorkloadOfJobsOnDays(Array.from({ length: 1000 }, (_, day) => day))).length,
    ).toBe(12);
    for (const days of [
      [0, 40, 100, 159, 160],
      [0, 40, 70, 100, 159, 160],
    ]) {
      expect(spansOrNone(makeWorkloadOfJobsOnDays(days))?.seconds).toBe(32 * SECONDS_PER_DAY);
    }
  });

  test('are not made where there would be fewer than four, or jobs depend on others', () => {
    expect(spanWorkloadsOrEmpty(makeWorkloadOfJobsOnDays([0, 50, 119]))).toEqual([]);
    expect(spanWorkloadsOrEmpty(makeWorkloadOfJobsOnDays([0, 1, 2, 200]))).toEqual([]);
    const dependencies = {
      preceding: Int32Array.of(-1, 0, -1, -1, -1),
      thinkTime: new Float64Array(5),
      firstPiece: Int32Array.of(0, 1, 2, 3, 4),
    };
    expect(
      spanWorkloadsOrEmpty({ ...makeWorkloadOfJobsOnDays([0, 40, 80, 120, 160]), dependencies }),
    ).toEqual([]);
  });
});
