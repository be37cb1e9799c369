/** What is needed to run a simulation again, as config.json keeps it. */

import type { Configuration } from '../core/configuration.js';
import { printPolicy } from '../core/policies.js';
import { printSpeedup } from '../metrics/moldable.js';
import { readProvenance } from '../report/provenance.js';
import { sourceWord } from '../trace/quote.js';
import { hashJobs } from '../workload/hash.js';
import { defaultHomeRule } from '../workload/homes.js';
import type { Arguments } from './arguments.js';
import type { Experiment } from './experiment.js';
import { presetOf } from './workload.js';

/** Options that change the jobs and are kept as they were given. */
const KEPT = ['preset', 'rc', 'max-width', 'arrival-scale', 'runtime-scale'];

/** Every option that decides the results, with defaults filled in: numbers in full, drawn speeds as numbers. */
function resolvedOptions(
  args: Arguments,
  { trace, grid }: Experiment,
  configuration: Configuration,
): [name: string, value: string][] {
  const kept = KEPT.flatMap((name): [string, string][] => {
    const value = args.text(name);
    return value === undefined ? [] : [[name, value]];
  });
  return [
    ...kept,
    ...args.texts('filter').map((filter): [string, string] => ['filter', filter]),
    ['home', args.text('home') ?? presetOf(args)?.home ?? defaultHomeRule(trace)],
    ['oversize', args.text('oversize') ?? 'error'],
    ['estimates', args.text('estimates') ?? 'trace'],
    ['sites', grid.capacities.join(',')],
    ['speeds', grid.speeds.join(',')],
    ['load', configuration.load.join(',')],
    ['discipline', configuration.discipline],
    ['queue', configuration.queue],
    ['policy', printPolicy(configuration.policy)],
    ['min-speed-ratio', String(configuration.minSpeedRatio)],
    ['time-resolution', configuration.timeResolution],
    ['instant', configuration.instant],
    ...splitting(configuration),
    ...scaling(configuration),
  ];
}

/** The options of multi-site execution, which are given only where jobs are split. */
function splitting({ multiSite, multiSiteOverhead }: Configuration): [name: string, value: string][] {
  if (multiSite === 'none') return [];
  return [
    ['multi-site', multiSite],
    ['multi-site-overhead', String(multiSiteOverhead)],
  ];
}

/** The options of moldable jobs, which are given only where jobs are moldable. */
function scaling(configuration: Configuration): [name: string, value: string][] {
  const { moldable, moldableThreshold, moldableFit, speedup } = configuration;
  if (moldable === 'none') return [];
  return [
    ['moldable', moldable],
    ...(moldableThreshold > 0 ? [['moldable-threshold', String(moldableThreshold)] as [string, string]] : []),
    ['moldable-fit', moldableFit],
    ['speedup', printSpeedup(speedup)],
  ];
}

/** The document config.json: versions, the command to run again, and the same in parts. */
export function configDocument(
  args: Arguments,
  experiment: Experiment,
  configuration: Configuration,
): object {
  const { workload, grid, trace } = experiment;
  const options = resolvedOptions(args, experiment, configuration);
  const sort = args.has('sort') ? ['--sort'] : [];
  const command = [
    'simulate',
    trace.source,
    ...sort,
    ...(configuration.reclaim ? ['--reclaim'] : []),
    ...options.flatMap(([name, value]) => [`--${name}`, value]),
  ];
  return {
    ...readProvenance(),
    command: ['gridalloc', ...command],
    shell: ['gridalloc', ...command.map(sourceWord)].join(' '),
    workload: {
      source: trace.source,
      jobs: workload.count,
      jobsSha256: hashJobs(workload),
      accounting: workload.accounting,
    },
    grid: { capacities: grid.capacities, speeds: grid.speeds },
    policy: printPolicy(configuration.policy),
    load: configuration.load,
    timeResolution: configuration.timeResolution,
    instant: configuration.instant,
    minSpeedRatio: configuration.minSpeedRatio,
    discipline: configuration.discipline,
    queue: configuration.queue,
    reclaim: configuration.reclaim,
    multiSite: configuration.multiSite,
    multiSiteOverhead: configuration.multiSiteOverhead,
    moldable: configuration.moldable,
    moldableThreshold: configuration.moldableThreshold,
    moldableFit: configuration.moldableFit,
    speedup: printSpeedup(configuration.speedup),
  };
}
