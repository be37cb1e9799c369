/** Report and terminal text of one simulation, and sentences on simulation settings. */
import {
  formatCount,
  formatDuration,
  formatMeasurement,
  formatNumber,
  formatPercent,
  formatValue,
} from '../format/numbers.js';
import { makePrintableSourceName } from '../format/text.js';
import type { Grid } from '../grid/grid.js';
import { STATE_ENDED_BY_OUTAGE } from '../jobs/attributes.js';
import { firstElement } from '../lists.js';
import type { Configuration, Discipline } from '../options/configuration.js';
import {
  describeSettingsOnOneLine,
  isDefaultOptionText,
  isSimulatedAsLogged,
  printOptionSettings,
  readOptionTextsOfSavedRequest,
  type SavedSimulationRequest,
  shortenOptionText,
} from '../options/document.js';
import { type OptionStrings, optionNameOfKey } from '../options/options.js';
import { NO_OUTAGES_NOTATION } from '../options/outages.js';
import { doOptionsUseEstimates } from '../options/rules.js';
import type { AbsentProcessorsStep } from '../results/capacity.js';
import type { ProgramVersions } from '../results/documents.js';
import type { FinishedJob, StoppedRun } from '../results/finishedJobs.js';
import type { Experiment } from '../simulate/experiment.js';
import type { ShownClasses } from '../simulate/jobMetrics.js';
import { describeMachinesOfMethods, formatMethodDefinitions } from '../simulate/methodNames.js';
import type { Metric, NamedMetric } from '../simulate/metric.js';
import { METRICS_BY_SUMMARY_PART } from '../simulate/metrics.js';
import { formatRunName, type Summary, selectMetricsForTables } from '../simulate/summary.js';
import { SINGLE_SIMULATION_REMARK } from '../statistics/samples.js';
import { describeDropRule } from '../trace/filter.js';
import { describeReportFiles, makeReportOfSections, type Report, type ReportFact } from '../view/report.js';
import type { Table, TableColumn } from '../view/table.js';
import {
  formatFactsForTerminal,
  formatTableForTerminal,
  MAX_TERMINAL_LINE_WIDTH,
  type TerminalColors,
  wrapToTerminalLine,
} from '../view/terminal.js';
import type { Accounting } from '../workload/workload.js';
import { formatDistributionTables, makeDistributionTables, parseClassLimits } from './jobClasses.js';
import { unitEntryOfMetric } from './verdicts.js';

/** Fields of config.json that reports use, besides the options. */
export interface ReportedConfigFields extends ProgramVersions, SavedSimulationRequest {
  /** Shell command that repeats the simulation. */
  readonly shell?: string;
  readonly workload: {
    readonly jobsSha256?: string;
    /** Processors of the log's machine; absent if unknown or in folders of earlier versions. */
    readonly machine?: number;
    readonly accounting?: Pick<Accounting, 'kept' | 'withoutEstimate' | 'dependencies'>;
  };
  readonly discipline: Discipline;
  readonly queue: Configuration['queue'];
  readonly moldableThreshold: number;
}

/** True if jobs have home sites. */
export function doJobsHaveHomeSites(config: ReportedConfigFields): boolean {
  return readOptionTextsOfSavedRequest(config).home !== 'none';
}

/** Metric with its value in a run. */
export interface MetricWithValue {
  readonly metric: NamedMetric;
  readonly value: number;
}

/** Remark on a value: long times in readable units, and the metric's own remark. */
function makeRemarkOnMetricValue(
  { unit: metricUnit, remark }: Metric,
  metricValue: number,
  furtherRemark = '',
): string {
  const timeText = metricUnit === 's' && metricValue >= 60 ? formatDuration(metricValue) : '';
  return [timeText, furtherRemark, remark].filter((part) => part).join('; ');
}

