/**
 * Reports for folders of finished studies, benchmarks and simulations, and of simulations of several
 * policies.
 */
import { access } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { checkArgument } from '../arguments.js';
import type { BenchResult } from '../bench/bench.js';
import type { TimeWindow } from '../draw/timeChart.js';
import { InputError } from '../errors.js';
import { formatCount } from '../format/numbers.js';
import { firstElement } from '../lists.js';
import { describeSettingsOnOneLine, readOptionTextsOfSavedRequest } from '../options/document.js';
import { joinStepsIntoAbsences } from '../results/capacity.js';
import { readConfigFile } from '../results/configFile.js';
import { readCapacityStepsOfFolder } from '../results/difference.js';
import {
  type FinishedJob,
  readFinishedJobs,
  readStartDate,
  readStoppedRuns,
  type StoppedRun,
} from '../results/finishedJobs.js';
import { CONFIG_FILE_NAME, findSimulationFolders, STOPS_FILE_NAME } from '../results/resultFolder.js';
import { BENCH_RESULT_SHAPE, readCheckedDocument, SUMMARY_SHAPE } from '../results/savedFile.js';
import { formatRunName, type Summary, selectMetricsForTables } from '../simulate/summary.js';
import { REPORT_FILE, type Report } from '../view/report.js';
import { type DrawnReport, drawReport, readReportOfFolder } from '../view/reportFolder.js';
import { BENCH_RESULT_FILE, makeBenchReport } from './benchReport.js';
import { makeUnperturbedReport } from './comparisonReport.js';
import { makeSimulationPictures } from './simulationFigures.js';
import {
  doJobsHaveHomeSites,
  findLastPathPart,
  makeFactsOnSimulationSettings,
  makeSimulationReport,
  type ReportedConfigFields,
} from './simulationReport.js';

/** Time window of a simulation to draw. */
export interface DrawnWindow extends TimeWindow {
  /** True if the window is in seconds since 1970; default: seconds since the first submission. */
  readonly isDated?: boolean;
}

/**
 * Reads a folder and draws its report.
 * @param window time window to draw; only for simulations.
 * @throws InputError if the folder contains neither a finished study nor a finished simulation, or a file is
 * damaged.
 */
export async function drawFolder(folder: string, window?: DrawnWindow): Promise<DrawnReport> {
  checkArgument(folder, 'text', 'drawFolder');
  const report =
    (await readReportOfFolder(folder)) ??
    (await readBenchReport(folder)) ??
    (await makeReportOfMethodFolders(folder));
  if (report !== undefined) {
    if (window !== undefined)
      throw new InputError(`${folder} holds no single simulation, and so has no time window; omit it`);
    return drawReport(report);
  }
  const savedSimulation = await readSavedSimulation(folder);
  if (savedSimulation !== undefined) return drawSimulationReport(savedSimulation, window);
  throw new InputError(
    `${folder} holds neither ${REPORT_FILE} of a finished study nor ${CONFIG_FILE_NAME} of a finished simulation; ` +
      'give a folder that gridalloc simulate --out or gridalloc study run has written',
  );
}

/** Report of a benchmark folder; undefined for other folders. */
async function readBenchReport(folder: string): Promise<Report | undefined> {
  const benchResult = await readCheckedDocument<BenchResult>(
    join(folder, BENCH_RESULT_FILE),
    BENCH_RESULT_SHAPE,
  );
  return benchResult && makeBenchReport(benchResult);
}

/** Finished simulation read from its folder. */
interface SavedSimulationFolder {
  readonly folder: string;
  readonly summary: Summary;
  readonly config: ReportedConfigFields;
}

/**
 * Reads a finished simulation.
 * @returns undefined for a folder without config.json.
 */
async function readSavedSimulation(folder: string): Promise<SavedSimulationFolder | undefined> {
  const config = await readConfigFile<ReportedConfigFields>(join(folder, CONFIG_FILE_NAME));
  if (config === undefined) return undefined;
  const summary = await readCheckedDocument<Summary>(join(folder, 'summary.json'), SUMMARY_SHAPE);
  const isComplete = ([config.gridalloc, config.shell, config.workload] as unknown[]).every(Boolean);
  if (!isComplete || summary === undefined) {
    throw new InputError(
      `${folder} is not a complete folder of gridalloc simulate --out: ${CONFIG_FILE_NAME} or summary.json lacks entries; run the simulation again`,
    );
  }
  return { folder, summary, config };
}

