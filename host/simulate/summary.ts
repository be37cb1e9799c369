/** Metrics of a finished simulation: as the document `summary.json`, by name, and selected for tables. */

import { checkArgument } from '../arguments.js';
import {
  findDistinctCandidatePositions,
  isTrialPolicy,
  listCandidatePolicies,
  printPolicy,
} from '../core/policies.js';
import { InputError } from '../errors.js';
import { capitalizeFirst } from '../format/numbers.js';
import { formatNameSuggestion, formatPrintedSuggestion } from '../notation.js';
import {
  type Configuration,
  type Discipline,
  isBackfillingDiscipline,
  isPolicyUsed,
} from '../options/configuration.js';
import { isCodeFileName } from '../providedCode.js';
import type { Accounting, Workload } from '../workload/workload.js';
import type { MeasuredRun } from './jobFolds.js';
import {
  type ClassAttribute,
  computeJobMetrics,
  type Distribution,
  getJobClassesOfRun,
  type JobClass,
} from './jobMetrics.js';
import { FinishedJobOutcomes } from './jobOutcomes.js';
import type { Metric, NamedMetric } from './metric.js';
import { METRICS_BY_SUMMARY_PART } from './metrics.js';
import type { Simulator } from './simulator.js';

/** Values of the metrics of a table, by name. */
export type MetricValues<Table> = { readonly [Name in keyof Table]: number };

/** Metrics of one site of the grid. */
export interface SiteSummary extends MetricValues<typeof METRICS_BY_SUMMARY_PART.sites> {
  /** Number of processors. */
  readonly capacity: number;
  /** Speed relative to the reference machine of the runtimes. */
  readonly speed: number;
}

/** Metrics of the jobs whose home is one site. */
export interface HomeSummary extends MetricValues<typeof METRICS_BY_SUMMARY_PART.homes> {}

/** Numbers of decisions in which a policy followed best-fit or fastest-first. */
export interface DecisionCounts extends MetricValues<typeof METRICS_BY_SUMMARY_PART.decisions> {}

/** Results of the trials that select the policy in force during the run. */
interface TrialCounts extends MetricValues<typeof METRICS_BY_SUMMARY_PART.trials> {
  /** Candidates in order. */
  readonly candidates: readonly CandidateSummary[];
}

/** A candidate policy, and how often trials put it in force. */
interface CandidateSummary {
  /** Policy with all its parameters. */
  readonly policy: string;
  /** Number of trials after which it was in force. */
  readonly times: number;
}

/** Metrics of a run, defined in docs/results.md. Times are in seconds, utilizations from 0 to 1. */
export interface Summary extends MetricValues<typeof METRICS_BY_SUMMARY_PART.run> {
  /** Name of the simulated workload. */
  readonly workload: string;
  /** Name of the method that chooses sites: the policy, or a rule of moldable jobs or of backfilling. */
  readonly method: string;
  /** Policy with all its parameters. */
  readonly policy: string;
  /** Decision counts; all 0 for policies that do not choose between best-fit and fastest-first. */
  readonly decisions: DecisionCounts;
  /** Trials of candidate policies; absent for a fixed policy. */
  readonly trials?: TrialCounts;
  /** Sites in the order of the grid. */
  readonly sites: readonly SiteSummary[];
  /** Home sites in the order of the grid. */
  readonly homes: readonly HomeSummary[];
  /** Number of dropped records of the log, by rule. */
  readonly dropped: { readonly [rule: string]: number };
  /** Percentiles, fairness among users and values recorded in the log, if requested. */
  readonly distribution?: Distribution;
  /**
   * Largest relative error of the percentiles, which are too low if anything; only of a streamed run, which reads
   * them from sketches.
   */
  readonly percentileError?: number;
  /** Jobs per class, if requested. */
  readonly classes?: Readonly<Partial<Record<ClassAttribute, readonly JobClass[]>>>;
  /** Number of jobs that were split before the run, and of the resulting pieces. */
  readonly split: { readonly jobs: number; readonly pieces: number };
}

