/** What replications change: the jobs in some way, and drawn speeds too where that is asked for. */
import { InputError } from '../errors.js';
import { type Perturbation, parsePerturbation, printPerturbation } from '../workload/perturbation.js';

/** What replications change. */
export interface Perturb {
  /** Undefined: what is usual, which is a model's own seed, and of a log `shake`. */
  readonly jobs?: Perturbation;
  /** Whether the seed of drawn speeds moves along. */
  readonly speeds: boolean;
}

const SPEEDS = 'speeds';

/**
 * Reads a perturbation of the jobs, `speeds`, or both with a semicolon between them.
 * @throws InputError for a perturbation that there is not, or two of the jobs.
 */
export function parsePerturb(text: string, what: string): Perturb {
  const parts = text.split(';').map((part) => part.trim());
  const [jobs, second] = parts.filter((part) => part !== SPEEDS).map(parsePerturbation);
  if (second !== undefined) {
    const both = [jobs, second].map(({ kind }) => kind).join(' and ');
    throw new InputError(`${what}: the jobs are changed in one way, found ${both}; give one of them`);
  }
  return { ...(jobs === undefined ? {} : { jobs }), speeds: parts.includes(SPEEDS) };
}

/** Writes it so that `parsePerturb` reads it back. */
export function printPerturb({ jobs, speeds }: Perturb): string {
  return [...(jobs === undefined ? [] : [printPerturbation(jobs)]), ...(speeds ? [SPEEDS] : [])].join(';');
}
