/**
 * Whether somebody is pressing something now: a button of the mouse, a finger, or Space. What is replaced between press and
 * release never gets the click, so the page changes its forms and buttons only after the release.
 */

let isPressed = false;
let waiting: (() => void)[] = [];

/** The click comes right after the release; what has waited comes after the click. */
function release(): void {
  if (!isPressed) return;
  isPressed = false;
  setTimeout(() => {
    if (isPressed) return;
    const due = waiting;
    waiting = [];
    for (const act of due) act();
  });
}

addEventListener(
  'pointerdown',
  ({ target }) => {
    // The list of a select swallows the release.
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

/** Acts now, or, while somebody presses, after the release. */
export function whenReleased(act: () => void): void {
  if (isPressed || waiting.length > 0) waiting.push(act);
  else act();
}

/** Waits until nothing is pressed. */
export const released = (): Promise<void> => new Promise(whenReleased);
