/** Simulates a log or a model as it is read: results of jobs leave the memory as the jobs end. */
import { InputError } from '../errors.js';
import { type LogRemarks, RECORDS_PER_PIECE, readTraceInPieces } from '../files/traceFiles.js';
import { formatCount, formatDuration, formatPercent } from '../format/numbers.js';
import { makePrintableSourceName } from '../format/text.js';
import type { Grid } from '../grid/grid.js';
import { firstElement } from '../lists.js';
import { SKETCH_RELATIVE_ERROR } from '../math/quantileSketch.js';
import type { Configuration } from '../options/configuration.js';
import { printOptionSettings } from '../options/document.js';
import { nameOptionOnCommandLine, type Settings } from '../options/options.js';
import { doOptionsUseEstimates } from '../options/rules.js';
import { makeDroppedRecordMessages, makeUnusedOptionMessages } from '../reports/logDescription.js';
import { formatSimulationSummary, type MetricWithValue } from '../reports/simulationReport.js';
import type { SimulateRequest } from '../request/request.js';
import { makeConfigDocument } from '../request/saved.js';
import {
  CONFIG_FILE_NAME,
  checkResultFolder,
  deleteEarlierReport,
  makeJsonResultFile,
} from '../results/resultFolder.js';
import { StreamedFolder } from '../results/streamedFolder.js';
import { checkEstimatesKnown } from '../simulate/decisionView.js';
import { checkMethodsCombine, makeGridOfSettings, makeMethodConfiguration } from '../simulate/experiment.js';
import { computeJobMetrics, findJobMetric, type JobValueMetric } from '../simulate/jobMetrics.js';
import type { NamedMetric } from '../simulate/metric.js';
import { PieceJobs } from '../simulate/pieceJobs.js';
import { StreamedRun } from '../simulate/streamedRun.js';
import { checkOptionsOfStream } from '../simulate/streamRules.js';
import { type ScalarMetric, type Summary, summarizeMeasuredRun } from '../simulate/summary.js';
import { determineRequestedCapacities } from '../simulate/workloadSettings.js';
import { pickReadingOptions } from '../trace/readText.js';
import type { Trace } from '../trace/trace.js';
import { wrapToTerminalLine } from '../view/terminal.js';
import { remarkOnCancelledJobs } from '../workload/cancellations.js';
import { remarkOnMissingEstimates, requireEstimates } from '../workload/estimates.js';
import { isModelNotation, openModelTrace } from '../workload/models.js';
import { remarkOnPresetMismatch } from '../workload/presets.js';
import { checkAnyJobRemains } from '../workload/remainingJobs.js';
import type { Workload } from '../workload/workload.js';
import { type CommandContext, Interruption, type ProgressLine } from './context.js';
import { findIneffectiveReadingOptions } from './loading.js';
import { addMetricsToSummary, loadMetricsByName } from './simulateMethods.js';

/** Simulates the requested method on jobs that are read as the simulation runs; returns the exit code. */
export async function simulateStream(
  request: SimulateRequest,
  out: string | undefined,
  context: CommandContext,
): Promise<number> {
  const { workload, options, methods } = request;
  if (methods.length > 1) throw new InputError('--stream simulates one policy; give one --policy');
  const metrics = await loadMetricsByName(request.metrics);
  const classMetric = metrics.find(({ name: metricName }) => metricName.includes('['));
  if (classMetric !== undefined)
    throw new InputError(
      `--stream computes no metrics of job classes, such as ${classMetric.name}; omit --stream`,
    );
  const method = firstElement(methods);
  const settings: Settings = { ...options, ...method, workload };
  checkMethodsCombine({ ...options, workload }, methods);
  checkOptionsOfStream(settings, nameOptionOnCommandLine);
  if (out !== undefined) await checkResultFolder(out);
  const streamedFolder = out === undefined ? undefined : new StreamedFolder(out);
  const stream = new SimulationStream(settings, method, streamedFolder, context);
  try {
    await stream.run();
    await stream.report(metrics, out);
    return 0;
  } catch (error) {
    if (!context.io.signal.aborted) await streamedFolder?.discard();
    else if (await streamedFolder?.keepInterruptedResults()) {
      await context.printMessage(
        `interrupted; ${out}/jobs.csv has the first ${formatCount(streamedFolder?.jobs ?? 0, 'job')}, all of which have ended`,
      );
      const { reason } = context.io.signal;
      if (reason instanceof Interruption) reason.isReported = true;
    }
    throw error;
  }
}

/** Milliseconds of simulation between checks for an interruption. */
const SLICE_MILLISECONDS = 50;

/** A simulation of a log, with the jobs on their way from the log to the results. */
class SimulationStream {
  readonly #settings: Settings;
  readonly #method: SimulateRequest['methods'][number];
  readonly #folder: StreamedFolder | undefined;
  readonly #context: CommandContext;
  readonly #progress: ProgressLine;
  #header: Trace['header'] | undefined;
  #source = '';
  #grid: Grid | undefined;
  #configuration: Configuration | undefined;
  #jobs: PieceJobs | undefined;
  #simulation: StreamedRun | undefined;
  #isUnestimated = false;
  /** Simulated time in seconds, and the step to the next check for an interruption. */
  #time = 0;
  #step = 1;
  /** Work done and in total, in bytes or jobs, for the progress. */
  #done = 0;
  #total: number | undefined;

