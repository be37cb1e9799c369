import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { CoreRun, instantiateCore, makeJobs, type RunSettings } from '../../host/core/host.js';
import { readConstantsOfExports } from '../../host/core/instance.js';
import { coreFile } from '../../host/files/coreFile.js';

/** Tests `gridalloc/core`, the interface for other JavaScript hosts, as shown in docs/abi.md. */

const releaseBinary = readFileSync(coreFile('release'));

const JOBS = {
  Submit: [0, 0, 0, 5, 6, 7],
  Runtime: [40, 20, 30, 10, 5, 50],
  Processors: [4, 3, 2, 1, 5, 2],
  Home: [0, 0, 1, 1, 0, 1],
};
const testSiteColumns = { Capacity: [4, 6], Speed: [1, 2] };

const makeTestRun = () => new CoreRun(makeJobs(instantiateCore(releaseBinary), JOBS));

test('a binary of another version is refused', () => {
  // (module (func (export "abiVersion") (result i32) i32.const 6))
  const codesOfAbiVersionName = [...'abiVersion'].map((letter) => letter.charCodeAt(0));
  const binaryWithOtherAbiVersion = Uint8Array.of(
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 1, 5, 1, 0x60, 0, 1, 0x7f, 3, 2, 1, 0],
    ...[7, 14, 1, 10, ...codesOfAbiVersionName, 0, 0, 10, 6, 1, 4, 0, 0x41, 6, 0x0b],
  );
  expect(() => instantiateCore(binaryWithOtherAbiVersion)).toThrow('the core is of version 6, expected 5');
});

test('a compiled module works as well as bytes, and named constants as well as numbers', () => {
  const run = new CoreRun(makeJobs(instantiateCore(new WebAssembly.Module(releaseBinary)), JOBS));
  run.begin({ sites: testSiteColumns });
  run.run();
  expect(run.metric('Jobs')).toBe(6);
  const wasmGlobalWithValueFour = new WebAssembly.Global({ value: 'i32' }, 4);
  expect(
    readConstantsOfExports({ 'A.b': 3 as never, 'A.c': wasmGlobalWithValueFour, call: 5 as never }),
  ).toEqual({
    A: { b: 3, c: 4 },
  });
});

test.each<[string, NonNullable<RunSettings['options']>, number]>([
  ['Easy', { Discipline: 'Easy' }, 1],
  ['Easy on several sites', { Discipline: 'Easy', MultiSiteFactor: 1.1 }, 2],
  ['Conservative', { Discipline: 'Conservative' }, 6],
  ['Conservative on several sites', { Discipline: 'Conservative', MultiSiteFactor: 1.1 }, 12],
  ['first come first served', {}, 0],
])('%s gets room for as many reservations as it needs', (_, options, expected) => {
  const run = makeTestRun();
  run.begin({ sites: testSiteColumns, options });
  const { core } = run.jobs;
  expect(core.room(run.block, core.Room.Reservations)).toBe(expected);
  run.run();
  expect(run.metric('Jobs')).toBe(6);
});

test('columns are views of the memory, and unknown names are reported', () => {
  const run = makeTestRun();
  run.begin({ sites: testSiteColumns });
  run.run();
  const { core } = run.jobs;
  for (const columnName of ['Start', 'Site', 'Metric'] as const) {
    expect(run.column(columnName).buffer).toBe(core.memory.buffer);
  }
  expect(run.column('Parts')).toHaveLength(0);
  expect(() => run.begin({ sites: testSiteColumns, policy: 'nothing' })).toThrow('no policy nothing');
  expect(() => run.begin({ sites: testSiteColumns, policy: 'ti', parameters: { sl: 1 } })).toThrow(
    'has no parameter sl',
  );
  const makeBeginCall = (settings: object) => () => run.begin({ sites: testSiteColumns, ...settings });
  expect(makeBeginCall({ options: { Discipline: 'Quick' } })).toThrow(
    'no Quick; there are FirstComeFirstServed,',
  );
  expect(makeBeginCall({ options: { Policy: 'ti' } })).toThrow('option Policy takes a number, not ti');
  expect(makeBeginCall({ options: { Disciplin: 1 } })).toThrow('no Disciplin; there are Policy,');
  expect(makeBeginCall({ room: { Job: 1 } })).toThrow('no Job; there are Jobs,');
  expect(makeBeginCall({ sites: { ...testSiteColumns, Sped: [1, 1] } })).toThrow(
    'no Sped; there are Capacity,',
  );
  expect(() => run.scalar('Later' as never)).toThrow('no Later; there are Bytes,');
  expect(() => makeJobs(core, { ...JOBS, Users: JOBS.Home } as never)).toThrow('no Users; there are Submit,');
  expect(() => run.begin({ sites: { ...testSiteColumns, Load: [1] } })).toThrow(
    'Load: 1 numbers, expected 2',
  );
});

