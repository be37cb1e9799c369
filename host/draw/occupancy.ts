/**
 * Occupancy charts: for each site of a simulation, the share of busy processors over time as a strip of
 * shades.
 */
import type { Absence } from '../results/capacity.js';
import type { HeldProcessors } from '../results/finishedJobs.js';
import { absenceLegendEntry, absencesMarkup, hasAbsences } from './absences.js';
import type { GanttOptions } from './gantt.js';
import { TEXT_COLOR } from './palette.js';
import { coordinateText, type PictureWords } from './svg.js';
import {
  allocationsInWindow,
  type GanttBlock,
  type LiveFigureView,
  legendSquareMarkup,
  processorsInLane,
  type SiteLane,
  siteLanesOf,
  type TimeScale,
  type TimeWindow,
  timeDrawingMarkup,
  timeToX,
} from './timeChart.js';
import { busyProcessorsOverTime, sampleStepFunction } from './timeline.js';

/** Number of time intervals in a strip; SHADE_COUNT is the number of shades between idle and fully busy. */
const OCCUPANCY_INTERVALS = 1020;
const OCCUPANCY_SHADES = 10;
const OCCUPANCY_STRIP_HEIGHT = 34;

/** Mean number of a site's processors that are held in each of `intervals` equal parts of the time window. */
function heldInIntervals(
  held: readonly HeldProcessors[],
  lane: SiteLane,
  scale: TimeWindow,
  intervals: number,
): number[] {
  const heldInLane = held.flatMap((each) => {
    const processors = processorsInLane(each, lane);
    return processors > 0 ? [{ ...each, processors }] : [];
  });
  return sampleStepFunction(busyProcessorsOverTime(heldInLane), scale, intervals).map(({ y }) => y ?? 0);
}

/**
 * Share of a site's available processors in use, averaged over each of `intervals` equal parts of the time
 * window; 0 if none was available.
 */
export function occupiedSharesOfLane(
  held: readonly HeldProcessors[],
  lane: SiteLane,
  scale: TimeWindow,
  intervals: number,
  absences: readonly Absence[] = [],
): number[] {
  const busy = heldInIntervals(held, lane, scale, intervals);
  if (absences.length === 0) return busy.map((processors) => processors / lane.capacity);
  const away = heldInIntervals(absences, lane, scale, intervals);
  return busy.map((processors, i) => {
    const available = lane.capacity - away[i]!;
    return available > 1e-9 * lane.capacity ? processors / available : 0;
  });
}

/** Data from which a page draws the strips of all sites. */
export interface OccupancyData {
  readonly kind: 'occupancy';
  readonly words: PictureWords;
  readonly capacities: readonly number[];
  readonly window: TimeWindow;
  /** Time in seconds that the axis counts from. */
  readonly origin: number;
  /** Date of time 0 in seconds since 1970, if known. */
  readonly beginning?: number | undefined;
  /** Per site, one character per interval: its shade as a digit in base SHADE_COUNT + 1. */
  readonly shades: readonly string[];
  /** Processors that outages had; absent: none. */
  readonly absences?: readonly Absence[];
}

/** Data of the occupancy strips with a given number of intervals. */
export function occupancyData(
  { jobs, stopped, absences = [], capacities, window, origin, beginning }: GanttOptions,
  words: PictureWords,
  intervals = OCCUPANCY_INTERVALS,
): OccupancyData {
  const held = [...jobs, ...stopped];
  const shades = siteLanesOf(capacities, 0, 0, OCCUPANCY_STRIP_HEIGHT).map((lane) =>
    occupiedSharesOfLane(held, lane, window, intervals, absences)
      .map((share) =>
        Math.min(OCCUPANCY_SHADES, Math.ceil(share * OCCUPANCY_SHADES - 1e-9)).toString(OCCUPANCY_SHADES + 1),
      )
      .join(''),
  );
  const away = allocationsInWindow(absences, window);
  const shown = away.length === 0 ? {} : { absences: away };
  return { kind: 'occupancy', words, capacities, window, origin, beginning, shades, ...shown };
}

