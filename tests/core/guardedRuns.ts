/**
 * Draws simulations whose columns, options and capacities are independent, and lays them out in
 * guarded memory.
 */
import { expect } from 'vitest';
import { COLUMNS, JOB_COLUMNS } from '../../host/core/contract.js';
import type { Core } from '../../host/core/module.js';
import { SeededDraws } from '../reference/cases/draws.js';
import type { GuardedMemory } from './guardedMemory.js';

type ColumnName = keyof typeof COLUMNS;
type JobColumnName = keyof typeof JOB_COLUMNS;

/** Parameters of a random run. */
export interface DrawnRun {
  readonly seed: number;
  readonly jobs: number;
  readonly extras: number;
  readonly capacities: readonly number[];
  readonly options: readonly (readonly [number, number])[];
  /** Additional entries per kind of column, beyond those that the options need. */
  readonly spare: readonly (readonly [number, number])[];
}

/** Addresses of a job table and a simulation, and the size of the simulation in bytes. */
export interface LaidOutRun {
  readonly table: number;
  readonly block: number;
  readonly bytes: number;
}

/** Checks memory after a call with this name. */
type CheckAfterCall = (call: string) => void;

const UNUSUAL_NUMBERS = [
  Number.NaN,
  Infinity,
  -Infinity,
  -1,
  0,
  0.5,
  5e-324,
  1e-320,
  1e-251,
  1e16,
  1e101,
  1e299,
  1.7e308,
];
const UNUSUAL_INTEGERS = [-(2 ** 31), 2 ** 31 - 1, -1, 0, 1 << 24, 65_536, 99];
const DRAWN_PARAMETER_VALUES = [0, 0.05, 1, 1.5, 2, 20];
/** Number of policies in the core; `own` and `dynamic` are the last two. */
const CORE_POLICY_COUNT = 13;

/** Number of entries of each column that the host writes: a size of the layout times a factor. */
const SIZES_OF_HOST_COLUMNS = {
  Capacity: ['Sites', 1],
  Speed: ['Sites', 1],
  Load: ['Sites', 1],
  TimeFactor: ['Sites', 1],
  Bandwidth: ['Sites', 'Sites'],
  Latency: ['Sites', 'Sites'],
  Policies: ['Policies', 5],
  CandidateRules: ['Policies', 3],
  GivenChoice: ['Choices', 1],
  Key: ['Jobs', 1],
  BackfillKey: ['Jobs', 1],
  Program: ['Program', 2],
  ProgramInput: ['Jobs', 'ProgramInputs'],
  UserAccount: ['Jobs', 1],
  GroupAccount: ['Jobs', 1],
  LimitedUser: ['Jobs', 1],
  LimitedGroup: ['Jobs', 1],
  PieceOf: ['Jobs', 1],
  AccountLimit: ['Limits', 2],
  Outage: ['Outages', 5],
  OutageProcessor: ['Outages', 1],
  SetSite: ['SiteSets', 'Sites'],
} as const satisfies { readonly [Name in ColumnName]?: readonly unknown[] };
type WrittenColumnName = keyof typeof SIZES_OF_HOST_COLUMNS;

/**
 * Compiled expression of the queue order by twice the wait: the core's instructions 1, 4, 12 and 0 with their
 * arguments.
 */
const ORDER_PROGRAM = [4, 0, 1, 2, 12, 0, 0, 0];

/** Columns with integers. */
const INTEGER_COLUMNS: readonly string[] = [
  ...['GivenChoice', 'UserAccount', 'GroupAccount'],
  ...['LimitedUser', 'LimitedGroup', 'PieceOf', 'AccountLimit', 'OutageProcessor', 'SetSite'],
];

