import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { COMMANDS, isCommandGroup } from '../../host/cli/catalogue.js';
import { chooseNumberByCommit, doesRunAllCases, sampleTestCases } from '../cases.js';
import { TINY_OPTIONS, writeLogFile } from '../cli/runProgram.js';
import { makeTemporaryFolder } from '../temporaryFolder.js';
import { readFilesWithoutJournal, runGridalloc, writeStudyFile } from './childProcess.js';

/**
 * A command that writes files may be killed at any stage: the same command must then succeed and
 * leave the same files as if never killed.
 */

const PROGRAM_PATH = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
const KILLER_SCRIPT = new URL('killedAt.mjs', import.meta.url).href;
/** Maximum number of stages at which a command is killed. */
const MAX_KILL_STAGE_COUNT = doesRunAllCases ? 12 : 1;

const folder = makeTemporaryFolder();
const logFile = writeLogFile();
const policyCodeFile = join(folder, 'choose.mjs');
writeFileSync(policyCodeFile, 'export default (view) => view.bestFit;\n');
const STUDY_TEXT = `
title: Small
simulate: { workload: 'lublin99[jobs=50]', sites: 128, policy: '{policy}' }
axes: { policy: [best-fit, fastest-first] }
measures: { art: { metric: averageResponseTime } }
tables: { art: { title: Response times, measures: art, rows: policy } }
figures: { art: { title: Response times, measure: art, x: policy } }
`;
const SIMULATION_COMMAND_WORDS = ['simulate', logFile, ...TINY_OPTIONS];

/**
 * A command that writes results: its words for an output path, and the preparation of that path.
 */
interface WritingCommandCase {
  readonly command: string;
  readonly words: (resultFolder: string) => readonly string[];
  readonly prepare?: (resultFolder: string) => Promise<unknown>;
  /** Name of the output file inside a folder of its own; absent if the output is a folder. */
  readonly file?: string;
  /** True if only file names are compared, since the contents include measured times. */
  readonly isTimed?: boolean;
}

const simulateInto = (resultFolder: string) =>
  runGridalloc([...SIMULATION_COMMAND_WORDS, '--out', resultFolder]);
const [firstRunFolder, secondRunFolder] = [join(folder, 'one'), join(folder, 'other')];

const WRITING_COMMAND_CASES: readonly WritingCommandCase[] = [
  {
    command: 'simulate',
    words: (resultFolder) => [...SIMULATION_COMMAND_WORDS, '--out', resultFolder, '--parquet'],
  },
  {
    command: 'simulate',
    words: (resultFolder) => [...SIMULATION_COMMAND_WORDS, '--policy', policyCodeFile, '--out', resultFolder],
  },
  {
    command: 'simulate',
    words: (resultFolder) => [
      ...SIMULATION_COMMAND_WORDS,
      '--discipline',
      'easy',
      '--estimates',
      'exact',
      '--out',
      resultFolder,
    ],
    prepare: async (resultFolder) => {
      await simulateInto(resultFolder);
      await runGridalloc(['report', resultFolder]);
    },
  },
  {
    command: 'simulate',
    words: (resultFolder) => [
      ...SIMULATION_COMMAND_WORDS,
      '--policy',
      'best-fit,fastest-first',
      '--out',
      resultFolder,
    ],
  },
  { command: 'report', words: (resultFolder) => ['report', resultFolder], prepare: simulateInto },
  {
    command: 'diff',
    words: (resultFolder) => ['diff', firstRunFolder, secondRunFolder, '--out', resultFolder],
    file: 'difference.html',
  },
  {
    command: 'explain',
    words: (resultFolder) => ['explain', firstRunFolder, '--longest', '1', '--out', resultFolder],
    file: 'why.html',
  },
  {
    command: 'validate',
    words: (resultFolder) => [
      'validate',
      'tests/validate/recordings/slurm-40-jobs.txt',
      '--out',
      resultFolder,
    ],
    file: 'validated.html',
  },
  {
    command: 'study run',
    words: (resultFolder) => ['study', 'run', writeStudyFile(folder, STUDY_TEXT), '--out', resultFolder],
  },
  {
    command: 'sweep',
    words: (resultFolder) => [
      'sweep',
      logFile,
      ...TINY_OPTIONS,
      '--vary',
      'policy=best-fit,fastest-first',
      '--out',
      resultFolder,
    ],
  },
  { command: 'explore', words: (resultFolder) => ['explore', logFile, '--out', resultFolder] },
  {
    command: 'explore',
    words: (resultFolder) => ['explore', logFile, '--out', resultFolder],
    file: 'page.html',
  },
  {
    command: 'trace convert',
    words: (resultFolder) => ['trace', 'convert', logFile, resultFolder],
    file: 'log.swf.gz',
  },
  {
    command: 'trace generate',
    words: (resultFolder) => ['trace', 'generate', 'lublin99[jobs=9]', resultFolder],
    file: 'log.swf',
  },
  {
    command: 'bench',
    words: (resultFolder) => [
      'bench',
      '--quick',
      '--policy',
      'best-fit',
      '--sites',
      '5',
      '--queue',
      '0',
      '--out',
      resultFolder,
    ],
    isTimed: true,
  },
];

