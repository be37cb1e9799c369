/** Verdicts on methods by one metric over replications or logs, as sentences, signs, tables and figures. */
import type { Figure, FigureAxis, FigureSeries } from '../draw/figureModel.js';
import {
  capitalizeFirst,
  formatDuration,
  formatNumber,
  formatPercent,
  formatValue,
  joinWithAnd,
  type NumberFormat,
} from '../format/numbers.js';
import type { JudgedComparison, JudgedMetric } from '../runs/comparison.js';
import { metricAsFileName } from '../simulate/jobMetrics.js';
import type { Metric } from '../simulate/metric.js';
import { sampleMoments } from '../statistics/bootstrap.js';
import { type MeanInterval, studentInterval } from '../statistics/interval.js';
import type { JudgedMethod, Judgement } from '../statistics/judging.js';
import type { Population } from '../statistics/population.js';
import {
  areIntervalsInformative,
  describeMeansOverReplications,
  kindOfMeanBounds,
  makeWarningsOnMeans,
  nameMeanInterval,
} from '../statistics/samples.js';
import { type CellSign, makeCellOfValue, type Table, type TableColumn } from '../view/table.js';

/**
 * Absolute mean of the best observed method, to which differences are relative; 1 if the mean is 0, so that
 * differences keep the metric's unit.
 */
const computeAbsoluteBestMean = ({ methods, observedBest }: Judgement) =>
  Math.abs(methods[observedBest]!.mean) || 1;

/** True if differences are relative to the best observed mean rather than in the metric's unit. */
const areDifferencesRelative = ({ methods, observedBest }: Judgement) => methods[observedBest]!.mean !== 0;

/** Equivalence margin in percent of the best mean: `1 %`, `0.5 %`. */
export const formatEquivalenceMargin = (judgement: Judgement) =>
  formatPercent(judgement.within / computeAbsoluteBestMean(judgement), 3).replace(/\.?0+(?=\s%)/, '');

/** Range of differences: `2.1 to 4.0 %`, or in the metric's unit. */
function formatDifferenceRange(judgement: Judgement, low: number, high: number): string {
  if (!areDifferencesRelative(judgement)) return `${formatNumber(low, 3)} to ${formatNumber(high, 3)}`;
  const scale = computeAbsoluteBestMean(judgement);
  const decimals = choosePercentDecimals(Math.max(Math.abs(low), Math.abs(high)) / scale);
  return `${formatNumber((100 * low) / scale, decimals)} to ${formatPercent(high / scale, decimals)}`;
}

function formatDifferenceAmount(judgement: Judgement, amount: number): string {
  if (!areDifferencesRelative(judgement)) return formatNumber(amount, 3);
  const share = amount / computeAbsoluteBestMean(judgement);
  return formatPercent(share, choosePercentDecimals(share));
}

const choosePercentDecimals = (share: number) => (Math.abs(share) < 0.01 ? 2 : Math.abs(share) < 1 ? 1 : 0);

/**
 * Difference to the best other method as text: `2.1 to 4.0 % worse`, `0.4 % better to 2.3 % worse`; empty
 * if not tested.
 */
export function formatDifferenceToBest(
  { behind: differenceBounds }: JudgedMethod,
  judgement: Judgement,
): string {
  if (differenceBounds === null) return '';
  const { low, high } = differenceBounds;
  if (low >= 0) return `${formatDifferenceRange(judgement, low, high)} worse`;
  if (high <= 0) return `${formatDifferenceRange(judgement, 0 - high, -low)} better`;
  return `${formatDifferenceAmount(judgement, -low)} better to ${formatDifferenceAmount(judgement, high)} worse`;
}

/** Verdict as a word; empty if not tested. */
export function verdictWord({ verdict, behind: differenceBounds }: JudgedMethod): string {
  if (verdict === null || differenceBounds === null) return '';
  return verdict === 'best' && differenceBounds.low > 0 ? 'within' : verdict;
}

/** Indices of the methods with a given verdict. */
const findMethodsWithVerdict = ({ methods }: Judgement, word: string) =>
  methods.flatMap((judgedMethod, i) => (verdictWord(judgedMethod) === word ? [i] : []));

