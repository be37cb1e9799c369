/**
 * Times simulations under the dynamic policy, which chooses among candidate policies by trials, and the same
 * simulations with the choices given.
 */
import { findPolicyParameterValue, listCandidatePolicies } from '../host/core/policies.js';
import { makeGrid } from '../host/grid/grid.js';
import { makeConfiguration } from '../host/options/configuration.js';
import { Simulator } from '../host/simulate/simulator.js';
import { parseEstimates, withEstimates } from '../host/workload/estimates.js';
import type { Workload } from '../host/workload/workload.js';
import { hashOfSchedule, loadBenchWorkload, SITES } from './runs.js';
import { formatBenchTable } from './table.js';
import { measureLeastTime, measureLeastTimes } from './timing.js';

const ROUND_COUNT = 5;
const CHECKED_LOAD = 1;
const TIMED_LOADS = [1, 2.5];

/**
 * Sets of candidate policies: those that share trial simulations, those that do not, those that change the
 * queue order, and those judged on randomly drawn futures.
 */
const DYNAMIC_POLICY_CASES = [
  { policy: 'dynamic', estimates: 'exact' },
  { policy: 'dynamic[candidates=best-fit+first-fit+worst-fit+ai]', estimates: 'exact' },
  {
    policy: 'dynamic[candidates=tai2+best-fit[order=narrowest]+best-fit[order=shortest]]',
    estimates: 'exact',
  },
  { policy: 'dynamic[futures=8,smooth=0.9]', estimates: 'none' },
];

/**
 * Sums up the numbers of waiting and running jobs over all submissions at which candidates are
 * tried, i.e. with at least two waiting jobs.
 */
function countJobsInTrials(
  { submit }: Workload,
  start: Float64Array,
  execution: Float64Array,
  submissionsPerChoice: number,
) {
  const startTimes = start.slice().sort();
  const endTimes = start.map((time, job) => time + execution[job]).sort();
  let [startedCount, endedCount, triedJobs] = [0, 0, 0];
  for (let job = submissionsPerChoice - 1; job < submit.length; job += submissionsPerChoice) {
    while (startTimes[startedCount] <= submit[job]) startedCount++;
    while (endTimes[endedCount] < submit[job]) endedCount++;
    if (job + 1 - startedCount >= 2) triedJobs += job + 1 - endedCount;
  }
  return triedJobs;
}

/** Times a run and its repetition with given choices, whose results must be equal. */
function measure(
  simulator: Simulator,
  policy: string,
  load: number,
  roundCount: number,
): (string | number)[] {
  const configuration = makeConfiguration(makeGrid(SITES), { timeResolution: 'nearest', load, policy });
  const run = (input = configuration) => {
    simulator.begin(input);
    simulator.run();
  };
  run();
  const schedule = simulator.schedule();
  const trialStartCount = simulator.choosing('TriedJobs');
  const recordedChoices = simulator.choices();
  const replayConfiguration = {
    ...configuration,
    policy: { ...configuration.policy, choices: recordedChoices },
  };
  run(replayConfiguration);
  if (hashOfSchedule(simulator.schedule()) !== hashOfSchedule(schedule))
    throw new Error(`${policy} at load ${load} is not a replay of its choices`);
  const [choosingTime, replayTime] = measureLeastTimes(roundCount, [
    () => measureLeastTime(1, run),
    () => measureLeastTime(1, () => run(replayConfiguration)),
  ]);
  const { start, execution } = schedule;
  const triedJobCount = countJobsInTrials(simulator.workload, start, execution, 10);
  const { policy: parsedPolicy } = configuration;
  const trialsPerChoice =
    listCandidatePolicies(parsedPolicy).length * Number(findPolicyParameterValue(parsedPolicy, 'futures'));
  const trialNanoseconds = choosingTime - replayTime;
  const formatMilliseconds = (nanoseconds: number) => (nanoseconds / 1e6).toFixed(0);
  const formatNanosecondsPerJob = (jobCount: number) => (trialNanoseconds / jobCount).toFixed(1);
  return [
    policy,
    load,
    formatMilliseconds(choosingTime),
    formatMilliseconds(replayTime),
    formatNanosecondsPerJob(triedJobCount * trialsPerChoice),
    formatNanosecondsPerJob(trialStartCount),
  ];
}

/**
 * Checks that a run which repeats the policies chosen in a run of the policy `dynamic` has the same schedule.
 * Then prints what the trials of `dynamic` cost, unless `isCheckOnly`.
 */
export async function benchChoosing(isCheckOnly: boolean): Promise<void> {
  const jobs = await loadBenchWorkload();
  const loads = isCheckOnly ? [CHECKED_LOAD] : TIMED_LOADS;
  const rows = DYNAMIC_POLICY_CASES.flatMap(({ policy, estimates }) => {
    const simulator = new Simulator(withEstimates(jobs, parseEstimates(estimates)));
    return loads.map((load) => measure(simulator, policy, load, isCheckOnly ? 0 : ROUND_COUNT));
  });
  const headings = [
    'policy',
    'load',
    'ms',
    'ms, choices given',
    'ns per job, candidate and future',
    'ns per start in a trial',
  ];
  console.log(isCheckOnly ? 'choosing: runs are replays of their choices' : formatBenchTable(headings, rows));
}
