/**
 * Turns a setup into jobs, a grid and configurations, with the rules and error messages of the command line.
 */
import { parsePolicy } from '../../../host/core/policies.js';
import { InputError } from '../../../host/errors.js';
import { checkOptionsOfExplorer } from '../../../host/explorer/pageOptions.js';
import { quoteShellWord } from '../../../host/format/text.js';
import type { Grid } from '../../../host/grid/grid.js';
import { formatOptionsAsCommandLineWords, printOptionSettings } from '../../../host/options/document.js';
import {
  addParsedOptionTexts,
  nameOptionOnCommandLine,
  OPTIONS,
  type Settings,
} from '../../../host/options/options.js';
import { findBrokenRule } from '../../../host/options/rules.js';
import { EQUAL_ON_ONE_SITE_MESSAGE } from '../../../host/reports/comparisonText.js';
import { makeDroppedRecordMessages } from '../../../host/reports/logDescription.js';
import { DEFAULT_SINGLE_SITE_METHODS, explainMissingEstimates } from '../../../host/runs/methodSelection.js';
import {
  type Method,
  makeExperimentOnRequestedSites,
  type Experiment as Prepared,
} from '../../../host/simulate/experiment.js';
import type { FormatName } from '../../../host/trace/formats.js';
import { parseTrace } from '../../../host/trace/readText.js';
import type { ArrivalChoice } from '../../../host/trace/records.js';
import type { Trace } from '../../../host/trace/trace.js';
import { isModelNotation, makeModelTrace } from '../../../host/workload/models.js';
import type { ExplorerSetup, Texts } from '../protocol.js';

