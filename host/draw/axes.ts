/** Axes of drawings: scales, ticks at round numbers, dates or durations, and labels that do not overlap. */
import { type ScaleLinear, scaleLinear, scaleLog, scaleUtc } from 'd3-scale';
import { formatDuration } from '../format/numbers.js';
import { TEXT_COLOR } from './palette.js';
import { breakTextIntoLines, escapeMarkup, estimateTextWidth, formatSvgCoordinate } from './svg.js';

/**
 * Scale from numbers to pixels: the part of a d3 scale that this package uses, so that its users need no d3
 * types.
 */
export interface NumberScale {
  (value: number): number;
  domain(): number[];
  invert(pixel: number): number;
  range(): number[];
  tickFormat(tickCount: number, format: string): (value: number) => string;
  ticks(tickCount: number): number[];
}

/** Tick of an axis: its value and its label; an empty label draws a tick without text. */
export interface AxisTick {
  readonly value: number;
  readonly label: string;
}

/** Ticks of a time axis, with a remark for the axis title, such as the time zone. */
export interface TimeTicks {
  readonly ticks: readonly AxisTick[];
  readonly title: string;
}

/** Font size in pixels of tick labels and legend names. */
export const LABEL_FONT_SIZE = 10.5;
const TITLE_FONT_SIZE = 11.5;
/** Distance in pixels between a panel and its tick labels, and between neighbouring labels. */
const TICK_LABEL_DISTANCE = 4;
const MIN_TICK_LABEL_GAP = 4;
const LABEL_LINE_HEIGHT = 13;
const TITLE_LINE_HEIGHT = 14;

/**
 * Creates a scale that maps the smallest to the largest value to the first to the last pixel, with a margin
 * for half a marker. If no value is negative, the scale starts at 0.
 * @param options.isLog true for a logarithmic scale; all values are then positive.
 * @param options.margin margin in pixels between the outermost values and the ends.
 * @param options.isNice true to extend the scale to round ticks.
 */
export function numberScale(
  scaleValues: readonly number[],
  [first, last]: readonly [number, number],
  { isLog = false, margin = 0, isNice = false }: { isLog?: boolean; margin?: number; isNice?: boolean } = {},
): NumberScale {
  const domainValues = scaleValues.length === 0 ? [1, 10] : scaleValues;
  let [lowest, highest] = domainValues.reduce(
    ([low, high], knownValue) => [Math.min(low, knownValue), Math.max(high, knownValue)],
    [Infinity, -Infinity],
  );
  if (lowest === highest) {
    const halfWidth = lowest === 0 ? 1 : Math.abs(lowest) / 2;
    [lowest, highest] = isLog ? [lowest / 2, highest * 2] : [lowest - halfWidth, highest + halfWidth];
  }
  const length = Math.abs(last - first);
  const scale = isLog ? scaleLog() : scaleLinear();
  scale
    .domain([lowest, highest])
    .range([first + Math.sign(last - first) * margin, last - Math.sign(last - first) * margin]);
  const isMarginApplied = margin > 0 && length > 2 * margin;
  scale
    .domain(isMarginApplied ? [scale.invert(first), scale.invert(last)] : [lowest, highest])
    .range([first, last]);
  if (isLog) return scale;
  if (isNice) (scale as ScaleLinear<number, number>).nice();
  const [from, to] = scale.domain() as [number, number];
  if (lowest < 0 || from >= 0) return scale;
  const isZeroInsideMargin = !isMarginApplied || (lowest / to) * length >= margin;
  return scale.domain([isZeroInsideMargin ? 0 : (-margin / (length - margin)) * to, to]);
}

/**
 * Ticks of a scale at round numbers, approximately `tickCount`, formatted by a d3-format specifier. Some labels
 * may be empty for lack of space.
 */
export function makeNumberTicks(scale: NumberScale, tickCount: number, format: string): AxisTick[] {
  const formatTickLabel = scale.tickFormat(tickCount, format);
  return scale.ticks(tickCount).map((value) => ({
    value,
    label: value === 0 && formatTickLabel(value) !== '' ? '0' : formatTickLabel(value),
  }));
}

const [MINUTE, HOUR, DAY] = [60, 3600, 86_400];

