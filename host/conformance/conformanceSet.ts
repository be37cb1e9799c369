/** The conformance set: small logs with the start times that different backfilling rules produce. */

import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { FunctionError, InputError } from '../errors.js';
import { readTrace } from '../files/traceFiles.js';
import { quoteLogText, quoteShellWord } from '../format/text.js';
import { firstElement } from '../lists.js';
import { addParsedOptionTexts, type OptionStrings } from '../options/options.js';
import { makeExperimentOnRequestedSites } from '../simulate/experiment.js';
import { Simulator } from '../simulate/simulator.js';
import { SWF_FIELDS_PER_RECORD } from '../trace/trace.js';
import { makeUniqueJobNames } from '../workload/workload.js';

/** Start times in seconds in the order of the log; null for a job that did not run. */
export type JobStartTimes = readonly (number | null)[];

/** A rule of backfilling. */
export interface ConformanceRule {
  readonly title: string;
  /** Options by which gridalloc follows the rule; absent for rules of other simulators only. */
  readonly options?: OptionStrings;
}

/** A log, with the sites for which it is intended: one machine, or several. */
export interface ConformanceLog {
  readonly name: string;
  /** Processors of each site. */
  readonly sites: readonly number[];
  /** Description of the case and its purpose. */
  readonly why: string;
}

/** A log that distinguishes rules. */
export interface ConformanceCase extends ConformanceLog {
  /** The two rules or families that the case distinguishes; no smaller log distinguishes them. */
  readonly tells: readonly [string, string];
  /**
   * Start times by family of rules: one answer for the whole family, or one for each treatment of instants.
   */
  readonly answers: readonly {
    readonly starts: readonly number[];
    readonly rules: Readonly<Record<string, 'all' | readonly string[]>>;
  }[];
}

/** Log that reveals how a simulator treats certain records, regardless of the rule. */
export interface ConformanceHabit extends ConformanceLog {
  readonly answers: readonly { readonly starts: JobStartTimes; readonly title: string }[];
}

/** The file `traces/conformance/conformance.json`. */
export interface ConformanceSet {
  /** Rules by name: the name of a family, or a family, a blank and its treatment of instants. */
  readonly rules: Readonly<Record<string, ConformanceRule>>;
  readonly cases: readonly ConformanceCase[];
  readonly habits: readonly ConformanceHabit[];
}

const CONFORMANCE_FOLDER = new URL('../../traces/conformance/', import.meta.url);

/** Reads the conformance set included in the package. */
export function readConformanceSet(): ConformanceSet {
  return JSON.parse(readFileSync(new URL('conformance.json', CONFORMANCE_FOLDER), 'utf8'));
}

/** Path of a log of the set. */
export function locateConformanceLog(caseName: string): string {
  return fileURLToPath(new URL(`${caseName}.swf`, CONFORMANCE_FOLDER));
}

/** Names of the rules with start times for a case. */
export function findRulesGivingAnswer(
  { rules }: ConformanceSet,
  startTimesAnswer: ConformanceCase['answers'][number],
): string[] {
  return Object.keys(rules).filter((ruleName) => {
    const [family = ruleName, timing = ''] = ruleName.split(' ');
    const timings = startTimesAnswer.rules[family];
    return timings === 'all' || timings?.includes(timing) === true;
  });
}

/** Starts that a rule must produce; undefined if the case does not test the rule. */
export function findStartTimesRequiredByRule(
  conformanceSet: ConformanceSet,
  { answers }: ConformanceCase,
  rule: string,
): readonly number[] | undefined {
  return answers.find((answer) => findRulesGivingAnswer(conformanceSet, answer).includes(rule))?.starts;
}

/**
 * Start times of gridalloc under each of several settings.
 * @param requestedOptions simulation options as texts by name.
 * @throws InputError for conflicting options.
 */
export async function simulateConformanceLog(
  { name: logName, sites }: ConformanceLog,
  requestedOptions: readonly OptionStrings[],
): Promise<JobStartTimes[]> {
  const path = locateConformanceLog(logName);
  const trace = await readTrace(path);
  return requestedOptions.map((options) => {
    const settings = addParsedOptionTexts(
      { workload: path },
      { sites: sites.join(','), home: 'none', ...options },
    );
    const { workload, configurations } = makeExperimentOnRequestedSites(settings, trace, [{}]);
    const simulator = new Simulator(workload);
    simulator.begin(firstElement(configurations));
    simulator.run();
    const { start } = simulator.schedule();
    const jobNames = makeUniqueJobNames(workload);
    return Array.from({ length: trace.count }, (_, k) => start[jobNames.indexOf(String(k + 1))] ?? null);
  });
}

// Finding the rules that give a simulator's starts.

