/** State of the page, with a signal for each part that changes. */
import { countValuesAtMost, type StepFunction } from '../../host/draw/timeline.js';
import { computeStableSortOrder } from '../../host/math/stableOrder.js';
import type { ForkRequest } from './address.js';
import { StepFunctionIndex } from './charts/stepIndex.js';
import { GanttBlockIndex } from './gantt/blockIndex.js';
import type { JobColoringKind } from './gantt/colors.js';
import { runWhenReleased } from './press.js';
import type {
  CodeFileText,
  ExplorerCatalogue,
  ExplorerSetup,
  FinishedRunData,
  SimulatedSetupOutcome,
} from './protocol.js';
import { ChangeSignal } from './signal.js';
import { VisibleTimeRange } from './timeView.js';
import { formatTimeOfJobs } from './words.js';

/** File with a user-written function; trusted once the user has allowed it to run. */
export interface UserCodeFile extends CodeFileText {
  readonly isTrusted: boolean;
}

/** Settings of a first visit. */
export const INITIAL_EXPLORER_SETUP: ExplorerSetup = {
  options: {
    workload: 'lublin99[aarr=9,jobs=3000,seed=1]',
    sites: '8,128,128,128,50',
    speeds: 'draw[sh=0.12,seed=1]',
  },
  methods: [{ policy: 'best-fit' }, { policy: 'fastest-first' }],
};

export class ExplorerModel {
  catalogue!: ExplorerCatalogue;
  setup: ExplorerSetup = INITIAL_EXPLORER_SETUP;
  code: UserCodeFile[] = [];
  forks: ForkRequest[] = [];
  /** Names of the opened logs. */
  logs: readonly string[] = [];
  outcome: SimulatedSetupOutcome | undefined;
  /**
   * Mean wait in seconds of the first method on the previous grid with the same jobs; undefined if there was
   * no such grid.
   */
  meanWaitBefore: number | undefined;
  /** Indices of the runs in the upper and the lower Gantt chart; -1 if none. */
  shown: [number, number] = [0, -1];
  readonly view = new VisibleTimeRange();
  coloring: JobColoringKind = 'wait';
  /** Colouring used until the user chooses one. */
  defaultColoring: JobColoringKind = 'wait';
  /** Selected time in seconds; undefined if none. */
  cursor: number | undefined;
  selected: number | undefined;
  hovered: number | undefined;
  /** Time under the pointer, in seconds. */
  pointed: number | undefined;
  /** Selected time span, in seconds. */
  span: readonly [number, number] | undefined;
  /** Scroll position of the lanes, in pixels. */
  scroll = 0;
  /** Jobs found by the search; undefined without a search. */
  matches: ReadonlySet<number> | undefined;

  /** Signals of changes: settings, outcome, view, selected time, selected job. */
  readonly settingsChanged = new ChangeSignal(runWhenReleased);
  readonly outcomeChanged = new ChangeSignal();
  readonly viewChanged = new ChangeSignal();
  readonly timeSelected = new ChangeSignal();
  readonly jobSelected = new ChangeSignal();
  /** Signals of a selected span, and of another time under the pointer. */
  readonly spanChanged = new ChangeSignal();
  readonly pointerMoved = new ChangeSignal();

  readonly #indices = new WeakMap<FinishedRunData, GanttBlockIndex>();
  readonly #steps = new WeakMap<StepFunction, StepFunctionIndex>();
  readonly #events = new WeakMap<FinishedRunData, Float64Array>();
  readonly #orders = new WeakMap<FinishedRunData, Int32Array>();
  #disagreements: { readonly runs: readonly unknown[]; readonly times: Float64Array } | undefined;

  /** All runs, including forks. */
  get runs(): readonly FinishedRunData[] {
    return this.outcome?.runs ?? [];
  }

  /** Run of the upper chart, to which questions refer. */
  get run(): FinishedRunData | undefined {
    return this.runs[this.shown[0]];
  }

