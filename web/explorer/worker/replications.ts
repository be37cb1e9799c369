/** Methods over replications: made and judged by what `gridalloc compare --replications` makes and judges them by. */
import { optionWords } from '../../../host/options/words.js';
import { ReplicationRunner } from '../../../host/runner/replicationRuns.js';
import { SCALAR_METRICS } from '../../../host/simulate/metricValues.js';
import { perturbationOf } from '../../../host/simulate/prepare.js';
import { judgeMethods } from '../../../host/statistics/methods.js';
import { shellWord } from '../../../host/trace/quote.js';
import type { Replicated, Setup, Texts } from '../protocol.js';
import { codeIn } from './code.js';
import { type Experiment, type GivenLog, labelOf, prepare } from './experiment.js';

let runner:
  | { readonly key: string; readonly runs: ReplicationRunner; readonly experiment: Experiment }
  | undefined;

/** All methods of a setup on replication r = 1, 2, ...: the metrics of each. */
export function replicate(setup: Setup, log: GivenLog | null, replication: number): number[][] {
  const key = JSON.stringify(setup);
  if (runner?.key !== key) {
    const experiment = prepare(setup, log);
    const runs = new ReplicationRunner({
      trace: experiment.loaded,
      options: setup.options,
      capacities: experiment.grid.capacities,
      methods: experiment.methods,
      jobMetrics: [],
      code: codeIn(setup),
    });
    runner = { key, runs, experiment };
  }
  return runner.runs.run(replication);
}

/** Methods that one command can name: those of all policies under all disciplines that there are. */
function commandsOf(
  { setup, loaded, settings, grid }: Experiment,
  metric: string,
  replications: number,
): string[] {
  const { workload: _, ...options } = setup.options;
  const log =
    perturbationOf({ ...settings, replication: 1 }) === undefined ? loaded.source : setup.options.workload;
  // What compare takes for models where nothing is said, the page does not.
  const said = {
    ...options,
    ...(options.sites === undefined ? { sites: grid.capacities.join(',') } : {}),
    ...(options.speeds === undefined && options.heterogeneity === undefined
      ? { speeds: grid.speeds.join(',') }
      : {}),
    'time-resolution': options['time-resolution'] ?? 'exact',
  };
  const command = (methods: Texts) =>
    ['gridalloc compare', log, ...optionWords({ ...said, ...methods }), '--replications', `${replications}`]
      .concat(['--metric', metric, '--json'])
      .map((word, i) => (i === 0 ? word : shellWord(word)))
      .join(' ');
  const rest = (texts: Texts) => JSON.stringify({ ...texts, policy: '' });
  const groups = new Map<string, Texts[]>();
  for (const method of setup.methods) {
    groups.set(rest(method), [...(groups.get(rest(method)) ?? []), method]);
  }
  return [...groups.values()].map((methods) => {
    const policies = methods.flatMap(({ policy }) => (policy === undefined ? [] : [policy]));
    return command({ ...methods[0], ...(policies.length === 0 ? {} : { policy: policies.join(',') }) });
  });
}

/** What the replications say of the methods by one metric. */
export function judge(
  experiment: Experiment,
  values: readonly (readonly (readonly number[])[])[],
  name: string,
): Replicated {
  const position = SCALAR_METRICS.findIndex((each) => each.name === name);
  const metric = SCALAR_METRICS[position];
  const samples = experiment.methods.map((_, method) => values.map((each) => each[method][position]));
  const judged = judgeMethods(samples, { better: metric.better ?? 'less' });
  const perturbation = perturbationOf({ ...experiment.settings, replication: 1 });
  return {
    metric: name,
    label: metric.label,
    unit: metric.unit ?? '',
    format: metric.format,
    replications: values.length,
    sentence:
      perturbation === undefined
        ? 'Each replication has other jobs of the same model: what holds for jobs like these.'
        : perturbation.kind === 'shake'
          ? `Each replication is this log with submit times moved by up to ${perturbation.submit} s: what holds apart from the chance of its details.`
          : 'Each replication recombines the weeks of users: what holds for other weeks of the same users.',
    rows: judged.map((each, method) => ({
      label: labelOf(experiment.setup.methods[method]),
      mean: each.mean,
      low: each.low,
      high: each.high,
      difference: each.difference.mean,
      differenceLow: each.difference.low,
      differenceHigh: each.difference.high,
      bestIn: each.bestIn,
      best: each.isBest,
      distinguishable: each.isDistinguishable,
    })),
    commands: commandsOf(experiment, name, values.length),
  };
}
