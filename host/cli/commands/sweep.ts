/** Command `gridalloc sweep`: simulates all combinations of option values. */
import { quoteShellWord } from '../../format/text.js';
import { formatOptionsAsCommandLineWords, isDefaultOptionText } from '../../options/document.js';
import { findOptionByName, isAbsentOptionText, type OptionStrings } from '../../options/options.js';
import {
  COMMON_COMMAND_OPTIONS,
  CORE_FILE_OPTION,
  EQUIVALENCE_MARGIN_OPTION,
  EXECUTION_OPTION_COMBINATIONS,
  EXECUTION_OPTIONS,
  listMetricNames,
  METHOD_LABEL_OPTION,
  REPLICATION_OPTION_COMBINATIONS,
  REPLICATION_OPTIONS,
  SIMULATION_OPTION_DEFINITIONS,
  WORKLOAD_ARGUMENT,
} from '../../request/commandOptions.js';
import { type CommandRequestInput, readSweepInput } from '../../request/fromArguments.js';
import { determineEffectiveOptionTexts } from '../../runs/applicableSettings.js';
import { defaultOutputFolder } from '../../runs/runsFolder.js';
import { METHOD_OPTION_NAMES } from '../../simulate/methodNames.js';
import { SINGLE_SIMULATION_REMARK } from '../../statistics/samples.js';
import { expandStudy, listOptionsVaryingAlongAxis } from '../../study/expand.js';
import { DEFAULT_METRIC_NAME, findRunMetric } from '../../study/runValues.js';
import type { Study } from '../../study/study.js';
import { makeSweepStudy, type SweepRequest } from '../../study/sweep.js';
import { wrapToTerminalLine } from '../../view/terminal.js';
import type { Command } from '../command.js';
import type { CommandContext } from '../context.js';
import { SCHEDULER_OPTION } from '../scheduler.js';
import { runAndReportStudy } from '../study/studyRun.js';

/** Command `gridalloc sweep`. */
export const sweepCommand: Command<CommandRequestInput<SweepRequest>> = {
  description: [
    'Simulates every combination of the values given with --vary, and writes results like those of a study.',
    'Values are separated by commas outside brackets, or by semicolons when there are any (for lists such as speeds). ' +
      'A value in square brackets may contain both: --vary partition-sites=none,[short=1;long=2] is two settings. ' +
      '1..10 means the whole numbers from 1 to 10, 0.5..0.9:0.1, 70%..90%:5% and 1h..6h:30m give steps. A name that is not an option of simulate is a ' +
      "placeholder: --vary sh=0,0.12 fills {sh} in --speeds 'draw[sh={sh},seed=1]'. Seeds beside " +
      "other values are replications: their mean and range are shown. Lists in brackets are varied too: 'ti[slt=1|2|3]'. " +
      'An option that has no effect in a setting is omitted from it, and a setting that the rules refuse is skipped, both with a message; a value that is left in no setting is an error. ' +
      "Options whose values go together are one axis: --vary 'sites+speeds=100:1;100,50:1,2' is two settings.",
  ].join('\n\n'),
  positionals: [
    { ...WORKLOAD_ARGUMENT, meaning: 'a WORKLOAD: a job log (FILE.swf, FILE.swf.gz) or a model' },
  ],
  options: {
    vary: {
      describe: 'option or placeholder and its values, such as load=1,1.5,2',
      isRepeatable: true,
      complete: completeVaryOption,
      group: 'Sweep:',
    },
    metric: {
      describe: 'metrics of the tables and figures, with commas or repeated; all metrics are in results.csv',
      default: DEFAULT_METRIC_NAME,
      isRepeatable: true,
      complete: listMetricNames,
      group: 'Sweep:',
    },
    ...REPLICATION_OPTIONS,
    within: EQUIVALENCE_MARGIN_OPTION,
    ...SIMULATION_OPTION_DEFINITIONS,
    scheduler: SCHEDULER_OPTION,
    ...EXECUTION_OPTIONS,
    out: { ...EXECUTION_OPTIONS.out, default: 'results/sweep-HASH' },
    ...METHOD_LABEL_OPTION,
    ...CORE_FILE_OPTION,
    ...COMMON_COMMAND_OPTIONS,
  },
  examples: [
    ['gridalloc sweep log.swf.gz --vary load=1,1.5,2 --vary policy=best-fit,ai2', 'six simulations'],
    [
      'gridalloc sweep log.swf.gz --vary load=1,2 --replications 20',
      'with 95 % intervals, on the log shaken',
    ],
    ["gridalloc sweep 'lublin99[aarr={aarr},seed={seed}]' --vary aarr=9,10 --vary seed=1..10", 'a model'],
  ],
  combinations: [...EXECUTION_OPTION_COMBINATIONS, ...REPLICATION_OPTION_COMBINATIONS],
  read: readSweepInput,
  run: runSweepCommand,
};

/**
 * Completes --vary: names such as `load=` for `lo`, and values such as `discipline=fcfs,easy` for
 * `discipline=fcfs,ea`.
 */
