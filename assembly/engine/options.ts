import {
  Discipline,
  Instant,
  Moldable,
  MoldableFit,
  MultiSite,
  OnOutage,
  Option,
  Order,
  PlanBy,
  Reservations,
  Resolution,
  RuntimeReference,
  Selection,
  Status,
  Topology,
  Limit,
} from '../abi/abi';
import { changesWithTime, blocksQueue, plansAhead } from '../memory/runKind';
import { Room, UsageCount } from '../abi/abiColumns';
import { hasPassTimes, passOption } from '../planning/passGrid';
import { powerOf2 } from '../queue/powers';
import { isByEstimate } from '../queue/ranking';
import { Simulation } from '../memory/state';
import { DYNAMIC_POLICY_NUMBER, CUSTOM_POLICY_NUMBER, policyDeclaration } from '../allocators/registry';
import * as columns from '../memory/columns';
import { at } from '../memory/memory';
import { IS_RECORDING_BUILD } from '../record/log';
import { allowsOtherRules, canTryCandidates } from './otherRules';

/** Ranges of options, and rules for their combination. */

/** Largest accepted `RecentJobs`. */
const MOST_RECENT: i32 = 1_000_000;

/** Largest accepted number of candidates, submissions between trials, and the like. */
const MOST_ENTRIES: i32 = 65536;

/** Upper bound of seeds: whole numbers that doubles represent exactly. */
const SEED_LIMIT: f64 = 9007199254740992;

const NONE: i32 = -1;

/** Reads the options set by the host, if each is in its range. */
export function readOptions(simulation: Simulation): Status {
  for (let option: i32 = 0; option < Option.COUNT; option++) {
    const status = checkOption(option, at<f64>(columns.options, option));
    if (status === Status.Finished) continue;
    simulation.refusedOption = option;
    return status;
  }
  setPolicy(simulation);
  const status = readDynamicPolicy(simulation);
  if (status !== Status.Finished) return status;
  simulation.hasNoEstimates = choice(Option.NoEstimates);
  simulation.resolution = choice(Option.Resolution);
  simulation.instant = choice(Option.Instant);
  simulation.timesPasses = i32(hasPassTimes());
  simulation.plansByNodes = i32(choice(Option.PlanBy) === PlanBy.Nodes);
  simulation.hasPlanRules = i32(simulation.plansByNodes === 0 && hasPlanRules());
  simulation.order = choice(Option.Order);
  simulation.backfillOrder = choice(Option.BackfillOrder);
  simulation.discipline = choice(Option.Discipline);
  simulation.hasRules = i32(choice(Option.CandidateRules) > 0);
  simulation.lastDiscipline = max(simulation.discipline, choice(Option.CandidateRules) - 1);
  const depth = choice(Option.ReservationDepth);
  simulation.reservationDepth = depth === 0 ? 1 : depth - 1;
  simulation.topology = choice(Option.Topology);
  simulation.keepsReservations = i32(choice(Option.Reservations) === Reservations.Kept);
  simulation.reclaim = choice(Option.Reclaim);
  simulation.multiSite = choice(Option.MultiSite);
  simulation.moldable = choice(Option.Moldable);
  simulation.moldableFit = choice(Option.MoldableFit);
  simulation.selection = choice(Option.Selection);
  simulation.runtimeReference = choice(Option.RuntimeReference);
  simulation.tracksSets = choice(Option.ProcessorSets) | simulation.plansByNodes;
  simulation.hasTransfers = choice(Option.Transfers);
  simulation.recentJobs = choice(Option.RecentJobs);
  simulation.refreshesEstimates = i32(simulation.recentJobs > 0 && choice(Option.RefreshEstimates) !== 0);
  simulation.isOpen = choice(Option.Open);
  simulation.hasDependencies = choice(Option.Dependencies);
  simulation.hasCancellations = choice(Option.Cancellations);
  const hasGivenKeys = simulation.order === Order.Given || simulation.backfillOrder === 1 + Order.Given;
  readAccountOptions(simulation);
  simulation.outages = choice(Option.Outages);
  simulation.onOutage = choice(Option.OnOutage);
  simulation.preempts = i32(simulation.reclaim !== 0 || simulation.outages !== 0);
  simulation.siteSets = choice(Option.SiteSets);
  simulation.asksKeys = i32(hasGivenKeys && choice(Option.KeysAtSubmit) !== 0);
  simulation.changesKeys = i32(changesKeys(simulation));
  simulation.hasLateRanks = i32(hasLateRanks(simulation));
  simulation.boundsKeys = boundsKeys(simulation);
  simulation.hasBackfillRanks = i32(simulation.boundsKeys !== 0 || hasBackfillRanks(simulation));
  const movesRanks = simulation.hasLateRanks !== 0 || simulation.hasRules !== 0;
  simulation.movesRanks = i32(movesRanks || simulation.changesKeys !== 0);
  const isBySubmit = simulation.order === Order.Submit && blocksQueue(simulation.discipline);
  const isWindow = isBySubmit && simulation.topology === Topology.Shared && simulation.recentJobs === 0;
  const leavesWindow = simulation.hasCancellations !== 0 || simulation.outages !== 0;
  const countsJobs = (simulation.users | simulation.groups | simulation.limits) !== 0;
  simulation.hasPriorityQueue = i32(!isWindow || movesRanks || leavesWindow || countsJobs);
  const hasThreshold = simulation.moldable !== 0 && columns.optionOfRun(Option.MoldableThreshold) > 0;
  simulation.hasPredictions = i32(hasThreshold || plansAhead(simulation.lastDiscipline));
  return Status.Finished;
}

