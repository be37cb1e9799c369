/**
 * Runs the programs on a page and compares what they print with the comments behind the printing
 * lines.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeTemporaryFolder } from '../temporaryFolder.js';

const repositoryRoot = fileURLToPath(new URL('../../', import.meta.url));

export const readTextOfPage = (path: string): string => readFileSync(join(repositoryRoot, path), 'utf8');

/** Texts of all code blocks in a language. */
export function findCodeBlocksOfPage(page: string, language: string): string[] {
  const blocks = page.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'));
  return [...blocks].map(([, text]) => text);
}

/**
 * Creates a folder in which programs can import the built package, with the logs that pages use.
 */
export function makeProjectFolder(): string {
  const folder = makeTemporaryFolder();
  symlinkSync(join(repositoryRoot, 'traces'), join(folder, 'traces'));
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(repositoryRoot, join(folder, 'node_modules/gridalloc'));
  return folder;
}

/**
 * Expected and actual output of one line of a program; several outputs of a line are separated by
 * `, then`.
 */
export interface PrintedAndExpectedValue {
  readonly line: string;
  readonly expected: string;
  readonly printedValue: string;
}

/** Program that runs others one after the other and records what each of their lines prints. */
const OUTPUT_RECORDING_PROGRAM = `
import { formatWithOptions } from 'node:util';
const printed = [];
let current;
console.log = (...values) => {
  const [, line] = /program\\d+\\.mjs:(\\d+)/.exec(new Error().stack);
  (current[line] ??= []).push(formatWithOptions({ breakLength: Infinity }, ...values));
};
for (let i = 0; i < Number(process.argv[2]); i++) {
  printed.push((current = {}));
  await import('./program' + i + '.mjs').catch((error) => { current.error = [String(error)]; });
}
process.stdout.write(JSON.stringify(printed));
process.exit();
`;

const PRINTING_LINE_PATTERN = /console\.log\(.*\); \/\/ (.*)$/;

/**
 * Runs programs in a folder and returns the outputs per line; an error is reported as an output.
 */
export function runPrograms(folder: string, programNames: readonly string[]): PrintedAndExpectedValue[][] {
  programNames.forEach((text, i) => {
    writeFileSync(join(folder, `program${i}.mjs`), text);
  });
  writeFileSync(join(folder, 'runner.mjs'), OUTPUT_RECORDING_PROGRAM);
  const programOutput = execFileSync(process.execPath, ['runner.mjs', String(programNames.length)], {
    cwd: folder,
    encoding: 'utf8',
  });
  const outputsByLineOfPrograms = JSON.parse(programOutput) as Record<string, string[]>[];
  return programNames.map((text, i) => {
    const { error = [], ...byLine } = outputsByLineOfPrograms[i];
    const lines = text.split('\n').flatMap((line, lineIndex) => {
      const expectedText = PRINTING_LINE_PATTERN.exec(line)?.[1] ?? '';
      const printedValue = (byLine[lineIndex + 1] ?? []).join(', then ');
      return expectedText === '' && printedValue === ''
        ? []
        : [{ line: line.trim(), expected: expectedText, printedValue }];
    });
    return [...lines, ...error.map((errorText) => ({ line: '', expected: '', printedValue: errorText }))];
  });
}
