/**
 * Measures reading of accounting files and tables: processor time, and peak memory of a process that does
 * nothing else. The same jobs are read as SWF, and with Python's csv module with the same columns converted,
 * for comparison.
 */
import { spawnSync } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { readTrace } from '../host/files/traceFiles.js';

const JOB_COUNT = 1_000_000;
const JOBS_PER_PIECE = 10_000;
const REPETITION_COUNT = 5;
const FIRST_SUBMIT_TIME = Date.UTC(2026, 0, 1) / 1000;

const SACCT_HEADER =
  'JobID|JobIDRaw|User|Account|Partition|Submit|Start|End|ElapsedRaw|TimelimitRaw|ReqCPUS|AllocCPUS|State';

/**
 * Python program that reads the same columns with the csv module and converts times, counts and names to
 * numbers.
 */
const PYTHON_PROGRAM = `
import csv, sys, time
from datetime import datetime
began = time.process_time()
numbers, rows, seconds, names = [], 0, lambda text: datetime.fromisoformat(text).timestamp(), {}
with open(sys.argv[1]) as log:
    for row in csv.DictReader(log, delimiter='|'):
        submit, start = seconds(row['Submit']), seconds(row['Start'])
        who = [names.setdefault((key, row[key]), len(names)) for key in ('User', 'Account', 'Partition', 'State')]
        numbers.append((int(row['JobIDRaw']), submit, start - submit, int(row['ElapsedRaw']), int(row['AllocCPUS']),
                        int(row['ReqCPUS']), 60 * int(row['TimelimitRaw']), *who))
print(time.process_time() - began)
`;

/**
 * Yields a log of pseudo-random jobs in pieces of text: the header, then many lines, one per job.
 */
function* makeLog(lineOfJob: (job: Job) => string, header: string): Generator<string> {
  let randomState = 1;
  const draw = (bound: number) => {
    randomState = (Math.imul(randomState, 1_103_515_245) + 12_345) >>> 0;
    return (randomState >>> 8) % bound;
  };
  yield header;
  let submit = 0;
  for (let firstJob = 1; firstJob <= JOB_COUNT; firstJob += JOBS_PER_PIECE) {
    let pieceText = '';
    for (let job = firstJob; job < firstJob + JOBS_PER_PIECE; job++) {
      submit += draw(60);
      const [wait, runtime, processors, timeLimit] = [
        draw(3600),
        1 + draw(64_800),
        1 << draw(8),
        30 * (1 + draw(100)),
      ];
      const [user, account, partition] = [1 + draw(400), 1 + draw(20), 1 + draw(5)];
      const status = Number(draw(10) > 0);
      pieceText += lineOfJob({
        job,
        submit,
        wait,
        runtime,
        processors,
        limit: timeLimit,
        user,
        account,
        partition,
        status,
      });
    }
    yield pieceText;
  }
}

interface Job {
  readonly job: number;
  readonly submit: number;
  readonly wait: number;
  readonly runtime: number;
  readonly processors: number;
  /** Time limit in minutes. */
  readonly limit: number;
  readonly user: number;
  readonly account: number;
  readonly partition: number;
  readonly status: number;
}

const isoDateOf = (seconds: number) =>
  new Date((FIRST_SUBMIT_TIME + seconds) * 1000).toISOString().slice(0, 19);