/** Creates a reader for the metrics of a table that the core has computed. */
function makeMetricTableReader<Table extends Readonly<Record<string, Metric>>>(table: Table) {
  const metricEntries = Object.entries(table);
  return (measuredRun: MeasuredRun): MetricValues<Table> => {
    const valuesByMetric: Record<string, number> = {};
    for (const [name, { core }] of metricEntries) {
      if (core === undefined) throw new Error(`nothing is said of how ${name} is computed`);
      valuesByMetric[name] = typeof core === 'function' ? core(measuredRun) : measuredRun.metric(core);
    }
    return valuesByMetric as MetricValues<Table>;
  };
}

const readRunMetrics = makeMetricTableReader(METRICS_BY_SUMMARY_PART.run);
const readDecisionMetrics = makeMetricTableReader(METRICS_BY_SUMMARY_PART.decisions);
const readTrialMetrics = makeMetricTableReader(METRICS_BY_SUMMARY_PART.trials);

/**
 * Reads the metrics of a finished simulator.
 * @example
 * const simulator = new Simulator(workload);
 * simulator.begin(makeConfiguration(grid));
 * simulator.run();
 * console.log(summarize(simulator).jobs); // 200
 */
export function summarize(simulator: Simulator): Summary {
  checkArgument(simulator, 'simulator', 'summarize');
  return summarizeMeasuredRun(simulator);
}

/** Reads the metrics of a finished run. */
export function summarizeMeasuredRun(measuredRun: MeasuredRun): Summary {
  return makeSummary(measuredRun.workload, measuredRun.configuration, {
    run: readRunMetrics(measuredRun),
    decisions: readDecisionMetrics(measuredRun),
    ...readTrialCountsOfRun(measuredRun),
    sites: summarizeSites(measuredRun),
    homes: summarizeHomes(measuredRun),
  });
}

/** Summary with a given level of detail about trials. */
export type SummaryWithTrialDetail<Trials> = Omit<Summary, 'trials'> & { readonly trials?: Trials };

/** Metrics of a run by table. */
interface MetricTablesOfRun<Trials>
  extends Pick<SummaryWithTrialDetail<Trials>, 'decisions' | 'trials' | 'sites' | 'homes'> {
  readonly run: MetricValues<typeof METRICS_BY_SUMMARY_PART.run>;
}

/** Makes the summary of a run from its metrics. */
function makeSummary<Trials>(
  {
    name: workloadName,
    accounting: { dropped: droppedRecords, split },
  }: Pick<Workload, 'name' | 'accounting'>,
  configuration: Configuration,
  { run, ...otherFields }: MetricTablesOfRun<Trials>,
): SummaryWithTrialDetail<Trials> {
  return {
    workload: workloadName,
    method: describeSitePlacement(configuration),
    policy: printPolicy(configuration.policy),
    ...run,
    ...otherFields,
    dropped: sumDropCountsByRuleName(droppedRecords),
    split,
  };
}

/** Candidates of a policy, and the number of trials after which each was in force. */
function readTrialCountsOfRun(measuredRun: MeasuredRun): Pick<Summary, 'trials'> {
  const candidates = listCandidatePolicies(measuredRun.configuration.policy);
  if (candidates.length === 0) return {};
  const timesChosen = measuredRun.timesChosen();
  // Of equal candidates, only the first is ever in force.
  const distinctCandidateIndexes = findDistinctCandidatePositions(candidates, measuredRun.speedHeterogeneity);
  const candidateSummaries = distinctCandidateIndexes.map((candidateIndex) => ({
    policy: printPolicy(candidates[candidateIndex]!),
    times: timesChosen[candidateIndex]!,
  }));
  return { trials: { ...readTrialMetrics(measuredRun), candidates: candidateSummaries } };
}

/** Summarizes a finished run, including distributions and job classes. */
export function summarizeRunWithClasses(
  simulator: Simulator,
  classAttributes: readonly ClassAttribute[] = [],
): Summary {
  const outcomes = new FinishedJobOutcomes(simulator);
  return {
    ...summarize(simulator),
    distribution: computeJobMetrics(outcomes),
    ...(classAttributes.length === 0
      ? {}
      : {
          classes: Object.fromEntries(
            classAttributes.map((classAttribute) => [
              classAttribute,
              getJobClassesOfRun(outcomes, classAttribute),
            ]),
          ),
        }),
  };
}

