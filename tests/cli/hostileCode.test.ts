import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { chooseNumberByCommit, doesRunAllCases } from '../cases.js';
import { makeTemporaryFolder } from '../temporaryFolder.js';

/**
 * Policy files with hostile code, in the main thread and in workers: each must end in one sentence
 * that names the file.
 */

const PROGRAM_PATH = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
const folder = makeTemporaryFolder();

const BEST_FIT_POLICY_CODE = 'export default (view) => view.bestFit;\n';
/** JavaScript source of a value that throws at every access. */
const POLICY_CODE_THROWING_VALUE =
  'new Proxy(function () {}, Object.fromEntries(Reflect.ownKeys(Reflect).map((name) => [name, () => { throw null; }])))';

const HOSTILE_POLICY_CODES: Readonly<Record<string, string>> = {
  'throws-null': 'export default () => { throw null; };',
  'throws-undefined': 'export default () => { throw undefined; };',
  'throws-text': "export default () => { throw 'text'; };",
  'throws-symbol': "export default () => { throw Symbol('a'); };",
  'throws-proxy': `export default () => { throw ${POLICY_CODE_THROWING_VALUE}; };`,
  'throws-odd':
    "export default () => { throw Object.assign(new Error('a'), { message: {}, stack: null }); };",
  'throws-bare': 'export default () => { throw Object.create(null); };',
  'answers-bigint': 'export default () => 1n;',
  'answers-symbol': "export default () => Symbol('a');",
  'answers-proxy': `export default () => ${POLICY_CODE_THROWING_VALUE};`,
  'answers-odd': 'export default () => ({ valueOf() { throw null; }, toString() { throw null; } });',
  'answers-bare': 'export default () => Object.create(null);',
  'answers-text': "export default () => '1';",
  'answers-true': 'export default () => true;',
  'answers-null': 'export default () => null;',
  'answers-nothing': 'export default () => {};',
  'answers-later': 'export default async () => 1;',
  'answers-nan': 'export default () => NaN;',
  'answers-part': 'export default () => 1.5;',
  'answers-much': 'export default () => 2 ** 32 + 1;',
  exits: 'export default () => process.exit(0);',
  'exits-with': 'export default () => process.exit(3);',
  'exits-at-once': `process.exit(0);\n${BEST_FIT_POLICY_CODE}`,
  'load-throws-null': `throw null;\n${BEST_FIT_POLICY_CODE}`,
  'load-throws-proxy': `throw ${POLICY_CODE_THROWING_VALUE};\n${BEST_FIT_POLICY_CODE}`,
  'load-throws-odd': `throw Object.assign(new Error('a'), { message: 1n, stack: 1n });\n${BEST_FIT_POLICY_CODE}`,
  'load-rejects': `Promise.reject(new Error('a'));\nawait new Promise((done) => setTimeout(done, 50));\n${BEST_FIT_POLICY_CODE}`,
  'load-fails-later': `setTimeout(() => { throw null; });\nawait new Promise((done) => setTimeout(done, 50));\n${BEST_FIT_POLICY_CODE}`,
  'load-then': `export function then(take) { take(null); }\n${BEST_FIT_POLICY_CODE}`,
  'exports-proxy': `export default new Proxy({}, {});`,
  'breaks-set': `Float64Array.prototype.set = null;\n${BEST_FIT_POLICY_CODE}`,
  'breaks-subarray': `Object.getPrototypeOf(Float64Array.prototype).subarray = null;\nObject.getPrototypeOf(Float64Array.prototype).slice = null;\n${BEST_FIT_POLICY_CODE}`,
  'breaks-map': `Array.prototype.map = null;\n${BEST_FIT_POLICY_CODE}`,
  'breaks-entries': `Object.entries = null;\nObject.keys = null;\nObject.fromEntries = null;\n${BEST_FIT_POLICY_CODE}`,
  'breaks-has-instance': `Object.defineProperty(Function.prototype, Symbol.hasInstance, { value: null });\n${BEST_FIT_POLICY_CODE}`,
};
for (const [name, text] of Object.entries({
  ...HOSTILE_POLICY_CODES,
  prints: `console.log('\\u001b[2Jread');\n${BEST_FIT_POLICY_CODE}`,
})) {
  writeFileSync(join(folder, `${name}.js`), text);
}

const SETTING_WORDS = ['lublin99[jobs=200,seed=1]', '--sites', '128,64', '--threads', '1', '--quiet'];
const COMMANDS: Readonly<Record<string, (file: string) => string[]>> = {
  simulate: (file) => [
    'simulate',
    ...SETTING_WORDS.filter((word) => !['--threads', '1'].includes(word)),
    '--policy',
    file,
  ],
  sweep: (file) => ['sweep', ...SETTING_WORDS, '--vary', `policy=best-fit,${file}`, '--out', `${file}-sweep`],
  'simulate --replications': (file) => [
    'simulate',
    ...SETTING_WORDS,
    '--replications',
    '2',
    '--policy',
    file,
  ],
};

function run(commandWords: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [PROGRAM_PATH, ...commandWords], {
    cwd: folder,
    encoding: 'utf8',
    timeout: 60_000,
  });
  return { exitCode: status, stdout, stderr };
}

/**
 * Names of the hostile policies to test under a command: all, or one in nine if cases are sampled.
 */
const sampleHostilePolicyNames = (position: number) =>
  Object.keys(HOSTILE_POLICY_CODES).filter(
    (_, i) => doesRunAllCases || (i + position) % 9 === chooseNumberByCommit(9),
  );

describe.each(Object.entries(COMMANDS))('gridalloc %s', (command, makeCommandWords) => {
  test.each(sampleHostilePolicyNames(Object.keys(COMMANDS).indexOf(command)))(
    'says in one sentence that %s.js is at fault',
    (name) => {
      const file = `./${name}.js`;
      const { exitCode, stdout, stderr } = run(makeCommandWords(file));
      expect(stderr).toMatch(/^gridalloc: [^\n]*\n$/);
      expect(stderr).toContain(file);
      expect(stderr).not.toContain('unexpected');
      expect([1, 2]).toContain(exitCode);
      expect(stdout).toBe('');
      expect(existsSync(join(folder, `${file}-sweep`, 'results.csv'))).toBe(false);
    },
  );

  test('shows what a function prints among the messages, without control sequences', () => {
    const commandWords = makeCommandWords('./prints.js');
    const { exitCode, stdout, stderr } = run([
      ...commandWords,
      ...(commandWords.includes('sweep') ? [] : ['--json']),
    ]);
    expect(exitCode).toBe(0);
    if (!commandWords.includes('sweep')) expect(() => JSON.parse(stdout)).not.toThrow();
    expect(stdout).not.toContain('read');
    expect(stderr).toContain('\\u{1b}[2Jread');
  });
});
