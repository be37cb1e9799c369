/** Contents of a comparison folder: report, methods section for a paper, raw values. */
import { makeNameOfCodeCopy } from '../../code/codeFile.js';
import { hashJobsSha256 } from '../../files/hash.js';
import { formatCount } from '../../format/numbers.js';
import { firstElement } from '../../lists.js';
import type { Configuration } from '../../options/configuration.js';
import { listCodeFilesOfRun } from '../../options/document.js';
import {
  METHODS_SECTION_FILE,
  type MetricValuesByMethod,
  makeComparisonReport,
  makeLogTables,
  makeMeansTable,
  makeReplicationsReport,
  makeUnperturbedReport,
} from '../../reports/comparisonReport.js';
import {
  describeReplicatedComparison,
  formatMethodsSection,
  type MethodsSectionSentences,
} from '../../reports/methodsSection.js';
import { makeBibtexEntriesOfSettings } from '../../reports/references.js';
import {
  describeCommonSettings,
  describeJobsAndSites,
  describeMethodDefinitions,
  findLastPathPart,
  makeExperimentSettingLines,
} from '../../reports/simulationReport.js';
import { formatShellCommand, makeFactsOnVersions } from '../../reports/studyFacts.js';
import { readPackageVersion } from '../../results/documents.js';
import type { EstimatedResult, JudgedComparison, MetricSamples } from '../../runs/comparison.js';
import { unperturbedJobsByMethod } from '../../runs/comparison.js';
import type { Experiment } from '../../simulate/experiment.js';
import {
  describeMachinesOfMethods,
  formatMethodDefinitions,
  makeMethodNamesForReports,
  methodNames,
} from '../../simulate/methodNames.js';
import type { NamedMetric } from '../../simulate/metric.js';
import { SCALAR_METRICS, type ScalarMetric } from '../../simulate/summary.js';
import { estimateMean } from '../../statistics/interval.js';
import { kindOfMeanBounds, makeWarningsOnMeans, SINGLE_SIMULATION_REMARK } from '../../statistics/samples.js';
import type { Plan } from '../../study/plan.js';
import {
  formatValuesFile,
  type NamedMetricValues,
  VALUES_FILE_NAME,
  type ValuesFileColumns,
} from '../../view/files.js';
import type { Report, ReportWithTextFiles } from '../../view/report.js';
import type { Table } from '../../view/table.js';
import {
  describeSettingsOverLogs,
  type LogComparisonResult,
  makeLogsWithComparisons,
} from '../logComparison.js';
import {
  isInformativeMetric,
  keepInformativeEstimates,
  makeJobClassTables,
  makeReplicatedSimulationHeading,
} from '../methodComparison.js';

/** Describes the jobs of an experiment for a paper (of the first method, if methods have different jobs). */
function describeSimulatedJobs(experiment: Experiment) {
  const workload = firstElement(unperturbedJobsByMethod(experiment));
  const { grid, loaded: loadedLog } = experiment;
  const machines = describeMachinesOfMethods(experiment.configurations);
  return { workload, grid, machines, sha256: hashJobsSha256(workload), header: loadedLog.header };
}

const DISPLAYED_METRICS = SCALAR_METRICS.map(({ name: metricName }) => metricName);

/** Sentence with the definitions of method names, if the user named methods. */
const defineMethodNames = (configurations: Experiment['configurations']) =>
  formatMethodDefinitions(configurations).length === 0
    ? []
    : [`Names of methods: ${formatMethodDefinitions(configurations).join('; ')}.`];

/** Facts for the report of an experiment and for its methods section. */
function makeReportFacts(experiment: Experiment, plan: Plan) {
  const { configurations, workload } = experiment;
  const settingsText = describeCommonSettings(experiment);
  return {
    simulated: [describeSimulatedJobs(experiment)],
    settings: [
      ...(settingsText === '' ? [] : [`Settings other than the defaults: ${settingsText}.`]),
      ...defineMethodNames(configurations),
    ],
    names: makeMethodNamesForReports(configurations),
    methods: methodNames(configurations),
    cited: [{ settings: experiment.settings, configurations }],
    configurations,
    setting: makeExperimentSettingLines(experiment).join('\n'),
    jobs: workload.count,
    workload: findLastPathPart(workload.name),
    extraTables: [] as Table[],
    commands: [formatShellCommand(plan.command)],
    environment: makeFactsOnVersions(plan),
  };
}

/** Sentences on user-written code files of methods, with their hashes. */
function makeCustomCodeFileSentences(configurations: readonly Configuration[]): string[] {
  const files = new Set(configurations.flatMap(listCodeFilesOfRun));
  return [...files].map(
    (file) =>
      `The function of ${file.name} is that of the file with the SHA-256 ${file.sha256}, of which the results keep a copy (${makeNameOfCodeCopy(file)}).`,
  );
}

