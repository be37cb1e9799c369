import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { type CoreBuild, openCore } from '../../host/core/module.js';
import { coreFile } from '../../host/files/coreFile.js';
import { passCoreOptions } from '../../host/options/configuration.js';
import { needsHostComputedKeys } from '../../host/options/order.js';
import { findOrderOfWaitingJobs } from '../../host/options/runOptions.js';
import { computeOrderKeys } from '../../host/simulate/orderKeys.js';
import {
  makeConfigurationFromReference,
  makeWorkloadOfReferenceJobs,
  simulateCore,
} from '../core/simulateCore.js';
import { randomAllocatorCase } from '../reference/cases/allocators.js';
import { randomCoallocationCase } from '../reference/cases/coallocation.js';
import { randomLoadSharingCase } from '../reference/cases/loadSharing.js';
import { randomMoldableCase } from '../reference/cases/moldable.js';
import { findCodeBlocksOfPage, makeProjectFolder, runPrograms } from './examples.js';

/** Checks docs/abi.md against the binary, and its example host against the project's host. */

const abiPageText = ['abi', 'abi-reference']
  .map((name) => readFileSync(new URL(`../../docs/${name}.md`, import.meta.url), 'utf8'))
  .join('\n');
const [program, ...programs] = findCodeBlocksOfPage(abiPageText, 'js');
const folder = makeProjectFolder();

/** Program that runs the example host of docs/abi.md on cases from a file and prints their results. */
const RUNNER_MODULE_CODE = `
import { readFileSync } from 'node:fs';
import { simulate } from './host.mjs';
const [, , binary, isShared] = process.argv;
const memory = isShared ? new WebAssembly.Memory({ initial: 2, maximum: 65536, shared: true }) : undefined;
const cases = JSON.parse(readFileSync(new URL('cases.json', import.meta.url), 'utf8'));
const found = cases.map(({ jobs, sites, choices }) => {
  const run = simulate(readFileSync(binary), jobs, sites, { ...choices, memory });
  const [Start, Execution, Site, Held, LogIndex, Log, PartIndex, Parts] = ['Start', 'Execution', 'Site', 'Held', 'LogIndex', 'Log', 'PartIndex', 'Parts'].map((name) => run.column(name));
  const [StopJob, StopSite, StopStart, StopEnd, StopLogIndex] = ['Job', 'Site', 'Start', 'End', 'LogIndex'].map((name) => run.column('Stop' + name));
  const widths = choices.options.Moldable > 0 ? [...Held] : jobs.Processors;
  const processorsFrom = (first, width) => {
    const held = [];
    for (let pair = first; held.length < width; pair++) {
      for (let each = Log[2 * pair]; each <= Log[2 * pair + 1]; each++) held.push(each);
    }
    return held;
  };
  const processors = widths.map((width, i) => processorsFrom(LogIndex[i], width));
  const stoppedRuns = [...StopJob].map((job, i) => {
    const run = { job, site: StopSite[i], start: StopStart[i], end: StopEnd[i] };
    return { ...run, processors: processorsFrom(StopLogIndex[i], widths[job]) };
  });
  const parts = widths.map((width, i) => {
    if (!(PartIndex[i] >= 0)) return [{ site: Site[i], processors: width }];
    const taken = [];
    for (let part = PartIndex[i], rest = width; rest > 0; part++) {
      taken.push({ site: Parts[2 * part], processors: Parts[2 * part + 1] });
      rest -= Parts[2 * part + 1];
    }
    return taken;
  });
  const [start, execution, site] = [Start, Execution, Site].map((column) => [...column]);
  const response = run.metric('AverageResponseTime');
  const queue = run.metric('AverageQueueLength');
  return { start, execution, site, parts, processors, stoppedRuns, response, queue };
});
console.log(JSON.stringify(found));
`;

const randomCasesToRun = [
  ...Array.from({ length: 40 }, (_, i) => randomAllocatorCase(70_000 + i)),
  ...Array.from({ length: 60 }, (_, i) => randomLoadSharingCase(80_000 + i)),
  ...Array.from({ length: 60 }, (_, i) => randomMoldableCase(90_000 + i)),
  ...Array.from({ length: 60 }, (_, i) => randomCoallocationCase(100_000 + i)),
];

