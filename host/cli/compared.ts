/** What compare sets side by side: the setting where nothing else is said, the methods, and what their replications come to. */

import { InputError } from '../errors.js';
import { joinFiles } from '../files/logFiles.js';
import { countOf, formatMeasure, formatNumber } from '../format/numbers.js';
import type { Grid } from '../grid/grid.js';
import { isBackfilling } from '../options/configuration.js';
import { settingsText } from '../options/document.js';
import { onCommandLine, type Settings } from '../options/options.js';
import { brokenRule, reasonOf, usesEstimates } from '../options/rules.js';
import { judgedDocument, judgedLegend, judgedText, wrapped } from '../show/replicationsText.js';
import { accountingText } from '../show/simulationText.js';
import { checkMethods, type Method, withMethod } from '../simulate/experiment.js';
import { sourceName } from '../trace/quote.js';
import type { Trace } from '../trace/trace.js';
import { isModelText } from '../workload/models.js';
import { askedMethods, type CommandExperiment, methodsOf, prepareExperiment, readSettings } from './asked.js';
import type { Arguments } from './command.js';
import { textsOf } from './commandOptions.js';
import type { Context } from './context.js';
import type { Comparison } from './replicated.js';

/** The allocation methods of Shih et al. 2010. */
export const POLICIES = 'best-fit,fastest-first,si,ti,ai,ai2,tai,tai2';

/** What is compared on one site, where all allocators are alike. */
export const DISCIPLINES = ['fcfs', 'first-available', 'sjf', 'easy', 'conservative'] as const;

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
  /** What is given, and what holds where nothing is. */
  readonly args: Arguments;
  readonly experiment: CommandExperiment;
}

/**
 * Reads everything that a comparison names and checks it, before anything runs; says which of the usual methods do not go
 * with what is asked for.
 * @param given the options of compare.
 * @throws InputError as `prepareExperiment`.
 */
export async function prepareComparison(given: Arguments, context: Context): Promise<Compared> {
  const [args, settings] = comparedSettings(given);
  const asked = askedMethods(textsOf(args));
  const experiment = await prepareExperiment(
    settings,
    context,
    args.has('policy') ? asked : (trace, grid) => usualMethods(asked, settings, trace, grid, context),
  );
  return { args, experiment };
}

/** What is given, with what holds where nothing is, and the settings that all methods have in common. */
export function comparedSettings(given: Arguments): [Arguments, Settings] {
  const source = given.words.length === 0 ? PAPER.workload : joinFiles(given.words);
  const args = withDefaults(source, given);
  return [args, readSettings(source, textsOf(args))];
}

function withDefaults(source: string, args: Arguments): Arguments {
  if (!isModelText(source) && !args.has('preset')) return args;
  let filled = args.withDefaults({ 'time-resolution': PAPER.timeResolution });
  if (!args.has('preset')) filled = filled.withDefaults({ sites: PAPER.sites });
  const count = filled.text('sites')?.split(',').length ?? FEWEST_SITES_DRAWN;
  const isDrawn = !args.has('heterogeneity') && count >= FEWEST_SITES_DRAWN;
  return isDrawn ? filled.withDefaults({ speeds: PAPER.speeds }) : filled;
}

/**
 * The usual methods where no policies are named: the allocators on several sites, each under the disciplines that leave
 * it a choice; on one site disciplines. Those that do not go with the setting are left out, in so many words.
 * @param asked the disciplines asked for, if any.
 * @throws InputError where a method that is asked for, or every usual one, does not go with the setting.
 */
