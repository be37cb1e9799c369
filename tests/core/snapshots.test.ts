import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { CoreRun, instantiateCore, makeJobs } from '../../host/core/host.js';
import type { CoreBuild } from '../../host/core/module.js';
import { coreFile } from '../../host/files/coreFile.js';
import { uniformNumberOfSeed } from '../../host/math/random.js';
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
import { configurationOfReferenceOptions, workloadOfReferenceJobs } from './simulateCore.js';

/**
 * Snapshots carry a seal: damaged or truncated ones, and those of another build, must be refused.
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

/** Pseudo-random generator: each call returns a whole number from 0 to `below` - 1. */
function seededGenerator(seed: number): (below: number) => number {
  let draws = 0;
  return (below) => Math.floor(below * uniformNumberOfSeed(seed, ++draws));
}

test.each(Object.entries(SNAPSHOT_CASE_KINDS))(
  'damaged snapshots of %s are refused, intact ones continue',
  (_, drawRandomCase) => {
    for (let seed = 1; seed <= 6; seed++) {
      const below = seededGenerator(seed);
      const { jobs, options } = drawRandomCase(30_000 + seed);
      const configuration = configurationOfReferenceOptions(options, true);
      const origin = new Simulator(workloadOfReferenceJobs(jobs));
      origin.begin(configuration);
      origin.runUntil(jobs[below(jobs.length)].submit);
      const saved = origin.snapshot();
      origin.run();
      const other = new Simulator(workloadOfReferenceJobs(jobs));
      const isSnapshotRefused = (bytes: Uint8Array, damageText: string) => {
        const restore = () => other.restore(bytes, configuration);
        expect(restore, `seed ${seed}: ${damageText}`).toThrow(
          'the snapshot is damaged: its bytes are not those that were saved',
        );
        expect(() => other.runUntil(1e9)).toThrow('the simulation has not begun');
      };
      for (let change = 0; change < 40; change++) {
        const damagedSnapshot = saved.slice();
        // Damages one bit or up to four bytes, half of the times in the head of the snapshot.
        const bits = change % 4 === 0;
        for (let count = bits ? 1 : 1 + below(4); count > 0; count--) {
          const at = below(change % 2 === 0 ? Math.min(6000, saved.length) : saved.length);
          damagedSnapshot[at] ^= bits ? 1 << below(8) : 1 + below(255);
        }
        if (damagedSnapshot.some((byte, i) => byte !== saved[i]))
          isSnapshotRefused(damagedSnapshot, `bytes, change ${change}`);
      }
      for (const length of [0, 1, 31, 32, 100, below(saved.length), saved.length - 8, saved.length - 1]) {
        isSnapshotRefused(saved.subarray(0, length), `cut off at ${length}`);
      }
      const longer = new Uint8Array(saved.length + 1);
      longer.set(saved);
      isSnapshotRefused(longer, 'a byte more');
      other.restore(saved, configuration);
      other.run();
      expectSame(other.snapshot(), origin.snapshot());
    }
  },
);

test('each bit of the seal and of the head counts', () => {
  const { jobs, options } = randomAllocatorCase(77);
  const simulator = new Simulator(workloadOfReferenceJobs(jobs));
  const configuration = configurationOfReferenceOptions(options, true);
  simulator.begin(configuration);
  const saved = simulator.snapshot();
  for (const bit of sampleTestCases([...Array(8 * 2048).keys()], 17)) {
    saved[bit >> 3] ^= 1 << (bit & 7);
    expect(() => simulator.restore(saved, configuration), `bit ${bit}`).toThrow('the snapshot is damaged');
    saved[bit >> 3] ^= 1 << (bit & 7);
  }
  simulator.restore(saved, configuration);
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
    const written = Buffer.from(Float64Array.of(id).buffer);
    let found = 0;
    for (let at = bytes.indexOf(written); at >= 0; at = bytes.indexOf(written)) {
      BUILD_ID_BYTES.copy(bytes, at);
      found++;
    }
    expect(found).toBeGreaterThan(0);
    expect(createHash('sha256').update(bytes).digest().readUIntBE(0, 6)).toBe(id);
  }
});

test('a snapshot of another build is refused', () => {
  const written = Buffer.from(Float64Array.of(buildIdOfSnapshot(binary)).buffer);
  const other = Buffer.from(binary);
  for (let at = other.indexOf(written); at >= 0; at = other.indexOf(written)) BUILD_ID_BYTES.copy(other, at);
  const [here, there] = [binary, other].map((bytes) => new CoreRun(makeJobs(instantiateCore(bytes), JOBS)));
  here.begin({ sites });
  there.begin({ sites });
  expect(() => here.restore(there.snapshot())).toThrow('BuildDiffers');
  expect(() => there.restore(here.fork().snapshot())).toThrow('NoSimulation');
});

test('there are no metrics before a run is measured, and nothing to save before it has begun', () => {
  const jobs = makeJobs(instantiateCore(binary), JOBS);
  const run = new CoreRun(jobs);
  const other = new CoreRun(jobs);
  const { core } = jobs;
  const names = Object.keys(core.Metric).filter((name) => name !== 'COUNT') as (keyof typeof core.Metric)[];
  const expectNoMetrics = () => {
    expect(run.isMeasured).toBe(false);
    for (const name of names) expect(() => run.metric(name), name).toThrow('there are no metrics yet');
    for (const metric of run.column('Metric')) expect(metric).toBeNaN();
  };
  const expectFiniteMetrics = () => {
    for (const name of names) expect(Number.isFinite(run.metric(name)), name).toBe(true);
  };
  expectNoMetrics();
  expect(() => run.snapshot()).toThrow('NoSimulation');
  run.begin({ sites });
  other.begin({ sites });
  expectNoMetrics();
  run.runUntil(1);
  expectNoMetrics();
  run.runUntil(Number.POSITIVE_INFINITY);
  expectNoMetrics();
  run.measure();
  expectFiniteMetrics();
  const measured = run.snapshot();
  run.begin({ sites });
  expectNoMetrics();
  run.restore(measured);
  expectFiniteMetrics();
  other.runUntil(1);
  other.forkInto(run);
  expectNoMetrics();
  run.run();
  expectFiniteMetrics();
});
