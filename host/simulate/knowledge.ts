/** What a run decides by beside what all policies see: free processors, speeds, and the processors that waiting jobs ask for. */
import { isTrying, type Policy } from '../core/policies.js';
import { isCodeName } from '../options/providedCode.js';
import { usesEstimates } from '../options/rules.js';

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