/** Draws a random, perhaps invalid value for an entry of a column of the core's simulation. */
function drawSimulationColumnEntry(
  columnName: WrittenColumnName,
  random: SeededDraws,
  index: number,
): number {
  if (columnName === 'Policies')
    return index % 5 === 0 ? random.below(11) : random.pick(DRAWN_PARAMETER_VALUES);
  if (columnName === 'CandidateRules') return random.below(index % 3 === 1 ? 4 : 9);
  if (columnName === 'GivenChoice') return random.below(2);
  if (columnName === 'Speed' || columnName === 'Load' || columnName === 'TimeFactor')
    return random.pick([1, 0.5, 2, 1.5]);
  if (columnName === 'Bandwidth') return random.pick([1, 1e6, Infinity]);
  if (columnName === 'Program') return ORDER_PROGRAM[index % ORDER_PROGRAM.length]!;
  if (columnName === 'UserAccount' || columnName === 'GroupAccount') return 0;
  if (columnName === 'LimitedUser') return random.below(2) - 1;
  if (columnName === 'LimitedGroup') return random.oneIn(4) ? 1 : -1;
  if (columnName === 'PieceOf' || columnName === 'OutageProcessor') return index;
  if (columnName === 'AccountLimit') return 1 + random.below(6);
  if (columnName === 'SetSite') return index % 3 === 0 ? 1 : random.below(2);
  // Site, begin, end, processors, whether it is planned.
  if (columnName === 'Outage')
    return [0, random.below(50), 60 + random.below(50), 1, random.below(2)][index % 5]!;
  return random.below(6);
}

/** Values of a simulation column. The first values do not depend on `entryCount`. */
function drawSimulationColumn(run: DrawnRun, name: WrittenColumnName, entryCount: number): number[] {
  if (name === 'Capacity') return run.capacities.slice(0, entryCount);
  const random = new SeededDraws(run.seed * 31 + Object.keys(SIZES_OF_HOST_COLUMNS).indexOf(name));
  const indexOfUnusualEntry = random.oneIn(60) ? random.below(4) : -1;
  return Array.from({ length: entryCount }, (_, index) => {
    const drawnEntry = drawSimulationColumnEntry(name, random, index);
    return index === indexOfUnusualEntry
      ? random.pick(INTEGER_COLUMNS.includes(name) ? UNUSUAL_INTEGERS : UNUSUAL_NUMBERS)
      : drawnEntry;
  });
}

/** Draws a value for an entry of a job column. */
function drawJobEntry(columnName: JobColumnName, random: SeededDraws, run: DrawnRun, job: number): number {
  if (columnName === 'Runtime' || columnName === 'Estimate')
    return random.pick([0, 1, 5, 20, 100, 0.1, 33.3]);
  if (columnName === 'Processors') return random.below(8) === 0 ? 1 + random.below(12) : 1 + random.below(4);
  if (columnName === 'Home') return random.below(run.capacities.length);
  if (columnName === 'Data') return random.pick([0, 10, 1e6]);
  if (columnName === 'User') return random.below(4) - 1;
  if (columnName === 'Patience') return random.pick([-1, -1, 0, 5, 60]);
  if (columnName === 'Sites') return random.below(3);
  if (columnName === 'Preceding') return job > 0 && random.oneIn(3) ? random.below(job) : -1;
  return columnName === 'FirstPiece' ? job : random.pick([0, 1, 7.5]);
}

/** Values of a job column. */
function drawJobColumn(run: DrawnRun, columnName: JobColumnName): number[] {
  const random = new SeededDraws(run.seed * 37 + Object.keys(JOB_COLUMNS).indexOf(columnName));
  const jobWithUnusualValue = random.oneIn(columnName === 'Runtime' ? 20 : 120) ? random.below(run.jobs) : -1;
  const isDouble = JOB_COLUMNS[columnName] === Float64Array;
  let submit = random.oneIn(10) ? 893_466_664 : 0;
  return Array.from({ length: run.jobs }, (_, job) => {
    submit += random.pick([0, 0, 1, 3, 10, 0.1]);
    const drawnEntry = columnName === 'Submit' ? submit : drawJobEntry(columnName, random, run, job);
    return job === jobWithUnusualValue
      ? random.pick(isDouble ? UNUSUAL_NUMBERS : UNUSUAL_INTEGERS)
      : drawnEntry;
  });
}

/** Draws a value for an option. */
function drawOptionValue(core: Core, random: SeededDraws, option: number): number {
  if (option === core.Option.Policy) return random.below(CORE_POLICY_COUNT);
  if (random.oneIn(40)) return random.pick(UNUSUAL_NUMBERS);
  if (option === core.Option.Interval) return random.pick([7, 30, 1000]);
  const isPolicyParameter = option < core.Option.Resolution || random.oneIn(8);
  return isPolicyParameter ? random.pick(DRAWN_PARAMETER_VALUES) : random.pick([1, 1, 1, 2, 2, 3, 4, 5]);
}

