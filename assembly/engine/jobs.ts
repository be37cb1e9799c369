import { JobColumn, Status } from '../abi';
import { Jobs } from '../state';
import { aligned, at, column, put } from '../memory';

/** Number of blocks of 1 << `shift` jobs. */
@inline
function blocks(count: i32, shift: i32): u32 {
  return (<u32>count + (1 << shift) - 1) >> shift;
}

/**
 * Lays a job table of `count` jobs out at `table`, with a column of bytes to transfer if `hasData` is not 0;
 * `table` 0 only computes its size. Returns its size in bytes.
 */
export function arrangeJobs(table: usize, count: i32, hasData: i32): u32 {
  let end = aligned(offsetof<Jobs>());
  const submit = end;
  end += (<u32>count + 1) << 3;
  const runtime = end;
  end += <u32>count << 3;
  const demand = end;
  end += (<u32>count + 1) << 3;
  const processors = end;
  end = aligned(end + (<u32>count << 2));
  const home = end;
  end = aligned(end + (<u32>count << 2));
  const estimate = end;
  end += <u32>count << 3;
  const data = hasData !== 0 ? end : 0;
  if (hasData !== 0) end += <u32>count << 3;
  const narrowestOf64 = end;
  end = aligned(end + (blocks(count, 6) << 2));
  const narrowestOf4096 = end;
  end = aligned(end + (blocks(count, 12) << 2));
  if (table !== 0) {
    const jobs = changetype<Jobs>(table);
    jobs.count = count;
    jobs.widest = 0;
    jobs.lastHome = -1;
    jobs.longest = 0;
    jobs.largest = 0;
    jobs.submit = submit;
    jobs.runtime = runtime;
    jobs.processors = processors;
    jobs.home = home;
    jobs.demand = demand;
    jobs.estimate = estimate;
    jobs.data = data;
    jobs.narrowestOf64 = narrowestOf64;
    jobs.narrowestOf4096 = narrowestOf4096;
  }
  return end;
}

/** Address of a column of a job table. */
export function jobColumnAddress(table: usize, which: JobColumn): usize {
  const jobs = changetype<Jobs>(table);
  switch (which) {
    case JobColumn.Submit:
      return column(table, jobs.submit);
    case JobColumn.Runtime:
      return column(table, jobs.runtime);
    case JobColumn.Processors:
      return column(table, jobs.processors);
    case JobColumn.Home:
      return column(table, jobs.home);
    case JobColumn.Demand:
      return column(table, jobs.demand);
    case JobColumn.Estimate:
      return column(table, jobs.estimate);
    case JobColumn.Data:
      return jobs.data === 0 ? 0 : column(table, jobs.data);
    default:
      return 0;
  }
}

/**
 * Checks the columns that the host wrote and derives the rest, after which the table is read-only and may be
 * shared by any number of simulations. `culprit` is an address that receives the index of a refused job
 * (i32).
 */
export function sealJobs(table: usize, culprit: usize): Status {
  const jobs = changetype<Jobs>(table);
  const submit = column(table, jobs.submit);
  const runtime = column(table, jobs.runtime);
  const processors = column(table, jobs.processors);
  const home = column(table, jobs.home);
  const demand = column(table, jobs.demand);
  const estimate = column(table, jobs.estimate);
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
  if (jobs.data !== 0 && !sealData(jobs, culprit)) return Status.JobDataInvalid;
  findNarrowest(processors, jobs.count, 6, column(table, jobs.narrowestOf64));
  findNarrowest(processors, jobs.count, 12, column(table, jobs.narrowestOf4096));
  return Status.Finished;
}

/** Checks the bytes to transfer; names the culprit. */
function sealData(jobs: Jobs, culprit: usize): bool {
  const data = column(changetype<usize>(jobs), jobs.data);
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
