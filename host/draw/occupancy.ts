/**
 * Occupancy charts: for each site of a simulation, the share of busy processors over time as a strip of
 * shades.
 */
import type { Absence } from '../results/capacity.js';
import type { HeldProcessors } from '../results/finishedJobs.js';
import { drawAbsences, hasAbsences, makeAbsenceLegendEntry } from './absences.js';
import type { GanttOptions } from './gantt.js';
import { TEXT_COLOR } from './palette.js';
import { formatSvgCoordinate, type PictureWords } from './svg.js';
import {
  countProcessorsInLane,
  drawTimeChart,
  type GanttBlock,
  keepAllocationsInWindow,
  type LiveFigureOptions,
  layOutSiteLanes,
  makeLegendSquare,
  type SiteLane,
  type TimeScale,
  type TimeWindow,
  timeToX,
} from './timeChart.js';
import { busyProcessorsOverTime, sampleStepFunction } from './timeline.js';

/** Default number of time intervals per strip of an occupancy chart. */
const OCCUPANCY_INTERVAL_COUNT = 1020;
/** Number of shades between idle and fully busy. */
const OCCUPANCY_SHADE_COUNT = 10;
/** Height in pixels of a site's strip in an occupancy chart. */
const OCCUPANCY_STRIP_HEIGHT = 34;

/** Mean number of held processors of a site in each of `intervalCount` equal parts of the time window. */
function computeMeanHeldProcessors(
  allocations: readonly HeldProcessors[],
  lane: SiteLane,
  window: TimeWindow,
  intervalCount: number,
): number[] {
  const heldInLane = allocations.flatMap((allocation) => {
    const processors = countProcessorsInLane(allocation, lane);
    return processors > 0 ? [{ ...allocation, processors }] : [];
  });
  return sampleStepFunction(busyProcessorsOverTime(heldInLane), window, intervalCount).map(({ y }) => y ?? 0);
}

/**
 * Share of a site's available processors in use, averaged over each of `intervalCount` equal parts of the time
 * window; 0 if none was available.
 */
