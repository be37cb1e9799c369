import { readFileSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import { CoreRun } from '../../host/core/host.js';
import { run } from '../cli/runProgram.js';

/**
 * Number of files that a reader opens to follow a simulation from the command line to the event loop of the core.
 */

const MAX_FILES = 8;
/** Files that only parse the command line; they have returned before the core is called. */
const PARSING_FILES = ['host/cli/catalogue.ts'];
/**
 * Files in the core on the call path: a function of each calls a function of the next, down to the
 * event loop.
 */
const CORE_PATH_FILES = ['assembly/index.ts', 'assembly/engine/run.ts'];

test('a simulation passes through few files from the command to the event loop', async () => {
  const before = Error.stackTraceLimit;
  Error.stackTraceLimit = 100;
  const stacks: string[] = [];
  const { runUntil } = CoreRun.prototype;
  const spy = vi.spyOn(CoreRun.prototype, 'runUntil').mockImplementation(function (this: CoreRun, ...input) {
    stacks.push(new Error().stack ?? '');
    return runUntil.apply(this, input);
  });
  try {
    const words = ['simulate', 'lublin99[jobs=50]', '--sites', '64,128', '--policy', 'ai2'];
    expect(await run(words)).toMatchObject({ code: 0 });
  } finally {
    spy.mockRestore();
    Error.stackTraceLimit = before;
  }
  const calling = stacks[0].matchAll(/\/(host\/[\w/]+\.ts)/g);
  const opened = new Set([
    ...PARSING_FILES,
    ...[...calling].map(([, path]) => path),
    'host/core/host.ts',
    ...CORE_PATH_FILES,
  ]);
  // The path includes the program, the command and the caller of the core.
  for (const path of ['cli/main.ts', 'cli/commands/simulate.ts', 'simulate/simulator.ts'])
    expect([...opened]).toContain(`host/${path}`);
  for (const path of opened) expect(readFileSync(path, 'utf8')).not.toBe('');
  expect(readFileSync(CORE_PATH_FILES[0], 'utf8')).toMatch(
    /import \* as events from '\.\/engine\/run';[\s\S]*events\.runUntil/,
  );
  expect(readFileSync(CORE_PATH_FILES[1], 'utf8')).toMatch(
    /export function runUntil[\s\S]*run<\w+>\([\s\S]*while \(true\)/,
  );
  expect([...opened].slice(MAX_FILES)).toEqual([]);
});
