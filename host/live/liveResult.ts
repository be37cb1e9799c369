/** Results of single jobs of a live simulation. */
import type { CoreRun } from '../core/host.js';
import type { LiveName } from './submittedJob.js';

/** Phases of a job in a live simulation. */
export type LiveJobState = 'submitted' | 'waiting' | 'held' | 'running' | 'ended' | 'cancelled';

/** A job of a live simulation as it is now. Times are in seconds. */
export interface LiveResult {
  /** Name or number of the job. */
  readonly job: LiveName;
  /** Phase; `submitted`: the time of its submission has not come. */
  readonly state: LiveJobState;
  readonly submit: number;
  /** Start; undefined before it, and for a job that was cancelled while it waited. */
  readonly start: number | undefined;
  /** End, or the expected end of a running job; undefined if it is unknown. */
  readonly end: number | undefined;
  /** Site, from 1; the first one of a job on several sites. */
  readonly site: number | undefined;
  /** Number of processors that the job holds, held, or requests before its start. */
  readonly processors: number;
  /** Start that was promised at the submission; only if reservations are kept. */
  readonly promisedStart?: number;
  /** Sites, from 1, and processors on each; only for jobs that may run on several sites. */
  readonly parts?: readonly { readonly site: number; readonly processors: number }[];
  /** First and last processor of each range, numbered across the grid from 0; with the option `processorSets`. */
  readonly processorRanges?: readonly (readonly [first: number, last: number])[];
}

/** Pairs of a log from an index on, until their sizes add up to a number of processors. */
export function readPairsOfProcessors(
  log: Int32Array,
  firstPairIndex: number,
  processors: number,
  sizeOfPair: (firstValue: number, secondValue: number) => number,
): [number, number][] {
  const partPairs: [number, number][] = [];
  for (let pair = firstPairIndex, remainingProcessors = processors; remainingProcessors > 0; pair++) {
    const [one, other] = [log[2 * pair]!, log[2 * pair + 1]!];
    partPairs.push([one, other]);
    remainingProcessors -= sizeOfPair(one, other);
  }
  return partPairs;
}

/** Sites and processors of the job in a row; undefined if jobs run on one site. */
export function readPartsOfJob(
  coreRun: CoreRun,
  row: number,
  site: number,
  processors: number,
): LiveResult['parts'] {
  const index = coreRun.column('PartIndex');
  if (index.length === 0) return undefined;
  const firstPairIndex = index[row]!;
  if (firstPairIndex < 0) return [{ site, processors }];
  const partPairs = readPairsOfProcessors(
    coreRun.column('Parts'),
    firstPairIndex,
    processors,
    (_, width) => width,
  );
  return partPairs.map(([siteIndex, width]) => ({ site: siteIndex + 1, processors: width }));
}
