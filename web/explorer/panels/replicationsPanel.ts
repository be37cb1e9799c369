/** Methods over replications: how sure a difference is. */
import { type NumberFormat, valueText } from '../../../host/format/numbers.js';
import { valueLines } from '../../../host/show/comparisonValues.js';
import { intervalAxis, intervalPicture } from '../charts/intervals.js';
import type { Controller } from '../controller.js';
import { button, commandLine, h, save } from '../dom.js';
import type { Catalogue, Replicated, ReplicatedRow, Setup } from '../protocol.js';
import { Replicator } from '../replicator.js';
import { metricText } from '../words.js';

const USUAL_METRIC = 'averageResponseTime';

function rowOf(row: ReplicatedRow, place: number, { rows, format, unit }: Replicated): HTMLElement {
  const digits: NumberFormat = format.style === 'fixed' ? { style: 'measure' } : format;
  const text = (value: number) => metricText({ value, format: digits, unit });
  // Long times are rounded to what one reads; the seconds are beside them.
  const exact = (...values: readonly number[]) =>
    unit === 's' ? `${values.map((value) => valueText(value, digits)).join(' to ')} s` : undefined;
  const cells = [
    h('td', { title: exact(row.mean) }, text(row.mean)),
    h('td', { title: exact(row.low, row.high) }, `${text(row.low)} to ${text(row.high)}`),
    h('td', {}, valueText(row.bestIn, { style: 'percent' })),
    h('td', {}, row.behind),
  ];
  return h(
    'tr',
    { className: row.verdict === 'best' ? 'best' : '', 'data-mean': row.mean },
    h('th', { scope: 'row' }, row.label),
    h('td', {}, intervalPicture(rows, place)),
    ...cells,
    h('td', {}, row.verdict),
  );
}

function tableOf(judged: Replicated): HTMLElement {
  const heads = [
    'method',
    judged.label,
    'mean',
    judged.interval,
    'best in',
    'beside the best of the others',
    '',
  ];
  return h(
    'div',
    { className: 'scroll', tabIndex: 0, role: 'region', 'aria-label': 'Methods over replications' },
    h(
      'table',
      { className: 'replicated' },
      h(
        'thead',
        {},
        h('tr', {}, ...heads.map((head) => (head === '' ? h('td') : h('th', { scope: 'col' }, head)))),
      ),
      h('tbody', {}, ...judged.rows.map((row, place) => rowOf(row, place, judged))),
      h('tfoot', {}, h('tr', {}, h('td'), h('td', {}, intervalAxis(judged)), h('td', { colSpan: 5 }))),
    ),
  );
}

/** What saves the values that were judged. */
function saveValues({ metric, rows, values }: Replicated): HTMLElement {
  const lines = () =>
    [
      ...valueLines(
        rows.map(({ label }) => label),
        [{ name: metric, values }],
      ),
    ].join('');
  return button(
    'replications.csv',
    () => save('replications.csv', 'text/csv', lines()),
    'Save the values as CSV',
  );
}

const tool = (field: HTMLElement, label: string) =>
  h('span', { className: 'tool' }, h('label', { htmlFor: field.id }, label), field);

/** The panel with what begins and ends replications. */
function panelOf(...tools: readonly HTMLElement[]): HTMLElement {
  const hint =
    'One simulation is one draw. Replications change the jobs at random (a model gets other seeds, a log is shaken; see Replications under More) and tell a difference from chance.';
  return h(
    'section',
    { className: 'card wide', id: 'sure' },
    h('h2', {}, 'How sure is it'),
    h('p', { className: 'hint' }, hint),
    h('div', { className: 'actions' }, ...tools),
  );
}

/** By how many percent methods count as equally good. */
function withinField(onchange: () => void): HTMLInputElement {
  return h('input', {
    ...{ type: 'number', id: 'within', min: '0', max: '99', step: 'any', placeholder: '1' },
    title: 'By how many percent of the best mean methods count as equally good (--within)',
    onchange,
  });
}

/** The metrics by which methods may be judged, the usual one chosen. */
function fillMetrics(field: HTMLSelectElement, { metrics }: Pick<Catalogue, 'metrics'>): void {
  field.replaceChildren(...metrics.map(({ name, label }) => h('option', { value: name }, label)));
  field.value = USUAL_METRIC;
}

/** The panel, and how many replications it has been asked for. */
export function replicationsPanel(controller: Controller): {
  readonly element: HTMLElement;
  readonly count: () => number;
  /** Brings it into sight, and runs them. */
  readonly run: () => void;
} {
  const { model } = controller;
  const replicator = new Replicator(controller);
  const number = h('input', { type: 'number', id: 'replications', value: '20', min: '2', max: '1000' });
  const metric = h('select', { id: 'replicated-metric', onchange: () => void judge() });
  const within = withinField(() => void judge());
  const told = h('span', { className: 'told', role: 'status' });
  const progress = h('progress', { hidden: true, 'aria-label': 'Replications done' });
  const body = h('div');
  const begin = button('Run them', () => void run(), undefined, 'primary');
  const stop = button('Stop', () => replicator.stop());
  stop.hidden = true;
  let done: { readonly setup: Setup; readonly values: number[][][] } | undefined;
  const judge = async () => {
    if (done === undefined) return;
    if (!within.reportValidity()) return;
    const share = within.value === '' ? undefined : Number(within.value) / 100;
    const judged = await controller.client.ask('judge', { ...done, metric: metric.value, within: share });
    if (share === undefined) within.placeholder = `${100 * judged.within}`;
    const says = h('p', {}, h('b', {}, judged.verdict), ` ${judged.notes.join(' ')}`);
    body.replaceChildren(says, tableOf(judged), commandLine(judged.command), saveValues(judged));
  };
  const run = async () => {
    const count = Math.max(2, Math.min(1000, Math.round(Number(number.value)) || 20));
    const { setup } = model;
    [begin.disabled, stop.hidden, progress.hidden] = [true, false, false];
    [progress.max, progress.value] = [count, 0];
    body.replaceChildren();
    try {
      const values = await replicator.run(setup, count, (finished) => {
        progress.value = finished;
        told.textContent = `${finished} of ${count}`;
      });
      if (values === undefined) told.textContent = 'stopped';
      else {
        done = { setup, values };
        await judge();
      }
    } catch (error) {
      told.textContent = (error as Error).message;
    }
    [begin.disabled, stop.hidden, progress.hidden] = [false, true, true];
  };
  model.asked.on(() => {
    if (metric.options.length === 0 && model.catalogue !== undefined) fillMetrics(metric, model.catalogue);
    done = undefined;
    body.replaceChildren();
    told.textContent = '';
  });
  const element = panelOf(
    ...[tool(number, 'replications'), tool(metric, 'by'), tool(within, 'within %')],
    ...[begin, stop, progress, told],
  );
  element.append(body);
  return {
    element,
    count: () => done?.values.length ?? 1,
    run: () => {
      element.scrollIntoView({ block: 'start' });
      if (!begin.disabled) void run();
    },
  };
}
