/** Reads JSON files of results folders and checks them against declared shapes. */
import { readFile } from 'node:fs/promises';
import { InputError } from '../errors.js';
import { readErrorOf } from '../files/fileSystem.js';
import { OPTIONS } from '../options/options.js';
import { METRICS } from '../simulate/metrics.js';
import { formatOf } from './documents.js';
import {
  array,
  boolean,
  entriesOf,
  nullable,
  number,
  object,
  optional,
  picklist,
  type Shape,
  string,
  tuple,
  union,
  variant,
} from './shapes.js';

/** Advice for a damaged file of results. */
const RUN_AGAIN = 'run the simulation or study again';

const MAX_VALUE_LENGTH = 40;

/** Value as JSON, truncated for error messages. */
function shortJson(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > MAX_VALUE_LENGTH ? `${text.slice(0, MAX_VALUE_LENGTH)}...` : text;
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
  remedy = RUN_AGAIN,
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
    throw readErrorOf(path, error, RUN_AGAIN);
  }
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    throw new InputError(`${path} is not JSON; ${RUN_AGAIN}`);
  }
  formatOf(document, path);
  return checkDocument(schema, document, path);
}

const textEntries = entriesOf(string());
const numberEntries = entriesOf(number());

/** Optional fields of one shape, since earlier versions lack them. */
const optionalEntries = (names: readonly string[], schema: Shape) =>
  Object.fromEntries(names.map((name) => [name, optional(schema)]));

/** Shapes of the metrics in a table. */
const metricEntries = (table: object) => optionalEntries(Object.keys(table), number());

/** Shapes of the values of options that are neither text nor switches, by their form. */
const SHAPES_OF_FORMS = {
  number: number(),
  numbers: array(number()),
  'word or switch': union([string(), boolean()]),
} as const;

/** Shapes of simulation options, by library name. */
const optionShapes = Object.fromEntries(
  Object.values(OPTIONS).map(({ key, isSwitch, form }) => [
    key,
    optional(isSwitch ? boolean() : form === undefined ? string() : SHAPES_OF_FORMS[form]),
  ]),
);
const options = object(optionShapes);

const requestedShape = {
  options,
  metrics: optional(array(string())),
  replications: optional(number()),
  classes: optional(
    object({ classings: array(string()), shown: entriesOf(union([string(), array(string())])) }),
  ),
};

/** Shape of a saved request, depending on its command. */
const request = variant('command', {
  simulate: object({ command: string(), workload: string(), ...requestedShape }),
  compare: object({
    ...{ command: string(), workloads: array(string()), ...requestedShape, metrics: array(string()) },
    methods: array(object({ name: optional(string()), ...optionShapes })),
    ...{ areAll: boolean(), areNamed: boolean(), untilDecided: boolean(), showsRatios: boolean() },
    within: optional(number()),
  }),
});

/** Shape of config.json, the saved request of a simulation. Earlier versions have no request. */
export const CONFIG_SHAPE = object({
  gridalloc: optional(string()),
  abi: optional(number()),
  coreBuild: optional(string()),
  coreSha256: optional(string()),
  core: optional(string()),
  request: optional(request),
  options: optional(textEntries),
  command: optional(array(string())),
  shell: optional(string()),
  workload: optional(
    object({
      source: optional(string()),
      jobs: optional(number()),
      jobsSha256: optional(string()),
      machine: optional(number()),
      accounting: optional(
        object({
          ...optionalEntries(['read', 'kept', 'withoutEstimate'], number()),
          dropped: optional(array(object({ rule: string(), count: number() }))),
          split: optional(object(optionalEntries(['jobs', 'pieces'], number()))),
          dependencies: optional(nullable(object({}))),
        }),
      ),
    }),
  ),
  ...optionalEntries(
    ['discipline', 'queue', 'policy', 'order', 'backfillOrder', 'moldable', 'select', 'kill'],
    string(),
  ),
  ...optionalEntries(['moldableThreshold', 'multiSiteFactor'], number()),
  code: optional(array(object({ file: string(), sha256: string() }))),
});

const classesShape = array(
  object({
    name: string(),
    ...optionalEntries(
      ['jobs', 'meanWait', 'p50Wait', 'p95Wait', 'maxWait', 'averageResponseTime', 'meanBoundedSlowdown'],
      number(),
    ),
  }),
);

/** Shape of summary.json, the metrics of a simulation. */
export const SUMMARY_SHAPE = object({
  workload: string(),
  method: string(),
  policy: string(),
  ...metricEntries(METRICS.run),
  jobs: number(),
  decisions: object(metricEntries(METRICS.decisions)),
  trials: optional(
    object({
      ...metricEntries(METRICS.trials),
      candidates: array(object({ policy: string(), times: number() })),
    }),
  ),
  sites: array(object({ capacity: number(), speed: number(), ...metricEntries(METRICS.sites) })),
  homes: array(object(metricEntries(METRICS.homes))),
  dropped: optional(numberEntries),
  split: optional(object({ jobs: number(), pieces: number() })),
  distribution: optional(numberEntries),
  classes: optional(entriesOf(classesShape)),
});

