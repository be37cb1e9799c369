/** Controls the page: sends the current settings to workers and stores their results in the model. */

import {
  type ExplorerAddress,
  type ExplorerViewSettings,
  type ForkRequest,
  formatExplorerAddress,
  parseExplorerAddress,
  parseTimeSpan,
} from './address.js';
import {
  forbidNetworkRequests,
  type InitialPageState,
  loadExplorerCores,
  loadInitialState,
  loadWorkerScript,
  type ReportedFolderResults,
} from './assets.js';
import { UserFacingError, WorkerClient } from './client.js';
import { waitForNextPaint } from './dom.js';
import { JOB_COLORING_KINDS, type JobColoringKind } from './gantt/colors.js';
import { deleteStoredLogs, listStoredLogNames, loadStoredLog, storeLog } from './keptLogs.js';
import type { ExplorerModel } from './model.js';
import { runWhenReleased, waitForRelease } from './press.js';
import type { ExplorerSetup, FinishedRunData, SimulatedSetupOutcome, Texts } from './protocol.js';
import { ChangeSignal } from './signal.js';
import { unpackFile } from './unpack.js';

/**
 * Milliseconds from the last change of a setting until it is simulated, and from the last change of the view
 * until the address records it.
 */
const [SIMULATION_DELAY, HISTORY_DELAY] = [250, 500];

/** Largest number of jobs for which the page waits for all methods before it shows the first. */
const MAX_JOBS_FOR_JOINT_RESULT = 20_000;

/** Mediator between the page's model and its workers. */
export class ExplorerController {
  readonly model: ExplorerModel;
  /** Error sentence; empty if there is no error. */
  fault = '';
  isBusy = false;
  /** Reported results of the folder that the page shows. */
  results: ReportedFolderResults = {};
  /**
   * Names of the logs stored in this browser, and the reason why the last log is not stored (empty if it is).
   */
  storedLogs: readonly string[] = [];
  storageFault = '';
  /** Signals changes of the error, busy state, results or stored logs. */
  readonly state = new ChangeSignal(runWhenReleased);
  #client!: WorkerClient;
  #cores!: Awaited<ReturnType<typeof loadExplorerCores>>;
  #workerUrl = '';
  /** Dropped logs by name, and the name of the log that the worker has loaded. */
  readonly #logsByName = new Map<string, ArrayBuffer>();
  #loadedLogName = '';
  /** Position in the page's history, and number of its steps. */
  #historyPosition = 0;
  #stepCount = 0;
  #historyTimer = 0;
  #requestNumber = 0;
  /** Timer of the change that will be simulated next; 0 if none. */
  #changeTimer = 0;
  /** Number of tasks started so far. */
  #taskCount = 0;

  constructor(model: ExplorerModel) {
    this.model = model;
  }

  /** True if a change has not been simulated yet. */
  get isPending(): boolean {
    return this.isBusy || this.#changeTimer !== 0;
  }

  /** Loads the core, and simulates the settings from the address or the server. */
  async start(): Promise<void> {
    const [cores, initialState, workerUrl] = await Promise.all([
      loadExplorerCores(),
      loadInitialState(),
      loadWorkerScript(),
    ]);
    forbidNetworkRequests();
    this.#cores = cores;
    this.#workerUrl = workerUrl;
    this.#client = await this.createWorkerClient();
    this.results = initialState;
    this.storedLogs = await listStoredLogNames();
    await this.#applyInitialState(initialState);
    history.replaceState({ depth: 0 }, '', `#${this.address()}`);
    addEventListener('popstate', ({ state }) => {
      this.#historyPosition = (state as { depth?: number } | null)?.depth ?? this.#historyPosition;
      void this.#restoreFromAddress();
    });
  }

  /** True if there is work that the user can stop. */
  get isWorking(): boolean {
    return this.isBusy || this.#client?.isLate === true;
  }

