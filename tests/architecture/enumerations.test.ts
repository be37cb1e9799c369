import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { loadCoreConstants } from '../../host/core/module.js';

/**
 * The core may compare members of its enumerations for equality only; their order must not matter.
 */

const repositoryRoot = fileURLToPath(new URL('../../assembly/', import.meta.url));
/** Enumerations whose members are amounts rather than kinds, and may be used in arithmetic. */
const AMOUNT_ENUMERATIONS = ['Limit', 'Extra'];
const ENUMERATION_NAMES = readdirSync(join(repositoryRoot, 'abi'))
  .flatMap((path) => [
    ...readFileSync(join(repositoryRoot, 'abi', path), 'utf8').matchAll(/^export enum (\w+)/gm),
  ])
  .map(([, name]) => name!)
  .filter((name) => !AMOUNT_ENUMERATIONS.includes(name));
const MEMBER_PATTERN = `(?:${ENUMERATION_NAMES.join('|')})\\.(?!COUNT\\b)\\w+`;
/**
 * Code that compares enumeration members by order or computes with them. `1 + Order.Given`, a
 * number with 0 for none, is allowed.
 */
const ORDER_DEPENDENT_USE_PATTERN = new RegExp(
  `\\b${MEMBER_PATTERN} (?:[<>]=?|[+-]) |[^=][<>]=? ${MEMBER_PATTERN}`,
);

test('enumeration members are neither ordered nor incremented', () => {
  const files = readdirSync(repositoryRoot, { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.ts'),
  );
  const orderDependentUses = files.flatMap((path) =>
    readFileSync(join(repositoryRoot, path), 'utf8')
      .split('\n')
      .flatMap((line, i) =>
        ORDER_DEPENDENT_USE_PATTERN.test(line) ? [`${path}:${i + 1}: ${line.trim()}`] : [],
      ),
  );
  expect(files.length).toBeGreaterThan(50);
  expect(ENUMERATION_NAMES.length).toBeGreaterThan(15);
  expect(orderDependentUses).toEqual([]);
});

test('the test finds such comparisons', () => {
  for (const line of ['order >= Order.Shortest', 'Order.Given < order', 'return Topology.Independent + 1;'])
    expect(line).toMatch(ORDER_DEPENDENT_USE_PATTERN);
  for (const line of ['which < Option.COUNT', 'order === 1 + Order.Given', 'x !== Room.Keys'])
    expect(line).not.toMatch(ORDER_DEPENDENT_USE_PATTERN);
});

test('the count of an enumeration is the number of its members', () => {
  for (const [coreConstantName, members] of Object.entries(
    loadCoreConstants() as Record<string, Record<string, number>>,
  )) {
    if (typeof members !== 'object' || members.COUNT === undefined) continue;
    expect([coreConstantName, members.COUNT]).toEqual([coreConstantName, Object.keys(members).length - 1]);
  }
});
