/** The explorer, printed on paper. */
import { expect, test } from 'vitest';
import { describeBrowserTests, openExplorerForTests } from './browser.js';

const TWO_METHOD_ADDRESS =
  '#workload=lublin99%5Bjobs%3D300%5D&sites=64,128&method=policy%3Dbest-fit&method=policy%3Dfastest-first';

/** Parts of the page opened before printing: the buttons that open each, and a text that it contains. */
const PARTS_OF_PAGE_TO_PRINT: Readonly<
  Record<string, { readonly press: readonly string[]; readonly holds: string }>
> = {
  'a list': { press: [], holds: '#find .jobs' },
  'a story': { press: ['Why did it wait?'], holds: '#job .events' },
  'a moment': {
    press: ['Where do they diverge?', 'What would each policy choose?'],
    holds: '#moment .choices',
  },
  'losses by class': { press: ['losses by class'], holds: '.who tbody td' },
  replications: { press: ['Run replications'], holds: '.replicated' },
};

describeBrowserTests('on paper', () => {
  const getExplorer = openExplorerForTests();

  test.each(Object.entries(PARTS_OF_PAGE_TO_PRINT))(
    'there is %s with charts and tables, and nothing to press',
    async (_, { press, holds }) => {
      const page = await getExplorer().page(`${getExplorer().server.address}${TWO_METHOD_ADDRESS}`);
      for (const buttonName of press)
        await page.getByRole('button', { name: buttonName, exact: true }).click();
      await page.locator(holds).first().waitFor();
      await page.emulateMedia({ media: 'print' });
      await page.setViewportSize({ width: 700, height: 1000 });
      const faultsOnPage = await page.evaluate(() => {
        const selectorOfControls = 'button:not(.link), select, input, summary, progress, [role="tab"], label';
        const elementTexts = [...document.querySelectorAll(selectorOfControls)]
          .filter((control) => control.checkVisibility())
          .map(({ textContent, id, className }) => `${id} ${className} ${textContent}`);
        const scrollingElements = [...document.querySelectorAll('main *')]
          .filter(({ scrollHeight, clientHeight }) => scrollHeight > clientHeight + 1 && clientHeight > 0)
          .filter((element) => /auto|scroll/.test(getComputedStyle(element).overflowY))
          .map(({ className }) => className);
        return {
          words: elementTexts,
          scrolls: scrollingElements,
          width: document.documentElement.scrollWidth,
        };
      });
      expect(faultsOnPage).toEqual({ words: [], scrolls: [], width: 700 });
      for (const partSelector of [
        holds,
        '.gantt canvas',
        '.metrics',
        '#sentence',
        '.pair svg',
        '.command code',
      ])
        expect(await page.locator(partSelector).first().isVisible(), partSelector).toBe(true);
      await page.context().close();
    },
  );
});
