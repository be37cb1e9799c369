/**
 * Programs that run the examples: where they are installed, and the native library that some of
 * them load.
 */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { test } from 'vitest';

const repositoryRoot = fileURLToPath(new URL('../../', import.meta.url));

/** Folder of the example hosts. */
export const hostExamplesFolder = join(repositoryRoot, 'examples/hosts');

/** Runs a program to its end and returns its output. */
export const executeProgram = promisify(execFile);

/**
 * Path of a program among the packages of the examples or on the search path; undefined if it is
 * not installed.
 */
export function findProgram(program: string): string | undefined {
  const folders = [join(hostExamplesFolder, 'node_modules/.bin'), ...(process.env.PATH ?? '').split(':')];
  return folders.map((folder) => join(folder, program)).find((path) => existsSync(path));
}

/** Returns the programs that are not installed. */
export const findMissingPrograms = (...programs: string[]) =>
  programs.filter((program) => findProgram(program) === undefined);

/** Defines the test of a host, skipped if a program that it needs is missing. */
export function defineHostTest(
  hostName: string,
  missingPrograms: readonly string[],
  run: () => Promise<void>,
): void {
  const isSkipped = missingPrograms.length > 0 && process.env.CI === undefined;
  const title = isSkipped ? `${hostName} is skipped: there is no ${missingPrograms.join(', ')}` : hostName;
  test.skipIf(isSkipped)(title, run, 300_000);
}

/** Builds the native library with a compiler, once per set of options, and returns its path. */
export async function buildLibrary(compiler: string, options = ''): Promise<string> {
  const name = compiler === 'cc' ? 'native' : compiler;
  const outputFolder = join(repositoryRoot, 'build', `${name}${options.replaceAll(/[^a-z]+/g, '-')}`);
  const env = { ...process.env, CC: compiler, CFLAGS: options };
  await executeProgram(process.execPath, [join(repositoryRoot, 'scripts/native.mjs'), outputFolder], { env });
  return outputFolder;
}
