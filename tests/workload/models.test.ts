import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { SWF_FIELDS, type Trace } from '../../host/trace/trace.js';
import {
  isModelNotation,
  LUBLIN_DAILY_CYCLE_WEIGHTS,
  MODELS,
  makeModelTrace,
} from '../../host/workload/models.js';

const SEEDS = [1, 2, 3, 4, 5];

const mean = (sampleValues: Float64Array) =>
  sampleValues.reduce((sum, sampleValue) => sum + sampleValue, 0) / sampleValues.length;
const largestOf = (sampleValues: Float64Array) =>
  sampleValues.reduce((largest, value) => Math.max(largest, value), 0);
const shareOfValuesWhere = (sampleValues: Float64Array, hasProperty: (value: number) => boolean) =>
  sampleValues.filter(hasProperty).length / sampleValues.length;

const traceByModelText = new Map<string, Trace>();

function getCachedTrace(modelText: string): Trace {
  const trace = traceByModelText.get(modelText) ?? makeModelTrace(modelText);
  traceByModelText.set(modelText, trace);
  return trace;
}

/** Mean of a statistic of the model's logs over several seeds. */
function meanOverSeeds(
  model: string,
  parameter: string,
  computeTraceStatistic: (trace: Trace) => number,
): number {
  const statisticValues = SEEDS.map((seed) =>
    computeTraceStatistic(getCachedTrace(`${model}[${parameter},seed=${seed}]`)),
  );
  return statisticValues.reduce((sum, value) => sum + value, 0) / statisticValues.length;
}

const meanArrivalGap = ({ columns: swfColumns, count: recordCount }: Trace) =>
  swfColumns.submit[recordCount - 1] / recordCount;

function expectNear(measuredNumber: number, target: number, relativeTolerance: number): void {
  expect(measuredNumber).toBeGreaterThan(target * (1 - relativeTolerance));
  expect(measuredNumber).toBeLessThan(target * (1 + relativeTolerance));
}

function hash({ columns: swfColumns }: Trace): string {
  const sum = createHash('sha256');
  for (const field of SWF_FIELDS) sum.update(Array.from(swfColumns[field]).join(' '));
  return sum.digest('hex').slice(0, 16);
}

