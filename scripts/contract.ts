/** The contract between core and host, read from where it is declared: the enumerations and the calls of the core. */
import { readFileSync } from 'node:fs';
import ts from 'typescript';

/** Where the enumerations are, in the order of docs/abi.md, and where the calls. */
const DECLARATIONS = ['abi/abi.ts', 'abi/abiColumns.ts'];
const CALLS = [
  ...['index.ts', 'engine/jobs.ts', 'engine/access.ts', 'engine/sealState.ts'],
  ...['allocators/registry.ts', 'memory/check.ts'],
];

/** The calls in the order in which a host comes to need them. */
const ORDER = [
  ['abiVersion', 'firstAddress', 'arrangeJobs', 'jobColumnAddress', 'sealJobs', 'refusedJob', 'prepare'],
  ['setOption', 'fitRoom', 'setRoom', 'room', 'arrange', 'columnAddress', 'policyDeclaration', 'begin'],
  [
    'runUntil',
    'decide',
    'giveKeys',
    'isFeasible',
    'lookAhead',
    'nextInQueue',
    'rehearse',
    'extendLogs',
    'changePolicy',
    'changeSpeeds',
    'scalar',
  ],
  [
    'measure',
    'measureBetween',
    'sharesHistories',
    'runTogether',
    'measureTogether',
    'liveBytes',
    'fork',
    'sameState',
  ],
  ['sealState', 'checkState', 'buildId', 'brokenInvariant'],
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

/** What is in a column: the type of its numbers, and what each belongs to. */
interface ColumnType {
  readonly type: 'f64' | 'i32';
  /** Numbers in an entry. */
  readonly width: number;
  /** What there is an entry for, such as `job`. */
  readonly per: string;
  /** Additional entries. */
  readonly more: number;
  readonly meaning: string;
}

/** `f64 per job, one more. Seconds.`, `pairs of i32 per slot. ...`, `five f64 per policy. ...` */
const TYPED = /^(?:(pairs of|three|five) )?(f64|i32)(?: per (.*?))?(, one more)?\. (.*)$/;

/** What words of it say of how many numbers are in an entry. */
const WIDTHS: Readonly<Record<string, number>> = { 'pairs of': 2, three: 3, five: 5 };

/** What the comment of a column says of it. */
export function columnType({ name, meaning }: Member): ColumnType {
  const match = TYPED.exec(meaning);
  if (match === null)
    throw new Error(`the comment of column ${name} does not begin with its type: ${meaning}`);
  const [, group, type, per = 'entry of the log', more, rest] = match;
  const width = group === undefined ? 1 : WIDTHS[group];
  return {
    type: type as 'f64' | 'i32',
    width,
    per: per.replaceAll('`', ''),
    more: more ? 1 : 0,
    meaning: rest,
  };
}

/** How many entries a column has, by what there is one for: a `Room`, a `Scalar` or an enumeration. */
const LENGTHS: Readonly<Record<string, string>> = {
  job: 'Jobs',
  site: 'Sites',
  slot: 'Sites',
  'home site and site': 'Sites × Sites',
  Metric: 'Metric',
  Decision: 'Decision',
  policy: 'Policies',
  'time of trials': 'Trials',
  'given choice': 'Choices',
  candidate: 'Policies',
  preemption: 'StopsLength',
};

/** How many entries a column of a simulation has. */
export function columnLength(column: Member): string {
  const { per } = columnType(column);
  const length = per === 'entry of the log' ? `${column.name}Length` : LENGTHS[per];
  if (length === undefined)
    throw new Error(`how many there are per ${per}, as in ${column.name}, is not known`);
  return length;
}

/** What an option takes. */
interface OptionKind {
  readonly kind: 'policy' | 'parameter' | 'choice' | 'switch' | 'count' | 'amount';
  /** The enumeration of a choice, and what is added to its values, 0 being none of them. */
  readonly choices?: string;
  readonly plus?: number;
}

/** What the comment of an option says that it takes. */
export function optionKind({ name, meaning }: Member): OptionKind {
  const [, plus, choices] = /^(?:(1 \+ an?)|An?) `(\w+)`/.exec(meaning) ?? [];
  if (choices !== undefined) return { kind: 'choice', choices, plus: plus === undefined ? 0 : 1 };
  if (name === 'Policy') return { kind: 'policy' };
  if (name.startsWith('Parameter')) return { kind: 'parameter' };
  if (meaning.startsWith('1: ')) return { kind: 'switch' };
  return { kind: meaning.startsWith('n: ') ? 'count' : 'amount' };
}

/** The members of an enumeration, without their count. */
export function membersOf(wanted: string): Member[] {
  const [found] = enumerations().filter(({ name }) => name === wanted);
  return found.members.filter(({ name }) => name !== 'COUNT');
}
