/** What a run decides by beside what all policies see: free processors, speeds, and the processors that waiting jobs ask for. */
import { candidatesOf, isTrying, type Policy, parameterOf, printPolicy } from '../core/policies.js';
import { InputError } from '../errors.js';
import type { Configuration } from '../options/configuration.js';
import { inLibrary, type Naming } from '../options/options.js';
import { isCodeName } from '../options/providedCode.js';
import { candidateRules, goByEstimates, refuseEstimates, usesEstimates } from '../options/rules.js';
import { requireEstimates } from '../workload/estimates.js';
import type { RecentEstimates, Workload } from '../workload/workload.js';

/** As much of a run as decides that. */
type Run = Omit<Parameters<typeof usesEstimates>[0], 'kill' | 'policy'> & {
  readonly policy: Policy | string;
};

/** Where nothing else is known. */
export const NO_ESTIMATES = 'no estimates';

/**
 * It in a few words, for comparisons of methods that may know different things.
 * @param estimates where they are from, as `--estimates` says.
 */
export function knowledgeOf({ policy, ...run }: Run, estimates: string): string {
  if (estimates === 'none') return isTrying(policy) ? 'runtimes of ended jobs' : NO_ESTIMATES;
  const known = `estimates (${estimates})`;
  const isFunction = typeof policy === 'string' ? isCodeName(policy) : policy.declaration.name === 'own';
  if (isFunction) return `what its function reads, ${known}`;
  return usesEstimates({ ...run, policy }) ? known : NO_ESTIMATES;
}

/** The same of a policy by itself, whatever order and discipline it has. */
export function knowledgeOfPolicy(policy: string): string {
  return isTrying(policy) ? 'estimates; with --estimates none runtimes of ended jobs' : NO_ESTIMATES;
}

/** Where estimates are from, in the words of an option, without the seed of their errors. */
export function estimateWords(text: string | undefined): string {
  return text === undefined ? 'trace' : text.split(':').slice(0, 2).join(':');
}

// Whether a run has the estimates that it decides by.

/** What a function hears that asks for an estimate under `--estimates none`. */
export const NOBODY_KNOWS =
  'it asks for the estimate, and with --estimates none nobody knows how long jobs will run';

/** As much of a workload as says what is known of its estimates. */
export type EstimatedJobs = Pick<Workload, 'name' | 'accounting'> & {
  readonly unestimated?: true | undefined;
  readonly recent?: RecentEstimates;
};

/**
 * Refuses a run that decides by estimates which nobody knows, or which no job of the workload has, one that draws
 * futures although there are estimates, and one that keeps reservations although estimates change.
 * @param naming how errors call the options.
 * @throws InputError with what to do.
 */
export function checkEstimates(workload: EstimatedJobs, configuration: Configuration, naming: Naming): void {
  if (workload.unestimated) {
    refuseEstimates(configuration, naming);
    refuseCandidates(configuration, naming);
    return;
  }
  if (workload.recent?.refresh && configuration.reservations === 'kept') {
    throw new InputError(
      `reservations are not kept for jobs whose estimates change while they wait; take ${naming('reservations', 'replanned')}`,
    );
  }
  if (Number(parameterOf(configuration.policy, 'futures') ?? 1) > 1) {
    throw new InputError(
      `by estimates there is one future; more than one are drawn with ${naming('estimates', 'none')} alone`,
    );
  }
  if (usesEstimates(configuration)) requireEstimates(workload, remedyIn(naming));
}

/** Candidates of a policy may have orders and disciplines of their own. */
function refuseCandidates(configuration: Configuration, naming: Naming): void {
  const place = candidateRules(configuration)?.findIndex(goByEstimates) ?? -1;
  if (place < 0) return;
  throw new InputError(
    `${printPolicy(candidatesOf(configuration.policy)[place]!)} cannot be a candidate of dynamic with ${naming('estimates', 'none')}: nobody knows then how long jobs will run`,
  );
}

function remedyIn(naming: Naming): string {
  return naming === inLibrary
    ? "withEstimates(workload, { source: 'exact' }) takes their runtimes"
    : `use ${naming('estimates', 'exact')}`;
}
