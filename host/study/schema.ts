/**
 * Definition of study files: keys, defaults and short forms. The TypeScript types of a study, the JSON
 * Schema for editors (`studies/study.schema.json`) and the reference page are derived from it. A shape
 * combines a JSON Schema with a function that reads matching values.
 */
import { firstElement } from '../lists.js';
import { OPTIONS } from '../options/options.js';

/** A JSON Schema. */
export type Schema = Readonly<Record<string, unknown>>;

/** Shape: JSON Schema of values in a file, and how they are read. */
export interface Shape<Raw, Value = Raw> {
  readonly schema: Schema;
  /** Named shapes that this one refers to, including itself. */
  readonly named: ReadonlyMap<string, Schema>;
  /** Parses a value that fits the schema. */
  readonly read: (raw: Raw) => Value;
}

/** Optional key: its shape, and the value used if it is missing. */
export interface OptionalShape<Raw, Value> extends Shape<Raw, Value> {
  readonly absent: Value;
}

/** Type of a shape's values in a file. */
type RawOf<S> = S extends Shape<infer Raw, infer _> ? Raw : never;

/** Type of a shape's values after reading. */
type ValueOf<S> = S extends { readonly read: (raw: never) => infer Value } ? Value : never;

type ShapesByKey = Readonly<Record<string, Shape<never, unknown>>>;
type FlatType<Type> = { readonly [Key in keyof Type]: Type[Key] } & {};
type RawValues<Needed, Further> = FlatType<
  { readonly [Key in keyof Needed]: RawOf<Needed[Key]> } & {
    readonly [Key in keyof Further]?: RawOf<Further[Key]>;
  }
>;
type ParsedValues<Needed, Further> = FlatType<
  { readonly [Key in keyof Needed | KeysWithDefault<Further>]: ValueOf<(Needed & Further)[Key]> } & {
    readonly [Key in Exclude<keyof Further, KeysWithDefault<Further>>]?: ValueOf<Further[Key]>;
  }
>;
type KeysWithDefault<Further> = keyof {
  [Key in keyof Further as Further[Key] extends { readonly absent: unknown } ? Key : never]: unknown;
} &
  keyof Further;

function makeValue<Raw, Value>(
  schema: Schema,
  read: (raw: Raw) => Value,
  parts: Iterable<Shape<never, unknown>> = [],
): Shape<Raw, Value> {
  const named = new Map<string, Schema>();
  for (const part of parts) for (const [name, meaning] of part.named) named.set(name, meaning);
  return { schema, named, read };
}

/** Shape whose values are read unchanged. */
function identityShape<Value>(schema: Schema, parts: Iterable<Shape<never, unknown>> = []): Shape<Value> {
  return makeValue(schema, (raw: Value) => raw, parts);
}

/** Shape with a conversion after reading. */
function meaning<Raw, Between, Value>(
  shape: Shape<Raw, Between>,
  then: (value: Between) => Value,
): Shape<Raw, Value> {
  return { ...shape, read: (raw) => then(shape.read(raw)) };
}

/** Shape of an optional key with a default. */
function withDefaultValue<Raw, Value>(
  shape: Shape<Raw, Value>,
  absent: NoInfer<Value>,
): OptionalShape<Raw, Value> {
  return { ...shape, absent };
}

/** Adds a description to a shape, and optional schema entries such as examples. */
function described<S extends Shape<never, unknown>>(shape: S, more: string | Schema): S {
  const extra = typeof more === 'string' ? { description: more } : more;
  return { ...shape, schema: { ...shape.schema, ...extra } };
}

/** Shape that appears once in the schema, under a name, and is referenced elsewhere. */
function sharedShape<Raw, Value>(name: string, shape: Shape<Raw, Value>): Shape<Raw, Value> {
  return {
    ...shape,
    schema: { $ref: `#/definitions/${name}` },
    named: new Map([...shape.named, [name, shape.schema]]),
  };
}

const text: Shape<string> = identityShape({ type: 'string' });

const nonEmptyText: Shape<string> = identityShape({ type: 'string', minLength: 1 });

function textMatching(pattern: RegExp): Shape<string> {
  return identityShape({ type: 'string', pattern: pattern.source });
}

const number: Shape<number> = identityShape({ type: 'number' });

const wholeNumber: Shape<number> = identityShape({ type: 'integer' });

const booleanShape: Shape<boolean> = identityShape({ type: 'boolean' });