/** Reads which orders are expressions, and for which users and groups jobs and usage are counted. */
function readAccountOptions(simulation: Simulation): void {
  const isOrder = simulation.order === Order.Expression;
  const isBackfillOrder = simulation.backfillOrder === 1 + Order.Expression;
  simulation.programOrders = i32(isOrder) | (i32(isBackfillOrder) << 1);
  simulation.users = choice(Option.Users);
  simulation.groups = choice(Option.Groups);
  simulation.limits = choice(Option.Limits);
  const step = amount(Option.UsageStep);
  simulation.countsByNumber = i32(choice(Option.UsageCount) === UsageCount.ByNumber);
  simulation.usageDecay = step > 0 ? powerOf2(-(step / amount(Option.HalfLife))) : 0;
}

/** Reads the parameters of a policy that changes among candidates. */
function readDynamicPolicy(simulation: Simulation): Status {
  simulation.choosesPolicies = i32(simulation.policy === DYNAMIC_POLICY_NUMBER);
  simulation.policyCount = choice(Option.SharedPolicies);
  simulation.choicesGiven = choice(Option.ChoicesGiven);
  if (simulation.choosesPolicies === 0) return Status.Finished;
  const submitsPerTrial = amount(Option.Parameter0);
  const candidateCount = amount(Option.Parameter1);
  const futureCount = amount(Option.Parameter2);
  const seed = amount(Option.Parameter5);
  const areWhole =
    isCount(submitsPerTrial) && isCount(candidateCount) && isCount(futureCount) && floor<f64>(seed) === seed;
  simulation.hysteresis = amount(Option.Parameter3);
  simulation.smoothing = amount(Option.Parameter4);
  const areParametersShares = isShare(simulation.hysteresis) && isShare(simulation.smoothing);
  simulation.refusedOption = Option.Policy;
  if (!areWhole || !areParametersShares || !(seed >= 0 && seed < SEED_LIMIT)) return Status.ParameterInvalid;
  simulation.refusedOption = NONE;
  simulation.submitsPerTrial = <i32>submitsPerTrial;
  simulation.policyCount = <i32>candidateCount;
  simulation.futureCount = <i32>futureCount;
  simulation.seed = seed;
  return Status.Finished;
}

