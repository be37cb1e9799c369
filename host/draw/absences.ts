/** Draws absent processors of sites (taken by outages): grey with hatching. */
import { formatValue } from '../format/numbers.js';
import type { Absence } from '../results/capacity.js';
import { escapeMarkup } from './svg.js';
import {
  type AxisClock,
  formatTimeOnAxis,
  type GanttBlock,
  keepAllocationsInWindow,
  makeGanttBlockPath,
  makeLegendSquare,
  type TimeWindow,
} from './timeChart.js';

/** Colours of absent processors and of the hatching lines, on light and dark pages. */
export const ABSENCE_COLORS = {
  light: { area: '#c9ced3', line: '#7f868d' },
  dark: { area: '#3b4249', line: '#78818a' },
} as const;

/** Name of absent processors in legends. */
export const ABSENCE_LEGEND_LABEL = 'not available';

const makeAbsencePatternId = (id: string) => `absent-${id}`;

/** SVG definition of the hatching pattern for absent processors, in the drawing with this id. */
function drawAbsencePattern(id: string): string {
  const { area, line } = ABSENCE_COLORS.light;
  return (
    `<pattern id="${makeAbsencePatternId(id)}" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(-45)">` +
    `<rect width="6" height="6" fill="${area}"/><path d="M0 3H6" stroke="${line}" stroke-width="1"/></pattern>`
  );
}

/** Legend entry of absent processors in the drawing with this id. */
export function makeAbsenceLegendEntry(id: string) {
  return { name: ABSENCE_LEGEND_LABEL, drawSample: makeLegendSquare(`url(#${makeAbsencePatternId(id)})`) };
}

function describeAbsence({ site, processors, start, end }: Absence, axisClock: AxisClock): string {
  const processorText = processors === 1 ? '1 processor' : `${processors.toLocaleString('en-US')} processors`;
  const durationText = formatValue(end - start, { style: 'duration' });
  return `${processorText} of site ${site + 1} not available from ${formatTimeOnAxis(axisClock, start)} on, for ${durationText}`;
}

/** Absences to draw: processors that outages take from sites, in a drawing's time window. */
interface AbsenceDrawing {
  /** Id of the drawing. */
  readonly id: string;
  readonly absences: readonly Absence[];
  readonly window: TimeWindow;
  readonly clock: AxisClock;
}

/** True if any processors are absent during part of a time window. */
export function hasAbsences(absences: readonly Absence[] | undefined, window: TimeWindow): boolean {
  return absences !== undefined && keepAllocationsInWindow(absences, window).length > 0;
}

/** SVG of absent processors in a time window. */
export function drawAbsences(
  { id, absences, window, clock }: AbsenceDrawing,
  blocksOfAbsence: (absence: Absence) => readonly GanttBlock[],
): string {
  const visibleAbsences = keepAllocationsInWindow(absences, window);
  if (visibleAbsences.length === 0) return '';
  const shapes = visibleAbsences.map(
    (absence) =>
      `<path d="${blocksOfAbsence(absence).map(makeGanttBlockPath).join('')}"><title>${escapeMarkup(describeAbsence(absence, clock))}</title></path>`,
  );
  return `<defs>${drawAbsencePattern(id)}</defs><g fill="url(#${makeAbsencePatternId(id)})">${shapes.join('')}</g>`;
}
