/** gridalloc validate: how well a simulation follows the starts that a log recorded. */

import { InputError } from '../../errors.js';
import { replaceFiles, textAt } from '../../files/fileSystem.js';
import { readNodeLists } from '../../files/nodeLists.js';
import { joinFiles } from '../../files/traceFiles.js';
import { firstOf } from '../../lists.js';
import { validationDocument, validationReport } from '../../reports/validationReport.js';
import {
  COMMON_OPTIONS,
  CORE_OPTION,
  SETTING_OPTIONS,
  WORKLOAD,
  WORKLOAD_HELP,
} from '../../request/commandOptions.js';
import type { OptionTable } from '../../request/definitions.js';
import { type CommandInput, inputOf } from '../../request/fromArguments.js';
import { simulateRequest } from '../../request/request.js';
import { recordingOf, unknownStarts, withNodes } from '../../validate/recording.js';
import { type Validation, validate } from '../../validate/validate.js';
import { reportText } from '../../view/report.js';
import { reportPage } from '../../view/reportFolder.js';
import { jobNames } from '../../workload/workload.js';
import type { Command } from '../command.js';
import { type Context, shareDone } from '../context.js';
import { prepareExperiment } from '../loading.js';
import { SCHEDULER_OPTION } from '../scheduler.js';

/** Number of jobs that are listed by default. */
const LISTED = 10;

const VALIDATE_OPTIONS = {
  ...SETTING_OPTIONS,
  scheduler: SCHEDULER_OPTION,
  'free-only': {
    describe: 'do not predict step by step, which takes longer',
    isSwitch: true,
    group: 'Output:',
  },
  jobs: { describe: 'list this many of the jobs that differ most', default: `${LISTED}`, group: 'Output:' },
  out: { describe: 'also write the comparison as a page: FILE.html', default: 'none', group: 'Output:' },
  ...CORE_OPTION,
  ...COMMON_OPTIONS,
} satisfies OptionTable;

/** gridalloc validate. */
export const validateCommand: Command<CommandInput<typeof VALIDATE_OPTIONS>> = {
  description: [
    'Compares the starts of a simulation with those that a log recorded, in two ways. Free: the simulation runs by itself. Step by step: before every pass it gets the jobs that really ran and waited then, so that one early difference does not hide later agreement.',
    WORKLOAD_HELP,
    'Only on one machine. Give the rules of the scheduler that wrote the log; --scheduler slurm names those of Slurm.',
  ].join('\n\n'),
  positionals: [WORKLOAD],
  options: VALIDATE_OPTIONS,
  read: inputOf(VALIDATE_OPTIONS),
  examples: [
    ['gridalloc validate jobs.txt --scheduler slurm', 'a recording of sacct, by the rules of Slurm'],
    ['gridalloc validate log.swf --discipline easy', 'would EASY have started the jobs when they started?'],
    ['gridalloc validate jobs.txt --discipline easy --out easy.html', 'the same as a page'],
  ],
  run,
};

async function run(input: CommandInput<typeof VALIDATE_OPTIONS>, context: Context): Promise<number> {
  const out = input.values.out;
  if (out !== undefined && !out.endsWith('.html')) {
    throw new InputError(`--out: expected FILE.html, found '${out}'`);
  }
  const count = listedJobs(input);
  const source = joinFiles(input.words);
  const experiment = await prepareExperiment(simulateRequest(source, input.options), context);
  const recorded = recordingOf(experiment.workload);
  const lists = await readNodeLists(source);
  const recording =
    lists === undefined ? recorded : withNodes(recorded, lists, jobNames(experiment.workload));
  const unknown = unknownStarts(recording);
  if (unknown !== undefined) await context.printMessage(unknown);
  const progress = context.progress(shareDone('predicting step by step'));
  let validation: Validation;
  try {
    validation = validate(recording, firstOf(experiment.configurations), {
      isFreeOnly: input.values['free-only'] !== undefined,
      listed: count,
      onProgress: (share) => {
        context.io.signal.throwIfAborted();
        progress.update(share, 1);
      },
    });
  } finally {
    progress.end();
  }
  const command = `gridalloc validate ${input.line}`;
  const report = validationReport(validation, command);
  if (out !== undefined) {
    await replaceFiles([textAt(out, [reportPage({ report, pictures: [] })])], context.io.signal);
    await context.printMessage(`the comparison is in ${out}`);
  }
  return context.printResult(validationDocument(validation), () =>
    reportText(report, context.colors, context.io.stdout.columns),
  );
}

function listedJobs(input: CommandInput<typeof VALIDATE_OPTIONS>): number {
  const text = input.values.jobs ?? `${LISTED}`;
  const count = Number(text);
  if (!Number.isInteger(count) || count < 0) {
    throw new InputError(`--jobs: expected a whole number from 0, found '${text}'`);
  }
  return count;
}
