/**
 * Invariants of schedules in which sites preempt guest jobs for their own (Huang et al. 2007,
 * section 5).
 */
import type { Configuration } from '../../host/options/configuration.js';
import type { Workload } from '../../host/workload/workload.js';
import { lengthOfRun, type SimulatedRun, sumOf } from './runOffences.js';

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
  const last = new Map<number, SimulatedRun>();
  for (const run of runs) {
    const { job, start, end, stopped } = run;
    const before = last.get(job);
    if (start < workload.submit[job]) offences.push(`job ${job} starts before its submit`);
    if (before !== undefined && !before.stopped) offences.push(`job ${job} runs again though it has ended`);
    if (before !== undefined && start < before.end) offences.push(`job ${job} runs twice at once`);
    const length = lengthOfRun(run, workload, configuration);
    if (stopped ? end > start + length : end !== start + length) {
      offences.push(`job ${job} runs from ${start} to ${end}, not for ${length} s`);
    }
    last.set(job, run);
  }
  for (let job = 0; job < workload.count; job++) {
    if (last.get(job)?.stopped !== false) offences.push(`job ${job} never ends`);
  }
  return offences;
}

/** Runs preempted on a site in an instant, by start, then job index. */
interface PreemptionsAtTime {
  readonly time: number;
  readonly site: number;
  readonly stopped: readonly SimulatedRun[];
  /** Runs on the site that began earlier and continue. */
  readonly present: readonly SimulatedRun[];
  readonly started: readonly SimulatedRun[];
  /** True if a run has ended on the site in this instant. */
  readonly freed: boolean;
}

const siteOfRun = (run: SimulatedRun) => run.parts[0].site;

function groupRunsByTimeAndSite(
  runs: readonly SimulatedRun[],
  timeOf: (run: SimulatedRun) => number,
): Map<string, SimulatedRun[]> {
  const groups = new Map<string, SimulatedRun[]>();
  for (const run of runs) {
    const key = `${timeOf(run)} ${siteOfRun(run)}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [run]);
    else group.push(run);
  }
  return groups;
}

function groupPreemptions(runs: readonly SimulatedRun[]): PreemptionsAtTime[] {
  const started = groupRunsByTimeAndSite(runs, (run) => run.start);
  const ended = groupRunsByTimeAndSite(
    runs.filter((run) => !run.stopped),
    (run) => run.end,
  );
  const stopped = groupRunsByTimeAndSite(
    runs.filter((run) => run.stopped),
    (run) => run.end,
  );
  const groups = [...stopped].sort(([, [a]], [, [b]]) => a.end - b.end);
  const jobsByStart = [...runs].sort((a, b) => a.start - b.start);
  let present: SimulatedRun[] = [];
  let next = 0;
  return groups.map(([key, group]) => {
    const [time, site] = [group[0].end, siteOfRun(group[0])];
    for (; next < jobsByStart.length && jobsByStart[next].start < time; next++)
      present.push(jobsByStart[next]);
    present = present.filter((run) => run.end > time);
    return {
      time,
      site,
      stopped: group.sort((a, b) => a.start - b.start || a.job - b.job),
      present: present.filter((run) => siteOfRun(run) === site),
      started: started.get(key) ?? [],
      freed: ended.has(key),
    };
  });
}

/**
 * True if enough processors were free before the last of the jobs was preempted. Known only if
 * nothing else happens on the site in that instant but the start that caused it.
 */
function isNeedlessPreemption(
  { site, stopped, present, started, freed }: PreemptionsAtTime,
  capacities: readonly number[],
): boolean {
  if (freed || started.length !== 1) return false;
  const held = sumOf([...present, stopped[0]].map((run) => run.processors.length));
  return capacities[site] - held >= started[0].processors.length;
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
  const isRunOfOtherHome = (run: SimulatedRun) => home[run.job] !== siteOfRun(run);
  for (const stop of groupPreemptions(runs)) {
    const { time, site, stopped, present, started } = stop;
    const [first] = stopped;
    const later = present.filter(
      (run) =>
        isRunOfOtherHome(run) &&
        (run.start > first.start || (run.start === first.start && run.job > first.job)),
    );
    for (const { job } of later) offences.push(`job ${first.job} is stopped before the later job ${job}`);
    for (const run of stopped) if (!isRunOfOtherHome(run)) offences.push(`job ${run.job} is stopped at home`);
    if (started.every(isRunOfOtherHome))
      offences.push(`at ${time} jobs are stopped for no job of site ${site}`);
    if (isNeedlessPreemption(stop, capacities))
      offences.push(`job ${first.job} is stopped though there was room`);
  }
  return offences;
}
