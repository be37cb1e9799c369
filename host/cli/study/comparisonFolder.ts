/** Contents of the folder of a comparison: report, sentences for a paper, raw values. */
import { copiedFileName } from '../../code/codeFile.js';
import { hashJobs } from '../../files/hash.js';
import { countText } from '../../format/numbers.js';
import { firstElement } from '../../lists.js';
import type { Configuration } from '../../options/configuration.js';
import { codeNamedByRun } from '../../options/document.js';
import {
  comparisonReport,
  logTables,
  METHODS_FILE,
  type MetricRow,
  meansTable,
  plainReport,
  replicationsReport,
} from '../../reports/comparisonReport.js';
import {
  comparisonSentences,
  methodsSectionText,
  type PaperSentences,
} from '../../reports/methodsSection.js';
import { citedWorkEntries } from '../../reports/references.js';
import {
  commonSettings,
  definitionLines,
  jobLines,
  settingLines,
  shortName,
} from '../../reports/simulationReport.js';
import { environmentFacts, shellCommandLine } from '../../reports/studyReport.js';
import { packageVersion } from '../../results/documents.js';
import type { EstimatedResult, JudgedComparison, MetricSamples } from '../../runs/comparison.js';
import { unperturbedJobs } from '../../runs/comparison.js';
import type { Experiment } from '../../simulate/experiment.js';
import { machineNames, methodDefinitions, methodNames, namesForReports } from '../../simulate/methodNames.js';
import type { NamedMetric } from '../../simulate/metric.js';
import { SCALAR_METRICS, type ScalarMetric } from '../../simulate/summary.js';
import { estimateMean } from '../../statistics/interval.js';
import { meanBounds, ONE_SAMPLE_REMARK, warningsForMetrics } from '../../statistics/samples.js';
import type { Plan } from '../../study/plan.js';
import { type NamedValues, VALUES_FILE_NAME, type ValueLineColumns, valueLines } from '../../view/files.js';
import type { Report, ReportWithTexts } from '../../view/report.js';
import type { Table } from '../../view/table.js';
import { type ComparedLogs, logComparisonSetting, verdictsByLog } from '../logComparison.js';
import {
  estimatedClasses,
  estimatesHead,
  informativeEstimates,
  isInformativeMetric,
} from '../methodComparison.js';

/** The jobs of an experiment (of its first method, where options of methods decide jobs), as a paper describes them. */
function describeSimulatedJobs(experiment: Experiment) {
  const workload = firstElement(unperturbedJobs(experiment));
  const { grid, loaded } = experiment;
  const machines = machineNames(experiment.configurations);
  return { workload, grid, machines, sha256: hashJobs(workload), header: loaded.header };
}

const SHOWN_METRICS = SCALAR_METRICS.map(({ name }) => name);

/** A sentence on what the names of methods stand for, if the user named some. */
const definitionSentences = (configurations: Experiment['configurations']) =>
  methodDefinitions(configurations).length === 0
    ? []
    : [`Names of methods: ${methodDefinitions(configurations).join('; ')}.`];

/** Facts of the report of an experiment, and of its methods section. */
function methodsFactsOf(experiment: Experiment, plan: Plan) {
  const { configurations, workload } = experiment;
  const set = commonSettings(experiment);
  return {
    simulated: [describeSimulatedJobs(experiment)],
    settings: [
      ...(set === '' ? [] : [`Settings other than the defaults: ${set}.`]),
      ...definitionSentences(configurations),
    ],
    names: namesForReports(configurations),
    methods: methodNames(configurations),
    cited: [{ settings: experiment.settings, configurations }],
    configurations,
    setting: settingLines(experiment).join('\n'),
    jobs: workload.count,
    workload: shortName(workload.name),
    more: [] as Table[],
    commands: [shellCommandLine(plan.command)],
    environment: environmentFacts(plan),
  };
}

