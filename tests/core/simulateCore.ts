/**
 * Runs a random case through the core and returns its results in the form of the reference
 * simulator.
 */

import type { Core, CoreBuild } from '../../host/core/module.js';
import { type Policy, parsePolicy } from '../../host/core/policies.js';
import { printNotation } from '../../host/notation.js';
import { type Configuration, makeConfiguration } from '../../host/options/configuration.js';
import type { OutageInput } from '../../host/options/outages.js';
import { putJobTableAtMemoryStart, type SiteSearch } from '../../host/simulate/layout.js';
import { Simulator } from '../../host/simulate/simulator.js';
import { type Summary, summarize } from '../../host/simulate/summary.js';
import type { Workload } from '../../host/workload/workload.js';
import type { RunningLimits } from '../reference/simulator/limits.js';
import type { ReferenceJob, ReferenceOptions, ReferenceResult } from '../reference/simulator/reference.js';
import type { DynamicPolicySettings, ReferenceOutage } from '../reference/simulator/types.js';

export function makeWorkloadOfReferenceJobs(
  jobs: readonly ReferenceJob[],
  workloadName = 'case',
  { recent, refresh, dynamic, dependencies, clockOrigin, limits }: Partial<ReferenceOptions> = {},
): Workload {
  const jobCount = jobs.length;
  return {
    name: workloadName,
    count: jobCount,
    ...(clockOrigin !== undefined && { unixStartTime: clockOrigin }),
    // Pieces of one job have the same job number, which limits on running jobs refer to.
    job: Float64Array.from(jobs, ({ pieceOf }, i) => (limits === undefined ? i : (pieceOf ?? i)) + 1),
    submit: Float64Array.from(jobs, (job) => job.submit),
    runtime: Float64Array.from(jobs, (job) => job.runtime),
    estimate: Float64Array.from(jobs, (job) => job.estimate),
    processors: Int32Array.from(jobs, (job) => job.processors),
    home: Int32Array.from(jobs, (job) => job.home),
    ...(jobs.some((job) => job.data !== undefined)
      ? { data: Float64Array.from(jobs, (job) => job.data ?? 0) }
      : {}),
    ...(recent === undefined
      ? {}
      : {
          recent: {
            n: recent,
            ...(refresh && { refresh }),
            users: Int32Array.from(jobs, ({ user }) => user ?? -1),
          },
        }),
    ...(jobs.some(({ patience }) => patience !== undefined) && {
      patience: Float64Array.from(jobs, ({ patience = -1 }) => patience),
    }),
    ...(jobs.some(({ group, partition }) => (group ?? partition) !== undefined) && {
      log: makeLogOfJobs(jobs),
    }),
    ...(dynamic?.isUnestimated ? { unestimated: true as const } : {}),
    ...(dependencies && {
      dependencies: {
        preceding: Int32Array.from(jobs, ({ preceding = -1 }) => preceding),
        thinkTime: Float64Array.from(jobs, ({ thinkTime = 0 }) => Math.max(0, thinkTime)),
        firstPiece: Int32Array.from(jobs, ({ pieceOf }, index) => pieceOf ?? index),
      },
    }),
    accounting: {
      read: jobCount,
      kept: jobCount,
      dropped: [],
      split: { jobs: 0, pieces: 0 },
      oversizeJobs: [],
      withoutEstimate: 0,
    },
  };
}

/** Users and groups in a log of the jobs, which has nothing else. */
function makeLogOfJobs(jobs: readonly ReferenceJob[]): NonNullable<Workload['log']> {
  // Without groups, policies see no users.
  const hasUserColumns = jobs.some(({ group }) => group !== undefined);
  const columns = {
    user: Float64Array.from(jobs, ({ user = -1 }) => (hasUserColumns ? user : -1)),
    group: Float64Array.from(jobs, ({ group = -1 }) => group),
    queue: new Float64Array(jobs.length).fill(-1),
    partition: Float64Array.from(jobs, ({ partition = -1 }) => partition),
  };
  return columns as unknown as NonNullable<Workload['log']>;
}

/** The dynamic policy, which chooses among candidate policies by forecasts. */
function makeDynamicPolicy({
  candidates,
  choices,
  isUnestimated: _,
  ...numbers
}: DynamicPolicySettings): Policy {
  const candidateTexts = candidates.map(
    ({ name: policyName, parameters, rules: { backfillOrder, ...rules } = {} }) => {
      const parameterEntries = Object.entries({ ...parameters, ...rules, 'backfill-order': backfillOrder });
      return printNotation(
        policyName,
        parameterEntries.flatMap(([key, value]) => (value === undefined ? [] : [[key, value] as const])),
      );
    },
  );
  const policy = parsePolicy(
    printNotation('dynamic', Object.entries({ ...numbers, candidates: candidateTexts.join('+') })),
  );
  return choices === undefined ? policy : { ...policy, choices };
}

