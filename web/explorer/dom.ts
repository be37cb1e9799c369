/** Helpers that create elements. Text is never parsed as markup, except by `parseSvg`. */
import { MAX_COLUMNS_OF_NARROW_TABLE } from '../../host/view/tokens.js';

/** Child of an element; undefined and false add nothing. */
export type ElementChild = Node | string | undefined | false;
type AttributeValue = string | number | boolean | undefined | ((event: never) => void);

/**
 * Creates an element with attributes and children. `onclick` and the like are listeners; `className` and
 * other properties are assigned.
 */
export function createElement<Tag extends keyof HTMLElementTagNameMap>(
  tagName: Tag,
  attributes: Readonly<Record<string, AttributeValue>> = {},
  ...children: readonly ElementChild[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tagName);
  for (const [attributeName, attributeValue] of Object.entries(attributes)) {
    const isRemovedAttribute =
      attributeValue === false && typeof element[attributeName as keyof typeof element] !== 'boolean';
    if (attributeValue === undefined || isRemovedAttribute) continue;
    if (typeof attributeValue === 'function')
      element.addEventListener(attributeName.slice(2), attributeValue as EventListener);
    else if (attributeName in element && attributeName !== 'list')
      Object.assign(element, { [attributeName]: attributeValue });
    else element.setAttribute(attributeName, attributeValue === true ? '' : String(attributeValue));
  }
  element.append(...children.filter((child) => child !== undefined && child !== false));
  return element;
}

/** Replaces the children of an element. */
export function replaceChildren(element: HTMLElement, ...children: readonly ElementChild[]): void {
  element.replaceChildren(...children.filter((child) => child !== undefined && child !== false));
}

/** Parses the text of a whole `<svg>` into an element. */
export const parseSvg = (drawing: string): Element =>
  new DOMParser().parseFromString(drawing, 'image/svg+xml').documentElement;

/** Creates a button labelled with a word or a symbol; a symbol's title is its label for screen readers. */
export function createButton(
  buttonLabel: string,
  onClick: () => void,
  title?: string,
  className = '',
): HTMLButtonElement {
  const isSymbolLabel = !/\p{L}\p{L}/u.test(buttonLabel);
  return createElement(
    'button',
    { type: 'button', className, title, 'aria-label': isSymbolLabel ? title : undefined, onclick: onClick },
    buttonLabel,
  );
}

/** Creates a coloured square. */
export function createColorSquare(color: string): HTMLElement {
  const square = createElement('span', { className: 'chip', 'aria-hidden': 'true' });
  square.style.background = color;
  return square;
}

/** Labels each table cell with its column's name; on narrow screens, wide tables are shown as cards. */
export function labelTableCells(table: HTMLTableElement): HTMLTableElement {
  const heads = [...(table.tHead?.rows[0].cells ?? [])].map(({ textContent }) => textContent.trim());
  table.classList.toggle('cards', heads.length > MAX_COLUMNS_OF_NARROW_TABLE);
  for (const row of [...table.tBodies].flatMap((tableBody) => [...tableBody.rows])) {
    for (const [i, cell] of [...row.cells].entries())
      if (cell.tagName === 'TD' && heads[i] !== '') cell.dataset.label = heads[i];
  }
  return table;
}

/** Milliseconds after which a hidden page counts as drawn. */
const HIDDEN_PAGE_DELAY_MS = 500;

/** Waits until pending changes are on the screen. */
export function waitForNextPaint(): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, HIDDEN_PAGE_DELAY_MS);
    requestAnimationFrame(() =>
      setTimeout(() => {
        clearTimeout(timer);
        resolve();
      }),
    );
  });
}

/** Creates a command line with a copy button. */
export function createCommandLine(command: string): HTMLElement {
  const copy = createButton(
    'Copy',
    () => void navigator.clipboard?.writeText(command),
    `Copy the command ${command}`,
  );
  return createElement(
    'div',
    { className: 'command' },
    createElement('code', { tabIndex: 0 }, command),
    copy,
  );
}
