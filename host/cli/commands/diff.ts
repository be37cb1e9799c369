/** Command `gridalloc diff`: compares two finished simulations of the same jobs. */

import { InputError } from '../../errors.js';
import { makeChunkedFile, writeUserFiles } from '../../files/fileSystem.js';
import { firstElement } from '../../lists.js';
import {
  drawDifferencePicture,
  makeDifferenceDocument,
  makeDifferenceReport,
} from '../../reports/differenceReport.js';
import { readFirstSubmitDate } from '../../reports/savedReport.js';
import { COMMON_COMMAND_OPTIONS } from '../../request/commandOptions.js';
import type { CommandOptionTable } from '../../request/definitions.js';
import { type CommandInput, makeInputReader } from '../../request/fromArguments.js';
import {
  compareSimulations,
  computeClassWaitDifferences,
  readFinishedSimulation,
} from '../../results/difference.js';
import type { JobClassField } from '../../results/finishedJobs.js';
import { resolveFieldAlias } from '../../trace/trace.js';
import { formatReport } from '../../view/report.js';
import { makeReportPage } from '../../view/reportFolder.js';
import type { Command } from '../command.js';
import type { CommandContext } from '../context.js';

/** Attributes by which waits can be compared. */
const JOB_CLASS_NAMES = ['user', 'group', 'account', 'queue', 'partition'];

const DIFF_OPTIONS = {
  by: {
    describe:
      'also the mean waits of each user, group, account, queue or partition, with the difference and its interval over jobs, the largest loss first',
    choices: JOB_CLASS_NAMES,
    default: 'none',
    group: 'Output:',
  },
  out: {
    describe: 'the difference as a Gantt chart: FILE.svg, or FILE.html',
    default: 'none',
    group: 'Output:',
  },
  ...COMMON_COMMAND_OPTIONS,
} satisfies CommandOptionTable;

/** Command `gridalloc diff`. */
export const diffCommand: Command<CommandInput<typeof DIFF_OPTIONS>> = {
  description:
    'Compares two finished simulations of the same jobs: every metric with its difference, and the jobs that gain and lose most, ' +
    'with the command that explains each. --out draws both schedules, one below the other and ' +
    'coloured by how much later jobs start, around the job that changes most.',
  positionals: [
    { name: 'A', meaning: 'A: a folder written by simulate --out' },
    { name: 'B', meaning: 'B: another one, with the same jobs' },
  ],
  options: DIFF_OPTIONS,
  read: makeInputReader(DIFF_OPTIONS),
  examples: [
    [
      'gridalloc diff first-come easy',
      'after gridalloc simulate log.swf --out first-come, and --discipline easy --out easy',
    ],
    ['gridalloc diff first-come easy --by user', 'which users wait longer'],
    ['gridalloc diff first-come easy --out difference.svg', 'both schedules in one Gantt chart'],
  ],
  run: runDiffCommand,
};

async function runDiffCommand(
  commandInput: CommandInput<typeof DIFF_OPTIONS>,
  context: CommandContext,
): Promise<number> {
  const out = commandInput.values.out;
  if (out !== undefined && !/\.(svg|html)$/.test(out)) {
    throw new InputError(`--out: expected FILE.svg or FILE.html, found '${out}'`);
  }
  const [a, b] = [firstElement(commandInput.positionals), commandInput.positionals[1]!];
  const classAttribute = commandInput.values.by;
  const classField =
    classAttribute === undefined ? undefined : (resolveFieldAlias(classAttribute) as JobClassField);
  const simulationDifference = compareSimulations(
    await readFinishedSimulation(a, classField),
    await readFinishedSimulation(b, classField),
  );
  const classDifferences =
    classAttribute === undefined
      ? undefined
      : { by: classAttribute, classes: computeClassWaitDifferences(simulationDifference) };
  const report = makeDifferenceReport(simulationDifference, classDifferences);
  await context.pause();
  if (out !== undefined) {
    const picture = drawDifferencePicture(
      simulationDifference,
      await readFirstSubmitDate(a, simulationDifference.a.jobs),
    );
    const fileText = out.endsWith('.svg') ? picture.svg : makeReportPage({ report, pictures: [picture] });
    await writeUserFiles(out, [makeChunkedFile(out, [fileText])], context.io.signal);
    await context.printMessage(`the difference is drawn in ${out}`);
  }
  return context.printResult(makeDifferenceDocument(simulationDifference, classDifferences), () =>
    formatReport(report, context.colors, context.io.stdout.columns),
  );
}
