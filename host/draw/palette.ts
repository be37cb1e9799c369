/**
 * Colours, markers and dashes of series, combined so that colour-blind readers and grey prints lose
 * nothing. Colours follow Okabe and Ito (2008) without yellow; text colour and grey come last.
 */

/** Colour of text, which adapts to light and dark pages. */
export const TEXT_COLOR = 'currentColor';

export const FONT_FAMILY = "Arial, Helvetica, 'Liberation Sans', sans-serif";

const SERIES_COLORS = [
  '#0072b2',
  '#d55e00',
  '#009e73',
  '#cc79a7',
  '#e69f00',
  '#56b4e9',
  TEXT_COLOR,
  '#8a8a8a',
];

const SERIES_MARKERS = [
  'circle',
  'square',
  'triangle-up',
  'diamond',
  'triangle-down',
  'cross',
  'triangle-right',
  'triangle-left',
] as const;

export type SeriesMarker = (typeof SERIES_MARKERS)[number];

const SERIES_DASHES: readonly (readonly number[])[] = [
  [1, 0],
  [6, 2],
  [2, 2],
  [8, 2, 2, 2],
  [4, 2],
  [10, 3],
  [1, 3],
  [8, 2, 2, 2, 2, 2],
];

/** Look of a series: colour, marker and dash. */
export interface SeriesLook {
  readonly color: string;
  readonly marker: SeriesMarker;
  /** Lengths in pixels of strokes and gaps. */
  readonly dash: readonly number[];
}

/** Looks of `seriesCount` series; from the ninth on, colours and markers form new combinations. */
export function makeSeriesLooks(seriesCount: number): SeriesLook[] {
  return Array.from({ length: seriesCount }, (_, i) => {
    const round = Math.floor(i / SERIES_COLORS.length);
    return {
      color: SERIES_COLORS[i % SERIES_COLORS.length]!,
      marker: SERIES_MARKERS[(i + round) % SERIES_MARKERS.length]!,
      dash: SERIES_DASHES[(i + 3 * round) % SERIES_DASHES.length]!,
    };
  });
}

/** Colours of areas, ordered so that neighbours also differ in lightness. */
const AREA_COLORS = ['#0072b2', '#e69f00', '#009e73', '#56b4e9', '#d55e00', '#cc79a7', '#8a8a8a'];

/** Colours of `areaCount` kinds of areas, each with a readable text colour. */
export function chooseAreaColors(areaCount: number): { readonly fill: string; readonly text: string }[] {
  return Array.from({ length: areaCount }, (_, i) => ({
    fill: AREA_COLORS[i % AREA_COLORS.length]!,
    text: i % AREA_COLORS.length === 0 ? '#ffffff' : '#000000',
  }));
}
