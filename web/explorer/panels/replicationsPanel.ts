/** Compares methods over replications, with confidence intervals. */
import { formatValue, type NumberFormat } from '../../../host/format/numbers.js';
import { formatValuesFile } from '../../../host/view/files.js';
import { saveAsFile } from '../../figures/saving.js';
import { FigureRow } from '../charts/figureRow.js';
import type { ExplorerController } from '../controller.js';
import { button, commandLine, h, labelCells } from '../dom.js';
import type { Catalogue, ExplorerSetup, Replicated, ReplicatedRow } from '../protocol.js';
import { Replicator } from '../replicator.js';
import { metricVerdictText } from '../words.js';

function replicationRowElement(row: ReplicatedRow, { format, unit }: Replicated): HTMLElement {
  const digits: NumberFormat = format.style === 'fixed' ? { style: 'measure' } : format;
  const text = (value: number) => metricVerdictText({ value, format: digits, unit });
  // Long times are rounded for display; their tooltip has the exact seconds.
  const exact = (...values: readonly number[]) =>
    unit === 's' ? `${values.map((value) => formatValue(value, digits)).join(' to ')} s` : undefined;
  const cells = [
    h('td', { title: exact(row.mean) }, text(row.mean)),
    h('td', { title: exact(row.low, row.high) }, `${text(row.low)} to ${text(row.high)}`),
    h('td', {}, formatValue(row.bestIn, { style: 'percent' })),
    h('td', {}, row.behind),
  ];
  return h(
    'tr',
    { className: row.verdict === 'best' ? 'best' : '', 'data-mean': row.mean },
    h('th', { scope: 'row' }, row.label),
    ...cells,
    h('td', {}, row.verdict),
  );
}

function tableOf(judged: Replicated): HTMLElement {
  const heads = ['method', 'mean', judged.interval, 'best in', 'beside the best of the others', ''];
  return h(
    'div',
    { className: 'scroll', tabIndex: 0, role: 'region', 'aria-label': 'Methods over replications' },
    labelCells(
      h(
        'table',
        { className: 'replicated' },
        h(
          'thead',
          {},
          h('tr', {}, ...heads.map((head) => (head === '' ? h('td') : h('th', { scope: 'col' }, head)))),
        ),
        h('tbody', {}, ...judged.rows.map((row) => replicationRowElement(row, judged))),
      ),
    ),
  );
}

/** Creates a button that saves the compared values. */
function saveValuesButton({ metric, rows, values }: Replicated): HTMLElement {
  const lines = () =>
    [
      ...formatValuesFile(
        rows.map(({ label }) => label),
        [{ name: metric, values }],
      ),
    ].join('');
  return button(
    'replications.csv',
    () => saveAsFile('replications.csv', 'text/csv', lines()),
    'Save the values as CSV',
  );
}

const labelledTool = (field: HTMLElement, label: string) =>
  h('span', { className: 'tool' }, h('label', { htmlFor: field.id }, label), field);

/** Creates the panel with its controls. */
function toolPanelOf(...panelTools: readonly HTMLElement[]): HTMLElement {
  const hint =
    'A single run is one sample. Replications change the jobs at random (a model gets different seeds, a log is shaken; see Replications under More) and tell a difference from chance.';
  return h(
    'section',
    { className: 'card wide', id: 'sure' },
    h('h2', {}, 'Replications'),
    h('p', { className: 'hint' }, hint),
    h('div', { className: 'actions' }, ...panelTools),
  );
}

/** Creates the field for the equivalence margin, in percent. */
function marginField(onchange: () => void): HTMLInputElement {
  return h('input', {
    ...{ type: 'number', id: 'within', min: '0', max: '99', step: 'any', placeholder: '1' },
    title: 'Methods within this many percent of the best mean count as equally good (--within)',
    onchange,
  });
}

/** Lists the metrics, with the default one selected. */
function fillMetricField(field: HTMLSelectElement, { metrics, defaultMetric: usualMetric }: Catalogue): void {
  field.replaceChildren(...metrics.map(({ name, label }) => h('option', { value: name }, label)));
  field.value = usualMetric;
}

/** Finished replications: their setup and values. */
interface FinishedReplications {
  readonly setup: ExplorerSetup;
  readonly values: number[][][];
}

