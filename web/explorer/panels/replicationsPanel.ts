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
  { format, unit: comparisonUnit }: ReplicatedMethodComparison,
): HTMLElement {
  const displayFormat: NumberFormat = format.style === 'fixed' ? { style: 'measure' } : format;
  const formatMetricValue = (metricValue: number) =>
    formatMetricWithUnit({ value: metricValue, format: displayFormat, unit: comparisonUnit });
  // Long times are rounded for display; their tooltip has the exact seconds.
  const formatExactSeconds = (...secondsValues: readonly number[]) =>
    comparisonUnit === 's'
      ? `${secondsValues.map((secondsValue) => formatValue(secondsValue, displayFormat)).join(' to ')} s`
      : undefined;
  const cells = [
    createElement('td', { title: formatExactSeconds(row.mean) }, formatMetricValue(row.mean)),
    createElement(
      'td',
      { title: formatExactSeconds(row.low, row.high) },
      `${formatMetricValue(row.low)} to ${formatMetricValue(row.high)}`,
    ),
    createElement('td', {}, formatValue(row.bestIn, { style: 'percent' })),
    createElement('td', {}, row.differenceToBest),
  ];
  return createElement(
    'tr',
    { className: row.verdict === 'best' ? 'best' : '', 'data-mean': row.mean },
    createElement('th', { scope: 'row' }, row.label),
    ...cells,
    createElement('td', {}, row.verdict),
  );
}

function createReplicationTable(comparison: ReplicatedMethodComparison): HTMLElement {
  const heads = ['method', 'mean', comparison.interval, 'best in', 'beside the best of the others', ''];
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
        createElement('tbody', {}, ...comparison.rows.map((row) => createReplicationRow(row, comparison))),
      ),
    ),
  );
}

/** Creates a button that saves the compared values. */
function createSaveValuesButton({
  metric,
  rows: comparisonRows,
  values: comparisonValues,
}: ReplicatedMethodComparison): HTMLElement {
  const makeCsvText = () =>
    [
      ...formatValuesFile(
        comparisonRows.map(({ label: comparisonRowLabel }) => comparisonRowLabel),
        [{ name: metric, values: comparisonValues }],
      ),
    ].join('');
  return createButton(
    'replications.csv',
    () => saveAsFile('replications.csv', 'text/csv', makeCsvText()),
    'Save the values as CSV',
  );
}

const createLabelledControl = (controlField: HTMLElement, labelText: string) =>
  createElement(
    'span',
    { className: 'tool' },
    createElement('label', { htmlFor: controlField.id }, labelText),
    controlField,
  );

