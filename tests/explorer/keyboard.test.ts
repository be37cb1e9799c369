/** Uses the explorer and a report by keyboard alone. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { runGridalloc } from '../runs/childProcess.js';
import { makeTemporaryFolder } from '../temporaryFolder.js';
import { describeBrowserTests, openExplorerForTests, waitUntilResultsAreShown } from './browser.js';

const EXPLORER_TEST_ADDRESS =
  '#workload=lublin99%5Baarr%3D9%2Cjobs%3D400%5D&sites=8,128,128,128,50&speeds=1,2,1,3,1&load=1.5' +
  ['best-fit', 'fastest-first', 'ti'].map((policy) => `&method=policy%3D${policy}`).join('');

/** Number of presses of the Tab key that exceeds the controls of any page. */
const MAX_TAB_PRESSES = 400;

/** Presses Tab until an element has the focus. */
async function tabToElement(page: Page, cssSelector: string, elementText = ''): Promise<void> {
  for (let stop = 0; stop < MAX_TAB_PRESSES; stop++) {
    await page.keyboard.press('Tab');
    const isControlPresent = await page.evaluate(
      ([requestedPath, text]) => {
        const focusedElement = document.activeElement;
        return (
          focusedElement?.matches(requestedPath) === true && (focusedElement.textContent ?? '').includes(text)
        );
      },
      [cssSelector, elementText] as const,
    );
    if (isControlPresent) return;
  }
  throw new Error(`Tab does not lead to ${cssSelector} ${elementText}`);
}

/** Controls visited by pressing Tab. */
interface FocusVisitSummary {
  readonly count: number;
  /** Controls that do not show their focus. */
  readonly withoutVisibleFocus: readonly string[];
  /** Controls of the page that the Tab key did not reach. */
  readonly missed: readonly string[];
}

/**
 * Presses Tab to the end of the page, opens folded sections with Enter, and marks every visited
 * control.
 */
async function pressTabThroughPage(page: Page): Promise<void> {
  for (let stop = 0; stop < MAX_TAB_PRESSES; stop++) {
    await page.keyboard.press('Tab');
    const focusedControl = await page.evaluate(() => {
      const { activeElement } = document;
      if (activeElement === null || activeElement === document.body) return 'end';
      const element = activeElement as HTMLElement;
      if (element.dataset.stop !== undefined) return 'known';
      element.dataset.stop = '';
      const { outlineStyle } = getComputedStyle(element);
      const { width, height } = element.getBoundingClientRect();
      if (outlineStyle === 'none' || width * height <= 1) element.dataset.unseen = '';
      return element.matches('details:not([open]) > summary') ? 'folded' : 'new';
    });
    if (focusedControl === 'end') return;
    if (focusedControl === 'folded') await page.keyboard.press('Enter');
  }
  throw new Error(`more than ${MAX_TAB_PRESSES} stops`);
}

/** Visits the whole page from its beginning by Tab, including each panel behind a tab. */
async function visitControls(page: Page): Promise<FocusVisitSummary> {
  await pressTabThroughPage(page);
  const tabCount = await page.locator('[role=tab]').count();
  for (let tabNumber = 1; tabNumber < tabCount; tabNumber++) {
    await page.locator('[role=tab][aria-selected=true]').focus();
    await page.keyboard.press('ArrowRight');
    await page.locator('[role=tab]:focus').evaluate((tab) => tab.setAttribute('data-stop', ''));
    await pressTabThroughPage(page);
  }
  return page.evaluate(() => {
    const controlSelector = 'a[href], button, input, select, textarea, summary, [tabindex]';
    const allControls = [...document.querySelectorAll<HTMLElement>(controlSelector)];
    const isReachableByTab = (control: HTMLElement) =>
      control.tabIndex >= 0 &&
      !control.matches(':disabled') &&
      control.checkVisibility({ visibilityProperty: true });
    const describeControls = (controls: readonly HTMLElement[]) =>
      controls.map(({ outerHTML }) => outerHTML.slice(0, 120));
    return {
      count: allControls.filter(({ dataset }) => dataset.stop !== undefined).length,
      withoutVisibleFocus: describeControls(
        allControls.filter(({ dataset }) => dataset.unseen !== undefined),
      ),
      missed: describeControls(
        allControls.filter((control) => isReachableByTab(control) && control.dataset.stop === undefined),
      ),
    };
  });
}

