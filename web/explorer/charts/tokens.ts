/** Reads the page's colours for use in canvases, again whenever the theme changes. */
import { currentTheme } from '../model.js';
import type { Theme } from './looks.js';

const NAMES = ['ink', 'muted', 'line', 'accent', 'card'] as const;
type StyleTokens = Readonly<Record<(typeof NAMES)[number], string>>;

let known: { readonly theme: Theme; readonly tokens: StyleTokens } | undefined;

/** Returns the colours of the current theme. */
export function styleTokens(): StyleTokens {
  const theme = currentTheme();
  if (known?.theme === theme) return known.tokens;
  const style = getComputedStyle(document.documentElement);
  const read = Object.fromEntries(NAMES.map((name) => [name, style.getPropertyValue(`--${name}`)]));
  known = { theme, tokens: read as StyleTokens };
  return known.tokens;
}
