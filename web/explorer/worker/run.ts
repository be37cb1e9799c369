/** Simulates setups and keeps the runs for later requests. */
import { printPolicy } from '../../../host/core/policies.js';
import { InputError } from '../../../host/errors.js';
import { parseNotation, printNotation } from '../../../host/notation.js';
import { type Configuration, isPolicyUsed, makeConfiguration } from '../../../host/options/configuration.js';
import { nameOptionOnCommandLine } from '../../../host/options/options.js';
import { NO_OUTAGES_NOTATION } from '../../../host/options/outages.js';
import { RUN_OPTIONS } from '../../../host/options/runOptions.js';
import { describeRecordAccounting } from '../../../host/reports/simulationReport.js';
import type { Absence } from '../../../host/results/capacity.js';
import { methodNames } from '../../../host/simulate/methodNames.js';
import type { OutageEffects, ProcessorSets, Schedule } from '../../../host/simulate/schedule.js';
import { collectSimulation, type Simulation } from '../../../host/simulate/simulate.js';
import { Simulator } from '../../../host/simulate/simulator.js';
import { selectMetricsForTables } from '../../../host/simulate/summary.js';
import { determineRequestedHomeRule } from '../../../host/simulate/workloadSettings.js';
import type {
  ExplorerSetup,
  FinishedRunData,
  GanttBlockColumns,
  SimulatedSetupOutcome,
  Texts,
} from '../protocol.js';
import { makeShortMethodName } from '../words.js';
import {
  type ExplorerExperiment,
  loadExplorerExperiment,
  makeSimulateCommand,
  type OpenedLog,
} from './experiment.js';
import { makeChartDataOfRun, makeSharedJobColumns } from './pictures.js';
import { makeCompareCommand } from './replications.js';

/** Run with its inputs. */
export interface StoredRun {
  readonly experiment: ExplorerExperiment;
  /** Options of the method, in addition to those of the setup. */
  readonly method: Texts;
  readonly simulation: Simulation;
  readonly blocks: GanttBlockColumns;
  /** Absences of processors because of outages; absent if there are none. */
  readonly absences?: readonly Absence[] | undefined;
  /** Policies that the run followed, each with its first time in seconds; the first from the beginning. */
  readonly course: readonly { readonly from: number; readonly configuration: Configuration }[];
  /** Time in seconds from which another discipline or order applies; absent if none does. */
  readonly switched?: number;
}

/** Runs of the page, stored by the id under which the page asks for them. */
const storedRuns = new Map<number, StoredRun>();
let nextStoredRunId = 1;

/** Finds a stored run by the id that the page knows. @throws InputError if it is no longer stored. */
export function findStoredRun(id: number): StoredRun {
  const run = storedRuns.get(id);
  if (run === undefined) throw new InputError('that run is no longer available; run it again');
  return run;
}

/** Returns the reason why policies have no choice between sites or cannot be asked; empty if they can. */
function findReasonForNoPolicyChoice(configuration: Configuration, isPolicySwitchedMidway = false): string {
  if (isPolicySwitchedMidway)
    return 'This run changes its discipline or order while it runs, so policies cannot be asked here.';
  if (configuration.grid.capacities.length === 1) return 'With one site there is nothing to choose.';
  if (isPolicyUsed(configuration)) return '';
  return 'Here the rule of moldable jobs or of backfilling chooses the sites. Set a policy to have it choose instead.';
}

