/** A live run of the core with its jobs as a growing workload: what live simulations and environments share. */
import { type LiveState as CoreLiveState, type CoreRun, LiveRun } from '../core/host.js';
import type { JobColumn } from '../core/memory.js';
import type { Core } from '../core/module.js';
import type { Policy } from '../core/policies.js';
import type { Column, RunSettings } from '../core/runSettings.js';
import { ExactSum } from '../math/exactSum.js';
import type { Configuration } from '../options/configuration.js';
import { NO_LIMITS_NOTATION } from '../options/limits.js';
import { isTimeDependentOrder, needsHostComputedKeys, type Order } from '../options/order.js';
import { NO_OUTAGES_NOTATION } from '../options/outages.js';
import { NO_PARTITION_SITES_NOTATION } from '../options/partitionSites.js';
import { findOrderOfWaitingJobs } from '../options/runOptions.js';
import { type JobFold, JobFoldResult, type MeasuredRun } from '../simulate/jobFolds.js';
import { makeCoreInputColumns, makeCoreRunSettings } from '../simulate/layout.js';
import { JOB_FOLDS } from '../simulate/metrics.js';
import { computeWorksOfJobs } from '../simulate/offeredLoad.js';
import { selectSimulatedOutages } from '../simulate/outageColumns.js';
import { CustomDecisions } from '../simulate/policyView.js';
import { computeMeasuredSubmitWindow } from '../simulate/schedule.js';
import { LiveAccounts } from './liveAccounts.js';
import type { LiveSettings } from './liveOptions.js';
import { type LiveResultColumns, LiveTable } from './liveTable.js';
import type { LiveName, LiveStateJob, SubmittedJob } from './submittedJob.js';

/** Columns of a run with values by job that the host computes. */
const HOST_COMPUTED_JOB_COLUMNS = ['Key', 'BackfillKey', 'ProgramInput'] as const satisfies readonly Column[];

/** Removes options whose columns are not those of a whole log. */
function removeAccountOptions(configuration: Configuration): Configuration {
  return {
    ...configuration,
    limit: NO_LIMITS_NOTATION,
    partitionSites: NO_PARTITION_SITES_NOTATION,
    outages: NO_OUTAGES_NOTATION,
  };
}

const needsKeysOfJobs = (order: Order) => needsHostComputedKeys(order) || isTimeDependentOrder(order);

/** Job that is being submitted. */
interface PendingNamedJob {
  readonly job: SubmittedJob;
  readonly name: LiveName;
}

/** Jobs of a state with their names. */
export interface StateWithJobNames {
  readonly time: number;
  readonly jobs: readonly { readonly job: LiveStateJob; readonly name: LiveName }[];
}

/** A live run with its jobs and metrics. */
export class LiveEngine implements MeasuredRun {
  configuration: Configuration;
  readonly settings: LiveSettings;
  readonly workload: LiveTable;
  readonly live: LiveRun;
  readonly #accounts: LiveAccounts;
  readonly #decisions: CustomDecisions;
  readonly #hasKeys: boolean;
  readonly #folds = new Map<JobFold, JobFoldResult>();
  readonly #work: ExactSum;
  #pending: readonly PendingNamedJob[] = [];

