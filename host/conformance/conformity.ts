/** Which rules the starts of a simulator are those of. */
import {
  type ConformanceCase,
  type ConformanceHabit,
  type ConformanceSet,
  rulesOfAnswer,
  type Starts,
  startsByRule,
} from './conformanceSet.js';

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
