/** Hashes that identify workloads and texts. */
import { createHash } from 'node:crypto';
import type { Workload } from '../workload/workload.js';

/** SHA-256 of a text, in hexadecimal digits. */
export function hashTextSha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/**
 * SHA-256 over submit, runtime, estimate (doubles), processors and home (32-bit) of all jobs, column by column, and
 * over data sizes (doubles) where jobs have any, over users and n where jobs are estimated by those of the same user, and
 * over preceding jobs, think times and first pieces where jobs depend on others.
 */
export function hashJobsSha256({
  submit,
  runtime,
  estimate,
  processors,
  home,
  data,
  recent,
  unestimated,
  dependencies,
  classLimits,
}: Workload): string {
  const hash = createHash('sha256');
  const columns = [submit, runtime, estimate, processors, home, ...(data === undefined ? [] : [data])];
  for (const { buffer, byteOffset, byteLength } of columns) {
    hash.update(new Uint8Array(buffer, byteOffset, byteLength));
  }
  if (recent !== undefined)
    hash.update(`recent ${recent.n}${recent.refresh ? ' refreshed' : ''} ${recent.users.join()}`);
  if (unestimated) hash.update('unestimated');
  if (dependencies !== undefined) {
    const { preceding, thinkTime, firstPiece } = dependencies;
    hash.update(`dependencies ${preceding.join()} ${thinkTime.join()} ${firstPiece.join()}`);
  }
  if (classLimits !== undefined)
    hash.update(`classes ${classLimits.shortRuntime} ${classLimits.narrowWidth}`);
  return hash.digest('hex');
}

/** The source of a script or style that is in a page, as its content security policy names it. */
export function contentSecurityHash(code: string): string {
  return `'sha256-${createHash('sha256').update(code).digest('base64')}'`;
}
