/**
 * Tables of the distribution over jobs: percentiles, fairness among users, and job classes, for one
 * simulation or several methods.
 */
import { InputError } from '../errors.js';
import { capitalizeFirst, formatCount, formatDuration, formatNumber } from '../format/numbers.js';
import { escapeNonPrintingText } from '../format/text.js';
import { firstElement } from '../lists.js';
import { formatNameSuggestion } from '../notation.js';
import type { ClassVerdict } from '../runs/classDifferences.js';
import { type ClassResult, type ClassResults, nameClassMetric } from '../runs/classResults.js';
import type { ReplicatedFacts } from '../runs/comparison.js';
import {
  CLASS_ATTRIBUTES,
  type ClassAttribute,
  type JobClass,
  type ShownClasses,
} from '../simulate/jobMetrics.js';
import { REPORTED_PERCENTILES } from '../simulate/jobOutcomes.js';
import type { Summary } from '../simulate/summary.js';
import { kindOfMeanBounds, makeWarningsOnMeans, nameMeanInterval } from '../statistics/samples.js';
import {
  type CellSign,
  makeCellOfValue,
  type Table,
  type TableCell,
  type TableColumn,
} from '../view/table.js';
import {
  formatTableForTerminal,
  MAX_TERMINAL_LINE_WIDTH,
  type TerminalColors,
  wrapToTerminalLine,
} from '../view/terminal.js';
import { areDefaultClassLimits, type ClassLimits, DEFAULT_CLASS_LIMITS } from '../workload/workload.js';

/** Display titles of wait, response time and bounded slowdown, with the endings of their metric names. */
const JOB_QUANTITY_TITLES = [
  ['wait [s]', 'Wait'],
  ['response time [s]', 'Response'],
  ['bounded slowdown', 'BoundedSlowdown'],
] as const;

const WHOLE_NUMBER_FORMAT = { style: 'fixed' } as const;
const TWO_DECIMALS_FORMAT = { style: 'fixed', decimals: 2 } as const;

const makeNumberColumn = (title: string): TableColumn => ({ title, format: TWO_DECIMALS_FORMAT });

function makeWaitPercentileTable({ distribution = {}, maxWait }: Summary): Table {
  return {
    id: 'percentiles',
    title: 'Percentiles',
    caption: '',
    columns: [
      { title: 'percentile', isHeading: true },
      ...[...REPORTED_PERCENTILES.map((p) => `${p} %`), 'maximum'].map(makeNumberColumn),
    ],
    rows: JOB_QUANTITY_TITLES.map(([label, quantity]) => [
      label,
      ...REPORTED_PERCENTILES.map((p) => distribution[`p${p}${quantity}`] ?? null),
      quantity === 'Wait' ? maxWait : (distribution[`max${quantity}`] ?? null),
    ]),
  };
}

/**
 * Table that compares simulated with recorded waits; undefined unless the log records waits and was
 * simulated unchanged.
 */
function makeRecordedWaitTable({ distribution = {}, meanWait }: Summary): Table | undefined {
  if (distribution.recordedMeanWait === undefined) return undefined;
  return {
    id: 'recorded',
    title: 'Simulated and recorded wait',
    caption: 'The log records the decisions of another scheduler, and failures of machines.',
    columns: [
      { title: 'mean', isHeading: true },
      makeNumberColumn('simulated'),
      makeNumberColumn('in the log'),
    ],
    rows: [['wait [s]', meanWait, distribution.recordedMeanWait]],
  };
}

/** Table of the fairness among users; undefined if the log names no users. */
function makeUserFairnessTable({ distribution = {} }: Summary): Table | undefined {
  if (distribution.userWaitJain === undefined) return undefined;
  const headings = ['Least', 'Median', 'Greatest', 'Jain'];
  return {
    id: 'fairness',
    title: 'Fairness over users',
    caption: "Jain's index is 1 if all users have the same mean, and smaller the more their means differ.",
    columns: [
      { title: 'per-user mean', isHeading: true },
      ...['min', 'median', 'max'].map(makeNumberColumn),
      { title: "Jain's index", format: { style: 'measure' } },
    ],
    rows: JOB_QUANTITY_TITLES.map(([label, quantity]) => [
      label,
      ...headings.map((name) => distribution[`user${quantity}${name}`] ?? null),
    ]),
  };
}

