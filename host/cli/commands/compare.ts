/** gridalloc compare: the allocation methods of Shih et al. 2010 side by side, with the time they take. */

import { InputError } from '../../errors.js';
import { joinFiles } from '../../files/logFiles.js';
import { countOf, formatMeasure, formatNumber } from '../../format/numbers.js';
import type { Grid } from '../../grid/grid.js';
import {
  asksPolicy,
  type Discipline,
  isBackfilling,
  type SimulationOptions,
} from '../../options/configuration.js';
import type { Settings } from '../../options/options.js';
import { RUN_OPTIONS } from '../../options/run.js';
import { Simulator } from '../../simulate/simulator.js';
import { summarize } from '../../simulate/summary.js';
import {
  type ComparedRun,
  comparisonDocument,
  comparisonText,
  isDecided,
  type RankedRun,
  rankRuns,
} from '../../text/comparison.js';
import { JUDGED_LEGEND, judgedDocument, judgedText } from '../../text/replications.js';
import { accountingText } from '../../text/simulation.js';
import { sourceName } from '../../trace/quote.js';
import type { Trace } from '../../trace/trace.js';
import { isModelText } from '../../workload/models.js';
import type { Arguments } from '../arguments.js';
import { CODE_OPTIONS } from '../code.js';
import type { Command, OptionDefinition } from '../command.js';
import type { Context } from '../context.js';
import { type Experiment, policiesOf, policyMethods, prepareExperiment, runToEnd } from '../experiment.js';
import {
  COMMON_OPTIONS,
  CORE_OPTION,
  REPLICATION_OPTIONS,
  SETTING_OPTIONS,
  WORKLOAD,
  WORKLOAD_HELP,
} from '../options.js';
import { type Comparison, compareReplications, isReplicated } from '../replicated.js';
import { NO_SHARING, THREADS } from '../threads.js';

/** The allocation methods of Shih et al. 2010. */
const POLICIES = 'best-fit,fastest-first,si,ti,ai,ai2,tai,tai2';

/** What is compared on one site, where all allocators are alike; the second need estimates of the runtimes. */
const DISCIPLINES = ['fcfs', 'first-available'];
const DISCIPLINES_BY_ESTIMATE = ['sjf', 'easy', 'conservative'];

/** The setting of Shih et al. 2010, where nothing else is said: for models, and for the presets of logs. */
const PAPER = {
  workload: 'lublin99[aarr=9,jobs=30000,seed=1]',
  sites: '8,128,128,128,50',
  speeds: 'draw[sh=0.12,seed=1]',
  timeResolution: 'nearest',
} as const;

/** gridalloc compare. */
export const compareCommand: Command = {
  description: [
    'Simulates one workload under several methods and shows the results side by side, with the time that each simulation ' +
      'takes: on several sites the eight allocation methods of Shih et al. 2010 (or those of --policy); on one site, ' +
      'where these cannot differ, queue disciplines (or those of --discipline).',
    WORKLOAD_HELP,
    `A log runs on its own machine unless --sites or --preset are given. A model, and no workload at all (${PAPER.workload}), ` +
      `runs on sites of ${PAPER.sites} processors with speeds ${PAPER.speeds}.`,
  ].join('\n\n'),
  positionals: [{ ...WORKLOAD, isOptional: true }],
  options: {
    ...SETTING_OPTIONS,
    sites: {
      ...SETTING_OPTIONS.sites,
      default: `those of the preset; of a log its own machine; of a model ${PAPER.sites}`,
    },
    speeds: {
      ...SETTING_OPTIONS.speeds,
      default: `of models and presets on three sites or more ${PAPER.speeds}, else all 1`,
    },
    policy: {
      ...SETTING_OPTIONS.policy,
      describe: 'the policies to compare, with commas or repeated (see gridalloc policies)',
      default: `on several sites ${POLICIES}`,
      isRepeatable: true,
    },
    discipline: {
      ...withoutChoices(SETTING_OPTIONS.discipline),
      describe: `the disciplines to compare, with commas or repeated (${SETTING_OPTIONS.discipline.choices?.join(', ')})`,
      default: `on one site ${[...DISCIPLINES, ...DISCIPLINES_BY_ESTIMATE].join(',')}, else fcfs`,
      isRepeatable: true,
    },
    'time-resolution': {
      ...SETTING_OPTIONS['time-resolution'],
      default: `of models and presets ${PAPER.timeResolution}, else exact`,
    },
    ...REPLICATION_OPTIONS,
    metric: {
      describe:
        'with replications: metrics to compare the methods by, with commas or repeated, such as meanWait',
      default: 'averageResponseTime',
      isRepeatable: true,
      group: 'Replications:',
    },
    'until-decided': {
      describe:
        'test after 20, 40, 80, ... replications (at most --replications, by default 640), and stop once every method is ' +
        'significantly worse than the best; the looks share the 5 %',
      isSwitch: true,
      group: 'Replications:',
    },
    threads: THREADS,
    'no-sharing': NO_SHARING,
    ...CODE_OPTIONS,
    ...CORE_OPTION,
    ...COMMON_OPTIONS,
  },
  examples: [
    ['gridalloc compare', 'a first look'],
    ['gridalloc compare --load 1.2', 'the same jobs, longer: a busier grid'],
    ['gridalloc compare log.swf.gz', 'disciplines on the machine of a log'],
    ['gridalloc compare log.swf.gz --sites 64,64,128 --speeds 1,2,1.5', 'allocators on several sites'],
    ['gridalloc compare sdsc-sp2.swf.gz --preset shih2010 --load 2', 'a real log in the setting of a paper'],
    ['gridalloc compare --policy best-fit,worst-fit,random', 'other policies'],
    ['gridalloc compare log.swf.gz --replications 100', 'which is better, and how sure that is'],
    [
      "gridalloc compare log.swf.gz --until-decided --perturb 'resample[by=user]' --metric meanWait",
      'until it is sure, on other weeks of the same users',
    ],
  ],
  run: run,
};

