/** Memory and speed of `simulate --stream` on a model and on a log from a pipe, for few and for many jobs. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { SeededDraws } from '../tests/reference/cases/draws.js';
import { formatBenchTable } from './table.js';

const PROGRAM_PATH = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));
/** Numbers of jobs; `--check` simulates one hundredth of them. */
const FEWER_JOBS_COUNT = 1_000_000;
const MORE_JOBS_COUNT = 8_000_000;
/**
 * Largest accepted peak memory in MiB, and least accepted ratio of the jobs per second of many to those of
 * few jobs.
 */
const RESOURCE_BOUNDS = { memory: 256, speed: 0.8 };
/** Largest accepted growth of the peak memory from few jobs to many; garbage collection makes it vary. */
const MAX_MEMORY_GROWTH = 1.4;
const LINES_PER_WRITE = 5000;

/** Result of a run in a process of its own. */
interface StreamedCommandResult {
  readonly jobs: number;
  /** Processor time of the process in seconds. */
  readonly seconds: number;
  /** Peak memory of the process in MiB. */
  readonly memory: number;
}

/** Code that prints memory and processor time of a process at its end, to the standard error output. */
const EXIT_REPORT_CODE = `process.on('exit', () => {
  const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
  process.stderr.write(JSON.stringify({ memory: maxRSS / 1024, seconds: (userCPUTime + systemCPUTime) / 1e6 }));
})`;

/** Lines of a log whose queue stays short on 128 processors. */
function* makeLogLines(count: number): Generator<string> {
  const random = new SeededDraws(1);
  yield '; MaxProcs: 128\n';
  for (let job = 1, submit = 0; job <= count; job++) {
    submit += 1 + random.below(40);
    const [runtime, processors] = [1 + random.below(200), 1 + random.below(16)];
    yield `${job} ${submit} -1 ${runtime} ${processors} -1 -1 ${processors} ${2 * runtime} -1 1 ${random.below(50)} 1 -1 1 -1 -1 -1\n`;
  }
}

/** Runs the command with lines as its standard input. */
async function runCommand(
  commandWords: readonly string[],
  stdinLines: Iterable<string> = [],
): Promise<StreamedCommandResult> {
  const exitReportUrl = `data:text/javascript,${encodeURIComponent(EXIT_REPORT_CODE)}`;
  const programArguments = [
    '--import',
    exitReportUrl,
    PROGRAM_PATH,
    'simulate',
    ...commandWords,
    '--stream',
    '--json',
    '--quiet',
  ];
  const childProcess = spawn(process.execPath, programArguments);
  const outputTextByStream = { stdout: '', stderr: '' };
  for (const streamName of ['stdout', 'stderr'] as const)
    childProcess[streamName].setEncoding('utf8').on('data', (text: string) => {
      outputTextByStream[streamName] += text;
    });
  const exitCodePromise = new Promise<number | null>((resolve) => childProcess.on('close', resolve));
  let chunkLines: string[] = [];
  const write = async () => {
    const text = chunkLines.join('');
    chunkLines = [];
    if (!childProcess.stdin.write(text))
      await new Promise<void>((resolve) => childProcess.stdin.once('drain', resolve));
  };
  for (const line of stdinLines) if (chunkLines.push(line) === LINES_PER_WRITE) await write();
  childProcess.stdin.end(chunkLines.join(''));
  if ((await exitCodePromise) !== 0) throw new Error(`simulate --stream: ${outputTextByStream.stderr}`);
  return { ...JSON.parse(outputTextByStream.stderr), jobs: JSON.parse(outputTextByStream.stdout).jobs };
}

/**
 * Checks that all jobs are simulated; unless `isCheckOnly`, also that peak memory and speed with many jobs
 * are about those with few.
 */
export async function benchStreams(isCheckOnly: boolean): Promise<void> {
  const runCommandByInputKind = {
    model: (jobCount: number) => runCommand([`lublin99[jobs=${jobCount}]`, '--sites', '256']),
    pipe: (jobCount: number) => runCommand(['-', '--discipline', 'easy'], makeLogLines(jobCount)),
  };
  const rows: (string | number)[][] = [];
  for (const [runName, run] of Object.entries(runCommandByInputKind)) {
    const [fewJobs, manyJobs] = [FEWER_JOBS_COUNT, MORE_JOBS_COUNT].map((jobCount) =>
      isCheckOnly ? jobCount / 100 : jobCount,
    ) as [number, number];
    const results = [await run(fewJobs), await run(manyJobs)] as const;
    if (results[0].jobs !== fewJobs || results[1].jobs !== manyJobs)
      throw new Error(`${runName}: jobs are missing`);
    const [speedOfFew, speedOfMany] = results.map(({ jobs, seconds }) => jobs / seconds) as [number, number];
    const memoryRatio = results[1].memory / results[0].memory;
    const speedRatio = speedOfMany / speedOfFew;
    rows.push([
      ...[runName, results[0].memory.toFixed(0), results[1].memory.toFixed(0), memoryRatio.toFixed(2)],
      ...[(speedOfMany / 1e6).toFixed(2), speedRatio.toFixed(2)],
    ]);
    if (isCheckOnly) continue;
    if (
      results[1].memory > RESOURCE_BOUNDS.memory ||
      memoryRatio > MAX_MEMORY_GROWTH ||
      speedRatio < RESOURCE_BOUNDS.speed
    ) {
      throw new Error(
        `simulate --stream, ${runName}: expected at most ${RESOURCE_BOUNDS.memory} MiB, ${MAX_MEMORY_GROWTH} times the memory and at least ${RESOURCE_BOUNDS.speed} times the speed of ${fewJobs} jobs; found ${rows.at(-1)!.join(', ')}`,
      );
    }
  }
  console.log('streams: all jobs are simulated');
  if (isCheckOnly) return;
  const peakMemoryLabel = (jobCount: number) => `peak MiB, ${jobCount} jobs`;
  console.log(
    formatBenchTable(
      [
        'source',
        peakMemoryLabel(FEWER_JOBS_COUNT),
        peakMemoryLabel(MORE_JOBS_COUNT),
        'ratio',
        'million jobs per s of processor time',
        'ratio to few',
      ],
      rows,
    ),
  );
}
