/** How runs are told apart: the looks that reports have too, light enough for a dark page. */
import { seriesLooks } from '../../../host/draw/palette.js';

const ON_DARK: Readonly<Record<string, string>> = {
  '#0072b2': '#4aa8e0',
  '#d55e00': '#ff8a3d',
  '#009e73': '#2fc79b',
};

/** Colour and dash of the run at a place. */
export function runLook(
  place: number,
  theme: 'light' | 'dark',
): { readonly color: string; readonly dash: readonly number[] } {
  const { color, dash } = seriesLooks(6)[place % 6];
  return { color: theme === 'dark' ? (ON_DARK[color] ?? color) : color, dash: place === 0 ? [] : dash };
}
