/** Outages in the explorer: charts, the state at a moment, and the metrics of a span. */

import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { OPTION_MISSING_FROM_PAGE } from '../../host/explorer/pageOptions.js';
import { OPTIONS } from '../../host/options/options.js';
import { OPTION_NAMES_SET_PER_METHOD } from '../../web/explorer/panels/optionField.js';
import { findStoredRun, forkRunUnderPolicy, simulateSetup } from '../../web/explorer/worker/run.js';
import { computeTimeSpanMetrics } from '../../web/explorer/worker/span.js';
import { makeSwfRecord } from '../cli/runProgram.js';
import { describeBrowserTests, openExplorerForTests } from './browser.js';

const LOG = {
  name: 'two.swf',
  bytes: new TextEncoder().encode(
    [makeSwfRecord(1, 0, 40, 2, 1, 40), makeSwfRecord(2, 5, 30, 2, 1, 30)].join('\n'),
  ),
};
const makeSetupWithOutageRule = (onOutage: string) => ({
  options: { workload: LOG.name, sites: '4,4', outages: '1x4@10..30' },
  methods: [{ policy: 'best-fit', 'on-outage': onOutage }],
});

test('the worker says which processors were away, and counts only the others', () => {
  const [run] = simulateSetup(makeSetupWithOutageRule('requeue'), LOG).runs;
  expect(
    run?.absences?.map(({ site, start, end, runs: processorRanges }) => [site, start, end, processorRanges]),
  ).toEqual([[0, 10, 30, [[0, 3]]]]);
  expect([...(run?.available?.value ?? [])]).toEqual([8, 4, 8, 8]);
  // Both jobs run on the second site while the first has an outage.
  expect(computeTimeSpanMetrics(findStoredRun(run!.id), 10, 30)).toMatchObject({
    utilization: 1,
    waiting: 0,
  });
});

test('a run whose jobs outages may stop cannot be forked', () => {
  const [run] = simulateSetup(makeSetupWithOutageRule('kill'), LOG).runs;
  expect(() => forkRunUnderPolicy(run!.id, 5, 'fastest-first')).toThrow('its jobs may be stopped');
});

/** Jobs of 37 s on 1 to 3 processors, one every 10 s. */
const LOG_OF_CROWDED_JOBS = {
  name: 'crowd.swf',
  bytes: new TextEncoder().encode(
    Array.from({ length: 40 }, (_, i) => makeSwfRecord(i + 1, 10 * i, 37, 1 + (i % 3), 1, 40)).join('\n'),
  ),
};

test('a fork has the absences of its run before it, and no job on absent processors after it', () => {
  const options = {
    workload: LOG_OF_CROWDED_JOBS.name,
    sites: '4,4,4',
    outages: '1x4@50..200+2x2@120..300+3x3@160..350',
  };
  const [run] = simulateSetup({ options, methods: [{ policy: 'best-fit' }] }, LOG_OF_CROWDED_JOBS).runs;
  const { absences = [], blocks } = forkRunUnderPolicy(run!.id, 150, 'fastest-first');
  const listStartsOfAbsencesBefore150 = (absencesToFilter: typeof absences) =>
    absencesToFilter.filter(({ start }) => start <= 150).map(({ start }) => start);
  expect(listStartsOfAbsencesBefore150(absences).length).toBeGreaterThan(2);
  expect(listStartsOfAbsencesBefore150(absences)).toEqual(
    listStartsOfAbsencesBefore150([...(run!.absences ?? [])]),
  );
  expect(absences.filter(({ start }) => start > 150).length).toBeGreaterThan(0);
  const isHeld = (from: number, to: number, firstProcessor: number, lastProcessor: number) =>
    blocks.job.some(
      (_, i) =>
        blocks.start[i]! < to &&
        blocks.end[i]! > from &&
        blocks.first[i]! <= lastProcessor &&
        blocks.after[i]! > firstProcessor,
    );
  for (const { start, end, runs: processorRanges } of absences)
    for (const [firstProcessor, lastProcessor] of processorRanges)
      expect(isHeld(start, end, firstProcessor, lastProcessor)).toBe(false);
});

describeBrowserTests('outages in the page', () => {
  const getExplorer = openExplorerForTests();
  const makePageAddress = (outages: string) =>
    `${getExplorer().server.address}#workload=lublin99%5Bjobs%3D60%2Cprocessors%3D64%5D&sites=64&estimates=exact${outages}&method=discipline%3Deasy`;
  const readLegendText = (page: Page) => page.locator('.legend').innerText();
  /** Number of pixels of the upper chart in the colour of absent processors. */
  const countPixelsOfAbsence = (page: Page) =>
    page.evaluate(() => {
      const canvas = document.querySelector('.gantt canvas.bars') as HTMLCanvasElement;
      const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height);
      let pixelCount = 0;
      for (let i = 0; i < data.length; i += 4)
        if (data[i] === 0xc9 && data[i + 1] === 0xce && data[i + 2] === 0xd3) pixelCount++;
      return pixelCount;
    });

  test('the chart hatches processors that were away, and the legend names them', async () => {
    const page = await getExplorer().page(makePageAddress('&outages=planned%3A1x24%4016000..36000'));
    await page.waitForTimeout(300);
    expect(await readLegendText(page)).toContain('not available');
    expect(await countPixelsOfAbsence(page)).toBeGreaterThan(1000);
    const timeOfAvailabilityChange = await page.evaluate(() => {
      const { model } = window.explorer;
      model.selectTime(16_000);
      return model.run?.available?.time[1];
    });
    expect(timeOfAvailabilityChange).toBe(16_000);
    await page.getByRole('tab', { name: 'Moment', exact: true }).click();
    expect(await page.locator('#moment').innerText()).toContain('an outage takes 24 processors of site 1');
    expect(getExplorer().complaints).toEqual([]);
  });

  test('a run without outages has no such colour', async () => {
    const page = await getExplorer().page(makePageAddress(''));
    await page.waitForTimeout(300);
    expect(await readLegendText(page)).not.toContain('not available');
    expect(await countPixelsOfAbsence(page)).toBe(0);
  });

  test('every option has a field, with its value from the address', async () => {
    const page = await getExplorer().page(
      makePageAddress('&limit=user.jobs%3D2&backfill-interval=30&plan-by=node'),
    );
    const fieldTexts = await page.evaluate(() =>
      [...document.querySelectorAll<HTMLInputElement>('[id^="option-"]')]
        .filter(({ tagName }) => tagName !== 'DATALIST')
        .map(({ id, value }) => [id.slice('option-'.length), value]),
    );
    const fieldValues = Object.fromEntries(fieldTexts);
    const optionsShownElsewhere = [
      ...OPTION_NAMES_SET_PER_METHOD,
      'workload',
      'replication',
      OPTION_MISSING_FROM_PAGE,
    ];
    expect(Object.keys(fieldValues).sort()).toEqual(
      Object.keys(OPTIONS)
        .filter((optionName) => !optionsShownElsewhere.includes(optionName))
        .sort(),
    );
    expect(fieldValues).toMatchObject({ limit: 'user.jobs=2', 'backfill-interval': '30', 'plan-by': 'node' });
    expect(getExplorer().complaints).toEqual([]);
  });
});
