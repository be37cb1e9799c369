/** gridalloc sweep: a study from options alone. */
import { stringify } from 'yaml';
import { InputError } from '../../errors.js';
import { joinFiles } from '../../files/logFiles.js';
import { OPTIONS } from '../../options/options.js';
import type { Study } from '../../study/definition.js';
import { makeStudy } from '../../study/read.js';
import { metricOf } from '../../study/runValues.js';
import type { RawStudy, RawTable } from '../../study/schema.js';
import type { Arguments } from '../arguments.js';
import type { Command } from '../command.js';
import type { Context } from '../context.js';
import { COMMON_OPTIONS, SETTING_OPTIONS, WORKLOAD } from '../options.js';
import { EXECUTION_OPTIONS, runAndReport } from '../studyRun.js';
import { optionTexts, optionWords } from '../workload.js';

/** gridalloc sweep. */
export const sweepCommand: Command = {
  description: [
    'Simulates the product of the values given with --vary, with results like those of a study.',
    'Values are parted by commas outside brackets, or by semicolons when there are any (for lists such as speeds); ' +
      '1..10 stands for the whole numbers from 1 to 10. A name that is no option of simulate is a placeholder: ' +
      "--vary sh=0,0.12 fills {sh} in --speeds 'draw[sh={sh},seed=1]'. Lists in brackets are varied too: 'ti[slt=1|2|3]'.",
  ].join('\n\n'),
  positionals: [{ ...WORKLOAD, meaning: 'a WORKLOAD: a job log (FILE.swf, FILE.swf.gz) or a model' }],
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
  run: run,
};

async function run(args: Arguments, context: Context): Promise<number> {
  return runAndReport(await sweepStudy(args), { command: sweepWords(args) }, args, context);
}

/** The words of the sweep itself, without those on how it is run. */
function sweepWords(args: Arguments): string[] {
  const metric = args.text('metric');
  return [
    ...['sweep', ...args.words, ...args.texts('vary').flatMap((text) => ['--vary', text])],
    ...(metric === undefined ? [] : ['--metric', metric]),
    ...optionWords(optionTexts(args)),
  ];
}

interface Varied {
  readonly name: string;
  readonly values: string | readonly (string | number)[];
}

function readVary(text: string): Varied {
  const [, name, list] = /^([A-Za-z][\w-]*)=(.*)$/s.exec(text) ?? [];
  if (name === undefined) throw new InputError(`--vary: expected name=value,value,..., found '${text}'`);
  if (/^(?:-?\d+\.\.-?\d+|permutations\[[^[\]]+\])$/.test(list)) return { name, values: list };
  const parts = list.includes(';') ? list.split(';') : list.split(/,(?![^[]*\])/);
  const values = parts.map((part) => part.trim()).filter((part) => part !== '');
  if (values.length === 0)
    throw new InputError(`--vary ${name}: there is no value; give some, such as ${name}=1,2,3`);
  const isNumeric = values.every((value) => String(Number(value)) === value);
  return { name, values: isNumeric ? values.map(Number) : values };
}

/** The study that a sweep comes to: rows by all axes but the last, columns by the last. */
async function sweepStudy(args: Arguments): Promise<Study> {
  const varied = args.texts('vary').map(readVary);
  if (varied.length === 0)
    throw new InputError('gridalloc sweep needs --vary name=value,value,...; see gridalloc sweep --help');
  const workload = joinFiles(args.words);
  const options: Record<string, string> = { workload, ...optionTexts(args) };
  for (const { name } of varied) {
    if (Object.hasOwn(OPTIONS, name)) options[name] = `{${name}}`;
  }
  const hasVariants = varied.some(
    ({ values }) => Array.isArray(values) && values.some((value) => String(value).includes('|')),
  );
  const all = varied.map(({ name }) => name);
  // A list in brackets alone is a policy with many parameters: what they are stands in the variants.
  const isAlone = hasVariants && varied.length === 1 && varied[0].values.length === 1;
  const held = isAlone
    ? { where: Object.fromEntries(varied.map(({ name, values }) => [name, [...values]])) }
    : {};
  const names = isAlone ? [] : all;
  const rows = [...names.slice(0, -1), ...(hasVariants ? ['variant'] : [])];
  const metric = args.text('metric') ?? 'averageResponseTime';
  const isDown = rows.length > 0 && names.length > 0;
  const numeric = varied.find(
    ({ values }) => typeof values === 'string' || values.every((value) => typeof value === 'number'),
  );
  const x = hasVariants ? 'variant' : (numeric?.name ?? names[0]);
  const series = names.filter((name) => name !== x);
  const study: RawStudy = {
    title: `Sweep over ${all.join(', ')}`,
    description: `${workload}, every combination of ${all.join(', ')}.`,
    simulate: options,
    axes: Object.fromEntries(varied.map(({ name, values }) => [name, values])),
    measures: { [metric]: { metric } },
    tables: {
      table: {
        title: titleOf(metric),
        measures: metric,
        rows: rows.length > 0 ? rows : names,
        ...held,
        ...(isDown ? { columns: names.slice(-1), ...emphasisOf(metric, varied[varied.length - 1]) } : {}),
      },
    },
    figures: {
      figure: {
        title: titleOf(metric),
        measure: metric,
        x,
        ...held,
        ...(series.length > 0 ? { series } : {}),
      },
    },
  };
  const text = stringify(study, { aliasDuplicateObjects: false });
  return makeStudy(study, { name: 'sweep', text, locate: placeOf });
}

/** What a metric is called, with its unit. */
function titleOf(name: string): string {
  const { label = name, unit } = metricOf(name) ?? {};
  return label.slice(0, 1).toUpperCase() + label.slice(1) + (unit === undefined ? '' : ` [${unit}]`);
}

/** Of words side by side, such as policies, the best stands out; of numbers the least and greatest are plain. */
function emphasisOf(name: string, { values }: Varied): Pick<RawTable, 'emphasize'> {
  const better = metricOf(name)?.better;
  const areWords = typeof values !== 'string' && values.some((value) => typeof value === 'string');
  if (better === undefined || !areWords) return {};
  return { emphasize: better === 'less' ? 'least' : 'most' };
}

/** The words of the command line that the part of the study at a path comes from. */
function placeOf([part, name]: readonly (string | number)[]): string {
  if (part === 'axes') return name === undefined ? '--vary' : `--vary ${name}`;
  if (part === 'simulate' && name !== undefined && name !== 'workload') return `--${name}`;
  return part === 'measures' ? '--metric' : 'sweep';
}