function makeRunMetricsTable(summary: Summary, config: ReportedConfigFields): Table {
  return {
    id: 'measures',
    title: 'Measures',
    caption: '',
    columns: [
      { title: 'measure', isHeading: true },
      { title: 'value', align: 'right' },
      { title: 'unit' },
      { title: 'remark' },
    ],
    rows: selectMetricsForTables(summary, doJobsHaveHomeSites(config)).map(
      ({ metric, value: metricValue }) => {
        const { label: metricLabel, unit: metricUnit = '', format } = metric;
        return [
          metricLabel,
          formatValue(metricValue, format),
          metricUnit,
          makeRemarkOnMetricValue(metric, metricValue),
        ];
      },
    ),
  };
}

const WHOLE_NUMBERS_FORMAT = { style: 'fixed' } as const;

function makeSitesTable({ sites, homes }: Summary, showsHomes: boolean): Table {
  const { sites: siteMetrics, homes: homeMetrics } = METRICS_BY_SUMMARY_PART;
  const metrics = [
    ...[siteMetrics.jobs, siteMetrics.utilization],
    ...(showsHomes ? [homeMetrics.jobs, homeMetrics.averageResponseTime] : []),
  ];
  const makeColumn = (metric: Metric): TableColumn => {
    const { label: title, unit: metricUnit, format } = metric;
    if (metricUnit === 's')
      return { title, ...unitEntryOfMetric(metric), format: { style: 'fixed', decimals: 2 } };
    return { title, format: format.style === 'percent' ? { ...format, decimals: 1 } : format };
  };
  return {
    id: 'sites',
    title: showsHomes ? 'Sites and home sites' : 'Sites',
    caption: showsHomes
      ? 'Left: what ran on a site. Right: its local jobs (those whose home it is), wherever they ran.'
      : '',
    columns: [
      { title: 'site', isHeading: true, format: WHOLE_NUMBERS_FORMAT },
      { title: 'processors', format: WHOLE_NUMBERS_FORMAT },
      { title: 'speed', format: { style: 'measure' } },
      ...metrics.map(makeColumn),
    ],
    rows: sites.map(({ capacity, speed, jobs: jobCount, utilization }, i) => {
      const homeSummary = homes[i]!;
      const homeMetricCells = [
        homeSummary.jobs,
        homeSummary.jobs > 0 ? homeSummary.averageResponseTime : null,
      ];
      return [i + 1, capacity, speed, jobCount, utilization, ...(showsHomes ? homeMetricCells : [])];
    }),
  };
}

/** Facts on all options of a run, labelled by option name in words: `min speed ratio`. */
function makeOptionFacts(config: ReportedConfigFields): ReportFact[] {
  return Object.entries(readOptionTextsOfSavedRequest(config)).map(([optionName, valueText]) => ({
    label: optionName.replaceAll('-', ' '),
    value: shortenOptionText(optionName, valueText),
    ...(isDefaultOptionText(optionName, valueText) && { isDefault: true }),
  }));
}

/** Command that repeats the simulation, shortened if all sites have the same load. */
function shortenCommandWords(config: ReportedConfigFields): string[] {
  const { load } = readOptionTextsOfSavedRequest(config);
  const { shell } = config;
  if (shell === undefined) return [];
  return [
    load === undefined ? shell : shell.replace(`--load ${load}`, `--load ${shortenOptionText('load', load)}`),
  ];
}

/** Fact on the number of jobs whose estimate is their actual runtime; only if estimates matter. */
function makeFactOnRuntimesAsEstimates(config: ReportedConfigFields): [label: string, value: string][] {
  const { kept: keptCount = 0, withoutEstimate = 0 } = config.workload.accounting ?? {};
  if (!doOptionsUseEstimates(config) || withoutEstimate === 0) return [];
  const countText = `${formatNumber(withoutEstimate)} of ${formatNumber(keptCount)}`;
  return [['jobs without a requested time', `${countText}; their actual runtime is used instead`]];
}

