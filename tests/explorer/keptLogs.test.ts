/** A dropped log must survive a reload of the page until the user removes it. */
import { expect, test } from 'vitest';
import { makeExplorerFiles, serveFilesWithToken } from '../../host/explorer/site.js';
import { MAX_STORED_LOG_BYTES, storeLog } from '../../web/explorer/keptLogs.js';
import { makeSmallLog } from '../smallStudies.js';
import { describeBrowserTests, dropFile, openExplorerForTests, waitForResults } from './browser.js';

test('a log is not kept if it is too large or nothing can be kept, and a sentence says so', async () => {
  const storedLogName = (logSize: number) => storeLog({ name: 'a.swf', file: { size: logSize } as Blob });
  expect(await storedLogName(MAX_STORED_LOG_BYTES + 1)).toBe(
    'a.swf is not kept for a reload: it has 100.0 MB, and this page keeps at most 100.0 MB.',
  );
  expect(await storedLogName(1)).toMatch(/^a\.swf is not kept for a reload: ./);
});

describeBrowserTests('logs that are kept', () => {
  const explorer = openExplorerForTests();

  test('survive a reload and Back, and are forgotten', async () => {
    const page = await explorer().page();
    const workloadSource = () => page.evaluate(() => window.explorer.model.outcome?.source);
    const storedLogs = () => page.evaluate(() => window.explorer.controller.storedLogs);
    await dropFile(page, 'one.swf', makeSmallLog());
    await dropFile(page, 'rubbish.swf', 'this is no log');
    await dropFile(page, 'two.swf', makeSmallLog().split('\n').slice(0, 42).join('\n'));
    await expect.poll(storedLogs).toEqual(['one.swf', 'two.swf']);
    await page.reload();
    await waitForResults(page);
    expect(await workloadSource()).toBe('two.swf');
    expect(await page.evaluate(() => window.explorer.model.outcome?.jobs.count)).toBe(40);
    await page.evaluate(() => history.go(-2));
    await expect.poll(workloadSource).toBe('one.swf');
    const pageAddress = page.url();
    await page.locator('[data-fold=jobs] > summary').click();
    await page.getByRole('button', { name: 'Forget' }).click();
    await expect.poll(storedLogs).toEqual([]);
    expect(await workloadSource()).toBe('one.swf');
    await page.goto('about:blank');
    await page.goto(pageAddress);
    await waitForResults(page);
    expect(await page.locator('.fault').first().innerText()).toContain('one.swf is not here');
    expect(explorer().complaints).toEqual([]);
  });

  test('stored logs appear in a later session on the same port, which can delete them', async () => {
    const firstServer = await serveFilesWithToken(makeExplorerFiles({}), 0);
    const page = await explorer().page(firstServer.address);
    await dropFile(page, 'one.swf', makeSmallLog());
    const storedLogs = () => page.evaluate(() => window.explorer.controller.storedLogs);
    await expect.poll(storedLogs).toEqual(['one.swf']);
    const settings = new URL(page.url()).hash;
    await firstServer.close();
    const laterServer = await serveFilesWithToken(
      makeExplorerFiles({}),
      Number(new URL(firstServer.address).port),
    );
    await page.goto(`${laterServer.address}${settings}`);
    await waitForResults(page);
    expect(await page.evaluate(() => window.explorer.model.outcome?.source)).toBe('one.swf');
    await page.locator('[data-fold=jobs] > summary').click();
    await page.getByRole('button', { name: 'Forget' }).click();
    await expect.poll(storedLogs).toEqual([]);
    await laterServer.close();
  });
});
