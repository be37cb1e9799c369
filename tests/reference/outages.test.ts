import { describe, expect, test } from 'vitest';
import { makeExampleJob, runReferenceSimulator } from './examples.js';
import type { ReferenceOptions } from './simulator/reference.js';

const fourProcessorOptions: Partial<ReferenceOptions> & { capacities: number[] } = { capacities: [4] };
const plannedOutage = { site: 0, from: 100, to: 200, processors: 4, isPlanned: true };
const suddenOutage = { ...plannedOutage, isPlanned: false };

describe('outages', () => {
  test('take free processors first, and give them back', () => {
    const outages = [{ ...suddenOutage, processors: 2, from: 5 }];
    const {
      start,
      processors,
      metrics: referenceMetrics,
    } = runReferenceSimulator(
      [makeExampleJob(0, 10, 2), makeExampleJob(6, 10, 1), makeExampleJob(7, 10, 3)],
      {
        ...fourProcessorOptions,
        outages,
      },
    );
    // Jobs 1 and 2 find no processors until job 0 ends at 10; job 2 has room at 200.
    expect(start).toEqual([0, 10, 200]);
    expect(processors[2]).toEqual([0, 1, 2]);
    // Two processors are gone from 5 to 200, of 210 s.
    expect(referenceMetrics.utilization).toBe((20 + 10 + 30) / (4 * 210 - 2 * 195));
  });

  test('drain: what lacks goes when jobs end', () => {
    const jobs = [makeExampleJob(0, 150, 3), makeExampleJob(120, 10, 1)];
    const { start, metrics: referenceMetrics } = runReferenceSimulator(jobs, {
      ...fourProcessorOptions,
      outages: [{ ...suddenOutage, to: 300 }],
    });
    expect(start).toEqual([0, 300]);
    // One processor is gone from 100, three more from 150.
    expect(referenceMetrics.utilization).toBe((450 + 10) / (4 * 310 - (50 + 4 * 150)));
  });

  test('requeue: the latest started first; kill: they end as failed', () => {
    const jobs = [makeExampleJob(0, 150, 2), makeExampleJob(10, 150, 1), makeExampleJob(20, 150, 1)];
    const outages = [{ ...suddenOutage, processors: 2 }];
    const resultWithRequeue = runReferenceSimulator(jobs, {
      ...fourProcessorOptions,
      outages,
      onOutage: 'requeue',
    });
    expect(resultWithRequeue.stoppedRuns.map((runStoppedByOutage) => runStoppedByOutage.job)).toEqual([2, 1]);
    expect(resultWithRequeue.start).toEqual([0, 150, 150]);
    expect(resultWithRequeue.metrics.lostProcessorSeconds).toBe(90 + 80);
    const resultWithKilledJobs = runReferenceSimulator(jobs, {
      ...fourProcessorOptions,
      outages,
      onOutage: 'kill',
    });
    expect(resultWithKilledJobs.execution).toEqual([150, 90, 80]);
    expect(resultWithKilledJobs.metrics.makespan).toBe(150);
  });

  test.each(['easy', 'conservative'] as const)(
    '%s does not start what a planned outage would cut',
    (discipline) => {
      const jobs = [makeExampleJob(0, 60, 4), makeExampleJob(1, 50, 1), makeExampleJob(2, 30, 1)];
      const { start } = runReferenceSimulator(jobs, {
        ...fourProcessorOptions,
        discipline,
        outages: [plannedOutage],
        onOutage: 'kill',
      });
      // Job 1 would end at 110, job 2 at 90.
      expect(start).toEqual([0, 200, 60]);
      const resultWithUnplannedOutage = runReferenceSimulator(jobs, {
        ...fourProcessorOptions,
        discipline,
        outages: [suddenOutage],
        onOutage: 'kill',
      });
      expect(resultWithUnplannedOutage.execution).toEqual([60, 40, 30]);
    },
  );

  test('kept reservations make way for a planned outage from the beginning, for another when it begins', () => {
    const jobs = [makeExampleJob(0, 60, 4), makeExampleJob(1, 50, 4), makeExampleJob(2, 30, 4)];
    const keptReservationOptions: Partial<ReferenceOptions> = {
      discipline: 'conservative',
      reservations: 'kept',
    };
    expect(
      runReferenceSimulator(jobs, {
        ...fourProcessorOptions,
        ...keptReservationOptions,
        outages: [plannedOutage],
      }).start,
    ).toEqual([0, 200, 60]);
    expect(
      runReferenceSimulator(jobs, {
        ...fourProcessorOptions,
        ...keptReservationOptions,
        outages: [{ ...suddenOutage, from: 50 }],
      }).start,
    ).toEqual([0, 200, 250]);
  });

  test('of more processors than there are, or that end before they begin, are refused', () => {
    const jobs = [makeExampleJob(0, 60, 4)];
    expect(() =>
      runReferenceSimulator(jobs, { ...fourProcessorOptions, outages: [plannedOutage, suddenOutage] }),
    ).toThrow('more processors than');
    expect(() =>
      runReferenceSimulator(jobs, { ...fourProcessorOptions, outages: [{ ...plannedOutage, to: 100 }] }),
    ).toThrow('before it begins');
  });
});
