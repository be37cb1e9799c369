/**
 * Compares scenes of the explorer and of reports, in Chromium and Firefox, with stored pictures
 * (kept/), and checks their accessibility with axe. Runs a sample that changes with each build;
 * `--mode full` runs all. `npm run test:pictures` stores the current pictures.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import axe from 'axe-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeExplorerFiles, type RunningServer, serveFilesWithToken } from '../../host/explorer/site.js';
import { doesRunAllCases } from '../cases.js';
import { CHROMIUM_PATH, isChromiumInstalled } from '../chromium.js';
import { runGridalloc } from '../runs/childProcess.js';
import { makeTemporaryFolder } from '../temporaryFolder.js';
import type { PictureBrowser } from './camera.js';
import { Chromium } from './chromium.js';
import { compareWithStoredPicture, MAX_DIFFERING_PIXEL_COUNT, reducePictureSize } from './compare.js';
import { FIREFOX_PATH, Firefox, hasFirefox } from './firefox.js';
import { writeFontConfiguration } from './fonts.js';
import { makePageActions, waitUntilPageIsStill } from './hand.js';
import { findOverlappingElements } from './overlaps.js';
import { readPng, writePng } from './png.js';
import { PICTURE_SCENES, type PictureScene, REPORT_SCENES } from './scenes.js';

const STORED_PICTURES_FOLDER = new URL('./kept/', import.meta.url);
/** Folder for pictures that differ from the stored ones. */
const PICTURE_OUTPUT_FOLDER = fileURLToPath(new URL('../../build/pictures/', import.meta.url));
const isRecordingPictures = process.env.MODE === 'record';
/** A sample contains 1 in this many scenes. */
const SAMPLED_SCENE_DIVISOR = 8;

/** The scenes to compare: all, or a sample determined by the built pages. */
function scenesToCompare(): readonly PictureScene[] {
  if (doesRunAllCases || isRecordingPictures) return PICTURE_SCENES;
  const contentsOfBuiltPages = ['index.html'].map((name) =>
    readFileSync(new URL(`../../build/web/${name}`, import.meta.url)),
  );
  const sampleOffset = createHash('sha256')
    .update(contentsOfBuiltPages[0])
    .update(readFileSync(new URL('../../build/figures.js.gz', import.meta.url)))
    .digest()[0];
  return PICTURE_SCENES.filter((_, sceneIndex) => (sceneIndex + sampleOffset) % SAMPLED_SCENE_DIVISOR === 0);
}

const BROWSER_PROGRAMS = {
  chromium: [CHROMIUM_PATH, isChromiumInstalled],
  firefox: [FIREFOX_PATH, hasFirefox],
} as const;
type BrowserName = keyof typeof BROWSER_PROGRAMS;

const missingBrowsers = Object.values(BROWSER_PROGRAMS).flatMap(([program, isHere]) =>
  isHere ? [] : [program],
);
const isSkipped = missingBrowsers.length > 0 && process.env.CI === undefined;

