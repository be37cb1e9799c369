/** Reads the page's colours for use in canvases, again whenever the theme changes. */
import { currentTheme } from '../model.js';
import type { ColorTheme } from './looks.js';

const STYLE_TOKEN_NAMES = ['ink', 'muted', 'line', 'accent', 'card'] as const;
type StyleTokens = Readonly<Record<(typeof STYLE_TOKEN_NAMES)[number], string>>;

let cachedStyleTokens: { readonly theme: ColorTheme; readonly tokens: StyleTokens } | undefined;

/** Returns the colours of the current theme. */
export function readCurrentStyleTokens(): StyleTokens {
  const theme = currentTheme();
  if (cachedStyleTokens?.theme === theme) return cachedStyleTokens.tokens;
  const style = getComputedStyle(document.documentElement);
  const tokensByName = Object.fromEntries(
    STYLE_TOKEN_NAMES.map((styleTokenName) => [
      styleTokenName,
      style.getPropertyValue(`--${styleTokenName}`),
    ]),
  );
  cachedStyleTokens = { theme, tokens: tokensByName as StyleTokens };
  return cachedStyleTokens.tokens;
}
