/** Distributions over jobs as tables: percentiles, users, and classes of jobs, of one simulation or of several methods. */
import { InputError } from '../errors.js';
import { capitalized, countOf, formatDuration, formatNumber } from '../format/numbers.js';
import { escapeText } from '../format/text.js';
import { firstOf } from '../lists.js';
import { suggestion } from '../notation.js';
import type { ClassVerdict } from '../runs/classDifferences.js';
import { type ClassResult, type ClassResults, metricOfClass } from '../runs/classResults.js';
import type { Replicated } from '../runs/comparison.js';
import { CLASSINGS, type Classing, type JobClass, type ShownClasses } from '../simulate/jobMetrics.js';
import { PERCENTILES } from '../simulate/jobOutcomes.js';
import type { Summary } from '../simulate/summary.js';
import { intervalName, meanBounds, warningsOf } from '../statistics/samples.js';
import { cellOf, type Sign, type Table, type TableCell, type TableColumn } from '../view/table.js';
import { type Colors, LINE, tableText, wrapped } from '../view/terminal.js';
import { areDefaultLimits, CLASS_LIMITS, type ClassLimits } from '../workload/workload.js';

/** Titles of the quantities, and endings of the names of their metrics. */
const QUANTITIES = [
  ['wait [s]', 'Wait'],
  ['response time [s]', 'Response'],
  ['bounded slowdown', 'BoundedSlowdown'],
] as const;

const WHOLE = { style: 'fixed' } as const;
const TWO = { style: 'fixed', decimals: 2 } as const;

const numberColumn = (title: string): TableColumn => ({ title, format: TWO });

function percentileTable({ distribution = {}, maxWait }: Summary): Table {
  return {
    id: 'percentiles',
    title: 'Percentiles',
    caption: '',
    columns: [
      { title: 'percentile', isHeading: true },
      ...[...PERCENTILES.map((p) => `${p} %`), 'maximum'].map(numberColumn),
    ],
    rows: QUANTITIES.map(([label, name]) => [
      label,
      ...PERCENTILES.map((p) => distribution[`p${p}${name}`] ?? null),
      name === 'Wait' ? maxWait : (distribution[`max${name}`] ?? null),
    ]),
  };
}

/** Undefined where the log does not say how long its jobs waited. Only for simulations of what happened to the log. */
function recordedTable({ distribution = {}, meanWait }: Summary): Table | undefined {
  if (distribution.recordedMeanWait === undefined) return undefined;
  return {
    id: 'recorded',
    title: 'Simulated and recorded wait',
    caption: 'The log records the decisions of another scheduler, and failures of machines.',
    columns: [{ title: 'mean', isHeading: true }, numberColumn('simulated'), numberColumn('in the log')],
    rows: [['wait [s]', meanWait, distribution.recordedMeanWait]],
  };
}

/** Undefined where the log names no users. */
function fairnessTable({ distribution = {} }: Summary): Table | undefined {
  if (distribution.userWaitJain === undefined) return undefined;
  const names = ['Least', 'Median', 'Greatest', 'Jain'];
  return {
    id: 'fairness',
    title: 'Fairness over users',
    caption: "Jain's index is 1 if all users have the same mean, and smaller the more their means differ.",
    columns: [
      { title: 'per-user mean', isHeading: true },
      ...['min', 'median', 'max'].map(numberColumn),
      { title: "Jain's index", format: { style: 'measure' } },
    ],
    rows: QUANTITIES.map(([label, quantity]) => [
      label,
      ...names.map((name) => distribution[`user${quantity}${name}`] ?? null),
    ]),
  };
}

export const CLASS_TITLES: Readonly<Record<Classing, string>> = {
  class: 'runtime and width',
  user: 'user',
  group: 'group',
  account: 'account',
  queue: 'queue',
  partition: 'partition',
  home: 'home site',
};

/** Number of classes of users, groups, queues and partitions that are shown. */
const SHOWN = 20;

/**
 * The classes that are shown: of users, groups, queues and partitions those that wait longest, or what else counts, first.
 * @param request all, or those with these names; undefined: the first 20.
 * @param limits up to what jobs are short and narrow.
 * @returns them, and a remark on what they are or how many are not shown; empty where there is nothing to say.
 */
