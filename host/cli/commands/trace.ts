/** gridalloc trace ...: job logs. */
import { InputError } from '../../errors.js';
import { checkTrace } from '../../files/readTrace.js';
import { writeTrace } from '../../files/writeTrace.js';
import { countOf, formatNumber } from '../../format/numbers.js';
import { capacitiesOf, filtersOf, jobsOf } from '../../simulate/prepare.js';
import { checkSentence, checkText, infoText, modelsText, presetsText } from '../../text/trace.js';
import { applyFilters, type Dropped, formatFilter } from '../../trace/filter.js';
import { traceInfo } from '../../trace/info.js';
import { sourceName } from '../../trace/quote.js';
import type { Trace } from '../../trace/trace.js';
import { workloadToTrace } from '../../workload/export.js';
import { MODELS, makeModelTrace } from '../../workload/models.js';
import { PRESETS } from '../../workload/presets.js';
import type { Arguments } from '../arguments.js';
import type { Command } from '../command.js';
import { type Context, shareDone } from '../context.js';
import { COMMON_OPTIONS, SETTING_OPTIONS } from '../options.js';
import { loadTrace, optionTexts, readSettings } from '../workload.js';

const FILE = { name: 'FILE', meaning: 'a FILE: a job log (FILE.swf, FILE.swf.gz, or - for standard input)' };
const OUT = {
  name: 'OUT',
  meaning: 'OUT: the file to write (OUT.swf, OUT.swf.gz, or - for standard output)',
};

/** gridalloc trace info. */
export const infoCommand: Command = {
  description:
    'Shows machine, time span, jobs, runtimes, widths, offered load and queues of a job log in Standard Workload ' +
    'Format, or of a model. Times are seconds.',
  positionals: [{ ...FILE, meaning: `${FILE.meaning} or a model` }],
  options: { sort: SETTING_OPTIONS.sort, ...COMMON_OPTIONS },
  examples: [
    ['gridalloc trace info log.swf.gz', 'a log'],
    ["gridalloc trace info 'lublin99[jobs=1000]'", 'a model'],
  ],
  run: showInfo,
};

async function showInfo(args: Arguments, context: Context): Promise<number> {
  const statistics = traceInfo(await loadTrace(args.words[0], args, context));
  if (args.has('json')) await context.printJson(statistics);
  else await context.print(infoText(statistics, context.colors));
  return 0;
}

/** gridalloc trace check. */
export const checkCommand: Command = {
  description:
    'Lists every kind of problem of a job log, how often and where. Exit code 2 if the log cannot be read because of ' +
    'one (an error), 0 if it can (warnings only).',
  positionals: [FILE],
  options: {
    sort: { ...SETTING_OPTIONS.sort, describe: 'count submit times out of order as a warning' },
    ...COMMON_OPTIONS,
  },
  examples: [['gridalloc trace check log.swf.gz', 'all problems with line numbers']],
  run: showCheck,
};

async function showCheck(args: Arguments, context: Context): Promise<number> {
  const [source] = args.words;
  const progress = context.progress(shareDone(`checking ${sourceName(source)}`));
  const result = await checkTrace(source, {
    sort: args.has('sort'),
    input: context.io.stdin,
    onProgress: (bytes, total) => {
      context.io.signal.throwIfAborted();
      progress.update(bytes, total);
    },
  }).finally(() => progress.end());
  const { header: _, ...document } = result;
  if (args.has('json')) await context.printJson(document);
  else await context.print(checkText(result, context.colors));
  if (!result.readable) await context.say(checkSentence(result));
  return result.readable ? 0 : 2;
}

/** Options that only choose records; any other changes jobs in a way that only a workload can hold. */
const CHOOSING = ['preset', 'filter', 'sort'];

/** What changes a log, but for the sites. */
const RESHAPING = Object.fromEntries(
  ['preset', 'filter', 'sort', 'home', 'rc', 'max-width', 'oversize', 'arrival-scale', 'runtime-scale'].map(
    (name) => [name, SETTING_OPTIONS[name]],
  ),
);

/** gridalloc trace convert. */
export const convertCommand: Command = {
  description:
    'Reads a job log or a model and writes a log. Filters and sorting keep all fields of the records. With --home, ' +
    '--sites, --rc, --max-width, --oversize or a scale the jobs are written as a simulation would take them: times, processors, estimates, ' +
    'and the home site as queue number; other fields become -1.',
  positionals: [{ name: 'IN', meaning: 'IN: the log to read (IN.swf, IN.swf.gz, -) or a model' }, OUT],
  options: {
    ...RESHAPING,
    sites: { ...SETTING_OPTIONS.sites, default: 'those of the preset, else any that hold the jobs' },
    ...COMMON_OPTIONS,
  },
  examples: [
    ['gridalloc trace convert log.swf.gz first.swf --filter first=1000', 'a piece of a log'],
    ['gridalloc trace convert log.swf sorted.swf.gz --sort', 'sorted by submit time, compressed'],
    ['gridalloc trace convert log.swf.gz narrow.swf --preset shih2010 --rc 0.5', 'wide jobs cut into pieces'],
  ],
  run: convertLog,
};

