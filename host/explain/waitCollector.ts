/**
 * What an explanation is made from: the job with its run, and the record taken apart, one stretch of entries per wait with
 * the processors that are free in the course of it.
 */
import { type Configuration, isBackfilling } from '../options/configuration.js';
import type { NoteKind, RecordEntry } from '../simulate/recorder.js';
import type { Workload } from '../workload/workload.js';

/** The entries of one wait, from the job's joining the queue to its start, and the details of the decision. */
export interface RecordedWait {
  /** The stop that began it; absent for the submit. */
  readonly stop?: RecordEntry;
  /** From the entry behind Queued and its free processors to the one before Started. */
  readonly events: readonly RecordEntry[];
  readonly queued: RecordEntry;
  readonly started: RecordEntry;
  /** Free processors of each site at the beginning and, the job's own taken off, at the start. */
  readonly freeBefore: readonly number[];
  readonly freeAfter: readonly number[];
  readonly details: readonly RecordEntry[];
}

/** The free processors that follow an entry. */
function freeBehind(entries: readonly RecordEntry[], place: number, sites: number): number[] {
  return entries.slice(place + 1, place + 1 + sites).map(({ numbers }) => numbers[1]);
}

/** Cuts the record of a job into its waits. */
export function recordedWaits(entries: readonly RecordEntry[], job: number, sites: number): RecordedWait[] {
  const begins = entries.flatMap(({ kind }, place) => (kind === 'Queued' ? [place] : []));
  return begins.map((begin, wait) => {
    const next = begins[wait + 1];
    const isStop = ({ kind, numbers }: RecordEntry) => kind === 'Stopped' && numbers[0] === job;
    const end = next === undefined ? entries.length : isStop(entries[next - 1]) ? next - 1 : next;
    const start = entries.findIndex(({ kind }, place) => place > begin && kind === 'Started');
    if (start < 0) throw new Error('the record of the job has no start');
    const before = entries[begin - 1];
    return {
      ...(before !== undefined && isStop(before) ? { stop: before } : {}),
      queued: entries[begin],
      events: entries.slice(begin + 1 + sites, start),
      started: entries[start],
      freeBefore: freeBehind(entries, begin, sites),
      freeAfter: freeBehind(entries, start, sites),
      details: entries.slice(start + 1 + sites, end),
    };
  });
}

/** Entries of a kind. */
export function ofKind(entries: readonly RecordEntry[], kind: NoteKind): RecordEntry[] {
  return entries.filter((entry) => entry.kind === kind);
}

/** Shares of sites that stand behind an entry: site indices and processors. */
export function sharesBehind(
  entries: readonly RecordEntry[],
  place: number,
): { site: number; processors: number }[] {
  const shares: { site: number; processors: number }[] = [];
  for (let at = place + 1; entries[at]?.kind === 'Share'; at++) {
    shares.push({ site: entries[at].numbers[0], processors: entries[at].numbers[1] });
  }
  return shares;
}

/** Free processors of each site, indexed from 0, from each time on; all times are different. */
export interface FreeSteps {
  readonly time: readonly number[];
  readonly sites: readonly (readonly number[])[];
}

/** The processors that are free in the course of a wait; those that the job itself takes are not taken off. */
export function freeSteps({ queued, events, freeBefore }: RecordedWait, job: number): FreeSteps {
  const time = [queued.time];
  const free = [...freeBefore];
  const sites = freeBefore.map((value) => [value]);
  for (const { kind, time: now, numbers } of events) {
    if ((kind !== 'Allocated' && kind !== 'Released') || numbers[0] === job) continue;
    const [, site, processors] = numbers;
    free[site] += kind === 'Released' ? processors : -processors;
    if (now > time[time.length - 1]) {
      time.push(now);
      free.forEach((value, each) => {
        sites[each].push(value);
      });
    } else {
      sites[site][time.length - 1] = free[site];
    }
  }
  return { time, sites };
}

/** A job of a run. */
export interface Case {
  readonly workload: Workload;
  readonly configuration: Configuration;
  /** Of a policy that chooses among some: those that are not alike an earlier one, by their places. */
  readonly candidates: ReadonlyMap<number, string>;
  /** What the jobs are called. */
  readonly names: readonly string[];
  /** What the queue is sorted by, least first; equal ones stand in the order of their submits. */
  readonly keys: ArrayLike<number>;
  /** Index of the job. */
  readonly job: number;
}

/** Whether jobs behind the head wait while it has no room. */
export function headBlocks({ discipline }: Configuration): boolean {
  return discipline !== 'first-available' && !isBackfilling(discipline);
}

/** Whether another job waits in the same queue as the job. */
export function sharesQueue({ workload, configuration, job }: Case, other: number): boolean {
  return configuration.queue === 'shared' || workload.home[other] === workload.home[job];
}

/** Whether another job stands before the job in the order of their queue. */
export function isBefore(about: Case, other: number): boolean {
  const difference = about.keys[other] - about.keys[about.job];
  if (difference !== 0) return difference < 0;
  const { submit } = about.workload;
  const earlier = submit[other] - submit[about.job];
  return earlier < 0 || (earlier === 0 && other < about.job);
}

/** Whether a job may run on a site, both numbered from 0 (Huang et al. 2007, section 4). */
export function mayUse({ workload, configuration, job }: Case, site: number): boolean {
  const home = workload.home[job];
  const { speeds } = configuration.grid;
  if (configuration.queue === 'independent' && site !== home) return false;
  return speeds[site] >= configuration.minSpeedRatio * speeds[home];
}
