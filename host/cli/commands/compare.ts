/** gridalloc compare: the allocation methods of Shih et al. 2010 side by side, with the time they take. */

import { countOf, formatMeasure, formatNumber } from '../../format/numbers.js';
import { Simulator } from '../../simulate/simulator.js';
import { summarize } from '../../simulate/summary.js';
import { type ComparedRun, comparisonDocument, comparisonText, rankRuns } from '../../text/comparison.js';
import { accountingText } from '../../text/simulation.js';
import { sourceName } from '../../trace/quote.js';
import type { Arguments } from '../arguments.js';
import type { Command } from '../command.js';
import type { Context } from '../context.js';
import { type Experiment, prepareExperiment, runToEnd } from '../experiment.js';
import { COMMON_OPTIONS, SETTING_OPTIONS, WORKLOAD, WORKLOAD_HELP } from '../options.js';

/** What `gridalloc compare` takes when nothing is said: the setting of Shih et al. 2010 with the Lublin99 model. */
const COMPARE_DEFAULTS = {
  workload: 'lublin99[aarr=9,jobs=30000,seed=1]',
  policies: 'best-fit,fastest-first,si,ti,ai,ai2,tai,tai2',
  sites: '8,128,128,128,50',
  speeds: 'draw[sh=0.12,seed=1]',
  timeResolution: 'nearest',
} as const;

/** gridalloc compare. */
export const compareCommand: Command = {
  description: [
    'Runs the eight allocation methods of Shih et al. 2010 (or those of --policy) over one workload and shows them ' +
      'side by side, with the time that the simulation takes.',
    WORKLOAD_HELP,
    `Without options: ${COMPARE_DEFAULTS.workload} on sites of ${COMPARE_DEFAULTS.sites} processors with speeds ${COMPARE_DEFAULTS.speeds}.`,
  ].join('\n\n'),
  positionals: [{ ...WORKLOAD, isOptional: true }],
  options: {
    ...SETTING_OPTIONS,
    sites: { ...SETTING_OPTIONS.sites, default: `those of the preset, else ${COMPARE_DEFAULTS.sites}` },
    speeds: {
      ...SETTING_OPTIONS.speeds,
      default: `${COMPARE_DEFAULTS.speeds}; all 1 for fewer than three sites`,
    },
    policy: {
      ...SETTING_OPTIONS.policy,
      describe: 'the policies to compare, with commas or repeated (see gridalloc policies)',
      default: COMPARE_DEFAULTS.policies,
      isRepeatable: true,
    },
    'time-resolution': { ...SETTING_OPTIONS['time-resolution'], default: COMPARE_DEFAULTS.timeResolution },
    ...COMMON_OPTIONS,
  },
  examples: [
    ['gridalloc compare', 'a first look'],
    ['gridalloc compare --load 1.2', 'the same jobs, longer: a busier grid'],
    ['gridalloc compare sdsc-sp2.swf.gz --preset shih2010 --load 2', 'a real log'],
    ['gridalloc compare --policy best-fit,worst-fit,random', 'other policies'],
  ],
  run: run,
};

/** Each policy runs so often; the fastest run counts. */
const REPETITIONS = 3;
/** Speeds can be drawn for so many sites or more. */
const FEWEST_SITES_DRAWN = 3;

async function run(args: Arguments, context: Context): Promise<number> {
  const experiment = await prepareExperiment(
    args.words[0] ?? COMPARE_DEFAULTS.workload,
    withDefaults(args),
    context,
  );
  const runs = rankRuns(await runAll(experiment, context));
  if (args.has('json')) {
    const { capacities, speeds } = experiment.grid;
    await context.printJson({
      workload: experiment.workload.name,
      capacities,
      speeds,
      ...comparisonDocument(runs),
    });
    return 0;
  }
  await context.print(`${describe(experiment)}\n`);
  await context.print(comparisonText(runs, context.colors));
  await context.print(
    `\n${explanation(
      experiment,
      runs.some((each) => each.improvementRatio !== undefined),
    )}`,
  );
  return 0;
}

function withDefaults(args: Arguments): Arguments {
  const { policies, sites, speeds, timeResolution } = COMPARE_DEFAULTS;
  let filled = args.withDefaults({ policy: policies, 'time-resolution': timeResolution });
  if (!args.has('preset')) filled = filled.withDefaults({ sites });
  const count = filled.text('sites')?.split(',').length ?? sites.split(',').length;
  const isDrawn = !args.has('heterogeneity') && count >= FEWEST_SITES_DRAWN;
  return isDrawn ? filled.withDefaults({ speeds }) : filled;
}

async function runAll({ workload, configurations }: Experiment, context: Context): Promise<ComparedRun[]> {
  const simulator = new Simulator(workload);
  const runs: ComparedRun[] = [];
  // The first runs of a fresh core are slow: its code is still being optimized.
  await runToEnd(simulator, configurations[0], context);
  for (const configuration of configurations) {
    let nanoseconds = Infinity;
    for (let repetition = 0; repetition < REPETITIONS; repetition++) {
      nanoseconds = Math.min(nanoseconds, await runToEnd(simulator, configuration, context));
    }
    runs.push({
      policy: configuration.policy,
      summary: summarize(simulator),
      nanosecondsPerJob: nanoseconds / workload.count,
    });
  }
  return runs;
}

function describe({ workload, grid }: Experiment): string {
  const account = accountingText(workload.accounting);
  const sites = grid.capacities.map(
    (capacity, site) => `${formatNumber(capacity)} x ${formatMeasure(grid.speeds[site])}`,
  );
  return [
    `${countOf(workload.count, 'job')} of ${sourceName(workload.name)}`,
    ...(account === '' ? [] : [account]),
    `${countOf(sites.length, 'site')}, processors x speed: ${sites.join(', ')}`,
  ].join('\n');
}

function explanation({ settings }: Experiment, hasRatio: boolean): string {
  const { workload } = settings;
  const word = /^[\w./-]+$/.test(workload) ? workload : `'${workload}'`;
  const lines = [
    'response: average response time, submit to end; * marks the best',
    ...(hasRatio
      ? ['NPIR: improvement on the better of best-fit and fastest-first (Shih et al. 2010, eq. 23)']
      : []),
    'queue: waiting jobs as seen by submits and finishes, on average',
    'took ...: placements where best-fit and fastest-first differed, and whose site was taken',
    'ns/job: wall-clock time of the whole simulation',
    '',
    'Best-fit keeps room for wide jobs, fastest-first shortens executions; which of them wins depends on how busy',
    'the grid is and how much its sites differ, and the methods below them try to tell. Try next:',
    `  gridalloc compare ${word} --load 1.2`,
    `  gridalloc compare ${word} --speeds 'draw[sh=0.24,seed=2]'`,
    '  gridalloc compare FILE.swf.gz',
    '  gridalloc simulate --help',
  ];
  return lines.join('\n');
}
