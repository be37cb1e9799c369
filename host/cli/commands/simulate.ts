/** gridalloc simulate: one policy in full, or several side by side. */

import { basename, extname, join } from 'node:path';
import { checkCodeOf, configDocument, readConfig, useCoreOf } from '../../config/config.js';
import { InputError } from '../../errors.js';
import { joinFiles } from '../../files/logFiles.js';
import { countOf } from '../../format/numbers.js';
import { checkNames } from '../../notation.js';
import { codeOf, printSettings } from '../../options/document.js';
import { isCodeName } from '../../options/providedCode.js';
import { simulationFiles } from '../../results/files.js';
import { checkResultFolder, dropEarlierReport, writeResultFolder } from '../../results/resultFolder.js';
import {
  ALIKE_ON_ONE_SITE,
  comparisonDocument,
  comparisonText,
  rankRuns,
} from '../../show/comparisonText.js';
import { accountingText, simulationText } from '../../show/simulationText.js';
import { withMethod } from '../../simulate/experiment.js';
import { CLASSINGS, type Classing } from '../../simulate/jobClasses.js';
import { homeRuleOf } from '../../simulate/prepare.js';
import { collectSimulation, type Simulation } from '../../simulate/simulate.js';
import { Simulator } from '../../simulate/simulator.js';
import { summarizeJobs } from '../../simulate/summary.js';
import { sourceName } from '../../trace/quote.js';
import { type CommandExperiment, prepareExperiment, readSettings, runToEnd, type Texts } from '../asked.js';
import { askedMethods, listedIn } from '../askedMethods.js';
import type { Arguments, Command } from '../command.js';
import {
  ALLOW_CODE_OPTION,
  CODE_OPTIONS,
  COMMON_OPTIONS,
  CORE_OPTION,
  REPLICATION_OPTIONS,
  replicationsOf,
  SETTING_OPTIONS,
  THREADS,
  textsOf,
  threadsOf,
  WORKLOAD,
  WORKLOAD_HELP,
} from '../commandOptions.js';
import type { Context } from '../context.js';
import type { Replications } from '../replicated.js';

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
        'a folder each in it; with --replications for a report, tables, figures, methods.md and values.csv',
      default: 'none',
      group: 'Output:',
    },
    ...REPLICATION_OPTIONS,
    threads: THREADS,
    ...CODE_OPTIONS,
    ...ALLOW_CODE_OPTION,
    by: {
      describe:
        'per-class results too, by user, queue, home, or class (short or long, narrow or wide); several with commas',
      group: 'Output:',
      isRepeatable: true,
      complete: () => CLASSINGS,
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
  run,
};

/** What simulate is asked for. */
interface Asked {
  /** The log or model. */
  readonly source: string;
  readonly texts: Texts;
  readonly output: Output;
}

/** What is made of a simulation. */
interface Output {
  /** The folder for the results, or for a folder of each policy. */
  readonly out?: string | undefined;
  readonly isParquet?: boolean | undefined;
  readonly classings?: readonly Classing[] | undefined;
}

async function run(args: Arguments, context: Context): Promise<number> {
  const asked = await askedOf(args);
  const { out } = asked.output;
  if (out === undefined && asked.output.isParquet) {
    throw new InputError('--parquet needs --out, the folder for jobs.parquet');
  }
  const replications = replicationsOf(args);
  if (replications === undefined) {
    if (args.has('threads')) throw new InputError('--threads is for --replications; one simulation has one');
    return simulateMethods(asked, context);
  }
  checkReplicated(asked);
  if (out !== undefined) {
    const { simulateInFolder } = await import('../study/comparedStudy.js');
    return simulateInFolder(asked.source, asked.texts, args, out, context);
  }
  const settings = readSettings(asked.source, asked.texts);
  const experiment = await prepareExperiment(settings, context, askedMethods(asked.texts));
  return runReplicated(experiment, { replications, threads: threadsOf(args), sharing: true }, context);
}

/** What is given, over what a config.json that is given says. */
async function askedOf(args: Arguments): Promise<Asked> {
  const given = textsOf(args);
  const config = args.text('config');
  const saved = config === undefined ? undefined : await readConfig(config);
  const source = args.words.length > 0 ? joinFiles(args.words) : saved?.source;
  if (source === undefined) {
    throw new InputError(`gridalloc simulate needs ${WORKLOAD.meaning}; see gridalloc simulate --help`);
  }
  const brought = saved === undefined ? {} : without(saved.texts, takenPlace(given));
  if (saved !== undefined) {
    checkCodeOf(saved.folder, brought, args.has('allow-code'));
    if (!args.has('core')) useCoreOf(saved);
  }
  return {
    source,
    texts: { ...brought, ...given },
    output: { out: args.text('out'), isParquet: args.has('parquet'), classings: classingsOf(args) },
  };
}

/** The options whose place is taken; speeds and time factors take each other's, and reservations are of a discipline. */
function takenPlace(given: Texts): string[] {
  const speeds = ['speeds', 'heterogeneity'];
  const names = Object.keys(given);
  const more = names.some((name) => speeds.includes(name)) ? speeds : [];
  return [...names, ...more, ...(names.includes('discipline') ? ['reservations'] : [])];
}

