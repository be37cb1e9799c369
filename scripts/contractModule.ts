/**
 * Part of `npm run build`: writes host/core/contract.ts, the part of the contract that a JavaScript host
 * cannot read from the binary.
 */
import { writeChanged } from './changed.mjs';
import { columnLength, columnType, type Member, membersOf, optionKind } from './contract.js';

const recordOf = (name: string, comment: string, entries: readonly string[], type = ' as const') =>
  [
    `/** ${comment} */`,
    `export const ${name} = {`,
    ...entries.map((entry) => `  ${entry},`),
    `}${type};`,
  ].join('\n');

/** Typed arrays of columns. */
const ARRAYS = { f64: 'Float64Array', i32: 'Int32Array' };

/** Number of numbers in a column, as an expression of the run. */
function countOf(column: Member): string {
  const { width } = columnType(column);
  const length = columnLength(column);
  if (length === 'Metric' || length === 'Decision') return `core.${length}.COUNT`;
  const entries = length.split(' × ').map((lengthName) => {
    const lengthKind = membersOf('Room').some(({ name: memberName }) => memberName === lengthName)
      ? 'room'
      : 'scalar';
    return `run.${lengthKind}('${lengthName}')`;
  });
  return [...(width === 1 ? [] : [width]), ...entries].join(' * ');
}

const SIZED = `/** Sizes of a simulation: its number of jobs, sites and log entries. */
interface Sized {
  readonly core: Core;
  room(name: keyof Core['Room']): number;
  scalar(name: keyof Core['Scalar']): number;
}`;

/** Returns the text of the file. */
function contractModule(): string {
  const jobs = membersOf('JobColumn').map((column) => `${column.name}: ${ARRAYS[columnType(column).type]}`);
  const columnLines = membersOf('Column').map((column) => {
    const count = countOf(column);
    const firstArgument = count.startsWith('core') ? '{ core }' : 'run';
    return `${column.name}: [${ARRAYS[columnType(column).type]}, (${firstArgument}) => ${count}]`;
  });
  const optionLines = membersOf('Option').flatMap((option) => {
    const { choices: kindChoices, plus } = optionKind(option);
    return kindChoices === undefined ? [] : [`${option.name}: ['${kindChoices}', ${plus}]`];
  });
  const extraLines = membersOf('Extra').map(({ name: memberName, meaning }) => {
    const namedColumns = [...meaning.matchAll(/`(?:JobColumn\.)?(\w+)`/g)].map(([, column]) => `'${column}'`);
    return `${memberName}: [${namedColumns.join(', ')}]`;
  });
  return `${[
    '/** Columns and options of the core as in docs/abi.md, for hosts in JavaScript; the build generates this file. */\n' +
      "import type { Core } from './instance.js';",
    SIZED,
    recordOf('JOB_COLUMNS', 'Array types of the columns of a job table.', jobs),
    recordOf('EXTRAS', 'Columns of a job table that exist only on request, by bit.', extraLines),
    recordOf(
      'COLUMNS',
      'Array types of the columns of a simulation, and their lengths.',
      columnLines,
      ' as const satisfies Record<\n  string,\n  readonly [typeof Float64Array | typeof Int32Array, (run: Sized) => number]\n>',
    ),
    recordOf(
      'OPTION_WORDS',
      'Enumerations of options that accept a word, and the number added to its value.',
      optionLines,
    ),
  ].join('\n\n')}\n`;
}

writeChanged('host/core/contract.ts', contractModule());
