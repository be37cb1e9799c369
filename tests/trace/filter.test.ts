import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readTrace } from '../../host/files/traceFiles.js';
import {
  applyFilters,
  FILTER_RULES,
  type Filter,
  formatFilter,
  parseFilter,
} from '../../host/trace/filter.js';
import { parseTrace } from '../../host/trace/readText.js';
import type { Trace } from '../../host/trace/trace.js';
import { findTraceFilePath } from '../traces.js';
import { inputErrorMessage, makeSwfLine, readLogText } from './helpers.js';

const queues = readTrace(new URL('../../traces/queues.swf', import.meta.url).pathname);

/** Numbers of the jobs kept by filter rules, and counts of dropped jobs by rule. */
function filter(trace: Trace, ...rules: string[]): [number[], number[]] {
  const { trace: keptTrace, dropped: droppedRecords } = applyFilters(trace, rules.map(parseFilter));
  expect(droppedRecords.map(({ rule }) => rule)).toEqual(rules);
  expect(
    keptTrace.count + droppedRecords.reduce((sum, { count: droppedCount }) => sum + droppedCount, 0),
  ).toBe(trace.count);
  return [[...keptTrace.columns.job], droppedRecords.map(({ count: droppedCount }) => droppedCount)];
}

describe('filters', () => {
  it('keep what they say', async () => {
    const trace = await queues;
    expect(filter(trace, 'runtime')).toEqual([[1, 2, 3, 5, 6], [1]]);
    expect(filter(trace, 'processors')).toEqual([[1, 2, 3, 4, 5], [1]]);
    expect(filter(trace, 'status=1')).toEqual([[1, 2, 5], [3]]);
    expect(filter(trace, 'status=0,5')).toEqual([[3, 4, 6], [3]]);
    expect(filter(trace, 'queue=1-2')).toEqual([[1, 2, 3, 4, 5], [1]]);
    expect(filter(trace, 'queue=-1,2')).toEqual([[3, 4, 5, 6], [2]]);
    expect(filter(trace, 'queue=-1-1')).toEqual([[1, 2, 6], [3]]);
    expect(filter(trace, 'user=2')).toEqual([[2, 5], [4]]);
    expect(filter(trace, 'job=2-4,6')).toEqual([[2, 3, 4, 6], [2]]);
    expect(filter(trace, 'flurry=1:2-6')).toEqual([[1, 2, 4, 5, 6], [1]]);
    expect(filter(trace, 'first=2')).toEqual([[1, 2], [4]]);
    expect(parseFilter('first=0.2e1')).toEqual({ rule: 'first', count: 2 });
    expect(parseFilter('last=1e3')).toEqual({ rule: 'last', count: 1000 });
    expect(parseFilter('time=0..1d')).toEqual(parseFilter('time=0-86400'));
    expect(filter(trace, 'last=2')).toEqual([[5, 6], [4]]);
    expect(filter(trace, 'last=100')).toEqual([[1, 2, 3, 4, 5, 6], [0]]);
    expect(filter(trace, 'time=10-30')).toEqual([[2, 3], [4]]);
    expect(filter(trace, 'time=10.5-30.5')).toEqual([[3, 4], [4]]);
  });

  it('count a record under the first rule that drops it', async () => {
    const trace = await queues;
    expect(filter(trace, 'processors', 'runtime', 'queue=1', 'runtime')).toEqual([
      [1, 2],
      [1, 1, 2, 0],
    ]);
    expect(filter(trace, 'first=4', 'status=1', 'last=1')).toEqual([[2], [2, 2, 1]]);
    expect(filter(trace, 'status=1', 'first=3')).toEqual([
      [1, 2, 5],
      [3, 0],
    ]);
    expect(filter(trace)).toEqual([[1, 2, 3, 4, 5, 6], []]);
  });

  it('say in the header what they dropped', async () => {
    const trace = await queues;
    const { header } = applyFilters(trace, [parseFilter('runtime'), parseFilter('user=1-9')]).trace;
    expect(header.lines.slice(-2)).toEqual([
      '; Note: 1 records dropped by the filter runtime',
      '; Note: 1 records dropped by the filter user=1-9',
    ]);
    expect(header.entries.get('MaxRecords')).toBe('4');
    expect(header.entries.get('MaxJobs')).toBe('6');
    expect(applyFilters(trace, [parseFilter('job=1-99')]).trace).toBe(trace);
  });

  it('read back what they print', async () => {
    const rangeArbitrary = fc
      .tuple(fc.maxSafeInteger(), fc.maxSafeInteger())
      .map(([a, b]) => ({ from: Math.min(a, b), to: Math.max(a, b) }));
    const filterArbitrary: fc.Arbitrary<Filter> = fc.oneof(
      fc.record({ rule: fc.constantFrom('runtime' as const, 'processors' as const) }),
      fc.record({
        rule: fc.constantFrom('status', 'queue', 'partition', 'user', 'group', 'job'),
        ranges: fc.array(rangeArbitrary, { minLength: 1 }),
      }) as fc.Arbitrary<Filter>,
      fc.record({ rule: fc.constant('flurry' as const), user: fc.maxSafeInteger(), jobs: rangeArbitrary }),
      fc.record({ rule: fc.constant('first' as const), count: fc.integer({ min: 1 }) }),
      fc.record({ rule: fc.constant('last' as const), count: fc.integer({ min: 1 }) }),
      fc.tuple(fc.nat(), fc.nat()).map(([from, longerRange]) => {
        return { rule: 'time' as const, from: from / 1e6, to: (from + longerRange + 1) / 1e6 };
      }),
    );
    fc.assert(
      fc.property(filterArbitrary, (randomFilter) => {
        const formattedFilterText = formatFilter(randomFilter);
        expect(parseFilter(formattedFilterText)).toEqual(randomFilter);
        expect(formatFilter(parseFilter(formattedFilterText))).toBe(formattedFilterText);
      }),
    );
    expect(parseFilter('flurry=21:5')).toEqual({ rule: 'flurry', user: 21, jobs: { from: 5, to: 5 } });
    expect(formatFilter(parseFilter(' status = 0, 1 ,5-5'))).toBe('status=0,1,5');
  });

  it('take dates where the log has a start date', async () => {
    // 2026-03-05 00:00 is 1772668800; record 1 is submitted an hour earlier.
    const submits = [0, 3600, 3600 + 86_399, 3600 + 86_400, 3600 + 2 * 86_400];
    const lines = submits.map(
      (submit, i) => `${i + 1} ${submit} -1 10 1 -1 -1 1 10 -1 1 1 1 -1 1 -1 -1 -1\n`,
    );
    const traceWithStartDate = await readLogText(
      `; UnixStartTime: ${1_772_668_800 - 3600}\n${lines.join('')}`,
    );
    const listJobsKeptByFilter = (filterText: string) => [
      ...applyFilters(traceWithStartDate, [parseFilter(filterText)]).trace.columns.job,
    ];
    expect(listJobsKeptByFilter('time=2026-03-05..2026-03-07')).toEqual([2, 3, 4]);
    expect(listJobsKeptByFilter('time=2026-03-05')).toEqual([2, 3]);
    expect(listJobsKeptByFilter('time=2026-03-04T23:00..2026-03-05T00:00:01')).toEqual([1, 2]);
    expect(listJobsKeptByFilter('time=2020-01-01..2021-01-01')).toEqual([]);
    for (const text of [
      'time=2026-03-05..2026-03-08',
      'time=2026-03-05T08:30..2026-03-06',
      'time=2026-03-05T08:30:15..2026-03-06',
    ])
      expect(formatFilter(parseFilter(text))).toBe(text);
    const invalidFilterTexts =
      'time=2026-02-30 time=2026-03-05T08:00 time=2026-03-05..5d time=2026-03-08..2026-03-05 time=2026-3-5..2026-03-08';
    for (const text of invalidFilterTexts.split(' '))
      expect(await inputErrorMessage((async () => parseFilter(text))())).toContain(
        `cannot read the filter '${text}': expected time=FROM`,
      );
    const traceWithoutStartDate = await readLogText(lines.join(''));
    expect(
      await inputErrorMessage(
        (async () => applyFilters(traceWithoutStartDate, [parseFilter('time=2026-03-05')]))(),
      ),
    ).toBe(
      'standard input has no start date (UnixStartTime), which the filter time=2026-03-05..2026-03-06 needs; ' +
        'give times since its start, such as time=7d-14d',
    );
  });

  it('refuse what they cannot read', async () => {
    const filterErrorMessage = (filterText: string) =>
      inputErrorMessage((async () => parseFilter(filterText))());
    const knownRules = FILTER_RULES.join(', ');
    expect(await filterErrorMessage('qeue=1')).toBe(
      `unknown filter 'qeue'; did you mean 'queue'? Known: ${knownRules}`,
    );
    expect(await filterErrorMessage('\n=')).toBe(`unknown filter ''. Known: ${knownRules}`);
    expect(await filterErrorMessage('status')).toBe(
      "cannot read the filter 'status': expected status=0,1,5 or status=1-5",
    );
    expect(await filterErrorMessage('runtime=5')).toBe(
      "cannot read the filter 'runtime=5': expected runtime",
    );
    const invalidFilterTexts =
      'status= status=x status=1, status=2-1 status=1.5 queue=1-- user=1.3 job=99999999999999999999 ' +
      'first=0 first=-1 first=1.5 last= time=5 time=5-5 time=-5-5 time=1e4-1e3 time=1e-7-1 time=1..2..3 ' +
      'flurry=21 flurry=1-2:3-4 flurry=1:2:3 flurry=: processors=';
    for (const text of invalidFilterTexts.split(' ')) {
      expect(await filterErrorMessage(text)).toContain(`cannot read the filter '${text}': expected `);
    }
  });

  it('leave an empty log when nothing is kept', async () => {
    const { trace, dropped: droppedRecords } = applyFilters(await readLogText(makeSwfLine()), [
      parseFilter('user=7'),
    ]);
    expect([trace.count, trace.columns.job.length, droppedRecords[0].count]).toEqual([0, 0, 1]);
  });

  it('turn one real log into the jobs of another', async ({ skip }) => {
    const path = findTraceFilePath('SDSC-SP2-1998-4.2-cln.swf.gz');
    if (path === undefined) return skip();
    const { trace, dropped: droppedRecords } = applyFilters(
      await readTrace(path),
      ['queue=1-5', 'runtime'].map(parseFilter),
    );
    expect(trace.count).toBe(54_034);
    expect(trace.count + droppedRecords[0].count + droppedRecords[1].count).toBe(59_715);
  });

  it.each([{ words: [] }, { words: ['first=5000'] }, { words: ['last=4500', 'first=4300'] }])(
    'drop the same from a long log as from a short one: $words',
    ({ words }: { readonly words: readonly string[] }) => {
      const logRecords = Array.from({ length: 6000 }, (_, i) => [
        i,
        i,
        -1,
        (i * 7) % 5,
        (i * 11) % 3,
        (i * 13) % 4,
      ]);
      const formattedFilter = logRecords.map(
        (record) => `${record.slice(0, 5).join(' ')} -1 -1 ${record[5]}${' -1'.repeat(10)}`,
      );
      const filters = [...words, 'runtime', 'processors'].map(parseFilter);
      const { trace } = applyFilters(parseTrace(formattedFilter.join('\n')), filters);
      const remainingRows = words.reduce((keptRecords, word) => {
        const keptCount = Number(word.split('=')[1]);
        return word.startsWith('first') ? keptRecords.slice(0, keptCount) : keptRecords.slice(-keptCount);
      }, logRecords);
      const rowsWithRuntimeAndProcessors = remainingRows.filter(
        ([, , , runtime, processors, requestedProcessors]) =>
          runtime > 0 && (processors > 0 || requestedProcessors > 0),
      );
      expect([...trace.columns.job]).toEqual(rowsWithRuntimeAndProcessors.map(([job]) => job));
    },
  );
});
