/** Reads JSON files of results folders and checks them against declared shapes. */
import { readFile } from 'node:fs/promises';
import { InputError } from '../errors.js';
import { explainReadError } from '../files/fileSystem.js';
import { OPTIONS } from '../options/options.js';
import { METRICS_BY_SUMMARY_PART } from '../simulate/metrics.js';
import { documentFormatVersion } from './documents.js';
import {
  anyTextShape,
  type JsonShape,
  listedTextShape,
  listOfShape,
  nullableShape,
  numberShape,
  objectShape,
  optionalShape,
  trueOrFalseShape,
  tupleShape,
  unionShape,
  valuesByKeyShape,
  variantShape,
} from './shapes.js';

/** Advice for a damaged file of results. */
const RERUN_REMEDY = 'run the simulation or study again';

const MAX_SHOWN_VALUE_LENGTH = 40;

/** Value as JSON, truncated for error messages. */
function stringifyShortened(jsonValue: unknown): string {
  const jsonText = JSON.stringify(jsonValue) ?? 'nothing';
  return jsonText.length > MAX_SHOWN_VALUE_LENGTH
    ? `${jsonText.slice(0, MAX_SHOWN_VALUE_LENGTH)}...`
    : jsonText;
}

/**
 * Checks a document against its shape; additional fields are allowed.
 * @param remedy advice for the error message.
 * @throws InputError with file and key of the first mismatch.
 */
export function checkDocumentShape<Document>(
  schema: JsonShape,
  document: unknown,
  path: string,
  remedy = RERUN_REMEDY,
): Document {
  const mismatch = schema.mismatchOf(document);
  if (mismatch === undefined) return document as Document;
  const { keys, expected, found } = mismatch;
  const joinedKeys = keys.join('.');
  if (found === undefined && joinedKeys !== '')
    throw new InputError(`${path} has no ${joinedKeys}; ${remedy}`);
  const location = joinedKeys === '' ? path : `${path}, ${joinedKeys}`;
  throw new InputError(`${location}: expected ${expected}, found ${stringifyShortened(found)}; ${remedy}`);
}

/**
 * Reads a JSON file of results; undefined if it does not exist.
 * @throws InputError if it is unreadable, malformed, of a later format, or does not match the shape.
 */
export async function readCheckedDocument<Document>(
  path: string,
  schema: JsonShape,
): Promise<Document | undefined> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw explainReadError(path, error, RERUN_REMEDY);
  }
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    throw new InputError(`${path} is not JSON; ${RERUN_REMEDY}`);
  }
  documentFormatVersion(document, path);
  return checkDocumentShape(schema, document, path);
}

const textValuesByKeyShape = valuesByKeyShape(anyTextShape());
const numberValuesByKeyShape = valuesByKeyShape(numberShape());

/**
 * Entries of the same shape for several keys, each of which may be missing, since files of earlier
 * versions lack them.
 */
const makeOptionalEntries = (entryKeys: readonly string[], schema: JsonShape) =>
  Object.fromEntries(entryKeys.map((key) => [key, optionalShape(schema)]));

/** Entries for the metrics in a table: numbers, each of which may be missing. */
const makeOptionalMetricEntries = (table: object) => makeOptionalEntries(Object.keys(table), numberShape());

/** Shapes of the values of options that are neither text nor switches, by their form. */
const SHAPES_BY_OPTION_FORM = {
  number: numberShape(),
  numbers: listOfShape(numberShape()),
  'number or word': unionShape([numberShape(), anyTextShape()]),
  'word or switch': unionShape([anyTextShape(), trueOrFalseShape()]),
} as const;

/** Shape of each option of a simulation, by its name in the library. */
const optionShapes = Object.fromEntries(
  Object.values(OPTIONS).map(({ key: optionKey, isSwitch, form }) => [
    optionKey,
    optionalShape(
      isSwitch ? trueOrFalseShape() : form === undefined ? anyTextShape() : SHAPES_BY_OPTION_FORM[form],
    ),
  ]),
);
const simulationOptionsShape = objectShape(optionShapes);

const savedRequestEntryShapes = {
  options: simulationOptionsShape,
  metrics: optionalShape(listOfShape(anyTextShape())),
  replications: optionalShape(numberShape()),
  classes: optionalShape(
    objectShape({
      classings: listOfShape(anyTextShape()),
      shown: valuesByKeyShape(unionShape([anyTextShape(), listOfShape(anyTextShape())])),
    }),
  ),
};

