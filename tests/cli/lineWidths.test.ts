import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { computeUniformNumberOfSeed } from '../../host/math/random.js';
import { doesRunAllCases, sampleTestCases } from '../cases.js';
import { runGridalloc } from '../runs/childProcess.js';
import { reduceStudy } from '../smallStudies.js';
import { makeTemporaryFolder } from '../temporaryFolder.js';

const MODEL = 'lublin99[jobs=200,seed=1]';
/**
 * Metrics whose values print wide: means of many digits, wide bounds, shares, and a class with a
 * long name.
 */
const METRICS_WITH_LONG_NAMES = [
  'averageResponseTime',
  'p95Wait',
  'utilization',
  'meanBoundedSlowdown[class=long wide]',
];
/** Options for methods with long names, some without a place to break the line. */
const METHODS = ['--policy', 'best-fit,ti[sht=0.05,slt=1.5],tai[sht=0.05,slt=1.5,count=all],tai2'];
const SITES = ['--sites', '64,128', '--speeds', '1,2'];

/** Text of a log of nine months whose load exceeds the machine. */
function makeOverloadedLog(seed = 0): string {
  const lines = Array.from({ length: 240 }, (_, i) => {
    const drawNumber = (upperBound: number) => computeUniformNumberOfSeed(upperBound + 3 * seed, i + 1);
    const runtime = 3600 + Math.floor(400_000 * drawNumber(1) ** 2);
    const processors = 1 + Math.floor(8 * drawNumber(2));
    const submit = Math.floor(100_000 * (i + drawNumber(3)));
    return `${i + 1} ${submit} -1 ${runtime} ${processors} -1 -1 ${processors} ${2 * runtime} -1 1 ${1 + (i % 12)} ${1 + (i % 3)} -1 1 -1 -1 -1`;
  });
  return `; Version: 2.2\n; UnixStartTime: 0\n; MaxProcs: 8\n${lines.join('\n')}\n`;
}

/** Text of a log with 12,000 jobs, whose numbers of waiting jobs are long. */
function makeManyJobsLog(): string {
  const lines = Array.from(
    { length: 12_000 },
    (_, i) => `${i + 1} ${3000 * i} -1 3600 1 -1 -1 1 -1 -1 1 1 1 -1 1 -1 -1 -1`,
  );
  return `; Version: 2.2\n; UnixStartTime: 800000000\n; MaxProcs: 8\n${lines.join('\n')}\n`;
}

/**
 * Text of a log of array tasks by users and accounts with long names, in two partitions; some jobs
 * are unfinished.
 */
function makeArrayTaskLog(): string {
  const lines = Array.from({ length: 400 }, (_, i) => {
    const [submit, start] = [1_772_000_000 + 977 * i, 1_772_000_000 + 1977 * i];
    const jobState = i % 40 === 7 ? 'PENDING' : i % 9 === 4 ? 'CANCELLED' : 'COMPLETED';
    const userAccountAndPartitionCells = `user-with-name-${i % 5}|account-name-${i % 3}|${i % 4 === 0 ? 'debug' : 'main-partition'}`;
    return `400121_${i}|${500_000 + i}|${userAccountAndPartitionCells}|${submit}|${start}|${start + 5000 + i}|${5000 + i}|${1 + (i % 64)}|${jobState}|1000`;
  });
  return `JobID|JobIDRaw|User|Account|Partition|Submit|Start|End|ElapsedRaw|AllocCPUS|State|TimelimitRaw\n${lines.join('\n')}\n`;
}

/** Text of a study; if cases are sampled, it is reduced to the settings that its checks name. */
const reduceStudyTextIfSampled = (studyText: string) =>
  doesRunAllCases
    ? studyText
    : studyText.replace('0, 0.06, 0.12, 0.18, 0.24', '0, 0.24').replace(/, (?:400, 350|9\.5, 9), /g, ', ');

