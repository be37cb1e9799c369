import { expect, test } from 'vitest';
import { type Core, type CoreOption, openCore } from '../../host/core/module.js';
import {
  type Enumeration,
  enumerations,
  findMembersOfEnumeration,
  parseCalls,
  parseOptionKind,
} from '../../scripts/contract.js';
import { doesRunCoverRareCases, listCaseSeeds, RANDOM_TEST_TIMEOUT_MILLISECONDS } from '../cases.js';
import { SeededDraws } from '../reference/cases/draws.js';
import {
  computeArenaAddresses,
  fillJobTable,
  fillSiteColumns,
  LOW_LEVEL_JOBS,
  LOW_LEVEL_SITES,
  type TableAndBlockAddresses,
  TEST_ARENA_BYTES,
} from './lowLevel.js';

/**
 * Random sequences of calls of the release build, with random arguments and addresses: none may
 * trap, refused calls may change nothing, and a simulation begun again must not depend on earlier
 * contents.
 */

const SEEDS = listCaseSeeds(2000);

/** Arguments for random calls, valid and invalid; none makes a block reach into the next. */
const RANDOM_CALL_ARGUMENTS = [
  ...[0, 1, 2, 3, 5, 7, 8, 12, 24, 0.5, 1.1, -1, 99, 1e8, 2 ** 31, -(2 ** 31), 1e300],
  ...[Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
];

const CALLABLE_FUNCTIONS = parseCalls();
const enumerationsByName = new Map<string, Enumeration>(
  enumerations().map((enumeration) => [enumeration.name, enumeration]),
);

/** Functions that lay out a new block at an address, whatever is stored there. */
const BLOCK_PREPARING_FUNCTION_NAMES = ['prepare', 'arrangeJobs'];

const OPTIONS_WITH_VALUE_KINDS = findMembersOfEnumeration('Option').map(
  (option) => [option.name as CoreOption, parseOptionKind(option)] as const,
);

/** Draws options, which may or may not be compatible. */
function drawOptions(random: SeededDraws): [CoreOption, number][] {
  const chosenOptions = Array.from({ length: random.below(5) }, () => random.pick(OPTIONS_WITH_VALUE_KINDS));
  return chosenOptions.map(([name, { kind: optionKind, choices: kindChoices, plus = 0 }]) => {
    if (optionKind === 'policy') return [name, random.below(12)];
    if (optionKind === 'switch') return [name, 1];
    if (optionKind === 'choice')
      return [name, random.below((enumerationsByName.get(kindChoices!)?.members.length ?? 0) + plus)];
    return [name, random.pick([0, 0.05, 1, 1.5, 2, 20])];
  });
}

/** Lays out and begins a simulation; returns the status. */
function layOutAndBeginSimulation(
  core: Core,
  { table, block }: TableAndBlockAddresses,
  options: readonly [CoreOption, number][],
): number {
  fillJobTable(core, table);
  core.prepare(block);
  for (const [name, value] of options) core.setOption(block, core.Option[name], value);
  const status = core.fitRoom(block, LOW_LEVEL_JOBS.length, LOW_LEVEL_SITES.length, 12);
  if (status !== core.Status.Finished || core.arrange(block) > TEST_ARENA_BYTES / 2) return -1;
  fillSiteColumns(core, block);
  const keyAddress = core.columnAddress(block, core.Column.Key);
  if (keyAddress !== 0)
    new Float64Array(core.memory.buffer, keyAddress, LOW_LEVEL_JOBS.length).set(
      LOW_LEVEL_JOBS.map((_, i) => -i),
    );
  return core.begin(block, table);
}

/**
 * Runs to the end; returns starts, executions, sites and metrics, or the status that stopped the
 * simulation.
 */
function runToEnd(core: Core, { table, block }: TableAndBlockAddresses): unknown {
  for (let status = -1; ; ) {
    status = core.runUntil(block, table, Number.POSITIVE_INFINITY);
    if (status === core.Status.Decision) {
      const address = core.columnAddress(block, core.Column.Decision);
      const [, , bestFit] = new Float64Array(core.memory.buffer, address, core.Decision.COUNT);
      status = core.decide(block, table, bestFit);
      if (status === core.Status.Finished) continue;
    }
    if (status === core.Status.Keys) {
      const job = core.scalar(block, core.Scalar.KeyedJob);
      if (core.giveKeys(block, table, -job, job) === core.Status.Finished) continue;
    }
    if (status !== core.Status.Finished) return status;
    core.measure(block, table);
    const readDoubles = (columnName: 'Start' | 'Execution' | 'Metric', doubleCount: number) => [
      ...new Float64Array(
        core.memory.buffer,
        core.columnAddress(block, core.Column[columnName]),
        doubleCount,
      ),
    ];
    const site = new Int32Array(
      core.memory.buffer,
      core.columnAddress(block, core.Column.Site),
      LOW_LEVEL_JOBS.length,
    );
    const { length } = LOW_LEVEL_JOBS;
    return [
      readDoubles('Start', length),
      readDoubles('Execution', length),
      [...site],
      readDoubles('Metric', core.Metric.COUNT),
    ];
  }
}

/** Makes one random call; it may change only the blocks of the simulations in `openSimulations`. */
function callRandomFunction(
  core: Core,
  random: SeededDraws,
  openSimulations: readonly TableAndBlockAddresses[],
  addressesOfClosedRun: TableAndBlockAddresses,
): void {
  const { name: callName, parameters } = random.pick(CALLABLE_FUNCTIONS);
  const addressesOfSimulations = openSimulations.flatMap(({ table, block }) => [table, block]);
  const bytes = core.memory.buffer.byteLength;
  const drawAddressInside = () => 16 * random.below(bytes / 16);
  const invalidAddresses = [
    0,
    8,
    core.firstAddress() - 16,
    bytes,
    bytes - 16,
    -16,
    2 ** 31,
    2 ** 32 - 1,
    addressesOfSimulations[0] + 8,
  ];
  const isLayoutCall = BLOCK_PREPARING_FUNCTION_NAMES.includes(callName);
  const argumentValues = parameters.map(({ type: callType }, position) => {
    const enumNumbers = enumerationsByName.get(callType);
    if (enumNumbers !== undefined)
      return random.oneIn(6)
        ? random.pick(RANDOM_CALL_ARGUMENTS)
        : random.below(enumNumbers.members.length + 1);
    if (callType !== 'usize') return random.oneIn(3) ? random.below(50) : random.pick(RANDOM_CALL_ARGUMENTS);
    if (random.oneIn(isLayoutCall ? 4 : 3))
      return random.pick(isLayoutCall || random.oneIn(2) ? invalidAddresses : [drawAddressInside()]);
    // As the second block of a call (a job table or a source), the blocks of the protected place
    // are valid, too.
    return position > 0 && random.oneIn(4) ? addressesOfClosedRun.block : random.pick(addressesOfSimulations);
  });
  // A call that would overwrite the protected simulation with a fork is left out.
  if (callName === 'fork' && argumentValues[1] === addressesOfClosedRun.block) return;
  (core as unknown as Record<string, (...words: number[]) => number>)[callName](...argumentValues);
}

test(
  `${SEEDS.length} random sequences of calls neither trap, nor change others, nor leave anything behind`,
  () => {
    const core = openCore();
    const freshCore = openCore();
    const addressesOfThreeArenas = [0, 1, 2].map((arenaAddress) => computeArenaAddresses(core, arenaAddress));
    const [shutArena, firstArena, secondArena] = addressesOfThreeArenas;
    let [finished, refusedCount] = [0, 0];
    for (const seed of SEEDS) {
      const random = new SeededDraws(seed);
      const options = drawOptions(random);
      const addressesInFreshCore = computeArenaAddresses(freshCore, 0);
      const hasBegunInFreshCore =
        layOutAndBeginSimulation(freshCore, addressesInFreshCore, options) === freshCore.Status.Finished;
      const resultInFreshCore = hasBegunInFreshCore ? runToEnd(freshCore, addressesInFreshCore) : 'refused';
      // One simulation pauses in the middle while random calls act on others.
      const hasSimulationBegun = layOutAndBeginSimulation(core, shutArena, options) === core.Status.Finished;
      expect(hasSimulationBegun, `seed ${seed}`).toBe(hasBegunInFreshCore);
      if (hasSimulationBegun) core.runUntil(shutArena.block, shutArena.table, random.below(60));
      for (const addressesOfArena of [firstArena, secondArena]) {
        if (!random.oneIn(3)) layOutAndBeginSimulation(core, addressesOfArena, drawOptions(random));
      }
      for (let eventStep = random.below(30); eventStep >= 0; eventStep--)
        callRandomFunction(core, random, [firstArena, secondArena], shutArena);
      if (hasSimulationBegun)
        expect(runToEnd(core, shutArena), `seed ${seed}, ${JSON.stringify(options)}`).toEqual(
          resultInFreshCore,
        );
      const status =
        layOutAndBeginSimulation(core, firstArena, options) === core.Status.Finished
          ? runToEnd(core, firstArena)
          : 'refused';
      expect(status, `seed ${seed}, ${JSON.stringify(options)}`).toEqual(resultInFreshCore);
      if (Array.isArray(resultInFreshCore)) finished++;
      else refusedCount++;
    }
    if (!doesRunCoverRareCases) return;
    expect(finished).toBeGreaterThan(SEEDS.length / 3);
    expect(refusedCount).toBeGreaterThan(SEEDS.length / 50);
  },
  RANDOM_TEST_TIMEOUT_MILLISECONDS,
);
