/** Replications as a command line asks for them: what compare, simulate and their folders share. */

import type { Settings } from '../options/options.js';
import type { AskedClasses } from '../runs/classResults.js';
import { type AskedComparison, askedComparison, type Execution } from '../runs/comparison.js';
import type { Experiment } from '../simulate/experiment.js';
import type { Arguments } from './command.js';
import { classingsOf, metricsIn, replicationsOf, sharingOf, threadsOf, withinOf } from './commandOptions.js';
import { type Context, replicationsDone } from './context.js';
import { runToEnd } from './simulated.js';

/** Whether replications are asked for. */
export function isReplicated(args: Arguments): boolean {
  return args.has('replications') || args.has('until-decided') || args.has('select-best');
}

/** The classes of jobs that are asked for; undefined where none are. */
export function classesAsked(args: Arguments): AskedClasses | undefined {
  const { classings, shown = {} } = classingsOf(args);
  return classings && { classings, shown };
}

/**
 * What the options of a comparison over replications ask.
 * @throws InputError for options that do not fit.
 */
export function comparisonAskedBy(args: Arguments, settings: Settings): AskedComparison {
  return askedComparison(settings, {
    metrics: metricsIn(args),
    within: withinOf(args),
    replications: replicationsOf(args),
    untilDecided: args.has('until-decided'),
    classes: classesAsked(args),
  });
}

/** Does work over replications of an experiment as the options say, with progress. */
export async function withReplications<Result>(
  { methods }: Experiment,
  args: Arguments,
  context: Context,
  work: (execution: Execution) => Promise<Result>,
): Promise<Result> {
  const progress = context.progress(replicationsDone(methods.length), true);
  try {
    return await work({
      threads: threadsOf(args),
      sharing: sharingOf(args),
      timeout: context.timeout,
      signal: context.io.signal,
      pause: () => context.pause(),
      onProgress: (done, total) => progress.update(done, total),
      runToEnd: (simulator, configuration) => runToEnd(simulator, configuration, context),
    });
  } finally {
    progress.end();
  }
}
