/** Processors of the sites over time if outages occur: the file capacity.csv, and the periods of absence. */
import { checkArgument } from '../arguments.js';
import { joinLinesIntoChunks } from '../format/csv.js';
import type { OutageEffects, ProcessorSets } from '../simulate/schedule.js';
import type { Simulation } from '../simulate/simulate.js';

/** Range of consecutive processors, numbered across the grid from 0. */
type ProcessorRange = readonly [first: number, last: number];

/** Processors of a site that are absent because of outages from a given time on. */
export interface AbsentProcessorsStep {
  /** Site, numbered from 0. */
  readonly site: number;
  /** Seconds on the clock of the log. */
  readonly time: number;
  /** Ranges of absent processors, in ascending order. */
  readonly absent: readonly ProcessorRange[];
}

/** Processors of a site that were absent because of an outage during a period. */
export interface Absence {
  /** Site, numbered from 0. */
  readonly site: number;
  /** Seconds on the clock of the log. */
  readonly start: number;
  readonly end: number;
  /** Number of processors. */
  readonly processors: number;
  /** Ranges of consecutive processors, in ascending order. */
  readonly runs: readonly ProcessorRange[];
}

/** Number of processors in some ranges. */
export function countProcessors(processorRanges: readonly ProcessorRange[]): number {
  return processorRanges.reduce((sum, [first, last]) => sum + last - first + 1, 0);
}

/** Removes the processors of other ranges; all ranges are in ascending order. */
function subtractProcessorRanges(
  processorRanges: readonly ProcessorRange[],
  removedRanges: readonly ProcessorRange[],
): ProcessorRange[] {
  return processorRanges.flatMap(([first, last]) => {
    const remainingRanges: ProcessorRange[] = [];
    let from = first;
    for (const [low, high] of removedRanges) {
      if (high < from || low > last) continue;
      if (low > from) remainingRanges.push([from, low - 1]);
      from = high + 1;
    }
    if (from <= last) remainingRanges.push([from, last]);
    return remainingRanges;
  });
}

/** Union of two disjoint sets of ranges in ascending order, with adjacent ranges joined. */
function joinProcessorRanges(
  processorRanges: readonly ProcessorRange[],
  addedRanges: readonly ProcessorRange[],
) {
  const joined: [number, number][] = [];
  for (const [first, last] of [...processorRanges, ...addedRanges].sort((a, b) => a[0] - b[0])) {
    const lastJoinedRange = joined.at(-1);
    if (lastJoinedRange !== undefined && lastJoinedRange[1] + 1 === first) lastJoinedRange[1] = last;
    else joined.push([first, last]);
  }
  return joined;
}

/**
 * Processor ranges read from the log, from a pair (first, last) on, until they contain the given
 * number of processors; in ascending order.
 */
function readLoggedProcessorRanges(
  rangePairs: Int32Array,
  firstPairIndex: number,
  processors: number,
): ProcessorRange[] {
  const processorRanges: ProcessorRange[] = [];
  for (let pair = firstPairIndex, remainingProcessors = processors; remainingProcessors > 0; pair++) {
    const processorRange: ProcessorRange = [rangePairs[2 * pair]!, rangePairs[2 * pair + 1]!];
    processorRanges.push(processorRange);
    remainingProcessors -= countProcessors([processorRange]);
  }
  return processorRanges.sort((a, b) => a[0] - b[0]);
}

/**
 * Absent processors after each change by outages, in order; of several changes of a site at the same time,
 * only the last.
 */
export function makeAbsenceStepsOfOutages(
  outageEffects: OutageEffects,
  { pairs }: ProcessorSets,
): AbsentProcessorsStep[] {
  const { time, site, absent, firstPair } = outageEffects;
  const absentRangesBySite = new Map<number, readonly ProcessorRange[]>();
  const absenceSteps = Array.from(time, (seconds, i): AbsentProcessorsStep => {
    const rangesAbsentBefore = absentRangesBySite.get(site[i]!) ?? [];
    const change = absent[i]! - countProcessors(rangesAbsentBefore);
    const changedRanges = readLoggedProcessorRanges(pairs, firstPair?.[i] ?? 0, Math.abs(change));
    const processorRanges =
      change > 0
        ? joinProcessorRanges(rangesAbsentBefore, changedRanges)
        : subtractProcessorRanges(rangesAbsentBefore, changedRanges);
    absentRangesBySite.set(site[i]!, processorRanges);
    return { site: site[i]!, time: seconds, absent: processorRanges };
  });
  const followingTimeBySite = new Map<number, number>();
  return absenceSteps
    .reverse()
    .filter((absenceStep) => {
      const isLastStepAtTime = followingTimeBySite.get(absenceStep.site) !== absenceStep.time;
      followingTimeBySite.set(absenceStep.site, absenceStep.time);
      return isLastStepAtTime;
    })
    .reverse();
}

