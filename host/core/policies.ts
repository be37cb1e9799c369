/** Allocation policies as the core declares them, and their notation `name[parameter=value,...]`. */

import { checkArgument } from '../arguments.js';
import { InputError } from '../errors.js';
import {
  parseNotation,
  parseNumber,
  parseWholeNumber,
  printNotation,
  splitUnbracketed,
  unknownNameError,
} from '../notation.js';
import { declaredPolicies, type PolicyDeclaration, type PolicyParameter } from './instance.js';
import { coreModule, openCore } from './module.js';

export type { PolicyDeclaration, PolicyParameter } from './instance.js';

/** Candidate (position from 0) that is in force from the submission of a job (its index). */
export type Choice = readonly [job: number, candidate: number];

/** A policy with a value for each of its parameters. */
export interface Policy {
  /** Declaration of the policy. */
  readonly declaration: PolicyDeclaration;
  /** One per parameter, in their order. */
  readonly values: readonly (number | string)[];
  /** The function of a policy of your own. */
  readonly choose?: PolicyFunction;
  /** Name in results. */
  readonly name?: string;
  /** For a policy with candidates: the candidates to put in force, instead of trials. */
  readonly choices?: readonly Choice[];
  /** For a candidate: the order and discipline while it is in force, where these differ from the run's. */
  readonly rules?: CandidateRules;
}

/** Options that a candidate may have beside the parameters of its policy. */
const CANDIDATE_RULES = ['order', 'discipline', 'backfill-order'] as const;

/** Rules of a candidate, as words of the options. */
export type CandidateRules = Readonly<Partial<Record<(typeof CANDIDATE_RULES)[number], string>>>;

let cachedPolicyDeclarations:
  | {
      readonly module: WebAssembly.Module;
      readonly policies: readonly PolicyDeclaration[];
      readonly own: PolicyDeclaration;
    }
  | undefined;

/** The policy that asks the host, which has no name for users, as they give a function. */
const CUSTOM_POLICY = 'own';

function readReleasePolicyDeclarations() {
  const module = coreModule('release');
  if (cachedPolicyDeclarations?.module !== module) {
    const declared = declaredPolicies(openCore());
    cachedPolicyDeclarations = {
      module,
      policies: declared.filter(({ name }) => name !== CUSTOM_POLICY),
      own: declared.find(({ name }) => name === CUSTOM_POLICY) as PolicyDeclaration,
    };
  }
  return cachedPolicyDeclarations;
}

/**
 * All policies of the release build that have a name to be given by, in the order of the core.
 * @example
 * console.log(policies()[0].name); // best-fit
 */
export function policies(): readonly PolicyDeclaration[] {
  return readReleasePolicyDeclarations().policies;
}

/**
 * Those of them that choose sites themselves, and do not try candidates during a run.
 * @example
 * console.log(allocators().some(({ name }) => name === 'dynamic')); // false
 */
export function allocatorDeclarations(): readonly PolicyDeclaration[] {
  return policies().filter(({ parameters }) => parameters.every(({ kind }) => kind !== 'policies'));
}

/** The policy that asks the host for a site, and about waiting too if that may be. */
export function makeCustomPolicy(mayWait: boolean): Policy {
  return { declaration: readReleasePolicyDeclarations().own, values: [mayWait ? 'yes' : 'no'] };
}

/** True if a policy is asked about jobs for which a single site has room, too. */
export function isAskedAboutWaiting({ declaration, values }: Policy): boolean {
  return declaration.name === CUSTOM_POLICY && values[0] === 'yes';
}

function checkProportionValue(value: number, what: string): number {
  if (value < 1) return value;
  throw new InputError(`${what}: expected a number of at least 0 and below 1, found ${value}`);
}

/** A family of candidates, which can be in a list in place of a policy: TAI2 with thresholds low and high (Shih et al. 2010, section 5.4). */
const CANDIDATE_FAMILY_NAME = 'tai2';
/** Above the SH of any grid. */
const ANY_SPEED_HETEROGENEITY = 1e99;
const FAMILY_HETEROGENEITY_THRESHOLDS = [0, ANY_SPEED_HETEROGENEITY];
const FAMILY_LOADING_THRESHOLDS = [1, 1.5, 2, 2.5, 3];
/** Policies that cannot be tried, and why. */
const UNTRIABLE_POLICY_REASONS: Readonly<Record<string, string>> = {
  random: 'trials do not draw its numbers',
  dynamic: 'it has candidates of its own',
};

