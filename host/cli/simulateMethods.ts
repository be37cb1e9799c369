/** Simulations of one method or several on the unperturbed jobs: run, shown, and written into folders. */
import { basename, extname, join } from 'node:path';
import { runCode } from '../code/codeThread.js';
import { quoteShellWord, shellWordOfSource } from '../format/text.js';
import { firstElement } from '../lists.js';
import type { Configuration } from '../options/configuration.js';
import {
  codeNamedByRun,
  commandLineWords,
  isDefaultText,
  printSettings,
  shortOptionText,
} from '../options/document.js';
import { optionNamed, type Settings } from '../options/options.js';
import { isCodeName } from '../providedCode.js';
import { type ShownMetricValue, simulationText } from '../reports/simulationReport.js';
import type { SimulateRequest } from '../request/request.js';
import { configDocument } from '../request/saved.js';
import {
  checkResultFolder,
  deleteEarlierReport,
  simulationFiles,
  writeResultFolder,
} from '../results/resultFolder.js';
import type { RequestedClasses } from '../runs/classResults.js';
import { longPlanningRemark } from '../simulate/cost.js';
import { type Experiment, type Method, requestedHomeRule } from '../simulate/experiment.js';
import type { NamedMetric } from '../simulate/metric.js';
import { collectSimulation, type Simulation } from '../simulate/simulate.js';
import { Simulator } from '../simulate/simulator.js';
import { methodNameOfRun, type Summary, summarizeRun } from '../simulate/summary.js';
import { ONE_SAMPLE_REMARK } from '../statistics/samples.js';
import type { Trace } from '../trace/trace.js';
import { wrapLines } from '../view/terminal.js';
import { type Context, shareProgressText } from './context.js';
import { prepareExperiment } from './loading.js';

/** Options for the output of a simulation. */
export interface Output {
  /** The folder for the results, or for a folder of each policy. */
  readonly out?: string | undefined;
  readonly isParquet?: boolean | undefined;
  /** Metrics to show instead of the default ones. */
  readonly metrics?: readonly NamedMetric[] | undefined;
  readonly classes?: RequestedClasses | undefined;
}

/** Simulations that are ready to run, and options for their output. */
export interface PreparedRuns {
  readonly experiment: Experiment;
  /** The folder of each method; none where nothing is written. */
  readonly folders: readonly string[];
  readonly output: Output;
}

/**
 * Simulates the methods requested, and writes their results; returns the exit code.
 * @param runMethods how several methods are simulated; one is where it is not given.
 */
export async function simulateMethods(
  request: SimulateRequest,
  { out, isParquet }: Pick<Output, 'out' | 'isParquet'>,
  context: Context,
  runMethods?: (runs: PreparedRuns, context: Context) => Promise<void>,
): Promise<number> {
  const { methods, classes } = request;
  const metrics = await loadMetricsNamed(request.metrics);
  // With several policies, each has a folder below the one given.
  const areSeveralItems = methods.length > 1;
  const folders =
    out === undefined ? [] : areSeveralItems ? methods.map((method) => join(out, folderOf(method))) : [out];
  for (const folder of folders) await checkResultFolder(folder);
  const experiment = await prepareExperiment(request, context, { processorSets: out !== undefined });
  const output = { out, isParquet, metrics, classes };
  const run =
    experiment.configurations.length > 1 && runMethods !== undefined ? runMethods : simulateSingleMethod;
  await run({ experiment, folders, output }, context);
  if (!context.isJson && !context.isQuiet) await context.print(oneSampleMessage(request, areSeveralItems));
  return 0;
}

/** The metrics of some names; most simulations name none. */
async function loadMetricsNamed(names: readonly string[]): Promise<NamedMetric[]> {
  if (names.length === 0) return [];
  return names.map((await import('../study/runValues.js')).runMetric);
}

/** The policy of a method as the name of a folder: `tai2-sht-0.05-slt-2`, or `mine` for `./mine.js`. */
function folderOf(method: Method): string {
  const { policy = 'none' } = printSettings(method);
  const name = isCodeName(policy) ? basename(policy, extname(policy)) : policy;
  return name.replaceAll(/[^\w.]+/g, '-').replace(/-$/, '');
}

/**
 * States what one simulation of one method or of several leaves open, with the command that answers it.
 * @param areSeveralItems there are several methods.
 */
function oneSampleMessage({ workload, options, methods }: SimulateRequest, areSeveralItems: boolean): string {
  const [command, count] = areSeveralItems ? ['compare', '50'] : ['simulate', '20'];
  const texts = methods.map(printSettings);
  const { replication: _, ...all } = { ...printSettings(options), ...texts[0] };
  const policies = [...new Set(texts.flatMap(({ policy }) => policy ?? []))].join(',');
  const nonDefaultOptions = Object.entries({ ...all, ...(policies === '' ? {} : { policy: policies }) })
    .filter(([name, text]) => !isDefaultText(name, text))
    .map(([name, text]) => [name, optionNamed(name).isTime ? shortOptionText(name, text) : text]);
  const words = [...commandLineWords(Object.fromEntries(nonDefaultOptions)), '--replications', count].map(
    quoteShellWord,
  );
  const line = ['gridalloc', command, shellWordOfSource(workload), ...words].join(' ');
  return `\n${wrapLines(`${ONE_SAMPLE_REMARK} For 95 % intervals replicate it:`)}\n  ${line}`;
}

