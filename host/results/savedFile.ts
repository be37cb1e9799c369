/** Reads JSON files of results folders and checks them against declared shapes. */
import { readFile } from 'node:fs/promises';
import { InputError } from '../errors.js';
import { explainReadError } from '../files/fileSystem.js';
import { OPTIONS } from '../options/options.js';
import { METRICS_BY_SUMMARY_PART } from '../simulate/metrics.js';
import { readDocumentFormatVersion } from './documents.js';
import {
  getNumberShape,
  getTextShape,
  getTrueOrFalseShape,
  type JsonShape,
  makeListedTextShape,
  makeListShape,
  makeNullableShape,
  makeObjectShape,
  makeOptionalShape,
  makeTupleShape,
  makeUnionShape,
  makeValuesByKeyShape,
  makeVariantShape,
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
  const keyPath = keys.join('.');
  if (found === undefined && keyPath !== '') throw new InputError(`${path} has no ${keyPath}; ${remedy}`);
  const location = keyPath === '' ? path : `${path}, ${keyPath}`;
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
  readDocumentFormatVersion(document, path);
  return checkDocumentShape(schema, document, path);
}

const textValuesByKeyShape = makeValuesByKeyShape(getTextShape());
const numberValuesByKeyShape = makeValuesByKeyShape(getNumberShape());

/**
 * Entries of the same shape for several keys, each of which may be missing, since files of earlier
 * versions lack them.
 */
const makeOptionalEntries = (entryKeys: readonly string[], schema: JsonShape) =>
  Object.fromEntries(entryKeys.map((key) => [key, makeOptionalShape(schema)]));

/** Entries for the metrics in a table: numbers, each of which may be missing. */
const makeOptionalMetricEntries = (table: object) =>
  makeOptionalEntries(Object.keys(table), getNumberShape());

/** Shapes of the values of options that are neither text nor switches, by their form. */
const SHAPES_BY_OPTION_FORM = {
  number: getNumberShape(),
  numbers: makeListShape(getNumberShape()),
  'number or word': makeUnionShape([getNumberShape(), getTextShape()]),
  'word or switch': makeUnionShape([getTextShape(), getTrueOrFalseShape()]),
} as const;

/** Shape of each option of a simulation, by its name in the library. */
const shapesByOption = Object.fromEntries(
  Object.values(OPTIONS).map(({ key: optionKey, isSwitch, form }) => [
    optionKey,
    makeOptionalShape(
      isSwitch ? getTrueOrFalseShape() : form === undefined ? getTextShape() : SHAPES_BY_OPTION_FORM[form],
    ),
  ]),
);
const simulationOptionsShape = makeObjectShape(shapesByOption);

const savedRequestEntryShapes = {
  options: simulationOptionsShape,
  metrics: makeOptionalShape(makeListShape(getTextShape())),
  replications: makeOptionalShape(getNumberShape()),
  classes: makeOptionalShape(
    makeObjectShape({
      classings: makeListShape(getTextShape()),
      shown: makeValuesByKeyShape(makeUnionShape([getTextShape(), makeListShape(getTextShape())])),
    }),
  ),
};

/** Shape of a saved request, depending on its command. */
const savedRequestShape = makeVariantShape('command', {
  simulate: makeObjectShape({
    command: getTextShape(),
    workload: getTextShape(),
    ...savedRequestEntryShapes,
  }),
  compare: makeObjectShape({
    ...{
      command: getTextShape(),
      workloads: makeListShape(getTextShape()),
      ...savedRequestEntryShapes,
      metrics: makeListShape(getTextShape()),
    },
    methods: makeListShape(makeObjectShape({ name: makeOptionalShape(getTextShape()), ...shapesByOption })),
    ...{
      areAll: getTrueOrFalseShape(),
      areNamed: getTrueOrFalseShape(),
      untilDecided: getTrueOrFalseShape(),
      showsRatios: getTrueOrFalseShape(),
    },
    within: makeOptionalShape(getNumberShape()),
  }),
});

