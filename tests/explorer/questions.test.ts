/**
 * Answers the questions of docs/explorer.md as a user who knows only the page would, and counts the
 * steps.
 */
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { describeBrowserTests, openExplorerForTests } from './browser.js';

const QUESTIONS_PAGE_ADDRESS =
  '#workload=lublin99%5Baarr%3D9%2Cjobs%3D600%5D&sites=8,128,128,128,50&speeds=draw%5Bsh%3D0.12%2Cseed%3D1%5D&load=1.5&method=policy%3Dbest-fit&method=policy%3Dfastest-first';

/** Performs clicks, choices and text inputs, and counts them. */
class CountingPageUser {
  stepCount = 0;
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  async pressButton(buttonName: string, ariaRole: 'button' | 'tab' = 'button'): Promise<void> {
    this.stepCount++;
    await this.#page.getByRole(ariaRole, { name: buttonName, exact: true }).click();
  }

  async write(id: string, writtenText: string): Promise<void> {
    this.stepCount++;
    await this.#page.fill(id, writtenText);
  }

  async choose(id: string, chosenValue: string): Promise<void> {
    this.stepCount++;
    await this.#page.selectOption(id, chosenValue);
  }

  async key(id: string, pressedKey: string): Promise<void> {
    this.stepCount++;
    await this.#page.press(id, pressedKey);
  }
}

/**
 * Questions in the order of the documentation: the user's actions, and the selector of the answer.
 */
const USABILITY_QUESTIONS: readonly (readonly [
  name: string,
  act: (steps: CountingPageUser) => Promise<void>,
  answer: string,
])[] = [
  [
    'Why did job 17 wait?',
    async (steps) => {
      await steps.write('#search', '17');
      await steps.key('#search', 'Enter');
    },
    '#job li:has-text("submitted;")',
  ],
  [
    'Which method is better, and how sure is it?',
    (steps) => steps.pressButton('How sure is it?'),
    '#sure b:has-text("20")',
  ],
  [
    'When do they differ most?',
    (steps) => steps.pressButton('Two policies'),
    '#find .jobs button:has-text("later")',
  ],
  [
    'Which jobs lose?',
    async (steps) => {
      await steps.pressButton('most delayed');
    },
    '#find .jobs button:has-text("later")',
  ],
  ['Who loses?', (steps) => steps.pressButton('losses by class'), '#find .who tbody td:nth-child(5)'],
  [
    'What would one more site bring?',
    async (steps) => {
      await steps.pressButton('Moment', 'tab');
      await steps.choose('#what-if-kind', 'one more site');
      await steps.pressButton('Try it');
    },
    '.one-more tbody td:last-child small:has-text("%")',
  ],
];

/** Rows of the table in the documentation: question and number of steps to its answer. */
const descriptions = [
  ...readFileSync(new URL('../../docs/explorer.md', import.meta.url), 'utf8').matchAll(
    /^\| (.+\?) \| .* \| (\d+) \|$/gm,
  ),
].map(([, name, count]) => [name, Number(count)]);

describeBrowserTests('questions', () => {
  const getExplorer = openExplorerForTests();

  test('the docs list every question', () => {
    expect(descriptions.map(([name]) => name)).toEqual(USABILITY_QUESTIONS.map(([name]) => name));
  });

  test.each(USABILITY_QUESTIONS)('%s', async (name, action, answer) => {
    const page = await getExplorer().page(`${getExplorer().server.address}${QUESTIONS_PAGE_ADDRESS}`);
    const countedUserActions = new CountingPageUser(page);
    await action(countedUserActions);
    await page.waitForSelector(answer);
    expect(descriptions.find(([question]) => question === name)?.[1]).toBe(countedUserActions.stepCount);
    expect(getExplorer().complaints).toEqual([]);
  });
});
