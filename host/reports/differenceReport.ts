/** Report on the difference between two simulations: tables, also for the terminal, and a drawing. */
import { findTimeWindowAroundInstant, makeDifferenceData } from '../draw/gantt.js';
import { InputError } from '../errors.js';
import { formatNumber, formatValue, type NumberFormat } from '../format/numbers.js';
import { formatSourceAsShellWord } from '../format/text.js';
import { findOptionDifferences } from '../options/document.js';
import { joinStepsIntoAbsences } from '../results/capacity.js';
import type { ClassWaitDifference, JobDifference, SimulationDifference } from '../results/difference.js';
import { makePictureOfDrawing, type Picture } from '../view/html.js';
import { makeReportOfSections, type Report, type ReportFact } from '../view/report.js';
import { makeCellOfValue, type Table, type TableCell, type TableColumn } from '../view/table.js';

/** Number of jobs listed per direction (earlier and later). */
const MAX_LISTED_END_CHANGES = 10;

/** Jobs whose end changes most, earlier and later separately, largest change first. */
function findLargestEndChanges({ changed: changedJobs }: SimulationDifference): {
  gained: JobDifference[];
  lost: JobDifference[];
} {
  const jobsEndingEarlier = changedJobs
    .filter(({ difference }) => difference < 0)
    .slice(0, MAX_LISTED_END_CHANGES);
  const jobsEndingLater = changedJobs
    .filter(({ difference }) => difference > 0)
    .slice(-MAX_LISTED_END_CHANGES)
    .reverse();
  return { gained: jobsEndingEarlier, lost: jobsEndingLater };
}

function makeExplainCommand(folder: string, jobName: string): string {
  return `gridalloc explain ${formatSourceAsShellWord(folder)} --job ${formatSourceAsShellWord(jobName)}`;
}

function formatSignedValue(difference: number, valueText: string): string {
  return difference > 0 ? `+${valueText}` : valueText;
}

const makeRightAlignedColumns = (...titles: string[]) =>
  titles.map((title): TableColumn => ({ title, align: 'right' }));

/** Difference relative to A in percent, as text; empty if A is 0. */
function formatRelativeChange(a: number, difference: number): string {
  if (a === 0 || difference === 0) return '';
  return formatSignedValue(
    difference,
    formatValue(difference / Math.abs(a), { style: 'percent', decimals: 2 }),
  );
}

/** Sentence on jobs that an outage ended, which neither gain nor lose; empty if there are none. */
function makeSentenceOnEndedJobs({ endedByOutages: { a, b } }: SimulationDifference): string {
  if (a === 0 && b === 0) return '';
  return ` Outages end ${formatNumber(a)} jobs in A and ${formatNumber(b)} in B before their completion; these jobs are not among the others.`;
}

/** Table of the options in which the two simulations differ. */
function makeOptionDifferenceTable({ a, b }: SimulationDifference): Table {
  const rows = findOptionDifferences(a.options, b.options).map((optionDifference) => [
    optionDifference.name.replaceAll('-', ' '),
    optionDifference.a,
    optionDifference.b,
  ]);
  const columns = [{ title: 'setting', isHeading: true }, { title: 'A' }, { title: 'B' }];
  return { id: 'settings', title: 'Settings that differ', caption: '', columns, rows };
}

function makeMetricDifferenceTable({ metrics }: SimulationDifference): Table {
  const cellRows = metrics.map(({ metric, a, b, difference }): TableCell[] => {
    // A metric that only one simulation has, such as killed jobs, cannot be compared.
    const isInOneRunOnly = metric.topic !== undefined && (a === 0 || b === 0);
    return [
      metric.unit === undefined ? metric.label : `${metric.label} [${metric.unit}]`,
      isInOneRunOnly && a === 0 ? '-' : formatValue(a, metric.format),
      isInOneRunOnly && b === 0 ? '-' : formatValue(b, metric.format),
      isInOneRunOnly
        ? ''
        : difference === 0
          ? '='
          : formatSignedValue(difference, formatValue(difference, metric.format)),
      isInOneRunOnly ? '' : formatRelativeChange(a, difference),
    ];
  });
  const tableColumns = [
    { title: 'metric', isHeading: true },
    ...makeRightAlignedColumns('A', 'B', 'B - A', 'relative'),
  ];
  return { id: 'metrics', title: 'Metrics', caption: '', columns: tableColumns, rows: cellRows };
}

