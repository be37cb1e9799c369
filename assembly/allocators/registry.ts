import { Simulation } from '../memory/state';
import { Index, Scan } from './scan';
import { Dynamic, Own } from './own';
import { BestFit, FastestFirst, FirstFit, WorstFit, Random } from './fits';
import {
  AdaptiveIntelligent,
  AdaptiveIntelligent2,
  StaticIntelligent,
  ThresholdAdaptiveIntelligent,
  ThresholdAdaptiveIntelligent2,
  ThresholdIntelligent,
} from './intelligent';
import { NO_PREFERENCE, Situation, chooseByVerdict, preferenceOf } from './verdicts';
import * as kind from '../memory/runKind';

/**
 * List of all allocators, one line each. Names, parameters, command line, tests, benchmarks and the
 * policy table of the docs are derived from this list. A policy's number is its position, so new
 * policies go at the end. `V` is the operation on the policy, `S` its search for sites.
 */
@inline
function visit<V, S>(policy: i32, simulation: Simulation, job: i32): i32 {
  const visitor = changetype<V>(0);
  switch (policy) {
    case 0:
      return visitor.on<BestFit<S>>(simulation, job);
    case 1:
      return visitor.on<FastestFirst<S>>(simulation, job);
    case 2:
      return visitor.on<FirstFit<S>>(simulation, job);
    case 3:
      return visitor.on<WorstFit<S>>(simulation, job);
    case 4:
      return visitor.on<Random>(simulation, job);
    case 5:
      return visitor.on<StaticIntelligent>(simulation, job);
    case 6:
      return visitor.on<ThresholdIntelligent>(simulation, job);
    case 7:
      return visitor.on<AdaptiveIntelligent>(simulation, job);
    case 8:
      return visitor.on<AdaptiveIntelligent2>(simulation, job);
    case 9:
      return visitor.on<ThresholdAdaptiveIntelligent>(simulation, job);
    case 10:
      return visitor.on<ThresholdAdaptiveIntelligent2>(simulation, job);
    case OWN:
      return visitor.on<Own>(simulation, job);
    case DYNAMIC:
      return visitor.on<Dynamic>(simulation, job);
    default:
      return NO_POLICY;
  }
}

const NO_POLICY: i32 = -2;

/** Number of the policy implemented by the host. */
export const OWN: i32 = 11;

/** Number of the policy that changes among candidates during a run. */
export const DYNAMIC: i32 = 12;

/** Number of the policy that draws random numbers. */
const RANDOM: i32 = 4;

/**
 * True if a policy can be a candidate of the dynamic policy: it draws no random numbers, does not
 * ask the host, and has no candidates itself.
 */
export function mayBeTried(policy: i32): bool {
  return policy !== RANDOM && policy !== OWN && policy !== DYNAMIC && policyDeclaration(policy) !== 0;
}

@final
@unmanaged
class Choose<S> {
  @inline
  on<P>(simulation: Simulation, job: i32): i32 {
    const policy = changetype<P>(0);
    if (isDefined(policy.choose)) return policy.choose(simulation, job);
    else return chooseByVerdict<P, S>(simulation, job);
  }
}

@final
@unmanaged
class Declare {
  @inline
  on<P>(simulation: Simulation, job: i32): i32 {
    return <i32>changetype<usize>(changetype<P>(0).declaration());
  }
}

@final
@unmanaged
class TellWhatItPrefers {
  @inline
  on<P>(simulation: Simulation, job: i32): i32 {
    const policy = changetype<P>(0);
    if (isDefined(policy.always)) {
      return preferenceOf(false, policy.always(), policy.always(), policy.always());
    }
    if (isDefined(policy.verdict)) {
      const whenEmpty = policy.verdict(simulation, Situation.QueueEmpty);
      const whenLow = policy.verdict(simulation, Situation.LoadLow);
      if (!isDefined(policy.threshold)) return preferenceOf(true, whenEmpty, whenLow, whenLow);
      return preferenceOf(true, whenEmpty, whenLow, policy.verdict(simulation, Situation.LoadHigh));
    }
    return NO_PREFERENCE;
  }
}

@final
@unmanaged
class TellIfItPrefers {
  @inline
  on<P>(simulation: Simulation, job: i32): i32 {
    const policy = changetype<P>(0);
    return i32(isDefined(policy.always) || isDefined(policy.verdict));
  }
}

@final
@unmanaged
class TellItsThreshold {
  @inline
  on<P>(simulation: Simulation, job: i32): i32 {
    const policy = changetype<P>(0);
    if (isDefined(policy.threshold)) thresholdTold = policy.threshold(simulation);
    return 0;
  }
}

let thresholdTold: f64 = 0;

/**
 * Preference of the simulation's policy between best-fit and fastest-first, with its parameters and the
 * current SH; negative if the policy is no such choice.
 */
export function preference(simulation: Simulation): i32 {
  return visit<TellWhatItPrefers, Scan>(simulation.policy, simulation, 0);
}

/**
 * Returns 1 if a policy is a choice between best-fit and fastest-first, so that it can share a
 * simulation with other policies.
 */
export function sharesHistories(policy: i32): i32 {
  return i32(visit<TellIfItPrefers, Scan>(policy, changetype<Simulation>(0), 0) === 1);
}

/** Threshold on SL of the simulation's policy; 0 if it has none. */
export function loadThreshold(simulation: Simulation): f64 {
  thresholdTold = 0;
  visit<TellItsThreshold, Scan>(simulation.policy, simulation, 0);
  return thresholdTold;
}

/**
 * Site that the simulation's policy chooses for a job now; -1 if the job fits on no candidate site,
 * `WITHHELD` if it fits but must wait.
 */
@inline
export function chooseSite<R>(simulation: Simulation, job: i32): i32 {
  if (kind.isIndexed<R>(simulation)) return chooseByIndex(simulation, job);
  return visit<Choose<Scan>, Scan>(simulation.policy, simulation, job);
}

function chooseByIndex(simulation: Simulation, job: i32): i32 {
  return visit<Choose<Index>, Index>(simulation.policy, simulation, job);
}

/** Like `chooseSite`, by scanning all sites, because backfilling keeps no index. */
export function chooseByScan(simulation: Simulation, job: i32): i32 {
  return visit<Choose<Scan>, Scan>(simulation.policy, simulation, job);
}

/** Address of a policy's declaration; 0 for a number after the last policy. */
export function policyDeclaration(policy: i32): usize {
  const address = visit<Declare, Scan>(policy, changetype<Simulation>(0), 0);
  return address === NO_POLICY ? 0 : <usize>address;
}
