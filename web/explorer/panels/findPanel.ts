/** Finds notable jobs, and the next time at which two methods differ. */
import { formatCount } from '../../../host/format/numbers.js';
import type { ExplorerController } from '../controller.js';
import { createButton, createElement } from '../dom.js';
import { firstJobsOfList, JOB_LISTS, type JobListKind } from '../lists.js';
import type { ExplorerModel } from '../model.js';
import type { FinishedRunData, SimulatedSetupOutcome } from '../protocol.js';
import { createWaitsByClassTable, titleOfWaitsByClass } from './waitsByClass.js';

/** Creates a list of buttons, one for each job. */
export function createJobList(
  model: ExplorerModel,
  kind: JobListKind,
  runs: readonly [FinishedRunData, FinishedRunData],
  span?: readonly [number, number],
): HTMLElement {
  const { jobs } = model.outcome as SimulatedSetupOutcome;
  const found = firstJobsOfList(kind, jobs, ...runs, span);
  if (found.length === 0) return createElement('p', { className: 'hint' }, kind.emptyText);
  return createElement(
    'ol',
    { className: 'jobs' },
    ...found.map(({ job, value }) => {
      const messages = kind.text === undefined ? [] : [kind.text(value)];
      const words = [`job ${jobs.names[job]}`, ...messages, formatCount(runs[0].held[job], 'processor')];
      const take = () => model.select(job, true);
      return createElement(
        'li',
        {},
        createButton(words.join(', '), take, `Show job ${jobs.names[job]}`, 'link'),
      );
    }),
  );
}

/** Returns the next time after the selected one at which a job starts in only one chart. */
export function nextTimeOfDisagreement(model: ExplorerModel): number | undefined {
  const here = model.cursor ?? model.view.from;
  return model.disagreements().find((time) => time > here) ?? model.disagreements()[0];
}

/** Creates a button that chooses a list and keeps the focus. */
function createListChoiceButton(name: string, isShown: boolean, choose: () => void): HTMLElement {
  const pillButton = createButton(name, () => {
    const group = pillButton.parentElement;
    choose();
    group?.querySelector<HTMLElement>('[aria-pressed="true"]')?.focus();
  });
  pillButton.setAttribute('aria-pressed', String(isShown));
  return pillButton;
}

/** Shows the next job that starts in only one chart, and the time of its start. */
function showNextDisagreement(model: ExplorerModel): void {
  const time = nextTimeOfDisagreement(model);
  const { run, other } = model;
  if (time === undefined || run === undefined || other === undefined) return;
  const job = run.start.findIndex(
    (start, i) => Math.min(start, other.start[i]) === time && Math.abs(start - other.start[i]) >= 1,
  );
  model.moveTo(time);
  if (job >= 0) model.select(job, true);
}

/** Returns the panel, and a function that shows one of its lists. */
export function createFindPanel(controller: ExplorerController): {
  readonly element: HTMLElement;
  readonly list: (kind: JobListKind) => void;
} {
  const { model } = controller;
  const who = createWaitsByClassTable(controller);
  let shown: JobListKind | 'who' = JOB_LISTS[0];
  const choices = createElement('div', { className: 'pills', role: 'group', 'aria-label': 'Lists of jobs' });
  const description = createElement('p', { className: 'hint' });
  const body = createElement('div', { 'aria-live': 'polite' });
  const next = createButton(
    'Next moment at which they differ',
    () => showNextDisagreement(model),
    'The next time at which a job starts in one chart and not in the other',
  );
  const render = () => {
    const { run, other, outcome } = model;
    if (run === undefined || outcome === undefined) return;
    const kinds = JOB_LISTS.filter(({ comparesRuns: isCompared }) => !isCompared || other !== undefined);
    if (shown !== 'who' && !kinds.includes(shown)) [shown] = kinds;
    const choose = (kind: JobListKind | 'who') => () => {
      shown = kind;
      render();
    };
    choices.replaceChildren(
      ...kinds.map((kind) => createListChoiceButton(kind.name, kind === shown, choose(kind))),
      createListChoiceButton(titleOfWaitsByClass(model), shown === 'who', choose('who')),
    );
    description.hidden = shown === 'who';
    if (shown === 'who') {
      body.replaceChildren(who.element);
      void who.show();
    } else {
      who.clearSelection();
      const comparisonSuffix = shown.comparesRuns && other !== undefined ? `, against ${other.label}` : '';
      description.textContent = `Under ${run.label}${comparisonSuffix}:`;
      body.replaceChildren(createJobList(model, shown, [run, other ?? run]));
    }
    next.hidden = other === undefined;
    next.disabled = model.disagreements().length === 0;
  };
  model.outcomeChanged.on(render);
  const list = (kind: JobListKind) => {
    shown = kind;
    render();
  };
  return {
    element: createElement(
      'section',
      {},
      choices,
      description,
      body,
      createElement('div', { className: 'actions' }, next),
    ),
    list,
  };
}