/** Start times of a simulator in one case, and the rules that reproduce them. */
export interface ConformanceCaseResult {
  readonly name: string;
  readonly starts: JobStartTimes;
  /** Names of the rules with equal start times. */
  readonly rules: readonly string[];
}

/** Agreement of starts with the rules for one machine, or for several sites. */
export interface ConformanceResult {
  /** Number of cases compared. */
  readonly cases: number;
  /** Names of the rules that agree on all cases. */
  readonly rules: readonly string[];
  /** The rules that agree on the most cases (at most 3), each with its number of agreeing cases. */
  readonly nearest: readonly { readonly rule: string; readonly cases: number }[];
}

/** Maximum number of rules listed as nearest. */
const MAX_NEAREST_RULE_COUNT = 3;

const areEqualStartTimes = (firstStarts: JobStartTimes, secondStarts: JobStartTimes) =>
  firstStarts.every((start, k) => start === secondStarts[k]);

/** Finds the rules with the given start times in a case. */
export function judgeConformanceCase(
  conformanceSet: ConformanceSet,
  conformanceCase: ConformanceCase,
  simulatedStarts: JobStartTimes,
): ConformanceCaseResult {
  const answer = conformanceCase.answers.find((caseAnswer) =>
    areEqualStartTimes(caseAnswer.starts, simulatedStarts),
  );
  return {
    name: conformanceCase.name,
    starts: simulatedStarts,
    rules: answer === undefined ? [] : findRulesGivingAnswer(conformanceSet, answer),
  };
}

/** Description of the habit that a simulator's starts show; null if they fit no known habit. */
export function findMatchingHabit(
  { answers }: ConformanceHabit,
  simulatedStarts: JobStartTimes,
): string | null {
  return answers.find((answer) => areEqualStartTimes(answer.starts, simulatedStarts))?.title ?? null;
}

/**
 * Finds the rules that agree on all cases, and on most; a case that does not test a rule does not count for
 * it.
 */
export function judgeConformance(
  conformanceSet: ConformanceSet,
  answeredCases: readonly ConformanceCaseResult[],
): ConformanceResult {
  const cases = conformanceSet.cases.filter(({ name: logName }) =>
    answeredCases.some((answeredCase) => answeredCase.name === logName),
  );
  const testedRules = Object.keys(conformanceSet.rules).filter((rule) =>
    cases.some(
      (conformanceCase) => findStartTimesRequiredByRule(conformanceSet, conformanceCase, rule) !== undefined,
    ),
  );
  const caseCountsByRule = testedRules.map((rule) => {
    const untestedCaseCount = cases.filter(
      (conformanceCase) => findStartTimesRequiredByRule(conformanceSet, conformanceCase, rule) === undefined,
    ).length;
    return {
      rule,
      silent: untestedCaseCount,
      cases: answeredCases.filter(({ rules }) => rules.includes(rule)).length,
    };
  });
  caseCountsByRule.sort((a, b) => b.cases - a.cases);
  return {
    cases: cases.length,
    rules: caseCountsByRule
      .filter((each) => each.cases + each.silent === cases.length)
      .map(({ rule }) => rule),
    nearest: caseCountsByRule.slice(0, MAX_NEAREST_RULE_COUNT).map(({ rule, cases }) => ({ rule, cases })),
  };
}

// The starts of another simulator.

/** Placeholders in a command; `log`, `out` and one of the other two are required. */
const OUTSIDE_COMMAND_PLACEHOLDERS = ['log', 'processors', 'sites', 'out'] as const;

/** Number of characters kept of a command's error output. */
const MAX_KEPT_STDERR_LENGTH = 2000;

/** True if a command also accepts several sites. */
export function hasSitesPlaceholder(command: string): boolean {
  return command.includes('{sites}');
}

/**
 * Checks a command before it is run.
 * @throws InputError if a required placeholder is missing or an unknown one occurs.
 */
export function checkOutsideCommand(command: string): void {
  const unknown = [...command.matchAll(/\{(\w+)\}/g)].find(
    ([, name]) => !OUTSIDE_COMMAND_PLACEHOLDERS.some((placeholder) => placeholder === name),
  );
  if (unknown !== undefined) {
    throw new InputError(
      `--against: ${unknown[0]} is unknown; known are {log}, {processors}, {sites} and {out}`,
    );
  }
  const lackingPlaceholder = ['{log}', '{out}'].find((placeholder) => !command.includes(placeholder));
  if (lackingPlaceholder !== undefined)
    throw new InputError(
      `--against: the command lacks ${lackingPlaceholder}; see gridalloc conformance --help`,
    );
  if (!hasSitesPlaceholder(command) && !command.includes('{processors}')) {
    throw new InputError(
      '--against: the command lacks {processors} (or {sites}, such as 4,2); see gridalloc conformance --help',
    );
  }
}

