/** Colours and fonts of all pages: reports and the explorer. */

/** Colour on light pages and colour on dark pages. */
type LightDarkPair = readonly [light: string, dark: string];

const COLOR_PAIRS_BY_CSS_TOKEN: Readonly<Record<string, LightDarkPair>> = {
  // Background of the explorer, of code and of some cells; background of pages and cards; text; less
  // important text; lines.
  page: ['#f7f7f5', '#14171a'],
  card: ['#ffffff', '#1b1f23'],
  ink: ['#1c2227', '#e7eaed'],
  muted: ['#59646e', '#9ba6b0'],
  line: ['#dfe3e6', '#363c43'],
  // Links and selected items, and text on such a background.
  accent: ['#0067a5', '#6cb8ea'],
  'accent-ink': ['#ffffff', '#0c1318'],
  good: ['#00694d', '#3fc79a'],
  fault: ['#a3260c', '#ffb4a0'],
  'fault-page': ['#fdf1ed', '#38201a'],
};

const PAGE_FONT_FAMILY =
  'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Liberation Sans", Arial, sans-serif';

const makeColorTokenRules = (chooseColorOfPair: (pair: LightDarkPair) => string) =>
  Object.entries(COLOR_PAIRS_BY_CSS_TOKEN)
    .map(([name, pair]) => `--${name}: ${chooseColorOfPair(pair)};`)
    .join(' ');

/**
 * CSS variables for report pages: light in print, otherwise following the system, by a media query, which
 * browsers without `light-dark()` know, too.
 */
export const REPORT_STYLE_TOKENS = `:root { color-scheme: light dark; --font: ${PAGE_FONT_FAMILY}; ${makeColorTokenRules(([light]) => light)} }
@media screen and (prefers-color-scheme: dark) { :root { ${makeColorTokenRules(([, dark]) => dark)} } }`;

/**
 * CSS variables for the explorer, following the system or `data-theme`. They are registered, so that canvases
 * read the effective colour instead of the pair.
 */
export const EXPLORER_STYLE_TOKENS = [
  ...Object.keys(COLOR_PAIRS_BY_CSS_TOKEN).map(
    (tokenName) => `@property --${tokenName} { syntax: "<color>"; inherits: true; initial-value: #000; }`,
  ),
  `:root { color-scheme: light dark; --font: ${PAGE_FONT_FAMILY}; ${makeColorTokenRules(([light, dark]) => `light-dark(${light}, ${dark})`)} }`,
  ...['light', 'dark'].map((theme) => `:root[data-theme="${theme}"] { color-scheme: ${theme}; }`),
].join('\n');

/**
 * Largest number of columns of a table that stays a table on narrow screens; wider tables show a card per
 * row.
 */
export const MAX_COLUMNS_OF_NARROW_TABLE = 3;

/**
 * CSS that shows rows of wide tables as cards on narrow screens: a line per column, with its name before the
 * value.
 */
export const TABLE_CARDS_CSS = `@media screen and (max-width: 40rem) {
  .cards, .cards :is(tbody, tfoot, tr) { display: block; }
  .cards thead { display: none; }
  .cards tr { padding: .35rem 0; border-bottom: 1px solid var(--line); }
  .cards :is(tbody, tfoot) :is(th, td) { display: flex; justify-content: space-between; gap: 1rem; max-width: none; min-width: 0;
    padding: .1rem .25rem; border: 0; text-align: right; white-space: normal; overflow-wrap: anywhere; }
  .cards :is(tbody, tfoot) th { justify-content: flex-start; text-align: left; }
  .cards :is(th, td):empty { display: none; }
  .cards [data-label]::before { content: attr(data-label); flex: none; max-width: 60%; margin-right: auto; color: var(--muted); font-weight: normal; text-align: left; }
}`;
