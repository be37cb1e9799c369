/**
 * Kept reservations in the explorer: what the page shows, and the comparison with replanned ones.
 */
import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, test } from 'vitest';
import type { ExplorerSetup, FinishedRunData, SimulatedSetupOutcome } from '../../web/explorer/protocol.js';
import { describePromisedStart } from '../../web/explorer/words.js';
import { askPolicyDecisionsAt } from '../../web/explorer/worker/choices.js';
import { makeJobsCsvFile } from '../../web/explorer/worker/exports.js';
import {
  findStoredRun,
  forkRunUnderPolicy,
  repeatRunWithSwitch,
  simulateOtherMethods,
  simulateSetup,
  storeWhatIfRun,
} from '../../web/explorer/worker/run.js';
import { makeJobExplanation } from '../../web/explorer/worker/story.js';
import { makeSwfRecord } from '../cli/runProgram.js';
import { describeBrowserTests, openExplorerForTests } from './browser.js';

/** A log whose jobs request up to three times their runtime, and sometimes less than it. */
const LOG = {
  name: 'crowd.swf',
  bytes: new TextEncoder().encode(
    Array.from({ length: 400 }, (_, job) => {
      const runtime = 10 + ((job * 7919) % 997);
      const requestedTime = Math.ceil(runtime * (0.8 + ((job * 31) % 23) / 10));
      return makeSwfRecord(job + 1, 60 * job, runtime, 1 + ((job * 104_729) % 64), job % 8, requestedTime);
    }).join('\n'),
  ),
};
const SINGLE_SITE_SETUP: ExplorerSetup = {
  options: { workload: LOG.name, sites: '160' },
  methods: [{ discipline: 'conservative' }],
};
const TWO_SITE_SETUP: ExplorerSetup = {
  options: { workload: LOG.name, sites: '64,96', speeds: '1,2', discipline: 'conservative' },
  methods: [{ policy: 'best-fit' }],
};

function simulateAllMethods(setup: ExplorerSetup): SimulatedSetupOutcome {
  const firstOutcome = simulateSetup(setup, LOG);
  return { ...firstOutcome, runs: [...firstOutcome.runs, ...simulateOtherMethods()] };
}

/** A column of the exported jobs.csv as numbers. */
function columnOf({ id }: FinishedRunData, columnName: string): number[] {
  const [headerCells, ...rows] = makeJobsCsvFile(findStoredRun(id), -Infinity, Infinity)
    .text.trimEnd()
    .split('\n')
    .map((line) => line.split(','));
  return rows.map((row) => Number(row[headerCells!.indexOf(columnName)]));
}

/** Jobs that satisfy a condition and whose values differ between two columns. */
const findJobsWithDifferentValues = (
  a: ArrayLike<number>,
  b: ArrayLike<number>,
  isIncluded: (job: number) => boolean,
) => Array.from(a, (_, job) => job).filter((job) => isIncluded(job) && a[job] !== b[job]);

const readMeanWait = ({ metrics }: FinishedRunData) =>
  metrics.find(({ name: metricName }) => metricName === 'meanWait')?.value;

describe.each([
  ['one site', SINGLE_SITE_SETUP],
  ['two sites with a policy', TWO_SITE_SETUP],
])('in the worker, on %s', (_, setup) => {
  let outcome: SimulatedSetupOutcome;
  let run: FinishedRunData;
  beforeEach(() => {
    outcome = simulateAllMethods(setup);
    run = outcome.runs[0]!;
  });

  test('promises are those of jobs.csv, shown with how far the start was off', () => {
    const promisedStarts = columnOf(run, 'promised_start');
    expect([...run.promised!]).toEqual(promisedStarts);
    const descriptionsOfPromises = promisedStarts.map((_, job) => describePromisedStart(outcome, run, job));
    const delaySignOfJob = (job: number) => Math.sign(run.start[job]! - promisedStarts[job]!);
    for (const [sign, words] of [
      [-1, /^promised at submit to start at .+, started .+ earlier$/],
      [0, /^promised at submit to start at .+, started then$/],
      [1, /^promised at submit to start at .+, started .+ later$/],
    ] as const) {
      const jobs = [...promisedStarts.keys()].filter((job) => delaySignOfJob(job) === sign);
      expect(jobs.length).toBeGreaterThan(0);
      for (const job of jobs) expect(descriptionsOfPromises[job]).toMatch(words);
    }
  });

  test('the story of a job tells when its reservation was made, and why it moved', () => {
    const job = run.start.findIndex((start, i) => start < run.promised![i]! && run.promised![i]! > 0);
    const eventTexts = makeJobExplanation(findStoredRun(run.id), job).waits.flatMap(({ events }) =>
      events.map(({ text: explanationText }) => explanationText),
    );
    expect(eventTexts).toContainEqual(expect.stringMatching(/^a reservation is made for it, to start at /));
    expect(eventTexts).toContainEqual(
      expect.stringMatching(/^its reservation gets .+ earlier, .+, since job \d+ /),
    );
  });

  test('what if reservations were of the other kind: equal to a simulation of that kind', () => {
    const replannedRun = storeWhatIfRun(run.id, { reservations: 'replanned' }, LOG);
    expect([replannedRun.promised, replannedRun.isConservative]).toEqual([undefined, true]);
    const method = { ...setup.methods[0], reservations: 'replanned' };
    const [simulated] = simulateAllMethods({ ...setup, methods: [method] }).runs;
    expect([...replannedRun.start]).toEqual([...simulated!.start]);
    const runWithKeptAgain = storeWhatIfRun(simulated!.id, { reservations: 'kept' }, LOG);
    expect([...runWithKeptAgain.start]).toEqual([...run.start]);
    expect(readMeanWait(runWithKeptAgain)).not.toBe(readMeanWait(replannedRun));
  });
});

