/**
 * The shape of a study file: the one place that says which keys there are. The types of this file, the schema that
 * editors and the check use (`studies/study.schema.json`, written by `npm run generate`) and the reference page follow it.
 */
import { OPTIONS } from '../options/options.js';
import {
  anyOf,
  described,
  documentOf,
  filledText,
  listOf,
  mapOf,
  named,
  number,
  oneOf,
  plain,
  record,
  type Schema,
  text,
  textLike,
  truth,
  type ValueOf,
  wholeNumber,
} from './shape.js';

const ID = /^[A-Za-z][A-Za-z0-9-]*$/;

const id = named('id', { schema: { pattern: ID.source }, named: new Map() });
const byId = { propertyNames: id.schema };

const label = named('label', plain<string | number>('string', 'number'));
const labels = listOf(label, 1);
const names = named('names', anyOf(filledText, listOf(text, 1)));
const where = named('where', mapOf(anyOf(label, labels)));

const option = named('option', plain<string | number | boolean>('string', 'number', 'boolean'));

/** An option as the table of options has it: what it is for, its words as examples. */
function optionShape({ help, isRepeatable, isSwitch, choices }: (typeof OPTIONS)[string]) {
  const examples = choices ?? (isSwitch === true ? [true] : undefined);
  const shape = isRepeatable === true ? anyOf(option, listOf(option)) : option;
  const told = { description: help, ...(examples === undefined ? {} : { examples }) };
  return { ...shape, schema: { anyOf: [shape.schema], ...told } };
}

const options = named('options', {
  ...described(
    mapOf(anyOf(option, listOf(option)), {
      properties: Object.fromEntries(
        Object.entries(OPTIONS).map(([name, each]) => [name, optionShape(each).schema]),
      ),
    }),
    'Options of gridalloc simulate by name. {axis} stands for the value of an axis, $TRACE for the log given with --trace.',
  ),
});

const axes = named(
  'axes',
  mapOf(
    anyOf(
      labels,
      mapOf(label, { minProperties: 1 }),
      described(
        textLike(/^-?[0-9.]+\.\.-?[0-9.]+(?::[0-9.]+)?$/),
        'Numbers from one to another: 1..10, or in steps: 0.5..0.9:0.1',
      ),
      described(textLike(/^permutations\[[^[\]]+\]$/), 'All orders of a list: permutations[1,3,5]'),
    ),
    { propertyNames: { pattern: ID.source, not: { enum: ['part', 'variant', 'run'] } } },
  ),
);

const part = record({}, { simulate: options, axes });

const step = named(
  'step',
  record(
    {},
    {
      mean: described(names, 'The mean over these axes, which are then gone.'),
      geometricMean: described(
        names,
        'The geometric mean over them, of values above 0: each setting counts by its ratios alone.',
      ),
      least: described(names, 'The least along them.'),
      most: described(names, 'The greatest along them.'),
      sum: described(names, 'The sum over them.'),
      deviation: described(names, 'Population standard deviation.'),
      improvement: described(
        record(
          {
            over: names,
            on: described(
              anyOf(oneOf(['mean']), labels),
              'mean over the axes, or labels of one axis, of which the least counts.',
            ),
          },
          {},
        ),
        '1 - value / reference: how much less than the reference a value is.',
      ),
      choose: described(
        record({ over: names }, { best: described(oneOf(['least', 'most']), 'Default: least.') }),
        'The label of these axes whose mean over the odd replications is best, setting by setting, judged on the even ones alone; before all other steps.',
      ),
      standing: described(
        record(
          { over: text, of: label, is: listOf(oneOf(['best', 'close', 'last']), 1) },
          {
            within: described(number, {
              exclusiveMinimum: 0,
              description: 'close: less than this share above the best; default 0.01.',
            }),
          },
        ),
        '1 where a label is best (least) on an axis, close to the best, or last; else 0.',
      ),
    },
    { minProperties: 1, maxProperties: 1 },
  ),
);

