/** Table of mean waits with one additional site of several sizes and speeds. */
import { formatCount, formatDuration, formatValue } from '../../../host/format/numbers.js';
import type { ExplorerController } from '../controller.js';
import { button, h, labelCells } from '../dom.js';
import type { RunData, Texts } from '../protocol.js';

/** Largest number of runs in one table. */
const MAX_RUNS = 40;

/** Returns the mean wait of a run in seconds. */
const meanWaitOf = ({ metrics }: RunData) => metrics.find(({ name }) => name === 'meanWait')?.value ?? 0;

/** Parses positive numbers separated by commas or spaces; throws an Error with a sentence otherwise. */
function numbersIn(text: string, what: string, isComplete: boolean): number[] {
  const numbers = text.split(/[\s,]+/).filter((word) => word !== '');
  const values = numbers.map(Number);
  const isPositiveNumber = (value: number) =>
    value > 0 && Number.isFinite(value) && (!isComplete || Number.isInteger(value));
  if (values.length === 0 || !values.every(isPositiveNumber))
    throw new Error(
      `${what}: positive ${isComplete ? 'whole ' : ''}numbers with commas between them, found '${text}'`,
    );
  return values;
}

/** Returns the grid options of a run with one more site. */
function addSiteToGrid({ capacities, speeds }: RunData, size: number, speed: number): Texts {
  return { sites: [...capacities, size].join(), speeds: [...speeds, speed].join() };
}

/** Returns the default size of the additional site: the median of the sites. */
export function defaultSiteSize({ capacities }: RunData): number {
  return capacities.toSorted((a, b) => a - b)[Math.floor(capacities.length / 2)];
}

/** Formats a wait, without seconds from ten minutes on. */
const waitText = (wait: number) => formatDuration(wait < 600 ? Math.round(wait) : 60 * Math.round(wait / 60));

/**
 * Creates a table cell with a mean wait and its relative change, as a button that shows the run in the lower
 * chart.
 */
function cellOfValue(wait: number, before: number, what: string, show: () => void): readonly HTMLElement[] {
  const change = wait / before - 1;
  // Prevents that a change of nearly -100 % is rounded to -100 %.
  const decimals = change < -0.99 && wait > 0 ? 1 : 0;
  const share = before === 0 ? '' : formatValue(change, { style: 'percent', decimals, isSigned: true });
  return [
    button(waitText(wait), show, `Show the run with ${what} below the chart`, 'link'),
    h('small', {}, share),
  ];
}

/**
 * Simulates the same jobs with an additional site of each size and speed, one after the other, and shows each
 * mean wait as it becomes known.
 * @param tell called with a message about a run that has moved into the charts.
 * @returns the sentence above the table.
 * @throws Error with a sentence.
 */
export async function oneMoreSite(
  controller: ExplorerController,
  request: { readonly sizes: string; readonly speeds: string },
  place: HTMLElement,
  tell: (fault: string) => void,
): Promise<string> {
  const { run } = controller.model;
  if (run === undefined) return '';
  const sizes = numbersIn(request.sizes, 'processors', true);
  const speeds = numbersIn(request.speeds, 'speeds', false);
  if (sizes.length * speeds.length > MAX_RUNS)
    throw new Error(
      `${sizes.length} sizes and ${speeds.length} speeds are more than ${MAX_RUNS} runs; give fewer`,
    );
  const before = meanWaitOf(run);
  const rows = sizes.map((size) => ({
    size,
    cells: speeds.map((speed) => ({ speed, cell: h('td', {}, '…') })),
  }));
  const head = [
    h('th', { scope: 'col' }, 'site of'),
    ...speeds.map((speed) => h('th', { scope: 'col' }, `speed ${speed}`)),
  ];
  const body = rows.map(({ size, cells }) =>
    h('tr', {}, h('th', { scope: 'row' }, formatCount(size, 'processor')), ...cells.map(({ cell }) => cell)),
  );
  const table = h(
    'table',
    { className: 'span one-more' },
    h('thead', {}, h('tr', {}, ...head)),
    h('tbody', {}, ...body),
  );
  labelCells(table);
  const label = 'Mean waits with one more site';
  place.replaceChildren(
    h('div', { className: 'scroll', tabIndex: 0, role: 'region', 'aria-label': label }, table),
  );
  for (const { size, cells } of rows)
    for (const { speed, cell } of cells) {
      const change = addSiteToGrid(run, size, speed);
      const wait = await controller.client.ask('waitIf', { run: run.id, change });
      const what = `a site of ${formatCount(size, 'processor')} and speed ${speed}`;
      const show = () => void controller.whatIf(undefined, change).then(tell);
      cell.replaceChildren(...cellOfValue(wait, before, what, show));
    }
  return `Mean wait under ${run.label}: ${waitText(before)} as it is; with one more site:`;
}
