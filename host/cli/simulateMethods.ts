/**
 * Simulates one or several methods on the unperturbed jobs, prints the results and writes them to folders.
 */
import { basename, extname, join } from 'node:path';
import { runSimulationWithUserCode } from '../code/codeThread.js';
import { formatSourceAsShellWord, quoteShellWord } from '../format/text.js';
import { firstElement } from '../lists.js';
import { type Configuration, isBackfillingDiscipline } from '../options/configuration.js';
import {
  formatOptionsAsCommandLineWords,
  isDefaultOptionText,
  listCodeFilesOfRun,
  printOptionSettings,
  shortenOptionText,
} from '../options/document.js';
import { findOptionByName, type Settings } from '../options/options.js';
import { isCodeFileName } from '../providedCode.js';
import { formatSimulationSummary, type MetricWithValue } from '../reports/simulationReport.js';
import type { SimulateRequest } from '../request/request.js';
import { makeConfigDocument, makeSavedRunOfExperiment } from '../request/saved.js';
import {
  checkResultFolder,
  deleteEarlierReport,
  simulationFiles,
  writeResultFolder,
} from '../results/resultFolder.js';
import type { RequestedJobClasses } from '../runs/classResults.js';
import { remarkOnLongPlanning } from '../simulate/cost.js';
import type { Experiment, Method } from '../simulate/experiment.js';
import type { NamedMetric } from '../simulate/metric.js';
import { describeUnusedOutages } from '../simulate/outageRemarks.js';
import { collectSimulation, type Simulation } from '../simulate/simulate.js';
import { Simulator } from '../simulate/simulator.js';
import { makeRunNameOfConfiguration, type Summary, summarizeRunWithClasses } from '../simulate/summary.js';
import { determineRequestedHomeRule } from '../simulate/workloadSettings.js';
import { SINGLE_SIMULATION_REMARK } from '../statistics/samples.js';
import type { Trace } from '../trace/trace.js';
import { wrapToTerminalLine } from '../view/terminal.js';
import { type CommandContext, makeShareProgressText } from './context.js';
import { loadRequestedExperiment } from './loading.js';

/** Options for the output of a simulation. */
export interface SimulationOutputOptions {
  /** Folder for the results, or for one folder per policy. */
  readonly out?: string | undefined;
  readonly isParquet?: boolean | undefined;
  /** Metrics to show instead of the default ones. */
  readonly metrics?: readonly NamedMetric[] | undefined;
  readonly classes?: RequestedJobClasses | undefined;
}

/** Simulations ready to run, and options for their output. */
export interface PreparedSimulations {
  readonly experiment: Experiment;
  /** Folder of each method; empty if nothing is written. */
  readonly folders: readonly string[];
  readonly output: SimulationOutputOptions;
}

/**
 * Simulates the requested methods and writes their results; returns the exit code.
 * @param runMethods function that simulates several methods; a single one is simulated directly.
 */
export async function simulateMethods(
  request: SimulateRequest,
  { out, isParquet }: Pick<SimulationOutputOptions, 'out' | 'isParquet'>,
  context: CommandContext,
  runMethods?: (preparedSimulations: PreparedSimulations, context: CommandContext) => Promise<void>,
): Promise<number> {
  const { methods, classes } = request;
  const metrics = await loadMetricsByName(request.metrics);
  // With several policies, each has a folder below the one given.
  const methodFolders =
    out === undefined
      ? []
      : methods.length > 1
        ? methods.map((method) => join(out, makeFolderNameOfMethod(method)))
        : [out];
  for (const folder of methodFolders) await checkResultFolder(folder);
  const experiment = await loadRequestedExperiment(request, context, { processorSets: out !== undefined });
  const outputOptions = { out, isParquet, metrics, classes };
  const run =
    experiment.configurations.length > 1 && runMethods !== undefined ? runMethods : simulateSingleMethod;
  await run({ experiment, folders: methodFolders, output: outputOptions }, context);
  if (!context.isJson && !context.isQuiet) await context.print(makeSingleSampleMessage(request));
  return 0;
}