async function usualMethods(
  asked: readonly Method[],
  settings: Settings,
  trace: Trace,
  { capacities }: Grid,
  context: Context,
): Promise<readonly Method[]> {
  const isAsked = asked.some(({ discipline }) => discipline !== undefined);
  if (isAsked) checkMethods(settings, asked);
  const isOfSites = capacities.length > 1;
  const disciplines = isAsked ? asked : methodsOf(isOfSites ? ['fcfs'] : DISCIPLINES, []);
  const usual = disciplines.flatMap((method) => {
    const { discipline = 'fcfs', moldable = 'none' } = withMethod(settings, method);
    const hasChoice = isOfSites && !isBackfilling(discipline) && moldable === 'none';
    return hasChoice ? POLICIES.split(',').map((policy) => ({ ...method, policy })) : [method];
  });
  if (isAsked) return usual;
  const reasons = usual.map((method) => reasonAgainst(method, settings, trace));
  const methods = usual.filter((_, i) => reasons[i] === undefined);
  if (methods.length === 0) throw new InputError(`no usual method is left to compare: ${reasons[0]}`);
  for (const [i, reason] of reasons.entries()) {
    if (reason !== undefined) await context.say(`${nameOf(usual[i])} is left out: ${reason}`);
  }
  return methods;
}

/** Why a method does not go with a setting, or decides by estimates that the log lacks. */
function reasonAgainst(method: Method, settings: Settings, { columns }: Trace): string | undefined {
  const asked = withMethod(settings, method);
  const broken = brokenRule(asked, onCommandLine);
  if (broken !== undefined) return reasonOf(broken, onCommandLine);
  const isKnown = settings.estimates !== undefined || columns.requestedTime.some((seconds) => seconds > 0);
  if (isKnown || !usesEstimates(asked)) return undefined;
  return 'it decides by requested times, and no job requests one; --estimates exact takes the runtimes';
}

/** A usual method in a word. */
function nameOf({ discipline = '', policy = discipline }: Method): string {
  return policy;
}

/** What is the same in every document of a comparison. */
export function comparedHead({ workload, grid: { capacities, speeds } }: CommandExperiment): object {
  return { workload: workload.name, capacities, speeds };
}

/** A comparison over replications as a document. */
export function replicatedDocument(experiment: CommandExperiment, comparison: Comparison): object {
  const { metrics, looks, replications, population } = comparison;
  const documents = metrics.map((judged) =>
    judgedDocument(judged, comparison, experiment.configurations, experiment.knowledge),
  );
  const sequence = looks.length > 1 ? { looks } : {};
  const several = { replications, perturb: population.perturb, metrics: documents };
  return { ...comparedHead(experiment), ...(documents.length === 1 ? documents[0] : several), ...sequence };
}

/** The same for a person. */
export function replicatedText(
  experiment: CommandExperiment,
  comparison: Comparison,
  args: Arguments,
  { colors }: Context,
): string {
  const { metrics, looks, replications, population } = comparison;
  const looked = looks.length > 1 ? `, looked at ${countOf(looks.length, 'time')} until decided` : '';
  const tables = metrics.map((judged) =>
    judgedText(judged, comparison, experiment.configurations, experiment.knowledge, colors),
  );
  const head = `${formatNumber(replications)} ${population.copies}${looked} (--perturb ${population.perturb})`;
  return [`${describe(experiment, args)}\n${wrapped(head)}`, ...tables, judgedLegend(comparison)].join(
    '\n\n',
  );
}

/** What is simulated, with every setting that is not as usual, in some lines. */
export function describe({ workload, grid }: CommandExperiment, args: Arguments): string {
  const account = accountingText(workload.accounting);
  const { perturb: _, policy: __, discipline: ___, ...texts } = textsOf(args);
  const set = settingsText(texts, '');
  const sites = grid.capacities.map(
    (capacity, site) => `${formatNumber(capacity)} x ${formatMeasure(grid.speeds[site])}`,
  );
  return [
    `${countOf(workload.count, 'job')} of ${sourceName(workload.name)}`,
    ...(account === '' ? [] : [account]),
    wrapped(`${countOf(sites.length, 'site')}, processors x speed: ${sites.join(', ')}`),
    ...(set === '' ? [] : [wrapped(set)]),
  ].join('\n');
}
