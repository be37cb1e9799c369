/** Going on with a study from its folder alone, on whatever computer: its plan says all that decides its runs. */
import { existsSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { copyName, readCode, requireAllowed } from '../code/codeFile.js';
import { InputError } from '../errors.js';
import { coreSha256 } from '../files/coreFile.js';
import { hashJobs } from '../files/hash.js';
import { type CodeFile, provideCode } from '../options/providedCode.js';
import { packageVersion } from '../results/documents.js';
import type { Plan } from '../study/plan.js';
import { keptMetrics } from '../study/runValues.js';
import type { Study } from '../study/study.js';
import type { Planned } from './planStudy.js';
import { readStudyOf } from './runsFolder.js';
import type { Cut } from './shards.js';
import { Workloads } from './workloads.js';

/**
 * Makes what was planned ready to be run here: jobs from their logs, which must be as they were, functions from their
 * copies in the folder.
 * @param plan of the folder, or of one of its shards.
 * @throws InputError when it was planned by another version, or names functions and these are not allowed.
 */
export async function readPlanned(
  folder: string,
  plan: Plan,
  { allowCode, cut }: { readonly allowCode: boolean; readonly cut: Cut | undefined },
): Promise<{ readonly study: Study; readonly planned: Planned }> {
  checkVersion(folder, plan, cut);
  const study = await readStudyOf(folder, plan);
  if (study.kind !== 'simulations' || plan.sources.length < plan.workloads.length) {
    throw new InputError(
      `${folder} cannot be gone on with by itself; give the study, and this folder with --out`,
    );
  }
  if (String(plan.metrics) !== String(keptMetrics(study))) throw otherVersion(folder, 'another version');
  const code = await codeOf(folder, plan, allowCode);
  const workloads = new Workloads();
  const jobsOf = async (workload: number) => {
    const jobs = await workloads.made(plan.sources[workload]);
    if (hashJobs(jobs) === plan.workloads[workload].sha256) return jobs;
    throw new InputError(
      `${plan.sources[workload].workload} on ${hostname()} does not hold the jobs that were planned: the log has changed since, or is another one here`,
    );
  };
  return { study, planned: { plan, jobsOf, code, statistics: [], remarks: [] } };
}

function checkVersion(folder: string, plan: Plan, cut: Cut | undefined): void {
  if (cut !== undefined && cut.version !== packageVersion())
    throw otherVersion(folder, `gridalloc ${cut.version}`);
  if (plan.coreSha256 !== coreSha256('shared')) throw otherVersion(folder, 'gridalloc with another core');
}

function otherVersion(folder: string, other: string): InputError {
  return new InputError(
    `${folder} was planned by ${other}, and this is gridalloc ${packageVersion()} on ${hostname()}; use the same everywhere, with the same --core if there was one`,
  );
}

/** The functions that the runs of a plan name, from their copies. */
async function codeOf(folder: string, { runs }: Plan, isAllowed: boolean): Promise<CodeFile[]> {
  const hashes = new Map<string, string>();
  for (const { common } of runs) {
    for (const [name, sha256] of Object.entries(common.code ?? {})) hashes.set(name, sha256);
  }
  const files: CodeFile[] = [];
  for (const [name, sha256] of hashes) {
    const copy = join(folder, copyName({ name, sha256, text: '' }));
    requireAllowed(isAllowed, `${folder} has the file ${copy}`);
    if (!existsSync(copy)) throw new InputError(`${copy} is gone; give the study itself`);
    const { text, sha256: found } = await readCode(copy);
    if (found !== sha256)
      throw new InputError(`${copy} has changed since the study was planned; give the study itself`);
    const file = { name, text, sha256 };
    provideCode(file);
    files.push(file);
  }
  return files;
}
