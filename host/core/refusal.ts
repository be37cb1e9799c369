/** What the core refuses. */
import type { Core } from './instance.js';

/** The job, site, option and room that a refusal is about, by their numbers; -1 for none. */
type Culprit = Readonly<Record<'Job' | 'Site' | 'Option' | 'Room', number>>;

/** A refusal of the core. */
export class Refusal extends Error {
  /** The `Status`. */
  readonly status: number;
  /** What it is about. */
  readonly culprit: Culprit;

  constructor(core: Core, status: number, culprit: Culprit) {
    const name = Object.entries(core.Status).find(([, value]) => value === status)?.[0];
    const about = Object.entries(culprit).filter(([, number]) => number >= 0);
    super(`the core refuses: ${[name, ...about.map((each) => each.join(' '))].join(', ')}`);
    this.name = 'Refusal';
    this.status = status;
    this.culprit = culprit;
  }
}

/**
 * Throws a refusal, if a status is one.
 * @param of says what it is about.
 * @throws Refusal.
 */
export function check(core: Core, status: number, of: (what: keyof Culprit) => number): void {
  if (status < core.Status.JobsUnsorted) return;
  throw new Refusal(core, status, {
    Job: of('Job'),
    Site: of('Site'),
    Option: of('Option'),
    Room: of('Room'),
  });
}

/**
 * The same of the status of a call on a simulation, which says itself what it is about.
 * @throws Refusal.
 */
export function checkCall(core: Core, block: number, status: number): void {
  check(core, status, (what) => core.scalar(block, core.Scalar[`Refused${what}`]));
}
