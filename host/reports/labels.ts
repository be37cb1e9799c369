/** Labels of methods: names chosen by the user that replace method names in reports. */
import type { Figure, FigurePanel } from '../draw/figureModel.js';
import { InputError } from '../errors.js';
import { splitUnbracketed, unknownNameError } from '../notation.js';
import type { Report } from '../view/report.js';
import { type Table, type TableCell, toDetailedCell } from '../view/table.js';

/** Labels by the method name that each replaces. */
export type MethodLabelMap = ReadonlyMap<string, string>;

/**
 * Labels of methods from texts such as `easy=EASY of Lifka`.
 * @throws InputError for one without a name or a text, and for two labels of one method.
 */
export function parseMethodLabels(texts: readonly string[]): MethodLabelMap {
  const labels = new Map<string, string>();
  for (const text of texts) {
    const [name = '', ...rest] = splitUnbracketed(text, '=').map((part) => part.trim());
    const label = rest.join('=');
    if (name === '' || label === '')
      throw new InputError(`--label ${text}: expected NAME=TEXT, such as 'easy backfill shortest=EASY-SJBF'`);
    if (labels.has(name)) throw new InputError(`--label names ${name} twice; give it once`);
    labels.set(name, label);
  }
  return labels;
}

/** Parses the labels in a saved command line. */
export function parseLabelsOfCommand(command: readonly string[]): MethodLabelMap {
  return parseMethodLabels(command.filter((_, i) => command[i - 1] === '--label'));
}

/** Creates a function that replaces method names in a text by their labels. */
function makeLabelReplacer(labels: MethodLabelMap): (text: string) => string {
  const names = [...labels.keys()].sort((a, b) => b.length - a.length);
  const escapedNames = names.map((name) => name.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&'));
  const pattern = new RegExp(`(?<![\\w./-])(?:${escapedNames.join('|')})(?![\\w[/-])`, 'g');
  return (text) => labels.get(text) ?? text.replaceAll(pattern, (name) => labels.get(name)!);
}

function replaceNamesInCell(cell: TableCell, of: (text: string) => string): TableCell {
  if (typeof cell === 'string') return of(cell);
  if (typeof cell !== 'object' || cell === null || typeof cell.value !== 'string') return cell;
  return { ...cell, value: of(cell.value) };
}

const replaceNamesInTable = (table: Table, of: (text: string) => string): Table => ({
  ...table,
  title: of(table.title),
  caption: of(table.caption),
  columns: table.columns.map((column) => ({ ...column, title: of(column.title) })),
  rows: table.rows.map((row) => row.map((cell) => replaceNamesInCell(cell, of))),
});

const replaceNamesInPanels = (panels: readonly FigurePanel[], of: (text: string) => string): FigurePanel[] =>
  panels.map(({ title, series }) => ({
    title: of(title),
    series: series.map((each) => ({
      ...each,
      name: of(each.name),
      points: each.points.map((point) =>
        typeof point.x === 'string' ? { ...point, x: of(point.x) } : point,
      ),
    })),
  }));

function replaceNamesInFigure(figure: Figure, of: (text: string) => string): Figure {
  const axis = <Axis extends { readonly title: string }>(each: Axis): Axis => ({
    ...each,
    title: of(each.title),
  });
  return {
    ...figure,
    title: of(figure.title),
    caption: of(figure.caption),
    y: axis(figure.y),
    panels: replaceNamesInPanels(figure.panels, of),
    ...(figure.namesOfPage === undefined ? {} : { namesOfPage: figure.namesOfPage.map(of) }),
    ...(figure.views === undefined
      ? {}
      : {
          views: figure.views.map((view) => ({
            ...view,
            y: axis(view.y),
            ...(view.baseline === undefined ? {} : { baseline: of(view.baseline) }),
            panels: replaceNamesInPanels(view.panels, of),
          })),
        }),
  };
}

/**
 * Report with labels instead of method names in tables, figures and sentences; commands and file names are
 * unchanged.
 */
export function applyLabelsToReport(report: Report, labels: MethodLabelMap): Report {
  if (labels.size === 0) return report;
  const of = makeLabelReplacer(labels);
  return {
    ...report,
    title: of(report.title),
    description: of(report.description),
    highlights: report.highlights.map((fact) => ({ ...fact, label: of(fact.label), value: of(fact.value) })),
    tables: report.tables.map((table) => replaceNamesInTable(table, of)),
    figures: report.figures.map((figure) => replaceNamesInFigure(figure, of)),
    checks: report.checks.map((check) => ({
      ...check,
      sentence: of(check.sentence),
      evidence: of(check.evidence),
    })),
  };
}

/** Names shown in a report: rows, columns, series and categories. */
function collectMethodNames({ tables, figures }: Report): string[] {
  const cells = tables.flatMap(({ rows, columns }) =>
    rows.flatMap((row) =>
      row.filter((_, i) => columns[i]!.isHeading).map((cell) => toDetailedCell(cell).value),
    ),
  );
  const series = figures.flatMap(({ panels }) => panels.flatMap((panel) => panel.series));
  const marks = series.flatMap(({ name, points }) => [name, ...points.map(({ x }) => x)]);
  const columns = tables.flatMap((table) => table.columns.map(({ title }) => title));
  return [...new Set([...cells, ...marks, ...columns].filter((name) => typeof name === 'string'))];
}

/**
 * Checks that every labelled name occurs in some report.
 * @throws InputError for a name that occurs in none.
 */
export function checkAllLabelsUsed(reports: readonly Report[], labels: MethodLabelMap): void {
  if (labels.size === 0) return;
  const names = reports.flatMap(collectMethodNames);
  const known = new Set(names.flatMap((name) => [name, ...name.split(', ')]));
  for (const name of labels.keys())
    if (!known.has(name)) throw unknownNameError('method of --label', name, [...known]);
}