/** Shape of a saved request, depending on its command. */
const savedRequestShape = variantShape('command', {
  simulate: objectShape({ command: anyTextShape(), workload: anyTextShape(), ...savedRequestEntryShapes }),
  compare: objectShape({
    ...{
      command: anyTextShape(),
      workloads: listOfShape(anyTextShape()),
      ...savedRequestEntryShapes,
      metrics: listOfShape(anyTextShape()),
    },
    methods: listOfShape(objectShape({ name: optionalShape(anyTextShape()), ...optionShapes })),
    ...{
      areAll: trueOrFalseShape(),
      areNamed: trueOrFalseShape(),
      untilDecided: trueOrFalseShape(),
      showsRatios: trueOrFalseShape(),
    },
    within: optionalShape(numberShape()),
  }),
});

/** Shape of config.json, the saved request of a simulation. Earlier versions have no request. */
export const CONFIG_SHAPE = objectShape({
  gridalloc: optionalShape(anyTextShape()),
  abi: optionalShape(numberShape()),
  coreBuild: optionalShape(anyTextShape()),
  coreSha256: optionalShape(anyTextShape()),
  core: optionalShape(anyTextShape()),
  request: optionalShape(savedRequestShape),
  options: optionalShape(textValuesByKeyShape),
  command: optionalShape(listOfShape(anyTextShape())),
  shell: optionalShape(anyTextShape()),
  workload: optionalShape(
    objectShape({
      source: optionalShape(anyTextShape()),
      jobs: optionalShape(numberShape()),
      jobsSha256: optionalShape(anyTextShape()),
      machine: optionalShape(numberShape()),
      accounting: optionalShape(
        objectShape({
          ...makeOptionalEntries(['read', 'kept', 'withoutEstimate'], numberShape()),
          dropped: optionalShape(listOfShape(objectShape({ rule: anyTextShape(), count: numberShape() }))),
          split: optionalShape(objectShape(makeOptionalEntries(['jobs', 'pieces'], numberShape()))),
          dependencies: optionalShape(nullableShape(objectShape({}))),
        }),
      ),
    }),
  ),
  ...makeOptionalEntries(
    ['discipline', 'queue', 'policy', 'order', 'backfillOrder', 'moldable', 'select', 'kill'],
    anyTextShape(),
  ),
  ...makeOptionalEntries(['moldableThreshold', 'multiSiteFactor'], numberShape()),
  code: optionalShape(listOfShape(objectShape({ file: anyTextShape(), sha256: anyTextShape() }))),
});

const jobClassesShape = listOfShape(
  objectShape({
    name: anyTextShape(),
    ...makeOptionalEntries(
      ['jobs', 'meanWait', 'p50Wait', 'p95Wait', 'maxWait', 'averageResponseTime', 'meanBoundedSlowdown'],
      numberShape(),
    ),
  }),
);

/** Shape of summary.json, the metrics of a simulation. */
export const SUMMARY_SHAPE = objectShape({
  workload: anyTextShape(),
  method: anyTextShape(),
  policy: anyTextShape(),
  ...makeOptionalMetricEntries(METRICS_BY_SUMMARY_PART.run),
  jobs: numberShape(),
  decisions: objectShape(makeOptionalMetricEntries(METRICS_BY_SUMMARY_PART.decisions)),
  trials: optionalShape(
    objectShape({
      ...makeOptionalMetricEntries(METRICS_BY_SUMMARY_PART.trials),
      candidates: listOfShape(objectShape({ policy: anyTextShape(), times: numberShape() })),
    }),
  ),
  sites: listOfShape(
    objectShape({
      capacity: numberShape(),
      speed: numberShape(),
      ...makeOptionalMetricEntries(METRICS_BY_SUMMARY_PART.sites),
    }),
  ),
  homes: listOfShape(objectShape(makeOptionalMetricEntries(METRICS_BY_SUMMARY_PART.homes))),
  dropped: optionalShape(numberValuesByKeyShape),
  split: optionalShape(objectShape({ jobs: numberShape(), pieces: numberShape() })),
  distribution: optionalShape(numberValuesByKeyShape),
  classes: optionalShape(valuesByKeyShape(jobClassesShape)),
});