/** File formats: the first line of the file, and the line of a job. All hold the same jobs. */
const LOG_FORMATS = {
  swf: {
    first: `; UnixStartTime: ${FIRST_SUBMIT_TIME}\n`,
    line: ({ job, submit, wait, runtime, processors, ...more }: Job) =>
      `${job} ${submit} ${wait} ${runtime} ${processors} -1 -1 ${processors} ${60 * more.limit} -1 ${more.status} ` +
      `${more.user} ${more.account} -1 ${more.partition} ${more.partition} -1 -1\n`,
  },
  sacct: {
    first: `${SACCT_HEADER}\n`,
    line: ({ job, submit, wait, runtime, processors, ...more }: Job) =>
      `${job}|${job}|user${more.user}|account${more.account}|partition${more.partition}|${isoDateOf(submit)}|` +
      `${isoDateOf(submit + wait)}|${isoDateOf(submit + wait + runtime)}|${runtime}|${more.limit}|${processors}|${processors}|` +
      `${more.status === 1 ? 'COMPLETED' : 'FAILED'}\n`,
  },
  'Grid Engine': {
    first: '# Version: 8.1.9\n',
    line: ({ job, submit, wait, runtime, processors, ...more }: Job) =>
      `partition${more.partition}:node:account${more.account}:user${more.user}:sim:${job}:sge:0:${FIRST_SUBMIT_TIME + submit}:` +
      `${FIRST_SUBMIT_TIME + submit + wait}:${FIRST_SUBMIT_TIME + submit + wait + runtime}:0:${1 - more.status}:${runtime}:0.002:0.005:4660.000:0:0:0:0:561:0:` +
      `0:280.000:32:0:0:0:16:7:NONE:defaultdepartment:mpi:${processors}:0:0.008:0.000:0.000:-l h_rt=${60 * more.limit}:0.000:NONE:3686400.000:0:0\n`,
  },
  PBS: {
    first: '',
    line: ({ job, submit, wait, runtime, processors, ...more }: Job) => {
      const [creationTime, start] = [FIRST_SUBMIT_TIME + submit, FIRST_SUBMIT_TIME + submit + wait];
      return (
        `03/05/2026 11:00:00;E;${job}.srv;user=user${more.user} group=account${more.account} jobname=sim queue=partition${more.partition} ` +
        `ctime=${creationTime} qtime=${creationTime} etime=${creationTime} start=${start} exec_host=n1/0*${processors} Resource_List.ncpus=${processors} ` +
        `Resource_List.walltime=${60 * more.limit} session=1 end=${start + runtime} Exit_status=${1 - more.status} ` +
        `resources_used.walltime=${runtime}\n`
      );
    },
  },
  CSV: {
    first:
      'job_id,user_id,group_id,partition,submit_time,eligible_time,start_time,end_time,run_time,time_limit,num_cores_req,num_cores_alloc,job_state\n',
    line: ({ job, submit, wait, runtime, processors, ...more }: Job) =>
      `${job},user${more.user},account${more.account},partition${more.partition},${isoDateOf(submit)},${isoDateOf(submit)},` +
      `${isoDateOf(submit + wait)},${isoDateOf(submit + wait + runtime)},${runtime},${more.limit},${processors},${processors},` +
      `${more.status === 1 ? 'COMPLETED' : 'FAILED'}\n`,
  },
} as const;

/** Name of a file format in this benchmark. */
type FormatName = keyof typeof LOG_FORMATS;
const FORMAT_NAMES = Object.keys(LOG_FORMATS) as FormatName[];

/** Largest accepted processor time of reading, as a multiple of that of SWF. */
const MAX_TIME_RATIO: Readonly<Partial<Record<FormatName, number>>> = {
  sacct: 2.2,
  'Grid Engine': 3.3,
  PBS: 3.3,
  CSV: 3.3,
};
/**
 * Largest accepted peak memory, as a multiple of that of SWF; a few megabytes differ from run to
 * run.
 */
const MAX_MEMORY_RATIO = 1.03;

/**
 * Program that reads a log and prints the peak memory of its process, in kilobytes, and its heap of
 * JavaScript, in bytes.
 */
const READING_PROGRAM = `
const [library, path] = process.argv.slice(-2);
const { readTrace } = await import(library);
const { count } = await readTrace(path);
console.log(JSON.stringify({ count, peak: process.resourceUsage().maxRSS, heap: process.memoryUsage().heapTotal }));
`;

/** Memory of a process, in megabytes. */
interface ProcessMemory {
  readonly peak: number;
  readonly heap: number;
}

/** Runs a process that reads a log with the built library; returns its peak memory and heap in megabytes. */
function measureReadingMemory(path: string): ProcessMemory {
  const libraryUrl = new URL('../dist/index.js', import.meta.url).href;
  const args = ['--input-type=module', '-e', READING_PROGRAM, libraryUrl, path];
  const { stdout, stderr, status } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`reading ${path} alone failed: ${stderr}`);
  const { count, peak, heap } = JSON.parse(stdout) as ProcessMemory & { count: number };
  if (count !== JOB_COUNT) throw new Error(`${path} alone has ${count} jobs`);
  return { peak: peak / 1024, heap: heap / 1e6 };
}

/** Returns the smaller peak memory and the smaller heap of two measurements. */
function takeSmallerMemory(firstMemory: ProcessMemory, secondMemory: ProcessMemory): ProcessMemory {
  return {
    peak: Math.min(firstMemory.peak, secondMemory.peak),
    heap: Math.min(firstMemory.heap, secondMemory.heap),
  };
}