/** Draws the jobs, options and capacities of a simulation. */
export function drawRandomRun(core: Core, random: SeededDraws): DrawnRun {
  const { Option } = core;
  const hasManyEntries = random.oneIn(40);
  const siteCount = hasManyEntries ? 64 + random.below(10) : 1 + random.below(4);
  const options: [number, number][] = [];
  if (random.oneIn(2)) options.push([Option.Discipline, random.below(4)]);
  if (random.oneIn(3)) options.push([Option.Policy, random.below(CORE_POLICY_COUNT)]);
  for (
    let remainingOptionCount = random.pick([0, 0, 1, 1, 2, 3, 5]);
    remainingOptionCount > 0;
    remainingOptionCount--
  ) {
    const option = random.below(Option.COUNT);
    options.push([option, drawOptionValue(core, random, option)]);
  }
  if (random.oneIn(6)) options.push([Option.Open, 1]);
  if (random.oneIn(12)) options.push([Option.Cancellations, 2]);
  if (random.oneIn(12)) options.push([Option.Selection, 3], [Option.CandidateRules, 1 + random.below(4)]);
  // Random numbers are seldom valid parameters of the dynamic policy, so most runs get valid ones here.
  if (
    options.some(([option, value]) => option === Option.Policy && value === CORE_POLICY_COUNT - 1) &&
    !random.oneIn(4)
  ) {
    const parameterNumbers = [1 + random.below(5), 1 + random.below(3), 1, 0, random.pick([0, 0.5]), 1];
    const parameterOptions = [Option.Parameter0, Option.Parameter1, Option.Parameter2, Option.Parameter3];
    [...parameterOptions, Option.Parameter4, Option.Parameter5].forEach((option, i) => {
      options.push([option, parameterNumbers[i]]);
    });
  }
  return {
    seed: random.below(2 ** 30),
    jobs: random.oneIn(30) ? 260 + random.below(60) : 1 + random.below(30),
    extras: random.oneIn(2) ? 55 : random.below(64),
    capacities: random.times(siteCount, () => 1 + random.below(12)),
    options,
    spare: [],
  };
}

/** Copies a simulation and gives it larger capacities than it needs. */
export function addSpareCapacities(core: Core, random: SeededDraws, run: DrawnRun): DrawnRun {
  const roomKinds = Array.from({ length: core.Room.COUNT }, (_, roomKind) => roomKind).slice(core.Room.Runs);
  const roomChanceDivisor = random.pick([1, 2, 6, 12]);
  const extraCapacityByRoom = roomKinds
    .filter(() => random.oneIn(roomChanceDivisor))
    .map((roomKind) => [roomKind, 1 + random.below(70)] as const);
  return { ...run, spare: extraCapacityByRoom };
}

/** True for kinds of columns that are either present or absent, and have no other size. */
function isOptionalColumnKind(core: Core, columnKind: number): boolean {
  const { Runs, Parts, Stops, Reservations, Policies, Trials, Choices } = core.Room;
  const { Program, ProgramInputs, Users, Groups, Limits, Outages, NodePlan, SiteSets } = core.Room;
  const roomsThatCountEntries = [Runs, Parts, Stops, Reservations, Policies, Trials, Choices];
  return ![
    ...roomsThatCountEntries,
    Program,
    ProgramInputs,
    Users,
    Groups,
    Limits,
    Outages,
    NodePlan,
    SiteSets,
  ].includes(columnKind);
}

/**
 * Lays out and seals a job table; returns its address, or the name of the status that refused it.
 */
function layOutDrawnJobs(memory: GuardedMemory, random: SeededDraws, run: DrawnRun): number | string {
  const { core } = memory;
  const table = memory.nextAddress(random);
  if (!memory.reserveBlockAt(table, core.arrangeJobs(0, run.jobs, run.extras))) return 'no room';
  core.arrangeJobs(table, run.jobs, run.extras);
  for (const columnName of Object.keys(JOB_COLUMNS) as JobColumnName[]) {
    const address = core.jobColumnAddress(table, core.JobColumn[columnName]);
    if (address === 0 || columnName === 'Demand' || columnName === 'Row') continue;
    new JOB_COLUMNS[columnName](core.memory.buffer, address, run.jobs).set(drawJobColumn(run, columnName));
  }
  const status = isOpenRun(core, run) ? core.appendJobs(table, run.jobs) : core.sealJobs(table);
  return status === core.Status.Finished ? table : `seal ${status} job ${core.refusedJob(table)}`;
}