const numberFormatShape = objectShape({
  style: listedTextShape(['measure', 'fixed', 'percent', 'duration']),
  decimals: optionalShape(numberShape()),
  isSigned: optionalShape(trueOrFalseShape()),
});
const boundsKindShape = optionalShape(listedTextShape(['interval', 'rough', 'joint', 'range', 'quartiles']));
const reportFactShape = objectShape({
  label: anyTextShape(),
  value: anyTextShape(),
  isUsual: optionalShape(trueOrFalseShape()),
});
const cellSignShape = objectShape({
  mark: anyTextShape(),
  meaning: anyTextShape(),
  tone: optionalShape(listedTextShape(['good', 'bad'])),
});
const tableCellShape = unionShape([
  anyTextShape(),
  numberShape(),
  objectShape({
    value: nullableShape(unionShape([anyTextShape(), numberShape()])),
    published: optionalShape(unionShape([anyTextShape(), numberShape()])),
    ...makeOptionalEntries(['low', 'high'], nullableShape(numberShape())),
    ...makeOptionalEntries(['isInside', 'isEmphasized'], trueOrFalseShape()),
    sign: optionalShape(cellSignShape),
    note: optionalShape(anyTextShape()),
  }),
]);
const reportTableShape = objectShape({
  id: anyTextShape(),
  title: anyTextShape(),
  caption: anyTextShape(),
  times: optionalShape(anyTextShape()),
  columns: listOfShape(
    objectShape({
      title: anyTextShape(),
      unit: optionalShape(anyTextShape()),
      align: optionalShape(listedTextShape(['left', 'right'])),
      format: optionalShape(numberFormatShape),
      isHeading: optionalShape(trueOrFalseShape()),
      holds: optionalShape(anyTextShape()),
      bounds: boundsKindShape,
      most: optionalShape(numberShape()),
    }),
  ),
  rows: listOfShape(listOfShape(nullableShape(tableCellShape))),
  hasTotal: optionalShape(trueOrFalseShape()),
  bounds: boundsKindShape,
  details: optionalShape(listedTextShape(['below', 'beside'])),
});
const axisRangeShape = optionalShape(tupleShape([numberShape(), numberShape()]));
const figureAxisShape = objectShape({
  title: anyTextShape(),
  unit: optionalShape(anyTextShape()),
  scale: optionalShape(listedTextShape(['linear', 'log'])),
  format: optionalShape(numberFormatShape),
  ticks: optionalShape(listOfShape(objectShape({ value: numberShape(), label: anyTextShape() }))),
  time: optionalShape(
    objectShape({ beginning: optionalShape(numberShape()), since: optionalShape(anyTextShape()) }),
  ),
  range: axisRangeShape,
  zone: axisRangeShape,
});
const figurePanelsShape = listOfShape(
  objectShape({
    title: anyTextShape(),
    series: listOfShape(
      objectShape({
        name: anyTextShape(),
        color: optionalShape(anyTextShape()),
        points: listOfShape(
          objectShape({
            x: unionShape([anyTextShape(), numberShape()]),
            y: nullableShape(numberShape()),
            ...makeOptionalEntries(['low', 'high'], nullableShape(numberShape())),
            remark: optionalShape(anyTextShape()),
          }),
        ),
      }),
    ),
  }),
);
const reportFigureShape = objectShape({
  id: anyTextShape(),
  title: anyTextShape(),
  caption: anyTextShape(),
  kind: listedTextShape(['line', 'step', 'bar', 'dots', 'heat']),
  x: figureAxisShape,
  y: figureAxisShape,
  sharesY: optionalShape(trueOrFalseShape()),
  panels: figurePanelsShape,
  bounds: boundsKindShape,
  namesOfPage: optionalShape(listOfShape(anyTextShape())),
  views: optionalShape(
    listOfShape(
      objectShape({
        measure: anyTextShape(),
        baseline: optionalShape(anyTextShape()),
        y: figureAxisShape,
        panels: figurePanelsShape,
        bounds: boundsKindShape,
      }),
    ),
  ),
  firstView: optionalShape(numberShape()),
});

/** Shape of report.json, the content of a report page. */
export const REPORT_SHAPE = objectShape({
  title: anyTextShape(),
  description: anyTextShape(),
  source: anyTextShape(),
  highlights: listOfShape(reportFactShape),
  tables: listOfShape(reportTableShape),
  figures: listOfShape(reportFigureShape),
  checks: listOfShape(
    objectShape({
      sentence: anyTextShape(),
      verdict: optionalShape(anyTextShape()),
      isTrue: optionalShape(trueOrFalseShape()),
      evidence: anyTextShape(),
    }),
  ),
  notes: listOfShape(objectShape({ rule: anyTextShape(), effect: anyTextShape() })),
  commands: listOfShape(anyTextShape()),
  environment: listOfShape(reportFactShape),
  files: optionalShape(listOfShape(objectShape({ path: anyTextShape(), meaning: anyTextShape() }))),
});

