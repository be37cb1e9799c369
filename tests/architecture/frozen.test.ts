import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  type AbiDescription,
  findBrokenEntries,
  makeContractOfDescription,
  readContracts,
} from '../../scripts/frozen.js';

/**
 * The frozen interface of the core may be extended, but nothing may be removed or changed without a
 * new version.
 */

test('nothing that has been frozen is removed or changed', () => {
  const { now, frozen } = readContracts();
  expect(Object.keys(frozen).length).toBeGreaterThan(250);
  expect(findBrokenEntries(frozen, now)).toEqual([]);
});

type DescriptionChange = (description: Record<string, Record<string, unknown>[]>) => void;

const readAbiDescription = () =>
  JSON.parse(readFileSync(new URL('../../docs/abi.json', import.meta.url), 'utf8')) as AbiDescription;

function findContractChanges(change: DescriptionChange): string[] {
  const changedDescription = readAbiDescription();
  change(changedDescription as unknown as Record<string, Record<string, unknown>[]>);
  return findBrokenEntries(
    makeContractOfDescription(readAbiDescription()),
    makeContractOfDescription(changedDescription),
  );
}

test.each<[string, DescriptionChange, string[]]>([
  ['a call goes away', ({ calls }) => calls.splice(3, 1), ['call jobColumnAddress']],
  [
    'it returns something else',
    ({ calls }) => Object.assign(calls[0], { returns: 'f64' }),
    ['call abiVersion'],
  ],
  [
    'two members change places',
    ({ statuses }) => Object.assign(statuses[1], { number: 0 }),
    ['Status.Paused'],
  ],
  [
    'an option takes something else',
    ({ options }) => Object.assign(options[1], { kind: 'amount' }),
    ['Option.Parameter0'],
  ],
  [
    'a column gets other numbers',
    ({ columns }) => Object.assign(columns[3], { type: 'i32' }),
    ['Column.Start'],
  ],
  [
    'a policy has another name',
    ({ policies }) => Object.assign(policies[4], { name: 'any' }),
    ['policy random', 'policy random[seed]'],
  ],
  ['more is asked of a host', ({ features }) => features.push('simd' as never), ['features']],
  ['a meaning is put in other words', ({ calls }) => Object.assign(calls[0], { meaning: 'Other.' }), []],
  ['a column is added', ({ columns }) => columns.push({ name: 'New', number: 99 }), []],
])('%s', (_, change, brokenEntries) => {
  expect(findContractChanges(change)).toEqual(brokenEntries);
});