export const JOB_CLASSIFICATION_TITLES: Readonly<Record<ClassAttribute, string>> = {
  class: 'runtime and width',
  user: 'user',
  group: 'group',
  account: 'account',
  queue: 'queue',
  partition: 'partition',
  home: 'home site',
};

/** Default number of users, groups, queues or partitions shown. */
const MAX_SHOWN_JOB_CLASSES = 20;

/**
 * Selects the classes to show: of users, groups, queues and partitions those with the longest wait.
 * @param request all, or the classes with these names; undefined: the first 20.
 * @param limits largest runtime of short jobs and largest width of narrow ones.
 * @returns the classes, and a remark on hidden ones or on the limits; may be empty.
 */
function selectJobClassesToShow<Class extends { readonly name: string }>(
  classAttribute: ClassAttribute,
  classes: readonly Class[],
  request: ShownClasses[ClassAttribute],
  computeSortValue: (each: Class) => number,
  limits: ClassLimits,
): { readonly shown: readonly Class[]; readonly remark: string } {
  if (classAttribute === 'class')
    return {
      shown: classes,
      remark: describeClassLimits(limits),
    };
  const sorted =
    classAttribute === 'home'
      ? classes
      : classes.toSorted((a, b) => computeSortValue(b) - computeSortValue(a));
  if (request !== undefined && request !== 'all')
    return { shown: selectClassesByName(classAttribute, sorted, request), remark: '' };
  const shownClasses = request === 'all' ? sorted : sorted.slice(0, MAX_SHOWN_JOB_CLASSES);
  const hiddenCount = sorted.length - shownClasses.length;
  const remark =
    hiddenCount === 0
      ? ''
      : `${formatNumber(hiddenCount)} more wait less; --by ${classAttribute}=all shows them.`;
  return { shown: shownClasses, remark };
}

/** Sentence on the limits that define short and narrow jobs. */
function describeClassLimits(limits: ClassLimits): string {
  const { shortRuntime, narrowWidth } = limits;
  const timeText =
    shortRuntime === DEFAULT_CLASS_LIMITS.shortRuntime ? 'an hour' : formatDuration(shortRuntime);
  const width = formatCount(narrowWidth, 'processor');
  return `Up to ${timeText} is short, up to ${width} narrow${areDefaultClassLimits(limits) ? ' (Srinivasan et al. 2002)' : ''}.`;
}

/** Class limits set by the options of a run, as option texts. */
export function parseClassLimits(optionTexts: Readonly<Record<string, string | undefined>>): ClassLimits {
  return {
    shortRuntime: Number(optionTexts['short-runtime'] ?? DEFAULT_CLASS_LIMITS.shortRuntime),
    narrowWidth: Number(optionTexts['narrow-width'] ?? DEFAULT_CLASS_LIMITS.narrowWidth),
  };
}

/**
 * Selects classes by name.
 * @throws InputError for a name that no class has.
 */
function selectClassesByName<Class extends { readonly name: string }>(
  classAttribute: ClassAttribute,
  classes: readonly Class[],
  classNames: readonly string[],
): Class[] {
  const knownClassNames = classes.map(({ name: className }) => className);
  for (const className of classNames)
    if (!knownClassNames.includes(className))
      throw new InputError(
        `--by: no job is of the ${JOB_CLASSIFICATION_TITLES[classAttribute]} '${escapeNonPrintingText(className)}'${formatNameSuggestion(className, knownClassNames)}`,
      );
  return classes.filter(({ name: className }) => classNames.includes(className));
}