/** Round durations in seconds with their labels; each is a multiple of the one before. */
export const ROUND_TIME_STEPS: readonly (readonly [seconds: number, label: string])[] = [
  [1, '1 s'],
  [10, '10 s'],
  [MINUTE, '1 min'],
  [10 * MINUTE, '10 min'],
  [HOUR, '1 h'],
  [6 * HOUR, '6 h'],
  [DAY, '1 d'],
  [7 * DAY, '1 week'],
  [30 * DAY, '30 d'],
  [365 * DAY, '1 year'],
];
/** Candidate distances in seconds between the ticks of a time axis. */
const TIME_TICK_STEPS = [
  ...[1, 2, 5, 10, 15, 30],
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * MINUTE),
  ...[1, 2, 3, 6, 12].map((hours) => hours * HOUR),
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500].map((days) => days * DAY),
];

/**
 * Ticks of a scale of durations in seconds, at round minutes, hours and days; empty if fewer than two fit.
 */
export function makeDurationTicks(scale: NumberScale, tickCount: number, isLogarithmic: boolean): AxisTick[] {
  const [from, to] = scale.domain() as [number, number];
  if (isLogarithmic)
    return ROUND_TIME_STEPS.filter(([value]) => value >= from && value <= to).map(([value, label]) => ({
      value,
      label,
    }));
  // Allows up to 25 % more ticks than requested: too many are better than only two.
  const step = TIME_TICK_STEPS.find((tickStep) => (to - from) / tickStep <= 1.25 * tickCount);
  if (step === undefined) return [];
  const firstMultiple = Math.ceil(from / step);
  return Array.from({ length: Math.floor(to / step) - firstMultiple + 1 }, (_, i) => {
    const tickValue = (firstMultiple + i) * step;
    return {
      value: tickValue,
      label: tickValue === 0 ? '0' : formatDuration(tickValue).replace('-', '\u2212'),
    };
  });
}
const AXIS_TIME_UNITS = [
  { name: 'd', seconds: DAY },
  { name: 'h', seconds: HOUR },
  { name: 'min', seconds: MINUTE },
];

/**
 * Time unit for axis labels: the largest of days, hours and minutes that fits at least three times into a
 * span of `seconds`; otherwise seconds.
 */
function chooseAxisTimeUnit(seconds: number): { readonly name: string; readonly seconds: number } {
  return (
    AXIS_TIME_UNITS.find((axisTimeUnit) => seconds >= 3 * axisTimeUnit.seconds) ?? { name: 's', seconds: 1 }
  );
}

/** Round calendar times between two times, approximately `maxTickCount`, all in seconds since 1970. */
function findRoundTickTimes(from: number, to: number, maxTickCount: number): number[] {
  return scaleUtc()
    .domain([from * 1000, to * 1000])
    .ticks(maxTickCount)
    .map((date) => date.getTime() / 1000);
}

/**
 * Ticks between two times in seconds since the first submission or another named event.
 * @param unixTimeOfZero date of time 0 in seconds since 1970, if known.
 * @param maxTickCount approximate number of ticks.
 */
export function makeElapsedTimeTicks(
  from: number,
  to: number,
  unixTimeOfZero: number | undefined,
  maxTicks = 8,
  since = 'the first submit',
): TimeTicks {
  if (unixTimeOfZero !== undefined) return makeCalendarTicks(from, to, unixTimeOfZero, maxTicks);
  const title = `time since ${since}`;
  const timeUnit = chooseAxisTimeUnit(to);
  if (chooseAxisTimeUnit(to - from).seconds !== timeUnit.seconds) {
    return {
      ticks: findRoundTickTimes(from, to, maxTicks).map((value) => ({
        value,
        label: formatElapsedDaysAndTime(value),
      })),
      title,
    };
  }
  const scale = scaleLinear().domain([from / timeUnit.seconds, to / timeUnit.seconds]);
  const ticks = makeNumberTicks(scale, maxTicks, ',.6~f').map(({ value: tickValue, label: tickLabel }) => ({
    value: tickValue * timeUnit.seconds,
    label: tickLabel,
  }));
  return { ticks, title: `${title} [${timeUnit.name}]` };
}

/** Time of day such as `10:30`; with seconds if they are not 0. */
function formatClockTime(seconds: number): string {
  const isoDateText = new Date(seconds * 1000).toISOString();
  return seconds % MINUTE === 0 ? isoDateText.slice(11, 16) : isoDateText.slice(11, 19);
}

