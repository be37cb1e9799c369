/** Reads JSON files of results folders and checks them against declared shapes. */
import { readFile } from 'node:fs/promises';
import { InputError } from '../errors.js';
import { readErrorOf } from '../files/fileSystem.js';
import { OPTIONS } from '../options/options.js';
import { METRICS } from '../simulate/metrics.js';
import { formatOf } from './documents.js';
import {
  array,
  entriesShape,
  nullableShape,
  number,
  objectShape,
  oneOfTextsShape,
  optionalColumns,
  type Shape,
  textShape,
  trueOrFalseShape,
  tupleShape,
  unionShape,
  variantShape,
} from './shapes.js';

/** Advice for a damaged file of results. */
const RERUN_REMEDY = 'run the simulation or study again';

const MAX_SHOWN_VALUE_LENGTH = 40;

/** Value as JSON, truncated for error messages. */
function shortJson(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > MAX_SHOWN_VALUE_LENGTH ? `${text.slice(0, MAX_SHOWN_VALUE_LENGTH)}...` : text;
}

/**
 * Checks a document against its shape; additional fields are allowed.
 * @param remedy advice for the error message.
 * @throws InputError with file and key of the first mismatch.
 */
export function checkDocument<Document>(
  schema: Shape,
  document: unknown,
  path: string,
  remedy = RERUN_REMEDY,
): Document {
  const fault = schema.faultOf(document);
  if (fault === undefined) return document as Document;
  const { keys, expected, found } = fault;
  const key = keys.join('.');
  if (found === undefined && key !== '') throw new InputError(`${path} has no ${key}; ${remedy}`);
  const place = key === '' ? path : `${path}, ${key}`;
  throw new InputError(`${place}: expected ${expected}, found ${shortJson(found)}; ${remedy}`);
}

/**
 * Reads a JSON file of results; undefined if it does not exist.
 * @throws InputError if it is unreadable, malformed, of a later format, or does not match the shape.
 */
export async function readDocument<Document>(path: string, schema: Shape): Promise<Document | undefined> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw readErrorOf(path, error, RERUN_REMEDY);
  }
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    throw new InputError(`${path} is not JSON; ${RERUN_REMEDY}`);
  }
  formatOf(document, path);
  return checkDocument(schema, document, path);
}

const textEntriesShape = entriesShape(textShape());
const numberEntriesShape = entriesShape(number());

/** Optional fields of one shape, since earlier versions lack them. */
const makeEntriesOptional = (names: readonly string[], schema: Shape) =>
  Object.fromEntries(names.map((name) => [name, optionalColumns(schema)]));

/** Shapes of the metrics in a table. */
const optionalMetricEntries = (table: object) => makeEntriesOptional(Object.keys(table), number());

/** Shapes of the values of options that are neither text nor switches, by their form. */
const SHAPES_BY_OPTION_FORM = {
  number: number(),
  numbers: array(number()),
  'word or switch': unionShape([textShape(), trueOrFalseShape()]),
} as const;

/** Shapes of simulation options, by library name. */
const optionShapes = Object.fromEntries(
  Object.values(OPTIONS).map(({ key, isSwitch, form }) => [
    key,
    optionalColumns(
      isSwitch ? trueOrFalseShape() : form === undefined ? textShape() : SHAPES_BY_OPTION_FORM[form],
    ),
  ]),
);
const options = objectShape(optionShapes);

const requestEntryShapes = {
  options,
  metrics: optionalColumns(array(textShape())),
  replications: optionalColumns(number()),
  classes: optionalColumns(
    objectShape({
      classings: array(textShape()),
      shown: entriesShape(unionShape([textShape(), array(textShape())])),
    }),
  ),
};

/** Shape of a saved request, depending on its command. */
const request = variantShape('command', {
  simulate: objectShape({ command: textShape(), workload: textShape(), ...requestEntryShapes }),
  compare: objectShape({
    ...{
      command: textShape(),
      workloads: array(textShape()),
      ...requestEntryShapes,
      metrics: array(textShape()),
    },
    methods: array(objectShape({ name: optionalColumns(textShape()), ...optionShapes })),
    ...{
      areAll: trueOrFalseShape(),
      areNamed: trueOrFalseShape(),
      untilDecided: trueOrFalseShape(),
      showsRatios: trueOrFalseShape(),
    },
    within: optionalColumns(number()),
  }),
});

