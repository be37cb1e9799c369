/** What is asked about the charts, beside them: one of several panels at a time. */
import { button, h } from '../dom.js';

/** A panel with its name. */
export interface Tab {
  readonly name: string;
  readonly panel: HTMLElement;
}

/** The panels, and what shows one of them. */
export function sidePanel(tabs: readonly Tab[]): {
  readonly element: HTMLElement;
  readonly show: (name: string) => void;
} {
  const heads = tabs.map(({ name, panel }) => {
    const head = button(name, () => show(name));
    head.setAttribute('role', 'tab');
    [head.id, panel.id] = [`tab-${name.toLowerCase()}`, name.toLowerCase()];
    head.setAttribute('aria-controls', panel.id);
    panel.setAttribute('role', 'tabpanel');
    panel.setAttribute('aria-labelledby', head.id);
    panel.tabIndex = 0;
    return head;
  });
  const show = (name: string) => {
    for (const [i, tab] of tabs.entries()) {
      const isShown = tab.name === name;
      tab.panel.hidden = !isShown;
      heads[i].setAttribute('aria-selected', String(isShown));
      heads[i].tabIndex = isShown ? 0 : -1;
    }
  };
  const list = h(
    'div',
    { role: 'tablist', className: 'tabs', 'aria-label': 'Ask about the charts' },
    ...heads,
  );
  list.addEventListener('keydown', ({ key }) => {
    const step = key === 'ArrowRight' ? 1 : key === 'ArrowLeft' ? -1 : 0;
    const place = heads.indexOf(document.activeElement as HTMLButtonElement);
    if (step === 0 || place < 0) return;
    const next = heads[(place + step + heads.length) % heads.length];
    next.click();
    next.focus();
  });
  show(tabs[0].name);
  return { element: h('aside', { className: 'card side' }, list, ...tabs.map(({ panel }) => panel)), show };
}
