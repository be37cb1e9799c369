import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runGridalloc } from '../runs/childProcess.js';
import { makeTemporaryFolder } from '../temporaryFolder.js';

/**
 * Messages must name a job as its log does, such as array tasks by array and task, in every format
 * with such names.
 */

const LOGS_BY_FORMAT: Readonly<Record<string, { readonly text: string; readonly names: readonly string[] }>> =
  {
    sacct: {
      text: [
        'JobID|JobIDRaw|User|Submit|Start|End|ElapsedRaw|AllocCPUS|State|TimelimitRaw',
        '400121_28|400149|ann|1772000000|1772000000|1772000060|60|64|COMPLETED|5',
        '400121_29|400150|ann|1772000001|1772000001|1772000061|60|64|COMPLETED|5',
      ].join('\n'),
      names: ['400121_28', '400121_29'],
    },
    'grid-engine': {
      text: ['1', '2']
        .map(
          (task) =>
            `all.q:n:g:ann:a:25:sge:0:1772000000:177200000${task}:1772000060:0:0:60:1:1:1:0:0:0:0:1:0:0:0:0:0:0:0:0:0:NONE:d:NONE:64:${task}:1:0:0:-l h_rt=300:0:NONE:0:0:0`,
        )
        .join('\n'),
      names: ['25.1', '25.2'],
    },
  };

/** Internal numbers of array tasks, which must never be shown. */
const INTERNAL_NUMBER_PATTERN = /\b1000000000\d{3}\b/;

describe.each(Object.entries(LOGS_BY_FORMAT))('%s', (format, { text, names }) => {
  const folder = makeTemporaryFolder();
  const logFile = join(folder, 'log.txt');
  writeFileSync(logFile, `${text}\n`);
  const writePolicyFile = (fileName: string, codeText: string) => {
    writeFileSync(join(folder, fileName), codeText);
    return join(folder, fileName);
  };
  const [firstName] = names;

  test.each([
    [
      'jobs that are too large',
      ['compare', logFile, '--sites', '32'],
      `2 jobs (${names.join(', ')}) are too large`,
    ],
    [
      'a key of an order that is no number',
      ['simulate', logFile, '--sites', '64', '--order', 'wait / 0'],
      `job ${firstName}, submitted at 0: the order`,
    ],
    [
      'an order function that fails',
      [
        'simulate',
        logFile,
        '--sites',
        '64',
        '--order',
        writePolicyFile('order.js', 'export default () => { throw new Error("no") };'),
      ],
      `job ${firstName}, submitted at 0: the order`,
    ],
    [
      'a policy that names no site',
      [
        'simulate',
        logFile,
        '--sites',
        '64,64',
        '--policy',
        writePolicyFile('site.js', 'export default () => 99;'),
      ],
      `job ${firstName} at time 0: the policy`,
    ],
    [
      'a policy that fails',
      [
        'simulate',
        logFile,
        '--sites',
        '64,64',
        '--policy',
        writePolicyFile('throws.js', 'export default () => { throw new Error("no") };'),
      ],
      `job ${firstName} at time 0: the policy`,
    ],
    [
      'a policy that does not return',
      [
        ...['simulate', logFile, '--sites', '64,64', '--policy-timeout', '1'],
        ...['--policy', writePolicyFile('loops.js', 'export default () => { for (;;); };')],
      ],
      `job ${firstName} at time 0`,
    ],
  ])('%s', async (_, commandWords, message) => {
    const { exitCode: status, stderr: stderrText } = await runGridalloc([
      ...commandWords,
      '--format',
      format,
    ]);
    expect({ status: status === 0, err: stderrText }).toEqual({
      status: false,
      err: expect.stringContaining(message),
    });
    expect(stderrText).not.toMatch(INTERNAL_NUMBER_PATTERN);
  });

  test('tables, explanations and folders', async () => {
    const resultFolder = join(folder, 'out');
    const explainWords = ['explain', resultFolder, firstName!];
    for (const commandWords of [
      ['simulate', logFile, '--sites', '64', '--out', resultFolder],
      ['jobs', resultFolder],
      ['diff', resultFolder, resultFolder],
      explainWords,
      ['jobs', logFile],
    ]) {
      const { exitCode: status, stdout: printedText, stderr: stderrText } = await runGridalloc(commandWords);
      expect({
        words: commandWords[0],
        status,
        err: INTERNAL_NUMBER_PATTERN.test(stderrText) || INTERNAL_NUMBER_PATTERN.test(printedText),
      }).toEqual({
        words: commandWords[0],
        status: 0,
        err: false,
      });
    }
    expect((await runGridalloc(['jobs', logFile])).stdout).toContain(firstName);
  });
});
