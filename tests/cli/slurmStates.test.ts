import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { describeSlurmJobEnd } from '../../host/cli/study/slurmRun.js';
import { makeTemporaryFolder } from '../temporaryFolder.js';

/** Parses Slurm's log entries on the attempts of a job, and explains its last state. */
const JOB_BEGIN_LOG_LINE = 'job 17 begins on node1';
const ERROR_LOG_LINE = 'gridalloc: log.swf does not exist; check the path';
const INTERRUPT_LOG_LINE = 'interrupted; finished runs are in out';
const RESUME_LOG_LINE =
  'shards/3-of-8 was in use by process 13521, which has ended; resuming from what it left';

test.each([
  ['failed', [JOB_BEGIN_LOG_LINE, ERROR_LOG_LINE], 'failed: log.swf does not exist; check the path'],
  ['failed', [JOB_BEGIN_LOG_LINE, RESUME_LOG_LINE], 'failed: it ended before it could report why'],
  [
    'failed',
    [JOB_BEGIN_LOG_LINE, ERROR_LOG_LINE, JOB_BEGIN_LOG_LINE],
    'failed: it ended before it could report why',
  ],
  [
    'failed',
    [JOB_BEGIN_LOG_LINE, RESUME_LOG_LINE, ERROR_LOG_LINE],
    'failed: log.swf does not exist; check the path',
  ],
  ['failed', [JOB_BEGIN_LOG_LINE, INTERRUPT_LOG_LINE], 'failed: interrupted; finished runs are in out'],
  [
    'failed',
    [JOB_BEGIN_LOG_LINE, INTERRUPT_LOG_LINE, JOB_BEGIN_LOG_LINE, RESUME_LOG_LINE],
    'failed: it ended before it could report why',
  ],
  ['completed', [JOB_BEGIN_LOG_LINE, RESUME_LOG_LINE], 'completed'],
  [
    'completed',
    [JOB_BEGIN_LOG_LINE, ERROR_LOG_LINE, JOB_BEGIN_LOG_LINE, 'the report is out/report.html'],
    'completed',
  ],
  [
    'not running',
    [JOB_BEGIN_LOG_LINE, ERROR_LOG_LINE],
    'not running: log.swf does not exist; check the path',
  ],
  [
    'not running',
    [JOB_BEGIN_LOG_LINE, ERROR_LOG_LINE, JOB_BEGIN_LOG_LINE, '3 of 9 simulations, 33 %'],
    'not running',
  ],
  ['node_fail', [JOB_BEGIN_LOG_LINE], 'node_fail'],
  ['failed', [], 'failed: it ended before it could report why'],
])('%s after %j: %s', (state, lines, message) => {
  const logFile = join(makeTemporaryFolder(), 'shard-3.txt');
  writeFileSync(logFile, lines.map((line) => `${line}\n`).join(''));
  expect(describeSlurmJobEnd(logFile, state)).toBe(message);
});

test('without a log only the state is known', () => {
  expect(describeSlurmJobEnd(join(makeTemporaryFolder(), 'none.txt'), 'timeout')).toBe('timeout');
});