const measure = record(
  { metric: described(text, 'A metric of the runs, such as averageResponseTime.') },
  {
    title: described(text, 'What tables and figures call it; its name if nothing is said.'),
    unit: described(text, 'Stands behind the title.'),
    where,
    steps: described(listOf(step), 'What is made of it, one after the other.'),
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
    caption: described(text, 'Below the title.'),
    where,
    columns: described(names, 'Axes across the table.'),
    total: described(text, 'Label of a last row with the sums.'),
    emphasize: described(oneOf(['least', 'most', 'negative']), 'Which cells of a row stand out.'),
    among: described(
      names,
      'Axes along which the least or most is sought, instead of along a row; the report says which of their labels are best.',
    ),
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
    caption: text,
    where,
    panels: described(names, 'Axes with a panel for each of their labels.'),
    series: described(names, 'Axes with a line for each of their labels.'),
    xTitle: described(text, 'Title of the axis along the figure; its name if nothing is said.'),
    yScale: described(oneOf(['linear', 'log']), 'Default: linear.'),
    sharesY: described(truth, 'Whether all panels have one scale.'),
    baseline: described(
      record({ axis: text, label }, {}),
      'The figure shows how far the values are from that of this label, which is left out.',
    ),
  },
);

const check = record(
  { sentence: described(text, 'What should be true.') },
  {
    measure: described(text, 'What is looked at, in every setting that it has.'),
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

const note = record(
  {
    rule: described(text, 'A rule that the source leaves open, and what was decided.'),
    effect: described(text, 'What difference it makes.'),
  },
  {},
);

const replications = record(
  {},
  {
    axis: described(
      text,
      "Name of the axis that holds 1 to count, 'replication' if nothing is said; without count, of one of the axes, whose labels are the replications.",
    ),
    count: described(wholeNumber, { minimum: 1 }),
    average: described(
      oneOf(['before', 'after']),
      'before (default): metrics are averaged over replications before the steps of a measure; after: the steps are made for each replication, then averaged.',
    ),
    shows: described(
      oneOf(['interval', 'range']),
      'What stands beside a mean: its 95 % interval (default), or the least and greatest of single replications.',
    ),
  },
);

const study = record(
  { title: filledText, measures: mapOf(measure, { minProperties: 1 }) },
  {
    description: described(text, 'What is done and what to look for.'),
    source: described(text, 'Paper, section, table or figure that is followed.'),
    kind: described(
      oneOf(['simulations', 'workloads']),
      'workloads: statistics of the jobs, nothing is simulated. Default: simulations.',
    ),
    simulate: options,
    axes,
    parts: described(
      mapOf(part, { minProperties: 1 }),
      "Several products of axes; each adds options and axes to those above. Its name is a label of the axis 'part'.",
    ),
    replications: described(
      replications,
      'Repetitions with other random numbers. Where no option uses their axis, it is the option replication of each.',
    ),
    draws: described(replications, 'The same, by another name.'),
    tables: mapOf(table, byId),
    figures: mapOf(figure, byId),
    checks: described(listOf(check), 'Sentences that are held against the results.'),
    notes: listOf(note),
  },
);

/** The JSON Schema of study files. */
export const STUDY_SCHEMA: Schema = documentOf(
  { ...study, named: new Map([...id.named, ...study.named]) },
  {
    $schema: 'http://json-schema.org/draft-07/schema#',
    $id: 'https://gridalloc.dev/study.schema.json',
    title: 'Study file of gridalloc',
  },
);

/** A study as its file has it, once the schema has been checked; and its parts. */
export type RawStudy = ValueOf<typeof study>;
export type RawPart = ValueOf<typeof part>;
export type RawOptions = ValueOf<typeof options>;
export type RawAxes = ValueOf<typeof axes>;
export type RawMeasure = ValueOf<typeof measure>;
export type RawStep = ValueOf<typeof step>;
export type RawTable = ValueOf<typeof table>;
export type RawFigure = ValueOf<typeof figure>;
export type RawCheck = ValueOf<typeof check>;
export type RawWhere = ValueOf<typeof where>;
/** One name, or several. */
export type Names = ValueOf<typeof names>;
/** How a value of an axis is called in tables. */
export type Label = ValueOf<typeof label>;
/** A rule that the paper leaves open: what was decided, and what difference it makes. */
export type Note = ValueOf<typeof note>;
