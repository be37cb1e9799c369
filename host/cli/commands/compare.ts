/**
 * Command `gridalloc compare`: compares scheduling methods; by default the allocation methods of Shih et al.
 * 2010.
 */
import { formatPercent } from '../../format/numbers.js';
import { firstElement } from '../../lists.js';
import {
  CLUSTER_ENGINE_OPTIONS,
  CODE_EXECUTION_OPTIONS,
  COMMON_COMMAND_OPTIONS,
  CORE_FILE_OPTION,
  ENGINE_OPTION_COMBINATIONS,
  EQUIVALENCE_MARGIN_OPTION,
  getSimulationOptionDefinition,
  listMetricNames,
  METHOD_LABEL_OPTION,
  NO_SHARING_OPTION,
  PER_CLASS_OPTION,
  REPLICATION_OPTION_COMBINATIONS,
  REPLICATION_OPTIONS,
  SIMULATION_OPTION_DEFINITIONS,
  THREADS_OPTION,
  WORKLOAD_ARGUMENT,
  WORKLOAD_HELP_TEXT,
} from '../../request/commandOptions.js';
import type { CommandOptionTable, OptionCombinationRule } from '../../request/definitions.js';
import { type CommandRequestInput, readCompareInput } from '../../request/fromArguments.js';
import { OPTIONS_LISTING_METHODS } from '../../request/listedMethods.js';
import {
  areReplicationsRequested,
  type CompareRequest,
  serializeRequestOptions,
} from '../../request/request.js';
import { SHIH_2010_POLICIES, SHIH_2010_SETTING_OPTIONS } from '../../runs/methodSelection.js';
import { defaultOutputFolder } from '../../runs/runsFolder.js';
import type { Experiment } from '../../simulate/experiment.js';
import { METHOD_OPTION_NAMES, OPTIONS_BY_METHOD_ALIAS } from '../../simulate/methodNames.js';
import { estimateSingleSampleNoise } from '../../statistics/samples.js';
import { findRunMetric } from '../../study/runValues.js';
import { wrapToTerminalLine } from '../../view/terminal.js';
import type { Command } from '../command.js';
import { prepareEvaluation, runEvaluation } from '../comparisonQuestion.js';
import type { CommandContext } from '../context.js';
import { selectAndPrintMethod } from '../methodComparison.js';
import { SCHEDULER_OPTION } from '../scheduler.js';
import { runEvaluationInFolder } from '../study/comparisonStudy.js';

/** Options with several values to compare. */
const makeRepeatableOption = (optionName: string) => ({
  ...getSimulationOptionDefinition(optionName),
  isRepeatable: true,
  isOpen: true,
});
const REPEATABLE_OPTIONS: CommandOptionTable = Object.fromEntries(
  OPTIONS_LISTING_METHODS.map((optionName) => [optionName, makeRepeatableOption(optionName)]),
);

/** Suggests words that can begin a method, for shell completion. */
const suggestMethodNames = () => [
  ...(getSimulationOptionDefinition('discipline').choices ?? []),
  ...Object.keys(OPTIONS_BY_METHOD_ALIAS),
  ...(getSimulationOptionDefinition('policy').complete?.('') ?? []),
  ...METHOD_OPTION_NAMES.map((optionName) => `${optionName}=`),
];

/** Options that request replications. */
const REPLICATION_OPTION_NAMES = ['replications', 'until-decided', 'select-best'];

const SINGLE_LOG_CONDITION: OptionCombinationRule['where'] = {
  words: 'on one log',
  isSatisfiedBy: ({ positionals: commandWords }) => commandWords.length < 2,
};
const SEVERAL_LOGS_CONDITION: OptionCombinationRule['where'] = {
  words: 'on several logs',
  isSatisfiedBy: ({ positionals: commandWords }) => commandWords.length > 1,
};

/** Options that apply only to a comparison on one log, with the reason. */
const SINGLE_LOG_OPTIONS: Readonly<Record<string, string>> = {
  bench: 'works with a single log only',
  npir: 'works with a single log only',
  'until-decided': 'works with a single log only',
  'select-best': 'works with a single log only',
  by: "shows the classes of one log; name a metric of a class, such as --metric 'meanWait[class=short narrow]', or give one log",
};

