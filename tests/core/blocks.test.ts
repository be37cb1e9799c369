import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  Blocks,
  type CoreJobs,
  CoreRun,
  instantiateCore,
  makeJobs,
  type RunSettings,
} from '../../host/core/host.js';
import { ADDRESS_ALIGNMENT, MEMORY_PAGE_BYTES, type MemoryBlock } from '../../host/core/memory.js';
import { coreFile } from '../../host/files/coreFile.js';
import { computeUniformNumberOfSeed } from '../../host/math/random.js';

/**
 * Tests job tables and simulations in the memory of one core: created and removed in any order, they must not
 * affect each other.
 */

const module = new WebAssembly.Module(readFileSync(coreFile('release')));

/** Pseudo-random generator by a seed: each call returns a whole number from 0 to `bound` - 1. */
function makeSeededGenerator(seed: number): (bound: number) => number {
  let drawnNumberCount = 0;
  return (bound) => Math.floor(bound * computeUniformNumberOfSeed(seed, ++drawnNumberCount));
}

const BLOCK_TEST_MEMORY_BYTES = 8 * MEMORY_PAGE_BYTES;

test('blocks that are allocated, grown and freed never overlap, keep their contents, and leave everything free', () => {
  for (let seed = 1; seed <= 40; seed++) {
    const drawBelow = makeSeededGenerator(seed);
    const core = instantiateCore(module);
    const firstAddress = Math.ceil(core.firstAddress() / ADDRESS_ALIGNMENT) * ADDRESS_ALIGNMENT;
    const blocks = new Blocks(core, core.firstAddress(), BLOCK_TEST_MEMORY_BYTES);
    const live = new Map<MemoryBlock, number>();
    const viewBytesOfBlock = ({ address, bytes }: MemoryBlock) =>
      new Uint8Array(core.memory.buffer, address, bytes);
    for (let stepNumber = 0; stepNumber < 300; stepNumber++) {
      const liveBlocks = [...live.keys()];
      const block =
        drawBelow(3) > 0 || liveBlocks.length === 0
          ? { address: 0, bytes: 0 }
          : liveBlocks[drawBelow(liveBlocks.length)];
      if (live.has(block) && drawBelow(2) === 0) {
        blocks.release(block);
        live.delete(block);
        expect(block).toEqual({ address: 0, bytes: 0 });
      } else {
        const requestedBytes = block.bytes + 1 + drawBelow(1 << drawBelow(16));
        const blockBefore = { ...block };
        try {
          blocks.enlarge(block, requestedBytes);
        } catch (error) {
          expect(String(error)).toContain('MemoryMissing');
          expect(block).toEqual(blockBefore);
          continue;
        }
        expect(block.bytes).toBeGreaterThanOrEqual(requestedBytes);
        const markByteOfBlock = live.get(block);
        if (markByteOfBlock !== undefined) {
          expect(
            viewBytesOfBlock(block)
              .subarray(0, blockBefore.bytes)
              .every((byte) => byte === markByteOfBlock),
          ).toBe(true);
        }
        live.set(block, stepNumber & 255);
        viewBytesOfBlock(block).fill(stepNumber & 255);
      }
      const blocksInAddressOrder = [...live.keys()].sort((a, b) => a.address - b.address);
      blocksInAddressOrder.forEach(({ address }, i) => {
        const end =
          i === 0 ? firstAddress : blocksInAddressOrder[i - 1].address + blocksInAddressOrder[i - 1].bytes;
        if (address < end || address % ADDRESS_ALIGNMENT > 0)
          throw new Error(`seed ${seed}, step ${stepNumber}: blocks overlap at ${address}`);
      });
    }
    for (const [block, sign] of live)
      expect(viewBytesOfBlock(block).every((byte) => byte === sign)).toBe(true);
    for (const block of live.keys()) blocks.release(block);
    const blockOfWholeMemory = { address: 0, bytes: 0 };
    blocks.enlarge(blockOfWholeMemory, BLOCK_TEST_MEMORY_BYTES - firstAddress);
    expect(blockOfWholeMemory).toEqual({
      address: firstAddress,
      bytes: BLOCK_TEST_MEMORY_BYTES - firstAddress,
    });
  }
});

/** Draws jobs, options and sites of a simulation from a seeded generator. */
function drawJobs(drawCount: (count: number) => number) {
  const sampleCount = 5 + drawCount(200);
  const drawMany = (makeValue: () => number) => Array.from({ length: sampleCount }, makeValue);
  let time = 0;
  return {
    Submit: drawMany(() => (time += drawCount(20))),
    Runtime: drawMany(() => 1 + drawCount(300)),
    Processors: drawMany(() => 1 + drawCount(8)),
    Home: drawMany(() => drawCount(2)),
  };
}

const RUN_SETTINGS_VARIANTS: readonly Pick<RunSettings, 'policy' | 'options'>[] = [
  { policy: 'best-fit' },
  { policy: 'ai2', options: { Order: 'Shortest' } },
  { policy: 'ti', options: { Discipline: 'Easy' } },
  { options: { Discipline: 'Conservative', Selection: 'Greedy' } },
  { options: { Discipline: 'Easy', MultiSiteFactor: 1.1, Selection: 'Greedy' } },
  { options: { Topology: 'PerHome', Reclaim: 1 } },
];

/** A simulation in progress, with its job table and the settings that reproduce it. */
interface TrackedCoreRun {
  readonly run: CoreRun;
  readonly table: JobTableWithColumns;
  readonly settings: RunSettings;
}

interface JobTableWithColumns {
  readonly jobs: CoreJobs;
  readonly columns: ReturnType<typeof drawJobs>;
}

