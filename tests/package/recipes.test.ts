import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test, vi } from 'vitest';
import { makeTemporaryFolder } from '../temporaryFolder.js';
import { applyCodeChange, CODE_RECIPES, type CodeChange, REGISTRY_FILE } from './additions.js';
import { repositoryRoot } from './packed.js';

/**
 * Applies the additions described in CONTRIBUTING.md to a copy of the project and builds it: its
 * command must offer them, and its core must agree with its reference simulator.
 */

const folder = makeTemporaryFolder();

const [, page = ''] = readFileSync(join(repositoryRoot, 'docs/custom-policies.md'), 'utf8').split(
  '\n## In the core\n',
);
const [, SLACK_FIT = ''] = /```ts\n\/\/ slackFit\.ts\n([\s\S]*?)```/.exec(page) ?? [];
const [, IMPORT = '', CASE = ''] =
  /```ts\n(import \{ SlackFit \}.*\n)( {4}case \d+:\n.*\n)```/.exec(page) ?? [];

function applyChange(change: CodeChange): void {
  const path = join(folder, change.file);
  if ('text' in change) writeFileSync(path, change.text, { flag: 'wx' });
  else writeFileSync(path, applyCodeChange(readFileSync(path, 'utf8'), change));
}

/** Adds the policy of the page after all others, with the next free number. */
function addPolicyFromPage(): void {
  writeFileSync(join(folder, 'assembly/allocators/slackFit.ts'), SLACK_FIT, { flag: 'wx' });
  const path = join(folder, REGISTRY_FILE);
  const registryText = readFileSync(path, 'utf8');
  const nextVisitorCount = registryText.match(/visitor\.on</g)?.length;
  const codeOfAddedCase = CASE.replace(/case \d+/, `case ${nextVisitorCount}`);
  writeFileSync(
    path,
    (IMPORT + registryText).replace(/ {4}default:/, (end) => codeOfAddedCase + end),
  );
}

const runNodeInCopy = (...commandWords: string[]) =>
  execFileSync(process.execPath, commandWords, {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
// Runs the compiled modules, which the build would bundle into one script.
const runGridallocOfCopy = (...commandWords: string[]) => runNodeInCopy('start.mjs', ...commandWords);

/**
 * Compiles the core without optimization, which takes a fifth of the time; the release build is
 * tested elsewhere.
 */
function compileProgram(entry: string, target: string, ...compilerWords: string[]): void {
  const compiler = [entry, '--target', target, '--optimizeLevel', '0', ...compilerWords];
  runNodeInCopy('node_modules/assemblyscript/bin/asc.js', ...compiler);
  runNodeInCopy('scripts/finishCore.mjs', `build/${target}.wasm`);
}

beforeAll(() => {
  for (const pathToCopy of [
    'assembly',
    'host',
    'asconfig.json',
    'package.json',
    'tsconfig.json',
    'tsconfig.build.json',
    'tests/reference',
    'tests/core',
    'tests/ways',
    'web',
    ...['cases', 'cli/runProgram', 'expectSame', 'runs/childProcess', 'setup', 'temporaryFolder'].map(
      (name) => `tests/${name}.ts`,
    ),
  ]) {
    cpSync(join(repositoryRoot, pathToCopy), join(folder, pathToCopy), { recursive: true });
  }
  cpSync(join(repositoryRoot, 'scripts/finishCore.mjs'), join(folder, 'scripts/finishCore.mjs'), {
    recursive: true,
  });
  symlinkSync(join(repositoryRoot, 'node_modules'), join(folder, 'node_modules'));
  for (const { changes, checks = [] } of Object.values(CODE_RECIPES))
    [...changes, ...checks].forEach(applyChange);
  compileProgram('assembly/index.ts', 'release', '--bindings', 'raw');
  compileProgram('assembly/testing.ts', 'checked');
  copyFileSync(join(folder, 'build/release.d.ts'), join(folder, 'host/core/bindings.d.ts'));
  runNodeInCopy('node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json');
  writeFileSync(
    join(folder, 'start.mjs'),
    "import { runProcess } from './dist/cli/main.js';\nawait runProcess();\n",
  );
  writeFileSync(
    join(folder, 'vitest.config.mjs'),
    "export default { test: { setupFiles: ['tests/setup.ts'] } };\n",
  );
}, 600_000);

test('additions work', () => {
  const simulateToJsonDocument = (...commandWords: string[]) =>
    JSON.parse(
      runGridallocOfCopy(
        'simulate',
        'lublin99[jobs=300,aarr=8]',
        '--sites',
        '128,64',
        '--speeds',
        '1,2',
        '--json',
        ...commandWords,
      ),
    ) as Record<string, number>;
  const documentWithoutAddition = simulateToJsonDocument();
  expect(documentWithoutAddition.totalWait).toBeCloseTo(300 * documentWithoutAddition.meanWait, 3);
  for (const commandWords of [
    ['--setup-time', '600'],
    ['--order', 'widest-square'],
    ['--policy', 'slowest-first'],
  ]) {
    const { averageResponseTime } = simulateToJsonDocument(...commandWords);
    expect([...commandWords, averageResponseTime]).not.toEqual([
      ...commandWords,
      documentWithoutAddition.averageResponseTime,
    ]);
  }
  expect(simulateToJsonDocument('--order', 'widest-square').averageResponseTime).toBe(
    simulateToJsonDocument('--order', 'widest').averageResponseTime,
  );
  expect(runGridallocOfCopy('cite')).toBe('cited\n');
}, 120_000);

test('additions are checked against the reference', () => {
  const runTestsForPassedCount = (path: string, ...commandWords: string[]) => {
    const vitestWords = [
      'node_modules/vitest/vitest.mjs',
      'run',
      path,
      '--reporter',
      'json',
      ...commandWords,
    ];
    return (JSON.parse(runNodeInCopy(...vitestWords)) as { numPassedTests: number }).numPassedTests;
  };
  vi.stubEnv('GRIDALLOC_CASES', '200');
  const runAgreementTestForCount = (nameOfAgreementTest: string) =>
    runTestsForPassedCount(`tests/core/agreement/${nameOfAgreementTest}.test.ts`);
  expect([runAgreementTestForCount('allocators'), runAgreementTestForCount('oneMachine')]).toEqual([2, 1]);
  expect(runTestsForPassedCount('tests/ways/ways.test.ts', '-t', 'every option has a sample')).toBe(1);
}, 300_000);

test('the policy of docs/custom-policies.md is the next one, and does what the page says', () => {
  const visitorCount = readFileSync(join(repositoryRoot, REGISTRY_FILE), 'utf8').match(
    /visitor\.on</g,
  )?.length;
  expect(CASE).toContain(`case ${visitorCount}:`);
  const [, job = ''] = /echo '([^']+)' > one\.swf/.exec(page) ?? [];
  // Added last, since the copy's reference simulator does not have this policy.
  addPolicyFromPage();
  compileProgram('assembly/index.ts', 'release', '--bindings', 'raw');
  writeFileSync(join(folder, 'one.swf'), `${job}\n`);
  const [, words = ''] = /gridalloc (simulate one\.swf .*) --core \S+ --policy/.exec(page) ?? [];
  const responses = [8, 0, 24].map((slack) => {
    const programOutput = runGridallocOfCopy(
      ...words.split(' '),
      '--policy',
      `slack-fit[slack=${slack}]`,
      '--json',
    );
    return (JSON.parse(programOutput) as { averageResponseTime: number }).averageResponseTime;
  });
  expect(responses).toEqual([300, 600, 200]);
}, 120_000);
