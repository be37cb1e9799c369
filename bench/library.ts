/** Times runs on the native library and on WebAssembly, and the cost of forks and changes during a run. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CoreRun, instantiateCore, makeJobs, type RunSettings } from '../host/core/host.js';
import type { Core } from '../host/core/module.js';
import { makePolicyOptions, setCoreRunOptions } from '../host/core/runSettings.js';
import { coreFile } from '../host/files/coreFile.js';
import type { Workload } from '../host/workload/workload.js';
import { hashOfSchedule, loadBenchWorkload, SITES, writeJobsFile } from './runs.js';
import { formatBenchTable } from './table.js';
import { measureLeastTime, measureLeastTimes } from './timing.js';

const LOAD = 2.5;

const sites: RunSettings['sites'] = {
  Capacity: SITES.capacities,
  Speed: SITES.speeds,
  Load: SITES.speeds.map(() => LOAD),
};

const RUNS: readonly (readonly [name: string, settings: Omit<RunSettings, 'sites'>])[] = [
  ['best-fit', {}],
  ['fastest-first', { policy: 'fastest-first' }],
  ['ai2', { policy: 'ai2' }],
  ['tai2', { policy: 'tai2' }],
  ['shortest first', { options: { Order: 'Shortest' } }],
  ['queue per home, reclaiming', { options: { Topology: 'PerHome', Reclaim: 1, MinSpeedRatio: 1 } }],
  ['split adaptively', { options: { MultiSite: 'Adaptive', MultiSiteOverhead: 0.3 } }],
  ['scaled down by prediction', { options: { Moldable: 'Down', MoldableThreshold: 1 } }],
  ['EASY', { options: { Discipline: 'Easy', Selection: 'Greedy' } }],
];

/**
 * Compiles the program on the native library, which returns nanoseconds and hashes of runs; undefined without
 * wasm2c or a C compiler.
 */
function compileNativeLibraryRunner(
  jobsFile: string,
): ((runLines: readonly string[], repetitionCount: number) => number[][]) | undefined {
  if (['wasm2c', 'cc'].some((program) => spawnSync(program, ['--version']).error !== undefined)) {
    console.log('wasm2c or a compiler of C is not here: no comparison with the native library');
    return undefined;
  }
  const repositoryRoot = fileURLToPath(new URL('..', import.meta.url));
  execFileSync(process.execPath, [`${repositoryRoot}scripts/native.mjs`]);
  const libraryFolder = `${repositoryRoot}build/native`;
  const path = join(mkdtempSync(join(tmpdir(), 'gridalloc-library-')), 'library');
  const compilerWords = [
    `-I${libraryFolder}`,
    `${repositoryRoot}bench/native/library.c`,
    `-L${libraryFolder}`,
    '-lgridalloc',
    '-lm',
    '-o',
    path,
  ];
  execFileSync('cc', ['-O2', ...compilerWords]);
  return (runs, repetitionCount) => {
    const env = { ...process.env, LD_LIBRARY_PATH: libraryFolder };
    const output = execFileSync(path, [jobsFile, `${repetitionCount}`], {
      input: runs.join('\n'),
      env,
      encoding: 'utf8',
    });
    return output
      .trim()
      .split('\n')
      .map((line) => line.split(' ').map(Number));
  };
}

/** Formats a run for the native program: its options, number by number. */
function formatRunLine(
  { jobs }: CoreRun,
  { options: input = {}, policy }: Omit<RunSettings, 'sites'>,
): string {
  const options: [number, number][] = [];
  const setOption = (_: number, option: number, value: number) => options.push([option, value]);
  const core: Core = Object.create(jobs.core, { setOption: { value: setOption } });
  setCoreRunOptions(core, 0, input);
  if (policy !== undefined) setCoreRunOptions(core, 0, makePolicyOptions(core, policy));
  const { Capacity, Speed, Load = [] } = sites;
  const columns = [Capacity, Speed, Load].flatMap((column) => Array.from(column));
  return [Capacity.length, ...columns, options.length, ...options.flat()].join(' ');
}

function makeCoreRunOfWorkload({ submit, runtime, processors, home }: Workload): CoreRun {
  const core = instantiateCore(readFileSync(coreFile('release')));
  return new CoreRun(
    makeJobs(core, { Submit: submit, Runtime: runtime, Processors: processors, Home: home }),
  );
}

function hash(run: CoreRun): number {
  return hashOfSchedule({
    start: run.column('Start'),
    execution: run.column('Execution'),
    site: run.column('Site'),
  });
}

