import { readFileSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import { CoreRun } from '../../host/core/host.js';
import { runProgramInProcess } from '../cli/runProgram.js';

/**
 * Number of files that a reader opens to follow a simulation from the command line to the event loop of the
 * core.
 */

const MAX_LOADED_FILES = 8;
/** Files that only parse the command line; they have returned before the core is called. */
const COMMAND_LINE_PARSING_FILES = ['host/cli/catalogue.ts'];
/**
 * Files in the core on the call path: a function of each calls a function of the next, down to the
 * event loop.
 */
const CORE_CALL_PATH_FILES = ['assembly/index.ts', 'assembly/engine/run.ts'];

test('a simulation passes through few files from the command to the event loop', async () => {
  const stackTraceLimitBefore = Error.stackTraceLimit;
  Error.stackTraceLimit = 100;
  const callStacks: string[] = [];
  const { runUntil } = CoreRun.prototype;
  const runUntilSpy = vi.spyOn(CoreRun.prototype, 'runUntil').mockImplementation(function (
    this: CoreRun,
    ...input
  ) {
    callStacks.push(new Error().stack ?? '');
    return runUntil.apply(this, input);
  });
  try {
    const commandWords = ['simulate', 'lublin99[jobs=50]', '--sites', '64,128', '--policy', 'ai2'];
    expect(await runProgramInProcess(commandWords)).toMatchObject({ exitCode: 0 });
  } finally {
    runUntilSpy.mockRestore();
    Error.stackTraceLimit = stackTraceLimitBefore;
  }
  const fileMatches = callStacks[0].matchAll(/\/(host\/[\w/]+\.ts)/g);
  const filesOnCallPath = new Set([
    ...COMMAND_LINE_PARSING_FILES,
    ...[...fileMatches].map(([, path]) => path),
    'host/core/host.ts',
    ...CORE_CALL_PATH_FILES,
  ]);
  // The path includes the program, the command and the caller of the core.
  for (const path of ['cli/main.ts', 'cli/commands/simulate.ts', 'simulate/simulator.ts'])
    expect([...filesOnCallPath]).toContain(`host/${path}`);
  for (const fileOnCallPath of filesOnCallPath) expect(readFileSync(fileOnCallPath, 'utf8')).not.toBe('');
  expect(readFileSync(CORE_CALL_PATH_FILES[0], 'utf8')).toMatch(
    /import \* as events from '\.\/engine\/run';[\s\S]*events\.runUntil/,
  );
  expect(readFileSync(CORE_CALL_PATH_FILES[1], 'utf8')).toMatch(
    /export function runUntil[\s\S]*run<\w+>\([\s\S]*while \(true\)/,
  );
  expect([...filesOnCallPath].slice(MAX_LOADED_FILES)).toEqual([]);
});