/** Stores a run and returns its data for the page. */
function storeRun(run: Omit<StoredRun, 'blocks'>, runLabel: string): FinishedRunData {
  const { experiment, simulation, course, switched: switchTime } = run;
  const { summary: simulationSummary, schedule, configuration } = simulation;
  const forkedAt = switchTime ?? (course.length > 1 ? course[course.length - 1].from : undefined);
  const { start, execution, site, held: heldProcessors, promised: promisedStarts } = schedule;
  const hasHomeSites = determineRequestedHomeRule(experiment.settings, experiment.trace) !== 'none';
  const id = nextStoredRunId++;
  const chartData = makeChartDataOfRun(simulation);
  storedRuns.set(id, { ...run, blocks: chartData.blocks, absences: chartData.absences });
  return {
    id,
    label: runLabel,
    capacities: configuration.grid.capacities,
    speeds: configuration.grid.speeds,
    ...{ start, execution, site, held: heldProcessors },
    ...(promisedStarts && { promised: promisedStarts }),
    isConservative: configuration.discipline === 'conservative',
    ...chartData,
    metrics: selectMetricsForTables(simulationSummary, hasHomeSites).map(
      ({ metric, value: metricValue }) => ({
        name: metric.name,
        label: metric.label,
        remark: metric.remark ?? '',
        unit: metric.unit ?? '',
        value: metricValue,
        format: metric.format,
        better: metric.better ?? '',
        noise: metric.noise,
      }),
    ),
    noChoice: findReasonForNoPolicyChoice(configuration, switchTime !== undefined),
    ...(forkedAt === undefined ? {} : { forkedAt }),
  };
}

/** Simulates the remaining methods of the latest setup. */
let simulateRemainingMethods: () => readonly FinishedRunData[] = () => [];

/** Returns the runs of all methods of the latest setup except the first, in order. */
export const simulateOtherMethods = (): readonly FinishedRunData[] => simulateRemainingMethods();

/**
 * Simulates the first method of a setup, so that the page can show it early; `simulateOtherMethods` simulates
 * the others.
 * @throws InputError with the message of the command line; FunctionError for a user-written function that
 * fails.
 */
export function simulateSetup(setup: ExplorerSetup, openedLog: OpenedLog | null): SimulatedSetupOutcome {
  const experiment = loadExplorerExperiment(setup, openedLog);
  const { methods } = experiment.setup;
  storedRuns.clear();
  const { workload, grid, configurations, trace, settings } = experiment;
  const simulator = new Simulator(workload);
  const names = methodNames(configurations);
  const simulateMethod = (methodIndex: number) => {
    const configuration = configurations[methodIndex];
    const simulation = simulateAndCollect(simulator, configuration);
    const course = [{ from: -Infinity, configuration }];
    return storeRun({ experiment, method: methods[methodIndex], simulation, course }, names[methodIndex]);
  };
  simulateRemainingMethods = () => [...configurations.keys()].slice(1).map(simulateMethod);
  const accountingText = describeRecordAccounting(workload.accounting);
  return {
    source: trace.source,
    runs: [simulateMethod(0)],
    jobs: makeSharedJobColumns(workload, determineRequestedHomeRule(settings, trace) !== 'none'),
    capacities: grid.capacities,
    speeds: grid.speeds,
    ...(workload.unixStartTime === undefined ? {} : { unixStartTime: workload.unixStartTime }),
    remarks: accountingText === '' ? experiment.remarks : [`${accountingText}.`, ...experiment.remarks],
    setup: experiment.setup,
    commands: methods.map((method) => makeSimulateCommand(experiment, method)),
    ...(methods.length < 2 ? {} : { comparison: makeCompareCommand(experiment) }),
  };
}

function simulateAndCollect(simulator: Simulator, configuration: Configuration): Simulation {
  simulator.begin(configuration);
  simulator.run();
  return collectSimulation(simulator);
}

/** Options that a what-if changes for all methods. */
const WHAT_IF_GRID_OPTION_NAMES = ['sites', 'speeds'];

/**
 * Simulates the same jobs from the beginning with other options.
 * @throws InputError for options that conflict, or that would change the jobs.
 */