/** Names of the methods that are best or within the margin; otherwise `undecided` or `not judged`. */
export function bestMethodNames(judgement: Judgement, methodNames: readonly string[]): string[] {
  if (!judgement.isJudged) return ['not judged'];
  const bestMethods = findMethodsWithVerdict(judgement, 'best').map((i) => methodNames[i]!);
  return bestMethods.length === 0 ? ['undecided'] : bestMethods;
}

/**
 * Clause that lists methods with their differences: `A is worse, by 2 to 4 %`; `worse are A (2 to 4 %) and
 * B (3 to 5 %)`.
 */
function formatVerdictClause(
  verdict: string,
  joiner: string,
  methodTexts: readonly { readonly name: string; readonly amount: string }[],
): string[] {
  const [firstItem] = methodTexts;
  if (firstItem === undefined) return [];
  if (methodTexts.length > 1)
    return [`${verdict} are ${joinWithAnd(methodTexts.map(({ name, amount }) => `${name} (${amount})`))}`];
  return [
    `${firstItem.name} is ${verdict}${joiner === '' ? ` (${firstItem.amount})` : `${joiner}${firstItem.amount}`}`,
  ];
}

/**
 * Largest number of undecided methods whose bounds are given in the sentence; otherwise only in the table.
 */
const MAX_METHODS_WITH_BOUNDS = 3;

function formatUndecidedClause(judgement: Judgement, methodNames: readonly string[]): string[] {
  const { methods } = judgement;
  const undecidedMethods = findMethodsWithVerdict(judgement, 'undecided');
  if (undecidedMethods.length <= MAX_METHODS_WITH_BOUNDS) {
    const undecidedDistances = undecidedMethods.map((i) => ({
      name: methodNames[i]!,
      amount: formatDifferenceToBest(methods[i]!, judgement),
    }));
    return formatVerdictClause('undecided', '', undecidedDistances);
  }
  const methodsPhrase =
    undecidedMethods.length === methods.length
      ? `all ${methods.length} methods`
      : joinWithAnd(undecidedMethods.map((i) => methodNames[i]!));
  return [`${methodsPhrase} are undecided, within the bounds of the table`];
}

function formatBestClause(judgement: Judgement, methodNames: readonly string[]): string {
  const { methods, within } = judgement;
  const bestMethods = findMethodsWithVerdict(judgement, 'best');
  const marginText = formatEquivalenceMargin(judgement);
  if (bestMethods.length === 0) {
    return within === 0
      ? 'none is known to be the best'
      : `none is known to be within ${marginText} of the best`;
  }
  const candidates = methods.filter(({ couldBeBest, sameAs }) => couldBeBest && sameAs === null);
  const isBestCertain = within === 0 || (candidates.length === 1 && bestMethods.length === 1);
  const beVerb = `${joinWithAnd(bestMethods.map((i) => methodNames[i]!))} ${bestMethods.length === 1 ? 'is' : 'are'}`;
  return isBestCertain ? `${beVerb} the best` : `${beVerb} within ${marginText} of the best`;
}

/** True if all methods have equal values in every replication. */
export function areMethodsIdentical({ methods }: Pick<Judgement, 'methods'>): boolean {
  return methods.every(({ sameAs }, i) => i === 0 || sameAs === 0);
}

/** Comparisons covered by simultaneous limits: `for all methods, 2 metrics and 3 looks`. */
export function describeSimultaneousLimits({
  metrics,
  looks,
}: Pick<JudgedComparison, 'metrics' | 'looks'>): string {
  const multipleCounts = Object.entries({ metrics, looks }).filter(([, { length }]) => length > 1);
  return joinWithAnd(['for all methods', ...multipleCounts.map(([name, { length }]) => `${length} ${name}`)]);
}

