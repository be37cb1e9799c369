/** Runs the programs on the library's pages and checks the output in their comments. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import * as library from '../../host/index.js';
import { runGridalloc } from '../runs/childProcess.js';
import { findCodeBlocksOfPage, makeProjectFolder, readTextOfPage, runPrograms } from './examples.js';

const EXPORT_NAMES = Object.keys(library);

function expectOutputAsDocumented(folder: string, programs: readonly string[]): void {
  for (const printedLines of runPrograms(folder, programs)) {
    expect(printedLines.map(({ line: printingLine, printedValue: found }) => [printingLine, found])).toEqual(
      printedLines.map(({ line: printingLine, expected }) => [printingLine, expected]),
    );
  }
}

test.each(['docs/library.md', 'docs/environment.md'])('%s', (page) => {
  // tests/docs/bundlers.test.ts runs the programs of a bundle, which name their files.
  const programs = findCodeBlocksOfPage(readTextOfPage(page), 'js').filter(
    (program) => !program.startsWith('// '),
  );
  expectOutputAsDocumented(makeProjectFolder(), programs);
});

test('docs/library-reference.md', async () => {
  const page = readTextOfPage('docs/library-reference.md');
  const [beginning, ...examples] = findCodeBlocksOfPage(page, 'js');
  const folder = makeProjectFolder();
  writeFileSync(join(folder, 'my.yaml'), findCodeBlocksOfPage(page, 'yaml')[0]);
  await runGridalloc(['simulate', 'lublin99[jobs=200]', '--out', join(folder, 'my-run')]);
  const importAndBeginningCode = `import { ${EXPORT_NAMES.join(', ')} } from 'gridalloc';\n${beginning}`;
  expectOutputAsDocumented(
    folder,
    examples.map((example) => importAndBeginningCode + example),
  );
});

test('every function has an example', () => {
  const page = readTextOfPage('docs/library-reference.md');
  const functions = EXPORT_NAMES.filter((name) => /^[a-z]/.test(name));
  const documentedCode = findCodeBlocksOfPage(page, 'js').join('\n');
  expect(functions.filter((name) => !documentedCode.includes(`${name}(`))).toEqual([]);
});

test('every export is in the reference', () => {
  const page = readTextOfPage('docs/library-reference.md');
  const isDocumented = (exportName: string) =>
    page.includes(`\n### ${exportName}\n`) || page.includes(`\n| \`${exportName}\` |`);
  expect(EXPORT_NAMES.filter((name) => !isDocumented(name))).toEqual([]);
});
