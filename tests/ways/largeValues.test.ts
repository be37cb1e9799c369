import { expect, test } from 'vitest';
import { makeSwfRecord, runProgramInProcess } from '../cli/runProgram.js';
import { OPTION_SAMPLES } from './samples.js';

/** Values that are far too long or too large must be refused with a short message. */

const SMALL_LOG_TEXT = `; MaxProcs: 8\n${makeSwfRecord(1, 0, 10, 2, 1, 20)}\n`;
const TOO_LONG_TEXT_LENGTH = 40_000;

test.each(Object.keys(OPTION_SAMPLES))('--%s of 40 kB', async (name) => {
  const overlongExpression = `a+${'1+'.repeat(TOO_LONG_TEXT_LENGTH / 2)}!`;
  const { exitCode, stderr, stdout } = await runProgramInProcess(
    ['simulate', '-', `--${name}=${overlongExpression}`],
    {
      input: SMALL_LOG_TEXT,
    },
  );
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  expect(stderr.length).toBeLessThan(4000);
  expect(stderr.trim().split('\n')).toHaveLength(1);
});

test.each([
  ['--sites=2000000000', '--multi-site=larger-first'],
  ['--sites=1000000000,1000000000', '--multi-site=adaptive'],
  ['--sites=2000000000', '--discipline=easy', '--multi-site-factor=2'],
])('%s %s: more processors than memory has room for are named', async (...words) => {
  const { exitCode, stderr } = await runProgramInProcess(['simulate', '-', ...words], {
    input: SMALL_LOG_TEXT,
  });
  expect({ exitCode, stderr }).toEqual({
    exitCode: 2,
    stderr: expect.stringMatching(
      /1 job on 2,000,000,000 processors do(?:es)? not fit into the core's 4 GiB; .*fewer .*processors/,
    ),
  });
});
