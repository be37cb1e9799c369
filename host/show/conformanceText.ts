/** The conformance set for a terminal: its cases, the rules of gridalloc, and what a simulator makes of it. */

import type {
  AnsweredCase,
  ConformanceCase,
  ConformanceSet,
  Conformity,
  Starts,
} from '../conformance/conformanceSet.js';
import { formatNumber } from '../format/numbers.js';
import { shellWord } from '../format/text.js';
import { type Colors, type Column, formatTable, LINE, wrapped, wrapText } from './tableText.js';

/** What another simulator has made of the set. */
export interface Answers {
  readonly cases: readonly AnsweredCase[];
  readonly machine: Conformity;
  /** Where it takes several sites. */
  readonly sites?: Conformity;
  readonly habits: readonly {
    readonly name: string;
    readonly starts: Starts;
    readonly title: string | null;
  }[];
}

const columns = (headings: readonly string[], most: readonly (number | undefined)[] = []): Column[] =>
  headings.map((heading, k) => ({
    heading,
    align: 'left',
    ...(most[k] === undefined ? {} : { most: most[k] }),
  }));

/** A text of a list, further in where it takes several lines. */
const item = (text: string) => `  ${wrapText(text, LINE - 4).replaceAll('\n', '\n    ')}`;

/** Characters of a line with the title of a rule, beside its options. */
const RULE = 40;

const startsText = (starts: Starts) => starts.map((start) => start ?? '-').join(' ');

const optionsText = (options: Readonly<Record<string, string>>) =>
  Object.entries(options)
    .map(([name, value]) => `--${name} ${shellWord(value)}`)
    .join(' ');

/** All cases, and the rules that gridalloc has with their options. */
export function conformanceSetText(set: ConformanceSet, colors: Colors, width?: number): string {
  const { cases, habits, rules } = set;
  const logs = [...cases, ...habits].map(({ name, sites, why }) => [name, sites.join(','), why]);
  const own = Object.values(rules).flatMap(({ title, options }) =>
    options === undefined ? [] : [[title, optionsText(options)]],
  );
  return [
    wrapped(
      `${formatNumber(cases.length)} cases tell ${formatNumber(Object.keys(rules).length)} rules apart, ${formatNumber(habits.length)} show habits. ` +
        `gridalloc has ${formatNumber(own.length)} of the rules, and gives the starts of each.`,
    ),
    formatTable(columns(['case', 'processors', 'what happens']), logs, colors, width),
    formatTable(columns(['rule', 'options'], [RULE]), own, colors, width),
  ].join('\n\n');
}

/** What the starts of another simulator are those of. */
export function answersText(set: ConformanceSet, answers: Answers, colors: Colors, width?: number): string {
  const habits = answers.habits.map(({ name, starts, title }) =>
    title === null ? `${name}: starts ${startsText(starts)}, which none of the known habits gives` : title,
  );
  const several = answers.sites && fitText(set, answers, answers.sites, 'of several sites', colors, width);
  return [
    fitText(set, answers, answers.machine, 'of one machine', colors, width),
    ...(several === undefined ? [] : [several]),
    `Habits:\n${habits.map(item).join('\n')}`,
  ].join('\n\n');
}

function fitText(
  set: ConformanceSet,
  { cases }: Answers,
  { cases: count, rules, nearest }: Conformity,
  which: string,
  colors: Colors,
  width: number | undefined,
): string {
  const all = `all ${formatNumber(count)} cases ${which}`;
  const titleOf = (rule: string) => set.rules[rule]?.title ?? rule;
  if (rules.length > 0) {
    return `In ${all} its starts are those of\n${rules.map((rule) => item(titleOf(rule))).join('\n')}`;
  }
  const near = nearest.map(({ rule, cases: fitting }) =>
    item(`${titleOf(rule)}: ${formatNumber(fitting)} cases`),
  );
  const isMachine = which === 'of one machine';
  const answered = cases.filter(({ name }) => (caseOf(set, name).sites.length === 1) === isMachine);
  const rows = answered.map((each) => [each.name, startsText(each.starts), whoseText(set, each)]);
  return [
    `No rule gives its starts in ${all}. Nearest are\n${near.join('\n')}`,
    formatTable(columns(['case', 'starts', 'rules that give them']), rows, colors, width),
  ].join('\n\n');
}

const caseOf = (set: ConformanceSet, name: string): ConformanceCase =>
  set.cases.find((each) => each.name === name)!;

/** Rules by family: `easy, sjbf (event, start)`. */
function whoseText(set: ConformanceSet, { name, starts }: AnsweredCase): string {
  const answer = caseOf(set, name).answers.find((each) => startsText(each.starts) === startsText(starts));
  if (answer === undefined) return 'none';
  return Object.entries(answer.rules)
    .map(([family, timings]) => (timings === 'all' ? family : `${family} (${timings.join(', ')})`))
    .join(', ');
}