/** True if a drawn run has the option `Open`, so that jobs may be appended while it runs. */
function isOpenRun(core: Core, run: DrawnRun): boolean {
  return run.options.some(([option, value]) => option === core.Option.Open && value > 0);
}

/** Lays out a simulation for a job table and writes its columns. */
function layOutBlock(
  memory: GuardedMemory,
  random: SeededDraws,
  run: DrawnRun,
  table: number,
): LaidOutRun | string {
  const { core } = memory;
  const block = memory.nextAddress(random);
  core.prepare(block);
  for (const [option, value] of run.options) core.setOption(block, option, value);
  const processors = run.capacities.reduce((sum, capacity) => sum + capacity, 0);
  const status = core.fitRoom(block, run.jobs, run.capacities.length, processors);
  if (status !== core.Status.Finished)
    return `fit ${status} option ${core.scalar(block, core.Scalar.RefusedOption)}`;
  for (const [roomKind, addedCount] of run.spare) {
    const smallestCapacity = core.room(block, roomKind);
    core.setRoom(
      block,
      roomKind,
      isOptionalColumnKind(core, roomKind) ? Math.max(1, smallestCapacity) : smallestCapacity + addedCount,
    );
  }
  const bytesNeeded = core.arrange(block);
  if (bytesNeeded === 0 || !memory.reserveBlockAt(block, bytesNeeded)) return 'no room';
  // Fills memory that has not been written with random bytes, since the core must not rely on it.
  const bytesAfterBlockHead = memory
    .bytes({ address: block, bytes: bytesNeeded })
    .subarray(core.Limit.HeadBytes);
  if (random.oneIn(2)) bytesAfterBlockHead.fill(random.below(256));
  for (const columnName of Object.keys(SIZES_OF_HOST_COLUMNS) as WrittenColumnName[])
    writeColumn(core, run, block, columnName);
  return { table, block, bytes: bytesNeeded };
}

/** Writes a column of a simulation, if the layout has that column. */
function writeColumn(core: Core, run: DrawnRun, block: number, name: WrittenColumnName): void {
  const address = core.columnAddress(block, core.Column[name]);
  if (address === 0) return;
  const [ownerName, width] = SIZES_OF_HOST_COLUMNS[name];
  const entryWidth = typeof width === 'number' ? width : core.room(block, core.Room[width]);
  const entryCount = core.room(block, core.Room[ownerName]) * entryWidth;
  new COLUMNS[name][0](core.memory.buffer, address, entryCount).set(
    drawSimulationColumn(run, name, entryCount),
  );
}

/** Lays out a job table and a simulation. */
export function layOutRun(
  memory: GuardedMemory,
  random: SeededDraws,
  run: DrawnRun,
  checkAfterCall: CheckAfterCall,
): LaidOutRun | string {
  const table = layOutDrawnJobs(memory, random, run);
  checkAfterCall('sealJobs');
  if (typeof table === 'string') return table;
  const laidOutBlock = layOutBlock(memory, random, run, table);
  checkAfterCall('arrange');
  return laidOutBlock;
}

/** Runs a simulation to its end; decisions of the host follow best-fit. Returns the last status. */
function runToTheEnd(memory: GuardedMemory, { table, block }: LaidOutRun, checkCall: CheckAfterCall): number {
  const { core } = memory;
  const { Status, Scalar, Room } = core;
  for (;;) {
    const status = core.runUntil(block, table, Infinity);
    checkCall('runUntil');
    if (status === Status.Decision) {
      const decisionAddress = core.columnAddress(block, core.Column.Decision);
      const columnOfDecision = new Float64Array(core.memory.buffer, decisionAddress, core.Decision.COUNT);
      core.decide(block, table, columnOfDecision[core.Decision.BestFit]);
    } else if (status === Status.Keys) {
      const job = core.scalar(block, Scalar.KeyedJob);
      core.giveKeys(block, table, job % 3, -(job % 5));
    } else if (status === Status.LogFull) {
      const doubledLogCapacities = [Room.Runs, Room.Parts, Room.Stops].map(
        (roomKind) => 2 * core.room(block, roomKind),
      );
      memory.growMemoryBy(
        core.scalar(block, Scalar.Bytes) +
          8 * (doubledLogCapacities[0] + doubledLogCapacities[1]) +
          32 * doubledLogCapacities[2],
      );
      expect(
        core.extendLogs(block, doubledLogCapacities[0], doubledLogCapacities[1], doubledLogCapacities[2]),
      ).toBeGreaterThan(0);
    } else return status;
    checkCall('extendLogs');
  }
}

