/** Replays a finished simulation start by start, with the free processors at each start. */

import type { Configuration } from '../../host/options/configuration.js';
import { listSitesAllowedByPartition } from '../../host/simulate/partitionSets.js';
import type { Workload } from '../../host/workload/workload.js';
import { computeLengthOfRun, type SimulatedRun, sumOfNumbers } from './runOffences.js';

/**
 * Replays a schedule event by event to find starts that break the rules, although the order of events within
 * an instant is not recorded. The head of a queue starts in the first pass with enough free processors;
 * submissions precede ends, and ends follow the job index, so a start comes directly after the first end that
 * frees enough processors. Without preemption this holds for one queue and for several.
 */
class ScheduleRuleReplay {
  readonly #workload: Workload;
  readonly #configuration: Configuration;
  readonly #runs: readonly SimulatedRun[];
  readonly #byEnd: readonly SimulatedRun[];
  readonly #begun: Uint8Array;
  readonly #over: Uint8Array;
  /** Number of runs of `#byEnd`, from the first, that have ended. */
  #firstLeft = 0;
  readonly #free: number[];
  readonly #waiting: Set<number>[];
  #submitted = 0;
  #lastStart = Number.NEGATIVE_INFINITY;
  #lastFinish = Number.NEGATIVE_INFINITY;
  readonly offences: string[] = [];

  constructor(runs: readonly SimulatedRun[], workload: Workload, configuration: Configuration) {
    const { capacities } = configuration.grid;
    this.#workload = workload;
    this.#configuration = configuration;
    this.#runs = runs;
    this.#byEnd = [...runs].sort((a, b) => a.end - b.end || a.job - b.job);
    this.#begun = new Uint8Array(workload.count);
    this.#over = new Uint8Array(workload.count);
    this.#free = [...capacities];
    this.#waiting = capacities.map(() => new Set());
  }

