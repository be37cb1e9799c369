import { execFileSync } from 'node:child_process';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { shellWords } from '../cli/runProgram.js';
import { runGridallocInFolder } from '../runs/childProcess.js';
import { codeBlocksOfPage, makeProjectFolder, readPage } from './examples.js';

/** Runs the commands of some pages and compares their output with that on the page. */

const repositoryRoot = fileURLToPath(new URL('../../', import.meta.url));

/** Pages for which one command with its output is enough. */
const PAGES_WITH_ONE_COMMAND = ['README.md', 'docs/internals/architecture.md'];

/** Characters that only a shell handles: several commands, or patterns of file names. */
const SHELL_SYNTAX = /[|&;*<>]/;

/**
 * Output of a command in a folder, without messages. It runs in this process unless it needs a
 * shell.
 */
async function outputOf(command: string, folder: string): Promise<string> {
  const [name, ...words] = shellWords(command);
  if (name !== 'gridalloc' || SHELL_SYNTAX.test(command.replaceAll(/'[^']*'/g, '')))
    return outputOfShell(command, folder);
  const { exitCode, stdout, stderr } = await runGridallocInFolder(folder, words);
  expect(exitCode, stderr).toBe(0);
  return stdout;
}

function outputOfShell(command: string, folder: string): string {
  const program = `"${process.execPath}" "${join(repositoryRoot, 'dist/cli/main.js')}"`;
  return execFileSync('sh', ['-c', command.replace(/^gridalloc/, program)], {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, NO_COLOR: '1' },
  });
}

/** Commands in the console blocks of a page, each with the output below it. */
function consoleBlocksOf(page: string): { command: string; output: string[] }[] {
  return codeBlocksOfPage(page, 'console').flatMap((block) =>
    block
      .split(/^\$ /m)
      .slice(1)
      .map((text) => {
        const [command, ...output] = text.trimEnd().split('\n');
        return { command, output };
      }),
  );
}

describe.each([
  'README.md',
  'docs/questions.md',
  'docs/internals/architecture.md',
  'docs/tutorial.md',
  'docs/what-if.md',
])('%s', (path) => {
  const folder = makeProjectFolder();
  const commands = consoleBlocksOf(readPage(path));

  test.each(commands)('$command', async ({ command, output }) => {
    const printedText = (await outputOf(command, folder)).trimEnd();
    const outputLines = printedText === '' ? [] : printedText.split('\n');
    // A final `...` stands for omitted lines.
    const isOutputShortened = output.at(-1) === '...';
    const expectedOutput = isOutputShortened ? output.slice(0, -1) : output;
    expect(isOutputShortened ? outputLines.slice(0, expectedOutput.length) : outputLines).toEqual(
      expectedOutput,
    );
  });

  test('has commands', () => {
    expect(commands.length).toBeGreaterThan(PAGES_WITH_ONE_COMMAND.includes(path) ? 0 : 3);
  });
});

test("the commands of docs/questions.md on logs of one's own", async () => {
  const folder = makeProjectFolder();
  await outputOf('gridalloc trace convert traces/queues.swf log.swf.gz', folder);
  copyFileSync(join(repositoryRoot, 'traces/sacct.txt'), join(folder, 'jobs.txt'));
  const commands = [...readPage('docs/questions.md').matchAll(/^ {4}(gridalloc .*)$/gm)].map(
    ([, line]) => line,
  );
  // Studies of papers take minutes and are left out.
  const quickCommands = commands.filter((command) => !command.startsWith('gridalloc study'));
  expect(quickCommands.length).toBeGreaterThan(4);
  for (const command of quickCommands) await outputOf(command.replace('--job 1234', '--job 1'), folder);
});
