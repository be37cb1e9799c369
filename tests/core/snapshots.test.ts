import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { CoreRun, instantiateCore, makeJobs } from '../../host/core/host.js';
import type { CoreBuild } from '../../host/core/module.js';
import { coreFile } from '../../host/files/coreFile.js';
import { computeUniformNumberOfSeed } from '../../host/math/random.js';
import { Simulator } from '../../host/simulate/simulator.js';
import { sampleTestCases } from '../cases.js';
import { expectSame } from '../expectSame.js';
import { randomAllocatorCase } from '../reference/cases/allocators.js';
import { randomBackfillingCase } from '../reference/cases/backfilling.js';
import { randomCoallocationCase } from '../reference/cases/coallocation.js';
import { randomKeptCase } from '../reference/cases/keptReservations.js';
import { randomLoadSharingCase } from '../reference/cases/loadSharing.js';
import { randomMoldableCase } from '../reference/cases/moldable.js';
import { randomRecentCase } from '../reference/cases/recent.js';
import { makeConfigurationFromReference, makeWorkloadOfReferenceJobs } from './simulateCore.js';

/**
 * Tests the check sums of snapshots: damaged or truncated snapshots, and those of another build, must be
 * refused.
 */

const binary = readFileSync(coreFile('release'));

const SNAPSHOT_CASE_KINDS = {
  allocators: randomAllocatorCase,
  backfilling: randomBackfillingCase,
  coallocation: randomCoallocationCase,
  'load sharing': randomLoadSharingCase,
  moldable: randomMoldableCase,
  'kept reservations': randomKeptCase,
  'estimates by recent jobs': randomRecentCase,
};

/** Pseudo-random generator by a seed: each call returns a whole number from 0 to `bound` - 1. */
function seededGenerator(seed: number): (bound: number) => number {
  let drawnNumberCount = 0;
  return (bound) => Math.floor(bound * computeUniformNumberOfSeed(seed, ++drawnNumberCount));
}

test.each(Object.entries(SNAPSHOT_CASE_KINDS))(
  'damaged snapshots of %s are refused, intact ones continue',
  (_, drawCaseOfKind) => {
    for (let seed = 1; seed <= 6; seed++) {
      const drawBelow = seededGenerator(seed);
      const { jobs, options } = drawCaseOfKind(30_000 + seed);
      const configuration = makeConfigurationFromReference(options, true);
      const originSimulator = new Simulator(makeWorkloadOfReferenceJobs(jobs));
      originSimulator.begin(configuration);
      originSimulator.runUntil(jobs[drawBelow(jobs.length)].submit);
      const savedSnapshot = originSimulator.snapshot();
      originSimulator.run();
      const otherSimulator = new Simulator(makeWorkloadOfReferenceJobs(jobs));
      const isSnapshotRefused = (bytes: Uint8Array, damageDescription: string) => {
        const restore = () => otherSimulator.restore(bytes, configuration);
        expect(restore, `seed ${seed}: ${damageDescription}`).toThrow(
          'the snapshot is damaged: its bytes are not those that were saved',
        );
        expect(() => otherSimulator.runUntil(1e9)).toThrow('the simulation has not begun');
      };
      for (let change = 0; change < 40; change++) {
        const damagedSnapshot = savedSnapshot.slice();
        // Damages one bit or up to four bytes of a snapshot, in half of the cases within its head.
        const isBitFlipped = change % 4 === 0;
        for (
          let remainingDamageCount = isBitFlipped ? 1 : 1 + drawBelow(4);
          remainingDamageCount > 0;
          remainingDamageCount--
        ) {
          const byteIndex = drawBelow(
            change % 2 === 0 ? Math.min(6000, savedSnapshot.length) : savedSnapshot.length,
          );
          damagedSnapshot[byteIndex] ^= isBitFlipped ? 1 << drawBelow(8) : 1 + drawBelow(255);
        }
        if (damagedSnapshot.some((byte, i) => byte !== savedSnapshot[i]))
          isSnapshotRefused(damagedSnapshot, `bytes, change ${change}`);
      }
      for (const length of [
        0,
        1,
        31,
        32,
        100,
        drawBelow(savedSnapshot.length),
        savedSnapshot.length - 8,
        savedSnapshot.length - 1,
      ]) {
        isSnapshotRefused(savedSnapshot.subarray(0, length), `cut off at ${length}`);
      }
      const longer = new Uint8Array(savedSnapshot.length + 1);
      longer.set(savedSnapshot);
      isSnapshotRefused(longer, 'a byte more');
      otherSimulator.restore(savedSnapshot, configuration);
      otherSimulator.run();
      expectSame(otherSimulator.snapshot(), originSimulator.snapshot());
    }
  },
);

