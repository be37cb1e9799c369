import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import axe from 'axe-core';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Figure } from '../../host/draw/figureModel.js';
import { makeSimulationPictures } from '../../host/reports/simulationFigures.js';
import type { Report } from '../../host/view/report.js';
import { drawReport, writeReport } from '../../host/view/reportFolder.js';
import type { Table } from '../../host/view/table.js';
import { CHROMIUM_PATH, isChromiumInstalled } from '../chromium.js';
import { makeTemporaryFolder } from '../temporaryFolder.js';

/** Interactive figures of a report in headless Chromium, used as by a reader. */

const HOSTILE_SCRIPT = '</script><script>document.title = "taken"</script>';
const makePointsOfValues = (...pointValues: number[]) =>
  pointValues.map((y, i) => ({ x: i + 1, y, low: y - 1, high: y + 1 }));

const wait = {
  measure: 'mean wait',
  y: { title: 'mean wait', unit: 's' },
  panels: [
    {
      title: '',
      series: [
        { name: 'best-fit', points: makePointsOfValues(20, 40, 60, 80) },
        { name: HOSTILE_SCRIPT, points: makePointsOfValues(30, 50, 70, 90) },
      ],
    },
  ],
};
const response = { ...wait, measure: 'mean response', y: { title: 'mean response', unit: 's' } };
const difference = {
  measure: 'mean wait',
  baseline: 'best-fit',
  y: { title: 'mean wait, difference to best-fit', unit: 's' },
  panels: [{ title: '', series: [{ name: HOSTILE_SCRIPT, points: makePointsOfValues(10, 10, -10, 10) }] }],
};
const figure: Figure = {
  ...{ id: 'waits-by-load', title: 'Waits', caption: '', kind: 'line', x: { title: 'load' } },
  ...{ y: wait.y, panels: wait.panels, views: [wait, response, difference] },
};
/** A table with published values, which has no interactive elements. */
const TABLE_WITH_PUBLISHED_VALUES: Table = {
  ...{ id: 'published', title: 'Published', caption: '' },
  columns: [{ title: 'method', isHeading: true }, { title: 'gain' }],
  rows: [['best-fit', { value: 1, published: 2, low: 0, high: 3, isInside: true }]],
};
/**
 * Jobs of two homes that run one after the other on two sites; each waits ten seconds longer than
 * the previous one.
 */
const JOBS = Array.from({ length: 12 }, (_, i) => ({
  ...{
    name: `${i + 1}`,
    submit: 0,
    start: 10 * i,
    end: 10 * i + 10,
    processors: 2,
    requested: 2,
    home: i % 2,
  },
  runs: [i % 2 === 0 ? ([0, 1] as const) : ([2, 3] as const)],
}));
const SAVED_REPORT: Report = {
  ...{
    title: 'A study',
    description: 'Waits by load.',
    source: '',
    highlights: [],
    tables: [TABLE_WITH_PUBLISHED_VALUES],
  },
  ...{ figures: [figure], checks: [], notes: [], commands: [], environment: [], files: [] },
};

const isSkipped = !isChromiumInstalled && process.env.CI === undefined;
const SKIPPED_TEST_SUFFIX = isSkipped ? ` are skipped: there is no ${CHROMIUM_PATH}` : '';