/** Finds metrics by name; loads their module only if there are names, since most simulations request none. */
export async function loadMetricsByName(metricNames: readonly string[]): Promise<NamedMetric[]> {
  if (metricNames.length === 0) return [];
  return metricNames.map((await import('../study/runValues.js')).findRunMetric);
}

/** Folder name for a method's policy: `tai2-sht-0.05-slt-2`, or `mine` for `./mine.js`. */
function makeFolderNameOfMethod(method: Method): string {
  const { policy = 'none' } = printOptionSettings(method);
  const policyName = isCodeFileName(policy) ? basename(policy, extname(policy)) : policy;
  return policyName.replaceAll(/[^\w.]+/g, '-').replace(/-$/, '');
}

/** Explains the limits of one simulation per method, with the command that replicates it. */
function makeSingleSampleMessage({ workload, options, methods }: SimulateRequest): string {
  const [command, replicationsText] = methods.length > 1 ? ['compare', '50'] : ['simulate', '20'];
  const optionTextsByMethod = methods.map(printOptionSettings);
  const { replication: _, ...optionTexts } = { ...printOptionSettings(options), ...optionTextsByMethod[0] };
  const policiesText = [...new Set(optionTextsByMethod.flatMap(({ policy }) => policy ?? []))].join(',');
  // The policy that is the default of other disciplines replaces the site selection of backfilling.
  const isNamedEvenIfDefault = (optionName: string) =>
    optionName === 'policy' &&
    methods.some((method) => isBackfillingDiscipline({ ...options, ...method }.discipline ?? 'fcfs'));
  const nonDefaultOptions = Object.entries({
    ...optionTexts,
    ...(policiesText === '' ? {} : { policy: policiesText }),
  })
    .filter(([name, text]) => isNamedEvenIfDefault(name) || !isDefaultOptionText(name, text))
    .map(([name, text]) => [name, findOptionByName(name).isTime ? shortenOptionText(name, text) : text]);
  const commandWords = [
    ...formatOptionsAsCommandLineWords(Object.fromEntries(nonDefaultOptions)),
    '--replications',
    replicationsText,
  ].map(quoteShellWord);
  const line = ['gridalloc', command, formatSourceAsShellWord(workload), ...commandWords].join(' ');
  return `\n${wrapToTerminalLine(`${SINGLE_SIMULATION_REMARK} For 95 % intervals replicate it:`)}\n  ${line}`;
}

async function simulateSingleMethod(
  { experiment, folders: [out], output }: PreparedSimulations,
  context: CommandContext,
): Promise<void> {
  const { classes, metrics = [] } = output;
  const configuration = firstElement(experiment.configurations);
  const simulator = new Simulator(experiment.workload);
  await runSimulationInSlices(simulator, configuration, context);
  const summary = summarizeRunWithClasses(simulator, classes?.classings);
  if (out !== undefined)
    await writeSimulationResults(
      { ...collectSimulation(simulator), summary },
      experiment,
      out,
      output,
      context,
    );
  const metricValues = (await makeMetricReader(metrics, experiment))?.(simulator) ?? [];
  const requestedMetrics = metrics.map((metric, i) => ({ metric, value: metricValues[i]! }));
  if (context.isJson) await context.printJson(addMetricsToSummary(summary, requestedMetrics));
  else {
    const { workload, settings, methods, trace } = experiment;
    await context.print(
      formatSimulationSummary(
        summary,
        {
          accounting: workload.accounting,
          hasHomes: determineRequestedHomeRule(settings, trace) !== 'none',
          machine: trace.header.maxProcessors,
          texts: printOptionSettings({ ...omitDefaultHomeOption(settings, trace), ...firstElement(methods) }),
          shownClasses: classes?.shown ?? {},
          ...(requestedMetrics.length === 0 ? {} : { requestedMetrics }),
        },
        context.colors,
        context.io.stdout.columns,
      ),
    );
  }
}

/** Settings without the home option, if it is at its default. */
function omitDefaultHomeOption(settings: Settings, trace: Trace): Settings {
  const { home: _, ...otherSettings } = settings;
  return determineRequestedHomeRule(settings, trace) === determineRequestedHomeRule(otherSettings, trace)
    ? otherSettings
    : settings;
}

