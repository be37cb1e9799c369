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
export interface OptionalKeyShape<Raw, Value> extends Shape<Raw, Value> {
  readonly absent: Value;
}

/** Type of a shape's values in a file. */
type RawOf<S> = S extends Shape<infer Raw, infer _> ? Raw : never;

/** Type of a shape's values after reading. */
type ValueOf<S> = S extends { readonly read: (raw: never) => infer Value } ? Value : never;

type SchemaShapesByKey = Readonly<Record<string, Shape<never, unknown>>>;
type FlatType<Type> = { readonly [Key in keyof Type]: Type[Key] } & {};
type RawObjectOf<Needed, Further> = FlatType<
  { readonly [Key in keyof Needed]: RawOf<Needed[Key]> } & {
    readonly [Key in keyof Further]?: RawOf<Further[Key]>;
  }
>;
type ParsedObjectOf<Needed, Further> = FlatType<
  { readonly [Key in keyof Needed | KeysOfOptionalShapes<Further>]: ValueOf<(Needed & Further)[Key]> } & {
    readonly [Key in Exclude<keyof Further, KeysOfOptionalShapes<Further>>]?: ValueOf<Further[Key]>;
  }
>;
type KeysOfOptionalShapes<Further> = keyof {
  [Key in keyof Further as Further[Key] extends { readonly absent: unknown } ? Key : never]: unknown;
} &
  keyof Further;

function makeShape<Raw, Value>(
  schema: Schema,
  read: (raw: Raw) => Value,
  nestedShapes: Iterable<Shape<never, unknown>> = [],
): Shape<Raw, Value> {
  const definitions = new Map<string, Schema>();
  for (const nestedShape of nestedShapes)
    for (const [name, meaning] of nestedShape.named) definitions.set(name, meaning);
  return { schema, named: definitions, read };
}

/** Shape whose values are read unchanged. */
function makePlainShape<Value>(
  schema: Schema,
  nestedShapes: Iterable<Shape<never, unknown>> = [],
): Shape<Value> {
  return makeShape(schema, (raw: Value) => raw, nestedShapes);
}

/** Shape with a conversion after reading. */
function convertShape<Raw, Between, Value>(
  shape: Shape<Raw, Between>,
  convert: (value: Between) => Value,
): Shape<Raw, Value> {
  return { ...shape, read: (raw) => convert(shape.read(raw)) };
}

/** Shape of an optional key with a default. */
function addDefaultValue<Raw, Value>(
  shape: Shape<Raw, Value>,
  absent: NoInfer<Value>,
): OptionalKeyShape<Raw, Value> {
  return { ...shape, absent };
}

/** Adds a description to a shape, and optional schema entries such as examples. */
function addDescription<S extends Shape<never, unknown>>(shape: S, additions: string | Schema): S {
  const extra = typeof additions === 'string' ? { description: additions } : additions;
  return { ...shape, schema: { ...shape.schema, ...extra } };
}

/** Shape that appears once in the schema, under a name, and is referenced elsewhere. */
function namedShape<Raw, Value>(shapeName: string, shape: Shape<Raw, Value>): Shape<Raw, Value> {
  return {
    ...shape,
    schema: { $ref: `#/definitions/${shapeName}` },
    named: new Map([...shape.named, [shapeName, shape.schema]]),
  };
}

const textShape: Shape<string> = makePlainShape({ type: 'string' });

const nonEmptyTextShape: Shape<string> = makePlainShape({ type: 'string', minLength: 1 });

function textMatchingShape(pattern: RegExp): Shape<string> {
  return makePlainShape({ type: 'string', pattern: pattern.source });
}

const numberShape: Shape<number> = makePlainShape({ type: 'number' });

const wholeNumberShape: Shape<number> = makePlainShape({ type: 'integer' });

const booleanShape: Shape<boolean> = makePlainShape({ type: 'boolean' });

function enumShape<const Word extends string>(acceptedWords: readonly Word[]): Shape<Word> {
  return makePlainShape({ enum: acceptedWords });
}

/** Shape of values of the given plain types. */
function plainShape<Value extends string | number | boolean | null>(
  ...types: readonly ('string' | 'number' | 'boolean' | 'null')[]
): Shape<Value> {
  return makePlainShape({ type: types });
}

/** Shape that accepts what any of several shapes accepts. */
function makeAnyOfShape<Parts extends readonly Shape<never, unknown>[]>(
  ...parts: Parts
): Shape<RawOf<Parts[number]>> {
  return makePlainShape({ anyOf: parts.map(({ schema }) => schema) }, parts);
}

