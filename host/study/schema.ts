/**
 * The shape of a study file: the one place that says which keys there are and what they mean when left out. The types of a
 * study, the schema that editors and the check use (`studies/study.schema.json`, written by `npm run build`) and the
 * reference page follow it.
 */
import { OPTIONS } from '../options/options.js';
import {
  anyOf,
  choiceOf,
  described,
  documentOf,
  filledText,
  listOf,
  mapOf,
  meaning,
  named,
  number,
  oneOf,
  oneOrMore,
  orElse,
  plain,
  type RawOf,
  record,
  type Schema,
  text,
  textLike,
  truth,
  type ValueOf,
  wholeNumber,
} from './shape.js';

const ID = /^[A-Za-z][A-Za-z0-9-]*$/;

/** An axis, or axes whose values go together: `sites+speeds`. */
const AXIS = new RegExp(`${ID.source.slice(0, -1)}(?:\\+${ID.source.slice(1, -1)})*$`);

const id = named('id', { schema: { pattern: ID.source }, named: new Map(), read: (raw: string) => raw });
const byId = { propertyNames: id.schema };

const label = named('label', plain<string | number>('string', 'number'));
const labels = listOf(label, 1);
const names = named('names', oneOrMore(filledText, listOf(text, 1)));
const where = orElse(named('where', mapOf(oneOrMore(label, labels))), {});

const option = named('option', plain<string | number | boolean>('string', 'number', 'boolean'));

/** An option as the table of options has it: what it is for, its words as examples. */
function optionShape({ help, isRepeatable, isSwitch, choices }: (typeof OPTIONS)[string]) {
  const examples = choices ?? (isSwitch === true ? [true] : undefined);
  const shape = isRepeatable === true ? anyOf(option, listOf(option)) : option;
  const told = { description: help, ...(examples === undefined ? {} : { examples }) };
  return { ...shape, schema: { anyOf: [shape.schema], ...told } };
}

const optionText = meaning(anyOf(option, listOf(option)), (value) =>
  Array.isArray(value) ? value.join(';') : String(value),
);

const options = named(
  'options',
  described(
    mapOf(optionText, {
      properties: Object.fromEntries(
        Object.entries(OPTIONS).map(([name, each]) => [name, optionShape(each).schema]),
      ),
    }),
    'Options of gridalloc simulate by name. Write {axis} for the value of an axis, $TRACE for the log given with --trace.',
  ),
);

/** A number, a share of 100 or a duration, as `numberOf` reads them. */
const NUMBER = '-?[0-9.]+(?:[eE][+-]?[0-9]+|%|(?:(?:min|[smhdw])[0-9.]*)+)?';

/** Numbers from one to another, maybe in steps. */
export const NUMBERS = new RegExp(`^${NUMBER}\\.\\.${NUMBER}(?::${NUMBER})?$`);

const axes = named(
  'axes',
  mapOf(
    anyOf(
      labels,
      mapOf(label, { minProperties: 1 }),
      described(
        textLike(NUMBERS),
        'Numbers from one to another: 1..10, or in steps: 0.5..0.9:0.1, 70%..90%:5%, 1h..6h:30m',
      ),
      described(textLike(/^permutations\[[^[\]]+\]$/), 'All orders of a list: permutations[1,3,5]'),
    ),
    { propertyNames: { pattern: AXIS.source, not: { enum: ['part', 'variant', 'run'] } } },
  ),
);

/** Options and axes, of a whole study or of a part. */
const settings = { simulate: orElse(options, {}), axes: orElse(axes, {}) };

const part = record({}, settings);

