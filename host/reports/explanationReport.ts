/** Explanations of jobs as a report: why they waited and why they went where they went, with the free processors meanwhile. */
import type { Figure, FigurePanel, FigurePoint } from '../draw/figureModel.js';
import { INK } from '../draw/palette.js';
import { stepPoints } from '../draw/timeline.js';
import type { Explanation, Wait } from '../explain/explanation.js';
import { countOf, formatFullDuration, formatNumber } from '../format/numbers.js';
import { firstOf } from '../lists.js';
import { pictureOf } from '../view/html.js';
import { type ReportFact, reportOf } from '../view/report.js';
import type { DrawnReport } from '../view/reportFolder.js';
import type { Table } from '../view/table.js';
import { makeColors } from '../view/terminal.js';
import { decisionSentences, decisionTables, decisionTitle, isOneSite } from './decisionReasons.js';
import { eventTable, headline, missingEventMessages, shownSites } from './waitReasons.js';

const PLAIN = makeColors(false);

/** Intervals of a plot over time. */
const INTERVALS = 1000;
const NEEDED = '#d55e00';

/** Free processors of each site while the job waited, beside what it needs. */
function freeFigure(explanation: Explanation, wait: Wait, words: Pick<Figure, 'id' | 'title'>): Figure {
  const { from, until, free, decision } = wait;
  const { submit, processors } = explanation;
  const shifted = ({ x, ...point }: FigurePoint) => ({ ...point, x: Number(x) - submit });
  const sites = shownSites(wait);
  const panels = sites.map((site): FigurePanel => {
    const { capacity } = decision.sites[site]!;
    const steps = { time: Float64Array.from(free.time), value: Float64Array.from(free.sites[site]!) };
    const last = { x: until, y: steps.value[steps.value.length - 1] ?? null };
    const points = [...stepPoints(steps, { from, to: until }, INTERVALS), last].map(shifted);
    const need = [from, until].map((x) => shifted({ x, y: processors }));
    return {
      title: sites.length > 1 ? `site ${site + 1}, ${countOf(capacity, 'processor')}` : '',
      series: [
        { name: 'free', color: INK, points },
        { name: `job ${explanation.job} needs`, color: NEEDED, points: need },
      ],
    };
  });
  const hidden = decision.sites.length - sites.length;
  const more = hidden > 0 ? ` ${countOf(hidden, 'more site')} are not shown.` : '';
  return {
    ...words,
    caption: `Free processors${isOneSite(wait) ? '' : ' of each site'} from ${wait.stopped === undefined ? 'the submission' : 'the stop'} of job ${explanation.job} to its start.${more}`,
    kind: 'step',
    x: { title: 'time', time: { since: 'its submission' } },
    y: { title: 'free processors' },
    panels,
  };
}

/** The sections of one job; its name leads their titles where there are several. */
function sectionsOf(explanation: Explanation, isOne: boolean) {
  const { job, waits } = explanation;
  const called = (title: string) => (isOne ? title : `Job ${job}: ${title}`);
  const tables: Table[] = [];
  const figures: Figure[] = [];
  for (const [i, wait] of waits.entries()) {
    const id = `job-${job.replaceAll(/\W+/g, '-')}-${i + 1}`;
    const [sites, ...others] = decisionTables(explanation, wait);
    const why = decisionSentences(explanation, wait).join(' ');
    const own = [
      eventTable(explanation, wait),
      { ...sites, title: decisionTitle(wait), caption: why },
      ...others,
    ];
    tables.push(...own.map((table) => ({ ...table, id: `${id}-${table.id}`, title: called(table.title) })));
    if (wait.until > wait.from)
      figures.push(freeFigure(explanation, wait, { id: `${id}-free`, title: called('Free processors') }));
  }
  return { tables, figures };
}

function highlightsOf({ job, wait, processors, waits }: Explanation, isOne: boolean): ReportFact[] {
  if (!isOne) return [{ label: `Job ${job} waited`, value: formatFullDuration(wait) }];
  return [
    { label: 'Waited', value: formatFullDuration(wait) },
    { label: 'Processors', value: formatNumber(processors) },
    { label: 'Jobs ahead of it', value: formatNumber(firstOf(waits).queue.jobs) },
  ];
}

/**
 * The explanations of one job or several as a page by itself.
 * @param command that explains them again.
 */
export function explanationReport(explanations: readonly Explanation[], command: string): DrawnReport {
  const isOne = explanations.length === 1;
  const sections = explanations.map((each) => sectionsOf(each, isOne));
  const { job, wait } = firstOf(explanations);
  const report = reportOf({
    title: isOne
      ? `Why job ${job} waited ${formatFullDuration(wait)}`
      : `Why ${explanations.length} jobs waited: ${explanations.map((each) => each.job).join(', ')}`,
    description: explanations
      .flatMap((each) => [...headline(each, PLAIN).split('\n'), ...missingEventMessages(each)])
      .join('\n\n'),
    highlights: explanations.flatMap((each) => highlightsOf(each, isOne)),
    tables: sections.flatMap(({ tables }) => tables),
    figures: sections.flatMap(({ figures }) => figures),
    commands: [command],
  });
  const pictures = report.figures.map((figure) => ({ ...pictureOf(figure), isAlone: true }));
  return { report, pictures };
}
