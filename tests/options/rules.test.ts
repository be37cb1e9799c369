import { expect, test } from 'vitest';
import { InputError } from '../../host/errors.js';
import { makeGrid, sitePairsToMatrix } from '../../host/grid/grid.js';
import {
  type Configuration,
  isBackfilling,
  makeConfiguration,
  type RunKey,
  type SimulationOptions,
} from '../../host/options/configuration.js';
import type { Option } from '../../host/options/kinds.js';
import { NO_LIMITS_NOTATION, parseRunningLimits } from '../../host/options/limits.js';
import { nameOptionInLibrary, optionNameOfKey } from '../../host/options/options.js';
import { printOrder } from '../../host/options/order.js';
import { NO_PARTITION_SITES_NOTATION, parsePartitionSites } from '../../host/options/partitionSites.js';
import { parseCheckedPassDelay } from '../../host/options/passOptions.js';
import { findBrokenRule } from '../../host/options/rules.js';
import { RUN_OPTIONS } from '../../host/options/runOptions.js';
import { secondsOfHalfLife } from '../../host/options/shareOptions.js';
import { selectSimulatedOutages } from '../../host/simulate/outageColumns.js';
import { Simulator } from '../../host/simulate/simulator.js';
import { doesRunAllCases, sampleTestCases } from '../cases.js';
import { workloadOfReferenceJobs } from '../core/simulateCore.js';
import type { RunningLimits } from '../reference/simulator/limits.js';
import {
  type ReferenceJob,
  type ReferenceOptions,
  simulateReference,
} from '../reference/simulator/reference.js';
import { OPTION_SAMPLES } from '../ways/samples.js';

/**
 * Every pair of options, alone and with a third option that many require, must be accepted or
 * refused alike by the host, the core and the reference simulator. One pair in 27 if cases are
 * sampled. Options refused as having no effect must have none.
 */

type GivenRunOptions = Pick<SimulationOptions, RunKey>;

const OPTIONS = Object.entries(RUN_OPTIONS) as [RunKey, Option<unknown>][];

const CHOSEN_OPTIONS: readonly GivenRunOptions[] = OPTIONS.flatMap(
  ([key, { choices: optionChoices, default: defaultValue }]) =>
    (
      OPTION_SAMPLES[optionNameOfKey(key)].values ??
      (optionChoices ?? []).filter((word) => word !== defaultValue)
    ).map((value) => ({
      [key]: value,
    })),
);

/** Sets of options added to each tested combination: many options require them or exclude them. */
const COMPANION_OPTIONS: readonly GivenRunOptions[] = [
  {},
  { discipline: 'easy' },
  { moldable: 'down' },
  { queue: 'per-home' },
  { queue: 'independent', discipline: 'conservative' },
  { discipline: 'conservative', policy: 'ai2' },
  { order: 'wait * wait / -estimate' },
  { discipline: 'easy', order: 'usage - wait / 10' },
];

const GRIDS = [makeGrid({ capacities: [4, 6], speeds: [1, 2] }), makeGrid({ capacities: [6] })];

const JOBS: ReferenceJob[] = Array.from({ length: 12 }, (_, i) => ({
  submit: 3 * i,
  runtime: 5 + ((7 * i) % 20),
  estimate: 6 + ((11 * i) % 25),
  processors: 1 + ((3 * i) % 4),
  user: i % 3,
  group: i % 2,
  partition: 1 + (i % 2),
  home: 0,
  data: 50 * i,
}));

/** Example jobs whose home sites are spread over all sites of a grid. */
function jobsOnSites(siteCount: number): ReferenceJob[] {
  return JOBS.map((job, i) => ({
    ...job,
    home: i % siteCount,
    ...(i % 3 === 2 ? { preceding: i - 2, thinkTime: i % 2 } : {}),
  }));
}

/** Start times of a simulation; undefined if it is refused. */
function tryRun(
  run: () => readonly number[],
  CoreCallRefusal: new (message: string) => Error,
): readonly number[] | undefined {
  try {
    return run();
  } catch (error) {
    if (error instanceof CoreCallRefusal) return undefined;
    throw error;
  }
}

/** Configuration for the core without the host's checks of option combinations. */
function makeUncheckedConfiguration(
  grid: Configuration['grid'],
  optionInput: GivenRunOptions,
): Configuration {
  const optionEntries = Object.entries(optionInput).map(([key, value]) => {
    const option = RUN_OPTIONS[key as RunKey] as unknown as Option<unknown>;
    return [key, option.check(value, key, grid)];
  });
  const configuration = { ...makeConfiguration(grid), ...Object.fromEntries(optionEntries) };
  const { discipline, queue } = configuration;
  const isSelectingSites =
    isBackfilling(discipline) && queue !== 'independent' && optionInput.policy === undefined;
  const selectionRule = isSelectingSites ? 'greedy' : 'none';
  return { ...configuration, select: optionInput.select ?? selectionRule };
}