/** Replications, perturbation and columns of values.csv, which only some comparison folders have. */
interface ComparisonFolderDetails extends Partial<Pick<JudgedComparison, 'replications'>> {
  /** Columns of values.csv that replace the replication number. */
  readonly columns?: ValuesFileColumns | undefined;
  /** Perturbation of the replications, as in `--perturb`. */
  readonly perturb?: string;
}

/** Report with the files of a comparison folder: methods section and values. */
function addFilesToReport(
  report: Report,
  { simulated, settings, commands, methods, configurations, cited }: ReturnType<typeof makeReportFacts>,
  { coreSha256 }: Plan,
  sentences: Pick<MethodsSectionSentences, 'design' | 'results'> & Partial<MethodsSectionSentences>,
  metricValues: readonly NamedMetricValues[],
  { columns, perturb = '', replications: replicationCount = 1 }: ComparisonFolderDetails = {},
): ReportWithTextFiles {
  const methodsSectionText = formatMethodsSection({
    jobs: simulated.map((jobs) =>
      perturb.startsWith('seeds') ? { ...jobs, seeds: replicationCount } : jobs,
    ),
    settings,
    ...{ command: firstElement(commands), version: readPackageVersion(), coreSha256 },
    methodReferences: makeBibtexEntriesOfSettings(cited.map((each) => ({ ...each, perturb }))),
    remarks: makeCustomCodeFileSentences(configurations),
    statisticsReferences: [],
    ...sentences,
  });
  return {
    report,
    texts: {
      [METHODS_SECTION_FILE]: [methodsSectionText],
      [VALUES_FILE_NAME]: formatValuesFile(methods, metricValues, columns),
    },
  };
}

/** Values of metrics by method, then by replication. */
function collectMetricValuesByMethod<Shown extends NamedMetric>(
  { methods }: Experiment,
  samplesOf: MetricSamples,
  metrics: readonly Shown[],
): (Shown & NamedMetricValues)[] {
  return metrics.map((metric) => ({ ...metric, values: methods.map((_, i) => samplesOf(metric, i)) }));
}

/** Keeps metrics that are informative about these jobs; metrics of a topic that did not occur are omitted. */
function collectInformativeMetricValues(
  experiment: Experiment,
  samplesOf: MetricSamples,
): (ScalarMetric & NamedMetricValues)[] {
  const metrics = collectMetricValuesByMethod(experiment, samplesOf, SCALAR_METRICS);
  return metrics.filter((metric) => {
    const { values: metricValues } =
      metrics.find(({ name: metricName }) => metricName === metric.shownWith) ?? metric;
    const hasNonzeroValue = metricValues.flat().some((value) => value !== 0);
    return isInformativeMetric(experiment, metric, hasNonzeroValue);
  });
}

/** Creates the folder contents of a comparison over replications. */
export function makeReplicatedComparisonReport(
  experiment: Experiment,
  comparison: JudgedComparison,
  samplesOf: MetricSamples,
  plan: Plan,
): ReportWithTextFiles {
  const facts = makeReportFacts(experiment, plan);
  const { names } = facts;
  const { replications: replicationCount, population } = comparison;
  const metricRows = collectInformativeMetricValues(experiment, samplesOf).map(
    (metric): MetricValuesByMethod => {
      const meanEstimates = metric.values.map((each) => estimateMean(each.slice(0, replicationCount)));
      return { metric, values: meanEstimates };
    },
  );
  const metricTables = [makeMeansTable(names, facts, metricRows, DISPLAYED_METRICS, comparison)];
  const report = makeComparisonReport({ ...facts, comparison, extraTables: metricTables });
  const samplingDetails = { replications: replicationCount, perturb: population.perturb };
  return addFilesToReport(
    report,
    facts,
    plan,
    describeReplicatedComparison(names, comparison),
    comparison.metrics,
    samplingDetails,
  );
}

/** Creates the folder contents of a comparison over several logs. */
export function makeLogComparisonReport(logComparison: LogComparisonResult, plan: Plan): ReportWithTextFiles {
  const { logs, metrics, values: valuesByLog, comparison, comparisonsByLog } = logComparison;
  const [runDescription, ...settingTexts] = describeSettingsOverLogs(logComparison);
  const facts = {
    ...makeReportFacts(firstElement(logs), plan),
    simulated: logs.map(describeSimulatedJobs),
    cited: logs.map(({ settings, configurations }) => ({ settings, configurations })),
    settings: [
      `These are ${runDescription}.`,
      ...settingTexts.map((settingText) => `Settings other than the defaults: ${settingText}.`),
      ...defineMethodNames(firstElement(logs).configurations),
    ],
    setting: [
      ...describeSettingsOverLogs(logComparison),
      ...describeMethodDefinitions(firstElement(logs).configurations),
      ...logs.flatMap(describeJobsAndSites),
    ].join('\n'),
    jobs: valuesByLog.reduce((sum, { jobs: jobCount }) => sum + jobCount, 0),
    workload: formatCount(logs.length, 'log'),
  };
  const { names } = facts;
  const judgedLogs = makeLogsWithComparisons(logComparison);
  const logTables = makeLogTables(valuesByLog, metrics, names, comparisonsByLog);
  const report = makeComparisonReport({
    ...facts,
    comparison,
    comparisonsByLog: judgedLogs,
    extraTables: logTables,
  });
  const sentences = describeReplicatedComparison(names, comparison, judgedLogs);
  const [lines, columns] = collectMetricValuesByLog(logComparison);
  const perturbText = comparisonsByLog === undefined ? '' : firstElement(comparisonsByLog).population.perturb;
  return addFilesToReport(report, facts, plan, sentences, lines, { columns, perturb: perturbText });
}

