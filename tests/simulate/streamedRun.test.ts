import { expect, test } from 'vitest';
import { InputError } from '../../host/errors.js';
import { SKETCH_RELATIVE_ERROR } from '../../host/math/quantileSketch.js';
import { addParsedOptionTexts, nameOptionOnCommandLine, type Settings } from '../../host/options/options.js';
import { formatJobsFileLines, jobsCsv } from '../../host/results/jobsFile.js';
import {
  makeExperimentOnRequestedSites,
  makeGridOfSettings,
  makeMethodConfiguration,
} from '../../host/simulate/experiment.js';
import { computeJobMetrics } from '../../host/simulate/jobMetrics.js';
import { PieceJobs } from '../../host/simulate/pieceJobs.js';
import { collectSimulation } from '../../host/simulate/simulate.js';
import { Simulator } from '../../host/simulate/simulator.js';
import { StreamedRun } from '../../host/simulate/streamedRun.js';
import { checkOptionsOfStream } from '../../host/simulate/streamRules.js';
import { type Summary, summarizeMeasuredRun, summarizeRunWithClasses } from '../../host/simulate/summary.js';
import { determineRequestedCapacities } from '../../host/simulate/workloadSettings.js';
import { selectRecordsAtPositions } from '../../host/trace/columns.js';
import { parseTrace } from '../../host/trace/readText.js';
import type { Trace } from '../../host/trace/trace.js';
import { isModelNotation, makeModelTrace, openModelTrace } from '../../host/workload/models.js';
import { doesRunCoverRareCases, listCaseSeeds, RANDOM_TEST_TIMEOUT_MILLISECONDS } from '../cases.js';
import { SeededDraws } from '../reference/cases/draws.js';
import { LOG, OPTION_SAMPLES, type OptionTexts } from '../ways/samples.js';

/** A log that is simulated piece by piece gives the rows of jobs.csv and the metrics of the whole log. */

interface Results {
  readonly csv: string;
  readonly summary: Summary;
}

const parseSettings = (optionTexts: OptionTexts): Settings =>
  addParsedOptionTexts({ workload: 'log' }, optionTexts);

/** Simulates a log in one go. */
function simulateWholeLog(settings: Settings, trace: Trace): Results {
  const experiment = makeExperimentOnRequestedSites(settings, trace, [{}], { processorSets: true });
  const simulator = new Simulator(experiment.workload);
  simulator.begin(experiment.configurations[0]!);
  simulator.run();
  const jobsCsvText = [...jobsCsv(collectSimulation(simulator))].join('');
  return { csv: jobsCsvText, summary: summarizeRunWithClasses(simulator) };
}

/** Cuts a log into pieces of random sizes. */
function cutIntoPieces(trace: Trace, random: SeededDraws): Trace[] {
  const maxPieceLength = random.pick([1, 4, 30]);
  const logPieces: Trace[] = [];
  for (let from = 0; from < trace.count; ) {
    const pieceLength = Math.min(trace.count - from, 1 + random.below(maxPieceLength));
    const positions = Int32Array.from({ length: pieceLength }, (_, i) => from + i);
    const columns = selectRecordsAtPositions(trace.columns, positions);
    logPieces.push({ source: trace.source, header: trace.header, count: pieceLength, columns });
    from += pieceLength;
  }
  return logPieces;
}

/** Simulates pieces one after the other, and removes jobs that have ended as often as possible. */
function simulateInPieces(settings: Settings, logPieces: readonly Trace[], random: SeededDraws): Results {
  const { header } = logPieces[0]!;
  const capacities = determineRequestedCapacities(settings) ?? [header.maxProcessors!];
  const grid = makeGridOfSettings(settings, capacities);
  const configuration = makeMethodConfiguration(grid, settings, {}, { processorSets: true });
  const pieceJobs = new PieceJobs(settings, grid);
  const lines: string[] = [];
  let run: StreamedRun | undefined;
  for (const piece of logPieces) {
    const jobs = pieceJobs.add(piece);
    if (jobs.count === 0) continue;
    run ??= new StreamedRun({
      name: piece.source,
      configuration,
      hasData: jobs.data !== undefined,
      hasCancellations: settings.cancelled === 'keep',
      capacity: 400,
      rowsBeforeRemoval: random.pick([1, 5, 20]),
      onPiece: (finishedPiece) => lines.push(...formatJobsFileLines(finishedPiece, lines.length === 0)),
    });
    run.append(jobs);
    if (run.settledTime !== undefined) run.advance(run.settledTime);
  }
  run!.close();
  run!.advance(Number.POSITIVE_INFINITY);
  run!.finish(pieceJobs.accounting());
  const summary = { ...summarizeMeasuredRun(run!), distribution: computeJobMetrics(run!.values) };
  run!.dispose();
  return { csv: lines.join(''), summary };
}

