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
function cumulativeCurvesOfRuns(
  runs: readonly FinishedRunData[],
  quantity: 'waits' | 'slowdowns',
  text: (value: number) => string,
): Parameters<typeof makeWaitDistributionFigure> {
  const series = runs.map(({ label, [quantity]: points }) => ({ name: label, points }));
  const halves = series.map(({ points }) => text(Number(points.find(({ y }) => Number(y) >= 0.5)?.x)));
  const areAlike = new Set(halves).size === 1;
  const texts = areAlike ? halves.slice(0, 1) : halves.map((half, i) => `${half} (${series[i].name})`);
  return [series, `${texts.length === 1 ? 'median' : 'medians'} ${joinWithAnd(texts)}`];
}

export function createDistributionsPanel(model: ExplorerModel): HTMLElement {
  const row = new SideBySideFigures();
  model.outcomeChanged.on(() =>
    row.show([
      makeWaitDistributionFigure(...cumulativeCurvesOfRuns(model.runs, 'waits', formatDuration)),
      makeSlowdownDistributionFigure(
        ...cumulativeCurvesOfRuns(model.runs, 'slowdowns', (value) => formatNumber(value, 1)),
      ),
    ]),
  );
  return createElement('section', { className: 'card wide', 'aria-label': 'Distributions' }, row.element);
}