beforeAll(() => {
  const cases = randomCasesToRun.map(({ jobs, options }) => {
    const configuration = makeConfigurationFromReference(options, true);
    const valuesByName: Record<string, number> = {};
    passCoreOptions(configuration, (name, value) => {
      // The example host finds the number of the policy by itself.
      if (!/^(Policy|Parameter\d)$/.test(name)) valuesByName[name] = value;
    });
    const { declaration, values: input } = configuration.policy;
    const parameters = Object.fromEntries(
      declaration.parameters.map(({ name: parameterName }, i) => [parameterName, input[i]]),
    );
    const { capacities, speeds, load, heterogeneity, bandwidth, latency } = options;
    const order = findOrderOfWaitingJobs(configuration);
    const { backfillOrder } = configuration;
    const sites = {
      Capacity: capacities,
      Speed: speeds,
      Load: load,
      TimeFactor: heterogeneity,
      Bandwidth: bandwidth?.flat(),
      Latency: bandwidth && (latency?.flat() ?? bandwidth.flat().fill(0)),
      Key: needsHostComputedKeys(order)
        ? [...computeOrderKeys(order, makeWorkloadOfReferenceJobs(jobs), configuration)]
        : undefined,
      BackfillKey: needsHostComputedKeys(backfillOrder)
        ? [...computeOrderKeys(backfillOrder, makeWorkloadOfReferenceJobs(jobs), configuration)]
        : undefined,
    };
    const columns = {
      Submit: jobs.map((job) => job.submit),
      Runtime: jobs.map((job) => job.runtime),
      Estimate: jobs.map((job) => job.estimate),
      Processors: jobs.map((job) => job.processors),
      Home: jobs.map((job) => job.home),
      Data: jobs.map((job) => job.data ?? 0),
    };
    const policyAndOptions = { policy: options.policy, parameters, options: valuesByName };
    return { jobs: columns, sites, choices: policyAndOptions };
  });
  writeFileSync(join(folder, 'host.mjs'), program);
  writeFileSync(join(folder, 'runner.mjs'), RUNNER_MODULE_CODE);
  writeFileSync(join(folder, 'cases.json'), JSON.stringify(cases));
});

test.each(['release', 'shared'] as const)(
  'the host of the page agrees with the project: %s build',
  (build) => {
    const programOutput = execFileSync(
      process.execPath,
      [join(folder, 'runner.mjs'), fileURLToPath(coreFile(build)), ...(build === 'shared' ? ['shared'] : [])],
      { encoding: 'utf8' },
    );
    const resultsOfAllCases: unknown[] = JSON.parse(programOutput);
    expect(resultsOfAllCases.length).toBe(randomCasesToRun.length);
    randomCasesToRun.forEach(({ jobs, options }, i) => {
      const expectedResults = simulateCore(jobs, options, 'release');
      const {
        start,
        execution,
        site,
        parts: allocatedParts,
        processors,
        stoppedRuns,
        metrics: referenceMetrics,
      } = expectedResults;
      const { averageResponseTime: response, averageQueueLength: queue } = referenceMetrics;
      expect(resultsOfAllCases[i]).toEqual({
        start,
        execution,
        site,
        parts: allocatedParts,
        processors,
        stoppedRuns,
        response,
        queue,
      });
    });
  },
);

test('the programs of the page print what it says', () => {
  const printedLines = runPrograms(folder, programs).flat();
  expect(
    printedLines.map(({ line: printingLine, printedValue: found }) => ({ line: printingLine, found })),
  ).toEqual(
    printedLines.map(({ line: printingLine, expected }) => ({ line: printingLine, found: expected })),
  );
});

function instantiateBuild(coreBuild: CoreBuild): WebAssembly.Exports {
  return new WebAssembly.Instance(new WebAssembly.Module(readFileSync(coreFile(coreBuild)))).exports;
}

/** First and second cell of each row in the table of a section. */
function readTableOfSection(section: string): [string, string][] {
  const sectionText =
    abiPageText.split(/^#+ /m).find((pageSection) => pageSection.startsWith(`${section}\n`)) ?? '';
  return [...sectionText.matchAll(/^\| `?(\w+)[^|]* \| ([^|]*) \|/gm)]
    .map(([, firstProgram, secondProgram]): [string, string] => [firstProgram, secondProgram])
    .filter(([firstCell]) => !['name', 'call'].includes(firstCell));
}

test('the tables of constants are those of the binary', () => {
  const numbersByExportName: Record<string, string> = {};
  for (const [exportName, value] of Object.entries(instantiateBuild('release'))) {
    if (value instanceof WebAssembly.Global) numbersByExportName[exportName] = String(value.value);
  }
  const enumerations = [...new Set(Object.keys(numbersByExportName).map((name) => name.split('.')[0]))];
  expect(enumerations.length).toBeGreaterThan(5);
  const documentedEnumMembers = enumerations.flatMap((enumeration) =>
    readTableOfSection(enumeration).map(([name, value]) => [`${enumeration}.${name}`, value]),
  );
  expect(Object.fromEntries(documentedEnumMembers)).toEqual(numbersByExportName);
});

test('the table of calls has every function of the binary', () => {
  const functions = Object.entries(instantiateBuild('release')).filter(
    ([, value]) => typeof value === 'function',
  );
  expect(
    readTableOfSection('Calls')
      .map(([name]) => name)
      .sort(),
  ).toEqual(functions.map(([name]) => name).sort());
});

test('the version is that of the binary', () => {
  expect(Number(/`abiVersion\(\)` is (\d+)\b/.exec(abiPageText)?.[1])).toBe(openCore().abiVersion());
});
