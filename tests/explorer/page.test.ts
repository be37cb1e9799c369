/**
 * The explorer as users meet it: first visit, other settings, a log, a link, a job. Its numbers
 * must equal those of the command line.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { listAllocatorDeclarations } from '../../host/core/policies.js';
import { makeExplorerFiles } from '../../host/explorer/site.js';
import { formatMeasurement, formatValue } from '../../host/format/numbers.js';
import { makeTestSampler, sampleTestCases } from '../cases.js';
import { runProgramInProcess, TINY_LOG_TEXT } from '../cli/runProgram.js';
import { makeSmallLogText } from '../smallStudies.js';
import {
  describeBrowserTests,
  dropFile,
  type ExplorerInBrowser,
  openExplorerForTests,
  readMetricsTableColumn,
  splitCommand,
  waitUntilResultsAreShown,
} from './browser.js';

/** Settings under which jobs wait and policies differ. */
const SMALL_EXPLORER_ADDRESS =
  '#workload=lublin99%5Baarr%3D9%2Cjobs%3D600%5D&sites=8,128,128,128,50&speeds=1,2,1,3,1&load=1.5&method=policy%3Dbest-fit&method=policy%3Dfastest-first';
/** Decides for each long test of the explorer in turn whether it runs; only a sample does. */
const isLongTestInSample = makeTestSampler(2);
const MODEL_ONLY = '#workload=lublin99%5Bjobs%3D300%5D';

