import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readStudy } from '../../host/runs/planStudy.js';
import { expandStudy } from '../../host/study/expand.js';
import { makeTemporaryFolder } from '../temporaryFolder.js';
import { parse, sentenceOf, VALID_STUDY_TEXT } from './goodStudy.js';

/**
 * Limits on the length of study files and names; long input must take time proportional to its
 * length.
 */

describe('long input', () => {
  test.each([
    ['comments', `${VALID_STUDY_TEXT}${'# a\n'.repeat(600_000)}`],
    [
      'a list',
      VALID_STUDY_TEXT.replace('[1, 2]', `[${Array.from({ length: 400_000 }, (_, i) => i + 1).join()}]`),
    ],
    ['characters of several bytes', `${VALID_STUDY_TEXT}# ${'\u{1f600}'.repeat(600_000)}\n`],
  ])('a file with %s beyond 2 MB is refused unread', async (_, text) => {
    expect(await sentenceOf(() => parse(text))).toMatch(
      /^my.yaml is larger than 2 MB, as no study file is; /,
    );
    const file = join(makeTemporaryFolder(), 'long.yaml');
    writeFileSync(file, text);
    expect(await sentenceOf(() => readStudy(file))).toMatch(/long.yaml is larger than 2 MB/);
  });

  test('a file without an end is refused', async () => {
    expect(await sentenceOf(() => readStudy('/dev/zero'))).toBe(
      '/dev/zero is larger than 2 MB, as no study file is; check that it is the right file, and write long lists of whole numbers as ranges, such as 1..1000',
    );
  });

  // Steps quadratic in the length would take hours.
  test.each([
    ['an expression', 'estimate + '.repeat(150_000), 'estimate'],
    ['words', 'a'.repeat(1_600_000), ''],
    ['commas and bars', 'a|b,'.repeat(400_000), 'c'],
    ['brackets', 'a[b],'.repeat(300_000), 'c|d'],
  ])('%s are expanded at a walk', async (_, longOrderBegin, lastPart) => {
    const studyText = VALID_STUDY_TEXT.replace(
      '  sites:',
      `  order: '${longOrderBegin}${lastPart}'\n  sites:`,
    );
    const study = await parse(
      longOrderBegin.includes('|') || lastPart.includes('|')
        ? studyText.replace('columns: policy', 'columns: [policy, variant]')
        : studyText,
    );
    const orders = [...expandStudy(study, undefined)].map(({ options }) => options.order);
    expect(new Set(orders)).toEqual(new Set([longOrderBegin + lastPart]));
  });

  test('lists within brackets are their values, the last changing fastest', async () => {
    const study = await parse(
      VALID_STUDY_TEXT.replace('[best-fit, ai2]', "['ti[sht=1|2,slt=3|4]']").replace(
        'columns: policy',
        'columns: [policy, variant]',
      ),
    );
    const policies = [...expandStudy(study, undefined)].map(({ options }) => options.policy);
    expect(policies.slice(0, 4)).toEqual(
      ['1,slt=3', '1,slt=4', '2,slt=3', '2,slt=4'].map((threshold) => `ti[sht=${threshold}]`),
    );
  });
});

/** Names of tables and figures are used as file names. */
describe.each(['tables', 'figures'])('names of %s', (studySectionName) => {
  const makeStudyWithItemName = (itemName: string) => {
    const sectionBody =
      studySectionName === 'tables'
        ? '{ title: T, measures: art, rows: load, columns: policy }'
        : '{ title: F, measure: art, x: load, series: policy }';
    return VALID_STUDY_TEXT.replace(
      /tables:[\s\S]*$/,
      `${studySectionName}:\n  ${JSON.stringify(itemName)}: ${sectionBody}\n`,
    );
  };

  test.each([
    ['x'.repeat(101), 'a name of 101 letters is too long for that of a file; give it 100 at most'],
    ...['CON', 'nul', 'com1', 'LPT9', 'aux', 'prn'].map((name) => [
      name,
      `Windows takes a file named '${name}' for a device; give another name`,
    ]),
    ...['a/b', '..', '.', '', 'a b', 'a.b', '-a', 'a\\b', 'é', 'a:b', '../x', '/x'].map((name) => [
      name,
      'expected a name of letters, digits and -, which begins with a letter',
    ]),
    ...['a\n', 'a\u0000', 'a\u001b[1m', 'a\u202e'].map((name) => [name, '']),
  ])('%j are no names of files', async (name, sentence) => {
    const message = await sentenceOf(() => parse(makeStudyWithItemName(name)));
    expect(message).toMatch(/^my.yaml/);
    expect(message).toContain(sentence);
    expect(message.length).toBeLessThan(200);
  });

  test('others are', async () => {
    for (const name of ['x'.repeat(100), 'console', 'com', 'a-1']) await parse(makeStudyWithItemName(name));
  });
});
