/** Several logs set side by side by compare: each log is one value of each method, relative to the best method on it. */

import { InputError } from '../errors.js';
import { countOf } from '../format/numbers.js';
import { firstOf } from '../lists.js';
import { textOf } from '../runs/comparedMethods.js';
import {
  type AskedComparison,
  compareReplications,
  type JudgedComparison,
  judgeOverLogs,
  type MeasuredLog,
  valuesOn,
} from '../runs/comparison.js';
import { logTables } from '../show/logTables.js';
import { judgedDocument, judgedLegend, judgedText } from '../show/replicationsText.js';
import { commonSettings } from '../show/settingText.js';
import { shortName } from '../show/simulationReport.js';
import { LINE, tableText, wrapped } from '../show/tableText.js';
import { methodNames } from '../simulate/methodNames.js';
import type { NamedMetric } from '../simulate/metric.js';
import { sourceName } from '../trace/quote.js';
import { isModelText } from '../workload/models.js';
import { Arguments } from './command.js';
import { type Compared, comparedHead, prepareComparison } from './compared.js';
import type { Context } from './context.js';
import { comparisonAskedBy, isReplicated, withReplications } from './replicated.js';
import { runToEnd } from './simulated.js';

/** Options that are for the comparison on one log, and why. */
const OF_ONE_LOG: Readonly<Record<string, string>> = {
  bench: 'times one log; leave it out',
  npir: 'is of one log; leave it out',
  'until-decided': 'cannot make more logs; leave it out',
  'select-best': 'cannot make more logs; leave it out',
  by: "shows the classes of one log; name a metric of a class, such as --metric 'meanWait[class=short narrow]'",
};

/**
 * Reads several logs and checks what is asked of them, before anything runs.
 * @returns them with the methods that go with all.
 * @throws InputError for copies of one log, models, options that are for one log, and what cannot be simulated.
 */
export async function prepareLogs(given: Arguments, context: Context): Promise<Compared[]> {
  const { words } = given;
  for (const [name, why] of Object.entries(OF_ONE_LOG)) {
    if (given.has(name)) throw new InputError(`--${name} ${why}, or give one log`);
  }
  const model = words.find(isModelText);
  if (model !== undefined) {
    throw new InputError(
      `${model} is a model, and several logs are compared; give a model by itself: --replications takes other seeds`,
    );
  }
  const options = new Map(Object.entries(given.all()));
  const all: Compared[] = [];
  for (const word of words) all.push(await prepareComparison(new Arguments(options, [word]), context));
  refuseCopies(all);
  return withCommonMethods(all, context);
}

/** Compares methods on several logs, one by one; returns the exit code. */
export async function compareLogs(given: Arguments, context: Context): Promise<number> {
  const logs = await prepareLogs(given, context);
  const asked = comparisonAskedBy(given, firstOf(logs).experiment.settings);
  const values: number[][][] = [];
  for (const log of logs) values.push(await valuesOf(log, asked, context));
  const compared = judgedLogs(logs, asked, values);
  if (context.isJson) await context.printJson(logsDocument(compared));
  else await context.print(logsText(compared, context));
  return 0;
}

/** Logs, and what came of comparing methods on them. */
export interface ComparedLogs {
  readonly logs: readonly Compared[];
  readonly metrics: readonly NamedMetric[];
  readonly values: readonly MeasuredLog[];
  readonly comparison: JudgedComparison;
}

/**
 * The methods judged over logs.
 * @param values by log, then by metric, then by method.
 */
export function judgedLogs(
  logs: readonly Compared[],
  asked: AskedComparison,
  values: readonly (readonly (readonly number[])[])[],
): ComparedLogs {
  const names = shortNames(logs.map(({ experiment }) => experiment.workload.name));
  const ofLogs = logs.map(({ experiment: { workload, grid } }, i) => ({
    name: names[i]!,
    jobs: workload.count,
    processors: grid.capacities.reduce((sum, each) => sum + each, 0),
    values: values[i]!,
  }));
  return { logs, metrics: asked.metrics, values: ofLogs, comparison: judgeOverLogs(ofLogs, asked) };
}

/** The names of logs without their folders, where these tell them apart. */
export function shortNames(names: readonly string[]): string[] {
  const short = names.map(shortName);
  return new Set(short).size === names.length ? short : names.map(sourceName);
}

