/** gridalloc study status: how far a study is, whoever runs it. */
import { InputError } from '../../errors.js';
import { readStatus } from '../../runner/status.js';
import { statusDocument, statusText } from '../../text/studyStatus.js';
import type { Arguments } from '../arguments.js';
import type { Command } from '../command.js';
import type { Context } from '../context.js';
import { COMMON_OPTIONS } from '../options.js';
import { queueStates } from '../slurmStates.js';
import { isStudyFolder } from '../studyFolder.js';

/** gridalloc study status. */
export const statusCommand: Command = {
  description:
    'Shows how far the study in a folder is, shard by shard, and how long it will take yet, whichever processes on ' +
    'whichever computers run it.',
  positionals: [{ name: 'DIR', meaning: 'the DIR of a study' }],
  options: COMMON_OPTIONS,
  examples: [
    ['gridalloc study status results', 'once'],
    ['gridalloc study status results --json', 'the same for programs'],
  ],
  run: showStatus,
};

async function showStatus(args: Arguments, context: Context): Promise<number> {
  const [folder] = args.words;
  if (!isStudyFolder(folder)) throw new InputError(`${folder} holds no study`);
  const queue = await queueStates(folder);
  const status = readStatus(folder);
  if (args.has('json')) await context.printJson({ out: folder, ...statusDocument(status, queue) });
  else await context.print(statusText(folder, status, context.colors, queue));
  return 0;
}
