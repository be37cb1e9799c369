/** Messages between the page and its worker; only plain data. */

import type { Figure, FigurePoint } from '../../host/draw/figureModel.js';
import type { StepFunction } from '../../host/draw/timeline.js';
import type { NumberFormat } from '../../host/format/numbers.js';
import type { OptionStrings } from '../../host/options/options.js';
import type { Absence } from '../../host/results/capacity.js';
import type { ClassAttribute } from '../../host/simulate/jobMetrics.js';
import type { Metric } from '../../host/simulate/metric.js';
import type { NumberNames } from '../../host/trace/trace.js';

export type { OptionStrings as Texts };

/** File with a user-written function, which runs only after the user's consent. */
export interface CodeFileText {
  readonly name: string;
  readonly text: string;
}

/**
 * Simulation settings: options that all methods share (the workload is one), and the options of each method.
 * An empty list of methods means the default methods.
 */
export interface ExplorerSetup {
  readonly options: OptionStrings;
  readonly methods: readonly OptionStrings[];
}

/** Declaration of an option for its form field. */
export interface OptionFormDeclaration {
  readonly name: string;
  readonly help: string;
  readonly heading: string;
  readonly choices: readonly string[];
  readonly isOpen: boolean;
  readonly isSwitch: boolean;
  /** Default in words; empty if it depends on the log or the grid. */
  readonly defaultText: string;
}

/** Available options, policies, models and metrics, as declared by the library. */
export interface ExplorerCatalogue {
  readonly headings: readonly string[];
  readonly options: readonly OptionFormDeclaration[];
  readonly policies: readonly {
    readonly name: string;
    readonly notation: string;
    readonly summary: string;
  }[];
  readonly models: readonly {
    readonly name: string;
    readonly description: string;
    readonly parameters: readonly {
      readonly name: string;
      readonly default: number;
      readonly description: string;
    }[];
  }[];
  /** Metrics by which methods are compared. */
  readonly metrics: readonly { readonly name: string; readonly label: string }[];
  /** Default metric of comparisons. */
  readonly defaultMetric: string;
}

/** Job attributes that all runs share; times in seconds on the log's clock. */
export interface SharedJobColumns {
  readonly count: number;
  /** Job names as in jobs.csv. */
  readonly names: readonly string[];
  readonly submit: Float64Array;
  readonly requested: Int32Array;
  /** Home site of each job, numbered from 0. */
  readonly home: Int32Array;
  /** User and queue numbers of the log, -1 if unknown for a job; absent if unknown for all. */
  readonly user?: Float64Array;
  readonly queue?: Float64Array;
  /** Names of user and queue numbers; absent if there are none. */
  readonly numberNames?: NumberNames;
  /** True if jobs have home sites. */
  readonly hasHomes: boolean;
}

/** Gantt blocks: neighbouring processors held by a job for a time, ordered by start. Times in seconds. */
export interface GanttBlockColumns {
  readonly job: Int32Array;
  readonly site: Int32Array;
  readonly start: Float64Array;
  readonly end: Float64Array;
  /** First processor and the one after the last, numbered through all sites from 0. */
  readonly first: Int32Array;
  readonly after: Int32Array;
  /** 1 if the execution ended by preemption, otherwise 0. */
  readonly stopped: Uint8Array;
}

/** Metric of a run, formatted for display. */
export interface MetricRow {
  readonly name: string;
  readonly label: string;
  readonly remark: string;
  readonly unit: string;
  readonly value: number;
  readonly format: NumberFormat;
  readonly better: 'less' | 'more' | '';
  /** Origin of the metric's noise between samples (host/simulate/metric.ts). */
  readonly noise: Metric['noise'];
}

