/**
 * Opens reports of every kind and all scenes of the explorer: nothing may exceed the width of a
 * narrow screen, and dark pages must not use light colours in drawings.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeStartDifferenceColorPairs, WAIT_CLASS_FILL_PAIRS } from '../../host/draw/colors.js';
import { makeExplorerFiles, type RunningServer, serveFilesWithToken } from '../../host/explorer/site.js';
import { REPORT_STYLE_TOKENS } from '../../host/view/tokens.js';
import { describeBrowserTests } from '../explorer/browser.js';
import { runGridalloc } from '../runs/childProcess.js';
import { makeTemporaryFolder } from '../temporaryFolder.js';
import { Chromium } from './chromium.js';
import { makePageActions, waitUntilPageIsStill } from './hand.js';
import { PICTURE_SCENES, REPORT_SCENES } from './scenes.js';

const NARROW_PAGE_SETTINGS = { width: 400, height: 900, scheme: 'light', medium: 'screen' } as const;
const DARK_PAGE_SETTINGS = { width: 1280, height: 900, scheme: 'dark', medium: 'screen' } as const;

const SHORT_WORKLOAD_MODEL = 'lublin99[aarr=9,jobs=600]';
/** Commands for pages without stored pictures. */
const COMMANDS_BY_UNPICTURED_PAGE: Readonly<Record<string, (resultFolder: string) => string[][]>> = {
  'replications of one method': (resultFolder) => [
    [
      'simulate',
      SHORT_WORKLOAD_MODEL,
      '--sites',
      '128',
      '--replications',
      '5',
      '--threads',
      '1',
      '--out',
      resultFolder,
    ],
  ],
  'several policies': (resultFolder) => [
    [
      'simulate',
      SHORT_WORKLOAD_MODEL,
      '--sites',
      '8,128',
      '--policy',
      'best-fit,ti,ai2',
      '--out',
      resultFolder,
    ],
    ['report', resultFolder],
  ],
  benchmark: (resultFolder) => [['bench', '--quick', '--out', resultFolder]],
};

/** Elements that scroll sideways or reach beyond the page. Runs inside the page. */
function findTooWideElements(): string[] {
  const nameOf = (element: Element) =>
    `${element.tagName.toLowerCase()}.${element.getAttribute('class') ?? ''} ${element.textContent?.trim().slice(0, 40)}`;
  const page = document.documentElement;
  const descriptionsOfOverflows = page.scrollWidth > innerWidth ? [`the page: ${page.scrollWidth} px`] : [];
  for (const element of document.body.querySelectorAll('*')) {
    const { right, width } = element.getBoundingClientRect();
    if (
      width === 0 ||
      !element.checkVisibility() ||
      element.closest('svg, .spoken, .visually-hidden') !== null
    )
      continue;
    const style = getComputedStyle(element);
    const isScrolledElement =
      ['auto', 'scroll'].includes(style.overflowX) && element.scrollWidth > element.clientWidth + 1;
    const isClippedElement = element.closest('.ticks, .hair, .overview') !== null;
    if (isScrolledElement || (right > innerWidth + 1 && !isClippedElement))
      descriptionsOfOverflows.push(nameOf(element));
  }
  return descriptionsOfOverflows;
}

/** Colours of drawings and their legends, as `rgb(...)`. Runs inside the page. */
function findDrawnColors(): string[] {
  const shapes = [...document.querySelectorAll('.drawing svg *')].flatMap((element) => {
    const { fill, stroke } = getComputedStyle(element);
    return [fill, stroke];
  });
  const samples = [...document.querySelectorAll('.sample')].map((element) => getComputedStyle(element).color);
  return [...new Set([...shapes, ...samples])];
}

const convertHexColorToRgb = (color: string) =>
  `rgb(${[1, 3, 5].map((hexPosition) => Number.parseInt(color.slice(hexPosition, hexPosition + 2), 16)).join(', ')})`;