/** True if a number is a whole number of at least 1. */
@inline
function isCount(value: f64): bool {
  return value >= 1 && isChoice(value, MOST_ENTRIES);
}

@inline
function isShare(value: f64): bool {
  return value >= 0 && value < 1;
}

/** True if by its options the keys of waiting jobs change, with time or with their estimates. */
function changesKeys(simulation: Simulation): bool {
  if (changesWithTime(simulation.order)) return true;
  const isGiven = simulation.asksKeys !== 0 && simulation.order === Order.Given;
  return simulation.refreshesEstimates !== 0 && (isGiven || isByEstimate(simulation.order));
}

/** True if the rank of a job becomes known at its submission and is constant from then on. */
function hasLateRanks(simulation: Simulation): bool {
  if (simulation.changesKeys !== 0) return false;
  if (simulation.hasDependencies !== 0) return true;
  if (simulation.hasRules !== 0) return false;
  if (simulation.asksKeys !== 0 && simulation.order === Order.Given) return true;
  if (simulation.isOpen !== 0 && simulation.order !== Order.Submit) return true;
  return simulation.recentJobs > 0 && isByEstimate(simulation.order);
}

/** True if by its options every job has a constant second key for backfilling, known before the run. */
function hasBackfillRanks(simulation: Simulation): bool {
  if (simulation.backfillOrder === 0 || simulation.changesKeys !== 0 || simulation.hasRules !== 0)
    return false;
  const order: Order = simulation.backfillOrder - 1;
  if (changesWithTime(order) || simulation.hasDependencies !== 0 || simulation.isOpen !== 0) return false;
  if (simulation.asksKeys !== 0 && order === Order.Given) return false;
  return simulation.recentJobs === 0 || !isByEstimate(order);
}

/**
 * Orders in which the next job is found by bounds of keys (queue/keyBounds.ts), because keys change or are
 * not known before the run: 1 the queue's, 2 backfilling's. Not used if passes follow a plan, candidates are
 * tried, or skipped jobs are recorded, because those look at all jobs.
 */
function boundsKeys(simulation: Simulation): i32 {
  // The ranks of these searches are by width, so all jobs must be known.
  if (IS_RECORDING_BUILD || simulation.choosesPolicies !== 0 || simulation.isOpen !== 0) return 0;
  if (makesPlans(simulation) || (simulation.programOrders | simulation.limits) !== 0) return 0;
  const hasSecond = simulation.backfillOrder !== 0 && !hasBackfillRanks(simulation);
  return simulation.changesKeys | (i32(hasSecond) << 1);
}

/** True if every pass makes or continues a plan (disciplines/discipline.ts). */
function makesPlans(simulation: Simulation): bool {
  if (simulation.plansByNodes !== 0 || simulation.hasPlanRules !== 0) return true;
  if (simulation.discipline === Discipline.Conservative) return simulation.keepsReservations === 0;
  if (simulation.discipline !== Discipline.Easy) return false;
  if (simulation.reservationDepth !== 1 || simulation.outages !== 0) return true;
  if (simulation.selection === Selection.Allocator || simulation.topology === Topology.Independent)
    return false;
  return at<f64>(columns.room, Room.Sites) !== 1;
}

/** Reads only the policy and its parameters. */
export function setPolicy(simulation: Simulation): void {
  simulation.policy = choice(Option.Policy);
  simulation.asksHost = i32(simulation.policy === CUSTOM_POLICY_NUMBER);
  simulation.parameter0 = amount(Option.Parameter0);
  simulation.parameter1 = amount(Option.Parameter1);
  simulation.parameter2 = amount(Option.Parameter2);
  simulation.parameter3 = amount(Option.Parameter3);
}

@inline
function amount(option: Option): f64 {
  return at<f64>(columns.options, option);
}

@inline
export function choice(option: Option): i32 {
  return <i32>at<f64>(columns.options, option);
}

