import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CoreBuild, coreFile, openCore } from '../../host/core/module.js';
import { policyNumbers } from '../../host/core/policies.js';
import { configurationOf, simulateCore } from '../core/harness.js';
import { randomCase } from '../reference/cases.js';

/** docs/abi.md says what the binary says, and its host does what the project's host does. */

const page = readFileSync(new URL('../../docs/abi.md', import.meta.url), 'utf8');
const program = /```js\n([\s\S]*?)```/.exec(page)![1];
const folder = mkdtempSync(join(tmpdir(), 'gridalloc-abi-'));

/** Runs the host of the page over cases that stand in a file, and prints what it found. */
const RUNNER = `
import { readFileSync } from 'node:fs';
import { simulate } from './host.mjs';
const [, , binary, isShared] = process.argv;
const memory = isShared ? new WebAssembly.Memory({ initial: 2, maximum: 65536, shared: true }) : undefined;
const cases = JSON.parse(readFileSync(new URL('cases.json', import.meta.url), 'utf8'));
const found = cases.map(({ jobs, sites, choices }) => {
  const { metric, Start, Execution, Site, LogIndex, Log } = simulate(readFileSync(binary), jobs, sites, { ...choices, memory });
  const processors = jobs.map((job, i) => {
    const held = [];
    for (let pair = LogIndex[i]; held.length < job.processors; pair++) {
      for (let each = Log[2 * pair]; each <= Log[2 * pair + 1]; each++) held.push(each);
    }
    return held;
  });
  const [start, execution, site] = [Start, Execution, Site].map((column) => [...column]);
  const response = metric('AverageResponseTime');
  return { start, execution, site, processors, response, queue: metric('AverageQueueLength') };
});
console.log(JSON.stringify(found));
`;

const randomCases = Array.from({ length: 40 }, (_, i) => randomCase(70_000 + i));

beforeAll(() => {
  const { Resolution, Instant } = openCore();
  const resolutions = { exact: Resolution.Exact, nearest: Resolution.Nearest, floor: Resolution.Floor };
  const cases = randomCases.map(({ jobs, options }) => ({
    jobs: jobs.map(({ submit, runtime, processors, home }) => ({ submit, runtime, processors, home })),
    sites: options.capacities.map((processors, i) => ({
      processors,
      speed: options.speeds[i],
      load: options.load[i],
    })),
    choices: {
      policy: options.policy,
      parameters: policyNumbers(configurationOf(options, true).policy),
      options: {
        Resolution: resolutions[options.resolution],
        Instant: options.instant === 'batched' ? Instant.Batched : Instant.PerEvent,
        MinSpeedRatio: options.minSpeedRatio,
      },
    },
  }));
  writeFileSync(join(folder, 'host.mjs'), program);
  writeFileSync(join(folder, 'runner.mjs'), RUNNER);
  writeFileSync(join(folder, 'cases.json'), JSON.stringify(cases));
});

afterAll(() => rmSync(folder, { recursive: true }));

test.each(['release', 'shared'] as const)(
  'the host of the page agrees with the project: %s build',
  (build) => {
    const output = execFileSync(
      process.execPath,
      [join(folder, 'runner.mjs'), fileURLToPath(coreFile(build)), ...(build === 'shared' ? ['shared'] : [])],
      { encoding: 'utf8' },
    );
    const found: unknown[] = JSON.parse(output);
    expect(found.length).toBe(randomCases.length);
    randomCases.forEach(({ jobs, options }, i) => {
      const { start, execution, site, processors, metrics } = simulateCore(jobs, options, 'release');
      const { averageResponseTime: response, averageQueueLength: queue } = metrics;
      expect(found[i]).toEqual({ start, execution, site, processors, response, queue });
    });
  },
);

test('the host of the page is short and needs no package', () => {
  const lines = program.split('\n').filter((line) => line.trim() !== '');
  expect(lines.length).toBeLessThan(60);
  expect(program).not.toMatch(/\b(?:from|require|import)\b/);
});

function exportsOf(build: CoreBuild): WebAssembly.Exports {
  return new WebAssembly.Instance(new WebAssembly.Module(readFileSync(coreFile(build)))).exports;
}

/** First and second cell of the rows of a section's table. */
function rowsOf(section: string): [string, string][] {
  const text = page.split(/^#+ /m).find((part) => part.startsWith(`${section}\n`)) ?? '';
  return [...text.matchAll(/^\| `?(\w+)[^|]* \| ([^|]*) \|/gm)]
    .map(([, first, second]): [string, string] => [first, second])
    .filter(([first]) => !['name', 'call'].includes(first));
}

test('the tables of constants are those of the binary', () => {
  const exported: Record<string, string> = {};
  for (const [name, value] of Object.entries(exportsOf('release'))) {
    if (value instanceof WebAssembly.Global) exported[name] = String(value.value);
  }
  const enumerations = [...new Set(Object.keys(exported).map((name) => name.split('.')[0]))];
  expect(enumerations.length).toBeGreaterThan(5);
  const written = enumerations.flatMap((enumeration) =>
    rowsOf(enumeration).map(([name, value]) => [`${enumeration}.${name}`, value]),
  );
  expect(Object.fromEntries(written)).toEqual(exported);
});

test('the table of calls has every function of the binary', () => {
  const functions = Object.entries(exportsOf('release')).filter(([, value]) => typeof value === 'function');
  expect(
    rowsOf('Calls')
      .map(([name]) => name)
      .sort(),
  ).toEqual(functions.map(([name]) => name).sort());
});

test('the version is that of the binary', () => {
  expect(Number(/`abiVersion\(\)` is (\d+)\./.exec(page)?.[1])).toBe(openCore().abiVersion());
});
