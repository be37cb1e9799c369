/** `npm run screenshots`: takes the pictures of the explorer and of outages for the docs with headless Chromium. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { makeExplorerFiles, serveFilesWithToken } from '../host/explorer/site.js';
import '../host/files/coreFile.js';
import { drawFolder } from '../host/reports/savedReport.js';
import '../tests/explorer/window.js';

/** Path of the Chromium program on Debian. */
const CHROMIUM_PATH = '/usr/bin/chromium';

const explorerServer = await serveFilesWithToken(makeExplorerFiles({}), 0);
const browser = await chromium.launch({
  executablePath: CHROMIUM_PATH,
  args: ['--no-sandbox', '--disable-gpu'],
});
for (const colorScheme of ['light', 'dark'] as const) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 860 }, colorScheme });
  await page.goto(explorerServer.address);
  await page.waitForFunction(() => window.explorer?.model.outcome !== undefined);
  // Shows a part of the time range, and a job with its explanation.
  await page.evaluate(() => {
    const { model } = window.explorer;
    const [from, to] = model.view.whole;
    model.view.show(from + 0.14 * (to - from), from + 0.42 * (to - from));
    model.viewChanged.notify();
  });
  await page.waitForTimeout(300);
  await page.mouse.move(760, 330);
  await page.waitForSelector('.tooltip p');
  await page.screenshot({ path: `docs/explorer-${colorScheme}.png` });
}

/** Options of the run that docs/outages.md draws. */
const OUTAGE_OPTIONS =
  '--sites 64 --estimates exact --discipline easy --outages planned:1x24@16000..36000+1x16@30000..44000';

// Saves a Gantt chart with processors taken by outages.
const folder = mkdtempSync(join(tmpdir(), 'gridalloc-picture-'));
execFileSync('node', [
  ...['dist/cli/main.js', 'simulate', 'lublin99[jobs=60,processors=64]'],
  ...[...OUTAGE_OPTIONS.split(' '), '--out', folder],
]);
const { pictures } = await drawFolder(folder);
const ganttSvg = pictures.find(({ id: pictureId }) => pictureId === 'gantt')?.svg ?? '';
const page = await browser.newPage({ viewport: { width: 800, height: 600 } });
await page.setContent(`<body style="margin: 0; padding: 10px; background: #fff">${ganttSvg}</body>`);
const size = await page.locator('svg').boundingBox();
await page.setViewportSize({ width: 800, height: Math.ceil(size?.height ?? 0) + 20 });
await page.screenshot({ path: 'docs/outages.png' });
rmSync(folder, { recursive: true });
await browser.close();
await explorerServer.close();
