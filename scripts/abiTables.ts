/** Formats the contract of the core as the tables of docs/abi.md. */
import { type Call, calls, type Enumeration, enumerations } from './contract.js';

/** Enumerations whose tables stand elsewhere on the page. */
const ELSEWHERE = ['Status', 'Room', 'Metric'];

/** Enumerations of columns, whose comments begin with a type such as `f64 per job`. */
const TYPED = ['JobColumn', 'Column'];

function table(headings: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const lines = [headings, headings.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
  lines[1] = `|${'---|'.repeat(headings.length)}`;
  return lines.join('\n');
}

function tableOf({ name: enumName, members: enumMembers }: Enumeration): string {
  const isTyped = TYPED.includes(enumName);
  const headings = ['name', 'value', ...(isTyped ? ['type'] : []), 'meaning'];
  const rows = enumMembers.map(({ name: memberName, value: memberValue, meaning }) => {
    return [
      memberName,
      memberValue,
      ...(isTyped ? (/^(.*?)\. (.*)$/.exec(meaning)?.slice(1) ?? [meaning]) : [meaning]),
    ];
  });
  return table(headings, rows);
}

/** Returns a section for each enumeration, in source order. */
export function enumerationTables(): string {
  return enumerations()
    .filter(({ name: enumName }) => !ELSEWHERE.includes(enumName))
    .map((enumeration) => [`## ${enumeration.name}`, enumeration.meaning, tableOf(enumeration)].join('\n\n'))
    .join('\n\n');
}

/** Returns the table of one enumeration. */
export function enumerationTable(enumerationName: string): string {
  const [enumeration] = enumerations().filter(({ name: enumName }) => enumName === enumerationName);
  return tableOf(enumeration);
}

const signatureOf = ({ name: callName, parameters }: Call) =>
  `\`${callName}(${parameters.map(({ name: parameterName }) => parameterName).join(', ')})\``;

/** Returns the table of the calls. */
export function callTable(): string {
  return table(
    ['call', 'what it does'],
    calls().map((call) => [signatureOf(call), call.meaning]),
  );
}
