/** What the help says of studies and sweeps. */
import type { Command, OptionTable } from './command.js';
import { COMMON_OPTIONS, SETTING_OPTIONS } from './options.js';

const STUDY = {
  name: 'STUDY',
  meaning: 'a STUDY: a name (see gridalloc study list) or a study file (FILE.yaml)',
};
const load = () => import('./commands/study.js');

const EXECUTION_OPTIONS: OptionTable = {
  out: { describe: 'folder for all results; an unfinished run in it is gone on with', group: 'Output:' },
  threads: { describe: 'threads that simulate', default: 'one per processor core', group: 'Execution:' },
  resume: {
    describe: 'go on with what --out holds; done by itself whenever it holds the same study',
    isSwitch: true,
    group: 'Execution:',
  },
  yes: { describe: 'run more than 20,000 simulations', isSwitch: true, group: 'Execution:' },
};

const GIVEN_OPTIONS: OptionTable = {
  trace: { describe: 'the job log of a study that needs one', group: 'Study:' },
  draws: {
    describe: 'how many speed vectors (or seeds) are drawn',
    default: 'as the study says',
    group: 'Study:',
  },
  set: {
    describe: 'change an option of simulate for the whole study, such as oversize=split; none takes one away',
    isRepeatable: true,
    group: 'Study:',
  },
};

const list: Command = {
  name: 'study list',
  summary: 'list the studies that come with the program',
  description: 'Lists the studies: one for each table and figure of the papers.',
  positionals: [],
  options: COMMON_OPTIONS,
  examples: [['gridalloc study list', 'names and titles']],
  load: async () => ({ run: (await load()).list }),
};

const show: Command = {
  name: 'study show',
  summary: 'show what a study does',
  description: 'Shows the study file: settings, measures, tables, figures, published values.',
  positionals: [STUDY],
  options: COMMON_OPTIONS,
  examples: [['gridalloc study show shih2010-table15-lublin99', 'a study file to start from']],
  load: async () => ({ run: (await load()).show }),
};

const run: Command = {
  name: 'study run',
  summary: 'run a study and write its report',
  description:
    'Runs every simulation of a study and writes results (CSV, Parquet), tables, plots and a report. It can be ' +
    'interrupted at any moment: the same command goes on where it was. Studies on the San Diego SP2 log take its path ' +
    'with --trace; they run on other logs too (--set changes what does not fit, such as preset=none or sites=100,64).',
  positionals: [STUDY],
  options: {
    ...GIVEN_OPTIONS,
    ...EXECUTION_OPTIONS,
    out: { ...EXECUTION_OPTIONS.out, default: 'results/STUDY' },
    shard: {
      describe: 'only a part of the runs, such as 2/3; see gridalloc study merge',
      group: 'Execution:',
    },
    ...COMMON_OPTIONS,
  },
  examples: [
    ['gridalloc study run shih2010-table15-lublin99', 'a row of a table, on a workload model'],
    ['gridalloc study run shih2010-table11 --trace sdsc-sp2.swf.gz', 'a study on a log'],
    ['gridalloc study run my-study.yaml --out results --threads 4', 'a study of your own'],
    ['gridalloc study run my-study.yaml --out part2 --shard 2/3', 'a third of it, on another machine'],
  ],
  load: async () => ({ run: (await load()).run }),
};

const merge: Command = {
  name: 'study merge',
  summary: 'put the shards of a study together',
  description: 'Joins folders that study run --shard has written, and writes tables and report.',
  positionals: [{ name: 'DIR...', meaning: 'a DIR for each shard', isRepeatable: true }],
  options: { out: { ...EXECUTION_OPTIONS.out, default: 'results/STUDY' }, ...COMMON_OPTIONS },
  examples: [['gridalloc study merge part1 part2 part3 --out whole', 'three shards']],
  load: async () => ({ run: (await load()).merge }),
};

/** The commands around studies. */
export const STUDY_COMMANDS: readonly Command[] = [list, show, run, merge];

/** gridalloc sweep. */
export const SWEEP_COMMAND: Command = {
  name: 'sweep',
  summary: 'simulate every combination of some options',
  description: [
    'Simulates the product of the values given with --vary, with results like those of a study.',
    'Values are parted by commas outside brackets, or by semicolons when there are any (for lists such as speeds); ' +
      '1..10 stands for the whole numbers from 1 to 10. A name that is no option of simulate is a placeholder: ' +
      "--vary sh=0,0.12 fills {sh} in --speeds 'draw[sh={sh},seed=1]'. Lists in brackets are varied too: 'ti[slt=1|2|3]'.",
  ].join('\n\n'),
  positionals: [{ name: 'WORKLOAD', meaning: 'a WORKLOAD: a job log (FILE.swf, FILE.swf.gz) or a model' }],
  options: {
    vary: {
      describe: 'option or placeholder and its values, such as load=1,1.5,2',
      isRepeatable: true,
      group: 'Sweep:',
    },
    metric: {
      describe: 'metric of the table and the figure; all metrics are in results.csv',
      default: 'averageResponseTime',
      group: 'Sweep:',
    },
    ...SETTING_OPTIONS,
    ...EXECUTION_OPTIONS,
    out: { ...EXECUTION_OPTIONS.out, default: 'results/sweep' },
    ...COMMON_OPTIONS,
  },
  examples: [
    ['gridalloc sweep log.swf.gz --vary load=1,1.5,2 --vary policy=best-fit,ai2', 'six simulations'],
    ["gridalloc sweep 'lublin99[aarr={aarr},seed={seed}]' --vary aarr=9,10 --vary seed=1..10", 'a model'],
  ],
  load: () => import('./commands/sweep.js'),
};
