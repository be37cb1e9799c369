import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { describeJobEnd } from '../../host/cli/study/slurmRun.js';
import { temporaryFolder } from '../temporaryFolder.js';

/** Parses Slurm's log entries on the attempts of a job, and explains its last state. */
const BEGIN_ENTRY = 'job 17 begins on node1';
const ERROR_ENTRY = 'gridalloc: log.swf does not exist; check the path';
const INTERRUPT_ENTRY = 'interrupted; finished runs are in out';
const RESUME_ENTRY = 'shards/3-of-8 was in use by process 13521, which has ended; resuming from what it left';

test.each([
  ['failed', [BEGIN_ENTRY, ERROR_ENTRY], 'failed: log.swf does not exist; check the path'],
  ['failed', [BEGIN_ENTRY, RESUME_ENTRY], 'failed: it ended before it could report why'],
  ['failed', [BEGIN_ENTRY, ERROR_ENTRY, BEGIN_ENTRY], 'failed: it ended before it could report why'],
  ['failed', [BEGIN_ENTRY, RESUME_ENTRY, ERROR_ENTRY], 'failed: log.swf does not exist; check the path'],
  ['failed', [BEGIN_ENTRY, INTERRUPT_ENTRY], 'failed: interrupted; finished runs are in out'],
  [
    'failed',
    [BEGIN_ENTRY, INTERRUPT_ENTRY, BEGIN_ENTRY, RESUME_ENTRY],
    'failed: it ended before it could report why',
  ],
  ['completed', [BEGIN_ENTRY, RESUME_ENTRY], 'completed'],
  ['completed', [BEGIN_ENTRY, ERROR_ENTRY, BEGIN_ENTRY, 'the report is out/report.html'], 'completed'],
  ['not running', [BEGIN_ENTRY, ERROR_ENTRY], 'not running: log.swf does not exist; check the path'],
  ['not running', [BEGIN_ENTRY, ERROR_ENTRY, BEGIN_ENTRY, '3 of 9 simulations, 33 %'], 'not running'],
  ['node_fail', [BEGIN_ENTRY], 'node_fail'],
  ['failed', [], 'failed: it ended before it could report why'],
])('%s after %j: %s', (state, lines, message) => {
  const log = join(temporaryFolder(), 'shard-3.txt');
  writeFileSync(log, lines.map((line) => `${line}\n`).join(''));
  expect(describeJobEnd(log, state)).toBe(message);
});

test('without a log only the state is known', () => {
  expect(describeJobEnd(join(temporaryFolder(), 'none.txt'), 'timeout')).toBe('timeout');
});