/** Finished run. */
export interface FinishedRunData {
  /** Identifier in later requests. */
  readonly id: number;
  readonly label: string;
  /** Processors and speed of each site. */
  readonly capacities: readonly number[];
  readonly speeds: readonly number[];
  readonly start: Float64Array;
  readonly execution: Float64Array;
  readonly site: Int32Array;
  readonly held: Int32Array;
  /**
   * Start of each job by the reservation made at its submission, in seconds; absent if reservations are not
   * kept.
   */
  readonly promised?: Float64Array;
  readonly isConservative: boolean;
  readonly blocks: GanttBlockColumns;
  readonly waiting: StepFunction;
  readonly busy: StepFunction;
  /** Absences of processors because of outages; absent if there are none. */
  readonly absences?: readonly Absence[];
  /** Number of processors not taken by outages, over time; absent if outages take none. */
  readonly available?: StepFunction;
  readonly metrics: readonly MetricRow[];
  readonly waits: readonly FigurePoint[];
  readonly slowdowns: readonly FigurePoint[];
  /** Reason why policies have no choice; empty if they have one. */
  readonly noChoice: string;
  /** Time of the fork in seconds; absent if the run is not a fork. */
  readonly forkedAt?: number;
}

/** What the worker returns for a setup: its jobs and sites, one run per method, and commands that repeat it. */
export interface SimulatedSetupOutcome {
  /** Simulated setup, with the default methods filled in. */
  readonly setup: ExplorerSetup;
  readonly source: string;
  readonly jobs: SharedJobColumns;
  readonly capacities: readonly number[];
  readonly speeds: readonly number[];
  /** Unix time in seconds of simulation time 0; absent if the log has no dates. */
  readonly unixStartTime?: number;
  /** Warnings and remarks, as sentences. */
  readonly remarks: readonly string[];
  readonly runs: readonly FinishedRunData[];
  /** Command line `gridalloc simulate ... --json` of each method. */
  readonly commands: readonly string[];
  /** Command line `gridalloc compare ... --json` of all methods; absent for a single method. */
  readonly comparison?: string;
}

/** Explanation of a job's wait and placement, as sentences. */
export interface JobExplanationTexts {
  readonly headline: string;
  readonly rules: string;
  readonly waits: readonly {
    readonly summary: string;
    readonly events: readonly { readonly time: number; readonly text: string }[];
    readonly decision: string;
    /** Title of the decision. */
    readonly why: string;
  }[];
}

/** Decision of a policy about the next job to start; all policies decide from the same state. */
export interface PolicyDecision {
  readonly policy: string;
  readonly decision: string;
  readonly why: string;
}

/** Decisions of all policies. */
export interface PolicyDecisions {
  readonly job: string;
  readonly time: number;
  readonly choices: readonly PolicyDecision[];
  /** Reason why there is nothing to choose; empty if there is a choice. */
  readonly noChoiceReason: string;
}

/** Metrics of a time span under a run; times in seconds. */
export interface TimeSpanMetrics {
  /** Number of jobs submitted in the span, and of those among them that started at once. */
  readonly jobs: number;
  readonly withoutWait: number;
  /** Mean and longest wait of these jobs, in seconds. */
  readonly meanWait: number;
  readonly longestWait: number;
  readonly slowdown: number;
  /** Average share of busy processors (0 to 1), and average number of waiting jobs, over the span. */
  readonly utilization: number;
  readonly waiting: number;
  /**
   * Shares (0 to 1) of the waiting job-seconds during which a site had enough free processors for the job,
   * and during which none had.
   */
  readonly enoughFree: number;
  readonly tooFewFree: number;
  /** Users with the most processor time in the span, and their shares (0 to 1). */
  readonly holders: readonly { readonly name: string; readonly share: number }[];
}

/** Jobs of one user, group or other class, and their waits in seconds under each requested run. */
export interface JobClassRow {
  readonly name: string;
  /** Indices of the class's jobs. */
  readonly jobs: Int32Array;
  readonly waits: readonly { readonly mean: number; readonly p95: number }[];
}

/** All classes of jobs. */
export interface JobClassTable {
  /** Attributes by which these jobs can be grouped. */
  readonly kinds: readonly ClassAttribute[];
  readonly by: ClassAttribute;
  readonly rows: readonly JobClassRow[];
}