/** Name of the method that chooses sites under a configuration. */
export function nameSiteChooserOfConfiguration(configuration: Configuration): string {
  const { moldable, reservations, select, policy } = configuration;
  if (moldable !== 'none') return `moldable jobs (${moldable})`;
  if (isPolicyUsed(configuration)) return printPolicy(policy);
  if (reservations === 'kept') return 'the earliest start';
  return select === 'none' ? 'its home site' : `${select} selection`;
}

/** Name of the method that chooses sites, for headings. */
function describeSitePlacement(configuration: Configuration): string {
  const { grid, discipline, queue, multiSiteFactor } = configuration;
  const chooserName = nameSiteChooserOfConfiguration(configuration);
  if (!isBackfillingDiscipline(discipline)) return chooserName;
  const chooserPhrase = grid.capacities.length > 1 && queue !== 'independent' ? `, ${chooserName}` : '';
  const multiSitePhrase = multiSiteFactor > 0 ? `, multi-site factor ${multiSiteFactor}` : '';
  return `${discipline} backfilling${chooserPhrase}${multiSitePhrase}`;
}

/** Fields that determine the name of a run. */
interface RunNameFields extends Pick<Summary, 'method' | 'policy'> {
  readonly sites: { readonly length: number };
}

/**
 * Name of a run for headings: its discipline, and the method of choosing sites if there is a choice. On one
 * site, and on independent sites, all allocators are equal.
 * @param rules discipline and queue of the run; default: `fcfs` and `shared`.
 */
export function formatRunName(
  { method, policy, sites }: RunNameFields,
  rules: { readonly discipline?: Discipline; readonly queue?: Configuration['queue'] },
): string {
  const { discipline = 'fcfs', queue } = rules;
  const isBuiltInAllocator = !isTrialPolicy(policy) && !isCodeFileName(policy);
  if (isBackfillingDiscipline(discipline)) {
    return isBuiltInAllocator || method.includes(policy) ? method : `${method}, ${policy}`;
  }
  if (method.startsWith('moldable ')) return method;
  if (isBuiltInAllocator && (sites.length === 1 || queue === 'independent')) return discipline;
  return discipline === 'fcfs' ? method : `${discipline}, ${method}`;
}

/** Name of a run that has not begun. */
export function makeRunNameOfConfiguration(configuration: Configuration): string {
  const { grid, policy } = configuration;
  const siteCount = grid.capacities.length;
  return formatRunName(
    {
      method: describeSitePlacement(configuration),
      policy: printPolicy(policy),
      sites: { length: siteCount },
    },
    configuration,
  );
}

/** Sums the dropped records by rule, since a rule may be applied twice. */
function sumDropCountsByRuleName(dropped: Accounting['dropped']): Record<string, number> {
  const countsByRule: Record<string, number> = {};
  for (const { rule, count: recordCount } of dropped)
    countsByRule[rule] = (countsByRule[rule] ?? 0) + recordCount;
  return countsByRule;
}

function summarizeSites(measuredRun: MeasuredRun): SiteSummary[] {
  const { capacities, speeds } = measuredRun.configuration.grid;
  const busy = measuredRun.perSite('SiteBusy');
  const jobCountsBySite = measuredRun.perSite('SiteJobs');
  const makespan = measuredRun.metric('Makespan');
  const outageSeconds = measuredRun.outageSeconds();
  const computeAvailableSeconds = (capacity: number, site: number) =>
    capacity * makespan - (outageSeconds?.[site] ?? 0);
  return capacities.map((capacity, site) => ({
    capacity,
    speed: speeds[site]!,
    utilization:
      computeAvailableSeconds(capacity, site) > 0 ? busy[site]! / computeAvailableSeconds(capacity, site) : 0,
    jobs: jobCountsBySite[site]!,
  }));
}

function summarizeHomes(measuredRun: MeasuredRun): HomeSummary[] {
  const response = measuredRun.perSite('HomeResponse');
  return Array.from(measuredRun.perSite('HomeJobs'), (jobCount, home) => ({
    jobs: jobCount,
    averageResponseTime: jobCount > 0 ? response[home]! / jobCount : 0,
  }));
}

/**
 * Normalized performance improvement ratio NPIR of average response times against the better of best-fit and
 * fastest-first (Shih et al. 2010, eq. 23): 0.1 means ten percent less; negative values mean more.
 * @example
 * console.log(improvementRatio(90, 120, 100)); // 0.1
 */