describeBrowserTests('the explorer', () => {
  const getExplorer = openExplorerForTests();

  const readCommandsOnPage = (page: Awaited<ReturnType<ExplorerInBrowser['page']>>) =>
    page
      .locator('#take-away .commands:not(:has(details)) .command code, #take-away details .command code')
      .allTextContents();

  test('shows something at once, says what, and its numbers are those of the command that it gives', async () => {
    const page = await getExplorer().page();
    expect(await page.locator('#sentence').textContent()).toMatch(
      /^3,000 jobs of lublin99 on 5 sites with 442 processors: under best-fit a job waits .*; under fastest-first it waits .* more\.$/,
    );
    const colorsOnBarsCanvas = await page.evaluate(() => {
      const barsCanvas = document.querySelector('canvas.bars') as HTMLCanvasElement;
      const { data } = (barsCanvas.getContext('2d') as CanvasRenderingContext2D).getImageData(
        ...([0, 0, barsCanvas.width, barsCanvas.height] as const),
      );
      return new Set(new Uint32Array(data.buffer)).size;
    });
    expect(colorsOnBarsCanvas).toBeGreaterThan(5);
    for (const [column, command] of (await readCommandsOnPage(page)).entries()) {
      const [, ...words] = splitCommand(command);
      const { stdout } = await runProgramInProcess(words);
      expect(JSON.parse(stdout)).toMatchObject(await readMetricsTableColumn(page, column));
    }
    const commandTexts = await page.locator('#take-away .commands > .command code').textContent();
    const { runs } = JSON.parse(
      (await runProgramInProcess(splitCommand(commandTexts ?? '').slice(1))).stdout,
    );
    for (const [column, cellText] of runs.entries())
      expect(cellText.meanWait).toBe((await readMetricsTableColumn(page, column)).meanWait);
    expect(getExplorer().complaints).toEqual([]);
  });

  test.runIf(isLongTestInSample())(
    'settings are changed in forms, are in the link, and the link shows the same',
    async () => {
      const page = await getExplorer().page();
      const openFoldWithTitle = (nameOfFold: string) => page.click(`[data-fold=${nameOfFold}] > summary`);
      await openFoldWithTitle('jobs');
      await page.fill('#model-jobs', '500');
      await page.press('#model-jobs', 'Tab');
      await openFoldWithTitle('method-1');
      await page.selectOption('#method-1-discipline', 'easy');
      await openFoldWithTitle('grid');
      await page.fill('#option-sites', '64,64');
      await page.press('#option-sites', 'Tab');
      await page.fill('#option-speeds', '1,2');
      await page.press('#option-speeds', 'Tab');
      await page.waitForFunction(() => window.explorer.controller.fault.includes('too large for the grid'));
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'oversize split' }).click();
      await page.waitForFunction(() => window.explorer.controller.fault.includes('requests a time'));
      await page.getByRole('button', { name: 'estimates exact' }).click();
      await page.waitForFunction(() => window.explorer.model.outcome?.capacities.length === 2);
      await waitUntilResultsAreShown(page);
      const metrics = await readMetricsTableColumn(page, 1);
      const otherPage = await getExplorer().page(page.url());
      expect(await readMetricsTableColumn(otherPage, 1)).toEqual(metrics);
      const [, ...words] = splitCommand((await readCommandsOnPage(otherPage))[1]);
      expect(JSON.parse((await runProgramInProcess(words)).stdout)).toMatchObject(metrics);
    },
  );

  const thousandSites = Array(1000).fill(32).join();
  const ADDRESSES_TO_REFUSE = [
    ['an option', `${MODEL_ONLY}&sites=${thousandSites}`, 'option-oversize', 'too large for the grid'],
    ['a list', `${MODEL_ONLY}&sites=8,x`, 'option-sites', 'entry 2'],
    [
      'a policy',
      `${MODEL_ONLY}&sites=128&method=policy%3Dbest-fit&method=policy%3Dfo`,
      'method-1-policy',
      "'fo'",
    ],
    ['a parameter of a model', '#workload=lublin99%5Bjobs%3Dmany%5D&sites=128', 'model-jobs', "'many'"],
    [
      'a rule',
      `${MODEL_ONLY}&sites=128&method=backfill-order%3Dshortest`,
      'method-0-backfill-order',
      'needs',
    ],
  ] as const;
  test.each(sampleTestCases(ADDRESSES_TO_REFUSE, 5))(
    'a first setting that is refused is marked where it is wrong: %s',
    async (_, address, id, pauseDescription) => {
      const page = await getExplorer().page(`${getExplorer().server.address}${address}`);
      const idsOfInvalidFields = await page
        .locator('[aria-invalid]')
        .evaluateAll((fields) => fields.map((field) => field.id));
      expect(idsOfInvalidFields).toEqual([id]);
      const fault = await page.locator('.fault').first().textContent();
      expect(fault).toContain(pauseDescription);
      expect(await page.locator(`#${id}-fault`).textContent()).toBe(fault);
      const locatorOfVisibleParts = page.locator('main > :visible');
      expect(await locatorOfVisibleParts.count()).toBe(1);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(1280);
      await page.evaluate(() => {
        const { model, controller } = window.explorer;
        controller.change({ options: { workload: 'lublin99[jobs=50]', sites: '128' }, methods: [{}] });
        return model;
      });
      await page.waitForFunction(() => window.explorer.model.outcome !== undefined);
      await waitUntilResultsAreShown(page);
      expect(await page.locator('[aria-invalid]').count()).toBe(0);
      expect(await locatorOfVisibleParts.count()).toBeGreaterThan(5);
    },
  );

  test.runIf(isLongTestInSample())('a click takes effect, whatever messages arrive meanwhile', async () => {
    const page = await getExplorer().page(`${getExplorer().server.address}${SMALL_EXPLORER_ADDRESS}`);
    const settings = await page.locator('.setup > *').count();
    const openSettingsFold = () =>
      page.evaluate(() => document.querySelector<HTMLElement>('.setup details[open]')?.dataset.fold);
    for (const nameOfFold of ['jobs', 'grid', 'method-0', 'method-1', 'more', 'jobs']) {
      // A section is opened and the form is filled again in one step, before any event is handled.
      await page.evaluate((name) => {
        document.querySelector<HTMLElement>(`[data-fold=${name}] > summary`)?.click();
        for (const signal of [window.explorer.model.settingsChanged, window.explorer.model.outcomeChanged])
          signal.notify();
      }, nameOfFold);
      await page.waitForTimeout(20);
      expect(await openSettingsFold()).toBe(nameOfFold);
    }
    for (const [fold, words] of [
      ['grid', ''],
      ['method-1', ''],
      ['', '+ method'],
    ] as const) {
      const locatorOfPressedButton = page.locator(
        fold === '' ? `.setup button:text-is("${words}")` : `[data-fold=${fold}] > summary`,
      );
      await locatorOfPressedButton.hover();
      await page.mouse.down();
      await page.evaluate(() => {
        const { model, controller } = window.explorer;
        controller.change({ ...model.setup, options: { ...model.setup.options, load: '1.4' } });
      });
      await page.waitForTimeout(400);
      await page.mouse.up();
      if (fold !== '') expect(await openSettingsFold()).toBe(fold);
    }
    await page.waitForFunction(
      (settingCount) => document.querySelectorAll('.setup > *').length > settingCount,
      settings,
    );
    await waitUntilResultsAreShown(page);
    expect(await page.evaluate(() => window.explorer.model.runs.length)).toBe(3);
    expect(getExplorer().complaints).toEqual([]);
  });

  test.runIf(isLongTestInSample())(
    'a log is dropped: its text is not markup, and errors are those of the command line',
    async () => {
      const folder = await mkdtemp(join(tmpdir(), 'gridalloc-explorer-'));
      const page = await getExplorer().page();
      const script = '<img src=x onerror="document.title=1"><script>document.title=2</script>';
      const logText = TINY_LOG_TEXT.replace('first', script);
      await dropFile(page, `${script.replaceAll('/', '')}.swf`, logText);
      expect(await page.locator('#sentence').textContent()).toContain('4 jobs of <img src=x');
      expect(await page.title()).toBe('gridalloc explorer');
      const compressedLog = gzipSync(TINY_LOG_TEXT);
      const wrongLogsByName = {
        'bad.swf': TINY_LOG_TEXT.replace('10', 'ten'),
        'empty.swf': '',
        'cut.swf.gz': compressedLog.subarray(0, compressedLog.length - 20),
        'plain.swf.gz': TINY_LOG_TEXT,
        'packed.zip': 'PK\x03\x04 and more',
      };
      for (const [name, content] of Object.entries(wrongLogsByName)) {
        const path = join(folder, name);
        await writeFile(path, content);
        await dropFile(page, name, content);
        const message = (await runProgramInProcess(['simulate', path])).stderr.replaceAll(path, name);
        expect(message).toBe(`gridalloc: ${await page.locator('.fault').textContent()}\n`);
      }
      await dropFile(page, 'log.swf.bz2', 'BZh9 and more');
      expect(await page.locator('.fault').textContent()).toContain('`gridalloc explore log.swf.bz2` does');
      await dropFile(page, 'good.swf.gz', compressedLog);
      expect(await page.locator('#sentence').textContent()).toContain('4 jobs of good.swf.gz');
      await rm(folder, { recursive: true });
    },
  );

  test.runIf(isLongTestInSample())('pointing at a job shows its story', async () => {
    const page = await getExplorer().page(`${getExplorer().server.address}${SMALL_EXPLORER_ADDRESS}`);
    // Positions are checked in the finished drawing.
    await page.waitForFunction(() => {
      const { stage } = window.explorer.charts[0];
      return stage.querySelector<HTMLCanvasElement>('.bars')!.width >= stage.clientWidth;
    });
    const longestWait = await page.evaluate(() => {
      const { model, charts } = window.explorer;
      const waitTimes = model.runs[0].start.map((start, i) => start - (model.outcome?.jobs.submit[i] ?? 0));
      const widths = model.runs[0].execution.map((seconds, i) =>
        waitTimes[i] > 0 ? seconds * model.runs[0].held[i] : 0,
      );
      const job = widths.indexOf(Math.max(...widths));
      const [x, y] = charts[0].placeOf(job) as [number, number];
      const { left: leftEdge, top: topEdge } = charts[0].stage.getBoundingClientRect();
      return { x: leftEdge + x, y: topEdge + y, name: model.outcome?.jobs.names[job] as string };
    });
    await page.mouse.move(longestWait.x, longestWait.y);
    await page.waitForSelector('.tooltip p');
    expect(await page.locator('.tooltip').textContent()).toMatch(new RegExp(`^job ${longestWait.name}: `));
    await page.mouse.down();
    await page.mouse.up();
    await page.waitForSelector('#job li');
    expect(await page.locator('#job').textContent()).toMatch(/submitted; .*it starts on site/);
    await page.fill('#search', '17');
    await page.press('#search', 'Enter');
    await page.waitForFunction(() => document.querySelector('#job b')?.textContent?.startsWith('job 17:'));
  });

  test.runIf(isLongTestInSample())(
    'the time shown is zoomed and moved with the keyboard and the wheel',
    async () => {
      const page = await getExplorer().page(`${getExplorer().server.address}${SMALL_EXPLORER_ADDRESS}`);
      const readViewLength = () =>
        page.evaluate(() => window.explorer.model.view.to - window.explorer.model.view.from);
      const fullViewLength = await readViewLength();
      await page.focus('.gantt .stage');
      await page.keyboard.press('+');
      await page.keyboard.press('ArrowRight');
      expect(await readViewLength()).toBeCloseTo(fullViewLength / 1.5, 3);
      await page.keyboard.press('0');
      await page.hover('.gantt .stage');
      await page.keyboard.down('Control');
      await page.mouse.wheel(0, -400);
      await page.keyboard.up('Control');
      await page.waitForFunction(
        (fullViewSeconds) =>
          window.explorer.model.view.to - window.explorer.model.view.from < fullViewSeconds * 0.7,
        fullViewLength,
      );
    },
  );

  test.each(
    sampleTestCases([
      ['policies', SMALL_EXPLORER_ADDRESS],
      [
        'disciplines',
        '#workload=lublin99%5Baarr%3D9%2Cjobs%3D600%5D&sites=128&estimates=exact&method=discipline%3Dfcfs&method=discipline%3Deasy%26backfill-order%3Dshortest',
      ],
    ]),
  )('%s are compared over replications as the command line compares them', async (_, address) => {
    const page = await getExplorer().page(`${getExplorer().server.address}${address}`);
    await page.fill('#replications', '6');
    await page.selectOption('#replicated-metric', 'meanWait');
    await page.getByRole('button', { name: 'Run replications' }).click();
    await page.waitForSelector('.replicated');
    const means = await page.evaluate(() =>
      [...document.querySelectorAll('.replicated tbody tr')].map((row) =>
        Number((row as HTMLElement).dataset.mean),
      ),
    );
    const [, ...words] = splitCommand(await page.locator('#sure .command code').innerText());
    const { rows } = JSON.parse((await runProgramInProcess([...words, '--threads', '1'])).stdout);
    expect(means).toEqual(rows.map(({ mean }: { mean: number }) => mean));
    const tableText = await page.locator('.replicated tbody tr:first-child td:nth-child(2)').innerText();
    expect(tableText).toBe(
      means[0] < 60 ? `${formatMeasurement(means[0])} s` : formatValue(means[0], { style: 'duration' }),
    );
    await page.fill('#within', '30');
    await page.press('#within', 'Tab');
    await page.waitForFunction(() =>
      document.querySelector('#sure .command code')?.textContent?.includes('--within 0.3'),
    );
    // No job has a promised start under these methods.
    await page.selectOption('#replicated-metric', 'maxPromiseError');
    expect(await page.locator('#sure .fault').innerText()).toContain('fcfs promises no start');
    await page.selectOption('#replicated-metric', 'meanWait');
    await page.waitForSelector('.replicated');
  });

  test.runIf(isLongTestInSample())(
    'events are stepped through, every policy says what it would choose, and a fork goes its own way',
    async () => {
      const page = await getExplorer().page(`${getExplorer().server.address}${SMALL_EXPLORER_ADDRESS}`);
      await page.getByRole('tab', { name: 'Moment' }).click();
      await page.getByRole('button', { name: 'One event forward' }).click();
      await page.waitForFunction(() =>
        /submitted|start|end/.test(document.querySelector('#moment')?.textContent ?? ''),
      );
      const cursorBefore = await page.evaluate(() => window.explorer.model.cursor ?? 0);
      await page.getByRole('button', { name: 'One event forward' }).click();
      expect(await page.evaluate(() => window.explorer.model.cursor ?? 0)).toBeGreaterThan(cursorBefore);
      // Moves the cursor to a time at which jobs wait.
      await page.evaluate(() => {
        const { model } = window.explorer;
        const [run] = model.runs;
        const waitTimes = run.start.map((start, i) => start - (model.outcome?.jobs.submit[i] ?? 0));
        model.selectTime(run.start[waitTimes.findIndex((wait) => wait > 1)] - 1);
      });
      expect(await page.locator('#moment .queue button').count()).toBeGreaterThan(0);
      await page.getByRole('button', { name: 'What would each policy choose?' }).click();
      await page.waitForSelector('.choices li');
      expect(await page.locator('.choices li').count()).toBe(listAllocatorDeclarations().length);
      // best-fit is the policy of the run, so its choice equals the actual one.
      const [bestMethodText] = await page.locator('.choices summary').allInnerTexts();
      const sitesOfJobsStartingNow = await page.evaluate(() => {
        const { model } = window.explorer;
        const time = Number((document.querySelector('.choices') as HTMLElement).dataset.time);
        const [{ start, site }] = model.runs;
        return [...site].filter((_, i) => start[i] === time).map((siteIndex) => siteIndex + 1);
      });
      expect(sitesOfJobsStartingNow.map((site) => `best-fit site ${site}`)).toContain(bestMethodText);
      await page.fill('#what-if', 'fastest-first');
      await page.getByRole('button', { name: 'Try it' }).click();
      await page.waitForFunction(() => window.explorer.model.runs.length === 3);
      const startsOfDifferingJobs = await page.evaluate(() => {
        const { runs } = window.explorer.model;
        const forkTime = runs[2].forkedAt ?? 0;
        const changedJobs = [...runs[0].start.keys()].filter(
          (job) => runs[0].start[job] !== runs[2].start[job],
        );
        return {
          early: changedJobs.filter((job) => runs[0].start[job] <= forkTime).length,
          late: changedJobs.length,
        };
      });
      expect(startsOfDifferingJobs.early).toBe(0);
      expect(startsOfDifferingJobs.late).toBeGreaterThan(0);
      const otherPage = await getExplorer().page(page.url());
      expect(await readMetricsTableColumn(otherPage, 2)).toEqual(await readMetricsTableColumn(page, 2));
    },
  );

  test.runIf(isLongTestInSample())(
    'a policy is written, and one in a link runs only when the user says so',
    async () => {
      const page = await getExplorer().page(`${getExplorer().server.address}${SMALL_EXPLORER_ADDRESS}`);
      await page.getByRole('button', { name: 'Write a policy' }).click();
      const policyCode = 'export default ({ fastestFirst }) => (globalThis.fetch ? 0 : fastestFirst);';
      await page.fill('#code-0', policyCode);
      await page.getByRole('button', { name: 'Run this code' }).click();
      await page.waitForFunction(() => window.explorer.model.runs.length === 3);
      const [metricsOfOwnRun, fastest] = [
        await readMetricsTableColumn(page, 2),
        await readMetricsTableColumn(page, 1),
      ];
      expect(metricsOfOwnRun.meanWait).toBe(fastest.meanWait);
      // After opening a link with code, only the methods without code run at once.
      const otherPage = await getExplorer().page(page.url());
      expect(await otherPage.evaluate(() => window.explorer.model.runs.length)).toBe(2);
      expect(await otherPage.inputValue('#code-0')).toBe(policyCode);
      await otherPage.getByRole('button', { name: 'Run this code' }).click();
      await otherPage.waitForFunction(() => window.explorer.model.runs.length === 3);
      await page.fill('#code-0', 'export default () => { for (;;); }');
      await page.getByRole('button', { name: 'Run this code' }).click();
      await page.getByRole('button', { name: 'Stop' }).first().click();
      await page.waitForFunction(() => window.explorer.controller.fault.includes('was stopped'));
      expect(await page.evaluate(() => window.explorer.model.runs.length)).toBe(3);
      await page.fill('#code-0', 'export default () => { throw new Error("no idea"); }');
      await page.getByRole('button', { name: 'Run this code' }).click();
      await page.waitForFunction(() => window.explorer.controller.fault.includes('no idea'));
    },
  );

  test.runIf(isLongTestInSample())('on another web server, code reaches no network either', async () => {
    let requestCount = 0;
    const otherServer = createServer((_, response) => {
      requestCount++;
      response.writeHead(200, { 'access-control-allow-origin': '*', 'content-type': 'text/javascript' });
      response.end('export default 1');
    });
    const files = makeExplorerFiles({});
    const pageServer = createServer(({ url = '' }, response) => {
      const file = files.get(url.slice(1) || 'index.html');
      response.writeHead(file === undefined ? 404 : 200, { 'content-type': file?.type ?? 'text/plain' });
      response.end(file?.bytes);
    });
    const listenAndReturnAddress = async (server: Server) => {
      await new Promise<void>((finish) => server.listen(0, '127.0.0.1', finish));
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    };
    const [otherServerAddress, pageAddress] = [
      await listenAndReturnAddress(otherServer),
      await listenAndReturnAddress(pageServer),
    ];
    const page = await getExplorer().page(`${pageAddress}${SMALL_EXPLORER_ADDRESS}`);
    await page.getByRole('button', { name: 'Write a policy' }).click();
    await page.fill(
      '#code-0',
      `await import('${otherServerAddress}').catch(() => {});\nexport default ({ bestFit }) => bestFit;`,
    );
    await page.getByRole('button', { name: 'Run this code' }).click();
    await page.waitForFunction(() => window.explorer.model.runs.length === 3);
    expect(requestCount).toBe(0);
    for (const server of [otherServer, pageServer]) {
      server.closeAllConnections();
      server.close();
    }
    getExplorer().complaints.length = 0;
  });

  test.runIf(isLongTestInSample())(
    'the page in one file opens from disk, with its log, and without a network',
    async () => {
      const folder = await mkdtemp(join(tmpdir(), 'gridalloc-explorer-'));
      const [log, file] = [join(folder, 'tiny.swf'), join(folder, 'page.html')];
      await writeFile(log, TINY_LOG_TEXT);
      await runProgramInProcess([
        'explore',
        log,
        '--sites',
        '4,2',
        '--oversize',
        'drop',
        '--policy',
        'fastest-first',
        '--out',
        file,
      ]);
      const page = await getExplorer().page(`file://${file}`);
      expect(await page.locator('#sentence').textContent()).toContain('3 jobs of');
      const [, ...words] = splitCommand((await readCommandsOnPage(page))[0]);
      expect(JSON.parse((await runProgramInProcess(words)).stdout)).toMatchObject(
        await readMetricsTableColumn(page, 0),
      );
      await page.getByRole('button', { name: 'Write a policy' }).click();
      await page.getByRole('button', { name: 'Run this code' }).click();
      await page.waitForFunction(() => window.explorer.model.runs.length === 2);
      await rm(folder, { recursive: true });
    },
  );

  test.runIf(isLongTestInSample())(
    'a log on one site begins with disciplines, coloured by what differs',
    async () => {
      const page = await getExplorer().page();
      await dropFile(page, 'small.swf', makeSmallLogText());
      const { labels, coloring } = await page.evaluate(() => {
        const { runs, coloring } = window.explorer.model;
        return { labels: runs.map(({ label: runLabel }) => runLabel), coloring };
      });
      expect(labels).toEqual(['fcfs', 'easy', 'conservative']);
      expect(coloring).toBe('difference');
      await page.evaluate(() => {
        const { model, controller } = window.explorer;
        controller.change({ ...model.setup, methods: [{ policy: 'best-fit' }, { policy: 'fastest-first' }] });
        return controller.run();
      });
      expect(await page.locator('.remarks').textContent()).toContain(
        'with one site every allocation policy gives the same schedule',
      );
      expect(await page.evaluate(() => window.explorer.model.coloring)).toBe('wait');
    },
  );

  test.runIf(isLongTestInSample())('every scene shows what it is for', async () => {
    const page = await getExplorer().page(`${getExplorer().server.address}${SMALL_EXPLORER_ADDRESS}`);
    const buttonNames = await page.locator('.scenes button').allInnerTexts();
    expect(buttonNames.length).toBeGreaterThan(3);
    const shownSpread = async (metricName: string) => {
      await page.getByRole('button', { name: metricName, exact: true }).click();
      if (metricName === 'Why did it wait?') await page.waitForSelector('#job li');
      else if (metricName === 'How sure is it?') await page.waitForSelector('.replicated');
      else if (metricName === 'Custom policy') await page.waitForSelector('#code-0');
      else
        await page.waitForFunction(() => {
          const { view: visibleRange } = window.explorer.model;
          return visibleRange.to - visibleRange.from < 0.2 * (visibleRange.whole[1] - visibleRange.whole[0]);
        });
    };
    for (const buttonName of buttonNames) await shownSpread(buttonName);
    expect(getExplorer().complaints).toEqual([]);
  });

  test.runIf(isLongTestInSample())(
    'every list leads to jobs, and the first of each is the greatest',
    async () => {
      const page = await getExplorer().page(`${getExplorer().server.address}${SMALL_EXPLORER_ADDRESS}`);
      const buttonNames = await page.locator('#find .pills button').allInnerTexts();
      for (const buttonName of buttonNames.filter((name) => name !== 'losses by class')) {
        await page.getByRole('tab', { name: 'Find' }).click();
        await page.locator('#find .pills').getByRole('button', { name: buttonName, exact: true }).click();
        await page.locator('#find .jobs button').first().click();
        const listedValues = await page.evaluate((list) => {
          const { model } = window.explorer;
          const [run, otherRun] = model.runs;
          const { submit } = (model.outcome as NonNullable<typeof model.outcome>).jobs;
          const valueOfJobByList: Record<string, (job: number) => number> = {
            'longest waits': (job) => run.start[job] - submit[job],
            'most delayed': (job) => run.start[job] - otherRun.start[job],
            'most helped': (job) => otherRun.start[job] - run.start[job],
            'most processors': (job) => run.held[job],
          };
          const criterionValuesByJob = [...run.start.keys()].map(valueOfJobByList[list]);
          return {
            chosen: valueOfJobByList[list](model.selected ?? -1),
            most: Math.max(...criterionValuesByJob),
          };
        }, buttonName);
        expect(listedValues.chosen, buttonName).toBe(listedValues.most);
      }
    },
  );

  test.each(
    sampleTestCases(
      [
        ['policy', 'fastest-first'],
        ['discipline', 'first-available'],
        ['order', 'shortest'],
        ['order', 'widest'],
        ['sites', '8,128,128,128,100'],
        ['speeds', '1,2,2,3,1'],
      ] as const,
      6,
    ),
  )('what if the %s were %s: a run beside the others, which undo removes', async (optionName, value) => {
    const page = await getExplorer().page(
      `${getExplorer().server.address}${SMALL_EXPLORER_ADDRESS}&estimates=exact`,
    );
    await page.getByRole('tab', { name: 'Moment' }).click();
    await page.selectOption('#what-if-kind', optionName);
    if (!['sites', 'speeds'].includes(optionName)) await page.selectOption('#what-if-since', 'beginning');
    await page.fill('#what-if', `no ${value}`);
    await page.getByRole('button', { name: 'Try it' }).click();
    await page.waitForSelector('.what-if .fault');
    await page.fill('#what-if', value);
    await page.getByRole('button', { name: 'Try it' }).click();
    await page.waitForFunction(() => window.explorer.model.runs.length === 3);
    const areSame = await page.evaluate(() => {
      const { runs } = window.explorer.model;
      return runs[2].start.every((start, job) => start === runs[0].start[job]);
    });
    expect(areSame).toBe(false);
    const otherPage = await getExplorer().page(page.url());
    expect(await readMetricsTableColumn(otherPage, 2)).toEqual(await readMetricsTableColumn(page, 2));
    await page.getByRole('button', { name: 'Undo the last step' }).click();
    await page.waitForFunction(() => window.explorer.model.runs.length === 2);
  });

  test.each(
    sampleTestCases(
      [
        ['discipline', 'first-available', '&method=discipline%3Dfcfs'],
        ['order', 'widest', '&method=order%3Dshortest'],
        ['discipline', 'easy', '&method=policy%3Dti'],
        ['backfill-order', 'shortest', '&method=discipline%3Deasy%26policy%3Dbest-fit'],
      ] as const,
      4,
    ),
  )('what if the %s were %s from a moment on: what was before stays', async (optionName, value, method) => {
    const page = await getExplorer().page(
      `${getExplorer().server.address}${SMALL_EXPLORER_ADDRESS.replace(/&method.*/, '')}&estimates=exact${method}`,
    );
    // After a third of the time, jobs wait.
    await page.evaluate(() => {
      const { model } = window.explorer;
      const [{ start }] = model.runs;
      const { submit } = (model.outcome as NonNullable<typeof model.outcome>).jobs;
      const lateJobs = [...start.keys()].filter((job) => start[job] > submit[job] + 600);
      model.selectTime(start[lateJobs[Math.floor(lateJobs.length / 3)]] - 1);
    });
    await page.getByRole('tab', { name: 'Moment' }).click();
    await page.selectOption('#what-if-kind', optionName);
    await page.fill('#what-if', `no ${value}`);
    await page.getByRole('button', { name: 'Try it' }).click();
    await page.waitForSelector('.what-if .fault');
    await page.fill('#what-if', value);
    await page.getByRole('button', { name: 'Try it' }).click();
    await page.waitForFunction(() => window.explorer.model.runs.length === 2);
    const changedStarts = await page.evaluate(() => {
      const { runs, cursor = 0 } = window.explorer.model;
      const [{ start }, otherRun] = runs;
      const changedJobs = [...start.keys()].filter((job) => start[job] !== otherRun.start[job]);
      const { forkedAt = -1 } = otherRun;
      const earlyChangeCount = changedJobs.filter(
        (job) => Math.min(start[job], otherRun.start[job]) < forkedAt,
      ).length;
      return { early: earlyChangeCount, late: changedJobs.length, isLater: forkedAt >= cursor };
    });
    expect(changedStarts).toMatchObject({ early: 0, isLater: true });
    expect(changedStarts.late).toBeGreaterThan(0);
    // The page explains the job with the longest wait, and its link opens the same view.
    await page.getByRole('tab', { name: 'Find' }).click();
    await page.locator('#find .jobs button').first().click();
    await page.waitForSelector('#job li');
    const reopenedPage = await getExplorer().page(page.url());
    expect(await readMetricsTableColumn(reopenedPage, 1)).toEqual(await readMetricsTableColumn(page, 1));
  });

  test.runIf(isLongTestInSample())(
    'a span selected with Shift shows its jobs and why they waited, and is simulated alone',
    async () => {
      const page = await getExplorer().page(`${getExplorer().server.address}${SMALL_EXPLORER_ADDRESS}`);
      const boundingBoxOfStage = (await page.locator('.gantt .stage').first().boundingBox()) as {
        x: number;
        y: number;
      };
      await page.keyboard.down('Shift');
      await page.mouse.move(boundingBoxOfStage.x + 100, boundingBoxOfStage.y + 50);
      await page.mouse.down();
      await page.mouse.move(boundingBoxOfStage.x + 500, boundingBoxOfStage.y + 60, { steps: 4 });
      await page.mouse.up();
      await page.keyboard.up('Shift');
      await page.waitForSelector('#span table');
      const expectedStarts = await page.evaluate(() => {
        const { span, runs, outcome } = window.explorer.model;
        const [from, to] = span as [number, number];
        const { submit } = (outcome as NonNullable<typeof outcome>).jobs;
        const jobs = [...submit.keys()].filter((job) => submit[job] >= from && submit[job] < to);
        return { jobs: jobs.length, wait: Math.max(...jobs.map((job) => runs[0].start[job] - submit[job])) };
      });
      const description = page.locator('#span tbody tr td:first-of-type');
      // On a slow machine, values for the range are also requested before the pointer has reached
      // its end.
      await expect.poll(() => description.first().innerText()).toBe(String(expectedStarts.jobs));
      const cells = await description.allInnerTexts();
      const parsePercentage = (shareText: string) => Number(shareText.replace(/[^\d.]/g, ''));
      expect(parsePercentage(cells[7]) + parsePercentage(cells[8])).toBeCloseTo(100, 0);
      await page.getByRole('button', { name: 'Simulate the span alone' }).click();
      await page.waitForFunction(
        (count) => window.explorer.model.outcome?.jobs.count === count,
        expectedStarts.jobs,
      );
    },
  );
});
