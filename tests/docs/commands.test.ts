import { execFileSync } from 'node:child_process';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { splitShellWords } from '../cli/runProgram.js';
import { runGridallocInFolder } from '../runs/childProcess.js';
import { findCodeBlocksOfPage, makeProjectFolder, readTextOfPage } from './examples.js';

/** Runs the commands of some pages and compares their output with that on the page. */

const repositoryRoot = fileURLToPath(new URL('../../', import.meta.url));

/** Pages for which one command with its output is enough. */
const PATHS_OF_ONE_COMMAND_PAGES = ['README.md', 'docs/internals/architecture.md'];

/** Characters that only a shell handles: several commands, or patterns of file names. */
const SHELL_SYNTAX_PATTERN = /[|&;*<>]/;

/**
 * Output of a command in a folder, without messages. It runs in this process unless it needs a
 * shell.
 */
async function runDocumentedCommand(command: string, folder: string): Promise<string> {
  const [name, ...words] = splitShellWords(command);
  if (name !== 'gridalloc' || SHELL_SYNTAX_PATTERN.test(command.replaceAll(/'[^']*'/g, '')))
    return runCommandInShell(command, folder);
  const { exitCode, stdout, stderr } = await runGridallocInFolder(folder, words);
  expect(exitCode, stderr).toBe(0);
  return stdout;
}

function runCommandInShell(command: string, folder: string): string {
  const program = `"${process.execPath}" "${join(repositoryRoot, 'dist/cli/main.js')}"`;
  return execFileSync('sh', ['-c', command.replace(/^gridalloc/, program)], {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, NO_COLOR: '1' },
  });
}

/** Commands in the console blocks of a page, each with the output below it. */
function findConsoleBlocks(page: string): { command: string; output: string[] }[] {
  return findCodeBlocksOfPage(page, 'console').flatMap((block) =>
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
  const commands = findConsoleBlocks(readTextOfPage(path));

  test.each(commands)('$command', async ({ command, output }) => {
    const printedText = (await runDocumentedCommand(command, folder)).trimEnd();
    const outputLines = printedText === '' ? [] : printedText.split('\n');
    // A final `...` stands for omitted lines.
    const isOutputShortened = output.at(-1) === '...';
    const documentedOutputLines = isOutputShortened ? output.slice(0, -1) : output;
    expect(isOutputShortened ? outputLines.slice(0, documentedOutputLines.length) : outputLines).toEqual(
      documentedOutputLines,
    );
  });

  test('has commands', () => {
    expect(commands.length).toBeGreaterThan(PATHS_OF_ONE_COMMAND_PAGES.includes(path) ? 0 : 3);
  });
});

test("the commands of docs/questions.md on logs of one's own", async () => {
  const folder = makeProjectFolder();
  await runDocumentedCommand('gridalloc trace convert traces/queues.swf log.swf.gz', folder);
  copyFileSync(join(repositoryRoot, 'traces/sacct.txt'), join(folder, 'jobs.txt'));
  const commands = [...readTextOfPage('docs/questions.md').matchAll(/^ {4}(gridalloc .*)$/gm)].map(
    ([, line]) => line,
  );
  // Studies of papers take minutes and are left out.
  const quickCommands = commands.filter((command) => !command.startsWith('gridalloc study'));
  expect(quickCommands.length).toBeGreaterThan(4);
  for (const command of quickCommands)
    await runDocumentedCommand(command.replace('--job 1234', '--job 1'), folder);
});
