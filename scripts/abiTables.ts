/** Formats the contract of the core as the tables of docs/abi.md. */
import { type Enumeration, type ExportedCall, enumerations, parseCalls } from './contract.js';

/** Enumerations whose tables stand elsewhere on the page. */
const ENUMERATIONS_SHOWN_ELSEWHERE = ['Status', 'Room', 'Metric'];

/** Enumerations of columns, whose comments begin with a type such as `f64 per job`. */
const ENUMERATIONS_WITH_TYPES = ['JobColumn', 'Column'];

function table(headings: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const lines = [headings, headings.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
  lines[1] = `|${'---|'.repeat(headings.length)}`;
  return lines.join('\n');
}

function tableOf({ name: enumName, members: enumMembers }: Enumeration): string {
  const hasTypedMembers = ENUMERATIONS_WITH_TYPES.includes(enumName);
  const headings = ['name', 'value', ...(hasTypedMembers ? ['type'] : []), 'meaning'];
  const rows = enumMembers.map(({ name: memberName, value: memberValue, meaning }) => {
    return [
      memberName,
      memberValue,
      ...(hasTypedMembers ? (/^(.*?)\. (.*)$/.exec(meaning)?.slice(1) ?? [meaning]) : [meaning]),
    ];
  });
  return table(headings, rows);
}

/** Returns a section for each enumeration, in source order. */
export function makeEnumerationTables(): string {
  return enumerations()
    .filter(({ name: enumName }) => !ENUMERATIONS_SHOWN_ELSEWHERE.includes(enumName))
    .map((enumeration) => [`## ${enumeration.name}`, enumeration.meaning, tableOf(enumeration)].join('\n\n'))
    .join('\n\n');
}

/** Returns the table of one enumeration. */
export function makeEnumerationTable(enumerationName: string): string {
  const [enumeration] = enumerations().filter(({ name: enumName }) => enumName === enumerationName);
  return tableOf(enumeration);
}

const formatSignatureOfCall = ({ name: callName, parameters }: ExportedCall) =>
  `\`${callName}(${parameters.map(({ name: parameterName }) => parameterName).join(', ')})\``;

/** Returns the table of the calls. */
export function makeCallTable(): string {
  return table(
    ['call', 'what it does'],
    parseCalls().map((call) => [formatSignatureOfCall(call), call.meaning]),
  );
}
