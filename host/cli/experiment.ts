/** Simulations as a command line asks for them: the configurations, and running them so that one can interrupt. */

import type {
  Configuration,
  Discipline,
  InstantRule,
  MoldableFit,
  MoldableRule,
  MultiSiteRule,
  TimeResolution,
  Topology,
} from '../core/configuration.js';
import { parsePolicy, printPolicy } from '../core/policies.js';
import type { Simulator } from '../core/simulator.js';
import { InputError } from '../errors.js';
import { checkLoad, type Grid } from '../grid/grid.js';
import { parseSpeedup } from '../metrics/moldable.js';
import { makeConfiguration } from '../metrics/simulate.js';
import { parseNumber, parseNumberList } from '../notation.js';
import type { Trace } from '../trace/trace.js';
import type { Workload } from '../workload/workload.js';
import type { Arguments } from './arguments.js';
import type { Context } from './context.js';
import { gridOf, jobsFor, loadTrace, minSpeedRatioOf } from './workload.js';

/** Jobs and the configurations to run them under, one per policy. */
export interface Experiment {
  /** As given on the command line. */
  readonly source: string;
  readonly trace: Trace;
  readonly workload: Workload;
  readonly grid: Grid;
  readonly configurations: readonly Configuration[];
}

/**
 * The policies asked for: parted by commas or blanks outside brackets, each in full notation; the same one twice
 * stands once. best-fit if there is none.
 */
export function policiesOf(args: Arguments): string[] {
  if (!args.has('policy')) return ['best-fit'];
  const words = args.texts('policy').flatMap((text) => text.split(/[\s,]+(?![^[]*\])/));
  const given = words.filter((word) => word !== '').map((word) => printPolicy(parsePolicy(word)));
  if (given.length === 0) throw new InputError('--policy names no policy; see gridalloc policies');
  return [...new Set(given)];
}

/** Reads everything that the options name and checks it, before anything runs. */
export async function prepareExperiment(
  source: string,
  args: Arguments,
  context: Context,
): Promise<Experiment> {
  const policies = policiesOf(args);
  const trace = await loadTrace(source, args, context);
  await context.pause();
  const grid = await gridOf(trace, args, context);
  const load = args.read('load', (text, what) => checkLoad(parseNumberList(text, what, { above: 0 }), grid));
  const configurations = policies.map((policy) =>
    makeConfiguration(grid, {
      policy,
      load,
      timeResolution: args.text('time-resolution') as TimeResolution | undefined,
      instant: args.text('instant') as InstantRule | undefined,
      minSpeedRatio: minSpeedRatioOf(args),
      discipline: args.text('discipline') as Discipline | undefined,
      queue: args.text('queue') as Topology | undefined,
      reclaim: args.has('reclaim'),
      multiSite: args.text('multi-site') as MultiSiteRule | undefined,
      multiSiteOverhead: args.read('multi-site-overhead', (text, what) =>
        parseNumber(text, what, { atLeast: 0 }),
      ),
      moldable: args.text('moldable') as MoldableRule | undefined,
      moldableThreshold: args.read('moldable-threshold', (text, what) =>
        parseNumber(text, what, { above: 0 }),
      ),
      moldableFit: args.text('moldable-fit') as MoldableFit | undefined,
      speedup: args.read('speedup', parseSpeedup),
      processorSets: args.has('out'),
    }),
  );
  return { source, trace, workload: jobsFor(trace, grid, args), grid, configurations };
}

/** Jobs submitted between two looks at whether to stop. */
const SLICE = 20_000;

/**
 * Runs a configuration to its end, in slices so that the user can stop it and sees how far it is.
 * @returns nanoseconds spent in the simulation itself.
 */
export async function runToEnd(
  simulator: Simulator,
  configuration: Configuration,
  context: Context,
): Promise<number> {
  const { submit, count } = simulator.workload;
  const progress = context.progress(`simulating ${printPolicy(configuration.policy)}`);
  let milliseconds = 0;
  const timed = (work: () => void) => {
    const begin = performance.now();
    work();
    milliseconds += performance.now() - begin;
  };
  timed(() => simulator.begin(configuration));
  for (let job = SLICE; job < count; job += SLICE) {
    timed(() => simulator.runUntil(submit[job]));
    progress.update(job, count);
    await context.pause();
  }
  timed(() => simulator.run());
  progress.end();
  await context.pause();
  return milliseconds * 1e6;
}
