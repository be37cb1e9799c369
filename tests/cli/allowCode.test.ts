import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { COMMANDS, isCommandGroup } from '../../host/cli/catalogue.js';
import { sampleTestCases } from '../cases.js';
import { runGridallocInFolder } from '../runs/childProcess.js';
import { makeTemporaryFolder } from '../temporaryFolder.js';

/** Checks for every command whether it runs or refuses code in folders and studies. */

const folder = makeTemporaryFolder();
const markerFileOfCodeRun = join(folder, 'has-run');
const WORKLOAD_MODEL = 'lublin99[jobs=200,seed=1]';
const SETTING_WORDS = ['--sites', '128,64', '--estimates', 'exact', '--discipline', 'easy'];

async function run(commandWords: readonly string[]) {
  const { exitCode, stdout, stderr } = await runGridallocInFolder(folder, commandWords);
  return { exitCode, stdout, stderr };
}

/** Runs a command and reports whether it executed the code of a policy file. */
async function runsUserCode(commandWords: readonly string[]) {
  rmSync(markerFileOfCodeRun, { force: true });
  return { ...(await run(commandWords)), hasRun: existsSync(markerFileOfCodeRun) };
}

/**
 * Command lines that open a folder or study containing code, by command; `runs` need permission to run that
 * code, `reads` do not run it.
 */
const COMMANDS_WITH_CODE: Readonly<
  Record<string, { readonly runs?: string[][]; readonly reads?: string[][] }>
> = {
  simulate: {
    runs: [
      ['simulate', '--config', 'simulated'],
      ['simulate', '--config', 'simulated/config.json', '--replications', '2'],
      ['simulate', '--config', 'ordered'],
      ['simulate', '--config', 'ordered', '--policy', './marks.js'],
    ],
  },
  compare: {},
  policies: {},
  metrics: {},
  'study list': {},
  'study show': { reads: [['study', 'show', 'marks.yaml']] },
  'study run': {
    runs: [
      ['study', 'run', 'marks.yaml', '--out', 'new'],
      ['study', 'run', 'cut', '--shard', '2/2'],
      ['study', 'run', 'cut'],
    ],
  },
  'study merge': { reads: [['study', 'merge', 'cut']] },
  'study status': { reads: [['study', 'status', 'cut']] },
  'study cancel': { reads: [['study', 'cancel', 'cut']] },
  sweep: {},
  report: {
    reads: [
      ['report', 'simulated'],
      ['report', 'studied'],
    ],
  },
  diff: { reads: [['diff', 'simulated', 'ordered']] },
  jobs: { reads: [['jobs', 'simulated']] },
  explain: { runs: [['explain', 'simulated', '--job', '100']] },
  validate: {},
  explore: { reads: [['explore', 'simulated', '--out', 'page.html']] },
  bench: {},
  conformance: {},
  environment: {},
  'trace info': {},
  'trace check': {},
  'trace convert': {},
  'trace generate': {},
  'trace models': {},
  'trace formats': {},
  'trace presets': {},
  completion: {},
};

const commandEntries = COMMANDS.flatMap((commandEntry) =>
  isCommandGroup(commandEntry) ? commandEntry.commands : [commandEntry],
);

describe('a folder or a study with code', () => {
  beforeAll(async () => {
    const marks = `import { writeFileSync } from 'node:fs';\nwriteFileSync(${JSON.stringify(markerFileOfCodeRun)}, '');\n`;
    writeFileSync(join(folder, 'marks.js'), `${marks}export default (view) => view.bestFit;\n`);
    writeFileSync(join(folder, 'order.js'), `${marks}export default (job) => job.submit;\n`);
    writeFileSync(
      join(folder, 'marks.yaml'),
      `title: Marks\nsimulate: { workload: '${WORKLOAD_MODEL}', sites: '128,64', policy: '{policy}' }\naxes: { policy: [best-fit, ./marks.js] }\nmeasures: { wait: { metric: meanWait } }\n`,
    );
    const simulate = ['simulate', WORKLOAD_MODEL, ...SETTING_WORDS, '--quiet'];
    const studyWords = ['study', 'run', 'marks.yaml', '--allow-code', '--quiet'];
    const runsOfCodeWithMarker = [
      await runsUserCode([...simulate, '--policy', './marks.js', '--out', 'simulated']),
      await runsUserCode([...simulate, '--policy', 'best-fit', '--order', './order.js', '--out', 'ordered']),
      await runsUserCode([...studyWords, '--out', 'studied']),
    ];
    expect(runsOfCodeWithMarker.map(({ exitCode, hasRun }) => [exitCode, hasRun])).toEqual(
      runsOfCodeWithMarker.map(() => [0, true]),
    );
    expect(await run([...studyWords, '--out', 'cut', '--shards', '2'])).toMatchObject({ exitCode: 0 });
  });

  test('is known to every command', () => {
    expect(Object.keys(COMMANDS_WITH_CODE)).toEqual(
      commandEntries.map(({ name: commandName }) => commandName),
    );
  });

  test.each(
    sampleTestCases(
      Object.values(COMMANDS_WITH_CODE).flatMap(({ runs = [] }) =>
        runs.map((commandWords) => [commandWords.join(' '), commandWords]),
      ),
    ),
  )('%s is refused, and runs with --allow-code', async (_, commandWords) => {
    expect(await runsUserCode(commandWords as string[])).toMatchObject({
      hasRun: false,
      exitCode: 2,
      stdout: '',
      stderr: expect.stringMatching(
        /^gridalloc: [^\n]* the file \S+, which runs with your permissions; review it, then add --allow-code\n$/,
      ),
    });
    expect(await runsUserCode([...commandWords, '--allow-code'])).toMatchObject({
      hasRun: true,
      exitCode: 0,
    });
  });

  test.each(
    sampleTestCases(
      Object.values(COMMANDS_WITH_CODE).flatMap(({ reads = [] }) =>
        reads.map((commandWords) => [commandWords.join(' '), commandWords]),
      ),
    ),
  )('%s runs none of its code', async (_, commandWords) => {
    expect((await runsUserCode(commandWords as string[])).hasRun).toBe(false);
  });

  test('needs no --allow-code if an option on the command line replaces the code', async () => {
    const commandWords = ['simulate', '--config', 'simulated', '--policy', 'best-fit'];
    expect(await runsUserCode(commandWords)).toMatchObject({ hasRun: false, exitCode: 0 });
  });

  test.each(commandEntries.map(({ name: commandName, load }) => [commandName, load] as const))(
    '%s has --allow-code where it may run it',
    async (name, load) => {
      const { options } = await load();
      // `study merge` may run code as well, when it plans further rounds for Slurm.
      const mayRunCode = COMMANDS_WITH_CODE[name]?.runs !== undefined || name === 'study merge';
      expect(Object.hasOwn(options, 'allow-code')).toBe(mayRunCode);
    },
  );
});
