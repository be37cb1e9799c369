/** gridalloc simulate: one policy in full, or several side by side. */

import { basename, extname, join } from 'node:path';
import { InputError } from '../../errors.js';
import { joinFiles } from '../../files/logFiles.js';
import { countOf } from '../../format/numbers.js';
import { checkNames } from '../../notation.js';
import { isCodeName } from '../../options/code.js';
import { codeOf } from '../../options/document.js';
import { simulationFiles } from '../../results/files.js';
import { checkResultFolder, dropEarlierReport, writeResultFolder } from '../../results/folder.js';
import { CLASSINGS, type Classing } from '../../simulate/jobClasses.js';
import { homeRuleOf } from '../../simulate/prepare.js';
import { collectSimulation, type Simulation } from '../../simulate/simulate.js';
import { Simulator } from '../../simulate/simulator.js';
import { methodOf, summarizeJobs } from '../../simulate/summary.js';
import { ALIKE_ON_ONE_SITE, comparisonDocument, comparisonText, rankRuns } from '../../text/comparison.js';
import { accountingText, simulationText } from '../../text/simulation.js';
import { sourceName } from '../../trace/quote.js';
import type { Arguments } from '../arguments.js';
import { ALLOW_CODE_OPTION, CODE_OPTIONS } from '../code.js';
import type { Command } from '../command.js';
import type { Context } from '../context.js';
import { type CommandExperiment, prepareExperiment, runToEnd } from '../experiment.js';
import {
  COMMON_OPTIONS,
  CORE_OPTION,
  REPLICATION_OPTIONS,
  SETTING_OPTIONS,
  WORKLOAD,
  WORKLOAD_HELP,
} from '../options.js';
import { configDocument, readRerun } from '../rerun.js';
import { THREADS } from '../threads.js';
import { askedMethods, optionTexts, policiesOf, readSettings } from '../workload.js';

/** gridalloc simulate. */
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
    policy: {
      ...SETTING_OPTIONS.policy,
      describe:
        'which site a job gets (see gridalloc policies); several, with commas or repeated, are compared',
      isRepeatable: true,
    },
    out: {
      describe:
        'folder for jobs.csv, summary.json, schedule.swf, config.json, and with --reclaim stops.csv; of several policies ' +
        'a folder each in it',
      default: 'none',
      group: 'Output:',
    },
    ...REPLICATION_OPTIONS,
    threads: THREADS,
    ...CODE_OPTIONS,
    ...ALLOW_CODE_OPTION,
    by: {
      describe:
        'what becomes of the jobs class by class too: user, queue, home, or class (short or long, narrow or wide); several with commas',
      group: 'Output:',
      isRepeatable: true,
    },
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
    ['gridalloc simulate log.swf --out results', 'every job in results/jobs.csv'],
    [
      "gridalloc simulate 'jobs-2024-*.txt.xz' --sort --rebase",
      'what sacct printed month by month, as one log',
    ],
    ['gridalloc simulate --config results --load 1.2 --out busier', 'as before, but for one option'],
    ['zcat log.swf.gz | gridalloc simulate - --json', 'from standard input, as JSON'],
  ],
  run: run,
};

async function run(given: Arguments, context: Context): Promise<number> {
  const args = await withConfig(given);
  const out = args.text('out');
  if (out === undefined && args.has('parquet')) {
    throw new InputError('--parquet needs --out, the folder for jobs.parquet');
  }
  const policies = policiesOf(args);
  // Several policies have a folder each below the one given.
  const folders =
    out === undefined
      ? []
      : policies.length < 2
        ? [out]
        : policies.map((policy) => join(out, folderOf(policy)));
  for (const folder of folders) await checkResultFolder(folder);
  if (args.has('replications')) checkReplicated(args, policies);
  else if (args.has('threads'))
    throw new InputError('--threads is for --replications; one simulation has one');
  const settings = readSettings(joinFiles(args.words), args);
  const experiment = await prepareExperiment(settings, args, context, askedMethods(args));
  if (args.has('replications')) {
    await runReplicated(experiment, args, context);
    return 0;
  }
  if (experiment.configurations.length > 1) await runSeveral(experiment, folders, args, context);
  else await runOne(experiment, folders[0], args, context);
  return 0;
}

/** What is given, and what stands in the config.json that is given. */
async function withConfig(given: Arguments): Promise<Arguments> {
  const path = given.text('config');
  const args =
    path === undefined
      ? given
      : given.over(earlierOptions((await readRerun(path, given, 'run')).args, given));
  if (args.words.length === 0) {
    throw new InputError(`gridalloc simulate needs ${WORKLOAD.meaning}; see gridalloc simulate --help`);
  }
  return args.without('config').without('allow-code');
}

/** Speeds and time factors take each other's place. */
function earlierOptions(earlier: Arguments, given: Arguments): Arguments {
  return given.has('heterogeneity')
    ? earlier.without('speeds')
    : given.has('speeds')
      ? earlier.without('heterogeneity')
      : earlier;
}

