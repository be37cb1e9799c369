import { expect, test } from 'vitest';
import { LABEL_FONT_SIZE } from '../../host/draw/axes.js';
import {
  drawDifference,
  drawGantt,
  type GanttOptions,
  MAX_GANTT_JOBS,
  makeDifferenceData,
  makeDifferenceLegendEntries,
  makeGanttData,
  restrictDifferenceDrawing,
} from '../../host/draw/gantt.js';
import { computeOccupiedShares, drawOccupancy, makeOccupancyData } from '../../host/draw/occupancy.js';
import { estimateTextWidth } from '../../host/draw/svg.js';
import {
  countProcessorsInLane,
  layOutSiteLanes,
  makeGanttBlocksOfAllocation,
} from '../../host/draw/timeChart.js';
import { InputError } from '../../host/errors.js';
import type { FinishedJob, StoppedRun } from '../../host/results/finishedJobs.js';
import { sampleTestCases } from '../cases.js';
import { findExternalAddresses, parseMarkup } from './wellFormed.js';

/** Processors of the two sites; the second job holds processors 1 and 2 of site 1 and all of site 2. */
const capacities = [4, 2];
const jobs: FinishedJob[] = [
  { name: '17', submit: 100, start: 100, end: 150, processors: 1, requested: 1, home: 0, runs: [[0, 0]] },
  {
    name: '18',
    submit: 110,
    start: 120,
    end: 200,
    processors: 4,
    requested: 4,
    home: 1,
    runs: [
      [1, 2],
      [4, 5],
    ],
  },
  {
    name: '19#2',
    submit: 110,
    start: 150,
    end: 175,
    processors: 2,
    requested: 2,
    home: 0,
    runs: [
      [0, 0],
      [3, 3],
    ],
  },
];
const window = { from: 100, to: 200 };
const scale = { ...window, left: 50, width: 200 };
const drawingIdAndTitle = { id: 'gantt', title: 'Gantt & more', caption: '<all>' };
const options = { jobs, stopped: [], capacities, window, origin: 100 };
const drawGanttSvg = (options: GanttOptions) => drawGantt(makeGanttData(options, drawingIdAndTitle));
const drawStripsSvg = (options: GanttOptions) => drawOccupancy(makeOccupancyData(options, drawingIdAndTitle));

test('blocks are placed by their processors and times', () => {
  const lanes = layOutSiteLanes(capacities, 10, 5, 8);
  expect(lanes).toEqual([
    { first: 0, capacity: 4, top: 10, height: 20 },
    { first: 4, capacity: 2, top: 36, height: 10 },
  ]);
  expect(makeGanttBlocksOfAllocation(jobs[0], lanes, scale)).toEqual([
    { x: 50, y: 10, width: 100, height: 5 },
  ]);
  expect(makeGanttBlocksOfAllocation(jobs[1], lanes, scale)).toEqual([
    { x: 90, y: 15, width: 160, height: 10 },
    { x: 90, y: 36, width: 160, height: 10 },
  ]);
  const scaleOfPartOfWindow = { ...scale, from: 160, to: 180 };
  expect(makeGanttBlocksOfAllocation(jobs[2], lanes, scaleOfPartOfWindow)).toEqual([
    { x: 50, y: 10, width: 150, height: 5 },
    { x: 50, y: 25, width: 150, height: 5 },
  ]);
});

test('a run beyond the end of a site is cut there', () => {
  const lanes = layOutSiteLanes(capacities, 0, 5, 0);
  const jobWithTwoRows = { ...jobs[0], processors: 3, requested: 3, runs: [[3, 5]] as const };
  expect(
    makeGanttBlocksOfAllocation(jobWithTwoRows, lanes, scale).map(({ y, height }) => [y, height]),
  ).toEqual([
    [15, 5],
    [26, 10],
  ]);
  expect(lanes.map((lane) => countProcessorsInLane(jobWithTwoRows, lane))).toEqual([1, 2]);
});

test('no two blocks of a valid schedule overlap', () => {
  const lanes = layOutSiteLanes(capacities, 0, 5, 0);
  const blocks = jobs.flatMap((job) => makeGanttBlocksOfAllocation(job, lanes, scale));
  for (const [i, a] of blocks.entries()) {
    for (const b of blocks.slice(i + 1)) {
      const areBlocksApart =
        a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y || b.y + b.height <= a.y;
      expect(areBlocksApart).toBe(true);
    }
  }
});

test('a chart names its jobs, sites and times, is well-formed and fetches nothing', () => {
  const svg = drawGanttSvg(options);
  const markup = parseMarkup(svg);
  expect(findExternalAddresses(markup)).toEqual([]);
  expect(markup.text).toContain('Gantt &amp; more');
  expect(markup.text).toContain(
    'job 19#2: 2 processors, home site 1, submitted at 10\u00a0s, waited 40\u00a0s, ran 25\u00a0s',
  );
  for (const text of ['site 2', '4 proc.', 'home site 2', 'time since the first submit [s]']) {
    expect(markup.text).toContain(text);
  }
  expect(drawGanttSvg(options)).toBe(svg);
});