/** Shape of config.json, the saved request of a simulation. Earlier versions have no request. */
export const CONFIG_SHAPE = makeObjectShape({
  gridalloc: makeOptionalShape(getTextShape()),
  abi: makeOptionalShape(getNumberShape()),
  coreBuild: makeOptionalShape(getTextShape()),
  coreSha256: makeOptionalShape(getTextShape()),
  core: makeOptionalShape(getTextShape()),
  request: makeOptionalShape(savedRequestShape),
  options: makeOptionalShape(textValuesByKeyShape),
  command: makeOptionalShape(makeListShape(getTextShape())),
  shell: makeOptionalShape(getTextShape()),
  workload: makeOptionalShape(
    makeObjectShape({
      source: makeOptionalShape(getTextShape()),
      jobs: makeOptionalShape(getNumberShape()),
      jobsSha256: makeOptionalShape(getTextShape()),
      machine: makeOptionalShape(getNumberShape()),
      accounting: makeOptionalShape(
        makeObjectShape({
          ...makeOptionalEntries(['read', 'kept', 'withoutEstimate'], getNumberShape()),
          dropped: makeOptionalShape(
            makeListShape(makeObjectShape({ rule: getTextShape(), count: getNumberShape() })),
          ),
          split: makeOptionalShape(
            makeObjectShape(makeOptionalEntries(['jobs', 'pieces'], getNumberShape())),
          ),
          dependencies: makeOptionalShape(makeNullableShape(makeObjectShape({}))),
        }),
      ),
    }),
  ),
  ...makeOptionalEntries(
    ['discipline', 'queue', 'policy', 'order', 'backfillOrder', 'moldable', 'select', 'kill'],
    getTextShape(),
  ),
  ...makeOptionalEntries(['moldableThreshold', 'multiSiteFactor'], getNumberShape()),
  code: makeOptionalShape(makeListShape(makeObjectShape({ file: getTextShape(), sha256: getTextShape() }))),
});

const jobClassesShape = makeListShape(
  makeObjectShape({
    name: getTextShape(),
    ...makeOptionalEntries(
      ['jobs', 'meanWait', 'p50Wait', 'p95Wait', 'maxWait', 'averageResponseTime', 'meanBoundedSlowdown'],
      getNumberShape(),
    ),
  }),
);

/** Shape of summary.json, the metrics of a simulation. */
export const SUMMARY_SHAPE = makeObjectShape({
  workload: getTextShape(),
  method: getTextShape(),
  policy: getTextShape(),
  ...makeOptionalMetricEntries(METRICS_BY_SUMMARY_PART.run),
  jobs: getNumberShape(),
  decisions: makeObjectShape(makeOptionalMetricEntries(METRICS_BY_SUMMARY_PART.decisions)),
  trials: makeOptionalShape(
    makeObjectShape({
      ...makeOptionalMetricEntries(METRICS_BY_SUMMARY_PART.trials),
      candidates: makeListShape(makeObjectShape({ policy: getTextShape(), times: getNumberShape() })),
    }),
  ),
  sites: makeListShape(
    makeObjectShape({
      capacity: getNumberShape(),
      speed: getNumberShape(),
      ...makeOptionalMetricEntries(METRICS_BY_SUMMARY_PART.sites),
    }),
  ),
  homes: makeListShape(makeObjectShape(makeOptionalMetricEntries(METRICS_BY_SUMMARY_PART.homes))),
  dropped: makeOptionalShape(numberValuesByKeyShape),
  split: makeOptionalShape(makeObjectShape({ jobs: getNumberShape(), pieces: getNumberShape() })),
  distribution: makeOptionalShape(numberValuesByKeyShape),
  classes: makeOptionalShape(makeValuesByKeyShape(jobClassesShape)),
});