/** Values of each method on each log, from one simulation or from replications. */
function collectMetricValuesByLog({
  logs,
  metrics,
  values: valuesByLog,
  comparisonsByLog,
}: LogComparisonResult): [NamedMetricValues[], ValuesFileColumns] {
  const { methods } = firstElement(logs);
  const valuesOf = (log: number, metric: number, method: number) =>
    comparisonsByLog === undefined
      ? [valuesByLog[log]!.values[metric]![method]!]
      : comparisonsByLog[log]!.metrics[metric]!.values[method]!;
  const namedValues = metrics.map(({ name: metricName }, metric) => ({
    name: metricName,
    values: methods.map((_, method) => logs.flatMap((_, log) => valuesOf(log, metric, method))),
  }));
  const lines = valuesByLog.flatMap(({ name: logName }, log) =>
    valuesOf(log, 0, 0).map((_, i) => (comparisonsByLog === undefined ? [logName] : [logName, i + 1])),
  );
  return [
    namedValues,
    { headings: comparisonsByLog === undefined ? ['log'] : ['log', 'replication'], lines },
  ];
}

/** Creates the folder contents of one simulation over replications. */
export function makeReplicatedSimulationReport(
  experiment: Experiment,
  estimatedResult: EstimatedResult,
  samplesOf: MetricSamples,
  plan: Plan,
): ReportWithTextFiles {
  const facts = makeReportFacts(experiment, plan);
  const { population, replications: replicationCount } = estimatedResult;
  const report = makeReplicationsReport({
    ...{ ...facts, population, replications: replicationCount },
    head: makeReplicatedSimulationHeading(experiment, estimatedResult),
    metrics: keepInformativeEstimates(experiment, estimatedResult),
    extraTables: makeJobClassTables(experiment, estimatedResult),
  });
  const intervalKindText =
    kindOfMeanBounds(population, replicationCount) === 'rough'
      ? 'rough, since so few resampled replications cover their mean in less than 95 % of cases'
      : '95 % confidence intervals';
  const designSentences = [
    `We simulated ${formatCount(replicationCount, 'replication')}: ${population.copies} (--perturb ${population.perturb}).`,
    `Intervals of means are ${intervalKindText}: Student's t, or bootstrap-t where values are skewed.`,
    ...makeWarningsOnMeans(DISPLAYED_METRICS),
    population.caveat,
  ];
  const sentences = { design: designSentences, results: ['See `tables/metrics.md`.'] };
  const samplingDetails = { perturb: population.perturb, replications: replicationCount };
  return addFilesToReport(
    report,
    facts,
    plan,
    sentences,
    collectInformativeMetricValues(experiment, samplesOf),
    samplingDetails,
  );
}

/**
 * Creates the folder contents of a comparison on the unperturbed jobs.
 * @param namedMetrics requested metrics.
 * @param classTables tables of job classes.
 */
export function makeUnperturbedComparisonReport(
  experiment: Experiment,
  namedMetrics: readonly NamedMetric[],
  samplesOf: MetricSamples,
  classTables: readonly Table[],
  plan: Plan,
): ReportWithTextFiles {
  const facts = makeReportFacts(experiment, plan);
  const { names } = facts;
  const metrics = collectInformativeMetricValues(experiment, samplesOf);
  const requestedMetrics = collectMetricValuesByMethod(experiment, samplesOf, namedMetrics);
  const report = makeUnperturbedReport({ ...facts, metrics, requestedMetrics, extraTables: classTables });
  const design = [
    `We compared ${formatCount(names.length, 'method')}: ${names.join(', ')}, each in one simulation of the jobs as they are.`,
    SINGLE_SIMULATION_REMARK,
  ];
  const resultSentences = ['See `tables/methods.md` and `tables/metrics.md`.'];
  const extraMetrics = requestedMetrics.filter(({ name: metricName }) =>
    metrics.every((metric) => metric.name !== metricName),
  );
  return addFilesToReport(report, facts, plan, { design, results: resultSentences }, [
    ...metrics,
    ...extraMetrics,
  ]);
}
