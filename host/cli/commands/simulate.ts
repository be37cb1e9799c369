/** gridalloc simulate. */

import { checkCodeOf, readConfig, useSavedCore } from '../../config/config.js';
import { InputError } from '../../errors.js';
import { joinFiles } from '../../files/traceFiles.js';
import { escapeText, sourceWord } from '../../format/text.js';
import type { OptionStrings } from '../../options/options.js';
import type { Arguments, Command } from '../command.js';
import {
  ALLOW_CODE_OPTION,
  BY,
  CODE_OPTIONS,
  COMMON_OPTIONS,
  CORE_OPTION,
  classesOf,
  executionOf,
  metricNames,
  metricsIn,
  REPLICATION_COMBINATIONS,
  REPLICATION_OPTIONS,
  replicationsOf,
  SETTING_OPTIONS,
  settingOption,
  THREADS,
  textsOf,
  WORKLOAD,
  WORKLOAD_HELP,
} from '../commandOptions.js';
import type { Context } from '../context.js';
import { listedIn, parseRequest, simulationWords } from '../request.js';
import { SCHEDULER_OPTION } from '../scheduler.js';
import { type SimulationRequest, simulateMethods } from '../simulateMethods.js';

export const simulateCommand: Command = {
  description: [
    'Simulates parallel jobs on a grid of sites and reports response times, waits, queue lengths and utilization.',
    WORKLOAD_HELP,
    'Times are seconds. Without options: one site as large as the machine of the log, best-fit, first come first served.',
  ].join('\n\n'),
  positionals: [{ ...WORKLOAD, isOptional: true }],
  options: {
    config: {
      describe:
        'take WORKLOAD and options from a config.json, or the folder that holds it, unless they are given',
      default: 'none',
      group: 'Workload:',
    },
    ...SETTING_OPTIONS,
    scheduler: SCHEDULER_OPTION,
    policy: {
      ...settingOption('policy'),
      describe:
        'how a site is chosen for each job (see gridalloc policies); several, with commas or repeated, are compared',
      isRepeatable: true,
    },
    out: {
      describe:
        'folder for jobs.csv, summary.json, schedule.swf, config.json, and with --reclaim stops.csv; of several policies ' +
        'a folder each in it; with --replications for a report, tables, figures, methods.md and values.csv',
      default: 'none',
      group: 'Output:',
    },
    ...REPLICATION_OPTIONS,
    threads: THREADS,
    ...CODE_OPTIONS,
    ...ALLOW_CODE_OPTION,
    metric: {
      describe: 'print these metrics only, such as meanWait,p95Wait; gridalloc metrics lists them',
      default: 'a common selection',
      isRepeatable: true,
      complete: metricNames,
      group: 'Output:',
    },
    by: BY,
    parquet: {
      describe: 'write jobs.parquet too, beside jobs.csv; with --out',
      isSwitch: true,
      group: 'Output:',
    },
    ...CORE_OPTION,
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
    ['gridalloc simulate log.swf --replications 50', 'every metric with a 95 % interval, on the log shaken'],
    ['gridalloc simulate log.swf --out results', 'write every job to results/jobs.csv'],
    [
      "gridalloc simulate 'jobs-2024-*.txt.xz' --sort --rebase",
      'what sacct printed month by month, as one log',
    ],
    ['gridalloc simulate --config results --load 1.2 --out busier', 'as before, with one option changed'],
    ['zcat log.swf.gz | gridalloc simulate - --json', 'from standard input, as JSON'],
  ],
  combinations: [
    ...REPLICATION_COMBINATIONS,
    {
      of: ['parquet'],
      excludes: ['replications'],
      why: 'it is for the jobs of one run, such as --replication 3',
    },
    { of: ['parquet'], needs: ['out'], why: 'jobs.parquet is written into that folder' },
    { of: ['threads'], needs: ['replications'], why: 'one simulation has one' },
    {
      of: ['metric'],
      excludes: ['out'],
      where: { words: 'with --replications', holds: (args) => args.has('replications') },
      why: 'a folder of replications has every metric',
    },
  ],
  run,
};

async function run(args: Arguments, context: Context): Promise<number> {
  const request = await readSimulationRequest(args);
  const { source, texts } = request;
  const { out } = request.output;
  const replications = replicationsOf(args);
  // Most simulations are single ones, which need none of the questions that many runs answer.
  const questions = () => import('../comparisonQuestion.js');
  if (replications === undefined)
    return await simulateMethods(request, context, async (...runs) =>
      (await questions()).runSeveral(...runs),
    );
  checkReplicated(request);
  if (out !== undefined) {
    const { runQuestionInFolder } = await import('../study/comparisonStudy.js');
    return runQuestionInFolder(simulationWords(source, texts, args), out, executionOf(args), context);
  }
  const { runQuestion, prepareQuestion } = await questions();
  const question = await prepareQuestion(
    { ...parseRequest('simulate', args), sources: [source], texts },
    context,
  );
  return runQuestion(question, executionOf(args), context);
}

/** Reads the request: options of the command line override those of a given config.json. */
async function readSimulationRequest(args: Arguments): Promise<SimulationRequest> {
  const input = textsOf(args);
  const names = metricsIn(args);
  const metrics = names.length === 0 ? [] : names.map((await import('../../study/runValues.js')).runMetric);
  const config = args.text('config');
  const saved = config === undefined ? undefined : await readConfig(config);
  const source = args.words.length > 0 ? joinFiles(args.words) : saved?.source;
  if (args.words.length === 0 && saved?.isFound === false) {
    throw new InputError(
      `${config} names the log ${escapeText(saved.source)}, which is not there from its folder, from one above, or from the current one; ` +
        `say where it is: gridalloc simulate LOG --config ${sourceWord(config ?? '')}`,
    );
  }
  if (source === undefined) {
    throw new InputError(`gridalloc simulate needs ${WORKLOAD.meaning}; see gridalloc simulate --help`);
  }
  const brought = saved === undefined ? {} : without(saved.texts, replacedOptions(input));
  if (saved !== undefined) {
    checkCodeOf(saved.folder, brought, args.has('allow-code'));
    if (!args.has('core')) useSavedCore(saved);
  }
  return {
    source,
    texts: { ...brought, ...input },
    output: { out: args.text('out'), isParquet: args.has('parquet'), metrics, classes: classesOf(args) },
  };
}

/** The options that are replaced; speeds and time factors replace each other, and reservations belong to a discipline. */
function replacedOptions(input: OptionStrings): string[] {
  const speeds = ['speeds', 'heterogeneity'];
  const names = Object.keys(input);
  const more = names.some((name) => speeds.includes(name)) ? speeds : [];
  return [...names, ...more, ...(names.includes('discipline') ? ['reservations'] : [])];
}

function without(texts: OptionStrings, names: readonly string[]): OptionStrings {
  return Object.fromEntries(Object.entries(texts).filter(([name]) => !names.includes(name)));
}

/** Refuses several policies on replications of one simulation. */
function checkReplicated({ texts }: SimulationRequest): void {
  if (listedIn(texts, 'policy').length > 1) {
    throw new InputError(
      'several policies on replications are compared by gridalloc compare; give one --policy here',
    );
  }
}
