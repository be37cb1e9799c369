/** One simulation: its report, from its folder, and as terminal text; and the settings of simulations in sentences. */
import {
  countOf,
  formatDuration,
  formatMeasure,
  formatNumber,
  formatPercent,
  valueText,
} from '../format/numbers.js';
import { sourceName } from '../format/text.js';
import type { Grid } from '../grid/grid.js';
import { firstOf } from '../lists.js';
import type { Configuration, Discipline } from '../options/configuration.js';
import {
  isAsLogged,
  isDefaultText,
  printSettings,
  type SavedRequest,
  savedTexts,
  settingsText,
  shortText,
} from '../options/document.js';
import { type OptionStrings, optionName } from '../options/options.js';
import { usesEstimates } from '../options/rules.js';
import type { Provenance } from '../results/documents.js';
import type { FinishedJob, StoppedRun } from '../results/finishedJobs.js';
import type { Experiment } from '../simulate/experiment.js';
import type { ShownClasses } from '../simulate/jobMetrics.js';
import { machinesOf, methodDefinitions } from '../simulate/methodNames.js';
import type { Metric, NamedMetric } from '../simulate/metric.js';
import { METRICS } from '../simulate/metrics.js';
import { runName, type Summary, shownMetrics } from '../simulate/summary.js';
import { ONE_SAMPLE } from '../statistics/samples.js';
import { ruleText } from '../trace/filter.js';
import { filesBeside, type Report, type ReportFact, reportOf } from '../view/report.js';
import type { Table, TableColumn } from '../view/table.js';
import { type Colors, formatFacts, LINE, tableText, wrapped } from '../view/terminal.js';
import type { Accounting } from '../workload/workload.js';
import { classLimitsIn, distributionTables, distributionText } from './jobClasses.js';
import { unitOf } from './verdicts.js';

/** Entries of config.json that a report names; the other entries are options. */
export interface SimulationConfig extends Provenance, SavedRequest {
  /** The command that runs it again, as a line of a shell. */
  readonly shell?: string;
  readonly workload: {
    readonly jobsSha256: string;
    /** Processors of the machine of the log; absent where it does not say, and in folders of earlier versions. */
    readonly machine?: number;
    readonly accounting?: Pick<Accounting, 'kept' | 'withoutEstimate' | 'dependencies'>;
  };
  readonly discipline: Discipline;
  readonly queue: Configuration['queue'];
  readonly moldableThreshold: number;
}

/** True if jobs have homes: the options that `gridalloc simulate` writes always say where they are. */
export function hasHomes(config: SimulationConfig): boolean {
  return savedTexts(config).home !== 'none';
}

/** A metric with its value in a run. */
export interface ShownMetric {
  readonly metric: NamedMetric;
  readonly value: number;
}

/** Remark beside a number: a long time in suitable units, and the metric's own remark. */
function remarkOf({ unit, remark }: Metric, value: number, others = ''): string {
  const time = unit === 's' && value >= 60 ? formatDuration(value) : '';
  return [time, others, remark].filter((part) => part).join('; ');
}

function measuresTable(summary: Summary, config: SimulationConfig): Table {
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
    rows: shownMetrics(summary, hasHomes(config)).map(({ metric, value }) => {
      const { label, unit = '', format } = metric;
      return [label, valueText(value, format), unit, remarkOf(metric, value)];
    }),
  };
}

const WHOLE = { style: 'fixed' } as const;

function sitesTable({ sites, homes }: Summary, withHomes: boolean): Table {
  const { sites: ofSites, homes: ofHomes } = METRICS;
  const columns = [
    ...[ofSites.jobs, ofSites.utilization],
    ...(withHomes ? [ofHomes.jobs, ofHomes.averageResponseTime] : []),
  ];
  const columnOf = (metric: Metric): TableColumn => {
    const { label: title, unit, format } = metric;
    if (unit === 's') return { title, ...unitOf(metric), format: { style: 'fixed', decimals: 2 } };
    return { title, format: format.style === 'percent' ? { ...format, decimals: 1 } : format };
  };
  return {
    id: 'sites',
    title: withHomes ? 'Sites and home sites' : 'Sites',
    caption: withHomes
      ? 'Left: what ran on a site. Right: its local jobs (those whose home it is), wherever they ran.'
      : '',
    columns: [
      { title: 'site', isHeading: true, format: WHOLE },
      { title: 'processors', format: WHOLE },
      { title: 'speed', format: { style: 'measure' } },
      ...columns.map(columnOf),
    ],
    rows: sites.map(({ capacity, speed, jobs, utilization }, i) => {
      const home = homes[i]!;
      const ofHome = [home.jobs, home.jobs > 0 ? home.averageResponseTime : null];
      return [i + 1, capacity, speed, jobs, utilization, ...(withHomes ? ofHome : [])];
    }),
  };
}