export function makeConfigurationFromReference(
  options: ReferenceOptions,
  tracksProcessors: boolean,
): Configuration {
  const { capacities, speeds, policy, parameters, resolution, multiSiteOverhead, speedup, ...otherOptions } =
    options;
  const { heterogeneity, withPolicy, choose, mayWait = false, recent: _, dynamic, ...known } = otherOptions;
  const {
    dependencies: __,
    refresh: ___,
    clockOrigin: ____,
    closedOverlap,
    limits,
    outages,
    partitions,
    ...otherFields
  } = known;
  // The reference simulator writes a power of 2 as a function call, `pow2(x)`.
  const replacePow2ByPowerNotation = (order: string | undefined) => order?.replaceAll('pow2(', '2^(');
  const orderOptions = {
    ...(options.order && { order: replacePow2ByPowerNotation(options.order) }),
    ...(options.backfillOrder && { backfillOrder: replacePow2ByPowerNotation(options.backfillOrder) }),
  };
  const isPlanned = options.discipline === 'easy' || options.discipline === 'conservative';
  const policyOption = choose
    ? { choose, mayWait }
    : dynamic
      ? makeDynamicPolicy(dynamic)
      : printNotation(policy, Object.entries(parameters));
  return makeConfiguration(
    { capacities, speeds, ...(heterogeneity && { timeFactors: heterogeneity }) },
    {
      ...otherFields,
      ...orderOptions,
      ...(limits && { limit: toLimitInput(limits) }),
      ...(outages && { outages: outages.map((outage) => toOutageInput(outage, options)) }),
      ...(partitions && { partitionSites: toPartitionInput(partitions) }),
      ...(closedOverlap !== undefined && { backfillOverlap: closedOverlap ? 'closed' : 'open' }),
      // The reference simulator plans again at every event unless the case says otherwise.
      ...(options.discipline === 'conservative' && { reservations: options.reservations ?? 'replanned' }),
      multiSiteOverhead: options.multiSite === undefined ? 0 : multiSiteOverhead,
      speedup: speedup && { averageParallelism: speedup.A, sigma: speedup.sigma },
      policy: isPlanned && !withPolicy ? undefined : policyOption,
      timeResolution: resolution,
      processorSets: tracksProcessors,
    },
  );
}

/** An outage of a case as the library takes it. */
function toOutageInput(
  { site, from, to, processors, first: firstProcessor, isPlanned }: ReferenceOutage,
  { processorsPerNode = 1 }: ReferenceOptions,
): OutageInput {
  const end = to === Number.POSITIVE_INFINITY ? {} : { to };
  const outageInputFields = { site: site + 1, from, ...end, isPlanned };
  if (firstProcessor === undefined) return { ...outageInputFields, processors };
  const node = 1 + firstProcessor / processorsPerNode;
  return {
    ...outageInputFields,
    nodes: `${node}-${Math.ceil((firstProcessor + processors) / processorsPerNode)}`,
  };
}

/** Partitions of a case as the library takes them. */
function toPartitionInput(partitions: readonly (readonly number[])[]): Record<string, number[]> {
  return Object.fromEntries(partitions.map((sites, index) => [index + 1, sites.map((site) => site + 1)]));
}

/** Limits of a case as the library takes them. */
function toLimitInput({
  userJobs,
  userProcessors,
  groupJobs,
  groupProcessors,
}: RunningLimits): Record<string, number> {
  return {
    ...(userJobs !== undefined && { 'user.jobs': userJobs }),
    ...(userProcessors !== undefined && { 'user.processors': userProcessors }),
    ...(groupJobs !== undefined && { 'group.jobs': groupJobs }),
    ...(groupProcessors !== undefined && { 'group.processors': groupProcessors }),
  };
}

/** Expands an allocation of the log into a list of processor numbers. */
function expandProcessorPairs(processorPairs: Int32Array, firstPair: number, processors: number): number[] {
  const processorNumbers: number[] = [];
  for (let pairIndex = firstPair; processorNumbers.length < processors; pairIndex++) {
    for (
      let processor = processorPairs[2 * pairIndex];
      processor <= processorPairs[2 * pairIndex + 1];
      processor++
    )
      processorNumbers.push(processor);
  }
  return processorNumbers;
}