/** Shape of config.json, the saved request of a simulation. Earlier versions have no request. */
export const CONFIG_SHAPE = objectShape({
  gridalloc: optionalColumns(textShape()),
  abi: optionalColumns(number()),
  coreBuild: optionalColumns(textShape()),
  coreSha256: optionalColumns(textShape()),
  core: optionalColumns(textShape()),
  request: optionalColumns(request),
  options: optionalColumns(textEntriesShape),
  command: optionalColumns(array(textShape())),
  shell: optionalColumns(textShape()),
  workload: optionalColumns(
    objectShape({
      source: optionalColumns(textShape()),
      jobs: optionalColumns(number()),
      jobsSha256: optionalColumns(textShape()),
      machine: optionalColumns(number()),
      accounting: optionalColumns(
        objectShape({
          ...makeEntriesOptional(['read', 'kept', 'withoutEstimate'], number()),
          dropped: optionalColumns(array(objectShape({ rule: textShape(), count: number() }))),
          split: optionalColumns(objectShape(makeEntriesOptional(['jobs', 'pieces'], number()))),
          dependencies: optionalColumns(nullableShape(objectShape({}))),
        }),
      ),
    }),
  ),
  ...makeEntriesOptional(
    ['discipline', 'queue', 'policy', 'order', 'backfillOrder', 'moldable', 'select', 'kill'],
    textShape(),
  ),
  ...makeEntriesOptional(['moldableThreshold', 'multiSiteFactor'], number()),
  code: optionalColumns(array(objectShape({ file: textShape(), sha256: textShape() }))),
});

const classesShape = array(
  objectShape({
    name: textShape(),
    ...makeEntriesOptional(
      ['jobs', 'meanWait', 'p50Wait', 'p95Wait', 'maxWait', 'averageResponseTime', 'meanBoundedSlowdown'],
      number(),
    ),
  }),
);

/** Shape of summary.json, the metrics of a simulation. */
export const SUMMARY_SHAPE = objectShape({
  workload: textShape(),
  method: textShape(),
  policy: textShape(),
  ...optionalMetricEntries(METRICS.run),
  jobs: number(),
  decisions: objectShape(optionalMetricEntries(METRICS.decisions)),
  trials: optionalColumns(
    objectShape({
      ...optionalMetricEntries(METRICS.trials),
      candidates: array(objectShape({ policy: textShape(), times: number() })),
    }),
  ),
  sites: array(objectShape({ capacity: number(), speed: number(), ...optionalMetricEntries(METRICS.sites) })),
  homes: array(objectShape(optionalMetricEntries(METRICS.homes))),
  dropped: optionalColumns(numberEntriesShape),
  split: optionalColumns(objectShape({ jobs: number(), pieces: number() })),
  distribution: optionalColumns(numberEntriesShape),
  classes: optionalColumns(entriesShape(classesShape)),
});

const formatShape = objectShape({
  style: oneOfTextsShape(['measure', 'fixed', 'percent', 'duration']),
  decimals: optionalColumns(number()),
  isSigned: optionalColumns(trueOrFalseShape()),
});
const boundsShape = optionalColumns(oneOfTextsShape(['interval', 'rough', 'joint', 'range', 'quartiles']));
const factShape = objectShape({
  label: textShape(),
  value: textShape(),
  isUsual: optionalColumns(trueOrFalseShape()),
});
const signShape = objectShape({
  mark: textShape(),
  meaning: textShape(),
  tone: optionalColumns(oneOfTextsShape(['good', 'bad'])),
});
const cellShape = unionShape([
  textShape(),
  number(),
  objectShape({
    value: nullableShape(unionShape([textShape(), number()])),
    published: optionalColumns(unionShape([textShape(), number()])),
    ...makeEntriesOptional(['low', 'high'], nullableShape(number())),
    ...makeEntriesOptional(['isInside', 'isEmphasized'], trueOrFalseShape()),
    sign: optionalColumns(signShape),
    note: optionalColumns(textShape()),
  }),
]);
const tableShape = objectShape({
  id: textShape(),
  title: textShape(),
  caption: textShape(),
  times: optionalColumns(textShape()),
  columns: array(
    objectShape({
      title: textShape(),
      unit: optionalColumns(textShape()),
      align: optionalColumns(oneOfTextsShape(['left', 'right'])),
      format: optionalColumns(formatShape),
      isHeading: optionalColumns(trueOrFalseShape()),
      holds: optionalColumns(textShape()),
      bounds: boundsShape,
      most: optionalColumns(number()),
    }),
  ),
  rows: array(array(nullableShape(cellShape))),
  hasTotal: optionalColumns(trueOrFalseShape()),
  bounds: boundsShape,
  details: optionalColumns(oneOfTextsShape(['below', 'beside'])),
});
const rangeEndsShape = optionalColumns(tupleShape([number(), number()]));
const axisShape = objectShape({
  title: textShape(),
  unit: optionalColumns(textShape()),
  scale: optionalColumns(oneOfTextsShape(['linear', 'log'])),
  format: optionalColumns(formatShape),
  ticks: optionalColumns(array(objectShape({ value: number(), label: textShape() }))),
  time: optionalColumns(
    objectShape({ beginning: optionalColumns(number()), since: optionalColumns(textShape()) }),
  ),
  range: rangeEndsShape,
  zone: rangeEndsShape,
});
const panelsShape = array(
  objectShape({
    title: textShape(),
    series: array(
      objectShape({
        name: textShape(),
        color: optionalColumns(textShape()),
        points: array(
          objectShape({
            x: unionShape([textShape(), number()]),
            y: nullableShape(number()),
            ...makeEntriesOptional(['low', 'high'], nullableShape(number())),
            remark: optionalColumns(textShape()),
          }),
        ),
      }),
    ),
  }),
);
const figureShape = objectShape({
  id: textShape(),
  title: textShape(),
  caption: textShape(),
  kind: oneOfTextsShape(['line', 'step', 'bar', 'dots', 'heat']),
  x: axisShape,
  y: axisShape,
  sharesY: optionalColumns(trueOrFalseShape()),
  panels: panelsShape,
  bounds: boundsShape,
  namesOfPage: optionalColumns(array(textShape())),
  views: optionalColumns(
    array(
      objectShape({
        measure: textShape(),
        baseline: optionalColumns(textShape()),
        y: axisShape,
        panels: panelsShape,
        bounds: boundsShape,
      }),
    ),
  ),
  firstView: optionalColumns(number()),
});

