/** How quick the explorer is with 50,000 jobs: to the first picture, while one moves and zooms, while replications run. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { encodeTrace } from '../../host/trace/swf.js';
import { makeModelTrace } from '../../host/workload/models.js';
import { describeInBrowser, drop, Explorer, settled } from './browser.js';

/** Trials, of which the best counts: others use the machine too. */
const TRIALS = 3;
/** To the first picture, and of a frame, in milliseconds. */
const FIRST_PICTURE = 2000;
const [USUAL_FRAME, WORST_FRAME] = [50, 100];
const FRAMES = 30;
/** The longest that the page may not answer while replications run. */
const LONGEST_PAUSE = 200;

/** Moves and zooms, a step per frame; the milliseconds that each drawing took. */
function drawings(page: Page): Promise<number[]> {
  return page.evaluate(async (frames) => {
    const { model, charts } = window.explorer;
    const [chart] = charts;
    model.view.show(...model.view.whole);
    const before = chart.drawings.length;
    for (let frame = 0; frame < frames; frame++) {
      if (frame % 3 === 0) model.view.zoom(frame < frames / 2 ? 1.3 : 1 / 1.3);
      else model.view.move(0.02);
      model.looked.tell();
      await new Promise(requestAnimationFrame);
      await new Promise(requestAnimationFrame);
    }
    return chart.drawings.slice(before);
  }, FRAMES);
}

/** Runs the replications; the longest time in which the page did not answer, in milliseconds. */
function longestPause(page: Page): Promise<number> {
  return page.evaluate(async () => {
    await new Promise((resolve) => setTimeout(resolve, 500));
    let [last, most] = [performance.now(), 0];
    const timer = setInterval(() => {
      const now = performance.now();
      [last, most] = [now, Math.max(most, now - last)];
    }, 10);
    const buttons = [...document.querySelectorAll('#sure button')] as HTMLElement[];
    buttons.find(({ textContent }) => textContent === 'Run them')?.click();
    while (document.querySelector('.replicated') === null) await new Promise((done) => setTimeout(done, 20));
    clearInterval(timer);
    return most;
  });
}

describeInBrowser('50,000 jobs in the explorer', () => {
  let explorer: Explorer;
  let log: string;
  beforeAll(async () => {
    explorer = await Explorer.open();
    log = [...encodeTrace(makeModelTrace('lublin99[aarr=9,jobs=50000]'))].join('');
  });
  afterAll(() => explorer.close());

  test('are a picture two seconds after they are dropped, and drawing keeps up with the hand', async () => {
    const page = await explorer.page();
    let first = Number.POSITIVE_INFINITY;
    for (let trial = 0; trial < TRIALS && first >= FIRST_PICTURE; trial++) {
      const name = `big${trial}.swf`;
      const seen = page.evaluate(
        (expected) =>
          new Promise<number>((resolve) => {
            let began = 0;
            addEventListener('drop', () => {
              began = performance.now();
            });
            const look = () => {
              const { model, charts } = window.explorer;
              const isShown = model.outcome?.source === expected && (charts[0].run?.start.length ?? 0) > 0;
              if (began > 0 && isShown) requestAnimationFrame(() => resolve(performance.now() - began));
              else requestAnimationFrame(look);
            };
            look();
          }),
        name,
      );
      await drop(page, name, log);
      first = Math.min(first, await seen);
    }
    expect(first).toBeLessThan(FIRST_PICTURE);
    expect(await page.evaluate(() => window.explorer.model.outcome?.jobs.count)).toBe(50_000);
    // Of each frame the best of all trials: what it takes where nobody else has the processor.
    const trials: number[][] = [];
    for (let trial = 0; trial < TRIALS; trial++) trials.push(await drawings(page));
    const frames = trials[0].map((_, frame) => Math.min(...trials.map((times) => times[frame] ?? Infinity)));
    frames.sort((a, b) => a - b);
    const [usual, worst] = [frames[Math.floor(frames.length * 0.95)], frames[frames.length - 1]];
    expect(frames.length).toBeGreaterThan(FRAMES / 2);
    expect(usual).toBeLessThan(USUAL_FRAME);
    expect(worst).toBeLessThan(WORST_FRAME);
  });

  test('the page answers while eight policies run over replications', async () => {
    const policies = ['best-fit', 'fastest-first', 'si', 'ti', 'ai', 'ai2', 'tai', 'tai2'];
    const methods = policies.map((policy) => `method=policy%3D${policy}`).join('&');
    const setting = `#workload=lublin99%5Bjobs%3D10000%5D&sites=8,128,128,128,50&speeds=1,2,1,3,1&${methods}`;
    const page = await explorer.page(`${explorer.served.address}${setting}`);
    await settled(page);
    await page.fill('#replications', '8');
    let longest = Number.POSITIVE_INFINITY;
    for (let trial = 0; trial < TRIALS && longest >= LONGEST_PAUSE; trial++) {
      longest = Math.min(longest, await longestPause(page));
    }
    expect(longest).toBeLessThan(LONGEST_PAUSE);
    expect(await page.locator('.replicated tbody tr').count()).toBe(policies.length);
  });
});
