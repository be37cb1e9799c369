/** Builds the study that executes a sweep. */
import { InputError } from '../errors.js';
import { capitalizeFirst } from '../format/numbers.js';
import { firstElement } from '../lists.js';
import { splitListedValues } from '../notation.js';
import { describeOptionsInWords } from '../options/document.js';
import { findOptionByName, OPTIONS, type OptionStrings } from '../options/options.js';
import { metricAsFileName } from '../simulate/jobMetrics.js';
import { nameMeanInterval } from '../statistics/samples.js';
import { listOptionNamesOfAxis, VARIANT_AXIS_NAME } from './expand.js';
import { DEFAULT_METRIC_NAME, findSimulationMetric } from './runValues.js';
import { NUMBER_RANGE_PATTERN, type RawFigureSpec, type RawStudy, type RawTableSpec } from './schema.js';
import { makeStudy, type Study } from './study.js';

/** Varied option of a sweep. */
export interface SweptOption {
  /** Option name, several joined by +, or a placeholder name. */
  readonly name: string;
  /**
   * Values: a list, a text such as `1,1.5,2` (`[...]` around values that contain commas or semicolons), or a
   * short form such as `1..10`.
   */
  readonly values: string | readonly (string | number)[];
}

/** True if a text is a range or a request for permutations, which stand for several values. */
const isRangeOrPermutationText = (valueText: string) =>
  NUMBER_RANGE_PATTERN.test(valueText) || /^permutations\[[^[\]]+\]$/.test(valueText);

/** Axis of a varied option with all values; as numbers if all are numeric. */
function expandSweptOption(
  { name: optionName, values: input }: SweptOption,
  optionLocation: string,
): SweptOption {
  if (typeof input === 'string' && isRangeOrPermutationText(input))
    return { name: optionName, values: input };
  const valueTexts = (typeof input === 'string' ? splitListedValues(input) : input)
    .map((valueText) => String(valueText).trim())
    .filter((part) => part !== '');
  if (valueTexts.length === 0)
    throw new InputError(`${optionLocation}: there is no value; give some, such as ${optionName}=1,2,3`);
  const isNumeric = valueTexts.every((displayedValue) => String(Number(displayedValue)) === displayedValue);
  return { name: optionName, values: isNumeric ? valueTexts.map(Number) : valueTexts };
}

/** Varied axes and their roles. */
interface SweepAxisRoles {
  /** Axis names in the given order, without seeds. */
  readonly names: readonly string[];
  /** Axis of seeds that serves as replications; undefined if there is none. */
  readonly seeds: string | undefined;
  /** Axes of choices such as policies and thresholds, as opposed to circumstances such as loads. */
  readonly choices: readonly string[];
  readonly numeric: string | undefined;
}

/** Help headings of options that are circumstances rather than choices. */
const CIRCUMSTANCE_OPTION_HEADINGS = ['Workload', 'Grid'];

function assignSweepAxisRoles(sweptOptions: readonly SweptOption[], options: OptionStrings): SweepAxisRoles {
  const allOptionTexts = [
    ...Object.values(options),
    ...sweptOptions.flatMap(({ values: optionValues }) =>
      typeof optionValues === 'string' ? [] : optionValues.map(String),
    ),
  ];
  const axisNames = sweptOptions.map(({ name: optionName }) => optionName);
  const usesAxis = (optionText: string, axisName: string) =>
    listOptionNamesOfAxis(axisName).some((optionName) => optionText.includes(`{${optionName}}`));
  const isSeedAxis = (axisName: string) =>
    allOptionTexts.every(
      (optionText) => !optionText.replaceAll(`seed={${axisName}}`, '').includes(`{${axisName}}`),
    ) && allOptionTexts.some((optionText) => optionText.includes(`seed={${axisName}}`));
  const seedAxisName = axisNames.length > 1 ? axisNames.find(isSeedAxis) : undefined;
  const isCircumstanceAxis = (axisName: string) =>
    Object.entries(options).some(
      ([option, optionText]) =>
        CIRCUMSTANCE_OPTION_HEADINGS.includes(findOptionByName(option).heading) &&
        usesAxis(optionText, axisName),
    );
  const shownAxisNames = axisNames.filter((axisName) => axisName !== seedAxisName);
  const isNumeric = ({ name: optionName, values: optionValues }: SweptOption) =>
    shownAxisNames.includes(optionName) &&
    (typeof optionValues === 'string' ||
      optionValues.every((optionValue) => typeof optionValue === 'number'));
  return {
    names: shownAxisNames,
    seeds: seedAxisName,
    choices: [...shownAxisNames.filter((axisName) => !isCircumstanceAxis(axisName)), VARIANT_AXIS_NAME],
    numeric: sweptOptions.find(isNumeric)?.name,
  };
}

