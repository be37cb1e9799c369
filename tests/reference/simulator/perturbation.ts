/** Perturbations of a log, computed record by record from their definitions. */
import { SplitMix64 } from './splitMix64.js';

/** Fields of a record that a perturbation reads or changes. */
export interface LoggedJobRecord {
  number: number;
  submit: number;
  runtime: number;
  /** Requested time in seconds; -1 if unknown. */
  requested: number;
  /** User, group, queue or partition; -1 if unknown. */
  owner: number;
}

/** The k-th output for a seed (k from 1), as a number from [0, 1). */
function computeUniformNumberOfSeed(seed: number, k: number): number {
  const generator = new SplitMix64(seed);
  let output = 0n;
  for (let i = 0; i < k; i++) output = generator.next();
  return Number(output >> 11n) / 2 ** 53;
}

/** Records sorted by submit time; equal times keep their order. */
function sortRecordsBySubmit(jobs: readonly LoggedJobRecord[]): LoggedJobRecord[] {
  return jobs
    .map((job, place) => ({ job, place }))
    .sort((a, b) => a.job.submit - b.job.submit || a.place - b.place)
    .map(({ job }) => job);
}

/**
 * Shifts every submission by up to S whole seconds, and changes every runtime by up to the share R.
 */
export function shakeReference(
  jobs: readonly LoggedJobRecord[],
  S: number,
  R: number,
  seed: number,
): LoggedJobRecord[] {
  const changed = sortRecordsBySubmit(jobs).map((job, i) => {
    const step = Math.floor(computeUniformNumberOfSeed(seed, 2 * i + 1) * (2 * S + 1)) - S;
    const submit = Math.max(0, job.submit + step);
    if (R === 0) return { ...job, submit };
    if (job.runtime <= job.requested && job.runtime * (1 + R) > job.requested) return { ...job, submit };
    const x = job.runtime * (1 + R * (2 * computeUniformNumberOfSeed(seed, 2 * i + 2) - 1));
    const hasWholeRuntime = job.runtime === Math.floor(job.runtime);
    return { ...job, submit, runtime: hasWholeRuntime ? Math.max(1, Math.floor(x + 0.5)) : x };
  });
  return sortRecordsBySubmit(changed);
}

/**
 * Shifts the jobs of each owner by a number of blocks drawn per owner, cyclically, if the log has
 * at least two blocks.
 */
export function resampleReference(
  jobs: readonly LoggedJobRecord[],
  block: number,
  seed: number,
): LoggedJobRecord[] {
  const sorted = sortRecordsBySubmit(jobs);
  const first = sorted[0].submit;
  const blockCount = Math.floor((sorted[sorted.length - 1].submit - first) / block);
  const owners = [...new Set(sorted.map(({ owner }) => owner))].sort((a, b) => a - b);
  const changed = sorted.map((job) => {
    const b = Math.floor((job.submit - first) / block);
    if (b >= blockCount) return job;
    const shift = Math.floor(computeUniformNumberOfSeed(seed, owners.indexOf(job.owner) + 1) * blockCount);
    return { ...job, submit: job.submit + (((b + shift) % blockCount) - b) * block };
  });
  return sortRecordsBySubmit(changed);
}
