/** Checks interactive drawings in use: zoomed, on a logarithmic axis, and with other values. */
import type { Figure } from '../../host/draw/figureModel.js';
import type { DrawingRequest } from './drawingFaults.js';

/** Declares the function of drawingFaults.ts, which a script defines in the page. */
declare const drawingFaults: (request: DrawingRequest) => string[];

/** An interactive drawing to check in a browser. */
export interface LiveRequest {
  /** Id of the drawing's HTML element. */
  readonly id: string;
  readonly figure: Figure | undefined;
  /** True if all controls of the drawing are used; otherwise only its first view is checked. */
  readonly isAsked: boolean;
}

/**
 * Descriptions of the faults of an interactive drawing, at first and after each use of a control.
 * Runs inside the page, where {@link drawingFaults} and {@link accessibilityFaults} are globals.
 */
export async function liveFaults({ id, figure, isAsked }: LiveRequest): Promise<string[]> {
  const figureElement = document.getElementById(id);
  const waitUntil = async <T>(awaitedThing: string, findItem: () => T | null | undefined): Promise<T> => {
    for (const end = performance.now() + 10_000; performance.now() < end; ) {
      const foundElement = findItem();
      if (foundElement !== null && foundElement !== undefined) return foundElement;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    throw new Error(`${id}: ${awaitedThing} does not come`);
  };
  const drawnSvg = () =>
    figureElement?.querySelector(
      `.live svg${figure === undefined ? '' : '[aria-hidden]'}:not([data-is-old])`,
    );
  figureElement?.scrollIntoView();
  await waitUntil('a live drawing', drawnSvg);
  let drawingRequest = { id, figure, isPart: false };
  const faults = drawingFaults(drawingRequest);
  if (figureElement === null || !isAsked) return faults;
  const expectAfter = async (
    change: () => void,
    shownSettings: Partial<Figure>,
    showsPartOfRange = drawingRequest.isPart,
  ) => {
    drawnSvg()?.setAttribute('data-is-old', '');
    change();
    await waitUntil('a new drawing', drawnSvg);
    drawingRequest = {
      id,
      figure: drawingRequest.figure && { ...drawingRequest.figure, ...shownSettings },
      isPart: showsPartOfRange,
    };
    faults.push(...drawingFaults(drawingRequest));
  };
  const findButton = (buttonName: string) =>
    [...figureElement.querySelectorAll('button')].find(({ textContent }) => textContent === buttonName);
  const findSelects = (selectName: string) =>
    [...figureElement.querySelectorAll('label')]
      .find(({ textContent }) => textContent?.trim().startsWith(selectName))
      ?.querySelector('select');
  const logButton = findButton('log');
  const hasLogarithmicButton = logButton !== undefined && !logButton.disabled;
  const zoomInButton = findButton('+');
  if (zoomInButton !== undefined) await expectAfter(() => zoomInButton.click(), {}, true);
  const { y, views = [], firstView = 0 } = figure ?? {};
  if (y !== undefined && y.scale !== 'log' && hasLogarithmicButton)
    await expectAfter(() => logButton.click(), { y: { ...y, scale: 'log' } });
  const otherView = views.findLast((_, i) => i !== firstView);
  if (otherView !== undefined) {
    if (hasLogarithmicButton && logButton.getAttribute('aria-pressed') === 'true')
      await expectAfter(() => logButton.click(), y === undefined ? {} : { y });
    const chooseAll = () => {
      for (const [name, option] of [
        ['measure', otherView.measure],
        ['differences to', otherView.baseline ?? 'none'],
      ] as const) {
        const selectedElements = findSelects(name);
        if (selectedElements == null || selectedElements.value === option) continue;
        selectedElements.value = option;
        selectedElements.dispatchEvent(new Event('change', { bubbles: true }));
      }
    };
    await expectAfter(chooseAll, { y: otherView.y, panels: otherView.panels });
  }
  if (zoomInButton !== undefined) await expectAfter(() => findButton('all')?.click(), {}, false);
  return [...faults, ...(await accessibilityFaults(id))];
}

/**
 * Descriptions of an interactive drawing's accessibility faults: by keyboard, in its table of values, or in
 * its saved file. Runs inside the page.
 */
export async function accessibilityFaults(id: string): Promise<string[]> {
  const faults: string[] = [];
  const figureElement = document.getElementById(id) as HTMLElement;
  const liveElement = figureElement.querySelector<HTMLElement>('.live');
  liveElement?.focus();
  liveElement?.dispatchEvent(
    new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true, cancelable: true }),
  );
  const visibleTooltip = [...document.querySelectorAll<HTMLElement>('.tooltip')].find((tooltip) =>
    tooltip.checkVisibility(),
  );
  if (visibleTooltip === undefined || visibleTooltip.innerText.trim() === '')
    faults.push(`${id}: tells nothing by the keyboard`);

  const valuesElement = figureElement.querySelector<HTMLDetailsElement>('.values');
  const valuesToggled = new Promise((resolve) =>
    valuesElement?.addEventListener('toggle', resolve, { once: true }),
  );
  valuesElement?.querySelector('summary')?.click();
  if (valuesElement !== null) await valuesToggled;
  if (valuesElement?.querySelector('tbody tr') == null) faults.push(`${id}: has no values`);
  valuesElement?.querySelector('summary')?.click();

  HTMLAnchorElement.prototype.click = () => {};
  const savedBy = (button: Element) =>
    new Promise<string>((resolve) => {
      URL.createObjectURL = (file) => {
        (file as Blob).arrayBuffer().then((bytes) => resolve(new TextDecoder('latin1').decode(bytes)));
        return '';
      };
      (button as HTMLElement).click();
    });
  const saveButtonElements = [...figureElement.querySelectorAll('.save button')];
  for (const [i, rangeStart] of [/^[^\n]+\n[^\n]+\n/, /^<svg /, /^.PNG/].entries()) {
    const savedText = saveButtonElements[i] === undefined ? '' : await savedBy(saveButtonElements[i]);
    if (!rangeStart.test(savedText)) faults.push(`${id}: saves '${savedText.slice(0, 20)}'`);
  }
  return faults;
}
