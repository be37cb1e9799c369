/** Checks interactive drawings in use: zoomed, on a logarithmic axis, and with other values. */
import type { Figure } from '../../host/draw/figureModel.js';
import type { DrawingRequest } from './drawingFaults.js';

/** The function of drawingFaults.ts, which a script defines in the page. */
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
  const root = document.getElementById(id);
  const until = async <T>(what: string, found: () => T | null | undefined): Promise<T> => {
    for (const end = performance.now() + 10_000; performance.now() < end; ) {
      const foundElement = found();
      if (foundElement !== null && foundElement !== undefined) return foundElement;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    throw new Error(`${id}: ${what} does not come`);
  };
  const drawn = () =>
    root?.querySelector(`.live svg${figure === undefined ? '' : '[aria-hidden]'}:not([data-is-old])`);
  root?.scrollIntoView();
  await until('a live drawing', drawn);
  let request = { id, figure, isPart: false };
  const faults = drawingFaults(request);
  if (root === null || !isAsked) return faults;
  const after = async (change: () => void, shown: Partial<Figure>, showsPartOfRange = request.isPart) => {
    drawn()?.setAttribute('data-is-old', '');
    change();
    await until('a new drawing', drawn);
    request = { id, figure: request.figure && { ...request.figure, ...shown }, isPart: showsPartOfRange };
    faults.push(...drawingFaults(request));
  };
  const button = (name: string) =>
    [...root.querySelectorAll('button')].find(({ textContent }) => textContent === name);
  const select = (name: string) =>
    [...root.querySelectorAll('label')]
      .find(({ textContent }) => textContent?.trim().startsWith(name))
      ?.querySelector('select');
  const log = button('log');
  const hasLogarithmicButton = log !== undefined && !log.disabled;
  const zoomInButton = button('+');
  if (zoomInButton !== undefined) await after(() => zoomInButton.click(), {}, true);
  const { y, views = [], firstView = 0 } = figure ?? {};
  if (y !== undefined && y.scale !== 'log' && hasLogarithmicButton)
    await after(() => log.click(), { y: { ...y, scale: 'log' } });
  const other = views.findLast((_, i) => i !== firstView);
  if (other !== undefined) {
    if (hasLogarithmicButton && log.getAttribute('aria-pressed') === 'true')
      await after(() => log.click(), y === undefined ? {} : { y });
    const choose = () => {
      for (const [name, option] of [
        ['measure', other.measure],
        ['differences to', other.baseline ?? 'none'],
      ] as const) {
        const list = select(name);
        if (list == null || list.value === option) continue;
        list.value = option;
        list.dispatchEvent(new Event('change', { bubbles: true }));
      }
    };
    await after(choose, { y: other.y, panels: other.panels });
  }
  if (zoomInButton !== undefined) await after(() => button('all')?.click(), {}, false);
  return [...faults, ...(await accessibilityFaults(id))];
}

/**
 * Descriptions of what a drawing lacks by keyboard, in its table of values, or in its saved file.
 * Runs inside the page.
 */
export async function accessibilityFaults(id: string): Promise<string[]> {
  const faults: string[] = [];
  const figure = document.getElementById(id) as HTMLElement;
  const live = figure.querySelector<HTMLElement>('.live');
  live?.focus();
  live?.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true, cancelable: true }));
  const description = [...document.querySelectorAll<HTMLElement>('.tooltip')].find((each) =>
    each.checkVisibility(),
  );
  if (description === undefined || description.innerText.trim() === '')
    faults.push(`${id}: tells nothing by the keyboard`);

  const values = figure.querySelector<HTMLDetailsElement>('.values');
  const valuesToggled = new Promise((resolve) => values?.addEventListener('toggle', resolve, { once: true }));
  values?.querySelector('summary')?.click();
  if (values !== null) await valuesToggled;
  if (values?.querySelector('tbody tr') == null) faults.push(`${id}: has no values`);
  values?.querySelector('summary')?.click();

  HTMLAnchorElement.prototype.click = () => {};
  const saved = (button: Element) =>
    new Promise<string>((resolve) => {
      URL.createObjectURL = (file) => {
        (file as Blob).arrayBuffer().then((bytes) => resolve(new TextDecoder('latin1').decode(bytes)));
        return '';
      };
      (button as HTMLElement).click();
    });
  const saveButtonElements = [...figure.querySelectorAll('.save button')];
  for (const [i, begin] of [/^[^\n]+\n[^\n]+\n/, /^<svg /, /^.PNG/].entries()) {
    const text = saveButtonElements[i] === undefined ? '' : await saved(saveButtonElements[i]);
    if (!begin.test(text)) faults.push(`${id}: saves '${text.slice(0, 20)}'`);
  }
  return faults;
}
