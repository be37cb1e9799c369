/**
 * Tests the explorer's panels about all jobs: which jobs wait, which users lose, and what one more site would
 * change.
 */
import { expect, test } from 'vitest';
import { describeBrowserTests, dropFile, openExplorerForTests } from './browser.js';

const FIVE_SITE_ADDRESS =
  '#workload=lublin99%5Baarr%3D9%2Cjobs%3D400%5D&sites=8,128,128,128,50&speeds=1,2,1,3,1&load=1.5' +
  ['best-fit', 'fastest-first'].map((policy) => `&method=policy%3D${policy}`).join('');

/** A log of two users and two groups on two processors, which the wide jobs of user 1 keep full. */
const LOG = Array.from({ length: 12 }, (_, i) => {
  const user = 1 + (i % 2);
  return `${i + 1} ${10 * i} 0 ${user === 1 ? 100 : 20} ${3 - user} -1 -1 ${3 - user} 200 -1 1 ${user} ${1 + (i % 3)} -1 -1 -1 -1 -1`;
}).join('\n');

describeBrowserTests('all jobs at once', () => {
  const getExplorer = openExplorerForTests();

  test('losses are shown by user, group and width, and a click selects the jobs', async () => {
    const page = await getExplorer().page();
    await dropFile(page, 'users.swf', `; Version: 2.2\n; MaxProcs: 2\n${LOG}\n`);
    await page.getByRole('button', { name: 'losses by class', exact: true }).click();
    await page.waitForSelector('.who tbody td');
    expect(await page.locator('#who-by option').allInnerTexts()).toEqual([
      'runtime and width',
      'user',
      'group',
    ]);
    const { told: userTexts, losses } = await page.evaluate(() => {
      const { model } = window.explorer;
      const { run, other: otherRun, outcome } = model;
      const { user = new Float64Array(0), submit = new Float64Array(0) } = outcome?.jobs ?? {};
      const findJobsOfUser = (userNumber: number) =>
        [...user.keys()].filter((job) => user[job] === userNumber);
      const computeMeanWait = (startTimes: Float64Array | undefined, jobs: readonly number[]) =>
        jobs.reduce((sum, job) => sum + (startTimes?.[job] ?? 0) - submit[job], 0) / jobs.length;
      const rows = [1, 2].map((userNumber) => ({
        each: String(userNumber),
        loss:
          computeMeanWait(run?.start, findJobsOfUser(userNumber)) -
          computeMeanWait(otherRun?.start, findJobsOfUser(userNumber)),
      }));
      return {
        told: [...document.querySelectorAll('.who tbody th')].map(({ textContent }) => textContent),
        losses: rows.sort((a, b) => b.loss - a.loss),
      };
    });
    expect(losses[0].loss).not.toBe(losses[1].loss);
    expect(userTexts).toEqual(losses.map(({ each }) => each));
    const firstUserButton = page.locator('.who tbody button').first();
    await firstUserButton.click();
    const countSelectedJobs = () => page.evaluate(() => window.explorer.model.matches?.size);
    expect(await countSelectedJobs()).toBe(6);
    await firstUserButton.click();
    expect(await countSelectedJobs()).toBeUndefined();
    await page.selectOption('#who-by', 'group');
    await expect.poll(() => page.locator('.who tbody tr').count()).toBe(3);
    await page.locator('.who tbody button').first().click();
    expect(await countSelectedJobs()).toBe(4);
    await page.getByRole('button', { name: 'longest waits', exact: true }).click();
    expect(await countSelectedJobs()).toBeUndefined();
    await page.selectOption('#lower', '-1');
    await page.getByRole('button', { name: 'waits by class', exact: true }).click();
    await expect.poll(() => page.locator('.who thead th').count()).toBe(4);
    expect(getExplorer().complaints).toEqual([]);
  });

  test('one more site, of several sizes and speeds: the mean waits are those of separate runs', async () => {
    const page = await getExplorer().page(`${getExplorer().server.address}${FIVE_SITE_ADDRESS}`);
    await page.getByRole('tab', { name: 'Moment' }).click();
    await page.selectOption('#what-if-kind', 'one more site');
    await page.fill('#what-if-sizes', '64, x');
    await page.getByRole('button', { name: 'Try it' }).click();
    await page.waitForSelector('.what-if .fault:has-text("processors: positive whole numbers")');
    await page.fill('#what-if-sizes', '64, 128');
    await page.fill('#what-if-speeds', '1, 4');
    await page.getByRole('button', { name: 'Try it' }).click();
    await page.waitForSelector('.one-more tr:last-child td:last-child small');
    const cells = page.locator('.one-more tbody button');
    expect(await cells.count()).toBe(4);
    const rowText = await cells.last().innerText();
    await cells.last().click();
    await page.waitForFunction(() => window.explorer.model.runs.length === 3);
    const { capacities, speeds } = await page.evaluate(() => window.explorer.model.runs[2]);
    expect([capacities, speeds]).toEqual([
      [8, 128, 128, 128, 50, 128],
      [1, 2, 1, 3, 1, 4],
    ]);
    await expect.poll(() => page.locator('.what-if .told').innerText()).toContain(`→ ${rowText}`);
    await page.goBack();
    await page.waitForFunction(() => window.explorer.model.runs.length === 2);
    expect(getExplorer().complaints).toEqual([]);
  });
});
