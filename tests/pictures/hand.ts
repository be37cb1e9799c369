/** Actions in a page that a scene can use, which name elements by their visible text or id. */

/** Actions that a scene can perform in a page. */
export interface ScenePageActions {
  /** Waits until a condition is true. */
  until(isConditionMet: () => unknown): Promise<void>;
  /** Presses the button with this text. */
  press(buttonName: string): void;
  /** Enters a text into a field, or selects a value. */
  fill(id: string, filledValue: string): void;
  /** Scrolls the first element of a selector to the top of the window. */
  top(selector: string): void;
}

/** Makes the actions for a page. Runs inside the page, without the rest of this file. */
export function makePageActions(): ScenePageActions {
  const requireItem = <Item>(documentItem: Item | null | undefined, itemName: string): Item => {
    if (documentItem === null || documentItem === undefined) throw new Error(`there is no ${itemName}`);
    return documentItem;
  };
  return {
    async until(isConditionMet) {
      const end = performance.now() + 25_000;
      while (!isConditionMet()) {
        if (performance.now() > end) throw new Error(`it never came to ${isConditionMet}`);
        await new Promise((resolveDelay) => setTimeout(resolveDelay, 20));
      }
    },
    press(buttonName) {
      const isVisibleElementWithText = ({ textContent, offsetParent }: HTMLElement) =>
        textContent === buttonName && offsetParent !== null;
      requireItem(
        [...document.querySelectorAll('button')].find(isVisibleElementWithText),
        `button ${buttonName}`,
      ).click();
    },
    fill(id, filledValue) {
      const inputField = requireItem(document.getElementById(id), `field ${id}`) as HTMLInputElement;
      inputField.value = filledValue;
      for (const eventType of ['input', 'change'])
        inputField.dispatchEvent(new Event(eventType, { bubbles: true }));
    },
    top(selector) {
      requireItem(document.querySelector(selector), selector).scrollIntoView({ block: 'start' });
    },
  };
}

/**
 * Waits until nothing in the page changes any more. Runs inside the page, before and after a
 * scene's actions.
 */
export async function waitUntilPageIsStill(pageActions: ScenePageActions): Promise<void> {
  const waitForAnimationFrames = async (frameCount: number) => {
    for (let i = 0; i < frameCount; i++) await new Promise(requestAnimationFrame);
  };
  await pageActions.until(() => document.readyState === 'complete');
  if (document.getElementById('app') === null) {
    await waitForAnimationFrames(4);
    await pageActions.until(() =>
      [...document.querySelectorAll('figure:has(> script)')].every(
        (figure) =>
          figure.getBoundingClientRect().top > innerHeight ||
          figure.getBoundingClientRect().bottom < 0 ||
          figure.querySelector('.live svg') !== null,
      ),
    );
  } else {
    await pageActions.until(() => {
      const { controller, model } = window.explorer ?? {};
      return model !== undefined && !controller.isPending && (model.outcome ?? controller.fault) !== '';
    });
    await waitForAnimationFrames(2);
    await pageActions.until(() => window.explorer.charts.every((chartLines) => !chartLines.isPainting));
  }
  await waitForAnimationFrames(2);
}
