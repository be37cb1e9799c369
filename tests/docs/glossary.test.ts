/** Checks that identifiers in docs/glossary.md exist in the code. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openCore } from '../../host/core/module.js';
import { policies } from '../../host/core/policies.js';
import * as library from '../../host/index.js';
import { OPTIONS } from '../../host/options/options.js';
import { listMetricNamesOfSimulation } from '../../host/study/runValues.js';

const page = readFileSync(new URL('../../docs/glossary.md', import.meta.url), 'utf8');

/** Identifiers in backquotes in the third column of the tables. */
const glossaryIdentifiers = page
  .split('\n')
  .filter((line) => /^\| /.test(line))
  .flatMap((line) => [...line.split(' | ')[2].matchAll(/`([^`]+)`/g)].map(([, word]) => word));

const options = Object.entries(OPTIONS);
const knownIdentifiers = new Set<string>([
  ...options.map(([name]) => `--${name}`),
  ...options.flatMap(([, { choices: optionChoices }]) => optionChoices ?? []),
  ...policies().flatMap(({ name: policyName, parameters: policyParameters }) => [
    policyName,
    ...policyParameters.map((parameter) => parameter.name),
  ]),
  ...listMetricNamesOfSimulation(1),
  ...library.JOB_COLUMNS,
  ...Object.keys(openCore().Scalar),
  ...Object.keys(library),
  ...['WORKLOAD', 'runtime', 'capacity', 'draw[sh=0.12,seed=1]', 'trace info', '--draws', '--replications'],
]);

test('every identifier exists in the program', () => {
  expect(glossaryIdentifiers.length).toBeGreaterThan(60);
  expect(
    glossaryIdentifiers.filter((glossaryIdentifier) => !knownIdentifiers.has(glossaryIdentifier)),
  ).toEqual([]);
});

test('every allocator, discipline and metric of the papers has its term', () => {
  const identifiersInGlossary = new Set(glossaryIdentifiers);
  const paperNames = [
    'best-fit',
    'fastest-first',
    'si',
    'ti',
    'ai',
    'ai2',
    'tai',
    'tai2',
    'fcfs',
    'easy',
    'conservative',
  ];
  expect(
    [...paperNames, 'averageResponseTime', 'awrt', 'awwt'].filter((word) => !identifiersInGlossary.has(word)),
  ).toEqual([]);
});
