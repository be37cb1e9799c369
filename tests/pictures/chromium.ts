/** Chromium as installed by Debian, driven by Playwright. */
import { type Browser, chromium, type Page } from 'playwright-core';
import { CHROMIUM_PATH } from '../chromium.js';
import type { PageSettings, PictureBrowser } from './camera.js';

/** A Chromium with one page. */
export class Chromium implements PictureBrowser {
  readonly complaints: string[] = [];
  /** The browser's only page. */
  readonly page: Page;
  readonly #browser: Browser;

  private constructor(browser: Browser, page: Page) {
    [this.#browser, this.page] = [browser, page];
    page.on('pageerror', ({ message }) => this.complaints.push(message));
    page.on('console', (message) => message.type() === 'error' && this.complaints.push(message.text()));
  }

  static async open(env: NodeJS.ProcessEnv): Promise<Chromium> {
    const args = ['--no-sandbox', '--disable-gpu', '--disable-lcd-text', '--font-render-hinting=none'];
    const browser = await chromium.launch({
      ...{ executablePath: CHROMIUM_PATH, args },
      env: env as Record<string, string>,
    });
    return new Chromium(browser, await browser.newPage({ reducedMotion: 'reduce' }));
  }

  async open(url: string, { width, height, scheme, medium }: PageSettings): Promise<void> {
    // Addresses that differ only after `#` would not reload the page.
    await this.page.goto('about:blank');
    await this.page.setViewportSize({ width, height });
    await this.page.emulateMedia({ media: medium, colorScheme: scheme });
    await this.page.goto(url);
  }

  async run(expression: string): Promise<unknown> {
    return this.page.evaluate(expression);
  }

  picture(): Promise<Buffer> {
    return this.page.screenshot({ animations: 'disabled' });
  }

  close(): Promise<void> {
    return this.#browser.close();
  }
}
