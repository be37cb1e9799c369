import fc from 'fast-check';
import { expect, test } from 'vitest';
import { makeGrid } from '../../host/grid/grid.js';
import { jobsCsv } from '../../host/results/jobsFile.js';
import { jobColumns } from '../../host/results/simulatedJobs.js';
import { simulate } from '../../host/simulate/simulate.js';
import { scheduleToTrace, workloadToTrace } from '../../host/workload/export.js';
import { makeWorkload } from '../../host/workload/make.js';
import { parsePerturbation } from '../../host/workload/perturb.js';
import { simulateReference } from '../reference/simulator/reference.js';
import { buildTrace } from './buildTrace.js';

const recordsArbitrary = fc.array(
  fc.record({
    submit: fc.nat(200),
    length: fc.integer({ min: 1, max: 90 }),
    more: fc.integer({ min: 0, max: 60 }),
    processors: fc.integer({ min: 1, max: 6 }),
    patience: fc.option(fc.nat(120)),
  }),
  { minLength: 1, maxLength: 40 },
);

type RandomJob = {
  submit: number;
  length: number;
  more: number;
  processors: number;
  patience: number | null;
};

/** A log of the drawn jobs; those with a patience were cancelled while they waited. */
function buildTraceOfRandomJobs(randomJobs: readonly RandomJob[]) {
  const sortedJobs = [...randomJobs].sort((a, b) => a.submit - b.submit);
  return buildTrace(
    sortedJobs.map(({ submit, length, more, processors, patience }) => ({
      ...{ submit, requestedTime: length + more, requestedProcessors: processors },
      ...(patience === null
        ? { runtime: length, processors, status: 1, wait: -1 }
        : { runtime: 0, processors: -1, status: 5, wait: patience }),
    })),
  );
}

const options = { siteCount: 1, capacities: [6] };
const grid = makeGrid({ capacities: [6] });

test('cancelled jobs wait, run and are measured as in the reference simulator', () => {
  const disciplines = fc.constantFrom('fcfs' as const, 'easy' as const, 'conservative' as const);
  fc.assert(
    fc.property(recordsArbitrary, disciplines, (randomJobs, discipline) => {
      const isCancelled = ({ patience }: RandomJob) => patience !== null;
      fc.pre(randomJobs.some(isCancelled) && !randomJobs.every(isCancelled));
      const trace = buildTraceOfRandomJobs(randomJobs);
      const workload = makeWorkload(trace, { ...options, cancelled: 'keep' });
      expect(workload.accounting.cancelled).toBe(randomJobs.filter(isCancelled).length);
      const { columns: swfColumns } = trace;
      const jobs = Array.from(swfColumns.submit, (submit, i) => {
        const estimate = swfColumns.requestedTime[i];
        const processors = swfColumns.requestedProcessors[i];
        return swfColumns.status[i] === 5
          ? { submit, runtime: estimate, estimate, processors, home: 0, patience: swfColumns.wait[i] }
          : { submit, runtime: swfColumns.runtime[i], estimate, processors, home: 0 };
      });
      const expectedResults = simulateReference(jobs, {
        ...{ capacities: [6], speeds: [1], load: [1], policy: 'best-fit', parameters: {}, discipline },
        ...{ resolution: 'exact', instant: 'per-event', minSpeedRatio: 0 },
        ...(discipline === 'conservative' && { reservations: 'kept' as const }),
      });
      const { schedule, summary: simulationSummary } = simulate(workload, grid, { discipline });
      expect([...schedule.start]).toEqual(expectedResults.start);
      expect([...schedule.held]).toEqual(expectedResults.held);
      expect(simulationSummary.meanWait).toBe(expectedResults.metrics.meanWait);
      expect(simulationSummary.utilization).toBe(expectedResults.metrics.utilization);
      const jobsCancelledWhileWaiting = jobs.filter(
        (job, i) => 'patience' in job && expectedResults.held[i] === 0 && job.submit >= 0,
      );
      const atOnce = jobs.filter(
        (job, i) =>
          'patience' in job &&
          expectedResults.held[i] > 0 &&
          expectedResults.start[i] === job.submit + (job.patience ?? 0),
      );
      // A job that started in the instant of its cancellation did not run.
      expect(simulationSummary.cancelledWaitingJobs).toBe(jobsCancelledWhileWaiting.length + atOnce.length);
      expect(simulationSummary.cancelledWaitingJobs + simulationSummary.cancelledRunningJobs).toBe(
        randomJobs.filter(isCancelled).length,
      );
    }),
    { numRuns: 200 },
  );
});

/** 4 processors until 50; a job cancelled after 20 s of waiting; one that starts behind it. */
const shortTraceWithCancelledJobs = buildTrace([
  { submit: 0, runtime: 50, processors: 4, requestedTime: 60, status: 1 },
  { submit: 10, runtime: 0, processors: -1, requestedProcessors: 4, requestedTime: 100, status: 5, wait: 20 },
  { submit: 12, runtime: 0, processors: -1, requestedProcessors: 3, requestedTime: 100, status: 5, wait: 70 },
  { submit: 14, runtime: 0, processors: -1, requestedProcessors: 3, requestedTime: -1, status: 5, wait: 70 },
  { submit: 15, runtime: 0, processors: -1, requestedProcessors: 3, requestedTime: 100, status: 0, wait: 70 },
  { submit: 20, runtime: 5, processors: 1, requestedTime: 5, status: 1 },
]);
const fourProcessorOptions = { siteCount: 1, capacities: [4] };

