/** What the page and its worker say to each other: plain data alone. */

import type { Figure, FigurePoint } from '../../host/draw/figureModel.js';
import type { Steps } from '../../host/draw/timeline.js';
import type { NumberFormat } from '../../host/format/numbers.js';
import type { Texts } from '../../host/options/options.js';
import type { Classing } from '../../host/simulate/jobMetrics.js';
import type { NumberNames } from '../../host/trace/trace.js';

export type { Texts };

/** A file with a function of the user's, which runs only once the user has said so. */
export interface CodeText {
  readonly name: string;
  readonly text: string;
}

/** What is simulated: options that all methods share, the workload among them, and those of each method; the default methods where none are named. */
export interface Setup {
  readonly options: Texts;
  readonly methods: readonly Texts[];
}

/** An option as a form shows it. */
export interface OptionForm {
  readonly name: string;
  readonly help: string;
  readonly heading: string;
  readonly choices: readonly string[];
  readonly isOpen: boolean;
  readonly isSwitch: boolean;
  /** Its default, in words; empty where that depends on the log or the grid. */
  readonly usual: string;
}

/** What there is to choose from, as the library declares it. */
export interface Catalogue {
  readonly headings: readonly string[];
  readonly options: readonly OptionForm[];
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
  /** The one of them that counts where none is named. */
  readonly usualMetric: string;
}

/** The jobs that all runs have in common; times are seconds on the clock of the log. */
export interface JobColumns {
  readonly count: number;
  /** As in jobs.csv. */
  readonly names: readonly string[];
  readonly submit: Float64Array;
  readonly requested: Int32Array;
  /** Site, numbered from 0. */
  readonly home: Int32Array;
  /** As the log has them; absent where they are not known. */
  readonly user?: Float64Array;
  readonly queue?: Float64Array;
  /** What their numbers are called; absent where they have no names. */
  readonly called?: NumberNames;
  /** Whether jobs have homes of their own. */
  readonly hasHomes: boolean;
}

/** Blocks of neighbouring processors that are held for a while, by their start. */
export interface Blocks {
  readonly job: Int32Array;
  readonly site: Int32Array;
  readonly start: Float64Array;
  readonly end: Float64Array;
  /** First processor and the one behind the last, numbered through the grid from 0. */
  readonly first: Int32Array;
  readonly after: Int32Array;
  /** 1 where the run was stopped. */
  readonly stopped: Uint8Array;
}

/** A metric of a run as it is shown. */
export interface MetricRow {
  readonly name: string;
  readonly label: string;
  readonly remark: string;
  readonly unit: string;
  readonly value: number;
  readonly format: NumberFormat;
  readonly better: 'less' | 'more' | '';
}

/** A finished run. */
export interface RunData {
  /** By which later requests name it. */
  readonly id: number;
  readonly label: string;
  /** The grid that it ran on. */
  readonly capacities: readonly number[];
  readonly speeds: readonly number[];
  readonly start: Float64Array;
  readonly execution: Float64Array;
  readonly site: Int32Array;
  readonly held: Int32Array;
  /** When each job was to start by the reservation of its submit; absent where reservations are not kept. */
  readonly promised?: Float64Array;
  readonly isConservative: boolean;
  readonly blocks: Blocks;
  readonly waiting: Steps;
  readonly busy: Steps;
  readonly metrics: readonly MetricRow[];
  readonly waits: readonly FigurePoint[];
  readonly slowdowns: readonly FigurePoint[];
  /** Why no policy chooses here; empty where one does. */
  readonly noChoice: string;
  /** The time from which it goes its own way, where it is a fork. */
  readonly forkedAt?: number;
}

/** Everything of a setup that has been simulated. */
export interface Outcome {
  /** What has been simulated; where no methods were named, with those that took their place. */
  readonly setup: Setup;
  readonly source: string;
  readonly jobs: JobColumns;
  readonly capacities: readonly number[];
  readonly speeds: readonly number[];
  /** Seconds since 1970 of time 0; absent where no date belongs to it. */
  readonly unixStartTime?: number;
  /** What a reader should know, in sentences. */
  readonly remarks: readonly string[];
  readonly runs: readonly RunData[];
  /** `gridalloc simulate ... --json` of each method. */
  readonly commands: readonly string[];
  /** `gridalloc compare ... --json` of all of them; absent where there is one. */
  readonly comparison?: string;
}

/** What happened to a job and why, in sentences. */
export interface Story {
  readonly headline: string;
  readonly rules: string;
  readonly waits: readonly {
    readonly summary: string;
    readonly events: readonly { readonly time: number; readonly text: string }[];
    readonly decision: string;
  }[];
}

/** What a policy does with the next job, from the same state. */
export interface Choice {
  readonly policy: string;
  readonly what: string;
  readonly why: string;
}