/** Result of a simulation: schedule and metrics, or the status that refused it. */
export function runAndReadResults(
  memory: GuardedMemory,
  laidOutRun: LaidOutRun | string,
  checkAfterCall: CheckAfterCall,
): unknown {
  if (typeof laidOutRun === 'string') return laidOutRun;
  const { core } = memory;
  const { Status, Scalar, Room } = core;
  const { table, block } = laidOutRun;
  const describeRefusal = (status: number) =>
    [
      status,
      ...[Scalar.RefusedJob, Scalar.RefusedSite, Scalar.RefusedOption].map((s) => core.scalar(block, s)),
    ].join(' ');
  const status = core.begin(block, table);
  checkAfterCall('begin');
  if (status !== Status.Finished) return `begin ${describeRefusal(status)}`;
  const end = runToTheEnd(memory, laidOutRun, checkAfterCall);
  if (end !== Status.Finished) return `end ${describeRefusal(end)}`;
  expect(core.measure(block, table)).toBe(Status.Finished);
  checkAfterCall('measure');
  const readColumn = <Name extends ColumnName>(name: Name, entryCount: number) =>
    Array.from(
      new COLUMNS[name][0](core.memory.buffer, core.columnAddress(block, core.Column[name]), entryCount),
    );
  const jobCapacity = core.room(block, Room.Jobs);
  const metrics = readColumn('Metric', core.Metric.COUNT);
  const metricNames = Object.entries(core.Metric).filter(
    ([, scalarKind]) => !Number.isFinite(metrics[scalarKind] ?? 0),
  );
  // Means over jobs are NaN if all jobs have been cancelled.
  if (metrics[core.Metric.Jobs] !== 0) expect(metricNames).toEqual([]);
  const valuesOfScalars = [Scalar.Trials, Scalar.Switches, Scalar.TriedJobs].map((scalarKind) =>
    core.scalar(block, scalarKind),
  );
  return [
    readColumn('Start', jobCapacity),
    readColumn('Execution', jobCapacity),
    readColumn('Site', jobCapacity),
    metrics,
    valuesOfScalars,
  ];
}

/** A simulation that has begun and is paused in the middle. */
export function layOutPausedRun(memory: GuardedMemory, random: SeededDraws) {
  const { core } = memory;
  const options = [
    [core.Option.Discipline, core.Discipline.Conservative],
    [core.Option.Selection, core.Selection.Allocator],
  ] as const;
  const fixedRunInput = { seed: 4, jobs: 30, extras: 0, capacities: [8, 12], options, spare: [] };
  const { table, block, bytes } = layOutRun(memory, random, fixedRunInput, () => undefined) as LaidOutRun;
  expect(core.begin(block, table)).toBe(core.Status.Finished);
  core.runUntil(block, table, 20);
  const tableByteCount = core.arrangeJobs(0, fixedRunInput.jobs, 0);
  return {
    places: [
      { address: table, bytes: tableByteCount },
      { address: block, bytes },
    ] as const,
  };
}

/**
 * Makes random calls on two simulations of the same jobs, also out of order and with invalid
 * numbers.
 */
