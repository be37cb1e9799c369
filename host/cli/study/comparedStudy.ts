/** A comparison over replications that Slurm runs: as a study, whose rounds follow from its looks. */

import { join } from 'node:path';
import { stringify } from 'yaml';
import { InputError } from '../../errors.js';
import { hashText } from '../../files/hash.js';
import { absoluteFiles } from '../../files/logFiles.js';
import { printSettings } from '../../options/document.js';
import { planStudy } from '../../runs/planStudy.js';
import { lockPlan } from '../../runs/runsFolder.js';
import { methodNames } from '../../show/methodNames.js';
import type { RawStudy } from '../../study/schema.js';
import type { Study } from '../../study/study.js';
import { makeStudy } from '../../study/study.js';
import type { Arguments } from '../command.js';
import { CODE_OPTIONS, COMMON_OPTIONS } from '../commandOptions.js';
import { type Compared, prepareComparison } from '../compared.js';
import type { Context } from '../context.js';
import { ENGINE_OPTIONS, executionOf } from '../executionOptions.js';
import { askedComparison } from '../replicated.js';
import { readComparison, writeComparison } from './comparedResults.js';
import { goOn, isStudyFolder, runIn } from './studyRun.js';

/** Options that say how a comparison is run, not what it asks. */
const EXECUTION = [
  'threads',
  'no-sharing',
  'out',
  ...[ENGINE_OPTIONS, CODE_OPTIONS, COMMON_OPTIONS].flatMap(Object.keys),
];

/** Enough to tell the comparisons of one folder apart. */
const HASH_DIGITS = 8;

/** Submits a comparison, or what its folder lacks of it, or shows what came of it; returns the exit code. */
export async function compareBySlurm(given: Arguments, context: Context): Promise<number> {
  const asked = EXECUTION.reduce((args, name) => args.without(name), given);
  const words = asked.words;
  const options = asked.all();
  const text = JSON.stringify([words, options]);
  const out = given.text('out') ?? join('results', `compare-${hashText(text).slice(0, HASH_DIGITS)}`);
  const present = readComparison(out);
  if (present !== undefined && JSON.stringify([present.words, present.options]) !== text) {
    throw new InputError(`${out} holds another comparison; give another folder with --out`);
  }
  if (present !== undefined && isStudyFolder(out))
    return goOn(out, { ...executionOf(given), allowCode: true }, context);
  const compared = await prepareComparison(asked, context);
  const [draws] = askedComparison(asked, compared.experiment.settings).looks;
  const study = await studyOf(compared, draws);
  const command = ['compare', ...words, ...Object.entries(options).flatMap(wordsOf)];
  const allowed = { allowCode: true, allowMany: true };
  const planned = await planStudy(study, { command, draws, ...allowed, onProgress: () => context.pause() });
  const unlock = await lockPlan(out, (sentence) => void context.say(sentence));
  try {
    await writeComparison(out, { words, options });
  } finally {
    unlock();
  }
  return runIn(out, study, planned, executionOf(given), context);
}

function wordsOf([name, values]: readonly [string, readonly string[]]): string[] {
  return values.length === 0 ? [`--${name}`] : values.flatMap((value) => [`--${name}`, value]);
}

/** The study that a comparison comes to: a part for each method, a table for each metric. */
function studyOf({ args, experiment }: Compared, count: number): Promise<Study> {
  const { settings, grid, methods, configurations } = experiment;
  const sites = args.has('preset') ? {} : { sites: grid.capacities.join(',') };
  const names = methodNames(configurations);
  const metrics = askedComparison(args, settings).metrics.map(({ name }) => name);
  const raw: RawStudy = {
    title: 'Comparison',
    description: `${settings.workload}: ${names.join(', ')} on the same replications.`,
    simulate: {
      workload: absoluteFiles(settings.workload),
      ...sites,
      ...printSettings(settings),
    },
    parts: Object.fromEntries(names.map((name, i) => [name, { simulate: methods[i] }])),
    replications: { count },
    measures: Object.fromEntries(metrics.map((metric) => [metric, { metric }])),
    tables: Object.fromEntries(
      metrics.map((metric) => [metric, { title: metric, measures: metric, rows: 'part' }]),
    ),
  };
  const text = stringify(raw, { aliasDuplicateObjects: false });
  return makeStudy(raw, { name: 'compare', text, locate: () => 'compare' });
}
