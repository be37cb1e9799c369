import { appendFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runGridallocInFolder } from '../runs/childProcess.js';
import { makeTemporaryFolder } from '../temporaryFolder.js';

/**
 * Policies and orders from files, in the compiled program, since threads load the compiled files.
 */

const folder = makeTemporaryFolder();
const MODEL = 'lublin99[jobs=300,seed=1]';
const SETTING_WORDS = [MODEL, '--estimates', 'exact', '--sites', '128,64', '--discipline', 'easy'];

const CODE_FILES: Readonly<Record<string, string>> = {
  'area.js': 'export default (job) => job.estimate * job.processors;\n',
  'loops.js': 'export default (job) => {\n  while (job.number > 50);\n  return 1;\n};\n',
  'throws.js': 'export default (job) => {\n  return job.runtime.seconds;\n};\n',
  'rubbish.js': 'export default () => "first";\n',
  'syntax.js': 'export default (job => {\n',
  'imports.js': "import other from './area.js';\nexport default other;\n",
  'nothing.js': 'export const order = () => 1;\n',
  'endless.js': 'while (true);\n',
  'typed.ts': 'export default (job: { processors: number }): number => job.processors;\n',
};
for (const [codeFileName, codeFileText] of Object.entries(CODE_FILES))
  writeFileSync(join(folder, codeFileName), codeFileText);

async function run(...commandWords: string[]) {
  const { exitCode, stdout, stderr } = await runGridallocInFolder(folder, commandWords);
  return { exitCode, stdout, stderr };
}

const textOf = (...path: string[]) => readFileSync(join(folder, ...path), 'utf8');

describe('an order from a file', () => {
  test('gives the bytes of the built-in one, and is kept with the results, which can be rerun and explained', async () => {
    const simulate = (order: string, resultFolder: string) =>
      run('simulate', ...SETTING_WORDS, '--order', order, '--out', resultFolder, '--quiet');
    expect(await simulate('./area.js', 'own')).toMatchObject({ exitCode: 0, stderr: '' });
    expect(await simulate('smallest-area', 'built-in')).toMatchObject({ exitCode: 0 });
    expect(textOf('own', 'jobs.csv')).toBe(textOf('built-in', 'jobs.csv'));
    // The program reads the settings of config.json and ignores its `command`, which is for people.
    const { command, ...config } = JSON.parse(textOf('own', 'config.json'));
    writeFileSync(join(folder, 'own', 'config.json'), JSON.stringify(config));
    const [{ file }] = config.code;
    expect(command).toContain(join('own', file));
    expect(config.request.options.order).toBe(file);
    expect(textOf('own', file)).toBe(CODE_FILES['area.js']);
    expect(
      await run('simulate', '--config', 'own', '--allow-code', '--out', 'again', '--quiet'),
    ).toMatchObject({
      exitCode: 0,
    });
    expect(textOf('again', 'jobs.csv')).toBe(textOf('own', 'jobs.csv'));
    expect(readdirSync(join(folder, 'again', 'code'))).toEqual(readdirSync(join(folder, 'own', 'code')));
    expect((await run('explain', 'own', '--job', '200', '--allow-code')).stdout).toContain(
      'easy in the order own/code/area-',
    );
    appendFileSync(join(folder, 'own', file), '// changed');
    const { exitCode, stderr } = await run('explain', 'own', '--job', '200', '--allow-code');
    expect([exitCode, stderr]).toEqual([2, expect.stringMatching(/area-\w+\.js has been changed since/)]);
  });

  test.each([
    [
      'loops.js',
      1,
      /^gridalloc: lublin99\S*, job 51 at time \d+: the function \.\/loops\.js has not answered within 0\.5 s; raise the limit/,
    ],
    [
      'throws.js',
      1,
      /lublin99\S*, job 1, submitted at \d+: the order \.\/throws\.js failed: Cannot read .* \(line 2\)$/m,
    ],
    [
      'rubbish.js',
      1,
      /job 1, submitted at \d+: the order \.\/rubbish\.js gives the key 'first', expected a finite/,
    ],
    ['endless.js', 1, /^gridalloc: \.\/endless\.js has not been loaded within 0\.5 s/],
    ['syntax.js', 2, /^gridalloc: \.\/syntax\.js, line 2: Unexpected end of input$/m],
    ['imports.js', 2, /^gridalloc: \.\/imports\.js imports \.\/area\.js: results keep a copy of one file/],
    ['nothing.js', 2, /^gridalloc: \.\/nothing\.js: its default export is missing, expected a function/],
    ['none.js', 2, /^gridalloc: \.\/none\.js does not exist; give the path of a file with a function$/m],
  ])('%s fails in one sentence, and nothing is written', async (name, code, sentence) => {
    const timeout = sentence.source.includes('within') ? ['--policy-timeout', '0.5'] : [];
    const actualResult = await run(
      'simulate',
      ...SETTING_WORDS,
      '--order',
      `./${name}`,
      ...timeout,
      '--out',
      'failed',
      '--quiet',
    );
    expect(actualResult.stderr).toMatch(sentence);
    expect(actualResult.stderr.trim().split('\n')).toHaveLength(1);
    expect([actualResult.exitCode, actualResult.stdout, existsSync(join(folder, 'failed'))]).toEqual([
      code,
      '',
      false,
    ]);
  });

  test('may be TypeScript where Node takes it; elsewhere the error says so', async () => {
    const { exitCode, stderr } = await run('simulate', ...SETTING_WORDS, '--order', './typed.ts', '--quiet');
    const [major, minor] = process.versions.node.split('.').map(Number);
    if (major > 23 || (major === 22 && minor >= 13) || (major === 23 && minor >= 2)) expect(exitCode).toBe(0);
    else
      expect([exitCode, stderr]).toEqual([
        2,
        expect.stringContaining('is TypeScript, which Node takes from'),
      ]);
  });

  test('is compared over replications, and fails there too', async () => {
    const compare = (order: string) =>
      run(
        'compare',
        ...SETTING_WORDS.slice(0, 5),
        '--order',
        order,
        '--replications',
        '2',
        '--threads',
        '1',
        '--json',
      );
    const mean = async (order: string) => JSON.parse((await compare(order)).stdout).rows[0].mean;
    expect(await mean('./area.js')).toBe(await mean('smallest-area'));
    expect(await compare('./throws.js')).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('throws.js failed'),
    });
  });
});

