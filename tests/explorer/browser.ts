/** The explorer in headless Chromium, as a person has it. */
import { type Browser, type CDPSession, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe } from 'vitest';
import { type PageInput, type Served, serve, siteFiles } from '../../host/explorer/site.js';
import { CHROMIUM, hasChromium } from '../chromium.js';
import './window.js';

/** Tests with a browser: skipped where there is none, but never under CI. */
export const describeInBrowser = (name: string, tests: () => void) =>
  describe.skipIf(!hasChromium && process.env.CI === undefined)(
    hasChromium ? name : `${name}, skipped: there is no ${CHROMIUM}`,
    tests,
  );

/** Opens an explorer before the tests of the block in which this is called, and closes it after them. */
export function openedExplorer(): () => Explorer {
  let explorer: Explorer | undefined;
  beforeAll(async () => {
    explorer = await Explorer.open();
  });
  afterAll(() => explorer?.close());
  return () => explorer as Explorer;
}

/** A browser with the explorer served to it. */
export class Explorer {
  readonly served: Served;
  readonly #browser: Browser;
  /** What pages have complained about. */
  readonly complaints: string[] = [];

  private constructor(served: Served, browser: Browser) {
    this.served = served;
    this.#browser = browser;
  }

  static async open(input: PageInput = {}): Promise<Explorer> {
    const served = await serve(siteFiles(input), 0);
    const browser = await chromium.launch({
      executablePath: CHROMIUM,
      args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
    });
    return new Explorer(served, browser);
  }

  /** A page that has simulated what its address says. */
  async page(address = this.served.address, scheme: 'light' | 'dark' = 'light', width = 1280): Promise<Page> {
    const context = await this.#browser.newContext({
      viewport: { width, height: 900 },
      colorScheme: scheme,
      acceptDownloads: true,
    });
    const page = await context.newPage();
    page.on('pageerror', (error) => this.complaints.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error') this.complaints.push(message.text());
    });
    await page.goto(address);
    await settled(page);
    return page;
  }

  /** Talks with the browser itself, for its trace. */
  session(): Promise<CDPSession> {
    return this.#browser.newBrowserCDPSession();
  }

  async close(): Promise<void> {
    await this.#browser.close();
    await this.served.close();
  }
}

/** Waits until the page has an answer, or says what is wrong. */
export async function settled(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const { model, controller } = window.explorer ?? {};
    return (
      model !== undefined && !controller.isPending && (model.outcome !== undefined || controller.fault !== '')
    );
  });
}

/** The values in the table of metrics, by name, of the run in a column from 0. */
export function metricsOf(page: Page, column: number): Promise<Record<string, number>> {
  return page.evaluate((place) => {
    const rows = [...document.querySelectorAll('.metrics tbody tr')];
    const cells = rows.map((row) => row.querySelectorAll('td')[place] as HTMLElement);
    return Object.fromEntries(cells.map(({ dataset }) => [dataset.metric, Number(dataset.value)]));
  }, column);
}

/** Drops a file on the page. */
export async function drop(page: Page, name: string, log: string | Uint8Array): Promise<void> {
  const base64 = Buffer.from(log).toString('base64');
  const data = await page.evaluateHandle(
    ([fileName, content]) => {
      const transfer = new DataTransfer();
      const bytes = Uint8Array.from(atob(content), (character) => character.charCodeAt(0));
      transfer.items.add(new File([bytes], fileName));
      return transfer;
    },
    [name, base64] as const,
  );
  await page.dispatchEvent('body', 'drop', { dataTransfer: data });
  await settled(page);
}

/** The words of a command of a shell. */
export function splitCommand(command: string): string[] {
  return [...command.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain);
}