/** Pattern of texts that can be read as a policy. */
const POLICY_NAME_PATTERN = /^\s*[\w-]+\s*(\[|$)/;
/** Pattern of texts that look like file names. */
const CODE_FILE_PATTERN = /[/\\]|\.[cm]?[jt]s$/;

/** The refusal of a policy as a candidate. */
export function candidatePolicyError(name: string, why: string): InputError {
  return new InputError(`${name} cannot be a candidate of dynamic: ${why}`);
}

/** An entry of a list: the policy, what it says of the rules, and whether it is the family. */
function parseCandidate(text: string): Policy & { readonly isFamily: boolean } {
  if (CODE_FILE_PATTERN.test(text)) {
    throw candidatePolicyError(text.trim(), 'trials ask no function; one that is compiled into a core can');
  }
  if (!POLICY_NAME_PATTERN.test(text)) {
    throw new InputError(
      `cannot read '${text}' among the candidates of dynamic: expected policies with + between them, such as best-fit+ti[slt=1]`,
    );
  }
  const { name, parameters } = parseNotation(text);
  const { declaration } = parsePolicy(name);
  const why = UNTRIABLE_POLICY_REASONS[declaration.name];
  if (why !== undefined) throw candidatePolicyError(name, why);
  const rules: { -readonly [Name in keyof CandidateRules]: string } = {};
  for (const rule of CANDIDATE_RULES) {
    const ruleText = parameters.get(rule);
    if (ruleText !== undefined) rules[rule] = ruleText;
  }
  const own = [...parameters].filter(([key]) => !Object.hasOwn(rules, key));
  const names = [...declaration.parameters.map((parameter) => parameter.name), ...CANDIDATE_RULES];
  for (const [key] of own)
    if (!names.includes(key)) throw unknownNameError(`parameter of ${name}`, key, names);
  const policy = parsePolicy(printNotation(name, own));
  const isFamily = declaration.name === CANDIDATE_FAMILY_NAME && own.length === 0;
  return { ...policy, ...(Object.keys(rules).length > 0 && { rules }), isFamily };
}

/** The policies of a list, with families expanded. */
function parseCandidates(text: string): Policy[] {
  return splitUnbracketed(text, '+').flatMap((each) => {
    const { isFamily, ...policy } = parseCandidate(each);
    if (!isFamily) return [policy];
    return FAMILY_HETEROGENEITY_THRESHOLDS.flatMap((sht) =>
      FAMILY_LOADING_THRESHOLDS.map((slt) => ({ ...policy, values: [sht, slt] })),
    );
  });
}

/** A list in its notation, each policy with all its parameters. */
function printCandidates(text: string): string {
  const printed = ({ isFamily, ...policy }: ReturnType<typeof parseCandidate>) =>
    isFamily ? printNotation(CANDIDATE_FAMILY_NAME, Object.entries(policy.rules ?? {})) : printPolicy(policy);
  return splitUnbracketed(text, '+').map(parseCandidate).map(printed).join('+');
}

/** The policies among which one chooses during a run; none for a policy that does not. */
export function candidatePolicies({ declaration, values }: Policy): readonly Policy[] {
  const place = declaration.parameters.findIndex(({ kind }) => kind === 'policies');
  return place < 0 ? [] : parseCandidates(String(values[place]));
}

/** The parameter with which SH is compared, and nothing else. */
const HETEROGENEITY_PARAMETER = 'sht';

/** The places among candidates of those that do not equal an earlier one on a grid of this SH. */
export function distinctCandidatePositions(
  candidates: readonly Policy[],
  speedHeterogeneity: number,
): number[] {
  const decidingValues = candidates.map((policy) => {
    const { declaration, values } = policy;
    const decidedValues = values.map((value, i) =>
      declaration.parameters[i]!.name === HETEROGENEITY_PARAMETER
        ? Number(speedHeterogeneity > Number(value))
        : value,
    );
    return printPolicy({ ...policy, values: decidedValues });
  });
  return [...decidingValues.keys()].filter(
    (place) => decidingValues.indexOf(decidingValues[place]!) === place,
  );
}

/** True if a policy, or its notation, is one that chooses among candidates during a run. */
export function isTrialPolicy(policy: Policy | string): boolean {
  const name = (typeof policy === 'string' ? policy : printPolicy(policy)).replace(/\[.*/s, '').trim();
  return (
    policies().some((each) => each.name === name) &&
    !allocatorDeclarations().some((each) => each.name === name)
  );
}

/** A parameter of a policy by its name. */
export function policyParameterByName(
  { declaration, values }: Policy,
  name: string,
): number | string | undefined {
  return values[declaration.parameters.findIndex((parameter) => parameter.name === name)];
}

function parsePolicyParameterValue(
  policy: string,
  parameter: PolicyParameter,
  text: string,
): number | string {
  const what = `parameter '${parameter.name}' of ${policy}`;
  if (parameter.kind === 'whole') return parseWholeNumber(text, what, { atLeast: 0 });
  if (parameter.kind === 'count') return parseWholeNumber(text, what, { atLeast: 1, atMost: 65535 });
  if (parameter.kind === 'share') return checkProportionValue(parseNumber(text, what, { atLeast: 0 }), what);
  if (parameter.kind === 'number') return parseNumber(text, what);
  if (parameter.kind === 'policies') return printCandidates(text);
  if (parameter.choices.includes(text)) return text;
  throw new InputError(`${what}: expected ${parameter.choices.join(' or ')}, found '${text}'`);
}

/**
 * A policy from its notation; parameters that are not named take their defaults.
 * @throws InputError for an unknown policy or parameter, or a value that the parameter does not take.
 * @example
 * console.log(parsePolicy('ti[slt=1.5]').declaration.name); // ti
 */
export function parsePolicy(text: string, among: readonly PolicyDeclaration[] = policies()): Policy {
  checkArgument(text, 'text', 'parsePolicy, text');
  checkArgument(among, 'list', 'parsePolicy, among');
  const { name, parameters } = parseNotation(text);
  const declaration = among.find((each) => each.name === name || each.aliases.includes(name));
  if (declaration === undefined) {
    throw unknownNameError(
      'policy',
      name,
      among.flatMap((each) => [each.name, ...each.aliases]),
    );
  }
  const names = declaration.parameters.map((parameter) => parameter.name);
  for (const parameter of parameters.keys()) {
    if (names.length === 0) throw new InputError(`policy '${declaration.name}' has no parameters`);
    if (!names.includes(parameter))
      throw unknownNameError(`parameter of ${declaration.name}`, parameter, names);
  }
  const values = declaration.parameters.map((parameter) => {
    const text = parameters.get(parameter.name);
    return text === undefined
      ? parameter.default
      : parsePolicyParameterValue(declaration.name, parameter, text);
  });
  return { declaration, values };
}

/**
 * A policy in its notation, with all its parameters; the name of a policy of your own.
 * @example
 * console.log(printPolicy(parsePolicy('ti[slt=1.5]'))); // ti[sht=0.05,slt=1.5]
 */
export function printPolicy(policy: Policy): string {
  checkArgument(policy, 'policy', 'printPolicy');
  const { declaration, values, name, rules = {} } = policy;
  if (name !== undefined) return name;
  const parameters = declaration.parameters.map((parameter, i) => [parameter.name, values[i]!] as const);
  return printNotation(declaration.name, [...parameters, ...Object.entries(rules)]);
}

/** The parameters of a policy as the core takes them: a choice is its position, a list its length. */
export function corePolicyParameters({ declaration, values }: Policy): number[] {
  return declaration.parameters.map(({ kind, choices }, i) => {
    if (kind === 'policies') return parseCandidates(String(values[i])).length;
    return kind === 'choice' ? choices.indexOf(String(values[i])) : Number(values[i]);
  });
}

// Policies of your own: what a function may know where it is decided which site a job gets, and what it answers

/** A waiting job, as policies may know it: without its runtime. Times are seconds. */
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

/** A site, as it is now. */
export interface SiteState {
  /** Site number from 1, as in answers. */
  readonly number: number;
  /** Processors that are free. */
  readonly free: number;
  /** Processors that it has. */
  readonly capacity: number;
  /** Speed of the site. */
  readonly speed: number;
  /** True if the job can start there now: there is room, it may use the site, and no job with a reservation is delayed. */
  readonly isFeasible: boolean;
}

/**
 * Progress of the waiting jobs if the job goes to a site: the jobs behind it are placed by best-fit until one fits
 * nowhere.
 */
export interface LookAheadCount {
  /** Jobs that start, this one too: TNoA (Shih et al. 2010, eq. 8). */
  readonly jobs: number;
  /** Speed x processors that they take: TCC (eq. 13). */
  readonly capacity: number;
}

/**
 * Pending decision and the state that it may use. Valid only while the function runs: later it shows the next
 * decision.
 */
export interface PolicyView {
  /** The job that is to get a site. */
  readonly job: WaitingJob;
  /** All sites, in the order of the grid; the home of the job alone where every site runs alone, as in all that follows. */
  readonly sites: readonly SiteState[];
  /** Seconds, on the clock of the log. */
  readonly time: number;
  /** Number of the site that best-fit would take: S_bf of Shih et al. 2010. */
  readonly bestFit: number;
  /** Number of the site that fastest-first would take: S_ff. */
  readonly fastestFirst: number;
  /** SH of the grid (eq. 3). */
  readonly speedHeterogeneity: number;
  /** Processors that all jobs of the queue ask for, this one too: the numerator of SL (eq. 4). */
  readonly queuedProcessors: number;
  /** Free processors of all sites: the denominator of SL, which is at least 1. */
  readonly freeProcessors: number;
  /** `a`: the job found its queue empty, and this is the pass of its submit; `b`: any other. */
  readonly situation: 'a' | 'b';
  /**
   * Looks ahead: number of jobs that could start if the pending job starts now on the site of this number.
   */
  lookAhead(site: number): LookAheadCount;
  /** The jobs of the queue in their order, this one too, as they are gone through. */
  readonly queue: Iterable<WaitingJob>;
}

/**
 * Chooses the site for a job, asked where at least two have room for it: the number of one of them, or 0 for the job to
 * wait. Its answer must depend only on the view, so that a run can be repeated.
 */
export type PolicyFunction = (view: PolicyView) => number;

/** A function, and how it is called. */
export interface OwnPolicy {
  /** The function. */
  readonly choose: PolicyFunction;
  /**
   * True if the function is also called when a single site has room, since it may tell the job to wait; default
   * false.
   */
  readonly mayWait?: boolean;
  /** Name in results; default: the name of the function. */
  readonly name?: string;
}
