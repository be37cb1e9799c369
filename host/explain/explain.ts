/** From the record of a simulation to the explanation of a job. */
import { candidatesOf, distinctCandidates, printPolicy } from '../core/policies.js';
import { candidateRules } from '../options/candidateRules.js';
import type { Configuration } from '../options/configuration.js';
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
import { ofKind, type RecordedWait, recordedWaits } from './waitCollector.js';

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
  const { workload: given, configuration: ofRun } = recorder.simulator;
  const { submit: submits, start, execution } = recorder.simulator.schedule();
  const estimate = recorder.simulator.estimates() ?? given.estimate;
  const workload = { ...given, estimate, submit: submits };
  const waits = recordedWaits(recorder.entries(), job, ofRun.grid.capacities.length);
  const configuration = configurationInForce(ofRun, waits);
  const order = orderOf(configuration);
  // Those that the host computes go by the log.
  const keys = orderKeys(order, { ...given, estimate }, configuration.load);
  const all = candidatesOf(ofRun.policy);
  const distinct = distinctCandidates(all, recorder.simulator.speedHeterogeneity);
  const candidates = new Map(distinct.map((place) => [place, printPolicy(all[place])]));
  const about: Case = { workload, configuration, candidates, names: jobNames(workload), keys, job };
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
      ...(candidates.size > 0 && { chosenBy: printPolicy(ofRun.policy) }),
    },
    waits: waits.map((wait) => ({
      ...accountOf(about, wait),
      ...plansOf(about, wait),
      decision: decisionOf(about, wait),
    })),
    lost: recorder.lost,
  };
}

/** The configuration with the candidate in it that was in force when the job started last; by which the job is explained. */
function configurationInForce(configuration: Configuration, waits: readonly RecordedWait[]): Configuration {
  const tried = ofKind(waits.at(-1)?.details ?? [], 'Tried');
  const place = tried.findIndex(({ numbers }) => numbers[1] === 1);
  if (place < 0) return configuration;
  const rules = candidateRules(configuration)?.[place];
  return { ...configuration, ...rules, policy: candidatesOf(configuration.policy)[place] };
}
