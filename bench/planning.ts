/**
 * Times backfilling on one machine: EASY with several orders of backfilling, conservative with both kinds of
 * reservations, and growth with the queue length.
 */
import { type Core, openCore } from '../host/core/module.js';
import { makeGammaStream, makeNormalStream, makeUniformStream } from '../host/math/random.js';
import {
  type Configuration,
  makeConfiguration,
  type SimulationOptions,
} from '../host/options/configuration.js';
import { putJobTableAtMemoryStart } from '../host/simulate/layout.js';
import { Simulator } from '../host/simulate/simulator.js';
import type { Workload } from '../host/workload/workload.js';
import { readPreparedLog } from '../tests/preparedLog.js';
import { findTraceFilePath } from '../tests/traces.js';
import { compileNativeBackfilling } from './native.js';
import { hashOfSchedule, writeJobsFile } from './runs.js';
import { formatBenchTable } from './table.js';
import { measureLeastTime, measureLeastTimes } from './timing.js';

const MACHINE_PROCESSOR_COUNT = 128;
const JOB_COUNT = 50_000;
const LOAD = 0.8;
const WAITING_JOB_COUNTS = [250, 1000, 4000];
const CROWDED_JOB_COUNTS = [1000, 2000, 4000, 8000, 10_000];
/** Largest accepted ratios of kept reservations to C++, on the KTH log and with 8,000 waiting jobs. */
const MAX_KEPT_TIME_RATIO = 1.5;
/** Processors of the KTH log, and number of generated jobs used if the log is missing. */
const KTH_PROCESSOR_COUNT = 100;
const SUBSTITUTE_JOB_COUNT = 1000;
/**
 * Cumulative shares of jobs with at most 1, 2, 4, ..., 128 processors; a fifth of those above 2 is not a
 * power of two.
 */
const CUMULATIVE_WIDTH_SHARES = [0.3, 0.45, 0.6, 0.75, 0.87, 0.95, 0.99, 1];

/** Draws widths and runtimes: mostly narrow jobs, lognormal runtimes from one second to 18 hours. */
function drawJobs(count: number): { processors: Int32Array; runtime: Float64Array } {
  const drawUniform = makeUniformStream(42, 'widths');
  const drawNormal = makeNormalStream(42, 'runtimes');
  const drawWidth = () => {
    const share = drawUniform();
    const widest = 2 ** CUMULATIVE_WIDTH_SHARES.findIndex((cumulativeShare) => share < cumulativeShare);
    return widest > 2 && drawUniform() < 0.2
      ? widest / 2 + 1 + Math.floor((drawUniform() * widest) / 2)
      : widest;
  };
  return {
    processors: Int32Array.from({ length: count }, drawWidth),
    runtime: Float64Array.from({ length: count }, () =>
      Math.max(1, Math.min(64_800, Math.round(Math.exp(6.5 + 1.6 * drawNormal())))),
    ),
  };
}

function makeNamedWorkload(
  workloadName: string,
  columns: Pick<Workload, 'submit' | 'runtime' | 'estimate' | 'processors'>,
): Workload {
  const jobCount = columns.submit.length;
  return {
    name: workloadName,
    count: jobCount,
    job: Float64Array.from({ length: jobCount }, (_, i) => i + 1),
    home: new Int32Array(jobCount),
    accounting: {
      read: jobCount,
      kept: jobCount,
      dropped: [],
      split: { jobs: 0, pieces: 0 },
      oversizeJobs: [],
      withoutEstimate: 0,
    },
    ...columns,
  };
}

/** Draws jobs with random arrivals that demand the share `load` of the machine. */
function makeSteadyWorkload(count: number, load: number): Workload {
  const { processors, runtime } = drawJobs(count);
  const drawInterval = makeGammaStream(42, 'gaps');
  const demand = runtime.reduce((sum, time, i) => sum + time * processors[i], 0);
  const scale = demand / (MACHINE_PROCESSOR_COUNT * load * count);
  let time = 0;
  const submit = Float64Array.from({ length: count }, () => {
    time += drawInterval(1, scale);
    return Math.floor(time);
  });
  return makeNamedWorkload('steady', { submit, runtime, estimate: runtime, processors });
}

/**
 * Makes a workload whose first job uses the whole machine and ends at half its estimate, when
 * `count` others wait; at its end, all waiting jobs are planned again.
 */