/** Percentile metrics, which a stream reads from sketches. */
const isPercentileFromSketch = (metricName: string) =>
  /^p\d\d(?:Wait|Response|BoundedSlowdown)$/.test(metricName);

function expectEqualResults(resultsOfStream: Results, expectedResults: Results, message: string): void {
  expect(resultsOfStream.csv, message).toBe(expectedResults.csv);
  const { distribution, ...metrics } = expectedResults.summary;
  const { distribution: streamed, ...streamedMetrics } = resultsOfStream.summary;
  expect(streamedMetrics, message).toEqual(metrics);
  expect(Object.keys(streamed!), message).toEqual(Object.keys(distribution!));
  for (const [name, exact] of Object.entries(distribution!)) {
    const streamedValue = streamed![name]!;
    if (!isPercentileFromSketch(name)) expect(streamedValue, `${message}, ${name}`).toBe(exact);
    else {
      expect(streamedValue, `${message}, ${name}`).toBeLessThanOrEqual(exact);
      expect(streamedValue, `${message}, ${name}`).toBeGreaterThanOrEqual(
        exact * (1 - SKETCH_RELATIVE_ERROR),
      );
    }
  }
}

/** Refusal of settings in a stream; undefined if they are possible. */
function refusalOf(settings: Settings): string | undefined {
  try {
    checkOptionsOfStream(settings, nameOptionOnCommandLine);
    return undefined;
  } catch (error) {
    if (error instanceof InputError) return error.message;
    throw error;
  }
}

/** Options of which a stream refuses each sample. */
const REFUSED = [
  ...['dependencies', 'limit', 'load-machine', 'offered-load', 'on-outage', 'outages', 'partition-sites'],
  ...['perturb', 'replication', 'sort', 'warm-up', 'cool-down', 'queue', 'reclaim', 'home'],
  ...['half-life', 'usage-count', 'usage-offset', 'usage-step'],
];

test.each(Object.keys(OPTION_SAMPLES))('--%s has the same effect in pieces, or is refused', (name) => {
  const random = new SeededDraws(name.length);
  const trace = parseTrace(LOG);
  const isRefused = OPTION_SAMPLES[name]!.settings.map((optionTexts) => {
    const settings = parseSettings(optionTexts);
    const refusal = refusalOf(settings);
    if (refusal !== undefined) {
      expect(refusal).toMatch(/^--stream does not take --[a-z-]+: [a-z].*[^.]$/);
      return true;
    }
    // The table of the paper has no site for queue 6.
    const streamedResults = simulateInPieces(settings, cutIntoPieces(trace, random), random);
    expectEqualResults(streamedResults, simulateWholeLog(settings, trace), JSON.stringify(optionTexts));
    return false;
  });
  expect(isRefused.every((isSettingRefused) => isSettingRefused)).toBe(REFUSED.includes(name));
});

const DISCIPLINES = ['fcfs', 'njf', 'wjf', 'sjf', 'ljf', 'first-available', 'easy', 'conservative'];
const POLICIES = ['best-fit', 'fastest-first', 'ai2', 'ti[slt=1]', 'random[seed=3]', 'worst-fit'];
const ORDERS = [
  'submit',
  'shortest',
  'widest',
  'wfp3',
  'f1',
  'estimate * processors - wait',
  'processors - now',
];

/** Random records: some cancelled, without a runtime or requested time, or submitted at the same time. */
function drawRandomLog(random: SeededDraws): Trace {
  let submit = random.below(50);
  const lines = Array.from({ length: 20 + random.below(150) }, (_, i) => {
    submit += random.oneIn(3) ? 0 : random.below(60) + (random.oneIn(9) ? 0.25 : 0);
    const runtime = random.oneIn(15) ? 0 : 1 + random.below(300) + (random.oneIn(9) ? 0.5 : 0);
    const processors = 1 + random.below(8);
    const requestedTime = random.oneIn(6) ? -1 : 1 + random.below(400);
    const [user, queue] = [
      random.oneIn(8) ? -1 : random.below(5),
      random.oneIn(9) ? -1 : 1 + random.below(3),
    ];
    return random.oneIn(12)
      ? `${i + 1} ${submit} ${random.below(90)} 0 -1 -1 -1 ${processors} ${requestedTime} -1 5 ${user} 1 -1 ${queue} -1 -1 -1`
      : `${i + 1} ${submit} ${random.below(9)} ${runtime} ${processors} -1 -1 -1 ${requestedTime} -1 1 ${user} 1 -1 ${queue} -1 -1 -1`;
  });
  return parseTrace(`; MaxProcs: 8\n; UnixStartTime: 893467267\n; User: 2 ann\n${lines.join('\n')}`);
}

