/** Command `gridalloc simulate`: simulates one workload. */

import { InputError } from '../../errors.js';
import {
  ALLOW_CODE_OPTION,
  CODE_EXECUTION_OPTIONS,
  COMMON_COMMAND_OPTIONS,
  CORE_FILE_OPTION,
  getSimulationOptionDefinition,
  listMetricNames,
  PER_CLASS_OPTION,
  REPLICATION_OPTION_COMBINATIONS,
  REPLICATION_OPTIONS,
  SIMULATION_OPTION_DEFINITIONS,
  THREADS_OPTION,
  WORKLOAD_ARGUMENT,
  WORKLOAD_HELP_TEXT,
} from '../../request/commandOptions.js';
import { readSimulateInput, type SimulateCommandInput } from '../../request/fromArguments.js';
import type { Command } from '../command.js';
import type { CommandContext } from '../context.js';
import { SCHEDULER_OPTION } from '../scheduler.js';
import { simulateMethods } from '../simulateMethods.js';

export const simulateCommand: Command<SimulateCommandInput> = {
  description: [
    'Simulates parallel jobs on a grid of sites and reports response times, waits, queue lengths and utilization.',
    WORKLOAD_HELP_TEXT,
    'Times are seconds. Without options: one site as large as the machine of the log, best-fit, first come first served.',
  ].join('\n\n'),
  positionals: [{ ...WORKLOAD_ARGUMENT, isOptional: true }],
  options: {
    config: {
      describe:
        'take WORKLOAD and options from a config.json, or the folder that holds it, unless they are given',
      default: 'none',
      group: 'Workload:',
    },
    ...SIMULATION_OPTION_DEFINITIONS,
    scheduler: SCHEDULER_OPTION,
    policy: {
      ...getSimulationOptionDefinition('policy'),
      describe:
        'how a site is chosen for each job (see gridalloc policies); several, with commas or repeated, are compared',
      isRepeatable: true,
    },
    out: {
      describe:
        'folder for jobs.csv, summary.json, schedule.swf, config.json, with --reclaim stops.csv, and with --outages ' +
        'capacity.csv; several policies get a folder each in it; with --replications, folder for a report, tables, figures, methods.md and values.csv',
      default: 'none',
      group: 'Output:',
    },
    ...REPLICATION_OPTIONS,
    threads: THREADS_OPTION,
    ...CODE_EXECUTION_OPTIONS,
    ...ALLOW_CODE_OPTION,
    metric: {
      describe: 'print these metrics only, such as meanWait,p95Wait; gridalloc metrics lists them',
      default: 'a common selection',
      isRepeatable: true,
      complete: listMetricNames,
      group: 'Output:',
    },
    by: PER_CLASS_OPTION,
    parquet: {
      describe: 'write jobs.parquet too, beside jobs.csv; with --out',
      isSwitch: true,
      group: 'Output:',
    },
    stream: {
      describe:
        'read, simulate and write jobs.csv job by job from a log (SWF, also from standard input) or a model, with only the jobs that wait or run in memory; percentiles come from sketches',
      isSwitch: true,
      group: 'Execution:',
    },
    ...CORE_FILE_OPTION,
    ...COMMON_COMMAND_OPTIONS,
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
    ['gridalloc simulate log.swf --replications 50', 'every metric with a 95 % interval, on the log shaken'],
    ['gridalloc simulate log.swf --out results', 'write every job to results/jobs.csv'],
    [
      "gridalloc simulate 'jobs-2024-*.txt.xz' --sort --rebase",
      'what sacct printed month by month, as one log',
    ],
    ['gridalloc simulate --config results --load 1.2 --out busier', 'as before, with one option changed'],
    ['zcat log.swf.gz | gridalloc simulate - --json', 'from standard input, as JSON'],
    ["gridalloc simulate 'lublin99[jobs=100000000]' --sites 256 --stream", 'more jobs than fit into memory'],
  ],
  combinations: [
    ...REPLICATION_OPTION_COMBINATIONS,
    {
      of: ['parquet'],
      excludes: ['replications'],
      why: 'it is for the jobs of one run, such as --replication 3',
    },
    {
      of: ['stream'],
      excludes: ['replications', 'by', 'parquet'],
      why: 'these need all jobs at once',
    },
    { of: ['parquet'], needs: ['out'], why: 'jobs.parquet is written into that folder' },
    { of: ['threads'], needs: ['replications'], why: 'one simulation has one' },
    {
      of: ['metric'],
      excludes: ['out'],
      where: { words: 'with --replications', isSatisfiedBy: (args) => args.has('replications') },
      why: 'a folder of replications has every metric',
    },
  ],
  read: readSimulateInput,
  run: runSimulateCommand,
};

async function runSimulateCommand(
  { request, execution, isParquet, isStreamed, line: commandLine }: SimulateCommandInput,
  context: CommandContext,
): Promise<number> {
  const { out } = execution;
  if (isStreamed) {
    const { simulateStream } = await import('../streamSimulation.js');
    return simulateStream(request, out, context);
  }
  // Most simulations are single ones, which do not need the modules that evaluate many runs.
  const importEvaluationModule = () => import('../comparisonQuestion.js');
  if (request.replications === undefined)
    return await simulateMethods(request, { out, isParquet }, context, async (...evaluationArguments) =>
      (await importEvaluationModule()).runMethodsUnperturbed(...evaluationArguments),
    );
  if (request.methods.length > 1) {
    throw new InputError(
      'several policies on replications are compared by gridalloc compare; give one --policy here',
    );
  }
  if (out !== undefined) {
    const { runEvaluationInFolder } = await import('../study/comparisonStudy.js');
    return runEvaluationInFolder(request, commandLine, out, execution, context);
  }
  const { runEvaluation, prepareEvaluation } = await importEvaluationModule();
  return runEvaluation(await prepareEvaluation(request, context), execution, context);
}
