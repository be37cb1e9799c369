/** One finished simulation for a person at a terminal. */

import { countOf, formatDuration, formatMeasure, formatNumber, formatPercent } from '../format/numbers.js';
import { type Colors, formatFacts, formatTable } from '../format/table.js';
import type { HomeSummary, SiteSummary, Summary } from '../simulate/summary.js';
import { sourceName } from '../trace/quote.js';
import type { Accounting } from '../workload/workload.js';

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

function headline({ method, workload, jobs, sites, speedHeterogeneity }: Summary, colors: Colors): string {
  const processors = sites.reduce((sum, { capacity }) => sum + capacity, 0);
  const grid = `${countOf(sites.length, 'site')} with ${countOf(processors, 'processor')}`;
  const speeds = sites.length > 1 ? `, speed heterogeneity ${formatMeasure(speedHeterogeneity)}` : '';
  return `${colors.bold(method)} on ${sourceName(workload)}\n${countOf(jobs, 'job')}, ${grid}${speeds}`;
}

function seconds(label: string, value: number): readonly [string, string, string] {
  const remark = value < 60 ? '' : formatDuration(value);
  return [label, `${formatNumber(value, 2)} s`, remark];
}

function measures(summary: Summary, colors: Colors): string {
  const { agreed, bestFit, fastestFirst } = summary.decisions;
  const facts: [string, string, string?][] = [
    [...seconds('average response time', summary.averageResponseTime)],
    [...seconds('mean wait', summary.meanWait)],
    [...seconds('longest wait', summary.maxWait)],
    ['mean slowdown', formatNumber(summary.meanSlowdown, 2), '  response / execution'],
    ['mean bounded slowdown', formatNumber(summary.meanBoundedSlowdown, 2), 'executions count 10 s at least'],
    [...seconds('response weighted by work', summary.awrt)],
    [...seconds('wait weighted by work', summary.awwt)],
    [
      'average queue length',
      formatNumber(summary.averageQueueLength, 2),
      `jobs waiting as seen by events; largest ${formatNumber(summary.largestQueue)}`,
    ],
    ['average queue length over time', formatNumber(summary.averageQueueLengthOverTime, 2), 'jobs waiting'],
    ['utilization', formatPercent(summary.utilization), 'of the processors'],
    ['utilization of capacity', formatPercent(summary.capacityUtilization), 'of processors x speed'],
    [...seconds('makespan', summary.makespan)],
    ['jobs moved away from home', formatNumber(summary.movedJobs), ''],
  ];
  if (summary.splitJobs > 0) facts.push(['jobs split over sites', formatNumber(summary.splitJobs), '']);
  if (summary.scaledDownJobs + summary.scaledUpJobs > 0) {
    const up = `${formatNumber(summary.scaledUpJobs)} on more than they asked for`;
    facts.push(['jobs run on fewer processors', formatNumber(summary.scaledDownJobs), up]);
  }
  if (summary.restarts > 0) {
    const lost = `${formatNumber(summary.lostProcessorSeconds)} processor-seconds lost`;
    facts.push(['runs stopped and begun again', formatNumber(summary.restarts), lost]);
  }
  if (agreed + bestFit + fastestFirst > 0) {
    const followed = `best-fit ${formatNumber(bestFit)}, fastest-first ${formatNumber(fastestFirst)}`;
    facts.push(['placements where both agreed', formatNumber(agreed), `otherwise followed ${followed}`]);
  }
  return formatFacts(
    facts.map(([label, value, remark]) => [label, value, remark?.trim() ?? ''] as const),
    colors,
  );
}

function siteTable(sites: readonly SiteSummary[], homes: readonly HomeSummary[], colors: Colors): string {
  const rows = sites.map(({ capacity, speed, utilization, jobs }, site) => [
    formatNumber(site + 1),
    formatNumber(capacity),
    formatMeasure(speed),
    formatNumber(jobs),
    formatPercent(utilization),
    formatNumber(homes[site].jobs),
    homes[site].jobs > 0 ? formatNumber(homes[site].averageResponseTime, 2) : '-',
  ]);
  const headings = [
    'site',
    'processors',
    'speed',
    'jobs run',
    'utilization',
    'jobs at home',
    'their response [s]',
  ];
  return formatTable(
    headings.map((heading) => ({ heading })),
    rows,
    colors,
  );
}

/** The summary of one run as text of several lines: what ran, the measures with their units, the sites. */
export function simulationText(summary: Summary, accounting: Accounting, colors: Colors): string {
  const account = accountingText(accounting);
  return [
    headline(summary, colors) + (account === '' ? '' : `\n${colors.dim(account)}`),
    measures(summary, colors),
    siteTable(summary.sites, summary.homes, colors),
  ].join('\n\n');
}