test('a run continues under another policy and at other speeds, also from a snapshot', () => {
  const run = makeTestRun();
  const sitesWithMoreProcessors = { Capacity: [10, 20], Speed: [1, 2] };
  run.begin({ sites: sitesWithMoreProcessors });
  run.runUntil(0);
  const savedSnapshot = run.snapshot();
  const readSitesAfterChange = (change: (run: CoreRun) => void) => {
    const otherRun = run.fork();
    otherRun.run();
    otherRun.restore(savedSnapshot);
    change(otherRun);
    otherRun.run();
    return [...otherRun.column('Site')];
  };
  const sitesOfJobsWithoutChange = [0, 0, 0, 0, 1, 1];
  expect(readSitesAfterChange(() => {})).toEqual(sitesOfJobsWithoutChange);
  expect(readSitesAfterChange((otherRun) => otherRun.changePolicy('best-fit'))).toEqual(
    sitesOfJobsWithoutChange,
  );
  expect(readSitesAfterChange((otherRun) => otherRun.changePolicy('fastest-first'))).toEqual([
    0, 0, 0, 1, 1, 1,
  ]);
  const changePolicyAndSpeeds = (otherRun: CoreRun) => {
    otherRun.changePolicy('fastest-first');
    otherRun.changeSpeeds([2, 1]);
  };
  expect(readSitesAfterChange(changePolicyAndSpeeds)).toEqual([0, 0, 0, 0, 1, 1]);
  expect(() => run.changeSpeeds([1, 0])).toThrow('SiteSpeedInvalid, Site 1');
  expect(() => run.changeSpeeds([1])).toThrow('Speed: 1 numbers, expected 2');
});

/** Keys that order jobs neither by submission nor by width. */
const ORDER_KEYS = { Key: [3, 1, 2, 0, 5, 4], BackfillKey: [0, 5, 1, 4, 2, 3] };
const GIVEN_CHOICE_SETTINGS = { Order: 'Given', Discipline: 'Easy', BackfillOrder: 'Given' } as const;

test('keys at the submit are those before the run, wherever it is copied, forked or kept', () => {
  const runWithKeysAtBegin = makeTestRun();
  runWithKeysAtBegin.begin({ sites: { ...testSiteColumns, ...ORDER_KEYS }, options: GIVEN_CHOICE_SETTINGS });
  runWithKeysAtBegin.run();
  const startTimes = [...runWithKeysAtBegin.column('Start')];
  const beginRunWithKeyFunction = () => {
    const run = makeTestRun();
    run.keysOf = (_, job) => ({ Key: ORDER_KEYS.Key[job], BackfillKey: ORDER_KEYS.BackfillKey[job] });
    run.begin({ sites: testSiteColumns, options: { ...GIVEN_CHOICE_SETTINGS, KeysAtSubmit: 1 } });
    return run;
  };
  for (let untilTime = -1; untilTime < 90; untilTime++) {
    const run = beginRunWithKeyFunction();
    run.runUntil(untilTime);
    const otherRun = run.fork();
    const snapshotAtPause = run.snapshot();
    run.run();
    expect([...run.column('Start')]).toEqual(startTimes);
    otherRun.run();
    expect([...otherRun.column('Start')]).toEqual(startTimes);
    otherRun.restore(snapshotAtPause);
    otherRun.run();
    expect([...otherRun.column('Start')]).toEqual(startTimes);
  }
});

test('keys are requested once for each job, and accepted only if finite and requested', () => {
  const run = makeTestRun();
  run.begin({ sites: testSiteColumns, options: { Order: 'Given', KeysAtSubmit: 1 } });
  const { core, jobs } = run;
  const giveKeys = (key: number, backfillKey = 0) => core.giveKeys(run.block, jobs.table, key, backfillKey);
  expect(run.scalar('KeyedJob')).toBe(-1);
  expect(giveKeys(1)).toBe(core.Status.NoDecision);
  for (let job = 0; job < 6; job++) {
    for (let repetition = 0; repetition < 2; repetition++) {
      expect(core.runUntil(run.block, jobs.table, Number.POSITIVE_INFINITY)).toBe(core.Status.Keys);
      expect(run.scalar('KeyedJob')).toBe(job);
    }
    expect([giveKeys(Number.NaN), giveKeys(0, Number.POSITIVE_INFINITY)]).toEqual([44, 44]);
    expect(run.scalar('RefusedJob')).toBe(job);
    expect(giveKeys(-job)).toBe(core.Status.Finished);
    expect(giveKeys(-job)).toBe(core.Status.NoDecision);
  }
  run.run();
  expect(run.metric('Jobs')).toBe(6);
  run.begin({ sites: testSiteColumns, options: { Order: 'Given', KeysAtSubmit: 1 } });
  expect(() => run.run()).toThrow('no function gives the keys');
});