/** What the policies would choose. */
export interface Choices {
  readonly job: string;
  readonly time: number;
  readonly choices: readonly Choice[];
  /** Why there is nothing to choose; empty where there is. */
  readonly none: string;
}

/** What a span of time was under a run; times are seconds. */
export interface SpanAnswer {
  /** Jobs submitted in it, and those of them that did not wait. */
  readonly jobs: number;
  readonly atOnce: number;
  /** Of these jobs. */
  readonly meanWait: number;
  readonly longestWait: number;
  readonly slowdown: number;
  /** Of all processors, and of waiting jobs, on average over the span. */
  readonly utilization: number;
  readonly waiting: number;
  /** Shares of the job-seconds of waiting in which a site had as many processors free as the job requests, and in which none had. */
  readonly withRoom: number;
  readonly withoutRoom: number;
  /** Who held most, with the share of all that was held. */
  readonly holders: readonly { readonly name: string; readonly share: number }[];
}

/** The jobs of one user, group or other class, and their waits in seconds under each of the runs that were asked about. */
export interface ClassRow {
  readonly name: string;
  /** Places of its jobs. */
  readonly jobs: Int32Array;
  readonly waits: readonly { readonly mean: number; readonly p95: number }[];
}

/** The jobs class by class. */
export interface Classes {
  /** By what these jobs can be classed. */
  readonly kinds: readonly Classing[];
  readonly by: Classing;
  readonly rows: readonly ClassRow[];
}

/** A method over replications. */
export interface ReplicatedRow {
  readonly label: string;
  readonly mean: number;
  readonly low: number;
  readonly high: number;
  /** Bounds of the difference to the best of the others, in words; empty where nothing is judged, as is the verdict. */
  readonly behind: string;
  readonly bestIn: number;
  /** Whether its mean is the best. */
  readonly verdict: string;
}

/** A comparison over replications by one metric. */
export interface Replicated {
  readonly metric: string;
  readonly unit: string;
  readonly format: NumberFormat;
  /** By which share of the best mean methods count as equally good. */
  readonly within: number;
  /** What follows, and what else to know about it, in sentences. */
  readonly verdict: string;
  readonly notes: readonly string[];
  /** What the intervals of means are called. */
  readonly interval: string;
  readonly rows: readonly ReplicatedRow[];
  /** How far the methods are behind the best of the others, and their means. */
  readonly figures: readonly Figure[];
  /** By method, then by replication. */
  readonly values: readonly (readonly number[])[];
  /** `gridalloc compare ... --json`. */
  readonly command: string;
}

/** A file to be saved. */
export interface Exported {
  readonly name: string;
  readonly type: string;
  readonly text: string;
}

/** What can be asked of a worker, and what it answers. */
export interface Requests {
  start: { ask: { release: ArrayBuffer; explaining: ArrayBuffer }; answer: Catalogue };
  log: { ask: { name: string; bytes: ArrayBuffer } | null; answer: null };
  code: { ask: CodeText; answer: null };
  /** What the first method of a setup came to; then, when the page is ready for them, the runs of the others. */
  run: { ask: Setup; answer: Outcome };
  others: { ask: null; answer: readonly RunData[] };
  story: { ask: { run: number; job: number }; answer: Story };
  choices: { ask: { run: number; time: number }; answer: Choices };
  span: { ask: { run: number; from: number; to: number }; answer: SpanAnswer };
  /** Who waits under some runs of the same jobs. */
  classes: { ask: { runs: readonly number[]; by: Classing | undefined }; answer: Classes };
  /** From a time on under another policy, discipline or order; without a time, from the beginning with any other options. */
  whatIf: { ask: { run: number; time: number | undefined; change: Texts }; answer: RunData };
  /** The mean wait of a run in seconds, were it run from the beginning with other options. */
  waitIf: { ask: { run: number; change: Texts }; answer: number };
  replicate: { ask: { setup: Setup; replication: number }; answer: number[][] };
  /** `within`: the share by which methods count as equally good; undefined for the default one. */
  judge: {
    ask: { setup: Setup; values: number[][][]; metric: string; within: number | undefined };
    answer: Replicated;
  };
  export: {
    ask: { run: number; what: 'csv' | 'study'; from: number; to: number; replications: number };
    answer: Exported;
  };
}

export type Kind = keyof Requests;

/** A request with its number, by which the answer is known. */
export interface Request<K extends Kind = Kind> {
  readonly id: number;
  readonly kind: K;
  readonly ask: Requests[K]['ask'];
}

/** An answer, or the sentence of what was wrong; `isInput` where what was given is at fault. */
export type Reply =
  | { readonly id: number; readonly answer: unknown }
  | { readonly id: number; readonly fault: string; readonly isInput: boolean };
