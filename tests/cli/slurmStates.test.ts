import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { endOfQueuedJob } from '../../host/cli/study/slurmRun.js';
import { temporaryFolder } from '../temporaryFolder.js';

/** Parses Slurm's log entries on the attempts of a job, and explains its last state. */
const BEGINS = 'job 17 begins on node1';
const FAILED = 'gridalloc: log.swf does not exist; check the path';
const INTERRUPTED = 'interrupted; finished runs are in out';
const GOING_ON = 'shards/3-of-8 was in use by process 13521, which has ended; resuming from what it left';

test.each([
  ['failed', [BEGINS, FAILED], 'failed: log.swf does not exist; check the path'],
  ['failed', [BEGINS, GOING_ON], 'failed: it ended before it could report why'],
  ['failed', [BEGINS, FAILED, BEGINS], 'failed: it ended before it could report why'],
  ['failed', [BEGINS, GOING_ON, FAILED], 'failed: log.swf does not exist; check the path'],
  ['failed', [BEGINS, INTERRUPTED], 'failed: interrupted; finished runs are in out'],
  ['failed', [BEGINS, INTERRUPTED, BEGINS, GOING_ON], 'failed: it ended before it could report why'],
  ['completed', [BEGINS, GOING_ON], 'completed'],
  ['completed', [BEGINS, FAILED, BEGINS, 'the report is out/report.html'], 'completed'],
  ['not running', [BEGINS, FAILED], 'not running: log.swf does not exist; check the path'],
  ['not running', [BEGINS, FAILED, BEGINS, '3 of 9 simulations, 33 %'], 'not running'],
  ['node_fail', [BEGINS], 'node_fail'],
  ['failed', [], 'failed: it ended before it could report why'],
])('%s after %j: %s', (state, lines, message) => {
  const log = join(temporaryFolder(), 'shard-3.txt');
  writeFileSync(log, lines.map((line) => `${line}\n`).join(''));
  expect(endOfQueuedJob(log, state)).toBe(message);
});

test('without a log only the state is known', () => {
  expect(endOfQueuedJob(join(temporaryFolder(), 'none.txt'), 'timeout')).toBe('timeout');
});
