/** All commands, in the order of the help; each is loaded when it is named. */
import type { CommandEntry, CommandGroup } from './command.js';

/** Every command and group of commands. */
export const COMMANDS: readonly (CommandEntry | CommandGroup)[] = [
  {
    name: 'simulate',
    summary: 'simulate the jobs of a log or a model on a grid',
    load: async () => (await import('./commands/simulate.js')).simulateCommand,
  },
  {
    name: 'compare',
    summary: 'compare allocation methods on one workload',
    load: async () => (await import('./commands/compare.js')).compareCommand,
  },
  {
    name: 'policies',
    summary: 'list the allocation policies and their parameters',
    load: async () => (await import('./commands/policies.js')).policiesCommand,
  },
  {
    name: 'study',
    summary: 'run the studies of papers, or your own',
    commands: [
      {
        name: 'study list',
        summary: 'list the studies that come with the program',
        load: async () => (await import('./commands/study.js')).listCommand,
      },
      {
        name: 'study show',
        summary: 'show what a study does',
        load: async () => (await import('./commands/study.js')).showCommand,
      },
      {
        name: 'study run',
        summary: 'run a study and write its report',
        load: async () => (await import('./commands/study.js')).runCommand,
      },
      {
        name: 'study merge',
        summary: 'put the shards of a study together',
        load: async () => (await import('./commands/study.js')).mergeCommand,
      },
      {
        name: 'study status',
        summary: 'show how far a study is, and the time left',
        load: async () => (await import('./commands/studyStatus.js')).statusCommand,
      },
      {
        name: 'study cancel',
        summary: 'end the jobs by which Slurm runs a study',
        load: async () => (await import('./commands/studyCancel.js')).cancelCommand,
      },
    ],
  },
  {
    name: 'sweep',
    summary: 'simulate every combination of some options',
    load: async () => (await import('./commands/sweep.js')).sweepCommand,
  },
  {
    name: 'report',
    summary: 'write the HTML report and the figures of a finished simulation or study',
    load: async () => (await import('./commands/report.js')).reportCommand,
  },
  {
    name: 'diff',
    summary: 'compare two finished simulations of the same jobs, job by job',
    load: async () => (await import('./commands/diff.js')).diffCommand,
  },
  {
    name: 'explain',
    summary: 'say why a job of a finished simulation waited, and why it went where it went',
    load: async () => (await import('./commands/explain.js')).explainCommand,
  },
  {
    name: 'explore',
    summary: 'simulate, compare and look at every job in the browser',
    load: async () => (await import('./commands/explore.js')).exploreCommand,
  },
  {
    name: 'bench',
    summary: 'measure what a decision of each allocator costs',
    load: async () => (await import('./commands/bench.js')).benchCommand,
  },
  {
    name: 'trace',
    summary: 'inspect, check, convert and generate job logs',
    commands: [
      {
        name: 'trace info',
        summary: 'what a job log holds',
        load: async () => (await import('./commands/trace.js')).infoCommand,
      },
      {
        name: 'trace check',
        summary: 'find all that is wrong with a job log',
        load: async () => (await import('./commands/trace.js')).checkCommand,
      },
      {
        name: 'trace convert',
        summary: 'filter, sort, split or scale a job log',
        load: async () => (await import('./commands/trace.js')).convertCommand,
      },
      {
        name: 'trace generate',
        summary: 'write the jobs of a workload model as a log',
        load: async () => (await import('./commands/trace.js')).generateCommand,
      },
      {
        name: 'trace models',
        summary: 'list the workload models and their parameters',
        load: async () => (await import('./commands/trace.js')).modelsCommand,
      },
      {
        name: 'trace formats',
        summary: 'list the formats of job logs',
        load: async () => (await import('./commands/trace.js')).formatsCommand,
      },
      {
        name: 'trace presets',
        summary: 'list the presets: job selections and sites of papers',
        load: async () => (await import('./commands/trace.js')).presetsCommand,
      },
    ],
  },
  {
    name: 'core',
    summary: 'compile a core with policies of your own',
    commands: [
      {
        name: 'core build',
        summary: 'compile a core with policies of your own',
        load: async () => (await import('./commands/core.js')).buildCommand,
      },
    ],
  },
  {
    name: 'completion',
    summary: 'print a script that completes commands, options and values in a shell',
    load: async () => (await import('./commands/completion.js')).completionCommand,
  },
];

/** Whether a name stands for several commands. */
export function isGroup(entry: CommandEntry | CommandGroup): entry is CommandGroup {
  return 'commands' in entry;
}
