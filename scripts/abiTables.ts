/** Formats the contract of the core as the tables of docs/abi.md. */
import { type Call, calls, type Enumeration, enumerations } from './contract.js';

/** Enumerations whose tables stand elsewhere on the page. */
const ELSEWHERE = ['Status', 'Room', 'Metric'];

/** Enumerations of columns, whose comments begin with a type such as `f64 per job`. */
const TYPED = ['JobColumn', 'Column'];

function table(heads: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const lines = [heads, heads.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
  lines[1] = `|${'---|'.repeat(heads.length)}`;
  return lines.join('\n');
}

function tableOf({ name, members }: Enumeration): string {
  const isTyped = TYPED.includes(name);
  const heads = ['name', 'value', ...(isTyped ? ['type'] : []), 'meaning'];
  const rows = members.map(({ name, value, meaning }) => {
    return [name, value, ...(isTyped ? (/^(.*?)\. (.*)$/.exec(meaning)?.slice(1) ?? [meaning]) : [meaning])];
  });
  return table(heads, rows);
}

/** Returns a section for each enumeration, in source order. */
export function enumerationTables(): string {
  return enumerations()
    .filter(({ name }) => !ELSEWHERE.includes(name))
    .map((each) => [`## ${each.name}`, each.meaning, tableOf(each)].join('\n\n'))
    .join('\n\n');
}

/** Returns the table of one enumeration. */
export function enumerationTable(requested: string): string {
  const [found] = enumerations().filter(({ name }) => name === requested);
  return tableOf(found);
}

const signature = ({ name, parameters }: Call) =>
  `\`${name}(${parameters.map(({ name }) => name).join(', ')})\``;

/** Returns the table of the calls. */
export function callTable(): string {
  return table(
    ['call', 'what it does'],
    calls().map((call) => [signature(call), call.meaning]),
  );
}