  constructor(
    settings: Settings,
    method: SimulateRequest['methods'][number],
    streamedFolder: StreamedFolder | undefined,
    context: CommandContext,
  ) {
    this.#settings = settings;
    this.#method = method;
    this.#folder = streamedFolder;
    this.#context = context;
    const begin = performance.now();
    this.#progress = context.startProgressLine((done, total) => {
      const simulatedJobsText = `simulating, ${formatCount(this.#simulation?.progress.submitted ?? 0, 'job')}`;
      if (total === undefined || done === 0) return simulatedJobsText;
      const seconds = (performance.now() - begin) / 1000;
      const remainingTimeText = formatDuration(Math.ceil((seconds / done) * (total - done)));
      return `${simulatedJobsText}, ${Math.floor((100 * done) / total)} %, ${remainingTimeText} left`;
    }, true);
  }

  /** Reads and simulates all jobs. */
  async run(): Promise<void> {
    try {
      const remarks = await this.#readAll();
      await this.#finish(remarks);
    } finally {
      this.#progress.end();
    }
  }

  /** Simulates the pieces of the model or log as they come. */
  async #readAll(): Promise<LogRemarks> {
    const { workload: source } = this.#settings;
    if (isModelNotation(source) || /^\w+\[.*\]$/.test(source)) {
      const modelPieces = openModelTrace(source);
      this.#total = modelPieces.count;
      for (; this.#done < modelPieces.count; ) {
        const recordCount = Math.min(RECORDS_PER_PIECE, modelPieces.count - this.#done);
        await this.#take(modelPieces.next(recordCount));
        this.#done += recordCount;
      }
      return { source: modelPieces.source, unused: findIneffectiveReadingOptions(this.#settings) };
    }
    const { io } = this.#context;
    const logPieces = readTraceInPieces(source, {
      ...pickReadingOptions(this.#settings),
      ...(source === '-' ? { input: io.stdin } : {}),
      onProgress: (bytes, totalCount) => {
        io.signal.throwIfAborted();
        this.#done = bytes;
        this.#total = totalCount;
      },
    });
    for (;;) {
      const piece = await logPieces.next();
      if (piece.done) return piece.value;
      await this.#take(piece.value);
    }
  }

  /** Simulates the jobs of the next piece. */
  async #take(tracePiece: Trace): Promise<void> {
    if (this.#jobs === undefined) await this.#begin(tracePiece);
    const pieceWorkload = this.#jobs!.add(tracePiece);
    this.#isUnestimated = pieceWorkload.unestimated === true;
    if (pieceWorkload.count > 0) {
      if (this.#simulation === undefined) this.#openRun(pieceWorkload);
      this.#simulation!.append(pieceWorkload);
      const until = this.#simulation!.settledTime;
      if (until !== undefined) await this.#advance(until);
      await this.#folder?.flush();
    }
    await this.#pause();
  }

  async #begin({ header, source: traceSource }: Trace): Promise<void> {
    const capacities =
      determineRequestedCapacities(this.#settings) ??
      (header.maxProcessors === undefined ? undefined : [header.maxProcessors]);
    if (capacities === undefined) {
      throw new InputError(
        `${makePrintableSourceName(traceSource)} does not give the machine size, which is otherwise found from all jobs; set it with --sites`,
      );
    }
    this.#header = header;
    this.#source = traceSource;
    this.#grid = makeGridOfSettings(this.#settings, capacities);
    this.#configuration = makeMethodConfiguration(this.#grid, this.#settings, this.#method, {
      processorSets: this.#folder !== undefined,
    });
    this.#jobs = new PieceJobs(this.#settings, this.#grid);
    await this.#folder?.open();
  }

  #openRun(pieceWorkload: Workload): void {
    this.#time = pieceWorkload.submit[0]!;
    this.#simulation = new StreamedRun({
      name: pieceWorkload.name,
      configuration: this.#configuration!,
      hasData: pieceWorkload.data !== undefined,
      hasCancellations: this.#settings.cancelled === 'keep',
      ...(this.#folder && { onPiece: (finishedPiece) => this.#folder!.add(finishedPiece) }),
    });
  }

  /** Simulates up to a time in seconds, or to the end, in slices between which the user can interrupt. */
  async #advance(until: number): Promise<void> {
    const simulation = this.#simulation!;
    let lastPauseTime = performance.now();
    for (let isDone = false; !isDone; ) {
      const beginTime = performance.now();
      this.#time = Math.min(until, Math.max(this.#time, this.#time + this.#step));
      const hasEnded = simulation.advance(this.#time);
      isDone = hasEnded || this.#time === until;
      const now = performance.now();
      this.#step *= now - beginTime > SLICE_MILLISECONDS ? 0.5 : 2;
      if (now - lastPauseTime < SLICE_MILLISECONDS) continue;
      await this.#pause();
      lastPauseTime = performance.now();
    }
  }

  async #pause(): Promise<void> {
    this.#progress.update(this.#done, this.#total);
    await this.#context.pause();
  }

  async #finish(remarks: LogRemarks): Promise<void> {
    const pieceJobs = this.#jobs!;
    const accounting = pieceJobs.accounting(remarks.leftOut);
    checkAnyJobRemains({ source: this.#source }, accounting);
    const simulation = this.#simulation!;
    const configuration = this.#configuration!;
    const logJobsAccounting = {
      name: this.#source,
      accounting,
      ...(this.#isUnestimated && { unestimated: true as const }),
    };
    checkEstimatesKnown(logJobsAccounting, configuration, nameOptionOnCommandLine);
    const { kill } = this.#settings;
    if (kill !== undefined) requireEstimates(logJobsAccounting, 'omit --kill, which needs requested times');
    simulation.close();
    await this.#advance(Number.POSITIVE_INFINITY);
    simulation.finish(accounting);
    await this.#folder?.flush();
    const { preset, filter, workload } = this.#settings;
    const isPresetLog = preset !== undefined && filter === undefined && !isModelNotation(workload);
    const messages = [
      ...makeDroppedRecordMessages(remarks),
      ...makeUnusedOptionMessages(remarks),
      isPresetLog ? remarkOnPresetMismatch(preset, pieceJobs.selected, this.#source) : undefined,
      doOptionsUseEstimates(configuration) ? remarkOnMissingEstimates(logJobsAccounting) : undefined,
      remarkOnCancelledJobs(logJobsAccounting),
    ];
    for (const message of messages) if (message !== undefined) await this.#context.printMessageOnce(message);
  }

  /** Writes the folder and prints the metrics. */
  async report(metrics: readonly NamedMetric[], out: string | undefined): Promise<void> {
    const simulation = this.#simulation!;
    const context = this.#context;
    const summary: Summary = {
      ...summarizeMeasuredRun(simulation),
      distribution: computeJobMetrics(simulation.values),
      percentileError: SKETCH_RELATIVE_ERROR,
    };
    if (out !== undefined) await this.#writeFolder(summary, out);
    const requestedMetrics = metrics.map((metric) => ({ metric, value: this.#valueOf(metric, summary) }));
    if (context.isJson) await context.printJson(addMetricsToSummary(summary, requestedMetrics));
    else await context.print(this.#text(summary, requestedMetrics));
    simulation.dispose();
  }

  #valueOf(metric: NamedMetric, summary: Summary): number {
    // Metrics of classes, which need all jobs, are refused before.
    const jobMetric = findJobMetric(metric.name) as JobValueMetric | undefined;
    return jobMetric?.computeFromJobs(this.#simulation!.values) ?? (metric as ScalarMetric).valueIn(summary);
  }

  async #writeFolder(summary: Summary, out: string): Promise<void> {
    const context = this.#context;
    const { accounting } = this.#simulation!.workload;
    const configuration = this.#configuration!;
    const savedRun = {
      ...{ settings: this.#settings, grid: this.#grid!, source: this.#source, home: this.#jobs!.home },
      workloadFacts: { jobs: summary.jobs, machine: this.#header!.maxProcessors, accounting },
    };
    const files = [
      makeJsonResultFile('summary.json', summary),
      makeJsonResultFile(CONFIG_FILE_NAME, makeConfigDocument(savedRun, configuration, out)),
    ];
    const hadEarlierReport = await deleteEarlierReport(out);
    const writtenFileNames = await this.#folder!.finish(files, context.io.signal);
    if (hadEarlierReport)
      await context.printMessage(`replaced the earlier results in ${out} and deleted their report`);
    await context.printMessage(`wrote ${writtenFileNames.join(', ')} to ${out}`);
  }

  #text(summary: Summary, requestedMetrics: readonly MetricWithValue[]): string {
    const { home: _, ...otherFields } = this.#settings;
    const { home, defaultHome } = this.#jobs!;
    const shownSettings = home === defaultHome ? otherFields : this.#settings;
    const { workload: __, ...texts } = shownSettings;
    const summaryText = formatSimulationSummary(
      summary,
      {
        accounting: this.#simulation!.workload.accounting,
        hasHomes: home !== 'none',
        machine: this.#header!.maxProcessors,
        texts: printOptionSettings(texts),
        shownClasses: {},
        ...(requestedMetrics.length === 0 ? {} : { requestedMetrics }),
      },
      this.#context.colors,
      this.#context.io.stdout.columns,
    );
    const relativeErrorText = formatPercent(SKETCH_RELATIVE_ERROR, 3);
    return `${summaryText}\n\n${wrapToTerminalLine(`Percentiles come from sketches: they are at most ${relativeErrorText} too low. All other values are exact.`)}`;
  }
}
