import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { COMMANDS, isCommandGroup, parseCommandLine } from '../../host/cli/catalogue.js';
import type { NamedCommand } from '../../host/cli/command.js';
import { runProgram } from '../../host/cli/main.js';
import { makeTemporaryFolder } from '../temporaryFolder.js';
import { runProgramInProcess } from './runProgram.js';

const commandEntries = COMMANDS.flatMap((commandEntry) =>
  isCommandGroup(commandEntry) ? commandEntry.commands : [commandEntry],
);
const commands: NamedCommand[] = await Promise.all(
  commandEntries.map(async ({ name: commandName, load }) => ({ ...(await load()), name: commandName })),
);

/** Splits a command line into words as a shell does; single quotes are understood. */
function splitShellWords(line: string): string[] {
  return (line.match(/(?:'[^']*'|[^\s'])+/g) ?? []).map((word) => word.replaceAll("'", ''));
}

describe.each(commands.map((command) => [command.name, command] as const))(
  'gridalloc %s --help',
  (name, command) => {
    test('shows usage, description, every option and every example', async () => {
      const { exitCode, stdout, stderr } = await runProgramInProcess([...name.split(' '), '--help']);
      expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
      expect(stdout).toMatch(new RegExp(`^gridalloc ${name} `));
      expect(stdout).not.toMatch(/\[string\]|\[boolean\]/);
      for (const option of Object.keys(command.options)) expect(stdout).toContain(`--${option} `);
      // Options within a group have no blank line between them.
      expect(stdout).not.toMatch(/\n\n {2}(?: {4}|-\w, )--/);
      for (const [example, meaningText] of command.examples)
        expect(stdout).toContain(`  ${example}\n      ${meaningText}`);
    });

    test('gives only examples that are accepted', async () => {
      expect(command.examples.length).toBeGreaterThan(0);
      for (const [example] of command.examples) {
        const gridallocCommand =
          example.split(/ \| | >>? /).find((commandPart) => commandPart.startsWith('gridalloc')) ?? '';
        const commandWords = splitShellWords(gridallocCommand).slice(1);
        const parsedCommand = parseCommandLine(commandWords).catch((error) => {
          // The example names a policy file of the user, which does not exist here.
          if (/mine\.m?js does not exist/.test(error.message)) return { command: { name } };
          throw error;
        });
        expect(await parsedCommand).toMatchObject({ command: { name } });
      }
    });
  },
);

test('the program lists its commands', async () => {
  const { exitCode, stdout } = await runProgramInProcess(['--help']);
  expect(exitCode).toBe(0);
  for (const { name: commandName, summary: commandSummary } of COMMANDS)
    expect(stdout).toMatch(new RegExp(`gridalloc ${commandName} +${commandSummary}`));
});

test('--version is that of the package', async () => {
  expect(await runProgramInProcess(['--version'])).toMatchObject({
    exitCode: 0,
    stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
  });
});

