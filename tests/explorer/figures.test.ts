/** Figures of the explorer: those of reports, drawn for the page's width and colours. */
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { describeBrowserTests, openExplorerForTests } from './browser.js';

const MODEL_ADDRESS_HASH = '#workload=lublin99%5Baarr%3D9%2Cjobs%3D300%5D';
const TWO_METHOD_ADDRESS = `${MODEL_ADDRESS_HASH}&sites=8,128,50&speeds=1,2,1&load=1.5&method=policy%3Dbest-fit&method=policy%3Dfastest-first`;
const MANY_SITE_ADDRESS = `${MODEL_ADDRESS_HASH}&sites=${Array(60).fill(128).join()}&method=policy%3Dbest-fit`;

/** Heading, texts, drawn width and shown width of each figure. */
const locateFiguresInPart = (page: Page, partSelector: string) =>
  page.locator(`${partSelector} figure`).evaluateAll((figures) =>
    figures.map((figure) => {
      const svg = figure.querySelector('svg') as SVGSVGElement;
      const textContents = [...svg.querySelectorAll('text')].map(({ textContent }) => textContent);
      const line = svg.querySelector('.line, .marker') as SVGElement;
      const { stroke, fill } = getComputedStyle(line);
      const [heading, message] = ['h3', 'desc'].map((name) => figure.querySelector(name)?.textContent ?? '');
      const scale = svg.getBoundingClientRect().width / svg.viewBox.baseVal.width;
      return { heading, said: message, texts: textContents, color: stroke === 'none' ? fill : stroke, scale };
    }),
  );

describeBrowserTests('figures', () => {
  const getExplorer = openExplorerForTests();

  test('show how waits and slowdowns are distributed, with letters as large as those of reports, however wide the page', async () => {
    const page = await getExplorer().page(`${getExplorer().server.address}${TWO_METHOD_ADDRESS}`);
    for (const width of [1280, 400, 700]) {
      await page.setViewportSize({ width, height: 900 });
      await page.waitForFunction(() => {
        const svg = document.querySelector('.pair svg') as SVGSVGElement;
        return Math.abs(svg.getBoundingClientRect().width - svg.viewBox.baseVal.width) < 2;
      });
      const [waitFigure, slowdowns] = await locateFiguresInPart(page, '[aria-label=Distributions]');
      expect(waitFigure.heading).toBe('Distribution of waits');
      expect(waitFigure.said).toMatch(/waited at most x; medians? /);
      expect(waitFigure.texts).toEqual(
        expect.arrayContaining(['wait', 'share of jobs', 'best-fit', 'fastest-first']),
      );
      expect(slowdowns.texts).toContain('bounded slowdown');
      for (const { scale } of [waitFigure, slowdowns]) expect(scale).toBeCloseTo(1, 1);
    }
    await page.context().close();
  });

  test('have the colours of the page, light or dark', async () => {
    const readCurveColors = (page: Page) =>
      locateFiguresInPart(page, '[aria-label=Distributions]').then(([{ color }]) => color);
    const page = await getExplorer().page(`${getExplorer().server.address}${TWO_METHOD_ADDRESS}`);
    expect(await readCurveColors(page)).toBe('rgb(0, 114, 178)');
    await page.getByRole('button', { name: 'Light or dark' }).click();
    expect(await readCurveColors(page)).toBe('rgb(74, 168, 224)');
    await page.context().close();
  });

  test('show how far methods are behind, and their means', async () => {
    const page = await getExplorer().page(`${getExplorer().server.address}${TWO_METHOD_ADDRESS}`);
    await page.fill('#replications', '20');
    await page.getByRole('button', { name: 'Run replications' }).click();
    await page.waitForSelector('.replicated');
    const [differenceFigure, meanFigure] = await locateFiguresInPart(page, '#sure');
    expect(differenceFigure.heading).toBe('Average response time: how far behind the best of the others');
    expect(meanFigure.heading).toBe('Average response time: means');
    for (const { texts } of [differenceFigure, meanFigure])
      expect(texts).toEqual(expect.arrayContaining(['best-fit', 'fastest-first']));
    // Changing the colours keeps the figures, changing the settings removes them.
    await page.getByRole('button', { name: 'Light or dark' }).click();
    expect(await locateFiguresInPart(page, '#sure')).toHaveLength(2);
    await page.evaluate(() =>
      window.explorer.controller.change({
        ...window.explorer.model.setup,
        options: { ...window.explorer.model.setup.options, load: '1.4' },
      }),
    );
    await page.waitForFunction(() => document.querySelectorAll('#sure figure').length === 0);
    await page.context().close();
  });

  test('of what-ifs with the same name have a curve for each', async () => {
    const page = await getExplorer().page(`${getExplorer().server.address}${TWO_METHOD_ADDRESS}`);
    await page.getByRole('tab', { name: 'Moment' }).click();
    await page.selectOption('#what-if-kind', 'policy');
    await page.selectOption('#what-if-since', 'beginning');
    for (const count of [3, 4]) {
      await page.fill('#what-if', 'ti');
      await page.getByRole('button', { name: 'Try it' }).click();
      await page.waitForFunction((runCount) => window.explorer.model.runs.length === runCount, count);
    }
    const [{ texts }] = await locateFiguresInPart(page, '[aria-label=Distributions]');
    expect(texts).toEqual(expect.arrayContaining(['ti', 'ti (2)']));
    await page.context().close();
  });

  test('saved from Gantt charts have only the visible lanes', async () => {
    const page = await getExplorer().page(`${getExplorer().server.address}${MANY_SITE_ADDRESS}`);
    const downloadPromise = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Gantt charts as SVG' }).click();
    const svg = readFileSync(await (await downloadPromise).path(), 'utf8');
    const [{ width, height }, innerWidths] = await page.evaluate((text) => {
      const drawing = new DOMParser().parseFromString(text, 'image/svg+xml').documentElement;
      const stage = document.querySelector('.gantt .stage') as HTMLElement;
      const { clientWidth, clientHeight } = stage;
      const of = (name: string) =>
        [...drawing.querySelectorAll('svg')].map((svg) => Number(svg.getAttribute(name)));
      return [
        { width: clientWidth, height: clientHeight },
        { width: of('width'), height: of('height') },
      ] as const;
    }, svg);
    expect(innerWidths).toEqual({ width: [width], height: [height] });
    expect(getExplorer().complaints).toEqual([]);
  });
});
