import { execFileSync } from 'node:child_process';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openCore } from '../../host/core/module.js';
import { declaredPolicies, policies } from '../../host/core/policies.js';
import { type BuiltCore, buildCore } from '../../host/files/buildCore.js';
import { useCoreFile } from '../../host/files/coreFile.js';
import { simulateCore } from '../core/simulateCore.js';
import { expectSame } from '../expectSame.js';
import { randomAllocatorCase } from '../reference/cases/allocators.js';
import { randomDynamicCase } from '../reference/cases/dynamic.js';
import { randomSafeCase } from '../reference/cases/safeBackfilling.js';
import { simulateReference } from '../reference/simulator/reference.js';
import type { Dynamic } from '../reference/simulator/types.js';
import { gridalloc } from '../runs/childProcess.js';
import { temporaryFolder } from '../temporaryFolder.js';
import { run } from './runProgram.js';

/** What docs/custom-policies.md says of one's own core, with its policy and another. */

const root = fileURLToPath(new URL('../../', import.meta.url));
const [, page = ''] = readFileSync(join(root, 'docs/custom-policies.md'), 'utf8').split('\n## In the core\n');
const folder = temporaryFolder();
const core = join(folder, 'core.wasm');

const [, SLACK_FIT = ''] = /```ts\n\/\/ slackFit\.ts\n([\s\S]*?)```/.exec(page) ?? [];

const SECOND_BEST_FIT = `
import { Simulation } from '../memory/state';
import * as columns from '../memory/columns';
import { Slot, candidatesOf, firstCandidateOf, requestOf, siteIn } from '../grid/sites';
import { at } from '../memory/memory';
import { NO_SLOT, fits } from './argmin';

@final
@unmanaged
export class BestFit {
  declaration(): string {
    return 'second-best-fit (second): the site that leaves the second fewest processors.';
  }

  choose(simulation: Simulation, job: i32): i32 {
    const request = requestOf(at<i32>(columns.processors, job));
    const slots = columns.choices + firstCandidateOf(simulation, job);
    let best = NO_SLOT;
    let second = NO_SLOT;
    for (let index = candidatesOf(simulation, job) - 1; index >= 0; index--) {
      const left = at<Slot>(slots, index) - request;
      second = min<u64>(second, max<u64>(best, left));
      best = min<u64>(best, left);
    }
    return fits(best) ? siteIn(fits(second) ? second : best) : -1;
  }
}
`;

