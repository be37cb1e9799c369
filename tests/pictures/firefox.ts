/** Firefox as installed by Debian, driven by its Marionette protocol (JSON documents over TCP). */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { PageSettings, PictureBrowser } from './camera.js';
import { FONT_PACKAGE_FOLDER } from './fonts.js';

export const FIREFOX_PATH = '/usr/bin/firefox-esr';

export const hasFirefox = existsSync(FIREFOX_PATH);

/** Settings that stop animations and network access of the browser. */
const FIREFOX_PREFERENCES = {
  'marionette.port': 0,
  'ui.prefersReducedMotion': 1,
  'ui.useOverlayScrollbars': 1,
  'app.update.disabledForTesting': true,
  'app.normandy.enabled': false,
  'browser.startup.page': 0,
  'browser.shell.checkDefaultBrowser': false,
  'datareporting.policy.dataSubmissionEnabled': false,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'security.sandbox.content.read_path_whitelist': FONT_PACKAGE_FOLDER,
  'services.settings.server': 'data:,',
  'toolkit.telemetry.reportingpolicy.firstRun': false,
};

/** Milliseconds in which the browser must have started. */
const FIREFOX_START_TIMEOUT = 60_000;

/** Script that sets the size of the tab and the colour scheme of pages. */
const SET_SIZE_AND_SCHEME_SCRIPT = `
  const [width, height, scheme, done] = arguments;
  const tab = gBrowser.selectedBrowser;
  for (const [name, size] of [['width', width], ['height', height]])
    for (const each of [name, 'min-' + name, 'max-' + name]) tab.style.setProperty(each, size + 'px', 'important');
  Services.prefs.setIntPref('layout.css.prefers-color-scheme.content-override', scheme === 'dark' ? 0 : 1);
  requestAnimationFrame(() => done());
`;

/**
 * Script that sets the medium (screen or print) of the open page; a page of another origin does not
 * inherit it.
 */
const SET_MEDIUM_SCRIPT = `
  const [medium, done] = arguments;
  gBrowser.selectedBrowser.browsingContext.mediumOverride = medium === 'print' ? 'print' : '';
  requestAnimationFrame(() => done());
`;

interface PendingReplyCallbacks {
  readonly resolve: (answer: { readonly value: unknown }) => void;
  readonly reject: (error: Error) => void;
}

/** A Firefox with one tab. */
export class Firefox implements PictureBrowser {
  readonly complaints: readonly string[] = [];
  readonly #program: ChildProcess;
  readonly #socket: Socket;
  readonly #waiting = new Map<number, PendingReplyCallbacks>();
  #id = 0;
  #unread = Buffer.alloc(0);

  private constructor(program: ChildProcess, marionetteSocket: Socket) {
    [this.#program, this.#socket] = [program, marionetteSocket];
    marionetteSocket.on('data', (piece) => this.#take(piece));
    marionetteSocket.on('close', () => {
      for (const { reject } of this.#waiting.values()) reject(new Error('Firefox has ended'));
    });
  }

  /** Starts a Firefox with its profile in a folder. */
  static async open(folder: string, environment: NodeJS.ProcessEnv): Promise<Firefox> {
    const preferenceLines = Object.entries(FIREFOX_PREFERENCES).map(
      ([name, value]) => `user_pref("${name}", ${JSON.stringify(value)});`,
    );
    writeFileSync(join(folder, 'user.js'), preferenceLines.join('\n'));
    const firefoxWords = ['--headless', '--no-remote', '--profile', folder, '--marionette'];
    const firefoxProcess = spawn(FIREFOX_PATH, [...firefoxWords, '--remote-allow-system-access'], {
      stdio: 'ignore',
      env: environment,
    });
    const pathOfPortFile = join(folder, 'MarionetteActivePort');
    const end = Date.now() + FIREFOX_START_TIMEOUT;
    while (!existsSync(pathOfPortFile) || readFileSync(pathOfPortFile, 'utf8') === '') {
      if (Date.now() > end || firefoxProcess.exitCode !== null)
        throw new Error(`${FIREFOX_PATH} does not begin`);
      await pause(50);
    }
    const firefox = new Firefox(
      firefoxProcess,
      connect(Number(readFileSync(pathOfPortFile, 'utf8')), '127.0.0.1'),
    );
    await firefox.#ask('WebDriver:NewSession', { acceptInsecureCerts: false });
    await firefox.#ask('WebDriver:SetWindowRect', { width: 1500, height: 2400 });
    return firefox;
  }

  async open(url: string, { width, height, scheme, medium }: PageSettings): Promise<void> {
    // Otherwise an address that differs only after `#` would not load a page.
    await this.#ask('WebDriver:Navigate', { url: 'about:blank' });
    await this.#arrange(SET_SIZE_AND_SCHEME_SCRIPT, width, height, scheme);
    await this.#ask('WebDriver:Navigate', { url });
    await this.#arrange(SET_MEDIUM_SCRIPT, medium);
  }

  /** Runs a script in the browser's privileged window instead of the page. */
  async #arrange(script: string, ...args: readonly (string | number)[]): Promise<void> {
    await this.#ask('Marionette:SetContext', { value: 'chrome' });
    await this.#ask('WebDriver:ExecuteAsyncScript', { script, args });
    await this.#ask('Marionette:SetContext', { value: 'content' });
  }

  async run(expression: string): Promise<unknown> {
    const script = `const done = arguments[0];
      (async () => (${expression}))().then((value) => done({ value }), (error) => done({ error: String(error) }));`;
    const { value } = await this.#ask('WebDriver:ExecuteAsyncScript', { script, args: [] });
    const answerOfScript = value as { value?: unknown; error?: string };
    if (answerOfScript.error !== undefined) throw new Error(answerOfScript.error);
    return answerOfScript.value;
  }

  async picture(): Promise<Buffer> {
    const { value } = await this.#ask('WebDriver:TakeScreenshot', { full: false });
    return Buffer.from(String(value), 'base64');
  }

  async close(): Promise<void> {
    const exitPromise = new Promise((resolve) => this.#program.once('exit', resolve));
    this.#program.kill();
    await exitPromise;
    this.#socket.destroy();
  }

  #ask(commandName: string, parameters: object): Promise<{ readonly value: unknown }> {
    const messageText = JSON.stringify([0, ++this.#id, commandName, parameters]);
    this.#socket.write(`${Buffer.byteLength(messageText)}:${messageText}`);
    return new Promise((resolve, reject) => this.#waiting.set(this.#id, { resolve, reject }));
  }

  /** Receives bytes of the Marionette protocol, whose documents each begin with their length and a colon. */
  #take(piece: Buffer): void {
    this.#unread = Buffer.concat([this.#unread, piece]);
    for (;;) {
      const colonPosition = this.#unread.indexOf(':');
      const end = colonPosition + 1 + Number(this.#unread.subarray(0, Math.max(colonPosition, 0)));
      if (colonPosition < 0 || this.#unread.length < end) return;
      this.#hear(JSON.parse(this.#unread.subarray(colonPosition + 1, end).toString()));
      this.#unread = this.#unread.subarray(end);
    }
  }

  /** Handles one document of the protocol: the browser's greeting, or the response to a command. */
  #hear(message: unknown): void {
    if (!Array.isArray(message)) return;
    const [, id, error, answer] = message;
    const callbacksOfRequest = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error === null) callbacksOfRequest?.resolve(answer);
    else callbacksOfRequest?.reject(new Error(`${error.error}: ${error.message}`));
  }
}
