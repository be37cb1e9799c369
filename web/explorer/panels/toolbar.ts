/** Toolbar above the charts: runs, colours, zoom, search. */
import { formatCount } from '../../../host/format/numbers.js';
import { nameOfLogNumber } from '../../../host/trace/trace.js';
import type { ExplorerController } from '../controller.js';
import { createButton, createElement } from '../dom.js';
import { findAvailableColorings, JOB_COLORING_LABELS } from '../gantt/colors.js';
import type { ExplorerModel } from '../model.js';
import { describeJobInTwoLines } from '../words.js';

/** Number of search results listed. */
const MAX_SEARCH_RESULT_COUNT = 40;

function createLabelledSelect(
  id: string,
  labelText: string,
  onSelection: (value: string) => void,
): [HTMLElement, HTMLSelectElement] {
  const selectElement = createElement('select', { id, onchange: () => onSelection(selectElement.value) });
  return [
    createElement(
      'span',
      { className: 'tool' },
      createElement('label', { htmlFor: id }, labelText),
      selectElement,
    ),
    selectElement,
  ];
}

function fillSelectElement(
  selectElement: HTMLSelectElement,
  options: readonly (readonly [value: string, text: string])[],
  selectedValue: string,
): void {
  selectElement.replaceChildren(
    ...options.map(([optionValue, optionText]) =>
      createElement('option', { value: optionValue }, optionText),
    ),
  );
  selectElement.value = selectedValue;
}

/**
 * Finds jobs by name, or the jobs of a user for `user 7` or `user ann`; undefined if the log has no such
 * field.
 */
function findJobsByText(model: ExplorerModel, searchText: string): number[] | undefined {
  const { outcome } = model;
  if (outcome === undefined || searchText === '') return [];
  const { names, numberNames, count } = outcome.jobs;
  const [, kind, searchedNumber] = /^(user|queue)\s*(\d+|\b\S.*)$/.exec(searchText) ?? [];
  const namedField = kind === 'user' ? 'user' : 'queue';
  const column = outcome.jobs[namedField];
  if (searchedNumber !== undefined && column === undefined) return undefined;
  const doesJobMatch = (job: number) =>
    searchedNumber === undefined
      ? names[job] === searchText || names[job].startsWith(`${searchText}#`)
      : String(column?.[job]) === searchedNumber ||
        nameOfLogNumber(numberNames, namedField, column?.[job] ?? -1) === searchedNumber;
  return Array.from({ length: count }, (_, job) => job).filter(doesJobMatch);
}

/** Creates the search for jobs by number or user. */
function createSearchPanel(model: ExplorerModel): HTMLElement {
  const searchResultList = createElement('ul', { className: 'found', hidden: true });
  const statusElement = createElement('span', { className: 'told', role: 'status' });
  const searchInput = createElement('input', {
    type: 'search',
    id: 'search',
    placeholder: 'job 17, or user 3',
    autocomplete: 'off',
    oninput: () => search(),
    onkeydown: (event: KeyboardEvent) => {
      if (event.key === 'Enter') searchResultList.querySelector('button')?.click();
    },
  });
  const search = () => {
    const searchText = searchInput.value.trim().replace(/^(?:job|#)\s*/, '');
    const matchingJobs = findJobsByText(model, searchText);
    const jobs = matchingJobs ?? [];
    const { outcome, run } = model;
    const countText =
      matchingJobs === undefined ? 'no such job, user or queue' : `${formatCount(jobs.length, 'job')} found`;
    statusElement.textContent = searchText === '' ? '' : countText;
    searchResultList.hidden = jobs.length === 0;
    model.matches = jobs.length > 1 ? new Set(jobs) : undefined;
    const makeJobSelector = (job: number) => () => {
      searchResultList.hidden = true;
      model.select(job, true);
    };
    if (outcome !== undefined && run !== undefined) {
      searchResultList.replaceChildren(
        ...jobs
          .slice(0, MAX_SEARCH_RESULT_COUNT)
          .map((job) =>
            createElement(
              'li',
              {},
              createButton(
                describeJobInTwoLines(outcome, run, job).join(', '),
                makeJobSelector(job),
                undefined,
                'link',
              ),
            ),
          ),
      );
    }
    model.viewChanged.notify();
  };
  return createElement(
    'div',
    { className: 'tool search', role: 'search' },
    createElement('label', { htmlFor: 'search' }, 'find'),
    searchInput,
    statusElement,
    searchResultList,
  );
}

export function createToolbar(controller: ExplorerController): HTMLElement {
  const { model } = controller;
  const notifyViewChanged = () => model.viewChanged.notify();
  const [upper, upperSelect] = createLabelledSelect('upper', 'chart', (value) => {
    model.shown = [Number(value), model.shown[1]];
    model.outcomeChanged.notify();
    controller.recordHistoryStepLater();
  });
  const [lower, lowerSelect] = createLabelledSelect('lower', 'below', (value) => {
    model.shown = [model.shown[0], Number(value)];
    model.outcomeChanged.notify();
    controller.recordHistoryStepLater();
  });
  const [colors, colorSelect] = createLabelledSelect('coloring', 'colour', (value) => {
    model.coloring = value as ExplorerModel['coloring'];
    notifyViewChanged();
  });
  const makeZoomHandler = (scaleFactor: number) => () => {
    model.view.zoom(scaleFactor);
    notifyViewChanged();
  };
  const zoomButtonGroup = createElement(
    'span',
    { className: 'tool' },
    createButton('+', makeZoomHandler(2), 'Zoom in'),
    createButton('−', makeZoomHandler(0.5), 'Zoom out'),
    createButton(
      'All',
      () => {
        model.view.show(...model.view.whole);
        notifyViewChanged();
      },
      'Show all of the time',
    ),
  );
  model.outcomeChanged.on(() => {
    const { outcome, runs, shown: shownRuns } = model;
    if (outcome === undefined) return;
    const runNames = runs.map(({ label: runLabel }, i) => [String(i), runLabel] as const);
    fillSelectElement(upperSelect, runNames, String(shownRuns[0]));
    fillSelectElement(lowerSelect, [['-1', 'none'], ...runNames], String(shownRuns[1]));
    const availableColorings = findAvailableColorings(outcome.jobs, shownRuns[1] < 0 ? 1 : runs.length);
    const isCompared = availableColorings.includes('difference') && model.disagreements().length > 0;
    const defaultValue = isCompared ? 'difference' : 'wait';
    const isChosen = model.coloring !== model.defaultColoring && availableColorings.includes(model.coloring);
    if (!isChosen) model.coloring = defaultValue;
    model.defaultColoring = defaultValue;
    fillSelectElement(
      colorSelect,
      availableColorings.map((availableColoring) => [
        availableColoring,
        JOB_COLORING_LABELS[availableColoring],
      ]),
      model.coloring,
    );
    lower.hidden = runs.length < 2;
  });
  const toolElements = [upper, lower, colors, zoomButtonGroup, createSearchPanel(model)];
  return createElement('div', { className: 'toolbar' }, ...toolElements);
}
