/** gridalloc sweep: a study from options alone. */
import { InputError } from '../../errors.js';
import { joinFiles } from '../../files/traceFiles.js';
import { shellWord } from '../../format/text.js';
import { optionWords } from '../../options/document.js';
import { defaultFolder } from '../../runs/runsFolder.js';
import { OF_METHOD } from '../../simulate/methodNames.js';
import { ONE_SAMPLE } from '../../statistics/samples.js';
import { expandStudy, optionsAlong } from '../../study/expand.js';
import { DEFAULT_METRIC } from '../../study/runValues.js';
import type { Study } from '../../study/study.js';
import { sweepStudy, type Varied } from '../../study/sweep.js';
import { wrapped } from '../../view/terminal.js';
import type { Arguments, Command } from '../command.js';
import {
  COMMON_OPTIONS,
  CORE_OPTION,
  EXECUTION_COMBINATIONS,
  EXECUTION_OPTIONS,
  executionOf,
  metricNames,
  metricsIn,
  REPLICATION_COMBINATIONS,
  REPLICATION_OPTIONS,
  replicationsOf,
  SETTING_OPTIONS,
  textsOf,
  WITHIN,
  WORKLOAD,
  withinOf,
} from '../commandOptions.js';
import type { Context } from '../context.js';
import { SCHEDULER_OPTION } from '../scheduler.js';
import { runAndReport } from '../study/studyRun.js';

/** gridalloc sweep. */
export const sweepCommand: Command = {
  description: [
    'Simulates every combination of the values given with --vary, and writes results like those of a study.',
    'Values are separated by commas outside brackets, or by semicolons when there are any (for lists such as speeds); ' +
      '1..10 means the whole numbers from 1 to 10, 0.5..0.9:0.1, 70%..90%:5% and 1h..6h:30m give steps. A name that is not an option of simulate is a ' +
      "placeholder: --vary sh=0,0.12 fills {sh} in --speeds 'draw[sh={sh},seed=1]'. Seeds beside " +
      "other values are replications: their mean and range are shown. Lists in brackets are varied too: 'ti[slt=1|2|3]'. " +
      "Options whose values go together are one axis: --vary 'sites+speeds=100:1;100,50:1,2' is two settings.",
  ].join('\n\n'),
  positionals: [{ ...WORKLOAD, meaning: 'a WORKLOAD: a job log (FILE.swf, FILE.swf.gz) or a model' }],
  options: {
    vary: {
      describe: 'option or placeholder and its values, such as load=1,1.5,2',
      isRepeatable: true,
      complete: completions,
      group: 'Sweep:',
    },
    metric: {
      describe: 'metrics of the tables and figures, with commas or repeated; all metrics are in results.csv',
      default: DEFAULT_METRIC,
      isRepeatable: true,
      complete: metricNames,
      group: 'Sweep:',
    },
    ...REPLICATION_OPTIONS,
    within: WITHIN,
    ...SETTING_OPTIONS,
    scheduler: SCHEDULER_OPTION,
    ...EXECUTION_OPTIONS,
    out: { ...EXECUTION_OPTIONS.out, default: 'results/sweep-HASH' },
    ...CORE_OPTION,
    ...COMMON_OPTIONS,
  },
  examples: [
    ['gridalloc sweep log.swf.gz --vary load=1,1.5,2 --vary policy=best-fit,ai2', 'six simulations'],
    [
      'gridalloc sweep log.swf.gz --vary load=1,2 --replications 20',
      'with 95 % intervals, on the log shaken',
    ],
    ["gridalloc sweep 'lublin99[aarr={aarr},seed={seed}]' --vary aarr=9,10 --vary seed=1..10", 'a model'],
  ],
  combinations: [...EXECUTION_COMBINATIONS, ...REPLICATION_COMBINATIONS],
  run,
};

/** `load=` and its like for `lo`; `discipline=fcfs,easy` and its like for `discipline=fcfs,ea`. */
function completions(begun: string): readonly string[] {
  const [, name, list] = /^([^=]*)=(.*,|)/.exec(begun) ?? [];
  if (name === undefined) return Object.keys(SETTING_OPTIONS).map((option) => `${option}=`);
  const { choices, complete } = SETTING_OPTIONS[name] ?? {};
  return (choices ?? complete?.('') ?? []).map((value) => `${name}=${list}${value}`);
}