/** Changes of absent processors in a finished simulation; empty without outages. */
export function makeAbsenceStepsOfSimulation({
  schedule,
  processorSets,
}: Simulation): AbsentProcessorsStep[] {
  if (schedule.outages === undefined || processorSets === undefined) return [];
  return makeAbsenceStepsOfOutages(schedule.outages, processorSets);
}

/** Processors of a site that have been absent since a time. */
interface OngoingAbsence {
  readonly range: ProcessorRange;
  readonly since: number;
}

/**
 * Periods in which processors of the sites were absent, in order of their begin.
 * @param until end, in seconds, of periods that do not end before.
 */
export function joinStepsIntoAbsences(
  absenceSteps: readonly AbsentProcessorsStep[],
  until: number,
): Absence[] {
  const absencesBySiteAndTimes = new Map<
    string,
    { site: number; start: number; end: number; runs: ProcessorRange[] }
  >();
  const addAbsentRange = (site: number, processorRange: ProcessorRange, start: number, end: number) => {
    if (start >= end) return;
    const siteAndTimesKey = `${site} ${start} ${end}`;
    const absence = absencesBySiteAndTimes.get(siteAndTimesKey) ?? { site, start, end, runs: [] };
    absence.runs.push(processorRange);
    absencesBySiteAndTimes.set(siteAndTimesKey, absence);
  };
  const ongoingAbsencesBySite = new Map<number, readonly OngoingAbsence[]>();
  for (const { site, time, absent } of absenceSteps) {
    const earlierAbsences = ongoingAbsencesBySite.get(site) ?? [];
    const continuingAbsences = earlierAbsences.flatMap(({ range, since }) => {
      const endedRanges = subtractProcessorRanges([range], absent);
      for (const endedRange of endedRanges) addAbsentRange(site, endedRange, since, time);
      return subtractProcessorRanges([range], endedRanges).map((processorRange) => ({
        range: processorRange,
        since,
      }));
    });
    const ranges = joinProcessorRanges(
      continuingAbsences.map(({ range: processorRange }) => processorRange),
      [],
    );
    const newAbsences = subtractProcessorRanges(absent, ranges).map((processorRange) => ({
      range: processorRange,
      since: time,
    }));
    ongoingAbsencesBySite.set(site, [...continuingAbsences, ...newAbsences]);
  }
  for (const [site, absences] of ongoingAbsencesBySite)
    for (const { range: processorRange, since } of absences)
      addAbsentRange(site, processorRange, since, until);
  return [...absencesBySiteAndTimes.values()]
    .map(({ runs: processorRanges, ...absence }) => {
      const joined = joinProcessorRanges(processorRanges, []);
      return { ...absence, runs: joined, processors: countProcessors(joined) };
    })
    .sort((a, b) => a.start - b.start || a.site - b.site || a.end - b.end);
}

// The file

/** Column names of capacity.csv. */
export const CAPACITY_COLUMNS = ['site', 'time', 'processors', 'absent_resources'] as const;

/** Formats ranges as an interval set, such as `0-3 5 7-9`. */
const formatProcessorRanges = (processorRanges: readonly ProcessorRange[]) =>
  processorRanges.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`)).join(' ');

function* formatCapacityLines(simulation: Simulation): Generator<string> {
  if (simulation.schedule.outages === undefined || simulation.processorSets === undefined) {
    throw new Error('capacity.csv needs a simulation with outages, and its processor sets');
  }
  const { capacities } = simulation.grid;
  yield `${CAPACITY_COLUMNS.join(',')}\n`;
  for (const { site, time, absent } of makeAbsenceStepsOfSimulation(simulation))
    yield `${site + 1},${time},${capacities[site]! - countProcessors(absent)},${formatProcessorRanges(absent)}\n`;
}

/**
 * Yields capacity.csv in chunks of text, in order of time: the available and the absent processors of a site
 * after each change. Sites are numbered from 1, processors across the grid from 0. Needs a simulation with
 * outages and `processorSets: true`.
 * @example
 * const shrunk = simulate(workload, grid, { outages: '1x8@3600..7200', processorSets: true });
 * console.log([...capacityCsv(shrunk)].join('').split('\n')[0]); // site,time,processors,absent_resources
 */
export function capacityCsv(simulation: Simulation): Generator<string> {
  checkArgument(simulation, 'simulation', 'capacityCsv');
  return joinLinesIntoChunks(formatCapacityLines(simulation));
}