export function improvementRatio(
  response: number,
  bestFitResponse: number,
  fastestFirstResponse: number,
): number {
  const betterResponseTime = Math.min(bestFitResponse, fastestFirstResponse);
  return betterResponseTime > 0 ? (betterResponseTime - response) / betterResponseTime : 0;
}

// Metrics of summaries by name, and those that are worth showing

/** A metric with one value per run. */
export interface ScalarMetric extends NamedMetric {
  readonly valueIn: (summary: Summary) => number;
}

/** A metric of each site, or of the jobs whose home is each site. */
interface SiteMetric extends Metric {
  /** Returns the name in studies for a site number, such as `site2Utilization` or `home2Jobs`. */
  readonly nameOf: (number: number) => string;
  readonly valueIn: (summary: Summary, site: number) => number;
}

type MetricTable = Readonly<Record<string, Metric>>;

/** Creates a function that names metrics in a part of a summary: `decisionsAgreed`, `site2Utilization`. */
const makeMetricNamer = (summaryPart: string) => (field: string) => `${summaryPart}${capitalizeFirst(field)}`;

/** All metrics with one value per run, in the order of summary.json. */
export const SCALAR_METRICS: readonly ScalarMetric[] = [
  ...Object.entries<Metric>(METRICS_BY_SUMMARY_PART.run).map(([name, metric]) => ({
    ...metric,
    name,
    valueIn: (summary: Summary) => summary[name as keyof typeof METRICS_BY_SUMMARY_PART.run],
  })),
  ...Object.entries<Metric>(METRICS_BY_SUMMARY_PART.trials).map(([field, metric]) => ({
    ...metric,
    name: makeMetricNamer('trials')(field),
    valueIn: ({ trials }: Summary) => trials?.[field as keyof typeof METRICS_BY_SUMMARY_PART.trials] ?? 0,
  })),
  ...Object.entries<Metric>(METRICS_BY_SUMMARY_PART.decisions).map(([field, metric]) => ({
    ...metric,
    name: makeMetricNamer('decisions')(field),
    valueIn: ({ decisions }: Summary) => decisions[field as keyof typeof METRICS_BY_SUMMARY_PART.decisions],
  })),
];

function makeSiteMetrics(siteMetricPrefix: 'site' | 'home', metricTable: MetricTable): SiteMetric[] {
  return Object.entries(metricTable).map(([field, metric]) => ({
    ...metric,
    nameOf: (siteNumber: number) => makeMetricNamer(`${siteMetricPrefix}${siteNumber}`)(field),
    valueIn: (summary: Summary, site: number) => {
      const valuesByMetric = summary[`${siteMetricPrefix}s`][site] as unknown as Readonly<
        Record<string, number>
      >;
      return valuesByMetric[field]!;
    },
  }));
}

/** All metrics of sites and homes, in the order of summary.json. */
export const SITE_METRICS: readonly SiteMetric[] = [
  ...makeSiteMetrics('site', METRICS_BY_SUMMARY_PART.sites),
  ...makeSiteMetrics('home', METRICS_BY_SUMMARY_PART.homes),
];

/** Makes a summary from the values of its metrics; numbers of trials per candidate are not metrics. */
export function makeSummaryByMetrics(
  workload: Workload,
  configuration: Configuration,
  getValueOfMetric: (name: string) => number,
): SummaryWithTrialDetail<MetricValues<typeof METRICS_BY_SUMMARY_PART.trials>> {
  const readMetricTable = <Of extends MetricTable>(table: Of, nameOf: (field: string) => string) =>
    Object.fromEntries(
      Object.keys(table).map((field) => [field, getValueOfMetric(nameOf(field))]),
    ) as MetricValues<Of>;
  const { grid, policy } = configuration;
  return makeSummary(workload, configuration, {
    run: readMetricTable(METRICS_BY_SUMMARY_PART.run, (name) => name),
    decisions: readMetricTable(METRICS_BY_SUMMARY_PART.decisions, makeMetricNamer('decisions')),
    ...(listCandidatePolicies(policy).length > 0
      ? { trials: readMetricTable(METRICS_BY_SUMMARY_PART.trials, makeMetricNamer('trials')) }
      : {}),
    sites: grid.capacities.map((capacity, i) => ({
      capacity,
      speed: grid.speeds[i]!,
      ...readMetricTable(METRICS_BY_SUMMARY_PART.sites, makeMetricNamer(`site${i + 1}`)),
    })),
    homes: grid.capacities.map((_, i) =>
      readMetricTable(METRICS_BY_SUMMARY_PART.homes, makeMetricNamer(`home${i + 1}`)),
    ),
  });
}

