/** Exports: command lines, jobs, pictures, a study file, a link. */
import { formatCsvValue } from '../../../host/format/csv.js';
import { renderSvgAsPng, saveAsFile } from '../../figures/saving.js';
import { removeTokenFromAddress } from '../address.js';
import type { ExplorerController } from '../controller.js';
import { createButton, createCommandLine, createElement } from '../dom.js';
import type { GanttChart } from '../gantt/chart.js';
import { drawVisibleChartsAsSvg } from '../gantt/picture.js';
import type { ExplorerModel } from '../model.js';
import type { FinishedRunData } from '../protocol.js';

/** Returns the metrics of all runs as CSV, one line per metric and one column per run. */
function formatMetricsAsCsv(runs: readonly FinishedRunData[]): string {
  const metricNames = [
    ...new Set(runs.flatMap(({ metrics }) => metrics.map(({ name: metricName }) => metricName))),
  ];
  const rows = metricNames.map((metricName) => {
    const metricOfEachRun = runs.map(({ metrics }) => metrics.find((metric) => metric.name === metricName));
    const metricUnit = metricOfEachRun.find((metric) => metric !== undefined)?.unit ?? '';
    return [metricName, metricUnit, ...metricOfEachRun.map((metric) => metric?.value ?? null)];
  });
  const headCells = ['metric', 'unit', ...runs.map(({ label: runLabel }) => runLabel)];
  return [headCells, ...rows].map((cells) => `${cells.map(formatCsvValue).join(',')}\n`).join('');
}

/**
 * Returns the command for all methods with the commands of single methods folded, or the one command of a
 * single method.
 */
function createCommandElements({ outcome }: ExplorerModel): HTMLElement[] {
  const { commands = [], comparison } = outcome ?? {};
  const commandLines = commands.map(createCommandLine);
  const commandDetails = createElement(
    'details',
    {},
    createElement('summary', {}, 'One command for each method'),
    ...commandLines,
  );
  return comparison === undefined ? commandLines : [createCommandLine(comparison), commandDetails];
}

/** Saves the Gantt charts as they are visible. */
async function saveGanttPicture(
  model: ExplorerModel,
  ganttCharts: readonly GanttChart[],
  fileFormat: 'svg' | 'png',
): Promise<void> {
  if (model.run === undefined) return;
  const drawing = drawVisibleChartsAsSvg(model, ganttCharts);
  if (fileFormat === 'svg') return saveAsFile('gantt.svg', 'image/svg+xml', drawing);
  saveAsFile('gantt.png', 'image/png', await renderSvgAsPng(drawing));
}

/** Saves the shown schedule's jobs as CSV, or its methods and options as a study file. */
async function exportAndSaveFile(
  { client, model }: ExplorerController,
  content: 'csv' | 'study',
  replications: number,
): Promise<void> {
  const { run, view: visibleRange } = model;
  if (run === undefined) return;
  const file = await client.ask('export', {
    ...{ run: run.id, content, replications },
    ...(content === 'csv'
      ? { from: -Infinity, to: Infinity }
      : { from: visibleRange.from, to: visibleRange.to }),
  });
  saveAsFile(file.name, file.type, file.text);
}

export function createExportsPanel(
  controller: ExplorerController,
  ganttCharts: readonly GanttChart[],
  readReplicationCount: () => number,
): HTMLElement {
  const { model } = controller;
  const commands = createElement('div', { className: 'commands' });
  const statusElement = createElement('span', { role: 'status', className: 'told' });
  const copyPageLinkToClipboard = async () => {
    controller.recordHistoryStepLater();
    const link = removeTokenFromAddress(location.href);
    await navigator.clipboard?.writeText(link).catch(() => {});
    statusElement.textContent =
      link === location.href
        ? 'The address of this page is the link; it is copied.'
        : 'The link is copied, without the token of this page; `gridalloc explore LINK` shows the same.';
  };
  model.outcomeChanged.on(() => {
    commands.replaceChildren(...createCommandElements(model));
  });
  return createElement(
    'section',
    { className: 'card wide', id: 'take-away' },
    createElement('h2', {}, 'Export'),
    createElement('p', {}, 'The same numbers on the command line:'),
    commands,
    createElement(
      'div',
      { className: 'actions' },
      createButton('Copy a link', () => void copyPageLinkToClipboard()),
      createButton(
        'jobs.csv',
        () => void exportAndSaveFile(controller, 'csv', readReplicationCount()),
        'Save the jobs of the upper chart as CSV',
      ),
      createButton(
        'metrics.csv',
        () => saveAsFile('metrics.csv', 'text/csv', formatMetricsAsCsv(model.runs)),
        'Save the table of metrics as CSV',
      ),
      createButton(
        'Gantt charts as SVG',
        () => void saveGanttPicture(model, ganttCharts, 'svg'),
        'Save the Gantt charts as they are shown as SVG',
      ),
      createButton(
        'as PNG',
        () => void saveGanttPicture(model, ganttCharts, 'png'),
        'Save the Gantt charts as they are shown as PNG',
      ),
      createButton(
        'Study file',
        () => void exportAndSaveFile(controller, 'study', readReplicationCount()),
        'Save the methods and options as a study file',
      ),
      statusElement,
    ),
  );
}
