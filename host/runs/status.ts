/** How far the study of a folder is, shard by shard, from what stands in its files. */
import { existsSync } from 'node:fs';
import { linesOf } from './journal.js';
import { type Holder, holderOf } from './lock.js';
import { journalOf, lockOf, planOf, shardFolder, shardFolders } from './runsFolder.js';
import { readCut } from './shardFolder.js';

/** Part of a study that one process does. */
export interface PartStatus {
  /** How many runs it has, and how many of them are done, by whomever. */
  readonly runs: number;
  readonly done: number;
  /** Who works on it. */
  readonly holder: Holder | undefined;
  /** Seconds until it is done if it goes on as since it began; undefined where that cannot be told. */
  readonly secondsLeft: number | undefined;
}

/** How far a study is. */
export interface StudyStatus extends PartStatus {
  /** Its shards in order; none where it is not cut. */
  readonly shards: readonly PartStatus[];
}

/** In a plan the line of a run begins so; in a journal its id stands behind a checksum. */
const RUN_LINE = '{"id":"';
const JOURNAL_PLACE = 15;
const ID_DIGITS = 16;

/** The ids of the runs of a plan; its lines are not read but for these. */
function* planIds(path: string): Generator<string> {
  for (const { text } of linesOf(path)) {
    if (text.startsWith(RUN_LINE)) yield text.slice(RUN_LINE.length, RUN_LINE.length + ID_DIGITS);
  }
}

function* journalIds(path: string): Generator<string> {
  if (!existsSync(path)) return;
  let isHead = true;
  for (const { text } of linesOf(path)) {
    if (!isHead) yield text.slice(JOURNAL_PLACE, JOURNAL_PLACE + ID_DIGITS);
    isHead = false;
  }
}

/**
 * How far the study of a folder is.
 * @param now milliseconds since 1970.
 * @throws InputError for a damaged file.
 */
export function readStatus(folder: string, now = Date.now()): StudyStatus {
  const done = new Set<string>();
  for (const each of [folder, ...shardFolders(folder)]) {
    for (const id of journalIds(journalOf(each))) done.add(id);
  }
  const partOf = (path: string): PartStatus => {
    let [runs, ready] = [0, 0];
    for (const id of planIds(planOf(path))) {
      runs++;
      if (done.has(id)) ready++;
    }
    const holder = existsSync(lockOf(path)) ? holderOf(lockOf(path)) : undefined;
    return { runs, done: ready, holder, secondsLeft: secondsLeft(runs, ready, holder, now) };
  };
  const cut = readCut(folder);
  if (cut === undefined) return { ...partOf(folder), shards: [] };
  const count = cut.runs.length;
  const shards = cut.runs.map((runs, place): PartStatus => {
    const path = shardFolder(folder, { index: place + 1, count });
    // One that no process has begun may have no folder yet.
    return existsSync(planOf(path))
      ? partOf(path)
      : { runs, done: 0, holder: undefined, secondsLeft: undefined };
  });
  const holder = existsSync(lockOf(folder)) ? holderOf(lockOf(folder)) : undefined;
  const whole = secondsLeft(cut.total, done.size, holder, now);
  return {
    runs: cut.total,
    done: done.size,
    holder,
    secondsLeft: whole ?? leftOfAll(shards, cut.costs),
    shards,
  };
}

function secondsLeft(
  runs: number,
  done: number,
  holder: Holder | undefined,
  now: number,
): number | undefined {
  if (done === runs) return 0;
  const { began, earlier = 0 } = holder ?? {};
  if (began === undefined || done <= earlier) return undefined;
  return ((now - began) / 1000 / (done - earlier)) * (runs - done);
}

/**
 * Of all shards: until the last that runs is done, or as long as those that run take for all that is missing, whichever
 * is longer.
 */
function leftOfAll(shards: readonly PartStatus[], costs: readonly number[]): number | undefined {
  let [longest, rate, missing] = [0, 0, 0];
  for (const [i, { runs, done, holder, secondsLeft: left }] of shards.entries()) {
    const cost = runs === 0 ? 0 : (costs[i]! * (runs - done)) / runs;
    missing += cost;
    if (holder === undefined || left === undefined || left === 0) continue;
    longest = Math.max(longest, left);
    rate += cost / left;
  }
  if (missing === 0) return 0;
  return rate === 0 ? undefined : Math.max(longest, missing / rate);
}