function enumShape<const Word extends string>(words: readonly Word[]): Shape<Word> {
  return identityShape({ enum: words });
}

/** Shape of values of the given plain types. */
function plain<Value extends string | number | boolean | null>(
  ...types: readonly ('string' | 'number' | 'boolean' | 'null')[]
): Shape<Value> {
  return identityShape({ type: types });
}

/** Shape that accepts what any of several shapes accepts. */
function anyOfShapes<Parts extends readonly Shape<never, unknown>[]>(
  ...parts: Parts
): Shape<RawOf<Parts[number]>> {
  return identityShape({ anyOf: parts.map(({ schema }) => schema) }, parts);
}

/** Shape of a list with at least `atLeast` entries. */
function listOfShape<Raw, Value>(
  entry: Shape<Raw, Value>,
  atLeast = 0,
): Shape<readonly Raw[], readonly Value[]> {
  const least = atLeast > 0 ? { minItems: atLeast } : {};
  return makeValue({ type: 'array', ...least, items: entry.schema }, (raw) => raw.map(entry.read), [entry]);
}

/** Shape of one value or a non-empty list; read as a list. */
function oneOrMany<Value extends string | number>(
  one: Shape<Value>,
  listShape: Shape<readonly Value[]>,
): Shape<Value | readonly Value[], readonly Value[]> {
  const read = (raw: Value | readonly Value[]) => (typeof raw === 'object' ? raw : [raw]);
  return makeValue({ anyOf: [one.schema, listShape.schema] }, read, [one, listShape]);
}

type ValueByKey<Value> = Readonly<Record<string, Value>>;

/** Shape of an object with any keys and values of one shape. */
function mapOfShape<Raw, Value>(
  entry: Shape<Raw, Value>,
  more: Schema = {},
): Shape<ValueByKey<Raw>, ValueByKey<Value>> {
  return makeValue(
    { type: 'object', ...more, additionalProperties: entry.schema },
    (raw) => Object.fromEntries(Object.entries(raw).map(([key, value]) => [key, entry.read(value)])),
    [entry],
  );
}

/** Shape of an object with required and optional keys and no others. */
function record<Needed extends ShapesByKey, Further extends ShapesByKey>(
  neededShapes: Needed,
  further: Further,
  more: Schema = {},
): Shape<RawValues<Needed, Further>, ParsedValues<Needed, Further>> {
  const parts: Record<string, Shape<never, unknown>> = { ...neededShapes, ...further };
  const requiredKeys = Object.keys(neededShapes);
  const properties = Object.fromEntries(Object.entries(parts).map(([key, { schema }]) => [key, schema]));
  const read = (raw: RawValues<Needed, Further>) => {
    const values: Record<string, unknown> = {};
    for (const [key, part] of Object.entries(parts)) {
      const own = (raw as Record<string, unknown>)[key];
      if (own !== undefined) values[key] = part.read(own as never);
      else if ('absent' in part) values[key] = part.absent;
    }
    return values as ParsedValues<Needed, Further>;
  };
  return makeValue(
    {
      type: 'object',
      additionalProperties: false,
      ...(requiredKeys.length > 0 ? { required: requiredKeys } : {}),
      ...more,
      properties,
    },
    read,
    Object.values(parts),
  );
}

/** Shape of an object with exactly one of several keys; read as key and value. */
function choiceOfShapes<Choices extends ShapesByKey>(
  choices: Choices,
): Shape<
  RawValues<unknown, Choices>,
  { [Key in keyof Choices]: { readonly kind: Key; readonly input: ValueOf<Choices[Key]> } }[keyof Choices]
> {
  return meaning(record({}, choices, { minProperties: 1, maxProperties: 1 }), (values) => {
    const [kind, input] = firstElement(Object.entries(values));
    return { kind, input: input as never };
  });
}

/** Complete JSON Schema document of a shape. */
function documentOf(shape: Pick<Shape<unknown>, 'schema' | 'named'>, head: Schema): Schema {
  return { ...head, ...shape.schema, definitions: Object.fromEntries(shape.named) };
}

// The shape of a study file

const ID = /^[A-Za-z][A-Za-z0-9-]*$/;

/** Pattern of an axis name, or of joined axes: `sites+speeds`. */
const AXIS_NAME_PATTERN = new RegExp(`${ID.source.slice(0, -1)}(?:\\+${ID.source.slice(1, -1)})*$`);