/** Fact on the number of jobs that waited for others, with --dependencies. */
function makeFactOnDependentJobs({ workload }: ReportedConfigFields): [label: string, value: string][] {
  const { kept: keptCount, dependencies } = workload.accounting ?? {};
  if (keptCount === undefined || dependencies === undefined) return [];
  return [
    ['jobs submitted after another', `${formatNumber(dependencies.jobs)} of ${formatNumber(keptCount)}`],
  ];
}

/** Facts on the jobs, options and program versions of a simulation. */
export function makeFactsOnSimulationSettings(summary: Summary, config: ReportedConfigFields): ReportFact[] {
  const dropRulesWithCounts = Object.entries(summary.dropped).filter(([, count]) => count > 0);
  const { jobs: jobCount, pieces: pieceCount } = summary.split;
  const facts: [label: string, value: string][] = [
    ['workload', config.request?.workload ?? ''],
    [
      'records dropped by rule',
      dropRulesWithCounts.map(([rule, count]) => `${rule} ${formatNumber(count)}`).join(', ') || 'none',
    ],
    ...makeFactOnRuntimesAsEstimates(config),
    ...makeFactOnDependentJobs(config),
    [
      'wide jobs cut',
      jobCount > 0 ? `${formatNumber(jobCount)} into ${formatNumber(pieceCount)} pieces` : 'none',
    ],
  ];
  const programFacts: [label: string, value: string][] = [
    ['gridalloc', config.gridalloc],
    ['SHA-256 of the core, release build', config.coreSha256],
    ['SHA-256 of the jobs', config.workload.jobsSha256 ?? 'not computed in a stream'],
  ];
  const toFact = ([label, valueText]: [label: string, value: string]) => ({ label, value: valueText });
  return [...facts.map(toFact), ...makeOptionFacts(config), ...programFacts.map(toFact)];
}

/** Last part of a path; for a model its whole notation. */
export function findLastPathPart(filePath: string): string {
  return filePath.includes('[') ? filePath : filePath.replace(/^.*[\\/](?=.)/, '');
}

/** Number of sites and processors, and the variance of speeds if there are several sites. */
function describeGridSize({ sites, speedHeterogeneity }: Summary): string {
  const processors = sites.reduce((sum, { capacity }) => sum + capacity, 0);
  // With one site, speeds do not matter to allocators.
  const speedsText =
    sites.length > 1 ? `, variance of speeds (SH) ${formatMeasurement(speedHeterogeneity)}` : '';
  return `${formatCount(sites.length, 'site')} with ${formatCount(processors, 'processor')}${speedsText}`;
}

/** Jobs and sites of a finished simulation, as its folder has them. */
interface SavedJobsAndSites {
  readonly jobs: readonly FinishedJob[];
  /** Preempted runs; empty if unknown. */
  readonly stopped: readonly StoppedRun[];
  /** Changes of the processors of sites by outages; empty if unknown. */
  readonly capacitySteps: readonly AbsentProcessorsStep[];
}

/** Report of a simulation, without drawings. */
export function makeSimulationReport(
  summary: Summary,
  config: ReportedConfigFields,
  schedule: SavedJobsAndSites,
): Report {
  const { stopped: preemptedRuns, capacitySteps } = schedule;
  const endedJobs = schedule.jobs.filter(({ isEndedByOutage }) => isEndedByOutage);
  const { home: _, ...texts } = readOptionTextsOfSavedRequest(config);
  const runName = formatRunName(summary, config);
  const settingsText = describeSettingsOnOneLine(texts, runName);
  const { machine } = config.workload;
  return makeReportOfSections({
    title: `${runName} on ${findLastPathPart(summary.workload)}`,
    description:
      `${formatCount(summary.jobs, 'job')} on ${describeGridSize(summary)}.` +
      `${settingsText === '' ? '' : ` Set: ${settingsText}.`}\n\n${SINGLE_SIMULATION_REMARK}`,
    highlights: highlightSimulationMetrics(summary),
    tables: [
      makeRunMetricsTable(summary, config),
      makeSitesTable(summary, doJobsHaveHomeSites(config)),
      ...makeDistributionTables(
        summary,
        isSimulatedAsLogged(texts, { ...summary, machine }),
        parseClassLimits(texts),
      ),
      ...(preemptedRuns.length === 0
        ? []
        : [makePreemptionsTable(schedule, summary, hasOutageOptions(texts))]),
      ...(endedJobs.length === 0 ? [] : [makeOutageEndedJobsTable(endedJobs)]),
    ],
    commands: shortenCommandWords(config),
    environment: makeFactsOnSimulationSettings(summary, config),
    files: describeReportFiles({
      'jobs.csv': 'every job: where, when, how long',
      'schedule.swf': 'the same as a log',
      'summary.json': 'all metrics',
      'config.json': 'every option, and the command',
      ...(preemptedRuns.length === 0 ? {} : { 'stops.csv': 'every run that was stopped' }),
      ...(capacitySteps.length === 0
        ? {}
        : { 'capacity.csv': 'the processors of each site after each change' }),
    }),
  });
}

