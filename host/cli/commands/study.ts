/** gridalloc study ...: the studies of papers, and studies of one's own. */
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { InputError } from '../../errors.js';
import { formatTable } from '../../format/table.js';
import { parseWholeNumber } from '../../notation.js';
import { collectionNames, findStudy, studiesOf, studyNames } from '../../runner/builtIn.js';
import { readCollection } from '../../runner/collection.js';
import { keepMerged, mergeStudies } from '../../runner/merge.js';
import type { PlanOptions } from '../../runner/planStudy.js';
import { readStudy } from '../../runner/readStudy.js';
import { readCut } from '../../runner/shardFolder.js';
import type { OptionTexts, Study } from '../../study/definition.js';
import type { Arguments } from '../arguments.js';
import { ALLOW_CODE_OPTION } from '../code.js';
import type { Command, OptionTable } from '../command.js';
import { nextRound } from '../comparedResults.js';
import type { Context } from '../context.js';
import { COMMON_OPTIONS, CORE_OPTION } from '../options.js';
import { submitStudy } from '../slurmRun.js';
import { runStudies } from '../studiesRun.js';
import { endStudy } from '../studyEnd.js';
import { isStudyFolder, resumeFolder, useCopiedCore } from '../studyFolder.js';
import { EXECUTION_OPTIONS, runAndReport, withFolder } from '../studyRun.js';

const STUDY = {
  name: 'STUDY',
  meaning: 'a STUDY: a name (see gridalloc study list) or a study file (FILE.yaml)',
  complete: studyNames,
};

const GIVEN_OPTIONS: OptionTable = {
  trace: { describe: 'the job log of a study that needs one', group: 'Study:' },
  replications: {
    describe: 'number of replications, each with other perturbed jobs, drawn speeds or seeds',
    default: 'as the study says',
    group: 'Study:',
  },
  draws: { describe: 'the same, by another name', default: 'as the study says', group: 'Study:' },
  set: {
    describe: 'change an option of simulate for the whole study, such as oversize=split; none unsets it',
    isRepeatable: true,
    group: 'Study:',
  },
};

/** gridalloc study list. */
export const listCommand: Command = {
  description: 'Lists the studies: one for each table and figure of the papers.',
  positionals: [],
  options: COMMON_OPTIONS,
  examples: [['gridalloc study list', 'names and titles']],
  run: listStudies,
};

async function listStudies(args: Arguments, context: Context): Promise<number> {
  const studies = await Promise.all(studyNames().map((name) => readStudy(findStudy(name))));
  const needsTrace = (study: (typeof studies)[number]) =>
    study.parts.some(({ options }) => Object.values(options).some((text) => text.includes('$TRACE')));
  const rows = studies.map((study) => ({
    name: study.name,
    title: study.title,
    source: study.source,
    needsTrace: needsTrace(study),
  }));
  if (args.has('json')) {
    await context.printJson(rows);
    return 0;
  }
  const columns = ['study', 'log', 'what it is'].map((heading) => ({ heading, align: 'left' as const }));
  const cells = rows.map(({ name, title, needsTrace: needs }) => [name, needs ? '--trace' : '', title]);
  const table = formatTable(columns, cells, context.colors, context.io.stdout.columns);
  await context.print(`${table}\n\nAll of a paper: ${collectionNames().join(', ')}`);
  return 0;
}

/** gridalloc study show. */
export const showCommand: Command = {
  description: 'Shows the study file: settings, measures, tables, figures, published values.',
  positionals: [STUDY],
  options: COMMON_OPTIONS,
  examples: [['gridalloc study show shih2010-table15-lublin99', 'a study file to start from']],
  run: showStudy,
};

async function showStudy(args: Arguments, context: Context): Promise<number> {
  const file = findStudy(args.words[0]);
  const { text: _, locate: __, ...study } = await readStudy(file);
  if (args.has('json')) await context.printJson(study);
  else await context.print((await readFile(file, 'utf8')).trimEnd());
  return 0;
}