/** Checks that a value is in an option's range, as an amount at most 1e300. NaN fails all comparisons. */
export function checkOption(option: Option, value: f64): Status {
  if (isParameter(option)) return isFinite(value) ? Status.Finished : Status.ParameterInvalid;
  switch (option) {
    case Option.Policy:
      if (!isChoice(value, 1_000_000) || policyDeclaration(<i32>value) === 0) return Status.PolicyUnknown;
      return Status.Finished;
    case Option.SpeedupA:
    case Option.MultiSiteFactor:
      return value === 0 || (value >= 1 && value < Infinity) ? Status.Finished : Status.OptionInvalid;
    default: {
      const choices = choicesOf(option);
      const isAccepted = choices === 0 ? value >= 0 && value <= 1e300 : isChoice(value, choices);
      return isAccepted ? Status.Finished : Status.OptionInvalid;
    }
  }
}

/** True if an option is a parameter of the policy. */
function isParameter(option: Option): bool {
  switch (option) {
    case Option.Parameter0:
    case Option.Parameter1:
    case Option.Parameter2:
    case Option.Parameter3:
    case Option.Parameter4:
    case Option.Parameter5:
      return true;
    default:
      return false;
  }
}

/** True if an option is the policy or one of its parameters. */
export function isOfPolicy(option: Option): bool {
  return option === Option.Policy || isParameter(option);
}

/** True if an option is an amount: neither a choice nor part of the policy. */
export function isAmount(option: Option): bool {
  return choicesOf(option) === 0 && !isOfPolicy(option);
}

/** True if a value is a whole number from 0 to `choiceCount` - 1. */
@inline
function isChoice(value: f64, choiceCount: i32): bool {
  return value >= 0 && value < <f64>choiceCount && floor<f64>(value) === value;
}

/** True if the value of an option is a count without an upper limit. */
function isCountOption(option: Option): bool {
  switch (option) {
    case Option.ReservationDepth:
    case Option.BackfillJobs:
    case Option.BackfillSegments:
    case Option.ProgramInputs:
    case Option.Users:
    case Option.Groups:
    case Option.Limits:
    case Option.Outages:
    case Option.SiteSets:
      return true;
    default:
      return false;
  }
}

/** Number of values of an option that is a choice; 0 for an amount: any finite number of at least 0. */
function choicesOf(option: Option): i32 {
  if (isCountOption(option)) return i32.MAX_VALUE;
  if (option === Option.OnOutage) return 1 + OnOutage.Kill;
  switch (option) {
    case Option.SharedPolicies:
      return MOST_ENTRIES + 1;
    case Option.ProgramLength:
      return Limit.Instructions + 1;
    case Option.NodeProcessors:
      return Limit.Nodes + 1;
    case Option.RecentJobs:
      return MOST_RECENT;
    case Option.Resolution:
      return Resolution.COUNT;
    case Option.Instant:
      return Instant.COUNT;
    case Option.Order:
      return Order.COUNT;
    case Option.BackfillOrder:
      return 1 + Order.COUNT;
    case Option.Discipline:
      return Discipline.COUNT;
    case Option.CandidateRules:
      return 1 + Discipline.COUNT;
    case Option.Topology:
      return Topology.COUNT;
    case Option.MultiSite:
      return MultiSite.COUNT;
    case Option.Moldable:
      return Moldable.COUNT;
    case Option.MoldableFit:
      return MoldableFit.COUNT;
    case Option.Selection:
      return Selection.COUNT;
    case Option.RuntimeReference:
      return RuntimeReference.COUNT;
    case Option.Reservations:
      return Reservations.COUNT;
    case Option.PlanBy:
      return PlanBy.COUNT;
    case Option.UsageCount:
      return UsageCount.COUNT;
    case Option.ClosedOverlap:
    case Option.Reclaim:
    case Option.ProcessorSets:
    case Option.Transfers:
    case Option.NoEstimates:
    case Option.KeysByEstimate:
    case Option.KeysAtSubmit:
    case Option.ChoicesGiven:
    case Option.Dependencies:
    case Option.RefreshEstimates:
    case Option.Open:
      return 2;
    default:
      return option === Option.Cancellations ? 3 : 0;
  }
}