/** Formats whole seconds since the first submission as `100 d 06:00` or `06:00:30`. */
function formatElapsedDaysAndTime(seconds: number): string {
  const days = Math.floor(seconds / DAY);
  return `${days.toLocaleString('en-US')} d${seconds % DAY === 0 ? '' : ` ${formatClockTime(seconds - days * DAY)}`}`;
}

const UTC_DATE_FORMAT = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });
const UTC_MONTH_FORMAT = new Intl.DateTimeFormat('en-GB', {
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
});

/**
 * Formats a time as `5 Jan 1999 10:30:05` in UTC or, if no date is known, as `249 d 10:30` since the first
 * submission.
 */
export function formatDateOrElapsedTime(seconds: number, unixTimeOfZero: number | undefined): string {
  const roundedSeconds = Math.round(seconds);
  if (unixTimeOfZero === undefined) return formatElapsedDaysAndTime(roundedSeconds);
  const date = new Date((roundedSeconds + unixTimeOfZero) * 1000);
  return `${UTC_DATE_FORMAT.format(date)} ${date.getUTCFullYear()} ${formatClockTime(date.getTime() / 1000)}`;
}

/**
 * Formats a time in words: `5 Jan 1999 10:30 UTC`, or `249 d 10:30 after the first submit` if the date is
 * unknown.
 */
export function formatTimeInWords(seconds: number, beginning: number | undefined): string {
  const roundedSeconds = Math.round(seconds);
  if (beginning === undefined) return `${formatElapsedDaysAndTime(roundedSeconds)} after the first submit`;
  const date = new Date((roundedSeconds + beginning) * 1000);
  return `${UTC_DATE_FORMAT.format(date)} ${date.getUTCFullYear()} ${date.toISOString().slice(11, 16)} UTC`;
}

/**
 * Calendar ticks at round hours, days or months. Labels show the time of day, and also the date at midnight
 * and at the first tick.
 */
function makeCalendarTicks(
  from: number,
  to: number,
  unixTimeOfZero: number,
  maxTickCount: number,
): TimeTicks {
  const tickTimes = findRoundTickTimes(from + unixTimeOfZero, to + unixTimeOfZero, maxTickCount);
  const hasMonthlyTicks =
    tickTimes.length > 1 && tickTimes.every((time) => new Date(time * 1000).getUTCDate() === 1);
  const formatTickLabel = (time: number, isFirst: boolean) => {
    if (hasMonthlyTicks) return UTC_MONTH_FORMAT.format(time * 1000);
    const date = UTC_DATE_FORMAT.format(time * 1000);
    if (time % DAY === 0) return date;
    return isFirst ? `${date} ${formatClockTime(time)}` : formatClockTime(time);
  };
  return {
    ticks: tickTimes.map((time, i) => ({
      value: time - unixTimeOfZero,
      label: formatTickLabel(time, i === 0),
    })),
    title: hasMonthlyTicks ? 'UTC' : `UTC, ${new Date((from + unixTimeOfZero) * 1000).getUTCFullYear()}`,
  };
}

/** SVG text element at a position, in pixels. */
export function svgTextElement(
  x: number,
  y: number,
  labelText: string,
  textAnchor: 'start' | 'middle' | 'end' = 'start',
  attributesText = '',
): string {
  const anchorAttribute = textAnchor === 'start' ? '' : ` text-anchor="${textAnchor}"`;
  return `<text x="${formatSvgCoordinate(x)}" y="${formatSvgCoordinate(y)}"${anchorAttribute}${attributesText}>${escapeMarkup(labelText)}</text>`;
}

/** SVG attributes of faint lines, for ticks and frames of drawings. */
export const FAINT_LINE_SVG_ATTRIBUTES = `fill="none" stroke="${TEXT_COLOR}" stroke-opacity="0.35"`;

/**
 * Tick labels to draw, with the pixel of their middle: every n-th, with the smallest n at which no labels
 * overlap.
 * Labels at the ends of the axis are moved inwards.
 * @param toPixel returns the middle of a tick in pixels.
 * @param axisEndPixels leftmost and rightmost pixel that labels may reach.
 */
