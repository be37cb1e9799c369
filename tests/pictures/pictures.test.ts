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
import { explorerFiles, type RunningServer, serveFiles } from '../../host/explorer/site.js';
import { isFull } from '../cases.js';
import { CHROMIUM, hasChromium } from '../chromium.js';
import { gridalloc } from '../runs/childProcess.js';
import { temporaryFolder } from '../temporaryFolder.js';
import type { PictureBrowser } from './camera.js';
import { Chromium } from './chromium.js';
import { differenceTo, MAX_DIFFERING_PIXELS, reducePicture } from './compare.js';
import { FIREFOX, Firefox, hasFirefox } from './firefox.js';
import { fontsIn } from './fonts.js';
import { makePageActions, waitUntilStill } from './hand.js';
import { overlaps } from './overlaps.js';
import { readPng, writePng } from './png.js';
import { REPORTS, SCENES, type Scene } from './scenes.js';

const KEPT = new URL('./kept/', import.meta.url);
/** Folder for pictures that differ from the stored ones. */
const OUT = fileURLToPath(new URL('../../build/pictures/', import.meta.url));
const isRecorded = process.env.MODE === 'record';
/** A sample contains 1 in this many scenes. */
const SAMPLED = 8;

/** The scenes to compare: all, or a sample determined by the built pages. */
function chosen(): readonly Scene[] {
  if (isFull || isRecorded) return SCENES;
  const built = ['index.html'].map((name) =>
    readFileSync(new URL(`../../build/web/${name}`, import.meta.url)),
  );
  const turn = createHash('sha256')
    .update(built[0])
    .update(readFileSync(new URL('../../build/figures.js.gz', import.meta.url)))
    .digest()[0];
  return SCENES.filter((_, place) => (place + turn) % SAMPLED === 0);
}

const BROWSERS = { chromium: [CHROMIUM, hasChromium], firefox: [FIREFOX, hasFirefox] } as const;
type Browser = keyof typeof BROWSERS;

const lacking = Object.values(BROWSERS).flatMap(([program, isHere]) => (isHere ? [] : [program]));
const isSkipped = lacking.length > 0 && process.env.CI === undefined;

