/** The report of one finished simulation, from what its folder holds. */

import type { Report, ReportFact, ReportTable } from '../draw/types.js';
import { formatDuration, formatMeasure, formatNumber, formatPercent, valueText } from '../format/numbers.js';
import type { Discipline } from '../options/configuration.js';
import type { StoppedRun } from '../results/finishedJobs.js';
import type { Provenance } from '../results/provenance.js';
import { usesEstimates } from '../simulate/prepare.js';
import type { HomeSummary, SiteSummary, Summary } from '../simulate/summary.js';
import type { Accounting } from '../workload/workload.js';
import { restartsTable } from './restartsTable.js';

/** What config.json says of a simulation, as far as a report names it; its other entries are options. */
export interface SimulationConfig extends Provenance {
  /** The command that runs it again. */
  readonly shell: string;
  readonly workload: {
    readonly source: string;
    readonly jobsSha256: string;
    readonly accounting?: Pick<Accounting, 'kept' | 'withoutEstimate'>;
  };
  readonly discipline: Discipline;
  readonly moldableThreshold: number;
}

type MeasureRow = readonly [label: string, value: string, unit: string, meaning: string];

function secondsRow(label: string, seconds: number, meaning = ''): MeasureRow {
  const long = seconds < 60 ? '' : formatDuration(seconds);
  return [label, formatNumber(seconds, 2), 's', [long, meaning].filter((part) => part !== '').join('; ')];
}

function measuresTable(summary: Summary): ReportTable {
  const { agreed, bestFit, fastestFirst } = summary.decisions;
  const rows: MeasureRow[] = [
    secondsRow('average response time', summary.averageResponseTime, 'submit to end'),
    secondsRow('mean wait', summary.meanWait),
    secondsRow('longest wait', summary.maxWait),
    ['mean slowdown', formatNumber(summary.meanSlowdown, 2), '', 'response / execution'],
    [
      'mean bounded slowdown',
      formatNumber(summary.meanBoundedSlowdown, 2),
      '',
      'executions count as 10 s at least',
    ],
    secondsRow('response weighted by work', summary.awrt, 'weights: processors × execution'),
    secondsRow('wait weighted by work', summary.awwt, 'the same weights'),
    [
      'average queue length',
      formatNumber(summary.averageQueueLength, 2),
      'jobs',
      'as seen by submits and finishes',
    ],
    ['average queue length over time', formatNumber(summary.averageQueueLengthOverTime, 2), 'jobs', ''],
    ['longest queue', formatNumber(summary.largestQueue), 'jobs', ''],
    [
      'utilization',
      formatNumber(summary.utilization * 100, 2),
      '%',
      'of all processors, first submit to last end',
    ],
    [
      'utilization of capacity',
      formatNumber(summary.capacityUtilization * 100, 2),
      '%',
      'of processors × speed',
    ],
    secondsRow('makespan', summary.makespan, 'first submit to last end'),
    ['jobs moved away from home', formatNumber(summary.movedJobs), 'jobs', ''],
  ];
  if (summary.splitJobs > 0) {
    rows.push(['jobs on more than one site', formatNumber(summary.splitJobs), 'jobs', '']);
  }
  if (summary.scaledDownJobs + summary.scaledUpJobs > 0) {
    rows.push(
      ['jobs on fewer processors than requested', formatNumber(summary.scaledDownJobs), 'jobs', ''],
      ['jobs on more processors than requested', formatNumber(summary.scaledUpJobs), 'jobs', ''],
    );
  }
  if (summary.restarts > 0) {
    rows.push(
      ['runs stopped and begun again', formatNumber(summary.restarts), 'runs', ''],
      ['work lost in stopped runs', formatNumber(summary.lostProcessorSeconds), 'processor-seconds', ''],
    );
  }
  if (agreed + bestFit + fastestFirst > 0) {
    rows.push(
      ['best-fit and fastest-first agreed', formatNumber(agreed), 'placements', ''],
      ['best-fit followed where they differed', formatNumber(bestFit), 'placements', ''],
      ['fastest-first followed where they differed', formatNumber(fastestFirst), 'placements', ''],
    );
  }
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
    rows,
  };
}

