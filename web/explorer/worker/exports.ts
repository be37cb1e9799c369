/** Files to be saved: jobs as CSV, the Gantt chart as SVG, the setup as a study file. */
import { stringify } from 'yaml';
import { drawGantt, ganttData, MOST_GANTT_JOBS } from '../../../host/draw/gantt.js';
import { drawOccupancy, occupancyData } from '../../../host/draw/occupancy.js';
import { heldWithin } from '../../../host/draw/timeChart.js';
import { jobsCsv } from '../../../host/results/jobsFile.js';
import type { RawStudy } from '../../../host/study/schema.js';
import type { Exported } from '../protocol.js';
import { methodName } from '../words.js';
import { finishedJobs } from './pictures.js';
import type { KeptRun } from './run.js';

/** jobs.csv of a run, of the jobs that are submitted from one time up to another. */
export function csvOf({ simulation }: KeptRun, from: number, to: number): Exported {
  const { submit } = simulation.schedule;
  const [head, ...lines] = [...jobsCsv(simulation)].join('').trimEnd().split('\n');
  const kept = lines.filter((_, job) => submit[job] >= from && submit[job] < to);
  return { name: 'jobs.csv', type: 'text/csv', text: `${[head, ...kept].join('\n')}\n` };
}

/** The Gantt chart of a window of time; where too many jobs run, how much of each site is in use. */
export function svgOf({ simulation }: KeptRun, from: number, to: number): Exported {
  const { workload, grid, summary } = simulation;
  const { jobs, stopped } = finishedJobs(simulation);
  const window = { from, to };
  const options = {
    ...{ jobs, stopped, window },
    capacities: grid.capacities,
    origin: workload.submit[0],
    beginning: workload.unixStartTime === undefined ? undefined : workload.unixStartTime + workload.submit[0],
  };
  const count = heldWithin(jobs, window).length + heldWithin(stopped, window).length;
  const isGantt = count > 0 && count <= MOST_GANTT_JOBS;
  const title = isGantt ? 'Gantt chart by site' : 'Processors in use by site';
  const words = { id: 'gantt', title, caption: summary.method };
  const text = isGantt ? drawGantt(ganttData(options, words)) : drawOccupancy(occupancyData(options, words));
  return { name: 'gantt.svg', type: 'image/svg+xml', text };
}

/** The setup as a study file: a part for each method. */
export function studyOf({ experiment }: KeptRun, replications: number): Exported {
  const { options, methods } = experiment.setup;
  const measures = ['averageResponseTime', 'meanWait', 'meanBoundedSlowdown', 'utilization'];
  const parts = new Map(methods.map((method) => [methodName(method), { simulate: method }]));
  const study: RawStudy = {
    title: `${[...parts.keys()].join(' and ')} on ${experiment.trace.source}`,
    simulate: options,
    parts: Object.fromEntries(parts),
    ...(replications > 1 ? { replications: { count: replications } } : {}),
    measures: Object.fromEntries(measures.map((metric) => [metric, { metric }])),
    tables: Object.fromEntries(
      measures.map((metric) => [metric, { title: metric, measures: metric, rows: 'part' }]),
    ),
  };
  return { name: 'study.yaml', type: 'application/yaml', text: stringify(study) };
}
