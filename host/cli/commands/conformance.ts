/** gridalloc conformance: finds the rules of backfilling that the starts of a simulator follow. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type AnsweredCase,
  type ConformanceCase,
  type ConformanceResult,
  type ConformanceSet,
  checkCommand,
  conformanceLog,
  gridallocStarts,
  hasSitesPlaceholder,
  type JobStartTimes,
  judgeConformance,
  makeAnsweredCase,
  matchingHabit,
  readConformanceSet,
  runOutsideCommand,
  startTimesByRule,
} from '../../conformance/conformanceSet.js';
import { FunctionError } from '../../errors.js';
import { formatNumber } from '../../format/numbers.js';
import { quoteShellWord } from '../../format/text.js';
import { COMMON_OPTIONS } from '../../request/commandOptions.js';
import type { OptionTable } from '../../request/definitions.js';
import { type CommandInput, readInput } from '../../request/fromArguments.js';
import {
  type Colors,
  type Column,
  formatTable,
  MAX_TERMINAL_LINE,
  wrapLines,
  wrapText,
} from '../../view/terminal.js';
import type { Command } from '../command.js';
import { type Context, shareProgressText } from '../context.js';

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
    await checkGridallocStarts(set);
    return context.printResult(documentsWithLogs(set), () =>
      conformanceSetText(set, context.colors, columns),
    );
  }
  checkCommand(command);
  const answers = await askOutsideSimulator(set, command, context);
  return context.printResult({ command, ...answers }, () =>
    conformanceAnswersText(set, answers, context.colors, columns),
  );
}

/** The set with the paths of its logs. */
function documentsWithLogs({ rules, cases, habits }: ConformanceSet): object {
  const documentWithLog = <T extends { readonly name: string }>(each: T) => ({
    ...each,
    log: conformanceLog(each.name),
  });
  return { rules, cases: cases.map(documentWithLog), habits: habits.map(documentWithLog) };
}

