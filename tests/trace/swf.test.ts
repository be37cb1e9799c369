import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_LINE_BYTES } from '../../host/trace/syntax.js';
import { SWF_FIELDS } from '../../host/trace/trace.js';
import { makeSwfLine, parseSwfChunks } from './helpers.js';

const bytesOf = (logText: string) => Buffer.from(logText, 'latin1');

/** Value of one field in an otherwise usual line; undefined if the line is refused. */
function parseFieldText(fieldText: string): number | undefined {
  const description = parseSwfChunks([bytesOf(`${makeSwfLine({ runtime: fieldText })}\n`)]);
  expect(description.rows.length + description.problems.length).toBe(1);
  return description.rows[0]?.[SWF_FIELDS.indexOf('runtime')];
}

describe('SwfParser', () => {
  it('reads the same wherever the chunks are cut', () => {
    for (const logName of ['spellings.swf', 'problems.swf']) {
      const fileBytes = readFileSync(new URL(`../../traces/${logName}`, import.meta.url));
      const outputOfWholeFile = parseSwfChunks([fileBytes]);
      expect(outputOfWholeFile.rows.length).toBeGreaterThan(3);
      for (let cutPosition = 0; cutPosition <= fileBytes.length; cutPosition++) {
        const outputOfChunks = parseSwfChunks([
          fileBytes.subarray(0, cutPosition),
          fileBytes.subarray(cutPosition),
        ]);
        // The second comparison shows the difference, but is ten times slower.
        if (!isDeepStrictEqual(outputOfChunks, outputOfWholeFile))
          expect(outputOfChunks).toEqual(outputOfWholeFile);
      }
      const singleByteChunks = Array.from(fileBytes, (_, byteIndex) =>
        fileBytes.subarray(byteIndex, byteIndex + 1),
      );
      expect(parseSwfChunks(singleByteChunks)).toEqual(outputOfWholeFile);
    }
  });

  it('hands over all records of a log longer than its buffers', () => {
    const recordCount = 20_000;
    const logText = Array.from({ length: recordCount }, (_, i) =>
      makeSwfLine({ job: i + 1, submit: i * 7 }),
    ).join('\n');
    expect(logText.length).toBeGreaterThan(4 * MAX_LINE_BYTES);
    const description = parseSwfChunks([bytesOf(logText)]);
    expect(description.problems).toEqual([]);
    expect(description.rows.map((row) => row[0])).toEqual(
      Array.from({ length: recordCount }, (_, i) => i + 1),
    );
    expect(description.rows.map((row) => row[1])).toEqual(
      Array.from({ length: recordCount }, (_, i) => i * 7),
    );
    expect(description.lines.at(-1)).toBe(recordCount);
  });

  it('takes the comments before the first record as header, as they stand', () => {
    const logText = `; A: 1  \r\n\n  ;B\n;\tC\u00e9\n${makeSwfLine()}\n; later\n`;
    expect(parseSwfChunks([Buffer.from(logText)]).header).toEqual(['; A: 1  ', '  ;B', ';\tC\u00e9']);
    expect(parseSwfChunks([bytesOf(logText)]).header).toEqual(['; A: 1  ', '  ;B', ';\tC\u00e9']);
    expect(parseSwfChunks([bytesOf('; only\n; comments')]).header).toEqual(['; only', '; comments']);
    expect(parseSwfChunks([bytesOf('; a\nnonsense\n; b\n')]).header).toEqual(['; a']);
    expect(parseSwfChunks([]).headerCalls).toBe(1);
  });

  it('skips a byte order mark, but only at the start', () => {
    expect(parseSwfChunks([bytesOf(`\xef\xbb\xbf; A\n${makeSwfLine()}`)]).header).toEqual(['; A']);
    expect(parseSwfChunks([bytesOf(`\xef\xbb\xbf${makeSwfLine()}`)]).rows).toHaveLength(1);
    expect(
      parseSwfChunks([bytesOf(`${makeSwfLine()}\n\xef\xbb\xbf${makeSwfLine()}`)]).problems,
    ).toMatchObject([{ rule: 'number' }]);
  });

  it('gives exactly the double that the decimal stands for', () => {
    const digits = fc.stringMatching(/^\d{1,20}$/);
    const signArbitrary = fc.constantFrom('', '-', '+');
    const exponent = fc.oneof(fc.constant(''), fc.stringMatching(/^[eE][+-]?\d{1,2}$/));
    const numberTextArbitrary = fc
      .tuple(signArbitrary, digits, fc.option(digits), exponent)
      .map(([s, wholePart, decimals, e]) => `${s}${wholePart}${decimals === null ? '' : `.${decimals}`}${e}`);
    fc.assert(
      fc.property(
        fc.oneof(numberTextArbitrary, fc.double({ noNaN: true, noDefaultInfinity: true }).map(String)),
        (text) => {
          // Adding 0 turns -0 into 0.
          expect(parseFieldText(text)).toBe(Number(text) + 0);
        },
      ),
      { numRuns: 2000 },
    );
    for (const text of ['7.38', '.5', '5.', '-.5', '0.1', '999999999999999', '9007199254740993', '1e-400']) {
      expect(parseFieldText(text)).toBe(Number(text));
    }
    expect(parseFieldText('-0')).toBe(0);
  });

  it('refuses what is no finite decimal number', () => {
    const invalidNumberTexts =
      'nan NaN inf -Infinity 0x10 0b1 1e999 -1e999 --1 +-1 1-2 1+2 1.2.3 . - + e5 1e 1e+ 1_000 1,5 ٣ ;';
    for (const text of invalidNumberTexts.split(' '))
      expect([text, parseFieldText(text)]).toEqual([text, undefined]);
  });

  it('wants whole numbers where things are numbered or counted, and only there', () => {
    const validFieldsLine =
      'job processors requestedProcessors status user group executable queue partition precedingJob';
    for (const field of SWF_FIELDS) {
      const isComplete = validFieldsLine.split(' ').includes(field);
      for (const text of ['1.5', '15e-1']) {
        const { problems } = parseSwfChunks([bytesOf(makeSwfLine({ [field]: text }))]);
        expect([field, problems.map(({ rule }) => rule)]).toEqual([
          field,
          isComplete ? ['whole-number'] : [],
        ]);
      }
      for (const text of ['2.0', '2e0', '0002', '+2']) {
        expect(
          parseSwfChunks([bytesOf(makeSwfLine({ [field]: text }))]).rows[0][SWF_FIELDS.indexOf(field)],
        ).toBe(2);
      }
    }
    expect(parseSwfChunks([bytesOf(makeSwfLine({ job: '9007199254740993' }))]).problems).toMatchObject([
      { rule: 'whole-number', line: 1, field: 1, found: '"9007199254740993"' },
    ]);
  });

  it('takes lines up to the longest one, wherever chunks are cut', () => {
    const remainingFileText = `\n${makeSwfLine()}\n`;
    for (const [filler, rule] of [
      [';', 'long-line'],
      ['1', 'long-line'],
      [' ', 'long-line'],
      ['\0', 'binary'],
    ]) {
      for (const length of [MAX_LINE_BYTES, MAX_LINE_BYTES + 1, 5 * MAX_LINE_BYTES]) {
        const fileBytes = bytesOf(`; first\n${filler.repeat(length)}${remainingFileText}`);
        const outputOfWholeFile = parseSwfChunks([fileBytes]);
        expect(outputOfWholeFile.rows).toHaveLength(1);
        expect(outputOfWholeFile.lines).toEqual([3]);
        if (length > MAX_LINE_BYTES)
          expect(outputOfWholeFile.problems).toMatchObject([{ rule, line: 2, field: undefined }]);
        for (const size of [1000, MAX_LINE_BYTES, MAX_LINE_BYTES + 8, MAX_LINE_BYTES + 9]) {
          const chunks = Array.from({ length: Math.ceil(fileBytes.length / size) }, (_, i) =>
            fileBytes.subarray(i * size, (i + 1) * size),
          );
          expect(parseSwfChunks(chunks)).toEqual(outputOfWholeFile);
        }
      }
    }
  });

  it('holds records padded with blanks to the same length', () => {
    const parsePaddedLine = (length: number) =>
      parseSwfChunks([bytesOf(`${makeSwfLine().padEnd(length)}\n`)]);
    expect(parsePaddedLine(MAX_LINE_BYTES)).toMatchObject({ rows: { length: 1 }, problems: [] });
    expect(parsePaddedLine(MAX_LINE_BYTES + 1)).toMatchObject({
      rows: [],
      problems: [{ rule: 'long-line' }],
    });
  });

  it('does not take one word for two numbers', () => {
    for (const word of ['1-2', '1.5-2', '1.2.3', '1.2+3', '1e2']) {
      const { rows, problems } = parseSwfChunks([bytesOf(makeSwfLine({ wait: word, runtime: '' }))]);
      expect(rows).toEqual([]);
      expect(problems).toMatchObject([
        { rule: 'field-count', found: expect.stringMatching(/^17 fields in /) },
      ]);
    }
  });

  it('reports a descending submit time against the record before, and continues', () => {
    const submits = [5, 9, 7, 8, -1, 8, 2];
    const description = parseSwfChunks([
      bytesOf(submits.map((submit) => `${makeSwfLine({ submit })}\n`).join('')),
    ]);
    expect(description.rows.map((row) => row[1])).toEqual([5, 9, 7, 8, 8, 2]);
    expect(description.problems).toEqual([
      { rule: 'submit-order', line: 3, field: 2, found: '7 after 9 in line 2' },
      { rule: 'negative-submit', line: 5, field: 2, found: '-1' },
      { rule: 'submit-order', line: 7, field: 2, found: '2 after 8 in line 6' },
    ]);
    expect(description.parsed).toEqual({ lines: 7, records: 7 });
  });
});

