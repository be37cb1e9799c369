/** From a study file to a study: names resolved, lists and ranges written out, everything that can be checked checked. */

import { InputError } from '../errors.js';
import { checkOptions, takes } from '../optionNames.js';
import { axisFrom } from './axes.js';
import { checkStudy } from './check.js';
import type {
  CheckSpec,
  FigureSpec,
  Label,
  Measure,
  OptionTexts,
  Part,
  Step,
  Study,
  TableSpec,
  Where,
} from './definition.js';
import { publishedNumber } from './published.js';
import { metricOf } from './runValues.js';
import type {
  Names,
  RawAxes,
  RawCheck,
  RawFigure,
  RawMeasure,
  RawOptions,
  RawPart,
  RawStep,
  RawStudy,
  RawTable,
  RawWhere,
} from './schema.js';
import { checkOptionName } from './settings.js';
import { checkSchema, parseStudyDocument } from './yamlSource.js';

/** What the user changes about a study. */
export interface StudyOverrides {
  /** Number of draws. */
  readonly draws?: number | undefined;
  /** Options of `simulate` that replace those of the study. */
  readonly options?: OptionTexts | undefined;
}

const MAKE_STUDY = takes<StudyOverrides>('makeStudy', { draws: true, options: true });

type Path = readonly (string | number)[];
type Locate = (path: Path) => string;
/**
 * A study from the text of a study file.
 * @param file what errors call it.
 * @throws InputError with file, line and key for anything wrong in it.
 * @example
 * const text = 'title: One\nmeasures: { wait: { metric: meanWait } }';
 * console.log((await parseStudy(text, 'one.yaml')).title); // One
 */
export async function parseStudy(text: string, file: string, overrides: StudyOverrides = {}): Promise<Study> {
  const { data, locate } = await parseStudyDocument(text, file);
  return makeStudy(data as unknown as RawStudy, { name: nameOf(file), text, locate }, overrides);
}

/** The name of a study: that of its file. */
function nameOf(file: string): string {
  return file.replace(/^.*[/\\]/, '').replace(/\.ya?ml$/, '');
}

/**
 * A study from plain data.
 * @param source what it is called, its text as a study file, and where the part at a path stands, for errors.
 * @throws InputError for what does not follow the schema, or contradicts itself.
 * @example
 * const raw = { title: 'One', measures: { wait: { metric: 'meanWait' } } };
 * console.log((await makeStudy(raw, { name: 'one', text: '', locate: () => 'one' })).title); // One
 */
export async function makeStudy(
  raw: RawStudy,
  { name, text, locate }: Pick<Study, 'name' | 'text' | 'locate'>,
  overrides: StudyOverrides = {},
): Promise<Study> {
  checkOptions(MAKE_STUDY, overrides);
  await checkSchema(raw, locate);
  const replications = replicationsFrom(raw, locate, overrides.draws);
  const study: Study = {
    name,
    title: raw.title,
    description: raw.description ?? '',
    source: raw.source ?? '',
    kind: raw.kind ?? 'simulations',
    parts: partsFrom(raw, locate, replications, overrides.options ?? {}),
    draws: replications && {
      axis: replications.axis,
      average: replications.average ?? 'before',
      shows: replications.shows ?? 'interval',
    },
    measures: Object.entries(raw.measures).map(([key, measure]) => measureFrom(key, measure)),
    tables: Object.entries(raw.tables ?? {}).map(([id, table]) => tableFrom(id, table, locate)),
    figures: Object.entries(raw.figures ?? {}).map(([id, figure]) => figureFrom(id, figure)),
    checks: (raw.checks ?? []).map(checkFrom),
    notes: raw.notes ?? [],
    text,
    locate,
  };
  checkStudy(study);
  return study;
}

/** The replications of a study, by either of their names; the axis has one, and the user's count counts. */
type Replications = NonNullable<RawStudy['replications']> & { readonly axis: string; readonly key: string };

function replicationsFrom(
  { replications, draws }: RawStudy,
  locate: Locate,
  given: number | undefined,
): Replications | undefined {
  if (replications !== undefined && draws !== undefined) {
    throw new InputError(`${locate(['draws'])}: draws is another name of replications; give one of the two`);
  }
  const raw = replications ?? draws;
  if (raw?.count === undefined && given !== undefined) {
    throw new InputError(`${locate([])}: this study has no number of replications that could be changed`);
  }
  const key = replications === undefined ? 'draws' : 'replications';
  return raw && { axis: 'replication', ...raw, ...(given === undefined ? {} : { count: given }), key };
}

function list(names: Names | undefined): readonly string[] {
  return typeof names === 'string' ? [names] : (names ?? []);
}