  /**
   * @param onJobLeave receives the number, from 0, of each job that leaves the memory.
   * @param original engine to copy, in place of a state.
   * @throws InputError for options that do not fit the grid; Refusal.
   */
  constructor(
    core: Core,
    liveSettings: LiveSettings,
    onJobLeave: (index: number) => void,
    stateWithJobNames?: StateWithJobNames,
    original?: LiveEngine,
  ) {
    const { configuration, capacity, jobsLeave } = liveSettings;
    this.settings = liveSettings;
    this.configuration = configuration;
    this.workload = new LiveTable(liveSettings, original?.workload);
    this.#accounts = new LiveAccounts(
      configuration,
      capacity,
      original === undefined ? undefined : original.#accounts,
    );
    this.#hasKeys = [findOrderOfWaitingJobs(configuration), configuration.backfillOrder].some(
      needsKeysOfJobs,
    );
    const functions = {
      writeColumns: (coreRun: CoreRun, row: number) => this.#writeColumns(coreRun, row),
      ...(jobsLeave && { onLeave: ({ job }: { readonly job: number }) => onJobLeave(job) }),
    };
    if (original === undefined) {
      this.#pending = stateWithJobNames?.jobs ?? [];
      this.live = new LiveRun(core, { ...this.#runSettings(stateWithJobNames), ...functions });
      this.#pending = [];
      this.#addInitialOutages();
    } else {
      this.live = original.live.copy(functions);
    }
    this.#work = original === undefined ? new ExactSum() : original.#work.copy();
    for (const fold of JOB_FOLDS)
      this.#folds.set(
        fold,
        original === undefined ? new JobFoldResult(fold) : original.#folds.get(fold)!.copy(),
      );
    this.#decisions = new CustomDecisions(this.run, this.workload);
  }

  /** Number of outages of the options. */
  get outageCount(): number {
    return this.#initialOutages().length;
  }

  get run(): CoreRun {
    return this.live.run;
  }

  #runSettings(liveState: StateWithJobNames | undefined) {
    const { configuration, capacity, maxOutages, unixStartTime } = this.settings;
    const { optionAgainstCancelling, optionAgainstChangedEstimates } = this.settings;
    const configurationWithoutAccounts = removeAccountOptions(configuration);
    const jobColumns = {
      ...this.workload.keyedJobs([]),
      ...(unixStartTime !== undefined && { unixStartTime }),
    };
    const runSettings = makeCoreRunSettings(
      { count: capacity, ...(unixStartTime !== undefined && { unixStartTime }) },
      configurationWithoutAccounts,
    );
    const columns: { -readonly [Name in keyof RunSettings['sites']]: RunSettings['sites'][Name] } =
      makeCoreInputColumns(configurationWithoutAccounts, [], jobColumns);
    for (const columnName of [...HOST_COMPUTED_JOB_COLUMNS, 'UserAccount', 'GroupAccount'] as const)
      delete columns[columnName];
    const options = {
      ...runSettings.options,
      ...(optionAgainstCancelling === undefined && { Cancellations: 2 }),
      ...(this.settings.mayChangeRules && { CandidateRules: 'Conservative', Selection: 'Allocator' }),
    };
    const initialOutageCount = this.#initialOutages().length;
    return {
      ...this.#accounts.addAccountsToSettings({ ...runSettings, options, sites: columns }),
      capacity,
      columns: this.#jobColumns(),
      maxOutages: maxOutages + initialOutageCount,
      ...(optionAgainstChangedEstimates === undefined && { room: { ...runSettings.room, Estimates: 1 } }),
      ...(liveState && { state: this.#stateOfCore(liveState) }),
    };
  }

  #jobColumns(): JobColumn[] {
    const { configuration, optionAgainstCancelling } = this.settings;
    return [
      ...(configuration.bandwidth === 0 ? [] : ['Data' as const]),
      ...(optionAgainstCancelling === undefined ? ['Patience' as const] : []),
      ...(this.#accounts.hasSiteSets ? ['Sites' as const] : []),
    ];
  }

  #stateOfCore({ time, jobs }: StateWithJobNames): CoreLiveState {
    return {
      time,
      jobs: jobs.map(({ job, name: jobName }) => ({
        ...this.#jobOfCore(job, `LiveSimulation, state, job ${jobName}`),
        ...(job.start !== undefined && { start: job.start, site: job.site! - 1 }),
        ...(job.reservation && {
          reservation: { start: job.reservation.start, site: job.reservation.site - 1 },
        }),
      })),
    };
  }

  #initialOutages() {
    const { configuration, name: settingName, unixStartTime } = this.settings;
    return selectSimulatedOutages(configuration, { name: settingName, unixStartTime });
  }

  #addInitialOutages(): void {
    for (const { first: firstProcessor, ...outage } of this.#initialOutages())
      this.live.addOutage({ ...outage, ...(firstProcessor !== undefined && { firstProcessor }) });
  }

  #jobOfCore(job: SubmittedJob, context: string) {
    const { submit, runtime, processors, requestedTime, home = 1, data = 0, patience = -1 } = job;
    return {
      Submit: submit,
      Processors: processors,
      Home: home - 1,
      Data: data,
      Patience: patience,
      Sites: this.#accounts.check(job, context),
      ...(runtime !== undefined && { Runtime: runtime }),
      ...(requestedTime !== undefined && { Estimate: requestedTime }),
    };
  }

  /**
   * Submits a job whose fields have been checked; returns its number, from 0.
   * @throws InputError for a job beyond a limit or without sites; FunctionError of the order; Refusal.
   */
  submit(job: SubmittedJob, jobName: LiveName, context: string): number {
    const coreInput = this.#jobOfCore(job, context);
    this.#pending = [{ job, name: jobName }];
    const index = this.live.submit(coreInput);
    this.workload.add();
    return index;
  }

  /** Writes the columns by job for the next of the pending jobs, after moving the rows of the others. */
  #writeColumns(coreRun: CoreRun, row: number): void {
    const liveTable = this.workload;
    const [{ job, name }] = this.#pending as readonly [PendingNamedJob];
    if (row < liveTable.count) liveTable.move((oldRow) => this.live.rowOf(liveTable.index[oldRow]!));
    liveTable.write(row, job, name);
    this.#accounts.write(coreRun, row, job, liveTable);
    if (this.#hasKeys) {
      const coreInput = makeCoreInputColumns(
        removeAccountOptions(this.configuration),
        [],
        liveTable.keyedJobs([row]),
      );
      for (const keyColumn of HOST_COMPUTED_JOB_COLUMNS) {
        const columnInput = coreInput[keyColumn];
        if (columnInput === undefined) continue;
        // One column after the other, such as the inputs of a program.
        for (let i = 0; i < columnInput.length; i++)
          coreRun.column(keyColumn)[i * this.settings.capacity + row] = columnInput[i]!;
      }
    }
    // Jobs of a state are written one after the other.
    if (this.#isBeginning) {
      this.#pending = this.#pending.slice(1);
      liveTable.add();
    }
  }

  /** True while the jobs of a state are submitted. */
  get #isBeginning(): boolean {
    return (this.live as LiveRun | undefined) === undefined;
  }

  /** Changes the policy of a copied run from that of its original to the one of the configuration. */
  changePolicy(policyBefore: Policy): void {
    const { declaration, values: parameterValues } = this.configuration.policy;
    if (
      declaration === policyBefore.declaration &&
      parameterValues.every((value, i) => value === policyBefore.values[i])
    )
      return;
    const parameters = declaration.parameters.map(({ name: parameterName }, i) => [
      parameterName,
      parameterValues[i]!,
    ]);
    this.run.changePolicy(declaration.name, Object.fromEntries(parameters));
  }

  /** Handles all events up to and including a time in seconds, asking the function of a custom policy. */
  runUntil(time: number): void {
    this.run.runUntil(time, () => this.#decisions.answer(this.configuration));
  }

  /** Computes the metrics after all events, without further jobs. */
  finish(): void {
    this.live.finish();
    if (this.settings.jobsLeave) return;
    const { count, submit } = this.workload;
    const window = computeMeasuredSubmitWindow(this.configuration, submit.subarray(0, count));
    if (window !== undefined) this.run.measure(window.from, window.until);
    this.addResults(Array.from({ length: count }, (_, row) => row));
  }

  /** Columns of results: views that are valid until the memory grows. */
  get resultColumns(): LiveResultColumns {
    const { moldable, reservations } = this.configuration;
    return {
      start: this.run.column('Start'),
      execution: this.run.column('Execution'),
      held: moldable === 'none' ? [] : this.run.column('Held'),
      promised: reservations === 'kept' ? this.run.column('PromisedStart') : [],
      endedByOutages: new Set(this.run.room('Outages') > 0 ? this.run.column('FailedJob') : []),
    };
  }

  /** Adds the jobs in some rows, which have ended, to the metrics. */
  addResults(rows: readonly number[]): void {
    if (rows.length === 0) return;
    this.#fillRuntimes(rows);
    const jobsOfRun = this.workload.finishedJobs(rows, this.configuration, this.resultColumns);
    for (const result of this.#folds.values()) result.add(jobsOfRun);
    this.#work.add(computeWorksOfJobs(jobsOfRun.workload, this.configuration));
  }

  /** Computes the runtimes that were unknown at the submission. */
  #fillRuntimes(rows: readonly number[]): void {
    const { runtime, home } = this.workload;
    const { grid, load } = this.configuration;
    const [execution, site] = [this.run.column('Execution'), this.run.column('Site')];
    for (const row of rows) {
      if (Number.isNaN(runtime[row]!))
        runtime[row] = (execution[row]! * (grid.speeds[site[row]!] ?? 1)) / load[home[row]!]!;
    }
  }

  // Metrics

  metric(metricName: keyof Core['Metric']): number {
    return this.run.metric(metricName);
  }

  perSite(columnName: 'SiteBusy' | 'SiteJobs' | 'HomeResponse' | 'HomeJobs'): Float64Array {
    return this.run.column(columnName).slice();
  }

  outageSeconds(): Float64Array | undefined {
    return this.run.room('Outages') === 0 ? undefined : this.run.column('SiteOutage').slice();
  }

  fold(fold: JobFold): number {
    return this.#folds.get(fold)!.value;
  }

  work(): number {
    return this.#work.value;
  }

  get submitSpan(): number {
    return this.workload.lastSubmit - this.workload.firstSubmit;
  }

  get speedHeterogeneity(): number {
    return this.run.scalar('SpeedHeterogeneity');
  }

  get movedReservations(): number {
    return this.run.scalar('MovedReservations');
  }

  choosing(scalarName: 'Trials' | 'Switches' | 'TriedJobs'): number {
    return this.run.scalar(scalarName);
  }

  timesChosen(): Float64Array {
    return this.run.column('TimesChosen').slice();
  }

  dispose(): void {
    this.live.dispose();
  }
}