/** gridalloc study run. */
export const runCommand: Command = {
  description:
    'Runs every simulation of a study and writes results (CSV, Parquet), tables, plots and a report. It can be ' +
    'interrupted at any moment: the same command resumes it. Studies on the San Diego SP2 log take its path ' +
    'with --trace; they run on other logs too (--set changes what does not fit, such as preset=none or sites=100,64). ' +
    'Several studies, or all of a paper by a name such as shih2010-all, are run as one: each has its folder below --out, ' +
    'what several of them simulate is simulated once, and a page leads to their reports.',
  positionals: [
    {
      ...STUDY,
      meaning: `${STUDY.meaning}, several, all of a paper (${collectionNames().join(', ')}), or the folder of one`,
      complete: () => [...studyNames(), ...collectionNames()],
      isRepeatable: true,
    },
  ],
  options: {
    ...GIVEN_OPTIONS,
    ...CORE_OPTION,
    ...EXECUTION_OPTIONS,
    ...ALLOW_CODE_OPTION,
    out: { ...EXECUTION_OPTIONS.out, default: 'results/STUDY' },
    ...COMMON_OPTIONS,
  },
  examples: [
    ['gridalloc study run shih2010-table15-lublin99', 'a row of a table, on a workload model'],
    ['gridalloc study run shih2010-table11 --trace sdsc-sp2.swf.gz', 'a study on a log'],
    ['gridalloc study run shih2010-all --trace sdsc-sp2.swf.gz', 'every table and figure of a paper'],
    ['gridalloc study run my-study.yaml --out results --threads 4', 'a study of your own'],
    ['gridalloc study run my-study.yaml --out part2 --shard 2/3', 'a third of it, on another machine'],
    ['gridalloc study run results', 'what a folder lacks of its study'],
  ],
  run: runStudy,
};

async function runStudy(args: Arguments, context: Context): Promise<number> {
  if (args.has('draws') && args.has('replications')) {
    throw new InputError('--draws is another name of --replications; give one of the two');
  }
  const name = args.has('draws') ? 'draws' : 'replications';
  const draws = args.read(name, (text, what) => parseWholeNumber(text, what, { atLeast: 1 }));
  const options = optionsSet(args.texts('set'));
  const trace = args.text('trace');
  if (args.words.length === 1 && isStudyFolder(args.words[0]))
    return resumeFolder(args.words[0], args, context);
  const words = args.words.flatMap(studiesOf);
  if (words.length === 1) {
    const study = await readStudy(findStudy(words[0]), { draws, options });
    return runAndReport(study, { command: commandOf(words[0]), trace, draws, options }, args, context);
  }
  const studies: Study[] = [];
  const given: PlanOptions[] = [];
  for (const word of words) {
    const asItIs = await readStudy(findStudy(word), { options });
    // Those without replications have none to change.
    const own = asItIs.draws === undefined ? undefined : draws;
    studies.push(own === undefined ? asItIs : await readStudy(findStudy(word), { draws: own, options }));
    given.push({ command: commandOf(word), trace, draws: own, options });
  }
  const title = args.words.length === 1 ? args.words[0] : studies.map((study) => study.name).join('+');
  return runStudies(title, studies, given, args, context);
}

function commandOf(word: string): string[] {
  return ['study', 'run', word];
}

function optionsSet(texts: readonly string[]): OptionTexts {
  return Object.fromEntries(
    texts.map((text) => {
      const [, name, value] = /^([a-z-]+)=(.+)$/.exec(text) ?? [];
      if (name === undefined) throw new InputError(`--set: expected option=value, found '${text}'`);
      return [name, value];
    }),
  );
}

/** gridalloc study merge. */
export const mergeCommand: Command = {
  description:
    'Puts together what study run --shard has written, into one folder or into several, and writes tables and a report.',
  positionals: [{ name: 'DIR', meaning: 'a DIR with all shards, or one for each', isRepeatable: true }],
  options: {
    out: { ...EXECUTION_OPTIONS.out, default: 'DIR if it has all shards, else results/STUDY' },
    submit: {
      describe: 'let Slurm run the next round of a comparison --until-decided, as it ran the last one',
      isSwitch: true,
      group: 'Cluster:',
    },
    ...ALLOW_CODE_OPTION,
    ...COMMON_OPTIONS,
  },
  examples: [
    ['gridalloc study merge results', 'shards in one folder'],
    ['gridalloc study merge part1 part2 part3 --out whole', 'three folders'],
  ],
  run: mergeShards,
};

async function mergeShards(args: Arguments, context: Context): Promise<number> {
  const [first, ...others] = args.words;
  useCopiedCore(first, args);
  const merged = await mergeStudies(args.words);
  const isInPlace = others.length === 0 && readCut(first) !== undefined;
  const out = args.text('out') ?? (isInPlace ? first : join('results', merged.study.name));
  const isElsewhere = resolve(out) !== resolve(first);
  if (isElsewhere && readCollection(first) !== undefined) {
    throw new InputError(`${first} holds several studies, which are put together there; leave --out out`);
  }
  const code = await withFolder(out, context, async () => {
    if (isElsewhere) await keepMerged(merged, out);
    return endStudy(merged, out, args, context, {}, !args.has('submit'));
  });
  if (!args.has('submit')) return code;
  const next = await nextRound(first, args.has('allow-code'), context);
  if (next === undefined) return code;
  return submitStudy(next.study, next.planned, first, args, context, () => mergeShards(args, context));
}
