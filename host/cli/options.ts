/** The options that commands share. Their names are what scripts rely on. */
import { OPTIONS, optionName, type Settings } from '../options/options.js';
import type { OptionDefinition, OptionTable, Positional } from './command.js';

/** Options of every command. */
export const COMMON_OPTIONS: OptionTable = {
  json: { describe: 'print one JSON document and nothing else', isSwitch: true, group: 'Output:' },
  quiet: { describe: 'no messages on standard error but errors', isSwitch: true, group: 'Output:' },
};

type HelpText = Pick<OptionDefinition, 'describe' | 'default'>;

/** Options of a simulation under one heading: their help here, their form from the table of options. */
function group<Key extends string>(
  heading: string,
  texts: Readonly<Record<Key, HelpText>>,
): Record<Key, OptionDefinition> {
  const options = Object.entries<HelpText>(texts).map(([key, text]) => {
    const { isSwitch, isRepeatable, choices } = OPTIONS[optionName(key)];
    return [key, { ...text, isSwitch, isRepeatable, choices, group: heading }];
  });
  return Object.fromEntries(options) as Record<Key, OptionDefinition>;
}

/** Every option of a simulation but its workload, in the order of the help. */
const SETTINGS: Readonly<Record<Exclude<keyof Settings, 'workload'>, OptionDefinition>> = {
  ...group('Workload:', {
    preset: {
      describe: 'jobs, homes and sites of a paper, for the San Diego SP2 log (see gridalloc trace presets)',
      default: 'none',
    },
    filter: {
      describe:
        'keep only some records: status=1, queue=1-5, user=7, first=1000, time=0-86400, flurry=21:13717-16207',
    },
    sort: { describe: 'sort records by submit time instead of refusing a log out of order' },
    home: {
      describe: 'which field names the home site of a job',
      default: 'queue if the log has queues, else none',
    },
    rc: {
      describe: 'cut jobs wider than this share of the widest site, such as 0.75',
      default: 'not cut',
    },
    maxWidth: { describe: 'cut jobs wider than this many processors', default: 'not cut' },
    oversize: {
      describe: 'jobs too wide for every site they may use: stop, leave them out, or cut them',
      default: 'error',
    },
    arrivalScale: { describe: 'factor on submit times; below 1 jobs arrive faster', default: '1' },
    runtimeScale: { describe: 'factor on runtimes and estimates', default: '1' },
    estimates: {
      describe:
        'estimated runtimes: as requested in the trace, exact, or with errors: uniform:0.2 or normal:0.2 (a seed may follow: uniform:0.2:7)',
      default: 'trace',
    },
    dataSize: {
      describe:
        'bytes that move with a job: a number, uniform[from=0,to=1e9,seed=1] or exponential[mean=1e9,seed=1]',
      default: '0',
    },
  }),
  ...group('Grid:', {
    sites: {
      describe: 'processors of each site, such as 8,128,128,128,50',
      default: 'those of the preset, else one site of the size in the log',
    },
    speeds: {
      describe: 'speed of each site (1: the machine of the log), or draw[sh=0.12,seed=1] for random ones',
      default: 'all 1',
    },
    heterogeneity: { describe: 'time factor of each site, 1 / speed, instead of --speeds' },
    load: { describe: 'factor on runtimes, one for all or one per home site: 2 or 5,4,5,4,1', default: '1' },
  }),
  ...group('Scheduling:', {
    policy: { describe: 'which site a job gets', default: 'best-fit' },
    discipline: {
      describe:
        'who is next: first come first served, narrowest, widest, shortest or longest job first, any that fits; or ' +
        'backfilling with a reservation for the first job (easy) or for all (conservative), by the estimates',
      default: 'fcfs',
    },
    queue: {
      describe: 'one queue for the grid, one per home site, or every site alone with its own jobs',
      default: 'shared',
    },
    reclaim: { describe: 'sites stop jobs from elsewhere to start their own; needs --queue per-home' },
    multiSite: {
      describe:
        'split a job that no single site has room for, over the largest or fastest sites or adaptively',
      default: 'not split',
    },
    multiSiteOverhead: { describe: 'p: a split job runs 1 + p times as long', default: '0' },
    minSpeedRatio: {
      describe: 'only sites with at least this share of the speed of the home site may run a job',
      default: '0 (all may)',
    },
    moldable: {
      describe: 'jobs may run on fewer processors than they ask for, or also on more',
      default: 'not moldable',
    },
    moldableThreshold: {
      describe:
        'scale down only if the turnaround is then at most this many times that of waiting, by the estimates',
      default: 'always scale down',
    },
    moldableFit: {
      describe:
        'site of a moldable job: free processors nearest to its demand, fewest, or nearest computing power',
      default: 'demand',
    },
    speedup: { describe: 'how moldable jobs scale: linear, or downey[A=16,sigma=1]', default: 'linear' },
    timeResolution: {
      describe: 'executions in exact seconds, to the nearest second, or cut to whole seconds',
      default: 'exact',
    },
    instant: {
      describe: 'place jobs after every event, or once after all events of an instant',
      default: 'per-event',
    },
  }),
  ...group('Backfilling (easy, conservative):', {
    select: {
      describe:
        'sites of a job: where it ends soonest of all sets of sites, of single sites and sets of the fastest, or ' +
        'what can start now, home first',
      default: 'greedy',
    },
    multiSiteFactor: {
      describe: 'p, at least 1: a job may run on several sites, p times as long',
      default: 'single sites only',
    },
    runtimeReference: {
      describe: 'what runtimes refer to: a machine of speed 1, or the home site',
      default: 'speed1',
    },
    interval: {
      describe: 'seconds between allocation passes',
      default: 'a pass after every event',
    },
    bandwidth: {
      describe:
        'bytes per second between home and site, one number or rows as in 0,1e6;2e6,0: moving the data takes time',
      default: 'data take no time',
    },
    latency: { describe: 'seconds that a transfer takes besides, in the same form', default: '0' },
  }),
};

/** The same by the names that they have on the command line. */
export const SETTING_OPTIONS: OptionTable = Object.fromEntries(
  Object.entries(SETTINGS).map(([key, option]) => [optionName(key), option]),
);

/** What a workload may be, for the help. */
export const WORKLOAD_HELP =
  'WORKLOAD is a job log in Standard Workload Format (FILE.swf, FILE.swf.gz, or - for standard input) ' +
  'or a model with parameters, such as lublin99[aarr=9,jobs=30000,seed=1] (see gridalloc trace models).';

/** The word for a workload. */
export const WORKLOAD: Positional = {
  name: 'WORKLOAD',
  meaning: 'a WORKLOAD: a job log (FILE.swf, FILE.swf.gz, -) or a model',
};
