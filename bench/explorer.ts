/**
 * Cost of the explorer by Chromium's own trace: processor time of the page's main thread and of its workers
 * from a dropped log to its picture, and of the main thread in each frame of zooming and dragging.
 *
 * tsx bench/explorer.ts LOG.swf.gz
 * tsx bench/explorer.ts 'lublin99[aarr=9,jobs=250000]'
 */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { chromium, type Page } from 'playwright-core';
import { makeExplorerFiles, serveFilesWithToken } from '../host/explorer/site.js';
import '../host/files/coreFile.js';
import { encodeTrace } from '../host/trace/swf.js';
import { isModelNotation, makeModelTrace } from '../host/workload/models.js';
import { CHROMIUM_PATH } from '../tests/chromium.js';
import { waitUntilResultsAreShown } from '../tests/explorer/browser.js';
import {
  computeProcessorTimesOfFrames,
  recordChromiumTrace,
  sumProcessorTimeUntil,
} from '../tests/explorer/processorTime.js';
import '../tests/explorer/window.js';

/** Number of frames measured. */
const FRAME_COUNT = 90;

/** Zooms or drags by one step per frame. */
async function moveTimeView(page: Page, gesture: 'zoom' | 'drag'): Promise<void> {
  await page.evaluate(
    async ([gestureName, frames]) => {
      const { view: visibleRange, viewChanged } = window.explorer.model;
      visibleRange.show(...visibleRange.whole);
      if (gestureName === 'drag') visibleRange.zoom(3);
      for (let frameIndex = 0; frameIndex < frames; frameIndex++) {
        if (gestureName === 'zoom') visibleRange.zoom(frameIndex < frames / 2 ? 1.12 : 1 / 1.12);
        else visibleRange.move(frameIndex < frames / 2 ? 0.01 : -0.01);
        viewChanged.notify();
        await new Promise(requestAnimationFrame);
        performance.mark('frame');
      }
    },
    [gesture, FRAME_COUNT] as const,
  );
}

const [source] = process.argv.slice(2);
if (source === undefined) throw new Error('bench/explorer.ts takes a log or a model');
const model = join(mkdtempSync(join(tmpdir(), 'gridalloc-bench-')), 'model.swf');
if (isModelNotation(source)) writeFileSync(model, [...encodeTrace(makeModelTrace(source))].join(''));
const log = isModelNotation(source) ? model : source;
const explorerServer = await serveFilesWithToken(makeExplorerFiles({}), 0);
const browser = await chromium.launch({
  executablePath: CHROMIUM_PATH,
  args: ['--no-sandbox', '--disable-gpu'],
});
const page = await browser.newPage({ viewport: { width: 1280, height: 860 } });
await page.goto(explorerServer.address);
await waitUntilResultsAreShown(page);
const session = await browser.newBrowserCDPSession();
const traceEvents = await recordChromiumTrace(session, async () => {
  const pictureDrawnPromise = page.evaluate(async (name) => {
    const { model, charts } = window.explorer;
    while (model.outcome?.source !== name || charts[0].run === undefined)
      await new Promise(requestAnimationFrame);
    // Waits for the frame after the one that draws the picture.
    await new Promise(requestAnimationFrame);
    performance.mark('picture');
  }, basename(log));
  await page.setInputFiles('#log-file', log);
  await page.waitForFunction((name) => window.explorer.model.outcome?.source === name, basename(log));
  await pictureDrawnPromise;
  await waitUntilResultsAreShown(page);
  await page.evaluate(() => new Promise(requestAnimationFrame));
});
const pictureEventTime = traceEvents.find(({ name: eventName }) => eventName === 'picture')?.ts ?? Infinity;
for (const [phase, phaseEnd] of [
  ['first picture', pictureEventTime],
  ['all methods', Infinity],
] as const) {
  const [mainThreadTime, worker] = ['CrRendererMain', 'DedicatedWorker'].map((threadName) =>
    sumProcessorTimeUntil(traceEvents, threadName, phaseEnd),
  );
  console.log(
    `${phase}: page ${mainThreadTime.toFixed(0)} ms, worker ${worker.toFixed(0)} ms of processor time`,
  );
}
await page.waitForTimeout(3000);
for (const gesture of ['zoom', 'drag'] as const) {
  const times = computeProcessorTimesOfFrames(
    await recordChromiumTrace(session, () => moveTimeView(page, gesture)),
  );
  const formatFrameTimeQuantile = (share: number) =>
    times[Math.min(Math.floor(times.length * share), times.length - 1)].toFixed(1);
  console.log(
    `${gesture}: ${times.length} frames, median ${formatFrameTimeQuantile(0.5)}, 95 % ${formatFrameTimeQuantile(0.95)}, longest ${formatFrameTimeQuantile(1)} ms`,
  );
}
await browser.close();
await explorerServer.close();
