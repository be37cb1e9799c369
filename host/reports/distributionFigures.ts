/**
 * Figures of the distributions of waits and bounded slowdowns: share of jobs up to x, on a logarithmic
 * axis.
 */
import type { Figure, FigureAxis, FigurePoint, FigureSeries, FigureView } from '../draw/figureModel.js';

/** Number format for small shares of jobs, with two decimals. */
const FINE_PERCENT_FORMAT = { format: { style: 'percent', decimals: 2 } } as const;

/**
 * Share of jobs that have the smallest value, such as a wait of 0, above which the figure first shows the share
 * of jobs above each value: the share up to each value would start near 1 and be nearly flat.
 */
const MAX_SHARE_AT_FIRST_VALUE = 0.75;

/** Wording of a distribution figure for jobs up to x and for jobs above x. */
interface DistributionFigureWords {
  readonly id: string;
  readonly title: string;
  readonly captionUpTo: string;
  readonly captionAbove: string;
  /** Menu entry for the view of jobs above x. */
  readonly viewTitle: string;
}

/**
 * Figure of a distribution with a second view of the share above x, whose logarithmic axis shows the tail.
 */
function makeDistributionFigure(
  { id, title, captionUpTo, captionAbove, viewTitle }: DistributionFigureWords,
  xAxis: FigureAxis,
  series: readonly FigureSeries[],
  remark: string,
): Figure {
  const y = { title: 'share of jobs', format: { style: 'percent' } } as const;
  const panels = [{ title: '', series }];
  const complementPoint = ({ x, y: share }: FigurePoint): FigurePoint => ({
    x,
    y: share === null || share >= 1 ? null : Number((1 - share).toPrecision(6)),
  });
  const complementSeries = series.map((figureSeries) => ({
    ...figureSeries,
    points: figureSeries.points.map(complementPoint),
  }));
  const hasDistributionTail = complementSeries.some(({ points: figurePoints }) =>
    figurePoints.some((figurePoint) => figurePoint.y !== null),
  );
  const views: FigureView[] = [
    { measure: 'jobs up to x', y, panels },
    {
      measure: viewTitle,
      y: { ...FINE_PERCENT_FORMAT, title: viewTitle },
      panels: [{ title: '', series: complementSeries }],
    },
  ];
  const hasFewValues =
    hasDistributionTail &&
    series.every(({ points: seriesPoints }) => (seriesPoints[0]?.y ?? 0) > MAX_SHARE_AT_FIRST_VALUE);
  if (hasFewValues) views.reverse();
  const firstFigureView = views[0]!;
  return {
    id,
    title,
    caption: `${hasFewValues ? captionAbove : captionUpTo}${remark === '' ? '' : `; ${remark}`}.`,
    kind: 'step',
    x: xAxis,
    y: firstFigureView.y,
    panels: firstFigureView.panels,
    ...(hasDistributionTail ? { views } : {}),
  };
}

/**
 * Figure of the distribution of waits.
 * @param series series with points from `cumulativeDistributionCurve`.
 * @param remark addition to the caption.
 */
export const makeWaitDistributionFigure = (series: readonly FigureSeries[], remark = ''): Figure =>
  makeDistributionFigure(
    {
      id: 'waits',
      title: 'Distribution of waits',
      captionUpTo: 'Share of jobs that waited at most x',
      captionAbove: 'Share of jobs that waited longer than x',
      viewTitle: 'jobs that waited longer',
    },
    { title: 'wait', unit: 's', scale: 'log' },
    series,
    remark,
  );

const BOUNDED_SLOWDOWN_PHRASE = 'x times their runtime, which is bounded below at 10 s';

/** Figure of the distribution of bounded slowdowns. */
export const makeSlowdownDistributionFigure = (series: readonly FigureSeries[], remark = ''): Figure =>
  makeDistributionFigure(
    {
      id: 'slowdowns',
      title: 'Distribution of bounded slowdowns',
      captionUpTo: `Share of jobs whose response time was at most ${BOUNDED_SLOWDOWN_PHRASE}`,
      captionAbove: `Share of jobs whose response time was more than ${BOUNDED_SLOWDOWN_PHRASE}`,
      viewTitle: 'jobs with a larger one',
    },
    { title: 'bounded slowdown', scale: 'log' },
    series,
    remark,
  );
