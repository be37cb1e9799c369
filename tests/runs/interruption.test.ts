import { readFileSync, statSync, truncateSync } from 'node:fs';
import { basename, join } from 'node:path';
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from 'hyparquet';
import { beforeAll, describe, expect, test } from 'vitest';
import { doesRunAllCases } from '../cases.js';
import { makeTemporaryFolder } from '../temporaryFolder.js';
import {
  readFilesWithoutJournal,
  readJournalRunIds,
  runGridalloc,
  runGridallocProcess,
  writeStudyFile,
} from './childProcess.js';

/** A study must give the same bytes with any threads, shards and interruptions. */

const STUDY_TEXT = `
title: Many small simulations
simulate:
  workload: lublin99[aarr={aarr},jobs=${doesRunAllCases ? 6000 : 2000},seed={draw}]
  sites: 8,128,128,128,50
  speeds: draw[sh={sh},seed={draw}]
  policy: '{policy}'
axes:
  aarr: [9, 8.5]
  sh: [0, 0.06, 0.12, 0.24]
  policy:
    BF: best-fit
    FF: fastest-first
    TI*: ti[sht=0.05|0.1,slt=1|2|3]
    TAI2*: tai2[sht=0.05|0.1,slt=1|2|3]
    AI: ai
draws: { axis: draw, count: 5, average: after }
measures:
  tnpir:
    metric: averageResponseTime
    steps: [least: variant, { improvement: { over: policy, on: [BF, FF] } }, { sum: [sh, aarr] }]
    format: percent
  art: { metric: averageResponseTime, steps: [least: variant] }
tables:
  tnpir: { title: TNPIR, measures: tnpir, rows: policy }
figures:
  art: { title: Response times, measure: art, panels: aarr, x: sh, series: policy }
`;
/**
 * Number of runs: 2 x 4 x 15 x 5. Jobs differ in each draw, so that even equal sites are drawn five
 * times.
 */
const RUN_COUNT = 600;
const MIN_KILL_COUNT = doesRunAllCases ? 12 : 3;

let folder: string;
let file: string;
let expected: Record<string, string>;
const run = (resultFolder: string, ...commandWords: string[]) =>
  runGridalloc(['study', 'run', file, '--out', join(folder, resultFolder), '--quiet', ...commandWords]);

beforeAll(async () => {
  folder = makeTemporaryFolder();
  file = writeStudyFile(folder, STUDY_TEXT);
  const { exitCode, stderr } = await run('one', '--threads', '1');
  expect(stderr).toBe('');
  expect(exitCode).toBe(0);
  expected = readFilesWithoutJournal(join(folder, 'one'));
});

test('a study writes its runs, tables, figures and a report', () => {
  expect(Object.keys(expected).sort()).toEqual([
    'environment.json',
    'figures/art-column.pdf',
    'figures/art.csv',
    'figures/art.pdf',
    'figures/art.svg',
    'plan.json',
    'report.html',
    'report.json',
    'results.csv',
    'results.parquet',
    'study.yaml',
    'tables/tnpir.csv',
    'tables/tnpir.md',
    'tables/tnpir.tex',
  ]);
  expect(new Set(readJournalRunIds(join(folder, 'one'))).size).toBe(RUN_COUNT);
  const rows = readFileSync(join(folder, 'one', 'results.csv'), 'utf8')
    .trimEnd()
    .split('\n');
  expect(rows.length - 1).toBe(RUN_COUNT);
});

test('results.parquet holds what results.csv holds', async () => {
  const [header, ...lines] = readFileSync(join(folder, 'one', 'results.csv'), 'utf8')
    .trimEnd()
    .split('\n');
  const file = await asyncBufferFromFile(join(folder, 'one', 'results.parquet'));
  const rows = await parquetReadObjects({ file });
  const removeQuotes = (line: string) => line.replaceAll('"', '');
  const csvLineOfRow = (row: object) =>
    removeQuotes(
      Object.values(row)
        .map((value) => value ?? '')
        .join(','),
    );
  expect(Object.keys(rows[0]).join(',')).toBe(header);
  expect(rows.map(csvLineOfRow)).toEqual(lines.map(removeQuotes));
});

