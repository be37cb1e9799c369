import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { COMMANDS, isCommandGroup } from '../../host/cli/catalogue.js';
import { doesRunAllCases, numberByCommit, sampleTestCases } from '../cases.js';
import { TINY_OPTIONS, writeLogFile } from '../cli/runProgram.js';
import { makeTemporaryFolder } from '../temporaryFolder.js';
import { readFilesWithoutJournal, runGridalloc, writeStudyFile } from './childProcess.js';

/**
 * A command that writes files may be killed at any stage: the same command must then succeed and
 * leave the same files as if never killed.
 */

const PROGRAM = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
const KILLER_SCRIPT = new URL('killedAt.mjs', import.meta.url).href;
/** Maximum number of stages at which a command is killed. */
const MAX_KILL_STAGES = doesRunAllCases ? 12 : 1;

const folder = makeTemporaryFolder();
const logFile = writeLogFile();
const policyCodeFile = join(folder, 'choose.mjs');
writeFileSync(policyCodeFile, 'export default (view) => view.bestFit;\n');
const STUDY = `
title: Small
simulate: { workload: 'lublin99[jobs=50]', sites: 128, policy: '{policy}' }
axes: { policy: [best-fit, fastest-first] }
measures: { art: { metric: averageResponseTime } }
tables: { art: { title: Response times, measures: art, rows: policy } }
figures: { art: { title: Response times, measure: art, x: policy } }
`;
const SIMULATION_WORDS = ['simulate', logFile, ...TINY_OPTIONS];

/**
 * A command that writes results: its words for an output path, and the preparation of that path.
 */
interface WritingCommand {
  readonly command: string;
  readonly words: (resultFolder: string) => readonly string[];
  readonly prepare?: (resultFolder: string) => Promise<unknown>;
  /** Name of the output file inside a folder of its own; absent if the output is a folder. */
  readonly file?: string;
  /** True if only file names are compared, since the contents include measured times. */
  readonly isTimed?: boolean;
}

const simulateInto = (resultFolder: string) => runGridalloc([...SIMULATION_WORDS, '--out', resultFolder]);
const [firstRunFolder, secondRunFolder] = [join(folder, 'one'), join(folder, 'other')];

const WRITING_COMMANDS: readonly WritingCommand[] = [
  { command: 'simulate', words: (resultFolder) => [...SIMULATION_WORDS, '--out', resultFolder, '--parquet'] },
  {
    command: 'simulate',
    words: (resultFolder) => [...SIMULATION_WORDS, '--policy', policyCodeFile, '--out', resultFolder],
  },
  {
    command: 'simulate',
    words: (resultFolder) => [
      ...SIMULATION_WORDS,
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
      ...SIMULATION_WORDS,
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
    words: (resultFolder) => ['study', 'run', writeStudyFile(folder, STUDY), '--out', resultFolder],
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
const TESTED_ELSEWHERE = ['compare', 'study merge'];

function startKillableCommand(
  commandWords: readonly string[],
  env: Record<string, string>,
): Promise<{ exitCode: number; stderr: string }> {
  return new Promise((resolve) => {
    const options = { env: { ...process.env, ...env } };
    const argv = ['--import', KILLER_SCRIPT, PROGRAM, ...commandWords, '--quiet'];
    execFile(process.execPath, argv, options, (error, _, stderr) =>
      resolve({ exitCode: error === null ? 0 : ((error.code as unknown as number) ?? -1), stderr }),
    );
  });
}

test('every command that writes to a given place is tried', async () => {
  const commandEntries = COMMANDS.flatMap((commandEntry) =>
    isCommandGroup(commandEntry) ? commandEntry.commands : [commandEntry],
  );
  const writingFinished = [];
  for (const { name: commandName, load } of commandEntries) {
    const { options, positionals } = await load();
    const writesResults =
      'out' in options ||
      positionals.some((positional) => positional.name === 'OUT') ||
      commandName === 'report';
    if (writesResults) writingFinished.push(commandName);
  }
  expect([...new Set(WRITING_COMMANDS.map(({ command }) => command)), ...TESTED_ELSEWHERE].sort()).toEqual(
    writingFinished.sort(),
  );
});

test.each(
  sampleTestCases(
    WRITING_COMMANDS.map((writer, i) => [writer.command, writer.words('OUT').slice(-3).join(' '), i]),
  ),
)('%s (... %s) killed at any stage runs again', { timeout: 300_000 }, async (_, __, i) => {
  const { words: makeWords, prepare: before, file, isTimed } = WRITING_COMMANDS[Number(i)];
  if (!existsSync(firstRunFolder)) {
    await simulateInto(firstRunFolder);
    await runGridalloc([...SIMULATION_WORDS, '--policy', 'fastest-first', '--out', secondRunFolder]);
  }
  const caseFolder = join(folder, String(i));
  const pathInFolder = (fileName: string) =>
    join(caseFolder, fileName, ...(file === undefined ? [] : [file]));
  const begunFolder = join(caseFolder, 'begun');
  mkdirSync(caseFolder);
  if (file !== undefined) mkdirSync(begunFolder);
  await before?.(begunFolder);
  const emptiedFolder = (folderName: string) => {
    rmSync(join(caseFolder, folderName), { recursive: true, force: true });
    if (existsSync(begunFolder)) cpSync(begunFolder, join(caseFolder, folderName), { recursive: true });
    return pathInFolder(folderName);
  };
  // The output path appears in some files, so it must be the same each time.
  const resultFolder = emptiedFolder('out');
  const callCountFile = join(caseFolder, 'counted');
  expect(
    await startKillableCommand(makeWords(resultFolder), {
      KILLED_IN: join(caseFolder, 'out'),
      COUNTED_IN: callCountFile,
    }),
  ).toMatchObject({
    exitCode: 0,
  });
  const writtenFiles = () => {
    const files = readFilesWithoutJournal(join(caseFolder, 'out'));
    return isTimed ? Object.keys(files).sort() : files;
  };
  const expectedFiles = writtenFiles();
  const callCount = Number(readFileSync(callCountFile, 'utf8'));
  expect(callCount).toBeGreaterThan(1);
  const killStages = Math.min(callCount, MAX_KILL_STAGES);
  for (let stage = 0; stage < killStages; stage++) {
    const killedCall = 1 + Math.floor(((stage + numberByCommit(100) / 100) * callCount) / killStages);
    emptiedFolder('out');
    const killedResult = await startKillableCommand(makeWords(resultFolder), {
      KILLED_IN: join(caseFolder, 'out'),
      KILLED_AT: `${killedCall}`,
    });
    expect(killedResult.exitCode, `call ${killedCall} of ${callCount}`).toBe(-1);
    const leftoverFiles = existsSync(join(caseFolder, 'out'))
      ? readdirSync(join(caseFolder, 'out'), { recursive: true })
      : [];
    expect(
      await runGridalloc([...makeWords(resultFolder), '--quiet']),
      `killed at call ${killedCall} of ${callCount}, left ${leftoverFiles}`,
    ).toMatchObject({
      exitCode: 0,
    });
    expect(writtenFiles(), `killed at call ${killedCall} of ${callCount}`).toEqual(expectedFiles);
  }
});