/** Creates a function that reads metrics from a simulator; undefined if none are requested. */
async function makeMetricReader(metrics: readonly NamedMetric[], { grid }: Experiment) {
  if (metrics.length === 0) return undefined;
  return (await import('../runs/comparison.js')).makeMetricValueReader(metrics, grid);
}

/** Summary with the requested metrics. */
export function addMetricsToSummary(summary: Summary, requestedMetrics: readonly MetricWithValue[]): object {
  if (requestedMetrics.length === 0) return summary;
  return {
    ...summary,
    metrics: Object.fromEntries(
      requestedMetrics.map(({ metric, value: metricValue }) => [metric.name, metricValue]),
    ),
  };
}

/** Writes the files of a finished simulation. */
export async function writeSimulationResults(
  simulation: Simulation,
  experiment: Experiment,
  out: string,
  { isParquet = false }: SimulationOutputOptions,
  context: CommandContext,
): Promise<void> {
  const config = makeConfigDocument(makeSavedRunOfExperiment(experiment), simulation.configuration, out);
  const files = simulationFiles(simulation, experiment.trace, config, {
    parquet: isParquet,
    code: listCodeFilesOfRun(simulation.configuration),
  });
  const hadEarlierReport = await deleteEarlierReport(out);
  await writeResultFolder(out, files, context.io.signal);
  if (hadEarlierReport)
    await context.printMessage(`replaced the earlier results in ${out} and deleted their report`);
  await context.printMessage(`wrote ${files.map(({ name: fileName }) => fileName).join(', ')} to ${out}`);
}

/** Milliseconds of work between checks for an interruption. */
const SIMULATION_SLICE_MILLISECONDS = 50;

/** Share of the time from the first to the last submission that is simulated before the first check. */
const FIRST_SLICE_TIME_SHARE = 1e-3;

/**
 * Runs a configuration to the end in slices, so that the user can interrupt and see progress; in a separate
 * thread if it calls user-written functions that are not loaded here.
 * @returns nanoseconds spent in the simulation itself.
 */
export async function runSimulationInSlices(
  simulator: Simulator,
  configuration: Configuration,
  context: CommandContext,
): Promise<number> {
  const { submit, count: jobCount } = simulator.workload;
  let warning: string | undefined;
  await context.io.withDefaultSignalHandling(() => {
    warning = remarkOnLongPlanning(simulator.workload, configuration);
  });
  if (warning !== undefined) await context.printMessage(warning);
  const { timeout, io } = context;
  const threadMilliseconds = await runSimulationWithUserCode(simulator, configuration, {
    timeout,
    signal: io.signal,
  });
  if (threadMilliseconds !== undefined) return threadMilliseconds * 1e6;
  const progressLine = context.startProgressLine(
    makeShareProgressText(`simulating ${makeRunNameOfConfiguration(configuration)}`),
    true,
  );
  let milliseconds = 0;
  let [time, step] = [submit[0]!, Math.max(1, (submit[jobCount - 1]! - submit[0]!) * FIRST_SLICE_TIME_SHARE)];
  for (let hasBegun = false; !hasBegun || !simulator.progress.finished; hasBegun = true) {
    // Slices are short, since an interruption during one ends the process without removing unfinished files.
    await context.io.withDefaultSignalHandling(() => {
      const begin = performance.now();
      let lastCheckTime = begin;
      if (!hasBegun) simulator.begin(configuration);
      do {
        simulator.runUntil(time);
        const now = performance.now();
        step *= now - lastCheckTime > SIMULATION_SLICE_MILLISECONDS ? 0.5 : 2;
        time += step;
        lastCheckTime = now;
      } while (!simulator.progress.finished && lastCheckTime - begin < SIMULATION_SLICE_MILLISECONDS);
      if (simulator.progress.finished) simulator.run();
      milliseconds += performance.now() - begin;
    });
    const { submitted, waiting, running } = simulator.progress;
    progressLine.update(submitted - waiting - running, jobCount);
    await context.pause();
  }
  progressLine.end();
  const lastEndTime = submit[0]! + simulator.metric('Makespan');
  for (const remark of describeUnusedOutages(configuration, simulator.workload, lastEndTime))
    await context.printMessageOnce(remark);
  return milliseconds * 1e6;
}
