/** Texts that several parts of the page share. */

import { formatDateOrElapsedTime } from '../../host/draw/axes.js';
import { formatCount, formatDuration, formatValue } from '../../host/format/numbers.js';
import { nameOfLogNumber } from '../../host/trace/trace.js';
import type { FinishedRunData, MetricRow, SimulatedSetupOutcome, Texts } from './protocol.js';

/** Formats a metric with its unit. */
export function formatMetricWithUnit({
  value: metricValue,
  format,
  unit: metricUnit,
}: Pick<MetricRow, 'value' | 'format' | 'unit'>): string {
  if (metricUnit !== 's') return formatValue(metricValue, format);
  return Math.abs(metricValue) < 60
    ? `${formatValue(metricValue, format)} s`
    : formatValue(metricValue, { style: 'duration' });
}

/** Returns the value of a metric of a run; NaN if it is missing. */
function metricValueOfRun(run: FinishedRunData, metricName: string): number {
  return run.metrics.find((metric) => metric.name === metricName)?.value ?? Number.NaN;
}

/** Shortens the source of jobs: a log without its folders, a model without its parameters. */
export const shortenSourceName = (sourceName: string) =>
  sourceName.replace(/\[.*/s, '').replace(/^.*[/\\]/, '');

/**
 * Summarizes the visible result in one sentence.
 * @param meanWaitOnPreviousGrid mean wait of the first method on the previous grid, in seconds.
 */
export function summarizeOutcome(outcome: SimulatedSetupOutcome, meanWaitOnPreviousGrid?: number): string {
  const { jobs, capacities, source, runs } = outcome;
  const processors = capacities.reduce((sum, capacity) => sum + capacity, 0);
  const jobsText = `${formatCount(jobs.count, 'job')} of ${shortenSourceName(source)} on ${formatCount(capacities.length, 'site')} with ${formatCount(processors, 'processor')}`;
  const [firstRun, ...otherRuns] = runs;
  const meanWaitOf = (run: FinishedRunData) => metricValueOfRun(run, 'meanWait');
  const utilizationText = formatValue(metricValueOfRun(firstRun, 'utilization'), { style: 'percent' });
  const previousMeanWaitText =
    meanWaitOnPreviousGrid === undefined
      ? ''
      : ` (it was ${formatDuration(meanWaitOnPreviousGrid)} on the grid before)`;
  const waits = `under ${firstRun.label} a job waits ${formatDuration(meanWaitOf(firstRun))} on average${previousMeanWaitText}, and ${utilizationText} of the processors are in use`;
  if (otherRuns.length === 0) return `${jobsText}: ${waits}.`;
  const secondRun = otherRuns[0];
  const meanWaitDifference = meanWaitOf(secondRun) - meanWaitOf(firstRun);
  const comparisonText =
    Math.abs(meanWaitDifference) < 1
      ? 'as long'
      : `${formatDuration(Math.abs(meanWaitDifference))} ${meanWaitDifference < 0 ? 'less' : 'more'}`;
  return `${jobsText}: ${waits}; under ${secondRun.label} it waits ${comparisonText}.`;
}

/** Describes a job in two lines. */
export function describeJobInTwoLines(
  { jobs }: SimulatedSetupOutcome,
  run: FinishedRunData,
  job: number,
): readonly string[] {
  const fieldTexts = (['user', 'queue'] as const).map((field) => {
    const logNumber = jobs[field]?.[job] ?? -1;
    // A queue number without a name says little beside the home site, so it is not shown.
    const isShown = logNumber >= 0 && (field === 'user' || jobs.numberNames?.queue.has(logNumber));
    return isShown ? `, ${field} ${nameOfLogNumber(jobs.numberNames, field, logNumber)}` : '';
  });
  const wait = run.start[job] - jobs.submit[job];
  return [
    `job ${jobs.names[job]}: ${formatCount(run.held[job], 'processor')} on site ${run.site[job] + 1}${fieldTexts.join('')}`,
    `${wait === 0 ? 'did not wait' : `waited ${formatDuration(wait)}`}, ran ${formatDuration(run.execution[job])}`,
  ];
}

/**
 * Describes the start promised to a job at its submission and the actual deviation; empty if reservations are
 * not kept.
 */
export function describePromisedStart(
  outcome: SimulatedSetupOutcome,
  { promised: promisedStarts, start }: FinishedRunData,
  job: number,
): string {
  if (promisedStarts === undefined) return '';
  const startOffset = start[job] - promisedStarts[job];
  const deviationText =
    startOffset === 0
      ? 'started then'
      : `started ${formatDuration(Math.abs(startOffset))} ${startOffset < 0 ? 'earlier' : 'later'}`;
  return `promised at submit to start at ${formatTimeOfJobs(outcome, promisedStarts[job])}, ${deviationText}`;
}

/** Formats a time: a date if the log has dates, otherwise days and hours since the first submission. */
export function formatTimeOfJobs({ jobs, unixStartTime }: SimulatedSetupOutcome, time: number): string {
  const [firstSubmit] = jobs.submit;
  return formatDateOrElapsedTime(
    time - firstSubmit,
    unixStartTime === undefined ? undefined : unixStartTime + firstSubmit,
  );
}

/** Returns the short name of a method: its differences from the defaults. */
export function makeShortMethodName({ policy, discipline, order, ...otherOptionTexts }: Texts): string {
  const otherOptions = Object.entries(otherOptionTexts).map(
    ([otherName, otherText]) => `${otherName} ${otherText}`,
  );
  const labelParts = [policy, discipline, order && `order ${order}`, ...otherOptions];
  const optionTexts = labelParts.filter((part) => part !== undefined && part !== '' && part !== 'fcfs');
  return optionTexts.length === 0 ? 'fcfs' : optionTexts.join(', ');
}
