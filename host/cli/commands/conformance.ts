/**
 * Command `gridalloc conformance`: finds the backfilling rules that agree with the start times of another
 * simulator.
 */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type ConformanceCase,
  type ConformanceCaseResult,
  type ConformanceResult,
  type ConformanceSet,
  checkOutsideCommand,
  findMatchingHabit,
  findStartTimesRequiredByRule,
  hasSitesPlaceholder,
  type JobStartTimes,
  judgeConformance,
  judgeConformanceCase,
  locateConformanceLog,
  readConformanceSet,
  runOutsideCommand,
  simulateConformanceLog,
} from '../../conformance/conformanceSet.js';
import { FunctionError } from '../../errors.js';
import { formatNumber } from '../../format/numbers.js';
import { quoteShellWord } from '../../format/text.js';
import { COMMON_COMMAND_OPTIONS } from '../../request/commandOptions.js';
import type { CommandOptionTable } from '../../request/definitions.js';
import { type CommandInput, makeInputReader } from '../../request/fromArguments.js';
import {
  formatTerminalTable,
  MAX_TERMINAL_LINE_WIDTH,
  type TerminalColors,
  type TerminalColumn,
  wrapText,
  wrapToTerminalLine,
} from '../../view/terminal.js';
import type { Command } from '../command.js';
import { type CommandContext, makeShareProgressText } from '../context.js';

const CONFORMANCE_OPTIONS = {
  against: {
    describe: "a command that simulates a log: 'CMD {log} {processors} {out}'",
    default: 'gridalloc itself',
    group: 'Simulator:',
  },
  ...COMMON_COMMAND_OPTIONS,
} satisfies CommandOptionTable;

/** Command `gridalloc conformance`. */
export const conformanceCommand: Command<CommandInput<typeof CONFORMANCE_OPTIONS>> = {
  description:
    'Runs the conformance set: logs of a few jobs, each made to distinguish two backfilling rules, with the starts under every rule. Without options, lists them with the gridalloc options for each rule, and checks its own starts. --against runs a command ' +
    'for each log, through the shell with your permissions, and says which rules its starts match. {log} is a log in the Standard ' +
    'Workload Format, {processors} how many the machine has, {sites} those of each site, such as 4,2 (without it, cases with several sites are skipped), {out} the file to write: lines of a job number and a start, or SWF with waits. ' +
    'See docs/conformance.md.',
  positionals: [],
  options: CONFORMANCE_OPTIONS,
  read: makeInputReader(CONFORMANCE_OPTIONS),
  examples: [
    ['gridalloc conformance', 'the cases, and the rules of gridalloc'],
    [
      "gridalloc conformance --against 'python3 easy.py {log} {processors} {out}'",
      'which rules another simulator has',
    ],
  ],
  run: runConformanceCommand,
};

async function runConformanceCommand(
  commandInput: CommandInput<typeof CONFORMANCE_OPTIONS>,
  context: CommandContext,
): Promise<number> {
  const conformanceSet = readConformanceSet();
  const { columns } = context.io.stdout;
  const command = commandInput.values.against;
  if (command === undefined) {
    await checkGridallocStarts(conformanceSet);
    return context.printResult(makeConformanceSetDocument(conformanceSet), () =>
      formatConformanceSet(conformanceSet, context.colors, columns),
    );
  }
  checkOutsideCommand(command);
  const answers = await collectOutsideSimulatorStarts(conformanceSet, command, context);
  return context.printResult({ command, ...answers }, () =>
    formatConformanceAnswers(conformanceSet, answers, context.colors, columns),
  );
}

/** Conformance set as JSON, with the paths of its logs. */
function makeConformanceSetDocument({ rules, cases, habits }: ConformanceSet): object {
  const addLogPath = <T extends { readonly name: string }>(conformanceCase: T) => ({
    ...conformanceCase,
    log: locateConformanceLog(conformanceCase.name),
  });
  return { rules, cases: cases.map(addLogPath), habits: habits.map(addLogPath) };
}

/**
 * Checks that gridalloc's start times agree with the rule under test.
 * @throws Error if one differs.
 */
