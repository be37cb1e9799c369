/** Several logs set side by side by compare: each log is one value of each method, relative to the best method on it. */
import { InputError } from '../errors.js';
import { countOf } from '../format/numbers.js';
import { sourceName } from '../format/text.js';
import { firstOf } from '../lists.js';
import { textOf } from '../runs/comparedMethods.js';
import {
  type AskedComparison,
  type JudgedComparison,
  judgeOverLogs,
  type MeasuredLog,
} from '../runs/comparison.js';
import { comparedHead } from '../show/comparisonText.js';
import { logTables } from '../show/metricsTable.js';
import { judgedDocument, judgedLegend, judgedText } from '../show/replicationsText.js';
import { shortName } from '../show/simulationReport.js';
import { commonSettings } from '../show/simulationText.js';
import { LINE, tableText, wrapped } from '../show/tableText.js';
import { type Experiment, withMethods } from '../simulate/experiment.js';
import { methodNames } from '../simulate/methodNames.js';
import type { NamedMetric } from '../simulate/metrics.js';
import { isModelText } from '../workload/models.js';
import type { Asked } from './asked.js';
import { prepareComparison } from './compared.js';
import type { Context } from './context.js';

/**
 * Reads several logs and checks what is asked of them, before anything runs.
 * @returns them with the methods that go with all.
 * @throws InputError for copies of one log, models, and what cannot be simulated.
 */
export async function prepareLogs(asked: Asked, context: Context): Promise<Experiment[]> {
  const { sources } = asked;
  const model = sources.find(isModelText);
  if (model !== undefined) {
    throw new InputError(
      `${model} is a model, and several logs are compared; give a model by itself: --replications takes other seeds`,
    );
  }
  const all: Experiment[] = [];
  for (const source of sources) all.push(await prepareComparison({ ...asked, sources: [source] }, context));
  refuseCopies(all);
  return withCommonMethods(all, context);
}

/** Logs, and what came of comparing methods on them. */
export interface ComparedLogs {
  readonly asked: Asked;
  readonly logs: readonly Experiment[];
  readonly metrics: readonly NamedMetric[];
  readonly values: readonly MeasuredLog[];
  readonly comparison: JudgedComparison;
}

/**
 * The methods judged over logs.
 * @param values by log, then by metric, then by method.
 */
export function judgedLogs(
  logs: readonly Experiment[],
  asked: Asked,
  wanted: AskedComparison,
  values: readonly (readonly (readonly number[])[])[],
): ComparedLogs {
  const names = shortNames(logs.map(({ workload }) => workload.name));
  const ofLogs = logs.map(({ workload, grid }, i) => ({
    name: names[i]!,
    jobs: workload.count,
    processors: grid.capacities.reduce((sum, each) => sum + each, 0),
    values: values[i]!,
  }));
  return { asked, logs, metrics: wanted.metrics, values: ofLogs, comparison: judgeOverLogs(ofLogs, wanted) };
}

/** The names of logs without their folders, where these tell them apart. */
export function shortNames(names: readonly string[]): string[] {
  const short = names.map(shortName);
  return new Set(short).size === names.length ? short : names.map(sourceName);
}

/** @throws InputError for logs with the same jobs: copies of one log count as one. */
function refuseCopies(all: readonly Experiment[]): void {
  const jobs = all.map(({ loaded }) => loaded.columns);
  const areSame = (a: Float64Array, b: Float64Array) =>
    a.length === b.length && a.every((value, i) => Object.is(value, b[i]));
  for (const [i, own] of jobs.entries()) {
    const first = jobs.findIndex((other) =>
      (['submit', 'runtime', 'processors'] as const).every((name) => areSame(own[name], other[name])),
    );
    if (first < i) {
      const [a, b] = [first, i].map((place) => sourceName(all[place]!.workload.name));
      throw new InputError(`${a} and ${b} have the same jobs; a log counts once, give one of the two`);
    }
  }
}

/** The logs with the methods alone that go with all of them. */
async function withCommonMethods(all: readonly Experiment[], context: Context): Promise<Experiment[]> {
  const texts = all.map(({ methods }) => methods.map((method) => JSON.stringify(method)));
  const isCommon = (text: string) => texts.every((each) => each.includes(text));
  const left = texts.flat().filter((text) => !isCommon(text));
  if (left.length > 0) {
    const names = [...new Set(left)].map((text) => textOf(JSON.parse(text)));
    await context.say(`${names.join(', ')}: skipped, since not all logs support it`);
  }
  const kept = texts.map((each) => each.flatMap((text, i) => (isCommon(text) ? [i] : [])));
  if (firstOf(kept).length === 0) {
    throw new InputError('no method suits all of the logs; name some with --policy or --discipline');
  }
  return all.map((experiment, log) => withMethods(experiment, kept[log]!));
}

/** The document of a comparison over logs. */
export function logsDocument({ logs, metrics, values, comparison }: ComparedLogs): object {
  const { configurations, knowledge } = firstOf(logs);
  return {
    logs: logs.map((log, i) => ({
      ...comparedHead(log),
      jobs: values[i]!.jobs,
      values: Object.fromEntries(metrics.map(({ name }, place) => [name, values[i]!.values[place]])),
    })),
    metrics: comparison.metrics.map((each) => {
      const document = judgedDocument(each, comparison, configurations, knowledge);
      const { replications, perturb: _, ...told } = document as Record<string, unknown>;
      return { logs: replications, ...told };
    }),
  };
}

/** What was simulated, in lines: the logs, and what holds for all of them. */
export function logsSetting({ asked: { replications, texts }, logs }: ComparedLogs): string[] {
  const each = replications === undefined ? 'once, unchanged' : `in ${countOf(replications, 'replication')}`;
  const where =
    texts.sites === undefined && texts.preset === undefined ? 'their own machines' : 'the same sites';
  const set = commonSettings(firstOf(logs));
  return [`${countOf(logs.length, 'log')} on ${where}, each ${each}`, ...(set === '' ? [] : [set])];
}

/** The same with its results, for a reader. */
export function logsText(compared: ComparedLogs, { colors }: Context): string {
  const { logs, metrics, values, comparison } = compared;
  const { configurations, knowledge } = firstOf(logs);
  const tables = logTables(values, metrics, methodNames(configurations));
  const parts = comparison.metrics.flatMap((judged, i) => [
    judgedText(judged, comparison, configurations, knowledge, colors),
    tableText(tables[i]!, colors, LINE),
  ]);
  return [logsSetting(compared).map(wrapped).join('\n'), ...parts, judgedLegend(comparison)].join('\n\n');
}