/** Limits as the reference simulator has them. */
function limitsOf(notation: string): RunningLimits {
  const renamedKeys = {
    user: { jobs: 'userJobs', processors: 'userProcessors' },
    group: { jobs: 'groupJobs', processors: 'groupProcessors' },
  } as const;
  return Object.fromEntries(
    parseRunningLimits(notation).map(({ by: ownerKind, of: limitedQuantity, most }) => [
      renamedKeys[ownerKind][limitedQuantity],
      most,
    ]),
  );
}

/** Sites of partitions 1 and 2 as the reference simulator has them. */
function partitionsOf(notation: string, { capacities }: Configuration['grid']): number[][] {
  const sites = parsePartitionSites(notation);
  return [1, 2].map((partition) => {
    const sitesOfPartition = sites.get(`${partition}`)?.map((site) => site - 1);
    return sitesOfPartition ?? capacities.map((_, site) => site);
  });
}

function referenceOptions({ grid, ...all }: Configuration, optionInput: GivenRunOptions): ReferenceOptions {
  const { policy, timeResolution, speedup, bandwidth, latency, multiSite, moldable, select, ...otherFields } =
    all;
  const { declaration, values: policyNumbers } = policy;
  const { moldableThreshold, multiSiteFactor, interval, passDelay, backfillInterval, ...planned } =
    otherFields;
  const { backfillOffset, planBy, endWindow, backfillOverlap, backfillResolution, ...limited } = planned;
  const { backfillJobs, backfillSegments, backfillWindow, passGap, ...nodes } = limited;
  const {
    processorsPerNode,
    releaseDelay,
    limit,
    halfLife,
    usageStep,
    usageOffset,
    usageCount,
    outages,
    partitionSites,
    ...otherNodes
  } = nodes;
  const half = backfillOffset === 'half' ? backfillInterval / 2 : backfillOffset;
  const undefinedIfNone = <Value>(optionValue: Value, none: Value) =>
    optionValue === none ? undefined : optionValue;
  const sitePairsOf = (pairedValue: Configuration['bandwidth']) =>
    pairedValue === 0
      ? undefined
      : sitePairsToMatrix(pairedValue, grid.capacities.length).map((row) => [...row]);
  return {
    ...otherNodes,
    passDelay: passDelay === 'none' ? undefined : parseCheckedPassDelay(passDelay),
    backfillInterval: undefinedIfNone(backfillInterval, 0),
    backfillOffset: backfillInterval === 0 ? undefined : half,
    planBy: planBy === 'node' ? planBy : undefined,
    endWindow: undefinedIfNone(endWindow, 0),
    closedOverlap: backfillOverlap === 'closed' ? true : undefined,
    backfillResolution: undefinedIfNone(backfillResolution, 0),
    backfillJobs: undefinedIfNone(backfillJobs, 0),
    backfillSegments: undefinedIfNone(backfillSegments, 0),
    backfillWindow: undefinedIfNone(backfillWindow, 0),
    outages: outages === 'none' ? undefined : selectSimulatedOutages({ outages, grid, planBy }, {}),
    partitions:
      partitionSites === NO_PARTITION_SITES_NOTATION ? undefined : partitionsOf(partitionSites, grid),
    passGap: undefinedIfNone(passGap, 0),
    processorsPerNode: undefinedIfNone(processorsPerNode, 1),
    releaseDelay: undefinedIfNone(releaseDelay, 0),
    limits: limit === NO_LIMITS_NOTATION ? undefined : limitsOf(limit),
    halfLife: secondsOfHalfLife(halfLife),
    usageStep,
    usageOffset,
    usageCount: usageCount === 'by-number' ? usageCount : undefined,
    order: printOrder(all.order),
    load: [...all.load],
    capacities: [...grid.capacities],
    speeds: [...grid.speeds],
    policy: declaration.name,
    parameters: Object.fromEntries(
      declaration.parameters.map(({ name: parameterName }, i) => [parameterName, policyNumbers[i]]),
    ),
    resolution: timeResolution,
    speedup: speedup === 'linear' ? undefined : { A: speedup.averageParallelism, sigma: speedup.sigma },
    multiSite: multiSite === 'none' ? undefined : multiSite,
    moldable: moldable === 'none' ? undefined : moldable,
    backfillOrder: all.backfillOrder === 'none' ? undefined : String(all.backfillOrder),
    select: optionInput.select === undefined || select === 'none' ? undefined : select,
    // Options frozen in version 0.1.0 name best-fit with every selection, which here counts as no policy.
    withPolicy:
      optionInput.policy !== undefined &&
      !(optionInput.policy === 'best-fit' && optionInput.select !== undefined),
    reservations: all.reservations === 'none' ? undefined : all.reservations,
    reservationDepth: undefinedIfNone(all.reservationDepth, 1),
    moldableThreshold: undefinedIfNone(moldableThreshold, 0),
    multiSiteFactor: undefinedIfNone(multiSiteFactor, 0),
    interval: undefinedIfNone(interval, 0),
    bandwidth: sitePairsOf(bandwidth),
    latency: sitePairsOf(latency),
  };
}

