import { describe, expect, test } from 'vitest';
import { findOptionByName } from '../../host/options/options.js';
import { OPTIONS_LISTING_METHODS } from '../../host/request/listedMethods.js';
import {
  formatOptionsAsCommandWords,
  LOG,
  OPTION_SAMPLES,
  type OptionTexts,
  sampleSettingsOfOption,
} from '../ways/samples.js';
import { runProgramInProcess } from './runProgram.js';

/**
 * Combines every option that may list several values with every discipline: no discipline may
 * vanish or appear twice.
 */

const DISCIPLINES = ['fcfs', 'sjf', 'first-available', 'easy', 'conservative'];

interface Row {
  readonly discipline: string;
  readonly name: string;
}

async function compareDisciplines(options: OptionTexts) {
  const commandWords = formatOptionsAsCommandWords({ ...options, discipline: DISCIPLINES.join(',') });
  const { exitCode, stdout, stderr } = await runProgramInProcess(
    ['compare', '-', ...commandWords, '--json'],
    {
      input: LOG,
    },
  );
  expect({ exitCode, err: exitCode === 0 ? '' : stderr }).toEqual({ exitCode: 0, err: '' });
  const rows: Row[] = JSON.parse(stdout).runs;
  return { rows, messages: stderr.split('\n').filter((line) => /compared|skipped/.test(line)) };
}

const optionNames = OPTIONS_LISTING_METHODS.filter((name) => !['discipline', 'policy'].includes(name));
const cases = optionNames.flatMap((optionName) =>
  sampleSettingsOfOption(optionName).map((sample): [string, OptionTexts, string] => {
    const { discipline: _, [optionName]: value = '', ...otherFields } = sample;
    return [optionName, otherFields, value];
  }),
);

test('every option that may list values has a sample', () => {
  expect(optionNames.filter((optionName) => OPTION_SAMPLES[optionName] === undefined)).toEqual([]);
  expect(cases.length).toBeGreaterThan(15);
});

describe.each([
  ['no policy', {}],
  ['a policy', { policy: 'best-fit' }],
] as const)('with %s', (_, policy) => {
  test.each(cases)('--%s beside %j: none, %s', async (name, otherOptions, value) => {
    const commonOptions = { ...otherOptions, ...policy };
    const comparisonUnderCommonOptions = await compareDisciplines(commonOptions).catch(() => undefined);
    // Other options of the sample exclude this discipline or all disciplines.
    if (comparisonUnderCommonOptions === undefined) return;
    const { choices: optionChoices } = findOptionByName(name);
    const sampleValues = [...new Set(['none', ...(optionChoices ?? []).map(String), value])];
    const listed = await compareDisciplines({ ...commonOptions, [name]: sampleValues.join(',') }).catch(
      () => undefined,
    );
    if (listed === undefined) {
      // Some value applies to no discipline, and is then refused by itself too.
      const refusals = sampleValues.map((sampleValue) =>
        compareDisciplines({ ...commonOptions, [name]: sampleValue }).catch(() => undefined),
      );
      expect(await Promise.all(refusals)).toContain(undefined);
      return;
    }
    const { rows, messages } = listed;
    expect([...new Set(rows.map(({ discipline }) => discipline))]).toEqual([
      ...new Set(comparisonUnderCommonOptions.rows.map(({ discipline }) => discipline)),
    ]);
    expect(new Set(rows.map((row) => JSON.stringify(row))).size).toBe(rows.length);
    // At most one message of each kind: omitted options, skipped methods, identical methods.
    const kinds = messages.map((line) => /omitted|skipped|compared once/.exec(line)?.[0]);
    expect(new Set(kinds).size, messages.join('\n')).toBe(messages.length);
  });
});
