import { Limit, Option } from '../abi/abi';
import { Instruction } from '../abi/abiColumns';
import { Simulation } from '../memory/state';
import * as columns from '../memory/columns';
import { IS_CHECKED_BUILD, Work, count } from '../memory/check';
import { logarithm, powerOf2 } from './powers';
import * as usage from './usage';
import { at, put } from '../memory/memory';
import * as priorityQueue from './priorityQueue';

/**
 * Keys of orders that are expressions, computed for all waiting jobs at the beginning of a pass, or later
 * when the first queue is sorted; nothing has started until then. An instruction is executed for a block of
 * 64 jobs at a time.
 */

/** Records that a pass begins. */
@inline
export function markKeysDueForPass(simulation: Simulation): void {
  if (simulation.programOrders !== 0) simulation.keysDue = 1;
}

/** Computes the keys of all waiting jobs. */
export function computeAgingKeys(simulation: Simulation): void {
  simulation.keysDue = 0;
  if ((simulation.users | simulation.groups) !== 0) usage.bringUsageUpToDate(simulation);
  let listedCount = 0;
  let rank = priorityQueue.nextRank(simulation, 0);
  for (; rank < simulation.jobCount; rank = priorityQueue.nextRank(simulation, rank + 1)) {
    if (IS_CHECKED_BUILD) count(Work.QueueLooks);
    put<i32>(columns.keyedJobs, listedCount++, at<i32>(columns.jobAt, rank));
    if (listedCount < columns.KEYS_PER_BLOCK) continue;
    computeKeysOfBlock(simulation, listedCount);
    listedCount = 0;
  }
  if (listedCount > 0) computeKeysOfBlock(simulation, listedCount);
}

/** Computes the keys of the first `listedCount` jobs of the block. */
function computeKeysOfBlock(simulation: Simulation, listedCount: i32): void {
  let backfillProgram = 0;
  if ((simulation.programOrders & 1) !== 0) {
    backfillProgram = evaluateExpression(simulation, 0, listedCount);
    storeKeys(simulation, columns.keys, listedCount);
  }
  if ((simulation.programOrders & 2) === 0) return;
  evaluateExpression(simulation, backfillProgram, listedCount);
  storeKeys(simulation, columns.backfillKeys, listedCount);
}

/**
 * Stores the results as keys of the listed jobs; a key that is not finite becomes 0, and its job is refused.
 */
function storeKeys(simulation: Simulation, keys: usize, listedCount: i32): void {
  for (let index = 0; index < listedCount; index++) {
    const job = at<i32>(columns.keyedJobs, index);
    // Adding 0 turns -0 into 0.
    let key = at<f64>(columns.expressionStacks, index) + 0;
    if (!isFinite(key)) {
      key = 0;
      if (simulation.keylessJob === 0) simulation.keylessJob = job + 1;
    }
    put<f64>(keys, job, key);
  }
}

/**
 * Executes an expression, from `instruction` up to its `End`, for the listed jobs; returns the instruction
 * behind it.
 */
function evaluateExpression(simulation: Simulation, instruction: i32, listedCount: i32): i32 {
  // Address of the first unused row; a row has one value of each job's stack.
  let stackTop = columns.expressionStacks;
  const rowBytes = (<usize>columns.KEYS_PER_BLOCK) << 3;
  while (true) {
    const instructionCode = <Instruction>at<f64>(columns.program, 2 * instruction);
    const argument = at<f64>(columns.program, 2 * instruction + 1);
    instruction++;
    if (instructionCode === Instruction.End) return instruction;
    const doesPushValues = doesPushInstruction(instructionCode);
    if (doesPushValues) pushValues(simulation, instructionCode, argument, stackTop, listedCount);
    else if (isUnaryInstruction(instructionCode))
      applyUnaryInstruction(instructionCode, stackTop - rowBytes, listedCount);
    else applyBinaryInstruction(instructionCode, stackTop - 2 * rowBytes, stackTop - rowBytes, listedCount);
    if (doesPushValues) stackTop += rowBytes;
    else if (!isUnaryInstruction(instructionCode)) stackTop -= rowBytes;
  }
}

@inline
function doesPushInstruction(code: Instruction): bool {
  switch (code) {
    case Instruction.Number:
    case Instruction.Input:
    case Instruction.Estimate:
    case Instruction.Wait:
    case Instruction.Now:
    case Instruction.Usage:
    case Instruction.GroupUsage:
    case Instruction.Running:
    case Instruction.Share:
      return true;
    default:
      return false;
  }
}

@inline
function isUnaryInstruction(code: Instruction): bool {
  switch (code) {
    case Instruction.Absolute:
    case Instruction.SquareRoot:
    case Instruction.Logarithm:
    case Instruction.PowerOf2:
    case Instruction.Not:
    case Instruction.Floor:
      return true;
    default:
      return false;
  }
}

/** Writes the value that an instruction pushes onto the stack, for each listed job. */
function pushValues(
  simulation: Simulation,
  code: Instruction,
  argument: f64,
  target: usize,
  listedCount: i32,
): void {
  if (code === Instruction.Number) fillValues(target, argument, listedCount);
  else if (code === Instruction.Now)
    fillValues(target, simulation.now - at<f64>(columns.submits, 0), listedCount);
  else if (code === Instruction.Share) fillValues(target, 1 / <f64>simulation.seenUsers, listedCount);
  else {
    const input = columns.programInputs + <usize>argument * <usize>simulation.jobCount * sizeof<f64>();
    for (let index = 0; index < listedCount; index++) {
      const job = at<i32>(columns.keyedJobs, index);
      put<f64>(
        target,
        index,
        code === Instruction.Input ? at<f64>(input, job) : valueOfJob(simulation, code, job),
      );
    }
  }
}

