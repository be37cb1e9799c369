/** Colours and dashes of runs, the same as in reports, with lighter variants for a dark page. */
import { makeSeriesLooks, TEXT_COLOR } from '../../../host/draw/palette.js';

export type ColorTheme = 'light' | 'dark';

const RUN_COLORS_ON_DARK: Readonly<Record<string, string>> = {
  '#0072b2': '#4aa8e0',
  '#d55e00': '#ff8a3d',
  '#009e73': '#2fc79b',
  '#56b4e9': '#a5dcff',
  [TEXT_COLOR]: '#e7eaed',
};
const RUN_COLORS_ON_LIGHT: Readonly<Record<string, string>> = { [TEXT_COLOR]: '#1c2227' };

/** CSS rules that replace the colours of drawings made for white paper on a dark page. */
export const DARK_DRAWING_CSS_RULES = Object.entries(RUN_COLORS_ON_DARK)
  .flatMap(([light, dark]) =>
    ['fill', 'stroke'].map(
      (part) => `figure [${part}="${light}"] { ${part}: light-dark(${light}, ${dark}); }`,
    ),
  )
  .join('\n');

/** Returns the colour and dash of the run at this index. */
export function colorAndDashOfRun(
  runIndex: number,
  theme: ColorTheme,
): { readonly color: string; readonly dash: readonly number[] } {
  const { color: seriesColor, dash } = makeSeriesLooks(runIndex + 1)[runIndex];
  const themeColor =
    (theme === 'dark' ? RUN_COLORS_ON_DARK : RUN_COLORS_ON_LIGHT)[seriesColor] ?? seriesColor;
  return { color: themeColor, dash: runIndex === 0 ? [] : dash };
}