function withoutChoices({ choices: _, ...option }: OptionDefinition): OptionDefinition {
  return option;
}

/** Each policy runs so often; the fastest run counts. */
const REPETITIONS = 3;
/** Speeds can be drawn for so many sites or more. */
const FEWEST_SITES_DRAWN = 3;

async function run(given: Arguments, context: Context): Promise<number> {
  for (const name of ['metric', 'threads', 'no-sharing']) {
    if (given.has(name) && !isReplicated(given))
      throw new InputError(`--${name} is for comparisons over replications; give --replications too`);
  }
  const source = given.words.length === 0 ? PAPER.workload : joinFiles(given.words);
  const args = withDefaults(source, given).without('discipline');
  const experiment = await prepareExperiment(source, args, context, (grid, trace, settings) =>
    methodsOf(given, grid, trace, settings),
  );
  const { capacities, speeds } = experiment.grid;
  const head = { workload: experiment.workload.name, capacities, speeds };
  if (isReplicated(args)) {
    const comparison = await compareReplications(experiment, args, context);
    if (args.has('json')) await context.printJson({ ...head, ...replicatedDocument(experiment, comparison) });
    else await context.print(replicatedText(experiment, comparison, context));
    return 0;
  }
  const runs = rankRuns(await runAll(experiment, context));
  if (args.has('json')) {
    await context.printJson({ ...head, ...comparisonDocument(runs) });
    return 0;
  }
  await context.print(`${describe(experiment)}\n`);
  await context.print(comparisonText(runs, context.colors));
  await context.print(`\n${explanation(given, experiment, runs)}`);
  return 0;
}

function withDefaults(source: string, args: Arguments): Arguments {
  if (!isModelText(source) && !args.has('preset')) return args;
  let filled = args.withDefaults({ 'time-resolution': PAPER.timeResolution });
  if (!args.has('preset')) filled = filled.withDefaults({ sites: PAPER.sites });
  const count = filled.text('sites')?.split(',').length ?? FEWEST_SITES_DRAWN;
  const isDrawn = !args.has('heterogeneity') && count >= FEWEST_SITES_DRAWN;
  return isDrawn ? filled.withDefaults({ speeds: PAPER.speeds }) : filled;
}

/** The methods to compare: disciplines, and policies where the sites differ and the discipline leaves them a choice. */
function methodsOf(args: Arguments, grid: Grid, trace: Trace, settings: Settings): SimulationOptions[] {
  const disciplines = disciplinesOf(args, grid, trace, settings);
  const policies = policiesOf(args.withDefaults(grid.capacities.length > 1 ? { policy: POLICIES } : {}));
  const isChosen = grid.capacities.length > 1 || args.has('policy');
  return disciplines.flatMap((discipline): SimulationOptions[] => {
    const hasChoice = isChosen && (!isBackfilling(discipline) || args.has('policy'));
    return hasChoice
      ? policyMethods(policies).map((method) => ({ discipline, ...method }))
      : [{ discipline }];
  });
}

