import { describe, expect, it } from 'vitest';
import { readTrace } from '../../host/files/traceFiles.js';
import { traceInfo } from '../../host/trace/info.js';
import { findTraceFilePath } from '../traces.js';
import { makeSwfLine, readLogText, readValuesOfExpectLines } from './helpers.js';

describe('traceInfo', () => {
  it('computes the statistics that the log expects', async () => {
    const trace = await readTrace(new URL('../../traces/queues.swf', import.meta.url).pathname);
    const info = traceInfo(trace);
    const expectedHeaderValues = readValuesOfExpectLines(trace);
    expect(expectedHeaderValues).toHaveLength(18);
    const queues: string[] = [];
    for (const text of expectedHeaderValues) {
      const [path, value] = text.split(' ');
      if (path === 'queue') queues.push(text);
      else expect(info).toHaveProperty(path, Number(value));
    }
    const actualRows = info.queues.map((row) =>
      [
        'queue',
        row.queue,
        row.jobs,
        row.longestRuntime,
        row.meanRuntime,
        row.widest,
        row.meanProcessors,
      ].join(' '),
    );
    expect(actualRows).toEqual(queues);
    expect(info.queues.map(({ name }) => name)).toEqual(['short', 'long']);
    expect([info.firstSubmit, info.lastSubmit, info.spanDays]).toEqual([0, 80, 80 / 86_400]);
    expect([info.computer, info.installation]).toEqual(['two partitions of paper', 'hand-made']);
  });

  it('says undefined where there is nothing to say', async () => {
    const info = traceInfo(
      await readLogText(`${makeSwfLine({ runtime: -1 })}\n${makeSwfLine({ runtime: 0 })}`),
    );
    expect(info).toMatchObject({ records: 2, jobs: 0, spanSeconds: 0, users: 1, queues: [] });
    for (const key of [
      'runtime',
      'processors',
      'serialShare',
      'powerOfTwoShare',
      'offeredLoad',
      'maxProcessors',
    ]) {
      expect(info).toHaveProperty(key, undefined);
    }
  });

  it('gives Table 5 of Shih et al. 2010', async ({ skip }) => {
    const path = findTraceFilePath('sdsc-sp2-54041.swf.gz');
    if (path === undefined) return skip();
    const truncateToHundredths = (numberToTruncate: number) => Math.floor(numberToTruncate * 100) / 100;
    const rows = traceInfo(await readTrace(path)).queues.map((row) => [
      row.jobs,
      row.longestRuntime,
      truncateToHundredths(row.meanRuntime),
      row.widest,
      truncateToHundredths(row.meanProcessors),
    ]);
    expect(rows).toEqual([
      [5038, 21922, 393.98, 8, 3.26],
      [8838, 510209, 7029.57, 128, 17.0],
      [27075, 172832, 7357.81, 128, 12.55],
      [12859, 452520, 10620.81, 128, 12.16],
      [231, 64828, 1051.75, 50, 4.01],
    ]);
  });
});