/** Sentences on the verdicts and the sampled population. */
export function describeVerdicts(
  judgement: Judgement,
  names: readonly string[],
  population: Population,
): string {
  const { methods, replications: replicationCount, isJudged, isOneSample } = judgement;
  const replicationsPhrase = `these ${formatNumber(replicationCount)} ${population.copies}`;
  if (methods.length === 1) return 'There is only one method, so nothing is compared.';
  if (isOneSample)
    return `No verdicts: each method has the same value in all ${replicationsPhrase}, so they are one sample.`;
  if (!isJudged) {
    const { fewest, counted } = population;
    return counted === undefined
      ? `No verdicts from ${replicationsPhrase}: at least ${fewest} replications are needed.`
      : `No verdict over all ${counted}: at least ${fewest} ${counted} are needed, and ${formatNumber(replicationCount)} were given.`;
  }
  if (areMethodsIdentical(judgement))
    return `Among ${replicationsPhrase}, ${methods.length === 2 ? 'both' : `all ${methods.length}`} methods are identical.`;
  const worseMethodTexts = findMethodsWithVerdict(judgement, 'worse').map((i) => {
    const { low, high } = methods[i]!.behind!;
    return { name: names[i]!, amount: formatDifferenceRange(judgement, low, high) };
  });
  const withinClauses = findMethodsWithVerdict(judgement, 'within').map(
    (i) => `${names[i]} is worse, by less than ${formatEquivalenceMargin(judgement)}`,
  );
  const verdictClauses = [
    formatBestClause(judgement, names),
    ...withinClauses,
    ...formatVerdictClause('worse', ', by ', worseMethodTexts),
    ...formatUndecidedClause(judgement, names),
  ];
  return `Among ${replicationsPhrase}, ${verdictClauses.join('; ')}.`;
}

/** Sentences that qualify a judgement, on identical methods, the smallest detectable difference and the like. */
export function notesOnJudgement(
  judgement: Judgement,
  names: readonly string[],
  metric: string,
  population: Pick<Population, 'counted'>,
): string[] {
  const {
    methods,
    replications: replicationCount,
    observedBest,
    skewed: skewedDifferences,
    leastDifference,
    fixed,
  } = judgement;
  const unitWord = chooseReplicationUnit(population);
  const [mostSkewed] = skewedDifferences;
  const inEveryReplication = `in every ${unitWord.slice(0, -1)}`;
  const notes = [
    ...methods.map(
      ({ sameAs }, i) =>
        sameAs !== null && `${names[i]} and ${names[sameAs]} are identical ${inEveryReplication}.`,
    ),
    ...fixed.map(
      ([i, b]) => `The difference between ${names[i]} and ${names[b]} is the same ${inEveryReplication}.`,
    ),
    leastDifference !== null &&
      `With ${formatNumber(replicationCount)} ${unitWord}, a difference of ${formatDifferenceAmount(judgement, leastDifference)} between ${names[observedBest]} and the methods that are undecided or may be the best is detected with 80 % power.`,
    mostSkewed !== undefined &&
      `Differences are skewed (most of all ${mostSkewed.methods.map((i) => names[i]).join(' minus ')}): with fewer than ${formatNumber(mostSkewed.replications)} ${unitWord}, the actual coverage of the limits may be below 95 %.`,
    judgement.lacksResamples && "Some differences hardly vary; Student's t limits are used for those.",
    judgement.lacksCandidate &&
      `Through rounding, the bounds put every method behind another; ${names[observedBest]} has the best mean and counts as the best.`,
    ...makeWarningsOnMeans([metric]),
  ];
  return notes.filter((note) => note !== false);
}

/** Unit in which samples are counted: `replications` or `logs`. */
export const chooseReplicationUnit = ({ counted }: Pick<Population, 'counted'>): string =>
  counted ?? 'replications';

// Signs, tables and figures of verdicts

/** Colour and sign of each verdict. */
const VERDICT_SIGNS_AND_COLORS = {
  best: { color: '#009e73', mark: '✓', tone: 'good' },
  within: { color: '#56b4e9', mark: '≈', tone: 'good' },
  undecided: { color: '#8a8a8a', mark: '?' },
  worse: { color: '#d55e00', mark: '✗', tone: 'bad' },
} as const;

/** Sign of a method's verdict with its meaning; undefined if not tested. */
export function signOfVerdict(
  judgedMethod: JudgedMethod,
  judgement: Judgement,
): { readonly sign?: CellSign } {
  const word = verdictWord(judgedMethod) as keyof typeof VERDICT_SIGNS_AND_COLORS | '';
  if (word === '') return {};
  const marginText = formatEquivalenceMargin(judgement);
  const meaning = {
    best: `the best, or within ${marginText} of the best`,
    within: `worse, but by less than ${marginText}`,
    undecided: 'the data are inconclusive',
    worse: 'significantly worse than the best',
  }[word];
  const { color: _, mark, ...tone } = VERDICT_SIGNS_AND_COLORS[word];
  return { sign: { mark, meaning: `${word}: ${meaning}`, ...tone } };
}