function simulateWithChange(
  id: number,
  change: Texts,
  openedLog: OpenedLog | null,
): Omit<StoredRun, 'blocks'> {
  const { experiment, method } = findStoredRun(id);
  const selectChangedOptions = (selectsGridOptions: boolean) =>
    Object.fromEntries(
      Object.entries(change).filter(
        ([name]) => WHAT_IF_GRID_OPTION_NAMES.includes(name) === selectsGridOptions,
      ),
    );
  const { options } = experiment.setup;
  const changedExperiment = loadExplorerExperiment(
    {
      options: { ...options, ...selectChangedOptions(true) },
      methods: [{ ...method, ...selectChangedOptions(false) }],
    },
    openedLog,
  );
  const [originalSubmits, changedSubmits] = [experiment.workload.submit, changedExperiment.workload.submit];
  if (
    originalSubmits.length !== changedSubmits.length ||
    originalSubmits.some((time, job) => time !== changedSubmits[job])
  ) {
    throw new InputError(
      'this would change the jobs or their submit times; both charts need the same, so change it in the settings above',
    );
  }
  const [configuration] = changedExperiment.configurations;
  const simulation = simulateAndCollect(new Simulator(changedExperiment.workload), configuration);
  const course = [{ from: -Infinity, configuration }];
  return {
    experiment: changedExperiment,
    method: { ...method, ...selectChangedOptions(false) },
    simulation,
    course,
  };
}

/**
 * Simulates the same jobs from the beginning with other options and keeps the run.
 * @throws InputError for options that conflict, or that would change the jobs.
 */
export function storeWhatIfRun(id: number, change: Texts, openedLog: OpenedLog | null): FinishedRunData {
  return storeRun(
    simulateWithChange(id, change, openedLog),
    makeShortMethodName({ ...findStoredRun(id).method, ...change }),
  );
}

/**
 * Returns the mean wait in seconds of the same jobs from the beginning with other options; keeps no
 * run.
 * @throws InputError like `storeWhatIfRun`.
 */
export function simulateWhatIfMeanWait(id: number, change: Texts, openedLog: OpenedLog | null): number {
  return simulateWithChange(id, change, openedLog).simulation.summary.meanWait;
}

/**
 * Returns a simulator that has repeated a run up to and including a time.
 * @param memorySharingSimulator simulator whose memory the new one shares.
 */
function replayRunUntil(
  { experiment, course }: StoredRun,
  time: number,
  memorySharingSimulator?: Simulator,
): Simulator {
  const { workload } = experiment;
  let simulator = new Simulator(workload, memorySharingSimulator);
  simulator.begin(course[0].configuration);
  for (const { from, configuration } of course.slice(1)) {
    if (from > time) break;
    simulator.runUntil(from);
    simulator = forkSimulator(simulator, configuration);
  }
  simulator.runUntil(time);
  return simulator;
}

/** Copies a simulation and continues the copy under another policy. */
export function forkSimulator(simulator: Simulator, configuration: Configuration): Simulator {
  const fork = new Simulator(simulator.workload, simulator);
  fork.begin(configuration);
  simulator.forkInto(fork);
  return fork;
}

/**
 * Joins the effects of outages on a run and its fork: the processors that outages took before the
 * fork are in the processor log of the original run.
 */
function joinOutageEffects(
  { schedule, processorSets }: Simulation,
  effectsAfterFork: OutageEffects,
  time: number,
): OutageEffects {
  const firstPairsBeforeFork = schedule.outages?.firstPair;
  const pairCountBeforeFork = (processorSets as ProcessorSets).pairs.length / 2;
  const firstPair = effectsAfterFork.firstPair?.map((pair, i) =>
    effectsAfterFork.time[i] <= time ? (firstPairsBeforeFork?.[i] ?? 0) : pair + pairCountBeforeFork,
  );
  return { ...effectsAfterFork, ...(firstPair && { firstPair }) };
}

/**
 * Joins a run and its fork: jobs that started before the fork, or at its time, keep their original
 * data.
 */
