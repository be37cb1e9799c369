/**
 * Report that explains why jobs waited and why they ran on their sites, with the free processors during the
 * wait.
 */
import type { Figure, FigurePanel, FigurePoint } from '../draw/figureModel.js';
import { TEXT_COLOR } from '../draw/palette.js';
import { makeStepFunctionPlotPoints } from '../draw/timeline.js';
import type { Explanation, WaitPeriod } from '../explain/explanation.js';
import { formatCount, formatFullDuration, formatNumber } from '../format/numbers.js';
import { firstElement } from '../lists.js';
import { makePictureOfDrawing } from '../view/html.js';
import { makeReportOfSections, type Report, type ReportFact } from '../view/report.js';
import type { DrawnReport } from '../view/reportFolder.js';
import type { Table } from '../view/table.js';
import { makeTerminalColors } from '../view/terminal.js';
import {
  describeDecision,
  isSingleSiteMachine,
  makeDecisionTables,
  makeTitleOfDecision,
} from './decisionReasons.js';
import {
  describeMissingEvents,
  formatExplanationHeadline,
  makeWaitEventTable,
  selectChartSites,
} from './waitReasons.js';

const NO_TERMINAL_COLORS = makeTerminalColors(false);

/** Number of intervals of a plot over time. */
const MAX_TIME_PLOT_INTERVALS = 1000;
const NEEDED_PROCESSORS_COLOR = '#d55e00';

/** Figure of the free processors of each site during a wait, with the number that the job needs. */
function makeFreeProcessorsFigure(
  explanation: Explanation,
  waitPeriod: WaitPeriod,
  figureWords: Pick<Figure, 'id' | 'title'>,
): Figure {
  const { from, until, free: freeProcessors, decision } = waitPeriod;
  const { submit, processors } = explanation;
  const shiftToSubmit = ({ x, ...point }: FigurePoint) => ({ ...point, x: Number(x) - submit });
  const sites = selectChartSites(waitPeriod);
  const panels = sites.map((site): FigurePanel => {
    const { capacity } = decision.sites[site]!;
    const freeProcessorSteps = {
      time: Float64Array.from(freeProcessors.time),
      value: Float64Array.from(freeProcessors.sites[site]!),
    };
    const endPoint = { x: until, y: freeProcessorSteps.value[freeProcessorSteps.value.length - 1] ?? null };
    const plotPoints = [
      ...makeStepFunctionPlotPoints(freeProcessorSteps, { from, to: until }, MAX_TIME_PLOT_INTERVALS),
      endPoint,
    ].map(shiftToSubmit);
    const neededProcessorsLine = [from, until].map((x) => shiftToSubmit({ x, y: processors }));
    return {
      title: sites.length > 1 ? `site ${site + 1}, ${formatCount(capacity, 'processor')}` : '',
      series: [
        { name: 'free', color: TEXT_COLOR, points: plotPoints },
        {
          name: `job ${explanation.job} needs`,
          color: NEEDED_PROCESSORS_COLOR,
          points: neededProcessorsLine,
        },
      ],
    };
  });
  const hiddenSiteCount = decision.sites.length - sites.length;
  const hiddenSitesNote =
    hiddenSiteCount > 0 ? ` ${formatCount(hiddenSiteCount, 'more site')} are not shown.` : '';
  return {
    ...figureWords,
    caption: `Free processors${isSingleSiteMachine(waitPeriod) ? '' : ' of each site'} from ${waitPeriod.stopped === undefined ? 'the submission' : 'the stop'} of job ${explanation.job} to its start.${hiddenSitesNote}`,
    kind: 'step',
    x: { title: 'time', time: { since: 'its submission' } },
    y: { title: 'free processors' },
    panels,
  };
}

/** Report sections of one job; their titles contain its name if there are several jobs. */
function makeJobReportSections(explanation: Explanation, isSingle: boolean) {
  const { job, waits } = explanation;
  const makeSectionTitle = (title: string) => (isSingle ? title : `Job ${job}: ${title}`);
  const tables: Table[] = [];
  const figures: Figure[] = [];
  for (const [i, waitPeriod] of waits.entries()) {
    const id = `job-${job.replaceAll(/\W+/g, '-')}-${i + 1}`;
    const [siteTable, ...otherTables] = makeDecisionTables(explanation, waitPeriod);
    const decisionText = describeDecision(explanation, waitPeriod).join(' ');
    const waitTables = [
      makeWaitEventTable(explanation, waitPeriod),
      { ...siteTable, title: makeTitleOfDecision(waitPeriod), caption: decisionText },
      ...otherTables,
    ];
    tables.push(
      ...waitTables.map((table) => ({
        ...table,
        id: `${id}-${table.id}`,
        title: makeSectionTitle(table.title),
      })),
    );
    if (waitPeriod.until > waitPeriod.from)
      figures.push(
        makeFreeProcessorsFigure(explanation, waitPeriod, {
          id: `${id}-free`,
          title: makeSectionTitle('Free processors'),
        }),
      );
  }
  return { tables, figures };
}

function highlightJobFacts({ job, wait, processors, waits }: Explanation, isSingle: boolean): ReportFact[] {
  if (!isSingle) return [{ label: `Job ${job} waited`, value: formatFullDuration(wait) }];
  return [
    { label: 'Waited', value: formatFullDuration(wait) },
    { label: 'Processors', value: formatNumber(processors) },
    { label: 'Jobs ahead of it', value: formatNumber(firstElement(waits).queue.jobs) },
  ];
}

/**
 * Report that explains one or several jobs.
 * @param command command that recreates the report.
 */
export function makeExplanationReport(explanations: readonly Explanation[], command: string): DrawnReport {
  const isSingle = explanations.length === 1;
  const sections = explanations.map((explanation) => makeJobReportSections(explanation, isSingle));
  const { job, wait } = firstElement(explanations);
  const report = makeReportOfSections({
    title: isSingle
      ? `Why job ${job} waited ${formatFullDuration(wait)}`
      : `Why ${explanations.length} jobs waited: ${explanations.map((explanation) => explanation.job).join(', ')}`,
    description: explanations
      .flatMap((explanation) => [
        ...formatExplanationHeadline(explanation, NO_TERMINAL_COLORS).split('\n'),
        ...describeMissingEvents(explanation),
      ])
      .join('\n\n'),
    highlights: explanations.flatMap((explanation) => highlightJobFacts(explanation, isSingle)),
    tables: sections.flatMap(({ tables }) => tables),
    figures: sections.flatMap(({ figures }) => figures),
    commands: [command],
  });
  return { report, pictures: drawPicturesOfFigures(report.figures) };
}

/** Appends the explanations of jobs to a report, with each job's name in the titles. */
export function appendExplanations(report: Report, explanations: readonly Explanation[]): DrawnReport {
  const sections = explanations.map((explanation) => makeJobReportSections(explanation, false));
  const figures = sections.flatMap(({ figures }) => figures);
  const tables = [...report.tables, ...sections.flatMap(({ tables }) => tables)];
  return { report: { ...report, tables, figures }, pictures: drawPicturesOfFigures(figures) };
}

const drawPicturesOfFigures = (figures: readonly Figure[]): DrawnReport['pictures'] =>
  figures.map((figure) => ({ ...makePictureOfDrawing(figure), isAlone: true }));
