/** Defaults of a comparison: the methods that fit its setting, and the sites. */
import { parsePolicy } from '../core/policies.js';
import { InputError } from '../errors.js';
import { formatNumber, listed } from '../format/numbers.js';
import { type Grid, parseCapacities } from '../grid/grid.js';
import { firstOf } from '../lists.js';
import { isBackfilling } from '../options/configuration.js';
import { runDocument } from '../options/document.js';
import {
  type Naming,
  type OptionKey,
  onCommandLine,
  optionName,
  optionOf,
  type Settings,
} from '../options/options.js';
import { brokenRule, reasonOf, usesEstimates } from '../options/rules.js';
import {
  type ChosenMethods,
  checkMethods,
  type Experiment,
  experimentOn,
  type Method,
} from '../simulate/experiment.js';
import { methodNames, optionText } from '../simulate/methodNames.js';
import type { Trace } from '../trace/trace.js';

/** The allocation methods of Shih et al. 2010. */
export const POLICIES = 'best-fit,fastest-first,si,ti,ai,ai2,tai,tai2';

const defaultPolicies = () => POLICIES.split(',').map((name) => parsePolicy(name));

/** Default methods on one site, where all allocators are equal. */
export const ON_ONE_SITE: readonly Method[] = [
  ...(['fcfs', 'first-available', 'sjf', 'easy'] as const).map((discipline) => ({ discipline })),
  { discipline: 'easy', backfillOrder: 'shortest' },
  { discipline: 'conservative' },
];

/** The setting of Shih et al. 2010, which `gridalloc compare` takes where no workload is named. */
export const PAPER = {
  workload: 'lublin99[aarr=9,jobs=30000,seed=1]',
  sites: '8,128,128,128,50',
  speeds: 'draw[sh=0.12,seed=1]',
  timeResolution: 'nearest',
} as const;

/** Speeds can be drawn for this many sites or more. */
const MIN_SITES_DRAWN = 3;

/** Options of a comparison without a workload: those of the paper, but for those given. */
export function paperSetting(input: Method): Method {
  const sites = input.sites ?? parseCapacities(PAPER.sites, 'sites');
  const isDrawn = input.heterogeneity === undefined && sites.length >= MIN_SITES_DRAWN;
  const speeds = isDrawn ? { speeds: PAPER.speeds } : {};
  return { timeResolution: PAPER.timeResolution, ...speeds, ...input, sites };
}

/** Methods that a comparison is to compare. */
export interface RequestedMethods {
  readonly methods: readonly Method[];
  /** True if they are all that is to be compared; else the default policies or disciplines fill in for those not given. */
  readonly areAll: boolean;
  /** True if each of them is named as a whole, so that none may be left out. */
  readonly areNamed: boolean;
  /** True if a log without requested times is refused where the default methods fill in, instead of leaving out those that need them. */
  readonly needsEstimates?: boolean;
}

/**
 * The experiment of a comparison.
 * @param naming how errors call options.
 * @throws InputError for what cannot be simulated, and methods that say the same in other words.
 */
export function comparedExperiment(
  settings: Settings,
  loaded: Trace,
  request: RequestedMethods,
  naming: Naming = onCommandLine,
): Experiment {
  const experiment = experimentOn(
    settings,
    loaded,
    areFixed(request)
      ? request.methods
      : (trace, grid) => methodsThatGo(request, settings, trace, grid, naming),
    { naming },
  );
  const duplicates = sameMethods(experiment);
  if (duplicates.size > 0 && !request.areNamed) {
    const methods = experiment.methods.filter((_, i) => !duplicates.has(i));
    const once = experimentOn(settings, loaded, methods, { naming });
    return { ...once, remarks: [...experiment.remarks, sameMethodsText(experiment, duplicates)] };
  }
  refuseSameMethods(experiment, duplicates);
  if (request.areNamed) refuseSameNames(methodNames(experiment.configurations));
  const difference = differenceInJobs(experiment);
  return difference === undefined
    ? experiment
    : { ...experiment, remarks: [...experiment.remarks, difference] };
}

