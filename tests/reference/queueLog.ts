import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { makeExampleJob } from './examples.js';
import type { ReferenceJob } from './simulator/reference.js';

/**
 * Reads the jobs of a compressed log, with exact estimates; the queue number of a job becomes its home site.
 */
export function readQueueLog(file: string): ReferenceJob[] {
  return gunzipSync(readFileSync(file))
    .toString('latin1')
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith(';'))
    .map((line) => line.trim().split(/\s+/).map(Number))
    .map((fields) => makeExampleJob(fields[1]!, fields[3]!, fields[4]!, fields[14]! - 1))
    .sort((oneJob, otherJob) => oneJob.submit - otherJob.submit);
}