@inline
function fillValues(target: usize, value: f64, listedCount: i32): void {
  for (let index = 0; index < listedCount; index++) put<f64>(target, index, value);
}

/** Value of a job that an instruction without input column pushes. */
function valueOfJob(simulation: Simulation, code: Instruction, job: i32): f64 {
  switch (code) {
    case Instruction.Estimate:
      return at<f64>(columns.estimates, job) * at<f64>(columns.loads, at<i32>(columns.homes, job));
    case Instruction.Wait:
      return simulation.now - at<f64>(columns.submits, job);
    case Instruction.Usage:
      return usage.usageShareOfUser(job);
    case Instruction.GroupUsage:
      return usage.usageShareOfGroup(job);
    default:
      return usage.processorsInUseByUser(job);
  }
}

/** Replaces the top value of each job's stack by a function of that value. */
function applyUnaryInstruction(code: Instruction, values: usize, listedCount: i32): void {
  for (let index = 0; index < listedCount; index++) {
    put<f64>(values, index, applyUnaryFunction(code, at<f64>(values, index)));
  }
}

function applyUnaryFunction(code: Instruction, value: f64): f64 {
  switch (code) {
    case Instruction.Absolute:
      return abs<f64>(value);
    case Instruction.SquareRoot:
      return sqrt<f64>(value);
    case Instruction.Logarithm:
      return logarithm(value);
    case Instruction.PowerOf2:
      return powerOf2(value);
    case Instruction.Floor:
      return floor<f64>(value);
    default:
      return <f64>i32(value === 0);
  }
}

/** Replaces the first of two values of each job by a function of both. */
function applyBinaryInstruction(code: Instruction, values: usize, others: usize, listedCount: i32): void {
  for (let index = 0; index < listedCount; index++) {
    put<f64>(values, index, applyBinaryOperator(code, at<f64>(values, index), at<f64>(others, index)));
  }
}

@inline
function applyBinaryOperator(code: Instruction, value: f64, other: f64): f64 {
  switch (code) {
    case Instruction.Add:
      return value + other;
    case Instruction.Subtract:
      return value - other;
    case Instruction.Multiply:
      return value * other;
    case Instruction.Divide:
      return value / other;
    case Instruction.Minimum:
      return min<f64>(value, other);
    case Instruction.Maximum:
      return max<f64>(value, other);
    case Instruction.Less:
      return <f64>i32(value < other);
    case Instruction.LessOrEqual:
      return <f64>i32(value <= other);
    case Instruction.Equal:
      return <f64>i32(value === other);
    case Instruction.And:
      return <f64>(i32(value !== 0) & i32(other !== 0));
    default:
      return <f64>(i32(value !== 0) | i32(other !== 0));
  }
}

/** Option by which the instructions are refused; -1 if they can be executed. */
export function refusedOption(simulation: Simulation): i32 {
  const expressionCount = (simulation.programOrders & 1) + (simulation.programOrders >> 1);
  let instruction = 0;
  for (let expression = 0; expression < expressionCount; expression++) {
    let stackDepth = 0;
    while (true) {
      if (instruction >= <i32>columns.optionOfRun(Option.ProgramLength)) return Option.ProgramLength;
      const code = at<f64>(columns.program, 2 * instruction);
      if (!(code >= 0 && code < Instruction.COUNT && floor<f64>(code) === code)) return Option.ProgramLength;
      if (!isInputKnown(simulation, <Instruction>code, at<f64>(columns.program, 2 * instruction + 1))) {
        return requiredOption(<Instruction>code);
      }
      instruction++;
      if (<Instruction>code === Instruction.End) break;
      if (doesPushInstruction(<Instruction>code)) stackDepth++;
      else stackDepth -= isUnaryInstruction(<Instruction>code) ? 0 : 1;
      if (stackDepth < 1 || stackDepth > Limit.StackDepth) return Option.ProgramLength;
    }
    if (stackDepth !== 1) return Option.ProgramLength;
  }
  return -1;
}

/** True if the value that an instruction pushes is available with the options of the run. */
function isInputKnown(simulation: Simulation, code: Instruction, argument: f64): bool {
  switch (code) {
    case Instruction.Input:
      if (!(argument >= 0 && argument < columns.optionOfRun(Option.ProgramInputs))) return false;
      return floor<f64>(argument) === argument;
    case Instruction.Usage:
      return simulation.users !== 0 && simulation.usageDecay > 0;
    case Instruction.GroupUsage:
      return simulation.groups !== 0 && simulation.usageDecay > 0;
    case Instruction.Running:
    case Instruction.Share:
      return simulation.users !== 0;
    default:
      return true;
  }
}

/** Option that an instruction needs. */
function requiredOption(code: Instruction): Option {
  if (code === Instruction.Input) return Option.ProgramInputs;
  return code === Instruction.GroupUsage ? Option.Groups : Option.Users;
}
