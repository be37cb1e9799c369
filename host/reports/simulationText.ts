/** One simulation as terminal text: what is simulated, and the results. */

import {
  countOf,
  formatDuration,
  formatMeasure,
  formatNumber,
  formatPercent,
  valueText,
} from '../format/numbers.js';
import { sourceName } from '../format/text.js';
import { firstOf } from '../lists.js';
import { isAsLogged, printSettings, settingsText } from '../options/document.js';
import { type OptionStrings, optionName } from '../options/options.js';
import type { Experiment } from '../simulate/experiment.js';
import type { ShownClasses } from '../simulate/jobMetrics.js';
import type { Metric, NamedMetric } from '../simulate/metric.js';
import { METRICS } from '../simulate/metrics.js';
import { type HomeSummary, runName, type Summary, shownMetrics } from '../simulate/summary.js';
import { ruleText } from '../trace/filter.js';
import { type Colors, fittedTable, formatFacts, wrapped } from '../view/terminal.js';
import type { Accounting } from '../workload/workload.js';
import { classLimitsIn, distributionText } from './jobClasses.js';

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
  const { workload, jobs, sites, speedHeterogeneity } = summary;
  const name = runName(summary, texts as Parameters<typeof runName>[1]);
  const processors = sites.reduce((sum, { capacity }) => sum + capacity, 0);
  const grid = `${countOf(sites.length, 'site')} with ${countOf(processors, 'processor')}`;
  const speeds = sites.length > 1 ? `, variance of speeds (SH) ${formatMeasure(speedHeterogeneity)}` : '';
  const set = settingsText(texts, name);
  return (
    `${colors.bold(name)} on ${sourceName(workload)}\n${countOf(jobs, 'job')}, ${grid}${speeds}` +
    (set === '' ? '' : `\nset: ${set}`)
  );
}

/** Remark beside a number: the time in suitable units, a missing unit, and the metric's own remark. */
function remarkOf({ unit, remark }: Metric, value: number): string {
  const inSeconds = value < 60 ? '' : formatDuration(value);
  return [unit === 's' ? inSeconds : unit, remark].filter((part) => part).join('; ');
}

function measures(shown: readonly ShownMetric[], colors: Colors, width?: number): string {
  const facts = shown.map(({ metric, value }) => {
    const text =
      valueText(value, metric.format).replaceAll('\u00a0', ' ') + (metric.unit === 's' ? ' s' : '');
    return [metric.label, text, remarkOf(metric, value)] as const;
  });
  return formatFacts(facts, colors, width);
}

function headingOf({ label, unit }: Metric): string {
  return unit === 's' ? `${label} [s]` : label;
}

function siteTable({ sites, homes }: Summary, hasHomes: boolean, colors: Colors): string {
  const { sites: ofSites, homes: ofHomes } = METRICS;
  const rows = sites.map(({ capacity, speed, utilization, jobs }, site) => [
    formatNumber(site + 1),
    formatNumber(capacity),
    formatMeasure(speed),
    formatNumber(jobs),
    formatPercent(utilization),
    ...(hasHomes ? homeCells(homes[site]!) : []),
  ]);
  const headings = [
    'site',
    'processors',
    'speed',
    headingOf(ofSites.jobs),
    headingOf(ofSites.utilization),
    ...(hasHomes ? [ofHomes.jobs, ofHomes.averageResponseTime].map(headingOf) : []),
  ];
  return fittedTable(
    headings.map((heading) => ({ heading })),
    rows,
    colors,
  );
}

function homeCells({ jobs, averageResponseTime }: HomeSummary): string[] {
  return [formatNumber(jobs), jobs > 0 ? formatNumber(averageResponseTime, 2) : '-'];
}

/** A metric with its value in a run. */
export interface ShownMetric {
  readonly metric: NamedMetric;
  readonly value: number;
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
      ? [siteTable(summary, hasHomes && summary.sites.length > 1, colors)]
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
  return settingsText(printSettings({ ...settings, ...Object.fromEntries(shared) }), method);
}

/** The jobs and the sites of an experiment; instead of speeds that replications draw again, how these are drawn. */
export function jobLines({
  workload,
  grid,
  settings,
}: Pick<Experiment, 'workload' | 'grid' | 'settings'>): string[] {
  const account = accountingText(workload.accounting);
  const counts = grid.capacities.map((capacity) => formatNumber(capacity));
  const sites = counts.map((count, site) => `${count} x ${formatMeasure(grid.speeds[site]!)}`);
  const areDrawnAnew = settings.perturb?.speeds === true && settings.replication === undefined;
  return [
    `${countOf(workload.count, 'job')} of ${sourceName(workload.name)}`,
    ...(account === '' ? [] : [account]),
    areDrawnAnew
      ? `${countOf(sites.length, 'site')}, processors: ${counts.join(', ')}; new speeds in each replication: ${settings.speeds}`
      : `${countOf(sites.length, 'site')}, processors x speed: ${sites.join(', ')}`,
  ];
}

/** Settings of an experiment, with `commonSettings`, as lines of a document. */
export function settingLines(experiment: Experiment, method?: string): string[] {
  const set = commonSettings(experiment, method);
  return [...jobLines(experiment), ...(set === '' ? [] : [set])];
}

/** Settings of an experiment as lines of a terminal. */
export const settingText = (experiment: Experiment, method?: string): string =>
  settingLines(experiment, method).map(wrapped).join('\n');

/** Settings of replications as lines; their number says what is perturbed. */
export function replicatedSettingText(experiment: Experiment, method?: string): string {
  const { perturb: _, ...settings } = experiment.settings;
  const set = commonSettings({ ...experiment, settings }, method);
  return [...jobLines(experiment), ...(set === '' ? [] : [set])].map(wrapped).join('\n');
}
