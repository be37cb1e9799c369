/** gridalloc trace ...: job logs. */
import { InputError } from '../../errors.js';
import { formatNumber } from '../../format/numbers.js';
import { capacitiesOf, filtersOf, jobsOf } from '../../simulate/prepare.js';
import { modelsText, presetsText } from '../../text/catalogue.js';
import { countOf } from '../../text/simulation.js';
import { checkSentence, checkText, infoText } from '../../text/trace.js';
import { checkTrace } from '../../trace/check.js';
import { applyFilters, type Dropped, formatFilter } from '../../trace/filter.js';
import { traceInfo } from '../../trace/info.js';
import { sourceName } from '../../trace/quote.js';
import type { Trace } from '../../trace/trace.js';
import { writeTrace } from '../../trace/write.js';
import { workloadToTrace } from '../../workload/export.js';
import { MODELS, makeModelTrace } from '../../workload/models.js';
import { PRESETS } from '../../workload/presets.js';
import type { Arguments } from '../arguments.js';
import type { Context } from '../context.js';
import { loadTrace, optionTexts, readSettings } from '../workload.js';

export async function info(args: Arguments, context: Context): Promise<number> {
  const statistics = traceInfo(await loadTrace(args.words[0], args, context));
  if (args.has('json')) await context.printJson(statistics);
  else await context.print(infoText(statistics, context.colors));
  return 0;
}

export async function check(args: Arguments, context: Context): Promise<number> {
  const [source] = args.words;
  const progress = context.progress(`checking ${sourceName(source)}`);
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

export async function convert(args: Arguments, context: Context): Promise<number> {
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

export async function generate(args: Arguments, context: Context): Promise<number> {
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

export async function models(args: Arguments, context: Context): Promise<number> {
  if (args.has('json')) {
    await context.printJson(
      MODELS.map(({ name, description, parameters }) => ({ name, description, parameters })),
    );
  } else await context.print(modelsText(MODELS, context.colors));
  return 0;
}

export async function presets(args: Arguments, context: Context): Promise<number> {
  const documents = PRESETS.map((preset) => ({ ...preset, filters: preset.filters.map(formatFilter) }));
  if (args.has('json')) await context.printJson(documents);
  else await context.print(presetsText(PRESETS, context.colors));
  return 0;
}