describeBrowserTests('by the keyboard alone', () => {
  const getExplorer = openExplorerForTests();

  test('a method, a job, its story and a span are chosen in the explorer', async () => {
    const page = await getExplorer().page(`${getExplorer().server.address}${EXPLORER_TEST_ADDRESS}`);
    const { keyboard } = page;
    await keyboard.press('Tab');
    await keyboard.press('Enter');
    expect(await page.evaluate(() => document.activeElement?.className)).toBe('stage');
    await keyboard.press('.');
    expect(await page.evaluate(() => window.explorer.model.selected)).toBeDefined();
    await keyboard.press('Escape');
    for (let i = 0; i < 5; i++) await keyboard.press('Shift+ArrowRight');
    await keyboard.press('Shift+ArrowLeft');
    const timesMagnified = await page.evaluate(() => {
      const { span = [0, 0], view: visibleRange } = window.explorer.model;
      return (span[1] - span[0]) / (visibleRange.to - visibleRange.from);
    });
    expect(timesMagnified).toBeCloseTo(0.08, 6);
    await page.waitForSelector('#span table');
    await keyboard.press('Escape');
    expect(await page.evaluate(() => window.explorer.model.span)).toBeUndefined();

    await page.reload();
    await waitUntilResultsAreShown(page);
    await tabToElement(page, '[data-fold="method-0"] > summary');
    await keyboard.press('Enter');
    await tabToElement(page, '#method-0-discipline');
    await keyboard.press('ArrowDown');
    await page.waitForFunction(
      () => window.explorer.model.outcome?.setup.methods[0].discipline !== undefined,
    );
    await keyboard.press('Escape');
    await tabToElement(page, '#upper');
    await keyboard.press('ArrowDown');
    expect(await page.evaluate(() => window.explorer.model.shown[0])).toBe(1);
    await tabToElement(page, '#search');
    await keyboard.type('17');
    await keyboard.press('Enter');
    await page.waitForSelector('#job li');
    expect(await page.locator('#job b').first().textContent()).toContain('job 17:');
    await tabToElement(page, '#tab-job');
    await keyboard.press('ArrowRight');
    expect(await page.locator('#moment').isVisible()).toBe(true);
    expect(getExplorer().complaints).toEqual([]);
  });

  test('in a report a series is isolated, values are shown, tables are sorted', async () => {
    const resultFolder = makeTemporaryFolder();
    const words = ['sweep', 'lublin99[jobs=200]', '--sites', '64,128', '--vary', 'load=1,1.5,2'];
    const { exitCode } = await runGridalloc([
      ...words,
      ...['--vary', 'policy=best-fit,fastest-first,ti', '--out', resultFolder, '--quiet', '--threads', '1'],
    ]);
    expect(exitCode).toBe(0);
    const page = await (await getExplorer().page()).context().newPage();
    await page.goto(pathToFileURL(join(resultFolder, 'report.html')).href);
    await page.waitForSelector('.live svg');
    const countMarkers = () => page.locator('.live').first().locator('[data-series] .marker').count();
    expect(await countMarkers()).toBe(9);
    await tabToElement(page, '.legend button', 'fastest-first');
    await page.keyboard.press('Enter');
    await expect.poll(countMarkers).toBe(3);
    await page.keyboard.press('Enter');
    await expect.poll(countMarkers).toBe(9);
    await tabToElement(page, '.live');
    await page.keyboard.press('ArrowRight');
    expect(await page.locator('.tooltip').innerText()).toContain('load');
    await tabToElement(page, '.sort', 'ti');
    const sortedTable = page.locator('table:has([aria-sort$="ending"])');
    await page.keyboard.press('Enter');
    const tableTextBefore = await sortedTable.locator('tbody').innerText();
    await page.keyboard.press('Enter');
    expect(await sortedTable.locator('tbody').innerText()).not.toBe(tableTextBefore);
    await tabToElement(page, '.values > summary');
    // Keys follow each other at once, as typed by an experienced user.
    const stateAfterOpeningTable = await page.evaluate(() => {
      const summary = document.activeElement as HTMLElement;
      summary.click();
      const sort = summary.parentElement?.querySelector<HTMLElement>('.sort');
      sort?.focus();
      sort?.click();
      return new Promise((resolve) => {
        setTimeout(() => resolve(sort !== undefined && document.activeElement === sort), 100);
      });
    });
    expect(stateAfterOpeningTable).toBe(true);
    await page.setViewportSize({ width: 700, height: 900 });
    await expect.poll(() => page.locator('.values [aria-sort]').count()).toBe(1);
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.reload();
    await page.waitForSelector('.live svg');
    const { count, ...faults } = await visitControls(page);
    expect(count).toBeGreaterThan(20);
    expect(faults).toEqual({ withoutVisibleFocus: [], missed: [] });
  });

  test('the keyboard reaches every control of the explorer, and the focus is visible', async () => {
    const page = await getExplorer().page(`${getExplorer().server.address}${EXPLORER_TEST_ADDRESS}`);
    const { count, ...faults } = await visitControls(page);
    expect(count).toBeGreaterThan(150);
    expect(faults).toEqual({ withoutVisibleFocus: [], missed: [] });
  });
});