const formatShape = object({
  style: picklist(['measure', 'fixed', 'percent', 'duration']),
  decimals: optional(number()),
  isSigned: optional(boolean()),
});
const boundsShape = optional(picklist(['interval', 'rough', 'joint', 'range', 'quartiles']));
const factShape = object({ label: string(), value: string(), isUsual: optional(boolean()) });
const signShape = object({ mark: string(), meaning: string(), tone: optional(picklist(['good', 'bad'])) });
const cellShape = union([
  string(),
  number(),
  object({
    value: nullable(union([string(), number()])),
    published: optional(union([string(), number()])),
    ...optionalEntries(['low', 'high'], nullable(number())),
    ...optionalEntries(['isInside', 'isEmphasized'], boolean()),
    sign: optional(signShape),
    note: optional(string()),
  }),
]);
const tableShape = object({
  id: string(),
  title: string(),
  caption: string(),
  times: optional(string()),
  columns: array(
    object({
      title: string(),
      unit: optional(string()),
      align: optional(picklist(['left', 'right'])),
      format: optional(formatShape),
      isHeading: optional(boolean()),
      holds: optional(string()),
      bounds: boundsShape,
      most: optional(number()),
    }),
  ),
  rows: array(array(nullable(cellShape))),
  hasTotal: optional(boolean()),
  bounds: boundsShape,
  details: optional(picklist(['below', 'beside'])),
});
const endsShape = optional(tuple([number(), number()]));
const axisShape = object({
  title: string(),
  unit: optional(string()),
  scale: optional(picklist(['linear', 'log'])),
  format: optional(formatShape),
  ticks: optional(array(object({ value: number(), label: string() }))),
  time: optional(object({ beginning: optional(number()), since: optional(string()) })),
  range: endsShape,
  zone: endsShape,
});
const panelsShape = array(
  object({
    title: string(),
    series: array(
      object({
        name: string(),
        color: optional(string()),
        points: array(
          object({
            x: union([string(), number()]),
            y: nullable(number()),
            ...optionalEntries(['low', 'high'], nullable(number())),
            remark: optional(string()),
          }),
        ),
      }),
    ),
  }),
);
const figureShape = object({
  id: string(),
  title: string(),
  caption: string(),
  kind: picklist(['line', 'step', 'bar', 'dots', 'heat']),
  x: axisShape,
  y: axisShape,
  sharesY: optional(boolean()),
  panels: panelsShape,
  bounds: boundsShape,
  namesOfPage: optional(array(string())),
  views: optional(
    array(
      object({
        measure: string(),
        baseline: optional(string()),
        y: axisShape,
        panels: panelsShape,
        bounds: boundsShape,
      }),
    ),
  ),
  firstView: optional(number()),
});

/** Shape of report.json, the content of a report page. */
export const REPORT_SHAPE = object({
  title: string(),
  description: string(),
  source: string(),
  highlights: array(factShape),
  tables: array(tableShape),
  figures: array(figureShape),
  checks: array(
    object({
      sentence: string(),
      verdict: optional(string()),
      isTrue: optional(boolean()),
      evidence: string(),
    }),
  ),
  notes: array(object({ rule: string(), effect: string() })),
  commands: array(string()),
  environment: array(factShape),
  files: optional(array(object({ path: string(), meaning: string() }))),
});

/** Shape of bench.json, measured times. */
export const BENCH_SHAPE = object({
  machine: object({ processor: string(), cores: number(), system: string(), node: string() }),
  binary: string(),
  noise: number(),
  rows: array(
    object({
      ...{ policy: string(), method: string() },
      ...{ sites: number(), queue: number(), nsPerDecision: number(), low: number(), high: number() },
    }),
  ),
  runs: array(
    object({ policy: string(), running: number(), nsPerJob: number(), low: number(), high: number() }),
  ),
  growth: array(
    object({
      ...{ policy: string(), method: string(), in: string() },
      ...{ power: number(), low: number(), high: number() },
    }),
  ),
});

/**
 * Shape of comparison.json, the saved comparison. Earlier versions store command words instead of a
 * request.
 */
export const COMPARISON_SHAPE = object({
  request: optional(request),
  ...{ command: optional(picklist(['compare', 'simulate'])), words: optional(array(string())) },
  options: optional(entriesOf(array(string()))),
  result: optional(object({ plan: string(), isOver: boolean() })),
});

/** Shape of studies.json, the list of studies run together. */
export const COLLECTION_SHAPE = object({ title: string(), command: string(), studies: array(string()) });

/** Shape of the first line of plan.json. */
export const PLAN_HEAD_SHAPE = object({
  study: string(),
  command: optional(array(string())),
  coreSha256: string(),
  trace: nullable(string()),
  draws: nullable(number()),
  options: textEntries,
  axes: array(string()),
  metrics: array(string()),
  continues: optional(array(string())),
  sha256: string(),
});

/** Shapes of the entries in the lists of plan.json. */
export const PLAN_ENTRY_SHAPES = {
  workloads: object({
    name: string(),
    sha256: string(),
    jobs: number(),
    accounting: object({}),
    recent: optional(object({})),
    unestimated: optional(boolean()),
  }),
  sources: textEntries,
  runs: object({
    id: string(),
    workload: number(),
    parameters: object({
      sites: array(number()),
      speeds: array(number()),
      timeFactors: optional(array(number())),
      ...{ policy: string(), order: string(), backfillOrder: string() },
    }),
  }),
  points: object({ labels: array(nullable(union([string(), number()]))), run: number() }),
} as const;

/** Shape of the division of a study into shards. */
export const CUT_SHAPE = object({
  ...{ plan: string(), version: string(), coreSha256: string(), total: number() },
  runs: array(number()),
  costs: array(number()),
});

/** Shape of the saved submissions to Slurm. */
export const SUBMISSIONS_SHAPE = array(
  object({
    tasks: string(),
    merge: optional(string()),
    shards: array(number()),
    count: number(),
    options: object({
      ...optionalEntries(['asked', 'threads'], number()),
      partition: optional(string()),
      words: array(string()),
      taskWords: array(string()),
    }),
  }),
);