/** Shape of a list with at least `atLeast` entries. */
function makeListShape<Raw, Value>(
  item: Shape<Raw, Value>,
  atLeast = 0,
): Shape<readonly Raw[], readonly Value[]> {
  const minItems = atLeast > 0 ? { minItems: atLeast } : {};
  return makeShape({ type: 'array', ...minItems, items: item.schema }, (raw) => raw.map(item.read), [item]);
}

/** Shape of one value or a non-empty list; read as a list. */
function oneOrManyShape<Value extends string | number>(
  elementShape: Shape<Value>,
  listShape: Shape<readonly Value[]>,
): Shape<Value | readonly Value[], readonly Value[]> {
  const read = (raw: Value | readonly Value[]) => (typeof raw === 'object' ? raw : [raw]);
  return makeShape({ anyOf: [elementShape.schema, listShape.schema] }, read, [elementShape, listShape]);
}

type ValuesByKey<Value> = Readonly<Record<string, Value>>;

/** Shape of an object with any keys and values of one shape. */
function makeMapShape<Raw, Value>(
  entryShape: Shape<Raw, Value>,
  extraSchema: Schema = {},
): Shape<ValuesByKey<Raw>, ValuesByKey<Value>> {
  return makeShape(
    { type: 'object', ...extraSchema, additionalProperties: entryShape.schema },
    (raw) => Object.fromEntries(Object.entries(raw).map(([key, value]) => [key, entryShape.read(value)])),
    [entryShape],
  );
}

/** Shape of an object with required and optional keys and no others. */
function objectShape<Needed extends SchemaShapesByKey, Further extends SchemaShapesByKey>(
  neededShapes: Needed,
  optionalShapes: Further,
  extraSchema: Schema = {},
): Shape<RawObjectOf<Needed, Further>, ParsedObjectOf<Needed, Further>> {
  const shapes: Record<string, Shape<never, unknown>> = { ...neededShapes, ...optionalShapes };
  const requiredKeys = Object.keys(neededShapes);
  const properties = Object.fromEntries(Object.entries(shapes).map(([key, { schema }]) => [key, schema]));
  const read = (raw: RawObjectOf<Needed, Further>) => {
    const fieldValues: Record<string, unknown> = {};
    for (const [key, shape] of Object.entries(shapes)) {
      const rawValue = (raw as Record<string, unknown>)[key];
      if (rawValue !== undefined) fieldValues[key] = shape.read(rawValue as never);
      else if ('absent' in shape) fieldValues[key] = shape.absent;
    }
    return fieldValues as ParsedObjectOf<Needed, Further>;
  };
  return makeShape(
    {
      type: 'object',
      additionalProperties: false,
      ...(requiredKeys.length > 0 ? { required: requiredKeys } : {}),
      ...extraSchema,
      properties,
    },
    read,
    Object.values(shapes),
  );
}

/** Shape of an object with exactly one of several keys; read as key and value. */
function choiceShape<Choices extends SchemaShapesByKey>(
  choices: Choices,
): Shape<
  RawObjectOf<unknown, Choices>,
  { [Key in keyof Choices]: { readonly kind: Key; readonly input: ValueOf<Choices[Key]> } }[keyof Choices]
> {
  return convertShape(objectShape({}, choices, { minProperties: 1, maxProperties: 1 }), (values) => {
    const [kind, input] = firstElement(Object.entries(values));
    return { kind, input: input as never };
  });
}

/** Complete JSON Schema document of a shape. */
function makeSchemaDocument(shape: Pick<Shape<unknown>, 'schema' | 'named'>, head: Schema): Schema {
  return { ...head, ...shape.schema, definitions: Object.fromEntries(shape.named) };
}

// The shape of a study file

const ID_PATTERN = /^[A-Za-z][A-Za-z0-9-]*$/;

/** Pattern of an axis name, or of joined axes: `sites+speeds`. */
const AXIS_NAME_PATTERN = new RegExp(
  `${ID_PATTERN.source.slice(0, -1)}(?:\\+${ID_PATTERN.source.slice(1, -1)})*$`,
);

const idShape = namedShape('id', {
  schema: { pattern: ID_PATTERN.source },
  named: new Map(),
  read: (raw: string) => raw,
});
const ID_PROPERTY_NAMES_SCHEMA = { propertyNames: idShape.schema };

const labelShape = namedShape('label', plainShape<string | number>('string', 'number'));
const labelListShape = makeListShape(labelShape, 1);
const namesShape = namedShape('names', oneOrManyShape(nonEmptyTextShape, makeListShape(textShape, 1)));
const labelConditionsShape = addDefaultValue(
  namedShape('where', makeMapShape(oneOrManyShape(labelShape, labelListShape))),
  {},
);