describe('No line has more than 80 characters, except for commands and names of files', () => {
  const folder = makeTemporaryFolder();
  const writeFileInFolder = (fileName: string, fileText: string) => {
    const path = join(folder, fileName);
    writeFileSync(path, fileText);
    return path;
  };
  const logFile = writeFileInFolder('a.swf', makeOverloadedLog());
  const logs = [
    logFile,
    ...['b', 'c'].map((name, i) => writeFileInFolder(`${name}.swf`, makeOverloadedLog(i + 1))),
  ];
  const tasks = writeFileInFolder('arrays.txt', makeArrayTaskLog());
  const resultFolderOf = (discipline: string) => join(folder, `results-${discipline}`);
  beforeAll(async () => {
    const resultOfSimulateCommand = await runGridalloc([
      'simulate',
      tasks,
      '--out',
      resultFolderOf('tasks'),
      '--quiet',
    ]);
    expect(resultOfSimulateCommand).toMatchObject({ exitCode: 0 });
    for (const discipline of ['fcfs', 'easy', 'conservative']) {
      const options = ['--discipline', discipline, '--out', resultFolderOf(discipline), '--quiet'];
      const { exitCode, stderr } = await runGridalloc([
        'simulate',
        MODEL,
        '--estimates',
        'exact',
        ...SITES,
        ...options,
      ]);
      expect(exitCode, stderr).toBe(0);
    }
  });
  const writeReducedStudy = (studyName: string) =>
    writeFileInFolder(
      `${studyName}.yaml`,
      reduceStudyTextIfSampled(reduceStudy(studyName, { draws: 20, jobs: 60 })),
    );
  const makeReplicationWords = (replicationCount = 20) => ['--replications', String(replicationCount)];
  const makeMetricWords = (metricCount: number) => [
    '--metric',
    METRICS_WITH_LONG_NAMES.slice(0, metricCount).join(),
  ];
  const isComplete = (line: string) => line.includes('gridalloc ') || line.includes(folder);

  const commands: [name: string, words: string[]][] = [
    ['compare', ['compare', MODEL, ...SITES]],
    ['compare --npir', ['compare', MODEL, ...SITES, '--npir']],
    ['compare on a log', ['compare', logFile]],
    ...[1, 2, 4].flatMap((count): [string, string[]][] => [
      [`compare by ${count} metrics`, ['compare', MODEL, ...SITES, ...METHODS, ...makeMetricWords(count)]],
      [
        `compare by ${count} metrics over replications`,
        ['compare', MODEL, ...SITES, ...METHODS, ...makeMetricWords(count), ...makeReplicationWords()],
      ],
    ]),
    [
      'too few replications',
      ['compare', MODEL, ...SITES, ...METHODS, ...makeMetricWords(2), ...makeReplicationWords(3)],
    ],
    ['compare --by', ['compare', logFile, '--by', 'class,user', ...makeMetricWords(2)]],
    [
      'compare --by over replications',
      ['compare', logFile, '--by', 'class,user', ...makeMetricWords(3), ...makeReplicationWords()],
    ],
    [
      'pieces of a log',
      ['compare', logFile, '--load', '3', '--metric', 'meanWait,p95Wait', ...makeReplicationWords(10)],
    ],
    [
      'resampled weeks',
      ['compare', logFile, '--perturb', 'resample', ...makeMetricWords(2), ...makeReplicationWords()],
    ],
    ['several logs', ['compare', ...logs, ...makeMetricWords(2)]],
    [
      'several logs over replications',
      ['compare', ...logs, ...makeMetricWords(2), ...makeReplicationWords(3)],
    ],
    ['select best', ['compare', MODEL, ...SITES, ...METHODS, '--select-best', ...makeReplicationWords(30)]],
    [
      'until decided',
      ['compare', MODEL, ...SITES, ...METHODS, '--until-decided', ...makeReplicationWords(30)],
    ],
    ['simulate', ['simulate', MODEL, ...SITES]],
    ['simulate --by', ['simulate', logFile, '--by', 'class,user']],
    ['simulate over replications', ['simulate', MODEL, ...SITES, ...makeReplicationWords(10)]],
    [
      'simulate --by over replications',
      ['simulate', logFile, '--by', 'class,user', ...makeReplicationWords(10)],
    ],
    ['sweep', ['sweep', MODEL, ...SITES, '--vary', 'load=1,2,3,4,5,6,7,8', ...makeMetricWords(2)]],
    [
      'sweep over replications',
      [
        'sweep',
        MODEL,
        ...SITES,
        '--vary',
        'load=1,2',
        '--vary',
        'policy=bf,tai2',
        ...makeMetricWords(4),
        ...makeReplicationWords(),
      ],
    ],
    [
      'sweep of long names',
      [
        ...[
          'sweep',
          MODEL,
          ...SITES,
          '--vary',
          'policy=ti[sht=0.05|0.1],tai[sht=0.05,count=all],tai2[sht=0.05]',
        ],
        ...['--vary', 'load=1,2', ...makeMetricWords(2), ...makeReplicationWords()],
      ],
    ],
    ['study', ['study', 'run', writeReducedStudy('confidence-shih2010-models'), '--yes']],
    ['explain fcfs', ['explain', resultFolderOf('fcfs'), '--longest', '3']],
    ['explain easy', ['explain', resultFolderOf('easy'), '--longest', '3']],
    ['explain conservative', ['explain', resultFolderOf('conservative'), '--longest', '3']],
    ['diff', ['diff', resultFolderOf('fcfs'), resultFolderOf('easy')]],
    ['jobs', ['jobs', resultFolderOf('easy'), '--sort', 'wait', '--top', '5']],
    ['jobs with long names', ['jobs', tasks]],
    ['jobs by account', ['jobs', tasks, '--account', 'account-name-1', '--user', 'user-with-name-2']],
    [
      'simulate with filters',
      ['simulate', tasks, '--filter', 'partition=main-partition', '--filter', 'first=300'],
    ],
    ['compare with filters', ['compare', tasks, '--filter', 'partition=main-partition']],
    ['explain tasks', ['explain', resultFolderOf('tasks'), '--longest', '3']],
    ['diff of tasks', ['diff', resultFolderOf('tasks'), resultFolderOf('tasks')]],
    ['trace info', ['trace', 'info', writeFileInFolder('many.swf', makeManyJobsLog())]],
    [
      'study run --dry-run',
      ['study', 'run', writeReducedStudy('confidence-shih2010-models'), '--yes', '--dry-run'],
    ],
    ['trace check', ['trace', 'check', logFile]],
    ...[
      ['trace', 'formats'],
      ['trace', 'models'],
      ['trace', 'presets'],
      ['policies'],
      ['metrics'],
      ['study', 'list'],
    ].map((commandWords): [string, string[]] => [commandWords.join(' '), commandWords]),
    ['conformance', ['conformance']],
    [
      'conformance of what follows no rule',
      [
        'conformance',
        '--against',
        'grep -v "^;" {log} | awk \'{ print $1, 7 * $1 }\' > {out} # {processors}',
      ],
    ],
  ];

  test.each(sampleTestCases(commands))('%s', { timeout: 180_000 }, async (name, commandWords) => {
    const out = /^(?:sweep|study)(?! list)/.test(name)
      ? ['--out', join(folder, name.replaceAll(' ', '-'))]
      : [];
    const threads = out.length > 0 || commandWords.includes('--replications') ? ['--threads', '1'] : [];
    const args = [...commandWords, ...out, ...threads, '--quiet'];
    const { exitCode, stdout, stderr } = await runGridalloc(args, { columns: 80 });
    expect(exitCode, stderr).toBe(0);
    const linesOver80Characters = stdout.split('\n').filter((line) => line.length > 80 && !isComplete(line));
    expect(linesOver80Characters).toEqual([]);
  });
});