function joinRunAndFork(
  runBeforeFork: Simulation,
  simulationAfterFork: Simulation,
  time: number,
): Simulation {
  const [originalSchedule, forkedSchedule] = [runBeforeFork.schedule, simulationAfterFork.schedule];
  const jobCount = runBeforeFork.workload.count;
  const hasStartedBeforeFork = Uint8Array.from(originalSchedule.start, (start) => (start <= time ? 1 : 0));
  const selectDoublesByJobStart = (a: Float64Array, b: Float64Array) =>
    Float64Array.from(a, (v, i) => (hasStartedBeforeFork[i] ? v : b[i]));
  const selectIntegers = (a: Int32Array, b: Int32Array) =>
    Int32Array.from(a, (v, i) => (hasStartedBeforeFork[i] ? v : b[i]));
  const schedule: Schedule = {
    submit: forkedSchedule.submit,
    start: selectDoublesByJobStart(originalSchedule.start, forkedSchedule.start),
    execution: selectDoublesByJobStart(originalSchedule.execution, forkedSchedule.execution),
    site: selectIntegers(originalSchedule.site, forkedSchedule.site),
    held: selectIntegers(originalSchedule.held, forkedSchedule.held),
    ...(forkedSchedule.estimate && {
      estimate: selectDoublesByJobStart(originalSchedule.estimate!, forkedSchedule.estimate),
    }),
    // The fork also contains the promises made before it, so they are not joined.
    ...(forkedSchedule.promised && { promised: forkedSchedule.promised }),
    ...(forkedSchedule.outages && {
      outages: joinOutageEffects(runBeforeFork, forkedSchedule.outages, time),
    }),
  };
  const processorPairsBefore = (runBeforeFork.processorSets as ProcessorSets).pairs;
  const processorSetsAfterFork = simulationAfterFork.processorSets as ProcessorSets;
  const allProcessorPairs = new Int32Array(processorPairsBefore.length + processorSetsAfterFork.pairs.length);
  allProcessorPairs.set(processorPairsBefore);
  allProcessorPairs.set(processorSetsAfterFork.pairs, processorPairsBefore.length);
  const firstPair = Int32Array.from({ length: jobCount }, (_, i) =>
    hasStartedBeforeFork[i]
      ? (runBeforeFork.processorSets as ProcessorSets).firstPair[i]
      : processorSetsAfterFork.firstPair[i] + processorPairsBefore.length / 2,
  );
  return { ...simulationAfterFork, schedule, processorSets: { firstPair, pairs: allProcessorPairs } };
}

/** True if by its options a simulation may preempt running jobs, for other jobs or for outages. */
const canRunPreemptJobs = ({ reclaim, outages, onOutage }: Configuration) =>
  reclaim || (outages !== NO_OUTAGES_NOTATION && onOutage !== 'drain');

/** Continues a run from a time under another policy and keeps the fork. */
export function forkRunUnderPolicy(id: number, time: number, policy: string): FinishedRunData {
  const run = findStoredRun(id);
  const { experiment, simulation, course } = run;
  const current = course[course.length - 1];
  const { warmUp, coolDown } = simulation.configuration;
  const canSimulationPreemptJobs = canRunPreemptJobs(simulation.configuration);
  const areJobsKilledAtRequest = experiment.workload.killed !== undefined;
  if (
    canSimulationPreemptJobs ||
    areJobsKilledAtRequest ||
    warmUp + coolDown > 0 ||
    simulation.schedule.parts !== undefined
  ) {
    throw new InputError(
      'a run cannot be forked here if its jobs may be stopped, split over sites, or excluded (warm-up, cool-down)',
    );
  }
  const reasonForNoChoice = findReasonForNoPolicyChoice(current.configuration, run.switched !== undefined);
  if (reasonForNoChoice !== '') throw new InputError(reasonForNoChoice);
  if (current.from > time)
    throw new InputError('this run is already a fork; fork it after its own beginning');
  const { trackProcessors, grid, ...options } = current.configuration;
  const configuration = makeConfiguration(
    grid,
    { ...options, policy: RUN_OPTIONS.policy.read(policy, '--policy'), processorSets: trackProcessors },
    nameOptionOnCommandLine,
  );
  const simulator = forkSimulator(replayRunUntil(run, time), configuration);
  simulator.run();
  const simulationAfterFork = collectSimulation(simulator);
  return storeRun(
    {
      experiment,
      method: run.method,
      simulation: joinRunAndFork(simulation, simulationAfterFork, time),
      course: [...course, { from: time, configuration }],
    },
    makeShortMethodName({ policy }),
  );
}

