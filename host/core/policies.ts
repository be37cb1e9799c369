/** Allocation policies declared by the core, and their notation `name[parameter=value,...]`. */

import { checkArgument } from '../arguments.js';
import { InputError } from '../errors.js';
import {
  makeUnknownNameError,
  parseNotation,
  parseNumber,
  parseWholeNumber,
  printNotation,
  splitOutsideBrackets,
} from '../notation.js';
import { declaredPolicies, type PolicyDeclaration, type PolicyParameter } from './instance.js';
import { loadCoreModule, openCore } from './module.js';

export type { PolicyDeclaration, PolicyParameter } from './instance.js';

/** Candidate of a policy (index from 0) that is in force from the submission of a job (index) on. */
export type Choice = readonly [job: number, candidate: number];

/** An allocation policy with a value for each parameter. */
export interface Policy {
  /** Declaration of the policy. */
  readonly declaration: PolicyDeclaration;
  /** Values of the parameters, in their order. */
  readonly values: readonly (number | string)[];
  /** Function of a user-written policy. */
  readonly choose?: PolicyFunction;
  /** Name in results. */
  readonly name?: string;
  /** Prescribed choices of candidates, which replace trials; only for a policy with candidates. */
  readonly choices?: readonly Choice[];
  /**
   * Order and discipline while the candidate is in force, if different from the run's; only for a candidate.
   */
  readonly rules?: CandidateRules;
}

/** Options that a candidate may have besides the parameters of its policy. */
const CANDIDATE_RULES = ['order', 'discipline', 'backfill-order'] as const;

/** Rules of a candidate, as option texts. */
export type CandidateRules = Readonly<Partial<Record<(typeof CANDIDATE_RULES)[number], string>>>;

/** Policies declared by the release build, and the declaration of the policy that asks the host. */
let cachedPolicyDeclarations:
  | {
      readonly module: WebAssembly.Module;
      readonly policies: readonly PolicyDeclaration[];
      readonly customPolicy: PolicyDeclaration;
    }
  | undefined;

/** Name of the policy that calls the host; users give a function instead of this name. */
const CUSTOM_POLICY_NAME = 'own';

function readReleasePolicyDeclarations() {
  const module = loadCoreModule('release');
  if (cachedPolicyDeclarations?.module !== module) {
    const policyDeclarations = declaredPolicies(openCore());
    cachedPolicyDeclarations = {
      module,
      policies: policyDeclarations.filter(({ name: policyName }) => policyName !== CUSTOM_POLICY_NAME),
      customPolicy: policyDeclarations.find(
        ({ name: policyName }) => policyName === CUSTOM_POLICY_NAME,
      ) as PolicyDeclaration,
    };
  }
  return cachedPolicyDeclarations;
}

/**
 * All policies of the release build that users can name, in the order of the core.
 * @example
 * console.log(policies()[0].name); // best-fit
 */
export function policies(): readonly PolicyDeclaration[] {
  return readReleasePolicyDeclarations().policies;
}

/**
 * Declarations of the policies that choose sites themselves, without trials of candidates.
 * @example
 * console.log(allocators().some(({ name }) => name === 'dynamic')); // false
 */
export function listAllocatorDeclarations(): readonly PolicyDeclaration[] {
  return policies().filter(({ parameters: policyParameters }) =>
    policyParameters.every(({ kind: parameterKind }) => parameterKind !== 'policies'),
  );
}

/** Policy that calls the host to choose a site, or optionally to let the job wait. */
export function makeCustomPolicy(mayLetJobsWait: boolean): Policy {
  return {
    declaration: readReleasePolicyDeclarations().customPolicy,
    values: [mayLetJobsWait ? 'yes' : 'no'],
  };
}

/** True if a policy is also called for jobs that fit on a single site only. */
export function isAskedAboutWaiting({ declaration, values: parameterValues }: Policy): boolean {
  return declaration.name === CUSTOM_POLICY_NAME && parameterValues[0] === 'yes';
}

function checkProportionValue(proportion: number, errorContext: string): number {
  if (proportion < 1) return proportion;
  throw new InputError(`${errorContext}: expected a number of at least 0 and below 1, found ${proportion}`);
}

/**
 * Name that stands, in a list of candidates, for the family of TAI2 policies with low and high thresholds
 * (Shih et al. 2010, section 5.4).
 */