  /** Creates a worker and gives it the core, the log and the functions that the user has allowed. */
  async createWorkerClient(): Promise<WorkerClient> {
    const client = new WorkerClient(this.#workerUrl, () => this.state.notify());
    this.model.catalogue = await client.ask('start', this.#cores);
    const bytes = this.#logsByName.get(this.#loadedLogName);
    if (bytes !== undefined) await client.ask('log', { name: this.#loadedLogName, bytes });
    for (const { isTrusted, name: fileName, text: fileText } of this.model.code) {
      if (isTrusted) await client.ask('code', { name: fileName, text: fileText });
    }
    return client;
  }

  get client(): WorkerClient {
    return this.#client;
  }

  async #applyInitialState(initialState: InitialPageState): Promise<void> {
    const { model } = this;
    if (initialState.log !== undefined && initialState.options?.workload !== undefined) {
      await this.#setLog(initialState.options.workload, initialState.log);
    }
    const address = parseExplorerAddress(location.hash);
    const { options, methods } = initialState;
    if (address !== undefined) {
      [model.setup, model.forks] = [address.setup, [...address.forks]];
    } else if (options !== undefined) {
      const workloadText = options.workload ?? model.setup.options.workload;
      const isWorkloadInInitialState = options.workload !== undefined;
      model.setup = {
        options: {
          ...(isWorkloadInInitialState ? {} : model.setup.options),
          ...options,
          workload: workloadText,
        },
        methods: methods ?? (isWorkloadInInitialState ? [] : model.setup.methods),
      };
    }
    this.#mergeCode([...(initialState.code ?? []), ...(address?.code ?? [])]);
    model.settingsChanged.notify();
    await this.run(false);
    this.#applyViewSettings(address?.viewSettings ?? {});
  }

  /** Restores the state in the address after a step back or forward in the browser. */
  async #restoreFromAddress(): Promise<void> {
    const { model } = this;
    const address = parseExplorerAddress(location.hash);
    if (address === undefined) return;
    const formatRequestKey = ({ setup, forks, code }: Pick<ExplorerAddress, 'setup' | 'forks' | 'code'>) =>
      JSON.stringify([setup, forks, code]);
    const currentAddress = parseExplorerAddress(this.address());
    this.#cancelScheduledRun();
    clearTimeout(this.#historyTimer);
    if (currentAddress === undefined || formatRequestKey(currentAddress) !== formatRequestKey(address)) {
      [model.setup, model.forks] = [address.setup, [...address.forks]];
      this.#mergeCode(address.code);
      model.settingsChanged.notify();
      await this.run(false);
    }
    this.#applyViewSettings(address.viewSettings);
    this.state.notify();
  }

  #mergeCode(codeFiles: ExplorerAddress['code']): void {
    const { model } = this;
    const isCodeFileNotReplaced = (fileName: string) => !codeFiles.some((file) => file.name === fileName);
    const addedCodeFiles = codeFiles.map(
      (file) =>
        model.code.find(
          ({ name: fileName, text: fileText }) => fileName === file.name && fileText === file.text,
        ) ?? {
          ...file,
          isTrusted: false,
        },
    );
    model.code = [
      ...model.code.filter(({ name: fileName, isTrusted }) => isTrusted && isCodeFileNotReplaced(fileName)),
      ...addedCodeFiles,
    ];
  }

  /** Applies view settings from an address to the outcome. */
  #applyViewSettings({ view, span, at, job, color, charts }: ExplorerViewSettings): void {
    const { model } = this;
    const { outcome } = model;
    if (outcome === undefined) return;
    const shownRunIndices = charts?.split(',').map(Number);
    const doChartsShowKnownRuns =
      shownRunIndices?.length === 2 && model.runs[shownRunIndices[0]] !== undefined;
    if (doChartsShowKnownRuns)
      model.shown = [
        shownRunIndices[0],
        model.runs[shownRunIndices[1]] === undefined ? -1 : shownRunIndices[1],
      ];
    if (JOB_COLORING_KINDS.includes(color as JobColoringKind)) model.coloring = color as JobColoringKind;
    if (doChartsShowKnownRuns || color !== undefined) model.outcomeChanged.notify();
    model.view.show(...(parseTimeSpan(view) ?? model.view.whole));
    const time = Number(at);
    model.cursor = at === undefined || Number.isNaN(time) ? undefined : time;
    model.timeSelected.notify();
    if (span !== undefined || model.span !== undefined) model.selectSpan(parseTimeSpan(span));
    const jobIndex = job === undefined ? -1 : outcome.jobs.names.indexOf(job);
    if (jobIndex >= 0 || model.selected !== undefined) model.select(jobIndex < 0 ? undefined : jobIndex);
    model.viewChanged.notify();
  }

  /** Changes the settings and simulates them after a short delay. */
  change(setup: ExplorerSetup): void {
    this.model.setup = setup;
    this.model.forks = [];
    this.model.settingsChanged.notify();
    this.#cancelScheduledRun();
    this.#changeTimer = window.setTimeout(() => void this.run(), SIMULATION_DELAY);
  }

  /**
   * Simulates the current settings; unfinished earlier requests are abandoned.
   * @param shouldRecordHistoryStep true if the change can be undone.
   */
  async run(shouldRecordHistoryStep = true): Promise<void> {
    const requestNumber = ++this.#requestNumber;
    const { model } = this;
    this.#cancelScheduledRun();
    if (this.isWorking) await this.#restartWorker();
    await this.#runTask(async () => {
      await this.#sendLogToWorker(model.setup.options.workload);
      const outcome = await this.#simulateAllMethods(requestNumber, this.#setupWithTrustedCode());
      if (outcome === undefined) return;
      await waitForRelease();
      if (requestNumber !== this.#requestNumber) return;
      if (model.setup.methods.length === 0) model.setup = outcome.setup;
      model.take(outcome);
      model.settingsChanged.notify();
      for (const fork of model.forks) await this.#addFork(fork);
    });
    if (shouldRecordHistoryStep) this.#recordHistoryStep();
  }