async function drawSimulationReport(
  { folder, summary, config }: SavedSimulationFolder,
  requestedWindow?: DrawnWindow,
): Promise<DrawnReport> {
  const capacities = summary.sites.map(({ capacity }) => capacity);
  const jobs = await readFinishedJobs(join(folder, 'jobs.csv'));
  const preemptedRuns = await readPreemptedRunsOfFolder(folder, summary, jobs);
  const firstSubmitDate = await readFirstSubmitDate(folder, jobs);
  if (requestedWindow?.isDated && firstSubmitDate === undefined) {
    throw new InputError(
      `the log of ${folder} does not say when it began (UnixStartTime); give times since its first submit, such as 100d,101d`,
    );
  }
  const timeShiftSeconds = requestedWindow?.isDated ? (firstSubmitDate ?? 0) : 0;
  const window = requestedWindow && {
    from: Math.max(0, requestedWindow.from - timeShiftSeconds),
    to: requestedWindow.to - timeShiftSeconds,
  };
  const capacitySteps = await readCapacityStepsOfFolder(folder, summary);
  const until = jobs.reduce((latest, { end }) => Math.max(latest, end), 0);
  const absences = joinStepsIntoAbsences(capacitySteps, until);
  const pictures = makeSimulationPictures({
    jobs,
    stopped: preemptedRuns,
    absences,
    capacities,
    window,
    beginning: firstSubmitDate,
  });
  return {
    report: makeSimulationReport(summary, config, { jobs, stopped: preemptedRuns, capacitySteps }),
    pictures,
  };
}

/** Preempted runs of a simulation; empty if an earlier version did not store them. */
async function readPreemptedRunsOfFolder(
  folder: string,
  { restarts }: Summary,
  jobs: readonly FinishedJob[],
): Promise<StoppedRun[]> {
  const path = join(folder, STOPS_FILE_NAME);
  const fileExists = await access(path).then(
    () => true,
    () => false,
  );
  if (!fileExists || !restarts) return [];
  const preemptedRuns = await readStoppedRuns(path, jobs);
  if (preemptedRuns.length !== restarts) {
    throw new InputError(
      `${path} holds ${preemptedRuns.length} stopped runs, summary.json ${restarts}; run the simulation again`,
    );
  }
  return preemptedRuns;
}

/**
 * First submission of a simulation in seconds since 1970; undefined if the log does not say when it
 * started.
 */
export async function readFirstSubmitDate(
  folder: string,
  jobs: readonly FinishedJob[],
): Promise<number | undefined> {
  const startDate = await readStartDate(folder);
  if (startDate === undefined) return undefined;
  return jobs.reduce((earliestSubmit, { submit }) => Math.min(earliestSubmit, submit), Infinity) + startDate;
}

// Folders with one simulation per policy, written by `gridalloc simulate`

/**
 * Report that compares the simulations in the subfolders of a folder as methods.
 * @returns undefined if the folder contains none, or is itself a simulation.
 * @throws InputError if their jobs differ, or a folder is incomplete.
 */
async function makeReportOfMethodFolders(folder: string): Promise<Report | undefined> {
  const folders = findSimulationFolders(folder).filter((simulationFolder) => simulationFolder !== folder);
  const savedSimulations = (await Promise.all(folders.map(readSavedSimulation))).filter(
    (savedSimulation) => savedSimulation !== undefined,
  );
  if (savedSimulations.length === 0) return undefined;
  const { summary, config, folder: firstFolder } = firstElement(savedSimulations);
  const runOfOtherLog = savedSimulations.find(
    (savedSimulation) => savedSimulation.config.workload.jobsSha256 !== config.workload.jobsSha256,
  );
  if (runOfOtherLog !== undefined)
    throw new InputError(
      `${runOfOtherLog.folder} and ${firstFolder} are simulations of different jobs; give the folders one by one`,
    );
  const runNames = savedSimulations.map((savedSimulation) =>
    formatRunName(savedSimulation.summary, savedSimulation.config),
  );
  const areNamesDifferent = new Set(runNames).size === runNames.length;
  const metricsByRun = savedSimulations.map((savedSimulation) => {
    const tableMetrics = selectMetricsForTables(
      savedSimulation.summary,
      doJobsHaveHomeSites(savedSimulation.config),
    );
    return new Map(
      tableMetrics.map(({ metric, value: tableMetricValue }) => [
        metric.name,
        { metric, value: tableMetricValue },
      ]),
    );
  });
  const sharedMetrics = [...firstElement(metricsByRun).values()].filter(({ metric }) =>
    metricsByRun.every((values) => values.has(metric.name)),
  );
  const { home: _, policy: _policy, ...texts } = readOptionTextsOfSavedRequest(config);
  const settingsText = describeSettingsOnOneLine(texts, runNames[0]!);
  const report = makeUnperturbedReport({
    names: areNamesDifferent ? runNames : folders.map((methodFolder) => basename(methodFolder)),
    setting: [
      `${formatCount(summary.jobs, 'job')} of ${findLastPathPart(summary.workload)}`,
      ...(settingsText === '' ? [] : [settingsText]),
    ].join('\n'),
    workload: findLastPathPart(summary.workload),
    jobs: summary.jobs,
    commands: savedSimulations.flatMap((savedSimulation) => savedSimulation.config.shell ?? []),
    environment: makeFactsOnSimulationSettings(summary, config),
    metrics: sharedMetrics.map(({ metric }) => ({
      ...metric,
      values: metricsByRun.map((values) => [values.get(metric.name)!.value]),
    })),
    requestedMetrics: [],
    extraTables: [],
  });
  const files = folders.map((methodFolder, i) => ({
    path: `${basename(methodFolder)}/${CONFIG_FILE_NAME}`,
    meaning: `${runNames[i]}: every option, beside its jobs.csv; gridalloc report ${basename(methodFolder)} draws it`,
  }));
  return { ...report, files };
}
