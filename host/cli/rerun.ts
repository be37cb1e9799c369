/** What is needed to run a simulation again, as config.json keeps it. */

import type { Configuration } from '../core/configuration.js';
import type { Grid } from '../grid/grid.js';
import { readProvenance } from '../report/provenance.js';
import { homeRuleOf } from '../settings/apply.js';
import { OPTIONS, printRun, runDocument } from '../settings/options.js';
import { sourceWord } from '../trace/quote.js';
import { hashJobs } from '../workload/hash.js';
import type { Arguments } from './arguments.js';
import type { Experiment } from './experiment.js';
import { optionTexts } from './workload.js';

/** Every option that decides the results, with defaults filled in: numbers in full, drawn speeds as numbers. */
function optionWords(
  args: Arguments,
  { settings, trace, grid }: Experiment,
  configuration: Configuration,
): string[] {
  const { speeds: _, heterogeneity: __, ...given } = optionTexts(args);
  const texts: Record<string, string> = {
    oversize: 'error',
    estimates: 'trace',
    ...given,
    home: homeRuleOf(settings, trace),
    sites: grid.capacities.join(','),
    ...speedTexts(grid),
    ...printRun(configuration),
  };
  return Object.entries(OPTIONS).flatMap(([name, { isSwitch, isRepeatable }]) => {
    const text = texts[name];
    if (text === undefined) return [];
    if (isSwitch) return [`--${name}`];
    return (isRepeatable ? text.split(';') : [text]).flatMap((value) => [`--${name}`, value]);
  });
}

/** Speeds, or the time factors from which they come. */
function speedTexts({ speeds, timeFactors }: Grid): Record<string, string> {
  return timeFactors === undefined ? { speeds: speeds.join(',') } : { heterogeneity: timeFactors.join(',') };
}

/** The document config.json: versions, the command to run again, and the same in parts. */
export function configDocument(
  args: Arguments,
  experiment: Experiment,
  configuration: Configuration,
): object {
  const { workload, grid, trace } = experiment;
  const command = ['simulate', trace.source, ...optionWords(args, experiment, configuration)];
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
    grid,
    ...runDocument(configuration),
  };
}
