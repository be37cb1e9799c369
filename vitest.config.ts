import { spawnSync } from 'node:child_process';
import { defineConfig } from 'vitest/config';
import { groupTestsByKind } from './tests/kinds.js';

/** Kinds whose tests leave nothing behind, so that a process may run one file after another. */
const SHARING = ['unit', 'cases', 'commands', 'programs'];

/** Kinds that come after all others. */
const LAST = ['times', 'pageTimes'];

/** What is tested; none outside a repository. */
const COMMIT =
  process.env.GRIDALLOC_COMMIT ??
  spawnSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' }).stdout?.trim() ??
  '';

/** What holds for the tests of each kind. */
const EACH = {
  setupFiles: ['tests/setup.ts'],
  testTimeout: 60_000,
  hookTimeout: 60_000,
  // Samples of cases differ from commit to commit (tests/cases.ts).
  env: { GRIDALLOC_COMMIT: COMMIT },
};

export default defineConfig(({ mode }) => ({
  test: {
    globalSetup: ['tests/globalSetup.ts'],
    // More than processors, since tests wait for the programs that they start.
    maxWorkers: '150%',
    // Projects that extended this file would each load it again, and each build what is tested.
    projects: Object.entries(groupTestsByKind())
      .filter(([, include]) => include.length > 0)
      .map(([name, include]) => ({
        // It says how many cases are tried (tests/cases.ts).
        mode,
        test: {
          ...EACH,
          name,
          include,
          isolate: !SHARING.includes(name),
          sequence: { groupOrder: Number(LAST.includes(name)) },
        },
      })),
  },
}));
