import { execFileSync, spawn } from 'node:child_process';
import { cpSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { projectFolder } from '../docs/examples.js';
import { postedBy } from '../portable/pages.js';

/** The core in other hosts: one and the same hash over schedules and metrics. Hosts that are not here are skipped. */

const root = fileURLToPath(new URL('../../', import.meta.url));
const hosts = join(root, 'examples/hosts');
const folder = projectFolder();
cpSync(hosts, folder, { recursive: true, filter: (path) => !path.includes('hosts/node_modules') });

/** Whether all hosts must be here: `.ci/hosts` installs them. */
const MUST = process.env.GRIDALLOC_HOSTS === 'all';

/** Where a program is: among the packages of the examples, or on the path. */
function find(program: string): string | undefined {
  const folders = [join(hosts, 'node_modules/.bin'), ...(process.env.PATH ?? '').split(':')];
  return folders.map((each) => join(each, program)).find((path) => existsSync(path));
}

/** What a program prints in the folder of the examples. */
function print(words: readonly string[], environment: Readonly<Record<string, string>> = {}): string {
  const [program, ...rest] = words;
  const env = { ...process.env, ...environment };
  return execFileSync(find(program) ?? program, rest, { cwd: folder, env, encoding: 'utf8' });
}

const expected = print(['node', 'cases-node.mjs']);

/** A test of a host, skipped where something that it needs is not here. */
function testHost(name: string, missing: readonly string[], run: () => void | Promise<void>): void {
  const isSkipped = missing.length > 0 && !MUST;
  test.skipIf(isSkipped)(
    isSkipped ? `${name} is skipped: there is no ${missing.join(', ')}` : name,
    run,
    60_000,
  );
}

const lacking = (...programs: string[]) => programs.filter((program) => find(program) === undefined);

test('Node', () => {
  expect(new Set(expected.match(/\d+$/gm)).size).toBe(7);
});

testHost('Bun', lacking('bun'), () => expect(print(['bun', 'cases-node.mjs'])).toBe(expected));
testHost('Deno', lacking('deno'), () => {
  const words = ['deno', 'run', '--allow-read', '--node-modules-dir=manual', 'cases-node.mjs'];
  expect(print(words)).toBe(expected);
});
testHost('jsc', lacking('jsc'), () => expect(print(['jsc', '-m', 'cases-jsc.mjs'])).toBe(expected));
testHost('gjs', lacking('gjs'), () => expect(print(['gjs', '-m', 'cases-gjs.mjs'])).toBe(expected));

testHost('workerd', lacking('workerd'), async () => {
  const words = ['serve', 'workerd/config.capnp', '--socket-addr', 'http=127.0.0.1:18180'];
  const server = spawn(find('workerd') as string, words, { cwd: folder, stdio: 'ignore' });
  try {
    let answer: Response | undefined;
    for (let tries = 0; answer === undefined && tries < 100; tries++) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      answer = await fetch('http://127.0.0.1:18180/').catch(() => undefined);
    }
    expect(await answer?.text()).toBe(expected);
  } finally {
    server.kill();
  }
});

/** Posts what the page of the example has found. */
const POST = `<script>
  const parts = ['page', 'worker'].map((id) => document.getElementById(id));
  new MutationObserver(() => {
    const texts = parts.map((part) => part.textContent);
    if (texts.every((text) => text !== '')) fetch('/', { method: 'POST', body: JSON.stringify(texts) });
  }).observe(document, { subtree: true, childList: true });
</script>`;

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html',
  js: 'text/javascript',
  mjs: 'text/javascript',
  wasm: 'application/wasm',
};

function answer(path: string): readonly [string, string | Uint8Array] {
  const type = TYPES[path.split('.').pop() ?? ''];
  if (type === undefined) return ['text/plain', ''];
  const body = readFileSync(join(folder, path));
  return [type, type === 'text/html' ? `${body}${POST}` : body];
}

for (const browser of ['/usr/bin/chromium', '/usr/bin/firefox-esr'] as const) {
  testHost(`${browser}: page and Web Worker`, existsSync(browser) ? [] : [browser], async () => {
    const posted = JSON.parse(await postedBy(browser, '/browser/page.html', answer));
    expect(posted).toEqual([expected.trim(), expected.trim()]);
  });
}

/** Builds the native library by a compiler, if that has not been done; says where it is. */
function library(compiler: string): string {
  const place = join(root, 'build', compiler === 'cc' ? 'native' : compiler);
  execFileSync(process.execPath, [join(root, 'scripts/native.mjs'), place], {
    env: { ...process.env, CC: compiler },
  });
  return place;
}

function hasNumpy(): boolean {
  try {
    execFileSync('python3', ['-c', 'import numpy'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

describe('native', () => {
  testHost('C', lacking('wasm2c', 'cc', 'make'), () => {
    expect(print(['make', '-s', '-C', 'c', `LIBRARY=${library('cc')}`])).toBe(expected);
  });

  const missing = [...lacking('wasm2c', 'cc'), ...(hasNumpy() ? [] : ['python3 with numpy'])];
  testHost('Python', missing, () => {
    expect(print(['python3', 'python/cases.py'], { GRIDALLOC_LIBRARY: library('cc') })).toBe(expected);
  });

  const arm = 'aarch64-linux-gnu-gcc';
  testHost('C on aarch64, which has fused operations', lacking('wasm2c', 'make', arm, 'qemu-aarch64'), () => {
    const place = library(arm);
    print(['make', '-s', '-C', 'c', `${place}/cases`, `LIBRARY=${place}`, `OUT=${place}`, `CC=${arm}`]);
    const libraries = `LD_LIBRARY_PATH=${place}:/usr/aarch64-linux-gnu/lib`;
    const words = ['qemu-aarch64', '-L', '/usr/aarch64-linux-gnu', '-E', libraries, `${place}/cases`];
    expect(print(words)).toBe(expected);
  });
});