const id = sharedShape('id', {
  schema: { pattern: ID.source },
  named: new Map(),
  read: (raw: string) => raw,
});
const propertyNamesAreIds = { propertyNames: id.schema };

const label = sharedShape('label', plain<string | number>('string', 'number'));
const labels = listOfShape(label, 1);
const names = sharedShape('names', oneOrMany(nonEmptyText, listOfShape(text, 1)));
const location = withDefaultValue(sharedShape('where', mapOfShape(oneOrMany(label, labels))), {});

const option = sharedShape('option', plain<string | number | boolean>('string', 'number', 'boolean'));

/** Shape of a simulation option, with its help text and choices. */
function optionShape({ help, isRepeatable, isSwitch, choices }: (typeof OPTIONS)[string]) {
  const examples = choices ?? (isSwitch === true ? [true] : undefined);
  const shape = isRepeatable === true ? anyOfShapes(option, listOfShape(option)) : option;
  const documentedSchema = { description: help, ...(examples === undefined ? {} : { examples }) };
  return { ...shape, schema: { anyOf: [shape.schema], ...documentedSchema } };
}

const methodOptionText = meaning(anyOfShapes(option, listOfShape(option)), (value) =>
  Array.isArray(value) ? value.join(';') : String(value),
);

const options = sharedShape(
  'options',
  described(
    mapOfShape(methodOptionText, {
      properties: Object.fromEntries(
        Object.entries(OPTIONS).map(([name, each]) => [name, optionShape(each).schema]),
      ),
    }),
    'Options of gridalloc simulate by name. Write {axis} for the value of an axis, $TRACE for the log given with --trace.',
  ),
);

/** Pattern of a number, percentage or duration, as `numberFromText` reads them. */
const NUMBER_KIND = '-?[0-9.]+(?:[eE][+-]?[0-9]+|%|(?:(?:min|[smhdw])[0-9.]*)+)?';

/** Pattern of a number range, optionally with a step. */
export const NUMBER_RANGE_PATTERN = new RegExp(`^${NUMBER_KIND}\\.\\.${NUMBER_KIND}(?::${NUMBER_KIND})?$`);

const axes = sharedShape(
  'axes',
  mapOfShape(
    anyOfShapes(
      labels,
      mapOfShape(label, { minProperties: 1 }),
      described(
        textMatching(NUMBER_RANGE_PATTERN),
        'Numbers from one to another: 1..10, or in steps: 0.5..0.9:0.1, 70%..90%:5%, 1h..6h:30m',
      ),
      described(textMatching(/^permutations\[[^[\]]+\]$/), 'All orders of a list: permutations[1,3,5]'),
    ),
    { propertyNames: { pattern: AXIS_NAME_PATTERN.source, not: { enum: ['part', 'variant', 'run'] } } },
  ),
);

/** Keys for options and axes, of a study or of one part. */
const settings = { simulate: withDefaultValue(options, {}), axes: withDefaultValue(axes, {}) };

const part = record({}, settings);

const step = sharedShape(
  'step',
  choiceOfShapes({
    mean: described(names, 'The mean over these axes, which removes them.'),
    geometricMean: described(names, 'The geometric mean over them, of values above 0: only ratios count.'),
    least: described(names, 'The smallest value along them.'),
    most: described(names, 'The largest value along them.'),
    sum: described(names, 'The sum over them.'),
    deviation: described(names, 'Population standard deviation.'),
    improvement: described(
      record(
        {
          over: names,
          on: described(
            anyOfShapes(enumShape(['mean']), labels),
            'mean over the axes, or labels of one axis; the lowest value is the reference.',
          ),
        },
        {
          reference: withDefaultValue(
            described(
              enumShape(['chosen', 'oracle']),
              'Of several labels: the one with the least mean over the odd replications, judged on the even ones alone (chosen, the default where there are replications), or the best of each value in hindsight (oracle).',
            ),
            'chosen',
          ),
        },
      ),
      '1 - value / reference: how much less than the reference a value is.',
    ),
    choose: described(
      record(
        { over: names },
        { best: withDefaultValue(described(enumShape(['least', 'most']), 'Default: least.'), 'least') },
      ),
      'The label of these axes whose mean over the odd replications is best, setting by setting, judged on the even ones alone; before all other steps.',
    ),
    standing: described(
      record(
        { over: text, of: label, is: listOfShape(enumShape(['best', 'close', 'last']), 1) },
        {
          within: withDefaultValue(
            described(number, {
              exclusiveMinimum: 0,
              description: 'close: less than this share above the best; default 0.01.',
            }),
            0.01,
          ),
        },
      ),
      '1 where a label is best (least) on an axis, close to the best, or last; else 0.',
    ),
  }),
);