function shownClasses<Class extends { readonly name: string }>(
  by: Classing,
  all: readonly Class[],
  request: ShownClasses[Classing],
  value: (each: Class) => number,
  limits: ClassLimits,
): { readonly shown: readonly Class[]; readonly remark: string } {
  if (by === 'class')
    return {
      shown: all,
      remark: limitsText(limits),
    };
  const sorted = by === 'home' ? all : all.toSorted((a, b) => value(b) - value(a));
  if (request !== undefined && request !== 'all')
    return { shown: classesNamed(by, sorted, request), remark: '' };
  const shown = request === 'all' ? sorted : sorted.slice(0, SHOWN);
  const more = sorted.length - shown.length;
  const remark = more === 0 ? '' : `${formatNumber(more)} more wait less; --by ${by}=all shows them.`;
  return { shown, remark };
}

/** Sentence on the limits of short and narrow jobs. */
function limitsText(limits: ClassLimits): string {
  const { shortRuntime, narrowWidth } = limits;
  const time = shortRuntime === CLASS_LIMITS.shortRuntime ? 'an hour' : formatDuration(shortRuntime);
  const width = countOf(narrowWidth, 'processor');
  return `Up to ${time} is short, up to ${width} narrow${areDefaultLimits(limits) ? ' (Srinivasan et al. 2002)' : ''}.`;
}

/** The limits of classes that options of a run name, as texts. */
export function classLimitsIn(texts: Readonly<Record<string, string | undefined>>): ClassLimits {
  return {
    shortRuntime: Number(texts['short-runtime'] ?? CLASS_LIMITS.shortRuntime),
    narrowWidth: Number(texts['narrow-width'] ?? CLASS_LIMITS.narrowWidth),
  };
}

/** @throws InputError for a name that no class has. */
function classesNamed<Class extends { readonly name: string }>(
  by: Classing,
  all: readonly Class[],
  names: readonly string[],
): Class[] {
  const known = all.map(({ name }) => name);
  for (const name of names)
    if (!known.includes(name))
      throw new InputError(
        `--by: no job is of the ${CLASS_TITLES[by]} '${escapeText(name)}'${suggestion(name, known)}`,
      );
  return all.filter(({ name }) => names.includes(name));
}

function classTable(
  by: Classing,
  all: readonly JobClass[],
  request: ShownClasses[Classing],
  limits: ClassLimits,
): Table {
  const { shown, remark } = shownClasses(by, all, request, ({ meanWait }) => meanWait, limits);
  return {
    id: `by-${by}`,
    title: `Jobs by ${CLASS_TITLES[by]}`,
    caption: remark,
    columns: [
      { title: CLASS_TITLES[by], isHeading: true },
      { title: 'jobs', format: WHOLE },
      ...[
        ...['mean wait', 'median wait', '95th-percentile wait', 'maximum wait', 'mean response'].map(
          (title) => `${title} [s]`,
        ),
        'bounded slowdown',
      ].map(numberColumn),
    ],
    rows: shown.map((each) => [
      ...[each.name, each.jobs, each.meanWait, each.p50Wait, each.p95Wait, each.maxWait],
      ...[each.averageResponseTime, each.meanBoundedSlowdown],
    ]),
  };
}

const ALL: ShownClasses = Object.fromEntries(CLASSINGS.map((by) => [by, 'all']));

/**
 * All of them; none for a summary without.
 * @param isAsLogged whether the waits that the log records are of the same jobs on the same machine.
 * @param limits up to what jobs are short and narrow.
 * @param request which classes are shown; default all.
 */
export function distributionTables(
  summary: Summary,
  isAsLogged: boolean,
  limits: ClassLimits,
  request: ShownClasses = ALL,
): Table[] {
  const classes = Object.entries(summary.classes ?? {}) as [Classing, readonly JobClass[]][];
  const ofAll =
    summary.distribution === undefined
      ? []
      : [percentileTable(summary), isAsLogged ? recordedTable(summary) : undefined, fairnessTable(summary)];
  const tables = [...ofAll, ...classes.map(([by, rows]) => classTable(by, rows, request[by], limits))];
  return tables.filter((table) => table !== undefined);
}