/** First option that conflicts with others; -1 if none. */
export function conflict(simulation: Simulation): i32 {
  // An independent site does not know of ends on other sites, so dependencies are refused.
  const isAlone = simulation.topology === Topology.Independent;
  if (simulation.hasDependencies !== 0 && isAlone) return Option.Topology;
  if (simulation.isOpen !== 0) {
    if (simulation.topology !== Topology.Shared) return Option.Topology;
    if (simulation.hasDependencies !== 0) return Option.Dependencies;
    if (choice(Option.SharedPolicies) > 0) return Option.SharedPolicies;
    if (simulation.choosesPolicies !== 0 && simulation.hasNoEstimates !== 0) return Option.NoEstimates;
  }
  if (simulation.asksHost !== 0 && isWithoutAllocator(simulation)) return Option.Policy;
  if (simulation.hasNoEstimates !== 0 && usesEstimates(simulation)) return Option.NoEstimates;
  if (simulation.choosesPolicies !== 0 && !canTryCandidates(simulation)) return Option.Policy;
  if (simulation.hasRules !== 0 && !allowsOtherRules(simulation)) return Option.CandidateRules;
  if (simulation.hasCancellations !== 0 && !allowsCancellations(simulation)) return Option.Cancellations;
  const accountOption = accountConflict(simulation);
  if (accountOption !== NONE) return accountOption;
  const outageOption = simulation.outages !== 0 ? outageConflict(simulation) : NONE;
  if (outageOption !== NONE) return outageOption;
  const siteSetOption = simulation.siteSets !== 0 ? siteSetConflict(simulation) : NONE;
  if (siteSetOption !== NONE) return siteSetOption;
  const passTimeOption = passConflict(simulation);
  if (passTimeOption !== NONE) return passTimeOption;
  const isEasy = simulation.discipline === Discipline.Easy;
  if (simulation.backfillOrder !== 0 && !isEasy) return Option.BackfillOrder;
  const isDeep = simulation.reservationDepth !== 1;
  if (isDeep && (!isEasy || simulation.choosesPolicies !== 0)) return Option.ReservationDepth;
  if (simulation.keepsReservations !== 0 && hasNoKeptReservations(simulation)) return Option.Reservations;
  if (simulation.recentJobs === 0 && choice(Option.RefreshEstimates) !== 0) return Option.RefreshEstimates;
  if (simulation.changesKeys !== 0) {
    if (simulation.moldable !== Moldable.None) return Option.Moldable;
    if (simulation.reclaim !== 0) return Option.Reclaim;
  }
  if (simulation.moldable !== Moldable.None) return moldableConflict(simulation);
  if (plansAhead(simulation.discipline)) return backfillingConflict(simulation);
  const backfillingOption = backfillingOnlyOption(simulation);
  if (backfillingOption !== NONE) return backfillingOption;
  const hasQueuePerHome = simulation.topology === Topology.PerHome;
  if (simulation.reclaim !== 0) {
    if (!hasQueuePerHome) return Option.Topology;
    if (simulation.multiSite !== 0) return Option.MultiSite;
  }
  return hasQueuePerHome && !blocksQueue(simulation.discipline) ? Option.Discipline : NONE;
}

