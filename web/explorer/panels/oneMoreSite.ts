/** Table of mean waits with one additional site of several sizes and speeds. */
import { formatCount, formatDuration, formatValue } from '../../../host/format/numbers.js';
import type { ExplorerController } from '../controller.js';
import { createButton, createElement, labelTableCells } from '../dom.js';
import type { FinishedRunData, Texts } from '../protocol.js';

/** Largest number of runs in one table. */
const MAX_ADDED_SITE_RUN_COUNT = 40;

/** Returns the mean wait of a run in seconds. */
const meanWaitOfRun = ({ metrics }: FinishedRunData) =>
  metrics.find(({ name: metricName }) => metricName === 'meanWait')?.value ?? 0;

/** Parses positive numbers separated by commas or spaces; throws an Error with a sentence otherwise. */
function parsePositiveNumbers(numbersText: string, inputName: string, mustBeWholeNumbers: boolean): number[] {
  const numberTexts = numbersText.split(/[\s,]+/).filter((word) => word !== '');
  const enteredNumbers = numberTexts.map(Number);
  const isAllowedNumber = (enteredNumber: number) =>
    enteredNumber > 0 &&
    Number.isFinite(enteredNumber) &&
    (!mustBeWholeNumbers || Number.isInteger(enteredNumber));
  if (enteredNumbers.length === 0 || !enteredNumbers.every(isAllowedNumber))
    throw new Error(
      `${inputName}: positive ${mustBeWholeNumbers ? 'whole ' : ''}numbers with commas between them, found '${numbersText}'`,
    );
  return enteredNumbers;
}

/** Returns the grid options of a run with one more site. */
function gridOptionsWithAddedSite(
  { capacities, speeds }: FinishedRunData,
  siteSize: number,
  speed: number,
): Texts {
  return { sites: [...capacities, siteSize].join(), speeds: [...speeds, speed].join() };
}

/** Returns the default size of the additional site: the median of the sites. */
export function defaultSizeOfAddedSite({ capacities }: FinishedRunData): number {
  return capacities.toSorted((a, b) => a - b)[Math.floor(capacities.length / 2)];
}

/** Formats a wait, without seconds from ten minutes on. */
const formatWaitWithoutSeconds = (wait: number) =>
  formatDuration(wait < 600 ? Math.round(wait) : 60 * Math.round(wait / 60));

/**
 * Returns the content of a table cell: a mean wait as a button that shows the run in the lower
 * chart, and the relative change of the wait.
 */
function createMeanWaitCellContent(
  wait: number,
  baselineMeanWait: number,
  siteText: string,
  showRunInLowerChart: () => void,
): readonly HTMLElement[] {
  const relativeChange = wait / baselineMeanWait - 1;
  // Prevents that a change of nearly -100 % is rounded to -100 %.
  const decimals = relativeChange < -0.99 && wait > 0 ? 1 : 0;
  const changeText =
    baselineMeanWait === 0 ? '' : formatValue(relativeChange, { style: 'percent', decimals, isSigned: true });
  return [
    createButton(
      formatWaitWithoutSeconds(wait),
      showRunInLowerChart,
      `Show the run with ${siteText} below the chart`,
      'link',
    ),
    createElement('small', {}, changeText),
  ];
}

/**
 * Simulates the same jobs with an additional site of each size and speed, one after the other, and shows each
 * mean wait as it becomes known.
 * @param onRunShown called with a message about a run that has moved into the charts.
 * @returns the sentence above the table.
 * @throws Error with a sentence.
 */
export async function simulateAddedSites(
  controller: ExplorerController,
  request: { readonly sizes: string; readonly speeds: string },
  tableContainer: HTMLElement,
  onRunShown: (fault: string) => void,
): Promise<string> {
  const { run } = controller.model;
  if (run === undefined) return '';
  const siteSizes = parsePositiveNumbers(request.sizes, 'processors', true);
  const speeds = parsePositiveNumbers(request.speeds, 'speeds', false);
  if (siteSizes.length * speeds.length > MAX_ADDED_SITE_RUN_COUNT)
    throw new Error(
      `${siteSizes.length} sizes and ${speeds.length} speeds are more than ${MAX_ADDED_SITE_RUN_COUNT} runs; give fewer`,
    );
  const baselineMeanWait = meanWaitOfRun(run);
  const rows = siteSizes.map((size) => ({
    size,
    cells: speeds.map((speed) => ({ speed, cell: createElement('td', {}, '…') })),
  }));
  const headCells = [
    createElement('th', { scope: 'col' }, 'site of'),
    ...speeds.map((speed) => createElement('th', { scope: 'col' }, `speed ${speed}`)),
  ];
  const bodyRows = rows.map(({ size, cells }) =>
    createElement(
      'tr',
      {},
      createElement('th', { scope: 'row' }, formatCount(size, 'processor')),
      ...cells.map(({ cell }) => cell),
    ),
  );
  const table = createElement(
    'table',
    { className: 'span one-more' },
    createElement('thead', {}, createElement('tr', {}, ...headCells)),
    createElement('tbody', {}, ...bodyRows),
  );
  labelTableCells(table);
  const tableLabel = 'Mean waits with one more site';
  tableContainer.replaceChildren(
    createElement(
      'div',
      { className: 'scroll', tabIndex: 0, role: 'region', 'aria-label': tableLabel },
      table,
    ),
  );
  for (const { size, cells } of rows)
    for (const { speed, cell } of cells) {
      const change = gridOptionsWithAddedSite(run, size, speed);
      const wait = await controller.client.ask('waitIf', { run: run.id, change });
      const siteText = `a site of ${formatCount(size, 'processor')} and speed ${speed}`;
      const showRunInLowerChart = () => void controller.simulateWhatIf(undefined, change).then(onRunShown);
      cell.replaceChildren(
        ...createMeanWaitCellContent(wait, baselineMeanWait, siteText, showRunInLowerChart),
      );
    }
  return `Mean wait under ${run.label}: ${formatWaitWithoutSeconds(baselineMeanWait)} as it is; with one more site:`;
}