function makeJobClassTable(
  classAttribute: ClassAttribute,
  classes: readonly JobClass[],
  shownClasses: ShownClasses[ClassAttribute],
  limits: ClassLimits,
): Table {
  const { shown, remark } = selectJobClassesToShow(
    classAttribute,
    classes,
    shownClasses,
    ({ meanWait }) => meanWait,
    limits,
  );
  return {
    id: `by-${classAttribute}`,
    title: `Jobs by ${JOB_CLASSIFICATION_TITLES[classAttribute]}`,
    caption: remark,
    columns: [
      { title: JOB_CLASSIFICATION_TITLES[classAttribute], isHeading: true },
      { title: 'jobs', format: WHOLE_NUMBER_FORMAT },
      ...[
        ...['mean wait', 'median wait', '95th-percentile wait', 'maximum wait', 'mean response'].map(
          (title) => `${title} [s]`,
        ),
        'bounded slowdown',
      ].map(makeNumberColumn),
    ],
    rows: shown.map((jobClass) => [
      ...[
        jobClass.name,
        jobClass.jobs,
        jobClass.meanWait,
        jobClass.p50Wait,
        jobClass.p95Wait,
        jobClass.maxWait,
      ],
      ...[jobClass.averageResponseTime, jobClass.meanBoundedSlowdown],
    ]),
  };
}

const REQUEST_TO_SHOW_ALL_CLASSES: ShownClasses = Object.fromEntries(
  CLASS_ATTRIBUTES.map((jobClassification) => [jobClassification, 'all']),
);

/**
 * Tables of percentiles, fairness and classes of a run; empty if its summary has none.
 * @param isSimulatedAsLogged true if recorded waits are of the same jobs on the same machine.
 * @param limits largest runtime of short jobs and largest width of narrow ones.
 * @param shownClasses classes to show; default: all.
 */
export function makeDistributionTables(
  summary: Summary,
  isSimulatedAsLogged: boolean,
  limits: ClassLimits,
  shownClasses: ShownClasses = REQUEST_TO_SHOW_ALL_CLASSES,
): Table[] {
  const classes = Object.entries(summary.classes ?? {}) as [ClassAttribute, readonly JobClass[]][];
  const tablesOfAllJobs =
    summary.distribution === undefined
      ? []
      : [
          makeWaitPercentileTable(summary),
          isSimulatedAsLogged ? makeRecordedWaitTable(summary) : undefined,
          makeUserFairnessTable(summary),
        ];
  const tables = [
    ...tablesOfAllJobs,
    ...classes.map(([classing, jobClasses]) =>
      makeJobClassTable(classing, jobClasses, shownClasses[classing], limits),
    ),
  ];
  return tables.filter((table) => table !== undefined);
}

// Distribution over jobs as terminal text

/**
 * Tables of percentiles, fairness and classes as terminal text; empty if there are none.
 * @param limits largest runtime of short jobs and largest width of narrow ones.
 * @param shownClasses classes to show.
 */
export function formatDistributionTables(
  summary: Summary,
  isSimulatedAsLogged: boolean,
  limits: ClassLimits,
  colors: TerminalColors,
  width?: number,
  shownClasses: ShownClasses = {},
): string {
  return makeDistributionTables(summary, isSimulatedAsLogged, limits, shownClasses)
    .map((table) => {
      // The number of hidden classes must be mentioned; other captions only explain.
      const tableCaptionText = table.id.startsWith('by-') && table.caption !== '' ? `\n${table.caption}` : '';
      return formatTableForTerminal({ ...table, title: '' }, colors, width) + tableCaptionText;
    })
    .join('\n\n');
}

// Job classes of several methods or over replications

function titleOfClassMetric(metric: string, classAttribute: ClassAttribute): string {
  const { label: metricLabel, unit: metricUnit } = nameClassMetric(metric, classAttribute, '1');
  const metricTitle = metricLabel.slice(0, metricLabel.lastIndexOf(','));
  return metricUnit === undefined ? metricTitle : `${metricTitle} [${metricUnit}]`;
}

/** Sentences on the meaning of class values: means over replications, and whether differences are tested. */
function explainClassReplications(
  classResults: ClassResults,
  isSingle: boolean,
  replicatedFacts: ReplicatedFacts | undefined,
): string {
  const { by: classAttribute, metrics } = classResults;
  if (replicatedFacts === undefined) return 'Per-class results of one simulation of each method: one sample.';
  const { replications: replicationCount, population } = replicatedFacts;
  const meansPhrase = `Means with ${nameMeanInterval(population, replicationCount)}s by ${JOB_CLASSIFICATION_TITLES[classAttribute]}`;
  const untestedDifferencesText =
    isSingle || hasTestedDifferences(classResults) ? '' : '; differences are not tested';
  const meansSentence = `${meansPhrase} over ${formatNumber(replicationCount)} ${population.copies}${untestedDifferencesText}.`;
  return [meansSentence, ...makeWarningsOnMeans(metrics)].join(' ');
}

