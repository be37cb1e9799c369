/** Files to save: jobs as CSV, the setup as a study file. */
import { stringify } from 'yaml';
import { jobsCsv } from '../../../host/results/jobsFile.js';
import type { RawStudy } from '../../../host/study/schema.js';
import type { ExportedFile } from '../protocol.js';
import { makeShortMethodName } from '../words.js';
import type { StoredRun } from './run.js';

/** Returns jobs.csv of a run, restricted to jobs submitted from `from` up to `to`. */
export function makeJobsCsvFile({ simulation }: StoredRun, from: number, to: number): ExportedFile {
  const { submit } = simulation.schedule;
  const [header, ...lines] = [...jobsCsv(simulation)].join('').trimEnd().split('\n');
  const keptLines = lines.filter((_, job) => submit[job] >= from && submit[job] < to);
  return { name: 'jobs.csv', type: 'text/csv', text: `${[header, ...keptLines].join('\n')}\n` };
}

/** Returns the setup as a study file, one step per method. */
export function makeStudyFile({ experiment }: StoredRun, replications: number): ExportedFile {
  const { options, methods } = experiment.setup;
  const metricNames = ['averageResponseTime', 'meanWait', 'meanBoundedSlowdown', 'utilization'];
  const partByMethodName = new Map(
    methods.map((method) => [makeShortMethodName(method), { simulate: method }]),
  );
  const study: RawStudy = {
    title: `${[...partByMethodName.keys()].join(' and ')} on ${experiment.trace.source}`,
    simulate: options,
    parts: Object.fromEntries(partByMethodName),
    ...(replications > 1 ? { replications: { count: replications } } : {}),
    measures: Object.fromEntries(metricNames.map((metric) => [metric, { metric }])),
    tables: Object.fromEntries(
      metricNames.map((metric) => [metric, { title: metric, measures: metric, rows: 'part' }]),
    ),
  };
  return { name: 'study.yaml', type: 'application/yaml', text: stringify(study) };
}
