/** Checks interactive drawings in use: zoomed, on a logarithmic axis, and with other values. */
import type { Figure } from '../../host/draw/figureModel.js';
import type { DrawingRequest } from './drawingFaults.js';

/** Declares the function of drawingFaults.ts, which a script defines in the page. */
declare const drawingFaults: (request: DrawingRequest) => string[];

/** An interactive drawing to check in a browser. */
export interface LiveFigureRequest {
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
export async function liveFaults({ id, figure, isAsked }: LiveFigureRequest): Promise<string[]> {
  const figureElement = document.getElementById(id);
  const waitForItem = async <T>(
    nameOfAwaitedItem: string,
    findItemOrNothing: () => T | null | undefined,
  ): Promise<T> => {
    for (const end = performance.now() + 10_000; performance.now() < end; ) {
      const foundElement = findItemOrNothing();
      if (foundElement !== null && foundElement !== undefined) return foundElement;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    throw new Error(`${id}: ${nameOfAwaitedItem} does not come`);
  };
  const findDrawnSvg = () =>
    figureElement?.querySelector(
      `.live svg${figure === undefined ? '' : '[aria-hidden]'}:not([data-is-old])`,
    );
  figureElement?.scrollIntoView();
  await waitForItem('a live drawing', findDrawnSvg);
  let requestForFaults = { id, figure, isPart: false };
  const faults = drawingFaults(requestForFaults);
  if (figureElement === null || !isAsked) return faults;
  const expectFigureAfterChange = async (
    change: () => void,
    shownSettings: Partial<Figure>,
    showsPartOfRange = requestForFaults.isPart,
  ) => {
    findDrawnSvg()?.setAttribute('data-is-old', '');
    change();
    await waitForItem('a new drawing', findDrawnSvg);
    requestForFaults = {
      id,
      figure: requestForFaults.figure && { ...requestForFaults.figure, ...shownSettings },
      isPart: showsPartOfRange,
    };
    faults.push(...drawingFaults(requestForFaults));
  };
  const findButton = (buttonName: string) =>
    [...figureElement.querySelectorAll('button')].find(({ textContent }) => textContent === buttonName);
  const findSelectByLabel = (selectName: string) =>
    [...figureElement.querySelectorAll('label')]
      .find(({ textContent }) => textContent?.trim().startsWith(selectName))
      ?.querySelector('select');
  const logButton = findButton('log');
  const hasLogarithmicButton = logButton !== undefined && !logButton.disabled;
  const zoomInButton = findButton('+');
  if (zoomInButton !== undefined) await expectFigureAfterChange(() => zoomInButton.click(), {}, true);
  const { y, views = [], firstView = 0 } = figure ?? {};
  if (y !== undefined && y.scale !== 'log' && hasLogarithmicButton)
    await expectFigureAfterChange(() => logButton.click(), { y: { ...y, scale: 'log' } });
  const viewWithOtherSettings = views.findLast((_, i) => i !== firstView);
  if (viewWithOtherSettings !== undefined) {
    if (hasLogarithmicButton && logButton.getAttribute('aria-pressed') === 'true')
      await expectFigureAfterChange(() => logButton.click(), y === undefined ? {} : { y });
    const chooseSettingsOfOtherView = () => {
      for (const [name, option] of [
        ['measure', viewWithOtherSettings.measure],
        ['differences to', viewWithOtherSettings.baseline ?? 'none'],
      ] as const) {
        const selectElement = findSelectByLabel(name);
        if (selectElement == null || selectElement.value === option) continue;
        selectElement.value = option;
        selectElement.dispatchEvent(new Event('change', { bubbles: true }));
      }
    };
    await expectFigureAfterChange(chooseSettingsOfOtherView, {
      y: viewWithOtherSettings.y,
      panels: viewWithOtherSettings.panels,
    });
  }
  if (zoomInButton !== undefined) await expectFigureAfterChange(() => findButton('all')?.click(), {}, false);
  return [...faults, ...(await accessibilityFaults(id))];
}

/**
 * Descriptions of an interactive drawing's accessibility faults: by keyboard, in its table of values, or in
 * its saved file. Runs inside the page.
 */
export async function accessibilityFaults(id: string): Promise<string[]> {
  const faults: string[] = [];
  const figureElement = document.getElementById(id) as HTMLElement;
  const liveDrawingElement = figureElement.querySelector<HTMLElement>('.live');
  liveDrawingElement?.focus();
  liveDrawingElement?.dispatchEvent(
    new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true, cancelable: true }),
  );
  const visibleTooltip = [...document.querySelectorAll<HTMLElement>('.tooltip')].find((tooltip) =>
    tooltip.checkVisibility(),
  );
  if (visibleTooltip === undefined || visibleTooltip.innerText.trim() === '')
    faults.push(`${id}: tells nothing by the keyboard`);

  const valuesElement = figureElement.querySelector<HTMLDetailsElement>('.values');
  const valuesTogglePromise = new Promise((resolve) =>
    valuesElement?.addEventListener('toggle', resolve, { once: true }),
  );
  valuesElement?.querySelector('summary')?.click();
  if (valuesElement !== null) await valuesTogglePromise;
  if (valuesElement?.querySelector('tbody tr') == null) faults.push(`${id}: has no values`);
  valuesElement?.querySelector('summary')?.click();

  HTMLAnchorElement.prototype.click = () => {};
  const readFileSavedByButton = (button: Element) =>
    new Promise<string>((resolve) => {
      URL.createObjectURL = (file) => {
        (file as Blob).arrayBuffer().then((bytes) => resolve(new TextDecoder('latin1').decode(bytes)));
        return '';
      };
      (button as HTMLElement).click();
    });
  const saveButtonElements = [...figureElement.querySelectorAll('.save button')];
  for (const [i, rangeStart] of [/^[^\n]+\n[^\n]+\n/, /^<svg /, /^.PNG/].entries()) {
    const contentsOfSavedFile =
      saveButtonElements[i] === undefined ? '' : await readFileSavedByButton(saveButtonElements[i]);
    if (!rangeStart.test(contentsOfSavedFile))
      faults.push(`${id}: saves '${contentsOfSavedFile.slice(0, 20)}'`);
  }
  return faults;
}