/** Difference of a method to the best other method, relative to the best observed mean; negative: better. */
export interface DifferenceToBest {
  readonly value: number;
  /** Limits of the confidence interval of the difference; absent if the difference was not tested. */
  readonly low?: number;
  readonly high?: number;
}

/** Differences of all methods to the best other method. */
export function differencesToBest(
  judgement: Judgement,
  better: 'less' | 'more' = 'less',
): DifferenceToBest[] {
  const { methods } = judgement;
  const scale = computeAbsoluteBestMean(judgement);
  const directionSign = better === 'more' ? -1 : 1;
  const findFirstIdentical = (i: number) => methods[i]!.sameAs ?? i;
  return methods.map(({ mean, behind: differenceBounds }, i) => {
    const othersValues = methods.flatMap((judgedMethod, j) =>
      findFirstIdentical(j) === findFirstIdentical(i) ? [] : [directionSign * judgedMethod.mean],
    );
    const difference =
      othersValues.length === 0 ? 0 : (directionSign * mean - Math.min(...othersValues)) / scale;
    return differenceBounds === null
      ? { value: difference }
      : { value: difference, low: differenceBounds.low / scale, high: differenceBounds.high / scale };
  });
}

/** Number format of signed differences in the metric's unit. */
const SIGNED_MEASURE_FORMAT: NumberFormat = { style: 'measure', isSigned: true };

/** Percent format with enough decimals to distinguish the differences and their bounds. */
export function chooseSignedPercentFormat(differencesToBest: readonly DifferenceToBest[]): NumberFormat {
  const absoluteShares = differencesToBest.flatMap(({ value: differenceToBest, low = 0, high = 0 }) =>
    [differenceToBest, low, high].map(Math.abs),
  );
  const [least, most] = [Math.min(...absoluteShares.filter((size) => size > 0)), Math.max(...absoluteShares)];
  return { style: 'percent', decimals: most < 0.01 ? 2 : least < 0.1 ? 1 : 0, isSigned: true };
}

const METHOD_TABLE_COLUMN: TableColumn = { title: 'method', isHeading: true };

/** Object with the metric's unit, or empty if it has none. */
export const unitEntryOfMetric = ({ unit: metricUnit }: Pick<Metric, 'unit'>) =>
  metricUnit === undefined ? {} : { unit: metricUnit };

/** Panels of a figure with a single series. */
export const makeSingleSeriesPanel = (seriesName: string, figurePoints: FigureSeries['points']) => [
  { title: '', series: [{ name: seriesName, color: '#0072b2', points: figurePoints }] },
];

/** Table column of differences: in percent, or in the metric's unit. */
const makeDifferenceColumn = (
  title: string,
  differencesToBest: readonly DifferenceToBest[],
  isPercentage: boolean,
  metric: Metric,
) => ({
  title,
  ...(isPercentage
    ? { format: chooseSignedPercentFormat(differencesToBest) }
    : { format: SIGNED_MEASURE_FORMAT, ...unitEntryOfMetric(metric) }),
  holds: 'difference' as const,
});

