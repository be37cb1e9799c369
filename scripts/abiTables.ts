/** The enumerations of the core's contract as tables, from their comments. */
import { readFileSync } from 'node:fs';
import ts from 'typescript';

/** What docs/abi.md says beside its calls, in words of its own. */
const ELSEWHERE = ['Status', 'Room', 'Metric'];

/** Columns say first what stands in them, such as `f64 per job`. */
const TYPED = ['JobColumn', 'Column'];

const oneLine = (text: string) => text.replaceAll(/\s*\n\s*/g, ' ').trim();

/** The comment before a declaration. */
function commentOf(node: ts.Node): string {
  const [comment] = ts.getJSDocCommentsAndTags(node);
  return oneLine(ts.getTextOfJSDocComment(comment?.comment) ?? '').replaceAll(' * ', ' × ');
}

function rowOf(member: ts.EnumMember, isTyped: boolean): string {
  const name = member.name.getText();
  const meaning = name === 'COUNT' ? 'How many there are.' : commentOf(member);
  const cells = isTyped ? [/^(.*?)\. (.*)$/.exec(meaning)?.slice(1) ?? meaning].flat() : [meaning];
  return `| ${[name, member.initializer?.getText(), ...cells].join(' | ')} |`;
}

function section(declaration: ts.EnumDeclaration): string {
  const name = declaration.name.text;
  const isTyped = TYPED.includes(name);
  const heads = ['name', 'value', ...(isTyped ? ['type'] : []), 'meaning'];
  const rows = declaration.members.map((member) => rowOf(member, isTyped));
  const table = [`| ${heads.join(' | ')} |`, `|${'---|'.repeat(heads.length)}`, ...rows].join('\n');
  return [`### ${name}`, commentOf(declaration), table].join('\n\n');
}

/** A section for each enumeration, in the order of the sources. */
export function enumerationTables(): string {
  const sources = ['abi.ts', 'abiColumns.ts'].map((name) => {
    const url = new URL(`../assembly/${name}`, import.meta.url);
    return ts.createSourceFile(name, readFileSync(url, 'utf8'), ts.ScriptTarget.Latest, true);
  });
  const all = sources.flatMap(({ statements }) => statements.filter(ts.isEnumDeclaration));
  return all
    .filter(({ name }) => !ELSEWHERE.includes(name.text))
    .map(section)
    .join('\n\n');
}