const optionShape = namedShape(
  'option',
  plainShape<string | number | boolean>('string', 'number', 'boolean'),
);

/** Shape of a simulation option, with its help text and choices. */
function makeOptionShape({ help, isRepeatable, isSwitch, choices: optionChoices }: (typeof OPTIONS)[string]) {
  const examples = optionChoices ?? (isSwitch === true ? [true] : undefined);
  const shape = isRepeatable === true ? makeAnyOfShape(optionShape, makeListShape(optionShape)) : optionShape;
  const documentedSchema = { description: help, ...(examples === undefined ? {} : { examples }) };
  return { ...shape, schema: { anyOf: [shape.schema], ...documentedSchema } };
}

const shapeOfOptionTexts = convertShape(makeAnyOfShape(optionShape, makeListShape(optionShape)), (value) =>
  Array.isArray(value) ? value.join(';') : String(value),
);

const optionTextsShape = namedShape(
  'options',
  addDescription(
    makeMapShape(shapeOfOptionTexts, {
      properties: Object.fromEntries(
        Object.entries(OPTIONS).map(([name, each]) => [name, makeOptionShape(each).schema]),
      ),
    }),
    'Options of gridalloc simulate by name. Write {axis} for the value of an axis, $TRACE for the log given with --trace.',
  ),
);

/** Pattern of a number, percentage or duration, as `parseNumberOrNaN` reads them. */
const NUMBER_PATTERN_SOURCE = '-?[0-9.]+(?:[eE][+-]?[0-9]+|%|(?:(?:min|[smhdw])[0-9.]*)+)?';

/** Pattern of a number range, optionally with a step. */
export const NUMBER_RANGE_PATTERN = new RegExp(
  `^${NUMBER_PATTERN_SOURCE}\\.\\.${NUMBER_PATTERN_SOURCE}(?::${NUMBER_PATTERN_SOURCE})?$`,
);

const axesShape = namedShape(
  'axes',
  makeMapShape(
    makeAnyOfShape(
      labelListShape,
      makeMapShape(labelShape, { minProperties: 1 }),
      addDescription(
        textMatchingShape(NUMBER_RANGE_PATTERN),
        'Numbers from one to another: 1..10, or in steps: 0.5..0.9:0.1, 70%..90%:5%, 1h..6h:30m',
      ),
      addDescription(
        textMatchingShape(/^permutations\[[^[\]]+\]$/),
        'All orders of a list: permutations[1,3,5]',
      ),
    ),
    { propertyNames: { pattern: AXIS_NAME_PATTERN.source, not: { enum: ['part', 'variant', 'run'] } } },
  ),
);

/** Keys for options and axes, of a study or of one part. */
const SETTING_KEY_SHAPES = {
  simulate: addDefaultValue(optionTextsShape, {}),
  axes: addDefaultValue(axesShape, {}),
};

const studyPartShape = objectShape({}, SETTING_KEY_SHAPES);