const numberFormatShape = makeObjectShape({
  style: makeListedTextShape(['measure', 'fixed', 'percent', 'duration']),
  decimals: makeOptionalShape(getNumberShape()),
  isSigned: makeOptionalShape(getTrueOrFalseShape()),
});
const boundsKindShape = makeOptionalShape(
  makeListedTextShape(['interval', 'rough', 'joint', 'range', 'quartiles']),
);
const reportFactShape = makeObjectShape({
  label: getTextShape(),
  value: getTextShape(),
  isUsual: makeOptionalShape(getTrueOrFalseShape()),
});
const cellSignShape = makeObjectShape({
  mark: getTextShape(),
  meaning: getTextShape(),
  tone: makeOptionalShape(makeListedTextShape(['good', 'bad'])),
});
const tableCellShape = makeUnionShape([
  getTextShape(),
  getNumberShape(),
  makeObjectShape({
    value: makeNullableShape(makeUnionShape([getTextShape(), getNumberShape()])),
    published: makeOptionalShape(makeUnionShape([getTextShape(), getNumberShape()])),
    ...makeOptionalEntries(['low', 'high'], makeNullableShape(getNumberShape())),
    ...makeOptionalEntries(['isInside', 'isEmphasized'], getTrueOrFalseShape()),
    sign: makeOptionalShape(cellSignShape),
    note: makeOptionalShape(getTextShape()),
  }),
]);
const reportTableShape = makeObjectShape({
  id: getTextShape(),
  title: getTextShape(),
  caption: getTextShape(),
  times: makeOptionalShape(getTextShape()),
  columns: makeListShape(
    makeObjectShape({
      title: getTextShape(),
      unit: makeOptionalShape(getTextShape()),
      align: makeOptionalShape(makeListedTextShape(['left', 'right'])),
      format: makeOptionalShape(numberFormatShape),
      isHeading: makeOptionalShape(getTrueOrFalseShape()),
      holds: makeOptionalShape(getTextShape()),
      bounds: boundsKindShape,
      most: makeOptionalShape(getNumberShape()),
    }),
  ),
  rows: makeListShape(makeListShape(makeNullableShape(tableCellShape))),
  hasTotal: makeOptionalShape(getTrueOrFalseShape()),
  bounds: boundsKindShape,
  details: makeOptionalShape(makeListedTextShape(['below', 'beside'])),
});
const axisRangeShape = makeOptionalShape(makeTupleShape([getNumberShape(), getNumberShape()]));
const figureAxisShape = makeObjectShape({
  title: getTextShape(),
  unit: makeOptionalShape(getTextShape()),
  scale: makeOptionalShape(makeListedTextShape(['linear', 'log'])),
  format: makeOptionalShape(numberFormatShape),
  ticks: makeOptionalShape(
    makeListShape(makeObjectShape({ value: getNumberShape(), label: getTextShape() })),
  ),
  time: makeOptionalShape(
    makeObjectShape({
      beginning: makeOptionalShape(getNumberShape()),
      since: makeOptionalShape(getTextShape()),
    }),
  ),
  range: axisRangeShape,
  zone: axisRangeShape,
});
const savedFigurePanelsShape = makeListShape(
  makeObjectShape({
    title: getTextShape(),
    series: makeListShape(
      makeObjectShape({
        name: getTextShape(),
        color: makeOptionalShape(getTextShape()),
        points: makeListShape(
          makeObjectShape({
            x: makeUnionShape([getTextShape(), getNumberShape()]),
            y: makeNullableShape(getNumberShape()),
            ...makeOptionalEntries(['low', 'high'], makeNullableShape(getNumberShape())),
            remark: makeOptionalShape(getTextShape()),
          }),
        ),
      }),
    ),
  }),
);
const reportFigureShape = makeObjectShape({
  id: getTextShape(),
  title: getTextShape(),
  caption: getTextShape(),
  kind: makeListedTextShape(['line', 'step', 'bar', 'dots', 'heat']),
  x: figureAxisShape,
  y: figureAxisShape,
  sharesY: makeOptionalShape(getTrueOrFalseShape()),
  panels: savedFigurePanelsShape,
  bounds: boundsKindShape,
  namesOfPage: makeOptionalShape(makeListShape(getTextShape())),
  views: makeOptionalShape(
    makeListShape(
      makeObjectShape({
        measure: getTextShape(),
        baseline: makeOptionalShape(getTextShape()),
        y: figureAxisShape,
        panels: savedFigurePanelsShape,
        bounds: boundsKindShape,
      }),
    ),
  ),
  firstView: makeOptionalShape(getNumberShape()),
});

/** Shape of report.json, the content of a report page. */
export const REPORT_SHAPE = makeObjectShape({
  title: getTextShape(),
  description: getTextShape(),
  source: getTextShape(),
  highlights: makeListShape(reportFactShape),
  tables: makeListShape(reportTableShape),
  figures: makeListShape(reportFigureShape),
  checks: makeListShape(
    makeObjectShape({
      sentence: getTextShape(),
      verdict: makeOptionalShape(getTextShape()),
      isTrue: makeOptionalShape(getTrueOrFalseShape()),
      evidence: getTextShape(),
    }),
  ),
  notes: makeListShape(makeObjectShape({ rule: getTextShape(), effect: getTextShape() })),
  commands: makeListShape(getTextShape()),
  environment: makeListShape(reportFactShape),
  files: makeOptionalShape(makeListShape(makeObjectShape({ path: getTextShape(), meaning: getTextShape() }))),
});