/**
 * Runs a shell command for a log, and reads the start times that it writes.
 * @param folder folder for the output.
 * @param conformanceLog name, sites and number of jobs of the log.
 * @param mayOmitJobs true if jobs may be missing.
 * @throws FunctionError for a command that fails, and for output that is missing, unreadable or incomplete.
 */
export async function runOutsideCommand(
  command: string,
  conformanceLog: { readonly name: string; readonly sites: readonly number[]; readonly jobs: number },
  folder: string,
  mayOmitJobs: boolean,
  signal: AbortSignal,
): Promise<JobStartTimes> {
  const out = join(folder, `${conformanceLog.name}.out`);
  const placeholderValues: Record<(typeof OUTSIDE_COMMAND_PLACEHOLDERS)[number], string> = {
    log: locateConformanceLog(conformanceLog.name),
    processors: String(conformanceLog.sites.reduce((sum, site) => sum + site, 0)),
    sites: conformanceLog.sites.join(','),
    out,
  };
  const line = command.replaceAll(/\{(\w+)\}/g, (_, name: keyof typeof placeholderValues) =>
    quoteShellWord(placeholderValues[name]),
  );
  const commandFault = await runShellCommand(line, signal);
  signal.throwIfAborted();
  if (commandFault !== undefined)
    throw new FunctionError(`--against: the command fails on ${conformanceLog.name}: ${commandFault}`);
  const outputText = await readFile(out, 'utf8').catch(() => undefined);
  if (outputText === undefined)
    throw new FunctionError(`--against: the command writes no {out} for ${conformanceLog.name}`);
  const simulatedStarts = parseStartTimes(outputText, conformanceLog.name, conformanceLog.jobs);
  const firstMissingIndex = simulatedStarts.indexOf(null);
  if (firstMissingIndex >= 0 && !mayOmitJobs) {
    throw new FunctionError(
      `--against: what the command writes for ${conformanceLog.name} has no start of job ${firstMissingIndex + 1}`,
    );
  }
  return simulatedStarts;
}

/** Runs a shell command to its end, without showing its output; returns the reason of a failure. */
function runShellCommand(line: string, signal: AbortSignal): Promise<string | undefined> {
  return new Promise((resolve) => {
    // A group of its own, so that all that the shell has started ends with it.
    const childProcess = spawn(line, { shell: true, detached: true, stdio: ['ignore', 'ignore', 'pipe'] });
    let errorOutput = '';
    const stop = () => {
      if (childProcess.pid !== undefined) process.kill(-childProcess.pid, 'SIGTERM');
    };
    signal.addEventListener('abort', stop, { once: true });
    childProcess.stderr.on('data', (chunk) => {
      errorOutput = `${errorOutput}${chunk}`.slice(-MAX_KEPT_STDERR_LENGTH);
    });
    childProcess.on('error', ({ message }) => resolve(message));
    childProcess.on('close', (code, endSignal) => {
      signal.removeEventListener('abort', stop);
      const lastLine = errorOutput.trim().split('\n').at(-1) ?? '';
      const endReason = code === null ? `ended by ${endSignal}` : `exit code ${code}`;
      resolve(code === 0 ? undefined : lastLine === '' ? endReason : `${endReason}, ${lastLine}`);
    });
  });
}

/**
 * Parses start times: SWF records with waits, or lines of job number and start; a negative start means none.
 */
function parseStartTimes(outputText: string, caseName: string, jobCount: number): JobStartTimes {
  const simulatedStarts: (number | null)[] = Array.from({ length: jobCount }, () => null);
  const seen = new Set<number>();
  const lines = outputText.split(/\r?\n/).map((line) => line.trim());
  const rows = lines.filter((line) => line !== '' && !/^[;#]/.test(line));
  // A heading.
  if (Number.isNaN(Number(rows[0]?.split(/[\s,;]+/)[0]))) rows.shift();
  for (const line of rows) {
    const numbersOfLine = line.split(/[\s,;]+/).map(Number);
    const [job = Number.NaN, second = Number.NaN, wait = Number.NaN] = numbersOfLine;
    const isSwfRecord = numbersOfLine.length === SWF_FIELDS_PER_RECORD;
    const isKnown = Number.isInteger(job) && job >= 1 && job <= jobCount && !seen.has(job);
    if (
      !(isSwfRecord || numbersOfLine.length === 2) ||
      !isKnown ||
      numbersOfLine.slice(0, 3).some(Number.isNaN)
    ) {
      throw new FunctionError(
        `--against: the command writes ${quoteLogText(line)} for ${caseName}; expected a job from 1 to ${jobCount}, each once, and its start, or a record of SWF`,
      );
    }
    seen.add(job);
    const wasJobStarted = isSwfRecord ? wait >= 0 : second >= 0;
    if (wasJobStarted) simulatedStarts[job - 1] = isSwfRecord ? second + wait : second;
  }
  return simulatedStarts;
}