/** Table of methods by one metric: mean, share of replications won, difference, verdict. */
export function makeVerdictsTable(
  { name: metricName, metric, estimates, judgement }: JudgedMetric,
  names: readonly string[],
  comparison: JudgedComparison,
): Table {
  const { replications: replicationCount, population } = comparison;
  const { isJudged, methods } = judgement;
  const shares = differencesToBest(judgement, metric.better);
  const isPercentage = areDifferencesRelative(judgement);
  const hasIntervals = areIntervalsInformative(population, replicationCount);
  const hasOneMethod = methods.length === 1;
  const meansPhrase = describeMeansOverReplications(population, replicationCount);
  const percentNote = isPercentage ? ' in percent of the best mean' : '';
  const limitsPhrase = isJudged
    ? `, with simultaneous 95 % confidence limits ${describeSimultaneousLimits(comparison)}.`
    : '; too few to judge.';
  const numberFormat: NumberFormat =
    metric.format.style === 'percent' ? { style: 'percent', decimals: 2 } : { style: 'measure' };
  return {
    id: metricAsFileName(metricName),
    title: capitalizeFirst(metric.label),
    caption: hasOneMethod
      ? `${meansPhrase}.`
      : `${meansPhrase}; the difference to the best of the other methods${percentNote}, from paired ${chooseReplicationUnit(population)}${limitsPhrase}`,
    columns: [
      METHOD_TABLE_COLUMN,
      { title: 'mean', format: numberFormat, ...unitEntryOfMetric(metric) },
      ...(isJudged ? [{ title: 'verdict' }] : []),
      ...(hasOneMethod
        ? []
        : [
            { ...makeDifferenceColumn('behind', shares, isPercentage, metric), bounds: 'joint' as const },
            { title: 'best in', format: { style: 'percent', decimals: 0 } as const },
          ]),
    ],
    rows: methods.map((judgedMethod, i) => [
      names[i]!,
      hasIntervals ? makeCellOfValue(estimates[i]!) : estimates[i]!.mean,
      ...(isJudged
        ? [{ value: verdictWord(judgedMethod) || null, ...signOfVerdict(judgedMethod, judgement) }]
        : []),
      ...(hasOneMethod ? [] : [{ ...shares[i]! }, judgedMethod.bestIn]),
    ]),
    bounds: kindOfMeanBounds(population, replicationCount),
  };
}

/** Figure of the differences to the best other method, with a line at 0. */
export function makeDifferenceFigure(
  { name: metricName, metric, judgement }: JudgedMetric,
  names: readonly string[],
  comparison: JudgedComparison,
): Figure {
  const { replications: replicationCount, population } = comparison;
  const shares = differencesToBest(judgement, metric.better);
  const isPercentage = areDifferencesRelative(judgement);
  const sortedMethods = names.map((_, i) => i).sort((a, b) => shares[a]!.value - shares[b]!.value);
  const series = [...Object.keys(VERDICT_SIGNS_AND_COLORS), 'not judged'].flatMap((word): FigureSeries[] => {
    const methodsOfVerdict = sortedMethods.filter(
      (i) => (verdictWord(judgement.methods[i]!) || 'not judged') === word,
    );
    const color =
      VERDICT_SIGNS_AND_COLORS[word as keyof typeof VERDICT_SIGNS_AND_COLORS]?.color ??
      VERDICT_SIGNS_AND_COLORS.undecided.color;
    const methodPoints = methodsOfVerdict.map((i) => ({
      ...{ x: names[i]!, y: shares[i]!.value, ...shares[i] },
      remark: formatDifferenceToBest(judgement.methods[i]!, judgement),
    }));
    return methodsOfVerdict.length === 0 ? [] : [{ name: word, color, points: methodPoints }];
  });
  const shadedZoneText = isPercentage
    ? `; shaded: within ${formatEquivalenceMargin(judgement)} of the best`
    : '';
  return {
    id: `${metricAsFileName(metricName)}-behind`,
    title: `${capitalizeFirst(metric.label)}: how far behind the best of the others`,
    caption:
      `Over ${formatNumber(replicationCount)} ${population.copies}. Left of 0 a method is ahead of all others. ` +
      (judgement.isJudged
        ? `Whiskers are simultaneous 95 % confidence limits ${describeSimultaneousLimits(comparison)}${shadedZoneText}.`
        : `Too few ${chooseReplicationUnit(population)} to judge: no limits are drawn.`),
    kind: 'dots',
    bounds: 'joint',
    x: { title: 'method' },
    y: {
      title: 'behind the best',
      ...unitEntryOfMetric(isPercentage ? {} : metric),
      ...makeSignedAxis(shares, judgement.within / computeAbsoluteBestMean(judgement), isPercentage),
    },
    panels: [{ title: '', series }],
  };
}

