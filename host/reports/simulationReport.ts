/** Report and terminal text of one simulation, and sentences on simulation settings. */
import {
  countText,
  formatDuration,
  formatMeasurement,
  formatNumber,
  formatPercent,
  valueText,
} from '../format/numbers.js';
import { printableSourceName } from '../format/text.js';
import type { Grid } from '../grid/grid.js';
import { ENDED_BY_OUTAGE } from '../jobs/attributes.js';
import { firstElement } from '../lists.js';
import type { Configuration, Discipline } from '../options/configuration.js';
import {
  isDefaultText,
  isSimulatedAsLogged,
  printSettings,
  type SavedRequest,
  savedOptionTexts,
  settingsOnOneLine,
  shortOptionText,
} from '../options/document.js';
import { type OptionStrings, optionName } from '../options/options.js';
import { NO_OUTAGES } from '../options/outages.js';
import { usesEstimates } from '../options/rules.js';
import type { CapacityStep } from '../results/capacity.js';
import type { Provenance } from '../results/documents.js';
import type { FinishedJob, StoppedRun } from '../results/finishedJobs.js';
import type { Experiment } from '../simulate/experiment.js';
import type { ShownClasses } from '../simulate/jobMetrics.js';
import { machineNames, methodDefinitions } from '../simulate/methodNames.js';
import type { Metric, NamedMetric } from '../simulate/metric.js';
import { METRICS } from '../simulate/metrics.js';
import { metricsForTables, runNameOf, type Summary } from '../simulate/summary.js';
import { ONE_SAMPLE_REMARK } from '../statistics/samples.js';
import { ruleText } from '../trace/filter.js';
import { filesBesideTables, type Report, type ReportFact, reportOfSections } from '../view/report.js';
import type { Table, TableColumn } from '../view/table.js';
import {
  type Colors,
  formatFacts,
  MAX_TERMINAL_LINE,
  parquetTableAsCsv,
  wrapLines,
} from '../view/terminal.js';
import type { Accounting } from '../workload/workload.js';
import { distributionTables, distributionText, parseClassLimits } from './jobClasses.js';
import { metricUnitEntry } from './verdicts.js';

/** Fields of config.json that reports use, besides the options. */
export interface SimulationConfig extends Provenance, SavedRequest {
  /** Shell command that repeats the simulation. */
  readonly shell?: string;
  readonly workload: {
    readonly jobsSha256: string;
    /** Processors of the log's machine; absent if unknown or in folders of earlier versions. */
    readonly machine?: number;
    readonly accounting?: Pick<Accounting, 'kept' | 'withoutEstimate' | 'dependencies'>;
  };
  readonly discipline: Discipline;
  readonly queue: Configuration['queue'];
  readonly moldableThreshold: number;
}

/** True if jobs have home sites. */
export function hasHomeSites(config: SimulationConfig): boolean {
  return savedOptionTexts(config).home !== 'none';
}

/** Metric with its value in a run. */
export interface ShownMetricValue {
  readonly metric: NamedMetric;
  readonly value: number;
}

/** Remark on a value: long times in readable units, and the metric's own remark. */
function valueRemark({ unit, remark }: Metric, value: number, otherEntries = ''): string {
  const time = unit === 's' && value >= 60 ? formatDuration(value) : '';
  return [time, otherEntries, remark].filter((part) => part).join('; ');
}

function metricsTableOfRun(summary: Summary, config: SimulationConfig): Table {
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
    rows: metricsForTables(summary, hasHomeSites(config)).map(({ metric, value }) => {
      const { label, unit = '', format } = metric;
      return [label, valueText(value, format), unit, valueRemark(metric, value)];
    }),
  };
}

const WHOLE_FORMAT = { style: 'fixed' } as const;

function sitesTable({ sites, homes }: Summary, showsHomes: boolean): Table {
  const { sites: ofSites, homes: ofHomes } = METRICS;
  const columns = [
    ...[ofSites.jobs, ofSites.utilization],
    ...(showsHomes ? [ofHomes.jobs, ofHomes.averageResponseTime] : []),
  ];
  const columnOf = (metric: Metric): TableColumn => {
    const { label: title, unit, format } = metric;
    if (unit === 's') return { title, ...metricUnitEntry(metric), format: { style: 'fixed', decimals: 2 } };
    return { title, format: format.style === 'percent' ? { ...format, decimals: 1 } : format };
  };
  return {
    id: 'sites',
    title: showsHomes ? 'Sites and home sites' : 'Sites',
    caption: showsHomes
      ? 'Left: what ran on a site. Right: its local jobs (those whose home it is), wherever they ran.'
      : '',
    columns: [
      { title: 'site', isHeading: true, format: WHOLE_FORMAT },
      { title: 'processors', format: WHOLE_FORMAT },
      { title: 'speed', format: { style: 'measure' } },
      ...columns.map(columnOf),
    ],
    rows: sites.map(({ capacity, speed, jobs, utilization }, i) => {
      const home = homes[i]!;
      const homeMetricCells = [home.jobs, home.jobs > 0 ? home.averageResponseTime : null];
      return [i + 1, capacity, speed, jobs, utilization, ...(showsHomes ? homeMetricCells : [])];
    }),
  };
}