/** Log that the user has opened. */
export interface OpenedLog {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Setup with its loaded jobs, grid and configurations. */
export interface ExplorerExperiment extends Prepared {
  readonly setup: ExplorerSetup;
}

/** Last log that was read, so that a change of policy does not read it again. */
let lastReadTrace:
  | { readonly key: string; readonly log: OpenedLog | null; readonly trace: Trace }
  | undefined;

function loadTraceOfSetup(options: Texts, openedLog: OpenedLog | null): Trace {
  const {
    workload,
    format,
    sort,
    arrival,
    columns,
    'skip-bad-lines': skipsBadLines,
    'time-zone': timeZone,
  } = options;
  const workloadKey = JSON.stringify([workload, format, sort, skipsBadLines, arrival, columns, timeZone]);
  if (lastReadTrace?.key === workloadKey && lastReadTrace.log === openedLog) return lastReadTrace.trace;
  lastReadTrace = { key: workloadKey, log: openedLog, trace: readTraceOfLog(options, openedLog) };
  return lastReadTrace.trace;
}

function readTraceOfLog(options: Texts, openedLog: OpenedLog | null): Trace {
  const {
    workload,
    format,
    sort,
    arrival,
    columns,
    'skip-bad-lines': skipsBadLines,
    'time-zone': timeZone,
  } = options;
  if (isModelNotation(workload) || /^\w+\[.*\]$/.test(workload)) return makeModelTrace(workload);
  if (openedLog === null || openedLog.name !== workload) {
    throw new InputError(`${workload} is not here; drop the log on this page, or choose a model of jobs`);
  }
  return parseTrace(openedLog.bytes, {
    source: openedLog.name,
    format: format as FormatName | undefined,
    sort: sort === 'true',
    skipBadLines: skipsBadLines === 'true',
    arrival: arrival as ArrivalChoice | undefined,
    columns,
    timeZone,
  });
}

function checkKnownOptionNames(optionTexts: Texts): void {
  for (const optionName of Object.keys(optionTexts)) {
    if (!Object.hasOwn(OPTIONS, optionName)) throw new InputError(`there is no option --${optionName}`);
  }
}

/** Default disciplines on one site, if the log has the required estimates. */
const DEFAULT_SINGLE_SITE_DISCIPLINES = ['fcfs', 'easy', 'conservative'];

/**
 * Returns the default methods: two allocation policies on several sites; on one site, some of the disciplines
 * that `compare` uses.
 */
function makeDefaultMethods(settings: Settings, trace: Trace, siteCount: number): readonly Method[] {
  if (siteCount > 1) return ['best-fit', 'fastest-first'].map((policy) => ({ policy: parsePolicy(policy) }));
  const runnableMethods = DEFAULT_SINGLE_SITE_METHODS.filter((method) => {
    const methodSettings = { ...settings, ...method };
    return (
      findBrokenRule(methodSettings, nameOptionOnCommandLine, siteCount) === undefined &&
      explainMissingEstimates(methodSettings, trace, nameOptionOnCommandLine) === undefined
    );
  });
  const isSimpleMethod = ({ discipline, backfillOrder }: Method) =>
    DEFAULT_SINGLE_SITE_DISCIPLINES.some((simpleDiscipline) => simpleDiscipline === discipline) &&
    backfillOrder === undefined;
  const simplestMethods = runnableMethods.filter(isSimpleMethod);
  const methods =
    simplestMethods.length > 1
      ? simplestMethods
      : runnableMethods.slice(0, DEFAULT_SINGLE_SITE_DISCIPLINES.length);
  return methods.length === 0 ? [{}] : methods;
}

/** True if the methods differ only in their policies. */
function doMethodsDifferOnlyInPolicy(methods: readonly Method[]): boolean {
  const optionTextsBesidePolicy = methods.map(({ policy: _, ...otherOptions }) =>
    JSON.stringify(printOptionSettings(otherOptions)),
  );
  return methods.length > 1 && new Set(optionTextsBesidePolicy).size === 1;
}

/**
 * Reads and checks everything that a setup names, before anything is simulated.
 * @throws InputError with the message of the command line.
 */
export function loadExplorerExperiment(
  setup: ExplorerSetup,
  openedLog: OpenedLog | null,
): ExplorerExperiment {
  const { workload: source, ...otherOptions } = setup.options;
  checkOptionsOfExplorer(otherOptions);
  for (const optionTexts of [otherOptions, ...setup.methods]) checkKnownOptionNames(optionTexts);
  const settings = addParsedOptionTexts({ workload: source }, otherOptions);
  const trace = loadTraceOfSetup(setup.options, openedLog);
  const parsedMethods = setup.methods.map((optionTexts) => addParsedOptionTexts({}, optionTexts));
  const doesSetupHaveMethods = parsedMethods.length > 0;
  const chooseMethodsForLog = (log: Trace, { capacities }: Grid) => {
    const methods = doesSetupHaveMethods
      ? parsedMethods
      : makeDefaultMethods(settings, log, capacities.length);
    const doDifferOnlyInPolicy = capacities.length === 1 && doMethodsDifferOnlyInPolicy(methods);
    return { methods, remarks: doDifferOnlyInPolicy ? [EQUAL_ON_ONE_SITE_MESSAGE] : [] };
  };
  const experiment = makeExperimentOnRequestedSites(settings, trace, chooseMethodsForLog, {
    processorSets: true,
  });
  const methods = doesSetupHaveMethods ? setup.methods : experiment.methods.map(printOptionSettings);
  const remarks = [...makeDroppedRecordMessages(trace), ...experiment.remarks];
  return { ...experiment, setup: { ...setup, methods }, remarks };
}

/** Returns the equivalent command line for one method. */
export function makeSimulateCommand({ setup, loaded: loadedLog }: ExplorerExperiment, method: Texts): string {
  const { workload: _, ...options } = setup.options;
  const workloadSource = isModelNotation(setup.options.workload) ? loadedLog.source : setup.options.workload;
  const commandWords = [
    workloadSource,
    ...formatOptionsAsCommandLineWords({ ...options, ...method }),
    '--json',
  ];
  return `gridalloc simulate ${commandWords.map(quoteShellWord).join(' ')}`;
}
