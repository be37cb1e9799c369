/** Contents of the folder of a comparison: report, sentences for a paper, raw values. */
import { hashJobs } from '../../files/hash.js';
import { countOf } from '../../format/numbers.js';
import { firstOf } from '../../lists.js';
import { comparisonReport } from '../../reports/comparisonReport.js';
import {
  comparisonSentences,
  METHODS_FILE,
  type MethodsFacts,
  methodsText,
  type SimulatedJobs,
} from '../../reports/methodsSection.js';
import {
  type Counted,
  logTables,
  type MetricRow,
  metricsTable,
  type NamedValues,
  VALUES_FILE,
  valueLines,
} from '../../reports/metricsTable.js';
import { plainReport, replicationsReport } from '../../reports/plainReports.js';
import { shortName } from '../../reports/simulationReport.js';
import { commonSettings, jobLines, settingLines } from '../../reports/simulationText.js';
import { environmentFacts, shellLine } from '../../reports/studyReport.js';
import { packageVersion } from '../../results/documents.js';
import {
  type Estimated,
  type JudgedComparison,
  type Samples,
  unperturbedJobs,
} from '../../runs/comparison.js';
import type { Experiment } from '../../simulate/experiment.js';
import { methodNames } from '../../simulate/methodNames.js';
import type { NamedMetric } from '../../simulate/metric.js';
import { SCALAR_METRICS, type ScalarMetric } from '../../simulate/summary.js';
import { estimateMean } from '../../statistics/interval.js';
import { meanBounds, meansOver, ONE_SAMPLE, warningsOf } from '../../statistics/samples.js';
import type { Plan } from '../../study/plan.js';
import type { OwnReport, Report } from '../../view/report.js';
import type { Table } from '../../view/table.js';
import { type ComparedLogs, logsSetting, verdictsByLog } from '../logComparison.js';
import { estimatedClasses, estimatesHead, isInformative, shownEstimates } from '../methodComparison.js';

/** The jobs of an experiment (of its first method, where options of methods decide jobs), as a paper describes them. */
function simulatedJobs(experiment: Experiment): SimulatedJobs {
  const workload = firstOf(unperturbedJobs(experiment));
  const { grid, loaded } = experiment;
  return { workload, grid, sha256: hashJobs(workload), header: loaded.header };
}

/** Facts that every report of a folder contains. */
function commonFacts(experiment: Experiment, plan: Plan) {
  const { configurations, workload } = experiment;
  const set = commonSettings(experiment);
  return {
    simulated: [simulatedJobs(experiment)],
    settings: set === '' ? [] : [`Settings other than the defaults: ${set}.`],
    names: methodNames(configurations),
    configurations,
    setting: settingLines(experiment).join('\n'),
    jobs: workload.count,
    workload: shortName(workload.name),
    commands: [shellLine(plan.command)],
    environment: environmentFacts(plan),
  };
}

/** A report with its files. */
function folderOf(
  report: Report,
  { simulated: jobs, settings, commands, names }: ReturnType<typeof commonFacts>,
  plan: Plan,
  facts: Pick<MethodsFacts, 'design' | 'results' | 'rules'>,
  values: readonly NamedValues[],
  counted?: Counted,
): OwnReport {
  const command = firstOf(commands);
  const { coreSha256 } = plan;
  const sentences = methodsText({ jobs, settings, command, version: packageVersion(), coreSha256, ...facts });
  const lines = valueLines(names, values, counted);
  return { report, texts: { [METHODS_FILE]: [sentences], [VALUES_FILE]: lines } };
}

/** The values of metrics by method, then by replication. */
function valuesOf<Shown extends NamedMetric>(
  { methods }: Experiment,
  samples: Samples,
  metrics: readonly Shown[],
): (Shown & NamedValues)[] {
  return metrics.map((metric) => ({
    ...metric,
    values: methods.map((_, method) => samples(metric, method)),
  }));
}

/** Metrics that are informative for these jobs: none of a topic that did not occur. */
function informativeValues(experiment: Experiment, samples: Samples): (ScalarMetric & NamedValues)[] {
  return valuesOf(experiment, samples, SCALAR_METRICS).filter((metric) =>
    isInformative(
      experiment,
      metric,
      metric.values.flat().some((value) => value !== 0),
    ),
  );
}