function siteRow(
  { capacity, speed, jobs, utilization }: SiteSummary,
  { jobs: own, averageResponseTime }: HomeSummary,
) {
  return [capacity, speed, jobs, utilization, own, own > 0 ? averageResponseTime : null];
}

function sitesTable({ sites, homes }: Summary): ReportTable {
  const whole = { style: 'fixed' } as const;
  return {
    id: 'sites',
    title: 'Sites and home sites',
    caption:
      'Left what ran on a site, right what became of the jobs that are at home there, wherever they ran.',
    columns: [
      { title: 'site', isHeading: true, format: whole },
      { title: 'processors', format: whole },
      { title: 'speed', format: { style: 'measure' } },
      { title: 'jobs run', format: whole },
      { title: 'utilization', format: { style: 'percent', decimals: 1 } },
      { title: 'jobs at home', format: whole },
      { title: 'their average response time', unit: 's', format: { style: 'fixed', decimals: 1 } },
    ],
    rows: sites.map((site, i) => [i + 1, ...siteRow(site, homes[i])]),
  };
}

/** Entries of config.json that have a place of their own, or none in a report. */
const OTHER_KEYS = ['command', 'shell', 'workload', 'grid', 'policy', 'gridalloc', 'abi', 'coreSha256'];

/** Every option of the run by its name in words: `min speed ratio`. */
function optionFacts(config: SimulationConfig): [label: string, value: string][] {
  return Object.entries(config).flatMap(([key, value]): [string, string][] => {
    if (OTHER_KEYS.includes(key) || (typeof value === 'object' && !Array.isArray(value))) return [];
    const label = key.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
    return [[label, Array.isArray(value) ? value.join(', ') : value === false ? 'no' : String(value)]];
  });
}

/** How many jobs have their runtime for an estimate, where estimates decide. */
function estimatesFact(config: SimulationConfig): [label: string, value: string][] {
  const { kept = 0, withoutEstimate = 0 } = config.workload.accounting ?? {};
  if (!usesEstimates(config) || withoutEstimate === 0) return [];
  const count = `${formatNumber(withoutEstimate)} of ${formatNumber(kept)}`;
  return [['jobs that request no time', `${count}; their runtime stands in as the estimate`]];
}

function environment(summary: Summary, config: SimulationConfig): ReportFact[] {
  const dropped = Object.entries(summary.dropped).filter(([, count]) => count > 0);
  const { jobs, pieces } = summary.split;
  const facts: [label: string, value: string][] = [
    ['workload', config.workload.source],
    [
      'records dropped by rule',
      dropped.map(([rule, count]) => `${rule} ${formatNumber(count)}`).join(', ') || 'none',
    ],
    ...estimatesFact(config),
    ['wide jobs cut', jobs > 0 ? `${formatNumber(jobs)} into ${formatNumber(pieces)} pieces` : 'none'],
    ['policy', summary.policy],
    ...optionFacts(config),
    ['gridalloc', config.gridalloc],
    ['SHA-256 of the core', config.coreSha256],
    ['SHA-256 of the jobs', config.workload.jobsSha256],
  ];
  return facts.map(([label, value]) => ({ label, value }));
}

/** The last part of a path, or the whole of a model's notation. */
function shortName(source: string): string {
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
  const { averageResponseTime, meanWait, averageQueueLength, utilization } = summary;
  return {
    title: `${summary.method} on ${shortName(summary.workload)}`,
    description:
      `${formatNumber(summary.jobs)} jobs on ${formatNumber(summary.sites.length)} sites with ` +
      `${formatNumber(processors)} processors, speed heterogeneity ${formatMeasure(summary.speedHeterogeneity)}.`,
    source: '',
    highlights: [
      { label: 'average response time', value: valueText(averageResponseTime, { style: 'duration' }) },
      { label: 'mean wait', value: valueText(meanWait, { style: 'duration' }) },
      { label: 'average queue length', value: `${formatMeasure(averageQueueLength)} jobs` },
      { label: 'utilization', value: formatPercent(utilization) },
    ],
    tables: [
      measuresTable(summary),
      sitesTable(summary),
      ...(stopped.length === 0 ? [] : [restartsTable(stopped, summary)]),
    ],
    figures: [],
    checks: [],
    notes: [],
    commands: [config.shell],
    environment: environment(summary, config),
  };
}
