/** The policy of a simulation: one that the core has, or a function of the user's. */
import type { OwnPolicy, PolicyFunction } from '../core/ownPolicy.js';
import { hostPolicy, type Policy, parsePolicy, policyNumbers, printPolicy } from '../core/policies.js';
import { InputError } from '../errors.js';
import { codeNamed, isCodeName } from './code.js';
import { customOption } from './kinds.js';

/** As the library takes it. */
export type GivenPolicy = string | Policy | PolicyFunction | OwnPolicy;

function policyNamed(text: string, what: string): Policy {
  if (!isCodeName(text)) return parsePolicy(text);
  const { name, exports } = codeNamed(text, what);
  const policy = { ...hostPolicy(exports?.mayWait === true), name };
  return exports === undefined ? policy : { ...policy, choose: exports.default as PolicyFunction };
}

function checkPolicy(given: GivenPolicy, what: string): Policy {
  if (typeof given === 'string') return policyNamed(given, what);
  if (typeof given === 'object' && 'declaration' in given) return given;
  const {
    choose,
    mayWait = false,
    name,
  } = typeof given === 'function' ? { choose: given } : (given as OwnPolicy);
  if (typeof choose !== 'function') {
    throw new InputError(`${what}: expected a name, a function, or an object with a function choose`);
  }
  return { ...hostPolicy(mayWait), choose, name: name ?? (choose.name || 'a function') };
}

/** Which site a job gets. */
export const policyOption = customOption<Policy, GivenPolicy>({
  heading: 'Scheduling',
  help: 'which site a job gets (see gridalloc policies); under easy and conservative only where it is given',
  default: 'best-fit',
  read: policyNamed,
  check: checkPolicy,
  print: printPolicy,
  core: (policy) => {
    const [Parameter0 = 0, Parameter1 = 0, Parameter2 = 0, ...more] = policyNumbers(policy);
    const [Parameter3 = 0, Parameter4 = 0, Parameter5 = 0] = more;
    const ChoicesGiven = Number(policy.choices !== undefined);
    const numbers = { Parameter0, Parameter1, Parameter2, Parameter3, Parameter4, Parameter5 };
    return { Policy: policy.declaration.index, ...numbers, ChoicesGiven };
  },
});
