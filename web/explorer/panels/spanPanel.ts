/**
 * Selected time span: its metrics under the visible runs, the reasons for waits in it, and its jobs to save
 * or to simulate alone.
 */
import { formatDuration, formatNumber, formatValue } from '../../../host/format/numbers.js';
import { saveAsFile } from '../../figures/saving.js';
import { colorAndDashOfRun } from '../charts/looks.js';
import type { ExplorerController } from '../controller.js';
import { createButton, createColorSquare, createElement, labelTableCells, replaceChildren } from '../dom.js';
import { JOB_LISTS } from '../lists.js';
import { currentTheme, type ExplorerModel } from '../model.js';
import type { TimeSpanMetrics } from '../protocol.js';
import { createJobList } from './findPanel.js';

const formatSharePercent = (timeShare: number) => formatValue(timeShare, { style: 'percent' });

/** Rows of the table: name, and text for a run. */
const SPAN_TABLE_ROW_DEFINITIONS: readonly (readonly [
  name: string,
  text: (spanMetrics: TimeSpanMetrics) => string,
])[] = [
  ['jobs submitted', ({ jobs }) => formatNumber(jobs)],
  [
    'of them started at once',
    ({ jobs, withoutWait }) => (jobs === 0 ? '–' : formatSharePercent(withoutWait / jobs)),
  ],
  ['their mean wait', ({ meanWait }) => formatDuration(Math.round(meanWait))],
  ['their longest wait', ({ longestWait }) => formatDuration(Math.round(longestWait))],
  ['their mean bounded slowdown', ({ slowdown }) => formatNumber(slowdown, 2)],
  ['utilization', ({ utilization }) => formatSharePercent(utilization)],
  ['waiting jobs, on average', ({ waiting }) => formatNumber(waiting, 1)],
  ['waiting without room', ({ tooFewFree }) => formatSharePercent(tooFewFree)],
  ['waiting behind others, with room', ({ enoughFree }) => formatSharePercent(enoughFree)],
];

type TimeInterval = readonly [number, number];

const SPAN_WAITING_NOTE =
  'Waiting is counted in job-seconds of this span: without room no site had as many processors free as the job requests; with room one had, and the jobs before it, or their reservations, kept it back. Click on a job for its explanation.';

/** Saves the jobs submitted in a span. */
async function exportAndSaveJobsOfSpan(
  { model, client }: ExplorerController,
  [from, to]: TimeInterval,
): Promise<void> {
  const { run } = model;
  if (run === undefined) return;
  const file = await client.ask('export', { run: run.id, content: 'csv', replications: 1, from, to });
  saveAsFile(file.name, file.type, file.text);
}

/** Simulates only the jobs submitted in a span. */
function simulateSpanAlone(controller: ExplorerController, [from, to]: TimeInterval): void {
  const { setup } = controller.model;
  const spanFilterText = `time=${Math.floor(from)}-${Math.ceil(to)}`;
  const { filter } = setup.options;
  const options = {
    ...setup.options,
    filter: filter === undefined ? spanFilterText : `${filter};${spanFilterText}`,
  };
  controller.change({ ...setup, options });
}

/** Creates the table of a span, one column per run. */
function createSpanTable(model: ExplorerModel, spanMetricsOfRuns: readonly TimeSpanMetrics[]): HTMLElement {
  const runIndices = model.shown.filter((runIndex) => runIndex >= 0);
  const heads = runIndices.map((runIndex) =>
    createElement(
      'th',
      { scope: 'col' },
      createColorSquare(colorAndDashOfRun(runIndex, currentTheme()).color),
      ` ${model.runs[runIndex].label}`,
    ),
  );
  const rows = SPAN_TABLE_ROW_DEFINITIONS.map(([name, formatMetric]) =>
    createElement(
      'tr',
      {},
      createElement('th', { scope: 'row' }, name),
      ...spanMetricsOfRuns.map((spanMetrics) => createElement('td', {}, formatMetric(spanMetrics))),
    ),
  );
  const tableHead = createElement('thead', {}, createElement('tr', {}, createElement('td'), ...heads));
  return labelTableCells(
    createElement('table', { className: 'span' }, tableHead, createElement('tbody', {}, ...rows)),
  );
}

