/** Keys that sort the waiting queue, one per job. */
import { loadCoreConstants } from '../core/module.js';
import { describeReturnedValue, describeThrownValue, FunctionError, InputError } from '../errors.js';
import {
  columnsKnownAtSubmit,
  SUBMITTED_ATTRIBUTES,
  type SubmittedAttribute,
  type UnsimulatedJobs,
} from '../jobs/attributes.js';
import type { Configuration } from '../options/configuration.js';
import type { HasNameTest, NumberColumns, RowValueFunction } from '../options/expression.js';
import {
  dependsOnEstimates,
  isFunctionOrder,
  isTimeDependentOrder,
  listStateColumnsOfOrder,
  needsHostComputedKeys,
  type Order,
  type OrderedJob,
  type OrderFunction,
  parseOrderExpression,
  printOrder,
} from '../options/order.js';
import { findProvidedCode, isCodeFileName } from '../providedCode.js';
import { findNumbersOfLogName } from '../trace/filter.js';
import { type NumberNames, nameOfLogNumber } from '../trace/trace.js';
import type { Workload } from '../workload/workload.js';
import { ESTIMATE_REQUESTED_WITHOUT_ESTIMATES } from './decisionView.js';
import { rememberWorkloadOfView } from './policyView.js';

/**
 * Columns of jobs, in submit order, that orders use; `job` and `log` may be absent if no order needs them.
 */
export type KeyedColumns = UnsimulatedJobs &
  Pick<Workload, 'name'> & {
    /** Names of the numbers in log fields. */
    readonly names?: NumberNames | undefined;
    readonly recent?: unknown;
    readonly dependencies?: unknown;
    readonly unestimated?: true;
  };

/**
 * True if order keys are computed when a job is submitted, because its estimate is known only then: for
 * expressions that use the estimate, and for user-written functions, which may read it.
 */
export function areOrderKeysComputedAtSubmit(
  orders: readonly Order[],
  jobColumns: Pick<KeyedColumns, 'recent'>,
): boolean {
  return (
    jobColumns.recent !== undefined &&
    orders.some((order) => needsHostComputedKeys(order) && dependsOnEstimates(order))
  );
}

/**
 * Settings that order keys depend on: sizes and load factors of the home sites, and the times at which usage
 * is computed.
 */
export type OrderKeySettings = Pick<Configuration, 'load' | 'grid' | 'usageStep' | 'usageOffset'>;

/**
 * Computes the key of each job.
 * @throws InputError for a key that is not a finite number, naming the job; FunctionError if the function of
 * an order fails.
 */
export function computeOrderKeys(
  order: Order,
  jobColumns: KeyedColumns,
  settings: OrderKeySettings,
): Float64Array {
  const keyOf = makeCheckedKeyFunction(order, jobColumns, makeOrderColumnsOfJobs(jobColumns, settings));
  return Float64Array.from({ length: jobColumns.count }, (_, job) => keyOf(job));
}

/**
 * Creates a function that computes the key of a job at its submission from its estimate; it throws like
 * `computeOrderKeys`.
 */
export function computeOrderKeyAtSubmit(
  order: Order,
  jobColumns: KeyedColumns,
  settings: OrderKeySettings,
): (job: number, estimate: number) => number {
  const orderColumns = makeOrderColumnsOfJobs(jobColumns, settings);
  const keyOf = makeCheckedKeyFunction(order, jobColumns, orderColumns);
  return (job, estimate) => {
    orderColumns.estimate[job] = estimate * settings.load[jobColumns.home[job]!]!;
    return keyOf(job);
  };
}

/** Compiled expressions of queue orders, which the core evaluates for every waiting job in each pass. */
export interface OrderProgram {
  /** Instructions and their arguments, pair by pair. */
  readonly code: Float64Array;
  /** Values of each input for all jobs. */
  readonly inputs: Float64Array;
  readonly inputCount: number;
  /** Names of columns in the orders whose values depend on the state of the simulation, such as `usage`. */
  readonly states: ReadonlySet<string>;
}

/**
 * Compiles orders that depend on time into a program that computes the sort keys of jobs in each pass. Without
 * `jobColumns` the program has its final size but no values of jobs, so it cannot run.
 */
export function compileOrderProgram(
  orders: readonly Order[],
  jobColumns?: KeyedColumns,
  settings?: OrderKeySettings,
): OrderProgram {
  const { Instruction } = loadCoreConstants();
  const timeDependentExpressions = orders.filter(
    (order) => typeof order === 'string' && isTimeDependentOrder(order),
  );
  // The columns take longer than a short simulation.
  const orderColumns =
    timeDependentExpressions.length > 0 && jobColumns && settings
      ? makeOrderColumnsOfJobs(jobColumns, settings)
      : undefined;
  const programCode: number[] = [];
  const inputs: RowValueFunction[] = [];
  const stateNames = new Set<string>();
  for (const orderText of timeDependentExpressions as readonly string[]) {
    const makeHasNameTest = jobColumns && orderColumns && makeJobNameTest(orderColumns, jobColumns.names);
    for (const stateName of listStateColumnsOfOrder(orderText)) stateNames.add(stateName);
    for (const { name, argument = 0 } of parseOrderExpression(orderText, 'order', makeHasNameTest).code) {
      const argumentNumber = typeof argument === 'number' ? argument : inputs.push(argument) - 1;
      programCode.push(Instruction[name] as number, argumentNumber);
    }
    programCode.push(Instruction.End, 0);
  }
  const jobCount = jobColumns?.count ?? 0;
  const inputValues = new Float64Array(inputs.length * jobCount);
  inputs.forEach((valueAt, i) => {
    for (let job = 0; job < jobCount; job++)
      inputValues[i * jobCount + job] = valueAt(orderColumns as OrderColumns, job);
  });
  return {
    code: Float64Array.from(programCode),
    inputs: inputValues,
    inputCount: inputs.length,
    states: stateNames,
  };
}

