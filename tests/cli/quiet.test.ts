import { join } from 'node:path';
import { expect, test } from 'vitest';
import { COMMANDS, isCommandGroup, loadCommand } from '../../host/cli/catalogue.js';
import { runGridalloc } from '../runs/childProcess.js';
import { makeTemporaryFolder } from '../temporaryFolder.js';

/**
 * Tests `--quiet` with every command that writes files: it hides messages, and together with
 * `--out` all printed text.
 */

const LOG = 'traces/queues.swf';
const folder = makeTemporaryFolder();
const pathInTestFolder = (fileName: string) => join(folder, fileName);

/** Arguments of each command that accepts `--out`. All run in one folder with results of `simulate`. */
const COMMANDS_WITH_OUT: Readonly<Record<string, readonly (readonly string[])[]>> = {
  simulate: [
    ['simulate', LOG, '--out', pathInTestFolder('run')],
    [
      'simulate',
      LOG,
      '--sites',
      '4,8',
      '--oversize',
      'drop',
      '--policy',
      'best-fit,fastest-first',
      '--out',
      pathInTestFolder('runs'),
    ],
    ['simulate', LOG, '--replications', '10', '--out', pathInTestFolder('replications')],
  ],
  compare: [
    ['compare', LOG, '--discipline', 'fcfs,easy', '--out', pathInTestFolder('compared')],
    [
      'compare',
      LOG,
      '--discipline',
      'fcfs,easy',
      '--replications',
      '10',
      '--out',
      pathInTestFolder('judged'),
    ],
  ],
  sweep: [['sweep', LOG, '--vary', 'load=1,2', '--out', pathInTestFolder('swept')]],
  explain: [['explain', pathInTestFolder('run'), '2', '--out', pathInTestFolder('why.html')]],
  validate: [
    ['validate', 'tests/validate/recordings/slurm-40-jobs.txt', '--out', pathInTestFolder('validated.html')],
  ],
  explore: [['explore', LOG, '--out', pathInTestFolder('page.html')]],
  diff: [['diff', pathInTestFolder('run'), pathInTestFolder('run'), '--out', pathInTestFolder('diff.html')]],
  bench: [
    [
      'bench',
      '--quick',
      '--policy',
      'best-fit',
      '--sites',
      '4',
      '--queue',
      '0',
      '--running',
      '10',
      '--out',
      pathInTestFolder('bench'),
    ],
  ],
  'study merge': [['study', 'merge', pathInTestFolder('swept')]],
  // Commands that take minutes or need another simulator are not run.
  'study run': [],
  conformance: [],
};

test('every command with --out is tested', async () => {
  const commandEntries = COMMANDS.flatMap((commandEntry) =>
    isCommandGroup(commandEntry) ? commandEntry.commands : [commandEntry],
  );
  const commands = await Promise.all(commandEntries.map(loadCommand));
  const commandNames = commands
    .filter(({ options }) => 'out' in options)
    .map(({ name: commandName }) => commandName);
  expect(commandNames.filter((commandName) => !(commandName in COMMANDS_WITH_OUT))).toEqual([]);
});

test.each(Object.values(COMMANDS_WITH_OUT).flat())('%s', async (...commandWords) => {
  const resultOfQuietCommand = await runGridalloc([...commandWords, '--quiet']);
  expect(resultOfQuietCommand).toEqual({ exitCode: 0, signal: null, stdout: '', stderr: '' });
});