/**
 * Commands with result folders that are killed by other tests, or consist of commands killed here.
 */
const COMMANDS_TESTED_ELSEWHERE = ['compare', 'study merge'];

function startKillableCommand(
  commandWords: readonly string[],
  env: Record<string, string>,
): Promise<{ exitCode: number; stderr: string }> {
  return new Promise((resolve) => {
    const options = { env: { ...process.env, ...env } };
    const argv = ['--import', KILLER_SCRIPT, PROGRAM_PATH, ...commandWords, '--quiet'];
    execFile(process.execPath, argv, options, (error, _, stderr) =>
      resolve({ exitCode: error === null ? 0 : ((error.code as unknown as number) ?? -1), stderr }),
    );
  });
}

test('every command that writes to a given place is tried', async () => {
  const commandEntries = COMMANDS.flatMap((commandEntry) =>
    isCommandGroup(commandEntry) ? commandEntry.commands : [commandEntry],
  );
  const namesOfWritingCommands = [];
  for (const { name: commandName, load } of commandEntries) {
    const { options, positionals } = await load();
    const canWriteResultFolder =
      'out' in options ||
      positionals.some((positional) => positional.name === 'OUT') ||
      commandName === 'report';
    if (canWriteResultFolder) namesOfWritingCommands.push(commandName);
  }
  expect(
    [...new Set(WRITING_COMMAND_CASES.map(({ command }) => command)), ...COMMANDS_TESTED_ELSEWHERE].sort(),
  ).toEqual(namesOfWritingCommands.sort());
});

test.each(
  sampleTestCases(
    WRITING_COMMAND_CASES.map((writer, i) => [writer.command, writer.words('OUT').slice(-3).join(' '), i]),
  ),
)('%s (... %s) killed at any stage runs again', { timeout: 300_000 }, async (_, __, i) => {
  const { words: makeWords, prepare: before, file, isTimed } = WRITING_COMMAND_CASES[Number(i)];
  if (!existsSync(firstRunFolder)) {
    await simulateInto(firstRunFolder);
    await runGridalloc([...SIMULATION_COMMAND_WORDS, '--policy', 'fastest-first', '--out', secondRunFolder]);
  }
  const caseFolder = join(folder, String(i));
  const pathInFolder = (fileName: string) =>
    join(caseFolder, fileName, ...(file === undefined ? [] : [file]));
  const preparedFolder = join(caseFolder, 'begun');
  mkdirSync(caseFolder);
  if (file !== undefined) mkdirSync(preparedFolder);
  await before?.(preparedFolder);
  const resetFolderAndGetPath = (folderName: string) => {
    rmSync(join(caseFolder, folderName), { recursive: true, force: true });
    if (existsSync(preparedFolder)) cpSync(preparedFolder, join(caseFolder, folderName), { recursive: true });
    return pathInFolder(folderName);
  };
  // The output path appears in some files, so it must be the same each time.
  const resultFolder = resetFolderAndGetPath('out');
  const callCountFilePath = join(caseFolder, 'counted');
  expect(
    await startKillableCommand(makeWords(resultFolder), {
      KILLED_IN: join(caseFolder, 'out'),
      COUNTED_IN: callCountFilePath,
    }),
  ).toMatchObject({
    exitCode: 0,
  });
  const writtenFiles = () => {
    const files = readFilesWithoutJournal(join(caseFolder, 'out'));
    return isTimed ? Object.keys(files).sort() : files;
  };
  const expectedFiles = writtenFiles();
  const fileChangingCallCount = Number(readFileSync(callCountFilePath, 'utf8'));
  expect(fileChangingCallCount).toBeGreaterThan(1);
  const killStageCount = Math.min(fileChangingCallCount, MAX_KILL_STAGE_COUNT);
  for (let stage = 0; stage < killStageCount; stage++) {
    const killedCallNumber =
      1 + Math.floor(((stage + chooseNumberByCommit(100) / 100) * fileChangingCallCount) / killStageCount);
    resetFolderAndGetPath('out');
    const killedResult = await startKillableCommand(makeWords(resultFolder), {
      KILLED_IN: join(caseFolder, 'out'),
      KILLED_AT: `${killedCallNumber}`,
    });
    expect(killedResult.exitCode, `call ${killedCallNumber} of ${fileChangingCallCount}`).toBe(-1);
    const leftoverFileNames = existsSync(join(caseFolder, 'out'))
      ? readdirSync(join(caseFolder, 'out'), { recursive: true })
      : [];
    expect(
      await runGridalloc([...makeWords(resultFolder), '--quiet']),
      `killed at call ${killedCallNumber} of ${fileChangingCallCount}, left ${leftoverFileNames}`,
    ).toMatchObject({
      exitCode: 0,
    });
    expect(writtenFiles(), `killed at call ${killedCallNumber} of ${fileChangingCallCount}`).toEqual(
      expectedFiles,
    );
  }
});
