/** What docs/abi.md says of columns and options, for hosts in JavaScript; `npm run generate` writes it from the core. */

/** What stands in the columns of a job table. */
export const JOB_COLUMNS = {
  Submit: 'f64',
  Runtime: 'f64',
  Processors: 'i32',
  Home: 'i32',
  Demand: 'f64',
  Estimate: 'f64',
  Data: 'f64',
  User: 'i32',
  Preceding: 'i32',
  ThinkTime: 'f64',
  FirstPiece: 'i32',
} as const;

/** Which of them a table has only on request. */
export const EXTRAS = {
  Data: ['Data'],
  Users: ['User'],
  Dependencies: ['Preceding', 'ThinkTime', 'FirstPiece'],
} as const;

/** What stands in those of a simulation, how many numbers in an entry, and what says how many entries. */
export const COLUMNS = {
  Capacity: ['i32', 1, 'Sites'],
  Speed: ['f64', 1, 'Sites'],
  Load: ['f64', 1, 'Sites'],
  Start: ['f64', 1, 'Jobs'],
  Execution: ['f64', 1, 'Jobs'],
  Site: ['i32', 1, 'Jobs'],
  LogIndex: ['i32', 1, 'Jobs'],
  Log: ['i32', 2, 'LogLength'],
  SiteBusy: ['f64', 1, 'Sites'],
  SiteJobs: ['f64', 1, 'Sites'],
  HomeResponse: ['f64', 1, 'Sites'],
  HomeJobs: ['f64', 1, 'Sites'],
  Metric: ['f64', 1, 'Metric'],
  PartIndex: ['i32', 1, 'Jobs'],
  Parts: ['i32', 2, 'PartsLength'],
  LostTime: ['f64', 1, 'Jobs'],
  Held: ['i32', 1, 'Jobs'],
  TimeFactor: ['f64', 1, 'Sites'],
  Bandwidth: ['f64', 1, 'Sites × Sites'],
  Latency: ['f64', 1, 'Sites × Sites'],
  StopJob: ['i32', 1, 'StopsLength'],
  StopSite: ['i32', 1, 'StopsLength'],
  StopStart: ['f64', 1, 'StopsLength'],
  StopEnd: ['f64', 1, 'StopsLength'],
  StopLogIndex: ['i32', 1, 'StopsLength'],
  Key: ['f64', 1, 'Jobs'],
  Decision: ['f64', 1, 'Decision'],
  Slot: ['i32', 2, 'Sites'],
  SlotOfSite: ['i32', 1, 'Sites'],
  Policies: ['f64', 5, 'Policies'],
  Estimate: ['f64', 1, 'Jobs'],
  Choice: ['i32', 1, 'Trials'],
  GivenChoice: ['i32', 1, 'Choices'],
  Score: ['f64', 1, 'Policies'],
  Prospect: ['f64', 1, 'Policies'],
  TimesChosen: ['f64', 1, 'Policies'],
  BackfillKey: ['f64', 1, 'Jobs'],
  Submit: ['f64', 1, 'Jobs'],
  CandidateRules: ['f64', 3, 'Policies'],
} as const;

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
} as const;