test('a window without jobs, or with too many, is refused', () => {
  const optionsWithoutJobs = { ...options, window: { from: 300, to: 400 } };
  expect(() => drawGanttSvg(optionsWithoutJobs)).toThrow(InputError);
  const optionsWithTooManyJobs = {
    ...options,
    jobs: Array.from({ length: MAX_GANTT_JOBS + 1 }, () => jobs[0]),
  };
  expect(() => drawGanttSvg(optionsWithTooManyJobs)).toThrow(/2,001 running jobs/);
});

/** Two preempted runs of the third job on site 2, one of them cut by the end of the window. */
const stoppedRuns: StoppedRun[] = [
  { job: jobs[2], start: 110, end: 118, processors: 2, runs: [[4, 5]] },
  {
    job: jobs[2],
    start: 190,
    end: 230,
    processors: 2,
    runs: [
      [0, 0],
      [3, 3],
    ],
  },
];

test('stopped runs are hatched in the colour of their home and crossed out where they end, and named', () => {
  const svg = drawGanttSvg({ ...options, stopped: stoppedRuns });
  const markup = parseMarkup(svg);
  expect(findExternalAddresses(markup)).toEqual([]);
  expect(new Set(markup.ids).size).toBe(markup.ids.length);
  const fillColors = markup.attributes
    .filter(({ name: attributeName }) => attributeName === 'fill')
    .map(({ value: attributeValue }) => attributeValue);
  const hatchingPatterns = fillColors.flatMap((fillColor) => /^url\(#(.*)\)$/.exec(fillColor)?.[1] ?? []);
  expect(new Set(hatchingPatterns)).toEqual(
    new Set(['stopped-any-gantt', 'stopped-1-gantt', 'stopped-2-gantt']),
  );
  expect(markup.ids).toEqual(expect.arrayContaining(hatchingPatterns));
  expect(markup.text).toContain(
    'stopped run of job 19#2: 2 processors, home site 1, began at 10\u00a0s, stopped after 8\u00a0s',
  );
  expect(markup.text).toContain('ran 25\u00a0s after 2 stopped runs');
  expect(markup.text).toMatch(/stopped run$|stopped runsite/);
  // The drawing has one cross in the legend and one at the end of the first preempted run.
  expect(svg.match(/M[\d.]+ [\d.]+L[\d.]+ [\d.]+M[\d.]+ [\d.]+L/g)).toHaveLength(2);
});

test('a chart without stopped runs shows none', () => {
  const svg = drawGanttSvg(options);
  expect(svg).not.toMatch(/pattern|stopped/);
  const ganttSvgOfWindow = drawGanttSvg({ ...options, stopped: stoppedRuns, window: { from: 150, to: 180 } });
  expect(ganttSvgOfWindow).not.toMatch(/pattern|stopped run</);
});

test('a window may hold stopped runs alone, and not too many of them', () => {
  const optionsWithStoppedRunsOnly = { ...options, stopped: stoppedRuns, window: { from: 205, to: 220 } };
  expect(parseMarkup(drawGanttSvg(optionsWithStoppedRunsOnly)).text).toContain('stopped run of job 19#2');
  const optionsWithTooManyStops = {
    ...options,
    stopped: Array.from({ length: MAX_GANTT_JOBS }, () => stoppedRuns[0]),
  };
  expect(() => drawGanttSvg(optionsWithTooManyStops)).toThrow(/2,003 running jobs/);
});

test('stopped runs count as in use, as jobs do', () => {
  const [, secondSiteLanes] = layOutSiteLanes(capacities, 0, 0, 10);
  expect(computeOccupiedShares([...jobs, ...stoppedRuns], secondSiteLanes, scale, 2)).toEqual([
    expect.closeTo(0.6 + 8 / 50, 12),
    1,
  ]);
  const [svgWithoutStops, withStops] = [[], stoppedRuns].map((stops) =>
    drawStripsSvg({ ...options, stopped: stops }),
  );
  expect(withStops).not.toBe(svgWithoutStops);
});

test('occupancy is the share of processor-seconds used in each interval', () => {
  const [firstSiteLanes, secondSiteLanes] = layOutSiteLanes(capacities, 0, 0, 10);
  // Processors in use, of 4: 1 for 25 s and 2 for 5 s, then 3, 4 and 2 for 25 s each.
  expect(computeOccupiedShares(jobs, firstSiteLanes, scale, 4)).toEqual(
    [0.35, 0.75, 1, 0.5].map((share) => expect.closeTo(share, 12)),
  );
  expect(computeOccupiedShares(jobs, secondSiteLanes, scale, 2)).toEqual([expect.closeTo(0.6, 12), 1]);
  const markup = parseMarkup(drawStripsSvg(options));
  const fillsWithFullOpacity = markup.attributes.filter(
    ({ name: attributeName, value: attributeValue }) =>
      attributeName === 'fill-opacity' && attributeValue === '1',
  );
  expect(fillsWithFullOpacity.length).toBeGreaterThanOrEqual(2);
});

/** Texts of a drawing with their left and right edges. */
function findTextsWithPositions(svg: string) {
  return [...svg.matchAll(/<text x="([^"]*)" y="([^"]*)"(?: text-anchor="(\w+)")?>([^<]*)</g)].map(
    ([, x, y, anchor = 'start', text]) => {
      const width = estimateTextWidth(text, LABEL_FONT_SIZE);
      const textLeft =
        Number(x) - width * { start: 0, middle: 0.5, end: 1 }[anchor as 'start' | 'middle' | 'end'];
      return { text, y, left: textLeft, right: textLeft + width };
    },
  );
}

/** Texts of a drawing that cross its edges or touch the previous text on their line. */
function findClippedTexts(textList: ReturnType<typeof findTextsWithPositions>, width: number) {
  const inOrder = textList.toSorted((a, b) => Number(a.y) - Number(b.y) || a.left - b.left);
  return inOrder.filter(({ y, left, right }, i) => {
    const previousText = inOrder[i - 1];
    return left < 0 || right > width || (previousText?.y === y && left <= previousText.right);
  });
}

test('names of sites and times are complete and do not overlap, however long the time, and wherever it begins', () => {
  const SECONDS_PER_DAY = 86_400;
  const durationColumns = Array.from({ length: 108 }, (_, i) => 0.01 * 1.13 ** i * SECONDS_PER_DAY);
  const siteSizes = [[5], [8, 128, 50], Array.from({ length: 24 }, (_, i) => 100_000 + i)];
  for (const capacities of siteSizes)
    for (const width of [330, 780, 1100])
      for (const beginning of [undefined, 893_410_215, 946_000_000])
        for (const to of sampleTestCases(durationColumns)) {
          const window = { from: 0, to };
          const options = { jobs: [], stopped: [], capacities, window, origin: 0, beginning };
          const ganttData = makeOccupancyData(options, drawingIdAndTitle, 1);
          const svg = drawOccupancy(ganttData, { window, width, hidden: new Set() });
          const clippedTexts = findClippedTexts(findTextsWithPositions(svg), width);
          if (clippedTexts.length > 0)
            expect(clippedTexts, `${to} s from ${beginning} in ${width} px`).toEqual([]);
        }
});

test('two schedules: each job has a colour by how much later it starts in the second, the same in both', () => {
  const moveStartsOfJobs = (offsets: readonly number[]) =>
    jobs.map((job, i) => ({ ...job, start: job.start + offsets[i], end: job.end + offsets[i] }));
  const twoSchedules = [
    { name: 'A (one)', jobs },
    { name: 'B (two)', jobs: moveStartsOfJobs([0, 7200, -20]) },
  ] as const;
  const ganttData = makeDifferenceData(
    { runs: twoSchedules, capacities, window: { from: 0, to: 9000 }, origin: 100 },
    drawingIdAndTitle,
  );
  const svg = drawDifference(ganttData);
  const titles = svg.match(/<title>job [^<]*/g);
  expect(titles?.filter((title) => /; starts 2\sh later in B$/.test(title))).toHaveLength(2);
  expect(titles?.filter((title) => /; starts 20\ss earlier in B$/.test(title))).toHaveLength(2);
  const legend = makeDifferenceLegendEntries(ganttData);
  expect(legend.map(({ name }) => name)).toEqual([
    '1 s to 1 min earlier',
    'at the same time',
    '1 h to 6 h later',
  ]);
  expect(new Set(legend.map(({ color }) => color)).size).toBe(3);
  const colorGroups = svg.match(/<g fill="#[0-9a-f]{6}" stroke="#fff"[^>]*>(?=<path)/g);
  expect(colorGroups).toHaveLength(6);
  expect(new Set(colorGroups).size).toBe(3);
  for (const lane of ['A, site 1', 'A, site 2', 'B, site 1', 'B, site 2']) expect(svg).toContain(lane);
  const drawingOfFirstHours = restrictDifferenceDrawing(
    ganttData,
    { from: 0, to: 9000 },
    new Set(['at the same time']),
  );
  expect(drawingOfFirstHours.runs.map((run) => run.jobs.map(({ name: jobName }) => jobName))).toEqual([
    ['18', '19#2'],
    ['18', '19#2'],
  ]);
});
