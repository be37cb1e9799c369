/** CSV files of a simulation, read line by line. */
import { type FileHandle, open } from 'node:fs/promises';
import { InputError } from '../errors.js';
import { readFault } from '../files/faults.js';
import { splitLine } from './csv.js';

function openFile(path: string): Promise<FileHandle> {
  return open(path).catch((error: unknown) => {
    throw readFault(path, error, 'run the simulation again');
  });
}

/**
 * Reads a file of a simulation line by line.
 * @param columns of which `parse` is given the fields, in this order; it returns undefined where they are spoilt.
 * @param expected what a line holds, for the message.
 * @param optional behind them those that may be missing, whose fields are then empty.
 * @throws InputError when there is no such file or column, or naming the line that is spoilt.
 */
export async function readRows<Row>(
  path: string,
  columns: readonly string[],
  parse: (fields: readonly string[]) => Row | undefined,
  expected: string,
  optional: readonly string[] = [],
): Promise<Row[]> {
  const rows: Row[] = [];
  let places: number[] | undefined;
  let number = 0;
  const file = await openFile(path);
  for await (const line of file.readLines()) {
    number++;
    if (line === '') continue;
    const fields = splitLine(line);
    if (places === undefined) {
      places = [...columns, ...optional].map((column) => fields.indexOf(column));
      const missing = columns.find((_, i) => places?.[i] === -1);
      if (missing !== undefined)
        throw new InputError(`${path}: the column ${missing} is missing; run the simulation again`);
      continue;
    }
    const row = parse(places.map((place) => fields[place] ?? ''));
    if (row === undefined) {
      throw new InputError(`${path}, line ${number}: expected ${expected}; run the simulation again`);
    }
    rows.push(row);
  }
  return rows;
}