function makeWaitingJobs(count: number): { workload: Workload; end: number } {
  const { processors, runtime } = drawJobs(count + 1);
  const end = 2 * count;
  processors[0] = MACHINE_PROCESSOR_COUNT;
  runtime[0] = end;
  const estimate = runtime.slice();
  estimate[0] = 2 * end;
  const submit = Float64Array.from({ length: count + 1 }, (_, i) => i);
  return { workload: makeNamedWorkload('waiting', { submit, runtime, estimate, processors }), end };
}

/**
 * Options of the timed disciplines. Reservations are explicit, so that no default decides what is measured.
 */
const DISCIPLINES = {
  fcfs: { discipline: 'fcfs' },
  easy: { discipline: 'easy' },
  'easy, backfilling by shortest': { discipline: 'easy', backfillOrder: 'shortest' },
  'easy, backfilling by wfp3': { discipline: 'easy', backfillOrder: 'wfp3' },
  kept: { discipline: 'conservative', reservations: 'kept' },
  replanned: { discipline: 'conservative', reservations: 'replanned' },
} as const satisfies Record<string, SimulationOptions>;

type Discipline = keyof typeof DISCIPLINES;

function makeDisciplineConfiguration(
  discipline: Discipline,
  machineProcessors = MACHINE_PROCESSOR_COUNT,
): Configuration {
  return makeConfiguration({ capacities: [machineProcessors], speeds: [1] }, DISCIPLINES[discipline]);
}

/**
 * Checks that the release and the checked build have the same hash; returns it with the checked build's count
 * of reservations moved at ends.
 */
function checkBuildsAgree(
  workload: Workload,
  discipline: Discipline,
  machineProcessors?: number,
): { readonly hash: number; readonly moves: number } {
  const core = openCore('checked') as Core & {
    readonly Work: { Moves: number };
    workDone(workKind: number): number;
  };
  const [hash, hashOfOtherBuild] = (['release', core] as const).map((build) => {
    const simulator = new Simulator(
      workload,
      typeof build === 'string' ? build : putJobTableAtMemoryStart(build, workload),
    );
    simulator.begin(makeDisciplineConfiguration(discipline, machineProcessors));
    simulator.run();
    return hashOfSchedule(simulator.schedule());
  });
  if (hash !== hashOfOtherBuild) throw new Error(`${discipline}: the two builds differ`);
  return { hash, moves: core.workDone(core.Work.Moves) };
}

const NATIVE_PROGRAMS: Partial<Record<Discipline, ReturnType<typeof compileNativeBackfilling>>> = {
  easy: compileNativeBackfilling('easy'),
  kept: compileNativeBackfilling('kept'),
};

/**
 * Shortest times in nanoseconds of the core and of C++ (Infinity if there is no compiler), and number of
 * moved reservations.
 */
interface CoreAndNativeTimes {
  readonly coreTime: number;
  readonly nativeTime: number;
  readonly moves: number;
}

/**
 * Times a run in alternation with the native program, if any; returns the shortest nanoseconds. With 0
 * rounds, only checks that the schedules are equal.
 */
function measureRunTimes(
  workload: Workload,
  discipline: Discipline,
  roundCount: number,
  repetitionCount: number,
  machineProcessors = MACHINE_PROCESSOR_COUNT,
): CoreAndNativeTimes {
  const nativeProgram = NATIVE_PROGRAMS[discipline];
  const { hash, moves } = checkBuildsAgree(workload, discipline, machineProcessors);
  const jobsFile = nativeProgram && writeJobsFile(workload);
  if (nativeProgram?.(jobsFile!, machineProcessors, 1).hash !== (nativeProgram && hash))
    throw new Error(`${discipline}: C++ gives another schedule`);
  const simulator = new Simulator(workload);
  const run = () => {
    simulator.begin(makeDisciplineConfiguration(discipline, machineProcessors));
    simulator.runUntil(Number.POSITIVE_INFINITY);
  };
  const [coreTime, nativeTime] = measureLeastTimes(roundCount, [
    () => measureLeastTime(repetitionCount, run),
    () => nativeProgram?.(jobsFile!, machineProcessors, repetitionCount).nanoseconds ?? Infinity,
  ]);
  return { coreTime, nativeTime, moves };
}