describe('a study with an order from a file', () => {
  const makeStudyText = (file: string) => `title: Orders
simulate:
  workload: ${MODEL}
  estimates: exact
  sites: '128,64'
  order: '{order}'
axes: { order: [smallest-area, ./${file}] }
measures: { wait: { metric: meanWait } }
`;
  const writeStudyWithOrderFile = (file: string) =>
    writeFileSync(join(folder, 'orders.yaml'), makeStudyText(file));
  const startStudyRun = (...commandWords: string[]) =>
    run('study', 'run', 'orders.yaml', '--threads', '1', '--quiet', ...commandWords);

  test('runs only where code is allowed, and does not resume with another order', async () => {
    writeStudyWithOrderFile('area.js');
    expect(await startStudyRun('--out', 'study')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('orders.yaml, line 7: order is the file ./area.js, which runs with'),
    });
    expect(await startStudyRun('--out', 'study', '--allow-code')).toMatchObject({ exitCode: 0, stderr: '' });
    const [headerLine, ...rows] = textOf('study', 'results.csv').trim().split('\n');
    expect(headerLine).toMatch(/^order,run\.id/);
    const shownNumbers = rows.map((row) =>
      row
        .replace(/^.*?"\[?128.*?"/, '')
        .split(',')
        .slice(-20),
    );
    expect(shownNumbers[1]).toEqual(shownNumbers[0]);
    expect(readdirSync(join(folder, 'study', 'code'))).toHaveLength(1);
    expect(textOf('study', 'report.html')).toContain('study run orders.yaml --allow-code');
    const id = /area\.js,(\w+)/.exec(rows[1])?.[1] ?? '';
    expect(await startStudyRun('--only', id, '--allow-code', '--out', 'one')).toMatchObject({ exitCode: 0 });
    expect(existsSync(join(folder, 'one', 'code'))).toBe(true);
    writeFileSync(join(folder, 'area.js'), `${CODE_FILES['area.js']}// changed\n`);
    expect(await startStudyRun('--out', 'study', '--allow-code')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('study holds results of another ./area.js, which has changed since'),
    });
    writeFileSync(join(folder, 'area.js'), CODE_FILES['area.js']);
    expect(await startStudyRun('--out', 'study', '--allow-code')).toMatchObject({ exitCode: 0 });
  });

  test('stops with the error where the order fails, and resumes when it does not', async () => {
    writeStudyWithOrderFile('throws.js');
    const { exitCode, stderr } = await startStudyRun('--out', 'stopped', '--allow-code');
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('./throws.js failed')]);
    expect(existsSync(join(folder, 'stopped', 'results.csv'))).toBe(false);
  });
});