function highlightSimulationMetrics({
  averageResponseTime,
  meanWait,
  meanBoundedSlowdown,
  averageQueueLengthOverTime,
  makespan,
  utilization,
}: Summary): Report['highlights'] {
  const { run } = METRICS_BY_SUMMARY_PART;
  return [
    { label: run.averageResponseTime.label, value: formatValue(averageResponseTime, { style: 'duration' }) },
    { label: run.meanWait.label, value: formatValue(meanWait, { style: 'duration' }) },
    { label: run.meanBoundedSlowdown.label, value: formatMeasurement(meanBoundedSlowdown) },
    {
      label: run.averageQueueLengthOverTime.label,
      value: `${formatMeasurement(averageQueueLengthOverTime)} jobs`,
    },
    { label: run.makespan.label, value: formatValue(makespan, { style: 'duration' }) },
    { label: run.utilization.label, value: formatPercent(utilization) },
  ];
}

// Table of preempted jobs

/** Largest number of jobs in the table of preempted jobs. */
const MAX_LISTED_PREEMPTED_JOBS = 10;

/** Job with its preemptions: their number, lost seconds and lost processor-seconds. */
interface PreemptedJobTotals {
  readonly job: FinishedJob;
  preemptionCount: number;
  lostSeconds: number;
  lostWork: number;
}

/** Preempted jobs, most preemptions first; ties by lost work. */
function sumPreemptionsByJob(preemptedRuns: readonly StoppedRun[]): PreemptedJobTotals[] {
  const totalsByJob = new Map<FinishedJob, PreemptedJobTotals>();
  for (const { job, start, end, processors } of preemptedRuns) {
    const jobTotals = totalsByJob.get(job) ?? { job, preemptionCount: 0, lostSeconds: 0, lostWork: 0 };
    jobTotals.preemptionCount++;
    jobTotals.lostSeconds += end - start;
    jobTotals.lostWork += processors * (end - start);
    totalsByJob.set(job, jobTotals);
  }
  return [...totalsByJob.values()].sort(
    (a, b) => b.preemptionCount - a.preemptionCount || b.lostWork - a.lostWork,
  );
}

const hasOutageOptions = ({ outages = NO_OUTAGES_NOTATION }: OptionStrings) =>
  outages !== NO_OUTAGES_NOTATION;

const DURATION_FORMAT = { style: 'duration' } as const;

