/** gridalloc conformance: which rules of backfilling the starts of a simulator are those of. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  answeredCase,
  type ConformanceSet,
  checkCommand,
  conformanceLog,
  conformityOf,
  habitOf,
  outsideStarts,
  ownStarts,
  readConformanceSet,
  startsByRule,
  takesSites,
} from '../../conformance/conformanceSet.js';
import { FunctionError } from '../../errors.js';
import { type Answers, answersText, conformanceSetText } from '../../show/conformanceText.js';
import type { Arguments, Command } from '../command.js';
import { COMMON_OPTIONS } from '../commandOptions.js';
import { type Context, shareDone } from '../context.js';

/** gridalloc conformance. */
export const conformanceCommand: Command = {
  description:
    'Runs the conformance set: logs of a few jobs, each made to tell two rules of backfilling apart, with the starts under every rule. Without options, lists them with the gridalloc options for each rule, and checks its own starts. --against runs a command ' +
    'for each log, through the shell with all your rights, and says which rules its starts match. {log} is a log in the Standard ' +
    'Workload Format, {processors} how many the machine has, {sites} those of each site, such as 4,2 (without it, cases with several sites are skipped), {out} the file to write: lines of a job number and a start, or SWF with waits. ' +
    'See docs/conformance.md.',
  positionals: [],
  options: {
    against: {
      describe: "a command that simulates a log: 'CMD {log} {processors} {out}'",
      default: 'gridalloc itself',
      group: 'Simulator:',
    },
    ...COMMON_OPTIONS,
  },
  examples: [
    ['gridalloc conformance', 'the cases, and the rules of gridalloc'],
    [
      "gridalloc conformance --against 'python3 easy.py {log} {processors} {out}'",
      'which rules another simulator has',
    ],
  ],
  run,
};

async function run(args: Arguments, context: Context): Promise<number> {
  const set = readConformanceSet();
  const { columns } = context.io.stdout;
  const command = args.text('against');
  if (command === undefined) {
    await checkOwn(set);
    return context.answer(withLogs(set), () => conformanceSetText(set, context.colors, columns));
  }
  checkCommand(command);
  const answers = await ask(set, command, context);
  return context.answer({ command, ...answers }, () => answersText(set, answers, context.colors, columns));
}

/** The set with the paths of its logs. */
function withLogs({ rules, cases, habits }: ConformanceSet): object {
  const located = <T extends { readonly name: string }>(each: T) => ({
    ...each,
    log: conformanceLog(each.name),
  });
  return { rules, cases: cases.map(located), habits: habits.map(located) };
}

/** Gives an error for a start of gridalloc that is not that of its rule. */
async function checkOwn(set: ConformanceSet): Promise<void> {
  for (const each of set.cases) {
    const asked = Object.entries(set.rules).flatMap(([name, { title, options }]) => {
      const expected = startsByRule(set, each, name);
      return options === undefined || expected === undefined ? [] : [{ title, options, expected }];
    });
    const found = await ownStarts(
      each,
      asked.map(({ options }) => options),
    );
    for (const [k, { title, expected }] of asked.entries()) {
      if (String(found[k]) === String(expected)) continue;
      throw new FunctionError(
        `${each.name}: ${title} starts jobs at ${found[k]}, expected ${expected}; this is a different core`,
      );
    }
  }
}

/** Runs the command for every log that it takes. */
async function ask(set: ConformanceSet, command: string, context: Context): Promise<Answers> {
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
    const answered = [];
    for (const each of cases) answered.push(answeredCase(set, each, await startsOf(each, false)));
    const habits = [];
    for (const each of set.habits) {
      const starts = await startsOf(each, true);
      habits.push({ name: each.name, starts, title: habitOf(each, starts) });
    }
    const isMachine = ({ name }: { readonly name: string }) =>
      set.cases.some((each) => each.name === name && each.sites.length === 1);
    const several = answered.filter((each) => !isMachine(each));
    return {
      cases: answered,
      machine: conformityOf(set, answered.filter(isMachine)),
      ...(several.length === 0 ? {} : { sites: conformityOf(set, several) }),
      habits,
    };
  } finally {
    progress.end();
    await rm(folder, { recursive: true, force: true });
  }
}