/** An option about users and groups that conflicts with others; -1 if none. */
function accountConflict(simulation: Simulation): i32 {
  const hasUsage = (simulation.users | simulation.groups) !== 0;
  const countsJobs = hasUsage || simulation.limits !== 0;
  if (
    columns.optionOfRun(Option.UsageStep) > 0 &&
    (!hasUsage || !(columns.optionOfRun(Option.HalfLife) > 0))
  ) {
    return Option.UsageStep;
  }
  const lead = columns.optionOfRun(Option.UsageLead);
  if (lead !== 0 && !(lead < columns.optionOfRun(Option.UsageStep))) return Option.UsageLead;
  if (simulation.countsByNumber !== 0 && !(columns.optionOfRun(Option.UsageStep) > 0))
    return Option.UsageCount;
  if (!countsJobs) return NONE;
  if (simulation.reclaim !== 0) return Option.Reclaim;
  if (simulation.moldable !== Moldable.None) return Option.Moldable;
  if (simulation.multiSite !== 0) return Option.MultiSite;
  if (simulation.choosesPolicies !== 0) return Option.Policy;
  if (simulation.hasCancellations !== 0) return Option.Cancellations;
  if (hasUsage && simulation.topology === Topology.Independent) {
    if (simulation.instant === Instant.Batched) return Option.Instant;
    if (columns.optionOfRun(Option.Interval) > 0) return Option.Interval;
    if (simulation.keepsReservations !== 0) return Option.Reservations;
    if (hasPassTimes()) return passOption();
  }
  if (simulation.limits !== 0 && columns.optionOfRun(Option.MultiSiteFactor) > 0)
    return Option.MultiSiteFactor;
  const isGreedy = simulation.selection === Selection.Greedy || simulation.selection === Selection.Allocator;
  if (plansAhead(simulation.discipline) && !isGreedy) return Option.Selection;
  return simulation.hasDependencies !== 0 ? Option.Dependencies : NONE;
}

/** An option that conflicts with outages; -1 if none. */
function outageConflict(simulation: Simulation): i32 {
  if (simulation.reclaim !== 0) return Option.Reclaim;
  if (simulation.moldable !== Moldable.None) return Option.Moldable;
  if (simulation.multiSite !== 0) return Option.MultiSite;
  if (simulation.choosesPolicies !== 0) return Option.Policy;
  if (simulation.refreshesEstimates !== 0) return Option.RefreshEstimates;
  if (columns.optionOfRun(Option.Interval) > 0) return Option.Interval;
  if (columns.optionOfRun(Option.MultiSiteFactor) > 0) return Option.MultiSiteFactor;
  const isGreedy = simulation.selection === Selection.Greedy || simulation.selection === Selection.Allocator;
  return plansAhead(simulation.discipline) && !isGreedy ? Option.Selection : NONE;
}

/** An option that conflicts with sets of sites; -1 if none. */
function siteSetConflict(simulation: Simulation): i32 {
  if (simulation.topology === Topology.Independent) return Option.Topology;
  if (simulation.reclaim !== 0) return Option.Reclaim;
  if (simulation.moldable !== Moldable.None) return Option.Moldable;
  if (simulation.multiSite !== 0) return Option.MultiSite;
  if (columns.optionOfRun(Option.MultiSiteFactor) > 0) return Option.MultiSiteFactor;
  if (simulation.choosesPolicies !== 0) return Option.Policy;
  const isGreedy = simulation.selection === Selection.Greedy || simulation.selection === Selection.Allocator;
  return plansAhead(simulation.discipline) && !isGreedy ? Option.Selection : NONE;
}

/** An option about the times of passes, or about plans by nodes, that conflicts with others; -1 if none. */
function passConflict(simulation: Simulation): i32 {
  const nodeOption = nodeConflict(simulation);
  if (nodeOption !== NONE) return nodeOption;
  const hasBackfill = columns.optionOfRun(Option.BackfillInterval) > 0;
  if (!hasBackfill) {
    if (columns.optionOfRun(Option.BackfillOffset) > 0) return Option.BackfillOffset;
    if (simulation.timesPasses === 0) return NONE;
    // No pass would be known to come at the start of a reservation, so kept reservations are refused.
    if (simulation.keepsReservations !== 0) return passOption();
  }
  if (columns.optionOfRun(Option.Interval) > 0 || simulation.choosesPolicies !== 0) return passOption();
  if (!hasBackfill) return NONE;
  const hasNoBackfill = blocksQueue(simulation.discipline) || simulation.topology === Topology.PerHome;
  return hasNoBackfill ? Option.BackfillInterval : NONE;
}