function disciplinesOf(
  args: Arguments,
  { capacities }: Grid,
  { columns }: Trace,
  { estimates }: Settings,
): Discipline[] {
  const { read } = RUN_OPTIONS.discipline;
  const given = args.texts('discipline').flatMap((text) => text.split(/[\s,]+/));
  const words = given.filter((word) => word !== '');
  if (args.has('discipline')) return [...new Set(words)].map((word) => read(word, '--discipline'));
  if (capacities.length > 1 || args.has('policy')) return ['fcfs'];
  const hasEstimates = estimates !== undefined || columns.requestedTime.some((seconds) => seconds > 0);
  const usual = hasEstimates ? [...DISCIPLINES, ...DISCIPLINES_BY_ESTIMATE] : DISCIPLINES;
  return usual.map((word) => read(word, '--discipline'));
}

async function runAll({ workload, configurations }: Experiment, context: Context): Promise<ComparedRun[]> {
  const simulator = new Simulator(workload);
  const runs: ComparedRun[] = [];
  // The first runs of a fresh core are slow: its code is still being optimized.
  await runToEnd(simulator, configurations[0], context);
  for (const configuration of configurations) {
    let nanoseconds = Infinity;
    for (let repetition = 0; repetition < REPETITIONS; repetition++) {
      nanoseconds = Math.min(nanoseconds, await runToEnd(simulator, configuration, context));
    }
    runs.push({
      policy: configuration.policy,
      discipline: configuration.discipline,
      asksPolicy: asksPolicy(configuration),
      summary: summarize(simulator),
      nanosecondsPerJob: nanoseconds / workload.count,
    });
  }
  return runs;
}

function replicatedDocument({ configurations }: Experiment, comparison: Comparison): object {
  const { metrics, looks, replications, perturb } = comparison;
  const documents = metrics.map((judged) => judgedDocument(judged, comparison, configurations));
  const sequence = looks.length > 1 ? { looks } : {};
  return documents.length === 1
    ? { ...documents[0], ...sequence }
    : { replications, perturb, metrics: documents, ...sequence };
}

function replicatedText(experiment: Experiment, comparison: Comparison, { colors }: Context): string {
  const { metrics, looks, replications, question } = comparison;
  const looked =
    looks.length > 1
      ? `, looked at after ${looks.map((look) => formatNumber(look.replications)).join(', ')}`
      : '';
  const tables = metrics.map((judged) => judgedText(judged, comparison, experiment.configurations, colors));
  const head = `${formatNumber(replications)} replications (${question.perturb})${looked}. ${question.sentence}`;
  return [`${describe(experiment)}\n${head}`, ...tables, JUDGED_LEGEND].join('\n\n');
}

function describe({ workload, grid }: Experiment): string {
  const account = accountingText(workload.accounting);
  const sites = grid.capacities.map(
    (capacity, site) => `${formatNumber(capacity)} x ${formatMeasure(grid.speeds[site])}`,
  );
  return [
    `${countOf(workload.count, 'job')} of ${sourceName(workload.name)}`,
    ...(account === '' ? [] : [account]),
    `${countOf(sites.length, 'site')}, processors x speed: ${sites.join(', ')}`,
  ].join('\n');
}

function explanation(given: Arguments, { grid }: Experiment, runs: readonly RankedRun[]): string {
  const again = (changes: Readonly<Record<string, string>>) => `  gridalloc compare ${given.line(changes)}`;
  const sites = grid.capacities.length;
  const lines = [
    'response: average response time, submit to end; * marks the best',
    ...(runs.some((each) => each.improvementRatio !== undefined)
      ? [
          'NPIR: normalized performance improvement ratio on the better of best-fit and fastest-first (Shih et al. 2010, eq. 23)',
        ]
      : []),
    'queue: jobs that wait, as submits and finishes find them, on average; slowdown: bounded at 10 s',
    ...(runs.some(isDecided)
      ? ['best-fit chosen, fastest chosen: how often each was, where the two differed']
      : []),
    'ns/job: wall-clock time of the whole simulation',
    '',
    ...(sites > 1
      ? [
          'Best-fit keeps room for wide jobs, fastest-first shortens executions; which of them wins depends on how busy',
          'the grid is and how much its sites differ, and the methods below them try to tell.',
        ]
      : [
          'On one site all allocation policies are alike; the disciplines differ in who may start before whom.',
        ]),
    'Try next:',
    again({ load: '1.2' }),
    ...(sites >= FEWEST_SITES_DRAWN && !given.has('heterogeneity')
      ? [again({ speeds: 'draw[sh=0.24,seed=2]' })]
      : []),
    ...(given.words.length === 0 ? ['  gridalloc compare FILE.swf.gz'] : []),
    '  gridalloc simulate --help',
  ];
  return lines.join('\n');
}
