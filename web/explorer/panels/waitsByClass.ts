/** Waits and losses by user, group or another class of jobs; a click selects a class's jobs in the charts. */
import { formatDuration, formatNumber } from '../../../host/format/numbers.js';
import { JOB_CLASSIFICATION_TITLES } from '../../../host/reports/jobClasses.js';
import type { ClassAttribute } from '../../../host/simulate/jobMetrics.js';
import type { ExplorerController } from '../controller.js';
import { createButton, createElement, labelTableCells } from '../dom.js';
import type { ExplorerModel } from '../model.js';
import type { JobClassRow, JobClassTable } from '../protocol.js';

/** Number of rows shown at first. */
const INITIAL_CLASS_ROW_COUNT = 20;

/** Share of the visible time range below which the view zooms in. */
const MIN_VISIBLE_SHARE_WITHOUT_ZOOM = 0.3;

/** Formats a wait given in seconds. */
const formatWait = (seconds: number) => formatDuration(Math.round(seconds));
/**
 * Formats a difference of waits in seconds; positive ones of at least half a second have a sign.
 */
const formatWaitDifference = (seconds: number) =>
  `${seconds >= 0.5 ? '+' : ''}${formatWait(seconds).replace('-', '\u2212')}`;

/**
 * Returns how much longer, in seconds, the jobs of a class wait on average under the first run than under the
 * second; with one run, their mean wait.
 */
function extraMeanWaitOfClass({ waits: [waitsOfRun, waitsOfOtherRun] }: JobClassRow): number {
  return waitsOfRun.mean - (waitsOfOtherRun?.mean ?? 0);
}