/** Returns one sentence for each limit on time or memory that a file format exceeded. */
function describeExceededLimits({ seconds, memory, pythonSeconds }: ReadingCosts): string[] {
  const { swf: secondsOfSwf } = seconds;
  const slowFormatMessages = FORMAT_NAMES.filter(
    (fileFormat) => seconds[fileFormat] / secondsOfSwf > (MAX_TIME_RATIO[fileFormat] ?? Infinity),
  ).map(
    (fileFormat) =>
      `${fileFormat} took ${(seconds[fileFormat] / secondsOfSwf).toFixed(2)} times as long as SWF, not ${MAX_TIME_RATIO[fileFormat]}`,
  );
  const largeMemoryMessages = FORMAT_NAMES.filter(
    (fileFormat) => memory[fileFormat].peak > MAX_MEMORY_RATIO * memory.swf.peak,
  ).map(
    (fileFormat) =>
      `${fileFormat} took ${memory[fileFormat].peak.toFixed(0)} MB, SWF ${memory.swf.peak.toFixed(0)} MB`,
  );
  const isPythonFaster = pythonSeconds !== undefined && pythonSeconds < seconds.sacct;
  return [
    ...slowFormatMessages,
    ...largeMemoryMessages,
    ...(isPythonFaster ? ["sacct is read faster by Python's csv module"] : []),
  ];
}

/** Cost of reading a file: processor seconds, and peak memory. */
interface ReadingCosts {
  readonly seconds: Readonly<Record<FormatName, number>>;
  readonly memory: Readonly<Record<FormatName, ProcessMemory>>;
  readonly pythonSeconds: number | undefined;
}

/** Reads a log; returns the processor seconds used, and sums of its columns for comparison. */
async function timeOf(path: string): Promise<{ seconds: number; sums: string }> {
  const cpuUsageBefore = process.cpuUsage();
  const { columns: swfColumns, count: recordCount } = await readTrace(path);
  const { user, system } = process.cpuUsage(cpuUsageBefore);
  const { wait, runtime, processors, requestedTime } = swfColumns;
  const columnSums = [wait, runtime, processors, requestedTime].map((column) =>
    column.reduce((sum, value) => sum + value, 0),
  );
  return { seconds: (user + system) / 1e6, sums: [recordCount, ...columnSums].join() };
}

/**
 * Reads a million equal jobs in each format, alternately; the minimum times and memory count.
 * @param isCheckOnly true to check only that all formats give the same jobs.
 * @throws Error if a limit is exceeded.
 */
export async function benchAccounting(isCheckOnly = false): Promise<ReadingCosts> {
  const folder = await mkdtemp(join(tmpdir(), 'gridalloc-bench-'));
  const pathOfFile = (fileFormat: FormatName) => join(folder, `${FORMAT_NAMES.indexOf(fileFormat)}.log`);
  const makeRecordByFormat = <T>(value: T) =>
    Object.fromEntries(FORMAT_NAMES.map((fileFormat) => [fileFormat, value])) as Record<FormatName, T>;
  try {
    for (const fileFormat of FORMAT_NAMES) {
      const { first, line: makeLine } = LOG_FORMATS[fileFormat];
      await pipeline(Readable.from(makeLog(makeLine, first)), createWriteStream(pathOfFile(fileFormat)));
    }
    const seconds = makeRecordByFormat(Number.POSITIVE_INFINITY);
    const memoryByFormat = makeRecordByFormat<ProcessMemory>({
      peak: Number.POSITIVE_INFINITY,
      heap: Number.POSITIVE_INFINITY,
    });
    let expectedSumsText: string | undefined;
    for (let repetition = 0; repetition < REPETITION_COUNT; repetition++) {
      for (const fileFormat of FORMAT_NAMES) {
        const timedReading = await timeOf(pathOfFile(fileFormat));
        expectedSumsText ??= timedReading.sums;
        if (timedReading.sums !== expectedSumsText)
          throw new Error(
            `${fileFormat} was read wrongly: ${timedReading.sums} instead of ${expectedSumsText}`,
          );
        seconds[fileFormat] = Math.min(seconds[fileFormat], timedReading.seconds);
        if (!isCheckOnly)
          memoryByFormat[fileFormat] = takeSmallerMemory(
            memoryByFormat[fileFormat],
            measureReadingMemory(pathOfFile(fileFormat)),
          );
      }
    }
    const pythonProcessResult = spawnSync('python3', ['-c', PYTHON_PROGRAM, pathOfFile('sacct')], {
      encoding: 'utf8',
    });
    const pythonSeconds = pythonProcessResult.status === 0 ? Number(pythonProcessResult.stdout) : undefined;
    const exceededLimitMessages = isCheckOnly
      ? []
      : describeExceededLimits({ seconds, memory: memoryByFormat, pythonSeconds });
    if (exceededLimitMessages.length > 0) throw new Error(exceededLimitMessages.join('; '));
    return { seconds, memory: memoryByFormat, pythonSeconds };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
