/** What tells two workloads apart. */
import { createHash } from 'node:crypto';
import type { Workload } from './workload.js';

/** SHA-256 over submit, runtime, estimate (doubles), processors and home (32-bit) of all jobs, column by column. */
export function hashJobs({ submit, runtime, estimate, processors, home }: Workload): string {
  const hash = createHash('sha256');
  for (const { buffer, byteOffset, byteLength } of [submit, runtime, estimate, processors, home]) {
    hash.update(new Uint8Array(buffer, byteOffset, byteLength));
  }
  return hash.digest('hex');
}