/** Result of a method over replications. */
export interface ReplicatedMethodRow {
  readonly label: string;
  readonly mean: number;
  readonly low: number;
  readonly high: number;
  /**
   * Confidence limits of the difference to the best other method, in words. Empty if nothing is tested; so is
   * the verdict.
   */
  readonly differenceToBest: string;
  readonly bestIn: number;
  /** Verdict on the method, in words. */
  readonly verdict: string;
}

/** Comparison of methods over replications by one metric. */
export interface ReplicatedMethodComparison {
  readonly metric: string;
  readonly unit: string;
  readonly format: NumberFormat;
  /** Equivalence margin as a share of the best mean. */
  readonly within: number;
  /** Conclusion, and further remarks, as sentences. */
  readonly verdict: string;
  readonly notes: readonly string[];
  /** Name of the intervals of the means, such as "95 % interval". */
  readonly interval: string;
  readonly rows: readonly ReplicatedMethodRow[];
  /** Figures of the differences to the best other method, and of the means. */
  readonly figures: readonly Figure[];
  /** Values by method, then by replication. */
  readonly values: readonly (readonly number[])[];
  /** Command line `gridalloc compare ... --json`. */
  readonly command: string;
}

/** File for the user to save. */
export interface ExportedFile {
  readonly name: string;
  readonly type: string;
  readonly text: string;
}

/** Requests to the worker, with the types of their arguments and replies. */
export interface WorkerRequests {
  start: { ask: { release: ArrayBuffer; explaining: ArrayBuffer }; answer: ExplorerCatalogue };
  log: { ask: { name: string; bytes: ArrayBuffer } | null; answer: null };
  code: { ask: CodeFileText; answer: null };
  /**
   * `run` simulates the first method of a setup; `others`, sent once the page has drawn it, simulates the
   * rest.
   */
  run: { ask: ExplorerSetup; answer: SimulatedSetupOutcome };
  others: { ask: null; answer: readonly FinishedRunData[] };
  story: { ask: { run: number; job: number }; answer: JobExplanationTexts };
  choices: { ask: { run: number; time: number }; answer: PolicyDecisions };
  span: { ask: { run: number; from: number; to: number }; answer: TimeSpanMetrics };
  /** Groups the jobs by class, with their waits under some runs. */
  classes: { ask: { runs: readonly number[]; by: ClassAttribute | undefined }; answer: JobClassTable };
  /**
   * Simulates a what-if: from a time (seconds) with another policy, discipline or order; from the beginning,
   * if the time is undefined, with any other options.
   */
  whatIf: { ask: { run: number; time: number | undefined; change: OptionStrings }; answer: FinishedRunData };
  /** Simulates a run from the beginning with other options and returns only its mean wait in seconds. */
  waitIf: { ask: { run: number; change: OptionStrings }; answer: number };
  replicate: { ask: { setup: ExplorerSetup; replication: number }; answer: number[][] };
  /** `within` is the equivalence margin as a share of the best mean; undefined for the default. */
  judge: {
    ask: { setup: ExplorerSetup; values: number[][][]; metric: string; within: number | undefined };
    answer: ReplicatedMethodComparison;
  };
  export: {
    ask: { run: number; content: 'csv' | 'study'; from: number; to: number; replications: number };
    answer: ExportedFile;
  };
}

export type WorkerRequestKind = keyof WorkerRequests;

/** Request with a number that its reply repeats. */
export interface WorkerRequest<K extends WorkerRequestKind = WorkerRequestKind> {
  readonly id: number;
  readonly kind: K;
  readonly ask: WorkerRequests[K]['ask'];
}

/** Reply, or an error sentence; `isInput` if the user's input is wrong. */
export type WorkerReply =
  | { readonly id: number; readonly answer: unknown }
  | { readonly id: number; readonly fault: string; readonly isInput: boolean };
