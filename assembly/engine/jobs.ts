import { JobColumn, Status } from '../abi';
import { Jobs } from '../state';
import * as columns from '../columns';
import { at, put } from '../memory';

/**
 * Lays a job table of `count` jobs out at `table`, with a column of bytes to transfer if `hasData` is not 0;
 * `table` 0 only computes its size. Returns its size in bytes.
 */
export function arrangeJobs(table: usize, count: i32, hasData: i32): u32 {
  const bytes = <u32>columns.placeJobs(table, count, hasData);
  if (table === 0) return bytes;
  const jobs = changetype<Jobs>(table);
  jobs.count = count;
  jobs.widest = 0;
  jobs.lastHome = -1;
  jobs.longest = 0;
  jobs.largest = 0;
  jobs.hasData = hasData;
  return bytes;
}

/** Address of a column of a job table; 0 for one that it has not. */
export function jobColumnAddress(table: usize, which: JobColumn): usize {
  return columns.jobColumnAddress(changetype<Jobs>(table), which);
}

/**
 * Checks the columns that the host wrote and derives the rest, after which the table is read-only and may be
 * shared by any number of simulations. `culprit` is an address that receives the index of a refused job
 * (i32).
 */
export function sealJobs(table: usize, culprit: usize): Status {
  const jobs = changetype<Jobs>(table);
  columns.attachJobs(jobs);
  const submit = columns.submits;
  const runtime = columns.runtimes;
  const processors = columns.processors;
  const home = columns.homes;
  const demand = columns.demands;
  const estimate = columns.estimates;
  let earlier: f64 = 0;
  let sum: f64 = 0;
  let widest = 0;
  let lastHome = -1;
  let longest: f64 = 0;
  for (let job = 0; job < jobs.count; job++) {
    const time = at<f64>(submit, job);
    const width = at<i32>(processors, job);
    let status = Status.Finished;
    // Written so that NaN fails each test.
    if (!(time >= 0 && time < Infinity)) status = Status.JobSubmitInvalid;
    else if (time < earlier) status = Status.JobsUnsorted;
    else if (!isDuration(at<f64>(runtime, job))) status = Status.JobRuntimeInvalid;
    else if (!isDuration(at<f64>(estimate, job))) status = Status.JobEstimateInvalid;
    else if (width < 1) status = Status.JobProcessorsInvalid;
    else if (at<i32>(home, job) < 0) status = Status.JobHomeInvalid;
    if (status !== Status.Finished) {
      put<i32>(culprit, 0, job);
      return status;
    }
    earlier = time;
    put<f64>(demand, job, sum);
    sum += <f64>width;
    widest = max(widest, width);
    lastHome = max(lastHome, at<i32>(home, job));
    longest = max<f64>(longest, max<f64>(at<f64>(runtime, job), at<f64>(estimate, job)));
  }
  put<f64>(demand, jobs.count, sum);
  put<f64>(submit, jobs.count, Infinity);
  jobs.widest = widest;
  jobs.lastHome = lastHome;
  jobs.longest = longest;
  if (jobs.hasData !== 0 && !sealData(jobs, culprit)) return Status.JobDataInvalid;
  findNarrowest(processors, jobs.count, 6, columns.narrowestOf64);
  findNarrowest(processors, jobs.count, 12, columns.narrowestOf4096);
  return Status.Finished;
}

/** Checks the bytes to transfer; names the culprit. */
function sealData(jobs: Jobs, culprit: usize): bool {
  const data = columns.data;
  for (let job = 0; job < jobs.count; job++) {
    const bytes = at<f64>(data, job);
    if (!(bytes >= 0 && bytes < Infinity)) {
      put<i32>(culprit, 0, job);
      return false;
    }
    jobs.largest = max<f64>(jobs.largest, bytes);
  }
  return true;
}

@inline
function isDuration(time: f64): bool {
  return time >= 0 && time < Infinity;
}

/** The fewest processors of a job in each block of 1 << `shift` jobs. */
function findNarrowest(processors: usize, count: i32, shift: i32, narrowest: usize): void {
  for (let job = 0; job < count; job++) {
    const width = at<i32>(processors, job);
    const block = job >> shift;
    const isFirst = (job & ((1 << shift) - 1)) === 0;
    put<i32>(narrowest, block, isFirst ? width : min(width, at<i32>(narrowest, block)));
  }
}