export function callRandomFunctions(
  memory: GuardedMemory,
  random: SeededDraws,
  run: DrawnRun,
  check: CheckAfterCall,
): void {
  const { core } = memory;
  const { Option, Status } = core;
  const largerRun = addSpareCapacities(core, random, run);
  const table = layOutDrawnJobs(memory, random, run);
  if (typeof table === 'string') return;
  const laidOutRuns = [largerRun, random.oneIn(3) ? drawRandomRun(core, random) : largerRun].map((drawnRun) =>
    layOutBlock(memory, random, { ...drawnRun, jobs: run.jobs }, table),
  );
  const [firstBlock, secondBlock] = laidOutRuns.map((laidOutRun) =>
    typeof laidOutRun === 'string' ? -1 : laidOutRun.block,
  );
  if (firstBlock < 0 || secondBlock < 0) return;
  const lastLaidOutRun = laidOutRuns[1] as LaidOutRun;
  for (const block of [firstBlock, secondBlock]) core.begin(block, table);
  check('begin');
  const pickBlock = () => random.pick([firstBlock, secondBlock]);
  const drawSmallInteger = () => (random.oneIn(6) ? random.pick(UNUSUAL_INTEGERS) : random.below(12));
  const write = (name: WrittenColumnName) => {
    writeColumn(core, { ...run, seed: random.below(2 ** 30), capacities: run.capacities }, pickBlock(), name);
  };
  const actionByCallName: { readonly [callName: string]: () => unknown } = {
    runUntil: () =>
      core.runUntil(pickBlock(), table, random.pick([0, 5, 20, 40, Infinity, Infinity, Number.NaN, -1])),
    runToEnd: () =>
      core.scalar(secondBlock, core.Scalar.Bytes) === lastLaidOutRun.bytes &&
      runToTheEnd(memory, lastLaidOutRun, check),
    decide: () => core.decide(pickBlock(), table, drawSmallInteger() - 1),
    giveKeys: () => core.giveKeys(pickBlock(), table, random.pick(UNUSUAL_NUMBERS), drawSmallInteger()),
    isFeasible: () => core.isFeasible(pickBlock(), table, drawSmallInteger()),
    lookAhead: () => core.lookAhead(pickBlock(), table, drawSmallInteger(), random.below(3)),
    nextInQueue: () => core.nextInQueue(pickBlock(), table, drawSmallInteger() - 1),
    setOption: () => {
      const option = random.below(Option.COUNT);
      core.setOption(pickBlock(), option, drawOptionValue(core, random, option));
    },
    changePolicy: () => {
      const block = pickBlock();
      core.setOption(block, Option.Policy, random.below(CORE_POLICY_COUNT));
      if (random.oneIn(2))
        core.setOption(
          block,
          Option.Parameter0,
          random.pick([...DRAWN_PARAMETER_VALUES, ...UNUSUAL_NUMBERS]),
        );
      core.changePolicy(block, table);
    },
    changeRules: () =>
      core.changeRules(
        pickBlock(),
        table,
        random.below(5),
        random.below(11),
        random.oneIn(3) ? drawSmallInteger() : 0,
      ),
    write: () => write(random.pick(Object.keys(SIZES_OF_HOST_COLUMNS) as WrittenColumnName[])),
    changeSpeeds: () => {
      write('Speed');
      core.changeSpeeds(pickBlock(), table);
    },
    changeOutages: () => {
      write('Outage');
      core.changeOutages(pickBlock(), table);
    },
    fork: () => core.fork(firstBlock, secondBlock, table),
    forkBack: () => core.fork(secondBlock, firstBlock, table),
    sameState: () => core.sameState(firstBlock, secondBlock, table),
    copy: () => {
      const sizesOfBothBlocks = [firstBlock, secondBlock].map((block) =>
        core.scalar(block, core.Scalar.Bytes),
      );
      if (sizesOfBothBlocks[0] !== sizesOfBothBlocks[1]) return;
      memory
        .bytes({ address: secondBlock, bytes: sizesOfBothBlocks[0] })
        .set(memory.bytes({ address: firstBlock, bytes: sizesOfBothBlocks[0] }));
    },
    measure: () => core.measure(pickBlock(), table),
    runTogether: () => core.runTogether(pickBlock(), table),
    appendJobs: () => core.appendJobs(table, drawSmallInteger()),
    withdrawJobs: () => core.withdrawJobs(table),
    takeJobs: () => core.takeJobs(pickBlock(), table),
    endJob: () =>
      core.endJob(pickBlock(), table, drawSmallInteger(), random.pick([0, 5, 20, 40, Infinity, Number.NaN])),
    removeJob: () =>
      core.removeJob(pickBlock(), table, drawSmallInteger(), random.pick([0, 5, 20, 40, Infinity, -1])),
    holdJob: () => core.holdJob(pickBlock(), table, drawSmallInteger() - 1),
    releaseJob: () => core.releaseJob(pickBlock(), table, drawSmallInteger() - 1),
    runEvents: () => core.runEvents(pickBlock(), table, drawSmallInteger() - 1),
    changeEstimate: () =>
      core.changeEstimate(
        pickBlock(),
        table,
        drawSmallInteger() - 1,
        random.pick([0, 1, 5, 20, 100, 33.3, ...UNUSUAL_NUMBERS]),
      ),
    compact: () => core.compact(pickBlock(), table),
    closeRun: () => core.closeRun(pickBlock(), table),
    nextEventTime: () => core.nextEventTime(pickBlock(), table),
    measureTogether: () => core.measureTogether(pickBlock(), table, drawSmallInteger()),
    liveBytes: () => core.liveBytes(pickBlock()),
    scalar: () => core.scalar(pickBlock(), drawSmallInteger()),
    columnAddress: () => core.columnAddress(pickBlock(), random.below(60)),
    begin: () => core.begin(pickBlock(), table),
    seal: () => {
      const name = random.pick(['Submit', 'Runtime', 'Estimate', 'Processors', 'Home'] as const);
      const column = new JOB_COLUMNS[name](
        core.memory.buffer,
        core.jobColumnAddress(table, core.JobColumn[name]),
        run.jobs,
      );
      const jobIndex = random.below(run.jobs);
      const valueBefore = column[jobIndex];
      column[jobIndex] = random.pick(JOB_COLUMNS[name] === Float64Array ? UNUSUAL_NUMBERS : UNUSUAL_INTEGERS);
      core.sealJobs(table);
      check('sealJobs');
      if (random.oneIn(8)) return;
      column[jobIndex] = valueBefore;
      core.sealJobs(table);
    },
    extendLogs: () => {
      const bytes = core.scalar(secondBlock, core.Scalar.Bytes);
      if (bytes === 0 || !(bytes >= lastLaidOutRun.bytes)) return;
      const addedCount = random.below(50);
      memory.growMemoryBy(bytes + 48 * addedCount);
      const drawLogCapacity = (name: 'Runs' | 'Parts' | 'Stops') =>
        core.room(secondBlock, core.Room[name]) + random.below(addedCount + 1);
      const bytesAfterLogExtension = core.extendLogs(
        secondBlock,
        drawLogCapacity('Runs'),
        drawLogCapacity('Parts'),
        drawLogCapacity('Stops'),
      );
      memory.growMemoryBy(bytesAfterLogExtension === 0 ? bytes : bytesAfterLogExtension);
    },
  };
  // Runs of complete job tables do not check that jobs placed at the beginning are still running.
  if (isOpenRun(core, run) && random.oneIn(2))
    callRandomStateFunctions(core, random, [firstBlock, table, run.jobs], check);
  const metricNames = Object.keys(actionByCallName);
  for (let remainingEventCount = 4 + random.below(16); remainingEventCount > 0; remainingEventCount--) {
    const metricName = random.pick(metricNames);
    actionByCallName[metricName]();
    check(metricName);
  }
  // After a write to sealed columns the core must refuse to use them.
  if (core.sealJobs(table) === Status.Finished) core.begin(firstBlock, table);
}

