/** Runs the explorer in headless Chromium as a user would. */
import { type Browser, type CDPSession, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe } from 'vitest';
import {
  type ExplorerPageInput,
  makeExplorerFiles,
  type RunningServer,
  serveFilesWithToken,
} from '../../host/explorer/site.js';
import { CHROMIUM_PATH, isChromiumInstalled } from '../chromium.js';
import './window.js';

/** Defines tests that need a browser; skipped where there is none, but never in CI. */
export const describeBrowserTests = (testName: string, defineTests: () => void) =>
  describe.skipIf(!isChromiumInstalled && process.env.CI === undefined)(
    isChromiumInstalled ? testName : `${testName}, skipped: there is no ${CHROMIUM_PATH}`,
    defineTests,
  );

/** Opens an explorer before the tests of the calling block and closes it after them. */
export function openExplorerForTests(): () => ExplorerInBrowser {
  let testExplorer: ExplorerInBrowser | undefined;
  beforeAll(async () => {
    testExplorer = await ExplorerInBrowser.open();
  });
  afterAll(() => testExplorer?.close());
  return () => testExplorer as ExplorerInBrowser;
}

/** A browser, and the server of the explorer. */
export class ExplorerInBrowser {
  readonly server: RunningServer;
  readonly #browser: Browser;
  /** Errors and warnings reported by the pages. */
  readonly complaints: string[] = [];

  private constructor(runningServer: RunningServer, browser: Browser) {
    this.server = runningServer;
    this.#browser = browser;
  }

  static async open(pageInput: ExplorerPageInput = {}): Promise<ExplorerInBrowser> {
    const runningServer = await serveFilesWithToken(makeExplorerFiles(pageInput), 0);
    const browser = await chromium.launch({
      executablePath: CHROMIUM_PATH,
      args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
    });
    return new ExplorerInBrowser(runningServer, browser);
  }

  /** Opens a page and waits until it has simulated the settings in its address. */
  async page(
    address = this.server.address,
    colorScheme: 'light' | 'dark' = 'light',
    width = 1280,
  ): Promise<Page> {
    const context = await this.#browser.newContext({
      viewport: { width, height: 900 },
      colorScheme,
      acceptDownloads: true,
    });
    const page = await context.newPage();
    page.on('pageerror', (error) => this.complaints.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error') this.complaints.push(message.text());
    });
    await page.goto(address);
    await waitUntilResultsAreShown(page);
    return page;
  }

  /** Connects to the browser's debugging protocol, for traces. */
  session(): Promise<CDPSession> {
    return this.#browser.newBrowserCDPSession();
  }

  async close(): Promise<void> {
    await this.#browser.close();
    await this.server.close();
  }
}

/** Waits until the page shows results or an error. */
export async function waitUntilResultsAreShown(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const { model, controller } = window.explorer ?? {};
    return (
      model !== undefined && !controller.isPending && (model.outcome !== undefined || controller.fault !== '')
    );
  });
}

/** Values in the table of metrics, by name, for the run in a column (from 0). */
export function readMetricsTableColumn(page: Page, column: number): Promise<Record<string, number>> {
  return page.evaluate((rowIndex) => {
    const rows = [...document.querySelectorAll('.metrics tbody tr')];
    const cells = rows.map((row) => row.querySelectorAll('td')[rowIndex] as HTMLElement);
    return Object.fromEntries(cells.map(({ dataset }) => [dataset.metric, Number(dataset.value)]));
  }, column);
}

/** Drops a file onto the page. */
export async function dropFile(page: Page, name: string, fileContent: string | Uint8Array): Promise<void> {
  const base64 = Buffer.from(fileContent).toString('base64');
  const handleOfDataTransfer = await page.evaluateHandle(
    ([fileName, content]) => {
      const dataTransfer = new DataTransfer();
      const bytes = Uint8Array.from(atob(content), (character) => character.charCodeAt(0));
      dataTransfer.items.add(new File([bytes], fileName));
      return dataTransfer;
    },
    [name, base64] as const,
  );
  await page.dispatchEvent('body', 'drop', { dataTransfer: handleOfDataTransfer });
  await waitUntilResultsAreShown(page);
}

/** Splits a shell command into words. */
export function splitCommand(command: string): string[] {
  return [...command.matchAll(/'([^']*)'|(\S+)/g)].map(
    ([, quotedWord, unquotedWord]) => quotedWord ?? unquotedWord,
  );
}
