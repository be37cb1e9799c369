/** Settings that determine how jobs are created from the records of a log. */
import type { Grid } from '../grid/grid.js';
import type { Settings } from '../options/options.js';
import type { Filter } from '../trace/filter.js';
import type { Trace } from '../trace/trace.js';
import { defaultHomeRule, type HomeRule, type WorkloadOptions } from '../workload/make.js';
import type { Placement } from '../workload/pieces.js';

/** Requested site sizes, or the site sizes of the preset. */
export function determineRequestedCapacities({ sites, preset }: Settings): readonly number[] | undefined {
  return sites ?? preset?.capacities;
}

/** Filters of the preset, followed by the requested ones. */
export function determineRequestedFilters({ preset, filter = [] }: Settings): Filter[] {
  return [...(preset?.filters ?? []), ...filter];
}

/** Rule that gives each job its home site: requested, of the preset, or the default for the log. */
export function determineRequestedHomeRule({ home, preset }: Settings, trace: Trace): HomeRule {
  return home ?? preset?.home ?? defaultHomeRule(trace);
}

/** Kind of job placement that the options allow, which decides the maximum width of jobs. */
export function determineRequestedPlacement({
  queue,
  moldable,
  multiSite,
  multiSiteFactor,
  reclaim,
}: Settings): Placement {
  if (queue === 'independent') return 'home';
  if (moldable !== undefined) return 'moldable';
  if (multiSite !== undefined || multiSiteFactor !== undefined) return 'multi-site';
  return reclaim ? 'reclaim' : 'single-site';
}

/** Number of home sites that is enough for every queue, partition, user or group to have its own. */
const UNLIMITED_HOME_SITE_COUNT = 0x7fffffff;

/** Options for creating the jobs of settings for a grid (without one: for any sites), except perturbations. */
export function makeWorkloadOptions(
  settings: Settings,
  { capacities, speeds }: Partial<Grid>,
  home: HomeRule,
): WorkloadOptions {
  const { shortRuntime, narrowWidth, cancelled, noLimit, rc, maxWidth, oversize, rebase } = settings;
  const { arrivalScale, runtimeScale, minSpeedRatio, kill, dependencies } = settings;
  return {
    ...{ shortRuntime, narrowWidth, cancelled, noLimit, rc, maxWidth, oversize, rebase },
    ...{ arrivalScale, runtimeScale, minSpeedRatio, kill, dependencies, home },
    siteCount: capacities?.length ?? UNLIMITED_HOME_SITE_COUNT,
    ...(capacities === undefined ? {} : { capacities }),
    speeds,
    placement: determineRequestedPlacement(settings),
  };
}
