/** What docs/abi.md says of columns and options, for hosts in JavaScript; `npm run generate` writes it from the core. */
import type { Core } from './instance.js';

/** What says how many there are of something in a run. */
interface Sized {
  readonly core: Core;
  room(name: keyof Core['Room']): number;
  scalar(name: keyof Core['Scalar']): number;
}

/** What stands in the columns of a job table. */
export const JOB_COLUMNS = {
  Submit: Float64Array,
  Runtime: Float64Array,
  Processors: Int32Array,
  Home: Int32Array,
  Demand: Float64Array,
  Estimate: Float64Array,
  Data: Float64Array,
  User: Int32Array,
  Preceding: Int32Array,
  ThinkTime: Float64Array,
  FirstPiece: Int32Array,
} as const;

/** Which of them a table has only on request. */
export const EXTRAS = {
  Data: ['Data'],
  Users: ['User'],
  Dependencies: ['Preceding', 'ThinkTime', 'FirstPiece'],
} as const;

/** What stands in those of a simulation, and how many numbers. */
export const COLUMNS = {
  Capacity: [Int32Array, (run) => run.room('Sites')],
  Speed: [Float64Array, (run) => run.room('Sites')],
  Load: [Float64Array, (run) => run.room('Sites')],
  Start: [Float64Array, (run) => run.room('Jobs')],
  Execution: [Float64Array, (run) => run.room('Jobs')],
  Site: [Int32Array, (run) => run.room('Jobs')],
  LogIndex: [Int32Array, (run) => run.room('Jobs')],
  Log: [Int32Array, (run) => 2 * run.scalar('LogLength')],
  SiteBusy: [Float64Array, (run) => run.room('Sites')],
  SiteJobs: [Float64Array, (run) => run.room('Sites')],
  HomeResponse: [Float64Array, (run) => run.room('Sites')],
  HomeJobs: [Float64Array, (run) => run.room('Sites')],
  Metric: [Float64Array, ({ core }) => core.Metric.COUNT],
  PartIndex: [Int32Array, (run) => run.room('Jobs')],
  Parts: [Int32Array, (run) => 2 * run.scalar('PartsLength')],
  LostTime: [Float64Array, (run) => run.room('Jobs')],
  Held: [Int32Array, (run) => run.room('Jobs')],
  TimeFactor: [Float64Array, (run) => run.room('Sites')],
  Bandwidth: [Float64Array, (run) => run.room('Sites') * run.room('Sites')],
  Latency: [Float64Array, (run) => run.room('Sites') * run.room('Sites')],
  StopJob: [Int32Array, (run) => run.scalar('StopsLength')],
  StopSite: [Int32Array, (run) => run.scalar('StopsLength')],
  StopStart: [Float64Array, (run) => run.scalar('StopsLength')],
  StopEnd: [Float64Array, (run) => run.scalar('StopsLength')],
  StopLogIndex: [Int32Array, (run) => run.scalar('StopsLength')],
  Key: [Float64Array, (run) => run.room('Jobs')],
  Decision: [Float64Array, ({ core }) => core.Decision.COUNT],
  Slot: [Int32Array, (run) => 2 * run.room('Sites')],
  SlotOfSite: [Int32Array, (run) => run.room('Sites')],
  Policies: [Float64Array, (run) => 5 * run.room('Policies')],
  Estimate: [Float64Array, (run) => run.room('Jobs')],
  Choice: [Int32Array, (run) => run.room('Trials')],
  GivenChoice: [Int32Array, (run) => run.room('Choices')],
  Score: [Float64Array, (run) => run.room('Policies')],
  Prospect: [Float64Array, (run) => run.room('Policies')],
  TimesChosen: [Float64Array, (run) => run.room('Policies')],
  BackfillKey: [Float64Array, (run) => run.room('Jobs')],
  Submit: [Float64Array, (run) => run.room('Jobs')],
  CandidateRules: [Float64Array, (run) => 3 * run.room('Policies')],
  Counted: [Int32Array, (run) => run.room('Jobs')],
  PromisedStart: [Float64Array, (run) => run.room('Jobs')],
} as const satisfies Record<
  string,
  readonly [typeof Float64Array | typeof Int32Array, (run: Sized) => number]
>;

/** The enumerations of options that take a word, and what is added to its value. */
export const OPTION_WORDS = {
  Resolution: ['Resolution', 0],
  Instant: ['Instant', 0],
  Discipline: ['Discipline', 0],
  Topology: ['Topology', 0],
  MultiSite: ['MultiSite', 0],
  Moldable: ['Moldable', 0],
  MoldableFit: ['MoldableFit', 0],
  Selection: ['Selection', 0],
  RuntimeReference: ['RuntimeReference', 0],
  Order: ['Order', 0],
  BackfillOrder: ['Order', 1],
  CandidateRules: ['Discipline', 1],
  Reservations: ['Reservations', 0],
} as const;
