/**
 * The columns of a log: SWF 2.2 (Standard Workload Format) has 18 numeric fields per job,
 * in this order; -1 means unknown.
 */
export const SWF_FIELDS = [
  'job',
  'submit',
  'wait',
  'runtime',
  'processors',
  'averageCpuTime',
  'usedMemory',
  'requestedProcessors',
  'requestedTime',
  'requestedMemory',
  'status',
  'user',
  'group',
  'executable',
  'queue',
  'partition',
  'precedingJob',
  'thinkTime',
] as const;

/** A field of a record, by name. */
export type SwfField = (typeof SWF_FIELDS)[number];

/** The `;` lines at the top of a log. */
export interface TraceHeader {
  /** Comment lines as they stood in the file, without line ends, in order. */
  readonly lines: readonly string[];
  /** `; Key: value` entries whose key occurs once or first, by key (for instance MaxProcs, Computer). */
  readonly entries: ReadonlyMap<string, string>;
  /** Names from `; Queue: number name`. */
  readonly queues: ReadonlyMap<number, string>;
  /** MaxProcs, or MaxNodes where MaxProcs is absent; undefined when neither is a positive whole number. */
  readonly maxProcessors: number | undefined;
  /** UnixStartTime: seconds from 1970 to the zero of the submit times; undefined when it is not a positive number. */
  readonly unixStartTime: number | undefined;
}

/** Records that were left out when a log was read, by one rule. */
export interface LeftOut {
  /** Why they were left out. */
  readonly rule: string;
  /** How many there were. */
  readonly count: number;
  /** Where the first few stand, such as `line 7`, with the file if there are several. */
  readonly places: readonly string[];
  /** What the first of them is. */
  readonly example: string;
}

/** Records in file order; every column has `count` entries. */
export interface Trace {
  /** What the user named: a path, `-`, or a model with parameters. */
  readonly source: string;
  /** What the lines at the top say. */
  readonly header: TraceHeader;
  /** How many records there are. */
  readonly count: number;
  /** A column for each field of SWF, in seconds where it is a time; -1 means unknown. */
  readonly columns: Readonly<Record<SwfField, Float64Array>>;
  /** Records of the log that are not among these; absent: none. */
  readonly leftOut?: readonly LeftOut[];
}