function selectTickLabels(
  ticks: readonly AxisTick[],
  toPixel: (value: number) => number,
  axisEndPixels: readonly [number, number],
) {
  const labelledTicks = ticks.filter(({ label: tickLabel }) => tickLabel !== '');
  const placedLabels = labelledTicks.map(({ value: tickValue, label: tickLabel }) => {
    const halfWidth = Math.ceil(estimateTextWidth(tickLabel, LABEL_FONT_SIZE) / 2);
    return {
      label: tickLabel,
      half: halfWidth,
      middle: Math.min(
        Math.max(toPixel(tickValue), axisEndPixels[0] + halfWidth),
        axisEndPixels[1] - halfWidth,
      ),
    };
  });
  for (let stride = 1; ; stride++) {
    const thinnedLabels = placedLabels.filter((_, i) => i % stride === 0);
    const fitsWithoutOverlap = thinnedLabels.every(({ middle, half }, i) => {
      const previousLabel = thinnedLabels[i - 1];
      return (
        previousLabel === undefined ||
        middle - half >= previousLabel.middle + previousLabel.half + MIN_TICK_LABEL_GAP
      );
    });
    if (fitsWithoutOverlap) return thinnedLabels;
  }
}

/** Horizontal axis below a plot. Positions are in pixels. */
export interface HorizontalAxis {
  readonly ticks: readonly AxisTick[];
  readonly toPixel: (value: number) => number;
  readonly left: number;
  readonly right: number;
  /** Bottom edge of the plot area. */
  readonly bottom: number;
  /** Leftmost and rightmost pixel that labels may reach. */
  readonly ends: readonly [number, number];
  /** Lines of the axis title; empty if there is no title. */
  readonly title: readonly string[];
}

/** SVG of the ticks, labels and title of a horizontal axis below a plot. */
export function drawHorizontalAxis({
  ticks,
  toPixel,
  left,
  right,
  bottom,
  ends,
  title,
}: HorizontalAxis): string {
  const marks = ticks
    .map(
      ({ value: tickValue }) =>
        `M${formatSvgCoordinate(toPixel(tickValue))} ${formatSvgCoordinate(bottom)}v${TICK_LABEL_DISTANCE}`,
    )
    .join('');
  const tickLabels = selectTickLabels(ticks, toPixel, ends).map(({ label: tickLabel, middle }) =>
    svgTextElement(middle, bottom + TICK_LABEL_DISTANCE + LABEL_LINE_HEIGHT - 2, tickLabel, 'middle'),
  );
  return (
    (marks === '' ? '' : `<path d="${marks}" ${FAINT_LINE_SVG_ATTRIBUTES}/>`) +
    tickLabels.join('') +
    drawHorizontalAxisTitle(title, (left + right) / 2, bottom + TICK_LABEL_DISTANCE + LABEL_LINE_HEIGHT)
  );
}

/** SVG of the title of a horizontal axis, below its tick labels. */
export function drawHorizontalAxisTitle(lines: readonly string[], middleX: number, top: number): string {
  return lines
    .map((line, i) =>
      svgTextElement(
        middleX,
        top + TITLE_LINE_HEIGHT * (i + 1),
        line,
        'middle',
        ` font-size="${TITLE_FONT_SIZE}px"`,
      ),
    )
    .join('');
}

/** Height in pixels of a horizontal axis, given the number of title lines and the height of its labels. */
export function horizontalAxisHeight(titleLineCount: number, labelHeight = LABEL_LINE_HEIGHT): number {
  return TICK_LABEL_DISTANCE + labelHeight + titleLineCount * TITLE_LINE_HEIGHT + 4;
}

/** Vertical axis left of a plot. Positions are in pixels. */
export interface VerticalAxis {
  readonly ticks: readonly AxisTick[];
  readonly toPixel: (value: number) => number;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  readonly title: readonly string[];
}

/** Width in pixels of a vertical axis left of a plot, from its labels and title lines. */
export function computeVerticalAxisWidth(ticks: readonly AxisTick[], titleLineCount: number): number {
  const tickLabels = ticks.map(({ label: tickLabel }) => estimateTextWidth(tickLabel, LABEL_FONT_SIZE));
  return (
    Math.ceil(Math.max(0, ...tickLabels)) +
    TICK_LABEL_DISTANCE +
    3 +
    titleLineCount * TITLE_LINE_HEIGHT +
    (titleLineCount > 0 ? 4 : 0)
  );
}

