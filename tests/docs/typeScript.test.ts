import { readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, test } from 'vitest';
import * as library from '../../host/index.js';
import { findCodeBlocksOfPage, makeProjectFolder, readTextOfPage } from './examples.js';

/**
 * Programs of the documentation compile under `strict`, pasted into a TypeScript file; those that name a JavaScript file,
 * as that file.
 */

const repositoryRoot = fileURLToPath(new URL('../../', import.meta.url));
const PATHS_OF_PAGES = [
  'README.md',
  ...readdirSync(join(repositoryRoot, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md'))
    .map((path) => `docs/${path}`),
];
const LIBRARY_REFERENCE_PAGE = 'docs/library-reference.md';

/** Imports of AssemblyScript, which TypeScript does not compile, and of files that only bundlers can import. */
const FOREIGN_IMPORT_PATTERN = /^import .* from '(?:\.[^.']*|[^']*\.wasm(?:\?url)?)'/m;

/** Programs by the name of their file; those of the reference have the imports of its first one. */
function findProgramsOnPage(page: string): [string, string][] {
  const pageText = readTextOfPage(page);
  const [beginning = '', ...examples] = findCodeBlocksOfPage(pageText, 'js');
  const programs =
    page === LIBRARY_REFERENCE_PAGE
      ? examples.map(
          (example) =>
            `import { ${Object.keys(library).join(', ')} } from 'gridalloc';\n${beginning}${example}`,
        )
      : [...findCodeBlocksOfPage(pageText, 'js'), ...findCodeBlocksOfPage(pageText, 'ts')];
  const pageFileName = page.replaceAll(/\W/g, '-');
  return programs
    .filter((programText) => !FOREIGN_IMPORT_PATTERN.test(programText))
    .map((program, i) => [
      /^\/\/ (\S+\.m?js)\n/.exec(program)?.[1] ?? `${pageFileName}-${i + 1}.ts`,
      program,
    ]);
}

test('programs compile under strict', () => {
  const folder = makeProjectFolder();
  symlinkSync(join(repositoryRoot, 'node_modules/@types'), join(folder, 'node_modules/@types'));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  const programs = PATHS_OF_PAGES.flatMap(findProgramsOnPage);
  expect(programs.length).toBeGreaterThan(80);
  for (const [name, text] of programs) writeFileSync(join(folder, name), text);
  const program = ts.createProgram(
    programs.map(([name]) => join(folder, name)),
    {
      ...{ strict: true, skipLibCheck: true, noEmit: true, allowJs: true, checkJs: true, types: ['node'] },
      ...{ target: ts.ScriptTarget.ES2022, lib: ['lib.es2022.d.ts', 'lib.dom.d.ts'] },
      ...{ module: ts.ModuleKind.NodeNext, moduleDetection: ts.ModuleDetectionKind.Force },
    },
  );
  const compilerMessages = ts.getPreEmitDiagnostics(program).map(({ file, start, messageText }) => {
    const line = file === undefined ? 0 : file.getLineAndCharacterOfPosition(start ?? 0).line + 1;
    return `${file?.fileName.replace(`${folder}/`, '')}:${line} ${ts.flattenDiagnosticMessageText(messageText, ' ')}`;
  });
  expect(compilerMessages).toEqual([]);
}, 180_000);
