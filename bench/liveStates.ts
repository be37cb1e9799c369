/**
 * Times live runs: beginning a run from a state with many running and waiting jobs, and handling jobs that
 * arrive one by one.
 */
import { readFileSync } from 'node:fs';
import { CoreRun, instantiateCore, makeJobs } from '../host/core/host.js';
import { type JobColumn, jobTableColumnView, makeOpenTable } from '../host/core/memory.js';
import { coreFile } from '../host/files/coreFile.js';
import { SeededDraws } from '../tests/reference/cases/draws.js';
import { measureLeastTime } from './timing.js';

const WAITING_JOB_COUNT = 1000;
const SITE_PROCESSORS = 4500;
/** Number of jobs that arrive one by one in the benchmark. */
const ARRIVAL_COUNT = 100_000;
const REPEAT_COUNT = 30;

/**
 * Largest accepted times: from a state to its last start in milliseconds, and per arriving job in
 * nanoseconds.
 */
const MAX_TIMES = { easy: 2, fcfs: 0.2, arrival: 2000 };

const OPTIONS_BY_DISCIPLINE = {
  fcfs: { Order: 'Submit' },
  easy: { Discipline: 'Easy', Selection: 'Greedy' },
} as const;

/** Jobs that arrive much faster than they are served, so that running and waiting ones are many. */
function drawJobs() {
  const random = new SeededDraws(1);
  const count = 2400;
  const drawColumn = (draw: () => number) => Array.from({ length: count }, draw);
  const Runtime = drawColumn(() => 500 + random.below(5000));
  return {
    Submit: drawColumn(() => random.below(400)).sort((left, right) => left - right),
    Runtime,
    Estimate: Runtime.map((runtime) => runtime * (1 + random.below(4))),
    Processors: drawColumn(() => 1 + random.below(8)),
    Home: drawColumn(() => 0),
  };
}

/**
 * Checks that a run from a state gives the starts of the run in one go, and an arrival those of the whole
 * log; unless `isCheckOnly`, times both.
 */
export async function benchLiveStates(isCheckOnly: boolean): Promise<void> {
  const core = instantiateCore(readFileSync(coreFile('release')));
  const jobs = drawJobs();
  const sites = { Capacity: [SITE_PROCESSORS], Speed: [1] };
  for (const [name, options] of Object.entries(OPTIONS_BY_DISCIPLINE) as ['fcfs' | 'easy', object][]) {
    const wholeRun = new CoreRun(makeJobs(core, jobs));
    wholeRun.begin({ sites, options });
    wholeRun.run();
    const startTimes = wholeRun.column('Start').slice();
    const time = findTimeWithWaitingJobs(startTimes, jobs.Submit.at(-1)!);
    const unfinishedJobs = [...startTimes.keys()].filter(
      (job) => startTimes[job]! + jobs.Runtime[job]! > time,
    );
    const coreJobs = makeOpenTable(core, unfinishedJobs.length);
    for (const [columnName, jobValues] of Object.entries(jobs)) {
      const columnView = jobTableColumnView(
        core,
        coreJobs.table,
        unfinishedJobs.length,
        columnName as JobColumn,
      );
      for (const [row, job] of unfinishedJobs.entries()) columnView[row] = jobValues[job]!;
    }
    core.appendJobs(coreJobs.table, unfinishedJobs.length);
    const run = new CoreRun(coreJobs);
    run.begin({ sites, options: { ...options, Open: 1 } });
    const isRunning = unfinishedJobs.map((job) => startTimes[job]! <= time);
    const stateStartTimes = Float64Array.from(unfinishedJobs, (job, row) =>
      isRunning[row] ? startTimes[job]! : Number.NaN,
    );
    const stateSites = Int32Array.from(isRunning, (isRunningJob) => (isRunningJob ? 0 : -1));
    const [openStarts, openSites] = [run.column('Start'), run.column('Site')];
    const lastStartTime = Math.max(...startTimes);
    const continueRunFromState = () => {
      core.begin(run.block, coreJobs.table);
      openStarts.set(stateStartTimes);
      openSites.set(stateSites);
      core.takeState(run.block, coreJobs.table, time);
      run.runUntil(lastStartTime);
    };
    continueRunFromState();
    const continuedStartTimes = run.column('Start');
    if (unfinishedJobs.some((job, row) => continuedStartTimes[row] !== startTimes[job]))
      throw new Error(`${name}: other starts`);
    const milliseconds = isCheckOnly
      ? 0
      : measureLeastTime(REPEAT_COUNT, () => Array.from({ length: 20 }, continueRunFromState)) / 20e6;
    const runningJobCount = isRunning.filter(Boolean).length;
    report(
      `state of ${runningJobCount} running and ${unfinishedJobs.length - runningJobCount} waiting jobs, ${name}`,
      milliseconds,
      'ms',
      {
        most: MAX_TIMES[name],
        checkOnly: isCheckOnly,
      },
    );
    for (const coreRun of [run, wholeRun]) coreRun.dispose();
  }
  benchArrivals(isCheckOnly);
}