/** Facts on all options of a run, labelled by option name in words: `min speed ratio`. */
function optionFacts(config: SimulationConfig): ReportFact[] {
  return Object.entries(savedOptionTexts(config)).map(([name, value]) => ({
    label: name.replaceAll('-', ' '),
    value: shortOptionText(name, value),
    ...(isDefaultText(name, value) && { isDefault: true }),
  }));
}

/** Command that repeats the simulation, shortened if all sites have the same load. */
function shortCommandText(config: SimulationConfig): string[] {
  const { load } = savedOptionTexts(config);
  const { shell } = config;
  if (shell === undefined) return [];
  return [
    load === undefined ? shell : shell.replace(`--load ${load}`, `--load ${shortOptionText('load', load)}`),
  ];
}

/** Fact on the number of jobs whose estimate is their actual runtime; only if estimates matter. */
function estimatesFact(config: SimulationConfig): [label: string, value: string][] {
  const { kept = 0, withoutEstimate = 0 } = config.workload.accounting ?? {};
  if (!usesEstimates(config) || withoutEstimate === 0) return [];
  const count = `${formatNumber(withoutEstimate)} of ${formatNumber(kept)}`;
  return [['jobs without a requested time', `${count}; their actual runtime is used instead`]];
}

/** Fact on the number of jobs that waited for others, with --dependencies. */
function dependenciesFact({ workload }: SimulationConfig): [label: string, value: string][] {
  const { kept, dependencies } = workload.accounting ?? {};
  if (kept === undefined || dependencies === undefined) return [];
  return [['jobs submitted after another', `${formatNumber(dependencies.jobs)} of ${formatNumber(kept)}`]];
}

/** Facts on the jobs, options and program versions of a simulation. */
export function settingFacts(summary: Summary, config: SimulationConfig): ReportFact[] {
  const dropped = Object.entries(summary.dropped).filter(([, count]) => count > 0);
  const { jobs, pieces } = summary.split;
  const facts: [label: string, value: string][] = [
    ['workload', config.request?.workload ?? ''],
    [
      'records dropped by rule',
      dropped.map(([rule, count]) => `${rule} ${formatNumber(count)}`).join(', ') || 'none',
    ],
    ...estimatesFact(config),
    ...dependenciesFact(config),
    ['wide jobs cut', jobs > 0 ? `${formatNumber(jobs)} into ${formatNumber(pieces)} pieces` : 'none'],
  ];
  const programFacts: [label: string, value: string][] = [
    ['gridalloc', config.gridalloc],
    ['SHA-256 of the core, release build', config.coreSha256],
    ['SHA-256 of the jobs', config.workload.jobsSha256],
  ];
  const named = ([label, value]: [label: string, value: string]) => ({ label, value });
  return [...facts.map(named), ...optionFacts(config), ...programFacts.map(named)];
}

/** Last part of a path; for a model its whole notation. */
export function shortName(source: string): string {
  return source.includes('[') ? source : source.replace(/^.*[\\/](?=.)/, '');
}

/** Number of sites and processors, and the variance of speeds if there are several sites. */
function gridText({ sites, speedHeterogeneity }: Summary): string {
  const processors = sites.reduce((sum, { capacity }) => sum + capacity, 0);
  // With one site, speeds do not matter to allocators.
  const speeds = sites.length > 1 ? `, variance of speeds (SH) ${formatMeasurement(speedHeterogeneity)}` : '';
  return `${countText(sites.length, 'site')} with ${countText(processors, 'processor')}${speeds}`;
}

/** Jobs and sites of a finished simulation, as its folder has them. */
interface SavedSchedule {
  readonly jobs: readonly FinishedJob[];
  /** Preempted runs; empty if unknown. */
  readonly stopped: readonly StoppedRun[];
  /** Changes of the processors of sites by outages; empty if unknown. */
  readonly capacitySteps: readonly CapacityStep[];
}