/**
 * Grids and settings: with estimates and submissions from the jobs, and with those determined
 * during the run.
 */
const RUNS = GRIDS.flatMap((grid) =>
  [{}, { recent: 1, dependencies: true }, { recent: 1, refresh: true }].map(
    (found) => [grid.capacities.length, found, grid] as const,
  ),
);

test.each(RUNS)(
  'pairs of options on %d sites, jobs with %j',
  (siteCount, jobOptions: Pick<ReferenceOptions, 'recent' | 'refresh' | 'dependencies'>, grid) => {
    const jobs = jobsOnSites(siteCount);
    const simulator = new Simulator(workloadOfReferenceJobs(jobs, 'jobs', jobOptions), 'checked');
    const { recent, refresh, dependencies } = jobOptions;
    const ofJobs = {
      ...(recent === undefined ? {} : { estimates: { source: 'recent', n: recent, refresh } }),
      ...(dependencies ? { dependencies } : {}),
    };
    const startsOfCore = (optionInput: GivenRunOptions) =>
      tryRun(() => {
        simulator.begin(makeUncheckedConfiguration(grid, optionInput));
        simulator.run();
        return [...simulator.schedule().start];
      }, InputError);
    const startsBySettings = new Map<string, ReturnType<typeof startsOfCore>>();
    const startsOf = (input: GivenRunOptions) => {
      const inputText = JSON.stringify(input);
      if (!startsBySettings.has(inputText)) startsBySettings.set(inputText, startsOfCore(input));
      return startsBySettings.get(inputText);
    };
    const countByOutcome = { run: 0, refused: 0, idle: 0 };
    for (const companionOptions of COMPANION_OPTIONS) {
      for (const [index, firstOptions] of CHOSEN_OPTIONS.entries()) {
        for (const secondOptions of sampleTestCases(CHOSEN_OPTIONS.slice(index), 27)) {
          const input: GivenRunOptions = { ...companionOptions, ...firstOptions, ...secondOptions };
          const inputName = JSON.stringify(input);
          const configuration = makeUncheckedConfiguration(grid, input);
          const optionEntries = { ...configuration, select: input.select ?? 'none' };
          if (input.policy === undefined) Object.assign(optionEntries, { policy: undefined });
          const brokenRule = findBrokenRule({ ...optionEntries, ...ofJobs }, nameOptionInLibrary, siteCount);
          const ruleBrokenAlone = findBrokenRule(optionEntries, nameOptionInLibrary, siteCount);
          const isRefused = tryRun(() => [makeConfiguration(grid, input).interval], InputError) === undefined;
          expect(isRefused, inputName).toBe(ruleBrokenAlone !== undefined);
          const startTimes = startsOf(input);
          const reference = tryRun(
            () => simulateReference(jobs, { ...referenceOptions(configuration, input), ...jobOptions }).start,
            Error,
          );
          if (brokenRule === undefined) {
            expect(startTimes, `core, ${inputName}`).toBeDefined();
            expect(reference, `reference, ${inputName}`).toEqual(startTimes);
            countByOutcome.run++;
          } else if (!brokenRule.rule.isIdle) {
            expect([startTimes, reference], inputName).toEqual([undefined, undefined]);
            countByOutcome.refused++;
          } else {
            // One of the options has no effect, unless another rule is violated as well.
            const smallerInputs = Object.keys(input).map((omittedKey) => {
              const { [omittedKey as RunKey]: _, ...otherFields } = input;
              return startsOf(otherFields);
            });
            if (startTimes !== undefined) expect(smallerInputs, inputName).toContainEqual(startTimes);
            countByOutcome.idle++;
          }
        }
      }
    }
    for (const times of Object.values(countByOutcome))
      expect(times).toBeGreaterThan(doesRunAllCases ? 100 : 20);
  },
  120_000,
);

test('every option of a run is tried', () => {
  const triedKeys = new Set(CHOSEN_OPTIONS.flatMap((input) => Object.keys(input)));
  expect([...triedKeys].sort()).toEqual(OPTIONS.map(([key]) => key).sort());
});
