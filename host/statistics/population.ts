/** Populations sampled by replications: the scope of verdicts, and the requirements for them. */
import { formatDuration, joinWithAnd } from '../format/numbers.js';
import { isRandomSpeedNotation } from '../grid/grid.js';
import { printPerturbOption } from '../options/jobOptions.js';
import type { Settings } from '../options/options.js';
import { makePerturbationOfReplication } from '../simulate/experiment.js';
import type { Metric } from '../simulate/metric.js';
import { isModelNotation } from '../workload/models.js';

/** Population sampled by replications. */
export interface Population {
  readonly kind: 'shake' | 'resample' | 'model' | 'options' | 'logs';
  /** Unit of the samples; absent: replications. */
  readonly counted?: 'logs';
  /** Perturbation from one replication to the next, as in `--perturb`; `seeds` for a model. */
  readonly perturb: string;
  /** Description of the samples, which follows their number: `copies of this log, shaken by ±30 s`. */
  readonly copies: string;
  /** Sentences on what remains open. */
  readonly caveat: string;
  /** Minimum number of samples for verdicts. */
  readonly fewest: number;
  /** Number of replications at the first look of a sequential comparison. */
  readonly firstLook: number;
}

/** Population of several logs, each of which contributes one value. */
export const LOGS_POPULATION: Population = {
  kind: 'logs',
  counted: 'logs',
  perturb: 'none',
  copies: 'logs',
  caveat: 'Intervals are about logs like these: each log counts once, by its ratio to the best method on it.',
  fewest: 10,
  firstLook: 20,
};

const RANDOM_SPEEDS_PHRASE = ', with speeds drawn again';

/** Remark that the perturbed copies of a log all include its beginning and end. */
const UNCUT_LOG_ENDS_REMARK = "The log's beginning and end are included.";

/**
 * Remark that the speeds of the sites are a single random draw; empty if they are given, or drawn in each
 * replication.
 */
function describeSharedRandomSpeeds({ speeds, perturb }: Settings): string {
  if (speeds === undefined || !isRandomSpeedNotation(speeds) || perturb?.speeds) return '';
  return ` They are about this one grid: its speeds are a single draw, ${speeds}; --perturb speeds draws new ones in each replication.`;
}

/**
 * Words for the grid to which verdicts are restricted: `, on this grid` if its speeds are one random draw,
 * otherwise empty.
 */
const describePopulationGrid = (settings: Settings) =>
  describeSharedRandomSpeeds(settings) === '' ? '' : ', on this grid';

/**
 * Population of replications that differ in options of a study or sweep, such as seeds within values.
 * @param settings settings of one run.
 * @param options names of the options that differ between replications.
 */
export function makePopulationOfStudyOptions(settings: Settings, options: readonly string[]): Population {
  const settingsPopulation = populationOfSettings({
    ...settings,
    speeds: options.includes('speeds') ? undefined : settings.speeds,
  });
  const namesOfOtherOptions = options.filter((optionName) => optionName !== 'replication');
  if (namesOfOtherOptions.length === 0) return settingsPopulation;
  const formatOtherOptionNames = (optionNames: readonly string[]) =>
    optionNames.length === 0 ? '' : `, with ${joinWithAnd(optionNames)} that differ too`;
  if (options.includes('replication'))
    return {
      ...settingsPopulation,
      copies: settingsPopulation.copies + formatOtherOptionNames(namesOfOtherOptions),
    };
  if (options.includes('workload') && isModelNotation(settings.workload)) {
    const otherOptionsBesideWorkload = namesOfOtherOptions.filter((optionName) => optionName !== 'workload');
    const sampledModelText = `samples of this model with different seeds${formatOtherOptionNames(otherOptionsBesideWorkload)}`;
    return { ...settingsPopulation, kind: 'model', perturb: 'seeds', copies: sampledModelText };
  }
  const doOnlySpeedsDiffer = namesOfOtherOptions.every(
    (optionName) => optionName === 'speeds' || optionName === 'heterogeneity',
  );
  return {
    kind: 'options',
    perturb: namesOfOtherOptions.join(';'),
    copies: doOnlySpeedsDiffer
      ? 'speed vectors'
      : `replications that differ in ${joinWithAnd(namesOfOtherOptions)}`,
    caveat: doOnlySpeedsDiffer
      ? 'Intervals are about speeds drawn like these, for the same jobs.'
      : `Intervals are about values of ${joinWithAnd(namesOfOtherOptions)} like these, for the same jobs.`,
    fewest: 10,
    firstLook: 20,
  };
}

/** Population sampled by the replications of a setting. */
export function populationOfSettings(settings: Settings): Population {
  const jobPerturbation = makePerturbationOfReplication({ ...settings, replication: 1 });
  const speeds = settings.perturb?.speeds ?? false;
  const randomSpeedsPhrase = speeds ? RANDOM_SPEEDS_PHRASE : '';
  if (jobPerturbation === undefined) {
    return {
      kind: 'model',
      perturb: ['seeds', ...(speeds ? ['speeds'] : [])].join(';'),
      copies: `samples of this model with different seeds, for these parameters${randomSpeedsPhrase}${describePopulationGrid(settings)}`,
      caveat: `Intervals are about the model with these parameters; they do not include that the parameters are estimates.${describeSharedRandomSpeeds(settings)}`,
      fewest: 20,
      firstLook: 20,
    };
  }
  const perturbText = printPerturbOption({ jobs: jobPerturbation, speeds });
  if (jobPerturbation.kind === 'shake') {
    const runtimesText =
      jobPerturbation.runtime > 0 ? ` and runtimes by ±${100 * jobPerturbation.runtime} %` : '';
    return {
      kind: 'shake',
      perturb: perturbText,
      copies: `copies of this log, shaken by ±${formatDuration(jobPerturbation.submit)}${runtimesText}${randomSpeedsPhrase}${describePopulationGrid(settings)}`,
      caveat: `Intervals are about this log alone: other months of the same machine may differ more (--perturb 'resample[by=user]' resamples the weeks of its users). ${UNCUT_LOG_ENDS_REMARK}${describeSharedRandomSpeeds(settings)}`,
      fewest: 10,
      firstLook: 20,
    };
  }
  const blocksText =
    jobPerturbation.block === 604_800 ? 'weeks' : `blocks of ${formatDuration(jobPerturbation.block)}`;
  return {
    kind: 'resample',
    perturb: perturbText,
    copies: `copies of this log with resampled ${blocksText} of its ${jobPerturbation.by}s${randomSpeedsPhrase}${describePopulationGrid(settings)}`,
    caveat: `Intervals are about the same ${jobPerturbation.by}s in different ${blocksText}. Simulated users do not submit fewer jobs when the machine is full, so waits are longer than in the log. ${UNCUT_LOG_ENDS_REMARK}${describeSharedRandomSpeeds(settings)}`,
    fewest: 20,
    firstLook: 50,
  };
}

/** Default equivalence margin, as a share of the best mean. */
export function defaultEquivalenceMargin(
  { noise }: Pick<Metric, 'noise'>,
  { kind: populationKind }: Population,
): number {
  return populationKind === 'resample' && noise !== 'all' ? 0.05 : 0.01;
}
