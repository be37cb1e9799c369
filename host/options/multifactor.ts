/** The order `multifactor[age=1000,fairshare=10000,...]`: the priority of Slurm's plugin priority/multifactor, as an expression. */
import { InputError } from '../errors.js';
import { makeUnknownNameError, type NumberRange, parseNotation, parseNumber } from '../notation.js';

/** A factor of a job's priority. */
export interface PriorityFactor {
  readonly name: 'age' | 'fairshare' | 'size' | 'partition';
  /** Points for a factor of 1; the value is 1 for partitions, which are given in points directly. */
  readonly weight: number;
  /** Expression for the factor of a job. */
  readonly value: string;
}

/** Name of the order. */
export const MULTIFACTOR_ORDER_NAME = 'multifactor';

const PARTITION_PARAMETER_PREFIX = 'partition.';
const SHARE_PARAMETER_PREFIX = 'share.';

/** Range of weights and points; Slurm's priorities have 32 bits. */
const PRIORITY_POINTS_RANGE: NumberRange = { atLeast: 0, atMost: 2 ** 32 - 1 };
const MULTIFACTOR_NUMBER_RANGES = {
  age: PRIORITY_POINTS_RANGE,
  maxAge: { above: 0, isTime: true },
  fairshare: PRIORITY_POINTS_RANGE,
  share: { above: 0, atMost: 1 },
  damp: { above: 0 },
  size: PRIORITY_POINTS_RANGE,
  nodes: { atLeast: 1 },
} as const satisfies Readonly<Record<string, NumberRange>>;
const MULTIFACTOR_SWITCHES = ['favorSmall', 'perTime'] as const;
const MULTIFACTOR_PARAMETER_NAMES: readonly string[] = [
  ...Object.keys(MULTIFACTOR_NUMBER_RANGES),
  ...MULTIFACTOR_SWITCHES,
  `${PARTITION_PARAMETER_PREFIX}NAME`,
  `${SHARE_PARAMETER_PREFIX}NAME`,
];

/** Parameters of a multifactor order; those that the notation omits are undefined. */
type MultifactorSettings = { readonly [Name in keyof typeof MULTIFACTOR_NUMBER_RANGES]?: number } & {
  readonly [Name in (typeof MULTIFACTOR_SWITCHES)[number]]: boolean;
} & {
  /** Points by partition name. */
  readonly partitions: ReadonlyMap<string, number>;
  /** Shares by user name. */
  readonly shares: ReadonlyMap<string, number>;
};

