/** Follows a simulation event by event: its state at pauses, and every run of every job. */

import { type Core, openCore } from '../../host/core/module.js';
import type { Configuration } from '../../host/options/configuration.js';
import { putJobTableAtMemoryStart } from '../../host/simulate/layout.js';
import { Simulator } from '../../host/simulate/simulator.js';
import type { Workload } from '../../host/workload/workload.js';
import type { SimulatedRun, SimulationPause } from './runOffences.js';

/** A simulator with direct access to the columns of its core. */
class WatchedSimulator {
  readonly simulator: Simulator;
  readonly #core: Core;
  readonly #simulation: number;

  constructor(workload: Workload, configuration: Configuration) {
    const table = putJobTableAtMemoryStart(openCore(), workload);
    this.#core = table.core;
    this.#simulation = table.simulation;
    this.simulator = new Simulator(workload, table);
    this.simulator.begin(configuration);
  }

  /** Handles all events up to and including a time, and returns the state. */
  runUntilPause(time: number): SimulationPause {
    this.simulator.runUntil(time);
    const { running, waiting } = this.simulator.progress;
    return { time, running, waiting, free: this.scalar('FreeProcessors') };
  }

  scalar(scalarName: keyof Core['Scalar']): number {
    return this.#core.scalar(this.#simulation, this.#core.Scalar[scalarName]);
  }

  /** A column of the core; the view is valid until the simulation continues. */
  doubles(columnName: 'Start' | 'Execution' | 'LostTime'): Float64Array {
    return new Float64Array(
      this.#core.memory.buffer,
      this.#address(columnName),
      this.simulator.workload.count,
    );
  }

  readIntegerColumn(columnName: 'Site' | 'LogIndex' | 'Log'): Int32Array {
    const entryCount = columnName === 'Log' ? 2 * this.scalar('LogLength') : this.simulator.workload.count;
    return new Int32Array(this.#core.memory.buffer, this.#address(columnName), entryCount);
  }

  #address(name: keyof Core['Column']): number {
    return this.#core.columnAddress(this.#simulation, this.#core.Column[name]) >>> 0;
  }
}

/** States of a simulation at pauses, for times in ascending order. */
export function recordStatesAtPauses(
  pauseTimes: readonly number[],
  workload: Workload,
  configuration: Configuration,
): SimulationPause[] {
  const watchedSimulator = new WatchedSimulator(workload, configuration);
  return pauseTimes.map((time) => watchedSimulator.runUntilPause(time));
}

/** A run whose end may not be known yet. */
type UnfinishedRun = { -readonly [Field in keyof SimulatedRun]: SimulatedRun[Field] };

/**
 * Follows a simulation with preemption. Every start appends to the log of processors, which reveals
 * new starts; a preemption increases the job's lost time. A job preempted in the instant of its
 * start loses no time: it is noticed when it starts again, or, if it does so in the same instant,
 * as a gap in the log.
 */
class PreemptionRecorder {
  readonly runs: UnfinishedRun[] = [];
  readonly pauses: SimulationPause[] = [];
  readonly offences: string[] = [];
  readonly uncountedStops = { atLeast: 0, atMost: 0 };
  readonly #watched: WatchedSimulator;
  readonly #workload: Workload;
  /** Last run of each job that waits or runs; undefined before its first run. */
  readonly #live = new Map<number, UnfinishedRun | undefined>();
  /**
   * Runs that may have been preempted in the instant of their start, since a home job started on their site
   * then.
   */
  readonly #inDoubt = new Set<SimulatedRun>();
  readonly #lost: Float64Array;
  #submitted = 0;

  constructor(watchedSimulator: WatchedSimulator) {
    this.#watched = watchedSimulator;
    this.#workload = watchedSimulator.simulator.workload;
    this.#lost = new Float64Array(this.#workload.count);
  }