async function convertLog(args: Arguments, context: Context): Promise<number> {
  const [source, out] = args.words;
  refuseMixedOutput(out, args);
  const trace = await loadTrace(source, args, context);
  const { converted, dropped } = convertTrace(trace, args);
  await context.pause();
  await writeTrace(converted, out, { output: context.io.stdout });
  await context.pause();
  const document = { out, read: trace.count, written: converted.count, dropped };
  if (args.has('json')) await context.printJson(document);
  else {
    const reasons = dropped
      .filter(({ count }) => count > 0)
      .map(({ rule, count }) => `${rule} ${formatNumber(count)}`);
    const account = reasons.length === 0 ? '' : `; dropped by rule: ${reasons.join(', ')}`;
    await context.say(
      `${countOf(converted.count, 'record')} of ${formatNumber(trace.count)} read are in ${placeName(out)}${account}`,
    );
  }
  return 0;
}

/** The log with what the options change about it, and how many records each rule dropped. */
function convertTrace(trace: Trace, args: Arguments): { converted: Trace; dropped: readonly Dropped[] } {
  const settings = readSettings(args.words[0], args);
  if (Object.keys(optionTexts(args)).some((name) => !CHOOSING.includes(name))) {
    const capacities = capacitiesOf(settings);
    const workload = jobsOf(settings, trace, capacities === undefined ? {} : { capacities });
    return { converted: workloadToTrace(workload, trace), dropped: workload.accounting.dropped };
  }
  const { trace: converted, dropped } = applyFilters(trace, filtersOf(settings));
  return { converted, dropped };
}

/** gridalloc trace generate. */
export const generateCommand: Command = {
  description:
    'Writes the jobs of a model as a job log. The same parameters give the same jobs on every machine. The models and ' +
    'their parameters are listed by gridalloc trace models.',
  positionals: [{ name: 'MODEL', meaning: 'a MODEL, such as lublin99[jobs=1000]' }, OUT],
  options: COMMON_OPTIONS,
  examples: [
    ["gridalloc trace generate 'lublin99[aarr=9.5,jobs=30000,seed=2]' jobs.swf.gz", 'a compressed log'],
    ['gridalloc trace generate feitelson96 - | head', 'to standard output'],
  ],
  run: generateLog,
};

async function generateLog(args: Arguments, context: Context): Promise<number> {
  const [model, out] = args.words;
  refuseMixedOutput(out, args);
  const trace = makeModelTrace(model);
  await writeTrace(trace, out, { output: context.io.stdout });
  await context.pause();
  if (args.has('json')) await context.printJson({ out, model: trace.source, written: trace.count });
  else await context.say(`${countOf(trace.count, 'job')} of ${trace.source} are in ${placeName(out)}`);
  return 0;
}

function placeName(out: string): string {
  return out === '-' ? 'standard output' : sourceName(out);
}

function refuseMixedOutput(out: string, args: Arguments): void {
  if (out !== '-' || !args.has('json')) return;
  throw new InputError(
    'the log and --json cannot both go to standard output; give a file, or leave out --json',
  );
}

/** gridalloc trace models. */
export const modelsCommand: Command = {
  description: 'Lists the workload models, their parameters, defaults and ranges.',
  positionals: [],
  options: COMMON_OPTIONS,
  examples: [['gridalloc trace models', 'a table']],
  run: listModels,
};

async function listModels(args: Arguments, context: Context): Promise<number> {
  if (args.has('json')) {
    await context.printJson(
      MODELS.map(({ name, description, parameters }) => ({ name, description, parameters })),
    );
  } else await context.print(modelsText(MODELS, context.colors));
  return 0;
}

/** gridalloc trace presets. */
export const presetsCommand: Command = {
  description:
    'Lists what --preset takes: which records it keeps, where jobs are at home, how large the sites are.',
  positionals: [],
  options: COMMON_OPTIONS,
  examples: [['gridalloc trace presets', 'a table']],
  run: listPresets,
};

async function listPresets(args: Arguments, context: Context): Promise<number> {
  const documents = PRESETS.map((preset) => ({ ...preset, filters: preset.filters.map(formatFilter) }));
  if (args.has('json')) await context.printJson(documents);
  else await context.print(presetsText(PRESETS, context.colors));
  return 0;
}