/** Formats the ratio of the core's time to that of C++. */
function ratio({ coreTime, nativeTime }: CoreAndNativeTimes): string {
  return nativeTime === Infinity ? '' : (coreTime / nativeTime).toFixed(2);
}

/** Fails if kept reservations take too long relative to C++. */
function checkKeptTimeRatio(name: string, { coreTime, nativeTime }: CoreAndNativeTimes): void {
  if (coreTime / nativeTime <= MAX_KEPT_TIME_RATIO || nativeTime === Infinity) return;
  throw new Error(
    `${name}: kept reservations take ${(coreTime / nativeTime).toFixed(2)} times as long as C++`,
  );
}

function benchSteadyJobs(isCheckOnly: boolean): void {
  const workload = makeSteadyWorkload(JOB_COUNT, LOAD);
  const headings = ['discipline', 'ms', 'ns per job', 'million jobs per second', 'to g++ -O3'];
  const rows = (Object.keys(DISCIPLINES) as Discipline[]).map((discipline) => {
    const times = measureRunTimes(workload, discipline, isCheckOnly ? 0 : 4, 5);
    const nanosecondsPerJob = times.coreTime / workload.count;
    return [
      discipline,
      (times.coreTime / 1e6).toFixed(2),
      nanosecondsPerJob.toFixed(0),
      (1e3 / nanosecondsPerJob).toFixed(2),
      ratio(times),
    ];
  });
  const nativeNote =
    NATIVE_PROGRAMS.easy === undefined ? '' : ', EASY and kept reservations also those of C++';
  console.log(`planning: ${JOB_COUNT} jobs give the schedules of the checked build${nativeNote}`);
  if (!isCheckOnly) console.log(formatBenchTable(headings, rows));
}

/**
 * Draws one job per second, so that nearly all jobs wait, with estimates up to `largestEstimateRatio` times
 * the runtime.
 */
function makeCrowdWorkload(count: number, largestEstimateRatio: number): Workload {
  const { processors, runtime } = drawJobs(count);
  const uniform = makeUniformStream(42, 'estimates');
  const estimate = runtime.map((time) => Math.ceil(time * (1 + (largestEstimateRatio - 1) * uniform())));
  const submit = Float64Array.from({ length: count }, (_, i) => i);
  return makeNamedWorkload('crowd', { submit, runtime, estimate, processors });
}

const CROWDED_DISCIPLINES = [
  'easy',
  'easy, backfilling by shortest',
  'easy, backfilling by wfp3',
  'kept',
] as const;

/** Exponent of the growth of a cost with the number of jobs. */
const formatCostGrowth = (cost: number, costOfFewerJobs: number, jobCount: number, fewerJobCount: number) =>
  (Math.log(cost / costOfFewerJobs) / Math.log(jobCount / fewerJobCount)).toFixed(2);

/** Times whole runs in which nearly all jobs wait, with exact or with too long estimates. */
function benchCrowdedQueues(isCheckOnly: boolean): void {
  const headings = [
    'discipline',
    'estimates up to',
    'jobs',
    'ms',
    'µs per job',
    'grows to the',
    'to easy',
    'moves per job',
    'to g++ -O3',
  ];
  const rows: (string | number)[][] = [];
  const timeByCase = new Map<string, number>();
  for (const [largestEstimateRatio, jobCounts, disciplines] of [
    [1, CROWDED_JOB_COUNTS, CROWDED_DISCIPLINES],
    // The native EASY supports exact estimates only.
    [3, CROWDED_JOB_COUNTS.slice(0, 2), ['kept']],
  ] as const) {
    for (const [countIndex, jobCount] of (isCheckOnly ? jobCounts.slice(0, 1) : jobCounts).entries()) {
      const workload = makeCrowdWorkload(jobCount, largestEstimateRatio);
      for (const discipline of disciplines) {
        const times = measureRunTimes(
          workload,
          discipline,
          isCheckOnly ? 0 : 5,
          largestEstimateRatio === 1 ? 5 : 1,
        );
        if (discipline === 'kept' && jobCount === 8000) checkKeptTimeRatio('8,000 waiting jobs', times);
        const { coreTime, moves } = times;
        timeByCase.set(`${discipline} ${largestEstimateRatio} ${jobCount}`, coreTime);
        const [timeOfFewerJobs, easyTime] = [
          timeByCase.get(`${discipline} ${largestEstimateRatio} ${jobCounts[countIndex - 1]}`),
          timeByCase.get(`easy ${largestEstimateRatio} ${jobCount}`),
        ];
        rows.push([
          discipline,
          largestEstimateRatio,
          jobCount,
          (coreTime / 1e6).toFixed(2),
          (coreTime / jobCount / 1e3).toFixed(2),
          timeOfFewerJobs === undefined
            ? ''
            : formatCostGrowth(coreTime, timeOfFewerJobs, jobCount, jobCounts[countIndex - 1]!),
          easyTime === undefined ? '' : (coreTime / easyTime).toFixed(2),
          (moves / jobCount).toFixed(1),
          ratio(times),
        ]);
      }
    }
  }
  if (!isCheckOnly) console.log(formatBenchTable(headings, rows));
}

