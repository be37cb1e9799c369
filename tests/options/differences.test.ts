import { expect, test } from 'vitest';
import { findOptionDifferences, parseOptionWords } from '../../host/options/document.js';
import { OPTIONS, type OptionKey, optionNameOfKey } from '../../host/options/options.js';
import { OPTION_SAMPLES } from '../ways/samples.js';

/**
 * The differences between two simulations are their different settings, however these are spelled.
 */

function parseOptionsIntoTexts(optionKey: OptionKey, optionSpelling: string): Record<string, string> {
  const sampleText = [OPTION_SAMPLES[optionNameOfKey(optionKey)]?.companionOptions ?? '', optionSpelling]
    .filter((optionText) => optionText !== '')
    .join(' ');
  const options = sampleText.split(/ (?=--)/).flatMap((optionText) => {
    const blankPosition = optionText.indexOf(' ');
    return blankPosition < 0
      ? [optionText]
      : [optionText.slice(0, blankPosition), optionText.slice(blankPosition + 1)];
  });
  return parseOptionWords(options);
}

test.each(Object.entries(OPTION_SAMPLES))('%s', (name, { spellings: values }) => {
  const { key: optionKey } = OPTIONS[name];
  for (const [i, spellings] of values.entries()) {
    for (const spelling of spellings) {
      for (const otherSpelling of spellings) {
        expect(
          findOptionDifferences(
            parseOptionsIntoTexts(optionKey, spelling),
            parseOptionsIntoTexts(optionKey, otherSpelling),
          ),
          `${spelling} | ${otherSpelling}`,
        ).toEqual([]);
      }
      for (const differentSpellings of values.slice(i + 1)) {
        for (const differentSpelling of differentSpellings) {
          expect(
            findOptionDifferences(
              parseOptionsIntoTexts(optionKey, spelling),
              parseOptionsIntoTexts(optionKey, differentSpelling),
            ),
            `${spelling} | ${differentSpelling}`,
          ).not.toEqual([]);
        }
      }
    }
  }
});

test('options without effect in a simulation are no difference', () => {
  const [first, easy] = ['', '--discipline easy --select greedy'].map((text) =>
    parseOptionsIntoTexts('queue', text),
  );
  expect(findOptionDifferences(first, easy).map(({ name }) => name)).toEqual(['discipline']);
});

test('what another core or version wrote is compared as text', () => {
  const [one, other] = ['mine[x=1]', 'mine[x=2]'].map((text) =>
    parseOptionsIntoTexts('policy', `--policy ${text}`),
  );
  expect(findOptionDifferences(one, one)).toEqual([]);
  expect(findOptionDifferences(one, other)).toEqual([{ name: 'policy', a: 'mine[x=1]', b: 'mine[x=2]' }]);
});

test('differences are given in texts that options take', () => {
  for (const [name, { spellings: values }] of Object.entries(OPTION_SAMPLES)) {
    const { key: optionKey } = OPTIONS[name];
    const [[one], [other]] = values.slice(-2);
    for (const { name: option, a, b } of findOptionDifferences(
      parseOptionsIntoTexts(optionKey, one),
      parseOptionsIntoTexts(optionKey, other),
    )) {
      for (const text of [a, b].filter((each) => each !== '-')) {
        expect(() => OPTIONS[option].read(text, option), `${option} ${text}`).not.toThrow();
      }
    }
  }
});
