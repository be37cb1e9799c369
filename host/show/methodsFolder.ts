/** The report of a folder in which `gridalloc simulate` has left a folder for each of several policies. */
import { basename, join } from 'node:path';
import { InputError } from '../errors.js';
import { countOf } from '../format/numbers.js';
import { savedTexts, settingsText } from '../options/document.js';
import { CONFIG_FILE, readDocument, runsIn } from '../results/resultFolder.js';
import { shownMetrics } from '../simulate/metricValues.js';
import { runName, type Summary } from '../simulate/summary.js';
import { plainReport } from './plainReports.js';
import type { Report } from './report.js';
import { hasHomes, type SimulationConfig, settingFacts, shortName } from './simulationReport.js';

interface FolderRun {
  readonly folder: string;
  readonly summary: Summary;
  readonly config: SimulationConfig;
}

async function readRun(folder: string): Promise<FolderRun> {
  const summary = (await readDocument(join(folder, 'summary.json'))) as Summary | undefined;
  const config = (await readDocument(join(folder, CONFIG_FILE))) as SimulationConfig;
  if (summary?.sites === undefined)
    throw new InputError(`${folder} holds no summary.json of a simulation; run the simulation again`);
  return { folder, summary, config };
}

/** Whether runs are of the same jobs, so that their metrics can stand side by side. */
function checkSameJobs(runs: readonly FolderRun[]): void {
  const [first, ...others] = runs;
  const other = others.find(({ config }) => config.workload.jobsSha256 !== first?.config.workload.jobsSha256);
  if (other !== undefined)
    throw new InputError(
      `${other.folder} and ${first?.folder} are simulations of different jobs; give one folder after the other`,
    );
}

/**
 * The report of the simulations in a folder as methods side by side.
 * @returns undefined for a folder that holds none, or is a simulation itself.
 * @throws InputError where they are of different jobs, or a folder is incomplete.
 */
export async function methodsReport(folder: string): Promise<Report | undefined> {
  const folders = runsIn(folder).filter((each) => each !== folder);
  const runs = await Promise.all(folders.map(readRun));
  const [first] = runs;
  if (first === undefined) return undefined;
  checkSameJobs(runs);
  const names = runs.map(({ summary, config }) => runName(summary, config));
  const isTold = new Set(names).size === names.length;
  const valued = runs.map(({ summary, config }) => shownMetrics(summary, hasHomes(config)));
  const shared = valued[0]!.filter(({ metric }) =>
    valued.every((metrics) => metrics.some((each) => each.metric.name === metric.name)),
  );
  const { summary, config } = first;
  const { home: _, policy: _policy, ...texts } = savedTexts(config);
  const settings = settingsText(texts, names[0]!);
  const report = plainReport({
    names: isTold ? names : folders.map((each) => basename(each)),
    setting: [
      `${countOf(summary.jobs, 'job')} of ${shortName(summary.workload)}`,
      ...(settings === '' ? [] : [settings]),
    ].join('\n'),
    workload: shortName(summary.workload),
    jobs: summary.jobs,
    commands: runs.flatMap(({ config: { shell } }) => shell ?? []),
    environment: settingFacts(summary, config),
    metrics: shared.map(({ metric }) => ({
      ...metric,
      values: valued.map((metrics) => [
        metrics.find((each) => each.metric.name === metric.name)?.value ?? Number.NaN,
      ]),
    })),
    asked: [],
  });
  const files = folders.map((each, i) => ({
    path: `${basename(each)}/${CONFIG_FILE}`,
    meaning: `${names[i]}: every option, beside its jobs.csv; gridalloc report ${basename(each)} draws it`,
  }));
  return { ...report, files };
}