/** The folder of a comparison over replications. */
export function replicatedFolder(
  experiment: Experiment,
  comparison: JudgedComparison,
  samples: Samples,
  plan: Plan,
): OwnReport {
  const facts = commonFacts(experiment, plan);
  const { replications, population } = comparison;
  const rows = informativeValues(experiment, samples).map(
    (metric): MetricRow => ({
      metric,
      values: metric.values.map((each) => estimateMean(each.slice(0, replications))),
    }),
  );
  const caption = [
    `${meansOver(population, replications)}; shares of 1 where there is no unit.`,
    ...warningsOf(SCALAR_METRICS.map(({ name }) => name)),
  ].join(' ');
  const metrics = metricsTable(
    facts.names,
    facts.configurations,
    rows,
    caption,
    meanBounds(population, replications),
  );
  return folderOf(
    comparisonReport({ ...facts, comparison, more: [metrics] }),
    facts,
    plan,
    comparisonSentences(facts.names, comparison),
    comparison.metrics,
  );
}

/** The folder of a comparison over several logs. */
export function logsFolder(compared: ComparedLogs, plan: Plan): OwnReport {
  const { logs, metrics, values, comparison, ofLogs } = compared;
  const jobsOfLogs = logs.flatMap(jobLines);
  const [how, ...set] = logsSetting(compared);
  const facts = {
    ...commonFacts(firstOf(logs), plan),
    simulated: logs.map(simulatedJobs),
    settings: [`These are ${how}.`, ...set.map((each) => `Settings other than the defaults: ${each}.`)],
    setting: [...logsSetting(compared), ...jobsOfLogs].join('\n'),
    jobs: values.reduce((sum, { jobs }) => sum + jobs, 0),
    workload: countOf(logs.length, 'log'),
  };
  const each = verdictsByLog(compared);
  return folderOf(
    comparisonReport({
      ...{ ...facts, comparison, each },
      more: logTables(values, metrics, facts.names, ofLogs),
    }),
    facts,
    plan,
    comparisonSentences(facts.names, comparison, each),
    ...valuesOnLogs(compared),
  );
}

/** The values of each method on each log: of its one simulation, or of its replications. */
function valuesOnLogs({ logs, metrics, values, ofLogs }: ComparedLogs): [NamedValues[], Counted] {
  const { methods } = firstOf(logs);
  const own = (log: number, metric: number, method: number) =>
    ofLogs === undefined
      ? [values[log]!.values[metric]![method]!]
      : ofLogs[log]!.metrics[metric]!.values[method]!;
  const named = metrics.map(({ name }, metric) => ({
    name,
    values: methods.map((_, method) => logs.flatMap((_, log) => own(log, metric, method))),
  }));
  const lines = values.flatMap(({ name }, log) =>
    ofLogs === undefined ? [[name]] : own(log, 0, 0).map((_, replication) => [name, replication + 1]),
  );
  return [named, { headings: ofLogs === undefined ? ['log'] : ['log', 'replication'], lines }];
}

/** The folder of one simulation over replications. */
export function estimatedFolder(
  experiment: Experiment,
  estimated: Estimated,
  samples: Samples,
  plan: Plan,
): OwnReport {
  const facts = commonFacts(experiment, plan);
  const { population, replications } = estimated;
  const head = estimatesHead(experiment, estimated);
  const report = replicationsReport({
    ...{ ...facts, head, population, replications },
    metrics: shownEstimates(experiment, estimated),
    more: estimatedClasses(experiment, estimated),
  });
  const design = [
    `We simulated ${countOf(replications, 'replication')}: ${population.copies} (--perturb ${population.perturb}).`,
    `Intervals of means are ${meanBounds(population, replications) === 'rough' ? 'rough, since so few resampled replications cover their mean in less than 95 % of cases' : '95 % confidence intervals'}: Student's t, or bootstrap-t where values are skewed.`,
    ...warningsOf(SCALAR_METRICS.map(({ name }) => name)),
    population.caveat,
  ];
  const results = ['See `tables/metrics.md`.'];
  const values = informativeValues(experiment, samples);
  return folderOf(report, facts, plan, { design, results, rules: [] }, values);
}

/**
 * The folder of a comparison on the unperturbed jobs.
 * @param named the metrics requested.
 * @param more tables of classes of jobs.
 */
export function plainFolder(
  experiment: Experiment,
  named: readonly NamedMetric[],
  samples: Samples,
  more: readonly Table[],
  plan: Plan,
): OwnReport {
  const facts = commonFacts(experiment, plan);
  const metrics = informativeValues(experiment, samples);
  const valuesByMetric = valuesOf(experiment, samples, named);
  const report = plainReport({ ...facts, metrics, requestedMetrics: valuesByMetric, more });
  const design = [
    `We compared ${countOf(facts.names.length, 'method')}: ${facts.names.join(', ')}, each in one simulation of the jobs as they are.`,
    ONE_SAMPLE,
  ];
  const results = ['See `tables/methods.md` and `tables/metrics.md`.'];
  const further = valuesByMetric.filter(({ name }) => metrics.every((metric) => metric.name !== name));
  return folderOf(report, facts, plan, { design, results, rules: [] }, [...metrics, ...further]);
}