/** Runs a simulation to its end and returns its result columns. */
function readResultsOfRun(run: CoreRun): unknown {
  run.run();
  return [...(['Start', 'Execution', 'Site', 'Metric'] as const).map((name) => [...run.column(name)])];
}

test('tables and runs of one core, made and freed in any order, give what each gives alone', () => {
  for (let seed = 1; seed <= 25; seed++) {
    const drawBelow = makeSeededGenerator(1000 + seed);
    const core = instantiateCore(module);
    const tables: JobTableWithColumns[] = [];
    const runs: TrackedCoreRun[] = [];
    const addJobTable = () => {
      const columns = drawJobs(drawBelow);
      tables.push({ jobs: makeJobs(core, columns), columns });
    };
    addJobTable();
    for (let stepNumber = 0; stepNumber < 120; stepNumber++) {
      const runIndex = drawBelow(Math.max(1, runs.length));
      const chosenRun = runs[runIndex];
      switch (drawBelow(8)) {
        case 0:
          addJobTable();
          break;
        case 1: {
          // The simulations of a table are removed with the table.
          if (tables.length === 1) break;
          const [table] = tables.splice(drawBelow(tables.length), 1);
          for (const run of runs.filter((run) => run.table === table)) {
            run.run.dispose();
            runs.splice(runs.indexOf(run), 1);
          }
          table.jobs.dispose();
          break;
        }
        case 2:
        case 3: {
          const table = tables[drawBelow(tables.length)];
          const sites = { Capacity: [8 + drawBelow(9), 8 + drawBelow(9)], Speed: [1, 1 + drawBelow(3)] };
          const settings = { sites, ...RUN_SETTINGS_VARIANTS[drawBelow(RUN_SETTINGS_VARIANTS.length)] };
          const run = new CoreRun(table.jobs);
          run.begin(settings);
          runs.push({ run, table, settings });
          break;
        }
        case 4:
          chosenRun?.run.runUntil(drawBelow(2000));
          break;
        case 5:
          if (chosenRun) runs.push({ ...chosenRun, run: chosenRun.run.fork() });
          break;
        case 6:
          if (chosenRun) {
            chosenRun.run.dispose();
            runs.splice(runIndex, 1);
          }
          break;
        default:
          chosenRun?.run.begin(chosenRun.settings);
      }
    }
    const addressesAndSizesInUse = [
      ...tables.map(({ jobs }) => [jobs.table, core.arrangeJobs(0, jobs.count, 0)]),
      ...runs.map(({ run }) => [run.block, run.scalar('Bytes')]),
    ].sort(([a], [b]) => a - b);
    addressesAndSizesInUse.slice(1).forEach(([address], i) => {
      expect(address).toBeGreaterThanOrEqual(addressesAndSizesInUse[i][0] + addressesAndSizesInUse[i][1]);
    });
    for (const { run, table, settings } of runs) {
      const separateRun = new CoreRun(makeJobs(instantiateCore(module), table.columns));
      separateRun.begin(settings);
      expect(readResultsOfRun(run)).toEqual(readResultsOfRun(separateRun));
    }
  }
});

test('freed memory is used again, and freeing what is still in use is refused', () => {
  const core = instantiateCore(module);
  const columns = drawJobs(makeSeededGenerator(7));
  const jobs = makeJobs(core, columns);
  const run = new CoreRun(jobs);
  const settings = { sites: { Capacity: [8, 8], Speed: [1, 1] } };
  run.begin(settings);
  run.fork().dispose();
  const { byteLength } = core.memory.buffer;
  for (let i = 0; i < 2000; i++) {
    run.fork().dispose();
    makeJobs(core, columns).dispose();
    expect(() => makeJobs(core, { ...columns, Runtime: columns.Runtime.map(() => -1) })).toThrow('Job 0');
  }
  expect(core.memory.buffer.byteLength).toBe(byteLength);

  const otherRun = new CoreRun(jobs);
  expect(() => otherRun.fork()).toThrow('NoSimulation');
  run.dispose();
  expect(run.block).toBe(0);
  expect(run.column('Start').length).toBe(0);
  expect(() => run.runUntil(5)).toThrow('NoSimulation');
  run.begin(settings);
  run.run();
  jobs.dispose();
  expect(jobs.table).toBe(0);
  expect(() => run.runUntil(5)).toThrow('NoJobTable');
  expect(() => run.begin(settings)).toThrow('NoJobTable');
});

test('of instances on one memory, one owns it', () => {
  const memory = new WebAssembly.Memory({ initial: 2, maximum: 65536, shared: true });
  const sharedModule = new WebAssembly.Module(readFileSync(coreFile('shared')));
  const [core, otherCore] = [instantiateCore(sharedModule, memory), instantiateCore(sharedModule, memory)];
  expect(Blocks.of(core)).toBe(Blocks.of(otherCore));
  const [columns, otherColumns] = [drawJobs(makeSeededGenerator(8)), drawJobs(makeSeededGenerator(9))];
  const settings = { sites: { Capacity: [8, 8], Speed: [1, 1] } };
  const runs = [makeJobs(core, columns), makeJobs(otherCore, otherColumns)].map((jobs) => new CoreRun(jobs));
  for (const run of runs) run.begin(settings);
  const separateRuns = [columns, otherColumns].map(
    (columns) => new CoreRun(makeJobs(instantiateCore(module), columns)),
  );
  for (const run of separateRuns) run.begin(settings);
  expect(runs.map(readResultsOfRun)).toEqual(separateRuns.map(readResultsOfRun));
});