/**
 * Checks that WebAssembly and the native library give the same bytes; unless `isCheckOnly`, times both
 * alternately.
 */
function benchRuns(workload: Workload, isCheckOnly: boolean): void {
  const nativeProgram = compileNativeLibraryRunner(writeJobsFile(workload));
  if (nativeProgram === undefined) return;
  const coreRun = makeCoreRunOfWorkload(workload);
  const settings = RUNS.map(([, configuration]) => ({ sites, ...configuration }));
  const [settingLines, hashes]: [string[], number[]] = [[], []];
  for (const setting of settings) {
    coreRun.begin(setting);
    settingLines.push(formatRunLine(coreRun, setting));
    coreRun.runUntil(Number.POSITIVE_INFINITY);
    hashes.push(hash(coreRun));
  }
  for (const [i, [, nativeHash]] of nativeProgram(settingLines, 1).entries()) {
    if (nativeHash !== hashes[i]) throw new Error(`${RUNS[i][0]}: the native library gives another schedule`);
  }
  console.log(`library: ${RUNS.length} runs give the same bytes on WebAssembly and on the native library`);
  if (isCheckOnly) return;
  const rows = RUNS.map(([name], i) => {
    const repeatRun = () => {
      coreRun.begin(settings[i]);
      coreRun.runUntil(Number.POSITIVE_INFINITY);
    };
    const [wasmTime, nativeTime] = measureLeastTimes(4, [
      () => measureLeastTime(5, repeatRun),
      () => nativeProgram([settingLines[i]], 5)[0][0],
    ]);
    const formatNanosecondsPerJob = (nanoseconds: number) => (nanoseconds / workload.count).toFixed(1);
    return [
      name,
      formatNanosecondsPerJob(wasmTime),
      formatNanosecondsPerJob(nativeTime),
      (wasmTime / nativeTime).toFixed(2),
    ];
  });
  console.log(formatBenchTable(['run', 'ns per job, Wasm', 'ns per job, library', 'Wasm / library'], rows));
}

/**
 * Checks that a run continued from a fork has the metrics of an uninterrupted one; unless `isCheckOnly`,
 * times forks and changes.
 */
function benchForksAndChanges(workload: Workload, isCheckOnly: boolean): void {
  const wholeRun = makeCoreRunOfWorkload(workload);
  const { core, table } = wholeRun.jobs;
  const settings = { sites, policy: 'tai2' };
  wholeRun.begin(settings);
  wholeRun.run();
  const expectedMetric = wholeRun.metric('AverageResponseTime');
  const forkedRun = new CoreRun(wholeRun.jobs);
  for (const coreRun of [wholeRun, forkedRun]) coreRun.begin(settings);
  wholeRun.runUntil(workload.submit[workload.count >> 1]);
  wholeRun.forkInto(forkedRun);
  forkedRun.run();
  if (forkedRun.metric('AverageResponseTime') !== expectedMetric)
    throw new Error('a fork gives other metrics');
  const [liveByteCount, allBytes] = [core.liveBytes(wholeRun.block), wholeRun.scalar('Bytes')];
  console.log(`forks: one of ${liveByteCount} bytes of ${allBytes} goes on as the run does`);
  if (isCheckOnly) return;
  wholeRun.forkInto(forkedRun);
  const coreMemoryBytes = new Uint8Array(core.memory.buffer);
  const measuredCalls: [name: string, repeats: number, work: () => void][] = [
    ['fork', 20_000, () => core.fork(wholeRun.block, forkedRun.block, table)],
    ['changePolicy', 20_000, () => core.changePolicy(forkedRun.block, table)],
    ['changeSpeeds', 20_000, () => core.changeSpeeds(forkedRun.block, table)],
    [
      'copy of the whole state',
      200,
      () => coreMemoryBytes.copyWithin(forkedRun.block, wholeRun.block, wholeRun.block + allBytes),
    ],
  ];
  const rows = measuredCalls.map(([name, repetitionCount, action]) => {
    const nanoseconds = measureLeastTime(20, () => {
      for (let i = 0; i < repetitionCount; i++) action();
    });
    return [name, (nanoseconds / repetitionCount).toFixed(0)];
  });
  console.log(formatBenchTable(['in the middle of the run', 'ns'], rows));
}

/** Checks the results; unless `isCheckOnly`, times them. */
export async function benchLibrary(isCheckOnly: boolean): Promise<void> {
  const workload = await loadBenchWorkload();
  benchRuns(workload, isCheckOnly);
  benchForksAndChanges(workload, isCheckOnly);
}
