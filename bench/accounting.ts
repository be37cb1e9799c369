/** How fast accounting is read, beside SWF of the same jobs and Python's csv module with the same columns converted: processor time. */
import { spawnSync } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { readTrace } from '../host/files/traceFiles.js';

const JOBS = 1_000_000;
const PIECE = 10_000;
const RUNS = 3;
const BEGIN = Date.UTC(2026, 0, 1) / 1000;

const NAMES =
  'JobID|JobIDRaw|User|Account|Partition|Submit|Start|End|ElapsedRaw|TimelimitRaw|ReqCPUS|AllocCPUS|State';

/** Reads the same columns, and makes numbers of times, counts and names. */
const PYTHON = `
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

/** The jobs as the text of a line each. */
function* makeLog(line: (job: Job) => string, header: string): Generator<string> {
  let state = 1;
  const draw = (bound: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % bound;
  };
  yield header;
  let submit = 0;
  for (let first = 1; first <= JOBS; first += PIECE) {
    let text = '';
    for (let job = first; job < first + PIECE; job++) {
      submit += draw(60);
      const [wait, runtime, processors, limit] = [
        draw(3600),
        1 + draw(64_800),
        1 << draw(8),
        30 * (1 + draw(100)),
      ];
      const [user, account, partition] = [1 + draw(400), 1 + draw(20), 1 + draw(5)];
      const status = Number(draw(10) > 0);
      text += line({ job, submit, wait, runtime, processors, limit, user, account, partition, status });
    }
    yield text;
  }
}

interface Job {
  readonly job: number;
  readonly submit: number;
  readonly wait: number;
  readonly runtime: number;
  readonly processors: number;
  /** Minutes. */
  readonly limit: number;
  readonly user: number;
  readonly account: number;
  readonly partition: number;
  readonly status: number;
}

const dateOf = (seconds: number) => new Date((BEGIN + seconds) * 1000).toISOString().slice(0, 19);

const swfLine = ({ job, submit, wait, runtime, processors, ...more }: Job) =>
  `${job} ${submit} ${wait} ${runtime} ${processors} -1 -1 ${processors} ${60 * more.limit} -1 ${more.status} ` +
  `${more.user} ${more.account} -1 ${more.partition} ${more.partition} -1 -1\n`;

const sacctLine = ({ job, submit, wait, runtime, processors, ...more }: Job) =>
  `${job}|${job}|user${more.user}|account${more.account}|partition${more.partition}|${dateOf(submit)}|` +
  `${dateOf(submit + wait)}|${dateOf(submit + wait + runtime)}|${runtime}|${more.limit}|${processors}|${processors}|` +
  `${more.status === 1 ? 'COMPLETED' : 'FAILED'}\n`;

/** Processor seconds of reading a log, and the sums of what was read. */
async function timeOf(path: string): Promise<{ seconds: number; sums: number[] }> {
  const before = process.cpuUsage();
  const { columns, count } = await readTrace(path);
  const { user, system } = process.cpuUsage(before);
  const { wait, runtime, processors, requestedTime } = columns;
  const sums = [wait, runtime, processors, requestedTime].map((column) =>
    column.reduce((sum, value) => sum + value, 0),
  );
  return { seconds: (user + system) / 1e6, sums: [count, ...sums] };
}

/** Reads a million jobs in each form, alternately; the best times count. Both must hold the same jobs. */
export async function benchAccounting(): Promise<{
  swfSeconds: number;
  sacctSeconds: number;
  pythonSeconds: number | undefined;
}> {
  const folder = await mkdtemp(join(tmpdir(), 'gridalloc-bench-'));
  try {
    const [swf, sacct] = [join(folder, 'log.swf'), join(folder, 'log.txt')];
    const header = `; UnixStartTime: ${BEGIN}\n`;
    await pipeline(Readable.from(makeLog(swfLine, header)), createWriteStream(swf));
    await pipeline(Readable.from(makeLog(sacctLine, `${NAMES}\n`)), createWriteStream(sacct));
    let [swfSeconds, sacctSeconds] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
    for (let run = 0; run < RUNS; run++) {
      const [plain, accounting] = [await timeOf(swf), await timeOf(sacct)];
      if (JSON.stringify(plain.sums) !== JSON.stringify(accounting.sums)) {
        throw new Error(`the accounting was read wrongly: ${accounting.sums} instead of ${plain.sums}`);
      }
      swfSeconds = Math.min(swfSeconds, plain.seconds);
      sacctSeconds = Math.min(sacctSeconds, accounting.seconds);
    }
    const python = spawnSync('python3', ['-c', PYTHON, sacct], { encoding: 'utf8' });
    const pythonSeconds = python.status === 0 ? Number(python.stdout) : undefined;
    return { swfSeconds, sacctSeconds, pythonSeconds };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
