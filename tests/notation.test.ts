import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InputError } from '../host/errors.js';
import {
  findNearestName,
  makeUnknownNameError,
  parseNotation,
  parseNumber,
  parseNumberList,
  parseWholeNumber,
  parseWholeNumberList,
  printNotation,
} from '../host/notation.js';

function errorMessageFrom(action: () => unknown): string {
  try {
    action();
  } catch (error) {
    if (error instanceof InputError) return error.message;
    throw error;
  }
  throw new Error('expected an InputError');
}

describe('name[param=value,...]', () => {
  it('takes names and parameters apart', () => {
    expect(parseNotation('best-fit')).toEqual({ name: 'best-fit', parameters: new Map() });
    expect(parseNotation(' ti[ sht = 0.05 , slt=2 ] ')).toEqual({
      name: 'ti',
      parameters: new Map([
        ['sht', '0.05'],
        ['slt', '2'],
      ]),
    });
  });

  it('prints back what it parsed', () => {
    const wordArbitrary = fc.stringMatching(/^[a-z][a-z0-9-]{0,8}$/);
    const valueArbitrary = fc.oneof(
      wordArbitrary,
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.integer(),
    );
    fc.assert(
      fc.property(
        wordArbitrary,
        fc.uniqueArray(fc.tuple(wordArbitrary, valueArbitrary), { selector: ([key]) => key }),
        (name, entries) => {
          const printedText = printNotation(name, entries);
          const notationParsedFromPrint = parseNotation(printedText);
          expect(notationParsedFromPrint.name).toBe(name);
          expect([...notationParsedFromPrint.parameters]).toEqual(
            entries.map(([key, input]) => [key, String(input)]),
          );
          expect(printNotation(notationParsedFromPrint.name, notationParsedFromPrint.parameters)).toBe(
            printedText,
          );
        },
      ),
    );
  });

  it.each([
    '',
    '[a=1]',
    'ti[',
    'ti]',
    'ti[]',
    'ti[sht]',
    'ti[sht=]',
    'ti[=1]',
    'ti[a=1,]',
    'ti[a=1]b',
    'ti[a=b=c]',
    'two words',
    'ti[[a=1]]',
  ])('refuses %j', (text) => {
    expect(errorMessageFrom(() => parseNotation(text))).toContain(`cannot read '${text}'`);
  });

  it('refuses a parameter that is given twice', () => {
    expect(errorMessageFrom(() => parseNotation('ti[sht=1,sht=2]'))).toContain(
      "parameter 'sht' is given twice",
    );
  });
});

describe('nearest known name', () => {
  const knownPolicies = ['best-fit', 'fastest-first', 'first-fit', 'worst-fit', 'ai', 'ai2'];

  it.each([
    ['bestfit', 'best-fit'],
    ['Best-Fit', 'best-fit'],
    ['wrost-fit', 'worst-fit'],
    ['fastest', undefined],
    ['fastest-fist', 'fastest-first'],
    ['ai3', 'ai'],
    ['ia', 'ai'],
    ['quantum', undefined],
  ])('%s -> %s', (name, expected) => {
    expect(findNearestName(name, knownPolicies)).toBe(expected);
  });

  it('names the nearest and all known ones', () => {
    expect(makeUnknownNameError('policy', 'bestfit', knownPolicies).message).toBe(
      "unknown policy 'bestfit'; did you mean 'best-fit'? Known: best-fit, fastest-first, first-fit, worst-fit, ai, ai2",
    );
    expect(makeUnknownNameError('key', 'quantum', ['wait', 'home', 'wait']).message).toBe(
      "unknown key 'quantum'. Known: wait, home",
    );
    expect(makeUnknownNameError('policy', 'quantum', ['si', 'ti']).message).toBe(
      "unknown policy 'quantum'. Known: si, ti",
    );
  });
});

describe('numbers', () => {
  it('reads decimal numbers exactly', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(parseNumber(String(value), 'x') + 0).toBe(value + 0);
      }),
    );
    expect(parseNumberList('5,4, .5,1e3', '--load')).toEqual([5, 4, 0.5, 1000]);
    expect(parseWholeNumberList('8,128', '--sites')).toEqual([8, 128]);
  });

  it.each(['', ' ', 'x', '1x', '0x10', 'Infinity', 'NaN', '1e999', '1,2', '--1', '.'])(
    'refuses %j',
    (text) => {
      expect(errorMessageFrom(() => parseNumber(text, '--rc'))).toBe(
        `--rc: expected a number, found '${text}'`,
      );
    },
  );

  it.each(['1.5', '1e-3', '1.55e1', '9007199254740993', '50%', '7d', ''])(
    'refuses %j as a whole number',
    (text) => {
      expect(errorMessageFrom(() => parseWholeNumber(text, 'seed'))).toBe(
        `seed: expected a whole number, found '${text}'`,
      );
    },
  );

  it('reads shares in percent as their decimals, and whole numbers with an exponent', () => {
    fc.assert(
      fc.property(fc.nat(100), (percent) => {
        expect(parseNumber(`${percent}%`, 'x')).toBe(Number((percent / 100).toFixed(2)));
      }),
    );
    expect(parseNumber('7.5 %', 'x')).toBe(0.075);
    expect(parseWholeNumberList('1e3,1.5e1', '--sites')).toEqual([1000, 15]);
  });

  it('reads times in seconds or with units', () => {
    const isTime = true;
    expect(parseNumber('7d', 'x', { isTime })).toBe(604_800);
    expect(parseNumber('1h30m', 'x', { isTime })).toBe(5400);
    expect(parseNumber('1.5h', 'x', { isTime })).toBe(5400);
    expect(parseWholeNumber('2w1d30min5s', 'x', { isTime })).toBe(1_297_805 + 0);
    expect(parseNumber('90', 'x', { isTime })).toBe(90);
    for (const text of ['7x', '1h30', 'd', '50%', '-1d', '1h 30m']) {
      expect(errorMessageFrom(() => parseNumber(text, '--warm-up', { isTime, atLeast: 0 }))).toBe(
        `--warm-up: expected a number of seconds, at least 0, or a time such as 7d or 1h30m, found '${text}'`,
      );
    }
    expect(errorMessageFrom(() => parseWholeNumber('0.5s', 'x', { isTime }))).toContain(
      'expected a whole number',
    );
  });

  it('keeps to the range', () => {
    expect(parseNumber('1', 'rc', { above: 0, atMost: 1 })).toBe(1);
    expect(errorMessageFrom(() => parseNumber('0', 'rc', { above: 0, atMost: 1 }))).toBe(
      "rc: expected a number above 0 and at most 1, found '0'",
    );
    expect(errorMessageFrom(() => parseWholeNumber('-1', 'seed', { atLeast: 0 }))).toBe(
      "seed: expected a whole number of at least 0, found '-1'",
    );
    expect(errorMessageFrom(() => parseNumber('3', 'x', { atMost: 2 }))).toBe(
      "x: expected a number of at most 2, found '3'",
    );
  });

  it('names the entry of a list', () => {
    expect(errorMessageFrom(() => parseNumberList('1,,3', '--load'))).toBe(
      "--load, entry 2: expected a number, found ''",
    );
  });
});
