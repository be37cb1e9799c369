/** Going on with a study from its folder. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { InputError } from '../errors.js';
import { useCoreFile } from '../files/coreFile.js';
import { readStudyPlan } from '../runner/folder.js';
import { readPlanned } from '../runner/plannedFolder.js';
import { readCut, takeKnownShard } from '../runner/shardFolder.js';
import { coreCopy } from '../runner/submission.js';
import type { Arguments } from './arguments.js';
import { nextRound } from './comparedResults.js';
import type { Context } from './context.js';
import { executionOf, runIn, runShard, shardOf } from './studyRun.js';

/** Options that say what a study is, which its folder says already. */
const SAID = ['trace', 'replications', 'draws', 'set', 'out', 'only', 'dry-run', 'shards'];

/** Whether a word is the folder of a study. */
export function isStudyFolder(word: string): boolean {
  return existsSync(join(word, 'plan.json'));
}

/**
 * Does what a folder lacks of its study, or a shard of it, from its plan: neither the study nor its logs are looked at
 * but for the jobs that are simulated.
 */
export async function resumeFolder(folder: string, args: Arguments, context: Context): Promise<number> {
  for (const name of SAID) {
    if (args.has(name))
      throw new InputError(
        `${folder} holds a study with all its options; leave --${name} out, or give ${join(folder, 'study.yaml')} instead`,
      );
  }
  return goOn(folder, args, context, args.has('allow-code'));
}

/** As `resumeFolder`; of a comparison round after round until it is decided. */
export async function goOn(
  folder: string,
  args: Arguments,
  context: Context,
  allowCode: boolean,
): Promise<number> {
  useCopiedCore(folder, args);
  const given = { allowCode, cut: readCut(folder) };
  const shard = shardOf(args);
  if (shard !== undefined) {
    const say = (sentence: string) => void context.say(sentence);
    const { study, planned, taken } = await takeKnownShard(folder, shard, given, say);
    const options = { ...executionOf(args, context), out: folder, shard };
    return runShard(study, planned, taken, options, args, context);
  }
  let { study, planned } = await readPlanned(folder, readStudyPlan(folder), given);
  for (;;) {
    const code = await runIn(folder, study, planned, args, context);
    const next = await nextRound(folder, allowCode, context);
    if (next === undefined) return code;
    ({ study, planned } = next);
  }
}

/** Has the core run whose copy a folder holds, unless another is given. */
export function useCopiedCore(folder: string, args: Arguments): void {
  const copy = coreCopy(folder);
  if (!args.has('core') && existsSync(copy)) useCoreFile(copy);
}