// The distribution of the jobs of a run, and the jobs class by class, for a person at a terminal.

/**
 * The tables of a summary beyond its means, as text; empty where it has none.
 * @param limits up to what jobs are short and narrow.
 * @param request which classes are shown.
 */
export function distributionText(
  summary: Summary,
  isAsLogged: boolean,
  limits: ClassLimits,
  colors: Colors,
  width?: number,
  request: ShownClasses = {},
): string {
  return distributionTables(summary, isAsLogged, limits, request)
    .map((table) => {
      // Omitted classes must be mentioned; other captions only explain.
      const captionText = table.id.startsWith('by-') && table.caption !== '' ? `\n${table.caption}` : '';
      return tableText({ ...table, title: '' }, colors, width) + captionText;
    })
    .join('\n\n');
}

// Classes of jobs under several methods, or over replications

function titleOf(metric: string, by: Classing): string {
  const { label, unit } = metricOfClass(metric, by, '1');
  const name = label.slice(0, label.lastIndexOf(','));
  return unit === undefined ? name : `${name} [${unit}]`;
}

/** Sentences on what the values of classes are. */
function overText(of: ClassResults, isOne: boolean, replicated: Replicated | undefined): string {
  const { by, metrics } = of;
  if (replicated === undefined) return 'Per-class results of one simulation of each method: one sample.';
  const { replications, population } = replicated;
  const means = `Means with ${intervalName(population, replications)}s by ${CLASS_TITLES[by]}`;
  const tested = isOne || hasDifferences(of) ? '' : '; differences are not tested';
  const over = `${means} over ${formatNumber(replications)} ${population.copies}${tested}.`;
  return [over, ...warningsOf(metrics)].join(' ');
}