/** Table of the jobs that outages ended, the widest first. */
function makeOutageEndedJobsTable(jobs: readonly FinishedJob[]): Table {
  const shownNote =
    jobs.length > MAX_LISTED_PREEMPTED_JOBS
      ? ` Shown are the ${MAX_LISTED_PREEMPTED_JOBS} with the most processors.`
      : '';
  const jobsByDecreasingWidth = [...jobs].sort((a, b) => b.processors - a.processors || a.end - b.end);
  return {
    id: 'ended',
    title: 'Jobs stopped by an outage',
    caption:
      `Outages stopped ${formatCount(jobs.length, 'job')}, which did not run again; ` +
      `jobs.csv has ${jobs.length === 1 ? 'it' : 'them'} as ${STATE_ENDED_BY_OUTAGE}.${shownNote}`,
    columns: [
      { title: 'job', isHeading: true },
      { title: 'home site', format: WHOLE_NUMBERS_FORMAT },
      { title: 'processors', format: WHOLE_NUMBERS_FORMAT },
      { title: 'wait', format: DURATION_FORMAT },
      { title: 'ran', format: DURATION_FORMAT },
    ],
    rows: jobsByDecreasingWidth
      .slice(0, MAX_LISTED_PREEMPTED_JOBS)
      .map(({ name: jobName, home, processors, submit, start, end }) => {
        return [jobName, home + 1, processors, start - submit, end - start];
      }),
  };
}

/** Table of preemptions: totals, and the jobs with most preemptions. */
function makePreemptionsTable(
  { jobs: allJobs, stopped: preemptedRuns }: SavedJobsAndSites,
  { utilization, makespan, sites }: Summary,
  arePreemptionsByOutages: boolean,
): Table {
  const preemptedJobs = sumPreemptionsByJob(preemptedRuns);
  const lostWork = preemptedJobs.reduce((sum, { lostWork: work }) => sum + work, 0);
  // With outages, utilization is a share of the processors that were there.
  const usedWork = arePreemptionsByOutages
    ? [...allJobs, ...preemptedRuns].reduce(
        (sum, { processors, start, end }) => sum + processors * (end - start),
        0,
      )
    : utilization * makespan * sites.reduce((sum, { capacity }) => sum + capacity, 0);
  const shareText = usedWork > 0 ? `, ${formatPercent(lostWork / usedWork, 2)} of all that were used` : '';
  const shownNote =
    preemptedJobs.length > MAX_LISTED_PREEMPTED_JOBS
      ? ` Shown are the ${MAX_LISTED_PREEMPTED_JOBS} that were stopped most often.`
      : '';
  return {
    id: 'restarts',
    title: 'Jobs stopped and begun again',
    caption:
      `${arePreemptionsByOutages ? '' : 'To make room for jobs at home, '}${formatCount(preemptedRuns.length, 'run')} of ${formatCount(preemptedJobs.length, 'job')} ` +
      `${preemptedRuns.length === 1 ? 'was' : 'were'} stopped${arePreemptionsByOutages ? ' by an outage' : ''}; ${formatNumber(lostWork)} processor-seconds were lost${shareText}.${shownNote}`,
    columns: [
      { title: 'job', isHeading: true },
      { title: 'home site', format: WHOLE_NUMBERS_FORMAT },
      { title: 'processors', format: WHOLE_NUMBERS_FORMAT },
      { title: 'stopped runs', format: WHOLE_NUMBERS_FORMAT },
      { title: 'time lost', format: DURATION_FORMAT },
      { title: 'work lost', unit: 'proc. × s', format: WHOLE_NUMBERS_FORMAT },
      { title: 'response', format: DURATION_FORMAT },
    ],
    rows: preemptedJobs
      .slice(0, MAX_LISTED_PREEMPTED_JOBS)
      .map(({ job, preemptionCount, lostSeconds, lostWork }) => {
        const { name: jobName, home, processors, submit, end } = job;
        return [jobName, home + 1, processors, preemptionCount, lostSeconds, lostWork, end - submit];
      }),
  };
}

// Simulations as terminal text

/** Sentence on dropped, cut and split records of a log; empty if every record became one job. */
export function describeRecordAccounting({
  read: readCount,
  kept: keptCount,
  dropped: droppedRecords,
  split,
}: Accounting): string {
  const dropRulesWithCounts = droppedRecords.filter(({ count: recordCount }) => recordCount > 0);
  const sentences: string[] = [];
  if (dropRulesWithCounts.length > 0) {
    const rules = dropRulesWithCounts
      .map(({ rule, count: recordCount }) => `${describeDropRule(rule)} ${formatNumber(recordCount)}`)
      .join(', ');
    sentences.push(
      `${formatNumber(keptCount)} of ${formatCount(readCount, 'record')} kept; dropped by rule: ${rules}`,
    );
  }
  if (split.jobs > 0) {
    sentences.push(`${formatCount(split.jobs, 'wide job')} cut into ${formatNumber(split.pieces)} pieces`);
  }
  return sentences.join('; ');
}

