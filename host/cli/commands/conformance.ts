/** gridalloc conformance: finds the rules of backfilling that the starts of a simulator follow. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type AnsweredCase,
  answeredCase,
  type ConformanceCase,
  type ConformanceSet,
  type Conformity,
  checkCommand,
  conformanceLog,
  conformityOf,
  habitOf,
  outsideStarts,
  ownStarts,
  readConformanceSet,
  type Starts,
  startsByRule,
  takesSites,
} from '../../conformance/conformanceSet.js';
import { FunctionError } from '../../errors.js';
import { formatNumber } from '../../format/numbers.js';
import { shellWord } from '../../format/text.js';
import { COMMON_OPTIONS } from '../../request/commandOptions.js';
import type { OptionTable } from '../../request/definitions.js';
import { type CommandInput, readInput } from '../../request/fromArguments.js';
import { type Colors, type Column, formatTable, MAX_LINE, wrapLines, wrapText } from '../../view/terminal.js';
import type { Command } from '../command.js';
import { type Context, shareDone } from '../context.js';

const CONFORMANCE_OPTIONS = {
  against: {
    describe: "a command that simulates a log: 'CMD {log} {processors} {out}'",
    default: 'gridalloc itself',
    group: 'Simulator:',
  },
  ...COMMON_OPTIONS,
} satisfies OptionTable;

/** gridalloc conformance. */
export const conformanceCommand: Command<CommandInput<typeof CONFORMANCE_OPTIONS>> = {
  description:
    'Runs the conformance set: logs of a few jobs, each made to distinguish two backfilling rules, with the starts under every rule. Without options, lists them with the gridalloc options for each rule, and checks its own starts. --against runs a command ' +
    'for each log, through the shell with your permissions, and says which rules its starts match. {log} is a log in the Standard ' +
    'Workload Format, {processors} how many the machine has, {sites} those of each site, such as 4,2 (without it, cases with several sites are skipped), {out} the file to write: lines of a job number and a start, or SWF with waits. ' +
    'See docs/conformance.md.',
  positionals: [],
  options: CONFORMANCE_OPTIONS,
  read: readInput(CONFORMANCE_OPTIONS),
  examples: [
    ['gridalloc conformance', 'the cases, and the rules of gridalloc'],
    [
      "gridalloc conformance --against 'python3 easy.py {log} {processors} {out}'",
      'which rules another simulator has',
    ],
  ],
  run,
};

async function run(input: CommandInput<typeof CONFORMANCE_OPTIONS>, context: Context): Promise<number> {
  const set = readConformanceSet();
  const { columns } = context.io.stdout;
  const command = input.values.against;
  if (command === undefined) {
    await checkOwnStarts(set);
    return context.printResult(withLogs(set), () => conformanceSetText(set, context.colors, columns));
  }
  checkCommand(command);
  const answers = await runOutsideSimulator(set, command, context);
  return context.printResult({ command, ...answers }, () =>
    answersText(set, answers, context.colors, columns),
  );
}

/** The set with the paths of its logs. */
function withLogs({ rules, cases, habits }: ConformanceSet): object {
  const withLog = <T extends { readonly name: string }>(each: T) => ({
    ...each,
    log: conformanceLog(each.name),
  });
  return { rules, cases: cases.map(withLog), habits: habits.map(withLog) };
}

/** Throws an error if a start of gridalloc differs from that of its rule. */
async function checkOwnStarts(set: ConformanceSet): Promise<void> {
  for (const each of set.cases) {
    const requested = Object.entries(set.rules).flatMap(([name, { title, options }]) => {
      const expected = startsByRule(set, each, name);
      return options === undefined || expected === undefined ? [] : [{ title, options, expected }];
    });
    const found = await ownStarts(
      each,
      requested.map(({ options }) => options),
    );
    for (const [k, { title, expected }] of requested.entries()) {
      if (String(found[k]) === String(expected)) continue;
      throw new FunctionError(
        `${each.name}: ${title} starts jobs at ${found[k]}, expected ${expected}; this is a different core`,
      );
    }
  }
}

/** Runs the command for every log that it takes. */
async function runOutsideSimulator(
  set: ConformanceSet,
  command: string,
  context: Context,
): Promise<ConformanceAnswers> {
  const cases = set.cases.filter(({ sites }) => sites.length === 1 || takesSites(command));
  const folder = await mkdtemp(join(tmpdir(), 'gridalloc-conformance-'));
  const progress = context.progress(shareDone('running the command'), true);
  const total = cases.length + set.habits.length;
  let done = 0;
  const startsOf = async (
    { name, sites, answers }: (typeof cases)[number] | (typeof set.habits)[number],
    mayLack: boolean,
  ) => {
    progress.update(done++, total);
    const log = { name, sites, jobs: answers[0]?.starts.length ?? 0 };
    return outsideStarts(command, log, folder, mayLack, context.io.signal);
  };
  try {
    const answeredCases = [];
    for (const each of cases) answeredCases.push(answeredCase(set, each, await startsOf(each, false)));
    const habits = [];
    for (const each of set.habits) {
      const starts = await startsOf(each, true);
      habits.push({ name: each.name, starts, title: habitOf(each, starts) });
    }
    const isMachine = ({ name }: { readonly name: string }) =>
      set.cases.some((each) => each.name === name && each.sites.length === 1);
    const several = answeredCases.filter((each) => !isMachine(each));
    return {
      cases: answeredCases,
      machine: conformityOf(set, answeredCases.filter(isMachine)),
      ...(several.length === 0 ? {} : { sites: conformityOf(set, several) }),
      habits,
    };
  } finally {
    progress.end();
    await rm(folder, { recursive: true, force: true });
  }
}

