/** The files of a finished simulation. */
import type { Simulation } from '../simulate/simulate.js';
import { encodeTrace } from '../trace/encode.js';
import type { Trace } from '../trace/trace.js';
import { scheduleToTrace } from '../workload/export.js';
import { CONFIG_FILE, jsonFile, type ResultFile, STOPS_FILE, textFile } from './folder.js';
import { jobsCsv } from './jobs.js';
import { stopsCsv } from './stops.js';

/** The finished simulation as a log; the requested times are the estimates times the load. */
function scheduleTrace({ workload, configuration, schedule }: Simulation, origin: Trace): Trace {
  const { estimate, home } = workload;
  const requested = estimate.map((seconds, job) => seconds * configuration.load[home[job]]);
  const machine = configuration.grid.capacities.reduce((sum, capacity) => sum + capacity, 0);
  const { start, execution, held } = schedule;
  return scheduleToTrace(
    { ...workload, estimate: requested },
    origin,
    { start, execution, processors: held },
    machine,
  );
}

/**
 * jobs.csv (every job), with reclaiming stops.csv (every stopped run), summary.json (the metrics), schedule.swf (the
 * simulation as a log, with its waits in field 3) and config.json (what it takes to run it again).
 * @param origin the log that the workload was made from: its header is kept.
 * @param config what config.json holds.
 * @example
 * const files = simulationFiles(simulate(workload, grid), trace, { note: 'mine' });
 * console.log(files.map(({ name }) => name).join()); // jobs.csv,summary.json,schedule.swf,config.json
 */
export function simulationFiles(simulation: Simulation, origin: Trace, config: object): ResultFile[] {
  return [
    textFile('jobs.csv', () => jobsCsv(simulation)),
    ...(simulation.schedule.stops === undefined ? [] : [textFile(STOPS_FILE, () => stopsCsv(simulation))]),
    jsonFile('summary.json', simulation.summary),
    textFile('schedule.swf', () => encodeTrace(scheduleTrace(simulation, origin))),
    jsonFile(CONFIG_FILE, config),
  ];
}
