/** Times every allocator per job in the core, in native C++ and in plain JavaScript, alternately. */
import { type Configuration, makeConfiguration } from '../host/options/configuration.js';
import { Simulator } from '../host/simulate/simulator.js';
import type { Workload } from '../host/workload/workload.js';
import { JavaScriptSimulation } from './javascript.js';
import { NativeProgram } from './native.js';
import { type BenchRun, hashOfSchedule, loadBenchWorkload, makeAllBenchRuns, writeJobsFile } from './runs.js';
import { formatBenchTable } from './table.js';
import { measureLeastTime, measureLeastTimes } from './timing.js';

function configurationOfRun({ policy, load, capacities, speeds }: BenchRun): Configuration {
  return makeConfiguration({ capacities, speeds }, { policy, load, timeResolution: 'nearest' });
}

/** Times of the allocator benchmark for each policy and load, and the core's memory per job. */
export interface AllocatorTimes {
  /** Names of the programs: the core, JavaScript, and builds of native code. */
  readonly programs: readonly string[];
  /** Shortest time of a simulation in nanoseconds by each program, for each policy and load. */
  readonly runs: readonly {
    readonly policy: string;
    readonly load: number;
    readonly nanoseconds: readonly number[];
  }[];
  /** Size of the state of a simulation and its jobs, in bytes per job. */
  readonly coreBytesPerJob: number;
}

/** Program that can repeat a simulation and hash its result. */
interface TimedProgram {
  readonly name: string;
  time(run: BenchRun, repetitionCount: number): { nanoseconds: number; hash: number };
}

function makeWasmProgram(workload: Workload): TimedProgram {
  const simulator = new Simulator(workload);
  return {
    name: 'Wasm',
    time(run, repetitionCount) {
      const configuration = configurationOfRun(run);
      const nanoseconds = measureLeastTime(repetitionCount, () => {
        simulator.begin(configuration);
        simulator.runUntil(Number.POSITIVE_INFINITY);
      });
      return { nanoseconds, hash: hashOfSchedule(simulator.schedule()) };
    },
  };
}

function makeJavaScriptProgram(workload: Workload): TimedProgram {
  const simulation = new JavaScriptSimulation(workload);
  return {
    name: 'JavaScript',
    time(run, repetitionCount) {
      const nanoseconds = measureLeastTime(repetitionCount, () => {
        simulation.begin(run);
        simulation.run();
      });
      return { nanoseconds, hash: hashOfSchedule(simulation.columns) };
    },
  };
}

/** Throws an Error unless all programs give the same result bytes for a run. */
function checkProgramsAgree(programs: readonly TimedProgram[], run: BenchRun): void {
  const hashes = programs.map((program) => `${program.name} ${program.time(run, 1).hash}`);
  if (new Set(hashes.map((hash) => hash.split(' ').pop())).size > 1) {
    throw new Error(`${run.policy} at load ${run.load}: the results differ: ${hashes.join(', ')}`);
  }
}

/**
 * Checks that all programs agree on every run; unless `isCheckOnly`, times them, and prints ns per job of the
 * core and the ratios of the others.
 */
export async function benchAllocators(isCheckOnly: boolean): Promise<AllocatorTimes> {
  const workload = await loadBenchWorkload();
  const programs = [
    makeWasmProgram(workload),
    makeJavaScriptProgram(workload),
    ...NativeProgram.compile(writeJobsFile(workload)),
  ];
  const runs = makeAllBenchRuns();
  for (const run of runs) checkProgramsAgree(programs, run);
  const joinedProgramNames = programs.map((program) => program.name).join(', ');
  console.log(
    `allocators: ${runs.length} runs of ${workload.count} jobs (${workload.name}) agree to the byte: ${joinedProgramNames}`,
  );
  if (isCheckOnly) return { programs: [], runs: [], coreBytesPerJob: 0 };

  const nativeProgramNames = programs.slice(2).map((program) => program.name);
  const headings = [
    'policy',
    'load',
    'ms',
    'ns per job',
    ...nativeProgramNames.map((name) => `ratio to ${name}`),
    'JavaScript / Wasm',
  ];
  const rows: (string | number)[][] = [];
  const timesByRun: number[][] = [];
  for (const run of runs) {
    const times = programs.map((program) => () => program.time(run, 5).nanoseconds);
    const leastTimes = measureLeastTimes(4, times);
    timesByRun.push(leastTimes);
    const [wasmTime, javaScript, ...nativeTimes] = leastTimes;
    rows.push([
      run.policy,
      run.load,
      (wasmTime / 1e6).toFixed(2),
      (wasmTime / workload.count).toFixed(1),
      ...nativeTimes.map((nativeTime) => (wasmTime / nativeTime).toFixed(2)),
      (javaScript / wasmTime).toFixed(2),
    ]);
  }
  console.log(formatBenchTable(headings, rows));
  const simulator = new Simulator(workload);
  simulator.begin(configurationOfRun(runs[0]));
  const { jobs, simulation } = simulator.memory;
  const coreBytesPerJob = (jobs + simulation) / workload.count;
  console.log(`memory of the core: ${coreBytesPerJob.toFixed(1)} bytes per job`);
  return {
    programs: programs.map(({ name: programName }) => programName),
    runs: runs.map(({ policy, load }, i) => ({ policy, load, nanoseconds: timesByRun[i] })),
    coreBytesPerJob,
  };
}
