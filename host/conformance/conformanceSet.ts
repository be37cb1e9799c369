/** The conformance set: logs of a few jobs, each with the starts that the rules of backfilling give. */

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readTrace } from '../files/readTrace.js';
import { firstOf } from '../lists.js';
import { experimentOn, withMethod } from '../simulate/experiment.js';
import { Simulator } from '../simulate/simulator.js';
import { jobNames } from '../workload/workload.js';

/** Starts in the order of the log, in seconds; null for a job that did not run. */
export type Starts = readonly (number | null)[];

/** A rule of backfilling. */
export interface ConformanceRule {
  readonly title: string;
  /** The options of gridalloc that ask for it, by name; none has what only other simulators do. */
  readonly options?: Readonly<Record<string, string>>;
}

/** A log, and the sites that it is for: one machine, or several. */
export interface ConformanceLog {
  readonly name: string;
  /** Processors of each site. */
  readonly sites: readonly number[];
  /** What happens in it, and what that shows. */
  readonly why: string;
}

/** A log that tells rules apart. */
export interface ConformanceCase extends ConformanceLog {
  /** The two rules or families, as they are named, that it was made for; no smaller log tells them apart. */
  readonly tells: readonly [string, string];
  /** The starts of the rules, these by family: all of it, or the words behind its name. */
  readonly answers: readonly {
    readonly starts: readonly number[];
    readonly rules: Readonly<Record<string, 'all' | readonly string[]>>;
  }[];
}

/** A log that shows what is done with some records, whatever the rule. */
export interface ConformanceHabit extends ConformanceLog {
  readonly answers: readonly { readonly starts: Starts; readonly title: string }[];
}

/** The file `traces/conformance/conformance.json`. */
export interface ConformanceSet {
  /** By name: a family, or a family, a blank and what is done at an instant. */
  readonly rules: Readonly<Record<string, ConformanceRule>>;
  readonly cases: readonly ConformanceCase[];
  readonly habits: readonly ConformanceHabit[];
}

const FOLDER = new URL('../../traces/conformance/', import.meta.url);

/** Reads the set that comes with the program. */
export function readConformanceSet(): ConformanceSet {
  return JSON.parse(readFileSync(new URL('conformance.json', FOLDER), 'utf8'));
}

/** The path of a log. */
export function conformanceLog(name: string): string {
  return fileURLToPath(new URL(`${name}.swf`, FOLDER));
}

/** The names of the rules that give an answer to a case. */
export function rulesOfAnswer(
  { rules }: ConformanceSet,
  answer: ConformanceCase['answers'][number],
): string[] {
  return Object.keys(rules).filter((name) => {
    const [family = name, timing = ''] = name.split(' ');
    const given = answer.rules[family];
    return given === 'all' || given?.includes(timing) === true;
  });
}

/** What a rule is to give; undefined where the case asks nothing of it. */
export function startsByRule(
  set: ConformanceSet,
  { answers }: ConformanceCase,
  rule: string,
): readonly number[] | undefined {
  return answers.find((answer) => rulesOfAnswer(set, answer).includes(rule))?.starts;
}

/**
 * The starts of gridalloc itself, for each of some options.
 * @param asked options of a simulation, by name, as texts.
 * @throws InputError for options that do not go together.
 */
export async function ownStarts(
  { name, sites }: ConformanceLog,
  asked: readonly Readonly<Record<string, string>>[],
): Promise<Starts[]> {
  const path = conformanceLog(name);
  const trace = await readTrace(path);
  return asked.map((options) => {
    const settings = withMethod({ workload: path }, { sites: sites.join(','), home: 'none', ...options });
    const { workload, configurations } = experimentOn(settings, trace, [{}]);
    const simulator = new Simulator(workload);
    simulator.begin(firstOf(configurations));
    simulator.run();
    const { start } = simulator.schedule();
    const names = jobNames(workload);
    return Array.from({ length: trace.count }, (_, k) => start[names.indexOf(String(k + 1))] ?? null);
  });
}

// Which rules the starts of a simulator are those of.

/** A case as a simulator has it. */
export interface AnsweredCase {
  readonly name: string;
  readonly starts: Starts;
  /** The rules that give these starts, by name. */
  readonly rules: readonly string[];
}

/** What the starts say of one machine, or of several sites. */
export interface Conformity {
  /** How many cases there are. */
  readonly cases: number;
  /** The rules that give all of the starts, by name. */
  readonly rules: readonly string[];
  /** Those that give most of them, with how many. */
  readonly nearest: readonly { readonly rule: string; readonly cases: number }[];
}

/** How many rules are called the nearest. */
const NEAREST = 3;

const isSame = (one: Starts, other: Starts) => one.every((start, k) => start === other[k]);

/** The rules that give the starts of a case. */
export function answeredCase(set: ConformanceSet, each: ConformanceCase, starts: Starts): AnsweredCase {
  const answer = each.answers.find((one) => isSame(one.starts, starts));
  return { name: each.name, starts, rules: answer === undefined ? [] : rulesOfAnswer(set, answer) };
}

/** What a simulator does with the records of a habit, in words; null if it is none of what is known. */
export function habitOf({ answers }: ConformanceHabit, starts: Starts): string | null {
  return answers.find((answer) => isSame(answer.starts, starts))?.title ?? null;
}

/** The rules that give all, and most, of the starts of some cases; a case that asks nothing of a rule is not held against it. */
export function conformityOf(set: ConformanceSet, answered: readonly AnsweredCase[]): Conformity {
  const cases = set.cases.filter(({ name }) => answered.some((each) => each.name === name));
  const asked = Object.keys(set.rules).filter((rule) =>
    cases.some((each) => startsByRule(set, each, rule) !== undefined),
  );
  const counted = asked.map((rule) => {
    const silent = cases.filter((each) => startsByRule(set, each, rule) === undefined).length;
    return { rule, silent, cases: answered.filter(({ rules }) => rules.includes(rule)).length };
  });
  counted.sort((a, b) => b.cases - a.cases);
  return {
    cases: cases.length,
    rules: counted.filter((each) => each.cases + each.silent === cases.length).map(({ rule }) => rule),
    nearest: counted.slice(0, NEAREST).map(({ rule, cases }) => ({ rule, cases })),
  };
}
