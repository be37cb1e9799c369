import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FIGURE_DATA_CLASS, parseDrawing } from '../../host/draw/drawing.js';
import type { Figure } from '../../host/draw/figureModel.js';
import { makeBenchReport } from '../../host/reports/benchReport.js';
import type { Picture } from '../../host/view/html.js';
import { REPORT_FILE, type Report } from '../../host/view/report.js';
import { drawReport, writeReport } from '../../host/view/reportFolder.js';
import { sampleTestCases } from '../cases.js';
import { CHROMIUM_PATH, isChromiumInstalled } from '../chromium.js';
import { runGridalloc, writeStudyFile } from '../runs/childProcess.js';
import { makeSmallLogText, reduceStudy } from '../smallStudies.js';
import { makeTemporaryFolder } from '../temporaryFolder.js';
import { drawingFaults } from './drawingFaults.js';
import { accessibilityFaults, liveFaults } from './liveFaults.js';

/**
 * Checks all drawings of the program in a browser: without scripts and interactive, on wide and
 * narrow pages, and on paper.
 */

const PAGE_WIDTHS = [1280, 400];
/** Widths of A4 and A5 paper within their margins, in pixels. */
const PAPER_WIDTHS = [673, 438];
const folder = makeTemporaryFolder();
const logFile = join(folder, 'small.swf');
writeFileSync(logFile, makeSmallLogText());

/** Runs the program and returns its printed text. */
async function run(...commandWords: string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await runGridalloc([...commandWords, '--quiet']);
  if (exitCode !== 0) throw new Error(`gridalloc ${commandWords.join(' ')}: ${stderr}`);
  return stdout;
}

/** Runs every study that has a figure and returns the folders. */
async function runStudiesWithFigures(): Promise<string[]> {
  const studyFileNames = readdirSync(new URL('../../studies/', import.meta.url)).filter((name) =>
    /\.yaml$/.test(name),
  );
  const studyFolders: string[] = [];
  const studyTexts = studyFileNames.map((studyFileName) => [
    studyFileName,
    reduceStudy(studyFileName.replace('.yaml', ''), { draws: 2, jobs: 300 }),
  ]);
  const drawing = studyTexts.filter(([, text]) => /^figures:/m.test(text));
  for (const [name, text] of sampleTestCases(drawing, 8)) {
    const [file, resultFolder] = [writeStudyFile(folder, text, name), join(folder, 'study', name)];
    await run('study', 'run', file, '--trace', logFile, '--out', resultFolder, '--threads', '1', '--yes');
    studyFolders.push(resultFolder);
  }
  return studyFolders;
}

const POLICIES = 'policy=best-fit,fastest-first,si,ti,ai,ai2,tai,tai2';
const FIVE_SITE_WORDS = ['--sites', '8,128,128,128,50', '--speeds', '1,2,1,1.4,3'];

/** Sweeps over few and many, short and long words, over numbers, and over both. */
const SWEEP_COMMANDS: readonly (readonly string[])[] = [
  [POLICIES],
  ['discipline=fcfs,easy', 'load=1,2,4', POLICIES],
  ['discipline=fcfs,easy,conservative', 'policy=best-fit,fastest-first'],
  ['policy=ti[sht=0.05|0.1,slt=1|2],tai2[sht=0.05|0.1,slt=1|2|3]', 'home=queue,none'],
  ['load=1,1.5,2,3', POLICIES],
  ['load=0.5..1.5:0.05'],
  ['load=1,10,100', 'sites=64,128', 'speeds=1,2'],
];

async function runAllSweeps(): Promise<string[]> {
  const sweepFolders: string[] = [];
  for (const axes of sampleTestCases(SWEEP_COMMANDS, SWEEP_COMMANDS.length)) {
    const resultFolder = join(folder, `sweep-${sweepFolders.length}`);
    const grid = axes.some((axis) => axis.startsWith('sites')) ? [] : FIVE_SITE_WORDS;
    const metrics = ['--metric', 'averageResponseTime,utilization'];
    const variedOptions = axes.flatMap((axis) => ['--vary', axis]);
    await run(
      'sweep',
      logFile,
      ...grid,
      ...variedOptions,
      ...metrics,
      '--replications',
      '3',
      '--out',
      resultFolder,
      '--threads',
      '1',
    );
    sweepFolders.push(resultFolder);
  }
  return sweepFolders;
}

/**
 * Comparisons of few and many methods by one or several metrics, with and without verdicts, and
 * replications of one method.
 */