/** Writes a policy and returns its path. */
function policyFile(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const packaged = policies();
let built: BuiltCore;

beforeAll(async () => {
  const files = [
    policyFile('slackFit.ts', SLACK_FIT),
    // A class named like one of the core's.
    policyFile('secondBestFit.ts', SECOND_BEST_FIT),
  ];
  // What the optimizer would take its time for does not matter here.
  built = await buildCore(files, core, { optimizeLevel: 0 });
}, 120_000);

afterAll(() => useCoreFile());

test('added policies come after those of the package', () => {
  expect(built.policies).toMatchObject([
    {
      name: 'slack-fit',
      aliases: ['slack'],
      parameters: [{ name: 'slack', kind: 'whole', default: 16 }],
    },
    { name: 'second-best-fit' },
  ]);
  useCoreFile(core);
  expect(policies()).toEqual([...packaged, ...built.policies]);
  useCoreFile();
  expect(policies()).toEqual(packaged);
});

test('the entry shown on the page has the number of the next policy', () => {
  const next = declaredPolicies(openCore()).length;
  expect(page).toContain(`    case ${next}:\n      return visitor.on<SlackFit>(simulation, job);\n`);
});

test.each([
  ['allocators', randomAllocatorCase],
  ['backfilling', randomSafeCase],
])('a policy agrees with the reference to the bit: %s', (_, draw) => {
  useCoreFile(core);
  for (let seed = 1; seed <= 100; seed++) {
    const drawn = draw(seed);
    const options = { ...drawn.options, policy: 'second-best-fit', parameters: {} };
    const { stops: _, ...expected } = simulateReference(drawn.jobs, options);
    expectSame(simulateCore(drawn.jobs, options, 'release'), expected, `case ${seed}`);
  }
});

test('as a candidate of dynamic the policy agrees with the reference to the bit', () => {
  useCoreFile(core);
  let differing = 0;
  for (let seed = 1; seed <= 30; seed++) {
    const drawn = randomDynamicCase(seed);
    const dynamic = drawn.options.dynamic as Dynamic;
    const own = { ...dynamic.candidates[0], name: 'second-best-fit', parameters: {} };
    const options = { ...drawn.options, dynamic: { ...dynamic, candidates: [...dynamic.candidates, own] } };
    const { stops: _, ...expected } = simulateReference(drawn.jobs, options);
    expectSame(simulateCore(drawn.jobs, options, 'release'), expected, `case ${seed}`);
    const without = simulateReference(drawn.jobs, drawn.options);
    if (without.start.some((start, job) => start !== expected.start[job])) differing++;
  }
  expect(differing).toBeGreaterThan(2);
});

const [buildIt, makeLog, simulate] = [...page.matchAll(/^\$ (.*)$/gm)].map(([, command]) => command);

/** Runs a command of the page in the folder of the core. */
function runOfPage(command: string): string {
  const gridalloc = `"${process.execPath}" "${join(root, 'dist/cli/main.js')}"`;
  const line = command.replace(/^gridalloc/, gridalloc);
  return execFileSync('sh', ['-c', line], { cwd: folder, encoding: 'utf8' });
}

test.each([
  ['8', 300, [0, 1, 0]],
  ['0', 600, [1, 0, 0]],
  ['24', 200, [0, 0, 1]],
])('the command of the page, with a slack of %s', (slack, response, jobs) => {
  expect(buildIt).toBe('gridalloc core build --policy slackFit.ts --out core.wasm');
  expect(simulate).toContain('slack=8]');
  runOfPage(makeLog);
  const summary = JSON.parse(runOfPage(simulate.replace('slack=8]', `slack=${slack}]`)));
  expect(summary.policy).toBe(`slack-fit[slack=${slack}]`);
  expect(summary.averageResponseTime).toBe(response);
  expect(summary.sites.map((site: { jobs: number }) => site.jobs)).toEqual(jobs);
});

const MODEL = ['lublin99[jobs=300]', '--sites', '64,32,128', '--speeds', '1,2,1.5', '--core', core];

test('simulate, its rerun and explain take the core; one that has changed is refused', async () => {
  const out = join(folder, 'run');
  expect((await run(['simulate', ...MODEL, '--policy', 'second', '--out', out])).code).toBe(0);
  const config = JSON.parse(readFileSync(join(out, 'config.json'), 'utf8'));
  expect(config.coreSha256).toBe(built.files[0].sha256);
  const { command, ...others } = config;
  expect(command.slice(3, 5)).toEqual(['--core', core]);
  writeFileSync(join(out, 'config.json'), JSON.stringify(others));
  const again = join(folder, 'again');
  expect((await run(['simulate', '--config', out, '--out', again])).code).toBe(0);
  expect(readFileSync(join(again, 'jobs.csv'))).toEqual(readFileSync(join(out, 'jobs.csv')));
  const explained = await run(['explain', out, '--job', '200', '--json']);
  expect(JSON.parse(explained.out).configuration?.policy ?? explained.out).toContain('second-best-fit');
  const file = join(out, 'config.json');
  writeFileSync(file, readFileSync(file, 'utf8').replace(built.files[0].sha256, '0'.repeat(64)));
  const changed = await run(['explain', out, '--job', '200']);
  expect(changed).toMatchObject({ code: 2, err: expect.stringContaining('it has changed; build it again') });
  expect((await run(['explain', out, '--job', '200', '--core', core])).code).toBe(0);
});

test('comparisons over replications, sweeps and studies take it, with threads', async () => {
  const methods = ['--policy', 'second,best-fit', '--replications', '3', '--json'];
  const one = await run(['compare', ...MODEL, ...methods, '--threads', '1']);
  const two = await gridalloc(['compare', ...MODEL, ...methods, '--threads', '2', '--quiet']);
  expect(two).toMatchObject({ code: 0, stderr: '', stdout: one.out });
  expect(one.out).toContain('"policy": "second-best-fit"');
  const out = join(folder, 'sweep');
  const sweep = ['sweep', ...MODEL, '--vary', 'policy=second,best-fit', '--out', out, '--quiet'];
  expect(await gridalloc(sweep)).toMatchObject({ code: 0, stderr: '' });
  const plan = readFileSync(join(out, 'plan.json'), 'utf8');
  expect(plan).toContain(built.files[1].sha256);
  expect(plan).toContain('--core');
  const rows = readFileSync(join(out, 'results.csv'), 'utf8').split('\n');
  const alone = JSON.parse((await run(['simulate', ...MODEL, '--policy', 'second', '--json'])).out);
  expect(rows[1]).toContain(String(alone.averageResponseTime));
});

describe('refusals, in one sentence', () => {
  const own = (text: string) => policyFile('mine.ts', text);
  const withClass = (body: string) => `export class Mine {\n${body}\n}\n`;

  test.each([
    ['const x: i32 = 1;\n', 'mine.ts exports no class; the file of a policy exports one class'],
    ['export class A {}\nexport class B {}\n', 'exports 2 classes (A, B)'],
    [
      withClass('a(): f64 { return at<f64>(columns.runtimes, 0); }'),
      'Mine reads runtimes, which are unknown',
    ],
    [withClass('a(): A { return new A(); }'), 'Mine allocates objects'],
  ])('%j', async (text, sentence) => {
    const { code, err } = await run(['core', 'build', '--quiet', '--policy', own(text), '--out', core]);
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining(sentence) });
    expect(err.trimEnd().split('\n').length).toBe(1);
  });

  test('files that are not cores', async () => {
    const path = own('');
    const sentences = [
      'is not a core of gridalloc',
      'nowhere.wasm does not exist; gridalloc core build writes one',
    ];
    for (const [i, file] of [path, join(folder, 'nowhere.wasm')].entries()) {
      const { code, err } = await run(['policies', '--core', file]);
      expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining(sentences[i]) });
    }
    expect(openCore().abiVersion()).toBeGreaterThan(0);
    copyFileSync(core, join(folder, 'alone.wasm'));
    const sweep = ['sweep', 'lublin99[jobs=50]', '--core', join(folder, 'alone.wasm'), '--vary', 'load=1,2'];
    const { code, err } = await run([...sweep, '--out', join(folder, 'alone')]);
    expect({ code, err }).toEqual({
      code: 2,
      err: expect.stringMatching(/alone\.shared\.wasm does not exist/),
    });
  });
});

const FAULTY = `
export class Faulty {
  declaration(): string { return 'faulty: it does not compile.'; }
  choose(simulation: usize, job: i32): i32 {
    return nothing;
  }
}
`;

test('errors of the compiler name the file as it was given, and the line', async () => {
  const path = policyFile('faulty.ts', FAULTY);
  const words = ['core', 'build', '--policy', path, '--out', join(folder, 'faulty.wasm')];
  const { code, err } = await run([...words, '--quiet']);
  expect(code).toBe(2);
  expect(err).toContain("Cannot find name 'nothing'");
  expect(err).toContain(`${path}(5,12)`);
  expect(err).toMatch(/gridalloc: the core does not compile with \S*faulty\.ts; the compiler says why\n$/);
}, 120_000);
