import { describe, expect, it } from 'vitest';
import { readTrace } from '../../host/files/traceFiles.js';
import { makeWorkload } from '../../host/workload/make.js';
import { findPreset, PRESETS } from '../../host/workload/presets.js';
import type { Workload } from '../../host/workload/workload.js';
import { findTraceFilePath } from '../traces.js';
import { buildTrace } from './buildTrace.js';

const sdsc54041LogPath = findTraceFilePath('sdsc-sp2-54041.swf.gz');
const sdsc56490LogPath = findTraceFilePath('sdsc-sp2-56490-reconstructed.swf.gz');
const cleanedSdscLogPath = findTraceFilePath('SDSC-SP2-1998-4.2-cln.swf.gz');
const kthLogFilePath = findTraceFilePath('KTH-SP2-1996-2.1-cln.swf.gz');

async function load(file: string, preset: string, rc?: number): Promise<Workload> {
  const { filters, home, capacities } = findPreset(preset);
  return makeWorkload(await readTrace(file), { filters, home, capacities, siteCount: capacities.length, rc });
}

/** A mean in hundredths, rounded or truncated: whichever the paper printed, otherwise rounded. */
function meanAsPrinted(sum: number, jobCount: number, publishedValue: number): number {
  const roundedAndTruncatedMeans = [Math.round, Math.floor].map(
    (roundOrTruncate) => roundOrTruncate((sum * 100) / jobCount) / 100,
  );
  return roundedAndTruncatedMeans.includes(publishedValue) ? publishedValue : roundedAndTruncatedMeans[0];
}

/**
 * Checks a published table per queue: number of jobs; longest and mean runtime; largest and mean
 * number of processors (some are not printed).
 */
function expectPublishedTable(workload: Workload, publishedRows: readonly (readonly number[])[]): void {
  const rows = publishedRows.map(([, , meanRuntime, , meanProcessors], site) => {
    let [jobs, longest, seconds, widest, processors] = [0, 0, 0, 0, 0];
    for (let i = 0; i < workload.count; i++) {
      if (workload.home[i] !== site) continue;
      jobs++;
      longest = Math.max(longest, workload.runtime[i]);
      seconds += workload.runtime[i];
      widest = Math.max(widest, workload.processors[i]);
      processors += workload.processors[i];
    }
    const row = [jobs, longest, meanAsPrinted(seconds, jobs, meanRuntime), widest];
    return meanProcessors === undefined ? row : [...row, meanAsPrinted(processors, jobs, meanProcessors)];
  });
  expect(rows).toEqual(publishedRows);
}

describe.skipIf(sdsc54041LogPath === undefined)('the jobs of Shih et al. 2010', () => {
  it('have the values of Table 5', async () => {
    const workload = await load(sdsc54041LogPath!, 'shih2010');
    expect(workload.count).toBe(54041);
    expectPublishedTable(workload, [
      [5038, 21922, 393.99, 8, 3.27],
      [8838, 510209, 7029.57, 128, 17.0],
      [27075, 172832, 7357.81, 128, 12.56],
      [12859, 452520, 10620.82, 128, 12.17],
      [231, 64828, 1051.76, 50, 4.01],
    ]);
    expect(workload.accounting.dropped.every(({ count: recordCount }) => recordCount === 0)).toBe(true);
  });

  it.each([
    [1, 54041, 12.29, 128],
    [0.75, 54305, 12.23, 96],
    [0.5, 54534, 12.18, 64],
    [0.25, 58890, 11.28, 32],
  ])('cut by RC %d have the values of Table 8', async (rc, expectedJobCount, meanProcessors, widest) => {
    const { count: jobCount, processors, accounting } = await load(sdsc54041LogPath!, 'shih2010', rc);
    const totalProcessors = processors.reduce((sum, width) => sum + width, 0);
    expect([jobCount, meanAsPrinted(totalProcessors, jobCount, meanProcessors)]).toEqual([
      expectedJobCount,
      meanProcessors,
    ]);
    expect(processors.reduce((widest, width) => Math.max(widest, width), 0)).toBe(widest);
    expect(accounting.kept - accounting.split.jobs + accounting.split.pieces).toBe(expectedJobCount);
  });
});

describe.skipIf(cleanedSdscLogPath === undefined)('the cleaned San Diego log', () => {
  it('has all but seven of the jobs of Shih et al. 2010', async () => {
    const { count: jobCount, accounting } = await load(cleanedSdscLogPath!, 'shih2010');
    expect(jobCount).toBe(54034);
    expect(accounting).toMatchObject({ read: 59715, kept: 54034 });
    expect(accounting.dropped.map(({ count: droppedCount }) => droppedCount).slice(2, 6)).toEqual([
      0, 0, 0, 0,
    ]);
  });
});

describe.skipIf(sdsc56490LogPath === undefined)('the jobs of Huang et al. 2007', () => {
  it('have the values of Table 1', async () => {
    const workload = await load(sdsc56490LogPath!, 'huang2007');
    expect(workload.count).toBe(56490);
    expectPublishedTable(workload, [
      [4053, 21922, 267.13, 8],
      [6795, 64411, 6746.27, 128],
      [26067, 118561, 5657.81, 128],
      [19398, 64817, 5935.92, 128],
      [177, 42262, 462.46, 50],
    ]);
  });
});

describe.skipIf(kthLogFilePath === undefined)('the cleaned KTH log', () => {
  it('has no queues, so every job is at home at the first site', async () => {
    const workload = makeWorkload(await readTrace(kthLogFilePath!), { siteCount: 1, capacities: [100] });
    expect(workload.home.every((site) => site === 0)).toBe(true);
    expect(workload.accounting).toMatchObject({ read: 28476, split: { jobs: 0, pieces: 0 } });
    const droppedCount = workload.accounting.dropped.reduce(
      (sum, { count: recordCount }) => sum + recordCount,
      0,
    );
    expect(droppedCount).toBe(28476 - workload.count);
    expect(workload.estimate.some((seconds, i) => seconds > workload.runtime[i])).toBe(true);
  });
});

describe('presets', () => {
  it('drop the four flurries and nothing else of those users', () => {
    const record = { submit: 0, runtime: 1, processors: 1, queue: 3, status: 1 };
    const trace = buildTrace([
      { ...record, job: 13717, user: 21 },
      { ...record, job: 28552, user: 374 },
      { ...record, job: 31767, user: 197 },
      { ...record, job: 68106, user: 328 },
      { ...record, job: 13716, user: 21 },
      { ...record, job: 68107, user: 328 },
      { ...record, job: 13717, user: 22 },
      { ...record, job: 5, queue: 6 },
      { ...record, job: 6, status: 0, queue: 5 },
      { ...record, job: 7, runtime: 0 },
    ]);
    const jobNumbersUnderPreset = (preset: string) => [
      ...makeWorkload(trace, { ...findPreset(preset), name: preset, siteCount: 5 }).job,
    ];
    expect(jobNumbersUnderPreset('shih2010')).toEqual([13716, 68107, 13717, 6]);
    expect(jobNumbersUnderPreset('huang2007')).toEqual([13717, 28552, 31767, 68106, 13716, 68107, 13717, 5]);
  });

  it('are found by name', () => {
    expect(PRESETS.map(({ name: presetName }) => findPreset(presetName).name)).toEqual([
      'shih2010',
      'huang2007',
    ]);
    expect(() => findPreset('shih2009')).toThrow("did you mean 'shih2010'?");
  });
});
