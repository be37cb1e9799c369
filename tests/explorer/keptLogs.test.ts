/** A dropped log must survive a reload of the page until the user removes it. */
import { expect, test } from 'vitest';
import { makeExplorerFiles, serveFilesWithToken } from '../../host/explorer/site.js';
import { MAX_STORED_LOG_BYTES, storeLog } from '../../web/explorer/keptLogs.js';
import { makeSmallLogText } from '../smallStudies.js';
import { describeBrowserTests, dropFile, openExplorerForTests, waitUntilResultsAreShown } from './browser.js';

test('a log is not kept if it is too large or nothing can be kept, and a sentence says so', async () => {
  const storeLogOfSize = (logSize: number) => storeLog({ name: 'a.swf', file: { size: logSize } as Blob });
  expect(await storeLogOfSize(MAX_STORED_LOG_BYTES + 1)).toBe(
    'a.swf is not kept for a reload: it has 100.0 MB, and this page keeps at most 100.0 MB.',
  );
  expect(await storeLogOfSize(1)).toMatch(/^a\.swf is not kept for a reload: ./);
});

describeBrowserTests('logs that are kept', () => {
  const getOpenedExplorer = openExplorerForTests();

  test('survive a reload and Back, and are forgotten', async () => {
    const page = await getOpenedExplorer().page();
    const workloadSource = () => page.evaluate(() => window.explorer.model.outcome?.source);
    const readStoredLogs = () => page.evaluate(() => window.explorer.controller.storedLogs);
    await dropFile(page, 'one.swf', makeSmallLogText());
    await dropFile(page, 'rubbish.swf', 'this is no log');
    await dropFile(page, 'two.swf', makeSmallLogText().split('\n').slice(0, 42).join('\n'));
    await expect.poll(readStoredLogs).toEqual(['one.swf', 'two.swf']);
    await page.reload();
    await waitUntilResultsAreShown(page);
    expect(await workloadSource()).toBe('two.swf');
    expect(await page.evaluate(() => window.explorer.model.outcome?.jobs.count)).toBe(40);
    await page.evaluate(() => history.go(-2));
    await expect.poll(workloadSource).toBe('one.swf');
    const pageAddress = page.url();
    await page.locator('[data-fold=jobs] > summary').click();
    await page.getByRole('button', { name: 'Forget' }).click();
    await expect.poll(readStoredLogs).toEqual([]);
    expect(await workloadSource()).toBe('one.swf');
    await page.goto('about:blank');
    await page.goto(pageAddress);
    await waitUntilResultsAreShown(page);
    expect(await page.locator('.fault').first().innerText()).toContain('one.swf is not here');
    expect(getOpenedExplorer().complaints).toEqual([]);
  });

  test('stored logs appear in a later session on the same port, which can delete them', async () => {
    const firstServer = await serveFilesWithToken(makeExplorerFiles({}), 0);
    const page = await getOpenedExplorer().page(firstServer.address);
    await dropFile(page, 'one.swf', makeSmallLogText());
    const readStoredLogs = () => page.evaluate(() => window.explorer.controller.storedLogs);
    await expect.poll(readStoredLogs).toEqual(['one.swf']);
    const settings = new URL(page.url()).hash;
    await firstServer.close();
    const laterServer = await serveFilesWithToken(
      makeExplorerFiles({}),
      Number(new URL(firstServer.address).port),
    );
    await page.goto(`${laterServer.address}${settings}`);
    await waitUntilResultsAreShown(page);
    expect(await page.evaluate(() => window.explorer.model.outcome?.source)).toBe('one.swf');
    await page.locator('[data-fold=jobs] > summary').click();
    await page.getByRole('button', { name: 'Forget' }).click();
    await expect.poll(readStoredLogs).toEqual([]);
    await laterServer.close();
  });
});