/** Replications of the visible methods, with controls and results. */
class Replications {
  readonly #controller: ExplorerController;
  readonly #replicator: Replicator;
  readonly #number = h('input', { type: 'number', id: 'replications', value: '20', min: '2', max: '1000' });
  readonly #metric = h('select', { id: 'replicated-metric', onchange: () => void this.#judge() });
  readonly #within = marginField(() => void this.#judge());
  readonly #status = h('span', { className: 'told', role: 'status' });
  readonly #progress = h('progress', { hidden: true, 'aria-label': 'Replications done' });
  readonly #body = h('div');
  readonly #figures = new FigureRow();
  readonly #begin = button('Run replications', () => void this.#run(), undefined, 'primary');
  readonly #stop = button('Stop', () => this.#replicator.stop());
  readonly element: HTMLElement;
  #finished: FinishedReplications | undefined;

  constructor(controller: ExplorerController) {
    this.#controller = controller;
    this.#replicator = new Replicator(controller);
    this.#stop.hidden = true;
    this.element = toolPanelOf(
      ...[
        labelledTool(this.#number, 'replications'),
        labelledTool(this.#metric, 'by'),
        labelledTool(this.#within, 'within %'),
      ],
      ...[this.#begin, this.#stop, this.#progress, this.#status],
    );
    this.element.append(this.#body);
    controller.model.settingsChanged.on(() => this.#forget());
  }

  /** Number of replications of the visible methods, including the one simulated first. */
  get count(): number {
    return this.#finished?.values.length ?? 1;
  }

  /** Scrolls the panel into view and runs the replications. */
  run(): void {
    this.element.scrollIntoView({ block: 'start' });
    if (!this.#begin.disabled) void this.#run();
  }

  #forget(): void {
    const { catalogue, setup } = this.#controller.model;
    if (this.#metric.options.length === 0 && catalogue !== undefined)
      fillMetricField(this.#metric, catalogue);
    // Changes that do not affect the results, such as colours, keep them.
    if (this.#finished !== undefined && JSON.stringify(this.#finished.setup) === JSON.stringify(setup))
      return;
    this.#finished = undefined;
    this.#body.replaceChildren();
    this.#status.textContent = '';
  }

  async #judge(): Promise<void> {
    if (this.#finished === undefined) return;
    if (!this.#within.reportValidity()) return;
    const share = this.#within.value === '' ? undefined : Number(this.#within.value) / 100;
    const request = { ...this.#finished, metric: this.#metric.value, within: share };
    const judged = await this.#controller.client.ask('judge', request).catch((error: Error) => {
      this.#body.replaceChildren(h('p', { className: 'fault', role: 'alert' }, error.message));
    });
    if (judged === undefined) return;
    if (share === undefined) this.#within.placeholder = `${100 * judged.within}`;
    const says = h('p', {}, h('b', {}, judged.verdict), ` ${judged.notes.join(' ')}`);
    const { element } = this.#figures;
    this.#body.replaceChildren(
      says,
      element,
      tableOf(judged),
      commandLine(judged.command),
      saveValuesButton(judged),
    );
    this.#figures.show(judged.figures);
  }

  async #run(): Promise<void> {
    const count = Math.max(2, Math.min(1000, Math.round(Number(this.#number.value)) || 20));
    const { setup } = this.#controller.model;
    [this.#begin.disabled, this.#stop.hidden, this.#progress.hidden] = [true, false, false];
    [this.#progress.max, this.#progress.value] = [count, 0];
    this.#body.replaceChildren();
    try {
      const values = await this.#replicator.run(setup, count, (finished) => {
        this.#progress.value = finished;
        this.#status.textContent = `${finished} of ${count}`;
      });
      if (values === undefined) this.#status.textContent = 'stopped';
      else {
        this.#finished = { setup, values };
        await this.#judge();
      }
    } catch (error) {
      this.#status.textContent = (error as Error).message;
    }
    [this.#begin.disabled, this.#stop.hidden, this.#progress.hidden] = [false, true, true];
  }
}

/** Returns the panel, and the number of requested replications. */
export function replicationsPanel(controller: ExplorerController): {
  readonly element: HTMLElement;
  readonly count: () => number;
  /** Scrolls the panel into view and runs the replications. */
  readonly run: () => void;
} {
  const replications = new Replications(controller);
  const { element } = replications;
  return { element, count: () => replications.count, run: () => replications.run() };
}
