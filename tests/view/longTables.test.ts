import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { drawReport, writeReport } from '../../host/view/reportFolder.js';
import type { Table, TableCell } from '../../host/view/table.js';
import { CHROMIUM_PATH, isChromiumInstalled } from '../chromium.js';
import { makeTemporaryFolder } from '../temporaryFolder.js';

/** Tables of every layout in headless Chromium: folded if long, and sortable by each column. */

const ROWS = 25;
/** Unordered values of rows; one is missing, and the last row is a sum. */
const columnValues = Array.from({ length: ROWS }, (_, i) => (i === 7 ? null : ((i * 7) % ROWS) - 5.5));

function tableOf(id: string, columns: number, makeCell: (value: number | null) => TableCell): Table {
  return {
    ...{ id, title: id, caption: '', hasTotal: true, bounds: 'interval' },
    columns: [
      { title: 'name', isHeading: true },
      ...Array.from({ length: columns }, (_, i) => ({
        title: `value ${i}`,
        format: { style: 'fixed', decimals: 1 } as const,
      })),
    ],
    rows: [
      ...columnValues.map((columnValue, i) => [
        `row ${i + 1}`,
        ...Array.from({ length: columns }, () => makeCell(columnValue)),
      ]),
      ['sum', ...Array.from({ length: columns }, () => makeCell(1000))],
    ],
  };
}

const makeCellWithBounds = (cellValue: number | null) =>
  cellValue === null ? { value: cellValue } : { value: cellValue, low: cellValue - 1, high: cellValue + 1 };
const TEST_TABLES = [
  tableOf('plain', 2, (value) => value),
  tableOf('wide', 2, makeCellWithBounds),
  tableOf('tall', 6, makeCellWithBounds),
];

const isSkipped = !isChromiumInstalled && process.env.CI === undefined;
const SKIPPED_TEST_SUFFIX = isSkipped ? ` are skipped: there is no ${CHROMIUM_PATH}` : '';

describe.skipIf(isSkipped)(`long tables in Chromium${SKIPPED_TEST_SUFFIX}`, { timeout: 60_000 }, () => {
  let browser: Browser;
  let url: string;
  beforeAll(async () => {
    const reportLists = { highlights: [], figures: [], checks: [], notes: [], commands: [] };
    const reportTexts = { title: 'Tables', description: '', source: '' };
    const report = { ...reportTexts, tables: TEST_TABLES, ...reportLists, environment: [], files: [] };
    url = pathToFileURL(await writeReport(drawReport(report), join(makeTemporaryFolder(), 'tables'))).href;
    browser = await chromium.launch({ executablePath: CHROMIUM_PATH, args: ['--no-sandbox'] });
  });
  afterAll(() => browser?.close());

  /** Names and first values of the visible table rows of a page, from top to bottom. */
  const readVisibleRows = (page: Page, id: string) =>
    page.locator(`#table-${id} table`).evaluate((table) => {
      const lines = [...table.querySelectorAll<HTMLElement>('tbody tr, tfoot tr')];
      return lines.flatMap((line) => {
        const name = line.querySelector('th[scope="row"]:not(.part)')?.textContent;
        if (name == null || line.offsetHeight === 0) return [];
        const cellText = line.querySelector<HTMLElement>('td:not(.low, .high)')?.dataset.value;
        return [{ name, value: cellText === undefined ? null : Number(cellText) }];
      });
    });

  test.each(TEST_TABLES)('$id', async ({ id }) => {
    const page = await browser.newPage();
    const faults: string[] = [];
    page.on('pageerror', ({ message }) => faults.push(message));
    await page.goto(url);
    const table = page.locator(`#table-${id}`);
    expect(await table.locator(`table.${id}`).count()).toBe(1);
    const expectedTableRows = [
      ...columnValues.map((columnValue, i) => ({ name: `row ${i + 1}`, value: columnValue })),
      { name: 'sum', value: 1000 },
    ];
    expect(await readVisibleRows(page, id)).toEqual([
      ...expectedTableRows.slice(0, 20),
      expectedTableRows[ROWS],
    ]);
    const sortButtons = table.locator('thead .sort');
    expect(await sortButtons.count()).toBeGreaterThan(2);
    const finiteValues = columnValues.filter((columnValue) => columnValue !== null).sort((a, b) => a - b);
    for (const sortButton of await sortButtons.all()) {
      const isClassName = (await sortButton.innerText()) === 'name';
      await sortButton.press('Enter');
      const rowsInRisingOrder = await readVisibleRows(page, id);
      await sortButton.press('Enter');
      const rowsInFallingOrder = await readVisibleRows(page, id);
      if (isClassName)
        expect([rowsInRisingOrder[0].name, rowsInFallingOrder[0].name]).toEqual(['row 1', 'row 25']);
      else {
        expect(rowsInRisingOrder.slice(0, 20).map(({ value }) => value)).toEqual(finiteValues.slice(0, 20));
        expect(rowsInFallingOrder.slice(0, 20).map(({ value }) => value)).toEqual(
          finiteValues.toReversed().slice(0, 20),
        );
      }
      expect(rowsInFallingOrder.at(-1)?.name).toBe('sum');
    }
    await table.getByRole('button', { name: 'show all 25 rows' }).press('Enter');
    const rowsAfterExpanding = await readVisibleRows(page, id);
    expect(rowsAfterExpanding).toHaveLength(ROWS + 1);
    expect(rowsAfterExpanding.at(-2)?.value).toBe(null);
    expect(faults).toEqual([]);
    await page.close();
    const pageWithoutJavaScript = await browser.newPage({ javaScriptEnabled: false });
    await pageWithoutJavaScript.goto(url);
    expect(await readVisibleRows(pageWithoutJavaScript, id)).toEqual(expectedTableRows);
    await pageWithoutJavaScript.close();
  });
});
