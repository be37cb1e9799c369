/** Asks each policy for its decision about the next job, with reasons, from a state of a run. */
import { listAllocatorDeclarations } from '../../../host/core/policies.js';
import { explainJob } from '../../../host/explain/explain.js';
import { isPolicyUsed, makeConfiguration } from '../../../host/options/configuration.js';
import { nameOptionOnCommandLine } from '../../../host/options/options.js';
import { RUN_OPTIONS } from '../../../host/options/runOptions.js';
import {
  formatDecision,
  formatSiteNames,
  runWithTimeFormatter,
} from '../../../host/reports/decisionReasons.js';
import { Recorder } from '../../../host/simulate/recorder.js';
import { makeTerminalColors } from '../../../host/view/terminal.js';
import { makeUniqueJobNames } from '../../../host/workload/workload.js';
import type { PolicyDecision, PolicyDecisions } from '../protocol.js';
import { forkSimulator, type StoredRun } from './run.js';
import { makePageTimeFormatter } from './story.js';

const UNCOLORED_TERMINAL_COLORS = makeTerminalColors(false);
const EXPLANATION_TEXT_WIDTH = 64;
const MAX_RECORDED_ENTRY_COUNT = 1 << 14;

/**
 * Returns the next job to start at or after a time, its start, and the time of the last event
 * before its start.
 */
function findNextStartAfter({ experiment, simulation }: StoredRun, time: number) {
  const { start, execution } = simulation.schedule;
  const { submit } = experiment.workload;
  let job = -1;
  start.forEach((startTime, i) => {
    if (startTime >= time && (job < 0 || startTime < start[job])) job = i;
  });
  if (job < 0) return undefined;
  const startTime = start[job];
  let lastEventBefore = -Infinity;
  for (let i = 0; i < start.length; i++) {
    for (const event of [submit[i], start[i] + execution[i]]) {
      if (event < startTime && event > lastEventBefore) lastEventBefore = event;
    }
  }
  return { job, startTime, lastEventBefore };
}

/**
 * Returns the decision of every built-in policy about the next job to start, each from the state just before
 * that start.
 */
export function askPolicyDecisionsAt(run: StoredRun, time: number): PolicyDecisions {
  const { experiment, course } = run;
  const { workload } = experiment;
  const makeAnswerWithoutChoice = (reason: string): PolicyDecisions => ({
    job: '',
    time,
    choices: [],
    noChoiceReason: reason,
  });
  const currentConfiguration = course[course.length - 1].configuration;
  if (currentConfiguration.grid.capacities.length === 1)
    return makeAnswerWithoutChoice('With one site there is nothing to choose.');
  if (!isPolicyUsed(currentConfiguration))
    return makeAnswerWithoutChoice('Here the rule of backfilling or of moldable jobs chooses, not a policy.');
  const nextStartAfterTime = findNextStartAfter(run, time);
  if (nextStartAfterTime === undefined) return makeAnswerWithoutChoice('No job starts after this.');
  const { trackProcessors: _, grid, ...options } = currentConfiguration;
  const choices = listAllocatorDeclarations().map(({ name: policyName }): PolicyDecision => {
    const recorder = new Recorder(workload, nextStartAfterTime.job, MAX_RECORDED_ENTRY_COUNT);
    let { simulator } = recorder;
    simulator.begin({ ...course[0].configuration, trackProcessors: false });
    for (const { from, configuration } of course.slice(1)) {
      if (from >= nextStartAfterTime.startTime) break;
      simulator.runUntil(from);
      simulator = forkSimulator(simulator, { ...configuration, trackProcessors: false });
    }
    simulator.runUntil(nextStartAfterTime.lastEventBefore);
    const policy = RUN_OPTIONS.policy.read(policyName, '--policy');
    const fork = forkSimulator(
      simulator,
      makeConfiguration(grid, { ...options, policy }, nameOptionOnCommandLine),
    );
    fork.runUntil(nextStartAfterTime.startTime);
    const { start } = fork.schedule();
    const isStarted =
      start[nextStartAfterTime.job] === nextStartAfterTime.startTime &&
      fork.progress.now >= nextStartAfterTime.startTime;
    if (!isStarted)
      return { policy: policyName, decision: 'waits', why: 'It does not start at this instant.' };
    const explanation = explainJob(
      { simulator: fork, entries: () => recorder.entries(), lostEntryCount: recorder.lostEntryCount },
      nextStartAfterTime.job,
    );
    const wait = explanation.waits[explanation.waits.length - 1];
    return {
      policy: policyName,
      decision: formatSiteNames(wait.sites),
      why: runWithTimeFormatter(makePageTimeFormatter(workload), () =>
        formatDecision(explanation, wait, UNCOLORED_TERMINAL_COLORS, EXPLANATION_TEXT_WIDTH),
      ),
    };
  });
  return {
    job: makeUniqueJobNames(workload)[nextStartAfterTime.job],
    time: nextStartAfterTime.startTime,
    choices,
    noChoiceReason: '',
  };
}
