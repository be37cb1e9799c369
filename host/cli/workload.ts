/** From the options of a command line to a log, a grid and the jobs. */
import { InputError } from '../errors.js';
import { type Grid, makeGrid, parseCapacities } from '../grid/grid.js';
import { parseSpeeds } from '../grid/speeds.js';
import { nearest, parseNumber, parseNumberList, parseWholeNumber } from '../notation.js';
import { type Filter, parseFilter } from '../trace/filter.js';
import { sourceName } from '../trace/quote.js';
import { readTrace } from '../trace/read.js';
import type { Trace } from '../trace/trace.js';
import { parseEstimates, requireEstimates, withEstimates } from '../workload/estimates.js';
import { defaultHomeRule, type HomeRule } from '../workload/homes.js';
import { makeWorkload, type OversizeRule, type WorkloadOptions } from '../workload/make.js';
import { isModelText, MODELS, makeModelTrace } from '../workload/models.js';
import type { Placement } from '../workload/pieces.js';
import { findPreset, type Preset } from '../workload/presets.js';
import type { Workload } from '../workload/workload.js';
import type { Arguments } from './arguments.js';
import type { Context } from './context.js';

/** Reads the log, or makes that of the model, which a WORKLOAD names; shows progress and can be interrupted. */
export async function loadTrace(source: string, args: Arguments, context: Context): Promise<Trace> {
  // A misspelt model with parameters is no path either.
  if (isModelText(source) || /^\w+\[.*\]$/.test(source)) return makeModelTrace(source);
  const progress = context.progress(`reading ${sourceName(source)}`);
  try {
    return await readTrace(source, {
      sort: args.has('sort'),
      input: context.io.stdin,
      onProgress: (bytes, total) => {
        context.io.signal.throwIfAborted();
        progress.update(bytes, total);
      },
    });
  } catch (error) {
    const model =
      error instanceof InputError
        ? nearest(
            source,
            MODELS.map(({ name }) => name),
          )
        : undefined;
    if (model === undefined) throw error;
    throw new InputError(`${(error as Error).message}, or did you mean the model ${model}?`);
  } finally {
    progress.end();
  }
}

/** The preset asked for. */
export function presetOf(args: Arguments): Preset | undefined {
  const name = args.text('preset');
  return name === undefined ? undefined : findPreset(name);
}

/** The filters of the preset, then those asked for. */
export function filtersOf(args: Arguments): Filter[] {
  return [...(presetOf(args)?.filters ?? []), ...args.texts('filter').map(parseFilter)];
}

function refuseBoth(args: Arguments, one: string, other: string, what: string): void {
  if (args.text(one) === undefined || args.text(other) === undefined) return;
  throw new InputError(`--${one} and --${other} both ${what}; give only one of them`);
}

/** What the options say about making jobs, apart from sites; options that contradict each other are refused. */
export function workloadOptions(args: Arguments, trace: Trace): Omit<WorkloadOptions, 'siteCount'> {
  refuseBoth(args, 'rc', 'max-width', 'limit the width of jobs');
  const scale = (text: string, what: string) => parseNumber(text, what, { above: 0 });
  return {
    filters: filtersOf(args),
    home: (args.text('home') as HomeRule | undefined) ?? presetOf(args)?.home ?? defaultHomeRule(trace),
    rc: args.read('rc', (text, what) => parseNumber(text, what, { above: 0, atMost: 1 })),
    maxWidth: args.read('max-width', (text, what) => parseWholeNumber(text, what, { atLeast: 1 })),
    oversize: args.text('oversize') as OversizeRule | undefined,
    arrivalScale: args.read('arrival-scale', scale),
    runtimeScale: args.read('runtime-scale', scale),
  };
}

/** One site as large as the machine of the log; if the header does not say, as large as its widest job. */
async function singleSite(trace: Trace, args: Arguments, context: Context): Promise<number[]> {
  if (trace.header.maxProcessors !== undefined) return [trace.header.maxProcessors];
  const { processors } = makeWorkload(trace, { filters: filtersOf(args), siteCount: 1 });
  const widest = processors.reduce((most, width) => Math.max(most, width), 1);
  await context.say(
    `${sourceName(trace.source)} does not give the size of its machine; taking one site of ${widest} processors, its widest job`,
  );
  return [widest];
}

/** The sizes of the sites asked for, or those of the preset. */
export function sitesOf(args: Arguments): readonly number[] | undefined {
  return args.read('sites', parseCapacities) ?? presetOf(args)?.capacities;
}

/** Sites and speeds from the options. */
export async function gridOf(trace: Trace, args: Arguments, context: Context): Promise<Grid> {
  refuseBoth(args, 'speeds', 'heterogeneity', 'say how fast the sites are');
  const capacities = sitesOf(args) ?? (await singleSite(trace, args, context));
  return makeGrid({
    capacities,
    speeds: args.read('speeds', (text) => parseSpeeds(text, capacities)),
    heterogeneity: args.read('heterogeneity', (text, what) => parseNumberList(text, what, { above: 0 })),
  });
}

/** The jobs for a grid. */
export function jobsFor(trace: Trace, grid: Grid, args: Arguments): Workload {
  const workload = makeWorkload(trace, {
    ...workloadOptions(args, trace),
    siteCount: grid.capacities.length,
    capacities: grid.capacities,
    speeds: grid.speeds,
    minSpeedRatio: minSpeedRatioOf(args),
    placement: placementOf(args),
  });
  const estimates = args.read('estimates', parseEstimates) ?? { source: 'trace' };
  if (estimates.source === 'trace' && args.has('moldable-threshold')) requireEstimates(trace);
  return withEstimates(workload, estimates);
}

/** The speed ratio of the options, 0 by default. */
export function minSpeedRatioOf(args: Arguments): number {
  return args.read('min-speed-ratio', (text, what) => parseNumber(text, what, { atLeast: 0 })) ?? 0;
}

/** How the run will place jobs, as far as it decides how wide they may be. */
function placementOf(args: Arguments): Placement {
  if (args.text('queue') === 'independent') return 'home';
  if (args.has('moldable')) return 'moldable';
  if (args.has('multi-site')) return 'multi-site';
  return args.has('reclaim') ? 'reclaim' : 'single-site';
}
