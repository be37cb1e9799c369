/** Dates on the explorer's time axis, on pages of several widths. */
import { expect, test } from 'vitest';
import { describeBrowserTests, openExplorerForTests } from './browser.js';

describeBrowserTests('the axis of time', () => {
  const getExplorer = openExplorerForTests();

  test.each([400, 700, 1280])('has whole words that do not touch, %i px wide', async (width) => {
    const page = await getExplorer().page(undefined, 'light', width);
    const { faults, words } = await page.evaluate(async () => {
      const { view: visibleRange, viewChanged } = window.explorer.model;
      const ticks = document.querySelector('.time-axis .ticks') as HTMLElement;
      const faultsAndLabelCounts = { faults: [] as string[], words: [] as number[] };
      for (let stepNumber = 0; stepNumber < 90; stepNumber++) {
        visibleRange.zoom(stepNumber < 45 ? 1.11 : 1 / 1.1);
        if (stepNumber % 4 === 0) visibleRange.move(0.07);
        viewChanged.notify();
        await new Promise(requestAnimationFrame);
        await new Promise(requestAnimationFrame);
        const { right } = ticks.getBoundingClientRect();
        let end = -Infinity;
        const visibleTicks = ticks.querySelectorAll<HTMLElement>('span:not([hidden])');
        for (const tickElement of visibleTicks) {
          const boundingBox = tickElement.getBoundingClientRect();
          if (boundingBox.left < end - 1)
            faultsAndLabelCounts.faults.push(`${tickElement.textContent} touches the one before`);
          if (boundingBox.right > right + 1)
            faultsAndLabelCounts.faults.push(`${tickElement.textContent} is cut`);
          if (boundingBox.width < 10) faultsAndLabelCounts.faults.push('a mark has no words');
          end = boundingBox.right;
        }
        faultsAndLabelCounts.words.push(visibleTicks.length);
      }
      return faultsAndLabelCounts;
    });
    expect(faults).toEqual([]);
    expect(Math.min(...words)).toBeGreaterThan(0);
    expect(Math.max(...words)).toBeGreaterThan(width / 200);
    await page.context().close();
  });
});
