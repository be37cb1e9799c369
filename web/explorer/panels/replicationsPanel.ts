/** Compares methods over replications, with confidence intervals. */
import { formatValue, type NumberFormat } from '../../../host/format/numbers.js';
import { formatValuesFile } from '../../../host/view/files.js';
import { saveAsFile } from '../../figures/saving.js';
import { SideBySideFigures } from '../charts/figureRow.js';
import type { ExplorerController } from '../controller.js';
import { createButton, createCommandLine, createElement, labelTableCells } from '../dom.js';
import type {
  ExplorerCatalogue,
  ExplorerSetup,
  ReplicatedMethodComparison,
  ReplicatedMethodRow,
} from '../protocol.js';
import { WorkerReplicator } from '../replicator.js';
import { formatMetricWithUnit } from '../words.js';

function createReplicationRow(
  row: ReplicatedMethodRow,
  { format, unit }: ReplicatedMethodComparison,
): HTMLElement {
  const digits: NumberFormat = format.style === 'fixed' ? { style: 'measure' } : format;
  const text = (value: number) => formatMetricWithUnit({ value, format: digits, unit });
  // Long times are rounded for display; their tooltip has the exact seconds.
  const exact = (...values: readonly number[]) =>
    unit === 's' ? `${values.map((value) => formatValue(value, digits)).join(' to ')} s` : undefined;
  const cells = [
    createElement('td', { title: exact(row.mean) }, text(row.mean)),
    createElement('td', { title: exact(row.low, row.high) }, `${text(row.low)} to ${text(row.high)}`),
    createElement('td', {}, formatValue(row.bestIn, { style: 'percent' })),
    createElement('td', {}, row.behind),
  ];
  return createElement(
    'tr',
    { className: row.verdict === 'best' ? 'best' : '', 'data-mean': row.mean },
    createElement('th', { scope: 'row' }, row.label),
    ...cells,
    createElement('td', {}, row.verdict),
  );
}

function createReplicationTable(judged: ReplicatedMethodComparison): HTMLElement {
  const heads = ['method', 'mean', judged.interval, 'best in', 'beside the best of the others', ''];
  return createElement(
    'div',
    { className: 'scroll', tabIndex: 0, role: 'region', 'aria-label': 'Methods over replications' },
    labelTableCells(
      createElement(
        'table',
        { className: 'replicated' },
        createElement(
          'thead',
          {},
          createElement(
            'tr',
            {},
            ...heads.map((head) =>
              head === '' ? createElement('td') : createElement('th', { scope: 'col' }, head),
            ),
          ),
        ),
        createElement('tbody', {}, ...judged.rows.map((row) => createReplicationRow(row, judged))),
      ),
    ),
  );
}

/** Creates a button that saves the compared values. */
function createSaveValuesButton({ metric, rows, values }: ReplicatedMethodComparison): HTMLElement {
  const lines = () =>
    [
      ...formatValuesFile(
        rows.map(({ label }) => label),
        [{ name: metric, values }],
      ),
    ].join('');
  return createButton(
    'replications.csv',
    () => saveAsFile('replications.csv', 'text/csv', lines()),
    'Save the values as CSV',
  );
}

const labelControl = (field: HTMLElement, label: string) =>
  createElement('span', { className: 'tool' }, createElement('label', { htmlFor: field.id }, label), field);

/** Creates the panel with its controls. */
function createReplicationToolPanel(...panelTools: readonly HTMLElement[]): HTMLElement {
  const hint =
    'A single run is one sample. Replications change the jobs at random (a model gets different seeds, a log is shaken; see Replications under More) and tell a difference from chance.';
  return createElement(
    'section',
    { className: 'card wide', id: 'sure' },
    createElement('h2', {}, 'Replications'),
    createElement('p', { className: 'hint' }, hint),
    createElement('div', { className: 'actions' }, ...panelTools),
  );
}

/** Creates the field for the equivalence margin, in percent. */
function createMarginField(onchange: () => void): HTMLInputElement {
  return createElement('input', {
    ...{ type: 'number', id: 'within', min: '0', max: '99', step: 'any', placeholder: '1' },
    title: 'Methods within this many percent of the best mean count as equally good (--within)',
    onchange,
  });
}

/** Lists the metrics, with the default one selected. */
function fillMetricField(
  field: HTMLSelectElement,
  { metrics, defaultMetric: usualMetric }: ExplorerCatalogue,
): void {
  field.replaceChildren(...metrics.map(({ name, label }) => createElement('option', { value: name }, label)));
  field.value = usualMetric;
}

/** Finished replications: their setup and values. */
interface FinishedReplications {
  readonly setup: ExplorerSetup;
  readonly values: number[][][];
}

/** Panel that simulates replications of the visible methods and compares the methods by a metric. */
class ReplicationsComparison {
  readonly #controller: ExplorerController;
  readonly #replicator: WorkerReplicator;
  readonly #number = createElement('input', {
    type: 'number',
    id: 'replications',
    value: '20',
    min: '2',
    max: '1000',
  });
  readonly #metric = createElement('select', { id: 'replicated-metric', onchange: () => void this.#judge() });
  readonly #within = createMarginField(() => void this.#judge());
  readonly #status = createElement('span', { className: 'told', role: 'status' });
  readonly #progress = createElement('progress', { hidden: true, 'aria-label': 'Replications done' });
  readonly #body = createElement('div');
  readonly #figures = new SideBySideFigures();
  readonly #begin = createButton('Run replications', () => void this.#run(), undefined, 'primary');
  readonly #stop = createButton('Stop', () => this.#replicator.stop());
  readonly element: HTMLElement;
  #finished: FinishedReplications | undefined;

  constructor(controller: ExplorerController) {
    this.#controller = controller;
    this.#replicator = new WorkerReplicator(controller);
    this.#stop.hidden = true;
    this.element = createReplicationToolPanel(
      ...[
        labelControl(this.#number, 'replications'),
        labelControl(this.#metric, 'by'),
        labelControl(this.#within, 'within %'),
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
      this.#body.replaceChildren(createElement('p', { className: 'fault', role: 'alert' }, error.message));
    });
    if (judged === undefined) return;
    if (share === undefined) this.#within.placeholder = `${100 * judged.within}`;
    const says = createElement('p', {}, createElement('b', {}, judged.verdict), ` ${judged.notes.join(' ')}`);
    const { element } = this.#figures;
    this.#body.replaceChildren(
      says,
      element,
      createReplicationTable(judged),
      createCommandLine(judged.command),
      createSaveValuesButton(judged),
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
export function createReplicationsPanel(controller: ExplorerController): {
  readonly element: HTMLElement;
  readonly count: () => number;
  /** Scrolls the panel into view and runs the replications. */
  readonly run: () => void;
} {
  const replications = new ReplicationsComparison(controller);
  const { element } = replications;
  return { element, count: () => replications.count, run: () => replications.run() };
}
