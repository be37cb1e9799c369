import { readTrace } from '../host/files/traceFiles.js';
import { makeWorkload } from '../host/workload/make.js';
import type { Workload } from '../host/workload/workload.js';

/** Reads the jobs of a log, or the first `recordCount`, with estimates raised to the runtimes. */
export async function readPreparedLog(
  logFile: string,
  recordCount = Number.POSITIVE_INFINITY,
): Promise<Workload> {
  const { job, home, submit, runtime, processors, estimate, ...otherFields } = makeWorkload(
    await readTrace(logFile),
    {
      siteCount: 1,
      home: 'none',
    },
  );
  return {
    ...otherFields,
    count: Math.min(recordCount, otherFields.count),
    job: job.slice(0, recordCount),
    home: home.slice(0, recordCount),
    submit: submit.slice(0, recordCount),
    runtime: runtime.slice(0, recordCount),
    processors: processors.slice(0, recordCount),
    estimate: estimate
      .map((estimateInSeconds, i) => Math.max(estimateInSeconds, runtime[i]!))
      .slice(0, recordCount),
  };
}