/** Axis of signed shares: number of decimals, and the shaded zone of the equivalence margin. */
function makeSignedAxis(
  differencesToBest: readonly DifferenceToBest[],
  zone: number,
  isPercentage: boolean,
): Partial<FigureAxis> {
  const rangeEntry = axisRangeWithoutOutliers(differencesToBest);
  if (!isPercentage) return { format: SIGNED_MEASURE_FORMAT, ...rangeEntry };
  const shareEnds =
    rangeEntry.range ??
    differencesToBest.flatMap(({ value: differenceToBest, low, high }) => [
      differenceToBest,
      low ?? differenceToBest,
      high ?? differenceToBest,
    ]);
  const span = Math.max(...shareEnds, zone) - Math.min(...shareEnds, 0);
  const decimals = span < 0.004 ? 2 : span < 0.04 ? 1 : 0;
  return { zone: [0, zone], format: { style: 'percent', isSigned: true, decimals }, ...rangeEntry };
}

/**
 * Factor by which the largest value exceeds the next for it to be drawn at the axis edge, so that the
 * others stay distinguishable.
 */
const MIN_OUTLIER_RATIO = 5;

/** Visible range of a difference axis if a few values are far outside; empty otherwise. In the axis unit. */
export function axisRangeWithoutOutliers(
  differences: readonly DifferenceToBest[],
): Pick<FigureAxis, 'range'> {
  const highEnds = differences
    .map(({ value: differenceToBest, high = differenceToBest }) => high)
    .sort((a, b) => a - b);
  let lastIndex = highEnds.length - 1;
  while (
    2 * lastIndex > highEnds.length &&
    highEnds[lastIndex - 1]! > 0 &&
    highEnds[lastIndex]! > MIN_OUTLIER_RATIO * highEnds[lastIndex - 1]!
  )
    lastIndex--;
  if (lastIndex === highEnds.length - 1) return {};
  const lowEnds = differences
    .filter(({ value: differenceToBest }) => differenceToBest <= highEnds[lastIndex]!)
    .map(({ value: differenceToBest, low = differenceToBest }) => low);
  return { range: [Math.min(...lowEnds), highEnds[lastIndex]!] };
}

/** Figure of means with their intervals. */
export function makeMethodMeansFigure(
  { name: metricName, metric, estimates, judgement }: JudgedMetric,
  names: readonly string[],
  { replications: replicationCount, population }: Pick<JudgedComparison, 'replications' | 'population'>,
): Figure {
  const directionSign = metric.better === 'more' ? -1 : 1;
  const hasIntervals = areIntervalsInformative(population, replicationCount);
  const sortedMethods = names
    .map((_, i) => i)
    .sort((a, b) => directionSign * (estimates[a]!.mean - estimates[b]!.mean));
  const valueRemarkOf = (mean: number) =>
    metric.unit === 's' && mean >= 60 ? formatDuration(mean) : formatValue(mean, metric.format);
  const methodPoints = sortedMethods.map((i) => {
    const { mean, low, high } = estimates[i]!;
    return { x: names[i]!, y: mean, ...(hasIntervals ? { low, high } : {}), remark: valueRemarkOf(mean) };
  });
  const advice =
    hasIntervals && judgement.isJudged
      ? ' Intervals of means may overlap where paired differences are significant: judge by the differences.'
      : '';
  const seriesName = hasIntervals ? `mean and ${nameMeanInterval(population, replicationCount)}` : 'mean';
  return {
    id: `${metricAsFileName(metricName)}-mean`,
    title: `${capitalizeFirst(metric.label)}: means`,
    caption: `${describeMeansOverReplications(population, replicationCount)}.${advice}`,
    kind: 'dots',
    bounds: kindOfMeanBounds(population, replicationCount),
    x: { title: 'method' },
    y: {
      title: metric.label,
      ...unitEntryOfMetric(metric),
      ...(metric.format.style === 'percent' ? { format: { style: 'percent' as const } } : {}),
      ...axisRangeWithoutOutliers(estimates.map(({ mean, low, high }) => ({ value: mean, low, high }))),
    },
    panels: makeSingleSeriesPanel(seriesName, methodPoints),
  };
}

// Comparison of methods on pieces of a log, each simulated separately

/** Difference of a method to the best observed one over the pieces of a log. */
interface DifferenceOverLogPieces extends Omit<MeanInterval, 'method'> {
  readonly mean: number;
  /** Number of pieces in which the difference has the same sign as over the replications. */
  readonly agreeing: number;
}