function completeVaryOption(wordSoFar: string): readonly string[] {
  const [, name, listPrefix] = /^([^=]*)=(.*,|)/.exec(wordSoFar) ?? [];
  if (name === undefined) return Object.keys(SIMULATION_OPTION_DEFINITIONS).map((option) => `${option}=`);
  const { choices: optionChoices, complete } = SIMULATION_OPTION_DEFINITIONS[name] ?? {};
  return (optionChoices ?? complete?.('') ?? []).map((valueText) => `${name}=${listPrefix}${valueText}`);
}

async function runSweepCommand(
  { request, execution, line: commandLine }: CommandRequestInput<SweepRequest>,
  context: CommandContext,
): Promise<number> {
  const study = await makeSweepStudy(request);
  // Each sweep has a folder of its own, in which the same command resumes.
  const out = defaultOutputFolder('sweep', study.text);
  const exitCode = await runAndReportStudy(
    study,
    { command: commandLine, allowCode: true },
    execution,
    context,
    out,
  );
  const { isDry, slurm, shards, shard, only } = execution;
  const isComplete = !isDry && [slurm, shards, shard, only].every((each) => each === undefined);
  if (isComplete && study.draws === undefined && !context.isJson && !context.isQuiet)
    await context.print(`\n${makeSingleSimulationMessage(study, request, commandLine)}`);
  return exitCode;
}

/** Maximum number of settings for which a comparison of methods is suggested. */
const MAX_SWEEP_METHODS = 8;

/**
 * Explains the limits of single simulations, with the command that compares the settings: as methods if their
 * options may differ between methods, otherwise a sweep with replications.
 */
function makeSingleSimulationMessage(
  study: Study,
  { workload, texts: optionTexts, metrics }: SweepRequest,
  line: readonly string[],
): string {
  const settings = [...expandStudy(study, undefined)].flatMap((studySetting) => {
    const options = determineEffectiveOptionTexts(studySetting);
    return options === undefined ? [] : [options];
  });
  const variedOptionNames = findVaryingOptions(study);
  const areMethodOptions =
    variedOptionNames.every((variedOptionName) => METHOD_OPTION_NAMES.includes(variedOptionName)) &&
    settings.length <= MAX_SWEEP_METHODS;
  const methods = makeMethodsOfSettings(settings, variedOptionNames);
  const common = Object.fromEntries(
    Object.entries(optionTexts).filter(([optionName]) => !variedOptionNames.includes(optionName)),
  );
  const comparedMetrics = metrics.filter((metricName) => findRunMetric(metricName).better !== undefined);
  const commandWords = areMethodOptions
    ? [
        ...['compare', workload, ...formatOptionsAsCommandLineWords(common)],
        ...methods.flatMap((methodText) => ['--method', methodText]),
        ...(comparedMetrics.length === 0 ? [] : ['--metric', comparedMetrics.join(',')]),
        ...['--replications', '30'],
      ]
    : [...line, '--replications', '20'];
  const judgingAdviceText = areMethodOptions
    ? 'To judge the differences compare:'
    : 'For 95 % intervals replicate it:';
  return `${wrapToTerminalLine(`${SINGLE_SIMULATION_REMARK} ${judgingAdviceText}`)}\n  gridalloc ${commandWords.map(quoteShellWord).join(' ')}`;
}

/** Option with its value in full notation, such as seconds for a time. */
function printInFullNotation(optionName: string, optionText: string): [string, string] {
  const { read: readOption, print } = findOptionByName(optionName);
  return [
    optionName,
    isAbsentOptionText(optionName, optionText) ? optionText : print(readOption(optionText, optionName)),
  ];
}

/** Values of --method for the settings of a sweep; settings that differ only in notation give one. */
function makeMethodsOfSettings(settings: readonly OptionStrings[], optionNames: readonly string[]): string[] {
  const methods = settings.map((options) => {
    const optionPairs = optionNames.flatMap((optionName): [string, string][] => {
      const optionText = options[optionName];
      // Commas separate the options of a method.
      const isList = findOptionByName(optionName).isRepeatable;
      return optionText === undefined
        ? []
        : [[optionName, isList ? optionText.replaceAll(',', ';') : optionText]];
    });
    const nonDefaultOptions = optionPairs
      .filter((each) => !isDefaultOptionText(...printInFullNotation(...each)))
      .join();
    return [nonDefaultOptions, optionPairs.map(([name, text]) => `${name}=${text}`).join(', ')] as const;
  });
  return methods.flatMap(([key, text], i) =>
    methods.findIndex(([other]) => other === key) === i ? [text] : [],
  );
}

/** Names of the options that differ between the settings of a sweep. */
function findVaryingOptions({ parts: studyParts }: Study): string[] {
  return [
    ...new Set(
      studyParts.flatMap(({ axes }) =>
        axes.flatMap(({ name: axisName }) => listOptionsVaryingAlongAxis({ parts: studyParts }, axisName)),
      ),
    ),
  ];
}
