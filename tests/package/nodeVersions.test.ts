import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { makeTemporaryFolder } from '../temporaryFolder.js';
import { copyPackagedProgram } from './packed.js';

/**
 * Runs the program and the library on all supported Node versions: output must be identical, and
 * standard error empty.
 */

const repositoryRoot = fileURLToPath(new URL('../../', import.meta.url));
/** Path of a Node version installed by `.ci/run`. */
const findPathOfNodeVersion = (version: number) =>
  join(repositoryRoot, `build/nodes/node_modules/node${version}/bin/node`);
const missingVersions = [22, 24].filter((version) => !existsSync(findPathOfNodeVersion(version)));
if (missingVersions.length > 0 && process.env.CI === undefined)
  console.warn(`skipped: there is no Node ${missingVersions.join(', ')} in build/nodes`);

/** Output of a program of Node, which must succeed and print nothing on standard error. */
function runAndReadOutput(node: string, ...commandWords: string[]): string {
  const { status, stdout, stderr } = spawnSync(node, commandWords, {
    cwd: repositoryRoot,
    encoding: 'utf8',
    env: { PATH: process.env.PATH },
  });
  expect({ words: commandWords, stderr, status }).toEqual({ words: commandWords, stderr: '', status: 0 });
  return stdout;
}

/**
 * Caches the output for given arguments, so that this Node's output is computed once for all
 * comparisons.
 */
function memoizeOutput(computeOutput: (...words: string[]) => string): (...words: string[]) => string {
  const cachedOutputByCommand = new Map<string, string>();
  return (...commandWords) => {
    const joinedCommandWords = commandWords.join('\n');
    const cachedResult = cachedOutputByCommand.get(joinedCommandWords) ?? computeOutput(...commandWords);
    cachedOutputByCommand.set(joinedCommandWords, cachedResult);
    return cachedResult;
  };
}

const runInThisNode = memoizeOutput((...commandWords) => runAndReadOutput(process.execPath, ...commandWords));

const PROGRAM_PATH = 'dist/cli/main.js';
const JOBS = [
  'lublin99[jobs=300]',
  '--sites',
  '128,64',
  '--speeds',
  '1,2',
  '--estimates',
  'exact',
  '--quiet',
];

/**
 * Prints "true" if a version of Node accepts the code cache beside a program, "undefined" if there is none.
 */
const checkCodeCacheUse = (node: string, program: string): string =>
  runAndReadOutput(
    node,
    '-p',
    `String(require(${JSON.stringify(program)}).readScript().script.cachedDataRejected)`,
  ).trim();

test.each([
  ['this', process.execPath],
  ...[22, 24]
    .filter((nodeVersion) => process.env.CI !== undefined || !missingVersions.includes(nodeVersion))
    .map((nodeVersion) => [String(nodeVersion), findPathOfNodeVersion(nodeVersion)] as [string, string]),
])('%s Node keeps what its first simulation has compiled, and uses it', (_, node) => {
  const program = join(copyPackagedProgram(), 'dist/cli/main.js');
  expect(checkCodeCacheUse(node, program)).toBe('undefined');
  const firstOutput = runAndReadOutput(node, program, 'simulate', ...JOBS);
  expect(checkCodeCacheUse(node, program)).toBe('false');
  expect(runAndReadOutput(node, program, 'simulate', ...JOBS)).toBe(firstOutput);
});

/** Results of a sweep with threads, by version of Node. */
const runSweepInNode = memoizeOutput((node) => {
  const resultFolder = join(makeTemporaryFolder(), 'swept');
  const sweep = ['sweep', ...JOBS, '--vary', 'load=1,2', '--replications', '3', '--threads', '2'];
  runAndReadOutput(node, PROGRAM_PATH, ...sweep, '--out', resultFolder);
  return readFileSync(join(resultFolder, 'results.csv'), 'utf8');
});

describe.each([22, 24])('Node %i', (version) => {
  const isSkipped = missingVersions.includes(version) && process.env.CI === undefined;
  const node = findPathOfNodeVersion(version);

  test.skipIf(isSkipped).each([
    ['simulate', ...JOBS, '--discipline', 'easy', '--json'],
    ['simulate', ...JOBS, '--policy', 'dynamic[every=50,candidates=best-fit+tai2]', '--json'],
    ['compare', ...JOBS, '--replications', '10', '--threads', '2', '--json'],
  ])('gridalloc %s %s gives the same bytes', (...words) => {
    expect(runAndReadOutput(node, PROGRAM_PATH, ...words)).toBe(runInThisNode(PROGRAM_PATH, ...words));
  });

  test.skipIf(isSkipped)('a sweep by threads writes the same results.csv', () => {
    expect(runSweepInNode(node)).toBe(runSweepInNode(process.execPath));
  });

  test.skipIf(isSkipped)('a policy in TypeScript needs no build and causes no warning', () => {
    const file = join(makeTemporaryFolder(), 'policy.ts');
    writeFileSync(file, 'export default (view: { bestFit: number }): number => view.bestFit;\n');
    const summaryWithOwnPolicy = JSON.parse(
      runAndReadOutput(node, PROGRAM_PATH, 'simulate', ...JOBS, '--policy', file, '--json'),
    );
    const summaryWithBestFit = JSON.parse(
      runAndReadOutput(node, PROGRAM_PATH, 'simulate', ...JOBS, '--policy', 'best-fit', '--json'),
    );
    expect(summaryWithOwnPolicy.meanWait).toBeGreaterThan(0);
    expect(summaryWithOwnPolicy.meanWait).toBe(summaryWithBestFit.meanWait);
  });

  test.skipIf(isSkipped)('the library is imported, and required too', () => {
    const exportNamesProgram = 'Object.keys(library).sort().join()';
    const importedExportNames = runAndReadOutput(
      node,
      '--input-type=module',
      '-e',
      `import * as library from 'gridalloc'; console.log(${exportNamesProgram})`,
    );
    expect(importedExportNames.split(',').length).toBeGreaterThan(50);
    const requiredExportNames = runAndReadOutput(
      node,
      '-e',
      `const { ...library } = require('gridalloc'); console.log(${exportNamesProgram})`,
    );
    expect(requiredExportNames.replace(/(^|,)(?:__esModule|module\.exports)(?=,)/g, '')).toBe(
      importedExportNames,
    );
  });
});
