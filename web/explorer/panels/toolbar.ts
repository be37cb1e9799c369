/** Toolbar above the charts: runs, colours, zoom, search. */
import { formatCount } from '../../../host/format/numbers.js';
import { nameOfLogNumber } from '../../../host/trace/trace.js';
import type { ExplorerController } from '../controller.js';
import { button, h } from '../dom.js';
import { COLORING_LABELS, coloringsFor } from '../gantt/colors.js';
import type { ExplorerModel } from '../model.js';
import { jobFacts } from '../words.js';

/** Number of search results listed. */
const MAX_SEARCH_RESULTS = 40;

function choice(id: string, label: string, tell: (value: string) => void): [HTMLElement, HTMLSelectElement] {
  const select = h('select', { id, onchange: () => tell(select.value) });
  return [h('span', { className: 'tool' }, h('label', { htmlFor: id }, label), select), select];
}

function fill(
  select: HTMLSelectElement,
  options: readonly (readonly [value: string, text: string])[],
  value: string,
): void {
  select.replaceChildren(...options.map(([each, text]) => h('option', { value: each }, text)));
  select.value = value;
}

/**
 * Finds jobs by name, or the jobs of a user for `user 7` or `user ann`; undefined if the log has no such
 * field.
 */
function find(model: ExplorerModel, text: string): number[] | undefined {
  const { outcome } = model;
  if (outcome === undefined || text === '') return [];
  const { names, numberNames: called, count } = outcome.jobs;
  const [, kind, number] = /^(user|queue)\s*(\d+|\b\S.*)$/.exec(text) ?? [];
  const field = kind === 'user' ? 'user' : 'queue';
  const column = outcome.jobs[field];
  if (number !== undefined && column === undefined) return undefined;
  const matches = (job: number) =>
    number === undefined
      ? names[job] === text || names[job].startsWith(`${text}#`)
      : String(column?.[job]) === number || nameOfLogNumber(called, field, column?.[job] ?? -1) === number;
  return Array.from({ length: count }, (_, job) => job).filter(matches);
}

/** Creates the search for jobs by number or user. */
function searchPanel(model: ExplorerModel): HTMLElement {
  const list = h('ul', { className: 'found', hidden: true });
  const status = h('span', { className: 'told', role: 'status' });
  const input = h('input', {
    type: 'search',
    id: 'search',
    placeholder: 'job 17, or user 3',
    autocomplete: 'off',
    oninput: () => search(),
    onkeydown: (event: KeyboardEvent) => {
      if (event.key === 'Enter') list.querySelector('button')?.click();
    },
  });
  const search = () => {
    const text = input.value.trim().replace(/^(?:job|#)\s*/, '');
    const found = find(model, text);
    const jobs = found ?? [];
    const { outcome, run } = model;
    const count =
      found === undefined ? 'no such job, user or queue' : `${formatCount(jobs.length, 'job')} found`;
    status.textContent = text === '' ? '' : count;
    list.hidden = jobs.length === 0;
    model.matches = jobs.length > 1 ? new Set(jobs) : undefined;
    const take = (job: number) => () => {
      list.hidden = true;
      model.select(job, true);
    };
    if (outcome !== undefined && run !== undefined) {
      list.replaceChildren(
        ...jobs
          .slice(0, MAX_SEARCH_RESULTS)
          .map((job) =>
            h('li', {}, button(jobFacts(outcome, run, job).join(', '), take(job), undefined, 'link')),
          ),
      );
    }
    model.viewChanged.notify();
  };
  return h(
    'div',
    { className: 'tool search', role: 'search' },
    h('label', { htmlFor: 'search' }, 'find'),
    input,
    status,
    list,
  );
}

export function toolbar(controller: ExplorerController): HTMLElement {
  const { model } = controller;
  const redrawView = () => model.viewChanged.notify();
  const [upper, upperSelect] = choice('upper', 'chart', (value) => {
    model.shown = [Number(value), model.shown[1]];
    model.outcomeChanged.notify();
    controller.remember();
  });
  const [lower, lowerSelect] = choice('lower', 'below', (value) => {
    model.shown = [model.shown[0], Number(value)];
    model.outcomeChanged.notify();
    controller.remember();
  });
  const [colors, colorSelect] = choice('coloring', 'colour', (value) => {
    model.coloring = value as ExplorerModel['coloring'];
    redrawView();
  });
  const zoom = (scaleFactor: number) => () => {
    model.view.zoom(scaleFactor);
    redrawView();
  };
  const buttons = h(
    'span',
    { className: 'tool' },
    button('+', zoom(2), 'Zoom in'),
    button('−', zoom(0.5), 'Zoom out'),
    button(
      'All',
      () => {
        model.view.show(...model.view.whole);
        redrawView();
      },
      'Show all of the time',
    ),
  );
  model.outcomeChanged.on(() => {
    const { outcome, runs, shown } = model;
    if (outcome === undefined) return;
    const names = runs.map(({ label }, i) => [String(i), label] as const);
    fill(upperSelect, names, String(shown[0]));
    fill(lowerSelect, [['-1', 'none'], ...names], String(shown[1]));
    const availableColorings = coloringsFor(outcome.jobs, shown[1] < 0 ? 1 : runs.length);
    const isCompared = availableColorings.includes('difference') && model.disagreements().length > 0;
    const defaultValue = isCompared ? 'difference' : 'wait';
    const isChosen = model.coloring !== model.defaultColoring && availableColorings.includes(model.coloring);
    if (!isChosen) model.coloring = defaultValue;
    model.defaultColoring = defaultValue;
    fill(
      colorSelect,
      availableColorings.map((each) => [each, COLORING_LABELS[each]]),
      model.coloring,
    );
    lower.hidden = runs.length < 2;
  });
  return h('div', { className: 'toolbar' }, upper, lower, colors, buttons, searchPanel(model));
}