function formatSimulationHeadline(
  summary: Summary,
  optionTexts: OptionStrings,
  colors: TerminalColors,
): string {
  const runName = formatRunName(summary, optionTexts as Parameters<typeof formatRunName>[1]);
  const settingsText = describeSettingsOnOneLine(optionTexts, runName);
  return (
    `${colors.bold(runName)} on ${makePrintableSourceName(summary.workload)}\n${formatCount(summary.jobs, 'job')}, ${describeGridSize(summary)}` +
    (settingsText === '' ? '' : `\nset: ${settingsText}`)
  );
}

function formatMetricLinesOfRun(
  metrics: readonly MetricWithValue[],
  colors: TerminalColors,
  width?: number,
): string {
  const facts = metrics.map(({ metric, value: metricValue }) => {
    const { label: metricLabel, unit: metricUnit, format } = metric;
    const metricText = formatValue(metricValue, format).replaceAll('\u00a0', ' ');
    return metricUnit === 's'
      ? ([metricLabel, `${metricText} s`, makeRemarkOnMetricValue(metric, metricValue)] as const)
      : ([metricLabel, metricText, makeRemarkOnMetricValue(metric, metricValue, metricUnit)] as const);
  });
  return formatFactsForTerminal(facts, colors, width);
}

/** Summary without percentiles, fairness among users and recorded waits. */
const omitDistribution = ({ distribution: _, ...summary }: Summary): Summary => summary;

/** Facts on the jobs that accompany the metrics. */
interface SimulationTextFacts {
  readonly accounting: Accounting;
  /** True if jobs have home sites. */
  readonly hasHomes: boolean;
  /** Processors of the log's machine, if known. */
  readonly machine: number | undefined;
  /** Explicit options as texts by name. */
  readonly texts: OptionStrings;
  /** Requested metrics, which replace the default metrics and the sites. */
  readonly requestedMetrics?: readonly MetricWithValue[];
  /** Job classes to show. */
  readonly shownClasses?: ShownClasses;
}

/**
 * Summary of a run as terminal text: setting, metrics with units, sites.
 * @param width in characters for wrapping remarks; absent: no wrapping.
 */