/** Time in seconds at which as many jobs wait as the benchmark's state shall have. */
function findTimeWithWaitingJobs(starts: Float64Array, lastSubmitTime: number): number {
  const time = [...starts].sort((left, right) => left - right).at(-1 - WAITING_JOB_COUNT)!;
  if (time < lastSubmitTime) throw new Error('jobs are submitted after the state');
  return time;
}

/** Appends jobs, whose columns are written, one by one, and reads when they start. */
function benchArrivals(isCheckOnly: boolean): void {
  const core = instantiateCore(readFileSync(coreFile('release')));
  const random = new SeededDraws(2);
  const drawColumn = (draw: () => number) => Array.from({ length: ARRIVAL_COUNT }, draw);
  const runtimes = drawColumn(() => 100 + random.below(900));
  let submitTime = 0;
  const jobs = {
    // Submission times differ, since a job appended at the current time is handled after all other events of
    // that time.
    Submit: drawColumn(() => (submitTime += 1 + random.below(23))),
    Runtime: runtimes,
    Estimate: runtimes.map((runtime) => 2 * runtime),
    Processors: drawColumn(() => 1 + random.below(8)),
    Home: drawColumn(() => 0),
  };
  const sites = { Capacity: [256], Speed: [1] };
  for (const [disciplineName, options] of Object.entries(OPTIONS_BY_DISCIPLINE)) {
    const wholeRun = new CoreRun(makeJobs(core, jobs));
    wholeRun.begin({ sites, options });
    wholeRun.run();
    const coreJobs = makeOpenTable(core, ARRIVAL_COUNT);
    const run = new CoreRun(coreJobs);
    run.begin({ sites, options: { ...options, Open: 1 } });
    for (const [columnName, jobValues] of Object.entries(jobs))
      jobTableColumnView(core, coreJobs.table, ARRIVAL_COUNT, columnName as JobColumn).set(jobValues);
    const startTimes = run.column('Start');
    const cpuUsageAtStart = process.cpuUsage();
    let startedAtOnceCount = 0;
    const submits = jobTableColumnView(core, coreJobs.table, ARRIVAL_COUNT, 'Submit');
    for (let job = 0; job < ARRIVAL_COUNT; job++) {
      // The core marks the end of the submissions in the row behind the last job.
      submits[job] = jobs.Submit[job]!;
      core.appendJobs(coreJobs.table, 1);
      core.runUntil(run.block, coreJobs.table, jobs.Submit[job]!);
      if (startTimes[job]! >= 0) startedAtOnceCount++;
    }
    const { user: userMicroseconds, system: systemMicroseconds } = process.cpuUsage(cpuUsageAtStart);
    core.closeRun(run.block, coreJobs.table);
    run.run();
    const expected = wholeRun.column('Start');
    if (startTimes.some((start, job) => start !== expected[job]))
      throw new Error(`${disciplineName}: other starts`);
    report(
      `arrival, ${disciplineName}: ${startedAtOnceCount} of ${ARRIVAL_COUNT} start at once`,
      ((userMicroseconds + systemMicroseconds) * 1000) / ARRIVAL_COUNT,
      'ns',
      {
        most: MAX_TIMES.arrival,
        checkOnly: isCheckOnly,
      },
    );
    for (const coreRun of [run, wholeRun]) coreRun.dispose();
  }
}

function report(
  description: string,
  time: number,
  unit: string,
  { most: bound, checkOnly }: { readonly most: number; readonly checkOnly: boolean },
): void {
  const measuredText = checkOnly ? '' : `; ${time.toPrecision(3)} ${unit} (at most ${bound} ${unit})`;
  console.log(`${description}: the starts of one run${measuredText}`);
}