/** Throws an error if a start of gridalloc differs from that of its rule. */
async function checkGridallocStarts(set: ConformanceSet): Promise<void> {
  for (const each of set.cases) {
    const requested = Object.entries(set.rules).flatMap(([name, { title, options }]) => {
      const expected = startTimesByRule(set, each, name);
      return options === undefined || expected === undefined ? [] : [{ title, options, expected }];
    });
    const found = await gridallocStarts(
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
async function askOutsideSimulator(
  set: ConformanceSet,
  command: string,
  context: Context,
): Promise<ConformanceAnswers> {
  const cases = set.cases.filter(({ sites }) => sites.length === 1 || hasSitesPlaceholder(command));
  const folder = await mkdtemp(join(tmpdir(), 'gridalloc-conformance-'));
  const progress = context.progress(shareProgressText('running the command'), true);
  const total = cases.length + set.habits.length;
  let done = 0;
  const startTimesOf = async (
    { name, sites, answers }: (typeof cases)[number] | (typeof set.habits)[number],
    mayOmitJobs: boolean,
  ) => {
    progress.update(done++, total);
    const log = { name, sites, jobs: answers[0]?.starts.length ?? 0 };
    return runOutsideCommand(command, log, folder, mayOmitJobs, context.io.signal);
  };
  try {
    const answeredCases = [];
    for (const each of cases)
      answeredCases.push(makeAnsweredCase(set, each, await startTimesOf(each, false)));
    const schedulerHabits = [];
    for (const each of set.habits) {
      const starts = await startTimesOf(each, true);
      schedulerHabits.push({ name: each.name, starts, title: matchingHabit(each, starts) });
    }
    const isSingleMachineCase = ({ name }: { readonly name: string }) =>
      set.cases.some((each) => each.name === name && each.sites.length === 1);
    const multiSiteCases = answeredCases.filter((each) => !isSingleMachineCase(each));
    return {
      cases: answeredCases,
      machine: judgeConformance(set, answeredCases.filter(isSingleMachineCase)),
      ...(multiSiteCases.length === 0 ? {} : { sites: judgeConformance(set, multiSiteCases) }),
      habits: schedulerHabits,
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
  readonly machine: ConformanceResult;
  /** Agreement on several sites; absent: the simulator has one machine. */
  readonly sites?: ConformanceResult;
  readonly habits: readonly {
    readonly name: string;
    readonly starts: JobStartTimes;
    readonly title: string | null;
  }[];
}

const columnsOfWidths = (headings: readonly string[], most: readonly (number | undefined)[] = []): Column[] =>
  headings.map((heading, k) => ({
    heading,
    align: 'left',
    ...(most[k] === undefined ? {} : { most: most[k] }),
  }));

/** A text of a list, further in where it takes several lines. */
const listItemText = (text: string) =>
  `  ${wrapText(text, MAX_TERMINAL_LINE - 4).replaceAll('\n', '\n    ')}`;

/** Characters of a line with the title of a rule, beside its options. */
const RULE_COLUMN_WIDTH = 40;

const startTimesText = (starts: JobStartTimes) => starts.map((start) => start ?? '-').join(' ');

const optionListText = (options: Readonly<Record<string, string>>) =>
  Object.entries(options)
    .map(([name, value]) => `--${name} ${quoteShellWord(value)}`)
    .join(' ');

/** All cases, and the rules that gridalloc has with their options. */
function conformanceSetText(set: ConformanceSet, colors: Colors, width?: number): string {
  const { cases, habits, rules } = set;
  const logs = [...cases, ...habits].map(({ name, sites, why }) => [name, sites.join(','), why]);
  const own = Object.values(rules).flatMap(({ title, options }) =>
    options === undefined ? [] : [[title, optionListText(options)]],
  );
  return [
    wrapLines(
      `${formatNumber(cases.length)} cases distinguish ${formatNumber(Object.keys(rules).length)} rules, ${formatNumber(habits.length)} show habits. ` +
        `gridalloc has ${formatNumber(own.length)} of the rules, and gives the starts of each.`,
    ),
    formatTable(columnsOfWidths(['case', 'processors', 'what happens']), logs, colors, width),
    formatTable(columnsOfWidths(['rule', 'options'], [RULE_COLUMN_WIDTH]), own, colors, width),
  ].join('\n\n');
}

/** Text on the rules that the starts of another simulator agree with. */
function conformanceAnswersText(
  set: ConformanceSet,
  answers: ConformanceAnswers,
  colors: Colors,
  width?: number,
): string {
  const schedulerHabits = answers.habits.map(({ name, starts, title }) =>
    title === null
      ? `${name}: starts ${startTimesText(starts)}, which none of the known habits gives`
      : title,
  );
  const multiSiteCases =
    answers.sites && conformityText(set, answers, answers.sites, 'of several sites', colors, width);
  return [
    conformityText(set, answers, answers.machine, 'of one machine', colors, width),
    ...(multiSiteCases === undefined ? [] : [multiSiteCases]),
    `Habits:\n${schedulerHabits.map(listItemText).join('\n')}`,
  ].join('\n\n');
}

function conformityText(
  set: ConformanceSet,
  { cases }: ConformanceAnswers,
  { cases: count, rules, nearest }: ConformanceResult,
  which: string,
  colors: Colors,
  width: number | undefined,
): string {
  const all = `all ${formatNumber(count)} cases ${which}`;
  const titleOfRule = (rule: string) => set.rules[rule]?.title ?? rule;
  if (rules.length > 0) {
    return `In ${all} its starts are those of\n${rules.map((rule) => listItemText(titleOfRule(rule))).join('\n')}`;
  }
  const nearestRuleItems = nearest.map(({ rule, cases: fitting }) =>
    listItemText(`${titleOfRule(rule)}: ${formatNumber(fitting)} cases`),
  );
  const isSingleMachineCase = which === 'of one machine';
  const answeredCases = cases.filter(
    ({ name }) => (findConformanceCase(set, name).sites.length === 1) === isSingleMachineCase,
  );
  const rows = answeredCases.map((each) => [
    each.name,
    startTimesText(each.starts),
    rulesOfCaseText(set, each),
  ]);
  return [
    `No rule gives its starts in ${all}. Nearest are\n${nearestRuleItems.join('\n')}`,
    formatTable(columnsOfWidths(['case', 'starts', 'rules that give them']), rows, colors, width),
  ].join('\n\n');
}

const findConformanceCase = (set: ConformanceSet, name: string): ConformanceCase =>
  set.cases.find((each) => each.name === name)!;

/** Rules by family: `easy, sjbf (event, start)`. */
function rulesOfCaseText(set: ConformanceSet, { name, starts }: AnsweredCase): string {
  const answer = findConformanceCase(set, name).answers.find(
    (each) => startTimesText(each.starts) === startTimesText(starts),
  );
  if (answer === undefined) return 'none';
  return Object.entries(answer.rules)
    .map(([family, timings]) => (timings === 'all' ? family : `${family} (${timings.join(', ')})`))
    .join(', ');
}
