/** Runs of a finished study or of several simulations as methods of one setting, as the explorer shows them. */
import { InputError } from '../errors.js';
import { isUsual, printRun } from '../options/document.js';
import { type Plan, type PlannedRun, parametersOf, runConfiguration } from '../study/plan.js';
import type { OptionTexts } from '../study/schema.js';

/** Options that say a method even where all have the same. */
export const OF_METHODS = ['policy', 'discipline', 'order', 'backfill-order'];
/** More are not to be told apart. */
const MOST = 8;

/** A setting and its methods. */
export interface SideBySide {
  readonly options: OptionTexts;
  readonly methods: readonly OptionTexts[];
  /** How many runs are of other settings, or are too many. */
  readonly left: number;
  /** Whether the runs are of replications of the jobs, in whose place the jobs as they are stand. */
  readonly isReplicated: boolean;
}

/** Options that name a method, which are said wherever methods differ in them. */
const NAMING = ['policy', 'discipline'];

/** What runs have in common, and what each has alone; without what holds unsaid. */
export function sideBySide(runs: readonly OptionTexts[]): Pick<SideBySide, 'options' | 'methods'> {
  const names = [...new Set(runs.flatMap((texts) => Object.keys(texts)))];
  const differs = (name: string) => runs.some((texts) => texts[name] !== runs[0]?.[name]);
  const own = names.filter((name) => OF_METHODS.includes(name) || differs(name));
  const isSaid = ([name, text]: readonly [string, string]) =>
    name === 'workload' || (NAMING.includes(name) && differs(name)) || !isUsual(name, text);
  const said = (texts: OptionTexts, isOwn: boolean) =>
    Object.fromEntries(
      Object.entries(texts).filter((entry) => own.includes(entry[0]) === isOwn && isSaid(entry)),
    );
  return { options: said(runs[0] ?? {}, false), methods: runs.map((texts) => said(texts, true)) };
}

/** What runs of one setting have in common: the jobs, the grid and its load. */
function settingOf({ workload, common: { sites, speeds, load } }: PlannedRun): string {
  return JSON.stringify([workload, sites, speeds, load]);
}

/**
 * The first setting of a plan, with all its methods.
 * @throws InputError for a plan of an earlier version, and for functions from files, of which a plan has no text.
 */
export function firstSetting({ study, runs, sources }: Plan): SideBySide {
  const [first] = runs;
  const source = first === undefined ? undefined : sources[first.workload];
  if (first === undefined || source === undefined)
    throw new InputError(`the study ${study} does not say how its jobs are made; run it again`);
  const ofFirst = runs.filter((run) => settingOf(run) === settingOf(first));
  if (ofFirst.some(({ common }) => common.code !== undefined))
    throw new InputError(
      `the study ${study} has functions from files; explore its log with --policy and these files instead`,
    );
  const shown = ofFirst.slice(0, MOST);
  const printed = shown.map((run) => printRun(runConfiguration(parametersOf(run))));
  // What some runs say is not that of the first for those that do not.
  const said = new Set(printed.flatMap(Object.keys));
  const common = Object.fromEntries(Object.entries(source).filter(([name]) => !said.has(name)));
  // The jobs themselves, and not one of their replications.
  const { replication, ...options } = common;
  const beside = sideBySide(printed.map((texts) => ({ ...options, ...texts })));
  return { ...beside, left: runs.length - shown.length, isReplicated: replication !== undefined };
}
