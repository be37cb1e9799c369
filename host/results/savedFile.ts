/** The JSON files of folders of results, read back: what each holds is declared, and a value of another type is one sentence. */
import { readFile } from 'node:fs/promises';
import { InputError } from '../errors.js';
import { readFault } from '../files/fileSystem.js';
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

const LONGEST = 40;

/** A value as JSON, cut. */
function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}...` : text;
}

/**
 * A document whose entries have the types that a schema declares; it may have others beside them.
 * @param remedy what to do where it has not.
 * @throws InputError with the file and the key of a value of another type.
 */
export function checked<Document>(
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
  throw new InputError(`${place}: expected ${expected}, found ${shown(found)}; ${remedy}`);
}

/**
 * The document in a file of results, or undefined if there is no such file.
 * @throws InputError when it cannot be read, is not JSON, of a later format than is known here, or holds values of other
 * types than the schema declares.
 */
export async function readDocument<Document>(path: string, schema: Shape): Promise<Document | undefined> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw readFault(path, error, RUN_AGAIN);
  }
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    throw new InputError(`${path} is not JSON; ${RUN_AGAIN}`);
  }
  formatOf(document, path);
  return checked(schema, document, path);
}

const texts = entriesOf(string());
const counts = entriesOf(number());

/** Entries that may be missing, as in folders of earlier versions, all of one type. */
const optionals = (names: readonly string[], schema: Shape) =>
  Object.fromEntries(names.map((name) => [name, optional(schema)]));

/** The metrics of a table. */
const metricsOf = (table: object) => optionals(Object.keys(table), number());

/** Values of options that are neither text nor switches. */
const SHAPES_OF_FORMS = {
  number: number(),
  numbers: array(number()),
  'word or switch': union([string(), boolean()]),
} as const;

/** Options of a simulation by the names that the library gives them, as plain data. */
const optionShapes = Object.fromEntries(
  Object.values(OPTIONS).map(({ key, isSwitch, form }) => [
    key,
    optional(isSwitch ? boolean() : form === undefined ? string() : SHAPES_OF_FORMS[form]),
  ]),
);
const options = object(optionShapes);

const requested = {
  options,
  metrics: optional(array(string())),
  replications: optional(number()),
  classes: optional(
    object({ classings: array(string()), shown: entriesOf(union([string(), array(string())])) }),
  ),
};

/** The request of a command, by its name. */
const request = variant('command', {
  simulate: object({ command: string(), workload: string(), ...requested }),
  compare: object({
    ...{ command: string(), workloads: array(string()), ...requested, metrics: array(string()) },
    methods: array(object({ name: optional(string()), ...optionShapes })),
    ...{ areAll: boolean(), areNamed: boolean(), untilDecided: boolean(), showsRatios: boolean() },
    within: optional(number()),
  }),
});

/** config.json: a simulation as it is run again. Earlier versions have no request. */
export const CONFIG = object({
  gridalloc: optional(string()),
  abi: optional(number()),
  coreBuild: optional(string()),
  coreSha256: optional(string()),
  core: optional(string()),
  request: optional(request),
  options: optional(texts),
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
          ...optionals(['read', 'kept', 'withoutEstimate'], number()),
          dropped: optional(array(object({ rule: string(), count: number() }))),
          split: optional(object(optionals(['jobs', 'pieces'], number()))),
          dependencies: optional(nullable(object({}))),
        }),
      ),
    }),
  ),
  ...optionals(
    ['discipline', 'queue', 'policy', 'order', 'backfillOrder', 'moldable', 'select', 'kill'],
    string(),
  ),
  ...optionals(['moldableThreshold', 'multiSiteFactor'], number()),
  code: optional(array(object({ file: string(), sha256: string() }))),
});

const classes = array(
  object({
    name: string(),
    ...optionals(
      ['jobs', 'meanWait', 'p50Wait', 'p95Wait', 'maxWait', 'averageResponseTime', 'meanBoundedSlowdown'],
      number(),
    ),
  }),
);

/** summary.json: the metrics of a simulation. */
export const SUMMARY = object({
  workload: string(),
  method: string(),
  policy: string(),
  ...metricsOf(METRICS.run),
  jobs: number(),
  decisions: object(metricsOf(METRICS.decisions)),
  trials: optional(
    object({
      ...metricsOf(METRICS.trials),
      candidates: array(object({ policy: string(), times: number() })),
    }),
  ),
  sites: array(object({ capacity: number(), speed: number(), ...metricsOf(METRICS.sites) })),
  homes: array(object(metricsOf(METRICS.homes))),
  dropped: optional(counts),
  split: optional(object({ jobs: number(), pieces: number() })),
  distribution: optional(counts),
  classes: optional(entriesOf(classes)),
});

const format = object({
  style: picklist(['measure', 'fixed', 'percent', 'duration']),
  decimals: optional(number()),
  isSigned: optional(boolean()),
});
const bounds = optional(picklist(['interval', 'rough', 'joint', 'range', 'quartiles']));
const fact = object({ label: string(), value: string(), isUsual: optional(boolean()) });
const sign = object({ mark: string(), meaning: string(), tone: optional(picklist(['good', 'bad'])) });
const cell = union([
  string(),
  number(),
  object({
    value: nullable(union([string(), number()])),
    published: optional(union([string(), number()])),
    ...optionals(['low', 'high'], nullable(number())),
    ...optionals(['isInside', 'isEmphasized'], boolean()),
    sign: optional(sign),
    note: optional(string()),
  }),
]);
const table = object({
  id: string(),
  title: string(),
  caption: string(),
  times: optional(string()),
  columns: array(
    object({
      title: string(),
      unit: optional(string()),
      align: optional(picklist(['left', 'right'])),
      format: optional(format),
      isHeading: optional(boolean()),
      holds: optional(string()),
      bounds,
      most: optional(number()),
    }),
  ),
  rows: array(array(nullable(cell))),
  hasTotal: optional(boolean()),
  bounds,
  details: optional(picklist(['below', 'beside'])),
});
const ends = optional(tuple([number(), number()]));
const axis = object({
  title: string(),
  unit: optional(string()),
  scale: optional(picklist(['linear', 'log'])),
  format: optional(format),
  ticks: optional(array(object({ value: number(), label: string() }))),
  time: optional(object({ beginning: optional(number()), since: optional(string()) })),
  range: ends,
  zone: ends,
});
const panels = array(
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
            ...optionals(['low', 'high'], nullable(number())),
            remark: optional(string()),
          }),
        ),
      }),
    ),
  }),
);
const figure = object({
  id: string(),
  title: string(),
  caption: string(),
  kind: picklist(['line', 'step', 'bar', 'dots', 'heat']),
  x: axis,
  y: axis,
  sharesY: optional(boolean()),
  panels,
  bounds,
  namesOfPage: optional(array(string())),
  views: optional(
    array(object({ measure: string(), baseline: optional(string()), y: axis, panels, bounds })),
  ),
  firstView: optional(number()),
});

/** report.json: what a page shows. */
export const REPORT = object({
  title: string(),
  description: string(),
  source: string(),
  highlights: array(fact),
  tables: array(table),
  figures: array(figure),
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
  environment: array(fact),
  files: optional(array(object({ path: string(), meaning: string() }))),
});

/** bench.json: measured times. */
export const BENCH = object({
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

/** comparison.json: what a folder of a comparison answers. Earlier versions have words in the place of the request. */
export const COMPARISON = object({
  request: optional(request),
  ...{ command: optional(picklist(['compare', 'simulate'])), words: optional(array(string())) },
  options: optional(entriesOf(array(string()))),
  result: optional(object({ plan: string(), isOver: boolean() })),
});

/** studies.json: studies that are run as one. */
export const COLLECTION = object({ title: string(), command: string(), studies: array(string()) });

/** The first line of plan.json. */
export const PLAN_HEAD = object({
  study: string(),
  command: optional(array(string())),
  coreSha256: string(),
  trace: nullable(string()),
  draws: nullable(number()),
  options: texts,
  axes: array(string()),
  metrics: array(string()),
  continues: optional(array(string())),
  sha256: string(),
});

/** An entry of its lists. */
export const PLAN_ENTRIES = {
  workloads: object({
    name: string(),
    sha256: string(),
    jobs: number(),
    accounting: object({}),
    recent: optional(object({})),
    unestimated: optional(boolean()),
  }),
  sources: texts,
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
export const CUT = object({
  ...{ plan: string(), version: string(), coreSha256: string(), total: number() },
  runs: array(number()),
  costs: array(number()),
});

/** Shape of the saved submissions to Slurm. */
export const SUBMISSIONS = array(
  object({
    tasks: string(),
    merge: optional(string()),
    shards: array(number()),
    count: number(),
    options: object({
      ...optionals(['asked', 'threads'], number()),
      partition: optional(string()),
      words: array(string()),
      taskWords: array(string()),
    }),
  }),
);