/** Request of `sweep`. */
export interface SweepRequest {
  readonly workload: string;
  /** Options as texts by name; may contain placeholders. */
  readonly texts: OptionStrings;
  readonly varied: readonly SweptOption[];
  /** Metric names; default: average response time. */
  readonly metrics: readonly string[];
  readonly replications: number | undefined;
  /** Equivalence margin as a share of the best; default: as in studies. */
  readonly within?: number | undefined;
  /** Returns the position of a part of the study, for errors. */
  readonly locate: Study['locate'];
}

/**
 * Study of a sweep: its table has all axes but the last as rows and the last as columns; seeds become
 * replications with mean and range.
 * @throws InputError for unknown values, options or metrics.
 */
export async function makeSweepStudy({
  workload,
  texts,
  varied: sweptOptions,
  metrics: requestedMetrics,
  replications: count,
  within: equivalenceMargin,
  locate,
}: SweepRequest): Promise<Study> {
  const metrics = requestedMetrics.length === 0 ? [DEFAULT_METRIC_NAME] : requestedMetrics;
  const varied = sweptOptions.map((swept) => expandSweptOption(swept, locate(['axes', swept.name])));
  const options = { workload, ...texts, ...makeSweptOptionPlaceholders(varied) };
  const axes = assignSweepAxisRoles(varied, options);
  checkSweepReplications({ replications: count, within: equivalenceMargin, locate }, axes);
  const spreadLabel =
    count === undefined
      ? axes.seeds && `range over ${axes.seeds}`
      : intervalKindOfSweep(options, varied, count);
  const hasAlternatives = ({ values }: SweptOption) =>
    Array.isArray(values) && values.some((value) => String(value).includes('|'));
  const hasVariants = varied.some(hasAlternatives);
  // A single axis of policies with parameter lists is shown by its variants.
  const showsVariantsOnly = hasVariants && varied.length === 1 && firstElement(varied).values.length === 1;
  const fixedLabels = showsVariantsOnly
    ? { where: Object.fromEntries(varied.map(({ name, values }) => [name, [...values]])) }
    : {};
  const shownAxes = { ...axes, names: showsVariantsOnly ? [] : axes.names };
  const elementIdOf = (metric: string, suffix: string) =>
    metrics.length === 1 ? suffix : `${metricAsFileName(metric)}-${suffix}`;
  const axisNames = varied.map(({ name }) => name).join(', ');
  const study: RawStudy = {
    title: `Sweep over ${axisNames}`,
    description: describeSweep(workload, texts, varied),
    simulate: options,
    axes: Object.fromEntries(varied.map(({ name, values }) => [name, values])),
    ...(count === undefined ? {} : { replications: { count } }),
    ...(axes.seeds === undefined ? {} : { draws: { axis: axes.seeds, shows: 'range' } }),
    measures: Object.fromEntries(metrics.map((metric) => [metricAsFileName(metric), { metric }])),
    tables: Object.fromEntries(
      metrics.map((metric) => [
        elementIdOf(metric, 'table'),
        { ...makeSweepTable(metric, shownAxes, hasVariants, spreadLabel, equivalenceMargin), ...fixedLabels },
      ]),
    ),
    figures: Object.fromEntries(
      metrics.flatMap((metric) => {
        const figure = { ...makeSweepFigure(metric, shownAxes, hasVariants, spreadLabel), ...fixedLabels };
        const hasNumericAxis = !hasVariants && axes.numeric !== undefined;
        const differences = hasNumericAxis && sweepDifferenceFigure(figure, varied, metric, spreadLabel);
        return [
          [elementIdOf(metric, 'figure'), figure],
          ...(differences ? [[elementIdOf(metric, 'differences'), differences]] : []),
        ];
      }),
    ),
  };
  const { stringify } = await import('yaml');
  const studyText = stringify(study, { aliasDuplicateObjects: false });
  return makeStudy(study, { name: 'sweep', text: studyText, locate });
}

/**
 * Checks the replications of a sweep.
 * @throws InputError if requested twice, and for a margin without replications.
 */
function checkSweepReplications(
  {
    replications: replicationCount,
    within: equivalenceMargin,
    locate,
  }: Pick<SweepRequest, 'replications' | 'within' | 'locate'>,
  { seeds }: SweepAxisRoles,
): void {
  if (replicationCount !== undefined && seeds !== undefined) {
    const conflictingKeyLocations = `${locate(['replications'])} and ${locate(['axes', seeds])}`;
    throw new InputError(`${conflictingKeyLocations} are both replications; omit one of them`);
  }
  if (equivalenceMargin !== undefined && replicationCount === undefined && seeds === undefined)
    throw new InputError(`${locate(['within'])} is for sweeps over replications; give --replications too`);
}

/** Placeholders for the varied options, by name. */
function makeSweptOptionPlaceholders(sweptOptions: readonly SweptOption[]): Record<string, string> {
  const optionNames = sweptOptions.flatMap(({ name: optionName }) => listOptionNamesOfAxis(optionName));
  return Object.fromEntries(
    optionNames
      .filter((optionName) => Object.hasOwn(OPTIONS, optionName))
      .map((optionName) => [optionName, `{${optionName}}`]),
  );
}