export const compareCommand: Command<CommandRequestInput<CompareRequest>> = {
  description: [
    'Simulates one workload under several methods and shows the results side by side: on several sites the eight allocation methods of Shih et al. 2010; on one site, ' +
      'where these cannot differ, fcfs, first-available, sjf, easy, easy with --backfill-order shortest, and conservative.',
    'Options of the run that take one value elsewhere take several here, with commas or repeated: the methods are all their combinations. An option that has no effect in a combination is omitted from it, and a combination that the rules refuse is skipped, both with a message; a value that is left in no combination is an error. --method names methods one by one.',
    'Where one value has commas of its own, enclose it in square brackets: --limit none,[user.jobs=3,group.processors=120] is two methods.',
    WORKLOAD_HELP_TEXT,
    "Several WORKLOADs are separate logs: each gives one value per method, relative to the best method on it. Write files that form one log as one word: '{2023.swf,2024.swf}'.",
    'All defaults are those of simulate: without --sites or --preset the jobs run on one site as large as the machine of the log. ' +
      `Without a WORKLOAD the setting of Shih et al. 2010 is simulated: ${SHIH_2010_SETTING_OPTIONS.workload} on sites of ${SHIH_2010_SETTING_OPTIONS.sites} processors with speeds ${SHIH_2010_SETTING_OPTIONS.speeds}, time resolution ${SHIH_2010_SETTING_OPTIONS.timeResolution}.`,
  ].join('\n\n'),
  positionals: [{ ...WORKLOAD_ARGUMENT, isOptional: true }],
  options: {
    ...SIMULATION_OPTION_DEFINITIONS,
    ...REPEATABLE_OPTIONS,
    scheduler: {
      ...SCHEDULER_OPTION,
      describe: `${SCHEDULER_OPTION.describe}; for one method --method 'scheduler=slurm'`,
    },
    policy: { ...makeRepeatableOption('policy'), default: `on several sites ${SHIH_2010_POLICIES}` },
    discipline: { ...makeRepeatableOption('discipline'), default: 'on one site several, else fcfs' },
    method: {
      describe:
        "one method, as values or option=value, such as 'easy, order=wfp3' or easy++, with a name before a colon if wanted; a method may have its own sites, speeds and estimates: 'more: easy, sites=768'; instead of lists of values",
      isRepeatable: true,
      complete: suggestMethodNames,
      group: 'Scheduling:',
    },
    ...REPLICATION_OPTIONS,
    metric: {
      describe:
        'metrics to compare the methods by, with commas or repeated, such as meanWait; gridalloc metrics lists them',
      default: 'with replications averageResponseTime, else a common selection',
      isRepeatable: true,
      complete: listMetricNames,
      group: 'Output:',
    },
    within: EQUIVALENCE_MARGIN_OPTION,
    'until-decided': {
      describe:
        'judge after 20, 30, 40, ... replications (at most --replications, by default 1280), and stop once no method is ' +
        'undecided; the limits are valid at all of them simultaneously',
      isSwitch: true,
      group: 'Replications:',
    },
    'select-best': {
      describe:
        'find, among many methods such as variants of one, one within --within of the best, replicating only those still in the running (at most --replications); one answer, no intervals',
      isSwitch: true,
      group: 'Replications:',
    },
    by: { ...PER_CLASS_OPTION, group: 'Replications:' },
    bench: {
      describe: 'also time each simulation (three runs after a warm-up), in the column ns/job',
      isSwitch: true,
      group: 'Output:',
    },
    npir: {
      describe:
        'show the normalized performance improvement ratio on the better of best-fit and fastest-first, where both are compared',
      isSwitch: true,
      group: 'Output:',
    },
    threads: THREADS_OPTION,
    'no-sharing': NO_SHARING_OPTION,
    ...CLUSTER_ENGINE_OPTIONS,
    out: {
      describe:
        'folder for a report, tables (CSV, Markdown, LaTeX), figures (SVG, PDF), methods.md and values.csv; an unfinished comparison in it is resumed',
      default: 'none; with --engine slurm results/compare-HASH',
      group: 'Output:',
    },
    ...METHOD_LABEL_OPTION,
    ...CODE_EXECUTION_OPTIONS,
    ...CORE_FILE_OPTION,
    ...COMMON_COMMAND_OPTIONS,
  },
  examples: [
    ['gridalloc compare', 'a first look'],
    ['gridalloc compare --load 1.2', 'the same jobs, longer: a busier grid'],
    ['gridalloc compare log.swf.gz', 'disciplines on the machine of a log'],
    ['gridalloc compare log.swf.gz --sites 64,64,128 --speeds 1,2,1.5', 'allocators on several sites'],
    ['gridalloc compare sdsc-sp2.swf.gz --preset shih2010 --load 2', 'a real log in the setting of a paper'],
    ['gridalloc compare --policy best-fit,worst-fit,random', 'other policies'],
    ['gridalloc compare log.swf.gz --discipline easy --order submit,shortest,wfp3', 'combinations'],
    ["gridalloc compare log.swf.gz --method fcfs --method 'easy, order=wfp3'", 'methods one by one'],
    [
      "gridalloc compare log.swf --method easy --method 'more: easy, sites=768'",
      'what more nodes would change',
    ],
    ["gridalloc compare log.swf --method easy --method 'slurm: scheduler=slurm.conf'", 'EASY or our Slurm?'],
    ['gridalloc compare kth.swf.gz ctc.swf.gz sdsc.swf.gz', 'which is better across logs'],
    ['gridalloc compare log.swf.gz --replications 100', 'which is better, and how certain that is'],
    [
      "gridalloc compare log.swf.gz --until-decided --perturb 'resample[by=user]' --metric meanWait",
      'until decided, over recombined weeks of the same users',
    ],
    [
      "gridalloc compare --policy 'ti[slt=0.5],ti[slt=1],ti[slt=2],ti[slt=4]' --select-best",
      'the variant to take',
    ],
    ['gridalloc compare log.swf.gz --replications 30 --by class,user', 'which jobs gain and which lose'],
    ['gridalloc compare log.swf.gz --until-decided --engine slurm', 'the same on a cluster, in rounds'],
  ],
  combinations: [
    ...ENGINE_OPTION_COMBINATIONS,
    ...REPLICATION_OPTION_COMBINATIONS,
    {
      of: ['threads', 'no-sharing'],
      needs: [...REPLICATION_OPTION_NAMES, 'out'],
      why: 'a method on the jobs as they are is one simulation',
    },
    {
      of: ['within'],
      needs: REPLICATION_OPTION_NAMES,
      where: SINGLE_LOG_CONDITION,
      why: 'verdicts need replications',
    },
    { of: ['bench'], excludes: REPLICATION_OPTION_NAMES, why: 'it times single simulations' },
    { of: ['bench'], excludes: ['out'], why: 'it prints times and writes no files' },
    {
      of: ['select-best'],
      excludes: ['until-decided', 'engine', 'out'],
      where: SINGLE_LOG_CONDITION,
      why: 'it runs replications here, until one method is left',
    },
    { of: ['engine slurm'], needs: REPLICATION_OPTION_NAMES, why: 'a cluster is for many simulations' },
    ...Object.entries(SINGLE_LOG_OPTIONS).map(
      ([option, why]): OptionCombinationRule => ({
        of: [option],
        where: SEVERAL_LOGS_CONDITION,
        why,
      }),
    ),
  ],
  read: readCompareInput,
  run: runCompareCommand,
};

