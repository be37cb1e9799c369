/** The difference of two simulations, for a person and as numbers. */
import { formatDuration, formatNumber, valueText } from '../format/numbers.js';
import { type Colors, type Column, formatTable } from '../format/table.js';
import type { JobDifference, RunDifference } from '../results/difference.js';
import { sourceWord } from '../trace/quote.js';

/** Jobs that are listed on either side. */
const LISTED = 10;

const left = (heading: string): Column => ({ heading, align: 'left' });
const right = (heading: string): Column => ({ heading });

/** The jobs that gain most, and those that lose most, each side beginning with the largest change. */
function extremes({ changed }: RunDifference): { gained: JobDifference[]; lost: JobDifference[] } {
  const gained = changed.filter(({ difference }) => difference < 0).slice(0, LISTED);
  const lost = changed
    .filter(({ difference }) => difference > 0)
    .slice(-LISTED)
    .reverse();
  return { gained, lost };
}

const commandOf = (folder: string, job: string) =>
  `gridalloc explain ${sourceWord(folder)} --job ${sourceWord(job)}`;

function signed(value: number, text: string): string {
  return value > 0 ? `+${text}` : text;
}

function metricText({ metrics }: RunDifference, colors: Colors): string {
  const rows = metrics.map(({ metric, a, b, difference }) => {
    const { label, unit, format } = metric;
    return [
      unit === undefined ? label : `${label} [${unit}]`,
      valueText(a, format),
      valueText(b, format),
      difference === 0 ? '=' : signed(difference, valueText(difference, format)),
      a === 0 || difference === 0
        ? ''
        : signed(difference, valueText(difference / Math.abs(a), { style: 'percent', decimals: 2 })),
    ];
  });
  return formatTable([left('metric'), ...['A', 'B', 'B - A', 'relative'].map(right)], rows, colors);
}

function jobText(
  title: string,
  jobs: readonly JobDifference[],
  { b }: RunDifference,
  colors: Colors,
): string {
  const rows = jobs.map(({ a, b: other, difference }) => [
    a.name,
    formatNumber(a.requested),
    formatDuration(a.start - a.submit),
    formatDuration(other.start - other.submit),
    signed(difference, formatDuration(difference)),
    commandOf(b.folder, a.name),
  ]);
  const columns = [
    ...['job', 'processors', 'wait in A', 'wait in B', 'end, B - A'].map(right),
    left('why, in B'),
  ];
  return `${colors.bold(title)}\n${formatTable(columns, rows, colors)}`;
}

/** The difference as tables. */
export function differenceText(difference: RunDifference, colors: Colors): string {
  const { a, b, sooner, same, later } = difference;
  const { gained, lost } = extremes(difference);
  const head =
    `A: ${a.folder}, ${a.summary.method}\nB: ${b.folder}, ${b.summary.method}\n` +
    `In B ${formatNumber(sooner)} jobs end sooner, ${formatNumber(later)} later and ${formatNumber(same)} at the same time.`;
  return [
    head,
    metricText(difference, colors),
    ...(gained.length === 0 ? [] : [jobText('Jobs that gain most', gained, difference, colors)]),
    ...(lost.length === 0 ? [] : [jobText('Jobs that lose most', lost, difference, colors)]),
  ].join('\n\n');
}

/** The same as JSON. */
export function differenceDocument(difference: RunDifference): object {
  const { a, b, metrics, sooner, same, later } = difference;
  const { gained, lost } = extremes(difference);
  const jobsOf = (jobs: readonly JobDifference[]) =>
    jobs.map(({ a: one, b: other, difference: change }) => ({
      ...{ job: one.name, processors: one.requested, submit: one.submit },
      ...{ waitA: one.start - one.submit, waitB: other.start - other.submit },
      ...{ endA: one.end, endB: other.end, difference: change },
      explain: [commandOf(a.folder, one.name), commandOf(b.folder, one.name)],
    }));
  return {
    a: { folder: a.folder, method: a.summary.method },
    b: { folder: b.folder, method: b.summary.method },
    metrics: metrics.map(({ metric, a: ofA, b: ofB, difference: change }) => ({
      ...{ name: metric.name, label: metric.label, unit: metric.unit ?? null, a: ofA, b: ofB },
      difference: change,
    })),
    jobs: { sooner, same, later, gained: jobsOf(gained), lost: jobsOf(lost) },
  };
}