describe.skipIf(isSkipped)(
  `the figures of a report in Chromium${SKIPPED_TEST_SUFFIX}`,
  { timeout: 60_000 },
  () => {
    let browser: Browser;
    let url: string;
    const faults: string[] = [];

    beforeAll(async () => {
      const folder = join(makeTemporaryFolder(), 'live');
      const { pictures } = drawReport(SAVED_REPORT);
      const picturesOfSimulation = makeSimulationPictures({ jobs: JOBS, stopped: [], capacities: [2, 2] });
      const reportWithPictures = { report: SAVED_REPORT, pictures: [...pictures, ...picturesOfSimulation] };
      url = pathToFileURL(await writeReport(reportWithPictures, folder)).href;
      browser = await chromium.launch({ executablePath: CHROMIUM_PATH, args: ['--no-sandbox'] });
    });

    afterAll(() => browser?.close());

    async function open(options: { width?: number; javaScriptEnabled?: boolean } = {}): Promise<Page> {
      const { width = 1000, javaScriptEnabled = true } = options;
      const page = await browser.newPage({ viewport: { width, height: 900 }, javaScriptEnabled });
      page.on('pageerror', (error) => faults.push(error.message));
      page.on('console', (message) => faults.push(message.text()));
      await page.goto(url);
      if (javaScriptEnabled) await page.locator('#figure-waits-by-load .live svg').waitFor();
      return page;
    }

    const locateFigure = (page: Page) => page.locator('#figure-waits-by-load');
    /** Titles and labels of the axes. */
    const figureWords = (page: Page) => page.locator('#figure-waits-by-load .live text').allTextContents();
    const locatePointMarkers = (page: Page) => page.locator('#figure-waits-by-load [data-series] .marker');

    test('values are shown beside the pointer', async () => {
      const page = await open();
      await locatePointMarkers(page).first().hover({ force: true });
      const tooltipText = (await page.locator('.tooltip').innerText()).replaceAll(/\s+/g, ' ');
      expect(tooltipText).toBe(`load 1 ${HOSTILE_SCRIPT} 30 s (29 s to 31 s) best-fit 20 s (19 s to 21 s)`);
      await page.mouse.move(1, 1);
      expect(await page.locator('.tooltip').isVisible()).toBe(false);
      // Names from a study are shown as text, not interpreted as HTML.
      expect(await page.title()).toBe('A study');
      const table = page.locator('table.marked');
      expect(await table.evaluate((each) => getComputedStyle(each).position)).toBe('static');
      expect(await table.evaluate((each) => getComputedStyle(each).opacity)).toBe('1');
      expect(await page.locator('#figure-waits-by-load .legend button').allTextContents()).toEqual([
        '●best-fit',
        `■${HOSTILE_SCRIPT}`,
      ]);
      await page.close();
    });

    test('series, measure, baseline, scale and part are chosen', async () => {
      const page = await open();
      expect(await locatePointMarkers(page).count()).toBe(8);
      const bestFitButton = locateFigure(page).getByRole('button', { name: 'best-fit' });
      await bestFitButton.press('Enter');
      await expect.poll(() => locatePointMarkers(page).count()).toBe(4);
      await bestFitButton.click();
      await expect.poll(() => locatePointMarkers(page).count()).toBe(8);
      await bestFitButton.click({ modifiers: ['Shift'] });
      await expect.poll(() => locatePointMarkers(page).count()).toBe(4);
      await bestFitButton.click({ modifiers: ['Shift'] });
      await locateFigure(page).getByLabel('measure').selectOption('mean response');
      await expect.poll(() => figureWords(page)).toContain('mean response [s]');
      await locateFigure(page).getByRole('button', { name: 'log' }).click();
      await expect
        .poll(() => locateFigure(page).getByRole('button', { name: 'log' }).getAttribute('aria-pressed'))
        .toBe('true');
      // This metric has no differences.
      await locateFigure(page).getByLabel('differences to').selectOption('best-fit');
      expect(await locateFigure(page).getByLabel('differences to').inputValue()).toBe('none');
      await locateFigure(page).getByLabel('measure').selectOption('mean wait');
      await locateFigure(page).getByLabel('differences to').selectOption('best-fit');
      await expect.poll(() => figureWords(page)).toContain('mean wait, difference to best-fit [s]');
      // A series has no differences from itself, so it is not shown.
      expect(await locateFigure(page).locator('.legend button:visible').count()).toBe(1);
      expect(await locateFigure(page).getByRole('button', { name: 'log' }).isDisabled()).toBe(true);
      await locateFigure(page).getByRole('button', { name: '+' }).click();
      await expect.poll(() => figureWords(page)).not.toContain('4');
      await locateFigure(page).getByRole('button', { name: 'all' }).click();
      await expect.poll(() => figureWords(page)).toContain('4');
      await page.close();
    });

    test('the part dragged over is shown', async () => {
      const page = await open();
      const plotArea = await locateFigure(page).locator('.plot-area').first().boundingBox();
      if (plotArea === null) throw new Error('no panel');
      const { x, y, width, height } = plotArea;
      await page.mouse.move(x + width * 0.6, y + height / 2);
      await page.mouse.down();
      await page.mouse.move(x + width * 0.9, y + height / 2);
      await page.mouse.up();
      await expect.poll(() => figureWords(page)).not.toContain('1');
      expect((await figureWords(page)).some((figureText) => /^3\.\d$/.test(figureText))).toBe(true);
      await page.close();
    });

    /** Moves the pointer to a place in an element, given as shares of its width and height. */
    async function point(
      page: Page,
      selector: string,
      horizontalOverlap: number,
      verticalOverlap = 0.5,
    ): Promise<void> {
      const plotArea = await page.locator(selector).first().boundingBox();
      if (plotArea === null) throw new Error(`no ${selector}`);
      await page.mouse.move(
        plotArea.x + plotArea.width * horizontalOverlap,
        plotArea.y + plotArea.height * verticalOverlap,
      );
    }

    test('steps and schedules show values, jobs, homes, a part of the time', async () => {
      const page = await open();
      const describe = async () =>
        (await page.locator('.tooltip:visible').innerText()).replaceAll(/\s+/g, ' ');
      const show = (id: string) => page.locator(`#figure-${id}`).evaluate((each) => each.scrollIntoView());
      await show('queue');
      await point(page, '#figure-queue .plot-area', 0.02);
      expect(await describe()).toBe('0 d after the first submit waiting jobs 11');
      await show('occupancy');
      await point(page, '#figure-occupancy .plot-area', 0.01);
      expect(await describe()).toContain('first submit site 1 up to 100 % in use');
      await show('gantt');
      await point(page, '#figure-gantt .plot-area', 0.38);
      expect(await describe()).toBe('job 5 2 processors home site 1 submitted at 0 s waited 40 s ran 10 s');
      const blocks = page.locator('#figure-gantt path[data-story]');
      expect(await blocks.count()).toBe(12);
      await page.locator('#figure-gantt').getByRole('button', { name: 'home site 2' }).click();
      expect(await blocks.count()).toBe(6);
      await page.locator('#figure-gantt').getByRole('button', { name: '+' }).click();
      expect(await blocks.count()).toBe(3);
      await page.locator('#figure-gantt').getByRole('button', { name: '▸' }).click();
      await point(page, '#figure-gantt .plot-area >> nth=1', 0.99);
      expect(await describe()).toContain('job 12');
      await page.locator('#figure-gantt').getByRole('button', { name: 'all' }).click();
      await point(page, '#figure-gantt .plot-area', 0.5);
      await page.mouse.down();
      await point(page, '#figure-gantt .plot-area', 0.7);
      await page.mouse.up();
      expect(await blocks.count()).toBe(1);
      await page.evaluate(axe.source);
      const actualResults = await page.evaluate(() => (window as unknown as { axe: typeof axe }).axe.run());
      expect(
        actualResults.violations.map(({ id: violationId, nodes }) => `${violationId}: ${nodes[0].html}`),
      ).toEqual([]);
      await page.close();
    });

    test('the drawing fits a small page, and stays where there are no scripts', async () => {
      const narrowPage = await open({ width: 400 });
      const box = await locateFigure(narrowPage).locator('.live svg').boundingBox();
      expect(box?.width).toBeLessThan(400);
      const figureSize = await locateFigure(narrowPage)
        .locator('.live text')
        .first()
        .evaluate((text) => text.getBoundingClientRect().height);
      expect(figureSize).toBeGreaterThan(9);
      await narrowPage.close();
      for (const [width, shown, hidden] of [
        [1280, '.wide-page', '.narrow-page'],
        [400, '.narrow-page', '.wide-page'],
      ] as const) {
        const pageWithoutJavaScript = await open({ javaScriptEnabled: false, width });
        expect(await locateFigure(pageWithoutJavaScript).locator(`${shown} > svg`).isVisible()).toBe(true);
        expect(await locateFigure(pageWithoutJavaScript).locator(`${hidden} > svg`).isVisible()).toBe(false);
        expect(await pageWithoutJavaScript.locator('.controls').count()).toBe(0);
        await pageWithoutJavaScript.close();
      }
      expect(faults).toEqual([]);
    });
  },
);
