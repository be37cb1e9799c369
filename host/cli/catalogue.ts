/** All commands: what the help says of them, and where their work is done. */
import type { Command, CommandGroup } from './command.js';
import { COMMON_OPTIONS, SETTING_OPTIONS, WORKLOAD_HELP } from './options.js';
import { STUDY_COMMANDS, SWEEP_COMMAND } from './studyCommands.js';
import { TRACE_COMMANDS } from './traceCommands.js';

/** What `gridalloc compare` takes when nothing is said: the setting of Shih et al. 2010 with the Lublin99 model. */
export const COMPARE_DEFAULTS = {
  workload: 'lublin99[aarr=9,jobs=30000,seed=1]',
  policies: 'best-fit,fastest-first,si,ti,ai,ai2,tai,tai2',
  sites: '8,128,128,128,50',
  speeds: 'draw[sh=0.12,seed=1]',
  timeResolution: 'nearest',
} as const;

const WORKLOAD = { name: 'WORKLOAD', meaning: 'a WORKLOAD: a job log (FILE.swf, FILE.swf.gz, -) or a model' };

const simulate: Command = {
  name: 'simulate',
  summary: 'simulate the jobs of a log or a model on a grid',
  description: [
    'Simulates parallel jobs on a grid of sites and reports response times, waits, queue lengths and utilization.',
    WORKLOAD_HELP,
    'Times are seconds. Without options: one site as large as the machine of the log, best-fit, first come first served.',
  ].join('\n\n'),
  positionals: [WORKLOAD],
  options: {
    ...SETTING_OPTIONS,
    policy: {
      ...SETTING_OPTIONS.policy,
      describe:
        'which site a job gets (see gridalloc policies); several, with commas or repeated, are compared',
      isRepeatable: true,
    },
    out: {
      describe: 'folder for jobs.csv, summary.json, schedule.swf, config.json, and with --reclaim stops.csv',
      default: 'none',
      group: 'Output:',
    },
    ...COMMON_OPTIONS,
  },
  examples: [
    ['gridalloc simulate log.swf.gz', 'one site as large as the machine of the log'],
    [
      "gridalloc simulate 'lublin99[jobs=1000]' --sites 64,64,128 --speeds 1,2,1.5 --policy ai2",
      'a model on three sites',
    ],
    [
      'gridalloc simulate sdsc-sp2.swf.gz --preset shih2010 --load 2.5 --time-resolution nearest',
      'a setting of a paper',
    ],
    ["gridalloc simulate log.swf --policy best-fit,fastest-first,'ti[slt=1.5]'", 'policies side by side'],
    ['gridalloc simulate log.swf --discipline easy', 'backfilling by the requested times'],
    ['gridalloc simulate log.swf --out results', 'every job in results/jobs.csv'],
    ['zcat log.swf.gz | gridalloc simulate - --json', 'from standard input, as JSON'],
  ],
  load: () => import('./commands/simulate.js'),
};

const compare: Command = {
  name: 'compare',
  summary: 'compare allocation methods on one workload',
  description: [
    'Runs the eight allocation methods of Shih et al. 2010 (or those of --policy) over one workload and shows them ' +
      'side by side, with the time that the simulation takes.',
    WORKLOAD_HELP,
    `Without options: ${COMPARE_DEFAULTS.workload} on sites of ${COMPARE_DEFAULTS.sites} processors with speeds ${COMPARE_DEFAULTS.speeds}.`,
  ].join('\n\n'),
  positionals: [{ ...WORKLOAD, isOptional: true }],
  options: {
    ...SETTING_OPTIONS,
    sites: { ...SETTING_OPTIONS.sites, default: `those of the preset, else ${COMPARE_DEFAULTS.sites}` },
    speeds: {
      ...SETTING_OPTIONS.speeds,
      default: `${COMPARE_DEFAULTS.speeds}; all 1 for fewer than three sites`,
    },
    policy: {
      ...SETTING_OPTIONS.policy,
      describe: 'the policies to compare, with commas or repeated (see gridalloc policies)',
      default: COMPARE_DEFAULTS.policies,
      isRepeatable: true,
    },
    'time-resolution': { ...SETTING_OPTIONS['time-resolution'], default: COMPARE_DEFAULTS.timeResolution },
    ...COMMON_OPTIONS,
  },
  examples: [
    ['gridalloc compare', 'a first look'],
    ['gridalloc compare --load 1.2', 'the same jobs, longer: a busier grid'],
    ['gridalloc compare sdsc-sp2.swf.gz --preset shih2010 --load 2', 'a real log'],
    ['gridalloc compare --policy best-fit,worst-fit,random', 'other policies'],
  ],
  load: () => import('./commands/compare.js'),
};

const policies: Command = {
  name: 'policies',
  summary: 'list the allocation policies and their parameters',
  description:
    'Lists every policy that --policy takes: its other names, its parameters with defaults, how it chooses.',
  positionals: [],
  options: COMMON_OPTIONS,
  examples: [
    ['gridalloc policies', 'a table'],
    ['gridalloc policies --json', 'the same for programs'],
  ],
  load: () => import('./commands/policies.js'),
};

const report: Command = {
  name: 'report',
  summary: 'draw the page and the pictures of a finished simulation or study',
  description:
    'Writes report.html, one page that needs no network, and its drawings as SVG into the folder of a finished ' +
    'simulation or study. For a simulation: queue and utilization over time, who held which processors, waits.',
  positionals: [{ name: 'DIR', meaning: 'a DIR: a folder written by simulate --out or study run' }],
  options: {
    window: {
      describe:
        'part of a simulation that the chart of processors shows: FROM,TO in seconds since the first submit',
      default: 'everything, or around the longest queue of a long log',
      group: 'Output:',
    },
    ...COMMON_OPTIONS,
  },
  examples: [
    ['gridalloc report results', 'after gridalloc simulate log.swf --out results'],
    ['gridalloc report results --window 0,86400', 'the first day'],
  ],
  load: () => import('./commands/report.js'),
};

const explain: Command = {
  name: 'explain',
  summary: 'say why a job of a finished simulation waited, and why it went where it went',
  description:
    'Runs a finished simulation again with an eye on one job, and tells who stood before it and blocked, what had to ' +
    'end, what was free and compared when it started and which rule decided, what was reserved for it; and draws the ' +
    'free processors while it waited. The log must still be where it was.',
  positionals: [{ name: 'RUN', meaning: 'a RUN: a folder written by simulate --out' }],
  options: {
    job: { describe: 'the job: a job_id of jobs.csv, such as 123 or 123#2', group: 'Job:' },
    ...COMMON_OPTIONS,
  },
  examples: [
    ['gridalloc explain results --job 123', 'after gridalloc simulate log.swf --out results'],
    ['gridalloc explain results --job 123 --json', 'the same for programs'],
  ],
  load: () => import('./commands/explain.js'),
};

/** Every command and group of commands, in the order of the help. */
export const COMMANDS: readonly (Command | CommandGroup)[] = [
  simulate,
  compare,
  policies,
  { name: 'study', summary: 'run the studies of papers, or your own', commands: STUDY_COMMANDS },
  SWEEP_COMMAND,
  report,
  explain,
  { name: 'trace', summary: 'look at, check, convert and generate job logs', commands: TRACE_COMMANDS },
];

/** Whether a name stands for several commands. */
export function isGroup(entry: Command | CommandGroup): entry is CommandGroup {
  return 'commands' in entry;
}
