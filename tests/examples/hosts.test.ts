import { spawn } from 'node:child_process';
import { cpSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeProjectFolder } from '../docs/examples.js';
import { receiveMessagePostedByPage } from '../portable/pages.js';
import {
  buildLibrary,
  defineHostTest,
  executeProgram,
  findMissingPrograms,
  findProgram,
  hostExamplesFolder,
} from './programs.js';

/**
 * Runs the core in other hosts: all must give the same hash of schedules and metrics. Hosts that
 * are not installed are skipped.
 */

const folder = makeProjectFolder();
cpSync(hostExamplesFolder, folder, {
  recursive: true,
  filter: (path) => !path.includes('hosts/node_modules'),
});

/** Runs a program in the folder of the examples and returns its output. */
async function runExampleProgram(
  programWords: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<string> {
  const [program, ...programArguments] = programWords;
  const env = { ...process.env, ...environment };
  return (await executeProgram(findProgram(program) ?? program, programArguments, { cwd: folder, env }))
    .stdout;
}

const hashesPrintedByNode = await runExampleProgram(['node', 'cases-node.mjs']);

const ARM_COMPILER = 'aarch64-linux-gnu-gcc';

/** Native libraries by installed compiler; they compile while other hosts are tested. */
const libraryPromisesByCompiler = new Map(
  ['cc', ARM_COMPILER]
    .filter((compilerCommand) => findMissingPrograms('wasm2c', compilerCommand).length === 0)
    .map((compilerCommand) => [compilerCommand, buildLibrary(compilerCommand)]),
);
// Failures are reported by the tests that wait for the library.
for (const libraryPromise of libraryPromisesByCompiler.values()) libraryPromise.catch(() => {});

test('Node', () => {
  expect(new Set(hashesPrintedByNode.match(/\d+$/gm)).size).toBe(7);
});

/** Tests a host whose program prints the hashes itself. */
function testHostThatPrintsHashes(hostName: string, ...programWords: string[]): void {
  defineHostTest(hostName, findMissingPrograms(programWords[0]), async () =>
    expect(await runExampleProgram(programWords)).toBe(hashesPrintedByNode),
  );
}

testHostThatPrintsHashes('Bun', 'bun', 'cases-node.mjs');
testHostThatPrintsHashes(
  'Deno',
  'deno',
  'run',
  '--allow-read',
  '--node-modules-dir=manual',
  'cases-node.mjs',
);
testHostThatPrintsHashes('jsc', 'jsc', '-m', 'cases-jsc.mjs');
testHostThatPrintsHashes('gjs', 'gjs', '-m', 'cases-gjs.mjs');

defineHostTest('workerd', findMissingPrograms('workerd'), async () => {
  const serverWords = ['serve', 'workerd/config.capnp', '--socket-addr', 'http=127.0.0.1:18180'];
  const server = spawn(findProgram('workerd') as string, serverWords, { cwd: folder, stdio: 'ignore' });
  try {
    let answer: Response | undefined;
    while (answer === undefined && server.exitCode === null) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      answer = await fetch('http://127.0.0.1:18180/').catch(() => undefined);
    }
    expect(await answer?.text()).toBe(hashesPrintedByNode);
  } finally {
    server.kill();
  }
});

/** Script that posts the results of the example page and its worker to the test. */
const RESULT_POSTING_SCRIPT = `<script>
  const parts = ['page', 'worker'].map((id) => document.getElementById(id));
  new MutationObserver(() => {
    const texts = parts.map((part) => part.textContent);
    if (texts.every((text) => text !== '')) fetch('/', { method: 'POST', body: JSON.stringify(texts) });
  }).observe(document, { subtree: true, childList: true });
</script>`;

const CONTENT_TYPES_BY_ENDING: Readonly<Record<string, string>> = {
  html: 'text/html',
  js: 'text/javascript',
  mjs: 'text/javascript',
  wasm: 'application/wasm',
};

function answerPageRequest(path: string): readonly [string, string | Uint8Array] {
  const type = CONTENT_TYPES_BY_ENDING[path.split('.').pop() ?? ''];
  if (type === undefined) return ['text/plain', ''];
  const fileBody = readFileSync(join(folder, path));
  return [type, type === 'text/html' ? `${fileBody}${RESULT_POSTING_SCRIPT}` : fileBody];
}

