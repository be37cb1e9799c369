/** The study that carries out a sweep. */
import { InputError } from '../errors.js';
import { capitalized } from '../format/numbers.js';
import { firstOf } from '../lists.js';
import { splitOutside } from '../notation.js';
import { optionsText } from '../options/document.js';
import { OPTIONS, type OptionStrings, optionNamed } from '../options/options.js';
import { metricId } from '../simulate/jobMetrics.js';
import { intervalName } from '../statistics/samples.js';
import { joinedNames, VARIANT_AXIS } from './expand.js';
import { DEFAULT_METRIC, metricOf } from './runValues.js';
import { NUMBERS, type RawFigure, type RawStudy, type RawTable } from './schema.js';
import { makeStudy, type Study } from './study.js';

/** An axis of a sweep. */
export interface Varied {
  /** Name of an option, of several joined by +, or of a placeholder. */
  readonly name: string;
  /** A list, also as one text: `1,1.5,2`, with semicolons where values have commas, or a short form: `1..10`. */
  readonly values: string | readonly (string | number)[];
}

/** Numbers from one to another, or all orders of a list. */
const standsForValues = (text: string) => NUMBERS.test(text) || /^permutations\[[^[\]]+\]$/.test(text);

/** The values of an axis one by one, without short forms; numbers where all are. */
function axisOf({ name, values: input }: Varied, place: string): Varied {
  if (typeof input === 'string' && standsForValues(input)) return { name, values: input };
  const parts =
    typeof input !== 'string' ? input : input.includes(';') ? input.split(';') : splitOutside(input, ',');
  const values = parts.map((part) => String(part).trim()).filter((part) => part !== '');
  if (values.length === 0)
    throw new InputError(`${place}: there is no value; give some, such as ${name}=1,2,3`);
  const isNumeric = values.every((value) => String(Number(value)) === value);
  return { name, values: isNumeric ? values.map(Number) : values };
}

/** Varied axes and their roles. */
interface Axes {
  /** Names in the order given, without the seeds. */
  readonly names: readonly string[];
  /** Seeds beside other axes: replications, whose mean and range are shown. */
  readonly seeds: string | undefined;
  /**
   * Axes that a user can choose, such as policies and their thresholds; the others, such as loads, are given.
   */
  readonly choices: readonly string[];
  readonly numeric: string | undefined;
}

/** Headings of options that describe circumstances rather than choices. */
const NAMED_HEADINGS = ['Workload', 'Grid'];

function axesOf(varied: readonly Varied[], options: OptionStrings): Axes {
  const texts = [
    ...Object.values(options),
    ...varied.flatMap(({ values }) => (typeof values === 'string' ? [] : values.map(String))),
  ];
  const all = varied.map(({ name }) => name);
  const holds = (text: string, name: string) => joinedNames(name).some((each) => text.includes(`{${each}}`));
  const isSeed = (name: string) =>
    texts.every((text) => !text.replaceAll(`seed={${name}}`, '').includes(`{${name}}`)) &&
    texts.some((text) => text.includes(`seed={${name}}`));
  const seeds = all.length > 1 ? all.find(isSeed) : undefined;
  const isNamedOption = (name: string) =>
    Object.entries(options).some(
      ([option, text]) => NAMED_HEADINGS.includes(optionNamed(option).heading) && holds(text, name),
    );
  const names = all.filter((name) => name !== seeds);
  const isNumeric = ({ name, values }: Varied) =>
    names.includes(name) &&
    (typeof values === 'string' || values.every((value) => typeof value === 'number'));
  return {
    names,
    seeds,
    choices: [...names.filter((name) => !isNamedOption(name)), VARIANT_AXIS],
    numeric: varied.find(isNumeric)?.name,
  };
}