/** Shape of bench.json, measured times. */
export const BENCH_RESULT_SHAPE = objectShape({
  machine: objectShape({
    processor: anyTextShape(),
    cores: numberShape(),
    system: anyTextShape(),
    node: anyTextShape(),
  }),
  binary: anyTextShape(),
  noise: numberShape(),
  rows: listOfShape(
    objectShape({
      ...{ policy: anyTextShape(), method: anyTextShape() },
      ...{
        sites: numberShape(),
        queue: numberShape(),
        nsPerDecision: numberShape(),
        low: numberShape(),
        high: numberShape(),
      },
    }),
  ),
  runs: listOfShape(
    objectShape({
      policy: anyTextShape(),
      running: numberShape(),
      nsPerJob: numberShape(),
      low: numberShape(),
      high: numberShape(),
    }),
  ),
  growth: listOfShape(
    objectShape({
      ...{ policy: anyTextShape(), method: anyTextShape(), in: anyTextShape() },
      ...{ power: numberShape(), low: numberShape(), high: numberShape() },
    }),
  ),
});

/**
 * Shape of comparison.json, the saved comparison. Earlier versions store command words instead of a
 * request.
 */
export const COMPARISON_SHAPE = objectShape({
  request: optionalShape(savedRequestShape),
  ...{
    command: optionalShape(listedTextShape(['compare', 'simulate'])),
    words: optionalShape(listOfShape(anyTextShape())),
  },
  options: optionalShape(valuesByKeyShape(listOfShape(anyTextShape()))),
  result: optionalShape(objectShape({ plan: anyTextShape(), isOver: trueOrFalseShape() })),
});

/** Shape of studies.json, the list of studies run together. */
export const STUDY_COLLECTION_SHAPE = objectShape({
  title: anyTextShape(),
  command: anyTextShape(),
  studies: listOfShape(anyTextShape()),
});

/** Shape of the first line of plan.json. */
export const PLAN_HEADER_SHAPE = objectShape({
  study: anyTextShape(),
  command: optionalShape(listOfShape(anyTextShape())),
  coreSha256: anyTextShape(),
  trace: nullableShape(anyTextShape()),
  draws: nullableShape(numberShape()),
  options: textValuesByKeyShape,
  axes: listOfShape(anyTextShape()),
  metrics: listOfShape(anyTextShape()),
  continues: optionalShape(listOfShape(anyTextShape())),
  sha256: anyTextShape(),
});

/** Shapes of the entries in the lists of plan.json. */
export const PLAN_ENTRY_SHAPES = {
  workloads: objectShape({
    name: anyTextShape(),
    sha256: anyTextShape(),
    jobs: numberShape(),
    accounting: objectShape({}),
    recent: optionalShape(objectShape({})),
    unestimated: optionalShape(trueOrFalseShape()),
  }),
  sources: textValuesByKeyShape,
  runs: objectShape({
    id: anyTextShape(),
    workload: numberShape(),
    parameters: objectShape({
      sites: listOfShape(numberShape()),
      speeds: listOfShape(numberShape()),
      timeFactors: optionalShape(listOfShape(numberShape())),
      ...{ policy: anyTextShape(), order: anyTextShape(), backfillOrder: anyTextShape() },
    }),
  }),
  points: objectShape({
    labels: listOfShape(nullableShape(unionShape([anyTextShape(), numberShape()]))),
    run: numberShape(),
  }),
} as const;

/** Shape of the division of a study into shards. */
export const SHARD_PLAN_SHAPE = objectShape({
  ...{ plan: anyTextShape(), version: anyTextShape(), coreSha256: anyTextShape(), total: numberShape() },
  runs: listOfShape(numberShape()),
  costs: listOfShape(numberShape()),
});

/** Shape of the saved submissions to Slurm. */
export const SUBMISSIONS_SHAPE = listOfShape(
  objectShape({
    tasks: anyTextShape(),
    merge: optionalShape(anyTextShape()),
    shards: listOfShape(numberShape()),
    count: numberShape(),
    options: objectShape({
      ...makeOptionalEntries(['asked', 'threads'], numberShape()),
      partition: optionalShape(anyTextShape()),
      words: listOfShape(anyTextShape()),
      taskWords: listOfShape(anyTextShape()),
    }),
  }),
);
