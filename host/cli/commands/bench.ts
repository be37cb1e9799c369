/** Command `gridalloc bench`: measures the cost of allocation decisions. */

import { basename, join } from 'node:path';
import { type BenchPlan, isTimingTooNoisy, runBenchmark } from '../../bench/bench.js';
import { listAllocatorDeclarations } from '../../core/policies.js';
import { makeChunkedFile, writeUserFiles } from '../../files/fileSystem.js';
import { formatPercent } from '../../format/numbers.js';
import { parseWholeNumberList } from '../../notation.js';
import {
  BENCH_RESULT_FILE,
  formatDecisionTimesAsCsv,
  formatRunTimesAsCsv,
  makeBenchReport,
} from '../../reports/benchReport.js';
import {
  COMMON_COMMAND_OPTIONS,
  CORE_FILE_OPTION,
  getSimulationOptionDefinition,
} from '../../request/commandOptions.js';
import type { CommandOptionTable } from '../../request/definitions.js';
import { type CommandInput, makeInputReader } from '../../request/fromArguments.js';
import { parseListedPolicies } from '../../request/listedMethods.js';
import { stringifyDocument } from '../../results/documents.js';
import { formatReport } from '../../view/report.js';
import { drawReport, writeReport } from '../../view/reportFolder.js';
import type { Command } from '../command.js';
import type { CommandContext } from '../context.js';
import { loadUserCodeFiles } from '../loading.js';

/** Benchmark sizes that take about a minute, and sizes that take a few seconds. */
const FULL_BENCH_SIZES = {
  sites: '5,20,100,300,1000,3000,10000',
  queue: '0,100,10000,100000,1000000',
  running: '10,100,1000,10000,100000',
  batches: 15,
  runs: 5,
};
const QUICK_BENCH_SIZES = {
  sites: '5,100,1000,10000',
  queue: '0,1000',
  running: '10,1000',
  batches: 5,
  runs: 3,
};
const MAX_BENCH_SITES = 100_000;
const MAX_BENCH_QUEUED_JOBS = 10_000_000;
const MAX_BENCH_RUNNING_JOBS = 1_000_000;

const BENCH_OPTIONS = {
  quick: { describe: 'few sizes and short batches', isSwitch: true, group: 'Measurement:' },
  sites: { describe: 'numbers of sites', default: FULL_BENCH_SIZES.sites, group: 'Measurement:' },
  queue: { describe: 'numbers of waiting jobs', default: FULL_BENCH_SIZES.queue, group: 'Measurement:' },
  running: {
    describe: 'numbers of jobs running at once, for whole runs on five sites',
    default: FULL_BENCH_SIZES.running,
    group: 'Measurement:',
  },
  policy: {
    ...getSimulationOptionDefinition('policy'),
    describe:
      'allocators, or files with a function, whose times include preparing its arguments; may be repeated',
    default: 'all',
    isSetting: false,
    isRepeatable: true,
  },
  ...CORE_FILE_OPTION,
  out: {
    describe: 'a folder for bench.json, bench.csv, runs.csv, the figures and report.html',
    default: 'none',
    group: 'Output:',
  },
  ...COMMON_COMMAND_OPTIONS,
} satisfies CommandOptionTable;

/** Command `gridalloc bench`. */
export const benchCommand: Command<CommandInput<typeof BENCH_OPTIONS>> = {
  description:
    'Measures how long each allocator takes per decision, by number of sites and queue length, both scanning every site ' +
    '(scan) and using an index of free processors (index; simulations use it from 64 sites on), and how long whole runs take per job, by number of ' +
    'running jobs. Compares the growth with Shih et al. 2010. Timings include the start and end of the job, about ' +
    '15 ns. Both ways must find the same sites.',
  positionals: [],
  options: BENCH_OPTIONS,
  read: makeInputReader(BENCH_OPTIONS),
  examples: [
    ['gridalloc bench --quick', 'all allocators, in a few seconds'],
    ['gridalloc bench --policy ai2 --sites 5,100,10000 --queue 0,1000 --running 100', 'one allocator'],
    ['gridalloc bench --out costs', 'also as JSON, CSV and figures'],
    ['gridalloc bench --policy ./mine.mjs --policy best-fit', 'a function next to an allocator'],
  ],
  run: runBenchCommand,
};

function parseBenchPlan(commandInput: CommandInput<typeof BENCH_OPTIONS>): BenchPlan {
  const defaultSizes = commandInput.values.quick !== undefined ? QUICK_BENCH_SIZES : FULL_BENCH_SIZES;
  const parseSizes = (optionName: 'sites' | 'queue' | 'running', atLeast: number, atMost: number) =>
    parseWholeNumberList(commandInput.values[optionName] ?? defaultSizes[optionName], `--${optionName}`, {
      atLeast,
      atMost,
    });
  const sortAscending = (sizeValues: number[]) => [...new Set(sizeValues)].sort((a, b) => a - b);
  return {
    policies:
      commandInput.values.policy !== undefined
        ? parseListedPolicies(commandInput.values.policy)
        : listAllocatorDeclarations().map(({ name: policyName }) => policyName),
    sites: sortAscending(parseSizes('sites', 2, MAX_BENCH_SITES)),
    queues: sortAscending(parseSizes('queue', 0, MAX_BENCH_QUEUED_JOBS)),
    batchCount: defaultSizes.batches,
    running: sortAscending(parseSizes('running', 1, MAX_BENCH_RUNNING_JOBS)),
    runs: defaultSizes.runs,
  };
}

async function runBenchCommand(
  commandInput: CommandInput<typeof BENCH_OPTIONS>,
  context: CommandContext,
): Promise<number> {
  // Calls of these functions have no time limit.
  await loadUserCodeFiles({ policy: commandInput.values.policy?.join(',') ?? '' });
  const benchPlan = parseBenchPlan(commandInput);
  const benchResult = await runBenchmark(benchPlan, () => context.pause());
  const report = makeBenchReport(benchResult);
  const out = commandInput.values.out;
  if (out !== undefined) {
    const resultFileTexts = {
      [BENCH_RESULT_FILE]: stringifyDocument(benchResult),
      'bench.csv': formatDecisionTimesAsCsv(benchResult),
      'runs.csv': formatRunTimesAsCsv(benchResult),
    };
    const files = Object.entries(resultFileTexts).map(([name, text]) =>
      makeChunkedFile(join(out, name), [text]),
    );
    await writeUserFiles(out, files, context.io.signal);
    const pagePath = await writeReport(drawReport(report), out, context.io.signal);
    await context.printMessage(
      `written to ${out}: ${[...Object.keys(resultFileTexts), basename(pagePath)].join(', ')}`,
    );
  }
  if (isTimingTooNoisy(benchResult)) {
    await context.printMessage(
      `the machine is busy: timings vary by ${formatPercent(benchResult.noise)} (interquartile range / median)`,
    );
  }
  return context.printResult(benchResult, () =>
    formatReport(report, context.colors, context.io.stdout.columns),
  );
}