/** Creates the buttons of a span. */
function createSpanButtons(controller: ExplorerController, span: TimeInterval): HTMLElement {
  const { model } = controller;
  const zoomToSpan = () => {
    model.view.show(...span);
    model.viewChanged.notify();
  };
  return createElement(
    'div',
    { className: 'actions' },
    createButton('Zoom to the span', zoomToSpan),
    createButton(
      'jobs.csv of the span',
      () => void exportAndSaveJobsOfSpan(controller, span),
      'Save the jobs submitted in the span',
    ),
    createButton(
      'Simulate the span alone',
      () => simulateSpanAlone(controller, span),
      'Only the jobs submitted in the span, on an empty machine',
    ),
    createButton('Clear', () => model.selectSpan(undefined)),
  );
}

function showSpanResults(
  spanPanelBody: HTMLElement,
  controller: ExplorerController,
  spanMetricsOfRuns: readonly TimeSpanMetrics[],
  span: TimeInterval,
): void {
  const { model } = controller;
  const { run, other: otherRun } = model;
  if (run === undefined) return;
  const [{ holders }] = spanMetricsOfRuns;
  const processorHolderNamesText = holders
    .map(({ name, share }) => `${name} (${formatSharePercent(share)})`)
    .join(', ');
  const spanTimesElement = createElement('b', {}, `${model.when(span[0])} to ${model.when(span[1])}`);
  replaceChildren(
    spanPanelBody,
    createElement('p', {}, spanTimesElement, `, ${formatDuration(Math.round(span[1] - span[0]))}`),
    createSpanTable(model, spanMetricsOfRuns),
    createElement('p', { className: 'hint' }, SPAN_WAITING_NOTE),
    holders.length > 0 &&
      createElement('p', {}, `Most of the processors were held by ${processorHolderNamesText}.`),
    createElement('h3', {}, 'Longest waits in the span'),
    createJobList(model, JOB_LISTS[0], [run, otherRun ?? run], span),
    createSpanButtons(controller, span),
  );
}

export function createSpanPanel(controller: ExplorerController): HTMLElement {
  const { model } = controller;
  const spanPanelBody = createElement('div', { 'aria-live': 'polite' });
  let requestCount = 0;
  const showSelectSpanHint = () =>
    spanPanelBody.replaceChildren(
      createElement(
        'p',
        { className: 'hint' },
        'Hold Shift and drag over a chart to select a span of time, or use the time shown.',
      ),
      createButton('Select the time shown', () => model.selectSpan([model.view.from, model.view.to])),
    );
  const requestAndShowSpanMetrics = async () => {
    const { span, shown: shownRuns, runs } = model;
    const thisRequestNumber = ++requestCount;
    if (span === undefined) return showSelectSpanHint();
    const ids = shownRuns.flatMap((runIndex) => (runs[runIndex] === undefined ? [] : [runs[runIndex].id]));
    const spanMetricsPromises = ids.map((runId) =>
      controller.client.ask('span', { run: runId, from: span[0], to: span[1] }),
    );
    try {
      const spanMetricsOfRuns = await Promise.all(spanMetricsPromises);
      if (thisRequestNumber === requestCount)
        showSpanResults(spanPanelBody, controller, spanMetricsOfRuns, span);
    } catch (error) {
      if (thisRequestNumber === requestCount)
        spanPanelBody.replaceChildren(createElement('p', { className: 'fault' }, (error as Error).message));
    }
  };
  showSelectSpanHint();
  let timer = 0;
  model.spanChanged.on(() => {
    clearTimeout(timer);
    timer = window.setTimeout(() => {
      void requestAndShowSpanMetrics();
      controller.recordHistoryStepLater();
    }, 150);
  });
  model.outcomeChanged.on(() => void requestAndShowSpanMetrics());
  return createElement('section', {}, spanPanelBody);
}
