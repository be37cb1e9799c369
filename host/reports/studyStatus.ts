/** Progress of a study as terminal text and JSON. */
import { formatCount, formatDuration, formatNumber } from '../format/numbers.js';
import type { StudyPartProgress, StudyProgress } from '../runs/shardFolder.js';
import type { Sharing } from '../simulate/simulator.js';
import { formatTerminalTable, type TerminalColors } from '../view/terminal.js';

/** States of a study's jobs in the batch system, such as `waiting (Resources)`. */
export interface SlurmQueueStates {
  /** State by shard number, from 1. */
  readonly shards: ReadonlyMap<number, string>;
  /** State of the job that merges the shards; undefined if unknown. */
  readonly merge?: string | undefined;
}

/** States for a study without batch jobs. */
export const NO_QUEUE_STATES: SlurmQueueStates = { shards: new Map() };

/** Largest number of shards listed one by one. */
const MAX_SHOWN_SHARDS = 24;

/** State of a shard: `done`, `running on node7`, the state from the batch system, or `not running`. */
function describeShardState(
  { runs: runCount, done: doneCount, holder }: StudyPartProgress,
  queued: string | undefined,
): string {
  if (doneCount === runCount) return 'done';
  if (holder !== undefined) {
    return `running on ${holder.host}, process ${holder.process}${holder.job === undefined ? '' : `, job ${holder.job}`}`;
  }
  return queued ?? 'not running';
}

function formatRemainingTime(seconds: number | undefined): string {
  return seconds === undefined ? '' : formatDuration(Math.ceil(seconds));
}

/** Progress of a study as text: a summary line and a table of shards. */
export function formatStudyStatus(
  folder: string,
  studyProgress: StudyProgress,
  colors: TerminalColors,
  queueStates = NO_QUEUE_STATES,
): string {
  const { runs: runCount, done: doneCount, secondsLeft, shards } = studyProgress;
  const timeLeftPhrase =
    secondsLeft === undefined || doneCount === runCount ? '' : `, ${formatRemainingTime(secondsLeft)} left`;
  const donePercent = runCount === 0 ? 100 : Math.floor((doneCount / runCount) * 100);
  const summaryLine = `${folder}: ${formatNumber(doneCount)} of ${formatNumber(runCount)} simulations, ${donePercent} %${timeLeftPhrase}`;
  if (shards.length === 0) return `${summaryLine}; ${describeShardState(studyProgress, undefined)}`;
  const rows = shards.map((shardProgress, i) => ({
    shard: shardProgress,
    number: i + 1,
    state: describeShardState(shardProgress, queueStates.shards.get(i + 1)),
  }));
  const unfinishedShards = rows.filter(({ state }) => state !== 'done');
  const listedShards = (rows.length > MAX_SHOWN_SHARDS ? unfinishedShards : rows).slice(0, MAX_SHOWN_SHARDS);
  const tableText = formatTerminalTable(
    [
      { heading: 'shard' },
      { heading: 'simulations' },
      { heading: 'done' },
      { heading: 'left' },
      { heading: 'state', align: 'left' },
    ],
    listedShards.map(({ shard, number: listedShardNumber, state: listedShardState }) => [
      `${listedShardNumber}/${rows.length}`,
      formatNumber(shard.runs),
      formatNumber(shard.done),
      listedShardState === 'done' ? '' : formatRemainingTime(shard.secondsLeft),
      listedShardState,
    ]),
    colors,
  );
  const hiddenCount = unfinishedShards.length - listedShards.length;
  const finishedShardNotes =
    rows.length > MAX_SHOWN_SHARDS
      ? [`${formatCount(rows.length - unfinishedShards.length, 'shard')} done`]
      : [];
  const hiddenShardNotes = hiddenCount > 0 ? [`${formatNumber(hiddenCount)} more not done`] : [];
  const shardCountsText = [...finishedShardNotes, ...hiddenShardNotes].join(', ');
  const mergeStateLines = queueStates.merge === undefined ? [] : [`merge: ${queueStates.merge}`];
  return [
    summaryLine,
    ...(listedShards.length > 0 ? [tableText] : []),
    ...(shardCountsText === '' ? [] : [shardCountsText]),
    ...mergeStateLines,
  ].join('\n\n');
}

/** Progress of a study as JSON. */
export function makeStudyStatusDocument(studyProgress: StudyProgress, queueStates = NO_QUEUE_STATES): object {
  const makeProgressDocument = (studyPart: StudyPartProgress, queued?: string) => ({
    simulations: studyPart.runs,
    done: studyPart.done,
    secondsLeft: studyPart.secondsLeft ?? null,
    state:
      studyPart.done === studyPart.runs
        ? 'done'
        : studyPart.holder === undefined
          ? (queued ?? 'not running')
          : 'running',
    ...(studyPart.holder === undefined
      ? {}
      : {
          host: studyPart.holder.host,
          process: studyPart.holder.process,
          job: studyPart.holder.job ?? null,
        }),
  });
  const { shards } = studyProgress;
  const isAnyShardRunning = shards.some(({ holder }) => holder !== undefined);
  return {
    ...makeProgressDocument(studyProgress, isAnyShardRunning ? 'running' : undefined),
    ...(queueStates.merge === undefined ? {} : { merge: queueStates.merge }),
    shards: shards.map((shardProgress, i) => ({
      shard: `${i + 1}/${shards.length}`,
      ...makeProgressDocument(shardProgress, queueStates.shards.get(i + 1)),
    })),
  };
}

// Work saved by sharing simulations between runs

/** Sentence on the simulation work that runs shared; undefined if they shared none. */
export function describeSharedWork(
  { runs: runCount, forks, joins, jobs: simulated }: Sharing,
  jobCount: number,
): string | undefined {
  if (simulated >= jobCount) return undefined;
  return (
    `${formatCount(runCount, 'simulation')} shared their histories as long as no decision differed: of ${formatNumber(jobCount)} jobs ` +
    `${formatNumber(simulated)} were simulated (${formatCount(forks, 'fork')}, ${formatCount(joins, 'join')})`
  );
}

/** Shared simulation work of this invocation as JSON. */
export function makeSharedWorkDocument(
  { runs: runCount, forks, joins, jobs: simulated }: Sharing,
  jobCount: number,
) {
  return { simulations: runCount, jobs: jobCount, simulatedJobs: simulated, forks, joins };
}
