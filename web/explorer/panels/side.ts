/** Panels beside the charts, shown one at a time. */
import { createButton, createElement } from '../dom.js';

/** Panel with its name. */
export interface SidePanelTab {
  readonly name: string;
  readonly panel: HTMLElement;
}

const FOLD_PANEL_HINT = 'Fold or unfold this panel (F)';

/** Creates the panels, and functions that show one of them. */
export function createSidePanel(tabs: readonly SidePanelTab[]): {
  readonly element: HTMLElement;
  /** Selects a panel; folded panels stay folded. */
  readonly showTab: (name: string) => void;
  /** Selects a panel and unfolds it. */
  readonly openTab: (name: string) => void;
} {
  const tabButtons = tabs.map(({ name: tabName, panel }) => {
    const tabButton = createButton(tabName, () => show(tabName));
    tabButton.setAttribute('role', 'tab');
    [tabButton.id, panel.id] = [`tab-${tabName.toLowerCase()}`, tabName.toLowerCase()];
    tabButton.setAttribute('aria-controls', panel.id);
    panel.setAttribute('role', 'tabpanel');
    panel.setAttribute('aria-labelledby', tabButton.id);
    panel.tabIndex = 0;
    return tabButton;
  });
  const show = (tabName: string) => {
    for (const [i, tab] of tabs.entries()) {
      const isShown = tab.name === tabName;
      tab.panel.hidden = !isShown;
      tabButtons[i].setAttribute('aria-selected', String(isShown));
      tabButtons[i].tabIndex = isShown ? 0 : -1;
    }
  };
  const tabListAttributes = { role: 'tablist', className: 'tabs', 'aria-label': 'Ask about the charts' };
  const tabList = createElement('div', tabListAttributes, ...tabButtons);
  tabList.addEventListener('keydown', ({ key: pressedKey }) => {
    const tabIndexStep = pressedKey === 'ArrowRight' ? 1 : pressedKey === 'ArrowLeft' ? -1 : 0;
    const tabIndex = tabButtons.indexOf(document.activeElement as HTMLButtonElement);
    if (tabIndexStep === 0 || tabIndex < 0) return;
    const nextTabButton = tabButtons[(tabIndex + tabIndexStep + tabButtons.length) % tabButtons.length];
    nextTabButton.click();
    nextTabButton.focus();
  });
  show(tabs[0].name);
  const foldButton = createButton('»', () => toggleFold(), FOLD_PANEL_HINT, 'quiet fold-side');
  const panels = tabs.map(({ panel }) => panel);
  const element = createElement('aside', { className: 'card side' }, tabList, foldButton, ...panels);
  const setFolded = (isFolded: boolean) => {
    element.parentElement?.classList.toggle('is-folded', isFolded);
    foldButton.textContent = isFolded ? '«' : '»';
    foldButton.setAttribute('aria-expanded', String(!isFolded));
  };
  const toggleFold = () => setFolded(element.parentElement?.classList.contains('is-folded') === false);
  setFolded(false);
  addEventListener('keydown', ({ key: pressedKey, target, ctrlKey, metaKey, altKey }) => {
    const isTypingTarget = (target as Element).matches?.('input, textarea, select') ?? false;
    if (pressedKey === 'f' && !isTypingTarget && !ctrlKey && !metaKey && !altKey) toggleFold();
  });
  const open = (tabName: string) => {
    setFolded(false);
    show(tabName);
  };
  return { element, showTab: show, openTab: open };
}