test('a fork keeps earlier promises, and every policy is asked', () => {
  const [run] = simulateAllMethods(TWO_SITE_SETUP).runs as [FinishedRunData];
  const { submit } = findStoredRun(run.id).simulation.schedule;
  const time = submit[200]!;
  const fork = forkRunUnderPolicy(run.id, time, 'fastest-first');
  expect(columnOf(fork, 'promised_start')).toEqual([...fork.promised!]);
  expect(findJobsWithDifferentValues(fork.promised!, run.promised!, (job) => submit[job]! <= time)).toEqual(
    [],
  );
  expect(
    findJobsWithDifferentValues(fork.promised!, run.promised!, (job) => submit[job]! > time).length,
  ).toBeGreaterThan(0);
  const { choices } = askPolicyDecisionsAt(findStoredRun(run.id), time);
  expect(choices.map(({ policy }) => policy)).toContain('best-fit');
  const job = fork.start.findIndex((start, i) => start > time && submit[i]! < time);
  expect(makeJobExplanation(findStoredRun(fork.id), job).waits).toHaveLength(1);
});

test('a fork has the estimates of its own jobs in jobs.csv', () => {
  const users = { ...TWO_SITE_SETUP.options, estimates: 'recent' };
  const [run] = simulateAllMethods({ options: users, methods: TWO_SITE_SETUP.methods }).runs as [
    FinishedRunData,
  ];
  const { submit } = findStoredRun(run.id).simulation.schedule;
  const fork = forkRunUnderPolicy(run.id, submit[200]!, 'best-fit');
  expect(columnOf(fork, 'estimate')).toEqual(columnOf(run, 'estimate'));
});

test('changes in mid-run are replanned, with a message, or refused', () => {
  const [keptRun, easy] = simulateAllMethods({
    ...SINGLE_SITE_SETUP,
    methods: [...SINGLE_SITE_SETUP.methods, { discipline: 'easy' }],
  }).runs;
  expect(() => repeatRunWithSwitch(keptRun!.id, 0, { order: 'shortest' })).toThrow(
    /its reservations are kept/,
  );
  const runSwitchedToConservative = repeatRunWithSwitch(easy!.id, easy!.start[100]!, {
    discipline: 'conservative',
  });
  expect(runSwitchedToConservative.label).toBe('conservative, reservations replanned');
  expect(runSwitchedToConservative.promised).toBeUndefined();
});

const EXPLORER_ADDRESS =
  '#workload=lublin99%5Baarr%3D9%2Cjobs%3D400%5D&estimates=uniform%3A0.9&sites=160&method=discipline%3Dconservative';

const isReservationOptionHidden = (page: Page) =>
  page
    .locator('#what-if-kind option[value=reservations]')
    .evaluate((option: HTMLOptionElement) => option.hidden);

describeBrowserTests('in the page', () => {
  const getExplorer = openExplorerForTests();

  test('a waiting job has its promise in the list of the moment and in its story, and the other kind is tried', async () => {
    const page = await getExplorer().page(`${getExplorer().server.address}${EXPLORER_ADDRESS}`);
    await page.getByRole('tab', { name: 'Moment' }).click();
    const { name, promised } = await page.evaluate(() => {
      const { model } = window.explorer;
      const { outcome, run } = model;
      const job = run!.start.findIndex((start, i) => start < run!.promised![i]!);
      model.selectTime(run!.start[job]! - 1);
      return { name: outcome!.jobs.names[job]!, promised: model.when(run!.promised![job]!) };
    });
    const waitingButtons = page.locator('#moment .queue button', { hasText: `${name} (${promised})` });
    await waitingButtons.click();
    await page.getByRole('tab', { name: 'Job' }).click();
    await page.waitForSelector('#job li:has-text("a reservation is made for it")');
    const shownPromiseText = await page.locator('#job .promise').innerText();
    expect(shownPromiseText).toContain(`promised at submit to start at ${promised}, started`);
    await page.getByRole('tab', { name: 'Moment' }).click();
    expect(await isReservationOptionHidden(page)).toBe(false);
    await page.selectOption('#what-if-kind', 'reservations');
    expect(await page.inputValue('#what-if')).toBe('replanned');
    await page.getByRole('button', { name: 'Try it' }).click();
    await page.waitForSelector('.what-if .told:has-text("Mean wait")');
    const runLabels = await page.evaluate(() =>
      window.explorer.model.runs.map(({ label: runLabel }) => runLabel),
    );
    expect(runLabels).toEqual(['conservative', 'conservative, reservations replanned']);
    expect(getExplorer().complaints).toEqual([]);
  });

  test('nothing is promised, and no kind offered, where reservations are not kept', async () => {
    const page = await getExplorer().page(
      `${getExplorer().server.address}${EXPLORER_ADDRESS.replace('conservative', 'easy')}`,
    );
    await page.evaluate(() => {
      const { model } = window.explorer;
      const job = model.run!.start.findIndex((start, i) => start > model.outcome!.jobs.submit[i]!);
      model.selectTime(model.run!.start[job]! - 1);
      model.select(job);
    });
    await page.waitForSelector('#job ol.events');
    expect(await page.locator('#job .promise').count()).toBe(0);
    await page.getByRole('tab', { name: 'Moment' }).click();
    expect(await page.locator('#moment .queue button').first().innerText()).toMatch(/^\d+$/);
    expect(await isReservationOptionHidden(page)).toBe(true);
  });
});