/** Report of a simulation, without drawings. */
export function simulationReport(
  summary: Summary,
  config: SimulationConfig,
  schedule: SavedSchedule,
): Report {
  const { stopped, capacitySteps } = schedule;
  const endedJobs = schedule.jobs.filter(({ isEndedByOutage }) => isEndedByOutage);
  const { home: _, ...texts } = savedOptionTexts(config);
  const name = runNameOf(summary, config);
  const set = settingsOnOneLine(texts, name);
  const { machine } = config.workload;
  return reportOfSections({
    title: `${name} on ${shortName(summary.workload)}`,
    description:
      `${countText(summary.jobs, 'job')} on ${gridText(summary)}.` +
      `${set === '' ? '' : ` Set: ${set}.`}\n\n${ONE_SAMPLE_REMARK}`,
    highlights: simulationHighlights(summary),
    tables: [
      metricsTableOfRun(summary, config),
      sitesTable(summary, hasHomeSites(config)),
      ...distributionTables(
        summary,
        isSimulatedAsLogged(texts, { ...summary, machine }),
        parseClassLimits(texts),
      ),
      ...(stopped.length === 0 ? [] : [preemptedJobsTable(schedule, summary, hasOutages(texts))]),
      ...(endedJobs.length === 0 ? [] : [endedJobsTable(endedJobs)]),
    ],
    commands: shortCommandText(config),
    environment: settingFacts(summary, config),
    files: filesBesideTables({
      'jobs.csv': 'every job: where, when, how long',
      'schedule.swf': 'the same as a log',
      'summary.json': 'all metrics',
      'config.json': 'every option, and the command',
      ...(stopped.length === 0 ? {} : { 'stops.csv': 'every run that was stopped' }),
      ...(capacitySteps.length === 0
        ? {}
        : { 'capacity.csv': 'the processors of each site after each change' }),
    }),
  });
}

function simulationHighlights({
  averageResponseTime,
  meanWait,
  meanBoundedSlowdown,
  averageQueueLengthOverTime,
  makespan,
  utilization,
}: Summary): Report['highlights'] {
  const { run } = METRICS;
  return [
    { label: run.averageResponseTime.label, value: valueText(averageResponseTime, { style: 'duration' }) },
    { label: run.meanWait.label, value: valueText(meanWait, { style: 'duration' }) },
    { label: run.meanBoundedSlowdown.label, value: formatMeasurement(meanBoundedSlowdown) },
    {
      label: run.averageQueueLengthOverTime.label,
      value: `${formatMeasurement(averageQueueLengthOverTime)} jobs`,
    },
    { label: run.makespan.label, value: valueText(makespan, { style: 'duration' }) },
    { label: run.utilization.label, value: formatPercent(utilization) },
  ];
}

// Table of preempted jobs

/** Largest number of jobs in the table of preempted jobs. */
const MAX_JOBS = 10;

/** Job with its preemptions: their number, lost seconds and lost processor-seconds. */
interface StoppedJob {
  readonly job: FinishedJob;
  runs: number;
  time: number;
  work: number;
}

/** Preempted jobs, most preemptions first; ties by lost work. */
function stoppedJobs(stopped: readonly StoppedRun[]): StoppedJob[] {
  const stoppedJobsByJob = new Map<FinishedJob, StoppedJob>();
  for (const { job, start, end, processors } of stopped) {
    const entry = stoppedJobsByJob.get(job) ?? { job, runs: 0, time: 0, work: 0 };
    entry.runs++;
    entry.time += end - start;
    entry.work += processors * (end - start);
    stoppedJobsByJob.set(job, entry);
  }
  return [...stoppedJobsByJob.values()].sort((a, b) => b.runs - a.runs || b.work - a.work);
}

const hasOutages = ({ outages = NO_OUTAGES }: OptionStrings) => outages !== NO_OUTAGES;

const DURATION_FORMAT = { style: 'duration' } as const;

/** Table of the jobs that outages ended, the widest first. */
function endedJobsTable(jobs: readonly FinishedJob[]): Table {
  const shown = jobs.length > MAX_JOBS ? ` Shown are the ${MAX_JOBS} with the most processors.` : '';
  const widest = [...jobs].sort((a, b) => b.processors - a.processors || a.end - b.end);
  return {
    id: 'ended',
    title: 'Jobs stopped by an outage',
    caption:
      `Outages stopped ${countText(jobs.length, 'job')}, which did not run again; ` +
      `jobs.csv has ${jobs.length === 1 ? 'it' : 'them'} as ${ENDED_BY_OUTAGE}.${shown}`,
    columns: [
      { title: 'job', isHeading: true },
      { title: 'home site', format: WHOLE_FORMAT },
      { title: 'processors', format: WHOLE_FORMAT },
      { title: 'wait', format: DURATION_FORMAT },
      { title: 'ran', format: DURATION_FORMAT },
    ],
    rows: widest.slice(0, MAX_JOBS).map(({ name, home, processors, submit, start, end }) => {
      return [name, home + 1, processors, start - submit, end - start];
    }),
  };
}

