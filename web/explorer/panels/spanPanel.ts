/**
 * Selected time span: its metrics under the visible runs, the reasons for waits in it, and its jobs to save
 * or to simulate alone.
 */
import { formatDuration, formatNumber, formatValue } from '../../../host/format/numbers.js';
import { saveAsFile } from '../../figures/saving.js';
import { lookOfRun } from '../charts/looks.js';
import type { ExplorerController } from '../controller.js';
import { button, colorSquare, h, labelCells, replaceChildren } from '../dom.js';
import { JOB_LISTS } from '../lists.js';
import { currentTheme, type ExplorerModel } from '../model.js';
import type { SpanAnswer } from '../protocol.js';
import { jobList } from './findPanel.js';

const percent = (share: number) => formatValue(share, { style: 'percent' });

/** Rows of the table: name, and text for a run. */
const ROWS: readonly (readonly [name: string, text: (answer: SpanAnswer) => string])[] = [
  ['jobs submitted', ({ jobs }) => formatNumber(jobs)],
  ['of them started at once', ({ jobs, withoutWait: atOnce }) => (jobs === 0 ? '–' : percent(atOnce / jobs))],
  ['their mean wait', ({ meanWait }) => formatDuration(Math.round(meanWait))],
  ['their longest wait', ({ longestWait }) => formatDuration(Math.round(longestWait))],
  ['their mean bounded slowdown', ({ slowdown }) => formatNumber(slowdown, 2)],
  ['utilization', ({ utilization }) => percent(utilization)],
  ['waiting jobs, on average', ({ waiting }) => formatNumber(waiting, 1)],
  ['waiting without room', ({ tooFewFree: withoutRoom }) => percent(withoutRoom)],
  ['waiting behind others, with room', ({ enoughFree: withRoom }) => percent(withRoom)],
];

type ValueInterval = readonly [number, number];

const SPAN_ACCOUNT_NOTE =
  'Waiting is counted in job-seconds of this span: without room no site had as many processors free as the job requests; with room one had, and the jobs before it, or their reservations, kept it back. Click on a job for its explanation.';

/** Saves the jobs submitted in a span. */
async function saveJobs({ model, client }: ExplorerController, [from, to]: ValueInterval): Promise<void> {
  const { run } = model;
  if (run === undefined) return;
  const file = await client.ask('export', { run: run.id, what: 'csv', replications: 1, from, to });
  saveAsFile(file.name, file.type, file.text);
}

/** Simulates only the jobs submitted in a span. */
function simulateAlone(controller: ExplorerController, [from, to]: ValueInterval): void {
  const { setup } = controller.model;
  const own = `time=${Math.floor(from)}-${Math.ceil(to)}`;
  const { filter } = setup.options;
  const options = { ...setup.options, filter: filter === undefined ? own : `${filter};${own}` };
  controller.change({ ...setup, options });
}

/** Creates the table of a span, one column per run. */
function spanTable(model: ExplorerModel, answers: readonly SpanAnswer[]): HTMLElement {
  const places = model.shown.filter((place) => place >= 0);
  const heads = places.map((place) =>
    h(
      'th',
      { scope: 'col' },
      colorSquare(lookOfRun(place, currentTheme()).color),
      ` ${model.runs[place].label}`,
    ),
  );
  const rows = ROWS.map(([name, text]) =>
    h('tr', {}, h('th', { scope: 'row' }, name), ...answers.map((answer) => h('td', {}, text(answer)))),
  );
  const head = h('thead', {}, h('tr', {}, h('td'), ...heads));
  return labelCells(h('table', { className: 'span' }, head, h('tbody', {}, ...rows)));
}

/** Creates the buttons of a span. */
function spanActions(controller: ExplorerController, span: ValueInterval): HTMLElement {
  const { model } = controller;
  const zoom = () => {
    model.view.show(...span);
    model.viewChanged.notify();
  };
  return h(
    'div',
    { className: 'actions' },
    button('Zoom to the span', zoom),
    button(
      'jobs.csv of the span',
      () => void saveJobs(controller, span),
      'Save the jobs submitted in the span',
    ),
    button(
      'Simulate the span alone',
      () => simulateAlone(controller, span),
      'Only the jobs submitted in the span, on an empty machine',
    ),
    button('Clear', () => model.selectSpan(undefined)),
  );
}

function show(
  body: HTMLElement,
  controller: ExplorerController,
  answers: readonly SpanAnswer[],
  span: ValueInterval,
): void {
  const { model } = controller;
  const { run, other } = model;
  if (run === undefined) return;
  const [{ holders }] = answers;
  const held = holders.map(({ name, share }) => `${name} (${percent(share)})`).join(', ');
  const when = h('b', {}, `${model.when(span[0])} to ${model.when(span[1])}`);
  replaceChildren(
    body,
    h('p', {}, when, `, ${formatDuration(Math.round(span[1] - span[0]))}`),
    spanTable(model, answers),
    h('p', { className: 'hint' }, SPAN_ACCOUNT_NOTE),
    holders.length > 0 && h('p', {}, `Most of the processors were held by ${held}.`),
    h('h3', {}, 'Longest waits in the span'),
    jobList(model, JOB_LISTS[0], [run, other ?? run], span),
    spanActions(controller, span),
  );
}

export function spanPanel(controller: ExplorerController): HTMLElement {
  const { model } = controller;
  const body = h('div', { 'aria-live': 'polite' });
  let requestCount = 0;
  const empty = () =>
    body.replaceChildren(
      h(
        'p',
        { className: 'hint' },
        'Hold Shift and drag over a chart to select a span of time, or use the time shown.',
      ),
      button('Select the time shown', () => model.selectSpan([model.view.from, model.view.to])),
    );
  const ask = async () => {
    const { span, shown, runs } = model;
    const ownRequestNumber = ++requestCount;
    if (span === undefined) return empty();
    const ids = shown.flatMap((place) => (runs[place] === undefined ? [] : [runs[place].id]));
    const pendingAnswers = ids.map((run) =>
      controller.client.ask('span', { run, from: span[0], to: span[1] }),
    );
    try {
      const answers = await Promise.all(pendingAnswers);
      if (ownRequestNumber === requestCount) show(body, controller, answers, span);
    } catch (error) {
      if (ownRequestNumber === requestCount)
        body.replaceChildren(h('p', { className: 'fault' }, (error as Error).message));
    }
  };
  empty();
  let timer = 0;
  model.spanChanged.on(() => {
    clearTimeout(timer);
    timer = window.setTimeout(() => {
      void ask();
      controller.remember();
    }, 150);
  });
  model.outcomeChanged.on(() => void ask());
  return h('section', {}, body);
}
