import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/**
 * When jobs that have ended leave an open run, the entries of the others move in every column with an entry
 * per job. If a column were forgotten, jobs would have the entries of other jobs in it.
 */

const memoryFolder = new URL('../../assembly/memory/', import.meta.url);
const readFileText = (path: string) =>
  readFileSync(new URL(`../../assembly/${path}`, import.meta.url), 'utf8');

/** Columns with an entry or two per job, by their names in the core. */
function listColumnsByJob(): string[] {
  const files = readdirSync(memoryFolder).filter((name) => name.endsWith('.ts'));
  const moduleText = files.map((name) => readFileText(`memory/${name}`)).join('\n');
  const columnDeclarationMatches = moduleText.matchAll(/\b(\w+) = (?:column|namedColumn)<\w+>\((.*)\);/g);
  return [...columnDeclarationMatches]
    .filter(([, , size]) => /\b(?:jobs|jobCount|lateUseCapacity)\b/.test(size!) && !size!.includes('>>'))
    .map(([, name]) => name!);
}

/** Source code of the core that moves or rewrites column entries when ended jobs leave an open run. */
const compactionCode = [
  readFileText('engine/compaction.ts'),
  ...[
    'events/cancellations.ts',
    'placement/limits.ts',
    'queue/priorityQueue.ts',
    'queue/usageByNumber.ts',
  ].map((path) => /export function renumber\w*\([\s\S]*?\n}/.exec(readFileText(path))![0]),
  /export function accountForRemovedJobs\([\s\S]*?\n}/.exec(readFileText('sums/metrics.ts'))![0],
].join('\n');

/** Columns that the moving code names differently, by their name in the core. */
const NAME_IN_COMPACTION_CODE: Readonly<Record<string, string>> = {
  keysAtBegin: 'keys',
  submitKeys: 'keys',
  agingKeys: 'keys',
  backfillKeysAtBegin: 'backfillKeys',
  submitBackfillKeys: 'backfillKeys',
  agingBackfillKeys: 'backfillKeys',
};

/** Columns whose entries need not move when jobs leave, grouped by the reason. */
const UNMOVED_COLUMNS_BY_REASON: Readonly<Record<string, readonly string[]>> = {
  'estimates by recent jobs are refused': [
    ...['estimatesOfRun', 'lastOfUsers', 'earlierOfUsers'],
    ...['waitingOfUsers', 'nextOfUser', 'previousOfUser'],
  ],
  'dynamic is refused': [
    ...['endedJobsOfClass', 'endedJobs', 'trialStarts', 'trialExecutions', 'trialSites'],
    ...['believedWork', 'queuedJobs'],
  ],
  'open runs have no dependencies': ['submitsOfRun', 'piecesLeft', 'releasedHeap'],
  'written anew when an order is sorted': ['sequence', 'mergeBuffer', 'sequenceKeys'],
  'emptied, and filled by the next pass': ['nextStarts', 'nextStartPlaces'],
  'entries by their own number, each with a job that is rewritten': ['lateUses'],
};

const isColumnMoved = (name: string) =>
  new RegExp(`columns\\.${NAME_IN_COMPACTION_CODE[name] ?? name}\\b`).test(compactionCode);

test('every column by job is moved when jobs leave, or has a reason to stay', () => {
  const columns = [...new Set(listColumnsByJob())];
  const unmovedColumns = Object.values(UNMOVED_COLUMNS_BY_REASON).flat();
  expect(columns.length).toBeGreaterThan(40);
  expect(columns.filter((name) => !isColumnMoved(name) && !unmovedColumns.includes(name))).toEqual([]);
  // Every exempt column must exist and must not be moved.
  expect(unmovedColumns.filter((name) => !columns.includes(name) || isColumnMoved(name))).toEqual([]);
});
