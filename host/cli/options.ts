/** The options that commands share. Their names are what scripts rely on. */
import type { OptionTable } from './command.js';

/** Options of every command. */
export const COMMON_OPTIONS: OptionTable = {
  json: { describe: 'print one JSON document and nothing else', isSwitch: true, group: 'Output:' },
  quiet: { describe: 'no messages on standard error but errors', isSwitch: true, group: 'Output:' },
};

/** How a log becomes jobs. */
export const WORKLOAD_OPTIONS: OptionTable = {
  preset: {
    describe: 'jobs, homes and sites of a paper, for the San Diego SP2 log (see gridalloc trace presets)',
    choices: ['shih2010', 'huang2007'],
    default: 'none',
    group: 'Workload:',
  },
  filter: {
    describe:
      'keep only some records: status=1, queue=1-5, user=7, first=1000, time=0-86400, flurry=21:13717-16207',
    isRepeatable: true,
    group: 'Workload:',
  },
  sort: {
    describe: 'sort records by submit time instead of refusing a log out of order',
    isSwitch: true,
    group: 'Workload:',
  },
  home: {
    describe: 'which field names the home site of a job',
    choices: ['queue', 'partition', 'user', 'group', 'none'],
    default: 'queue if the log has queues, else none',
    group: 'Workload:',
  },
  rc: {
    describe: 'cut jobs wider than this share of the widest site, such as 0.75',
    default: 'not cut',
    group: 'Workload:',
  },
  'max-width': {
    describe: 'cut jobs wider than this many processors',
    default: 'not cut',
    group: 'Workload:',
  },
  oversize: {
    describe: 'jobs too wide for every site they may use: stop, leave them out, or cut them',
    choices: ['error', 'drop', 'split'],
    default: 'error',
    group: 'Workload:',
  },
  'arrival-scale': {
    describe: 'factor on submit times; below 1 jobs arrive faster',
    default: '1',
    group: 'Workload:',
  },
  'runtime-scale': { describe: 'factor on runtimes and estimates', default: '1', group: 'Workload:' },
};

/** Estimated runtimes; only where jobs are simulated. */
export const ESTIMATE_OPTIONS: OptionTable = {
  estimates: {
    describe:
      'estimated runtimes: as requested in the trace, exact, or with errors: uniform:0.2 or normal:0.2 (a seed may follow: uniform:0.2:7)',
    default: 'trace',
    group: 'Workload:',
  },
};

/** The sites. */
export const GRID_OPTIONS: OptionTable = {
  sites: {
    describe: 'processors of each site, such as 8,128,128,128,50',
    default: 'those of the preset, else one site of the size in the log',
    group: 'Grid:',
  },
  speeds: {
    describe: 'speed of each site (1: the machine of the log), or draw[sh=0.12,seed=1] for random ones',
    default: 'all 1',
    group: 'Grid:',
  },
  heterogeneity: { describe: 'time factor of each site, 1 / speed, instead of --speeds', group: 'Grid:' },
  load: {
    describe: 'factor on runtimes, one for all or one per home site: 2 or 5,4,5,4,1',
    default: '1',
    group: 'Grid:',
  },
};

/** The rules of a run. */
export const RUN_OPTIONS: OptionTable = {
  discipline: {
    describe:
      'who is next: first come first served, narrowest, widest, shortest or longest job first, or any that fits',
    choices: ['fcfs', 'njf', 'wjf', 'sjf', 'ljf', 'first-available'],
    default: 'fcfs',
    group: 'Scheduling:',
  },
  queue: {
    describe: 'one queue for the grid, one per home site, or every site alone with its own jobs',
    choices: ['shared', 'per-home', 'independent'],
    default: 'shared',
    group: 'Scheduling:',
  },
  reclaim: {
    describe: 'sites stop jobs from elsewhere to start their own; needs --queue per-home',
    isSwitch: true,
    group: 'Scheduling:',
  },
  'multi-site': {
    describe: 'split a job that no single site has room for, over the largest or fastest sites or adaptively',
    choices: ['larger-first', 'faster-first', 'adaptive'],
    default: 'not split',
    group: 'Scheduling:',
  },
  'multi-site-overhead': {
    describe: 'p: a split job runs 1 + p times as long',
    default: '0',
    group: 'Scheduling:',
  },
  'min-speed-ratio': {
    describe: 'only sites with at least this share of the speed of the home site may run a job',
    default: '0 (all may)',
    group: 'Scheduling:',
  },
  moldable: {
    describe: 'jobs may run on fewer processors than they ask for, or also on more',
    choices: ['down', 'up-down'],
    default: 'not moldable',
    group: 'Scheduling:',
  },
  'moldable-threshold': {
    describe:
      'scale down only if the turnaround is then at most this many times that of waiting, by the estimates',
    default: 'always scale down',
    group: 'Scheduling:',
  },
  'moldable-fit': {
    describe:
      'site of a moldable job: free processors nearest to its demand, fewest, or nearest computing power',
    choices: ['demand', 'processors', 'power'],
    default: 'demand',
    group: 'Scheduling:',
  },
  speedup: {
    describe: 'how moldable jobs scale: linear, or downey[A=16,sigma=1]',
    default: 'linear',
    group: 'Scheduling:',
  },
  'time-resolution': {
    describe: 'executions in exact seconds, to the nearest second, or cut to whole seconds',
    choices: ['exact', 'nearest', 'floor'],
    default: 'exact',
    group: 'Scheduling:',
  },
  instant: {
    describe: 'place jobs after every event, or once after all events of an instant',
    choices: ['per-event', 'batched'],
    default: 'per-event',
    group: 'Scheduling:',
  },
};

/** What a workload may be, for the help. */
export const WORKLOAD_HELP =
  'WORKLOAD is a job log in Standard Workload Format (FILE.swf, FILE.swf.gz, or - for standard input) ' +
  'or a model with parameters, such as lublin99[aarr=9,jobs=30000,seed=1] (see gridalloc trace models).';