describe('limits', () => {
  const parseAndListProblems = (logText: string) => parseSwfChunks([bytesOf(logText)]).problems;

  it('a header of 16 MiB is read, a longer one is not', () => {
    const comment = `;${'x'.repeat(16_382)}\n`;
    const outputOfWholeFile = parseSwfChunks([bytesOf(comment.repeat(1024) + makeSwfLine())]);
    expect(outputOfWholeFile.problems).toEqual([]);
    expect(outputOfWholeFile.header).toHaveLength(1024);
    expect(parseAndListProblems(`${comment.repeat(1024)};\n${makeSwfLine()}\n1 2\n`)).toEqual([
      { rule: 'long-header', line: 1025, field: undefined, found: 'more' },
    ]);
  });

  it('a million blank lines or comments in a row are read, no more', () => {
    const emptyLinesText = '\n'.repeat(1_000_000);
    expect(
      parseAndListProblems(`${makeSwfLine()}\n${emptyLinesText}${makeSwfLine()}\n${emptyLinesText}`),
    ).toEqual([]);
    const errorText = '1000000 lines in a row that are blank or comments';
    const stop = { rule: 'empty-lines', field: undefined, found: errorText };
    expect(parseAndListProblems(`${emptyLinesText}\n1 2\n`)).toEqual([{ ...stop, line: 1_000_001 }]);
    expect(parseAndListProblems(`${makeSwfLine()}\n${emptyLinesText};\n1 2\n`)).toEqual([
      { ...stop, line: 1_000_002 },
    ]);
  });
});
