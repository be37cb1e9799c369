/** Runs the programs on the library's pages and checks the output in their comments. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import * as library from '../../host/index.js';
import { runGridalloc } from '../runs/childProcess.js';
import { codeBlocksOfPage, makeProjectFolder, readPage, runPrograms } from './examples.js';

const NAMES = Object.keys(library);

function expectOutputAsDocumented(folder: string, programs: readonly string[]): void {
  for (const printedLines of runPrograms(folder, programs)) {
    expect(printedLines.map(({ line: printingLine, printedValue: found }) => [printingLine, found])).toEqual(
      printedLines.map(({ line: printingLine, expected }) => [printingLine, expected]),
    );
  }
}

test.each(['docs/library.md', 'docs/environment.md'])('%s', (page) => {
  // tests/docs/bundlers.test.ts runs the programs of a bundle, which name their files.
  const programs = codeBlocksOfPage(readPage(page), 'js').filter((program) => !program.startsWith('// '));
  expectOutputAsDocumented(makeProjectFolder(), programs);
});

test('docs/library-reference.md', async () => {
  const page = readPage('docs/library-reference.md');
  const [beginning, ...examples] = codeBlocksOfPage(page, 'js');
  const folder = makeProjectFolder();
  writeFileSync(join(folder, 'my.yaml'), codeBlocksOfPage(page, 'yaml')[0]);
  await runGridalloc(['simulate', 'lublin99[jobs=200]', '--out', join(folder, 'my-run')]);
  const importStatement = `import { ${NAMES.join(', ')} } from 'gridalloc';\n${beginning}`;
  expectOutputAsDocumented(
    folder,
    examples.map((example) => importStatement + example),
  );
});

test('every function has an example', () => {
  const page = readPage('docs/library-reference.md');
  const functions = NAMES.filter((name) => /^[a-z]/.test(name));
  const shownCode = codeBlocksOfPage(page, 'js').join('\n');
  expect(functions.filter((name) => !shownCode.includes(`${name}(`))).toEqual([]);
});

test('every export is in the reference', () => {
  const page = readPage('docs/library-reference.md');
  const isDocumented = (exportName: string) =>
    page.includes(`\n### ${exportName}\n`) || page.includes(`\n| \`${exportName}\` |`);
  expect(NAMES.filter((name) => !isDocumented(name))).toEqual([]);
});