const measure = record(
  { metric: described(text, 'A metric of the runs, such as averageResponseTime.') },
  {
    title: described(text, 'Name in tables and figures; by default that of the measure.'),
    unit: described(text, 'Shown after the title.'),
    where: location,
    less: described(
      text,
      'Another measure with the same axes, to subtract replication by replication: their difference, with its interval.',
    ),
    chosenOn: withDefaultValue(
      described(
        enumShape(['half', 'one']),
        'Where steps choose (choose; improvement on several labels). half (default): on the odd replications, judged on the even ones. one: on every single replication, judged on all others, as if tuned to a single draw.',
      ),
      'half',
    ),
    steps: withDefaultValue(described(listOfShape(step), 'Applied to it in order.'), []),
    format: described(
      enumShape(['measure', 'fixed', 'percent', 'duration']),
      'measure (default): as many digits as the number needs; fixed: as many as decimals says; duration: hours and minutes.',
    ),
    decimals: described(wholeNumber, { minimum: 0, maximum: 12 }),
  },
);

const table = record(
  {
    title: described(text, 'Above the table.'),
    measures: described(names, 'One, or several side by side.'),
    rows: described(names, 'Axes down the table.'),
  },
  {
    caption: withDefaultValue(described(text, 'Below the title.'), ''),
    where: location,
    columns: withDefaultValue(described(names, 'Axes across the table.'), []),
    total: described(text, 'Label of a last row with the sums.'),
    emphasize: described(enumShape(['least', 'most', 'negative']), 'Which cells of a row are highlighted.'),
    among: withDefaultValue(
      described(
        names,
        'Axes along which to find the least or most, instead of along a row; the report says which of their labels are best.',
      ),
      [],
    ),
    within: described(number, {
      minimum: 0,
      exclusiveMaximum: 1,
      description:
        'Over replications: how far behind the best still counts as best, as a share of it; default 0.01, of waits, slowdowns, percentiles of resampled logs 0.05.',
    }),
    published: record(
      {
        columns: labels,
        rows: mapOfShape(
          described(
            listOfShape(plain<number | string | null>('number', 'string', 'null')),
            "As printed, one per column; percentages as text: '-473%'.",
          ),
        ),
      },
      {},
    ),
  },
);

const figure = record(
  {
    title: described(text, 'Above the figure.'),
    measure: described(text, 'What is shown.'),
    x: described(text, 'The axis along the figure.'),
  },
  {
    caption: withDefaultValue(text, ''),
    where: location,
    panels: withDefaultValue(described(names, 'Axes with a panel for each of their labels.'), []),
    series: withDefaultValue(described(names, 'Axes with a line for each of their labels.'), []),
    xTitle: described(text, 'Title of the x axis; by default its name.'),
    yScale: withDefaultValue(described(enumShape(['linear', 'log']), 'Default: linear.'), 'linear'),
    sharesY: withDefaultValue(described(booleanShape, 'Whether all panels have one scale.'), false),
    baseline: described(
      record({ axis: text, label }, {}),
      'The figure shows differences from the values of this label, which is omitted.',
    ),
  },
);

const checkEntryShape = record(
  { sentence: described(text, 'What should be true.') },
  {
    measure: described(text, 'The measure to test, in all its settings.'),
    where: location,
    axis: described(text, 'The axis of ascending and descending.'),
    ascending: described(listOfShape(label, 2), 'Along these labels the measure never falls.'),
    descending: described(listOfShape(label, 2), 'Along these labels the measure never rises.'),
    atLeast: described(number, 'In every setting the measure is not below this.'),
    atMost: described(number, 'In every setting the measure is not above this.'),
    reproduced: described(text, 'A table whose published cells must come out.'),
  },
  {
    oneOf: [
      { required: ['reproduced'] },
      { required: ['measure', 'axis', 'ascending'] },
      { required: ['measure', 'axis', 'descending'] },
      { required: ['measure', 'atLeast'] },
      { required: ['measure', 'atMost'] },
    ],
  },
);