async function checkGridallocStarts(conformanceSet: ConformanceSet): Promise<void> {
  for (const conformanceCase of conformanceSet.cases) {
    const testedRules = Object.entries(conformanceSet.rules).flatMap(
      ([ruleName, { title: ruleTitle, options }]) => {
        const requiredStarts = findStartTimesRequiredByRule(conformanceSet, conformanceCase, ruleName);
        return options === undefined || requiredStarts === undefined
          ? []
          : [{ title: ruleTitle, options, expected: requiredStarts }];
      },
    );
    const simulatedStarts = await simulateConformanceLog(
      conformanceCase,
      testedRules.map(({ options }) => options),
    );
    for (const [k, { title, expected }] of testedRules.entries()) {
      if (String(simulatedStarts[k]) === String(expected)) continue;
      throw new FunctionError(
        `${conformanceCase.name}: ${title} starts jobs at ${simulatedStarts[k]}, expected ${expected}; this is a different core`,
      );
    }
  }
}

/** Runs the external simulator's command for every log of the set. */
async function collectOutsideSimulatorStarts(
  conformanceSet: ConformanceSet,
  command: string,
  context: CommandContext,
): Promise<ConformanceAnswersOfSimulator> {
  const cases = conformanceSet.cases.filter(
    ({ sites }) => sites.length === 1 || hasSitesPlaceholder(command),
  );
  const folder = await mkdtemp(join(tmpdir(), 'gridalloc-conformance-'));
  const progressLine = context.startProgressLine(makeShareProgressText('running the command'), true);
  const totalLogCount = cases.length + conformanceSet.habits.length;
  let doneCount = 0;
  const runCommandOnCase = async (
    { name: logName, sites, answers }: (typeof cases)[number] | (typeof conformanceSet.habits)[number],
    mayOmitJobs: boolean,
  ) => {
    progressLine.update(doneCount++, totalLogCount);
    const conformanceLog = { name: logName, sites, jobs: answers[0]?.starts.length ?? 0 };
    return runOutsideCommand(command, conformanceLog, folder, mayOmitJobs, context.io.signal);
  };
  try {
    const answeredCases = [];
    for (const conformanceCase of cases)
      answeredCases.push(
        judgeConformanceCase(conformanceSet, conformanceCase, await runCommandOnCase(conformanceCase, false)),
      );
    const schedulerHabits = [];
    for (const habit of conformanceSet.habits) {
      const simulatedStarts = await runCommandOnCase(habit, true);
      schedulerHabits.push({
        name: habit.name,
        starts: simulatedStarts,
        title: findMatchingHabit(habit, simulatedStarts),
      });
    }
    const isSingleMachineCase = ({ name }: { readonly name: string }) =>
      conformanceSet.cases.some(
        (conformanceCase) => conformanceCase.name === name && conformanceCase.sites.length === 1,
      );
    const multiSiteCases = answeredCases.filter((conformanceCase) => !isSingleMachineCase(conformanceCase));
    return {
      cases: answeredCases,
      machine: judgeConformance(conformanceSet, answeredCases.filter(isSingleMachineCase)),
      ...(multiSiteCases.length === 0 ? {} : { sites: judgeConformance(conformanceSet, multiSiteCases) }),
      habits: schedulerHabits,
    };
  } finally {
    progressLine.end();
    await rm(folder, { recursive: true, force: true });
  }
}

// The result of a check, in words

/** Results of another simulator on the conformance set. */
export interface ConformanceAnswersOfSimulator {
  readonly cases: readonly ConformanceCaseResult[];
  readonly machine: ConformanceResult;
  /** Agreement on several sites; absent: the simulator has one machine. */
  readonly sites?: ConformanceResult;
  readonly habits: readonly {
    readonly name: string;
    readonly starts: JobStartTimes;
    /** Title of the habit that these starts show; null if they show none of the known ones. */
    readonly title: string | null;
  }[];
}

const makeTableColumns = (
  headings: readonly string[],
  maxColumnWidths: readonly (number | undefined)[] = [],
): TerminalColumn[] =>
  headings.map((heading, k) => ({
    heading,
    align: 'left',
    ...(maxColumnWidths[k] === undefined ? {} : { most: maxColumnWidths[k] }),
  }));

/** Formats a list item with continuation lines indented. */
const formatIndentedListItem = (itemText: string) =>
  `  ${wrapText(itemText, MAX_TERMINAL_LINE_WIDTH - 4).replaceAll('\n', '\n    ')}`;

/** Width in characters of the column with rule titles. */
const RULE_COLUMN_WIDTH = 40;

const formatStartTimes = (starts: JobStartTimes) => starts.map((start) => start ?? '-').join(' ');

const formatOptionList = (options: Readonly<Record<string, string>>) =>
  Object.entries(options)
    .map(([optionName, optionValue]) => `--${optionName} ${quoteShellWord(optionValue)}`)
    .join(' ');