/** Differences of each method to the best observed one over the pieces of a log; empty without pieces. */
export function differencesOverLogPieces({
  metric,
  judgement,
  spans,
}: JudgedMetric): DifferenceOverLogPieces[] {
  const directionSign = metric.better === 'more' ? -1 : 1;
  return (spans?.values ?? []).map((values, i) => {
    const bestValues = spans?.values[judgement.observedBest] ?? [];
    const differences = values.map((value, piece) => directionSign * (value - bestValues[piece]!));
    const differenceMoments = sampleMoments(differences);
    const { low, high } = studentInterval(differenceMoments);
    const observedSide = Math.sign(judgement.methods[i]!.behindObserved);
    const agreeing = differences.filter((difference) => Math.sign(difference) === observedSide).length;
    return { mean: differenceMoments.mean, low, high, agreeing };
  });
}

/** Comparison on the pieces of a log: table, figure and sentence. */
export interface LogPieceComparison {
  readonly table: Table;
  readonly figure: Figure;
  readonly sentence: string;
}

/** Compares methods on the pieces of a log; empty without pieces or if all methods are equal. */
export function compareOnLogPieces(judged: JudgedMetric, names: readonly string[]): LogPieceComparison[] {
  const { name: metricName, metric, judgement, spans } = judged;
  if (spans === undefined) return [];
  const { observedBest, methods } = judgement;
  const bestValues = spans.values[observedBest]!;
  const { mean: bestMean } = sampleMoments(bestValues);
  const isPercentage = bestMean !== 0;
  const scale = Math.abs(bestMean) || 1;
  const differencesOfOthers = differencesOverLogPieces(judged).flatMap(({ mean, low, high, agreeing }, i) => {
    if (i === observedBest || methods[i]!.behindObserved === 0) return [];
    return [{ name: names[i]!, value: mean / scale, low: low / scale, high: high / scale, agreeing }];
  });
  if (differencesOfOthers.length === 0) return [];
  differencesOfOthers.sort((a, b) => a.value - b.value);
  const [count, best] = [bestValues.length, names[observedBest]!];
  const length = formatDuration(Math.round(spans.seconds / 86_400) * 86_400);
  const piecesPhrase = `${count} pieces of the log of ${length} each, unchanged, each by itself`;
  const figureTexts = {
    id: `${metricAsFileName(metricName)}-pieces`,
    title: `${capitalizeFirst(metric.label)}: pieces of the log`,
    caption: `The ${piecesPhrase}: difference to ${best}, mean and 95 % interval over pieces.`,
    bounds: 'interval' as const,
  };
  const column = makeDifferenceColumn(`behind ${best}`, differencesOfOthers, isPercentage, metric);
  const methodPoints = differencesOfOthers.map(({ name: methodName, value: y, low, high, agreeing }) => ({
    ...{ x: methodName, y, low, high },
    remark: `worse in ${agreeing} of ${count}`,
  }));
  const formatAmount = (amount: number) => formatNumber(isPercentage ? 100 * amount : amount, 1);
  const axisUnit = isPercentage ? '%' : (metric.unit ?? '');
  const pieceListing = differencesOfOthers.map(
    ({ name, value, high, agreeing }) =>
      `${name} ${value > 0 ? '+' : ''}${formatAmount(value)} ± ${formatAmount(high - value)} ${axisUnit} (worse in ${agreeing} of ${count})`,
  );
  return [
    {
      table: {
        ...figureTexts,
        columns: [
          METHOD_TABLE_COLUMN,
          column,
          { title: `worse in, of ${count}`, format: { style: 'fixed' } },
        ],
        rows: differencesOfOthers.map(({ name, agreeing, ...share }) => [name, share, agreeing]),
      },
      figure: {
        ...figureTexts,
        kind: 'dots',
        x: { title: 'method' },
        y: { title: column.title, ...makeSignedAxis(differencesOfOthers, 0, isPercentage) },
        panels: makeSingleSeriesPanel('mean and 95 % interval', methodPoints),
      },
      sentence: `Over the ${piecesPhrase}, differences to ${best} have these means and 95 % intervals: ${joinWithAnd(pieceListing)}.`,
    },
  ];
}
