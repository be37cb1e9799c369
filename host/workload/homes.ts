/** Which site a job calls home. */
import type { Trace } from '../trace/trace.js';

/** Fields that can name a home; `none` puts every job at site 1. */
export const HOME_RULES = ['queue', 'partition', 'user', 'group', 'none'] as const;
/** One of `HOME_RULES`. */
export type HomeRule = (typeof HOME_RULES)[number];

/**
 * `queue` if any job names a queue, else `none`.
 * @example
 * console.log(defaultHomeRule(trace)); // none
 */
export function defaultHomeRule(trace: Trace): HomeRule {
  return trace.columns.queue.some((queue) => queue > 0) ? 'queue' : 'none';
}

/**
 * Home of every record, numbered from 0: queue or partition q (from 1) is the q-th site, wrapping around; user
 * or group u (from 0) is site u modulo the sites; unknown is the first site.
 */
export function mapHomes(trace: Trace, rule: HomeRule, siteCount: number): Int32Array {
  const homes = new Int32Array(trace.count);
  if (rule === 'none') return homes;
  const first = rule === 'queue' || rule === 'partition' ? 1 : 0;
  const numbers = trace.columns[rule];
  for (let i = 0; i < homes.length; i++) {
    if (numbers[i] >= first) homes[i] = (numbers[i] - first) % siteCount;
  }
  return homes;
}
