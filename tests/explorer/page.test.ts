/** The explorer as a person meets it: first visit, other settings, a log, a link, a job; the numbers are those of the command line. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import axe from 'axe-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { run, TINY_LOG } from '../cli/runProgram.js';
import { describeInBrowser, drop, Explorer, metricsOf, settled, wordsOf } from './browser.js';

describeInBrowser('the explorer', () => {
  let explorer: Explorer;
  beforeAll(async () => {
    explorer = await Explorer.open();
  });
  afterAll(() => explorer.close());

  const commandsOn = (page: Awaited<ReturnType<Explorer['page']>>) =>
    page.locator('#take-away .command code').allTextContents();

  test('shows something at once, says what, and its numbers are those of the command that it gives', async () => {
    const page = await explorer.page();
    expect(await page.locator('#sentence').textContent()).toMatch(
      /^3,000 jobs of lublin99 on 5 sites with 442 processors: under best-fit a job waits .*; under fastest-first it waits .* more\.$/,
    );
    const drawn = await page.evaluate(() => {
      const canvas = document.querySelector('canvas.bars') as HTMLCanvasElement;
      const { data } = (canvas.getContext('2d') as CanvasRenderingContext2D).getImageData(
        ...([0, 0, canvas.width, canvas.height] as const),
      );
      return new Set(new Uint32Array(data.buffer)).size;
    });
    expect(drawn).toBeGreaterThan(5);
    for (const [column, command] of (await commandsOn(page)).entries()) {
      const [, ...words] = wordsOf(command);
      const { out } = await run(words);
      expect(JSON.parse(out)).toMatchObject(await metricsOf(page, column));
    }
    expect(explorer.complaints).toEqual([]);
  });

  test('settings are changed in forms, are in the link, and the link shows the same', async () => {
    const page = await explorer.page();
    await page.fill('#model-jobs', '500');
    await page.press('#model-jobs', 'Tab');
    await page.selectOption('#method-1-discipline', 'easy');
    await page.fill('#option-sites', '64,64');
    await page.press('#option-sites', 'Tab');
    await page.fill('#option-speeds', '1,2');
    await page.press('#option-speeds', 'Tab');
    await page.waitForFunction(
      () => window.explorer.model.outcome?.capacities.length === 2 || window.explorer.controller.fault,
    );
    await settled(page);
    expect(await page.locator('.fault').textContent()).toContain('too wide for the grid');
    await page.getByRole('button', { name: 'oversize split' }).click();
    await page.waitForFunction(() => window.explorer.controller.fault.includes('requests a time'));
    await page.getByRole('button', { name: 'estimates exact' }).click();
    await page.waitForFunction(() => window.explorer.model.outcome?.capacities.length === 2);
    await settled(page);
    const metrics = await metricsOf(page, 1);
    const other = await explorer.page(page.url());
    expect(await metricsOf(other, 1)).toEqual(metrics);
    const [, ...words] = wordsOf((await commandsOn(other))[1]);
    expect(JSON.parse((await run(words)).out)).toMatchObject(metrics);
  });

  test('a log is dropped: its text is text, and what is wrong with one is said as on the command line', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'gridalloc-explorer-'));
    const page = await explorer.page();
    const script = '<img src=x onerror="document.title=1"><script>document.title=2</script>';
    const log = TINY_LOG.replace('first', script);
    await drop(page, `${script.replaceAll('/', '')}.swf`, log);
    expect(await page.locator('#sentence').textContent()).toContain('4 jobs of <img src=x');
    expect(await page.title()).toBe('gridalloc explorer');
    const bad = TINY_LOG.replace('10', 'ten');
    const path = join(folder, 'bad.swf');
    await writeFile(path, bad);
    await drop(page, 'bad.swf', bad);
    const said = (await run(['simulate', path])).err.replaceAll(path, 'bad.swf');
    expect(said).toBe(`gridalloc: ${await page.locator('.fault').textContent()}\n`);
    await rm(folder, { recursive: true });
  });

  test('a job is pointed at, and tells its story', async () => {
    const page = await explorer.page();
    const place = await page.evaluate(() => {
      const { model, charts } = window.explorer;
      const waits = model.runs[0].start.map((start, i) => start - (model.outcome?.jobs.submit[i] ?? 0));
      const widths = model.runs[0].execution.map((seconds, i) =>
        waits[i] > 0 ? seconds * model.runs[0].held[i] : 0,
      );
      const job = widths.indexOf(Math.max(...widths));
      const [x, y] = charts[0].placeOf(job) as [number, number];
      const { left, top } = charts[0].stage.getBoundingClientRect();
      return { x: left + x, y: top + y, name: model.outcome?.jobs.names[job] as string };
    });
    await page.mouse.move(place.x, place.y);
    await page.waitForSelector('.tooltip p');
    expect(await page.locator('.tooltip').textContent()).toMatch(new RegExp(`^job ${place.name}: `));
    await page.mouse.down();
    await page.mouse.up();
    await page.waitForSelector('#story li');
    expect(await page.locator('#story').textContent()).toMatch(/it is submitted: .*it starts on site/);
    await page.fill('#search', '17');
    await page.press('#search', 'Enter');
    await page.waitForFunction(() => document.querySelector('#story b')?.textContent?.startsWith('job 17:'));
  });

  test('the time shown is zoomed and moved with the keyboard and the wheel', async () => {
    const page = await explorer.page();
    const length = () => page.evaluate(() => window.explorer.model.view.to - window.explorer.model.view.from);
    const whole = await length();
    await page.focus('.gantt .stage');
    await page.keyboard.press('+');
    await page.keyboard.press('ArrowRight');
    expect(await length()).toBeCloseTo(whole / 1.5, 3);
    await page.keyboard.press('0');
    await page.hover('.gantt .stage');
    await page.keyboard.down('Control');
    await page.mouse.wheel(0, -400);
    await page.keyboard.up('Control');
    await page.waitForFunction(
      (all) => window.explorer.model.view.to - window.explorer.model.view.from < all * 0.7,
      whole,
    );
  });

  test.each([
    ['light', 1280],
    ['dark', 1280],
    ['light', 400],
  ] as const)('axe finds nothing to object to, %s, %d pixels wide', async (scheme, width) => {
    const page = await explorer.page(undefined, scheme, width);
    await page.evaluate(axe.source);
    const found = await page.evaluate(async () => {
      const { violations } = await (window as unknown as { axe: typeof axe }).axe.run();
      return violations.map(
        ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 150)).join(' | ')}`,
      );
    });
    expect(found).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  });
});
