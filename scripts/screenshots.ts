/** `npm run screenshots`: takes the pictures of the explorer for the docs with headless Chromium. */
import { chromium } from 'playwright-core';
import { explorerFiles, serveFiles } from '../host/explorer/site.js';
import '../host/files/coreFile.js';
import '../tests/explorer/window.js';

/** Path on Debian. */
const CHROMIUM = '/usr/bin/chromium';

const served = await serveFiles(explorerFiles({}), 0);
const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-gpu'] });
for (const colorScheme of ['light', 'dark'] as const) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 860 }, colorScheme });
  await page.goto(served.address);
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
await browser.close();
await served.close();
