/** Distributions of waits and slowdowns under all runs. */
import { formatDuration, formatNumber, joinWithAnd } from '../../../host/format/numbers.js';
import {
  makeSlowdownDistributionFigure,
  makeWaitDistributionFigure,
} from '../../../host/reports/distributionFigures.js';
import { SideBySideFigures } from '../charts/figureRow.js';
import { createElement } from '../dom.js';
import type { ExplorerModel } from '../model.js';
import type { FinishedRunData } from '../protocol.js';

/** Returns the cumulative curves of the runs, and their medians as text. */
function cumulativeCurvesAndMedians(
  runs: readonly FinishedRunData[],
  quantity: 'waits' | 'slowdowns',
  formatQuantityValue: (value: number) => string,
): Parameters<typeof makeWaitDistributionFigure> {
  const series = runs.map(({ label: runLabel, [quantity]: figurePoints }) => ({
    name: runLabel,
    points: figurePoints,
  }));
  const medianTexts = series.map(({ points: figurePoints }) =>
    formatQuantityValue(Number(figurePoints.find(({ y }) => Number(y) >= 0.5)?.x)),
  );
  const areMediansEqual = new Set(medianTexts).size === 1;
  const medianTextsToShow = areMediansEqual
    ? medianTexts.slice(0, 1)
    : medianTexts.map((medianText, i) => `${medianText} (${series[i].name})`);
  return [
    series,
    `${medianTextsToShow.length === 1 ? 'median' : 'medians'} ${joinWithAnd(medianTextsToShow)}`,
  ];
}

export function createDistributionsPanel(model: ExplorerModel): HTMLElement {
  const row = new SideBySideFigures();
  model.outcomeChanged.on(() =>
    row.show([
      makeWaitDistributionFigure(...cumulativeCurvesAndMedians(model.runs, 'waits', formatDuration)),
      makeSlowdownDistributionFigure(
        ...cumulativeCurvesAndMedians(model.runs, 'slowdowns', (value) => formatNumber(value, 1)),
      ),
    ]),
  );
  return createElement('section', { className: 'card wide', 'aria-label': 'Distributions' }, row.element);
}
