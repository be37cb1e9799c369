/** Texts that several parts of the page share. */

import { formatDateOrElapsedTime } from '../../host/draw/axes.js';
import { formatCount, formatDuration, formatValue } from '../../host/format/numbers.js';
import { nameOfLogNumber } from '../../host/trace/trace.js';
import type { FinishedRunData, MetricRow, SimulatedSetupOutcome, Texts } from './protocol.js';

/** Formats a metric with its unit. */
export function formatMetricWithUnit({
  value,
  format,
  unit,
}: Pick<MetricRow, 'value' | 'format' | 'unit'>): string {
  if (unit !== 's') return formatValue(value, format);
  return Math.abs(value) < 60 ? `${formatValue(value, format)} s` : formatValue(value, { style: 'duration' });
}

/** Returns the value of a metric of a run; NaN if it is missing. */
function metricValueOfRun(run: FinishedRunData, name: string): number {
  return run.metrics.find((metric) => metric.name === name)?.value ?? Number.NaN;
}

/** Shortens the source of jobs: a log without its folders, a model without its parameters. */
export const shortenSourceName = (source: string) => source.replace(/\[.*/s, '').replace(/^.*[/\\]/, '');

/**
 * Summarizes the visible result in one sentence.
 * @param earlier mean wait of the first method on the previous grid, in seconds.
 */
export function summarizeOutcome(outcome: SimulatedSetupOutcome, earlier?: number): string {
  const { jobs, capacities, source, runs } = outcome;
  const processors = capacities.reduce((sum, capacity) => sum + capacity, 0);
  const what = `${formatCount(jobs.count, 'job')} of ${shortenSourceName(source)} on ${formatCount(capacities.length, 'site')} with ${formatCount(processors, 'processor')}`;
  const [first, ...others] = runs;
  const wait = (run: FinishedRunData) => metricValueOfRun(run, 'meanWait');
  const used = formatValue(metricValueOfRun(first, 'utilization'), { style: 'percent' });
  const was = earlier === undefined ? '' : ` (it was ${formatDuration(earlier)} on the grid before)`;
  const waits = `under ${first.label} a job waits ${formatDuration(wait(first))} on average${was}, and ${used} of the processors are in use`;
  if (others.length === 0) return `${what}: ${waits}.`;
  const second = others[0];
  const change = wait(second) - wait(first);
  const than =
    Math.abs(change) < 1 ? 'as long' : `${formatDuration(Math.abs(change))} ${change < 0 ? 'less' : 'more'}`;
  return `${what}: ${waits}; under ${second.label} it waits ${than}.`;
}

/** Describes a job in two lines. */
export function describeJobInTwoLines(
  { jobs }: SimulatedSetupOutcome,
  run: FinishedRunData,
  job: number,
): readonly string[] {
  const who = (['user', 'queue'] as const).map((field) => {
    const number = jobs[field]?.[job] ?? -1;
    // A queue number without a name says little beside the home site.
    const isTold = number >= 0 && (field === 'user' || jobs.numberNames?.queue.has(number));
    return isTold ? `, ${field} ${nameOfLogNumber(jobs.numberNames, field, number)}` : '';
  });
  const wait = run.start[job] - jobs.submit[job];
  return [
    `job ${jobs.names[job]}: ${formatCount(run.held[job], 'processor')} on site ${run.site[job] + 1}${who.join('')}`,
    `${wait === 0 ? 'did not wait' : `waited ${formatDuration(wait)}`}, ran ${formatDuration(run.execution[job])}`,
  ];
}

/**
 * Describes the start promised to a job at its submission and the actual deviation; empty if reservations are
 * not kept.
 */
export function describePromisedStart(
  outcome: SimulatedSetupOutcome,
  { promised, start }: FinishedRunData,
  job: number,
): string {
  if (promised === undefined) return '';
  const startOffset = start[job] - promised[job];
  const when =
    startOffset === 0
      ? 'started then'
      : `started ${formatDuration(Math.abs(startOffset))} ${startOffset < 0 ? 'earlier' : 'later'}`;
  return `promised at submit to start at ${formatTimeOfJobs(outcome, promised[job])}, ${when}`;
}

/** Formats a time: a date if the log has dates, otherwise days and hours since the first submission. */
export function formatTimeOfJobs({ jobs, unixStartTime }: SimulatedSetupOutcome, time: number): string {
  const [first] = jobs.submit;
  return formatDateOrElapsedTime(
    time - first,
    unixStartTime === undefined ? undefined : unixStartTime + first,
  );
}

/** Returns the short name of a method: its differences from the defaults. */
export function shortMethodName({ policy, discipline, order, ...others }: Texts): string {
  const rest = Object.entries(others).map(([name, text]) => `${name} ${text}`);
  const parts = [policy, discipline, order && `order ${order}`, ...rest];
  const messages = parts.filter((part) => part !== undefined && part !== '' && part !== 'fcfs');
  return messages.length === 0 ? 'fcfs' : messages.join(', ');
}