/** Options that a sweep varies, and its metrics. */
export interface SweepRequest {
  readonly workload: string;
  /** Options as texts by name, which may hold placeholders. */
  readonly texts: OptionStrings;
  readonly varied: readonly Varied[];
  /** Metrics; default: the average response time. */
  readonly metrics: readonly string[];
  readonly replications: number | undefined;
  /** Equivalence margin, as a share of the best; default: as in a study. */
  readonly within?: number | undefined;
  /** Name of the part of the study at a path, for errors. */
  readonly locate: Study['locate'];
}

/**
 * The study that carries out a sweep: rows by all axes but the last, columns by the last; the mean and the range over seeds
 * that are beside other axes.
 * @throws InputError for unknown values, options or metrics.
 */
export async function sweepStudy({
  workload,
  texts,
  varied: input,
  metrics: named,
  replications: count,
  within,
  locate,
}: SweepRequest): Promise<Study> {
  const metrics = named.length === 0 ? [DEFAULT_METRIC] : named;
  const varied = input.map((each) => axisOf(each, locate(['axes', each.name])));
  const options = { workload, ...texts, ...placeholders(varied) };
  const axes = axesOf(varied, options);
  checkReplications({ replications: count, within, locate }, axes);
  const shown =
    count === undefined ? axes.seeds && `range over ${axes.seeds}` : intervalOf(options, varied, count);
  const isList = ({ values }: Varied) =>
    Array.isArray(values) && values.some((value) => String(value).includes('|'));
  const hasVariants = varied.some(isList);
  // A list in brackets alone is a policy with many parameters: what they are is in the variants.
  const isAlone = hasVariants && varied.length === 1 && firstOf(varied).values.length === 1;
  const held = isAlone
    ? { where: Object.fromEntries(varied.map(({ name, values }) => [name, [...values]])) }
    : {};
  const view = { ...axes, names: isAlone ? [] : axes.names };
  const idOf = (metric: string, defaultValue: string) =>
    metrics.length === 1 ? defaultValue : `${metricId(metric)}-${defaultValue}`;
  const titles = varied.map(({ name }) => name).join(', ');
  const study: RawStudy = {
    title: `Sweep over ${titles}`,
    description: describeSweep(workload, texts, varied),
    simulate: options,
    axes: Object.fromEntries(varied.map(({ name, values }) => [name, values])),
    ...(count === undefined ? {} : { replications: { count } }),
    ...(axes.seeds === undefined ? {} : { draws: { axis: axes.seeds, shows: 'range' } }),
    measures: Object.fromEntries(metrics.map((metric) => [metricId(metric), { metric }])),
    tables: Object.fromEntries(
      metrics.map((metric) => [
        idOf(metric, 'table'),
        { ...tableOf(metric, view, hasVariants, shown, within), ...held },
      ]),
    ),
    figures: Object.fromEntries(
      metrics.flatMap((metric) => {
        const figure = { ...figureOf(metric, view, hasVariants, shown), ...held };
        const isOverNumbers = !hasVariants && axes.numeric !== undefined;
        const differences = isOverNumbers ? differencesOf(figure, varied, metric, shown) : undefined;
        return [
          [idOf(metric, 'figure'), figure],
          ...(differences === undefined ? [] : [[idOf(metric, 'differences'), differences]]),
        ];
      }),
    ),
  };
  const { stringify } = await import('yaml');
  const text = stringify(study, { aliasDuplicateObjects: false });
  return makeStudy(study, { name: 'sweep', text, locate });
}

/** @throws InputError for replications requested twice, and a tolerance without any. */
function checkReplications(
  { replications, within, locate }: Pick<SweepRequest, 'replications' | 'within' | 'locate'>,
  { seeds }: Axes,
): void {
  if (replications !== undefined && seeds !== undefined) {
    const both = `${locate(['replications'])} and ${locate(['axes', seeds])}`;
    throw new InputError(`${both} are both replications; omit one of them`);
  }
  if (within !== undefined && replications === undefined && seeds === undefined)
    throw new InputError(`${locate(['within'])} is for sweeps over replications; give --replications too`);
}