/**
 * A sentence that the methods do not have the same jobs: with the number of jobs of each where these differ, or if sites
 * of their own decide how jobs are cut. Undefined where all methods have the same.
 */
function differenceInJobs({ configurations, workloads }: Experiment): string | undefined {
  if (new Set(workloads.map(({ count }) => count)).size < 2) {
    const isCut = workloads.some(({ processors }) =>
      processors.some((width, job) => width !== firstOf(workloads).processors[job]),
    );
    const areOnOwnSites = new Set(configurations.map(({ grid }) => String(grid.capacities))).size > 1;
    if (!isCut || !areOnOwnSites) return undefined;
    return 'the methods do not have the same jobs, since their sites decide how jobs are cut';
  }
  const counts = methodNames(configurations).map((name, i) => `${name} ${formatNumber(workloads[i]!.count)}`);
  return `the methods do not have the same jobs, since their options decide which jobs fit: ${counts.join(', ')}`;
}

/** Refuses methods that do not go with a setting, before its log is read, where none may be left out. */
export function checkAsked(
  settings: Settings,
  request: RequestedMethods,
  naming: Naming = onCommandLine,
): void {
  if (areFixed(request)) checkMethods(settings, request.methods, naming);
}

const areFixed = ({ methods, areAll, areNamed }: RequestedMethods) =>
  areNamed || (areAll && methods.length === 1);

/**
 * The methods of a comparison that go with its setting; those that do not are left out, by name. Where neither
 * policies nor whole methods are named these are the default ones: the allocators on several sites, each under the disciplines
 * that leave it a choice; on one site disciplines.
 * @throws InputError where none is left.
 */
function methodsThatGo(
  { methods: requested, areAll, needsEstimates = false }: RequestedMethods,
  settings: Settings,
  trace: Trace,
  { capacities }: Grid,
  naming: Naming,
): ChosenMethods {
  const isOfSites = capacities.length > 1;
  const isAsked = requested.some(({ discipline }) => discipline !== undefined);
  const disciplines: readonly Method[] = isAsked
    ? requested
    : isOfSites
      ? [{ discipline: 'fcfs' }]
      : ON_ONE_SITE;
  const { methods: applicable, remarks: omissions } = areAll
    ? withoutIdleOptions(requested, settings, naming, capacities.length)
    : { methods: [], remarks: [] };
  const all = areAll
    ? applicable
    : disciplines.flatMap((method) => {
        const { discipline = 'fcfs', moldable = 'none' } = { ...settings, ...method };
        const hasChoice = isOfSites && !isBackfilling(discipline) && moldable === 'none';
        return hasChoice ? defaultPolicies().map((policy) => ({ ...method, policy })) : [method];
      });
  const reasons = all.map((method) => {
    const set = { ...settings, ...method };
    const broken = brokenRule(set, naming, capacities.length);
    if (broken !== undefined) return reasonOf(broken, naming);
    return areAll || isAsked || needsEstimates ? undefined : lackOfEstimates(set, trace, naming);
  });
  const methods = all.filter((_, i) => reasons[i] === undefined);
  if (methods.length === 0) {
    if (all.length === 1) checkMethods(settings, all, naming);
    throw new InputError(`no method is left to compare: ${reasons[0]}`);
  }
  const skipped = [...new Set(reasons)].flatMap((reason) => {
    const names = all.filter((_, i) => reasons[i] === reason).map(textOf);
    const are = names.length === 1 ? 'is' : 'are';
    return reason === undefined ? [] : [`${listed(names)} ${are} skipped: ${reason}`];
  });
  return { methods, remarks: [...omissions, ...(skipped.length === 0 ? [] : [skipped.join('; ')])] };
}

/**
 * Combinations of listed values without the options that do not apply under their discipline or policy, each combination once:
 * of `easy,conservative` with `--backfill-order submit,shortest` conservative stays, without an order of backfilling.
 */