/** Every option that decides the run by its name in words: `min speed ratio`. */
function optionFacts(config: SimulationConfig): ReportFact[] {
  return Object.entries(savedTexts(config)).map(([name, value]) => ({
    label: name.replaceAll('-', ' '),
    value: shortText(name, value),
    ...(isDefaultText(name, value) && { isDefault: true }),
  }));
}

/** The command that runs it again, with one load where all sites have the same. */
function shortCommand(config: SimulationConfig): string[] {
  const { load } = savedTexts(config);
  const { shell } = config;
  if (shell === undefined) return [];
  return [load === undefined ? shell : shell.replace(`--load ${load}`, `--load ${shortText('load', load)}`)];
}

/** Number of jobs that have their runtime for an estimate, where estimates decide. */
function estimatesFact(config: SimulationConfig): [label: string, value: string][] {
  const { kept = 0, withoutEstimate = 0 } = config.workload.accounting ?? {};
  if (!usesEstimates(config) || withoutEstimate === 0) return [];
  const count = `${formatNumber(withoutEstimate)} of ${formatNumber(kept)}`;
  return [['jobs without a requested time', `${count}; their actual runtime is used instead`]];
}

/** Number of jobs that were held back for others, with --dependencies. */
function dependenciesFact({ workload }: SimulationConfig): [label: string, value: string][] {
  const { kept, dependencies } = workload.accounting ?? {};
  if (kept === undefined || dependencies === undefined) return [];
  return [['jobs submitted after another', `${formatNumber(dependencies.jobs)} of ${formatNumber(kept)}`]];
}

/** Facts on the jobs of a simulation, all options that decided it, and the programs that ran. */
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
  const programs: [label: string, value: string][] = [
    ['gridalloc', config.gridalloc],
    ['SHA-256 of the core, release build', config.coreSha256],
    ['SHA-256 of the jobs', config.workload.jobsSha256],
  ];
  const named = ([label, value]: [label: string, value: string]) => ({ label, value });
  return [...facts.map(named), ...optionFacts(config), ...programs.map(named)];
}

/** The last part of a path, or the whole of a model's notation. */
export function shortName(source: string): string {
  return source.includes('[') ? source : source.replace(/^.*[\\/](?=.)/, '');
}

/** Sites and processors of a run, and how much its speeds differ if there are several sites. */
function gridText({ sites, speedHeterogeneity }: Summary): string {
  const processors = sites.reduce((sum, { capacity }) => sum + capacity, 0);
  // On one site all allocators are the same.
  const speeds = sites.length > 1 ? `, variance of speeds (SH) ${formatMeasure(speedHeterogeneity)}` : '';
  return `${countOf(sites.length, 'site')} with ${countOf(processors, 'processor')}${speeds}`;
}

/**
 * The report of a simulation, without its drawings.
 * @param stopped the runs that were stopped; none where they are not known.
 */
export function simulationReport(
  summary: Summary,
  config: SimulationConfig,
  stopped: readonly StoppedRun[],
): Report {
  const { home: _, ...texts } = savedTexts(config);
  const name = runName(summary, config);
  const set = settingsText(texts, name);
  const { machine } = config.workload;
  return reportOf({
    title: `${name} on ${shortName(summary.workload)}`,
    description:
      `${countOf(summary.jobs, 'job')} on ${gridText(summary)}.` +
      `${set === '' ? '' : ` Set: ${set}.`}\n\n${ONE_SAMPLE}`,
    highlights: highlightsOf(summary),
    tables: [
      measuresTable(summary, config),
      sitesTable(summary, hasHomes(config)),
      ...distributionTables(summary, isAsLogged(texts, { ...summary, machine }), classLimitsIn(texts)),
      ...(stopped.length === 0 ? [] : [restartsTable(stopped, summary)]),
    ],
    commands: shortCommand(config),
    environment: settingFacts(summary, config),
    files: filesBeside({
      'jobs.csv': 'every job: where, when, how long',
      'schedule.swf': 'the same as a log',
      'summary.json': 'all metrics',
      'config.json': 'every option, and the command',
      ...(stopped.length === 0 ? {} : { 'stops.csv': 'every run that was stopped' }),
    }),
  });
}

function highlightsOf({
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
    { label: run.meanBoundedSlowdown.label, value: formatMeasure(meanBoundedSlowdown) },
    {
      label: run.averageQueueLengthOverTime.label,
      value: `${formatMeasure(averageQueueLengthOverTime)} jobs`,
    },
    { label: run.makespan.label, value: valueText(makespan, { style: 'duration' }) },
    { label: run.utilization.label, value: formatPercent(utilization) },
  ];
}

