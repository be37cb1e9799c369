/** gridalloc study ...: the studies of papers, and studies of one's own. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { InputError } from '../../errors.js';
import { formatTable } from '../../format/table.js';
import { parseWholeNumber } from '../../notation.js';
import { findStudy, studyNames } from '../../study/builtIn.js';
import type { OptionTexts } from '../../study/definition.js';
import { readStudy } from '../../study/read.js';
import { keepMerged, mergeStudies } from '../../study/run.js';
import type { Arguments } from '../arguments.js';
import type { Context } from '../context.js';
import { reportResults, runAndReport, withFolder } from '../studyRun.js';

export async function list(args: Arguments, context: Context): Promise<number> {
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
  const columns = ['study', 'what it is', 'log'].map((heading) => ({ heading, align: 'left' as const }));
  const cells = rows.map(({ name, title, needsTrace: needs }) => [name, title, needs ? '--trace' : '']);
  await context.print(formatTable(columns, cells, context.colors));
  return 0;
}

export async function show(args: Arguments, context: Context): Promise<number> {
  const file = findStudy(args.words[0]);
  const { text: _, locate: __, ...study } = await readStudy(file);
  if (args.has('json')) await context.printJson(study);
  else await context.print((await readFile(file, 'utf8')).trimEnd());
  return 0;
}

export async function run(args: Arguments, context: Context): Promise<number> {
  const draws = args.read('draws', (text, what) => parseWholeNumber(text, what, { atLeast: 1 }));
  const options = optionsSet(args.texts('set'));
  const study = await readStudy(findStudy(args.words[0]), { draws, options });
  return runAndReport(study, { trace: args.text('trace'), draws, options }, args, context);
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

export async function merge(args: Arguments, context: Context): Promise<number> {
  const merged = mergeStudies(args.words);
  const { study, plan, results } = merged;
  const out = args.text('out') ?? join('results', study.name);
  return withFolder(out, context, () => {
    keepMerged(merged, out);
    return reportResults(study, plan, results, out, args, context);
  });
}