function makeChangedJobTable(
  id: string,
  title: string,
  jobDifferences: readonly JobDifference[],
  folderOfB: string,
): Table {
  const doJobsHaveUsers = jobDifferences.some(({ a }) => a.user !== undefined);
  const cellRows = jobDifferences.map(({ a, b: otherJob, difference }): TableCell[] => [
    a.name,
    ...(doJobsHaveUsers ? [a.user ?? ''] : []),
    a.requested,
    a.start - a.submit,
    otherJob.start - otherJob.submit,
    difference,
    makeExplainCommand(folderOfB, a.name),
  ]);
  const durationFormat = { style: 'duration' } as const;
  const tableColumns: TableColumn[] = [
    { title: 'job', isHeading: true },
    ...(doJobsHaveUsers ? [{ title: 'user' }] : []),
    { title: 'processors', align: 'right' },
    { title: 'wait in A', format: durationFormat },
    { title: 'wait in B', format: durationFormat },
    { title: 'end, B - A', format: { ...durationFormat, isSigned: true } },
    { title: 'why, in B', align: 'left' },
  ];
  return { id, title, caption: '', columns: tableColumns, rows: cellRows };
}

const HIGHLIGHTED_DIFFERENCE_METRICS = ['averageResponseTime', 'meanWait', 'meanBoundedSlowdown'];

function highlightMetricDifferences({ metrics }: SimulationDifference): ReportFact[] {
  return metrics
    .filter(({ metric }) => HIGHLIGHTED_DIFFERENCE_METRICS.includes(metric.name))
    .map(({ metric, a, b, difference }) => {
      const numberFormat = metric.unit === 's' ? ({ style: 'duration' } as const) : metric.format;
      const changeText = formatRelativeChange(a, difference);
      const valuesText = `${formatValue(a, numberFormat)} → ${formatValue(b, numberFormat)}`;
      return {
        label: `${metric.label}, A → B`,
        value: changeText === '' ? valuesText : `${valuesText} (${changeText})`,
      };
    });
}

const WAIT_NUMBER_FORMAT: NumberFormat = { style: 'measure' };

/**
 * Table of mean waits by class in both simulations, largest increase first.
 * @param classAttribute attribute that defines the classes, such as user.
 */
function makeClassWaitTable(classDifferences: readonly ClassWaitDifference[], classAttribute: string): Table {
  return {
    id: `by-${classAttribute}`,
    title: `Mean wait by ${classAttribute}`,
    caption:
      `Differences B - A are paired by job, with 95 % intervals over the jobs of each ${classAttribute}; the largest loss comes first. ` +
      'They are about these two schedules alone: jobs that wait together are not independent, and other jobs may fare otherwise. ' +
      `gridalloc compare --by ${classAttribute} --replications 30 judges each ${classAttribute}.`,
    columns: [
      { title: classAttribute, isHeading: true },
      { title: 'jobs', align: 'right' },
      { title: 'longer', align: 'right' },
      { title: 'shorter', align: 'right' },
      { title: 'A', unit: 's', format: WAIT_NUMBER_FORMAT },
      { title: 'B', unit: 's', format: WAIT_NUMBER_FORMAT },
      { title: 'B - A', unit: 's', format: { ...WAIT_NUMBER_FORMAT, isSigned: true }, holds: 'difference' },
    ],
    rows: classDifferences.map(
      ({ name: className, jobs: jobCount, longer, shorter, a, b, difference }): TableCell[] => [
        ...[className, jobCount, longer, shorter, a, b],
        makeCellOfValue(difference),
      ],
    ),
    bounds: 'interval',
    details: 'beside',
  };
}

/** Compared classes of jobs and the attribute that defines them. */
export interface JobClassDifferences {
  readonly by: string;
  readonly classes: readonly ClassWaitDifference[];
}

/**
 * Report on the difference between two simulations.
 * @param classDifferences job classes to show as well; absent: none.
 */
export function makeDifferenceReport(
  simulationDifference: SimulationDifference,
  classDifferences?: JobClassDifferences,
): Report {
  const { a, b, sooner, same, later } = simulationDifference;
  const { gained, lost: lostJobs } = findLargestEndChanges(simulationDifference);
  const settingsTable = makeOptionDifferenceTable(simulationDifference);
  return makeReportOfSections({
    title: 'Difference of two schedules',
    description:
      `A: ${a.folder}, ${a.name}\n\nB: ${b.folder}, ${b.name}\n\n` +
      `In B ${formatNumber(sooner)} jobs end sooner, ${formatNumber(later)} later and ${formatNumber(same)} at the same time.${makeSentenceOnEndedJobs(simulationDifference)}`,
    highlights: highlightMetricDifferences(simulationDifference),
    tables: [
      ...(settingsTable.rows.length === 0 ? [] : [settingsTable]),
      makeMetricDifferenceTable(simulationDifference),
      ...(classDifferences === undefined
        ? []
        : [makeClassWaitTable(classDifferences.classes, classDifferences.by)]),
      ...(gained.length === 0
        ? []
        : [makeChangedJobTable('gained', 'Jobs that gain most', gained, b.folder)]),
      ...(lostJobs.length === 0
        ? []
        : [makeChangedJobTable('lost', 'Jobs that lose most', lostJobs, b.folder)]),
    ],
    commands: [
      ...[a, b].flatMap(({ folder, shell }) =>
        shell === undefined ? [] : [`${shell} --out ${formatSourceAsShellWord(folder)}`],
      ),
      `gridalloc diff ${formatSourceAsShellWord(a.folder)} ${formatSourceAsShellWord(b.folder)}${classDifferences === undefined ? '' : ` --by ${classDifferences.by}`}`,
      ...[a, b].map(({ folder }) => `gridalloc explore ${formatSourceAsShellWord(folder)}`),
    ],
  });
}

