import { Simulation } from '../memory/state';
import { IndexSearch, ScanSearch } from './scan';
import { DynamicPolicy, CustomPolicy } from './own';
import { BestFitPolicy, FastestFirstPolicy, FirstFitPolicy, WorstFitPolicy, RandomPolicy } from './fits';
import {
  AdaptiveIntelligentPolicy,
  AdaptiveIntelligent2Policy,
  StaticIntelligentPolicy,
  ThresholdAdaptivePolicy,
  ThresholdAdaptive2Policy,
  ThresholdIntelligentPolicy,
} from './intelligent';
import { NO_PREFERENCE, JobSituation, chooseByVerdict, packPreference } from './verdicts';
import * as kind from '../memory/runKind';

/**
 * List of all allocators, one line each. Names, parameters, command line, tests, benchmarks and the
 * policy table of the docs are derived from this list. A policy's number is its position, so new
 * policies go at the end. `V` is the operation on the policy, `S` its search for sites.
 */
@inline
function visitPolicy<V, S>(policy: i32, simulation: Simulation, job: i32): i32 {
  const visitor = changetype<V>(0);
  switch (policy) {
    case 0:
      return visitor.on<BestFitPolicy<S>>(simulation, job);
    case 1:
      return visitor.on<FastestFirstPolicy<S>>(simulation, job);
    case 2:
      return visitor.on<FirstFitPolicy<S>>(simulation, job);
    case 3:
      return visitor.on<WorstFitPolicy<S>>(simulation, job);
    case 4:
      return visitor.on<RandomPolicy>(simulation, job);
    case 5:
      return visitor.on<StaticIntelligentPolicy>(simulation, job);
    case 6:
      return visitor.on<ThresholdIntelligentPolicy>(simulation, job);
    case 7:
      return visitor.on<AdaptiveIntelligentPolicy>(simulation, job);
    case 8:
      return visitor.on<AdaptiveIntelligent2Policy>(simulation, job);
    case 9:
      return visitor.on<ThresholdAdaptivePolicy>(simulation, job);
    case 10:
      return visitor.on<ThresholdAdaptive2Policy>(simulation, job);
    case CUSTOM_POLICY_NUMBER:
      return visitor.on<CustomPolicy>(simulation, job);
    case DYNAMIC_POLICY_NUMBER:
      return visitor.on<DynamicPolicy>(simulation, job);
    default:
      return NO_POLICY;
  }
}

const NO_POLICY: i32 = -2;

/** Number of the policy implemented by the host. */
export const CUSTOM_POLICY_NUMBER: i32 = 11;

/** Number of the policy that changes among candidates during a run. */
export const DYNAMIC_POLICY_NUMBER: i32 = 12;

/** Number of the policy that draws random numbers. */
const RANDOM_POLICY_NUMBER: i32 = 4;

/**
 * True if a policy can be a candidate of the dynamic policy: it draws no random numbers, does not
 * ask the host, and has no candidates itself.
 */
export function isTriablePolicy(policy: i32): bool {
  return (
    policy !== RANDOM_POLICY_NUMBER &&
    policy !== CUSTOM_POLICY_NUMBER &&
    policy !== DYNAMIC_POLICY_NUMBER &&
    policyDeclaration(policy) !== 0
  );
}

@final
@unmanaged
class ChooseSiteVisitor<S> {
  @inline
  on<P>(simulation: Simulation, job: i32): i32 {
    const policy = changetype<P>(0);
    if (isDefined(policy.choose)) return policy.choose(simulation, job);
    else return chooseByVerdict<P, S>(simulation, job);
  }
}

@final
@unmanaged
class DeclarePolicyVisitor {
  @inline
  on<P>(simulation: Simulation, job: i32): i32 {
    return <i32>changetype<usize>(changetype<P>(0).declaration());
  }
}

