/** Elements of the page. */

/** An element with properties and what is in it. */
export function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  properties: Partial<HTMLElementTagNameMap[K]> = {},
  ...inside: readonly (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...inside);
  return made;
}

/** A button; its page stays where it is. */
export function button(text: string, title: string, onclick: () => void): HTMLButtonElement {
  return element('button', { type: 'button', title, onclick }, text);
}

/** Calls back when an element has become wider or narrower. */
export function onWidth(watched: HTMLElement, changed: () => void): void {
  let width = watched.clientWidth;
  new ResizeObserver(() => {
    // Without a width it is not seen.
    if (watched.clientWidth === width || watched.clientWidth === 0) return;
    width = watched.clientWidth;
    changed();
  }).observe(watched);
}

/** A choice of one of several texts. */
export function choice(texts: readonly string[], onchoose: (index: number) => void): HTMLSelectElement {
  const select = element('select', {}, ...texts.map((text) => element('option', {}, text)));
  select.onchange = () => onchoose(select.selectedIndex);
  return select;
}
