/** From the record of a simulation to the explanation of a job. */
import { printOrder } from '../options/order.js';
import { orderOf } from '../options/run.js';
import { orderKeys } from '../simulate/orderKeys.js';
import type { Recorder } from '../simulate/recorder.js';
import { chooserOf } from '../simulate/summary.js';
import { jobNames } from '../workload/workload.js';
import { decisionOf } from './decision.js';
import type { Case } from './explainedJob.js';
import type { Explanation } from './explanation.js';
import { plansOf } from './reservations.js';
import { accountOf, takenBy } from './waitCauses.js';
import { recordedWaits } from './waitCollector.js';

/**
 * Explains the job that a recorder has watched, once its simulation has run to its end.
 * @param job its index in the workload.
 * @example
 * const { schedule } = simulate(workload, grid);
 * const job = schedule.start.findIndex((start, i) => start > workload.submit[i]);
 * const recorder = new Recorder(workload, job);
 * recorder.simulator.begin(makeConfiguration(grid));
 * recorder.simulator.run();
 * const { processors, wait } = explainJob(recorder, job);
 * console.log(job, processors, wait); // 83 2 757.5
 */
export function explainJob(
  recorder: Pick<Recorder, 'simulator' | 'entries' | 'lost'>,
  job: number,
): Explanation {
  const { workload: given, configuration } = recorder.simulator;
  const { submit: submits, start, execution } = recorder.simulator.schedule();
  const estimate = recorder.simulator.estimates() ?? given.estimate;
  const workload = { ...given, estimate, submit: submits };
  const order = orderOf(configuration);
  // Those that the host computes go by the log.
  const keys = orderKeys(order, { ...given, estimate }, configuration.load);
  const about: Case = { workload, configuration, names: jobNames(workload), keys, job };
  const waits = recordedWaits(recorder.entries(), job, configuration.grid.capacities.length);
  const submit = submits[job];
  const preceding = given.dependencies?.preceding[job] ?? -1;
  return {
    job: about.names[job],
    processors: workload.processors[job],
    home: workload.home[job] + 1,
    submit,
    start: start[job],
    end: start[job] + execution[job],
    wait: start[job] - submit,
    ...(preceding < 0
      ? {}
      : { precedingJob: { job: `${given.job[preceding]}`, loggedSubmit: given.submit[job] } }),
    killed: workload.killed?.[job] === 1,
    sites: takenBy(about, waits[waits.length - 1]),
    rules: {
      order: printOrder(order),
      discipline: configuration.discipline,
      queue: configuration.queue,
      method: chooserOf(configuration),
    },
    waits: waits.map((wait) => ({
      ...accountOf(about, wait),
      ...plansOf(about, wait),
      decision: decisionOf(about, wait),
    })),
    lost: recorder.lost,
  };
}