async function runCompareCommand(
  { request, execution, line: commandLine }: CommandRequestInput<CompareRequest>,
  context: CommandContext,
): Promise<number> {
  // Unknown metrics are refused before a log is read.
  for (const metricName of request.metrics) findRunMetric(metricName);
  const { slurm, out } = execution;
  if (request.selectsBest) return selectAndPrintMethod(request, execution, context);
  if (slurm !== undefined || out !== undefined) {
    const folder = out ?? defaultOutputFolder('compare', JSON.stringify(serializeRequestOptions(request)));
    return runEvaluationInFolder(request, commandLine, folder, execution, context);
  }
  const evaluation = await prepareEvaluation(request, context);
  const isUnreplicated = request.workloads.length < 2 && !areReplicationsRequested(request);
  return runEvaluation(evaluation, execution, context, ({ text: outputText, legend = [] }) =>
    isUnreplicated
      ? `${outputText}\n\n${explainSingleSample(request, firstElement(evaluation.logs), legend)}`
      : outputText,
  );
}

/** Explains the limits of a single sample, the columns of its table, and the next step. */
function explainSingleSample(
  { metrics, workloads }: CompareRequest,
  { grid, configurations }: Experiment,
  legendLines: readonly string[],
): string {
  const siteCount = grid.capacities.length;
  const comparedMetrics = (metrics.length === 0 ? ['averageResponseTime'] : metrics).map(findRunMetric);
  const policies = configurations.map(({ policy }) => policy.declaration.name);
  const hasBestFitAndFastestFirst = ['best-fit', 'fastest-first'].every((policyName) =>
    policies.includes(policyName),
  );
  const noisePercentTexts = [...new Set(comparedMetrics.map(estimateSingleSampleNoise))]
    .sort((a, b) => a - b)
    .map((share) => formatPercent(share, 0));
  const noisePercentText =
    noisePercentTexts.length > 1
      ? `${noisePercentTexts.join(' or ')} (by the kind of metric)`
      : noisePercentTexts[0];
  const lines = [
    wrapToTerminalLine(
      `One sample: differences of a few percent may be chance, and * marks a method only where it is more than ${noisePercentText} ahead of all others. To be more certain, add --replications 50.`,
    ),
    '',
    ...legendLines.map((each) => wrapToTerminalLine(each)),
    ...(siteCount === 1 || hasBestFitAndFastestFirst ? [''] : []),
    ...(hasBestFitAndFastestFirst && siteCount > 1
      ? [
          'Best-fit keeps room for wide jobs, fastest-first shortens executions; which of',
          'them wins depends on how busy the grid is and how much its sites differ.',
        ]
      : siteCount > 1
        ? []
        : [
            'With one site every allocation policy gives the same schedule; disciplines',
            'differ in which jobs may overtake others.',
          ]),
    ...(workloads.length === 0 ? ['With a log of your own: gridalloc compare FILE.swf.gz'] : []),
  ];
  return lines.join('\n');
}
