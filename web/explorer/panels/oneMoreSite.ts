/** What one more site would bring, of several sizes and speeds at once: a table of mean waits. */
import { countOf, formatDuration, valueText } from '../../../host/format/numbers.js';
import type { Controller } from '../controller.js';
import { button, h, named } from '../dom.js';
import type { RunData, Texts } from '../protocol.js';

/** Runs of one table at most. */
const MOST = 40;

/** The mean wait of a run in seconds. */
const meanWaitOf = ({ metrics }: RunData) => metrics.find(({ name }) => name === 'meanWait')?.value ?? 0;

/** Positive numbers separated by commas; throws an error otherwise. */
function numbersIn(text: string, what: string, isWhole: boolean): number[] {
  const numbers = text.split(/[\s,]+/).filter((word) => word !== '');
  const values = numbers.map(Number);
  const isRight = (value: number) =>
    value > 0 && Number.isFinite(value) && (!isWhole || Number.isInteger(value));
  if (values.length === 0 || !values.every(isRight))
    throw new Error(
      `${what}: positive ${isWhole ? 'whole ' : ''}numbers with commas between them, found '${text}'`,
    );
  return values;
}

/** The options of a run with one more site. */
function withSite({ capacities, speeds }: RunData, size: number, speed: number): Texts {
  return { sites: [...capacities, size].join(), speeds: [...speeds, speed].join() };
}

/** The first size offered: that of the site in the middle. */
export function usualSize({ capacities }: RunData): number {
  return capacities.toSorted((a, b) => a - b)[Math.floor(capacities.length / 2)];
}

/** A wait as text, from ten minutes on without seconds. */
const waitText = (wait: number) => formatDuration(wait < 600 ? Math.round(wait) : 60 * Math.round(wait / 60));

/** A mean wait and by how much it differs, as a button that shows its run below the chart. */
function cellOf(wait: number, before: number, what: string, show: () => void): readonly HTMLElement[] {
  const change = wait / before - 1;
  // What is nearly all is not all.
  const decimals = change < -0.99 && wait > 0 ? 1 : 0;
  const share = before === 0 ? '' : valueText(change, { style: 'percent', decimals, isSigned: true });
  return [
    button(waitText(wait), show, `Show the run with ${what} below the chart`, 'link'),
    h('small', {}, share),
  ];
}

/**
 * Runs the same jobs with one more site of each size and speed, one after the other, and shows their mean waits as they come.
 * @param tell is called with news of a run that is shown in the charts.
 * @returns the sentence above the table.
 * @throws Error with a sentence.
 */
export async function oneMoreSite(
  controller: Controller,
  asked: { readonly sizes: string; readonly speeds: string },
  place: HTMLElement,
  tell: (fault: string) => void,
): Promise<string> {
  const { run } = controller.model;
  if (run === undefined) return '';
  const sizes = numbersIn(asked.sizes, 'processors', true);
  const speeds = numbersIn(asked.speeds, 'speeds', false);
  if (sizes.length * speeds.length > MOST)
    throw new Error(
      `${sizes.length} sizes and ${speeds.length} speeds are more than ${MOST} runs; give fewer`,
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
    h('tr', {}, h('th', { scope: 'row' }, countOf(size, 'processor')), ...cells.map(({ cell }) => cell)),
  );
  const table = h(
    'table',
    { className: 'span one-more' },
    h('thead', {}, h('tr', {}, ...head)),
    h('tbody', {}, ...body),
  );
  named(table);
  const label = 'Mean waits with one more site';
  place.replaceChildren(
    h('div', { className: 'scroll', tabIndex: 0, role: 'region', 'aria-label': label }, table),
  );
  for (const { size, cells } of rows)
    for (const { speed, cell } of cells) {
      const change = withSite(run, size, speed);
      const wait = await controller.client.ask('waitIf', { run: run.id, change });
      const what = `a site of ${countOf(size, 'processor')} and speed ${speed}`;
      const show = () => void controller.whatIf(undefined, change).then(tell);
      cell.replaceChildren(...cellOf(wait, before, what, show));
    }
  return `Mean wait under ${run.label}: ${waitText(before)} as it is; with one more site:`;
}
