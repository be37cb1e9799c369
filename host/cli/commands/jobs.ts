/** gridalloc jobs: finds jobs of a finished simulation, or of a log. */

import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { InputError } from '../../errors.js';
import { expandFiles, joinFiles } from '../../files/traceFiles.js';
import { countOf, formatNumber } from '../../format/numbers.js';
import { sourceName, sourceWord } from '../../format/text.js';
import { firstOf } from '../../lists.js';
import { parseWholeNumber } from '../../notation.js';
import { LABELLED, type Labelled } from '../../options/expression.js';
import { finishedJobs, type JobList, type JobSearch, loggedJobs, searchJobs } from '../../results/jobList.js';
import { LIST_COLUMNS } from '../../results/simulatedJobs.js';
import { jobListCsv, jobListDocument, jobListText } from '../../show/jobListText.js';
import { wrapText } from '../../show/tableText.js';
import { applyFilters } from '../../trace/filter.js';
import { fieldCalled } from '../../trace/trace.js';
import { isModelText } from '../../workload/models.js';
import { loadTrace, readSettings } from '../asked.js';
import type { Arguments, Command, OptionTable } from '../command.js';
import { COMMON_OPTIONS, settingOptions, textsOf } from '../commandOptions.js';
import type { Context } from '../context.js';

/** What jobs are asked for by. */
const ASKED = [...LABELLED, 'account'] as const;

/** Options that say whose jobs are meant. */
export const WHOSE: OptionTable = Object.fromEntries(
  ASKED.map((column) => [
    column,
    {
      describe: `those of this ${column}, by name or number; several with commas`,
      default: 'all',
      group: 'Jobs:',
    },
  ]),
);

/** How a log is read; --queue and the like are here not those of a simulation. */
const OF_LOG = settingOptions('filter', 'format', 'skip-bad-lines');

/** gridalloc jobs. */
export const jobsCommand: Command = {
  description:
    'Finds jobs in a finished simulation (with simulated times) or in a job log (with recorded times). Conditions and sort ' +
    `keys are expressions, as those of --order, of ${LIST_COLUMNS.join(', ')}; times are seconds, and -1 is unknown.`,
  positionals: [
    {
      name: 'RUN|LOG',
      meaning: 'a RUN, a folder written by simulate --out, or a LOG (FILE.swf, FILE.swf.gz, -)',
      isRepeatable: true,
    },
  ],
  options: {
    ...WHOSE,
    where: {
      describe:
        "those that meet a condition, such as 'wait > 1d and user == ann'; also or, not, ( ), and quotes around names with blanks",
      default: 'all',
      group: 'Jobs:',
    },
    sort: {
      describe: 'sort by an expression, largest first; for smallest first write a minus: --sort=-submit',
      default: 'wait',
      complete: () => LIST_COLUMNS,
      group: 'Jobs:',
    },
    top: { describe: 'so many', default: '20; all with --csv and --json', group: 'Jobs:' },
    ...OF_LOG,
    csv: { describe: 'print CSV with every column', isSwitch: true, group: 'Output:' },
    ...COMMON_OPTIONS,
  },
  examples: [
    [
      'gridalloc jobs results --user ann',
      'her jobs that waited longest, after gridalloc simulate --out results',
    ],
    ["gridalloc jobs results --where 'wait > 1d and processors > 64' --csv", 'wide jobs that waited a day'],
    ['gridalloc jobs log.swf.gz --sort processors*runtime --top 5', 'the largest jobs of a log'],
  ],
  run,
};

const TOP = 20;

async function run(args: Arguments, context: Context): Promise<number> {
  const search = searchOf(args);
  const isFolder = existsSync(join(args.word(0), 'jobs.csv'));
  const list = isFolder ? await finishedJobs(args.word(0)) : await logged(args, context);
  const found = searchJobs(list, search);
  const isWhole = context.isJson || args.has('csv');
  const top = args.read('top', (text, what) => parseWholeNumber(text, what, { atLeast: 1 }));
  const shown = found.slice(0, top ?? (isWhole ? Infinity : TOP));
  if (context.isJson) {
    const of = isFolder ? 'simulation' : 'log';
    await context.printJson({ of, found: found.length, jobs: jobListDocument(list, shown) });
  } else if (args.has('csv')) await context.print(jobListCsv(list, shown));
  else await context.print(tableOf(list, { found, shown, search, isFolder }, args, context));
  return 0;
}

/** What is looked for. */
export function searchOf(args: Arguments): JobSearch {
  const asked = ASKED.filter((column) => args.has(column));
  if (args.has('account') && args.has('group'))
    throw new InputError('--account and --group are the same; give one of them');
  const labels = Object.fromEntries(
    asked.map((column) => [
      fieldCalled(column),
      (args.text(column) as string).split(',').map((name) => name.trim()),
    ]),
  );
  return { labels, where: args.text('where'), sort: args.text('sort') ?? 'wait' };
}

async function logged(args: Arguments, context: Context): Promise<JobList> {
  const source = joinFiles(args.words);
  if (!isModelText(source)) (await expandFiles(source)).forEach(checkThere);
  // In which order the log has them does not matter.
  const settings = readSettings(source, { ...textsOf(args, OF_LOG), sort: 'true' });
  const trace = await loadTrace(source, settings, context);
  return loggedJobs(applyFilters(trace, settings.filter ?? []).trace);
}

/** @throws InputError for a path of neither a log nor the results of a simulation. */
function checkThere(path: string): void {
  if (path === '-') return;
  if (!existsSync(path))
    throw new InputError(
      `${sourceName(path)} does not exist; check the path of the job log, or of the folder written by simulate --out`,
    );
  if (statSync(path).isDirectory())
    throw new InputError(
      `${sourceName(path)} is a folder without jobs.csv; give a folder written by simulate --out, or a job log`,
    );
}

/** What the table calls the fields that a search names, which it shows first. */
function namedIn(
  { labels, where = '', sort }: JobSearch,
  args: Arguments,
): Partial<Record<Labelled, string>> {
  const words = new Set(`${where} ${sort}`.match(/[a-z]\w*/gi));
  const isAccount = args.has('account') || (words.has('account') && !words.has('group'));
  const named = LABELLED.filter(
    (column) => labels[column] !== undefined || words.has(column) || (column === 'group' && isAccount),
  );
  return Object.fromEntries(
    named.map((column) => [column, column === 'group' && isAccount ? 'account' : column]),
  );
}

interface Found {
  readonly found: readonly number[];
  readonly shown: readonly number[];
  readonly search: JobSearch;
  readonly isFolder: boolean;
}

function tableOf(
  list: JobList,
  { found, shown, search, isFolder }: Found,
  args: Arguments,
  context: Context,
) {
  const width = context.io.stdout.columns ?? 80;
  const all = countOf(list.names.length, 'job');
  const which = found.length === list.names.length ? all : `${formatNumber(found.length)} of ${all}`;
  const some = shown.length < found.length ? `the first ${formatNumber(shown.length)} of ` : '';
  const times = isFolder ? 'times as simulated' : 'times as the log records them';
  const head = wrapText(`${some}${which} by ${search.sort}, largest first; ${times}`, width);
  if (shown.length === 0) return head;
  const why = isFolder
    ? `\n\nwhy: gridalloc explain ${sourceWord(args.word(0))} --job ${sourceWord(list.names[firstOf(shown)]!)}`
    : '';
  return `${context.colors.dim(head)}\n\n${jobListText(list, shown, namedIn(search, args), context.colors)}${why}`;
}
