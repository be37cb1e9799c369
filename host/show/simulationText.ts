/** One finished simulation for a person at a terminal. */

import {
  countOf,
  formatDuration,
  formatMeasure,
  formatNumber,
  formatPercent,
  type NumberFormat,
  valueText,
} from '../format/numbers.js';
import { sourceName } from '../format/text.js';
import { isAsLogged, settingsText } from '../options/document.js';
import type { ShownClasses } from '../simulate/jobClasses.js';
import type { Metric, NamedMetric } from '../simulate/metric.js';
import { METRICS } from '../simulate/metrics.js';
import { shownMetrics } from '../simulate/metricValues.js';
import { type HomeSummary, runName, type Summary } from '../simulate/summary.js';
import type { Accounting } from '../workload/workload.js';
import { classLimitsIn, distributionText } from './distributionTables.js';
import { type Colors, fittedTable, formatFacts } from './tableText.js';

/** What became of the records of a log, in one sentence; empty when every one of them became one job. */
export function accountingText({ read, kept, dropped, split }: Accounting): string {
  const reasons = dropped.filter(({ count }) => count > 0);
  const parts: string[] = [];
  if (reasons.length > 0) {
    const rules = reasons.map(({ rule, count }) => `${rule} ${formatNumber(count)}`).join(', ');
    parts.push(`${formatNumber(kept)} of ${countOf(read, 'record')} kept; dropped by rule: ${rules}`);
  }
  if (split.jobs > 0) {
    parts.push(`${countOf(split.jobs, 'wide job')} cut into ${formatNumber(split.pieces)} pieces`);
  }
  return parts.join('; ');
}

function headline(summary: Summary, texts: Readonly<Record<string, string>>, colors: Colors): string {
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

/** Beside a number: a time in units that fit, the unit that the number lacks, and what the table of metrics says. */
function remarkOf({ unit, remark }: Metric, value: number): string {
  const inSeconds = value < 60 ? '' : formatDuration(value);
  return [unit === 's' ? inSeconds : unit, remark].filter((part) => part).join('; ');
}

function measures(shown: readonly ShownMetric[], colors: Colors, width?: number): string {
  const facts = shown.map(({ metric, value }) => {
    const text = printable(value, metric.format) + (metric.unit === 's' ? ' s' : '');
    return [metric.label, text, remarkOf(metric, value)] as const;
  });
  return formatFacts(facts, colors, width);
}

/** As a terminal prints it. */
function printable(value: number, format: NumberFormat): string {
  return valueText(value, format).replaceAll('\u00a0', ' ');
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

/** A summary of which the classes alone are shown. */
const classesOf = ({ distribution: _, ...summary }: Summary): Summary => summary;

/** What a table says besides metrics. */
export interface JobsTold {
  readonly accounting: Accounting;
  /** Whether they have homes. */
  readonly hasHomes: boolean;
  /** Processors of the machine of the log, where it says them. */
  readonly machine: number | undefined;
  /** The options given, as texts by name. */
  readonly texts: Readonly<Record<string, string>>;
  /** The metrics that are asked for, instead of the usual ones and the sites. */
  readonly asked?: readonly ShownMetric[];
  /** Classes of jobs that are shown. */
  readonly shown?: ShownClasses;
}

/**
 * The summary of one run as text of several lines: what ran, the metrics with their units, the sites.
 * @param width into which remarks are wrapped, if given.
 */
export function simulationText(
  summary: Summary,
  { accounting, hasHomes, machine, texts, shown, asked }: JobsTold,
  colors: Colors,
  width?: number,
): string {
  const account = accountingText(accounting);
  return [
    headline(summary, texts, colors) + (account === '' ? '' : `\n${colors.dim(account)}`),
    measures(asked ?? shownMetrics(summary, hasHomes), colors, width),
    ...(asked === undefined ? [siteTable(summary, hasHomes, colors)] : []),
    distributionText(
      asked === undefined ? summary : classesOf(summary),
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