/** Table of preemptions: totals, and the jobs with most preemptions. */
function preemptedJobsTable(
  { jobs: all, stopped }: SavedSchedule,
  { utilization, makespan, sites }: Summary,
  isByOutages: boolean,
): Table {
  const jobs = stoppedJobs(stopped);
  const lost = jobs.reduce((sum, { work }) => sum + work, 0);
  // With outages, utilization is a share of the processors that were there.
  const used = isByOutages
    ? [...all, ...stopped].reduce((sum, { processors, start, end }) => sum + processors * (end - start), 0)
    : utilization * makespan * sites.reduce((sum, { capacity }) => sum + capacity, 0);
  const share = used > 0 ? `, ${formatPercent(lost / used, 2)} of all that were used` : '';
  const shown = jobs.length > MAX_JOBS ? ` Shown are the ${MAX_JOBS} that were stopped most often.` : '';
  return {
    id: 'restarts',
    title: 'Jobs stopped and begun again',
    caption:
      `${isByOutages ? '' : 'To make room for jobs at home, '}${countText(stopped.length, 'run')} of ${countText(jobs.length, 'job')} ` +
      `${stopped.length === 1 ? 'was' : 'were'} stopped${isByOutages ? ' by an outage' : ''}; ${formatNumber(lost)} processor-seconds were lost${share}.${shown}`,
    columns: [
      { title: 'job', isHeading: true },
      { title: 'home site', format: WHOLE_FORMAT },
      { title: 'processors', format: WHOLE_FORMAT },
      { title: 'stopped runs', format: WHOLE_FORMAT },
      { title: 'time lost', format: DURATION_FORMAT },
      { title: 'work lost', unit: 'proc. × s', format: WHOLE_FORMAT },
      { title: 'response', format: DURATION_FORMAT },
    ],
    rows: jobs.slice(0, MAX_JOBS).map(({ job, runs, time, work }) => {
      const { name, home, processors, submit, end } = job;
      return [name, home + 1, processors, runs, time, work, end - submit];
    }),
  };
}

// Simulations as terminal text

/** Sentence on dropped, cut and split records of a log; empty if every record became one job. */
export function accountingText({ read, kept, dropped, split }: Accounting): string {
  const reasons = dropped.filter(({ count }) => count > 0);
  const parts: string[] = [];
  if (reasons.length > 0) {
    const rules = reasons.map(({ rule, count }) => `${ruleText(rule)} ${formatNumber(count)}`).join(', ');
    parts.push(`${formatNumber(kept)} of ${countText(read, 'record')} kept; dropped by rule: ${rules}`);
  }
  if (split.jobs > 0) {
    parts.push(`${countText(split.jobs, 'wide job')} cut into ${formatNumber(split.pieces)} pieces`);
  }
  return parts.join('; ');
}

function simulationHeadline(summary: Summary, texts: OptionStrings, colors: Colors): string {
  const name = runNameOf(summary, texts as Parameters<typeof runNameOf>[1]);
  const set = settingsOnOneLine(texts, name);
  return (
    `${colors.bold(name)} on ${printableSourceName(summary.workload)}\n${countText(summary.jobs, 'job')}, ${gridText(summary)}` +
    (set === '' ? '' : `\nset: ${set}`)
  );
}

function measureLines(shown: readonly ShownMetricValue[], colors: Colors, width?: number): string {
  const facts = shown.map(({ metric, value }) => {
    const { label, unit, format } = metric;
    const text = valueText(value, format).replaceAll('\u00a0', ' ');
    return unit === 's'
      ? ([label, `${text} s`, valueRemark(metric, value)] as const)
      : ([label, text, valueRemark(metric, value, unit)] as const);
  });
  return formatFacts(facts, colors, width);
}

/** Summary reduced to its job classes. */
const withoutDistribution = ({ distribution: _, ...summary }: Summary): Summary => summary;

/** Facts on the jobs that accompany the metrics. */
interface JobsDescription {
  readonly accounting: Accounting;
  /** True if jobs have home sites. */
  readonly hasHomes: boolean;
  /** Processors of the log's machine, if known. */
  readonly machine: number | undefined;
  /** Given options as texts by name. */
  readonly texts: OptionStrings;
  /** Requested metrics, which replace the default metrics and the sites. */
  readonly requestedMetrics?: readonly ShownMetricValue[];
  /** Job classes to show. */
  readonly shown?: ShownClasses;
}