/** Largest share of busy processors that a shade represents. */
export function occupiedShareOfShade(shade: string): number {
  return Number.parseInt(shade, OCCUPANCY_SHADES + 1) / OCCUPANCY_SHADES;
}

/** Share of busy processors in an interval, as text for tooltips. */
export function shadeDescription(shade: string): string {
  const level = occupiedShareOfShade(shade);
  return level === 0 ? 'idle' : `up to ${Math.round(level * 100)} % in use`;
}

/** SVG with one path per shade; neighbouring intervals of equal shade are merged. */
function occupancyStripPaths(shades: string, all: TimeWindow, lane: SiteLane, scale: TimeScale): string {
  const paths = new Map<number, string>();
  const length = (all.to - all.from) / shades.length;
  const x = (interval: number) => coordinateText(timeToX(all.from + length * interval, scale));
  const begin = Math.max(0, Math.floor((scale.from - all.from) / length));
  const end = Math.min(shades.length, Math.ceil((scale.to - all.from) / length));
  for (let first = begin; first < end; ) {
    let next = first + 1;
    while (next < end && shades[next] === shades[first]) next++;
    const [top, bottom] = [lane.top, lane.top + lane.height].map(coordinateText);
    const block = `M${x(first)} ${top}H${x(next)}V${bottom}H${x(first)}z`;
    const shade = Number.parseInt(shades.charAt(first), OCCUPANCY_SHADES + 1);
    if (shade > 0) paths.set(shade, (paths.get(shade) ?? '') + block);
    first = next;
  }
  return [...paths]
    .sort(([a], [b]) => a - b)
    .map(([shade, d]) => `<path fill="${TEXT_COLOR}" fill-opacity="${shade / OCCUPANCY_SHADES}" d="${d}"/>`)
    .join('');
}

/** Blocks at the foot of a strip, as high as the share of the site that outages have. */
function absentShareBlocks(lanes: readonly SiteLane[], scale: TimeScale): (absence: Absence) => GanttBlock[] {
  return (absence) => {
    const lane = lanes[absence.site];
    if (lane === undefined) return [];
    const [left, right] = [timeToX(absence.start, scale), timeToX(absence.end, scale)];
    const height = (lane.height * absence.processors) / lane.capacity;
    return [{ x: left, y: lane.top + lane.height - height, width: right - left, height }];
  };
}

/** Absences as one per site and time, with all processors that are away then. */
function absencesBySite(absences: readonly Absence[]): Absence[] {
  return [...new Set(absences.map(({ site }) => site))].flatMap((site) => {
    const { time, value } = busyProcessorsOverTime(absences.filter((each) => each.site === site));
    return Array.from(time.subarray(0, -1), (start, i): Absence => {
      return { site, start, end: time[i + 1]!, processors: value[i]!, runs: [] };
    }).filter(({ processors }) => processors > 0);
  });
}

const LEGEND_OCCUPIED_SHARES = [0.2, 0.4, 0.6, 0.8, 1];

/**
 * Occupancy strips as SVG, darker for more busy processors, or the part that a page requests. A strip is
 * hatched from its foot as far as processors are away.
 */
export function drawOccupancy(
  { shades, absences = [], ...data }: OccupancyData,
  view?: LiveFigureView,
  paperWidth?: number,
): string {
  const window = view?.window ?? data.window;
  const { id } = data.words;
  const legend = [
    ...LEGEND_OCCUPIED_SHARES.map((level) => ({
      name: `up to ${level * 100} %`,
      sample: legendSquareMarkup(TEXT_COLOR, level),
    })),
    ...(hasAbsences(absences, window) ? [absenceLegendEntry(id)] : []),
  ];
  return timeDrawingMarkup(
    { ...data, legend, perProcessor: 0, lowestLane: OCCUPANCY_STRIP_HEIGHT, paperWidth },
    view,
    (lanes, scale) =>
      lanes.map((lane, site) => occupancyStripPaths(shades[site] ?? '', data.window, lane, scale)).join('') +
      absencesMarkup(
        { id, absences: absencesBySite(absences), window, clock: data },
        absentShareBlocks(lanes, scale),
      ),
  );
}