/** Colours used by light pages but not by dark ones. */
function findColorsOfLightPagesOnly(): Set<string> {
  const [light, dark] = REPORT_STYLE_TOKENS.split('@media').map(
    (text) => text.match(/#[0-9a-f]{6}\b/g) ?? [],
  );
  const colorPairs = [...WAIT_CLASS_FILL_PAIRS, ...makeStartDifferenceColorPairs()];
  const colorsOfDarkTheme = new Set([...dark, ...colorPairs.map(([, color]) => color)]);
  const colorsOfLightTheme = [...light, ...colorPairs.map(([color]) => color)].filter(
    (color) => !colorsOfDarkTheme.has(color),
  );
  return new Set(colorsOfLightTheme.filter((color) => color !== '#ffffff').map(convertHexColorToRgb));
}

describeBrowserTests('every page', () => {
  const folder = makeTemporaryFolder();
  let chromium: Chromium;
  let server: RunningServer;
  beforeAll(async () => {
    server = await serveFilesWithToken(makeExplorerFiles({}), 0);
    chromium = await Chromium.open(process.env);
  });
  afterAll(async () => {
    await chromium?.close();
    await server?.close();
  });

  /** Scrolls through a page, which makes all of its figures interactive. */
  const makeFiguresInteractive = async () => {
    await chromium.run(`(async () => {
      for (const drawing of document.querySelectorAll('.drawing, figure')) {
        drawing.scrollIntoView();
        await new Promise(requestAnimationFrame);
      }
      scrollTo(0, 0);
      return true;
    })()`);
    await chromium.run(`(${waitUntilPageIsStill})((${makePageActions})()).then(() => true)`);
  };

  describe('of a report', () => {
    for (const [name, makeCommands] of Object.entries({ ...REPORT_SCENES, ...COMMANDS_BY_UNPICTURED_PAGE })) {
      test(`${name} fits a narrow screen and is dark on a dark one`, async () => {
        const resultFolder = join(folder, name);
        if (name in REPORT_SCENES) mkdirSync(resultFolder);
        for (const words of makeCommands(resultFolder)) {
          const { exitCode, stderr } = await runGridalloc([...words, '--quiet']);
          expect(exitCode, `gridalloc ${words.join(' ')}: ${stderr}`).toBe(0);
        }
        const url = pathToFileURL(join(resultFolder, 'report.html')).href;
        await chromium.open(url, NARROW_PAGE_SETTINGS);
        await makeFiguresInteractive();
        expect(await chromium.page.evaluate(findTooWideElements)).toEqual([]);
        await chromium.open(url, DARK_PAGE_SETTINGS);
        await makeFiguresInteractive();
        const colorsOfLightPagesOnly = findColorsOfLightPagesOnly();
        const colorsOnDarkPage = await chromium.page.evaluate(findDrawnColors);
        expect(colorsOnDarkPage.filter((color) => colorsOfLightPagesOnly.has(color))).toEqual([]);
        await chromium.page.emulateMedia({ colorScheme: 'light' });
        if (name === 'one-site' || name === 'difference')
          expect(
            (await chromium.page.evaluate(findDrawnColors)).some((color) =>
              colorsOfLightPagesOnly.has(color),
            ),
          ).toBe(true);
      });
    }
  });

  test.each(
    PICTURE_SCENES.filter(({ of }) => of === '' || of.startsWith('#')).map((pictureScene) => [
      pictureScene.name,
      pictureScene,
    ]),
  )('the explorer fits a narrow screen: %s', async (_, { of, act = () => {} }) => {
    await chromium.open(`${server.address}${of}`, NARROW_PAGE_SETTINGS);
    await chromium.run(
      `(async (hand) => { await (${waitUntilPageIsStill})(hand); await (${act})(hand); await (${waitUntilPageIsStill})(hand); return true; })((${makePageActions})())`,
    );
    expect(await chromium.page.evaluate(findTooWideElements)).toEqual([]);
  });

  test.each([1280, 700])('an exported drawing holds all of its words, at %i pixels', async (width) => {
    const addressOfDifferingMethods = `#workload=${encodeURIComponent('lublin99[aarr=9,jobs=1000]')}&sites=128&estimates=exact&method=discipline%3Dfcfs&method=discipline%3Deasy`;
    await chromium.open(`${server.address}${addressOfDifferingMethods}`, { ...DARK_PAGE_SETTINGS, width });
    await chromium.run(`(${waitUntilPageIsStill})((${makePageActions})()).then(() => true)`);
    const { page } = chromium;
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: /SVG/ }).first().click();
    const file = join(folder, `gantt-${width}.svg`);
    await (await download).saveAs(file);
    await chromium.open(pathToFileURL(file).href, DARK_PAGE_SETTINGS);
    const textsBeyondEdge = await page.evaluate(() => {
      const svg = document.documentElement as unknown as SVGSVGElement;
      const { width: svgWidth } = svg.viewBox.baseVal;
      const textElements = [...svg.querySelectorAll('text')];
      const isOutsideDrawing = (textElement: SVGTextElement) => {
        const { x, width: textWidth } = textElement.getBBox();
        return x < 0 || x + textWidth > svgWidth;
      };
      return {
        count: textElements.length,
        out: textElements.filter(isOutsideDrawing).map(({ textContent }) => textContent),
      };
    });
    expect(textsBeyondEdge.count).toBeGreaterThan(15);
    expect(textsBeyondEdge.out).toEqual([]);
  });
});