describe('completion', () => {
  const listCompletions = async (...typedWords: string[]) =>
    (await runProgramInProcess(['--complete', ...typedWords])).stdout.split('\n').slice(0, -1);

  test.each([
    [['sim'], ['simulate']],
    [['study', 'r'], ['run']],
    [['study', 'run', 'huang2007-t'], ['huang2007-table3']],
    [
      ['simulate', '--lo'],
      ['--load-machine', '--load'],
    ],
    [['simulate', 'log.swf', '--discipline', 'co'], ['conservative']],
    [['simulate', '--policy', 'fas'], ['fastest-first']],
    [['sweep', 'log.swf', '--metric', 'meanWait,p95W'], ['meanWait,p95Wait']],
    [['compare', 'log.swf', '--metric', 'meanW'], ['meanWait']],
    [['sweep', 'log.swf', '--vary', 'disc'], ['discipline=']],
    [['sweep', 'log.swf', '--vary', 'discipline=fcfs,ea'], ['discipline=fcfs,easy']],
    [['sweep', 'log.swf', '--vary', 'policy=worst'], ['policy=worst-fit']],
    [['simulate', 'log.swf', '--by', 'user,qu'], ['user,queue']],
    [['compare', 'log.swf', '--method', 'cons'], ['conservative']],
    [['compare', 'log.swf', '--method', 'easy,ord'], ['easy,order=']],
    [['metrics', 'meanW'], ['meanWait']],
    [['help', 'sim'], ['simulate']],
    [['help', 'study', 'm'], ['merge']],
    [['help', 'simulate', ''], []],
    [['simulate', '--load', '2', '--preset', 'h'], ['huang2007']],
    [
      ['completion', ''],
      ['bash', 'zsh', 'fish'],
    ],
    // Where a file name is possible, the program suggests nothing and the shell completes it.
    [['simulate', 'lo'], []],
    [['simulate', '--out', ''], []],
  ])('of %j', async (typedWords, expected) => {
    expect(await listCompletions(...typedWords)).toEqual(expected);
  });

  test('bash asks for it', () => {
    const folder = makeTemporaryFolder();
    const program = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
    writeFileSync(join(folder, 'gridalloc'), `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`, {
      mode: 0o755,
    });
    const script = `eval "$(gridalloc completion bash)"; COMP_LINE='@'; COMP_POINT=\${#COMP_LINE}; _gridalloc; echo "\${COMPREPLY[@]}"`;
    const env = { ...process.env, PATH: `${folder}:${process.env.PATH}` };
    const completedWords = (line: string) =>
      execFileSync('bash', ['-c', script.replace("COMP_LINE='@'", `COMP_LINE='${line}'`)], {
        env,
        encoding: 'utf8',
      });
    expect(completedWords('gridalloc simulate --disc')).toBe('--discipline\n');
    // bash splits a line at `=` and replaces only the last piece.
    expect(completedWords('gridalloc sweep log.swf --vary discipline=fcfs,ea')).toBe('fcfs,easy\n');
    expect(completedWords('gridalloc simulate --by user,qu')).toBe('user,queue\n');
  });

  test('the shell is that of the user, or the one that is named', async () => {
    expect((await runProgramInProcess(['completion'], { env: { SHELL: '/usr/bin/fish' } })).stdout).toContain(
      'complete -c gridalloc',
    );
    expect((await runProgramInProcess(['completion', 'zsh'])).stdout).toContain('#compdef gridalloc');
    expect(await runProgramInProcess(['completion', 'bsh'])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("did you mean 'bash'"),
    });
  });
});

test.each([
  [[], ['--help']],
  [['-h'], ['--help']],
  [['help'], ['--help']],
  [
    ['help', 'simulate'],
    ['simulate', '--help'],
  ],
  [
    ['help', 'trace'],
    ['trace', '--help'],
  ],
  [
    ['help', 'study', 'run'],
    ['study', 'run', '--help'],
  ],
  [['-V'], ['--version']],
  [
    ['policies', '-j', '-q'],
    ['policies', '--json', '--quiet'],
  ],
])('letters abbreviate options: %j', async (shortForm, longForm) => {
  expect(await runProgramInProcess(shortForm)).toEqual(await runProgramInProcess(longForm));
  expect((await runProgramInProcess(shortForm)).exitCode).toBe(0);
});

test.each(commands.map((command) => [command.name, command] as const))(
  'gridalloc %s -h fits a screen and says how to see all',
  async (name, command) => {
    const { exitCode, stdout, stderr } = await runProgramInProcess([...name.split(' '), '-h'], {
      columns: 80,
    });
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    const options = stdout.match(/^ +(?:-\w, )?--[\w-]+ /gm) ?? [];
    // Ten options, plus help and version.
    expect(options.length).toBeLessThanOrEqual(12);
    const isComplete = Object.keys(command.options).every((option) => stdout.includes(`--${option} `));
    expect(
      isComplete || /\n {2}gridalloc [\w ]+ --help\n? {2,}all \d+ options and more examples/.test(stdout),
    ).toBe(true);
    expect(stdout.split('\n').length).toBeLessThan(50);
  },
);

test('help for an unknown command names the nearest one', async () => {
  expect(await runProgramInProcess(['help', 'simulat'])).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining("unknown command 'simulat'; did you mean 'simulate'?"),
  });
});

