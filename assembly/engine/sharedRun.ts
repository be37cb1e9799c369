import { Status } from '../abi/abi';
import { Jobs, Simulation, Stage } from '../memory/state';
import { arePolicyDecisionsCounted, readPolicies } from '../allocators/sharedPolicies';
import { IS_CHECKED_BUILD } from '../memory/check';
import * as columns from '../memory/columns';
import { at } from '../memory/memory';
import * as metrics from '../sums/metrics';
import { mayBePlainRun } from '../memory/runKind';
import * as histories from '../live/histories';
import { setTotalOfSum, sumCountOf } from '../sums/jobSums';
import { resumePausedRun, runShared } from './run';

/**
 * Runs policies together as one simulation that forks when decisions differ and joins branches whose states
 * have become equal. All branches run to the same time, one after the other, so that their states can be
 * compared.
 */

/**
 * Number of submissions between two comparisons of branches. Fewer comparisons cost less but join branches
 * later. The checked build has a small number, because tests have few jobs.
 */
const SUBMITS_PER_TURN: i32 = IS_CHECKED_BUILD ? 4 : 64;

/** Runs all policies written by the host to the end. */
export function runTogether(simulation: Simulation, jobs: Jobs): Status {
  const isShared = simulation.policyCount > 0 && simulation.hasPriorityQueue === 0;
  if (!isShared || simulation.choosesPolicies !== 0 || !mayBePlainRun(simulation))
    return Status.PoliciesUnshared;
  const status = readPolicies(simulation);
  if (status !== Status.Finished) return status;
  histories.begin(simulation);
  const submits = columns.submits;
  const jobCount = simulation.knownJobs;
  const firstSubmit = at<f64>(submits, 0);
  // After the last submission, branches advance by the average time between submissions.
  const secondsPerTurn = (SUBMITS_PER_TURN * (at<f64>(submits, jobCount - 1) - firstSubmit)) / <f64>jobCount;
  let nextJob = 0;
  let until: f64 = 0;
  while (histories.count > 0) {
    if (nextJob < jobCount) {
      until = at<f64>(submits, min(nextJob + SUBMITS_PER_TURN, jobCount) - 1);
      while (at<f64>(submits, nextJob) <= until) nextJob++;
    } else {
      until = max<f64>(until + secondsPerTurn, histories.soonestEnd(simulation));
    }
    let history = 0;
    while (history < histories.count) {
      histories.loadHistory(simulation, history);
      if (simulation.isMidPass !== 0) resumePausedRun(simulation);
      const outcome = runShared(simulation, until);
      histories.updateTallies(simulation);
      if (outcome === Status.Finished) histories.finishHistory(simulation, history);
      else history++;
    }
    histories.joinEqualHistories(simulation);
  }
  // After a shared run, the live state belongs to none of the policies, so the run cannot continue.
  simulation.stage = Stage.Shared;
  return Status.Finished;
}

/** Computes the metrics of one policy; `Status.SumUnsettled` if that needs a separate run. */
export function measureTogether(simulation: Simulation, policy: i32): Status {
  if (simulation.stage !== Stage.Shared) return Status.NotFinished;
  if (policy < 0 || policy >= simulation.policyCount) return Status.PolicyUnknown;
  histories.showMemberAccount(simulation, at<i32>(columns.memberOfPolicy, policy));
  for (let sumIndex = 0; sumIndex < sumCountOf(simulation); sumIndex++) {
    const sumValue = histories.roundedTallyValue(columns.accountTallies, sumIndex);
    if (isNaN(sumValue)) return Status.SumUnsettled;
    setTotalOfSum(sumIndex, sumValue);
  }
  if (!arePolicyDecisionsCounted(simulation, policy)) {
    simulation.decisionsAgreed = 0;
    simulation.decisionsBestFit = 0;
    simulation.decisionsFastestFirst = 0;
  }
  metrics.reportMetrics(simulation);
  return Status.Finished;
}
