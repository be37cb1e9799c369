/** Compares two finished simulations of the same jobs. */
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { InputError } from '../errors.js';
import { sumColumnExactly } from '../math/exactSum.js';
import { readOptionTextsOfSavedRequest } from '../options/document.js';
import { formatRunName, SCALAR_METRICS, type ScalarMetric, type Summary } from '../simulate/summary.js';
import { estimateMean } from '../statistics/interval.js';
import type { AbsentProcessorsStep } from './capacity.js';
import { readConfigFile } from './configFile.js';
import { type FinishedJob, type JobClassField, readCapacitySteps, readFinishedJobs } from './finishedJobs.js';
import { CAPACITY_FILE_NAME, CONFIG_FILE_NAME } from './resultFolder.js';
import { readCheckedDocument, SUMMARY_SHAPE } from './savedFile.js';

/** Contents of a folder of results of one simulation. */
export interface FinishedSimulation {
  readonly folder: string;
  /** Method name as shown in reports, such as "easy, best-fit". */
  readonly name: string;
  readonly summary: Summary;
  /** Options of the simulation as texts by name; empty for earlier versions that stored none. */
  readonly options: Readonly<Record<string, string>>;
  /** Shell command that repeats the simulation. */
  readonly shell?: string | undefined;
  readonly jobs: readonly FinishedJob[];
  /** Changes of the processors of sites by outages; empty if earlier versions did not store them. */
  readonly capacitySteps: readonly AbsentProcessorsStep[];
}

/** Changes of the processors of sites in a folder of results; empty if it has none. */
export async function readCapacityStepsOfFolder(
  folder: string,
  { sites }: Summary,
): Promise<AbsentProcessorsStep[]> {
  const path = join(folder, CAPACITY_FILE_NAME);
  const doesFileExist = await access(path).then(
    () => true,
    () => false,
  );
  const capacities = sites.map(({ capacity }) => capacity);
  return doesFileExist ? readCapacitySteps(path, capacities) : [];
}

/**
 * Reads the summary and jobs of a finished simulation.
 * @param classAttribute attribute that defines job classes, if any.
 * @throws InputError if the folder was not written by `gridalloc simulate --out`.
 */
export async function readFinishedSimulation(
  folder: string,
  classAttribute?: JobClassField,
): Promise<FinishedSimulation> {
  const summary = await readCheckedDocument<Summary>(join(folder, 'summary.json'), SUMMARY_SHAPE);
  if (summary?.sites === undefined) {
    throw new InputError(
      `${folder} holds no summary.json of a simulation; give a folder that gridalloc simulate --out has written`,
    );
  }
  const config = await readConfigFile<
    Pick<FinishedSimulation, 'shell'> & Parameters<typeof formatRunName>[1]
  >(join(folder, CONFIG_FILE_NAME));
  return {
    folder,
    name: formatRunName(summary, config ?? {}),
    summary,
    options: readOptionTextsOfSavedRequest(config ?? {}),
    shell: config?.shell,
    jobs: await readFinishedJobs(join(folder, 'jobs.csv'), classAttribute),
    capacitySteps: await readCapacityStepsOfFolder(folder, summary),
  };
}

/** Values of a metric in simulations a and b. */
export interface MetricDifference {
  readonly metric: ScalarMetric;
  readonly a: number;
  readonly b: number;
  /** Value in b minus value in a. */
  readonly difference: number;
}

/** Job in simulations a and b. */
export interface JobDifference {
  readonly a: FinishedJob;
  readonly b: FinishedJob;
  /** Seconds by which the job ends later in b; negative: earlier. */
  readonly difference: number;
}

/**
 * Comparison of the waits of one class of jobs between simulations a and b: means in seconds, and how many
 * jobs wait longer or less.
 */
export interface ClassWaitDifference {
  /** Name of the class. */
  readonly name: string;
  /** Number of jobs of the class. */
  readonly jobs: number;
  /** Number of jobs that wait longer in b; `shorter`: that wait less. */
  readonly longer: number;
  readonly shorter: number;
  /** Mean wait in a and in b. */
  readonly a: number;
  readonly b: number;
  /** Mean of the differences b - a, paired by job, with a 95 % interval over the jobs if there are several. */
  readonly difference: { readonly mean: number; readonly low?: number; readonly high?: number };
}

/** Differences between two simulations of the same jobs. */
export interface SimulationDifference {
  readonly a: FinishedSimulation;
  readonly b: FinishedSimulation;
  /** Metrics of both simulations, without those that are 0 in both. */
  readonly metrics: readonly MetricDifference[];
  /** Number of jobs that end earlier, at the same time and later in b, without those that an outage ended. */
  readonly sooner: number;
  readonly same: number;
  readonly later: number;
  /** Number of jobs that an outage ended before their completion, in a and in b. */
  readonly endedByOutages: { readonly a: number; readonly b: number };
  /** Jobs that complete in both, at different times, largest gain first. */
  readonly changed: readonly JobDifference[];
}

