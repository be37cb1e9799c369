/**
 * Part of `npm run build`: writes host/core/contract.ts, the part of the contract that a JavaScript host
 * cannot read from the binary.
 */
import { writeChanged } from './changed.mjs';
import {
  type EnumerationMember,
  findLengthNameOfColumn,
  findMembersOfEnumeration,
  parseColumnType,
  parseOptionKind,
} from './contract.js';

const formatRecordDeclaration = (
  name: string,
  comment: string,
  entries: readonly string[],
  type = ' as const',
) =>
  [
    `/** ${comment} */`,
    `export const ${name} = {`,
    ...entries.map((entry) => `  ${entry},`),
    `}${type};`,
  ].join('\n');

/** Typed arrays of columns. */
const ARRAY_TYPE_BY_NUMBER_TYPE = { f64: 'Float64Array', i32: 'Int32Array' };

/** Number of numbers in a column, as an expression of the run. */
function countOf(column: EnumerationMember): string {
  const { width } = parseColumnType(column);
  const length = findLengthNameOfColumn(column);
  if (length === 'Metric' || length === 'Decision') return `core.${length}.COUNT`;
  const entries = length.split(' × ').map((lengthName) => {
    const lengthKind = findMembersOfEnumeration('Room').some(
      ({ name: memberName }) => memberName === lengthName,
    )
      ? 'room'
      : 'scalar';
    return `run.${lengthKind}('${lengthName}')`;
  });
  return [...(width === 1 ? [] : [width]), ...entries].join(' * ');
}

const SIZED_INTERFACE_TEXT = `/** Sizes of a simulation: its number of jobs, sites and log entries. */
interface Sized {
  readonly core: Core;
  room(name: keyof Core['Room']): number;
  scalar(name: keyof Core['Scalar']): number;
}`;

/** Returns the text of the file. */
function makeContractModule(): string {
  const jobs = findMembersOfEnumeration('JobColumn').map(
    (column) => `${column.name}: ${ARRAY_TYPE_BY_NUMBER_TYPE[parseColumnType(column).type]}`,
  );
  const columnLines = findMembersOfEnumeration('Column').map((column) => {
    const count = countOf(column);
    const firstArgumentText = count.startsWith('core') ? '{ core }' : 'run';
    return `${column.name}: [${ARRAY_TYPE_BY_NUMBER_TYPE[parseColumnType(column).type]}, (${firstArgumentText}) => ${count}]`;
  });
  const optionLines = findMembersOfEnumeration('Option').flatMap((option) => {
    const { choices: kindChoices, plus } = parseOptionKind(option);
    return kindChoices === undefined ? [] : [`${option.name}: ['${kindChoices}', ${plus}]`];
  });
  const extraLines = findMembersOfEnumeration('Extra').map(({ name: memberName, meaning }) => {
    const namedColumns = [...meaning.matchAll(/`(?:JobColumn\.)?(\w+)`/g)].map(([, column]) => `'${column}'`);
    return `${memberName}: [${namedColumns.join(', ')}]`;
  });
  return `${[
    '/** Columns and options of the core as in docs/abi.md, for hosts in JavaScript; the build generates this file. */\n' +
      "import type { Core } from './instance.js';",
    SIZED_INTERFACE_TEXT,
    formatRecordDeclaration('JOB_COLUMNS', 'Array types of the columns of a job table.', jobs),
    formatRecordDeclaration(
      'EXTRAS',
      'Columns of a job table that exist only on request, by bit.',
      extraLines,
    ),
    formatRecordDeclaration(
      'COLUMNS',
      'Array types of the columns of a simulation, and their lengths.',
      columnLines,
      ' as const satisfies Record<\n  string,\n  readonly [typeof Float64Array | typeof Int32Array, (run: Sized) => number]\n>',
    ),
    formatRecordDeclaration(
      'OPTION_WORDS',
      'Enumerations of options that accept a word, and the number added to its value.',
      optionLines,
    ),
  ].join('\n\n')}\n`;
}

writeChanged('host/core/contract.ts', makeContractModule());