/** Files with functions of the user's that methods use, by their hashes. */
function customCodeSentences(configurations: readonly Configuration[]): string[] {
  const files = new Set(configurations.flatMap(codeNamedByRun));
  return [...files].map(
    (file) =>
      `The function of ${file.name} is that of the file with the SHA-256 ${file.sha256}, of which the results keep a copy (${copiedFileName(file)}).`,
  );
}

/** Further facts of a folder. */
interface FolderDetails extends Partial<Pick<JudgedComparison, 'replications'>> {
  /** Columns of values.csv in the place of the replication. */
  readonly columns?: ValueLineColumns | undefined;
  /** Perturbation of the replications, as in `--perturb`. */
  readonly perturb?: string;
}

/** A report with its files. */
function folderOf(
  report: Report,
  { simulated, settings, commands, methods, configurations, cited }: ReturnType<typeof methodsFactsOf>,
  { coreSha256 }: Plan,
  messageSentences: Pick<PaperSentences, 'design' | 'results'> & Partial<PaperSentences>,
  values: readonly NamedValues[],
  { columns, perturb = '', replications = 1 }: FolderDetails = {},
): ReportWithTexts {
  const text = methodsSectionText({
    jobs: simulated.map((jobs) => (perturb.startsWith('seeds') ? { ...jobs, seeds: replications } : jobs)),
    settings,
    ...{ command: firstElement(commands), version: packageVersion(), coreSha256 },
    works: citedWorkEntries(cited.map((each) => ({ ...each, perturb }))),
    remarks: customCodeSentences(configurations),
    rules: [],
    ...messageSentences,
  });
  return {
    report,
    texts: { [METHODS_FILE]: [text], [VALUES_FILE_NAME]: valueLines(methods, values, columns) },
  };
}

/** The values of metrics by method, then by replication. */
function valuesOf<Shown extends NamedMetric>(
  { methods }: Experiment,
  samples: MetricSamples,
  metrics: readonly Shown[],
): (Shown & NamedValues)[] {
  return metrics.map((metric) => ({ ...metric, values: methods.map((_, i) => samples(metric, i)) }));
}

/** Metrics that are informative for these jobs: none of a topic that did not occur. */
function informativeMetricValues(
  experiment: Experiment,
  samples: MetricSamples,
): (ScalarMetric & NamedValues)[] {
  return valuesOf(experiment, samples, SCALAR_METRICS).filter((metric) => {
    const isVisible = metric.values.flat().some((value) => value !== 0);
    return isInformativeMetric(experiment, metric, isVisible);
  });
}

/** The folder of a comparison over replications. */
export function replicatedFolder(
  experiment: Experiment,
  comparison: JudgedComparison,
  samples: MetricSamples,
  plan: Plan,
): ReportWithTexts {
  const facts = methodsFactsOf(experiment, plan);
  const { names } = facts;
  const { replications, population } = comparison;
  const rows = informativeMetricValues(experiment, samples).map((metric): MetricRow => {
    const values = metric.values.map((each) => estimateMean(each.slice(0, replications)));
    return { metric, values };
  });
  const more = [meansTable(names, facts, rows, SHOWN_METRICS, comparison)];
  const report = comparisonReport({ ...facts, comparison, more });
  const details = { replications, perturb: population.perturb };
  return folderOf(report, facts, plan, comparisonSentences(names, comparison), comparison.metrics, details);
}

/** The folder of a comparison over several logs. */
export function logsFolder(compared: ComparedLogs, plan: Plan): ReportWithTexts {
  const { logs, metrics, values, comparison, ofLogs } = compared;
  const [how, ...set] = logComparisonSetting(compared);
  const facts = {
    ...methodsFactsOf(firstElement(logs), plan),
    simulated: logs.map(describeSimulatedJobs),
    cited: logs.map(({ settings, configurations }) => ({ settings, configurations })),
    settings: [
      `These are ${how}.`,
      ...set.map((each) => `Settings other than the defaults: ${each}.`),
      ...definitionSentences(firstElement(logs).configurations),
    ],
    setting: [
      ...logComparisonSetting(compared),
      ...definitionLines(firstElement(logs).configurations),
      ...logs.flatMap(jobLines),
    ].join('\n'),
    jobs: values.reduce((sum, { jobs }) => sum + jobs, 0),
    workload: countText(logs.length, 'log'),
  };
  const { names } = facts;
  const each = verdictsByLog(compared);
  const more = logTables(values, metrics, names, ofLogs);
  const report = comparisonReport({ ...facts, comparison, each, more });
  const messageSentences = comparisonSentences(names, comparison, each);
  const [lines, columns] = metricValuesOnLogs(compared);
  const perturb = ofLogs === undefined ? '' : firstElement(ofLogs).population.perturb;
  return folderOf(report, facts, plan, messageSentences, lines, { columns, perturb });
}

