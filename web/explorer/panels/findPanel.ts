/** Finds notable jobs, and the next time at which two methods differ. */
import { formatCount } from '../../../host/format/numbers.js';
import type { ExplorerController } from '../controller.js';
import { createButton, createElement } from '../dom.js';
import { findFirstJobsOfList, JOB_LISTS, type JobListKind } from '../lists.js';
import type { ExplorerModel } from '../model.js';
import type { FinishedRunData, SimulatedSetupOutcome } from '../protocol.js';
import { createWaitsByClassTable, titleOfWaitsByClass } from './waitsByClass.js';

/** Creates a list of buttons, one for each job. */
export function createJobList(
  model: ExplorerModel,
  listKind: JobListKind,
  runs: readonly [FinishedRunData, FinishedRunData],
  span?: readonly [number, number],
): HTMLElement {
  const { jobs } = model.outcome as SimulatedSetupOutcome;
  const listedJobs = findFirstJobsOfList(listKind, jobs, ...runs, span);
  if (listedJobs.length === 0) return createElement('p', { className: 'hint' }, listKind.emptyText);
  return createElement(
    'ol',
    { className: 'jobs' },
    ...listedJobs.map(({ job, value: listedJobValue }) => {
      const valueTexts = listKind.text === undefined ? [] : [listKind.text(listedJobValue)];
      const buttonTexts = [
        `job ${jobs.names[job]}`,
        ...valueTexts,
        formatCount(runs[0].held[job], 'processor'),
      ];
      const selectJob = () => model.select(job, true);
      return createElement(
        'li',
        {},
        createButton(buttonTexts.join(', '), selectJob, `Show job ${jobs.names[job]}`, 'link'),
      );
    }),
  );
}

/** Returns the next time after the selected one at which a job starts in only one chart. */
export function findNextDifferingStartTime(model: ExplorerModel): number | undefined {
  const currentTime = model.cursor ?? model.view.from;
  return model.disagreements().find((time) => time > currentTime) ?? model.disagreements()[0];
}

/** Creates a button that chooses a list and keeps the focus. */
function createListChoiceButton(listName: string, isShown: boolean, onListChosen: () => void): HTMLElement {
  const listChoiceButton = createButton(listName, () => {
    const listChoiceButtonGroup = listChoiceButton.parentElement;
    onListChosen();
    listChoiceButtonGroup?.querySelector<HTMLElement>('[aria-pressed="true"]')?.focus();
  });
  listChoiceButton.setAttribute('aria-pressed', String(isShown));
  return listChoiceButton;
}

/** Shows the next job that starts in only one chart, and the time of its start. */
function showNextDifferingStart(model: ExplorerModel): void {
  const time = findNextDifferingStartTime(model);
  const { run, other: otherRun } = model;
  if (time === undefined || run === undefined || otherRun === undefined) return;
  const job = run.start.findIndex(
    (start, i) => Math.min(start, otherRun.start[i]) === time && Math.abs(start - otherRun.start[i]) >= 1,
  );
  model.selectTime(time);
  if (job >= 0) model.select(job, true);
}

/** Returns the panel, and a function that shows one of its lists. */
export function createFindPanel(controller: ExplorerController): {
  readonly element: HTMLElement;
  readonly showList: (listKind: JobListKind) => void;
} {
  const { model } = controller;
  const waitsTable = createWaitsByClassTable(controller);
  let shownList: JobListKind | 'who' = JOB_LISTS[0];
  const choices = createElement('div', { className: 'pills', role: 'group', 'aria-label': 'Lists of jobs' });
  const description = createElement('p', { className: 'hint' });
  const panelBody = createElement('div', { 'aria-live': 'polite' });
  const nextButton = createButton(
    'Next moment at which they differ',
    () => showNextDifferingStart(model),
    'The next time at which a job starts in one chart and not in the other',
  );
  const render = () => {
    const { run, other, outcome } = model;
    if (run === undefined || outcome === undefined) return;
    const availableLists = JOB_LISTS.filter(({ comparesRuns }) => !comparesRuns || other !== undefined);
    if (shownList !== 'who' && !availableLists.includes(shownList)) [shownList] = availableLists;
    const chooseList = (listKind: JobListKind | 'who') => () => {
      shownList = listKind;
      render();
    };
    choices.replaceChildren(
      ...availableLists.map((listKind) =>
        createListChoiceButton(listKind.name, listKind === shownList, chooseList(listKind)),
      ),
      createListChoiceButton(titleOfWaitsByClass(model), shownList === 'who', chooseList('who')),
    );
    description.hidden = shownList === 'who';
    if (shownList === 'who') {
      panelBody.replaceChildren(waitsTable.element);
      void waitsTable.show();
    } else {
      waitsTable.clearSelection();
      const comparedTo = shownList.comparesRuns && other !== undefined ? `, against ${other.label}` : '';
      description.textContent = `Under ${run.label}${comparedTo}:`;
      panelBody.replaceChildren(createJobList(model, shownList, [run, other ?? run]));
    }
    nextButton.hidden = other === undefined;
    nextButton.disabled = model.disagreements().length === 0;
  };
  model.outcomeChanged.on(render);
  const showList = (listKind: JobListKind) => {
    shownList = listKind;
    render();
  };
  return {
    element: createElement(
      'section',
      {},
      choices,
      description,
      panelBody,
      createElement('div', { className: 'actions' }, nextButton),
    ),
    showList,
  };
}