/** Verdicts on a class under a method as cells. */
const CLASS_VERDICTS: Readonly<Record<ClassVerdict, { readonly value: string; readonly sign?: Sign }>> = {
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
 * The differences of each class to the first method by a metric, those that lose most first.
 * @param place of the metric.
 */
function differenceTable(
  of: ClassResults,
  place: number,
  names: readonly string[],
  { population, replications }: Replicated,
): Table {
  const { by, metrics, classes, shown: request, limits } = of;
  const name = metrics[place]!;
  const [first = '', ...others] = names;
  const worst = ({ differences }: ClassResult) =>
    Math.max(...differences![place]!.map((each) => each?.mean ?? Number.NEGATIVE_INFINITY));
  const judged = classes.filter((each) => each.differences !== undefined && Number.isFinite(worst(each)));
  const isNamed = request !== undefined && request !== 'all';
  const { shown } = shownClasses(by, judged, isNamed ? 'all' : request, worst, limits);
  const rows = shown
    .filter((each) => !isNamed || request.includes(each.name))
    .toSorted((a, b) => worst(b) - worst(a));
  const less = isNamed ? 0 : classes.length - rows.length;
  const { unit } = metricOfClass(name, by, '1');
  const withUnit = unit === undefined ? {} : { unit };
  return {
    id: `${name}-by-${by}-difference`,
    title: `${capitalized(titleOf(name, by))} by ${CLASS_TITLES[by]}: difference to ${first}`,
    caption: [
      `Differences to ${first} over ${formatNumber(replications)} ${population.copies}, paired by replication; the largest loss comes first.`,
      `The limits of all ${countOf(classes.length, 'class', 'classes')} hold together with 95 % confidence.`,
      ...(less > 0
        ? [`${formatNumber(less)} more are not shown; --by ${by}=all shows all that are judged.`]
        : []),
    ].join(' '),
    columns: [
      { title: CLASS_TITLES[by], isHeading: true },
      { title: first, format: { style: 'measure' }, ...withUnit },
      ...others.flatMap((other): TableColumn[] => [
        {
          ...{ title: others.length === 1 ? 'difference' : other, ...withUnit },
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
    rows: rows.map(({ name: called, estimates, differences }) => {
      const base = estimates[place]![0]?.mean ?? 0;
      const cells = differences![place]!.slice(1).flatMap((difference): TableCell[] => {
        if (difference === null) return [null, null, null];
        const { mean, low, high, verdict } = difference;
        const value = low === null || high === null ? mean : cellOf({ mean, low, high });
        return [value, base === 0 ? null : mean / base, CLASS_VERDICTS[verdict]];
      });
      return [called, estimates[place]![0]?.mean ?? null, ...cells];
    }),
    bounds: 'joint',
    details: 'beside',
  };
}

/** True if the differences of some class to the first method are judged. */
const hasDifferences = ({ classes }: ClassResults) =>
  classes.some(({ differences }) => differences !== undefined);

function tablesOf(of: ClassResults, names: readonly string[], replicated: Replicated | undefined): Table[] {
  const { by, metrics, classes } = of;
  const title = CLASS_TITLES[by];
  const isOne = names.length === 1;
  const sameJobs = classes.every(({ jobs }) => jobs.every((count) => count === jobs[0]));
  const table = (
    id: string,
    heading: string,
    sentence: string,
    metric: number,
    columns: readonly TableColumn[],
    cells: (each: ClassResult) => readonly TableCell[],
  ): Table => {
    const sum = ({ estimates }: ClassResult) =>
      estimates[metric]!.reduce((total, estimate) => total + (estimate?.mean ?? 0), 0);
    const { shown, remark } = shownClasses(by, classes, of.shown, sum, of.limits);
    return {
      id,
      title: `${heading} by ${title}`,
      caption: [sentence, remark].filter((text) => text !== '').join(' '),
      columns: [{ title, isHeading: true }, ...columns],
      rows: shown.map((each) => [each.name, ...cells(each)]),
    };
  };
  const valueTable = (id: string, heading: string, titles: readonly string[], metric: number): Table => ({
    ...table(
      id,
      heading,
      overText(of, isOne, replicated),
      metric,
      [
        ...(sameJobs ? [{ title: 'jobs', format: WHOLE }] : []),
        ...titles.map((each): TableColumn => ({ title: each, format: { style: 'measure' } })),
      ],
      ({ jobs, estimates }) => [
        ...(sameJobs ? [firstOf(jobs)] : []),
        ...titles.map((_, i) => cellOf(isOne ? estimates[i]![0]! : estimates[metric]![i]!)),
      ],
    ),
    ...(replicated && { bounds: meanBounds(replicated.population, replicated.replications) }),
  });
  const titles = metrics.map((name) => titleOf(name, by));
  if (isOne) return [valueTable(`jobs-by-${by}`, 'Jobs', titles, 0)];
  const reason = 'The methods do not have the same jobs, since their options decide which jobs fit.';
  const counts = names.map((each): TableColumn => ({ title: each, format: WHOLE }));
  return [
    ...(sameJobs ? [] : [table(`jobs-by-${by}`, 'Jobs', reason, 0, counts, ({ jobs }) => jobs)]),
    ...metrics.flatMap((name, i) => [
      ...(replicated && hasDifferences(of) ? [differenceTable(of, i, names, replicated)] : []),
      valueTable(`${name}-by-${by}`, capitalized(titles[i]!), names, i),
    ]),
  ];
}

/**
 * Classes under several methods: a table for each kind of class and metric, with a row for each class and a column for each
 * method; under one method: a table for each kind of class with a column for each metric.
 * @param names those of the methods.
 * @param replicated the replications; none where each method is simulated once.
 */
export function classTables(
  results: readonly ClassResults[] | undefined,
  names: readonly string[],
  replicated?: Replicated,
): Table[] {
  return (results ?? []).flatMap((of) => tablesOf(of, names, replicated));
}

/** Class tables for a terminal, each with its population. */
export const classText = (tables: readonly Table[], colors: Colors): string[] =>
  tables.map((table) =>
    [
      colors.bold(table.title),
      '',
      tableText({ ...table, title: '' }, colors, LINE),
      wrapped(table.caption),
    ].join('\n'),
  );