export function computeOccupiedShares(
  allocations: readonly HeldProcessors[],
  lane: SiteLane,
  window: TimeWindow,
  intervalCount: number,
  absences: readonly Absence[] = [],
): number[] {
  const busyProcessorsByInterval = computeMeanHeldProcessors(allocations, lane, window, intervalCount);
  if (absences.length === 0) return busyProcessorsByInterval.map((processors) => processors / lane.capacity);
  const absentProcessorsByInterval = computeMeanHeldProcessors(absences, lane, window, intervalCount);
  return busyProcessorsByInterval.map((processors, i) => {
    const available = lane.capacity - absentProcessorsByInterval[i]!;
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
  /** Shades by site: one digit in base OCCUPANCY_SHADE_COUNT + 1 per time interval, from 0 for idle. */
  readonly shades: readonly string[];
  /** Processors absent because of outages; absent: none. */
  readonly absences?: readonly Absence[];
}

/** Data of the occupancy strips with a given number of intervals. */
export function makeOccupancyData(
  { jobs, stopped: preemptedRuns, absences = [], capacities, window, origin, beginning }: GanttOptions,
  pictureWords: PictureWords,
  intervalCount = OCCUPANCY_INTERVAL_COUNT,
): OccupancyData {
  const allocations = [...jobs, ...preemptedRuns];
  const shades = layOutSiteLanes(capacities, 0, 0, OCCUPANCY_STRIP_HEIGHT).map((lane) =>
    computeOccupiedShares(allocations, lane, window, intervalCount, absences)
      .map((share) =>
        Math.min(OCCUPANCY_SHADE_COUNT, Math.ceil(share * OCCUPANCY_SHADE_COUNT - 1e-9)).toString(
          OCCUPANCY_SHADE_COUNT + 1,
        ),
      )
      .join(''),
  );
  const absencesInWindow = keepAllocationsInWindow(absences, window);
  const absencesEntry = absencesInWindow.length === 0 ? {} : { absences: absencesInWindow };
  return {
    kind: 'occupancy',
    words: pictureWords,
    capacities,
    window,
    origin,
    beginning,
    shades,
    ...absencesEntry,
  };
}

/** Largest share of busy processors that a shade represents. */
export function computeMaxOccupiedShare(shade: string): number {
  return Number.parseInt(shade, OCCUPANCY_SHADE_COUNT + 1) / OCCUPANCY_SHADE_COUNT;
}

/** Share of busy processors in an interval, as text for tooltips. */
export function describeOccupancyShade(shade: string): string {
  const level = computeMaxOccupiedShare(shade);
  return level === 0 ? 'idle' : `up to ${Math.round(level * 100)} % in use`;
}

/**
 * SVG of the strip of one site, with one path per shade; neighbouring intervals of equal shade are merged.
 */
function drawOccupancyStrip(
  shades: string,
  fullWindow: TimeWindow,
  lane: SiteLane,
  timeScale: TimeScale,
): string {
  const paths = new Map<number, string>();
  const intervalLength = (fullWindow.to - fullWindow.from) / shades.length;
  const xOf = (interval: number) =>
    formatSvgCoordinate(timeToX(fullWindow.from + intervalLength * interval, timeScale));
  const firstIntervalIndex = Math.max(0, Math.floor((timeScale.from - fullWindow.from) / intervalLength));
  const endIntervalIndex = Math.min(
    shades.length,
    Math.ceil((timeScale.to - fullWindow.from) / intervalLength),
  );
  for (let equalShadeStart = firstIntervalIndex; equalShadeStart < endIntervalIndex; ) {
    let equalShadeEnd = equalShadeStart + 1;
    while (equalShadeEnd < endIntervalIndex && shades[equalShadeEnd] === shades[equalShadeStart])
      equalShadeEnd++;
    const [top, bottom] = [lane.top, lane.top + lane.height].map(formatSvgCoordinate);
    const blockPath = `M${xOf(equalShadeStart)} ${top}H${xOf(equalShadeEnd)}V${bottom}H${xOf(equalShadeStart)}z`;
    const shade = Number.parseInt(shades.charAt(equalShadeStart), OCCUPANCY_SHADE_COUNT + 1);
    if (shade > 0) paths.set(shade, (paths.get(shade) ?? '') + blockPath);
    equalShadeStart = equalShadeEnd;
  }
  return [...paths]
    .sort(([a], [b]) => a - b)
    .map(
      ([shade, d]) => `<path fill="${TEXT_COLOR}" fill-opacity="${shade / OCCUPANCY_SHADE_COUNT}" d="${d}"/>`,
    )
    .join('');
}

/** Blocks at the bottom of a strip, as high as the share of the site's processors that are absent. */
function makeAbsentShareBlocks(
  lanes: readonly SiteLane[],
  timeScale: TimeScale,
): (absence: Absence) => GanttBlock[] {
  return (absence) => {
    const lane = lanes[absence.site];
    if (lane === undefined) return [];
    const [left, right] = [timeToX(absence.start, timeScale), timeToX(absence.end, timeScale)];
    const height = (lane.height * absence.processors) / lane.capacity;
    return [{ x: left, y: lane.top + lane.height - height, width: right - left, height }];
  };
}

/**
 * Merges overlapping absences of a site: one absence per period with a constant number of absent processors.
 */
function mergeAbsencesBySite(absences: readonly Absence[]): Absence[] {
  return [...new Set(absences.map(({ site }) => site))].flatMap((site) => {
    const { time, value: stepValues } = busyProcessorsOverTime(
      absences.filter((absence) => absence.site === site),
    );
    return Array.from(time.subarray(0, -1), (start, i): Absence => {
      return { site, start, end: time[i + 1]!, processors: stepValues[i]!, runs: [] };
    }).filter(({ processors }) => processors > 0);
  });
}

const LEGEND_OCCUPIED_SHARES = [0.2, 0.4, 0.6, 0.8, 1];

/**
 * Occupancy strips as SVG, darker for more busy processors, or the part that a page requests. The hatched
 * height at the bottom of a strip is the share of absent processors.
 */
export function drawOccupancy(
  { shades, absences = [], ...data }: OccupancyData,
  figureOptions?: LiveFigureOptions,
  paperWidth?: number,
): string {
  const window = figureOptions?.window ?? data.window;
  const { id } = data.words;
  const legend = [
    ...LEGEND_OCCUPIED_SHARES.map((level) => ({
      name: `up to ${level * 100} %`,
      drawSample: makeLegendSquare(TEXT_COLOR, level),
    })),
    ...(hasAbsences(absences, window) ? [makeAbsenceLegendEntry(id)] : []),
  ];
  return drawTimeChart(
    { ...data, legend, heightPerProcessor: 0, minLaneHeight: OCCUPANCY_STRIP_HEIGHT, paperWidth },
    figureOptions,
    (lanes, timeScale) =>
      lanes
        .map((lane, site) => drawOccupancyStrip(shades[site] ?? '', data.window, lane, timeScale))
        .join('') +
      drawAbsences(
        { id, absences: mergeAbsencesBySite(absences), window, clock: data },
        makeAbsentShareBlocks(lanes, timeScale),
      ),
  );
}