/** Refuses what replications of one simulation do not go with. */
function checkReplicated(args: Arguments, policies: readonly string[]): void {
  if (args.has('out')) {
    throw new InputError(
      '--replications prints means and intervals, no files; give --replication 3 --out DIR for one of them',
    );
  }
  if (args.has('by')) {
    throw new InputError(
      '--by shows the jobs of one run; give --replication 3 for one of the replications, or leave --by out',
    );
  }
  if (policies.length > 1) {
    throw new InputError(
      'several policies on replications are compared by gridalloc compare; give one --policy here',
    );
  }
}

/** One method over replications: every metric with its interval. */
async function runReplicated(
  experiment: CommandExperiment,
  args: Arguments,
  context: Context,
): Promise<void> {
  const { estimateReplications } = await import('../replicated.js');
  const { estimatedDocument, estimatedText } = await import('../../text/replications.js');
  const { metrics, question, ...replicated } = await estimateReplications(experiment, args, context);
  const [configuration] = experiment.configurations;
  if (args.has('json')) {
    const { name } = experiment.workload;
    await context.printJson({ workload: name, ...estimatedDocument(metrics, replicated, configuration) });
    return;
  }
  const hasHomes = homeRuleOf(experiment.settings, experiment.trace) !== 'none';
  const shown = metrics.filter(
    ({ metric, estimate }) =>
      (metric.topic === undefined || estimate.high !== 0) && (hasHomes || !metric.needsHomes),
  );
  const { workload } = experiment;
  await context.print(
    `${methodOf(configuration)}: ${countOf(replicated.replications, 'replication')} (${replicated.perturb}) of ` +
      `${countOf(workload.count, 'job')} of ${sourceName(workload.name)}\n${question.sentence}\n`,
  );
  await context.print(estimatedText(shown, context.colors));
}

/** A policy as the name of a folder: `tai2-sht-0.05-slt-2`, or `mine` for `./mine.js`. */
function folderOf(policy: string): string {
  const name = isCodeName(policy) ? basename(policy, extname(policy)) : policy;
  return name.replaceAll(/[^\w.]+/g, '-').replace(/-$/, '');
}

/** By what jobs are shown class by class. */
function classingsOf(args: Arguments): Classing[] {
  const words = args.texts('by').flatMap((text) => text.split(/[\s,]+/));
  const given = words.filter((word) => word !== '');
  checkNames(given, CLASSINGS, 'value of --by');
  return CLASSINGS.filter((each) => given.includes(each));
}

async function runOne(
  experiment: CommandExperiment,
  out: string | undefined,
  args: Arguments,
  context: Context,
): Promise<void> {
  const [configuration] = experiment.configurations;
  const simulator = new Simulator(experiment.workload);
  await runToEnd(simulator, configuration, context);
  const summary = summarizeJobs(simulator, classingsOf(args));
  if (out !== undefined)
    await writeResults({ ...collectSimulation(simulator), summary }, experiment, out, args, context);
  if (args.has('json')) await context.printJson(summary);
  else if (out === undefined || !args.has('quiet')) {
    const { workload, settings, trace } = experiment;
    const hasHomes = homeRuleOf(settings, trace) !== 'none';
    await context.print(
      simulationText(
        summary,
        {
          accounting: workload.accounting,
          hasHomes,
          machine: trace.header.maxProcessors,
          texts: optionTexts(args),
        },
        context.colors,
        context.io.stdout.columns,
      ),
    );
  }
}

/** Writes the files of a finished simulation. */
async function writeResults(
  simulation: Simulation,
  experiment: CommandExperiment,
  out: string,
  args: Arguments,
  context: Context,
): Promise<void> {
  const config = configDocument(args, experiment, simulation.configuration, out);
  const files = simulationFiles(simulation, experiment.trace, config, {
    parquet: args.has('parquet'),
    code: codeOf(simulation.configuration),
  });
  const hadResults = await dropEarlierReport(out);
  await writeResultFolder(out, files, context.io.signal);
  if (hadResults) await context.say(`the earlier results in ${out} are replaced, their report is gone`);
  await context.say(`${files.map(({ name }) => name).join(', ')} are in ${out}`);
}

async function runSeveral(
  experiment: CommandExperiment,
  folders: readonly string[],
  args: Arguments,
  context: Context,
): Promise<void> {
  const { workload, configurations, grid } = experiment;
  if (grid.capacities.length === 1) await context.say(ALIKE_ON_ONE_SITE);
  const simulator = new Simulator(workload);
  const runs = [];
  for (const [i, configuration] of configurations.entries()) {
    await runToEnd(simulator, configuration, context);
    const summary = summarizeJobs(simulator, classingsOf(args));
    if (folders.length > 0) {
      await writeResults({ ...collectSimulation(simulator), summary }, experiment, folders[i], args, context);
    }
    runs.push({ policy: configuration.policy, summary });
  }
  const ranked = rankRuns(runs);
  if (args.has('json')) {
    await context.printJson(comparisonDocument(ranked));
    return;
  }
  if (folders.length > 0 && args.has('quiet')) return;
  const account = accountingText(workload.accounting);
  await context.print(
    `${countOf(workload.count, 'job')} of ${sourceName(workload.name)}${account && `; ${account}`}\n`,
  );
  await context.print(comparisonText(ranked, context.colors));
}
