/**
 * Invariants of schedules in which sites preempt guest jobs for their own (Huang et al. 2007,
 * section 5).
 */
import type { Configuration } from '../../host/options/configuration.js';
import type { Workload } from '../../host/workload/workload.js';
import { computeLengthOfRun, type SimulatedRun, sumOfNumbers } from './runOffences.js';

/**
 * Checks that a preempted job restarts, not before its preemption, and ends once, after its full
 * execution time; and that no run was preempted after that time. `runs` are in order of start.
 * Returns descriptions of offences.
 */
export function findRestartViolations(
  runs: readonly SimulatedRun[],
  workload: Workload,
  configuration: Configuration,
): string[] {
  const offences: string[] = [];
  const lastRunOfJob = new Map<number, SimulatedRun>();
  for (const run of runs) {
    const { job, start, end, stopped: isPreempted } = run;
    const previousRun = lastRunOfJob.get(job);
    if (start < workload.submit[job]) offences.push(`job ${job} starts before its submit`);
    if (previousRun !== undefined && !previousRun.stopped)
      offences.push(`job ${job} runs again though it has ended`);
    if (previousRun !== undefined && start < previousRun.end) offences.push(`job ${job} runs twice at once`);
    const runLength = computeLengthOfRun(run, workload, configuration);
    if (isPreempted ? end > start + runLength : end !== start + runLength) {
      offences.push(`job ${job} runs from ${start} to ${end}, not for ${runLength} s`);
    }
    lastRunOfJob.set(job, run);
  }
  for (let job = 0; job < workload.count; job++) {
    if (lastRunOfJob.get(job)?.stopped !== false) offences.push(`job ${job} never ends`);
  }
  return offences;
}

/** Runs preempted on a site in an instant, by start, then job index. */
interface PreemptionsAtTime {
  readonly time: number;
  readonly site: number;
  readonly stopped: readonly SimulatedRun[];
  /** Runs on the site that started before this instant and continue after it. */
  readonly present: readonly SimulatedRun[];
  readonly started: readonly SimulatedRun[];
  /** True if a run has ended on the site in this instant. */
  readonly freed: boolean;
}

const findFirstSiteOfRun = (run: SimulatedRun) => run.parts[0].site;

function groupRunsByTimeAndSite(
  runs: readonly SimulatedRun[],
  timeOf: (run: SimulatedRun) => number,
): Map<string, SimulatedRun[]> {
  const runGroups = new Map<string, SimulatedRun[]>();
  for (const run of runs) {
    const timeAndSiteKey = `${timeOf(run)} ${findFirstSiteOfRun(run)}`;
    const runsAtTimeAndSite = runGroups.get(timeAndSiteKey);
    if (runsAtTimeAndSite === undefined) runGroups.set(timeAndSiteKey, [run]);
    else runsAtTimeAndSite.push(run);
  }
  return runGroups;
}

function groupPreemptions(runs: readonly SimulatedRun[]): PreemptionsAtTime[] {
  const runGroupsByStart = groupRunsByTimeAndSite(runs, (run) => run.start);
  const runGroupsByEnd = groupRunsByTimeAndSite(
    runs.filter((run) => !run.stopped),
    (run) => run.end,
  );
  const stoppedRuns = groupRunsByTimeAndSite(
    runs.filter((run) => run.stopped),
    (run) => run.end,
  );
  const runGroups = [...stoppedRuns].sort(([, [a]], [, [b]]) => a.end - b.end);
  const jobsByStart = [...runs].sort((a, b) => a.start - b.start);
  let runsOnSite: SimulatedRun[] = [];
  let indexOfNextStart = 0;
  return runGroups.map(([key, group]) => {
    const [time, site] = [group[0].end, findFirstSiteOfRun(group[0])];
    for (
      ;
      indexOfNextStart < jobsByStart.length && jobsByStart[indexOfNextStart].start < time;
      indexOfNextStart++
    )
      runsOnSite.push(jobsByStart[indexOfNextStart]);
    runsOnSite = runsOnSite.filter((run) => run.end > time);
    return {
      time,
      site,
      stopped: group.sort((a, b) => a.start - b.start || a.job - b.job),
      present: runsOnSite.filter((run) => findFirstSiteOfRun(run) === site),
      started: runGroupsByStart.get(key) ?? [],
      freed: runGroupsByEnd.has(key),
    };
  });
}

/**
 * True if enough processors were free before the last preemption of the instant. Known only if nothing else
 * happens on the site in that instant but the start that caused the preemption.
 */
function isNeedlessPreemption(
  {
    site,
    stopped: stoppedRuns,
    present: presentRuns,
    started: startedRuns,
    freed: hasFreed,
  }: PreemptionsAtTime,
  capacities: readonly number[],
): boolean {
  if (hasFreed || startedRuns.length !== 1) return false;
  const heldProcessors = sumOfNumbers([...presentRuns, stoppedRuns[0]].map((run) => run.processors.length));
  return capacities[site] - heldProcessors >= startedRuns[0].processors.length;
}

/**
 * Checks that preemption happens only for the start of a home job on the same site in the same
 * instant, hits only guest jobs, the latest started first (then by job index), and no more of them
 * than needed. Returns descriptions of offences.
 */
export function findPreemptionViolations(
  runs: readonly SimulatedRun[],
  { home }: Workload,
  capacities: readonly number[],
): string[] {
  const offences: string[] = [];
  const isRunOfOtherHome = (run: SimulatedRun) => home[run.job] !== findFirstSiteOfRun(run);
  for (const preemptions of groupPreemptions(runs)) {
    const { time, site, stopped: stoppedRuns, present: presentRuns, started: startedRuns } = preemptions;
    const [firstStopped] = stoppedRuns;
    const runsStartedLater = presentRuns.filter(
      (run) =>
        isRunOfOtherHome(run) &&
        (run.start > firstStopped.start || (run.start === firstStopped.start && run.job > firstStopped.job)),
    );
    for (const { job } of runsStartedLater)
      offences.push(`job ${firstStopped.job} is stopped before the later job ${job}`);
    for (const run of stoppedRuns)
      if (!isRunOfOtherHome(run)) offences.push(`job ${run.job} is stopped at home`);
    if (startedRuns.every(isRunOfOtherHome))
      offences.push(`at ${time} jobs are stopped for no job of site ${site}`);
    if (isNeedlessPreemption(preemptions, capacities))
      offences.push(`job ${firstStopped.job} is stopped though there was room`);
  }
  return offences;
}