/**
 * Makes random calls that put jobs into the state from which a run begins. Of jobs that already run, the host
 * must not write the results.
 */
function callRandomStateFunctions(
  core: Core,
  random: SeededDraws,
  [block, table, jobs]: readonly [block: number, table: number, jobs: number],
  check: CheckAfterCall,
): void {
  const drawSmallInteger = () => random.below(12) - 1;
  const time = () => random.pick([0, 5, 20, 40, 90, Infinity, Number.NaN]);
  let firstWritableJob = 0;
  for (let remainingEventCount = random.below(16); remainingEventCount > 0; remainingEventCount--) {
    const callName = random.pick(['placeJob', 'placeJob', 'write', 'reserveJob', 'takeState']);
    if (
      callName === 'placeJob' &&
      core.placeJob(block, table, random.below(3), time()) === core.Status.Finished
    )
      firstWritableJob++;
    if (callName === 'reserveJob')
      core.reserveJob(block, table, drawSmallInteger(), drawSmallInteger(), time());
    if (callName === 'takeState') {
      core.takeState(block, table, time());
      firstWritableJob = jobs;
    }
    if (callName === 'write' && firstWritableJob < jobs) {
      const job = firstWritableJob + random.below(jobs - firstWritableJob);
      new Float64Array(core.memory.buffer, core.columnAddress(block, core.Column.Start), jobs)[job] = time();
      new Int32Array(core.memory.buffer, core.columnAddress(block, core.Column.Site), jobs)[job] =
        drawSmallInteger();
    }
    check(callName);
  }
}