async function run(args: Arguments, context: Context): Promise<number> {
  const varied = args.texts('vary').map(readVary);
  if (varied.length === 0)
    throw new InputError('gridalloc sweep needs --vary name=value,value,...; see gridalloc sweep --help');
  const study = await sweepStudy({
    workload: joinFiles(args.words),
    texts: textsOf(args),
    varied,
    metrics: metricsIn(args),
    replications: replicationsOf(args),
    within: withinOf(args),
    locate: placeOf,
  });
  // Each sweep has a folder of its own, in which the same command resumes.
  const out = defaultFolder('sweep', study.text);
  const execution = executionOf(args);
  const input = { command: sweepWords(args), allowCode: true };
  const code = await runAndReport(study, input, execution, context, out);
  const { isDry, slurm, shards, shard, only } = execution;
  const isWhole = !isDry && [slurm, shards, shard, only].every((each) => each === undefined);
  if (isWhole && study.draws === undefined && !context.isJson && !context.isQuiet)
    await context.print(`\n${oneSampleText(study, args)}`);
  return code;
}

/** Largest number of settings that are compared as methods. */
const MOST_METHODS = 8;

/**
 * States what single simulations leave open, with the command that judges the settings: as methods of a comparison if their
 * options may differ between methods, else a sweep with replications.
 */
function oneSampleText(study: Study, args: Arguments): string {
  const settings = [...expandStudy(study, undefined)];
  const names = optionsVaried(study);
  const areMethods = names.every((name) => OF_METHOD.includes(name)) && settings.length <= MOST_METHODS;
  const methods = settings.map(({ options }) => names.map((name) => `${name}=${options[name]}`).join(', '));
  const metrics = args.texts('metric').flatMap((text) => ['--metric', text]);
  const common = Object.fromEntries(Object.entries(textsOf(args)).filter(([name]) => !names.includes(name)));
  const words = areMethods
    ? [
        ...['compare', ...args.words, ...optionWords(common)],
        ...methods.flatMap((method) => ['--method', method]),
        ...[...metrics, '--replications', '30'],
      ]
    : [...sweepWords(args), '--replications', '20'];
  const how = areMethods ? 'To judge the differences compare:' : 'For 95 % intervals replicate it:';
  return `${wrapped(`${ONE_SAMPLE} ${how}`)}\n  gridalloc ${words.map(shellWord).join(' ')}`;
}

/** Names of the options that differ between the settings of a sweep. */
function optionsVaried({ parts }: Study): string[] {
  return [...new Set(parts.flatMap(({ axes }) => axes.flatMap(({ name }) => optionsAlong({ parts }, name))))];
}

/** Parses `name=value,value,...`. */
function readVary(text: string): Varied {
  const [, name, values = ''] = /^([A-Za-z][\w-]*(?:\+[A-Za-z][\w-]*)*)=(.*)$/s.exec(text) ?? [];
  if (name === undefined) throw new InputError(`--vary: expected name=value,value,..., found '${text}'`);
  return { name, values };
}

/** The words of the command line that the part of the study at a path comes from. */
function placeOf([part, name]: readonly (string | number)[]): string {
  if (part === 'axes') return name === undefined ? '--vary' : `--vary ${name}`;
  if (part === 'simulate' && name !== undefined && name !== 'workload') return `--${name}`;
  if (part === 'replications' || part === 'within') return `--${part}`;
  return part === 'measures' ? '--metric' : 'sweep';
}

/** The words of the sweep itself, without those on how it is run. */
function sweepWords(args: Arguments): string[] {
  return [
    ...['sweep', ...args.words, ...args.texts('vary').flatMap((text) => ['--vary', text])],
    ...args.texts('replications').flatMap((count) => ['--replications', count]),
    ...args.texts('within').flatMap((share) => ['--within', share]),
    ...args.texts('metric').flatMap((text) => ['--metric', text]),
    ...optionWords(textsOf(args)),
  ];
}