/**
 * Summary of a run as terminal text: setting, metrics with units, sites.
 * @param width in characters for wrapping remarks; absent: no wrapping.
 */
export function simulationText(
  summary: Summary,
  { accounting, hasHomes, machine, texts, shown, requestedMetrics }: JobsDescription,
  colors: Colors,
  width?: number,
): string {
  const account = accountingText(accounting);
  return [
    simulationHeadline(summary, texts, colors) +
      (account === '' ? '' : `\n${colors.dim(wrapLines(account))}`),
    measureLines(requestedMetrics ?? metricsForTables(summary, hasHomes), colors, width),
    ...(requestedMetrics === undefined
      ? [
          parquetTableAsCsv(
            { ...sitesTable(summary, hasHomes && summary.sites.length > 1), title: '' },
            colors,
            MAX_TERMINAL_LINE,
          ),
        ]
      : []),
    distributionText(
      requestedMetrics === undefined ? summary : withoutDistribution(summary),
      isSimulatedAsLogged(texts, { ...summary, machine }),
      parseClassLimits(texts),
      colors,
      width,
      shown,
    ),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

// Headings of simulations

/**
 * Settings that all methods of an experiment share and that differ from the defaults.
 * @param method text on the method, if any.
 */
export function commonSettings({ settings, methods }: Experiment, method = ''): string {
  const texts = methods.map(printSettings);
  const isSharedByMethods = (name: string) => texts.every((each) => each[name] === firstElement(texts)[name]);
  const shared = Object.entries(firstElement(methods)).filter(([key]) => isSharedByMethods(optionName(key)));
  const { estimates, ...others } = settings;
  const common = isSharedByMethods('estimates') ? { estimates, ...others } : others;
  return settingsOnOneLine(printSettings({ ...common, ...Object.fromEntries(shared) }), method);
}

/** Lines on the jobs and sites of an experiment; for speeds that each replication draws, the distribution. */
export function jobLines({
  workload,
  grid,
  settings,
  configurations,
}: Pick<Experiment, 'workload' | 'grid' | 'settings' | 'configurations'>): string[] {
  const account = accountingText(workload.accounting);
  const counts = grid.capacities.map((capacity) => formatNumber(capacity));
  const machines = machineNames(configurations).map(({ name, grid: own }) => `${name}: ${sitesText(own)}`);
  const areSpeedsRedrawn = settings.perturb?.speeds === true && settings.replication === undefined;
  return [
    `${countText(workload.count, 'job')} of ${printableSourceName(workload.name)}`,
    ...(account === '' ? [] : [account]),
    machines.length > 0
      ? `sites of each method, processors x speed: ${machines.join('; ')}`
      : areSpeedsRedrawn
        ? `${countText(counts.length, 'site')}, processors: ${counts.join(', ')}; new speeds in each replication: ${settings.speeds}`
        : `${countText(counts.length, 'site')}, processors x speed: ${sitesText(grid)}`,
  ];
}

/** Processors and speed of each site: `64 x 1, 128 x 1.5`. */
function sitesText({ capacities, speeds }: Grid): string {
  return capacities
    .map((capacity, site) => `${formatNumber(capacity)} x ${formatMeasurement(speeds[site]!)}`)
    .join(', ');
}

/** Line on the meaning of user-defined method names; empty if there are none. */
export function definitionLines(configurations: Experiment['configurations']): string[] {
  const methodDefinitionLines = methodDefinitions(configurations);
  return methodDefinitionLines.length === 0 ? [] : [`methods: ${methodDefinitionLines.join('; ')}`];
}

/** Lines on jobs, sites, settings and method names of an experiment. */
const experimentTextLines = (experiment: Experiment, set: string): string[] => [
  ...jobLines(experiment),
  ...(set === '' ? [] : [set]),
  ...definitionLines(experiment.configurations),
];

/** Lines on an experiment's settings, for documents. */
export function settingLines(experiment: Experiment, method?: string): string[] {
  return experimentTextLines(experiment, commonSettings(experiment, method));
}

/** Lines on an experiment's settings, for terminals. */
export const experimentSettingText = (experiment: Experiment, method?: string): string =>
  settingLines(experiment, method).map(wrapLines).join('\n');

/** Settings of replications as terminal text, with the perturbation. */
export function replicatedSettingText(experiment: Experiment, method?: string): string {
  const { perturb: _, ...settings } = experiment.settings;
  const set = commonSettings({ ...experiment, settings }, method);
  return experimentTextLines(experiment, set).map(wrapLines).join('\n');
}