  /** Returns the time index of a run's blocks. */
  indexOf(run: FinishedRunData): GanttBlockIndex {
    const ganttIndex = this.#indices.get(run) ?? new GanttBlockIndex(run.blocks, run.absences);
    this.#indices.set(run, ganttIndex);
    return ganttIndex;
  }

  /** Run of the lower chart; undefined if there is none. */
  get other(): FinishedRunData | undefined {
    return this.runs[this.shown[1]];
  }

  /** Formats a time for display. */
  when(time: number): string {
    return this.outcome === undefined ? '' : formatTimeOfJobs(this.outcome, time);
  }

  /** Returns the index of a quantity over time. */
  stepFunctionIndexOf(steps: StepFunction): StepFunctionIndex {
    const index = this.#steps.get(steps) ?? new StepFunctionIndex(steps);
    this.#steps.set(steps, index);
    return index;
  }

  /** Returns the jobs of a run, ordered by start. */
  orderOf(run: FinishedRunData): Int32Array {
    const cachedJobOrder = this.#orders.get(run);
    if (cachedJobOrder !== undefined) return cachedJobOrder;
    const { start } = run;
    const order = computeStableSortOrder(start);
    this.#orders.set(run, order);
    return order;
  }

  /** Times at which a job starts in only one of the two visible runs, ascending. */
  disagreements(): Float64Array {
    const { run, other: otherRun } = this;
    if (run === undefined || otherRun === undefined) return new Float64Array(0);
    if (this.#disagreements?.runs[0] === run && this.#disagreements.runs[1] === otherRun)
      return this.#disagreements.times;
    const differingStarts = run.start.map((start, job) =>
      Math.abs(start - otherRun.start[job]) < 1 ? Number.NaN : Math.min(start, otherRun.start[job]),
    );
    const sortedDifferingStartTimes = differingStarts.filter((time) => !Number.isNaN(time)).sort();
    this.#disagreements = { runs: [run, otherRun], times: sortedDifferingStartTimes };
    return sortedDifferingStartTimes;
  }

  /** Counts the jobs that run at a time. */
  countRunningJobsAt(run: FinishedRunData, time: number): number {
    let sortedStartAndEndTimes = this.#startsAndEnds.get(run);
    if (sortedStartAndEndTimes === undefined) {
      const sortedStartTimes = Float64Array.from(run.start).sort();
      const endTimes = run.start.map((start, job) => start + run.execution[job]).sort();
      sortedStartAndEndTimes = [sortedStartTimes, endTimes];
      this.#startsAndEnds.set(run, sortedStartAndEndTimes);
    }
    return (
      countValuesAtMost(sortedStartAndEndTimes[0], time) - countValuesAtMost(sortedStartAndEndTimes[1], time)
    );
  }
  readonly #startsAndEnds = new WeakMap<FinishedRunData, [Float64Array, Float64Array]>();

  /**
   * Returns the distinct times of all submissions, starts, ends and changes by outages of a run, ascending.
   */
  eventTimesOfRun(run: FinishedRunData): Float64Array {
    const cachedEventTimes = this.#events.get(run);
    if (cachedEventTimes !== undefined || this.outcome === undefined)
      return cachedEventTimes ?? new Float64Array(0);
    const { submit } = this.outcome.jobs;
    const endTimes = run.start.map((start, i) => start + run.execution[i]);
    const capacityChangeTimes = run.available?.time ?? new Float64Array(0);
    const eventTimes = new Float64Array(3 * submit.length + capacityChangeTimes.length);
    eventTimes.set(submit);
    eventTimes.set(run.start, submit.length);
    eventTimes.set(endTimes, 2 * submit.length);
    eventTimes.set(capacityChangeTimes, 3 * submit.length);
    eventTimes.sort();
    const events = eventTimes.filter((time, i) => i === 0 || time !== eventTimes[i - 1]);
    this.#events.set(run, events);
    return events;
  }

  /** Replaces the outcome; the view is kept if the jobs are the same. */
  take(outcome: SimulatedSetupOutcome): void {
    const previousOutcome = this.outcome;
    const hasSameJobs =
      previousOutcome?.source === outcome.source && previousOutcome.jobs.count === outcome.jobs.count;
    const visibleTimeRange: [number, number] = [this.view.from, this.view.to];
    this.meanWaitBefore =
      hasSameJobs && previousOutcome !== undefined
        ? meanWaitBeforeSettingChange(previousOutcome, outcome)
        : undefined;
    this.outcome = outcome;
    const [firstSubmit] = outcome.jobs.submit;
    this.view.setWholeRange(firstSubmit, Math.max(...outcome.runs.map(lastEndTimeOfRun)));
    if (hasSameJobs) this.view.show(...visibleTimeRange);
    else this.clearSelections();
    const [upper, lower] = this.shown;
    const canKeepShownRuns =
      hasSameJobs && upper < outcome.runs.length && lower < outcome.runs.length && lower >= 0;
    if (!canKeepShownRuns) this.shown = [0, outcome.runs.length > 1 ? 1 : -1];
    this.outcomeChanged.notify();
  }

  /** Adds a fork and shows it below its original run. */
  addAndShowFork(fork: FinishedRunData): void {
    if (this.outcome === undefined) return;
    this.outcome = { ...this.outcome, runs: [...this.outcome.runs, fork] };
    this.view.setWholeRange(this.view.whole[0], Math.max(this.view.whole[1], lastEndTimeOfRun(fork)));
    this.shown = [this.shown[0], this.outcome.runs.length - 1];
    this.outcomeChanged.notify();
  }

  /** Selects a job, and moves it into view if `shouldRevealJob`. */
  select(job: number | undefined, shouldRevealJob = false): void {
    this.selected = job;
    const { run } = this;
    if (job !== undefined && shouldRevealJob && run !== undefined) {
      this.view.moveSpanIntoView(run.start[job], run.start[job] + run.execution[job]);
      this.viewChanged.notify();
    }
    this.jobSelected.notify();
  }

  /** Selects a time in seconds; undefined clears the selection. */
  selectTime(time: number | undefined): void {
    this.cursor = time;
    if (time !== undefined && (time < this.view.from || time > this.view.to)) {
      const visibleSpanSeconds = this.view.to - this.view.from;
      this.view.show(time - visibleSpanSeconds / 2, time + visibleSpanSeconds / 2);
      this.viewChanged.notify();
    }
    this.timeSelected.notify();
  }

  /** Selects a time span in seconds; undefined clears the selection. */
  selectSpan(span: readonly [number, number] | undefined): void {
    this.span = span;
    this.spanChanged.notify();
  }

  private clearSelections(): void {
    this.span = undefined;
    this.scroll = 0;
    this.selected = undefined;
    this.hovered = undefined;
    this.cursor = undefined;
    this.matches = undefined;
  }
}

/** Returns the mean wait of the outcome's first run if the next outcome differs only in its grid. */
function meanWaitBeforeSettingChange(
  { capacities, speeds, runs: [previousRun] }: SimulatedSetupOutcome,
  nextOutcome: SimulatedSetupOutcome,
): number | undefined {
  const isGridDifferent =
    String([capacities, speeds]) !== String([nextOutcome.capacities, nextOutcome.speeds]);
  if (!isGridDifferent || previousRun?.label !== nextOutcome.runs[0]?.label) return undefined;
  return previousRun?.metrics.find(({ name: metricName }) => metricName === 'meanWait')?.value;
}

function lastEndTimeOfRun({ start, execution }: FinishedRunData): number {
  return start.reduce((latest, startTime, i) => Math.max(latest, startTime + execution[i]), -Infinity);
}

const DARK_THEME_QUERY = matchMedia('(prefers-color-scheme: dark)');

/** Returns the page's current theme. */
export function currentTheme(): 'light' | 'dark' {
  const themeChosenByUser = document.documentElement.dataset.theme;
  if (themeChosenByUser === 'light' || themeChosenByUser === 'dark') return themeChosenByUser;
  return DARK_THEME_QUERY.matches ? 'dark' : 'light';
}