test('cancelled records are dropped by default; kept are those with a requested time, and only cancelled ones', () => {
  expect(makeWorkload(shortTraceWithCancelledJobs, fourProcessorOptions).count).toBe(2);
  const { accounting, patience, log } = makeWorkload(shortTraceWithCancelledJobs, {
    ...fourProcessorOptions,
    cancelled: 'keep',
  });
  expect(accounting.dropped).toEqual([
    { rule: 'runtime', count: 2 },
    { rule: 'processors', count: 0 },
  ]);
  expect([...(patience ?? [])]).toEqual([-1, 20, 70, -1]);
  expect([...(log?.runtime ?? [])]).toEqual([50, 0, 0, 5]);
});

test('the results tell how a cancelled job ended, and can be simulated again', () => {
  const workload = makeWorkload(shortTraceWithCancelledJobs, { ...fourProcessorOptions, cancelled: 'keep' });
  const simulation = simulate(workload, makeGrid({ capacities: [4] }), { processorSets: true });
  const [headerLine = '', ...lines] = [...jobsCsv(simulation)].join('').trimEnd().split('\n');
  const columnIndexOf = (columnName: string) => headerLine.split(',').indexOf(columnName);
  const readCellsOfColumn = (columnName: string) =>
    lines.map((line) => line.split(',')[columnIndexOf(columnName)]);
  expect(readCellsOfColumn('final_state')).toEqual([
    'COMPLETED_SUCCESSFULLY',
    'CANCELLED_WAITING',
    'CANCELLED_RUNNING',
    'COMPLETED_SUCCESSFULLY',
  ]);
  expect(readCellsOfColumn('success')).toEqual(['1', '0', '0', '1']);
  expect(readCellsOfColumn('starting_time')).toEqual(['0', '30', '50', '50']);
  expect(readCellsOfColumn('execution_time')).toEqual(['50', '0', '32', '5']);
  expect(readCellsOfColumn('allocated_resources')).toEqual(['0-3', '', '0-2', '3']);
  expect(readCellsOfColumn('execution_sites')).toEqual(['1', '-1', '1', '1']);
  expect([...jobColumns(simulation).held]).toEqual([4, 0, 3, 1]);

  const workloadReadBack = makeWorkload(workloadToTrace(workload, shortTraceWithCancelledJobs), {
    ...fourProcessorOptions,
    cancelled: 'keep',
  });
  expect([...(workloadReadBack.patience ?? [])]).toEqual([-1, 20, 70, -1]);
  expect([...workloadReadBack.runtime]).toEqual([...workload.runtime]);
  const { start, execution, held: heldProcessors } = simulation.schedule;
  const schedule = scheduleToTrace(
    workload,
    shortTraceWithCancelledJobs,
    { start, execution, processors: heldProcessors },
    4,
  );
  expect([...schedule.columns.runtime]).toEqual([50, 0, 32, 5]);
  expect([...schedule.columns.processors]).toEqual([4, -1, 3, 1]);
  expect([...schedule.columns.wait]).toEqual([0, 20, 38, 30]);
  expect([...schedule.columns.status]).toEqual([1, 5, 5, 1]);
});

test('shaking and scaling move submissions, and not the time until the cancellation', () => {
  const perturb = parsePerturbation('shake[submit=9,runtime=0.5,seed=3]');
  const shakenWorkload = makeWorkload(shortTraceWithCancelledJobs, {
    ...fourProcessorOptions,
    cancelled: 'keep',
    perturb,
    arrivalScale: 2,
  });
  expect([...(shakenWorkload.patience ?? [])].filter((seconds) => seconds >= 0).sort()).toEqual([20, 70]);
  expect([...shakenWorkload.submit]).not.toEqual([0, 20, 24, 40]);
  expect([...(shakenWorkload.log?.runtime ?? [])].filter((time) => time === 0)).toHaveLength(2);
});

test('jobs that are all cancelled, or options without a rule for them, are refused', () => {
  const traceOfAllCancellationKinds = buildTrace([
    { submit: 0, runtime: 0, processors: -1, requestedProcessors: 1, requestedTime: 9, status: 5, wait: 5 },
  ]);
  expect(() =>
    makeWorkload(traceOfAllCancellationKinds, { ...fourProcessorOptions, cancelled: 'keep' }),
  ).toThrow('every job is cancelled');
  const workload = makeWorkload(shortTraceWithCancelledJobs, { ...fourProcessorOptions, cancelled: 'keep' });
  expect(() => simulate(workload, makeGrid({ capacities: [4] }), { moldable: 'down' })).toThrow(
    'Cancellations',
  );
});