const COMPARISON_COMMANDS: readonly (readonly string[])[] = [
  ['compare', logFile, '--replications', '10', '--metric', 'meanWait,utilization'],
  ['compare', logFile, ...FIVE_SITE_WORDS, '--replications', '3'],
  [
    'compare',
    logFile,
    ...FIVE_SITE_WORDS,
    '--policy',
    'best-fit,tai2[sht=0.05,slt=1.25],tai2[sht=0.06,slt=1.5],random',
    '--replications',
    '20',
  ],
  ['compare', logFile, '--discipline', 'easy', '--replications', '2'],
  ['compare', logFile, ...FIVE_SITE_WORDS],
  ['simulate', logFile, '--discipline', 'easy', '--replications', '3'],
];

async function runAllComparisons(): Promise<string[]> {
  const comparisonFolders: string[] = [];
  for (const words of sampleTestCases(COMPARISON_COMMANDS, COMPARISON_COMMANDS.length)) {
    const resultFolder = join(folder, `comparison-${comparisonFolders.length}`);
    await run(...words, '--out', resultFolder, '--threads', '1');
    comparisonFolders.push(resultFolder);
  }
  return comparisonFolders;
}

/** Script that defines the checking functions in a page. */
const CHECKING_SCRIPT = `Object.assign(globalThis, { ${[drawingFaults, accessibilityFaults].map((checker) => `${checker.name}: ${checker}`).join(', ')} })`;

const areBrowserTestsSkipped = !isChromiumInstalled && process.env.CI === undefined;
const SKIPPED_TEST_SUFFIX = areBrowserTestsSkipped ? ` are skipped: there is no ${CHROMIUM_PATH}` : '';