  followLogEntries(): void {
    for (let time = this.#nextTime(); time < Number.POSITIVE_INFINITY; time = this.#nextTime()) {
      const logLength = this.#watched.scalar('LogLength');
      this.pauses.push(this.#watched.runUntilPause(time));
      const { submit, count: jobCount } = this.#workload;
      while (this.#submitted < jobCount && submit[this.#submitted] <= time) {
        this.#live.set(this.#submitted++, undefined);
      }
      // The job that preempts another starts in its place.
      if (this.#watched.scalar('LogLength') > logLength) this.#lookAtLive(time, logLength);
      for (const [job, run] of this.#live) {
        const hasRunEnded = run !== undefined && !run.stopped && run.end <= time;
        if (hasRunEnded && !this.#inDoubt.has(run)) this.#live.delete(job);
      }
    }
  }

  #nextTime(): number {
    const lastPauseTime = this.pauses.at(-1)?.time ?? 0;
    let nextSubmitTime =
      this.#submitted < this.#workload.count ? this.#workload.submit[this.#submitted] : Infinity;
    for (const run of this.#live.values()) {
      if (run !== undefined && !run.stopped && run.end > lastPauseTime && run.end < nextSubmitTime)
        nextSubmitTime = run.end;
    }
    return nextSubmitTime;
  }

  #lookAtLive(time: number, logLength: number): void {
    const [start, lostColumn, logIndices] = [
      this.#watched.doubles('Start'),
      this.#watched.doubles('LostTime'),
      this.#watched.readIntegerColumn('LogIndex'),
    ];
    const jobsBegunNow: number[] = [];
    for (const [job, run] of this.#live) {
      if (run !== undefined && !run.stopped && lostColumn[job] > this.#lost[job])
        this.#stop(run, time, lostColumn[job]);
      if (start[job] === time && logIndices[job] >= logLength) jobsBegunNow.push(job);
    }
    jobsBegunNow.sort((a, b) => logIndices[a] - logIndices[b]);
    this.#begin(jobsBegunNow, time, logLength);
  }

  #stop(run: UnfinishedRun, time: number, lostTime: number): void {
    const { job } = run;
    if (lostTime - this.#lost[job] !== time - run.start)
      this.offences.push(`job ${job} lost ${lostTime} s in all`);
    this.#lost[job] = lostTime;
    run.end = time;
    run.stopped = true;
  }

  /** Jobs begin in the order of the log. Gaps between them are runs that were preempted at once. */
  #begin(jobs: readonly number[], time: number, previousLogLength: number): void {
    const [execution, site, logIndices, log] = [
      this.#watched.doubles('Execution'),
      this.#watched.readIntegerColumn('Site'),
      this.#watched.readIntegerColumn('LogIndex'),
      this.#watched.readIntegerColumn('Log'),
    ];
    const { home, processors: requestedProcessors } = this.#workload;
    let logEntry = previousLogLength;
    for (const job of jobs) {
      this.#passOver(logIndices[job] - logEntry);
      const processors: number[] = [];
      for (logEntry = logIndices[job]; processors.length < requestedProcessors[job]; logEntry++) {
        for (let site = log[2 * logEntry]; site <= log[2 * logEntry + 1]; site++) processors.push(site);
      }
      const previousRun = this.#live.get(job);
      if (previousRun?.stopped === false) {
        // The job waits again although it lost no time, so it was preempted at once.
        previousRun.end = previousRun.start;
        previousRun.stopped = true;
      }
      const startedRun: UnfinishedRun = {
        job,
        start: time,
        end: time + execution[job],
        stopped: false,
        split: false,
        parts: [{ site: site[job], processors: requestedProcessors[job] }],
        processors,
      };
      const isRunOfOtherHome = home[job] !== site[job];
      if (isRunOfOtherHome && jobs.some((otherJob) => home[otherJob] === site[job]))
        this.#inDoubt.add(startedRun);
      this.runs.push(startedRun);
      this.#live.set(job, startedRun);
    }
    this.#passOver(log.length / 2 - logEntry);
  }

  /**
   * Counts log entries that belong to no observed run and so show runs preempted at once; each run has at
   * least one entry.
   */
  #passOver(pairCount: number): void {
    if (pairCount < 0) this.offences.push('a run has processors of another in the log');
    if (pairCount > 0) this.uncountedStops.atLeast++;
    this.uncountedStops.atMost += pairCount;
  }
}

/** Observations of a complete simulation with preemption. */
export interface PreemptionObservations {
  readonly simulator: Simulator;
  /** Runs in order of start. */
  readonly runs: readonly SimulatedRun[];
  /** State of the run at each of its pauses, one at every instant with an event. */
  readonly pauses: readonly SimulationPause[];
  /**
   * Bounds on the number of runs that were preempted in the instant of their start, with a restart
   * in the same instant.
   */
  readonly unseen: { readonly atLeast: number; readonly atMost: number };
  /** Seconds that each job ran in vain, as summed by the core. */
  readonly lostTime: Float64Array;
  /** Contradictions between the observations. */
  readonly offences: readonly string[];
}

/**
 * Follows a simulation with preemption to its end. Processors must be tracked, and no job may be
 * split.
 */
export function observePreemptions(workload: Workload, configuration: Configuration): PreemptionObservations {
  const watchedSimulator = new WatchedSimulator(workload, configuration);
  const preemptionRecorder = new PreemptionRecorder(watchedSimulator);
  preemptionRecorder.followLogEntries();
  const { simulator } = watchedSimulator;
  simulator.run();
  const { runs, pauses, uncountedStops: unseen, offences } = preemptionRecorder;
  return {
    simulator,
    runs,
    pauses,
    lostTime: watchedSimulator.doubles('LostTime').slice(),
    unseen,
    offences,
  };
}