const step = named(
  'step',
  choiceOf({
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
            anyOf(oneOf(['mean']), labels),
            'mean over the axes, or labels of one axis, the lowest of which counts.',
          ),
        },
        {
          reference: orElse(
            described(
              oneOf(['chosen', 'oracle']),
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
        { best: orElse(described(oneOf(['least', 'most']), 'Default: least.'), 'least') },
      ),
      'The label of these axes whose mean over the odd replications is best, setting by setting, judged on the even ones alone; before all other steps.',
    ),
    standing: described(
      record(
        { over: text, of: label, is: listOf(oneOf(['best', 'close', 'last']), 1) },
        {
          within: orElse(
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
    where,
    less: described(
      text,
      'Another measure with the same axes, to subtract replication by replication: their difference, with its interval.',
    ),
    chosenOn: orElse(
      described(
        oneOf(['half', 'one']),
        'Where steps choose (choose; improvement on several labels). half (default): on the odd replications, judged on the even ones. one: on every single replication, judged on all others, as if tuned to a single draw.',
      ),
      'half',
    ),
    steps: orElse(described(listOf(step), 'Applied to it in order.'), []),
    format: described(
      oneOf(['measure', 'fixed', 'percent', 'duration']),
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
    caption: orElse(described(text, 'Below the title.'), ''),
    where,
    columns: orElse(described(names, 'Axes across the table.'), []),
    total: described(text, 'Label of a last row with the sums.'),
    emphasize: described(oneOf(['least', 'most', 'negative']), 'Which cells of a row are highlighted.'),
    among: orElse(
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
        rows: mapOf(
          described(
            listOf(plain<number | string | null>('number', 'string', 'null')),
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
    caption: orElse(text, ''),
    where,
    panels: orElse(described(names, 'Axes with a panel for each of their labels.'), []),
    series: orElse(described(names, 'Axes with a line for each of their labels.'), []),
    xTitle: described(text, 'Title of the x axis; by default its name.'),
    yScale: orElse(described(oneOf(['linear', 'log']), 'Default: linear.'), 'linear'),
    sharesY: orElse(described(truth, 'Whether all panels have one scale.'), false),
    baseline: described(
      record({ axis: text, label }, {}),
      'The figure shows differences from the values of this label, which is omitted.',
    ),
  },
);

const checkKeys = record(
  { sentence: described(text, 'What should be true.') },
  {
    measure: described(text, 'The measure to test, in all its settings.'),
    where,
    axis: described(text, 'The axis of ascending and descending.'),
    ascending: described(listOf(label, 2), 'Along these labels the measure never falls.'),
    descending: described(listOf(label, 2), 'Along these labels the measure never rises.'),
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

/** Order: in every setting the measure rises (or falls) along labels of the axis. */
const check = meaning(checkKeys, ({ sentence, measure = '', where, axis = '', reproduced, ...given }) => {
  if (reproduced !== undefined) return { sentence, test: { kind: 'reproduced', table: reproduced } as const };
  const { atLeast, atMost, ascending, descending = [] } = given;
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
});

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
    axis: orElse(
      described(
        text,
        "Name of the axis that holds 1 to count, 'replication' if nothing is said; without count, of one of the axes, whose labels are the replications.",
      ),
      'replication',
    ),
    count: described(wholeNumber, { minimum: 1 }),
    average: orElse(
      described(
        oneOf(['before', 'after']),
        'before (default): metrics are averaged over replications before the steps of a measure; after: the steps are made for each replication, then averaged.',
      ),
      'before',
    ),
    shows: orElse(
      described(
        oneOf(['interval', 'range']),
        'What is shown beside a mean: its 95 % interval (default), or the minimum and maximum over its replications.',
      ),
      'interval',
    ),
  },
);

/** A study, as plain data. */
export const STUDY = record(
  { title: filledText, measures: mapOf(measure, { minProperties: 1 }) },
  {
    description: orElse(described(text, 'What is done and what to look for.'), ''),
    source: orElse(described(text, 'The paper, section, table or figure reproduced.'), ''),
    kind: orElse(
      described(
        oneOf(['simulations', 'workloads']),
        'workloads: statistics of the jobs, nothing is simulated. Default: simulations.',
      ),
      'simulations',
    ),
    ...settings,
    parts: described(
      mapOf(part, { minProperties: 1 }),
      "Several products of axes; each adds options and axes to those above. Its name is a label of the axis 'part'.",
    ),
    replications: described(
      replications,
      'Repetitions with other random numbers. If no option uses their axis, it sets the option replication.',
    ),
    draws: described(replications, 'Another name for replications.'),
    tables: orElse(mapOf(table, byId), {}),
    figures: orElse(mapOf(figure, byId), {}),
    checks: orElse(described(listOf(check), 'Statements to test on the results.'), []),
    notes: orElse(listOf(note), []),
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

/** A study as its file has it, and parts of it. */
export type RawStudy = RawOf<typeof STUDY>;
export type RawTable = RawOf<typeof table>;
export type RawFigure = RawOf<typeof figure>;
/** The values of an axis, as its file has them. */
export type RawAxis = RawOf<typeof axes>[string];

/** A study as its keys say it, and parts of it: what is left out has its default, what may be a list is one. */
export type StudyKeys = ValueOf<typeof STUDY>;
export type StudyPart = ValueOf<typeof part>;
export type MeasureKeys = ValueOf<typeof measure>;
export type TableKeys = ValueOf<typeof table>;
export type FigureKeys = ValueOf<typeof figure>;
/** Repetitions with other random numbers. */
export type Replications = ValueOf<typeof replications>;
/** A sentence to be held against the results. */
export type CheckSpec = ValueOf<typeof check>;
/** A step from the metric of single runs to the numbers of a table. */
export type Step = ValueOf<typeof step>;
/** Options of `gridalloc simulate` by name; texts may hold `{axis}`, `$TRACE` and lists such as `ti[slt=1|2|3]`. */
export type OptionTexts = ValueOf<typeof options>;
/** Which labels of which axes; an axis that is not named keeps all. */
export type Where = ValueOf<typeof where>;
/** How a value of an axis is called in tables. */
export type Label = ValueOf<typeof label>;