const FIXED_DISCIPLINE_MESSAGE =
  'this run cannot change its discipline or order while it runs, since its reservations are kept or a rule of backfilling chooses its sites; try it from the beginning';

/**
 * True if all jobs that start before a time in one of two schedules have the same starts and sites in both.
 */
function areSchedulesEqualBeforeTime(
  { schedule }: Simulation,
  { schedule: changedSchedule }: Simulation,
  time: number,
): boolean {
  return schedule.start.every(
    (start, job) =>
      (start === changedSchedule.start[job] && schedule.site[job] === changedSchedule.site[job]) ||
      Math.min(start, changedSchedule.start[job]) >= time,
  );
}

/**
 * Repeats a run with another discipline or order from a time. The core makes such changes at a submission
 * (the first one at or after the time), where a candidate policy changes; so the run has two candidates and a
 * fixed time of change.
 * @param change `discipline`, `order` or `backfill-order`.
 * @throws InputError for options that the core cannot change during a run, or if the past would change.
 */
export function repeatRunWithSwitch(id: number, time: number, change: Texts): FinishedRunData {
  const run = findStoredRun(id);
  const { experiment, simulation, course } = run;
  const { workload, grid } = experiment;
  if (course.length > 1 || run.switched !== undefined) {
    throw new InputError(
      'this run is already a what-if; show another run above, or start again with its settings',
    );
  }
  const { trackProcessors, grid: _, ...options } = simulation.configuration;
  // A change during a run replans all reservations, so its effect could not be told from the effect of
  // replanning.
  if (options.reservations === 'kept' && change.discipline === undefined)
    throw new InputError(FIXED_DISCIPLINE_MESSAGE);
  const firstChangedJob = workload.submit.findIndex((submit) => submit >= time);
  if (firstChangedJob < 0)
    throw new InputError('no job is submitted after this moment; go to an earlier one');
  const currentPolicyNotation = printPolicy(options.policy);
  const { name: notationName, parameters } = parseNotation(currentPolicyNotation);
  const changedPolicyNotation = printNotation(notationName, [...parameters, ...Object.entries(change)]);
  const policy = RUN_OPTIONS.policy.read(
    `dynamic[every=1,candidates=${currentPolicyNotation}+${changedPolicyNotation}]`,
    '--policy',
  );
  const configuration = makeConfiguration(
    grid,
    {
      ...options,
      policy: { ...policy, choices: [[firstChangedJob, 1]] },
      // A run with candidates cannot have these options, so they are turned off.
      reservations: 'none',
      select: 'none',
      processorSets: trackProcessors,
    },
    nameOptionOnCommandLine,
  );
  const switchTime = workload.submit[firstChangedJob];
  const simulationWithSwitch = simulateAndCollect(new Simulator(workload), configuration);
  if (!areSchedulesEqualBeforeTime(simulation, simulationWithSwitch, switchTime)) {
    throw new InputError(FIXED_DISCIPLINE_MESSAGE);
  }
  const areReservationsReplanned = change.discipline === 'conservative';
  const method = { ...run.method, ...change, ...(areReservationsReplanned && { reservations: 'replanned' }) };
  return storeRun(
    {
      experiment,
      method,
      simulation: simulationWithSwitch,
      course: [{ from: -Infinity, configuration }],
      switched: switchTime,
    },
    makeShortMethodName(method),
  );
}
