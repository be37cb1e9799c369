/** Verdicts on methods by a metric, as figures: how far each is behind the best of the others, and means. */
import type { Figure, FigureAxis, FigureSeries } from '../draw/figureModel.js';
import { capitalized, formatDuration, formatNumber, formatPercent, valueText } from '../format/numbers.js';
import type { JudgedComparison, JudgedMetric } from '../runs/comparison.js';
import { metricId } from '../simulate/jobMetrics.js';
import type { Metric } from '../simulate/metric.js';
import { haveIntervals, intervalName, meanBounds, meansOver } from '../statistics/samples.js';
import {
  areShares,
  type Behind,
  behindOf,
  distanceText,
  jointBoundsText,
  SIGNED,
  shownRange,
  VERDICTS,
  verdictWord,
} from './verdictText.js';

/** Methods that have been compared. */
export interface JudgedMethods {
  /** Their names, in their order. */
  readonly names: readonly string[];
  readonly comparison: JudgedComparison;
}

/** Differences to the best of the other methods beside a line at 0. */
export function differenceFigure(judged: JudgedMetric, { names, comparison }: JudgedMethods): Figure {
  const { name, metric, judgement } = judged;
  const shares = behindOf(judgement, metric.better);
  const scale = Math.abs(judgement.methods[judgement.observedBest]!.mean) || 1;
  const zone = judgement.within / scale;
  const isShare = areShares(judgement);
  const words = judgement.methods.map((method) => verdictWord(method) || 'not judged');
  const order = names.map((_, i) => i).sort((a, b) => shares[a]!.value - shares[b]!.value);
  const series = [...Object.keys(VERDICTS), 'not judged'].flatMap((word): FigureSeries[] => {
    const own = order.filter((i) => words[i] === word);
    const color = VERDICTS[word as keyof typeof VERDICTS]?.color ?? VERDICTS.undecided.color;
    const points = own.map((i) => ({
      ...{ x: names[i]!, y: shares[i]!.value, ...shares[i] },
      remark: distanceText(judgement.methods[i]!, judgement),
    }));
    return own.length === 0 ? [] : [{ name: word, color, points }];
  });
  const percents = formatPercent(zone, 1).replace('.0', '');
  return {
    id: `${metricId(name)}-behind`,
    title: `${capitalized(metric.label)}: how far behind the best of the others`,
    caption:
      `Over ${formatNumber(comparison.replications)} ${comparison.population.copies}. Left of 0 a method is ahead of all others. ` +
      (judgement.isJudged
        ? `Whiskers are simultaneous 95 % confidence limits ${jointBoundsText(comparison)}${isShare ? `; shaded: within ${percents} of the best` : ''}.`
        : `Too few ${comparison.population.counted ?? 'replications'} to judge: no limits are drawn.`),
    kind: 'dots',
    bounds: 'joint',
    x: { title: 'method' },
    y: {
      title: 'behind the best',
      ...(isShare || metric.unit === undefined ? {} : { unit: metric.unit }),
      ...signedAxis(shares, zone, isShare),
    },
    panels: [{ title: '', series }],
  };
}

/** Decimals of the ticks of shares, and the zone that is small beside them. */
export function signedAxis(shares: readonly Behind[], zone: number, isShare: boolean): Partial<FigureAxis> {
  const part = shownRange(shares);
  if (!isShare) return { format: SIGNED, ...part };
  const all = shares.flatMap(({ value, low, high }) => [value, low ?? value, high ?? value]);
  const ends = part.range ?? all;
  const span = Math.max(...ends, zone) - Math.min(...ends, 0);
  const decimals = span < 0.004 ? 2 : span < 0.04 ? 1 : 0;
  return { zone: [0, zone], format: { style: 'percent', isSigned: true, decimals }, ...part };
}

const valueAxis = ({ label, unit, format }: Metric): FigureAxis => ({
  title: label,
  ...(unit === undefined ? {} : { unit }),
  ...(format.style === 'percent' ? { format: { style: 'percent' as const } } : {}),
});

/** A mean as written beside its dot. */
const meanRemark = ({ unit, format }: Metric, value: number) =>
  unit === 's' && value >= 60 ? formatDuration(value) : valueText(value, format);

/** Means with their intervals. */
export function meanFigure(
  { name, metric, estimates, judgement }: JudgedMetric,
  { names, comparison }: JudgedMethods,
): Figure {
  const sign = metric.better === 'more' ? -1 : 1;
  const { replications, population } = comparison;
  const hasIntervals = haveIntervals(population, replications);
  const order = names.map((_, i) => i).sort((a, b) => sign * (estimates[a]!.mean - estimates[b]!.mean));
  const points = order.map((i) => {
    const { mean, low, high } = estimates[i]!;
    const bounds = hasIntervals ? { low, high } : {};
    return { x: names[i]!, y: mean, ...bounds, remark: meanRemark(metric, mean) };
  });
  return {
    id: `${metricId(name)}-mean`,
    title: `${capitalized(metric.label)}: means`,
    caption:
      `${meansOver(population, replications)}.` +
      (hasIntervals && judgement.isJudged
        ? ' Intervals of means may overlap where paired differences are significant: judge by the differences.'
        : ''),
    kind: 'dots',
    bounds: meanBounds(population, replications),
    x: { title: 'method' },
    y: {
      ...valueAxis(metric),
      ...shownRange(estimates.map(({ mean, low, high }) => ({ value: mean, low, high }))),
    },
    panels: [
      {
        title: '',
        series: [
          {
            name: hasIntervals ? `mean and ${intervalName(population, replications)}` : 'mean',
            color: '#0072b2',
            points,
          },
        ],
      },
    ],
  };
}
