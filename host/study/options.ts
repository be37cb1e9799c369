/** The options of a setting, as text, read into what a simulation takes. Names and texts are those of `simulate`. */

import {
  DISCIPLINES,
  type Discipline,
  INSTANTS,
  type InstantRule,
  MOLDABLE_FITS,
  MOLDABLE_RULES,
  type MoldableFit,
  type MoldableRule,
  MULTI_SITE_RULES,
  type MultiSiteRule,
  type Speedup,
  TIME_RESOLUTIONS,
  type TimeResolution,
  TOPOLOGIES,
  type Topology,
} from '../core/configuration.js';
import { type Policy, parsePolicy } from '../core/policies.js';
import { InputError } from '../errors.js';
import { parseCapacities } from '../grid/grid.js';
import { parseSpeedup } from '../metrics/moldable.js';
import type { SimulationOptions } from '../metrics/simulate.js';
import { parseNumber, parseNumberList, parseWholeNumber, unknownName } from '../notation.js';
import { type Filter, parseFilter } from '../trace/filter.js';
import { type Estimates, parseEstimates } from '../workload/estimates.js';
import { HOME_RULES, type HomeRule } from '../workload/homes.js';
import { OVERSIZE_RULES, type OversizeRule } from '../workload/make.js';
import type { Placement } from '../workload/pieces.js';
import { findPreset, type Preset } from '../workload/presets.js';
import type { OptionTexts } from './definition.js';

/** The options of one setting; what is not given is undefined. */
export interface Settings {
  readonly workload: string;
  readonly preset?: Preset;
  readonly filter?: readonly Filter[];
  readonly sort?: boolean;
  readonly home?: HomeRule;
  readonly rc?: number;
  readonly 'max-width'?: number;
  readonly oversize?: OversizeRule;
  readonly 'arrival-scale'?: number;
  readonly 'runtime-scale'?: number;
  readonly estimates?: Estimates;
  readonly sites?: readonly number[];
  /** A list, or `draw[...]`: what it means depends on the sites. */
  readonly speeds?: string;
  readonly heterogeneity?: readonly number[];
  readonly load?: readonly number[];
  readonly policy?: Policy;
  readonly 'min-speed-ratio'?: number;
  readonly 'time-resolution'?: TimeResolution;
  readonly instant?: InstantRule;
  readonly discipline?: Discipline;
  readonly queue?: Topology;
  readonly reclaim?: boolean;
  readonly 'multi-site'?: MultiSiteRule;
  readonly 'multi-site-overhead'?: number;
  readonly moldable?: MoldableRule;
  readonly 'moldable-threshold'?: number;
  readonly 'moldable-fit'?: MoldableFit;
  readonly speedup?: 'linear' | Speedup;
}

function word<Word extends string>(known: readonly Word[]): (text: string, what: string) => Word {
  return (text, what) => {
    if (!known.includes(text as Word)) throw unknownName(`value of ${what}`, text, known);
    return text as Word;
  };
}

const truth = (text: string, what: string) => word(['true', 'false'])(text, what) === 'true';
const positive = (text: string, what: string) => parseNumber(text, what, { above: 0 });
const positives = (text: string, what: string) => parseNumberList(text, what, { above: 0 });

/** How each option is read. */
const READERS: {
  readonly [Name in keyof Settings]-?: (text: string, what: string) => NonNullable<Settings[Name]>;
} = {
  workload: (text) => text,
  preset: findPreset,
  filter: (text) => text.split(';').map(parseFilter),
  sort: truth,
  home: word(HOME_RULES),
  rc: (text, what) => parseNumber(text, what, { above: 0, atMost: 1 }),
  'max-width': (text, what) => parseWholeNumber(text, what, { atLeast: 1 }),
  oversize: word(OVERSIZE_RULES),
  'arrival-scale': positive,
  'runtime-scale': positive,
  estimates: parseEstimates,
  sites: parseCapacities,
  speeds: (text) => text,
  heterogeneity: positives,
  load: positives,
  policy: (text) => parsePolicy(text),
  'min-speed-ratio': (text, what) => parseNumber(text, what, { atLeast: 0 }),
  'time-resolution': word(Object.keys(TIME_RESOLUTIONS) as TimeResolution[]),
  instant: word(Object.keys(INSTANTS) as InstantRule[]),
  discipline: word(Object.keys(DISCIPLINES) as Discipline[]),
  queue: word(Object.keys(TOPOLOGIES) as Topology[]),
  reclaim: truth,
  'multi-site': word(Object.keys(MULTI_SITE_RULES) as MultiSiteRule[]),
  'multi-site-overhead': (text, what) => parseNumber(text, what, { atLeast: 0 }),
  moldable: word(Object.keys(MOLDABLE_RULES) as MoldableRule[]),
  'moldable-threshold': positive,
  'moldable-fit': word(Object.keys(MOLDABLE_FITS) as MoldableFit[]),
  speedup: parseSpeedup,
};

/** Names of the options that a study can set, in the order of the result table. */
export const STUDY_OPTIONS = Object.keys(READERS) as (keyof Settings)[];

/** Text that stands for an option not being given. */
const ABSENT = 'none';

/** Checks the name of an option. */
export function checkOptionName(name: string): void {
  if (!Object.hasOwn(READERS, name)) throw unknownName('option', name, STUDY_OPTIONS);
}

/**
 * Reads the options of a setting.
 * @param locate where an option comes from, for the errors.
 * @throws InputError for a text that an option does not take, no workload, or options that contradict each other.
 */
export function readSettings(options: OptionTexts, locate: (option: string) => string): Settings {
  const settings: Record<string, unknown> = {};
  for (const [name, text] of Object.entries(options)) {
    if (text === ABSENT && name !== 'home') continue;
    try {
      settings[name] = READERS[name as keyof Settings](text, name);
    } catch (error) {
      throw located(error, locate(name));
    }
  }
  if (settings.workload === undefined) {
    throw new InputError(
      `${locate('workload')}: simulate needs a workload: a log, $TRACE, or a model such as lublin99`,
    );
  }
  for (const [one, other] of [
    ['rc', 'max-width'],
    ['speeds', 'heterogeneity'],
  ]) {
    if (settings[one] === undefined || settings[other] === undefined) continue;
    throw new InputError(
      `${locate(other)}: '${one}' and '${other}' say the same thing; give only one of them`,
    );
  }
  return settings as unknown as Settings;
}

/** An InputError with the place in front; other errors as they are. */
export function located(error: unknown, place: string): unknown {
  return error instanceof InputError ? new InputError(`${place}: ${error.message}`) : error;
}

/** The options of a setting that decide a simulation besides its jobs and its grid. */
export function simulationOptions(settings: Settings): SimulationOptions {
  return {
    policy: settings.policy,
    load: settings.load,
    timeResolution: settings['time-resolution'],
    instant: settings.instant,
    minSpeedRatio: settings['min-speed-ratio'],
    discipline: settings.discipline,
    queue: settings.queue,
    reclaim: settings.reclaim,
    multiSite: settings['multi-site'],
    multiSiteOverhead: settings['multi-site-overhead'],
    moldable: settings.moldable,
    moldableThreshold: settings['moldable-threshold'],
    moldableFit: settings['moldable-fit'],
    speedup: settings.speedup,
  };
}

/** How jobs are placed, as far as it decides how wide they may be. */
export function placementOf({ queue, moldable, reclaim, ...settings }: Settings): Placement {
  if (queue === 'independent') return 'home';
  if (moldable !== undefined) return 'moldable';
  if (settings['multi-site'] !== undefined) return 'multi-site';
  return reclaim ? 'reclaim' : 'single-site';
}
