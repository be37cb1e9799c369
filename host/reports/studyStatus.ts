/** Progress of a study: for a person, and as a document. */
import { countOf, formatDuration, formatNumber } from '../format/numbers.js';
import type { PartStatus, StudyStatus } from '../runs/shardFolder.js';
import type { Sharing } from '../simulate/simulator.js';
import { type Colors, formatTable } from '../view/terminal.js';

/** States of the jobs of a study in a batch system, such as `waiting (Resources)`. */
export interface QueueStates {
  /** States of shards, by their numbers from 1. */
  readonly shards: ReadonlyMap<number, string>;
  /** State of the job that merges the shards; undefined: unknown. */
  readonly merge?: string | undefined;
}

/** States for a study that no batch system runs. */
export const NO_QUEUE: QueueStates = { shards: new Map() };

/** Shards that are shown one by one, at most. */
const MAX_SHOWN = 24;

/** `done`, `running on node7`, what the batch system says, or `not running`. */
function stateOf({ runs, done, holder }: PartStatus, queued: string | undefined): string {
  if (done === runs) return 'done';
  if (holder !== undefined) {
    return `running on ${holder.host}, process ${holder.process}${holder.job === undefined ? '' : `, job ${holder.job}`}`;
  }
  return queued ?? 'not running';
}

function remainingTimeText(seconds: number | undefined): string {
  return seconds === undefined ? '' : formatDuration(Math.ceil(seconds));
}

/** Progress of a study: a line, and a table of its shards. */
export function statusText(folder: string, status: StudyStatus, colors: Colors, queue = NO_QUEUE): string {
  const { runs, done, secondsLeft, shards } = status;
  const left = secondsLeft === undefined || done === runs ? '' : `, ${remainingTimeText(secondsLeft)} left`;
  const share = runs === 0 ? 100 : Math.floor((done / runs) * 100);
  const head = `${folder}: ${formatNumber(done)} of ${formatNumber(runs)} simulations, ${share} %${left}`;
  if (shards.length === 0) return `${head}; ${stateOf(status, undefined)}`;
  const rows = shards.map((shard, i) => ({
    shard,
    number: i + 1,
    state: stateOf(shard, queue.shards.get(i + 1)),
  }));
  const open = rows.filter(({ state }) => state !== 'done');
  const shown = (rows.length > MAX_SHOWN ? open : rows).slice(0, MAX_SHOWN);
  const table = formatTable(
    [
      { heading: 'shard' },
      { heading: 'simulations' },
      { heading: 'done' },
      { heading: 'left' },
      { heading: 'state', align: 'left' },
    ],
    shown.map(({ shard, number, state }) => [
      `${number}/${rows.length}`,
      formatNumber(shard.runs),
      formatNumber(shard.done),
      state === 'done' ? '' : remainingTimeText(shard.secondsLeft),
      state,
    ]),
    colors,
  );
  const hidden = open.length - shown.length;
  const finished = rows.length > MAX_SHOWN ? [`${countOf(rows.length - open.length, 'shard')} done`] : [];
  const more = hidden > 0 ? [`${formatNumber(hidden)} more not done`] : [];
  const rest = [...finished, ...more].join(', ');
  const merge = queue.merge === undefined ? [] : [`merge: ${queue.merge}`];
  return [head, ...(shown.length > 0 ? [table] : []), ...(rest === '' ? [] : [rest]), ...merge].join('\n\n');
}

/** The same as a document. */
export function statusDocument(status: StudyStatus, queue = NO_QUEUE): object {
  const partDocument = (part: PartStatus, queued?: string) => ({
    simulations: part.runs,
    done: part.done,
    secondsLeft: part.secondsLeft ?? null,
    state:
      part.done === part.runs ? 'done' : part.holder === undefined ? (queued ?? 'not running') : 'running',
    ...(part.holder === undefined
      ? {}
      : { host: part.holder.host, process: part.holder.process, job: part.holder.job ?? null }),
  });
  const { shards } = status;
  const isAtWork = shards.some(({ holder }) => holder !== undefined);
  return {
    ...partDocument(status, isAtWork ? 'running' : undefined),
    ...(queue.merge === undefined ? {} : { merge: queue.merge }),
    shards: shards.map((shard, i) => ({
      shard: `${i + 1}/${shards.length}`,
      ...partDocument(shard, queue.shards.get(i + 1)),
    })),
  };
}

// Text and JSON on the work that runs of a study shared

/** Sentence on the work that runs with this number of jobs shared; undefined if none was. */
export function sharingText(
  { runs, forks, joins, jobs: simulated }: Sharing,
  jobs: number,
): string | undefined {
  if (simulated >= jobs) return undefined;
  return (
    `${countOf(runs, 'simulation')} shared their histories as long as no decision differed: of ${formatNumber(jobs)} jobs ` +
    `${formatNumber(simulated)} were simulated (${countOf(forks, 'fork')}, ${countOf(joins, 'join')})`
  );
}

/** The same as JSON: of what was done now. */
export function sharingDocument({ runs, forks, joins, jobs: simulated }: Sharing, jobs: number) {
  return { simulations: runs, jobs, simulatedJobs: simulated, forks, joins };
}