/** SVG of a vertical axis: a grid line across the plot at every labelled tick, the labels, and the title. */
export function drawVerticalAxis({ ticks, toPixel, left, right, top, bottom, title }: VerticalAxis): string {
  const labelledTicks = ticks.filter(({ label: tickLabel }) => tickLabel !== '');
  const grid = labelledTicks.map(
    ({ value: tickValue }) =>
      `M${formatSvgCoordinate(left)} ${formatSvgCoordinate(toPixel(tickValue))}H${formatSvgCoordinate(right)}`,
  );
  const marks = ticks.map(
    ({ value: tickValue }) =>
      `M${formatSvgCoordinate(left - TICK_LABEL_DISTANCE)} ${formatSvgCoordinate(toPixel(tickValue))}h${TICK_LABEL_DISTANCE}`,
  );
  const tickLabels = labelledTicks.map(({ value: tickValue, label: tickLabel }) =>
    svgTextElement(left - TICK_LABEL_DISTANCE - 3, toPixel(tickValue) + 3.5, tickLabel, 'end'),
  );
  const axisLeftEdge = left - computeVerticalAxisWidth(ticks, title.length);
  const middleY = formatSvgCoordinate((top + bottom) / 2);
  const titleMarkups = title.map((line, i) => {
    const xText = formatSvgCoordinate(axisLeftEdge + TITLE_LINE_HEIGHT * (i + 1) - 3);
    return svgTextElement(
      0,
      0,
      line,
      'middle',
      ` font-size="${TITLE_FONT_SIZE}px" transform="translate(${xText},${middleY}) rotate(-90)"`,
    );
  });
  return (
    `<path d="${grid.join('')}" fill="none" stroke="${TEXT_COLOR}" stroke-opacity="0.13"/>` +
    `<path d="${marks.join('')}" ${FAINT_LINE_SVG_ATTRIBUTES}/>${tickLabels.join('')}${titleMarkups.join('')}`
  );
}

/**
 * Axis title with unit, such as `average response time [s]`, broken into lines of at most `length` pixels.
 */
export function breakAxisTitle(title: string, axisUnit: string | undefined, length: number): string[] {
  return breakTextIntoLines(
    axisUnit === undefined ? title : `${title} [${axisUnit}]`,
    TITLE_FONT_SIZE,
    length,
  );
}

// Legends of drawings: samples followed by their names, in rows from the left.

/** An entry of a legend. */
export interface LegendEntry {
  readonly name: string;
  /** Draws the sample before a name, from x to the right; y is the middle of the row. */
  readonly drawSample: (x: number, y: number) => string;
}

/** Legend as SVG, with its size in pixels. */
export interface Legend {
  readonly markup: string;
  readonly width: number;
  readonly height: number;
}

const LEGEND_ROW_HEIGHT_PIXELS = 18;
/** Pixels between a sample and its name, and between a name and the next sample. */
const [NAME_GAP, ENTRY_GAP] = [6, 16];

/**
 * Draws a legend: entries side by side, in as many rows as necessary.
 * @param sampleWidth width of each sample in pixels.
 * @param leftEdge left edge of the rows in pixels.
 * @param maxRowWidth largest width of a row in pixels.
 */
export function drawLegend(
  legendEntries: readonly LegendEntry[],
  sampleWidth: number,
  leftEdge: number,
  maxRowWidth: number,
): Legend {
  let [x, row, width] = [0, 0, 0];
  const entryMarkups = legendEntries.map(({ name, drawSample }) => {
    const entryWidth = sampleWidth + NAME_GAP + estimateTextWidth(name, LABEL_FONT_SIZE);
    if (x > 0 && x + entryWidth > maxRowWidth) [x, row] = [0, row + 1];
    const [entryLeft, middle] = [leftEdge + x, (row + 0.5) * LEGEND_ROW_HEIGHT_PIXELS];
    width = Math.max(width, x + entryWidth);
    x += entryWidth + ENTRY_GAP;
    return (
      drawSample(entryLeft, middle) + svgTextElement(entryLeft + sampleWidth + NAME_GAP, middle + 4, name)
    );
  });
  return {
    markup: entryMarkups.join(''),
    width,
    height: legendEntries.length === 0 ? 0 : (row + 1) * LEGEND_ROW_HEIGHT_PIXELS,
  };
}