function withoutIdleOptions(
  combinations: readonly Method[],
  settings: Settings,
  naming: Naming,
  siteCount: number,
): ChosenMethods {
  const kept = new Map<string, Method>();
  /** The methods without an option, by that and the reason. */
  const without = new Map<string, Set<string>>();
  for (const combination of combinations) {
    let method = combination;
    const reasons: string[] = [];
    for (;;) {
      const broken = brokenRule({ ...settings, ...method }, naming, siteCount);
      const idle = broken?.options.find((key) => key in method && key !== 'discipline' && key !== 'policy');
      if (broken === undefined || idle === undefined) break;
      const { [idle as keyof Method]: _, ...others } = method;
      if (Object.keys(others).length === 0) break;
      method = others;
      reasons.push(`without --${optionName(idle)}: ${reasonOf(broken, naming)}`);
    }
    kept.set(textOf(method), method);
    for (const reason of reasons) without.set(reason, (without.get(reason) ?? new Set()).add(textOf(method)));
  }
  const sentences = [...without].map(([reason, names]) => `${fewOf([...names])} ${reason}`);
  const remark = `options that do not apply are omitted; compared are ${fewOf(sentences, '; ')}`;
  return { methods: [...kept.values()], remarks: sentences.length === 0 ? [] : [remark] };
}

/** Reason why a method cannot be simulated that decides by estimates which the log lacks. */
export function lackOfEstimates(settings: Settings, { columns }: Trace, naming: Naming): string | undefined {
  const isKnown = settings.estimates !== undefined || columns.requestedTime.some((seconds) => seconds > 0);
  if (isKnown || !usesEstimates(settings)) return undefined;
  return `estimates are needed, but no job requests a time; ${naming('estimates', 'exact')} takes the runtimes`;
}

/** A method in words: `easy backfill shortest`; its name if the user gave it one. */
export function textOf({ name, ...method }: Method): string {
  if (name !== undefined) return name;
  const entries = Object.entries(method) as [OptionKey, unknown][];
  return entries.map(([key, value]) => optionText([optionName(key), optionOf(key).print(value)])).join(' ');
}

const MAX_LISTED = 3;

/** The first of some texts, and how many more there are. */
function fewOf(texts: readonly string[], between?: string): string {
  const more = texts.length - MAX_LISTED;
  const shown = more > 0 ? [...texts.slice(0, MAX_LISTED), `${formatNumber(more)} more`] : texts;
  return between === undefined ? listed(shown) : shown.join(between);
}

/** The methods that say the same as an earlier one in other words, by their places, with the places of these. */
function sameMethods({ configurations }: Experiment): Map<number, number> {
  const texts = configurations.map((each) =>
    JSON.stringify([runDocument(each), each.grid, each.labels?.estimates]),
  );
  return new Map(
    texts.flatMap((text, i) => {
      const first = texts.indexOf(text);
      return first < i ? [[i, first] as const] : [];
    }),
  );
}

/** @throws InputError for two methods with one name. */
function refuseSameNames(names: readonly string[]): void {
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined)
    throw new InputError(`two methods are called '${twice}'; give each a name of its own`);
}

/** A sentence with the combinations that are compared once. */
function sameMethodsText({ methods }: Experiment, duplicates: ReadonlyMap<number, number>): string {
  const pairs = [...duplicates].map(
    ([i, first]) => `${textOf(methods[i]!)} is the same as ${textOf(methods[first]!)}`,
  );
  return `combinations that are the same method are compared once: ${fewOf(pairs)}`;
}

/** @throws InputError for methods that say the same in other words. */
function refuseSameMethods({ methods }: Experiment, duplicates: ReadonlyMap<number, number>): void {
  for (const [i, first] of duplicates)
    throw new InputError(
      `'${textOf(methods[first]!)}' and '${textOf(methods[i]!)}' are the same method; give one of the two`,
    );
}