/** Check that a measure rises or falls along the labels of an axis, in every setting. */
const check = meaning(
  checkEntryShape,
  ({ sentence, measure = '', where, axis = '', reproduced, ...input }) => {
    if (reproduced !== undefined)
      return { sentence, test: { kind: 'reproduced', table: reproduced } as const };
    const { atLeast, atMost, ascending, descending = [] } = input;
    const bound = atLeast ?? atMost;
    const test =
      bound === undefined
        ? ({
            kind: 'order',
            axis,
            direction: ascending === undefined ? 'descending' : 'ascending',
            labels: ascending ?? descending,
          } as const)
        : ({ kind: 'bound', direction: atLeast === undefined ? 'atMost' : 'atLeast', bound } as const);
    return { sentence, test: { measure, where, ...test } };
  },
);

const note = record(
  {
    rule: described(text, 'A rule that the source leaves open, and the choice made.'),
    effect: described(text, 'The difference that it makes.'),
  },
  {},
);

const replications = record(
  {},
  {
    axis: withDefaultValue(
      described(
        text,
        "Name of the axis that holds 1 to count, 'replication' if nothing is said; without count, of one of the axes, whose labels are the replications.",
      ),
      'replication',
    ),
    count: described(wholeNumber, { minimum: 1 }),
    average: withDefaultValue(
      described(
        enumShape(['before', 'after']),
        'before (default): metrics are averaged over replications before the steps of a measure; after: the steps are made for each replication, then averaged.',
      ),
      'before',
    ),
    shows: withDefaultValue(
      described(
        enumShape(['interval', 'range']),
        'What is shown beside a mean: its 95 % interval (default), or the minimum and maximum over its replications.',
      ),
      'interval',
    ),
  },
);

/** Shape of a study file. */
export const STUDY = record(
  { title: nonEmptyText, measures: mapOfShape(measure, { minProperties: 1 }) },
  {
    description: withDefaultValue(described(text, 'What is done and what to look for.'), ''),
    source: withDefaultValue(described(text, 'The paper, section, table or figure reproduced.'), ''),
    kind: withDefaultValue(
      described(
        enumShape(['simulations', 'workloads']),
        'workloads: statistics of the jobs, nothing is simulated. Default: simulations.',
      ),
      'simulations',
    ),
    ...settings,
    parts: described(
      mapOfShape(part, { minProperties: 1 }),
      "Several products of axes; each adds options and axes to those above. Its name is a label of the axis 'part'.",
    ),
    replications: described(
      replications,
      'Repetitions with other random numbers. If no option uses their axis, it sets the option replication.',
    ),
    draws: described(replications, 'Another name for replications.'),
    tables: withDefaultValue(mapOfShape(table, propertyNamesAreIds), {}),
    figures: withDefaultValue(mapOfShape(figure, propertyNamesAreIds), {}),
    checks: withDefaultValue(described(listOfShape(check), 'Statements to test on the results.'), []),
    notes: withDefaultValue(listOfShape(note), []),
  },
);

/** The JSON Schema of study files. */
export const STUDY_SCHEMA: Schema = documentOf(
  { ...STUDY, named: new Map([...id.named, ...STUDY.named]) },
  {
    $schema: 'http://json-schema.org/draft-07/schema#',
    $id: 'https://gridalloc.dev/study.schema.json',
    title: 'Study file of gridalloc',
  },
);

/** Study as in its file, before reading. */
export type RawStudy = RawOf<typeof STUDY>;
export type RawTable = RawOf<typeof table>;
export type RawFigure = RawOf<typeof figure>;
/** Values of an axis as in the file. */
export type RawAxis = RawOf<typeof axes>[string];

/** Study after reading, with defaults filled in. */
export type StudyKeys = ValueOf<typeof STUDY>;
export type StudyPart = ValueOf<typeof part>;
export type MeasureKeys = ValueOf<typeof measure>;
export type TableKeys = ValueOf<typeof table>;
export type FigureKeys = ValueOf<typeof figure>;
/** Replications with different random numbers. */
export type Replications = ValueOf<typeof replications>;
/** Statement to check against the results. */
export type CheckSpec = ValueOf<typeof check>;
/** Step in computing a measure from run metrics. */
export type Step = ValueOf<typeof step>;
/** Options of `gridalloc simulate` by name; texts may hold `{axis}`, `$TRACE` and lists such as `ti[slt=1|2|3]`. */
export type OptionTexts = ValueOf<typeof options>;
/** Selected labels of axes; an axis that is not named keeps all. */
export type WhereConditions = ValueOf<typeof location>;
/** Name of a value of an axis in tables. */
export type Label = ValueOf<typeof label>;