describe.skipIf(isSkipped)(
  `pictures${isSkipped ? ` are not looked at: there is no ${missingBrowsers.join(', ')}` : ''}`,
  () => {
    const folder = makeTemporaryFolder();
    const reportsByScene = new Map<string, Promise<string>>();
    let pictureBrowsers: Readonly<Record<BrowserName, PictureBrowser>>;
    let chromium: Chromium;
    let server: RunningServer;

    beforeAll(async () => {
      const env = writeFontConfiguration(folder);
      const profile = join(folder, 'profile');
      mkdirSync(profile);
      server = await serveFilesWithToken(makeExplorerFiles({}), 0);
      chromium = await Chromium.open(env);
      pictureBrowsers = { chromium, firefox: await Firefox.open(profile, env) };
    });
    afterAll(async () => {
      for (const pictureBrowser of Object.values(pictureBrowsers ?? {})) await pictureBrowser.close();
      await server?.close();
    });

    /** Address of the page of a scene; a report is made when first needed. */
    async function findAddressOfScene({ of }: PictureScene): Promise<string> {
      if (of === '' || of.startsWith('#')) return `${server.address}${of}`;
      const promiseOfReportAddress = reportsByScene.get(of) ?? readReportOf(of as keyof typeof REPORT_SCENES);
      reportsByScene.set(of, promiseOfReportAddress);
      return promiseOfReportAddress;
    }

    async function readReportOf(sceneName: keyof typeof REPORT_SCENES): Promise<string> {
      const resultFolder = join(folder, sceneName);
      mkdirSync(resultFolder);
      for (const words of REPORT_SCENES[sceneName](resultFolder)) {
        const { exitCode, stderr } = await runGridalloc([...words, '--quiet']);
        if (exitCode !== 0) throw new Error(`gridalloc ${words.join(' ')}: ${stderr}`);
      }
      const file = join(resultFolder, 'report.html');
      writeFileSync(file, readFileSync(file, 'utf8').replaceAll(folder, ''));
      return pathToFileURL(file).href;
    }

    async function openSceneAndAct(
      pictureBrowser: PictureBrowser,
      pictureScene: PictureScene,
    ): Promise<void> {
      const {
        width = 1280,
        height = 900,
        scheme = 'light',
        medium = 'screen',
        act = () => {},
      } = pictureScene;
      await pictureBrowser.open(await findAddressOfScene(pictureScene), { width, height, scheme, medium });
      const actionsScript = `(${makePageActions})()`;
      await pictureBrowser.run(
        `(async (hand) => { await (${waitUntilPageIsStill})(hand); await (${act})(hand); await (${waitUntilPageIsStill})(hand); return true; })(${actionsScript})`,
      );
    }

    async function check(browser: BrowserName, { name: sceneName }: PictureScene): Promise<void> {
      const file = new URL(`${sceneName}.${browser}.png`, STORED_PICTURES_FOLDER);
      const takenPicture = reducePictureSize(readPng(await pictureBrowsers[browser].picture()));
      if (isRecordingPictures) return writeFileSync(file, writePng(takenPicture));
      const hasSavedPicture = existsSync(file);
      const { count, picture } = compareWithStoredPicture(
        hasSavedPicture ? readPng(readFileSync(file)) : takenPicture,
        takenPicture,
      );
      if (hasSavedPicture && count <= MAX_DIFFERING_PIXEL_COUNT) return;
      mkdirSync(PICTURE_OUTPUT_FOLDER, { recursive: true });
      const path = join(PICTURE_OUTPUT_FOLDER, `${sceneName}.${browser}`);
      writeFileSync(`${path}.png`, writePng(takenPicture));
      writeFileSync(`${path}.difference.png`, writePng(picture));
      const differenceText = hasSavedPicture
        ? `${count} pixels are not as in the picture kept`
        : 'no picture is kept of it';
      throw new Error(
        `${sceneName} in ${browser}: ${differenceText}; see ${path}.png and ${path}.difference.png`,
      );
    }

    for (const pictureScene of scenesToCompare()) {
      for (const browser of Object.keys(BROWSER_PROGRAMS) as BrowserName[]) {
        test(`${pictureScene.name} in ${browser} looks as it did`, async () => {
          await openSceneAndAct(pictureBrowsers[browser], pictureScene);
          await check(browser, pictureScene);
          if (browser === 'firefox') return;
          await chromium.page.evaluate(axe.source);
          const accessibilityViolations = await chromium.page.evaluate(async () => {
            const { violations } = await (window as unknown as { axe: typeof axe }).axe.run();
            return violations.map(
              ({ id: violationId, nodes }) =>
                `${violationId}: ${nodes.map(({ html }) => html.slice(0, 150)).join(' | ')}`,
            );
          });
          expect(accessibilityViolations).toEqual([]);
          expect(await chromium.page.evaluate(findOverlappingElements)).toEqual([]);
          const pageWidth = await chromium.page.evaluate(() => document.documentElement.scrollWidth);
          expect(pageWidth).toBeLessThanOrEqual(pictureScene.width ?? 1280);
          expect(chromium.complaints).toEqual([]);
        });
      }
    }

    test('a picture is kept of every scene, and of nothing else', () => {
      const pictureNames = PICTURE_SCENES.flatMap(({ name: sceneName }) =>
        Object.keys(BROWSER_PROGRAMS).map((browser) => `${sceneName}.${browser}.png`),
      );
      expect(readdirSync(STORED_PICTURES_FOLDER).sort()).toEqual(pictureNames.sort());
    });

    test('pages see the scheme, the medium and the width of their scene', async () => {
      const address = await findAddressOfScene({ name: '', of: '' });
      // Printed pages always use the light colour scheme.
      const pageSettings = [
        ['dark', 'screen'],
        ['light', 'print'],
        ['light', 'screen'],
      ] as const;
      for (const pictureBrowser of Object.values(pictureBrowsers))
        for (const [scheme, medium] of pageSettings) {
          await pictureBrowser.open(address, { width: 700, height: 300, scheme, medium });
          const args = [`(prefers-color-scheme: ${scheme})`, medium, '(width: 700px)'];
          const matchingMediaQueries = await pictureBrowser.run(
            `${JSON.stringify(args)}.filter((each) => matchMedia(each).matches)`,
          );
          expect(matchingMediaQueries).toEqual(args);
        }
    });

    test('another word, another colour and another place are noticed', async () => {
      const pageSettings = { width: 600, height: 300, scheme: 'light', medium: 'screen' } as const;
      const makeColoredBoxHtml = (leftEdge: number, color: string) =>
        `<i style="position:absolute;left:${leftEdge}px;top:80px;width:40px;height:6px;background:${color}"></i>`;
      const pages = {
        kept: `a job waits 1 h 17 min${makeColoredBoxHtml(30, '#0072b2')}`,
        word: `a job waits 2 h 44 min${makeColoredBoxHtml(30, '#0072b2')}`,
        color: `a job waits 1 h 17 min${makeColoredBoxHtml(30, '#d55e00')}`,
        place: `a job waits 1 h 17 min${makeColoredBoxHtml(36, '#0072b2')}`,
      };
      for (const pictureBrowser of Object.values(pictureBrowsers)) {
        const differingPixelCounts: number[] = [];
        let storedPicture: Buffer | undefined;
        for (const bodyHtml of Object.values(pages)) {
          await pictureBrowser.open(
            `data:text/html,${encodeURIComponent(`<p style="font:16px Arimo">${bodyHtml}`)}`,
            pageSettings,
          );
          const takenPicture = reducePictureSize(readPng(await pictureBrowser.picture()));
          storedPicture ??= writePng(takenPicture);
          differingPixelCounts.push(compareWithStoredPicture(readPng(storedPicture), takenPicture).count);
        }
        expect(differingPixelCounts[0]).toBe(0);
        for (const count of differingPixelCounts.slice(1))
          expect(count).toBeGreaterThan(MAX_DIFFERING_PIXEL_COUNT);
      }
    });
  },
);