/** An option about plans by nodes that conflicts with others; -1 if none. */
function nodeConflict(simulation: Simulation): i32 {
  if (simulation.plansByNodes === 0) {
    if (simulation.hasPlanRules !== 0 && !plansInPasses(simulation)) return planRuleOption();
    if (columns.optionOfRun(Option.BackfillJobs) > 0) return Option.BackfillJobs;
    if (columns.optionOfRun(Option.BackfillSegments) > 0) return Option.BackfillSegments;
    if (columns.optionOfRun(Option.ReleaseDelay) > 0) return Option.ReleaseDelay;
    if (columns.optionOfRun(Option.NodeProcessors) > 1) return Option.NodeProcessors;
    return columns.optionOfRun(Option.BackfillWindow) > 0 ? Option.BackfillWindow : NONE;
  }
  if (!plansInPasses(simulation)) return Option.PlanBy;
  if (simulation.asksHost !== 0 || simulation.hasTransfers !== 0) return Option.PlanBy;
  const isAlone = simulation.siteCount === 1 || simulation.topology === Topology.Independent;
  if (!isAlone && simulation.selection !== Selection.Allocator) return Option.PlanBy;
  if (columns.optionOfRun(Option.MultiSiteFactor) > 0) return Option.PlanBy;
  if (simulation.totalProcessors > Limit.Nodes) return Option.PlanBy;
  return simulation.selection === Selection.NonAdaptive ? Option.PlanBy : NONE;
}

/** True if by its options a simulation makes its plans in passes at a backfill interval. */
@inline
function plansInPasses(simulation: Simulation): bool {
  return columns.optionOfRun(Option.BackfillInterval) > 0 && plansAhead(simulation.discipline);
}

/** True if one of the options for plans is set: end windows, closed overlap or a resolution. */
@inline
function hasPlanRules(): bool {
  if (columns.optionOfRun(Option.EndWindow) > 0 || columns.optionOfRun(Option.ClosedOverlap) > 0) return true;
  return columns.optionOfRun(Option.BackfillResolution) > 0;
}

/** The first of the options for end windows, closed overlap and resolution that is set. */
function planRuleOption(): Option {
  if (columns.optionOfRun(Option.EndWindow) > 0) return Option.EndWindow;
  return columns.optionOfRun(Option.ClosedOverlap) > 0 ? Option.ClosedOverlap : Option.BackfillResolution;
}

/** True if by its options a simulation makes no reservations that `Reservations` `Kept` could keep. */
function hasNoKeptReservations(simulation: Simulation): bool {
  if (simulation.discipline !== Discipline.Conservative || simulation.choosesPolicies !== 0) return true;
  const isGreedy = simulation.selection === Selection.Greedy || simulation.selection === Selection.Allocator;
  if (columns.optionOfRun(Option.Interval) > 0 || simulation.refreshesEstimates !== 0) return true;
  if ((simulation.plansByNodes | simulation.hasPlanRules) !== 0) return true;
  return columns.optionOfRun(Option.MultiSiteFactor) > 0 || !isGreedy;
}

/** True if by its options a simulation bases some decision on estimates. */
export function usesEstimates(simulation: Simulation): bool {
  const hasThreshold = simulation.moldable !== 0 && columns.optionOfRun(Option.MoldableThreshold) > 0;
  const isComputed = simulation.order === Order.Given || simulation.order === Order.Expression;
  const hasKeys = isComputed && choice(Option.KeysByEstimate) !== 0;
  const isOrdered = isByEstimate(simulation.order) || simulation.order === Order.Wfp3 || hasKeys;
  return plansAhead(simulation.lastDiscipline) || isOrdered || hasThreshold || simulation.recentJobs > 0;
}

