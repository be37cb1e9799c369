import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, test } from 'vitest';

/** Limits the length of files, functions and lines, and requires unique file names and comments in place. */

const repositoryRoot = fileURLToPath(new URL('../../', import.meta.url));

const MAX_FILE_LINES = 600;
/** Maximum number of lines of a function, from its first word to its closing brace. */
const MAX_FUNCTION_LINES = 60;
/** Maximum line length of the core in characters; its formatter breaks no lines. */
const MAX_CORE_LINE_LENGTH = 110;
/**
 * A policy's declaration must be a single string literal, since concatenated parts would be joined
 * again at every call.
 */
const DECLARATION_RETURN_LINE = /^\s*return '[^']*';$/;

function readSourceFiles(folder: string): { path: string; lines: string[] }[] {
  return readdirSync(join(repositoryRoot, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.(?:ts|mjs)$/.test(path) && !path.endsWith('.d.ts'))
    .map((path) => ({
      path: join(folder, path),
      lines: readFileSync(join(repositoryRoot, folder, path), 'utf8')
        .trimEnd()
        .split('\n'),
    }));
}

const allSourceFiles = ['assembly', 'host', 'web', 'scripts'].flatMap(readSourceFiles);

/**
 * Functions with a body in a file: their names, preceded by the file, and their numbers of lines.
 */
function measureFunctionsOfFile({
  path: filePath,
  lines: sourceLines,
}: (typeof allSourceFiles)[number]): { name: string; length: number }[] {
  const file = ts.createSourceFile(filePath, sourceLines.join('\n'), ts.ScriptTarget.Latest, true);
  const findLineAtPosition = (position: number) => file.getLineAndCharacterOfPosition(position).line;
  const functionsWithLength: { name: string; length: number }[] = [];
  const visitNode = (node: ts.Node) => {
    if (ts.isFunctionLike(node) && 'body' in node && node.body !== undefined) {
      const declarationName =
        node.name ?? (ts.isVariableDeclaration(node.parent) ? node.parent.name : undefined);
      const name = `${filePath} ${declarationName?.getText() ?? `line ${findLineAtPosition(node.getStart()) + 1}`}`;
      functionsWithLength.push({
        name,
        length: findLineAtPosition(node.end) - findLineAtPosition(node.getStart()) + 1,
      });
    }
    ts.forEachChild(node, visitNode);
  };
  visitNode(file);
  return functionsWithLength;
}

test('no file is too long', () => {
  const longFiles = allSourceFiles.filter(({ lines: sourceLines }) => sourceLines.length > MAX_FILE_LINES);
  expect(
    longFiles.map(({ path: filePath, lines: sourceLines }) => `${filePath}: ${sourceLines.length} lines`),
  ).toEqual([]);
});

test('no function is too long', () => {
  const functions = allSourceFiles.flatMap(measureFunctionsOfFile);
  expect(functions.length).toBeGreaterThan(3 * allSourceFiles.length);
  const longFiles = functions.filter(({ length }) => length > MAX_FUNCTION_LINES);
  expect(longFiles.map(({ name: longFileName, length }) => `${longFileName}: ${length} lines`)).toEqual([]);
});

test('every comment stands before the declaration that it describes, not before another comment', () => {
  const displacedComments = [...allSourceFiles, ...['tests', 'bench'].flatMap(readSourceFiles)].flatMap(
    ({ path: filePath, lines: sourceLines }) =>
      sourceLines.flatMap((line, index) =>
        line.trimEnd().endsWith('*/') && (sourceLines[index + 1] ?? '').trimStart().startsWith('/**')
          ? [`${filePath}:${index + 1}`]
          : [],
      ),
  );
  expect(displacedComments).toEqual([]);
});

/**
 * Folders in which every file name must be unique, each with an exempt subfolder (commands are
 * named as a user types them).
 */
const FOLDERS_WITH_UNIQUE_NAMES = [
  ['assembly', ''],
  ['host', 'host/cli/commands/'],
  ['web/explorer', ''],
] as const;

test.each(FOLDERS_WITH_UNIQUE_NAMES)('in %s no two files have the same name', (folder, exceptFolder) => {
  const paths = readSourceFiles(folder)
    .map(({ path: filePath }) => filePath)
    .filter((path) => exceptFolder === '' || !path.startsWith(exceptFolder));
  const duplicatedPaths = paths.filter(
    (path, i) => paths.findIndex((otherPath) => basename(otherPath) === basename(path)) < i,
  );
  expect(paths.length).toBeGreaterThan(10);
  expect(duplicatedPaths).toEqual([]);
});

test('no line of the core is too long', () => {
  const longFiles = readSourceFiles('assembly').flatMap(({ path: filePath, lines: sourceLines }) =>
    sourceLines
      .map((sourceLine, index) => ({ where: `${filePath}:${index + 1}`, line: sourceLine }))
      .filter(({ line }) => line.length > MAX_CORE_LINE_LENGTH && !DECLARATION_RETURN_LINE.test(line)),
  );
  expect(
    longFiles.map(({ where, line: longFileLine }) => `${where}: ${longFileLine.length} columns`),
  ).toEqual([]);
});
