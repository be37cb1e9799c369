/** The programs of a page, run; what they print is held against the comments behind what prints it. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '../temporaryFolder.js';

const root = fileURLToPath(new URL('../../', import.meta.url));

export const readPage = (path: string): string => readFileSync(join(root, path), 'utf8');

/** The text of the blocks of a language. */
export function blocksOf(page: string, language: string): string[] {
  const blocks = page.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'));
  return [...blocks].map(([, text]) => text);
}

/** A folder in which programs can import the package as built, with the logs that pages name. */
export function projectFolder(): string {
  const folder = temporaryFolder();
  symlinkSync(join(root, 'traces'), join(folder, 'traces'));
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(root, join(folder, 'node_modules/gridalloc'));
  return folder;
}

/**
 * Expected and actual output of a line of a program; several prints of one line are separated by `, then`.
 */
export interface Printed {
  readonly line: string;
  readonly expected: string;
  readonly found: string;
}

/** Runs programs alternately, and keeps what each line of each has printed. */
const RUNNER = `
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

const PRINT = /console\.log\(.*\); \/\/ (.*)$/;

/** Runs programs in a folder; an error is a line of its own. */
export function runPrograms(folder: string, programs: readonly string[]): Printed[][] {
  programs.forEach((text, i) => {
    writeFileSync(join(folder, `program${i}.mjs`), text);
  });
  writeFileSync(join(folder, 'runner.mjs'), RUNNER);
  const output = execFileSync(process.execPath, ['runner.mjs', String(programs.length)], {
    cwd: folder,
    encoding: 'utf8',
  });
  const printed = JSON.parse(output) as Record<string, string[]>[];
  return programs.map((text, i) => {
    const { error = [], ...byLine } = printed[i];
    const lines = text.split('\n').flatMap((line, at) => {
      const expected = PRINT.exec(line)?.[1] ?? '';
      const found = (byLine[at + 1] ?? []).join(', then ');
      return expected === '' && found === '' ? [] : [{ line: line.trim(), expected, found }];
    });
    return [...lines, ...error.map((found) => ({ line: '', expected: '', found }))];
  });
}
