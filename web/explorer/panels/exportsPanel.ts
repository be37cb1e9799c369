/** Exports: command lines, jobs, pictures, a study file, a link. */
import { formatCsvValue } from '../../../host/format/csv.js';
import { pngOf, saveAsFile } from '../../figures/saving.js';
import { shareableAddress } from '../address.js';
import type { ExplorerController } from '../controller.js';
import { button, commandLine, h } from '../dom.js';
import type { GanttChart } from '../gantt/chart.js';
import { ganttPicture } from '../gantt/picture.js';
import type { ExplorerModel } from '../model.js';
import type { RunData } from '../protocol.js';

/** Returns the metrics of all runs as CSV, one line per run. */
function metricsAsCsv(runs: readonly RunData[]): string {
  const names = [...new Set(runs.flatMap(({ metrics }) => metrics.map(({ name }) => name)))];
  const lines = names.map((name) => {
    const found = runs.map(({ metrics }) => metrics.find((metric) => metric.name === name));
    const unit = found.find((metric) => metric !== undefined)?.unit ?? '';
    return [name, unit, ...found.map((metric) => metric?.value ?? null)];
  });
  const head = ['metric', 'unit', ...runs.map(({ label }) => label)];
  return [head, ...lines].map((cells) => `${cells.map(formatCsvValue).join(',')}\n`).join('');
}

/**
 * Returns the command for all methods with the commands of single methods folded, or the one command of a
 * single method.
 */
function commandsOf({ outcome }: ExplorerModel): HTMLElement[] {
  const { commands = [], comparison } = outcome ?? {};
  const lines = commands.map(commandLine);
  const parts = h('details', {}, h('summary', {}, 'One command for each method'), ...lines);
  return comparison === undefined ? lines : [commandLine(comparison), parts];
}

/** Saves the Gantt charts as they are visible. */
async function savePicture(
  model: ExplorerModel,
  charts: readonly GanttChart[],
  kind: 'svg' | 'png',
): Promise<void> {
  if (model.run === undefined) return;
  const drawing = ganttPicture(model, charts);
  if (kind === 'svg') return saveAsFile('gantt.svg', 'image/svg+xml', drawing);
  saveAsFile('gantt.png', 'image/png', await pngOf(drawing));
}

export function exportsPanel(
  controller: ExplorerController,
  charts: readonly GanttChart[],
  replications: () => number,
): HTMLElement {
  const { model } = controller;
  const commands = h('div', { className: 'commands' });
  const description = h('span', { role: 'status', className: 'told' });
  const take = async (what: 'csv' | 'study') => {
    const { run, view } = model;
    if (run === undefined) return;
    const file = await controller.client.ask('export', {
      ...{ run: run.id, what, replications: replications() },
      ...(what === 'csv' ? { from: -Infinity, to: Infinity } : { from: view.from, to: view.to }),
    });
    saveAsFile(file.name, file.type, file.text);
  };
  const copyPageLink = async () => {
    controller.remember();
    const link = shareableAddress(location.href);
    await navigator.clipboard?.writeText(link).catch(() => {});
    description.textContent =
      link === location.href
        ? 'The address of this page is the link; it is copied.'
        : 'The link is copied, without the token of this page; `gridalloc explore LINK` shows the same.';
  };
  model.outcomeChanged.on(() => {
    commands.replaceChildren(...commandsOf(model));
  });
  return h(
    'section',
    { className: 'card wide', id: 'take-away' },
    h('h2', {}, 'Export'),
    h('p', {}, 'The same numbers on the command line:'),
    commands,
    h(
      'div',
      { className: 'actions' },
      button('Copy a link', () => void copyPageLink()),
      button('jobs.csv', () => void take('csv'), 'Save the jobs of the upper chart as CSV'),
      button(
        'metrics.csv',
        () => saveAsFile('metrics.csv', 'text/csv', metricsAsCsv(model.runs)),
        'Save the table of metrics as CSV',
      ),
      button(
        'Gantt charts as SVG',
        () => void savePicture(model, charts, 'svg'),
        'Save the Gantt charts as they are shown as SVG',
      ),
      button(
        'as PNG',
        () => void savePicture(model, charts, 'png'),
        'Save the Gantt charts as they are shown as PNG',
      ),
      button('Study file', () => void take('study'), 'Save the methods and options as a study file'),
      description,
    ),
  );
}
