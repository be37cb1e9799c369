import { readFileSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import { CoreRun } from '../../host/core/host.js';
import { run } from '../cli/runProgram.js';

/** How many files one opens who follows a simulation from the command line to the event loop of the core. */

const MOST_FILES = 8;
/** The program's entry, which runs in a process alone, and what takes the words apart before the command is called. */
const BEFORE = ['cli/main.ts', 'cli/catalogue.ts', 'cli/command.ts'];

test('from the command to the event loop there are few files', async () => {
  const before = Error.stackTraceLimit;
  Error.stackTraceLimit = 100;
  const stacks: string[] = [];
  const { runUntil } = CoreRun.prototype;
  const spy = vi.spyOn(CoreRun.prototype, 'runUntil').mockImplementation(function (this: CoreRun, ...given) {
    stacks.push(new Error().stack ?? '');
    return runUntil.apply(this, given);
  });
  try {
    const words = ['simulate', 'lublin99[jobs=50]', '--sites', '64,128', '--policy', 'ai2'];
    expect(await run(words)).toMatchObject({ code: 0 });
  } finally {
    spy.mockRestore();
    Error.stackTraceLimit = before;
  }
  const calling = stacks[0].matchAll(/\/host\/([\w/]+\.ts)/g);
  const opened = new Set([...BEFORE, ...[...calling].map(([, path]) => path), 'core/host.ts']);
  // The path is whole: from the program to the command, and from there to the core.
  for (const path of ['cli/program.ts', 'cli/commands/simulate.ts', 'simulate/simulator.ts'])
    expect([...opened]).toContain(path);
  for (const path of opened) expect(readFileSync(`host/${path}`, 'utf8')).not.toBe('');
  expect([...opened].slice(MOST_FILES)).toEqual([]);
});