  /**
   * Returns the results of all methods of a setup; undefined if a newer request has replaced this one. If new
   * jobs are many, the page shows the result of the first method before the others are simulated.
   */
  async #simulateAllMethods(
    requestNumber: number,
    setup: ExplorerSetup,
  ): Promise<SimulatedSetupOutcome | undefined> {
    const { model } = this;
    const firstOutcome = await this.#client.ask('run', setup);
    const isFirstResultShownEarly =
      firstOutcome.jobs.count > MAX_JOBS_FOR_JOINT_RESULT && firstOutcome.setup.methods.length > 1;
    if (isFirstResultShownEarly && firstOutcome.source !== model.outcome?.source) {
      await waitForRelease();
      if (requestNumber !== this.#requestNumber) return undefined;
      model.take(firstOutcome);
      // Waits for the first picture, because simulating the other methods would delay it.
      await waitForNextPaint();
    }
    if (requestNumber !== this.#requestNumber) return undefined;
    const otherRuns = await this.#client.ask('others', null);
    return requestNumber === this.#requestNumber
      ? { ...firstOutcome, runs: [...firstOutcome.runs, ...otherRuns] }
      : undefined;
  }

  /** Names of the functions in use that the user has not allowed to run. */
  get untrustedNames(): readonly string[] {
    const untrustedCodeFiles = this.model.code.filter(
      ({ name: fileName, isTrusted }) => !isTrusted && this.#isUsed(fileName),
    );
    return untrustedCodeFiles.map(({ name: fileName }) => fileName);
  }

  /** Returns the setup without functions that the user has not allowed to run. */
  #setupWithTrustedCode(): ExplorerSetup {
    const { setup } = this.model;
    const untrustedCodeNames = this.untrustedNames;
    const usesOnlyTrustedCode = (optionTexts: Texts) =>
      !Object.values(optionTexts).some((optionText) => untrustedCodeNames.includes(optionText));
    const methods = setup.methods.filter(usesOnlyTrustedCode);
    const areAllMethodsUntrusted = setup.methods.length > 0 && methods.length === 0;
    if (areAllMethodsUntrusted || !usesOnlyTrustedCode(setup.options)) {
      throw new UserFacingError(
        `this page names functions that have not been approved yet (${untrustedCodeNames.join(', ')}); read them under Custom functions and press Run this code`,
        true,
      );
    }
    return { ...setup, methods };
  }

  async #addFork({ run: runIndex, time, change }: ForkRequest): Promise<void> {
    const { model } = this;
    const originalRun = model.runs[runIndex];
    if (originalRun === undefined) return;
    const fork = await this.#client.ask('whatIf', { run: originalRun.id, time, change });
    await waitForRelease();
    model.addAndShowFork(this.#nameFork(fork));
  }

  /**
   * Simulates a what-if: the run of the upper chart, from a time (in seconds) or from the beginning, with
   * other options.
   * @returns the error sentence, or an empty string.
   */
  async simulateWhatIf(time: number | undefined, change: Texts): Promise<string> {
    const { model } = this;
    const forkRequest: ForkRequest = { run: model.shown[0], ...(time === undefined ? {} : { time }), change };
    try {
      await this.#addFork(forkRequest);
    } catch (error) {
      return (error as Error).message;
    }
    model.forks = [...model.forks, forkRequest];
    this.#recordHistoryStep();
    return '';
  }

  /** Opens a log that the user has dropped or chosen. */
  async open([file, ...otherFiles]: readonly File[]): Promise<void> {
    if (file === undefined) return;
    await this.#runTask(async () => {
      if (otherFiles.length > 0) {
        throw new UserFacingError(
          'this page takes one log at a time; `gridalloc simulate` reads several, one after the other, as one log',
          true,
        );
      }
      const { model } = this;
      const { options, methods } = model.setup;
      const bytes = await unpackFile(file);
      // Settings for a log suit the next log; settings for a model suit no log.
      const isCurrentWorkloadOpenedLog = this.#logsByName.has(options.workload);
      await this.#setLog(file.name, bytes);
      model.setup = isCurrentWorkloadOpenedLog
        ? { options: { ...options, workload: file.name }, methods }
        : { options: { workload: file.name }, methods: [] };
      model.forks = [];
      model.settingsChanged.notify();
    });
    if (this.fault === '') await this.run();
    if (this.fault === '') await this.#storeOpenedLog(file);
  }

  /**
   * Allows functions to run from now on.
   * @returns their error sentence, or an empty string.
   */
  async trustCodeFile(fileName: string, codeText: string): Promise<string> {
    if (this.isWorking) await this.stop();
    try {
      await this.#client.ask('code', { name: fileName, text: codeText });
    } catch (error) {
      return (error as Error).message;
    }
    const { model } = this;
    const fileIndex = model.code.findIndex((userCodeFile) => userCodeFile.name === fileName);
    const trustedCodeFile = { name: fileName, text: codeText, isTrusted: true };
    model.code =
      fileIndex < 0 ? [...model.code, trustedCodeFile] : model.code.with(fileIndex, trustedCodeFile);
    const { methods } = model.setup;
    if (!this.#isUsed(fileName))
      model.setup = { ...model.setup, methods: [...methods, { policy: fileName }] };
    model.settingsChanged.notify();
    await this.run();
    return this.fault;
  }

  /**
   * Terminates the worker. A new worker repeats the visible simulation, so that it can answer requests about
   * it.
   */
  async stop(): Promise<void> {
    const requestNumber = ++this.#requestNumber;
    this.#cancelScheduledRun();
    await this.#restartWorker();
    if (requestNumber !== this.#requestNumber) return;
    const { outcome, code, forks } = this.model;
    this.isBusy = false;
    this.fault = 'This was stopped; what is shown was simulated before it.';
    this.state.notify();
    // The functions may have changed since, and the stopped request may have been for other settings.
    if (outcome === undefined || code.some(({ name: fileName }) => this.#isUsed(fileName, outcome.setup)))
      return;
    await this.#sendLogToWorker(outcome.setup.options.workload);
    const rerunOutcome = await this.#simulateAllMethods(requestNumber, outcome.setup).catch(() => undefined);
    if (rerunOutcome === undefined || requestNumber !== this.#requestNumber) return;
    this.model.take(rerunOutcome);
    for (const fork of forks) await this.#addFork(fork).catch(() => {});
  }

  /** Returns the address of the current state. */
  address(): string {
    const { setup, forks } = this.model;
    const usedCodeFiles = this.model.code.filter(({ name: fileName }) => this.#isUsed(fileName));
    return formatExplorerAddress({
      setup,
      code: usedCodeFiles,
      forks,
      viewSettings: this.#currentViewSettings(),
    });
  }

  #currentViewSettings(): ExplorerViewSettings {
    const {
      view: visibleRange,
      selected,
      outcome,
      coloring,
      shown: shownRuns,
      cursor,
      span,
      runs,
    } = this.model;
    if (outcome === undefined) return {};
    const [from, to] = visibleRange.whole;
    const isWholeRangeShown = visibleRange.from === from && visibleRange.to === to;
    const areDefaultChartsShown = shownRuns[0] === 0 && shownRuns[1] === (runs.length > 1 ? 1 : -1);
    const formatRangeEnds = (range: readonly [number, number]) =>
      range.map((time) => Math.round(time * 10) / 10).join();
    return {
      ...(isWholeRangeShown ? {} : { view: formatRangeEnds([visibleRange.from, visibleRange.to]) }),
      ...(span === undefined ? {} : { span: formatRangeEnds(span) }),
      ...(cursor === undefined ? {} : { at: String(cursor) }),
      ...(selected === undefined ? {} : { job: outcome.jobs.names[selected] }),
      ...(coloring === this.model.defaultColoring ? {} : { color: coloring }),
      ...(areDefaultChartsShown ? {} : { charts: shownRuns.join() }),
    };
  }

  /** Records the current state in the page's address, as a step that can be undone, after a short delay. */
  recordHistoryStepLater(): void {
    clearTimeout(this.#historyTimer);
    this.#historyTimer = window.setTimeout(() => this.#recordHistoryStep(), HISTORY_DELAY);
  }

  #recordHistoryStep(): void {
    const address = `#${this.address()}`;
    if (address === location.hash) return;
    this.#stepCount = ++this.#historyPosition;
    history.pushState({ depth: this.#historyPosition }, '', address);
    this.state.notify();
  }

  /** True for `back` if there is a step to undo, and for `forward` if there is one to redo. */
  get steps(): { readonly back: boolean; readonly forward: boolean } {
    return { back: this.#historyPosition > 0, forward: this.#historyPosition < this.#stepCount };
  }

  /** Adds to a fork's name the time of its fork, and a number if several forks share the name. */
  #nameFork(fork: FinishedRunData): FinishedRunData {
    const forkTimeText = fork.forkedAt === undefined ? '' : ` from ${this.model.when(fork.forkedAt)}`;
    const forkLabel = fork.label + forkTimeText;
    const runLabels = this.model.runs.map(({ label: runLabel }) => runLabel);
    let [label, number] = [forkLabel, 1];
    while (runLabels.includes(label)) label = `${forkLabel} (${++number})`;
    return { ...fork, label };
  }

  /** True if a setup or a what-if uses the file of this name. */
  #isUsed(name: string, { options, methods }: ExplorerSetup = this.model.setup): boolean {
    const changes = this.model.forks.map(({ change }) => change);
    return [options, ...methods, ...changes].some((optionTexts) => Object.values(optionTexts).includes(name));
  }

  async #setLog(name: string, bytes: ArrayBuffer): Promise<void> {
    this.#logsByName.set(name, bytes);
    this.model.logs = [...this.#logsByName.keys()];
    await this.#sendLogToWorker(name);
  }

  async #sendLogToWorker(name: string): Promise<void> {
    const bytes = this.#logsByName.get(name) ?? (await this.#loadStoredLogBytes(name));
    if (bytes === undefined) return;
    this.#loadedLogName = name;
    await this.#client.ask('log', { name, bytes });
  }

  /** Stores a readable log in the browser. */
  async #storeOpenedLog(file: File): Promise<void> {
    this.storageFault = await storeLog({ name: file.name, file });
    this.storedLogs = await listStoredLogNames();
    this.model.settingsChanged.notify();
  }

  /** Restores a log that was opened before the page was reloaded. */
  async #loadStoredLogBytes(name: string): Promise<ArrayBuffer | undefined> {
    if (!this.storedLogs.includes(name)) return undefined;
    const file = await loadStoredLog(name);
    if (file === undefined) return undefined;
    const bytes = await unpackFile(file);
    this.#logsByName.set(name, bytes);
    this.model.logs = [...this.#logsByName.keys()];
    return bytes;
  }

  /** Deletes the logs stored in the browser; the open page keeps its copies. */
  async forgetJob(): Promise<void> {
    await deleteStoredLogs().catch(() => {});
    this.storedLogs = await listStoredLogNames();
    this.model.settingsChanged.notify();
  }

  /** Abandons the current task: closes its worker and starts a new one. */
  async #restartWorker(): Promise<void> {
    this.#taskCount++;
    this.#client.close();
    this.#client = await this.createWorkerClient();
  }

  #cancelScheduledRun(): void {
    clearTimeout(this.#changeTimer);
    this.#changeTimer = 0;
  }

  /** Runs a task; the page is busy until this task and those started during it are done. */
  async #runTask(action: () => Promise<void>): Promise<void> {
    const taskNumber = ++this.#taskCount;
    this.isBusy = true;
    this.fault = '';
    this.state.notify();
    let fault = '';
    try {
      await action();
    } catch (error) {
      fault = error instanceof Error ? error.message : String(error);
    }
    if (taskNumber !== this.#taskCount) return;
    this.isBusy = false;
    this.fault = fault;
    this.state.notify();
  }
}
