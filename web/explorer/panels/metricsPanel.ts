/** Table of metrics: one column per run, the best value of each row marked, differences to the first run. */
import { formatValue } from '../../../host/format/numbers.js';
import { indexOfClearlyBestValue, singleSampleNoiseOfMetric } from '../../../host/statistics/samples.js';
import { h, labelCells } from '../dom.js';
import type { ExplorerModel } from '../model.js';
import type { MetricRow, RunData } from '../protocol.js';
import { metricVerdictText } from '../words.js';

/**
 * Returns the index of the best value if it leads all others by more than the noise of one sample; otherwise
 * -1.
 */
function bestOf(metrics: readonly (MetricRow | undefined)[]): number {
  const { better = '', noise = 'all' } = metrics.find((metric) => metric !== undefined) ?? {};
  const places = metrics.flatMap((metric, i) => (metric === undefined ? [] : [i]));
  if (better === '' || places.length < 2) return -1;
  const best = indexOfClearlyBestValue(
    places.map((i) => metrics[i]?.value ?? 0),
    better,
    { noise },
  );
  return best === undefined ? -1 : places[best];
}

function cell(
  metric: MetricRow | undefined,
  base: MetricRow | undefined,
  isBest: boolean,
  isFirst: boolean,
): HTMLElement {
  if (metric === undefined) return h('td', {}, '–');
  const text = metricVerdictText(metric);
  const exact = metric.unit === 's' ? `${formatValue(metric.value, metric.format)} s` : undefined;
  const relative = base === undefined || base.value === 0 ? 0 : metric.value / base.value - 1;
  const change = formatValue(relative, { style: 'percent', decimals: 1, isSigned: true });
  const showsChange = !isFirst && metric.better !== '' && Math.abs(relative) >= 0.0005;
  return h(
    'td',
    { className: isBest ? 'best' : '', title: exact, 'data-metric': metric.name, 'data-value': metric.value },
    text,
    isBest &&
      h(
        'span',
        {
          className: 'mark',
          title: `more than ${100 * singleSampleNoiseOfMetric(metric)} % better than all others, in this one sample`,
        },
        ' ★',
      ),
    showsChange && h('small', {}, change),
  );
}

export function metricsPanel(model: ExplorerModel): HTMLElement {
  const table = h('table', { className: 'metrics' });
  const element = h(
    'section',
    { className: 'card wide' },
    h('h2', {}, 'Metrics'),
    h('div', { className: 'scroll', tabIndex: 0, role: 'region', 'aria-label': 'Metrics' }, table),
  );
  model.outcomeChanged.on(() => {
    const runs: readonly RunData[] = model.runs;
    const names = [...new Set(runs.flatMap(({ metrics }) => metrics.map(({ name }) => name)))];
    const rows = names.map((name) => {
      const metrics = runs.map((run) => run.metrics.find((metric) => metric.name === name));
      const [known] = metrics.filter((metric) => metric !== undefined);
      const best = bestOf(metrics);
      const heading = h(
        'th',
        { scope: 'row' },
        known.label,
        known.remark !== '' && h('small', {}, known.remark),
      );
      return h(
        'tr',
        {},
        heading,
        ...metrics.map((metric, i) => cell(metric, metrics[0], i === best, i === 0)),
      );
    });
    const head = h(
      'tr',
      {},
      h('th', { scope: 'col' }, 'metric'),
      ...runs.map(({ label }) => h('th', { scope: 'col' }, label)),
    );
    table.classList.toggle('is-wide', runs.length > 4);
    table.replaceChildren(h('thead', {}, head), h('tbody', {}, ...rows));
    labelCells(table);
  });
  return element;
}