// The table of a report on jobs that were stopped and begun again.

/** Jobs in the table. */
const MAX_JOBS = 10;

/** A job that was stopped, and the seconds and processor-seconds that it lost. */
interface StoppedJob {
  readonly job: FinishedJob;
  runs: number;
  time: number;
  work: number;
}

/** The jobs that were stopped, most often first; of equals first the one that lost more work. */
function stoppedJobs(stopped: readonly StoppedRun[]): StoppedJob[] {
  const byJob = new Map<FinishedJob, StoppedJob>();
  for (const { job, start, end, processors } of stopped) {
    const entry = byJob.get(job) ?? { job, runs: 0, time: 0, work: 0 };
    entry.runs++;
    entry.time += end - start;
    entry.work += processors * (end - start);
    byJob.set(job, entry);
  }
  return [...byJob.values()].sort((a, b) => b.runs - a.runs || b.work - a.work);
}

/** Number of runs that were stopped and what was lost; the jobs that were stopped most often, one per row. */
function restartsTable(stopped: readonly StoppedRun[], { utilization, makespan, sites }: Summary): Table {
  const jobs = stoppedJobs(stopped);
  const lost = jobs.reduce((sum, { work }) => sum + work, 0);
  const used = utilization * makespan * sites.reduce((sum, { capacity }) => sum + capacity, 0);
  const share = used > 0 ? `, ${formatPercent(lost / used, 2)} of all that were used` : '';
  const duration = { style: 'duration' } as const;
  const shown = jobs.length > MAX_JOBS ? ` Shown are the ${MAX_JOBS} that were stopped most often.` : '';
  return {
    id: 'restarts',
    title: 'Jobs stopped and begun again',
    caption:
      `To make room for jobs at home, ${countOf(stopped.length, 'run')} of ${countOf(jobs.length, 'job')} ` +
      `${stopped.length === 1 ? 'was' : 'were'} stopped; ${formatNumber(lost)} processor-seconds were lost${share}.${shown}`,
    columns: [
      { title: 'job', isHeading: true },
      { title: 'home site', format: WHOLE },
      { title: 'processors', format: WHOLE },
      { title: 'stopped runs', format: WHOLE },
      { title: 'time lost', format: duration },
      { title: 'work lost', unit: 'proc. × s', format: WHOLE },
      { title: 'response', format: duration },
    ],
    rows: jobs.slice(0, MAX_JOBS).map(({ job, runs, time, work }) => {
      const { name, home, processors, submit, end } = job;
      return [name, home + 1, processors, runs, time, work, end - submit];
    }),
  };
}

// A simulation at a terminal

/** Sentence on what happened to the records of a log; empty if every record became one job. */
export function accountingText({ read, kept, dropped, split }: Accounting): string {
  const reasons = dropped.filter(({ count }) => count > 0);
  const parts: string[] = [];
  if (reasons.length > 0) {
    const rules = reasons.map(({ rule, count }) => `${ruleText(rule)} ${formatNumber(count)}`).join(', ');
    parts.push(`${formatNumber(kept)} of ${countOf(read, 'record')} kept; dropped by rule: ${rules}`);
  }
  if (split.jobs > 0) {
    parts.push(`${countOf(split.jobs, 'wide job')} cut into ${formatNumber(split.pieces)} pieces`);
  }
  return parts.join('; ');
}

function headline(summary: Summary, texts: OptionStrings, colors: Colors): string {
  const name = runName(summary, texts as Parameters<typeof runName>[1]);
  const set = settingsText(texts, name);
  return (
    `${colors.bold(name)} on ${sourceName(summary.workload)}\n${countOf(summary.jobs, 'job')}, ${gridText(summary)}` +
    (set === '' ? '' : `\nset: ${set}`)
  );
}

function measures(shown: readonly ShownMetric[], colors: Colors, width?: number): string {
  const facts = shown.map(({ metric, value }) => {
    const { label, unit, format } = metric;
    const text = valueText(value, format).replaceAll('\u00a0', ' ');
    return unit === 's'
      ? ([label, `${text} s`, remarkOf(metric, value)] as const)
      : ([label, text, remarkOf(metric, value, unit)] as const);
  });
  return formatFacts(facts, colors, width);
}

/** A summary whose classes alone are shown. */
const classesOf = ({ distribution: _, ...summary }: Summary): Summary => summary;