/** Seconds from the begin of the first usage step to the first submission. */
export function computeUsageLeadSeconds({
  usageStep,
  usageOffset,
}: Pick<OrderKeySettings, 'usageStep' | 'usageOffset'>): number {
  const usagePhaseSeconds = usageOffset % usageStep;
  return usagePhaseSeconds === 0 ? 0 : usageStep - usagePhaseSeconds;
}

/**
 * Numbers users or groups from 0 in order of appearance; all jobs whose user or group is unknown share one
 * number.
 */
export function assignAccountNumbers(ownerNumbers: ArrayLike<number>): {
  readonly accounts: Int32Array;
  readonly count: number;
} {
  const accountByNumber = new Map<number, number>();
  const accounts = Int32Array.from(ownerNumbers, (number) => {
    const ownerNumber = Math.max(-1, number);
    const account = accountByNumber.get(ownerNumber) ?? accountByNumber.size;
    accountByNumber.set(ownerNumber, account);
    return account;
  });
  return { accounts, count: accountByNumber.size };
}

/**
 * Creates a function that tests whether a job's user, group, queue or partition has a given name in the log.
 */
export function makeJobNameTest(orderColumns: OrderColumns, logNames: NumberNames | undefined): HasNameTest {
  return (column, name) => {
    const numbersOfName = new Set(findNumbersOfLogName(logNames, column, name));
    return (job) => numbersOfName.has(orderColumns[column]![job]!);
  };
}

function makeCheckedKeyFunction(
  order: Order,
  jobColumns: KeyedColumns,
  orderColumns: OrderColumns,
): (job: number) => number {
  const keyOf = makeOrderKeyFunction(order, orderColumns, jobColumns);
  return (job) => {
    const sortKey = keyOf(job);
    // Adding 0 turns -0 into 0.
    if (Number.isFinite(sortKey)) return sortKey + 0;
    const FaultClass = isFunctionOrder(order) ? FunctionError : InputError;
    throw new FaultClass(
      `${jobColumns.name}, ${describeOrderedJob(orderColumns, job, jobColumns.names)}: the order ${printOrder(order)} gives the key ${describeReturnedValue(sortKey)}, expected a finite number`,
    );
  };
}

function describeOrderedJob(
  { number, submit }: OrderColumns,
  job: number,
  logNames: NumberNames | undefined,
): string {
  return `job ${nameOfLogNumber(logNames, 'job', number[job]!)}, submitted at ${submit[job]}`;
}

type OrderColumns = NumberColumns &
  Record<SubmittedAttribute, ArrayLike<number>> & { readonly estimate: Float64Array };

/** Creates the columns of job attributes in order expressions that are known before the simulation. */
export function makeOrderColumnsOfJobs(
  jobColumns: KeyedColumns,
  { load, grid, usageStep, usageOffset }: OrderKeySettings,
): OrderColumns {
  const { submit, home, firstSubmit = submit[0]! } = jobColumns;
  // Waits are computed at the first submission: as keys grow equally with the wait, the order is the same at any time.
  const waits = submit.map((time) => firstSubmit - time);
  const homeSiteCapacities = home.map((site) => grid.capacities[site]!);
  const makeConstantColumn = (constantValue: number) => new Float64Array(submit.length).fill(constantValue);
  return {
    ...columnsKnownAtSubmit(jobColumns, load),
    ...{
      siteProcessors: homeSiteCapacities,
      wait: waits,
      usageStep: makeConstantColumn(usageStep),
      usageOffset: makeConstantColumn(usageOffset),
    },
  } as unknown as OrderColumns;
}

function makeOrderKeyFunction(
  order: Order,
  orderColumns: OrderColumns,
  jobColumns: KeyedColumns,
): (job: number) => number {
  const { name: logName, unestimated, names, dependencies } = jobColumns;
  if (typeof order === 'string' && !isCodeFileName(order)) {
    const expression = parseOrderExpression(order, 'order', makeJobNameTest(orderColumns, names));
    if (dependencies !== undefined && expression.columns.has('wait'))
      throw new InputError(
        `the order ${order} uses the wait, and with dependencies submit times are not known beforehand; omit one of them`,
      );
    return (job) => expression.valueAt(orderColumns, job);
  }
  const orderName = printOrder(order);
  const keyFunction = (
    typeof order === 'function' ? order : findProvidedCode(order, 'order').exports?.default
  ) as OrderFunction;
  return (job) => {
    try {
      const orderedJob = makeOrderedJob(orderColumns, job);
      return keyFunction(
        rememberWorkloadOfView(unestimated ? makeJobWithoutEstimate(orderedJob) : orderedJob, jobColumns),
      );
    } catch (error) {
      throw new FunctionError(
        `${logName}, ${describeOrderedJob(orderColumns, job, names)}: the order ${orderName} failed: ${describeThrownValue(error, orderName)}`,
      );
    }
  };
}

/** View of a job whose estimate is unknown. */
function makeJobWithoutEstimate(orderedJob: OrderedJob): OrderedJob {
  return Object.defineProperty(orderedJob, 'estimate', {
    get() {
      throw new Error(ESTIMATE_REQUESTED_WITHOUT_ESTIMATES);
    },
  });
}

function makeOrderedJob(orderColumns: OrderColumns, job: number): OrderedJob {
  const row = Object.fromEntries(
    SUBMITTED_ATTRIBUTES.map((attributeName) => [attributeName, orderColumns[attributeName]![job]]),
  );
  return row as unknown as OrderedJob;
}
