/** What compare sets side by side: the setting where nothing else is said, the methods, and what their replications come to. */

import { InputError } from '../errors.js';
import { joinFiles } from '../files/logFiles.js';
import { countOf, formatMeasure, formatNumber } from '../format/numbers.js';
import type { Grid } from '../grid/grid.js';
import { isBackfilling } from '../options/configuration.js';
import { runDocument, settingsText } from '../options/document.js';
import { onCommandLine, type Settings } from '../options/options.js';
import { brokenRule, reasonOf, usesEstimates } from '../options/rules.js';
import { optionText } from '../show/methodNames.js';
import {
  type JudgedComparison,
  judgedDocument,
  judgedLegend,
  judgedText,
  wrapped,
} from '../show/replicationsText.js';
import { accountingText } from '../show/simulationText.js';
import { listed } from '../show/verdictText.js';
import { checkMethods, type Method, withMethod } from '../simulate/experiment.js';
import { sourceName } from '../trace/quote.js';
import type { Trace } from '../trace/trace.js';
import { isModelText } from '../workload/models.js';
import { type CommandExperiment, prepareExperiment, readSettings } from './asked.js';
import { type AskedMethods, comparedMethods } from './askedMethods.js';
import type { Arguments } from './command.js';
import type { Context } from './context.js';

/** The allocation methods of Shih et al. 2010. */
export const POLICIES = 'best-fit,fastest-first,si,ti,ai,ai2,tai,tai2';

/** What is compared on one site, where all allocators are alike. */
const ON_ONE_SITE: readonly Method[] = [
  ...['fcfs', 'first-available', 'sjf', 'easy'].map((discipline) => ({ discipline })),
  { discipline: 'easy', 'backfill-order': 'shortest' },
  { discipline: 'conservative' },
];

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
 * Reads everything that a comparison names and checks it, before anything runs; says which methods are left out since they
 * do not go with what is asked for.
 * @param given the options of compare.
 * @throws InputError as `prepareExperiment`.
 */
export async function prepareComparison(given: Arguments, context: Context): Promise<Compared> {
  const [args, settings, asked] = comparedSettings(given);
  const isOne = asked.areNamed || (asked.areAll && asked.methods.length === 1);
  const experiment = await prepareExperiment(
    settings,
    context,
    isOne ? asked.methods : (trace, grid) => methodsThatGo(asked, settings, trace, grid, context),
  );
  refuseSame(experiment);
  return { args, experiment };
}

/** What is given, with what holds where nothing is, the settings that all methods have in common, and the methods. */
export function comparedSettings(given: Arguments): [Arguments, Settings, AskedMethods] {
  const source = given.words.length === 0 ? PAPER.workload : joinFiles(given.words);
  const args = withDefaults(source, given);
  const asked = comparedMethods(args);
  return [args, readSettings(source, asked.common), asked];
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
 * The methods of a comparison that go with its setting; those that do not are left out, in so many words. Where neither
 * policies nor whole methods are named these are the usual ones: the allocators on several sites, each under the disciplines
 * that leave it a choice; on one site disciplines.
 * @throws InputError where none is left.
 */
async function methodsThatGo(
  { methods: asked, areAll }: AskedMethods,
  settings: Settings,
  trace: Trace,
  { capacities }: Grid,
  context: Context,
): Promise<readonly Method[]> {
  const isOfSites = capacities.length > 1;
  const isAsked = asked.some(({ discipline }) => discipline !== undefined);
  const disciplines = isAsked ? asked : isOfSites ? [{ discipline: 'fcfs' }] : ON_ONE_SITE;
  const all = areAll
    ? asked
    : disciplines.flatMap((method) => {
        const { discipline = 'fcfs', moldable = 'none' } = withMethod(settings, method);
        const hasChoice = isOfSites && !isBackfilling(discipline) && moldable === 'none';
        return hasChoice ? POLICIES.split(',').map((policy) => ({ ...method, policy })) : [method];
      });
  const reasons = all.map((method) => {
    const set = withMethod(settings, method);
    const broken = brokenRule(set, onCommandLine, capacities.length);
    if (broken !== undefined) return reasonOf(broken, onCommandLine);
    return areAll || isAsked ? undefined : lackOfEstimates(set, trace);
  });
  const methods = all.filter((_, i) => reasons[i] === undefined);
  if (methods.length === 0) {
    if (all.length === 1) checkMethods(settings, all);
    throw new InputError(`no method is left to compare: ${reasons[0]}`);
  }
  for (const reason of new Set(reasons)) {
    const names = all.filter((_, i) => reasons[i] === reason).map(textOf);
    if (reason !== undefined)
      await context.say(`${listed(names)} ${names.length === 1 ? 'is' : 'are'} left out: ${reason}`);
  }
  return methods;
}

/** Why a method cannot be simulated that decides by estimates which the log lacks. */
function lackOfEstimates(settings: Settings, { columns }: Trace): string | undefined {
  const isKnown = settings.estimates !== undefined || columns.requestedTime.some((seconds) => seconds > 0);
  if (isKnown || !usesEstimates(settings)) return undefined;
  return 'it decides by requested times, and no job requests one; --estimates exact takes the runtimes';
}

/** A method in words: `easy backfill shortest`. */
function textOf(method: Method): string {
  return Object.entries(method).map(optionText).join(' ');
}

/** @throws InputError for methods that say the same in other words. */
function refuseSame({ configurations, methods }: CommandExperiment): void {
  const texts = configurations.map((each) => JSON.stringify(runDocument(each)));
  for (const [i, text] of texts.entries()) {
    const first = texts.indexOf(text);
    if (first < i)
      throw new InputError(
        `'${textOf(methods[first])}' and '${textOf(methods[i])}' are the same method; give one of the two`,
      );
  }
}

/** What is the same in every document of a comparison. */
export function comparedHead({ workload, grid: { capacities, speeds } }: CommandExperiment): object {
  return { workload: workload.name, capacities, speeds };
}

/** A comparison over replications as a document. */
export function replicatedDocument(experiment: CommandExperiment, comparison: JudgedComparison): object {
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
  comparison: JudgedComparison,
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
export function describe(experiment: CommandExperiment, args: Arguments): string {
  return settingLines(experiment, args).map(wrapped).join('\n');
}

/** The same, however long lines are. */
export function settingLines({ workload, grid }: CommandExperiment, args: Arguments): string[] {
  const account = accountingText(workload.accounting);
  const { perturb: _, ...texts } = comparedMethods(args).common;
  const set = settingsText(texts, '');
  const sites = grid.capacities.map(
    (capacity, site) => `${formatNumber(capacity)} x ${formatMeasure(grid.speeds[site])}`,
  );
  return [
    `${countOf(workload.count, 'job')} of ${sourceName(workload.name)}`,
    ...(account === '' ? [] : [account]),
    `${countOf(sites.length, 'site')}, processors x speed: ${sites.join(', ')}`,
    ...(set === '' ? [] : [set]),
  ];
}
