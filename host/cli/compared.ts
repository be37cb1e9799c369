/** What compare sets side by side: the setting where nothing else is said, the methods, and what their replications come to. */
import { joinFiles } from '../files/logFiles.js';
import { countOf, formatMeasure, formatNumber } from '../format/numbers.js';
import type { Grid } from '../grid/grid.js';
import { type Discipline, isBackfilling, type SimulationOptions } from '../options/configuration.js';
import type { Settings } from '../options/options.js';
import { RUN_OPTIONS } from '../options/run.js';
import { JUDGED_LEGEND, judgedDocument, judgedText } from '../text/replications.js';
import { accountingText } from '../text/simulation.js';
import { sourceName } from '../trace/quote.js';
import type { Trace } from '../trace/trace.js';
import { isModelText } from '../workload/models.js';
import type { Arguments } from './arguments.js';
import type { Context } from './context.js';
import { type Experiment, policiesOf, policyMethods, prepareExperiment } from './experiment.js';
import type { Comparison } from './replicated.js';

/** The allocation methods of Shih et al. 2010. */
export const POLICIES = 'best-fit,fastest-first,si,ti,ai,ai2,tai,tai2';

/** What is compared on one site, where all allocators are alike; the second need estimates of the runtimes. */
export const DISCIPLINES = ['fcfs', 'first-available'];
export const DISCIPLINES_BY_ESTIMATE = ['sjf', 'easy', 'conservative'];

/** The setting of Shih et al. 2010, where nothing else is said: for models, and for the presets of logs. */
export const PAPER = {
  workload: 'lublin99[aarr=9,jobs=30000,seed=1]',
  sites: '8,128,128,128,50',
  speeds: 'draw[sh=0.12,seed=1]',
  timeResolution: 'nearest',
} as const;

/** Speeds can be drawn for so many sites or more. */
export const FEWEST_SITES_DRAWN = 3;

/** What a comparison runs. */
export interface Compared {
  /** What is given, and what holds where nothing is, but for the disciplines, of which the methods are. */
  readonly args: Arguments;
  readonly experiment: Experiment;
}

/**
 * Reads everything that a comparison names and checks it, before anything runs.
 * @param given the options of compare.
 * @throws InputError as `prepareExperiment`.
 */
export async function prepareComparison(given: Arguments, context: Context): Promise<Compared> {
  const source = given.words.length === 0 ? PAPER.workload : joinFiles(given.words);
  const args = withDefaults(source, given).without('discipline');
  const experiment = await prepareExperiment(source, args, context, (grid, trace, settings) =>
    methodsOf(given, grid, trace, settings),
  );
  return { args, experiment };
}

function withDefaults(source: string, args: Arguments): Arguments {
  if (!isModelText(source) && !args.has('preset')) return args;
  let filled = args.withDefaults({ 'time-resolution': PAPER.timeResolution });
  if (!args.has('preset')) filled = filled.withDefaults({ sites: PAPER.sites });
  const count = filled.text('sites')?.split(',').length ?? FEWEST_SITES_DRAWN;
  const isDrawn = !args.has('heterogeneity') && count >= FEWEST_SITES_DRAWN;
  return isDrawn ? filled.withDefaults({ speeds: PAPER.speeds }) : filled;
}

/** The methods to compare: disciplines, and policies where the sites differ and the discipline leaves them a choice. */
function methodsOf(args: Arguments, grid: Grid, trace: Trace, settings: Settings): SimulationOptions[] {
  const disciplines = disciplinesOf(args, grid, trace, settings);
  const policies = policiesOf(args.withDefaults(grid.capacities.length > 1 ? { policy: POLICIES } : {}));
  const isChosen = grid.capacities.length > 1 || args.has('policy');
  return disciplines.flatMap((discipline): SimulationOptions[] => {
    const hasChoice = isChosen && (!isBackfilling(discipline) || args.has('policy'));
    return hasChoice
      ? policyMethods(policies).map((method) => ({ discipline, ...method }))
      : [{ discipline }];
  });
}

function disciplinesOf(
  args: Arguments,
  { capacities }: Grid,
  { columns }: Trace,
  { estimates }: Settings,
): Discipline[] {
  const { read } = RUN_OPTIONS.discipline;
  const given = args.texts('discipline').flatMap((text) => text.split(/[\s,]+/));
  const words = given.filter((word) => word !== '');
  if (args.has('discipline')) return [...new Set(words)].map((word) => read(word, '--discipline'));
  if (capacities.length > 1 || args.has('policy')) return ['fcfs'];
  const hasEstimates = estimates !== undefined || columns.requestedTime.some((seconds) => seconds > 0);
  const usual = hasEstimates ? [...DISCIPLINES, ...DISCIPLINES_BY_ESTIMATE] : DISCIPLINES;
  return usual.map((word) => read(word, '--discipline'));
}

/** What is the same in every document of a comparison. */
export function comparedHead({ workload, grid: { capacities, speeds } }: Experiment): object {
  return { workload: workload.name, capacities, speeds };
}

/** A comparison over replications as a document. */
export function replicatedDocument(experiment: Experiment, comparison: Comparison): object {
  const { metrics, looks, replications, perturb } = comparison;
  const documents = metrics.map((judged) =>
    judgedDocument(judged, comparison, experiment.configurations, experiment.knowledge),
  );
  const sequence = looks.length > 1 ? { looks } : {};
  const judged = documents.length === 1 ? documents[0] : { replications, perturb, metrics: documents };
  return { ...comparedHead(experiment), ...judged, ...sequence };
}

/** The same for a person. */
export function replicatedText(experiment: Experiment, comparison: Comparison, { colors }: Context): string {
  const { metrics, looks, replications, question } = comparison;
  const looked =
    looks.length > 1
      ? `, looked at after ${looks.map((look) => formatNumber(look.replications)).join(', ')}`
      : '';
  const tables = metrics.map((judged) =>
    judgedText(judged, comparison, experiment.configurations, experiment.knowledge, colors),
  );
  const head = `${formatNumber(replications)} replications (${question.perturb})${looked}. ${question.sentence}`;
  return [`${describe(experiment)}\n${head}`, ...tables, JUDGED_LEGEND].join('\n\n');
}

/** What is simulated, in some lines. */
export function describe({ workload, grid }: Experiment): string {
  const account = accountingText(workload.accounting);
  const sites = grid.capacities.map(
    (capacity, site) => `${formatNumber(capacity)} x ${formatMeasure(grid.speeds[site])}`,
  );
  return [
    `${countOf(workload.count, 'job')} of ${sourceName(workload.name)}`,
    ...(account === '' ? [] : [account]),
    `${countOf(sites.length, 'site')}, processors x speed: ${sites.join(', ')}`,
  ].join('\n');
}
