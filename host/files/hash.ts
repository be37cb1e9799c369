/** Hashes that identify workloads and texts. */
import { createHash } from 'node:crypto';
import type { Workload } from '../workload/workload.js';

/** SHA-256 of a text, in hexadecimal digits. */
export function hashTextSha256(hashedText: string): string {
  return createHash('sha256').update(hashedText).digest('hex');
}

/**
 * SHA-256 over submit, runtime, estimate (doubles), processors and home (32-bit) of all jobs, column by
 * column; also over data sizes (doubles) if there are any, users and n for estimates from recent jobs, and
 * preceding jobs, think times and first pieces for dependent jobs.
 */
export function hashJobsSha256({
  submit,
  runtime,
  estimate,
  processors,
  home,
  data: inputBytes,
  recent,
  unestimated,
  dependencies,
  classLimits,
}: Workload): string {
  const hash = createHash('sha256');
  const columns = [
    submit,
    runtime,
    estimate,
    processors,
    home,
    ...(inputBytes === undefined ? [] : [inputBytes]),
  ];
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

/** Hash of a script or style element for a content security policy. */
export function computeContentSecurityHash(scriptText: string): string {
  return `'sha256-${createHash('sha256').update(scriptText).digest('base64')}'`;
}