test('each bit of the seal and of the head counts', () => {
  const { jobs, options } = randomAllocatorCase(77);
  const simulator = new Simulator(makeWorkloadOfReferenceJobs(jobs));
  const configuration = makeConfigurationFromReference(options, true);
  simulator.begin(configuration);
  const savedSnapshot = simulator.snapshot();
  for (const bit of sampleTestCases([...Array(8 * 2048).keys()], 17)) {
    savedSnapshot[bit >> 3] ^= 1 << (bit & 7);
    expect(() => simulator.restore(savedSnapshot, configuration), `bit ${bit}`).toThrow(
      'the snapshot is damaged',
    );
    savedSnapshot[bit >> 3] ^= 1 << (bit & 7);
  }
  simulator.restore(savedSnapshot, configuration);
});

const JOBS = { Submit: [0, 0, 1], Runtime: [4, 2, 3], Processors: [4, 3, 2], Home: [0, 0, 0] };
const sites = { Capacity: [4], Speed: [1] };

const BUILD_ID_BYTES = Buffer.from(Float64Array.of(7919.0001220703125).buffer);
const buildIdOfSnapshot = (bytes: Uint8Array) =>
  instantiateCore(new WebAssembly.Module(bytes as BufferSource)).buildId();

test('the id of a build is a hash of its binary', () => {
  for (const build of ['release', 'explaining', 'checked'] as CoreBuild[]) {
    const bytes = readFileSync(coreFile(build));
    const id = buildIdOfSnapshot(bytes);
    const buildIdBytes = Buffer.from(Float64Array.of(id).buffer);
    let buildIdCount = 0;
    for (
      let byteIndex = bytes.indexOf(buildIdBytes);
      byteIndex >= 0;
      byteIndex = bytes.indexOf(buildIdBytes)
    ) {
      BUILD_ID_BYTES.copy(bytes, byteIndex);
      buildIdCount++;
    }
    expect(buildIdCount).toBeGreaterThan(0);
    expect(createHash('sha256').update(bytes).digest().readUIntBE(0, 6)).toBe(id);
  }
});

test('a snapshot of another build is refused', () => {
  const buildIdBytes = Buffer.from(Float64Array.of(buildIdOfSnapshot(binary)).buffer);
  const binaryWithOtherBuildId = Buffer.from(binary);
  for (
    let byteIndex = binaryWithOtherBuildId.indexOf(buildIdBytes);
    byteIndex >= 0;
    byteIndex = binaryWithOtherBuildId.indexOf(buildIdBytes)
  )
    BUILD_ID_BYTES.copy(binaryWithOtherBuildId, byteIndex);
  const [runOfBinary, runOfChangedBinary] = [binary, binaryWithOtherBuildId].map(
    (bytes) => new CoreRun(makeJobs(instantiateCore(bytes), JOBS)),
  );
  runOfBinary.begin({ sites });
  runOfChangedBinary.begin({ sites });
  expect(() => runOfBinary.restore(runOfChangedBinary.snapshot())).toThrow('BuildDiffers');
  expect(() => runOfChangedBinary.restore(runOfBinary.fork().snapshot())).toThrow('NoSimulation');
});

test('there are no metrics before a run is measured, and nothing to save before it has begun', () => {
  const jobs = makeJobs(instantiateCore(binary), JOBS);
  const run = new CoreRun(jobs);
  const otherRun = new CoreRun(jobs);
  const { core } = jobs;
  const metricNames = Object.keys(core.Metric).filter(
    (name) => name !== 'COUNT',
  ) as (keyof typeof core.Metric)[];
  const expectNoMetrics = () => {
    expect(run.isMeasured).toBe(false);
    for (const metricName of metricNames)
      expect(() => run.metric(metricName), metricName).toThrow('there are no metrics yet');
    for (const metric of run.column('Metric')) expect(metric).toBeNaN();
  };
  const expectFiniteMetrics = () => {
    for (const metricName of metricNames)
      expect(Number.isFinite(run.metric(metricName)), metricName).toBe(true);
  };
  expectNoMetrics();
  expect(() => run.snapshot()).toThrow('NoSimulation');
  run.begin({ sites });
  otherRun.begin({ sites });
  expectNoMetrics();
  run.runUntil(1);
  expectNoMetrics();
  run.runUntil(Number.POSITIVE_INFINITY);
  expectNoMetrics();
  run.measure();
  expectFiniteMetrics();
  const snapshotBeforeMetrics = run.snapshot();
  run.begin({ sites });
  expectNoMetrics();
  run.restore(snapshotBeforeMetrics);
  expectFiniteMetrics();
  otherRun.runUntil(1);
  otherRun.forkInto(run);
  expectNoMetrics();
  run.run();
  expectFiniteMetrics();
});
