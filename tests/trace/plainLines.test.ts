import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { makeMersenneTwister } from '../../host/math/random.js';
import { type ParseOptions, parseTrace } from '../../host/trace/readText.js';
import { knownColumnsOfTrace } from './helpers.js';

/**
 * The fast line reader and the reader that splits text must give the same record, or refuse a line
 * with the same message.
 */

/** Records and notes of a log, or the error message with which it is refused. */
function readRecordsOrErrorText(logText: string, options: ParseOptions = {}): unknown {
  try {
    const trace = parseTrace(logText, { ...options, source: 'log' });
    return {
      records: knownColumnsOfTrace(trace),
      header: trace.header.lines,
      leftOut: trace.leftOut,
      notes: trace.notes,
    };
  } catch (error) {
    return (error as Error).message.replace(/"[^"]*"/g, 'TEXT');
  }
}

describe('a line in the usual form, and the same line in a form that only the slow reader takes', () => {
  const TIME_SPELLINGS = [
    '2026-03-05 08:00:00',
    '2026-03-05T08:10:00Z',
    '2026-03-05 09:00:00.000',
    '2026-03-05 08:30:00+00:00',
    '1772697600',
    '1772697660.0',
    '177269766000',
    '1772697600000',
    '',
    'None',
    '2026-02-30 00:00:00',
    '0',
    '-1',
    '2026-03-05 10:00:00+01:00',
    '2026-03-05 08:00',
  ];
  const NUMBERS = ['4', '4.0', '0', '', '-1', '4.5', '1e3', '123456789012345', 'NaN', 'x', '4.'];
  const DURATION_TEXTS = [
    ...NUMBERS,
    '1:30',
    '1:30:00',
    '1-01:00:00',
    'INFINITE',
    'UNLIMITED',
    'Partition_Limit',
    '525600',
    '31536000',
  ];
  const NAMES = ['ann', 'Bob', '7', '', '-1', 'None', 'null', 'unknown', 'é', 'a b', ' c '];
  const STATE_TEXTS = [
    'COMPLETED',
    'FAILED',
    'CANCELLED',
    'CANCELLED by 7',
    'completed',
    'RUNNING',
    'NODE_FAIL',
    'REQUEUED',
    'Pass',
    '1',
    '5',
    '',
    'x',
  ];
  const COLUMNS =
    'job=id,submit=sub,eligible=eli,start=sta,end=end,runtime=run,processors=cpu,requestedProcessors=req,requestedTime=lim,status=sta2,user=usr,group=grp,queue=q';
  const TABLE_HEADER = 'id,sub,eli,sta,end,run,cpu,req,lim,sta2,usr,grp,q,other';

  test('tables', () => {
    const generator = makeMersenneTwister([46]);
    const of = (fieldTexts: readonly string[], defaultValue: string) =>
      generator.drawUniform() < 0.6
        ? defaultValue
        : (fieldTexts[Math.floor(generator.drawUniform() * fieldTexts.length)] as string);
    const outcomeCounts = { read: 0, refused: 0 };
    for (let round = 0; round < 3000; round++) {
      const rows = Array.from({ length: 3 }, (_, i) => [
        of([...NUMBERS, 'j_1'], String(i)),
        of(TIME_SPELLINGS, '2026-03-05 08:00:00'),
        of(TIME_SPELLINGS, '2026-03-05 08:00:00'),
        of(TIME_SPELLINGS, '2026-03-05 08:01:00'),
        of(TIME_SPELLINGS, '2026-03-05 08:02:00'),
        of(DURATION_TEXTS, '60'),
        of(NUMBERS, '4'),
        of(NUMBERS, '4'),
        of(DURATION_TEXTS, '10'),
        of(STATE_TEXTS, 'COMPLETED'),
        of(NAMES, 'ann'),
        of(NAMES, 'bob'),
        of(NAMES, 'q'),
        of(NAMES, 'z'),
      ]);
      const factorSuffix = round % 2 === 0 ? '*60' : '';
      const columns = COLUMNS.replace('lim', `lim${factorSuffix}`);
      const unquotedTableText = [TABLE_HEADER, ...rows.map((row) => row.join(','))].join('\n');
      const quotedTableText = [
        TABLE_HEADER,
        ...rows.map((row) => row.map((field) => `"${field}"`).join(',')),
      ].join('\n');
      const recordsOfUnquotedTable = readRecordsOrErrorText(unquotedTableText, { columns });
      expect(recordsOfUnquotedTable, unquotedTableText).toEqual(
        readRecordsOrErrorText(quotedTableText, { columns }),
      );
      outcomeCounts[typeof recordsOfUnquotedTable === 'string' ? 'refused' : 'read']++;
    }
    expect(Math.min(outcomeCounts.read, outcomeCounts.refused)).toBeGreaterThan(300);
  });

  test('Grid Engine', () => {
    const logText = readFileSync(new URL('../../traces/grid-engine.txt', import.meta.url), 'utf8');
    const lines = logText.split('\n').filter((line) => /^\w/.test(line));
    const generator = makeMersenneTwister([47]);
    const fieldTexts = [
      '0',
      '1',
      '25',
      '100',
      '-1',
      'x',
      '',
      '1795760397',
      '1795760397123',
      'NONE',
      '-l h_rt=60',
      '-l h_rt=1:00:00',
      'é',
    ];
    for (let round = 0; round < 3000; round++) {
      const lineFields = (lines[Math.floor(generator.drawUniform() * lines.length)] as string).split(':');
      for (let changeCount = Math.floor(generator.drawUniform() * 3); changeCount > 0; changeCount--)
        lineFields[Math.floor(generator.drawUniform() * lineFields.length)] = fieldTexts[
          Math.floor(generator.drawUniform() * fieldTexts.length)
        ] as string;
      const line = lineFields.join(':');
      // A line with more fields than the current version has is read by the slow reader.
      expect(readRecordsOrErrorText(`# Version: 1\n${line}\n`), line).toEqual(
        readRecordsOrErrorText(`# Version: 1\n${line}:0\n`),
      );
    }
  });

  test('PBS', () => {
    const pbsLogLines = readFileSync(new URL('../../traces/pbs.txt', import.meta.url), 'utf8')
      .trim()
      .split('\n');
    const generator = makeMersenneTwister([48]);
    const fieldTexts = [
      '0',
      '1',
      '271',
      '-11',
      '-1',
      'x',
      '',
      '"a b"',
      '"',
      '1772704800',
      '1772704800000',
      '1:00:00',
      '00:02:00',
      'é',
      '4',
    ];
    const extraTexts = [
      '',
      ' resources_used.ncpus=4',
      ' Resource_List.ncpus=2',
      ' a-b=3',
      ' odd',
      '  two=2',
      ' Exit_status=0',
    ];
    let plainlyReadLineCount = 0;
    for (let round = 0; round < 3000; round++) {
      const lines = pbsLogLines.map((line) => {
        if (generator.drawUniform() < 0.7) return line;
        const keyValuePairs = line.split(' ');
        const pairIndex = Math.floor(generator.drawUniform() * keyValuePairs.length);
        keyValuePairs[pairIndex] = (keyValuePairs[pairIndex] as string).replace(
          /=.*/,
          `=${fieldTexts[Math.floor(generator.drawUniform() * fieldTexts.length)]}`,
        );
        return keyValuePairs.join(' ') + extraTexts[Math.floor(generator.drawUniform() * extraTexts.length)];
      });
      plainlyReadLineCount += Number(lines.some((line) => /;E;\d+\./.test(line)));
      // Two blanks before the first key prevent the fast reader.
      const linesWithUnusualSpaces = lines.map((line) => line.replace(/^(\S+ \S+?;E;[^;]*;)/, '$1  '));
      expect(readRecordsOrErrorText(lines.join('\n')), lines.join('\n')).toEqual(
        readRecordsOrErrorText(linesWithUnusualSpaces.join('\n')),
      );
    }
    expect(plainlyReadLineCount).toBeGreaterThan(2000);
  });
});
