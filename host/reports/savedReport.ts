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
import { countText } from '../format/numbers.js';
import { firstElement } from '../lists.js';
import { savedOptionTexts, settingsOnOneLine } from '../options/document.js';
import { absencesUntil } from '../results/capacity.js';
import { readConfigFile } from '../results/configFile.js';
import { readCapacityStepsIn } from '../results/difference.js';
import {
  type FinishedJob,
  readFinishedJobs,
  readStartDate,
  readStoppedRuns,
  type StoppedRun,
} from '../results/finishedJobs.js';
import { CONFIG_FILE, runFoldersIn, STOPS_FILE } from '../results/resultFolder.js';
import { BENCH_SHAPE, readDocument, SUMMARY_SHAPE } from '../results/savedFile.js';
import { metricsForTables, runNameOf, type Summary } from '../simulate/summary.js';
import { REPORT_FILE, type Report } from '../view/report.js';
import { type DrawnReport, drawReport, readReport } from '../view/reportFolder.js';
import { BENCH_FILE, benchReport } from './benchReport.js';
import { plainReport } from './comparisonReport.js';
import { simulationPictures } from './simulationFigures.js';
import {
  hasHomeSites,
  type SimulationConfig,
  settingFacts,
  shortName,
  simulationReport,
} from './simulationReport.js';

/** Time window of a simulation to draw. */
export interface DrawnWindow extends TimeWindow {
  /** True if the window is in seconds since 1970; default: seconds since the first submission. */
  readonly isDated?: boolean;
}

/**
 * Reads a folder and draws its report.
 * @param window the part that is drawn; for simulations only.
 * @throws InputError when the folder holds neither a finished study nor a finished simulation, or damaged files.
 */
export async function drawFolder(folder: string, window?: DrawnWindow): Promise<DrawnReport> {
  checkArgument(folder, 'text', 'drawFolder');
  const report =
    (await readReport(folder)) ?? (await readBenchReport(folder)) ?? (await methodsReport(folder));
  if (report !== undefined) {
    if (window !== undefined)
      throw new InputError(`${folder} holds no single simulation, and so has no time window; omit it`);
    return drawReport(report);
  }
  const run = await readSavedRun(folder);
  if (run !== undefined) return drawSimulation(run, window);
  throw new InputError(
    `${folder} holds neither ${REPORT_FILE} of a finished study nor ${CONFIG_FILE} of a finished simulation; ` +
      'give a folder that gridalloc simulate --out or gridalloc study run has written',
  );
}

/** Report of a benchmark folder; undefined for other folders. */
async function readBenchReport(folder: string): Promise<Report | undefined> {
  const result = await readDocument<BenchResult>(join(folder, BENCH_FILE), BENCH_SHAPE);
  return result && benchReport(result);
}

/** Finished simulation read from its folder. */
interface SavedFolderRun {
  readonly folder: string;
  readonly summary: Summary;
  readonly config: SimulationConfig;
}

/**
 * Reads a finished simulation; undefined for a folder without config.json.
 *  @returns undefined for a folder without config.json.
 */
async function readSavedRun(folder: string): Promise<SavedFolderRun | undefined> {
  const config = await readConfigFile<SimulationConfig>(join(folder, CONFIG_FILE));
  if (config === undefined) return undefined;
  const summary = await readDocument<Summary>(join(folder, 'summary.json'), SUMMARY_SHAPE);
  const isComplete = ([config.gridalloc, config.shell, config.workload] as unknown[]).every(Boolean);
  if (!isComplete || summary === undefined) {
    throw new InputError(
      `${folder} is not a complete folder of gridalloc simulate --out: ${CONFIG_FILE} or summary.json lacks entries; run the simulation again`,
    );
  }
  return { folder, summary, config };
}

