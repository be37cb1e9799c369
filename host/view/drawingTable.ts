/** Values of a drawing as a table, for pages and files. */
import type { Drawing } from '../draw/drawing.js';
import type { Figure, FigureAxis, FigurePoint } from '../draw/figureModel.js';
import type { DifferenceData, GanttData } from '../draw/gantt.js';
import { computeMaxOccupiedShare, type OccupancyData } from '../draw/occupancy.js';
import type { AxisClock } from '../draw/timeChart.js';
import { formatUtcDate, type NumberFormat } from '../format/numbers.js';
import type { Table, TableCell, TableColumn } from './table.js';

const WHOLE_NUMBER_FORMAT: NumberFormat = { style: 'fixed' };
const DURATION_NUMBER_FORMAT: NumberFormat = { style: 'duration' };
const makeHeadingColumn = (title: string, columnUnit?: string): TableColumn => ({
  title,
  ...(columnUnit === undefined ? {} : { unit: columnUnit }),
  isHeading: true,
});
const keepDistinctValues = <Value>(repeatedValues: readonly Value[]) => [...new Set(repeatedValues)];

/** Table cell of a time: a sortable date, or seconds since the origin if no date is known. */
function makeTimeCell(seconds: number, beginning: number | undefined): TableCell {
  return beginning === undefined ? seconds : formatUtcDate(beginning + seconds);
}

/** Table cell of a simulated time: a date, or the seconds since the origin of the drawing's axis. */
const formatTimeSinceOrigin = (time: number, { origin, beginning }: AxisClock) =>
  makeTimeCell(time - origin, beginning);

const makeTimeColumn = (title: string, { beginning }: Pick<AxisClock, 'beginning'>): TableColumn =>
  beginning === undefined
    ? { title, format: DURATION_NUMBER_FORMAT, align: 'left' }
    : { title: `${title} (UTC)`, align: 'left' };

function makeValueCell({ y, low, high }: FigurePoint): TableCell {
  return low === undefined || high === undefined ? y : { value: y, low, high };
}

function makeValueColumn(title: string, { unit: axisUnit, format }: FigureAxis): TableColumn {
  const columnFormat: NumberFormat =
    format?.style === 'percent'
      ? { ...format, decimals: format.decimals ?? 1 }
      : (format ?? { style: 'measure' });
  return { title, ...(axisUnit === undefined ? {} : { unit: axisUnit }), format: columnFormat };
}

/** Table cell with the x value of a point. */
function makeXValueCell(x: number | string, axis: FigureAxis): TableCell {
  if (typeof x === 'string') return x;
  return axis.time === undefined ? x : makeTimeCell(x, axis.time.beginning);
}

function makeXValueColumn({ title: axisTitle, unit: axisUnit, time }: FigureAxis): TableColumn {
  return time === undefined
    ? makeHeadingColumn(axisTitle, axisUnit)
    : { ...makeTimeColumn(axisTitle, time), isHeading: true };
}

/**
 * Table of a figure's values: one row per x value of each panel and one column per series; for dot plots
 * one row per dot.
 */
function makeFigureTable({ kind: figureKind, x, y, panels }: Figure): Omit<Table, 'id' | 'title'> {
  const drawnSeries = panels.flatMap(({ series }) =>
    series.filter(({ points: seriesPoints }) => seriesPoints.length > 0),
  );
  const seriesNames = keepDistinctValues(drawnSeries.map(({ name: seriesName }) => seriesName));
  const panelNameColumn = panels.length > 1 ? [makeHeadingColumn('panel')] : [];
  const isDotPlot = figureKind === 'dots';
  const hasRemarks =
    isDotPlot &&
    drawnSeries.some(({ points: seriesPoints }) => seriesPoints.some(({ remark }) => remark !== undefined));
  const isSeriesShown = isDotPlot && seriesNames.length > 1;
  const tableColumns = [
    ...panelNameColumn,
    makeXValueColumn(x),
    ...(isSeriesShown ? [{ title: 'kind' }] : []),
    ...(isDotPlot ? [''] : seriesNames).map((seriesName) =>
      makeValueColumn(seriesNames.length > 1 && seriesName !== '' ? seriesName : y.title, y),
    ),
    ...(hasRemarks ? [{ title: 'remark' }] : []),
  ];
  const cellRows = panels.flatMap(({ title: panelTitle, series }) => {
    const panelCells = panelNameColumn.length > 0 ? [panelTitle] : [];
    if (isDotPlot)
      return series.flatMap(({ name: seriesName, points: seriesPoints }) =>
        seriesPoints.map((figurePoint) => [
          ...[
            ...panelCells,
            makeXValueCell(figurePoint.x, x),
            ...(isSeriesShown ? [seriesName] : []),
            makeValueCell(figurePoint),
          ],
          ...(hasRemarks ? [figurePoint.remark ?? ''] : []),
        ]),
      );
    const pointsBySeries = seriesNames.map((seriesName) => {
      const figurePoints = series.find((figureSeries) => figureSeries.name === seriesName)?.points ?? [];
      return new Map(figurePoints.map((figurePoint) => [figurePoint.x, figurePoint] as const));
    });
    const xValues = keepDistinctValues(pointsBySeries.flatMap((points) => [...points.keys()]));
    if (xValues.every((xValue) => typeof xValue === 'number')) xValues.sort((a, b) => a - b);
    return xValues.map((xValue): TableCell[] => [
      ...[...panelCells, makeXValueCell(xValue, x)],
      ...pointsBySeries.map((points) => {
        const figurePoint = points.get(xValue);
        return figurePoint === undefined ? null : makeValueCell(figurePoint);
      }),
    ]);
  });
  return { caption: '', columns: tableColumns, rows: cellRows };
}