/** Shape of bench.json, measured times. */
export const BENCH_RESULT_SHAPE = makeObjectShape({
  machine: makeObjectShape({
    processor: getTextShape(),
    cores: getNumberShape(),
    system: getTextShape(),
    node: getTextShape(),
  }),
  binary: getTextShape(),
  noise: getNumberShape(),
  rows: makeListShape(
    makeObjectShape({
      ...{ policy: getTextShape(), method: getTextShape() },
      ...{
        sites: getNumberShape(),
        queue: getNumberShape(),
        nsPerDecision: getNumberShape(),
        low: getNumberShape(),
        high: getNumberShape(),
      },
    }),
  ),
  runs: makeListShape(
    makeObjectShape({
      policy: getTextShape(),
      running: getNumberShape(),
      nsPerJob: getNumberShape(),
      low: getNumberShape(),
      high: getNumberShape(),
    }),
  ),
  growth: makeListShape(
    makeObjectShape({
      ...{ policy: getTextShape(), method: getTextShape(), in: getTextShape() },
      ...{ power: getNumberShape(), low: getNumberShape(), high: getNumberShape() },
    }),
  ),
});

/**
 * Shape of comparison.json, the saved comparison. Earlier versions store command words instead of a
 * request.
 */
export const COMPARISON_SHAPE = makeObjectShape({
  request: makeOptionalShape(savedRequestShape),
  ...{
    command: makeOptionalShape(makeListedTextShape(['compare', 'simulate'])),
    words: makeOptionalShape(makeListShape(getTextShape())),
  },
  options: makeOptionalShape(makeValuesByKeyShape(makeListShape(getTextShape()))),
  result: makeOptionalShape(makeObjectShape({ plan: getTextShape(), isOver: getTrueOrFalseShape() })),
});

/** Shape of studies.json, the list of studies run together. */
export const STUDY_COLLECTION_SHAPE = makeObjectShape({
  title: getTextShape(),
  command: getTextShape(),
  studies: makeListShape(getTextShape()),
});

/** Shape of the first line of plan.json. */
export const PLAN_HEADER_SHAPE = makeObjectShape({
  study: getTextShape(),
  command: makeOptionalShape(makeListShape(getTextShape())),
  coreSha256: getTextShape(),
  trace: makeNullableShape(getTextShape()),
  draws: makeNullableShape(getNumberShape()),
  options: textValuesByKeyShape,
  axes: makeListShape(getTextShape()),
  metrics: makeListShape(getTextShape()),
  continues: makeOptionalShape(makeListShape(getTextShape())),
  sha256: getTextShape(),
});

/** Shapes of the entries in the lists of plan.json. */
export const PLAN_ENTRY_SHAPES = {
  workloads: makeObjectShape({
    name: getTextShape(),
    sha256: getTextShape(),
    jobs: getNumberShape(),
    accounting: makeObjectShape({}),
    recent: makeOptionalShape(makeObjectShape({})),
    unestimated: makeOptionalShape(getTrueOrFalseShape()),
  }),
  sources: textValuesByKeyShape,
  runs: makeObjectShape({
    id: getTextShape(),
    workload: getNumberShape(),
    parameters: makeObjectShape({
      sites: makeListShape(getNumberShape()),
      speeds: makeListShape(getNumberShape()),
      timeFactors: makeOptionalShape(makeListShape(getNumberShape())),
      ...{ policy: getTextShape(), order: getTextShape(), backfillOrder: getTextShape() },
    }),
  }),
  points: makeObjectShape({
    labels: makeListShape(makeNullableShape(makeUnionShape([getTextShape(), getNumberShape()]))),
    run: getNumberShape(),
  }),
} as const;

/** Shape of the division of a study into shards. */
export const SHARD_PLAN_SHAPE = makeObjectShape({
  ...{ plan: getTextShape(), version: getTextShape(), coreSha256: getTextShape(), total: getNumberShape() },
  runs: makeListShape(getNumberShape()),
  costs: makeListShape(getNumberShape()),
});

/** Shape of the saved submissions to Slurm. */
export const SUBMISSIONS_SHAPE = makeListShape(
  makeObjectShape({
    tasks: getTextShape(),
    merge: makeOptionalShape(getTextShape()),
    shards: makeListShape(getNumberShape()),
    count: getNumberShape(),
    options: makeObjectShape({
      ...makeOptionalEntries(['asked', 'threads'], getNumberShape()),
      partition: makeOptionalShape(getTextShape()),
      words: makeListShape(getTextShape()),
      taskWords: makeListShape(getTextShape()),
    }),
  }),
);