export function formatSimulationSummary(
  summary: Summary,
  { accounting, hasHomes, machine, texts: optionTexts, shownClasses, requestedMetrics }: SimulationTextFacts,
  colors: TerminalColors,
  width?: number,
): string {
  const accountingText = describeRecordAccounting(accounting);
  return [
    formatSimulationHeadline(summary, optionTexts, colors) +
      (accountingText === '' ? '' : `\n${colors.dim(wrapToTerminalLine(accountingText))}`),
    formatMetricLinesOfRun(requestedMetrics ?? selectMetricsForTables(summary, hasHomes), colors, width),
    ...(requestedMetrics === undefined
      ? [
          formatTableForTerminal(
            { ...makeSitesTable(summary, hasHomes && summary.sites.length > 1), title: '' },
            colors,
            MAX_TERMINAL_LINE_WIDTH,
          ),
        ]
      : []),
    formatDistributionTables(
      requestedMetrics === undefined ? summary : omitDistribution(summary),
      isSimulatedAsLogged(optionTexts, { ...summary, machine }),
      parseClassLimits(optionTexts),
      colors,
      width,
      shownClasses,
    ),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

// Headings of simulations

/**
 * Settings that all methods of an experiment share and that differ from the defaults.
 * @param methodName text on the method, if any.
 */
export function describeCommonSettings({ settings, methods }: Experiment, methodName = ''): string {
  const optionTextsByMethod = methods.map(printOptionSettings);
  const isSharedByMethods = (optionName: string) =>
    optionTextsByMethod.every(
      (optionTexts) => optionTexts[optionName] === firstElement(optionTextsByMethod)[optionName],
    );
  const sharedOptions = Object.entries(firstElement(methods)).filter(([key]) =>
    isSharedByMethods(optionNameOfKey(key)),
  );
  const { estimates, ...otherSettings } = settings;
  const commonSettings = isSharedByMethods('estimates') ? { estimates, ...otherSettings } : otherSettings;
  return describeSettingsOnOneLine(
    printOptionSettings({ ...commonSettings, ...Object.fromEntries(sharedOptions) }),
    methodName,
  );
}

/** Lines on the jobs and sites of an experiment; for speeds that each replication draws, the distribution. */
export function describeJobsAndSites({
  workload,
  grid,
  settings,
  configurations,
}: Pick<Experiment, 'workload' | 'grid' | 'settings' | 'configurations'>): string[] {
  const accountingText = describeRecordAccounting(workload.accounting);
  const capacityTexts = grid.capacities.map((capacity) => formatNumber(capacity));
  const machines = describeMachinesOfMethods(configurations).map(
    ({ name, grid: methodGrid }) => `${name}: ${formatSitesWithSpeeds(methodGrid)}`,
  );
  const areSpeedsRedrawn = settings.perturb?.speeds === true && settings.replication === undefined;
  return [
    `${formatCount(workload.count, 'job')} of ${makePrintableSourceName(workload.name)}`,
    ...(accountingText === '' ? [] : [accountingText]),
    machines.length > 0
      ? `sites of each method, processors x speed: ${machines.join('; ')}`
      : areSpeedsRedrawn
        ? `${formatCount(capacityTexts.length, 'site')}, processors: ${capacityTexts.join(', ')}; new speeds in each replication: ${settings.speeds}`
        : `${formatCount(capacityTexts.length, 'site')}, processors x speed: ${formatSitesWithSpeeds(grid)}`,
  ];
}

/** Processors and speed of each site: `64 x 1, 128 x 1.5`. */
function formatSitesWithSpeeds({ capacities, speeds }: Grid): string {
  return capacities
    .map((capacity, site) => `${formatNumber(capacity)} x ${formatMeasurement(speeds[site]!)}`)
    .join(', ');
}

/** Line on the meaning of user-defined method names; empty if there are none. */
export function describeMethodDefinitions(configurations: Experiment['configurations']): string[] {
  const methodDefinitionLines = formatMethodDefinitions(configurations);
  return methodDefinitionLines.length === 0 ? [] : [`methods: ${methodDefinitionLines.join('; ')}`];
}

/** Lines on jobs, sites, settings and method names of an experiment. */
const describeExperimentLines = (experiment: Experiment, settingsText: string): string[] => [
  ...describeJobsAndSites(experiment),
  ...(settingsText === '' ? [] : [settingsText]),
  ...describeMethodDefinitions(experiment.configurations),
];

/** Lines on an experiment's settings, for documents. */
export function makeExperimentSettingLines(experiment: Experiment, methodName?: string): string[] {
  return describeExperimentLines(experiment, describeCommonSettings(experiment, methodName));
}

/** Lines on an experiment's settings, for terminals. */
export const formatExperimentSettings = (experiment: Experiment, methodName?: string): string =>
  makeExperimentSettingLines(experiment, methodName).map(wrapToTerminalLine).join('\n');

/** Settings of replications as terminal text, with the perturbation. */
export function formatReplicatedSettings(experiment: Experiment, methodName?: string): string {
  const { perturb: _, ...settings } = experiment.settings;
  const settingsText = describeCommonSettings({ ...experiment, settings }, methodName);
  return describeExperimentLines(experiment, settingsText).map(wrapToTerminalLine).join('\n');
}