describe('lublin99', () => {
  it.each([
    ['10.5', 1068.2],
    ['10', 805.8],
    ['9.5', 583.9],
    ['9', 430.3],
    ['8.5', 303.1],
  ])('aarr=%s: mean gap about %d s', (aarr, expectedMeanInterval) => {
    expectNear(meanOverSeeds('lublin99', `aarr=${aarr}`, meanArrivalGap), expectedMeanInterval, 0.06);
  });

  it('has the runtimes and sizes of the model', () => {
    const meanOverModelSeeds = (computeTraceStatistic: (trace: Trace) => number) =>
      meanOverSeeds('lublin99', 'aarr=9', computeTraceStatistic);
    expectNear(
      meanOverModelSeeds(({ columns: swfColumns }) => mean(swfColumns.runtime)),
      4349,
      0.02,
    );
    expectNear(
      meanOverModelSeeds(({ columns: swfColumns }) => mean(swfColumns.processors)),
      12.12,
      0.02,
    );
    expectNear(
      meanOverModelSeeds(({ columns: swfColumns }) =>
        shareOfValuesWhere(swfColumns.processors, (size) => size === 1),
      ),
      0.244,
      0.02,
    );
    expectNear(
      meanOverModelSeeds(({ columns: swfColumns }) =>
        shareOfValuesWhere(swfColumns.processors, (size) => [2, 4, 8, 16, 32, 64, 128].includes(size)),
      ),
      0.625,
      0.02,
    );
  });

  it('keeps to the limits, at 128 processors and others', () => {
    for (const processors of [16, 128, 1024]) {
      const { columns: swfColumns, header } = makeModelTrace(`lublin99[jobs=20000,processors=${processors}]`);
      expect(header.maxProcessors).toBe(processors);
      expect(largestOf(swfColumns.processors)).toBe(processors);
      expect(swfColumns.processors.every((size) => Number.isInteger(size) && size >= 1)).toBe(true);
      expect(swfColumns.runtime.every((seconds) => Number.isInteger(seconds) && seconds >= 1)).toBe(true);
      expect(largestOf(swfColumns.runtime)).toBeLessThanOrEqual(162754);
      expect(swfColumns.submit.every((time, i) => i === 0 || time >= swfColumns.submit[i - 1])).toBe(true);
    }
  });

  it('follows the day: busy half hours have many more arrivals than quiet ones', () => {
    const { columns: swfColumns } = makeModelTrace('lublin99[aarr=9]');
    const arrivalCountsByHalfHour = new Float64Array(48);
    for (const time of swfColumns.submit) arrivalCountsByHalfHour[Math.floor(time / 1800) % 48]++;
    const busiestHalfHourIndex = arrivalCountsByHalfHour.indexOf(largestOf(arrivalCountsByHalfHour));
    const quietestHalfHourIndex = arrivalCountsByHalfHour.indexOf(Math.min(...arrivalCountsByHalfHour));
    expect(arrivalCountsByHalfHour[busiestHalfHourIndex]).toBeGreaterThan(
      3 * arrivalCountsByHalfHour[quietestHalfHourIndex],
    );
  });

  it('takes the weights of the half hours from a gamma distribution', () => {
    const gammaDensity = (x: number) => x ** 7.1737 * Math.exp(-x / 3.9631);
    // Simpson's rule over each half hour; the share outside these hours cancels in the mean.
    const weights = new Float64Array(48);
    for (let halfHourOfDay = 11; halfHourOfDay <= 58; halfHourOfDay++) {
      for (let stepNumber = 0; stepNumber < 100; stepNumber++) {
        const x = halfHourOfDay - 0.5 + stepNumber / 100;
        const integralTerm = gammaDensity(x) + 4 * gammaDensity(x + 0.005) + gammaDensity(x + 0.01);
        weights[(halfHourOfDay - 1) % 48] += integralTerm;
      }
    }
    const average = mean(weights);
    LUBLIN_DAILY_CYCLE_WEIGHTS.forEach((weight, i) => {
      expect(weight).toBeCloseTo(weights[i] / average, 12);
    });
  });

  it('draws sizes and runtimes apart from arrivals', () => {
    const columnsOfFastArrivals = makeModelTrace('lublin99[aarr=8.5,jobs=500]').columns;
    const columnsOfSlowArrivals = makeModelTrace('lublin99[aarr=10.5,jobs=500]').columns;
    expect(columnsOfFastArrivals.runtime).toEqual(columnsOfSlowArrivals.runtime);
    expect(columnsOfFastArrivals.processors).toEqual(columnsOfSlowArrivals.processors);
    expect(columnsOfFastArrivals.submit).not.toEqual(columnsOfSlowArrivals.submit);
  });
});

describe('feitelson96', () => {
  it.each([
    ['600', 321.0],
    ['500', 267.9],
    ['400', 214.7],
    ['350', 188.4],
    ['300', 162.4],
  ])('arrFactor=%s: mean gap about %d s', (scaleFactor, expectedMeanInterval) => {
    expectNear(
      meanOverSeeds('feitelson96', `arrFactor=${scaleFactor}`, meanArrivalGap),
      expectedMeanInterval,
      0.04,
    );
  });

  it('has the runtimes and sizes of the calibration', () => {
    const meanOverModelSeeds = (computeTraceStatistic: (trace: Trace) => number) =>
      meanOverSeeds('feitelson96', 'arrFactor=400', computeTraceStatistic);
    expectNear(
      meanOverModelSeeds(({ columns: swfColumns }) => mean(swfColumns.runtime)),
      7336,
      0.02,
    );
    expectNear(
      meanOverModelSeeds(({ columns: swfColumns }) => mean(swfColumns.processors)),
      7.03,
      0.05,
    );
    expect(
      meanOverModelSeeds(({ columns: swfColumns }) => largestOf(swfColumns.runtime)),
    ).toBeLessThanOrEqual(64800);
    expect(meanOverModelSeeds(({ columns: swfColumns }) => largestOf(swfColumns.processors))).toBe(128);
  });

  it('with wide jobs longer than narrow ones', () => {
    const { runtime, processors } = makeModelTrace('feitelson96').columns;
    const meanRuntimeOfWideJobs = mean(runtime.filter((_, i) => processors[i] >= 64));
    const meanRuntimeOfNarrowJobs = mean(runtime.filter((_, i) => processors[i] <= 4));
    expect(meanRuntimeOfWideJobs).toBeGreaterThan(meanRuntimeOfNarrowJobs * 1.2);
  });
});