/** Description of a sweep: options common to all runs. */
function describeSweep(
  workloadSource: string,
  optionTexts: SweepRequest['texts'],
  sweptOptions: readonly SweptOption[],
): string {
  const setting = [workloadSource, describeOptionsInWords(optionTexts)]
    .filter((text) => text !== '')
    .join(', ');
  const optionNames = sweptOptions.map(({ name: optionName }) => optionName).join(', ');
  return `${setting}: every ${sweptOptions.length === 1 ? 'value' : 'combination'} of ${optionNames}.`;
}

function makeSweepTable(
  metric: string,
  { names, choices }: SweepAxisRoles,
  hasMethodVariants: boolean,
  spreadLabel: string | undefined,
  within: number | undefined,
): RawTableSpec {
  const variants = hasMethodVariants ? [VARIANT_AXIS_NAME] : [];
  const axes = [...names.slice(0, -1), ...variants, ...names.slice(-1)];
  const hasColumnAxis = axes.length > 1 && names.length > 0;
  const [rows, columns] = hasColumnAxis ? [axes.slice(0, -1), axes.slice(-1)] : [axes, []];
  const among = axes.filter((axisName) => choices.includes(axisName));
  const { better: betterDirection, unit: metricUnit } = findSimulationMetric(metric) ?? {};
  return {
    title: makeMetricTitleWithoutUnit(
      metric,
      spreadLabel,
      metricUnit === undefined ? '' : ` [${metricUnit}]`,
    ),
    measures: metricAsFileName(metric),
    rows,
    ...(columns.length === 0 ? {} : { columns }),
    ...(betterDirection === undefined || among.length === 0
      ? {}
      : {
          ...{ emphasize: betterDirection === 'less' ? ('least' as const) : ('most' as const), among },
          ...(within === undefined ? {} : { within }),
        }),
  };
}

/** Kind of intervals in a sweep: approximate for resampled logs. */
function intervalKindOfSweep(
  { perturb = '' }: OptionStrings,
  sweptOptions: readonly SweptOption[],
  replicationCount: number,
): string {
  const allOptionTexts = [
    perturb,
    ...sweptOptions.flatMap(({ name: optionName, values: optionValues }) =>
      optionName === 'perturb' ? [String(optionValues)] : [],
    ),
  ];
  const isResampled = allOptionTexts.some((optionText) => optionText.includes('resample'));
  return nameMeanInterval({ kind: isResampled ? 'resample' : 'shake' }, replicationCount);
}

function makeSweepFigure(
  metric: string,
  { names, numeric }: SweepAxisRoles,
  hasMethodVariants: boolean,
  spreadLabel: string | undefined,
): RawFigureSpec {
  const xAxisName = hasMethodVariants ? VARIANT_AXIS_NAME : (numeric ?? firstElement(names));
  const otherAxes = names.filter((axisName) => axisName !== xAxisName);
  const [series, panels] = [otherAxes.slice(-1), otherAxes.slice(0, -1)];
  return {
    title: makeMetricTitleWithoutUnit(metric, spreadLabel),
    measure: metricAsFileName(metric),
    x: xAxisName,
    ...(series.length > 0 ? { series } : {}),
    ...(panels.length > 0 ? { panels, sharesY: true } : {}),
  };
}

/** Number of lines from which a figure of differences is added. */
const MIN_LINES_FOR_DIFFERENCE_FIGURE = 5;

/** Figure of the differences to the first line of a sweep's figure; undefined for fewer than five lines. */
function sweepDifferenceFigure(
  figure: RawFigureSpec,
  sweptOptions: readonly SweptOption[],
  metric: string,
  spreadLabel: string | undefined,
): RawFigureSpec | undefined {
  const [axisName] = figure.series ?? [];
  const axisLabels = sweptOptions.find(({ name: optionName }) => optionName === axisName)?.values ?? '';
  const [label] = axisLabels;
  if (
    axisName === undefined ||
    label === undefined ||
    typeof axisLabels === 'string' ||
    axisLabels.length < MIN_LINES_FOR_DIFFERENCE_FIGURE
  )
    return undefined;
  return {
    ...figure,
    title: makeMetricTitleWithoutUnit(metric, spreadLabel, `, difference to ${label}`),
    baseline: { axis: axisName, label },
  };
}

/** Title of a metric without its unit. */
function makeMetricTitleWithoutUnit(
  metricName: string,
  spreadLabel: string | undefined,
  suffix = '',
): string {
  const title = capitalizeFirst(findSimulationMetric(metricName)?.label ?? metricName) + suffix;
  return spreadLabel === undefined ? title : `${title}, mean and ${spreadLabel}`;
}