/** Creates the panel with its controls. */
function createReplicationToolPanel(...toolElements: readonly HTMLElement[]): HTMLElement {
  const hint =
    'A single run is one sample. Replications change the jobs at random (a model gets different seeds, a log is shaken; see Replications under More) and tell a difference from chance.';
  return createElement(
    'section',
    { className: 'card wide', id: 'sure' },
    createElement('h2', {}, 'Replications'),
    createElement('p', { className: 'hint' }, hint),
    createElement('div', { className: 'actions' }, ...toolElements),
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
function fillMetricSelect(
  metricSelectElement: HTMLSelectElement,
  { metrics, defaultMetric }: ExplorerCatalogue,
): void {
  metricSelectElement.replaceChildren(
    ...metrics.map(({ name, label }) => createElement('option', { value: name }, label)),
  );
  metricSelectElement.value = defaultMetric;
}

/** Finished replications: their setup and values. */
interface FinishedReplications {
  readonly setup: ExplorerSetup;
  readonly values: number[][][];
}

/** Panel that simulates replications of the visible methods and compares the methods by a metric. */
class ReplicationsComparisonPanel {
  readonly #controller: ExplorerController;
  readonly #replicator: WorkerReplicator;
  readonly #countField = createElement('input', {
    type: 'number',
    id: 'replications',
    value: '20',
    min: '2',
    max: '1000',
  });
  readonly #metricSelect = createElement('select', {
    id: 'replicated-metric',
    onchange: () => void this.#compareMethods(),
  });
  readonly #marginField = createMarginField(() => void this.#compareMethods());
  readonly #status = createElement('span', { className: 'told', role: 'status' });
  readonly #progress = createElement('progress', { hidden: true, 'aria-label': 'Replications done' });
  readonly #resultsElement = createElement('div');
  readonly #figures = new SideBySideFigures();
  readonly #runButton = createButton(
    'Run replications',
    () => void this.#runReplications(),
    undefined,
    'primary',
  );
  readonly #stopButton = createButton('Stop', () => this.#replicator.stop());
  readonly element: HTMLElement;
  #finishedReplications: FinishedReplications | undefined;

  constructor(controller: ExplorerController) {
    this.#controller = controller;
    this.#replicator = new WorkerReplicator(controller);
    this.#stopButton.hidden = true;
    this.element = createReplicationToolPanel(
      ...[
        createLabelledControl(this.#countField, 'replications'),
        createLabelledControl(this.#metricSelect, 'by'),
        createLabelledControl(this.#marginField, 'within %'),
      ],
      ...[this.#runButton, this.#stopButton, this.#progress, this.#status],
    );
    this.element.append(this.#resultsElement);
    controller.model.settingsChanged.on(() => this.#clearOutdatedResults());
  }

  /** Number of replications of the visible methods, including the one simulated first. */
  get count(): number {
    return this.#finishedReplications?.values.length ?? 1;
  }

  /** Scrolls the panel into view and runs the replications. */
  run(): void {
    this.element.scrollIntoView({ block: 'start' });
    if (!this.#runButton.disabled) void this.#runReplications();
  }

  #clearOutdatedResults(): void {
    const { catalogue, setup } = this.#controller.model;
    if (this.#metricSelect.options.length === 0 && catalogue !== undefined)
      fillMetricSelect(this.#metricSelect, catalogue);
    // Results stay shown after changes that do not affect them, such as of colours.
    if (
      this.#finishedReplications !== undefined &&
      JSON.stringify(this.#finishedReplications.setup) === JSON.stringify(setup)
    )
      return;
    this.#finishedReplications = undefined;
    this.#resultsElement.replaceChildren();
    this.#status.textContent = '';
  }

  async #compareMethods(): Promise<void> {
    if (this.#finishedReplications === undefined) return;
    if (!this.#marginField.reportValidity()) return;
    const margin = this.#marginField.value === '' ? undefined : Number(this.#marginField.value) / 100;
    const request = { ...this.#finishedReplications, metric: this.#metricSelect.value, within: margin };
    const comparison = await this.#controller.client.ask('judge', request).catch((error: Error) => {
      this.#resultsElement.replaceChildren(
        createElement('p', { className: 'fault', role: 'alert' }, error.message),
      );
    });
    if (comparison === undefined) return;
    if (margin === undefined) this.#marginField.placeholder = `${100 * comparison.within}`;
    const verdictElement = createElement(
      'p',
      {},
      createElement('b', {}, comparison.verdict),
      ` ${comparison.notes.join(' ')}`,
    );
    const { element } = this.#figures;
    this.#resultsElement.replaceChildren(
      verdictElement,
      element,
      createReplicationTable(comparison),
      createCommandLine(comparison.command),
      createSaveValuesButton(comparison),
    );
    this.#figures.show(comparison.figures);
  }

  async #runReplications(): Promise<void> {
    const replicationCount = Math.max(2, Math.min(1000, Math.round(Number(this.#countField.value)) || 20));
    const { setup } = this.#controller.model;
    [this.#runButton.disabled, this.#stopButton.hidden, this.#progress.hidden] = [true, false, false];
    [this.#progress.max, this.#progress.value] = [replicationCount, 0];
    this.#resultsElement.replaceChildren();
    try {
      const valuesByReplication = await this.#replicator.run(setup, replicationCount, (finished) => {
        this.#progress.value = finished;
        this.#status.textContent = `${finished} of ${replicationCount}`;
      });
      if (valuesByReplication === undefined) this.#status.textContent = 'stopped';
      else {
        this.#finishedReplications = { setup, values: valuesByReplication };
        await this.#compareMethods();
      }
    } catch (error) {
      this.#status.textContent = (error as Error).message;
    }
    [this.#runButton.disabled, this.#stopButton.hidden, this.#progress.hidden] = [false, true, true];
  }
}

/**
 * Returns the panel, the number of finished replications (1 before the first comparison), and a
 * function that runs them.
 */
export function createReplicationsPanel(controller: ExplorerController): {
  readonly element: HTMLElement;
  readonly count: () => number;
  /** Scrolls the panel into view and runs the replications. */
  readonly run: () => void;
} {
  const replications = new ReplicationsComparisonPanel(controller);
  const { element } = replications;
  return { element, count: () => replications.count, run: () => replications.run() };
}
