/** The contract between core and host, read from where it is declared: the enumerations and the calls of the core. */
import { readFileSync } from 'node:fs';
import ts from 'typescript';

/** Where the enumerations are, in the order of docs/abi.md, and where the calls. */
const DECLARATIONS = ['abiStatus.ts', 'abi.ts', 'abiColumns.ts'];
const CALLS = ['index.ts', 'engine/jobs.ts', 'engine/access.ts', 'allocators/registry.ts', 'check.ts'];

/** The calls in the order in which a host comes to need them. */
const ORDER = [
  ['abiVersion', 'firstAddress', 'arrangeJobs', 'jobColumnAddress', 'sealJobs', 'refusedJob', 'prepare'],
  ['setOption', 'fitRoom', 'setRoom', 'room', 'arrange', 'columnAddress', 'policyDeclaration', 'begin'],
  ['runUntil', 'decide', 'isFeasible', 'lookAhead', 'nextInQueue', 'rehearse', 'extendLogs', 'scalar'],
  ['measure', 'sharesHistories', 'runTogether', 'measureTogether', 'liveBytes', 'fork', 'sameState'],
  ['brokenInvariant'],
].flat();

/** A member of an enumeration. */
export interface Member {
  readonly name: string;
  readonly value: number;
  readonly meaning: string;
}

/** An enumeration of the core. */
export interface Enumeration {
  readonly name: string;
  readonly meaning: string;
  readonly members: readonly Member[];
}

/** A call of the core; types are those of AssemblyScript, or the enumeration that a number is of. */
export interface Call {
  readonly name: string;
  readonly parameters: readonly { readonly name: string; readonly type: string }[];
  readonly returns: string;
  readonly meaning: string;
}

function sourceOf(name: string): ts.SourceFile {
  const url = new URL(`../assembly/${name}`, import.meta.url);
  return ts.createSourceFile(name, readFileSync(url, 'utf8'), ts.ScriptTarget.Latest, true);
}

/** The comment before a declaration, on one line. */
function commentOf(node: ts.Node): string {
  const [comment] = ts.getJSDocCommentsAndTags(node);
  const text = ts.getTextOfJSDocComment(comment?.comment) ?? '';
  return text
    .replaceAll(/\s*\n\s*/g, ' ')
    .trim()
    .replaceAll(' * ', ' × ');
}

function memberOf(member: ts.EnumMember): Member {
  const name = member.name.getText();
  const meaning = name === 'COUNT' ? 'How many there are.' : commentOf(member);
  return { name, value: Number(member.initializer?.getText()), meaning };
}

/** All enumerations, in the order of the sources. */
export function enumerations(): Enumeration[] {
  const declared = DECLARATIONS.flatMap((name) => sourceOf(name).statements.filter(ts.isEnumDeclaration));
  return declared.map((declaration) => ({
    name: declaration.name.text,
    meaning: commentOf(declaration),
    members: declaration.members.map(memberOf),
  }));
}

function callOf(declaration: ts.FunctionDeclaration): Call {
  const parameters = declaration.parameters.map(({ name, type }) => ({
    name: name.getText(),
    type: type?.getText() ?? '',
  }));
  const returns = declaration.type?.getText() ?? '';
  return { name: declaration.name?.text ?? '', parameters, returns, meaning: commentOf(declaration) };
}

/** All calls, in the order in which hosts come to need them. */
export function calls(): Call[] {
  const functions = CALLS.flatMap((name) => sourceOf(name).statements.filter(ts.isFunctionDeclaration));
  const found = new Map(functions.map((each) => [each.name?.text, each]));
  return ORDER.map((name) => {
    const declaration = found.get(name);
    if (declaration === undefined) throw new Error(`the core has no call ${name}`);
    return callOf(declaration);
  });
}
