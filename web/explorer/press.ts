/**
 * Tracks pressed mouse buttons, touches and the space bar. An element replaced between press and release
 * never receives its click, so the page changes forms and buttons only after the release.
 */

let isPressed = false;
let waiting: (() => void)[] = [];

/** The click follows the release, so the deferred actions run after the click. */
function release(): void {
  if (!isPressed) return;
  isPressed = false;
  setTimeout(() => {
    if (isPressed) return;
    const neededJobs = waiting;
    waiting = [];
    for (const act of neededJobs) act();
  });
}

addEventListener(
  'pointerdown',
  ({ target }) => {
    // The list of a select element hides the release.
    isPressed = !(target instanceof Element && target.closest('select') !== null);
  },
  true,
);
addEventListener('pointermove', ({ buttons }) => buttons === 0 && release(), true);
addEventListener(
  'keydown',
  ({ key }) => {
    if (key === ' ') isPressed = true;
  },
  true,
);
for (const name of ['pointerup', 'pointercancel', 'keyup', 'blur']) {
  addEventListener(name, ({ target }) => (name !== 'blur' || target === window) && release(), true);
}

/** Runs an action now, or after the release if something is pressed. */
export function whenReleased(act: () => void): void {
  if (isPressed || waiting.length > 0) waiting.push(act);
  else act();
}

/** Waits until nothing is pressed. */
export const waitForRelease = (): Promise<void> => new Promise(whenReleased);
