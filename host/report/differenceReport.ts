/** The report of the difference of two simulations: its tables, which a terminal shows too, and its drawing. */
import { differenceData, differenceGanttSvg, windowAround } from '../draw/differenceGantt.js';
import type { Report, ReportTable, TableCell, TableColumn } from '../draw/types.js';
import { InputError } from '../errors.js';
import { formatDuration, formatNumber, valueText } from '../format/numbers.js';
import type { JobDifference, RunDifference } from '../results/difference.js';
import { sourceWord } from '../trace/quote.js';
import type { Picture } from './html.js';

/** Jobs that are listed on either side. */
const LISTED = 10;

/** The jobs that gain most, and those that lose most, each side beginning with the largest change. */
export function extremes({ changed }: RunDifference): { gained: JobDifference[]; lost: JobDifference[] } {
  const gained = changed.filter(({ difference }) => difference < 0).slice(0, LISTED);
  const lost = changed
    .filter(({ difference }) => difference > 0)
    .slice(-LISTED)
    .reverse();
  return { gained, lost };
}

/** The command that explains a job of a finished simulation. */
export function explainCommand(folder: string, job: string): string {
  return `gridalloc explain ${sourceWord(folder)} --job ${sourceWord(job)}`;
}

function signed(value: number, text: string): string {
  return value > 0 ? `+${text}` : text;
}

const right = (...titles: string[]) => titles.map((title): TableColumn => ({ title, align: 'right' }));

function metricTable({ metrics }: RunDifference): ReportTable {
  const rows = metrics.map(({ metric, a, b, difference }): TableCell[] => [
    metric.unit === undefined ? metric.label : `${metric.label} [${metric.unit}]`,
    valueText(a, metric.format),
    valueText(b, metric.format),
    difference === 0 ? '=' : signed(difference, valueText(difference, metric.format)),
    a === 0 || difference === 0
      ? ''
      : signed(difference, valueText(difference / Math.abs(a), { style: 'percent', decimals: 2 })),
  ]);
  const columns = [{ title: 'metric', isHeading: true }, ...right('A', 'B', 'B - A', 'relative')];
  return { id: 'metrics', title: 'Metrics', caption: '', columns, rows };
}

function jobTable(id: string, title: string, jobs: readonly JobDifference[], b: string): ReportTable {
  const rows = jobs.map(({ a, b: other, difference }): TableCell[] => [
    a.name,
    a.requested,
    formatDuration(a.start - a.submit),
    formatDuration(other.start - other.submit),
    signed(difference, formatDuration(difference)),
    explainCommand(b, a.name),
  ]);
  const numbers = right('processors', 'wait in A', 'wait in B', 'end, B - A');
  const columns: TableColumn[] = [
    { title: 'job', isHeading: true },
    ...numbers,
    { title: 'why, in B', align: 'left' },
  ];
  return { id, title, caption: '', columns, rows };
}

/** The difference as a report. */
export function differenceReport(difference: RunDifference): Report {
  const { a, b, sooner, same, later } = difference;
  const { gained, lost } = extremes(difference);
  return {
    title: 'Difference of two schedules',
    description:
      `A: ${a.folder}, ${a.summary.method}\n\nB: ${b.folder}, ${b.summary.method}\n\n` +
      `In B ${formatNumber(sooner)} jobs end sooner, ${formatNumber(later)} later and ${formatNumber(same)} at the same time.`,
    source: '',
    highlights: [],
    tables: [
      metricTable(difference),
      ...(gained.length === 0 ? [] : [jobTable('gained', 'Jobs that gain most', gained, b.folder)]),
      ...(lost.length === 0 ? [] : [jobTable('lost', 'Jobs that lose most', lost, b.folder)]),
    ],
    figures: [],
    checks: [],
    notes: [],
    commands: [`gridalloc diff ${sourceWord(a.folder)} ${sourceWord(b.folder)}`],
    environment: [],
    files: [],
  };
}

/**
 * Both schedules over each other, around the job that changes most.
 * @throws InputError where the grids are not of the same sites.
 */
export function differencePicture({ a, b, changed }: RunDifference): Picture {
  const [capacities, others] = [a, b].map(({ summary }) => summary.sites.map(({ capacity }) => capacity));
  if (String(capacities) !== String(others)) {
    throw new InputError(
      `a difference is drawn of grids of the same sites, found ${capacities.join(', ')} and ${others.join(', ')} processors`,
    );
  }
  const first = a.jobs.reduce((least, { submit }) => Math.min(least, submit), Infinity);
  const last = [...a.jobs, ...b.jobs].reduce((most, { end }) => Math.max(most, end), first + 1);
  const largest = [changed[0], changed[changed.length - 1]].reduce(
    (one, other) => (Math.abs(other?.difference ?? 0) > Math.abs(one?.difference ?? 0) ? other : one),
    changed[0],
  );
  const instant = largest === undefined ? first : Math.min(largest.a.start, largest.b.start);
  const window = windowAround(instant, [a.jobs, b.jobs], { from: first, to: last });
  const runs = [a, b].map(({ folder, jobs }) => ({ name: folder, jobs }));
  const words = {
    id: 'difference',
    title: 'Both schedules',
    caption: `${a.folder} and ${b.folder} over each other, around the job that changes most; what only one of them has stands out in its colour.`,
  };
  const options = { runs, capacities, window, origin: first };
  return {
    ...words,
    svg: differenceGanttSvg(options, words),
    isAlone: true,
    live: differenceData(options, words),
  };
}
