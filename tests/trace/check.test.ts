import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { checkTrace, readTrace } from '../../host/files/traceFiles.js';
import { makeGrid } from '../../host/grid/grid.js';
import { simulate } from '../../host/simulate/simulate.js';
import type { CheckOptions } from '../../host/trace/checkTrace.js';
import { parseTrace } from '../../host/trace/readText.js';
import { makeWorkload } from '../../host/workload/make.js';
import { makeTemporaryFolder } from '../temporaryFolder.js';
import { findTraceFilePath } from '../traces.js';
import { inputErrorMessage, makeSwfLine, readValuesOfExpectLines } from './helpers.js';

const checkLogText = (logText: string | Uint8Array, options: CheckOptions = {}) =>
  checkTrace('-', { ...options, input: Readable.from([Buffer.from(logText)]) });

const checkAndListBrokenRules = async (logText: string | Uint8Array, options?: CheckOptions) =>
  (await checkLogText(logText, options)).problems.map(({ rule, severity }) => `${severity} ${rule}`);

describe('checkTrace', () => {
  it('finds exactly the problems that the log expects', async () => {
    const logCheck = await checkTrace(new URL('../../traces/problems.swf', import.meta.url).pathname);
    const summarizedProblems = logCheck.problems.map(({ rule, count: problemCount, lines: problemLines }) =>
      `${rule} ${problemCount} ${problemLines.join(',')}`.trim(),
    );
    expect(summarizedProblems.sort()).toEqual([...readValuesOfExpectLines(logCheck)].sort());
    expect(logCheck.readable).toBe(false);
    expect(logCheck.records).toBe(17);
    expect(logCheck.lines).toBe(logCheck.records + logCheck.header.lines.length);
    for (const { meaning, example } of logCheck.problems) {
      expect(meaning).toMatch(/^[A-Z].*\.$/);
      expect(example).not.toBe('');
    }
    const problemSeverities = logCheck.problems.map(({ severity }) => severity);
    expect(problemSeverities).toEqual([...problemSeverities].sort());
  });

  it('reports nothing about a good log', async () => {
    const correctLogText = `; MaxProcs: 4\n; MaxJobs: 2\n; MaxRecords: 2\n${makeSwfLine({ job: 1 })}\n${makeSwfLine({ job: 2 })}\n`;
    expect(await checkLogText(correctLogText)).toMatchObject({
      readable: true,
      lines: 5,
      records: 2,
      problems: [],
    });
  });

  it('calls an error exactly what readTrace refuses', async () => {
    const logLines = [
      makeSwfLine(),
      '',
      ';\n',
      'x',
      makeSwfLine({ submit: -1 }),
      makeSwfLine({ job: 1.5 }),
      makeSwfLine({ runtime: 'x' }),
      `${makeSwfLine({ submit: 3 })}\n${makeSwfLine({ submit: 2 })}`,
      makeSwfLine({ runtime: -1, status: 9, processors: -1 }),
      '\0',
    ];
    for (const logLine of logLines) {
      for (const content of [logLine, gzipSync(logLine), gzipSync(logLine).subarray(0, -1)]) {
        for (const isSorted of [false, true]) {
          const logStream = Readable.from([Buffer.from(content)]);
          const isRead = await readTrace('-', { input: logStream, sort: isSorted }).then(
            () => true,
            () => false,
          );
          expect([logLine, isSorted, (await checkLogText(content, { sort: isSorted })).readable]).toEqual([
            logLine,
            isSorted,
            isRead,
          ]);
        }
      }
    }
  });

  it('reports files that cannot be read to the end, and throws for those that cannot be opened', async () => {
    expect(await checkAndListBrokenRules('')).toEqual(['error no-records']);
    expect(await checkAndListBrokenRules('; MaxProcs: 3\n')).toEqual(['error no-records']);
    expect(await checkAndListBrokenRules(gzipSync(`${makeSwfLine()}\n`).subarray(0, -3))).toEqual([
      'error damaged-file',
      'warning missing-machine',
    ]);
    expect(await inputErrorMessage(checkTrace('none.swf'))).toBe(
      'none.swf does not exist; check the path of the job log',
    );
    const path = join(makeTemporaryFolder(), 'log.swf');
    writeFileSync(path, `${makeSwfLine()}\n`);
    expect((await checkTrace(path)).records).toBe(1);
  });

  it('shows the first lines only, each once, and counts every fault', async () => {
    const lineWithInvalidFields = makeSwfLine({ runtime: 'x', user: 'y' });
    const [problem, ...otherProblems] = (
      await checkLogText(`; MaxProcs: 4\n${`${lineWithInvalidFields}\n`.repeat(9)}`)
    ).problems;
    expect(otherProblems).toEqual([]);
    expect(problem).toEqual({
      rule: 'number',
      severity: 'error',
      count: 18,
      lines: [2, 3, 4, 5, 6],
      places: ['line 2', 'line 3', 'line 4', 'line 5', 'line 6'],
      example: 'line 2, field 4 (runtime): found "x", expected a finite decimal number (-1 if unknown)',
      meaning: 'A field holds something other than a finite decimal number.',
    });
  });

  it('finds repeated job numbers near and far, but not unknown ones', async () => {
    const jobs = [5, 4095, 4096, 9e15, -1, -1, 0, 8191, 4096, 9e15, 0, 13];
    const logText = `; MaxProcs: 4\n${jobs.map((job) => makeSwfLine({ job })).join('\n')}`;
    expect((await checkLogText(logText)).problems).toMatchObject([
      { rule: 'duplicate-job', count: 3, lines: [10, 11, 12], example: 'job 4096 again' },
      { rule: 'duplicate-record', count: 3, lines: [10, 11, 12], example: 'job 4096 again' },
    ]);
  });

  it('tells records that occur twice from runs of one job', async () => {
    const logLinesWithRepeatedRecords = [
      makeSwfLine({ job: 1, submit: 5, user: 2 }),
      makeSwfLine({ job: 1, submit: 5 }),
      makeSwfLine({ job: 1, submit: 9 }),
    ];
    const logText = `; MaxProcs: 4\n${[makeSwfLine({ job: 1, submit: 5 }), ...logLinesWithRepeatedRecords].join('\n')}`;
    expect((await checkLogText(logText)).problems).toMatchObject([
      { rule: 'duplicate-job', count: 3, lines: [3, 4, 5] },
      { rule: 'duplicate-record', count: 1, lines: [4] },
    ]);
  });

  it('finds more processors in use at once than the machine has', async () => {
    const makeJobLine = (jobNumber: number, submit: number, wait: number) =>
      makeSwfLine({ job: jobNumber, submit, wait, runtime: 10, processors: 3, requestedTime: -1 });
    // The second job starts as the first ends, the third while the second runs.
    const logText = (wait: number) =>
      `; MaxProcs: 4\n${[makeJobLine(1, 0, 0), makeJobLine(2, 5, 5), makeJobLine(3, 6, wait)].join('\n')}`;
    expect((await checkLogText(logText(14))).problems).toEqual([]);
    expect((await checkLogText(logText(13))).problems).toMatchObject([
      {
        rule: 'over-capacity',
        count: 1,
        lines: [4],
        example: '6 processors in use in second 19, when job 3 started, on a machine of 4',
      },
    ]);
  });

  it('finds runtimes that no simulation takes, which the simulation says too', async () => {
    const logText = `; MaxProcs: 4\n${[10, 1e20, 1e15].map((runtime, i) => makeSwfLine({ job: i + 1, runtime, requestedTime: -1 })).join('\n')}`;
    expect((await checkLogText(logText)).problems).toMatchObject([
      {
        rule: 'long-runtime',
        severity: 'error',
        lines: [3],
        example: 'job 2, runtime 100000000000000000000',
      },
    ]);
    const workload = makeWorkload(parseTrace(logText), { siteCount: 1 });
    expect(() => simulate(workload, makeGrid({ capacities: [4] }))).toThrow(
      /, job 2: with a runtime of 100000000000000000000 s its execution would take more than 1e15 seconds/,
    );
  });

  it('finds in real logs only what is known of them', async ({ skip }) => {
    const path = findTraceFilePath('KTH-SP2-1996-2.1-cln.swf.gz');
    if (path === undefined) return skip();
    const { readable, records, problems } = await checkTrace(path);
    expect([readable, records]).toEqual([true, 28_476]);
    expect(Object.fromEntries(problems.map(({ rule, count: problemCount }) => [rule, problemCount]))).toEqual(
      {
        'overrun-request': 475,
        'unknown-runtime': 8,
        'unknown-processors': 1,
        // 104 of 100 processors are in use in second 9,602,697.
        'over-capacity': 1,
        'max-jobs': 1,
      },
    );
  });
});
