/** Labels of methods: names chosen by the user that replace method names in reports. */
import type { Figure, FigurePanel } from '../draw/figureModel.js';
import { InputError } from '../errors.js';
import { makeUnknownNameError, splitOutsideBrackets } from '../notation.js';
import type { Report } from '../view/report.js';
import { type Table, type TableCell, toDetailedCell } from '../view/table.js';

/** Labels by the method name that each replaces. */
export type MethodLabelMap = ReadonlyMap<string, string>;

/**
 * Labels of methods from texts such as `easy=EASY of Lifka`.
 * @throws InputError for one without a name or a text, and for two labels of one method.
 */
export function parseMethodLabels(labelTexts: readonly string[]): MethodLabelMap {
  const labelByMethodName = new Map<string, string>();
  for (const text of labelTexts) {
    const [name = '', ...labelParts] = splitOutsideBrackets(text, '=').map((part) => part.trim());
    const labelText = labelParts.join('=');
    if (name === '' || labelText === '')
      throw new InputError(`--label ${text}: expected NAME=TEXT, such as 'easy backfill shortest=EASY-SJBF'`);
    if (labelByMethodName.has(name)) throw new InputError(`--label names ${name} twice; give it once`);
    labelByMethodName.set(name, labelText);
  }
  return labelByMethodName;
}

/** Parses the labels in a saved command line. */
export function parseLabelsOfCommand(command: readonly string[]): MethodLabelMap {
  return parseMethodLabels(command.filter((_, i) => command[i - 1] === '--label'));
}

/** Creates a function that replaces method names in a text by their labels. */
function makeLabelReplacer(methodLabels: MethodLabelMap): (text: string) => string {
  const labelledMethodNames = [...methodLabels.keys()].sort((a, b) => b.length - a.length);
  const escapedNames = labelledMethodNames.map((methodName) =>
    methodName.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&'),
  );
  const pattern = new RegExp(`(?<![\\w./-])(?:${escapedNames.join('|')})(?![\\w[/-])`, 'g');
  return (text) =>
    methodLabels.get(text) ?? text.replaceAll(pattern, (methodName) => methodLabels.get(methodName)!);
}

function replaceNamesInCell(cell: TableCell, replaceNames: (text: string) => string): TableCell {
  if (typeof cell === 'string') return replaceNames(cell);
  if (typeof cell !== 'object' || cell === null || typeof cell.value !== 'string') return cell;
  return { ...cell, value: replaceNames(cell.value) };
}

const replaceNamesInTable = (table: Table, replaceNames: (text: string) => string): Table => ({
  ...table,
  title: replaceNames(table.title),
  caption: replaceNames(table.caption),
  columns: table.columns.map((tableColumn) => ({ ...tableColumn, title: replaceNames(tableColumn.title) })),
  rows: table.rows.map((cellRow) => cellRow.map((cell) => replaceNamesInCell(cell, replaceNames))),
});

const replaceNamesInPanels = (
  panels: readonly FigurePanel[],
  replaceNames: (text: string) => string,
): FigurePanel[] =>
  panels.map(({ title: panelTitle, series }) => ({
    title: replaceNames(panelTitle),
    series: series.map((figureSeries) => ({
      ...figureSeries,
      name: replaceNames(figureSeries.name),
      points: figureSeries.points.map((figurePoint) =>
        typeof figurePoint.x === 'string' ? { ...figurePoint, x: replaceNames(figurePoint.x) } : figurePoint,
      ),
    })),
  }));

function replaceNamesInFigure(figure: Figure, replaceNames: (text: string) => string): Figure {
  const relabelAxis = <Axis extends { readonly title: string }>(axis: Axis): Axis => ({
    ...axis,
    title: replaceNames(axis.title),
  });
  return {
    ...figure,
    title: replaceNames(figure.title),
    caption: replaceNames(figure.caption),
    y: relabelAxis(figure.y),
    panels: replaceNamesInPanels(figure.panels, replaceNames),
    ...(figure.namesOfPage === undefined ? {} : { namesOfPage: figure.namesOfPage.map(replaceNames) }),
    ...(figure.views === undefined
      ? {}
      : {
          views: figure.views.map((figureView) => ({
            ...figureView,
            y: relabelAxis(figureView.y),
            ...(figureView.baseline === undefined ? {} : { baseline: replaceNames(figureView.baseline) }),
            panels: replaceNamesInPanels(figureView.panels, replaceNames),
          })),
        }),
  };
}

/**
 * Report with labels instead of method names in tables, figures and sentences; commands and file names are
 * unchanged.
 */
export function applyLabelsToReport(report: Report, methodLabels: MethodLabelMap): Report {
  if (methodLabels.size === 0) return report;
  const replaceNames = makeLabelReplacer(methodLabels);
  return {
    ...report,
    title: replaceNames(report.title),
    description: replaceNames(report.description),
    highlights: report.highlights.map((fact) => ({
      ...fact,
      label: replaceNames(fact.label),
      value: replaceNames(fact.value),
    })),
    tables: report.tables.map((table) => replaceNamesInTable(table, replaceNames)),
    figures: report.figures.map((figure) => replaceNamesInFigure(figure, replaceNames)),
    checks: report.checks.map((check) => ({
      ...check,
      sentence: replaceNames(check.sentence),
      evidence: replaceNames(check.evidence),
    })),
  };
}

/** Names shown in a report: rows, columns, series and categories. */
function collectShownNames({ tables, figures }: Report): string[] {
  const cells = tables.flatMap(({ rows: tableRows, columns: tableColumns }) =>
    tableRows.flatMap((cellRow) =>
      cellRow.filter((_, i) => tableColumns[i]!.isHeading).map((cell) => toDetailedCell(cell).value),
    ),
  );
  const series = figures.flatMap(({ panels }) => panels.flatMap((panel) => panel.series));
  const seriesNames = series.flatMap(({ name: seriesName, points: seriesPoints }) => [
    seriesName,
    ...seriesPoints.map(({ x }) => x),
  ]);
  const columns = tables.flatMap((table) => table.columns.map(({ title: columnTitle }) => columnTitle));
  return [...new Set([...cells, ...seriesNames, ...columns].filter((name) => typeof name === 'string'))];
}

/**
 * Checks that every labelled name occurs in some report.
 * @throws InputError for a name that occurs in none.
 */
export function checkAllLabelsUsed(reports: readonly Report[], methodLabels: MethodLabelMap): void {
  if (methodLabels.size === 0) return;
  const shownNames = reports.flatMap(collectShownNames);
  const knownNames = new Set(shownNames.flatMap((name) => [name, ...name.split(', ')]));
  for (const methodName of methodLabels.keys())
    if (!knownNames.has(methodName))
      throw makeUnknownNameError('method of --label', methodName, [...knownNames]);
}
