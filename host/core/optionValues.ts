/** A configuration as the numbers that the core takes for its options. */
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
} from './configuration.js';
import type { Core } from './module.js';
import { policyNumbers } from './policies.js';

/** An option of the core. */
export type OptionName = Exclude<keyof Core['Option'], 'COUNT'>;

/** The value of every option; words by the enumerations of the core. */
export function optionValues(core: Core, configuration: Configuration): Record<OptionName, number> {
  const { policy, speedup } = configuration;
  const [first = 0, second = 0, third = 0, fourth = 0] = policyNumbers(policy);
  const downey = speedup === 'linear' ? { averageParallelism: 0, sigma: 0 } : speedup;
  return {
    Policy: policy.declaration.index,
    Parameter0: first,
    Parameter1: second,
    Parameter2: third,
    Parameter3: fourth,
    Resolution: core.Resolution[TIME_RESOLUTIONS[configuration.timeResolution]],
    Instant: core.Instant[INSTANTS[configuration.instant]],
    MinSpeedRatio: configuration.minSpeedRatio,
    Discipline: core.Discipline[DISCIPLINES[configuration.discipline]],
    Topology: core.Topology[TOPOLOGIES[configuration.queue]],
    Reclaim: Number(configuration.reclaim),
    MultiSite: core.MultiSite[MULTI_SITE_RULES[configuration.multiSite]],
    MultiSiteOverhead: configuration.multiSiteOverhead,
    Moldable: core.Moldable[MOLDABLE_RULES[configuration.moldable]],
    MoldableThreshold: configuration.moldableThreshold,
    MoldableFit: core.MoldableFit[MOLDABLE_FITS[configuration.moldableFit]],
    SpeedupA: downey.averageParallelism,
    SpeedupSigma: downey.sigma,
    Selection: core.Selection[SELECTIONS[configuration.select]],
    MultiSiteFactor: configuration.multiSiteFactor,
    RuntimeReference: core.RuntimeReference[RUNTIME_REFERENCES[configuration.runtimeReference]],
    Interval: configuration.interval,
  };
}
