/** The files of a finished simulation. */

import { copyName } from '../code/codeFile.js';
import { checkGiven } from '../given.js';
import type { CodeFile } from '../options/providedCode.js';
import type { Simulation } from '../simulate/simulate.js';
import { encodeTrace } from '../trace/swf.js';
import type { Trace } from '../trace/trace.js';
import { scheduleToTrace } from '../workload/export.js';
import { packageVersion } from './documents.js';
import { csvColumns, jobCells, jobsCsv, stopsCsv } from './jobsFile.js';
import { writeParquet } from './parquet.js';
import {
  CONFIG_FILE,
  jsonFile,
  PARQUET_FILE,
  type ResultFile,
  STOPS_FILE,
  textFile,
} from './resultFolder.js';

/** The finished simulation as a log; requested times are those of jobs.csv. */
function scheduleTrace({ workload, configuration, schedule }: Simulation, origin: Trace): Trace {
  const { estimate, home } = workload;
  const requested = estimate.map((seconds, job) => seconds * configuration.load[home[job]]);
  const machine = configuration.grid.capacities.reduce((sum, capacity) => sum + capacity, 0);
  const { submit, start, execution, held } = schedule;
  return scheduleToTrace(
    { ...workload, estimate: requested },
    origin,
    { submit, start, execution, processors: held },
    machine,
  );
}

const SECONDS = /_time$|^(?:recorded_wait|profile|estimate)$/;
const COUNTS = /^(?:requested_number_of_resources|success|home_site|user|group|queue|status|preceding_job)$/;

/** jobs.csv as Parquet. */
function writeJobs(path: string, simulation: Simulation): Promise<void> {
  const cells = jobCells(simulation);
  const columns = csvColumns(simulation).map((name) => ({
    name,
    values: (from: number, to: number) => Array.from({ length: to - from }, (_, i) => cells[name](from + i)),
    isCount: COUNTS.test(name),
    unit: SECONDS.test(name) ? 's' : undefined,
  }));
  const { count, name } = simulation.workload;
  return writeParquet(path, columns, count, { gridalloc: packageVersion(), workload: name });
}

/**
 * jobs.csv (every job), on request the same as jobs.parquet, with reclaiming stops.csv (every stopped run), summary.json (the metrics), schedule.swf (the
 * simulation as a log, with its waits in field 3) and config.json (what it takes to run it again).
 * @param origin the log that the workload was made from: its header is kept.
 * @param config what config.json holds.
 * @param options whether the jobs are wanted as Parquet, and files with functions, of which copies are kept.
 * @example
 * const files = simulationFiles(simulate(workload, grid), trace, { note: 'mine' });
 * console.log(files.map(({ name }) => name).join()); // jobs.csv,summary.json,schedule.swf,config.json
 */
export function simulationFiles(
  simulation: Simulation,
  origin: Trace,
  config: object,
  { parquet = false, code = [] }: { readonly parquet?: boolean; readonly code?: readonly CodeFile[] } = {},
): ResultFile[] {
  checkGiven(simulation, 'simulation', 'simulationFiles, simulation');
  checkGiven(origin, 'trace', 'simulationFiles, origin');
  checkGiven(config, 'object', 'simulationFiles, config');
  return [
    textFile('jobs.csv', () => jobsCsv(simulation)),
    ...(parquet ? [{ name: PARQUET_FILE, write: (path: string) => writeJobs(path, simulation) }] : []),
    ...(simulation.schedule.stops === undefined ? [] : [textFile(STOPS_FILE, () => stopsCsv(simulation))]),
    jsonFile('summary.json', simulation.summary),
    textFile('schedule.swf', () => encodeTrace(scheduleTrace(simulation, origin))),
    ...code.map((file) => textFile(copyName(file), () => [file.text])),
    jsonFile(CONFIG_FILE, config),
  ];
}