/** Table cells for the verdicts on a class. */
const CLASS_VERDICT_WORDS: Readonly<
  Record<ClassVerdict, { readonly value: string; readonly sign?: CellSign }>
> = {
  worse: {
    value: 'worse off',
    sign: { mark: '✗', meaning: 'worse off: significantly worse than under the first method', tone: 'bad' },
  },
  better: {
    value: 'better off',
    sign: { mark: '✓', meaning: 'better off: significantly better', tone: 'good' },
  },
  alike: { value: 'alike' },
  undecided: { value: 'undecided' },
  skewed: {
    value: 'skewed',
    sign: { mark: '~', meaning: 'skewed: a few replications decide it, so more are needed' },
  },
};

/**
 * Table of the difference of each class to the first method by one metric, largest deterioration first.
 * @param metricIndex index of the metric.
 */
function makeClassDifferenceTable(
  classResults: ClassResults,
  metricIndex: number,
  methodNames: readonly string[],
  { population, replications: replicationCount }: ReplicatedFacts,
): Table {
  const { by, metrics, classes, shown: shownNames, limits } = classResults;
  const metricName = metrics[metricIndex]!;
  const [firstName = '', ...others] = methodNames;
  const maxDifferenceOf = ({ differences }: ClassResult) =>
    Math.max(...differences![metricIndex]!.map((each) => each?.mean ?? Number.NEGATIVE_INFINITY));
  const judged = classes.filter((each) => each.differences && Number.isFinite(maxDifferenceOf(each)));
  const isNamed = shownNames !== undefined && shownNames !== 'all';
  const { shown } = selectJobClassesToShow(by, judged, isNamed ? 'all' : shownNames, maxDifferenceOf, limits);
  const rows = shown
    .filter((classResult) => !isNamed || shownNames.includes(classResult.name))
    .toSorted((a, b) => maxDifferenceOf(b) - maxDifferenceOf(a));
  const hiddenClassCount = isNamed ? 0 : classes.length - rows.length;
  const { unit: metricUnit } = nameClassMetric(metricName, by, '1');
  const unitEntry = metricUnit === undefined ? {} : { unit: metricUnit };
  return {
    id: `${metricName}-by-${by}-difference`,
    title: `${capitalizeFirst(titleOfClassMetric(metricName, by))} by ${JOB_CLASSIFICATION_TITLES[by]}: difference to ${firstName}`,
    caption: [
      `Differences to ${firstName} over ${formatNumber(replicationCount)} ${population.copies}, paired by replication; the largest loss comes first.`,
      `The limits of all ${formatCount(classes.length, 'class', 'classes')} hold together with 95 % confidence.`,
      ...(hiddenClassCount > 0
        ? [`${formatNumber(hiddenClassCount)} more are not shown; --by ${by}=all shows all that are judged.`]
        : []),
    ].join(' '),
    columns: [
      { title: JOB_CLASSIFICATION_TITLES[by], isHeading: true },
      { title: firstName, format: { style: 'measure' }, ...unitEntry },
      ...others.flatMap((methodName): TableColumn[] => [
        {
          ...{ title: others.length === 1 ? 'difference' : methodName, ...unitEntry },
          ...({
            format: { style: 'measure', isSigned: true },
            holds: 'difference',
            bounds: 'joint',
          } as const),
        },
        { title: 'relative', format: { style: 'percent', decimals: 0, isSigned: true } },
        { title: 'verdict', align: 'left' },
      ]),
    ],
    rows: rows.map(({ name: className, estimates, differences }) => {
      const base = estimates[metricIndex]![0]?.mean ?? 0;
      const cells = differences![metricIndex]!.slice(1).flatMap((difference): TableCell[] => {
        if (difference === null) return [null, null, null];
        const { mean, low, high, verdict } = difference;
        const differenceCell = low === null || high === null ? mean : makeCellOfValue({ mean, low, high });
        return [differenceCell, base === 0 ? null : mean / base, CLASS_VERDICT_WORDS[verdict]];
      });
      return [className, estimates[metricIndex]![0]?.mean ?? null, ...cells];
    }),
    bounds: 'joint',
    details: 'beside',
  };
}

