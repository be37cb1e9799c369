import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { chunksOf } from '../../host/results/csv.js';
import { linesOf } from '../../host/runner/jsonLines.js';
import { InternedColumn, NumberColumn, RecordTable } from '../../host/study/numberColumn.js';
import { type RunParameters, RunTable } from '../../host/study/runTable.js';
import { temporaryFolder } from '../temporaryFolder.js';

/** What goes into a column comes out of it. */

const number = fc.oneof(fc.nat(300), fc.constantFrom(255, 256, 65_535, 65_536, 2 ** 32 - 1));

test('numbers', () => {
  fc.assert(
    fc.property(fc.array(number, { maxLength: 200 }), (numbers) => {
      const column = new NumberColumn();
      for (const each of numbers) column.push(each);
      const all = () => Array.from({ length: column.length }, (_, i) => column.at(i));
      expect(all()).toEqual(numbers);
      column.seal();
      expect(all()).toEqual(numbers);
    }),
  );
});

test('values of any kind, which are one only if they are the same', () => {
  const values = [1, '1', null, '', undefined, [1, 2], '[1,2]', '\u0000[1,2]', { a: 1 }, true, 'true'];
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...values)), (rows) => {
      const column = new InternedColumn<unknown>();
      for (const row of rows) column.push(row);
      expect(Array.from({ length: column.length }, (_, i) => column.at(i))).toEqual(rows);
    }),
  );
});

test('records, also those that lack a field', () => {
  const record = fc.record({ a: fc.nat(3), b: fc.array(fc.nat(2)), c: fc.string() }, { requiredKeys: [] });
  fc.assert(
    fc.property(fc.array(record), (records) => {
      const table = new RecordTable<object>();
      for (const each of records) table.push(each);
      table.seal();
      expect(Array.from({ length: table.length }, (_, i) => table.at(i))).toEqual(records);
    }),
  );
});

test('runs are found by their ids', () => {
  const parameters = { sites: [1] } as unknown as RunParameters;
  const half = fc.constantFrom('00000000', '00000040', 'ffffffff', '80000000', '0123abcd', '00000001');
  const id = fc.oneof(
    fc.tuple(half, half).map((halves) => halves.join('')),
    fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map((digits) => digits.toString(16).padStart(16, '0')),
  );
  fc.assert(
    fc.property(fc.uniqueArray(id, { maxLength: 150 }), fc.array(id), (ids, others) => {
      const table = RunTable.of(ids.map((each, workload) => ({ id: each, workload, parameters })));
      expect(ids.map((each) => table.find(each))).toEqual(ids.map((_, run) => run));
      expect(Array.from(table, (run) => run.id)).toEqual(ids);
      for (const other of others)
        expect(table.find(other)).toBe(ids.includes(other) ? ids.indexOf(other) : undefined);
    }),
  );
});

test('runs that are added as alike are those that are added in full', () => {
  const like = (load: number, policy: string) =>
    ({ sites: [1, 2], load: [load], policy, order: '"' }) as unknown as RunParameters;
  const run = fc.record({
    workload: fc.nat(2),
    load: fc.nat(2),
    policy: fc.constantFrom('ai', 'ti[sht=0.1]', '\\"'),
  });
  fc.assert(
    fc.property(fc.array(run, { maxLength: 40 }), (runs) => {
      const [inFull, alike] = [new RunTable(), new RunTable()];
      const firsts = new Map<number, number>();
      for (const [i, { workload, load, policy }] of runs.entries()) {
        const id = i.toString(16).padStart(16, '0');
        const first = firsts.get(load);
        inFull.add({ id, workload, parameters: like(load, policy) });
        if (first === undefined)
          firsts.set(load, alike.add({ id, workload, parameters: like(load, policy) }));
        else alike.addAlike(first, { id, workload, policy });
      }
      for (const table of [inFull, alike]) table.seal();
      expect([...alike]).toEqual([...inFull]);
      expect([...alike.texts()]).toEqual(Array.from(inFull, (each) => JSON.stringify(each)));
      expect(alike.histories()).toEqual(inFull.histories());
    }),
  );
});

test('lines longer and shorter than what is read at once', () => {
  const path = join(temporaryFolder(), 'lines');
  const lines = [0, 1, 65_535, 65_536, 200_000, 3, 65_534, 0].map((length) => 'ä'.repeat(length));
  writeFileSync(path, `${lines.join('\n')}\ntorn`);
  const read = [...linesOf(path)];
  expect(read.map(({ text }) => text)).toEqual(lines);
  expect(read.at(-1)?.end).toBe(Buffer.byteLength(`${lines.join('\n')}\n`));
  expect([...chunksOf(lines)].join('')).toBe(lines.join(''));
});