describe('every model', () => {
  it.each(MODELS.map(({ name: modelName }) => modelName))(
    '%s: more jobs begin with the same ones',
    (name) => {
      const columnsOfFewJobs = makeModelTrace(`${name}[jobs=200]`).columns;
      const columnsOfManyJobs = makeModelTrace(`${name}[jobs=1000]`).columns;
      for (const field of ['submit', 'runtime', 'processors'] as const) {
        expect(columnsOfManyJobs[field].slice(0, 200)).toEqual(columnsOfFewJobs[field]);
      }
    },
  );

  it.each(MODELS.map(({ name: modelName }) => modelName))('%s: another seed, other jobs', (name) => {
    const [hashOfFirstSeed, hashOfSecondSeed, high] = [1, 2, 1 + 2 ** 32].map((seed) =>
      hash(makeModelTrace(`${name}[jobs=50,seed=${seed}]`)),
    );
    expect(new Set([hashOfFirstSeed, hashOfSecondSeed, high]).size).toBe(3);
  });

  it.each([
    ['lublin99[aarr=9,seed=42]', 'ed713b3e7f5b9b20'],
    ['feitelson96[arrFactor=350,seed=42]', 'd64daca11b53d23f'],
  ])('%s gives the same jobs on every machine', (text, expected) => {
    expect(hash(makeModelTrace(text))).toBe(expected);
  });

  it('writes its source with every parameter and says so in the header', () => {
    const trace = makeModelTrace(' lublin99[ seed=3, jobs=10 ] ');
    expect(trace.source).toBe('lublin99[aarr=9.5,jobs=10,seed=3,processors=128]');
    expect(makeModelTrace(trace.source)).toEqual(trace);
    expect(trace.header.lines).toContain(`; Conversion: generated as ${trace.source}`);
    expect(trace.header.entries.get('MaxProcs')).toBe('128');
    expect(makeModelTrace('feitelson96[jobs=1]').header.entries.get('Information')).toContain(
      'Feitelson96-like, calibrated',
    );
  });

  it('distinguishes models from files', () => {
    expect(['lublin99', 'feitelson96[seed=1]', 'lublin99[broken'].map(isModelNotation)).toEqual([
      true,
      true,
      true,
    ]);
    expect(['lublin99.swf', 'log.swf.gz', '-'].map(isModelNotation)).toEqual([false, false, false]);
  });

  it.each([
    ['lublin98', "unknown model 'lublin98'; did you mean 'lublin99'? Known: feitelson96, lublin99"],
    [
      'lublin99[arr=9]',
      "unknown parameter of lublin99 'arr'; did you mean 'aarr'? Known: aarr, jobs, seed, processors",
    ],
    ['lublin99[aarr=21]', 'aarr of lublin99: expected a number above 0 and at most 20'],
    ['lublin99[jobs=0]', 'jobs of lublin99: expected a whole number of at least 1'],
    ['lublin99[jobs=1.5]', 'jobs of lublin99'],
    ['lublin99[processors=100]', 'expected a power of two, found 100'],
    ['feitelson96[seed=-1]', 'seed of feitelson96'],
    ['feitelson96[arrFactor=0]', 'arrFactor of feitelson96'],
  ])('refuses %s', (text, message) => {
    expect(() => makeModelTrace(text)).toThrow(message);
  });
});
