/** Two finished simulations of the same jobs beside each other. */
import { join } from 'node:path';
import { InputError } from '../errors.js';
import { exactSumOf } from '../math/exactSum.js';
import { savedTexts } from '../options/document.js';
import { runName, SCALAR_METRICS, type ScalarMetric, type Summary } from '../simulate/summary.js';
import { estimateMean } from '../statistics/interval.js';
import { readConfigFile } from './configFile.js';
import { type ClassField, type FinishedJob, readFinishedJobs } from './finishedJobs.js';
import { CONFIG_FILE } from './resultFolder.js';
import { readDocument, SUMMARY } from './savedFile.js';

/** Contents of a folder of results of one simulation. */
export interface FinishedRun {
  readonly folder: string;
  /** Method name as shown in reports, such as "easy, best-fit". */
  readonly name: string;
  readonly summary: Summary;
  /** The options that decide it, as texts by name; none where earlier versions wrote none. */
  readonly options: Readonly<Record<string, string>>;
  /** The command that runs it again, as a line of a shell. */
  readonly shell?: string | undefined;
  readonly jobs: readonly FinishedJob[];
}

/**
 * Reads the summary and the jobs of a finished simulation.
 * @param by the field by which jobs are classified, if any.
 * @throws InputError when the folder is not one that `gridalloc simulate --out` has written.
 */
export async function readFinishedRun(folder: string, by?: ClassField): Promise<FinishedRun> {
  const summary = await readDocument<Summary>(join(folder, 'summary.json'), SUMMARY);
  if (summary?.sites === undefined) {
    throw new InputError(
      `${folder} holds no summary.json of a simulation; give a folder that gridalloc simulate --out has written`,
    );
  }
  const config = await readConfigFile<Pick<FinishedRun, 'shell'> & Parameters<typeof runName>[1]>(
    join(folder, CONFIG_FILE),
  );
  return {
    folder,
    name: runName(summary, config ?? {}),
    summary,
    options: savedTexts(config ?? {}),
    shell: config?.shell,
    jobs: await readFinishedJobs(join(folder, 'jobs.csv'), by),
  };
}

/** A metric of both. */
export interface MetricDifference {
  readonly metric: ScalarMetric;
  readonly a: number;
  readonly b: number;
  /** b - a. */
  readonly difference: number;
}

/** A job of both. */
export interface JobDifference {
  readonly a: FinishedJob;
  readonly b: FinishedJob;
  /** Seconds by which it ends later in b; below 0 sooner. */
  readonly difference: number;
}

/** The jobs of one class in both. Times are seconds. */
export interface ClassDifference {
  readonly name: string;
  readonly jobs: number;
  /** Numbers of jobs that wait longer and shorter in b. */
  readonly longer: number;
  readonly shorter: number;
  /** Mean waits. */
  readonly a: number;
  readonly b: number;
  /** Mean of the differences b - a, paired by job, with a 95 % interval over the jobs if there are several. */
  readonly difference: { readonly mean: number; readonly low?: number; readonly high?: number };
}

/** Differences between two simulations of the same jobs. */
export interface RunDifference {
  readonly a: FinishedRun;
  readonly b: FinishedRun;
  /** Metrics that both have and that are not 0 in both. */
  readonly metrics: readonly MetricDifference[];
  /** Number of jobs that end sooner, at the same time and later in b. */
  readonly sooner: number;
  readonly same: number;
  readonly later: number;
  /** All jobs that do not end at the same time, the one that gains most first. */
  readonly changed: readonly JobDifference[];
}

function checkSameJobs(a: FinishedRun, b: FinishedRun): void {
  const fault = (what: string) =>
    new InputError(
      `${a.folder} and ${b.folder} hold different jobs: ${what}; simulate the same jobs with other policies or sites`,
    );
  const names = new Set(a.jobs.map(({ name }) => name));
  const strange = b.jobs.find(({ name }) => !names.has(name));
  if (strange !== undefined) throw fault(`job ${strange.name} is only in ${b.folder}`);
  const others = new Set(b.jobs.map(({ name }) => name));
  const missing = a.jobs.find(({ name }) => !others.has(name));
  if (missing !== undefined) throw fault(`job ${missing.name} is only in ${a.folder}`);
  for (const [i, job] of a.jobs.entries()) {
    const other = b.jobs[i]!;
    if (job.name !== other.name)
      throw fault(`row ${i + 1} is job ${job.name} in one and job ${other.name} in the other`);
    const [submit, otherSubmit] = [job, other].map((each) => each.loggedSubmit ?? each.submit);
    if (submit !== otherSubmit) {
      throw fault(`job ${job.name} is submitted at ${submit} and at ${otherSubmit}`);
    }
    if (job.requested !== other.requested) {
      throw fault(`job ${job.name} asks for ${job.requested} and for ${other.requested} processors`);
    }
  }
}

/**
 * Compares two finished simulations job by job.
 * @throws InputError where they are not of the same jobs, with the first that differs.
 */
export function differenceOf(a: FinishedRun, b: FinishedRun): RunDifference {
  checkSameJobs(a, b);
  const metrics = SCALAR_METRICS.map((metric) => {
    const [ofA, ofB] = [metric.of(a.summary), metric.of(b.summary)];
    return { metric, a: ofA, b: ofB, difference: ofB - ofA };
  });
  const jobs = a.jobs.map((job, i) => {
    const other = b.jobs[i]!;
    return { a: job, b: other, difference: other.end - job.end };
  });
  const changed = jobs.filter(({ difference }) => difference !== 0);
  const sooner = changed.filter(({ difference }) => difference < 0).length;
  return {
    a,
    b,
    metrics: metrics.filter((each) => Number.isFinite(each.difference) && (each.a !== 0 || each.b !== 0)),
    sooner,
    same: jobs.length - changed.length,
    later: changed.length - sooner,
    changed: changed.sort((one, other) => one.difference - other.difference),
  };
}

/**
 * The waits of each class of jobs in both, the class that loses most first. Jobs are classified as `readFinishedRun` was asked.
 */
export function classDifferences({ a, b }: Pick<RunDifference, 'a' | 'b'>): ClassDifference[] {
  const byName = new Map<string, (readonly [number, number])[]>();
  for (const [i, job] of a.jobs.entries()) {
    const other = b.jobs[i]!;
    const waits = [job.start - job.submit, other.start - other.submit] as const;
    const name = job.className ?? 'unknown';
    const known = byName.get(name);
    if (known === undefined) byName.set(name, [waits]);
    else known.push(waits);
  }
  const mean = (values: readonly number[]) => exactSumOf(Float64Array.from(values)) / values.length;
  const classes = [...byName].map(([name, waits]): ClassDifference => {
    const differences = waits.map(([inA, inB]) => inB - inA);
    const all = mean(differences);
    const { low, high } = differences.length > 1 ? estimateMean(differences) : {};
    return {
      ...{ name, jobs: waits.length },
      longer: differences.filter((each) => each > 0).length,
      shorter: differences.filter((each) => each < 0).length,
      a: mean(waits.map(([inA]) => inA)),
      b: mean(waits.map(([, inB]) => inB)),
      difference: { mean: all, ...(low === undefined ? {} : { low, high: high as number }) },
    };
  });
  return classes.sort((one, other) => other.difference.mean - one.difference.mean);
}