/** True if the options of a simulation permit cancellations of waiting and running jobs. */
function allowsCancellations(simulation: Simulation): bool {
  if (simulation.hasCancellations === 2 && simulation.isOpen === 0) return false;
  if (simulation.reclaim !== 0 || simulation.moldable !== Moldable.None || simulation.multiSite !== 0) {
    return false;
  }
  if (columns.optionOfRun(Option.MultiSiteFactor) > 0 || columns.optionOfRun(Option.Interval) > 0)
    return false;
  if (simulation.choosesPolicies !== 0) return false;
  if (!plansAhead(simulation.discipline)) return true;
  return simulation.selection === Selection.Greedy || simulation.selection === Selection.Allocator;
}

/** True if by its options no allocator chooses sites, so that the host would never be asked. */
function isWithoutAllocator(simulation: Simulation): bool {
  if (simulation.moldable !== Moldable.None) return true;
  return plansAhead(simulation.discipline) && simulation.selection !== Selection.Allocator;
}

/**
 * Options that backfilling and moldable jobs exclude; each of the following functions returns one that is
 * set, or -1.
 */

/** First set option that only backfilling uses; -1 if none. */
export function backfillingOnlyOption(simulation: Simulation): i32 {
  if (simulation.hasTransfers !== 0) return Option.Transfers;
  if (columns.optionOfRun(Option.Interval) > 0) return Option.Interval;
  if (columns.optionOfRun(Option.MultiSiteFactor) > 0) return Option.MultiSiteFactor;
  return simulation.runtimeReference !== RuntimeReference.Speed1 ? Option.RuntimeReference : -1;
}

/**
 * First set option that backfilling excludes; -1 if none. Backfilling needs one shared queue or independent
 * sites.
 */
export function backfillingConflict(simulation: Simulation): i32 {
  if (simulation.multiSite !== 0) return Option.MultiSite;
  if (simulation.reclaim !== 0) return Option.Reclaim;
  if (simulation.topology === Topology.PerHome) return Option.Topology;
  if (simulation.selection !== Selection.Allocator) {
    if (columns.optionOfRun(Option.MinSpeedRatio) > 0) return Option.MinSpeedRatio;
  } else if (simulation.topology === Topology.Shared) {
    // Allocators do not take these options into account, so they are refused.
    if (columns.optionOfRun(Option.MultiSiteFactor) > 0) return Option.MultiSiteFactor;
    if (simulation.hasTransfers !== 0) return Option.Transfers;
    if (simulation.runtimeReference !== RuntimeReference.Speed1) return Option.RuntimeReference;
  }
  const isAlone = simulation.topology === Topology.Independent;
  if (isAlone && columns.optionOfRun(Option.MultiSiteFactor) > 0) return Option.MultiSiteFactor;
  const looksAtSets =
    columns.optionOfRun(Option.MultiSiteFactor) > 0 && simulation.selection === Selection.Optimal;
  return looksAtSets && simulation.siteCount > Limit.SitesOfSets ? Option.Selection : -1;
}

/**
 * First set option that moldable jobs exclude; -1 if none. They need first come, first served on one shared
 * queue.
 */
export function moldableConflict(simulation: Simulation): i32 {
  if (!blocksQueue(simulation.discipline)) return Option.Discipline;
  if (simulation.topology !== Topology.Shared) return Option.Topology;
  if (simulation.multiSite !== 0) return Option.MultiSite;
  if (simulation.reclaim !== 0) return Option.Reclaim;
  if (columns.optionOfRun(Option.MinSpeedRatio) > 0) return Option.MinSpeedRatio;
  if (simulation.moldable === Moldable.UpDown && simulation.siteCount > 1) return Option.Moldable;
  if (columns.optionOfRun(Option.MoldableThreshold) > 0 && simulation.recentJobs > 0)
    return Option.RecentJobs;
  return backfillingOnlyOption(simulation);
}