/** The options that are varied, each as the value of its axis. */
function placeholders(varied: readonly Varied[]): Record<string, string> {
  const names = varied.flatMap(({ name }) => joinedNames(name));
  return Object.fromEntries(
    names.filter((name) => Object.hasOwn(OPTIONS, name)).map((name) => [name, `{${name}}`]),
  );
}

/** Describes a sweep with the options of all its runs. */
function describeSweep(workload: string, texts: SweepRequest['texts'], varied: readonly Varied[]): string {
  const setting = [workload, optionsText(texts)].filter((text) => text !== '').join(', ');
  const names = varied.map(({ name }) => name).join(', ');
  return `${setting}: every ${varied.length === 1 ? 'value' : 'combination'} of ${names}.`;
}

function tableOf(
  metric: string,
  { names, choices }: Axes,
  hasVariants: boolean,
  shown: string | undefined,
  within: number | undefined,
): RawTable {
  const variants = hasVariants ? [VARIANT_AXIS] : [];
  const all = [...names.slice(0, -1), ...variants, ...names.slice(-1)];
  const isDown = all.length > 1 && names.length > 0;
  const [rows, columns] = isDown ? [all.slice(0, -1), all.slice(-1)] : [all, []];
  const among = all.filter((name) => choices.includes(name));
  const { better, unit } = metricOf(metric) ?? {};
  return {
    title: titleOf(metric, shown, unit === undefined ? '' : ` [${unit}]`),
    measures: metricId(metric),
    rows,
    ...(columns.length === 0 ? {} : { columns }),
    ...(better === undefined || among.length === 0
      ? {}
      : {
          ...{ emphasize: better === 'less' ? ('least' as const) : ('most' as const), among },
          ...(within === undefined ? {} : { within }),
        }),
  };
}

/** Kind of interval of the means of a sweep: resampled logs make it approximate. */
function intervalOf({ perturb = '' }: OptionStrings, varied: readonly Varied[], count: number): string {
  const texts = [
    perturb,
    ...varied.flatMap(({ name, values }) => (name === 'perturb' ? [String(values)] : [])),
  ];
  const isResampled = texts.some((text) => text.includes('resample'));
  return intervalName({ kind: isResampled ? 'resample' : 'shake' }, count);
}

function figureOf(
  metric: string,
  { names, numeric }: Axes,
  hasVariants: boolean,
  shown: string | undefined,
): RawFigure {
  const x = hasVariants ? VARIANT_AXIS : (numeric ?? firstOf(names));
  const others = names.filter((name) => name !== x);
  const [series, panels] = [others.slice(-1), others.slice(0, -1)];
  return {
    title: titleOf(metric, shown),
    measure: metricId(metric),
    x,
    ...(series.length > 0 ? { series } : {}),
    ...(panels.length > 0 ? { panels, sharesY: true } : {}),
  };
}

/** Number of lines from which differences show more than values. */
const MANY_LINES = 5;

/** Figure of the differences of all lines from the first; none for a figure of few lines. */
function differencesOf(
  figure: RawFigure,
  varied: readonly Varied[],
  metric: string,
  shown: string | undefined,
): RawFigure | undefined {
  const [axis] = figure.series ?? [];
  const labels = varied.find(({ name }) => name === axis)?.values ?? '';
  const [label] = labels;
  if (axis === undefined || label === undefined || typeof labels === 'string' || labels.length < MANY_LINES)
    return undefined;
  return { ...figure, title: titleOf(metric, shown, `, difference to ${label}`), baseline: { axis, label } };
}

/** Title of a metric without its unit, which axes of figures choose. */
function titleOf(name: string, shown: string | undefined, what = ''): string {
  const title = capitalized(metricOf(name)?.label ?? name) + what;
  return shown === undefined ? title : `${title}, mean and ${shown}`;
}