const CANDIDATE_FAMILY_NAME = 'tai2';
/** Threshold above the speed heterogeneity SH of any grid. */
const ANY_SPEED_HETEROGENEITY = 1e99;
const FAMILY_HETEROGENEITY_THRESHOLDS = [0, ANY_SPEED_HETEROGENEITY];
const FAMILY_LOADING_THRESHOLDS = [1, 1.5, 2, 2.5, 3];
/** Policies that cannot be candidates, with the reason. */
const UNTRIABLE_POLICY_REASONS: Readonly<Record<string, string>> = {
  random: 'trials do not draw its numbers',
  dynamic: 'it has candidates of its own',
};

/** Pattern of texts that may denote a policy. */
const POLICY_NAME_PATTERN = /^\s*[\w-]+\s*(\[|$)/;
/** Pattern of texts that may be file names. */
const CODE_FILE_PATTERN = /[/\\]|\.[cm]?[jt]s$/;

/** Error for a policy that cannot be a candidate. */
export function makeCandidatePolicyError(policyName: string, reason: string): InputError {
  return new InputError(`${policyName} cannot be a candidate of dynamic: ${reason}`);
}

/**
 * Parses one candidate of `dynamic`: its policy, its own queue rules, and whether it stands for the family of
 * TAI2 candidates.
 */
function parseCandidatePolicy(candidateText: string): Policy & { readonly isFamily: boolean } {
  if (CODE_FILE_PATTERN.test(candidateText)) {
    throw makeCandidatePolicyError(
      candidateText.trim(),
      'trials ask no function; one that is compiled into a core can',
    );
  }
  if (!POLICY_NAME_PATTERN.test(candidateText)) {
    throw new InputError(
      `cannot read '${candidateText}' among the candidates of dynamic: expected policies with + between them, such as best-fit+ti[slt=1]`,
    );
  }
  const { name: notationName, parameters } = parseNotation(candidateText);
  const { declaration } = parsePolicy(notationName);
  const untriableReason = UNTRIABLE_POLICY_REASONS[declaration.name];
  if (untriableReason !== undefined) throw makeCandidatePolicyError(notationName, untriableReason);
  const candidateRules: { -readonly [Name in keyof CandidateRules]: string } = {};
  for (const rule of CANDIDATE_RULES) {
    const ruleText = parameters.get(rule);
    if (ruleText !== undefined) candidateRules[rule] = ruleText;
  }
  const policyParameters = [...parameters].filter(([key]) => !Object.hasOwn(candidateRules, key));
  const parameterNames = [...declaration.parameters.map((parameter) => parameter.name), ...CANDIDATE_RULES];
  for (const [key] of policyParameters)
    if (!parameterNames.includes(key))
      throw makeUnknownNameError(`parameter of ${notationName}`, key, parameterNames);
  const policy = parsePolicy(printNotation(notationName, policyParameters));
  const isWholeFamily = declaration.name === CANDIDATE_FAMILY_NAME && policyParameters.length === 0;
  return {
    ...policy,
    ...(Object.keys(candidateRules).length > 0 && { rules: candidateRules }),
    isFamily: isWholeFamily,
  };
}

/** Parses the policies of a list, expanding families. */
function parseCandidates(candidatesText: string): Policy[] {
  return splitOutsideBrackets(candidatesText, '+').flatMap((each) => {
    const { isFamily, ...policy } = parseCandidatePolicy(each);
    if (!isFamily) return [policy];
    return FAMILY_HETEROGENEITY_THRESHOLDS.flatMap((sht) =>
      FAMILY_LOADING_THRESHOLDS.map((slt) => ({ ...policy, values: [sht, slt] })),
    );
  });
}

/** Formats a list with all parameters of each policy. */
function printCandidates(candidatesText: string): string {
  const formatCandidate = ({ isFamily, ...policy }: ReturnType<typeof parseCandidatePolicy>) =>
    isFamily ? printNotation(CANDIDATE_FAMILY_NAME, Object.entries(policy.rules ?? {})) : printPolicy(policy);
  return splitOutsideBrackets(candidatesText, '+').map(parseCandidatePolicy).map(formatCandidate).join('+');
}

/** Candidates of a policy that chooses among candidates during a run; empty for other policies. */
export function listCandidatePolicies({ declaration, values: parameterValues }: Policy): readonly Policy[] {
  const parameterIndex = declaration.parameters.findIndex(
    ({ kind: parameterKind }) => parameterKind === 'policies',
  );
  return parameterIndex < 0 ? [] : parseCandidates(String(parameterValues[parameterIndex]));
}

/** Name of the policy parameter that is compared only with the speed heterogeneity SH of the grid. */
const HETEROGENEITY_PARAMETER = 'sht';

/**
 * Indices of the candidates that, on a grid with this speed heterogeneity, decide differently from all
 * earlier candidates.
 */
export function findDistinctCandidatePositions(
  candidates: readonly Policy[],
  speedHeterogeneity: number,
): number[] {
  const decidingParameterTexts = candidates.map((policy) => {
    const { declaration, values: parameterValues } = policy;
    const comparedValues = parameterValues.map((parameterValue, i) =>
      declaration.parameters[i]!.name === HETEROGENEITY_PARAMETER
        ? Number(speedHeterogeneity > Number(parameterValue))
        : parameterValue,
    );
    return printPolicy({ ...policy, values: comparedValues });
  });
  return [...decidingParameterTexts.keys()].filter(
    (candidateIndex) =>
      decidingParameterTexts.indexOf(decidingParameterTexts[candidateIndex]!) === candidateIndex,
  );
}

/** True if a policy, or its notation, chooses among candidates during a run. */
export function isTrialPolicy(policy: Policy | string): boolean {
  const policyName = (typeof policy === 'string' ? policy : printPolicy(policy)).replace(/\[.*/s, '').trim();
  return (
    policies().some((policyDeclaration) => policyDeclaration.name === policyName) &&
    !listAllocatorDeclarations().some((policyDeclaration) => policyDeclaration.name === policyName)
  );
}

/** Finds a parameter of a policy by name. */
export function findPolicyParameterValue(
  { declaration, values: parameterValues }: Policy,
  parameterName: string,
): number | string | undefined {
  return parameterValues[declaration.parameters.findIndex((parameter) => parameter.name === parameterName)];
}

function parsePolicyParameterValue(
  policyText: string,
  parameter: PolicyParameter,
  valueText: string,
): number | string {
  const errorContext = `parameter '${parameter.name}' of ${policyText}`;
  if (parameter.kind === 'whole') return parseWholeNumber(valueText, errorContext, { atLeast: 0 });
  if (parameter.kind === 'count')
    return parseWholeNumber(valueText, errorContext, { atLeast: 1, atMost: 65535 });
  if (parameter.kind === 'share')
    return checkProportionValue(parseNumber(valueText, errorContext, { atLeast: 0 }), errorContext);
  if (parameter.kind === 'number') return parseNumber(valueText, errorContext);
  if (parameter.kind === 'policies') return printCandidates(valueText);
  if (parameter.choices.includes(valueText)) return valueText;
  throw new InputError(`${errorContext}: expected ${parameter.choices.join(' or ')}, found '${valueText}'`);
}

/**
 * Parses a policy; omitted parameters have their defaults.
 * @throws InputError for an unknown policy or parameter, or an invalid value.
 * @example
 * console.log(parsePolicy('ti[slt=1.5]').declaration.name); // ti
 */
export function parsePolicy(
  text: string,
  knownDeclarations: readonly PolicyDeclaration[] = policies(),
): Policy {
  checkArgument(text, 'text', 'parsePolicy, text');
  checkArgument(knownDeclarations, 'list', 'parsePolicy, among');
  const { name: notationName, parameters } = parseNotation(text);
  const declaration = knownDeclarations.find(
    (policyDeclaration) =>
      policyDeclaration.name === notationName || policyDeclaration.aliases.includes(notationName),
  );
  if (declaration === undefined) {
    throw makeUnknownNameError(
      'policy',
      notationName,
      knownDeclarations.flatMap((policyDeclaration) => [
        policyDeclaration.name,
        ...policyDeclaration.aliases,
      ]),
    );
  }
  const parameterNames = declaration.parameters.map((parameter) => parameter.name);
  for (const parameterName of parameters.keys()) {
    if (parameterNames.length === 0) throw new InputError(`policy '${declaration.name}' has no parameters`);
    if (!parameterNames.includes(parameterName))
      throw makeUnknownNameError(`parameter of ${declaration.name}`, parameterName, parameterNames);
  }
  const parameterValues = declaration.parameters.map((parameter) => {
    const parameterText = parameters.get(parameter.name);
    return parameterText === undefined
      ? parameter.default
      : parsePolicyParameterValue(declaration.name, parameter, parameterText);
  });
  return { declaration, values: parameterValues };
}

/**
 * Formats a policy with all parameters; for a user-written policy, its name.
 * @example
 * console.log(printPolicy(parsePolicy('ti[slt=1.5]'))); // ti[sht=0.05,slt=1.5]
 */
export function printPolicy(policy: Policy): string {
  checkArgument(policy, 'policy', 'printPolicy');
  const { declaration, values: parameterValues, name: policyName, rules = {} } = policy;
  if (policyName !== undefined) return policyName;
  const parameters = declaration.parameters.map(
    (parameter, i) => [parameter.name, parameterValues[i]!] as const,
  );
  return printNotation(declaration.name, [...parameters, ...Object.entries(rules)]);
}

/** Parameters of a policy as numbers of the core: a choice is its index, a list its length. */
export function makeCorePolicyParameters({ declaration, values: parameterValues }: Policy): number[] {
  return declaration.parameters.map(({ kind: parameterKind, choices: parameterChoices }, i) => {
    if (parameterKind === 'policies') return parseCandidates(String(parameterValues[i])).length;
    return parameterKind === 'choice'
      ? parameterChoices.indexOf(String(parameterValues[i]))
      : Number(parameterValues[i]);
  });
}

// User-written policies: what a function knows when the site of a job is chosen, and what it returns

/** A waiting job as visible to policies, without its runtime. Times are in seconds. */
export interface WaitingJob {
  /** Job number in the log. */
  readonly number: number;
  /** Processors requested. */
  readonly processors: number;
  /** Estimate in seconds at speed 1, times the load of the job's home. */
  readonly estimate: number;
  /** Submission in seconds on the clock of the log. */
  readonly submit: number;
  /** Number of its home site, from 1. */
  readonly home: number;
  /** User number in the log; -1: unknown. */
  readonly user: number;
}

/** Current state of a site. */
export interface SiteState {
  /** Number of the site from 1, as in the returned value. */
  readonly number: number;
  /** Number of free processors. */
  readonly free: number;
  /** Number of processors of the site. */
  readonly capacity: number;
  /** Speed of the site. */
  readonly speed: number;
  /**
   * True if the job can start on the site now: it fits, may use the site, and delays no job with a
   * reservation.
   */
  readonly isFeasible: boolean;
}

/**
 * Result of a look-ahead: progress of the waiting jobs if the job goes to a site and best-fit places the jobs
 * behind it until one does not fit.
 */
export interface LookAheadCount {
  /** Number of jobs that start, including this one: TNoA (Shih et al. 2010, eq. 8). */
  readonly jobs: number;
  /** Computing capacity (speed x processors) that these jobs take: TCC (eq. 13). */
  readonly capacity: number;
}

/**
 * A pending decision with the state it may use. The view is valid only during the call; later it shows the
 * next decision.
 */
export interface PolicyView {
  /** Job that needs a site. */
  readonly job: WaitingJob;
  /**
   * All sites in the order of the grid; if every site runs independently, only the job's home site, also in
   * the following fields.
   */
  readonly sites: readonly SiteState[];
  /** Time of the decision in seconds on the clock of the log. */
  readonly time: number;
  /** Number of the site chosen by best-fit: S_bf of Shih et al. 2010. */
  readonly bestFit: number;
  /** Number of the site chosen by fastest-first: S_ff. */
  readonly fastestFirst: number;
  /** Speed heterogeneity SH of the grid (eq. 3). */
  readonly speedHeterogeneity: number;
  /**
   * Total number of processors requested by the jobs of the queue, including this one: the numerator of SL
   * (eq. 4).
   */
  readonly queuedProcessors: number;
  /** Number of free processors of all sites: the denominator of SL, which is at least 1. */
  readonly freeProcessors: number;
  /** Situation `a`: the job found its queue empty, and this is the pass of its submission; `b`: any other. */
  readonly situation: 'a' | 'b';
  /**
   * Look-ahead: number of jobs that could start if the pending job starts now on the site with this number.
   */
  lookAhead(site: number): LookAheadCount;
  /** Jobs of the queue in order, including this one. */
  readonly queue: Iterable<WaitingJob>;
}

/**
 * Function that chooses the site of a job that fits on at least two sites: it returns the number of one of
 * them, or 0 to let the job wait. The result must depend only on the view, so that runs are reproducible.
 */
export type PolicyFunction = (view: PolicyView) => number;

/** A policy function with its options. */
export interface OwnPolicy {
  /** The function. */
  readonly choose: PolicyFunction;
  /**
   * True if the function is also called when the job fits on a single site, since it may let the job wait;
   * default false.
   */
  readonly mayWait?: boolean;
  /** Name in results; default: the name of the function. */
  readonly name?: string;
}
