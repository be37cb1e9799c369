/** The one method to take of many: replications of those alone that may still be the best. */

import { InputError } from '../errors.js';
import { countOf, formatNumber, formatPercent } from '../format/numbers.js';
import { firstOf } from '../lists.js';
import { type AskedComparison, askedComparison } from '../runs/comparison.js';
import { Replicator } from '../runs/replicate.js';
import { nameOf } from '../show/replicationsText.js';
import { settingText } from '../show/settingText.js';
import { wrapped } from '../show/tableText.js';
import { type Experiment, withMethods } from '../simulate/experiment.js';
import { differingOptions, methodNames } from '../simulate/methodNames.js';
import { checkHad } from '../simulate/metricValues.js';
import { momentsOf } from '../statistics/bootstrap.js';
import { LEFT_OUT } from '../statistics/interval.js';
import { type Selection, selectBest } from '../statistics/selection.js';
import type { Asked } from './asking.js';
import { comparedHead, prepareComparison } from './compared.js';
import { type Context, simulationsDone } from './context.js';
import type { Execution } from './executionOptions.js';

/** More replications at a time, once the first are done. */
const STEP = 10;

/** What a selection comes to. */
interface Selected extends Selection {
  /** By method, then by replication, as far as it was simulated. */
  readonly values: readonly (readonly number[])[];
}

/** Selects a method and says which; returns the exit code. */
export async function selectMethod(asked: Asked, execution: Execution, context: Context): Promise<number> {
  const experiment = await prepareComparison(asked, context);
  const wanted = askedComparison(experiment.settings, asked);
  checkHad(wanted.metrics, experiment.configurations);
  if (wanted.metrics.length > 1) throw new InputError('--select-best goes by one metric; give one --metric');
  if (!(firstOf(wanted.within) > 0))
    throw new InputError('--select-best needs a difference that does not matter; give --within above 0');
  const { firstLook: first } = wanted.population;
  const most = asked.replications ?? Number.POSITIVE_INFINITY;
  if (most < first)
    throw new InputError(
      `--select-best takes ${first} replications first; give --replications ${first} or more`,
    );
  const selected = await select(experiment, wanted, most, execution, context);
  return context.answer(
    documentOf(experiment, wanted, selected),
    () => `${settingText(experiment)}\n\n${textOf(experiment, wanted, selected)}`,
  );
}

/** Replications of the methods that are left, in rounds, until one is or there are as many as asked for. */
async function select(
  experiment: Experiment,
  wanted: AskedComparison,
  most: number,
  { threads, sharing }: Execution,
  context: Context,
): Promise<Selected> {
  const { methods } = experiment;
  const [metric, within] = [firstOf(wanted.metrics), firstOf(wanted.within)];
  const { firstLook: first } = wanted.population;
  const values: number[][] = methods.map(() => []);
  const progress = context.progress(simulationsDone(0), true);
  let selection: Selection = { left: methods.map((_, i) => i), replications: methods.map(() => 0) };
  let simulations = 0;
  let done = 0;
  let delta = 0;
  while (selection.left.length > 1 && done < most) {
    const { left } = selection;
    const replicator = new Replicator(withMethods(experiment, left), {
      metrics: [metric.name],
      sharing,
      done,
      threads,
      timeout: context.timeout,
      signal: context.io.signal,
      pause: () => context.pause(),
      onDone: () => {
        simulations += left.length;
        progress.update(simulations, undefined);
      },
    });
    try {
      const before = done;
      while (selection.left.length === left.length && done < most) {
        done = Math.min(most, Math.max(first, done + STEP));
        const found = await replicator.upTo(done);
        for (const [place, i] of left.entries())
          values[i]!.push(...found(metric.name, place).slice(values[i]!.length - before));
        if (delta === 0) delta = within * Math.abs(bestMean(values, metric.better));
        if (delta === 0)
          throw new InputError(
            `--select-best: the best mean of ${metric.name} is 0, so no share of it can be taken`,
          );
        selection = selectBest(values, { better: metric.better ?? 'less', delta, first });
      }
    } finally {
      await replicator.close();
    }
  }
  progress.end();
  return { ...selection, values };
}

function bestMean(values: readonly (readonly number[])[], better: 'less' | 'more' = 'less'): number {
  const means = values.map((each) => momentsOf(each).mean);
  return better === 'less' ? Math.min(...means) : Math.max(...means);
}

const simulationsOf = ({ values }: Selected) => values.reduce((sum, { length }) => sum + length, 0);

function documentOf(
  experiment: Experiment,
  { metrics, within: [within], population }: AskedComparison,
  selected: Selected,
): object {
  const { configurations } = experiment;
  const names = methodNames(configurations);
  const options = differingOptions(configurations);
  const { left, replications, values } = selected;
  return {
    ...comparedHead(experiment),
    perturb: population.perturb,
    metric: firstOf(metrics).name,
    within,
    level: LEFT_OUT,
    selected: left.length === 1 ? names[firstOf(left)] : null,
    simulations: simulationsOf(selected),
    rows: configurations.map((configuration, i) => ({
      name: names[i],
      ...nameOf(configuration),
      options: options[i],
      isLeft: left.includes(i),
      replications: replications[i],
      values: values[i],
    })),
  };
}

function textOf(
  { configurations }: Experiment,
  { metrics, within: [within = 0], population }: AskedComparison,
  selected: Selected,
): string {
  const names = methodNames(configurations);
  const { left, values } = selected;
  const count = Math.max(...values.map(({ length }) => length));
  const share = formatPercent(within, 1).replace(/\.0+ %/, ' %');
  const over = `${formatNumber(count)} ${population.copies}`;
  const answer =
    left.length === 1
      ? `${names[firstOf(left)]} is the best of ${formatNumber(names.length)} methods by ${firstOf(metrics).label}, or within ${share} of it: with 95 % probability, from ${over} (Kim and Nelson 2001).`
      : `${countOf(left.length, 'method')} may still be the best by ${firstOf(metrics).label}: ${left.map((i) => names[i]).join(', ')}. ${over} do not say which; give more --replications, or a wider --within.`;
  const took = `${countOf(simulationsOf(selected), 'simulation')}; ${formatNumber(count * names.length)} with all methods to the end. To see how far the others are behind, use compare --until-decided.`;
  return [answer, took].map((each) => wrapped(each)).join('\n');
}