async function simulateSingleMethod(
  { experiment, folders: [out], output }: PreparedRuns,
  context: Context,
): Promise<void> {
  const { classes, metrics = [] } = output;
  const configuration = firstElement(experiment.configurations);
  const simulator = new Simulator(experiment.workload);
  await runToEnd(simulator, configuration, context);
  const summary = summarizeRun(simulator, classes?.classings);
  if (out !== undefined)
    await writeResults({ ...collectSimulation(simulator), summary }, experiment, out, output, context);
  const values = (await makeMetricReader(metrics, experiment))?.(simulator) ?? [];
  const requested = metrics.map((metric, i) => ({ metric, value: values[i]! }));
  if (context.isJson) await context.printJson(summaryWithMetrics(summary, requested));
  else {
    const { workload, settings, methods, trace } = experiment;
    await context.print(
      simulationText(
        summary,
        {
          accounting: workload.accounting,
          hasHomes: requestedHomeRule(settings, trace) !== 'none',
          machine: trace.header.maxProcessors,
          texts: printSettings({ ...withoutDefaultHome(settings, trace), ...firstElement(methods) }),
          shown: classes?.shown ?? {},
          ...(requested.length === 0 ? {} : { requestedMetrics: requested }),
        },
        context.colors,
        context.io.stdout.columns,
      ),
    );
  }
}

/** The settings without the home option, if it is the default. */
function withoutDefaultHome(settings: Settings, trace: Trace): Settings {
  const { home: _, ...others } = settings;
  return requestedHomeRule(settings, trace) === requestedHomeRule(others, trace) ? others : settings;
}

/** Function that reads metrics from a simulator; undefined if none are requested. */
async function makeMetricReader(metrics: readonly NamedMetric[], { grid }: Experiment) {
  if (metrics.length === 0) return undefined;
  return (await import('../runs/comparison.js')).metricReader(metrics, grid);
}

/** Summary with the requested metrics. */
function summaryWithMetrics(summary: Summary, requested: readonly ShownMetricValue[]): object {
  if (requested.length === 0) return summary;
  return {
    ...summary,
    metrics: Object.fromEntries(requested.map(({ metric, value }) => [metric.name, value])),
  };
}

/** Writes the files of a finished simulation. */
export async function writeResults(
  simulation: Simulation,
  experiment: Experiment,
  out: string,
  { isParquet = false }: Output,
  context: Context,
): Promise<void> {
  const config = configDocument(experiment, simulation.configuration, out);
  const files = simulationFiles(simulation, experiment.trace, config, {
    parquet: isParquet,
    code: codeNamedByRun(simulation.configuration),
  });
  const hadEarlierReport = await deleteEarlierReport(out);
  await writeResultFolder(out, files, context.io.signal);
  if (hadEarlierReport)
    await context.printMessage(`replaced the earlier results in ${out} and deleted their report`);
  await context.printMessage(`${files.map(({ name }) => name).join(', ')} are in ${out}`);
}

/** Milliseconds of work between two looks at whether to stop. */
const SLICE_MILLISECONDS = 50;

/** Share of the time from the first submit to the last that is simulated before the first look. */
const FIRST_STEP_SHARE = 1e-3;

/**
 * Runs a configuration to its end, in slices so that the user can stop it and sees how far it is; in a thread of its own
 * where it calls functions of files that are not loaded here.
 * @returns nanoseconds spent in the simulation itself.
 */
export async function runToEnd(
  simulator: Simulator,
  configuration: Configuration,
  context: Context,
): Promise<number> {
  const { submit, count } = simulator.workload;
  let warning: string | undefined;
  await context.io.withSignalsDeferred(() => {
    warning = longPlanningRemark(simulator.workload, configuration);
  });
  if (warning !== undefined) await context.printMessage(warning);
  const { timeout, io } = context;
  const threadMilliseconds = await runCode(simulator, configuration, { timeout, signal: io.signal });
  if (threadMilliseconds !== undefined) return threadMilliseconds * 1e6;
  const progress = context.progress(shareProgressText(`simulating ${methodNameOfRun(configuration)}`), true);
  let milliseconds = 0;
  let [time, step] = [submit[0]!, Math.max(1, (submit[count - 1]! - submit[0]!) * FIRST_STEP_SHARE)];
  for (let hasBegun = false; !hasBegun || !simulator.progress.finished; hasBegun = true) {
    // Signals are deferred only briefly: one that comes just before this is lost.
    await context.io.withSignalsDeferred(() => {
      const begin = performance.now();
      let before = begin;
      if (!hasBegun) simulator.begin(configuration);
      do {
        simulator.runUntil(time);
        const now = performance.now();
        step *= now - before > SLICE_MILLISECONDS ? 0.5 : 2;
        time += step;
        before = now;
      } while (!simulator.progress.finished && before - begin < SLICE_MILLISECONDS);
      if (simulator.progress.finished) simulator.run();
      milliseconds += performance.now() - begin;
    });
    const { submitted, waiting, running } = simulator.progress;
    progress.update(submitted - waiting - running, count);
    await context.pause();
  }
  progress.end();
  return milliseconds * 1e6;
}