/** Table of classes, the largest loss first. */
class WaitsByClassTable {
  readonly element = createElement('div');
  readonly #controller: ExplorerController;
  readonly #classificationSelect = createElement('select', {
    id: 'who-by',
    onchange: () => void this.show(),
  });
  readonly #status = createElement('p', { className: 'hint' });
  readonly #table = createElement('table', { className: 'span who' });
  readonly #showAllButton = createButton('Show all', () => this.#drawRows(Infinity), undefined, 'link');
  #requestCount = 0;
  #classes: JobClassTable | undefined;
  #selectedClassName: string | undefined;

  constructor(controller: ExplorerController) {
    this.#controller = controller;
    const classificationControl = createElement(
      'span',
      { className: 'tool' },
      createElement('label', { htmlFor: 'who-by' }, 'by'),
      this.#classificationSelect,
    );
    this.element.append(classificationControl, this.#status, this.#table, this.#showAllButton);
  }

  /** Requests the classes under the visible runs, and shows them. */
  async show(): Promise<void> {
    const { model, client } = this.#controller;
    const { run, other: otherRun } = model;
    if (run === undefined) return;
    const requestNumber = ++this.#requestCount;
    const classification =
      this.#classificationSelect.value === ''
        ? undefined
        : (this.#classificationSelect.value as ClassAttribute);
    const runs = [run, ...(otherRun === undefined ? [] : [otherRun])].map(({ id }) => id);
    try {
      const classes = await client.ask('classes', { runs, by: classification });
      if (requestNumber !== this.#requestCount) return;
      this.#classes = classes;
      this.#classificationSelect.replaceChildren(
        ...classes.kinds.map((possibleClassification) =>
          createElement(
            'option',
            { value: possibleClassification },
            JOB_CLASSIFICATION_TITLES[possibleClassification],
          ),
        ),
      );
      this.#classificationSelect.value = classes.by;
      this.#selectClass(undefined);
      this.#drawRows(INITIAL_CLASS_ROW_COUNT);
    } catch (error) {
      if (requestNumber === this.#requestCount) this.#status.textContent = (error as Error).message;
    }
  }

  /** Selects the jobs of a class in the charts; undefined clears the selection. */
  #selectClass(row: JobClassRow | undefined): void {
    const { model } = this.#controller;
    if (row === undefined && this.#selectedClassName === undefined) return;
    this.#selectedClassName = row?.name;
    model.matches = row === undefined ? undefined : new Set(row.jobs);
    if (row !== undefined) this.#zoomToJobs(row);
    model.viewChanged.notify();
  }

  /**
   * Zooms to the jobs of a class if they fill only a small part of the visible time range or are out of
   * sight.
   */
  #zoomToJobs({ jobs }: JobClassRow): void {
    const { run, outcome, view: visibleRange } = this.#controller.model;
    if (run === undefined || outcome === undefined) return;
    let [from, to] = [Infinity, -Infinity];
    for (const job of jobs) {
      from = Math.min(from, outcome.jobs.submit[job]);
      to = Math.max(to, run.start[job] + run.execution[job]);
    }
    const isVisible = from < visibleRange.to && to > visibleRange.from;
    if (isVisible && to - from > MIN_VISIBLE_SHARE_WITHOUT_ZOOM * (visibleRange.to - visibleRange.from))
      return;
    const marginSeconds = (to - from) / 20;
    visibleRange.show(from - marginSeconds, to + marginSeconds);
  }

  #createRow(row: JobClassRow): HTMLElement {
    const { name, jobs, waits } = row;
    const [waitsOfRun] = waits;
    const isSelectedClass = name === this.#selectedClassName;
    const toggleClassSelection = () => {
      this.#selectClass(isSelectedClass ? undefined : row);
      this.#drawRows(this.#table.tBodies[0]?.rows.length ?? INITIAL_CLASS_ROW_COUNT);
      this.#table.querySelector<HTMLElement>('[aria-pressed="true"]')?.focus();
    };
    const classNameButton = createElement(
      'button',
      {
        type: 'button',
        className: 'link',
        title: isSelectedClass ? 'Show all jobs again' : 'Select these jobs in the charts',
        'aria-pressed': String(isSelectedClass),
        onclick: toggleClassSelection,
      },
      name,
    );
    const cells = [formatNumber(jobs.length), formatWait(waitsOfRun.mean), formatWait(waitsOfRun.p95)];
    if (waits.length > 1) cells.push(formatWaitDifference(extraMeanWaitOfClass(row)));
    return createElement(
      'tr',
      {},
      createElement('th', { scope: 'row' }, classNameButton),
      ...cells.map((cell) => createElement('td', {}, cell)),
    );
  }

  #drawRows(maxRows: number): void {
    const { run, other: otherRun } = this.#controller.model;
    if (this.#classes === undefined || run === undefined) return;
    const { by, rows } = this.#classes;
    const classesByExtraWait = rows.toSorted((a, b) => extraMeanWaitOfClass(b) - extraMeanWaitOfClass(a));
    const isCompared = otherRun !== undefined && rows[0]?.waits.length > 1;
    const comparedRunText = isCompared ? `, and how much longer than under ${otherRun.label}` : '';
    this.#status.textContent = `Waits under ${run.label}${comparedRunText}, in this one sample. A click selects the jobs.`;
    const heads = [
      JOB_CLASSIFICATION_TITLES[by],
      'jobs',
      'mean wait',
      '95 %',
      ...(isCompared ? ['longer by'] : []),
    ];
    this.#table.replaceChildren(
      createElement(
        'thead',
        {},
        createElement('tr', {}, ...heads.map((head) => createElement('th', { scope: 'col' }, head))),
      ),
      createElement('tbody', {}, ...classesByExtraWait.slice(0, maxRows).map((row) => this.#createRow(row))),
    );
    labelTableCells(this.#table);
    this.#showAllButton.hidden = classesByExtraWait.length <= maxRows;
    this.#showAllButton.textContent = `Show all ${formatNumber(classesByExtraWait.length)}`;
  }

  /** Clears the selection of a class. */
  clearSelection(): void {
    this.#selectClass(undefined);
  }
}

/** Returns the table, and functions that show it and clear its selection. */
export function createWaitsByClassTable(
  controller: ExplorerController,
): Pick<WaitsByClassTable, 'element' | 'show' | 'clearSelection'> {
  return new WaitsByClassTable(controller);
}

/** Returns the title of the table, which compares losses if two runs are visible. */
export const titleOfWaitsByClass = ({ other: otherRun }: ExplorerModel) =>
  otherRun === undefined ? 'waits by class' : 'losses by class';
