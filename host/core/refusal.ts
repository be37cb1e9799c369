/** What the core refuses. */
import type { Core } from './instance.js';

/** A refusal of the core. */
export class Refusal extends Error {
  /** The `Status`. */
  readonly status: number;
  /** The job, site, option and room that it is about, by their numbers; -1 for none. */
  readonly culprit: Readonly<Record<'Job' | 'Site' | 'Option' | 'Room', number>>;

  constructor(core: Core, status: number, culprit: Refusal['culprit']) {
    const name = Object.entries(core.Status).find(([, value]) => value === status)?.[0];
    const about = Object.entries(culprit).filter(([, number]) => number >= 0);
    super(`the core refuses: ${[name, ...about.map(([what, number]) => `${what} ${number}`)].join(', ')}`);
    this.name = 'Refusal';
    this.status = status;
    this.culprit = culprit;
  }
}

export const NOBODY: Refusal['culprit'] = { Job: -1, Site: -1, Option: -1, Room: -1 };

/** Whether a status is a refusal. */
export const isRefusal = (core: Core, status: number) => status >= core.Status.JobsUnsorted;

/**
 * Throws what a simulation has refused, if the status says so.
 * @throws Refusal.
 */
export function accept(core: Core, block: number, status: number): void {
  if (!isRefusal(core, status)) return;
  const of = (what: keyof Refusal['culprit']) => core.scalar(block, core.Scalar[`Refused${what}`]);
  throw new Refusal(core, status, {
    Job: of('Job'),
    Site: of('Site'),
    Option: of('Option'),
    Room: of('Room'),
  });
}