/** Shape of report.json, the content of a report page. */
export const REPORT_SHAPE = objectShape({
  title: textShape(),
  description: textShape(),
  source: textShape(),
  highlights: array(factShape),
  tables: array(tableShape),
  figures: array(figureShape),
  checks: array(
    objectShape({
      sentence: textShape(),
      verdict: optionalColumns(textShape()),
      isTrue: optionalColumns(trueOrFalseShape()),
      evidence: textShape(),
    }),
  ),
  notes: array(objectShape({ rule: textShape(), effect: textShape() })),
  commands: array(textShape()),
  environment: array(factShape),
  files: optionalColumns(array(objectShape({ path: textShape(), meaning: textShape() }))),
});

/** Shape of bench.json, measured times. */
export const BENCH_SHAPE = objectShape({
  machine: objectShape({ processor: textShape(), cores: number(), system: textShape(), node: textShape() }),
  binary: textShape(),
  noise: number(),
  rows: array(
    objectShape({
      ...{ policy: textShape(), method: textShape() },
      ...{ sites: number(), queue: number(), nsPerDecision: number(), low: number(), high: number() },
    }),
  ),
  runs: array(
    objectShape({
      policy: textShape(),
      running: number(),
      nsPerJob: number(),
      low: number(),
      high: number(),
    }),
  ),
  growth: array(
    objectShape({
      ...{ policy: textShape(), method: textShape(), in: textShape() },
      ...{ power: number(), low: number(), high: number() },
    }),
  ),
});

/**
 * Shape of comparison.json, the saved comparison. Earlier versions store command words instead of a
 * request.
 */
export const COMPARISON_SHAPE = objectShape({
  request: optionalColumns(request),
  ...{
    command: optionalColumns(oneOfTextsShape(['compare', 'simulate'])),
    words: optionalColumns(array(textShape())),
  },
  options: optionalColumns(entriesShape(array(textShape()))),
  result: optionalColumns(objectShape({ plan: textShape(), isOver: trueOrFalseShape() })),
});

/** Shape of studies.json, the list of studies run together. */
export const COLLECTION_SHAPE = objectShape({
  title: textShape(),
  command: textShape(),
  studies: array(textShape()),
});

/** Shape of the first line of plan.json. */
export const PLAN_HEADER_SHAPE = objectShape({
  study: textShape(),
  command: optionalColumns(array(textShape())),
  coreSha256: textShape(),
  trace: nullableShape(textShape()),
  draws: nullableShape(number()),
  options: textEntriesShape,
  axes: array(textShape()),
  metrics: array(textShape()),
  continues: optionalColumns(array(textShape())),
  sha256: textShape(),
});

/** Shapes of the entries in the lists of plan.json. */
export const PLAN_ENTRY_SHAPES = {
  workloads: objectShape({
    name: textShape(),
    sha256: textShape(),
    jobs: number(),
    accounting: objectShape({}),
    recent: optionalColumns(objectShape({})),
    unestimated: optionalColumns(trueOrFalseShape()),
  }),
  sources: textEntriesShape,
  runs: objectShape({
    id: textShape(),
    workload: number(),
    parameters: objectShape({
      sites: array(number()),
      speeds: array(number()),
      timeFactors: optionalColumns(array(number())),
      ...{ policy: textShape(), order: textShape(), backfillOrder: textShape() },
    }),
  }),
  points: objectShape({ labels: array(nullableShape(unionShape([textShape(), number()]))), run: number() }),
} as const;

/** Shape of the division of a study into shards. */
export const SHARD_PLAN_SHAPE = objectShape({
  ...{ plan: textShape(), version: textShape(), coreSha256: textShape(), total: number() },
  runs: array(number()),
  costs: array(number()),
});

/** Shape of the saved submissions to Slurm. */
export const SUBMISSIONS_SHAPE = array(
  objectShape({
    tasks: textShape(),
    merge: optionalColumns(textShape()),
    shards: array(number()),
    count: number(),
    options: objectShape({
      ...makeEntriesOptional(['asked', 'threads'], number()),
      partition: optionalColumns(textShape()),
      words: array(textShape()),
      taskWords: array(textShape()),
    }),
  }),
);
