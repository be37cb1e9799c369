/**
 * A strict TypeScript program that imports the package must compile with the package's own types
 * alone, without those of Node.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { makeProjectFolder } from '../docs/examples.js';

const PROGRAM = `
import { readTrace, runStudy, type Summary, simulate, makeGrid, makeModelTrace, makeWorkload, writeTrace } from 'gridalloc';
import * as portable from 'gridalloc/portable';

const grid = makeGrid({ capacities: [128, 64] });
const workload = makeWorkload(makeModelTrace('lublin99[jobs=500]'), { siteCount: 2, capacities: grid.capacities });
const summary: Summary = simulate(workload, grid, { discipline: 'easy' }).summary;
export default [summary.makespan, readTrace, runStudy, writeTrace, portable.policies];
`;

test('strict, without the types of Node', () => {
  const folder = makeProjectFolder();
  const file = join(folder, 'program.mts');
  writeFileSync(file, PROGRAM);
  const program = ts.createProgram([file], {
    strict: true,
    exactOptionalPropertyTypes: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    types: [],
    // Declaration files of TypeScript itself are not checked.
    skipDefaultLibCheck: true,
    noEmit: true,
    // The package is linked here; packages outside its folder would not be in a user's project.
    preserveSymlinks: true,
  });
  const messages = ts
    .getPreEmitDiagnostics(program)
    .map(
      ({ file, messageText }) => `${file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`,
    );
  expect(messages).toEqual([]);
  // More packages are installed here than for users, so only runtime dependencies and their types
  // may be imported.
  const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as { dependencies: object };
  const packageFolder = 'node_modules/gridalloc/';
  const knownPaths = [
    'program.mts',
    `${packageFolder}dist/`,
    ...Object.keys(dependencies).map((dependencyName) => `${packageFolder}node_modules/${dependencyName}/`),
  ];
  const foreign = program
    .getSourceFiles()
    .filter((sourceFile) => !program.isSourceFileDefaultLibrary(sourceFile))
    .map(({ fileName }) => fileName.replace(`${folder}/`, ''))
    .filter((name) => !knownPaths.some((knownPath) => name.startsWith(knownPath)));
  expect(foreign).toEqual([]);
});