/**
 * Times the KTH log in GRIDALLOC_TRACES, with estimates of at least the runtime; if missing, generated jobs
 * that end early.
 */
async function benchKthLog(isCheckOnly: boolean): Promise<void> {
  const logFile = findTraceFilePath('KTH-SP2-1996-2.1-cln.swf.gz');
  const workload =
    logFile === undefined ? makeCrowdWorkload(SUBSTITUTE_JOB_COUNT, 3) : await readPreparedLog(logFile);
  const workloadName = logFile === undefined ? 'crowd' : 'KTH log';
  const times = measureRunTimes(
    workload,
    'kept',
    isCheckOnly ? 0 : 10,
    1,
    logFile === undefined ? MACHINE_PROCESSOR_COUNT : KTH_PROCESSOR_COUNT,
  );
  console.log(
    `planning: ${workload.count} jobs of the ${workloadName}, kept, give the schedule of the checked build`,
  );
  if (isCheckOnly) return;
  if (logFile !== undefined) checkKeptTimeRatio('KTH log', times);
  const { coreTime, moves } = times;
  const row = [
    workloadName,
    (coreTime / 1e6).toFixed(1),
    (coreTime / workload.count).toFixed(0),
    (moves / workload.count).toFixed(1),
    ratio(times),
  ];
  console.log(
    formatBenchTable(['kept reservations', 'ms', 'ns per job', 'moves per job', 'to g++ -O3'], [row]),
  );
}

/**
 * Times one pass that plans all waiting jobs again: ns per job, and the exponent of growth with the queue.
 */
function benchSchedulingPass(isCheckOnly: boolean): void {
  const headings = ['waiting jobs', 'ms of a pass that replans', 'ns per job', 'grows with the queue to the'];
  const rows: (string | number)[][] = [];
  let previousPassMeasurement: { waiting: number; nanoseconds: number } | undefined;
  for (const waitingJobCount of isCheckOnly ? WAITING_JOB_COUNTS.slice(0, 2) : WAITING_JOB_COUNTS) {
    const { workload, end } = makeWaitingJobs(waitingJobCount);
    checkBuildsAgree(workload, 'replanned');
    if (isCheckOnly) continue;
    const simulator = new Simulator(workload);
    const measurePassTime = () => {
      simulator.begin(makeDisciplineConfiguration('replanned'));
      simulator.runUntil(end - 0.5);
      return measureLeastTime(1, () => simulator.runUntil(end));
    };
    const [nanoseconds] = measureLeastTimes(5, [measurePassTime]);
    rows.push([
      waitingJobCount,
      (nanoseconds / 1e6).toFixed(3),
      (nanoseconds / waitingJobCount).toFixed(0),
      previousPassMeasurement === undefined
        ? ''
        : formatCostGrowth(
            nanoseconds,
            previousPassMeasurement.nanoseconds,
            waitingJobCount,
            previousPassMeasurement.waiting,
          ),
    ]);
    previousPassMeasurement = { waiting: waitingJobCount, nanoseconds };
  }
  if (!isCheckOnly) console.log(formatBenchTable(headings, rows));
}

/** Checks the results; unless `isCheckOnly`, times them. */
export async function benchPlanning(isCheckOnly: boolean): Promise<void> {
  benchSteadyJobs(isCheckOnly);
  benchCrowdedQueues(isCheckOnly);
  await benchKthLog(isCheckOnly);
  benchSchedulingPass(isCheckOnly);
}