/** Processor numbers of each job, from the allocations recorded by the core. */
export function listProcessorsOfJobs(simulator: Simulator): number[][] {
  const { firstPair, pairs } = simulator.processorSets();
  const { held: heldProcessors, site } = simulator.schedule();
  return Array.from(heldProcessors, (processors, job) =>
    site[job] < 0 ? [] : expandProcessorPairs(pairs, firstPair[job], processors),
  );
}

/** Preempted runs in the order of preemption; empty if the core does not record them. */
export function listPreemptedRuns(simulator: Simulator): ReferenceResult['stoppedRuns'] {
  const { stops } = simulator.schedule();
  if (stops === undefined) return [];
  const { pairs } = simulator.processorSets();
  return Array.from(stops.job, (job, i) => ({
    job,
    site: stops.site[i],
    start: stops.start[i],
    end: stops.end[i],
    processors: expandProcessorPairs(pairs, stops.firstPair[i], simulator.workload.processors[job]),
  }));
}

/** Parts of each job; for a job on a single site, all its processors there. */
export function listPartsOfJobs(simulator: Simulator): ReferenceResult['parts'] {
  const { site, parts: allocatedParts, held: heldProcessors } = simulator.schedule();
  return Array.from(heldProcessors, (processors, job) => {
    if (site[job] < 0) return [];
    const firstPart = allocatedParts?.firstPart[job] ?? -1;
    if (allocatedParts === undefined || firstPart < 0) return [{ site: site[job], processors }];
    const parts: { site: number; processors: number }[] = [];
    for (let partIndex = firstPart, remainingProcessors = processors; remainingProcessors > 0; partIndex++) {
      parts.push({
        site: allocatedParts.pairs[2 * partIndex],
        processors: allocatedParts.pairs[2 * partIndex + 1],
      });
      remainingProcessors -= allocatedParts.pairs[2 * partIndex + 1];
    }
    return parts;
  });
}

type ReferenceMetricValues = ReferenceResult['metrics'];

/** Metrics that the reference simulator computes. */
const IS_REFERENCE_METRIC: Record<keyof ReferenceMetricValues, true> = {
  averageResponseTime: true,
  meanWait: true,
  maxWait: true,
  meanSlowdown: true,
  meanBoundedSlowdown: true,
  awrt: true,
  awwt: true,
  makespan: true,
  utilization: true,
  capacityUtilization: true,
  averageQueueLength: true,
  averageQueueLengthOverTime: true,
  largestQueue: true,
  movedJobs: true,
  lostProcessorSeconds: true,
  restarts: true,
  splitJobs: true,
  scaledDownJobs: true,
  scaledUpJobs: true,
  sites: true,
  homes: true,
  decisions: true,
};

/** Metrics of a summary, restricted to those that the reference simulator computes. */
export function pickReferenceMetrics(summary: Summary): ReferenceMetricValues {
  const metricNames = Object.keys(IS_REFERENCE_METRIC) as (keyof ReferenceMetricValues)[];
  const referenceMetrics = Object.fromEntries(
    metricNames.map((metricName) => [metricName, summary[metricName]]),
  ) as unknown as ReferenceMetricValues;
  const sites = referenceMetrics.sites.map(({ utilization, jobs }) => ({ utilization, jobs }));
  const homes = referenceMetrics.homes.map(({ jobs, averageResponseTime }) => ({
    jobs,
    averageResponseTime,
  }));
  return { ...referenceMetrics, sites, homes };
}

/**
 * Results of the core in the reference simulator's form. Without tracking, `processors` is empty.
 * @param coreOrBuild a build to instantiate, or an instance that may have been used before.
 * @param search how the core searches sites, if not chosen by their number.
 */
export function simulateCore(
  jobs: readonly ReferenceJob[],
  options: ReferenceOptions,
  coreOrBuild: CoreBuild | Core,
  tracksProcessors = true,
  search?: SiteSearch,
): Omit<ReferenceResult, 'stops'> {
  const workload = makeWorkloadOfReferenceJobs(jobs, 'case', options);
  const simulator = new Simulator(
    workload,
    typeof coreOrBuild === 'string' ? coreOrBuild : putJobTableAtMemoryStart(coreOrBuild, workload),
  );
  simulator.begin(makeConfigurationFromReference(options, tracksProcessors), search);
  simulator.run();
  const { submit, start, execution, site, held: heldProcessors } = simulator.schedule();
  return {
    submit: [...submit],
    start: [...start],
    execution: [...execution],
    site: [...site],
    held: Array.from(heldProcessors, (processors, job) => (site[job] < 0 ? 0 : processors)),
    parts: listPartsOfJobs(simulator),
    processors: tracksProcessors ? listProcessorsOfJobs(simulator) : [],
    stoppedRuns: listPreemptedRuns(simulator),
    metrics: pickReferenceMetrics(summarize(simulator)),
  };
}
