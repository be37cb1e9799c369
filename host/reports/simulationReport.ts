/** The report of one finished simulation, from what its folder holds. */
import {
  countOf,
  formatDuration,
  formatMeasure,
  formatNumber,
  formatPercent,
  valueText,
} from '../format/numbers.js';
import type { Configuration, Discipline } from '../options/configuration.js';
import {
  isAsLogged,
  isDefaultText,
  type SavedOptions,
  savedTexts,
  settingsText,
  shortText,
} from '../options/document.js';
import { usesEstimates } from '../options/rules.js';
import type { Provenance } from '../results/documents.js';
import type { FinishedJob, StoppedRun } from '../results/finishedJobs.js';
import type { Metric } from '../simulate/metric.js';
import { METRICS } from '../simulate/metrics.js';
import { type HomeSummary, runName, type Summary, shownMetrics } from '../simulate/summary.js';
import { ONE_SAMPLE } from '../statistics/samples.js';
import { filesBeside, type Report, type ReportFact, reportOf } from '../view/report.js';
import type { Table, TableColumn } from '../view/table.js';
import type { Accounting } from '../workload/workload.js';
import { classLimitsIn, distributionTables } from './jobClasses.js';

/** Entries of config.json that a report names; the other entries are options. */
export interface SimulationConfig extends Provenance, SavedOptions {
  /** The command that runs it again, as a line of a shell. */
  readonly shell?: string;
  readonly workload: {
    readonly source: string;
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

function measureRow({ metric, value }: ReturnType<typeof shownMetrics>[number]): string[] {
  const { label, unit = '', remark, format } = metric;
  const long = unit === 's' && value >= 60 ? formatDuration(value) : '';
  return [label, valueText(value, format), unit, [long, remark].filter((part) => part).join('; ')];
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
    rows: shownMetrics(summary, hasHomes(config)).map(measureRow),
  };
}

const ONE = { decimals: 1 };
const FINE = { style: 'fixed', ...ONE } as const;

/** The column of a metric in a table of sites. */
function columnOf({ label, unit, format }: Metric): TableColumn {
  if (unit !== 's')
    return { title: label, format: format.style === 'percent' ? { ...format, ...ONE } : format };
  return { title: label, unit, format: FINE };
}

function sitesTable({ sites, homes }: Summary, config: SimulationConfig): Table {
  const whole = { style: 'fixed' } as const;
  const withHomes = hasHomes(config);
  const columns = [
    METRICS.sites.jobs,
    METRICS.sites.utilization,
    ...(withHomes ? [METRICS.homes.jobs, METRICS.homes.averageResponseTime] : []),
  ];
  const homeCells = ({ jobs, averageResponseTime }: HomeSummary) =>
    withHomes ? [jobs, jobs > 0 ? averageResponseTime : null] : [];
  return {
    id: 'sites',
    title: withHomes ? 'Sites and home sites' : 'Sites',
    caption: withHomes
      ? 'Left: what ran on a site. Right: its local jobs (those whose home it is), wherever they ran.'
      : '',
    columns: [
      { title: 'site', isHeading: true, format: whole },
      { title: 'processors', format: whole },
      { title: 'speed', format: { style: 'measure' } },
      ...columns.map(columnOf),
    ],
    rows: sites.map(({ capacity, speed, jobs, utilization }, i) => [
      ...[i + 1, capacity, speed, jobs, utilization],
      ...homeCells(homes[i]!),
    ]),
  };
}

/** Every option that decides the run by its name in words: `min speed ratio`. */
function optionFacts(config: SimulationConfig): ReportFact[] {
  return Object.entries(savedTexts(config)).map(([name, value]) => ({
    label: name.replaceAll('-', ' '),
    value: shortText(name, value),
    ...(isDefaultText(name, value) ? { isUsual: true } : {}),
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
    ['workload', config.workload.source],
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

/**
 * The report of a simulation, without its drawings.
 * @param stopped the runs that were stopped; none where they are not known.
 */
export function simulationReport(
  summary: Summary,
  config: SimulationConfig,
  stopped: readonly StoppedRun[],
): Report {
  const processors = summary.sites.reduce((sum, { capacity }) => sum + capacity, 0);
  // On one site all allocators are the same.
  const isOneSite = summary.sites.length === 1;
  const { home: _, ...texts } = savedTexts(config);
  const name = runName(summary, config);
  const set = settingsText(texts, name);
  return reportOf({
    title: `${name} on ${shortName(summary.workload)}`,
    description:
      `${countOf(summary.jobs, 'job')} on ${countOf(summary.sites.length, 'site')} with ` +
      countOf(processors, 'processor') +
      (isOneSite ? '.' : `, variance of speeds (SH) ${formatMeasure(summary.speedHeterogeneity)}.`) +
      (set === '' ? '' : ` Set: ${set}.`) +
      `\n\n${ONE_SAMPLE}`,
    highlights: highlightsOf(summary),
    tables: [
      measuresTable(summary, config),
      sitesTable(summary, config),
      ...distributionTables(
        summary,
        isAsLogged(texts, { ...summary, machine: config.workload.machine }),
        classLimitsIn(texts),
      ),
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

/** The metrics that a report shows first. */
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
  const whole = { style: 'fixed' } as const;
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
      { title: 'home site', format: whole },
      { title: 'processors', format: whole },
      { title: 'stopped runs', format: whole },
      { title: 'time lost', format: duration },
      { title: 'work lost', unit: 'proc. × s', format: whole },
      { title: 'response', format: duration },
    ],
    rows: jobs.slice(0, MAX_JOBS).map(({ job, runs, time, work }) => {
      const { name, home, processors, submit, end } = job;
      return [name, home + 1, processors, runs, time, work, end - submit];
    }),
  };
}
