import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { InputError } from '../../host/errors.js';
import { mersenneTwister } from '../../host/math/random.js';
import { checkChunks } from '../../host/trace/checkTrace.js';
import { FORMAT_NAMES, type FormatName } from '../../host/trace/formats.js';
import { parseTrace } from '../../host/trace/readText.js';
import type { Trace } from '../../host/trace/trace.js';
import { caseCount, firstSeed, PATIENCE } from '../cases.js';

/**
 * Logs of every format with some bytes, lines or fields changed at random: each is read or refused with one sentence, the check
 * says the same as the reader, and what is dropped is counted. `npm run test:long` tries 100,000.
 */

const FILES: Record<FormatName, string> = {
  swf: 'spellings.swf',
  gwf: 'grid.gwf',
  sacct: 'sacct.txt',
  'sacct-json': 'sacct.json',
  batsim: 'batsim.json',
  'grid-engine': 'grid-engine.txt',
  pbs: 'pbs.txt',
  lsf: 'lsf.txt',
  table: 'table.csv',
  philly: 'philly.json',
};

/** Texts that fields are replaced by. */
const FIELDS = [
  '',
  '-1',
  '0',
  '1e9',
  '99999999999999999999',
  'x',
  '1.5',
  '"',
  ':',
  '|',
  ';',
  '=',
  'NaN',
  '2026-02-30T25:61:61',
  '\u0000',
  'é',
];

const CASES = caseCount(250);

type Draw = (below: number) => number;

function mutated(text: string, draw: Draw): string {
  let lines = text.split('\n');
  for (let times = 1 + draw(3); times > 0; times--) {
    const at = draw(lines.length);
    const line = lines[at] ?? '';
    switch (draw(7)) {
      case 0:
        lines = lines.toSpliced(at, 1);
        break;
      case 1:
        lines = lines.toSpliced(at, 0, line);
        break;
      case 2:
        lines[at] = line.slice(0, draw(line.length + 1));
        break;
      case 3: {
        const fields = line.split(/([\s|:;=,]+)/);
        fields[draw(fields.length)] = FIELDS[draw(FIELDS.length)]!;
        lines[at] = fields.join('');
        break;
      }
      case 4: {
        const place = draw(line.length + 1);
        lines[at] = line.slice(0, place) + String.fromCharCode(32 + draw(95)) + line.slice(place + 1);
        break;
      }
      case 5:
        lines[at] = line.replaceAll(/\d+/g, (digits) => (draw(4) === 0 ? String(draw(1e9)) : digits));
        break;
      default: {
        const other = draw(lines.length);
        [lines[at], lines[other]] = [lines[other] ?? '', line];
      }
    }
  }
  return lines.join('\n');
}

/** Result of reading, or the sentence of the refusal. */
function read(text: string, options: object): Trace | string {
  try {
    return parseTrace(text, options);
  } catch (error) {
    expect(error).toBeInstanceOf(InputError);
    return (error as Error).message;
  }
}

describe.each(FORMAT_NAMES)('%s', (format) => {
  const text = readFileSync(new URL(`../../traces/${FILES[format]}`, import.meta.url), 'utf8');

  test('changed at random', { timeout: PATIENCE }, async () => {
    const kinds = { read: 0, refused: 0 };
    for (let seed = firstSeed; seed < firstSeed + Math.ceil(CASES); seed++) {
      const generator = mersenneTwister([seed, FORMAT_NAMES.indexOf(format)]);
      const log = mutated(text, (below) => Math.floor(generator.uniform() * below));
      for (const options of [{}, { format }]) {
        const found = read(log, options);
        const { readable, problems } = await checkChunks('log', [new TextEncoder().encode(log)], options);
        const about = { seed, options, found: typeof found === 'string' ? found : 'read' };
        expect({ ...about, readable }).toEqual({ ...about, readable: typeof found !== 'string' });
        if (typeof found === 'string') {
          kinds.refused++;
          // For a table with unknown columns, a command that names them all.
          expect(found, `seed ${seed}`).toMatch(/^[^\n]{10,600}$|^[^\n]+ --columns [^\n]{1,600}$/);
        } else {
          kinds.read++;
          // Nothing disappears without a word: records are jobs, or counted.
          const left = (found.leftOut ?? []).reduce((sum, { count }) => sum + count, 0);
          const descriptions = problems.filter(({ rule }) =>
            ['step', 'unfinished', 'component', 'profile'].includes(rule),
          );
          expect(
            descriptions.reduce((sum, { count }) => sum + count, 0),
            `seed ${seed}`,
          ).toBe(left);
          // The result is the same with bad lines skipped, since there are none.
          expect(read(log, { ...options, skipBadLines: true })).toEqual(found);
        }
        const skipped = read(log, { ...options, skipBadLines: true, sort: true });
        if (typeof skipped !== 'string') expect(skipped.count).toBeGreaterThan(0);
      }
    }
    expect(kinds.read + kinds.refused).toBe(2 * Math.ceil(CASES));
    if (CASES >= 250) expect(Math.min(kinds.read, kinds.refused)).toBeGreaterThan(10);
  });
});