/** True if differences of classes to the first method were tested. */
const hasTestedDifferences = ({ classes }: ClassResults) =>
  classes.some(({ differences }) => differences !== undefined);

function makeClassMetricTables(
  classResults: ClassResults,
  names: readonly string[],
  replicated: ReplicatedFacts | undefined,
): Table[] {
  const { by, metrics, classes, shown: shownClasses, limits } = classResults;
  const isSingle = names.length === 1;
  const areJobCountsEqual = classes.every(({ jobs }) => jobs.every((count) => count === jobs[0]));
  const makeClassTable = (
    id: string,
    heading: string,
    tableSentence: string,
    metric: number,
    tableColumns: readonly TableColumn[],
    makeCells: (classResult: ClassResult) => readonly TableCell[],
  ): Table => {
    const sumEstimates = ({ estimates }: ClassResult) =>
      estimates[metric]!.reduce((total, estimate) => total + (estimate?.mean ?? 0), 0);
    const { shown, remark } = selectJobClassesToShow(by, classes, shownClasses, sumEstimates, limits);
    return {
      id,
      title: `${heading} by ${JOB_CLASSIFICATION_TITLES[by]}`,
      caption: [tableSentence, remark].filter((text) => text !== '').join(' '),
      columns: [{ title: JOB_CLASSIFICATION_TITLES[by], isHeading: true }, ...tableColumns],
      rows: shown.map((classResult) => [classResult.name, ...makeCells(classResult)]),
    };
  };
  const makeMeanTable = (id: string, heading: string, titles: readonly string[], metric: number): Table => ({
    ...makeClassTable(
      id,
      heading,
      explainClassReplications(classResults, isSingle, replicated),
      metric,
      [
        ...(areJobCountsEqual ? [{ title: 'jobs', format: WHOLE_NUMBER_FORMAT }] : []),
        ...titles.map((title): TableColumn => ({ title, format: { style: 'measure' } })),
      ],
      ({ jobs, estimates }) => [
        ...(areJobCountsEqual ? [firstElement(jobs)] : []),
        ...titles.map((_, i) => makeCellOfValue(isSingle ? estimates[i]![0]! : estimates[metric]![i]!)),
      ],
    ),
    ...(replicated && { bounds: kindOfMeanBounds(replicated.population, replicated.replications) }),
  });
  const titles = metrics.map((metricName) => titleOfClassMetric(metricName, by));
  if (isSingle) return [makeMeanTable(`jobs-by-${by}`, 'Jobs', titles, 0)];
  const jobCountNote = 'The methods do not have the same jobs, since their options decide which jobs fit.';
  const jobCountColumns = names.map((each): TableColumn => ({ title: each, format: WHOLE_NUMBER_FORMAT }));
  return [
    ...(areJobCountsEqual
      ? []
      : [makeClassTable(`jobs-by-${by}`, 'Jobs', jobCountNote, 0, jobCountColumns, ({ jobs }) => jobs)]),
    ...metrics.flatMap((metricName, i) => [
      ...(replicated && hasTestedDifferences(classResults)
        ? [makeClassDifferenceTable(classResults, i, names, replicated)]
        : []),
      makeMeanTable(`${metricName}-by-${by}`, capitalizeFirst(titles[i]!), names, i),
    ]),
  ];
}

/**
 * Tables of job classes. With several methods: one table per classification and metric, a row per class, a
 * column per method. With one method: one table per classification, a column per metric.
 * @param names method names.
 * @param replicated facts on the replications; absent if each method is simulated once.
 */
export function makeClassTables(
  classResults: readonly ClassResults[] | undefined,
  names: readonly string[],
  replicated?: ReplicatedFacts,
): Table[] {
  return (classResults ?? []).flatMap((classResults) =>
    makeClassMetricTables(classResults, names, replicated),
  );
}

/** Class tables as terminal text, each with its caption. */
export const formatClassTables = (tables: readonly Table[], colors: TerminalColors): string[] =>
  tables.map((table) =>
    [
      colors.bold(table.title),
      '',
      formatTableForTerminal({ ...table, title: '' }, colors, MAX_TERMINAL_LINE_WIDTH),
      wrapToTerminalLine(table.caption),
    ].join('\n'),
  );
