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
const fileOf = (version: number) => join(repositoryRoot, `build/nodes/node_modules/node${version}/bin/node`);
const missingVersions = [22, 24].filter((version) => !existsSync(fileOf(version)));
if (missingVersions.length > 0 && process.env.CI === undefined)
  console.warn(`skipped: there is no Node ${missingVersions.join(', ')} in build/nodes`);

/** Output of a program of Node, which must succeed and print nothing on standard error. */
function printedBy(node: string, ...commandWords: string[]): string {
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
function memoizeRead(readResult: (...words: string[]) => string): (...words: string[]) => string {
  const outputByCommand = new Map<string, string>();
  return (...commandWords) => {
    const commandText = commandWords.join('\n');
    const cachedResult = outputByCommand.get(commandText) ?? readResult(...commandWords);
    outputByCommand.set(commandText, cachedResult);
    return cachedResult;
  };
}

const printedByThisNode = memoizeRead((...commandWords) => printedBy(process.execPath, ...commandWords));

const PROGRAM = 'dist/cli/main.js';
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
const acceptsCodeCache = (node: string, program: string): string =>
  printedBy(
    node,
    '-p',
    `String(require(${JSON.stringify(program)}).readScript().script.cachedDataRejected)`,
  ).trim();

test.each([
  ['this', process.execPath],
  ...[22, 24]
    .filter((nodeVersion) => process.env.CI !== undefined || !missingVersions.includes(nodeVersion))
    .map((nodeVersion) => [String(nodeVersion), fileOf(nodeVersion)] as [string, string]),
])('%s Node keeps what its first simulation has compiled, and uses it', (_, node) => {
  const program = join(copyPackagedProgram(), 'dist/cli/main.js');
  expect(acceptsCodeCache(node, program)).toBe('undefined');
  const firstOutput = printedBy(node, program, 'simulate', ...JOBS);
  expect(acceptsCodeCache(node, program)).toBe('false');
  expect(printedBy(node, program, 'simulate', ...JOBS)).toBe(firstOutput);
});

/** Results of a sweep with threads, by version of Node. */
const sweepResultsBy = memoizeRead((node) => {
  const resultFolder = join(makeTemporaryFolder(), 'swept');
  const sweep = ['sweep', ...JOBS, '--vary', 'load=1,2', '--replications', '3', '--threads', '2'];
  printedBy(node, PROGRAM, ...sweep, '--out', resultFolder);
  return readFileSync(join(resultFolder, 'results.csv'), 'utf8');
});

describe.each([22, 24])('Node %i', (version) => {
  const isSkipped = missingVersions.includes(version) && process.env.CI === undefined;
  const node = fileOf(version);

  test.skipIf(isSkipped).each([
    ['simulate', ...JOBS, '--discipline', 'easy', '--json'],
    ['simulate', ...JOBS, '--policy', 'dynamic[every=50,candidates=best-fit+tai2]', '--json'],
    ['compare', ...JOBS, '--replications', '10', '--threads', '2', '--json'],
  ])('gridalloc %s %s gives the same bytes', (...words) => {
    expect(printedBy(node, PROGRAM, ...words)).toBe(printedByThisNode(PROGRAM, ...words));
  });

  test.skipIf(isSkipped)('a sweep by threads writes the same results.csv', () => {
    expect(sweepResultsBy(node)).toBe(sweepResultsBy(process.execPath));
  });

  test.skipIf(isSkipped)('a policy in TypeScript needs no build and causes no warning', () => {
    const file = join(makeTemporaryFolder(), 'policy.ts');
    writeFileSync(file, 'export default (view: { bestFit: number }): number => view.bestFit;\n');
    const summaryOfOwnPolicy = JSON.parse(
      printedBy(node, PROGRAM, 'simulate', ...JOBS, '--policy', file, '--json'),
    );
    const printedResult = JSON.parse(
      printedBy(node, PROGRAM, 'simulate', ...JOBS, '--policy', 'best-fit', '--json'),
    );
    expect(summaryOfOwnPolicy.meanWait).toBeGreaterThan(0);
    expect(summaryOfOwnPolicy.meanWait).toBe(printedResult.meanWait);
  });

  test.skipIf(isSkipped)('the library is imported, and required too', () => {
    const exportNamesProgram = 'Object.keys(library).sort().join()';
    const importedPath = printedBy(
      node,
      '--input-type=module',
      '-e',
      `import * as library from 'gridalloc'; console.log(${exportNamesProgram})`,
    );
    expect(importedPath.split(',').length).toBeGreaterThan(50);
    const requiredKeysText = printedBy(
      node,
      '-e',
      `const { ...library } = require('gridalloc'); console.log(${exportNamesProgram})`,
    );
    expect(requiredKeysText.replace(/(^|,)(?:__esModule|module\.exports)(?=,)/g, '')).toBe(importedPath);
  });
});
