/** What a host in JavaScript needs of the contract that the binary does not say: host/core/contract.ts. */
import { columnLength, columnType, membersOf, optionKind } from './contract.js';

const recordOf = (name: string, comment: string, entries: readonly string[]) =>
  [
    `/** ${comment} */`,
    `export const ${name} = {`,
    ...entries.map((entry) => `  ${entry},`),
    '} as const;',
  ].join('\n');

/** The text of the file. */
export function contractModule(): string {
  const jobs = membersOf('JobColumn').map((column) => `${column.name}: '${columnType(column).type}'`);
  const columns = membersOf('Column').map((column) => {
    const { type, width } = columnType(column);
    return `${column.name}: ['${type}', ${width}, '${columnLength(column)}']`;
  });
  const words = membersOf('Option').flatMap((option) => {
    const { choices, plus } = optionKind(option);
    return choices === undefined ? [] : [`${option.name}: ['${choices}', ${plus}]`];
  });
  const extras = membersOf('Extra').map(({ name, meaning }) => {
    const named = [...meaning.matchAll(/`(?:JobColumn\.)?(\w+)`/g)].map(([, column]) => `'${column}'`);
    return `${name}: [${named.join(', ')}]`;
  });
  return `${[
    '/** What docs/abi.md says of columns and options, for hosts in JavaScript; `npm run generate` writes it from the core. */',
    recordOf('JOB_COLUMNS', 'What stands in the columns of a job table.', jobs),
    recordOf('EXTRAS', 'Which of them a table has only on request.', extras),
    recordOf(
      'COLUMNS',
      'What stands in those of a simulation, how many numbers in an entry, and what says how many entries.',
      columns,
    ),
    recordOf(
      'OPTION_WORDS',
      'The enumerations of options that take a word, and what is added to its value.',
      words,
    ),
  ].join('\n\n')}\n`;
}
