/** How much of the work was shared. */
export interface Sharing {
  /** Simulations that were asked for. */
  readonly runs: number;
  /** How often a simulation parted in two because decisions differed, and how often two became one again. */
  readonly forks: number;
  readonly joins: number;
  /** Jobs that were simulated; without sharing so many as the workload has for each run. */
  readonly jobs: number;
}