test('results.parquet has counts as whole numbers, and says what columns are measured in', async () => {
  const file = await asyncBufferFromFile(join(folder, 'one', 'results.parquet'));
  const { schema, key_value_metadata: metadata = [] } = await parquetMetadataAsync(file);
  const types = new Map(schema.map(({ name: elementName, type: elementType }) => [elementName, elementType]));
  expect(types.get('sh')).toBe('DOUBLE');
  expect(types.get('draw')).toBe('INT32');
  expect(types.get('policy')).toBe('BYTE_ARRAY');
  expect(types.get('jobs')).toBe('INT32');
  expect(types.get('site1Jobs')).toBe('INT32');
  expect(types.get('makespan')).toBe('DOUBLE');
  const metadataTextByKey = Object.fromEntries(
    metadata.map(({ key: entryKey, value: entryValue }) => [entryKey, entryValue]),
  );
  expect(JSON.parse(metadataTextByKey.units ?? '')).toMatchObject({
    averageResponseTime: 's',
    makespan: 's',
  });
  expect(JSON.parse(metadataTextByKey.labels ?? '')).toMatchObject({ site2Jobs: 'jobs run, site 2' });
  expect(metadataTextByKey.study).toBe('Many small simulations');
});

test.each([2, 3])('%d threads give the same bytes as one', async (threads) => {
  expect(await run(`threads${threads}`, '--threads', `${threads}`)).toMatchObject({ exitCode: 0 });
  expect(readFilesWithoutJournal(join(folder, `threads${threads}`))).toEqual(expected);
});

test('shards run apart and merged give the same bytes', async () => {
  const shards = [1, 2, 3].map((shardNumber) => join(folder, `shard${shardNumber}`));
  for (const [i] of shards.entries()) {
    expect(await run(`shard${i + 1}`, '--shard', `${i + 1}/3`, '--threads', '1')).toMatchObject({
      exitCode: 0,
    });
  }
  const earlyMergeResult = await runGridalloc([
    'study',
    'merge',
    ...shards.slice(1),
    '--out',
    join(folder, 'early'),
  ]);
  expect(earlyMergeResult.exitCode).toBe(2);
  expect(earlyMergeResult.stderr).toContain('195 of 600 runs are in none of the folders');
  const mergeResult = await runGridalloc(['study', 'merge', ...shards, '--out', join(folder, 'merged')]);
  expect(mergeResult.exitCode).toBe(0);
  expect(readFilesWithoutJournal(join(folder, 'merged'))).toEqual(expected);
});