describe.skipIf(areBrowserTestsSkipped)(
  `drawings in Chromium${SKIPPED_TEST_SUFFIX}`,
  { timeout: 300_000 },
  () => {
    let browser: Browser;
    beforeAll(async () => {
      browser = await chromium.launch({ executablePath: CHROMIUM_PATH, args: ['--no-sandbox'] });
    });
    afterAll(() => browser?.close());

    /** Faults of all drawings of a page at all widths. */
    async function findFaultsOfPage(path: string): Promise<string[]> {
      const faults: string[] = [];
      for (const width of PAPER_WIDTHS) {
        const page = await browser.newPage({ viewport: { width, height: 900 }, javaScriptEnabled: false });
        await page.addInitScript(CHECKING_SCRIPT);
        await page.emulateMedia({ media: 'print' });
        await page.goto(pathToFileURL(path).href);
        for (const [id, figure] of await readFiguresOfPage(page))
          for (const fault of await page.evaluate(drawingFaults, { id, figure, isPart: false }))
            faults.push(`${width} px of paper: ${fault}`);
        await page.close();
      }
      for (const width of PAGE_WIDTHS)
        for (const isJavaScriptEnabled of [false, true]) {
          const page = await browser.newPage({
            viewport: { width, height: 900 },
            javaScriptEnabled: isJavaScriptEnabled,
          });
          page.on('pageerror', ({ message }) => faults.push(message));
          await page.addInitScript(CHECKING_SCRIPT);
          await page.goto(pathToFileURL(path).href);
          const ids = await page
            .locator('[id]')
            .evaluateAll((elementsWithId) => elementsWithId.map(({ id: elementId }) => elementId));
          faults.push(...ids.filter((id, i) => ids.indexOf(id) < i).map((id) => `the id ${id} stands twice`));
          const descriptionOfPageVariant = `${width} px, ${isJavaScriptEnabled ? 'live' : 'still'}`;
          for (const [id, figure] of await readFiguresOfPage(page))
            for (const fault of isJavaScriptEnabled
              ? await page.evaluate(liveFaults, { id, figure, isAsked: width === PAGE_WIDTHS[0] })
              : await page.evaluate(drawingFaults, { id, figure, isPart: false }))
              faults.push(`${descriptionOfPageVariant}: ${fault}`);
          if (isJavaScriptEnabled && (await page.evaluate(isForeignCodeExecuted)))
            faults.push('runs code that is not its own');
          await page.close();
        }
      return faults;
    }

    /** True if the page executes a script that this function inserts into it. The function runs in the page. */
    function isForeignCodeExecuted(): boolean {
      const script = document.createElement('script');
      script.textContent = 'document.title = "taken"';
      const testButton = document.createElement('button');
      testButton.setAttribute('onclick', script.textContent);
      document.body.append(script, testButton);
      testButton.click();
      return document.title === 'taken';
    }

    /** Figures of the page by the id of their element; undefined for other drawings. */
    async function readFiguresOfPage(page: Page): Promise<[id: string, Figure | undefined][]> {
      const figureDataScripts = page.locator(`[id^=figure-] script.${FIGURE_DATA_CLASS}`);
      const figureDataTexts = await figureDataScripts.evaluateAll((scripts) =>
        scripts.map(
          (script) => [script.closest('[id^=figure-]')?.id ?? '', script.textContent ?? ''] as const,
        ),
      );
      return figureDataTexts.map(([id, text]) => {
        const parsedDrawingInput = parseDrawing(text);
        return [id, 'panels' in parsedDrawingInput ? parsedDrawingInput : undefined];
      });
    }

    /** Writes the drawings of several reports into one page, which is faster to check. */
    async function writePageOfReports(reportName: string, reports: readonly Report[]): Promise<string> {
      const pictures: Picture[] = [];
      for (const [i, report] of reports.entries()) {
        const figures = report.figures.map((figure) => ({ ...figure, id: `report-${i}-${figure.id}` }));
        pictures.push(...drawReport({ ...report, figures }).pictures);
      }
      const emptyReportLists = {
        highlights: [],
        tables: [],
        figures: [],
        checks: [],
        notes: [],
        commands: [],
      };
      const report = {
        title: reportName,
        description: '',
        source: '',
        ...emptyReportLists,
        environment: [],
        files: [],
      };
      return writeReport({ report, pictures }, join(folder, reportName));
    }

    const readReportOf = (resultFolder: string) =>
      JSON.parse(readFileSync(join(resultFolder, REPORT_FILE), 'utf8')) as Report;

    test.each([
      ['studies', runStudiesWithFigures],
      ['sweeps', runAllSweeps],
      ['comparisons', runAllComparisons],
    ])('of %s', async (name, makeValue) => {
      const resultFolders = await makeValue();
      // Each report also has a page of its own.
      for (const resultFolder of resultFolders) await run('report', resultFolder);
      expect(await findFaultsOfPage(await writePageOfReports(name, resultFolders.map(readReportOf)))).toEqual(
        [],
      );
    });

    test('of simulations, their differences, explanations of their jobs, and the costs of policies', async () => {
      const datedLogFile = join(folder, 'dated.swf');
      writeFileSync(datedLogFile, makeSmallLogText().replace('\n', '\n; UnixStartTime: 893410215\n'));
      const sitesOf24Sizes = Array.from({ length: 24 }, (_, i) => 1000 + i).join(',');
      const runs = [
        [datedLogFile, ...FIVE_SITE_WORDS],
        [datedLogFile, ...FIVE_SITE_WORDS, '--discipline', 'easy', '--load', '60'],
        [logFile, '--sites', sitesOf24Sizes, '--load', '2'],
        [datedLogFile, ...FIVE_SITE_WORDS, '--queue', 'per-home', '--reclaim', '--load', '700'],
      ].map((words, i) => ({ words, out: join(folder, `run-${i}`) }));
      // A log of several weeks adds figures by hour and by weekday.
      const logFileOfSeveralWeeks = join(folder, 'weeks.swf');
      const stretchedLogText = readFileSync(datedLogFile, 'utf8').replaceAll(
        /^(\d+) (\d+)/gm,
        (_, job, submit) => `${job} ${30 * Number(submit)}`,
      );
      writeFileSync(logFileOfSeveralWeeks, stretchedLogText);
      const runOfSeveralWeeks = {
        words: [logFileOfSeveralWeeks, ...FIVE_SITE_WORDS],
        out: join(folder, 'run-weeks'),
      };
      const pages: string[] = [];
      for (const { words, out } of [...runs, runOfSeveralWeeks]) {
        await run('simulate', ...words, '--out', out);
        await run('report', out);
        pages.push(join(out, 'report.html'));
      }
      expect(readdirSync(join(runOfSeveralWeeks.out, 'figures'))).toContain('week-map.svg');
      const page = join(folder, 'difference.html');
      await run('diff', runs[0].out, runs[1].out, '--out', page);
      pages.push(page);
      for (const { out } of runs.slice(1)) {
        const explanationPage = join(out, 'why.html');
        await run('explain', out, '--longest', '2', '--out', explanationPage);
        pages.push(explanationPage);
      }
      const costs = await run(
        'bench',
        '--quick',
        '--sites',
        '2,5,70',
        '--queue',
        '10',
        '--running',
        '5,20,50',
        '--json',
      );
      pages.push(await writePageOfReports('costs', [makeBenchReport(JSON.parse(costs))]));
      for (const page of sampleTestCases(pages)) expect(await findFaultsOfPage(page), page).toEqual([]);
    });
  },
);
