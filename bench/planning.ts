/** What backfilling costs: EASY and conservative on one machine, and how a pass grows with the queue. */
import {
  type Configuration,
  makeConfiguration,
  type SimulationOptions,
} from '../host/options/configuration.js';
import { Simulator } from '../host/simulate/simulator.js';
import { gammaStream, normalStream, uniformStream } from '../host/workload/random.js';
import type { Workload } from '../host/workload/workload.js';
import { nativeEasy } from './native.js';
import { hashOf, writeJobs } from './runs.js';
import { tableOf } from './table.js';
import { least } from './timing.js';

const MACHINE = 128;
const JOBS = 50_000;
const LOAD = 0.8;
const QUEUES = [250, 1000, 4000];
/** Up to which share of the jobs are at most 1, 2, 4, ..., 128 wide; a fifth of those above 2 is no power of two. */
const WIDTHS = [0.3, 0.45, 0.6, 0.75, 0.87, 0.95, 0.99, 1];

/** Widths and runtimes: mostly narrow, lognormal between one second and 18 hours, exact estimates. */
function drawJobs(count: number): { processors: Int32Array; runtime: Float64Array } {
  const uniform = uniformStream(42, 'widths');
  const normal = normalStream(42, 'runtimes');
  const width = () => {
    const share = uniform();
    const widest = 2 ** WIDTHS.findIndex((most) => share < most);
    return widest > 2 && uniform() < 0.2 ? widest / 2 + 1 + Math.floor((uniform() * widest) / 2) : widest;
  };
  return {
    processors: Int32Array.from({ length: count }, width),
    runtime: Float64Array.from({ length: count }, () =>
      Math.max(1, Math.min(64_800, Math.round(Math.exp(6.5 + 1.6 * normal())))),
    ),
  };
}

function workloadOf(
  name: string,
  columns: Pick<Workload, 'submit' | 'runtime' | 'estimate' | 'processors'>,
): Workload {
  const count = columns.submit.length;
  return {
    name,
    count,
    job: Float64Array.from({ length: count }, (_, i) => i + 1),
    home: new Int32Array(count),
    accounting: {
      read: count,
      kept: count,
      dropped: [],
      split: { jobs: 0, pieces: 0 },
      oversizeJobs: [],
      withoutEstimate: 0,
    },
    ...columns,
  };
}

/** Jobs that come at random so that they demand a share of the machine. */
function steadyJobs(count: number, load: number): Workload {
  const { processors, runtime } = drawJobs(count);
  const gap = gammaStream(42, 'gaps');
  const demand = runtime.reduce((sum, time, i) => sum + time * processors[i], 0);
  const scale = demand / (MACHINE * load * count);
  let time = 0;
  const submit = Float64Array.from({ length: count }, () => {
    time += gap(1, scale);
    return Math.floor(time);
  });
  return workloadOf('steady', { submit, runtime, estimate: runtime, processors });
}

/** A job holds the machine and ends at half its estimate; by then so many others wait, and all are planned anew. */
function waitingJobs(count: number): { workload: Workload; end: number } {
  const { processors, runtime } = drawJobs(count + 1);
  const end = 2 * count;
  processors[0] = MACHINE;
  runtime[0] = end;
  const estimate = runtime.slice();
  estimate[0] = 2 * end;
  const submit = Float64Array.from({ length: count + 1 }, (_, i) => i);
  return { workload: workloadOf('waiting', { submit, runtime, estimate, processors }), end };
}

const GRID = { capacities: [MACHINE], speeds: [1] };

function configure(discipline: NonNullable<SimulationOptions['discipline']>): Configuration {
  return makeConfiguration(GRID, { discipline });
}

/** The hash of a run, the same in the release and the checked build. */
function checkedHash(workload: Workload, configuration: Configuration): number {
  const [hash, other] = (['release', 'checked'] as const).map((build) => {
    const simulator = new Simulator(workload, build);
    simulator.begin(configuration);
    simulator.run();
    return hashOf(simulator.schedule());
  });
  if (hash !== other) throw new Error(`${configuration.discipline}: the two builds differ`);
  return hash;
}

function benchSteady(checkOnly: boolean): void {
  const workload = steadyJobs(JOBS, LOAD);
  const native = nativeEasy(writeJobs(workload), MACHINE);
  const simulator = new Simulator(workload);
  const head = ['discipline', 'ms', 'ns per job', 'million jobs per second', 'to g++ -O3'];
  const rows: (string | number)[][] = [];
  for (const discipline of ['fcfs', 'easy', 'conservative'] as const) {
    const configuration = configure(discipline);
    const hash = checkedHash(workload, configuration);
    const yardstick = discipline === 'easy' ? native : undefined;
    if (yardstick !== undefined && yardstick(1).hash !== hash)
      throw new Error('easy: C++ gives another schedule');
    if (checkOnly) continue;
    let [own, other] = [Infinity, Infinity];
    for (let round = 0; round < 4; round++) {
      const run = () => {
        simulator.begin(configuration);
        simulator.runUntil(Number.POSITIVE_INFINITY);
      };
      own = Math.min(own, least(5, run));
      other = Math.min(other, yardstick?.(5).nanoseconds ?? Infinity);
    }
    const each = own / workload.count;
    rows.push([
      discipline,
      (own / 1e6).toFixed(2),
      each.toFixed(0),
      (1e3 / each).toFixed(2),
      yardstick === undefined ? '' : (own / other).toFixed(2),
    ]);
  }
  const beside = native === undefined ? '' : ', EASY also that of C++';
  console.log(`planning: ${JOBS} jobs give the schedule of the checked build${beside}`);
  if (!checkOnly) console.log(tableOf(head, rows));
}

/** One pass that plans all waiting jobs anew: ns per job, and the power of the queue that it grew with. */
function benchPass(checkOnly: boolean): void {
  const head = ['waiting jobs', 'ms of a conservative pass', 'ns per job', 'grows with the queue to the'];
  const rows: (string | number)[][] = [];
  let before: { waiting: number; nanoseconds: number } | undefined;
  for (const waiting of checkOnly ? QUEUES.slice(0, 2) : QUEUES) {
    const { workload, end } = waitingJobs(waiting);
    const configuration = configure('conservative');
    checkedHash(workload, configuration);
    if (checkOnly) continue;
    const simulator = new Simulator(workload);
    let nanoseconds = Number.POSITIVE_INFINITY;
    for (let round = 0; round < 5; round++) {
      simulator.begin(configuration);
      simulator.runUntil(end - 0.5);
      nanoseconds = Math.min(
        nanoseconds,
        least(1, () => simulator.runUntil(end)),
      );
    }
    const growth = before && Math.log(nanoseconds / before.nanoseconds) / Math.log(waiting / before.waiting);
    rows.push([
      waiting,
      (nanoseconds / 1e6).toFixed(3),
      (nanoseconds / waiting).toFixed(0),
      growth?.toFixed(2) ?? '',
    ]);
    before = { waiting, nanoseconds };
  }
  if (!checkOnly) console.log(tableOf(head, rows));
}

/** Checks the results, then times them unless only the check is asked for. */
export function benchPlanning(checkOnly: boolean): void {
  benchSteady(checkOnly);
  benchPass(checkOnly);
}