describe('interrupted', () => {
  /**
   * Kills a run of the study at a random time, or during its simulations; returns true if it was
   * killed.
   */
  async function killed(resultFolder: string, waitsForFirstRun: boolean): Promise<boolean> {
    const completeCountBefore = readCompleteRunIds(resultFolder).length;
    const startTime = performance.now();
    let delayStartTime = waitsForFirstRun ? Number.POSITIVE_INFINITY : startTime;
    const delay = Math.random() * (waitsForFirstRun ? 120 : 1000);
    const isTimeToKill = () => {
      if (
        delayStartTime === Number.POSITIVE_INFINITY &&
        readCompleteRunIds(resultFolder).length > completeCountBefore
      )
        delayStartTime = performance.now();
      return performance.now() - delayStartTime >= delay;
    };
    const commandWords = ['study', 'run', file, '--out', resultFolder, '--quiet', '--threads', '2'];
    const { signal } = await runGridallocProcess(commandWords, { signal: 'SIGKILL', when: isTimeToKill });
    return signal === 'SIGKILL';
  }

  test(`killed at ${MIN_KILL_COUNT} random moments, a study loses nothing, repeats nothing, and gives the same bytes`, async () => {
    const folders = new Set<string>();
    let killCount = 0;
    let midwayKillCount = 0;
    const roundCount = doesRunAllCases ? 3 : 1;
    // A kill may come before the first or after the last recorded run, so that more kills may be
    // needed.
    const needsMoreKills = () =>
      killCount < MIN_KILL_COUNT || (midwayKillCount < roundCount && killCount < 20 * MIN_KILL_COUNT);
    for (let round = 0; needsMoreKills(); round++) {
      const resultFolder = join(folder, `killed${round}`);
      folders.add(resultFolder);
      let earlierRunIds: string[] = [];
      while (needsMoreKills() && earlierRunIds.length < RUN_COUNT) {
        if (await killed(resultFolder, killCount % 2 === 1)) killCount++;
        const completeRunIds = readCompleteRunIds(resultFolder);
        expect(completeRunIds.slice(0, earlierRunIds.length)).toEqual(earlierRunIds);
        expect(new Set(completeRunIds).size).toBe(completeRunIds.length);
        if (completeRunIds.length > earlierRunIds.length && completeRunIds.length < RUN_COUNT)
          midwayKillCount++;
        earlierRunIds = completeRunIds;
      }
    }
    expect(midwayKillCount).toBeGreaterThanOrEqual(roundCount);
    for (const resultFolder of folders) {
      expect(await run(basename(resultFolder), '--threads', '2')).toMatchObject({ exitCode: 0, stderr: '' });
      expect(readFilesWithoutJournal(resultFolder)).toEqual(expected);
      expect(readJournalRunIds(resultFolder).length).toBe(RUN_COUNT);
    }
  }, 180_000);

  test('a torn last line is done again', async () => {
    const resultFolder = join(folder, 'torn');
    expect(await run('torn', '--shard', '1/4', '--threads', '1')).toMatchObject({ exitCode: 0 });
    const shard = join(resultFolder, 'shards', '1-of-4');
    const journal = join(shard, 'journal.jsonl');
    truncateSync(journal, statSync(journal).size - 40);
    expect(await run('torn', '--shard', '1/4', '--threads', '1')).toMatchObject({ exitCode: 0 });
    expect(new Set(readJournalRunIds(shard)).size).toBe(RUN_COUNT / 4);
  });

  test('Ctrl-C ends with 130, says how to resume, and the study resumes', async () => {
    const resultFolder = join(folder, 'stopped');
    const commandWords = ['study', 'run', file, '--out', resultFolder, '--threads', '1'];
    const { exitCode, stderr } = await runGridallocProcess(commandWords, {
      signal: 'SIGINT',
      when: () => readCompleteRunIds(resultFolder).length > 0,
    });
    expect(exitCode).toBe(130);
    expect(stderr).toContain('interrupted');
    const completeCountBefore = readCompleteRunIds(resultFolder).length;
    expect(completeCountBefore).toBeLessThan(RUN_COUNT);
    const resumedRunResult = await runGridalloc(commandWords);
    expect(resumedRunResult.exitCode).toBe(0);
    expect(resumedRunResult.stderr).toContain(`${completeCountBefore} simulation`);
    expect(readFilesWithoutJournal(resultFolder)).toEqual(expected);
  });
});

test('a folder with another study is refused', async () => {
  const otherStudyFile = writeStudyFile(
    folder,
    STUDY_TEXT.replace('aarr: [9, 8.5]', 'aarr: [9.5]'),
    'other.yaml',
  );
  const { exitCode, stderr } = await runGridalloc([
    'study',
    'run',
    otherStudyFile,
    '--out',
    join(folder, 'one'),
  ]);
  expect(exitCode).toBe(2);
  expect(stderr).toContain('holds results of another study');
  expect(readFilesWithoutJournal(join(folder, 'one'))).toEqual(expected);
});

/** Ids of the runs on complete lines of a journal; empty if it does not exist yet. */
function readCompleteRunIds(resultFolder: string): string[] {
  try {
    const journalText = readFileSync(join(resultFolder, 'journal.jsonl'), 'utf8');
    const lines = journalText
      .slice(0, journalText.lastIndexOf('\n') + 1)
      .trimEnd()
      .split('\n')
      .slice(1);
    return lines.map((line) => (JSON.parse(line.slice(13)) as [string])[0]);
  } catch {
    return [];
  }
}
