/**
 * How series are distinguished: by colour, marker and dash at once, so that colour-blind readers and grey print lose
 * nothing. Colours are those of Okabe and Ito (2008) without their yellow, which white paper swallows; the ink of the
 * page and a grey take the last places.
 */

/** The colour of text, light on a dark page. */
export const INK = 'currentColor';

export const FONT = "Arial, Helvetica, 'Liberation Sans', sans-serif";

const COLORS = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9', INK, '#8a8a8a'];

const MARKERS = [
  'circle',
  'square',
  'triangle-up',
  'diamond',
  'triangle-down',
  'cross',
  'triangle-right',
  'triangle-left',
] as const;

export type Marker = (typeof MARKERS)[number];

const DASHES: readonly (readonly number[])[] = [
  [1, 0],
  [6, 2],
  [2, 2],
  [8, 2, 2, 2],
  [4, 2],
  [10, 3],
  [1, 3],
  [8, 2, 2, 2, 2, 2],
];

/** Looks of one series. */
export interface SeriesLook {
  readonly color: string;
  readonly marker: Marker;
  /** Lengths of strokes and gaps. */
  readonly dash: readonly number[];
}

/** Looks for this many series, in their order; repeated in new combinations from the ninth on. */
export function seriesLooks(count: number): SeriesLook[] {
  return Array.from({ length: count }, (_, i) => {
    const turn = Math.floor(i / COLORS.length);
    return {
      color: COLORS[i % COLORS.length]!,
      marker: MARKERS[(i + turn) % MARKERS.length]!,
      dash: DASHES[(i + 3 * turn) % DASHES.length]!,
    };
  });
}

/** Ordered so that neighbours differ in lightness too. */
const AREA_COLORS = ['#0072b2', '#e69f00', '#009e73', '#56b4e9', '#d55e00', '#cc79a7', '#8a8a8a'];

/** Colours for this many kinds of areas, each with that of text upon it. */
export function areaColors(count: number): { readonly fill: string; readonly text: string }[] {
  return Array.from({ length: count }, (_, i) => ({
    fill: AREA_COLORS[i % AREA_COLORS.length]!,
    text: i % AREA_COLORS.length === 0 ? '#ffffff' : '#000000',
  }));
}
