/** gridalloc study cancel: what was submitted of a study is ended. */
import { InputError } from '../../errors.js';
import { countOf } from '../../format/numbers.js';
import { readCut } from '../../runner/shardFolder.js';
import { cancelJobs } from '../../runner/slurm.js';
import { readStudyQueue, readSubmissions } from '../../runner/submission.js';
import { sourceWord } from '../../trace/quote.js';
import type { Arguments } from '../arguments.js';
import type { Command } from '../command.js';
import type { Context } from '../context.js';
import { COMMON_OPTIONS } from '../options.js';

/** gridalloc study cancel. */
export const cancelCommand: Command = {
  description:
    'Ends the jobs by which Slurm runs the study in a folder, those that wait and those that run. What is done stays, ' +
    'and study run goes on from there.',
  positionals: [{ name: 'DIR', meaning: 'the DIR of a study' }],
  options: COMMON_OPTIONS,
  examples: [
    [
      'gridalloc study cancel results',
      'after gridalloc study run my-study.yaml --engine slurm --out results',
    ],
  ],
  run: cancel,
};

async function cancel(args: Arguments, context: Context): Promise<number> {
  const [folder] = args.words;
  if (readSubmissions(folder).length === 0) {
    throw new InputError(
      `nothing of ${folder} has been submitted to Slurm; give the folder of study run --engine slurm`,
    );
  }
  const { active } = await readStudyQueue(folder, readCut(folder)?.runs.length ?? 0);
  if (active.length > 0) await cancelJobs(active);
  if (args.has('json')) await context.printJson({ out: folder, cancelled: active });
  else if (active.length === 0) await context.print(`no job of ${folder} waits or runs`);
  else {
    await context.print(
      `cancelled: ${countOf(active.length, 'job')} (${active.join(', ')}); gridalloc study run ${sourceWord(folder)} goes on, here or with --engine slurm`,
    );
  }
  return 0;
}