/** Formats all cases, and the rules of gridalloc with their options. */
function formatConformanceSet(
  conformanceSet: ConformanceSet,
  colors: TerminalColors,
  width?: number,
): string {
  const { cases, habits, rules } = conformanceSet;
  const caseRows = [...cases, ...habits].map(({ name: logName, sites, why }) => [
    logName,
    sites.join(','),
    why,
  ]);
  const gridallocRuleRows = Object.values(rules).flatMap(({ title: ruleTitle, options }) =>
    options === undefined ? [] : [[ruleTitle, formatOptionList(options)]],
  );
  return [
    wrapToTerminalLine(
      `${formatNumber(cases.length)} cases distinguish ${formatNumber(Object.keys(rules).length)} rules, ${formatNumber(habits.length)} show habits. ` +
        `gridalloc has ${formatNumber(gridallocRuleRows.length)} of the rules, and gives the starts of each.`,
    ),
    formatTerminalTable(makeTableColumns(['case', 'processors', 'what happens']), caseRows, colors, width),
    formatTerminalTable(
      makeTableColumns(['rule', 'options'], [RULE_COLUMN_WIDTH]),
      gridallocRuleRows,
      colors,
      width,
    ),
  ].join('\n\n');
}

/** Describes the rules that agree with the start times of another simulator. */
function formatConformanceAnswers(
  conformanceSet: ConformanceSet,
  answers: ConformanceAnswersOfSimulator,
  colors: TerminalColors,
  width?: number,
): string {
  const habitTexts = answers.habits.map(({ name: caseName, starts, title: habitTitle }) =>
    habitTitle === null
      ? `${caseName}: starts ${formatStartTimes(starts)}, which none of the known habits gives`
      : habitTitle,
  );
  const agreementOnSitesText =
    answers.sites &&
    formatRuleAgreement(conformanceSet, answers, answers.sites, 'of several sites', colors, width);
  return [
    formatRuleAgreement(conformanceSet, answers, answers.machine, 'of one machine', colors, width),
    ...(agreementOnSitesText === undefined ? [] : [agreementOnSitesText]),
    `Habits:\n${habitTexts.map(formatIndentedListItem).join('\n')}`,
  ].join('\n\n');
}

function formatRuleAgreement(
  conformanceSet: ConformanceSet,
  { cases }: ConformanceAnswersOfSimulator,
  { cases: caseCount, rules, nearest }: ConformanceResult,
  caseKind: string,
  colors: TerminalColors,
  width: number | undefined,
): string {
  const casesPhrase = `all ${formatNumber(caseCount)} cases ${caseKind}`;
  const titleOfRule = (rule: string) => conformanceSet.rules[rule]?.title ?? rule;
  if (rules.length > 0) {
    return `In ${casesPhrase} its starts are those of\n${rules.map((rule) => formatIndentedListItem(titleOfRule(rule))).join('\n')}`;
  }
  const nearestRuleItems = nearest.map(({ rule, cases: agreeingCaseCount }) =>
    formatIndentedListItem(`${titleOfRule(rule)}: ${formatNumber(agreeingCaseCount)} cases`),
  );
  const isOfSingleMachine = caseKind === 'of one machine';
  const answeredCases = cases.filter(
    ({ name: caseName }) =>
      (findConformanceCase(conformanceSet, caseName).sites.length === 1) === isOfSingleMachine,
  );
  const rows = answeredCases.map((conformanceCase) => [
    conformanceCase.name,
    formatStartTimes(conformanceCase.starts),
    formatRulesByFamily(conformanceSet, conformanceCase),
  ]);
  return [
    `No rule gives its starts in ${casesPhrase}. Nearest are\n${nearestRuleItems.join('\n')}`,
    formatTerminalTable(makeTableColumns(['case', 'starts', 'rules that give them']), rows, colors, width),
  ].join('\n\n');
}

const findConformanceCase = (conformanceSet: ConformanceSet, caseName: string): ConformanceCase =>
  conformanceSet.cases.find((conformanceCase) => conformanceCase.name === caseName)!;

/** Groups rules by family: `easy, sjbf (event, start)`. */
function formatRulesByFamily(
  conformanceSet: ConformanceSet,
  { name: caseName, starts }: ConformanceCaseResult,
): string {
  const knownAnswer = findConformanceCase(conformanceSet, caseName).answers.find(
    (answer) => formatStartTimes(answer.starts) === formatStartTimes(starts),
  );
  if (knownAnswer === undefined) return 'none';
  return Object.entries(knownAnswer.rules)
    .map(([family, timings]) => (timings === 'all' ? family : `${family} (${timings.join(', ')})`))
    .join(', ');
}