function without(texts: Texts, names: readonly string[]): Texts {
  return Object.fromEntries(Object.entries(texts).filter(([name]) => !names.includes(name)));
}

/** Simulates the methods asked for, and writes their results; returns the exit code. */
export async function simulateMethods({ source, texts, output }: Asked, context: Context): Promise<number> {
  const { out } = output;
  const policies = listedIn(texts, 'policy');
  // Several policies have a folder each below the one given.
  const folders =
    out === undefined
      ? []
      : policies.length < 2
        ? [out]
        : policies.map((policy) => join(out, folderOf(policy)));
  for (const folder of folders) await checkResultFolder(folder);
  const settings = readSettings(source, texts);
  const experiment = await prepareExperiment(settings, context, askedMethods(texts), out !== undefined);
  if (experiment.configurations.length > 1) await runSeveral(experiment, folders, output, context);
  else await runOne(experiment, { ...output, out: folders[0] }, context);
  return 0;
}

/** Refuses what replications of one simulation do not go with. */
function checkReplicated({ output, texts }: Asked): void {
  if (output.isParquet) {
    throw new InputError(
      '--parquet is for the jobs of one run; give --replication 3 for one of the replications',
    );
  }
  if (output.classings !== undefined) {
    throw new InputError(
      '--by shows the jobs of one run; give --replication 3 for one of the replications, or leave --by out',
    );
  }
  if (listedIn(texts, 'policy').length > 1) {
    throw new InputError(
      'several policies on replications are compared by gridalloc compare; give one --policy here',
    );
  }
}

/** One method over replications: every metric with its interval; returns the exit code. */
async function runReplicated(
  experiment: CommandExperiment,
  asked: Replications,
  context: Context,
): Promise<number> {
  const { estimateReplications } = await import('../replicated.js');
  const { estimatesDocument, estimatesText } = await import('../estimated.js');
  const estimated = await estimateReplications(experiment, asked, context);
  if (context.isJson) await context.printJson(estimatesDocument(experiment, estimated));
  else await context.print(estimatesText(experiment, estimated, context.colors));
  return 0;
}

/** A policy as the name of a folder: `tai2-sht-0.05-slt-2`, or `mine` for `./mine.js`. */
function folderOf(policy: string): string {
  const name = isCodeName(policy) ? basename(policy, extname(policy)) : policy;
  return name.replaceAll(/[^\w.]+/g, '-').replace(/-$/, '');
}

/** By what jobs are shown class by class; undefined where that is not asked for. */
function classingsOf(args: Arguments): Classing[] | undefined {
  if (!args.has('by')) return undefined;
  const words = args.texts('by').flatMap((text) => text.split(/[\s,]+/));
  const given = words.filter((word) => word !== '');
  checkNames(given, CLASSINGS, 'value of --by');
  return CLASSINGS.filter((each) => given.includes(each));
}

async function runOne(experiment: CommandExperiment, output: Output, context: Context): Promise<void> {
  const { out, classings } = output;
  const [configuration] = experiment.configurations;
  const simulator = new Simulator(experiment.workload);
  await runToEnd(simulator, configuration, context);
  const summary = summarizeJobs(simulator, classings);
  if (out !== undefined)
    await writeResults({ ...collectSimulation(simulator), summary }, experiment, out, output, context);
  if (context.isJson) await context.printJson(summary);
  else if (out === undefined || !context.isQuiet) {
    const { workload, settings, methods, trace } = experiment;
    await context.print(
      simulationText(
        summary,
        {
          accounting: workload.accounting,
          hasHomes: homeRuleOf(settings, trace) !== 'none',
          machine: trace.header.maxProcessors,
          texts: printSettings(withMethod(settings, methods[0])),
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
  { isParquet = false }: Output,
  context: Context,
): Promise<void> {
  const config = configDocument(experiment, simulation.configuration, out);
  const files = simulationFiles(simulation, experiment.trace, config, {
    parquet: isParquet,
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
  output: Output,
  context: Context,
): Promise<void> {
  const { workload, configurations, grid } = experiment;
  if (grid.capacities.length === 1) await context.say(ALIKE_ON_ONE_SITE);
  const simulator = new Simulator(workload);
  const runs = [];
  for (const [i, configuration] of configurations.entries()) {
    await runToEnd(simulator, configuration, context);
    const summary = summarizeJobs(simulator, output.classings);
    if (folders.length > 0) {
      const simulation = { ...collectSimulation(simulator), summary };
      await writeResults(simulation, experiment, folders[i], output, context);
    }
    runs.push({ configuration, summary });
  }
  const ranked = rankRuns(runs);
  if (context.isJson) return context.printJson(comparisonDocument(ranked));
  if (folders.length > 0 && context.isQuiet) return;
  const account = accountingText(workload.accounting);
  await context.print(
    `${countOf(workload.count, 'job')} of ${sourceName(workload.name)}${account && `; ${account}`}\n`,
  );
  await context.print(comparisonText(ranked, context.colors));
}