/** Table of the jobs in a Gantt chart. */
function makeGanttTable(ganttData: GanttData): Omit<Table, 'id' | 'title'> {
  const doJobsHaveUsers = ganttData.jobs.some(({ user }) => user !== undefined);
  return {
    caption: '',
    columns: [
      makeHeadingColumn('job'),
      ...(doJobsHaveUsers ? [{ title: 'user' }] : []),
      { title: 'home site', format: WHOLE_NUMBER_FORMAT },
      { title: 'processors', format: WHOLE_NUMBER_FORMAT },
      ...['submitted', 'started', 'ended'].map((title) => makeTimeColumn(title, ganttData)),
      { title: 'wait', format: DURATION_NUMBER_FORMAT },
      { title: 'ran', format: DURATION_NUMBER_FORMAT },
    ],
    rows: ganttData.jobs.map(({ name: jobName, user, home, processors, submit, start, end }) => [
      ...[jobName, ...(doJobsHaveUsers ? [user ?? ''] : []), home + 1, processors],
      ...[submit, start, end].map((time) => formatTimeSinceOrigin(time, ganttData)),
      ...[start - submit, end - start],
    ]),
  };
}

/** Table of the share of busy processors per site and interval. */
function makeOccupancyTable({
  shades,
  window: { from, to },
  ...clock
}: OccupancyData): Omit<Table, 'id' | 'title'> {
  const intervalCount = shades[0]?.length ?? 0;
  return {
    caption: 'Shares in steps of a tenth, rounded up.',
    columns: [
      { ...makeTimeColumn('from', clock), isHeading: true },
      ...shades.map((_, site): TableColumn => ({ title: `site ${site + 1}`, format: { style: 'percent' } })),
    ],
    rows: Array.from({ length: intervalCount }, (_, i) => [
      formatTimeSinceOrigin(from + ((to - from) * i) / intervalCount, clock),
      ...shades.map((siteShades) => computeMaxOccupiedShare(siteShades[i] ?? '0')),
    ]),
  };
}

/** Table of each job's start and end in both schedules. */
function makeScheduleDifferenceTable(differenceData: DifferenceData): Omit<Table, 'id' | 'title'> {
  const jobsByName = new Map<string, (DifferenceData['runs'][number]['jobs'][number] | undefined)[]>();
  for (const [i, comparedRun] of differenceData.runs.entries())
    for (const job of comparedRun.jobs) {
      const jobByRun = jobsByName.get(job.name) ?? [];
      jobByRun[i] = job;
      jobsByName.set(job.name, jobByRun);
    }
  const timeColumnTitles = differenceData.runs.flatMap(({ name: runName }) => [
    `start, ${runName}`,
    `end, ${runName}`,
  ]);
  return {
    caption: 'Jobs that ran in neither schedule at the time shown are omitted.',
    columns: [
      makeHeadingColumn('job'),
      { title: 'processors', format: WHOLE_NUMBER_FORMAT },
      ...timeColumnTitles.map((timeColumnTitle) => makeTimeColumn(timeColumnTitle, differenceData)),
    ],
    rows: [...jobsByName].map(([name, jobInRuns]) => [
      ...[name, jobInRuns.find((job) => job !== undefined)?.processors ?? null],
      ...differenceData.runs.flatMap((_, i) => {
        const job = jobInRuns[i];
        return job === undefined
          ? [null, null]
          : [
              formatTimeSinceOrigin(job.start, differenceData),
              formatTimeSinceOrigin(job.end, differenceData),
            ];
      }),
    ]),
  };
}

/** Table of the values that a drawing shows. */
export function makeDrawingTable(drawing: Drawing): Table {
  const { id, title: pictureTitle } = 'panels' in drawing ? drawing : drawing.words;
  const tableIdAndTitle = { id: `values-${id}`, title: `Values: ${pictureTitle}` };
  if ('panels' in drawing) {
    const { bounds } = drawing;
    return { ...tableIdAndTitle, ...makeFigureTable(drawing), ...(bounds === undefined ? {} : { bounds }) };
  }
  if (drawing.kind === 'gantt') return { ...tableIdAndTitle, ...makeGanttTable(drawing) };
  return {
    ...tableIdAndTitle,
    ...(drawing.kind === 'occupancy' ? makeOccupancyTable(drawing) : makeScheduleDifferenceTable(drawing)),
  };
}
