import { expect, test } from 'vitest';
import { InputError } from '../../host/errors.js';
import { expandSitePairValuesToMatrix, makeGrid } from '../../host/grid/grid.js';
import {
  type Configuration,
  isBackfillingDiscipline,
  makeConfiguration,
  type RunOptionKey,
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
import { toSecondsOfHalfLife } from '../../host/options/shareOptions.js';
import { selectSimulatedOutages } from '../../host/simulate/outageColumns.js';
import { Simulator } from '../../host/simulate/simulator.js';
import { doesRunAllCases, sampleTestCases } from '../cases.js';
import { makeWorkloadOfReferenceJobs } from '../core/simulateCore.js';
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

type RunOptionInput = Pick<SimulationOptions, RunOptionKey>;

const OPTIONS = Object.entries(RUN_OPTIONS) as [RunOptionKey, Option<unknown>][];

const OPTIONS_TO_COMBINE: readonly RunOptionInput[] = OPTIONS.flatMap(
  ([key, { choices: optionChoices, default: defaultValue }]) =>
    (
      OPTION_SAMPLES[optionNameOfKey(key)].values ??
      (optionChoices ?? []).filter((word) => word !== defaultValue)
    ).map((value) => ({
      [key]: value,
    })),
);

/** Sets of options added to each tested combination: many options require them or exclude them. */
const COMPANION_OPTIONS: readonly RunOptionInput[] = [
  {},
  { discipline: 'easy' },
  { moldable: 'down' },
  { queue: 'per-home' },
  { queue: 'independent', discipline: 'conservative' },
  { discipline: 'conservative', policy: 'ai2' },
  { order: 'wait * wait / -estimate' },
  { discipline: 'easy', order: 'usage - wait / 10' },
];

const TESTED_GRIDS = [makeGrid({ capacities: [4, 6], speeds: [1, 2] }), makeGrid({ capacities: [6] })];

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
function makeJobsOnSites(siteCount: number): ReferenceJob[] {
  return JOBS.map((job, i) => ({
    ...job,
    home: i % siteCount,
    ...(i % 3 === 2 ? { preceding: i - 2, thinkTime: i % 2 } : {}),
  }));
}

/** Start times of a simulation; undefined if it is refused. */
function runUnlessRefused(
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
function makeUncheckedConfiguration(grid: Configuration['grid'], optionInput: RunOptionInput): Configuration {
  const optionEntries = Object.entries(optionInput).map(([key, value]) => {
    const option = RUN_OPTIONS[key as RunOptionKey] as unknown as Option<unknown>;
    return [key, option.check(value, key, grid)];
  });
  const configuration = { ...makeConfiguration(grid), ...Object.fromEntries(optionEntries) };
  const { discipline, queue } = configuration;
  const isSelectingSites =
    isBackfillingDiscipline(discipline) && queue !== 'independent' && optionInput.policy === undefined;
  const siteSelectionRule = isSelectingSites ? 'greedy' : 'none';
  return { ...configuration, select: optionInput.select ?? siteSelectionRule };
}

/** Limits as the reference simulator has them. */
function makeReferenceLimits(notation: string): RunningLimits {
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
function makeReferencePartitions(notation: string, { capacities }: Configuration['grid']): number[][] {
  const sites = parsePartitionSites(notation);
  return [1, 2].map((partition) => {
    const sitesOfPartition = sites.get(`${partition}`)?.map((site) => site - 1);
    return sitesOfPartition ?? capacities.map((_, site) => site);
  });
}

function makeReferenceOptionsOfRun(
  { grid, ...all }: Configuration,
  optionInput: RunOptionInput,
): ReferenceOptions {
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
  const offsetSeconds = backfillOffset === 'half' ? backfillInterval / 2 : backfillOffset;
  const replaceNoneByUndefined = <Value>(optionValue: Value, none: Value) =>
    optionValue === none ? undefined : optionValue;
  const makeSitePairMatrix = (valueOfSitePairs: Configuration['bandwidth']) =>
    valueOfSitePairs === 0
      ? undefined
      : expandSitePairValuesToMatrix(valueOfSitePairs, grid.capacities.length).map((row) => [...row]);
  return {
    ...otherNodes,
    passDelay: passDelay === 'none' ? undefined : parseCheckedPassDelay(passDelay),
    backfillInterval: replaceNoneByUndefined(backfillInterval, 0),
    backfillOffset: backfillInterval === 0 ? undefined : offsetSeconds,
    planBy: planBy === 'node' ? planBy : undefined,
    endWindow: replaceNoneByUndefined(endWindow, 0),
    closedOverlap: backfillOverlap === 'closed' ? true : undefined,
    backfillResolution: replaceNoneByUndefined(backfillResolution, 0),
    backfillJobs: replaceNoneByUndefined(backfillJobs, 0),
    backfillSegments: replaceNoneByUndefined(backfillSegments, 0),
    backfillWindow: replaceNoneByUndefined(backfillWindow, 0),
    outages: outages === 'none' ? undefined : selectSimulatedOutages({ outages, grid, planBy }, {}),
    partitions:
      partitionSites === NO_PARTITION_SITES_NOTATION
        ? undefined
        : makeReferencePartitions(partitionSites, grid),
    passGap: replaceNoneByUndefined(passGap, 0),
    processorsPerNode: replaceNoneByUndefined(processorsPerNode, 1),
    releaseDelay: replaceNoneByUndefined(releaseDelay, 0),
    limits: limit === NO_LIMITS_NOTATION ? undefined : makeReferenceLimits(limit),
    halfLife: toSecondsOfHalfLife(halfLife),
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
    reservationDepth: replaceNoneByUndefined(all.reservationDepth, 1),
    moldableThreshold: replaceNoneByUndefined(moldableThreshold, 0),
    multiSiteFactor: replaceNoneByUndefined(multiSiteFactor, 0),
    interval: replaceNoneByUndefined(interval, 0),
    bandwidth: makeSitePairMatrix(bandwidth),
    latency: makeSitePairMatrix(latency),
  };
}

/**
 * Grids and settings: with estimates and submissions from the jobs, and with those determined
 * during the run.
 */
const RUNS = TESTED_GRIDS.flatMap((grid) =>
  [{}, { recent: 1, dependencies: true }, { recent: 1, refresh: true }].map(
    (found) => [grid.capacities.length, found, grid] as const,
  ),
);

test.each(RUNS)(
  'pairs of options on %d sites, jobs with %j',
  (siteCount, optionsOfJobs: Pick<ReferenceOptions, 'recent' | 'refresh' | 'dependencies'>, grid) => {
    const jobs = makeJobsOnSites(siteCount);
    const simulator = new Simulator(makeWorkloadOfReferenceJobs(jobs, 'jobs', optionsOfJobs), 'checked');
    const { recent, refresh, dependencies } = optionsOfJobs;
    const ofJobs = {
      ...(recent === undefined ? {} : { estimates: { source: 'recent', n: recent, refresh } }),
      ...(dependencies ? { dependencies } : {}),
    };
    const simulateStartsInCore = (optionInput: RunOptionInput) =>
      runUnlessRefused(() => {
        simulator.begin(makeUncheckedConfiguration(grid, optionInput));
        simulator.run();
        return [...simulator.schedule().start];
      }, InputError);
    const cachedStartsByInput = new Map<string, ReturnType<typeof simulateStartsInCore>>();
    const simulateStartsOnce = (input: RunOptionInput) => {
      const inputText = JSON.stringify(input);
      if (!cachedStartsByInput.has(inputText))
        cachedStartsByInput.set(inputText, simulateStartsInCore(input));
      return cachedStartsByInput.get(inputText);
    };
    const caseCountByOutcome = { run: 0, refused: 0, idle: 0 };
    for (const companionOptions of COMPANION_OPTIONS) {
      for (const [index, firstOptions] of OPTIONS_TO_COMBINE.entries()) {
        for (const secondOptions of sampleTestCases(OPTIONS_TO_COMBINE.slice(index), 27)) {
          const input: RunOptionInput = { ...companionOptions, ...firstOptions, ...secondOptions };
          const inputName = JSON.stringify(input);
          const configuration = makeUncheckedConfiguration(grid, input);
          const optionEntries = { ...configuration, select: input.select ?? 'none' };
          if (input.policy === undefined) Object.assign(optionEntries, { policy: undefined });
          const brokenRule = findBrokenRule({ ...optionEntries, ...ofJobs }, nameOptionInLibrary, siteCount);
          const ruleBrokenAlone = findBrokenRule(optionEntries, nameOptionInLibrary, siteCount);
          const isConfigurationRefused =
            runUnlessRefused(() => [makeConfiguration(grid, input).interval], InputError) === undefined;
          expect(isConfigurationRefused, inputName).toBe(ruleBrokenAlone !== undefined);
          const startTimes = simulateStartsOnce(input);
          const startsOfReference = runUnlessRefused(
            () =>
              simulateReference(jobs, {
                ...makeReferenceOptionsOfRun(configuration, input),
                ...optionsOfJobs,
              }).start,
            Error,
          );
          if (brokenRule === undefined) {
            expect(startTimes, `core, ${inputName}`).toBeDefined();
            expect(startsOfReference, `reference, ${inputName}`).toEqual(startTimes);
            caseCountByOutcome.run++;
          } else if (!brokenRule.rule.isIdle) {
            expect([startTimes, startsOfReference], inputName).toEqual([undefined, undefined]);
            caseCountByOutcome.refused++;
          } else {
            // One of the options has no effect, unless another rule is violated as well.
            const startsWithOneOptionLess = Object.keys(input).map((omittedKey) => {
              const { [omittedKey as RunOptionKey]: _, ...otherFields } = input;
              return simulateStartsOnce(otherFields);
            });
            if (startTimes !== undefined)
              expect(startsWithOneOptionLess, inputName).toContainEqual(startTimes);
            caseCountByOutcome.idle++;
          }
        }
      }
    }
    for (const times of Object.values(caseCountByOutcome))
      expect(times).toBeGreaterThan(doesRunAllCases ? 100 : 20);
  },
  120_000,
);

test('every option of a run is tried', () => {
  const namesOfTriedOptions = new Set(OPTIONS_TO_COMBINE.flatMap((input) => Object.keys(input)));
  expect([...namesOfTriedOptions].sort()).toEqual(OPTIONS.map(([key]) => key).sort());
});