/** True if a text denotes a multifactor order. */
export function isMultifactorOrder(orderText: string): boolean {
  return /^multifactor\s*(\[|$)/.test(orderText);
}

/**
 * Parses the factors with a nonzero weight of a multifactor order.
 * @throws InputError for an unknown parameter, a value out of range, or an order without any weight.
 */
export function parsePriorityFactors(orderText: string, errorContext = 'order'): PriorityFactor[] {
  const settings = parseMultifactorSettings(orderText, errorContext);
  const { age = 0, fairshare = 0, size = 0, partitions } = settings;
  const factors: PriorityFactor[] = [
    { name: 'age', weight: age, value: makeAgeFactorExpression(settings) },
    { name: 'fairshare', weight: fairshare, value: makeFairshareFactorExpression(settings) },
    { name: 'size', weight: size, value: makeSizeFactorExpression(settings) },
    {
      name: 'partition',
      weight: Math.max(0, ...partitions.values()) && 1,
      value: makePartitionPointsExpression(partitions),
    },
  ];
  const weightedFactors = factors.filter(({ weight }) => weight > 0);
  if (weightedFactors.length > 0) return weightedFactors;
  throw new InputError(
    `${errorContext}: ${MULTIFACTOR_ORDER_NAME} needs a weight above 0, such as ${MULTIFACTOR_ORDER_NAME}[age=1000,fairshare=10000]`,
  );
}

/** Expression for a multifactor order: the negated priority, which is a whole number of at least 1. */
export function makeMultifactorExpression(orderText: string, errorContext = 'order'): string {
  const terms = parsePriorityFactors(orderText, errorContext).map(({ weight, value: factorValue }) =>
    weight === 1 ? factorValue : `${weight} * ${factorValue}`,
  );
  return `-max(1, floor(${terms.join(' + ')}))`;
}

/** Notation without brackets that hold no parameter. */
export const omitEmptyBrackets = (orderText: string) => orderText.replace(/\[\s*\]\s*$/, '');

function parseMultifactorSettings(orderText: string, errorContext: string): MultifactorSettings {
  const { parameters } = parseNotation(omitEmptyBrackets(orderText));
  const partitions = new Map<string, number>();
  const shares = new Map<string, number>();
  const parameterNumberByName: { -readonly [Name in keyof typeof MULTIFACTOR_NUMBER_RANGES]?: number } = {};
  const switchValueByName = { favorSmall: false, perTime: false };
  for (const [name, valueText] of parameters) {
    const parameterErrorContext = `${errorContext}, ${MULTIFACTOR_ORDER_NAME}, ${name}`;
    if (name.startsWith(PARTITION_PARAMETER_PREFIX) && name !== PARTITION_PARAMETER_PREFIX)
      partitions.set(
        name.slice(PARTITION_PARAMETER_PREFIX.length),
        parseNumber(valueText, parameterErrorContext, PRIORITY_POINTS_RANGE),
      );
    else if (name.startsWith(SHARE_PARAMETER_PREFIX) && name !== SHARE_PARAMETER_PREFIX)
      shares.set(
        name.slice(SHARE_PARAMETER_PREFIX.length),
        parseNumber(valueText, parameterErrorContext, MULTIFACTOR_NUMBER_RANGES.share),
      );
    else if (isMultifactorNumberName(name))
      parameterNumberByName[name] = parseNumber(
        valueText,
        parameterErrorContext,
        MULTIFACTOR_NUMBER_RANGES[name],
      );
    else if (isMultifactorSwitchName(name)) {
      if (valueText !== 'yes' && valueText !== 'no')
        throw makeUnknownNameError(`value of ${parameterErrorContext}`, valueText, ['yes', 'no']);
      switchValueByName[name] = valueText === 'yes';
    } else throw makeUnknownParameterError(name, errorContext);
  }
  return { ...parameterNumberByName, ...switchValueByName, partitions, shares };
}

function makeUnknownParameterError(parameterName: string, errorContext: string): InputError {
  if (parameterName === 'partition')
    return new InputError(
      `${errorContext}, ${MULTIFACTOR_ORDER_NAME}: give the points of each partition by its name, such as partition.short=500`,
    );
  if (parameterName === 'qos')
    return new InputError(
      `${errorContext}, ${MULTIFACTOR_ORDER_NAME}: qos is unknown, since logs name no quality of service`,
    );
  return makeUnknownNameError(
    `parameter of ${MULTIFACTOR_ORDER_NAME}`,
    parameterName,
    MULTIFACTOR_PARAMETER_NAMES,
  );
}

const isMultifactorNumberName = (
  parameterName: string,
): parameterName is keyof typeof MULTIFACTOR_NUMBER_RANGES =>
  Object.hasOwn(MULTIFACTOR_NUMBER_RANGES, parameterName);
const isMultifactorSwitchName = (
  parameterName: string,
): parameterName is (typeof MULTIFACTOR_SWITCHES)[number] =>
  MULTIFACTOR_SWITCHES.some((switchName) => switchName === parameterName);

/**
 * Expression of the age factor: age divided by the maximum age, as of the last computation of usage; 0 for
 * jobs submitted since.
 */
function makeAgeFactorExpression({ maxAge = 604_800 }: MultifactorSettings): string {
  const lastComputationTimeExpression = 'floor((now - usageOffset) / usageStep) * usageStep + usageOffset';
  return `min(1, max(0, ${lastComputationTimeExpression} - (submit - firstSubmit)) / ${maxAge})`;
}

/**
 * Expression of the fair-share factor, 2^(-usage / share / damp): 1 without usage, 1/2 if the usage is `damp`
 * times the share. Default of `damp`: 1.
 */
function makeFairshareFactorExpression({ share, shares, damp }: MultifactorSettings): string {
  const defaultShareExpression = share === undefined ? 'share' : `${share}`;
  const terms = [...shares].map(
    ([userName, shareOfUser]) =>
      `(user == ${quoteNameInExpression(userName)}) * (${shareOfUser} - ${defaultShareExpression})`,
  );
  const userShareExpression =
    terms.length === 0 ? defaultShareExpression : `(${[defaultShareExpression, ...terms].join(' + ')})`;
  return damp === undefined
    ? `2^(-usage / ${userShareExpression})`
    : `2^(-usage / ${userShareExpression} / ${damp})`;
}

/**
 * Expression of the size factor: the job's share of the machine. With numbered nodes, the average of this share
 * and the share of one node.
 */
function makeSizeFactorExpression({ nodes, favorSmall, perTime }: MultifactorSettings): string {
  if (perTime) {
    const processorsExpression =
      nodes === undefined ? 'processors' : `max(siteProcessors / ${nodes}, processors)`;
    const sizePerTimeExpression = `min(1, ${processorsExpression} / max(1, estimate / 60) / siteProcessors)`;
    return favorSmall ? `(1 - ${sizePerTimeExpression})` : sizePerTimeExpression;
  }
  const freeShareExpression = 'max(0, siteProcessors - processors) / siteProcessors';
  const requestedShareExpression = 'min(1, processors / siteProcessors)';
  const factor = favorSmall ? freeShareExpression : requestedShareExpression;
  if (nodes === undefined) return factor;
  return favorSmall ? `((${nodes} - 1) / ${nodes} + ${factor}) / 2` : `(1 / ${nodes} + ${factor}) / 2`;
}

function makePartitionPointsExpression(partitions: ReadonlyMap<string, number>): string {
  const terms = [...partitions].map(
    ([name, points]) => `(queue == ${quoteNameInExpression(name)}) * ${points}`,
  );
  return terms.length === 1 ? terms[0]! : `(${terms.join(' + ')})`;
}

/** Quotes a name for an expression; numbers stay unquoted. */
const quoteNameInExpression = (testedName: string) =>
  /^\d+$/.test(testedName) ? testedName : `'${testedName}'`;