test(
  'random logs give the same rows and metrics under all disciplines, orders and allocators',
  () => {
    const namesOfRefusedOptions = new Set<string>();
    let comparedCount = 0;
    for (const seed of listCaseSeeds(150)) {
      const random = new SeededDraws(41_000 + seed);
      const discipline = random.pick(DISCIPLINES);
      const isPlainDiscipline = ['fcfs', 'first-available', 'easy', 'conservative'].includes(discipline);
      const optionTexts: Record<string, string> = {
        discipline,
        ...(random.oneIn(2)
          ? { sites: '8,4,6', speeds: '1,2,1.5', home: random.pick(['queue', 'user', 'none']) }
          : {}),
        ...(random.oneIn(2) ? { policy: random.pick(POLICIES) } : {}),
        ...(random.oneIn(2) && isPlainDiscipline ? { order: random.pick(ORDERS) } : {}),
        ...(random.oneIn(3) ? { cancelled: 'keep' } : {}),
        ...(random.oneIn(3) ? { kill: 'at-estimate' } : {}),
        ...(random.oneIn(4) ? { rebase: 'true' } : {}),
        ...(random.oneIn(4) ? { 'max-width': '3' } : {}),
        ...(random.oneIn(4)
          ? { filter: random.pick(['first=40', 'user=1-3;first=30', 'time=100-2000']) }
          : {}),
        ...(random.oneIn(4) ? { 'runtime-scale': '1.3', 'arrival-scale': '0.7' } : {}),
      };
      const trace = drawRandomLog(random);
      let settings: Settings;
      let expected: Results;
      try {
        settings = parseSettings(optionTexts);
        expected = simulateWholeLog(settings, trace);
      } catch (error) {
        if (!(error instanceof InputError)) throw error;
        namesOfRefusedOptions.add(error.message);
        continue;
      }
      comparedCount++;
      const streamedResults = simulateInPieces(settings, cutIntoPieces(trace, random), random);
      expectEqualResults(streamedResults, expected, `seed ${seed}: ${JSON.stringify(optionTexts)}`);
    }
    if (doesRunCoverRareCases) {
      expect(comparedCount, [...namesOfRefusedOptions].join('\n')).toBeGreaterThan(
        listCaseSeeds(150).length / 2,
      );
    }
  },
  RANDOM_TEST_TIMEOUT_MILLISECONDS,
);

test.each(['lublin99[jobs=3000,aarr=5,seed=4]', 'feitelson96[jobs=3000,arrFactor=300,seed=2]'])(
  '%s gives the same records in pieces',
  (notation) => {
    expect(isModelNotation(notation)).toBe(true);
    const wholeLog = makeModelTrace(notation);
    const logPieces = openModelTrace(notation);
    let from = 0;
    for (const size of [1, 7, 1000, 1992]) {
      const { columns: swfColumns, count: recordCount } = logPieces.next(size);
      expect(recordCount).toBe(size);
      for (const [field, columnValues] of Object.entries(wholeLog.columns))
        expect(swfColumns[field as keyof typeof swfColumns]).toEqual(columnValues.slice(from, from + size));
      from += size;
    }
    expect(from).toBe(wholeLog.count);
  },
);

test('too many jobs at a time are refused, and removed jobs make room for others', () => {
  const makeLog = (submitGap: number) =>
    parseTrace(
      `; MaxProcs: 1\n${Array.from({ length: 900 }, (_, i) => `${i + 1} ${submitGap * i} -1 10 1 -1 -1 1 10 -1 1 -1 -1 -1 -1 -1 -1 -1`).join('\n')}`,
    );
  const run = (submitGap: number) =>
    simulateInPieces(
      parseSettings({}),
      cutIntoPieces(makeLog(submitGap), new SeededDraws(1)),
      new SeededDraws(1),
    );
  expect(run(10).summary).toMatchObject({ jobs: 900, meanWait: 0 });
  expect(() => run(1)).toThrow(
    /^log: more than \d+ jobs wait or run at a time, and --stream has no memory for more/,
  );
});