/**
 * Draws both schedules below each other, around the job whose end changes most.
 * @param beginning first submission in seconds since 1970, if known.
 * @throws InputError if the grids have different sites.
 */
export function drawDifferencePicture(
  { a, b, changed: changedJobs }: SimulationDifference,
  beginning?: number,
): Picture {
  const capacitiesOfRun = ({ summary: simulationSummary }: typeof a) =>
    simulationSummary.sites.map(({ capacity }) => capacity);
  const [capacities, otherCapacities] = [capacitiesOfRun(a), capacitiesOfRun(b)];
  if (String(capacities) !== String(otherCapacities)) {
    throw new InputError(
      `a difference is drawn of grids of the same sites, found ${capacities.join(', ')} and ${otherCapacities.join(', ')} processors`,
    );
  }
  const firstSubmit = a.jobs.reduce(
    (earliestSubmit, { submit }) => Math.min(earliestSubmit, submit),
    Infinity,
  );
  const lastEndTime = [...a.jobs, ...b.jobs].reduce(
    (latestEnd, { end }) => Math.max(latestEnd, end),
    firstSubmit + 1,
  );
  const jobWithLargestEndChange = [changedJobs[0], changedJobs[changedJobs.length - 1]].reduce(
    (largest, candidate) =>
      Math.abs(candidate?.difference ?? 0) > Math.abs(largest?.difference ?? 0) ? candidate : largest,
    changedJobs[0],
  );
  const instant =
    jobWithLargestEndChange === undefined
      ? firstSubmit
      : Math.min(jobWithLargestEndChange.a.start, jobWithLargestEndChange.b.start);
  const window = findTimeWindowAroundInstant(instant, [a.jobs, b.jobs], {
    from: firstSubmit,
    to: lastEndTime,
  });
  const makeGanttRun = ({ name: simulationName, jobs, capacitySteps }: typeof a, letter: string) => ({
    ...{ name: `${letter} (${simulationName})`, jobs },
    absences: joinStepsIntoAbsences(capacitySteps, lastEndTime),
  });
  const comparedRuns = [makeGanttRun(a, 'A'), makeGanttRun(b, 'B')] as const;
  const pictureTexts = {
    id: 'difference',
    title: 'Both schedules',
    caption:
      'A above B, around the job whose end differs most. Colours tell how much earlier or later a job starts in B than in A; what starts at the same time is grey.',
  };
  const options = { runs: comparedRuns, capacities, window, origin: firstSubmit, beginning };
  const drawingData = makeDifferenceData(options, pictureTexts);
  return { ...makePictureOfDrawing(drawingData), isAlone: true };
}

// Difference of two simulations as JSON

/** Difference of two simulations as JSON document. */
export function makeDifferenceDocument(
  simulationDifference: SimulationDifference,
  classDifferences?: JobClassDifferences,
): object {
  const { a, b, metrics, sooner, same, later, endedByOutages } = simulationDifference;
  const { gained, lost: lostJobs } = findLargestEndChanges(simulationDifference);
  const makeJobDocuments = (jobDifferences: readonly JobDifference[]) =>
    jobDifferences.map(({ a: oneJob, b: otherJob, difference: change }) => ({
      ...{ job: oneJob.name, processors: oneJob.requested, submit: oneJob.submit },
      ...{ waitA: oneJob.start - oneJob.submit, waitB: otherJob.start - otherJob.submit },
      ...{ endA: oneJob.end, endB: otherJob.end, difference: change },
      explain: [makeExplainCommand(a.folder, oneJob.name), makeExplainCommand(b.folder, oneJob.name)],
    }));
  return {
    a: { folder: a.folder, method: a.name },
    b: { folder: b.folder, method: b.name },
    metrics: metrics.map(({ metric, a: ofA, b: ofB, difference: change }) => ({
      ...{ name: metric.name, label: metric.label, unit: metric.unit ?? null, a: ofA, b: ofB },
      difference: change,
    })),
    jobs: {
      sooner,
      same,
      later,
      ...(endedByOutages.a + endedByOutages.b > 0 && { endedByOutages }),
      gained: makeJobDocuments(gained),
      lost: makeJobDocuments(lostJobs),
    },
    ...(classDifferences && { classes: { [classDifferences.by]: classDifferences.classes } }),
  };
}
