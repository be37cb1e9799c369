/**
 * Tracks pressed mouse buttons, touches and the space bar. An element replaced between press and release
 * never receives its click, so the page changes forms and buttons only after the release.
 */

let isAnythingPressed = false;
let actionsAfterRelease: (() => void)[] = [];

/** The click follows the release, so the deferred actions run after the click. */
function runActionsAfterRelease(): void {
  if (!isAnythingPressed) return;
  isAnythingPressed = false;
  setTimeout(() => {
    if (isAnythingPressed) return;
    const actions = actionsAfterRelease;
    actionsAfterRelease = [];
    for (const runAction of actions) runAction();
  });
}

addEventListener(
  'pointerdown',
  ({ target }) => {
    // The list of a select element hides the release, so presses on it do not count.
    isAnythingPressed = !(target instanceof Element && target.closest('select') !== null);
  },
  true,
);
addEventListener('pointermove', ({ buttons }) => buttons === 0 && runActionsAfterRelease(), true);
addEventListener(
  'keydown',
  ({ key: pressedKey }) => {
    if (pressedKey === ' ') isAnythingPressed = true;
  },
  true,
);
for (const eventName of ['pointerup', 'pointercancel', 'keyup', 'blur']) {
  addEventListener(
    eventName,
    ({ target }) => (eventName !== 'blur' || target === window) && runActionsAfterRelease(),
    true,
  );
}

/** Runs an action now, or after the release if something is pressed. */
export function runWhenReleased(runAction: () => void): void {
  if (isAnythingPressed || actionsAfterRelease.length > 0) actionsAfterRelease.push(runAction);
  else runAction();
}

/** Waits until nothing is pressed. */
export const waitForRelease = (): Promise<void> => new Promise(runWhenReleased);