/** Description of the jobs, shown with the metrics. */
interface JobsDescription {
  readonly accounting: Accounting;
  /** True if they have homes. */
  readonly hasHomes: boolean;
  /** Processors of the machine of the log, where it says them. */
  readonly machine: number | undefined;
  /** The options given, as texts by name. */
  readonly texts: OptionStrings;
  /** The metrics requested, instead of the default ones and the sites. */
  readonly requestedMetrics?: readonly ShownMetric[];
  /** Classes of jobs that are shown. */
  readonly shown?: ShownClasses;
}

/**
 * The summary of one run as text of several lines: what ran, the metrics with their units, the sites.
 * @param width into which remarks are wrapped, if given.
 */
export function simulationText(
  summary: Summary,
  { accounting, hasHomes, machine, texts, shown, requestedMetrics }: JobsDescription,
  colors: Colors,
  width?: number,
): string {
  const account = accountingText(accounting);
  return [
    headline(summary, texts, colors) + (account === '' ? '' : `\n${colors.dim(wrapped(account))}`),
    measures(requestedMetrics ?? shownMetrics(summary, hasHomes), colors, width),
    ...(requestedMetrics === undefined
      ? [tableText({ ...sitesTable(summary, hasHomes && summary.sites.length > 1), title: '' }, colors, LINE)]
      : []),
    distributionText(
      requestedMetrics === undefined ? summary : classesOf(summary),
      isAsLogged(texts, { ...summary, machine }),
      classLimitsIn(texts),
      colors,
      width,
      shown,
    ),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

// Heading of a simulation

/**
 * The settings that all methods of an experiment have in common and that are not the default.
 * @param method what to say about the method, if anything.
 */
export function commonSettings({ settings, methods }: Experiment, method = ''): string {
  const texts = methods.map(printSettings);
  const isShared = (name: string) => texts.every((each) => each[name] === firstOf(texts)[name]);
  const shared = Object.entries(firstOf(methods)).filter(([key]) => isShared(optionName(key)));
  const { estimates, ...others } = settings;
  const common = isShared('estimates') ? { estimates, ...others } : others;
  return settingsText(printSettings({ ...common, ...Object.fromEntries(shared) }), method);
}

/** The jobs and the sites of an experiment; instead of speeds that replications draw again, how these are drawn. */
export function jobLines({
  workload,
  grid,
  settings,
  configurations,
}: Pick<Experiment, 'workload' | 'grid' | 'settings' | 'configurations'>): string[] {
  const account = accountingText(workload.accounting);
  const counts = grid.capacities.map((capacity) => formatNumber(capacity));
  const machines = machinesOf(configurations).map(({ name, grid: own }) => `${name}: ${sitesText(own)}`);
  const areDrawnAnew = settings.perturb?.speeds === true && settings.replication === undefined;
  return [
    `${countOf(workload.count, 'job')} of ${sourceName(workload.name)}`,
    ...(account === '' ? [] : [account]),
    machines.length > 0
      ? `sites of each method, processors x speed: ${machines.join('; ')}`
      : areDrawnAnew
        ? `${countOf(counts.length, 'site')}, processors: ${counts.join(', ')}; new speeds in each replication: ${settings.speeds}`
        : `${countOf(counts.length, 'site')}, processors x speed: ${sitesText(grid)}`,
  ];
}

/** `64 x 1, 128 x 1.5`: processors and speed of each site. */
function sitesText({ capacities, speeds }: Grid): string {
  return capacities
    .map((capacity, site) => `${formatNumber(capacity)} x ${formatMeasure(speeds[site]!)}`)
    .join(', ');
}

/** A line on what the names of methods stand for, if the user named some. */
export function definitionLines(configurations: Experiment['configurations']): string[] {
  const definitions = methodDefinitions(configurations);
  return definitions.length === 0 ? [] : [`methods: ${definitions.join('; ')}`];
}

/** Lines on the jobs, the sites, the settings, and what the names of methods stand for. */
const linesOf = (experiment: Experiment, set: string): string[] => [
  ...jobLines(experiment),
  ...(set === '' ? [] : [set]),
  ...definitionLines(experiment.configurations),
];

/** Settings of an experiment, with `commonSettings`, as lines of a document. */
export function settingLines(experiment: Experiment, method?: string): string[] {
  return linesOf(experiment, commonSettings(experiment, method));
}

/** Settings of an experiment as lines of a terminal. */
export const settingText = (experiment: Experiment, method?: string): string =>
  settingLines(experiment, method).map(wrapped).join('\n');

/** Settings of replications as lines; their number says what is perturbed. */
export function replicatedSettingText(experiment: Experiment, method?: string): string {
  const { perturb: _, ...settings } = experiment.settings;
  const set = commonSettings({ ...experiment, settings }, method);
  return linesOf(experiment, set).map(wrapped).join('\n');
}