for (const browser of ['/usr/bin/chromium', '/usr/bin/firefox-esr'] as const) {
  defineHostTest(`${browser}: page and Web Worker`, existsSync(browser) ? [] : [browser], async () => {
    const postedResults = JSON.parse(
      await receiveMessagePostedByPage(browser, '/browser/page.html', answerPageRequest),
    );
    expect(postedResults).toEqual([hashesPrintedByNode.trim(), hashesPrintedByNode.trim()]);
  });
}

const hasNumpy = await executeProgram('python3', ['-c', 'import numpy']).then(
  () => true,
  () => false,
);

defineHostTest('C', findMissingPrograms('wasm2c', 'cc', 'make'), async () => {
  expect(
    await runExampleProgram([
      'make',
      '-s',
      '-C',
      'c',
      `LIBRARY=${await libraryPromisesByCompiler.get('cc')}`,
    ]),
  ).toBe(hashesPrintedByNode);
});

defineHostTest(
  'C on aarch64, which has fused operations',
  findMissingPrograms('wasm2c', 'make', ARM_COMPILER, 'qemu-aarch64'),
  async () => {
    const library = await libraryPromisesByCompiler.get(ARM_COMPILER);
    await runExampleProgram([
      'make',
      '-s',
      '-C',
      'c',
      `${library}/cases`,
      `LIBRARY=${library}`,
      `OUT=${library}`,
      `CC=${ARM_COMPILER}`,
    ]);
    const path = `LD_LIBRARY_PATH=${library}:/usr/aarch64-linux-gnu/lib`;
    const serverWords = ['qemu-aarch64', '-L', '/usr/aarch64-linux-gnu', '-E', path, `${library}/cases`];
    expect(await runExampleProgram(serverWords)).toBe(hashesPrintedByNode);
  },
);

defineHostTest(
  'Python',
  [...findMissingPrograms('wasm2c', 'cc'), ...(hasNumpy ? [] : ['python3 with numpy'])],
  async () => {
    const serverWords = ['python3', 'python/cases.py'];
    expect(
      await runExampleProgram(serverWords, {
        GRIDALLOC_LIBRARY: (await libraryPromisesByCompiler.get('cc')) ?? '',
      }),
    ).toBe(hashesPrintedByNode);
  },
);

/** What jobs start when in a live queue, whose end is the mean wait. */
const startsExpectedOfPrograms = [
  'job 0 starts at 0',
  'job 2 starts at 6',
  'job 1 starts at 200',
  'job 3 starts at 690',
  'mean wait 146.25',
  '',
].join('\n');

test('Node: a live queue', async () => {
  expect(await runExampleProgram(['node', 'live.mjs'])).toBe(startsExpectedOfPrograms);
});

defineHostTest('C: a live queue', findMissingPrograms('wasm2c', 'cc', 'make'), async () => {
  const libraryFolder = (await libraryPromisesByCompiler.get('cc')) as string;
  const serverWords = ['make', '-s', '-C', 'c', 'live', `LIBRARY=${libraryFolder}`];
  expect(await runExampleProgram(serverWords)).toBe(startsExpectedOfPrograms);
});

/** A program that submits a job which is too wide, and then another. */
const REFUSED_JOB_PROGRAM = `
import sys
sys.path.insert(0, 'python')
from gridalloc import Core
core = Core()
core.open(2)
core.begin({'Capacity': [4], 'Speed': [1], 'Load': [1]}, Open=1)
for processors in (9, 4):
    try:
        print(core.submit(Submit=0, Runtime=5, Estimate=5, Processors=processors, Home=0))
    except ValueError as error:
        print(str(error).split(':')[0])
`;

defineHostTest(
  'Python: a live queue',
  [...findMissingPrograms('wasm2c', 'cc'), ...(hasNumpy ? [] : ['python3 with numpy'])],
  async () => {
    const environment = { GRIDALLOC_LIBRARY: (await libraryPromisesByCompiler.get('cc')) ?? '' };
    expect(await runExampleProgram(['python3', 'python/live.py'], environment)).toBe(
      startsExpectedOfPrograms,
    );
    const wordsToRunRefusedJob = ['python3', '-c', REFUSED_JOB_PROGRAM];
    expect(await runExampleProgram(wordsToRunRefusedJob, environment)).toBe('JobTooWide\n0\n');
  },
);