/**
 * Selects the metrics of a run that tables show besides those in the heading: metrics of a topic that did not
 * occur are omitted.
 * @param hasHomeSites true if jobs have homes.
 */
export function selectMetricsForTables(
  summary: Summary,
  hasHomeSites: boolean,
): { readonly metric: ScalarMetric; readonly value: number }[] {
  const occurredTopics = new Set(
    SCALAR_METRICS.flatMap(({ topic, valueIn: valueOfRun, shownWith }) =>
      valueOfRun(summary) === 0 || shownWith !== undefined ? [] : [topic],
    ),
  );
  // On a single site, all jobs are at home.
  const hasSeveralHomes = hasHomeSites && summary.sites.length > 1;
  const isShown = ({ topic, needsHomes = false }: Metric) =>
    (topic === undefined || (topic !== 'heading' && occurredTopics.has(topic))) &&
    (hasSeveralHomes || !needsHomes);
  const shownMetrics = SCALAR_METRICS.filter(isShown).map((metric) => ({
    metric,
    value: metric.valueIn(summary),
  }));
  // Summaries of earlier versions have fewer.
  return shownMetrics.filter(({ value }) => value !== undefined);
}

const PROMISED_START_METRIC_NAMES = ['meanPromiseError', 'maxPromiseError'];

/**
 * True if a run has a metric. Metrics of promised starts exist only with kept reservations; otherwise their
 * zeros are meaningless.
 */
export const hasRunMetric = (
  { name: metricName }: Pick<NamedMetric, 'name'>,
  { reservations }: Pick<Configuration, 'reservations'>,
) => reservations === 'kept' || !PROMISED_START_METRIC_NAMES.includes(metricName);

/**
 * Checks that every method has the metrics of a comparison.
 * @throws InputError for a metric of promised starts and a method that keeps no reservations.
 */
export function checkMetricsExist(
  metrics: readonly NamedMetric[],
  configurations: readonly Pick<Configuration, 'reservations' | 'discipline'>[],
): void {
  for (const metric of metrics) {
    const configurationWithoutMetric = configurations.find(
      (configuration) => !hasRunMetric(metric, configuration),
    );
    if (configurationWithoutMetric === undefined) continue;
    throw new InputError(
      `metric '${metric.name}': ${configurationWithoutMetric.discipline} promises no start, so it cannot be compared by it; ` +
        'compare methods whose reservations are kept',
    );
  }
}

/** Sorted words of a metric name, equal for `waitP95`, `p95_wait` and `p95Wait`. */
const sortWordsOfMetricName = (metricName: string) =>
  [...metricName.matchAll(/[A-Z]?[a-z]*\d*/g)]
    .map(([word]) => word.toLowerCase())
    .filter((word) => word !== '')
    .sort();

/** Maximum number of metrics suggested for a word that several contain. */
const MAX_SUGGESTED_METRICS = 4;

/**
 * Error for an unknown metric, with the most similar known one, or those whose names contain all of its
 * words.
 */
export function makeUnknownMetricError(name: string, knownMetricNames: readonly string[]): InputError {
  const sortedWordsOfUnknownName = sortWordsOfMetricName(name);
  const metricNameWithSameWords =
    knownMetricNames.find(
      (each) => String(sortWordsOfMetricName(each)) === String(sortedWordsOfUnknownName),
    ) ?? name;
  const hasAllWords = (metricName: string) =>
    sortedWordsOfUnknownName.length > 0 &&
    sortedWordsOfUnknownName.every((sortedWord) => sortWordsOfMetricName(metricName).includes(sortedWord));
  const metricNamesWithAllWords = knownMetricNames.filter(hasAllWords).slice(0, MAX_SUGGESTED_METRICS);
  const suggestion =
    formatNameSuggestion(metricNameWithSameWords, knownMetricNames) ||
    formatPrintedSuggestion(metricNamesWithAllWords.map((metricName) => `'${metricName}'`)) ||
    '.';
  return new InputError(`unknown metric '${name}'${suggestion} See gridalloc metrics`);
}