/** @throws InputError for logs with the same jobs: copies of one log count as one. */
function refuseCopies(all: readonly Compared[]): void {
  const jobs = all.map(({ experiment: { loaded } }) => loaded.columns);
  const areSame = (a: Float64Array, b: Float64Array) =>
    a.length === b.length && a.every((value, i) => Object.is(value, b[i]));
  for (const [i, own] of jobs.entries()) {
    const first = jobs.findIndex((other) =>
      (['submit', 'runtime', 'processors'] as const).every((name) => areSame(own[name], other[name])),
    );
    if (first < i) {
      const [a, b] = [first, i].map((place) => sourceName(all[place]!.experiment.workload.name));
      throw new InputError(`${a} and ${b} have the same jobs; a log counts once, give one of the two`);
    }
  }
}

/** The logs with the methods alone that go with all of them. */
async function withCommonMethods(all: readonly Compared[], context: Context): Promise<Compared[]> {
  const texts = all.map(({ experiment: { methods } }) => methods.map((method) => JSON.stringify(method)));
  const isCommon = (text: string) => texts.every((each) => each.includes(text));
  const left = texts.flat().filter((text) => !isCommon(text));
  if (left.length > 0) {
    const names = [...new Set(left)].map((text) => textOf(JSON.parse(text)));
    await context.say(`${names.join(', ')}: skipped, since not all logs support it`);
  }
  const kept = texts.map((each) => each.flatMap((text, i) => (isCommon(text) ? [i] : [])));
  if (firstOf(kept).length === 0) {
    throw new InputError('no method goes with all of the logs; name some with --policy or --discipline');
  }
  return all.map(({ args, experiment }, log) => {
    const of = <Each>(list: readonly Each[]) => kept[log]!.map((i) => list[i]!);
    const { methods, configurations, knowledge } = experiment;
    const own = { methods: of(methods), configurations: of(configurations), knowledge: of(knowledge) };
    return { args, experiment: { ...experiment, ...own } };
  });
}

/** What the methods come to on one log: on its jobs as they are, or the means over replications. */
async function valuesOf(
  { args, experiment }: Compared,
  asked: AskedComparison,
  context: Context,
): Promise<number[][]> {
  if (isReplicated(args)) {
    const { metrics } = await withReplications(experiment, args, context, (execution) =>
      compareReplications(experiment, asked, execution),
    );
    return metrics.map(({ estimates }) => estimates.map(({ mean }) => mean));
  }
  const { workload, configurations } = experiment;
  return valuesOn(workload, configurations, asked.metrics, (simulator, configuration) =>
    runToEnd(simulator, configuration, context),
  );
}

/** The document of a comparison over logs. */
export function logsDocument({ logs, metrics, values, comparison }: ComparedLogs): object {
  const { experiment } = firstOf(logs);
  return {
    logs: logs.map((log, i) => ({
      ...comparedHead(log.experiment),
      jobs: values[i]!.jobs,
      values: Object.fromEntries(metrics.map(({ name }, place) => [name, values[i]!.values[place]])),
    })),
    metrics: comparison.metrics.map((each) => {
      const {
        replications,
        perturb: _,
        ...told
      } = judgedDocument(each, comparison, experiment.configurations, experiment.knowledge) as Record<
        string,
        unknown
      >;
      return { logs: replications, ...told };
    }),
  };
}

/** What was simulated, in lines: the logs, and what holds for all of them. */
export function logsSetting({ logs }: ComparedLogs): string[] {
  const { args, experiment } = firstOf(logs);
  const each = isReplicated(args)
    ? `in ${countOf(Number(args.text('replications')), 'replication')}`
    : 'once, unchanged';
  const where = args.has('sites') || args.has('preset') ? 'the same sites' : 'their own machines';
  const set = commonSettings(experiment);
  return [`${countOf(logs.length, 'log')} on ${where}, each ${each}`, ...(set === '' ? [] : [set])];
}

/** The same and what came of it, for a person. */
export function logsText(compared: ComparedLogs, { colors }: Context): string {
  const { logs, metrics, values, comparison } = compared;
  const { experiment } = firstOf(logs);
  const { configurations, knowledge } = experiment;
  const tables = logTables(values, metrics, methodNames(configurations));
  const parts = comparison.metrics.flatMap((judged, i) => [
    judgedText(judged, comparison, configurations, knowledge, colors),
    tableText(tables[i]!, colors, LINE),
  ]);
  return [logsSetting(compared).map(wrapped).join('\n'), ...parts, judgedLegend(comparison)].join('\n\n');
}
