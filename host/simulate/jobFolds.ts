/** Values over all jobs of a run that the host computes, from all jobs at once or from one part after the other. */
import type { Core } from '../core/module.js';
import { ExactSum } from '../math/exactSum.js';
import type { Configuration } from '../options/configuration.js';
import type { Workload } from '../workload/workload.js';
import type { JobColumns } from './layout.js';
import type { Schedule } from './schedule.js';

/** Jobs of a finished run, or a part of them, with their results. Times are in seconds. */
export interface JobsOfRun {
  readonly workload: Workload;
  readonly configuration: Configuration;
  /** Jobs in submit order. */
  jobColumns(): JobColumns;
  /** Submit times in the simulation. */
  submitTimes(): Float64Array;
  /** Results by job; `held` is empty unless jobs are moldable. */
  outcomes(): Pick<Schedule, 'submit' | 'start' | 'execution' | 'held'>;
  /** Estimates that the run has computed; undefined if it has not. */
  estimates(): Float64Array | undefined;
  /** Promised starts; undefined unless reservations are kept. */
  promises(): Float64Array | undefined;
  /** Indices of the jobs that outages have ended. */
  endedByOutages(): Int32Array;
}

/** A value over jobs: the exactly rounded sum, the mean (0 without terms) or the maximum (at least 0) of terms. */
export interface JobFold {
  readonly by: 'sum' | 'mean' | 'maximum';
  /** Terms of jobs, which may be all jobs of a run or a part of them. */
  readonly computeTerms: (jobsOfRun: JobsOfRun) => Float64Array;
}

/** Collects the terms of a fold. */
export class JobFoldResult {
  readonly #fold: JobFold;
  #sum = new ExactSum();
  #count = 0;
  #maximum = 0;

  constructor(fold: JobFold) {
    this.#fold = fold;
  }

  /** Copies the sum or extreme so far; jobs added to the copy leave the original unchanged. */
  copy(): JobFoldResult {
    const foldCopy = new JobFoldResult(this.#fold);
    foldCopy.#sum = this.#sum.copy();
    foldCopy.#count = this.#count;
    foldCopy.#maximum = this.#maximum;
    return foldCopy;
  }

  /** Adds the terms of jobs. */
  add(jobsOfRun: JobsOfRun): void {
    const terms = this.#fold.computeTerms(jobsOfRun);
    if (this.#fold.by === 'maximum') {
      this.#maximum = terms.reduce((most, term) => Math.max(most, term), this.#maximum);
    } else this.#sum.add(terms);
    this.#count += terms.length;
  }

  get value(): number {
    if (this.#fold.by === 'maximum') return this.#maximum;
    const sum = this.#sum.value;
    if (this.#fold.by === 'sum') return sum;
    return this.#count > 0 ? sum / this.#count : 0;
  }
}

/** Value of a fold over all jobs of a run. */
export function foldJobs(fold: JobFold, jobsOfRun: JobsOfRun): number {
  const foldResult = new JobFoldResult(fold);
  foldResult.add(jobsOfRun);
  return foldResult.value;
}

/** A finished run whose metrics can be read. */
export interface MeasuredRun {
  readonly workload: Pick<Workload, 'name' | 'accounting'>;
  readonly configuration: Configuration;
  /** Metric that the core has computed. */
  metric(metricName: keyof Core['Metric']): number;
  /** Column with one value per site. */
  perSite(columnName: 'SiteBusy' | 'SiteJobs' | 'HomeResponse' | 'HomeJobs'): Float64Array;
  /** Processor-seconds lost to outages by site; undefined without outages. */
  outageSeconds(): Float64Array | undefined;
  /** Value of a fold over all jobs. */
  fold(fold: JobFold): number;
  /** Total work of the jobs (`totalWork`). */
  work(): number;
  /** Seconds from the first to the last submission in the log. */
  readonly submitSpan: number;
  readonly speedHeterogeneity: number;
  readonly movedReservations: number;
  /** Number of trials of candidates, of switches between them, or of jobs started in trials. */
  choosing(scalarName: 'Trials' | 'Switches' | 'TriedJobs'): number;
  /** Number of trials after which each candidate of the policy was in force. */
  timesChosen(): Float64Array;
}