// The result of a check, in words

/** Answers of another simulator to the conformance set. */
export interface ConformanceAnswers {
  readonly cases: readonly AnsweredCase[];
  readonly machine: Conformity;
  /** Agreement on several sites; absent: the simulator has one machine. */
  readonly sites?: Conformity;
  readonly habits: readonly {
    readonly name: string;
    readonly starts: Starts;
    readonly title: string | null;
  }[];
}

const columnsWithWidths = (
  headings: readonly string[],
  most: readonly (number | undefined)[] = [],
): Column[] =>
  headings.map((heading, k) => ({
    heading,
    align: 'left',
    ...(most[k] === undefined ? {} : { most: most[k] }),
  }));

/** A text of a list, further in where it takes several lines. */
const listItem = (text: string) => `  ${wrapText(text, MAX_LINE - 4).replaceAll('\n', '\n    ')}`;

/** Characters of a line with the title of a rule, beside its options. */
const RULE_WIDTH = 40;

const startsText = (starts: Starts) => starts.map((start) => start ?? '-').join(' ');

const optionsText = (options: Readonly<Record<string, string>>) =>
  Object.entries(options)
    .map(([name, value]) => `--${name} ${shellWord(value)}`)
    .join(' ');

/** All cases, and the rules that gridalloc has with their options. */
function conformanceSetText(set: ConformanceSet, colors: Colors, width?: number): string {
  const { cases, habits, rules } = set;
  const logs = [...cases, ...habits].map(({ name, sites, why }) => [name, sites.join(','), why]);
  const own = Object.values(rules).flatMap(({ title, options }) =>
    options === undefined ? [] : [[title, optionsText(options)]],
  );
  return [
    wrapLines(
      `${formatNumber(cases.length)} cases distinguish ${formatNumber(Object.keys(rules).length)} rules, ${formatNumber(habits.length)} show habits. ` +
        `gridalloc has ${formatNumber(own.length)} of the rules, and gives the starts of each.`,
    ),
    formatTable(columnsWithWidths(['case', 'processors', 'what happens']), logs, colors, width),
    formatTable(columnsWithWidths(['rule', 'options'], [RULE_WIDTH]), own, colors, width),
  ].join('\n\n');
}

/** Text on the rules that the starts of another simulator agree with. */
function answersText(
  set: ConformanceSet,
  answers: ConformanceAnswers,
  colors: Colors,
  width?: number,
): string {
  const habits = answers.habits.map(({ name, starts, title }) =>
    title === null ? `${name}: starts ${startsText(starts)}, which none of the known habits gives` : title,
  );
  const several = answers.sites && fitText(set, answers, answers.sites, 'of several sites', colors, width);
  return [
    fitText(set, answers, answers.machine, 'of one machine', colors, width),
    ...(several === undefined ? [] : [several]),
    `Habits:\n${habits.map(listItem).join('\n')}`,
  ].join('\n\n');
}

function fitText(
  set: ConformanceSet,
  { cases }: ConformanceAnswers,
  { cases: count, rules, nearest }: Conformity,
  which: string,
  colors: Colors,
  width: number | undefined,
): string {
  const all = `all ${formatNumber(count)} cases ${which}`;
  const titleOf = (rule: string) => set.rules[rule]?.title ?? rule;
  if (rules.length > 0) {
    return `In ${all} its starts are those of\n${rules.map((rule) => listItem(titleOf(rule))).join('\n')}`;
  }
  const near = nearest.map(({ rule, cases: fitting }) =>
    listItem(`${titleOf(rule)}: ${formatNumber(fitting)} cases`),
  );
  const isMachine = which === 'of one machine';
  const answeredCases = cases.filter(({ name }) => (caseNamed(set, name).sites.length === 1) === isMachine);
  const rows = answeredCases.map((each) => [each.name, startsText(each.starts), rulesText(set, each)]);
  return [
    `No rule gives its starts in ${all}. Nearest are\n${near.join('\n')}`,
    formatTable(columnsWithWidths(['case', 'starts', 'rules that give them']), rows, colors, width),
  ].join('\n\n');
}

const caseNamed = (set: ConformanceSet, name: string): ConformanceCase =>
  set.cases.find((each) => each.name === name)!;

/** Rules by family: `easy, sjbf (event, start)`. */
function rulesText(set: ConformanceSet, { name, starts }: AnsweredCase): string {
  const answer = caseNamed(set, name).answers.find((each) => startsText(each.starts) === startsText(starts));
  if (answer === undefined) return 'none';
  return Object.entries(answer.rules)
    .map(([family, timings]) => (timings === 'all' ? family : `${family} (${timings.join(', ')})`))
    .join(', ');
}