  run(): string[] {
    for (const run of this.#runs) {
      if (run.start < this.#lastStart) this.#offend(run, 'starts before one that started earlier');
      this.#advance(run);
      this.#checkOrder(run);
      this.#checkPlace(run);
      this.#checkLength(run);
      this.#begin(run);
    }
    if (sumOfNumbers([...this.#begun]) !== this.#workload.count) this.offences.push('a job never starts');
    return this.offences;
  }

  #offend(run: SimulatedRun, offenceText: string): void {
    this.offences.push(`job ${run.job} ${offenceText}`);
  }

  /** Advances to the pass in which a run begins. */
  #advance({ job, start }: SimulatedRun): void {
    while (this.#finishNext((end) => end < start));
    this.#submit((otherRun, time) => time < start || (time === start && otherRun <= job));
    const isFirst = this.#lastStart < start && this.#lastFinish < start;
    if (isFirst && this.#workload.submit[job] < start && this.#hasRoom(job)) {
      this.offences.push(`job ${job} starts at ${start}, not when there first was room`);
    }
    while (!this.#hasRoom(job) && this.#finishNext((end) => end === start)) {
      this.#submit((_, time) => time <= start);
    }
  }

  /** Ends the next run if its end is due; returns true if one has ended. */
  #finishNext(isDue: (end: number) => boolean): boolean {
    while (this.#firstLeft < this.#byEnd.length && this.#over[this.#byEnd[this.#firstLeft].job] === 1) {
      this.#firstLeft++;
    }
    for (
      let queueIndex = this.#firstLeft;
      queueIndex < this.#byEnd.length && isDue(this.#byEnd[queueIndex].end);
      queueIndex++
    ) {
      const { job, end, parts } = this.#byEnd[queueIndex];
      // A job of length 0 can end only after its start in the same instant.
      if (this.#over[job] === 1 || this.#begun[job] === 0) continue;
      for (const { site, processors } of parts) this.#free[site] += processors;
      this.#over[job] = 1;
      this.#lastFinish = end;
      return true;
    }
    return false;
  }

  /** Adds the jobs that satisfy a condition to their queues, in order of submission. */
  #submit(isDue: (job: number, time: number) => boolean): void {
    const { submit, count: jobCount } = this.#workload;
    for (; this.#submitted < jobCount && isDue(this.#submitted, submit[this.#submitted]); this.#submitted++) {
      this.#waiting[this.#queueOf(this.#submitted)].add(this.#submitted);
    }
  }

  #queueOf(job: number): number {
    return this.#configuration.queue === 'shared' ? 0 : this.#workload.home[job];
  }

  /** True if a job may use this site: it is fast enough and, with independent queues, the job's home. */
  #isCandidate(job: number, site: number): boolean {
    const { grid, minSpeedRatio, queue } = this.#configuration;
    const home = this.#workload.home[job];
    if (!(listSitesAllowedByPartition(this.#configuration, this.#workload, job)?.includes(site) ?? true))
      return false;
    return (
      grid.speeds[site] >= minSpeedRatio * grid.speeds[home] && (queue !== 'independent' || site === home)
    );
  }

  #hasRoomOnOneSite(job: number): boolean {
    const requestedProcessors = this.#workload.processors[job];
    return this.#free.some(
      (freeProcessors, site) => freeProcessors >= requestedProcessors && this.#isCandidate(job, site),
    );
  }

  #hasRoom(job: number): boolean {
    if (this.#hasRoomOnOneSite(job)) return true;
    if (this.#configuration.multiSite === 'none') return false;
    return sumOfNumbers(this.#free) >= this.#workload.processors[job];
  }

  /** Reports an offence if a job with a smaller key waited in the same queue. */
  #checkOrder(run: SimulatedRun): void {
    const queue = this.#waiting[this.#queueOf(run.job)];
    if (!queue.has(run.job)) this.#offend(run, 'starts without waiting');
    const { processors } = this.#workload;
    const isNarrowestFirst = this.#configuration.discipline === 'njf';
    const isBefore = (a: number, b: number) =>
      (isNarrowestFirst && processors[a] !== processors[b] ? processors[a] - processors[b] : a - b) < 0;
    for (const queuedJob of queue) {
      if (isBefore(queuedJob, run.job)) this.#offend(run, `starts before job ${queuedJob} of its queue`);
      // In order of submission, the first job of the set has the smallest key.
      if (!isNarrowestFirst) break;
    }
  }

  /**
   * Reports an offence unless the job runs on one permitted site with enough free processors, or,
   * if there is none, is split over all free processors.
   */
  #checkPlace(run: SimulatedRun): void {
    const { job, parts } = run;
    if (parts.some(({ site, processors }) => this.#free[site] < processors)) this.#offend(run, 'has no room');
    if (!run.split) {
      if (parts.length !== 1 || !this.#isCandidate(job, parts[0].site)) this.#offend(run, 'is misplaced');
      return;
    }
    if (this.#hasRoomOnOneSite(job)) this.#offend(run, 'is split though a site has room for it');
    if (new Set(parts.map(({ site }) => site)).size < parts.length) {
      this.#offend(run, 'has two parts on one site');
    }
    if (parts.slice(0, -1).some(({ site, processors }) => this.#free[site] !== processors)) {
      this.#offend(run, 'leaves processors of a site free before it takes the next');
    }
  }

  #checkLength(run: SimulatedRun): void {
    const length = computeLengthOfRun(run, this.#workload, this.#configuration);
    if (run.end !== run.start + length) this.#offend(run, `does not run for ${length} s`);
  }

  #begin(run: SimulatedRun): void {
    if (this.#begun[run.job] === 1) this.#offend(run, 'starts twice');
    for (const { site, processors } of run.parts) this.#free[site] -= processors;
    this.#begun[run.job] = 1;
    this.#lastStart = run.start;
    this.#waiting[this.#queueOf(run.job)].delete(run.job);
  }
}

/**
 * Checks a schedule without preemption against the rules: each job starts as soon as it is first of
 * its queue (FCFS or narrowest first) and enough processors are free; it is split only if no
 * permitted site fits it; its execution time follows from its work. Returns descriptions of
 * offences. `runs` are in order of start.
 */
export function findRuleViolations(
  runs: readonly SimulatedRun[],
  workload: Workload,
  configuration: Configuration,
): string[] {
  return new ScheduleRuleReplay(runs, workload, configuration).run();
}