function checkSameJobs(a: FinishedSimulation, b: FinishedSimulation): void {
  const makeDifferenceError = (differenceText: string) =>
    new InputError(
      `${a.folder} and ${b.folder} hold different jobs: ${differenceText}; simulate the same jobs with other policies or sites`,
    );
  const jobNames = new Set(a.jobs.map(({ name: jobName }) => jobName));
  const jobOnlyInB = b.jobs.find(({ name: jobName }) => !jobNames.has(jobName));
  if (jobOnlyInB !== undefined) throw makeDifferenceError(`job ${jobOnlyInB.name} is only in ${b.folder}`);
  const jobNamesInB = new Set(b.jobs.map(({ name: jobName }) => jobName));
  const jobOnlyInA = a.jobs.find(({ name: jobName }) => !jobNamesInB.has(jobName));
  if (jobOnlyInA !== undefined) throw makeDifferenceError(`job ${jobOnlyInA.name} is only in ${a.folder}`);
  for (const [i, job] of a.jobs.entries()) {
    const jobOfB = b.jobs[i]!;
    if (job.name !== jobOfB.name)
      throw makeDifferenceError(`row ${i + 1} is job ${job.name} in one and job ${jobOfB.name} in the other`);
    const [submit, otherSubmit] = [job, jobOfB].map(
      (comparedJob) => comparedJob.loggedSubmit ?? comparedJob.submit,
    );
    if (submit !== otherSubmit) {
      throw makeDifferenceError(`job ${job.name} is submitted at ${submit} and at ${otherSubmit}`);
    }
    if (job.requested !== jobOfB.requested) {
      throw makeDifferenceError(
        `job ${job.name} asks for ${job.requested} and for ${jobOfB.requested} processors`,
      );
    }
  }
}

/**
 * Compares two finished simulations job by job.
 * @throws InputError if their jobs differ, naming the first difference.
 */
export function compareSimulations(a: FinishedSimulation, b: FinishedSimulation): SimulationDifference {
  checkSameJobs(a, b);
  const metrics = SCALAR_METRICS.map((metric) => {
    const [valueInA, valueInB] = [metric.valueIn(a.summary), metric.valueIn(b.summary)];
    return { metric, a: valueInA, b: valueInB, difference: valueInB - valueInA };
  });
  const hasJobCompleted = (job: FinishedJob) => job.isEndedByOutage !== true;
  const jobDifferences = a.jobs
    .map((job, i) => ({ a: job, b: b.jobs[i]!, difference: b.jobs[i]!.end - job.end }))
    .filter((each) => hasJobCompleted(each.a) && hasJobCompleted(each.b));
  const countJobsEndedByOutages = (allJobs: readonly FinishedJob[]) =>
    allJobs.length - allJobs.filter(hasJobCompleted).length;
  const jobsWithChangedEnd = jobDifferences.filter(({ difference }) => difference !== 0);
  const soonerJobCount = jobsWithChangedEnd.filter(({ difference }) => difference < 0).length;
  return {
    a,
    b,
    metrics: metrics.filter((metricDifference) => {
      const { shownWith = metricDifference.metric.name } = metricDifference.metric;
      const { a: ofA, b: ofB } = metrics.find(({ metric }) => metric.name === shownWith) ?? metricDifference;
      return Number.isFinite(metricDifference.difference) && (ofA !== 0 || ofB !== 0);
    }),
    sooner: soonerJobCount,
    same: jobDifferences.length - jobsWithChangedEnd.length,
    later: jobsWithChangedEnd.length - soonerJobCount,
    endedByOutages: { a: countJobsEndedByOutages(a.jobs), b: countJobsEndedByOutages(b.jobs) },
    changed: jobsWithChangedEnd.sort(
      (firstDifference, secondDifference) => firstDifference.difference - secondDifference.difference,
    ),
  };
}

/**
 * Waits by job class in both simulations, largest increase first. Classes are those requested from
 * `readFinishedSimulation`.
 */
export function computeClassWaitDifferences({
  a,
  b,
}: Pick<SimulationDifference, 'a' | 'b'>): ClassWaitDifference[] {
  const waitPairsByClass = new Map<string, (readonly [number, number])[]>();
  for (const [i, job] of a.jobs.entries()) {
    const jobOfB = b.jobs[i]!;
    const waitsInBoth = [job.start - job.submit, jobOfB.start - jobOfB.submit] as const;
    const className = job.className ?? 'unknown';
    const waitPairsOfClass = waitPairsByClass.get(className);
    if (waitPairsOfClass === undefined) waitPairsByClass.set(className, [waitsInBoth]);
    else waitPairsOfClass.push(waitsInBoth);
  }
  const computeMean = (jobValues: readonly number[]) =>
    sumColumnExactly(Float64Array.from(jobValues)) / jobValues.length;
  const classDifferences = [...waitPairsByClass].map(([name, waitPairs]): ClassWaitDifference => {
    const differences = waitPairs.map(([inA, inB]) => inB - inA);
    const meanWaitDifference = computeMean(differences);
    const { low, high } = differences.length > 1 ? estimateMean(differences) : {};
    return {
      ...{ name, jobs: waitPairs.length },
      longer: differences.filter((difference) => difference > 0).length,
      shorter: differences.filter((difference) => difference < 0).length,
      a: computeMean(waitPairs.map(([inA]) => inA)),
      b: computeMean(waitPairs.map(([, inB]) => inB)),
      difference: { mean: meanWaitDifference, ...(low === undefined ? {} : { low, high: high as number }) },
    };
  });
  return classDifferences.sort((classA, classB) => classB.difference.mean - classA.difference.mean);
}
