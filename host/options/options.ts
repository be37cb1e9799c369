/** The options of a simulation: one table for the command line, study files and what is written of a finished run. */
import {
  type Configuration,
  DISCIPLINES,
  INSTANTS,
  MOLDABLE_FITS,
  MOLDABLE_RULES,
  MULTI_SITE_RULES,
  RUNTIME_REFERENCES,
  SELECTIONS,
  TIME_RESOLUTIONS,
  TOPOLOGIES,
} from '../core/configuration.js';
import { parsePolicy, printPolicy } from '../core/policies.js';
import { parseCapacities } from '../grid/grid.js';
import { type Pairs, parsePairs, printPairs } from '../grid/pairs.js';
import { type Filter, parseFilter } from '../trace/filter.js';
import { type DataSizes, parseDataSizes } from '../workload/dataSizes.js';
import { type Estimates, parseEstimates } from '../workload/estimates.js';
import { HOME_RULES } from '../workload/homes.js';
import { OVERSIZE_RULES, type WorkloadOptions } from '../workload/make.js';
import type { WidthRules } from '../workload/pieces.js';
import { findPreset, PRESETS, type Preset } from '../workload/presets.js';
import {
  flag,
  number,
  numbers,
  type Option,
  type OptionsOf,
  rule,
  text,
  wholeNumber,
  word,
} from './kinds.js';
import { parseSpeedup, printSpeedup } from './moldable.js';

/** What decides the jobs: what `makeWorkload` takes besides the sites, and where they come from. */
interface JobSettings extends Omit<WorkloadOptions, 'name' | 'filters' | 'siteCount' | keyof WidthRules> {
  /** A log, or a model with parameters. */
  readonly workload: string;
  readonly preset?: Preset;
  readonly filter?: readonly Filter[];
  readonly sort?: boolean;
  readonly estimates?: Estimates;
  readonly dataSize?: DataSizes;
}

/** What decides the grid. */
interface GridSettings {
  readonly sites?: readonly number[];
  /** A list, or `draw[...]`: what it means depends on the sites. */
  readonly speeds?: string;
  readonly heterogeneity?: readonly number[];
}

/** What decides a run besides its jobs and its grid: what `makeConfiguration` takes, and gives. */
type RunSettings = Omit<Configuration, 'grid' | 'trackProcessors'>;

/** The options of one simulation; what is not given is undefined. */
export interface Settings extends JobSettings, GridSettings, Partial<RunSettings> {}

/** A bandwidth; if it is one number for all it is above 0, what stands in a matrix is checked with the grid. */
function parseBandwidth(given: string, what: string): Pairs {
  const bandwidth = parsePairs(given, what);
  return typeof bandwidth === 'number' ? number({ above: 0 }).read(given, what) : bandwidth;
}

const JOB_OPTIONS: OptionsOf<JobSettings> = {
  workload: text,
  preset: { choices: PRESETS.map(({ name }) => name), read: findPreset },
  filter: { isRepeatable: true, read: (rules) => rules.split(';').map(parseFilter) },
  sort: flag,
  home: word(HOME_RULES),
  rc: number({ above: 0, atMost: 1 }),
  maxWidth: wholeNumber({ atLeast: 1 }),
  oversize: word(OVERSIZE_RULES),
  arrivalScale: number({ above: 0 }),
  runtimeScale: number({ above: 0 }),
  estimates: { read: parseEstimates },
  dataSize: { read: parseDataSizes },
};

const GRID_OPTIONS: OptionsOf<GridSettings> = {
  sites: { read: parseCapacities },
  speeds: text,
  heterogeneity: numbers({ above: 0 }),
};

const RUN_OPTIONS: OptionsOf<RunSettings> = {
  policy: { read: (notation) => parsePolicy(notation), print: printPolicy },
  load: numbers({ above: 0 }),
  timeResolution: rule(TIME_RESOLUTIONS),
  instant: rule(INSTANTS),
  minSpeedRatio: number({ atLeast: 0 }),
  discipline: rule(DISCIPLINES),
  queue: rule(TOPOLOGIES),
  reclaim: flag,
  multiSite: rule(MULTI_SITE_RULES),
  multiSiteOverhead: { ...number({ atLeast: 0 }), needs: 'multiSite' },
  moldable: rule(MOLDABLE_RULES),
  moldableThreshold: { ...number({ above: 0 }), needs: 'moldable', absent: 0 },
  moldableFit: { ...rule(MOLDABLE_FITS), needs: 'moldable' },
  speedup: { read: parseSpeedup, print: printSpeedup, needs: 'moldable' },
  select: rule(SELECTIONS),
  multiSiteFactor: { ...number({ atLeast: 1 }), absent: 0 },
  runtimeReference: { ...rule(RUNTIME_REFERENCES), absent: 'speed1' },
  interval: { ...number({ above: 0 }), absent: 0 },
  bandwidth: { read: parseBandwidth, print: printPairs, absent: 0 },
  latency: { read: parsePairs, print: printPairs, needs: 'bandwidth' },
};

/** An option with its key in `Settings`. */
export interface NamedOption extends Option<unknown> {
  readonly key: keyof Settings;
}

/** Name of an option in study files, and with two dashes on the command line: `maxWidth` is `max-width`. */
export function optionName(key: string): string {
  return key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** Every option by its name. */
export const OPTIONS: Readonly<Record<string, NamedOption>> = Object.fromEntries(
  Object.entries<Option<unknown>>({ ...JOB_OPTIONS, ...GRID_OPTIONS, ...RUN_OPTIONS }).map(
    ([key, option]) => [optionName(key), { ...option, key: key as keyof Settings }],
  ),
);

/** Keys of the options that decide the jobs. */
export const JOB_KEYS = Object.keys(JOB_OPTIONS) as (keyof JobSettings)[];

/**
 * Reads an option.
 * @param what what errors call it.
 * @throws InputError for a text that the option does not take.
 */
export function readOption(name: string, given: string, what = name): Partial<Settings> {
  const { key, read } = OPTIONS[name];
  return { [key]: read(given, what) };
}

const RUN = Object.entries(RUN_OPTIONS) as [keyof RunSettings, Option<unknown>][];

/** What was decided for a run, by key, as plain data: words, numbers, lists, and in their notation what has one. */
export function runDocument(run: RunSettings): Record<string, unknown> {
  return Object.fromEntries(RUN.map(([key, { print }]) => [key, print?.(run[key]) ?? run[key]]));
}

/** The options of a run as text by name, defaults filled in; left out are those that say nothing in this run. */
export function printRun(run: RunSettings): Record<string, string> {
  const isGiven = (key: keyof RunSettings) => run[key] !== RUN_OPTIONS[key].absent;
  const given = RUN.filter(([key, { needs = key }]) => isGiven(key) && isGiven(needs as keyof RunSettings));
  return Object.fromEntries(given.map(([key, { print = String }]) => [optionName(key), print(run[key])]));
}