test('metrics shows the metrics named, and the nearest to an unknown one', async () => {
  const { stdout } = await runProgramInProcess(['metrics', 'p95Wait', 'meanWait', '--json']);
  expect(JSON.parse(stdout).map(({ name }: { name: string }) => name)).toEqual(['meanWait', 'p95Wait']);
  for (const name of ['waitP95', 'p95-wait', 'p95_wait', 'Wait_p95', 'p95wait'])
    expect(await runProgramInProcess(['metrics', name])).toEqual({
      exitCode: 2,
      stdout: '',
      stderr: `gridalloc: unknown metric '${name}'; did you mean 'p95Wait'? See gridalloc metrics\n`,
    });
  const { stderr } = await runProgramInProcess(['metrics', 'wait']);
  expect(stderr).toMatch(
    /^gridalloc: unknown metric 'wait'; did you mean 'meanWait'(?: or '\w*[wW]ait'){3}\? See /,
  );
});

test.each([
  ['2d', '2d'],
  ['172800', '2d'],
  ['1h30m', '1h30m'],
  ['90', '1m30s'],
  ['59', '59'],
  ['.5m', '30'],
])('headings repeat a time of %s as %s', async (input, message) => {
  const line = ['simulate', 'lublin99[jobs=2000]', '--sites', '128', '--warm-up', input, '--cool-down', '1'];
  expect((await runProgramInProcess(line)).stdout).toContain(`warm up ${message}, cool down 1`);
});

test('with --json an error is a document too', async () => {
  const { exitCode, stdout, stderr } = await runProgramInProcess(['simulate', 'missing.swf', '--json']);
  const document = JSON.parse(stdout);
  expect(document).toMatchObject({ exitCode, error: expect.stringContaining('missing.swf') });
  expect(stderr).toBe(`gridalloc: ${document.error}\n`);
});

test('with --json the version is a document too', async () => {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  for (const commandWords of [
    ['--version', '--json'],
    ['--json', '-V'],
  ]) {
    expect(JSON.parse((await runProgramInProcess(commandWords)).stdout)).toMatchObject({
      gridalloc: version,
    });
  }
});

test.each([
  ['policies'],
  ['metrics'],
  ['study', 'list'],
  ['trace', 'formats'],
  ['trace', 'models'],
  ['trace', 'presets'],
])('gridalloc %s %s has lines of 80 characters, in a pipe too', async (...words) => {
  for (const columns of [80, undefined]) {
    let helpText = '';
    const stdout = Object.assign(
      new Writable({
        write: (chunk, _, finish) => {
          helpText += chunk;
          finish();
        },
      }),
      columns === undefined ? {} : { columns },
    );
    const signal = new AbortController().signal;
    const io = { stdin: Readable.from([]), stdout, stderr: stdout, env: {}, signal };
    expect(await runProgram(words, { ...io, withDefaultSignalHandling: async (action) => action() })).toBe(0);
    expect(helpText.split('\n').filter((line) => [...line].length > 80)).toEqual([]);
  }
});

test('metrics come as a list of 80 columns and as JSON', async () => {
  const { stdout } = await runProgramInProcess(['metrics'], { columns: 80 });
  expect(Math.max(...stdout.split('\n').map((line) => [...line].length))).toBeLessThanOrEqual(80);
  const documents: { name: string; formula: string }[] = JSON.parse(
    (await runProgramInProcess(['metrics', '--json'])).stdout,
  );
  for (const { name, formula } of documents) {
    expect(stdout).toContain(`${name}`);
    expect(formula).not.toBe('');
  }
  expect(documents.map(({ name }) => name)).toContain('p95Wait');
});

test('policies come as a table and as JSON, as the core declares them', async () => {
  expect((await runProgramInProcess(['policies'])).stdout).toMatch(/^ai, adaptive +count=prefix\|all +\S/m);
  const documents = JSON.parse((await runProgramInProcess(['policies', '--json'])).stdout);
  expect(documents[6]).toMatchObject({
    name: 'ti',
    aliases: [],
    parameters: [
      { name: 'sht', kind: 'number', default: 0.05 },
      { name: 'slt', kind: 'number', default: 2 },
    ],
    summary: expect.any(String),
  });
});

test('a simulation fits a terminal of 80 columns', async () => {
  const commandWords = ['simulate', 'lublin99[jobs=50]', '--sites', '64,64,128'];
  const { exitCode, stdout } = await runProgramInProcess(commandWords, { columns: 80 });
  expect(exitCode).toBe(0);
  expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
});
