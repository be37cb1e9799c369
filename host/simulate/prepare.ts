/** From settings to the grid and the jobs of a simulation; `makeConfiguration` takes settings as they are. */

import { type Grid, makeGrid } from '../grid/grid.js';
import { parseSpeeds } from '../grid/speeds.js';
import { isBackfilling, isByEstimate } from '../options/configuration.js';
import { JOB_OPTIONS } from '../options/jobs.js';
import type { Settings } from '../options/options.js';
import type { Filter } from '../trace/filter.js';
import type { Trace } from '../trace/trace.js';
import { withDataSizes } from '../workload/dataSizes.js';
import { withEstimates } from '../workload/estimateErrors.js';
import { type Estimates, requireEstimates } from '../workload/estimates.js';
import { defaultHomeRule, type HomeRule } from '../workload/homes.js';
import { makeWorkload } from '../workload/make.js';
import type { Placement } from '../workload/pieces.js';
import type { Workload } from '../workload/workload.js';

/** The sizes of the sites asked for, or those of the preset. */
export function capacitiesOf({ sites, preset }: Settings): readonly number[] | undefined {
  return sites ?? preset?.capacities;
}

/** The filters of the preset, then those asked for. */
export function filtersOf({ preset, filter = [] }: Settings): Filter[] {
  return [...(preset?.filters ?? []), ...filter];
}

/** Which field of the log names the home of a job. */
export function homeRuleOf({ home, preset }: Settings, trace: Trace): HomeRule {
  return home ?? preset?.home ?? defaultHomeRule(trace);
}

/** How jobs are placed, as far as it decides how wide they may be. */
export function placementOf({ queue, moldable, multiSite, multiSiteFactor, reclaim }: Settings): Placement {
  if (queue === 'independent') return 'home';
  if (moldable !== undefined) return 'moldable';
  if (multiSite !== undefined || multiSiteFactor !== undefined) return 'multi-site';
  return reclaim ? 'reclaim' : 'single-site';
}

/** Whether estimates decide when or how a job runs, so that some must be there. */
export function usesEstimates({
  moldableThreshold = 0,
  order = 'submit',
  discipline = 'fcfs',
}: Pick<Settings, 'moldableThreshold' | 'order' | 'discipline'>): boolean {
  return moldableThreshold > 0 || isBackfilling(discipline) || isByEstimate({ order, discipline });
}

/**
 * Sites of these sizes with the speeds asked for.
 * @throws InputError for speeds that do not fit the sites.
 */
export function gridOf({ speeds, heterogeneity }: Settings, capacities: readonly number[]): Grid {
  return makeGrid({
    capacities,
    speeds: speeds === undefined ? undefined : parseSpeeds(speeds, capacities),
    heterogeneity,
  });
}

/** Enough sites for every queue, partition, user or group to be a home of its own. */
const ANY_SITES = 0x7fffffff;

/**
 * The jobs for a grid; for any sites where none are given.
 * @throws InputError for what `makeWorkload` refuses, and when estimates are needed that the log lacks.
 */
export function jobsOf(settings: Settings, trace: Trace, { capacities, speeds }: Partial<Grid>): Workload {
  const { rc, maxWidth, oversize, rebase, arrivalScale, runtimeScale, minSpeedRatio } = settings;
  const workload = makeWorkload(trace, {
    ...{ rc, maxWidth, oversize, rebase, arrivalScale, runtimeScale, minSpeedRatio },
    filters: filtersOf(settings),
    home: homeRuleOf(settings, trace),
    siteCount: capacities?.length ?? ANY_SITES,
    ...(capacities === undefined ? {} : { capacities }),
    speeds,
    placement: placementOf(settings),
  });
  const { estimates = JOB_OPTIONS.estimates.default as Estimates, dataSize } = settings;
  const estimated = withEstimates(workload, estimates);
  if (usesEstimates(settings)) requireEstimates(estimated);
  return dataSize === undefined ? estimated : withDataSizes(estimated, dataSize);
}