async function drawSimulation(
  { folder, summary, config }: SavedFolderRun,
  request?: DrawnWindow,
): Promise<DrawnReport> {
  const capacities = summary.sites.map(({ capacity }) => capacity);
  const jobs = await readFinishedJobs(join(folder, 'jobs.csv'));
  const stopped = await readStoppedRunsIn(folder, summary, jobs);
  const beginning = await firstSubmitTimeIn(folder, jobs);
  if (request?.isDated && beginning === undefined) {
    throw new InputError(
      `the log of ${folder} does not say when it began (UnixStartTime); give times since its first submit, such as 100d,101d`,
    );
  }
  const timeShift = request?.isDated ? (beginning ?? 0) : 0;
  const window = request && { from: Math.max(0, request.from - timeShift), to: request.to - timeShift };
  const capacitySteps = await readCapacityStepsIn(folder, summary);
  const until = jobs.reduce((latest, { end }) => Math.max(latest, end), 0);
  const absences = absencesUntil(capacitySteps, until);
  const pictures = simulationPictures({ jobs, stopped, absences, capacities, window, beginning });
  return { report: simulationReport(summary, config, { jobs, stopped, capacitySteps }), pictures };
}

/** Preempted runs of a simulation; empty if an earlier version did not store them. */
async function readStoppedRunsIn(
  folder: string,
  { restarts }: Summary,
  jobs: readonly FinishedJob[],
): Promise<StoppedRun[]> {
  const path = join(folder, STOPS_FILE);
  const isThere = await access(path).then(
    () => true,
    () => false,
  );
  if (!isThere || !restarts) return [];
  const stopped = await readStoppedRuns(path, jobs);
  if (stopped.length !== restarts) {
    throw new InputError(
      `${path} holds ${stopped.length} stopped runs, summary.json ${restarts}; run the simulation again`,
    );
  }
  return stopped;
}

/**
 * First submission of a simulation in seconds since 1970; undefined if the log does not say when it
 * started.
 */
export async function firstSubmitTimeIn(
  folder: string,
  jobs: readonly FinishedJob[],
): Promise<number | undefined> {
  const startDate = await readStartDate(folder);
  if (startDate === undefined) return undefined;
  return jobs.reduce((least, { submit }) => Math.min(least, submit), Infinity) + startDate;
}

// Folders with one simulation per policy, written by `gridalloc simulate`

/**
 * The report of the simulations in a folder as methods side by side.
 * @returns undefined for a folder that holds none, or is a simulation itself.
 * @throws InputError where they are of different jobs, or a folder is incomplete.
 */
async function methodsReport(folder: string): Promise<Report | undefined> {
  const folders = runFoldersIn(folder).filter((each) => each !== folder);
  const runs = (await Promise.all(folders.map(readSavedRun))).filter((run) => run !== undefined);
  if (runs.length === 0) return undefined;
  const { summary, config, folder: first } = firstElement(runs);
  const other = runs.find((run) => run.config.workload.jobsSha256 !== config.workload.jobsSha256);
  if (other !== undefined)
    throw new InputError(
      `${other.folder} and ${first} are simulations of different jobs; give the folders one by one`,
    );
  const names = runs.map((run) => runNameOf(run.summary, run.config));
  const areNamesDifferent = new Set(names).size === names.length;
  const valuedMetrics = runs.map((run) => {
    const shown = metricsForTables(run.summary, hasHomeSites(run.config));
    return new Map(shown.map(({ metric, value }) => [metric.name, { metric, value }]));
  });
  const shared = [...firstElement(valuedMetrics).values()].filter(({ metric }) =>
    valuedMetrics.every((values) => values.has(metric.name)),
  );
  const { home: _, policy: _policy, ...texts } = savedOptionTexts(config);
  const settings = settingsOnOneLine(texts, names[0]!);
  const report = plainReport({
    names: areNamesDifferent ? names : folders.map((each) => basename(each)),
    setting: [
      `${countText(summary.jobs, 'job')} of ${shortName(summary.workload)}`,
      ...(settings === '' ? [] : [settings]),
    ].join('\n'),
    workload: shortName(summary.workload),
    jobs: summary.jobs,
    commands: runs.flatMap((run) => run.config.shell ?? []),
    environment: settingFacts(summary, config),
    metrics: shared.map(({ metric }) => ({
      ...metric,
      values: valuedMetrics.map((values) => [values.get(metric.name)!.value]),
    })),
    requestedMetrics: [],
    more: [],
  });
  const files = folders.map((each, i) => ({
    path: `${basename(each)}/${CONFIG_FILE}`,
    meaning: `${names[i]}: every option, beside its jobs.csv; gridalloc report ${basename(each)} draws it`,
  }));
  return { ...report, files };
}