function partsFrom(
  raw: RawStudy,
  locate: Locate,
  replications: Replications | undefined,
  replaced: OptionTexts,
): Part[] {
  const { axis: drawAxis = '', count, key: drawKey = '' } = replications ?? {};
  const drawAxes = count === undefined ? {} : { [drawAxis]: `1..${count}` };
  const parts: [string | undefined, RawPart][] =
    raw.parts === undefined ? [[undefined, {}]] : Object.entries(raw.parts);
  return parts.map(([name, part]) => {
    const path = name === undefined ? [] : ['parts', name];
    const isTwice = Object.keys(drawAxes).some((axis) => axis in { ...raw.axes, ...part.axes });
    if (isTwice) {
      throw new InputError(
        `${locate([drawKey])}: '${drawAxis}' is an axis already, whose values are the replications without count`,
      );
    }
    const own = { ...optionTexts(raw.simulate), ...optionTexts(part.simulate), ...replaced };
    const options =
      drawKey === 'replications' ? withReplication(own, { ...raw.axes, ...part.axes }, drawAxis) : own;
    const place = (option: string) => {
      if (option in replaced) return `--set ${option}`;
      return locate([...(part.simulate?.[option] === undefined ? [] : path), 'simulate', option]);
    };
    for (const option of Object.keys(options)) checkOptionName(option, place(option));
    return {
      name,
      options,
      place,
      axes: Object.entries({ ...raw.axes, ...part.axes, ...drawAxes }).map(([axis, values]) => {
        const home = part.axes?.[axis] === undefined ? [] : path;
        return axisFrom(axis, values, (key) =>
          locate(axis in drawAxes ? [drawKey] : [...home, 'axes', axis, key]),
        );
      }),
    };
  });
}

/** Where nothing takes the axis of the replications, the number of the replication does. */
function withReplication(options: OptionTexts, axes: RawAxes, axis: string): OptionTexts {
  const isUsed = JSON.stringify([options, axes]).includes(`{${axis}}`);
  return isUsed ? options : { ...options, replication: `{${axis}}` };
}

function optionTexts(options: RawOptions = {}): Record<string, string> {
  return Object.fromEntries(
    Object.entries(options).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(';') : String(value),
    ]),
  );
}

function whereFrom(where: RawWhere = {}): Where {
  return Object.fromEntries(
    Object.entries(where).map(([axis, labels]) => [
      axis,
      (Array.isArray(labels) ? labels : [labels]) as Label[],
    ]),
  );
}

/** A measure without a title that stays in the unit of its metric is called as the metric is. */
function measureFrom(name: string, raw: RawMeasure): Measure {
  const steps = (raw.steps ?? []).map(stepFrom);
  const isPlain = steps.every(({ kind }) => kind !== 'improvement' && kind !== 'standing');
  const metric = raw.title === undefined && isPlain ? metricOf(raw.metric) : undefined;
  const usual = metric?.format.style === 'percent' ? 'percent' : 'measure';
  const style = raw.format ?? (raw.decimals === undefined ? usual : 'fixed');
  const decimals = raw.decimals ?? (style === 'percent' ? metric?.format.decimals : undefined);
  return {
    name,
    title: raw.title ?? metric?.label ?? name,
    unit: raw.unit ?? metric?.unit,
    metric: raw.metric,
    where: whereFrom(raw.where),
    steps,
    format: { style, ...(decimals === undefined ? {} : { decimals }) },
  };
}

function stepFrom(raw: RawStep): Step {
  if (raw.improvement !== undefined) {
    return { kind: 'improvement', over: list(raw.improvement.over), on: raw.improvement.on };
  }
  if (raw.choose !== undefined) {
    return { kind: 'choose', axes: list(raw.choose.over), best: raw.choose.best ?? 'least' };
  }
  if (raw.standing !== undefined) return { kind: 'standing', within: 0.01, ...raw.standing };
  const [[kind, axes]] = Object.entries(raw) as [['mean', Names]];
  return { kind, axes: list(axes) };
}

function tableFrom(id: string, raw: RawTable, locate: Study['locate']): TableSpec {
  const { columns, rows } = raw.published ?? { columns: [], rows: {} };
  const published = Object.entries(rows).map(([row, values]) => {
    const path = ['tables', id, 'published', 'rows', row];
    if (values.length !== columns.length) {
      throw new InputError(
        `${locate(path)}: '${row}' has ${values.length} published values for ${columns.length} columns; write null for none`,
      );
    }
    const cells = values.flatMap((value, i) =>
      value === null ? [] : [[String(columns[i]), publishedNumber(value, locate(path))] as const],
    );
    return [row, new Map(cells)] as const;
  });
  return {
    id,
    title: raw.title,
    caption: raw.caption ?? '',
    measures: list(raw.measures),
    where: whereFrom(raw.where),
    rows: list(raw.rows),
    columns: list(raw.columns),
    total: raw.total,
    emphasize: raw.emphasize,
    among: list(raw.among),
    published: new Map(published),
  };
}

function figureFrom(id: string, raw: RawFigure): FigureSpec {
  return {
    id,
    title: raw.title,
    caption: raw.caption ?? '',
    measure: raw.measure,
    where: whereFrom(raw.where),
    panels: list(raw.panels),
    x: raw.x,
    series: list(raw.series),
    xTitle: raw.xTitle ?? raw.x,
    yScale: raw.yScale ?? 'linear',
    sharesY: raw.sharesY ?? false,
    baseline: raw.baseline,
  };
}

function checkFrom(raw: RawCheck): CheckSpec {
  const { sentence } = raw;
  if (raw.reproduced !== undefined) return { sentence, test: { kind: 'reproduced', table: raw.reproduced } };
  const bound = raw.atLeast ?? raw.atMost;
  if (bound !== undefined) {
    const side = raw.atLeast === undefined ? 'atMost' : 'atLeast';
    const { measure: name = '', where } = raw;
    return {
      sentence,
      test: { kind: 'bound', measure: name, where: whereFrom(where), direction: side, bound },
    };
  }
  const direction = raw.ascending === undefined ? 'descending' : 'ascending';
  const labels = raw.ascending ?? raw.descending ?? [];
  const { measure = '', axis = '' } = raw;
  return { sentence, test: { kind: 'order', measure, axis, direction, labels, where: whereFrom(raw.where) } };
}
