import { describe, expect, test } from 'vitest';
import { removeEnclosingBrackets, splitListedValues } from '../../host/notation.js';
import { addParsedOptionTexts, findOptionByName } from '../../host/options/options.js';
import { OPTIONS_LISTING_METHODS, parseRequestedMethods } from '../../host/request/listedMethods.js';
import { METHOD_OPTION_NAMES, parseMethod, replaceMethodOptions } from '../../host/simulate/methodNames.js';
import { makeSweepStudy } from '../../host/study/sweep.js';
import { combineVariedSettings, listVariableOptionNames } from '../../host/validate/variedSettings.js';
import { OPTION_SAMPLES, type OptionTexts } from '../ways/samples.js';

/** Square brackets must keep a value with commas or semicolons together wherever values are listed. */

/** Values with separators, for options whose samples contain none. */
const OPTION_VALUES_WITH_SEPARATORS: Readonly<Record<string, readonly string[]>> = {
  filter: ['user=7;status=1'],
  perturb: ['shake[seed=1];speeds'],
  limit: ['user.jobs=3;group.jobs=5', 'user.jobs=3,group.jobs=5', 'user[alice].jobs=2,user.jobs=9'],
  'partition-sites': ['a=1;b=2', 'a=1,b=1+2'],
  bandwidth: ['0,1;1,0'],
  latency: ['0,1;1,0'],
  'pass-delay': ['submit=1,end=2'],
  sites: ['8,8'],
  speeds: ['1,2'],
  load: ['1,2'],
  order: ['max(wait, 60)'],
};

/** An option and a text of it. */
type OptionWithText = readonly [optionName: string, text: string];

const optionsWithSampleTexts: OptionWithText[] = [
  ...Object.entries(OPTION_VALUES_WITH_SEPARATORS).flatMap(([name, texts]) =>
    texts.map((text): OptionWithText => [name, text]),
  ),
  ...Object.entries(OPTION_SAMPLES).flatMap(([name, { settings = [] }]) =>
    (settings as readonly OptionTexts[]).flatMap(({ [name]: text }): OptionWithText[] =>
      text === undefined || text === 'none' || findOptionByName(name).isSwitch ? [] : [[name, text]],
    ),
  ),
];
const samplesOf = (optionNames: readonly string[]) =>
  optionsWithSampleTexts.filter(([optionName]) => optionNames.includes(optionName));

describe('a value in square brackets is one value', () => {
  test.each(optionsWithSampleTexts)('of sweep --vary %s=%s', async (name, text) => {
    const sweep = async (valuesText: string) => {
      const study = await makeSweepStudy({
        workload: 'lublin99[jobs=10]',
        texts: {},
        varied: [{ name, values: valuesText }],
        metrics: [],
        replications: undefined,
        locate: (path) => path.join('.'),
      });
      return study.parts[0]!.axes[0]!.entries.map((entry) => entry.text);
    };
    expect(await sweep(`[${text}]`)).toEqual([text]);
    expect(await sweep(`none,[${text}]`)).toEqual(['none', text]);
    expect(await sweep(`[${text}];none`)).toEqual([text, 'none']);
  });

  test.each(samplesOf(listVariableOptionNames()))('of validate --vary %s=%s', async (name, text) => {
    const rejectScheduler = () => Promise.reject(new Error('no scheduler is varied'));
    const settings = await combineVariedSettings([{ name, values: `[${text}]` }], {}, rejectScheduler);
    expect(settings.map(({ method }) => method)).toEqual([addParsedOptionTexts({}, { [name]: text })]);
  });

  test.each(samplesOf(OPTIONS_LISTING_METHODS))('of compare --%s %s', (name, text) => {
    const { key, read } = findOptionByName(name);
    const valuesOf = (listText: string) => {
      const { methods, options } = parseRequestedMethods({ [name]: listText }, []);
      return methods.map((method) => ({ ...options, ...method })[key as keyof typeof options]);
    };
    expect(valuesOf(`[${text}]`)).toEqual([read(text, name)]);
    if (name !== 'discipline') expect(valuesOf(`none,[${text}]`)).toContainEqual(read(text, name));
  });

  test.each(samplesOf(METHOD_OPTION_NAMES))('of compare --method %s=%s', (name, text) => {
    const { key, read } = findOptionByName(name);
    const firstValue = name === 'discipline' ? 'best-fit' : 'easy';
    const methodText = `mine: ${firstValue}, ${name}=[${text}]`;
    const method = parseMethod(methodText, '--method');
    expect(method).toMatchObject({ name: 'mine', [key]: read(text, name) });
    // Methods are put together again where a scheduler in them is replaced.
    expect(parseMethod(replaceMethodOptions(methodText, [], {}), '--method')).toEqual(method);
  });
});

test.each([
  ['[a=1;b=2]', 'a=1;b=2'],
  [' [ a ] ', 'a'],
  ['[a],[b]', '[a],[b]'],
  ['[[a]]', '[a]'],
  ['x[a]', 'x[a]'],
  ['[a', '[a'],
  ['a]', 'a]'],
  ['[', '['],
  ['', ''],
])('the brackets around all of %s are removed', (text, expected) => {
  expect(removeEnclosingBrackets(text)).toBe(expected);
});

test.each([
  ['1,2;3', ['1,2', '3']],
  ['[1,2;3],4', ['1,2;3', '4']],
  ['ti[a=1,b=2],greedy', ['ti[a=1,b=2]', 'greedy']],
  ['a=1;b=2', ['a=1', 'b=2']],
  [' , ', []],
])('the values of %s', (text, expected) => {
  expect(splitListedValues(text)).toEqual(expected);
});