const measureStepShape = namedShape(
  'step',
  choiceShape({
    mean: addDescription(namesShape, 'The mean over these axes, which removes them.'),
    geometricMean: addDescription(
      namesShape,
      'The geometric mean over them, of values above 0: only ratios count.',
    ),
    least: addDescription(namesShape, 'The smallest value along them.'),
    most: addDescription(namesShape, 'The largest value along them.'),
    sum: addDescription(namesShape, 'The sum over them.'),
    deviation: addDescription(namesShape, 'Population standard deviation.'),
    improvement: addDescription(
      objectShape(
        {
          over: namesShape,
          on: addDescription(
            makeAnyOfShape(enumShape(['mean']), labelListShape),
            'mean over the axes, or labels of one axis; the lowest value is the reference.',
          ),
        },
        {
          reference: addDefaultValue(
            addDescription(
              enumShape(['chosen', 'oracle']),
              'Of several labels: the one with the least mean over the odd replications, judged on the even ones alone (chosen, the default where there are replications), or the best of each value in hindsight (oracle).',
            ),
            'chosen',
          ),
        },
      ),
      '1 - value / reference: how much less than the reference a value is.',
    ),
    choose: addDescription(
      objectShape(
        { over: namesShape },
        { best: addDefaultValue(addDescription(enumShape(['least', 'most']), 'Default: least.'), 'least') },
      ),
      'The label of these axes whose mean over the odd replications is best, setting by setting, judged on the even ones alone; before all other steps.',
    ),
    standing: addDescription(
      objectShape(
        { over: textShape, of: labelShape, is: makeListShape(enumShape(['best', 'close', 'last']), 1) },
        {
          within: addDefaultValue(
            addDescription(numberShape, {
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

const measureShape = objectShape(
  { metric: addDescription(textShape, 'A metric of the runs, such as averageResponseTime.') },
  {
    title: addDescription(textShape, 'Name in tables and figures; by default that of the measure.'),
    unit: addDescription(textShape, 'Shown after the title.'),
    where: labelConditionsShape,
    less: addDescription(
      textShape,
      'Another measure with the same axes, to subtract replication by replication: their difference, with its interval.',
    ),
    chosenOn: addDefaultValue(
      addDescription(
        enumShape(['half', 'one']),
        'Where steps choose (choose; improvement on several labels). half (default): on the odd replications, judged on the even ones. one: on every single replication, judged on all others, as if tuned to a single draw.',
      ),
      'half',
    ),
    steps: addDefaultValue(addDescription(makeListShape(measureStepShape), 'Applied to it in order.'), []),
    format: addDescription(
      enumShape(['measure', 'fixed', 'percent', 'duration']),
      'measure (default): as many digits as the number needs; fixed: as many as decimals says; duration: hours and minutes.',
    ),
    decimals: addDescription(wholeNumberShape, { minimum: 0, maximum: 12 }),
  },
);

const studyTableShape = objectShape(
  {
    title: addDescription(textShape, 'Above the table.'),
    measures: addDescription(namesShape, 'One, or several side by side.'),
    rows: addDescription(namesShape, 'Axes down the table.'),
  },
  {
    caption: addDefaultValue(addDescription(textShape, 'Below the title.'), ''),
    where: labelConditionsShape,
    columns: addDefaultValue(addDescription(namesShape, 'Axes across the table.'), []),
    total: addDescription(textShape, 'Label of a last row with the sums.'),
    emphasize: addDescription(
      enumShape(['least', 'most', 'negative']),
      'Which cells of a row are highlighted.',
    ),
    among: addDefaultValue(
      addDescription(
        namesShape,
        'Axes along which to find the least or most, instead of along a row; the report says which of their labels are best.',
      ),
      [],
    ),
    within: addDescription(numberShape, {
      minimum: 0,
      exclusiveMaximum: 1,
      description:
        'Over replications: how far behind the best still counts as best, as a share of it; default 0.01, of waits, slowdowns, percentiles of resampled logs 0.05.',
    }),
    published: objectShape(
      {
        columns: labelListShape,
        rows: makeMapShape(
          addDescription(
            makeListShape(plainShape<number | string | null>('number', 'string', 'null')),
            "As printed, one per column; percentages as text: '-473%'.",
          ),
        ),
      },
      {},
    ),
  },
);

const studyFigureShape = objectShape(
  {
    title: addDescription(textShape, 'Above the figure.'),
    measure: addDescription(textShape, 'What is shown.'),
    x: addDescription(textShape, 'The axis along the figure.'),
  },
  {
    caption: addDefaultValue(textShape, ''),
    where: labelConditionsShape,
    panels: addDefaultValue(addDescription(namesShape, 'Axes with a panel for each of their labels.'), []),
    series: addDefaultValue(addDescription(namesShape, 'Axes with a line for each of their labels.'), []),
    xTitle: addDescription(textShape, 'Title of the x axis; by default its name.'),
    yScale: addDefaultValue(addDescription(enumShape(['linear', 'log']), 'Default: linear.'), 'linear'),
    sharesY: addDefaultValue(addDescription(booleanShape, 'Whether all panels have one scale.'), false),
    baseline: addDescription(
      objectShape({ axis: textShape, label: labelShape }, {}),
      'The figure shows differences from the values of this label, which is omitted.',
    ),
  },
);

const checkSourceShape = objectShape(
  { sentence: addDescription(textShape, 'What should be true.') },
  {
    measure: addDescription(textShape, 'The measure to test, in all its settings.'),
    where: labelConditionsShape,
    axis: addDescription(textShape, 'The axis of ascending and descending.'),
    ascending: addDescription(makeListShape(labelShape, 2), 'Along these labels the measure never falls.'),
    descending: addDescription(makeListShape(labelShape, 2), 'Along these labels the measure never rises.'),
    atLeast: addDescription(numberShape, 'In every setting the measure is not below this.'),
    atMost: addDescription(numberShape, 'In every setting the measure is not above this.'),
    reproduced: addDescription(textShape, 'A table whose published cells must come out.'),
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

/** Check of results: order of a measure along an axis, bound of a measure, or reproduced published cells. */
const studyCheckShape = convertShape(
  checkSourceShape,
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

const studyNoteShape = objectShape(
  {
    rule: addDescription(textShape, 'A rule that the source leaves open, and the choice made.'),
    effect: addDescription(textShape, 'The difference that it makes.'),
  },
  {},
);

const replicationsShape = objectShape(
  {},
  {
    axis: addDefaultValue(
      addDescription(
        textShape,
        "Name of the axis that holds 1 to count, 'replication' if nothing is said; without count, of one of the axes, whose labels are the replications.",
      ),
      'replication',
    ),
    count: addDescription(wholeNumberShape, { minimum: 1 }),
    average: addDefaultValue(
      addDescription(
        enumShape(['before', 'after']),
        'before (default): metrics are averaged over replications before the steps of a measure; after: the steps are made for each replication, then averaged.',
      ),
      'before',
    ),
    shows: addDefaultValue(
      addDescription(
        enumShape(['interval', 'range']),
        'What is shown beside a mean: its 95 % interval (default), or the minimum and maximum over its replications.',
      ),
      'interval',
    ),
  },
);

/** Shape of a study file. */
export const STUDY_SHAPE = objectShape(
  { title: nonEmptyTextShape, measures: makeMapShape(measureShape, { minProperties: 1 }) },
  {
    description: addDefaultValue(addDescription(textShape, 'What is done and what to look for.'), ''),
    source: addDefaultValue(addDescription(textShape, 'The paper, section, table or figure reproduced.'), ''),
    kind: addDefaultValue(
      addDescription(
        enumShape(['simulations', 'workloads']),
        'workloads: statistics of the jobs, nothing is simulated. Default: simulations.',
      ),
      'simulations',
    ),
    ...SETTING_KEY_SHAPES,
    parts: addDescription(
      makeMapShape(studyPartShape, { minProperties: 1 }),
      "Several products of axes; each adds options and axes to those above. Its name is a label of the axis 'part'.",
    ),
    replications: addDescription(
      replicationsShape,
      'Repetitions with other random numbers. If no option uses their axis, it sets the option replication.',
    ),
    draws: addDescription(replicationsShape, 'Another name for replications.'),
    tables: addDefaultValue(makeMapShape(studyTableShape, ID_PROPERTY_NAMES_SCHEMA), {}),
    figures: addDefaultValue(makeMapShape(studyFigureShape, ID_PROPERTY_NAMES_SCHEMA), {}),
    checks: addDefaultValue(
      addDescription(makeListShape(studyCheckShape), 'Statements to test on the results.'),
      [],
    ),
    notes: addDefaultValue(makeListShape(studyNoteShape), []),
  },
);

/** The JSON Schema of study files. */
export const STUDY_SCHEMA: Schema = makeSchemaDocument(
  { ...STUDY_SHAPE, named: new Map([...idShape.named, ...STUDY_SHAPE.named]) },
  {
    $schema: 'http://json-schema.org/draft-07/schema#',
    $id: 'https://gridalloc.dev/study.schema.json',
    title: 'Study file of gridalloc',
  },
);

/** Study as in its file, before reading. */
export type RawStudy = RawOf<typeof STUDY_SHAPE>;
export type RawTableSpec = RawOf<typeof studyTableShape>;
export type RawFigureSpec = RawOf<typeof studyFigureShape>;
/** Values of an axis as in the file. */
export type RawAxisValues = RawOf<typeof axesShape>[string];

/** Study after reading, with defaults filled in. */
export type StudyKeys = ValueOf<typeof STUDY_SHAPE>;
export type ParsedStudyPart = ValueOf<typeof studyPartShape>;
export type MeasureKeys = ValueOf<typeof measureShape>;
export type TableKeys = ValueOf<typeof studyTableShape>;
export type FigureKeys = ValueOf<typeof studyFigureShape>;
/** Replications with different random numbers. */
export type Replications = ValueOf<typeof replicationsShape>;
/** Statement to check against the results. */
export type CheckSpec = ValueOf<typeof studyCheckShape>;
/** Step in computing a measure from run metrics. */
export type MeasureStep = ValueOf<typeof measureStepShape>;
/** Options of `gridalloc simulate` by name; texts may hold `{axis}`, `$TRACE` and lists such as `ti[slt=1|2|3]`. */
export type OptionTexts = ValueOf<typeof optionTextsShape>;
/** Selected labels of axes; an axis that is not named keeps all. */
export type AxisLabelConditions = ValueOf<typeof labelConditionsShape>;
/** Name of a value of an axis in tables. */
export type Label = ValueOf<typeof labelShape>;
