import { Option } from '../abi/abi';
import { Simulation } from '../memory/state';
import * as columns from '../memory/columns';
import { at } from '../memory/memory';
import * as exactSum from '../sums/exactSum';

/** Accounts of users and groups, and the steps after which their usage decays. */

/** Use of processors by a user or a group; 64 bytes. */
@unmanaged
export class Account {
  /** Usage when the last step in which a job ran was over, in processor-seconds, and that step. */
  usage: f64;
  /** By number: 1 + the step after which `share` was computed, 0 if never. */
  lastUseStep: f64;
  /** Number of steps whose use `usage` contains. */
  closedSteps: f64;
  /** Use in the current step, until `since`, in processor-seconds; if `isExact`, it is in the exact sum. */
  currentUse: f64;
  /** By number: time to which `usage` has decayed, in whole seconds. */
  since: f64;
  /** Share in the usage of all users or groups, after the last step that a pass needed. */
  share: f64;
  /** Processors held by running jobs. */
  processors: i32;
  /** Flags: `currentUse` is in the exact sum; a job of the account has been submitted. */
  isExact: i32;
  isSeen: i32;
  spare: i32;
}

const ACCOUNT_BYTES_LOG2: usize = 6;

@inline
export function accountAt(accounts: usize, index: i32): Account {
  return changetype<Account>(accounts + ((<usize>index) << ACCOUNT_BYTES_LOG2));
}

/** Exact sum of an account. */
@inline
export function sumAddressAt(sums: usize, index: i32): usize {
  return exactSum.sumAt(sums, index);
}

/** Adds processor-seconds to the use in the current step. */
export function addTermToAccount(account: Account, sum: usize, term: f64): void {
  const total = account.currentUse + term;
  if (account.isExact === 0) {
    if (exactSum.roundingErrorOfAddition(account.currentUse, term) === 0) {
      account.currentUse = total;
      return;
    }
    exactSum.reset(sum);
    exactSum.add(sum, account.currentUse);
    account.isExact = 1;
  }
  exactSum.add(sum, term);
}

/** Use in the current step, in processor-seconds, rounded once. */
@inline
export function pendingUsageOf(account: Account, sum: usize): f64 {
  return account.isExact !== 0 ? exactSum.roundedSum(sum) : account.currentUse;
}

/** Begin of the first usage step, in seconds: `UsageLead` before the first submission. */
@inline
function beginOfUsageSteps(): f64 {
  return at<f64>(columns.submits, 0) - columns.optionOfRun(Option.UsageLead);
}

/** End of a usage step in seconds; steps are numbered from 1, and 0 gives the begin of the first step. */
@inline
export function endOfUsageStep(step: f64): f64 {
  return beginOfUsageSteps() + step * columns.optionOfRun(Option.UsageStep);
}

/** Number of steps that are over at a time. */
export function usageStepCountUntil(simulation: Simulation, time: f64): f64 {
  let steps = simulation.usageSteps;
  if (!(endOfUsageStep(steps + 1) <= time)) return steps;
  const seconds = time - beginOfUsageSteps();
  // The quotient may be off by one by rounding, so the ends of the steps are compared with the time.
  steps = max<f64>(steps, floor<f64>(seconds / columns.optionOfRun(Option.UsageStep)) - 1);
  while (endOfUsageStep(steps + 1) <= time) steps++;
  return steps;
}