/** The values of each method on each log: of its one simulation, or of its replications. */
function metricValuesOnLogs({
  logs,
  metrics,
  values,
  ofLogs,
}: ComparedLogs): [NamedValues[], ValueLineColumns] {
  const { methods } = firstElement(logs);
  const own = (log: number, metric: number, method: number) =>
    ofLogs === undefined
      ? [values[log]!.values[metric]![method]!]
      : ofLogs[log]!.metrics[metric]!.values[method]!;
  const named = metrics.map(({ name }, metric) => ({
    name,
    values: methods.map((_, method) => logs.flatMap((_, log) => own(log, metric, method))),
  }));
  const lines = values.flatMap(({ name }, log) =>
    own(log, 0, 0).map((_, i) => (ofLogs === undefined ? [name] : [name, i + 1])),
  );
  return [named, { headings: ofLogs === undefined ? ['log'] : ['log', 'replication'], lines }];
}

/** The folder of one simulation over replications. */
export function estimatedFolder(
  experiment: Experiment,
  estimated: EstimatedResult,
  samples: MetricSamples,
  plan: Plan,
): ReportWithTexts {
  const facts = methodsFactsOf(experiment, plan);
  const { population, replications } = estimated;
  const report = replicationsReport({
    ...{ ...facts, population, replications },
    head: estimatesHead(experiment, estimated),
    metrics: informativeEstimates(experiment, estimated),
    more: estimatedClasses(experiment, estimated),
  });
  const intervals =
    meanBounds(population, replications) === 'rough'
      ? 'rough, since so few resampled replications cover their mean in less than 95 % of cases'
      : '95 % confidence intervals';
  const design = [
    `We simulated ${countText(replications, 'replication')}: ${population.copies} (--perturb ${population.perturb}).`,
    `Intervals of means are ${intervals}: Student's t, or bootstrap-t where values are skewed.`,
    ...warningsForMetrics(SHOWN_METRICS),
    population.caveat,
  ];
  const messageSentences = { design, results: ['See `tables/metrics.md`.'] };
  const details = { perturb: population.perturb, replications };
  return folderOf(
    report,
    facts,
    plan,
    messageSentences,
    informativeMetricValues(experiment, samples),
    details,
  );
}

/**
 * The folder of a comparison on the unperturbed jobs.
 * @param named the metrics requested.
 * @param more tables of classes of jobs.
 */
export function plainFolder(
  experiment: Experiment,
  named: readonly NamedMetric[],
  samples: MetricSamples,
  more: readonly Table[],
  plan: Plan,
): ReportWithTexts {
  const facts = methodsFactsOf(experiment, plan);
  const { names } = facts;
  const metrics = informativeMetricValues(experiment, samples);
  const requestedMetrics = valuesOf(experiment, samples, named);
  const report = plainReport({ ...facts, metrics, requestedMetrics, more });
  const design = [
    `We compared ${countText(names.length, 'method')}: ${names.join(', ')}, each in one simulation of the jobs as they are.`,
    ONE_SAMPLE_REMARK,
  ];
  const results = ['See `tables/methods.md` and `tables/metrics.md`.'];
  const extraMetrics = requestedMetrics.filter(({ name }) => metrics.every((metric) => metric.name !== name));
  return folderOf(report, facts, plan, { design, results }, [...metrics, ...extraMetrics]);
}