describe.skipIf(isSkipped)(
  `pictures${isSkipped ? ` are not looked at: there is no ${lacking.join(', ')}` : ''}`,
  () => {
    const folder = temporaryFolder();
    const made = new Map<string, Promise<string>>();
    let cameras: Readonly<Record<Browser, PictureBrowser>>;
    let chromium: Chromium;
    let served: RunningServer;

    beforeAll(async () => {
      const env = fontsIn(folder);
      const profile = join(folder, 'profile');
      mkdirSync(profile);
      served = await serveFiles(explorerFiles({}), 0);
      chromium = await Chromium.open(env);
      cameras = { chromium, firefox: await Firefox.open(profile, env) };
    });
    afterAll(async () => {
      for (const camera of Object.values(cameras ?? {})) await camera.close();
      await served?.close();
    });

    /** Address of the page of a scene; a report is made when first needed. */
    async function addressOf({ of }: Scene): Promise<string> {
      if (of === '' || of.startsWith('#')) return `${served.address}${of}`;
      const known = made.get(of) ?? reportOf(of as keyof typeof REPORTS);
      made.set(of, known);
      return known;
    }

    async function reportOf(name: keyof typeof REPORTS): Promise<string> {
      const out = join(folder, name);
      mkdirSync(out);
      for (const words of REPORTS[name](out)) {
        const { code, stderr } = await gridalloc([...words, '--quiet']);
        if (code !== 0) throw new Error(`gridalloc ${words.join(' ')}: ${stderr}`);
      }
      const file = join(out, 'report.html');
      writeFileSync(file, readFileSync(file, 'utf8').replaceAll(folder, ''));
      return pathToFileURL(file).href;
    }

    async function look(camera: PictureBrowser, scene: Scene): Promise<void> {
      const { width = 1280, height = 900, scheme = 'light', medium = 'screen', act = () => {} } = scene;
      await camera.open(await addressOf(scene), { width, height, scheme, medium });
      const hand = `(${makePageActions})()`;
      await camera.run(
        `(async (hand) => { await (${waitUntilStill})(hand); await (${act})(hand); await (${waitUntilStill})(hand); return true; })(${hand})`,
      );
    }

    async function check(browser: Browser, { name }: Scene): Promise<void> {
      const file = new URL(`${name}.${browser}.png`, KEPT);
      const taken = reducePicture(readPng(await cameras[browser].picture()));
      if (isRecorded) return writeFileSync(file, writePng(taken));
      const isKept = existsSync(file);
      const { count, picture } = differenceTo(isKept ? readPng(readFileSync(file)) : taken, taken);
      if (isKept && count <= MAX_DIFFERING_PIXELS) return;
      mkdirSync(OUT, { recursive: true });
      const path = join(OUT, `${name}.${browser}`);
      writeFileSync(`${path}.png`, writePng(taken));
      writeFileSync(`${path}.difference.png`, writePng(picture));
      const how = isKept ? `${count} pixels are not as in the picture kept` : 'no picture is kept of it';
      throw new Error(`${name} in ${browser}: ${how}; see ${path}.png and ${path}.difference.png`);
    }

    for (const scene of chosen()) {
      for (const browser of Object.keys(BROWSERS) as Browser[]) {
        test(`${scene.name} in ${browser} looks as it did`, async () => {
          await look(cameras[browser], scene);
          await check(browser, scene);
          if (browser === 'firefox') return;
          await chromium.page.evaluate(axe.source);
          const found = await chromium.page.evaluate(async () => {
            const { violations } = await (window as unknown as { axe: typeof axe }).axe.run();
            return violations.map(
              ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 150)).join(' | ')}`,
            );
          });
          expect(found).toEqual([]);
          expect(await chromium.page.evaluate(overlaps)).toEqual([]);
          const wide = await chromium.page.evaluate(() => document.documentElement.scrollWidth);
          expect(wide).toBeLessThanOrEqual(scene.width ?? 1280);
          expect(chromium.complaints).toEqual([]);
        });
      }
    }

    test('a picture is kept of every scene, and of nothing else', () => {
      const names = SCENES.flatMap(({ name }) =>
        Object.keys(BROWSERS).map((browser) => `${name}.${browser}.png`),
      );
      expect(readdirSync(KEPT).sort()).toEqual(names.sort());
    });

    test('pages see the scheme, the medium and the width of their scene', async () => {
      const address = await addressOf({ name: '', of: '' });
      // Paper always uses the light scheme.
      const looks = [
        ['dark', 'screen'],
        ['light', 'print'],
        ['light', 'screen'],
      ] as const;
      for (const camera of Object.values(cameras))
        for (const [scheme, medium] of looks) {
          await camera.open(address, { width: 700, height: 300, scheme, medium });
          const args = [`(prefers-color-scheme: ${scheme})`, medium, '(width: 700px)'];
          const seen = await camera.run(`${JSON.stringify(args)}.filter((each) => matchMedia(each).matches)`);
          expect(seen).toEqual(args);
        }
    });

    test('another word, another colour and another place are noticed', async () => {
      const sheet = { width: 600, height: 300, scheme: 'light', medium: 'screen' } as const;
      const box = (left: number, color: string) =>
        `<i style="position:absolute;left:${left}px;top:80px;width:40px;height:6px;background:${color}"></i>`;
      const pages = {
        kept: `a job waits 1 h 17 min${box(30, '#0072b2')}`,
        word: `a job waits 2 h 44 min${box(30, '#0072b2')}`,
        color: `a job waits 1 h 17 min${box(30, '#d55e00')}`,
        place: `a job waits 1 h 17 min${box(36, '#0072b2')}`,
      };
      for (const camera of Object.values(cameras)) {
        const counts: number[] = [];
        let kept: Buffer | undefined;
        for (const body of Object.values(pages)) {
          await camera.open(
            `data:text/html,${encodeURIComponent(`<p style="font:16px Arimo">${body}`)}`,
            sheet,
          );
          const taken = reducePicture(readPng(await camera.picture()));
          kept ??= writePng(taken);
          counts.push(differenceTo(readPng(kept), taken).count);
        }
        expect(counts[0]).toBe(0);
        for (const count of counts.slice(1)) expect(count).toBeGreaterThan(MAX_DIFFERING_PIXELS);
      }
    });
  },
);
