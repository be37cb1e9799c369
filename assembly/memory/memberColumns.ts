/** The columns of policies that share a simulation; columns.ts says how. */
import { Column } from '../abi/abiColumns';
import { column, shown } from './columnWalk';
import { Simulation } from './state';

/** Most policies that may decide differently and share a simulation: bits of a set. */
export const MOST_MEMBERS: i32 = 64;
/** Entries of a policy as the host writes it (number and parameters), of a tally, and of a row of sets. */
export const POLICY_ENTRIES: i32 = 5;
export const TALLY_ENTRIES: i64 = 3;
export const MEMBER_ROW_ENTRIES: i64 = 5;

export let policies: usize = 0;
export let memberOf: usize = 0;
export let memberRules: usize = 0;
export let memberThresholds: usize = 0;
export let thresholds: usize = 0;
export let memberRows: usize = 0;
export let memberAccounts: usize = 0;
export let historyOrder: usize = 0;
export let signatures: usize = 0;
export let histories: usize = 0;

/** What the host writes: the policies. */
export function placeGivenPolicies(simulation: Simulation): void {
  const rows = simulation.roomForPolicies;
  if (rows > 0) shown<f64>(Column.Policies, POLICY_ENTRIES * rows);
}

/** The same as `begin` takes them. */
export function placePolicies(simulation: Simulation): void {
  const rows = simulation.roomForPolicies;
  if (rows > 0) policies = column<f64>(POLICY_ENTRIES * rows);
}

/**
 * What they prefer, their accounts, and their histories, each of so many bytes of live scalars and columns
 * and so many running jobs at most.
 */
@inline
export function placeMembers(simulation: Simulation, liveBytes: usize, mostRunning: i64): void {
  const rows = simulation.roomForPolicies;
  if (rows === 0) return;
  const members = min(rows, MOST_MEMBERS);
  const words = <i64>(liveBytes >> 3);
  memberOf = column<i32>(rows);
  memberRules = column<i32>(members);
  memberThresholds = column<f64>(members);
  thresholds = column<f64>(members);
  memberRows = column<u64>(MEMBER_ROW_ENTRIES * (members + 2));
  memberAccounts = column<u64>(members * words);
  historyOrder = column<i32>(members);
  signatures = column<u64>(members);
  histories = column<u64>(members * (words + 2 * mostRunning));
}
