/** Jobs of a workload, submitted one by one to a live simulation, for tests. */
import { expect } from 'vitest';
import type { Grid } from '../../host/grid/grid.js';
import type { LiveOptions } from '../../host/live/liveOptions.js';
import type { LiveResult } from '../../host/live/liveResult.js';
import { LiveSimulation } from '../../host/live/liveSimulation.js';
import type { SubmittedJob } from '../../host/live/submittedJob.js';
import type { Schedule } from '../../host/simulate/schedule.js';
import type { Summary } from '../../host/simulate/summary.js';
import type { Workload } from '../../host/workload/workload.js';
import type { SeededDraws } from '../reference/cases/draws.js';

/** Name of each job: the position, from 1, since pieces of a job share its number. */
export function makeSubmittedJobs(workload: Workload, hasDataSizes: boolean): SubmittedJob[] {
  const {
    submit,
    runtime,
    processors,
    estimate,
    home,
    data: inputBytes,
    patience,
    log: logColumns,
    names: namesByKind,
  } = workload;
  return Array.from(submit, (time, i) => {
    const nameOf = (namedField: 'user' | 'group' | 'queue' | 'partition') => {
      const logNumber = logColumns?.[namedField]?.[i] ?? -1;
      return logNumber < 0
        ? {}
        : {
            [namedField]: namesByKind?.[namedField].size
              ? (namesByKind[namedField].get(logNumber) ?? `${logNumber}`)
              : logNumber,
          };
    };
    return {
      submit: time,
      runtime: runtime[i]!,
      processors: processors[i]!,
      requestedTime: estimate[i]!,
      home: home[i]! + 1,
      ...(hasDataSizes && inputBytes && { data: inputBytes[i]! }),
      ...((patience?.[i] ?? -1) >= 0 && { patience: patience![i]! }),
      ...{ ...nameOf('user'), ...nameOf('group'), ...nameOf('queue'), ...nameOf('partition') },
    };
  });
}

/** Submits jobs and advances at random times; every job is submitted before its time. */
export function simulateJobsLive(
  grid: Grid,
  options: LiveOptions,
  jobs: readonly SubmittedJob[],
  random: SeededDraws,
): { live: LiveSimulation; results: Map<string, LiveResult> } {
  const resultsByName = new Map<string, LiveResult>();
  const jobCapacity = options.capacity ?? jobs.length;
  const liveSimulation = new LiveSimulation(grid, { ...options, capacity: jobCapacity });
  const storeResultsOfEndedJobs = (endedResults: readonly LiveResult[]) => {
    for (const result of endedResults) {
      expect(resultsByName.has(String(result.job))).toBe(false);
      resultsByName.set(String(result.job), result);
    }
  };
  jobs.forEach((job, i) => {
    expect(liveSimulation.submit(job)).toBe(i + 1);
    const nextSubmitTime = jobs[i + 1]?.submit ?? Number.POSITIVE_INFINITY;
    if (!(nextSubmitTime > job.submit) || random.oneIn(3)) return;
    const until =
      nextSubmitTime === Number.POSITIVE_INFINITY
        ? job.submit
        : job.submit + (nextSubmitTime - job.submit) / 2;
    storeResultsOfEndedJobs(liveSimulation.advance(random.oneIn(2) ? job.submit : until).ended);
  });
  storeResultsOfEndedJobs(liveSimulation.finish().ended);
  return { live: liveSimulation, results: resultsByName };
}

/** Checks starts, sites and metrics against those of the whole log. */
export function expectSameResultsAsLog(
  finishedLiveSimulation: {
    readonly live: LiveSimulation;
    readonly results: ReadonlyMap<string, LiveResult>;
  },
  schedule: Schedule,
  summary: Summary,
  message: string,
): void {
  schedule.start.forEach((start, i) => {
    const result = finishedLiveSimulation.results.get(String(i + 1))!;
    const site = schedule.site[i]!;
    expect([result.start, result.site, result.processors], `${message}, job ${i + 1}`).toEqual(
      site < 0 ? [undefined, undefined, 0] : [start, site + 1, schedule.held[i]],
    );
    expect(result.end, message).toBe(start + schedule.execution[i]!);
  });
  const { workload: _, dropped: __, split: ___, distribution: ____, ...metrics } = summary;
  const { workload: _w, dropped: _d, split: _s, ...foundMetrics } = finishedLiveSimulation.live.summary();
  expect(foundMetrics, message).toEqual(metrics);
}
