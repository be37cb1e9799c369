/** Distributions of waits and of bounded slowdowns as figures: the share of jobs up to x, on a logarithmic axis. */
import type { Figure, FigureAxis, FigurePoint, FigureSeries, FigureView } from '../draw/figureModel.js';

/** Shares of few jobs. */
const FINE_SHARE = { format: { style: 'percent', decimals: 2 } } as const;

/** Share of jobs at the least value from which the view of jobs above x is shown first: the other would show little of the rest. */
const MAX_AT_FIRST = 0.75;

/** Words on the jobs up to x, and on those above, in a distribution. */
interface DistributionWords {
  readonly id: string;
  readonly title: string;
  readonly upTo: string;
  readonly above: string;
  /** Label of the selection menu for jobs above the threshold. */
  readonly choice: string;
}

/** A distribution, and as another view the share above x, whose tail a logarithmic axis shows; that one first where few jobs are above. */
function distribution(
  { id, title, upTo, above, choice }: DistributionWords,
  x: FigureAxis,
  series: readonly FigureSeries[],
  remark: string,
): Figure {
  const y = { title: 'share of jobs', format: { style: 'percent' } } as const;
  const panels = [{ title: '', series }];
  const complement = ({ x: place, y: share }: FigurePoint): FigurePoint => ({
    x: place,
    y: share === null || share >= 1 ? null : Number((1 - share).toPrecision(6)),
  });
  const others = series.map((each) => ({ ...each, points: each.points.map(complement) }));
  const hasTail = others.some(({ points }) => points.some((point) => point.y !== null));
  const views: FigureView[] = [
    { measure: 'jobs up to x', y, panels },
    { measure: choice, y: { ...FINE_SHARE, title: choice }, panels: [{ title: '', series: others }] },
  ];
  const isFew = hasTail && series.every(({ points }) => (points[0]?.y ?? 0) > MAX_AT_FIRST);
  if (isFew) views.reverse();
  const first = views[0]!;
  return {
    id,
    title,
    caption: `${isFew ? above : upTo}${remark === '' ? '' : `; ${remark}`}.`,
    kind: 'step',
    x,
    y: first.y,
    panels: first.panels,
    ...(hasTail ? { views } : {}),
  };
}

/**
 * The distribution of waits.
 * @param series as `cumulativeShares` gives their points.
 * @param remark what else its caption says.
 */
export const waitsFigure = (series: readonly FigureSeries[], remark = ''): Figure =>
  distribution(
    {
      id: 'waits',
      title: 'Distribution of waits',
      upTo: 'Share of jobs that waited at most x',
      above: 'Share of jobs that waited longer than x',
      choice: 'jobs that waited longer',
    },
    { title: 'wait', unit: 's', scale: 'log' },
    series,
    remark,
  );

const TIMES = 'x times their runtime, which is bounded below at 10 s';

/** Figure of the distribution of bounded slowdowns, like `waitsFigure`. */
export const slowdownsFigure = (series: readonly FigureSeries[], remark = ''): Figure =>
  distribution(
    {
      id: 'slowdowns',
      title: 'Distribution of bounded slowdowns',
      upTo: `Share of jobs whose response time was at most ${TIMES}`,
      above: `Share of jobs whose response time was more than ${TIMES}`,
      choice: 'jobs with a larger one',
    },
    { title: 'bounded slowdown', scale: 'log' },
    series,
    remark,
  );
