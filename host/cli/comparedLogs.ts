/** Several logs set side by side by compare: each log is one value of each method, relative to the best method on it. */

import { InputError } from '../errors.js';
import { countOf, formatNumber } from '../format/numbers.js';
import { textOf } from '../runs/comparedMethods.js';
import {
  type AskedComparison,
  compareReplications,
  type JudgedComparison,
  valuesOn,
} from '../runs/comparison.js';
import { judgedDocument, judgedLegend, judgedText, wrapped } from '../show/replicationsText.js';
import { shortName } from '../show/simulationReport.js';
import type { Table, TableColumn } from '../show/table.js';
import { LINE, tableText } from '../show/tableText.js';
import { methodNames } from '../simulate/methodNames.js';
import type { NamedMetric } from '../simulate/metric.js';
import { estimateMean, LEFT_OUT } from '../statistics/interval.js';
import { judgeMethods } from '../statistics/judging.js';
import { LOGS } from '../statistics/population.js';
import { sourceName } from '../trace/quote.js';
import { isModelText } from '../workload/models.js';
import { Arguments } from './command.js';
import { type Compared, comparedHead, prepareComparison } from './compared.js';
import type { Context } from './context.js';
import { comparisonAskedBy, isReplicated, withReplications } from './replicated.js';
import { runToEnd } from './simulated.js';

/** Options that are for the comparison on one log, and why. */
const OF_ONE_LOG: Readonly<Record<string, string>> = {
  ...{ out: 'is written for one log', engine: 'is for one log', bench: 'times one log' },
  ...{ 'until-decided': 'cannot make more logs', 'select-best': 'cannot make more logs' },
  ...{ by: 'shows the classes of one log' },
};

/** A log and what its methods came to. */
interface ComparedLog extends Compared {
  /** By metric, then by method. */
  readonly values: readonly (readonly number[])[];
}

/** Compares methods on several logs, one by one; returns the exit code. */
export async function compareLogs(given: Arguments, context: Context): Promise<number> {
  const { words } = given;
  for (const [name, why] of Object.entries(OF_ONE_LOG)) {
    if (given.has(name)) throw new InputError(`--${name} ${why}; leave it out, or give one log`);
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
  const prepared = await withCommonMethods(all, context);
  const asked = comparisonAskedBy(given, prepared[0].experiment.settings);
  const logs: ComparedLog[] = [];
  for (const compared of prepared)
    logs.push({ ...compared, values: await valuesOf(compared, asked, context) });
  const comparison = judged(logs, asked);
  if (context.isJson) await context.printJson(documentOf(logs, comparison, asked.metrics));
  else await context.print(comparisonText(logs, comparison, asked.metrics, given, context));
  return 0;
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
      const [a, b] = [first, i].map((place) => sourceName(all[place].experiment.workload.name));
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
    await context.say(`${names.join(', ')}: left out, since not all of the logs take it`);
  }
  const kept = texts.map((each) => each.flatMap((text, i) => (isCommon(text) ? [i] : [])));
  if (kept[0].length === 0) {
    throw new InputError('no method goes with all of the logs; name some with --policy or --discipline');
  }
  return all.map(({ args, experiment }, log) => {
    const of = <Each>(list: readonly Each[]) => kept[log].map((i) => list[i]);
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

/** The best of some values. */
const bestOf = ({ better }: NamedMetric, values: readonly number[]) =>
  better === 'more' ? Math.max(...values) : Math.min(...values);

/** By method, then by log: the value over that of the best method on the log. */
function ratiosOf(logs: readonly ComparedLog[], metric: NamedMetric, place: number): number[][] {
  const byLog = logs.map(({ values, experiment }) => {
    const own = values[place];
    const best = bestOf(metric, own);
    if (best !== 0 && own.every(Number.isFinite)) return own.map((value) => value / best);
    const log = sourceName(experiment.workload.name);
    throw new InputError(
      `${metric.name} on ${log} is ${best === 0 ? '0 under the best method' : 'not known'}, so that nothing is relative to it; compare by another --metric, or leave the log out`,
    );
  });
  return byLog[0].map((_, method) => byLog.map((ratios) => ratios[method]));
}

/** The methods judged over the logs. */
function judged(logs: readonly ComparedLog[], { metrics, within }: AskedComparison): JudgedComparison {
  const level = LEFT_OUT / metrics.length;
  const { fewest } = LOGS;
  return {
    replications: logs.length,
    population: LOGS,
    looks: [logs.length],
    metrics: metrics.map((metric, i) => {
      const values = ratiosOf(logs, metric, i);
      const { label, formula, better = 'less' } = metric;
      return {
        name: metric.name,
        metric: {
          ...{ label: `${label}, relative to the best method on each log`, formula, better },
          format: { style: 'fixed', decimals: 3 },
        },
        values,
        estimates: values.map(estimateMean),
        within: within[i],
        judgement: judgeMethods(values, { better, within: within[i], level, fewest }),
      };
    }),
  };
}

function documentOf(
  logs: readonly ComparedLog[],
  comparison: JudgedComparison,
  metrics: readonly NamedMetric[],
): object {
  const [{ experiment }] = logs;
  return {
    logs: logs.map((log) => ({
      ...comparedHead(log.experiment),
      jobs: log.experiment.workload.count,
      values: Object.fromEntries(metrics.map(({ name }, i) => [name, log.values[i]])),
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

/** The values on each log, the best of each marked. */
function logTable(logs: readonly ComparedLog[], metric: NamedMetric, place: number): Table {
  const { unit } = metric;
  const names = methodNames(logs[0].experiment.configurations);
  const format = { style: 'measure' } as const;
  return {
    id: 'logs',
    title: '',
    caption: '',
    columns: [
      { title: unit === undefined ? 'log' : `log [${unit}]`, isHeading: true },
      { title: 'jobs', format: { style: 'fixed' } },
      ...names.map((title): TableColumn => ({ title, format })),
    ],
    rows: logs.map(({ values, experiment: { workload } }) => {
      const own = values[place];
      const best = bestOf(metric, own);
      return [
        shortName(workload.name),
        workload.count,
        ...own.map((value) => ({ value, isEmphasized: value === best })),
      ];
    }),
  };
}

function comparisonText(
  logs: readonly ComparedLog[],
  comparison: JudgedComparison,
  metrics: readonly NamedMetric[],
  given: Arguments,
  { colors }: Context,
): string {
  const [{ experiment }] = logs;
  const { configurations, knowledge } = experiment;
  const each = isReplicated(given)
    ? `simulated in ${formatNumber(Number(given.text('replications')))} replications`
    : 'simulated once, as it is';
  const head = `${countOf(logs.length, 'log')}, each ${each}, on ${given.has('sites') ? 'the same sites' : 'its own machine'}`;
  const parts = comparison.metrics.flatMap((judgedMetric, i) => [
    judgedText(judgedMetric, comparison, configurations, knowledge, colors),
    `${metrics[i].label} on each log\n\n${tableText(logTable(logs, metrics[i], i), colors, LINE)}`,
  ]);
  return [wrapped(head), ...parts, judgedLegend(comparison)].join('\n\n');
}
