/** What replications are copies of: over what their verdicts hold, and what follows for judging. */
import { formatDuration } from '../format/numbers.js';
import { printPerturb } from '../options/jobOptions.js';
import type { Settings } from '../options/options.js';
import { perturbationOf } from '../simulate/experiment.js';
import { metricBase } from '../simulate/metrics.js';

/** What replications are copies of. */
export interface Population {
  readonly kind: 'shake' | 'resample' | 'model' | 'logs';
  /** What is counted, where that is not replications. */
  readonly counted?: 'logs';
  /** What changes from one to the next, as in `--perturb`; `seeds` of a model. */
  readonly perturb: string;
  /** What they are, after their number: `copies of this log, shaken by ±30 s`. */
  readonly copies: string;
  /** What that leaves open, in sentences. */
  readonly caveat: string;
  /** Fewer are not judged. */
  readonly fewest: number;
  /** After how many a comparison is looked at first that goes on until it is decided. */
  readonly firstLook: number;
}

/** Several logs, each of which is one value. */
export const LOGS: Population = {
  kind: 'logs',
  counted: 'logs',
  perturb: 'none',
  copies: 'logs',
  caveat: 'Intervals are about logs like these: each log counts once, by its ratio to the best method on it.',
  fewest: 10,
  firstLook: 20,
};

const SPEEDS = ', with speeds drawn again';

/** The population that replications of a setting are drawn from. */
export function populationOf(settings: Settings): Population {
  const jobs = perturbationOf({ ...settings, replication: 1 });
  const speeds = settings.perturb?.speeds ?? false;
  const also = speeds ? SPEEDS : '';
  if (jobs === undefined) {
    return {
      kind: 'model',
      perturb: ['seeds', ...(speeds ? ['speeds'] : [])].join(';'),
      copies: `samples of this model with other seeds, for these parameters${also}`,
      caveat:
        'Intervals are about the model with these parameters; they do not include that the parameters are estimates.',
      fewest: 20,
      firstLook: 20,
    };
  }
  const perturb = printPerturb({ jobs, speeds });
  const edges = "The log's first and last weeks are included.";
  if (jobs.kind === 'shake') {
    const runtimes = jobs.runtime > 0 ? ` and runtimes by ±${100 * jobs.runtime} %` : '';
    return {
      kind: 'shake',
      perturb,
      copies: `copies of this log, shaken by ±${formatDuration(jobs.submit)}${runtimes}${also}`,
      caveat: `Intervals are about this log alone: other months of the same machine differ far more. ${edges}`,
      fewest: 10,
      firstLook: 20,
    };
  }
  return {
    kind: 'resample',
    perturb,
    copies: `copies of this log with resampled ${jobs.block === 604_800 ? 'weeks' : `blocks of ${formatDuration(jobs.block)}`} of its ${jobs.by}s${also}`,
    caveat: `Intervals are about the same ${jobs.by}s in other weeks. Users do not hold back when the machine is full, so waits are longer than in the log. ${edges}`,
    fewest: 20,
    firstLook: 50,
  };
}

/** Metrics that a few jobs decide. */
const UNSTEADY = /wait|slowdown|^p\d|^max/i;

/** How far behind the best still counts as best by default: a share of its mean. */
export function usualWithin(metric: string, { kind }: Population): number {
  return kind === 'resample' && UNSTEADY.test(metricBase(metric)) ? 0.05 : 0.01;
}
