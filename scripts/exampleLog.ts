/**
 * `tsx scripts/exampleLog.ts`: writes traces/cluster.txt.gz, an invented month of a cluster of 128 processors
 * in the format of `sacct --parsable2`. Submissions, runtimes and sizes come from a model; users, accounts
 * and limits are drawn; starts are those of EASY backfilling.
 */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { makeGrid, makeModelTrace, makeWorkload, simulate } from '../host/index.js';
import { computeUniformNumberOfSeed } from '../host/math/random.js';

const JOB_COUNT = 3000;
/** Factor by which the interarrival times of the model are stretched, so that the cluster is less busy. */
const INTERARRIVAL_STRETCH_FACTOR = 1.3;
const MACHINE_PROCESSORS = 128;
const FIRST_SUBMIT_TIME = Date.UTC(2026, 0, 5) / 1000;
const RANDOM_SEED = 2026;

const USER_NAMES = ['ada', 'ben', 'cleo', 'dev', 'eva', 'finn', 'gita', 'hugo', 'ines', 'jan', 'kim', 'lena'];
const ACCOUNT_NAMES = ['physics', 'physics', 'biology', 'climate'];
/** Time limits that users request, in minutes. */
const TIME_LIMITS_IN_MINUTES = [5, 15, 30, 60, 120, 240, 480, 720, 1440, 2880];

const header =
  'JobID|User|Account|Partition|Submit|Start|End|ElapsedRaw|TimelimitRaw|ReqCPUS|AllocCPUS|State';

/** Formats seconds after the beginning as `2026-01-05T00:00:30`. */
const dateOf = (seconds: number) => new Date((FIRST_SUBMIT_TIME + seconds) * 1000).toISOString().slice(0, 19);

/** Returns the text of the log. */
export function makeExampleLog(): string {
  const trace = makeModelTrace(
    `lublin99[jobs=${JOB_COUNT},seed=3,aarr=9.5,processors=${MACHINE_PROCESSORS}]`,
  );
  const drawCountPerJob = ['who', 'again', 'limit', 'state'].length;
  const draw = (job: number, drawNumber: number) =>
    computeUniformNumberOfSeed(RANDOM_SEED, 1 + job * drawCountPerJob + drawNumber);
  let userIndex = 0;
  const requestedTimes: number[] = [];
  const userIndexByJob: number[] = [];
  trace.columns.runtime.forEach((runtime, job) => {
    // Users submit several jobs one after the other, and some users many more than others.
    if (draw(job, 0) > 0.6) userIndex = Math.floor(USER_NAMES.length * draw(job, 1) ** 2);
    userIndexByJob.push(userIndex);
    const requestedSeconds = runtime * (1.2 + 8 * draw(job, 2) ** 3);
    requestedTimes.push(
      60 *
        (TIME_LIMITS_IN_MINUTES.find((minutes) => 60 * minutes >= requestedSeconds) ??
          Math.ceil(requestedSeconds / 3600) * 60),
    );
  });
  const submit = trace.columns.submit.map((seconds) => Math.round(INTERARRIVAL_STRETCH_FACTOR * seconds));
  const logColumns = { ...trace.columns, submit, requestedTime: Float64Array.from(requestedTimes) };
  const workload = makeWorkload(
    { ...trace, columns: logColumns },
    { siteCount: 1, capacities: [MACHINE_PROCESSORS] },
  );
  const { schedule } = simulate(workload, makeGrid({ capacities: [MACHINE_PROCESSORS] }), {
    discipline: 'easy',
  });
  const sacctRows = Array.from(workload.submit, (submitTime, job) => {
    const [start, runtime, userName] = [
      schedule.start[job],
      workload.runtime[job],
      USER_NAMES[userIndexByJob[job]],
    ];
    const state = draw(job, 3) < 0.06 ? 'FAILED' : 'COMPLETED';
    return [
      1000 + job,
      userName,
      ACCOUNT_NAMES[userIndexByJob[job] % ACCOUNT_NAMES.length],
      requestedTimes[job] <= 3600 ? 'short' : 'batch',
      ...[submitTime, start, start + runtime].map(dateOf),
      runtime,
      requestedTimes[job] / 60,
      workload.processors[job],
      workload.processors[job],
      state,
    ].join('|');
  });
  return `${[header, ...sacctRows].join('\n')}\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(
    fileURLToPath(new URL('../traces/cluster.txt.gz', import.meta.url)),
    gzipSync(makeExampleLog(), { level: 9 }),
  );
}
