/** Comparisons, and replications of one simulation, in a folder: a study, whose rounds follow from its looks, run here or by Slurm. */

import { join } from 'node:path';
import { stringify } from 'yaml';
import { InputError } from '../../errors.js';
import { hashText } from '../../files/hash.js';
import { absoluteFiles } from '../../files/logFiles.js';
import { firstOf } from '../../lists.js';
import { printSettings } from '../../options/document.js';
import { optionNamed } from '../../options/options.js';
import { metricsOfRuns, usualClassMetrics } from '../../runs/comparison.js';
import { planStudy } from '../../runs/planStudy.js';
import { lockPlan } from '../../runs/runsFolder.js';
import { metricId } from '../../simulate/jobMetrics.js';
import { methodNames } from '../../simulate/methodNames.js';
import type { NamedMetric } from '../../simulate/metric.js';
import type { RawStudy } from '../../study/schema.js';
import { makeStudy, type Study } from '../../study/study.js';
import type { Texts } from '../asked.js';
import type { Arguments } from '../command.js';
import { CODE_OPTIONS, COMMON_OPTIONS } from '../commandOptions.js';
import type { Compared } from '../compared.js';
import { shortNames } from '../comparedLogs.js';
import type { Context } from '../context.js';
import { ENGINE_OPTIONS, type Execution, executionOf } from '../executionOptions.js';
import { comparisonAskedBy, isReplicated } from '../replicated.js';
import { type Asked, prepareAsked, readComparison, writeComparison } from './comparedResults.js';
import { goOn, isStudyFolder, runRounds } from './studyRun.js';

/** Options that say how a comparison is run, not what it asks. */
const EXECUTION = [
  'threads',
  'no-sharing',
  'out',
  ...[ENGINE_OPTIONS, CODE_OPTIONS, COMMON_OPTIONS].flatMap(Object.keys),
];

/** Enough to tell the comparisons of one folder apart. */
const HASH_DIGITS = 8;

/** Runs a comparison, or what its folder lacks of it, or has Slurm do so, or shows what came of it; returns the exit code. */
export async function compareInFolder(given: Arguments, context: Context): Promise<number> {
  const args = EXECUTION.reduce((some, name) => some.without(name), given);
  const asked: Asked = { command: 'compare', words: args.words, options: args.all() };
  const text = JSON.stringify([asked.words, asked.options]);
  const out = given.text('out') ?? join('results', `compare-${hashText(text).slice(0, HASH_DIGITS)}`);
  return runAsked(asked, out, executionOf(given), context);
}

/** Runs the replications of a simulation that its folder lacks, and reports all of them; returns the exit code. */
export async function simulateInFolder(
  source: string,
  texts: Texts,
  given: Arguments,
  out: string,
  context: Context,
): Promise<number> {
  const options = Object.entries(texts).map(([name, text]) => [
    name,
    optionNamed(name).isSwitch ? [] : [text],
  ]);
  const replications = given.texts('replications');
  const asked: Asked = {
    command: 'simulate',
    words: [source],
    options: {
      ...Object.fromEntries(options),
      replications,
      ...(given.has('by') ? { by: given.texts('by') } : {}),
    },
  };
  return runAsked(asked, out, executionOf(given), context);
}

async function runAsked(asked: Asked, out: string, given: Execution, context: Context): Promise<number> {
  const { command, words, options } = asked;
  const textOf = (each: Asked) => JSON.stringify([each.command, each.words, each.options]);
  const present = readComparison(out);
  if (present !== undefined && textOf(present) !== textOf(asked)) {
    throw new InputError(`${out} holds another comparison; give another folder with --out`);
  }
  const execution = { ...given, allowCode: true };
  if (present !== undefined && isStudyFolder(out)) return goOn(out, execution, context);
  const compared = await prepareAsked(asked, context);
  const one = firstOf(compared);
  const draws = firstRound(one);
  const study = await studyOf(compared, draws, keptMetrics(command, one));
  const planned = await planStudy(study, {
    command: [command, ...words, ...Object.entries(options).flatMap(wordsOf)],
    draws,
    allowCode: true,
    allowMany: true,
    onProgress: () => context.pause(),
  });
  const unlock = await lockPlan(out, (sentence) => void context.say(sentence));
  try {
    await writeComparison(out, asked);
  } finally {
    unlock();
  }
  return runRounds(out, { study, planned }, execution, context);
}

function wordsOf([name, values]: readonly [string, readonly string[]]): string[] {
  return values.length === 0 ? [`--${name}`] : values.flatMap((value) => [`--${name}`, value]);
}

/** How many replications come first; undefined where there are none. */
function firstRound({ args, experiment }: Compared): number | undefined {
  return isReplicated(args) ? comparisonAskedBy(args, experiment.settings).looks[0] : undefined;
}

/** The metrics that the runs are asked for. */
function keptMetrics(command: Asked['command'], { args, experiment }: Compared): NamedMetric[] {
  const asked = comparisonAskedBy(args, experiment.settings);
  if (command === 'compare') return metricsOfRuns(experiment, asked);
  return [...asked.metrics, ...usualClassMetrics(experiment, asked.classes)];
}

/** The log or model of a comparison, and the sites that it runs on. */
function jobsOf({ args, experiment: { settings, grid } }: Compared): Texts {
  const workload = absoluteFiles(settings.workload);
  return args.has('preset') ? { workload } : { workload, sites: grid.capacities.join(',') };
}

/** The study that a comparison comes to: a part for each method, on each log where these are several, and a table for each metric. */
function studyOf(
  logs: readonly Compared[],
  count: number | undefined,
  kept: readonly NamedMetric[],
): Promise<Study> {
  const { args, experiment } = firstOf(logs);
  const { settings, methods, configurations } = experiment;
  const names = methodNames(configurations);
  const isOne = logs.length === 1;
  const ofLogs = shortNames(logs.map((log) => log.experiment.workload.name));
  const parts = logs.flatMap((log, i) =>
    names.map((name, method) => [
      isOne ? name : `${ofLogs[i]}: ${name}`,
      { simulate: isOne ? methods[method] : { ...jobsOf(log), ...methods[method] } },
    ]),
  );
  const asked = comparisonAskedBy(args, settings);
  const metrics = asked.metrics.map(({ name }) => name);
  const same = count === undefined ? 'the same jobs' : 'the same replications';
  const raw: RawStudy = {
    title: 'Comparison',
    description: `${ofLogs.join(', ')}: ${names.join(', ')} on ${same}.`,
    simulate: {
      ...jobsOf(firstOf(logs)),
      ...printSettings(settings),
    },
    parts: Object.fromEntries(parts),
    ...(count === undefined ? {} : { replications: { count } }),
    measures: Object.fromEntries(kept.map(({ name }) => [metricId(name), { metric: name }])),
    tables: Object.fromEntries(
      metrics.map((metric) => [
        metricId(metric),
        { title: metric, measures: metricId(metric), rows: 'part' },
      ]),
    ),
  };
  const text = stringify(raw, { aliasDuplicateObjects: false });
  return makeStudy(raw, { name: 'compare', text, locate: () => 'compare' });
}