@final
@unmanaged
class PreferenceVisitor {
  @inline
  on<P>(simulation: Simulation, job: i32): i32 {
    const policy = changetype<P>(0);
    if (isDefined(policy.constantVerdict)) {
      return packPreference(
        false,
        policy.constantVerdict(),
        policy.constantVerdict(),
        policy.constantVerdict(),
      );
    }
    if (isDefined(policy.verdict)) {
      const verdictForEmptyQueue = policy.verdict(simulation, JobSituation.QueueEmpty);
      const verdictForLowLoad = policy.verdict(simulation, JobSituation.LoadLow);
      if (!isDefined(policy.threshold))
        return packPreference(true, verdictForEmptyQueue, verdictForLowLoad, verdictForLowLoad);
      return packPreference(
        true,
        verdictForEmptyQueue,
        verdictForLowLoad,
        policy.verdict(simulation, JobSituation.LoadHigh),
      );
    }
    return NO_PREFERENCE;
  }
}

@final
@unmanaged
class HasPreferenceVisitor {
  @inline
  on<P>(simulation: Simulation, job: i32): i32 {
    const policy = changetype<P>(0);
    return i32(isDefined(policy.constantVerdict) || isDefined(policy.verdict));
  }
}

@final
@unmanaged
class LoadThresholdVisitor {
  @inline
  on<P>(simulation: Simulation, job: i32): i32 {
    const policy = changetype<P>(0);
    if (isDefined(policy.threshold)) reportedLoadThreshold = policy.threshold(simulation);
    return 0;
  }
}

let reportedLoadThreshold: f64 = 0;

/**
 * Packed verdicts (verdicts.ts) of the simulation's policy between best-fit and fastest-first, for its
 * parameters and the current SH; negative if the policy does not choose between these two.
 */
export function policyPreference(simulation: Simulation): i32 {
  return visitPolicy<PreferenceVisitor, ScanSearch>(simulation.policy, simulation, 0);
}

/**
 * Returns 1 if a policy always chooses between the sites of best-fit and fastest-first, so that it can share
 * one simulation run with other such policies; otherwise 0.
 */
export function sharesHistories(policy: i32): i32 {
  return i32(visitPolicy<HasPreferenceVisitor, ScanSearch>(policy, changetype<Simulation>(0), 0) === 1);
}

/** Threshold on SL of the simulation's policy; 0 if it has none. */
export function loadThresholdOfPolicy(simulation: Simulation): f64 {
  reportedLoadThreshold = 0;
  visitPolicy<LoadThresholdVisitor, ScanSearch>(simulation.policy, simulation, 0);
  return reportedLoadThreshold;
}

/**
 * Site that the simulation's policy chooses for a job now; -1 if the job fits on no candidate site,
 * `WITHHELD_ANSWER` if it fits but must wait.
 */
@inline
export function chooseSite<R>(simulation: Simulation, job: i32): i32 {
  if (kind.usesSiteIndex<R>(simulation)) return chooseSiteByIndex(simulation, job);
  return visitPolicy<ChooseSiteVisitor<ScanSearch>, ScanSearch>(simulation.policy, simulation, job);
}

function chooseSiteByIndex(simulation: Simulation, job: i32): i32 {
  return visitPolicy<ChooseSiteVisitor<IndexSearch>, IndexSearch>(simulation.policy, simulation, job);
}

/** Like `chooseSite`, by scanning all sites, because backfilling keeps no index. */
export function chooseSiteByScan(simulation: Simulation, job: i32): i32 {
  return visitPolicy<ChooseSiteVisitor<ScanSearch>, ScanSearch>(simulation.policy, simulation, job);
}

/** Address of a policy's declaration; 0 for a number after the last policy. */
export function policyDeclaration(policy: i32): usize {
  const address = visitPolicy<DeclarePolicyVisitor, ScanSearch>(policy, changetype<Simulation>(0), 0);
  return address === NO_POLICY ? 0 : <usize>address;
}
