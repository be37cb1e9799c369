/** Table of metrics: one column per run, the best value of each row marked, differences to the first run. */
import { formatValue } from '../../../host/format/numbers.js';
import { estimateSingleSampleNoise, findClearlyBestValue } from '../../../host/statistics/samples.js';
import { createElement, labelTableCells } from '../dom.js';
import type { ExplorerModel } from '../model.js';
import type { FinishedRunData, MetricRow } from '../protocol.js';
import { formatMetricWithUnit } from '../words.js';

/**
 * Returns the index of the best value if it leads all others by more than the noise of one sample; otherwise
 * -1.
 */
function findIndexOfBestMetric(metrics: readonly (MetricRow | undefined)[]): number {
  const { better = '', noise = 'all' } = metrics.find((metric) => metric !== undefined) ?? {};
  const indicesWithMetric = metrics.flatMap((metric, i) => (metric === undefined ? [] : [i]));
  if (better === '' || indicesWithMetric.length < 2) return -1;
  const bestIndex = findClearlyBestValue(
    indicesWithMetric.map((metricIndex) => metrics[metricIndex]?.value ?? 0),
    better,
    { noise },
  );
  return bestIndex === undefined ? -1 : indicesWithMetric[bestIndex];
}

function createMetricCell(
  metric: MetricRow | undefined,
  metricOfFirstRun: MetricRow | undefined,
  isBest: boolean,
  isFirstRun: boolean,
): HTMLElement {
  if (metric === undefined) return createElement('td', {}, '–');
  const metricText = formatMetricWithUnit(metric);
  const exactValueText = metric.unit === 's' ? `${formatValue(metric.value, metric.format)} s` : undefined;
  const relativeChange =
    metricOfFirstRun === undefined || metricOfFirstRun.value === 0
      ? 0
      : metric.value / metricOfFirstRun.value - 1;
  const changeText = formatValue(relativeChange, { style: 'percent', decimals: 1, isSigned: true });
  const isChangeShown = !isFirstRun && metric.better !== '' && Math.abs(relativeChange) >= 0.0005;
  return createElement(
    'td',
    {
      className: isBest ? 'best' : '',
      title: exactValueText,
      'data-metric': metric.name,
      'data-value': metric.value,
    },
    metricText,
    isBest &&
      createElement(
        'span',
        {
          className: 'mark',
          title: `more than ${100 * estimateSingleSampleNoise(metric)} % better than all others, in this one sample`,
        },
        ' ★',
      ),
    isChangeShown && createElement('small', {}, changeText),
  );
}

export function createMetricsPanel(model: ExplorerModel): HTMLElement {
  const table = createElement('table', { className: 'metrics' });
  const element = createElement(
    'section',
    { className: 'card wide' },
    createElement('h2', {}, 'Metrics'),
    createElement(
      'div',
      { className: 'scroll', tabIndex: 0, role: 'region', 'aria-label': 'Metrics' },
      table,
    ),
  );
  model.outcomeChanged.on(() => {
    const runs: readonly FinishedRunData[] = model.runs;
    const metricNames = [
      ...new Set(runs.flatMap(({ metrics }) => metrics.map(({ name: metricName }) => metricName))),
    ];
    const rows = metricNames.map((metricName) => {
      const metrics = runs.map((run) => run.metrics.find((metric) => metric.name === metricName));
      const [anyMetric] = metrics.filter((metric) => metric !== undefined);
      const bestIndex = findIndexOfBestMetric(metrics);
      const heading = createElement(
        'th',
        { scope: 'row' },
        anyMetric.label,
        anyMetric.remark !== '' && createElement('small', {}, anyMetric.remark),
      );
      return createElement(
        'tr',
        {},
        heading,
        ...metrics.map((metric, i) => createMetricCell(metric, metrics[0], i === bestIndex, i === 0)),
      );
    });
    const headRow = createElement(
      'tr',
      {},
      createElement('th', { scope: 'col' }, 'metric'),
      ...runs.map(({ label: runLabel }) => createElement('th', { scope: 'col' }, runLabel)),
    );
    table.classList.toggle('is-wide', runs.length > 4);
    table.replaceChildren(createElement('thead', {}, headRow), createElement('tbody', {}, ...rows));
    labelTableCells(table);
  });
  return element;
}
